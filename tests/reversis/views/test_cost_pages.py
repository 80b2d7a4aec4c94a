"""The pages on what disagreements cost: invented surveys of invented sources, one behaviour each."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from lxml import etree

from edition.corpus.corpus import Corpus
from edition.nodes.builders import TARGET
from edition.nodes.charts import DrawnValue, choose_scale, draw_bar, tree_figure
from edition.nodes.components import SourceMark
from edition.text.answers import name_within
from engine.players.preferences import Would
from lab.survey.request import EVENTS, Rules
from lab.survey.statistics import estimate_weight
from lab.survey.tally import Count, Versus
from lab.survey.variants import (
    VARIANT_ITSELF,
    VARIANT_QUESTION,
    VARIANT_SOURCE,
    Disagreement,
    LeftOut,
    SourceVariants,
    SurveyVariant,
)
from reversis.files.counsel import MARGIN
from reversis.files.extras import get_surveys
from reversis.files.strength import NET_AHEAD, NET_MATCH
from reversis.files.surveys import Seated, StoredSurvey, read_surveys
from reversis.findings import costs
from reversis.findings.costs import (
    DisagreementCost,
    describe_cost,
    describe_no_cost,
    find_costs,
    format_cost_figure,
    format_cost_interval,
    format_cost_percent,
    summarise_question_cost,
)
from reversis.findings.leading import find_proven_nets, sort_policies, sort_surveys
from reversis.views import library_checks as agenda
from reversis.views.surveys import costs as materiality
from reversis.views.surveys import distances as farness
from reversis.views.surveys.play_effects import format_signed
from reversis.views.surveys.surveys import explain_lead, survey_views
from rulebook import __version__
from rulebook.distances import build_distance_tree
from rulebook.estimates import Estimate
from rulebook.load import library as load_library
from rulebook.model import Library
from rulebook.receipts import Receipt
from rulebook.sources.paths import find_sources
from tests.edition.views.test_views import Build, at, build, corpus, library, links, page, text  # noqa: F401
from tests.reversis.views.test_costs import versus
from tests.support.library import with_extras
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus
from tests.support.settling import SIGLA

SEAL = "sha256:" + "0" * 64
PAYER = Disagreement(Rules("AAA", ("Q001@BBB",)), (SurveyVariant(VARIANT_QUESTION, ("ace.payer",), "BBB"),))
RIVAL = Disagreement(
    Rules("AAA", ("AAA.i01",)), (SurveyVariant("interpretation", ("ace.amount",), alternative="AAA.i01"),)
)
LEFT = LeftOut(SurveyVariant(VARIANT_QUESTION, ("first.lead",), "BBB"), "fault")

NO_SURVEY = "No survey has been made yet: `python -m proofs.survey` makes one."


def whole(siglum: str) -> Disagreement:
    return Disagreement(Rules(siglum), (SurveyVariant(VARIANT_SOURCE, source=siglum),))


def seated(siglum: str, *priced: tuple[Disagreement, Versus], left: tuple[LeftOut, ...] = ()) -> Seated:
    itself = (Disagreement(Rules(siglum), (SurveyVariant(VARIANT_ITSELF),)), versus(0, 0, 0))
    others = (itself, *priced)
    count = Count(4, 4, (0,) * 5, (0,) * 5, (0,) * len(EVENTS), tuple(count for _, count in others))
    return Seated(SourceVariants(Rules(siglum), tuple(one for one, _ in others), left), "fiche", 10, count)


def survey(policy: str = "random", *tables: Seated, deals: int = 4, sources: str = SEAL) -> StoredSurvey:
    return StoredSurvey("python -m proofs.survey", 1, policy, deals, __version__, sources, "3.11", "2025-01-31", tables)


FIRST = seated(
    "AAA", (whole("BBB"), versus(5, 5, 5)), (PAYER, versus(0, 4, forbidden=2)), (RIVAL, versus(1, 1, 1)), left=(LEFT,)
)
SECOND = seated("BBB", (whole("AAA"), versus(1, 1, 1)))


@pytest.fixture
def surveyed(corpus: Corpus) -> Corpus:  # noqa: F811
    return with_extras(corpus, surveys=(survey("random", FIRST, SECOND),))


def told(corpus: Corpus, name: str) -> str:  # noqa: F811
    return " ".join(one.astext() for one in laid_out(corpus, name))


def laid_out(corpus: Corpus, name: str) -> Sequence[nodes.Node]:  # noqa: F811
    return ALL_RENDERERS[name](ALL_VIEWS[name](corpus, ""))


# ---- in words
def test_small_numbers_are_told_with_two_digits_and_never_as_powers_of_ten() -> None:
    assert [format_cost_figure(n) for n in (0, 0.000012, 0.0345, 0.5, 3.26, 12.4, 4567)] == [
        "0",
        "0.000012",
        "0.035",
        "0.50",
        "3.3",
        "12",
        "4,567",
    ]


def test_only_all_deals_are_a_hundred_percent() -> None:
    assert format_cost_percent(0.9999).startswith(">99") and format_cost_percent(1.0).startswith("100")


def test_an_interval_that_nothing_is_known_of_says_so() -> None:
    assert (
        format_cost_interval(Estimate(1, 0, float("inf"))) == "unknown"
        and format_cost_interval(Estimate(0.1, 0.05, 0.2)) == "5.0 to 20"
    )


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (versus(*[0] * 300), "Not seen once: it matters in at most 1 deal in 100."),
        (
            versus(*[0] * 399, 7),
            "It matters in 1 deal in 400, moving 7.0 counters on average (only 1 such deal: a rough guess).",
        ),
        (versus(*[2] * 40), "It matters in every deal, moving 2.0 counters on average."),
        (versus(0, forbidden=3), "The play is forbidden in 75\N{NARROW NO-BREAK SPACE}% of deals."),
        (Versus(silent=4), "No deal could be settled both ways."),
    ],
)
def test_what_figures_mean_in_a_sentence(count: Versus, said: str) -> None:
    assert describe_cost(DisagreementCost("AAA", "AAA", (), ()), estimate_weight(count, 10)) == said


def test_what_an_exchange_costs_cannot_be_seen_by_settling_the_same_cards_again() -> None:
    nothing = estimate_weight(versus(*[0] * 300), 10)
    exchange, other = (DisagreementCost("AAA", "AAA", (), (), of_exchange=of) for of in (True, False))
    assert describe_no_cost(exchange, nothing) == "not visible this way"
    assert describe_cost(exchange, nothing).startswith("Not visible this way: the same cards are settled again")
    assert describe_no_cost(other, nothing) == "none seen"


def test_at_the_tables_of_the_edition_no_exchange_is_said_to_cost_nothing() -> None:
    real = load_library()
    found = build_corpus(real, extras={"surveys": read_surveys(Path(real.root), real)[0]})
    rows = [row for siglum in real.sources for row in materiality.table_view(found, siglum).rows]
    who = [row for row in rows if row.stands[0].questions and {one.id for one in row.stands[0].questions} == {"Q007"}]
    said = {figure.percent for row in who for figure in row.figures}
    assert "not visible this way" in said and said <= {"not visible this way", "not known"}


# ---- the costs
def test_a_tables_own_rules_are_no_disagreement(surveyed: Corpus) -> None:
    assert [one.ruleset for one in find_costs(surveyed) if one.table == "AAA"] == [
        "BBB",
        "AAA + Q001@BBB",
        "AAA + AAA.i01",
    ]


def test_the_largest_stands_first_and_whole_sources_before_all(surveyed: Corpus) -> None:
    view = materiality.table_view(surveyed, "AAA")
    assert view is not None
    assert [[one.kind for one in row.stands] for row in view.rows] == [["source"], ["question"], ["interpretation"]]
    assert [row.lead.percent for row in view.rows] == [format_cost_percent(one) for one in (0.5, 0.2, 0.1)]


def test_a_forbidden_deal_is_told(surveyed: Corpus) -> None:
    view = materiality.table_view(surveyed, "AAA")
    assert view is not None and "the play is forbidden" in view.rows[1].lead.means


def test_a_difference_is_drawn_with_the_same_table_and_answer_under_every_policy(surveyed: Corpus) -> None:
    """What is dearest with random players may be another; a bar and its mark are of one thing."""
    bold = seated("AAA", (PAYER, versus(9, 9)))
    view = materiality.costs_view(with_extras(surveyed, surveys=(survey("random", bold), survey("cautious", FIRST))))
    assert view is not None and [one.policy for one in view.questions[0].cost.figures] == ["random", "cautious"]
    assert [one.percent for one in view.questions[0].cost.figures] == [
        format_cost_percent(0.9),
        format_cost_percent(0.2),
    ]


def strength(sources: str = "", **leads: tuple[float, float]) -> Receipt:
    """A receipt of strength that says by how much the net of each source wins from three cautious, with the margin."""
    figures = {siglum: {NET_MATCH: {NET_AHEAD: mean, MARGIN: margin}} for siglum, (mean, margin) in leads.items()}
    rest = {"first pool": {"AAA": 8}, "AAA, last four tricks": {"net": {"regret a deal": 1.0}}}
    return Receipt("strength", "It says.", "python", 1, __version__, sources, "3.11", "2025-01-31", {**rest, **figures})


def proven(surveyed: Corpus, **leads: tuple[float, float]) -> Corpus:
    return replace(surveyed, receipts=(strength(surveyed.library.rules_digest, **leads),))


def three_policies(surveyed: Corpus) -> Corpus:
    """By the skilled, whose nets are proven, the payer costs 3, half of what it does by the random."""
    tables = {
        "random": seated("AAA", (whole("BBB"), versus(5, 5, 5)), (PAYER, versus(6, 6))),
        "cautious": seated("AAA", (whole("BBB"), versus(5, 5, 5)), (PAYER, versus(3, 3))),
        "skilled": seated("AAA", (whole("BBB"), versus(2, 2, 2)), (PAYER, versus(3, 3))),
    }
    many = tuple(survey(policy, table, SECOND) for policy, table in tables.items())
    return with_extras(proven(surveyed, AAA=(3.0, 0.5), BBB=(2.0, 0.5)), surveys=many)


def test_skilled_players_lead_where_they_were_surveyed_and_the_spread_is_told(surveyed: Corpus) -> None:
    corpus = three_policies(surveyed)  # noqa: F811
    view = materiality.costs_view(corpus)
    assert view is not None and view.policies == ("random", "cautious", "skilled")
    assert [one.policy for one in view.questions[0].cost.figures] == [*view.policies]
    assert view.questions[0].cost.lead.percent == format_cost_percent(0.3)
    said = told(corpus, "costs")
    near = f"agree to within {format_cost_percent(0.15)} on"
    assert f"skilled players and careful players {near} 1 of the 1 differences that move money with both" in said
    assert (
        f"skilled players and random players {near} 0 of the 1 differences that move money with both, and half of "
        "these are no more than 2.0" in said
    )
    assert "depends on playing style (careful players: 30" in said and "; random players: 60" in said


@pytest.mark.parametrize(
    ("leads", "page", "first", "second"),
    [
        ({"AAA": (3.0, 0.5), "BBB": (2.0, 1.9)}, "skilled", "skilled", "skilled"),
        ({"AAA": (3.0, 0.5), "BBB": (2.0, 2.0)}, "cautious", "skilled", "cautious"),
        ({"AAA": (3.0, 0.5), "BBB": (-2.0, 0.5)}, "cautious", "skilled", "cautious"),
        ({"BBB": (2.0, 0.5)}, "cautious", "cautious", "skilled"),
        ({}, "cautious", "cautious", "cautious"),
    ],
)
def test_skilled_players_lead_only_where_the_receipt_says_that_their_net_wins_from_three_careful_ones(
    surveyed: Corpus, leads: dict[str, tuple[float, float]], page: str, first: str, second: str
) -> None:
    """Where several tables stand side by side, only if that is so at each of them."""
    corpus = proven(three_policies(surveyed), **leads)  # noqa: F811
    view = materiality.costs_view(corpus)
    assert view is not None and view.policies[-1] == page and {*view.policies} == {"random", "cautious", "skilled"}
    assert {one.cost.lead.policy for one in view.questions} == {page}
    for siglum, lead in (("AAA", first), ("BBB", second)):
        table = materiality.table_view(corpus, siglum)
        assert table is not None and table.policies[-1] == lead
        assert table.rows and {row.lead.policy for row in table.rows} == {lead}
    payer = next(one for one in find_costs(corpus) if "Q001" in one.ruleset)
    assert payer.weights[-1][0] == first
    line = summarise_question_cost(
        corpus.library, sort_surveys(corpus), find_costs(corpus), corpus.library.questions["ace.payer"]
    )
    assert line is not None and f"moves more, at any table, with {costs.POLICY_HEADINGS[page].lower()}." in line.words


def test_a_page_says_why_skilled_players_lead_or_do_not(surveyed: Corpus) -> None:
    corpus = three_policies(surveyed)  # noqa: F811
    one, other = (name_within(surveyed.library.sources[siglum]) for siglum in ("AAA", "BBB"))
    assert "Skilled players lead, for their net surely wins from three careful players." in told(corpus, "costs")
    assert explain_lead(corpus, ("AAA",)).startswith(
        "Skilled players lead, for their net surely wins from three careful players (3.0 "
    )
    some = proven(corpus, BBB=(0.5, 1.0))
    said = told(some, "costs")
    assert "Careful players lead. Skilled players would if their net surely won from three careful players: by" in said
    assert f"by the rules of {one} that has not been measured" in said
    assert f"by the rules of {other} (0.50 " in said and f"{format_signed(-0.5)} to 1.5) it does not." in said
    assert "earlier state of the edition" not in said
    old = replace(corpus, receipts=(strength(SEAL, AAA=(3.0, 0.5), BBB=(2.0, 0.5)),))
    assert "That was measured for an earlier state of the edition." in explain_lead(old)
    for made in (some, replace(corpus, receipts=())):
        table = materiality.render_cost_table(materiality.table_view(made, "AAA"))
        assert "Careful players lead." in " ".join(node.astext() for node in table)


def test_at_a_table_where_the_skilled_did_not_play_others_lead_and_the_page_stays(surveyed: Corpus) -> None:
    corpus = three_policies(surveyed)  # noqa: F811
    *others, last = get_surveys(corpus)
    partly = with_extras(corpus, surveys=(*others, replace(last, tables=last.tables[:1])))
    assert "they were not simulated" in explain_lead(partly)
    table = materiality.table_view(partly, "BBB")
    assert table is not None and table.policies[-1] == "cautious" and len(table.rows) == 1
    assert materiality.list_cost_tables(get_surveys(partly), ("AAA", "BBB")) == ("AAA", "BBB")
    assert sort_policies(with_extras(partly, surveys=get_surveys(partly)[2:])) == ("skilled",)
    assert explain_lead(with_extras(corpus, surveys=get_surveys(corpus)[:2])) == ""


def test_a_receipt_without_that_rung_proves_nothing(surveyed: Corpus) -> None:
    whole = strength(surveyed.library.rules_digest, AAA=(3.0, 0.5))
    for line in ({}, {NET_MATCH: {NET_AHEAD: 3.0}}, {NET_MATCH: {NET_AHEAD: "3", MARGIN: 1}}, {NET_MATCH: 3.0}, 3.0):
        less = replace(whole, figures={**whole.figures, "AAA": line})
        assert find_proven_nets(replace(surveyed, receipts=(less,))) == frozenset()
    assert find_proven_nets(replace(surveyed, receipts=(replace(whole, proof="other"),))) == frozenset()
    assert find_proven_nets(replace(surveyed, receipts=(whole,))) == {"AAA"}


def test_the_marks_beside_a_bar_stand_in_the_order_of_the_key(surveyed: Corpus) -> None:
    view = materiality.costs_view(three_policies(surveyed))
    assert view is not None
    drawn = materiality._draw_question_bar(view.questions[0]).bar
    assert (drawn.value.value, *drawn.others) == pytest.approx((0.3, 0.3, 0.6))
    key = materiality.render_key(view.policies, []).astext()
    assert key.index("skilled") < key.index("careful") < key.index("random")


def test_with_two_policies_the_page_of_costs_is_as_it_was(surveyed: Corpus) -> None:
    corpus = three_policies(surveyed)  # noqa: F811
    two = with_extras(corpus, surveys=get_surveys(corpus)[:2])
    view = materiality.costs_view(two)
    assert view is not None and view.policies == ("random", "cautious") and view.spread == ""
    said = told(two, "costs")
    assert "Averages over 4 simulated deals at each table" in said and "ways of playing" not in said
    assert "It depends on playing style (random players: 60" in said and "killed" not in said


def test_surveys_of_different_sizes_say_who_played_how_many_deals(surveyed: Corpus) -> None:
    corpus = three_policies(surveyed)  # noqa: F811
    *others, last = get_surveys(corpus)
    said = told(with_extras(corpus, surveys=(*others, replace(last, deals=65_536))), "costs")
    assert (
        "simulated deals (65,536 with skilled players, 4 with careful players and 4 with random players) at each table"
        in said
    )


def test_a_bar_says_all_its_figures_and_whose_pool_it_is_a_share_of(surveyed: Corpus) -> None:
    view = materiality.costs_view(surveyed)
    assert view is not None
    row = view.questions[0]
    assert row.cost.lead.percent in materiality.describe_figures(row.cost)
    ours = replace(view, questions=(replace(row, cost=replace(row.cost, pool_supplied=True)),))
    said, plain = (" ".join(node.astext() for node in materiality.render_costs(one)[:3]) for one in (ours, view))
    assert materiality.OUR_POOL_MARK in said and materiality.OUR_POOL_MARK not in plain


def test_each_question_has_one_place_on_the_page_in_the_chart_or_in_the_table(surveyed: Corpus) -> None:
    view = materiality.costs_view(surveyed)
    assert view is not None
    many = tuple(
        replace(view.questions[0], question=replace(view.questions[0].question, id=f"Q{n:03}"))
        for n in range(materiality.CHART_ROWS + 3)
    )
    made = materiality.render_costs(replace(view, questions=many))
    places = [at for node in made for one in node.findall(nodes.inline) for _, _, _, at in one.get(TARGET, [])]
    assert sorted(places) == [f"cost-Q{n:03}" for n in range(materiality.CHART_ROWS + 3)]


def test_a_book_that_came_after_the_survey_is_named_on_the_pages_of_costs(surveyed: Corpus) -> None:
    assert "not simulated yet" not in told(surveyed, "costs")
    before = with_extras(surveyed, surveys=(survey("random", FIRST),))
    pages = (materiality.render_costs(materiality.costs_view(before)),)
    pages += (materiality.render_cost_table(materiality.table_view(before, "AAA")),)
    for made in pages:
        assert "; not simulated yet: " in " ".join(one.astext() for one in made)


def test_a_trial_and_a_survey_of_an_earlier_state_say_so(surveyed: Corpus) -> None:
    assert "A trial: 4 deals" in told(surveyed, "surveys")
    assert "Of an earlier state: the sources have changed since" in told(surveyed, "surveys")
    mine = survey("random", FIRST, deals=costs.MIN_SURVEY_DEALS, sources=surveyed.library.rules_digest)
    said = told(with_extras(surveyed, surveys=(mine,)), "surveys")
    assert "A trial" not in said and "earlier state" not in said and "differ by exactly 0" in said


def test_an_answer_that_is_gone_since_the_survey_breaks_no_page(surveyed: Corpus) -> None:
    gone = Disagreement(Rules("AAA", ("Q999@BBB",)), (SurveyVariant(VARIANT_QUESTION, ("gone.question",), "BBB"),))
    other = with_extras(surveyed, surveys=(survey("random", seated("AAA", (gone, versus(1, 2, 3)))),))
    assert materiality.costs_view(other) is not None and told(other, "costs")
    (row,) = (row for row in materiality.table_view(other, "AAA").rows)
    assert row.stands[0].questions == ()


def test_without_a_survey_every_page_says_so(corpus: Corpus) -> None:  # noqa: F811
    assert told(corpus, "surveys") == told(corpus, "costs") == NO_SURVEY
    assert told(corpus, "distances") == told(corpus, "agenda") == "Nothing has been surveyed yet."


def test_what_is_not_surveyed_is_listed_with_the_plain_reason(surveyed: Corpus) -> None:
    assert "Nobody makes a mistake in a survey." in told(surveyed, "unsurveyed") and "Q003" in told(
        surveyed, "unsurveyed"
    )


def test_events_that_were_not_counted_are_not_held_against_what_can_be_reckoned(surveyed: Corpus) -> None:
    assert "did not count these events" in told(surveyed, "exact") and "33/4324" in told(surveyed, "exact")


def test_a_counted_event_stands_beside_its_exact_value(surveyed: Corpus) -> None:
    count = replace(FIRST.count, deals=1600, events=(12, 41, 100, *(1,) * (len(EVENTS) - 3)))
    said = told(with_extras(surveyed, surveys=(survey("random", replace(FIRST, count=count)),)), "exact")
    assert "holds the exact value" in said and "6.2500" in said and "did not count" not in said


def test_a_question_page_says_in_a_line_what_it_costs_or_why_that_is_not_known(surveyed: Corpus) -> None:
    asked = surveyed.library.questions
    line = summarise_question_cost(surveyed.library, get_surveys(surveyed), find_costs(surveyed), asked["ace.payer"])
    table, giver = (name_within(surveyed.library.sources[one]) for one in ("AAA", "BBB"))
    assert line is not None and line.weighed and format_cost_percent(0.2) in line.words
    assert f"By the rules of {table} the answer of {giver}" in line.words
    left = summarise_question_cost(surveyed.library, get_surveys(surveyed), find_costs(surveyed), asked["first.lead"])
    assert left is not None and "nobody makes a mistake" in left.words
    right = summarise_question_cost(surveyed.library, get_surveys(surveyed), find_costs(surveyed), asked["ace.amount"])
    assert right is None


# ---- how far apart
@pytest.fixture
def three(surveyed: Corpus) -> Corpus:
    """Three sources, A and B near each other, and a survey that finds them so."""
    sources = surveyed.library.sources
    library = replace(surveyed.library, sources={**sources, "CCC": replace(sources["BBB"], siglum="CCC", clauses=())})  # noqa: F811
    far = {frozenset("AB"): (1, 2, 1), frozenset("AC"): (8, 9, 8), frozenset("BC"): (7, 7, 8)}
    tables = [seated(a * 3, *((whole(b * 3), versus(*far[frozenset((a, b))])) for b in "ABC" if b != a)) for a in "ABC"]
    return with_extras(replace(surveyed, library=library), surveys=(survey("random", *tables),))


def test_the_nearest_sources_are_joined_first_and_the_tree_claims_little(three: Corpus) -> None:
    view = farness.distances_view(three)
    assert view is not None and view.measures[0].tree.shape == {frozenset(("AAA", "BBB"))} and view.trees == 3
    said = told(three, "distance-table")
    assert "right once in 3 times" in said and "not who copied whom" in said


def test_books_with_few_answers_in_common_are_not_called_near(three: Corpus) -> None:
    view = farness.distances_view(three)
    assert view is not None
    (answers,) = (one for one in view.measures if not one.ways)
    (nearest, _), (next_pair, _) = sorted(answers.far, key=lambda line: line[1])[:2]
    common = {pair: 5 if pair == nearest else 100 for pair, _ in answers.far}
    thin = replace(view, measures=(replace(answers, common=common),))
    lede = farness.render_lede(thin)[0].astext()
    marks = {one.siglum: one.within for one in view.sources}
    assert all(marks[one] in lede.partition("are nearest")[0] for one in next_pair)
    assert "(5) to call them near" in lede
    assert " of 5" in farness.render_distance_table(thin)[0].astext()


def test_the_page_begins_with_the_nearest_and_the_farthest(three: Corpus) -> None:
    marks = {one.siglum: one.within for one in farness.distances_view(three).sources}
    lede = laid_out(three, "distances")[0].astext()
    near, far = lede.partition("farthest")[0], lede.partition("nearest")[2].partition("farthest")[0]
    assert f"{marks['AAA']} and {marks['BBB']}" in near and marks["CCC"] in far


def test_the_other_ways_of_playing_have_a_line_on_the_page_of_distances(three: Corpus) -> None:
    (one,) = get_surveys(three)
    each = tuple(replace(one, policy=policy) for policy in ("random", "cautious", "skilled"))
    sure = {siglum: (3.0, 0.5) for siglum in three.library.sources}
    skilled = with_extras(proven(three, **sure), surveys=each)
    said = told(skilled, "distances")
    assert "By other ways of playing: careful players have " in said and "; random players have " in said
    assert "By money: skilled players" in said and "Skilled players lead" in said
    unsure = told(with_extras(three, surveys=each), "distances")
    assert "By money: careful players" in unsure and "Careful players lead. Skilled players would" in unsure
    assert "other ways of playing" not in told(with_extras(three, surveys=each[:2]), "distances")
    heads = farness.render_distance_table(farness.distances_view(skilled))[0].astext()
    assert heads.index("Skilled players") < heads.index("Careful players") < heads.index("Random players")


def test_the_tree_by_money_leaves_out_a_book_that_was_not_simulated_yet_and_says_so(three: Corpus) -> None:
    sources = three.library.sources
    record = {**sources["AAA"].record, "short_name": "The fourth"}
    fourth = {**sources, "DDD": replace(sources["AAA"], siglum="DDD", record=record)}
    four = replace(three, library=replace(three.library, sources=fourth))
    view = farness.distances_view(four)
    assert view is not None and view.measures[0].tree.shape == {frozenset(("AAA", "BBB"))}
    assert set(view.measures[-1].tree.leaves) == {*fourth} and view.agree == ""
    assert "not simulated yet: The fourth" in told(four, "distances")
    assert "not simulated yet" not in told(three, "distances")


def test_where_no_deal_can_be_compared_no_tree_is_drawn(three: Corpus) -> None:
    tables = [seated(a * 3, *((whole(b * 3), versus(forbidden=9)) for b in "ABC" if b != a)) for a in "ABC"]
    view = farness.distances_view(with_extras(three, surveys=(survey("random", *tables),)))
    assert view is not None and view.measures[0].tree is None and view.measures[0].ways[0].moved == "–"


# ---- the agenda
def test_doubts_are_ranked_by_what_hangs_on_them_and_the_rest_has_a_reason(surveyed: Corpus) -> None:
    view = agenda.agenda_view(surveyed)
    assert view is not None and [one.clause for one in view.doubts] == ["AAA.c002"]
    assert view.doubts[0].kinds == ("understanding",) and view.doubts[0].by == "AAA.i01"
    assert [(one.clause, one.kinds) for one in view.unsurveyed] == [("BBB.c002", ("silence",))]
    assert "nothing to compare" in view.unsurveyed[0].because


def test_the_print_settles_misprints_and_its_kin_what_words_mean(surveyed: Corpus) -> None:
    source = surveyed.library.sources["AAA"]
    listed = replace(source, record={**source.record, "bibliography": ["own", "kin"]})
    library = replace(surveyed.library, sources={**surveyed.library.sources, "AAA": listed})  # noqa: F811
    view = agenda.agenda_view(replace(surveyed, library=library, works={"own": "The print", "kin": "Its kin"}))
    assert view is not None and [work.key for work in view.doubts[0].works] == ["kin"]
    assert [(one.work.key, one.doubts) for one in view.visits] == [("kin", 1), ("own", 0)]


@pytest.mark.parametrize("siglum", SIGLA)
def test_the_first_work_of_a_record_is_the_source_itself(siglum: str) -> None:
    from pybtex.database import parse_file

    root = find_sources()
    record = (root / siglum / "source.yaml").read_text(encoding="utf-8")
    first = record.partition("bibliography:\n  - ")[2].partition("\n")[0]
    annote = str(parse_file(str(root / "bibliography.bib"), "bibtex").entries[first].fields["annote"])
    assert f"ource {siglum}" in annote or f"source {siglum}" in " ".join(annote.split())


# ---- pictures
FAR = {frozenset(("A", "B")): 1.0, frozenset(("A", "C")): 4.0, frozenset(("B", "C")): 4.0}
MARKS = {name: SourceMark(name, f"Book {name} & <b>", "1700", slot) for slot, name in enumerate("ABC", 1)}


@pytest.mark.parametrize(("most", "end"), [(2.46, 2.5), (0.93, 1.0), (0.061, 0.08), (40.0, 40.0), (0.0, 1.0)])
def test_a_scale_ends_at_a_round_tick_not_far_above_the_greatest_value(most: float, end: float) -> None:
    scale = choose_scale(most)
    assert scale.end == pytest.approx(end) and scale.ticks[0] == 0 and scale.ticks[-1] == pytest.approx(end)
    assert 2 <= len(scale.ticks) <= 6


def test_a_bar_is_as_long_as_its_value_and_others_are_marked() -> None:
    scale = choose_scale(4.0)
    svg = etree.fromstring(draw_bar(scale, DrawnValue(Estimate(1, 0.5, 2), (3.0,), "25 & <more>")).astext())
    assert svg.find("rect[@class='rv-bar']").get("width") == "25.00%"
    assert svg.find("rect[@class='rv-mark-1']").get("x") == "75.00%"
    line = svg.find("line[@class='rv-interval']")
    assert (line.get("x1"), line.get("x2")) == ("12.50%", "50.00%")
    assert svg.findtext("title") == svg.get("aria-label") == "25 & <more>"


def test_a_tree_joins_the_nearest_at_their_distance_and_names_every_leaf() -> None:
    made = tree_figure(build_distance_tree("ABC", FAR), MARKS, ["Far"], "C, then A and B")
    drawn = etree.fromstring(next(iter(made.findall(nodes.raw))).astext())
    uprights = [one for one in drawn.iter("line") if one.get("x1") == one.get("x2") and not one.get("class")]
    assert {one.get("x1") for one in uprights} == {"75.00%", "0.00%"}
    assert all(mark.name in made.astext() for mark in MARKS.values())


# ---- built
PAGE = """# Costs

