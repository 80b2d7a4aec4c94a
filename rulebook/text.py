"""A source as transcribed and translated: sentences and their parts, emendations, blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.display import format_repr
from rulebook.problems import Stored


@dataclass(frozen=True, slots=True)
class TextPart(Stored):
    """A run of words on the page, or a mark among them.

    ``text`` is what the page prints; the texts of all parts make up the diplomatic view.
    In a `choice` it equals ``sic``, in a `reg` ``sic`` is the old spelling and ``corr`` the new.
    """

    kind: str  # text | choice | reg | unclear | supplied | gap | pb | hi | foreign
    text: str = ""
    sic: str = ""
    corr: str = ""
    id: str = ""
    resp: str = ""
    cert: str = ""
    evidence: str = ""
    reason: str = ""
    n: str = ""  # the page that begins here, or within this word
    lang: str = ""
    rend: str = ""
    joins: bool = False  # a page break within a word
    line: int = 0


@dataclass(frozen=True, slots=True)
class Emendation:
    """A misprint of the page and what we read instead."""

    id: str
    sentence: str
    sic: str
    corr: str
    resp: str
    cert: str
    evidence: str
    line: int


@dataclass(frozen=True, slots=True)
class Sentence(Stored):
    """A sentence of a source: the unit that everything else cites."""

    id: str
    kind: str  # text | heading | title
    lang: str
    page: str | None  # the page on which it begins
    pages: tuple[str, ...]  # every page on which it has words
    line: int
    diplomatic: str
    emended: str
    reading: str
    parts: tuple[TextPart, ...]
    emendations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block that holds sentences; a page break between blocks goes to the sentence that follows it."""

    kind: str  # text | front | body | div | head | p | list | item | label
    children: tuple[TextBlock | Sentence, ...]
    n: str = ""
    id: str = ""
    type: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """Metadata of a file, from the header before its text."""

    title: str
    responsible: Mapping[str, str]  # `ed1` -> who that is
    licences: tuple[str, ...]
    source: str
    languages: Mapping[str, str]
    mended: str  # what was mended silently
    practice: Mapping[str, str]  # every other editorial declaration, by its name


@dataclass(frozen=True, slots=True)
class Text:
    """A source as transcribed."""

    siglum: str
    lang: str
    sentences: Mapping[str, Sentence]
    emendations: Mapping[str, Emendation]
    body: TextBlock
    header: Header

    def __repr__(self) -> str:
        return format_repr(self, f"{self.siglum} ({self.lang}): {len(self.sentences)} sentences")


@dataclass(frozen=True, slots=True)
class Translated(Stored):
    """A sentence in translation, under the id of the sentence that it translates."""

    id: str
    text: str
    parts: tuple[TextPart, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Translation:
    """A source in another language, sentence by sentence."""

    siglum: str
    lang: str
    sentences: Mapping[str, Translated]
    header: Header

    def __repr__(self) -> str:
        return format_repr(self, f"{self.siglum} into {self.lang}: {len(self.sentences)} sentences")
