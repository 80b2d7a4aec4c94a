"""The stored surveys as files for other programs: as they are stored, and line by line."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from reversis.files.surveys import (
    SURVEY_DICTIONARY_FILE,
    SURVEYS_FOLDER,
    StoredSurvey,
    format_stored_survey,
    list_survey_rows,
)
from rulebook.sheets.csv_form import render_data_csv


def write_survey_files(surveys: Iterable[StoredSurvey], root: Path, out: Path) -> None:
    """Write every survey beside the pages: as it is stored, and line by line; with what its entries mean."""
    for one in surveys:
        (out / SURVEYS_FOLDER).mkdir(parents=True, exist_ok=True)
        if (root / "schema" / SURVEY_DICTIONARY_FILE).is_file():
            shutil.copyfile(root / "schema" / SURVEY_DICTIONARY_FILE, out / SURVEYS_FOLDER / SURVEY_DICTIONARY_FILE)
        (out / SURVEYS_FOLDER / f"{one.policy}.json").write_text(
            format_stored_survey(one), encoding="utf-8", newline="\n"
        )
        lines = render_data_csv(list_survey_rows(one))
        (out / SURVEYS_FOLDER / f"{one.policy}.csv").write_text(lines, encoding="utf-8", newline="\n")
