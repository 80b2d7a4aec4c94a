"""The shape of every YAML file in `sources/`; what does not fit is told with its place and a way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from rulebook.io.strict_yaml import Positions, Steps
from rulebook.problems import Problem
from rulebook.suggestions import did_you_mean


class Record(BaseModel):
    """A table with known entries and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


# --- questions ------------------------------------------------------------------------------------

Affects = Literal["table", "deal", "play", "award", "payment", "pool", "irregularity"]
Unit = Literal["smallest", "times", "tricks"]


class MeasureRecord(Record):
    """How a question is answered that has no closed list of readings."""

    type: str
    """The kind of answer: integer, suit, tricks, tricks-factors, ... as in the other questions."""
    unit: Unit | None = None
    """What a number counts: smallest (the source's smallest counter), times, or tricks."""
    min: int | None = None
    """The least that is allowed."""
    max: int | None = None
    """The most that is allowed."""
    of: dict[str, str] | None = None
    """What may stand in a list or an order: word, and what it means."""
    like: str | None = None
    """The question whose answer may be named instead of an answer: as much as for that."""


class QuestionRecord(Record):
    """One question, under its id."""

    slug: str
    """A speaking name in small letters, such as ace.forced.when; it never changes."""
    asks: str
    """The question, in one sentence."""
    group: str
    """The heading under which it stands."""
    affects: Affects
    """What its answer changes."""
    coding: str
    """How a coder decides: what to look for, and how the known cases were decided. It names no source's answer."""
    readings: dict[str, str] | None = None
    """The answers that there are: name, and what it means. Either these or a measure."""
    measure: MeasureRecord | None = None
    """How it is answered where there is no closed list."""
    depends: str = ""
    """A condition on other answers, without which it is not asked: "Q019 != nobody"."""
    related: list[str] = []
    """Questions to be read with it."""
    not_played: str = ""
    """Why the engine does not ask it; left out where it does."""
    played_as: object = None
    """The answer by which the engine plays in effect. A ledger tells of every source that answers otherwise."""


class ProposalRecord(Record):
    """A reading that a source needs and no question has."""

    says: str
    """What it means, in one sentence."""
    not_played: str = ""
    """Why the engine cannot play it; left out where it can, the reading being one of numbers, cards or suits."""
    played_as: object = None
    """The answer that is played in its place meanwhile; in a list, nothing: the word is then passed over."""


class ProposedRecord(Record):
    """What a source needs that the edition does not ask yet."""

    questions: dict[str, QuestionRecord] = {}
    """New questions, each under its id. Each says under `not_played` what the engine would have to learn."""
    readings: dict[str, dict[str, ProposalRecord]] = {}
    """New readings: under the question, name and meaning. In a question answered by a list, new words for it."""


# --- a source -------------------------------------------------------------------------------------


class FamilyRecord(Record):
    """The sources it stands with, where that needs more than a name."""

    name: str
    """What the family is called."""
    certainty: str = ""
    """How sure that is."""
    note: str = ""
    """Why it is thought so."""


class RightsRecord(Record):
    """What may be done with each layer."""

    text: str
    """Of the text itself: public domain, or in copyright."""
    encoding: str
    """Of our encoding, such as CC BY 4.0."""
    translation: str | None
    """Of our translation; null where there is none."""


class CapRecord(Record):
    """How much may be quoted of a source in copyright."""

    words_each: int
    """The most words in one quotation."""
    share_of_page: float
    """The most of the whole that is quoted: 0.1 is a tenth."""
    page_words: int
    """How many words the whole has."""


class UnitsRecord(Record):
    """The counters: the smallest, and what the others are worth in it."""

    smallest: str
    """The counter in which every sum is given."""
    multiples: dict[str, int]
    """What the others are worth in it: {fiche: 10}."""


class CoderRecord(Record):
    """An editorial pass."""

    id: str
    """A short name, to which clauses point: ed1."""
    role: str
    """What was done in this pass."""


