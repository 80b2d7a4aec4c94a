"""Answers phrased for use within a sentence.

Examples: 5 fiches, twice as much, the first trick and the last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus
from edition.text.answers import PRIVILEGED_SUM_PHRASES, read_glosses
from engine.answers import SUIT_LETTERS
from engine.cards import ENGLISH_RANKS, ENGLISH_SUITS
from rulebook.answers.conditions import dereference_answer
from rulebook.model import Like, Question, Source, Value
from rulebook.phrases import (
    PhrasePiece,
    Pieces,
    add_article,
    capitalise,
    enumerate_pieces,
    format_counters,
    join_names,
    lower_gloss,
    merge_pieces,
    spell_number,
    spell_ordinal,
    spell_times,
)
from rulebook.sources.rule_sentences import ANSWER, GAP_PATTERN, RuleSentences

#: a larger counter is named beside the smallest where no more than so many of it would be laid down
AT_MOST = 20
_PACK_QUESTION, WITHOUT_TENS = "table.pack", "without-tens"  #: an answer names all ranks; a pack may lack one


_AnswerValues = Mapping[str, Value]


@dataclass(frozen=True)
class AnswerPhraser:
    """Phrasing of one source's answers, in its own counters and terms."""

    corpus: Corpus
    source: Source

    # --- sentences

    def sentence(self, said: str, question: Question, answers: _AnswerValues) -> Pieces | None:
        """A sentence with its gaps filled; None where one of them cannot be."""
        found: list[PhrasePiece] = []
        at = 0
        for gap in GAP_PATTERN.finditer(said):
            filling = self.filling(gap[1], question, answers)
            if filling is None:
                return None
            found += [PhrasePiece(said[at : gap.start()]), *filling]
            at = gap.end()
        return _capitalise_pieces(merge_pieces((*found, PhrasePiece(said[at:]))))

    def filling(self, name: str, question: Question, answers: _AnswerValues) -> Pieces | None:
        """Pieces that fill a gap; None where there is no answer."""
        if name in self.corpus.telling.names:
            return (self.name(name),)
        asked = question if name == ANSWER else self.corpus.library.question(name)
        return self.phrase(asked, answers[asked.slug], answers) if asked.slug in answers else None

    def name(self, key: str) -> PhrasePiece:
        """Term of this source for something: the first of the terms that it uses."""
        one = self.corpus.telling.names[key]
        by_id = {term.id: term for term in self.corpus.terms}
        for term in (by_id[id] for id in one.terms if id in by_id):
            if any(locus.partition(".")[0] == self.source.siglum for locus in term.attestations):
                return PhrasePiece(term.term, "term", term.id, term.lang)
        return PhrasePiece(one.otherwise)

    # --- answers

    def phrase(self, question: Question, value: Value, answers: _AnswerValues) -> Pieces | None:
        """An answer in words; None for a reading of a closed question, which has a sentence of its own."""
        if question.closed:
            return None
        if isinstance(value, Like):
            return self.likened(question, value, answers)
        if isinstance(value, str) and value in question.proposed:
            return self.sentence_part(lower_gloss(question.proposed[value].says))
        kind = str(question.measure.get("type"))
        if kind == "ranks" and answers.get(_PACK_QUESTION) == WITHOUT_TENS:
            value = str(value).replace("T", "")
        say = _PHRASE_FUNCTIONS.get(kind)
        return say(self, question, value) if say else None

    def likened(self, question: Question, value: Like, answers: _AnswerValues) -> Pieces | None:
        """An answer that points to another: what that comes to, and how it is meant."""
        found, rule = dereference_answer(value, answers), self.corpus.telling.rules.get(value.question)
        if not isinstance(found, int):
            return None
        if not (rule and rule.called):
            return self.number(question, found)
        times = "as" if value.times == 1 else f"{spell_times(value.times)} as much as"
        said = (
            format_counters(found, self.source.unit)
            if question.measure.get("unit") == "smallest"
            else spell_number(found)
        )
        return (PhrasePiece(f"{said} ({times} {rule.called})"),)

    def number(self, question: Question, value: Any) -> Pieces:
        """A sum in the source's counters, how often, or how many."""
        unit = question.measure.get("unit")
        say = {"smallest": self.sum, "times": spell_times}.get(str(unit), spell_number)
        return (PhrasePiece(say(value)),)

    def sum(self, number: int) -> str:
        """Number of counters; if they are a few of a larger kind, that number as well."""
        if not number:
            return "nothing"
        said = format_counters(number, self.source.unit)
        larger = [
            (worth_, name)
            for name, worth_ in self.source.counters.items()
            if worth_ > 1 and number % worth_ == 0 and number // worth_ <= AT_MOST
        ]
        if not larger:
            return said
        worth_, name = max(larger)
        return f"{said} ({format_counters(number // worth_, name)})"

    def worded(self, question: Question, part: str, first: bool = True) -> Pieces:
        """A part of an answer in the words that are given for it, or by its gloss."""
        rules = self.corpus.telling.rules
        like = str(question.measure.get("like", ""))
        lender = self.corpus.library.question(like).slug if like else ""
        candidates = [rules[slug] for slug in (question.slug, lender) if slug in rules]
        said = next((found for rule in candidates if (found := word_of(rule, part, first))), "")
        said = said or lower_gloss(str(read_glosses(question, self.corpus.library).get(part, part)))
        return self.sentence_part(said)

    def sentence_part(self, said: str) -> Pieces:
        """Words in which only names have to be filled in."""
        names = self.corpus.telling.names
        parts = enumerate(GAP_PATTERN.split(said))
        return tuple(self.name(part) if at % 2 and part in names else PhrasePiece(part) for at, part in parts)


