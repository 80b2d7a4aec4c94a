"""Wishes for a deal, in a small closed vocabulary, such as "quinola forced from the side at the last trick".

A wish is a subject (the quinola, an ace, the reversis, the espagnolette, the partie) and what is to become of it. The
words are read from left to right; a subject begins a new wish, every other word adds to the wish before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.cards import parse_card_name
from engine.deal.events import Fact, Measures
from engine.play.replay import Played
from engine.readings.ask import Ask
from engine.settlement.outcome import DealOutcome, OutcomeView
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.payments.fate import classify_card_manner
from rulebook.model import FrozenMap
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

WISH_QUINOLA, WISH_ACE = CARD_SUBJECTS = ("quinola", "ace")
WISH_REVERSIS, WISH_ESPAGNOLETTE, WISH_PARTIE, WISH_TABLE = "reversis", "espagnolette", "partie", "table"


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that is wished of a subject, and of which player where one is named."""

    name: str  #: a key of CARD_WORDS or OUTCOME_WORDS
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """A subject and all that is wished of it; for a card, one and the same card must fulfil it all."""

    subject: str
    words: tuple[Word, ...] = ()
    suit: str = ""  #: of an ace, if one is named
    trick: int | None = None  #: counted from 1, or from the end: -1 is the last
    card: str = ""  #: a further privileged card, if one is named; otherwise the quinola is meant
    called: str = ""  #: the source's name for the privileged card, where that was used

    def has(self, *names: str) -> bool:
        """Return whether one of these is wished."""
        return any(w.name in names for w in self.words)

    def seat(self, *names: str) -> str:
        """The player named with one of these words; nobody: empty."""
        return next((w.seat for w in self.words if w.seat and (not names or w.name in names)), "")

    def __str__(self) -> str:
        what = f"ace of {_SUIT_NAMES[self.suit]}" if self.suit else self.called or self.subject
        pairs = ((_SPOKEN_WORDS.get(w.name, w.name.replace("-", " ")), w.seat) for w in self.words)
        words = " ".join(f"{word} by {seat}" if seat else word for word, seat in pairs)
        when = "" if self.trick is None else f"at {told_trick(self.trick)}"
        return " ".join(part for part in (what, words, when) if part)


@dataclass(frozen=True)
class Sketch:
    """A partial deal and its wishes: seats are numbers, None is unknown."""

    wishes: tuple[Wish, ...] = ()
    seats: tuple[str, ...] = ()
    players: int | None = None
    pack: int | None = None
    dealer: int | None = None
    hands: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    talon: tuple[int, ...] = ()
    tricks: tuple[tuple[int | None, ...], ...] = ()
    claims: Mapping[int, bool] = field(default_factory=dict)
    id: str = "filled"
    rest: Mapping[str, object] = field(default_factory=dict)  #: fields of a Deal that are taken over as they stand


_SPOKEN_WORDS: Mapping[str, str] = {"side": "from the side", "opposite": "from opposite"}
_SUIT_NAMES: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def told_trick(number: int) -> str:
    """A trick in words."""
    return {1: "the first trick", -1: "the last trick", -2: "the last but one trick"}.get(number, f"trick {number}")


# ---- what the words mean
@dataclass(frozen=True)
class Look:
    """A deal that has been played, as the words look at it."""

    played: Played
    outcome: OutcomeView
    ask: Ask
    seats: tuple[str, ...]
    pack: int

    @property
    def measures(self) -> Measures:
        """The counts of the deal."""
        return self.played.measures


def observe_deal(played: Played, ask: Ask, seats: tuple[str, ...], pack: int) -> Look:
    """Prepare a played deal for the words of a wish to look at."""
    return Look(played, DealOutcome(played.measures, ask).seen(ask.fresh()), ask, seats, pack)


def _find_counterpart(fact: Fact, outcome: OutcomeView) -> int | None:
    """Find who led to a card, took it, or (if it was led) wins the partie."""
    if fact.manner == "led":
        return outcome.winner
    return {"followed": fact.leader, "thrown-off": fact.taker}.get(fact.manner)


def _is_from_opposite(fact: Fact, at: Look) -> bool:
    other = _find_counterpart(fact, at.outcome)
    return other is not None and fact.player is not None and sit_opposite(fact, fact.player, other)


