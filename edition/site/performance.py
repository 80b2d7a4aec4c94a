"""Build-time caches for work that Sphinx repeats per page.

Data that they keep without need is freed.

The pages come out the same, letter for letter.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

from edition.corpus.limits import MAX_NAVIGATION_SOURCES
from edition.nodes.builders import DOMAIN
from edition.site.domain import EditionDomain
from edition.site.html_builder import free_pages
from edition.site.node_search import install_node_search, note_absent_class
from edition.site.parallel_tasks import compute_shared_results

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


SMALL_BUILD_PAGES = 50  #: so many pages may be read without anything that takes long


#: What Sphinx looks for on every page, from end to end, and what no page of ours can have: another language for all
#: programs below (they name their own), marks for doctest in examples, gaps for translators, pictures from the net or
#: written out in letters, other names for things of C.
SKIPPED_TRANSFORMS = frozenset(
    (
        *("HighlightLanguageTransform", "TrimDoctestFlagsTransform", "RemoveTranslatableInline"),
        *("ImageDownloader", "DataURIExtractor", "AliasTransform"),
    )
)


class EditionLinks(SphinxPostTransform):
    """Resolve the links within the edition, of which there are hundreds of thousands.

    A link without a target is left to Sphinx, which warns of it.
    """

    default_priority = 8  # MyST comes at 9, Sphinx itself at 10; they find no link left on most pages
    ways: dict[tuple[str, str], str]  #: from one page to another

    def run(self, **kwargs: Any) -> None:
        """Replace each cross-reference by a link around the same content."""
        ours, self.ways = cast(EditionDomain, self.env.get_domain(DOMAIN)), {}
        wishes = list(self.document.findall(pending_xref))
        done = [one.get("refdomain") == DOMAIN and self.resolve(ours, one) for one in wishes]
        if all(done):
            note_absent_class(self.document, pending_xref)

    def resolve(self, ours: EditionDomain, wish: pending_xref) -> bool:
        """Replace one; return False if there is no such place."""
        found = ours.find_place(wish["reftype"], wish["reftarget"])
        if found is None:
            return False
        page, at, title = found
        here = wish.get("refdoc", self.env.current_document.docname)
        way = nodes.reference("", "", internal=True)
        if here == page and at:
            way["refid"] = at
        else:
            way["refuri"] = f"{self.way(here, page)}#{at}" if at else self.way(here, page)
        if title := wish.get("reftip") or title:
            way["reftitle"] = title
        way.append(wish[0])
        way.update_basic_atts(wish)
        wish.parent[wish.parent.index(wish)] = way
        return True

    def way(self, here: str, page: str) -> str:
        """Relative address of a page, computed once for each page that leads there."""
        if (here, page) not in self.ways:
            self.ways[here, page] = self.env._app.builder.get_relative_uri(here, page)
        return self.ways[here, page]


def install_shortcuts(app: Sphinx) -> None:
    """Install all of the shortcuts."""
    for looked_for in (app.registry.transforms, app.registry.post_transforms):
        looked_for[:] = [one for one in looked_for if one.__name__ not in SKIPPED_TRANSFORMS]
    install_node_search()
    app.add_post_transform(EditionLinks)
    app.connect("env-before-read-docs", read_few_pages_serially)
    app.connect("env-before-read-docs", _compute_shared_results)
    app.connect("env-before-read-docs", _rest_collector)
    app.connect("source-read", _collect_last_page)
    app.connect("env-updated", restore_parallel_writing)
    app.connect("env-updated", _freeze_read_pages)
    app.connect("doctree-read", _clear_doctree_caches)
    app.connect("doctree-resolved", _drop_pickled_doctree)


def _has_many_sources(app: Sphinx) -> bool:
    """Return True if the pages of all sources do not fit into memory together."""
    return len(cast(EditionDomain, app.env.get_domain(DOMAIN)).opened().library.sources) > MAX_NAVIGATION_SOURCES


def _compute_shared_results(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Compute results that many pages show before reading is split among processes."""
    if app.parallel > 1 and len(pages) > SMALL_BUILD_PAGES:
        corpus = cast(EditionDomain, app.env.get_domain(DOMAIN)).opened()
        compute_shared_results(corpus, app.parallel)


def read_few_pages_serially(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Read a few pages in one process, which is faster.

    Every further process would send back all that Sphinx remembers of all pages.
    """
    app.builder._edition_processes = app.parallel  # type: ignore[attr-defined]
    if len(pages) <= SMALL_BUILD_PAGES:
        app.parallel = 1


def restore_parallel_writing(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the pages in as many processes as allowed."""
    app.parallel = app.builder._edition_processes  # type: ignore[attr-defined]
    return []


def _rest_collector(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Freeze what has been read of the sources: the garbage collector is called for pages, and sees them only."""
    gc.disable()
    gc.freeze()


def _freeze_read_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Freeze what is remembered of all pages, too, without what the processes that read them sent besides."""
    gc.collect()
    gc.freeze()
    return []


def _collect_last_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Free the trees of the pages that were read before."""
    free_pages()


def _clear_doctree_caches(app: Sphinx, doctree: nodes.document) -> None:
    """Clear Sphinx's doctree caches if there are many sources.

    The pages that have been read then wait on disk to be written, not in memory.
    """
    if _has_many_sources(app):
        for kept in ("_write_doc_doctree_cache", "_pickled_doctree_cache"):
            getattr(app.env, kept, {}).clear()


def _drop_pickled_doctree(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Drop the pickled doctree of a page that is being written.

    It is not read again; otherwise all pages would add up in memory.
    """
    getattr(app.env, "_pickled_doctree_cache", {}).pop(page, None)
