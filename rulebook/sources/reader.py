"""From the files of `sources/` to a library: reads everything, collects every problem, remembers every place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, cast

from rulebook.answers import MEASURES, SlugOf, Wrong, canonical, conditions, naming, parse_text, read_value
from rulebook.io.files import BESIDE, is_device
from rulebook.io.strict_yaml import Data, Positions, Steps, read_yaml
from rulebook.model import (
    Alternative,
    Cite,
    Clause,
    FrozenMap,
    Library,
    Note,
    Printed,
    Proposal,
    Question,
    Source,
    Standing,
    Statement,
    Value,
)
from rulebook.problems import Problem, Where
from rulebook.proposals import LISTS, played
from rulebook.proposals import faults_of as faults_of_proposal
from rulebook.schema.records import (
    ClauseRecord,
    NoteRecord,
    OptionRecord,
    PrintedRecord,
    ProposedRecord,
    QuestionRecord,
    Record,
    RivalRecord,
    SourceRecord,
    StandingRecord,
    StatementRecord,
    TombstoneRecord,
    validated,
)
from rulebook.sources.case import Case, Given, Registry, Tombstone
from rulebook.sources.emendations import rested
from rulebook.sources.published_ids import PUBLISHED
from rulebook.spelling import NO_TABLE, Spelling, read_spelling
from rulebook.suggestions import did_you_mean
from rulebook.tei.reader import read_text, read_translation
from rulebook.text import Text, Translation

R = TypeVar("R", bound=Record)

REGISTRY, TOMBSTONES, GLOSSARY = "registry.yaml", "tombstones.yaml", "glossary.yaml"
COVERAGE = "coverage.yaml"
DEALS = ("*/deals/*.yaml", "deals/*.yaml")
SESSIONS = ("sessions/*.yaml",)


class Desk:
    """Where the files are read: what is wrong with them, and the place of everything."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[Problem] = []  #: after which something is missing from the library
        self.told: list[Problem] = []  #: after which it is all there
        self.places: dict[Where, tuple[Positions, Steps]] = {}
        self.givens: list[Given] = []
        self.incomplete: set[str] = set()

    def name(self, path: Path) -> str:
        """A file as it is called in messages: from the folder of sources on."""
        return f"{self.root.name}/{path.relative_to(self.root).as_posix()}"

    def yaml(self, path: Path) -> tuple[Data, Positions]:
        """A YAML file, with its places."""
        data, positions, problems = read_yaml(path, self.name(path))
        if data is None and not problems:
            problems = [Where(positions.name).problem("is empty", "fill it, or take it away")]
        self.problems += problems
        return data, positions

    def note(self, path: Path, problems: list[Problem], lost: bool) -> None:
        """Problems that another reader has found, under the file's name here."""
        pile = self.problems if lost else self.told
        pile += [replace(one, file=self.name(path)) for one in problems]

    def all(self) -> list[Problem]:
        """Every problem found so far, by file and line."""
        return sorted({*self.problems, *self.told})

    def place(self, positions: Positions, steps: Steps) -> Where:
        """The place of a record, remembered for the checks."""
        where = positions.where(steps)
        self.places[where] = positions, steps
        return where

    def record(self, kind: type[R], data: object, positions: Positions, steps: Steps) -> R | None:
        """A record, if it fits."""
        record, problems = validated(kind, data, positions, steps)
        self.problems += problems
        return record

    def records(self, kind: type[R], path: Path) -> Iterator[tuple[R, Positions, Steps]]:
        """The records that a file lists; one that does not fit is told and left out."""
        data, positions = self.yaml(path)
        if data is not None and not isinstance(data, list):
            self.problems.append(positions.where(()).problem("is no list", "begin every item with a dash"))
        for at, item in enumerate(data if isinstance(data, list) else ()):
            if record := self.record(kind, item, positions, (at,)):
                yield record, positions, (at,)


