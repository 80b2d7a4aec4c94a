"""State of a source for the form: its sentences or statements, the questions, and a row for each present answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulebook.answers.conditions import parse_conditions
from rulebook.clause_edits import read_clause_fields, read_clause_lines, split_clause_lines
from rulebook.model import CERTAINTIES, STATUSES, Question, Source
from rulebook.quotations import by_statements
from rulebook.sheets.columns import COMPARED_COLUMNS
from rulebook.sheets.context import SheetContext
from rulebook.sheets.rows import SheetRow
from rulebook.strings import single_spaced

#: What a coder says by the choice of a status, in the order of the form.
_STATUS_GLOSSES: Mapping[str, str] = {
    "stated": "the words say so",
    "implied": "it follows from the words: say why",
    "denied": "the words rule it out",
    "silent": "the source says nothing; the answer is ours",
    "ambiguous": "the words can be read in two ways",
    "contradictory": "the source says two things",
}


def describe_source(context: SheetContext) -> dict[str, Any]:
    """Return what stays the same while a source is coded."""
    source = context.source
    coders = source.record.get("coders")
    return {
        "siglum": source.siglum,
        "name": source.short_name,
        "language": source.language,
        "paraphrased": by_statements(source),
        "sentences": describe_statements(source) if by_statements(source) else describe_sentences(source),
        "questions": list(_describe_questions(context)),
        "statuses": [[name, _STATUS_GLOSSES[name]] for name in _STATUS_GLOSSES if name in STATUSES],
        "certainties": list(CERTAINTIES),
        "origins": [*(siglum for siglum in context.sigla if siglum != source.siglum), "practice", "logic"],
        "coders": [str(coder["id"]) for coder in coders] if isinstance(coders, Sequence) else [],
    }


def describe_sentences(source: Source) -> list[dict[str, str]]:
    """Return the sentences of a source as they stand on the page, each with its page and translation."""
    into = source.translation.sentences if source.translation else {}
    return [
        {
            "id": sentence.id,
            "text": sentence.diplomatic,
            "kind": sentence.kind,
            "page": sentence.page or "",
            "lang": sentence.lang or source.language,
            "english": into[sentence.id].text if sentence.id in into else "",
        }
        for sentence in (source.text.sentences.values() if source.text else ())
    ]


def describe_statements(source: Source) -> list[dict[str, str]]:
    """Return the statements of a source in copyright; only what is quoted of them can be marked."""
    return [
        {
            "id": statement.id,
            "text": single_spaced(statement.quote),
            "kind": statement.section,
            "statement": statement.text,
        }
        for statement in source.statements
    ]


def describe_rows(context: SheetContext) -> list[dict[str, Any]]:
    """Return a row for each question and clause that speaks to it, and by what the form knows it again."""
    seen = compute_fingerprints(context)
    return [
        {
            "clause": row.clause,
            "question": row.question,
            "answered": row.answered,
            "seen": seen[row.question],
            "cells": {name: text for name, text in _list_sent_cells(row).items() if text},
        }
        for row in context.rows
    ]


def compute_fingerprints(context: SheetContext) -> Mapping[str, str]:
    """Compute a fingerprint for each question: of the lines of its clauses, and of what other clauses say of it.

    The clause of all that nobody has read yet changes with every answer, and its lines say nothing of the question.
    """
    lines = split_clause_lines(context.letters)
    texts: dict[str, list[str]] = {}
    for row in context.rows:
        cells = (row.cells[name] for name in COMPARED_COLUMNS)
        texts.setdefault(row.question, []).append(
            "\0".join((lines.get(row.clause, "") if row.answered else "", *cells))
        )
    return {id: hashlib.sha256("\0".join(some).encode("utf-8")).hexdigest() for id, some in texts.items()}


def _list_sent_cells(row: SheetRow) -> Mapping[str, str]:
    """Return the cells of a row; every other reading is listed, also that for which there are fields."""
    return {name: row.cells[name] for name in COMPARED_COLUMNS} | {"rivals": row.whole["rivals"]}


def describe_clause_letters(letters: str, before: str, id: str) -> str:
    """Return the lines of a clause; with letters before, those of every clause that is not the same there."""
    now, old = read_clause_fields(letters), read_clause_fields(before)
    ids = [key for key in now if now[key] != old.get(key)] if before else [id] if id in now else []
    return "\n\n".join(read_clause_lines(letters, key) for key in ids)


def _describe_questions(context: SheetContext) -> Iterator[dict[str, Any]]:
    """Yield what the form says of every question that has a row: those that another source has on trial have none."""
    rows = {row.question: row for row in reversed(context.rows)}
    for question in context.questions.values():
        if question.id in rows:
            yield _describe_question(question, rows[question.id], context.questions)


def _list_words(question: Question) -> Mapping[str, str]:
    """Return the words of which a list is made, to be ticked; none where the answer is no such list."""
    words = question.measure.get("of") if not question.closed else None
    return {str(name): str(gloss) for name, gloss in words.items()} if isinstance(words, Mapping) else {}


def _describe_conditions(question: Question, questions: Mapping[str, Question]) -> Iterator[dict[str, Any]]:
    """Yield what must be answered elsewhere for a question to be asked, in the words of the other question."""
    for condition in parse_conditions(question.depends):
        for at, part in enumerate(condition.each):
            other = questions[part.question]
            answer = other.readings.get(part.value, "") or _list_words(other).get(part.value, "")
            answer = answer or {"[]": "none"}.get(part.value, part.value)
            yield {"id": other.id, "asks": other.asks, "relation": part.relation, "answer": answer, "or": at > 0}


def _describe_question(question: Question, row: SheetRow, questions: Mapping[str, Question]) -> dict[str, Any]:
    few = {name: f"{name.capitalize()}." for name in question.kind.choices}
    return {
        "id": question.id,
        "asks": question.asks,
        "group": question.group,
        "procedure": " ".join(question.coding.split()),
        "conditions": list(_describe_conditions(question, questions)),
        "readings": [[name, gloss] for name, gloss in (question.readings or few).items()],
        "words": [[name, gloss] for name, gloss in _list_words(question).items()],
        "example": "" if question.closed or few else row.cells["readings"],
        "proposed": [
            [name, proposal.says] for name, proposal in question.proposed.items() if name not in question.readings
        ],
    }
