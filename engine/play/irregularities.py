"""Irregularities on record: what a source makes of each, before the first card and in the play."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.cards import cards_of, format_card, format_cards, sort_cards
from engine.deal.events import Fault
from engine.deal.model import FAULT_KIND_BY_NAME
from engine.play.table import PlayTable, has_talon_card, legal_cards
from engine.readings.meanings.deal import LOOKS
from engine.readings.meanings.faults import (
    DEALT_AGAIN_FAULTS,
    DIRECTS,
    IN_TIME,
    LATE_MISDEAL,
    MISDEAL_COST,
    REVOKE_STANDS,
    THROWN_DOWN,
    TURNED_UP,
)


# ---- faults before the first card
def note_peek(table: PlayTable, fault: Fault) -> None:
    """Note that a player saw the card of the talon that was theirs to take: a fault where it is not allowed."""
    own = [x for x in table.deal.exchange if x.seat == fault.seat]
    exchanged = not own or any(x.out is not None or x.taken is not None for x in own)
    why = table.ask.fresh()
    if not has_talon_card(table, fault.seat, why):
        table.refuse(why, f"{table.deal.seats[fault.seat]} has no card of the talon to see", seat=fault.seat)
    elif LOOKS[table.ask.word("exchange.look")](exchanged):
        note_bar(table, fault)
    else:
        pass_over_fault(table, fault)


def note_undiscarded(table: PlayTable, fault: Fault) -> None:
    """Note that a player took a card and laid none away, if it is one who may take a card."""
    why = table.ask.fresh()
    if has_talon_card(table, fault.seat, why):
        note_void_or_bar(table, fault)
    else:
        message = "may not take a card of the talon, and so cannot forget to lay one away"
        table.refuse(why, f"{table.deal.seats[fault.seat]} {message}", seat=fault.seat)


def note_void_or_bar(table: PlayTable, fault: Fault) -> None:
    """Note a fault for which the source has the cards dealt again, or bars its author."""
    # a source that names no cause for a new deal is not asked for one
    void = table.ask.answers("deal.again") and fault.kind in list_redealt_faults(table)
    (make_void if void else note_bar)(table, fault)


def note_bar(table: PlayTable, fault: Fault) -> None:
    """Note a fault that may bar its author. Raises Silent where the source says nothing of it."""
    table.ask.fresh()(f"{fault.kind}.bars")
    table.bar(fault)


def note_misdeal(table: PlayTable, fault: Fault) -> None:
    """Make a deal dealt wrongly void where the source has it dealt again, and as late as it says so."""
    if not is_dealt_again(table, fault):
        return
    why = table.ask.fresh()
    if IN_TIME[why.word("misdeal.until")](fault):
        void, keeps = True, MISDEAL_COST[why.word("misdeal.cost")](fault)
    else:
        void, keeps = LATE_MISDEAL[why.word("misdeal.late-deal")]
    if fault.redeemed and not keeps:
        message = f"{table.deal.seats[fault.seat]} may not buy back the deal"
        table.refuse(why, message, seat=fault.seat)
    table.facts.append(table.fact(kind="fault", manner=fault.kind, player=fault.seat, fault=fault))
    table.void = fault if void else table.void


def note_card_turned_up(table: PlayTable, fault: Fault) -> None:
    """Note a card turned up in dealing."""
    if is_dealt_again(table, fault):
        if TURNED_UP[table.ask.word("deal.card-turned-up")](fault):
            make_void(table, fault)
        else:
            pass_over_fault(table, fault)


def note_bad_pack(table: PlayTable, fault: Fault) -> None:
    """Note that the pack itself was not as it should be."""
    if is_dealt_again(table, fault):
        make_void(table, fault)
    elif FAULT_KIND_BY_NAME[fault.kind].short:
        why = table.ask.fresh()
        why("table.pack")
        cards = sum(map(len, table.deal.hands)) + len(table.deal.talon)
        table.refuse(why, f"{cards} cards of a pack of {table.deal.pack}: the pack must be complete")


def is_dealt_again(table: PlayTable, fault: Fault) -> bool:
    """Return whether the source has the cards dealt again for such a fault; otherwise pass it over."""
    again = fault.kind in list_redealt_faults(table)
    if not again:
        pass_over_fault(table, fault)
    return again


def list_redealt_faults(table: PlayTable) -> list[str]:
    """List the faults for which the source has the cards dealt again."""
    return [DEALT_AGAIN_FAULTS[cause] for cause in table.ask.words("deal.again")]


def make_void(table: PlayTable, fault: Fault) -> None:
    """No card of this deal counts; a misdeal, which may cost the deal, is remembered before any other cause."""
    table.facts.append(table.fact(kind="fault", manner=fault.kind, player=fault.seat, fault=fault))
    table.void = table.void or fault


#: What a source makes of a fault that was made before the first card is led.
BEFORE_PLAY: Mapping[str, Callable[[PlayTable, Fault], None]] = {
    "peek": note_peek,
    "undiscarded": note_undiscarded,
    "ten-cards": note_void_or_bar,
    "misdeal": note_misdeal,
    "card-turned-up": note_card_turned_up,
    "badly-shuffled": note_bad_pack,
    "incomplete-pack": note_bad_pack,
}


# ---- faults in the play
def find_fault(table: PlayTable, kind: str, number: int | None, seat: int) -> Fault | None:
    """Return the fault that is on record, if any."""
    return next((f for f in table.deal.faults if (f.kind, f.seat, f.trick) == (kind, seat, number)), None)


def note_unlawful_card(table: PlayTable, number: int, seat: int, number_of_card: int, led: int | None) -> bool:
    """Let a card that may not be played stand by a fault on record; otherwise refuse it. Return whether it stands."""
    fault, why = find_fault(table, "revoke", number, seat), table.ask.fresh()
    if fault and REVOKE_STANDS[why.word("revoke.card")]:
        note_revoke(table, fault, number_of_card)
        return True
    allowed = sort_cards(cards_of(legal_cards(table, number, seat, led, why)))
    if led is not None:
        why("espagnolette.hands")  # whoever holds such a hand might have played it
    may = " ".join(format_cards(allowed))
    message = f"trick {number}: {table.deal.seats[seat]} may not play {format_card(number_of_card)}; he may play {may}"
    kind = "first-lead" if number == 1 and led is None else ""
    table.refuse(why, message, trick=number, seat=seat, card=number_of_card, legal=tuple(allowed), kind=kind)
    return False


def note_revoke(table: PlayTable, fault: Fault, card_: int | None) -> None:
    """Note a revoke that has its price."""
    table.facts.append(
        table.fact(kind="fault", manner="revoke", trick=fault.trick, card=card_, player=fault.seat, fault=fault)
    )
    table.bar(fault)


def note_lawful_revoke(table: PlayTable, fault: Fault, followed: bool) -> None:
    """Judge a revoke on record with a lawful card: no fault, or the unlawful card was taken back."""
    if followed and not REVOKE_STANDS[table.ask.word("revoke.card")]:
        note_revoke(table, fault, None)
    else:
        pass_over_fault(table, fault)


def pass_over_fault(table: PlayTable, fault: Fault) -> None:
    """Say that a fault on record is none under this source; nothing follows from it."""
    place = f"trick {fault.trick}: " if fault.trick else ""
    table.passed_over.append(f"{place}{table.deal.seats[fault.seat]}'s {fault.kind} costs nothing under this source")


# ---- a hand thrown down
def find_claimer(table: PlayTable, number: int) -> int | None:
    """Return who has thrown down their hand before a trick is played, the first of several; None if nobody has."""
    thrown = [f for f in table.deal.faults if f.kind == "thrown-down" and f.trick is not None and f.trick <= number]
    return min(thrown, key=lambda fault: fault.trick or 0).seat if thrown else None


def check_thrown_down(table: PlayTable) -> None:
    """Ask what follows from a hand thrown down, and refuse that another directs it where the source has no such rule.

    The tricks from then on are the record's: as the others show what can be thrown off, or as one of them directs.
    """
    for fault in table.deal.faults:
        if fault.kind == "thrown-down":
            why = table.ask.fresh()
            effects = [THROWN_DOWN[word] for word in why.words("play.thrown-down")]
            if fault.directed is not None and not (DIRECTS in effects and may_be_directed(table, fault)):
                author, other = (table.deal.seats[seat] for seat in (fault.seat, fault.directed))
                message = f"trick {fault.trick}: {other} may not direct how {author}'s cards are played"
                table.refuse(why, message, trick=fault.trick, seat=fault.directed)
            elif not effects:
                pass_over_fault(table, fault)


def may_be_directed(table: PlayTable, fault: Fault) -> bool:
    """Return whether another may break a reversis: the hand was thrown down by a player who has every trick so far."""
    before = table.takers[: (fault.trick or 1) - 1]
    return fault.directed != fault.seat and all(taker == fault.seat for taker in before)
