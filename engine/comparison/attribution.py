"""One deal under two rulesets: what differs, and which answers cause it.

What may be played, who takes and who wins is told before money. The difference in money is shared out payment by
payment among the answers on which that payment hangs, and the shares add up to it exactly
(`engine.comparison.shapley`). An answer that no mixture of the two rulesets asks for has no part in it.

A mixture must itself be a game. Answers that, exchanged one by one, would have the deal forbidden or a question
unanswered are exchanged together, and that is said. Where one of the two rulesets itself does not settle the deal no
money is shared out: there is no second ledger to compare.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, TypeAlias

from engine.comparison import shapley
from engine.comparison.bundles import (
    POOL_BUNDLE,
    Bundle,
    as_knots,
    combine_rulesets,
    find_bundles,
    level_rulesets,
    merge_bundles,
    merge_bundles_by_group,
)
from engine.deal.model import Deal
from engine.interpretation.decision_diagram import Branch, End, follow_choices, list_end_values, walk_paths
from engine.interpretation.explore import Case, Drawn, Explorer, RuleSilence, draw_deal_diagrams
from engine.interpretation.worlds import (
    UPSHOT_SOURCES,
    Paid,
    compute_gain,
    draw_upshot,
    merge_seat_cases,
    sum_postings,
)
from engine.play.replay import Played, check_table, finish_trick, play_card
from engine.play.table import legal_cards, seat_players
from engine.readings.ask import Ask
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Account
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Ruleset

_SettlementResult: TypeAlias = "Settled | Refused | Unanswered"
_AccountShares: TypeAlias = Mapping[Account, Fraction]
Sums: TypeAlias = Mapping[Account, int]

MAX_ATTRIBUTION_TRIALS = 8000  #: so many trials of a rule are made before answers are taken together to have fewer


# ---- what is found
@dataclass(frozen=True, slots=True)
class Turned:
    """Something besides the payments that turns out in two ways, and the answers that suffice to turn it."""

    what: str  #: lawful | may-play | taken | passed-over, or one of engine.interpretation.worlds.UPSHOT_SOURCES
    first: Any
    second: Any
    enough: tuple[tuple[Bundle, ...], ...]  #: the second ruleset's answers, each smallest set that is enough
    trick: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One bundle's part in a difference: the mean over all orders, and what it adds first and last."""

    bundle: Bundle
    share: _AccountShares
    alone: Sums  #: the first ruleset with this one of the second's answers, less the first ruleset
    last: Sums  #: the second ruleset, less the second ruleset with this one of the first's answers

    @property
    def simple(self) -> bool:
        """Tell whether the bundle always adds the same, whatever the other answers are."""
        return self.alone == self.last == self.share


@dataclass(frozen=True, slots=True)
class Interplay:
    """The joint effect of two bundles beyond what each adds alone, from either ruleset."""

    pair: tuple[Bundle, Bundle]
    first: Sums
    second: Sums


@dataclass(frozen=True, slots=True)
class Affair:
    """One rule over one thing that happened: what passes by either ruleset, and whose answers make the difference."""

    case: Case
    first: tuple[Paid, ...]
    second: tuple[Paid, ...]
    difference: Sums
    parts: tuple[Part, ...]
    interplay: tuple[Interplay, ...]

    @property
    def misleading(self) -> bool:
        """Tell whether exchanging the answers one by one misses the whole difference."""
        sums = {a: sum(part.alone[a] for part in self.parts) for a in self.difference}
        return sums != self.difference or not all(part.simple for part in self.parts)


