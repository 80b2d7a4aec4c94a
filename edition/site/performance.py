"""What Sphinx and its theme do anew for every page, and need do only once; and what they keep, and need not.

The pages come out the same, letter for letter.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.search.en import SearchEnglish
from sphinx.transforms.post_transforms import SphinxPostTransform

from edition.analysis.effects import compute_effects
from edition.analysis.results import settle_worked_deals
from edition.data.limits import LISTED
from edition.export.downloads import collect_downloads
from edition.nodes.builders import DOMAIN
from edition.site.domain import ReversisDomain
from edition.site.outdated import listed_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


BEFORE_THE_THEME = 100  #: the theme asks for the navigation at 500
FEW = 50  #: so many pages may be read without anything that takes long


class Stems(SearchEnglish):
    """Sphinx's index of whole pages: the same words stand on all of them, and are taken to their stems once."""

    def __init__(self, options: dict[str, str]) -> None:
        """Remember every stem for as long as a build lasts."""
        super().__init__(options)
        self.remembered = lru_cache(maxsize=None)(super().stem)

    def stem(self, word: str) -> str:
        """The stem of a word."""
        return self.remembered(word)


#: What Sphinx looks for on every page, from end to end, and what no page of ours can have: another language for all
#: programs below (they name their own), marks for doctest in examples, gaps for translators, pictures from the net or
#: written out in letters, other names for things of C.
NEVER = frozenset(
    (
        *("HighlightLanguageTransform", "TrimDoctestFlagsTransform", "RemoveTranslatableInline"),
        *("ImageDownloader", "DataURIExtractor", "AliasTransform"),
    )
)


class Ways(SphinxPostTransform):
    """The ways within the edition, by the hundred thousand; what leads nowhere is left to Sphinx, which says so."""

    default_priority = 9  # Sphinx itself comes at 10

    def run(self, **kwargs: Any) -> None:
        """Put the way in place of the wish for it, around the same words."""
        ours, builder = self.env.get_domain(DOMAIN), self.env._app.builder
        for wish in [one for one in self.document.findall(pending_xref) if one.get("refdomain") == DOMAIN]:
            page = wish.get("refdoc", self.env.current_document.docname)
            words = cast("nodes.Element", wish[0])
            way = ours.resolve_xref(self.env, page, builder, wish["reftype"], wish["reftarget"], wish, words)
            if way is not None:
                wish.replace_self(way)


def install_shortcuts(app: Sphinx) -> None:
    """Put all of it in place."""
    for looked_for in (app.registry.transforms, app.registry.post_transforms):
        looked_for[:] = [one for one in looked_for if one.__name__ not in NEVER]
    app.add_post_transform(Ways)
    app.add_search_language(Stems)
    app.connect("builder-inited", begin)
    app.connect("html-page-context", navigation, priority=BEFORE_THE_THEME)
    app.connect("env-before-read-docs", counted)
    app.connect("env-before-read-docs", one_by_one)
    app.connect("env-before-read-docs", alone)
    app.connect("env-before-read-docs", once_for_all)
    app.connect("env-updated", together)
    app.connect("env-updated", set_apart)
    app.connect("doctree-read", keep_few)
    app.connect("doctree-resolved", let_go)


def begin(app: Sphinx) -> None:
    """Nothing is remembered from the last build."""
    app.builder._reversis_navigation = {}  # type: ignore[attr-defined]


def navigation(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """The navigation beside a page that it does not list is that of every other such page in the same folder.

    Most of the edition it does not list: questions, deals, clauses. Where a page is listed, it is marked, and the theme
    has to make it anew.
    """
    found: Callable[..., str] | None = context.get("toctree")
    if found is None or page in listed_pages(app.env):
        return
    known: dict[tuple[object, ...], str] = app.builder._reversis_navigation  # type: ignore[attr-defined]
    folder = PurePosixPath(page).parent

    def remembered(**wanted: Any) -> str:
        key = (folder, *sorted(wanted.items()))
        if key not in known:
            known[key] = found(**wanted)
        return known[key]

    context["toctree"] = remembered


def many(app: Sphinx) -> bool:
    """Whether there are so many sources that their pages do not fit into memory together."""
    return len(cast(ReversisDomain, app.env.get_domain("reversis")).opened().library.sources) > LISTED


def counted(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """How many pages are read this time."""
    app.builder._reversis_read = len(pages)  # type: ignore[attr-defined]


def one_by_one(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Of many sources the pages are written one after the other: in parallel, Sphinx opens dozens before the first."""
    if many(app):
        cast("Any", app.builder).allow_parallel = False


def once_for_all(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """What many pages show and takes long to find out is found out before the pages are shared out to processes."""
    if app.parallel > 1 and len(pages) > FEW:
        corpus = cast(ReversisDomain, app.env.get_domain(DOMAIN)).opened()
        for compute in (settle_worked_deals, compute_effects, collect_downloads):
            compute(corpus)


def alone(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """A few pages are read sooner alone: every process would hand over all that Sphinx remembers, of all the pages."""
    app.builder._reversis_processes = app.parallel  # type: ignore[attr-defined]
    if len(pages) <= FEW:
        app.parallel = 1


def together(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """They are written in as many processes as there may be."""
    app.parallel = app.builder._reversis_processes  # type: ignore[attr-defined]
    return []


def set_apart(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """What has been read stays until the end: whoever looks for rubbish among the pages need not go through it again.

    So it is looked for often, and the trees of pages that have been written do not pile up.
    """
    if many(app) and app.builder._reversis_read > FEW:  # type: ignore[attr-defined]
        gc.collect()
    gc.freeze()
    gc.collect()  # that nothing is left is known only to whoever has looked
    return []


def keep_few(app: Sphinx, doctree: nodes.document) -> None:
    """Of many sources the pages that have been read wait on the disk to be written, and not in memory."""
    if many(app):
        for kept in ("_write_doc_doctree_cache", "_pickled_doctree_cache"):
            getattr(app.env, kept, {}).clear()


def let_go(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A page that is being written is read no more; what Sphinx keeps of it would add up to all pages at once."""
    getattr(app.env, "_pickled_doctree_cache", {}).pop(page, None)
