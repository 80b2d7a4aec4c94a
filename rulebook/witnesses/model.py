"""Records of a witness, of its variants and of what it says of our emendations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulebook.display import format_repr
from rulebook.text import TextPart

#: Kind of a variant -> its meaning.
WITNESS_VARIANT_KINDS: Mapping[str, str] = {
    "substantive": "another word, or a word more or less",
    "misprint": "a misprint of our copy or of the witness",
    "orthography": "the same word, spelt otherwise",
    "ocr": "the same word, misread by the machine that read the witness",
    "punctuation": "the same word, followed by another mark",
}
NO_QUESTION = "none"  #: in place of the questions that a variant moves


@dataclass(frozen=True, slots=True)
class Judgement:
    """The kind of a variant as an editor gives it, with the reason."""

    sentence: str
    kind: str
    ours: str
    theirs: str
    reason: str
    by: str
    moves: tuple[str, ...]  #: ids of the questions whose answer it would change; none if it changes none
    weighed: str  #: why it moves these, or none; empty where nobody has asked
    line: int


@dataclass(frozen=True, slots=True)
class WitnessSentence:
    """The words of a witness that correspond to a sentence of ours, or to none."""

    id: str  #: of our sentence; its own where it has no counterpart
    matched: bool
    parts: tuple[TextPart, ...]
    line: int


@dataclass(frozen=True)
class Witness:
    """A witness of a text, as far as it was consulted."""

    siglum: str
    source: str
    lang: str
    title: str
    about: str
    date: str
    year: str
    first: str  #: sentence with which the consulted stretch begins
    last: str  #: sentence with which it ends
    scope: str
    seen: str
    corrected: str
    hands: Mapping[str, tuple[str, str]] = field(repr=False)  #: id -> what it did, and its name
    sentences: tuple[WitnessSentence, ...] = field(repr=False)
    judgements: tuple[Judgement, ...] = field(repr=False)
    file: str = ""
    not_before: str = ""  #: year before which it was not printed, where that is all that is known

    def __repr__(self) -> str:
        return format_repr(self, f"{self.siglum} of {self.source}: {self.first} to {self.last}")


@dataclass(frozen=True, slots=True)
class WitnessVariant:
    """A place at which our copy and a witness differ."""

    sentence: str
    word: int  #: place of the first word among those of our sentence, from 1
    kind: str  #: one of WITNESS_VARIANT_KINDS; empty where nobody has judged it
    ours: str
    theirs: str
    sizes: tuple[int, int]  #: number of words here and there
    why: str  #: the rule of spelling, or the editor's reason
    by: str = ""  #: the hand that judged it; empty where a rule did
    transcribed: str = ""  #: what the transcription of the witness has, where we read otherwise
    emendation: str = ""
    moves: tuple[str, ...] = ()
    weighed: str = ""
    line: int = 0  #: of the sentence in the file of the witness


@dataclass(frozen=True, slots=True)
class Collation:
    """A witness beside our text: every word of it accounted for."""

    witness: Witness
    words: int  #: of the witness
    same: int  #: letter by letter, as the transcription has them
    corrected: int  #: words in which we read otherwise than the transcription
    unseen_ends: tuple[int, int]  #: words of ours, in its first and in its last sentence, that were not consulted
    variants: tuple[WitnessVariant, ...]
    verdicts: Mapping[str, str]  #: emendation of ours -> `borne out`, `refuted`

    @property
    def unseen(self) -> int:
        """Words of ours, at its ends, that were not consulted."""
        return sum(self.unseen_ends)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of variants of each kind."""
        by_kind = Counter(variant.kind for variant in self.variants)
        return {kind: by_kind[kind] for kind in WITNESS_VARIANT_KINDS}

    @property
    def words_of_kinds(self) -> Mapping[str, int]:
        """Number of words of the witness in the variants of each kind; a mark is no word."""
        by_kind = Counter[str]()
        for variant in self.variants:
            by_kind[variant.kind] += variant.sizes[1]
        return {kind: by_kind[kind] for kind in WITNESS_VARIANT_KINDS if kind != "punctuation"}

    @property
    def only_here(self) -> int:
        """Words of ours, within the part consulted, that the witness has not."""
        return sum(here for here, there in (variant.sizes for variant in self.variants) if not there)

    @property
    def only_there(self) -> int:
        """Words of the witness that our copy has not."""
        return sum(there for here, there in (variant.sizes for variant in self.variants) if not here)
