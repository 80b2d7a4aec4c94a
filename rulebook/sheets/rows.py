"""Rows of a coding sheet: one for each question that a clause answers, and one for each that none does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from rulebook.answers.kinds import get_own_unit
from rulebook.answers.typed import describe_answer_form
from rulebook.answers.values import Wrong, build_slug_lookup, format_canonical
from rulebook.clause_edits import ClauseFields, read_clause_fields
from rulebook.model import Question, Source
from rulebook.sheets.columns import (
    COLUMNS,
    COMPARED_COLUMNS,
    COMPARED_COUNTS,
    EARLIER_COLUMNS,
    HEADINGS,
    MARK_OF_STATUS,
    SILENT,
    SOURCE,
    UNCOLLATED_MARK,
    UNREAD_REASON,
    WORD_COLUMNS,
)
from rulebook.sheets.grid import clean_cell
from rulebook.sheets.held_rivals import HeldRivals, find_held_rivals, list_alternatives
from rulebook.strings import single_spaced


@dataclass(frozen=True)
class SheetRow:
    """A row: what one clause does with one question."""

    clause: str  #: id; empty where no clause speaks to the question
    question: str  #: Q031
    key: str  #: the question as the clause names it: Q031, or its slug
    cells: Mapping[str, str]  #: heading -> text
    #: All further citations and other readings, as locked columns had them before there were cells for some.
    whole: Mapping[str, str] = field(default_factory=dict)

    def as_earlier(self) -> SheetRow:
        """Return the row as a sheet had it before there were cells for other readings and further words."""
        cells = {**self.cells, **self.whole}
        return replace(self, cells=cells | {"version": compute_version(cells, EARLIER_COLUMNS)})

    @property
    def answered(self) -> bool:
        """Return whether it says more than that nobody has read for it."""
        return self.cells["answer"] != UNCOLLATED_MARK

    @property
    def name(self) -> str:
        """The row in messages."""
        return f"{self.clause}, {self.question}" if self.clause else self.question


def list_sheet_rows(letters: str, questions: Mapping[str, Question], siglum: str) -> list[SheetRow]:
    """Return the rows of a source, from the letters of its clauses.yaml, in the order of the questions.

    A question that another source has on trial has a row only where this one answers it.
    """
    slug_of = build_slug_lookup(questions.values())
    spoken: dict[str, list[tuple[str, ClauseFields]]] = {slug: [] for slug in questions}
    for fields in read_clause_fields(letters).values():
        for key in (*fields.get("answers", {}), *fields.get("on", ())):
            try:
                spoken[slug_of(str(key))].append((str(key), fields))
            except Wrong:
                continue  # no question that there is: `check` says so
    asked = {slug: spoken[slug] for slug, question in questions.items() if spoken[slug] or question.by in ("", siglum)}
    held = find_held_rivals(asked, slug_of)
    return [row for slug in asked for row in _iter_rows(questions[slug], spoken[slug], held, questions)]


def render_rows(rows: Sequence[SheetRow], source: Source) -> list[list[str]]:
    """Return the cells of a source's sheet, the headings first."""
    named = {SOURCE: name_source_in_words(source)}
    return [[*HEADINGS], *([{**row.cells, **named}[name] for name in HEADINGS] for row in rows)]


def name_source_in_words(source: Source) -> str:
    """Describe a source and its edition in words, the siglum first."""
    title, date = (single_spaced(str(source.record.get(key) or "")) for key in ("title", "date"))
    return clean_cell(f"{source.siglum}: {', '.join(filter(None, (title, date)))}")


def compute_version(cells: Mapping[str, str], columns: Sequence[str] = COMPARED_COLUMNS) -> str:
    """Compute the fingerprints of a row's cells; a letter first, lest a spreadsheet take them for a number."""
    return "v" + ".".join(hash_cell(cells.get(name, "")) for name in columns)


