"""Layout of the page of a source, by its template."""

from __future__ import annotations

from edition.nodes.templates import template_renderer
from edition.text.collations import KIND_NAMES
from edition.views.sources.emendations import name_evidence
from edition.views.sources.source import PRINT_FACTS, page_address
from edition.views.sources.source_map import render_source_map
from rulebook.checks.coverage import RESIDUE_SEPARATOR

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
