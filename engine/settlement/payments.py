"""Every payment rule, said once. RULES is the table of contents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings import (
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
    FINE_LAID,
    FINE_TO_POOL,
    FINES_RETURNED,
    FORCED,
    FORCER,
    FORCES_HIM,
    GORGED,
    IN_TIME,
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
    REDEEMABLE,
    REFRESHED,
    REFRESHED_WHEN_WON,
    RETURNED,
    REVERSIS_DRAWS,
    REVERSIS_POOLS,
    WAIVED,
    WHOSE_QUINOLA,
    Seat,
)
from engine.settlement.ledger import NOTHING, STAKE, Account, Money, Posting
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import Seen

Postings: TypeAlias = Iterator["Posting | Not"]
Pays: TypeAlias = Callable[[Fact, Seen, Ask], Postings]


#: By which questions the only card of the suit led may be kept.
FREED_BY: Mapping[str, tuple[str, ...]] = {"ace": ("play.follow",), "quinola": ("play.follow", "play.quinola-alone")}
#: The faults in the play that cost a fine.
FINED = ("revoke", "out-of-turn")


@dataclass(frozen=True, slots=True)
class Rule:
    """A payment rule: its name, the facts it looks at, and what it makes of one."""

    name: str
    kinds: tuple[str, ...]
    manners: tuple[str, ...]  #: of a card; empty: of whatever manner
    pays: Pays
    closing: bool = False  #: it is settled when the deal is over, also where it looks at a card
    in_reversis: bool = False  #: it has nothing to say where no reversis was undertaken


# ---- small words
def pay(payer: Seat | str, payee: Seat | str, money: Money, operation: str = "", by: str = "") -> Postings:
    """A posting, unless he would pay himself, or there is nothing to pay; `by` is the question that fixes the sum."""
    if payer is None or payee is None:
        return
    if payer == payee:
        yield Not("own")
    elif money == NOTHING:
        yield Not("nobody-pays", by)
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
    told: Iterable[int] = ask.numbers("payments.doubled-tricks")
    counted = {number if number > 0 else fact.last + 1 + number: number for number in told}
    if fact.trick not in counted:
        return 1
    if isinstance(told, Mapping):  # a source may name a factor for each trick
        return int(told[counted[fact.trick]])
    return ask.number("payments.trick-factor")


def manner(fact: Fact, ask: Ask) -> str:
    """What befell a card, as the source calls it: led, forced, put, thrown-off or laid-away."""
    if fact.manner != "followed":
        return fact.manner
    if FORCED[ask.word(f"{fact.kind}.forced.when")](fact):
        return "forced"
    for question in FREED_BY[fact.kind] if fact.free else ():
        ask(question)
    return "put"


def fate(fact: Fact, outcome: Seen, ask: Ask) -> str:
    """What befell a card in the end: as `manner`, but put where an espagnolette's quinola falls on too low a heart."""
    how = manner(fact, ask)
    return "put" if how == "forced" and spared(fact, outcome, ask) else how


def unforced_by(fact: Fact, outcome: Seen, ask: Ask) -> str:
    """The question by which a card that fell to its own suit is not called forced."""
    return "espagnolette.forced" if manner(fact, ask) == "forced" else f"{fact.kind}.forced.when"


def spared(fact: Fact, outcome: Seen, ask: Ask) -> bool:
    """Whether the quinola is an espagnolette's, and falls on a heart that does not force it."""
    if fact.kind != "quinola" or not fact.privileged or FORCES_HIM[ask.word("espagnolette.forced")](fact):
        return False
    return fact.player == outcome.espagnolette


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
    who_pays, how_much = f"{fact.kind}.thrown-off.payer", f"{fact.kind}.thrown-off.amount"
    payer = PAYER[ask.word(who_pays)](fact, outcome)
    if payer is None or fact.player is None:
        yield Not("nobody-pays", who_pays, said=True)
        return
    amount = worth(fact, ask.number(how_much), ask)
    yield from pay(payer, fact.player, price(fact, payer, fact.player, amount, ask), by=how_much)


