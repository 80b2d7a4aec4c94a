"""Situations of a deal for which somebody may have to pay, as a list derived from the engine.

`list_situations(library)` lists them from the engine's facts, manners, faults and outcomes; tricks and suits that count
more are those that any source names. So a new source, or a new kind of fault, has its rows without a line written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine import cards
from engine.deal.events import CARD_MANNERS
from engine.deal.model import FAULT_KIND_BY_NAME, MISDEAL_STAGES
from engine.generation.wishes import (
    CARD_SUBJECTS,
    WISH_ACE,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_QUINOLA,
    WISH_REVERSIS,
    Wish,
    Word,
)
from engine.settlement.payments.rules import RULES
from reversis.words.events import FAULT_PHRASES
from rulebook.model import Library, Value
from rulebook.phrases import format_ordinal

STAKE_SUBJECT = "stake"
FAULT_SUBJECT = "fault"


# ---- the record
@dataclass(frozen=True, slots=True)
class PaymentSituation:
    """Something that can happen in a deal, and the way to find it."""

    id: str  #: quinola-forced-opposite-last
    topic: str  #: a group of questions
    words: str
    kind: str  #: quinola | ace | reversis | espagnolette | partie | stake | fault
    manner: str  #: of a card; of a fault, its kind; otherwise the outcome
    wishes: tuple[Wish, ...] = ()  #: what a deal must have besides
    details: tuple[str, ...] = ()  #: of a card, words of wishes that it must fulfil
    seat: str = ""  #: opposite | side | own: the one player of the payment, seen from the other
    trick: int | None = None  #: from the front, or from the end: -1 is the last; None: any
    not_tricks: tuple[int, ...] = ()  #: no such trick
    suits: tuple[str, ...] = ()  #: of an ace; none: any
    takes: bool = False  #: of a card: it takes its trick
    noticed: str = ""  #: of a misdeal, when it comes out
    redeemed: bool = False  #: of a misdeal: bought back
    event: str = ""  #: what happens, whatever the seats and the trick: "The quinola is forced"
    variant: str = ""  #: of an event: in which way it happens, with a gap for the player whom the seat names
    meaning: str = ""  #: of an event: what it means at the table

    @property
    def searchable(self) -> bool:
        """True if a deal that shows it can be generated; faults, and cards that take, stand in worked deals only."""
        return self.kind != FAULT_SUBJECT and not self.takes

    @property
    def card_wish(self) -> Wish:
        """Wish that its card must fulfil, whatever the suit of an ace."""
        return Wish(self.kind, tuple(map(Word, filter(None, (self.manner, *self.details, self.seat)))), "", self.trick)


# ---- the list of situations
RELATION_WORDS: Mapping[str, str] = {"opposite": "the player opposite", "side": "a neighbour", "own": "the holder"}
_PLAIN = Wish(WISH_REVERSIS, (Word("none"),)), Wish(WISH_ESPAGNOLETTE, (Word("none"),))


@dataclass(frozen=True, slots=True)
class _CardEvent:
    """Event that befalls a card: what its fact must be, in whose regard, and its words."""

    manner: str
    details: tuple[str, ...]
    seats: tuple[str, ...]
    words: str
    name: str
    meaning: str
    variant: str = ""
    in_last: bool = True  #: it can happen in the last trick


_CARD_EVENTS: Mapping[str, _CardEvent] = {
    "thrown-off": _CardEvent(
        "thrown-off",
        (),
        ("opposite", "side"),
        "is thrown off{trick}, which {who} takes",
        "thrown on another suit",
        "Another suit is led, of which its holder has no card.",
        "{who} takes the trick",
    ),
    "forced": _CardEvent(
        "followed",
        ("alone",),
        ("opposite", "side"),
        "is forced{trick} by {who}",
        "forced",
        "Another player leads its suit, and its holder has no other card of that suit.",
        "{who} led the suit",
    ),
    "led": _CardEvent(
        "led",
        ("claimed",),
        ("opposite", "side", "own"),
        "is led{trick}, and {who} wins the partie",
        "led",
        "Its holder opens a trick with it.",
        "{who} wins the partie",
    ),
    "put": _CardEvent(
        "followed",
        ("not-alone",),
        ("opposite", "side"),
        "is put{trick} on its own suit, led by {who}, though its holder had another",
        "played to its own suit by choice",
        "Another player leads its suit, and its holder plays it though they have another card of that suit.",
        "{who} led the suit",
        in_last=False,
    ),
    "laid-away": _CardEvent(
        "laid-away",
        (),
        ("",),
        "is left in the talon",
        "discarded before play",
        "It lies in the talon when play begins.",
    ),
}


def list_situations(library: Library) -> tuple[PaymentSituation, ...]:
    """List every situation on which there are questions, by topic in the order of the questions."""
    situations = *_list_card_situations(library), *_list_outcome_situations(), *_list_fault_situations()
    placed = [replace(situation, topic=_find_topic(library, situation)) for situation in situations]
    order = list(dict.fromkeys(question.group for question in library.questions.values()))
    return tuple(
        sorted(
            (situation for situation in placed if situation.topic), key=lambda situation: order.index(situation.topic)
        )
    )


def _find_topic(library: Library, situation: PaymentSituation) -> str:
    """Find the group of most questions that are named after the subject, or else of those on irregularities, if any."""
    prefix = situation.manner if situation.kind == FAULT_SUBJECT else situation.kind
    questions = library.questions.values()
    named = Counter(q.group for q in questions if q.slug.partition(".")[0] == prefix)
    groups = named or Counter(q.group for q in questions if q.affects == "irregularity")
    return next((group for group, _ in groups.most_common(1)), "")


def list_special_tricks(library: Library) -> tuple[int, ...]:
    """List the tricks that count more in any source, first those counted from the front."""
    cells = (library.find_cell(siglum, "payments.doubled-tricks") for siglum in library.sources)
    named = {number for cell in cells if cell is not None for number in _list_numbers(cell.value)}
    return tuple(sorted(named, key=lambda number: (number < 0, number)))


def _list_numbers(value: Value | None) -> Iterator[int]:
    if isinstance(value, tuple | Mapping):
        yield from (int(str(number)) for number in value)


def _list_card_situations(library: Library) -> Iterator[PaymentSituation]:
    special = list_special_tricks(library)
    cells = (library.find_cell(siglum, "ace.favoured-suit") for siglum in library.sources)
    favoured = tuple(sorted({str(c.value) for c in cells if c is not None and str(c.value) in cards.CARD_SUITS}))
    other = tuple(suit for suit in cards.CARD_SUITS if suit not in favoured)
    suits: Mapping[str, list[tuple[str, ...]]] = {WISH_QUINOLA: [()], WISH_ACE: [*((s,) for s in favoured), other]}
    for kind in CARD_SUBJECTS:
        for among in suits[kind]:
            looked = {m for r in RULES if kind in r.kinds for m in (r.manners or CARD_MANNERS)}
            for event in (name for name, event in _CARD_EVENTS.items() if event.manner in looked):
                yield from _vary_card_event(kind, among, event, special)
            if kind == WISH_QUINOLA:
                yield from _list_reversis_cards(kind)


def _vary_card_event(
    kind: str, suits: tuple[str, ...], name: str, special: tuple[int, ...]
) -> Iterator[PaymentSituation]:
    """Yield an event in every trick that counts more and in another, between players opposite and neighbours."""
    event = _CARD_EVENTS[name]
    tricks: tuple[int | None, ...] = (None,) if name == "laid-away" else (None, *special)
    for trick in tricks:
        for seat in event.seats if trick != -1 or event.in_last else ():
            when = "" if name == "laid-away" else f" in {_format_trick(trick)}"
            words = event.words.format(trick=when, who=RELATION_WORDS.get(seat, ""))
            yield PaymentSituation(
                "-".join(
                    filter(
                        None,
                        (
                            kind,
                            *(("".join(suits).lower(),) if suits else ()),
                            name,
                            seat,
                            _trick_slug(trick) if when else "",
                        ),
                    )
                ),
                "",
                f"The {_card_name(kind, suits)} {words}",
                kind,
                event.manner,
                _PLAIN,
                (*event.details, *(("free",) if name == "led" and trick != -1 else ())),
                seat,
                trick,
                special if trick is None and when else (),
                suits,
                event=f"{_CARD_SUBJECT_NAMES[kind]} is {event.name}",
                variant=event.variant,
                meaning=event.meaning,
            )


_CARD_SUBJECT_NAMES: Mapping[str, str] = {WISH_QUINOLA: "The quinola", WISH_ACE: "An ace"}


def _card_name(kind: str, suits: tuple[str, ...]) -> str:
    if kind != WISH_ACE:
        return kind
    return format_aces(suits)


def format_aces(suits: Sequence[str]) -> str:
    """Format the aces of some suits: "ace of spades, hearts or clubs"."""
    names = [cards.card_words(cards.parse_card_name(f"A{suit}")).removeprefix("ace of ") for suit in suits]
    return f"ace of {join_alternatives(names)}"


def join_alternatives(names: Sequence[str]) -> str:
    """Join names: "south, east or north"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _format_trick(trick: int | None) -> str:
    return "another trick" if trick is None else f"the {format_ordinal(trick)} trick"


