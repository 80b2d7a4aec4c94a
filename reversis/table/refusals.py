"""Why a card may not be taken, or the hand not be kept: the clause that forbids it, as a slip."""

from __future__ import annotations

from engine.cards import format_card, spell_cards
from engine.generation.at_table import find_card_refusal, find_exchange_refusal
from engine.play.table import Refusal
from reversis.table.game import TableGame, find_table_turn, list_offers
from reversis.table.offers import KEPT_HAND
from reversis.table.slips import Slip, build_slip
from reversis.table.table_words import TableNames, explain_refusal

#: By the questions that a refusal rests on, of which the first that stands here is quoted.
_TITLES = {
    "play.first-lead": "The first card is bound",
    "exchange.hearts": "This heart may not be laid away",
    "exchange.duty": "You must exchange a card",
    "exchange.across": "You must give a card",
    "dealer.discard.duty": "The dealer must lay a card away",
    "espagnolette.waiver": "You have waived the espagnolette",
}


def find_refusal(game: TableGame, card: int) -> Refusal | None:
    """Find why the person whose turn it is may not take a card that he holds, or KEPT_HAND; None if he may."""
    offers = list_offers(game)
    offer = next((offer for offer in offers if offer.seat in game.persons), None)
    if offer is None:
        return find_card_refusal(game.deal, game.ask, card) or _find_waiver(game, card)
    if card in offer.legal or (card == KEPT_HAND and offer.may_keep):
        return None
    seat = offer.seat
    if offer.to is not None:
        return Refusal(f"{game.seats[seat]} has to give a card", ("exchange.across",), seat=seat)
    if card == KEPT_HAND and seat == game.deal.dealer:
        return Refusal(f"{game.seats[seat]} has to lay a card away", ("dealer.discard.duty",), seat=seat)
    return find_exchange_refusal(game.deal, game.ask, offer.seat, None if card == KEPT_HAND else card)


def _find_waiver(game: TableGame, card: int) -> Refusal | None:
    """Find whether a card outside the suit is refused because the person has waived the privilege."""
    _, turn = find_table_turn(game)
    if turn is None or card in turn.legal:
        return None
    message = f"{game.seats[turn.seat]} has waived the espagnolette in this deal"
    return Refusal(
        message, ("espagnolette.waiver", "espagnolette.undertaken"), turn.number, turn.seat, card, turn.legal
    )


def build_refusal_slip(game: TableGame, names: TableNames, refusal: Refusal) -> Slip:
    """Build the slip of a refusal: what is not allowed, and by which clause."""
    slug = next((slug for slug in refusal.asked if slug in _TITLES), next(iter(refusal.asked), ""))
    rulings = [game.ruleset.rulings[asked] for asked in (slug, *refusal.asked) if asked in game.ruleset.rulings][:1]
    card = "" if refusal.card is None else f"Not {spell_cards(format_card(refusal.card))}"
    title = _TITLES.get(slug, "You must follow suit" if refusal.trick else card or "Not here")
    return build_slip(game.library, rulings, title, explain_refusal(names, game.deal, refusal))
