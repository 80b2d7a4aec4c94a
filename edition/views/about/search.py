"""The search page; its index is written by `edition.site.search_index`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, ContentLike, add_page_id, as_content_list, block, markup_of, span
from edition.nodes.components import SourceMark, source_shape
from edition.views.common import group_questions
from edition.views.plain_answers import source_marks

#: What can be found, and the heading under which it is shown; in this order.
SEARCH_KINDS: Mapping[str, str] = {
    "topic": "Topics",
    "question": "Questions",
    "term": "Glossary",
    "deal": "Example deals",
    "clause": "Rules",
    "sentence": "Sentences",
    "page": "Pages",
    "note": "Notes",
    "emendation": "Corrected misprints",
}


@dataclass(frozen=True, slots=True)
class FindView:
    """Filters of the search."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceMark, ...]
    groups: tuple[str, ...]


def find_view(corpus: Corpus, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    return FindView(tuple(SEARCH_KINDS.items()), (*source_marks(corpus).values(),), tuple(group_questions(corpus)))


def render_search(view: FindView) -> list[nodes.Node]:
    """Search form; without JavaScript its button leads to the index of words."""
    field = add_page_id(markup_of("input", type="search", autocomplete="off", spellcheck="false"), "rv-find-q")
    ask = block(
        markup_of("label", "A question, a word, or the number of a clause", for_="rv-find-q"),
        span(field, markup_of("button", "Search", type="submit", cls="rv-primary"), cls="rv-find-ask"),
    )
    form = markup_of(
        "form",
        ask,
        _render_search_filters(view),
        cls="rv-find",
        role="search",
        aria_label="Questions, rules, sentences",
        action="indices/words.html",
    )
    said = add_page_id(markup_of("p", role="status", cls="rv-find-said"), "rv-find-said")
    return [form, said, add_page_id(block(cls="rv-find-results"), "rv-find-results")]


def _render_search_filters(view: FindView) -> nodes.Element:
    """Filters of the search, hidden until a script shows them."""
    groups = [markup_of("option", "All questions", value="")]
    groups += [markup_of("option", one, value=one) for one in view.groups]
    books = ((one.siglum, [source_shape(one), one.name]) for one in view.sources)
    slash = add_page_id(markup_of("input", type="checkbox", checked="checked"), "rv-find-slash")
    return markup_of(
        "details",
        markup_of("summary", "Filters and keys"),
        _render_checkboxes("Show only", "kind", view.kinds),
        _render_checkboxes("Books", "source", books),
        block(
            markup_of("label", "About", for_="rv-find-group"),
            add_page_id(markup_of("select", *groups, name="group"), "rv-find-group"),
            cls="rv-find-about",
        ),
        markup_of("label", slash, "The key / goes to the search box, on every page", cls="rv-find-key"),
        cls="rv-find-filters",
        hidden="hidden",
    )


def _render_checkboxes(legend: str, name: str, choices: Iterable[tuple[str, ContentLike]]) -> nodes.Element:
    """Row of checkboxes; none checked means all."""
    ticks: list[Content] = [
        markup_of("label", markup_of("input", type="checkbox", name=name, value=value), *as_content_list(label))
        for value, label in choices
    ]
    return markup_of("fieldset", markup_of("legend", legend), *ticks)
