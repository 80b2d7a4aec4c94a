"""Description of each kind of thing: what `show` says of a question, a sentence, a clause ..."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edition.citation.model import format_source_date
from edition.citation.places import find_places, topic_page
from edition.citation.urls import Addresses
from edition.cli.lookup.catalogue import NamedThing, read_works_cited
from edition.cli.lookup.entries import LookupEntry, LookupField, say
from edition.corpus.collations import list_supporters
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.text.answers import spell_out_sources
from edition.views.common import group_questions
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import (
    STATUS_LABELS,
    describe_measure,
    describe_status,
    describe_supply_ground,
    format_plain_answer,
)
from rulebook.model import Alternative, Cell, Cite, Clause, Like, Question, Source, Statement, Value
from rulebook.phrases import format_count
from rulebook.problems import Where
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE
from rulebook.sources.id_registry import TOMBSTONES_FILE
from rulebook.sources.rule_sentences import GLOSSARY_FILE
from rulebook.strings import single_spaced

_MAX_LISTED_IDS = 12  #: ids that a line names; the rest is counted

#: Page of what has an anchor there and is not among the places that are cited.
_ANCHORED_PAGES: Mapping[str, str] = {
    "sentence": "sources/{siglum}",
    "note": "sources/{siglum}",
    "emendation": "emendations",
    "alternative": "interpretations/{siglum}",
    "term": "glossary",
    "work": "bibliography",
}


def describe_thing(corpus: Corpus, thing: NamedThing) -> LookupEntry:
    """Return the entry of a thing."""
    lookup = corpus.game.lookups.get(thing.kind)
    if lookup is None or lookup.describe is None:
        return _DESCRIBERS[thing.kind](corpus, thing.id)
    entry: LookupEntry = lookup.describe(corpus, thing.id)
    return replace(entry, page=entry.page or _find_page(corpus, thing.kind, thing.id))


# ---- questions and answers
def _describe_question(corpus: Corpus, id: str) -> LookupEntry:
    question = corpus.library.question(id)
    answers = {s: _dump_answer(corpus, question, s) for s in corpus.library.sources}
    readings = [f"{key}: {gloss}" for key, gloss in question.readings.items()]
    fields = (
        say("topic", question.group),
        say("slug", question.slug),
        say("answers", answers, (line for s in answers for line in _tell_answer(corpus, question, s))),
        say("readings", dict(question.readings), readings),
        say("answered_with", None if question.closed else describe_measure(question)),
        say("depends", question.depends or None, label="asked only if"),
        say("related", [corpus.library.questions[slug].id for slug in question.related], label="see also"),
        say("not_played", single_spaced(question.not_played) or None),
        say("coding", single_spaced(question.coding), "", "how it is coded"),
    )
    return LookupEntry(
        "question", id, question.asks, fields, _find_page(corpus, "question", id), _locate(question.where)
    )


def _dump_answer(corpus: Corpus, question: Question, siglum: str) -> dict[str, Any] | None:
    cell = corpus.cell(siglum, question.slug)
    if cell is None:
        return None
    return {
        "answer": None if cell.value is None else format_canonical(cell.value),
        "words": _word_value(corpus, question, cell.value, siglum) or None,
        "status": cell.status,
        "certainty": cell.cert,
        "supplied": cell.supplied,
        "clauses": [clause.id for clause in cell.clauses],
        "rests_on_supplied": corpus.rests_on_supplied(siglum, question.slug),
    }


def _tell_answer(corpus: Corpus, question: Question, siglum: str) -> Iterator[str]:
    """Yield an answer in words, and the passages that say so."""
    cell = corpus.cell(siglum, question.slug)
    if cell is None:
        yield f"{siglum}: nothing recorded"
        return
    answer = _word_value(corpus, question, cell.value, siglum)
    yield f"{siglum}: {answer or STATUS_LABELS[cell.status]}{_format_standing(corpus, cell) if answer else ''}"
    for clause in cell.clauses:
        yield from (f"   {_quote(corpus, cite)} ({cite.locus}; {clause.id})" for cite in clause.cites[:1])
        if not clause.cites:
            yield f"   {single_spaced(clause.because)} ({clause.id})" if clause.because else f"   ({clause.id})"


def _format_standing(corpus: Corpus, cell: Cell) -> str:
    if cell.supplied:
        return f" (our assumption, from {describe_supply_ground(cell.clauses[0].taken_from)})"
    if isinstance(cell.value, Like) and corpus.rests_on_supplied(cell.source, cell.question):
        return f" (rests on our assumption: {corpus.library.question(cell.value.question).id})"
    label = describe_status(cell)
    return "" if label == STATUS_LABELS["stated"] else f" ({label})"


def _word_value(corpus: Corpus, question: Question, value: Value | None, siglum: str) -> str:
    if value is None:
        return ""
    return format_plain_answer(question, value, corpus.library.sources[siglum], corpus.library)


def _quote(corpus: Corpus, cite: Cite) -> str:
    """Return the words of a citation; our own for a source that may not be printed."""
    if cite.exact:
        return f"“{single_spaced(cite.exact)}”"
    statement = _find_statement(corpus, cite.locus)
    return f"in our words: {statement.text}" if statement else ""


def _quote_with_place(corpus: Corpus, cite: Cite) -> str:
    return f"{_quote(corpus, cite)} ({cite.locus}{f'–{cite.to}' if cite.to else ''})"


def _describe_answer(corpus: Corpus, id: str) -> LookupEntry:
    name, _, siglum = id.partition("@")
    question = corpus.library.question(name)
    fields = (
        say("question", question.id, f"{question.id} {question.asks}"),
        say("answer", _dump_answer(corpus, question, siglum), _tell_answer(corpus, question, siglum)),
        _say_how_to_play(id, (question,), "to play it elsewhere"),
    )
    title = f"{corpus.library.sources[siglum].title}: {question.asks}"
    return LookupEntry("answer", id, title, fields, _find_page(corpus, "cell", id))


def _say_how_to_play(id: str, questions: Sequence[Question], label: str = "to play it") -> LookupField:
    """Return the option that plays an answer; the reason if the engine plays none of its questions."""
    if all(question.not_played for question in questions):
        return say("not_played", single_spaced(" ".join(dict.fromkeys(question.not_played for question in questions))))
    return say("wish", f"--with {id}", label=label)


def _describe_reading(corpus: Corpus, id: str) -> LookupEntry:
    name, _, key = id.partition("=")
    question = corpus.library.question(name)
    held = [s for s in corpus.library.sources if _is_held(corpus, s, question, key)]
    other = [
        alternative.id
        for _, alternative in corpus.alternatives_on.get(question.slug, ())
        if format_canonical(alternative.answers[question.slug]) == key
    ]
    fields = (
        say("question", question.id, f"{question.id} {question.asks}"),
        say("says", question.readings.get(key)),
        say("sources", held, ", ".join(held) or "none", "answer of"),
        say("possible", other, label="possible by"),
        _say_how_to_play(id, (question,)),
    )
    page, file = _find_page(corpus, "question", question.id), _locate(question.where)
    return LookupEntry("reading", id, question.short.get(key, key), fields, page, file)


def _is_held(corpus: Corpus, siglum: str, question: Question, key: str) -> bool:
    cell = corpus.cell(siglum, question.slug)
    return cell is not None and cell.value is not None and format_canonical(cell.value) == key


def _describe_topic(corpus: Corpus, group: str) -> LookupEntry:
    questions = group_questions(corpus)[group]
    asked = [f"{question.id}  {question.asks}" for question in questions]
    fields = (say("questions", [question.id for question in questions], asked),)
    return LookupEntry("topic", group, format_count(len(questions), "question"), fields, f"{topic_page(group)}.html")


# ---- sources and their words
def _describe_source(corpus: Corpus, siglum: str) -> LookupEntry:
    source = corpus.library.sources[siglum]
    introduction = str(source.record.get("introduction") or "").strip()
    counters = [f"{name} = {worth}" if worth > 1 else name for name, worth in source.counters.items()]
    fields = (
        say("name", source.short_name),
        say("full_title", str(source.record.get("title") or "")),
        say("date", format_source_date(source)),
        say("language", source.language),
        say("counters", dict(source.counters), ", ".join(counters)),
        say("sentences", len(source.text.sentences) if source.text else len(source.statements)),
        say("clauses", len(source.clauses)),
        say("introduction", introduction, single_spaced(introduction.partition("\n")[0]), "about it"),
    )
    return LookupEntry(
        "source", siglum, source.title, fields, _find_page(corpus, "source", siglum), _locate(source.where)
    )


def _describe_sentence(corpus: Corpus, id: str) -> LookupEntry:
    source = _get_source(corpus, id)
    statement = _find_statement(corpus, id)
    words = _tell_statement(statement) if statement else _tell_sentence(corpus, source, id)
    clauses = corpus.clauses_at.get(id, ())
    notes = {note.id: single_spaced(note.text) for note in corpus.notes_on.get(id, ())}
    terms = corpus.terms_at.get(id, ())
    citing = {lookup.plural: lookup.by_sentence(corpus).get(id) for lookup in corpus.game.lookups.values()}
    fields = (
        *words,
        say("clauses", [clause.id for clause in clauses], (_summarise_clause(corpus, clause) for clause in clauses)),
        say("notes", notes, (f"{name}: {text}" for name, text in notes.items())),
        say("terms", [term.id for term in terms], ", ".join(f"{term.term} ({term.id})" for term in terms)),
        *(say(plural, list(ids), _join_some(ids)) for plural, ids in citing.items() if ids is not None),
    )
    line = source.text.sentences[id].line if source.text and id in source.text.sentences else 0
    file = _locate(statement.where) if statement else f"{_get_folder(source)}/text.xml:{line}"
    return LookupEntry("sentence", id, source.title, fields, _find_page(corpus, "sentence", id), file)


def _tell_statement(statement: Statement) -> Iterator[LookupField]:
    yield say("section", statement.section)
    yield say("summary", statement.text, label="in our words")
    yield say("text", statement.quote or None, f"“{statement.quote}”" if statement.quote else "", "its own words")


def _tell_sentence(corpus: Corpus, source: Source, id: str) -> Iterator[LookupField]:
    sentence = corpus.sentence(id)
    if sentence is None:
        return
    translated = source.translation.sentences.get(id) if source.translation else None
    emended = sentence.emended if sentence.emended != sentence.diplomatic else None
    yield say("printed_page", sentence.page)
    yield say("text", sentence.diplomatic, f"“{single_spaced(sentence.diplomatic)}”")
    yield say("emended", emended, f"“{single_spaced(emended)}”" if emended else "", "corrected")
    english = single_spaced(translated.text) if translated else None
    yield say("translation", english, f"“{english}”" if english else "")
    yield say("emendations", list(sentence.emendations))


def _summarise_clause(corpus: Corpus, clause: Clause) -> str:
    answers = [
        f"{question.id} {question.asks} {_word_value(corpus, question, value, clause.source)}"
        for question, value in _list_answers(corpus, clause.answers)
    ]
    about = [f"{corpus.library.questions[slug].id} {STATUS_LABELS[clause.status]}" for slug in clause.about]
    return f"{clause.id}: {'; '.join([*answers, *about])}"


def _list_answers(corpus: Corpus, given: Mapping[str, Value]) -> Iterator[tuple[Question, Value]]:
    yield from ((corpus.library.questions[slug], value) for slug, value in given.items())


def _describe_clause(corpus: Corpus, id: str) -> LookupEntry:
    clause = corpus.library.clause(id)
    others = clause.alternatives
    cites = [{"locus": c.locus, "to": c.to or None, "exact": c.exact or None, "role": c.role} for c in clause.cites]
    fields = (
        say("status", clause.status, f"{STATUS_LABELS[clause.status]}; certainty {clause.cert}"),
        say("certainty", clause.cert, ""),
        say("answers", *_dump_given(corpus, clause.answers, clause.source)),
        say("about", [corpus.library.questions[slug].id for slug in clause.about]),
        say("cites", cites, (_quote_with_place(corpus, cite) for cite in clause.cites)),
        say("searched", clause.searched or None, label="searched in vain"),
        say("label", clause.label or None, label="read as"),
        say("because", single_spaced(clause.because) or None),
        say("computation", clause.computation or None),
        say(
            "alternatives",
            [alternative.id for alternative in others],
            (f"{alternative.id}: {alternative.label}" for alternative in others),
        ),
        say("note", single_spaced(clause.note) or None),
    )
    title = corpus.library.sources[clause.source].title
    return LookupEntry("clause", id, title, fields, _find_page(corpus, "clause", id), _locate(clause.where))


def _dump_given(corpus: Corpus, given: Mapping[str, Value], siglum: str) -> tuple[dict[str, str], list[str]]:
    """Return answers as data, and as lines."""
    pairs = list(_list_answers(corpus, given))
    lines = [f"{q.id} {q.asks} {_word_value(corpus, q, value, siglum)}" for q, value in pairs]
    return {question.id: format_canonical(value) for question, value in pairs}, lines


def _describe_alternative(corpus: Corpus, id: str) -> LookupEntry:
    clauses = _get_source(corpus, id).clauses
    clause, alternative = next(
        (clause, alternative) for clause in clauses for alternative in clause.alternatives if alternative.id == id
    )
    kind = "an option that the source offers" if alternative.kind == "option" else "another reading"
    fields = (
        say("clause", clause.id, f"{clause.id}, {kind}; certainty {alternative.cert}"),
        say("certainty", alternative.cert, ""),
        say("preferred", clause.label or None, label="we prefer"),
        say("answers", *_dump_given(corpus, alternative.answers, clause.source)),
        *([_say_silences(corpus, alternative)] if alternative.silent else []),
        say("cites", [c.locus for c in clause.cites], (_quote_with_place(corpus, c) for c in clause.cites)),
        say("because", single_spaced(alternative.because) or None),
        say("computation", alternative.computation or None),
        _say_how_to_play(id, [question for question, _ in _list_answers(corpus, alternative.answers)]),
    )
    return LookupEntry(
        alternative.kind,
        id,
        alternative.label,
        fields,
        _find_page(corpus, "alternative", id),
        _locate(alternative.where),
    )


def _say_silences(corpus: Corpus, alternative: Alternative) -> LookupField:
    questions = [corpus.library.questions[slug] for slug in alternative.silent]
    lines = [f"{question.id} {question.asks}" for question in questions]
    return say("silent", [question.id for question in questions], lines, "then silent on")


def _describe_emendation(corpus: Corpus, id: str) -> LookupEntry:
    source = _get_source(corpus, id)
    assert source.text is not None  # the id is one of its text
    emendation = source.text.emendations[id]
    fields = (
        say("sentence", emendation.sentence),
        say("printed", emendation.sic, emendation.sic or "nothing"),
        say("read", emendation.corr, emendation.corr or "nothing"),
        say("certainty", emendation.cert),
        say("evidence", single_spaced(emendation.evidence)),
        say("witnesses", supporters := list(list_supporters(corpus, id)), ", ".join(supporters), "borne out by"),
    )
    title = f"{emendation.sic or '(nothing)'} → {emendation.corr or '(nothing)'}"
    file = f"{_get_folder(source)}/text.xml:{emendation.line}"
    return LookupEntry("emendation", id, title, fields, _find_page(corpus, "emendation", id), file)


def _describe_note(corpus: Corpus, id: str) -> LookupEntry:
    note = next(note for note in _get_source(corpus, id).notes if note.id == id)
    fields = (say("on", note.on), say("text", single_spaced(note.text)), say("by", note.by))
    return LookupEntry(
        "note", id, f"{note.kind} on {note.on}", fields, _find_page(corpus, "note", id), _locate(note.where)
    )


# ---- words, works
def _describe_term(corpus: Corpus, id: str) -> LookupEntry:
    term = next(term for term in corpus.terms if term.id == id)
    fields = (
        say("language", term.lang),
        say("english", term.english or None),
        say("definition", spell_out_sources(term.definition, corpus.library)),
        say("spelt", list(term.forms)),
        say("see", list(term.see), label="see also"),
        say("attestations", list(term.attestations), _join_some(term.attestations), "stands in"),
    )
    file = f"{Path(corpus.library.root).name}/{GLOSSARY_FILE}"
    return LookupEntry("term", id, term.term, fields, _find_page(corpus, "term", id), file)


def _describe_work(corpus: Corpus, key: str) -> LookupEntry:
    fields = (say("entry", read_works_cited(corpus)[key]),)
    file = f"{Path(corpus.library.root).name}/{BIBLIOGRAPHY_FILE}"
    return LookupEntry("work", key, "in the bibliography", fields, _find_page(corpus, "work", key), file)


def _describe_retired(corpus: Corpus, id: str) -> LookupEntry:
    from edition.corpus.load import read_retired_ids  # slow to import, and seldom needed

    root = Path(corpus.library.root)
    tombstone = next(tombstone for tombstone in read_retired_ids(root / TOMBSTONES_FILE) if tombstone.id == id)
    fields = (
        say("retired_on", tombstone.on),
        say("because", tombstone.why),
        say("see", tombstone.see, label="see instead"),
    )
    return LookupEntry("retired id", id, "withdrawn", fields, "tombstones.html", f"{root.name}/{TOMBSTONES_FILE}")


# ---- where
def _find_page(corpus: Corpus, kind: str, id: str) -> str:
    """Return the address of a thing within the edition."""
    if page := _ANCHORED_PAGES.get(kind):
        return f"{page.format(siglum=id.partition('.')[0])}.html#{id}"
    return _gather_addresses(corpus).within(kind, id)


@cached_on_corpus
def _gather_addresses(corpus: Corpus) -> Addresses:
    return Addresses(find_places(corpus))


def _locate(where: Where) -> str:
    return f"{where.file}:{where.line}"


def _get_source(corpus: Corpus, id: str) -> Source:
    return corpus.library.sources[id.partition(".")[0]]


def _get_folder(source: Source) -> str:
    return source.where.file.rpartition("/")[0]


def _find_statement(corpus: Corpus, id: str) -> Statement | None:
    return next((statement for statement in _get_source(corpus, id).statements if statement.id == id), None)


def _join_some(ids: Sequence[str]) -> str:
    rest = len(ids) - _MAX_LISTED_IDS
    return ", ".join(ids[:_MAX_LISTED_IDS]) + (f" and {rest} more" if rest > 0 else "")


_DESCRIBERS: Mapping[str, Callable[[Corpus, str], LookupEntry]] = {
    "question": _describe_question,
    "answer": _describe_answer,
    "reading": _describe_reading,
    "topic": _describe_topic,
    "source": _describe_source,
    "sentence": _describe_sentence,
    "clause": _describe_clause,
    "alternative": _describe_alternative,
    "emendation": _describe_emendation,
    "note": _describe_note,
    "term": _describe_term,
    "work": _describe_work,
    "retired id": _describe_retired,
}
