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
_LONG_NAMES = {"id": XML_ID, "lang": XML_LANG}

TeiElement = etree._Element


def make_element(tag: str, said: str | Iterable[TeiElement] = "", **borne: str) -> TeiElement:
    """Element with text or children; `id` and `lang` become the attributes of XML, empty values are left out."""
    found = etree.Element(f"{TEI_PREFIX}{tag}", nsmap=_TEI_NSMAP)
    for key, value in borne.items():
        if value:
            found.set(_LONG_NAMES.get(key, key.rstrip("_")), _replace_invalid_chars(value))
    if isinstance(said, str):
        found.text = _replace_invalid_chars(said) or None
    else:
        found.extend(said)
    return found


def make_paragraph(words: str) -> TeiElement:
    """Paragraph of words whose white space means nothing."""
    return make_element("p", single_spaced(words))


def _replace_invalid_chars(words: str) -> str:
    return _INVALID_XML_CHARS.sub("\ufffd", words)


def find_child(parent: TeiElement, tag: str) -> TeiElement | None:
    """First child of a name, or None."""
    return next((one for one in parent if tag_of(one) == tag), None)


def to_xml_id(id: str) -> str:
    """Convert an id of the edition to an XML id, which begins with a letter and holds no space."""
    made = make_file_id(id)
    return made if not made or made[0].isalpha() else f"_{made}"


def format_pointers(*ids: str) -> str:
    """Pointers to elements of the same file, separated by spaces."""
    return " ".join(f"#{id}" for id in ids if id)
