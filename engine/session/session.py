"""Several deals in a row: what is put up for each, what each brings, and how every player stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.ask import Ask
from engine.readings.meanings.outcome import Seat
from engine.readings.meanings.stake import (
    BESIDES,
    INCLUDED,
    MOVES_UP,
    NOTED,
    POOL,
    RENEWED_BY,
    RENEWED_SUM,
    RENEWED_WHEN,
    SHARED_OUT,
    TOGETHER,
    WAITING_ORDER,
)
from engine.settlement.ledger import Entry, Money, Posting, operations
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Ruleset, Ruling, Silent
from rulebook.problems import NOWHERE, Problem, Where


@dataclass(frozen=True)
class Session:
    """How a company stands between two movements of counters."""

    ruleset: Ruleset
    seats: tuple[str, ...]  #: in order of play
    dealer: int  #: whose deal it is
    accounts: tuple[int, ...]  #: what each player has won or lost so far, all contributions counted
    pool: Pool
    owed: tuple[Seat, ...] = ()  #: for each waiting sum, who has still to lay it down; nobody where it lies there
    aside: int = 0  #: what was contributed for this deal and counts from the next one
    last_dealer: Seat = None  #: who dealt before; nobody before the first deal
    drawn: bool = False  #: the stake was won in the last deal
    put_up: str = ""  #: whether everybody has put in for the coming deal: first, renewed, or not
    ready: bool = False  #: the contributions for the coming deal have been made
    deals: int = 0  #: how many deals have been played

    @property
    def laid(self) -> int:
        """All the counters that lie on the table."""
        waiting = sum(w for w, who in zip(self.pool.waiting, self.owed, strict=True) if who is None)
        return self.pool.stake + waiting + self.aside

    @property
    def balance(self) -> int:
        """All accounts with the pool; anything but nought would be a counter lost or found."""
        return sum(self.accounts) + self.laid


@dataclass(frozen=True, slots=True)
class Silence:
    """A question on which the rules say nothing, so that nothing was put up or shared out."""

    question: str
    reason: str
    words: str

    def __str__(self) -> str:
        """The silence, as it is told."""
        return self.words


@dataclass(frozen=True)
class Step:
    """One step of a session: first contributions, what passes between two deals, a deal, the parting."""

    kind: str  #: begin | between | deal | finish
    before: Session
    after: Session
    entries: tuple[Entry, ...] = ()  #: what passes besides the deal's own ledger
    silent: tuple[Silence, ...] = ()
    settled: Settled | None = None  #: the deal with its ledger
    asked: frozenset[str] = frozenset()  #: every question it has raised, also where nothing came of it

    def rulings(self, entry: Entry) -> tuple[Ruling, ...]:
        """The answers an entry rests on."""
        return tuple(self.before.ruleset.rulings[q] for q in entry.asked)


@dataclass(frozen=True)
class NotCounted:
    """A deal that is told and not counted: its record contradicts the session, or the rules do not settle it."""

    deal: Deal
    session: Session
    problems: tuple[Problem, ...] = ()
    found: Refused | Unanswered | None = None


Found: TypeAlias = "tuple[Session, list[Posting]]"
Due: TypeAlias = Callable[[Session, Ask], Found]


# ---- what is put up before a deal
def put_in(session: Session, shares: Mapping[int, int]) -> Found:
    """Each player puts his share to the stake."""
    postings = [Posting(seat, POOL, Money(share), "add") for seat, share in shares.items() if share]
    pool = replace(session.pool, stake=session.pool.stake + sum(shares.values()))
    return replace(session, pool=pool), postings


def first_stake(session: Session, ask: Ask) -> Found:
    """Before the first deal everybody puts in, the dealer perhaps more than the others."""
    shares = shares_of(session, ask.number("stake.first.each"), session.dealer, ask.number("stake.first.dealer"))
    return put_in(replace(session, put_up="first"), shares)


def shares_of(session: Session, each: int, dealer: Seat, dealers: int) -> dict[int, int]:
    """What each player puts in."""
    return {seat: dealers if seat == dealer else each for seat in range(len(session.seats))}


def counts_now(session: Session, ask: Ask) -> Found:
    """What was contributed for the last deal, and was not played for in it, joins the stake."""
    if not session.aside:
        return session, []
    ask("stake.dealer-included")  # the answer that had it laid aside
    pool = replace(session.pool, stake=session.pool.stake + session.aside)
    return replace(session, pool=pool, aside=0), [Posting(POOL, POOL, Money(session.aside), "put-up")]


def waiting_put_up(session: Session, ask: Ask) -> Found:
    """When the stake has been won, what waits is put up: one sum after another, or all at once."""
    waiting = session.pool.waiting
    if not waiting or (session.pool.stake and not session.drawn):
        return session, []
    if session.pool.stake and MOVES_UP[ask.word("stake.after-winning")]:
        return session, []  # it has moved up already
    together = TOGETHER[ask.word("stake.waiting.together")]
    chosen = range(len(waiting)) if together else (WAITING_ORDER[ask.word("stake.waiting.order")](waiting),)
    # who has not laid his sum down yet does so now; what lies there only changes its place
    postings = [
        Posting(POOL if session.owed[i] is None else session.owed[i], POOL, Money(waiting[i]), "put-up")  # type: ignore[arg-type]
        for i in chosen
    ]
    rest = [i for i in range(len(waiting)) if i not in chosen]
    stake = session.pool.stake + sum(waiting[i] for i in chosen)
    pool = replace(session.pool, stake=stake, waiting=tuple(waiting[i] for i in rest))
    return replace(session, pool=pool, owed=tuple(session.owed[i] for i in rest)), postings


def renewed(session: Session, ask: Ask) -> Found:
    """When nothing, or too little, is left to be played for, everybody puts in again."""
    if not wanting(session, ask):
        return session, []
    by = RENEWED_BY[ask.word("stake.renewed.time")](session.last_dealer, session.dealer)
    full = shares_of(session, ask.number("stake.first.each"), by, ask.number("stake.renewed.dealer"))
    due = RENEWED_SUM[ask.word("stake.renewed.how")](
        sum(full.values()), lambda: ask.number("stake.first.total") - session.pool.stake
    )
    fresh = session.pool.stake == 0 and not session.pool.waiting
    pool = replace(session.pool, supplements_paid=session.pool.supplements_paid and not fresh)
    contained = "renewed" if by == session.dealer else ""
    return put_in(replace(session, pool=pool, put_up=contained), in_proportion(full, due, by))


def wanting(session: Session, ask: Ask) -> bool:
    """Whether so little is left to be played for that everybody puts in again."""
    empty = session.pool.stake == 0 and not session.pool.waiting
    try:
        states = ask.words("stake.renewed.when")
    except Silent:
        if empty:
            raise
        return False  # as long as something lies there, nobody will ask what these rules do not tell
    return any(RENEWED_WHEN[state](empty, session.pool, lambda: ask.number("stake.first.total")) for state in states)


def in_proportion(full: Mapping[int, int], due: int, dealer: Seat) -> dict[int, int]:
    """A sum laid together in proportion to full shares; the dealer, who gives most, gives what cannot be divided."""
    total = sum(full.values())
    shares = {seat: share * due // total if total else 0 for seat, share in full.items()}
    odd = due - sum(shares.values()) if total else 0
    return {seat: share + (odd if seat == dealer else 0) for seat, share in shares.items()}


def dealer_adds(session: Session, ask: Ask) -> Found:
    """The dealer adds his own contribution to the stake, unless his share of a new one contains it."""
    amount = ask.number("stake.dealer-adds")
    if not amount or session.put_up == "renewed":  # what he puts in at a renewal is told with all he owes
        return session, []
    if session.put_up == "first" and not BESIDES[ask.word("stake.dealer-in-first")]:
        return session, []
    if INCLUDED[ask.word("stake.dealer-included")]:
        return put_in(session, {session.dealer: amount})
    posting = Posting(session.dealer, POOL, Money(amount), "aside")
    return replace(session, aside=session.aside + amount), [posting]


# ---- after a deal, and at the parting
def noting(made: Mapping[int, int]) -> Due:
    """The rule for sums just made: place among those that wait -> who has made it."""

    def noted(session: Session, ask: Ask) -> Found:
        """A sum that matches the stake may stay in its maker's purse until its turn comes."""
        if not made or not NOTED[ask.word("stake.matched-when")]:
            return session, []
        owed = tuple(made.get(i, who) for i, who in enumerate(session.owed))
        postings = [Posting(POOL, maker, Money(session.pool.waiting[i]), "noted") for i, maker in made.items()]
        return replace(session, owed=owed), postings

    return noted


