"""Layout of a question's page: plain answers with their quotations first, then what comes of them, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes

from edition.game import render_panels
from edition.nodes.builders import (
    TARGET,
    Content,
    add_anchor,
    add_page_id,
    block,
    code,
    definition_list,
    details,
    heading,
    link,
    markup,
    markup_of,
    para,
    same_page_link,
    section,
    span,
    table,
)
from edition.nodes.components import (
    SourceMark,
    agreement_strip,
    answer_with_status,
    color_suits,
    render_answer_value,
    render_prose,
    source_chip,
    source_quotation,
)
from edition.text.typography import curl_quotes
from edition.views.common import QuotationView
from edition.views.layout import (
    Nodes,
    cell_ref,
    clause_block,
    clause_ref,
    join_content,
    render_badge,
    render_extent_line,
    render_matrix_mark,
    render_quotation_english,
    render_quotation_place,
    render_status_badges,
    render_unplayed_badge,
)
from edition.views.layout import question_ref as ref
from edition.views.plain_answers import MISSING_ANSWERS
from edition.views.questions.question import (
    CellView,
    ConditionWord,
    QuestionView,
    join_within_sentences,
    list_missing_quote_reasons,
    select_ground_quotations,
)
from rulebook.phrases import AnswerText, lower_first

#: Agreement of the sources that speak for themselves -> how a question's page begins; what we assume is no voice.
AGREEMENT_SENTENCES = {
    "differ": "The books differ",
    "agree": "The books that speak of it agree",
    "alone": "Only one book says",
    "nobody": "No book says",
}


def render_question(view: QuestionView) -> Nodes:
    """A question page: what the sources say comes first, how we code it last."""
    answers = block(*(_render_cell(view, cell) for cell in view.cells), cls="rv-said")
    made = section(
        view.link.id,
        [view.link.asks, " ", span(view.link.id, cls="rv-id")],
        _render_question_head(view),
        add_page_id(block(add_page_id(answers, "table-what-each-source-says")), "in-short"),
        *render_panels(view.panels),
        _folded("readings", "Other readings", _readings_table(view), para(_WITNESSES_NOTE, cls="rv-small")),
        _folded("sources", "Evidence", _render_all_evidence(view)),
        _folded("about", "Method", _render_question_facts(view)),
        _local_navigation(view),
        cls="rv-page rv-question",
    )
    add_anchor(made, "question", view.link.id, view.link.asks)
    made[TARGET] = [*made[TARGET], ("question", view.link.slug, view.link.asks, view.link.id)]
    return [made]


def _render_question_head(view: QuestionView) -> nodes.paragraph:
    strip: list[Content] = [agreement_strip(view.voices), " "] if view.voices else []
    row = link("row", view.link.id, AGREEMENT_SENTENCES[view.kind], title="This question in the table of all answers")
    topics = join_content((link("group", group, lower_first(title)) for group, title in view.topics), "; ")
    return para(*strip, span(row, " · All about: ", *topics), cls="rv-question-head")


def _folded(id: str, title: str, *content: nodes.Node) -> markup:
    return add_page_id(details(heading(2, title), *content, cls="rv-folded"), id)


# ---- the answer of one source


def _render_cell(view: QuestionView, cell: CellView) -> nodes.container:
    """Answer in plain words with its status, and the words on which it rests."""
    siglum = cell.source.siglum
    source = view.sources[siglum]
    here = same_page_link(
        siglum, "§", cls="rv-here", title="Link to this answer", aria_label=f"{source.name} on this page"
    )
    head = block(heading(2, source_chip(source), " ", here), cls="rv-said-by")
    said = cell.plain or MISSING_ANSWERS[cell.status]
    answer = para(
        answer_with_status(f"{said[:1].upper()}{said[1:]}", cell.standing, partial=bool(cell.partial)),
        *render_unplayed_badge(not cell.unplayed),
        cls="rv-said-plainly",
    )
    rest = (*_render_other_readings(cell), *render_answer_ground(source, cell))
    made = block(head, *render_extent_line(cell.partial), answer, *rest, cls="rv-said-one")
    return add_anchor(made, "cell", cell.target, f"{cell.target}: {cell.source.title}", at=siglum)


def _render_other_readings(cell: CellView) -> Iterator[nodes.paragraph]:
    """Answers to which another reading of the same words would come."""
    said = join_content((link("alternative", id, *color_suits(words)) for id, words in cell.others), "; or: ")
    if said:
        yield para("Could also mean: ", *said, cls="rv-small")


def render_answer_ground(source: SourceMark, cell: CellView) -> Nodes:
    """The words of the source with their translation, or our summary; or why there are none; and the clauses."""
    rests = join_content(clause_ref(one.id) for one in cell.clauses)
    if found := select_ground_quotations(cell):
        evidence = [para("Evidence: ", *rests, cls="rv-small")] if rests else []
        return [*(_render_quotation(source, quote) for quote in join_within_sentences(found)), *evidence]
    reasons = join_content((span(*render_prose(runs)) for runs in list_missing_quote_reasons(cell)), " ")
    return [para(*reasons, *([" (", *rests, ")"] if rests else []), cls="rv-small")] if reasons or rests else []


def _render_quotation(source: SourceMark, quote: QuotationView) -> nodes.block_quote:
    english = render_quotation_english(quote)
    return source_quotation(source, quote.exact, quote.lang, english, render_quotation_place(quote))


# ---- readings

_WITNESSES_NOTE = (
    "Two sources of one family are not two independent witnesses. "
    "Our assumption for a source that is silent is nobody’s testimony."
)


def _readings_table(view: QuestionView) -> nodes.Node:
    rows = [
        (
            [
                *_render_reading(row.answer),
                *render_unplayed_badge(not row.unplayed),
                *(
                    [
                        " ",
                        render_badge(
                            f"proposed by {view.sources[row.by].within if row.by in view.sources else row.by}"
                        ),
                    ]
                    if row.by
                    else []
                ),
            ],
            [letter_only(row.letter)],
            _link_answer_cells(view, row.holders),
            _link_answer_cells(view, row.supplied_for),
            join_content(_link_rival(view, *each) for each in row.rivals) or "–",
            row.count,
        )
        for row in view.readings
    ]
    top = ("Reading", "Letter", "Sources", "Our assumption for", "Also possible for", "Counted")
    return table("Who holds which reading", top, rows, cls="rv-readings rv-stack")


def letter_only(letter: str) -> nodes.inline:
    """The letter by which the matrix shows a reading."""
    return span(letter or "–", cls=f"rv-mark rv-mark-{letter or 'none'}")


def _link_answer_cells(view: QuestionView, names: Iterable[str]) -> list[Content]:
    return join_content(cell_ref(view.link, one, view.sources[one].name) for one in names) or ["–"]


def _render_reading(said: AnswerText, unit: str = "") -> list[Content]:
    """Answer in words where it has them; the name of a reading stands in the manual."""
    return [curl_quotes(said.full)[0]] if said.full else render_answer_value(said, unit)


def _link_rival(view: QuestionView, siglum: str, id: str) -> nodes.Node:
    """Another reading, by the name of its source and its own number."""
    return link("alternative", id, f"{view.sources[siglum].name}, {id.partition('.')[2]}")


# ---- evidence and method


def _render_all_evidence(view: QuestionView) -> nodes.container:
    return block(*(block(*_render_evidence(view, cell), cls="rv-said-one") for cell in view.cells), cls="rv-said")


def _render_evidence(view: QuestionView, cell: CellView) -> Iterator[nodes.Node]:
    """The clauses of one source in full, under its answer as data."""
    yield heading(3, source_chip(view.sources[cell.source.siglum]))
    said: list[Content] = _render_reading(cell.answer, cell.unit) if cell.answer else ["No answer."]
    ours: list[Content] = [render_badge("our assumption", "rv-supplied"), " "] if cell.supplied else []
    badges = render_status_badges(cell.status, cell.cert, bool(cell.partial))
    yield para(render_matrix_mark(cell.mark), " ", *said, " ", *ours, *badges, cls="rv-cell-head")
    if cell.unplayed:
        yield para(render_badge("not simulated"), " ", cell.unplayed)
    yield from map(clause_block, cell.clauses)


def _render_question_facts(view: QuestionView) -> nodes.definition_list:
    pairs: list[tuple[Content, list[Content] | Content]] = [
        ("Name in data files", code(view.link.slug)),
        ("Topic", link("group", view.group, view.group)),
        ("Touches", view.affects),
    ]
    pairs += [("Answered by", view.measure)] if view.measure else []
    pairs += [("Proposed by", link("source", view.by, view.sources[view.by].name))] if view.by else []
    pairs += [("How to code it", render_prose(view.coding))]
    condition = join_content(map(render_condition_word, view.condition), " ")
    pairs += [("Makes sense if", condition)] if condition else []
    related = join_content((span(ref(one), f" {one.asks}") for one in view.related), "; ")
    pairs += [("See also", related)] if related else []
    return definition_list(pairs, cls="rv-facts")


def render_condition_word(one: ConditionWord) -> Content:
    """A word of a condition; a question is asked in full."""
    return span(ref(one.question), f" “{one.question.asks}”") if one.question else one.words


def _local_navigation(view: QuestionView) -> markup:
    before = [span("← ", ref(view.before), f" {view.before.asks}", cls="rv-before")] if view.before else []
    after = [span(ref(view.after), f" {view.after.asks} →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Questions before and after")
