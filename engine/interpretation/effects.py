"""Effects of each rival interpretation and option: deals changed, and in what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.session.record import Sitting
from engine.session.session import NotCounted, Step, begin, steps
from engine.settlement.ledger import Entry
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Ruleset, Silent
from rulebook.resolve import Choice, iter_clause_alternatives, resolve

DealResult: TypeAlias = "Settled | Refused | Unanswered"
Sat: TypeAlias = "tuple[Sitting, tuple[Deal, ...]]"  #: a session with its deals
_SessionStep: TypeAlias = "Step | NotCounted"


@dataclass(frozen=True, slots=True)
class Difference:
    """One deal, or one session, that comes out otherwise."""

    deal: str
    how: tuple[str, ...]  #: among HOW, in that order; of a session, among HOW_SESSION
    kind: str = "deal"  #: deal | session


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes that one alternative makes in the deals that were tried."""

    alternative: str  #: its id, of an interpretation or an option
    source: str
    kind: str  #: interpretation | option
    questions: tuple[str, ...]  #: slugs of those that it answers otherwise than the source's preferred reading
    played: bool  #: whether the engine asks any of them
    raised: tuple[str, ...]  #: the deals that raise one of them at all, by their ids
    differences: tuple[Difference, ...]


def try_alternatives(
    library: Library, deals: Iterable[Deal], sources: Iterable[str] = (), sessions: Iterable[Sat] = ()
) -> tuple[Effect, ...]:
    """Try every alternative on all deals and sessions that raise its questions.

    Alternatives are those of these sources, or of all.
    """
    tried, sat = tuple(deals), tuple(sessions)
    return tuple(
        effect
        for siglum in sources or library.sources
        for effect in _try_alternatives_of_source(library, siglum, tried, sat)
    )


def _try_alternatives_of_source(
    library: Library, siglum: str, deals: Iterable[Deal], sessions: Iterable[Sat] = ()
) -> Iterator[Effect]:
    """Try the alternatives of one source, each against its preferred reading."""
    own = resolve(library, siglum)
    sittings = [(sat, _play_session_through(sat, own)) for sat in sessions]
    settled = [settle(deal, own) for deal in deals]
    known = [(before, find_raised_questions(before)) for before in settled]
    for _, alternative in iter_clause_alternatives(library.sources[siglum].clauses):
        ruleset = resolve(library, siglum, [Choice(alternative.id, named=alternative.id)])
        changed = questions_changed(own, ruleset)
        played = any(not library.questions[slug].not_played for slug in changed)
        raising = [before for before, raised in known if played and (raised is None or raised & changed)]
        compared = ((before.deal, compare_deal_results(before, settle(before.deal, ruleset))) for before in raising)
        yield Effect(
            alternative.id,
            siglum,
            alternative.kind,
            tuple(slug for slug in library.questions if slug in changed),
            played,
            tuple(before.deal.id for before in raising),
            (*(Difference(deal.id, how) for deal, how in compared if how), *in_sessions(sittings, changed, ruleset)),
        )


# ---- sessions
def _play_session_through(sat: Sat, ruleset: Ruleset) -> tuple[_SessionStep, ...]:
    """Play a session through, each deal turned so that the right player deals."""
    sitting, deals = sat
    return tuple(steps(begin(ruleset, sitting.seats, sitting.dealer, sitting.unpaid), deals, turn=True))


def in_sessions(
    sittings: Iterable[tuple[Sat, tuple[_SessionStep, ...]]], changed: frozenset[str], ruleset: Ruleset
) -> Iterator[Difference]:
    """The sessions that come out otherwise."""
    for sat, before in sittings:
        raised = frozenset(slug for step in before if isinstance(step, Step) for slug in step.asked)
        if raised & changed or any(isinstance(step, NotCounted) for step in before):
            after = _play_session_through(sat, ruleset)
            if how := compare_sessions(before, after):
                yield Difference(sat[0].id, how, "session")


