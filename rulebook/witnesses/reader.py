"""Reader of witness files: TEI beside the text that they are witnesses of, and the raw transcription they come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from rulebook.io.strict_yaml import Stop, read_letters
from rulebook.problems import Problem
from rulebook.tei.document import (
    TEI_PREFIX,
    XML_ID,
    XML_LANG,
    Document,
    get_attribute,
    get_target_id,
    line_of_element,
    tag_of,
    words_within,
)
from rulebook.tei.views import parts_within, trim_parts
from rulebook.text import TextPart
from rulebook.witnesses.model import NO_QUESTION, Judgement, Witness, WitnessSentence

WITNESS_FILES = "*/witnesses/*.xml"  #: below the folder of sources
_LARGEST_RAW_FILE = 4_000_000  #: bytes


def read_witness(document: Document, source: str, file: str) -> Witness:
    """Build the record of a witness from its file; what is missing is empty."""
    consulted = next(document.all("biblScope"), None)
    dated = next(document.all("date"), None)
    hands = list(document.all("respStmt"))
    titles = [
        words_within(title) for stmt in document.all("titleStmt") for title in stmt.iterfind(f"{TEI_PREFIX}title")
    ]
    return Witness(
        siglum=get_attribute(document.root, XML_ID),
        source=source,
        lang=get_attribute(document.root, XML_LANG),
        title=titles[0] if titles else "",
        about=" ".join(titles[1:]),
        date=words_within(dated) if dated is not None else "",
        year=get_attribute(dated, "when") if dated is not None else "",
        not_before=get_attribute(dated, "notBefore") if dated is not None else "",
        first=get_attribute(consulted, "from") if consulted is not None else "",
        last=get_attribute(consulted, "to") if consulted is not None else "",
        scope=words_within(consulted) if consulted is not None else "",
        seen=" ".join(
            words_within(note) for bibl in document.all("bibl") for note in bibl.iterfind(f"{TEI_PREFIX}note")
        ),
        corrected=" ".join(map(words_within, document.all("correction"))),
        hands={get_attribute(hand, XML_ID): (_words_of(hand, "resp"), _words_of(hand, "name")) for hand in hands},
        sentences=tuple(map(_read_sentence, document.all("s"))),
        judgements=tuple(map(_read_judgement, document.all("app"))),
        file=file,
    )


def _words_of(element: etree._Element, name: str) -> str:
    return ", ".join(words_within(child) for child in element.iterfind(f"{TEI_PREFIX}{name}"))


def _read_sentence(element: etree._Element) -> WitnessSentence:
    parts = trim_parts(parts_within(element, TextPart("text")))
    matched = bool(get_attribute(element, "corresp"))
    id = get_target_id(element) if matched else get_attribute(element, XML_ID)
    return WitnessSentence(id, matched, parts, line_of_element(element))


def _read_judgement(element: etree._Element) -> Judgement:
    words = {tag_of(child): words_within(child) for child in element}
    notes = {get_attribute(note, "type"): note for note in element.iterfind(f"{TEI_PREFIX}note")}
    reason, weighed = notes.get("reason"), notes.get("moves")
    moves = get_attribute(weighed, "n").split() if weighed is not None else []
    return Judgement(
        sentence=get_target_id(element).removeprefix("#"),
        kind=get_attribute(element, "type"),
        ours=words.get("lem", ""),
        theirs=words.get("rdg", ""),
        reason=words_within(reason) if reason is not None else "",
        by=get_attribute(reason, "resp").removeprefix("#") if reason is not None else "",
        moves=tuple(move for move in moves if move != NO_QUESTION),
        weighed=words_within(weighed) if moves and weighed is not None else "",
        line=line_of_element(element),
    )


def transcribed_letters(document: Document) -> Iterator[tuple[str, int]]:
    """Yield every letter of the transcription, as the witness file keeps it, with its line; white space left out."""
    for body in document.all("body"):
        for words, line in _iter_runs(body):
            yield from ((letter, line) for letter in words if not letter.isspace())


def _iter_runs(element: etree._Element) -> Iterator[tuple[str, int]]:
    """Yield the runs of words in the order of the file, our corrections left out."""
    line = line_of_element(element)
    yield element.text or "", line
    for child in element:
        if tag_of(child) != "corr":
            yield from _iter_runs(child)
        yield child.tail or "", line


def read_raw_letters(path: Path, file: str) -> tuple[str, list[Problem]]:
    """Read the raw transcription without the lines at its head that begin with #, and without white space."""
    try:
        letters = read_letters(path, file, _LARGEST_RAW_FILE, "split it", "put the raw transcription there")
    except Stop as stop:
        return "", [stop.problem]
    lines = letters.split("\n")
    while lines and lines[0].startswith("#"):
        del lines[0]
    return "".join("\n".join(lines).replace("’", "'").split()), []
