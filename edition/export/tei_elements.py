"""Elements, ids and pointers of a TEI file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lxml import etree

from edition.export.file import make_file_id
from rulebook.strings import single_spaced
from rulebook.tei.document import TEI_PREFIX, XML_ID, XML_LANG, tag_of

#: The names of TEI need no prefix; the stubs of lxml do not know that a prefix can be none.
_TEI_NSMAP: Any = {None: TEI_PREFIX.strip("{}")}
_INVALID_XML_CHARS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The attributes that point to elements.
POINTER_ATTRIBUTES = frozenset({"target", "from", "to", "ana", "inst", "resp", "corresp", "who", "decls", "wit"})
_LONG_NAMES = {"id": XML_ID, "lang": XML_LANG}

TeiElement = etree._Element


def make_element(tag: str, content: str | Iterable[TeiElement] = "", **borne: str) -> TeiElement:
    """Element with text or children; `id` and `lang` become the attributes of XML, empty values are left out."""
    element = etree.Element(f"{TEI_PREFIX}{tag}", nsmap=_TEI_NSMAP)
    for key, value in borne.items():
        if value:
            element.set(_LONG_NAMES.get(key, key.rstrip("_")), _replace_invalid_chars(value))
    if isinstance(content, str):
        element.text = _replace_invalid_chars(content) or None
    else:
        element.extend(content)
    return element


def make_paragraph(words: str) -> TeiElement:
    """Paragraph of words whose white space means nothing."""
    return make_element("p", single_spaced(words))


def _replace_invalid_chars(words: str) -> str:
    return _INVALID_XML_CHARS.sub("\ufffd", words)


def find_child(parent: TeiElement, tag: str) -> TeiElement | None:
    """First child of a name, or None."""
    return next((child for child in parent if tag_of(child) == tag), None)


def to_xml_id(id: str) -> str:
    """Convert an id of the edition to an XML id, which begins with a letter and holds no space."""
    xml_id = make_file_id(id)
    return xml_id if not xml_id or xml_id[0].isalpha() else f"_{xml_id}"


def qualify_id(siglum: str, id: str) -> str:
    """Put the siglum before an XML id, unless it begins with it: what all files declare then differs in each."""
    return id if re.match(rf"{re.escape(siglum)}(?![^.-])", id) else f"{siglum}.{id}"


def qualify_ids(root: TeiElement, siglum: str) -> None:
    """Qualify every id of a file with its siglum, and the pointers to them, so that files can be put together."""
    declared = {str(element.get(XML_ID)) for element in root.iter() if element.get(XML_ID)}
    named = {id: qualify_id(siglum, id) for id in declared}
    pointers = {f"#{id}": f"#{name}" for id, name in named.items() if id != name}
    for element in root.iter(f"{TEI_PREFIX}*"):
        for key, value in element.attrib.items():
            if key == XML_ID:
                element.set(key, named[str(value)])
            elif key in POINTER_ATTRIBUTES:
                element.set(key, " ".join(pointers.get(word, word) for word in str(value).split()))


def format_pointers(*ids: str) -> str:
    """Pointers to elements of the same file, separated by spaces."""
    return " ".join(f"#{id}" for id in ids if id)
