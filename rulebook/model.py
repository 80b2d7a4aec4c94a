"""The nouns of the edition: sources, questions, clauses, rulings; all frozen, standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from rulebook.display import format_repr
from rulebook.phrases import AnswerText, Pieces, end_sentence
from rulebook.problems import NOWHERE, Stored, Where
from rulebook.suggestions import match_name
from rulebook.text import Text, Translation

_NO_YEAR = 10_000  #: of a source that names none: it stands last
K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)


class FrozenMap(Mapping[K, V_co]):
    """An immutable mapping that can be compared, hashed and cached."""

    __slots__ = ("_items",)
    _items: Mapping[K, V_co]

    def __init__(self, items: Mapping[K, V_co] | Iterable[tuple[K, V_co]] = ()) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __getitem__(self, key: K) -> V_co:
        return self._items[key]

    def get(self, key, default=None):  # type: ignore[no-untyped-def]
        """As of any mapping; asked for very often, so without the detour of the general one."""
        return self._items.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def items(self) -> ItemsView[K, V_co]:
        """The pairs, as of any mapping, and likewise without the detour."""
        return self._items.items()

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a frozen map cannot be changed")

    def __reduce__(self) -> tuple[type[FrozenMap[K, V_co]], tuple[dict[K, V_co]]]:
        return FrozenMap, (dict(self._items),)

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self._items)!r})"


@dataclass(frozen=True, slots=True)
class Like:
    """An answer that points to another: "as if forced", "the double of that"."""

    question: str  #: slug of the question whose answer it takes
    times: int = 1

    def __str__(self) -> str:
        return f"as {self.question}" + (f", {self.times} times" if self.times != 1 else "")


#: What a question can be answered with: a reading's slug, a number, or a measure of the shape its question declares.
Value: TypeAlias = "str | int | Like | tuple[Value, ...] | Mapping[str, Value]"

STATUSES = ("stated", "implied", "denied", "silent", "ambiguous", "contradictory", "inapplicable", "not-collated")
UNANSWERED_STATUSES = ("silent", "inapplicable", "not-collated")  # statuses that may stand without an answer
SPOKEN_STATUSES = ("stated", "implied", "denied", "ambiguous", "contradictory")  # statuses that rest on words
DOUBTFUL_STATUSES = frozenset({"ambiguous", "contradictory"})  # statuses of more than one reading
CERTAINTIES = ("high", "medium", "low")
CITATION_ROLES = ("grounds", "supports", "against", "example")
VIEWS = ("diplomatic", "emended", "reading")
NOTE_KINDS = ("emendation", "commentary", "transcription")
SHORT_NAME_LENGTH, SHORT_DATE_LENGTH = 24, 20  #: characters for which a chip and the head of a column have room
STANDINGS = ("encoded", "example", "advice", "narrative", "heading", "not-yet")  #: what becomes of a sentence


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something in a deal by which a rule that is not played would have mattered: one of its entries is given."""

    card: str = ""  #: QH, with what befell it:
    when: str = ""  #: one of CARD_OCCASIONS
    announced: str = ""
    stake_from: int = 0  #: at least so much was played for
    says: str = ""  #: what the source does then


CARD_OCCASIONS = ("led", "followed", "thrown-off", "played", "discarded", "taken-in", "in-the-talon")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reading that a source brings along, which the edition has not taken up yet."""

    source: str  #: siglum of the source that needs it
    says: str
    not_played: str = ""  #: why the engine cannot play it; empty when it can
    played_as: Value | None = None  #: what is played in its place meanwhile
    where: Where = NOWHERE
    short: str = ""  #: its short form; empty where it is cut from the sentence
    matters: tuple[Occasion, ...] = ()  #: by what one sees that a deal would have raised it


#: What an answer counts (sum, times, ...), how many, and of what.
Amount: TypeAlias = tuple[str, int, str]


class Phraser(Protocol):
    """Wording of one source's answers within a sentence."""

    def sum(self, number: int) -> str:
        """A sum in the source's counters."""

    def worded(self, question: Question, part: str, first: bool = True) -> Pieces:
        """A word of an answer's list, in the words that are given for it."""

    def join_word(self, question: Question) -> str:
        """The word before the last of several."""