def assembled(root: Path) -> tuple[Case | None, list[Problem]]:
    """The library with its places, and what could not be read; nothing if not even the questions are there."""
    desk = Desk(root)
    questions = read_questions(desk)
    if not questions:
        desk.problems.append(Where(f"{root.name}/questions").problem("holds no question", "see CONTRIBUTING.md"))
        return None, desk.all()
    spelling, faults = read_spelling(root / "spelling.yaml") if (root / "spelling.yaml").exists() else (NO_TABLE, [])
    desk.note(root / "spelling.yaml", faults, lost=bool(faults))
    folders = [path.parent for path in sorted(root.glob("*/source.yaml"))]
    if not folders:
        desk.problems.append(Where(root.name).problem("holds no source", "a source is a folder with a source.yaml"))
    sources = [source for folder in folders if (source := read_source(desk, folder, questions, spelling))]
    library = Library(FrozenMap(questions), FrozenMap((one.siglum, one) for one in sources), root=str(root))
    lost = bool(desk.problems)
    registry, incomplete = read_registry(desk), frozenset(desk.incomplete)
    return Case(library, tuple(desk.givens), desk.places, incomplete, lost, registry), desk.all()


def frozen(data: object) -> object:
    """Plain data that nobody can change."""
    if isinstance(data, dict):
        return FrozenMap((key, frozen(value)) for key, value in data.items())
    return tuple(map(frozen, data)) if isinstance(data, list) else data


# --- questions ----------------------------------------------------------------------------------------


def read_questions(desk: Desk) -> dict[str, Question]:
    """All questions by their slugs, in the order of the files."""
    found: dict[str, Question] = {}
    for path in sorted((desk.root / "questions").glob("*.yaml")):
        data, positions = desk.yaml(path)
        if data is not None and not isinstance(data, dict):
            desk.problems.append(positions.where(()).problem("is no table", "write every question under its id"))
        for id, item in data.items() if isinstance(data, dict) else ():
            record = desk.record(QuestionRecord, item, positions, (id,))
            question = record and question_of(desk, id, record, positions)
            if question and fresh(desk, question, found):
                found[question.slug] = question
    if found:
        read_proposals(desk, found)
    slug_of = naming(found.values())
    bounded = {slug: bound(desk, question, found, slug_of) for slug, question in found.items()}
    return {slug: stood_in(desk, question, slug_of) for slug, question in bounded.items()}


def question_of(
    desk: Desk, id: str, record: QuestionRecord, positions: Positions, steps: Steps = ()
) -> Question | None:
    """A question out of its record; None if it could not be answered."""
    steps = steps or (id,)
    where = positions.key(steps)
    desk.places[where] = positions, steps
    wrong = next(faults_of(id, record), None)
    if wrong:
        desk.problems.append(where.problem(wrong.what, wrong.way_out))
        return None
    measure = record.measure.model_dump(exclude_none=True) if record.measure else {}
    return Question(
        id=id,
        slug=record.slug,
        asks=record.asks,
        group=record.group,
        affects=record.affects,
        coding=record.coding,
        readings=FrozenMap(record.readings or {}),
        measure=cast("Mapping[str, Value]", frozen(measure)),
        depends=record.depends,
        related=tuple(record.related),
        not_played=record.not_played,
        where=where,
        played_as=cast("Value | None", frozen(record.played_as)),
    )


def faults_of(id: str, record: QuestionRecord) -> Iterator[Wrong]:
    """What keeps a question from being answered."""
    if not re.fullmatch(r"Q\d{3}", id):
        yield Wrong(f"the question {id} has no well-formed id", "write it like Q031")
    if not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", record.slug):
        yield Wrong(f"{id}: the slug {record.slug!r} is not well formed", "write it like quinola.forced.amount")
    if bool(record.readings) == bool(record.measure):
        yield Wrong(f"{id} must have either readings or a measure", "give one of the two")
    if record.measure and record.measure.type not in MEASURES:
        otherwise = "there are " + ", ".join(MEASURES)
        yield Wrong(
            f"{id}: there is no measure {record.measure.type!r}",
            did_you_mean(record.measure.type, MEASURES, otherwise),
        )


def fresh(desk: Desk, question: Question, found: Mapping[str, Question]) -> bool:
    """Whether id and slug are new."""
    for other in found.values():
        if question.id == other.id or question.slug == other.slug:
            what = f"{question.id} ({question.slug}) is asked already, as {other.id} ({other.slug})"
            desk.problems.append(question.where.problem(what, f"see {other.where.file}, line {other.where.line}"))
            return False
    return True


