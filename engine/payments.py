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

Postings: TypeAlias = Iterator["Posting | None"]  #: None: the source speaks of this, and says that nobody pays
Pays: TypeAlias = Callable[[Fact, Seen, Ask], Postings]


@dataclass(frozen=True, slots=True)
class Rule:
    """A payment rule: its name, the kinds of facts it looks at, and what it makes of one."""

    name: str
    kinds: tuple[str, ...]
    pays: Pays


# ---- small words
def pay(payer: Seat | str, payee: Seat | str, money: Money, operation: str = "") -> Postings:
    """A posting, unless there is nobody to pay or be paid, or nothing to pay."""
    if payer is not None and payee is not None and payer != payee and money != NOTHING:
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
    if fact.manner != "thrown-off":
        return
    payer = PAYER[ask.word(f"{fact.kind}.thrown-off.payer")](fact, outcome)
    if payer is None or fact.player is None:
        yield None
        return
    amount = worth(fact, ask.number(f"{fact.kind}.thrown-off.amount"), ask)
    yield from pay(payer, fact.player, price(fact, payer, fact.player, amount, ask))


def forced(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola forced is paid by him who held it; the others may join."""
    if fact.manner != "followed":
        return
    if forced_by_nobody(fact, ask) or manner(fact, ask) != "forced":
        yield None
    else:
        table = FORCER if fact.kind == "ace" else QUINOLA_FORCER
        payee = table[ask.word(f"{fact.kind}.forced.payee")](fact, outcome)
        # nobody forces his own card, though it should take the trick itself
        yield from given_up(fact, "forced", None if payee == fact.player else payee, ask)


def led(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola led is owed to the winner of the partie, who must ask for it."""
    if fact.manner != "led":
        return
    reading = ask.word(f"{fact.kind}.led.payee")
    payee = LED_PAYEE[reading](fact, outcome)
    if payee is None or not OWED[ask.word("payments.led-claimed")](fact) or owed_to_himself(fact, payee, ask):
        yield None
    else:
        yield from given_up(fact, "led", payee, ask)


def owed_to_himself(fact: Fact, payee: Seat, ask: Ask) -> bool:
    """Whether the winner of the partie has led the card himself, and is owed nothing for it."""
    return payee == fact.player and not OWED_TO_HIMSELF[ask.word(f"{fact.kind}.led.by-winner")]


def given_up(fact: Fact, how: str, payee: Seat, ask: Ask) -> Postings:
    """He who gave up the card pays, and each other pays his part."""
    if payee is None:
        yield None
        return
    full = worth(fact, ask.number(f"{fact.kind}.{how}.amount"), ask)
    part = worth(fact, ask.number(f"{fact.kind}.{how}.others-pay"), ask)
    for seat in range(fact.seats):
        if seat != payee:
            yield from pay(seat, payee, price(fact, seat, payee, full if seat == fact.player else part, ask))


def forced_fine(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He whose quinola is forced may have to pay something to every fellow player besides."""
    if fact.manner == "followed" and manner(fact, ask) == "forced":
        fine = ask.number("quinola.forced.to-every-other")
        for seat in range(fact.seats):
            yield from pay(fact.player, seat, Money(fine))


def draws_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola thrown off draws the stake."""
    if fact.manner == "thrown-off" and DRAWS[ask.word("quinola.thrown-off.stake")]:
        yield from pay(POOL, fact.player, STAKE, "draw")


def matches_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola forced, put or led makes its holder put in as much as the stake, where the source says so."""
    how = manner(fact, ask)
    if how not in ("forced", "put", "led"):
        return
    if how == "led" and not GORGED[ask.word("quinola.led.when")](fact):
        yield None
    elif MATCHES[ask.word(f"quinola.{how}.stake")]:
        yield from puts_in(fact, fact.player, ask)
    else:
        yield None


# ---- what undoes a payment: always by asking the payment itself, never the ledger
def returned(pays: Pays) -> Pays:
    """The same payments, given back because of a reversis."""

    def given_back(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
        if outcome.hero is None:
            return
        undone = RETURNED[ask.word("reversis.returns")]
        for posting in pays(fact, outcome, ask):
            if posting and undone(fact, outcome, posting.payer, posting.payee) and not stands(posting, fact, outcome):
                yield posting.back()

    return given_back


def stands(posting: Posting, fact: Fact, outcome: Seen) -> bool:
    """Whether an espagnolette keeps what he was paid for a card thrown off, in spite of the reversis."""
    return fact.manner == "thrown-off" and fact.player == outcome.kept and posting.payee == outcome.kept


def espagnolette_returns(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A losing espagnolette gives back, manifold, what was paid for cards thrown off, his own and the others'."""
    if fact.manner != "thrown-off" or not outcome.espagnolette_lost:
        return
    lost = outcome.espagnolette
    own = fact.player == lost
    times = ask.number("espagnolette.lost.returns-own" if own else "espagnolette.lost.returns-others")
    if times == 0:
        yield None
        return
    to_payer = own or BACK_TO_PAYER[ask.word("espagnolette.lost.returns-others-to")]
    for posting in thrown_off(fact, outcome, ask):
        if posting and posting.payer != lost:
            yield from pay(lost, posting.payer if to_payer else posting.payee, posting.money.times(times))


def espagnolette_returns_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A losing espagnolette who has thrown off his quinola pays the stake back, manifold."""
    if fact.manner != "thrown-off" or not outcome.espagnolette_lost or fact.player != outcome.espagnolette:
        return
    times = ask.number("espagnolette.lost.stake")
    if times == 0:
        yield None
        return
    whole = INTO_SAME_POOL[ask.word("espagnolette.lost.stake-into")]
    for posting in draws_stake(fact, outcome, ask):
        if posting:
            yield from pay(fact.player, POOL, posting.money.times(times if whole else min(times, 1)), "add")
            yield from pay(fact.player, POOL, posting.money.times(0 if whole else max(times - 1, 0)), "supplement")


# ---- reversis
def reversis_made(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Every other pays him who makes the reversis; an espagnolette may have to pay for all."""
    if not outcome.made or fact.player == outcome.hero or fact.player is None or outcome.hero is None:
        return
    place = "opposite" if facing(fact, fact.player, outcome.hero) else "neighbour"
    share = Money(ask.number(f"reversis.made.{place}"))
    instead = outcome.espagnolette is not None and PAYS_FOR_ALL[ask.word("espagnolette.pays-reversis-made")]
    yield from pay(outcome.espagnolette if instead else fact.player, outcome.hero, share)


def reversis_broken(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He who has undertaken the reversis pays him who breaks it; an espagnolette may have to pay instead."""
    if fact.player != outcome.hero:
        return
    for breaker in outcome.breakers:
        if breaker == outcome.espagnolette and not PAID[ask.word("espagnolette.breaks.paid")]:
            yield None
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
    if outcome.made and fact.player == outcome.hero and REVERSIS_DRAWS[ask.word("reversis.stake")] == ALWAYS:
        yield from pay(POOL, fact.player, STAKE, "draw")


def reversis_by_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """His quinola, played before the last tricks, draws the stake if it is made, and matches it if broken."""
    if outcome.hero is None or fact.trick is None or REVERSIS_DRAWS[ask.word("reversis.stake")] != BY_QUINOLA:
        return
    if not WHOSE_QUINOLA[ask.word("reversis.stake.whose-quinola")](fact, outcome):
        return
    if fact.trick > fact.last - ask.number("reversis.undertaken"):
        yield None
    elif outcome.made:
        yield from pay(POOL, outcome.hero, STAKE, "draw")
    elif MATCHES[ask.word("reversis.broken.stake")]:
        yield from puts_in(fact, outcome.hero, ask)


def breaking_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola that itself takes the trick by which a reversis is broken may be paid as forced."""
    if (
        not outcome.breakers
        or fact.manner != "followed"
        or fact.taker != fact.player
        or fact.player != outcome.breakers[0]
    ):
        return
    reading, payee = BREAKING_PAYERS[ask.word("reversis.breaking-quinola")], outcome.hero
    for seat in range(fact.seats):
        holder = seat == fact.player
        if payee is None or seat == payee or not reading(holder) or (holder and absolved(fact, outcome, ask)):
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
        yield None
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
            yield from pay(seat, outcome.winner, Money(part * opposite))


def owed(fact: Fact, outcome: Seen, ask: Ask) -> int:
    """What is owed for the partie, or talon, before it is doubled or shared."""
    by = DEBT[ask.word("partie.amount")]
    if by == BY_AGREEMENT:
        return ask.number("partie.agreed-sum")
    ask("cards.points")
    return ask.number("partie.per-point") * (fact.points if by == BY_PAYER else outcome.talon_value)


def stake_by_tricks(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The stake goes to him whose tricks win it."""
    if fact.player == outcome.stake_winner:
        yield from pay(POOL, fact.player, STAKE, "draw")


def refreshed(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Everybody puts in again after certain fates of the quinola."""
    when = ask.words("stake.refreshed.when")
    if not when:
        return
    if not any(REFRESHED[w](manner(fact, ask)) for w in when):
        yield None
        return
    if not REFRESHED_WHEN_WON[ask.word("stake.refreshed.unless-won")] and outcome.stake_won:
        yield None
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
            yield from pay(fact.player, seat, money)


def fines_returned(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The maker of a reversis may get his fines back."""
    if outcome.made and fact.player == outcome.hero and FINES_RETURNED[ask.word("reversis.returns-fines")]:
        for posting in fined(fact, outcome, ask):
            if posting:
                yield posting.back()


IN_PLAY = (
    Rule("thrown-off", ("ace", "quinola"), thrown_off),
    Rule("forced", ("ace", "quinola"), forced),
    Rule("led", ("ace", "quinola"), led),
    Rule("forced-fine", ("quinola",), forced_fine),
    Rule("draws-stake", ("quinola",), draws_stake),
    Rule("matches-stake", ("quinola",), matches_stake),
)
RULES = (
    *IN_PLAY,
    *(Rule(f"{rule.name}-returned", rule.kinds, returned(rule.pays)) for rule in IN_PLAY),
    Rule("espagnolette-returns", ("ace", "quinola"), espagnolette_returns),
    Rule("espagnolette-returns-stake", ("quinola",), espagnolette_returns_stake),
    Rule("reversis-by-quinola", ("quinola",), reversis_by_quinola),
    Rule("breaking-quinola", ("quinola",), breaking_quinola),
    Rule("reversis-made", ("seat",), reversis_made),
    Rule("reversis-broken", ("seat",), reversis_broken),
    Rule("reversis-stake", ("seat",), reversis_stake),
    Rule("partie", ("seat",), partie),
    Rule("stake-by-tricks", ("seat",), stake_by_tricks),
    Rule("refreshed", ("quinola",), refreshed),
    Rule("fine", ("fault",), fined),
    Rule("fine-returned", ("fault",), fines_returned),
)
