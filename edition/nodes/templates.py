"""Pages as templates: XML written by Jinja, read into docutils nodes.

A template names elements as HTML does: `<a kind="question" to="Q031">` is a cross-reference, `<p anchor="cell
Q031@PAM">` a target of one (`at` its address on the page, if not the id), and `{{ badge("new") }}` whatever a function
in Python makes. `<section page="words fr">` is a target that the page as a whole answers to, `<deferred key="x">` is
fetched when its fold is opened (its first paragraph stands there until then), and `<cite kind="clause"
target="PAM.c1"/>` offers a citation. `bare=""` leaves an element as it is written, without the classes of Sphinx. Words
are escaped, so that those of a period text are never read as markup. A line break between two words is a space, and
beside an element nothing. Macros that pages share lie in `edition/templates/parts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from docutils import nodes
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateError
from lxml import etree
from markupsafe import Markup

from edition.game import render_panels
from edition.nodes import builders
from edition.nodes import components as parts
from edition.nodes.deferred import deferred
from edition.palette import format_slot_classes
from edition.text import answers
from edition.text.typography import curl_quotes
from rulebook import phrases
from rulebook.strings import slugify_text

Renderer: TypeAlias = Callable[[Any], list[nodes.Node]]

_packages = set[str]()  #: those whose templates are in use
_NEW_LINE = "\ue00a"  #: stands for a line break within a value, so that only those of the template are dropped
#: What every template may call besides its own components.
_COMMON: Mapping[str, Any] = {
    "card": builders.card_sign,
    "code": builders.code,
    "prose": parts.render_prose,
    "translation": parts.render_translation,
    "named_source": parts.named_source,
    "source_chip": parts.source_chip,
    "source_shape": parts.source_shape,
    "agreement_strip": parts.agreement_strip,
    "answer": parts.render_answer_value,
    "plain_answer": parts.answer_with_status,
    "status_mark": parts.status_mark,
    "color_suits": parts.color_suits,
    "panels": render_panels,
    "count": phrases.format_count,
    "capitalise": phrases.capitalise,
    "lower_first": phrases.lower_first,
    "slot_classes": format_slot_classes,
    "slug": slugify_text,
    "curl": lambda text: curl_quotes(text)[0],
    "words": answers,
}


class TemplateFault(Exception):
    """A template cannot be rendered; the message says which, where and why."""


@cache
def _open_environment(package: str) -> Environment:
    """Return the templates of a package, in its folder `templates/pages`, and the macros that all may import."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, "templates/pages"), PackageLoader("edition", "templates")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_print_value,
    )


def compile_templates() -> None:
    """Compile the templates of all pages, lest each of several processes do so."""
    for package in _packages:
        environment = _open_environment(package)
        for name in environment.list_templates(filter_func=lambda name: name.endswith(".xml") and name[:6] != "pages/"):
            environment.get_template(name)


def _print_value(value: Any) -> Any:
    """Return what stands in the page for a value: of a list without content nothing."""
    return value.replace("\n", _NEW_LINE) if type(value) is str else "" if value == [] else value


def template_renderer(package: str, name: str, **names: Any) -> Renderer:
    """Return the function that renders a view by the template of a name.

    Further names are components, which make nodes or words within it, and values.
    """

    _packages.add(package)

    def render(view: Any) -> list[nodes.Node]:
        components: list[list[builders.Content]] = []

        def keep(component: Any) -> Any:
            def put(*given: Any, **named: Any) -> Any:
                content = component(*given, **named)
                if not _is_content(content):
                    return content
                components.append(builders.as_content_list(content))
                return Markup(f'<put at="{len(components) - 1}"/>')

            return put if callable(component) else component

        page = _render_page(package, name, view=view, **{key: keep(each) for key, each in {**_COMMON, **names}.items()})
        return [nodes.Text(piece) if isinstance(piece, str) else piece for piece in _NodeReader(components).read(page)]

    return render


