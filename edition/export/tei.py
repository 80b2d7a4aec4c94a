"""Each source as TEI with its coding beside the text: quotations, clauses, rivals and notes stand in `standOff`.

The transcription is taken over as it is kept. The questions become a taxonomy in the header, so that an answer can
point to its reading; all else points to the sentences, and nothing is put in among them. Of a source that is not
printed here the text is made of our statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from lxml import etree

from edition.citation.model import full_title
from edition.corpus.corpus import Corpus
from edition.data.citation_cff import LICENCE_URLS
from edition.data.rights import get_layer_rights
from edition.export.file import ExportFile, get_quotable_words, make_file_id
from rulebook.answers.values import format_canonical
from rulebook.model import Alternative, Clause, Note, Question, Source, Value
from rulebook.strings import single_spaced
from rulebook.tei.document import TEI_PREFIX, XML_ID, XML_LANG, parse_xml, tag_of

#: The names of TEI need no prefix; the stubs of lxml do not know that a prefix can be none.
_TEI_NSMAP: Any = {None: TEI_PREFIX.strip("{}")}
LICENCE = LICENCE_URLS["CC-BY-4.0"]

_INVALID_XML_CHARS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_TeiElement = etree._Element


def export_tei(corpus: Corpus) -> Iterator[ExportFile]:
    """One TEI file per source.

    A library that has no folder has no transcriptions to copy; its printed sources are left out.
    """
    for siglum, source in corpus.library.sources.items():
        if source.text and not corpus.library.root:
            continue
        says = (
            f"{siglum}: {'transcription' if source.text else 'our statements'}, with clauses, rivals and notes beside"
        )
        yield ExportFile(f"{siglum}.xml", serialize_tei(build_tei_document(corpus, source)), says, siglum)


def serialize_tei(root: _TeiElement) -> bytes:
    """Serialize a TEI tree to bytes."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def build_tei_document(corpus: Corpus, source: Source) -> _TeiElement:
    """TEI document of a source, with its coding in `standOff`."""
    root = _read_transcription(corpus, source) if source.text else _build_statements_document(source)
    header = next(one for one in root if tag_of(one) == "teiHeader")
    _add_responsibilities(header, source)
    _add_question_taxonomy(header, corpus.library.questions.values())
    beside = _build_standoff(corpus, source)
    if len(beside):
        etree.indent(beside, level=1)
        beside.tail = header.tail
        header.addnext(beside)
    return root


# --- making elements ------------------------------------------------------------------------------------


def _make_element(tag: str, said: str | Iterable[_TeiElement] = "", **borne: str) -> _TeiElement:
    """Element with text or children; `id` and `lang` become the attributes of XML, empty values are left out."""
    long = {"id": XML_ID, "lang": XML_LANG}
    found = etree.Element(f"{TEI_PREFIX}{tag}", nsmap=_TEI_NSMAP)
    for key, value in borne.items():
        if value:
            found.set(long.get(key, key.rstrip("_")), _replace_invalid_chars(value))
    if isinstance(said, str):
        found.text = _replace_invalid_chars(said) or None
    else:
        found.extend(said)
    return found


def _replace_invalid_chars(words: str) -> str:
    return _INVALID_XML_CHARS.sub("\ufffd", words)


def to_xml_id(id: str) -> str:
    """Convert an id of the edition to an XML id, which begins with a letter and holds no space."""
    made = make_file_id(id)
    return made if not made or made[0].isalpha() else f"_{made}"


def _append_indented(parent: _TeiElement, child: _TeiElement) -> None:
    last = parent[-1]
    child.tail, last.tail = last.tail, parent.text
    parent.append(child)


def _format_pointers(*ids: str) -> str:
    return " ".join(f"#{id}" for id in ids if id)


# --- the text -------------------------------------------------------------------------------------------


def _read_transcription(corpus: Corpus, source: Source) -> _TeiElement:
    """Parse the transcription of a source. Raises ValueError with the problems if it does not parse."""
    path = Path(corpus.library.root) / source.siglum / "text.xml"
    root, problems = parse_xml(path.read_text(encoding="utf-8"), path.name)
    if root is None:
        raise ValueError("; ".join(map(str, problems)))
    return root


