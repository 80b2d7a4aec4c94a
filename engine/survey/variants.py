"""What a survey is to weigh: every disagreement that single deals of four players can show, as rulesets to be priced.

Each source is a table. Beside its own rules, which must differ by nought, stand the other sources whole; the source
with another's answer to one question (and to those that must be exchanged with it); and each of its rival
interpretations and options. Rulesets that are one and the same game are priced once, and it is kept for what they
stand. What no such deal can show is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.comparison.bundles import bundles
from engine.comparison.irrelevance_proof import SILENT, Place, every_way, made_of, places
from engine.interpretation.effects import questions_changed
from engine.survey.request import SEATS, Rules, Table
from rulebook.answers.conditions import conditions, holds, worth
from rulebook.answers.values import canonical
from rulebook.model import Library, Question, Ruleset, Value
from rulebook.resolve import BadChoice, alternatives, rules

ITSELF, SOURCE, QUESTION, INTERPRETATION, OPTION = KINDS = (
    "itself",
    "source",
    "question",
    "interpretation",
    "option",
)

#: Why a survey cannot show something.
UNSURVEYED: Mapping[str, str] = {
    "not-played": "the engine does not play it",
    "table": "a survey sits four players down with 48 cards, as every source allows",
    "fault": "nobody makes a mistake in a survey",
    "session": "it is asked between two deals, and a survey plays single deals",
    "waiting": "before the first deal of an evening no second pool lies there",
    "no-counter": "it moves no counter within the deal",
    "same-game": "it changes nothing that such a deal could ask",
    "no-game": "exchanged without the rest of its rules it leaves questions that nobody answers",
}

#: The reason, by the beginning of a question's slug; the longest beginning that fits counts.
BY_SLUG: Mapping[str, str] = {
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

Key: TypeAlias = frozenset[tuple[str, str]]
Asked: TypeAlias = Mapping[Place, frozenset[str]]  #: what each rule could ask, by the facts that it looks at


@dataclass(frozen=True, slots=True)
class Stand:
    """One thing for which a ruleset stands."""

    kind: str  #: one of KINDS
    questions: tuple[str, ...] = ()  #: slugs of what is answered otherwise; of a whole source none
    source: str = ""  #: whose answer it is, where it is another source's
    alternative: str = ""  #: id of an interpretation or option

    @property
    def name(self) -> str:
        """What it is called in a list."""
        return self.alternative or (f"{self.questions[0]}@{self.source}" if self.questions else self.source)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A ruleset to be priced beside a table's own, and all that it stands for."""

    rules: Rules
    stands: tuple[Stand, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a survey cannot show, and why."""

    stand: Stand
    because: str  #: one of UNSURVEYED


@dataclass(frozen=True, slots=True)
class Weighed:
    """One source: what is priced at its table, and what is left out."""

    rules: Rules
    others: tuple[Disagreement, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def table(self) -> Table:
        """As a survey orders it."""
        return Table(self.rules, tuple(one.rules for one in self.others))


def disagreements(library: Library, sources: Iterable[str] = ()) -> tuple[Table, ...]:
    """A table for each of these sources, or of all, with everything that is to be priced there."""
    return tuple(one.table for one in weighed(library, sources))


def weighed(library: Library, sources: Iterable[str] = ()) -> tuple[Weighed, ...]:
    """The same with what every ruleset stands for, and what is left out."""
    asked = {siglum: asked_by(rules(library, siglum)) for siglum in library.sources}
    return tuple(of_source(library, siglum, asked) for siglum in sources or library.sources)


def unsurveyed(question: Question) -> str:
    """Why no single deal of four players can show a question; empty where one can."""
    if question.not_played:
        return "not-played"
    if question.affects == "irregularity":
        return "fault"
    fitting = [start for start in BY_SLUG if f"{question.slug}.".startswith((f"{start}.", f"{start}-"))]
    return BY_SLUG[max(fitting, key=len)] if fitting else ""


# ---- one source
def of_source(library: Library, siglum: str, asked: Mapping[str, Asked]) -> Weighed:
    """Everything that is to be priced at the table of one source; `asked`: what the rules of each source ask."""
    own = rules(library, siglum)
    found: dict[Key, Disagreement] = {key(library, own): Disagreement(Rules(siglum), (Stand(ITSELF),))}
    left_out: list[LeftOut] = []
    for stand, wishes in candidates(library, own, asked, left_out):
        these = Rules(stand.source) if stand.kind == SOURCE else Rules(siglum, wishes)
        game = key(library, rules(library, these.source, *these.wishes))
        if stand.kind not in (SOURCE, ITSELF) and game == key(library, own):
            left_out.append(LeftOut(stand, "same-game"))
            continue
        had = found.get(game, Disagreement(these, ()))
        found[game] = Disagreement(had.rules, (*had.stands, stand))
    return Weighed(Rules(siglum), tuple(found.values()), tuple(left_out))


def candidates(
    library: Library, own: Ruleset, asked: Mapping[str, Asked], left_out: list[LeftOut]
) -> Iterator[tuple[Stand, tuple[str, ...]]]:
    """What might be priced, with its wishes; what no deal can show is put aside."""
    others = [other for other in library.sources if other != own.source]
    yield from ((Stand(SOURCE, source=other), ()) for other in others)
    for stand in (*exchanged(library, own, others), *otherwise(library, own)):
        because = why_not(library, stand)
        wishes = () if because else wishes_of(library, own, stand, asked.get(stand.source, {}))
        if because or not wishes:
            left_out.append(LeftOut(stand, because or "no-game"))
        else:
            yield stand, wishes


def exchanged(library: Library, own: Ruleset, others: Iterable[str]) -> Iterator[Stand]:
    """Every question on which another source gives another answer, with those that go with it; in their order."""
    found = [
        Stand(QUESTION, one.questions, other)
        for other in others
        for one in bundles(library, own, rules(library, other))
    ]
    order = {slug: at for at, slug in enumerate(library.questions)}
    yield from sorted(found, key=lambda stand: order[stand.questions[0]])


def otherwise(library: Library, own: Ruleset) -> Iterator[Stand]:
    """Every rival interpretation and option of a source, with what it answers otherwise."""
    for _, one in alternatives(library.sources[own.source].clauses):
        changed = questions_changed(own, rules(library, own.source, one.id))
        yield Stand(one.kind, tuple(slug for slug in library.questions if slug in changed), alternative=one.id)


def why_not(library: Library, stand: Stand) -> str:
    """Why no single deal can show it: the reason of its first question; empty if one of its questions can be shown."""
    reasons = [unsurveyed(library.questions[slug]) for slug in stand.questions]
    return reasons[0] if reasons and all(reasons) else "" if reasons else "same-game"


# ---- a game that can be played
def wishes_of(library: Library, own: Ruleset, stand: Stand, asked: Asked) -> tuple[str, ...]:
    """The wishes that make a ruleset of it, with those answers that it needs besides; none where it is no game."""
    if stand.alternative:
        return (stand.alternative,)
    theirs, wanted = rules(library, stand.source), list(stand.questions)
    while True:
        wishes = tuple(f"{library.questions[slug].id}@{stand.source}" for slug in wanted)
        try:
            mixed = rules(library, own.source, *wishes)
        except BadChoice:
            return ()
        gap = next(gaps(library, own, mixed), None) or next(unheard(library, mixed, theirs, stand, asked), None)
        if gap is None:
            return wishes
        needed = [gap.slug] if gap.slug in theirs.rulings else [c.question for c in conditions(gap.depends)]
        more = [slug for slug in needed if slug in theirs.rulings and slug not in wanted]
        if not more:
            return ()
        wanted += more


def gaps(library: Library, own: Ruleset, mixed: Ruleset) -> Iterator[Question]:
    """The questions that only now make sense and have no answer; where the source itself is silent is no gap."""
    before, after = answers(own), answers(mixed)
    open_ = (q for q in library.questions.values() if q.depends and q.slug not in after and not unsurveyed(q))
    yield from (q for q in open_ if holds(q.depends, after) and not holds(q.depends, before))


def unheard(library: Library, mixed: Ruleset, theirs: Ruleset, stand: Stand, asked: Asked) -> Iterator[Question]:
    """The questions that a rule now asks in vain, whatever their condition says: the other source can answer them."""
    missing = {slug for slug in theirs.rulings if slug not in mixed.rulings}
    for place, some in asked.items():
        if some & missing and some & {*stand.questions}:
            for slug in sorted(in_vain(place, mixed) & missing):
                yield library.questions[slug]


def in_vain(place: Place, ruleset: Ruleset) -> set[str]:
    """What one rule asks without being answered, over every fact and outcome that can be written down."""
    tried = (made_of(place, SEATS, choices, ruleset) for choices in every_way())
    return {slug for said, ask in tried if said == SILENT for slug in ask.asked if slug not in ruleset.rulings}


def asked_by(ruleset: Ruleset) -> Asked:
    """What every rule of a source could ask at a table of four."""
    tried = ((place, made_of(place, SEATS, choices, ruleset)) for place in places() for choices in every_way())
    found: dict[Place, set[str]] = {}
    for place, (_, ask) in tried:
        found.setdefault(place, set()).update(ask.asked)
    return {place: frozenset(some) for place, some in found.items()}


def answers(ruleset: Ruleset) -> dict[str, Value]:
    """What a ruleset answers."""
    return {slug: ruling.value for slug, ruling in ruleset.rulings.items()}


def key(library: Library, ruleset: Ruleset) -> Key:
    """What a single deal can ask of a ruleset: two with the same key are one game."""
    given = answers(ruleset)
    asked = (q for q in library.questions.values() if q.slug in given and not unsurveyed(q))
    sense = (q.slug for q in asked if not q.depends or holds(q.depends, given))
    return frozenset((slug, canonical(worth(given[slug], given))) for slug in sense)