@dataclass(frozen=True)
class Attribution:
    """A deal under two rulesets, and which answers make the difference."""

    deal: Deal
    first: _SettlementResult
    second: _SettlementResult
    differ: tuple[Bundle, ...]  #: all that the two answer differently, as it was exchanged
    asked: tuple[Bundle, ...]  #: those of them that some mixture asks for
    turned: tuple[Turned, ...]
    affairs: tuple[Affair, ...]  #: none unless both rulesets settle the deal

    @property
    def settled(self) -> bool:
        """Tell whether both rulesets settle the deal, so that there is money to compare."""
        return isinstance(self.first, Settled) and isinstance(self.second, Settled)

    @property
    def difference(self) -> Sums:
        """The gain of every account under the second ruleset, compared with the first."""
        return {a: sum(affair.difference[a] for affair in self.affairs) for a in list_accounts(self.deal)}

    @property
    def shares(self) -> Mapping[Bundle, _AccountShares]:
        """The total share of every bundle, largest first; the sum is the difference."""
        totals: dict[Bundle, dict[Account, Fraction]] = {}
        for part in (part for affair in self.affairs for part in affair.parts):
            so_far = totals.setdefault(part.bundle, dict.fromkeys(list_accounts(self.deal), Fraction(0)))
            for account, share in part.share.items():
                so_far[account] += share
        return dict(sorted(totals.items(), key=lambda item: -sum(map(abs, item[1].values()))))


def list_accounts(deal: Deal) -> tuple[Account, ...]:
    """List the accounts of a deal: the seats and the pool."""
    return (*range(len(deal.seats)), POOL_ACCOUNT)


# ---- mixing two rulesets
class TooMany(Exception):
    """More trials than anybody would wait for."""


class Mixer(Explorer):
    """Tries the answers of two rulesets on one deal in every mixture that can matter, up to a number of trials."""

    def __init__(self, deal: Deal, pair: tuple[Ruleset, Ruleset], these: tuple[Bundle, ...], most: int) -> None:
        super().__init__(deal, combine_rulesets(*pair), as_knots(these, pair[1]))
        self.pair, self.left = pair, most
        pools = [deal.pool(ruleset.source) for ruleset in pair]
        self.bundles = these if pools[0] == pools[1] else (*these, POOL_BUNDLE)
        self.pools = self.drawings.choose(len(these), [self.drawings.end(pool) for pool in pools])

    def tried(self, reckon: Callable[[Ask], Any], ruleset: Ruleset) -> tuple[Any, frozenset[str]]:
        """Run a reckoning as one more trial. Raises TooMany."""
        self.left -= 1
        if self.left < 0:
            raise TooMany
        return super().tried(reckon, ruleset)


def attribute_difference(
    library: Library, deal: Deal, first: Ruleset, second: Ruleset, most: int = MAX_ATTRIBUTION_TRIALS
) -> Attribution:
    """Compare two rulesets on a deal and find the answers that cause each difference."""
    results = settle(deal, first), settle(deal, second)
    both = all(isinstance(result, Settled) for result in results)
    mixer, all_, whole = _explore_mixtures(library, deal, level_rulesets(first, second), both, most)
    turned = [
        *_compare_legality(all_, results),
        *_compare_play(mixer, whole),
        *(_compare_upshots(mixer, all_, results) if both else ()),
    ]
    affairs = tuple(affairs_of(mixer, all_)) if both else ()
    asked = tuple(bundle for at, bundle in enumerate(mixer.bundles) if str(at) in mixer.raised or bundle == POOL_BUNDLE)
    return Attribution(deal, *results, mixer.bundles, asked, tuple(turned), affairs)


def _explore_mixtures(
    library: Library, deal: Deal, pair: tuple[Ruleset, Ruleset], playable: bool, most: int
) -> tuple[Mixer, Drawn, Branch]:
    """Explore the deal and its play in all mixtures, joining answers where a mixture is no game."""
    these = find_bundles(library, *pair)
    while True:
        mixer = Mixer(deal, pair, these, most if len(these) > 1 else sys.maxsize)
        try:
            all_, whole = draw_deal_diagrams(mixer), mixer.explore(partial(_trace_course, deal))
        except TooMany:
            these = merge_bundles_by_group(library, these)
            continue
        clash = _find_unplayable_choices(all_.state) if playable else ()
        if len(clash) < 2:
            return mixer, all_, whole
        these = merge_bundles(these, clash, "unplayable")


def _find_unplayable_choices(state: Branch) -> tuple[int, ...]:
    """Find the fewest choices whose mixture does not settle the deal; none if all settle it."""
    paths = [path for end, path in walk_paths(state) if end != "settled"]
    return tuple(choice for choice, _ in min(paths, key=len, default=()))


# ---- what differs besides money
#: Legal cards at every card played (trick, seat, cards as bits), and the takers.
Course: TypeAlias = tuple[tuple[tuple[int, int, int], ...], tuple[int, ...]]


