"""Answers phrased for use within a sentence.

Examples: 5 fiches, twice as much, the first trick and the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from rulebook.answers.conditions import dereference_answer
from rulebook.answers.kinds import list_words
from rulebook.model import Like, Question, Source, Value
from rulebook.phrases import (
    PhrasePiece,
    Pieces,
    capitalise,
    format_counters,
    lower_gloss,
    merge_pieces,
    spell_number,
    spell_times,
)
from rulebook.schema.reference_records import RuleRecord
from rulebook.sources.rule_sentences import ANSWER, GAP_PATTERN

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

    def sentence(self, template: str, question: Question, answers: _AnswerValues) -> Pieces | None:
        """A sentence with its gaps filled; None where one of them cannot be."""
        parts: list[PhrasePiece] = []
        at = 0
        for gap in GAP_PATTERN.finditer(template):
            filling = self.filling(gap[1], question, answers)
            if filling is None:
                return None
            parts += [PhrasePiece(template[at : gap.start()]), *filling]
            at = gap.end()
        pieces = merge_pieces((*parts, PhrasePiece(template[at:])))
        if not pieces or pieces[0].kind:
            return pieces
        words = pieces[0].words
        return PhrasePiece(capitalise(words)), *pieces[1:]

    def filling(self, name: str, question: Question, answers: _AnswerValues) -> Pieces | None:
        """Pieces that fill a gap; None where there is no answer."""
        if name in self.corpus.telling.names:
            return (self.name(name),)
        asked = question if name == ANSWER else self.corpus.library.question(name)
        return self.phrase(asked, answers[asked.slug], answers) if asked.slug in answers else None

    def name(self, key: str) -> PhrasePiece:
        """Term of this source for something: the first of the terms that it uses."""
        record = self.corpus.telling.names[key]
        by_id = {term.id: term for term in self.corpus.terms}
        for term in (by_id[id] for id in record.terms if id in by_id):
            if any(locus.partition(".")[0] == self.source.siglum for locus in term.attestations):
                return PhrasePiece(term.term, "term", term.id, term.lang)
        return PhrasePiece(record.otherwise)

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
        return question.kind.phrase(question, value, self)

    def likened(self, question: Question, value: Like, answers: _AnswerValues) -> Pieces | None:
        """An answer that points to another: what that comes to, and how it is meant."""
        number, rule = dereference_answer(value, answers), self.corpus.telling.rules.get(value.question)
        if not isinstance(number, int):
            return None
        if not (rule and rule.called):
            return question.kind.phrase(question, number, self)
        times = "as" if value.times == 1 else f"{spell_times(value.times)} as much as"
        words = (
            format_counters(number, self.source.unit)
            if question.measure.get("unit") == "smallest"
            else spell_number(number)
        )
        return (PhrasePiece(f"{words} ({times} {rule.called})"),)

    def sum(self, number: int) -> str:
        """Number of counters; if they are a few of a larger kind, that number as well."""
        if not number:
            return "nothing"
        words = format_counters(number, self.source.unit)
        larger = [
            (worth_, name)
            for name, worth_ in self.source.counters.items()
            if worth_ > 1 and number % worth_ == 0 and number // worth_ <= AT_MOST
        ]
        if not larger:
            return words
        worth_, name = max(larger)
        return f"{words} ({format_counters(number // worth_, name)})"

    def worded(self, question: Question, part: str, first: bool = True) -> Pieces:
        """A part of an answer in the words that are given for it, or by its gloss."""
        rules = self.corpus.telling.rules
        like = str(question.measure.get("like", ""))
        lender = self.corpus.library.question(like).slug if like else ""
        candidates = [rules[slug] for slug in (question.slug, lender) if slug in rules]
        words = next((wording for rule in candidates if (wording := word_of(rule, part, first))), "")
        words = words or lower_gloss(list_words(question).get(part, part))
        return self.sentence_part(words)

    def join_word(self, question: Question) -> str:
        """The word before the last of several."""
        rule = self.corpus.telling.rules.get(question.slug)
        return rule.join if rule else "and"

    def sentence_part(self, words: str) -> Pieces:
        """Words in which only names have to be filled in."""
        names = self.corpus.telling.names
        parts = enumerate(GAP_PATTERN.split(words))
        return tuple(self.name(part) if at % 2 and part in names else PhrasePiece(part) for at, part in parts)


def word_of(rule: RuleRecord, part: str, first: bool) -> str:
    """The words that a rule gives for a part of an answer."""
    if first:
        return rule.words.get(part, "")
    return rule.then.get(part) or (f"then {rule.words[part]}" if part in rule.words else "")
