"""The shapes of the YAML files of questions and of a source: its record, clauses, notes, coverage and proposals."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from rulebook.strings import single_spaced


class Record(BaseModel):
    """A table with known entries and no others.

    The comment (`#:`) behind an entry, or above it, is its description in the JSON schema (`rulebook.json_schema`), and
    is read there.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# --- questions ------------------------------------------------------------------------------------


class MeasureRecord(Record):
    """Measure: the form of the answers to a question that has no closed list of readings."""

    type: str  #: The kind of answer, such as integer, date or set; `rulebook list kinds` lists them.
    #: What a number counts: smallest (the source's smallest counter), times, tricks, or a plural of your own: minutes.
    unit: str | None = None
    min: int | None = None  #: The least that is allowed.
    max: int | None = None  #: The most that is allowed.
    of: dict[str, str] | None = None  #: What may stand in a set, an order or a ranking: word, and what it means.
    short: dict[str, str] | None = None  #: The short form of each of these words, as under a question's readings.
    like: str | None = None  #: The question whose answer may be named instead of an answer: as much as for that.


class OccasionRecord(Record):
    """Something in a deal by which a rule that is not played would have mattered: a card, a call, or the stake."""

    card: str = ""  #: A card, such as QH, and under `when` what befalls it.
    #: What befalls the card.
    when: Literal["", "led", "followed", "thrown-off", "played", "discarded", "taken-in", "in-the-talon"] = ""
    announced: Literal["", "espagnolette", "reversis"] = ""  #: What a player announces.
    stake_from: int = 0  #: The least stake, in the smallest counter of the source.
    says: str = ""  #: What the source does then, in a few words: the queen of hearts is paid for.


class QuestionRecord(Record):
    """One question, under its id."""

    slug: str  #: A speaking name in small letters, such as ace.forced.when; it never changes.
    asks: str  #: The question, in one sentence.
    group: str  #: The heading under which it stands.
    affects: str  #: What its answer changes.
    #: How a coder decides: what to look for, and how the known cases were decided. It names no source's answer.
    coding: str
    #: The answers that there are: name, and what it means. Either these or a measure.
    readings: dict[str, str] | None = None
    #: The short form of each reading, at most 32 letters, small but for names, no full stop, no two alike.
    short: dict[str, str] | None = None
    measure: MeasureRecord | None = None  #: How it is answered where there is no closed list.
    #: A condition on other answers, without which it is not asked: "Q019 != nobody", "Q019 == taker", or of a list
    #: "Q025 has fewest". Several are joined by " and ", or by " or ". Where it does not hold, a source is inapplicable.
    depends: str = ""
    related: list[str] = []  #: Questions to be read with it.
    not_played: str = ""  #: Why the engine does not ask it; left out where it does.
    #: The answer by which the engine plays in effect. A ledger tells of every source that answers otherwise.
    played_as: object = None
    #: By what one sees, in a deal, that the rule would have mattered; for what is not played.
    matters: list[OccasionRecord] = []


class ProposalRecord(Record):
    """A reading that a source needs and no question has."""

    says: str  #: What it means, in one sentence.
    #: Its short form, for tables, of at most 32 letters; left out, it is the beginning of the sentence.
    short: str = ""
    #: Why the engine cannot play it; left out where it can, the reading being one of numbers, cards or suits.
    not_played: str = ""
    #: The answer that is played in its place meanwhile; in a list, nothing: the word is then passed over.
    played_as: object = None
    #: By what one sees, in a deal, that it would have mattered; for what is not played.
    matters: list[OccasionRecord] = []


class ProposedRecord(Record):
    """Proposals: questions and readings that a source needs and the edition does not have yet."""

    #: New questions, each under its id. Each says under `not_played` what the engine would have to learn.
    questions: dict[str, QuestionRecord] = {}
    #: New readings: under the question, name and meaning. In a question answered by a list, new words for it.
    readings: dict[str, dict[str, ProposalRecord]] = {}


# --- a source -------------------------------------------------------------------------------------


class FamilyRecord(Record):
    """The sources it stands with, where that needs more than a name."""

    name: str  #: What the family is called.
    certainty: str = ""  #: How sure that is.
    note: str = ""  #: Why it is thought so.


class RightsRecord(Record):
    """Rights in each layer: text, encoding, translation."""

    text: str  #: Of the text itself: public domain, or in copyright.
    encoding: str  #: Of our encoding, such as CC BY 4.0.
    translation: str | None  #: Of our translation; null where there is none.


class CapRecord(Record):
    """Limit on what is quoted of a source in copyright."""

    words_each: int  #: The most words in one quotation.
    share_of_page: float  #: The most of the whole that is quoted: 0.1 is a tenth.
    page_words: int  #: How many words the whole has.


