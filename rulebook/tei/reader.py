"""From a TEI file to sentences, each in three views.

The page as printed (diplomatic), the page mended (emended), the page in today's spelling (reading).
A file is never trusted: no network, no entities, no DTD, no endless depth; what is wrong with it
comes back as problems, all at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TypeVar

from lxml import etree

from rulebook import suggestions as guessing
from rulebook.model import CERTAINTIES
from rulebook.problems import Problem
from rulebook.spelling import Spelling, modern
from rulebook.tei.schema import PROFILE, PRUNED, Allowance, allowance
from rulebook.text import Block, Emendation, Header, Part, Sentence, Text, Translated, Translation

T = TypeVar("T")

PACKED = Path(__file__).parents[1] / "_sources" / "schema" / PRUNED.name  # where an installed wheel keeps it
SCHEMA = PRUNED if PRUNED.exists() else PACKED

LARGEST = 4_000_000  # bytes; the longest of our texts has not a tenth of it
DEEPEST = 40  # elements within elements; our texts need about a dozen

TEI = "{http://www.tei-c.org/ns/1.0}"
XML = "{http://www.w3.org/XML/1998/namespace}"
ID, LANG = f"{XML}id", f"{XML}lang"
LOST = "[…]"  # what stands for a gap in every view
JOIN = "\0"  # a page ends within a word; no XML file can hold this letter


@dataclass(frozen=True, slots=True)
class Document:
    """A file that has been parsed, and its name for complaints."""

    file: str
    letters: str = field(repr=False)
    root: etree._Element

    def problem(self, element: etree._Element, what: str, way_out: str) -> Problem:
        """A complaint about one element; the parser keeps lines but no columns."""
        return Problem(self.file, line_of(element), 1, what, way_out)

    def all(self, *names: str) -> Iterator[etree._Element]:
        """Every element of these names, in the order of the text."""
        return self.root.iter(*(f"{TEI}{name}" for name in names))


# --- small questions to an element --------------------------------------------------------------


def name_of(element: etree._Element) -> str:
    """`p` for a TEI paragraph; a foreign element keeps its full name."""
    return str(element.tag).removeprefix(TEI)


def line_of(element: etree._Element) -> int:
    """The line on which an element begins."""
    return element.sourceline if isinstance(element.sourceline, int) else 1


def get(element: etree._Element, attribute: str) -> str:
    """An attribute, or nothing."""
    return str(element.get(attribute) or "")


def qualified(attribute: str) -> str:
    """The long name of `xml:id` and its like."""
    return attribute.replace("xml:", XML)


def spoken(attribute: str) -> str:
    """The short name of an attribute, as it is written in the file."""
    return attribute.replace(XML, "xml:")


def language_of(element: etree._Element) -> str:
    """The language in which an element stands: its own, or that of what holds it."""
    own = get(element, LANG)
    parent = element.getparent()
    return own if own or parent is None else language_of(parent)


def holds(element: etree._Element, *names: str) -> bool:
    """Whether the element stands within one of these."""
    return any(name_of(above) in names for above in element.iterancestors())


def prose(element: etree._Element) -> str:
    """All words of an element of the header."""
    return " ".join("".join(str(run) for run in element.itertext()).split())


# --- opening a file that may be hostile ---------------------------------------------------------


def open_document(path: Path) -> tuple[Document | None, list[Problem]]:
    """Parse a file without trusting it."""
    file = path.as_posix()
    letters, problems = read_letters(path, file)
    if problems:
        return None, problems
    root, problems = parse(letters, file)
    return (None if root is None else Document(file, letters, root)), problems


def read_letters(path: Path, file: str) -> tuple[str, list[Problem]]:
    """The letters of a file, if it is a plain one, of sane size, in UTF-8 and without a DTD."""
    if not path.is_file():  # a pipe or a device could keep us waiting for ever
        return "", [Problem(file, 1, 1, "is not there, or is no plain file", "put the file there")]
    try:
        with path.open("rb") as opened:
            octets = opened.read(LARGEST + 1)
        letters = octets.decode("utf-8")
    except OSError as fault:
        return "", [Problem(file, 1, 1, f"cannot be read: {fault.strerror}", "put the file there")]
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        return "", [Problem(file, line, 1, "is not UTF-8", "save it as UTF-8")]
    if len(octets) > LARGEST:
        return "", [Problem(file, 1, 1, f"is larger than {LARGEST} bytes", "split it: no text of ours needs that")]
    return letters, list(a_file_declares_no_entities(file, letters))


def a_file_declares_no_entities(file: str, letters: str) -> Iterator[Problem]:
    """A document type could fetch files or swell without end; our texts need none."""
    found = re.search(r"<!(DOCTYPE|ENTITY)", letters)
    if found:
        line, column = place(letters, found.start())
        yield Problem(file, line, column, f"has a <!{found[1]}", "take it out: our texts need no DTD")


def place(letters: str, at: int) -> tuple[int, int]:
    """Line and column of a letter."""
    return letters.count("\n", 0, at) + 1, at - letters.rfind("\n", 0, at)


def parse(letters: str, file: str) -> tuple[etree._Element | None, list[Problem]]:
    """The tree of elements, or why there is none."""
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
        return None, [Problem(file, max(line, 1), max(column, 1), *malformed(fault.msg or ""))]
    if deeper_than(DEEPEST, root):
        what = f"nests deeper than {DEEPEST} elements"
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


def malformed(told: str) -> tuple[str, str]:
    """What is wrong with a file that is no XML, and the way out."""
    told = re.sub(r", line \d+, column \d+", "", told)
    for pattern, what, way_out in MALFORMED:
        if found := re.search(pattern, told):
            return f"is not well-formed XML: {found.expand(what)}", found.expand(way_out)
    return f"is not well-formed XML: {told}", "close what is open, and write &amp; for &"


def deeper_than(limit: int, root: etree._Element) -> bool:
    """Whether elements stand in elements beyond a limit."""
    level = [root]
    for _ in range(limit):
        level = [child for element in level for child in element]
    return bool(level)


# --- parts and views ----------------------------------------------------------------------------


def parts_within(element: etree._Element, like: Part) -> Iterator[Part]:
    """The runs of an element in order; ``like`` says in what language and type they stand."""
    yield from run(element.text, element, like)
    for child in element:
        yield from PARTS.get(name_of(child), parts_within)(child, like)
        yield from run(child.tail, child, like)


def run(words: str | None, where: etree._Element, like: Part) -> Iterator[Part]:
    """Bare words between two marks."""
    if words:
        yield replace(like, text=single_spaced(words), line=line_of(where))


def highlighted(element: etree._Element, like: Part) -> Iterator[Part]:
    """Words that the page sets in another type."""
    return parts_within(element, replace(like, kind="hi", rend=get(element, "rend")))


def foreign(element: etree._Element, like: Part) -> Iterator[Part]:
    """Words in another language."""
    return parts_within(element, replace(like, kind="foreign", lang=get(element, LANG) or like.lang))


def unclear(element: etree._Element, like: Part) -> Iterator[Part]:
    """Words that cannot be read with certainty."""
    like = replace(like, kind="unclear", cert=get(element, "cert"), reason=get(element, "reason"))
    return parts_within(element, like)


def chosen(element: etree._Element, like: Part) -> Iterator[Part]:
    """A misprint with its emendation, or an old spelling with the new, and the page that begins within."""
    by_name = {name_of(child): child for child in element}
    old = next((by_name[name] for name in ("sic", "orig") if name in by_name), None)
    new = next((by_name[name] for name in ("corr", "reg") if name in by_name), None)
    sic, corr = words_of(old, like), words_of(new, like)
    kind = "reg" if "reg" in by_name else "choice"
    page = next((get(broken, "n") for broken in element.iter(f"{TEI}pb")), "")
    part = replace(like, kind=kind, text=sic, sic=sic, corr=corr, n=page, line=line_of(element))
    yield part if new is None else answered_for(part, new)


def answered_for(part: Part, new: etree._Element) -> Part:
    """An emendation with who made it, how sure, and on what evidence."""
    resp, cert, evidence = (get(new, key) for key in ("resp", "cert", "evidence"))
    return replace(part, id=get(new, ID), resp=resp, cert=cert, evidence=evidence)


def words_of(element: etree._Element | None, like: Part) -> str:
    """The words that stand in a sic or a corr."""
    return "" if element is None else closed_up("".join(pieces(parts_within(element, like), printed)))


def gap(element: etree._Element, like: Part) -> Iterator[Part]:
    """Words that are lost."""
    yield replace(like, kind="gap", text=LOST, reason=get(element, "reason"), line=line_of(element))


def page_break(element: etree._Element, like: Part) -> Iterator[Part]:
    """A new page begins."""
    joins = element.get("break") == "no"
    yield Part("pb", n=get(element, "n"), lang=like.lang, joins=joins, line=line_of(element))


PARTS: Mapping[str, Callable[[etree._Element, Part], Iterator[Part]]] = {
    "hi": highlighted,
    "foreign": foreign,
    "unclear": unclear,
    "choice": chosen,
    "gap": gap,
    "pb": page_break,
}


def printed(part: Part) -> str:
    """What the page prints."""
    return part.text


def mended(part: Part) -> str:
    """What the page should have printed, in its own spelling."""
    return part.corr if part.kind == "choice" else part.text


def modernised(part: Part) -> str:
    """What the page should have printed, in our spelling where the table would fail."""
    return part.corr if part.kind in ("choice", "reg") else part.text


def pieces(parts: Iterable[Part], words: Callable[[Part], str]) -> Iterator[str]:
    """The words of every part; a page break parts words or joins their halves."""
    for part in parts:
        yield (JOIN if part.joins else " ") if part.kind == "pb" else words(part)


def single_spaced(text: str) -> str:
    """Line ends and indents of the file are no part of the text."""
    return re.sub(r"[ \t\r\n]+", " ", text)


def closed_up(text: str) -> str:
    """The halves of a word that a page break parts, put together."""
    return single_spaced(re.sub(rf"(?<!\s)\s*{JOIN}\s*", "", text))


def view(parts: Iterable[Part], words: Callable[[Part], str]) -> str:
    """A sentence in one of its views."""
    return closed_up("".join(pieces(parts, words))).strip(" ")


def reading_view(parts: Iterable[Part], spelling: Spelling) -> str:
    """A sentence mended and in today's spelling, every language by its own table."""
    runs = groupby(parts, key=lambda part: (part.lang, part.kind == "reg"))
    spelt = (
        text if final else modern(text, lang, spelling)
        for (lang, final), group in runs
        for text in [closed_up("".join(pieces(group, modernised)))]
    )
    return single_spaced("".join(spelt)).strip(" ")


