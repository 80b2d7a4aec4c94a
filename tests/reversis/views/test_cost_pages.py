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

from edition.corpus.corpus import Corpus
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
from reversis.files.strength import MATCH_DEALS, NET_AHEAD, NET_MATCH
from reversis.files.surveys import Seated, StoredSurvey
from reversis.findings import costs
from reversis.findings.costs import (
    DisagreementCost,
    describe_cost,
    describe_no_cost,
    find_costs,
    format_cost_percent,
    summarise_question_cost,
)
from reversis.findings.leading import sort_surveys
from reversis.views.surveys import costs as materiality
from reversis.views.surveys import distances as farness
from rulebook import __version__
from rulebook.receipts import Receipt
from tests.edition.views.test_views import Build, at, build, corpus, library, links, page, text  # noqa: F401
from tests.reversis.views.test_costs import versus
from tests.support.library import with_extras
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS

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


def test_what_an_exchange_costs_cannot_be_seen_by_settling_the_same_cards_again() -> None:
    nothing = estimate_weight(versus(*[0] * 300), 10)
    exchange, other = (DisagreementCost("AAA", "AAA", (), (), of_exchange=of) for of in (True, False))
    assert describe_no_cost(exchange, nothing) == "not visible this way"
    assert describe_cost(exchange, nothing).startswith("Not visible this way: the same cards are settled again")
    assert describe_no_cost(other, nothing) == "none seen"


def test_at_the_tables_of_the_edition_no_exchange_is_said_to_cost_nothing(surveyed_edition: Corpus) -> None:
    sigla = surveyed_edition.library.sources
    rows = [row for siglum in sigla for row in materiality.table_view(surveyed_edition, siglum).rows]
    who = [
        row
        for row in rows
        if row.label.stands[0].questions and {question.id for question in row.label.stands[0].questions} == {"Q007"}
    ]
    said = {row.format_percent(policy) for row in who for policy, _ in row.figures}
    assert "not visible this way" in said and said <= {"not visible this way", "not known"}


# ---- the costs


