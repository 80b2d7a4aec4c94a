"""The sources beside each other over all questions: who says what, and how any of them, chosen at will, agree.

Two pages are made of it, the matrix and the sources side by side. Everything stands in their tables, so that nothing
is lost without a script; with one, sources and questions are chosen (`static/compare.js`), and the agreement is
reckoned for the chosen ones, by the rule of `accord`, from what every cell says of itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from edition.analysis.costs import find_costs, heft, of_question, percent
from edition.corpus.corpus import Shelf
from edition.data.drafts import collated
from edition.data.limits import side_by_side
from edition.text.answers import Answer, answer, counted
from edition.views.common import (
    AGREEMENT,
    LETTERS,
    Mark,
    QuestionLink,
    Quotation,
    SourceLink,
    by_group,
    marks,
    question_link,
    quotation,
    source_link,
    unplayed,
    what_it_comes_to,
)
from engine.survey.variants import QUESTION
from rulebook.model import Cell, FrozenMap, Question

SUPPLIED = "supplied"


@dataclass(frozen=True, slots=True)
class Voice:
    """What one source says on a question, and with what right."""

    mark: Mark
    says: str  #: the same letter is the same answer in effect; empty where the source does not speak for itself
    answer: Answer | None
    unit: str
    status: str
    cert: str
    supplied: bool
    quotations: tuple[Quotation, ...]
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
    """What it costs at the table of one source to take the answer of another."""

    table: str
    giver: str
    share: float  #: of the opening pool in a deal, in hundredths, under the policy under which it is most
    words: str


@dataclass(frozen=True, slots=True)
class Compared:
    """One question with all its voices."""

    question: QuestionLink
    voices: tuple[Voice, ...]
    kind: str
    played: bool  #: whether the engine asks the question
    prices: tuple[Price, ...]  #: the dearest first
    weighed: bool  #: whether any survey weighed it


@dataclass(frozen=True, slots=True)
class Comparison:
    """All sources over all questions, under the headings of the table of contents."""

    sources: tuple[SourceLink, ...]
    groups: tuple[tuple[str, tuple[Compared, ...]], ...]
    quoted: bool  #: whether the words of the sources stand there too
    drafts: Mapping[str, str] = FrozenMap()  #: how far each is collated that is a draft
    left_out: int = 0  #: sources that do not stand here, there being too many of them

    @property
    def rows(self) -> Iterator[Compared]:
        """Every question."""
        return (row for _, rows in self.groups for row in rows)

    @property
    def counts(self) -> Mapping[str, int]:
        """How often all sources agree, differ, and so on."""
        found = Counter(row.kind for row in self.rows)
        return {kind: found[kind] for kind in AGREEMENT}


# ---- the rule
def accord(said: Collection[str]) -> str:
    """Whether those that speak for themselves say the same, by what each of them says; the silent say nothing."""
    spoken = [one for one in said if one]
    return {0: "nobody", 1: "alone"}.get(len(spoken), "agree" if len(set(spoken)) == 1 else "differ")


def accord_words(said: Mapping[str, str]) -> str:
    """The same in words: who speaks alone, and who is not heard. The script says it likewise."""
    kind = accord(said.values())
    if kind == "nobody":
        return AGREEMENT[kind]
    if kind == "alone":
        return f"{next(siglum for siglum, one in said.items() if one)} alone speaks"
    unheard = ", ".join(siglum for siglum, one in said.items() if not one)
    return f"{AGREEMENT[kind]} ({unheard} not heard)" if unheard else AGREEMENT[kind]


def effective_letters(shelf: Shelf, cells: Iterable[Cell | None]) -> Mapping[str, str]:
    """A letter for each source that speaks for itself; the same for those whose answers come to the same."""
    spoken = [cell for cell in cells if cell and cell.value is not None and not cell.supplied]
    meant = {cell.source: what_it_comes_to(shelf, cell) for cell in spoken}
    letters = dict(zip(dict.fromkeys(meant.values()), LETTERS, strict=False))
    return {siglum: letters.get(worth, worth) for siglum, worth in meant.items()}


# ---- the views
def matrix_view(shelf: Shelf, _: str = "") -> Comparison:
    """Every question in every source, in letters and short answers."""
    return comparison(shelf, tuple(shelf.library.sources), quoted=False)


def beside_view(shelf: Shelf, _: str = "") -> Comparison:
    """Every question in every source, or in some if they are many, with the words on which the answers rest."""
    return comparison(shelf, side_by_side(shelf.library), quoted=True)


def comparison(shelf: Shelf, sigla: Sequence[str], quoted: bool) -> Comparison:
    """These sources over all questions."""
    groups = tuple(
        (group, tuple(compared(shelf, question, sigla, quoted) for question in questions))
        for group, questions in by_group(shelf).items()
    )
    known = shelf.library.sources
    drafts = FrozenMap({siglum: said for siglum in sigla if (said := collated(shelf.library, siglum))})
    return Comparison(tuple(source_link(known[one]) for one in sigla), groups, quoted, drafts, len(known) - len(sigla))


def compared(shelf: Shelf, question: Question, sigla: Sequence[str], quoted: bool) -> Compared:
    """One question in these sources."""
    cells = {siglum: shelf.cell(siglum, question.slug) for siglum in sigla}
    letters = effective_letters(shelf, cells.values())
    voices = tuple(
        voice(shelf, question, mark, cells[mark.siglum], letters.get(mark.siglum, ""), quoted)
        for mark in marks(shelf, question)
        if mark.siglum in cells
    )
    kind = accord([one.says for one in voices])
    prices = tuple(sorted(price_list(shelf, question), key=lambda one: -one.share))
    weighed = any(True for _ in of_question(find_costs(shelf), question.slug))
    return Compared(question_link(question), voices, kind, not question.not_played, prices, weighed)


def voice(shelf: Shelf, question: Question, mark: Mark, cell: Cell | None, says: str, quoted: bool) -> Voice:
    """One source on one question; with its words where they are wanted."""
    if cell is None:
        return Voice(mark, "", None, "", "not-collated", "", False, (), ())
    source = shelf.library.sources[mark.siglum]
    said = None if cell.value is None else answer(question, cell.value, shelf.library)
    cites = (cite for clause in cell.clauses for cite in clause.cites if quoted)
    return Voice(
        mark,
        says,
        said,
        counted(question, cell.value, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(quotation(shelf, source, cite) for cite in cites),
        tuple(clause.id for clause in cell.clauses),
        not unplayed(shelf, question, cell.value),
    )


def price_list(shelf: Shelf, question: Question) -> Iterator[Price]:
    """What each source's answer costs at the table of each other, as far as surveys tell."""
    for cost in of_question(find_costs(shelf), question.slug):
        policy = max((name for name, _ in cost.weights), key=lambda name: heft(cost, name))
        found = cost.of(policy)
        assert found is not None
        share = found.of_pool.value
        forbidden = f"{percent(found.forbidden.value)} of the deals forbidden" if found.forbidden.value else ""
        pool = "a pool that we supply" if cost.pool_supplied else "the pool"
        moved = f"{percent(share)} of {pool}" if share else "" if forbidden else "nothing seen to move"
        words = ", ".join(part for part in (moved, forbidden) if part)
        for stand in cost.stands:
            if stand.kind == QUESTION and question.slug in stand.questions:
                yield Price(cost.table, stand.source, share * 100, words)


def dearest(prices: Sequence[Price], sigla: Collection[str]) -> Price | None:
    """The dearest of the prices that concern only the sources chosen; the prices stand in their order."""
    return next((one for one in prices if {one.table, one.giver} <= set(sigla)), None)
