"""The ledger of a deal by the rules of one book: every line names the answers on which it rests.

Four ways of settling are known, as `pool.taker` tells them. A question that the deal raises and the book does not
answer ends the settlement: the deal is then silent, and nobody has won or lost anything, not even nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from edition.corpus.corpus import Corpus
from hearts_game.deals import Deal, ExpectedRecord, PoolRecord, read_library_deal, resolve_named
from hearts_game.replay import Refusal, Replay, Trick, find_meaning, replay_deal
from rulebook.ask import Asker, UnplayedAnswer
from rulebook.cited_clauses import CitingLine
from rulebook.model import Ruleset, Ruling, Silent
from rulebook.phrases import format_count, join_names
from rulebook.problems import Problem

POOL, EMPTY_POOL = "pool", PoolRecord()
Taken = Mapping[str, int]


class Payment(NamedTuple):
    """Counters that pass from one account to another: a player's, or the pool."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True, slots=True)
class LedgerLine(CitingLine):
    """Line of a ledger: what happened, who pays whom, and the answers on which that rests."""

    step: str  #: the number of a trick, or end
    event: str
    postings: tuple[Payment, ...]
    rulings: tuple[Ruling, ...]

    card = card_event = ""  # no line is about a single card

    @property
    def key(self) -> tuple[str, str]:
        """What it is about, the same by every source: the pool, or what happened."""
        about_pool = any(payment.payer == POOL for payment in self.postings)
        return self.step, "The pool" if about_pool else self.event


@dataclass(slots=True)
class Settlement:
    """What a deal comes to by one ruleset; settled only if it is neither silent nor refused."""

    deal: Deal
    ruleset: Ruleset
    replay: Replay
    lines: list[LedgerLine] = field(default_factory=list)
    pool: PoolRecord = EMPTY_POOL
    open: list[str] = field(default_factory=list)  #: what the book leaves open without stopping anybody
    silent: Silent | None = None

    @property
    def state(self) -> str:
        """State: settled, refused or silent."""
        return "silent" if self.silent else "refused" if self.refusals else "settled"

    @property
    def refusals(self) -> list[Refusal]:
        """What the book does not allow."""
        return self.replay.refusals

    @property
    def tricks(self) -> list[Trick]:
        """The tricks, as far as the book says who takes them."""
        return self.replay.tricks

    @property
    def net(self) -> dict[str, int]:
        """What each account has won or lost."""
        net = dict.fromkeys((*self.deal.seats, POOL), 0)
        for payment in (payment for line in self.lines for payment in line.postings):
            net[payment.payer] -= payment.amount
            net[payment.payee] += payment.amount
        return net

    def note(self, step: str, event: str, asked: Iterable[str], payments: Iterable[Payment] = ()) -> None:
        """Write a line of the ledger."""
        rulings = tuple(self.ruleset.rulings[question] for question in dict.fromkeys(asked))
        self.lines.append(LedgerLine(step, event, tuple(payments), rulings))


def settle_deal(deal: Deal, ruleset: Ruleset) -> Settlement:
    """Settle a deal by a ruleset; what it does not allow or does not say is part of the result."""
    replay = Replay(deal, ruleset)
    try:
        replay = replay_deal(deal, ruleset)
        settlement = Settlement(deal, ruleset, replay)
        if not replay.refusals:
            _note_tricks(settlement)
            find_meaning(Asker(ruleset), "pool.taker", WAYS)(settlement, replay.taken)
    except Silent as silent:
        return Settlement(deal, ruleset, replay, silent=silent)
    return settlement


def _note_tricks(settlement: Settlement) -> None:
    for trick in settlement.tricks:
        if trick.hearts:
            event = f"{trick.taker} takes {format_count(trick.hearts, 'heart')}"
            settlement.note(str(trick.number), event, trick.asked)


