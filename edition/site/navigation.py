"""Navigation: the groups of the bar, the way from a page back to its list, the contents of a long page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes

from edition.nodes.builders import DOMAIN
from edition.palette import format_slot_classes
from edition.site.domain import EditionDomain
from rulebook.colours import assign_colour_slots

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

#: Page, or folder of pages, that the bar does not list -> the listed page that leads to it.
PARENT_PAGES: Mapping[str, str] = {
    "questions": "answers",
    "pairs": "answers",
    "topics": "topics",
    "deals": "deals",
    "howto": "howto",
    "clauses": "sources/{name}",
    "costs": "materiality",
    "play-effects": "play-effects",
    "interpretations": "interpretations",
    "indices": "indices",
    **dict.fromkeys(
        ("manual", "people", "bibliography", "proofs", "validation", "survey-data", "tombstones"), "method"
    ),
    **dict.fromkeys(("add-a-source", "computation", "corrections", "editors", "other-rules"), "taking-part"),
    "sessions": "deals",
    "changes": "downloads",
}
_FEWEST_HEADINGS = 3  #: a page with fewer needs no list of them


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """Page in the bar; a source has its colour and its date there."""

    page: str
    title: str
    note: str = ""
    slot: str = ""  #: CSS classes of the source's colour and shape


@dataclass(frozen=True, slots=True)
class MenuGroup:
    """Group of pages in the bar."""

    title: str
    entries: tuple[MenuEntry, ...]


def add_navigation(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the groups of the bar, the way back and the contents of the page to its template."""
    groups = _get_menu(app)
    parent = find_parent_page(page, app.env.found_docs)
    context["rv_navigation"] = [_link_group(group, page, parent, context["pathto"]) for group in groups]
    context["rv_crumbs"] = [*_iter_crumbs(groups, page, parent, context["pathto"])]
    context["rv_contents"] = _has_contents(app.env, page)
    corpus = cast(EditionDomain, app.env.get_domain(DOMAIN)).opened()
    context["rv_slogan"] = corpus.say(corpus.settings.tagline)
    kinds = app.env.get_domain(DOMAIN).data["shown"].get(page, {})
    context["rv_kind"] = next((kind for kind, _ in kinds), "")


def find_parent_page(page: str, pages: Iterable[str]) -> str:
    """Listed page that leads to a page which the bar does not list; empty if there is none."""
    folder, _, name = page.partition("/")
    parent = PARENT_PAGES.get(folder, "").format(name=name)
    return parent if parent in pages and parent != page else ""


def _get_menu(app: Sphinx) -> tuple[MenuGroup, ...]:
    """Groups of the bar, read once for each build and process."""
    kept = cast("Any", app.builder)
    if not hasattr(kept, "_edition_menu"):
        kept._edition_menu = tuple(read_menu(app.env))
    return cast("tuple[MenuGroup, ...]", kept._edition_menu)


def read_menu(env: BuildEnvironment) -> Iterator[MenuGroup]:
    """Groups of the bar: the lists of contents of the home page, each under its caption."""
    for tree in env.get_doctree(env.config.root_doc).findall(addnodes.toctree):
        if tree.get("caption"):
            pages = ((title, env.config.root_doc if page == "self" else page) for title, page in tree["entries"])
            there = [(title, page) for title, page in pages if page in env.found_docs]
            yield MenuGroup(tree["caption"], tuple(starmap(partial(_read_entry, env), _order_sources(env, there))))


def _order_sources(env: BuildEnvironment, entries: list[tuple[str | None, str]]) -> Iterator[tuple[str | None, str]]:
    """Yield entries of a list with its sources, which it has by their names, in the order of the library."""
    sources = cast(EditionDomain, env.get_domain(DOMAIN)).opened().library.sources
    ranks = {f"sources/{siglum}": rank for rank, siglum in enumerate(sources)}
    ordered = iter(sorted((entry for entry in entries if entry[1] in ranks), key=lambda entry: ranks[entry[1]]))
    return (next(ordered) if entry[1] in ranks else entry for entry in entries)


def _read_entry(env: BuildEnvironment, title: str | None, page: str) -> MenuEntry:
    sources = cast(EditionDomain, env.get_domain(DOMAIN)).opened().library.sources
    folder, _, siglum = page.partition("/")
    if folder == "sources" and siglum in sources:
        source, slots = sources[siglum], assign_colour_slots(sources.values())
        return MenuEntry(page, source.short_name, source.short_date, format_slot_classes(slots[siglum]))
    return MenuEntry(page, title or (env.titles[page].astext() if page in env.titles else page))


def _link_group(group: MenuGroup, page: str, parent: str, pathto: Any) -> dict[str, Any]:
    """One group for the template, with addresses as seen from a page."""
    entries = [
        {
            "href": pathto(entry.page),
            "title": entry.title,
            "note": entry.note,
            "slot": entry.slot,
            "current": "page" if entry.page == page else "true" if entry.page == parent else "",
        }
        for entry in group.entries
    ]
    return {"title": group.title, "entries": entries, "here": any(entry["current"] for entry in entries)}


def _iter_crumbs(groups: Iterable[MenuGroup], page: str, parent: str, pathto: Any) -> Iterator[dict[str, str]]:
    """The group of a page and, if the bar does not list it, the page that leads to it."""
    for group in groups:
        for entry in group.entries:
            if entry.page == (parent or page):
                yield {"title": group.title, "href": ""}
                if parent:
                    yield {"title": entry.title, "href": pathto(parent)}
                return


def _has_contents(env: BuildEnvironment, page: str) -> bool:
    """Return True if a page has enough headings for a list of them, and does not refuse it."""
    if page not in env.tocs or "hide-toc" in env.metadata.get(page, {}):
        return False
    return len(list(env.tocs[page].findall(nodes.reference))) > _FEWEST_HEADINGS
