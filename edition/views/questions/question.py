"""The page of a question: what is asked, what every source says, who reads how, and what comes of the disagreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.costs import CostLine, find_costs, summarise_question_cost
from edition.corpus.corpus import Corpus
from edition.data.separations import load_separations
from edition.nodes.builders import (
    TARGET,
    Content,
    add_anchor,
    block,
    code,
    definition_list,
    details,
    link,
    markup_of,
    para,
    same_page_link,
    section,
    span,
    table,
)
from edition.text import answers as words
from edition.text.answers import AnswerText
from edition.views.common import (
    AGREEMENT,
    AnswerMark,
    ClauseView,
    Prose,
    QuestionLink,
    QuotationView,
    SourceLink,
    assign_answer_letters,
    build_answer_marks,
    classify_agreement,
    clause_view,
    explain_unplayed,
    format_source_answer,
    question_link,
    source_link,
)
from edition.views.deals.separations import (
    VERDICTS_TOLD,
    SeparationCase,
    collect_separation_cases,
    render_separation_case,
)
from edition.views.layout import (
    Nodes,
    cell_ref,
    clause_block,
    join_content,
    render_answer_value,
    render_badge,
    render_matrix_mark,
    render_passage,
    render_prose,
    render_quotation_place,
    render_status_badges,
    render_unplayed_badge,
)
from edition.views.layout import question_ref as ref
from engine.comparison.separation import EFFECTIVE, LATENT, NOT_PLAYED, VERDICT_UNKNOWN
from rulebook.answers.values import format_canonical
from rulebook.model import Cell, Question


@dataclass(frozen=True, slots=True)
class ConditionWord:
    """A word of the condition under which a question makes sense."""

    words: str
    question: QuestionLink | None = None  #: asked in full


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One answer that a question can have, and who gives it."""

    answer: AnswerText
    letter: str
    holders: tuple[str, ...]
    supplied_for: tuple[str, ...]
    rivals: tuple[tuple[str, str], ...]  #: (siglum, id) of interpretations and options that read so
    count: str
    unplayed: str = ""  #: what the engine plays in its place, and why
    by: str = ""  #: the source that proposes the reading


@dataclass(frozen=True, slots=True)
class CellView:
    """Answer of one source to the question."""

    source: SourceLink
    target: str
    mark: AnswerMark
    answer: AnswerText | None
    unit: str
    status: str
    cert: str
    supplied: bool
    clauses: tuple[ClauseView, ...]
    unplayed: str = ""  #: what the engine plays in its place, and why


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question, its readings, and every source's answer."""

    link: QuestionLink
    group: str
    affects: str
    measure: str
    coding: Prose
    related: tuple[QuestionLink, ...]
    not_played: str
    agreement: str
    cost: CostLine | None
    readings: tuple[ReadingRow, ...]
    cells: tuple[CellView, ...]
    before: QuestionLink | None
    after: QuestionLink | None
    by: str  #: the source that proposes the question
    condition: tuple[ConditionWord, ...]
    partings: tuple[SeparationCase, ...]  #: where two sources part on it, with a deal or the reason why there is none


def question_view(corpus: Corpus, name: str) -> QuestionView:
    """Everything about one question."""
    question = corpus.library.question(name)
    before, after = _find_neighbours(list(corpus.library.questions.values()), question)
    return QuestionView(
        question_link(question),
        question.group,
        words.AFFECTS.get(question.affects, question.affects),
        "" if question.closed else words.describe_measure(question),
        corpus.prose(question.coding),
        tuple(question_link(corpus.library.question(one)) for one in question.related),
        question.not_played,
        AGREEMENT[classify_agreement(corpus, question)],
        summarise_question_cost(corpus.surveys, find_costs(corpus), question),
        tuple(reading_rows(corpus, question)),
        tuple(_cell_view(corpus, question, one) for one in build_answer_marks(corpus, question)),
        question_link(before) if before else None,
        question_link(after) if after else None,
        question.by,
        tuple(list_condition_words(corpus, question)),
        tuple(find_question_separations(corpus, question)),
    )


