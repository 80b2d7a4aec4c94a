"""Every shortcut of the build does what docutils and Sphinx do without it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from sphinx.util.osutil import relative_uri
from sphinx.writers.html5 import HTML5Translator

from edition.nodes.builders import DOMAIN
from edition.site.domain import EditionDomain
from edition.site.node_search import install_node_search, iter_nodes, lacks, note_present_classes
from edition.site.performance import EditionLinks
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


@pytest.mark.parametrize("wanted", [nodes.Node, nodes.Text, nodes.inline, nodes.Element, nodes.Inline, nodes.table])
def test_nodes_are_found_in_the_order_of_docutils(wanted: type[nodes.Node]) -> None:
    page = tree()
    assert list(iter_nodes(page, wanted)) == list(nodes.Element.findall(page, wanted))
    assert list(iter_nodes(page, nodes.Text)), "the page has words"


def test_a_page_is_not_walked_for_what_it_lacks_and_else_docutils_searches() -> None:
    install_node_search()
    page = tree()
    page += nodes.image(uri="a.png")
    assert len(list(page.findall(nodes.image))) == 1 and not lacks(page, nodes.table)
    note_present_classes(page, {nodes.inline, nodes.figure})
    assert lacks(page, nodes.image) and list(page.findall(nodes.image)) == []
    assert list(page.findall(nodes.Text)) == list(nodes.Element.findall(page, nodes.Text))  # may be made later
    note_present_classes(page, {type("picture", (nodes.image,), {})})
    assert not lacks(page, nodes.image) and len(list(page.findall(nodes.image))) == 1
    assert [one.tagname for one in page.findall(nodes.Element, include_self=False, descend=False)] == []
    assert len(list(page.findall(lambda one: isinstance(one, nodes.emphasis)))) == 1


def linking_page() -> nodes.document:
    page = new_document("a page")
    wishes = [("clause", "A.c1"), ("clause", "B.c1"), ("deal", "top"), ("term", "none")]
    line = nodes.paragraph()
    for number, (kind, target) in enumerate(wishes):
        wish = addnodes.pending_xref("", nodes.inline("", target), refdomain=DOMAIN, reftype=kind, reftarget=target)
        wish["ids"], wish["classes"] = [f"w{number}"], ["cls"]
        line += [wish, nodes.Text(", ")]
    cast(nodes.Element, line[2])["reftip"] = "a tip"
    page += line
    return page


def test_links_are_those_that_the_domain_makes() -> None:
    places = {
        ("clause", "A.c1"): ("here", "a", "A"),
        ("clause", "B.c1"): ("b/b", "b", "B"),
        ("deal", "top"): ("d", "", ""),
    }
    builder = SimpleNamespace(get_relative_uri=lambda here, page: relative_uri(f"{here}.html", f"{page}.html"))
    domain: Any = SimpleNamespace(find_place=lambda kind, target: places.get((kind, target)))
    env: Any = SimpleNamespace(
        get_domain=lambda _: domain,
        _app=SimpleNamespace(builder=builder),
        current_document=SimpleNamespace(docname="here"),
    )
    quick, plain = linking_page(), linking_page()
    links = EditionLinks.__new__(EditionLinks)
    links.document, quick.settings.env = quick, env
    links.run()
    for wish in list(plain.findall(addnodes.pending_xref)):
        way = EditionDomain.resolve_xref(
            domain, env, "here", cast(Any, builder), wish["reftype"], wish["reftarget"], wish, cast(Any, wish[0])
        )
        if way is not None:
            wish.replace_self(way)
    assert quick.pformat() == plain.pformat() and quick.pformat().count("<reference") == 3
    assert not lacks(quick, addnodes.pending_xref), "one is left to Sphinx, which warns of it"
    assert all(one.parent is quick[0] for one in quick[0].children)


@pytest.mark.parametrize("attributes", [{}, {"CLASS": "b a b"}, {"href": 'x?a&"b', "class": "r"}, {"ids": ["more"]}])
@pytest.mark.parametrize("ids", [[], ["one"], ["one", "two"]])
@pytest.mark.parametrize("classes", [[], ["a"], ["a", "", "a", "c"], ["language-fr", "a"], ["colwidths-auto", "a"]])
@pytest.mark.parametrize("kind", [nodes.inline, nodes.table, nodes.bullet_list])
def test_a_start_tag_is_that_of_docutils(kind: Any, classes: Any, ids: Any, attributes: dict[str, Any]) -> None:
    def tag(translator: type[HTML5Translator], empty: bool) -> str:
        one = translator.__new__(translator)
        one.in_mailto = False
        copies = {name: list(said) if isinstance(said, list) else said for name, said in attributes.items()}
        return str(one.starttag(kind(classes=list(classes), ids=list(ids)), "SPAN", "\n", empty, **copies))

    for empty in (False, True):
        assert tag(EditionTranslator, empty) == tag(HTML5Translator, empty)


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
            page.walkabout(one)
            return "".join(one.body)

        assert written(EditionTranslator) == written(HTML5Translator)
        said = written(EditionTranslator)
        assert "a &amp; b" in said and 'lang="fr"' in said and 'class="kbd z"' in said and "mailto:" in said