def strength(sources: str = "", **leads: tuple[float, float]) -> Receipt:
    """A receipt of strength that says by how much the net of each source wins from three cautious, with the margin."""
    figures = {
        siglum: {NET_MATCH: {MATCH_DEALS: 100, NET_AHEAD: mean, MARGIN: margin}}
        for siglum, (mean, margin) in leads.items()
    }
    rest = {"first pool": {"AAA": 8}, "AAA, last four tricks": {"net": {"regret a deal": 1.0, MARGIN: 0.5}}}
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
    assert [policy for policy, _ in view.questions[0][2].figures] == [*view.policies]
    assert view.questions[0][2].format_percent(view.policies[-1]) == format_cost_percent(0.3)
    said = told(corpus, "costs")
    near = f"agree to within {format_cost_percent(0.15)} on"
    assert f"skilled players and careful players {near} 1 of the 1 differences that move money with both" in said
    assert (
        f"skilled players and random players {near} 0 of the 1 differences that move money with both; half of "
        "the 1 are no more than 2.0" in said
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
    assert {cost.figures[-1][0] for _, _, cost in view.questions} == {page}
    for siglum, lead in (("AAA", first), ("BBB", second)):
        table = materiality.table_view(corpus, siglum)
        assert table is not None and table.policies[-1] == lead
        assert table.rows and {row.figures[-1][0] for row in table.rows} == {lead}
    payer = next(cost for cost in find_costs(corpus) if "Q001" in cost.ruleset)
    assert payer.weights[-1][0] == first
    line = summarise_question_cost(
        corpus.library, sort_surveys(corpus), find_costs(corpus), corpus.library.questions["ace.payer"]
    )
    assert line is not None and f"moves more, at any table, with {costs.POLICY_HEADINGS[page].lower()}." in line.words


def test_a_trial_and_a_survey_of_an_earlier_state_say_so(surveyed: Corpus) -> None:
    assert "A trial: 4 deals" in told(surveyed, "surveys")
    assert "; the sources have changed since." in told(surveyed, "surveys")
    mine = survey("random", FIRST, deals=costs.MIN_SURVEY_DEALS, sources=surveyed.library.rules_digest)
    said = told(with_extras(surveyed, surveys=(mine,)), "surveys")
    assert "A trial" not in said and "have changed since" not in said and "differ by exactly 0" in said


def test_an_answer_that_is_gone_since_the_survey_breaks_no_page(surveyed: Corpus) -> None:
    gone = Disagreement(Rules("AAA", ("Q999@BBB",)), (SurveyVariant(VARIANT_QUESTION, ("gone.question",), "BBB"),))
    other = with_extras(surveyed, surveys=(survey("random", seated("AAA", (gone, versus(1, 2, 3)))),))
    assert materiality.costs_view(other) is not None and told(other, "costs")
    (row,) = (row for row in materiality.table_view(other, "AAA").rows)
    assert row.label.stands[0].questions == ()


def test_without_a_survey_every_page_says_so(corpus: Corpus) -> None:  # noqa: F811
    assert told(corpus, "surveys") == told(corpus, "costs") == NO_SURVEY
    assert told(corpus, "distances") == told(corpus, "agenda") == "Nothing has been surveyed yet."


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


@pytest.mark.slow
def test_where_both_books_are_silent_our_assumptions_are_not_ranked_and_one_side_alone_is_hollow(
    surveyed_edition: Corpus,
) -> None:
    real, view = surveyed_edition.library, materiality.costs_view(surveyed_edition)
    assert view is not None
    slugs = {question.id: slug for slug, question in real.questions.items()}
    for asked, _, row in view.questions:
        sides = {
            mark.siglum: surveyed_edition.answers_itself(mark.siglum, slugs[asked.id])
            for mark in (row.table, *row.label.givers)
        }
        assert any(sides.values()) and row.assumed == {siglum for siglum, speaks in sides.items() if not speaks}
    (opposite,) = (row for asked, _, row in view.questions if asked.id == "Q066")
    assert opposite.table.siglum == "GER" and opposite.assumed == {"GER", "MEY", "PIE"}
    drawn = [str(node) for node in materiality.draw_question_chart(view.charted).findall(nodes.inline)]
    assert any("rv-pale" in mark for mark in drawn)
    line = summarise_question_cost(
        real, get_surveys(surveyed_edition), find_costs(surveyed_edition), real.question("Q031")
    )
    assert line is not None and "the answer of the German treatise" not in line.words
    assert "Our assumptions for two books that are both silent are not compared." in line.words


@pytest.mark.slow
def test_a_rough_guess_is_called_so_in_sight_and_a_bar_is_read_once(surveyed_edition: Corpus) -> None:
    guesses = 0
    for siglum in surveyed_edition.library.sources:
        view = materiality.table_view(surveyed_edition, siglum)
        if view is None:
            continue
        chart = materiality.draw_table_chart(view.rows)
        drawn = [raw.astext() for raw in chart.findall(nodes.raw) if "rv-bar-row" in raw.astext()]
        assert drawn and all('aria-hidden="true"' in bar and "aria-label" not in bar for bar in drawn)
        lines = [part.astext() for part in chart.findall(nodes.inline) if "rv-cost-notes" in str(part)[:80]]
        few = sum(row.figures[-1][1].few for row in view.rows)
        assert sum("a rough guess" in line for line in lines) == few, siglum
        guesses += few
    assert guesses


# ---- how far apart
@pytest.fixture
def three(surveyed: Corpus) -> Corpus:
    """Three sources, A and B near each other, and a survey that finds them so."""
    sources = surveyed.library.sources
    library = replace(surveyed.library, sources={**sources, "CCC": replace(sources["BBB"], siglum="CCC", clauses=())})  # noqa: F811
    far = {frozenset("AB"): (1, 2, 1), frozenset("AC"): (8, 9, 8), frozenset("BC"): (7, 7, 8)}
    tables = [seated(a * 3, *((whole(b * 3), versus(*far[frozenset((a, b))])) for b in "ABC" if b != a)) for a in "ABC"]
    return with_extras(replace(surveyed, library=library), surveys=(survey("random", *tables),))


def test_books_with_few_answers_in_common_are_not_called_near(three: Corpus) -> None:
    view = farness.distances_view(three)
    assert view is not None
    (answers,) = (measure for measure in view.measures if not measure.ways)
    (nearest, _), (next_pair, _) = sorted(answers.far, key=lambda line: line[1])[:2]
    common = {pair: 5 if pair == nearest else 100 for pair, _ in answers.far}
    thin = replace(view, measures=(replace(answers, common=common),))
    lede = farness.render_lede(thin)[0].astext()
    marks = {source.siglum: source.within for source in view.sources}
    assert all(marks[one] in lede.partition("are nearest")[0] for one in next_pair)
    assert "(5) to call them near" in farness.render_lede(thin)[1].astext()
    assert " of 5" in farness.render_distance_table(thin)[0].astext()


def test_a_direction_with_few_settled_deals_is_not_counted_and_its_pair_is_one_way(three: Corpus) -> None:
    """Of 100 deals of C, A settles three, which would count half; B settles them all."""
    deals = {"AB": [1] * 100, "AC": [5] * 100, "CA": [1] * 3}
    moved = {(a, b): versus(*deals.get(a + b, [4] * 100), forbidden=97 * (a + b == "CA")) for a in "ABC" for b in "ABC"}
    tables = [seated(a * 3, *((whole(b * 3), moved[a, b]) for b in "ABC" if b != a)) for a in "ABC"]
    corpus = with_extras(three, surveys=(survey("random", *tables),))  # noqa: F811
    view = farness.distances_view(corpus)
    assert view is not None
    money = view.measures[0]
    assert dict(money.far)["AAA", "CCC"] == 0.5 and money.thin == (("AAA", "CCC"),) and money.tree is None
    assert "The other 1 pair is measured one way only" in farness.render_lede(view)[1].astext()
    assert "(100 + 3, one way)" in farness.render_distance_table(view)[0].astext().replace("\N{NO-BREAK SPACE}", " ")
    row = next(row for row in materiality.table_view(corpus, "CCC").whole if row.label.givers[0].siglum == "AAA")
    assert materiality.describe_frequency(row.figures[-1][1]) == "only 3 deals of 100 settled by both"


# ---- built
PAGE = """# Costs

```{edition:surveys}
```
```{edition:costs}
```
```{edition:fold} Who plays
*Anybody* may.
```
```{edition:exact}
```
```{edition:unsurveyed}
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
    assert any(link.startswith("../costs/AAA.html") for link in links(page(out / "sources" / "AAA.html")))
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


def test_every_page_can_be_made_of_what_is_stored(surveyed_edition: Corpus) -> None:
    assert {one.policy for one in get_surveys(surveyed_edition)} <= {*costs.POLICY_HEADINGS}


def test_the_cautious_way_of_playing_stands_on_the_page_as_the_program_has_it(corpus: Corpus) -> None:  # noqa: F811
    rows = ALL_VIEWS["policies"](corpus, "")
    assert len(rows) == len(Would)
    (page,) = ALL_RENDERERS["policies"](rows)
    words = page.astext()
    assert "It is thrown on another suit." in words
    for _, says, ranks, quinola in rows:
        assert f"{says[:1].upper()}{says[1:]}." in words
        assert str(quinola) in words and {"A", "2"} < {*dict(ranks)}
        assert all(f"{rank}: {worth}" in words for rank, worth in ranks)
    assert "T: " not in words  # a survey plays without the tens
