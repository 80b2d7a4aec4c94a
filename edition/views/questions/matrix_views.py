"""The sources beside each other over all questions: who says what, and how any of them, chosen at will, agree.

Two pages are made of it, the matrix and the sources side by side. Everything stands in their tables, so that nothing
is lost without a script; with one, sources and questions are chosen (`static/compare.js`), and the agreement is
reckoned for the chosen ones, by the rule of `classify_accord`, from what every cell says of itself. Roles are written
out, because a table that a narrow screen shows as a list would otherwise be no table to those who listen to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from edition.analysis.costs import find_costs, find_question_costs, format_cost_percent, get_cost_sort_key
from edition.corpus.corpus import Corpus
from edition.data.drafts import format_collation
from edition.data.limits import select_parallel_sources
from edition.text import answers as words
from edition.text.answers import AnswerText
from edition.views.common import (
    AGREEMENT,
    ANSWER_LETTERS,
    AnswerMark,
    QuestionLink,
    QuotationView,
    SourceLink,
    build_answer_marks,
    build_quotation_view,
    classify_accord,
    explain_unplayed,
    find_testimony,
    group_questions,
    question_link,
    source_link,
)
from engine.survey.variants import VARIANT_QUESTION
from rulebook.model import Cell, FrozenMap, Question

SUPPLIED = "supplied"


@dataclass(frozen=True, slots=True)
class Voice:
    """Answer of one source to a question, with its standing."""

    mark: AnswerMark
    says: str  #: the same letter is the same answer in effect; empty where the source does not speak for itself
    answer: AnswerText | None
    unit: str
    status: str
    cert: str
    supplied: bool
    quotations: tuple[QuotationView, ...]
    clauses: tuple[str, ...]
    played: bool = True  #: whether the engine plays just this

    @property
    def siglum(self) -> str:
        """Whose voice it is."""
        return self.mark.siglum

    @property
    def states(self) -> str:
        """By what it can be looked for: its status, and whether we supplied the answer."""
        return f"{self.status} {SUPPLIED}" if self.supplied else self.status


@dataclass(frozen=True, slots=True)
class Price:
    """Cost at the table of one source of taking the answer of another."""

    table: str
    giver: str
    share: float  #: of the opening pool in a deal, in hundredths, under the policy under which it is most
    words: str


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """One question with all its voices."""

    question: QuestionLink
    voices: tuple[Voice, ...]
    kind: str
    played: bool  #: whether the engine asks the question
    prices: tuple[Price, ...]  #: the dearest first
    weighed: bool  #: whether any survey weighed it


@dataclass(frozen=True, slots=True)
class SourceComparison:
    """All sources over all questions, under the headings of the table of contents."""

    sources: tuple[SourceLink, ...]
    groups: tuple[tuple[str, tuple[ComparedQuestion, ...]], ...]
    quoted: bool  #: whether the words of the sources stand there too
    drafts: Mapping[str, str] = FrozenMap()  #: how far each is collated that is a draft
    left_out: int = 0  #: sources that do not stand here, there being too many of them

    @property
    def rows(self) -> Iterator[ComparedQuestion]:
        """Every question."""
        return (row for _, rows in self.groups for row in rows)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of questions by kind of agreement."""
        found = Counter(row.kind for row in self.rows)
        return {kind: found[kind] for kind in AGREEMENT}


# ---- the rule
def accord_words(said: Mapping[str, str]) -> str:
    """The same in words: who speaks alone, and who is not heard. The script says it likewise."""
    kind = classify_accord(said.values())
    if kind == "nobody":
        return AGREEMENT[kind]
    if kind == "alone":
        return f"{next(siglum for siglum, one in said.items() if one)} alone speaks"
    unheard = ", ".join(siglum for siglum, one in said.items() if not one)
    return f"{AGREEMENT[kind]} ({unheard} not heard)" if unheard else AGREEMENT[kind]


