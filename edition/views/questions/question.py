"""The page of a question: what is asked, what every source says, who reads how, and what comes of the disagreement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.costs import CostLine, cost_line, find_costs
from edition.corpus.corpus import Corpus
from edition.data.separations import stored
from edition.nodes.builders import (
    TARGET,
    Content,
    anchor,
    block,
    code,
    definitions,
    details,
    link,
    markup_of,
    para,
    section,
    span,
    table,
    within,
)
from edition.text import answers as words
from edition.text.answers import Answer
from edition.views.common import (
    AGREEMENT,
    ClauseView,
    Mark,
    Prose,
    QuestionLink,
    Quotation,
    SourceLink,
    agreement,
    clause_view,
    lettered,
    marks,
    question_link,
    said_by,
    source_link,
    unplayed,
)
from edition.views.deals.separations import VERDICTS_TOLD, Shown, shown, shown_of
from edition.views.layout import (
    Nodes,
    answer,
    badge,
    badges,
    cell_ref,
    clause_block,
    foreign,
    joined,
    locus,
    mark,
    prose,
    summary,
    unasked,
)
from edition.views.layout import question_ref as ref
from engine.comparison.separation import EFFECTIVE, LATENT, NOT_PLAYED, UNKNOWN
from rulebook.answers.values import canonical
from rulebook.model import Cell, Question


@dataclass(frozen=True, slots=True)
class Condition:
    """A word of the condition under which a question makes sense; a question in it is asked in full."""

    words: str
    question: QuestionLink | None = None


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One answer that a question can have, and who gives it."""

    answer: Answer
    letter: str
    holders: tuple[str, ...]
    supplied_for: tuple[str, ...]
    rivals: tuple[tuple[str, str], ...]  #: (siglum, id) of interpretations and options that read so
    count: str
    unplayed: str = ""  #: what the engine plays in its place, and why
    by: str = ""  #: the source that proposes the reading


@dataclass(frozen=True, slots=True)
class CellView:
    """What one source says on the question."""

    source: SourceLink
    target: str
    mark: Mark
    answer: Answer | None
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
    condition: tuple[Condition, ...]
    partings: tuple[Shown, ...]  #: where two sources part on it, with a deal or the reason why there is none


def question_view(corpus: Corpus, name: str) -> QuestionView:
    """Everything about one question."""
    question = corpus.library.question(name)
    before, after = neighbours(list(corpus.library.questions.values()), question)
    return QuestionView(
        question_link(question),
        question.group,
        words.AFFECTS.get(question.affects, question.affects),
        "" if question.closed else words.measure(question),
        corpus.prose(question.coding),
        tuple(question_link(corpus.library.question(one)) for one in question.related),
        question.not_played,
        AGREEMENT[agreement(corpus, question)],
        cost_line(corpus.surveys, find_costs(corpus), question),
        tuple(reading_rows(corpus, question)),
        tuple(cell_view(corpus, question, one) for one in marks(corpus, question)),
        question_link(before) if before else None,
        question_link(after) if after else None,
        question.by,
        tuple(condition(corpus, question)),
        tuple(partings(corpus, question)),
    )


def neighbours(row: list[Any], one: Any) -> tuple[Any, Any]:
    """What stands before and after."""
    at = row.index(one)
    return (row[at - 1] if at else None), (row[at + 1] if at + 1 < len(row) else None)


#: How a condition is written -> how it is read.
READ: Mapping[str, str] = {"==": "is", "!=": "is not", "[]": "none"}


def condition(corpus: Corpus, question: Question) -> Iterator[Condition]:
    """The condition under which a question makes sense, word by word."""
    for word in question.depends.split():
        other = corpus.library.questions.get(word.strip("()"))
        yield Condition("", question_link(other)) if other else Condition(READ.get(word, word))


def partings(corpus: Corpus, question: Question) -> Iterator[Shown]:
    """Where two sources part on a question, the deals that show it first; nothing for one that is not played."""
    store = stored(corpus.library)
    found = store.by_question.get(question.slug, ()) if store else ()
    if store is None or not found or found[0].verdict == NOT_PLAYED:
        return
    order = (EFFECTIVE, LATENT, UNKNOWN)
    yield from sorted(shown_of(corpus.library, store, None, found), key=lambda one: order.index(one.verdict))


def reading_rows(corpus: Corpus, question: Question) -> Iterator[ReadingRow]:
    """Every reading of a closed question, or every answer that was given or considered, with those who hold it."""
    library = corpus.library
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in library.sources}
    letters = lettered(cells.values())
    for value in possible_answers(corpus, question, cells.values()):
        name = canonical(value)
        same = [cell for cell in cells.values() if cell and cell.value is not None and canonical(cell.value) == name]
        holders = tuple(cell.source for cell in same if not cell.supplied)
        yield ReadingRow(
            words.answer(question, value, library),
            letters.get(name, ""),
            holders,
            tuple(cell.source for cell in same if cell.supplied),
            tuple(considered(corpus, question, name)),
            count_holders(corpus, holders),
            unplayed(corpus, question, value),
            question.proposed[name].source if name in question.proposed else "",
        )


