"""The partie, or talon, in sentences: its price by a book, and in a deal that is over what made its sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.cards import CARD_RANKS, card_words, parse_card_name, rank_of
from engine.readings.ask import Ask
from engine.readings.meanings.criteria import CRITERIA
from engine.settlement.ledger import Entry
from engine.settlement.outcome import ignore_place, list_talon_points
from engine.settlement.settle import Settled
from reversis.table.payments import list_factors
from reversis.table.table_words import TableNames
from reversis.words.spoken_answers import SpokenRules, speak_answer
from rulebook.model import Library
from rulebook.phrases import capitalise, format_count, format_times, join_names

#: Who pays for the partie, and what whoever led first adds, by their readings.
_PAYERS: Mapping[str, str] = {
    "loser": "the player who loses it pays",
    "every-other": "all but the winner pay",
    "every-other-with-points": "all who have points pay, but for the winner,",
}
_SHARES: Mapping[str, str] = {
    "own-points-halved": "The points of the player who led first are paid for too, half by that player and half by the "
    "loser.",
    "debt-shared": "The player who led first pays half of it.",
    "only-equals": "The player who led first pays half of it if another has as many points.",
}


# ---- by a book
def describe_partie_price(ask: Ask) -> str:
    """Describe what is paid for the partie by a book's answers; empty where it has none."""
    if not ask.answers("partie.amount") or not ask.answers("partie.paid-by"):
        return ""
    return " ".join(
        [
            f"For the partie, or talon, {_PAYERS[ask.word('partie.paid-by')]} {_describe_reckoning(ask)}.",
            *_list_talon_values(ask),
            *_list_changes(ask),
        ]
    )


def _describe_reckoning(ask: Ask) -> str:
    amount = ask.word("partie.amount")
    if amount == "agreed-sum":
        sum_ = f": {ask.number('partie.agreed-sum')}" if ask.answers("partie.agreed-sum") else ""
        return f"the sum agreed on{sum_}"
    each = f"{ask.number('partie.per-point')} for each point"
    if amount == "payers-points":
        return f"{each} in the tricks that they have taken"
    bonus = ask.number("talon.bonus")
    return f"{each} in the cards laid away{f', and {bonus} more' if bonus else ''}"


def _list_talon_values(ask: Ask) -> Iterator[str]:
    """List the cards that count otherwise in the talon than in tricks, as a sentence."""
    if ask.word("partie.amount") != "talon-cards" or not ask.answers("talon.special-cards"):
        return
    plain, special = ask.table("cards.points"), ask.table("talon.special-cards").items()
    cards = [(parse_card_name(name), value) for name, value in special]
    other = [(card, value) for card, value in cards if plain.get(CARD_RANKS[rank_of(card)], 0) != value]
    if other:
        yield f"There {join_names([f'the {card_words(card)} counts {value}' for card, value in other])}."


def _list_changes(ask: Ask) -> Iterator[str]:
    """List by whose seat the price changes: players who sit opposite, the one who led first."""
    times = ask.number("partie.opposite") if ask.answers("partie.opposite") else 1
    if times != 1:
        yield f"Players who sit opposite each other pay it {format_times(times)}."
    share = ask.word("partie.eldest-share") if ask.answers("partie.eldest-share") else ""
    if share in _SHARES:
        yield _SHARES[share]


# ---- when the deal is over
def explain_sums(
    library: Library, settled: Settled, entry: Entry, names: TableNames, seat: int | None = None
) -> list[str]:
    """Explain how the sums of a payment come about, as sentences; nothing where it is as the book names it.

    `seat`: only the sums in which this player has a share.
    """
    partie = settled.outcome.partie
    loses = partie is not None and entry.rule == "partie" and entry.fact.player in partie.losers[:1]
    tie = explain_tie(library, settled, names) if loses else []
    return [*explain_partie(settled, entry, names), *list_factors(library, settled, entry, names, seat), *tie]


def explain_partie(settled: Settled, entry: Entry, names: TableNames) -> list[str]:
    """Explain by what the partie is counted, as sentences: the cards of the talon, or the points of who pays it."""
    ask, partie, player = Ask(settled.ruleset), settled.outcome.partie, entry.fact.player
    if entry.rule != "partie" or partie is None or player is None:
        return []
    amount, price = ask.word("partie.amount"), ask.number("partie.per-point")
    each = f", each at {price}" if price != 1 else ""
    if amount == "payers-points":
        taken = f"{names.do(player, 'have', 'has')} taken {format_count(entry.fact.points, 'point')}{each}."
        return [taken, *_explain_leaders_points(settled, entry, names)]
    if amount == "talon-cards":
        words, points = describe_talon_points(settled, ask)
        return [f"{words}{each}."] if points * price == partie.value else []
    return ["That sum was agreed on before play."]


def _explain_leaders_points(settled: Settled, entry: Entry, names: TableNames) -> Iterator[str]:
    """Explain why the points of whoever led first are paid for too, or why only once."""
    leader, (first, *_) = entry.fact.player, settled.deal.tricks[0]
    halved = Ask(settled.ruleset).word("partie.eldest-share") == "own-points-halved"
    if leader is None or not halved or leader != settled.deal.holder(first):
        return
    payers = [posting.payer for posting in entry.postings if isinstance(posting.payer, int)]
    if payers == [leader]:
        yield f"{names.do(leader, 'have', 'has')} also led first: these points are paid for once."
    else:
        yield f"{names.do(leader, 'led', 'led')} first, and so these are paid for too, half by each who pays."


def explain_tie(library: Library, settled: Settled, names: TableNames) -> list[str]:
    """Explain who won the partie of those who are equal by the first thing that the book compares."""
    partie, question = settled.outcome.partie, library.questions["partie.winner"]
    first, *then = Ask(settled.ruleset).words(question.slug) or ("",)
    if partie is None or settled.outcome.reversis or settled.outcome.espagnolette or not then:
        return []  # a feat goes before what is compared
    measures = settled.played.measures
    equals = [*CRITERIA[first](measures, range(measures.seats), ignore_place)]
    if len(equals) < 2 or partie.winner not in equals:
        return []
    order = speak_answer(SpokenRules(library, settled.ruleset), question, (first, *then))
    those = capitalise(join_names([names.name(seat) for seat in equals]))
    return [f"{those} are equal in the first thing by which the book finds its winner: {order}"]


def describe_talon_points(settled: Settled, ask: Ask) -> tuple[str, int]:
    """Describe the cards laid aside with their points, and count them, with what is counted besides."""
    points, bonus = list_talon_points(settled.played.measures, ask), ask.number("talon.bonus")
    counting = [f"the {card_words(card)} {value}" for card, value in sorted(points.items()) if value]
    lie = f"Laid aside were {join_names(counting)}" if counting else "No card that was laid aside counts"
    return f"{lie}{f', and {bonus} more are always counted' if bonus else ''}", bonus + sum(points.values())
