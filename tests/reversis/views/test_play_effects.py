"""The pages on what rules do to play: an invented receipt of invented sources, one behaviour each."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from docutils import nodes
from lxml import etree

from edition.corpus.corpus import Corpus
from edition.nodes.builders import TARGET
from edition.palette import format_slot_classes
from edition.site.stubs import generate_stub_pages
from edition.views.plain_answers import source_marks
from engine.deal.reader import read_deal
from lab.survey.request import Rules
from lab.survey.tally import Count, Versus
from lab.survey.variants import VARIANT_QUESTION, Disagreement, SourceVariants, SurveyVariant
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
from reversis.files.surveys import Seated, StoredSurvey
from reversis.views.panels.question import view_answer_effects
from reversis.views.surveys import play_effects, play_money
from reversis.views.surveys.play_examples import render_example
from reversis.views.surveys.scatter import (
    ChartAxis,
    DrawnPoint,
    LogScale,
    choose_log_scale,
    scatter_figure,
)
from rulebook import __version__
from rulebook.receipts import Receipt
from tests.edition.views.test_views import corpus, library, text  # noqa: F401
from tests.support.library import with_extras
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


def test_a_receipt_of_an_earlier_state_says_of_which(measured: Corpus) -> None:
    for page, book in (("play-effects", ""), ("effect-table", "AAA")):
        assert "Of an earlier state: the sources have changed since" in told(measured, page, book)
        now = replace(measured, receipts=(receipt(LINES, measured.library.rules_digest),))
        assert "earlier state" not in told(now, page, book)


def test_command_and_number_of_deals_stand_on_every_page(measured: Corpus) -> None:
    for page, book in (("play-effects", ""), ("effect-table", "AAA")):
        said = told(measured, page, book)
        assert COMMAND in said and "16 deals at each table" in said


# ---- verdicts
@pytest.mark.parametrize(
    ("figures", "verdict"),
    [
        (line(0.5, 0.2, 7.5), play_effects.COSTS),
        (line(0.5, 0.5, 7.5), play_effects.OPEN),
        (line(-0.1, 0.2, 7.5), play_effects.OPEN),
        (line(-0.5, 0.2, 7.5), play_effects.BELOW),
        (line(0.0, 0.0, 0.0), play_effects.ALIKE),
    ],
)
def test_an_interval_that_holds_0_is_told_from_one_above_it_and_from_no_other_card(
    measured: Corpus, figures: dict[str, Any], verdict: str
) -> None:
    view = play_effects.effect_table_view(replace(measured, receipts=(receipt({"AAA.i01": figures}),)), "AAA")
    assert view is not None and [one.verdict for one in view.single] == [verdict]


def test_the_page_says_plainly_what_cannot_be_told_from_nothing(measured: Corpus) -> None:
    said = told(measured, "effect-table", "AAA")
    assert "3 differences were measured" in said and "2 clearly cost something" in said
    assert "Of 1 others the interval holds 0" not in said and "Of 1 other the interval holds 0" in said
    assert "holds 0: not told from nothing" in said


def test_whole_books_and_single_answers_are_ranked_apart_and_a_tables_own_rules_are_no_difference(
    measured: Corpus,
) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None
    assert [one.stands[0].kind for one in view.whole] == ["source"]
    assert [one.stands[0].kind for one in view.single] == ["question", "interpretation"]
    assert view.counts.measured == 3


def test_money_that_is_not_known_is_called_so_and_has_no_point_in_the_chart(measured: Corpus) -> None:
    unknown = {key: value for key, value in SURE.items() if key != "money moved"}
    made = laid_out(replace(measured, receipts=(receipt({**LINES, PAYER: unknown}),)), "effect-table", "AAA")
    assert "not known" in " ".join(one.astext() for one in made)
    assert len(points_of(made)) == 2 < len(points_of(laid_out(measured, "effect-table", "AAA")))


def test_a_question_stands_at_the_table_where_its_answer_clearly_costs_most(measured: Corpus) -> None:
    bold = receipt({**LINES, PAYER: SURE})
    figures = {
        **bold.figures,
        "BBB": {"ace.payer@AAA": line(0.9, 1.2, 9.0, rules="BBB + Q001@AAA")},
        TABLES: {**bold.figures[TABLES], "BBB": {"unit": "fish", "pool": 10}},
    }
    view = play_effects.play_effects_view(replace(measured, receipts=(replace(bold, figures=figures),)))
    assert view is not None
    assert [(one.question.id, one.effect.table.siglum) for one in view.questions] == [("Q001", "AAA")]


def test_a_book_that_came_after_the_measurement_and_what_is_not_measured_are_named(measured: Corpus) -> None:
    said = told(measured, "play-effects")
    assert "Not measured yet: The second" in said
    (asked,) = (one.asks for one in measured.library.questions.values() if one.id == "Q003")
    assert f"Nobody makes a mistake in a survey: {asked}" in said


def test_an_answer_or_a_reading_that_is_gone_breaks_no_page(measured: Corpus) -> None:
    gone = {"gone.question@BBB": SURE, "AAA.i99": SURE, "ZZZ": SURE}
    other = replace(measured, receipts=(receipt(gone),))
    assert "3 differences" in told(other, "effect-table", "AAA") and told(other, "play-effects")


# ---- links
def test_every_line_leads_to_its_question_or_reading_and_each_question_has_one_place(measured: Corpus) -> None:
    made = laid_out(measured, "effect-table", "AAA")
    targets = {
        one["reftarget"] for node in made for one in node.findall() if "reftarget" in getattr(one, "attributes", ())
    }
    assert {"Q001", "AAA.i01", "AAA"} <= targets
    page = laid_out(measured, "play-effects")
    places = [at for node in page for one in node.findall(nodes.inline) for _, _, _, at in one.get(TARGET, [])]
    assert places == ["effect-Q001"]


def view_play_line(measured: Corpus, id: str) -> str:
    view = view_answer_effects(measured, id)
    return view.play if view else ""


def test_a_question_page_says_in_a_line_what_another_answer_does_to_play(measured: Corpus) -> None:
    said = view_play_line(measured, "Q001")
    assert "another card 7.5 times in 100" in said and "0.50 fiches a deal" in said and "holds 0" not in said
    unsure = replace(measured, receipts=(receipt({PAYER: line(0.1, 0.4, 3.0)}),))
    assert "the interval holds 0" in view_play_line(unsure, "Q001")
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
    assert [rule.question.id for rule in example.rules] == ["Q001"]
    assert example.command.endswith("--show AAA:3 | reversis run - --source AAA --with Q001@BBB")


def test_the_link_of_an_example_holds_the_whole_deal_and_both_rulesets(measured: Corpus) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None and view.single[0].example is not None
    page, _, packed = view.single[0].example.address.partition("#deal=j.")
    whole = json.loads(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    assert page == "try.html" and whole["record"] == RECORD
    assert (whole["sources"], whole["wishes"], whole["card"]) == (["AAA"], ["Q001@BBB"], "2D")
    assert read_deal(whole["record"])[0] is not None


def test_the_way_to_the_editor_says_what_opens_and_where_no_engine_starts(measured: Corpus) -> None:
    said = told(measured, "play-effects")
    assert "Open this deal in the settler" in said and "trick by trick" not in said
    assert "No engine starts there if you read these pages from a folder" in said


def test_a_rule_of_the_first_trick_is_told_why_it_matters_later_and_another_is_not(measured: Corpus) -> None:
    of_lead = {PAYER: SURE, LEAD: line(0.5, 0.2, 7.5, rules="AAA + Q003@BBB")}
    examples = {name_example("AAA", name): EXAMPLE for name in of_lead}
    asked = measured.library.questions["first.lead"]
    early = replace(asked, affects="deal")
    library = replace(measured.library, questions={**measured.library.questions, "first.lead": early})  # noqa: F811
    both = replace(measured, library=library, receipts=(receipt(of_lead, **{EXAMPLES: examples}),))
    view = play_effects.effect_table_view(both, "AAA")
    assert view is not None
    later = {
        one.stands[0].questions[0].id: one.example.later
        for one in view.single
        if one.example and one.stands[0].questions
    }
    assert later["Q001"] == "" and "expects other cards in the other hands" in later["Q003"]
    at_once = {name: {**EXAMPLE, "step": 2, "player": "north"} for name in examples}
    first = play_effects.effect_table_view(replace(both, receipts=(receipt(of_lead, **{EXAMPLES: at_once}),)), "AAA")
    assert first is not None and not any(one.example.later for one in first.single if one.example)


def test_an_answer_that_is_our_assumption_bears_the_mark_in_an_example(measured: Corpus) -> None:
    view = play_effects.effect_table_view(measured, "AAA")
    assert view is not None and view.single[0].example is not None
    example = view.single[0].example
    assert "(our assumption)" not in render_example(example, "").astext()
    ours = replace(example, rules=tuple(replace(one, statuses=("", "ours")) for one in example.rules))
    assert render_example(ours, "").astext().count("(our assumption)") == 1
    cell = measured.cells["BBB", "ace.payer"]
    supplied = replace(measured, cells={**measured.cells, ("BBB", "ace.payer"): replace(cell, clauses=())})
    found = play_effects.effect_table_view(supplied, "AAA")
    assert found is not None and found.single[0].example is not None
    assert found.single[0].example.rules[0].statuses == ("", "ours")


def test_of_a_whole_book_the_answers_that_lead_to_the_same_card_alone_are_named(measured: Corpus) -> None:
    both = {name_example("AAA", name): EXAMPLE for name in ("BBB", PAYER)}
    view = play_effects.effect_table_view(replace(measured, receipts=(receipt(LINES, **{EXAMPLES: both}),)), "AAA")
    assert view is not None and view.whole[0].example is not None
    assert [rule.question.id for rule in view.whole[0].example.rules] == ["Q001"]
    assert "these answers of it lead to the same card" in view.whole[0].example.because


def test_a_sure_loss_without_an_example_says_that_none_was_found(measured: Corpus) -> None:
    bare = replace(measured, receipts=(receipt(LINES, **{EXAMPLES: {}}),))
    assert "None of the decisions that were tried shows it clearly" in told(bare, "play-effects")
    assert "of 1 none was found" in told(bare, "effect-table", "AAA")


# ---- in another order
def test_the_questions_can_be_unfolded_by_money_and_by_cards_and_keep_their_numbers(measured: Corpus) -> None:
    dear = line(0.9, 0.3, 2.0, rules="AAA + Q003@BBB", **{"money moved": 1.0})
    made = laid_out(replace(measured, receipts=(receipt({PAYER: SURE, LEAD: dear}),)), "play-effects")
    tables = {one.next_node(nodes.title).astext(): one for node in made for one in node.findall(nodes.table)}

    def numbers(caption: str) -> list[str]:
        rows = tables[caption].next_node(nodes.tbody).findall(nodes.row)
        return [row.astext().strip().partition(".")[0] for row in rows]

    assert numbers("All 2 questions") == ["1", "2"]
    assert numbers("The questions by the money moved") == numbers("The questions by other cards") == ["2", "1"]
    unknown = {key: value for key, value in SURE.items() if key != "money moved"}
    bare = laid_out(replace(measured, receipts=(receipt({PAYER: unknown, LEAD: dear}),)), "play-effects")
    said = next(one for node in bare for one in node.findall(nodes.table) if "by the money" in one.astext())
    assert said.astext().rindex("not known") > said.astext().index("1.0 fiches")


def test_a_question_stands_in_each_order_at_the_table_where_it_counts_most(measured: Corpus) -> None:
    """One answer costs most at one table, and moves most money at another."""
    rich = {PAYER.replace("BBB", "AAA"): line(0.1, 0.05, 1.0, rules="BBB + Q001@AAA", **{"money moved": 9.0})}
    more = {"BBB": {"itself": line(rules="BBB"), **rich}, TABLES: {one: TABLE for one in ("AAA", "BBB")}}
    two = replace(measured, receipts=(receipt({PAYER: SURE}, **more),))
    view = play_effects.play_effects_view(two)
    assert view is not None
    (costly,), (moving,), (changing,) = view.questions, view.by_money, view.by_cards
    assert (costly.effect.table.siglum, moving.effect.table.siglum, changing.effect.table.siglum) == (
        "AAA",
        "BBB",
        "AAA",
    )
    assert (costly.effect.moved, moving.effect.moved) == ("4.0 fiches", "9.0 fiches")


# ---- how sure the money is
@pytest.mark.parametrize(
    ("figures", "said", "known"),
    [
        ({"money give or take": 0.5, "settled by both": 900, "with money moved": 300}, "95 %: 3.5 to 4.5", True),
        ({"money give or take": 0.5, "settled by both": 900, "with money moved": 9}, "only 9 such deals in 900", True),
        (
            {"money moved": 0.0, "money give or take": 0.0, "with money moved": 0, "settled by both": 900},
            "not seen",
            True,
        ),
        ({"money give or take": 2.0, "settled by both": 2, "with money moved": 2}, "only 2 deals are settled", False),
    ],
)
def test_a_sum_of_money_says_how_sure_it_is_and_a_few_deals_place_nothing_in_the_chart(
    measured: Corpus, figures: dict[str, Any], said: str, known: bool
) -> None:
    one = replace(measured, receipts=(receipt({PAYER: line(0.5, 0.2, 7.5, **figures)}),))
    view = play_effects.effect_table_view(one, "AAA")
    assert view is not None
    (row,) = view.single
    assert said in row.sure.replace("\N{NARROW NO-BREAK SPACE}", " ") and (row.share is not None) == known
    assert row.sure in told(one, "effect-table", "AAA")


# ---- what a difference rests on
def test_a_reading_by_which_the_book_agrees_is_named_with_the_difference_that_it_ends(measured: Corpus) -> None:
    assert "What it rests on" not in told(measured, "play-effects")
    ((clause, rival),) = (one for found in measured.alternatives_on.values() for one in found)
    given = measured.cell("BBB", "ace.payer")
    assert (clause.source, rival.id) == ("AAA", "AAA.i01") and given is not None
    agreed = replace(rival, answers={"ace.payer": given.value})
    measured.__dict__["alternatives_on"] = {"ace.payer": ((clause, agreed),)}
    said = told(measured, "play-effects")
    assert "What it rests on: " in said and "By another reading of it, AAA.i01 " in said and "certainty: low" in said


def test_a_doubtful_answer_of_the_book_is_said_with_the_loss(measured: Corpus) -> None:
    cell = measured.cell("AAA", "ace.payer")
    assert cell is not None
    measured.__dict__["cells"] = {**measured.cells, ("AAA", "ace.payer"): replace(cell, status="ambiguous")}
    assert "The book’s own answer can be read in more than one way." in told(measured, "play-effects")
    ours = replace(cell, clauses=tuple(replace(one, status="silent", cites=()) for one in cell.clauses))
    measured.__dict__["cells"] = {**measured.cells, ("AAA", "ace.payer"): ours}
    assert "The book’s own answer is our assumption." in told(measured, "play-effects")


def test_other_readings_that_cost_something_stand_below_the_questions(measured: Corpus) -> None:
    assert "Other readings" not in told(measured, "play-effects")  # AAA.i01 is not told from 0
    sure = replace(measured, receipts=(receipt({**LINES, "AAA.i01": line(0.8, 0.2, 3.0, rules="AAA + AAA.i01")}),))
    said = told(sure, "play-effects")
    assert (
        "One other reading of a book clearly costs whoever believes it" in said
        and "AAA.i01" in said
        and "0.60 to 1.0" in said
    )


# ---- the same money, by other players
def test_the_money_is_compared_with_that_of_the_survey_of_skilled_players(measured: Corpus) -> None:
    assert play_money.compare_money(measured) is None
    stand = SurveyVariant(VARIANT_QUESTION, ("ace.payer",), "BBB")
    rules = Rules("AAA")
    weighed = SourceVariants(rules, (Disagreement(Rules("AAA", ("Q001@BBB",)), (stand,)),), ())
    count = Count(16, 16, others=(Versus(settled=16, moved=16),))
    survey = StoredSurvey("it", 1, "skilled", 16, "1", "s", "3.11", "day", (Seated(weighed, "fiche", 10, count),))
    both = with_extras(measured, surveys=(survey,))
    found = play_money.compare_money(both)
    assert found is not None
    assert (found.compared, found.half, found.there) == (1, 4.0, "1.0 fiches")
    said = told(both, "play-money")
    assert "moves 4.0 fiches (40" in said and "a deal here and 1.0 fiches there" in said
    assert play_money.compare_money(with_extras(both, surveys=(replace(survey, policy="random"),))) is None


# ---- the chart
def points_of(made: list[nodes.Node]) -> list[Any]:
    """The points of the first drawing."""
    drawings = [one.astext() for node in made for one in node.findall(nodes.raw) if "rv-scatter-drawn" in one.astext()]
    return list(etree.fromstring(drawings[0]).iter("g"))


def test_the_chart_has_a_text_and_every_point_has_its_words(measured: Corpus) -> None:
    made = laid_out(measured, "effect-table", "AAA")
    (drawn,) = [one for node in made for one in node.findall(nodes.raw) if "rv-scatter-drawn" in one.astext()]
    root = etree.fromstring(drawn.astext())
    assert (
        root.get("role") == "img"
        and "3 differences" in root.get("aria-label")
        and "table below" in root.get("aria-label")
    )
    titles = [point.findtext("title") for point in root.iter("g")]
    assert len(titles) == 3 and all("lost by them" in title for title in titles)


def test_what_cannot_be_told_from_0_is_hollow_and_lies_below(measured: Corpus) -> None:
    kinds = [
        [one.get("class").split()[0] for one in point.iter("rect")]
        for point in points_of(laid_out(measured, "effect-table", "AAA"))
    ]
    assert kinds == [["rv-point-shape", "rv-point-hole"], ["rv-point-shape"], ["rv-point-shape"]]


def test_a_point_has_the_shape_of_its_source_about_its_place(measured: Corpus) -> None:
    slot = format_slot_classes(source_marks(measured)["AAA"].slot)
    for point in points_of(laid_out(measured, "play-effects")):
        for one in point.iter("rect"):
            half = int(one.get("width")) // 2
            assert one.get("class").endswith(slot) and one.get("transform") == f"translate(-{half} -{half})"
    assert not any(point.findall("circle") for point in points_of(laid_out(measured, "play-effects")))


def test_a_logarithmic_scale_has_a_place_for_0_and_holds_every_value() -> None:
    scale = choose_log_scale([0.0, 0.5, 30.0])
    assert (scale.first, scale.last) == (-1, 2)
    assert scale.ticks == (0.0, 0.1, 1.0, 10.0, 100.0)
    places = [scale.place(value) for value in (0.0, 0.1, 0.5, 30.0, 100.0)]
    assert places == sorted(places) and len({*places}) == 5 and places[0] >= 0 and places[-1] <= 100
    assert choose_log_scale([]) == LogScale(0, 1) and choose_log_scale([1.0]) == LogScale(0, 1)


def test_words_in_a_drawing_are_escaped() -> None:
    point = DrawnPoint(1, 1, 'a < b & "c"', True, label="<1>")
    axis = ChartAxis("name", LogScale(0, 1))
    (drawn,) = [
        one for one in scatter_figure([point], axis, axis, 'x < "y"').findall(nodes.raw) if "<g>" in one.astext()
    ]
    assert etree.fromstring(drawn.astext()).find(".//title").text == 'a < b & "c"'


# ---- what is known closely
def test_it_is_told_what_was_measured_on_more_deals_and_what_is_not_known_closely(corpus: Corpus) -> None:  # noqa: F811
    lines = {PAYER: line(2.0, 0.6, 5.0) | {"deals": 64}, LEAD: line(1.0, 0.1, 5.0) | {"deals": 48}}
    measured = replace(corpus, receipts=(receipt(lines),))
    page = told(measured, "play-effects")
    assert "Measured on 16 deals at each table" in page
    assert (
        "Of the 2 differences that clearly cost something or move most money, measured on up to 64 deals, the loss "
        "of 1 is known to ±0.1 counters a player and deal; of 1 the interval is wider, and the page of each book "
        "lists them." in page
    )
    (own,) = (one for one in read_play_effects(measured.receipts))
    assert [one.regret.mean for one in own.that_matter if not one.close] == [2.0]
    table = told(measured, "effect-table", "AAA")
    assert "1 difference of which the loss is not known to ±0.1" in table


def test_where_all_that_matters_is_known_closely_nothing_is_listed(corpus: Corpus) -> None:  # noqa: F811
    measured = replace(corpus, receipts=(receipt({LEAD: line(1.0, 0.1, 5.0)}),))
    assert "the loss of 1 is known to ±0.1 counters a player and deal." in told(measured, "play-effects")
    assert "not known to ±0.1" not in told(measured, "effect-table", "AAA")
