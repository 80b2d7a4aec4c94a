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
from engine.comparison.bundles import POOL, Bundle, as_knots, bundles, by_group, merged, together
from engine.deal.model import Deal
from engine.interpretation.decision_diagram import Branch, End, paths, taken, values
from engine.interpretation.decisions import Rulings
from engine.interpretation.explore import Case, Drawn, Explorer, Silence, drawn
from engine.interpretation.worlds import UPSHOTS, Paid, affairs, counted, gain, turned_out
from engine.play.replay import Played, check_table, finish_trick, play_card
from engine.play.table import legal_cards, seat_players
from engine.readings.ask import Ask
from engine.readings.meanings.stake import POOL as THE_POOL
from engine.settlement.ledger import Account
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Ruleset

Result: TypeAlias = "Settled | Refused | Unanswered"
Shares: TypeAlias = Mapping[Account, Fraction]
Sums: TypeAlias = Mapping[Account, int]

MOST = 8000  #: so many trials of a rule are made before answers are taken together to have fewer


# ---- what is found
@dataclass(frozen=True, slots=True)
class Turned:
    """Something besides the payments that turns out in two ways, and the answers that suffice to turn it."""

    what: str  #: lawful | may-play | taken | passed-over, or one of engine.interpretation.worlds.UPSHOTS
    first: Any
    second: Any
    enough: tuple[tuple[Bundle, ...], ...]  #: the second ruleset's answers, each smallest set that is enough
    trick: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What one bundle adds to a difference: on the mean of all orders, coming first of all, and coming last."""

    bundle: Bundle
    share: Shares
    alone: Sums  #: the first ruleset with this one of the second's answers, less the first ruleset
    last: Sums  #: the second ruleset, less the second ruleset with this one of the first's answers

    @property
    def simple(self) -> bool:
        """Whether it always adds the same, whatever the other answers are."""
        return self.alone == self.last == self.share


@dataclass(frozen=True, slots=True)
class Interplay:
    """What two bundles come to together beyond what each comes to alone; seen from either ruleset."""

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
        """Whether the answers exchanged one by one do not add up to the whole difference."""
        sums = {a: sum(part.alone[a] for part in self.parts) for a in self.difference}
        return sums != self.difference or not all(part.simple for part in self.parts)


@dataclass(frozen=True)
class Attribution:
    """A deal under two rulesets, and which answers make the difference."""

    deal: Deal
    first: Result
    second: Result
    differ: tuple[Bundle, ...]  #: all that the two answer differently, as it was exchanged
    asked: tuple[Bundle, ...]  #: those of them that some mixture asks for
    turned: tuple[Turned, ...]
    affairs: tuple[Affair, ...]  #: none unless both rulesets settle the deal

    @property
    def settled(self) -> bool:
        """Whether both rulesets settle the deal, so that there is money to compare."""
        return isinstance(self.first, Settled) and isinstance(self.second, Settled)

    @property
    def difference(self) -> Sums:
        """What every account has more by the second ruleset."""
        return {a: sum(one.difference[a] for one in self.affairs) for a in accounts(self.deal)}

    @property
    def shares(self) -> Mapping[Bundle, Shares]:
        """What every bundle adds in all, those that add most first; the sum is the difference."""
        found: dict[Bundle, dict[Account, Fraction]] = {}
        for part in (part for one in self.affairs for part in one.parts):
            so_far = found.setdefault(part.bundle, dict.fromkeys(accounts(self.deal), Fraction(0)))
            for account, share in part.share.items():
                so_far[account] += share
        return dict(sorted(found.items(), key=lambda one: -sum(map(abs, one[1].values()))))


def accounts(deal: Deal) -> tuple[Account, ...]:
    """The seats and the pool."""
    return (*range(len(deal.seats)), THE_POOL)


# ---- mixing two rulesets
class TooMany(Exception):
    """More trials than anybody would wait for."""


class Mixer(Explorer):
    """Tries the answers of two rulesets on one deal in every mixture that can matter, up to a number of trials."""

    def __init__(self, deal: Deal, pair: tuple[Ruleset, Ruleset], these: tuple[Bundle, ...], most: int) -> None:
        super().__init__(deal, together(*pair), as_knots(these, pair[1]))
        self.pair, self.left = pair, most
        pools = [deal.pool(ruleset.source) for ruleset in pair]
        self.bundles = these if pools[0] == pools[1] else (*these, POOL)
        self.pools = self.drawings.choose(len(these), [self.drawings.end(pool) for pool in pools])

    def tried(self, reckon: Callable[[Ask], Any], rulings: Rulings) -> tuple[Any, frozenset[str]]:
        """What comes of a reckoning. Raises TooMany."""
        self.left -= 1
        if self.left < 0:
            raise TooMany
        return super().tried(reckon, rulings)


def attribution(library: Library, deal: Deal, first: Ruleset, second: Ruleset, most: int = MOST) -> Attribution:
    """What differs between two rulesets on a deal, and which answers cause it."""
    results = settle(deal, first), settle(deal, second)
    both = all(isinstance(one, Settled) for one in results)
    mixer, all_, whole = mixed(library, deal, (first, second), both, most)
    turned = [*lawful(all_, results), *in_play(mixer, whole), *(besides(mixer, all_, results) if both else ())]
    found = tuple(affairs_of(mixer, all_)) if both else ()
    asked = tuple(one for at, one in enumerate(mixer.bundles) if str(at) in mixer.raised or one == POOL)
    return Attribution(deal, *results, mixer.bundles, asked, tuple(turned), found)


def mixed(
    library: Library, deal: Deal, pair: tuple[Ruleset, Ruleset], playable: bool, most: int
) -> tuple[Mixer, Drawn, Branch]:
    """The deal in all mixtures, and its course; answers are joined where a mixture is no game."""
    these = bundles(library, *pair)
    while True:
        mixer = Mixer(deal, pair, these, most if len(these) > 1 else sys.maxsize)
        try:
            all_, whole = drawn(mixer), mixer.explore(partial(course, deal))
        except TooMany:
            these = by_group(library, these)
            continue
        clash = unplayable(all_.state) if playable else ()
        if len(clash) < 2:
            return mixer, all_, whole
        these = merged(these, clash, "unplayable")


def unplayable(state: Branch) -> tuple[int, ...]:
    """The fewest choices that bring about a mixture which does not settle the deal; none if every one does."""
    found = [path for said, path in paths(state) if said != "settled"]
    return tuple(choice for choice, _ in min(found, key=len, default=()))


# ---- what differs besides money
@dataclass(frozen=True, slots=True)
class Course:
    """What might be played whenever a card was played, as bits, and who took the tricks."""

    choices: tuple[tuple[int, int, int], ...]  #: trick, seat, cards
    takers: tuple[int, ...]


def course(deal: Deal, ask: Ask) -> Course:
    """The tricks as recorded, lawful or not, with the cards that might have been played instead. Raises Silent."""
    table, choices = seat_players(deal, ask), []
    check_table(table)
    for number, row in enumerate(() if table.void else deal.tricks, 1):
        cards = []
        for i, card in enumerate(row):
            seat, led = table.held[card], row[0] if i else None
            choices.append((number, seat, legal_cards(table, number, seat, led, ask)))
            cards.append(play_card(table, number, seat, card, led))
        finish_trick(table, number, cards)
    return Course(tuple(choices), tuple(table.takers))


def lawful(all_: Drawn, results: tuple[Result, Result]) -> Iterator[Turned]:
    """That only one of two rulesets settles the deal."""
    states = [STATES[type(one)] for one in results]
    if states[0] != states[1]:  # a silence is a cause of its own: in mixtures the other's answer stands in for it
        known = not any(isinstance(one, Unanswered) for one in results)
        yield Turned("lawful", states[0], states[1], enough(all_.explorer, all_.state, states[1]) if known else ())


STATES: Mapping[type, str] = {Settled: "settled", Refused: "refused", Unanswered: "silent"}


def in_play(mixer: Mixer, whole: Branch) -> Iterator[Turned]:
    """What might be played otherwise, and who takes otherwise."""
    ends = [end(whole, second) for second in (False, True)]
    if any(isinstance(one, Silence) for one in ends):
        return
    places = zip(ends[0].choices, ends[1].choices, strict=False)
    for at, (one, other) in enumerate(places):
        if one != other:
            branch = mixer.drawings.combine(partial(choice_at, at), whole)
            yield Turned("may-play", one[2], other[2], enough(mixer, branch, other[2]), *one[:2])
    for at, (one, other) in enumerate(zip(ends[0].takers, ends[1].takers, strict=False)):
        if one != other:
            branch = mixer.drawings.combine(partial(taker_at, at), whole)
            yield Turned("taken", one, other, enough(mixer, branch, other), at + 1)


def choice_at(at: int, found: Course | Silence) -> int | None:
    """What might be played for one of the cards."""
    return found.choices[at][2] if isinstance(found, Course) and at < len(found.choices) else None


def taker_at(at: int, found: Course | Silence) -> int | None:
    """Who takes one of the tricks."""
    return found.takers[at] if isinstance(found, Course) and at < len(found.takers) else None


def besides(mixer: Mixer, all_: Drawn, results: tuple[Result, Result]) -> Iterator[Turned]:
    """What turns out otherwise when all is played: who has won, the pool, who deals, faults that cost nothing."""
    draw = mixer.drawings
    drawings = {what: (getattr(all_, stage), part) for what, (stage, part) in UPSHOTS.items()}
    for what, (stage, part) in drawings.items():
        branch = draw.combine(partial(turned_out, part), all_.state, stage)
        first, second = (told(one, what) for one in results)
        if first != second:
            known = end(branch, True) == second  # not so for the pool, where it lay otherwise before the deal
            yield Turned(what, first, second, enough(mixer, branch, second) if known else ())
    passed = draw.combine(lambda one: one.passed_over if isinstance(one, Played) else (), all_.play)
    if (one := end(passed, False)) != (other := end(passed, True)):
        yield Turned("passed-over", one, other, enough(mixer, passed, other))


def told(result: Result, what: str) -> Any:
    """How something turned out in a deal that was settled."""
    assert isinstance(result, Settled)
    return result.pool if what == "pool" else getattr(result.outcome, what)


def end(branch: Branch, second: bool) -> Any:
    """What comes by the first ruleset, or by the second."""
    return taken(branch, lambda _: int(second))


def enough(mixer: Explorer, branch: Branch, wanted: object) -> tuple[tuple[Bundle, ...], ...]:
    """Every smallest set of the second ruleset's answers which, given to the first, lead to this."""
    assert isinstance(mixer, Mixer)
    sets = leading(branch, wanted, {})
    named = [tuple(mixer.bundles[at] for at in sorted(some)) for some in sets]
    return tuple(sorted(named, key=lambda some: (len(some), some[0].questions if some else ())))


