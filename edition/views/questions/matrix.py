"""The sources beside each other over all questions: who says what, and how any of them, chosen at will, agree.

Two pages are made of it, the matrix and the sources side by side. Everything stands in their tables, so that nothing
is lost without a script; with one, sources and questions are chosen (`static/compare.js`), and the agreement is
reckoned for the chosen ones, by the rule of `accord`, from what every cell says of itself. Roles are written out,
because a table that a narrow screen shows as a list would otherwise be no table to those who listen to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.costs import find_costs, heft, of_question, percent
from edition.corpus.corpus import Corpus
from edition.data.drafts import collated
from edition.data.limits import side_by_side
from edition.nodes.builders import (
    Content,
    N,
    Some,
    anchor,
    block,
    classed,
    code,
    column,
    definitions,
    details,
    entry_of,
    filled,
    link,
    markup_of,
    para,
    span,
    unseen,
    within,
)
from edition.text import answers as words
from edition.text.answers import Answer
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
from edition.views.layout import Nodes, answer, badge, cards, mark, question_ref, quoted, source_ref, unasked
from engine.survey.variants import QUESTION
from rulebook.model import Cell, FrozenMap, Question
from rulebook.strings import address

SUPPLIED = "supplied"
MANY = 4  #: more sources side by side than this do not fit a page, and are moved about in a frame

#: From how much of the opening pool on (in hundredths) a disagreement is shown -> what the choice is called.
WEIGHTS: Mapping[str, str] = {
    "0": "weighed in the surveys",
    "0.1": "moves 0.1 % of the pool or more",
    "1": "moves 1 % or more",
    "10": "moves 10 % or more",
    "100": "moves the whole pool or more",
}
FORMS: Mapping[str, str] = {"list": "a list", "table": "a table"}
CAPTIONS: Mapping[bool, str] = {False: "All questions in all sources", True: "The sources side by side"}


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


def effective_letters(corpus: Corpus, cells: Iterable[Cell | None]) -> Mapping[str, str]:
    """A letter for each source that speaks for itself; the same for those whose answers come to the same."""
    spoken = [cell for cell in cells if cell and cell.value is not None and not cell.supplied]
    meant = {cell.source: what_it_comes_to(corpus, cell) for cell in spoken}
    letters = dict(zip(dict.fromkeys(meant.values()), LETTERS, strict=False))
    return {siglum: letters.get(worth, worth) for siglum, worth in meant.items()}


# ---- the views
def matrix_view(corpus: Corpus, _: str = "") -> Comparison:
    """Every question in every source, in letters and short answers."""
    return comparison(corpus, tuple(corpus.library.sources), quoted=False)


def beside_view(corpus: Corpus, _: str = "") -> Comparison:
    """Every question in every source, or in some if they are many, with the words on which the answers rest."""
    return comparison(corpus, side_by_side(corpus.library), quoted=True)


def comparison(corpus: Corpus, sigla: Sequence[str], quoted: bool) -> Comparison:
    """These sources over all questions."""
    groups = tuple(
        (group, tuple(compared(corpus, question, sigla, quoted) for question in questions))
        for group, questions in by_group(corpus).items()
    )
    known = corpus.library.sources
    drafts = FrozenMap({siglum: said for siglum in sigla if (said := collated(corpus.library, siglum))})
    return Comparison(tuple(source_link(known[one]) for one in sigla), groups, quoted, drafts, len(known) - len(sigla))


def compared(corpus: Corpus, question: Question, sigla: Sequence[str], quoted: bool) -> Compared:
    """One question in these sources."""
    cells = {siglum: corpus.cell(siglum, question.slug) for siglum in sigla}
    letters = effective_letters(corpus, cells.values())
    voices = tuple(
        voice(corpus, question, mark, cells[mark.siglum], letters.get(mark.siglum, ""), quoted)
        for mark in marks(corpus, question)
        if mark.siglum in cells
    )
    kind = accord([one.says for one in voices])
    prices = tuple(sorted(price_list(corpus, question), key=lambda one: -one.share))
    weighed = any(True for _ in of_question(find_costs(corpus), question.slug))
    return Compared(question_link(question), voices, kind, not question.not_played, prices, weighed)


def voice(corpus: Corpus, question: Question, mark: Mark, cell: Cell | None, says: str, quoted: bool) -> Voice:
    """One source on one question; with its words where they are wanted."""
    if cell is None:
        return Voice(mark, "", None, "", "not-collated", "", False, (), ())
    source = corpus.library.sources[mark.siglum]
    said = None if cell.value is None else words.answer(question, cell.value, corpus.library)
    cites = (cite for clause in cell.clauses for cite in clause.cites if quoted)
    return Voice(
        mark,
        says,
        said,
        words.counted(question, cell.value, source),
        cell.status,
        cell.cert,
        cell.supplied,
        tuple(quotation(corpus, source, cite) for cite in cites),
        tuple(clause.id for clause in cell.clauses),
        not unplayed(corpus, question, cell.value),
    )


def price_list(corpus: Corpus, question: Question) -> Iterator[Price]:
    """What each source's answer costs at the table of each other, as far as surveys tell."""
    for cost in of_question(find_costs(corpus), question.slug):
        policy = max((name for name, _ in cost.weights), key=lambda name: heft(cost, name))
        found = cost.of(policy)
        assert found is not None
        share = found.of_pool.value
        forbidden = f"{percent(found.forbidden.value)} of the deals forbidden" if found.forbidden.value else ""
        pool = "a pool that we supply" if cost.pool_supplied else "the pool"
        moved = f"{percent(share)} of {pool}" if share else "" if forbidden else "nothing seen to move"
        said = ", ".join(part for part in (moved, forbidden) if part)
        for stand in cost.stands:
            if stand.kind == QUESTION and question.slug in stand.questions:
                yield Price(cost.table, stand.source, share * 100, said)