def compare_sessions(before: Sequence[_SessionStep], after: Sequence[_SessionStep]) -> tuple[str, ...]:
    """Compare two runs of a session, step by step; return in what they differ."""
    return tuple(how for how, shown in HOW_SESSION.items() if [*map(shown, before)] != [*map(shown, after)])


#: In what two runs of one session may differ: which deals are counted, how all stand, what lies there, who deals.
HOW_SESSION: Mapping[str, Callable[[_SessionStep], object]] = {
    "lawfulness": lambda step: isinstance(step, NotCounted),
    "accounts": lambda step: step.after.accounts if isinstance(step, Step) else None,
    "pool": lambda step: (
        (step.after.pool, step.after.aside, step.after.owed, step.after.memories) if isinstance(step, Step) else None
    ),
    "dealer": lambda step: step.after.dealer if isinstance(step, Step) else None,
}


def find_raised_questions(result: DealResult) -> frozenset[str] | None:
    """Find every question that a deal raises, also one that is refused.

    None where the rules are silent on one.
    """
    if isinstance(result, Settled):
        return result.asked
    ask = Ask(result.ruleset)
    try:
        replay_deal(result.deal, ask)
    except Silent:
        return None
    return ask.raised


def questions_changed(own: Ruleset, other: Ruleset) -> frozenset[str]:
    """The questions that one ruleset answers otherwise than the other, or that only one of them answers."""
    slugs = {*own.rulings, *other.rulings}
    return frozenset(slug for slug in slugs if _find_answer(own, slug) != _find_answer(other, slug))


def _find_answer(ruleset: Ruleset, slug: str) -> object:
    """Return the answer of a ruleset; None where it has none."""
    ruling = ruleset.rulings.get(slug)
    return None if ruling is None else ruling.value


# ---- in what two results differ
def compare_deal_results(before: DealResult, after: DealResult) -> tuple[str, ...]:
    """List in what two results of one deal differ; nothing if they are alike."""
    if isinstance(before, Settled) and isinstance(after, Settled):
        return tuple(name for name, shown in HOW.items() if shown(before) != shown(after))
    return ("lawfulness",) if describe_hindrance(before) != describe_hindrance(after) else ()


def describe_hindrance(result: DealResult) -> object:
    """Return the reason why a deal is not settled.

    It is the cards refused, or what is wrong with the table; or a silence.
    """
    if isinstance(result, Refused):
        return frozenset((r.trick, r.seat, r.card, "" if r.card is not None else r.message) for r in result.refusals)
    return result.silent.question if isinstance(result, Unanswered) else None


def _list_payments(settled: Settled) -> object:
    """List the payments of a deal.

    They say in which trick, for which card, and who pays whom how much.

    An entry by which nobody pays is no result, nor is the name of what befell a card.
    """
    rows = (
        (
            entry.rule,
            entry.fact.trick,
            entry.fact.card,
            [
                payment
                for payment in ((p.payer, p.payee, p.counted(settled.before)) for p in entry.postings)
                if payment[2]
            ],
        )
        for entry in settled.entries
    )
    return [row for row in rows if row[-1]]


def summarise_visible_entry(entry: Entry, settled: Settled) -> object:
    """Describe one entry as a reader sees it.

    What happened, to whom, who pays what, and what that does to the pool.
    """
    postings = [(p.payer, p.payee, p.counted(settled.before), p.operation) for p in entry.postings]
    return entry.name, entry.fact.trick, entry.fact.card, [p for p in postings if p[2]]


#: In what two settlements of one deal may differ.
HOW: Mapping[str, Callable[[Settled], object]] = {
    "lawfulness": lambda settled: settled.passed_over,
    "net": lambda settled: dict(settled.net),
    "pool": lambda settled: settled.pool,
    "outcome": lambda settled: settled.outcome,
    "entries": _list_payments,
}