def effective_letters(corpus: Corpus, slug: str, sigla: Iterable[str]) -> Mapping[str, str]:
    """A letter for each source that speaks for itself; the same for those whose answers come to the same."""
    meant = {siglum: said for siglum in sigla if (said := find_testimony(corpus, siglum, slug))}
    letters = dict(zip(dict.fromkeys(meant.values()), ANSWER_LETTERS, strict=False))
    return {siglum: letters.get(worth, worth) for siglum, worth in meant.items()}


# ---- the views
def matrix_view(corpus: Corpus, _: str = "") -> SourceComparison:
    """Every question in every source, in letters and short answers."""
    return _compare_sources(corpus, tuple(corpus.library.sources), quoted=False)


def beside_view(corpus: Corpus, _: str = "") -> SourceComparison:
    """Every question in every source, or in some if they are many, with the words on which the answers rest."""
    return _compare_sources(corpus, select_parallel_sources(corpus.library), quoted=True)


def _compare_sources(corpus: Corpus, sigla: Sequence[str], quoted: bool) -> SourceComparison:
    groups = tuple(
        (group, tuple(_compare_question(corpus, question, sigla, quoted) for question in questions))
        for group, questions in group_questions(corpus).items()
    )
    known = corpus.library.sources
    drafts = FrozenMap({siglum: said for siglum in sigla if (said := format_collation(corpus.library, siglum))})
    return SourceComparison(
        tuple(source_link(known[one]) for one in sigla), groups, quoted, drafts, len(known) - len(sigla)
    )


def _compare_question(corpus: Corpus, question: Question, sigla: Sequence[str], quoted: bool) -> ComparedQuestion:
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in sigla}
    letters = effective_letters(corpus, question.slug, sigla)
    voices = tuple(
        build_voice(corpus, question, mark, cells[mark.siglum], letters.get(mark.siglum, ""), quoted)
        for mark in build_answer_marks(corpus, question)
        if mark.siglum in cells
    )
    kind = classify_accord([one.says for one in voices])
    prices = tuple(sorted(price_list(corpus, question), key=lambda one: -one.share))
    weighed = any(True for _ in find_question_costs(find_costs(corpus), question.slug))
    return ComparedQuestion(question_link(question), voices, kind, not question.not_played, prices, weighed)


def build_voice(
    corpus: Corpus, question: Question, mark: AnswerMark, cell: Cell | None, says: str, quoted: bool
) -> Voice:
    """Build the voice of one source on one question; quotations only if wanted."""
    if cell is None:
        return Voice(mark, "", None, "", "not-collated", "", False, (), ())
    source = corpus.library.sources[mark.siglum]
    said = None if cell.value is None else words.format_answer(question, cell.value, corpus.library)
    cites = (cite for clause in cell.clauses for cite in clause.cites if quoted)
    return Voice(
        mark,
        says,
        said,
        words.get_sum_counter(question, cell.value, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(build_quotation_view(corpus, source, cite) for cite in cites),
        tuple(clause.id for clause in cell.clauses),
        not explain_unplayed(corpus, question, cell.value),
    )


def price_list(corpus: Corpus, question: Question) -> Iterator[Price]:
    """Costs of other sources' answers at each source's table, as far as surveyed."""
    for cost in find_question_costs(find_costs(corpus), question.slug):
        policy = max((name for name, _ in cost.weights), key=lambda name: get_cost_sort_key(cost, name))
        found = cost.of(policy)
        assert found is not None
        share = found.of_pool.value
        forbidden = (
            f"{format_cost_percent(found.forbidden.value)} of the deals forbidden" if found.forbidden.value else ""
        )
        pool = "a pool that we supply" if cost.pool_supplied else "the pool"
        moved = f"{format_cost_percent(share)} of {pool}" if share else "" if forbidden else "nothing seen to move"
        said = ", ".join(part for part in (moved, forbidden) if part)
        for stand in cost.stands:
            if stand.kind == VARIANT_QUESTION and question.slug in stand.questions:
                yield Price(cost.table, stand.source, share * 100, said)
