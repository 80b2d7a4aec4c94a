"""Who made this: passes of a language model, said wherever readers, coders or their agreement are named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.text.passes import describe_passes, list_model_passes
from edition.views.about.people import people_view
from edition.views.common import clause_view
from rulebook.model import Library
from rulebook.phrases import join_names
from tests.support.handwritten import find_page
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS
from tests.support.places import CLONE

SENTENCE = "ed1, ed2, ed3, ed4, ed5, col1 and col2 are passes of a language model; no human scholar has read them yet."


def test_no_human_scholar_has_read_them_yet(library: Library, corpus: Corpus) -> None:
    assert describe_passes(library.sources.values()) == SENTENCE
    assert [one.astext() for one in ALL_RENDERERS["passes"](ALL_VIEWS["passes"](corpus, ""))] == [SENTENCE]


@pytest.mark.parametrize("page", ["people", "agreement", "validation", "taking-part"])
def test_pages_that_count_readers_say_whose_passes_these_are(page: str) -> None:
    assert "```{edition:passes}\n```" in find_page(page).read_text("utf-8")


@pytest.mark.parametrize("file", ["README.md", "CITATION.cff", ".zenodo.json"])
def test_who_cites_the_edition_learns_whose_passes_these_are(file: str) -> None:
    assert SENTENCE in " ".join((CLONE / file).read_text("utf-8").split())


@pytest.mark.slow
def test_sources_whose_clauses_nobody_has_read_again_are_named(library: Library, corpus: Corpus) -> None:
    unread = [siglum for siglum, one in library.sources.items() if not any(clause.reviewer for clause in one.clauses)]
    readme = (CLONE / "README.md").read_text("utf-8")
    assert f"No clause of {join_names([f'`{one}`' for one in unread])} was read again in another pass" in readme
    for siglum, source in library.sources.items():
        said = nodes.container("", *ALL_RENDERERS["source"](ALL_VIEWS["source"](corpus, siglum))).astext()
        number = sum(bool(clause.reviewer) for clause in source.clauses)
        assert f"{number} of {len(source.clauses)} clauses read again in another pass" in said
        assert ("what the others are is said below" in said) == ("Rules rest on 100 %" not in said)


def test_every_hand_that_signs_is_a_person_or_named_as_none(library: Library, corpus: Corpus) -> None:
    for source in library.sources.values():
        passes = set(list_model_passes(source))
        assert {name for clause in source.clauses for name in (clause.coder, clause.reviewer)} - {""} <= passes
        assert {note.by for note in source.notes} <= passes
    hands = [who for one in people_view(corpus) for who, _ in one.lines if who != "review"]
    assert hands and all(who.endswith(" (language model)") for who in hands)
    read = {clause_view(corpus, clause).read_by for clause in library.clauses()}
    assert read and all("(language model)" in one for one in read)


def test_transcriptions_name_the_model_in_their_headers() -> None:
    heads = [path for path in (CLONE / "sources").rglob("*.xml") if path.parent.name != "schema"]
    assert len(heads) == 13
    for path in heads:
        names = [one.partition("</name>")[0] for one in path.read_text("utf-8").split("<name>")[1:]]
        assert names and all(one.endswith(", a language model") and '"' not in one for one in names), path


def test_a_person_who_signs_is_no_model_and_ends_the_claim(library: Library) -> None:
    one = library.sources["PAM"]
    coders = (*one.record["coders"], {"id": "jd", "role": "review", "kind": "person"})
    read = replace(one, record={**one.record, "coders": coders})
    assert describe_passes([read]).endswith("are passes of a language model.")
    assert describe_passes([replace(one, record={**one.record, "coders": coders[-1:]})]) == ""
