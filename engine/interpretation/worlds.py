"""Possible worlds: what holds of a deal however a source is understood, what does not, and what that depends on.

A *decision* is a clause of the source that can be taken in several ways: as we prefer, or by one of its rival
interpretations (and, at wish, by one of the options that the source offers). A *world* takes every decision in one
way; readings that answer one question differently cannot be held together, and what the rulebook refuses is no world.

A posting *holds* in a world in which it is made. It is *certain* if it holds in all worlds, otherwise *contested*. It
*depends* on a set of decisions if any two worlds that agree on these agree on whether it holds, and if that is true of
no part of the set. Mostly there is just one such set: the decisions of which each, the others being taken somehow, can
make the difference. Several there are only where readings point to each other, so that some are granted together and
not one by one; all are given, the smallest first.
In a world where the deal may not be played, or the rules are silent on a question it raises, nothing is paid.

Nothing is tried that cannot matter: every rule is asked on every fact by itself, and only readings that answer a
question otherwise which it has asked are tried on it, and so on (`engine.interpretation.explore`). That is exactly what
settling the deal in every world would come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.decision_diagram import Branch, Path, paths, taken, values
from engine.interpretation.decisions import Decision
from engine.interpretation.explore import Case, Clauses, Condition, Drawn, Explorer, Undecided, by_source, drawn
from engine.readings.meanings.stake import POOL
from engine.settlement.ledger import Account, Posting
from engine.settlement.settle import Summary
from rulebook.model import Library

#: What turns out in worlds that do not settle the deal.
UNSETTLED = "unsettled"


@dataclass(frozen=True, slots=True)
class Paid:
    """A sum that passes by one rule from one account to another."""

    payer: Account
    payee: Account
    amount: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A posting: in which worlds it holds, and on which decisions that depends."""

    case: Case
    paid: Paid
    preferred: bool  #: it holds if every decision is taken as we prefer
    depends: tuple[Clauses, ...]  #: each smallest set of decisions that settles it; none where it is certain
    holds: tuple[Condition, ...]  #: the worlds in which it holds; one empty condition where it is certain

    @property
    def certain(self) -> bool:
        """Whether it holds in all worlds."""
        return not self.depends


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several things that can come of a case, and in which worlds it does."""

    paid: tuple[Paid, ...]
    worlds: tuple[Condition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Contest:
    """A case of which not the same comes in all worlds: the decisions it hangs on, and all that can come of it.

    What one rule makes of the end of the deal, seat by seat, is one case here, and has no player.
    """

    case: Case
    depends: tuple[Clauses, ...]
    variants: tuple[Variant, ...]  #: the preferred one first


@dataclass(frozen=True, slots=True)
class Span:
    """What an account gains or loses: at least, at most, and as we read the source; of the worlds that settle it."""

    account: Account
    least: int
    most: int
    preferred: int | None


@dataclass(frozen=True, slots=True)
class State:
    """Whether the deal is settled, refused or met with silence, in which worlds, and on what that hangs."""

    state: str  #: settled | refused | silent
    worlds: tuple[Condition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """One way in which something besides the payments turns out, and in which worlds it does."""

    value: Any  #: as `Settled` has it, or UNSETTLED
    worlds: tuple[Condition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Upshot:
    """Something besides the payments that does not turn out the same in all worlds: the pool, who won, who deals."""

    what: str  #: pool | reversis | espagnolette | partie | next_dealer
    depends: tuple[Clauses, ...]
    turns: tuple[Turn, ...]  #: the preferred one first


@dataclass(frozen=True, slots=True)
class Worlds:
    """A deal under all the readings of a source."""

    deal: Deal
    source: str
    decisions: tuple[Decision, ...]  #: those that the deal raises at all
    number: int  #: in how many ways these can be taken together
    states: tuple[State, ...]
    playable: tuple[Clauses, ...]  #: on which decisions it depends whether the deal is settled
    postings: tuple[Standing, ...]
    contests: tuple[Contest, ...]
    net: tuple[Span, ...]
    upshots: tuple[Upshot, ...]  #: only what is contested

    @property
    def certain(self) -> tuple[Standing, ...]:
        """The postings that hold in all worlds."""
        return tuple(one for one in self.postings if one.certain)

    @property
    def contested(self) -> tuple[Standing, ...]:
        """The postings that hold in some worlds only."""
        return tuple(one for one in self.postings if not one.certain)


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a deal can end: who pays whom, the pool, who made what; and in which worlds it ends so."""

    state: str
    paid: tuple[tuple[Case, Paid], ...]
    pool: Pool | None
    outcome: Summary | None
    worlds: tuple[Condition, ...] = ()


