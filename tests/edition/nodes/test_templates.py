"""Pages as templates: what is a link, what is escaped, what a template that fails says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from sphinx import addnodes

from edition.nodes import templates
from edition.nodes.builders import TARGET, markup, span
from edition.nodes.deferred import deferred
from edition.nodes.templates import TemplateFault, template_renderer


@pytest.fixture
def rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[nodes.Node]]]:
    """Render a template that is given as words."""
    folder = tmp_path / "laid" / "templates" / "pages"
    folder.mkdir(parents=True)
    (tmp_path / "laid" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "laid", raising=False)

    def render(words: str, view: Any = None, **components: Callable[..., Any]) -> list[nodes.Node]:
        templates._open_environment.cache_clear()
        (folder / "page.xml").write_text(words, encoding="utf-8")
        return template_renderer("laid", "page", **components)(view)

    yield render
    templates._open_environment.cache_clear()


def test_period_text_is_never_read_as_markup(rendered: Callable[..., list[nodes.Node]]) -> None:
    """Letters of a text stay those letters, a line break among them too."""
    (paragraph,) = rendered("<p>{{ view }}</p>", "<b>&amp; {{ x }}\n  ſi")
    assert paragraph.astext() == "<b>&amp; {{ x }}\n  ſi"


def test_a_link_and_a_target_are_those_of_the_builders(rendered: Callable[..., list[nodes.Node]]) -> None:
    """A cross-reference waits to be resolved; what can be linked to bears its kind and name."""
    (paragraph,) = rendered('<p anchor="cell Q031@PAM" named="here"><a kind="question" to="Q031">asks</a></p>')
    (link,) = paragraph.findall(addnodes.pending_xref)
    assert (link["reftype"], link["reftarget"], link.astext()) == ("question", "Q031", "asks")
    assert paragraph[TARGET] == [("cell", "Q031@PAM", "here", "Q031@PAM")]


def test_what_pages_need_besides(rendered: Callable[..., list[nodes.Node]]) -> None:
    """Addresses of targets and tables, marks of list items, lists that go on, content that is fetched, links."""
    table, ul, ol, deferred, away, here = rendered(
        '<table id="t" anchor="costs ACA" at="a"><caption>c</caption><tr><th>h</th></tr></table>'
        '<ul><li class="x" data-topics="y">i</li></ul><ol start="3"><li><p>j</p></li></ol>'
        '<deferred key="k"><p>instead</p></deferred><a href="https://x.org">x</a><a href="y.html" class="b">y</a>'
    )
    assert table["ids"] == ["t", "a"] and table[TARGET] == [("costs", "ACA", "ACA", "a")]
    assert (ul[0]["classes"], ul[0]["html"]) == (["x"], {"data-topics": "y"})
    assert (ol["start"], ol[0].astext(), deferred["key"], deferred.astext()) == (3, "j", "k", "instead")
    assert (away["internal"], here["internal"], here["classes"]) == (False, True, ["b"])


def test_a_line_break_is_a_space_between_words_and_nothing_beside_an_element(
    rendered: Callable[..., list[nodes.Node]],
) -> None:
    """So prose can be broken anywhere, and no element gains a space by its indentation."""
    (paragraph,) = rendered("<p>\n  one\n  two\n  <em>three</em>{{ ' ' }}\n  four\n</p>")
    assert paragraph.astext() == "one twothree four"


def test_a_component_stands_where_it_was_called(rendered: Callable[..., list[nodes.Node]]) -> None:
    """Whatever a function makes stands among the words, as often as it is called."""
    (paragraph,) = rendered("<p>{% for x in view %}{{ mark(x) }}, {% endfor %}end</p>", "ab", mark=lambda x: span(x))
    assert paragraph.astext() == "a, b, end"
    assert [node.astext() for node in paragraph.findall(nodes.inline)] == ["a", "b"]


def test_a_function_that_returns_a_value_is_reckoned_with(rendered: Callable[..., list[nodes.Node]]) -> None:
    """Words, numbers and lists of records are no content of the page yet."""
    words = "<p>{% for at, word in pairs(view) if size(word) > 1 %}{{ at }}{{ word }}{% endfor %}</p>"
    (paragraph,) = rendered(words, ["a", "bc"], pairs=lambda view: [*enumerate(view)], size=len)
    assert paragraph.astext() == "1bc"


def test_a_page_as_a_whole_a_fold_and_a_bare_element(rendered: Callable[..., list[nodes.Node]]) -> None:
    """What HTML has no name for, or Sphinx another."""
    words = '<section id="x" page="words fr"><title>t</title><deferred key="k"><p>until</p>later</deferred></section>'
    section, raw, link = rendered(f'{words}<a bare="" href="y.html">y</a><a href="y.html">y</a>')
    assert section[TARGET] == [("words", "fr", "fr", "")] and section["ids"] == ["x"]
    (fold,) = section.findall(deferred)
    assert fold["key"] == "k" and fold.children[0].astext() == "until"
    assert isinstance(raw, markup) and isinstance(link, nodes.reference)


def test_pages_share_the_macros_of_the_edition(rendered: Callable[..., list[nodes.Node]]) -> None:
    """Those of `edition/templates/parts`, from the templates of any package."""
    words = '{% from "parts/clause.xml" import badge with context %}<p>{{ badge(view, "rv-new") }}</p>'
    (paragraph,) = rendered(words, "new")
    assert [node["classes"] for node in paragraph.findall(nodes.inline)] == [["rv-badge", "rv-new"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("<p>\n{{ view.nothing }}</p>", r"laid/templates/pages/page\.xml:2: .*nothing"),
        ("<p>\n{% if %}</p>", r"laid/templates/pages/page\.xml:2: "),
        ("<p>\n<em>here</p>", r"laid/templates/pages/page\.xml: .*, in '<em>here</p>'"),
    ],
)
def test_a_template_that_fails_says_where(rendered: Callable[..., list[nodes.Node]], words: str, said: str) -> None:
    """Its file and line, or where XML is at fault the line that was written."""
    with pytest.raises(TemplateFault, match=said):
        rendered(words)
