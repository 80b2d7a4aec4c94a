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
from rulebook.quotations import (
    count_occurrences,
    fingerprint_citation,
    list_loci,
    select_loci,
    words_at,
)
from rulebook.spelling import (
    LIGATURE_SPELLINGS,
    NO_TABLE,
    Spelling,
    WordTable,
    get_primary_language,
    in_case_of,
    simplify_letters,
)
from rulebook.strings import single_spaced

_MAX_SENTENCES = 5  #: sentences over which one quotation may go
LIKE = 0.75  #: how much alike two words must be to be taken for each other where nothing fits exactly
WIDER = 3  #: a piece has at most so many times the words sought
_LEAST_SHARE = 0.3  #: how much of it makes a sentence worth naming where nothing else is found
_MIN_SHARE = 0.6  #: how much of what was sought must be found, so that a sentence is offered at all


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
def _iter_letters(text: str, spelling: Spelling) -> Iterator[tuple[str, int, int]]:
    """Yield every letter in its bare form, with its place."""
    old = sorted(spelling.letters, key=lambda letter: (-len(letter), letter))
    pieces = re.compile("|".join([*map(re.escape, old), r"(?s:.)"]))
    for match in pieces.finditer(text):
        word = spelling.letters.get(match[0], match[0])
        shown = (
            " "
            if word.isspace()
            else simplify_letters("".join(LIGATURE_SPELLINGS.get(letter, letter) for letter in word))
        )
        yield from ((letter, match.start(), match.end()) for letter in shown)


def fold_with_origins(text: str, lang: str, spelling: Spelling) -> Folded:
    """Fold a text letter by letter for searching; stops and spaces count for nothing."""
    letters = list(_iter_letters(text, spelling))
    plain = "".join(letter for letter, _, _ in letters)
    table = spelling.folded.get(get_primary_language(lang), WordTable())
    return _strip_points(_modernise_words(plain, [(first, last) for _, first, last in letters], table))


def _strip_points(where: Folded) -> Folded:
    """Return the words alone, one space between any two."""
    words = [match.span() for match in re.finditer(r"\w+", where.text)]
    places = list[tuple[int, int]]()
    for first, last in words:
        places += [*([(where.origins[first][0],) * 2] if places else []), *where.origins[first:last]]
    return Folded(" ".join(where.text[first:last] for first, last in words), tuple(places))


def _modernise_words(plain: str, origins: Sequence[tuple[int, int]], table: WordTable) -> Folded:
    """Replace words by their modern forms, whose letters all came from the whole old word."""
    words, places, done = [], list[tuple[int, int]](), 0
    for match in table.pattern.finditer(plain) if table.pattern else ():
        new = in_case_of(match[0], table.words[match[0].lower()])
        words += [plain[done : match.start()], new]
        places += origins[done : match.start()]
        places += [(origins[match.start()][0], origins[match.end() - 1][1])] * len(new)
        done = match.end()
    return Folded("".join([*words, plain[done:]]), (*places, *origins[done:]))


def _find_words(sought: str, where: Folded) -> Iterator[tuple[int, int]]:
    """Yield every place of the text at which the words stand, whole words only."""
    for match in re.finditer(rf"(?<!\w){re.escape(sought)}(?!\w)", where.text):
        yield where.origins[match.start()][0], where.origins[match.end() - 1][1]


# ---- finding
class Searched:
    """A source made ready for searching: every sentence folded once, in every view."""

    def __init__(self, source: Source, spelling: Spelling = NO_TABLE) -> None:
        self.source, self.spelling, self.ids = source, spelling, list_loci(source)
        views = VIEWS if source.text else VIEWS[:1]
        self.views = {view: {id: self.fold(words_at(source, (id,), view)) for id in self.ids} for view in views}

    def fold(self, text: str) -> Folded:
        """Words of the source's language, or a reader's who seeks such."""
        return fold_with_origins(text, self.source.language, self.spelling)

    def row(self, ids: Sequence[str], view: str) -> Folded:
        """Some neighbours as one text; the way back goes to their words put together."""
        words, places, done = [], list[tuple[int, int]](), 0
        for id in ids:
            folded = self.views[view][id]
            places += [*([(done, done)] if places and folded.text else [])]
            places += [(first + done, last + done) for first, last in folded.origins]
            words += [folded.text] if folded.text else []
            done += len(words_at(self.source, (id,), view)) + 1
        return Folded(" ".join(words), tuple(places))


def find_passages(where: Searched, words: str) -> tuple[Passage, ...]:
    """Find where a source says this, in the order of its text; failing that, the nearest match."""
    sought = where.fold(words).text
    if not sought:
        return ()
    if where.source.text is None:
        return tuple(_find_statements(where, words))
    return tuple(_find_exact(where, sought)) or tuple(_find_nearest(where, sought.split()))


def _find_exact(where: Searched, sought: str) -> Iterator[Passage]:
    """Yield every place where the words stand in a row, over the end of a sentence if need be."""
    for length in range(1, _MAX_SENTENCES + 1):
        views = [view for ids in _iter_neighbours(where.ids, length) for view in _find_in_views(where, ids, sought)]
        if views:
            yield from views
            return


def _iter_neighbours(ids: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(ids[at : at + length]) for at in range(len(ids) - length + 1))


def _find_in_views(where: Searched, ids: tuple[str, ...], sought: str) -> Iterator[Passage]:
    """Find the words in these sentences, in the first view in which they stand."""
    for view in where.views:
        places = dict.fromkeys(_find_words(sought, where.row(ids, view)))
        if places:
            yield from (_build_passage(where.source, ids, view, first, last) for first, last in places)
            return


