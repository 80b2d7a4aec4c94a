"""Trying the readings of a source on one deal: rule by rule, fact by fact, and only those that can matter.

What is asked decides what is tried: a rule is asked on a fact by our own readings first; then only the readings that
answer otherwise what it has asked are tried on it, and so on. What comes of it is drawn by
`engine.interpretation.decision_diagram`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, TypeAlias

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.interpretation.decision_diagram import Branch, Drawings, Path, find_way_partings, list_end_values
from engine.play.replay import Played, replay_deal
from engine.readings.ask import Ask
from engine.settlement.ledger import Posting
from engine.settlement.outcome import ComputedFields, DealOutcome, Open
from engine.settlement.payments.rules import PaymentRule
from engine.settlement.settle import (
    CLOSING,
    PAYMENT_RULE_RANKS,
    Summary,
    apply_forfeits,
    apply_payment_rule,
    compute_pool_after,
    pair_rules_with_facts,
    summarise_outcome,
)
from rulebook.decisions import Decision, Knot, Rulings, build_knots, find_decisions
from rulebook.model import Library, Ruleset, Silent
from rulebook.resolve import resolve

#: Some worlds: the decisions that make them out, each with the readings by which it may be taken.
WorldCondition: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
#: Clauses whose decisions settle something between them.
Clauses: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One rule over one thing that happened, as anybody at the table could see it."""

    rule: str
    kind: str
    manner: str
    trick: int | None
    card: int | None
    player: int | None
    nth: int = 0  #: which of several that look alike
    called: str = ""  #: the source's name for its card, a privileged card besides the quinola


@dataclass(frozen=True, slots=True)
class RuleSilence:
    """The rules say nothing on this question."""

    question: str


Reckon: TypeAlias = Callable[[Ask], Any]


