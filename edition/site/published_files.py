"""Files published beside the pages: citations, every download, and the sitemap."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from edition.citation.formats import CITATION_FORMATS
from edition.citation.model import all_cited
from edition.citation.urls import SITEMAP, render_sitemap
from edition.export.downloads import write_downloads
from edition.site.page_head import desk_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write_published_files(app: Sphinx) -> None:
    """Write the files of citations, the downloads and the sitemap."""
    desk, out = desk_of(app.builder), Path(app.outdir)
    for path, citations in all_cited(desk):
        for end, (_, write) in CITATION_FORMATS.items():
            _write_text(out / f"{path}.{end}", write(citations))
    write_downloads(desk.corpus, out)
    if desk.addresses.base:
        pages = (f"{name}.html" for name in app.env.found_docs)
        _write_text(out / SITEMAP, render_sitemap(desk.addresses.base, pages))


def _write_text(path: Path, letters: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(letters, encoding="utf-8", newline="\n")
