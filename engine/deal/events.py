"""Events at the table, without money: facts card by card and measures of a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Every fact the engine can note; a card's manner is what can be seen, before any source has called it forced.
CARD_MANNERS = ("led", "followed", "thrown-off", "laid-away")


@dataclass(frozen=True, slots=True)
class Fault:
    """An irregularity on record: its kind, whose, and the details that its kind needs."""

    kind: str
    seat: int
    trick: int | None = None
    noticed: str = ""  #: when a misdeal came out
    redeemed: bool = False  #: the dealer has bought back his deal
    accepted: bool = False  #: all the players have let the deal stand
    directed: int | None = None  #: who says how a hand that was thrown down is played


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened. Seats are numbers in order of play; a seat is None where there is none."""

    kind: str  #: ace | quinola | seat | fault; session, for what passes between deals
    seats: int
    dealer: int
    eldest: int  #: who led to the first trick
    last: int  #: number of the last trick of the deal
    trick: int | None = None  #: counted from 1; None for what lies in the talon and for the end of the deal
    card: int | None = None
    player: int | None = None
    leader: int | None = None
    taker: int | None = None
    highest_before: int | None = None  #: who had played the highest ace, king or queen of the suit before it
    suit: str = ""
    manner: str = ""  #: led | followed | thrown-off | laid-away; for a fault, its kind; of a session, the step
    court_led: bool = False  #: the trick was led with an ace, king or queen
    queen_led: bool = False  #: the trick was led with a queen
    privileged: bool = False  #: its player held the hand of an espagnolette
    alone: bool = False  #: it was his only card of its suit
    free: bool = False  #: led, or put as his only card of the suit led, though he might have played another card
    revoked: bool = False  #: thrown off in a revoke, though its player held the suit led
    claimed: bool = True  #: what a led card owes was asked for
    points: int = 0  #: kind seat: points in the tricks he took
    fault: Fault | None = None  #: kind fault: as it stands in the record
    claimer: int | None = None  #: who has thrown down their hand by then, and claims this trick and all that follow
    throws_down: int | None = None  #: who throws down their hand in this deal, before or after this trick
    called: str = ""  #: the source's name for its privileged card; of the quinola, where it has one
    further: bool = False  #: its card is a privileged card besides the quinola


@dataclass(frozen=True, slots=True)
class Announcement:
    """Something said aloud: what, by whom, before which trick."""

    what: str
    seat: int
    before: int = 1


@dataclass(frozen=True, slots=True)
class Measures:
    """Counts of a deal when the cards are played.

    They say who took what, what lies in the talon, and who held which hand.
    """

    seats: int
    dealer: int
    eldest: int
    last: int  #: tricks in a whole deal
    takers: tuple[int, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    marking: tuple[int, ...]  #: aces, kings, queens and knaves taken
    court: tuple[int, ...]  #: aces, kings and queens taken
    talon: tuple[int, ...]
    holder: int | None = None  #: who held a privileged hand
    renounced: bool = False  #: the holder renounced by his privilege
    announced: tuple[Announcement, ...] = ()
    quinola: Fact | None = None
    talon_due: int = 0  #: how many cards should lie in the talon
    culprits: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  #: whose faults may bar him from payments
    void: Fault | None = None  #: the fault for which the cards are dealt again
    taken: tuple[int, ...] = ()  #: the cards that each has taken, as bits
    called: str = ""  #: the source's name for the quinola, where it has one
    others: Mapping[int, Fact] = field(default_factory=dict)  #: each further privileged card; no manner: not seen

    @property
    def complete(self) -> bool:
        """Tell whether every trick has been played."""
        return len(self.takers) == self.last