# ---- the page
def render_comparison(view: Comparison) -> Nodes:
    """The legend, the choices, how many questions are shown, and the table."""
    many = " rv-many" if len(view.sources) > MANY else ""
    frame = block(big_table(view), cls=f"rv-frame{many}")
    return [render_legend(), render_choices(view), *left_out_note(view), question_count(view), frame]


def left_out_note(view: Comparison) -> Nodes:
    """Where not every source stands here: how many do, and how the others are found."""
    if not view.left_out:
        return []
    number = len(view.sources)
    shown = f"{number} of {number + view.left_out} sources stand here, of as many families as can be. "
    others = "All of them are in the matrix, and any two are set side by side by "
    return [para(shown, others, code("reversis compare"), " with their sigla.", cls="rv-small")]


def question_count(view: Comparison) -> nodes.paragraph:
    """How many questions there are, and how the sources stand to them; the script says it anew for every choice."""
    counts = "; ".join(f"{AGREEMENT[kind].lower()} on {number}" for kind, number in view.counts.items() if number)
    number = words.plural(sum(view.counts.values()), "question")
    return classed(para(f"{number}: {counts}."), "rv-count", role="status", aria_live="polite")


POINTING = (
    "An answer that points to another (“as if forced”) has a letter of its own; where it comes to the same sum, the "
    "sources agree all the same."
)
SIGNS: tuple[tuple[str, str, str], ...] = (
    ("a", "a", f"an answer; in one row the same letter is the same answer. {POINTING}"),
    ("(a)", "a", "supplied by us, the source being silent"),
    ("a?", "a", "preferred reading of a passage that can be read otherwise"),
    ("·", "none", "silent"),
    ("…", "none", "not collated: it has not been read for this yet"),
    ("–", "none", "the question makes no sense there"),
)


def render_legend() -> nodes.Element:
    """What the letters say."""
    pairs = [(span(sign, cls=f"rv-mark rv-mark-{kind}"), said) for sign, kind, said in SIGNS]
    told = definitions(pairs, cls="rv-signs")
    note = para(
        "Whether sources agree is reckoned from those that speak for themselves: what we supply is nobody's testimony, "
        "and who is silent is not heard. What an answer would cost at the table is told of the opening pool, on the "
        "mean, under that policy of the surveys under which it is most.",
        cls="rv-small",
    )
    return block(details("What the letters say", told, note), cls="rv-small rv-legend-box")


# ---- what can be chosen
def render_choices(view: Comparison) -> nodes.Element:
    """The choices; without a script there are none, and all is shown."""
    boxes = [check_box(source.siglum, source.title) for source in view.sources]
    least = "2" if view.quoted else "1"
    only = {kind: f"only where {said[:1].lower()}{said[1:]}" for kind, said in AGREEMENT.items()}
    rest = [
        labelled_control("Show", select("agreement", "all questions", only)),
        labelled_control("Group", select("group", "all groups", {address(name): name for name, _ in view.groups})),
        labelled_control("Status", select("status", "any status", dict(statuses(view)))),
        labelled_control("At the table", select("cost", "whatever it costs", WEIGHTS)),
        labelled_control("Words", markup_of("input", type="search", name="text", autocomplete="off")),
        labelled_control("As", select("form", "fits the screen", FORMS)),
        markup_of("button", "Choose anew", type="reset"),
    ]
    sources = markup_of("fieldset", markup_of("legend", "Sources"), *boxes)
    row = markup_of("div", *rest, cls="rv-choices")
    return markup_of(
        "form", sources, row, cls="rv-controls", hidden="hidden", data_least=least, aria_label="What is shown"
    )


