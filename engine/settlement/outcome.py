"""Who made or missed what. Every field is reached when first wanted, and carries the questions that led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from engine.cards import RANKS, name, rank_of
from engine.deal.events import Fault, Measures
from engine.readings.ask import Ask
from engine.readings.meanings.cards import DRAWS
from engine.readings.meanings.criteria import AMONG_EQUALS, CRITERIA, PLACE, PLACED, in_play
from engine.readings.meanings.deal import NEXT_DEALER
from engine.readings.meanings.espagnolette import HE_PAYS, LOST_BY, STANDS, UNDERTAKEN, WINS
from engine.readings.meanings.faults import IN_TIME, LATE_MISDEAL, MAKING, MISDEAL_COST, NEXT_BEST, TALON_COUNTED
from engine.readings.meanings.outcome import Seat
from engine.readings.meanings.partie import SETTLED_IN_REVERSIS
from engine.readings.meanings.reversis import BREAKERS, NEVER, REVERSIS_DRAWS
from engine.readings.meanings.stake import SHARED
from engine.settlement.forfeits import barred_from, barred_from_partie, denied


class Open(Exception):
    """The deal is a fragment, and the tricks that are known do not decide this."""


class Outcome:
    """The outcome of one deal under one ruleset, field by field."""

    def __init__(self, measures: Measures, ask: Ask) -> None:
        self.measures, self.ask = measures, ask
        self.known: dict[str, tuple[Any, tuple[str, ...]]] = {}

    def field(self, name: str) -> tuple[Any, tuple[str, ...]]:
        """A field's value, and the questions asked to reach it. Raises Open in a fragment, and Silent."""
        known = self.known.get(name)
        if known is None:
            if not self.measures.complete and not self.decided(name):
                raise Open(name)
            ask = self.ask.fresh()
            known = self.known[name] = FIELDS[name](self.measures, Seen(self, ask), ask), ask.asked
        return known

    def decided(self, name: str) -> bool:
        """Whether a fragment's tricks settle a field: two takers early on rule out a reversis."""
        m = self.measures
        if m.void:  # no card of it counts: there is no reversis, and the next dealer is known
            return name in ("hero", "made", "next_dealer")
        if name in ("espagnolette", "espagnolette_lost"):
            return m.holder is None
        early = m.takers[: max(0, m.last - self.ask.fresh().number("reversis.undertaken"))]
        return name in ("hero", "made", "breakers", "broken_in", "kept") and len(set(early)) > 1

    def seen(self, ask: Ask) -> Seen:
        """This outcome in the eyes of one asker."""
        return Seen(self, ask)


class Seen:
    """An outcome as seen by one asker: what he reads, he also cites."""

    __slots__ = ("_ask", "_outcome")

    def __init__(self, outcome: Outcome, ask: Ask) -> None:
        self._outcome, self._ask = outcome, ask

    def _read(self, name: str) -> Any:
        value, asked = self._outcome.field(name)
        self._ask.through(asked)
        return value

    @property
    def hero(self) -> Seat:
        """Who has undertaken the reversis."""
        return self._read("hero")  # type: ignore[no-any-return]

    @property
    def made(self) -> bool:
        """Whether he has made it."""
        return self._read("made")  # type: ignore[no-any-return]

    @property
    def breakers(self) -> tuple[int, ...]:
        """Who is to be paid for breaking it."""
        return self._read("breakers")  # type: ignore[no-any-return]

    @property
    def broken_in(self) -> int | None:
        """The number of the trick that has broken it."""
        return self._read("broken_in")  # type: ignore[no-any-return]

    @property
    def espagnolette(self) -> Seat:
        """Who has undertaken the espagnolette."""
        return self._read("espagnolette")  # type: ignore[no-any-return]

    @property
    def espagnolette_lost(self) -> bool:
        """Whether he has lost it by his tricks, there being no reversis."""
        return self._read("espagnolette_lost")  # type: ignore[no-any-return]

    @property
    def kept(self) -> Seat:
        """The espagnolette whose winnings stand though a third player has broken a reversis."""
        return self._read("kept")  # type: ignore[no-any-return]

    @property
    def winner(self) -> Seat:
        """Who wins the partie, or talon."""
        return self._read("winner")  # type: ignore[no-any-return]

    @property
    def forfeited(self) -> bool:
        """Whether nobody wins it because he who would have won is barred."""
        return self._read("forfeited")  # type: ignore[no-any-return]

    @property
    def loser(self) -> Seat:
        """Who loses it."""
        return self._read("loser")  # type: ignore[no-any-return]

    @property
    def twin(self) -> Seat:
        """Another with as many points as the loser, the next in order of play."""
        return self._read("twin")  # type: ignore[no-any-return]

    @property
    def stake_winners(self) -> tuple[int, ...]:
        """Who has won the stake by his tricks; several where they share it, nobody where it is not won so."""
        return self._read("stake_winners")  # type: ignore[no-any-return]

    @property
    def stake_won(self) -> bool:
        """Whether somebody has won the stake."""
        return self._read("stake_won")  # type: ignore[no-any-return]

    @property
    def talon_value(self) -> int:
        """What the cards of the talon come to, with the bonus."""
        return self._read("talon_value")  # type: ignore[no-any-return]

    @property
    def next_dealer(self) -> int:
        """Who deals next."""
        return self._read("next_dealer")  # type: ignore[no-any-return]


