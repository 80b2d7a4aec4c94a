"""The fewest deals that tell a set of rulesets apart: every two of them come out otherwise on some deal.

First a greedy choice; then, as far as the number of tries allows, it is shown that no smaller choice does, or a
smaller one is found.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from typing import TypeAlias

from engine.deal.model import Deal
from engine.interpretation.effects import HOW, questions_changed
from engine.settlement.settle import Settled, settle
from rulebook.model import Ruleset

_PairsByDeal: TypeAlias = Mapping[str, frozenset[tuple[str, str]]]  #: deal -> the pairs of rulesets that it tells apart
_MAX_SEARCH_TRIES = 200_000  #: so many choices are looked at before the question is left open


@dataclass(frozen=True, slots=True)
class Smallest:
    """A set of deals that tells apart whatever any of them can."""

    deals: tuple[str, ...]
    exact: bool  #: whether it was shown that fewer do not suffice
    pairs: int  #: how many pairs of rulesets there are
    alike: tuple[tuple[str, str], ...]  #: the pairs that no deal at hand tells apart


def told_apart(
    deals: Iterable[Deal], worlds: Mapping[str, Ruleset], first: str
) -> dict[str, frozenset[tuple[str, str]]]:
    """For each deal the pairs of rulesets that it tells apart; `first` is the one from which the others depart."""
    changed = {name: questions_changed(worlds[first], ruleset) for name, ruleset in worlds.items()}
    pairs_by_deal = {}
    for deal in deals:
        own = settle(deal, worlds[first])
        came: dict[str, Hashable] = {}
        for name, ruleset in worlds.items():
            same = isinstance(own, Settled) and not own.asked & changed[name]
            came[name] = _describe_result(own) if same else _describe_result(settle(deal, ruleset))
        pairs_by_deal[deal.id] = frozenset((a, b) for a, b in combinations(worlds, 2) if came[a] != came[b])
    return pairs_by_deal


def _describe_result(result: object) -> Hashable:
    return tuple(repr(show(result)) for show in HOW.values()) if isinstance(result, Settled) else None


def find_smallest_test_set(pairs_by_deal: _PairsByDeal, pairs: Iterable[tuple[str, str]]) -> Smallest:
    """Find the fewest deals that tell apart all that any of them does."""
    all_pairs = tuple(pairs)
    able = frozenset(pair for some in pairs_by_deal.values() for pair in some)
    alike = tuple(pair for pair in all_pairs if pair not in able)
    chosen = choose_deals_greedily(pairs_by_deal, able)
    better, exact = find_exact_test_set(pairs_by_deal, able, chosen)
    return Smallest(tuple(sorted(better)), exact, len(all_pairs), alike)


def choose_deals_greedily(pairs_by_deal: _PairsByDeal, wanted: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """Choose, again and again, the deal that tells most apart; then drop those not needed."""
    chosen, left = list[str](), wanted
    while left:
        best = max(pairs_by_deal, key=lambda deal: (len(pairs_by_deal[deal] & left), deal))
        chosen.append(best)
        left -= pairs_by_deal[best]
    for deal in list(chosen):
        rest = [other for other in chosen if other != deal]
        if wanted <= frozenset(pair for other in rest for pair in pairs_by_deal[other]):
            chosen = rest
    return tuple(chosen)


def find_exact_test_set(
    pairs_by_deal: _PairsByDeal, wanted: frozenset[tuple[str, str]], best: tuple[str, ...]
) -> tuple[tuple[str, ...], bool]:
    """Return the best choice, and whether it was shown that there is no smaller one.

    The pair that fewest deals tell apart is taken first.
    """
    fewer, bests, tries = drop_dominated_deals(pairs_by_deal, wanted), [best], count(1)

    def search(left: frozenset[tuple[str, str]], chosen: tuple[str, ...]) -> None:
        """Try every way to tell apart what is left, as long as it can be shorter than the best."""
        if next(tries) > _MAX_SEARCH_TRIES:
            return
        if not left:
            bests.append(min(bests[-1], chosen, key=len))
            return
        most = max(len(some & left) for some in fewer.values())
        if len(chosen) + -(-len(left) // most) >= len(bests[-1]):
            return
        hardest = min(left, key=lambda pair: (sum(pair in some for some in fewer.values()), pair))
        able = [deal for deal, some in fewer.items() if hardest in some]
        for deal in sorted(able, key=lambda deal: (-len(fewer[deal] & left), deal)):
            search(left - fewer[deal], (*chosen, deal))

    search(choose_class_pairs(fewer, wanted), ())
    return bests[-1], next(tries) - 1 <= _MAX_SEARCH_TRIES


def drop_dominated_deals(pairs_by_deal: _PairsByDeal, wanted: frozenset[tuple[str, str]]) -> _PairsByDeal:
    """Drop the deals that tell no more apart than another does."""
    kept: dict[str, frozenset[tuple[str, str]]] = {}
    for deal in sorted(pairs_by_deal, key=lambda deal_id: (-len(pairs_by_deal[deal_id] & wanted), deal_id)):
        some = pairs_by_deal[deal] & wanted
        if some and not any(some <= other for other in kept.values()):
            kept[deal] = some
    return kept


def choose_class_pairs(pairs_by_deal: _PairsByDeal, wanted: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Choose one pair of each kind: one that every deal for another pair tells apart is dropped."""
    by_deals: dict[frozenset[str], tuple[str, str]] = {}
    for pair in sorted(wanted):
        by_deals.setdefault(frozenset(deal for deal, some in pairs_by_deal.items() if pair in some), pair)
    kept = [deals for deals in by_deals if not any(other < deals for other in by_deals)]
    return frozenset(by_deals[deals] for deals in kept)
