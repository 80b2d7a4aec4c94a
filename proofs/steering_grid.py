"""Grid of one table of one source: every card event that it distinguishes, with every ending of a deal.

What cannot occur is left out, each time for a reason that stands in `IMPOSSIBLE_CELLS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from engine.deal.events import Fact
from engine.generation.turn import TableShape
from engine.generation.wishes import (
    CARD_WORDS,
    OUTCOME_WORDS,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    Look,
    told_trick,
)
from engine.readings.ask import Ask
from engine.settlement.payments.fate import classify_card_manner
from rulebook.model import Ruleset

_ANOTHER_TRICK = "another trick"


@dataclass(frozen=True, slots=True)
class CardEvent:
    """Row of the grid: what happened to a card, as far as the source distinguishes."""

    card: str  #: quinola | favoured ace | other ace
    manner: str  #: led | followed | forced | put | thrown-off | laid-away
    trick: str = ""
    place: str = ""  #: opposite | side | own
    asked: str = ""  #: claimed | unclaimed | free | not-free

    def __str__(self) -> str:
        return ", ".join(part for part in (self.card, self.manner, self.trick, self.place, self.asked) if part)


@dataclass(frozen=True, slots=True)
class DealEnding:
    """Column of the grid: reversis, espagnolette and partie of a deal."""

    reversis: str  #: none | made | broken
    espagnolette: str = "none"  #: none | won | lost | beaten | breaking
    partie: str = ""  #: with-a-trick | without-a-trick, where it is settled

    def __str__(self) -> str:
        said = {"none": "no reversis"}.get(self.reversis, f"reversis {self.reversis}")
        also = "" if self.espagnolette == "none" else f"espagnolette {self.espagnolette}"
        return ", ".join(part for part in (said, also, self.partie) if part)


GridCell = tuple[CardEvent, DealEnding]


# ---- what a source distinguishes
@dataclass(frozen=True)
class SteeringGrid:
    """All combinations that can occur at one table of one source."""

    ruleset: Ruleset
    shape: TableShape

    @property
    def ask(self) -> Ask:
        """Return an `Ask` of the ruleset."""
        return Ask(self.ruleset)

    def word(self, question: str, otherwise: str = "") -> str:
        """Return an answer, or *otherwise* if there is none."""
        return self.ask.word(question) if question in self.ruleset.rulings else otherwise

    @cached_property
    def counted(self) -> Mapping[int, str]:
        """The tricks that count more, from the front or from the end."""
        return {n: told_trick(n) for n in self.ask.numbers("payments.doubled-tricks")}

    @cached_property
    def opposite(self) -> bool:
        """Return whether the seat opposite matters."""
        return self.shape.players == 4 and self.ask.number("payments.opposite") != 1

    @cached_property
    def late(self) -> int:
        """Return the number of last tricks that do not belong to the reversis."""
        return self.ask.number("reversis.undertaken")

    @cached_property
    def espagnolette(self) -> bool:
        """Return whether the source has the espagnolette."""
        return bool(self.ask.tables("espagnolette.hands"))

    def manners(self, card: str) -> tuple[str, ...]:
        """Return the manners of playing a card; *forced* or *put* for *followed* where the source has them."""
        kind = "quinola" if card == "quinola" else "ace"
        followed = ("forced", "put") if self.word(f"{kind}.forced.when") == "sole-card" else ("followed",)
        return ("led", *followed, "thrown-off", *(("laid-away",) if kind == "quinola" else ()))

    def pays(self, event: CardEvent) -> bool:
        """Return whether players pay each other for it, so that trick and seat can matter."""
        kind = "quinola" if event.card == "quinola" else "ace"
        question = {"led": f"{kind}.led.payee", "followed": f"{kind}.forced.payee"}.get(event.manner, "")
        return not question or self.word(question) != "nobody"

    def events(self, settled: bool) -> Iterator[CardEvent]:
        """Yield all card events; the partie winner's seat only if the partie is settled."""
        for card in ("quinola", "favoured ace", "other ace"):
            for how in self.manners(card):
                yield from self.kinds(CardEvent(card, how), settled)

    def kinds(self, event: CardEvent, settled: bool) -> Iterator[CardEvent]:
        """Yield the finer kinds of one event."""
        if event.manner == "laid-away":
            yield event
            return
        tricks = (*self.counted.values(), _ANOTHER_TRICK) if self.counted and self.pays(event) else ("",)
        for trick, place, asked in product(tricks, self.places(event, settled), self.askings(event)):
            yield replace(event, trick=trick, place=place, asked=asked)

    def places(self, event: CardEvent, settled: bool) -> tuple[str, ...]:
        """Return the seats that the other player may have."""
        if not self.opposite or not self.pays(event):
            return ("",)
        return ("opposite", "side") if event.manner != "led" else ("opposite", "side", "own") if settled else ("",)

    def askings(self, event: CardEvent) -> tuple[str, ...]:
        """Return the further conditions the source puts on a card that is led."""
        if event.manner != "led":
            return ("",)
        if event.card == "quinola" and self.word("quinola.led.when", "any-lead") != "any-lead":
            return ("free", "not-free")
        claimed = self.word("payments.led-claimed") == "must-be-claimed" and self.pays(event)
        return ("claimed", "unclaimed") if claimed else ("",)

    def endings(self) -> Iterator[DealEnding]:
        """Yield all ways in which a deal can end."""
        tricks = ("with-a-trick", "without-a-trick")
        states = ("none", "won", "lost") if self.espagnolette else ("none",)
        yield from (DealEnding("none", state, trick) for state, trick in product(states, tricks))
        yield from (DealEnding("made", state) for state in (("none", "beaten") if self.espagnolette else ("none",)))
        if self.late:
            states = ("none", "beaten", "breaking") if self.espagnolette else ("none",)
            yield from (DealEnding("broken", state) for state in states)

    def cells(self) -> list[GridCell]:
        """Return every event with every ending, the impossible ones too."""
        return [(event, end) for end in self.endings() for event in self.events(end.reversis == "none")]