# ---- what the hearts cost
def _find_price(ask: Asker, deal: Deal) -> int:
    if ask.word("heart.price") == "agreed" and deal.price is None:
        reason = "the deal names no price; `price` in its record would"
        raise UnplayedAnswer("heart.price", ask.ruleset.name, "agreed", reason)
    return find_meaning(ask, "heart.price", {"one": 1, "agreed": deal.price or 1})


def _pay_for_hearts(settlement: Settlement, taken: Taken, price: int, asked: Iterable[str]) -> int:
    """Note what each player pays into the pool, and return the sum."""
    asked = (*asked,)
    for seat, hearts in taken.items():
        if hearts:
            event = f"{seat} has taken {format_count(hearts, 'heart')}"
            settlement.note("end", event, asked, [Payment(seat, POOL, hearts * price)] if price else ())
    return price * sum(taken.values())


# ---- the pool to those without a heart, or with the fewest
def list_clear(taken: Taken) -> list[str]:
    """List the players without a heart."""
    return [seat for seat, hearts in taken.items() if not hearts]


def list_fewest(taken: Taken) -> list[str]:
    """List the players with the fewest hearts."""
    return [seat for seat, hearts in taken.items() if hearts == min(taken.values())]


class Division(NamedTuple):
    """What a reading does with a pool: who takes it, what becomes of a rest, and of how many players it is said."""

    find_takers: Callable[[Taken], list[str]]
    odd_stays: bool = False  #: Whether an odd counter is provided for.
    is_jack: bool = True  #: Whether a pool that nobody takes is a Jack.
    players: range = range(3, 7)


STAYS = Division(lambda taken: [])
DIVISIONS: Mapping[str, Division] = {
    "takes-all": Division(list_clear),
    "divide": Division(list_fewest),  # of the clear, if there are any: nobody has fewer than none
    "divide-all-taken": Division(list_fewest),
    "odd-stays": Division(list_clear, odd_stays=True),
    "odd-stays-of-four": Division(list_clear, odd_stays=True, players=range(4, 5)),
    "fewest": Division(list_fewest),
    "stays": STAYS,
    "stays-no-jack": STAYS._replace(is_jack=False),
    "stays-not-of-three": STAYS._replace(players=range(4, 7)),
}
#: Number of players without a heart -> the question that tells what becomes of the pool.
CLEAR_QUESTIONS: Mapping[int, str] = {0: "clear.none", 1: "clear.one", 2: "clear.two"}


def settle_for_the_clear(settlement: Settlement, taken: Taken) -> None:
    """Settle in the way in which the players without a heart take the pool."""
    deal, ask, jack = settlement.deal, Asker(settlement.ruleset), settlement.deal.pool.jack
    price = _find_price(ask, deal)
    if jack:
        price = find_meaning(ask, "jack.paying", {"pay": price, "free": 0})
    ask.word("pool.taker")
    paid = _pay_for_hearts(settlement, taken, price, ask.asked)
    if deal.pool.odd and not find_meaning(ask, "clear.two", DIVISIONS).odd_stays:
        over = format_count(deal.pool.odd, "counter")
        reason = f"does not say that any is kept, where the deal begins with {over} from a pool that was divided"
        raise UnplayedAnswer("clear.two", ask.ruleset.name, ask.word("clear.two"), reason)
    ask, clear = Asker(settlement.ruleset), len(list_clear(taken))
    alone = jack and clear > 1 and find_meaning(ask, "jack.divided", {"alone": True, "divide": False})
    division = STAYS if alone else _find_division(ask, _choose_clear_question(settlement, clear), len(taken))
    _divide_pool(settlement, taken, jack + deal.pool.odd + paid, division, ask)


def _find_division(ask: Asker, question: str, players: int) -> Division:
    """Find what becomes of a pool. Raises Silent, also where that is said of other numbers of players."""
    division = find_meaning(ask, question, DIVISIONS)
    if players not in division.players:
        reason = f"that is not said of {players} players"
        raise UnplayedAnswer(question, ask.ruleset.name, ask.word(question), reason)
    return division