def bound(desk: Desk, question: Question, found: Mapping[str, Question], slug_of: SlugOf) -> Question:
    """A question with every pointer to another turned into its slug."""

    def tried(key: str, turn: Callable[[], Question]) -> Question:
        try:
            return turn()
        except Wrong as wrong:
            positions, steps = desk.places[question.where]
            where = positions.where((*steps, *key.split(".")))
            desk.problems.append(where.problem(f"{question.id}: {wrong.what}", wrong.way_out))
            return question

    question = tried("measure.like", lambda: likened(question, found, slug_of))
    depending, question = question, replace(question, depends="")
    question = tried("depends", lambda: replace(question, depends=rewritten(depending, found, slug_of)))
    return tried("related", lambda: replace(question, related=tuple(map(slug_of, question.related))))


def likened(question: Question, found: Mapping[str, Question], slug_of: SlugOf) -> Question:
    """A question that is answered like another takes over its words."""
    if "like" not in question.measure:
        return question
    model = found[slug_of(str(question.measure["like"]))]
    if "of" not in model.measure:
        raise Wrong(f"{model.id} has no words to lend", "point to a question with `of`, or list the words here")
    measure = FrozenMap({**question.measure, "like": model.slug, "of": model.measure["of"]})
    return replace(question, measure=measure, proposed=model.proposed)


def rewritten(question: Question, found: Mapping[str, Question], slug_of: SlugOf) -> str:
    """The condition of a question in slugs and canonical values."""
    parts = []
    for one in conditions(question.depends):
        slug = slug_of(one.question)
        value, wrong = parse_text(found[slug], one.value)
        if wrong:
            raise Wrong(f"depends on {one}: {wrong}", "compare with an answer that can be given")
        parts.append(str(replace(one, question=slug, value=canonical(value))))
    return " and ".join(parts)


# --- what a source proposes -----------------------------------------------------------------------------


def read_proposals(desk: Desk, found: dict[str, Question]) -> None:
    """The questions and readings that sources bring along, laid among the others."""
    pages = sorted(desk.root.glob("*/proposed.yaml"))
    read = [(path, *desk.yaml(path)) for path in pages]
    records = [(path, desk.record(ProposedRecord, data, at, ()), at) for path, data, at in read if data is not None]
    for path, record, positions in records:
        for id, item in record.questions.items() if record else ():
            question = question_of(desk, id, item, positions, ("questions", id))
            if question and fresh(desk, question, found):
                found[question.slug] = replace(question, by=path.parent.name)
    for path, record, positions in records:
        for name, readings in record.readings.items() if record else ():
            for reading, one in readings.items():
                steps = ("readings", name, reading)
                instead = cast("Value | None", frozen(one.played_as))
                where = desk.place(positions, steps)
                add_reading(
                    desk, found, name, reading, Proposal(path.parent.name, one.says, one.not_played, instead, where)
                )


def add_reading(desk: Desk, found: dict[str, Question], name: str, reading: str, proposal: Proposal) -> None:
    """One more reading of a question, or word for its lists, on trial."""
    try:
        question = found[naming(found.values())(name)]
        if "like" in question.measure:
            raise Wrong(f"{question.id} is answered like {question.measure['like']}", "propose the word there")
        for wrong in faults_of_proposal(question, reading, proposal):
            raise wrong
    except Wrong as wrong:
        desk.problems.append(proposal.where.problem(wrong.what, wrong.way_out))
        return
    proposed = FrozenMap({**question.proposed, reading: proposal})
    question = replace(question, proposed=proposed)
    if question.closed:
        question = replace(question, readings=FrozenMap({**question.readings, reading: proposal.says}))
    elif question.measure["type"] in LISTS:
        words = cast("Mapping[str, Value]", question.measure.get("of", FrozenMap()))
        words = FrozenMap({**words, reading: proposal.says})
        question = replace(question, measure=FrozenMap({**question.measure, "of": words}))
    found[question.slug] = question


