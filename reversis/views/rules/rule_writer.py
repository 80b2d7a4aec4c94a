"""Answers of one source as sentences, each with its evidence.

Nothing here knows a source. What is said comes from its answers and from the sentences of `sources/telling.yaml`; an
answer that has no sentence is worded by its question and its gloss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.text import answers as words
from edition.views.common import QuestionLink, question_link
from reversis.views.rules.rule_phrases import AnswerPhraser
from rulebook.answers.conditions import dereference_answer, is_question_applicable
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import describe_supply_ground, format_answer, get_sum_counter
from rulebook.model import DOUBTFUL_STATUSES, Alternative, Cell, Like, Question, Value
from rulebook.phrases import PhrasePiece, Pieces, flatten_pieces
from rulebook.schema.reference_records import RuleRecord, SectionRecord
from rulebook.sources.rule_sentences import ANSWER, GAP_PATTERN
from rulebook.strings import single_spaced

_AnswerValues = Mapping[str, Value]
_LONG_ANSWER_TYPES = frozenset({"shapes"})  #: kinds of answers of which every alternative repeats nearly all


@dataclass(frozen=True, slots=True)
class AlternativeRule:
    """Another way to play or to read; without a sentence where it reads the same."""

    id: str
    kind: str  #: option | interpretation
    label: str
    said: Pieces


SuppliedAnswer: TypeAlias = tuple[QuestionLink, str, str]  #: an answer that we supply, its clause, and its basis


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A rule as a sentence, with the questions it answers and all it rests on."""

    questions: tuple[QuestionLink, ...]
    said: Pieces
    places: tuple[tuple[str, str], ...]  #: sentence or statement, and the last of a range
    clauses: tuple[str, ...]
    ours: tuple[SuppliedAnswer, ...]
    implied: tuple[QuestionLink, ...]  #: those whose answer the source does not state, but implies
    doubtful: tuple[QuestionLink, ...]  #: those whose answer can be read in more than one way
    others: tuple[AlternativeRule, ...]
    worded: bool  #: whether there is a sentence for it; else it is told by its question
    partial: bool = False  #: whether the source breaks off, so that nobody can tell that it is silent

    @property
    def all_ours(self) -> bool:
        """Test whether the source says nothing of it."""
        return {question for question, _, _ in self.ours} == {*self.questions}

    @property
    def statuses(self) -> tuple[str, ...]:
        """Its marks: ours, doubtful, follows, or none where all of it is simply stated."""
        held = (("ours", self.ours), ("doubtful", self.doubtful), ("follows", self.implied))
        return tuple(status for status, entries in held if entries)


@dataclass(frozen=True, slots=True)
class RulesPart:
    """Rules under one heading."""

    id: str
    title: str
    told: tuple[RuleSentence, ...]
    topic: str = ""  #: group of most of its questions