def _choose_clear_question(settlement: Settlement, clear: int) -> str:
    players, rulings = len(settlement.deal.seats), settlement.ruleset.rulings
    if clear == players - 1 and players != 4:
        of_two = clear == 2 and "clear.two" in rulings and rulings["clear.two"].value == "divide-all-taken"
        return "clear.two" if of_two else "pool.all-thirteen"
    if clear in CLEAR_QUESTIONS:
        return CLEAR_QUESTIONS[clear]
    if players != 4:
        answer, reason = str(Asker(settlement.ruleset)("clear.three")), f"that is about four players, not {players}"
        raise UnplayedAnswer("clear.three", settlement.ruleset.name, answer, reason)
    return "clear.three"


def settle_for_the_fewest(settlement: Settlement, taken: Taken) -> None:
    """Settle in the way in which the player with the fewest hearts takes all."""
    _refuse_pool(settlement, "pool.taker")
    ask = Asker(settlement.ruleset)
    price = _find_price(ask, settlement.deal)
    ask.word("pool.taker")
    paid = _pay_for_hearts(settlement, taken, price, ask.asked)
    ask, fewest = Asker(settlement.ruleset), list_fewest(taken)
    question = "pool.taker" if 0 in taken.values() else "pool.none-clear"
    division = find_meaning(ask, "pool.all-thirteen" if sum(taken.values()) in taken.values() else question, DIVISIONS)
    if len(fewest) > 1 and division is not STAYS:
        division = find_meaning(ask, "fewest.tie", {"divide": division, "halve": division, "nobody": STAYS})
        if ask.word("fewest.tie") == "halve" and (len(fewest) > 2 or paid % 2):
            halves = f"half of {paid} is no whole number of counters, which alone a ledger has"
            reason = halves if len(fewest) == 2 else f"{len(fewest)} players have the fewest"
            raise UnplayedAnswer("fewest.tie", ask.ruleset.name, "halve", reason)
    _divide_pool(settlement, taken, paid, division, ask)


def _divide_pool(settlement: Settlement, taken: Taken, pool: int, division: Division, ask: Asker) -> None:
    """Note who takes how much of the pool, and what is left in it."""
    takers = division.find_takers(taken)
    if not takers:
        stays = "it stays, a Jack" if division.is_jack else "it stays, and is no Jack"
        settlement.note("end", f"Nobody takes the pool of {pool}: {stays}", ask.asked)
        settlement.pool = PoolRecord(jack=pool) if division.is_jack else PoolRecord(odd=pool)
        return
    share, odd = divmod(pool, len(takers))
    who = f"{join_names(takers)} {'divide' if len(takers) > 1 else 'takes'} the pool of {pool}"
    settlement.note("end", who, ask.asked, [Payment(POOL, seat, share) for seat in takers])
    settlement.pool = PoolRecord(odd=odd)
    if odd and not division.odd_stays:
        counters = format_count(odd, "counter")
        settlement.open.append(f"{counters} of {pool} cannot be divided, and the book does not say whose that is")


def _refuse_pool(settlement: Settlement, question: str) -> None:
    """Refuse to play with what an earlier deal has left, in a way in which nothing is ever left."""
    if left := settlement.deal.pool.jack + settlement.deal.pool.odd:
        answer = str(Asker(settlement.ruleset)(question))
        reason = f"the deal begins with {left} in the pool, where that way leaves none"
        raise UnplayedAnswer(question, settlement.ruleset.name, answer, reason)


