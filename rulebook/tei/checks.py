"""Checks of a transcription and of its translation: the editorial policy of the texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from lxml import etree

from rulebook import suggestions as guessing
from rulebook.model import CERTAINTIES
from rulebook.problems import Problem
from rulebook.strings import find_unfit_letter, quote_value
from rulebook.tei import document as tei
from rulebook.tei.document import Document
from rulebook.tei.validation import TEI_SCHEMA_PATH, Allowance, read_profile
from rulebook.tei.views import has_words, parts_within
from rulebook.text import Text, TextPart

_REQUIRED_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {  # element -> attributes that it must bear
    "TEI": ("xml:id", "xml:lang"),
    "pb": ("n",),
    "corr": ("xml:id", "resp", "cert", "evidence"),
    "unclear": ("reason", "cert"),
    "supplied": ("reason", "resp", "cert", "evidence"),
    "gap": ("reason",),
    "foreign": ("xml:lang",),
    "language": ("ident",),
}
CLOSED_LISTS: Mapping[str, tuple[str, ...]] = {  # attribute -> the values it may have
    "cert": CERTAINTIES,
    "evidence": ("internal", "external", "conjecture"),
    "break": ("no", "yes"),
}
_NUMBERED_ELEMENTS: Mapping[str, tuple[str, str]] = {  # element -> letter and digits of its id
    "s": ("s", r"\d{4}"),
    "corr": ("e", r"\d{2,3}"),
}
PAIRS = ({"sic", "corr"}, {"orig", "reg"})
POINTERS = ("resp", "corresp", "target", "who")


def suggest_in_quotes(wrong: str, known: Iterable[str], otherwise: str) -> str:
    """Suggest the nearest thing that exists, in quotes."""
    return guessing.did_you_mean(wrong, known, otherwise, repr)


def _walk_profile(document: Document) -> Iterator[tuple[etree._Element, Allowance]]:
    """Yield every element in its allowed place, with what it may have; no other is entered."""
    profile = read_profile(TEI_SCHEMA_PATH)
    entered = [(document.root, profile["TEI"])] if profile else []
    while entered:
        element, allowed = entered.pop()
        yield element, allowed
        known = (child for child in element if tei.tag_of(child) in allowed.children)
        entered += ((child, profile[allowed.children[tei.tag_of(child)]]) for child in known)


def every_element_is_in_its_place(document: Document) -> Iterator[Problem]:
    """Only the elements of our profile, each where it may stand."""
    if not tei.is_tei(document):
        what = f"is <{tei.tag_of(document.root)}>, not a TEI file"
        yield document.problem(document.root, what, f'begin with <TEI xmlns="{tei.TEI_PREFIX[1:-1]}">')
        return
    for element, allowed in _walk_profile(document):
        for child in element:
            if tei.tag_of(child) not in allowed.children:
                what = f"<{tei.tag_of(child)}> cannot stand in <{tei.tag_of(element)}>"
                here = ", ".join(sorted(allowed.children)) or "no element"
                yield document.problem(child, what, f"what may stand there: {here}")


def every_attribute_is_known(document: Document) -> Iterator[Problem]:
    """Only the attributes of our profile."""
    if not tei.is_tei(document):
        return
    for element, allowed in _walk_profile(document):
        for attribute in map(tei.short_name, map(str, element.attrib)):
            if attribute not in allowed.attributes:
                otherwise = f"it may bear: {', '.join(sorted(allowed.attributes)) or 'nothing'}"
                what = f"<{tei.tag_of(element)}> bears no {attribute}"
                yield document.problem(element, what, suggest_in_quotes(attribute, allowed.attributes, otherwise))


def what_is_needed_is_there(document: Document) -> Iterator[Problem]:
    """Every emendation says who, how sure and why; a page has its number, a foreign word its language."""
    for element in document.all(*_REQUIRED_ATTRIBUTES):
        for attribute in _REQUIRED_ATTRIBUTES[tei.tag_of(element)]:
            if not tei.get_attribute(element, tei.long_name(attribute)).strip():
                what = f"<{tei.tag_of(element)}> has no {attribute}"
                yield document.problem(element, what, f'add {attribute}="..."')


def closed_lists_are_kept(document: Document) -> Iterator[Problem]:
    """Certainty and evidence are said in the agreed words."""
    for element in document.all("corr", "reg", "unclear", "supplied", "sic", "pb", "date"):
        for attribute, values in CLOSED_LISTS.items():
            value = element.get(attribute)
            if value is not None and value not in values:
                what = f'{attribute}="{value}" is not one of the agreed words'
                way_out = suggest_in_quotes(str(value), values, f"use {', '.join(values)}")
                yield document.problem(element, what, way_out)


def every_word_stands_in_a_sentence(document: Document) -> Iterator[Problem]:
    """Between sentences there is white space only."""
    for text in document.all("text"):
        for element in text.iter(f"{tei.TEI_PREFIX}*"):
            inside = tei.tag_of(element) == "s" or tei.stands_within(element, "s")
            loose = [] if inside else [element.text, *(child.tail for child in element)]
            for words in filter(None, (str(run or "").strip() for run in loose)):
                what = f"words outside <s>: {quote_value(words)}"
                yield document.problem(element, what, "put them into a sentence")


def every_sentence_says_something(document: Document) -> Iterator[Problem]:
    """No sentence is empty."""
    for element in document.all("s"):
        if not any(has_words(part) for part in parts_within(element, TextPart("text"))):
            yield document.problem(element, "an empty sentence", "take it out, or put its words in")


def text_ids_are_given_once(document: Document) -> Iterator[Problem]:
    """An id names one thing."""
    bearers = [
        element for element in document.root.iter(f"{tei.TEI_PREFIX}*") if tei.get_attribute(element, tei.XML_ID)
    ]
    counted = Counter(tei.get_attribute(element, tei.XML_ID) for element in bearers)
    first: set[str] = set()
    for element in bearers:
        name = tei.get_attribute(element, tei.XML_ID)
        if name in first:
            what = f"the id {name} stands {counted[name]} times"
            yield document.problem(element, what, "give it a new one")
        first.add(name)


def text_ids_are_well_formed(document: Document) -> Iterator[Problem]:
    """Sentences are SIG.s0001, emendations SIG.e01."""
    siglum = tei.get_attribute(document.root, tei.XML_ID)
    for element in document.all(*_NUMBERED_ELEMENTS):
        letter, digits = _NUMBERED_ELEMENTS[tei.tag_of(element)]
        name = tei.get_attribute(element, tei.XML_ID)
        if not re.fullmatch(rf"{re.escape(siglum)}\.{letter}{digits}", name) and (name or letter == "s"):
            shape = f"{siglum}.{letter}0001"[: -2 if letter == "e" else None]
            what = f"<{tei.tag_of(element)}> has the id {quote_value(name)}"
            yield document.problem(element, what, f"write it like {shape}")


def ids_follow_the_text(document: Document) -> Iterator[Problem]:
    """Sentences are numbered in the order of the text; an emendation that was found later has the next free number."""
    elements = [element for element in document.all("s") if tei.get_attribute(element, tei.XML_ID)]
    for before, after in pairwise(elements):
        if tei.get_attribute(after, tei.XML_ID) < tei.get_attribute(before, tei.XML_ID):
            what = f"{tei.get_attribute(after, tei.XML_ID)} comes after {tei.get_attribute(before, tei.XML_ID)}"
            yield document.problem(after, what, "number in the order of the text")


def pages_follow_each_other(document: Document) -> Iterator[Problem]:
    """Page numbers of one printing rise by one, by more behind a gap; brackets count what the page does not print."""
    numbered = [element for element in document.all("pb") if tei.get_attribute(element, "n")]
    marks = [element for element in document.all("pb", "gap") if tei.tag_of(element) == "gap" or element in numbered]
    behind_gaps = {two for one, two in pairwise(marks) if tei.tag_of(one) == "gap" and not (one.tail or "").strip()}
    for element in numbered:
        if parse_page(element) is None:
            what = f"page {quote_value(tei.get_attribute(element, 'n'))} is no number"
            yield document.problem(element, what, 'write n="5", n="[5]", or n="New York 1830, 5" for another printing')
    for before, after in pairwise(numbered):
        first, second = parse_page(before), parse_page(after)
        jumped = after in behind_gaps and second and first and second[1] > first[1]  # pages between are left out
        if first and second and first[0] == second[0] and second[1] != first[1] + 1 and not jumped:
            what = f"page {tei.get_attribute(after, 'n')} follows page {tei.get_attribute(before, 'n')}"
            way_out = (
                f"should it be {first[1] + 1}? If pages are left out before it, say so there: [... pages left out] in "
                'text.txt, <gap reason="pages left out"/> in text.xml; if it is of another printing, name that: '
                "London 1830, 5"
            )
            yield document.problem(after, what, way_out)


_PAGE = re.compile(r"(?:(?P<printing>[^\W\d_][^\[\],]*),\s*)?(?:\[(?P<counted>\d{1,9})\]|(?P<printed>\d{1,9}))")


def parse_page(element: etree._Element) -> tuple[str, int] | None:
    """Return the printing of a page, empty for that of the text, and its number, brackets or not."""
    match = _PAGE.fullmatch(tei.get_attribute(element, "n"))
    return (match["printing"] or "", int(match["counted"] or match["printed"])) if match else None


def a_choice_has_two_sides(document: Document) -> Iterator[Problem]:
    """A choice is between sic and corr, or between orig and reg, and they differ."""
    for element in document.all("choice"):
        sides = [tei.tag_of(child) for child in element]
        if len(sides) != 2 or set(sides) not in PAIRS:
            what = f"a choice between {', '.join(sides) or 'nothing'}"
            yield document.problem(element, what, "give sic and corr, or orig and reg, once each")
        elif tei.words_within(element[0]) == tei.words_within(element[1]):
            yield document.problem(element, "a choice between equals", "take it out, or correct one side")


def pointers_resolve(document: Document) -> Iterator[Problem]:
    """Every pointer has its target."""
    known = {tei.get_attribute(element, tei.XML_ID) for element in document.root.iter(f"{tei.TEI_PREFIX}*")} - {""}
    for element in document.root.iter(f"{tei.TEI_PREFIX}*"):
        for pointer in " ".join(tei.get_attribute(element, key) for key in POINTERS).split():
            if pointer.startswith("#") and pointer[1:] not in known:
                way_out = suggest_in_quotes(pointer[1:], known, "give the id that it means, or declare it")
                yield document.problem(element, f"{pointer} points to nothing", way_out)


def languages_are_declared(document: Document) -> Iterator[Problem]:
    """Every language that is used is listed in the header."""
    declared = {tei.get_attribute(element, "ident") for element in document.all("language")}
    for element in document.root.iter(f"{tei.TEI_PREFIX}*"):
        used = tei.get_attribute(element, tei.XML_LANG)
        if used and used not in declared:
            what = f'xml:lang="{used}" is not declared'
            yield document.problem(element, what, suggest_in_quotes(used, declared, "list it in langUsage"))


def the_header_tells_what_was_mended(document: Document) -> Iterator[Problem]:
    """Silent emendations are stated once, in the header."""
    if not any(tei.words_within(element) for element in document.all("correction")):
        what = "the header does not tell what was mended"
        yield document.problem(document.root, what, "say it in <correction>")


def text_letters_are_fit(document: Document) -> Iterator[Problem]:
    """Files are NFC, with line ends LF and no byte order mark; all letters can be seen, also those of &#...;."""
    for number, line in enumerate(document.letters.split("\n"), 1):
        if line.startswith("\ufeff") or "\r" in line:
            what = "has a byte order mark or a carriage return"
            yield Problem(document.file, number, 1, what, "save as UTF-8, LF")
        elif letter := find_unfit_letter(line):
            yield Problem(document.file, number, letter.at + 1, letter.what, letter.way_out)
    if "&#" in document.letters:
        for element in document.root.iter():
            texts = (element.text, element.tail, *element.attrib.values())
            for letter in filter(None, (find_unfit_letter(str(text or "")) for text in texts)):
                yield document.problem(element, letter.what, letter.way_out)