def has_words(part: Part) -> bool:
    """Whether anything is said here, on the page or in its emendation."""
    return part.kind != "pb" and bool((part.text + part.corr).strip())


def trimmed(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts without the white space before the first word and after the last."""
    kept = [part for part in parts if part.text or part.kind in ("choice", "reg", "pb")]
    speaking = [at for at, part in enumerate(kept) if has_words(part)]
    first, last = (speaking[0], speaking[-1]) if speaking else (len(kept), -1)
    return tuple(
        replace(part, text=bare_edges(part.text, at == first, at == last))
        for at, part in enumerate(kept)
        if part.kind == "pb" or first <= at <= last
    )


def bare_edges(text: str, left: bool, right: bool) -> str:
    """White space taken off one end, the other, or both."""
    text = text.lstrip(" ") if left else text
    return text.rstrip(" ") if right else text


# --- from elements to a text --------------------------------------------------------------------


def gathered(text: etree._Element) -> list[tuple[etree._Element, list[Part]]]:
    """Every sentence element with its parts; a page break between two goes to the second."""
    found: list[tuple[etree._Element, list[Part]]] = []
    waiting: list[Part] = []
    for element in text.iter(f"{TEI}s", f"{TEI}pb"):
        if name_of(element) == "s":
            parts = parts_within(element, Part("text", lang=language_of(element)))
            found.append((element, [*waiting, *parts]))
            waiting = []
        elif not holds(element, "s"):
            waiting += page_break(element, Part("pb", lang=language_of(element)))
    if found:  # what comes after the last sentence stays with it
        found[-1][1].extend(waiting)
    return found


def paged(parts: Iterable[Part], page: str | None) -> tuple[tuple[str, ...], str | None]:
    """The pages on which a sentence has words, and the page on which it leaves us."""
    pages: list[str | None] = []
    for part in parts:
        before, page = page, part.n or page
        if has_words(part):
            pages += [before, page]
    return tuple(number for number in dict.fromkeys(pages) if number), page


def kind_of(element: etree._Element) -> str:
    """A sentence of the title page, of a heading, or of the text itself."""
    if holds(element, "front"):
        return "title"
    return "heading" if holds(element, "head", "label") else "text"


def sentences_in(text: etree._Element, spelling: Spelling) -> Iterator[tuple[etree._Element, Sentence]]:
    """Every sentence in the order of the text."""
    page: str | None = None
    for element, found in gathered(text):
        parts = trimmed(found)
        pages, after = paged(parts, page)
        yield (
            element,
            Sentence(
                id=get(element, ID),
                kind=kind_of(element),
                lang=language_of(element),
                page=pages[0] if pages else page,
                pages=pages,
                line=line_of(element),
                diplomatic=view(parts, printed),
                emended=view(parts, mended),
                reading=reading_view(parts, spelling),
                parts=parts,
                emendations=tuple(part.id for part in parts if is_emendation(part)),
            ),
        )
        page = after


def is_emendation(part: Part) -> bool:
    """A misprint whose emendation can be cited."""
    return part.kind == "choice" and bool(part.id)


def emendations_in(sentence: Sentence) -> Iterator[Emendation]:
    """The emendations of one sentence."""
    for part in sentence.parts:
        if is_emendation(part):
            said_by = (part.resp, part.cert, part.evidence)
            yield Emendation(part.id, sentence.id, part.sic, part.corr, *said_by, line=part.line)


def block_of(element: etree._Element, sentences: Mapping[etree._Element, Sentence]) -> Block:
    """A block with what it holds, down to the sentences."""
    return Block(
        kind=name_of(element),
        children=tuple(
            sentences[child] if child in sentences else block_of(child, sentences)
            for child in element
            if name_of(child) != "pb"
        ),
        n=get(element, "n"),
        id=get(element, ID),
        type=get(element, "type"),
        line=line_of(element),
    )


def header_of(document: Document) -> Header:
    """What the header tells."""
    declared = [child for part in document.all("editorialDecl") for child in part]
    named = {name_of(child): prose(child) for child in declared}
    main = [prose(title) for stmt in document.all("titleStmt") for title in stmt.iterfind(f"{TEI}title")]
    return Header(
        title=": ".join(main),
        responsible={get(stmt, ID): who(stmt) for stmt in document.all("respStmt") if get(stmt, ID)},
        licences=tuple(prose(licence) for licence in document.all("licence")),
        source=" ".join(prose(source) for source in document.all("sourceDesc")),
        languages={get(lang, "ident"): prose(lang) for lang in document.all("language")},
        mended=named.pop("correction", ""),
        practice=named,
    )


def who(statement: etree._Element) -> str:
    """The name in a statement of responsibility."""
    return ", ".join(prose(name) for name in statement.iterfind(f"{TEI}name"))


def text_of(document: Document, spelling: Spelling) -> Text | None:
    """The text of a document; none when there is no body or no siglum."""
    text = document.root.find(f"{TEI}text")
    siglum = get(document.root, ID)
    if not is_tei(document) or text is None or not siglum:
        return None
    by_element = dict(sentences_in(text, spelling))
    named = [sentence for sentence in by_element.values() if sentence.id]
    return Text(
        siglum=siglum,
        lang=get(document.root, LANG),
        sentences=first_of_each((sentence.id, sentence) for sentence in named),
        emendations=first_of_each((one.id, one) for sentence in named for one in emendations_in(sentence)),
        body=block_of(text, by_element),
        header=header_of(document),
    )


def first_of_each(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """A table in which the first bearer of a name keeps it."""
    found: dict[str, T] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def translation_of(document: Document, siglum: str) -> Translation:
    """The translation that a document holds."""
    sentences = ((target(element), element) for element in document.all("s"))
    return Translation(
        siglum=siglum,
        lang=get(document.root, LANG),
        sentences=first_of_each((found, translated(found, element)) for found, element in sentences if found),
        header=header_of(document),
    )


def target(element: etree._Element) -> str:
    """The sentence to which a translated sentence points."""
    return get(element, "corresp").removeprefix("text.xml#")


def translated(found: str, element: etree._Element) -> Translated:
    """One sentence in translation."""
    parts = trimmed(parts_within(element, Part("text", lang=language_of(element))))
    return Translated(found, view(parts, mended), parts, line_of(element))


# --- checks: one for every sentence of the editorial policy ---------------------------------------

NEEDED: Mapping[str, tuple[str, ...]] = {  # element -> attributes that it must bear
    "TEI": ("xml:id", "xml:lang"),
    "pb": ("n",),
    "corr": ("xml:id", "resp", "cert", "evidence"),
    "unclear": ("reason", "cert"),
    "gap": ("reason",),
    "foreign": ("xml:lang",),
    "language": ("ident",),
}
CLOSED: Mapping[str, tuple[str, ...]] = {  # attribute -> the values it may have
    "cert": CERTAINTIES,
    "evidence": ("internal", "external", "conjecture"),
    "break": ("no", "yes"),
}
NUMBERED: Mapping[str, tuple[str, str]] = {  # element -> letter and digits of its id
    "s": ("s", r"\d{4}"),
    "corr": ("e", r"\d{2,3}"),
}
PAIRS = ({"sic", "corr"}, {"orig", "reg"})
POINTERS = ("resp", "corresp", "target", "who")


def did_you_mean(wrong: str, known: Iterable[str], otherwise: str) -> str:
    """Suggest the nearest thing that exists, in quotes."""
    return guessing.did_you_mean(wrong, known, otherwise, repr)


@cache
def allowances() -> Mapping[str, Allowance]:
    """The profile, read once."""
    return {definition: allowance(line) for definition, line in PROFILE.items()}


def is_tei(document: Document) -> bool:
    """Whether the file begins as a TEI file must."""
    return document.root.tag == f"{TEI}TEI"


def profiled(element: etree._Element, definition: str) -> Iterator[tuple[etree._Element, Allowance]]:
    """Every element in its allowed place, with its line of the profile; no other is entered."""
    allowed = allowances()[definition]
    yield element, allowed
    for child in element:
        if name_of(child) in allowed.children:
            yield from profiled(child, allowed.children[name_of(child)])


def every_element_is_in_its_place(document: Document) -> Iterator[Problem]:
    """Only the elements of our profile, each where it may stand."""
    if not is_tei(document):
        what = f"is <{name_of(document.root)}>, not a TEI file"
        yield document.problem(document.root, what, f'begin with <TEI xmlns="{TEI[1:-1]}">')
        return
    for element, allowed in profiled(document.root, "TEI"):
        for child in element:
            if name_of(child) not in allowed.children:
                what = f"<{name_of(child)}> cannot stand in <{name_of(element)}>"
                here = ", ".join(sorted(allowed.children)) or "no element"
                yield document.problem(child, what, f"what may stand there: {here}")


def every_attribute_is_known(document: Document) -> Iterator[Problem]:
    """Only the attributes of our profile."""
    if not is_tei(document):
        return
    for element, allowed in profiled(document.root, "TEI"):
        for attribute in map(spoken, map(str, element.attrib)):
            if attribute not in allowed.attributes:
                otherwise = f"it may bear: {', '.join(sorted(allowed.attributes)) or 'nothing'}"
                what = f"<{name_of(element)}> bears no {attribute}"
                yield document.problem(element, what, did_you_mean(attribute, allowed.attributes, otherwise))


def what_is_needed_is_there(document: Document) -> Iterator[Problem]:
    """Every emendation says who, how sure and why; a page has its number, a foreign word its language."""
    for element in document.all(*NEEDED):
        for attribute in NEEDED[name_of(element)]:
            if not get(element, qualified(attribute)).strip():
                what = f"<{name_of(element)}> has no {attribute}"
                yield document.problem(element, what, f'add {attribute}="..."')


def closed_lists_are_kept(document: Document) -> Iterator[Problem]:
    """Certainty and evidence are said in the agreed words."""
    for element in document.all("corr", "reg", "unclear", "sic", "pb", "date"):
        for attribute, values in CLOSED.items():
            value = element.get(attribute)
            if value is not None and value not in values:
                what = f'{attribute}="{value}" is not one of the agreed words'
                way_out = did_you_mean(str(value), values, f"use {', '.join(values)}")
                yield document.problem(element, what, way_out)


def every_word_stands_in_a_sentence(document: Document) -> Iterator[Problem]:
    """Between sentences there is white space only."""
    for text in document.all("text"):
        for element in text.iter(f"{TEI}*"):
            inside = name_of(element) == "s" or holds(element, "s")
            loose = [] if inside else [element.text, *(child.tail for child in element)]
            for words in filter(None, (str(run or "").strip() for run in loose)):
                what = f"words outside <s>: {words[:40]!r}"
                yield document.problem(element, what, "put them into a sentence")


def every_sentence_says_something(document: Document) -> Iterator[Problem]:
    """No sentence is empty."""
    for element in document.all("s"):
        if not any(has_words(part) for part in parts_within(element, Part("text"))):
            yield document.problem(element, "an empty sentence", "take it out, or put its words in")


def ids_are_given_once(document: Document) -> Iterator[Problem]:
    """An id names one thing."""
    bearers = [element for element in document.root.iter(f"{TEI}*") if get(element, ID)]
    counted = Counter(get(element, ID) for element in bearers)
    first: set[str] = set()
    for element in bearers:
        name = get(element, ID)
        if name in first:
            what = f"the id {name} stands {counted[name]} times"
            yield document.problem(element, what, "give it a new one")
        first.add(name)


def ids_are_well_formed(document: Document) -> Iterator[Problem]:
    """Sentences are SIG.s0001, emendations SIG.e01."""
    siglum = get(document.root, ID)
    for element in document.all(*NUMBERED):
        letter, digits = NUMBERED[name_of(element)]
        name = get(element, ID)
        if not re.fullmatch(rf"{re.escape(siglum)}\.{letter}{digits}", name) and (name or letter == "s"):
            shape = f"{siglum}.{letter}0001"[: -2 if letter == "e" else None]
            what = f"<{name_of(element)}> has the id {name!r}"
            yield document.problem(element, what, f"write it like {shape}")


def ids_follow_the_text(document: Document) -> Iterator[Problem]:
    """Numbers rise in the order of the text."""
    for name in NUMBERED:
        named = [element for element in document.all(name) if get(element, ID)]
        for before, after in pairwise(named):
            if get(after, ID) < get(before, ID):
                what = f"{get(after, ID)} comes after {get(before, ID)}"
                yield document.problem(after, what, "number in the order of the text")


def pages_follow_each_other(document: Document) -> Iterator[Problem]:
    """Page numbers rise by one; a number in square brackets counts what the page does not print."""
    numbered = [element for element in document.all("pb") if get(element, "n")]
    for element in numbered:
        if page_number(element) is None:
            what = f"page {get(element, 'n')!r} is no number"
            yield document.problem(element, what, 'write n="5", or n="[5]"')
    for before, after in pairwise(numbered):
        first, second = page_number(before), page_number(after)
        if first is not None and second is not None and second != first + 1:
            what = f"page {get(after, 'n')} follows page {get(before, 'n')}"
            yield document.problem(after, what, f"should it be {first + 1}?")


def page_number(element: etree._Element) -> int | None:
    """The number of a page, brackets or not."""
    found = re.fullmatch(r"\[(\d{1,9})\]|(\d{1,9})", get(element, "n"))
    return int(found[1] or found[2]) if found else None


def a_choice_has_two_sides(document: Document) -> Iterator[Problem]:
    """A choice is between sic and corr, or between orig and reg, and they differ."""
    for element in document.all("choice"):
        sides = [name_of(child) for child in element]
        if len(sides) != 2 or set(sides) not in PAIRS:
            what = f"a choice between {', '.join(sides) or 'nothing'}"
            yield document.problem(element, what, "give sic and corr, or orig and reg, once each")
        elif prose(element[0]) == prose(element[1]):
            yield document.problem(element, "a choice between equals", "take it out, or mend one side")


def pointers_resolve(document: Document) -> Iterator[Problem]:
    """What is pointed to is there."""
    known = {get(element, ID) for element in document.root.iter(f"{TEI}*")} - {""}
    for element in document.root.iter(f"{TEI}*"):
        for pointer in " ".join(get(element, key) for key in POINTERS).split():
            if pointer.startswith("#") and pointer[1:] not in known:
                way_out = did_you_mean(pointer[1:], known, "give the id that it means, or declare it")
                yield document.problem(element, f"{pointer} points to nothing", way_out)


def languages_are_declared(document: Document) -> Iterator[Problem]:
    """Every language that is used is listed in the header."""
    declared = {get(element, "ident") for element in document.all("language")}
    for element in document.root.iter(f"{TEI}*"):
        used = get(element, LANG)
        if used and used not in declared:
            what = f'xml:lang="{used}" is not declared'
            yield document.problem(element, what, did_you_mean(used, declared, "list it in langUsage"))


def the_header_tells_what_was_mended(document: Document) -> Iterator[Problem]:
    """What was mended silently is told once."""
    if not any(prose(element) for element in document.all("correction")):
        what = "the header does not tell what was mended"
        yield document.problem(document.root, what, "say it in <correction>")


def letters_are_composed(document: Document) -> Iterator[Problem]:
    """Files are NFC, with line ends LF and no byte order mark."""
    for number, line in enumerate(document.letters.split("\n"), 1):
        if line.startswith("\ufeff") or "\r" in line:
            what = "has a byte order mark or a carriage return"
            yield Problem(document.file, number, 1, what, "save as UTF-8, LF")
        elif not unicodedata.is_normalized("NFC", line):
            column = first_parted(line)
            yield Problem(document.file, number, column, "is not NFC", "write accented letters as one letter")


def first_parted(line: str) -> int:
    """The column at which a line ceases to be NFC."""
    columns = range(1, len(line) + 1)
    return next((at for at in columns if not unicodedata.is_normalized("NFC", line[:at])), 1)


def apostrophes_are_straight(document: Document) -> Iterator[Problem]:
    """A transcription writes one kind of apostrophe, so that quotations can be found again."""
    for element in document.all("s"):
        if "’" in "".join(str(run) for run in element.itertext()):
            yield document.problem(element, "a typographic apostrophe", "write '")


Check = Callable[[Document], Iterator[Problem]]

ALWAYS: tuple[Check, ...] = (
    every_element_is_in_its_place,
    every_attribute_is_known,
    what_is_needed_is_there,
    closed_lists_are_kept,
    every_word_stands_in_a_sentence,
    every_sentence_says_something,
    ids_are_given_once,
    a_choice_has_two_sides,
    pointers_resolve,
    languages_are_declared,
    letters_are_composed,
)
OF_A_TEXT: tuple[Check, ...] = (
    *ALWAYS,
    ids_are_well_formed,
    ids_follow_the_text,
    pages_follow_each_other,
    the_header_tells_what_was_mended,
    apostrophes_are_straight,
)


# --- checks that need the text beside its translation -------------------------------------------


def every_sentence_is_translated_once(document: Document, text: Text) -> Iterator[Problem]:
    """Nothing is left untranslated, nothing translated twice."""
    found = Counter(target(element) for element in document.all("s"))
    for name in text.sentences:
        if name not in found:
            here = place_of(document, text, name)
            yield document.problem(here, f"{name} is not translated", "add its translation")
    for element in document.all("s"):
        if found[target(element)] > 1 and target(element) in text.sentences:
            what = f"{target(element)} is translated {found[target(element)]} times"
            yield document.problem(element, what, "keep one <s> for every sentence")


def place_of(document: Document, text: Text, name: str) -> etree._Element:
    """Where a missing translation should stand: after the last sentence that comes before it."""
    names = list(text.sentences)
    before = set(names[: names.index(name)])
    earlier = [element for element in document.all("s") if target(element) in before]
    return earlier[-1] if earlier else document.root


def every_translation_points_home(document: Document, text: Text) -> Iterator[Problem]:
    """A translated sentence says which sentence it translates."""
    for element in document.all("s"):
        pointer = get(element, "corresp")
        if not pointer.startswith("text.xml#") or target(element) not in text.sentences:
            otherwise = f'write corresp="text.xml#{text.siglum}.s0001"'
            what = f"corresp={pointer!r} is no sentence of {text.siglum}"
            yield document.problem(element, what, did_you_mean(target(element), text.sentences, otherwise))


def translations_follow_the_text(document: Document, text: Text) -> Iterator[Problem]:
    """The translation keeps the order of the text."""
    order = {name: at for at, name in enumerate(text.sentences)}
    known = [element for element in document.all("s") if target(element) in order]
    for before, after in pairwise(known):
        if order[target(after)] < order[target(before)]:
            what = f"{target(after)} is translated after {target(before)}"
            yield document.problem(after, what, "keep the order of the text")


OF_A_TRANSLATION: tuple[Callable[[Document, Text], Iterator[Problem]], ...] = (
    every_sentence_is_translated_once,
    every_translation_points_home,
    translations_follow_the_text,
)


# --- the schema, and the two ways in ------------------------------------------------------------


def compiled(schema: Path) -> etree.RelaxNG:
    """The small schema, compiled once for as long as the file is the same. Raises OSError and lxml's errors."""
    return as_it_stands(schema, schema.stat().st_mtime_ns)


@cache
def as_it_stands(schema: Path, written: int) -> etree.RelaxNG:
    """The schema that a file holds."""
    return etree.RelaxNG(etree.parse(str(schema), etree.XMLParser(no_network=True, resolve_entities=False)))


def unusable(schema: Path, name: str) -> list[Problem]:
    """Why texts cannot be held against a schema, under the name that the file has in messages; empty if they can."""
    try:
        compiled(schema)
    except (OSError, etree.XMLSyntaxError, etree.RelaxNGParseError) as fault:
        line = getattr(fault, "lineno", None) or 1
        what = f"is no RELAX NG schema: {str(fault).splitlines()[0] if str(fault) else type(fault).__name__}"
        return [Problem(name, line, 1, what, "take it from the release, or run python -m rulebook.tei.schema")]
    return []


def the_schema_holds(document: Document, schema: Path) -> Iterator[Problem]:
    """The file is valid TEI under our profile."""
    if faults := unusable(schema, schema.name):
        yield from faults
        return
    validator = compiled(schema)
    validator.validate(document.root)
    for line, message in {entry.line: entry.message for entry in validator.error_log}.items():
        what = f"is not valid: {message.replace(TEI, '')}"
        yield Problem(document.file, max(int(line), 1), 1, what, f"see {schema.name}")


def checked(document: Document, own: Iterable[Problem], schema: Path) -> list[Problem]:
    """All problems by place; where one of our checks has spoken, the schema need not."""
    problems = set(own)
    told = {problem.line for problem in problems}
    return sorted(problems | {one for one in the_schema_holds(document, schema) if one.line not in told})


def read_text(path: Path, spelling: Spelling, schema: Path = SCHEMA) -> tuple[Text | None, list[Problem]]:
    """Read a transcription: the text as far as it can be had, and everything that is wrong with it."""
    document, problems = open_document(path)
    if document is None:
        return None, problems
    own = [problem for check in OF_A_TEXT for problem in check(document)]
    return text_of(document, spelling), checked(document, own, schema)


def read_translation(path: Path, text: Text, schema: Path = SCHEMA) -> tuple[Translation | None, list[Problem]]:
    """Read a translation beside the text that it translates."""
    document, problems = open_document(path)
    if document is None:
        return None, problems
    own = [problem for check in ALWAYS for problem in check(document)]
    beside = [problem for check in OF_A_TRANSLATION for problem in check(document, text)]
    return translation_of(document, text.siglum), checked(document, own + beside, schema)
