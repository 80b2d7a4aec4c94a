"""The stored surveys as files for other programs: as they are stored, and line by line."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterable
from pathlib import Path

from edition.data.surveys import DICTIONARY, FOLDER, Survey, letters, rows


def write_survey_files(surveys: Iterable[Survey], root: Path, out: Path) -> None:
    """Write every survey beside the pages: as it is stored, and line by line; with what its entries mean."""
    for one in surveys:
        (out / FOLDER).mkdir(parents=True, exist_ok=True)
        if (root / "schema" / DICTIONARY).is_file():
            shutil.copyfile(root / "schema" / DICTIONARY, out / FOLDER / DICTIONARY)
        (out / FOLDER / f"{one.policy}.json").write_text(letters(one), encoding="utf-8", newline="\n")
        lines = io.StringIO()
        csv.writer(lines, lineterminator="\n").writerows(rows(one))
        (out / FOLDER / f"{one.policy}.csv").write_text(lines.getvalue(), encoding="utf-8", newline="\n")
