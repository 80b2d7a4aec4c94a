"""Every payment rule, said once. RULES is the table of contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.ask import Ask
from engine.facts import Fact
from engine.ledger import NOTHING, STAKE, Account, Money, Posting
from engine.meanings import (
    ALSO_OWES,
    ALWAYS,
    BACK_TO_PAYER,
    BEARERS,
    BREAKING_PAYERS,
    BY_AGREEMENT,
    BY_PAYER,
    BY_QUINOLA,
    DEBT,
    DEBTORS,
    DRAWS,
    FINE_TO_POOL,
    FINES_RETURNED,
    FORCED,
    FORCER,
    GORGED,
    INTO_SAME_POOL,
    LED_PAYEE,
    MATCH_BASE,
    MATCH_OPERATION,
    MATCHES,
    OWED,
    OWED_TO_HIMSELF,
    PAID,
    PAYER,
    PAYS_BREAKER,
    PAYS_FOR_ALL,
    POOL,
    QUINOLA_FORCER,
    REFRESHED,
    REFRESHED_WHEN_WON,
    RETURNED,
    REVERSIS_DRAWS,
    WAIVED,
    WHOSE_QUINOLA,
    Seat,
)
from engine.outcome import Seen
from engine.reasons import Not

Postings: TypeAlias = Iterator["Posting | Not"]
Pays: TypeAlias = Callable[[Fact, Seen, Ask], Postings]


#: What can befall a card that is played.
PLAYED = ("led", "followed", "thrown-off")


@dataclass(frozen=True, slots=True)
class Rule:
    """A payment rule: its name, the facts it looks at, and what it makes of one."""

    name: str
    kinds: tuple[str, ...]
    manners: tuple[str, ...]  #: of a card; empty: of whatever manner
    pays: Pays
    closing: bool = False  #: it is settled when the deal is over, also where it looks at a card


# ---- small words
def pay(payer: Seat | str, payee: Seat | str, money: Money, operation: str = "") -> Postings:
    """A posting, unless there is nobody to pay or be paid, or nothing to pay."""
    if payer is None or payee is None:
        yield Not("no-payee")
    elif payer == payee:
        yield Not("own")
    elif money == NOTHING:
        yield Not("nobody-pays")
    else:
        yield Posting(payer, payee, money, operation)


def facing(fact: Fact, a: Account, b: Account) -> bool:
    """Whether two players sit opposite; five players have nobody opposite."""
    return fact.seats == 4 and isinstance(a, int) and isinstance(b, int) and (a - b) % 4 == 2


def price(fact: Fact, payer: int, payee: int, amount: int, ask: Ask) -> Money:
    """An amount for an ace or the quinola, multiplied opposite and in the tricks that count more."""
    if amount == 0:
        return NOTHING
    opposite = ask.number("payments.opposite") if facing(fact, payer, payee) else 1
    return Money(amount * opposite * trick_factor(fact, ask))


def trick_factor(fact: Fact, ask: Ask) -> int:
    """How many times a payment is multiplied for the trick in which it falls."""
    counted = {t if t > 0 else fact.last + 1 + t for t in ask.numbers("payments.doubled-tricks")}
    return ask.number("payments.trick-factor") if fact.trick in counted else 1


def manner(fact: Fact, ask: Ask) -> str:
    """What befell a card, as the source calls it: led, forced, put, thrown-off or laid-away."""
    if fact.manner != "followed":
        return fact.manner
    return "forced" if FORCED[ask.word(f"{fact.kind}.forced.when")](fact) else "put"


def forced_by_nobody(fact: Fact, ask: Ask) -> bool:
    """Whether the source knows no payment at all for an ace that is forced, so that it need not say when it is."""
    return fact.kind == "ace" and fact.manner == "followed" and ask.word("ace.forced.payee") == "nobody"


def worth(fact: Fact, amount: int, ask: Ask) -> int:
    """The amount for a card: the favoured ace has its own."""
    if amount == 0 or fact.kind != "ace" or ask.word("ace.favoured-suit") != fact.suit:
        return amount  # who pays nothing pays nothing for any ace
    favoured = ask.table("ace.favoured-amount")
    return favoured.get("sum", amount * favoured.get("times", 1))


def matched(ask: Ask) -> Money:
    """As much as the stake, or as the stake and all that waits."""
    return Money(0, 1, MATCH_BASE[ask.word("stake.match-base")])


def puts_in(fact: Fact, seat: Seat, ask: Ask) -> Postings:
    """Somebody puts in as much as the stake."""
    yield from pay(seat, POOL, matched(ask), MATCH_OPERATION[ask.word("stake.matched-into")])


# ---- payments in the play
def thrown_off(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola thrown on another suit is paid to him who throws it."""
    payer = PAYER[ask.word(f"{fact.kind}.thrown-off.payer")](fact, outcome)
    if payer is None or fact.player is None:
        yield Not("nobody-pays", said=True)
        return
    amount = worth(fact, ask.number(f"{fact.kind}.thrown-off.amount"), ask)
    yield from pay(payer, fact.player, price(fact, payer, fact.player, amount, ask))