# ---- Howell's settling
def settle_by_missing_hearts(settlement: Settlement, taken: Taken) -> None:
    """Settle in the way in which all take out a counter for each heart that they have not taken."""
    _refuse_pool(settlement, "howell.rest")
    ask = Asker(settlement.ruleset)
    price = find_meaning(ask, "howell.pays", {"as-others": len(taken) - 1, "one": 1})
    ask.word("pool.taker")
    pool = _pay_for_hearts(settlement, taken, price, ask.asked)
    ask = Asker(settlement.ruleset)
    find_meaning(ask, "howell.takes", {"per-missing": True})
    for seat, hearts in taken.items():
        missing = sum(taken.values()) - hearts  # with six players one of the thirteen is thrown out
        event = f"{seat} has not taken {format_count(missing, 'heart')}"
        settlement.note("end", event, ask.asked, [Payment(POOL, seat, missing)] if missing else ())
        pool -= missing
    ask = Asker(settlement.ruleset)
    if find_meaning(ask, "howell.rest", {"nothing": pool == 0, "something": True}):
        settlement.note("end", "The pool is empty" if pool == 0 else f"{pool} are left in the pool", ask.asked)
    settlement.pool = PoolRecord(odd=pool)


# ---- the most pays the rest
def settle_by_excess(settlement: Settlement, taken: Taken) -> None:
    """Settle in the way in which, of three, whoever has taken the most pays the others for each heart more."""
    _refuse_pool(settlement, "pool.taker")
    ask = Asker(settlement.ruleset)
    ask.words("settle.ways")  # where the book's words on this way are
    way = ask.word("pool.taker")
    if len(taken) != 3:
        raise UnplayedAnswer("pool.taker", ask.ruleset.name, way, f"that is said of three players, not of {len(taken)}")
    for payer in (seat for seat, hearts in taken.items() if hearts == max(taken.values())):
        for payee in (seat for seat in taken if taken[seat] < taken[payer]):
            excess = taken[payer] - taken[payee]
            event = f"{payer} has taken {format_count(excess, 'heart')} more than {payee}"
            settlement.note("end", event, ask.asked, [Payment(payer, payee, excess)])


WAYS: Mapping[str, Callable[[Settlement, Taken], None]] = {
    "clear": settle_for_the_clear,
    "fewest": settle_for_the_fewest,
    "by-missing": settle_by_missing_hearts,
    "excess": settle_by_excess,
}


# ---- what a record expects
class Unmet(NamedTuple):
    """Figure that comes out otherwise than the record of a deal expects."""

    what: str
    expected: object
    found: object


def find_unmet(settlement: Settlement) -> Iterator[Unmet]:
    """Yield what comes out otherwise than the record expects of these rules; nothing where it expects nothing."""
    name = settlement.ruleset.name
    if expected := settlement.deal.expect.get(name):
        figures = _list_figures(settlement, expected)
        yield from (Unmet(f"{figure.what} by {name}", *figure[1:]) for figure in figures if figure[1] != figure[2])


def _list_figures(settlement: Settlement, expected: ExpectedRecord) -> Iterator[Unmet]:
    silent = settlement.silent.question if settlement.silent else ""
    yield Unmet("the question without an answer", expected.silent or "none", silent or "none")
    yield Unmet("what is refused", expected.refused, bool(settlement.refusals))
    if settlement.state == "settled":
        yield from (Unmet(f"net of {seat}", sum_, settlement.net.get(seat)) for seat, sum_ in expected.net.items())
        yield Unmet("the Jack", expected.pool.jack, settlement.pool.jack)
        yield Unmet("what is over", expected.pool.odd, settlement.pool.odd)


def find_unexpected_results(corpus: Corpus) -> Iterator[Problem]:
    """Yield where a deal of the library comes out otherwise than its record expects, or was not played by its book."""
    for deal in corpus.extras["deals"]:
        file = read_library_deal(corpus.library, deal.deal)
        for name, expected in deal.expect.items():
            settlement = settle_deal(deal, resolve_named(corpus.library, name))
            for what, wanted, came in find_unmet(settlement):
                where = file.positions.where(("expect", name))
                yield where.problem(f"{what} is {came}, not {wanted}", "mend the figure, or the deal")
            for refusal in () if expected.refused else settlement.refusals:
                steps = ("tricks", refusal.trick - 1) if refusal.trick else ("hands",)
                hint = f"{', '.join(refusal.clauses)} says so: play by the book, or expect that it refuses"
                yield file.positions.where(steps).problem(f"{refusal.message}, by {name}", hint)
