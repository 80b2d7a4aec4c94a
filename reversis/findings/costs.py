"""Costs of disagreements, from the stored surveys: look-up, ranking and wording.

Nothing is played here. Every figure is a share of the opening pool of the source at whose table it was counted, so that
tables can be set side by side; counters of different sources are counted one to one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isinf, log10

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.text.answers import name_within
from engine.generation.turn import SEAT_NAMES
from engine.session.session import begin
from lab.survey import variants
from lab.survey.request import SURVEY_SEATS
from lab.survey.statistics import Weight, estimate_weight
from reversis.files.extras import get_surveys
from reversis.files.surveys import StoredSurvey
from reversis.findings.leading import sort_policies
from reversis.words.foreign_sums import list_foreign_sums
from rulebook.estimates import Estimate
from rulebook.model import Library, Question
from rulebook.phrases import format_count, join_names
from rulebook.resolve import resolve

MIN_SURVEY_DEALS = 100_000  #: with fewer deals a survey is a trial
FEWEST_SETTLED = 100  #: deals settled both ways, below which a mean is not set beside others

#: A policy in a few words, as a column is headed.
POLICY_HEADINGS: Mapping[str, str] = {
    "random": "Random players",
    "cautious": "Careful players",
    "skilled": "Skilled players",
}


@dataclass(frozen=True, slots=True)
class DisagreementCost:
    """One disagreement at one table: what it stands for, and its weight under every policy."""

    table: str  #: siglum of the source by whose rules the cards are played
    ruleset: str
    stands: tuple[variants.SurveyVariant, ...]
    weights: tuple[tuple[str, Weight], ...]  #: policy -> figures; the last leads at this table
    pool_supplied: bool = False  #: whether the pool, of which all figures are shares, is ours
    assumed: frozenset[tuple[str, str]] = frozenset()  #: sigla with slugs of what they do not answer themselves
    of_exchange: bool = False  #: it is about the exchange alone, which settling the same cards anew cannot show

    @property
    def whole(self) -> bool:
        """True if it is another source altogether."""
        return any(stand.kind == variants.VARIANT_SOURCE for stand in self.stands)

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that it is about, by their slugs."""
        return tuple(dict.fromkeys(slug for stand in self.stands for slug in stand.questions))

    def list_assumed(self, slug: str) -> frozenset[str]:
        """List the sides that do not answer a question themselves: the table, and whose answer it takes."""
        return frozenset(siglum for siglum in self._list_sides(slug) if (siglum, slug) in self.assumed)

    def is_between_assumptions(self, slug: str) -> bool:
        """Return whether no side answers a question itself."""
        return self.list_assumed(slug) == {*self._list_sides(slug)}

    def _list_sides(self, slug: str) -> tuple[str, ...]:
        givers = (
            variant.source
            for variant in self.stands
            if variant.kind == variants.VARIANT_QUESTION and slug in variant.questions
        )
        return (self.table, *givers)

    def of(self, policy: str) -> Weight | None:
        """Its figures under one policy; none where that was not surveyed."""
        return dict(self.weights).get(policy)


NOT_VISIBLE = "not visible this way"  #: of an exchange: the same cards are settled again, whoever had exchanged them
OUR_POOL = "whose opening pool is our assumption"  #: said wherever a share of such a pool stands


def is_pool_supplied(library: Library, siglum: str) -> bool:
    """Return True if the pool before a source's first deal is our assumption."""
    ruleset = resolve(library, siglum)
    asked = begin(ruleset, SEAT_NAMES[SURVEY_SEATS], SURVEY_SEATS - 1).asked
    return any(ruleset.rulings[slug].supplied for slug in asked if slug in ruleset.rulings)


def pools_note(names: Sequence[str]) -> str:
    """Return a caveat on shares of pools that we supply; empty where the sources name them all."""
    if not names:
        return ""
    pools, books = ("pools ({}) are", "books do") if len(names) > 1 else ("pool ({}) is", "book does")
    return (
        f"The opening {pools.format(join_names(names))} our assumption: the {books} not say what is put in before the "
        "first deal. Every share of such a pool, and every distance made of such shares, rests on it."
    )


