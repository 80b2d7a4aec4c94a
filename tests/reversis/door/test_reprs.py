"""What is printed at a prompt is one short line; what a notebook shows is escaped and stands by itself."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from lxml import html

import reversis as rv
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.tally import Count, SurveyTally, Versus
from reversis.door.records import Records
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


PRINTED = ("deal", "settled", "refused", "unanswered")
TABLES = ("comparison", "matrix", "payments", "survey")
PLAIN = (
    *("library", "source", "question", "clause", "worlds", "ruleset", "hybrid"),
    *("session", "step", "text", "translation", "reckoning", "found", "cell"),
)


@pytest.mark.parametrize("name", (*PRINTED, *TABLES, *PLAIN))
def test_a_record_is_printed_in_one_short_line(shown: Mapping[str, object], name: str) -> None:
    line = repr(shown[name])
    assert len(line) < LONG and "\n" not in line and line.startswith(f"<{type(shown[name]).__name__} ")


@pytest.mark.parametrize("name", (*PRINTED, *TABLES))
def test_a_notebook_shows_a_record_that_fetches_nothing(shown: Mapping[str, object], name: str) -> None:
    letters = shown[name]._repr_html_()  # type: ignore[attr-defined]
    page = html.fragment_fromstring(letters, create_parent="div")
    assert {one.tag for one in page.iter()} <= {"div", "pre", "p", "table", "tr", "th", "td"}
    assert not page.xpath("//@*") and page.text_content().strip() and len(letters) < 60_000


@pytest.mark.parametrize("name", PRINTED)
def test_a_notebook_shows_a_ledger_and_cards_as_they_are_printed(shown: Mapping[str, object], name: str) -> None:
    assert html.fromstring(shown[name]._repr_html_()).text_content() == str(shown[name])  # type: ignore[attr-defined]


def test_a_notebook_shows_the_first_rows_of_a_table_and_says_where_the_rest_is(shown: Mapping[str, object]) -> None:
    tables = {name: html.fragment_fromstring(shown[name]._repr_html_(), create_parent="div") for name in TABLES}  # type: ignore[attr-defined]
    rows = {name: page.xpath("//tr") for name, page in tables.items()}
    assert len(rows["matrix"]) == 21 and "rows() has the rest" in tables["matrix"].text_content()
    assert "rows() has" not in tables["payments"].text_content()
    heads, first = ([cell.text for cell in row] for row in rows["payments"][:2])
    assert dict(zip(heads, first, strict=True)).items() >= {"payer": "south", "payee": "west", "amount": "10"}.items()


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


def test_text_is_escaped_and_long_cells_are_cut() -> None:
    nasty = "<script>alert(1)</script>\"'&"
    table = Records("<b>", {"<i>": "a column"}, ((nasty,), ("word " * 100,), (["a", "b"],), (None,)))
    letters = table._repr_html_()
    assert "<script" not in letters and "<i>" not in letters and "<b>" not in letters
    told = [cell.text for cell in html.fromstring(letters).xpath("//td")]
    assert told[0] == nasty and len(told[1] or "") <= 80 and told[2:] == ["a | b", None]
