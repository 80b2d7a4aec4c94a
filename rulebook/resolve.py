"""From what a source says to a ruleset that can be played: silence, conflict, rival interpretations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulebook.answers.conditions import is_question_applicable
from rulebook.answers.typed import parse_text
from rulebook.answers.values import format_canonical
from rulebook.model import Alternative, Clause, Conflict, Library, Like, Ruleset, Ruling, Source, UnheldOrder, Value
from rulebook.program_name import name_command
from rulebook.proposals import find_played_answer, find_unplayed_occasions
from rulebook.strings import quote_value
from rulebook.suggestions import describe_type, did_you_mean


@dataclass(frozen=True, slots=True)
class Choice:
    """One wish of the reader: another answer, another source's answer, or a named interpretation or option."""

    text: str  #: as written: Q031=3, Q017@ACA, PAM.i01
    question: str = ""  #: slug; empty for a named interpretation
    value: Value | None = None
    source: str = ""
    named: str = ""


class BadChoice(ValueError):
    """A rule change that is not possible; the message says why, and what to do."""


def read_choice(library: Library, text: str) -> Choice:
    """Read a wish as typed: QUESTION=READING, QUESTION@SOURCE, or the id of an alternative. Raises BadChoice."""
    if "=" in text:
        name, _, reading = text.partition("=")
        question = _question(library, name, text)
        value, wrong = parse_text(
            library.questions[question], reading.strip(), lambda name: _question(library, name, text)
        )
        if value is None or wrong:
            raise BadChoice(f"{text}: {wrong}")
        refuse_unplayed(library, text, [question])
        return Choice(text, question, value)
    if "@" in text:
        name, _, source = text.partition("@")
        known = {siglum.casefold(): siglum for siglum in library.sources}
        if source.strip().casefold() not in known:
            near = did_you_mean(source.strip().upper(), library.sources, "")
            there = f"there are {', '.join(library.sources)}{near and f'; {near}'}"
            raise BadChoice(f"{text}: no source {quote_value(source.strip())}; {there}")
        question = _question(library, name, text)
        refuse_unplayed(library, text, [question])
        return Choice(text, question, source=known[source.strip().casefold()])
    alternatives = {alternative.id: alternative for _, alternative in iter_clause_alternatives(library.clauses())}
    alternative = alternatives.get(text)
    if alternative is None:
        what, near = text.strip() or "an empty wish", did_you_mean(text.strip(), alternatives, "")
        raise BadChoice(
            f"{what}: neither QUESTION=READING nor QUESTION@SOURCE nor the id of an interpretation or option"
            + (near and f"; {near}")
        )
    refuse_unplayed(library, text, alternative.answers)
    return Choice(text, named=text)


def refuse_unplayed(library: Library, text: str, asked: Iterable[str]) -> None:
    """Raise BadChoice for a wish of which nothing is played, and no result says so."""
    questions = [library.questions[slug] for slug in asked]
    if questions and all(question.not_played and question.played_as is None for question in questions):
        reasons = " ".join(dict.fromkeys(" ".join(question.not_played.split()) for question in questions))
        raise BadChoice(f"{text} is not played: {reasons} What it says: {name_command(f'show {text}')}")


def _question(library: Library, name: str, text: str) -> str:
    try:
        return library.question(name.strip()).slug
    except KeyError as unknown:
        hint = str(unknown).partition(f"{quote_value(name.strip())}. ")[2]
        raise BadChoice(f"{text}: no question {quote_value(name.strip())}; {hint[:1].lower()}{hint[1:]}") from None


def iter_clause_alternatives(clauses: Iterable[Clause]) -> Iterator[tuple[Clause, Alternative]]:
    """Yield every rival interpretation and option, with its clause."""
    for clause in clauses:
        for alternative in clause.alternatives:
            yield clause, alternative


def resolve(library: Library, source: str, choices: Iterable[Choice] = ()) -> Ruleset:
    """Resolve the rules of one source, with the reader's wishes. Raises Conflict and BadChoice."""
    wishes = tuple(choices)
    if source not in library.rulesets:
        library.rulesets[source] = _resolve_choices(library, source, ())
    return _resolve_choices(library, source, wishes) if wishes else library.rulesets[source]


