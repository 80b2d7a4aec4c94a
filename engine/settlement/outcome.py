"""Outcome of a deal, field by field, with the questions that led to each.

Every field is computed when it is first read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from engine.cards import CARD_RANKS, format_card, rank_of
from engine.deal.events import Fact, Fault, Measures
from engine.readings.ask import Ask
from engine.readings.meanings import espagnolette as espagnolette_meanings
from engine.readings.meanings import faults
from engine.readings.meanings.cards import THROWN_QUINOLA_DRAWS
from engine.readings.meanings.criteria import (
    AMONG_EQUALS,
    CRITERIA,
    PARTIE_PLACES,
    PLACED,
    count_places_in_play,
    list_tie_breakers,
)
from engine.readings.meanings.deal import NEXT_DEALER
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.partie import SETTLED_IN_REVERSIS
from engine.readings.meanings.reversis import BREAKERS, NEVER_DRAWS, REVERSIS_DRAWS
from engine.readings.meanings.stake import TIED_STAKE_SHARED
from engine.settlement.forfeits import (
    find_denied_receipts,
    is_barred_from_partie,
    is_barred_from_payment,
    is_thrown_in_vain,
)


class Open(Exception):
    """The deal is a fragment, and the tricks that are known do not decide this."""


#: The privileged card that is asked for, and a field -> its value, and the questions asked to reach it.
ComputedFields: TypeAlias = dict[tuple[str, str], tuple[Any, tuple[str, ...]]]


class DealOutcome:
    """The outcome of one deal under one ruleset, field by field; several askers may share what has been computed."""

    def __init__(self, measures: Measures, ask: Ask, computed: ComputedFields | None = None) -> None:
        self.measures, self.ask = measures, ask
        self.known: dict[str, tuple[Any, tuple[str, ...]]] = {}
        self.computed: ComputedFields = {} if computed is None else computed
        self.by_card: dict[int, DealOutcome] = {}

    def about(self, fact: Fact) -> DealOutcome:
        """The outcome for the privileged card and the pool that a fact is about; itself where that is the quinola's."""
        others, card = self.measures.others, fact.card if fact.kind in ("quinola", "seat") else None
        if card is None or card not in others:
            return self
        if card not in self.by_card:
            measures = replace(self.measures, quinola=others[card])
            self.by_card[card] = DealOutcome(measures, self.ask.about(format_card(card)), self.computed)
        return self.by_card[card]

    def field(self, name: str) -> tuple[Any, tuple[str, ...]]:
        """A field's value, and the questions asked to reach it. Raises Open in a fragment, and Silent."""
        known = self.known.get(name)
        if known is None:
            if not self.measures.complete and not self.decided(name):
                raise Open(name)
            known = self.known[name] = self.computed.get((self.ask.card, name)) or self._compute_field(name)
            self.ask.note_raised(known[1])
        return known

    def _compute_field(self, name: str) -> tuple[Any, tuple[str, ...]]:
        ask = self.ask.fresh()
        field = OUTCOME_FIELDS[name](self.measures, OutcomeView(self, ask), ask), ask.asked
        self.computed[ask.card, name] = field
        return field

    def decided(self, name: str) -> bool:
        """Return whether a fragment's tricks settle a field.

        Two takers early on rule out a reversis.
        """
        m = self.measures
        if m.void:  # no card of it counts: there is no reversis, and the next dealer is known
            return name in ("hero", "made", "next_dealer")
        if name in ("espagnolette", "espagnolette_lost"):
            return m.holder is None
        early = m.takers[: max(0, m.last - self.ask.fresh().number("reversis.undertaken"))]
        return name in ("hero", "made", "breakers", "broken_in", "kept") and len(set(early)) > 1

    def seen(self, ask: Ask) -> OutcomeView:
        """View of this outcome for one asker."""
        return OutcomeView(self, ask)


