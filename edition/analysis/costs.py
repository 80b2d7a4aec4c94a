"""What disagreements cost, as the stored surveys have it: looked up, ranked and put into words for every page.

Nothing is played here. Every figure is a share of the opening pool of the source at whose table it was counted, so that
tables can be set side by side; counters of different sources are counted one to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isinf, log10

from edition.corpus.corpus import Corpus, computed
from edition.data.surveys import Survey
from edition.text.answers import plural
from edition.text.events import joined
from engine.generation.turn import SEATS as NAMES
from engine.session.session import begin
from engine.survey.request import SEATS
from engine.survey.statistics import Estimate, Place, Weight, ranked, weight
from engine.survey.variants import INTERPRETATION, ITSELF, OPTION, QUESTION, SOURCE, UNSURVEYED, Stand
from rulebook.model import Library, Question
from rulebook.resolve import resolve

ENOUGH = 100_000  #: with fewer deals a survey is a trial

#: A policy in a few words, as a column is headed.
POLICIES: Mapping[str, str] = {"random": "Played at random", "cautious": "Played with caution"}


@dataclass(frozen=True, slots=True)
class Cost:
    """One disagreement at one table: what it stands for, and its weight under every policy."""

    table: str  #: siglum of the source by whose rules the cards are played
    ruleset: str
    stands: tuple[Stand, ...]
    weights: tuple[tuple[str, Weight], ...]  #: policy -> figures
    pool_supplied: bool = False  #: whether the pool, of which all figures are shares, is ours

    @property
    def at_table(self) -> str:
        """The table, with a word on its pool where that is ours."""
        return with_pool(self.table, self.pool_supplied)

    @property
    def whole(self) -> bool:
        """Whether it is another source altogether."""
        return any(stand.kind == SOURCE for stand in self.stands)

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that it is about, by their slugs."""
        return tuple(dict.fromkeys(slug for stand in self.stands for slug in stand.questions))

    @property
    def heaviest(self) -> Estimate:
        """How much of the pool it moves in a deal, under the policy under which it moves most."""
        return max((figures.of_pool for _, figures in self.weights), key=lambda one: one.value)

    def of(self, policy: str) -> Weight | None:
        """Its figures under one policy; none where that was not surveyed."""
        return dict(self.weights).get(policy)


OUR_POOL = "whose pool we supply"  #: said wherever a share of such a pool stands


def with_pool(table: str, supplied: bool) -> str:
    """A table, with a word on its pool where that is ours."""
    return f"{table}, {OUR_POOL}," if supplied else table


def pool_supplied(library: Library, siglum: str) -> bool:
    """Whether the opening pool of a source rests on an answer that we supply."""
    ruleset = resolve(library, siglum)
    asked = begin(ruleset, NAMES[SEATS], SEATS - 1).asked
    return any(ruleset.rulings[slug].supplied for slug in asked if slug in ruleset.rulings)


def pools_note(sigla: Sequence[str]) -> str:
    """A caveat on shares of pools that we supply; nothing where the sources name them all."""
    if not sigla:
        return ""
    pools, sources = ("pools", "sources do") if len(sigla) > 1 else ("pool", "source does")
    return (
        f"We supply the opening {pools} of {joined(sigla)}: the {sources} not say what is put in before the "
        "first deal. Every share of such a pool, and every distance made of such shares, rests on our assumption."
    )


@computed
def find_supplied_pools(corpus: Corpus) -> tuple[str, ...]:
    """Return the sources at whose tables surveys were played with an opening pool that we supply."""
    tables = dict.fromkeys(one.siglum for survey in corpus.surveys for one in survey.tables)
    return tuple(one for one in tables if one in corpus.library.sources and pool_supplied(corpus.library, one))


@computed
def find_costs(corpus: Corpus) -> tuple[Cost, ...]:
    """Return every disagreement at every table, with its cost; a table's own rules are no disagreement."""
    supplied = find_supplied_pools(corpus)
    found: dict[tuple[str, str], tuple[tuple[Stand, ...], dict[str, Weight]]] = {}
    for survey in corpus.surveys:
        for seated in survey.tables:
            for each, count in seated.priced:
                had = found.setdefault((seated.siglum, str(each.rules)), (each.stands, {}))
                had[1][survey.policy] = weight(count, seated.pool)
    made = (
        Cost(*name, stands, tuple(weights.items()), name[0] in supplied) for name, (stands, weights) in found.items()
    )
    return tuple(one for one in made if all(stand.kind != ITSELF for stand in one.stands))


def by_weight(these: Iterable[Cost], policy: str) -> tuple[Place[Cost], ...]:
    """The disagreements that were surveyed under a policy, the dearest first, each with the ranks it may have."""
    known = [one for one in these if (found := one.of(policy)) is not None and found.known]
    return ranked(known, lambda one: of_pool(one, policy))


def heft(one: Cost, policy: str) -> tuple[float, float]:
    """By what the dearest is chosen under a policy; less than nothing where it was not surveyed."""
    found = one.of(policy)
    return found.heft if found else (-1.0, -1.0)


def of_pool(one: Cost, policy: str) -> Estimate:
    """How much of the pool it moves in a deal, under one policy."""
    found = one.of(policy)
    assert found is not None
    return found.of_pool


