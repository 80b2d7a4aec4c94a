"""Several deals in a row: what is put up for each, what each brings, and how every player stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeAlias

from engine.arguments import require_ruleset, require_seats
from engine.cards import parse_card_name
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.ask import Ask, name_other_quinolas, name_quinola
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.play import FIRST_LEADER
from engine.readings.meanings.stake import (
    ADDS_AGAIN,
    DEALER_ADDS_BESIDES,
    INCLUDED,
    MATCHED_SUM_NOTED,
    MOVES_UP,
    POOL_ACCOUNT,
    RENEWED_BY,
    RENEWED_SUM,
    RENEWED_WHEN,
    SHARED_OUT,
    SHORTFALL,
    TOGETHER,
    WAITING_ORDER,
)
from engine.session.state import PoolMemory, Session
from engine.settlement.ledger import Entry, Money, Posting, list_pool_operations
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.display import format_repr
from rulebook.model import Ruleset, Ruling, Silent
from rulebook.problems import NOWHERE, Problem, Where
from rulebook.suggestions import describe_type


@dataclass(frozen=True)
class Step:
    """One step of a session: first contributions, payments between deals, a deal, or the end."""

    kind: str  #: begin | between | deal | finish
    before: Session
    after: Session
    entries: tuple[Entry, ...] = ()  #: what passes besides the deal's own ledger
    #: questions without an answer, so that nothing was put up or shared out
    silent: tuple[Silent, ...] = field(default=(), compare=False)
    settled: Settled | None = None  #: the deal with its ledger
    asked: frozenset[str] = frozenset()  #: every question it has raised, also where nothing came of it

    def __repr__(self) -> str:
        return format_repr(self, f"{self.kind}: {self.settled or self.after!r}")

    def rulings(self, entry: Entry) -> tuple[Ruling, ...]:
        """The answers an entry rests on."""
        return tuple(self.before.ruleset.rulings[q] for q in entry.asked)


@dataclass(frozen=True)
class NotCounted:
    """A deal that is reported and not counted: its record contradicts the session, or the rules do not settle it."""

    deal: Deal
    session: Session
    problems: tuple[Problem, ...] = ()
    found: Refused | Unanswered | None = None

    def __repr__(self) -> str:
        why = "; ".join(problem.what for problem in self.problems) or repr(self.found)
        return format_repr(self, f"{self.deal.id}: {why}")


_Movement: TypeAlias = "tuple[Session, list[Posting]]"
Due: TypeAlias = Callable[[Session, Ask], _Movement]


# ---- what is put up before a deal
def _put_in_shares(session: Session, shares: Mapping[int, int], ask: Ask) -> _Movement:
    """Put each player's share to the stake, or have another make it good."""
    due = [(find_contributor(session, seat, ask), share) for seat, share in shares.items() if share]
    paid = [(seat, share) for seat, share in due if seat is not None]
    pool = replace(session.pool, stake=session.pool.stake + sum(share for _, share in paid))
    return replace(session, pool=pool), [Posting(seat, POOL_ACCOUNT, Money(share), "add") for seat, share in paid]


def find_contributor(session: Session, seat: int, ask: Ask) -> SeatOrNone:
    """Find who pays a player's contribution for the coming deal: another, or nobody, where the player did not."""
    if (session.deals + 1, seat) not in session.unpaid:
        return seat

    def eldest() -> int:
        return FIRST_LEADER[ask.word("play.first-leader")](session.dealer, len(session.seats))

    return SHORTFALL[ask.word("stake.shortfall")](seat, session.dealer, eldest)


def first_stake(session: Session, ask: Ask) -> _Movement:
    """Before the first deal everybody puts in, the dealer perhaps more than the others."""
    shares = shares_of(session, ask.number("stake.first.each"), session.dealer, ask.number("stake.first.dealer"))
    return _put_in_shares(replace(session, put_up="first"), shares, ask)


def shares_of(session: Session, each: int, dealer: SeatOrNone, dealers: int) -> dict[int, int]:
    """Return the share that each player puts in."""
    return {seat: dealers if seat == dealer else each for seat in range(len(session.seats))}


