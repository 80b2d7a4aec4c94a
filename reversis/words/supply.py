"""Answers that a deal needs and a source does not give, taken from other sources: what is supplied, and what is not.

Nothing is written here. A supplied answer is a silence with an answer of ours: it names the source that it is taken
from, and counts nowhere as a word of the source that it is supplied to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.deal.model import Deal
from engine.settlement.lending import ASKED_IF_ANSWERED, find_missing_answers, lend_answers
from reversis.words.missing import choose_lender
from rulebook.answers.conditions import (
    AnswerCondition,
    dereference_answer,
    describe_condition,
    is_condition_met,
    list_condition_questions,
    parse_conditions,
)
from rulebook.answers.values import build_slug_lookup, format_canonical
from rulebook.answers.wording import get_sum_counter
from rulebook.clause_edits import ClauseFields, edit_clauses, read_clause_fields, take_questions_from
from rulebook.model import Cell, Library, Like, Question, Ruleset, Ruling, Value
from rulebook.phrases import format_count
from rulebook.resolve import resolve

_REASON_ONLY = ("silent", "not-collated")  #: statuses of a clause that gives way to a supplied answer
_SUPPLYING = re.compile(r"[^.;]*\bsuppl(?:y|ied)\b[^.;]*")  #: what a procedure says of supplying an answer


# ---- what is supplied
@dataclass(frozen=True)
class LentAnswer:
    """An answer that is supplied from another source."""

    question: Question
    lender: str
    ruling: Ruling
    because: str
    taken_from: str  #: the lender, or where the lender's own editors have it from
    searched: str
    replaces: str = ""  #: id of the clause that gave only a reason
    conflicts: tuple[str, ...] = ()  #: what speaks against it


@dataclass(frozen=True, slots=True)
class WithheldAnswer:
    """A question that a deal asks and for which nothing is supplied."""

    question: Question
    why: str
    way_out: str
    needed: bool = True  #: without it a deal stays open, or a supplied answer; not if it is played as no such rule


@dataclass(frozen=True)
class SupplyPlan:
    """Everything that some deals need of a source, question by question."""

    siglum: str
    lenders: tuple[str, ...]
    deals: tuple[str, ...]
    lent: tuple[LentAnswer, ...]
    withheld: tuple[WithheldAnswer, ...]

    @property
    def conflicts(self) -> tuple[LentAnswer, ...]:
        """Supplied answers against which something speaks."""
        return tuple(answer for answer in self.lent if answer.conflicts)


@dataclass(frozen=True)
class _Borrower:
    """A source that borrows answers, and those it borrows from, in the order of preference."""

    library: Library
    siglum: str
    ruleset: Ruleset
    lenders: Mapping[str, Ruleset]
    searched: str
    asked: Mapping[str, int]  #: in how many of the deals a question comes up to which it has no answer
    deals: int
    own: Mapping[str, Value] = field(init=False)
    merged: Mapping[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        whole = lend_answers(self.ruleset, self.lenders.values())
        object.__setattr__(self, "own", {slug: ruling.answer for slug, ruling in self.ruleset.rulings.items()})
        object.__setattr__(self, "merged", {slug: ruling.answer for slug, ruling in whole.rulings.items()})


def plan_supply(
    library: Library, siglum: str, lenders: Sequence[str], deals: Iterable[Deal], searched: str = ""
) -> SupplyPlan:
    """Plan what is supplied to a source so that deals can be settled and its own answers make sense. Raises Conflict.

    `searched` is the range that somebody has read through in vain; without it, what was not read for stays unread.
    """
    deals = tuple(deals)
    ruleset, lending = resolve(library, siglum), {lender: resolve(library, lender) for lender in lenders}
    asked = Counter(slug for deal in deals for slug in find_missing_answers(deal, ruleset, lending.values()))
    borrower = _Borrower(library, siglum, ruleset, lending, searched, asked, len(deals))
    missing = _add_conditions(borrower, asked) | {*list_unread_rules(library, siglum)}
    answers = [_supply_answer(borrower, question) for slug, question in library.questions.items() if slug in missing]
    answers = _withhold_hanging(borrower, answers)
    return SupplyPlan(
        siglum,
        tuple(lenders),
        tuple(deal.id for deal in deals),
        tuple(each for each in answers if isinstance(each, LentAnswer)),
        tuple(each for each in answers if isinstance(each, WithheldAnswer)),
    )


def list_unread_rules(library: Library, siglum: str) -> tuple[str, ...]:
    """List the questions on which a text may have a rule in the part not consulted; none is then played."""
    cells = {slug: library.cell(siglum, slug) for slug in library.questions if slug in ASKED_IF_ANSWERED}
    silent = (slug for slug, cell in cells.items() if cell is None or (cell.status == "silent" and cell.value is None))
    return tuple(silent) if library.sources[siglum].partial else ()


def _add_conditions(borrower: _Borrower, missing: Iterable[str]) -> frozenset[str]:
    """Add the questions on which the source's own answers or those it borrows hang, until none is missing."""
    slugs = frozenset(missing)
    while fresh := {needed for slug in {*borrower.own, *slugs} for needed in _list_passed_over(borrower, slug)} - slugs:
        slugs |= fresh
    return slugs