def _trace_course(deal: Deal, ask: Ask) -> Course:
    """Play the recorded tricks, legal or not, and note the legal cards. Raises Silent."""
    table, choices = seat_players(deal, ask), []
    check_table(table)
    for number, row in enumerate(() if table.void else deal.tricks, 1):
        cards = []
        for i, card in enumerate(row):
            seat, led = table.held[card], row[0] if i else None
            choices.append((number, seat, legal_cards(table, number, seat, led, ask)))
            cards.append(play_card(table, number, seat, card, led))
        finish_trick(table, number, cards)
    return tuple(choices), tuple(table.takers)


def _compare_legality(all_: Drawn, results: tuple[_SettlementResult, _SettlementResult]) -> Iterator[Turned]:
    states = [RESULT_STATE_NAMES[type(result)] for result in results]
    if states[0] != states[1]:  # a silence is a cause of its own: in mixtures the other's answer stands in for it
        known = not any(isinstance(result, Unanswered) for result in results)
        yield Turned(
            "lawful",
            states[0],
            states[1],
            find_sufficient_bundles(all_.explorer, all_.state, states[1]) if known else (),
        )


RESULT_STATE_NAMES: Mapping[type, str] = {Settled: "settled", Refused: "refused", Unanswered: "silent"}


def _compare_play(mixer: Mixer, whole: Branch) -> Iterator[Turned]:
    """Yield the differences in legal cards and in the takers of tricks."""
    ends = [_end_under(whole, second) for second in (False, True)]
    if any(isinstance(course, RuleSilence) for course in ends):
        return
    for at, (first, other) in enumerate(zip(ends[0][0], ends[1][0], strict=False)):
        if first != other:
            branch = mixer.drawings.combine(partial(_read_course, 0, at), whole)
            yield Turned("may-play", first[2], other[2], find_sufficient_bundles(mixer, branch, other), *first[:2])
    for at, (first, other) in enumerate(zip(ends[0][1], ends[1][1], strict=False)):
        if first != other:
            branch = mixer.drawings.combine(partial(_read_course, 1, at), whole)
            yield Turned("taken", first, other, find_sufficient_bundles(mixer, branch, other), at + 1)


def _read_course(part: int, at: int, course: Course | RuleSilence) -> object:
    """Return the legal cards where one of the cards was played (part 0), or the taker of one of the tricks (1)."""
    return course[part][at] if isinstance(course, tuple) and at < len(course[part]) else None


def _compare_upshots(
    mixer: Mixer, all_: Drawn, results: tuple[_SettlementResult, _SettlementResult]
) -> Iterator[Turned]:
    """Yield the differences besides money: winners, pool, next dealer, faults that cost nothing."""
    draw = mixer.drawings
    for what in UPSHOT_SOURCES:
        branch = draw_upshot(all_, what)
        first, second = (_read_upshot(result, what) for result in results)
        if first != second:
            known = _end_under(branch, True) == second  # not so for the pool, where it lay otherwise before the deal
            yield Turned(what, first, second, find_sufficient_bundles(mixer, branch, second) if known else ())
    passed = draw.combine(lambda played: played.passed_over if isinstance(played, Played) else (), all_.play)
    if (seats := _end_under(passed, False)) != (other_seats := _end_under(passed, True)):
        yield Turned("passed-over", seats, other_seats, find_sufficient_bundles(mixer, passed, other_seats))


def _read_upshot(result: _SettlementResult, what: str) -> Any:
    assert isinstance(result, Settled)
    return result.pool if what == "pool" else getattr(result.outcome, what)


def _end_under(branch: Branch, second: bool) -> Any:
    """Return the end that the first ruleset, or the second, leads to."""
    return follow_choices(branch, lambda _: int(second))


def find_sufficient_bundles(mixer: Explorer, branch: Branch, wanted: object) -> tuple[tuple[Bundle, ...], ...]:
    """Find every smallest set of the second's answers that gives the first ruleset an outcome."""
    assert isinstance(mixer, Mixer)
    sets = _find_sufficient_choices(branch, wanted, {})
    named = [tuple(mixer.bundles[at] for at in sorted(some)) for some in sets]
    return tuple(sorted(named, key=lambda some: (len(some), some[0].questions if some else ())))


