"""Rules as lines of a page: the sentence first, then its marks, and its evidence behind one superscript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes
from sphinx import addnodes

from edition.nodes.builders import (
    Content,
    block,
    bullet_list,
    card_sign,
    details,
    emphasis,
    link,
    markup_of,
    para,
    screen_reader_text,
    span,
)
from edition.nodes.components import SourceMark, mark_legend, source_quotation, status_mark, status_marks
from edition.text.typography import curl_quotes
from edition.views.common import QuotationView
from edition.views.layout import (
    Nodes,
    cell_ref,
    clause_ref,
    join_content,
    question_ref,
    render_quotation_english,
    render_quotation_place,
)
from reversis.views.rules.rule_writer import AlternativeRule, RuleSentence
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.phrases import PhrasePiece, Pieces

_LEGEND: tuple[tuple[str, str], ...] = (
    ("doubtful", "can be read in more than one way"),
    ("follows", "not stated in so many words"),
    ("ours", "the book is silent"),
)
_PARTIAL_LEGEND: Mapping[str, str] = {"ours": NOT_CONSULTED}  #: of a book that breaks off
_REACH_OF_MARKS = "A mark covers the one sentence before it, or a part of it."
_ALTERNATIVE_LABELS: Mapping[str, str] = {
    "option": "Also allowed:",
    "interpretation": "Could also mean:",
}


def render_legend(numbers: bool = False, partial: bool = False) -> nodes.container:
    """Legend of the three marks, and if wanted of the numbers that unfold what a rule rests on."""
    said = {**dict(_LEGEND), **(_PARTIAL_LEGEND if partial else {})}
    marks = [(status_mark(status, partial=partial), words) for status, words in said.items()]
    number = [(markup_of("sup", "2"), "sentences of the book behind this rule: open it to read them")]
    legend = mark_legend([*marks, *(number if numbers else [])])
    legend += para(_REACH_OF_MARKS)
    return legend


# --- sentences ---------------------------------------------------------------------------------------


def render_pieces(said: Pieces) -> list[Content]:
    """Render the words of a sentence, terms and cards with what belongs to them."""
    return [*map(_render_piece, said)]


def _render_piece(piece: PhrasePiece) -> Content:
    if piece.kind == "term":
        return link("term", piece.target, emphasis(piece.words, lang=piece.lang), cls="rv-term")
    return card_sign(piece.words) if piece.kind == "card" else curl_quotes(piece.words)[0]


def render_sentences(sentences: Iterable[RuleSentence]) -> list[Content]:
    """Render sentences one after another, each with its marks."""
    return join_content((part for one in sentences for part in _render_marked(one)), " ")


def _render_marked(one: RuleSentence) -> Iterator[Content]:
    yield span(*render_pieces(one.said), *status_marks(" ".join(one.statuses), partial=one.partial))


def _fold_evidence(number: int, *content: nodes.Node) -> nodes.Node:
    """Fold evidence away behind one superscript: the number of sentences of the book."""
    sign = markup_of("sup", str(number)) if number else markup_of("sup", "why")
    label = screen_reader_text("Sentences of the book: " if number else "Why: ")
    return details([label, sign], *content, cls="rv-evidence")


# --- lines of the rules in two minutes ---------------------------------------------------------------------


def render_short_line(
    source: SourceMark, sentences: Sequence[RuleSentence], quotations: Sequence[QuotationView]
) -> nodes.list_item:
    """Render a line that unfolds the quotations on which it rests."""
    found = [
        *(_render_quotation(source, one) for one in quotations),
        *(_render_supplied(one) for one in sentences if one.ours),
    ]
    line = para(*render_sentences(sentences), cls="rv-rule")
    return nodes.list_item("", line, _fold_evidence(len(quotations), block(*found, cls="rv-evidence-shown")))


def _render_quotation(source: SourceMark, quote: QuotationView) -> nodes.Node:
    english = [quote.paraphrase] if quote.paraphrase else render_quotation_english(quote)
    exact = "" if quote.paraphrase else quote.exact
    return source_quotation(source, exact, quote.lang, english, render_quotation_place(quote))


def _render_supplied(one: RuleSentence) -> nodes.paragraph:
    where = ", ".join(dict.fromkeys(each.taken_from for each in one.ours if each.taken_from))
    asked = join_content(question_ref(each.question) for each in one.ours)
    return para("Our assumption", f", from {where}" if where else "", ": ", *asked, cls="rv-small")


# --- lines of the full rules -----------------------------------------------------------------------------------


def render_rule(one: RuleSentence, folded: bool = True) -> Nodes:
    """Render a rule, its grounds and its other forms; a book has nothing to unfold."""
    grounds = render_rule_grounds(one)
    words = span(
        *render_sentences([one]), cls="rv-rule", data_grounds=" ".join(_name_place(*each) for each in one.places)
    )
    others = [bullet_list(map(_render_alternative, one.others), cls="rv-otherwise")] if one.others else []
    if not folded:
        return [para(words, " ", span(*grounds, cls="rv-grounds")), *others]
    links = para(*map(_unwrap_link, grounds), cls="rv-grounds")
    found = block(_render_supplied(one), links, cls="rv-evidence-shown") if one.ours else links
    return [para(words), _fold_evidence(len(one.places), found), *others]


def _unwrap_link(content: Content) -> Content:
    """A link around its bare words: a page of rules has a thousand of them."""
    if isinstance(content, addnodes.pending_xref):
        content.children = [nodes.Text(content.astext())]
    return content


def render_rule_grounds(one: RuleSentence) -> list[Content]:
    """Links to all that a rule rests on: sentences, clauses, answers."""
    siglum = one.clauses[0].partition(".")[0]
    refs = [
        *(_place_ref(*each) for each in one.places),
        *(clause_ref(id) for id in one.clauses),
        *(cell_ref(each, siglum, each.id) for each in one.questions),
    ]
    return join_content(refs, " ")


def _place_ref(locus: str, to: str) -> nodes.Node:
    return link("sentence", locus, _name_place(locus, to), title=locus, cls="rv-id")


def _name_place(locus: str, to: str) -> str:
    """Short name of a place within its source: s0012, or s0012–s0014."""
    said = locus.partition(".")[2]
    return f"{said}–{to.partition('.')[2]}" if to else said


def _render_alternative(one: AlternativeRule) -> list[Content]:
    said: list[Content] = render_pieces(one.said) if one.said else [f"{one.label}."]
    return [
        span(_ALTERNATIVE_LABELS[one.kind], cls="rv-label"),
        " ",
        *said,
        " ",
        link("alternative", one.id, title=one.label, cls="rv-id"),
    ]
