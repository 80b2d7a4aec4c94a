"""Answers as they are said within a sentence: 5 fiches, twice as much, the first trick and the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus
from edition.text.answers import counters, glosses
from edition.text.events import RANK_WORDS, SUIT_WORDS, joined
from rulebook.answers.conditions import worth
from rulebook.answers.game_measures import SUITS
from rulebook.model import Like, Question, Source, Value
from rulebook.sources.rule_sentences import ANSWER, PLACE, Rule

#: a larger counter is named beside the smallest where no more than so many of it would be laid down
AT_MOST = 20
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TIMES: Mapping[int, str] = {1: "once", 2: "twice"}
PACK, WITHOUT_TENS = "table.pack", "without-tens"  #: an answer names all ranks; a pack may lack one
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a sentence; with a kind and a target they lead somewhere, or are a card."""

    words: str
    kind: str = ""  #: term | card | nothing
    target: str = ""
    lang: str = ""


Pieces = tuple[Piece, ...]
Answers = Mapping[str, Value]


@dataclass(frozen=True)
class Speaker:
    """Tells the answers of one source, in its own counters and by its own words."""

    corpus: Corpus
    source: Source

    # --- sentences

    def sentence(self, said: str, question: Question, answers: Answers) -> Pieces | None:
        """A sentence with its gaps filled; None where one of them cannot be."""
        found: list[Piece] = []
        at = 0
        for gap in PLACE.finditer(said):
            filling = self.filling(gap[1], question, answers)
            if filling is None:
                return None
            found += [Piece(said[at : gap.start()]), *filling]
            at = gap.end()
        return begun(merged((*found, Piece(said[at:]))))

    def filling(self, name: str, question: Question, answers: Answers) -> Pieces | None:
        """What stands in a gap."""
        if name in self.corpus.telling.names:
            return (self.name(name),)
        asked = question if name == ANSWER else self.corpus.library.question(name)
        return self.phrase(asked, answers[asked.slug], answers) if asked.slug in answers else None

    def name(self, key: str) -> Piece:
        """What this source calls something: by the first of the terms that it uses."""
        one = self.corpus.telling.names[key]
        by_id = {term.id: term for term in self.corpus.terms}
        for term in (by_id[id] for id in one.terms if id in by_id):
            if any(locus.partition(".")[0] == self.source.siglum for locus in term.attestations):
                return Piece(term.term, "term", term.id, term.lang)
        return Piece(one.otherwise)

    # --- answers

    def phrase(self, question: Question, value: Value, answers: Answers) -> Pieces | None:
        """An answer in words; None for a reading of a closed question, which has a sentence of its own."""
        if question.closed:
            return None
        if isinstance(value, Like):
            return self.likened(question, value, answers)
        if isinstance(value, str) and value in question.proposed:
            return self.sentence_part(running(question.proposed[value].says))
        kind = str(question.measure.get("type"))
        if kind == "ranks" and answers.get(PACK) == WITHOUT_TENS:
            value = str(value).replace("T", "")
        say = SAYS.get(kind)
        return say(self, question, value) if say else None

    def likened(self, question: Question, value: Like, answers: Answers) -> Pieces | None:
        """An answer that points to another: what that comes to, and how it is meant."""
        found, rule = worth(value, answers), self.corpus.telling.rules.get(value.question)
        if not isinstance(found, int):
            return None
        if not (rule and rule.called):
            return self.number(question, found)
        times = "as" if value.times == 1 else f"{repeated(value.times)} as much as"
        said = counters(found, self.source.unit) if question.measure.get("unit") == "smallest" else spelt(found)
        return (Piece(f"{said} ({times} {rule.called})"),)

    def number(self, question: Question, value: Any) -> Pieces:
        """A sum in the source's counters, how often, or how many."""
        unit = question.measure.get("unit")
        if unit == "smallest":
            return (Piece(self.sum(value)),)
        if unit == "times":
            return (Piece(repeated(value)),)
        return (Piece(spelt(value)),)

    def sum(self, number: int) -> str:
        """So many counters; where they are a few of a larger kind, that too."""
        if not number:
            return "nothing"
        said = counters(number, self.source.unit)
        larger = [
            (worth_, name)
            for name, worth_ in self.source.counters.items()
            if worth_ > 1 and number % worth_ == 0 and number // worth_ <= AT_MOST
        ]
        if not larger:
            return said
        worth_, name = max(larger)
        return f"{said} ({counters(number // worth_, name)})"

    def worded(self, question: Question, part: str, first: bool = True) -> Pieces:
        """A part of an answer in the words that are given for it, or by its gloss."""
        rules = self.corpus.telling.rules
        like = str(question.measure.get("like", ""))
        lender = self.corpus.library.question(like).slug if like else ""
        candidates = [rules[slug] for slug in (question.slug, lender) if slug in rules]
        said = next((found for rule in candidates if (found := word_of(rule, part, first))), "")
        said = said or running(str(glosses(question, self.corpus.library).get(part, part)))
        return self.sentence_part(said)

    def sentence_part(self, said: str) -> Pieces:
        """Words in which only names have to be filled in."""
        names = self.corpus.telling.names
        found: list[Piece] = []
        for at, part in enumerate(PLACE.split(said)):
            found.append(self.name(part) if at % 2 and part in names else Piece(part))
        return tuple(found)


def word_of(rule: Rule, part: str, first: bool) -> str:
    """The words that a rule gives for a part of an answer."""
    if first:
        return rule.words.get(part, "")
    return rule.then.get(part) or (f"then {rule.words[part]}" if part in rule.words else "")