def _list_passed_over(borrower: _Borrower, slug: str, withheld: Collection[str] = ()) -> Iterator[str]:
    """Yield the questions that an answer needs, and to which the source, though read for them, has none."""
    answer = borrower.merged.get(slug)
    known = {question: value for question, value in borrower.merged.items() if question not in withheld}
    for_each = (
        [each for each in condition.each if is_condition_met(each, known)] or condition.each
        for condition in parse_conditions(borrower.library.questions[slug].depends)
    )
    needed = [each.question for conditions in for_each for each in conditions]
    for question in [*needed, *([answer.question] if isinstance(answer, Like) else [])]:
        cell = borrower.library.cell(borrower.siglum, question)
        if question not in borrower.own and cell and cell.status != "not-collated":
            yield question


def _withhold_hanging(
    borrower: _Borrower, answers: Sequence[LentAnswer | WithheldAnswer]
) -> list[LentAnswer | WithheldAnswer]:
    """Withhold every answer that hangs on one which is not supplied: no check would let it stand."""
    withheld = {each.question.slug for each in answers if isinstance(each, WithheldAnswer)}
    left: list[LentAnswer | WithheldAnswer] = []
    for each in answers:
        idle = [slug for slug in _list_passed_over(borrower, each.question.slug, withheld) if slug in withheld]
        if isinstance(each, LentAnswer) and idle:
            id = borrower.library.questions[idle[0]].id
            why = f"it makes sense only with an answer to {id}, and none is supplied there"
            left.append(WithheldAnswer(each.question, why, f"see what is said of {id}"))
        else:
            left.append(each)
    return left if left == [*answers] else _withhold_hanging(borrower, left)


def _supply_answer(borrower: _Borrower, question: Question) -> LentAnswer | WithheldAnswer:
    rulings = {
        lender: rules.rulings[question.slug]
        for lender, rules in borrower.lenders.items()
        if question.slug in rules.rulings
    }
    cell = borrower.library.cell(borrower.siglum, question.slug)
    if withheld := _explain_withheld(borrower, question, rulings, cell):
        idle = question.slug in ASKED_IF_ANSWERED and question.slug not in borrower.asked
        return WithheldAnswer(question, *withheld, needed=not idle)
    lender, ruling = next(iter(rulings.items()))
    taken_from, because = _describe_loan(borrower, lender, ruling)
    searched = cell.clauses[0].searched if cell and cell.status == "silent" else borrower.searched
    replaces = cell.clauses[0].id if cell else ""
    conflicts = tuple(_list_conflicts(borrower, question, rulings))
    return LentAnswer(question, lender, ruling, because, taken_from, searched, replaces, conflicts)


