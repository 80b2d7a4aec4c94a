"""The cautious player of the survey, who plays to lose tricks, a card at a time: see `engine.players.preferences`."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from engine.cards import suit_of
from engine.generation.turn import PlayerTurn
from engine.play import trick as play
from engine.players.preferences import classify_discard, classify_play, score_preference


def choose_cautious_card(rng: Random, turn: PlayerTurn) -> int:
    """Choose the preferred card of those that may be played; among equals the lot decides."""
    table, row = turn.table, turn.row
    trump = next((card for card in row[1:] if card in table.trumps and suit_of(card) != suit_of(row[0])), -1)
    best = row[play.find_taking_card(row, table.strength, trump)] if row else None

    def score(card: int) -> tuple[int, float]:
        quinola = card if card in table.quinolas else -1
        return score_preference(classify_play(card, row, best, table.seats), card, quinola), rng.random()

    return max(turn.legal, key=score)


def choose_cautious_discard(rng: Random, cards: Iterable[int], quinolas: Iterable[int]) -> int:
    """Choose the preferred card to lay away, or to give across the table."""
    privileged = {*quinolas}

    def score(card: int) -> tuple[int, float]:
        return score_preference(classify_discard(card), card, card if card in privileged else -1), rng.random()

    return max(sorted(cards), key=score)