class Kind:
    """Kind of answer: how it is read and put into words; `rulebook.answers.kinds` has those that know no game.

    Of a question with a closed list of readings there is none: the readings are all that is known of its answers.
    """

    describes = ""  #: in a few words
    example = ""  #: what is typed, of no book; {0} stands for words of the question's list
    brackets = ""  #: those that may be left out where an answer is typed
    shorthand: tuple[tuple[str, str], ...] = ()  #: pattern of what may be typed -> what it means
    one_word = False  #: an answer is typed as it is
    one_number = False  #: an answer may be a single number
    choices: tuple[str, ...] = ()  #: all answers that there are, where they are few
    listed = False  #: an answer is made of several words of the question's list
    takes_unit = False  #: a measure of the kind may say what a number counts
    implies: ClassVar[Mapping[str, Value]] = {}  #: what every measure of the kind has

    def enclose(self, text: str) -> str:
        """Return what was typed with the brackets that were left out."""
        return text if text.startswith(self.brackets[:1]) else f"{self.brackets[0]}{text}{self.brackets[1]}"

    def read(self, question: Question, raw: object, slug_of: Callable[[str], str]) -> Value:
        """Read an answer out of plain data. Raises Wrong."""
        raise NotImplementedError

    def full(self, question: Question, value: Any) -> AnswerText:
        """Return the answer as data, and in full where that says more."""
        raise NotImplementedError

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Return the answer in plain words, for a table; sums are in this unit."""
        raise NotImplementedError

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """Return the answer for use within a sentence."""
        raise NotImplementedError

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """Return the answer as one would give it at the table, in a whole sentence."""
        text = self.full(question, value)
        return text.full or end_sentence(text.short)

    def is_sum(self, question: Question, value: Any) -> bool:
        """Return whether the answer is a number of counters."""
        return False

    def counts(self, value: Any) -> Iterable[int]:
        """Numbers that hold for the whole game, to which a computation may refer."""
        return ()

    def terms(self, value: Any) -> Iterable[str]:
        """All that the answer names, for an index."""
        return ()

    def amounts(self, question: Question, value: Any) -> Iterable[Amount]:
        """The numbers of the answer, for an index."""
        return ()


CLOSED = Kind()


@dataclass(frozen=True, slots=True)
class Question(Stored):
    """One point of rule on which sources can be compared."""

    id: str  #: opaque and permanent, Q031
    slug: str  #: speaking, talon.exchange.first
    asks: str
    group: str
    affects: str  #: a word of `library.yaml`
    coding: str
    readings: Mapping[str, str] = field(default_factory=dict)  #: slug -> gloss, for a closed list
    measure: Mapping[str, Value] = field(default_factory=dict)  #: type and bounds, for a typed measure
    depends: str = ""  #: when this question makes sense, in slugs: "espagnolette.hands != []"
    related: tuple[str, ...] = ()
    not_played: str = ""  #: why the engine does not ask it; empty when it does
    where: Where = NOWHERE
    proposed: Mapping[str, Proposal] = field(default_factory=FrozenMap)  #: of its readings or words, those on trial
    played_as: Value | None = None  #: by which answer the engine plays in effect, though it does not ask
    by: str = ""  #: siglum of the source that proposes the question; empty for a question of the edition
    short: Mapping[str, str] = field(default_factory=FrozenMap)  #: short form of every reading, or word of its lists
    places: Mapping[str, Where] = field(default_factory=FrozenMap, repr=False)  #: where each reading, or word, stands
    matters: tuple[Occasion, ...] = ()  #: by what one sees that a deal would have raised it, if it is not played
    kind: Kind = field(default=CLOSED, repr=False, compare=False)  #: as the type of its measure names it

    def __repr__(self) -> str:
        return format_repr(self, f"{self.id} {self.slug}: {self.asks}")

    @property
    def closed(self) -> bool:
        """Return whether it is answered from a closed list of readings."""
        return bool(self.readings)


@dataclass(frozen=True, slots=True)
class Cite(Stored):
    """The words a clause rests on: where they stand and how they read there."""

    locus: str  #: PAM.s0071; PAR.n15 for a source without a text here
    to: str = ""  #: last sentence of a range
    exact: str = ""  #: verbatim, empty for a statement that is only paraphrased
    prefix: str = ""
    suffix: str = ""
    view: str = "diplomatic"
    role: str = "grounds"
    seen: str = ""  #: fingerprint of the sentence as it stood when coded
    where: Where = NOWHERE
    clause: str = field(default="", repr=False, compare=False)  #: id of the clause that cites them


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another way to take a clause: a rival interpretation, or an option the source itself offers."""

    id: str  #: PAM.i03 (interpretation) or PAM.o01 (option)
    kind: str  #: interpretation | option
    label: str
    answers: Mapping[str, Value]  #: slug -> value
    silent: tuple[str, ...] = ()  #: slugs of questions to which the source says nothing if its words are taken so
    searched: str = ""  #: for that silence: the range read through
    cert: str = "low"
    because: str = ""
    decision: str = ""  #: the editorial decision it belongs to, such as N9
    exact: str = ""  #: the source's words that offer it, where the clause does not quote them already
    computation: str = ""  #: how its number follows from the quotation
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Clause(Stored):
    """A passage's statement, or its silence: words cited and, apart from them, the editor's answers."""

    id: str
    source: str
    answers: Mapping[str, Value]  #: slug -> value; for status silent these are supplied, for inapplicable empty
    status: str
    cert: str
    coder: str
    cites: tuple[Cite, ...] = ()
    about: tuple[
        str, ...
    ] = ()  #: slugs answered with a reason only (silent without a supplied reading, inapplicable, not-collated)
    label: str = ""  #: name of the preferred interpretation where there are rivals
    decision: str = ""
    because: str = ""
    searched: str = ""  #: for silence: the range read through
    taken_from: str = ""  #: for a supplied reading: a source's siglum, the game's practice, or logic
    computation: str = ""  #: how a number follows from the quotation
    alternatives: tuple[Alternative, ...] = ()
    emendations: tuple[str, ...] = ()  #: what its quotations owe to emendations of the text; found at loading
    reviewer: str = ""
    note: str = ""
    where: Where = NOWHERE

    def __repr__(self) -> str:
        answers = ", ".join(f"{slug} = {value}" for slug, value in self.answers.items()) or ", ".join(self.about)
        return format_repr(self, f"{self.id}, {self.status}: {answers}")

    @property
    def questions(self) -> tuple[str, ...]:
        """Slugs of the questions it answers, or gives a reason for."""
        return (*self.answers, *self.about)

    @property
    def supplied(self) -> bool:
        """Return whether its answers are the editor's, the source being silent."""
        return self.status == "silent"

    @property
    def limits(self) -> tuple[str, ...]:
        """The sentences whose words a supplied answer limits: those that it cites against itself."""
        return tuple(c.locus for c in self.cites if c.role == "against") if self.supplied and self.answers else ()

    @property
    def rivals(self) -> tuple[Alternative, ...]:
        """The other ways to understand its words."""
        return tuple(a for a in self.alternatives if a.kind == "interpretation")

    @property
    def options(self) -> tuple[Alternative, ...]:
        """The other ways to play that the source itself offers."""
        return tuple(a for a in self.alternatives if a.kind == "option")


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule of a source in copyright, in our own words."""

    id: str  #: PAR.n15
    section: str
    text: str
    quote: str = ""
    quote_hash: str = ""
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Note(Stored):
    """A remark of the editors on a sentence, an emendation or a statement."""

    id: str
    on: str
    kind: str
    text: str
    by: str
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Printed:
    """A number that a source prints about its own game, and how its rules should come to it."""

    id: str
    cite: Cite
    what: str  #: what it is the number of
    says: int
    unit: str = ""  #: a counter of the source; empty for a plain number
    reckon: str = ""  #: a sum over answers: "3 * Q163 + Q164"
    deal: str = ""  #: or a worked deal, and the payment in it:
    rule: str = ""
    payer: str = ""  #: empty: whoever pays
    payee: str = ""
    remark: str = ""  #: what is to be said where the two do not agree
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class UnheldOrder:
    """Something that a sentence orders and no answer holds: a payment, a prohibition, a duty."""

    sentence: str
    words: str  #: as printed
    what: str  #: in a few words of ours
    touches: tuple[str, ...] = ()  #: slugs of the questions by which a deal comes to it
    played: str = ""  #: what is played as long as no answer holds it

    def __str__(self) -> str:
        return f"{self.sentence} ({self.what})"

    @property
    def explanation(self) -> str:
        """The order that is not held, and what is played meanwhile, in sentences."""
        return " ".join(sentence for sentence in (f"{self.what[:1].upper()}{self.what[1:]}.", self.played) if sentence)


@dataclass(frozen=True, slots=True)
class SentenceStatus(Stored):
    """Status of a sentence: encoded or not, and why nothing follows from the words left over."""

    id: str
    kind: str  #: one of STANDINGS
    questions: tuple[str, ...] = ()  #: ids of those that are answered from it
    residue: str = ""  #: the printed words that no quotation covers; an ellipsis stands between pieces
    because: str = ""
    where: Where = NOWHERE
    counsel: bool = False  #: whether an encoded sentence is advice as well
    not_held: tuple[UnheldOrder, ...] = ()  #: what it orders and no answer holds; `touches` are ids here, as written


UNPLACED_FAMILY = "not placed yet"  #: stands in the record of a new source, and is no family


@dataclass(frozen=True, slots=True)
class Source:
    """One of the texts compared: its record, words, translation, clauses and notes."""

    siglum: str
    record: Mapping[str, object]  #: source.yaml as it stands
    clauses: tuple[Clause, ...] = ()
    text: Text | None = None
    translation: Translation | None = None
    statements: tuple[Statement, ...] = ()
    notes: tuple[Note, ...] = ()
    printed: tuple[Printed, ...] = ()
    where: Where = NOWHERE
    coverage: Mapping[str, SentenceStatus] = field(default_factory=FrozenMap)  #: what becomes of every sentence

    def __repr__(self) -> str:
        sentences = len(self.text.sentences) if self.text else len(self.statements)
        date = f" ({self.short_date})" if self.short_date else ""
        return format_repr(
            self, f"{self.siglum}: {self.short_name}{date}, {sentences} sentences, {len(self.clauses)} clauses"
        )

    @property
    def unit(self) -> str:
        """The smallest counter it reckons in: fiche, jeton, Marque, fish."""
        units = self.record.get("units")
        return str(units.get("smallest", "counter")) if isinstance(units, Mapping) else "counter"

    @property
    def counters(self) -> Mapping[str, int]:
        """Every counter that it names, by its worth in the smallest."""
        units = self.record.get("units")
        named = units.get("multiples") if isinstance(units, Mapping) else None
        return {self.unit: 1, **(named if isinstance(named, Mapping) else {})}

    @property
    def title(self) -> str:
        """Its short title."""
        return str(self.record.get("short_title") or self.record.get("title") or self.siglum)

    @property
    def short_name(self) -> str:
        """The name on its chip: its own, or its short title if that fits, or its siglum."""
        given = str(self.record.get("short_name") or "")
        return given or (self.title if len(self.title) <= SHORT_NAME_LENGTH else self.siglum)

    @property
    def short_date(self) -> str:
        """The date beside its name: its own, or its date if that fits; empty where neither does."""
        given, date = (str(self.record.get(key) or "") for key in ("short_date", "date"))
        return given or (date if len(date) <= SHORT_DATE_LENGTH else "")

    @property
    def first_year(self) -> int:
        """The first year that its date names, or after which its century begins; a late one if it names none."""
        date = str(self.record.get("date") or "")
        if year := re.search(r"(?<!\d)\d{4}(?!\d)", date):
            return int(year[0])
        century = re.search(r"\b(\d{1,2})th century", date)
        return 100 * (int(century[1]) - 1) if century else _NO_YEAR

    @property
    def colour(self) -> int | None:
        """The slot of the palette that it asks for; `rulebook.colours` assigns the others."""
        given = self.record.get("colour")
        return given if isinstance(given, int) else None

    @property
    def breaks_off(self) -> bool:
        """Return whether its end was not consulted."""
        return bool(self.record.get("breaks_off"))

    @property
    def partial(self) -> bool:
        """Return whether only a part of it was consulted: then nobody can say that it is silent."""
        return self.breaks_off or bool(self.record.get("begins_late"))

    @property
    def draft(self) -> bool:
        """Return whether it is still being read: nobody may rely on its ids yet."""
        return bool(self.record.get("draft", False))

    @property
    def language(self) -> str:
        """The language of its text, as a code."""
        return str(self.record.get("language", "en"))

    @property
    def family(self) -> str:
        """The family of texts it belongs to; empty while it has no place."""
        family = self.record.get("family", "")
        name = str(family.get("name", "") if isinstance(family, Mapping) else family)
        return "" if name == UNPLACED_FAMILY else name


@dataclass(frozen=True, slots=True)
class Cell:
    """The answer of one source to one question, with its clauses."""

    source: str
    question: str  #: slug
    clauses: tuple[Clause, ...]
    value: Value | None  #: None where there is only a reason
    status: str
    cert: str

    def __repr__(self) -> str:
        text = "no answer" if self.value is None else self.value
        return format_repr(self, f"{self.source} on {self.question}: {text}, {self.status}")

    @property
    def supplied(self) -> bool:
        """Return whether the answer is the editor's, the source being silent."""
        return self.value is not None and all(c.supplied for c in self.clauses)


