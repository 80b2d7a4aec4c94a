"""Finding the words of a source by what a reader remembers of them, ready to be cited.

Sought and searched are folded alike, so today's spelling finds the old one; what comes back are the letters of the
source, with their sentence and its fingerprint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from rulebook.io.strict_yaml import quote_for_yaml
from rulebook.model import VIEWS, Cite, Source
from rulebook.quotations import collapse_spaces, fingerprint_citation, loci, occurrences, select_loci, words_at
from rulebook.spelling import LIGATURES, NO_TABLE, Spelling, WordTable, bare, in_case_of, language

MOST = 5  #: sentences over which one quotation may go
LIKE = 0.75  #: how much alike two words must be to be taken for each other where nothing fits exactly
WIDER = 3  #: a piece has at most so many times the words sought
ENOUGH = 0.6  #: how much of what was sought must be found, so that a sentence is offered at all


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the one form for every spelling, and from which letters of the text each of its letters came."""

    text: str
    origins: tuple[tuple[int, int], ...]  #: first letter, and the one after the last


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a source as they can be cited, and how well they answer to what was sought."""

    cite: Cite
    page: str  #: of the copy, where the transcription marks pages
    share: float = 1  #: of the words sought that stand there, or nearly
    near: bool = False  #: whether they do not stand there just so, in a row


# ---- folding, with the way back
def letters(text: str, spelling: Spelling) -> Iterator[tuple[str, int, int]]:
    """Every letter in its bare form, with its place."""
    old = sorted(spelling.letters, key=lambda one: (-len(one), one))
    pieces = re.compile("|".join([*map(re.escape, old), r"(?s:.)"]))
    for found in pieces.finditer(text):
        word = spelling.letters.get(found[0], found[0])
        shown = " " if word.isspace() else bare("".join(LIGATURES.get(one, one) for one in word))
        yield from ((one, found.start(), found.end()) for one in shown)


def folded(text: str, lang: str, spelling: Spelling) -> Folded:
    """The words by which a text is searched, letter by letter; stops and spaces count for nothing."""
    found = list(letters(text, spelling))
    plain = "".join(one for one, _, _ in found)
    table = spelling.folded.get(language(lang), WordTable())
    return unpointed(exchanged(plain, [(first, last) for _, first, last in found], table))


def unpointed(where: Folded) -> Folded:
    """The words alone, one space between any two."""
    words = [found.span() for found in re.finditer(r"\w+", where.text)]
    places = list[tuple[int, int]]()
    for first, last in words:
        places += [*([(where.origins[first][0],) * 2] if places else []), *where.origins[first:last]]
    return Folded(" ".join(where.text[first:last] for first, last in words), tuple(places))


def exchanged(plain: str, origins: Sequence[tuple[int, int]], table: WordTable) -> Folded:
    """The words of the table for their modern forms; the letters of a new word all came from the whole old one."""
    words, places, done = [], list[tuple[int, int]](), 0
    for found in table.pattern.finditer(plain) if table.pattern else ():
        new = in_case_of(found[0], table.words[found[0].lower()])
        words += [plain[done : found.start()], new]
        places += origins[done : found.start()]
        places += [(origins[found.start()][0], origins[found.end() - 1][1])] * len(new)
        done = found.end()
    return Folded("".join([*words, plain[done:]]), (*places, *origins[done:]))


def within(sought: str, where: Folded) -> Iterator[tuple[int, int]]:
    """Every place of the text at which the words stand, whole words only."""
    for found in re.finditer(rf"(?<!\w){re.escape(sought)}(?!\w)", where.text):
        yield where.origins[found.start()][0], where.origins[found.end() - 1][1]


# ---- finding
class Searched:
    """A source made ready for searching: every sentence folded once, in every view."""

    def __init__(self, source: Source, spelling: Spelling = NO_TABLE) -> None:
        self.source, self.spelling, self.ids = source, spelling, loci(source)
        views = VIEWS if source.text else VIEWS[:1]
        self.views = {view: {id: self.fold(words_at(source, (id,), view)) for id in self.ids} for view in views}

    def fold(self, text: str) -> Folded:
        """Words of the source's language, or a reader's who seeks such."""
        return folded(text, self.source.language, self.spelling)

    def row(self, ids: Sequence[str], view: str) -> Folded:
        """Some neighbours as one text; the way back goes to their words put together."""
        words, places, done = [], list[tuple[int, int]](), 0
        for id in ids:
            one = self.views[view][id]
            places += [*([(done, done)] if places and one.text else [])]
            places += [(first + done, last + done) for first, last in one.origins]
            words += [one.text] if one.text else []
            done += len(words_at(self.source, (id,), view)) + 1
        return Folded(" ".join(words), tuple(places))


def passages(where: Searched, words: str) -> tuple[Passage, ...]:
    """Where a source says this, in the order of its text; where it nowhere does, what comes nearest to it."""
    sought = where.fold(words).text
    if not sought:
        return ()
    if where.source.text is None:
        return tuple(stated(where, words))
    return tuple(quoted(where, sought)) or tuple(nearest(where, sought.split()))


def quoted(where: Searched, sought: str) -> Iterator[Passage]:
    """Every place where the words stand in a row: within a sentence, or else over the end of one."""
    for length in range(1, MOST + 1):
        found = [one for ids in rows(where.ids, length) for one in standing(where, ids, sought)]
        if found:
            yield from found
            return


def rows(ids: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """So many neighbours at a time."""
    return (tuple(ids[at : at + length]) for at in range(len(ids) - length + 1))


def standing(where: Searched, ids: tuple[str, ...], sought: str) -> Iterator[Passage]:
    """The words in these sentences, in the first of the views in which they stand."""
    for view in where.views:
        places = dict.fromkeys(within(sought, where.row(ids, view)))
        if places:
            yield from (passage(where.source, ids, view, first, last) for first, last in places)
            return


def passage(source: Source, ids: tuple[str, ...], view: str, first: int, last: int) -> Passage:
    """A piece of these sentences as it can be cited: framed by its neighbours where it stands there twice."""
    text = words_at(source, ids, view)
    to = ids[-1] if len(ids) > 1 else ""
    cite = framed(source, Cite(ids[0], to, text[first:last], view=view), text[:first].split(), text[last:].split())
    return Passage(sealed(source, cite), page_of(source, ids[0]))


def framed(source: Source, cite: Cite, before: list[str], after: list[str]) -> Cite:
    """The quotation with as many words before it, or behind it, as it takes to stand there once."""
    for size in range(max(len(before), len(after)) + 1):
        for prefix, suffix in (("", after[:size]), (before[len(before) - size :], ""), (before[-size:], after[:size])):
            one = replace(cite, prefix=" ".join(prefix), suffix=" ".join(suffix))
            if occurrences(source, one, one.view) == 1:
                return one
    return cite


def sealed(source: Source, cite: Cite) -> Cite:
    """The citation with the fingerprint of what is cited."""
    return replace(cite, seen=fingerprint_citation(source, cite))


def page_of(source: Source, id: str) -> str:
    """The page on which a sentence begins."""
    return (source.text.sentences[id].page or "") if source.text else ""


# ---- what comes nearest
def nearest(where: Searched, sought: Sequence[str]) -> Iterator[Passage]:
    """The sentences that have most of the words sought, and in them the shortest piece that holds those."""
    texts = where.views["diplomatic"]
    weighed = [(*held(texts[id], sought), id) for id in where.ids]
    best = sorted((one for one in weighed if one[0] >= ENOUGH), key=lambda one: -one[0])
    for share, first, last, id in best[:MOST]:
        yield replace(passage(where.source, (id,), "diplomatic", first, last), share=share, near=True)


def held(there: Folded, sought: Sequence[str]) -> tuple[float, int, int]:
    """How much of what is sought a sentence has, and from where to where."""
    known = [(found[0], *found.span()) for found in re.finditer(r"\w+", there.text)]
    alike = [[likeness(word, other) for other, _, _ in known] for word in sought]
    share, _, first, last = max(windows(alike, len(known)), default=(0.0, 0, 0, 0))
    if not share:
        return 0.0, 0, 0
    return share / len(sought), there.origins[known[first][1]][0], there.origins[known[last][2] - 1][1]


def windows(alike: Sequence[Sequence[float]], size: int) -> Iterator[tuple[float, int, int, int]]:
    """Every piece that begins and ends with a word sought: how many it holds, how short it is, from where to where."""
    hits = [at for at in range(size) if any(row[at] >= LIKE for row in alike)]
    for first in hits:
        for last in (at for at in hits if first <= at < first + WIDER * len(alike)):
            best = (max(row[first : last + 1]) for row in alike)
            yield sum(one for one in best if one >= LIKE), first - last, first, last


def likeness(one: str, other: str) -> float:
    """How much alike two words are; a short one must be the same."""
    if one == other:
        return 1.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio() if min(len(one), len(other)) > 3 else 0.0


# ---- sources that are told in our own words
def stated(where: Searched, words: str) -> Iterator[Passage]:
    """The statements in which the words stand; what is cited is the statement, and a quotation if it has one."""
    source, sought = where.source, where.fold(words).text
    for one in source.statements:
        places = list(within(sought, where.fold(collapse_spaces(one.quote))))
        if places:
            yield from (passage(source, (one.id,), "diplomatic", first, last) for first, last in places)
        elif any(within(sought, where.fold(one.text))):
            yield Passage(sealed(source, Cite(one.id)), "")


# ---- ready to be pasted
def as_yaml(cite: Cite, indent: str = "    ") -> str:
    """A citation as it stands in clauses.yaml."""
    rows = [
        ("locus", cite.locus),
        ("to", cite.to),
        ("seen", cite.seen),
        *((name, quote_for_yaml(text)) for name in ("exact", "prefix", "suffix") if (text := getattr(cite, name))),
        ("view", cite.view if cite.view != "diplomatic" else ""),
        ("role", cite.role),
    ]
    lines = [f"{name}: {text}" for name, text in rows if text]
    return "\n".join(f"{indent}{'- ' if at == 0 else '  '}{line}" for at, line in enumerate(lines))


def shown(source: Source, one: Passage) -> str:
    """The sentence in which a passage stands."""
    return words_at(source, select_loci(source, one.cite.locus, one.cite.to), one.cite.view)
