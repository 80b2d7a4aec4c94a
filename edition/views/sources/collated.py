"""A sentence with its variants among its words, and how far each witness reaches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from rulebook.text import Sentence
from rulebook.witnesses.model import WitnessVariant
from rulebook.witnesses.words import find_word_spans

#: Kinds that are shown among the words, and those of them of which the reading itself stands there.
_SHOWN_KINDS = ("substantive", "misprint", "orthography", "punctuation")
_WRITTEN_KINDS = ("substantive", "misprint")


@dataclass(frozen=True, slots=True)
class WitnessReading:
    """Words of a witness in a place."""

    witness: str
    kind: str
    theirs: str

    @property
    def written(self) -> bool:
        """True if it stands among the words."""
        return self.kind in _WRITTEN_KINDS


@dataclass(frozen=True, slots=True)
class CollatedRun:
    """A run of words of our copy, with what the witnesses have in its place; nothing where they have the same."""

    words: str
    readings: tuple[WitnessReading, ...] = ()
    limit: str = ""  #: that a witness begins or ends here, in place of words
    page: str = ""  #: the page of our copy that begins here, in place of words


@dataclass(frozen=True, slots=True)
class WitnessReach:
    """A witness of a text, and the sentences between which it was consulted."""

    siglum: str
    lang: str
    title: str
    year: str
    first: str
    last: str


def list_reaches(corpus: Corpus, siglum: str) -> tuple[WitnessReach, ...]:
    """Every witness of a source, with its reach."""
    witnesses = (collation.witness for collation in read_collations(corpus).get(siglum, ()))
    return tuple(
        WitnessReach(witness.siglum, witness.lang, witness.title, witness.year, witness.first, witness.last)
        for witness in witnesses
    )


def collate_sentence(corpus: Corpus, siglum: str, sentence: Sentence) -> tuple[CollatedRun, ...]:
    """Part a sentence, as our copy prints it, at its variants; empty if there is nothing to be shown."""
    text = sentence.diplomatic
    places = [
        (*_find_place(text, variant), WitnessReading(collation.witness.siglum, variant.kind, variant.theirs))
        for collation in read_collations(corpus).get(siglum, ())
        for variant in collation.variants
        if variant.sentence == sentence.id and variant.kind in _SHOWN_KINDS
    ]
    runs = _part_text(text, list(_join_overlapping(sorted(places, key=lambda place: place[:2]))))
    runs = _mark_pages(runs, find_page_breaks(sentence))
    limits = list(_list_limits(corpus, siglum, sentence))
    for at, limit in limits:
        runs = _insert_limit(runs, at, limit)
    return tuple(runs) if places or limits else ()


def find_page_breaks(sentence: Sentence) -> tuple[tuple[int, str], ...]:
    """Find where in the printed words pages begin, but for one that begins with the sentence: the margin says that.

    Letters are counted and not spaces, of which the file has others around a break than the words have in the end.
    """
    letters = [at for at, letter in enumerate(sentence.diplomatic) if not letter.isspace()]
    breaks, met = list[tuple[int, str]](), 0
    for part in sentence.parts:
        met += sum(not letter.isspace() for letter in part.text)
        if part.n and met:
            before_next = part.kind == "pb" and met < len(letters)  # else it begins within the word before
            breaks.append((letters[met] if before_next else letters[met - 1] + 1, part.n))
    return tuple(breaks)


def _mark_pages(runs: Iterable[CollatedRun], breaks: Iterable[tuple[int, str]]) -> Iterator[CollatedRun]:
    """Put the beginnings of pages among the runs; one within a variant stands after it."""
    at, left = 0, deque(breaks)
    for run in runs:
        words = run.words
        while left and (left[0][0] <= at or (not run.readings and left[0][0] < at + len(words))):
            begin, page = left.popleft()
            head = max(begin - at, 0)
            if head:
                yield CollatedRun(words[:head])
            yield CollatedRun("", page=page)
            words, at = words[head:], at + head
        if words or run.readings:
            yield replace(run, words=words)
        at += len(words)
    yield from (CollatedRun("", page=page) for _, page in left)


def _list_limits(corpus: Corpus, siglum: str, sentence: Sentence) -> Iterator[tuple[int, CollatedRun]]:
    """Yield where in a sentence a witness begins or ends: after how many letters."""
    text = sentence.diplomatic
    spans = find_word_spans(text)
    for collation in read_collations(corpus).get(siglum, ()):
        before, after = collation.unseen_ends
        name = collation.witness.siglum
        if sentence.id == collation.witness.first:
            yield spans[before][0] if before else 0, CollatedRun("", limit=f"{name} begins here")
        if sentence.id == collation.witness.last:
            yield spans[-after - 1][1] if after else len(text), CollatedRun("", limit=f"{name} ends here")


def _insert_limit(runs: Iterable[CollatedRun], at: int, limit: CollatedRun) -> Iterator[CollatedRun]:
    """Insert the limit of a witness after so many letters; words that have a reading beside them are not parted."""
    left, placed = at, False
    for run in runs:
        size = len(run.words)
        if not placed and (left == 0 or left < size) and (left == 0 or not run.readings):
            placed = True
            if left:
                yield CollatedRun(run.words[:left])
            yield limit
            run = replace(run, words=run.words[left:])
        left -= min(size, left)
        yield run
    if not placed:
        yield limit


def _find_place(text: str, variant: WitnessVariant) -> tuple[int, int]:
    """Find where the words of a variant begin and end; of words that only the witness has, where they would stand."""
    spans = find_word_spans(text)
    size = max(variant.sizes[0], int(variant.kind == "punctuation"))
    first = variant.word - 1
    begin = spans[first][0] if first < len(spans) else len(text)
    if not size:
        return begin, begin
    last = first + size
    after = spans[last][0] if last < len(spans) else len(text)
    end = begin + len(text[begin:after].rstrip()) if variant.kind == "punctuation" else spans[last - 1][1]
    return begin, end


_Place = tuple[int, int, tuple[WitnessReading, ...]]


def _join_overlapping(places: Iterable[tuple[int, int, WitnessReading]]) -> Iterator[_Place]:
    """Join the places that overlap, with all their readings."""
    begin, end, readings = -1, -1, list[WitnessReading]()
    for first, last, reading in places:
        if readings and first < end:
            end = max(end, last)
            readings.append(reading)
            continue
        if readings:
            yield begin, end, tuple(readings)
        begin, end, readings = first, last, [reading]
    if readings:
        yield begin, end, tuple(readings)


def _part_text(text: str, places: Sequence[_Place]) -> Iterator[CollatedRun]:
    at = 0
    for begin, end, readings in places:
        if at < begin:
            yield CollatedRun(text[at:begin])
        yield CollatedRun(text[begin:end], readings)
        at = end
    if at < len(text):
        yield CollatedRun(text[at:])