def word_of(rule: RuleSentences, part: str, first: bool) -> str:
    """The words that a rule gives for a part of an answer."""
    if first:
        return rule.words.get(part, "")
    return rule.then.get(part) or (f"then {rule.words[part]}" if part in rule.words else "")


def _capitalise_pieces(pieces: Pieces) -> Pieces:
    if not pieces or pieces[0].kind:
        return pieces
    words = pieces[0].words
    return (PhrasePiece(capitalise(words)), *pieces[1:])


# --- one function for every kind of answer --------------------------------------------------------------


def _phrase_order(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    found: list[PhrasePiece] = []
    for at, part in enumerate(value):
        found += [PhrasePiece("; " if at else ""), *speaker.worded(question, part, not at)]
    return merge_pieces(found)


def _phrase_set(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    rule = speaker.corpus.telling.rules.get(question.slug)
    parts = [speaker.worded(question, one) for one in value]
    return enumerate_pieces(parts, rule.join if rule else "and") or (PhrasePiece("none"),)


def phrase_tricks(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    """Phrase tricks by their place, or factors by trick.

    Examples: the first trick and the last; twice in the first trick, where each has its factor.
    """
    if isinstance(value, Mapping):
        factors = [f"{spell_times(times)} in the {spell_ordinal(one)} trick" for one, times in value.items()]
        return (PhrasePiece(join_names(factors)),)
    names = [spell_ordinal(one) for one in value]
    row = [f"the {name} trick" if not at else f"the {name}" for at, name in enumerate(names)]
    return (PhrasePiece(join_names(row) or "no trick"),)


def _phrase_points(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    row = [f"{add_article(ENGLISH_RANKS.get(rank, rank))} counts {number}" for rank, number in value.items()]
    said = [*row[:1], *(one.replace(" counts ", " ") for one in row[1:])]
    return (PhrasePiece(join_names(said) or "no card counts"),)


def _phrase_card_values(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    parts = [
        (*_phrase_card(speaker, question, card), PhrasePiece(f" counts {number}")) for card, number in value.items()
    ]
    return enumerate_pieces(parts, "and") or (PhrasePiece("no card counts otherwise"),)


def _phrase_card(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    if value in SUIT_LETTERS:
        return (PhrasePiece(ENGLISH_SUITS[value]),)
    if value == "none":
        return (PhrasePiece("none"),)
    rank, suit = value[:-1], value[-1]
    article = "" if question.measure.get("type") == "card" else "the "
    return (
        PhrasePiece(f"{article}{ENGLISH_RANKS.get(rank, rank)} of {ENGLISH_SUITS[suit]} ("),
        PhrasePiece(value, "card"),
        PhrasePiece(")"),
    )


def _phrase_ranks(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    return (PhrasePiece(", ".join("10" if rank == "T" else ENGLISH_RANKS.get(rank, rank) for rank in value)),)


def _phrase_shapes(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    row = [
        f"{spell_number(one['players'])} players with {one['pack']} cards have {one['hand']} each, "
        f"and {_phrase_talon_size(one['talon'])}"
        for one in value
    ]
    return (PhrasePiece("; ".join(row)),)


def _phrase_talon_size(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} set aside" if number else "none is set aside"


def _phrase_hands(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    pieces: list[PhrasePiece] = []
    for one in value:
        joined = ", or " if pieces else ""
        pieces += [
            PhrasePiece(f"{joined}{spell_number(one['aces'])} aces{' and the quinola' if one['quinola'] else ''}")
        ]
        for card in one.get("cards", ()):
            pieces += [PhrasePiece(" and "), *_phrase_card(speaker, question, card)]
    return tuple(pieces)


def _phrase_privileged_cards(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    """Cards with their names and their own sums: the queen of hearts (QH), the little quinola (3 when thrown off)."""
    return enumerate_pieces([_phrase_privileged_card(speaker, question, one) for one in value], "and")


def _phrase_privileged_card(speaker: AnswerPhraser, question: Question, one: Mapping[str, Any]) -> Pieces:
    sums = [said.format(one[key]) for key, said in PRIVILEGED_SUM_PHRASES.items() if key in one]
    name = f", the {one['name']}" + (f" ({', '.join(sums)})" if sums else "")
    return *_phrase_card(speaker, question, one["card"]), PhrasePiece(name)


def _phrase_multiple_or_sum(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    said = f"{spell_times(value['times'])} as much" if "times" in value else speaker.sum(value["sum"])
    return (PhrasePiece(said),)


def _phrase_fine(speaker: AnswerPhraser, question: Question, value: Any) -> Pieces:
    if not isinstance(value, Mapping):
        return (PhrasePiece(speaker.sum(value)),)
    number = value["stakes"]
    return (PhrasePiece("as much as is being played for" if number == 1 else f"{spell_times(number)} as much"),)


_PHRASE_FUNCTIONS: Mapping[str, Callable[[AnswerPhraser, Question, Any], Pieces]] = {
    "integer": AnswerPhraser.number,
    "order": _phrase_order,
    "set": _phrase_set,
    "tricks": phrase_tricks,
    "points": _phrase_points,
    "card-values": _phrase_card_values,
    "times-or-sum": _phrase_multiple_or_sum,
    "suit": _phrase_card,
    "card": _phrase_card,
    "ranks": _phrase_ranks,
    "fine": _phrase_fine,
    "hands": _phrase_hands,
    "privileged-cards": _phrase_privileged_cards,
    "shapes": _phrase_shapes,
}
