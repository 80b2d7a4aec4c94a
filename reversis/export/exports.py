"""Exports of Reversis: tables, a notebook, surveys, records of deals, files of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.columns import ColumnType, ExportColumn
from edition.export.downloads import GROUP_DATA, GROUP_FINDINGS
from edition.export.formats import ExportFormat
from edition.export.readme import FormatGuide
from edition.export.tables import SOURCE_COLUMN, UNIT_COLUMN, ExportTable
from edition.game import Exports, FolderDownloads
from reversis.browser.bundle import lay_play, lay_service_worker
from reversis.export.notebook import make_notebook_files
from reversis.files.extras import get_deals, get_surveys
from reversis.files.surveys import (
    SURVEY_DICTIONARY_FILE,
    SURVEYS_FOLDER,
    StoredSurvey,
    format_stored_survey,
    list_survey_rows,
)
from reversis.findings.results import compute_results, list_result_rows
from reversis.site.card_images import write_card_images
from rulebook.sheets.csv_form import render_data_csv

_DEALS_HEADING = "Worked deals and sessions (YAML)"
_SURVEYS_HEADING = "Surveys (JSON, CSV)"
_DEAL_COLUMN = ExportColumn("deal", "id of the worked deal")

_TABLES = (
    ExportTable(
        "results",
        "the worked deals by every source: one row for each account",
        (
            _DEAL_COLUMN,
            SOURCE_COLUMN,
            ExportColumn("state", "settled, refused or silent"),
            ExportColumn("account", "seat, or pool"),
            ExportColumn("net", "what it wins, or loses", ColumnType.INTEGER),
            UNIT_COLUMN,
            ExportColumn("why", "why nothing was settled"),
        ),
        lambda corpus: list_result_rows(compute_results(corpus)),
    ),
    ExportTable(
        "payments",
        "the ledgers of the worked deals: one row for each payment",
        (
            _DEAL_COLUMN,
            SOURCE_COLUMN,
            ExportColumn("trick", "the trick to which it belongs, if any", ColumnType.INTEGER),
            ExportColumn("fact", "what happened"),
            ExportColumn("payer", "who pays"),
            ExportColumn("payee", "who is paid"),
            ExportColumn("amount", "how much", ColumnType.INTEGER),
            UNIT_COLUMN,
            ExportColumn("questions", "questions on which it rests", ColumnType.LIST),
            ExportColumn("clauses", "clauses that answered them", ColumnType.LIST),
        ),
        lambda corpus: iter(compute_results(corpus).payments),
    ),
)

_FORMATS = {
    "notebook": ExportFormat(
        "A notebook on the tables (Jupyter)",
        "Opened by Jupyter: it reads the tables beside it (CSV), makes a pivot and a plot, and is a place to start "
        "from. Needs pandas and Matplotlib.",
        "",
        make_notebook_files,
        beside=("csv",),
        asked="ipynb, pivot, plot",
        guide=FormatGuide(
            {
                "Terminal": """\
pip install jupyterlab pandas matplotlib
jupyter lab explore-tables.ipynb""",
            },
            ("The notebook reads the tables (CSV) beside it, and needs no network.",),
        ),
    ),
}


def _get_deal_title(corpus: Corpus, name: str) -> str:
    return next((deal.title for deal in get_deals(corpus) if deal.id == name), "")


_FOLDERS: Mapping[str, FolderDownloads] = {
    "deals": FolderDownloads("worked deal", _DEALS_HEADING, GROUP_FINDINGS, _get_deal_title),
    "sessions": FolderDownloads("worked session", _DEALS_HEADING, GROUP_FINDINGS),
    "survey": FolderDownloads("stored survey", _SURVEYS_HEADING, GROUP_DATA),
}


def _list_survey_tables(corpus: Corpus) -> Iterator[tuple[str, bytes, str, str]]:
    for survey in get_surveys(corpus):
        table = render_data_csv(list_survey_rows(survey)).encode()
        yield f"{SURVEYS_FOLDER}/{survey.policy}.csv", table, f"survey {survey.policy}, line by line", _SURVEYS_HEADING


def write_page_files(corpus: Corpus, kinds: Set[str], places: Mapping[Any, Any], out: Path) -> None:
    """Write surveys, the pictures of cards, and the engine where a page settles or plays deals."""
    write_survey_files(get_surveys(corpus), Path(corpus.library.root), out)
    if get_deals(corpus):
        write_card_images(out / "cards")
    if {"own-deal", "table"} & kinds:
        lay_play(corpus, places, out / "play")
        lay_service_worker(out / "play", out / "sw.js")


GAME_EXPORTS = Exports(
    _TABLES,
    _FORMATS,
    _FOLDERS,
    {"reversis-deals": ("the worked deals and sessions", (_DEALS_HEADING,))},
    _list_survey_tables,
    write_page_files,
)


def write_survey_files(surveys: Iterable[StoredSurvey], root: Path, out: Path) -> None:
    """Write every survey beside the pages: as it is stored, and line by line; with what its entries mean."""
    for survey in surveys:
        (out / SURVEYS_FOLDER).mkdir(parents=True, exist_ok=True)
        if (root / "schema" / SURVEY_DICTIONARY_FILE).is_file():
            shutil.copyfile(root / "schema" / SURVEY_DICTIONARY_FILE, out / SURVEYS_FOLDER / SURVEY_DICTIONARY_FILE)
        (out / SURVEYS_FOLDER / f"{survey.policy}.json").write_text(
            format_stored_survey(survey), encoding="utf-8", newline="\n"
        )
        lines = render_data_csv(list_survey_rows(survey))
        (out / SURVEYS_FOLDER / f"{survey.policy}.csv").write_text(lines, encoding="utf-8", newline="\n")
