"""Titles of the bibliography, each with its language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from edition.nodes.builders import name_language
from rulebook.sources.bibliography import read_foreign_titles


class NameTitleLanguages(SphinxPostTransform):
    """Names the language of every title that is not English, when the bibliography has been printed."""

    default_priority = 6  # that of the bibliography is 5

    def run(self, **kwargs: Any) -> None:
        """Name them in one page."""
        found = list(self.document.findall(nodes.citation))
        titles = read_foreign_titles(Path(self.config.bibtex_bibfiles[0])) if found else {}
        for citation in found:
            for key in citation["ids"]:
                if key in titles:
                    name_language(citation, *titles[key])
