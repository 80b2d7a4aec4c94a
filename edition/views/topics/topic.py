"""Topic pages: all that the books say on a group of questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from edition.citation.places import topic_slug
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.game import PanelView, view_panels
from edition.nodes.components import SourceMark, SourceVoice
from edition.views import common, plain_answers
from edition.views.topics.short_table import ShortRow, list_short_rows
from rulebook.answers.conditions import dereference_answer
from rulebook.model import Cell, Like, Question, Value

_MAX_UNITS = 2  #: so many counters are named beside one sum
_MAX_QUOTATIONS = 2  #: of one source on one question; all of them stand on the question's page


# ---- records
@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """Answer to a question with those who give it."""

    voices: tuple[SourceVoice, ...]
    words: str
    statuses: tuple[str, ...]  #: marks of each voice, as of `ANSWER_STATUS_MARKS`, or none where it is simply stated
    others: tuple[str, ...] = ()  #: other readings of each voice, in a line

    @property
    def status(self) -> str:
        """Status that all of them share; empty where they differ."""
        return self.statuses[0] if len(set(self.statuses)) == 1 else ""


@dataclass(frozen=True, slots=True)
class TopicQuotation:
    """Words of a source on which its answer rests."""

    source: SourceMark
    quotation: common.QuotationView


@dataclass(frozen=True, slots=True)
class TopicQuestion:
    """Question with the answers of all books, and the words behind them."""

    link: common.QuestionLink
    agreement: str  #: agree | differ | alone | nobody
    answers: tuple[TopicAnswer, ...]
    silent: tuple[SourceMark, ...]
    partial: tuple[SourceMark, ...]  #: with no answer, and not consulted whole
    without: tuple[SourceMark, ...]  #: to which it does not apply
    quotations: tuple[TopicQuotation, ...]
    clauses: tuple[str, ...]  #: on which it rests, for the fingerprint

    @property
    def voices(self) -> int:
        """Number of sources that speak for themselves."""
        return sum(not voice.assumed for answer in self.answers for voice in answer.voices)


@dataclass(frozen=True, slots=True)
class TopicLink:
    """Topic as other pages lead to it."""

    group: str
    title: str
    says: str


@dataclass(frozen=True, slots=True)
class TopicView:
    """Page of a topic."""

    topic: TopicLink
    sources: tuple[SourceMark, ...]
    short: tuple[ShortRow, ...]  #: what a player asks first
    questions: tuple[TopicQuestion, ...]
    before: TopicLink | None
    after: TopicLink | None
    families: common.FamilyAgreement  #: behind the agreement of books
    panels: tuple[PanelView, ...]  #: before the questions on which the books do not agree
    end_panels: tuple[PanelView, ...]  #: after all questions

    def select(self, agreement: str) -> tuple[TopicQuestion, ...]:
        """Questions on which the books agree, differ, or stand alone."""
        return tuple(question for question in self.questions if question.agreement == agreement)


@dataclass(frozen=True, slots=True)
class TopicEntry:
    """Topic in the list of all: what it answers, and how much the books differ in it."""

    topic: TopicLink
    differing: int
    questions: int
    families: common.FamilyAgreement  #: behind the agreement of books


# ---- topics
def topic_link(corpus: Corpus, group: str) -> TopicLink:
    """Title and description of a topic; without an entry of its own it is called as the group is."""
    topic = corpus.telling.topic(group)
    return TopicLink(group, topic.title, topic.says or _describe_questions(common.group_questions(corpus)[group]))


def _describe_questions(questions: Sequence[Question]) -> str:
    """Describe a group by its first questions."""
    return " ".join(question.asks for question in questions[:3])


def list_topic_questions(corpus: Corpus, group: str) -> tuple[Question, ...]:
    """Questions of a topic: those of its group, and others that belong there too."""
    also = (corpus.library.questions[slug] for slug in corpus.telling.topic(group).also)
    return (*common.group_questions(corpus)[group], *also)


@cached_on_corpus
def collect_question_topics(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    """Groups of the topics that show a question, by its slug: those whose table answers it, its own, the others."""
    shown: dict[str, dict[str, int]] = {}
    for group in common.group_questions(corpus):
        table = corpus.telling.topic(group).table
        answered = {slug for row in table for slug in row.answers}
        for question in list_topic_questions(corpus, group):
            rank = 0 if question.slug in answered else 1 if question.group == group else 2
            shown.setdefault(question.slug, {})[group] = rank
    return {slug: tuple(sorted(ranks, key=lambda group: ranks[group])) for slug, ranks in shown.items()}


def topic_view(corpus: Corpus, slug: str) -> TopicView:
    """View of a topic's page. StopIteration if there is no such topic."""
    groups = list(common.group_questions(corpus))
    at = next(at for at, group in enumerate(groups) if topic_slug(group) == slug)
    return TopicView(
        topic_link(corpus, groups[at]),
        tuple(plain_answers.source_marks(corpus).values()),
        list_short_rows(corpus, corpus.telling.topic(groups[at])),
        tuple(_build_topic_question(corpus, question) for question in list_topic_questions(corpus, groups[at])),
        topic_link(corpus, groups[at - 1]) if at else None,
        topic_link(corpus, groups[at + 1]) if at + 1 < len(groups) else None,
        common.count_agreement_by_family(corpus, list_topic_questions(corpus, groups[at])),
        view_panels(corpus, "topic", groups[at]),
        view_panels(corpus, "topic-end", groups[at]),
    )


