"""The matrix of the book: every question with the answer of each source in a letter and in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.text import answers as words
from edition.views.common import (
    AGREEMENT,
    ANSWER_LETTERS,
    AnswerMark,
    QuestionLink,
    SourceLink,
    build_answer_marks,
    classify_accord,
    explain_unplayed,
    find_testimony,
    group_questions,
    question_link,
    source_link,
)
from rulebook.answers.wording import STATUS_LABELS, format_answer, format_plain_answer
from rulebook.model import Cell, Question
from rulebook.phrases import AnswerText


@dataclass(frozen=True, slots=True)
class Voice:
    """Answer of one source to a question, with its standing."""

    mark: AnswerMark
    says: str  #: the same letter is the same answer in effect; empty where the source does not speak for itself
    answer: AnswerText | None
    status: str
    played: bool = True  #: whether the engine plays just this
    plain: str = ""  #: the answer in plain words, or why there is none

    @property
    def siglum(self) -> str:
        """Siglum of the source that speaks."""
        return self.mark.siglum


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """One question with all its voices."""

    question: QuestionLink
    voices: tuple[Voice, ...]
    kind: str
    played: bool  #: whether the engine asks the question


@dataclass(frozen=True, slots=True)
class SourceComparison:
    """All sources over all questions, under the headings of the table of contents."""

    sources: tuple[SourceLink, ...]
    groups: tuple[tuple[str, tuple[ComparedQuestion, ...]], ...]

    @property
    def rows(self) -> Iterator[ComparedQuestion]:
        """Every question."""
        return (row for _, rows in self.groups for row in rows)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of questions by kind of agreement."""
        found = Counter(row.kind for row in self.rows)
        return {kind: found[kind] for kind in AGREEMENT}


def effective_letters(corpus: Corpus, slug: str, sigla: Iterable[str]) -> Mapping[str, str]:
    """A letter for each source that speaks for itself; the same for those whose answers come to the same."""
    meant = {siglum: said for siglum in sigla if (said := find_testimony(corpus, siglum, slug))}
    letters = dict(zip(dict.fromkeys(meant.values()), ANSWER_LETTERS, strict=False))
    return {siglum: letters.get(worth, worth) for siglum, worth in meant.items()}


def matrix_view(corpus: Corpus, _: str = "") -> SourceComparison:
    """Every question in every source, in letters and short answers."""
    groups = tuple(
        (group, tuple(_compare_question(corpus, question) for question in questions))
        for group, questions in group_questions(corpus).items()
    )
    return SourceComparison(tuple(map(source_link, corpus.library.sources.values())), groups)


def _compare_question(corpus: Corpus, question: Question) -> ComparedQuestion:
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in corpus.library.sources}
    letters = effective_letters(corpus, question.slug, cells)
    voices = tuple(
        build_voice(corpus, question, mark, cells[mark.siglum], letters.get(mark.siglum, ""))
        for mark in build_answer_marks(corpus, question)
    )
    kind = classify_accord([one.says for one in voices])
    return ComparedQuestion(question_link(question), voices, kind, not question.not_played)


def build_voice(corpus: Corpus, question: Question, mark: AnswerMark, cell: Cell | None, says: str) -> Voice:
    """Build the voice of one source on one question."""
    if cell is None:
        return Voice(mark, "", None, "not-collated", plain=STATUS_LABELS["not-collated"])
    played, source = not explain_unplayed(corpus, question, cell.value), corpus.library.sources[mark.siglum]
    if cell.value is None:
        return Voice(mark, says, None, cell.status, played, words.describe_silence(cell.status, source.partial))
    plain = format_plain_answer(question, cell.value, source, corpus.library)
    said = format_answer(question, cell.value, corpus.library)
    return Voice(mark, says, said, cell.status, played, plain)
