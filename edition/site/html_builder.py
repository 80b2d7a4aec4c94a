"""The HTML builder: each page is linked and written in one of several processes, none of which keeps it in memory."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence, Set
from typing import Any

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.build_phase import BuildPhase
from sphinx.util.parallel import ParallelTasks

_PAGES_AT_A_TIME = 16  #: in one process, before another takes up more; what ends need not be taken apart
_MOST_LOOSE_OBJECTS = 700_000  #: some 200 MB


def free_pages() -> None:
    """Free the trees of pages that are done, whose parts hold each other, once they take up much room.

    What was there before the pages is frozen, so that the garbage collector does not look at it.
    """
    if gc.get_count()[0] > _MOST_LOOSE_OBJECTS:
        gc.collect()


class EditionBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder, which opens and links pages in the processes that write them.

    Sphinx itself does so in its main process, where the trees of all pages would add up.
    """

    def write_documents(self, docnames: Set[str]) -> None:
        """Write all pages, the first of them here: it compiles the templates that every process uses."""
        first, *rest = sorted(docnames)
        self._write_pages([first])
        if not self.parallel_ok:
            self._write_pages(rest)
            return
        tasks = ParallelTasks(self._app.parallel)
        for at in range(0, len(rest), _PAGES_AT_A_TIME):
            tasks.add_task(self._write_pages, rest[at : at + _PAGES_AT_A_TIME], self._note_images)
        tasks.join()

    def _write_pages(self, pages: Sequence[str]) -> Mapping[str, str]:
        """Link and write pages; return all pictures that were met."""
        for page in pages:
            self.phase = BuildPhase.RESOLVING
            doctree = self.env.get_and_resolve_doctree(page, self, tags=self.tags)
            self.phase = BuildPhase.WRITING
            self.write_doc_serialized(page, doctree)
            self.write_doc(page, doctree)
            del doctree
            free_pages()
        return self.images

    def _note_images(self, pages: Any, images: Mapping[str, str]) -> None:
        self.images.update(images)