def stood_in(desk: Desk, question: Question, slug_of: SlugOf) -> Question:
    """A question whose answers that stand in for others have been understood."""

    def understood(raw: Value | None, where: Where) -> Value | None:
        try:
            value = None if raw is None else read_value(question, raw, slug_of)
            if value is not None and played(question, value)[1]:
                raise Wrong(f"{canonical(value)} is itself on trial", "name an answer that the edition has")
            return value
        except Wrong as wrong:
            desk.problems.append(where.problem(f"{question.id}, played_as: {wrong.what}", wrong.way_out))
            return None

    if question.by and (not question.not_played or question.played_as is None):
        what = f"{question.id} is proposed, and the engine does not know it"
        way_out = "say under not_played what it would have to learn, and under played_as what it plays meanwhile"
        desk.problems.append(question.where.problem(what, way_out))
    mine = {name: one for name, one in question.proposed.items() if "like" not in question.measure}
    proposed = {name: replace(one, played_as=understood(one.played_as, one.where)) for name, one in mine.items()}
    instead = understood(question.played_as, question.where)
    return replace(question, proposed=FrozenMap({**question.proposed, **proposed}), played_as=instead)


# --- a source -------------------------------------------------------------------------------------------


def read_source(desk: Desk, folder: Path, questions: Mapping[str, Question], spelling: Spelling) -> Source | None:
    """One folder: record, text, translation, statements, notes, clauses."""
    data, positions = desk.yaml(folder / "source.yaml")
    record = desk.record(SourceRecord, data, positions, ()) if data is not None else None
    if record is None or misnamed(desk, record.siglum, folder, positions):
        return None
    siglum, before = record.siglum, len(desk.problems)
    text, translation = read_words(desk, folder, spelling, record.draft)
    statements = tuple(read_statements(desk, folder))
    if not text and not statements and not record.draft and len(desk.problems) == before:
        what, way_out = "has neither text nor statements", "add text.xml, or statements.yaml"
        desk.problems.append(positions.where(()).problem(f"{siglum} {what}", way_out))
    notes = tuple(read_notes(desk, folder))
    before = len(desk.problems)
    clauses = tuple(read_clauses(desk, folder, siglum, questions))
    if len(desk.problems) > before:
        desk.incomplete.add(siglum)
    bare = Source(siglum, FrozenMap(), text=text)
    return Source(
        siglum=siglum,
        record=cast("Mapping[str, object]", frozen(data)),
        clauses=tuple(rested(bare, clause, spelling) for clause in clauses),
        text=text,
        translation=translation,
        statements=statements,
        notes=notes,
        printed=tuple(read_printed(desk, folder)),
        where=desk.place(positions, ()),
        coverage=FrozenMap(read_coverage(desk, folder)),
    )


def misnamed(desk: Desk, siglum: str, folder: Path, positions: Positions) -> bool:
    """Whether a siglum cannot stand: it begins every id of its source, and is the name of its folder."""
    where = positions.where(("siglum",))
    if not re.fullmatch(r"[A-Z]{2,6}", siglum):
        desk.problems.append(where.problem(f"the siglum {siglum[:40]!r} is not well formed", "write it like PAM"))
    elif is_device(siglum):
        desk.problems.append(where.problem(f"Windows keeps the name {siglum} for a device", "take another siglum"))
    elif siglum.casefold() in BESIDE:
        desk.problems.append(where.problem(f"{siglum} is the name of another folder", "take another siglum"))
    elif siglum != folder.name:
        desk.problems.append(where.problem(held_by(folder, "source", siglum), "give both one name"))
    else:
        return False
    return True


def held_by(folder: Path, what: str, siglum: str) -> str:
    """That a folder holds what bears another name."""
    return f"the folder {folder.name[:40]} holds the {what} {siglum[:40]}"


def read_words(desk: Desk, folder: Path, spelling: Spelling, draft: bool) -> tuple[Text | None, Translation | None]:
    """The text and its translation, as far as there are any; only a draft may wait for its translation."""
    page, english = folder / "text.xml", folder / "en.xml"
    text, problems = read_text(page, spelling) if page.exists() else (None, [])
    desk.note(page, problems, lost=text is None)
    if text and text.siglum != folder.name:
        what = held_by(folder, "text", text.siglum)
        desk.problems.append(Where(desk.name(page)).problem(what, f'write xml:id="{folder.name}", and so in every id'))
    if text is None or (draft and not english.exists()):
        return text, None
    translation, problems = read_translation(english, text)
    desk.note(english, problems, lost=translation is None)
    return text, translation