def shared_out(session: Session, ask: Ask) -> Found:
    """When the company parts, what nobody has won may be shared out; what cannot be divided stays."""
    if not session.laid or not SHARED_OUT[ask.word("session.pool-left")]:
        return session, []
    each, left = divmod(session.laid, len(session.seats))
    postings = [Posting(POOL, seat, Money(each), "draw") for seat in range(len(session.seats)) if each]
    return replace(session, pool=Pool(left), owed=(), aside=0), postings


#: The rules between deals, in the order in which they are followed; the table of contents.
BEGIN: Mapping[str, Due] = {"first-stake": first_stake, "dealer-adds": dealer_adds}
BETWEEN: Mapping[str, Due] = {
    "contribution-counts": counts_now,
    "waiting-put-up": waiting_put_up,
    "stake-renewed": renewed,
    "dealer-adds": dealer_adds,
}
FINISH: Mapping[str, Due] = {"shared-out": shared_out}


def follow(kind: str, rules: Mapping[str, Due], session: Session) -> Step:
    """Follow some rules in their order: the entries with what they rest on, and where the ruleset is silent."""
    before, entries, silences = session, list[Entry](), list[Silence]()
    first = Ask(session.ruleset)
    for name, due in rules.items():
        ask = first.fresh()
        try:
            session, postings = due(session, ask)
        except Silent as silent:
            silences.append(Silence(silent.question, silent.reason, str(silent)))
            continue
        session = replace(session, accounts=paid(session.accounts, postings))
        if postings:
            entries.append(Entry(name, fact_of(session, kind), name, tuple(postings), ask.asked))
    raised = first.raised | {silent.question for silent in silences}
    return Step(kind, before, session, tuple(entries), tuple(silences), asked=raised)


