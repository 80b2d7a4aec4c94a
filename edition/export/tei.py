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
from edition.data.citation_cff import TERMS
from edition.data.rights import rights_in
from edition.export.file import Made, file_id, words_of
from rulebook.answers.values import canonical
from rulebook.model import Alternative, Clause, Question, Source, Value
from rulebook.strings import single_spaced
from rulebook.tei.document import ID, LANG, TEI, parse, tag_of

#: The names of TEI need no prefix; the stubs of lxml do not know that a prefix can be none.
DEFAULT: Any = {None: TEI.strip("{}")}
LICENCE = TERMS["CC-BY-4.0"]

UNBEARABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Node = etree._Element


def made(corpus: Corpus) -> Iterator[Made]:
    """A file for every source; a library that lies in no folder has no transcriptions to put into one."""
    for siglum, source in corpus.library.sources.items():
        if source.text and not corpus.library.root:
            continue
        says = (
            f"{siglum}: {'transcription' if source.text else 'our statements'}, with clauses, rivals and notes beside"
        )
        yield Made(f"{siglum}.xml", written(coded(corpus, source)), says, siglum)


def written(root: Node) -> bytes:
    """A tree as a file."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def coded(corpus: Corpus, source: Source) -> Node:
    """The text of a source with all that is said about it."""
    root = kept(corpus, source) if source.text else stated(source)
    header = next(one for one in root if tag_of(one) == "teiHeader")
    sign(header, source)
    classify(header, corpus.library.questions.values())
    beside = standing_off(corpus, source)
    if len(beside):
        etree.indent(beside, level=1)
        beside.tail = header.tail
        header.addnext(beside)
    return root


# --- making elements ------------------------------------------------------------------------------------


def node(tag: str, said: str | Iterable[Node] = "", **borne: str) -> Node:
    """An element with words or with others in it; `id` and `lang` are those of XML, what is empty is left out."""
    long = {"id": ID, "lang": LANG}
    found = etree.Element(f"{TEI}{tag}", nsmap=DEFAULT)
    for key, value in borne.items():
        if value:
            found.set(long.get(key, key.rstrip("_")), bearable(value))
    if isinstance(said, str):
        found.text = bearable(said) or None
    else:
        found.extend(said)
    return found


def bearable(words: str) -> str:
    """Words without the letters that no XML file can hold; a mark stands for each."""
    return UNBEARABLE.sub("\ufffd", words)


def name(id: str) -> str:
    """An id of ours as an id in XML: it begins with a letter, and holds no space."""
    made = file_id(id)
    return made if not made or made[0].isalpha() else f"_{made}"


def hang(parent: Node, child: Node) -> None:
    """Put an element behind the last one, on a line of its own."""
    last = parent[-1]
    child.tail, last.tail = last.tail, parent.text
    parent.append(child)


def to(*ids: str) -> str:
    """A pointer to each."""
    return " ".join(f"#{id}" for id in ids if id)


# --- the text -------------------------------------------------------------------------------------------


def kept(corpus: Corpus, source: Source) -> Node:
    """The transcription as it is kept."""
    path = Path(corpus.library.root) / source.siglum / "text.xml"
    root, problems = parse(path.read_text(encoding="utf-8"), path.name)
    if root is None:
        raise ValueError("; ".join(map(str, problems)))
    return root


def stated(source: Source) -> Node:
    """A source that is not printed here, by our statements."""
    text = node("text", [node("body", [*sections(source)] or [node("p")])], lang="en")
    root = node("TEI", [heading(source), text], id=source.siglum, lang="en")
    etree.indent(root)
    return root


def heading(source: Source) -> Node:
    """What the file says of itself."""
    about = node(
        "titleStmt",
        [
            node("title", full_title(source), lang=source.language),
            node("title", "our statements of its rules", type="sub"),
        ],
    )
    terms = [f"The source: {rights_in(source, 'text')}.", f"What stands here: {rights_in(source, 'encoding')}."]
    licences = [node("licence", terms[0]), node("licence", terms[1], target=LICENCE)]
    published = [node("publisher", "the Reversis edition"), node("availability", licences)]
    origin = single_spaced(str(source.record.get("exemplar") or "")) or "No copy is named."
    how = node(
        "p",
        "The words of the source are not printed here; each s is a statement of one of its rules, in our own words.",
    )
    file = node("fileDesc", [about, node("publicationStmt", published), node("sourceDesc", [node("p", origin)])])
    return node("teiHeader", [file, node("encodingDesc", [node("projectDesc", [how])])], lang="en")


def sections(source: Source) -> Iterator[Node]:
    """The statements under their headings."""
    for title, group in groupby(source.statements, key=lambda one: one.section):
        rows = [node("p", [node("s", single_spaced(one.text), id=one.id)]) for one in group]
        yield node("div", [node("head", title), *rows] if title else rows)


# --- the header -----------------------------------------------------------------------------------------


def sign(header: Node, source: Source) -> None:
    """Everybody who coded, reviewed or noted something, after those whom the header names."""
    there = {one.get(ID) for one in header.iter(f"{TEI}respStmt")}
    roles = told_of(source)
    titles = next(header.iter(f"{TEI}titleStmt"))
    for id in sorted(one for one in hands(source) if name(one) not in there):
        role, called = roles.get(id, ("coding", id))
        signed = node("respStmt", [node("resp", role), node("name", called)], id=name(id))
        etree.indent(signed, level=4)
        hang(titles, signed)


def hands(source: Source) -> set[str]:
    """Everybody to whom something points."""
    found = {name for one in source.clauses for name in (one.coder, one.reviewer)}
    return (found | {note.by for note in source.notes}) - {""}


def told_of(source: Source) -> Mapping[str, tuple[str, str]]:
    """Who did what, as the record of the source has it: id -> what, and the name."""
    coders = source.record.get("coders")
    rows = [one for one in coders if isinstance(one, Mapping)] if isinstance(coders, list | tuple) else []
    return {str(one["id"]): parted(str(one["role"]), str(one["id"])) for one in rows}


def parted(role: str, id: str) -> tuple[str, str]:
    """What somebody did, and the name that stands before it if there is one."""
    called, colon, what = single_spaced(role).partition(": ")
    return (what, called) if colon else (called, id)


def classify(header: Node, questions: Iterable[Question]) -> None:
    """The questions with their readings, as a taxonomy."""
    rows = [category(asked) for asked in questions]
    if not rows:
        return
    says = node(
        "desc", "The questions on which the sources are compared, and the readings of those that have a closed list."
    )
    declared = node("classDecl", [node("taxonomy", [says, *rows], id="questions")], lang="en")
    etree.indent(declared, level=3)
    hang(next(header.iter(f"{TEI}encodingDesc")), declared)


def category(asked: Question) -> Node:
    """One question."""
    readings = [
        node("category", [node("catDesc", single_spaced(gloss) or slug)], id=f"{asked.id}.{file_id(slug)}", n=slug)
        for slug, gloss in asked.readings.items()
    ]
    return node("category", [node("catDesc", asked.asks), *readings], id=asked.id, n=asked.slug)


# --- what stands beside the text --------------------------------------------------------------------------


def standing_off(corpus: Corpus, source: Source) -> Node:
    """The coding: quotations first, then what is taken from them, then the notes."""
    spans = [one for clause in source.clauses for one in quotations(source, clause)]
    groups = [one for clause in source.clauses for one in (said(corpus, clause), *others(corpus, clause))]
    notes = [remark(note.id, note.on, note.kind, note.by, note.text) for note in source.notes]
    parts = [
        *([node("spanGrp", spans, type="quotations")] if spans else []),
        *(one for one in groups if len(one.findall(f"{TEI}interp"))),
        *([node("listAnnotation", notes, type="notes")] if notes else []),
    ]
    return node("standOff", parts, lang="en")


def quotations(source: Source, clause: Clause) -> Iterator[Node]:
    """The words on which a clause rests, from sentence to sentence."""
    for at, cite in enumerate(clause.cites, 1):
        words = words_of(source, cite)
        yield node(
            "span",
            words,
            id=f"{clause.id}.{at}",
            lang=source.language if words else "",
            type=cite.role,
            subtype=cite.view if words else "",
            from_=to(cite.locus),
            to=to(cite.to),
            ana=to(clause.id),
        )


def said(corpus: Corpus, clause: Clause) -> Node:
    """A clause: what it answers, and why."""
    spans = to(*(f"{clause.id}.{at}" for at, _ in enumerate(clause.cites, 1)))
    told = {"label": clause.label, "because": clause.because, "searched": clause.searched, "note": clause.note}
    rows = [
        *(node("desc", single_spaced(words), type=kind) for kind, words in told.items() if words),
        *([node("desc", "read again", type="review", resp=to(name(clause.reviewer)))] if clause.reviewer else []),
        *(answered(corpus, clause, clause.id, slug, clause.answers.get(slug)) for slug in clause.questions),
    ]
    return node(
        "interpGrp", rows, id=clause.id, type="clause", resp=to(name(clause.coder)), cert=clause.cert, inst=spans
    )


def answered(corpus: Corpus, clause: Clause, id: str, slug: str, value: Value | None) -> Node:
    """One answer, with a pointer to its question and to its reading if there is a list of them."""
    asked = corpus.library.questions[slug]
    reading = f"{asked.id}.{file_id(value)}" if isinstance(value, str) and value in asked.readings else ""
    supplied = "supplied" if clause.supplied and value is not None else ""
    what = "" if value is None else canonical(value)
    return node("interp", what, id=f"{id}.{asked.id}", type=clause.status, subtype=supplied, ana=to(asked.id, reading))


def others(corpus: Corpus, clause: Clause) -> Iterator[Node]:
    """The rivals and options of a clause."""
    for one in clause.alternatives:
        yield other(corpus, clause, one)


def other(corpus: Corpus, clause: Clause, one: Alternative) -> Node:
    """One of them; it points to its clause."""
    told = {"label": one.label, "because": one.because}
    rows = [
        *(node("desc", single_spaced(words), type=kind) for kind, words in told.items() if words),
        *(answered(corpus, clause, one.id, slug, value) for slug, value in one.answers.items()),
    ]
    return node("interpGrp", rows, id=one.id, type=one.kind, cert=one.cert, corresp=to(clause.id))


def remark(id: str, on: str, kind: str, by: str, words: str) -> Node:
    """A note of the editors."""
    return node("note", single_spaced(words), id=id, type=file_id(kind), resp=to(name(by)), target=to(on))
