"""Procedures of the questions: they say how to decide, and tell nobody who codes a book blind what it answers."""

from __future__ import annotations

import re
import unicodedata

from rulebook.answers.typed import parse_typed
from rulebook.answers.values import build_slug_lookup, read_value
from rulebook.model import Library, Source

_QUOTED = re.compile(r'"([^"]+)"')


def plain_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def list_words(source: Source) -> list[str]:
    """List the sentences of a source; of one in copyright its statements, which keep close to it."""
    sentences = source.text.sentences.values() if source.text else ()
    return [*(sentence.reading for sentence in sentences), *(statement.text for statement in source.statements)]


def test_no_procedure_quotes_a_book_that_is_read_here_in_english(library: Library) -> None:
    books = {
        source.siglum: plain_words(" ".join(list_words(source)))
        for source in library.sources.values()
        if source.record["language"] == "en"
    }
    assert len(books) > 1 and "thirteen fish" in books["HOY"] and all(books.values())
    quoted = {
        (question.id, part)
        for question in library.questions.values()
        for words in _QUOTED.findall(question.coding)
        for part in map(plain_words, words.split("..."))
        if part.count(" ") > 1
    }
    assert quoted and not [(id, siglum) for id, part in quoted for siglum, text in books.items() if part in text]


def test_an_example_of_hands_in_the_procedure_is_complete_and_of_no_book(library: Library) -> None:
    question = library.questions["espagnolette.hands"]
    example = next(iter(re.findall(r"\{[^}]+\}", question.coding)))
    value = read_value(
        question, parse_typed(question.kind, f"[{example}]"), build_slug_lookup(library.questions.values())
    )
    given = [
        clause for source in library.sources.values() for clause in source.clauses if question.slug in clause.answers
    ]
    assert "quinola" in example and not [one.id for one in given if set(value) & set(one.answers[question.slug])]
