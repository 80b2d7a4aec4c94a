"""The page of what the books advise: every sentence in its own words, with a receipt and without."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.game import UnreadExtras
from edition.nodes.builders import TARGET
from reversis.files.counsel import (
    COUNSEL_PROOF,
    MARGIN,
    PLACE_MEANS,
    RESULTS,
    UNITS,
    StoredMean,
    read_counsel_results,
)
from reversis.files.extras import get_counsel
from reversis.game import GAME
from reversis.views.surveys import counsel
from reversis.views.surveys.counsel_verdicts import (
    AS_READ,
    FAILS,
    FAILS_AS_READ,
    HOLDS,
    IN_PART,
    NO_RESULT,
    TOO_FEW,
    UNDECIDED,
    CounselLimit,
    DealerShare,
    find_counsel_limit,
    find_dealer_share,
    word_counsel_verdict,
)
from rulebook import __version__
from rulebook.model import Library
from rulebook.receipts import Receipt, read_receipts
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus

NO_COUNSEL_TEXT = "The counsel of the books has not been tried yet: `python -m proofs.counsel` does it."
COMMAND = "python -m proofs.counsel --deals 16"


@pytest.fixture(scope="module")
def real(library: Library) -> Corpus:
    return build_corpus(library, extras=UnreadExtras(GAME, library))


def advice(gain: float, margin: float, deals: int = 20) -> dict[str, Any]:
    counts = {"cases": 31, "deals with a case": deals, "deals": 64, "best card follows, of 100": 70.0}
    means = {name: gain for name in ("gain", "cost", "ahead")}
    margins = {f"{name} {MARGIN}": margin for name in means}
    return {"test": "play-below", **counts, **means, **margins}


def receipt(below: dict[str, Any], sources: str = "sha256:" + "0" * 64) -> Receipt:
    deal = {"test": "dealer-ahead", "cases": 64, "deals with a case": 64, "deals": 64}
    wins = {"wins": 1.5, "wins give or take": 0.5}
    figures = {
        RESULTS: {"aca-below": below, "pam-deal": {**deal, "gain": 1.0, "gain give or take": 0.25}},
        PLACE_MEANS: {"PAM": {name: wins for name in ("south", "east", "north", "west")}},
        UNITS: {"PAM": "fiche", "ACA": "jeton"},
    }
    return Receipt(COUNSEL_PROOF, "It says.", COMMAND, 1, __version__, sources, "3.11", "2025-01-31", figures)


def told(corpus: Corpus) -> str:
    return " ".join(one.astext() for one in ALL_RENDERERS["counsel"](ALL_VIEWS["counsel"](corpus, "")))


def with_receipt(corpus: Corpus, below: dict[str, Any], sources: str = "") -> Corpus:
    return replace(corpus, receipts=(receipt(below, sources or corpus.library.rules_digest),))


def test_without_a_receipt_every_sentence_stands_there_all_the_same(real: Corpus) -> None:
    bare = replace(real, receipts=())
    said = told(bare)
    assert NO_COUNSEL_TEXT in said
    for one in get_counsel(bare):
        assert one.says in said
    assert "il y a de l'avantage à donner les cartes" in said and "Without advice or claim: " in said


def test_of_a_source_in_copyright_our_statement_stands_there_and_no_quotation(real: Corpus) -> None:
    rows = counsel.counsel_view(replace(real, receipts=())).tried
    ours = [row for row in rows if row.source.siglum == "PAR"]
    assert ours and all(not quote.exact and quote.paraphrase for one in ours for quote in one.quotations)


def test_every_sentence_is_linked_and_has_an_address(real: Corpus) -> None:
    made = nodes.container("", *ALL_RENDERERS["counsel"](ALL_VIEWS["counsel"](replace(real, receipts=()), "")))
    links = {one["reftarget"] for one in made.findall(nodes.Element) if one.get("reftype") == "sentence"}
    assert {each.at for one in get_counsel(real) for each in one.passages} <= links
    targets = {name for one in made.findall(nodes.Element) for _, name, _, _ in one.get(TARGET, ())}
    assert {one.id for one in get_counsel(real) if one.tried} <= targets


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (advice(2.0, 0.5), HOLDS),
        (advice(-2.0, 0.5), FAILS),
        (advice(0.4, 0.5), UNDECIDED),
        (advice(2.0, 0.5, deals=3), TOO_FEW),
        ({**advice(2.0, 0.5), "test": "play-above"}, NO_RESULT),
    ],
)
def test_the_verdict_follows_from_the_interval_the_cases_and_the_way_it_was_tried(
    real: Corpus, line: dict[str, Any], verdict: str
) -> None:
    rows = counsel.counsel_view(with_receipt(real, line)).tried
    assert next(row.verdict for row in rows if row.counsel.id == "aca-below") == verdict
    assert next(row.verdict for row in rows if row.counsel.id == "pam-deal") == IN_PART
    assert next(row.verdict for row in rows if row.counsel.id == "ger-below") == NO_RESULT


def test_a_receipt_of_another_form_is_as_good_as_none(real: Corpus) -> None:
    for figures in ({}, {RESULTS: {"aca-below": {"test": "play-below"}}, PLACE_MEANS: {}, UNITS: {}}):
        old = replace(receipt(advice(1.0, 0.5)), figures=figures)
        assert read_counsel_results([old], get_counsel(real)) is None
        assert NO_COUNSEL_TEXT in told(replace(real, receipts=(old,)))


# ---- how far a verdict reaches
@pytest.fixture(scope="module")
def full(library: Library) -> Corpus:
    receipts = read_receipts(Path(library.root))[0]
    return build_corpus(library, receipts=receipts, extras=UnreadExtras(GAME, library))


def rows_by_id(corpus: Corpus) -> dict[str, counsel.CounselRow]:
    return {row.counsel.id: row for row in counsel.counsel_view(corpus).tried}


def test_a_deal_that_costs_more_than_it_gains_is_an_advantage_in_part_only(real: Corpus) -> None:
    said = told(with_receipt(real, advice(2.0, 0.5)))
    assert "Holds in part: of the play alone. The 5 fiches that the dealer adds are more than it gains" in said
    assert "the dealer is 4.0 fiches behind the others: to deal then costs more than it gains" in said
    assert "what the dealer alone adds for each deal: 5 fiches by the rules of the Pamphlet" in said


def test_the_price_of_the_deal_is_that_of_the_book_and_ours_is_marked(real: Corpus) -> None:
    assert find_dealer_share(real, "PIE") == DealerShare(1, False)
    assert find_dealer_share(real, "MEY") == DealerShare(5, True)
    ours = find_counsel_limit(real, "dealer-ahead", "GER", StoredMean(13.0, 0.3))
    assert (ours.holds, ours.words) == (HOLDS, ", if the dealer adds nothing (our assumption)")
    assert "no more than the others (our assumption), so nothing is left out" in ours.note
    dear = find_counsel_limit(real, "dealer-ahead", "PIE", StoredMean(1.5, 0.1))
    assert (dear.holds, dear.words) == (HOLDS, ", also with the 1 Marke that the dealer adds")
    assert "0.50 Marken ahead of the others: the deal still gains more than it costs" in dear.note


def test_whether_the_price_of_the_deal_is_made_up_for_is_left_open_where_the_interval_holds_it(real: Corpus) -> None:
    near = find_counsel_limit(real, "dealer-ahead", "PAM", StoredMean(5.2, 0.5))
    assert near.holds == IN_PART and "whether it makes up for the 5 fiches that the dealer adds" in near.words
    assert "whether the deal costs more than it gains is not known" in near.note


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("aca-lead-low", "tried in every trick, not in the last ones alone"),
        ("aca-take-high", "tried in every trick, not in the last ones alone"),
        ("ger-lead-low", "tried against every other lead, not against high cards alone"),
    ],
)
def test_a_verdict_on_more_than_the_words_says_so_on_both_pages(full: Corpus, id: str, words: str) -> None:
    row = rows_by_id(full)[id]
    (here,) = (said for one, _, said in counsel.list_tried_counsel(full, row.quotations[0].locus) if one == id)
    assert words in here and here == counsel.describe_counsel_verdict(row) and told(full).count(here) >= 2


def test_a_verdict_stands_on_its_own() -> None:
    def word(verdict: str, better: bool, limit: CounselLimit | None = None) -> str:
        return word_counsel_verdict(verdict, True, limit or CounselLimit(), better)

    assert word(HOLDS, True) == "Holds: it wins more than the best other choice"
    assert word(FAILS, False) == "Costs: the best other choice wins more"
    assert word(FAILS, True) == "Costs: the best other choice wins more, the average other choice less"
    narrow = CounselLimit(scope=" (tried so)")
    assert word(UNDECIDED, True, narrow) == (
        "Undecided (tried so): it may win more than the best other choice or less; it wins more than the average one"
    )
    assert word(UNDECIDED, False).endswith("than the best other choice or less")


@pytest.mark.parametrize(
    ("gain", "lowest", "highest", "verdict"),
    [
        (2.0, 1.0, 3.0, HOLDS),
        (2.0, 0.4, 3.0, AS_READ),
        (2.0, -1.0, 3.0, AS_READ),
        (-2.0, -3.0, -1.0, FAILS),
        (-2.0, -3.0, 0.2, FAILS_AS_READ),
    ],
)
def test_a_verdict_that_another_reading_of_the_book_overturns_says_so(
    real: Corpus, gain: float, lowest: float, highest: float, verdict: str
) -> None:
    ends = {
        "lowest": {"by": ["ACA.i13"], "gain": lowest, "gain give or take": 0.5},
        "highest": {"by": [], "gain": highest, "gain give or take": 0.5},
    }
    corpus = with_receipt(real, {**advice(gain, 0.5), "other readings": 15, **ends})
    row = rows_by_id(corpus)["aca-below"]
    assert row.verdict == verdict
    overturned = verdict in (AS_READ, FAILS_AS_READ)
    words = counsel.describe_counsel_verdict(row)
    assert words.endswith("by another reading it may not be so") is overturned
    said = told(corpus)
    assert "By 15 other readings, alone and together: from " in said
    assert ", by ACA.i13 to " in said and ", as we read it." in said
