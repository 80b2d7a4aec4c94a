"""The parts of a sentence, and its three views: diplomatic, emended, reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from lxml import etree

from rulebook.spelling import Spelling, modernise_spelling
from rulebook.tei.document import TEI_PREFIX, XML_ID, XML_LANG, get_attribute, line_of_element, tag_of
from rulebook.text import TextPart

GAP_MARK = "[…]"  # what stands for a gap in every view
_WORD_JOINER = "\0"  # a page ends within a word; no XML file can hold this letter


def parts_within(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """The runs of an element in order; ``like`` says in what language and type they stand."""
    yield from bare_words(element.text, element, like)
    for child in element:
        yield from READERS_OF_PARTS.get(tag_of(child), parts_within)(child, like)
        yield from bare_words(child.tail, child, like)


def bare_words(words: str | None, where: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield bare words between two marks."""
    if words:
        yield replace(like, text=collapse_white_space(words), line=line_of_element(where))


def parts_of_hi(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield words that the page sets in another type."""
    return parts_within(element, replace(like, kind="hi", rend=get_attribute(element, "rend")))


def parts_of_foreign(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield words in another language."""
    return parts_within(element, replace(like, kind="foreign", lang=get_attribute(element, XML_LANG) or like.lang))


def parts_of_doubtful_words(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield words that cannot be read with certainty (`unclear`), or not at all and are the editor's (`supplied`)."""
    cert, reason, resp, evidence = (get_attribute(element, key) for key in ("cert", "reason", "resp", "evidence"))
    like = replace(like, kind=tag_of(element), cert=cert, reason=reason, resp=resp, evidence=evidence)
    return parts_within(element, like)


def parts_of_choice(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield a misprint with its emendation, or an old spelling with the new, and the page that begins within."""
    by_name = {tag_of(child): child for child in element}
    old = next((by_name[name] for name in ("sic", "orig") if name in by_name), None)
    new = next((by_name[name] for name in ("corr", "reg") if name in by_name), None)
    sic, corr = words_of_reading(old, like), words_of_reading(new, like)
    kind = "reg" if "reg" in by_name else "choice"
    page = next((get_attribute(broken, "n") for broken in element.iter(f"{TEI_PREFIX}pb")), "")
    part = replace(like, kind=kind, text=sic, sic=sic, corr=corr, n=page, line=line_of_element(element))
    if new is not None:
        resp, cert, evidence = (get_attribute(new, key) for key in ("resp", "cert", "evidence"))
        part = replace(part, id=get_attribute(new, XML_ID), resp=resp, cert=cert, evidence=evidence)
    yield part


def words_of_reading(element: etree._Element | None, like: TextPart) -> str:
    """Return the words that stand in a sic or a corr."""
    return "" if element is None else join_halves("".join(words_of_parts(parts_within(element, like), printed_words)))


def parts_of_gap(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield words that are lost."""
    yield replace(
        like, kind="gap", text=GAP_MARK, reason=get_attribute(element, "reason"), line=line_of_element(element)
    )


def parts_of_page_break(element: etree._Element, like: TextPart) -> Iterator[TextPart]:
    """Yield the beginning of a new page."""
    joins = element.get("break") == "no"
    yield TextPart("pb", n=get_attribute(element, "n"), lang=like.lang, joins=joins, line=line_of_element(element))


READERS_OF_PARTS: Mapping[str, Callable[[etree._Element, TextPart], Iterator[TextPart]]] = {
    "hi": parts_of_hi,
    "foreign": parts_of_foreign,
    "unclear": parts_of_doubtful_words,
    "supplied": parts_of_doubtful_words,
    "choice": parts_of_choice,
    "gap": parts_of_gap,
    "pb": parts_of_page_break,
}


def printed_words(part: TextPart) -> str:
    """Return what the page prints."""
    return part.text


def mended_words(part: TextPart) -> str:
    """Return what the page should have printed, in its own spelling."""
    return part.corr if part.kind == "choice" else part.text


def modernised_words(part: TextPart) -> str:
    """Return what the page should have printed, in our spelling where the table would fail."""
    return part.corr if part.kind in ("choice", "reg") else part.text


def words_of_parts(parts: Iterable[TextPart], words: Callable[[TextPart], str]) -> Iterator[str]:
    """Yield the words of every part; a page break parts words or joins their halves."""
    for part in parts:
        yield (_WORD_JOINER if part.joins else " ") if part.kind == "pb" else words(part)


def collapse_white_space(text: str) -> str:
    """Collapse line ends and indents of the file, which are no part of the text."""
    return re.sub(r"[ \t\r\n]+", " ", text)


def join_halves(text: str) -> str:
    """Put the halves of a word together that a page break parts."""
    return collapse_white_space(re.sub(rf"(?<!\s)\s*{_WORD_JOINER}\s*", "", text))


def show_view(parts: Iterable[TextPart], words: Callable[[TextPart], str]) -> str:
    """Return a sentence in one of its views."""
    return join_halves("".join(words_of_parts(parts, words))).strip(" ")


def reading_view(parts: Iterable[TextPart], spelling: Spelling) -> str:
    """A sentence mended and in today's spelling, every language by its own table."""
    runs = groupby(parts, key=lambda part: (part.lang, part.kind == "reg"))
    spelt = (
        text if final else modernise_spelling(text, lang, spelling)
        for (lang, final), group in runs
        for text in [join_halves("".join(words_of_parts(group, modernised_words)))]
    )
    return collapse_white_space("".join(spelt)).strip(" ")


def has_words(part: TextPart) -> bool:
    """Return whether a part has words, on the page or in its emendation."""
    return part.kind != "pb" and bool((part.text + part.corr).strip())


def trim_parts(parts: Iterable[TextPart]) -> tuple[TextPart, ...]:
    """Trim the white space before the first word and after the last."""
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


def is_emendation(part: TextPart) -> bool:
    """A misprint whose emendation can be cited."""
    return part.kind == "choice" and bool(part.id)