def running(gloss: str) -> str:
    """A gloss as it stands within a sentence: without capital and full stop."""
    bare = gloss.strip().rstrip(".")
    return bare[:1].lower() + bare[1:]


def merged(pieces: Iterable[Piece]) -> Pieces:
    """Plain words that follow each other as one piece."""
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind or not found or found[-1].kind:
            found += [piece] if piece.words else []
        else:
            found[-1] = Piece(found[-1].words + piece.words)
    return tuple(found)


def begun(pieces: Pieces) -> Pieces:
    """A sentence begins with a capital."""
    if not pieces or pieces[0].kind:
        return pieces
    words = pieces[0].words
    return (Piece(words[:1].upper() + words[1:]), *pieces[1:])


def plain(pieces: Iterable[Piece]) -> str:
    """The bare words of a sentence."""
    return "".join(piece.words for piece in pieces)


def spelt(number: int) -> str:
    """A small number in letters."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def repeated(number: int) -> str:
    """How many times."""
    return TIMES.get(number, f"{spelt(number)} times")


def listed(parts: Sequence[Pieces], join: str) -> Pieces:
    """Several things in a row: a, b and c."""
    found: list[Piece] = []
    for at, part in enumerate(parts):
        found += [Piece(between(at, len(parts), join)), *part]
    return merged(found)


def between(at: int, of: int, join: str) -> str:
    """What stands before the next thing in a row."""
    last = f"{join} " if join.startswith(",") else f" {join} "
    return "" if not at else last if at == of - 1 else ", "


# --- one function for every kind of answer --------------------------------------------------------------


def in_order(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """Criteria: the first, and what decides among equals."""
    found: list[Piece] = []
    for at, part in enumerate(value):
        found += [Piece("; " if at else ""), *speaker.worded(question, part, not at)]
    return merged(found)


def in_set(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """Any of the things listed."""
    rule = speaker.corpus.telling.rules.get(question.slug)
    parts = [speaker.worded(question, one) for one in value]
    return listed(parts, rule.join if rule else "and") or (Piece("none"),)


def in_tricks(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """Tricks by their place: the first trick and the last; twice in the first trick, where each has its factor."""
    if isinstance(value, Mapping):
        factors = [f"{repeated(times)} in the {place_of(one)} trick" for one, times in value.items()]
        return (Piece(joined(factors)),)
    names = [place_of(one) for one in value]
    row = [f"the {name} trick" if not at else f"the {name}" for at, name in enumerate(names)]
    return (Piece(joined(row) or "no trick"),)


def place_of(number: int) -> str:
    """A trick by its place, from the front or from the end."""
    if number > 0:
        return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"
    return {1: "last", 2: "last but one", 3: "last but two"}.get(-number, f"{-number}th from the end")


def in_points(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """What each rank counts."""
    row = [f"{an(RANK_WORDS.get(rank, rank))} counts {number}" for rank, number in value.items()]
    return (Piece(joined([row[0], *(one.replace(" counts ", " ") for one in row[1:])]) if row else "no card counts"),)


def an(name: str) -> str:
    """A thing with its article."""
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


def in_cards(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """What single cards count."""
    parts = [(*one_card(speaker, question, card), Piece(f" counts {number}")) for card, number in value.items()]
    return listed(parts, "and") or (Piece("no card counts otherwise"),)


def one_card(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """A card by its name and its sign, or a suit."""
    if value in SUITS:
        return (Piece(SUIT_WORDS[value]),)
    if value == "none":
        return (Piece("none"),)
    rank, suit = value[:-1], value[-1]
    article = "" if question.measure.get("type") == "card" else "the "
    return (Piece(f"{article}{RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]} ("), Piece(value, "card"), Piece(")"))


def in_ranks(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """The ranks from the highest to the lowest."""
    return (Piece(", ".join("10" if rank == "T" else RANK_WORDS.get(rank, rank) for rank in value)),)


def in_shapes(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """How the cards lie when play begins."""
    row = [
        f"{spelt(one['players'])} players with {one['pack']} cards hold {one['hand']} each, and {lying(one['talon'])}"
        for one in value
    ]
    return (Piece("; ".join(row)),)


def lying(number: int) -> str:
    """So many cards aside."""
    return f"{number} {'lies' if number == 1 else 'lie'} aside" if number else "none lies aside"


def in_hands(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """What must come together in one hand."""
    row = [f"{spelt(one['aces'])} aces{' and the quinola' if one['quinola'] else ''}" for one in value]
    return (Piece(", or ".join(row)),)


def multiple_or_sum(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """So many times the ordinary, or a sum of its own."""
    return (Piece(f"{repeated(value['times'])} as much" if "times" in value else speaker.sum(value["sum"])),)


def in_fines(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """A sum, or so many stakes."""
    if not isinstance(value, Mapping):
        return (Piece(speaker.sum(value)),)
    number = value["stakes"]
    return (Piece("as much as is being played for" if number == 1 else f"{repeated(number)} as much"),)


def a_number(speaker: Speaker, question: Question, value: Any) -> Pieces:
    """A sum, how often, or how many."""
    return speaker.number(question, value)


SAYS: Mapping[str, Callable[[Speaker, Question, Any], Pieces]] = {
    "integer": a_number,
    "order": in_order,
    "set": in_set,
    "tricks": in_tricks,
    "points": in_points,
    "card-values": in_cards,
    "times-or-sum": multiple_or_sum,
    "suit": one_card,
    "card": one_card,
    "ranks": in_ranks,
    "fine": in_fines,
    "hands": in_hands,
    "shapes": in_shapes,
}
