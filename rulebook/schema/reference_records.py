"""The shapes of the files that all sources share: rule sentences, indices, glossary, spelling."""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

import re
from itertools import chain
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from rulebook.answers.values import format_canonical
from rulebook.schema.records import Record
from rulebook.strings import LANGUAGE_TAG_PATTERN, single_spaced


class NameRecord(Record):
    """A thing that every source calls by a word of its own."""

    otherwise: str  #: The word for a source that has none of the terms.
    terms: list[str]  #: Ids of the glossary; the first that the source has is taken.


class RuleRecord(Record):
    """Sentences for one question: by reading, one for every answer, or both."""

    says: str = ""  #: The sentence for any answer.
    readings: dict[str, str] = {}  #: A sentence for each reading.
    words: dict[str, str] = {}  #: The parts of a list or an order in words.
    then: dict[str, str] = {}  #: The same for parts that are not the first.
    called: str = ""  #: What the answer is the price of.
    same: str = ""  #: The sentence where all gaps would be filled alike.
    join: str = "and"  #: What stands before the last of several parts.

    def sentence(self, value: object) -> str:
        """The sentence for an answer; empty if there is none."""
        return self.readings.get(format_canonical(value)) or self.says


class SectionRecord(Record):
    """Questions under one heading, in the order in which they are told."""

    id: str  #: Its address.
    title: str  #: Its heading.
    needs: str = ""  #: The question without whose answer it is left out.
    rules: dict[str, RuleRecord]  #: Its questions, in order.


class TopicLineRecord(Record):
    """Words for an answer in the table of a topic."""

    says: str = "{answer}"  #: The answer in a few words, or all of its words, in a phrase.
    readings: dict[str, str] = {}  #: Words for single answers.

    def template(self, value: object) -> str:
        """The words for an answer, with gaps."""
        return self.readings.get(format_canonical(value), self.says)


class TopicRowRecord(Record):
    """A row of the table of a topic: what a player asks, and the questions that answer it."""

    asks: str  #: What is asked, in a player's words.
    answers: dict[str, TopicLineRecord]  #: The questions whose answers stand in the row, in order.
    events: list[str] = []  #: Payment tables of the topic, by their addresses, under which the row stands too.


class TopicRecord(Record):
    """The page of a group of questions."""

    title: str  #: Its heading, in a player's words.
    says: str  #: A line that says what a player finds there.
    also: list[str] = []  #: Questions of other groups that are shown there too.
    table: list[TopicRowRecord] = []  #: What a player looks for first, with the answers of every book.


class ShortGroupRecord(Record):
    """Lines of the rules in two minutes under one heading."""

    title: str  #: Its heading.
    lines: list[list[str]]  #: For each line the questions whose sentences it joins.


class TwoMinutesRecord(Record):
    """Questions that make the rules in two minutes, in order of importance."""

    aim: list[str] = []  #: Questions whose sentences say what the game is about.
    groups: list[ShortGroupRecord] = []  #: The lines, under their headings.
    payments: list[str] = []  #: Questions whose sentences stand under the table of payments.

    @property
    def questions(self) -> tuple[str, ...]:
        """Its questions but the aim, the most important first."""
        return (*chain.from_iterable(line for group in self.groups for line in group.lines), *self.payments)


class AgreedSumsRecord(Record):
    """Sums that a source may leave to the players, for the words "or as agreed" beside them."""

    by: str  #: The question that asks for them.
    sums: dict[str, list[str]]  #: For each of its possible parts the questions whose answers are then only an example.


class TellingRecord(Record):
    """The whole file."""

    names: dict[str, NameRecord] = {}  #: Things that every source calls by a word of its own.
    left_out: dict[str, str] = {}  #: Questions that are not told, and why.
    two_minutes: TwoMinutesRecord = TwoMinutesRecord()  #: The order of importance: the rules in two minutes.
    sections: list[SectionRecord] = []  #: What is told, in order.
    topics: dict[str, TopicRecord] = {}  #: Pages of groups of questions, by the name of the group.
    agreed: AgreedSumsRecord = AgreedSumsRecord(by="", sums={})  #: Sums that a source may leave to the players.

    @property
    def rules(self) -> dict[str, RuleRecord]:
        """Every rule by its question."""
        return {question: rule for section in self.sections for question, rule in section.rules.items()}

    def topic(self, group: str) -> TopicRecord:
        """The topic of a group; without an entry of its own it is called as the group is."""
        return self.topics.get(group) or TopicRecord(title=group, says="")


# --- indices, glossary, spelling: their readers have messages of their own ------------------------------------------


def require_page_address(given: object) -> str:
    """Refuse letters that no address on a page has; a number is as good as a word."""
    if not re.fullmatch(r"[a-z0-9-]+", str(given)):
        raise ValueError("is no part of an address")
    return str(given)


def require_letters(words: str) -> str:
    """Refuse a blank word."""
    if not words.strip():
        raise ValueError("is blank")
    return words


