"""A deal read from a diagram in plain letters, as card books print it.

What is accepted, and nothing else:

- **Hands.** The name of a player stands over his cards; `(dealer)` or `(D)` may follow it. Under it stand up to four
  lines, each a suit and its cards: the suit is a sign (♠ ♥ ♦ ♣, also ♤ ♡ ♢ ♧) or one of the letters S H D C before a
  colon or a blank; the cards are A K Q J T 9 ... 2, together or apart, with `10` for T and the French R D V for K Q J.
  A dash, or nothing, is a void. Hands may stand in columns, north over south and west beside east: what stands in one
  line is parted by three blanks or more (two after a void), and a suit belongs to the name that stands nearest over it.
- **The talon**: `Talon: JH A♠ QC`, or the word `Talon` like the name of a player, over its suits.
- **Lines that begin with a word and a colon**: `Dealer:` (or `(dealer)` after a name; needed), `Pack:` (48 or 52;
  otherwise counted), `Seats:` (the names in order of play; needed unless they are South, East, North and West),
  `Pool:` (the stake), `Title:`, `Note:`, `Deal:`.
- **The play**: rows that begin with a number and a point, bracket or colon, in order: `1. QD 9D 4D KD`, the leader's
  card first. A card is rank and suit, or a suit sign and rank. After the number the leader may be named: `2. West: 5C
  6C 9C JC`. A diagram with fewer rows than cards in a hand is a fragment.
- Empty lines, lines that begin with `#`, and the headings `Tricks`, `Play` and `The play` say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.cards import RANK_SPELLINGS, SUIT_SPELLINGS, CourtLetters, format_card, parse_card_name
from engine.deal.fields import RecordPlace
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from rulebook.problems import Problem, Where
from rulebook.strings import find_unfit_letter, locate_letter, quote_value
from rulebook.suggestions import did_you_mean

COMPASS = ("south", "east", "north", "west")
KEYWORDS = ("dealer", "pack", "seats", "pool", "title", "note", "deal")
_BESIDE_NAME = "cards beside the name"
_IGNORED_HEADINGS = ("tricks", "play", "the play")
DASHES = "-–—"
_SUIT_SIGNS = "♠♥♦♣♤♡♢♧"
SUIT_LINE = re.compile(rf"(?:([{_SUIT_SIGNS}])\s*:?|([SHDC])(?::|(?=\s)|$))\s*(.*)")
_TRICK_ROW_RE = re.compile(r"(\d+)\s*[.):]\s*(.*)")
_KEYWORD_LINE_RE = re.compile(r"([^\W\d_](?:[^:]*[^:\s])?)\s*:\s*(.*)")
_PLAYER_NAME_RE = re.compile(r"([^\W\d_](?:[\w' -]*[\w'-])?)\s*(\((?:dealer|d)\))?", re.IGNORECASE)
_PIECE_RE = re.compile(r"\S+(?: {1,2}\S+)*")
_MAX_DIAGRAM_LETTERS = 20_000  #: letters; a whole deal takes fewer than two thousand
MOST_DIGITS = 9  #: of a number; Python reads none of thousands


@dataclass
class DiagramHand:
    """The cards under one name, and where it stands."""

    name: str
    column: int
    line: int
    cards: list[str] = field(default_factory=list)


class Diagram:
    """Reads one diagram, line by line, writing down every fault and going on."""

    def __init__(self, file: str) -> None:
        self.file, self.problems = file, list[Problem]()
        self.hands: list[DiagramHand] = []
        self.said: dict[str, tuple[str, int]] = {}
        self.rows: list[tuple[str, int]] = []
        self.line = 0
        self.courts = CourtLetters()

    def wrong(self, what: str, way_out: str, column: int = 1) -> None:
        """Note a fault in this line."""
        self.problems.append(Problem(self.file, self.line, column, what, way_out))

    def check_court(self, name: str, column: int = 1) -> None:
        """Note once that courts are in French letters here and in English ones there."""
        if mixture := self.courts.find_mixture(name, signed=True):
            self.wrong(mixture, self.courts.hint, column)

    def read(self, text: str) -> None:
        """Every line in turn."""
        for self.line, line in enumerate(text.expandtabs().splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                self.one(line)

    def one(self, line: str) -> None:
        """A row of the play, a word with a colon, or names and suits."""
        row, words = _TRICK_ROW_RE.fullmatch(line.strip()), _KEYWORD_LINE_RE.fullmatch(line.strip())
        if line.strip().rstrip(":").casefold() in _IGNORED_HEADINGS:
            return
        if row:
            self.trick(row[1], row[2])
        elif words and words[1].casefold() in KEYWORDS:
            self.say(words[1].casefold(), words[2])
        elif words and words[1].casefold() == "talon" and words[2]:
            self.hold(DiagramHand("talon", 1, self.line, self.cards(words[2])))
        elif words and words[1].casefold() in COMPASS and words[2]:
            self.wrong(f"{_BESIDE_NAME} {words[1]}", "cards go on the lines below the name, suit by suit")
        elif words and len(words[1]) > 1 and not _PLAYER_NAME_RE.fullmatch(line.strip()):
            self.wrong(f"{quote_value(words[1])} is no word of a diagram", _suggest_keyword(words[1], KEYWORDS))
        else:
            for piece in _PIECE_RE.finditer(line):
                self.piece(piece.group().rstrip(":"), piece.start())

    def piece(self, text: str, column: int) -> None:
        """A suit with its cards, or a name."""
        suit, titled = SUIT_LINE.fullmatch(text), _PLAYER_NAME_RE.fullmatch(text)
        if suit:
            self.suit(SUIT_SPELLINGS[suit[1] or suit[2]], suit[3], column)
        elif titled:
            self.hold(DiagramHand(titled[1].casefold(), column, self.line))
            if titled[2]:
                self.say("dealer", titled[1])
        else:
            self.wrong(
                f"{quote_value(text)} is neither a name nor a suit",
                "begin a suit with ♠ ♥ ♦ ♣ or S: H: D: C:",
                column + 1,
            )

    def say(self, word: str, text: str) -> None:
        """Note what a word with a colon says; it may say so once."""
        if not text:
            self.wrong(f"{word} says nothing", f"write something after {word.capitalize()}: or take the line out")
        if word in self.said:
            self.wrong(f"{word} is said twice", f"keep one; the first stands in line {self.said[word][1]}")
        self.said.setdefault(word, (text, self.line))

    def hold(self, hand: DiagramHand) -> None:
        """Note a name under which cards stand; it may stand there once."""
        first = next((h for h in self.hands if h.name == hand.name), None)
        if first is not None:
            what = f"the cards of {hand.name} are given twice"
            self.wrong(what, f"keep one; the first stand in line {first.line}", hand.column + 1)
        self.hands.append(hand)

    def suit(self, suit: str, text: str, column: int) -> None:
        """The cards of a suit, for the name that stands nearest over it."""
        near = [h for h in self.hands if h.line < self.line]
        if not near:
            self.wrong("a suit without a name over it", "write the player's name in the line before", column + 1)
            return
        recent = {round(h.column / 4): h for h in near}.values()
        hand = min(recent, key=lambda h: (abs(h.column - column), -h.line))
        hand.cards += [rank + suit for rank in self.ranks(text, column)]

    def ranks(self, text: str, column: int) -> Iterator[str]:
        """The ranks of a suit."""
        for spelling in re.findall(r"10|\S", text.upper()):
            if spelling in RANK_SPELLINGS:
                self.check_court(spelling, column + 1)
                yield RANK_SPELLINGS[spelling]
            elif spelling not in DASHES:
                self.wrong(
                    f"{quote_value(spelling)} is no rank", "write A K Q J T 9 ... 2, or a dash for a void", column + 1
                )

    def cards(self, text: str) -> list[str]:
        """Cards in a line."""
        return [c for word in text.split() if word not in DASHES and (c := self.card(word))]

    def card(self, word: str) -> str:
        """One card, its suit before or after its rank."""
        turned = word[1:] + word[0] if word[0] in _SUIT_SIGNS else word
        try:
            card = format_card(parse_card_name(turned))
        except ValueError:
            self.wrong(f"{quote_value(word)} is no card", "write rank and suit: AS KH QD JC TS 9H ... 2C, or ♠A ♥K")
            return ""
        self.check_court(turned)
        return card

    def trick(self, numeral: str, text: str) -> None:
        """A row of the play; the rows must come in order."""
        due = len(self.rows) + 1
        label = f"trick {numeral if len(numeral) <= MOST_DIGITS else quote_value(numeral)}"
        if len(numeral) > MOST_DIGITS or int(numeral) != due:
            self.wrong(f"{label} stands where trick {due} should", "number the rows in order, from 1")
        leader, colon, cards = text.rpartition(":")
        row = self.cards(cards)
        self.rows.append((" ".join(row), self.line))
        holder = next((h.name for h in self.hands if row and row[0] in h.cards), "")
        if colon and holder and leader.strip().casefold() != holder:
            self.wrong(f"{label}: {row[0]} is {holder}'s, not {leader.strip()}'s", "name him who leads, or nobody")


def _suggest_keyword(word: str, known: Sequence[str]) -> str:
    """Return a hint at the word that was meant."""
    otherwise = f"known are {', '.join(known)}, talon, and the players' names"
    return did_you_mean(word.casefold(), known, otherwise, repr)


def read_diagram(text: str, file: str = "diagram") -> tuple[Deal | None, list[Problem]]:
    """Read a diagram; with any fault there is no deal, and every fault is reported with line and hint."""
    if len(text) > _MAX_DIAGRAM_LETTERS:
        what = f"a diagram of {len(text)} letters"
        return None, [Problem(file, 1, 1, what, f"give one deal; a diagram has at most {_MAX_DIAGRAM_LETTERS} letters")]
    if unfit := find_unfit_letter(text):
        return None, [Problem(file, *locate_letter(text, unfit.at), unfit.what, unfit.way_out)]
    d = Diagram(file)
    d.read(text)
    raw = _make_deal_record(d)
    if d.problems:
        return None, sorted(set(d.problems))
    deal, problems = read_deal(raw, _make_place_finder(d))
    return deal, problems


def _make_deal_record(d: Diagram) -> dict[str, object]:
    """Make the deal record of what the diagram shows."""
    hands = {h.name: " ".join(h.cards) for h in d.hands if h.name != "talon"}
    talon = [c for h in d.hands if h.name == "talon" for c in h.cards]
    seats = seats_of(d, list(hands))
    longest = max((len(h.split()) for h in hands.values()), default=0)
    raw: dict[str, object] = {
        "deal": _read_keyword(d, "deal") or "from-a-diagram",
        "title": _read_keyword(d, "title"),
        "provenance": "constructed",
        "pack": _read_keyword_number(
            d, "pack", 52 if len(talon) + sum(len(h.split()) for h in hands.values()) > 48 else 48
        ),
        "seats": seats,
        "dealer": dealer_of(d),
        "hands": hands,
        "talon": " ".join(talon),
        "tricks": [row for row, _ in d.rows],
        "pool": {"stake": _read_keyword_number(d, "pool", 0)},
        "fragment": len(d.rows) < longest,
        "note": _read_keyword(d, "note"),
    }
    return {k: v for k, v in raw.items() if v not in ("", False)}


def _read_keyword(d: Diagram, word: str) -> str:
    """Return the text after a word and a colon."""
    return d.said.get(word, ("", 0))[0]


def _read_keyword_number(d: Diagram, word: str, otherwise: int) -> int:
    """Return the number after a word and a colon."""
    text, d.line = d.said.get(word, ("", 0))
    sane = text.isdecimal() and len(text) <= MOST_DIGITS
    if text and not sane:
        what = f"{word} is {quote_value(text)}"
        d.wrong(what, f"write a whole number of at most {MOST_DIGITS} digits: {word.capitalize()}: 48")
    return int(text) if sane else otherwise


def seats_of(d: Diagram, names: Sequence[str]) -> list[str]:
    """The seats in order of play: as named, or by the compass."""
    if _read_keyword(d, "seats"):
        return [s.casefold() for s in re.split(r"[\s,]+", _read_keyword(d, "seats").strip()) if s]
    if not names and any(problem.what.startswith(_BESIDE_NAME) for problem in d.problems):
        return list(COMPASS)
    if not names:
        d.line = 1
        d.wrong("no hands", "write each player's name over his cards")
    elif set(names) != set(COMPASS):
        d.line = d.hands[0].line
        d.wrong(
            f"the order of play of {', '.join(names)} is not known",
            "write it: Seats: ann, bob, cat, dan (to the right)",
        )
    return list(COMPASS)


def dealer_of(d: Diagram) -> str:
    """The dealer, who must be named: who leads first is a rule, and no diagram's business."""
    if not _read_keyword(d, "dealer"):
        d.line = 1
        d.wrong("who deals is not known", "write Dealer: and his name, or (dealer) after it")
    return _read_keyword(d, "dealer").strip().casefold()


def _make_place_finder(d: Diagram) -> Callable[[RecordPlace], Where]:
    """Return a function from a place of the record to its place in the diagram."""
    hands: Mapping[str, int] = {h.name: h.line for h in d.hands}

    def find(place: RecordPlace) -> Where:
        key, rest = (place[0] if place else ""), place[1:]
        if key == "tricks" and rest and isinstance(rest[0], int):
            return Where(d.file, d.rows[rest[0]][1])
        if key in ("hands", "talon"):
            return Where(d.file, hands.get(str(rest[0]) if rest else str(key), 1))
        return Where(d.file, d.said.get(str(key), ("", 1))[1])

    return find