def apostrophes_are_straight(document: Document) -> Iterator[Problem]:
    """A transcription writes one kind of apostrophe, so that quotations can be found again."""
    for element in document.all("s"):
        if "’" in "".join(str(run) for run in element.itertext()):
            yield document.problem(element, "a typographic apostrophe", "write '")


DocumentCheck = Callable[[Document], Iterator[Problem]]

COMMON_DOCUMENT_CHECKS: tuple[DocumentCheck, ...] = (
    every_element_is_in_its_place,
    every_attribute_is_known,
    what_is_needed_is_there,
    closed_lists_are_kept,
    every_word_stands_in_a_sentence,
    every_sentence_says_something,
    text_ids_are_given_once,
    a_choice_has_two_sides,
    pointers_resolve,
    languages_are_declared,
    text_letters_are_fit,
)
TEXT_CHECKS: tuple[DocumentCheck, ...] = (
    *COMMON_DOCUMENT_CHECKS,
    text_ids_are_well_formed,
    ids_follow_the_text,
    pages_follow_each_other,
    the_header_tells_what_was_mended,
    apostrophes_are_straight,
)


# --- checks that need the text beside its translation -------------------------------------------


def every_sentence_is_translated_once(document: Document, text: Text) -> Iterator[Problem]:
    """Nothing is left untranslated, nothing translated twice."""
    counts = Counter(tei.get_target_id(element) for element in document.all("s"))
    for name in text.sentences:
        if name not in counts:
            here = place_for_translation(document, text, name)
            yield document.problem(here, f"{name} is not translated", "add its translation")
    for element in document.all("s"):
        if counts[tei.get_target_id(element)] > 1 and tei.get_target_id(element) in text.sentences:
            what = f"{tei.get_target_id(element)} is translated {counts[tei.get_target_id(element)]} times"
            yield document.problem(element, what, "keep one <s> for every sentence")