# ---- one field each
def hero(m: Measures, o: Seen, ask: Ask) -> Seat:
    """The player who has taken all tricks but the last few, and so has undertaken the reversis.

    Who cannot make one because of a fault, and takes every trick, has undertaken none.
    """
    early = m.takers[: max(0, m.last - ask.number("reversis.undertaken"))]
    if len({*early}) != 1 or ({*m.takers} == {early[0]} and MAKING in denied(m, early[0], ask)):
        return None
    return early[0]


def made(m: Measures, o: Seen, ask: Ask) -> bool:
    """He has taken the last tricks too."""
    return o.hero is not None and set(m.takers) == {o.hero}


def breakers(m: Measures, o: Seen, ask: Ask) -> tuple[int, ...]:
    """Who has taken a trick against him, as far as the source pays for it."""
    if o.hero is None or o.made:
        return ()
    return BREAKERS[ask.word("reversis.broken.breaker")]([s for s in m.takers if s != o.hero])


def broken_in(m: Measures, o: Seen, ask: Ask) -> int | None:
    """The first trick that another has taken; those before it were all his."""
    if o.hero is None or o.made:
        return None
    return next(number for number, taker in enumerate(m.takers, 1) if taker != o.hero)


def espagnolette(m: Measures, o: Seen, ask: Ask) -> Seat:
    """He who holds the privileged hand and has used it; not he who plays for the reversis himself."""
    ask("espagnolette.hands")
    if m.holder is None or not UNDERTAKEN[ask.word("espagnolette.undertaken")](m) or o.hero == m.holder:
        return None
    return m.holder


def espagnolette_lost(m: Measures, o: Seen, ask: Ask) -> bool:
    """He has taken a trick that loses it."""
    if o.espagnolette is None or o.hero is not None:
        return False
    return LOST_BY[ask.word("espagnolette.lost-by")](m, o.espagnolette, ask.number("espagnolette.until"))


def kept(m: Measures, o: Seen, ask: Ask) -> Seat:
    """The espagnolette without a trick, when a third player breaks a reversis and his winnings stand all the same."""
    if o.hero is None or o.made or o.espagnolette is None or o.espagnolette in m.takers:
        return None
    return o.espagnolette if STANDS[ask.word("espagnolette.third-breaks")] else None


def winner(m: Measures, o: Seen, ask: Ask) -> Seat:
    """Who wins the partie, or talon; nobody where a reversis leaves it unsettled."""
    if o.hero is not None:
        return winner_in_reversis(m, o, ask)
    return entitled(m, first_choice(m, o, ask), contenders(m, o, ask), ask)


def contenders(m: Measures, o: Seen, ask: Ask) -> Sequence[int]:
    """Who may win the partie when there is no reversis: not an espagnolette who has lost it to the others."""
    if o.espagnolette is None or not o.espagnolette_lost:
        return range(m.seats)
    return others(range(m.seats), o.espagnolette if HE_PAYS[ask.word("espagnolette.lost.partie")] else None)


def first_choice(m: Measures, o: Seen, ask: Ask) -> Seat:
    """Who would win the partie if no fault barred him, there being no reversis."""
    if o.espagnolette is not None and not o.espagnolette_lost:
        question = "espagnolette.kept-trick" if o.espagnolette in m.takers else "espagnolette.won.partie"
        if WINS[ask.word(question)]:
            return o.espagnolette
    return preferred(m, contenders(m, o, ask), ask, "partie.winner")


def winner_in_reversis(m: Measures, o: Seen, ask: Ask) -> Seat:
    """The partie when there is a reversis."""
    rest = others(range(m.seats), o.hero)
    if o.kept is not None:
        return entitled(m, o.kept, rest, ask)
    settled = SETTLED_IN_REVERSIS[ask.word("partie.in-reversis")]
    return entitled(m, preferred(m, rest, ask, "partie.winner"), rest, ask) if settled else None


def forfeited(m: Measures, o: Seen, ask: Ask) -> bool:
    """He who would have won the partie is barred, and nobody steps into his place."""
    return bool(m.culprits) and (o.hero, o.winner) == (None, None) and first_choice(m, o, ask) is not None


def loser(m: Measures, o: Seen, ask: Ask) -> Seat:
    """Who pays the partie, or talon: worst of those who have not won it, or a losing espagnolette."""
    if o.winner is None:
        return None
    if o.espagnolette_lost and HE_PAYS[ask.word("espagnolette.lost.partie")]:
        return o.espagnolette
    out = o.hero if o.kept is None else None
    return preferred(m, others(others(range(m.seats), o.winner), out), ask, "partie.loser")


def twin(m: Measures, o: Seen, ask: Ask) -> Seat:
    """Another with as many points as the loser."""
    equals = [
        s
        for s in range(m.seats)
        if s not in (o.winner, o.loser) and o.loser is not None and m.points[s] == m.points[o.loser]
    ]
    return min(equals, key=lambda s: in_play(m, s), default=None)


