"""Hints at a table: how a net ranks what may be done, and why, where that is known without guessing.

A hint is made of what the player has seen and of nothing else. The reason never comes from the net's numbers: it is
what the trick pays, where the player is last to play, or in how many layouts of the unseen cards the card does better
than the next best, when all play on by nets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.cards import card_words, format_card, rank_of
from engine.deal.model import Deal
from engine.generation.at_table import add_card, set_up_turn
from engine.generation.turn import PlayerTurn
from engine.players.cautious import choose_cautious_card, choose_cautious_discard
from engine.players.nets import NetWorth, TrainedNet, find_net, weigh_turn_by_net
from engine.players.take_view import find_view_turn, take_view
from engine.readings.ask import Ask
from reversis.table.offers import KEPT_HAND, ExchangeQuestion, weigh_exchange
from reversis.table.payments import settle_so_far, sum_payments
from reversis.table.rollouts import settle_to_end
from reversis.table.table_words import TableNames
from reversis.table.unseen import cover_deal, lay_out_unseen_cards
from rulebook.model import Ruleset, Silent
from rulebook.phrases import format_count

LAYOUTS = 30  #: of the unseen cards, by which two cards are compared
_ONLY_CARD = "it is the only card that may be played"


@dataclass(frozen=True)
class CardComparison:
    """Two cards played in the same layouts: how often the first did better, and by how much on average."""

    better: int
    worse: int
    layouts: int
    by: float

    @property
    def is_better(self) -> bool:
        """Return whether the first card did better, both more often and on average."""
        return self.better > self.worse and self.by > 0

    def __str__(self) -> str:
        even = self.layouts - self.better - self.worse
        alike = f", alike in {even}" if even else ""
        share = f"better in {self.better} of {self.layouts} layouts of the cards you have not seen{alike}"
        return f"{share}; over all of them by {self.by:.0f} on average"


# ---- before play
def hint_offer(offer: ExchangeQuestion, seed: int) -> dict[str, Any]:
    """Make a hint what to lay away or to give; no card stands for keeping the hand."""
    worths = weigh_exchange(offer)
    if worths:
        return _dump_hint(worths[0].card, worths, "")
    return _dump_hint(choose_cautious_discard(Random(seed), offer.legal, ()), (), "")


def _dump_hint(card: int, worths: Sequence[NetWorth], why: str) -> dict[str, Any]:
    """Return a hint as plain data; the worths are a net's, and where there is none a careful player has chosen."""
    cards = [{"card": _name_offer(worth.card), "behind": round(worth.behind, 2)} for worth in worths]
    return {"card": _name_offer(card), "cards": cards, "by": "net" if worths else "caution", "why": why}


def _name_offer(card: int) -> str | None:
    return None if card == KEPT_HAND else format_card(card)


# ---- in play
def hint_card(deal: Deal, ruleset: Ruleset, seed: int, legal: Sequence[int] = ()) -> dict[str, Any]:
    """Make a hint to whoever is to play; `legal`: the cards that are left who waives a privilege. Raises Silent."""
    ask = Ask(ruleset)
    _, turn = set_up_turn(deal, ask)
    assert turn is not None, "a hint is asked for at a turn"
    turn = replace(turn, legal=tuple(legal) or turn.legal)
    net = find_net(ruleset, len(deal.seats), deal.pack)
    worths = weigh_legal_cards(deal, ask, net, turn.legal)
    best = worths[0].card if worths else choose_cautious_card(Random(seed), turn)
    if len(turn.legal) == 1:
        return _dump_hint(best, worths, _ONLY_CARD)
    rivals = [worth.card for worth in worths[1:]] or [card for card in turn.legal if card != best]
    why = explain_last_card(deal, ruleset, turn, best, rivals[0]) if len(turn.row) + 1 == len(deal.seats) else ""
    return _dump_hint(best, worths, why or explain_by_layouts(deal, ruleset, net, best, rivals[0], seed))


def weigh_legal_cards(deal: Deal, ask: Ask, net: TrainedNet | None, legal: Sequence[int]) -> tuple[NetWorth, ...]:
    """Weigh these of the cards that whoever is to play may play by a net; none without one. Raises Silent."""
    if net is None:
        return ()
    view, problems = take_view(deal, ask)
    assert view is not None, problems
    turn, order = find_view_turn(view, ask)
    kept = [worth for worth in weigh_turn_by_net(net, view, order, turn.legal) if worth.card in legal]
    return tuple(replace(worth, behind=worth.behind - kept[0].behind) for worth in kept)