# ---- trying the readings
class Explorer:
    """Tries several ways to take the rules on one deal, and only those that can matter."""

    def __init__(self, deal: Deal, own: Ruleset, knots: Sequence[Knot]) -> None:
        self.deal, self.own, self.knots = deal, own, knots
        self.drawings = Drawings()
        self.raised: set[str] = set()  #: clauses
        self._touched: dict[frozenset[str], list[int]] = {}  #: questions that were asked -> knots that answer one
        self._rulesets: dict[tuple[tuple[int, int], ...], Ruleset] = {}
        self._outcomes: dict[tuple[int, int], ComputedFields] = {}
        self.knots_on: dict[str, list[int]] = {}
        for at, knot in enumerate(self.knots):
            for question in {q for decision in knot.decisions for q in decision.questions}:
                self.knots_on.setdefault(question, []).append(at)

    def explore(self, reckon: Reckon, chosen: Mapping[int, int] | None = None, known: Any = None) -> Branch:
        """Draw a reckoning for every way to take the decisions on questions it touches."""
        chosen = chosen or {}
        ruleset = self.ruleset(chosen)
        value, asked = known or self.tried(reckon, ruleset)
        at = self.matters(asked, ruleset.rulings, chosen)
        if at is None:
            return self.drawings.end(value)
        ways = [
            self.explore(reckon, {**chosen, at: way}, None if way else (value, asked))
            for way in range(len(self.knots[at].ways))
        ]
        return self.drawings.choose(at, ways)

    def ruleset(self, chosen: Mapping[int, int]) -> Ruleset:
        """The rules, some decisions being taken, and all others as we prefer."""
        taken = tuple(sorted((at, way) for at, way in chosen.items() if self.knots[at].answers[way]))
        if taken not in self._rulesets:
            rulings = dict(self.own.rulings)
            for at, way in taken:
                rulings |= self.knots[at].answers[way]
            self._rulesets[taken] = replace(self.own, rulings=rulings)
        return self._rulesets[taken]

    def outcome(self, played: Played, ask: Ask) -> DealOutcome:
        """The outcome of the deal, played so, for an asker; what others have computed by the same rules is shared."""
        computed = self._outcomes.setdefault((id(played), id(ask.ruleset)), {})  # both are kept as long as this is
        return DealOutcome(played.measures, ask, computed)

    def tried(self, reckon: Reckon, ruleset: Ruleset) -> tuple[Any, frozenset[str]]:
        """Run a reckoning by some rules; return it with every question it has asked."""
        ask = Ask(ruleset)
        try:
            return reckon(ask), ask.raised
        except Silent as silent:
            return RuleSilence(silent.question), ask.raised | {silent.question}

    def matters(self, asked: frozenset[str], rulings: Rulings, chosen: Mapping[int, int]) -> int | None:
        """A knot still open that answers otherwise what was asked; all decisions that do are noted as raised."""
        touched = self._touched.get(asked)
        if touched is None:
            touched = self._touched[asked] = sorted({at for q in asked for at in self.knots_on.get(q, ())})
            for open_decision in (
                decision
                for at in touched
                for decision in self.knots[at].decisions
                if decision.clause not in self.raised
            ):
                self.raised |= (
                    {open_decision.clause} if answers_otherwise(open_decision, asked, self.own.rulings) else set()
                )
        still_open = (at for at in touched if at not in chosen)
        return next((at for at in still_open if self.answers_otherwise(at, asked, rulings)), None)

    def answers_otherwise(self, at: int, asked: frozenset[str], rulings: Rulings) -> bool:
        """Return whether a decision of a knot could change an answer that was asked."""
        return any(answers_otherwise(decision, asked, rulings) for decision in self.knots[at].decisions)

    # ---- in words that others understand
    def conditions(self, ways: Iterable[Path]) -> tuple[WorldCondition, ...]:
        """Some worlds in the source's terms, the shortest description first."""
        descriptions = [tuple(piece for part in parts for piece in part) for path in ways for parts in self.spelt(path)]
        return tuple(sorted(dict.fromkeys(descriptions), key=len))

    def spelt(self, path: Path) -> Iterator[tuple[WorldCondition, ...]]:
        """A path, spelt out by decisions and their readings."""
        return product(*(spell_out_ways(self.knots[at], ways) for at, ways in path))

    def depends(self, branch: Branch) -> tuple[Clauses, ...]:
        """Every smallest set of decisions that settles what is drawn, the smallest first.

        Two worlds that differ in several knots can be led over into each other knot by knot; so whatever differs
        between them differs within one knot already, and each knot can be looked at by itself.
        """
        pairs = sorted(find_way_partings(branch).items())
        if not pairs:
            return ()
        parts = [find_smallest_decision_sets(self.knots[at], parted) for at, parted in pairs]
        sets = [tuple(clause for part in parts for clause in part) for parts in product(*parts)]
        return tuple(sorted(sets, key=len))


def make_source_explorer(library: Library, source: str, deal: Deal, options: bool = False) -> Explorer:
    """Make an explorer of the readings that a source leaves open."""
    own, knots = _find_source_knots(library, source, options)
    return Explorer(deal, own, knots)


#: What the last libraries leave open; each library lies there itself, so that no other can get its number.
_known_knots: dict[tuple[int, str, bool], tuple[Library, Ruleset, tuple[Knot, ...]]] = {}
_MOST_KNOWN_KNOTS = 64


def _find_source_knots(library: Library, source: str, options: bool) -> tuple[Ruleset, tuple[Knot, ...]]:
    """Find the rules of a source and the decisions it leaves open; every deal asks for the same."""
    key = id(library), source, options
    entry = _known_knots.get(key)
    if entry is None:
        own = resolve(library, source)
        knots = build_knots(library, own, tuple(find_decisions(library, source, own, options)))
        if len(_known_knots) >= _MOST_KNOWN_KNOTS:
            _known_knots.clear()
        entry = _known_knots[key] = library, own, knots
    return entry[1:]


def answers_otherwise(decision: Decision, asked: frozenset[str], rulings: Rulings) -> bool:
    """Return whether some reading of a decision changes an answer that was asked."""
    return any(
        q in asked and (q not in rulings or rulings[q].value != ruling.value)
        for answers in decision.answers
        for q, ruling in answers.items()
    )