# ---- what holds, and on what it depends
def worlds(deal: Deal, library: Library, source: str, options: bool = False) -> Worlds:
    """What holds of a deal by a source under every interpretation, and what only under some."""
    explorer = by_source(library, source, deal, options)
    all_ = drawn(explorer)
    sums = {case: paid(all_, branch, deal.pool(source)) for case, branch in all_.cases.items()}
    raised = tuple(one for knot in explorer.knots for one in knot.decisions if one.clause in explorer.raised)
    return Worlds(
        deal,
        source,
        raised,
        number(explorer),
        states(all_),
        explorer.depends(all_.state),
        tuple(one for case, branch in sums.items() for one in standings(explorer, case, branch)),
        tuple(contest(explorer, case, b) for case, b in affairs(explorer, sums).items() if len(values(b)) > 1),
        tuple(span(all_, sums.values(), account) for account in (*range(len(deal.seats)), POOL)),
        tuple(upshots(all_)),
    )


def number(explorer: Explorer) -> int:
    """In how many ways the decisions that are raised can be taken together."""
    many = 1
    for knot in explorer.knots:
        at = [n for n, one in enumerate(knot.decisions) if one.clause in explorer.raised]
        many *= len({tuple(way[n] for n in at) for way in knot.ways})
    return many


def paid(all_: Drawn, branch: Branch, pool: Pool) -> Branch:
    """The sums that pass in a case, in every world; none where the deal is not settled."""
    return all_.explorer.drawings.combine(
        lambda state, said: counted(said, pool) if state == "settled" else (), all_.state, branch
    )


def counted(said: tuple[Posting, ...] | Undecided, pool: Pool) -> tuple[Paid, ...]:
    """Postings as sums, one for each payer and payee."""
    sums: dict[tuple[Account, Account], int] = {}
    for one in said if isinstance(said, tuple) else ():
        pair = one.payer, one.payee
        sums[pair] = sums.get(pair, 0) + one.money.counted(pool)
    found = (Paid(payer, payee, amount) for (payer, payee), amount in sums.items() if amount)
    return tuple(sorted(found, key=lambda one: (str(one.payer), str(one.payee))))


def standings(explorer: Explorer, case: Case, branch: Branch) -> Iterator[Standing]:
    """Every posting that some world makes in a case."""
    for one in sorted({p for said in values(branch) for p in said}, key=str):
        holds = explorer.drawings.combine(lambda said, one=one: one in said, branch)
        yield Standing(
            case,
            one,
            preferred(holds),
            explorer.depends(holds),
            explorer.conditions(path for it_holds, path in paths(holds) if it_holds),
        )


def preferred(branch: Branch) -> Any:
    """What comes when every decision is taken as we prefer."""
    return taken(branch, lambda choice: 0)


def affairs(explorer: Explorer, sums: Mapping[Case, Branch]) -> dict[Case, Branch]:
    """The cases with their sums, those of the seats at the end of the deal taken together, rule by rule."""
    found: dict[Case, Branch] = {}
    for case, branch in sums.items():
        whole = replace(case, player=None) if case.kind == "seat" else case
        found[whole] = explorer.drawings.combine(add, found[whole], branch) if whole in found else branch
    return found


