"""The shapes of the files on the history of the texts: the stemma, the attestations."""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rulebook.schema.records import Record
from rulebook.strings import single_spaced

PageAddress = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
SpacedText = Annotated[str, AfterValidator(single_spaced)]
Words = Annotated[str, Field(pattern=r"\S"), AfterValidator(single_spaced)]
EdgeKind = Literal["copied", "abridged", "translated", "shared ancestor", "possible"]
AgreementKind = Literal["wording", "order", "error", "difference", "statement"]
Certainty = Literal["high", "medium", "low"]


class AncestorRecord(Record):
    """A text that was not seen: inferred from others, or known by name only."""

    id: PageAddress  #: By which the edges name it: small letters, figures and hyphens.
    #: What stands beside its hollow mark in the tree: a letter or two.
    sign: Annotated[str, Field(min_length=1, max_length=4)]
    name: Words  #: What it is taken to be, in a few words.
    note: SpacedText = ""  #: What is known of it, and what is not.


class PassageRecord(Record):
    """Words of a source, or of a witness, that are evidence."""

    at: str  #: The sentence or statement; for a witness the sentence of ours to which it corresponds.
    exact: Words  #: Its words, letter for letter as printed; of a source in copyright, words of our statement.
    witness: str = ""  #: The siglum of the witness whose words they are; left out for a source.

    @property
    def text(self) -> str:
        """The source or the witness."""
        return self.witness or self.at.partition(".")[0]


class EvidenceRecord(Record):
    """One agreement, or one thing that a text says of itself."""

    #: In what the texts agree: wording, order or error; or their difference; or a statement of a text on itself.
    agreement: AgreementKind
    says: Words  #: What agrees, or differs, in a sentence.
    #: The words on all sides; where the order agrees, as they follow each other.
    passages: Annotated[list[PassageRecord], Field(min_length=1)]
    twice: Literal["no", "hardly", "yes"]  #: Whether the agreement could arise twice, without copying.
    because: Words  #: Why it could, or could not.


class EdgeRecord(Record):
    """Descent of one text, or several, from another."""

    above: str  #: The text that was there first: a source, a witness or an ancestor.
    below: Annotated[list[str], Field(min_length=1)]  #: What comes from it; of a shared ancestor two or more.
    #: How: copied, abridged, translated, or from a shared ancestor; possible if it is no more than that.
    kind: EdgeKind
    cert: Certainty  #: How sure we are.
    says: Words  #: What is held, in a sentence.
    open: SpacedText = ""  #: What remains conjecture.
    evidence: Annotated[list[EvidenceRecord], Field(min_length=1)]  #: What it rests on.

    @property
    def id(self) -> str:
        """Its address, made of what it joins and how."""
        return "-".join((self.above, *self.below, *self.kind.split())).lower()


class StemmaRecord(Record):
    """Lines of descent, as far as the evidence bears."""

    ancestors: list[AncestorRecord] = []  #: Texts that were not seen.
    edges: list[EdgeRecord] = []  #: Lines of descent.


class AttestationRecord(Record):
    """A dated mention of the game."""

    id: PageAddress  #: Its address on the page: small letters, figures and hyphens.
    name: Words  #: What it is in a few words, for a sentence: a letter of Henri IV of France.
    #: The year, the month or the day, in quotes: "1601-11-13"; of a span its first year.
    date: Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")]
    until: Annotated[str, Field(pattern=r"^(\d{4})?$")] = ""  #: The last year of a span, in quotes.
    #: How the date is meant; between has `until`.
    dating: Literal["exact", "about", "between", "not before", "not after"]
    what: Words  #: What is attested, in our words.
    words: SpacedText = ""  #: The words themselves, if they were seen; short.
    lang: Annotated[str, Field(pattern=r"^([a-z]{2,3})?$")] = ""  #: Their language: fr, de, en ...
    where: Words  #: The full reference of what attests it.
    seen: Literal["at first hand", "quoted", "only said"]  #: How it was seen here.
    text: str = ""  #: At first hand: the siglum of the source or witness.
    work: str = ""  #: At first hand, if it is neither: its key in the bibliography.
    by: SpacedText = ""  #: Otherwise: who quotes it, or says so.
    address: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""  #: Where they do.
    #: The day on which that was looked up, in quotes.
    accessed: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    not_read: SpacedText = ""  #: Literature between that and us which was not read.
    #: Why it may be no attestation of this game at all; then it is not counted among the oldest.
    doubt: SpacedText = ""

    @property
    def year(self) -> int:
        """Year, or first year of a span."""
        return int(self.date[:4])

    @property
    def last_year(self) -> int | None:
        """Last year in which it may be; None if it may be any later year."""
        return None if self.dating == "not before" else int(self.until or self.date[:4])

    @property
    def order(self) -> tuple[int, str]:
        """Key by which a list of them is sorted: the date, and the address where dates agree."""
        return self.year, f"{self.date} {self.id}"
