"""The pages on what rules do to play: an invented receipt of invented sources, one behaviour each."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.site.stubs import generate_stub_pages
from engine.deal.reader import read_deal
from reversis.files.play_effects import (
    EXAMPLE_DEALS,
    EXAMPLES,
    NOT_MEASURED,
    PLAY_PROOF,
    TABLES,
    name_example,
    name_example_deal,
    read_play_effects,
)
from reversis.views.panels.question import view_answer_effects
from reversis.views.surveys import play_effects
from reversis.views.surveys.play_examples import render_example
from rulebook import __version__
from rulebook.receipts import Receipt
from tests.edition.views.test_views import corpus, library, text  # noqa: F401
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS

NO_EFFECTS_TEXT = "It has not been measured what rules do to play: `python -m proofs.regret` does it."
TABLE = {"unit": "fiche", "pool": 10}
COMMAND = "python -m proofs.regret --deals 16"
PAYER, LEAD = "ace.payer@BBB", "first.lead@BBB"
RECORD = {
    "deal": "regret-aaa-3",
    "provenance": "generated",
    "pack": 48,
    "seats": ["south", "east", "north", "west"],
    "dealer": "west",
    "hands": {
        "south": "KS JS 8S 4S AH 6H KD 5D AC KC 9C",
        "east": "6S 2S KH QH 5H 2H AD JD 6D 4D 3C",
        "north": "9S 5S JH 9H 7H 4H 3D 2D JC 8C 6C",
        "west": "7S 3S 8H 3H 8D 7D QC 7C 5C 4C 2C",
    },
    "talon": "QS AS 9D QD",
    "tricks": [
        *("AH QH 9H 8H", "6H 5H 4H 3H", "5D 6D 2D 7D", "8D KD JD 3D", "JS 6S 9S 7S", "8S 2S 5S 3S"),
        *("4S AD JH 2C", "9C 3C 8C 4C", "KS KH 7H 5C", "KC 2H JC 7C", "AC 4D 6C QC"),
    ],
    "exchange": [{"seat": "west", "out": "QD"}],
}
EXAMPLE = {
    "deal": 3,
    "step": 10,
    "player": "north",
    "card": "2D",
    "other card": "3D",
    **{"worth": 2.25, "other worth": -0.34, "loss": 1.91, "loss from": 1.49, "loss to": 2.34},
    **{"believed": 2.25, "other believed": 3.36, "gain": 1.11, "gain from": 0.73, "gain to": 1.48},
}


def line(regret: float = 0.0, margin: float = 0.0, cards: float = 0.0, **more: Any) -> dict[str, Any]:
    said = {"rules": "AAA + Q001@BBB", "also": "", "money moved": 4.0, **more}
    return {"deals": 16, "other cards of 100": cards, "regret": regret, "give or take": margin, **said}


def receipt(lines: Mapping[str, Any], sources: str = "sha256:" + "0" * 64, **more: Any) -> Receipt:
    figures = {
        "AAA": {"itself": line(rules="AAA"), **lines},
        TABLES: {"AAA": TABLE},
        EXAMPLES: {name_example("AAA", PAYER): EXAMPLE} if PAYER in lines else {},
        EXAMPLE_DEALS: {name_example_deal("AAA", 3): RECORD},
        NOT_MEASURED: {"AAA": {"fault": "first.lead@BBB", "table": "BBB.i09"}},
        **more,
    }
    return Receipt(PLAY_PROOF, "It says.", COMMAND, 1, __version__, sources, "3.11", "2025-01-31", figures)


SURE, OPEN = line(0.5, 0.2, 7.5), line(0.1, 0.4, 3.0, rules="AAA + AAA.i01")
LINES = {"BBB": line(0.9, 0.3, 20.0, rules="BBB"), PAYER: SURE, "AAA.i01": OPEN}


@pytest.fixture
def measured(corpus: Corpus) -> Corpus:  # noqa: F811
    return replace(corpus, receipts=(receipt(LINES),))


def laid_out(corpus: Corpus, name: str, argument: str = "") -> list[nodes.Node]:  # noqa: F811
    return ALL_RENDERERS[name](ALL_VIEWS[name](corpus, argument))


def told(corpus: Corpus, name: str, argument: str = "") -> str:  # noqa: F811
    return " ".join(one.astext() for one in laid_out(corpus, name, argument))


# ---- what is stored
def test_without_a_receipt_every_page_says_so_and_no_book_has_a_page(corpus: Corpus) -> None:  # noqa: F811
    assert told(corpus, "play-effects") == told(corpus, "effect-table", "AAA") == NO_EFFECTS_TEXT
    assert not any(name.startswith("play-effects/") for name, _ in generate_stub_pages(corpus))


def test_a_receipt_of_another_form_is_as_good_as_none(corpus: Corpus) -> None:  # noqa: F811
    for figures in ({}, {"AAA": {"BBB": {"deals": 16}}}, {TABLES: {"AAA": {"unit": "fiche"}}, NOT_MEASURED: {}}):
        old = replace(receipt(LINES), figures=figures)
        assert read_play_effects([old]) == ()
        assert told(replace(corpus, receipts=(old,)), "play-effects") == NO_EFFECTS_TEXT


# ---- verdicts


def test_an_answer_or_a_reading_that_is_gone_breaks_no_page(measured: Corpus) -> None:
    gone = {"gone.question@BBB": SURE, "AAA.i99": SURE, "ZZZ": SURE}
    other = replace(measured, receipts=(receipt(gone),))
    assert "3 differences" in told(other, "effect-table", "AAA") and told(other, "play-effects")


# ---- links


def view_play_line(measured: Corpus, id: str) -> str:
    view = view_answer_effects(measured, id)
    return view.play if view else ""


def test_a_question_page_says_in_a_line_what_another_answer_does_to_play(measured: Corpus) -> None:
    said = view_play_line(measured, "Q001")
    assert "another card 7.5 times in 100" in said and "0.50 fiches a deal" in said and "holds 0" not in said
    unsure = replace(measured, receipts=(receipt({PAYER: line(0.1, 0.4, 3.0)}),))
    assert "it may cost nothing" in view_play_line(unsure, "Q001")
    alike = replace(measured, receipts=(receipt({PAYER: line()}),))
    assert "no card was another in 16 deals" in view_play_line(alike, "Q001")
    assert view_play_line(measured, "Q002") == ""


# ---- examples
def test_an_example_shows_hand_table_both_cards_with_their_worth_and_the_answers_that_differ(measured: Corpus) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None
    example = view.single[0].example
    assert example is not None
    assert example.where == "Deal 3, trick 3: North is to play."
    assert example.hand == "♠ 9 5 ♥ J 7 ♦ 3 2 ♣ J 8 6"
    assert example.row == (("South", "♦ 5"), ("East", "♦ 6")) and len(example.tricks) == 2
    assert example.cards == ("2D", "3D")
    assert example.worth == ("+2.2", "−0.3") and example.believed == ("+2.2", "+3.4")
    assert [asked.id for asked, *_ in example.rules] == ["Q001"]
    assert example.command.endswith("--show AAA:3 | reversis run - --source AAA --with Q001@BBB")


def test_the_link_of_an_example_holds_the_whole_deal_and_both_rulesets(measured: Corpus) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None and view.single[0].example is not None
    page, _, packed = view.single[0].example.address.partition("#deal=j.")
    whole = json.loads(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    assert page == "try.html" and whole["record"] == RECORD
    assert (whole["sources"], whole["wishes"], whole["card"]) == (["AAA"], ["Q001@BBB"], "2D")
    assert read_deal(whole["record"])[0] is not None


def test_an_answer_that_is_our_assumption_bears_the_mark_in_an_example(measured: Corpus) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None and view.single[0].example is not None
    example = view.single[0].example
    assert "(our assumption)" not in render_example(example, "").astext()
    ours = replace(example, rules=tuple((*rule[:3], ("", "ours")) for rule in example.rules))
    assert render_example(ours, "").astext().count("(our assumption)") == 1
    cell = measured.cells["BBB", "ace.payer"]
    supplied = replace(measured, cells={**measured.cells, ("BBB", "ace.payer"): replace(cell, clauses=())})
    found = play_effects.effect_table_view(supplied, "AAA")
    assert found is not None and found.single[0].example is not None
    assert found.single[0].example.rules[0][3] == ("", "ours")


# ---- what a difference rests on


def test_a_doubtful_answer_of_the_book_is_said_with_the_loss(measured: Corpus) -> None:
    cell = measured.cell("AAA", "ace.payer")
    assert cell is not None
    measured.__dict__["cells"] = {**measured.cells, ("AAA", "ace.payer"): replace(cell, status="ambiguous")}
    assert "The book’s own answer can be read in more than one way." in told(measured, "play-effects")
    ours = replace(cell, clauses=tuple(replace(clause, status="silent", cites=()) for clause in cell.clauses))
    measured.__dict__["cells"] = {**measured.cells, ("AAA", "ace.payer"): ours}
    assert "The book’s own answer is our assumption." in told(measured, "play-effects")