class UnitsRecord(Record):
    """The counters: the smallest, and what the others are worth in it."""

    smallest: str  #: The counter in which every sum is given.
    multiples: dict[str, int]  #: What the others are worth in it: {fiche: 10}.


class CoderRecord(Record):
    """An editorial pass."""

    id: str  #: A short name, to which clauses point: ed1.
    role: str  #: What was done in this pass.
    kind: Literal["person", "language model"] = "person"  #: By whom: a person, or a language model.


class ImagesRecord(Record):
    """Page images on the web: of the copy that was read, of another copy, or of a witness."""

    address: str  #: Where they are: https://... Never a guess.
    shows: str  #: What they show: which pages, of which print.
    found: str  #: How the address was found: "found by search on 30 November 2026", or where it is cited.
    holder: str = ""  #: Whose copy it is, and who shows it; left out where that is not known.
    seen: bool = False  #: Whether we saw them. Where not, all pages say "not seen by us".


class SourceRecord(Record):
    """The bibliographic record of a source."""

    siglum: str  #: Two to six capital letters; the name of the folder, and the beginning of every id.
    title: str  #: The title as it stands on the page.
    short_title: str  #: A short name for tables.
    #: The name on its chip and over its column, at most 24 characters; left out, the short title or the siglum.
    short_name: str = ""
    #: The date beside that name, at most 20 characters; left out, the date if it is as short as that.
    short_date: str = ""
    #: A slot of the palette, 1 to 8, which decides its colour and its shape; left out, the first that is free.
    colour: int | None = None
    author: str = ""  #: By whom, where one knows.
    language: str  #: The language of the text: fr, de, en ...
    family: str | FamilyRecord  #: The sources it goes with.
    date: str  #: A year, or as near as one knows.
    date_certainty: str  #: How one knows it, and how surely.
    place: str | None  #: Where it was printed; null where that is not known.
    exemplar: str  #: Which copy was read, and from what.
    shelfmark: str | None = None  #: The shelfmark of that copy; left out where it is not known.
    address: str | None = None  #: Where it can be read on the web; null where nowhere.
    address_note: str = ""  #: What should be known about that address.
    accessed: str | None = None  #: The day on which it was read there.
    accessed_note: str = ""  #: What should be known about that day.
    digitised: str = ""  #: By whom it was scanned, read by machine or typed; not recorded, where nobody knows.
    rights: RightsRecord  #: What may be done with it.
    quotation_cap: CapRecord | None = None  #: How much of a text in copyright is quoted at most.
    units: UnitsRecord  #: The counters in which it reckons.
    #: Its own words for numbers, and old forms that are not read otherwise: {undici: 11, eighty: 80, a fish: 1}.
    numbers: dict[str, int] = {}
    coders: list[CoderRecord]  #: Who has worked on it, pass by pass.
    images_seen: bool  #: Whether pictures of the pages were compared.
    image_link: str | None  #: Where they can be seen; null where nowhere.
    #: Page images on the web of this copy, of another copy or of a witness, whether anybody of us saw them or not.
    images: list[ImagesRecord] = []
    iiif_manifest: str | None = None  #: The address of an IIIF manifest of the pages; left out where none is known.
    #: Where what was consulted ends before the text does; names its last sentence, and says where the rest stands.
    breaks_off: str = ""
    #: Where what was consulted begins after the text does; names its first sentence, and says where the rest stands.
    begins_late: str = ""
    introduction: str  #: What a reader should know before reading it; two empty lines begin a paragraph.
    bibliography: list[str]  #: Keys of bibliography.bib.
    draft: bool = False  #: Whether its ids may still change; left out once others may cite them.


class StatementRecord(Record):
    """A rule of a source in copyright, in our words."""

    id: str  #: SIG.n01.
    section: str  #: Under which heading it belongs.
    text: str  #: The rule, in our own words.
    quote: str = ""  #: A few words of the source, only where the wording matters.
    quote_hash: str = ""  #: SHA-256 of the quotation, so that who has the text can prove it.


class PrintedRecord(Record):
    """A number that a source prints about its own game."""

    id: str  #: SIG.r01.
    locus: str  #: The sentence that prints the number.
    exact: str = ""  #: The words that print it.
    view: str = "diplomatic"  #: In which form they are quoted: diplomatic, emended or reading.
    what: str  #: What the number is of.
    says: int  #: The number.
    unit: str = ""  #: In what it counts.
    reckon: str = ""  #: How the rules come to it, as a sum.
    deal: str = ""  #: The worked deal that comes to it.
    rule: str = ""  #: By which rule it is paid there.
    payer: str = ""  #: Who pays it there.
    payee: str = ""  #: Who gets it there.
    remark: str = ""  #: What should be known about it.