def counts_now(session: Session, ask: Ask) -> _Movement:
    """Add to the stake what the last deal did not count.

    It was contributed for that deal, and was not played for in it.
    """
    if not session.aside or counts_once(session, ask):
        return session, []
    ask("stake.dealer-included")  # the answer that had it laid aside
    pool = replace(session.pool, stake=session.pool.stake + session.aside)
    return replace(session, pool=pool, aside=0), [Posting(POOL_ACCOUNT, POOL_ACCOUNT, Money(session.aside), "put-up")]


def waiting_put_up(session: Session, ask: Ask) -> _Movement:
    """Put up what waits once the stake has been won: one sum after another, or all at once."""
    waiting = session.pool.waiting
    if not waiting or (session.pool.stake and not session.drawn):
        return session, []
    if session.pool.stake and MOVES_UP[ask.word("stake.after-winning")]:
        return session, []  # it has moved up already
    together = TOGETHER[ask.word("stake.waiting.together")]
    chosen = range(len(waiting)) if together else (WAITING_ORDER[ask.word("stake.waiting.order")](waiting),)
    # who has not laid his sum down yet does so now; what lies there only changes its place
    postings = [
        Posting(POOL_ACCOUNT if session.owed[i] is None else session.owed[i], POOL_ACCOUNT, Money(waiting[i]), "put-up")  # type: ignore[arg-type]
        for i in chosen
    ]
    rest = [i for i in range(len(waiting)) if i not in chosen]
    stake = session.pool.stake + sum(waiting[i] for i in chosen)
    pool = replace(session.pool, stake=stake, waiting=tuple(waiting[i] for i in rest))
    return replace(session, pool=pool, owed=tuple(session.owed[i] for i in rest)), postings


def _renew_stake(session: Session, ask: Ask) -> _Movement:
    """Have everybody put in again when nothing, or too little, is left to play for."""
    if not _is_stake_wanting(session, ask):
        return session, []
    by = RENEWED_BY[ask.word("stake.renewed.time")](session.last_dealer, session.dealer)
    full = shares_of(session, ask.number("stake.first.each"), by, ask.number("stake.renewed.dealer"))
    due = RENEWED_SUM[ask.word("stake.renewed.how")](
        sum(full.values()), lambda: ask.number("stake.first.total") - session.pool.stake
    )
    fresh = session.pool.stake == 0 and not session.pool.waiting
    pool = replace(session.pool, supplements_paid=session.pool.supplements_paid and not fresh)
    contained = "renewed" if by == session.dealer else ""
    return _put_in_shares(replace(session, pool=pool, put_up=contained), in_proportion(full, due, by), ask)


def _is_stake_wanting(session: Session, ask: Ask) -> bool:
    """Return whether so little is left to play for that everybody puts in again."""
    empty = session.pool.stake == 0 and not session.pool.waiting
    try:
        states = ask.words("stake.renewed.when")
    except Silent:
        if empty:
            raise
        return False  # as long as something lies there, nobody will ask what these rules do not tell
    return any(RENEWED_WHEN[state](empty, session.pool, lambda: ask.number("stake.first.total")) for state in states)


