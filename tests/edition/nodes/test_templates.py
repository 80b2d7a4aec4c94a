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
from edition.nodes.builders import TARGET, span
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
