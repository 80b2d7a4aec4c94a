"""Slips: a book's own words for something that happened at the table, with their place and their English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from rulebook.cited_clauses import CitedClause, view_ruling_clause
from rulebook.model import Library, Ruling, Source
from rulebook.phrases import format_counters
from rulebook.strings import single_spaced

Slip: TypeAlias = "dict[str, Any]"

_LOCUS = re.compile(r"\w+\.([a-z]+)0*(\d+)$")
_PASSAGES = {"s": "sentence", "n": "note"}


def build_slip(library: Library, rulings: Iterable[Ruling], title: str, words: str) -> Slip:
    """Build the slip of what rests on some answers: it quotes the answer that the book states most plainly.

    `locus` names the sentence, where the English of a whole sentence is kept elsewhere.
    """
    ruling = choose_quoted_ruling(library, rulings)
    if ruling is None:
        return _fill_slip(title, words)
    clause = view_ruling_clause(library, ruling, library.clause(ruling.clauses[0])) if ruling.clauses else None
    book = {"source": ruling.source, "question": ruling.id, "href": f"questions/{ruling.id}.html#{ruling.source}"}
    if clause is None:
        return _fill_slip(title, words, **book)
    quoted = _quote_clause(library, clause)
    words = " ".join([words, *_explain_counters(library.sources[clause.source], quoted.get("quote", ""))])
    return _fill_slip(title, words, **book, clause=clause.id, **quoted)


def _explain_counters(source: Source, quote: str) -> Iterator[str]:
    """Explain what the larger counters in a quotation are worth."""
    for name, worth in source.counters.items():
        if worth > 1 and name in quote.lower():
            yield f"A {name} is {format_counters(worth, source.unit)}."


def choose_quoted_ruling(library: Library, rulings: Iterable[Ruling]) -> Ruling | None:
    """Choose the answer to be quoted: the first that is stated, else that has words, else that is supplied."""

    def rank(ruling: Ruling) -> int:
        stated = any(library.clause(id).status == "stated" for id in ruling.clauses)
        return (not stated) + ruling.supplied + (not ruling.clauses)

    return min(rulings, key=rank, default=None)


def _quote_clause(library: Library, clause: CitedClause) -> dict[str, str]:
    """Quote a clause in its own words, and in English; or say that it is our assumption."""
    if clause.kind in ("supplied", "reason"):
        return {"assumption": f"our assumption: {clause.remark or clause.words}"}
    place = f"{library.sources[clause.source].title}{_describe_locus(clause.locus)}"
    english = _translate(library, clause) if clause.lang != "en" else ""
    return {"quote": clause.words, "lang": clause.lang, "place": place, "locus": clause.locus, "english": english}


def _describe_locus(locus: str) -> str:
    parts = _LOCUS.match(locus)
    return f", {_PASSAGES.get(parts[1], parts[1])} {parts[2]}" if parts else ""


def _translate(library: Library, clause: CitedClause) -> str:
    """Return the English of the sentence that a clause quotes; empty in a library without its texts."""
    translation = library.sources[clause.source].translation
    sentence = translation.sentences.get(clause.locus) if translation else None
    return single_spaced("".join(part.text for part in sentence.parts)) if sentence else ""


_BLANK: Slip = {
    **{"source": "", "clause": "", "question": "", "quote": "", "lang": "", "english": ""},
    **{"place": "", "locus": "", "href": "", "assumption": ""},
}


def _fill_slip(title: str, words: str, **fields: str) -> Slip:
    return {"title": title, "words": words, **_BLANK, **fields}
