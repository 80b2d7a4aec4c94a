"""Rule sentences from `sources/telling.yaml`, by reading, and its faults.

The sentences are ours and settle nothing. A question or a reading without one is told by its own words instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from rulebook.answers.conditions import list_condition_questions
from rulebook.answers.typed import parse_text
from rulebook.answers.values import Wrong, build_slug_lookup, format_canonical
from rulebook.io.strict_yaml import Positions, Steps, read_yaml
from rulebook.model import Library, Question
from rulebook.problems import Problem
from rulebook.schema import reference_records
from rulebook.schema.validation import validate_record
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

TELLING_FILE, GLOSSARY_FILE = "telling.yaml", "glossary.yaml"
_ADDRESS_PATTERN = re.compile(r"[a-z0-9-]+")
GAP_PATTERN = re.compile(r"\{([^{}]*)\}")
ANSWER = "answer"
_EntryT = TypeVar("_EntryT", reference_records.RuleRecord, reference_records.TopicLineRecord)
TOPIC_GAPS = (ANSWER, "full")  #: in the table of a topic: the answer in a few words, or all of its words
_LEFT_OUT_KEY, _SHORT_KEY = "left_out", "two_minutes"


# --- reading it ----------------------------------------------------------------------------------------


def read_telling(
    root: Path, library: Library, terms: Iterable[str]
) -> tuple[reference_records.TellingRecord, list[Problem]]:
    """The sentences, and all that is wrong with them; without the file every rule is worded by its question."""
    path = root / TELLING_FILE
    if not path.is_file():
        return reference_records.TellingRecord(), []
    name = f"{root.name}/{TELLING_FILE}"
    raw, positions, problems = read_yaml(path, name)
    if problems or raw is None:
        return reference_records.TellingRecord(), problems or [
            positions.where(()).problem("is empty", "fill it, or take it away")
        ]
    record, problems = validate_record(reference_records.TellingRecord, raw, positions, ())
    if record is None:
        return reference_records.TellingRecord(), problems
    faults = sorted(_find_telling_faults(record, positions, library, frozenset(terms)))
    return (reference_records.TellingRecord(), faults) if faults else (_name_by_slug(record, library), [])


def read_term_ids(root: Path) -> frozenset[str]:
    """Read the ids of the glossary, for a check of the sentences only."""
    path = root / GLOSSARY_FILE
    raw = read_yaml(path, path.name)[0] if path.is_file() else None
    return (
        frozenset(str(term.get("id")) for term in raw if isinstance(term, dict))
        if isinstance(raw, list)
        else frozenset()
    )


def _name_by_slug(record: reference_records.TellingRecord, library: Library) -> reference_records.TellingRecord:
    """The file as it is used, once nothing is wrong with it: questions by slug, answers as they are always written."""
    slug_of = build_slug_lookup(library.questions.values())

    def slugs(ids: Iterable[str]) -> list[str]:
        return list(map(slug_of, ids))

    def name_entries(entries: Mapping[str, _EntryT]) -> dict[str, _EntryT]:
        return {slug_of(id): _name_readings(entry, library.questions[slug_of(id)]) for id, entry in entries.items()}

    def name_topic(topic: reference_records.TopicRecord) -> reference_records.TopicRecord:
        table = [row.model_copy(update={"answers": name_entries(row.answers)}) for row in topic.table]
        return topic.model_copy(update={"says": topic.says.strip(), "also": slugs(topic.also), "table": table})

    short, agreed = record.two_minutes, record.agreed
    groups = [group.model_copy(update={"lines": list(map(slugs, group.lines))}) for group in short.groups]
    sums = {part: slugs(ids) for part, ids in agreed.sums.items()}
    return record.model_copy(
        update={
            "left_out": {slug_of(id): why for id, why in record.left_out.items()},
            "sections": [
                section.model_copy(update={"rules": name_entries(section.rules)}) for section in record.sections
            ],
            "topics": {name: name_topic(topic) for name, topic in record.topics.items()},
            "two_minutes": reference_records.TwoMinutesRecord(
                aim=slugs(short.aim), groups=groups, payments=slugs(short.payments)
            ),
            "agreed": reference_records.AgreedSumsRecord(by=slug_of(agreed.by) if agreed.by else "", sums=sums),
        }
    )


def _name_readings(entry: _EntryT, question: Question) -> _EntryT:
    readings = {answer_meant(question, key): sentence for key, sentence in entry.readings.items()}
    return entry.model_copy(update={"readings": readings})


def answer_meant(question: Question, key: str) -> str:
    """An answer as it is always written."""
    value, wrong = parse_text(question, key)
    return key if wrong else format_canonical(value)


# --- what may be wrong -----------------------------------------------------------------------------------


def _find_telling_faults(
    record: reference_records.TellingRecord, positions: Positions, library: Library, terms: frozenset[str]
) -> Iterator[Problem]:
    """Yield names of the file that are not there, and what stands twice."""
    for name, entry in record.names.items():
        for at, term in enumerate(entry.terms):
            if term not in terms:
                place = positions.where(("names", name, "terms", at))
                yield place.problem(f"no term {term}", did_you_mean(term, terms, "give the id of a term"))
    slug_of = build_slug_lookup(library.questions.values())
    for id, steps in _list_references(record):
        try:
            slug_of(id)
        except Wrong as wrong:
            place = positions.key(steps) if steps[-1] == id else positions.where(steps)
            yield place.problem(wrong.what, wrong.way_out)
    gaps = dict.fromkeys((*record.names, *(question.id for question in library.questions.values())))
    for at, section in enumerate(record.sections):
        yield from faults_of_section(section, positions, library, at, gaps)
    questions = {name: question for question in library.questions.values() for name in (question.id, question.slug)}
    yield from _find_untold_questions(record, positions, questions)
    for name, topic in record.topics.items():
        yield from _find_topic_faults(name, topic, positions, questions)
    yield from _find_two_minutes_faults(record, positions, questions)
    if asked := questions.get(record.agreed.by):
        yield from _find_unknown_parts(record.agreed.sums, asked, positions, ("agreed", "sums"))


def _list_references(record: reference_records.TellingRecord) -> Iterator[tuple[str, Steps]]:
    """Yield every question that the file names, and where."""
    yield from _list_told_questions(record)
    for name, topic in record.topics.items():
        yield from ((id, ("topics", name, "also", at)) for at, id in enumerate(topic.also))
        for at, row in enumerate(topic.table):
            yield from ((id, ("topics", name, "table", at, "answers", id)) for id in row.answers)
    yield from _list_short_questions(record.two_minutes)
    if record.agreed.by:
        yield record.agreed.by, ("agreed", "by")
    for part, ids in record.agreed.sums.items():
        yield from ((id, ("agreed", "sums", part, at)) for at, id in enumerate(ids))


def _list_told_questions(record: reference_records.TellingRecord) -> Iterator[tuple[str, Steps]]:
    """Yield the questions that are left out or told, of which none may stand twice."""
    yield from ((id, (_LEFT_OUT_KEY, id)) for id in record.left_out)
    for at, section in enumerate(record.sections):
        yield from ((id, ("sections", at, "rules", id)) for id in section.rules)


def _list_short_questions(short: reference_records.TwoMinutesRecord) -> Iterator[tuple[str, Steps]]:
    """Yield the questions of the rules in two minutes, of which none may stand twice."""
    yield from ((id, (_SHORT_KEY, "aim", at)) for at, id in enumerate(short.aim))
    for at, group in enumerate(short.groups):
        for row, line in enumerate(group.lines):
            yield from ((id, (_SHORT_KEY, "groups", at, "lines", row, of)) for of, id in enumerate(line))
    yield from ((id, (_SHORT_KEY, "payments", at)) for at, id in enumerate(short.payments))


def _find_untold_questions(
    record: reference_records.TellingRecord, positions: Positions, questions: Mapping[str, Question]
) -> Iterator[Problem]:
    """Yield questions that stand twice under either of their names, and those left out though they are played."""
    seen = set[str]()
    for id, steps in _list_told_questions(record):
        if question := questions.get(id):
            if question.slug in seen:
                yield positions.key(steps).problem(f"{id} stands twice", "keep it once")
            if steps[0] == _LEFT_OUT_KEY and not question.not_played:
                way_out = "tell it in one of the sections"
                yield positions.key(steps).problem(f"{id} is played and cannot be left out", way_out)
            seen.add(question.slug)


def _find_topic_faults(
    name: str, topic: reference_records.TopicRecord, positions: Positions, questions: Mapping[str, Question]
) -> Iterator[Problem]:
    """Yield a topic that is no group, has no words, or names a question that is shown there anyway."""
    steps: Steps = ("topics", name)
    own = {question.slug for question in questions.values() if question.group == name}
    if not own:
        groups = dict.fromkeys(question.group for question in questions.values())
        way_out = did_you_mean(name, groups, "take it away")
        yield positions.key(steps).problem(f"no question has the group {name}", way_out)
    for key, text in (("title", topic.title), ("says", topic.says)):
        if not text.strip():
            yield positions.where((*steps, key)).problem("is blank", "say it in a player's words")
    shown = set(own)
    for at, id in enumerate(topic.also):
        if (question := questions.get(id)) and question.slug in shown:
            yield positions.where((*steps, "also", at)).problem(f"{id} is shown there already", "take it away")
        shown |= {question.slug} if question else set()
    for at, row in enumerate(topic.table):
        yield from _find_row_faults(row, (*steps, "table", at), positions, questions, shown)


def _find_row_faults(
    row: reference_records.TopicRowRecord,
    steps: Steps,
    positions: Positions,
    questions: Mapping[str, Question],
    shown: Collection[str],
) -> Iterator[Problem]:
    """Yield a row without words, or of questions that the page does not show, and faults of its words."""
    if not row.asks.strip() or not row.answers:
        way_out = "say what a player asks, and what answers it"
        yield positions.where(steps).problem("has no words, or no answers", way_out)
    for id, line in row.answers.items():
        place: Steps = (*steps, "answers", id)
        if question := questions.get(id):
            if question.slug not in shown:
                yield positions.key(place).problem(f"{id} is not shown on this page", "put it under also")
            way_out = "give an answer that it can have"
            yield from _find_impossible_answers(line.readings, question, positions, place, way_out)
        for sentence in (line.says, *line.readings.values()):
            yield from _find_unknown_gaps(sentence, (), positions, place, TOPIC_GAPS)


def _find_impossible_answers(
    readings: Iterable[str], question: Question, positions: Positions, steps: Steps, way_out: str
) -> Iterator[Problem]:
    for key in readings:
        if wrong := parse_text(question, key)[1]:
            yield positions.key((*steps, "readings", key)).problem(f"{question.id}: {wrong}", way_out)


def _find_two_minutes_faults(
    record: reference_records.TellingRecord, positions: Positions, questions: Mapping[str, Question]
) -> Iterator[Problem]:
    """Yield questions of the rules in two minutes that no section tells, or that stand twice, and unknown names."""
    rule_ids, seen = {id for section in record.sections for id in section.rules}, set[str]()
    for at, group in enumerate(record.two_minutes.groups):
        yield from _find_unknown_gaps(group.title, record.names, positions, (_SHORT_KEY, "groups", at, "title"))
    for id, steps in _list_short_questions(record.two_minutes):
        if question := questions.get(id):
            if question.slug in seen:
                what = f"{id} stands twice in the rules in two minutes"
                yield positions.where(steps).problem(what, "keep it once")
            if rule_ids.isdisjoint((id, question.slug)):
                way_out = "give it sentences in one of the sections"
                yield positions.where(steps).problem(f"no section tells {id}", way_out)
            seen.add(question.slug)


def faults_of_section(
    section: reference_records.SectionRecord, positions: Positions, library: Library, at: int, gaps: Collection[str]
) -> Iterator[Problem]:
    """The heading of a section, when it is shown, and its rules."""
    steps: Steps = ("sections", at)
    if not _ADDRESS_PATTERN.fullmatch(section.id):
        way_out = "write it in small letters, figures and hyphens, such as first-stake"
        yield positions.where((*steps, "id")).problem(f"{quote_value(section.id)} is no address on a page", way_out)
    yield from _find_unknown_gaps(section.title, gaps, positions, (*steps, "title"))
    slugs = {question.id: question.slug for question in library.questions.values()}
    place = positions.where((*steps, "needs"))
    try:
        for slug in (slug for slug in list_condition_questions(section.needs) if slug not in library.questions):
            way_out = f"name it by its slug, {slugs[slug]}" if slug in slugs else "name it by its slug"
            yield place.problem(f"no question {slug}", did_you_mean(slug, library.questions, way_out))
    except Wrong as wrong:
        yield place.problem(wrong.what, 'write "espagnolette.hands != []", and join several by " and "')
    for id, rule in section.rules.items():
        if question := library.questions.get(slugs.get(id, id)):
            yield from faults_of_rule(rule, question, positions, (*steps, "rules", id), gaps)


def faults_of_rule(
    rule: reference_records.RuleRecord, question: Question, positions: Positions, steps: Steps, gaps: Collection[str]
) -> Iterator[Problem]:
    """Its sentences are about answers that the question can have, and their gaps can be filled."""
    yield from _find_impossible_answers(rule.readings, question, positions, steps, "give a reading of it")
    if rule.says and question.closed:
        yield positions.key((*steps, "says")).problem(
            f"{question.id} is answered from a closed list", "write a sentence for each of its readings"
        )
    sentences: dict[tuple[str, ...], str] = {("says",): rule.says, ("same",): rule.same}
    sentences |= {("readings", key): sentence for key, sentence in rule.readings.items()}
    for place, sentence in sentences.items():
        yield from _find_unknown_gaps(sentence, gaps, positions, (*steps, *place), (ANSWER,))
    for part, table in (("words", rule.words), ("then", rule.then)):
        yield from _find_unknown_parts(table, question, positions, (*steps, part))
        for key, sentence in table.items():
            yield from _find_unknown_gaps(sentence, gaps, positions, (*steps, part, key))


def _find_unknown_parts(
    parts: Iterable[str], question: Question, positions: Positions, steps: Steps
) -> Iterator[Problem]:
    """Yield parts that no answer to a question can have."""
    known = parts_of(question)
    for part in parts:
        if part not in known:
            way_out = did_you_mean(part, known, "there are " + (", ".join(known) or "no such parts"))
            yield positions.key((*steps, part)).problem(f"no answer to {question.id} has a part {part}", way_out)


def parts_of(question: Question) -> tuple[str, ...]:
    """The words of which an answer may be made."""
    of = question.measure.get("of", {})
    return tuple(of) if isinstance(of, Mapping) else ()


def _find_unknown_gaps(
    sentence: str, gaps: Collection[str], positions: Positions, steps: Steps, also: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """Yield gaps in a sentence that have no known name."""
    for name in GAP_PATTERN.findall(sentence):
        if name not in also and name not in gaps:
            way_out = did_you_mean(name, (*also, *gaps), "write {answer}, the id of a question, or one of the names")
            yield positions.where(steps).problem(f"nothing is called {{{name}}}", way_out)
    if sentence.count("{") != sentence.count("}"):
        yield positions.where(steps).problem("a brace is not closed", "write {answer}")