def find_smallest_decision_sets(knot: Knot, parted: Iterable[tuple[int, int]]) -> list[Clauses]:
    """Find the smallest sets of a knot's decisions that tell apart all ways needed."""
    apart = {knot.apart(way, other) for way, other in parted}
    sets: list[frozenset[int]] = []
    every = sorted((frozenset(some) for some in _list_subsets(len(knot.decisions))), key=len)
    for some in every:
        if all(some & difference for difference in apart) and not any(had <= some for had in sets):
            sets.append(some)
    return [tuple(knot.decisions[at].clause for at in some) for some in sorted(map(sorted, sets))]


def _list_subsets(number: int) -> Iterator[list[int]]:
    """Yield every choice among a number of things."""
    for marks in product((False, True), repeat=number):
        yield [at for at, mark in enumerate(marks) if mark]


def spell_out_ways(knot: Knot, ways: tuple[int, ...]) -> list[WorldCondition]:
    """Spell out ways to take a knot's decisions, each decision with its readings.

    Decisions left out do not matter.
    """
    chosen = {knot.ways[way] for way in ways}
    allowed = [{way[at] for way in chosen} for at in range(len(knot.decisions))]
    if find_allowed_ways(knot, allowed) == chosen:
        for at, decision in enumerate(knot.decisions):
            wider = [*allowed[:at], {*range(len(decision.readings))}, *allowed[at + 1 :]]
            allowed = wider if find_allowed_ways(knot, wider) == chosen else allowed
        return [name_allowed_readings(knot, allowed)]
    return [name_allowed_readings(knot, [{reading} for reading in way]) for way in sorted(chosen)]


def find_allowed_ways(knot: Knot, allowed: Sequence[set[int]]) -> set[tuple[int, ...]]:
    """Return the ways of a knot that take each decision as allowed."""
    return {way for way in knot.ways if all(reading in some for reading, some in zip(way, allowed, strict=True))}


def name_allowed_readings(knot: Knot, allowed: Sequence[set[int]]) -> WorldCondition:
    """Name the readings allowed; a decision that may be taken anyhow is left out."""
    return tuple(
        (decision.clause, tuple(decision.readings[reading] for reading in sorted(some)))
        for decision, some in zip(knot.decisions, allowed, strict=True)
        if len(some) < len(decision.readings)
    )


# ---- the deal, rule by rule
@dataclass(frozen=True)
class Drawn:
    """A deal as drawn: whether it may be played, and what comes of every case."""

    explorer: Explorer
    play: Branch  #: ends: Played, or what is forbidden in it as a set, or Silence
    cases: Mapping[Case, Branch]  #: ends: the postings; or Silence, or None where a fragment does not decide
    pool: Branch  #: ends: the pool after the deal; or Silence
    outcome: Branch  #: ends: the outcome in few words; or Silence
    state: Branch  #: ends: settled | refused | silent


def draw_deal_diagrams(explorer: Explorer) -> Drawn:
    """Play the deal in all worlds, and try every rule on every fact."""
    draw = explorer.drawings
    play = explorer.explore(lambda ask: check_play_is_allowed(replay_deal(explorer.deal, ask)))
    facts = {id(played): cases_of(played) for played in list_end_values(play) if isinstance(played, Played)}
    every = sorted({case: None for cases in facts.values() for case in cases}, key=rank_case_in_ledger)
    cases = {case: draw.then(play, partial(of_case, explorer, facts, case)) for case in every}
    pool = pool_of(explorer, cases.values())
    outcome = draw.then(play, partial(outcome_of, explorer, facts))
    silent = [
        b for b in (*cases.values(), pool, outcome) if any(isinstance(v, RuleSilence) for v in list_end_values(b))
    ]
    return Drawn(explorer, play, cases, pool, outcome, draw.combine(_settlement_state, play, *silent))


