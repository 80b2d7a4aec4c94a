"""Answers typed into a cell: read as plain data, with hints against what spreadsheets and habits do to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulebook.answers.typed import parse_open_answer
from rulebook.answers.values import SlugOf, Wrong, format_canonical, read_value
from rulebook.model import Question, Source, Value
from rulebook.proposals import add_proposals, takes_words
from rulebook.sheets.columns import SILENT

#: How people write that a source does not say, where the sheet has a mark for it.
_WORDS_FOR_SILENCE = re.compile(
    r"(is )?(silent|silence|unsaid|none|nothing|not (said|stated|mentioned))\.?", re.IGNORECASE
)

_HAS_WORDS = re.compile(r"[^\W\d_]{2,}")
#: For whoever has typed the words of the source: the number of them alone would be one of counters.
_COUNTED_IN = (
    "counted in {unit}, the smallest counter of {siglum}; if the words count in something else (stakes, a share), "
    f"write what it is worth in that counter, or {SILENT} if {{siglum}} does not say what it is worth"
)


@dataclass(frozen=True)
class TypedAnswer:
    """An answer as data for clauses.yaml, and as the value that it means."""

    question: Question
    raw: Any
    value: Value


def read_typed_answer(question: Question, text: str, slug_of: SlugOf, source: Source) -> TypedAnswer:
    """Read what was typed. Raises Wrong, with a hint that leads on."""
    try:
        raw = _parse_answer(question, text)
        return TypedAnswer(question, raw, read_value(question, raw, slug_of))
    except Wrong as wrong:
        raise Wrong(wrong.what, _improve_hint(question, text, wrong.way_out, source)) from wrong


def name_answer(answer: TypedAnswer) -> str:
    """Name a reading by its short form, which serves where nobody has found a better name."""
    values = answer.value if isinstance(answer.value, tuple) else (answer.value,)
    if values and all(isinstance(word, str) for word in values):
        return ", ".join(answer.question.short.get(str(word), str(word)) for word in values)
    return format_canonical(answer.raw)


def _parse_answer(question: Question, text: str) -> Any:
    """Parse what was typed into plain data. Raises Wrong."""
    if question.closed or text in question.proposed:
        return text
    if question.kind.one_number and (whole := re.fullmatch(r"(-?\d+)[.,]0+", text)):
        text = whole[1]  # 2,0 is how a spreadsheet may show 2
    return parse_open_answer(question, text)


def _improve_hint(question: Question, text: str, otherwise: str, source: Source) -> str:
    """Give a better hint where a spreadsheet or a habit is to blame, and name the place for what is missing."""
    if re.fullmatch(r"-?\d+[.,]\d+", text) and question.kind.one_number:
        otherwise = "sums are whole numbers, in the smallest counter of the source; several counters are added up in it"
    elif question.measure.get("unit") == "smallest" and _HAS_WORDS.search(text) and not text.startswith(("{", "[")):
        otherwise = f"{otherwise}, {_COUNTED_IN.format(unit=source.unit, siglum=source.siglum)}"
    if _WORDS_FOR_SILENCE.fullmatch(text):
        otherwise = f"if the source does not say, write {SILENT}; {otherwise}"
    return add_proposals(otherwise, source.siglum, question) if takes_words(question) else otherwise