class SourceRecord(Record):
    """The bibliographic record of a source."""

    siglum: str
    """Two to six capital letters; the name of the folder, and the beginning of every id."""
    title: str
    """The title as it stands on the page."""
    short_title: str
    """A short name for tables."""
    author: str = ""
    """By whom, where one knows."""
    language: str
    """The language of the text: fr, de, en ..."""
    family: str | FamilyRecord
    """The sources it goes with."""
    date: str
    """A year, or as near as one knows."""
    date_certainty: str
    """How one knows it, and how surely."""
    place: str | None
    """Where it was printed; null where that is not known."""
    exemplar: str
    """Which copy was read, and from what."""
    address: str | None = None
    """Where it can be read on the web; null where nowhere."""
    address_note: str = ""
    """What should be known about that address."""
    accessed: str | None = None
    """The day on which it was read there."""
    accessed_note: str = ""
    """What should be known about that day."""
    rights: RightsRecord
    """What may be done with it."""
    quotation_cap: CapRecord | None = None
    """How much of a text in copyright is quoted at most."""
    units: UnitsRecord
    """The counters in which it reckons."""
    coders: list[CoderRecord]
    """Who has worked on it, pass by pass."""
    images_seen: bool
    """Whether pictures of the pages were compared."""
    image_link: str | None
    """Where they can be seen; null where nowhere."""
    introduction: str
    """What a reader should know before reading it; two empty lines begin a paragraph."""
    bibliography: list[str]
    """Keys of bibliography.bib."""
    draft: bool = False
    """Whether its ids may still change; left out once others may cite them."""


class StatementRecord(Record):
    """A rule of a source in copyright, in our words."""

    id: str
    """SIG.n01."""
    section: str
    """Under which heading it belongs."""
    text: str
    """The rule, in our own words."""
    quote: str = ""
    """A few words of the source, only where the wording matters."""
    quote_hash: str = ""
    """SHA-256 of the quotation, so that who has the text can prove it."""


class PrintedRecord(Record):
    """A number that a source prints about its own game."""

    id: str
    """SIG.r01."""
    locus: str
    """The sentence that prints the number."""
    exact: str = ""
    """The words that print it."""
    view: str = "diplomatic"
    """In which form they are quoted: diplomatic, emended or reading."""
    what: str
    """What the number is of."""
    says: int
    """The number."""
    unit: str = ""
    """In what it counts."""
    reckon: str = ""
    """How the rules come to it, as a sum."""
    deal: str = ""
    """The worked deal that comes to it."""
    rule: str = ""
    """By which rule it is paid there."""
    payer: str = ""
    """Who pays it there."""
    payee: str = ""
    """Who gets it there."""
    remark: str = ""
    """What should be known about it."""


class NoteRecord(Record):
    """A remark of the editors."""

    id: str
    """SIG.note01."""
    on: str
    """What it is on: a sentence, an emendation or a statement."""
    kind: str
    """emendation, commentary or transcription."""
    by: str
    """Whose it is: the id of a coder."""
    text: str
    """What a reader should know here."""


class StandingRecord(Record):
    """What becomes of one sentence."""

    kind: str
    """What becomes of the sentence: encoded, example, advice, narrative, heading, not-yet."""
    questions: list[str] = []
    """The questions that clauses answer from it."""
    residue: str = ""
    """The printed words that no quotation covers."""
    because: str = ""
    """Why nothing follows from them."""
    counsel: bool = False
    """Whether an encoded sentence is advice as well."""


class TombstoneRecord(Record):
    """What became of an id that was published and is gone."""

    id: str
    """What is gone."""
    on: str
    """The day on which it was taken out, in quotes."""
    why: str
    """Why it is gone."""
    see: list[str] = []
    """What to read instead."""


# --- clauses --------------------------------------------------------------------------------------


