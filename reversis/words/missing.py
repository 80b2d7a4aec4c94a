"""Answers that keep a source from settling a deal: all of them at once, grouped, each with the reason.

Which questions a deal asks hangs on the answers. So every other source of the edition answers in the place of the
silent one: what is asked whoever answers is needed, and the rest may be. The source from which they are best supplied
is chosen here too, for every command that names one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from engine.deal.model import Deal
from engine.settlement.lending import find_missing_answers
from engine.settlement.result_json import dump_silence, result
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.files.drafts import MAX_SETTLING_SOURCES
from rulebook.drafts import NOT_COLLATED, list_finished_sources
from rulebook.grouping import group_pairs
from rulebook.model import Library, Question, Ruleset, Source
from rulebook.resolve import resolve
from rulebook.strings import single_spaced

_UNREAD = "not read for it yet"


@dataclass(frozen=True, slots=True)
class MissingAnswer:
    """A question that a deal asks and a ruleset does not answer."""

    id: str
    slug: str
    asks: str
    reason: str  #: the clause that passes it over, and why; or that there is none
    needed: bool  #: whether it is asked whoever answers the others


@dataclass(frozen=True, slots=True)
class MissingGroup:
    """The missing answers under one heading of the questions."""

    title: str
    answers: tuple[MissingAnswer, ...]

    def by_reason(self) -> Mapping[str, tuple[MissingAnswer, ...]]:
        """The answers by the reason for which they are missing."""
        return group_pairs((answer.reason, answer) for answer in self.answers)


def list_missing_answers(library: Library, unanswered: Unanswered) -> tuple[MissingGroup, ...]:
    """List everything that a ruleset would have to answer to settle a deal, in the order of the questions."""
    return group_missing_answers(library, unanswered.deal, unanswered.ruleset)


def group_missing_answers(library: Library, deal: Deal, ruleset: Ruleset) -> tuple[MissingGroup, ...]:
    """Group what a ruleset would have to answer to settle a deal."""
    others = [source for source in list_finished_sources(library) if source != ruleset.source][:MAX_SETTLING_SOURCES]
    missing = [find_missing_answers(deal, ruleset, (resolve(library, lender),)) for lender in others]
    missing = missing or [find_missing_answers(deal, ruleset, ())]
    anyhow, perhaps = frozenset.intersection(*missing), frozenset[str]().union(*missing)
    return _group_by_heading(library, ruleset, anyhow, perhaps)


def find_missing_for_deals(library: Library, deals: Iterable[Deal], ruleset: Ruleset) -> tuple[MissingGroup, ...]:
    """Group what a ruleset would have to answer to settle several deals; needed is what one of them needs."""
    each = [group_missing_answers(library, deal, ruleset) for deal in deals]
    answers = [answer for groups in each for group in groups for answer in group.answers]
    needed = frozenset(answer.slug for answer in answers if answer.needed)
    return _group_by_heading(library, ruleset, needed, frozenset(answer.slug for answer in answers))


def _group_by_heading(
    library: Library, ruleset: Ruleset, anyhow: Collection[str], perhaps: Collection[str]
) -> tuple[MissingGroup, ...]:
    questions = (question for slug, question in library.questions.items() if slug in perhaps)
    return tuple(
        MissingGroup(title, tuple(_describe_missing(ruleset, question, question.slug in anyhow) for question in some))
        for title, some in groupby(questions, key=lambda asked: asked.group)
    )


def dump_result(library: Library, settlement: Settled | Refused | Unanswered) -> dict[str, object]:
    """Dump a result as plain data; of a silence also everything that the source would have to answer."""
    data = result(settlement, library.digest)
    if isinstance(settlement, Unanswered):
        missing = [
            {"question": answer.id, "group": group.title, "reason": answer.reason, "needed": answer.needed}
            for group in list_missing_answers(library, settlement)
            for answer in group.answers
        ]
        data["silent"] = {**dump_silence(settlement), "missing": missing}
    return data


def _describe_missing(ruleset: Ruleset, question: Question, needed: bool) -> MissingAnswer:
    reason = single_spaced(ruleset.reasons.get(question.slug, "")) or "no clause speaks of it"
    reason = _UNREAD if reason.startswith(NOT_COLLATED) else reason
    return MissingAnswer(question.id, question.slug, question.asks, reason, needed)


def choose_lender(library: Library, siglum: str, asked: Collection[str] = ()) -> str | None:
    """Choose the source that answers most of what a source lacks; None where no other answers anything *asked*.

    First counts what is asked, in whatever way it is answered; then all that the source does not say, in the lender's
    own words. Of equals one of the same language or family is taken, then the one with most answers of its own.
    """
    borrower = library.sources[siglum]
    lacking = {slug for slug, question in library.questions.items() if not question.not_played}
    lacking -= _list_answered(borrower, own=True)  # so that the choice is the same once something was supplied
    others = [
        library.sources[source] for source in list_finished_sources(library) or library.sources if source != siglum
    ]
    able = [source for source in others if not asked or _list_answered(source) & {*asked}]

    def rank(source: Source) -> tuple[int, int, bool, int, str]:
        own = _list_answered(source, own=True)
        helps = len(_list_answered(source) & {*asked})
        return -helps, -len(own & lacking), not _is_akin(source, borrower), -len(own), source.siglum

    return min(able, key=rank).siglum if able else None


def _list_answered(source: Source, own: bool = False) -> set[str]:
    """Return the questions that a source answers, of its *own* or also with what is supplied."""
    return {slug for clause in source.clauses if not (own and clause.supplied) for slug in clause.answers}


def _is_akin(source: Source, other: Source) -> bool:
    return source.language == other.language or source.family == other.family != ""


def suggest_supply(library: Library, ruleset: str, question: str) -> str:
    """Name the command that supplies what a source does not say, for whatever deal."""
    siglum = ruleset.partition(" ")[0]  # without what is played otherwise
    lender = choose_lender(library, siglum, [question] if question in library.questions else ())
    if lender is None:
        return f"No other source answers it: answer it yourself, in reversis sheet {siglum} --out answers.csv."
    command = f"reversis supply {siglum} --from {lender} --all-deals --write"
    cell = library.find_cell(siglum, question)
    if library.sources[siglum].draft and (cell is None or cell.status == NOT_COLLATED):
        coding = f"Read it for that first, with reversis sheet {siglum} --out answers.csv or the form (reversis serve)"
        return f"{coding}. What it does not say is then supplied from another source: {command}."
    return f"What it does not say is supplied from another source, for all worked deals: {command}."


def add_supply_hint(library: Library, ruleset: str, question: str, message: str) -> str:
    """Add the way out to the *message* of a silence, where the rules are those of a source."""
    known = ruleset.partition(" ")[0] in library.sources
    return f"{message.rstrip('.')}. {suggest_supply(library, ruleset, question) if known else ''}".rstrip()
