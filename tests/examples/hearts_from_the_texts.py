"""Hearts settled a second time, from the six texts alone: an oracle beside the game.

The rules are those of a second reader, who had seen the texts and neither the game nor a clause; cut to what is
compared, and set in our form. Each way of settling gives every result that the text bears: one where it spells the
case out, several where its words can be taken so or so, none where it does not say. Ours is one result: that a counter
which three or more cannot share is left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

RANKS = "23456789TJQKA"
Hearts = Mapping[str, int]  #: taken by each player


class Pool(NamedTuple):
    """What lies in the pool."""

    counters: Fraction = Fraction(0)
    is_jack: bool = False


class Result(NamedTuple):
    """What each player wins or loses, and what is left."""

    net: Mapping[str, Fraction]
    pool: Pool


def find_taker(trick: Sequence[str]) -> str:
    """Find the card that takes a trick: FOS "the highest card played, if of the suit led"; so OFF, BRI and NYS."""
    return max((card for card in trick if card[1] == trick[0][1]), key=lambda card: RANKS.index(card[0]))


def settle(text: str, hearts: Hearts, standing: Pool) -> dict[str, list[Result]]:
    """Settle in every way that a text describes in enough words to be applied."""
    ways = {
        "FOS": {"howell": settle_by_howell(hearts), "sweepstake": settle_fos_sweepstake(hearts, standing)},
        "KIN": {"chips": settle_kin_chips(hearts)},
        "OFF": {
            "simple": settle_off_simple(hearts),
            "sweepstake": settle_off_sweepstake(hearts, standing),
            "howell": settle_by_howell(hearts),
        },
        "BRI": {"howell": settle_by_howell(hearts)},
    }
    if len(hearts) == 3:
        ways["FOS"]["three-handed"] = settle_fos_three(hearts)
    return ways.get(text, {})


def compute_result(
    hearts: Hearts, takers: Iterable[str], share: Fraction | int, pool: Fraction | int, *, is_jack: bool = False
) -> Result:
    """Compute a result: everybody pays one for each heart, and each taker has a share of the pool."""
    takers = [*takers]
    net = {player: Fraction(share if player in takers else 0) - taken for player, taken in hearts.items()}
    left = Fraction(pool) - Fraction(share) * len(takers)
    return Result(net, Pool(left, is_jack and bool(left)))


def list_shares(hearts: Hearts, takers: Sequence[str], pool: Fraction | int) -> list[Result]:
    """List the results of a division of which the odd counter is not spoken: in parts, or whole and one over."""
    parts = compute_result(hearts, takers, Fraction(pool) / len(takers), pool)
    whole = compute_result(hearts, takers, pool // len(takers), pool)
    return [parts] if parts == whole else [parts, whole]


def settle_by_howell(hearts: Hearts) -> list[Result]:
    """FOS: "as many counters as there are players besides himself"; "1 counter for every heart he did not hold"."""
    others, dealt = len(hearts) - 1, sum(hearts.values())
    return [Result({player: Fraction(dealt - n - n * others) for player, n in hearts.items()}, Pool())]


def settle_fos_sweepstake(hearts: Hearts, standing: Pool) -> list[Result]:
    """FOS, law 29, which speaks of four players, and not of the case that each has taken a heart."""
    clear = [player for player, taken in hearts.items() if not taken]
    pool = standing.counters + sum(hearts.values())
    jack, no_jack = (compute_result(hearts, (), 0, pool, is_jack=is_jack) for is_jack in (True, False))
    divided = compute_result(hearts, clear, pool // len(clear), pool) if clear else no_jack
    if len(clear) == 1:  # "wins the pool"
        return [divided]
    if standing.is_jack:  # "can be won only by one player taking no hearts"
        return [jack]
    if len(hearts) == 4 and clear:  # "divide it, the odd counter remaining"; "remain in the pool, forming a Jack"
        return [divided if len(clear) == 2 else jack]
    return [jack, no_jack, divided] if clear else [jack, no_jack]


def settle_fos_three(hearts: Hearts) -> list[Result]:
    """FOS: "pay the two others as many counters as he has hearts in excess of theirs"; two alike "pay the low man"."""
    low, middle, high = sorted(hearts, key=lambda player: hearts[player])
    net = dict.fromkeys(hearts, Fraction(0))
    pairs = [(middle, low), (high, low)] if hearts[middle] == hearts[high] else [(high, low), (high, middle)]
    for payer, payee in pairs:
        net[payer] -= hearts[payer] - hearts[payee]
        net[payee] += hearts[payer] - hearts[payee]
    return [Result(net, Pool())]


def settle_kin_chips(hearts: Hearts) -> list[Result]:
    """KIN: "divided among those who have avoided taking heart cards"; nothing is said where nobody has."""
    clear = [player for player, taken in hearts.items() if not taken]
    return list_shares(hearts, clear, sum(hearts.values())) if clear else []


def settle_off_simple(hearts: Hearts) -> list[Result]:
    """OFF: the fewest "wins them all"; two or more "divide points in half", which fits two alone."""
    fewest = [player for player, taken in hearts.items() if taken == min(hearts.values())]
    return list_shares(hearts, fewest, sum(hearts.values()))


def settle_off_sweepstake(hearts: Hearts, standing: Pool) -> list[Result]:
    """OFF: two "divide the pool"; if each takes one or one takes all, it "remains to be added to succeeding pools"."""
    clear, players = [player for player, taken in hearts.items() if not taken], len(hearts)
    pool = standing.counters + sum(hearts.values())
    stays, is_all_taken = compute_result(hearts, (), 0, pool, is_jack=True), len(clear) == players - 1
    if not clear or (is_all_taken and players > 3):
        return [stays]
    won = list_shares(hearts, clear, pool)
    if is_all_taken:  # of three players: "two take no hearts" and "one takes them all" both fit
        return [stays, *won]
    return won if len(clear) < 3 else []  # of three without a heart, and others with, nothing is said