def describe_supplied_pools(corpus: Corpus, sigla: Collection[str] = ()) -> str:
    """Caveat on the pools that we supply, for all sources or some, by their short names."""
    wanted = [pool for pool in find_supplied_pools(corpus) if not sigla or pool in sigla]
    return pools_note([corpus.library.sources[siglum].short_name for siglum in wanted])


def describe_mixed_scales(corpus: Corpus) -> str:
    """Caveat on shares of pools where a book's sums are partly taken over in another counter; empty for no book."""
    names = [
        source.short_name
        for siglum, source in corpus.library.sources.items()
        if list_foreign_sums(corpus.library, siglum)
    ]
    if not names:
        return ""
    verb, whose = ("take", "their tables") if len(names) > 1 else ("takes", "its table")
    return (
        f"{join_names(names)} {verb} some sums over from a book that counts in another counter, number for number: "
        f"every share of a pool at {whose}, and every distance made of such shares, mixes two scales."
    )


@cached_on_corpus
def find_supplied_pools(corpus: Corpus) -> tuple[str, ...]:
    """Return the sources at whose tables surveys were played with an opening pool that we supply."""
    tables = dict.fromkeys(table.siglum for survey in get_surveys(corpus) for table in survey.tables)
    return tuple(
        table for table in tables if table in corpus.library.sources and is_pool_supplied(corpus.library, table)
    )


@cached_on_corpus
def find_costs(corpus: Corpus) -> tuple[DisagreementCost, ...]:
    """Return every disagreement at every table, with its cost; a table's own rules are no disagreement."""
    supplied = find_supplied_pools(corpus)
    weights_by_name: dict[tuple[str, str], tuple[tuple[variants.SurveyVariant, ...], dict[str, Weight]]] = {}
    for survey in get_surveys(corpus):
        for seated in survey.tables:
            for each, count in seated.priced:
                had = weights_by_name.setdefault((seated.siglum, str(each.rules)), (each.stands, {}))
                had[1][survey.policy] = estimate_weight(count, seated.pool)
    costs = (
        DisagreementCost(
            *name,
            stands,
            list_weights(weights, sort_policies(corpus, name[:1])),
            name[0] in supplied,
            frozenset(_list_assumed(corpus, name[0], stands)),
            _is_of_exchange(corpus.library, stands),
        )
        for name, (stands, weights) in weights_by_name.items()
    )
    return tuple(cost for cost in costs if all(stand.kind != variants.VARIANT_ITSELF for stand in cost.stands))


def _list_assumed(corpus: Corpus, table: str, stands: Iterable[variants.SurveyVariant]) -> Iterator[tuple[str, str]]:
    """Yield the questions that the table, or whose answer is taken, does not answer itself."""
    sides = ((siglum, slug) for stand in stands for siglum in (table, stand.source) for slug in stand.questions)
    yield from (side for side in sides if not corpus.answers_itself(*side))


def _is_of_exchange(library: Library, stands: Iterable[variants.SurveyVariant]) -> bool:
    slugs = {slug for stand in stands for slug in stand.questions}
    return bool(slugs) and all(
        slug in library.questions and library.questions[slug].affects == "deal" for slug in slugs
    )


def list_weights(weights: Mapping[str, Weight], policies: Iterable[str]) -> tuple[tuple[str, Weight], ...]:
    """List figures in the order of some policies, so far as these were surveyed."""
    return tuple((policy, weights[policy]) for policy in policies if policy in weights)


def get_cost_sort_key(cost: DisagreementCost, policy: str) -> tuple[float, float]:
    """Sort key for the costliest disagreement under a policy; negative if not surveyed."""
    weight = cost.of(policy)
    return weight.heft if weight else (-1.0, -1.0)