def _explain_withheld(
    borrower: _Borrower, question: Question, rulings: Mapping[str, Ruling], cell: Cell | None
) -> tuple[str, str] | None:
    """Return why a question gets no answer, and the way out; None where it gets one."""
    if cell and cell.status not in _REASON_ONLY:
        return _explain_reason(borrower, question, cell)
    if not rulings:
        lenders = " and ".join(borrower.lenders)
        unread = question.slug in list_unread_rules(borrower.library, borrower.siglum)
        played = (
            f", and our copy of {borrower.siglum} is not whole: a rule in the rest is played as none" if unread else ""
        )
        return f"{lenders} has no answer either{played}", _name_other_lenders(borrower, question)
    if refuted := next(_list_refuted(borrower, question), None):
        lender, ruling = next(iter(rulings.items()))
        why = f"{borrower.siglum} answers {refuted}, and {lender} has {format_canonical(ruling.answer)}"
        return why, "take it from another source with --from, or answer it yourself"
    for condition in parse_conditions(question.depends):
        values = {
            each.question: dereference_answer(borrower.merged.get(each.question), borrower.merged)
            for each in condition.each
        }
        if is_condition_met(condition, borrower.merged) or None in values.values():
            continue
        lent = next((slug for slug in values if slug not in borrower.own), "")
        if lent:
            has = f"what is supplied there is {format_canonical(values[lent])}"
            why = f"it supposes {_describe(borrower, condition)}, and {has}"
            return why, "take it from another source with --from, or answer it yourself"
        own = format_canonical(values[condition.question])
        why = f"it supposes {_describe(borrower, condition)}, and {borrower.siglum} has {own}"
        return why, "call it inapplicable, or look at that answer again"
    if not borrower.searched and (cell is None or cell.status == "not-collated"):
        return f"{borrower.siglum} was not read for it", "answer it, or read the text for it and say --searched all"
    return None


def _name_other_lenders(borrower: _Borrower, question: Question) -> str:
    """Name the sources that have an answer where no lender has; if none has, say what hangs on it."""
    stuck = borrower.asked.get(question.slug, 0)
    idle = "deals are settled without it" if question.slug in ASKED_IF_ANSWERED else "no deal asks it"
    hangs = f"{stuck} of {format_count(borrower.deals, 'deal')} cannot be settled without it" if stuck else idle
    cells = {siglum: borrower.library.find_cell(siglum, question.slug) for siglum in borrower.library.sources}
    able = [siglum for siglum, cell in cells.items() if cell and cell.value is not None]
    lender = choose_lender(borrower.library, borrower.siglum, [question.slug])
    if not able or lender is None:
        return f"no source has one, and {hangs}; answer it yourself if the words allow it, or leave it as it is"
    given = " ".join(f"--from {siglum}" for siglum in (*borrower.lenders, lender))
    has = f"{', '.join(able)} {'have' if len(able) > 1 else 'has'} one ({given})"
    return f"{has}, and {hangs}; answer it yourself, or leave it as it is"


def _explain_reason(borrower: _Borrower, question: Question, cell: Cell) -> tuple[str, str]:
    """Return why a question gets no answer which the source itself calls inapplicable, and the way out."""
    held, asked = cell.clauses[0], "a deal asks it"
    for condition in parse_conditions(question.depends):
        for other in [
            each.question for each in condition.each if condition.otherwise and is_condition_met(each, borrower.merged)
        ]:
            whose = "" if other in borrower.own else ", as it would be supplied"
            answer = format_canonical(borrower.merged[other])
            asked += f" because of {borrower.library.questions[other].id} ({answer}{whose})"
    silent = f'call {borrower.siglum} silent on it ("-", with the range searched), and supply again'
    still = f"look at {held.id} again: {held.because.rstrip('.')}" if asked == "a deal asks it" else ""
    way_out = f"{still}; if that does not rule it out, {silent}" if still else silent
    return f"{held.id} calls it {held.status}, and {asked}", way_out


def _list_refuted(borrower: _Borrower, question: Question) -> Iterator[str]:
    """Yield the source's own answers that would make no sense beside the one that is lent."""
    for slug in borrower.own:
        asked = borrower.library.questions[slug]
        for condition in parse_conditions(asked.depends):
            about = any(each.question == question.slug for each in condition.each)
            if about and not is_condition_met(condition, borrower.merged):
                yield f"{asked.id}, which supposes {_describe(borrower, condition)}"


def _describe(borrower: _Borrower, condition: AnswerCondition) -> str:
    return describe_condition(condition, borrower.library.questions)


def _describe_loan(borrower: _Borrower, lender: str, ruling: Ruling) -> tuple[str, str]:
    """Return where an answer comes from, and the reason that is written down."""
    clauses = ", ".join(ruling.clauses)
    needed = f"{borrower.siglum} does not say it, and deals cannot be settled without an answer"
    if ruling.question in ASKED_IF_ANSWERED:
        needed = (
            f"our copy of {borrower.siglum} is not whole, and without an answer a rule in the rest is played as none"
        )
    if not ruling.supplied:
        return lender, f"{needed}; taken from {lender} ({clauses})."
    whence = borrower.library.clause(ruling.clauses[0]).taken_from
    return whence, f"{needed}; {lender} does not say it either, and its editors assume it so ({clauses})."


