"""What is printed at a prompt is one short line; what a notebook shows is escaped and stands by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from lxml import html

import reversis as rv
from edition.nodes.builders import add_classes, para, span
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.tally import Count, SurveyTally, Versus
from reversis.door.node_html import format_node_html
from rulebook.model import Library

TABLE = SurveyTable(Rules("PAM"), (Rules("ACA"),))
TALLY = SurveyTally((Count(2000, 2000, others=(Versus(1900, 100, changed=1500, moved=19000),)),))
SURVEY = rv.SurveyRun(SurveyOrder(1, "random", 2000, (TABLE,)), TALLY, "reversis survey", "0", "sha256:0")
LONG = 101


@pytest.fixture(scope="module")
def shown(library: Library) -> Mapping[str, object]:
    deal, pam = rv.deal("pam-quinola-forced-opposite-last", library), rv.rules(library, "PAM")
    settled = rv.settle(deal, pam)
    session = rv.begin(pam, deal.seats, 3)
    question = library.question("Q031")
    silent = rv.settle(deal, rv.Ruleset("nothing", "PAM", {}))
    return {
        "library": library,
        "source": library.sources["PAM"],
        "question": question,
        "clause": library.clause("PAM.c031"),
        "deal": deal,
        "settled": settled,
        "refused": rv.settle(deal, rv.rules(library, "ACA")),
        "unanswered": silent,
        "worlds": rv.possible_worlds(deal, library, "PAM"),
        "comparison": rv.compare("PAM", "ACA", library),
        "matrix": rv.matrix(library),
        "payments": rv.payments(settled),
        "survey": SURVEY,
        "ruleset": pam,
        "hybrid": rv.rules(library, "PAM", "Q031=3"),
        "session": session.after,
        "step": session,
        "text": library.sources["PAM"].text,
        "translation": library.sources["PAM"].translation,
        "reckoning": rv.reckon(deal, pam),
        "found": rv.fill(pam, wish="quinola led"),
        "cell": library.cell("PAM", "Q031"),
    }


SEEN = (
    "library",
    "source",
    "question",
    "clause",
    "deal",
    "settled",
    "refused",
    "unanswered",
    "worlds",
    "ruleset",
    "hybrid",
)
TABLES = ("comparison", "matrix", "payments", "survey")
PLAIN = ("session", "step", "text", "translation", "reckoning", "found", "cell")


@pytest.mark.parametrize("name", (*SEEN, *TABLES, *PLAIN))
def test_a_record_is_printed_in_one_short_line(shown: Mapping[str, object], name: str) -> None:
    line = repr(shown[name])
    assert len(line) < LONG and "\n" not in line and line.startswith(f"<{type(shown[name]).__name__} ")


@pytest.mark.parametrize("name", (*SEEN, *TABLES))
def test_a_notebook_shows_a_record_that_fetches_nothing(shown: Mapping[str, object], name: str) -> None:
    letters = shown[name]._repr_html_()  # type: ignore[attr-defined]
    page = html.fragment_fromstring(letters, create_parent="div")
    style, body = page
    assert style.tag == "style" and body.get("class") == "rv-notebook" and body.text_content().strip()
    assert not page.xpath("//@src | //@href | //script") and "url(" not in letters and "@import" not in letters
    assert all(rule.strip().startswith(".rv-notebook") for rule in re.findall(r"^[^\s/}].*\{", style.text, re.M))
    assert len(letters) < 60_000


def test_a_notebook_shows_cards_payments_and_who_is_asked(shown: Mapping[str, object]) -> None:
    words = {name: html.fromstring(shown[name]._repr_html_()).text_content() for name in SEEN}  # type: ignore[attr-defined]
    assert "Q♥" in re.sub("\ufe0e", "", words["deal"]) and "east to west 40" in words["settled"]
    assert "5 fiches" in words["question"] and "5♥" in re.sub("\ufe0e", "", words["refused"])
    assert "nothing: certain" in words["worlds"]


def test_a_notebook_shows_the_answers_of_rules_and_what_was_changed_in_them(shown: Mapping[str, object]) -> None:
    own, hybrid = (html.fromstring(shown[name]._repr_html_()).text_content() for name in ("ruleset", "hybrid"))  # type: ignore[attr-defined]
    assert "The first 20 of 1" in own and "Changed" not in own
    assert "Changed" in hybrid and "Q031" in hybrid and "3 fiches" in hybrid and "5 fiches" in hybrid
    assert "The first" not in hybrid


# ---- in letters
def test_a_printed_deal_is_a_diagram_that_can_be_read_back(library: Library) -> None:
    for row in rv.deals(library):
        deal = rv.deal(str(row["deal"]), library)
        if deal.faults:  # no diagram has words for them, and without them the hands may not be of one size
            assert "# Not shown here: " in str(deal) and "faults" in str(deal)
            continue
        again, problems = rv.read_diagram(str(deal))
        assert again is not None, (deal.id, problems)
        for part in ("id", "pack", "seats", "dealer", "hands", "tricks", "fragment"):
            assert getattr(again, part) == getattr(deal, part), (deal.id, part)
        assert set(again.talon) == set(deal.talon)


def test_a_printed_settlement_says_who_pays_whom_for_what(shown: Mapping[str, object]) -> None:
    lines = str(shown["settled"]).splitlines()
    assert lines[0] == "pam-quinola-forced-opposite-last settled by PAM, unit fiche"
    assert lines[1] == "south -10, east -58, north -10, west +18, pool +60"
    assert lines[2] == "Trick 11, quinola forced J♥: south to west 10, east to west 40, north to west 10"
    assert lines[3] == "Trick 11, quinola forced J♥ (matches stake): east to pool 60"
    assert len(lines) == 2 + len(shown["settled"].entries)  # type: ignore[attr-defined]


def test_print_names_every_refusal_or_the_silence(shown: Mapping[str, object]) -> None:
    assert "is not legal by ACA:\n  trick 1: south may not play 7♣; he may play 5♥" in str(shown["refused"])
    assert str(shown["unanswered"]).endswith("cannot be settled by nothing: nothing is silent on cards.order")


def test_text_and_attributes_are_escaped() -> None:
    nasty = "<script>alert(1)</script>\"'&"
    letters = format_node_html(para(nasty, add_classes(span(nasty), "a", title=nasty)))
    assert "<script" not in letters
    (found,) = html.fromstring(letters).xpath("//span")
    assert found.get("title") == nasty and found.text == nasty
