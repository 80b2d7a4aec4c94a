"""What stands at the foot of a page and in its head: how to cite it, where to send a correction, what programs read.

All of it is made when a page is written, from what the page shows; none of it waits in the trees of the pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from markupsafe import Markup, escape
from sphinx.errors import ConfigError

from edition.citation.formats import FORMS, text
from edition.citation.model import Cited, Desk, all_cited, file_of
from edition.citation.urls import (
    BASE_VARIABLE,
    CORRECTIONS_VARIABLE,
    HOME,
    SITEMAP,
    Addresses,
    BadAddress,
    base_of,
    seen_from,
    sitemap,
    template_of,
)
from edition.export import downloads as takeaway
from edition.export.json_ld import annotated, annotations_of, block, linked
from edition.nodes.builders import cite_here

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.writers.html5 import HTML5Translator

    from edition.site.domain import ReversisDomain

#: What a page shows -> what it is cited as; the first that fits.
SUBJECTS = ("source", "question", "deal", "clauses", "pair", "howto")
NAMES: Mapping[str, str] = {
    "edition": "the edition",
    "source": "this source",
    "question": "this question",
    "deal": "this deal",
    "clauses": "these clauses",
    "pair": "this comparison",
    "howto": "this page",
    "clause": "this clause",
}
#: Pages at whose foot every page offers to look, if they are there.
WAYS = (("citing", "How to cite"), ("downloads", "Downloads"), ("corrections", "Corrections"))


def addresses_set(app: Sphinx, config: Config) -> None:
    """The base address and that for corrections: as they were given, or from the environment."""
    import os

    try:
        config.html_baseurl = base_of(config.html_baseurl or os.environ.get(BASE_VARIABLE, ""))
        given = config.reversis_corrections or os.environ.get(CORRECTIONS_VARIABLE, "")
        config.reversis_corrections = template_of(given)
    except BadAddress as fault:
        raise ConfigError(str(fault)) from fault


def is_site(builder: Builder) -> bool:
    """Whether pages of a site are made, and not those of a book."""
    return builder.name == "html"


def desk_of(builder: Builder) -> Desk:
    """All that is needed to cite something."""
    domain, config = cast("ReversisDomain", builder.env.get_domain("reversis")), builder.config
    places = Addresses(domain.data["places"], config.html_baseurl, config.reversis_corrections)
    return Desk(domain.opened(), domain.opened().release, places)


def subject(app: Sphinx, page: str) -> tuple[str, str]:
    """What a page is about, as one would cite it; empty words if it is not cited by itself."""
    if page == app.config.root_doc:
        return "edition", ""
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    found = ((kind, id) for wanted in SUBJECTS for kind, id in shown if kind == wanted)
    return next(found, ("", ""))


# --- at the foot ------------------------------------------------------------------------------------------


def at_the_foot(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """How to cite the page, and what programs read of it."""
    if not is_site(app.builder):
        return
    context["rv_ways"] = ways(app, page)
    if doctree is None:
        return
    desk, (kind, id) = desk_of(app.builder), subject(app, page)
    named = desk.cite(kind, id)
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    if named is not None or any(view == "downloads" for view, _ in shown):
        app.add_css_file("citing.css")
    if named is None:
        return
    context["rv_foot"] = citation(app.builder, desk, page, named, kind, id)
    heads = [block(linked(desk, page, kind, id))]
    if kind == "clauses":
        way = seen_from(page, annotations_of(id))
        heads.append(f'<link rel="alternate" type="application/ld+json" href="{way}">')
    if desk.addresses.base:
        heads += cards(desk, named, kind, str(context.get("title", "")))
    context["metatags"] = "\n".join([context.get("metatags", ""), *heads])


def ways(app: Sphinx, page: str) -> Markup:
    """The ways to the pages about citing, as far as there are any."""
    here = [(seen_from(page, f"{name}.html"), said) for name, said in WAYS if name in app.env.found_docs]
    return Markup("").join(Markup(' · <a href="{}">{}</a>').format(*one) for one in here)


def citation(builder: Builder, desk: Desk, page: str, named: Cited, kind: str, id: str) -> str:
    """The fold with the citation, its files, and the way to a correction."""
    path, there = file_of(kind, id), builder.env.found_docs
    words = {
        "of": NAMES[kind],
        "single": kind == "clause",
        "pieces": text(named),
        "id": id if kind == "clause" else named.id,
        "full": named.full,
        "key": named.key,
        "files": [(seen_from(page, f"{path}.{end}"), said) for end, (said, _) in FORMS.items()],
        "how": seen_from(page, "citing.html") if "citing" in there else "",
        "correct": desk.addresses.correction(id or named.id, named.title),
        "corrections": seen_from(page, "corrections.html") if "corrections" in there else "",
    }
    return cast("str", cast("Any", builder).templates.render("cite.html", words))


def visit_cite(translator: HTML5Translator, node: cite_here) -> None:
    """A citation where it is wanted within a page."""
    from docutils.nodes import SkipNode

    builder = translator.builder
    if is_site(builder):
        desk, kind, id = desk_of(builder), node["kind"], node["target"]
        named = desk.cite(kind, id)
        if named is not None:
            translator.body.append(citation(builder, desk, builder.current_docname, named, kind, id))
    raise SkipNode


def pass_cite(translator: Any, node: cite_here) -> None:
    """A book is cited by its title page."""
    from docutils.nodes import SkipNode

    raise SkipNode


def cards(desk: Desk, named: Cited, kind: str, title: str) -> list[str]:
    """What a page says of itself when its address is handed round (Open Graph)."""
    whole = kind == "edition"
    said = desk.release.abstract if whole else f"{named.label} in {desk.release.title}"
    rows = {
        "og:type": "website" if whole else "article",
        "og:site_name": desk.release.title,
        "og:title": Markup(title).striptags(),
        "og:description": said,
        "og:url": desk.addresses.base + (HOME if whole else desk.addresses.within(kind, named_id(named, kind))),
    }
    return [f'<meta property="{name}" content="{escape(words)}">' for name, words in rows.items()]


def named_id(named: Cited, kind: str) -> str:
    """The id under which something has its place."""
    return named.id.removesuffix(f"-{kind}")


# --- beside the pages -------------------------------------------------------------------------------------


def lay_out(app: Sphinx, failed: Exception | None) -> None:
    """The files of citations and annotations, everything to take away, and the list of pages."""
    if failed is not None or not is_site(app.builder):
        return
    desk, out = desk_of(app.builder), Path(app.outdir)
    for path, found in all_cited(desk):
        for end, (_, write) in FORMS.items():
            put(out / f"{path}.{end}", write(found))
    for siglum in desk.corpus.library.sources:
        told = json.dumps(annotated(desk, siglum), ensure_ascii=False, indent=1)
        put(out / annotations_of(siglum), f"{told}\n")
    takeaway.lay_out(desk.corpus, out)
    if desk.addresses.base:
        put(out / SITEMAP, sitemap(desk.addresses.base, pages(app.env.found_docs)))


def pages(names: Iterable[str]) -> Iterable[str]:
    """The address of every page within the edition."""
    return (f"{name}.html" for name in names)


def put(path: Path, letters: str) -> None:
    """A file in a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(letters, encoding="utf-8", newline="\n")
