"""Wherever books are counted, families are counted: two books of one family are not two witnesses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from edition.citation.places import topic_slug
from edition.corpus.corpus import Corpus
from edition.text.answers import count_families, get_family_name
from edition.views.common import (
    classify_agreement,
    count_agreement_by_family,
    find_agreeing_families,
    find_testimony,
    group_questions,
)
from edition.views.questions.all_answers import answers_view
from reversis.words.missing import _is_akin
from rulebook.model import Library, Source
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus


def page(corpus: Corpus, kind: str, name: str = "") -> str:
    return " ".join(" ".join(one.astext() for one in ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, name))).split())


def test_agreement_is_counted_by_the_families_of_those_who_say_it(corpus: Corpus) -> None:
    """The five books of the pamphlet's family that agree among themselves are one witness."""
    sources, found = corpus.library.sources, count_agreement_by_family(corpus)
    agreeing = [
        question for question in corpus.library.questions.values() if classify_agreement(corpus, question) == "agree"
    ]
    said = [{s for s in sources if find_testimony(corpus, s, one.slug)} for one in agreeing]
    pamphlet, academy = {"HOY", "MEY", "PAM", "PAR", "PIE"}, {"ACA", "GER"}
    assert dict(found.within) == {
        "French pamphlet tradition": sum(one <= pamphlet for one in said),
        "Académie list": sum(one <= academy for one in said),
    }
    assert found.across == sum(bool(one & pamphlet and one & academy) for one in said) > 0
    assert found.total == len(agreeing)
    assert all(len(find_agreeing_families(corpus, one)) in (1, 2) for one in agreeing)


@pytest.mark.slow
def test_pages_that_count_books_count_families(corpus: Corpus) -> None:
    words = count_agreement_by_family(corpus).describe()
    assert words in page(corpus, "home-findings") and words in page(corpus, "answers")
    assert all("are not two witnesses" in page(corpus, kind) for kind in ("home-findings", "answers"))
    groups = group_questions(corpus)
    most = max(groups, key=lambda group: count_agreement_by_family(corpus, groups[group]).total)
    assert "across families" in page(corpus, "topics") and "across families" in page(corpus, "topic", topic_slug(most))
    pairs = ALL_VIEWS["pairs"](corpus, "")
    akin = {(one.first.siglum, one.second.siglum) for one in pairs if one.akin}
    assert ("ACA", "GER") in akin and ("ACA", "PAM") not in akin and len(akin) == 11


def unplaced(source: Source, siglum: str) -> Source:
    return replace(source, siglum=siglum, record={**source.record, "siglum": siglum, "family": "not placed yet"})


def test_two_sources_that_are_not_placed_yet_are_not_one_family(library: Library) -> None:
    one, other = unplaced(library.sources["PAM"], "NEW"), unplaced(library.sources["ACA"], "NEXT")
    assert (get_family_name(one), get_family_name(other)) == ("NEW", "NEXT")
    corpus = build_corpus(replace(library, sources={**library.sources, "NEW": one}))
    assert {column.source.siglum: column.family for column in answers_view(corpus).columns}["NEW"] == ""
    assert count_families([one, other]) == ", families not placed yet"
    assert count_families([one, other, library.sources["PAM"]]) == ", 1 family, 2 not placed yet"
    german = replace(other, record={**other.record, "language": "de"})
    assert not _is_akin(one, german)