def forced(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola forced is paid by him who held it; the others may join."""
    question = f"{fact.kind}.forced.payee"
    if forced_by_nobody(fact, ask):
        yield Not("nobody-pays", question, said=True)
    elif fate(fact, outcome, ask) != "forced":
        yield Not("not-forced", unforced_by(fact, outcome, ask), said=True)
    else:
        table = FORCER if fact.kind == "ace" else QUINOLA_FORCER
        reading = ask.word(question)
        payee = table[reading](fact, outcome)
        if payee is None or payee == fact.player:  # nobody forces his own card, though it should take the trick itself
            why = "nobody-pays" if reading == "nobody" else "no-payee" if payee is None else "own"
            yield Not(why, question, said=True)
        else:
            yield from given_up(fact, "forced", payee, ask)


def led(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """An ace or the quinola led is owed to the winner of the partie, who must ask for it."""
    question = f"{fact.kind}.led.payee"
    reading = ask.word(question)
    payee = LED_PAYEE[reading](fact, outcome)
    if payee is None:
        yield nobody_is_owed(reading, question, outcome)
    elif not OWED[ask.word("payments.led-claimed")](fact):
        yield Not("unclaimed", "payments.led-claimed", said=True)
    elif owed_to_himself(fact, payee, ask):
        yield Not("own", f"{fact.kind}.led.by-winner", said=True)
    else:
        yield from given_up(fact, "led", payee, ask)


def nobody_is_owed(reading: str, question: str, outcome: Seen) -> Not:
    """Why a led card is owed to nobody: the source says so, or nobody has won the partie."""
    if reading == "nobody":
        return Not("nobody-pays", question, said=True)
    if outcome.hero is not None:
        return Not("reversis", "partie.in-reversis", said=True)
    return Not("no-payee", question, said=True)


def owed_to_himself(fact: Fact, payee: Seat, ask: Ask) -> bool:
    """Whether the winner of the partie has led the card himself, and is owed nothing for it."""
    return payee == fact.player and not OWED_TO_HIMSELF[ask.word(f"{fact.kind}.led.by-winner")]


def given_up(fact: Fact, how: str, payee: int, ask: Ask) -> Postings:
    """He who gave up the card pays, and each other pays his part."""
    own, others = f"{fact.kind}.{how}.amount", f"{fact.kind}.{how}.others-pay"
    full, part = worth(fact, ask.number(own), ask), worth(fact, ask.number(others), ask)
    for seat in range(fact.seats):
        if seat != payee:
            amount, by = (full, own) if seat == fact.player else (part, others)
            yield from pay(seat, payee, price(fact, seat, payee, amount, ask), by=by)


def forced_fine(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He whose quinola is forced may have to pay something to every fellow player besides."""
    if fate(fact, outcome, ask) != "forced":
        yield Not("not-forced", unforced_by(fact, outcome, ask))
        return
    fine = ask.number("quinola.forced.to-every-other")
    for seat in range(fact.seats):
        if seat != fact.player:
            yield from pay(fact.player, seat, Money(fine), by="quinola.forced.to-every-other")


def draws_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola thrown off draws the stake."""
    if DRAWS[ask.word("quinola.thrown-off.stake")]:
        yield from pay(POOL, fact.player, STAKE, "draw")
    else:
        yield Not("nobody-pays", "quinola.thrown-off.stake")


def matches_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola forced, put or led makes its holder put in as much as the stake, where the source says so."""
    how = manner(fact, ask)
    if how == "forced" and spared(fact, outcome, ask):
        yield Not("not-forced", "espagnolette.forced", said=True)
    elif how == "led" and not GORGED[ask.word("quinola.led.when")](fact):
        yield Not("led-otherwise", "quinola.led.when", said=True)
    elif MATCHES[ask.word(f"quinola.{how}.stake")]:
        yield from puts_in(fact, fact.player, ask)
    else:
        yield Not("nobody-pays", f"quinola.{how}.stake", said=True)


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
                yield Not("stands", "reversis.returns")

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
    question = "espagnolette.lost.returns-own" if own else "espagnolette.lost.returns-others"
    times = ask.number(question)
    if times == 0:
        yield Not("nobody-pays", question, said=True)
        return
    yield Not("nothing-paid")  # unless something was
    to_payer = own or BACK_TO_PAYER[ask.word("espagnolette.lost.returns-others-to")]
    for posting in payments(thrown_off, fact, outcome, ask):
        if posting.payer == lost:
            yield Not("own", "espagnolette.lost.returns-others-to")
        else:
            yield from pay(lost, posting.payer if to_payer else posting.payee, posting.money.times(times))


def espagnolette_returns_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A losing espagnolette who has thrown off his quinola pays the stake back, manifold."""
    if not outcome.espagnolette_lost or fact.player != outcome.espagnolette:
        return
    times = ask.number("espagnolette.lost.stake")
    if times == 0:
        yield Not("nobody-pays", "espagnolette.lost.stake", said=True)
        return
    yield Not("nothing-paid", "quinola.thrown-off.stake")  # unless it has drawn
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
        yield Not("broken", "reversis.undertaken")
        return
    place = "opposite" if facing(fact, fact.player, outcome.hero) else "neighbour"
    share = Money(ask.number(f"reversis.made.{place}"))
    instead = outcome.espagnolette is not None and PAYS_FOR_ALL[ask.word("espagnolette.pays-reversis-made")]
    yield from pay(outcome.espagnolette if instead else fact.player, outcome.hero, share, by=f"reversis.made.{place}")


def reversis_broken(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """He who has undertaken the reversis pays him who breaks it; an espagnolette may have to pay instead."""
    if outcome.hero is None or fact.player != outcome.hero:
        return
    if outcome.made:
        yield Not("made", "reversis.undertaken")
    elif not outcome.breakers:
        yield Not("nobody-pays", "reversis.broken.breaker")
    for breaker in outcome.breakers:
        if breaker == outcome.espagnolette and not PAID[ask.word("espagnolette.breaks.paid")]:
            yield Not("nobody-pays", "espagnolette.breaks.paid", said=True)
        else:
            payer, question = pays_breaker(outcome, breaker, ask)
            yield from pay(payer, breaker, Money(ask.number(question)), by=question)


def pays_breaker(outcome: Seen, breaker: int, ask: Ask) -> tuple[Seat, str]:
    """Who pays for a broken reversis, and the question that tells how much."""
    third = outcome.espagnolette not in (None, breaker)
    if third and PAYS_BREAKER[ask.word("espagnolette.pays-reversis-broken")]:
        return outcome.espagnolette, "espagnolette.pays-reversis-broken.amount"
    return outcome.hero, "reversis.broken.amount"


def reversis_stake(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A reversis made draws the stake, where it always does."""
    if outcome.hero is None or fact.player != outcome.hero:
        return
    if not outcome.made:
        yield Not("broken", "reversis.undertaken")
        return
    drawn = REVERSIS_DRAWS[ask.word("reversis.stake")]
    if drawn == ALWAYS:
        yield from draws_for_reversis(fact.player, ask)
    else:  # where it hangs on the quinola, that is told at the quinola
        yield Not("told-at-quinola" if drawn == BY_QUINOLA else "nobody-pays", "reversis.stake")


def draws_for_reversis(hero: Seat, ask: Ask) -> Postings:
    """The stake goes to him who has made the reversis; what waits beside it may go with it."""
    waiting, operation = REVERSIS_POOLS[ask.word("reversis.stake-pools")]
    yield from pay(POOL, hero, Money(0, 1, waiting), operation)


def reversis_by_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """His quinola, played before the last tricks, draws the stake if it is made, and matches it if broken."""
    if outcome.hero is None:
        return
    if REVERSIS_DRAWS[ask.word("reversis.stake")] != BY_QUINOLA:
        yield Not("quinola-aside", "reversis.stake")
    elif fact.trick is None or not whose_quinola(fact, outcome, ask):
        yield Not("not-his", "reversis.stake.whose-quinola")
    elif fact.trick > fact.last - ask.number("reversis.undertaken"):
        yield Not("too-late", "reversis.stake", said=True)
    elif outcome.made:
        yield from draws_for_reversis(outcome.hero, ask)
    elif MATCHES[ask.word("reversis.broken.stake")]:
        yield from puts_in(fact, outcome.hero, ask)
    else:
        yield Not("nobody-pays", "reversis.broken.stake")


def whose_quinola(fact: Fact, outcome: Seen, ask: Ask) -> bool:
    """Whether a quinola counts for the stake in a reversis."""
    reading = WHOSE_QUINOLA[ask.word("reversis.stake.whose-quinola")]
    return reading(fact, outcome, lambda: manner(fact, ask) == "forced")


def breaking_quinola(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The quinola that itself takes the trick by which a reversis is broken may be paid as forced."""
    breakers, hero = outcome.breakers, outcome.hero
    if hero is None or outcome.made or fact.taker != fact.player or fact.player == hero:
        return
    if not breakers:
        yield Not("nobody-pays", "reversis.broken.breaker")
    elif fact.trick != outcome.broken_in:
        yield Not("broken-before", "reversis.broken.breaker")
    else:
        yield from paid_for_breaking(fact, outcome, hero, ask)


def paid_for_breaking(fact: Fact, outcome: Seen, payee: int, ask: Ask) -> Postings:
    """What he who undertook the reversis is paid for the quinola that has broken it."""
    reading = BREAKING_PAYERS[ask.word("reversis.breaking-quinola")]
    for seat in range(fact.seats):
        holder = seat == fact.player
        if seat == payee:
            continue
        if not reading(holder):
            yield Not("nobody-pays", "reversis.breaking-quinola")
        elif holder and absolved(fact, outcome, ask):
            yield Not("absolved", "espagnolette.breaks.own-quinola")
        else:
            by = "quinola.forced.amount" if holder else "quinola.forced.others-pay"
            yield from pay(seat, payee, price(fact, seat, payee, ask.number(by), ask), by=by)


def absolved(fact: Fact, outcome: Seen, ask: Ask) -> bool:
    """Whether an espagnolette is let off paying for the quinola with which he has broken a reversis."""
    return fact.player == outcome.espagnolette and WAIVED[ask.word("espagnolette.breaks.own-quinola")]


# ---- the end of the deal
def partie(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The partie, or talon, is paid to its winner."""
    if outcome.winner is None and fact.player == outcome.hero:
        yield Not("reversis", "partie.in-reversis", said=True)
    elif outcome.winner is None and outcome.hero is None and fact.player == fact.dealer:
        yield Not("barred", "barred.partie", said=True) if outcome.forfeited else Not("no-payee", "partie.winner")
    if outcome.winner in (None, fact.player) or fact.player is None:
        return
    share = eldest_share(outcome, ask)
    due = tuple(debts(fact, outcome, share, ask))
    if not due and not told_at_loser(fact, outcome, share):
        yield Not("another-pays", "partie.paid-by")
    for debt, bearers in due:
        yield from paid_for_partie(debt, bearers, fact, outcome, ask)


def debts(fact: Fact, outcome: Seen, share: str, ask: Ask) -> Iterator[tuple[int, tuple[Seat, ...]]]:
    """What a player owes for the partie, or talon, and who bears it; who led first may owe his own points instead."""
    debtor, also = DEBTORS[ask.word("partie.paid-by")](fact, outcome), ALSO_OWES[share](fact, outcome)
    if debtor:
        yield owed(fact, outcome, ask), (fact.player,) if also else BEARERS[share](fact, outcome)
    elif also:
        yield in_points(fact.points, ask), BEARERS[share](fact, outcome)


def paid_for_partie(debt: int, bearers: tuple[Seat, ...], fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """One debt, in equal parts if two bear it; the first pays the odd unit."""
    for i, seat in enumerate(bearers):
        part = (debt + len(bearers) - 1 - i) // len(bearers)
        if seat is not None and outcome.winner is not None:
            opposite = ask.number("partie.opposite") if facing(fact, seat, outcome.winner) else 1
            nothing = Not("nothing-owed", "partie.amount")
            yield from pay(seat, outcome.winner, Money(part * opposite)) if part else (nothing,)


def eldest_share(outcome: Seen, ask: Ask) -> str:
    """What part the player who led first has in the debt; none where there is a reversis."""
    return ask.word("partie.eldest-share") if outcome.hero is None else "none"


def told_at_loser(fact: Fact, outcome: Seen, share: str) -> bool:
    """Whether a player bears a part of the loser's debt, and pays it together with him."""
    if share == "none" or outcome.loser in (None, fact.player):
        return False
    return fact.player in BEARERS[share](replace(fact, player=outcome.loser), outcome)


def owed(fact: Fact, outcome: Seen, ask: Ask) -> int:
    """What is owed for the partie, or talon, before it is doubled or shared."""
    by = DEBT[ask.word("partie.amount")]
    if by == BY_AGREEMENT:
        return ask.number("partie.agreed-sum")
    return in_points(fact.points if by == BY_PAYER else outcome.talon_value, ask)


def in_points(points: int, ask: Ask) -> int:
    """What so many points cost."""
    ask("cards.points")
    return ask.number("partie.per-point") * points


def stake_by_tricks(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The stake goes to him whose tricks win it; where equals share it, what cannot be divided stays in it."""
    won = outcome.stake_winners
    if fact.player in won:
        yield from pay(POOL, fact.player, replace(STAKE, among=len(won)), "draw")
    elif not won and fact.player == fact.dealer:  # told once, at the dealer's
        yield no_tricks_won_it(outcome, ask)


def no_tricks_won_it(outcome: Seen, ask: Ask) -> Not:
    """Why nobody has won the stake by his tricks."""
    if not ask.words("stake.by-tricks"):
        return Not("nobody-pays", "stake.by-tricks")
    if outcome.hero is not None:
        drawn = outcome.made and REVERSIS_DRAWS[ask.word("reversis.stake")] == ALWAYS
        return Not("won-otherwise", "reversis.stake") if drawn else Not("reversis", "stake.by-tricks")
    if outcome.stake_won:  # by no reversis and by no tricks: so by the quinola
        return Not("won-otherwise", "quinola.thrown-off.stake")
    return Not("no-payee", "stake.by-tricks")


def refreshed(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Everybody puts in again after certain fates of the quinola."""
    when = ask.words("stake.refreshed.when")
    if not when:
        yield Not("nobody-pays", "stake.refreshed.when")
        return
    if not any(REFRESHED[w](fate(fact, outcome, ask)) for w in when):
        yield Not("not-then", "stake.refreshed.when", said=True)
        return
    if not REFRESHED_WHEN_WON[ask.word("stake.refreshed.unless-won")] and outcome.stake_won:
        yield Not("won-otherwise", "stake.refreshed.unless-won", said=True)
        return
    for seat in range(fact.seats):
        money = Money(ask.number("stake.refreshed.amount"))
        yield from pay(seat, POOL, money, "add", by="stake.refreshed.amount")


def fined(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A fault costs its author something, to the pool or to every other."""
    money = fine(f"{fact.manner}.fine", ask)
    if FINE_TO_POOL[ask.word(f"{fact.manner}.payee")]:
        laid = FINE_LAID[ask.word("revoke.fine-joined")] if fact.manner == "revoke" else "add"
        yield from pay(fact.player, POOL, money, laid, by=f"{fact.manner}.fine")
    else:
        for seat in range(fact.seats):
            if seat != fact.player:
                yield from pay(fact.player, seat, money, by=f"{fact.manner}.fine")


def fine(question: str, ask: Ask) -> Money:
    """What a fault costs: a sum, or so many times the stake."""
    answer = ask(question)
    return Money(answer) if isinstance(answer, int) else matched(ask).times(ask.table(question)["stakes"])


def misdealt(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """A misdeal that comes out too late is fined; if in time, the dealer may have to buy back his deal."""
    fault = fact.fault
    if fault is None:
        return
    ask("deal.again")
    if not IN_TIME[ask.word("misdeal.until")](fault):
        yield from pay(fact.player, POOL, fine("misdeal.late-fine", ask), "add", by="misdeal.late-fine")
    elif fault.redeemed and REDEEMABLE[ask.word("misdeal.cost")]:
        yield from pay(fact.player, POOL, Money(ask.number("misdeal.redemption")), "add", by="misdeal.redemption")
    else:
        ask("misdeal.cost")
        yield Not("nobody-pays", "misdeal.cost", said=True)


def dealt_again(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """Whatever else has the cards dealt again costs nothing."""
    ask("deal.again")
    if fact.manner == "card-turned-up":
        ask("deal.card-turned-up")
    yield Not("nobody-pays", "deal.again", said=True)


def fine_for(fact: Fact) -> Pays:
    """The rule by which a fault is paid for."""
    return misdealt if fact.manner == "misdeal" else fined


def fines_returned(fact: Fact, outcome: Seen, ask: Ask) -> Postings:
    """The maker of a reversis may get his fines back."""
    if not outcome.made or fact.player != outcome.hero:
        return
    back = FINES_RETURNED[ask.word("reversis.returns-fines")]
    for posting in payments(fine_for(fact), fact, outcome, ask):
        yield posting.back() if back else Not("stands", "reversis.returns-fines")


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
    *(Rule(f"{r.name}-returned", r.kinds, r.manners, returned(r.pays), True, True) for r in IN_PLAY),
    Rule("espagnolette-returns", ("ace", "quinola"), ("thrown-off",), espagnolette_returns, closing=True),
    Rule("espagnolette-returns-stake", ("quinola",), ("thrown-off",), espagnolette_returns_stake, closing=True),
    Rule("reversis-by-quinola", ("quinola",), (), reversis_by_quinola, True, True),
    Rule("breaking-quinola", ("quinola",), ("followed",), breaking_quinola, True, True),
    Rule("reversis-made", ("seat",), (), reversis_made, True, True),
    Rule("reversis-broken", ("seat",), (), reversis_broken, True, True),
    Rule("reversis-stake", ("seat",), (), reversis_stake, True, True),
    Rule("partie", ("seat",), (), partie),
    Rule("stake-by-tricks", ("seat",), (), stake_by_tricks),
    Rule("refreshed", ("quinola",), (), refreshed, closing=True),
    Rule("misdeal", ("fault",), ("misdeal",), misdealt),
    Rule("dealt-again", ("fault",), ("card-turned-up", "badly-shuffled", "incomplete-pack"), dealt_again),
    Rule("fine", ("fault",), FINED, fined),
    Rule("fine-returned", ("fault",), (*FINED, "misdeal"), fines_returned, True, True),
)
