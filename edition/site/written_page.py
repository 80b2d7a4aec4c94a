"""Pages written as soon as they are read, with gaps for what depends on other pages: links and citations.

So the tree of a page is neither stored nor walked a second time, and after an edit the gaps of all pages are filled
anew. Only a page with something that Sphinx puts in at the end (a list of contents, a picture, the bibliography, a link
of Markdown) is stored as a tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging

from edition.nodes.builders import DOMAIN
from edition.site.missing_pages import is_left_out
from edition.site.page_head import render_cited_place
from edition.site.translator import EditionTranslator, Gap, escape_attribute, split_classes

if TYPE_CHECKING:
    from edition.site.domain import EditionDomain

_GAP = re.compile("\ue010([0-9]+)\ue011")  #: as `EditionTranslator.add_gap` writes it
_logger = logging.getLogger(__name__)


class written_page(nodes.General, nodes.Element):
    """Stands for all of a page: `body` and `folds` in HTML, what its head needs, and the `gaps` in them."""


def write_with_gaps(builder: StandaloneHTMLBuilder, document: nodes.document) -> written_page:
    """Write a page of which all is known but where its links lead, and what is cited."""
    translator = cast(EditionTranslator, builder.create_translator(document, builder))
    translator.write(document)
    body, meta = "".join(translator.fragment), "".join(translator.meta[2:])
    maths = getattr(translator, "_has_maths_elements", False)
    return written_page(body=body, meta=meta, maths=maths, folds=translator.folds, gaps=tuple(translator.gaps))


def fill_gaps(builder: StandaloneHTMLBuilder, page: str, written: written_page) -> tuple[str, dict[str, str]]:
    """Return the HTML of a page and its deferred content, with links and citations."""
    filler = _GapFiller(builder, page)
    words = [filler.fill(gap) for gap in written["gaps"]]

    def fill(html: str) -> str:
        return _GAP.sub(lambda gap: words[int(gap[1])], html)

    return fill(written["body"]), {key: fill(html) for key, html in written["folds"].items()}


class _GapFiller:
    """Says what stands in the gaps of a page."""

    def __init__(self, builder: StandaloneHTMLBuilder, page: str) -> None:
        self.builder, self.page, self.ways = builder, page, dict[str, str]()
        self.domain = cast("EditionDomain", builder.env.get_domain(DOMAIN))

    def fill(self, gap: Gap) -> str:
        """Return a citation, or the start of a link."""
        if gap.cited:
            return render_cited_place(self.builder, self.page, gap.kind, gap.target)
        place = self.domain.find_place(gap.kind, gap.target)
        if place is None and gap.kind == "page" and is_left_out(gap.target, self.domain.opened()):
            return "<a>"
        if place is None:
            message = "%s:%s reference target not found: %s"
            _logger.warning(message, DOMAIN, gap.kind, gap.target, location=self.page, type="ref", subtype=gap.kind)
            return "<a>"
        page, at, title = place
        classes, language = split_classes((*gap.classes, "reference", "internal"))
        way = "" if at and page == self.page else self._find_way(page)
        href = f"{way}#{at}" if at else way or "#"
        attributes = {"class": classes, "href": href, "id": gap.id, "lang": language, "title": gap.tip or title}
        pairs = (f' {name}="{escape_attribute(value)}"' for name, value in attributes.items() if value)
        return f"<a{''.join(pairs)}>"

    def _find_way(self, page: str) -> str:
        if page not in self.ways:
            self.ways[page] = self.builder.get_relative_uri(self.page, page)
        return self.ways[page]
