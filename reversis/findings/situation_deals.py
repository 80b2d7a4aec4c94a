"""Deals that show a situation: worked ones, ranked by how well they show it, or else generated ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.generation import wishes
from engine.generation.deal import NotFound, fill_sketch
from engine.generation.turn import SEAT_NAMES
from engine.readings.ask import Ask
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.settle import Refused, Unanswered
from reversis.files.deals import readable_deals
from reversis.findings import situations
from reversis.findings.situation_searches import NO_SEARCHES, SearchedDeal, Searches, read_searches
from reversis.words.deal_views import resolve_rulesets
from rulebook.model import Library, Ruleset, Silent

_SEARCH_ATTEMPTS = range(1, 25)  #: deals laid out in one search
_SEARCH_SEEDS = 1, 2
_FOUR_PLAYERS = wishes.Wish(wishes.WISH_TABLE, (wishes.Word("four"),))


# ---- a deal under one ruleset
@dataclass(frozen=True, slots=True)
class ExaminedDeal:
    """A deal settled by one ruleset, and as the words of a wish look at it; nothing where it was not played."""

    deal: Deal
    result: Reckoning | Refused | Unanswered
    look: wishes.Look | None = None


_BySource: TypeAlias = Mapping[str, ExaminedDeal]  #: a deal, settled by every source


@dataclass(frozen=True, slots=True)
class ExaminedDeals:
    """The worked deals, each settled by every source."""

    rules: tuple[Ruleset, ...]
    deals: tuple[_BySource, ...]
    searches: Searches = NO_SEARCHES  #: for further deals, as they went before
    same: frozenset[str] = frozenset()  #: the sources of which those searches hold

    @property
    def makers(self) -> tuple[Ruleset, ...]:
        """The rules by which deals are generated: first those that forbid most, as others may allow such deals too."""
        settled = Counter(
            siglum for deal in self.deals for siglum, examined in deal.items() if examined.look is not None
        )
        return tuple(sorted(self.rules, key=lambda ruleset: settled[ruleset.source]))


def examine_worked_deals(library: Library) -> ExaminedDeals:
    """Settle every worked deal by every source, for the situations to be found in them."""
    deals, rules = tuple(readable_deals(library)), resolve_rulesets(library)
    searches = read_searches(deals)
    return replace(examine_deals(rules, deals), searches=searches, same=searches.list_same_sources(rules))


def examine_deals(rules: tuple[Ruleset, ...], deals: Iterable[Deal]) -> ExaminedDeals:
    """Settle deals by each of these rules, for the situations to be found in them."""
    return ExaminedDeals(rules, tuple(_examine_by_all(deal, rules) for deal in deals))


def _examine_by_all(deal: Deal, rules: Iterable[Ruleset]) -> _BySource:
    return {ruleset.source: examine_deal(deal, ruleset) for ruleset in rules}


def examine_deal(deal: Deal, ruleset: Ruleset) -> ExaminedDeal:
    """Settle a deal by one ruleset, with the view that wishes have of it."""
    result = reckon(deal, ruleset)
    if not isinstance(result, Reckoning):
        return ExaminedDeal(deal, result)
    return ExaminedDeal(deal, result, wishes.observe_deal(result.settled.played, Ask(ruleset), deal.seats, deal.pack))


# ---- the situation in it
def find_situation_facts(situation: situations.PaymentSituation, look: wishes.Look) -> tuple[Fact, ...]:
    """Find the facts of the situation: of an outcome all that there are."""
    facts, kind, wish = look.played.facts, situation.kind, situation.card_wish
    if kind == situations.FAULT_SUBJECT:
        asked = situation.manner, situation.noticed, situation.redeemed
        faults = ((fact, fact.fault) for fact in facts if fact.kind == kind and fact.fault is not None)
        return tuple(fact for fact, fault in faults if (fact.manner, fault.noticed, fault.redeemed) == asked)
    if kind not in wishes.CARD_SUBJECTS:
        return tuple(facts)
    own = (fact for fact in facts if fact.kind == kind and _is_suit_and_trick(fact, situation))
    return tuple(fact for fact in own if wishes.is_wished_card(fact, wish, look))[:1]


def _is_suit_and_trick(fact: Fact, situation: situations.PaymentSituation) -> bool:
    """Return whether suit, taker and trick of a card are not those that the situation leaves out."""
    left_out = any(wishes.is_in_trick(fact, number) for number in situation.not_tricks)
    suited = not situation.suits or fact.suit in situation.suits
    return suited and not left_out and (fact.taker == fact.player or not situation.takes)


def shows_situation(examined: ExaminedDeal, situation: situations.PaymentSituation) -> bool:
    """Return whether a settled deal shows the situation, and nothing that would hide it."""
    deal, result, look = examined.deal, examined.result, examined.look
    if look is None or not isinstance(result, Reckoning):
        return False
    if situation.kind == situations.FAULT_SUBJECT:
        facts = find_situation_facts(situation, look)
        if len(deal.faults) != 1 or not facts:
            return False
        if deal.fragment:  # its few tricks decide nothing
            return all(wish.has("none") for wish in situation.wishes)
        return _has_wishes(situation, look) and look.outcome.hero in (None, facts[0].player)
    if deal.faults or deal.fragment or len(deal.seats) != 4 or not result.settled.before.stake:
        return False
    return bool(find_situation_facts(situation, look)) and _has_wishes(situation, look) and _is_outcome(situation, look)


def _has_wishes(situation: situations.PaymentSituation, look: wishes.Look) -> bool:
    return all(wishes.is_wish_fulfilled(wish, look) for wish in situation.wishes)


def _is_outcome(situation: situations.PaymentSituation, look: wishes.Look) -> bool:
    """Return whether trick and seats are those of the situation, if it is an outcome."""
    if situation.kind in wishes.CARD_SUBJECTS:
        return True
    if situation.kind == situations.STAKE_SUBJECT and not look.outcome.stake_winners:
        return False
    if situation.trick is not None and look.outcome.broken_in != look.measures.last + 1 + situation.trick:
        return False
    if not situation.seat:
        return True
    words = situations.OUTCOME_PARTNERS[situation.kind]
    seat, other = (wishes.OUTCOME_WORDS[situation.kind, word](look) for word in words)
    if seat is None or other is None:
        return False
    return sit_opposite(look.played.facts[0], seat, other) == (situation.seat == "opposite")


# ---- the deals that show it, best first
#: Of a deal: by how many sources it shows the situation, and whether leader and taker are not the same player there.
_Rank: TypeAlias = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class RankedDeal:
    """A deal that shows a situation, settled by every source, and how it was found if it was generated."""

    rank: _Rank
    deal: _BySource
    origin: SearchedDeal | None = None


def rank_deals(situation: situations.PaymentSituation, worked: ExaminedDeals) -> list[RankedDeal]:
    """Rank the worked deals that show a situation."""
    return [RankedDeal(rank, deal) for deal in worked.deals if (rank := _rank_deal(deal, situation))]


def _rank_deal(deal: _BySource, situation: situations.PaymentSituation) -> _Rank | None:
    """Rank a deal by how well it shows the situation; None if it does not."""
    showing = [examined for examined in deal.values() if shows_situation(examined, situation)]
    if not showing:
        return None
    look = showing[0].look
    facts = find_situation_facts(situation, look) if look and situation.manner == "thrown-off" else ()
    return len(showing), all(fact.leader != fact.taker for fact in facts)


def search_deals(
    situation: situations.PaymentSituation, worked: ExaminedDeals, ranked: list[RankedDeal]
) -> dict[str, str]:
    """Add deals that show the situation, generated by the rules of each source until one shows it by all.

    Another round is made where a source is not shown yet, or no deal tells leader and taker apart. A search that went
    before by the same rules is not made again. Returns the reasons, by source, why there is no deal by its rules.
    """
    known, rules = worked.searches.found.get(situation.id), {ruleset.source: ruleset for ruleset in worked.rules}
    reasons = worked.searches.because.get(situation.id, {})
    because = {siglum: why for siglum, why in reasons.items() if siglum in worked.same}
    for source, seed, attempt in (origin for origin in known or () if origin.source in worked.same):
        _add_deal(situation, worked, ranked, rules[source], seed, (attempt,))
    makers = [ruleset for ruleset in worked.makers if known is None or ruleset.source not in worked.same]
    for seed in _SEARCH_SEEDS:
        if seed != _SEARCH_SEEDS[0] and _are_all_shown(situation, worked, ranked):
            break
        for ruleset in makers:
            if max((deal.rank for deal in ranked), default=None) == (len(worked.rules), True):
                break
            if ruleset.source not in because:
                why = _add_deal(situation, worked, ranked, ruleset, seed, _SEARCH_ATTEMPTS)
                because |= {} if why is None else {ruleset.source: why}
    return because


def _are_all_shown(situation: situations.PaymentSituation, worked: ExaminedDeals, ranked: Iterable[RankedDeal]) -> bool:
    """Return whether deals show the situation by every source, and one of the best tells leader and taker apart."""
    shown = {
        siglum
        for ranked_deal in ranked
        for siglum, deal in ranked_deal.deal.items()
        if shows_situation(deal, situation)
    }
    return len(shown) == len(worked.rules) and max((deal.rank for deal in ranked), default=(0, False))[1]


def _add_deal(
    situation: situations.PaymentSituation,
    worked: ExaminedDeals,
    ranked: list[RankedDeal],
    ruleset: Ruleset,
    seed: int,
    attempts: Sequence[int],
) -> str | None:
    """Add a deal generated by one ruleset, if it shows the situation by any; return why there is none, if so."""
    sketch = wishes.Sketch(_make_search_wishes(situation), SEAT_NAMES[4], 4, id=f"{situation.id}-{seed}")
    try:
        result = fill_sketch(ruleset, sketch, seed, attempts)
    except Silent as silent:  # on the players or the cards: no deal can be laid out by its rules
        return str(silent)
    if isinstance(result, NotFound):
        return next(iter(result.because)) if len(result.because) == 1 else ""
    examined = _examine_by_all(result.deal, worked.rules)
    if rank := _rank_deal(examined, situation):
        ranked.append(RankedDeal(rank, examined, SearchedDeal(ruleset.source, seed, result.tries)))
    return None


def _make_search_wishes(situation: situations.PaymentSituation) -> tuple[wishes.Wish, ...]:
    """Make the wishes that lead to the situation: seats of an outcome are named, another trick is one in the middle."""
    wished = situation.wishes
    if situation.kind in wishes.CARD_SUBJECTS:
        middle = (n for n in range(5, 10) if situation.not_tricks and n not in situation.not_tricks)
        number = next(middle, None) if situation.trick is None else situation.trick
        wished = replace(situation.card_wish, suit="".join(situation.suits[:1]), trick=number), *wished
    elif situation.seat:
        names = SEAT_NAMES[4][0], SEAT_NAMES[4][2 if situation.seat == "opposite" else 1]
        partners = zip(situations.OUTCOME_PARTNERS[situation.kind], names, strict=True)
        wished = *wished, wishes.Wish(situation.kind, tuple(wishes.Word(word, seat) for word, seat in partners))
    return *wished, _FOUR_PLAYERS
