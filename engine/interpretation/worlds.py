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

from engine.arguments import require_deal
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.decision_diagram import Branch, End, Path, follow_choices, list_end_values, walk_paths
from engine.interpretation.explore import (
    Case,
    Clauses,
    Drawn,
    Explorer,
    Undecided,
    WorldCondition,
    draw_deal_diagrams,
    make_source_explorer,
)
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Account, Posting
from engine.settlement.settle import Summary
from rulebook.decisions import Decision
from rulebook.display import Displayed, format_repr
from rulebook.model import Library
from rulebook.resolve import require_library

#: What turns out in worlds that do not settle the deal.
UNSETTLED_UPSHOT = "unsettled"


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
    holds: tuple[WorldCondition, ...]  #: the worlds in which it holds; one empty condition where it is certain

    @property
    def certain(self) -> bool:
        """Tell whether the posting holds in all worlds."""
        return not self.depends


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several things that can come of a case, and in which worlds it does."""

    paid: tuple[Paid, ...]
    worlds: tuple[WorldCondition, ...]
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
    """The range of an account's gain: least, most, and as we read the source.

    Only the worlds that settle the deal count.
    """

    account: Account
    least: int
    most: int
    preferred: int | None


@dataclass(frozen=True, slots=True)
class State:
    """One state of the deal, and the worlds in which it holds.

    A deal is settled, refused or met with silence.
    """

    state: str  #: settled | refused | silent
    worlds: tuple[WorldCondition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """One way in which something besides the payments turns out, and in which worlds it does."""

    value: Any  #: as `Settled` has it, or UNSETTLED_UPSHOT
    worlds: tuple[WorldCondition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Upshot:
    """Something besides the payments that does not turn out the same in all worlds: the pool, who won, who deals."""

    what: str  #: pool | reversis | espagnolette | partie | next_dealer
    depends: tuple[Clauses, ...]
    turns: tuple[Turn, ...]  #: the preferred one first


@dataclass(frozen=True, slots=True)
class Worlds(Displayed):
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

    def __repr__(self) -> str:
        payments = f"{len(self.certain)} payments certain, {len(self.contested)} contested"
        return format_repr(self, f"by {self.source}: {self.number} ways to read it, {payments}, {self.deal.id}")

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
    worlds: tuple[WorldCondition, ...] = ()


# ---- what holds, and on what it depends
def possible_worlds(deal: Deal, library: Library, source: str, options: bool = False) -> Worlds:
    """Find what holds of a deal by a source under all interpretations, and under some."""
    require_deal(deal)
    require_library(library, "possible_worlds(deal, library, siglum)")
    source = library.source(source).siglum
    explorer = make_source_explorer(library, source, deal, options)
    all_ = draw_deal_diagrams(explorer)
    sums = {case: _find_case_sums(all_, branch, deal.pool(source)) for case, branch in all_.cases.items()}
    raised = tuple(one for knot in explorer.knots for one in knot.decisions if one.clause in explorer.raised)
    return Worlds(
        deal,
        source,
        raised,
        _count_ways(explorer),
        _list_states(all_),
        explorer.depends(all_.state),
        tuple(one for case, branch in sums.items() for one in _find_standings(explorer, case, branch)),
        tuple(
            _make_contest(explorer, case, b)
            for case, b in merge_seat_cases(explorer, sums).items()
            if len(list_end_values(b)) > 1
        ),
        tuple(_compute_span(all_, sums.values(), account) for account in (*range(len(deal.seats)), POOL_ACCOUNT)),
        tuple(_find_contested_upshots(all_)),
    )


def _count_ways(explorer: Explorer) -> int:
    """Count the ways in which the decisions that are raised can be taken together."""
    many = 1
    for knot in explorer.knots:
        at = [n for n, one in enumerate(knot.decisions) if one.clause in explorer.raised]
        many *= len({tuple(way[n] for n in at) for way in knot.ways})
    return many


def _find_case_sums(all_: Drawn, branch: Branch, pool: Pool) -> Branch:
    """Draw the sums that pass in a case; none where the deal is not settled."""
    return all_.explorer.drawings.combine(
        lambda state, said: sum_postings(said, pool) if state == "settled" else (), all_.state, branch
    )


def sum_postings(said: tuple[Posting, ...] | Undecided, pool: Pool) -> tuple[Paid, ...]:
    """Sum postings, one sum for each payer and payee."""
    sums: dict[tuple[Account, Account], int] = {}
    for one in said if isinstance(said, tuple) else ():
        pair = one.payer, one.payee
        sums[pair] = sums.get(pair, 0) + one.counted(pool)
    found = (Paid(payer, payee, amount) for (payer, payee), amount in sums.items() if amount)
    return tuple(sorted(found, key=lambda one: (str(one.payer), str(one.payee))))


def _find_standings(explorer: Explorer, case: Case, branch: Branch) -> Iterator[Standing]:
    """Yield every posting that some world makes in a case."""
    for one in sorted({p for said in list_end_values(branch) for p in said}, key=str):
        holds = explorer.drawings.combine(lambda said, one=one: one in said, branch)
        yield Standing(
            case,
            one,
            _follow_preferred(holds),
            explorer.depends(holds),
            explorer.conditions(path for it_holds, path in walk_paths(holds) if it_holds),
        )


def _follow_preferred(branch: Branch) -> Any:
    """Return the end when every decision is taken as we prefer."""
    return follow_choices(branch, lambda choice: 0)


def merge_seat_cases(explorer: Explorer, sums: Mapping[Case, Branch]) -> dict[Case, Branch]:
    """Merge the cases of the seats at the end of the deal, rule by rule.

    The other cases keep their sums.
    """
    found: dict[Case, Branch] = {}
    for case, branch in sums.items():
        whole = replace(case, player=None) if case.kind == "seat" else case
        found[whole] = explorer.drawings.combine(_add_values, found[whole], branch) if whole in found else branch
    return found


def _make_contest(explorer: Explorer, case: Case, branch: Branch) -> Contest:
    """Collect all that can come of a case, the preferred first."""
    ours, ways = _follow_preferred(branch), _group_paths(branch)
    variants = (Variant(said, explorer.conditions(found), said == ours) for said, found in ways.items())
    return Contest(case, explorer.depends(branch), tuple(sorted(variants, key=lambda one: not one.preferred)))


def _group_paths(branch: Branch) -> dict[Any, list[Path]]:
    """Group the paths by what they lead to."""
    found: dict[Any, list[Path]] = {}
    for value, path in walk_paths(branch):
        found.setdefault(value, []).append(path)
    return found


def _list_states(all_: Drawn) -> tuple[State, ...]:
    """List the states of the deal, settled or not, each with its worlds."""
    ours = _follow_preferred(all_.state)
    ways = _group_paths(all_.state).items()
    return tuple(State(state, all_.explorer.conditions(found), state == ours) for state, found in ways)


#: What is settled besides payments: where it is drawn, and where it stands there.
UPSHOT_SOURCES: Mapping[str, tuple[str, str]] = {
    "pool": ("pool", ""),
    **{name: ("outcome", name) for name in ("reversis", "espagnolette", "partie", "next_dealer")},
}


def _find_contested_upshots(all_: Drawn) -> Iterator[Upshot]:
    """Yield what differs between worlds, besides the payments."""
    explorer = all_.explorer
    for name, (drawing, part) in UPSHOT_SOURCES.items():
        branch = explorer.drawings.combine(partial(turned_out, part), all_.state, getattr(all_, drawing))
        ours, ways = _follow_preferred(branch), _group_paths(branch)
        turns = (Turn(value, explorer.conditions(found), value == ours) for value, found in ways.items())
        if len(ways) > 1:
            yield Upshot(name, explorer.depends(branch), tuple(sorted(turns, key=lambda one: not one.preferred)))


def turned_out(part: str, state: str, whole: object) -> object:
    """Return one upshot of a deal; unsettled if the deal was not settled."""
    if state != "settled":
        return UNSETTLED_UPSHOT
    return getattr(whole, part) if part else whole


def _compute_span(all_: Drawn, sums: Iterable[Branch], account: Account) -> Span:
    """Compute the least and the most that an account gains."""
    explorer = all_.explorer
    gained = [explorer.drawings.combine(lambda said: compute_gain(said, account), branch) for branch in sums]
    fixed = explorer.drawings.end(sum(one.value for one in gained if isinstance(one, End)))
    forked = (one for one in gained if not isinstance(one, End))
    total = reduce(lambda a, b: explorer.drawings.combine(_add_values, a, b), forked, fixed)
    final = explorer.drawings.combine(lambda state, n: n if state == "settled" else None, all_.state, total)
    known = [n for n in list_end_values(final) if n is not None]
    return Span(account, min(known, default=0), max(known, default=0), _follow_preferred(final))


def _add_values(one: Any, other: Any) -> Any:
    """Add two values."""
    return one + other


def compute_gain(said: Iterable[Paid], account: Account) -> int:
    """Compute the gain of an account by some payments."""
    return sum(((p.payee == account) - (p.payer == account)) * p.amount for p in said)


# ---- all the ways in which a deal can end
def find_endings(deal: Deal, library: Library, source: str, options: bool = False) -> tuple[Ending, ...]:
    """Find every way in which a deal can end by a source, with its worlds.

    There may be thousands.
    """
    explorer = make_source_explorer(library, source, deal, options)
    all_, draw = draw_deal_diagrams(explorer), explorer.drawings
    ledger = draw.end(())
    for case, branch in all_.cases.items():
        ledger = draw.combine(
            partial(_add_case_to_ledger, case), ledger, _find_case_sums(all_, branch, deal.pool(source))
        )
    whole = draw.combine(_make_ending, all_.state, ledger, all_.pool, all_.outcome)
    return tuple(replace(end, worlds=explorer.conditions(found)) for end, found in _group_paths(whole).items())


def _add_case_to_ledger(
    case: Case, ledger: tuple[tuple[Case, Paid], ...], said: Iterable[Paid]
) -> tuple[tuple[Case, Paid], ...]:
    """Add the sums of one case to a ledger."""
    return (*ledger, *((case, one) for one in said))


def _make_ending(state: str, ledger: tuple[tuple[Case, Paid], ...], pool: Pool, outcome: Summary) -> Ending:
    """Make the end of a deal; if it is not settled, nothing is paid and nothing won."""
    return Ending(state, ledger, pool, outcome) if state == "settled" else Ending(state, (), None, None)