def _build_statements_document(source: Source) -> _TeiElement:
    text = _make_element("text", [_make_element("body", [*_build_sections(source)] or [_make_element("p")])], lang="en")
    root = _make_element("TEI", [_build_tei_header(source), text], id=source.siglum, lang="en")
    etree.indent(root)
    return root


def _build_tei_header(source: Source) -> _TeiElement:
    about = _make_element(
        "titleStmt",
        [
            _make_element("title", full_title(source), lang=source.language),
            _make_element("title", "our statements of its rules", type="sub"),
        ],
    )
    terms = [
        f"The source: {get_layer_rights(source, 'text')}.",
        f"What stands here: {get_layer_rights(source, 'encoding')}.",
    ]
    licences = [_make_element("licence", terms[0]), _make_element("licence", terms[1], target=LICENCE)]
    published = [_make_element("publisher", "the Reversis edition"), _make_element("availability", licences)]
    origin = single_spaced(str(source.record.get("exemplar") or "")) or "No copy is named."
    how = _make_element(
        "p",
        "The words of the source are not printed here; each s is a statement of one of its rules, in our own words.",
    )
    file = _make_element(
        "fileDesc",
        [about, _make_element("publicationStmt", published), _make_element("sourceDesc", [_make_element("p", origin)])],
    )
    return _make_element(
        "teiHeader", [file, _make_element("encodingDesc", [_make_element("projectDesc", [how])])], lang="en"
    )


def _build_sections(source: Source) -> Iterator[_TeiElement]:
    for title, group in groupby(source.statements, key=lambda one: one.section):
        rows = [_make_element("p", [_make_element("s", single_spaced(one.text), id=one.id)]) for one in group]
        yield _make_element("div", [_make_element("head", title), *rows] if title else rows)


# --- the header -----------------------------------------------------------------------------------------


def _add_responsibilities(header: _TeiElement, source: Source) -> None:
    """Add a `respStmt` for every coder, reviewer and author of a note whom the header does not yet name."""
    there = {one.get(XML_ID) for one in header.iter(f"{TEI_PREFIX}respStmt")}
    roles = _read_coder_roles(source)
    titles = next(header.iter(f"{TEI_PREFIX}titleStmt"))
    names = {name for one in source.clauses for name in (one.coder, one.reviewer)} | {note.by for note in source.notes}
    for id in sorted(one for one in names - {""} if to_xml_id(one) not in there):
        role, called = roles.get(id, ("coding", id))
        signed = _make_element(
            "respStmt", [_make_element("resp", role), _make_element("name", called)], id=to_xml_id(id)
        )
        etree.indent(signed, level=4)
        _append_indented(titles, signed)


def _read_coder_roles(source: Source) -> Mapping[str, tuple[str, str]]:
    """Coders of a source's record: id -> (role, name)."""
    coders = source.record.get("coders")
    rows = [one for one in coders if isinstance(one, Mapping)] if isinstance(coders, list | tuple) else []
    return {str(one["id"]): _split_role_and_name(str(one["role"]), str(one["id"])) for one in rows}


def _split_role_and_name(role: str, id: str) -> tuple[str, str]:
    """Split a coder's entry, which has the name before a colon; without one the id is the name."""
    called, colon, what = single_spaced(role).partition(": ")
    return (what, called) if colon else (called, id)


def _add_question_taxonomy(header: _TeiElement, questions: Iterable[Question]) -> None:
    rows = [_build_question_category(asked) for asked in questions]
    if not rows:
        return
    says = _make_element(
        "desc", "The questions on which the sources are compared, and the readings of those that have a closed list."
    )
    declared = _make_element("classDecl", [_make_element("taxonomy", [says, *rows], id="questions")], lang="en")
    etree.indent(declared, level=3)
    _append_indented(next(header.iter(f"{TEI_PREFIX}encodingDesc")), declared)