CardWord: TypeAlias = Callable[[Fact, Look], bool]
CARD_WORDS: Mapping[str, CardWord] = {
    "led": lambda f, at: f.manner == "led",
    "followed": lambda f, at: f.manner == "followed",
    "thrown-off": lambda f, at: f.manner == "thrown-off",
    "laid-away": lambda f, at: f.manner == "laid-away",
    "forced": lambda f, at: f.manner == "followed" and classify_card_manner(f, at.ask.fresh()) == "forced",
    "put": lambda f, at: f.manner == "followed" and classify_card_manner(f, at.ask.fresh()) == "put",
    "claimed": lambda f, at: f.manner == "led" and f.claimed,
    "unclaimed": lambda f, at: f.manner == "led" and not f.claimed,
    "alone": lambda f, at: f.alone,
    "not-alone": lambda f, at: f.trick is not None and not f.alone,
    "free": lambda f, at: f.free,
    "not-free": lambda f, at: f.manner == "led" and not f.free,
    "opposite": _is_from_opposite,
    "side": lambda fact, at: (
        _find_counterpart(fact, at.outcome) not in (None, fact.player) and (not _is_from_opposite(fact, at))
    ),
    "own": lambda f, at: f.player is not None and _find_counterpart(f, at.outcome) == f.player,
    "held": lambda f, at: f.trick is not None,
}


FORCING = "forced"  #: "forced by east": east has led to it; after any other word, east held the card
#: These say more of how a card falls; a player named after them is the one by whom it falls.
_DETAILS = frozenset(["alone", "not-alone", "free", "not-free", "opposite", "side", "own"])


def _find_breaker(m: Measures, outcome: OutcomeView) -> int | None:
    """Find who first took a trick against the player who undertook the reversis."""
    return next((s for s in m.takers if s != outcome.hero), None)


def winner_has_trick(at: Look) -> bool:
    """Return whether the winner of the partie has taken a trick."""
    return at.outcome.winner in at.measures.takers


#: What may become of the other subjects: who it is that has done it, if anybody has; None or False is nobody.
OUTCOME_WORDS: Mapping[tuple[str, str], Callable[[Look], int | bool | None]] = {
    (WISH_REVERSIS, "none"): lambda at: at.outcome.hero is None,
    (WISH_REVERSIS, "undertaken"): lambda at: at.outcome.hero,
    (WISH_REVERSIS, "made"): lambda at: at.outcome.hero if at.outcome.made else None,
    (WISH_REVERSIS, "broken"): lambda at: (
        _find_breaker(at.measures, at.outcome) if at.outcome.hero is not None and not at.outcome.made else None
    ),
    (WISH_ESPAGNOLETTE, "none"): lambda at: at.outcome.espagnolette is None,
    (WISH_ESPAGNOLETTE, "undertaken"): lambda at: at.outcome.espagnolette,
    (WISH_ESPAGNOLETTE, "won"): lambda at: (
        None if at.outcome.espagnolette_lost or at.outcome.hero is not None else at.outcome.espagnolette
    ),
    (WISH_ESPAGNOLETTE, "lost"): lambda at: at.outcome.espagnolette if at.outcome.espagnolette_lost else None,
    (WISH_ESPAGNOLETTE, "breaking"): lambda at: (
        at.outcome.espagnolette
        if at.outcome.hero is not None and at.outcome.espagnolette == _find_breaker(at.measures, at.outcome)
        else None
    ),
    (WISH_PARTIE, "none"): lambda at: at.outcome.winner is None,
    (WISH_PARTIE, "won"): lambda at: at.outcome.winner,
    (WISH_PARTIE, "lost"): lambda at: at.outcome.loser,
    (WISH_PARTIE, "with-a-trick"): lambda at: at.outcome.winner if winner_has_trick(at) else None,
    (WISH_PARTIE, "without-a-trick"): lambda at: None if winner_has_trick(at) else at.outcome.winner,
    (WISH_TABLE, "four"): lambda at: len(at.seats) == 4,
    (WISH_TABLE, "five"): lambda at: len(at.seats) == 5,
    (WISH_TABLE, "48"): lambda at: at.pack == 48,
    (WISH_TABLE, "52"): lambda at: at.pack == 52,
}


def is_wish_fulfilled(wish: Wish, at: Look) -> bool:
    """Return whether a deal has what is wished."""
    if wish.subject in CARD_SUBJECTS:
        return any(is_wished_card(fact, wish, at) for fact in at.played.facts)
    return all(done_by(OUTCOME_WORDS[wish.subject, w.name](at), w.seat, at) for w in wish.words)


def done_by(who: int | bool | None, seat: str, at: Look) -> bool:
    """Return whether anybody has done it, and the one who is named if any is."""
    if isinstance(who, bool) or who is None:
        return bool(who)
    return not seat or at.seats[who] == seat


def is_wished_card(fact: Fact, wish: Wish, at: Look) -> bool:
    """Return whether what befell a card is all that is wished of it."""
    if fact.kind != wish.subject or (wish.suit and fact.suit != wish.suit):
        return False
    if wish.trick is not None and not is_in_trick(fact, wish.trick):
        return False
    if fact.card != parse_card_name(wish.card) if wish.card else fact.further:
        return False
    return all(CARD_WORDS[w.name](fact, at) and is_by_named_player(fact, w, at) for w in wish.words)