def contest(explorer: Explorer, case: Case, branch: Branch) -> Contest:
    """All that can come of a case, the preferred first."""
    ours, ways = preferred(branch), grouped(branch)
    variants = (Variant(said, explorer.conditions(found), said == ours) for said, found in ways.items())
    return Contest(case, explorer.depends(branch), tuple(sorted(variants, key=lambda one: not one.preferred)))


def grouped(branch: Branch) -> dict[Any, list[Path]]:
    """All that can come, each with every way to get there."""
    found: dict[Any, list[Path]] = {}
    for value, path in paths(branch):
        found.setdefault(value, []).append(path)
    return found


def states(all_: Drawn) -> tuple[State, ...]:
    """Whether the deal is settled, and in which worlds."""
    ours = preferred(all_.state)
    ways = grouped(all_.state).items()
    return tuple(State(state, all_.explorer.conditions(found), state == ours) for state, found in ways)


#: What is settled besides payments: where it is drawn, and where it stands there.
UPSHOTS: Mapping[str, tuple[str, str]] = {
    "pool": ("pool", ""),
    **{name: ("outcome", name) for name in ("reversis", "espagnolette", "partie", "next_dealer")},
}


def upshots(all_: Drawn) -> Iterator[Upshot]:
    """What does not turn out the same in all worlds, besides the payments."""
    explorer = all_.explorer
    for name, (drawing, part) in UPSHOTS.items():
        branch = explorer.drawings.combine(partial(turned_out, part), all_.state, getattr(all_, drawing))
        ours, ways = preferred(branch), grouped(branch)
        turns = (Turn(value, explorer.conditions(found), value == ours) for value, found in ways.items())
        if len(ways) > 1:
            yield Upshot(name, explorer.depends(branch), tuple(sorted(turns, key=lambda one: not one.preferred)))


def turned_out(part: str, state: str, whole: object) -> object:
    """How something turned out, if the deal was settled."""
    if state != "settled":
        return UNSETTLED
    return getattr(whole, part) if part else whole


def span(all_: Drawn, sums: Iterable[Branch], account: Account) -> Span:
    """What an account gains at least and at most."""
    explorer = all_.explorer
    gained = [explorer.drawings.combine(lambda said: gain(said, account), branch) for branch in sums]
    total = reduce(lambda a, b: explorer.drawings.combine(add, a, b), gained, explorer.drawings.end(0))
    final = explorer.drawings.combine(lambda state, n: n if state == "settled" else None, all_.state, total)
    known = [n for n in values(final) if n is not None]
    return Span(account, min(known, default=0), max(known, default=0), preferred(final))


def add(one: Any, other: Any) -> Any:
    """Both together."""
    return one + other


def gain(said: Iterable[Paid], account: Account) -> int:
    """What an account gains by some payments."""
    return sum(((p.payee == account) - (p.payer == account)) * p.amount for p in said)


# ---- all the ways in which a deal can end
def endings(deal: Deal, library: Library, source: str, options: bool = False) -> tuple[Ending, ...]:
    """Every way in which a deal can end by a source, with the worlds in which it does; there may be thousands."""
    explorer = by_source(library, source, deal, options)
    all_, draw = drawn(explorer), explorer.drawings
    ledger = draw.end(())
    for case, branch in all_.cases.items():
        ledger = draw.combine(partial(entered, case), ledger, paid(all_, branch, deal.pool(source)))
    whole = draw.combine(ending, all_.state, ledger, all_.pool, all_.outcome)
    return tuple(replace(end, worlds=explorer.conditions(found)) for end, found in grouped(whole).items())


def entered(case: Case, ledger: tuple[tuple[Case, Paid], ...], said: Iterable[Paid]) -> tuple[tuple[Case, Paid], ...]:
    """A ledger with what comes of one case more."""
    return (*ledger, *((case, one) for one in said))


def ending(state: str, ledger: tuple[tuple[Case, Paid], ...], pool: Pool, outcome: Summary) -> Ending:
    """How a deal ends; where it is not settled, nothing is paid and nothing is won."""
    return Ending(state, ledger, pool, outcome) if state == "settled" else Ending(state, (), None, None)
