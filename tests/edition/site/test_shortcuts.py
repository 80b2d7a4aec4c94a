"""Every shortcut of the build does what docutils and Sphinx do without it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from sphinx.writers.html5 import HTML5Translator

from edition.site.translator import EditionTranslator


def tree() -> nodes.document:
    """A page with something of most that pages have."""
    page = new_document("a page")
    words = nodes.inline("", "", nodes.Text("a & b"), nodes.emphasis("", "c"), classes=["x", "x", "y"], ids=["here"])
    program = nodes.literal("", "", nodes.inline("", "if  a", classes=["k"]))
    mail = nodes.reference("", "", nodes.Text("a@b.c"), refuri="mailto:a@b.c")
    spoken = nodes.inline("", "<levées>", classes=["language-fr", "small"])
    escaped = nodes.inline("", "", nodes.Text("a\0 b\0c"), classes=["kbd", "z"], ids=["one", "two"])
    line = nodes.paragraph("", "", words, program, mail, spoken, escaped, classes=["", "p"])
    page += nodes.section("", nodes.title("", "Title"), line, nodes.comment("", "no"), ids=["s"])
    return page


ATTRIBUTES: tuple[dict[str, Any], ...] = ({}, {"CLASS": "b a b"}, {"href": 'x?a&"b', "class": "r"}, {"ids": ["more"]})
IDS = ([], ["one"], ["one", "two"])
CLASSES = ([], ["a"], ["a", "", "a", "c"], ["language-fr", "a"], ["colwidths-auto", "a"])


@pytest.mark.parametrize("kind", [nodes.inline, nodes.table, nodes.bullet_list])
def test_a_start_tag_is_that_of_docutils(kind: Any) -> None:
    def tag(translator: type[HTML5Translator], classes: Any, ids: Any, attributes: dict[str, Any], empty: bool) -> str:
        one = translator.__new__(translator)
        one.in_mailto = False
        copies = {name: list(said) if isinstance(said, list) else said for name, said in attributes.items()}
        return str(one.starttag(kind(classes=list(classes), ids=list(ids)), "SPAN", "\n", empty, **copies))

    for case in product(CLASSES, IDS, ATTRIBUTES, (False, True)):
        assert tag(EditionTranslator, *case) == tag(HTML5Translator, *case), case


def test_a_page_is_written_as_sphinx_writes_it(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("", encoding="utf-8")
    (tmp_path / "index.rst").write_text("Nothing\n=======\n", encoding="utf-8")
    with docutils_namespace():
        app = Sphinx(tmp_path, tmp_path, tmp_path / "html", tmp_path / "trees", "html", status=None)
        builder: Any = app.builder
        builder.prepare_writing(set())
        builder.secnumbers = builder.fignumbers = {}

        def written(translator: type[HTML5Translator]) -> str:
            page = tree()
            page.settings = builder.docsettings
            one = translator(page, builder)
            one.write(page) if isinstance(one, EditionTranslator) else page.walkabout(one)
            return "".join(one.body)

        assert written(EditionTranslator) == written(HTML5Translator)
        said = written(EditionTranslator)
        assert "a &amp; b" in said and 'lang="fr"' in said and 'class="kbd z"' in said and "mailto:" in said