def is_by_named_player(fact: Fact, word: Word, at: Look) -> bool:
    """Return whether the named player forced the card, or for any other word held it."""
    who = fact.leader if word.name == FORCING else fact.player
    return not word.seat or (who is not None and at.seats[who] == word.seat)


def is_in_trick(fact: Fact, number: int) -> bool:
    """Return whether the card fell in that trick, counted from the front or, below 0, from the end."""
    return fact.trick == (number if number > 0 else fact.last + 1 + number)


def wished_card(wish: Wish, quinola: int) -> int | None:
    """The card itself, where the wish names just one."""
    if wish.subject == WISH_QUINOLA:
        return parse_card_name(wish.card) if wish.card else quinola
    return parse_card_name(f"A{wish.suit}") if wish.suit else None


# ---- reading
#: The words of the vocabulary: what is written, and the subject it names or what it wishes.
SUBJECT_PHRASES: Mapping[str, Wish] = {
    "quinola": Wish(WISH_QUINOLA),
    "jack of hearts": Wish(WISH_QUINOLA),
    **{f"ace of {name}": Wish(WISH_ACE, suit=suit) for suit, name in _SUIT_NAMES.items()},
    "ace": Wish(WISH_ACE),
    "no reversis": Wish(WISH_REVERSIS, (Word("none"),)),
    "reversis": Wish(WISH_REVERSIS),
    "no espagnolette": Wish(WISH_ESPAGNOLETTE, (Word("none"),)),
    "espagnolette": Wish(WISH_ESPAGNOLETTE),
    "no partie": Wish(WISH_PARTIE, (Word("none"),)),
    "partie": Wish(WISH_PARTIE),
    "talon": Wish(WISH_PARTIE),
    "four players": Wish(WISH_TABLE, (Word("four"),)),
    "five players": Wish(WISH_TABLE, (Word("five"),)),
    "48 cards": Wish(WISH_TABLE, (Word("48"),)),
    "52 cards": Wish(WISH_TABLE, (Word("52"),)),
}
WORD_PHRASES: Mapping[str, str] = {
    **{name.replace("-", " "): name for name in CARD_WORDS},
    "in the talon": "laid-away",
    "not claimed": "unclaimed",
    "from the side": "side",
    "from opposite": "opposite",
    "from the player opposite": "opposite",
    **{name.replace("-", " "): name for subject, name in OUTCOME_WORDS if subject != WISH_TABLE},
    "trickless": "without-a-trick",
    "without trick": "without-a-trick",
    "with trick": "with-a-trick",
}
_MOST_TRICKS = 12  #: tricks of the largest hands: 52 cards among four
TRICK_PHRASES: Mapping[str, int] = {
    "first trick": 1,
    "last trick": -1,
    "last but one trick": -2,
    **{f"trick {n}": n for n in range(1, _MOST_TRICKS + 1)},
}
FILLER = frozenset(["a", "an", "the", "and", "is", "was", "in", "at", "of", "on", "to", "from", "then", "both", "it"])
MAX_PHRASE_WORDS = 4  #: words in a phrase
MOST_NAMED = 6  #: phrases in a hint


def list_example_wishes() -> Iterator[str]:
    """Yield every subject, and with it each thing that may become of it; players and tricks are added by hand."""
    for phrase, subject in SUBJECT_PHRASES.items():
        yield phrase
        if not subject.words:
            of_card = subject.subject in CARD_SUBJECTS
            outcomes = CARD_WORDS if of_card else (name for kind, name in OUTCOME_WORDS if kind == subject.subject)
            yield from (f"{phrase} {name.replace('-', ' ')}" for name in outcomes if name != "none")


def describe_vocabulary() -> str:
    """Describe all that may be wished, in a few lines."""
    cards = ", ".join(w for w in CARD_WORDS)
    rest = "; ".join(
        f"{subject}: {', '.join(n for s, n in OUTCOME_WORDS if s == subject)}"
        for subject in (WISH_REVERSIS, WISH_ESPAGNOLETTE, WISH_PARTIE)
    )
    return (
        f"quinola, ace, ace of SUIT: {cards}, first trick, last trick, trick N; {rest}; "
        "four or five players, 48 or 52 cards; by PLAYER after any of them"
    )


