"""The search page; its index is written by `edition.site.search_index`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_page_id, block, markup_of, span
from edition.views.common import SourceLink, group_questions, source_link

#: What can be found, and the heading under which it is shown; in this order.
SEARCH_KINDS: Mapping[str, str] = {
    "question": "Questions",
    "term": "Glossary",
    "topic": "Topics",
    "deal": "Example deals",
    "clause": "Rules, clause by clause",
    "sentence": "Sentences of the books",
    "page": "Pages",
    "note": "Notes",
    "emendation": "Corrected misprints",
}


@dataclass(frozen=True, slots=True)
class FindView:
    """Filters of the search."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceLink, ...]
    groups: tuple[str, ...]


def find_view(corpus: Corpus, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    sources = tuple(source_link(source) for source in corpus.library.sources.values())
    return FindView(tuple(SEARCH_KINDS.items()), sources, tuple(group_questions(corpus)))


def render_search(view: FindView) -> list[nodes.Node]:
    """Search form; without JavaScript its button leads to the index of words."""
    field = add_page_id(markup_of("input", type="search", autocomplete="off", spellcheck="false"), "rv-find-q")
    ask = block(
        markup_of("label", "Words, or the number of a thing", for_="rv-find-q"),
        span(field, markup_of("button", "Search", type="submit"), cls="rv-find-ask"),
    )
    form = markup_of(
        "form",
        ask,
        _render_search_filters(view),
        cls="rv-find",
        role="search",
        aria_label="Clauses, sentences, questions",
        action="indices/words.html",
    )
    said = add_page_id(markup_of("p", role="status", cls="rv-find-said"), "rv-find-said")
    return [form, said, add_page_id(block(cls="rv-find-results"), "rv-find-results")]


def _render_search_filters(view: FindView) -> nodes.container:
    """Filters of the search, hidden until a script shows them."""
    groups = [markup_of("option", "All questions", value="")]
    groups += [markup_of("option", one, value=one) for one in view.groups]
    return block(
        _render_checkboxes("Show", "kind", view.kinds),
        _render_checkboxes("From", "source", ((one.siglum, one.siglum) for one in view.sources)),
        block(
            markup_of("label", "About", for_="rv-find-group"),
            " ",
            add_page_id(markup_of("select", *groups, name="group"), "rv-find-group"),
            cls="rv-find-about",
        ),
        markup_of(
            "label",
            add_page_id(markup_of("input", type="checkbox", checked="checked"), "rv-find-slash"),
            " The key / goes to the search box, on every page",
            cls="rv-find-key",
        ),
        cls="rv-find-filters",
        hidden="hidden",
    )


def _render_checkboxes(legend: str, name: str, choices: Iterable[tuple[str, str]]) -> nodes.Element:
    """Row of checkboxes; none checked means all."""
    ticks: list[Content] = [
        markup_of("label", markup_of("input", type="checkbox", name=name, value=value), f" {label}")
        for value, label in choices
    ]
    return markup_of("fieldset", markup_of("legend", legend), *ticks)
