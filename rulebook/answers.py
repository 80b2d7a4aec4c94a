"""What an answer may look like: one reader for every kind of measure, standard library only.

A closed question is answered by the slug of a reading; every other by a measure: a number, a list, a
small table. Answers read here can be compared, hashed and kept; the same answer always looks the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from rulebook.model import FrozenMap, Like, Question, Value
from rulebook.suggestions import did_you_mean

RANKS = "AKQJT98765432"
SUITS = "SHDC"
DEEPEST = 4  # brackets within brackets; a measure needs two

SlugOf: TypeAlias = Callable[[str], str]
Answers: TypeAlias = Mapping[str, Value]


class Wrong(ValueError):
    """Something that is no answer, and the way out."""

    def __init__(self, what: str, way_out: str) -> None:
        self.what, self.way_out = what, way_out
        super().__init__(f"{what}; {way_out}")


def naming(questions: Iterable[Question]) -> SlugOf:
    """Who knows every question by its id and its slug; raises Wrong for a stranger."""
    slugs = {name: question.slug for question in questions for name in (question.id, question.slug)}

    def slug_of(name: str) -> str:
        if name not in slugs:
            raise Wrong(
                f"there is no question {name}",
                did_you_mean(name, slugs, "see sources/questions for those there are"),
            )
        return slugs[name]

    return slug_of


# --- saying a value -----------------------------------------------------------------------------

SPOKEN: Mapping[bool | None, str] = {True: "true", False: "false", None: "null"}


def canonical(value: object) -> str:
    """An answer in a short text that is always the same: 5, own-suit, [1, -1], {AD: 5, JH: 4}."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(canonical, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {canonical(one)}" for key, one in value.items()) + "}"
    return SPOKEN[value] if value is None or isinstance(value, bool) else str(value)


# --- small readers ------------------------------------------------------------------------------


def whole(raw: object, least: int, most: int | None = None) -> int:
    """A whole number within its bounds."""
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise Wrong(f"{canonical(raw)} is no whole number", f"write a number, such as {max(least, 1)}")
    if raw < least:
        raise Wrong(f"{raw} is too little", f"the least is {least}")
    if most is not None and raw > most:
        raise Wrong(f"{raw} is too much", f"the most is {most}")
    return raw


def listed(raw: object, example: str) -> list[object]:
    """A list in which nothing stands twice."""
    if not isinstance(raw, (list, tuple)):
        raise Wrong(f"{canonical(raw)} is no list", f"write a list, such as {example}")
    twice = next((one for at, one in enumerate(raw) if one in raw[:at]), None)
    if twice is not None:
        raise Wrong(f"{canonical(twice)} stands twice", "keep it once")
    return list(raw)


def tabled(raw: object, example: str) -> Mapping[str, object]:
    """A small table of names and what they are worth."""
    if not isinstance(raw, Mapping):
        raise Wrong(f"{canonical(raw)} is no table", f"write a table, such as {example}")
    return cast("Mapping[str, object]", raw)


def filled(raw: object, keys: Iterable[str], example: str) -> Mapping[str, object]:
    """A table that has exactly these entries."""
    table, keys = tabled(raw, example), tuple(keys)
    for key in table:
        if key not in keys:
            raise Wrong(f"{key} is unknown here", did_you_mean(key, keys, f"write {example}"))
    for key in keys:
        if key not in table:
            raise Wrong(f"{key} is missing", f"write {example}")
    return table


def one_of(raw: object, known: Iterable[str], what: str) -> str:
    """One word out of a closed list."""
    known = tuple(known)
    if raw not in known:
        there_are = "there are " + ", ".join(known)
        raise Wrong(f"{canonical(raw)} is no {what}", did_you_mean(raw, known, there_are))
    return str(raw)


# --- cards --------------------------------------------------------------------------------------

SUIT_NAMES: Mapping[str, str] = {
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
    "♡": "H",
    "♢": "D",
    "♤": "S",
    "♧": "C",
}
RANK_NAMES: Mapping[str, str] = {"R": "K", "D": "Q", "V": "J", "10": "T"}  # roi, dame, valet


def card_of(raw: object) -> str:
    """A card as rank and suit: AD is the ace of diamonds, TS the ten of spades."""
    text = raw.strip().upper() if isinstance(raw, str) else ""
    rank, suit = text[:-1], text[-1:]
    rank, suit = RANK_NAMES.get(rank, rank), SUIT_NAMES.get(suit, suit)
    if len(rank) != 1 or len(suit) != 1 or rank not in RANKS or suit not in SUITS:
        raise Wrong(f"{canonical(raw)} is no card", f"write rank ({RANKS}) and suit ({SUITS}), such as JH")
    return rank + suit