def check_play_is_allowed(played: Played) -> Played | frozenset[tuple[object, ...]]:
    """Return the deal as played, or what is forbidden in it."""
    if not played.refusals:
        return played
    return frozenset((r.trick, r.seat, r.card, "" if r.card is not None else r.message) for r in played.refusals)


def cases_of(played: Played) -> dict[Case, tuple[PaymentRule, Fact]]:
    """Every rule over every fact it looks at."""
    cases: dict[Case, tuple[PaymentRule, Fact]] = {}
    for rule, fact in pair_rules_with_facts(played):
        case = Case(rule.name, fact.kind, fact.manner, fact.trick, fact.card, fact.player, called=fact.called)
        while case in cases:
            case = replace(case, nth=case.nth + 1)
        cases[case] = rule, fact
    return cases


def of_case(
    explorer: Explorer, facts: Mapping[int, Mapping[Case, tuple[PaymentRule, Fact]]], case: Case, end: object
) -> Branch:
    """Draw one case of a deal that was played so; nothing if it was not played."""
    if not isinstance(end, Played) or case not in facts[id(end)]:
        return explorer.drawings.end(())
    rule, fact = facts[id(end)][case]
    return explorer.explore(lambda ask: _find_case_postings(end, rule, fact, explorer.outcome(end, ask)))


def _find_case_postings(
    played: Played, rule: PaymentRule, fact: Fact, outcome: DealOutcome
) -> tuple[Posting, ...] | None:
    """Find the postings that one rule makes for one fact. Raises Silent."""
    try:
        entry = apply_payment_rule(rule, fact, outcome)
    except Open:
        return None
    return () if entry is None else tuple(p for e in apply_forfeits(played, outcome, [entry]) for p in e.postings)


def pool_of(explorer: Explorer, cases: Iterable[Branch]) -> Branch:
    """The pool when the deal is settled."""
    draw, before = explorer.drawings, explorer.deal.pool(explorer.own.source)
    done = draw.end(())
    for touches in (
        draw.combine(
            lambda postings: tuple(p for p in postings if p.operation) if isinstance(postings, tuple) else (), case
        )
        for case in cases
    ):
        if touches is not draw.end(()):  # most cases leave the pool alone
            done = draw.combine(lambda had, more: (*had, *more), done, touches)
    return draw.then(done, lambda all_: explorer.explore(lambda ask: compute_pool_after(before, list(all_), ask)))


def outcome_of(explorer: Explorer, facts: Mapping[int, Mapping[Case, tuple[PaymentRule, Fact]]], end: object) -> Branch:
    """Draw who made, missed, won and lost what, the deal having been played so."""
    if not isinstance(end, Played):
        return explorer.drawings.end(None)
    parties = [(r, f) for r, f in facts[id(end)].values() if r.name == "partie" and end.measures.complete]
    return explorer.explore(lambda ask: in_few_words(end, parties, explorer.outcome(end, ask)))


def in_few_words(played: Played, parties: Iterable[tuple[PaymentRule, Fact]], outcome: DealOutcome) -> Summary:
    """The outcome, with who has paid the partie. Raises Silent."""
    entries = [e for e in (apply_payment_rule(rule, fact, outcome) for rule, fact in parties) if e is not None]
    return summarise_outcome(played, outcome, tuple(apply_forfeits(played, outcome, entries)))


def _settlement_state(play: object, *cases: object) -> str:
    """Return the state of a deal: settled, refused or silent."""
    if isinstance(play, frozenset):
        return "refused"
    return "silent" if any(isinstance(part, RuleSilence) for part in (play, *cases)) else "settled"


def rank_case_in_ledger(case: Case) -> tuple[bool, bool, int, int]:
    """Return the place of a case in a ledger.

    The play comes first, by tricks, then what is settled at the end.
    """
    closing = case.rule in CLOSING
    return case.trick is None or closing, closing and case.trick is None, case.trick or 0, PAYMENT_RULE_RANKS[case.rule]