def statuses(view: Comparison) -> Iterator[tuple[str, str]]:
    """The statuses that some source has, in the order in which they are explained."""
    found = {voice.status for row in view.rows for voice in row.voices}
    yield from ((status, status) for status in words.STATUS if status in found)
    if any(voice.supplied for row in view.rows for voice in row.voices):
        yield SUPPLIED, "supplied by us"


def check_box(siglum: str, title: str) -> nodes.Element:
    """One source, ticked."""
    box = markup_of("input", type="checkbox", name="sources", value=siglum, checked="checked")
    return markup_of("label", box, f" {siglum}", unseen(f", {title}"), title=title)


def select(name: str, everything: str, known: Mapping[str, str]) -> nodes.Element:
    """A choice among some, or none of them."""
    options = [markup_of("option", said, value=value) for value, said in {"": everything, **known}.items()]
    return markup_of("select", *options, name=name)


def labelled_control(label: str, control: nodes.Element) -> nodes.Element:
    """A choice under its name."""
    return markup_of("label", span(label, cls="rv-label"), control)


# ---- the table
def big_table(view: Comparison) -> nodes.table:
    """Questions down, sources across, one body for every group."""
    head: list[Some] = ["Question", *[[source_ref(one), *source_heading(view, one)] for one in view.sources]]
    head += [] if view.quoted else ["Agreement"]
    labels = ["", *(one.siglum for one in view.sources), *([] if view.quoted else ["Agreement"])]
    group = nodes.tgroup(cols=len(head))
    group += [column(first=at == 0) for at in range(len(head))]
    group += with_role("rowgroup", filled(nodes.thead(), [aria_row(head, [""] * len(head), "columnheader")]))
    group += [group_body(view, name, rows, labels) for name, rows in view.groups]
    kind = "rv-beside" if view.quoted else "rv-letters"
    made = filled(classed(nodes.table(), f"rv-table rv-compare {kind}", role="table"), [group])
    made.insert(0, filled(nodes.title(), [CAPTIONS[view.quoted]]))
    made["ids"] = ["compared"]
    return made


def source_heading(view: Comparison, source: SourceLink) -> Nodes:
    """The title of a source under its siglum, where there is room; and how far it is collated, if it is a draft."""
    draft = view.drafts.get(source.siglum, "")
    title = [span(f" {source.title}", cls="rv-head-title")] if view.quoted else []
    return [*title, *([span(f" {draft}", cls="rv-small")] if draft else [])]


def with_role(role: str, node: N, **attributes: str) -> N:
    """A part of a table that says what it is."""
    node["html"] = {**node.get("html", {}), "role": role, **{k.replace("_", "-"): v for k, v in attributes.items()}}
    return node


def aria_row(cells: Iterable[Some], labels: Iterable[str], role: str = "cell", **data: str) -> nodes.row:
    """A row; its first cell names it."""
    made = [entry_of(cell, label) for cell, label in zip(cells, labels, strict=True)]
    for at, entry in enumerate(made):
        with_role("rowheader" if at == 0 and role == "cell" else role, entry)
    return filled(with_role("row", nodes.row(), **data), made)


def group_body(view: Comparison, name: str, rows: Iterable[Compared], labels: list[str]) -> nodes.tbody:
    """The questions of one group under its name."""
    wide = with_role("rowheader", entry_of([span(name, cls="rv-group-name")], ""), scope="rowgroup")
    wide["morecols"] = len(labels) - 1
    place = f"group-{address(name)}"
    head = filled(with_role("row", classed(nodes.row(), "rv-group")), [wide])
    if not view.quoted:
        anchor(head, "group", name, name, at=place)
    made = [question_row(view, row, labels) for row in rows]
    return with_role("rowgroup", filled(nodes.tbody(), [head, *made]), data_group=address(name))