def _resolve_choices(library: Library, source: str, wishes: Iterable[Choice]) -> Ruleset:
    own = library.sources[source]
    known = library.rulesets.get(source)
    rulings, parts = dict(known.rulings) if known else own_rulings(library, own), [source]
    for wish in wishes:
        choice_rulings = find_choice_rulings(library, own, rulings, wish)
        parts += [_short(library, wish)] if any(rulings.get(q) != r for q, r in choice_rulings.items()) else []
        rulings |= choice_rulings
    for wish in wishes:  # what a reader asks for by name outdoes what another wish only brings along
        if wish.value is not None and rulings[wish.question].answer != wish.value:
            rulings[wish.question] = _given(library, wish.question, wish.value)
    _no_circle(rulings)
    reasons: dict[str, Clause | Alternative] = {q: c for c in own.clauses for q in c.about}
    reasons |= {q: reading for reading in list_silent_readings(own, rulings) for q in reading.silent}
    missing = _Reasons({q: why for q, why in reasons.items() if q not in rulings})
    return Ruleset(" + ".join(parts), source, rulings, missing, own.unit, list_unheld_orders(library, own))


class _Reasons(Mapping[str, str]):
    """Reasons why questions have no answer; each is put into words when it is asked for, and read only then."""

    def __init__(self, given: Mapping[str, Clause | Alternative]) -> None:
        self._given = given

    def __getitem__(self, question: str) -> str:
        return _describe_reason(self._given[question])

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def list_unheld_orders(library: Library, source: Source) -> tuple[UnheldOrder, ...]:
    """List what a source orders and no answer holds, with the slugs of the questions that it touches."""
    slugs = {question.id: slug for slug, question in library.questions.items()}
    orders = (order for status in source.coverage.values() for order in status.not_held)
    return tuple(replace(order, touches=tuple(slugs[id] for id in order.touches if id in slugs)) for order in orders)


def list_silent_readings(own: Source, rulings: Mapping[str, Ruling]) -> list[Alternative]:
    """List the other readings of a source that were chosen, and leave it silent on something."""
    chosen = {ruling.interpretation for ruling in rulings.values()}
    return [
        alternative
        for _, alternative in iter_clause_alternatives(own.clauses)
        if alternative.silent and alternative.id in chosen
    ]


def _describe_reason(given: Clause | Alternative) -> str:
    """Describe why nothing is answered; silences without another reason are worded alike, to be grouped."""
    if isinstance(given, Clause) and given.because:
        return f"{given.status} ({given.id}): {given.because}"
    if isinstance(given, Clause) and not given.searched:
        return given.status
    return f"nothing is said in {given.searched}"


def require_library(library: object, call: str) -> None:
    """Raise TypeError, with the call as it should be written, unless it is a library."""
    if not isinstance(library, Library):
        raise TypeError(f"{describe_type(library)} stands where the library should: {call}, with library = library()")


def rules(library: Library, source: str, *wishes: str) -> Ruleset:
    """The rules of a source, with wishes as they are typed: "Q017@ACA", "Q031=3", "PAM.i03".

    Names may be written in any letters. Raises UnknownName for a source that is not there, BadChoice for a wish.
    """
    require_library(library, 'rules(library, "PAM")')
    for wish in wishes:
        if not isinstance(wish, str):
            raise TypeError(
                f'{describe_type(wish)} is no wish: write each by itself: rules(library, "{source}", "Q031=3")'
            )
    choices = [read_choice(library, wish) for wish in wishes]
    refuse_conflicting(library, choices)
    return resolve(library, library.source(source).siglum, choices)


def refuse_conflicting(library: Library, wishes: Iterable[Choice]) -> None:
    """Raise BadChoice for two wishes that answer the same question in two ways; what a wish brings along gives way."""
    first: dict[str, tuple[Choice, Value]] = {}
    for wish in wishes:
        for slug, value in list_wished_answers(library, wish).items():
            before, had = first.setdefault(slug, (wish, value))
            if had != value:
                both = f"{before.text} and {wish.text} both answer {library.questions[slug].id}"
                raise BadChoice(f"{both}, {format_canonical(had)} and {format_canonical(value)}; keep one of the two")


def list_wished_answers(library: Library, wish: Choice) -> Mapping[str, Value]:
    """List the answers that a wish names, without what it brings along."""
    if wish.named:
        return next(
            alternative.answers
            for _, alternative in iter_clause_alternatives(library.clauses())
            if alternative.id == wish.named
        )
    cell = library.find_cell(wish.source, wish.question) if wish.source else None
    value = cell.value if cell else wish.value
    return {} if value is None else {wish.question: value}


def _no_circle(rulings: Mapping[str, Ruling]) -> None:
    """An answer may point to another, but not back to itself."""
    for question in rulings:
        trail, at = {question}, rulings.get(question)
        while at is not None and isinstance(at.value, Like):
            if at.value.question in trail:
                raise BadChoice(f"{question} is answered by pointing in a circle: {', '.join(sorted(trail))}")
            trail.add(at.value.question)
            at = rulings.get(at.value.question)