@dataclass(frozen=True)
class RuleWriter:
    """Writer of one source's answers as rules, each answer once."""

    speaker: AnswerPhraser
    cells: Mapping[str, Cell]
    answers: _AnswerValues

    @property
    def corpus(self) -> Corpus:
        """The corpus of the speaker."""
        return self.speaker.corpus

    @cached_property
    def shown_sections(self) -> tuple[SectionRecord, ...]:
        """The sections whose matter the source knows."""
        sections = self.corpus.telling.sections
        return tuple(section for section in sections if is_question_applicable(section.needs, self.answers))

    @cached_property
    def shown_questions(self) -> frozenset[str]:
        """The answered questions of these sections, or all answered ones where there is no section."""
        shown = {slug for section in self.shown_sections for slug in section.rules}
        return frozenset(slug for slug in self.answers if slug in shown or not self.corpus.telling.sections)

    def parts(self) -> Iterator[RulesPart]:
        """The headings in order; at the end what none of them contains."""
        covered = set(self.corpus.telling.left_out)
        for section in self.shown_sections:
            yield from self.part(section.id, self.title(section.title), section.rules, covered)
        yield from self.part("besides", "Other rules", tuple(self.corpus.library.questions), covered)

    def part(self, id: str, title: str, slugs: Iterable[str], covered: set[str]) -> Iterator[RulesPart]:
        """Rules under one heading; nothing where there are none."""
        sentences: list[RuleSentence] = []
        for slug in slugs:
            if slug in self.answers and slug not in covered:
                sentences.append(self.told(self.corpus.library.questions[slug]))
                covered.update(question.slug for question in sentences[-1].questions)
        if sentences:
            groups = Counter(
                self.corpus.library.questions[q.slug].group for sentence in sentences for q in sentence.questions
            )
            yield RulesPart(id, title, tuple(sentences), groups.most_common(1)[0][0])

    def title(self, heading: str) -> str:
        """A heading in the source's own words."""
        return flatten_pieces(self.speaker.sentence_part(heading))

    def told(self, question: Question) -> RuleSentence:
        """One rule, with everything that it rests on."""
        pieces, asked = self.said(question, self.answers)
        cells = [self.cells[asked_question.slug] for asked_question in asked]
        clauses = {clause.id: clause for cell in cells for clause in cell.clauses}
        grounds = (cite for clause in clauses.values() for cite in clause.cites if cite.role != "against")
        return RuleSentence(
            tuple(map(question_link, asked)),
            pieces or self.by_gloss(question, self.answers[question.slug]),
            tuple(dict.fromkeys((cite.locus, cite.to) for cite in grounds)),
            tuple(clauses),
            tuple(self.ours(asked)),
            tuple(
                question_link(asked_question)
                for asked_question, cell in zip(asked, cells, strict=True)
                if cell.status == "implied"
            ),
            tuple(
                question_link(asked_question)
                for asked_question, cell in zip(asked, cells, strict=True)
                if cell.status in DOUBTFUL_STATUSES and not cell.supplied
            ),
            tuple(self.others(asked, flatten_pieces(pieces or ()))),
            pieces is not None,
            self.speaker.source.partial,
        )

    def ours(self, asked: Iterable[Question]) -> Iterator[SuppliedAnswer]:
        """The supplied answers among these, and those that one of these points to ("as for an ace thrown off")."""
        slugs = dict.fromkeys(
            slug for question in asked for slug in self.pointed(question.slug) if self.cells[slug].supplied
        )
        for slug in slugs:
            clause = self.cells[slug].clauses[0]
            ground = describe_supply_ground(clause.taken_from) if clause.taken_from else ""
            yield question_link(self.corpus.library.questions[slug]), clause.id, ground

    def pointed(self, slug: str) -> Iterator[str]:
        """A question, the one that its answer points to, and so on; not those behind an answer that is ours itself."""
        yield slug
        value = self.answers.get(slug)
        if isinstance(value, Like) and not self.cells[slug].supplied and value.question in self.cells:
            yield from self.pointed(value.question)

    def said(self, question: Question, answers: _AnswerValues) -> tuple[Pieces | None, tuple[Question, ...]]:
        """The sentence for an answer, and every question that it tells."""
        template = self.template(question, answers)
        pieces = self.speaker.sentence(template, question, answers) if template else None
        if pieces is None:
            return None, (question,)
        names = [name for name in GAP_PATTERN.findall(template) if name not in (ANSWER, *self.corpus.telling.names)]
        asked = dict.fromkeys((question.slug, *(self.corpus.library.question(name).slug for name in names)))
        questions = tuple(self.corpus.library.questions[slug] for slug in asked)
        return self.said_alike(question, questions, answers) or pieces, questions

    def said_alike(self, question: Question, asked: Iterable[Question], answers: _AnswerValues) -> Pieces | None:
        """The shorter sentence for the case that several answers come to the same."""
        rule = self.corpus.telling.rules[question.slug]
        phrases = {
            self.speaker.phrase(asked_question, answers[asked_question.slug], answers) for asked_question in asked
        }
        if not rule.same or len(phrases) > 1:
            return None
        return self.speaker.sentence(rule.same, question, answers)

    def template(self, question: Question, answers: _AnswerValues) -> str:
        """The sentence with its gaps."""
        rule: RuleRecord | None = self.corpus.telling.rules.get(question.slug)
        if rule is None:
            return ""
        value = answers[question.slug]
        return rule.sentence(value if format_canonical(value) in rule.readings else dereference_answer(value, answers))

    def by_gloss(self, question: Question, value: Value) -> Pieces:
        """An answer that nobody has put into a sentence: the question, and what the answer means."""
        answer = format_answer(question, value, self.corpus.library)
        unit = get_sum_counter(question, value, self.speaker.source)
        text = answer.full or words.format_short_answer(answer, unit)
        return (PhrasePiece(f"{single_spaced(question.asks)} {text}"),)

    def others(self, asked: Iterable[Question], sentence: str) -> Iterator[AlternativeRule]:
        """Options that the source offers, and other readings of its words."""
        ids, sentences = set[str](), {sentence}
        for question, alternative in self.alternatives(asked):
            if alternative.id not in ids:
                ids.add(alternative.id)
                rule = self.another(alternative, question)
                yield replace(rule, said=()) if flatten_pieces(rule.said) in sentences else rule
                sentences.add(flatten_pieces(rule.said))

    def alternatives(self, asked: Iterable[Question]) -> Iterator[tuple[Question, Alternative]]:
        """Every other answer to these questions."""
        for question in asked:
            for clause in self.cells[question.slug].clauses:
                yield from (
                    (question, alternative)
                    for alternative in clause.alternatives
                    if self.differs(alternative, question)
                )

    def differs(self, alternative: Alternative, question: Question) -> bool:
        """Test whether an alternative gives this question a different answer."""
        there = alternative.answers.get(question.slug)
        return there is not None and format_canonical(there) != format_canonical(self.answers[question.slug])

    def another(self, alternative: Alternative, question: Question) -> AlternativeRule:
        """An alternative in a sentence of its own; of a long list its name says more."""
        if question.measure.get("type") in _LONG_ANSWER_TYPES:
            return AlternativeRule(alternative.id, alternative.kind, alternative.label, ())
        answers = {**self.answers, **alternative.answers}
        pieces = self.said(question, answers)[0] or self.by_gloss(question, alternative.answers[question.slug])
        return AlternativeRule(alternative.id, alternative.kind, alternative.label, pieces)


def build_rule_writer(corpus: Corpus, siglum: str) -> RuleWriter:
    """Writer of a source's rules."""
    cells = {slug: cell for slug in corpus.library.questions if (cell := corpus.cell(siglum, slug))}
    answers = {slug: cell.value for slug, cell in cells.items() if cell.value is not None}
    return RuleWriter(AnswerPhraser(corpus, corpus.library.sources[siglum]), cells, answers)