def _find_neighbours(row: list[Any], one: Any) -> tuple[Any, Any]:
    at = row.index(one)
    return (row[at - 1] if at else None), (row[at + 1] if at + 1 < len(row) else None)


#: How a condition is written -> how it is read.
_CONDITION_OPERATORS: Mapping[str, str] = {"==": "is", "!=": "is not", "[]": "none"}


def list_condition_words(corpus: Corpus, question: Question) -> Iterator[ConditionWord]:
    """Condition under which a question makes sense, word by word."""
    for word in question.depends.split():
        other = corpus.library.questions.get(word.strip("()"))
        yield ConditionWord("", question_link(other)) if other else ConditionWord(_CONDITION_OPERATORS.get(word, word))


def find_question_separations(corpus: Corpus, question: Question) -> Iterator[SeparationCase]:
    """Cases in which two sources part on a question that is played, a deal first."""
    store = load_separations(corpus.library)
    found = store.by_question.get(question.slug, ()) if store else ()
    if store is None or not found or found[0].verdict == NOT_PLAYED:
        return
    order = (EFFECTIVE, LATENT, VERDICT_UNKNOWN)
    yield from sorted(
        collect_separation_cases(corpus.library, store, None, found), key=lambda one: order.index(one.verdict)
    )


def reading_rows(corpus: Corpus, question: Question) -> Iterator[ReadingRow]:
    """Every reading of a closed question, or every answer that was given or considered, with those who hold it."""
    library = corpus.library
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in library.sources}
    letters = assign_answer_letters(cells.values())
    for value in possible_answers(corpus, question, cells.values()):
        name = format_canonical(value)
        same = [
            cell for cell in cells.values() if cell and cell.value is not None and format_canonical(cell.value) == name
        ]
        holders = tuple(cell.source for cell in same if not cell.supplied)
        yield ReadingRow(
            words.format_answer(question, value, library),
            letters.get(name, ""),
            holders,
            tuple(cell.source for cell in same if cell.supplied),
            tuple(find_alternatives_with_answer(corpus, question, name)),
            count_holders(corpus, holders),
            explain_unplayed(corpus, question, value),
            question.proposed[name].source if name in question.proposed else "",
        )


def possible_answers(corpus: Corpus, question: Question, cells: Iterable[Cell | None]) -> list[Any]:
    """The closed list, or all answers that the sources give or might give."""
    if question.closed:
        return list(question.readings)
    given = [cell.value for cell in cells if cell and cell.value is not None]
    rivals = [one.answers[question.slug] for _, one in corpus.alternatives_on.get(question.slug, ())]
    return list({format_canonical(value): value for value in (*given, *rivals)}.values())


def find_alternatives_with_answer(corpus: Corpus, question: Question, name: str) -> Iterator[tuple[str, str]]:
    """Interpretations and options under which a source would give this answer."""
    for clause, one in corpus.alternatives_on.get(question.slug, ()):
        if format_canonical(one.answers[question.slug]) == name:
            yield clause.source, one.id


def count_holders(corpus: Corpus, sigla: Sequence[str]) -> str:
    """Number of sources and of the families to which they belong.

    Two of a family are not two witnesses.
    """
    families = {words.get_family_name(corpus.library.sources[siglum]) for siglum in sigla}
    if not sigla:
        return "none"
    return f"{words.format_count(len(sigla), 'source')}, {words.format_count(len(families), 'family', 'families')}"


