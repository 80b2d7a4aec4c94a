"""Strength of the players in words: every figure is of the receipt, and what it does not show is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from reversis.files.counsel import MARGIN, StoredMean
from reversis.files.miniature import GAP, MINIATURE_PROOF, NET_KIND, RANDOM_KIND, read_miniatures
from reversis.files.strength import (
    LOSS,
    MATCH_DEALS,
    NET_AHEAD,
    NET_MATCH,
    SEARCH_MATCH,
    STRENGTH_PROOF,
    list_net_shares,
    read_strength,
)
from rulebook import __version__
from rulebook.model import Library
from rulebook.receipts import Receipt, read_receipts
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus

GAP_IN_CELL = "\N{NARROW NO-BREAK SPACE}"
NO_STRENGTH_TEXT = "How well these players play has not been measured yet: `python -m proofs.strength` does it."
NET_SEARCH = "search 64 against net"


@pytest.fixture(scope="module")
def full(library: Library) -> Corpus:
    return build_corpus(library, receipts=read_receipts(Path(library.root))[0])


def match(ahead: float, margin: float) -> dict[str, float]:
    return {MATCH_DEALS: 100, "wins a deal": 1.0, NET_AHEAD: ahead, MARGIN: margin}


def loss(much: float, margin: float) -> dict[str, float]:
    return {"deals": 10, LOSS: much, MARGIN: margin}


FIGURES: dict[str, Any] = {
    "first pool": {"ACA": 8, "PAM": 45},
    "ACA": {NET_MATCH: match(5.0, 1.0), SEARCH_MATCH: match(10.0, 1.0), NET_SEARCH: match(3.0, 1.0)},
    "PAM": {NET_MATCH: match(15.0, 2.0), SEARCH_MATCH: match(20.0, 2.0), NET_SEARCH: match(1.0, 2.0)},
    "ACA, last four tricks": {"cautious": loss(20.0, 1.0), "net": loss(10.0, 1.0)},
    "PAM, last four tricks": {"cautious": loss(20.0, 9.0), "net": loss(21.0, 9.0)},
}


def measured(corpus: Corpus, proof: str, figures: dict[str, Any], **changes: Any) -> Corpus:
    kept = [receipt for receipt in corpus.receipts if receipt.proof != proof]
    digest = corpus.library.rules_digest
    made = Receipt(proof, "It says.", "python -m proofs.x", 7, __version__, digest, "3.11", "2025-01-31", figures)
    return replace(corpus, receipts=(*kept, replace(made, **changes)))


def told(corpus: Corpus, kind: str, argument: str = "") -> str:
    return " ".join(one.astext() for one in ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, argument)))


def test_who_wins_where_and_where_nobody_can_tell_is_told_with_interval_and_counters(full: Corpus) -> None:
    said = told(measured(full, STRENGTH_PROOF, FIGURES), "proof", STRENGTH_PROOF)
    assert (
        "One net among three careful players is ahead by the rules of all 2 books; least surely by 5.0 jetons" in said
    )
    assert "4.0 to 6.0) by those of the Académie text" in said
    divided = "One search of 64 worlds among three nets is ahead by the rules of the Académie text, neither surely"
    assert f"{divided} ahead nor behind by those of the Pamphlet." in said
    assert "ahead by 50 to 75" in said and "Académie text 50, Pamphlet 75" in said
    assert (
        "nets lose less than careful players by the rules of 1 of 2 books (the intervals do not overlap in 1)" in said
    )
    assert "That came in 5 of 6." in said and "the one before it came in 1 of 2." in said
    assert f"3.0{GAP_IN_CELL}±{GAP_IN_CELL}1.0" in said and f"1.0{GAP_IN_CELL}±{GAP_IN_CELL}2.0" in said


def test_the_words_on_the_real_receipt_are_its_figures(full: Corpus) -> None:
    stored = read_strength(full.receipts)
    assert stored is not None and {*stored.matches[0].ahead} == {*full.library.sources}
    assert {*stored.endings[0].loss} == {*full.library.sources}
    said, shares = told(full, "proof", STRENGTH_PROOF), list_net_shares(stored.matches)
    assert f"ahead by {100 * min(shares.values()):.0f} to {100 * max(shares.values()):.0f}" in said
    for one in stored.matches:
        if not one.select(1):
            assert "is neither surely ahead nor behind by the rules of any book" in said


@pytest.mark.parametrize("figures", [{}, {"ACA": {NET_MATCH: {NET_AHEAD: 1.0}}}, {"ACA": {NET_MATCH: None}}])
def test_a_receipt_of_another_form_is_shown_without_words(full: Corpus, figures: dict[str, Any]) -> None:
    other = measured(full, STRENGTH_PROOF, figures)
    assert read_strength(other.receipts) is None and told(other, "strength") == NO_STRENGTH_TEXT
    assert "In short" not in told(other, "proof", STRENGTH_PROOF)


def test_pages_that_rest_on_these_players_lead_to_both_proofs(full: Corpus) -> None:
    pages = Path(__file__).parents[3] / "reversis/pages"
    for name in ("counsel", "materiality", "play-effects"):
        assert "```{edition:strength}" in (pages / f"{name}.md").read_text(encoding="utf-8")
    made = nodes.container("", *ALL_RENDERERS["strength"](ALL_VIEWS["strength"](full, "")))
    links = {one["reftarget"] for one in made.findall(nodes.Element) if "reftarget" in one}
    assert {f"/proofs/{STRENGTH_PROOF}", f"/proofs/{MINIATURE_PROOF}"} <= {f"/{link.lstrip('/')}" for link in links}
    old = measured(full, STRENGTH_PROOF, FIGURES, version="0.0.1")
    new = measured(full, STRENGTH_PROOF, FIGURES)
    assert "sources have changed" in told(old, "strength") and "have changed" not in told(new, "strength")


# ---- the solved endings
def ending(net: float, margin: float, gap: float) -> dict[str, Any]:
    share = "share of the random players' exploitability"
    shares = {"solution": (0.0, 0.0), "random": (1.0, 0.0), NET_KIND: (net, margin), "search 64": (0.4, 0.1)}
    gaps = {"solution": 0.0, "random": 1.0, NET_KIND: gap, "search 64": 0.1}
    return {
        share: {kind: {"share": mean, MARGIN: sure} for kind, (mean, sure) in shares.items()},
        "PAM": {kind: {"exploitability": 1.0, GAP: one} for kind, one in gaps.items()},
        "sizes": {"PAM 19": {"deal": 19}},
    }


def test_nets_that_are_easier_to_exploit_than_random_players_are_called_so_everywhere(full: Corpus) -> None:
    poor = measured(full, MINIATURE_PROOF, ending(1.6, 0.3, 2.0))
    said = told(poor, "proof", MINIATURE_PROOF)
    assert "Nets leave 1.6 times as much to win as random players" in said and "1.3 to 1.9): more than they." in said
    assert "it does not fall to nets." in said and "by the rules of 1 of 1 books" in said
    assert "no more there than that they win from careful players" in said
    assert "how nets choose could win more from them than from random players" in told(poor, "strength")


def test_of_nets_that_are_harder_to_exploit_nothing_of_the_kind_is_said(full: Corpus) -> None:
    good = measured(full, MINIATURE_PROOF, ending(0.6, 0.3, 0.5))
    said = told(good, "proof", MINIATURE_PROOF)
    assert "0.30 to 0.90): less than they." in said and "So it came." in said
    assert "Skilled means" not in said and "falls behind by more" not in said
    assert "leave more" not in told(good, "strength")


def test_the_real_receipt_of_the_endings_is_read(full: Corpus) -> None:
    stored = read_miniatures(full.receipts)
    assert stored is not None and {*stored.gaps} == {*full.library.sources}
    assert stored.shares[RANDOM_KIND] == StoredMean(1.0, 0.0) and stored.endings == 4 * len(stored.gaps)
    assert read_miniatures([]) is None
    assert read_miniatures(measured(full, MINIATURE_PROOF, {"PAM": 3}).receipts) is None