# ---- looked up
def find_alternative_cost(these: Iterable[DisagreementCost], id: str) -> DisagreementCost | None:
    """Find the cost of a rival interpretation or an option, at its source's table."""
    kinds = variants.VARIANT_INTERPRETATION, variants.VARIANT_OPTION
    return next((c for c in these if any(s.alternative == id and s.kind in kinds for s in c.stands)), None)


def find_question_costs(these: Iterable[DisagreementCost], slug: str, table: str = "") -> Iterator[DisagreementCost]:
    """Yield the costs of other sources' answers to a question, at all tables or one."""
    for cost in these:
        if table in ("", cost.table) and any(
            s.kind == variants.VARIANT_QUESTION and slug in s.questions for s in cost.stands
        ):
            yield cost


def find_pair_costs(surveys: Iterable[StoredSurvey], table: str, other: str) -> Iterator[tuple[str, Weight]]:
    """Yield what all rules of another source cost at a table, with the policy of the players."""
    for policy, stands, weight in _list_weights(surveys, table):
        if any(stand.kind == variants.VARIANT_SOURCE and stand.source == other for stand in stands):
            yield policy, weight


def find_answer_costs(surveys: Iterable[StoredSurvey], table: str, other: str) -> Mapping[str, Weight]:
    """Return what each single answer of another source costs at a table, by slug, under the first policy surveyed."""
    costs: dict[str, Weight] = {}
    for _, stands, weight in _list_weights(surveys, table):
        for stand in stands:
            if stand.kind == variants.VARIANT_QUESTION and stand.source == other and stand.questions:
                costs.setdefault(stand.questions[0], weight)
    return costs


def _list_weights(
    surveys: Iterable[StoredSurvey], table: str
) -> Iterator[tuple[str, tuple[variants.SurveyVariant, ...], Weight]]:
    for survey in surveys:
        for seated in (candidate for candidate in survey.tables if candidate.siglum == table):
            for each, count in seated.priced:
                yield survey.policy, each.stands, estimate_weight(count, seated.pool)


def explain_unsurveyed(surveys: Sequence[StoredSurvey], alternative: str = "", slug: str = "") -> str:
    """Reason why something was not surveyed; empty where it was, or where nothing differs."""
    for left_out in (
        omission for survey in surveys for seated in survey.tables for omission in seated.weighed.left_out
    ):
        if (alternative and left_out.stand.alternative == alternative) or (
            slug and left_out.stand.kind == variants.VARIANT_QUESTION and slug in left_out.stand.questions
        ):
            return variants.UNSURVEYED_REASONS[left_out.because]
    return ""


# ---- in words
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def format_cost_figure(value: float) -> str:
    """Format a number with two significant digits, never as a power of ten."""
    if value <= 0:
        return "0"
    places = max(0, 1 - floor(log10(value)))
    return f"{value:,.{places}f}"


def format_cost_percent(value: float) -> str:
    """Format a share as a percentage; only a full share is given as 100."""
    return f"{'>99' if 0.995 <= value < 1 else format_cost_figure(value * 100)}{THIN_SPACE}%"


def format_cost_interval(estimate: Estimate) -> str:
    """Format the interval of a share, in hundredths."""
    if isinf(estimate.high):
        return "unknown"
    width = estimate.high - estimate.low
    if places := (max(0, min(6, -floor(log10(width * 100)))) if width > 0 else 0):
        return f"{estimate.low * 100:,.{places}f} to {estimate.high * 100:,.{places}f}"
    return f"{format_cost_figure(estimate.low * 100)} to {format_cost_figure(estimate.high * 100)}"


def format_cost_frequency(share: float) -> str:
    """Frequency of deals in plain words: "nearly every deal", "47 % of deals", "1 deal in 21"."""
    if share >= 0.995:
        return "nearly every deal" if share < 1 else "every deal"
    return f"1 deal in {round(1 / share):,}" if share < 0.1 else f"{format_cost_percent(share)} of deals"


def describe_no_cost(cost: DisagreementCost, weight: Weight) -> str:
    """Say in two or three words why no money moves."""
    return "not known" if not weight.known else NOT_VISIBLE if cost.of_exchange else "none seen"