def read_statements(desk: Desk, folder: Path) -> Iterator[Statement]:
    """The statements of a source in copyright."""
    path = folder / "statements.yaml"
    for one, positions, steps in desk.records(StatementRecord, path) if path.exists() else ():
        where = desk.place(positions, steps)
        yield Statement(one.id, one.section, one.text.strip(), one.quote, one.quote_hash, where)


def read_notes(desk: Desk, folder: Path) -> Iterator[Note]:
    """The notes on a source."""
    path = folder / "notes.yaml"
    for one, positions, steps in desk.records(NoteRecord, path) if path.exists() else ():
        yield Note(one.id, one.on, one.kind, one.text.strip(), one.by, desk.place(positions, steps))


def read_printed(desk: Desk, folder: Path) -> Iterator[Printed]:
    """The numbers that a source prints about its own game."""
    path = folder / "printed.yaml"
    for one, positions, steps in desk.records(PrintedRecord, path) if path.exists() else ():
        where = desk.place(positions, steps)
        cite = Cite(one.locus, exact=one.exact, view=one.view, where=where)
        kept = {key: getattr(one, key) for key in ("reckon", "deal", "rule", "payer", "payee")}
        yield Printed(one.id, cite, one.what, one.says, one.unit, **kept, remark=one.remark.strip(), where=where)


def read_coverage(desk: Desk, folder: Path) -> Iterator[tuple[str, Standing]]:
    """What becomes of every sentence of a source."""
    path = folder / COVERAGE
    data, positions = desk.yaml(path) if path.exists() else ({}, Positions(""))
    if data is not None and not isinstance(data, dict):
        desk.problems.append(positions.where(()).problem("is no table", "write every sentence under its id"))
    for id, item in data.items() if isinstance(data, dict) else ():
        if one := desk.record(StandingRecord, item, positions, (id,)):
            where = positions.key((id,))
            desk.places[where] = positions, (id,)
            questions, residue, because = tuple(one.questions), one.residue.strip(), one.because.strip()
            yield id, Standing(id, one.kind, questions, residue, because, where, one.counsel)


# --- the registry -----------------------------------------------------------------------------------------


def read_registry(desk: Desk) -> Registry:
    """The ids that were ever published, with their tombstones, and the glossary's and the deals'."""
    path, graves = desk.root / REGISTRY, desk.root / TOMBSTONES
    data, positions = desk.yaml(path) if path.exists() else ({}, Positions(""))
    table = data if isinstance(data, dict) else {}
    if data is not None and not isinstance(data, dict):
        desk.problems.append(positions.where(()).problem("is no table", "see `python -m rulebook.registry`"))
    for kind, all in table.items():
        if kind not in PUBLISHED:
            way_out = did_you_mean(kind, PUBLISHED, f"there are {', '.join(PUBLISHED)}")
            desk.problems.append(positions.key((kind,)).problem(f"no ids are of the kind {kind[:40]}", way_out))
        elif not isinstance(all, list):
            desk.problems.append(positions.where((kind,)).problem(f"{kind} is no list", "begin every id with a dash"))
    ids = {str(id): positions.where((kind, at)) for kind, all in table.items() for at, id in listed(all)}
    return Registry(
        bool(table),
        FrozenMap(ids),
        tuple(read_tombstones(desk, graves)) if graves.exists() else (),
        tuple(read_terms(desk, desk.root / GLOSSARY)),
        tuple(records_in(desk, DEALS)),
        tuple(records_in(desk, SESSIONS)),
    )


def records_in(desk: Desk, patterns: Iterable[str]) -> Iterator[tuple[str, Where]]:
    """The ids of records, which are the names of their files, and where each stands."""
    yield from ((path.stem, Where(desk.name(path))) for p in patterns for path in sorted(desk.root.glob(p)))


def listed(data: object) -> Iterator[tuple[int, object]]:
    """The items of a list, numbered; none where there is no list."""
    return enumerate(data if isinstance(data, list) else ())


def read_terms(desk: Desk, path: Path) -> Iterator[tuple[str, Where]]:
    """The ids of the glossary; the edition reads the rest."""
    data, positions = desk.yaml(path) if path.exists() else (None, Positions(""))
    for at, one in listed(data):
        if isinstance(one, dict) and "id" in one:
            yield str(one["id"]), positions.where((at,))