def _find_sufficient_choices(
    branch: Branch, wanted: object, known: dict[Branch, tuple[frozenset[int], ...]]
) -> tuple[frozenset[int], ...]:
    """Find every smallest set of choices to be taken the second way to get there."""
    if isinstance(branch, End):
        return (frozenset(),) if branch.value == wanted else ()
    if branch not in known:
        without, with_it = (_find_sufficient_choices(way, wanted, known) for way in branch.ways)
        more = (some | {branch.choice} for some in with_it)
        known[branch] = (*without, *(some for some in more if not any(had <= some for had in without)))
    return known[branch]


# ---- what differs in money
def affairs_of(mixer: Mixer, all_: Drawn) -> Iterator[Affair]:
    """Every payment that differs, or that would in some mixture."""
    draw = mixer.drawings
    sums = {case: draw.combine(sum_postings, branch, mixer.pools) for case, branch in all_.cases.items()}
    for case, branch in merge_seat_cases(mixer, sums).items():
        if len(list_end_values(branch)) > 1:
            affair = _attribute_affair(mixer, case, branch)
            if affair.first != affair.second or affair.parts:
                yield affair


def _attribute_affair(mixer: Mixer, case: Case, branch: Branch) -> Affair:
    """Attribute one payment: its difference, the shares, and the interplay of answers."""
    first, second = (merge_payments(_end_under(branch, which)) for which in (False, True))
    everyone = list_accounts(mixer.deal)
    gains = {a: mixer.drawings.combine(partial(compute_gain, account=a), branch) for a in everyone}
    shares_by_account = {a: shapley.compute_shapley_shares(gain) for a, gain in gains.items()}
    touched = sorted({at for some in shares_by_account.values() for at in some})
    parts = tuple(_compute_part(mixer, gains, shares_by_account, at) for at in touched)
    moving = tuple(part for part in parts if any((*part.share.values(), *part.alone.values(), *part.last.values())))
    difference = {a: _end_under(gain, True) - _end_under(gain, False) for a, gain in gains.items()}
    return Affair(case, first, second, difference, moving, tuple(_find_interplays(mixer, gains, touched)))


def merge_payments(payments: Iterable[Paid]) -> tuple[Paid, ...]:
    """Merge payments so that there is one sum for each payer and payee."""
    sums: dict[tuple[Account, Account], int] = {}
    for payment in payments:
        sums[payment.payer, payment.payee] = sums.get((payment.payer, payment.payee), 0) + payment.amount
    return tuple(Paid(*pair, amount) for pair, amount in sums.items())


def _compute_part(
    mixer: Mixer, gains: Mapping[Account, Branch], shares_by_account: Mapping[Account, Mapping[int, Fraction]], at: int
) -> Part:
    return Part(
        mixer.bundles[at],
        {a: shares_by_account[a].get(at, Fraction(0)) for a in gains},
        {a: _compute_effect(gain, {at}, False) for a, gain in gains.items()},
        {a: -_compute_effect(gain, {at}, True) for a, gain in gains.items()},
    )


def _compute_effect(branch: Branch, some: Iterable[int], second: bool) -> int:
    """Compute the gain when only these bundles are exchanged in one of the rulesets."""
    changed = frozenset(some)
    exchanged: int = follow_choices(branch, lambda choice: int((choice in changed) != second))
    before: int = _end_under(branch, second)
    return exchanged - before


def _find_interplays(mixer: Mixer, gains: Mapping[Account, Branch], touched: Sequence[int]) -> Iterator[Interplay]:
    """Find every two bundles whose joint effect differs from the sum of the two."""
    for pair in combinations(touched, 2):
        sides = [{a: _compute_interplay(gain, pair, second) for a, gain in gains.items()} for second in (False, True)]
        if any(any(side.values()) for side in sides):
            yield Interplay((mixer.bundles[pair[0]], mixer.bundles[pair[1]]), *sides)


def _compute_interplay(branch: Branch, pair: tuple[int, int], second: bool) -> int:
    """Compute the joint effect of two bundles beyond what each adds alone."""
    return _compute_effect(branch, pair, second) - sum(_compute_effect(branch, {at}, second) for at in pair)
