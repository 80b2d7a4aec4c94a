"""The pages that a historian asks: who copied whom, how old the game is, what one book alone has, what is borne out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.corpus.collations import list_refuted
from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_stemma
from edition.corpus.load import TOMBSTONES_FILE, read_retired_ids
from edition.views.questions.alone import alone_view, render_alone
from edition.views.sources.attestations import attestations_view, render_attestations, render_oldest
from edition.views.sources.emendations import emendations_view, render_emendations
from edition.views.sources.stemma import (
    measure_levels,
    place_texts,
    render_stemma,
    stemma_view,
)
from reversis.views.surveys.distances import distances_view, render_lede
from rulebook.history.attestations import FIRST_HAND, ONLY_SAID, QUOTED
from rulebook.model import Library
from tests.support.handwritten import find_page
from tests.support.library import opened, write_library
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus


@pytest.fixture(scope="module")
def real(library: Library) -> Corpus:
    return build_corpus(library)


@pytest.fixture
def tiny(tmp_path: Path) -> Corpus:
    return build_corpus(opened(write_library(tmp_path, deals=False)))


def words_of(made: list[nodes.Node]) -> str:
    return " ".join(" ".join(one.astext() for one in made if not isinstance(one, nodes.raw)).split())


def shown(made: list[nodes.Node]) -> str:
    """What a reader reads: the drawings left out."""
    return re.sub(r"<svg.*?</svg>", " ", words_of(made))


# ---- the tree
def test_every_text_stands_in_the_tree_and_no_two_at_one_place(real: Corpus) -> None:
    stemma = get_stemma(real)
    places, levels = place_texts(stemma), measure_levels(stemma)
    assert {*places} == {*levels} == {*stemma.texts}
    assert len({(places[id], levels[id]) for id in stemma.texts}) == len(stemma.texts)
    assert all(0 < place < 100 for place in places.values())
    assert all(levels[edge.above] < levels[id] for edge in stemma.edges for id in edge.below)


def test_every_piece_of_evidence_stands_on_the_page_with_a_link_to_its_sentence(real: Corpus) -> None:
    made = render_stemma(stemma_view(real))
    linked = {one["reftarget"] for node in made for one in node.findall(pending_xref) if one["reftype"] == "sentence"}
    passages = [each for edge in get_stemma(real).edges for one in edge.evidence for each in one.passages]
    assert {passage.at for passage in passages} <= linked
    said = shown(made)
    for one in passages:
        where = one.at if one.at.startswith(one.text) else f"{one.text} at {one.at}"
        assert f"{where} “{one.exact}”" in said


# ---- the dates
def test_the_first_lines_say_what_is_oldest_and_what_is_only_said(real: Corpus) -> None:
    said = words_of(render_oldest(attestations_view(real)))
    read, quoted, only = (
        "that we have read is of 1765",
        "quoted by others, are of 13 November 1601",
        "Only said, and older",
    )
    assert said.index(read) < said.index(quoted) < said.index(only)
    assert "Perhaps older: the German treatise, between 1701 and 1800" in said
    assert "between 1515 and 1547, according to Wikipedia" in said
    assert "doubtful whether of this game: a poem on the rovescina, between 1540 and 1546" in said


def test_how_each_was_seen_is_said_in_its_row(real: Corpus) -> None:
    view = attestations_view(real)
    (table,) = [attestation for attestation in render_attestations(view) if isinstance(attestation, nodes.table)]
    rows = [row.astext() for row in table.findall(nodes.row)][1:]
    marks = {FIRST_HAND: "Read by us", QUOTED: "Seen quoted", ONLY_SAID: "Only said"}
    for one, row in zip(view.rows, rows, strict=True):
        seen, accessed = one.attestation.seen, one.attestation.accessed
        assert marks[seen] in row and sum(mark in row for mark in marks.values()) == 1
        assert seen == FIRST_HAND or accessed in row


# ---- five questions of a historian, each on one page
def page(name: str, corpus: Corpus) -> str:
    """What stands on a page: its own words, and what its directives show."""
    words = find_page(name).read_text(encoding="utf-8")
    views = re.findall(r"^```\{edition:([\w-]+)\}$", words, re.M)
    made = [shown(ALL_RENDERERS[view](ALL_VIEWS[view](corpus, ""))) for view in views if view not in SLOW]
    return " ".join((words + " ".join(made)).split())


SLOW = ("distances", "distance-table", "pairs", "answers")


def test_is_the_pamphlet_the_hague_rules(real: Corpus) -> None:
    said = page("descent", real)
    assert "Is the Pamphlet the Hague rules?" in said and "they are one text" in said
    assert "nous avons vu Art. 1. qu'on ne renonce jamais" in said and "Art. I." in said


def test_what_1765_printed_where_our_copy_has_essent(real: Corpus) -> None:
    view = ALL_VIEWS["variants"](real, "")
    rows = [
        row.astext().split("\n\n")
        for made in ALL_RENDERERS["variants"](view)
        for row in made.findall(nodes.row)
        if row.astext().startswith("essent")
    ]
    assert [row[:3] for row in rows] == [["essent", "eussent", "ACA.s0004"]]


def test_which_rules_hoyle_alone_has(real: Corpus) -> None:
    """The second quinola, the exchange with the player opposite, and no rule that another book has too."""
    (hoyle,) = (one for one in alone_view(real) if one.source.siglum == "HOY")
    says = {one.question for one in hoyle.says}
    assert {"Q219", "Q224"} <= says
    for one in hoyle.says:
        slug = next(q.slug for q in real.library.questions.values() if q.id == one.question)
        assert [siglum for siglum in real.library.sources if slug in real.own_answers_of[siglum]] == ["HOY"]
    assert "What one book alone has" in page("answers", real)
    elsewhere = sum(bool(one.supplied) for one in hoyle.says)
    heads = words_of(render_alone(alone_view(real)))
    assert elsewhere and heads.count("supplied from another printing)") == 1
    assert f"that only this book answers ({elsewhere} of them supplied from another printing)" in heads
    quoted = next(one for one in hoyle.says if one.question == "Q219")
    sentence = real.sentence(quoted.sentence)
    assert sentence is not None and quoted.quoted and quoted.quoted.removesuffix(" …") in sentence.diplomatic
    parlett = next(one for one in alone_view(real) if one.source.siglum == "PAR")  # in copyright: no words of its own
    assert parlett.says and all(one.sentence and not one.quoted for one in parlett.says)


def test_which_of_our_emendations_has_a_witness(real: Corpus) -> None:
    said = words_of(render_emendations(emendations_view(real))[:1])
    assert "4 of them are borne out by another print of the text" in said
    assert "For 35 no other print that we know was consulted where they stand." in said
    assert all(f"{words} ({witness} has it)" in said for words, witness in BORNE_OUT.items())
    assert "Refuted by another print: none." in said
    assert not list_refuted(real)


BORNE_OUT = {"droit de de → droite de": "HAG", "dja → déja": "HAG", "essent → eussent": "ENC", "rais → rois": "ENC"}


def test_without_witnesses_no_emendation_is_borne_out(tiny: Corpus) -> None:
    assert "No other print of a text has been found to bear one out." in words_of(
        render_emendations(emendations_view(tiny))[:1]
    )


def test_what_is_the_oldest_attestation_seen_and_what_is_only_said(real: Corpus) -> None:
    said = page("history", real)
    assert said.index("The oldest text on the game") < said.index("Only said")


# ---- what a reader may otherwise take for more than it is
def test_a_witness_that_was_consulted_in_part_is_said_to_be_so_where_it_is_called_the_oldest(real: Corpus) -> None:
    said = words_of(render_oldest(attestations_view(real)))
    assert "the article of the Encyclopédie, of which no more was consulted here than stands beside ACA.s0004" in said


def test_words_seen_in_a_quotation_are_given_with_whoever_quotes_them(real: Corpus) -> None:
    assert "au reversin”, in the French Wiktionary" in words_of(render_oldest(attestations_view(real)))


def test_a_witness_of_the_text_is_told_from_another_book_that_has_the_word(real: Corpus) -> None:
    said = words_of(render_emendations(emendations_view(real)))
    assert said.count("another print of this text shows it") == len(BORNE_OUT)
    assert said.count("another book shows it") == 3  # gergi, which the pamphlet spells gorgé


def test_an_emendation_that_was_withdrawn_is_named_with_the_reason(real: Corpus) -> None:
    gone = read_retired_ids(Path(real.library.root) / TOMBSTONES_FILE)
    said = words_of(render_emendations(emendations_view(replace(real, gone=gone))))
    assert "PAM.e14 was withdrawn on 2026-11-23: The emendation of 3 to troisieme was needless" in said


def test_a_rule_that_stands_in_another_printing_says_so_beside_its_words(real: Corpus) -> None:
    hoyle = next(one for one in alone_view(real) if one.source.siglum == "HOY")
    supplied = {one.sentence for one in hoyle.says if "New York 1830" in one.supplied}
    assert supplied and supplied <= {"HOY.s0040", "HOY.s0041", "HOY.s0042"}
    assert "supplied: of the printing New York 1830, p. 124" in page("answers", real)
    assert not any(one.supplied for other in alone_view(real) if other.source.siglum != "HOY" for one in other.says)


@pytest.mark.slow
def test_nearness_that_comes_from_our_assumptions_is_called_so(surveyed_edition: Corpus) -> None:
    view = distances_view(surveyed_edition)
    assert view is not None
    said = words_of(render_lede(view))
    assert "Most of what is settled by Meyers 1908 and Pierer 1857 is our assumption" in said
    assert "taken above all from the Pamphlet" in said


@pytest.mark.slow
def test_what_the_german_rules_forbid_in_nearly_every_deal_makes_no_mean_of_two_directions(
    surveyed_edition: Corpus,
) -> None:
    view = distances_view(surveyed_edition)
    assert view is not None
    skilled = next(measure for measure in view.measures if measure.name == "skilled")
    assert ("GER", "PAM") in skilled.thin and 4.7 < dict(skilled.far)["GER", "PAM"] < 4.9
    assert skilled.tree is not None and not {"GER", "HOY"} & {*skilled.tree.leaves}
    assert not {"GER", "HOY"} & {*skilled.farthest[0], *skilled.nearest[0]}


def test_a_difference_is_not_called_an_agreement(real: Corpus) -> None:
    """Where a copy has what its model lacks, that is a difference; what is played as it stands is no nonsense."""
    rows = [row for edge in get_stemma(real).edges for row in edge.evidence]
    differing = [row.says for row in rows if row.agreement == "difference"]
    assert {one.split(" ")[0] for one in differing} == {"Where", "Forced", "Our"} and len(differing) == 5
    assert not any("makes no sense" in row.says for row in rows)


def test_the_german_treatise_has_no_year_without_a_reason(real: Corpus) -> None:
    record = real.library.sources["GER"].record
    assert (record["date"], record["short_date"]) == ("18th century", "18th century")