def explain_last_card(deal: Deal, ruleset: Ruleset, turn: PlayerTurn, best: int, rival: int) -> str:
    """Explain what the trick comes to with a card and with another; empty where it is the same, or is not known."""
    names = TableNames(deal.seats, turn.seat)
    outcomes = [describe_trick_outcome(add_card(deal, card), ruleset, turn, names) for card in (best, rival)]
    if outcomes[0] == outcomes[1] or not all(outcomes):
        return ""
    mine, other = outcomes
    return f"you play last: with the {card_words(best)} {mine}; with the {card_words(rival)} {other}"


def describe_trick_outcome(deal: Deal, ruleset: Ruleset, turn: PlayerTurn, names: TableNames) -> str:
    """Describe who takes a trick that has just become whole, with how many points, and what the player gets for it.

    Empty where that depends on cards that the player has not seen.
    """
    ask, seat = Ask(ruleset), turn.seat
    table, _ = set_up_turn(deal, ask)
    layouts = lay_out_unseen_cards(cover_deal(deal, seat), ask, 3, Random(f"trick:{deal.id}:{turn.number}"))
    sums = {_sum_last_trick(layout, ruleset, seat) for layout in layouts}
    if len(sums) != 1 or (paid := sums.pop()) is None:
        return ""
    points = sum(table.values[rank_of(card)] for card in deal.tricks[-1])
    taken = f"{names.do(table.takers[-1], 'take')} the trick with {format_count(points, 'point')}"
    gain = f" and you {'win' if paid > 0 else 'lose'} {abs(paid)}" if paid else ""
    return f"{taken[:1].lower()}{taken[1:]}{gain}" if table.takers[-1] == seat else f"{taken}{gain}"


def _sum_last_trick(deal: Deal, ruleset: Ruleset, seat: int) -> int | None:
    """Sum what a player gets at the table for the last trick; None where the rules do not settle it."""
    open_deal = replace(deal, exchange=(), fragment=True)
    after = settle_so_far(open_deal, ruleset)
    before = settle_so_far(replace(open_deal, tricks=deal.tricks[:-1]), ruleset)
    return sum_payments(after)[seat] - sum_payments(before)[seat] if after and before else None


# ---- by layouts
def explain_by_layouts(deal: Deal, ruleset: Ruleset, net: TrainedNet | None, best: int, rival: int, seed: int) -> str:
    """Explain in how many layouts a card does better than another; empty where it does not."""
    _, turn = set_up_turn(deal, Ask(ruleset))
    assert turn is not None, "a hint is asked for at a turn"
    lots = Random(f"hint:{seed}:{deal.id}:{turn.number}")
    layouts = lay_out_unseen_cards(cover_deal(deal, turn.seat), Ask(ruleset), LAYOUTS, lots)
    compared = compare_legal_cards(layouts, ruleset, net, turn.seat, (best, rival))
    return str(compared) if compared.is_better else ""


def compare_legal_cards(
    layouts: Sequence[Deal],
    ruleset: Ruleset,
    net: TrainedNet | None,
    seat: int,
    cards: tuple[int, int],
    enough: int = 0,
) -> CardComparison:
    """Compare two cards of whoever is to play: in each layout both are played, and all play on by nets.

    It ends as soon as the first cannot do better in `enough` layouts any more.
    """
    gains = list[int]()
    for at, layout in enumerate(layouts):
        if sum(gain > 0 for gain in gains) + len(layouts) - at < enough:
            break
        sums = [play_on_and_settle(layout, ruleset, net, seat, card, at) for card in cards]
        if None not in sums:
            gains.append((sums[0] or 0) - (sums[1] or 0))
    mean = sum(gains) / len(gains) if gains else 0.0
    return CardComparison(sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains), len(gains), mean)


def play_on_and_settle(
    layout: Deal, ruleset: Ruleset, net: TrainedNet | None, seat: int, card: int, at: int
) -> int | None:
    """Play a card and all that follow it, and sum what a player has won; None where the rules do not settle it.

    What the others laid away is not known, and left out.
    """
    own = tuple(replace(entry, taken=None) for entry in layout.exchange if entry.seat == seat)
    deal = add_card(replace(layout, exchange=own), card)
    try:
        return settle_to_end(deal, Ask(ruleset), net, Random(at))[seat]
    except Silent:
        return None
