"""The HTML builder: pages are read and written in several processes, none of which keeps them in memory."""

from __future__ import annotations

import gc
import multiprocessing
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging
from sphinx.util.build_phase import BuildPhase
from sphinx.util.docutils import _get_settings, new_document
from sphinx.util.osutil import relative_uri
from sphinx.util.parallel import ParallelTasks
from sphinx.writers.html import HTMLWriter

from edition.nodes.builders import DOMAIN, NodeT
from edition.nodes.templates import compile_templates
from edition.site.deferred import FOLDS
from edition.site.directives import PAGE_TABLES, WAITS, make_placeholder, render_placeholders
from edition.site.shared_results import compute_shared_results
from edition.site.stubs import parse_stub_page
from edition.site.translator import dress_tables
from edition.site.written_page import fill_gaps, write_with_gaps, written_page
from rulebook.reads import record_reads

if TYPE_CHECKING:
    from edition.site.domain import EditionDomain

FEW_PAGES = 50  #: so many may be read without anything that takes long
_FILE_FOLDERS = ("_images", "_downloads")  #: where Sphinx lays pictures, and files that may be fetched
_MOST_LOOSE_OBJECTS = 700_000  #: some 200 MB
_logger = logging.getLogger(__name__)


def free_pages() -> None:
    """Free the trees of pages that are done, whose parts hold each other, once they take up much room.

    What outlives them, results that other pages show too, is frozen: the garbage collector need not look at it again.
    """
    if gc.get_count()[0] > _MOST_LOOSE_OBJECTS:
        gc.collect()
        gc.freeze()


class EditionBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder, which writes most pages when they are read, and all of them in processes that live long.

    In Sphinx a process ends after some pages, and with it what it has computed for others; and the trees of all pages
    pass through files, and add up in the main process.
    """

    search = False  # Sphinx's own search page and index; the edition has one search

    def _read_parallel(self, docnames: list[str], nproc: int) -> None:
        """Read pages; a few in this process, for any other has to send back all that Sphinx knows of all pages."""
        if len(docnames) <= FEW_PAGES:
            self._read_serial(docnames)
            return
        compute_shared_results(cast("EditionDomain", self.env.get_domain(DOMAIN)).opened(), nproc)
        compile_templates()
        gc.freeze()
        for page in docnames:
            self.events.emit("env-purge-doc", self.env, page)
            self.env.clear_doc(page)

        def read(pages: Iterator[str]) -> tuple[list[str], bytes]:
            self.env._app = self._app
            done = []
            for page in pages:
                self.read_doc(page, _cache=False)
                done.append(page)
            return done, pickle.dumps(self.env, pickle.HIGHEST_PROTOCOL)

        def merge(_: object, result: tuple[list[str], bytes]) -> None:
            self.env.merge_info_from(result[0], pickle.loads(result[1]), self._app)

        _share_out(docnames, nproc, read, merge)

    def read_doc(self, docname: str, *, _cache: bool = True) -> None:  # type: ignore[misc]
        """Read a page; one that shows a record and nothing else needs no parser."""
        free_pages()
        if not self._read_stub(docname):
            super().read_doc(docname, _cache=_cache)

    def _read_stub(self, page: str) -> bool:
        path = self.env.doc2path(page)
        if (stub := parse_stub_page(path.read_text("utf-8"))) is None:
            return False
        head, kind, argument = stub
        self.env.prepare_settings(page)
        document = new_document(str(path), self._page_settings)
        try:
            document.append(make_placeholder(self.env, kind, argument))
        except (KeyError, StopIteration):
            return False  # Sphinx reads it, and warns
        self.env.metadata[page].update(head)
        render_placeholders(self._app, document)
        outline = _outline(document)
        for domain in self.env.domains.sorted():
            domain.process_doc(self.env, page, outline)
        self.events.emit("doctree-read", outline)
        self.env.all_docs[page] = time.time_ns() // 1_000
        self.env.current_document = type(self.env.current_document)()  # or else it is copied with every page written
        self.write_doctree(page, document)
        return True

    def write_doctree(self, docname: str, doctree: nodes.document, *, _cache: bool = True) -> None:  # type: ignore[misc]
        """Store a page as HTML with gaps, or the tree of one that must wait."""
        if not getattr(doctree, WAITS, True):
            stored = nodes.document(doctree.settings, doctree.reporter)
            stored.append(self._write_with_gaps(docname, doctree, getattr(doctree, PAGE_TABLES)))
            _take_apart(doctree)
            doctree = stored
        super().write_doctree(docname, doctree, _cache=False)

    def write_documents(self, docnames: Set[str]) -> None:
        """Write all pages, the first of them here: it compiles the templates that every process uses."""
        first, *rest = sorted(docnames)
        self._write_pages([first])
        gc.freeze()
        if self.parallel_ok:
            _share_out(rest, self._app.parallel, self._write_pages, lambda _, images: self.images.update(images))
        else:
            self._write_pages(rest)

    def _write_pages(self, pages: Iterable[str]) -> Mapping[str, str]:
        """Link and write pages; return all pictures that were met."""
        domain = cast("EditionDomain", self.env.get_domain(DOMAIN))
        for page in pages:
            with record_reads() as words:
                self._write_page(page, self.env.get_doctree(page))
            if page != self.config.root_doc and (unseen := words - domain.words_of(page)):
                _logger.warning("words are read when this page is written: %s", sorted(unseen), location=page)
            self.env._pickled_doctree_cache.clear()
            free_pages()
        return self.images

    def _write_page(self, page: str, doctree: nodes.document) -> None:
        written = doctree.children[0]
        if not isinstance(written, written_page):
            self.phase = BuildPhase.RESOLVING
            doctree = self.env.get_and_resolve_doctree(page, self, tags=self.tags, doctree=doctree)
            self.write_doc_serialized(page, doctree)
            written = self._write_with_gaps(page, doctree, list(doctree.findall(nodes.table)))
        self.phase = BuildPhase.WRITING
        body, folds = fill_gaps(self, page, written)
        setattr(doctree, FOLDS, folds)
        context = {**self.get_doc_context(page, body, written["meta"]), "has_maths_elements": written["maths"]}
        self.handle_page(page, context, event_arg=doctree)

    def _write_with_gaps(self, page: str, doctree: nodes.document, tables: Iterable[nodes.table]) -> written_page:
        dress_tables(tables)
        doctree.settings, self.current_docname = self._page_settings, page
        self.imgpath, self.dlpath = (relative_uri(self.get_target_uri(page), folder) for folder in _FILE_FOLDERS)
        self.secnumbers, self.fignumbers = self.env.toc_secnumbers.get(page, {}), self.env.toc_fignumbers.get(page, {})
        return write_with_gaps(self, doctree)

    @cached_property
    def _page_settings(self) -> Any:
        """Settings of docutils for every page; Sphinx knows it only once all pages have been read."""
        settings = _get_settings(HTMLWriter, defaults=self.env.settings, read_config_files=True)
        settings.compact_lists = bool(self.config.html_compact_lists)
        return settings


def _take_apart(document: nodes.document) -> None:
    """Free the nodes of a page that has been written: each holds its parent, and so all of the page."""
    document.ids.clear()
    open_nodes: list[nodes.Node] = [document]
    while open_nodes:
        node = open_nodes.pop()
        open_nodes += node.children
        if node.children:
            node.children = []


def _outline(node: NodeT) -> NodeT:
    """Return a page, or a section, with its headings only: of our pages Sphinx collects nothing else."""
    outline = node.copy()
    headings = (child for child in node.children if isinstance(child, (nodes.section, nodes.title)))
    outline.children = [_outline(child) if isinstance(child, nodes.section) else child for child in headings]
    return outline


def _share_out(pages: Sequence[str], processes: int, work: Callable[[Iterator[str]], Any], keep: Any) -> None:
    """Let every process take one page after another until there is none left, and keep what each of them returns."""
    next_page = multiprocessing.get_context("fork").Value("q", 0)

    def take_pages() -> Iterator[str]:
        while True:
            with next_page.get_lock():
                at, next_page.value = next_page.value, next_page.value + 1
            if at >= len(pages):
                return
            yield pages[at]

    tasks = ParallelTasks(processes)
    for _ in range(processes):
        tasks.add_task(lambda: work(take_pages()), None, keep)
    tasks.join()