def read_wishes(
    text: str, seats: Sequence[str], cards: Mapping[str, str] = FrozenMap()
) -> tuple[tuple[Wish, ...], list[str]]:
    """The wishes of a text, and all that cannot be understood in it, each with the way out.

    `cards` are the names that a source has for its privileged cards, each with its card; the quinola's is empty.
    """
    words, wishes, wrong = _split_phrase(text), list[Wish](), list[str]()
    names = {s.casefold(): s for s in seats}
    named = {" ".join(_split_phrase(called)): (card, called) for called, card in cards.items()}
    subjects = {
        **SUBJECT_PHRASES,
        **{phrase: Wish(WISH_QUINOLA, card=card, called=called) for phrase, (card, called) in named.items()},
    }
    most = max(MAX_PHRASE_WORDS, *(len(phrase.split()) for phrase in subjects))
    at = 0
    while at < len(words):
        length, wish, why = next_phrase(words[at : at + most], wishes[-1] if wishes else None, names, subjects)
        if why:
            wrong.append(why)
        elif wish is not None:
            if " ".join(words[at : at + length]) not in subjects:
                wishes.pop()
            wishes.append(wish)
        at += length
    bare = [
        f"{w}: and what of it? " + describe_vocabulary()
        for w in wishes
        if not w.words and w.subject not in CARD_SUBJECTS
    ]
    return tuple(wishes), wrong or bare


def _split_phrase(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


Phrase: TypeAlias = "tuple[int, Wish | None, str]"


def next_phrase(
    words: Sequence[str], last: Wish | None, seats: Mapping[str, str], subjects: Mapping[str, Wish] = SUBJECT_PHRASES
) -> Phrase:
    """Read the next phrase: its number of words, the wish it begins or adds to, and what is wrong."""
    for length in range(len(words), 0, -1):
        phrase = " ".join(words[:length])
        if phrase in subjects:
            return length, subjects[phrase], ""
        if phrase in WORD_PHRASES or phrase in TRICK_PHRASES:
            return length, *_extend_wish(last, phrase)
    if words[0] == "trick" and len(words) > 1 and words[1].isdecimal():
        return 2, None, f"there is no trick {words[1]}: tricks are numbered from 1 to {_MOST_TRICKS} at the most"
    if words[0] == "by":
        return 2, *add_player_to_wish(last, words[1] if len(words) > 1 else "", seats)
    if words[0] in FILLER:
        return 1, None, ""
    return 1, None, f"{quote_value(words[0])} is no word of a wish: {suggest_phrase(words[0])}"


def _extend_wish(last: Wish | None, phrase: str) -> tuple[Wish | None, str]:
    if last is None:
        return None, f"{quote_value(phrase)} of what: begin with a card, the reversis, the espagnolette or the partie"
    name = WORD_PHRASES.get(phrase, "")
    known = CARD_WORDS if last.subject in CARD_SUBJECTS else [n for s, n in OUTCOME_WORDS if s == last.subject]
    if (phrase in TRICK_PHRASES and last.subject not in CARD_SUBJECTS) or (name and name not in known):
        return None, f"{quote_value(phrase)} cannot be said of the {last.subject}: known are {', '.join(known)}"
    if phrase in TRICK_PHRASES:
        return replace(last, trick=TRICK_PHRASES[phrase]), ""
    return replace(last, words=(*last.words, Word(name))), ""


def add_player_to_wish(last: Wish | None, name: str, seats: Mapping[str, str]) -> tuple[Wish | None, str]:
    """Add to a wish the player by whom it is to be done."""
    if name not in seats:
        otherwise = f"at the table are {', '.join(seats.values())}"
        hint = did_you_mean(name, seats, otherwise, lambda near: repr(seats[near]))
        return None, f"by {quote_value(name)}: {hint}"
    if last is None or last.subject == WISH_TABLE:
        return None, f"by {name}: what?"
    open_words = [word for word in last.words if not word.seat and word.name not in _DETAILS]
    if last.subject in CARD_SUBJECTS and not open_words:
        return replace(last, words=(*last.words, Word("held", seats[name]))), ""
    if not last.words:
        return None, f"by {name}: what is he to do? {describe_vocabulary()}"
    at = last.words.index(open_words[-1] if open_words else last.words[-1])
    return replace(last, words=(*last.words[:at], replace(last.words[at], seat=seats[name]), *last.words[at + 1 :])), ""


def suggest_phrase(word: str) -> str:
    """Suggest the word that was meant, or how a word goes on that means nothing alone, or name all there are."""
    phrases = (*SUBJECT_PHRASES, *WORD_PHRASES, *TRICK_PHRASES)
    longer = [phrase for phrase in phrases if word in phrase.split()]
    others = f" and {len(longer) - MOST_NAMED} more" if len(longer) > MOST_NAMED else ""
    otherwise = (
        f"it stands only in {', '.join(map(repr, longer[:MOST_NAMED]))}{others}" if longer else describe_vocabulary()
    )
    return did_you_mean(word, sorted({w for phrase in phrases for w in phrase.split()} | {"by"}), otherwise, repr)