def _build_question_category(asked: Question) -> _TeiElement:
    readings = [
        _make_element(
            "category",
            [_make_element("catDesc", single_spaced(gloss) or slug)],
            id=f"{asked.id}.{make_file_id(slug)}",
            n=slug,
        )
        for slug, gloss in asked.readings.items()
    ]
    return _make_element("category", [_make_element("catDesc", asked.asks), *readings], id=asked.id, n=asked.slug)


# --- what stands beside the text --------------------------------------------------------------------------


def _build_standoff(corpus: Corpus, source: Source) -> _TeiElement:
    spans = [one for clause in source.clauses for one in _build_quotation_spans(source, clause)]
    groups = [
        group
        for clause in source.clauses
        for group in (
            _build_clause_group(corpus, clause),
            *(_build_alternative_group(corpus, clause, one) for one in clause.alternatives),
        )
    ]
    notes = [*map(_build_note, source.notes)]
    parts = [
        *([_make_element("spanGrp", spans, type="quotations")] if spans else []),
        *(one for one in groups if len(one.findall(f"{TEI_PREFIX}interp"))),
        *([_make_element("listAnnotation", notes, type="notes")] if notes else []),
    ]
    return _make_element("standOff", parts, lang="en")


def _build_quotation_spans(source: Source, clause: Clause) -> Iterator[_TeiElement]:
    for at, cite in enumerate(clause.cites, 1):
        words = get_quotable_words(source, cite)
        yield _make_element(
            "span",
            words,
            id=f"{clause.id}.{at}",
            lang=source.language if words else "",
            type=cite.role,
            subtype=cite.view if words else "",
            from_=_format_pointers(cite.locus),
            to=_format_pointers(cite.to),
            ana=_format_pointers(clause.id),
        )


def _build_clause_group(corpus: Corpus, clause: Clause) -> _TeiElement:
    spans = _format_pointers(*(f"{clause.id}.{at}" for at, _ in enumerate(clause.cites, 1)))
    rows = [
        *_build_remarks(label=clause.label, because=clause.because, searched=clause.searched, note=clause.note),
        *(
            [_make_element("desc", "read again", type="review", resp=_format_pointers(to_xml_id(clause.reviewer)))]
            if clause.reviewer
            else []
        ),
        *(_build_answer_interp(corpus, clause, clause.id, slug, clause.answers.get(slug)) for slug in clause.questions),
    ]
    return _make_element(
        "interpGrp",
        rows,
        id=clause.id,
        type="clause",
        resp=_format_pointers(to_xml_id(clause.coder)),
        cert=clause.cert,
        inst=spans,
    )


def _build_answer_interp(corpus: Corpus, clause: Clause, id: str, slug: str, value: Value | None) -> _TeiElement:
    """`interp` of one answer, pointing to its question, and to its reading if the question has a closed list."""
    asked = corpus.library.questions[slug]
    reading = f"{asked.id}.{make_file_id(value)}" if isinstance(value, str) and value in asked.readings else ""
    supplied = "supplied" if clause.supplied and value is not None else ""
    what = "" if value is None else format_canonical(value)
    return _make_element(
        "interp",
        what,
        id=f"{id}.{asked.id}",
        type=clause.status,
        subtype=supplied,
        ana=_format_pointers(asked.id, reading),
    )


def _build_alternative_group(corpus: Corpus, clause: Clause, one: Alternative) -> _TeiElement:
    rows = [
        *_build_remarks(label=one.label, because=one.because),
        *(_build_answer_interp(corpus, clause, one.id, slug, value) for slug, value in one.answers.items()),
    ]
    return _make_element(
        "interpGrp", rows, id=one.id, type=one.kind, cert=one.cert, corresp=_format_pointers(clause.id)
    )


def _build_remarks(**told: str) -> Iterator[_TeiElement]:
    return (_make_element("desc", single_spaced(words), type=kind) for kind, words in told.items() if words)


def _build_note(note: Note) -> _TeiElement:
    return _make_element(
        "note",
        single_spaced(note.text),
        id=note.id,
        type=make_file_id(note.kind),
        resp=_format_pointers(to_xml_id(note.by)),
        target=_format_pointers(note.on),
    )