class OutcomeView:
    """View of an outcome for one asker: every field read is also cited."""

    hero: SeatOrNone  #: player who has undertaken the reversis
    made: bool  #: the reversis is made
    breakers: tuple[int, ...]  #: players to be paid for breaking the reversis
    broken_in: int | None  #: the number of the trick that has broken it
    espagnolette: SeatOrNone  #: player who has undertaken the espagnolette
    espagnolette_lost: bool  #: tricks have lost the espagnolette, there being no reversis
    kept: SeatOrNone  #: the espagnolette whose winnings stand though a third player has broken a reversis
    winner: SeatOrNone  #: winner of the partie, or talon
    forfeited: bool  #: nobody wins the partie because the player who would have won is barred
    loser: SeatOrNone  #: loser of the partie, or talon
    twin: SeatOrNone  #: another with as many points as the loser, the next in order of play
    stake_winners: tuple[int, ...]  #: who has won the stake by tricks: several where they share it, or none
    stake_won: bool  #: somebody has won the stake
    talon_value: int  #: value of the cards in the talon, with the bonus
    next_dealer: int  #: dealer of the next deal

    def __init__(self, outcome: DealOutcome, ask: Ask) -> None:
        self._outcome, self._ask = outcome, ask

    def __getattr__(self, name: str) -> Any:
        if name not in OUTCOME_FIELDS:
            raise AttributeError(name)
        value, asked = self._outcome.field(name)
        self._ask.through(asked)
        self.__dict__[name] = value
        return value