# ---- looked up
def of_alternative(these: Iterable[Cost], id: str) -> Cost | None:
    """What a rival interpretation or an option costs at the table of its source."""
    kinds = (INTERPRETATION, OPTION)
    return next((c for c in these if any(s.alternative == id and s.kind in kinds for s in c.stands)), None)


def of_question(these: Iterable[Cost], slug: str, table: str = "") -> Iterator[Cost]:
    """What other sources' answers to a question cost, at every table or at one."""
    for one in these:
        if table in ("", one.table) and any(s.kind == QUESTION and slug in s.questions for s in one.stands):
            yield one


def left_out(surveys: Sequence[Survey], alternative: str = "", slug: str = "") -> str:
    """Why something was not surveyed, in a plain word; empty where it was, or where no source says otherwise."""
    for one in (one for survey in surveys for seated in survey.tables for one in seated.weighed.left_out):
        if (alternative and one.stand.alternative == alternative) or (
            slug and one.stand.kind == QUESTION and slug in one.stand.questions
        ):
            return UNSURVEYED[one.because]
    return ""


# ---- in words
THIN = "\N{NARROW NO-BREAK SPACE}"


def figure(value: float) -> str:
    """A number with two digits that tell something, never as a power of ten."""
    if value <= 0:
        return "0"
    places = max(0, 1 - floor(log10(value)))
    return f"{value:,.{places}f}"


def almost(share: float) -> str:
    """A share in hundredths, of which a hundred means all and nothing less."""
    return ">99" if 0.995 <= share < 1 else figure(share * 100)


def percent(value: float) -> str:
    """A share, in hundredths."""
    return f"{almost(value)}{THIN}%"


def interval(one: Estimate) -> str:
    """The interval of a share, in hundredths."""
    if isinf(one.high):
        return "unknown"
    places = digits(one.high - one.low)
    return f"{one.low * 100:,.{places}f} to {one.high * 100:,.{places}f}" if places else whole_numbers(one)


def digits(width: float) -> int:
    """How many places after the point tell the ends of an interval apart."""
    return max(0, min(6, -floor(log10(width * 100)))) if width > 0 else 0


def whole_numbers(one: Estimate) -> str:
    """The ends of a wide interval, or of none."""
    return f"{figure(one.low * 100)} to {figure(one.high * 100)}"


def one_in(share: float) -> str:
    """How often, as one says it."""
    if share >= 1:
        return "in every deal that was seen"
    if share >= 0.995:
        return "in nearly every deal"
    return f"in one deal of {round(1 / share):,}" if share < 0.1 else f"in {percent(share)} of the deals"


def meaning(one: Weight) -> str:
    """What the figures come to, in a sentence."""
    if not one.deals:
        return "No deal could be settled both ways."
    if not one.events:
        return f"Not seen once: it matters in no more than one deal of {round(1 / one.at_most):,}."
    moves = (
        f"{one_in(one.moving / one.settled)} it moves counters, {figure(one.when)} on the mean" if one.moving else ""
    )
    forbids = f"{one_in(one.forbidden.value)} the play is forbidden" if one.forbidden.value else ""
    few = f" (only {plural(one.moving, 'such deal')}: a rough guess)" if one.few else ""
    said = "; ".join(part for part in (moves + few, forbids) if part)
    return f"{said[:1].upper()}{said[1:]}."


def named(library: Library, stand: Stand) -> str:
    """What a ruleset stands for, in plain letters."""
    if stand.alternative:
        return stand.alternative
    if stand.kind == SOURCE:
        return f"{stand.source} whole"
    ids = [library.questions[slug].id if slug in library.questions else slug for slug in stand.questions]
    return f"{', '.join(ids)} as {stand.source} has it"


# ---- one question in a line
@dataclass(frozen=True, slots=True)
class CostLine:
    """What a question costs at most, or why that is not known."""

    words: str
    weighed: bool


def cost_line(surveys: Sequence[Survey], these: Iterable[Cost], question: Question) -> CostLine | None:
    """What another source's answer to a question costs at most; nothing where none answers it otherwise."""
    mine = list(of_question(these, question.slug))
    if not mine:
        because = left_out(surveys, slug=question.slug)
        said = f"What the disagreement costs was not surveyed: {because}."
        return CostLine(said, False) if because and not question.not_played else None
    said = "; ".join(at_most(mine, question.slug, survey.policy) for survey in surveys)
    return CostLine(
        f"Another source's answer would move at most, of the opening pool in a deal on the mean: {said}.", True
    )


def at_most(these: Iterable[Cost], slug: str, policy: str) -> str:
    """Where a question costs most under one policy."""
    one = max((one for one in these if one.of(policy)), key=lambda one: heft(one, policy))
    whose = " or ".join(stand.source for stand in one.stands if stand.kind == QUESTION and slug in stand.questions)
    found = one.of(policy)
    assert found is not None
    forbidden = f", and {percent(found.forbidden.value)} of the deals forbidden" if found.forbidden.value else ""
    how = POLICIES.get(policy, policy).lower()
    return f"{how} {percent(found.of_pool.value)} ({one.at_table} with the answer of {whose}{forbidden})"