_HINT_QUESTION = "Give an id such as Q031, or its slug."


@dataclass(frozen=True)
class Library:
    """All sources with questions and clauses, checked.

    `digest` is a fingerprint of the files, `rules_digest` one of what they answer: results stored earlier rest on it.
    """

    questions: Mapping[str, Question] = field(repr=False)  #: slug -> question, in the order of the table of contents
    sources: Mapping[str, Source] = field(repr=False)  #: siglum -> source
    digest: str = ""
    root: str = ""
    deals: tuple[str, ...] = ()  #: paths of the worked deals, relative to root
    sessions: tuple[str, ...] = ()  #: paths of the worked sessions
    rules_digest: str = ""

    def __repr__(self) -> str:
        clauses = sum(len(source.clauses) for source in self.sources.values())
        ids = sorted(question.id for question in self.questions.values() if not question.by)
        questions = f"{len(ids)} questions, {ids[0]} to {ids[-1]}" if ids else "no questions"
        counts = f"{questions}, {clauses} clauses, {len(self.deals)} deals"
        return format_repr(self, f"{', '.join(self.sources)}: {counts}")

    def source(self, name: str) -> Source:
        """Find a source by its siglum, in any letters. Raises UnknownName, a KeyError."""
        return self.sources[match_name("source", name, self.sources)]

    def question(self, name: str | int) -> Question:
        """Find a question by id (`Q031`, `q31`, `31`) or slug, in any letters. Raises UnknownName, a KeyError."""
        known = self._question_by_name
        return known.get(str(name)) or known[match_name("question", name, known, _HINT_QUESTION)]

    @cached_property
    def _question_by_name(self) -> Mapping[str, Question]:
        return {question.id: question for question in self.questions.values()} | dict(self.questions)

    def cell(self, source: str, question: str | int) -> Cell | None:
        """Find the cell of a source on a question; None where no clause speaks to it.

        Both are named as `source` and `question` take them. Raises UnknownName, a KeyError.
        """
        siglum = source if source in self.sources else self.source(source).siglum
        return self.find_cell(siglum, self.question(question).slug)

    def find_cell(self, siglum: str, slug: str) -> Cell | None:
        """Find a cell by siglum and slug as they stand; None too for a slug that is no question of this library."""
        clauses = self._clauses_on[siglum].get(slug, ())
        if not clauses:
            return None
        first = next((c for c in clauses if slug in c.answers), clauses[0])
        return Cell(siglum, slug, clauses, first.answers.get(slug), first.status, first.cert)

    @cached_property
    def rulesets(self) -> dict[str, Ruleset]:
        """The rules of sources as they have them, as far as they have been resolved."""
        return {}

    @cached_property
    def _clauses_on(self) -> Mapping[str, Mapping[str, tuple[Clause, ...]]]:
        """The clauses of every source that answer a question, or give a reason for it; by the question."""
        by_source: dict[str, dict[str, tuple[Clause, ...]]] = {siglum: {} for siglum in self.sources}
        for siglum, source in self.sources.items():
            for clause in source.clauses:
                for slug in dict.fromkeys(clause.questions):
                    by_source[siglum][slug] = (*by_source[siglum].get(slug, ()), clause)
        return by_source

    def clauses(self) -> Iterator[Clause]:
        """Every clause of every source."""
        for source in self.sources.values():
            yield from source.clauses

    def clause(self, id: str) -> Clause:
        """Find a clause by its id, which begins with its source's siglum, in any letters. Raises UnknownName."""
        exact = self._clause_by_id.get(id)
        if exact is not None:
            return exact
        known = {clause.id: clause for clause in self.source(id.partition(".")[0]).clauses}
        return known[match_name("clause", id, known)]

    @cached_property
    def _clause_by_id(self) -> Mapping[str, Clause]:
        return {clause.id: clause for clause in self.clauses()}


