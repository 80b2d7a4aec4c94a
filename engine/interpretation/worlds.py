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
from functools import reduce
from operator import add
from typing import Any

from engine.arguments import require_deal
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation import decision_diagram as diagram
from engine.interpretation import explore
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Account, Posting
from rulebook.decisions import Decision
from rulebook.display import format_repr
from rulebook.model import Library
from rulebook.resolve import require_library

#: What turns out in worlds that do not settle the deal.
UNSETTLED_UPSHOT = "unsettled"


@dataclass(frozen=True, slots=True)
class Paid:
    """A sum that passes from one account to another."""

    payer: Account
    payee: Account
    amount: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A sum that some world lets pass: in which worlds it holds, and on which decisions that depends."""

    case: explore.Case
    paid: Paid
    preferred: bool  #: it holds if every decision is taken as we prefer
    depends: tuple[explore.Clauses, ...]  #: each smallest set of decisions that settles it; none where it is certain
    holds: tuple[explore.WorldCondition, ...]  #: the worlds in which it holds; one empty condition where it is certain


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several ways in which something turns out, and in which worlds it does."""

    value: Any  #: sums paid; settled, refused or silent; what `Settled` has, or UNSETTLED_UPSHOT
    worlds: tuple[explore.WorldCondition, ...]
    preferred: bool


@dataclass(frozen=True, slots=True)
class Contest:
    """Something that does not turn out the same in all worlds, and the decisions it hangs on.

    It is a case (what one rule makes of the end of the deal, seat by seat, is one case here, and has no player), or
    one of UPSHOT_SOURCES.
    """

    about: Any  #: a Case, or a name
    depends: tuple[explore.Clauses, ...]
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
class Worlds:
    """A deal under all the readings of a source."""

    deal: Deal
    source: str
    decisions: tuple[Decision, ...]  #: those that the deal raises at all
    number: int  #: in how many ways these can be taken together
    states: tuple[Variant, ...]  #: settled, refused or silent
    playable: tuple[explore.Clauses, ...]  #: on which decisions it depends whether the deal is settled
    postings: tuple[Standing, ...]
    contests: tuple[Contest, ...]  #: cases
    net: tuple[Span, ...]
    upshots: tuple[Contest, ...]  #: what else is contested: the pool, who won, who deals

    def __repr__(self) -> str:
        payments = f"{len(self.certain)} payments certain, {len(self.contested)} contested"
        return format_repr(self, f"by {self.source}: {self.number} ways to read it, {payments}, {self.deal.id}")

    @property
    def certain(self) -> tuple[Standing, ...]:
        """The postings that hold in all worlds."""
        return tuple(posting for posting in self.postings if not posting.depends)

    @property
    def contested(self) -> tuple[Standing, ...]:
        """The postings that hold in some worlds only."""
        return tuple(posting for posting in self.postings if posting.depends)


# ---- what holds, and on what it depends
def possible_worlds(deal: Deal, library: Library, source: str, options: bool = False) -> Worlds:
    """Find the results of a deal that are the same in all readings of a source, and those that differ."""
    require_deal(deal)
    require_library(library, "possible_worlds(deal, library, siglum)")
    source = library.source(source).siglum
    explorer = explore.make_source_explorer(library, source, deal, options)
    all_ = explore.draw_deal_diagrams(explorer)
    sums = {case: _find_case_sums(all_, branch, deal.pool(source)) for case, branch in all_.cases.items()}
    raised = tuple(
        decision for knot in explorer.knots for decision in knot.decisions if decision.clause in explorer.raised
    )
    return Worlds(
        deal,
        source,
        raised,
        _count_ways(explorer),
        _list_variants(explorer, all_.state),
        explorer.depends(all_.state),
        tuple(standing for case, branch in sums.items() for standing in _find_standings(explorer, case, branch)),
        tuple(_find_contests(explorer, merge_seat_cases(explorer, sums))),
        tuple(_compute_span(all_, sums.values(), account) for account in (*range(len(deal.seats)), POOL_ACCOUNT)),
        tuple(_find_contests(explorer, {name: draw_upshot(all_, name) for name in UPSHOT_SOURCES})),
    )


def _count_ways(explorer: explore.Explorer) -> int:
    """Count the ways in which the decisions that are raised can be taken together."""
    many = 1
    for knot in explorer.knots:
        at = [n for n, decision in enumerate(knot.decisions) if decision.clause in explorer.raised]
        many *= len({tuple(way[n] for n in at) for way in knot.ways})
    return many


def _find_case_sums(all_: explore.Drawn, branch: diagram.Branch, pool: Pool) -> diagram.Branch:
    """Draw the sums that pass in a case; none where the deal is not settled."""
    return all_.explorer.drawings.combine(
        lambda state, postings: sum_postings(postings, pool) if state == "settled" else (), all_.state, branch
    )


