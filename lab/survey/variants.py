"""Variants that a survey prices: rulesets for every disagreement that single deals of four can show.

Each source is a table. Beside its own rules, which must differ by nought, stand the other sources whole; the source
with another's answer to one question (and to those that must be exchanged with it); and each of its rival
interpretations and options. Rulesets that are one and the same game are priced once, and it is kept for what they
stand. What no such deal can show is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from engine.comparison.bundles import find_bundles
from engine.comparison.irrelevance_proof import (
    SILENT_RULE_RESULT,
    RuleScope,
    every_way,
    list_rule_scopes,
    try_rule_scope,
)
from engine.deal.pool import NO_POOL
from engine.interpretation.effects import questions_changed
from engine.readings.ask import Ask
from lab.survey.request import SURVEY_SEATS, Rules, SurveyTable
from rulebook.answers.conditions import dereference_answer, is_question_applicable, list_condition_questions
from rulebook.answers.values import format_canonical
from rulebook.model import Library, Question, Ruleset, Silent, Value
from rulebook.resolve import BadChoice, iter_clause_alternatives, rules

VARIANT_KINDS = ("itself", "source", "question", "interpretation", "option")
VARIANT_ITSELF, VARIANT_SOURCE, VARIANT_QUESTION, VARIANT_INTERPRETATION, VARIANT_OPTION = VARIANT_KINDS

#: Why a survey cannot show something.
UNSURVEYED_REASONS: Mapping[str, str] = {
    "not-played": "the engine does not play it",
    "table": "a survey has four players and 48 cards, as every source allows",
    "fault": "nobody makes a mistake in a survey",
    "session": "it matters between two deals, and a survey plays single deals",
    "waiting": "there is no second pool before a first deal",
    "no-counter": "it moves no counter within the deal",
    "same-game": "it makes no difference to such a deal",
    "no-game": "on its own, without the other rules of its source, it leaves questions unanswered",
}

#: The reason, by the beginning of a question's slug; the longest beginning that fits counts.
_REASONS_BY_SLUG: Mapping[str, str] = {
    "table": "table",
    "exchange.look": "fault",
    "stake.first": "session",
    "stake.dealer": "session",
    "stake.renewed": "session",
    "stake.waiting": "session",
    "stake.matched-when": "session",
    "stake.after-winning": "waiting",
    "session": "session",
    "deal.next-dealer": "no-counter",
}

_GameKey: TypeAlias = frozenset[tuple[str, str]]
#: What each rule could ask, by the facts that it looks at.
_AskedQuestions: TypeAlias = Mapping[RuleScope, frozenset[str]]


@dataclass(frozen=True, slots=True)
class SurveyVariant:
    """Variant that a ruleset stands for."""

    kind: str  #: one of VARIANT_KINDS
    questions: tuple[str, ...] = ()  #: slugs of what is answered otherwise; of a whole source none
    source: str = ""  #: whose answer it is, where it is another source's
    alternative: str = ""  #: id of an interpretation or option

    @property
    def name(self) -> str:
        """Name of the variant in a list."""
        return self.alternative or (f"{self.questions[0]}@{self.source}" if self.questions else self.source)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A ruleset to be priced beside a table's own, and all that it stands for."""

    rules: Rules
    stands: tuple[SurveyVariant, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Variant that a survey cannot show, and the reason."""

    stand: SurveyVariant
    because: str  #: one of UNSURVEYED_REASONS


@dataclass(frozen=True, slots=True)
class SourceVariants:
    """One source: what is priced at its table, and what is left out."""

    rules: Rules
    others: tuple[Disagreement, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def table(self) -> SurveyTable:
        """As a survey orders it."""
        return SurveyTable(self.rules, tuple(disagreement.rules for disagreement in self.others))


def list_survey_tables(library: Library, sources: Iterable[str] = ()) -> tuple[SurveyTable, ...]:
    """List a table for each of these sources, or all, with everything to be priced there."""
    return tuple(variant.table for variant in plan_survey_variants(library, sources))


def plan_survey_variants(library: Library, sources: Iterable[str] = ()) -> tuple[SourceVariants, ...]:
    """List each source's variants, what every ruleset stands for, and what is left out."""
    asked = {siglum: collect_asked_questions(rules(library, siglum)) for siglum in library.sources}
    return tuple(plan_source_variants(library, siglum, asked) for siglum in sources or library.sources)


def explain_unsurveyed_question(question: Question) -> str:
    """Return why no single deal of four can show a question; empty where one can."""
    if question.not_played:
        return "not-played"
    if question.affects == "irregularity":
        return "fault"
    fitting = [start for start in _REASONS_BY_SLUG if f"{question.slug}.".startswith((f"{start}.", f"{start}-"))]
    return _REASONS_BY_SLUG[max(fitting, key=len)] if fitting else ""


# ---- one source
def plan_source_variants(library: Library, siglum: str, asked: Mapping[str, _AskedQuestions]) -> SourceVariants:
    """Collect everything to be priced at one source's table; `asked`: what each source's rules ask."""
    own = rules(library, siglum)
    disagreements: dict[_GameKey, Disagreement] = {
        make_game_key(library, own): Disagreement(Rules(siglum), (SurveyVariant(VARIANT_ITSELF),))
    }
    left_out: list[LeftOut] = []
    for stand, wishes in generate_candidates(library, own, asked, left_out):
        these = Rules(stand.source) if stand.kind == VARIANT_SOURCE else Rules(siglum, wishes)
        game = make_game_key(library, rules(library, these.source, *these.wishes))
        if stand.kind not in (VARIANT_SOURCE, VARIANT_ITSELF) and game == make_game_key(library, own):
            left_out.append(LeftOut(stand, "same-game"))
            continue
        had = disagreements.get(game, Disagreement(these, ()))
        disagreements[game] = Disagreement(had.rules, (*had.stands, stand))
    return SourceVariants(Rules(siglum), tuple(disagreements.values()), tuple(left_out))


def generate_candidates(
    library: Library, own: Ruleset, asked: Mapping[str, _AskedQuestions], left_out: list[LeftOut]
) -> Iterator[tuple[SurveyVariant, tuple[str, ...]]]:
    """Yield what might be priced, with its wishes; put aside what no deal can show."""
    others = [other for other in library.sources if other != own.source]
    yield from ((SurveyVariant(VARIANT_SOURCE, source=other), ()) for other in others)
    for stand in (*generate_answer_swaps(library, own, others), *generate_rival_readings(library, own)):
        because = explain_unsurveyed_variant(library, stand)
        wishes = () if because else find_variant_wishes(library, own, stand, asked.get(stand.source, {}))
        if because or not wishes:
            left_out.append(LeftOut(stand, because or "no-game"))
        else:
            yield stand, wishes


def generate_answer_swaps(library: Library, own: Ruleset, others: Iterable[str]) -> Iterator[SurveyVariant]:
    """Yield every question that another source answers differently, with those that go with it."""
    variants = [
        SurveyVariant(VARIANT_QUESTION, bundle.questions, other)
        for other in others
        for bundle in find_bundles(library, own, rules(library, other))
    ]
    order = {slug: at for at, slug in enumerate(library.questions)}
    yield from sorted(variants, key=lambda stand: order[stand.questions[0]])


def generate_rival_readings(library: Library, own: Ruleset) -> Iterator[SurveyVariant]:
    """Yield every rival interpretation and option of a source, with what it answers otherwise."""
    for _, alternative in iter_clause_alternatives(library.sources[own.source].clauses):
        try:
            changed = questions_changed(own, rules(library, own.source, alternative.id))
        except BadChoice:  # nothing of it is played
            changed = frozenset(alternative.answers)
        yield SurveyVariant(
            alternative.kind, tuple(slug for slug in library.questions if slug in changed), alternative=alternative.id
        )


def explain_unsurveyed_variant(library: Library, stand: SurveyVariant) -> str:
    """Return why no question of a variant shows in single deals (the first one's reason), or nothing."""
    reasons = [explain_unsurveyed_question(library.questions[slug]) for slug in stand.questions]
    return reasons[0] if reasons and all(reasons) else "" if reasons else "same-game"


# ---- a game that can be played
def find_variant_wishes(
    library: Library, own: Ruleset, stand: SurveyVariant, asked: _AskedQuestions
) -> tuple[str, ...]:
    """Find the wishes for a variant, with the answers it needs besides; none if it is no game."""
    if stand.alternative:
        return (stand.alternative,)
    theirs, wanted = rules(library, stand.source), list(stand.questions)
    while True:
        wishes = tuple(f"{library.questions[slug].id}@{stand.source}" for slug in wanted)
        try:
            mixed = rules(library, own.source, *wishes)
        except BadChoice:
            return ()
        gaps = (
            find_answer_gaps(library, own, mixed),
            find_unanswered_asks(library, mixed, theirs, stand, asked),
            find_unanswered_play(library, mixed),
        )
        gap = next(chain.from_iterable(gaps), None)
        if gap is None:
            return wishes
        needed = [gap.slug] if gap.slug in theirs.rulings else list_condition_questions(gap.depends)
        more = [slug for slug in needed if slug in theirs.rulings and slug not in wanted]
        if not more:
            return ()
        wanted += more


def find_answer_gaps(library: Library, own: Ruleset, mixed: Ruleset) -> Iterator[Question]:
    """Yield the unanswered questions that make sense only now; where the source is silent there is no gap."""
    before, after = map_answer_values(own), map_answer_values(mixed)
    open_ = (
        q
        for q in library.questions.values()
        if q.depends and q.slug not in after and not explain_unsurveyed_question(q)
    )
    yield from (
        q for q in open_ if is_question_applicable(q.depends, after) and not is_question_applicable(q.depends, before)
    )


def find_unanswered_asks(
    library: Library, mixed: Ruleset, theirs: Ruleset, stand: SurveyVariant, asked: _AskedQuestions
) -> Iterator[Question]:
    """Yield what a rule now asks in vain, whatever the condition, and the other source can answer."""
    missing = {slug for slug in theirs.rulings if slug not in mixed.rulings}
    for place, some in asked.items():
        if some & missing and some & {*stand.questions}:
            for slug in sorted(collect_vain_questions(place, mixed) & missing):
                yield library.questions[slug]


def find_unanswered_play(library: Library, mixed: Ruleset) -> Iterator[Question]:
    """Yield the first question that the play itself asks in vain."""
    from lab.survey.encode_rules import Unsurveyed, encode_play_answers  # here, since pages are made without NumPy

    with suppress(Unsurveyed):  # the survey says so itself
        try:
            encode_play_answers(Ask(mixed), NO_POOL)
        except Silent as silent:
            if (question := library.questions.get(silent.question)) is not None:
                yield question


def collect_vain_questions(place: RuleScope, ruleset: Ruleset) -> set[str]:
    """Collect what one rule asks without an answer, over every fact and outcome."""
    tried = (try_rule_scope(place, SURVEY_SEATS, choices, ruleset) for choices in every_way())
    return {
        slug
        for result, ask in tried
        if result == SILENT_RULE_RESULT
        for slug in ask.asked
        if slug not in ruleset.rulings
    }


def collect_asked_questions(ruleset: Ruleset) -> _AskedQuestions:
    """Collect what every rule of a source could ask at a table of four."""
    tried = (
        (place, try_rule_scope(place, SURVEY_SEATS, choices, ruleset))
        for place in list_rule_scopes()
        for choices in every_way()
    )
    asked: dict[RuleScope, set[str]] = {}
    for place, (_, ask) in tried:
        asked.setdefault(place, set()).update(ask.asked)
    return {place: frozenset(some) for place, some in asked.items()}


def map_answer_values(ruleset: Ruleset) -> dict[str, Value]:
    """Map each question to a ruleset's answer."""
    return {slug: ruling.value for slug, ruling in ruleset.rulings.items()}


def make_game_key(library: Library, ruleset: Ruleset) -> _GameKey:
    """Make the key of all that a single deal can ask; rulesets with one key are one game."""
    given = map_answer_values(ruleset)
    asked = (q for q in library.questions.values() if q.slug in given and not explain_unsurveyed_question(q))
    sense = (q.slug for q in asked if not q.depends or is_question_applicable(q.depends, given))
    return frozenset((slug, format_canonical(dereference_answer(given[slug], given))) for slug in sense)