NonBlankWord = Annotated[str, Field(pattern=r"\S")]
Code = Annotated[str, Field(pattern=r"^([AKQJT2-9][SHDC]|[AKQJT2-9]\*|\*[SHDC])$")]
IndexNameKind = Literal["person", "example", "place", "book", "body"]


class IndexCardRecord(Record):
    """A card, a rank or a suit, and what it is called in each language."""

    id: Annotated[str, BeforeValidator(require_page_address)]  #: Its address.
    name: str  #: The heading of its entry.
    codes: list[Code]  #: A card, such as JH; a rank, A*; a suit, *H.
    #: Language -> what it is called; several words may stand side by side.
    words: Annotated[dict[str, list[NonBlankWord]], Field(min_length=1)]


class IndexNameRecord(Record):
    """A person, a place, a book, with the forms by which it is found."""

    #: An unknown entry is passed over, though an editor marks it.
    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    name: str  #: The heading of its entry; family names first.
    kind: IndexNameKind  #: What it is the name of.
    #: Whole words, capitals as they stand; each stands somewhere.
    forms: Annotated[list[NonBlankWord], Field(min_length=1)]

    @property
    def pattern(self) -> re.Pattern[str]:
        """Any of its forms, as whole words."""
        return re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in self.forms))


class IndicesRecord(Record):
    """Entries of the edition's indices, without places: those are looked up."""

    #: Language -> words that the index of words leaves out.
    common: dict[Annotated[str, Field(pattern=r"^[a-z]{2,3}$")], list[NonBlankWord]] = {}
    cards: list[IndexCardRecord] = []  #: Cards, ranks and suits.
    names: list[IndexNameRecord] = []  #: People, places, books, societies.
    #: English words of a query that say nothing of what is sought, besides the common ones.
    filler: list[NonBlankWord] = []
    #: Words and phrases, in any language, that the search takes for one another.
    synonyms: list[Annotated[list[NonBlankWord], Field(min_length=2)]] = []
    #: Question or term -> how players ask for it.
    asked: dict[str, Annotated[list[NonBlankWord], Field(min_length=1)]] = {}


class LibraryRecord(Record):
    """Settings of a library."""

    title: str = ""  #: The name of the edition.
    tagline: str = ""  #: The library in a few words; {sources} stands for the number of its sources.
    subtitle: str = ""  #: The same on the cover of the book.
    example: str = ""  #: A word for which readers search, named in the field for it.
    about: str = ""  #: A paragraph on the edition, for catalogues that list it.
    publisher: str = ""  #: Who publishes it, as one says it in a sentence.
    citation: str = ""  #: The file that says how it is cited (CFF), in this folder or in the one above.
    licence: str = ""  #: The licence of texts and data, by its SPDX identifier.
    languages: str = ""  #: The languages of the sources, in two letters each, with commas.
    order: str = ""  #: In which order its sources stand: by siglum, or by date (the first year named, then by siglum).
    #: The groups of questions, and their titles. Without them a group is called as the questions name it.
    groups: dict[str, str] = {}
    affects: dict[str, str] = {}  #: What the answer to a question may change: the word of `affects`, and what it means.
    game: str = ""  #: The game that is played by its rules; without it nothing is played.
    game_from: str = ""  #: The distribution to install for that game.


def require_language(tag: str) -> str:
    """Refuse what is no code of a language."""
    if not LANGUAGE_TAG_PATTERN.fullmatch(tag):
        raise ValueError("is not well formed: write it in two letters, such as fr, de, en")
    return tag


def wrap_words(given: object) -> object:
    """Take one word for a list of it, and nothing for an empty one."""
    return [given] if isinstance(given, str) else given or []


OptionalText = Annotated[str, BeforeValidator(lambda given: given or ""), AfterValidator(single_spaced)]
WordList = Annotated[list[str], BeforeValidator(wrap_words)]


class TermRecord(Record):
    """A word of the game in one language, and what it means."""

    #: Its address, such as g-reversis, which never changes; where none is given it is made of language and word.
    id: OptionalText = ""
    term: Annotated[str, AfterValidator(require_letters)]  #: The word itself.
    lang: Annotated[str, AfterValidator(require_language)]  #: Its language: fr, de, en ...
    english: OptionalText = ""  #: The word in English, in short.
    #: What it means, in our words.
    definition: Annotated[str, AfterValidator(require_letters), AfterValidator(single_spaced)]
    forms: WordList = []  #: How it is spelt in the texts.
    see: WordList = []  #: Ids of other terms.
    attestations: WordList = []  #: Sentences in which one of the forms stands in this sense.


SpellingTable = dict[Annotated[str, AfterValidator(require_letters)], str]


class SpellingRecord(Record):
    """Old spelling and today's, for the reading view and for searching; transcriptions are never changed."""

    version: int  #: Raised whenever a line changes.
    letters: SpellingTable = {}  #: Letters that are exchanged everywhere.
    words: dict[str, SpellingTable] = {}  #: Language -> old word, and how it is written today.
