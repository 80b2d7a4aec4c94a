"""The words of a sentence, by the one rule by which texts are collated.

A word is a run of letters and digits; hyphens within it belong to it (*soi-même*, one word), an apostrophe ends it
(*l'on*, two words), `&` is a word, a number is one word as it is printed (*10*, *dix*: two different words). Long s is
read as s. A word parted by a page or a line is one word. All else between two words are marks, which go with the word
before them, white space left out; marks before the first word of a sentence are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulebook.spelling import Spelling
from rulebook.tei.views import GAP_MARK, mended_words, show_view
from rulebook.text import Sentence, TextPart

_WORD = re.compile(r"&|[^\W_]+(?:-[^\W_]+)*'?")


@dataclass(frozen=True, slots=True)
class WitnessWord:
    """A word with the marks that follow it."""

    text: str
    marks: str | None = ""  #: None where the text behind it was not seen
    cut: bool = False  #: whether the witness breaks off within it
    transcribed: str = ""  #: what the transcription has in its place, where we read otherwise
    correction: int = -1  #: place of that correction among the parts of its sentence; -1 if there is none
    emendation: str = ""  #: of ours, in which it stands


@dataclass(frozen=True, slots=True)
class WordSequence:
    """The words of a sentence, and whether either end was not seen."""

    words: tuple[WitnessWord, ...]
    opens_lost: bool = False
    ends_lost: bool = False


def split_ours(sentence: Sentence, spelling: Spelling, view: Callable[[TextPart], str]) -> WordSequence:
    """Split a sentence of ours, in one of its views, into words."""
    return WordSequence(tuple(_iter_words(sentence.parts, spelling, view)))


def split_theirs(parts: Sequence[TextPart], spelling: Spelling) -> WordSequence:
    """Split a sentence of a witness, as we read it, into words."""
    text = show_view(parts, mended_words)
    words = tuple(_iter_words(parts, spelling, mended_words))
    return WordSequence(words, text.startswith(GAP_MARK), text.endswith(GAP_MARK))


def _iter_words(
    parts: Sequence[TextPart], spelling: Spelling, view: Callable[[TextPart], str]
) -> Iterator[WitnessWord]:
    text = show_view(parts, view)
    choices = tuple(_find_choices(parts, view))
    matches = list(_WORD.finditer(text))
    for at, match in enumerate(matches):
        end = matches[at + 1].start() if at + 1 < len(matches) else len(text)
        marks = text[match.end() : end]
        over = [(part, place) for place, part, start, stop in choices if start < match.end() and match.start() < stop]
        yield WitnessWord(
            _read_letters(match[0], spelling),
            None if GAP_MARK in marks else "".join(marks.split()),
            marks.startswith(GAP_MARK),
            " ".join(part.sic for part, _ in over if not part.id),
            next((place for part, place in over if not part.id), -1),
            next((part.id for part, _ in over if part.id), ""),
        )


def _find_choices(
    parts: Sequence[TextPart], view: Callable[[TextPart], str]
) -> Iterator[tuple[int, TextPart, int, int]]:
    """Find every choice: its place among the parts, and where it begins and ends in a view."""
    for at, part in enumerate(parts):
        if part.kind == "choice":
            yield at, part, len(show_view(parts[:at], view)), len(show_view(parts[: at + 1], view))


_APOSTROPHE = "'"  #: after one that we read no space follows; the machine has them for accents too


def find_word_spans(text: str) -> list[tuple[int, int]]:
    """Find where each word of a line begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


def _read_letters(word: str, spelling: Spelling) -> str:
    for old, new in spelling.letters.items():
        word = word.replace(old, new)
    return word


def join_words(words: Iterable[WitnessWord]) -> str:
    """Return words as they are printed: no space after an apostrophe."""
    return re.sub(r"' ", "'", " ".join(word.text for word in words))


def join_transcribed(words: Sequence[WitnessWord]) -> str:
    """Return the same words as the transcription has them, a correction of several once; empty if none is corrected."""
    if not any(word.transcribed for word in words):
        return ""
    shown: dict[int, str] = {}
    for at, word in enumerate(words):
        place = word.correction if word.transcribed else -1 - at
        shown[place] = f"{word.transcribed or word.text}{'' if word.text.endswith(_APOSTROPHE) else ' '}"
    return "".join(shown.values()).strip()