# ---- one field each
def hero(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """The player who has taken all tricks but the last few, and so has undertaken the reversis.

    Who cannot make one because of a fault, and takes every trick, has undertaken none.
    """
    early = m.takers[: max(0, m.last - ask.number("reversis.undertaken"))]
    if len({*early}) != 1 or ({*m.takers} == {early[0]} and faults.MAKING in find_denied_receipts(m, early[0], ask)):
        return None
    return early[0]


def made(m: Measures, o: OutcomeView, ask: Ask) -> bool:
    """True if the hero has taken the last tricks too."""
    return o.hero is not None and set(m.takers) == {o.hero}


def breakers(m: Measures, o: OutcomeView, ask: Ask) -> tuple[int, ...]:
    """Players who have taken a trick against the hero, as far as the source pays them."""
    if o.hero is None or o.made:
        return ()
    return BREAKERS[ask.word("reversis.broken.breaker")]([s for s in m.takers if s != o.hero])


def broken_in(m: Measures, o: OutcomeView, ask: Ask) -> int | None:
    """First trick that another player has taken; those before it were all the hero's."""
    if o.hero is None or o.made:
        return None
    return next(number for number, taker in enumerate(m.takers, 1) if taker != o.hero)


def espagnolette(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Player who holds the privileged hand and has used it.

    Not a player who plays for the reversis.
    """
    ask("espagnolette.hands")
    if (
        m.holder is None
        or not espagnolette_meanings.UNDERTAKEN[ask.word("espagnolette.undertaken")](m)
        or o.hero == m.holder
    ):
        return None
    return m.holder


def espagnolette_lost(m: Measures, o: OutcomeView, ask: Ask) -> bool:
    """True if the espagnolette has taken a trick that loses it."""
    if o.espagnolette is None or o.hero is not None:
        return False
    return espagnolette_meanings.LOST_BY[ask.word("espagnolette.lost-by")](
        m, o.espagnolette, ask.number("espagnolette.until")
    )


def kept(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Espagnolette without a trick whose winnings stand.

    A third player breaks a reversis, and the winnings stand all the same.
    """
    if o.hero is None or o.made or o.espagnolette is None or o.espagnolette in m.takers or not o.breakers:
        return None
    return o.espagnolette if espagnolette_meanings.STANDS[ask.word("espagnolette.third-breaks")] else None


def winner(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Winner of the partie, or talon; nobody where a reversis leaves it unsettled."""
    if o.hero is not None:
        return find_winner_in_reversis(m, o, ask)
    return award_partie(m, find_winner_despite_faults(m, o, ask), list_partie_contenders(m, o, ask), ask)


def list_partie_contenders(m: Measures, o: OutcomeView, ask: Ask) -> Sequence[int]:
    """List who may win the partie when there is no reversis.

    Not an espagnolette who has lost it to the others.
    """
    if o.espagnolette is None or not o.espagnolette_lost:
        return range(m.seats)
    return exclude_seat(
        range(m.seats), o.espagnolette if espagnolette_meanings.HE_PAYS[ask.word("espagnolette.lost.partie")] else None
    )


def find_winner_despite_faults(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Find who would win the partie if no fault barred them, there being no reversis."""
    if o.espagnolette is not None and not o.espagnolette_lost:
        question = "espagnolette.kept-trick" if o.espagnolette in m.takers else "espagnolette.won.partie"
        if espagnolette_meanings.WINS[ask.word(question)]:
            return o.espagnolette
    return pick_seat_by_criteria(m, list_partie_contenders(m, o, ask), ask, "partie.winner")


def find_winner_in_reversis(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Find the winner of the partie when there is a reversis."""
    rest = exclude_seat(range(m.seats), o.hero)
    if o.kept is not None:
        return award_partie(m, o.kept, rest, ask)
    settled = SETTLED_IN_REVERSIS[ask.word("partie.in-reversis")]
    return award_partie(m, pick_seat_by_criteria(m, rest, ask, "partie.winner"), rest, ask) if settled else None


def forfeited(m: Measures, o: OutcomeView, ask: Ask) -> bool:
    """True if the would-be winner of the partie is barred and nobody replaces them."""
    return bool(m.culprits) and (o.hero, o.winner) == (None, None) and find_winner_despite_faults(m, o, ask) is not None


def loser(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Player who pays the partie, or talon.

    The worst of those who have not won it, or a losing espagnolette.
    """
    if o.winner is None:
        return None
    if o.espagnolette_lost and espagnolette_meanings.HE_PAYS[ask.word("espagnolette.lost.partie")]:
        return o.espagnolette
    out = o.hero if o.kept is None else None
    return pick_seat_by_criteria(m, exclude_seat(exclude_seat(range(m.seats), o.winner), out), ask, "partie.loser")


def twin(m: Measures, o: OutcomeView, ask: Ask) -> SeatOrNone:
    """Another with as many points as the loser."""
    equals = [
        s
        for s in range(m.seats)
        if s not in (o.winner, o.loser) and o.loser is not None and m.points[s] == m.points[o.loser]
    ]
    return min(equals, key=lambda s: count_places_in_play(m, s), default=None)


def stake_winners(m: Measures, o: OutcomeView, ask: Ask) -> tuple[int, ...]:
    """Players who have won the stake by their tricks.

    Only when neither a reversis nor the quinola has taken it.
    """
    if o.hero is not None or has_quinola_drawn_stake(m, ask):
        return ()
    equals = find_tied_seats(m, ask, "stake.by-tricks")
    if len(equals) > 1 and TIED_STAKE_SHARED[ask.word("stake.tied")]:
        return equals
    winner = pick_seat_by_criteria(m, range(m.seats), ask, "stake.by-tricks")
    return () if winner is None else (winner,)


def has_quinola_drawn_stake(m: Measures, ask: Ask) -> bool:
    """Return whether the quinola was thrown off and draws the stake."""
    if (
        m.quinola is None
        or m.quinola.manner != "thrown-off"
        or not THROWN_QUINOLA_DRAWS[ask.word("quinola.thrown-off.stake")]
        or is_thrown_in_vain(m.quinola, ask)
    ):
        return False
    return not is_barred_from_payment(m, m.quinola.player, "draws-stake", m.quinola, ask)


def stake_won(m: Measures, o: OutcomeView, ask: Ask) -> bool:
    """True if the stake has been won in this deal, in whatever way."""
    if o.made:
        drawn = REVERSIS_DRAWS[ask.word("reversis.stake")] != NEVER_DRAWS
        return drawn and "reversis" not in find_denied_receipts(m, o.hero, ask)
    return bool(o.stake_winners) or has_quinola_drawn_stake(m, ask)


def talon_value(m: Measures, o: OutcomeView, ask: Ask) -> int:
    """The points of the cards in the talon, the special ones by their own value, and the bonus."""
    return sum(list_talon_points(m, ask).values()) + ask.number("talon.bonus")


def list_talon_points(m: Measures, ask: Ask) -> Mapping[int, int]:
    """List the points of each card that the talon is counted by, without the bonus."""
    special, plain = ask.table("talon.special-cards"), ask.table("cards.points")
    talon = m.talon if len(m.talon) == m.talon_due else faults.TALON_COUNTED[ask.word("talon.irregular")](m)
    return {card: special.get(format_card(card), plain.get(CARD_RANKS[rank_of(card)], 0)) for card in talon}


def next_dealer(m: Measures, o: OutcomeView, ask: Ask) -> int:
    """Dealer of the next deal."""
    if m.void and has_dealer_to_redeal(m.void, ask):
        return m.dealer
    reading = NEXT_DEALER[ask.word("deal.next-dealer")]
    if m.void:
        return reading(m, None)
    trickless = o.winner if o.hero is None and o.winner not in m.takers else None
    return reading(m, trickless)


def has_dealer_to_redeal(void: Fault, ask: Ask) -> bool:
    """Return whether the same dealer deals again after a void deal.

    Only a misdeal can cost the dealer the deal.
    """
    if void.kind != "misdeal":
        return True
    if faults.IN_TIME[ask.word("misdeal.until")](void):
        return faults.MISDEAL_COST[ask.word("misdeal.cost")](void)
    _, keeps = faults.LATE_MISDEAL[ask.word("misdeal.late-deal")]
    return keeps


# ---- choosing among seats
def award_partie(m: Measures, won: SeatOrNone, rest: Sequence[int], ask: Ask) -> SeatOrNone:
    """Award the partie to its winner, unless a fault bars them.

    Then it goes to the next best of the rest, or to nobody.
    """
    if won is None or not is_barred_from_partie(m, won, ask):
        return won
    if not faults.NEXT_BEST[ask.word("barred.partie")]:
        return None
    left = exclude_seat(rest, won)
    return award_partie(m, pick_seat_by_criteria(m, left, ask, "partie.winner"), left, ask)


def exclude_seat(seats: Iterable[int], seat: SeatOrNone) -> list[int]:
    """List the seats without one of them."""
    return [s for s in seats if s != seat]


def pick_seat_by_criteria(m: Measures, candidates: Iterable[int], ask: Ask, question: str) -> SeatOrNone:
    """Pick the seat that an ordered list of criteria leaves; of several, by place. Raises Silent.

    Nobody where it leaves none, or is empty.
    """
    criteria = ask.words(question)
    had = list(candidates) if criteria else []
    seats: list[int] = had
    for criterion in criteria:
        place = make_place_ranking(m, ask) if criterion in PLACED else ignore_place
        seats = list(CRITERIA[criterion](m, seats, place))
    for criterion in list_tie_breakers(question, criteria) if len(seats) > 1 else ():
        seats = list(CRITERIA[criterion](m, seats, make_place_ranking(m, ask)))
    # two may still be left by `eldest-if-tied`: the eldest, if the eldest may be chosen, and the first in play
    return min((s for s in seats if s in had), key=lambda s: count_places_in_play(m, s), default=None)


def find_tied_seats(m: Measures, ask: Ask, question: str) -> tuple[int, ...]:
    """Find the seats that are equal in all criteria except those that break ties."""
    criteria = [word for word in ask.words(question) if word not in AMONG_EQUALS]
    seats: Iterable[int] = range(m.seats) if criteria else ()
    for criterion in criteria:
        seats = CRITERIA[criterion](m, list(seats), ignore_place)
    return tuple(seats)


def make_place_ranking(m: Measures, ask: Ask) -> Callable[[int], int]:
    """Make a function that ranks a seat by its place; the best is lowest."""
    reading = PARTIE_PLACES[ask.word("partie.place")]
    return lambda seat: reading(m, seat)


def ignore_place(seat: int) -> int:
    """Return 0 for every seat: no place matters here."""
    return 0


#: How each field of `OutcomeView` is computed.
OUTCOME_FIELDS: Mapping[str, Callable[[Measures, OutcomeView, Ask], Any]] = {
    field.__name__: field
    for field in (
        *(hero, made, breakers, broken_in, espagnolette, espagnolette_lost, kept, winner, forfeited, loser, twin),
        *(stake_winners, stake_won, talon_value, next_dealer),
    )
}
