"""Each source as one TEI file: header, transcription, translation, and the coding beside them in `standOff`.

The transcription is taken over as it is kept; the translation stands after it as a second text, each sentence pointing
to the one that it translates. The questions become a taxonomy in the header, so that an answer can point to its
reading; all else points to the sentences, and nothing is put in among them. Of a source that is not printed here the
text is made of our statements. A text that has witnesses has them in the header and their variants beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from lxml import etree

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.export.file import ExportFile
from edition.export.tei_declarations import declare_coding
from edition.export.tei_elements import TeiElement, format_pointers, make_element, qualify_ids
from edition.export.tei_header import (
    add_question_taxonomy,
    build_statements_header,
    complete_header,
    merge_translation_header,
)
from edition.export.tei_standoff import build_standoff
from edition.export.tei_witnesses import declare_witnesses
from rulebook.model import Source
from rulebook.strings import single_spaced
from rulebook.tei import document

_TRANSCRIPTION_FILE, _TRANSLATION_FILE = "text.xml", "en.xml"
_PROLOG = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-model href="https://www.tei-c.org/Vault/P5/4.3.0/xml/tei/custom/schema/relaxng/tei_all.rng" \
type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>
"""


def export_tei(corpus: Corpus) -> Iterator[ExportFile]:
    """One TEI file per source.

    A library that has no folder has no transcriptions to copy; its printed sources are left out.
    """
    for siglum, source in corpus.library.sources.items():
        if not (bool(corpus.library.root) or not source.text):
            continue
        words = "our statements" if not source.text else "transcription"
        words += " and translation" if source.translation else ""
        witnesses = [collation.witness.siglum for collation in read_collations(corpus).get(siglum, ())]
        apparatus = f"; with apparatus (variants of {', '.join(witnesses)})" if witnesses else ""
        says = f"{siglum}: {words}, with clauses, rivals and notes beside{apparatus}"
        yield ExportFile(f"{siglum}.xml", serialize_tei(build_tei_document(corpus, source)), says, siglum)


def serialize_tei(root: TeiElement) -> bytes:
    """Serialize a TEI tree to bytes; an editor finds the schema named at the head."""
    return _PROLOG.encode() + etree.tostring(root, xml_declaration=False, encoding="UTF-8") + b"\n"


def build_tei_document(corpus: Corpus, source: Source) -> TeiElement:
    """TEI document of a source, with its translation and its coding after the text."""
    root, header = _read_document(corpus, source)
    translated = _add_translation(root, header, corpus, source) if source.translation else {}
    complete_header(header, corpus, source)
    add_question_taxonomy(header, corpus.library.questions.values())
    declare_coding(header, source)
    declare_witnesses(header, read_collations(corpus).get(source.siglum, ()))
    text = next(child for child in root if document.tag_of(child) == "text")
    text.set(document.XML_ID, _make_text_id(source.siglum))
    text.set("type", "transcription" if source.text else "statements")
    etree.indent(header, level=1)
    beside = build_standoff(corpus, source, translated)
    if len(beside):
        etree.indent(beside, level=1)
        _append(root, beside)
    qualify_ids(root, source.siglum)
    return root


def _read_document(corpus: Corpus, source: Source) -> tuple[TeiElement, TeiElement]:
    """Read a text, or make it of our statements: the document and its header."""
    root = (
        _read_part(corpus, source, _TRANSCRIPTION_FILE)
        if source.text
        else _build_statements_document(source, corpus.settings.publisher)
    )
    return root, next(child for child in root if document.tag_of(child) == "teiHeader")


def _make_text_id(siglum: str) -> str:
    return f"{siglum}-text"


def _append(root: TeiElement, child: TeiElement) -> None:
    root[-1].tail, child.tail = root.text, "\n"
    root.append(child)


# --- the texts ------------------------------------------------------------------------------------------


def _read_part(corpus: Corpus, source: Source, name: str) -> TeiElement:
    """Parse a file of a source. Raises ValueError with the problems if it does not parse."""
    path = Path(corpus.library.root) / source.siglum / name
    root, problems = document.parse_xml(path.read_text(encoding="utf-8"), path.name)
    if root is None:
        raise ValueError("; ".join(map(str, problems)))
    return root


def _add_translation(root: TeiElement, header: TeiElement, corpus: Corpus, source: Source) -> Mapping[str, str]:
    """Add the translation as a second text; return the id of each sentence's translation."""
    other = _read_part(corpus, source, _TRANSLATION_FILE)
    id, lang = (str(other.get(key)) for key in (document.XML_ID, document.XML_LANG))
    text = next(child for child in other if document.tag_of(child) == "text")
    original = format_pointers(_make_text_id(source.siglum))
    for key, value in (
        (document.XML_ID, id),
        (document.XML_LANG, lang),
        ("type", "translation"),
        ("corresp", original),
    ):
        text.set(key, value)
    translated = dict(_link_sentences(text, source.siglum, id))
    merge_translation_header(
        header, next(child for child in other if document.tag_of(child) == "teiHeader"), text, id, lang
    )
    _append(root, text)
    return translated


def _link_sentences(text: TeiElement, siglum: str, id: str) -> Iterator[tuple[str, str]]:
    """Let each sentence point into its own file and give it an id: sentence translated -> that id."""
    for sentence in text.iter("{*}s"):
        there = document.get_target_id(sentence)
        own = f"{id}{there.removeprefix(siglum)}"
        sentence.set(document.XML_ID, own)
        sentence.set("corresp", f"#{there}")
        yield there, own


def _build_statements_document(source: Source, publisher: str) -> TeiElement:
    text = make_element("text", [make_element("body", [*_build_sections(source)] or [make_element("p")])], lang="en")
    root = make_element("TEI", [build_statements_header(source, publisher), text], id=source.siglum, lang="en")
    etree.indent(root)
    return root


def _build_sections(source: Source) -> Iterator[TeiElement]:
    for title, group in groupby(source.statements, key=lambda statement: statement.section):
        rows = [
            make_element("p", [make_element("s", single_spaced(statement.text), id=statement.id)])
            for statement in group
        ]
        yield make_element("div", [make_element("head", title), *rows] if title else rows)