def _cell_view(corpus: Corpus, question: Question, mine: AnswerMark) -> CellView:
    siglum, source = mine.siglum, corpus.library.sources[mine.siglum]
    cell = corpus.cell(siglum, question.slug)
    if cell is None:
        return CellView(source_link(source), f"{question.id}@{siglum}", mine, None, "", "not-collated", "", False, ())
    return CellView(
        source_link(source),
        f"{question.id}@{siglum}",
        mine,
        *format_source_answer(corpus, question, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(clause_view(corpus, clause) for clause in cell.clauses),
        explain_unplayed(corpus, question, cell.value),
    )


# ---- layout
def render_question(view: QuestionView) -> Nodes:
    """A question page: what the sources say comes first, how we code it last."""
    made = section(
        view.link.id,
        [span(view.link.id, cls="rv-id"), " ", view.link.asks],
        _render_question_head(view),
        section("in-short", "What the sources say", _render_answer_overview(view)),
        section("readings", "Readings", _readings_table(view), para(_WITNESSES_NOTE, cls="rv-small")),
        *render_disagreement_effects(view),
        section("sources", "The clauses in full", *(_block_of_cell(cell) for cell in view.cells)),
        section("about", "About the question", _render_question_facts(view)),
        _local_navigation(view),
        cls="rv-page rv-question",
    )
    add_anchor(made, "question", view.link.id, view.link.asks)
    made[TARGET] = [*made[TARGET], ("question", view.link.slug, view.link.asks, view.link.id)]
    return [made]


def _render_question_head(view: QuestionView) -> nodes.paragraph:
    ways: list[Content] = [link("row", view.link.id, "in the matrix"), " · ", link("group", view.group, view.group)]
    return para(render_badge(view.agreement), " ", code(view.link.slug), " · ", *ways, cls="rv-question-head")


# ---- one row for every source
def _render_answer_overview(view: QuestionView) -> nodes.Node:
    top = ("Source", "Answer", "Quotation, or our summary", "Place", "Status")
    return table("What each source says", top, [_overview_row(cell) for cell in view.cells], cls="rv-said rv-stack")


def _overview_row(cell: CellView) -> tuple[Any, ...]:
    name = [link("source", cell.source.siglum, title=cell.source.title), " "]
    here = same_page_link(cell.source.siglum, "§", cls="rv-here", aria_label=f"{cell.source.siglum} in full")
    said: list[Content] = (
        render_answer_value(cell.answer, cell.unit) if cell.answer else [words.STATUS_LABELS[cell.status]]
    )
    supplied: list[Content] = [render_badge("supplied by us", "rv-supplied"), " "] if cell.supplied else []
    return (
        [*name, here],
        [render_matrix_mark(cell.mark), " ", *said, *render_unplayed_badge(not cell.unplayed)],
        own_words(cell),
        [para(*render_quotation_place(quote)) for quote in select_ground_quotations(cell)] or "–",
        [*supplied, *render_status_badges(cell.status, cell.cert)],
    )


def select_ground_quotations(cell: CellView) -> list[QuotationView]:
    """Quotations on which the answer rests, or else the first that is quoted."""
    quoted = [quote for clause in cell.clauses for quote in clause.quotations]
    resting = [quote for quote in quoted if quote.role == "grounds"]
    return list(dict.fromkeys(resting or quoted[:1]))[:MAX_OVERVIEW_QUOTATIONS]


MAX_OVERVIEW_QUOTATIONS = 2  #: so many passages of a source stand in its row; all of them under the clauses


def own_words(cell: CellView) -> Any:
    """The words of the source with their translation, or our summary; or why there are none."""
    if found := select_ground_quotations(cell):
        return [part for quote in found for part in render_passage(quote)]
    return list(render_missing_quote_reasons(cell)) or "–"


def render_missing_quote_reasons(cell: CellView) -> Iterator[nodes.Node]:
    """Reasons for a missing quotation: a vain search, or our inference and its basis."""
    for clause in cell.clauses:
        if clause.searched:
            yield para("Searched ", *render_prose(clause.searched), " in vain.")
        if clause.taken_from:
            yield para(f"Supplied from {clause.taken_from}.")
        elif clause.because:
            yield para(*render_prose(clause.because))


# ---- readings
_WITNESSES_NOTE = (
    "Two sources of one family are not two independent witnesses. "
    "A reading that we supply where a source is silent is nobody's testimony."
)


def _readings_table(view: QuestionView) -> nodes.Node:
    rows = [
        (
            [
                *render_answer_value(row.answer),
                *render_unplayed_badge(not row.unplayed),
                *([" ", render_badge(f"proposed by {row.by}")] if row.by else []),
            ],
            [letter_only(row.letter)],
            _link_answer_cells(view, row.holders),
            _link_answer_cells(view, row.supplied_for),
            [piece for _, id in row.rivals for piece in (link("alternative", id), ", ")][:-1] or "–",
            row.count,
        )
        for row in view.readings
    ]
    top = ("Reading", "Letter", "Held by", "Supplied for", "Considered in", "Counted")
    return table("Who holds which reading", top, rows, cls="rv-readings rv-stack")


def letter_only(letter: str) -> nodes.inline:
    """The letter by which the matrix shows a reading."""
    return span(letter or "–", cls=f"rv-mark rv-mark-{letter or 'none'}")


def _link_answer_cells(view: QuestionView, names: Iterable[str]) -> list[Content]:
    return join_content(cell_ref(view.link, one, one) for one in names) or ["–"]


# ---- what comes of it
def render_disagreement_effects(view: QuestionView) -> Nodes:
    """Effects of a disagreement: its cost at the table, and deals that show it."""
    found: Nodes = []
    if view.cost:
        more: list[Content] = [" ", link("cost", view.link.id, "All of its figures")] if view.cost.weighed else []
        found.append(para(span("At the table", cls="rv-label"), " ", view.cost.words, *more))
    if view.not_played:
        found.append(para(f"The engine does not ask this: {view.not_played}"))
    if view.partings:
        deals = link("parting", view.link.id, "among all of its kind")
        said = dict.fromkeys(each.verdict for each in view.partings)
        meant = link("parting", VERDICTS_TOLD, f"what {' and '.join(said)} {'mean' if len(said) > 1 else 'means'}")
        cards = "The same cards, settled with the one answer and with the other; "
        found.append(para(cards, deals, "; ", meant, "."))
    parted = [block(*render_separation_case(each), cls="rv-parting") for each in view.partings]
    rest = parted[1:]
    found += parted[:1]
    found += [details(f"{words.format_count(len(rest), 'other case')}", *rest, cls="rv-words")] if rest else []
    title = "What the disagreement changes" if view.agreement == AGREEMENT["differ"] else "In play"
    return [section("changes", title, *found)] if found else []


# ---- in full
def _block_of_cell(cell: CellView) -> nodes.section:
    said: list[Content] = render_answer_value(cell.answer, cell.unit) if cell.answer else ["No answer."]
    how: list[Content] = [render_badge("supplied by us", "rv-supplied"), " "] if cell.supplied else []
    line = para(
        render_matrix_mark(cell.mark),
        " ",
        *said,
        " ",
        *how,
        *render_status_badges(cell.status, cell.cert),
        cls="rv-cell-head",
    )
    title = [f"{cell.source.siglum}: ", cell.source.title]
    left = [para(render_badge("not played"), " ", cell.unplayed)] if cell.unplayed else []
    made = section(cell.source.siglum, title, line, *left, *map(clause_block, cell.clauses), cls="rv-cell")
    return add_anchor(made, "cell", cell.target, f"{cell.target}: {cell.source.title}", at=cell.source.siglum)


def _render_question_facts(view: QuestionView) -> nodes.definition_list:
    pairs: list[tuple[Content, Any]] = [("Group", view.group), ("Touches", view.affects)]
    pairs += [("Answered by", view.measure)] if view.measure else []
    pairs += [("Proposed by", link("source", view.by))] if view.by else []
    pairs += [("How to code it", render_prose(view.coding))]
    condition = join_content(map(render_condition_word, view.condition), " ")
    pairs += [("Makes sense if", condition)] if condition else []
    related = join_content((span(ref(one), f" {one.asks}") for one in view.related), "; ")
    pairs += [("See also", related)] if related else []
    return definition_list(pairs, cls="rv-facts")


def render_condition_word(one: ConditionWord) -> Content:
    """A word of a condition; a question is asked in full."""
    return span(ref(one.question), f" “{one.question.asks}”") if one.question else one.words


def _local_navigation(view: QuestionView) -> nodes.Element:
    before = [span("← ", ref(view.before), f" {view.before.asks}", cls="rv-before")] if view.before else []
    after = [span(ref(view.after), f" {view.after.asks} →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Questions before and after")
