"""Decisions besides a card, as the book gives them to a player: what else holds at an offer, choices, remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from engine.cards import CARD_RANKS, card_words
from engine.deal.events import Announcement
from engine.deal.model import Deal
from engine.generation.at_table import exchange_card
from engine.play.table import PlayTable
from engine.players.nets import find_net
from engine.players.preferences import SKILLED
from engine.readings.ask import Ask
from engine.readings.meanings.deal import LOOKS
from engine.readings.meanings.play import FIRST_LEADER
from reversis.table.game import TableGame, deal_anew
from reversis.table.offers import KEPT_HAND, ExchangeQuestion
from reversis.table.partie_words import describe_partie_price
from reversis.table.players import NET
from reversis.table.refusals import build_refusal_slip, find_refusal
from reversis.table.slips import Slip, build_slip
from reversis.table.table_words import TableNames, list_points
from rulebook.answers.wording import format_answer
from rulebook.phrases import capitalise, join_names

_Condition: TypeAlias = Callable[[TableGame, Ask, int], bool]


# ---- at an offer
def describe_offer(game: TableGame, names: TableNames, offer: ExchangeQuestion) -> dict[str, Any]:
    """Describe a turn before play as plain data: to lay away or to give, the talon, what else holds by the book."""
    rules = [*_list_offer_slips(game, names, offer)] if offer.to is None else []
    return {
        "kind": "lay away" if offer.to is None else "give",
        "to": None if offer.to is None else offer.deal.seats[offer.to],
        "look": offer.may_keep and may_look(game),
        "talon": list_talon_places(game),
        "says": [*(slip["words"] for slip in rules), *describe_dealers_hand(offer.deal, names)],
        "slips": rules,
        "why": explain_offer(game, offer),
    }


def describe_dealers_hand(deal: Deal, names: TableNames) -> list[str]:
    """Describe why another player, the dealer, has more cards than the rest; empty once one is laid away."""
    held, least = len(deal.hands[deal.dealer]), min(map(len, deal.hands))
    if deal.dealer == names.you or held == least:
        return []
    return [f"{names.name(deal.dealer)} deals: {held} cards, one of which is laid away."]


def explain_offer(game: TableGame, offer: ExchangeQuestion) -> Slip:
    """Explain why one lays a card away or gives one: what it is good for, and what the book says of it."""
    kind = "give" if offer.to is not None else "dealer" if offer.seat == game.deal.dealer else "exchange"
    title, use, *slugs = _OFFERS[kind]
    rulings = [game.ruleset.rulings[slug] for slug in slugs if slug in game.ruleset.rulings]
    questions = [(game.library.questions[ruling.question], ruling) for ruling in rulings]
    answers = [(question.asks, format_answer(question, ruling.value, game.library)) for question, ruling in questions]
    parts = [f"{asks} {answer.full or answer.short}" for asks, answer in answers]
    return build_slip(game.library, rulings[:1], title, " ".join([use, *parts]))


#: Title, use and questions of what is done before play.
_OFFERS: Mapping[str, tuple[str, ...]] = {
    "exchange": (
        "Why exchange?",
        "You get rid of a card that may cost you, and take one that you do not see.",
        *("exchange.who", "exchange.duty"),
    ),
    "dealer": (
        "Why lay a card away?",
        "The dealer has been dealt a card more, and lays away one that may cost.",
        *("dealer.discard.duty", "exchange.who"),
    ),
    "give": ("Why give a card?", "You get rid of a card that may cost you, and get one back.", "exchange.across"),
}


def _list_offer_slips(game: TableGame, names: TableNames, offer: ExchangeQuestion) -> Iterator[Slip]:
    """List what the book forbids at this offer: to keep the hand, or to lay away some card."""
    held = sorted(offer.deal.hands[offer.seat])
    barred = [card for card in held if card not in offer.legal]
    cards = [*(() if offer.may_keep else (KEPT_HAND,)), *barred[-1:]]
    refusals = (find_refusal(game, card) for card in cards)
    yield from (build_refusal_slip(game, names, refusal) for refusal in refusals if refusal is not None)


def may_look(game: TableGame) -> bool:
    """Return whether who keeps the hand may look at the card that he leaves in the talon."""
    question = "exchange.look"
    return game.ask.answers(question) and not LOOKS[game.ask.word(question)](False)


def list_talon_places(game: TableGame) -> list[dict[str, Any]]:
    """List the cards of the talon by their places, each with who has taken it; nobody sees which they are."""
    takers = [exchange.seat for exchange in game.deal.exchange if exchange.taken is not None]
    left = game.shape.talon - 1
    return [
        {"place": at + 1, "taken": at < len(takers), "seat": game.seats[takers[at]] if at < len(takers) else None}
        for at in range(left)
    ]


# ---- choices
def list_choices_besides(game: TableGame, table: PlayTable, seat: int) -> list[dict[str, Any]]:
    """List the controls for decisions besides a card: each with its name, words, value and the values it may have."""
    return [
        {"name": choice, "words": words, "value": value, "values": [True, False]}
        for choice, words, value, here in (
            (
                "claims",
                "Ask for what is owed for led cards, if you win the partie",
                not game.options.unclaimed,
                needs_claims(game),
            ),
            ("announce", "Announce the espagnolette", is_announced(game, seat), may_announce(game, table, seat)),
            ("waive", "Waive the espagnolette for the rest of this deal", False, may_waive(game, table, seat)),
        )
        if here
    ]


def needs_claims(game: TableGame) -> bool:
    """Return whether the winner of the partie has to ask for what is owed for led cards."""
    question = "payments.led-claimed"
    return game.ask.answers(question) and game.ask.word(question) != "unasked" and game.deal.fragment


def may_announce(game: TableGame, table: PlayTable, seat: int) -> bool:
    """Return whether a player may now announce the espagnolette, or take the announcement back."""
    undertaken = "espagnolette.undertaken"
    if table.holder != seat or not game.ask.answers(undertaken) or not game.deal.fragment:
        return False
    announcing = game.ask.word(undertaken) == "by-renouncing-or-announcing"
    return announcing and not any(entry.before <= len(table.takers) for entry in game.deal.announced)


def may_waive(game: TableGame, table: PlayTable, seat: int) -> bool:
    """Return whether a player may now waive the espagnolette, which has not been used or announced."""
    if table.holder != seat or not game.deal.fragment or game.waived:
        return False
    return not (table.renounced or is_announced(game, seat) or _is_held(game))


def waive_espagnolette(game: TableGame) -> TableGame:
    """Waive the espagnolette in the last deal: the person follows suit to its end."""
    waived = (*game.options.waived, len(game.deals))
    return replace(game, options=replace(game.options, waived=waived))


def is_announced(game: TableGame, seat: int) -> bool:
    """Return whether a player has announced the espagnolette."""
    return any(entry.seat == seat and entry.what == "espagnolette" for entry in game.deal.announced)


def announce_espagnolette(game: TableGame, seat: int, wanted: bool) -> TableGame:
    """Announce the espagnolette before the trick on the table, or take that back."""
    others = tuple(entry for entry in game.deal.announced if entry.seat != seat)
    before = sum(len(row) == len(game.seats) for row in game.deal.tricks) + 1
    mine = (Announcement("espagnolette", seat, before),) if wanted else ()
    return game.with_deal(replace(game.deal, announced=(*others, *mine)))


# ---- remarks
def _answers(question: str, *values: object) -> _Condition:
    return lambda game, ask, seat: ask.answers(question) and ask(question) in values


def _may_not_exchange(game: TableGame, ask: Ask, seat: int) -> bool:
    dealer, eldest = game.deal.dealer, find_eldest(game)
    return seat not in (dealer, eldest) and ask.word("exchange.who") == "eldest-only"


def find_eldest(game: TableGame) -> int:
    """Find who leads first."""
    return FIRST_LEADER[game.ask.word("play.first-leader")](game.deal.dealer, len(game.seats))


#: Sentences for decisions that have no control here, each with when it is said.
_NOTES: Mapping[str, _Condition] = {
    "After the exchange, players who sit opposite give each other one card.": _answers("exchange.across", "opposite"),
    "Only the eldest hand may exchange a card by this book.": _may_not_exchange,
    "This book leaves some sums to the players to agree on; here the edition's are played for, and others can be "
    "chosen.": lambda game, ask, seat: ask.answers("payments.agreed") and bool(ask("payments.agreed")),
    "You may look at all your own tricks.": _answers("tricks.own", "allowed"),
    "A reversis need not be announced.": _answers("reversis.announced", "need-not"),
    "There are no skilled players for this table: the others play with caution.": lambda game, ask, seat: (
        bool({NET, SKILLED} & {*game.options.kinds}) and not find_net(game.ruleset, game.shape.players, game.shape.pack)
    ),
    "At this table nobody revokes, deals wrongly, plays out of turn or throws down a hand. Enter a deal in which "
    "somebody did on the page Settle your own deal.": lambda game, ask, seat: True,
}


def list_notes(game: TableGame, table: PlayTable, seat: int) -> list[str]:
    """List remarks on decisions that have no control, and on what the person alone knows."""
    remarks = (words for words, holds in _NOTES.items() if holds(game, game.ask, seat))
    prices = filter(None, (describe_points(table), describe_partie_price(game.ask)))
    notes = [*describe_quinolas(table), *prices, *remarks]
    if table.holder == seat and game.deal.fragment:
        until = table.last - game.ask.number("espagnolette.until")
        privilege = f"You hold the espagnolette: up to trick {until} you need not follow suit"
        held = "you have it by holding the cards" if _is_held(game) else "unused, it costs and wins nothing"
        waived = "You hold the espagnolette, and have waived it in this deal: you follow suit."
        notes.insert(0, waived if game.waived else f"{privilege}; {held}.")
    own = next((exchange for exchange in game.deal.exchange if exchange.seat == seat and exchange.looked), None)
    if own is not None:
        notes.insert(
            0, f"You kept your hand and looked at the card left: the {card_words(find_looked_card(game, seat))}."
        )
    return notes


def describe_quinolas(table: PlayTable) -> list[str]:
    """Describe the privileged cards where the book has several."""
    cards = [f"the {card_words(card)} is the {name or 'quinola'}" for card, name in table.quinolas.items()]
    return [f"{capitalise(join_names(cards))}; each has a pool of its own."] if len(cards) > 1 else []


def describe_points(table: PlayTable) -> str:
    """Describe the points of the cards by the book, the highest first."""
    points = {CARD_RANKS[rank]: value for rank, value in enumerate(table.values)}
    return f"Points by this book: {list_points(points)}; the other cards have none."


def _is_held(game: TableGame) -> bool:
    return game.ask.word("espagnolette.undertaken") == "by-holding"


def find_looked_card(game: TableGame, seat: int) -> int:
    """Find the card that a player has left in the talon, who has looked at it."""
    deal = game.deal
    at = next(at for at, exchange in enumerate(deal.exchange) if exchange.seat == seat)
    before = deal_anew(game).deal
    for exchange in deal.exchange[:at]:
        before = exchange_card(before, exchange.seat, exchange.out, exchange.looked)
    return before.talon[0]
