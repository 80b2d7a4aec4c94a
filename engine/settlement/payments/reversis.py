"""Payments for a reversis, made or broken, and for the quinola in it."""

from __future__ import annotations

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.cards import MATCHES, UP_TO_LIMIT
from engine.readings.meanings.espagnolette import PAID, PAYS_BREAKER, PAYS_FOR_ALL, STAKE_INSTEAD, WAIVED
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.reversis import (
    ALWAYS_DRAWS,
    BREAKING_PAYERS,
    BY_QUINOLA,
    REVERSIS_DRAWS,
    REVERSIS_POOLS,
    WHOSE_QUINOLA,
)
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Money
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments import amounts
from engine.settlement.payments.fate import classify_card_manner


def pay_reversis_made(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Have every other pay the maker of the reversis; an espagnolette may have to pay for all."""
    if fact.player == outcome.hero or fact.player is None or outcome.hero is None:
        return
    if not outcome.made:
        yield Not("broken", "reversis.undertaken")
        return
    place = "opposite" if amounts.sit_opposite(fact, fact.player, outcome.hero) else "neighbour"
    share = Money(ask.number(f"reversis.made.{place}"))
    instead = outcome.espagnolette is not None and PAYS_FOR_ALL[ask.word("espagnolette.pays-reversis-made")]
    yield from amounts.post_payment(
        outcome.espagnolette if instead else fact.player, outcome.hero, share, by=f"reversis.made.{place}"
    )


def pay_reversis_broken(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Pay who breaks a reversis; who undertook it pays, or an espagnolette instead."""
    if outcome.hero is None or fact.player != outcome.hero:
        return
    if outcome.made:
        yield Not("made", "reversis.undertaken")
    elif not outcome.breakers:
        yield Not("nobody-pays", "reversis.broken.breaker")
    for breaker in outcome.breakers:
        if breaker == outcome.espagnolette and PAID[ask.word("espagnolette.breaks.paid")] is not True:
            yield Not("nobody-pays", "espagnolette.breaks.paid", said=True)
        else:
            payer, question = find_payer_of_breaker(outcome, breaker, ask)
            yield from amounts.post_payment(payer, breaker, Money(ask.number(question)), by=question)


def find_payer_of_breaker(outcome: OutcomeView, breaker: int, ask: Ask) -> tuple[SeatOrNone, str]:
    """Return who pays for a broken reversis, and the question that tells how much."""
    third = outcome.espagnolette not in (None, breaker)
    if third and PAYS_BREAKER[ask.word("espagnolette.pays-reversis-broken")]:
        return outcome.espagnolette, "espagnolette.pays-reversis-broken.amount"
    return outcome.hero, "reversis.broken.amount"


def pay_reversis_stake(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Draw the stake for a reversis made, or match it for one broken, where no quinola decides."""
    if outcome.hero is None or fact.player != outcome.hero:
        return
    drawn = REVERSIS_DRAWS[ask.word("reversis.stake")]
    if drawn == BY_QUINOLA:
        yield Not("told-at-quinola" if outcome.made else "broken", "reversis.stake")
    elif not outcome.made:
        yield from match_for_broken_reversis(fact, outcome, ask)
    elif drawn == ALWAYS_DRAWS:
        yield from draw_for_reversis(fact.player, ask)
    else:
        yield Not("nobody-pays", "reversis.stake")


def match_for_broken_reversis(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Have the player whose reversis is broken match the stake, or the espagnolette instead, as the source says."""
    if matches := MATCHES[ask.word("reversis.broken.stake")]:
        breaks = outcome.espagnolette in outcome.breakers
        instead = breaks and PAID[ask.word("espagnolette.breaks.paid")] == STAKE_INSTEAD
        seat = outcome.espagnolette if instead else outcome.hero
        yield from amounts.post_stake_match(fact, seat, ask, matches == UP_TO_LIMIT)
    else:
        yield Not("nobody-pays", "reversis.broken.stake")


def draw_for_reversis(hero: SeatOrNone, ask: Ask) -> amounts.Postings:
    """Draw the stake for the maker of the reversis; what waits beside it may go with it."""
    waiting, operation, limited = REVERSIS_POOLS[ask.word("reversis.stake-pools")]
    money = amounts.limited_stake(ask) if limited else Money(0, 1, waiting)
    yield from amounts.post_payment(POOL_ACCOUNT, hero, money, operation)


def pay_reversis_by_quinola(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Draw the stake by the hero's quinola, played before the last tricks; match it if broken."""
    if outcome.hero is None:
        return
    if REVERSIS_DRAWS[ask.word("reversis.stake")] != BY_QUINOLA:
        yield Not("quinola-aside", "reversis.stake")
    elif fact.trick is None or not WHOSE_QUINOLA[ask.word("reversis.stake.whose-quinola")](
        fact, outcome, lambda: classify_card_manner(fact, ask) == "forced"
    ):
        yield Not("not-his", "reversis.stake.whose-quinola")
    elif fact.trick > fact.last - ask.number("reversis.undertaken"):
        yield Not("too-late", "reversis.stake", said=True)
    elif outcome.made:
        yield from draw_for_reversis(outcome.hero, ask)
    else:
        yield from match_for_broken_reversis(fact, outcome, ask)


def pay_breaking_quinola(fact: Fact, outcome: OutcomeView, ask: Ask) -> amounts.Postings:
    """Pay as forced, where so ruled, for the quinola that takes the trick by which a reversis breaks."""
    breakers, hero = outcome.breakers, outcome.hero
    if hero is None or outcome.made or fact.taker != fact.player or fact.player == hero:
        return
    if not breakers:
        yield Not("nobody-pays", "reversis.broken.breaker")
    elif fact.trick != outcome.broken_in:
        yield Not("broken-before", "reversis.broken.breaker")
    else:
        yield from pay_for_breaking(fact, outcome, hero, ask)


def pay_for_breaking(fact: Fact, outcome: OutcomeView, payee: int, ask: Ask) -> amounts.Postings:
    """Pay who undertook the reversis for the quinola that has broken it."""
    reading = BREAKING_PAYERS[ask.word("reversis.breaking-quinola")]
    if reading(True) and ask.word("quinola.forced.payee") == "nobody":  # as for a forced one: so nothing
        yield Not("nobody-pays", "quinola.forced.payee")
        return
    for seat in range(fact.seats):
        holder = seat == fact.player
        if seat == payee:
            continue
        if not reading(holder):
            yield Not("nobody-pays", "reversis.breaking-quinola")
        elif holder and (fact.player == outcome.espagnolette and WAIVED[ask.word("espagnolette.breaks.own-quinola")]):
            yield Not("absolved", "espagnolette.breaks.own-quinola")
        else:
            by = "quinola.forced.amount" if holder else "quinola.forced.others-pay"
            yield from amounts.post_payment(
                seat, payee, amounts.price_card(fact, "forced", seat, payee, ask.number(by), ask), by=by
            )
