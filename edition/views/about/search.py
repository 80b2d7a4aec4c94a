"""The search page; its index is written by `edition.site.search_index`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, block, markup_of, named, span
from edition.views.common import SourceLink, by_group, source_link

#: What can be found, and the heading under which it is shown; in this order.
KINDS: Mapping[str, str] = {
    "clause": "Clauses",
    "sentence": "Sentences of the texts",
    "question": "Questions",
    "term": "Terms of the glossary",
    "deal": "Worked deals",
    "note": "Notes",
    "emendation": "Emendations",
    "page": "Pages",
}


@dataclass(frozen=True, slots=True)
class FindView:
    """By what a search can be narrowed."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceLink, ...]
    groups: tuple[str, ...]


def find_view(corpus: Corpus, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    sources = tuple(source_link(source) for source in corpus.library.sources.values())
    return FindView(tuple(KINDS.items()), sources, tuple(by_group(corpus)))


def find(view: FindView) -> list[nodes.Node]:
    """The search; without a script its button leads to the index of words."""
    field = named(markup_of("input", type="search", autocomplete="off", spellcheck="false"), "rv-find-q")
    ask = block(
        markup_of("label", "Words, or the number of a thing", for_="rv-find-q"),
        span(field, markup_of("button", "Search", type="submit"), cls="rv-find-ask"),
    )
    form = markup_of(
        "form",
        ask,
        narrowing(view),
        cls="rv-find",
        role="search",
        aria_label="Clauses, sentences, questions",
        action="indices/words.html",
    )
    said = named(markup_of("p", role="status", cls="rv-find-said"), "rv-find-said")
    return [form, said, named(block(cls="rv-find-results"), "rv-find-results")]


def narrowing(view: FindView) -> nodes.container:
    """The filters, which only a script can serve: it takes them out of hiding."""
    groups = [markup_of("option", "All questions", value="")]
    groups += [markup_of("option", one, value=one) for one in view.groups]
    return block(
        boxes("Show", "kind", view.kinds),
        boxes("From", "source", ((one.siglum, one.siglum) for one in view.sources)),
        block(
            markup_of("label", "About", for_="rv-find-group"),
            " ",
            named(markup_of("select", *groups, name="group"), "rv-find-group"),
            cls="rv-find-about",
        ),
        markup_of(
            "label",
            named(markup_of("input", type="checkbox", checked="checked"), "rv-find-slash"),
            " The key / goes to the search box, on every page",
            cls="rv-find-key",
        ),
        cls="rv-find-filters",
        hidden="hidden",
    )


def boxes(legend: str, name: str, choices: Iterable[tuple[str, str]]) -> nodes.Element:
    """A row of boxes to tick; none ticked is the same as all."""
    ticks: list[Content] = [
        markup_of("label", markup_of("input", type="checkbox", name=name, value=value), f" {label}")
        for value, label in choices
    ]
    return markup_of("fieldset", markup_of("legend", legend), *ticks)


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"find": find_view}
RENDER: Mapping[str, Callable[[Any], list[nodes.Node]]] = {"find": find}