def _is_content(value: object) -> bool:
    """Return whether a function of a template made content of a page, and no value to reckon with."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(piece, (str, nodes.Node)) for piece in value)
    return isinstance(value, (nodes.Node, Iterator))


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
        raise TemplateFault(f"{_find_place(fault, file)}: {fault}") from fault


def _find_place(fault: BaseException, file: str) -> str:
    """Return the template and the line at which an error arose."""
    line, trace = getattr(fault, "lineno", 0) or 0, fault.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.endswith(".xml"):
            file, line = "/".join(path.replace("\\", "/").split("/")[-4:]), trace.tb_lineno
        trace = trace.tb_next
    return f"{file}:{line}"


#: Element -> the builder of its node, where its content is simply what stands in it.
_BUILDERS: Mapping[str, Callable[..., nodes.Element]] = {
    "p": builders.para,
    "div": builders.block,
    "span": builders.span,
    "em": builders.emphasis,
    "strong": builders.strong,
    "blockquote": builders.block_quote,
    "code": builders.code,
}


_MARKS = frozenset({"id", "anchor", "at", "bare", "named", "page"})  #: attributes that are no builder's
_OWN_ID = ("section", "table")  #: elements whose builder gives them their id


class _NodeReader:
    """Reads elements into nodes; what a component returned stands in its place."""

    def __init__(self, components: list[list[builders.Content]]) -> None:
        self.components = components

    def read(self, element: etree._Element) -> list[builders.Content]:
        """Read all that stands in an element."""
        return list(self._read_pieces(element))

    def _read_pieces(self, element: etree._Element) -> Iterator[builders.Content]:
        if element.text:
            yield from _read_words(element.text)
        for child in element:
            if child.tag == "put":
                yield from self.components[int(child.get("at", "0"))]
            else:
                yield self._read_node(child)
            if child.tail:
                yield from _read_words(child.tail)

    def _read_node(self, element: etree._Element) -> nodes.Element:
        attributes, builder = _read_attributes(element), _BUILDERS.get(element.tag)
        if builder and _MARKS.isdisjoint(attributes):  # as most are
            return builder(*self.read(element), cls=attributes.pop("class", ""), **attributes)
        page_id, anchors, page, title = (attributes.pop(key, "") for key in ("id", "anchor", "page", "named"))
        cls, place = attributes.pop("class", ""), attributes.pop("at", page_id or None)
        if attributes.pop("bare", None) is not None:
            node = self._read_markup(element, cls, attributes)
        elif builder:
            node = builder(*self.read(element), cls=cls, **attributes)
        else:
            read = getattr(self, f"_read_{element.tag}", None) or self._read_markup
            node = read(element, cls, {**attributes, "id": page_id} if element.tag in _OWN_ID else attributes)
        for kind, _, target in (anchor.partition(" ") for anchor in anchors.split("; ") if anchor):
            builders.add_anchor(node, kind, target, title, place)
        if page:
            kind, _, target = page.partition(" ")
            builders.add_anchor(node, kind, target, title, at="")
        for each in page_id.split():
            if each not in node["ids"]:
                builders.add_page_id(node, each)
        return node

    def _read_markup(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.markup_of(element.tag, *self.read(element), cls=cls, **attributes)

    def _read_a(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        content = self.read(element)
        if "kind" in attributes:
            return builders.link(
                attributes["kind"], attributes["to"], *content, title=attributes.get("title", ""), cls=cls
            )
        if attributes["href"].startswith("#"):
            return builders.same_page_link(attributes.pop("href")[1:], *content, cls=cls, **attributes)
        if "download" in attributes:
            return builders.file_link(attributes["href"], *content, cls=cls)
        if attributes["href"].startswith("http"):
            return builders.external_link(attributes["href"], *content)
        node = nodes.reference("", "", refuri=attributes.pop("href"), internal=True)
        return builders.fill_node(builders.add_classes(node, cls, **attributes), content)

    def _read_h(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.heading(int(element.tag[1]), *self.read(element), cls=cls, **attributes)

    _read_h2 = _read_h3 = _read_h4 = _read_h

    def _read_section(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        title = element[0]
        element.remove(title)
        return builders.section(attributes["id"], self.read(title), *self.read(element), cls=cls)

    def _read_deferred(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.fill_node(deferred("", key=attributes["key"]), self.read(element))

    def _read_cite(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        return builders.cite_here(kind=attributes["kind"], target=attributes["target"])

    def _read_ul(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        node = builders.add_classes(builders.bullet_list((), cls=cls), **attributes)
        return builders.fill_node(node, map(self._read_item, element))

    def _read_item(self, element: etree._Element) -> nodes.list_item:
        """Read an item of a list; a bare one holds its words without a paragraph about them."""
        attributes, content = _read_attributes(element), self.read(element)
        blocks = content if attributes.pop("bare", None) is not None else builders.wrap_in_paragraphs(content)
        page_id = attributes.pop("id", "")
        node = builders.add_classes(nodes.list_item(), attributes.pop("class", ""), **attributes)
        return builders.fill_node(builders.add_page_id(node, page_id) if page_id else node, blocks)

    def _read_ol(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        items = (builders.fill_node(nodes.list_item(), self.read(item)) for item in element)
        node = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")
        node.attributes |= {key: int(value) for key, value in attributes.items()}
        return builders.add_classes(node, cls)

    def _read_dl(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        pairs = zip(element.iterfind("dt"), element.iterfind("dd"), strict=True)
        items = ((self.read(term), self.read(definition)) for term, definition in pairs)
        return builders.definition_list(items, cls=cls)

    def _read_table(self, element: etree._Element, cls: str, attributes: dict[str, str]) -> nodes.Element:
        """Read a table of rows; one that has a head of its own is left as it stands."""
        if element.find("thead") is not None:
            return self._read_markup(element, cls, {key: value for key, value in attributes.items() if key != "id"})
        caption, head, *rows = element
        cells = ([self.read(cell) for cell in row] for row in rows)
        node = builders.table(self.read(caption), [self.read(cell) for cell in head], cells, cls=cls)
        node["ids"] = [attributes["id"]] if attributes["id"] else node["ids"]
        return node


def _read_attributes(element: etree._Element) -> dict[str, str]:
    given = element.items()
    return {str(key).replace("-", "_"): str(value).replace(_NEW_LINE, "\n") for key, value in given} if given else {}


_OUTER_BREAK, _BREAK = re.compile(r"^\n\s*|\n\s*$"), re.compile(r" ?\n\s*")


def _read_words(words: str) -> Iterator[str]:
    """Yield words; of the line breaks of the template, those between words are spaces."""
    if "\n" in words:
        words = _BREAK.sub(" ", _OUTER_BREAK.sub("", words))
    if words:
        yield words.replace(_NEW_LINE, "\n")