def hash_cell(text: str) -> str:
    """Compute the short fingerprint of a cell; that of an empty one is empty."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:4] if text else ""


def parse_version(version: str) -> Mapping[str, str]:
    """Return the fingerprint of each cell when the sheet was written; none if there is no version."""
    parts = version.removeprefix("v").split(".")
    if not version.startswith("v") or len(parts) not in COMPARED_COUNTS:
        return {}
    return dict(zip_longest(COMPARED_COLUMNS, parts, fillvalue=""))


def is_earlier(version: str) -> bool:
    """Return whether a row is of a sheet that had no cells for other readings and further words."""
    return version.startswith("v") and version.count(".") == len(EARLIER_COLUMNS) - 1


def _iter_rows(
    question: Question,
    spoken: Sequence[tuple[str, ClauseFields]],
    held: HeldRivals,
    questions: Mapping[str, Question],
) -> Iterator[SheetRow]:
    readings, bundled = held
    for at, (key, fields) in enumerate(spoken or [(question.id, {"on": [question.id], "status": "not-collated"})]):
        rival = readings.get(str(fields.get("id", "")))
        cells = (
            {column.name: "" for column in COLUMNS}
            | _describe_question(question)
            | _describe_clause(key, fields, rival)
        )
        cells |= {"question": question.id}
        if at == 0 and question.slug in bundled:
            other, value = bundled[question.slug]
            answer = value if value == SILENT else format_canonical(value)
            cells |= {"other_answer": answer, "other_with": questions[other].id}
        cells = {name: clean_cell(text) for name, text in cells.items()}
        whole = {name: clean_cell(text) for name, text in _describe_whole(fields).items()}
        yield SheetRow(cells["clause"], question.id, key, cells | {"version": compute_version(cells)}, whole)


# ---- cells
def _describe_question(question: Question) -> dict[str, str]:
    readings = "\n".join(f"{name}: {gloss}" for name, gloss in question.readings.items())
    return {
        "asks": question.asks,
        "readings": readings or _describe_measure(question),
        "procedure": " ".join(question.coding.split())
        + (f"\nAsked only where: {question.depends}" if question.depends else ""),
    }


def _describe_measure(question: Question) -> str:
    """Describe what is typed: an example, the bounds, and the words of a list."""
    words = question.measure.get("of")
    known = words if isinstance(words, Mapping) else {}
    example = describe_answer_form(question)
    bounds = [f"{name} {question.measure[name]}" for name in ("min", "max") if name in question.measure]
    own = get_own_unit(question)
    unit = ["in the smallest counter of the source"] if question.measure.get("unit") == "smallest" else []
    unit += [f"the number of {own} alone"] if own else []
    head = "; ".join([example, *unit, *bounds])
    return "\n".join([head, *(f"{name}: {gloss}" for name, gloss in known.items())])


def _describe_clause(key: str, fields: ClauseFields, rival: ClauseFields | None) -> dict[str, str]:
    cites, answers = fields.get("cites", []), fields.get("answers", {})
    unread = fields["status"] == "not-collated" and str(fields.get("because", "")).strip() in ("", UNREAD_REASON)
    hidden = ("status", "certainty", "because") if unread else ()
    held = list_held_citations(cites)
    return {
        **{
            column.name: str(fields.get(column.entry, "")).strip()
            for column in COLUMNS
            if column.entry and column.name not in hidden
        },
        "clause": str(fields.get("id", "")),
        "answer": format_canonical(answers[key]) if key in answers else MARK_OF_STATUS.get(fields["status"], ""),
        **_describe_citations([cites[at] for at in held]),
        **(_describe_rival(key, rival) if rival else {}),
        "citations": "\n".join(_format_citation(cite) for at, cite in enumerate(cites) if at not in held),
        "rivals": "" if rival else "\n".join(map(_format_alternative, list_alternatives(fields))),
    }


def _describe_citations(cites: Sequence[ClauseFields]) -> dict[str, str]:
    """Describe the citations that have cells: words and place of each."""
    pairs = zip(WORD_COLUMNS, cites, strict=False)
    return {
        name: text
        for (words, place), cite in pairs
        for name, text in ((words, single_spaced(str(cite.get("exact", "")))), (place, format_place(cite)))
    }


def _describe_rival(key: str, rival: ClauseFields) -> dict[str, str]:
    """Describe another reading that has cells."""
    return {
        "other_answer": format_canonical(rival["answers"][key]),
        "other_name": str(rival["label"]).strip(),
        "other_because": str(rival.get("because", "")).strip(),
        "other_computation": str(rival.get("computation", "")).strip(),
    }


def _describe_whole(fields: ClauseFields) -> dict[str, str]:
    return {
        "citations": "\n".join(map(_format_citation, fields.get("cites", [])[1:])),
        "rivals": "\n".join(map(_format_alternative, list_alternatives(fields))),
    }


def format_place(cite: Mapping[str, Any]) -> str:
    """Format where a citation stands: one sentence, or the first and the last."""
    return f"{cite['locus']}-{cite['to']}" if cite.get("to") else str(cite.get("locus", ""))


def list_held_citations(cites: Sequence[ClauseFields]) -> list[int]:
    """Return which citations have cells in a row: the first, and two more on which the answer rests."""
    further = [at for at, cite in enumerate(cites) if at and cite.get("role", "grounds") == "grounds"]
    return [*range(min(len(cites), 1)), *further][: len(WORD_COLUMNS)]


def _format_citation(cite: Mapping[str, Any]) -> str:
    exact = single_spaced(str(cite.get("exact", "")))
    return f"{cite.get('role', 'grounds')} {format_place(cite)}{f': {exact}' if exact else ''}"


def _format_alternative(alternative: Mapping[str, Any]) -> str:
    """Format a rival or an option on one line: what it is called, what it answers, its words, and why."""
    answers = ", ".join(f"{key}: {format_canonical(value)}" for key, value in alternative["answers"].items())
    words = f'"{single_spaced(str(alternative["exact"]))}"' if alternative.get("exact") else ""
    silent = f"silent: {', '.join(map(str, alternative['silent']))}" if alternative.get("silent") else ""
    parts = (
        f"{alternative['id']} {alternative['label']}",
        answers,
        silent,
        words,
        single_spaced(str(alternative.get("because", ""))),
    )
    return " | ".join(filter(None, parts))
