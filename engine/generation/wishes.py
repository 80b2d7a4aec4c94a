"""What one may wish of a deal, in a small closed vocabulary: "quinola forced from the side at the last trick".

A wish is a subject (the quinola, an ace, the reversis, the espagnolette, the partie) and what is to become of it. The
words are read from left to right; a subject begins a new wish, every other word adds to the wish before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import card
from engine.deal.events import Fact, Measures
from engine.play.replay import Played
from engine.readings.ask import Ask
from engine.settlement.outcome import Outcome, Seen
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.payments.fate import manner
from rulebook.suggestions import did_you_mean

QUINOLA, ACE, REVERSIS, ESPAGNOLETTE, PARTIE, TABLE = "quinola", "ace", "reversis", "espagnolette", "partie", "table"
CARDS = (QUINOLA, ACE)


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

    def has(self, *names: str) -> bool:
        """Whether one of these is wished."""
        return any(w.name in names for w in self.words)

    def seat(self, *names: str) -> str:
        """The player named with one of these words; nobody: empty."""
        return next((w.seat for w in self.words if w.seat and (not names or w.name in names)), "")

    def __str__(self) -> str:
        what = f"ace of {SUIT_NAMES[self.suit]}" if self.suit else self.subject
        told = ((TOLD.get(w.name, w.name.replace("-", " ")), w.seat) for w in self.words)
        words = " ".join(f"{word} by {seat}" if seat else word for word, seat in told)
        when = "" if self.trick is None else f"at {told_trick(self.trick)}"
        return " ".join(part for part in (what, words, when) if part)


TOLD: Mapping[str, str] = {"side": "from the side", "opposite": "from opposite"}
SUIT_NAMES: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def told_trick(number: int) -> str:
    """A trick in words."""
    return {1: "the first trick", -1: "the last trick", -2: "the last but one trick"}.get(number, f"trick {number}")


# ---- what the words mean
@dataclass(frozen=True)
class Look:
    """A deal that has been played, as the words look at it."""

    played: Played
    outcome: Seen
    ask: Ask
    seats: tuple[str, ...]
    pack: int

    @property
    def measures(self) -> Measures:
        """What can be counted."""
        return self.played.measures


def look(played: Played, ask: Ask, seats: tuple[str, ...], pack: int) -> Look:
    """A played deal, ready to be looked at."""
    return Look(played, Outcome(played.measures, ask).seen(ask.fresh()), ask, seats, pack)


def counterpart(fact: Fact, outcome: Seen) -> int | None:
    """The player with whom a card has to do: who led to it, who took it, or who wins the partie if it was led."""
    if fact.manner == "led":
        return outcome.winner
    return {"followed": fact.leader, "thrown-off": fact.taker}.get(fact.manner)


def opposite(fact: Fact, at: Look) -> bool:
    """The other sits opposite."""
    other = counterpart(fact, at.outcome)
    return other is not None and fact.player is not None and sit_opposite(fact, fact.player, other)


def beside(fact: Fact, at: Look) -> bool:
    """The other sits at the side."""
    other = counterpart(fact, at.outcome)
    return other not in (None, fact.player) and not opposite(fact, at)


CardWord: TypeAlias = Callable[[Fact, Look], bool]
CARD_WORDS: Mapping[str, CardWord] = {
    "led": lambda f, at: f.manner == "led",
    "followed": lambda f, at: f.manner == "followed",
    "thrown-off": lambda f, at: f.manner == "thrown-off",
    "laid-away": lambda f, at: f.manner == "laid-away",
    "forced": lambda f, at: f.manner == "followed" and manner(f, at.ask.fresh()) == "forced",
    "put": lambda f, at: f.manner == "followed" and manner(f, at.ask.fresh()) == "put",
    "claimed": lambda f, at: f.manner == "led" and f.claimed,
    "unclaimed": lambda f, at: f.manner == "led" and not f.claimed,
    "alone": lambda f, at: f.alone,
    "not-alone": lambda f, at: f.trick is not None and not f.alone,
    "free": lambda f, at: f.free,
    "not-free": lambda f, at: f.manner == "led" and not f.free,
    "opposite": opposite,
    "side": beside,
    "own": lambda f, at: f.player is not None and counterpart(f, at.outcome) == f.player,
    "held": lambda f, at: f.trick is not None,
}


FORCING = ("forced", "opposite", "side")  #: "forced by east": east has led to it; otherwise, who held the card


def breaker(m: Measures, outcome: Seen) -> int | None:
    """Who first took a trick against him who had undertaken the reversis."""
    return next((s for s in m.takers if s != outcome.hero), None)


def winner_has_trick(at: Look) -> bool:
    """Whether the winner of the partie has taken a trick."""
    return at.outcome.winner in at.measures.takers


#: What may become of the other subjects: who it is that has done it, if anybody has; None or False is nobody.
OUTCOME_WORDS: Mapping[tuple[str, str], Callable[[Look], int | bool | None]] = {
    (REVERSIS, "none"): lambda at: at.outcome.hero is None,
    (REVERSIS, "undertaken"): lambda at: at.outcome.hero,
    (REVERSIS, "made"): lambda at: at.outcome.hero if at.outcome.made else None,
    (REVERSIS, "broken"): lambda at: (
        breaker(at.measures, at.outcome) if at.outcome.hero is not None and not at.outcome.made else None
    ),
    (ESPAGNOLETTE, "none"): lambda at: at.outcome.espagnolette is None,
    (ESPAGNOLETTE, "undertaken"): lambda at: at.outcome.espagnolette,
    (ESPAGNOLETTE, "won"): lambda at: (
        None if at.outcome.espagnolette_lost or at.outcome.hero is not None else at.outcome.espagnolette
    ),
    (ESPAGNOLETTE, "lost"): lambda at: at.outcome.espagnolette if at.outcome.espagnolette_lost else None,
    (ESPAGNOLETTE, "breaking"): lambda at: (
        at.outcome.espagnolette
        if at.outcome.hero is not None and at.outcome.espagnolette == breaker(at.measures, at.outcome)
        else None
    ),
    (PARTIE, "none"): lambda at: at.outcome.winner is None,
    (PARTIE, "won"): lambda at: at.outcome.winner,
    (PARTIE, "lost"): lambda at: at.outcome.loser,
    (PARTIE, "with-a-trick"): lambda at: at.outcome.winner if winner_has_trick(at) else None,
    (PARTIE, "without-a-trick"): lambda at: None if winner_has_trick(at) else at.outcome.winner,
    (TABLE, "four"): lambda at: len(at.seats) == 4,
    (TABLE, "five"): lambda at: len(at.seats) == 5,
    (TABLE, "48"): lambda at: at.pack == 48,
    (TABLE, "52"): lambda at: at.pack == 52,
}


def granted(wish: Wish, at: Look) -> bool:
    """Whether a deal has what is wished."""
    if wish.subject in CARDS:
        return any(fulfils(fact, wish, at) for fact in at.played.facts)
    return all(done_by(OUTCOME_WORDS[wish.subject, w.name](at), w.seat, at) for w in wish.words)


def done_by(who: int | bool | None, seat: str, at: Look) -> bool:
    """Whether anybody has done it, and he who is named if one is."""
    if isinstance(who, bool) or who is None:
        return bool(who)
    return not seat or at.seats[who] == seat


def fulfils(fact: Fact, wish: Wish, at: Look) -> bool:
    """Whether this is the card that is wished for."""
    if fact.kind != wish.subject or (wish.suit and fact.suit != wish.suit) or not in_trick(fact, wish):
        return False
    return all(CARD_WORDS[w.name](fact, at) and at_hand(fact, w, at) for w in wish.words)


def at_hand(fact: Fact, word: Word, at: Look) -> bool:
    """Whether it was the player who is named: who forced the card, or otherwise who held it."""
    who = fact.leader if word.name in FORCING else fact.player
    return not word.seat or (who is not None and at.seats[who] == word.seat)


def in_trick(fact: Fact, wish: Wish) -> bool:
    """Whether it fell in the trick that is wished."""
    if wish.trick is None:
        return True
    return fact.trick == (wish.trick if wish.trick > 0 else fact.last + 1 + wish.trick)


def wished_card(wish: Wish, quinola: int) -> int | None:
    """The card itself, where the wish names just one."""
    if wish.subject == QUINOLA:
        return quinola
    return card(f"A{wish.suit}") if wish.suit else None


# ---- reading
#: The words of the vocabulary: what is written, and the subject it names or what it wishes.
SUBJECTS: Mapping[str, Wish] = {
    "quinola": Wish(QUINOLA),
    "jack of hearts": Wish(QUINOLA),
    **{f"ace of {name}": Wish(ACE, suit=suit) for suit, name in SUIT_NAMES.items()},
    "ace": Wish(ACE),
    "no reversis": Wish(REVERSIS, (Word("none"),)),
    "reversis": Wish(REVERSIS),
    "no espagnolette": Wish(ESPAGNOLETTE, (Word("none"),)),
    "espagnolette": Wish(ESPAGNOLETTE),
    "no partie": Wish(PARTIE, (Word("none"),)),
    "partie": Wish(PARTIE),
    "talon": Wish(PARTIE),
    "four players": Wish(TABLE, (Word("four"),)),
    "five players": Wish(TABLE, (Word("five"),)),
    "48 cards": Wish(TABLE, (Word("48"),)),
    "52 cards": Wish(TABLE, (Word("52"),)),
}
SAID: Mapping[str, str] = {
    **{name.replace("-", " "): name for name in CARD_WORDS},
    "in the talon": "laid-away",
    "not claimed": "unclaimed",
    "from the side": "side",
    "from opposite": "opposite",
    "from the player opposite": "opposite",
    **{name.replace("-", " "): name for subject, name in OUTCOME_WORDS if subject != TABLE},
    "trickless": "without-a-trick",
    "without trick": "without-a-trick",
    "with trick": "with-a-trick",
}
TRICKS: Mapping[str, int] = {
    "first trick": 1,
    "last trick": -1,
    "last but one trick": -2,
    **{f"trick {n}": n for n in range(1, 13)},
}
FILLER = frozenset(["a", "an", "the", "and", "is", "was", "in", "at", "of", "on", "to", "from", "then", "both", "it"])
LONGEST = 4  #: words in a phrase
MOST_NAMED = 6  #: phrases in a hint


def vocabulary() -> str:
    """All that may be wished, in a few lines."""
    cards = ", ".join(w for w in CARD_WORDS)
    rest = "; ".join(
        f"{subject}: {', '.join(n for s, n in OUTCOME_WORDS if s == subject)}"
        for subject in (REVERSIS, ESPAGNOLETTE, PARTIE)
    )
    return (
        f"quinola, ace, ace of SUIT: {cards}, first trick, last trick, trick N; {rest}; "
        "four or five players, 48 or 52 cards; by PLAYER after any of them"
    )


def read_wishes(text: str, seats: Sequence[str]) -> tuple[tuple[Wish, ...], list[str]]:
    """The wishes of a text, and all that cannot be understood in it, each with the way out."""
    said, wishes, wrong = re.findall(r"[^\W_]+", text.casefold()), list[Wish](), list[str]()
    names = {s.casefold(): s for s in seats}
    at = 0
    while at < len(said):
        length, wish, why = next_phrase(said[at : at + LONGEST], wishes[-1] if wishes else None, names)
        if why:
            wrong.append(why)
        elif wish is not None:
            if " ".join(said[at : at + length]) not in SUBJECTS:
                wishes.pop()
            wishes.append(wish)
        at += length
    bare = [f"{w}: and what of it? " + vocabulary() for w in wishes if not w.words and w.subject not in CARDS]
    return tuple(wishes), wrong or bare


Phrase: TypeAlias = "tuple[int, Wish | None, str]"


def next_phrase(said: Sequence[str], last: Wish | None, seats: Mapping[str, str]) -> Phrase:
    """How many words the next phrase has, the wish that it begins or adds to, and what is wrong with it."""
    for length in range(min(LONGEST, len(said)), 0, -1):
        phrase = " ".join(said[:length])
        if phrase in SUBJECTS:
            return length, SUBJECTS[phrase], ""
        if phrase in SAID or phrase in TRICKS:
            return length, *more(last, phrase)
    if said[0] == "by":
        return 2, *named(last, said[1] if len(said) > 1 else "", seats)
    if said[0] in FILLER:
        return 1, None, ""
    return 1, None, f"{said[0]!r} is no word of a wish: {near(said[0])}"


def more(last: Wish | None, phrase: str) -> tuple[Wish | None, str]:
    """What a phrase adds to the wish before it."""
    if last is None:
        return None, f"{phrase!r} of what: begin with a card, the reversis, the espagnolette or the partie"
    name = SAID.get(phrase, "")
    known = CARD_WORDS if last.subject in CARDS else [n for s, n in OUTCOME_WORDS if s == last.subject]
    if (phrase in TRICKS and last.subject not in CARDS) or (name and name not in known):
        return None, f"{phrase!r} cannot be said of the {last.subject}: known are {', '.join(known)}"
    if phrase in TRICKS:
        return replace(last, trick=TRICKS[phrase]), ""
    return replace(last, words=(*last.words, Word(name))), ""


def named(last: Wish | None, name: str, seats: Mapping[str, str]) -> tuple[Wish | None, str]:
    """By whom it is to be done."""
    if name not in seats:
        otherwise = f"at the table are {', '.join(seats.values())}"
        hint = did_you_mean(name, seats, otherwise, lambda near: repr(seats[near]))
        return None, f"by {name!r}: {hint}"
    if last is None or last.subject == TABLE:
        return None, f"by {name}: what?"
    words = last.words or ((Word("held"),) if last.subject in CARDS else ())
    if not words:
        return None, f"by {name}: what is he to do? {vocabulary()}"
    return replace(last, words=(*words[:-1], replace(words[-1], seat=seats[name]))), ""


def near(word: str) -> str:
    """Suggest the word that was meant, or how a word goes on that means nothing alone, or name all there are."""
    phrases = (*SUBJECTS, *SAID, *TRICKS)
    longer = [phrase for phrase in phrases if word in phrase.split()]
    others = f" and {len(longer) - MOST_NAMED} more" if len(longer) > MOST_NAMED else ""
    otherwise = f"it stands only in {', '.join(map(repr, longer[:MOST_NAMED]))}{others}" if longer else vocabulary()
    return did_you_mean(word, sorted({w for phrase in phrases for w in phrase.split()} | {"by"}), otherwise, repr)
