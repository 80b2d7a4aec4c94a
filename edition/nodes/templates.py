"""Pages as templates: XML written by Jinja, read into docutils nodes.

A template names elements as HTML does: `<a kind="question" to="Q031">` is a cross-reference, `<p anchor="cell
Q031@PAM">` a target of one, and `{{ badge("new") }}` whatever a function in Python makes. Words are escaped, so that
those of a period text are never read as markup. A line break between two words is a space, and beside an element
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from docutils import nodes
from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError
from lxml import etree
from markupsafe import Markup

from edition.nodes import builders
from edition.nodes.builders import Content, as_content_list
from rulebook.phrases import format_count

Renderer: TypeAlias = Callable[[Any], list[nodes.Node]]
Components: TypeAlias = Mapping[str, Callable[..., Any]]

_NEW_LINE = "\ue00a"  #: stands for a line break within a value, so that only those of the template are dropped
#: What every template may call besides its own components.
_COMMON: Components = {"card": builders.card_sign, "code": builders.code}


class TemplateFault(Exception):
    """A template cannot be rendered; the message says which, where and why."""


@cache
def _open_environment(package: str) -> Environment:
    """Return the templates of a package, in its folder `templates/pages`."""
    return Environment(
        loader=PackageLoader(package, "templates/pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value.replace("\n", _NEW_LINE) if type(value) is str else value,
    )


def template_renderer(package: str, name: str, **components: Callable[..., Any]) -> Renderer:
    """Return the function that renders a view by the template of a name; components make nodes within it."""

    def render(view: Any) -> list[nodes.Node]:
        made: list[list[Content]] = []

        def keep(component: Callable[..., Any]) -> Callable[..., Markup]:
            def put(*given: Any, **named: Any) -> Markup:
                made.append(as_content_list(component(*given, **named)))
                return Markup(f'<put at="{len(made) - 1}"/>')

            return put

        callables = {key: keep(component) for key, component in {**_COMMON, **components}.items()}
        page = _render_page(package, name, view=view, count=format_count, **callables)
        return [nodes.Text(piece) if isinstance(piece, str) else piece for piece in _NodeReader(made).read(page)]

    return render


def _render_page(package: str, name: str, **names: Any) -> etree._Element:
    """Render a template and parse what it says. Raises TemplateFault with file and line."""
    file, words = f"{package}/templates/pages/{name}.xml", ""
    try:
        words = _open_environment(package).get_template(f"{name}.xml").render(names)
        return etree.fromstring(f"<page>{words}</page>")
    except etree.XMLSyntaxError as fault:
        line = words.splitlines()[max((fault.lineno or 1) - 1, 0)] if words else ""
        raise TemplateFault(f"{file}: {fault.msg}, in {line.strip()!r}") from fault
    except (TemplateError, AttributeError, KeyError, TypeError, ValueError) as fault:
        raise TemplateFault(f"{file}:{_find_line(fault, name)}: {fault}") from fault


def _find_line(fault: BaseException, name: str) -> int:
    """Return the line of a template at which an error arose."""
    found, trace = getattr(fault, "lineno", 0) or 0, fault.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(f"{name}.xml"):
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


#: Element -> the builder of its node, where its content is simply what stands in it.
_BUILDERS: Mapping[str, Callable[..., nodes.Element]] = {
    "p": builders.para,
    "div": builders.block,
    "span": builders.span,
    "em": builders.emphasis,
    "strong": builders.strong,
    "blockquote": builders.block_quote,
}


class _NodeReader:
    """Reads elements into nodes; what a component made stands in its place."""

    def __init__(self, made: list[list[Content]]) -> None:
        self.made = made

    def read(self, element: etree._Element) -> list[Content]:
        """Read all that stands in an element."""
        return list(self._read_pieces(element))

    def _read_pieces(self, element: etree._Element) -> Iterator[Content]:
        yield from _read_words(element.text)
        for child in element:
            if child.tag == "put":
                yield from self.made[int(child.get("at", "0"))]
            else:
                yield self._read_node(child)
            yield from _read_words(child.tail)

    def _read_node(self, element: etree._Element) -> nodes.Element:
        attributes = {str(key).replace("-", "_"): str(value) for key, value in element.attrib.items()}
        page_id, anchors, title = (attributes.pop(key, "") for key in ("id", "anchor", "named"))
        cls = attributes.pop("class", "")
        if element.tag in _BUILDERS:
            node = _BUILDERS[element.tag](*self.read(element), cls=cls, **attributes)
        else:
            special = getattr(self, f"_read_{element.tag}", None)
            read = special or self._read_markup
            node = read(element, cls, {**attributes, "id": page_id} if element.tag == "section" else attributes)
        for anchor in filter(None, anchors.split("; ")):
            kind, _, target = anchor.partition(" ")
            builders.add_anchor(node, kind, target, title, page_id or None)
        if page_id and page_id not in node["ids"]:
            builders.add_page_id(node, page_id)
        return node

    def _read_markup(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.markup_of(element.tag, *self.read(element), cls=cls, **attributes)

    def _read_a(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        content = self.read(element)
        if "kind" in attributes:
            return builders.link(
                attributes["kind"], attributes["to"], *content, title=attributes.get("title", ""), cls=cls
            )
        address = attributes.pop("href")
        if address.startswith("#"):
            return builders.same_page_link(address[1:], *content, cls=cls, **attributes)
        if "download" in attributes:
            return builders.file_link(address, *content, cls=cls)
        return builders.external_link(address, *content)

    def _read_h(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.heading(int(element.tag[1]), *self.read(element), cls=cls, **attributes)

    _read_h2 = _read_h3 = _read_h4 = _read_h

    def _read_section(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        title = element[0]
        element.remove(title)
        return builders.section(attributes["id"], self.read(title), *self.read(element), cls=cls)

    def _read_details(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        summary = element[0]
        element.remove(summary)
        return builders.details(self.read(summary), *self.read(element), cls=cls)

    def _read_ul(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.bullet_list((self.read(item) for item in element), cls=cls)

    def _read_dl(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        pairs = zip(element.iterfind("dt"), element.iterfind("dd"), strict=True)
        return builders.definition_list(((self.read(term), self.read(said)) for term, said in pairs), cls=cls)

    def _read_table(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        caption, head, *rows = element
        cells = ([self.read(cell) for cell in row] for row in rows)
        return builders.table(self.read(caption), [self.read(cell) for cell in head], cells, cls=cls)


def _read_words(words: str | None) -> Iterator[str]:
    """Yield words; of the line breaks of the template, those between words are spaces."""
    outer = re.sub(r"^\n\s*|\n\s*$", "", words or "")
    if kept := re.sub(r" ?\n\s*", " ", outer):
        yield kept.replace(_NEW_LINE, "\n")
