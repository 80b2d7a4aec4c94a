"""Payments in the play for aces and the quinola: thrown off, forced, led, put."""

from __future__ import annotations

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings import cards as meanings
from engine.readings.meanings.espagnolette import FORCED_STAKE_TO_POOL
from engine.readings.meanings.faults import PAYS_ALL_THROWN, PAYS_THROWN, THROWN_DOWN
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.forfeits import is_thrown_in_vain
from engine.settlement.ledger import ONE_STAKE, Money
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments import amounts
from engine.settlement.payments.fate import classify_card_fate, classify_card_manner, is_spared, unforced_by


def forced_by_nobody(fact: Fact, ask: Ask) -> bool:
    """Return whether the source knows no payment for a forced ace, and need not say when it is forced."""
    return fact.kind == "ace" and fact.manner == "followed" and ask.word("ace.forced.payee") == "nobody"


def pay_thrown_off(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Pay an ace or the quinola thrown on another suit to the player who throws it."""
    if is_thrown_in_vain(fact, ask):
        yield Not("nobody-pays", "revoke.thrown-off", said=True)
        return
    who_pays, how_much = f"{fact.kind}.thrown-off.payer", f"{fact.kind}.thrown-off.amount"
    payer = meanings.PAYER[ask.word(who_pays)](fact, outcome)
    if payer is None or fact.player is None:
        yield Not("nobody-pays", who_pays, said=True)
        return
    payer = find_thrown_off_payer(fact, payer, ask)
    amount = amounts.card_worth(fact, ask.number(how_much), ask)
    yield from amounts.post_payment(
        payer, fact.player, amounts.price_card(fact, "thrown-off", payer, fact.player, amount, ask), by=how_much
    )


def find_thrown_off_payer(fact: Fact, payer: int, ask: Ask) -> int:
    """Find who pays for a card thrown off: where a hand was thrown down, perhaps the player who did that."""
    if fact.throws_down in (None, fact.player):
        return payer
    effects = [THROWN_DOWN[word] for word in ask.words("play.thrown-down")]
    instead = fact.throws_down if PAYS_ALL_THROWN in effects else fact.claimer if PAYS_THROWN in effects else None
    return payer if instead is None else instead


def pay_forced(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Pay for an ace or the quinola forced: its holder pays, and the others may join."""
    question = f"{fact.kind}.forced.payee"
    if forced_by_nobody(fact, ask):
        yield Not("nobody-pays", question, said=True)
    elif classify_card_fate(fact, outcome, ask) != "forced":
        yield Not("not-forced", unforced_by(fact, outcome, ask), said=True)
    else:
        table = meanings.FORCER if fact.kind == "ace" else meanings.QUINOLA_FORCER
        reading = ask.word(question)
        payee = table[reading](fact, outcome)
        if payee is None or payee == fact.player:  # nobody forces his own card, though it should take the trick itself
            why = "nobody-pays" if reading == "nobody" else "no-payee" if payee is None else "own"
            yield Not(why, question, said=True)
        else:
            yield from pay_given_up(fact, "forced", payee, ask)


def pay_led(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Pay for an ace or the quinola led; the winner of the partie must ask for it."""
    question = f"{fact.kind}.led.payee"
    reading = ask.word(question)
    payee = (meanings.ACE_LED_PAYEE if fact.kind == "ace" else meanings.QUINOLA_LED_PAYEE)[reading](fact, outcome)
    if payee is None:
        yield explain_nobody_owed(reading, question, outcome)
    elif reading == meanings.OWED_BY_CLAIM and not meanings.OWED[ask.word("payments.led-claimed")](fact):
        yield Not("unclaimed", "payments.led-claimed", said=True)
    elif payee == fact.player and (by := find_bar_to_own_payment(fact, reading, ask)):
        yield Not("own", by, said=True)
    else:
        yield from pay_given_up(fact, "led", payee, ask)


def explain_nobody_owed(reading: str, question: str, outcome: OutcomeView) -> Not:
    """Explain why a led card is owed to nobody: the source says so, or nobody has won the partie."""
    if reading == "nobody":
        return Not("nobody-pays", question, said=True)
    if reading == meanings.OWED_BY_CLAIM and outcome.hero is not None:
        return Not("reversis", "partie.in-reversis", said=True)
    return Not("no-payee", question, said=True)


def find_bar_to_own_payment(fact: Fact, reading: str, ask: Ask) -> str:
    """Return the question by which a player who would be paid for leading a card gets nothing; empty if he is paid.

    A source says so of the winner of the partie alone; nobody else is paid for his own card.
    """
    if reading != meanings.OWED_BY_CLAIM:
        return f"{fact.kind}.led.payee"
    by = f"{fact.kind}.led.by-winner"
    return "" if meanings.OWED_TO_HIMSELF[ask.word(by)] else by


def pay_given_up(fact: Fact, how: str, payee: int, ask: Ask) -> amounts.Postings:
    """Have the player who gave up the card pay, and each other pay their part."""
    own, others = f"{fact.kind}.{how}.amount", f"{fact.kind}.{how}.others-pay"
    full, part = amounts.card_worth(fact, ask.number(own), ask), amounts.card_worth(fact, ask.number(others), ask)
    for seat in range(fact.seats):
        if seat != payee:
            amount, by = (full, own) if seat == fact.player else (part, others)
            yield from amounts.post_payment(seat, payee, amounts.price_card(fact, how, seat, payee, amount, ask), by=by)


def pay_forced_fine(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Have the player whose quinola is forced pay something to every other besides."""
    if classify_card_fate(fact, outcome, ask) != "forced":
        yield Not("not-forced", unforced_by(fact, outcome, ask))
        return
    fine = ask.number("quinola.forced.to-every-other")
    for seat in range(fact.seats):
        if seat != fact.player:
            yield from amounts.post_payment(fact.player, seat, Money(fine), by="quinola.forced.to-every-other")


def draw_stake(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Draw the stake for the quinola thrown off."""
    draws = meanings.THROWN_QUINOLA_DRAWS[ask.word("quinola.thrown-off.stake")]
    if draws and is_thrown_in_vain(fact, ask):
        yield Not("nobody-pays", "revoke.thrown-off")
    elif draws:
        money = amounts.limited_stake(ask) if draws == meanings.UP_TO_LIMIT else ONE_STAKE
        yield from amounts.post_payment(POOL_ACCOUNT, fact.player, money, "draw")
    else:
        yield Not("nobody-pays", "quinola.thrown-off.stake")


def match_stake(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Have the holder of a quinola forced, put or led match the stake, where the source says so."""
    how = classify_card_manner(fact, ask)
    if how == "forced" and is_spared(fact, outcome, ask):
        yield Not("not-forced", "espagnolette.forced", said=True)
    elif not (matches := meanings.MATCHES[ask.word(f"quinola.{how}.stake")]):
        yield Not("nobody-pays", f"quinola.{how}.stake", said=True)
    elif how == "led" and not meanings.GORGED[ask.word("quinola.led.when")](fact):
        yield Not("led-otherwise", "quinola.led.when", said=True)
    elif how == "forced" and (forcer := find_stake_payee(fact, outcome, ask)) is not None:
        money = amounts.limited_stake(ask) if matches == meanings.UP_TO_LIMIT else amounts.matching_amount(ask)
        yield from amounts.post_payment(fact.player, forcer, money)
    else:
        yield from amounts.post_stake_match(fact, fact.player, ask, matches == meanings.UP_TO_LIMIT)


def find_stake_payee(fact: Fact, outcome: OutcomeView, ask: Ask) -> SeatOrNone:
    """Find the player to whom an espagnolette pays the stake for a forced quinola; None where it goes into the pool."""
    if not fact.privileged or fact.player != outcome.espagnolette:
        return None
    if FORCED_STAKE_TO_POOL[ask.word("espagnolette.forced.stake-payee")]:
        return None
    forcer = meanings.QUINOLA_FORCER[ask.word("quinola.forced.payee")](fact, outcome)
    return None if forcer == fact.player else forcer