def fact_of(session: Session, kind: str) -> Fact:
    """What a movement between deals falls under: it is of the session, not of any trick."""
    return Fact("session", len(session.seats), session.dealer, session.dealer, 0, manner=kind)


def paid(accounts: tuple[int, ...], postings: Iterable[Posting]) -> tuple[int, ...]:
    """The accounts when counters have passed."""
    standing = list(accounts)
    for posting in postings:
        for account, sign in ((posting.payer, -1), (posting.payee, 1)):
            if isinstance(account, int):
                standing[account] += sign * posting.money.plain
    return tuple(standing)


# ---- the steps
def begin(ruleset: Ruleset, seats: tuple[str, ...], dealer: int) -> Step:
    """The company sits down, and everybody puts in for the first deal."""
    step = follow("begin", BEGIN, Session(ruleset, seats, dealer, (0,) * len(seats), Pool()))
    return replace(step, after=replace(step.after, ready=True))


def between(session: Session) -> Step:
    """What is put up, renewed and contributed for the coming deal."""
    step = follow("between", BETWEEN, session)
    return replace(step, after=replace(step.after, ready=True))


def play(session: Session, deal: Deal, where: Where = NOWHERE) -> Step | NotCounted:
    """One deal, settled with the pool that lies there; or why it is not counted."""
    problems = tuple(contradictions(session, deal, where))
    if problems:
        return NotCounted(deal, session, problems)
    found = settle(replace(deal, pools={"": session.pool}), session.ruleset)
    if not isinstance(found, Settled):
        return NotCounted(deal, session, found=found)
    if found.outcome.next_dealer is None:
        return NotCounted(deal, session, (unfinished(deal, where),))
    step = follow("deal", {"matched-sum-noted": noting(just_made(found))}, carried(session, found))
    return replace(step, before=session, settled=found, asked=step.asked | found.asked)