def read_tombstones(desk: Desk, path: Path) -> Iterator[Tombstone]:
    """What became of the ids that are gone."""
    for one, positions, steps in desk.records(TombstoneRecord, path):
        yield Tombstone(one.id, one.on, one.why.strip(), tuple(one.see), desk.place(positions, steps))


# --- clauses -----------------------------------------------------------------------------------------------


def read_clauses(desk: Desk, folder: Path, siglum: str, questions: Mapping[str, Question]) -> Iterator[Clause]:
    """The clauses of a source."""
    reader = ClauseReader(desk, siglum, questions)
    for one, positions, steps in desk.records(ClauseRecord, folder / "clauses.yaml"):
        yield reader.clause(one, positions, steps)


class ClauseReader:
    """Turns the records of one source into clauses, and writes down every answer as it was given."""

    def __init__(self, desk: Desk, siglum: str, questions: Mapping[str, Question]) -> None:
        self.desk, self.siglum, self.questions = desk, siglum, questions
        self.slug_of = naming(questions.values())

    def clause(self, one: ClauseRecord, positions: Positions, steps: Steps) -> Clause:
        """A clause with everything below it."""
        rivals = [self.alternative(one.id, r, positions, (*steps, "rivals", at)) for at, r in enumerate(one.rivals)]
        options = [self.alternative(one.id, o, positions, (*steps, "options", at)) for at, o in enumerate(one.options)]
        return Clause(
            id=one.id,
            source=self.siglum,
            answers=self.answers(one.id, one.id, one.answers, positions, steps),
            status=one.status,
            cert=one.cert,
            coder=one.coder,
            cites=tuple(self.cites(one, positions, steps)),
            about=tuple(self.reasons(one, positions, steps)),
            label=one.label,
            decision=one.decision,
            because=one.because.strip(),
            searched=one.searched,
            taken_from=one.taken_from,
            computation=one.computation.strip(),
            alternatives=(*rivals, *options),
            reviewer=one.reviewer,
            note=one.note.strip(),
            where=self.desk.place(positions, steps),
        )

    def alternative(self, clause: str, one: RivalRecord, positions: Positions, steps: Steps) -> Alternative:
        """A rival interpretation, or an option."""
        option = isinstance(one, OptionRecord)
        return Alternative(
            id=one.id,
            kind="option" if option else "interpretation",
            label=one.label,
            answers=self.answers(clause, one.id, one.answers, positions, steps),
            cert=one.cert,
            because=one.because.strip(),
            decision=one.decision,
            exact=one.exact if isinstance(one, OptionRecord) else "",
            computation=one.computation.strip(),
            where=self.desk.place(positions, steps),
        )

    def cites(self, one: ClauseRecord, positions: Positions, steps: Steps) -> Iterator[Cite]:
        """The citations of a clause."""
        for at, cite in enumerate(one.cites):
            where = self.desk.place(positions, (*steps, "cites", at))
            yield Cite(**cite.model_dump(), where=where)

    def answers(
        self, clause: str, owner: str, given: Mapping[str, object], positions: Positions, steps: Steps
    ) -> FrozenMap[str, Value]:
        """The answers that could be understood; every one is written down for the checks."""
        found = []
        for key, raw in given.items():
            one = self.given(
                Given(self.siglum, clause, owner, "answer", key, positions.where((*steps, "answers", key))),
                raw,
            )
            self.desk.givens.append(one)
            if one.value is not None:
                found.append((one.slug, one.value))
        return FrozenMap(found)

    def given(self, one: Given, raw: object) -> Given:
        """An answer, understood or not."""
        try:
            one = replace(one, slug=self.slug_of(one.key))
            return replace(one, value=read_value(self.questions[one.slug], raw, self.slug_of))
        except Wrong as wrong:
            return replace(one, wrong=wrong)

    def reasons(self, one: ClauseRecord, positions: Positions, steps: Steps) -> Iterator[str]:
        """The questions for which a clause gives a reason only."""
        for at, key in enumerate(one.on):
            given = Given(self.siglum, one.id, one.id, "reason", key, positions.where((*steps, "on", at)))
            try:
                given = replace(given, slug=self.slug_of(key))
                yield given.slug
            except Wrong as wrong:
                given = replace(given, wrong=wrong)
            self.desk.givens.append(given)