def possible_answers(corpus: Corpus, question: Question, cells: Iterable[Cell | None]) -> list[Any]:
    """The closed list, or all answers that the sources give or might give."""
    if question.closed:
        return list(question.readings)
    given = [cell.value for cell in cells if cell and cell.value is not None]
    rivals = [one.answers[question.slug] for _, one in corpus.alternatives_on.get(question.slug, ())]
    return list({canonical(value): value for value in (*given, *rivals)}.values())


def considered(corpus: Corpus, question: Question, name: str) -> Iterator[tuple[str, str]]:
    """The interpretations and options under which a source would give this answer."""
    for clause, one in corpus.alternatives_on.get(question.slug, ()):
        if canonical(one.answers[question.slug]) == name:
            yield clause.source, one.id


def count_holders(corpus: Corpus, holders: Iterable[str]) -> str:
    """How many sources, and how many families they make: two of a family are not two witnesses."""
    sigla = tuple(holders)
    families = {words.family(corpus.library.sources[siglum]) for siglum in sigla}
    if not sigla:
        return "none"
    return f"{words.plural(len(sigla), 'source')}, {words.plural(len(families), 'family', 'families')}"


def cell_view(corpus: Corpus, question: Question, mine: Mark) -> CellView:
    """One source's answer, with the clauses it rests on."""
    siglum, source = mine.siglum, corpus.library.sources[mine.siglum]
    cell = corpus.cell(siglum, question.slug)
    if cell is None:
        return CellView(source_link(source), f"{question.id}@{siglum}", mine, None, "", "not-collated", "", False, ())
    return CellView(
        source_link(source),
        f"{question.id}@{siglum}",
        mine,
        *said_by(corpus, question, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(clause_view(corpus, clause) for clause in cell.clauses),
        unplayed(corpus, question, cell.value),
    )


# ---- layout
def render_question(view: QuestionView) -> Nodes:
    """A question page: what the sources say comes first, how we code it last."""
    made = section(
        view.link.id,
        [span(view.link.id, cls="rv-id"), " ", view.link.asks],
        head(view),
        section("in-short", "What the sources say", overview(view)),
        section("readings", "Readings", readings_table(view), *letters_note()),
        *changes(view),
        section("sources", "The clauses in full", *(block_of_cell(cell) for cell in view.cells)),
        section("about", "About the question", facts(view)),
        local_navigation(view),
        cls="rv-page rv-question",
    )
    anchor(made, "question", view.link.id, view.link.asks)
    made[TARGET] = [*made[TARGET], ("question", view.link.slug, view.link.asks, view.link.id)]
    return [made]


def head(view: QuestionView) -> nodes.paragraph:
    """Whether the sources agree, and where in the matrix the question stands."""
    ways: list[Content] = [link("row", view.link.id, "in the matrix"), " · ", link("group", view.group, view.group)]
    return para(badge(view.agreement), " ", code(view.link.slug), " · ", *ways, cls="rv-question-head")


# ---- one row for every source
def overview(view: QuestionView) -> nodes.Node:
    """One row for every source: its answer, its words, where they stand, and how sure we are."""
    top = ("Source", "Answer", "Quotation, or our summary", "Place", "Status")
    return table("What each source says", top, [overview_row(cell) for cell in view.cells], cls="rv-said rv-stack")


def overview_row(cell: CellView) -> tuple[Any, ...]:
    """One source."""
    name = [link("source", cell.source.siglum, title=cell.source.title), " "]
    here = within(cell.source.siglum, "§", cls="rv-here", aria_label=f"{cell.source.siglum} in full")
    said: list[Content] = answer(cell.answer, cell.unit) if cell.answer else [words.STATUS[cell.status]]
    supplied: list[Content] = [badge("supplied by us", "rv-supplied"), " "] if cell.supplied else []
    return (
        [*name, here],
        [mark(cell.mark), " ", *said, *unasked(not cell.unplayed)],
        own_words(cell),
        [para(*locus(quote)) for quote in grounds(cell)] or "–",
        [*supplied, *badges(cell.status, cell.cert)],
    )


def grounds(cell: CellView) -> list[Quotation]:
    """The words on which the answer rests; where there are none of that kind, the first that are quoted."""
    quoted = [quote for clause in cell.clauses for quote in clause.quotations]
    resting = [quote for quote in quoted if quote.role == "grounds"]
    return list(dict.fromkeys(resting or quoted[:1]))[:MOST]


MOST = 2  #: so many passages of a source stand in its row; all of them under the clauses


def own_words(cell: CellView) -> Any:
    """The words of the source with their translation, or our summary; or why there are none."""
    found = grounds(cell)
    return [part for quote in found for part in passage(quote)] if found else list(reasons(cell)) or "–"


def passage(quote: Quotation) -> Nodes:
    """Some words, and the sentence in English."""
    lines: Nodes = [para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact")] if quote.exact else []
    lines += [summary(quote.paraphrase)] if quote.paraphrase else []
    return [*lines, *([para(*foreign(quote.translation), cls="rv-translation")] if quote.translation else [])]


def reasons(cell: CellView) -> Iterator[nodes.Node]:
    """What was searched in vain, from where an answer was supplied, and why."""
    for clause in cell.clauses:
        if clause.searched:
            yield para("Searched ", *prose(clause.searched), " in vain.")
        if clause.taken_from:
            yield para(f"Supplied from {clause.taken_from}.")
        elif clause.because:
            yield para(*prose(clause.because))


# ---- readings
def readings_table(view: QuestionView) -> nodes.Node:
    """Every reading with those who hold it."""
    rows = [
        (
            [*answer(row.answer), *unasked(not row.unplayed), *proposed(row.by)],
            [letter_only(row.letter)],
            sigla(view, row.holders),
            sigla(view, row.supplied_for),
            [piece for _, id in row.rivals for piece in (link("alternative", id), ", ")][:-1] or "–",
            row.count,
        )
        for row in view.readings
    ]
    top = ("Reading", "Letter", "Held by", "Supplied for", "Considered in", "Counted")
    return table("Who holds which reading", top, rows, cls="rv-readings rv-stack")


def proposed(by: str) -> list[Content]:
    """Which source has brought a reading along that the edition has not taken up yet."""
    return [" ", badge(f"proposed by {by}")] if by else []


def letters_note() -> Nodes:
    """How to count."""
    note = (
        "Two sources of one family are not two independent witnesses. "
        "A reading that we supply where a source is silent is nobody's testimony."
    )
    return [para(note, cls="rv-small")]


def letter_only(letter: str) -> nodes.inline:
    """The letter by which the matrix shows a reading."""
    return span(letter or "–", cls=f"rv-mark rv-mark-{letter or 'none'}")


def sigla(view: QuestionView, names: Iterable[str]) -> list[Content]:
    """Sources, each leading to its cell."""
    return joined(cell_ref(view.link, one, one) for one in names) or ["–"]


# ---- what comes of it
def changes(view: QuestionView) -> Nodes:
    """What the disagreement changes: how much it costs at the table, and the deals that show it."""
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
    parted = [block(*shown(each), cls="rv-parting") for each in view.partings]
    rest = parted[1:]
    found += parted[:1]
    found += [details(f"{words.plural(len(rest), 'other case')}", *rest, cls="rv-words")] if rest else []
    title = "What the disagreement changes" if view.agreement == AGREEMENT["differ"] else "In play"
    return [section("changes", title, *found)] if found else []


# ---- in full
def block_of_cell(cell: CellView) -> nodes.section:
    """One source's answer, with everything it rests on."""
    said: list[Content] = answer(cell.answer, cell.unit) if cell.answer else ["No answer."]
    how: list[Content] = [badge("supplied by us", "rv-supplied"), " "] if cell.supplied else []
    line = para(mark(cell.mark), " ", *said, " ", *how, *badges(cell.status, cell.cert), cls="rv-cell-head")
    title = [f"{cell.source.siglum}: ", cell.source.title]
    left = [para(badge("not played"), " ", cell.unplayed)] if cell.unplayed else []
    made = section(cell.source.siglum, title, line, *left, *map(clause_block, cell.clauses), cls="rv-cell")
    return anchor(made, "cell", cell.target, f"{cell.target}: {cell.source.title}", at=cell.source.siglum)


def facts(view: QuestionView) -> nodes.definition_list:
    """What has to be known to answer it."""
    pairs: list[tuple[Content, Any]] = [("Group", view.group), ("Touches", view.affects)]
    pairs += [("Answered by", view.measure)] if view.measure else []
    pairs += [("Proposed by", link("source", view.by))] if view.by else []
    pairs += [("How to code it", prose(view.coding))]
    pairs += [("Makes sense if", joined((in_full(each) for each in view.condition), " "))] if view.condition else []
    pairs += [("See also", joined((asked_in_full(each) for each in view.related), "; "))] if view.related else []
    return definitions(pairs, cls="rv-facts")


def asked_in_full(one: QuestionLink) -> Content:
    """A question by its id and its words."""
    return span(ref(one), f" {one.asks}")


def in_full(one: Condition) -> Content:
    """A word of a condition; a question is asked in full."""
    return span(ref(one.question), f" “{one.question.asks}”") if one.question else one.words


def local_navigation(view: QuestionView) -> nodes.Element:
    """The questions before and after."""
    before = [span("← ", ref(view.before), f" {view.before.asks}", cls="rv-before")] if view.before else []
    after = [span(ref(view.after), f" {view.after.asks} →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Questions before and after")


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"question": question_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"question": render_question}