def carried(session: Session, settled: Settled) -> Session:
    """The session with what a deal has brought."""
    accounts = tuple(account + settled.net[seat] for seat, account in enumerate(session.accounts))
    done = [operation for operation, _ in operations([p for e in settled.entries for p in e.postings], settled.before)]
    paid_one = session.pool.supplements_paid or supplement_paid(settled)
    return replace(
        session,
        accounts=accounts,
        pool=Pool(settled.pool.stake, settled.pool.waiting, paid_one),
        owed=owing(session, settled.pool.waiting),
        dealer=settled.outcome.next_dealer if settled.outcome.next_dealer is not None else session.dealer,
        last_dealer=session.dealer,
        drawn="draw" in done,
        put_up="",
        ready=False,
        deals=session.deals + 1,
    )


def just_made(settled: Settled) -> dict[int, int]:
    """The sums that a deal has laid beside the stake, by their places among those that wait, and who has made each."""
    times: Counter[int] = Counter()
    for posting in (p for e in settled.entries for p in e.postings if p.operation == "wait"):
        maker = posting.payee if posting.undoes else posting.payer
        if isinstance(maker, int) and posting.money.counted(settled.before):
            times[maker] += -1 if posting.undoes else 1
    makers = list(times.elements())
    last = len(settled.pool.waiting)
    return dict(enumerate(makers, last - len(makers)))


def owing(session: Session, waiting: Sequence[int]) -> tuple[Seat, ...]:
    """Who has still to lay down each waiting sum, older ones first."""
    known = session.owed[: len(waiting)]
    return (*known, *[None] * (len(waiting) - len(known)))


def supplement_paid(settled: Settled) -> bool:
    """Whether a supplement was paid; what a losing espagnolette gives back is none, though it lies as one."""
    found = [p for e in settled.entries if e.rule != GIVEN_BACK for p in e.postings if p.operation == "supplement"]
    return sum(-1 if p.undoes else 1 for p in found if p.money.counted(settled.before)) > 0


GIVEN_BACK = "espagnolette-returns-stake"


def finish(session: Session) -> Step:
    """The company parts."""
    return follow("finish", FINISH, session)


# ---- what a record may not say
def contradictions(session: Session, deal: Deal, where: Where) -> Iterator[Problem]:
    """A deal of a session has the session's table, dealer and pool; a record may leave out the pool."""
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
    if (pool.stake, pool.waiting) not in ((0, ()), (session.pool.stake, session.pool.waiting)):
        what = f"{deal.id} is played for {written(pool)}; in this session there lies {written(session.pool)}"
        yield where.problem(what, "leave out pool: the session carries it on; or turn the table (--turn)")


def written(pool: Pool) -> str:
    """A pool in few words."""
    waiting = f", and beside it {', '.join(map(str, pool.waiting))}" if pool.waiting else ""
    return f"a stake of {pool.stake}{waiting}" + (", a supplement having been paid" if pool.supplements_paid else "")


def unfinished(deal: Deal, where: Where) -> Problem:
    """A fragment cannot be part of a session."""
    return where.problem(
        f"{deal.id} is a fragment, and does not tell who deals next", "give all its tricks, or leave it out"
    )


def turned(deal: Deal, session: Session) -> Deal:
    """A deal from elsewhere as if played at this table: its dealer sits where the next dealer sits; its pool stays."""
    n = len(session.seats)
    if len(deal.seats) != n:
        return deal
    by = session.dealer - deal.dealer

    def at(seat: int) -> int:
        return (seat + by) % n

    return replace(
        deal,
        seats=session.seats,
        dealer=session.dealer,
        hands=tuple(deal.hands[(seat - by) % n] for seat in range(n)),
        pools={},
        exchange=tuple(replace(one, seat=at(one.seat)) for one in deal.exchange),
        announced=tuple(replace(one, seat=at(one.seat)) for one in deal.announced),
        faults=tuple(replace(one, seat=at(one.seat)) for one in deal.faults),
    )


# ---- all of it
def steps(first: Step, deals: Iterable[Deal], turn: bool = False) -> Iterator[Step | NotCounted]:
    """A session from first to last, begun already: a fold over its deals."""
    session = first.after
    yield first
    for deal in deals:
        if not session.ready:
            step = between(session)
            session = step.after
            yield step
        one = play(session, turned(deal, session) if turn else deal, Where(deal.id))
        session = one.after if isinstance(one, Step) else session
        yield one
    yield finish(session)


__all__ = ["NotCounted", "Session", "Silence", "Step", "begin", "between", "finish", "play", "steps", "turned"]