def leading(
    branch: Branch, wanted: object, known: dict[Branch, tuple[frozenset[int], ...]]
) -> tuple[frozenset[int], ...]:
    """Every smallest set of choices to be taken the second way in order to come there."""
    if isinstance(branch, End):
        return (frozenset(),) if branch.value == wanted else ()
    if branch not in known:
        without, with_it = (leading(way, wanted, known) for way in branch.ways)
        more = (some | {branch.choice} for some in with_it)
        known[branch] = (*without, *(some for some in more if not any(had <= some for had in without)))
    return known[branch]


# ---- what differs in money
def affairs_of(mixer: Mixer, all_: Drawn) -> Iterator[Affair]:
    """Every payment that differs, or that would in some mixture."""
    draw = mixer.drawings
    sums = {case: draw.combine(counted, branch, mixer.pools) for case, branch in all_.cases.items()}
    for case, branch in affairs(mixer, sums).items():
        if len(values(branch)) > 1:
            found = affair(mixer, case, branch)
            if found.first != found.second or found.parts:
                yield found


def affair(mixer: Mixer, case: Case, branch: Branch) -> Affair:
    """One payment: the difference, the shares in it, and what the answers do to each other."""
    first, second = (tidy(end(branch, which)) for which in (False, True))
    everyone = accounts(mixer.deal)
    gains = {a: mixer.drawings.combine(partial(gain, account=a), branch) for a in everyone}
    found = {a: shapley.shares(one) for a, one in gains.items()}
    touched = sorted({at for some in found.values() for at in some})
    parts = tuple(part(mixer, gains, found, at) for at in touched)
    moving = tuple(one for one in parts if any((*one.share.values(), *one.alone.values(), *one.last.values())))
    difference = {a: end(one, True) - end(one, False) for a, one in gains.items()}
    return Affair(case, first, second, difference, moving, tuple(interplays(mixer, gains, touched)))