def _list_conflicts(borrower: _Borrower, question: Question, rulings: Mapping[str, Ruling]) -> Iterator[str]:
    """Yield what speaks against taking the first lender's answer."""
    (lender, ruling), *others = rulings.items()
    cell = borrower.library.cell(borrower.siglum, question.slug)
    if cell and cell.status == "silent" and cell.clauses[0].because:
        yield f"{cell.clauses[0].id} gives a reason for having no answer"
    for other, theirs in others:
        if format_canonical(theirs.answer) != format_canonical(ruling.answer):
            yield f"{other} answers {format_canonical(theirs.answer)} ({', '.join(theirs.clauses)})"
    related = {*list_condition_questions(question.depends)}
    related |= {ruling.answer.question} if isinstance(ruling.answer, Like) else set()
    theirs_all = {slug: each.answer for slug, each in borrower.lenders[lender].rulings.items()}
    for slug in (each for each in borrower.library.questions if each in related and each in borrower.own):
        mine, lent = (dereference_answer(answers.get(slug), answers) for answers in (borrower.merged, theirs_all))
        if lent is not None and format_canonical(mine) != format_canonical(lent):
            both = f"{borrower.siglum} has {format_canonical(mine)} and {lender} {format_canonical(lent)}"
            yield f"it depends on {borrower.library.questions[slug].id}, where {both}"
    their_source, own_source = (borrower.library.sources[siglum] for siglum in (lender, borrower.siglum))
    if get_sum_counter(question, ruling.answer, their_source) not in ("", own_source.unit):
        yield f"{lender} counts in {their_source.unit}, {borrower.siglum} in {own_source.unit}"
    if advice := _SUPPLYING.search(question.coding):
        yield f"the procedure of {question.id} says: {' '.join(advice[0].split())}"
    if ruling.interpretation:
        yield f"{lender} can be read otherwise ({ruling.interpretation.removesuffix('.preferred')})"


# ---- clauses.yaml
def render_supplied_clauses(
    letters: str, plan: SupplyPlan, raw: Mapping[str, Any], coder: str, published: Collection[str]
) -> str:
    """Return the letters of clauses.yaml with the supplied answers; every other line stays. Raises CannotEdit.

    `raw` has every answer as the lender's file writes it; `published` are ids that may not be used again.
    """
    before = read_clause_fields(letters)
    changed: dict[str, ClauseFields | None] = {}
    added: list[tuple[str, ClauseFields]] = []
    used = {*published, *before}
    for answer in plan.lent:
        old = changed.get(answer.replaces) or before.get(answer.replaces) or {}
        rest = take_questions_from(old, (answer.question.id, answer.question.slug))
        if old and rest is None:  # the clause gave a reason for nothing else
            changed[answer.replaces] = _build_clause(answer, answer.replaces, raw, coder, old)
            continue
        names = (f"{plan.siglum}.c{number:03d}" for number in (int(answer.question.id[1:]), *range(901, 10_000)))
        id = next(name for name in names if name not in used)
        used.add(id)
        changed |= {answer.replaces: rest} if old else {}
        added.append((answer.replaces, _build_clause(answer, id, raw, coder, old)))
    return edit_clauses(letters, changed, added)


def _build_clause(answer: LentAnswer, id: str, raw: Mapping[str, Any], coder: str, old: ClauseFields) -> ClauseFields:
    """Build the clause of a supplied answer; the reason of a silence that was there before comes first."""
    reason = str(old.get("because", "")).strip() if old.get("status") == "silent" else ""
    return {
        "id": id,
        "answers": {answer.question.id: raw[answer.question.slug]},
        "status": "silent",
        "cert": "low",
        "coder": coder,
        "because": f"{reason} {answer.because}".strip(),
        "searched": answer.searched,
        "taken_from": answer.taken_from,
    }


def read_raw_answers(library: Library, lent: Iterable[LentAnswer], letters: Mapping[str, str]) -> Mapping[str, Any]:
    """Return every lent answer as its lender's clauses.yaml has it, by question. Raises CannotEdit."""
    slug_of = build_slug_lookup(library.questions.values())
    files = {siglum: read_clause_fields(text) for siglum, text in letters.items()}
    raw_answers: dict[str, Any] = {}
    for answer in lent:
        answers = files[answer.lender][answer.ruling.clauses[0]].get("answers", {})
        raw_answers |= {slug_of(key): value for key, value in answers.items() if slug_of(key) == answer.question.slug}
    return raw_answers