class CiteRecord(Record):
    """Words of the source, and where they stand."""

    locus: str
    """The sentence: SIG.s0003. `reversis cite` finds it."""
    to: str = ""
    """The last sentence, where the words go over more than one."""
    exact: str = ""
    """The words, letter by letter as they stand there."""
    prefix: str = ""
    """Words before them, where they stand there twice."""
    suffix: str = ""
    """Words behind them, where they stand there twice."""
    view: str = "diplomatic"
    """In which form they are quoted: diplomatic (the page), emended, or reading (today's spelling)."""
    role: str = "grounds"
    """grounds (the answer rests on it), supports, against, or example."""
    seen: str = ""
    """The fingerprint of the sentence when it was read; `reversis check --confirm` writes it."""


class RivalRecord(Record):
    """Another way to take the words."""

    id: str
    """SIG.i01."""
    label: str
    """What it is called, in a few words."""
    answers: dict[str, Any]
    """What it answers instead: question, and reading."""
    cert: str = "low"
    """How good it is: high, medium, low."""
    because: str = ""
    """Why the words may be taken so."""
    decision: str = ""
    """The editors' decision on it."""
    computation: str = ""
    """The arithmetic, where a number is reckoned."""


class OptionRecord(RivalRecord):
    """An alternative that the source itself offers."""

    exact: str = ""
    """The words by which the source offers it."""


class ClauseRecord(Record):
    """What one passage says, or that nothing is said."""

    id: str
    """SIG.c031; usually the number of the first question that it answers."""
    cites: list[CiteRecord] = []
    """The words it rests on."""
    answers: dict[str, Any] = {}
    """What it answers: question (Q031 or its name), and reading."""
    on: list[str] = []
    """The questions that it passes over, with the reason; instead of answers."""
    status: str
    """stated, implied, denied, silent, ambiguous, contradictory, inapplicable or not-collated."""
    cert: str
    """How sure the coding is: high, medium, low."""
    coder: str
    """Whose it is: the id of a coder."""
    reviewer: str = ""
    """Who has read it again."""
    label: str = ""
    """What the preferred reading is called, where there are rivals."""
    decision: str = ""
    """The editors' decision on it."""
    because: str = ""
    """Why it is taken so, or why no answer is given."""
    searched: str = ""
    """Where a silent source was searched: SIG.s0001-SIG.s0120."""
    taken_from: str = ""
    """Whence a supplied answer comes: another source, practice, or logic."""
    computation: str = ""
    """The arithmetic, where a number is reckoned."""
    note: str = ""
    """What a reader should know."""
    rivals: list[RivalRecord] = []
    """Other ways to take the words."""
    options: list[OptionRecord] = []
    """Alternatives that the source itself offers."""


# --- two codings ----------------------------------------------------------------------------------


class CodedRecord(Record):
    """What one coder found in a source on one question."""

    status: str
    """stated, implied, denied, silent, ambiguous, contradictory, inapplicable or not-collated."""
    answer: Any = None
    """The answer, where there is one."""
    cert: Literal["high", "medium", "low", ""] = ""
    """How sure the coder was."""
    loci: list[str] = []
    """The sentences that were read."""
    because: str = ""
    """Why."""


class MeasuredRecord(Record):
    """How far two coders agree in one respect."""

    agreed: int
    per_cent: float | None = Field(alias="per-cent")
    alpha: float | None


class FigureRecord(Record):
    """The agreement of some cells."""

    cells: int
    value: MeasuredRecord
    status: MeasuredRecord


class CodingsRecord(Record):
    """The fingerprints of both codings of a source."""

    first: str
    second: str


class FiguresRecord(Record):
    """The whole file of figures, as `python -m rulebook.agreement` writes it."""

    package: str
    coded_once: list[str] = Field(alias="coded-once")
    codings: dict[str, CodingsRecord]
    figures: dict[str, FigureRecord]


# --- how the rules are told -------------------------------------------------------------------------


class NameRecord(Record):
    """A thing that every source calls by a word of its own."""

    otherwise: str
    """The word for a source that has none of the terms."""
    terms: list[str]
    """Ids of the glossary; the first that the source has is taken."""