class NoteRecord(Record):
    """A remark of the editors."""

    id: str  #: SIG.note01.
    on: str  #: What it is on: a sentence, an emendation or a statement.
    kind: str  #: emendation, commentary or transcription.
    by: str  #: Whose it is: the id of a coder.
    text: str  #: What a reader should know here.


class NotHeldRecord(Record):
    """Words of a sentence that order something which no answer holds."""

    words: str  #: The words, as printed; of a statement in copyright, ours.
    what: str  #: What they order that no answer holds, in a few words: every result that comes to it says them.
    played: str = ""  #: What is played as long as no answer holds it, in a sentence.
    touches: list[str] = []  #: The questions by which a deal comes to it: a result that asks one of them says so.


class StandingRecord(Record):
    """Status of one sentence in the coverage ledger."""

    kind: str  #: What becomes of the sentence: encoded, example, advice, narrative, heading, not-yet.
    questions: list[str] = []  #: The questions that clauses answer from it.
    residue: str = ""  #: The printed words that no quotation covers.
    because: str = ""  #: Why nothing follows from them.
    counsel: bool = False  #: Whether an encoded sentence is advice as well.
    not_held: list[NotHeldRecord] = []  #: What the sentence orders and no answer holds.


class TombstoneRecord(Record):
    """Tombstone of an id that was published and is gone."""

    id: str  #: What is gone.
    on: str  #: The day on which it was taken out, in quotes.
    why: Annotated[str, AfterValidator(single_spaced)]  #: Why it is gone.
    see: list[str] = []  #: What to read instead.


# --- clauses --------------------------------------------------------------------------------------


class CiteRecord(Record):
    """Words of the source, and where they stand."""

    locus: str  #: The sentence: SIG.s0003. `reversis cite` finds it.
    to: str = ""  #: The last sentence, where the words go over more than one.
    exact: str = ""  #: The words, letter by letter as they stand there.
    prefix: str = ""  #: Words before them, where they stand there twice.
    suffix: str = ""  #: Words behind them, where they stand there twice.
    #: In which form they are quoted: diplomatic (the page), emended, or reading (today's spelling).
    view: str = "diplomatic"
    role: str = "grounds"  #: grounds (the answer rests on it), supports, against, or example.
    seen: str = ""  #: The fingerprint of the sentence when it was read; `reversis check --confirm` writes it.


class RivalRecord(Record):
    """Another way to take the words."""

    id: str  #: SIG.i01.
    label: str  #: What it is called, in a few words.
    answers: dict[str, Any]  #: What it answers instead: question, and reading.
    #: Questions that make sense only so, or are answered only otherwise, and to which the source then says nothing.
    silent: list[str] = []
    cert: str = "low"  #: How good it is: high, medium, low.
    because: str = ""  #: Why the words may be taken so.
    searched: str = ""  #: Where that silence was searched: SIG.s0001-SIG.s0120.
    decision: str = ""  #: The editors' decision on it.
    computation: str = ""  #: The arithmetic, where a number is computed.


class OptionRecord(RivalRecord):
    """An alternative that the source itself offers."""

    exact: str = ""  #: The words by which the source offers it.


class ClauseRecord(Record):
    """Clause: the rule in one passage, or the statement that the source is silent."""

    id: str  #: SIG.c031; usually the number of the first question that it answers.
    cites: list[CiteRecord] = []  #: The words it rests on.
    answers: dict[str, Any] = {}  #: What it answers: question (Q031 or its name), and reading.
    on: list[str] = []  #: The questions that it passes over, with the reason; instead of answers.
    status: str  #: stated, implied, denied, silent, ambiguous, contradictory, inapplicable or not-collated.
    cert: str  #: How sure the coding is: high, medium, low.
    coder: str  #: Whose it is: the id of a coder.
    reviewer: str = ""  #: Who has read it again.
    label: str = ""  #: What the preferred reading is called, where there are rivals.
    decision: str = ""  #: The editors' decision on it.
    because: str = ""  #: Why it is taken so, or why no answer is given.
    searched: str = ""  #: Where a silent source was searched: SIG.s0001-SIG.s0120.
    taken_from: str = ""  #: Whence a supplied answer comes: another source, practice, or logic.
    computation: str = ""  #: The arithmetic, where a number is computed.
    note: str = ""  #: What a reader should know.
    rivals: list[RivalRecord] = []  #: Other ways to take the words.
    options: list[OptionRecord] = []  #: Alternatives that the source itself offers.
