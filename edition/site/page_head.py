"""Foot and head of a page: its citation, the link for corrections, metadata.

All of it is made when a page is written, from what the page shows; none of it is stored in the doctrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from docutils.nodes import SkipNode
from markupsafe import Markup, escape
from sphinx.errors import ConfigError

from edition.citation.formats import CITATION_FORMATS, format_citation_text
from edition.citation.model import CitationContext, EditionCitation, build_citation_path
from edition.citation.urls import (
    BASE_VARIABLE,
    CORRECTIONS_VARIABLE,
    HOME_PAGE,
    Addresses,
    BadAddress,
    base_of,
    seen_from,
    template_of,
)
from edition.export.downloads import get_download_address
from edition.export.json_ld import build_json_ld, render_json_ld
from edition.game import Game
from edition.nodes.builders import DOMAIN, cite_here
from edition.site.translator import EditionTranslator, Gap

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config

    from edition.site.domain import EditionDomain

#: What a page shows -> what it is cited as; the first that fits.
_CITED_VIEWS = ("source", "question", "clauses")
_SUBJECT_LABELS: Mapping[str, str] = {
    "edition": "the edition",
    "source": "this source",
    "question": "this question",
    "clauses": "these clauses",
    "clause": "this clause",
}
#: Pages at whose foot every page offers to look, if they are there.
_CITING_PAGES = (("citing", "How to cite"), ("downloads", "Downloads"), ("corrections", "Corrections"))


def set_addresses(app: Sphinx, config: Config) -> None:
    """Set the base address and the address for corrections.

    They are taken from the settings, or else from the environment.
    """
    import os

    try:
        config.html_baseurl = base_of(config.html_baseurl or os.environ.get(BASE_VARIABLE, ""))
        given = config.edition_corrections or os.environ.get(CORRECTIONS_VARIABLE, "")
        config.edition_corrections = template_of(given)
    except BadAddress as fault:
        raise ConfigError(str(fault)) from fault


def desk_of(builder: Builder) -> CitationContext:
    """Everything that is needed to cite something."""
    domain, config = cast("EditionDomain", builder.env.get_domain(DOMAIN)), builder.config
    places = Addresses(domain.data["places"], config.html_baseurl, config.edition_corrections)
    return CitationContext(domain.opened(), domain.opened().release, places)


def _find_subject(app: Sphinx, page: str, game: Game) -> tuple[str, str]:
    """Subject under which a page is cited; empty strings if it is not cited by itself."""
    if page == app.config.root_doc:
        return "edition", ""
    shown = app.env.get_domain(DOMAIN).data["shown"].get(page, {})
    own = (kind for kind, lookup in game.lookups.items() if lookup.cite)
    subjects = ((kind, id) for wanted in (*_CITED_VIEWS, *own) for kind, id in shown if kind == wanted)
    return next(subjects, ("", ""))


# --- at the foot ------------------------------------------------------------------------------------------


def add_page_foot(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the citation of a page to its foot, and metadata for programs to its head."""
    context["rv_ways"] = _render_citing_links(app, page)
    if doctree is None:
        return
    desk = desk_of(app.builder)
    kind, id = _find_subject(app, page, desk.corpus.game)
    named = desk.cite(kind, id)
    shown = app.env.get_domain(DOMAIN).data["shown"].get(page, {})
    if named is not None or any(view == "downloads" for view, _ in shown):
        app.add_css_file("citing.css")
    if named is None:
        return
    context["rv_foot"] = _render_citation(app.builder, desk, page, named, kind, id)
    heads = [render_json_ld(build_json_ld(desk, page, kind, id))]
    if kind == "clauses":
        way = seen_from(page, get_download_address("annotations", f"{id}.jsonld"))
        heads.append(f'<link rel="alternate" type="application/ld+json" href="{way}">')
    if desk.addresses.base:
        heads += _render_open_graph(desk, named, kind, str(context.get("title", "")))
    context["metatags"] = "\n".join([context.get("metatags", ""), *heads])


def _render_citing_links(app: Sphinx, page: str) -> Markup:
    """Links to the pages about citing, as far as they exist."""
    here = [(seen_from(page, f"{name}.html"), label) for name, label in _CITING_PAGES if name in app.env.found_docs]
    return Markup("").join(Markup(' · <a href="{}">{}</a>').format(*entry) for entry in here)


def _render_citation(
    builder: Builder, desk: CitationContext, page: str, named: EditionCitation, kind: str, id: str
) -> str:
    """Citation block: the citation, its files and the link for a correction."""
    path, there = build_citation_path(desk.corpus.game, kind, id), builder.env.found_docs
    words = {
        "of": _SUBJECT_LABELS.get(kind) or desk.corpus.game.lookups[kind].label,
        "single": kind == "clause",
        "open": page == "citing",
        "pieces": format_citation_text(named),
        "id": id if kind == "clause" else named.id,
        "full": named.full,
        "key": named.key,
        "files": [(seen_from(page, f"{path}.{end}"), label) for end, (label, _) in CITATION_FORMATS.items()],
        "how": seen_from(page, "citing.html") if "citing" in there else "",
        "correct": desk.addresses.correction(id or named.id, named.title),
        "corrections": seen_from(page, "corrections.html") if "corrections" in there else "",
    }
    return cast("str", cast("Any", builder).templates.render("cite.html", words))


def visit_cite(translator: EditionTranslator, node: cite_here) -> None:
    """Leave a gap for a citation within a page."""
    translator.add_gap(Gap(node["kind"], node["target"], cited=True))
    raise SkipNode


def render_cited_place(builder: Builder, page: str, kind: str, id: str) -> str:
    """Render a citation within a page; empty if there is none."""
    desk = desk_of(builder)
    named = desk.cite(kind, id)
    return _render_citation(builder, desk, page, named, kind, id) if named is not None else ""


def _render_open_graph(desk: CitationContext, named: EditionCitation, kind: str, title: str) -> list[str]:
    whole, id = kind == "edition", named.id.removesuffix(f"-{kind}")
    description = desk.release.abstract if whole else f"{named.label} in {desk.release.title}"
    rows = {
        "og:type": "website" if whole else "article",
        "og:site_name": desk.release.title,
        "og:title": Markup(title).striptags(),
        "og:description": description,
        "og:url": desk.addresses.base + (HOME_PAGE if whole else desk.addresses.within(kind, id)),
    }
    return [f'<meta property="{name}" content="{escape(words)}">' for name, words in rows.items()]


# --- beside the pages -------------------------------------------------------------------------------------