def _trick_slug(trick: int | None) -> str:
    return "other" if trick is None else format_ordinal(trick).replace(" ", "-")


def _list_reversis_cards(kind: str) -> Iterator[PaymentSituation]:
    """Yield the fates of the quinola in a reversis, which may draw the pool, cost as much or undo payments."""
    broken = (Wish(WISH_REVERSIS, (Word("broken"),)),)
    words = f"The {kind} takes the trick that breaks a reversis"
    breaking = f"{_CARD_SUBJECT_NAMES[kind]} breaks a reversis"
    yield PaymentSituation(
        f"{kind}-breaks-reversis", "", words, kind, "followed", broken, takes=True, event=breaking, meaning=f"{words}."
    )
    for name in ("thrown-off", "forced", "led"):
        event = _CARD_EVENTS[name]
        for outcome in ("made", "broken"):
            for trick, when in ((-1, "last trick"), (None, "middle of the play")):
                yield PaymentSituation(
                    f"{kind}-{name}-reversis-{outcome}-{'last' if trick else 'early'}",
                    "",
                    f"A reversis is {outcome}, and the {kind} was {name.replace('-', ' ')} in the {when}",
                    kind,
                    event.manner,
                    (Wish(WISH_REVERSIS, (Word(outcome),)), _PLAIN[1]),
                    tuple(detail for detail in event.details if detail != "claimed"),
                    trick=trick,
                    not_tricks=() if trick else (-1, -2),
                    event=f"{_CARD_SUBJECT_NAMES[kind]} is {event.name}, and a reversis is {outcome}",
                    meaning=f"{event.meaning} In the same deal one player {_REVERSIS_MEANINGS[outcome]}.",
                )


