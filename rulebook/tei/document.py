"""TEI files as parsed elements: opened without trusting them, and small questions to an element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from rulebook.io.strict_yaml import Stop, read_letters
from rulebook.problems import Problem
from rulebook.strings import locate_letter

LARGEST_FILE = 4_000_000  # bytes; the longest of our texts has not a tenth of it
DEEPEST_NESTING = 40  # elements within elements; our texts need about a dozen

TEI_PREFIX = "{http://www.tei-c.org/ns/1.0}"
XML_PREFIX = "{http://www.w3.org/XML/1998/namespace}"
XML_ID, XML_LANG = f"{XML_PREFIX}id", f"{XML_PREFIX}lang"


@dataclass(frozen=True, slots=True)
class Document:
    """A file that has been parsed, and its name for complaints."""

    file: str
    letters: str = field(repr=False)
    root: etree._Element

    def problem(self, element: etree._Element, what: str, way_out: str) -> Problem:
        """A complaint about one element; the parser keeps lines but no columns."""
        return Problem(self.file, line_of_element(element), 1, what, way_out)

    def all(self, *names: str) -> Iterator[etree._Element]:
        """Every element of these names, in the order of the text."""
        return self.root.iter(*(f"{TEI_PREFIX}{name}" for name in names))


# --- small questions to an element --------------------------------------------------------------


def tag_of(element: etree._Element) -> str:
    """Return `p` for a TEI paragraph; a foreign element keeps its full name."""
    return str(element.tag).removeprefix(TEI_PREFIX)


def line_of_element(element: etree._Element) -> int:
    """Return the line on which an element begins."""
    return element.sourceline if isinstance(element.sourceline, int) else 1


def get_attribute(element: etree._Element, attribute: str) -> str:
    """Return an attribute, or an empty text."""
    return str(element.get(attribute) or "")


def long_name(attribute: str) -> str:
    """Return the long name of `xml:id` and its like."""
    return attribute.replace("xml:", XML_PREFIX)


def short_name(attribute: str) -> str:
    """Return the short name of an attribute, as it is written in the file."""
    return attribute.replace(XML_PREFIX, "xml:")


def language_of(element: etree._Element) -> str:
    """The language in which an element stands: its own, or that of what holds it."""
    own = get_attribute(element, XML_LANG)
    parent = element.getparent()
    return own if own or parent is None else language_of(parent)


def stands_within(element: etree._Element, *names: str) -> bool:
    """Return whether the element stands within one of these."""
    return any(tag_of(above) in names for above in element.iterancestors())


def words_within(element: etree._Element) -> str:
    """Return all words of an element of the header."""
    return " ".join("".join(str(run) for run in element.itertext()).split())


# --- opening a file that may be hostile ---------------------------------------------------------


def open_document(path: Path) -> tuple[Document | None, list[Problem]]:
    """Parse a file without trusting it."""
    file = path.as_posix()
    letters, problems = read_xml_letters(path, file)
    if problems:
        return None, problems
    root, problems = parse_xml(letters, file)
    return (None if root is None else Document(file, letters, root)), problems


def read_xml_letters(path: Path, file: str) -> tuple[str, list[Problem]]:
    """Read the letters of a file, if it is a plain one, of sane size, in UTF-8 and without a DTD."""
    try:
        letters = read_letters(path, file, LARGEST_FILE, "split it: no text of ours needs that", "put the file there")
    except Stop as stop:
        return "", [stop.problem]
    return letters, list(a_file_declares_no_entities(file, letters))


def a_file_declares_no_entities(file: str, letters: str) -> Iterator[Problem]:
    """A document type could fetch files or swell without end; our texts need none."""
    match = re.search(r"<!(DOCTYPE|ENTITY)", letters)
    if match:
        line, column = locate_letter(letters, match.start())
        yield Problem(file, line, column, f"has a <!{match[1]}", "take it out: our texts need no DTD")


def parse_xml(letters: str, file: str) -> tuple[etree._Element | None, list[Problem]]:
    """Parse the tree of elements, or say why there is none."""
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        collect_ids=False,  # a repeated id is told by a check, not by the parser
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(letters.encode("utf-8"), parser)
    except etree.XMLSyntaxError as fault:
        line, column = fault.position
        return None, [Problem(file, max(line, 1), max(column, 1), *explain_malformed(fault.msg or ""))]
    if deeper_than(DEEPEST_NESTING, root):
        what = f"nests deeper than {DEEPEST_NESTING} elements"
        return None, [Problem(file, 1, 1, what, "bring it nearer to the surface")]
    return root, []


#: What the parser complains of -> what is wrong, and the way out; the names of elements and lines are taken over.
MALFORMED: tuple[tuple[str, str, str], ...] = (
    (r"xmlParseEntityRef|EntityRef: expecting", "a bare &", "write &amp; for it"),
    (
        r"tag mismatch: (\S+) line (\d+) and (\S+)",
        r"<\1>, which began in line \2, is not closed before </\3>",
        r"write </\1> where it ends",
    ),
    (r"StartTag: invalid element name", "a bare <, or an element without a name", "write &lt; for a <"),
    (r"Entity '(\w+)' not defined", r"&\1; is not known", "write the letter itself"),
    (r"AttValue: .* expected", "an attribute without quotation marks", 'write them: n="5"'),
)


def explain_malformed(message: str) -> tuple[str, str]:
    """Say what is wrong with a file that is no XML, and the way out."""
    message = re.sub(r", line \d+, column \d+", "", message)
    for pattern, what, way_out in MALFORMED:
        if match := re.search(pattern, message):
            return f"is not well-formed XML: {match.expand(what)}", match.expand(way_out)
    return f"is not well-formed XML: {message}", "close what is open, and write &amp; for &"


def deeper_than(limit: int, root: etree._Element) -> bool:
    """Return whether elements stand in elements beyond a limit."""
    level = [root]
    for _ in range(limit):
        level = [child for element in level for child in element]
    return bool(level)


def get_target_id(element: etree._Element) -> str:
    """Return the sentence to which a translated sentence points."""
    return get_attribute(element, "corresp").removeprefix("text.xml#")


def is_tei(document: Document) -> bool:
    """Return whether the file begins as a TEI file must."""
    return document.root.tag == f"{TEI_PREFIX}TEI"