def place_for_translation(document: Document, text: Text, name: str) -> etree._Element:
    """Return where a missing translation should stand: after the last sentence that comes before it."""
    names = list(text.sentences)
    before = set(names[: names.index(name)])
    earlier = [element for element in document.all("s") if tei.get_target_id(element) in before]
    return earlier[-1] if earlier else document.root


def every_translation_points_home(document: Document, text: Text) -> Iterator[Problem]:
    """A translated sentence says which sentence it translates."""
    for element in document.all("s"):
        pointer = tei.get_attribute(element, "corresp")
        if not pointer.startswith("text.xml#") or tei.get_target_id(element) not in text.sentences:
            otherwise = f'write corresp="text.xml#{text.siglum}.s0001"'
            what = f"corresp={quote_value(pointer)} is no sentence of {text.siglum}"
            yield document.problem(
                element, what, suggest_in_quotes(tei.get_target_id(element), text.sentences, otherwise)
            )


def translations_follow_the_text(document: Document, text: Text) -> Iterator[Problem]:
    """The translation keeps the order of the text."""
    order = {name: at for at, name in enumerate(text.sentences)}
    elements = [element for element in document.all("s") if tei.get_target_id(element) in order]
    for before, after in pairwise(elements):
        if order[tei.get_target_id(after)] < order[tei.get_target_id(before)]:
            what = f"{tei.get_target_id(after)} is translated after {tei.get_target_id(before)}"
            yield document.problem(after, what, "keep the order of the text")


TRANSLATION_CHECKS: tuple[Callable[[Document, Text], Iterator[Problem]], ...] = (
    every_sentence_is_translated_once,
    every_translation_points_home,
    translations_follow_the_text,
)
