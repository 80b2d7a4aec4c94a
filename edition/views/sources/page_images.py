"""Page images on the web of all sources, in one list."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.plain_answers import source_marks
from rulebook.page_images import PageImages, get_iiif_manifest, list_page_images


@dataclass(frozen=True, slots=True)
class SourceImages:
    """A source with its page images on the web."""

    source: SourceMark
    images: tuple[PageImages, ...]
    iiif_manifest: str


def page_images_view(corpus: Corpus, _: str = "") -> tuple[SourceImages, ...]:
    """List the sources of which page images are named."""
    marks = source_marks(corpus)
    found = (
        SourceImages(marks[siglum], list_page_images(source), get_iiif_manifest(source))
        for siglum, source in corpus.library.sources.items()
    )
    return tuple(each for each in found if each.images or each.iiif_manifest)


render_page_images = template_renderer("edition", "page-images")