def in_proportion(full: Mapping[int, int], due: int, dealer: SeatOrNone) -> dict[int, int]:
    """A sum laid together in proportion to full shares; the dealer, who gives most, gives what cannot be divided."""
    total = sum(full.values())
    shares = {seat: share * due // total if total else 0 for seat, share in full.items()}
    odd = due - sum(shares.values()) if total else 0
    return {seat: share + (odd if seat == dealer else 0) for seat, share in shares.items()}


def counts_once(session: Session, ask: Ask) -> bool:
    """Return whether the dealer's contribution to a void deal stands for the one that the same player deals now."""
    return session.again and not ADDS_AGAIN[ask.word("stake.dealer-adds-again")]


def dealer_adds(session: Session, ask: Ask) -> _Movement:
    """The dealer adds his own contribution to the stake, unless his share of a new one contains it."""
    amount = ask.number("stake.dealer-adds")
    if not amount or session.put_up == "renewed":  # what he puts in at a renewal is told with all he owes
        return session, []
    if counts_once(session, ask):
        return session, []
    if session.put_up == "first" and not DEALER_ADDS_BESIDES[ask.word("stake.dealer-in-first")]:
        return session, []
    if INCLUDED[ask.word("stake.dealer-included")]:
        return _put_in_shares(session, {session.dealer: amount}, ask)
    payer = find_contributor(session, session.dealer, ask)
    if payer is None:
        return session, []
    return replace(session, aside=session.aside + amount), [Posting(payer, POOL_ACCOUNT, Money(amount), "aside")]


# ---- after a deal, and at the parting
def _make_noting_rule(settled: Settled) -> Due:
    """Make the rule for the sums that a deal has laid beside the stake."""

    def noted(session: Session, ask: Ask) -> _Movement:
        """A sum that matches the stake may stay in its maker's purse until its turn comes."""
        makers = just_made(settled, ask.card)
        if not makers or not MATCHED_SUM_NOTED[ask.word("stake.matched-when")]:
            return session, []
        owed = tuple(makers.get(i, who) for i, who in enumerate(session.owed))
        postings = [
            Posting(POOL_ACCOUNT, maker, Money(session.pool.waiting[i]), "noted") for i, maker in makers.items()
        ]
        return replace(session, owed=owed), postings

    return noted


def shared_out(session: Session, ask: Ask) -> _Movement:
    """Share out what nobody has won when the company parts; what cannot be divided stays."""
    if not session.laid or not SHARED_OUT[ask.word("session.pool-left")]:
        return session, []
    each, left = divmod(session.laid, len(session.seats))
    postings = [Posting(POOL_ACCOUNT, seat, Money(each), "draw") for seat in range(len(session.seats)) if each]
    return replace(session, pool=Pool(left), owed=(), aside=0), postings


#: The rules between deals, in the order in which they are followed; the table of contents.
BEGIN: Mapping[str, Due] = {"first-stake": first_stake, "dealer-adds": dealer_adds}
BETWEEN_RULES: Mapping[str, Due] = {
    "contribution-counts": counts_now,
    "waiting-put-up": waiting_put_up,
    "stake-renewed": _renew_stake,
    "dealer-adds": dealer_adds,
}
FINISH: Mapping[str, Due] = {"shared-out": shared_out}


def _follow_rules(kind: str, rules: Mapping[str, Due], session: Session) -> Step:
    """Follow some rules in their order.

    The step has the entries with what they rest on, and where the ruleset is silent.
    """
    before, entries, silences = session, list[Entry](), dict[str, Silent]()
    first = Ask(session.ruleset)
    for name, card in product(rules, session.cards):
        ask = first.about(card)
        try:
            seen, postings = rules[name](session.about(card), ask)
        except Silent as silent:
            silences[str(silent)] = silent
            continue
        session = session.with_changes(card, seen)
        session = replace(session, accounts=_apply_postings(session.accounts, postings))
        if postings:
            card_postings = tuple(replace(posting, pool=card) for posting in postings)
            entries.append(Entry(name, fact_of(session, kind, card), name, card_postings, ask.asked))
    raised = first.raised | {silent.question for silent in silences.values()}
    return Step(kind, before, session, tuple(entries), tuple(silences.values()), asked=raised)


def fact_of(session: Session, kind: str, card: str = "") -> Fact:
    """Make the fact of a movement between deals.

    It is of the session, not of any trick; `card` is the further privileged card whose pool it concerns.
    """
    fact = Fact("session", len(session.seats), session.dealer, session.dealer, 0, manner=kind)
    if not card:
        return replace(fact, called=name_quinola(session.ruleset))
    return replace(fact, card=parse_card_name(card), called=name_other_quinolas(session.ruleset)[card], further=True)


def _apply_postings(accounts: tuple[int, ...], postings: Iterable[Posting]) -> tuple[int, ...]:
    """Return the accounts when counters have passed."""
    standing = list(accounts)
    for posting in postings:
        for account, sign in ((posting.payer, -1), (posting.payee, 1)):
            if isinstance(account, int):
                standing[account] += sign * posting.money.plain
    return tuple(standing)


# ---- the steps
def begin(ruleset: Ruleset, seats: Sequence[str], dealer: int, unpaid: Iterable[tuple[int, int]] = ()) -> Step:
    """Begin a session: everybody puts in for the first deal; the dealer is the number of a seat, from 0.

    `unpaid` says who does not put in what is due, and for which deal: (2, 0) is the first seat, for the second deal.
    """
    require_ruleset(ruleset)
    require_seats(seats, dealer)
    cards = name_other_quinolas(ruleset)
    pool, memories = Pool().with_pools(cards), (PoolMemory(),) * len(cards)
    empty = Session(ruleset, tuple(seats), dealer, (0,) * len(seats), pool, memories=memories, unpaid=tuple(unpaid))
    step = _follow_rules("begin", BEGIN, empty)
    return replace(step, after=replace(step.after, ready=True))


def give_own_pool(deal: Deal, ruleset: Ruleset) -> Deal:
    """The deal with the pool that its players have put in by these rules, as the first one that they play."""
    return replace(deal, pools={"": begin(ruleset, deal.seats, deal.dealer).after.pool})


def prepare_next_deal(session: Session) -> Step:
    """Put up, renew and contribute what is due for the coming deal."""
    step = _follow_rules("between", BETWEEN_RULES, session)
    return replace(step, after=replace(step.after, ready=True))


def play_next_deal(
    session: Session, deal: Deal, where: Where = NOWHERE, tolerate: Collection[str] = ()
) -> Step | NotCounted:
    """Settle one deal with the pool that lies there, or say why it is not counted; `tolerate` as in `settle`."""
    problems = tuple(_find_contradictions(session, deal, where))
    if problems:
        return NotCounted(deal, session, problems)
    result = settle(replace(deal, pools={"": session.pool}), session.ruleset, tolerate)
    if not isinstance(result, Settled):
        return NotCounted(deal, session, found=result)
    if result.outcome.next_dealer is None:
        return NotCounted(deal, session, (_reject_fragment(deal, where),))
    noted = {"matched-sum-noted": _make_noting_rule(result)}
    step = _follow_rules("deal", noted, _carry_over_deal(session, result))
    return replace(step, before=session, settled=result, asked=step.asked | result.asked)


def _carry_over_deal(session: Session, settled: Settled) -> Session:
    """Return the session with what a deal has brought."""
    accounts = tuple(account + settled.net[seat] for seat, account in enumerate(session.accounts))
    for card in session.cards:
        session = session.with_changes(card, _carry_over_pool(session.about(card), settled, card))
    return replace(
        session,
        accounts=accounts,
        dealer=settled.outcome.next_dealer if settled.outcome.next_dealer is not None else session.dealer,
        last_dealer=session.dealer,
        again=settled.outcome.void and settled.outcome.next_dealer == session.dealer,
        ready=False,
        deals=session.deals + 1,
    )


def _carry_over_pool(session: Session, settled: Settled, card: str) -> Session:
    """Return what a deal has made of the pool of one privileged card."""
    postings, after = [p for e in settled.entries for p in e.postings], settled.pool.of(card)
    return replace(
        session,
        pool=Pool(after.stake, after.waiting, session.pool.supplements_paid or supplement_paid(settled, card)),
        owed=_carry_over_owed(session, after.waiting),
        drawn="draw" in [operation for operation, _ in list_pool_operations(postings, settled.before, card)],
        put_up="",
    )


def just_made(settled: Settled, card: str = "") -> dict[int, int]:
    """The sums that a deal has laid beside the stake, by their places among those that wait, and who has made each."""
    times: Counter[int] = Counter()
    for posting in (p for e in settled.entries for p in e.postings if (p.operation, p.pool) == ("wait", card)):
        maker = posting.payee if posting.undoes else posting.payer
        if isinstance(maker, int) and posting.counted(settled.before):
            times[maker] += -1 if posting.undoes else 1
    makers = list(times.elements())
    last = len(settled.pool.of(card).waiting)
    return dict(enumerate(makers, last - len(makers)))


def _carry_over_owed(session: Session, waiting: Sequence[int]) -> tuple[SeatOrNone, ...]:
    """Return who has still to lay down each waiting sum, older ones first."""
    known = session.owed[: len(waiting)]
    return (*known, *[None] * (len(waiting) - len(known)))


def supplement_paid(settled: Settled, card: str = "") -> bool:
    """Return whether a supplement was paid into the pool of a privileged card.

    What a losing espagnolette gives back is none, though it lies as one.
    """
    paid = [p for e in settled.entries if e.rule != GIVEN_BACK for p in e.postings]
    supplements = [p for p in paid if (p.operation, p.pool) == ("supplement", card)]
    return sum(-1 if p.undoes else 1 for p in supplements if p.counted(settled.before)) > 0


GIVEN_BACK = "espagnolette-returns-stake"


def finish(session: Session) -> Step:
    """End a session."""
    return _follow_rules("finish", FINISH, session)


# ---- what a record may not say
def _find_contradictions(session: Session, deal: Deal, where: Where) -> Iterator[Problem]:
    """Find where a deal contradicts the session's table, dealer and pool.

    A record may leave out the pool.
    """
    if deal.seats != session.seats:
        yield where.problem(
            f"{deal.id} seats {', '.join(deal.seats)}; in this session sit {', '.join(session.seats)}",
            "a session has the same players in the same places from first to last",
        )
        return
    if deal.dealer != session.dealer:
        due = session.seats[session.dealer]
        what = f"{deal.id} has {deal.seats[deal.dealer]} deal; in this session it is {due}'s turn"
        yield where.problem(what, f"write dealer: {due}, or turn the table (--turn)")
    pool = deal.pool(session.ruleset.source)
    pool = pool.with_pools(session.cards[1:])
    if _list_sums(pool) not in (_list_sums(Pool().with_pools(session.cards[1:])), _list_sums(session.pool)):
        what = (
            f"{deal.id} is played for {_describe_pool(pool)}; in this session there lies {_describe_pool(session.pool)}"
        )
        yield where.problem(what, "leave out pool: the session carries it on; or turn the table (--turn)")


def _list_sums(pool: Pool) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return ((pool.stake, pool.waiting), *((other.stake, other.waiting) for _, other in pool.others))


def _describe_pool(pool: Pool) -> str:
    """Describe a pool in few words."""
    waiting = f", and beside it {', '.join(map(str, pool.waiting))}" if pool.waiting else ""
    paid = ", a supplement having been paid" if pool.supplements_paid else ""
    others = (f"; for {card} {_describe_pool(other)}" for card, other in pool.others)
    return f"a stake of {pool.stake}{waiting}{paid}{''.join(others)}"


def _reject_fragment(deal: Deal, where: Where) -> Problem:
    """Report that a fragment cannot be part of a session."""
    return where.problem(
        f"{deal.id} is a fragment, and does not tell who deals next", "give all its tricks, or leave it out"
    )


def turn_deal(deal: Deal, session: Session) -> Deal:
    """Turn a deal from elsewhere so that it is played at this table.

    Its dealer sits where the next dealer sits; its pool stays.
    """
    n = len(session.seats)
    if len(deal.seats) != n:
        return deal
    by = session.dealer - deal.dealer

    def at(seat: int) -> int:
        return (seat + by) % n

    def by_turn(seat: SeatOrNone) -> SeatOrNone:
        return None if seat is None else at(seat)

    return replace(
        deal,
        seats=session.seats,
        dealer=session.dealer,
        hands=tuple(deal.hands[(seat - by) % n] for seat in range(n)),
        pools={},
        exchange=tuple(replace(exchange, seat=at(exchange.seat)) for exchange in deal.exchange),
        gifts=tuple(replace(gift, seat=at(gift.seat), to=at(gift.to)) for gift in deal.gifts),
        announced=tuple(replace(announcement, seat=at(announcement.seat)) for announcement in deal.announced),
        faults=tuple(replace(fault, seat=at(fault.seat), directed=by_turn(fault.directed)) for fault in deal.faults),
    )


# ---- all of it
def steps(
    first: Step, deals: Iterable[Deal], turn: bool = False, as_played: bool = False, tolerate: Collection[str] = ()
) -> Iterator[Step | NotCounted]:
    """Continue a session that has begun, deal by deal.

    As played by another source each deal keeps its dealer, whoever is due, and has the pool that lies here.
    """
    if not isinstance(first, Step):
        call = "steps(begin(ruleset, deal.seats, deal.dealer), deals)"
        raise TypeError(f"{describe_type(first)} begins no session: {call}")
    session = first.after
    yield first
    for deal in deals:
        if as_played:
            deal, session = replace(deal, pools={}), replace(session, dealer=deal.dealer)
        if not session.ready:
            step = prepare_next_deal(session)
            session = step.after
            yield step
        result = play_next_deal(session, turn_deal(deal, session) if turn else deal, Where(deal.id), tolerate)
        session = result.after if isinstance(result, Step) else session
        yield result
    yield finish(session)


__all__ = [
    "NotCounted",
    "Session",
    "Step",
    "begin",
    "finish",
    "give_own_pool",
    "play_next_deal",
    "prepare_next_deal",
    "steps",
    "turn_deal",
]