class RuleRecord(Record):
    """How one question is told: by its readings, by one sentence for every answer, or both."""

    says: str = ""
    """The sentence for any answer."""
    readings: dict[str, str] = {}
    """A sentence for each reading."""
    words: dict[str, str] = {}
    """The parts of a list or an order in words."""
    then: dict[str, str] = {}
    """The same for parts that are not the first."""
    called: str = ""
    """What the answer is the price of."""
    same: str = ""
    """The sentence where all gaps would be filled alike."""
    join: str = "and"
    """What stands before the last of several parts."""


class SectionRecord(Record):
    """Questions under one heading, in the order in which they are told."""

    id: str
    """Its address."""
    title: str
    """Its heading."""
    needs: str = ""
    """The question without whose answer it is left out."""
    rules: dict[str, RuleRecord]
    """Its questions, in order."""


class TellingRecord(Record):
    """The whole file."""

    names: dict[str, NameRecord] = {}
    """Things that every source calls by a word of its own."""
    left_out: dict[str, str] = {}
    """Questions that are not told, and why."""
    sections: list[SectionRecord] = []
    """What is told, in order."""


# --- indices, glossary, spelling: their own readers tell what is amiss, and the schemas are made from these ---------

Word = Annotated[str, Field(pattern=r"\S")]
Code = Annotated[str, Field(pattern=r"^([AKQJT2-9][SHDC]|[AKQJT2-9]\*|\*[SHDC])$")]
Named = Literal["person", "example", "place", "book", "body"]


class IndexCardRecord(Record):
    """A card, a rank or a suit, and what it is called in each language."""

    id: str
    """Its address."""
    name: str
    """The heading of its entry."""
    codes: list[Code]
    """A card, such as JH; a rank, A*; a suit, *H."""
    words: Annotated[dict[str, list[Word]], Field(min_length=1)]
    """Language -> what it is called; several words may stand side by side."""


class IndexNameRecord(Record):
    """A person, a place, a book, with the forms by which it is found."""

    name: str
    """The heading of its entry; family names first."""
    kind: Named
    """What it is the name of."""
    forms: Annotated[list[Word], Field(min_length=1)]
    """Whole words, capitals as they stand; each stands somewhere."""


class IndicesRecord(Record):
    """What the indices of the edition go by. It never says where: that is looked up."""

    common: dict[Annotated[str, Field(pattern=r"^[a-z]{2,3}$")], list[Word]] = {}
    """Language -> words that the index of words leaves out."""
    cards: list[IndexCardRecord] = []
    """Cards, ranks and suits."""
    names: list[IndexNameRecord] = []
    """People, places, books, societies."""


class TermRecord(Record):
    """A word of the game in one language, and what it means."""

    id: str = ""
    """Its address, such as g-reversis, which never changes; where none is given it is made of language and word."""
    term: str
    """The word itself."""
    lang: str
    """Its language: fr, de, en ..."""
    english: str = ""
    """The word in English, in short."""
    definition: str
    """What it means, in our words."""
    forms: list[str] = []
    """How it is spelt in the texts."""
    see: list[str] = []
    """Ids of other terms."""
    attestations: list[str] = []
    """Sentences in which one of the forms stands in this sense."""


class SpellingRecord(Record):
    """Old spelling and today's, for the reading view and for searching; transcriptions are never changed."""

    version: int
    """Raised whenever a line changes."""
    letters: dict[str, str] = {}
    """Letters that are exchanged everywhere."""
    words: dict[str, dict[str, str]] = {}
    """Language -> old word, and how it is written today."""


# --- what does not fit ----------------------------------------------------------------------------

R = TypeVar("R", bound=Record)

#: kind of fault -> what is wrong, and the way out; {key} and {given} stand for the entry and its value.
FAULTS: Mapping[str, tuple[str, str]] = {
    "missing": ("{key} is missing", "add it"),
    "string_type": ("{key} must be text, not {given}", 'put it in quotes: "{given}"'),
    "int_type": ("{key} must be a whole number, not {given}", "write it as 5, without quotes"),
    "float_type": ("{key} must be a number, not {given}", "write it as 0.10, without quotes"),
    "bool_type": ("{key} must be true or false, not {given}", "write true or false, without quotes"),
    "list_type": ("{key} must be a list, not {given}", "begin every item with a dash, or write [one, two]"),
    "dict_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
    "model_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
}


