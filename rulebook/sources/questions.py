"""The questions of the edition, with those questions and readings that sources propose."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from rulebook.answers.conditions import AnswerCondition, parse_conditions
from rulebook.answers.kinds import WORDED_UNITS
from rulebook.answers.typed import parse_text
from rulebook.answers.values import (
    SlugOf,
    UnknownQuestion,
    Wrong,
    build_slug_lookup,
    format_canonical,
    read_one_of,
    read_value,
)
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.library_settings import LibrarySettings
from rulebook.model import CARD_OCCASIONS, CLOSED, FrozenMap, Kind, Occasion, Proposal, Question, Value
from rulebook.problems import Problem, Where
from rulebook.proposals import find_played_answer, find_proposal_faults
from rulebook.schema.records import MeasureRecord, OccasionRecord, ProposedRecord, QuestionRecord
from rulebook.sources.file_reader import LibraryFileReader, freeze_data
from rulebook.sources.short_forms import (
    complete_short_forms,
    cut_to_short_form,
    find_proposed_short_form_faults,
    find_short_form_faults,
)
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean


def read_questions(desk: LibraryFileReader) -> dict[str, Question]:
    """All questions by their slugs, in the order of the files."""
    questions: dict[str, Question] = {}
    for path in sorted((desk.root / "questions").glob("*.yaml")):
        table, positions = desk.table(path, "write every question under its id")
        for id, item in table.items():
            record = desk.record(QuestionRecord, item, positions, (id,))
            question = record and build_question(desk, id, record, positions)
            if question and is_new_question(desk, question, questions):
                questions[question.slug] = question
            if question is None:
                desk.unread |= {id, str(item.get("slug", id)) if isinstance(item, Mapping) else id}
    if questions:
        read_proposals(desk, questions)
    slug_of = build_slug_lookup(questions.values())
    bounded = {slug: resolve_pointers(desk, question, questions, slug_of) for slug, question in questions.items()}
    return {slug: read_substitutes(desk, question, slug_of) for slug, question in bounded.items()}


def build_question(
    desk: LibraryFileReader, id: str, record: QuestionRecord, positions: Positions, steps: Steps = ()
) -> Question | None:
    """Build a question out of its record; None if it could not be answered."""
    steps = steps or (id,)
    where = positions.key(steps)
    desk.places[where] = positions, steps
    wrong = next(faults_of_question(id, record, desk.kinds), None)
    for key in ("group", "affects"):
        desk.told += _find_strange_words(key, getattr(record, key), desk.settings, positions.where((*steps, key)))
    if wrong:
        desk.problems.append(where.problem(wrong.what, wrong.way_out))
        return None
    for keys, wrong in find_short_form_faults(id, record, on_trial=len(steps) > 1):
        desk.told.append(positions.key((*steps, *keys)).problem(wrong.what, wrong.way_out))
    kind = desk.kinds[record.measure.type] if record.measure else CLOSED
    measure = record.measure.model_dump(exclude_none=True, exclude={"short"}) if record.measure else {}
    listed = ("readings",) if record.readings else ("measure", "of")
    return Question(
        id=id,
        slug=record.slug,
        asks=record.asks,
        group=desk.settings.groups.get(record.group, record.group),
        affects=record.affects,
        coding=record.coding,
        readings=FrozenMap(record.readings or {}),
        measure=cast("Mapping[str, Value]", freeze_data({**kind.implies, **measure})),
        depends=record.depends,
        related=tuple(record.related),
        not_played=record.not_played,
        where=where,
        played_as=cast("Value | None", freeze_data(record.played_as)),
        short=FrozenMap(complete_short_forms(record)),
        matters=build_occasions(record.matters),
        kind=kind,
        places=FrozenMap(
            {name: positions.key((*steps, *listed, name)) for name in record.readings or measure.get("of", ())}
        ),
    )


def _find_strange_words(key: str, word: str, settings: LibrarySettings, where: Where) -> Iterator[Problem]:
    """Find a group, or a word of what an answer changes, that is not among those of the library."""
    known = settings.groups if key == "group" else settings.affects
    if known and word not in known:
        yield where.problem(f"{key} cannot be {word}", did_you_mean(word, known, f"write one of: {', '.join(known)}"))


def build_occasions(records: Iterable[OccasionRecord]) -> tuple[Occasion, ...]:
    """Build what shows that a deal raises something that is not played."""
    return tuple(Occasion(**record.model_dump()) for record in records)


def find_occasion_faults(id: str, records: Iterable[OccasionRecord], not_played: str) -> Iterator[Wrong]:
    """Yield the faults of what shows that a deal raises something that is not played."""
    for record in records:
        given = [name for name in ("card", "announced", "stake_from") if getattr(record, name)]
        if not not_played:
            yield Wrong(f"{id} is played, and says under `matters` when it would be", "leave out `matters`")
        elif len(given) != 1:
            named = " and ".join(given) or "nothing"
            yield Wrong(f"{id}: an occasion under `matters` has {named}", "give one of card, announced, stake_from")
        elif bool(record.card) != bool(record.when) or (record.card and not _CARD_NAME.fullmatch(record.card)):
            what = f"{id}: the occasion {quote_value(record.card or record.when)} is no card and what befalls it"
            yield Wrong(what, f"write {{card: QH, when: led}}; when is one of {', '.join(CARD_OCCASIONS)}")


_CARD_NAME = re.compile(r"(?:[AKQJT2-9])[SHDC]")


def faults_of_question(id: str, record: QuestionRecord, kinds: Mapping[str, Kind]) -> Iterator[Wrong]:
    """Yield what keeps a question from being answered."""
    yield from find_occasion_faults(id, record.matters, record.not_played)
    if not re.fullmatch(r"Q\d{3}", id):
        yield Wrong(f"the question {id} has no well-formed id", "write it like Q031")
    if not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", record.slug):
        yield Wrong(f"{id}: the slug {quote_value(record.slug)} is not well formed", "write it like payment.amount")
    if bool(record.readings) == bool(record.measure):
        yield Wrong(f"{id} must have either readings or a measure", "give one of the two")
    if record.measure and record.measure.type not in kinds:
        otherwise = "there are " + ", ".join(kinds)
        yield Wrong(
            f"{id}: there is no measure {quote_value(record.measure.type)}",
            did_you_mean(record.measure.type, kinds, otherwise),
        )
    elif record.measure and kinds[record.measure.type].listed and not (record.measure.of or record.measure.like):
        what = f"{id} is answered by {kinds[record.measure.type].describes}, and has no list"
        yield Wrong(what, "add `of` to the measure: word, and what it means; and `short`")
    elif record.measure and record.measure.unit:
        yield from _find_unit_faults(id, record.measure, kinds[record.measure.type])


def _find_unit_faults(id: str, measure: MeasureRecord, kind: Kind) -> Iterator[Wrong]:
    """Yield what is wrong with the unit of a measure: a word of the edition misspelt, or no word."""
    unit = measure.unit or ""
    if unit in (*WORDED_UNITS, kind.implies.get("unit")):
        return
    near = difflib.get_close_matches(unit, WORDED_UNITS, 1, 0.85)  # bricks are no tricks
    meant = f"did you mean {near[0]}?" if near else ""
    if not kind.takes_unit:
        yield Wrong(f"{id}: {kind.describes} has no unit {quote_value(unit)}", "leave out `unit`")
    elif meant or not _UNIT.fullmatch(unit):
        otherwise = "write it in the plural as it is to stand behind a number, with at most 24 letters: minutes"
        yield Wrong(f"{id}: the unit {quote_value(unit)} cannot stand", meant or otherwise)


_UNIT = re.compile(r"(?=.{1,24}\Z)[^\W\d_]+\.?(?:[ '-][^\W\d_]+\.?)*|[%°‰][CF]?")


def is_new_question(desk: LibraryFileReader, question: Question, questions: Mapping[str, Question]) -> bool:
    """Return whether id and slug are new."""
    for other in questions.values():
        if question.id == other.id or question.slug == other.slug:
            there = f"see {other.where.file}, line {other.where.line}"
            desk.problems.append(question.where.problem(*_describe_taken_name(question, other, there)))
            return False
    return True


def _describe_taken_name(question: Question, other: Question, there: str) -> tuple[str, str]:
    """Say which name of a question another has already, and the way out."""
    if question.id == other.id:
        return f"the number {question.id} is taken by {other.slug}", f"choose a free number; {there}"
    return f"{question.id}: the slug {question.slug} is taken by {other.id}", f"choose another name; {there}"


def resolve_pointers(
    desk: LibraryFileReader, question: Question, questions: Mapping[str, Question], slug_of: SlugOf
) -> Question:
    """Turn every pointer of a question to another into its slug."""

    def tried(key: str, turn: Callable[[], Question]) -> Question:
        try:
            return turn()
        except Wrong as wrong:
            if isinstance(wrong, UnknownQuestion) and wrong.name in desk.unread:
                return question
            positions, steps = desk.places[question.where]
            where = positions.where((*steps, *key.split(".")))
            desk.problems.append(where.problem(f"{question.id}: {wrong.what}", wrong.way_out))
            return question

    question = tried("measure.like", lambda: take_over_words(question, questions, slug_of))
    depending, question = question, replace(question, depends="")
    question = tried("depends", lambda: replace(question, depends=rewrite_condition(depending, questions, slug_of)))
    return tried("related", lambda: replace(question, related=tuple(map(slug_of, question.related))))


def take_over_words(question: Question, questions: Mapping[str, Question], slug_of: SlugOf) -> Question:
    """Let a question that is answered like another take over its words."""
    if "like" not in question.measure:
        return question
    model = questions[slug_of(str(question.measure["like"]))]
    if "of" not in model.measure:
        raise Wrong(f"{model.id} has no words to lend", "point to a question with `of`, or list the words here")
    measure = FrozenMap({**question.measure, "like": model.slug, "of": model.measure["of"]})
    return replace(question, measure=measure, proposed=model.proposed, short=model.short)


def rewrite_condition(question: Question, questions: Mapping[str, Question], slug_of: SlugOf) -> str:
    """Return the condition of a question in slugs and canonical values."""

    def rewrite(condition: AnswerCondition) -> str:
        slug = slug_of(condition.question)
        asked = take_over_words(questions[slug], questions, slug_of)
        if condition.relation == "has":
            return str(replace(condition, question=slug, value=_find_listed_word(asked, condition.value)))
        value, wrong = parse_text(asked, condition.value)
        if wrong:
            raise Wrong(f"depends on {condition}: {wrong}", "compare with an answer that can be given")
        return str(replace(condition, question=slug, value=format_canonical(value)))

    return " and ".join(" or ".join(map(rewrite, condition.each)) for condition in parse_conditions(question.depends))


def _find_listed_word(question: Question, word: str) -> str:
    """Return a word of the list with which a question is answered. Raises Wrong."""
    if not question.kind.listed:
        raise Wrong(f"depends on what {question.id} has, which is answered by no list", "compare it by == or !=")
    return read_one_of(word, cast("Mapping[str, str]", question.measure["of"]), f"word of {question.slug}")


# --- what a source proposes -----------------------------------------------------------------------------


def read_proposals(desk: LibraryFileReader, questions: dict[str, Question]) -> None:
    """The questions and readings that sources bring along, laid among the others."""
    pages = sorted(desk.root.glob("*/proposed.yaml"))
    read = [(path, *desk.yaml(path)) for path in pages]
    records = [(path, desk.record(ProposedRecord, data, at, ()), at) for path, data, at in read if data is not None]
    for path, record, positions in records:
        for id, item in record.questions.items() if record else ():
            question = build_question(desk, id, item, positions, ("questions", id))
            if question and is_new_question(desk, question, questions):
                questions[question.slug] = replace(question, by=path.parent.name)
    for path, record, positions in records:
        for name, readings in record.readings.items() if record else ():
            for reading, entry in readings.items():
                steps = ("readings", name, reading)
                instead = cast("Value | None", freeze_data(entry.played_as))
                where = desk.place(positions, steps)
                matters = build_occasions(entry.matters)
                proposal = Proposal(
                    path.parent.name, entry.says, entry.not_played, instead, where, entry.short, matters
                )
                for wrong in find_occasion_faults(f"{name}: {reading}", entry.matters, entry.not_played):
                    desk.problems.append(where.problem(wrong.what, wrong.way_out))
                add_reading(desk, questions, name, reading, proposal)


def add_reading(
    desk: LibraryFileReader, questions: dict[str, Question], name: str, reading: str, proposal: Proposal
) -> None:
    """One more reading of a question, or word for its lists, on trial."""
    try:
        question = questions[build_slug_lookup(questions.values())(name)]
        if "like" in question.measure:
            raise Wrong(f"{question.id} is answered like {question.measure['like']}", "propose the word there")
        for wrong in find_proposal_faults(question, reading, proposal):
            raise wrong
    except Wrong as wrong:
        desk.problems.append(proposal.where.problem(wrong.what, wrong.way_out))
        return
    positions, steps = desk.places[proposal.where]
    for fault in find_proposed_short_form_faults(question, reading, proposal.short):
        desk.told.append(positions.key((*steps, "short")).problem(fault.what, fault.way_out))
    proposed = FrozenMap({**question.proposed, reading: proposal})
    short = FrozenMap({**question.short, reading: proposal.short or cut_to_short_form(proposal.says)})
    question = replace(question, proposed=proposed, short=short)
    if question.closed:
        question = replace(question, readings=FrozenMap({**question.readings, reading: proposal.says}))
    elif question.kind.listed:
        words = cast("Mapping[str, Value]", question.measure.get("of", FrozenMap()))
        words = FrozenMap({**words, reading: proposal.says})
        question = replace(question, measure=FrozenMap({**question.measure, "of": words}))
    questions[question.slug] = question


def read_substitutes(desk: LibraryFileReader, question: Question, slug_of: SlugOf) -> Question:
    """Read the answers of a question that stand in for others."""

    def understood(raw: Value | None, where: Where) -> Value | None:
        try:
            value = None if raw is None else read_value(question, raw, slug_of)
            if value is not None and find_played_answer(question, value)[1]:
                raise Wrong(f"{format_canonical(value)} is itself on trial", "name an answer that the edition has")
            return value
        except Wrong as wrong:
            desk.problems.append(where.problem(f"{question.id}, played_as: {wrong.what}", wrong.way_out))
            return None

    if question.by and (not question.not_played or question.played_as is None):
        what = f"{question.id} is proposed, and the engine does not know it"
        way_out = "say under not_played what it would have to learn, and under played_as what it plays meanwhile"
        desk.problems.append(question.where.problem(what, way_out))
    mine = {name: proposal for name, proposal in question.proposed.items() if "like" not in question.measure}
    proposed = {
        name: replace(proposal, played_as=understood(proposal.played_as, proposal.where))
        for name, proposal in mine.items()
    }
    instead = understood(question.played_as, question.where)
    return replace(question, proposed=FrozenMap({**question.proposed, **proposed}), played_as=instead)