_REVERSIS_MEANINGS: Mapping[str, str] = {
    "made": "takes every trick",
    "broken": "takes every trick but one of the last",
}
#: Outcomes: subject, word of a wish, words, whether the two players of the payment matter, tricks.
_OUTCOME_ROWS: tuple[tuple[str, str, str, tuple[str, ...], tuple[int | None, ...]], ...] = (
    (WISH_REVERSIS, "made", "The reversis is made", ("",), (None,)),
    (WISH_REVERSIS, "broken", "The reversis is broken by {who} in {trick}", ("opposite", "side"), (-2, -1)),
    (WISH_ESPAGNOLETTE, "won", "The espagnolette is won", ("",), (None,)),
    (WISH_ESPAGNOLETTE, "lost", "The espagnolette is lost", ("",), (None,)),
    (WISH_ESPAGNOLETTE, "breaking", "The espagnolette breaks a reversis", ("",), (None,)),
    (
        WISH_PARTIE,
        "without-a-trick",
        "The partie is won without a trick, {who} losing it",
        ("opposite", "side"),
        (None,),
    ),
    (WISH_PARTIE, "with-a-trick", "The partie is won with a trick, {who} losing it", ("opposite", "side"), (None,)),
    (STAKE_SUBJECT, "won", "The pool is won by tricks", ("",), (None,)),
)
_ESPAGNOLETTE_EVENT = "The espagnolette is won or lost"
_ESPAGNOLETTE_MEANING = "The espagnolette is the player who has used the right to throw off at will."
_PARTIE_EVENT = "A hand is won"
_PARTIE_MEANING = "Whoever loses the partie pays the winner; every book has its own way to find both."
#: Of an outcome: its event, in which way it happens, and what that means.
_OUTCOME_EVENTS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    (WISH_REVERSIS, "made"): ("The reversis is made", "", "One player has taken every trick."),
    (WISH_REVERSIS, "broken"): (
        "The reversis is broken",
        "{who} breaks it",
        "One player has taken every trick, until another takes one of the last.",
    ),
    (WISH_ESPAGNOLETTE, "won"): (_ESPAGNOLETTE_EVENT, "it is won", _ESPAGNOLETTE_MEANING),
    (WISH_ESPAGNOLETTE, "lost"): (_ESPAGNOLETTE_EVENT, "it is lost", _ESPAGNOLETTE_MEANING),
    (WISH_ESPAGNOLETTE, "breaking"): (_ESPAGNOLETTE_EVENT, "it breaks a reversis", _ESPAGNOLETTE_MEANING),
    (WISH_PARTIE, "without-a-trick"): (
        _PARTIE_EVENT,
        "the winner has taken no trick, and {who} loses",
        _PARTIE_MEANING,
    ),
    (WISH_PARTIE, "with-a-trick"): (_PARTIE_EVENT, "the winner has taken a trick, and {who} loses", _PARTIE_MEANING),
    (STAKE_SUBJECT, "won"): (
        "Nobody has won the pool with the quinola or a reversis",
        "",
        "The hand is over, and the pool is still there.",
    ),
}
#: The two players whose seats matter: words of wishes for who is paid and who pays.
OUTCOME_PARTNERS: Mapping[str, tuple[str, str]] = {
    WISH_REVERSIS: ("undertaken", "broken"),
    WISH_PARTIE: ("won", "lost"),
}
_CONDITIONS: Mapping[str, tuple[Wish, ...]] = {
    WISH_REVERSIS: _PLAIN[1:],
    WISH_PARTIE: _PLAIN,
    STAKE_SUBJECT: _PLAIN,
}