def forced(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola forced is paid by him who held it; the others may join."""
    if forced_by_nobody(fact, ask):
        yield Not("nobody-pays", said=True)
    elif manner(fact, ask) != "forced":
        yield Not("not-forced", said=True)
    else:
        table = FORCER if fact.kind == "ace" else QUINOLA_FORCER
        reading = ask.word(f"{fact.kind}.forced.payee")
        payee = table[reading](fact, outcome)
        if payee is None or payee == fact.player:  # nobody forces his own card, though it should take the trick itself
            yield Not("nobody-pays" if reading == "nobody" else "no-payee" if payee is None else "own", said=True)
        else:
            yield from given_up(fact, "forced", payee, ask)


def led(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola led is owed to the winner of the partie, who must ask for it."""
    reading = ask.word(f"{fact.kind}.led.payee")
    payee = LED_PAYEE[reading](fact, outcome)
    if payee is None:
        yield Not("nobody-pays" if reading == "nobody" else "no-payee", said=True)
    elif not OWED[ask.word("payments.led-claimed")](fact):
        yield Not("unclaimed", said=True)
    elif owed_to_himself(fact, payee, ask):
        yield Not("own", said=True)
    else:
        yield from given_up(fact, "led", payee, ask)


def owed_to_himself(fact: Fact, payee: Seat, ask: Ask) -> bool:
    """Whether the winner of the partie has led the card himself, and is owed nothing for it."""
    return payee == fact.player and not OWED_TO_HIMSELF[ask.word(f"{fact.kind}.led.by-winner")]


def given_up(fact: Fact, how: str, payee: int, ask: Ask) -> Postings:
    """He who gave up the card pays, and each other pays his part."""
    full = worth(fact, ask.number(f"{fact.kind}.{how}.amount"), ask)
    part = worth(fact, ask.number(f"{fact.kind}.{how}.others-pay"), ask)
    for seat in range(fact.seats):
        if seat != payee:
            yield from pay(seat, payee, price(fact, seat, payee, full if seat == fact.player else part, ask))


def forced_fine(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He whose quinola is forced may have to pay something to every fellow player besides."""
    if manner(fact, ask) != "forced":
        yield Not("not-forced")
        return
    fine = ask.number("quinola.forced.to-every-other")
    for seat in range(fact.seats):
        if seat != fact.player:
            yield from pay(fact.player, seat, Money(fine))


def draws_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola thrown off draws the stake."""
    if DRAWS[ask.word("quinola.thrown-off.stake")]:
        yield from pay(POOL, fact.player, STAKE, "draw")
    else:
        yield Not("nobody-pays")


def matches_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola forced, put or led makes its holder put in as much as the stake, where the source says so."""
    how = manner(fact, ask)
    if how == "led" and not GORGED[ask.word("quinola.led.when")](fact):
        yield Not("led-otherwise", said=True)
    elif MATCHES[ask.word(f"quinola.{how}.stake")]:
        yield from puts_in(fact, fact.player, ask)
    else:
        yield Not("nobody-pays", said=True)


# ---- what undoes a payment: always by asking the payment itself, never the ledger
def returned(pays: Pays) -> Pays:
    """The same payments, given back because of a reversis."""

    def given_back(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
        if outcome.hero is None:
            return
        undone = RETURNED[ask.word("reversis.returns")]
        for posting in payments(pays, fact, outcome, ask):
            if undone(fact, outcome, posting.payer, posting.payee) and not stands(posting, fact, outcome):
                yield posting.back()
            else:
                yield Not("stands")

    return given_back


def payments(pays: Pays, fact: Fact, outcome: Seen, ask: Ask) -> Iterator[Posting]:
    """What a rule pays, without its reasons for not paying."""
    return (one for one in pays(fact, outcome, ask) if isinstance(one, Posting))


def stands(posting: Posting, fact: Fact, outcome: Seen) -> bool:
    """Whether an espagnolette keeps what he was paid for a card thrown off, in spite of the reversis."""
    return fact.manner == "thrown-off" and fact.player == outcome.kept and posting.payee == outcome.kept


def espagnolette_returns(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A losing espagnolette gives back, manifold, what was paid for cards thrown off, his own and the others'."""
    if not outcome.espagnolette_lost:
        return
    lost = outcome.espagnolette
    own = fact.player == lost
    times = ask.number("espagnolette.lost.returns-own" if own else "espagnolette.lost.returns-others")
    if times == 0:
        yield Not("nobody-pays", said=True)
        return
    to_payer = own or BACK_TO_PAYER[ask.word("espagnolette.lost.returns-others-to")]
    for posting in payments(thrown_off, fact, outcome, ask):
        if posting.payer == lost:
            yield Not("own")
        else:
            yield from pay(lost, posting.payer if to_payer else posting.payee, posting.money.times(times))


def espagnolette_returns_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A losing espagnolette who has thrown off his quinola pays the stake back, manifold."""
    if not outcome.espagnolette_lost or fact.player != outcome.espagnolette:
        return
    times = ask.number("espagnolette.lost.stake")
    if times == 0:
        yield Not("nobody-pays", said=True)
        return
    whole = INTO_SAME_POOL[ask.word("espagnolette.lost.stake-into")]
    for posting in payments(draws_stake, fact, outcome, ask):
        yield from pay(fact.player, POOL, posting.money.times(times if whole else min(times, 1)), "add")
        yield from pay(fact.player, POOL, posting.money.times(0 if whole else max(times - 1, 0)), "supplement")


# ---- reversis
def reversis_made(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Every other pays him who makes the reversis; an espagnolette may have to pay for all."""
    if fact.player == outcome.hero or fact.player is None or outcome.hero is None:
        return
    if not outcome.made:
        yield Not("broken")
        return
    place = "opposite" if facing(fact, fact.player, outcome.hero) else "neighbour"
    share = Money(ask.number(f"reversis.made.{place}"))
    instead = outcome.espagnolette is not None and PAYS_FOR_ALL[ask.word("espagnolette.pays-reversis-made")]
    yield from pay(outcome.espagnolette if instead else fact.player, outcome.hero, share)


def reversis_broken(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He who has undertaken the reversis pays him who breaks it; an espagnolette may have to pay instead."""
    if outcome.hero is None or fact.player != outcome.hero:
        return
    if outcome.made:
        yield Not("made")
    for breaker in outcome.breakers:
        if breaker == outcome.espagnolette and not PAID[ask.word("espagnolette.breaks.paid")]:
            yield Not("nobody-pays", said=True)
        else:
            yield from pay(pays_breaker(outcome, breaker, ask), breaker, Money(ask.number("reversis.broken.amount")))


def pays_breaker(outcome: Seen, breaker: int, ask: Ask) -> Seat:
    """Who pays for a broken reversis."""
    third = outcome.espagnolette not in (None, breaker)
    return (
        outcome.espagnolette if third and PAYS_BREAKER[ask.word("espagnolette.pays-reversis-broken")] else outcome.hero
    )


def reversis_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A reversis made draws the stake, where it always does."""
    if not outcome.made or fact.player != outcome.hero:
        return
    drawn = REVERSIS_DRAWS[ask.word("reversis.stake")]
    if drawn == ALWAYS:
        yield from pay(POOL, fact.player, STAKE, "draw")
    elif drawn != BY_QUINOLA:  # where it hangs on the quinola, that is told at the quinola
        yield Not("nobody-pays")


def reversis_by_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """His quinola, played before the last tricks, draws the stake if it is made, and matches it if broken."""
    if outcome.hero is None or fact.trick is None or REVERSIS_DRAWS[ask.word("reversis.stake")] != BY_QUINOLA:
        return
    if not WHOSE_QUINOLA[ask.word("reversis.stake.whose-quinola")](fact, outcome):
        yield Not("not-his")
    elif fact.trick > fact.last - ask.number("reversis.undertaken"):
        yield Not("too-late", said=True)
    elif outcome.made:
        yield from pay(POOL, outcome.hero, STAKE, "draw")
    elif MATCHES[ask.word("reversis.broken.stake")]:
        yield from puts_in(fact, outcome.hero, ask)
    else:
        yield Not("nobody-pays")


def breaking_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola that itself takes the trick by which a reversis is broken may be paid as forced."""
    if not outcome.breakers or fact.taker != fact.player or fact.player != outcome.breakers[0]:
        return
    reading, payee = BREAKING_PAYERS[ask.word("reversis.breaking-quinola")], outcome.hero
    for seat in range(fact.seats):
        holder = seat == fact.player
        if payee is None or seat == payee:
            continue
        if not reading(holder) or (holder and absolved(fact, outcome, ask)):
            yield Not("nobody-pays")
            continue
        amount = ask.number("quinola.forced.amount" if holder else "quinola.forced.others-pay")
        yield from pay(seat, payee, price(fact, seat, payee, amount, ask))


def absolved(fact: Fact, outcome: Seen, ask: Ask) -> bool:
    """Whether an espagnolette is let off paying for the quinola with which he has broken a reversis."""
    return fact.player == outcome.espagnolette and WAIVED[ask.word("espagnolette.breaks.own-quinola")]


# ---- the end of the deal
def partie(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The partie, or talon, is paid to its winner."""
    if outcome.winner is None and fact.player == outcome.hero:
        yield Not("reversis", said=True)
    elif outcome.winner is None and outcome.hero is None and fact.player == fact.dealer:
        yield Not("no-payee")
    if outcome.winner in (None, fact.player) or fact.player is None:
        return
    share = ask.word("partie.eldest-share") if outcome.hero is None else "none"
    debtor, shares = DEBTORS[ask.word("partie.paid-by")](fact, outcome), ALSO_OWES[share](fact, outcome)
    if not debtor and not shares:
        return
    # who pays his own debt anyway has no share in it besides
    debt, bearers = owed(fact, outcome, ask), (fact.player,) if debtor and shares else BEARERS[share](fact, outcome)
    for i, seat in enumerate(bearers):
        part = (debt + len(bearers) - 1 - i) // len(bearers)
        if seat is not None and outcome.winner is not None:
            opposite = ask.number("partie.opposite") if facing(fact, seat, outcome.winner) else 1
            yield from pay(seat, outcome.winner, Money(part * opposite)) if part else (Not("nothing-owed"),)


def owed(fact: Fact, outcome: Seen, ask: Ask) -> int:
    """What is owed for the partie, or talon, before it is doubled or shared."""
    by = DEBT[ask.word("partie.amount")]
    if by == BY_AGREEMENT:
        return ask.number("partie.agreed-sum")
    ask("cards.points")
    return ask.number("partie.per-point") * (fact.points if by == BY_PAYER else outcome.talon_value)


def stake_by_tricks(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The stake goes to him whose tricks win it."""
    won = outcome.stake_winner
    if won is not None and fact.player == won:
        yield from pay(POOL, fact.player, STAKE, "draw")
    elif won is None and fact.player == fact.dealer:  # told once, at the dealer's
        yield Not("nobody-pays" if not ask.words("stake.by-tricks") else "won-otherwise")


def refreshed(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Everybody puts in again after certain fates of the quinola."""
    when = ask.words("stake.refreshed.when")
    if not when:
        yield Not("nobody-pays")
        return
    if not any(REFRESHED[w](manner(fact, ask)) for w in when):
        yield Not("not-then", said=True)
        return
    if not REFRESHED_WHEN_WON[ask.word("stake.refreshed.unless-won")] and outcome.stake_won:
        yield Not("won-otherwise", said=True)
        return
    for seat in range(fact.seats):
        yield from pay(seat, POOL, Money(ask.number("stake.refreshed.amount")), "add")


def fined(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A fault costs its author something, to the pool or to every other."""
    fine = ask(f"{fact.manner}.fine")
    money = Money(fine) if isinstance(fine, int) else matched(ask).times(ask.table(f"{fact.manner}.fine")["stakes"])
    if FINE_TO_POOL[ask.word(f"{fact.manner}.payee")]:
        yield from pay(fact.player, POOL, money, "add")
    else:
        for seat in range(fact.seats):
            if seat != fact.player:
                yield from pay(fact.player, seat, money)


def fines_returned(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The maker of a reversis may get his fines back."""
    if not outcome.made or fact.player != outcome.hero:
        return
    back = FINES_RETURNED[ask.word("reversis.returns-fines")]
    for posting in payments(fined, fact, outcome, ask):
        yield posting.back() if back else Not("stands")


IN_PLAY = (
    Rule("thrown-off", ("ace", "quinola"), ("thrown-off",), thrown_off),
    Rule("forced", ("ace", "quinola"), ("followed",), forced),
    Rule("led", ("ace", "quinola"), ("led",), led),
    Rule("forced-fine", ("quinola",), ("followed",), forced_fine),
    Rule("draws-stake", ("quinola",), ("thrown-off",), draws_stake),
    Rule("matches-stake", ("quinola",), ("led", "followed"), matches_stake),
)
RULES = (
    *IN_PLAY,
    *(Rule(f"{r.name}-returned", r.kinds, r.manners, returned(r.pays), closing=True) for r in IN_PLAY),
    Rule("espagnolette-returns", ("ace", "quinola"), ("thrown-off",), espagnolette_returns, closing=True),
    Rule("espagnolette-returns-stake", ("quinola",), ("thrown-off",), espagnolette_returns_stake, closing=True),
    Rule("reversis-by-quinola", ("quinola",), PLAYED, reversis_by_quinola, closing=True),
    Rule("breaking-quinola", ("quinola",), ("followed",), breaking_quinola, closing=True),
    Rule("reversis-made", ("seat",), (), reversis_made, closing=True),
    Rule("reversis-broken", ("seat",), (), reversis_broken, closing=True),
    Rule("reversis-stake", ("seat",), (), reversis_stake, closing=True),
    Rule("partie", ("seat",), (), partie),
    Rule("stake-by-tricks", ("seat",), (), stake_by_tricks),
    Rule("refreshed", ("quinola",), (), refreshed, closing=True),
    Rule("fine", ("fault",), (), fined),
    Rule("fine-returned", ("fault",), (), fines_returned, closing=True),
)