def question_row(view: Comparison, row: Compared, labels: list[str]) -> nodes.row:
    """One question with every voice, and with all that the script has to know of them."""
    said = agreement_badge(row)
    cell = full_cell if view.quoted else short_cell
    first = [*question_heading(row), *([para(said), *price_line(row)] if view.quoted else price_line(row))]
    cells: list[Some] = [first, *(cell(row.question, one) for one in row.voices), *([] if view.quoted else [[said]])]
    prices = {"data_costs": ";".join(map(packed_price, row.prices))} if row.weighed else {}
    made = aria_row(cells, labels, data_slug=row.question.slug, **prices)
    for voice, entry in zip(row.voices, list(made.findall(nodes.entry))[1:], strict=False):
        entry["html"] |= {"data-siglum": voice.siglum, "data-says": voice.says, "data-status": voice.states}
    if view.quoted:
        made["ids"] = [row.question.id]
        return made
    return anchor(made, "row", row.question.id, row.question.asks)


def packed_price(one: Price) -> str:
    """A price as the script reads it."""
    return f"{one.table}|{one.giver}|{one.share:.4g}|{one.words}"


def question_heading(row: Compared) -> Nodes:
    """The question, and its permalink."""
    here = within(row.question.id, "§", cls="rv-here", aria_label=f"{row.question.id} on this page")
    return [para(question_ref(row.question), " ", row.question.asks, *unasked(row.played), "\N{NO-BREAK SPACE}", here)]


def agreement_badge(row: Compared) -> nodes.inline:
    """Whether the sources agree."""
    said = {one.siglum: one.says for one in row.voices}
    return span(accord_words(said), cls=f"rv-agreement rv-{row.kind}")


def price_line(row: Compared) -> Nodes:
    """What the dearest answer costs at the table of another source; the way to all figures of the question."""
    if not row.weighed:
        return []
    one = row.prices[0] if row.prices else None
    said = f"{one.words} ({one.table} with the answer of {one.giver})" if one else ""  # the script says it likewise
    label = span("At the table: ", cls="rv-price-label")
    return [para(label, link("cost", row.question.id, span(said, cls="rv-price-words")), cls="rv-price")]


# ---- the cells
def short_cell(question: QuestionLink, one: Voice) -> list[Content]:
    """A letter and a short answer, leading to the cell of the question's own page."""
    shown: list[Content] = cards(one.answer.cards) if one.answer and one.answer.cards else [short_answer(one)]
    return [mark(one.mark), " ", cell_link(question, one, shown), *unasked(one.played)]


def short_answer(one: Voice) -> str:
    """An answer as data, or why there is none."""
    return one.answer.short if one.answer else one.status


def cell_link(question: QuestionLink, one: Voice, shown: Iterable[Content]) -> nodes.Node:
    """The way to what a source says on a question."""
    return link("cell", f"{question.id}@{one.siglum}", *shown, title=one.mark.words)


def full_cell(question: QuestionLink, one: Voice) -> list[Content]:
    """An answer in words, its standing, the words it rests on, and its clauses."""
    line = para(mark(one.mark), " ", cell_link(question, one, answer_in_words(one)), *unasked(one.played))
    return [line, para(*voice_standing(one), cls="rv-standing"), *folded_words(one)]


def answer_in_words(one: Voice) -> list[Content]:
    """An answer as words where it has any, otherwise as data."""
    if one.answer is None:
        return [words.STATUS[one.status]]
    if one.answer.full and not one.answer.cards:
        return [span(one.answer.full, cls="rv-gloss")]
    return answer(one.answer, one.unit)


def voice_standing(one: Voice) -> Iterator[Content]:
    """Status, certainty where it is not high, and the clauses."""
    if one.supplied:
        yield from (badge("supplied by us", "rv-supplied"), " ")
    yield from (badge(one.status, f"rv-{one.status}"), " ")
    if one.cert not in ("", "high"):
        yield from (badge(f"certainty {one.cert}", f"rv-cert-{one.cert}"), " ")
    for id in one.clauses:
        yield from (link("clause", id, id.partition(".")[2], title=id, cls="rv-id"), " ")


def folded_words(one: Voice) -> Nodes:
    """The words of the source, folded away under their places."""
    if not one.quotations:
        return []
    places = dict.fromkeys(quote.locus.partition(".")[2] for quote in one.quotations)
    return [block(details(f"The words: {', '.join(places)}", *map(quoted, one.quotations), cls="rv-words"))]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"matrix": matrix_view, "beside": beside_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"matrix": render_comparison, "beside": render_comparison}
