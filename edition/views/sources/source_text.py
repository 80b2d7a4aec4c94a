"""Layout of the page of a source, with its minimap: a strip for each chapter, darker where more answers rest."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Sequence

from docutils import nodes

from edition.nodes.builders import bullet_list, markup_of, same_page_link, span
from edition.nodes.templates import template_renderer
from edition.text.collations import KIND_NAMES
from edition.views.sources.emendations import name_evidence
from edition.views.sources.source import PRINT_FACTS, SourceChapter, SourceLine, page_address
from rulebook.checks.coverage import RESIDUE_SEPARATOR

_MAP_WIDTH = 22
_MAP_HEIGHT = 540  #: of all strips together, in pixels
_LINE_HEIGHT, _LINE_LETTERS = 17, 19  #: of a title beside its strip, which is as high as all of it
_DARKEST = 3


def render_source_map(chapters: Sequence[SourceChapter]) -> nodes.Node:
    """Minimap: a link for each chapter, with a strip as high as its share of the text."""
    total = sum(line.size for chapter in chapters for line in chapter.lines) or 1
    rows = [[_render_strip_link(chapter, total)] for chapter in chapters]
    return markup_of("nav", bullet_list(rows), cls="rv-source-map", aria_label="Chapters")


def _render_strip_link(chapter: SourceChapter, total: int) -> nodes.reference:
    size = sum(line.size for line in chapter.lines)
    title = _LINE_HEIGHT * len(textwrap.wrap(chapter.label, _LINE_LETTERS)) + 3
    height = max(title, round(_MAP_HEIGHT * size / total))
    return same_page_link(
        chapter.target, nodes.raw("", draw_strip(chapter.lines, height), format="html"), span(chapter.label)
    )


def draw_strip(lines: Sequence[SourceLine], height: int) -> str:
    """Strip of some sentences as SVG: one path for each shade."""
    scale, top = height / (sum(line.size for line in lines) or 1), 0.0
    paths: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        high = line.size * scale
        paths[shade_of(len(line.asked))].append(f"M0 {top:.1f}h{_MAP_WIDTH}v{max(high - 1, 0.5):.1f}h-{_MAP_WIDTH}z")
        top += high
    drawn = "".join(f'<path class="rv-shade-{shade}" d="{"".join(parts)}"/>' for shade, parts in sorted(paths.items()))
    return f'<svg width="{_MAP_WIDTH}" height="{height}" aria-hidden="true" focusable="false">{drawn}</svg>'


def shade_of(answers: int) -> int:
    """Shade of a sentence on which so many answers rest: 0 to 3."""
    return min(_DARKEST, (answers + 2) // 3 if answers < 6 else _DARKEST)


render_source = template_renderer(
    "edition",
    "source",
    evidence=name_evidence,
    page_address=page_address,
    print_facts=PRINT_FACTS,
    separator=RESIDUE_SEPARATOR,
    source_map=render_source_map,
    variant_kinds=KIND_NAMES,
)
