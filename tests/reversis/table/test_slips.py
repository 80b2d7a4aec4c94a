"""Slips quote the book that has spoken, or say that nobody has."""

from __future__ import annotations

from engine.deal.model import Deal
from engine.settlement.settle import Settled, settle
from reversis.browser.library_json import slim_library
from reversis.table.slips import build_slip
from rulebook.model import Library
from tests.support.settling import SIGLA, Rules


def test_every_payment_has_its_quotation_or_says_that_it_is_our_assumption(
    library: Library, rules: Rules, sampled_deals: tuple[Deal, ...]
) -> None:
    counts = dict.fromkeys(("quoted", "translated", "assumed"), 0)
    for deal in sampled_deals:
        for siglum in SIGLA:
            settled = settle(deal, rules(siglum))
            for entry in settled.entries if isinstance(settled, Settled) else ():
                slip = build_slip(library, settled.rulings(entry), "paid", "somebody pays")
                assert bool(slip["quote"]) != bool(slip["assumption"]), (deal.id, siglum, entry)
                assert not slip["quote"] or (slip["source"], slip["lang"] == "en") == (siglum, not slip["english"])
                assert slip["quote"] == "" or slip["place"].startswith(library.sources[siglum].title)
                counts["quoted"] += bool(slip["quote"])
                counts["translated"] += bool(slip["english"])
                counts["assumed"] += bool(slip["assumption"])
    assert counts["quoted"] > counts["translated"] > 0 and counts["assumed"] > 0, counts


def test_a_library_without_its_texts_says_the_same_but_for_the_english(library: Library, rules: Rules) -> None:
    rulings = [next(ruling for ruling in rules("PAM").rulings.values() if not ruling.supplied)]
    whole = build_slip(library, rulings, "", "")
    assert whole["english"] and build_slip(slim_library(library), rulings, "", "") == {**whole, "english": ""}


def test_what_rests_on_no_answer_has_a_slip_without_a_book(library: Library) -> None:
    assert build_slip(library, [], "a title", "words") == {
        **dict.fromkeys(build_slip(library, [], "", ""), ""),
        "title": "a title",
        "words": "words",
    }