def validated(
    record: type[R], data: object, positions: Positions, steps: Steps, known: object = None
) -> tuple[R | None, list[Problem]]:
    """A record out of plain data, or everything that does not fit; validators may look at what is known."""
    try:
        return record.model_validate(data, context=known), []
    except ValidationError as error:
        faults = [*unmistaken(record, data, error.errors(include_url=False, include_context=True))]
        return None, sorted({problem_of(record, data, fault, positions, steps) for fault in faults})


def unmistaken(record: type[Record], data: object, faults: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """The faults without those entries that are missing only because their name is misspelt: that is told once."""
    paths = [(fault, tuple(walked(data, fault["loc"]))) for fault in faults]
    strange = [path for fault, path in paths if fault["type"] == "extra_forbidden"]
    meant = {(*path[:-1], near) for path in strange for near in nearest_to(str(path[-1]), fields_at(record, path[:-1]))}
    yield from (fault for fault, path in paths if fault["type"] != "missing" or path not in meant)


def nearest_to(word: str, known: tuple[str, ...]) -> list[str]:
    """The entry that was meant, if any."""
    return get_close_matches(word, known, 1)


def problem_of(record: type[Record], data: object, fault: ErrorDetails, positions: Positions, steps: Steps) -> Problem:
    """A fault found by the record, in the words and at the place of the file."""
    path = tuple(walked(data, fault["loc"]))
    key, given = str(path[-1]) if path else "the entry", shown(fault["input"])
    if fault["type"] == "extra_forbidden":
        otherwise = "known are: " + ", ".join(fields_at(record, path[:-1]))
        way_out = did_you_mean(key, fields_at(record, path[:-1]), otherwise)
        return positions.key((*steps, *path)).problem(f"the entry {key} is unknown here", way_out)
    if fault["type"] == "literal_error":
        known = literals_in(fault)
        way_out = did_you_mean(fault["input"], known, "use one of: " + ", ".join(known))
        return positions.where((*steps, *path)).problem(f"{key} cannot be {given}", way_out)
    if fault["type"] == "unknown_name":
        return positions.where((*steps, *path)).problem(fault["msg"], "name what is there")
    what, way_out = FAULTS.get(fault["type"], ("{key}: " + fault["msg"], "see the other entries of this kind"))
    if fault["input"] is None and fault["type"] == "string_type":
        way_out = "write it; behind a # everything is a remark, unless the text stands in quotes"
    filled = [text.replace("{key}", key).replace("{given}", given) for text in (what, way_out)]
    return positions.where((*steps, *path)).problem(*filled)


def walked(data: object, location: tuple[int | str, ...]) -> Iterator[str | int]:
    """The way to a fault through the data, without the names of alternatives tried."""
    for at, step in enumerate(location):
        steps = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        last = isinstance(data, dict) and at == len(location) - 1  # an entry that is missing ends the way
        if step in steps or last:
            yield step
        data = steps.get(step, data)


def shown(given: object) -> str:
    """What was given, in a few letters."""
    kinds = {dict: "a table", list: "a list", type(None): "nothing"}
    return kinds.get(type(given)) or (str(given).lower() if isinstance(given, bool) else str(given)[:40])


def literals_in(fault: ErrorDetails) -> list[str]:
    """The words of a closed list, from the complaint that none of them was used."""
    return [word for word in str(fault.get("ctx", {}).get("expected", "")).split("'")[1::2]]


def fields_at(record: type[Record], steps: Steps) -> tuple[str, ...]:
    """The entries known at a place within a record."""
    for step in steps:
        if isinstance(step, str) and step in record.model_fields:
            record = record_in(record.model_fields[step].annotation) or record
    return tuple(record.model_fields)


def record_in(annotation: object) -> type[Record] | None:
    """The record somewhere in a type: in a list, beside None."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((found for part in get_args(annotation) if (found := record_in(part))), None)
