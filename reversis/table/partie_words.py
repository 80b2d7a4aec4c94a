"""The partie, or talon, of a deal that is over: its sum and what makes it, in a sentence."""

from __future__ import annotations

from engine.cards import card_words
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.outcome import list_talon_points
from engine.settlement.settle import Settled
from reversis.table.table_words import TableNames
from rulebook.phrases import format_count, join_names


def explain_partie(settled: Settled, entry: Entry, names: TableNames) -> list[str]:
    """Explain by what the partie is counted, as sentences: the cards of the talon, or the points of who pays it."""
    ask, partie, player = Ask(settled.ruleset), settled.outcome.partie, entry.fact.player
    if entry.rule != "partie" or partie is None or player is None:
        return []
    amount, price = ask.word("partie.amount"), ask.number("partie.per-point")
    each = f", each at {price}" if price != 1 else ""
    if amount == "payers-points":
        return [f"{names.do(player, 'have', 'has')} taken {format_count(entry.fact.points, 'point')}{each}."]
    if amount == "talon-cards":
        words, points = describe_talon_points(settled, ask)
        return [f"{words}{each}."] if points * price == partie.value else []
    return ["That sum was agreed on before play."]


def describe_talon_points(settled: Settled, ask: Ask) -> tuple[str, int]:
    """Describe the cards of the talon with their points, and count them, with what is counted besides."""
    points, bonus = list_talon_points(settled.played.measures, ask), ask.number("talon.bonus")
    counting = [f"the {card_words(card)} {value}" for card, value in sorted(points.items()) if value]
    lie = f"In the talon lay {join_names(counting)}" if counting else "No card of the talon counts"
    return f"{lie}{f', and {bonus} more are always counted' if bonus else ''}", bonus + sum(points.values())