```{reversis:surveys}
```
```{reversis:costs}
```
```{reversis:fold} Who plays
*Anybody* may.
```
```{reversis:exact}
```
```{reversis:unsurveyed}
```
"""


@pytest.mark.slow
def test_pages_lead_to_each_other_and_the_data_lie_beside_them(
    build: Build,  # noqa: F811
    surveyed: Corpus,
    tmp_path: Path,
) -> None:
    index = tmp_path / "hand" / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + "\n```{toctree}\ncosts\n```\n", encoding="utf-8")
    (tmp_path / "hand" / "costs.md").write_text(PAGE, encoding="utf-8")
    out = build(surveyed)
    made = page(out / "costs.html")
    assert {"survey/random.json", "survey/random.csv", "questions/Q001.html#Q001"} <= links(made)
    assert json.loads((out / "survey" / "random.json").read_text(encoding="utf-8"))["deals"] == 4
    with (out / "survey" / "random.csv").open(encoding="utf-8", newline="") as opened:
        assert len(list(csv.reader(opened))) == 1 + 4 + 2
    assert "../costs.html#cost-Q001" in links(page(out / "questions" / "Q001.html"))
    assert any(one.startswith("../costs/AAA.html") for one in links(page(out / "sources" / "AAA.html")))
    assert made.xpath("//details[summary='Who plays']//em")[0].text == "Anybody"
    assert at(made, "cost-Q001") is not None and at(page(out / "costs" / "AAA.html"), "costs-AAA") is not None
    assert all(one.get("scope") for one in made.xpath("//article//th")) and made.xpath("//article//table/caption")


# ---- the edition's own
@pytest.mark.slow
def test_the_pages_need_neither_compiler_nor_column_files() -> None:
    """The extra `survey` is for whoever makes a survey, not for whoever reads one."""
    words = "import sys, reversis.views.pages; print({'numba', 'pyarrow'} & set(sys.modules))"
    asked = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "set()"


def test_every_page_can_be_made_of_what_is_stored(library: Library) -> None:  # noqa: F811
    found, problems = read_surveys(find_sources())
    assert found and not problems and all(one.policy in costs.POLICY_HEADINGS for one in found)


def test_a_survey_that_leads_is_called_no_trial_however_few_its_deals(surveyed: Corpus) -> None:
    cautious = replace(get_surveys(surveyed)[0], policy="cautious")
    both = with_extras(surveyed, surveys=(get_surveys(surveyed)[0], cautious))
    ahead, behind = (
        " ".join(one.astext() for one in ALL_RENDERERS["surveys"]((view,))) for view in reversed(survey_views(both))
    )
    assert "A trial" in behind and "A trial" not in ahead
    assert "4 deals at each table: what happens rarely is a rough guess in them" in ahead
    assert "rough guess" not in behind


def test_the_cautious_way_of_playing_stands_on_the_page_as_the_program_has_it(corpus: Corpus) -> None:  # noqa: F811
    rows = ALL_VIEWS["policies"](corpus, "")
    assert len(rows) == len(Would)
    (page,) = ALL_RENDERERS["policies"](rows)
    words = page.astext()
    assert "It is thrown on another suit." in words
    for row in rows:
        assert f"{row.says[:1].upper()}{row.says[1:]}." in words
        assert str(row.quinola) in words and {"A", "2"} < {*dict(row.ranks)}
        assert all(f"{rank}: {worth}" in words for rank, worth in row.ranks)
    assert "T: " not in words  # a survey plays without the tens