def _list_outcome_situations() -> Iterator[PaymentSituation]:
    for kind, manner, words, seats, tricks in _OUTCOME_ROWS:
        own = () if kind == STAKE_SUBJECT else (Wish(kind, (Word(manner),)),)
        event, variant, meaning = _OUTCOME_EVENTS[kind, manner]
        for trick in tricks:
            for seat in seats:
                yield PaymentSituation(
                    "-".join(filter(None, (kind, manner, seat, _trick_slug(trick) if trick else ""))),
                    "",
                    words.format(who=RELATION_WORDS.get(seat, ""), trick=_format_trick(trick)),
                    kind,
                    manner,
                    (*own, *_CONDITIONS.get(kind, ())),
                    seat=seat,
                    trick=trick,
                    event=event,
                    variant=variant,
                    meaning=meaning,
                )


def _list_fault_situations() -> Iterator[PaymentSituation]:
    """Yield the faults at which some rule looks, and those that a reversis may undo also with a reversis."""
    rules = [rule for rule in RULES if FAULT_SUBJECT in rule.kinds]
    for name in FAULT_KIND_BY_NAME:
        looking = [rule for rule in rules if name in rule.manners]
        for situation in _vary_fault(name) if looking else ():
            yield situation
            if any(rule.in_reversis for rule in looking):
                words = f"{situation.words}, and the same player makes the reversis"
                again = f"{situation.variant}, and then makes a reversis"
                wishes = (Wish(WISH_REVERSIS, (_MADE,)),)
                yield replace(situation, id=f"{situation.id}-reversis-made", words=words, wishes=wishes, variant=again)


_MADE = Word("made")
_FAULT_EVENT = "Somebody makes a mistake"
_PLAIN_FAULTS: Mapping[str, str] = {"revoke": "does not follow suit, though they could (a revoke)"}


def _vary_fault(name: str) -> Iterator[PaymentSituation]:
    """Yield a fault, or a misdeal for every time at which it may come out, bought back or not."""
    kind = FAULT_KIND_BY_NAME[name]
    for noticed in MISDEAL_STAGES if "noticed" in kind.needs else ("",):
        for redeemed in (False, True) if "redeemed" in kind.allows else (False,):
            when = f"noticed {noticed.replace('-', ' ')}" if noticed else ""
            words = ", ".join(
                filter(None, (f"A player {FAULT_PHRASES[name]}", when, "bought back" if redeemed else ""))
            )
            slug = "-".join(filter(None, (name, noticed, "redeemed" if redeemed else "")))
            yield PaymentSituation(
                slug,
                "",
                words,
                FAULT_SUBJECT,
                name,
                _PLAIN[:1],
                noticed=noticed,
                redeemed=redeemed,
                event=_FAULT_EVENT,
                variant=words.replace(FAULT_PHRASES[name], _PLAIN_FAULTS.get(name, FAULT_PHRASES[name]), 1),
            )