def stake_winners(m: Measures, o: Seen, ask: Ask) -> tuple[int, ...]:
    """Who has won the stake by his tricks, when neither a reversis nor the quinola has taken it."""
    if o.hero is not None or quinola_draws(m, ask):
        return ()
    equals = tied(m, ask, "stake.by-tricks")
    if len(equals) > 1 and SHARED[ask.word("stake.tied")]:
        return equals
    winner = preferred(m, range(m.seats), ask, "stake.by-tricks")
    return () if winner is None else (winner,)


def quinola_draws(m: Measures, ask: Ask) -> bool:
    """Whether the quinola was thrown off, and draws the stake."""
    if m.quinola is None or m.quinola.manner != "thrown-off" or not DRAWS[ask.word("quinola.thrown-off.stake")]:
        return False
    return not barred_from(m, m.quinola.player, "draws-stake", m.quinola, ask)


def stake_won(m: Measures, o: Seen, ask: Ask) -> bool:
    """Whether the stake has been won in this deal, in whatever way."""
    if o.made:
        drawn = REVERSIS_DRAWS[ask.word("reversis.stake")] != NEVER
        return drawn and "reversis" not in denied(m, o.hero, ask)
    return bool(o.stake_winners) or quinola_draws(m, ask)


def talon_value(m: Measures, o: Seen, ask: Ask) -> int:
    """The points of the cards in the talon, the special ones by their own value, and the bonus."""
    special, plain = ask.table("talon.special-cards"), ask.table("cards.points")
    talon = m.talon if len(m.talon) == m.talon_due else TALON_COUNTED[ask.word("talon.irregular")](m)
    return ask.number("talon.bonus") + sum(special.get(name(c), plain.get(RANKS[rank_of(c)], 0)) for c in talon)


def next_dealer(m: Measures, o: Seen, ask: Ask) -> int:
    """Who deals next."""
    if m.void and deals_again(m.void, ask):
        return m.dealer
    reading = NEXT_DEALER[ask.word("deal.next-dealer")]
    if m.void:
        return reading(m, None)
    trickless = o.winner if o.hero is None and o.winner not in m.takers else None
    return reading(m, trickless)


def deals_again(void: Fault, ask: Ask) -> bool:
    """Whether the same dealer deals again after a deal that is void; only a misdeal can cost him the deal."""
    if void.kind != "misdeal":
        return True
    if IN_TIME[ask.word("misdeal.until")](void):
        return MISDEAL_COST[ask.word("misdeal.cost")](void)
    _, keeps = LATE_MISDEAL[ask.word("misdeal.late-deal")]
    return keeps


# ---- choosing among seats
def entitled(m: Measures, won: Seat, rest: Sequence[int], ask: Ask) -> Seat:
    """He who has won the partie, unless a fault bars him: then the next best of the rest, or nobody."""
    if won is None or not barred_from_partie(m, won, ask):
        return won
    if not NEXT_BEST[ask.word("barred.partie")]:
        return None
    left = others(rest, won)
    return entitled(m, preferred(m, left, ask, "partie.winner"), left, ask)


def others(seats: Iterable[int], seat: Seat) -> list[int]:
    """The seats without one of them."""
    return [s for s in seats if s != seat]


def preferred(m: Measures, candidates: Iterable[int], ask: Ask, question: str) -> Seat:
    """The first of the seats that an ordered list of criteria leaves; nobody where it leaves none, or is empty."""
    criteria = ask.words(question)
    had = list(candidates) if criteria else []
    seats: list[int] = had
    for criterion in criteria:
        place = placing(m, ask) if criterion in PLACED else leftmost
        seats = list(CRITERIA[criterion](m, seats, place))
    return next((s for s in seats if s in had), None)


def tied(m: Measures, ask: Ask, question: str) -> tuple[int, ...]:
    """The seats that are equal in all that a list of criteria looks at, before it keeps equals apart."""
    criteria = [one for one in ask.words(question) if one not in AMONG_EQUALS]
    seats: Iterable[int] = range(m.seats) if criteria else ()
    for criterion in criteria:
        seats = CRITERIA[criterion](m, list(seats), leftmost)
    return tuple(seats)


def placing(m: Measures, ask: Ask) -> Callable[[int], int]:
    """How good a place is: the best is lowest."""
    reading = PLACE[ask.word("partie.place")]
    return lambda seat: reading(m, seat)


def leftmost(seat: int) -> int:
    """No place matters here."""
    return 0


Field: TypeAlias = Callable[[Measures, Seen, Ask], Any]
FIELDS: Mapping[str, Field] = {
    f.__name__: f
    for f in (
        hero,
        made,
        breakers,
        broken_in,
        espagnolette,
        espagnolette_lost,
        kept,
        winner,
        forfeited,
        loser,
        twin,
        stake_winners,
        stake_won,
        talon_value,
        next_dealer,
    )
}

__all__ = ["FIELDS", "Open", "Outcome", "Seen"]