def by_rank(card: str) -> tuple[int, int]:
    """Aces before kings; among equals spades, hearts, diamonds, clubs."""
    return RANKS.index(card[0]), SUITS.index(card[1])


# --- one reader for every kind of measure --------------------------------------------------------


def integer(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """A number, or a pointer to the question that has it."""
    if isinstance(raw, Mapping):
        return reference(raw, slug_of)
    least, most = question.measure.get("min", 0), question.measure.get("max")
    return whole(raw, cast(int, least), cast("int | None", most))


def reference(raw: Mapping[str, object], slug_of: SlugOf) -> Like:
    """As another question is answered, or a multiple of that."""
    keys = ("as", "times") if "times" in raw else ("as",)
    table = filled(raw, keys, "{as: Q032} or {as: Q032, times: 2}")
    return Like(slug_of(str(table["as"])), whole(table.get("times", 1), 1))


def words(question: Question, raw: object, example: str) -> list[str]:
    """Words out of the list that the question gives."""
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return [one_of(one, known, f"answer to {question.slug}") for one in listed(raw, example)]


def order(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Criteria in the order in which they decide."""
    return tuple(words(question, raw, "[fewest-points, best-placed]"))


def some(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Any of the words, in the order in which the question lists them."""
    chosen = words(question, raw, "[forced, led], or [] for none")
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return tuple(one for one in known if one in chosen)


def tricks(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Tricks counted from the first (1, 2) or from the last (-1, -2); or each with a factor of its own."""
    if isinstance(raw, Mapping):
        return factors(raw)
    numbers = [trick(one) for one in listed(raw, "[1, -1], or {1: 2, -1: 3}")]
    return tuple(sorted(numbers, key=lambda number: (number < 0, abs(number))))


def factors(raw: Mapping[object, object]) -> Value:
    """How many times each of some tricks counts; what is typed on one line has its numbers as words."""
    found = {trick(key): whole(times, 1) for key, times in raw.items()}
    return FrozenMap((one, found[one]) for one in sorted(found, key=lambda one: (one < 0, abs(one))))  # type: ignore[misc]


def trick(raw: object) -> int:
    """One trick by its number."""
    number = whole(int(raw) if isinstance(raw, str) and re.fullmatch(r"-?\d{1,2}", raw) else raw, -13, 13)
    if number == 0:
        raise Wrong("there is no trick 0", "the first is 1, the last is -1")
    return number


def points(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """What each rank counts; a rank left out counts nothing."""
    table = tabled(raw, "{A: 4, K: 3, Q: 2, J: 1}")
    worth_of = {one_of(rank, RANKS, "rank"): whole(value, 0) for rank, value in table.items()}
    return FrozenMap((rank, worth_of[rank]) for rank in RANKS if rank in worth_of)


def card_values(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """What single cards count."""
    pairs = [(card_of(card), whole(value, 0)) for card, value in tabled(raw, "{AD: 5, JH: 4}, or {} for none").items()]
    listed([card for card, _ in pairs], "")
    return FrozenMap(sorted(pairs, key=lambda pair: by_rank(pair[0])))


def times_or_sum(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """So many times the ordinary, or a sum of its own."""
    table = tabled(raw, "{times: 2} or {sum: 4}")
    if len(table) != 1:
        raise Wrong(f"{canonical(raw)} has {len(table)} entries", "write {times: 2} or {sum: 4}")
    ((key, value),) = table.items()
    return FrozenMap({one_of(key, ("times", "sum"), "way of counting"): whole(value, int(key == "times"))})


def suit(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """A suit, or none of them."""
    return one_of(SUIT_NAMES.get(raw, raw) if isinstance(raw, str) else raw, (*SUITS, "none"), "suit")


def card(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """A single card."""
    return card_of(raw)


def ranks(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """All thirteen ranks, the highest first."""
    if not isinstance(raw, str) or sorted(raw) != sorted(RANKS):
        raise Wrong(f"{canonical(raw)} does not name each rank once", f'write all thirteen, such as "{RANKS}"')
    return raw


def fine(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """A sum, or so many times the stake."""
    if not isinstance(raw, Mapping):
        return whole(raw, 0)
    return FrozenMap({"stakes": whole(filled(raw, ("stakes",), "{stakes: 1}, or a number")["stakes"], 1)})


def hands(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Each holding: the fewest aces needed, and whether the quinola is needed."""
    pairs = [hand(one) for one in listed(raw, "[{aces: 3, quinola: true}], or [] for none")]
    return tuple(FrozenMap({"aces": aces, "quinola": quinola}) for aces, quinola in sorted(pairs))


def hand(raw: object) -> tuple[int, int]:
    """So many aces, with the quinola (1) or without (0)."""
    table = filled(raw, ("aces", "quinola"), "{aces: 3, quinola: true}")
    if table["quinola"] not in (True, False):
        raise Wrong(f"quinola: {canonical(table['quinola'])} is neither true nor false", "write quinola: true")
    return whole(table["aces"], 0, 4), int(bool(table["quinola"]))


SHAPE = ("players", "pack", "hand", "talon")


def shapes(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """For each number of players and each pack: the cards in a hand and in the talon."""
    example = "[{players: 4, pack: 48, hand: 11, talon: 4}]"
    tables = [shape(one, example) for one in listed(raw, example)]
    return tuple(sorted(tables, key=lambda table: tuple(table.values())))


def shape(raw: object, example: str) -> FrozenMap[str, int]:
    """One way to share out the pack, nothing left over."""
    table = filled(raw, SHAPE, example)
    players, pack, each, talon = (whole(table[key], int(key != "talon")) for key in SHAPE)
    if players * each + talon != pack:
        raise Wrong(f"{players} hands of {each} and a talon of {talon} are no pack of {pack}", "reckon again")
    return FrozenMap(zip(SHAPE, (players, pack, each, talon), strict=True))


MEASURES: Mapping[str, Callable[[Question, object, SlugOf], Value]] = {
    "integer": integer,
    "order": order,
    "set": some,
    "tricks": tricks,
    "points": points,
    "card-values": card_values,
    "times-or-sum": times_or_sum,
    "suit": suit,
    "card": card,
    "ranks": ranks,
    "fine": fine,
    "hands": hands,
    "shapes": shapes,
}


def read_value(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """The answer that was written down; raises Wrong."""
    if question.closed:
        return one_of(raw, question.readings, f"reading of {question.slug}")
    if isinstance(raw, str) and raw in question.proposed:
        return raw  # a reading on trial, where the question has a measure
    return MEASURES[str(question.measure["type"])](question, raw, slug_of)


def parse_value(question: Question, raw: object, slug_of: SlugOf) -> tuple[Value | None, str]:
    """The answer that was written down, or what is wrong with it."""
    try:
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)


# --- answers typed on one line --------------------------------------------------------------------

BRACKETS: Mapping[str, str] = {
    "order": "[]",
    "set": "[]",
    "tricks": "[]",
    "hands": "[]",
    "shapes": "[]",
    "points": "{}",
    "card-values": "{}",
}
SHORTHAND: Mapping[str, tuple[tuple[str, str], ...]] = {  # what may be typed -> what it means
    "integer": ((r"as ([\w.-]+)", r"{as: \1}"), (r"as ([\w.-]+), (\d+) times", r"{as: \1, times: \2}")),
    "times-or-sum": ((r"[x×](\d+)", r"{times: \1}"), (r"(\d+)", r"{sum: \1}")),
    "fine": ((r"(\d+) stakes?", r"{stakes: \1}"),),
}
TOKEN = re.compile(r"""\s*(?:([][{},:])|("(?:[^"\\]|\\.)*")|'([^']*)'|([^][{},:"'\s]+)|(\S.*))""", re.DOTALL)
BARE: Mapping[str, object] = {"true": True, "false": False, "null": None}


def parse_text(question: Question, text: str, slug_of: SlugOf = str) -> tuple[Value | None, str]:
    """The answer that was typed: 5, heart, [1, -1], 1,-1, {"AD": 5}, x2."""
    try:
        raw = text.strip() if question.closed else typed(str(question.measure["type"]), text.strip())
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)


def typed(kind: str, text: str) -> object:
    """What was typed as plain data."""
    if kind in ("card", "suit", "ranks"):
        return text.strip("\"'")
    for pattern, meaning in SHORTHAND.get(kind, ()):
        if found := re.fullmatch(pattern, text):
            text = found.expand(meaning)
    brackets = BRACKETS.get(kind, "")
    if kind == "tricks" and text.startswith("{"):  # each with a factor of its own
        brackets = "{}"
    return Flow(text if text.startswith(brackets[:1]) else brackets[0] + text + brackets[1]).whole()


class Flow:
    """Reads lists and tables on one line, in the manner of YAML or JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(TOKEN.finditer(text.rstrip()))
        self.at = 0

    def whole(self) -> object:
        """All of the line."""
        found = self.value(0)
        if self.at < len(self.tokens):
            raise self.wrong()
        return found

    def wrong(self) -> Wrong:
        """Where reading stopped."""
        rest = self.text[self.tokens[self.at].start() :].strip() if self.at < len(self.tokens) else "the end"
        return Wrong(f"{self.text.strip()} cannot be read: stuck at {rest}", "write 5, word, [1, -1] or {AD: 5}")

    def next(self, *wanted: str) -> bool:
        """Step over a mark if it comes next."""
        found = self.at < len(self.tokens) and self.tokens[self.at][1] in wanted
        self.at += found
        return found

    def value(self, depth: int) -> object:
        """A list, a table, or a single word."""
        if depth > DEEPEST:
            raise self.wrong()
        if self.next("["):
            return list(self.until("]", lambda: self.value(depth + 1)))
        if self.next("{"):
            return dict(self.pairs(depth + 1))
        return self.word()

    def until(self, closing: str, read: Callable[[], object]) -> Iterator[object]:
        """What stands between brackets, divided by commas."""
        while not self.next(closing):
            yield read()
            if not self.next(","):
                if not self.next(closing):
                    raise self.wrong()
                return

    def pairs(self, depth: int) -> Iterator[tuple[str, object]]:
        """The entries of a table, none of them twice."""
        seen: set[str] = set()
        for pair in self.until("}", lambda: self.pair(depth)):
            key, value = cast("tuple[str, object]", pair)
            if key in seen:
                raise Wrong(f"{key} stands twice", "keep it once")
            seen.add(key)
            yield key, value

    def pair(self, depth: int) -> tuple[str, object]:
        """A name and what it is worth."""
        key = self.word()
        if not self.next(":"):
            raise self.wrong()
        return canonical(key), self.value(depth)

    def word(self) -> object:
        """A single word, or a number."""
        if self.at >= len(self.tokens) or self.tokens[self.at][1] or self.tokens[self.at][5]:
            raise self.wrong()
        _, double, single, bare, _ = self.tokens[self.at].groups()
        self.at += 1
        if double:
            return unquoted(double)
        if bare is None:
            return single
        return int(bare) if re.fullmatch(r"-?\d{1,18}", bare) else BARE.get(bare, bare)


def unquoted(text: str) -> object:
    """A word in double quotes, as JSON writes it."""
    try:
        return json.loads(text)
    except ValueError:
        raise Wrong(f"{text} cannot be read", "write it without quotes") from None


# --- when a question makes sense ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """That another question is answered so, or not so."""

    question: str
    equal: bool
    value: str  #: canonical

    def __str__(self) -> str:
        return f"{self.question} {'==' if self.equal else '!='} {self.value}"


def conditions(depends: str) -> tuple[Condition, ...]:
    """The conditions joined by `and`; raises Wrong."""
    return tuple(condition(part) for part in depends.split(" and ")) if depends.strip() else ()


def condition(text: str) -> Condition:
    """One condition: SLUG == value, or SLUG != value."""
    found = re.fullmatch(r"(\S+) (==|!=) (.+)", text.strip())
    if not found:
        raise Wrong(f"{text.strip()!r} is no condition", 'write "Q030 != nobody", and join several by " and "')
    return Condition(found[1], found[2] == "==", found[3])


def worth(value: Value | None, answers: Answers) -> Value | None:
    """An answer, or what the answer it points to comes to; None where the trail is lost."""
    times, seen = 1, set[str]()
    while isinstance(value, Like):
        if value.question in seen:
            return None
        seen.add(value.question)
        times *= value.times
        value = answers.get(value.question)
    return value * times if isinstance(value, int) else value


def met(one: Condition, answers: Answers) -> bool:
    """Whether a condition holds; on a question without an answer none does."""
    value = worth(answers.get(one.question), answers)
    return value is not None and (canonical(value) == one.value) == one.equal


def holds(depends: str, answers: Answers) -> bool:
    """Whether a question makes sense under these answers."""
    return all(met(one, answers) for one in conditions(depends))


def reached(slug: str, onward: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """A question and all to which steps lead from it, each once, even where they run in a circle."""
    seen, ahead = set[str](), [slug]
    while ahead:
        now = ahead.pop()
        if now not in seen:
            seen.add(now)
            yield now
            ahead += onward(now)


def ruled_out(slug: str, questions: Mapping[str, Question], answers: Answers, own: Collection[str]) -> bool:
    """Whether a source's own answers leave no room for a question; an answer that we supply rules nothing out."""

    def failing(slug: str) -> list[str]:
        return [one.question for one in conditions(questions[slug].depends) if not met(one, answers)]

    unanswered = reached(slug, lambda slug: (one for one in failing(slug) if one not in answers))
    return any(one in own for slug in unanswered for one in failing(slug))


def depends_on(slug: str, other: str, questions: Mapping[str, Question]) -> bool:
    """Whether a question is another one, or depends on it at any remove."""
    return other in reached(slug, lambda slug: (one.question for one in conditions(questions[slug].depends)))