def tidy(said: Iterable[Paid]) -> tuple[Paid, ...]:
    """What passes, the sums between two accounts made one."""
    sums: dict[tuple[Account, Account], int] = {}
    for one in said:
        sums[one.payer, one.payee] = sums.get((one.payer, one.payee), 0) + one.amount
    return tuple(Paid(*pair, amount) for pair, amount in sums.items())


def part(
    mixer: Mixer, gains: Mapping[Account, Branch], found: Mapping[Account, Mapping[int, Fraction]], at: int
) -> Part:
    """What one bundle adds."""
    return Part(
        mixer.bundles[at],
        {a: found[a].get(at, Fraction(0)) for a in gains},
        {a: effect(one, {at}, False) for a, one in gains.items()},
        {a: -effect(one, {at}, True) for a, one in gains.items()},
    )


def effect(branch: Branch, some: Iterable[int], second: bool) -> int:
    """What comes more when one starts from the one ruleset and exchanges only these bundles."""
    changed = frozenset(some)
    exchanged: int = taken(branch, lambda choice: int((choice in changed) != second))
    before: int = end(branch, second)
    return exchanged - before


def interplays(mixer: Mixer, gains: Mapping[Account, Branch], touched: Sequence[int]) -> Iterator[Interplay]:
    """Every two bundles that come to something else together than one by one."""
    for pair in combinations(touched, 2):
        sides = [{a: interplay(one, pair, second) for a, one in gains.items()} for second in (False, True)]
        if any(any(side.values()) for side in sides):
            yield Interplay((mixer.bundles[pair[0]], mixer.bundles[pair[1]]), *sides)


def interplay(branch: Branch, pair: tuple[int, int], second: bool) -> int:
    """What two bundles come to together beyond what each does alone."""
    return effect(branch, pair, second) - sum(effect(branch, {at}, second) for at in pair)
