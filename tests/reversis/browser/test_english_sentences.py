"""Words that the English of a sentence keeps from the original are explained beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from edition.corpus.corpus import Corpus, build_corpus
from reversis.browser.english_sentences import explain_kept_words, list_english_sentences
from rulebook.model import Library
from rulebook.schema.reference_records import IndexNameRecord, IndicesRecord
from rulebook.sources.glossary import read_glossary


@pytest.fixture
def corpus(library: Library) -> Corpus:
    terms, _ = read_glossary(Path(library.root) / "glossary.yaml", {})
    names = [IndexNameRecord(name="Tullus", kind="example", forms=["Tullus"])]
    return build_corpus(library, terms, register=IndicesRecord(names=names))


@pytest.mark.parametrize(
    ("locus", "meanings"),
    [
        ("ACA.s0006", ["quinola: the jack of hearts", "en renonce: thrown on another suit than its own"]),
        ("ACA.s0014", ["bête: a fine, set aside to be won later"]),
        ("ACA.s0035", ["remise: a giving back"]),
        ("GER.s0051", ["honneur: a bonus, paid in counters", "Tullus: a player in the book’s example"]),
        ("HOY.s0028", ["la bonne: a trick that counts for more"]),
        ("PAM.s0044", ["remise: the stake in the basket, to be drawn or put in once more"]),
        ("PAM.s0037", ["bonne: a trick that counts for more"]),
    ],
)
def test_foreign_words_are_explained_as_the_glossary_has_them(corpus: Corpus, locus: str, meanings: list[str]) -> None:
    explained = explain_kept_words(corpus, locus).split("; ")
    assert [meaning for meaning in explained if meaning in meanings] == meanings


def test_a_sentence_in_plain_english_explains_nothing(corpus: Corpus) -> None:
    assert explain_kept_words(corpus, "PAM.s0001") == ""
    assert "PAM.s0001" not in list_english_sentences(corpus)["words"]


def test_the_two_quinolas_of_an_english_book_are_not_called_one(corpus: Corpus) -> None:
    assert "quinola" not in explain_kept_words(corpus, "HOY.s0012").lower()