def sum_postings(postings: tuple[Posting, ...] | None, pool: Pool) -> tuple[Paid, ...]:
    """Sum postings, one sum for each payer and payee."""
    sums: dict[tuple[Account, Account], int] = {}
    for posting in postings if isinstance(postings, tuple) else ():
        pair = posting.payer, posting.payee
        sums[pair] = sums.get(pair, 0) + posting.counted(pool)
    payments = (Paid(payer, payee, amount) for (payer, payee), amount in sums.items() if amount)
    return tuple(sorted(payments, key=lambda payment: (str(payment.payer), str(payment.payee))))


def _find_standings(explorer: explore.Explorer, case: explore.Case, branch: diagram.Branch) -> Iterator[Standing]:
    """Yield every posting that some world makes in a case."""
    for paid in sorted({paid for sums in diagram.list_end_values(branch) for paid in sums}, key=str):
        holds = explorer.drawings.combine(lambda sums, paid=paid: paid in sums, branch)
        conditions = explorer.conditions(path for it_holds, path in diagram.walk_paths(holds) if it_holds)
        yield Standing(case, paid, _follow_preferred(holds), explorer.depends(holds), conditions)


def _follow_preferred(branch: diagram.Branch) -> Any:
    """Return the end when every decision is taken as we prefer."""
    return diagram.follow_choices(branch, lambda choice: 0)


def merge_seat_cases(
    explorer: explore.Explorer, sums: Mapping[explore.Case, diagram.Branch]
) -> dict[explore.Case, diagram.Branch]:
    """Merge the cases of the seats at the end of the deal, rule by rule.

    The other cases keep their sums.
    """
    sums_by_case: dict[explore.Case, diagram.Branch] = {}
    for case, branch in sums.items():
        whole = replace(case, player=None) if case.kind == "seat" else case
        sums_by_case[whole] = (
            explorer.drawings.combine(add, sums_by_case[whole], branch) if whole in sums_by_case else branch
        )
    return sums_by_case


def _find_contests(explorer: explore.Explorer, branches: Mapping[Any, diagram.Branch]) -> Iterator[Contest]:
    """Yield what does not turn out the same in all worlds."""
    for about, branch in branches.items():
        if len(variants := _list_variants(explorer, branch)) > 1:
            yield Contest(
                about, explorer.depends(branch), tuple(sorted(variants, key=lambda variant: not variant.preferred))
            )


def _list_variants(explorer: explore.Explorer, branch: diagram.Branch) -> tuple[Variant, ...]:
    """List all that can come of a drawing, each with its worlds."""
    ours, ways = _follow_preferred(branch), dict[Any, list[diagram.Path]]()
    for value, path in diagram.walk_paths(branch):
        ways.setdefault(value, []).append(path)
    return tuple(Variant(value, explorer.conditions(paths), value == ours) for value, paths in ways.items())


#: What is settled besides payments: where it is drawn, and where it stands there.
UPSHOT_SOURCES: Mapping[str, tuple[str, str]] = {
    "pool": ("pool", ""),
    **{name: ("outcome", name) for name in ("reversis", "espagnolette", "partie", "next_dealer")},
}


def draw_upshot(all_: explore.Drawn, name: str) -> diagram.Branch:
    """Draw one of UPSHOT_SOURCES; unsettled where the deal is not settled."""
    drawing, part = UPSHOT_SOURCES[name]

    def read_upshot(state: str, whole: object) -> object:
        return UNSETTLED_UPSHOT if state != "settled" else getattr(whole, part) if part else whole

    return all_.explorer.drawings.combine(read_upshot, all_.state, getattr(all_, drawing))


def _compute_span(all_: explore.Drawn, sums: Iterable[diagram.Branch], account: Account) -> Span:
    """Compute the least and the most that an account gains."""
    explorer = all_.explorer
    gained = [explorer.drawings.combine(lambda payments: compute_gain(payments, account), branch) for branch in sums]
    fixed = explorer.drawings.end(sum(gain.value for gain in gained if isinstance(gain, diagram.End)))
    forked = (gain for gain in gained if not isinstance(gain, diagram.End))
    total = reduce(lambda a, b: explorer.drawings.combine(add, a, b), forked, fixed)
    final = explorer.drawings.combine(lambda state, n: n if state == "settled" else None, all_.state, total)
    known = [n for n in diagram.list_end_values(final) if n is not None]
    return Span(account, min(known, default=0), max(known, default=0), _follow_preferred(final))


def compute_gain(payments: Iterable[Paid], account: Account) -> int:
    """Compute the gain of an account by some payments."""
    return sum(((p.payee == account) - (p.payer == account)) * p.amount for p in payments)