def describe_cost(cost: DisagreementCost, weight: Weight) -> str:
    """State in a sentence what the figures under one policy come to."""
    if not weight.deals:
        return "No deal could be settled both ways."
    if cost.of_exchange and not weight.moving:
        return f"{NOT_VISIBLE.capitalize()}: the same cards are settled again, and the exchange lies before them."
    if not weight.events:
        return f"Not seen once: it matters in at most 1 deal in {round(1 / weight.at_most):,}."
    matters = (
        f"It matters in {format_cost_frequency(weight.moving / weight.settled)}, moving "
        f"{format_cost_figure(weight.when)} counters on average"
        if weight.moving
        else ""
    )
    few = f" (only {format_count(weight.moving, 'such deal')}: a rough guess)" if weight.few else ""
    forbids = (
        f"the play is forbidden in {format_cost_frequency(weight.forbidden.value)}" if weight.forbidden.value else ""
    )
    words = "; ".join(part for part in (matters + few, forbids) if part)
    return f"{words[:1].upper()}{words[1:]}."


# ---- one question in a line
@dataclass(frozen=True, slots=True)
class CostLine:
    """Upper bound of a question's cost, or the reason why it is not known."""

    words: str
    weighed: bool


def summarise_question_cost(
    library: Library, surveys: Sequence[StoredSurvey], these: Iterable[DisagreementCost], question: Question
) -> CostLine | None:
    """Upper bound of the cost of another source's answer; None where no source has another. The last survey leads."""
    every = list(find_question_costs(these, question.slug))
    mine = [cost for cost in every if not cost.is_between_assumptions(question.slug)]
    if not mine:
        because = explain_unsurveyed(surveys, slug=question.slug)
        words = f"What the disagreement costs was not surveyed: {because}."
        return CostLine(words, False) if because and not question.not_played else None
    lead = next(survey.policy for survey in reversed(surveys) if any(cost.of(survey.policy) for cost in mine))
    costliest = max((cost for cost in mine if cost.of(lead)), key=lambda cost: get_cost_sort_key(cost, lead))
    weights = list_weights(dict(costliest.weights), (survey.policy for survey in reversed(surveys)))
    figures = "; ".join(_describe_policy_cost(costliest, policy, weight) for policy, weight in weights)
    words = (
        f"{_describe_exchange(library, costliest, question.slug)} would move, as a share of the opening pool per deal"
    )
    players = POLICY_HEADINGS.get(lead, lead).lower()
    least = f"No other answer of another book to this question moves more, at any table, with {players}."
    least += " Our assumptions for two books that are both silent are not compared." if len(mine) < len(every) else ""
    return CostLine(f"{words}: {figures}. {least}", True)


def _describe_exchange(library: Library, cost: DisagreementCost, slug: str) -> str:
    """Name the table and the books whose answer is taken there."""
    ours = cost.list_assumed(slug)
    whose = " or ".join(
        name_within(library.sources[stand.source]) + (" (our assumption)" if stand.source in ours else "")
        for stand in cost.stands
        if stand.kind == variants.VARIANT_QUESTION and slug in stand.questions and stand.source in library.sources
    )
    table = name_within(library.sources[cost.table]) if cost.table in library.sources else cost.table
    table += " (its own answer is our assumption)" if cost.table in ours else ""
    pool = f", {OUR_POOL}," if cost.pool_supplied else ""
    return f"By the rules of {table}{pool} the answer of {whose}"


def _describe_policy_cost(cost: DisagreementCost, policy: str, weight: Weight) -> str:
    share = weight.forbidden.value
    moves = format_cost_percent(weight.of_pool.value) if weight.moving else describe_no_cost(cost, weight)
    forbidden = f", and {format_cost_percent(share)} of deals forbidden" if share else ""
    how = POLICY_HEADINGS.get(policy, policy).lower()
    return f"{how} {moves}{forbidden}"