@dataclass(frozen=True, slots=True)
class Ruling:
    """One question settled in one ruleset, with the clauses that settle it."""

    question: str  #: slug
    id: str  #: Q031
    value: Value
    clauses: tuple[str, ...]
    source: str
    supplied: bool = False
    interpretation: str = ""  #: id of the chosen interpretation or option, or of the clause whose preferred one it is
    cert: str = "high"
    emendations: tuple[str, ...] = ()  #: ids of the emendations that its clauses' quotations rest on
    said: Value | None = None  #: what the source says, where the engine plays something else in its place
    not_played: str = ""  #: why the engine does not play what the source says
    unasked: bool = False  #: it never asks this question, so that only `matters` tells whether a deal raises it
    matters: tuple[Occasion, ...] = ()  #: by what one sees that a deal raises what is not played

    @property
    def answer(self) -> Value:
        """Answer of the source, played or not."""
        return self.value if self.said is None else self.said


@dataclass(frozen=True)
class Ruleset:
    """The rules of a source, or those rules with changes, with an answer for each question."""

    name: str
    source: str
    rulings: Mapping[str, Ruling] = field(repr=False)  #: slug -> ruling
    reasons: Mapping[str, str] = field(default_factory=dict, repr=False)  #: slug -> why there is no answer
    unit: str = "counter"
    not_held: tuple[UnheldOrder, ...] = field(default=(), repr=False)  #: what the source orders and no answer holds

    def __repr__(self) -> str:
        return format_repr(self, f"{self.name}: {len(self.rulings)} answers, unit {self.unit}")

    @property
    def left_out(self) -> tuple[Ruling, ...]:
        """Rulings that the engine does not play, in the order of the questions."""
        return tuple(ruling for ruling in self.rulings.values() if ruling.not_played)


class Silent(LookupError):
    """A question was asked on which the ruleset says nothing."""

    kind = "Silent"  #: the word before its message

    def __init__(self, question: str, ruleset: str, reason: str = "") -> None:
        self.question, self.ruleset, self.reason = question, ruleset, reason
        super().__init__(f"{ruleset} is silent on {question}" + (f": {reason}" if reason else ""))


class Conflict(ValueError):
    """Two clauses of one source answer the same question differently."""

    def __init__(self, question: str, first: Clause, second: Clause) -> None:
        self.question, self.first, self.second = question, first, second
        super().__init__(f"{first.id} and {second.id} answer {question} differently")
