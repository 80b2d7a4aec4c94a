"""Rules as lines of a page: what the templates of rules call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from docutils import nodes
from sphinx import addnodes

from edition.nodes.builders import Content, card_sign, emphasis, link
from edition.nodes.components import SourceMark, source_quotation
from edition.text.typography import curl_quotes
from edition.views.common import QuotationView
from edition.views.layout import (
    cell_ref,
    clause_ref,
    join_content,
    render_quotation_english,
    render_quotation_place,
)
from reversis.views.rules.rule_writer import RuleSentence
from rulebook.phrases import PhrasePiece, Pieces


def render_pieces(pieces: Pieces) -> list[Content]:
    """Render the words of a sentence, terms and cards with what belongs to them."""
    return [*map(_render_piece, pieces)]


def _render_piece(piece: PhrasePiece) -> Content:
    if piece.kind == "term":
        return link("term", piece.target, emphasis(piece.words, lang=piece.lang), cls="rv-term")
    return card_sign(piece.words) if piece.kind == "card" else curl_quotes(piece.words)[0]


def render_rule_quotation(source: SourceMark, quote: QuotationView) -> nodes.block_quote:
    """Render a quotation behind a rule; of a source in copyright our summary."""
    english = [quote.paraphrase] if quote.paraphrase else render_quotation_english(quote)
    exact = "" if quote.paraphrase else quote.exact
    return source_quotation(source, exact, quote.lang, english, render_quotation_place(quote))


def render_rule_grounds(rule: RuleSentence) -> list[Content]:
    """Links to all that a rule rests on: sentences, clauses, answers."""
    siglum = rule.clauses[0].partition(".")[0]
    refs = [
        *(link("sentence", place[0], _name_place(*place), title=place[0], cls="rv-id") for place in rule.places),
        *(clause_ref(id) for id in rule.clauses),
        *(cell_ref(question, siglum, question.id) for question in rule.questions),
    ]
    return join_content(refs, " ")


def render_bare_grounds(rule: RuleSentence) -> list[Content]:
    """Links to all that a rule rests on around their bare words: a page of rules has a thousand of them."""
    grounds = render_rule_grounds(rule)
    for content in grounds:
        if isinstance(content, addnodes.pending_xref):
            content.children = [nodes.Text(content.astext())]
    return grounds


def _name_place(locus: str, to: str) -> str:
    words = locus.partition(".")[2]
    return f"{words}–{to.partition('.')[2]}" if to else words


RULE_COMPONENTS: Mapping[str, Callable[..., Any]] = {
    "bare_grounds": render_bare_grounds,
    "clause_id": clause_ref,
    "grounds": render_rule_grounds,
    "pieces": render_pieces,
    "quotation": render_rule_quotation,
}