# ---- what cannot be
def _can_be_first_trick(event: CardEvent, grid: SteeringGrid) -> bool:
    return event.trick == told_trick(1) or (event.trick in ("", _ANOTHER_TRICK) and 1 not in grid.counted)


def _is_led_by_winner(event: CardEvent, end: DealEnding) -> bool:
    return event.manner == "led" and event.place == "own" and end.reversis == "none"


def is_ace_after_maker(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an ace follows where the maker of a reversis leads.

    That is, neither in the first trick nor in one of those in which a reversis can be broken.
    """
    follows = event.card != "quinola" and event.manner in ("followed", "forced", "put")
    return follows and end.reversis != "none" and not any(iter_ace_may_follow(event, end, grid))


def iter_ace_may_follow(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> Iterator[bool]:
    """Yield for each trick of an event whether an ace may follow in it, in a deal with a reversis."""
    for trick in list_event_tricks(event, grid):
        yield trick == 1 or (end.reversis == "broken" and trick > grid.shape.hand - grid.late)


def list_event_tricks(event: CardEvent, grid: SteeringGrid) -> list[int]:
    """Return the numbers of the tricks that an event can fall in."""
    counted = {n if n > 0 else grid.shape.hand + 1 + n: name for n, name in grid.counted.items()}
    return [t for t in range(1, grid.shape.hand + 1) if event.trick in ("", counted.get(t, _ANOTHER_TRICK))]


def is_ace_lead_trickless(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an ace is led by a player who is to take no trick."""
    return _is_led_by_winner(event, end) and event.card != "quinola" and end.partie == "without-a-trick"


def is_late_lead_trickless(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether a player without a trick leads to any but the first trick."""
    return _is_led_by_winner(event, end) and end.partie == "without-a-trick" and not _can_be_first_trick(event, grid)


def is_espagnolette_won_with_trick(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an espagnolette is won with a trick, where any trick loses it."""
    won = (end.espagnolette, end.partie) == ("won", "with-a-trick")
    return won and grid.word("espagnolette.lost-by") == "any-trick"


def wins_and_leads_last(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the espagnolette wins the partie and leads to the last trick."""
    return _is_led_by_winner(event, end) and end.espagnolette == "won" and event.trick == told_trick(-1)


def is_privilege_lost_at_once(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the espagnolette leads an ace first, and so loses its privilege."""
    ace_first = _is_led_by_winner(event, end) and event.card != "quinola" and event.trick == told_trick(1)
    lost = grid.word("espagnolette.right-after-trick") == "lost"
    return ace_first and end.espagnolette == "won" and lost and grid.word("espagnolette.undertaken") == "by-renouncing"


def winner_has_last_two(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the winner leads an ace last, though a lost espagnolette has one of the last two."""
    ace_last = _is_led_by_winner(event, end) and event.card != "quinola" and event.trick == told_trick(-1)
    return ace_last and end.espagnolette == "lost" and grid.word("espagnolette.lost-by") == "last-tricks"


_ImpossibilityTest = Callable[[CardEvent, DealEnding, SteeringGrid], bool]
#: Why a place of the grid cannot occur: each reason with the test of it.
IMPOSSIBLE_CELLS: Mapping[str, _ImpossibilityTest] = {
    "after the first trick he who makes the reversis leads, and an ace that followed would take it": is_ace_after_maker,
    "an ace that is led takes the trick, so that he who leads it has one": is_ace_lead_trickless,
    "he who leads after the first trick has taken the one before": is_late_lead_trickless,
    "here any trick loses the espagnolette": is_espagnolette_won_with_trick,
    "he who leads to the last trick has taken the one before, and so has lost the espagnolette": wins_and_leads_last,
    "he who takes the first trick loses his privilege before he has used it": is_privilege_lost_at_once,
    "he who leads an ace to the last trick has the last two, of which a lost espagnolette has one": winner_has_last_two,
}


def explain_impossible_cell(cell: GridCell, grid: SteeringGrid) -> str:
    """Return why a cell of the grid cannot occur; empty if it can."""
    return next((why for why, holds in IMPOSSIBLE_CELLS.items() if holds(*cell, grid)), "")


# ---- what has occurred
def iter_filled_cells(grid: SteeringGrid, seen: Look) -> Iterator[GridCell]:
    """Yield the cells of the grid that a deal fills."""
    end = _classify_ending(seen)
    for fact in seen.played.facts:
        if fact.kind in ("ace", "quinola"):
            yield _find_card_event(grid, fact, seen, end), end


def _classify_ending(at: Look) -> DealEnding:
    has = {key: has_outcome_word(at, *key) for key in OUTCOME_WORDS if key[0] != "table"}
    trick = "with-a-trick" if has[WISH_PARTIE, "with-a-trick"] else "without-a-trick"
    if has[WISH_REVERSIS, "none"]:
        state = next((s for s in ("won", "lost") if has[WISH_ESPAGNOLETTE, s]), "none")
        return DealEnding("none", state, trick)
    made = "made" if has[WISH_REVERSIS, "made"] else "broken"
    state = (
        "breaking"
        if has[WISH_ESPAGNOLETTE, "breaking"]
        else "beaten"
        if has[WISH_ESPAGNOLETTE, "undertaken"]
        else "none"
    )
    return DealEnding(made, state)


def has_outcome_word(at: Look, subject: str, word: str) -> bool:
    """Return whether an outcome word holds; a holder at seat 0 counts as well."""
    who = OUTCOME_WORDS[subject, word](at)
    return who is not None and who is not False


def _find_card_event(grid: SteeringGrid, fact: Fact, at: Look, end: DealEnding) -> CardEvent:
    favoured = "favoured ace" if grid.word("ace.favoured-suit") == fact.suit else "other ace"
    event = CardEvent("quinola" if fact.kind == "quinola" else favoured, _name_grid_manner(grid, fact))
    kinds = list(grid.kinds(event, end.reversis == "none"))
    return next(kind for kind in kinds if is_event_kind(kind, grid, fact, at))


def _name_grid_manner(grid: SteeringGrid, fact: Fact) -> str:
    parted = grid.word(f"{fact.kind}.forced.when") == "sole-card"
    return classify_card_manner(fact, grid.ask) if parted and fact.manner == "followed" else fact.manner


def is_event_kind(kind: CardEvent, grid: SteeringGrid, fact: Fact, at: Look) -> bool:
    """Return whether a fact is of this finer kind of event."""
    counted = {n if n > 0 else fact.last + 1 + n: name for n, name in grid.counted.items()}
    trick = not kind.trick or counted.get(fact.trick or 0, _ANOTHER_TRICK) == kind.trick
    return trick and all(CARD_WORDS[w](fact, at) for w in (kind.place, kind.asked) if w)