def _short(library: Library, wish: Choice) -> str:
    """A wish as it is printed: by the question's id."""
    if wish.named:
        return wish.named
    id = library.questions[wish.question].id
    return f"{id}@{wish.source}" if wish.source else f"{id}={format_canonical(wish.value)}"


def own_rulings(library: Library, source: Source) -> dict[str, Ruling]:
    """Return a source's own rulings in the order of the questions. Raises Conflict."""
    spoken: dict[str, Clause] = {}
    rulings: dict[str, Ruling] = {}
    for clause in source.clauses:
        for question, value in clause.answers.items():
            if question in spoken and rulings[question].answer != value:
                raise Conflict(question, spoken[question], clause)
            first = spoken.setdefault(question, clause)
            rulings[question] = _ruling(library, question, value, first, rulings.get(question), clause)
    return {q: rulings[q] for q in library.questions if q in rulings}


def _ruling(library: Library, question: str, value: Value, first: Clause, had: Ruling | None, clause: Clause) -> Ruling:
    """A ruling, or one more clause that supports it."""
    if had is not None:
        emended = tuple(dict.fromkeys((*had.emendations, *clause.emendations)))
        return replace(had, clauses=(*had.clauses, clause.id), emendations=emended)
    rivalled = any(question in rival.answers for rival in clause.rivals)
    return _given(
        library,
        question,
        value,
        clauses=(clause.id,),
        source=first.source,
        supplied=clause.supplied,
        interpretation=f"{clause.id}.preferred" if rivalled else "",
        cert=clause.cert,
        emendations=clause.emendations,
    )


def find_choice_rulings(
    library: Library, own: Source, rulings: Mapping[str, Ruling], wish: Choice
) -> dict[str, Ruling]:
    """Return the rulings that a choice changes, with the bundle that goes with it."""
    if wish.named:
        clause, alternative = next(p for p in iter_clause_alternatives(library.clauses()) if p[1].id == wish.named)
        return _bundle(library, clause, alternative)
    if wish.source:
        return _borrow_rulings(library, rulings, wish)
    if wish.question in rulings and rulings[wish.question].answer == wish.value:
        return {}
    for clause, alternative in sorted(iter_clause_alternatives(own.clauses), key=lambda p: len(p[1].answers)):
        if alternative.answers.get(wish.question) == wish.value:
            return _bundle(library, clause, alternative)
    assert wish.value is not None
    return {wish.question: _given(library, wish.question, wish.value)}


def _given(library: Library, question: str, value: Value, **origin: Any) -> Ruling:
    """An answer that no source gives, but the reader, unless *origin* says who; what is not played stands beside it."""
    asked, entries = library.questions[question], {"clauses": (), "source": "given", **origin}
    plays, why = find_played_answer(asked, value)
    if not why:
        return Ruling(question, asked.id, value, **entries)
    unasked = bool(asked.not_played)
    matters = find_unplayed_occasions(asked, value)
    return Ruling(question, asked.id, plays, **entries, said=value, not_played=why, unasked=unasked, matters=matters)


def _bundle(library: Library, clause: Clause, alternative: Alternative) -> dict[str, Ruling]:
    return {
        q: _given(
            library,
            q,
            value,
            clauses=(clause.id,),
            source=clause.source,
            interpretation=alternative.id,
            cert=alternative.cert,
            emendations=clause.emendations,
        )
        for q, value in alternative.answers.items()
    }


def _borrow_rulings(library: Library, rulings: Mapping[str, Ruling], wish: Choice) -> dict[str, Ruling]:
    """Return another source's ruling, with those that only now make sense. Raises BadChoice."""
    theirs = own_rulings(library, library.sources[wish.source])
    if wish.question not in theirs:
        what = f"{wish.text}: {wish.source} has no answer to {wish.question}"
        raise BadChoice(f"{what}; take another source's, or give the answer: {wish.question}=...")
    taken = {wish.question: theirs[wish.question]}
    before = {q: r.answer for q, r in rulings.items()}  # where it made sense already, its silence is our source's own
    while True:
        answers = {q: r.answer for q, r in (dict(rulings) | taken).items()}
        more = {
            q: r
            for q, r in theirs.items()
            if q not in answers
            and (depends := library.questions[q].depends)
            and is_question_applicable(depends, answers)
            and not is_question_applicable(depends, before)
        }
        if not more:
            return taken
        taken |= more


def drop_answer(ruleset: Ruleset, question: str) -> Ruleset:
    """Return the same ruleset with one answer taken away."""
    rulings = {q: r for q, r in ruleset.rulings.items() if q != question}
    return replace(ruleset, rulings=rulings, reasons=dict(ruleset.reasons) | {question: "its answer was taken away"})