def topics_view(corpus: Corpus, _: str = "") -> tuple[TopicEntry, ...]:
    """View of the list of topics."""
    return tuple(_build_topic_entry(corpus, group) for group in common.group_questions(corpus))


def _build_topic_entry(corpus: Corpus, group: str) -> TopicEntry:
    questions = list_topic_questions(corpus, group)
    differing = sum(common.classify_agreement(corpus, question) == "differ" for question in questions)
    return TopicEntry(
        topic_link(corpus, group), differing, len(questions), common.count_agreement_by_family(corpus, questions)
    )


# ---- questions
def _build_topic_question(corpus: Corpus, question: Question) -> TopicQuestion:
    cells = [(siglum, corpus.cell(siglum, question.slug)) for siglum in corpus.library.sources]
    agreement = common.classify_agreement(corpus, question)
    spoken_only = agreement == "agree"
    groups = [
        tuple(voice for voice in group if not (spoken_only and voice.assumed))
        for group in plain_answers.group_voices(corpus, question)
    ]
    marks = plain_answers.source_marks(corpus)
    answered = {voice.source.siglum for group in groups for voice in group}
    partial = {siglum for siglum, source in corpus.library.sources.items() if source.partial}
    without = {siglum for siglum, cell in cells if cell and cell.value is None and cell.status == "inapplicable"}
    return TopicQuestion(
        common.question_link(question),
        agreement,
        tuple(_build_answer(corpus, question, group) for group in groups if group),
        tuple(mark for siglum, mark in marks.items() if siglum not in answered | without | partial),
        tuple(mark for siglum, mark in marks.items() if siglum in partial - answered - without),
        tuple(mark for siglum, mark in marks.items() if siglum in without),
        tuple(quotation for siglum, cell in cells if cell for quotation in _list_quotations(corpus, siglum, cell)),
        tuple(clause.id for _, cell in cells if cell for clause in cell.clauses),
    )


def _build_answer(corpus: Corpus, question: Question, voices: tuple[SourceVoice, ...]) -> TopicAnswer:
    sigla = [voice.source.siglum for voice in voices]
    cells = [cell for siglum in sigla if (cell := corpus.cell(siglum, question.slug))]
    statuses = tuple(plain_answers.find_answer_marks(corpus, cell) for cell in cells)
    others = tuple(plain_answers.describe_other_readings(corpus, question, siglum) for siglum in sigla)
    return TopicAnswer(voices, _format_common_answer(corpus, question, sigla), statuses, others)


def _format_common_answer(corpus: Corpus, question: Question, sigla: Sequence[str]) -> str:
    """Answer that several sources share in plain words, once; each sum counts the counters of its own book."""
    answers = list(dict.fromkeys(plain_answers.describe_answer_plainly(corpus, question, siglum) for siglum in sigla))
    if len(answers) == 1:
        return answers[0]
    value = _resolve(corpus, question, sigla[0])
    if isinstance(value, int) and question.measure.get("unit") == "smallest":
        return ", or ".join(answers) if len(answers) <= _MAX_UNITS else f"{value} of the book’s smallest counters"
    return (
        answers[0]
        if value is None
        else plain_answers.format_printed_answer(question, value, corpus.library.sources[sigla[0]], corpus.library)
    )


def _resolve(corpus: Corpus, question: Question, siglum: str) -> Value | None:
    """Value of an answer; one that points to another is that other."""
    cell = corpus.cell(siglum, question.slug)
    value = cell.value if cell else None
    return dereference_answer(value, corpus.answers_of[siglum]) if isinstance(value, Like) else value


def _list_quotations(corpus: Corpus, siglum: str, cell: Cell) -> Iterator[TopicQuotation]:
    """Passages on which an answer rests, or else the first that is quoted."""
    cites = list(dict.fromkeys(cite for clause in cell.clauses for cite in clause.cites))
    resting = [cite for cite in cites if cite.role == "grounds"] or cites[:1]
    source, mark = corpus.library.sources[siglum], plain_answers.source_marks(corpus)[siglum]
    for cite in resting[:_MAX_QUOTATIONS]:
        yield TopicQuotation(mark, common.build_quotation_view(corpus, source, cite))