def _build_passage(source: Source, ids: tuple[str, ...], view: str, first: int, last: int) -> Passage:
    page = source.text.sentences[ids[0]].page if source.text else ""
    return Passage(cite_words(source, ids, view, first, last), page or "")


def cite_words(source: Source, ids: tuple[str, ...], view: str, first: int, last: int) -> Cite:
    """Cite a piece of these sentences, from one letter to another, framed where it stands there twice."""
    text = words_at(source, ids, view)
    to = ids[-1] if len(ids) > 1 else ""
    cite = Cite(ids[0], to, text[first:last], view=view)
    return _add_fingerprint(source, _frame_quotation(source, cite, text[:first].split(), text[last:].split()))


def _frame_quotation(source: Source, cite: Cite, before: list[str], after: list[str]) -> Cite:
    """Add the words before or behind a quotation that it takes to stand there once."""
    for size in range(max(len(before), len(after)) + 1):
        prefix, suffix = " ".join(before[max(len(before) - size, 0) :]), " ".join(after[:size])
        for candidate in (
            replace(cite, suffix=suffix),
            replace(cite, prefix=prefix),
            replace(cite, prefix=prefix, suffix=suffix),
        ):
            if count_occurrences(source, candidate, candidate.view) == 1:
                return candidate
    return cite


def _add_fingerprint(source: Source, cite: Cite) -> Cite:
    return replace(cite, seen=fingerprint_citation(source, cite))


# ---- what comes nearest
def _find_nearest(where: Searched, sought: Sequence[str]) -> Iterator[Passage]:
    """Yield the shortest piece with most of the words sought, in the sentences that have them."""
    texts = where.views["diplomatic"]
    weighed = [(*_measure_share(texts[id], sought), id) for id in where.ids]
    best = sorted((piece for piece in weighed if piece[0] >= _MIN_SHARE), key=lambda piece: -piece[0])
    for share, first, last, id in best[:_MAX_SENTENCES]:
        yield replace(_build_passage(where.source, (id,), "diplomatic", first, last), share=share, near=True)


def find_closest(where: Searched, words: str) -> Passage | None:
    """Find the piece with most of the words sought, where it has too few to be a match, or goes over a full stop."""
    sought, best, passage = where.fold(words).text.split(), 0.0, None
    for length, least in ((1, _LEAST_SHARE), (2, _MIN_SHARE)) if where.source.text else ():
        for ids in _iter_neighbours(where.ids, length):
            share, first, last = _measure_share(where.row(ids, "diplomatic"), sought)
            if share > max(best, least) and share * len(sought) > 1:  # one word alone says nothing
                best, passage = (
                    share,
                    replace(_build_passage(where.source, ids, "diplomatic", first, last), share=share),
                )
    return replace(passage, near=True) if passage else None


def _measure_share(there: Folded, sought: Sequence[str]) -> tuple[float, int, int]:
    """Measure the share of the words sought that a sentence has, and their span."""
    known = [(match[0], *match.span()) for match in re.finditer(r"\w+", there.text)]
    alike = [[_compute_likeness(word, other) for other, _, _ in known] for word in sought]
    share, _, first, last = max(_iter_windows(alike, len(known)), default=(0.0, 0, 0, 0))
    if not share:
        return 0.0, 0, 0
    return share / len(sought), there.origins[known[first][1]][0], there.origins[known[last][2] - 1][1]


def _iter_windows(alike: Sequence[Sequence[float]], size: int) -> Iterator[tuple[float, int, int, int]]:
    """Yield pieces between words sought: how many they hold, how short, from where to where."""
    hits = [at for at in range(size) if any(row[at] >= LIKE for row in alike)]
    for first in hits:
        for last in (at for at in hits if first <= at < first + WIDER * len(alike)):
            best = (max(row[first : last + 1]) for row in alike)
            yield sum(likeness for likeness in best if likeness >= LIKE), first - last, first, last


def _compute_likeness(word: str, other: str) -> float:
    """Return the similarity of two words, up to 1; a short one must be the same."""
    if word == other:
        return 1.0
    return SequenceMatcher(None, word, other, autojunk=False).ratio() if min(len(word), len(other)) > 3 else 0.0


# ---- sources that are told in our own words
def _find_statements(where: Searched, words: str) -> Iterator[Passage]:
    """Yield the statements in which the words stand, with a quotation if there is one."""
    source, sought = where.source, where.fold(words).text
    for statement in source.statements:
        places = list(_find_words(sought, where.fold(single_spaced(statement.quote))))
        if places:
            yield from (_build_passage(source, (statement.id,), "diplomatic", first, last) for first, last in places)
        elif any(_find_words(sought, where.fold(statement.text))):
            yield Passage(_add_fingerprint(source, Cite(statement.id)), "")


# ---- ready to be pasted
def format_citation_yaml(cite: Cite) -> str:
    """Format a citation as it stands in clauses.yaml."""
    rows = [
        ("locus", cite.locus),
        ("to", cite.to),
        ("seen", cite.seen),
        *((name, quote_for_yaml(text)) for name in ("exact", "prefix", "suffix") if (text := getattr(cite, name))),
        ("view", cite.view if cite.view != "diplomatic" else ""),
        ("role", cite.role),
    ]
    lines = [f"{name}: {text}" for name, text in rows if text]
    return "\n".join(f"    {'- ' if at == 0 else '  '}{line}" for at, line in enumerate(lines))


def get_passage_sentence(source: Source, passage: Passage) -> str:
    """Return the sentence in which a passage stands."""
    return words_at(source, select_loci(source, passage.cite.locus, passage.cite.to), passage.cite.view)
