"""The archive agenda: open doubts by the counters they move, and what one would have to look at to settle each.

What there is to be looked at is taken from the records of the sources and from the bibliography, and from nowhere
else: the first work that a record lists is the source itself, the others are its kin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes

from edition.analysis.costs import (
    OUR_POOL,
    POLICY_HEADINGS,
    DisagreementCost,
    describe_cost,
    explain_unsurveyed,
    find_alternative_cost,
    find_costs,
    find_question_costs,
    find_supplied_pools,
    format_cost_interval,
    format_cost_percent,
    format_stand_name,
    get_cost_sort_key,
    pools_note,
)
from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, ContentLike, bullet_list, emphasis, link, para, section, span, strong, table
from edition.text.answers import format_count
from edition.views.common import QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes, question_ref
from engine.survey.statistics import Estimate
from engine.survey.variants import UNSURVEYED_REASONS, explain_unsurveyed_question
from rulebook.model import Clause, Source
from rulebook.strings import single_spaced

#: Why a clause is in doubt, and whether the print itself, or only its kin, could settle that.
DOUBTS: Mapping[str, str] = {
    "misprint": "rests on a word that we emend",
    "understanding": "can be understood in more than one way",
    "silence": "supplied by us, since our copy is silent",
    "certainty": "taken so with less than high certainty",
}
ITS_OWN, ITS_KIN = ("misprint", "silence"), ("understanding", "silence", "certainty")


@dataclass(frozen=True, slots=True)
class Work:
    """A work of the bibliography that might settle something."""

    key: str
    title: str
    lang: str
    seen: str  #: whether it was seen for this edition, in the bibliography's words
    own: bool  #: whether it is the source itself


@dataclass(frozen=True, slots=True)
class Doubt:
    """One clause in doubt: what hangs on it, and what might settle it."""

    clause: str
    source: str
    questions: tuple[QuestionLink, ...]
    kinds: tuple[str, ...]  #: among DOUBTS
    cert: str
    moved: Estimate | None  #: of the pool in a deal, at most; none where it was not surveyed
    by: str  #: the reading, or the other source's answer, that moves so many
    policy: str
    means: str
    pool_supplied: bool  #: whether the pool is ours
    because: str  #: why it was not surveyed
    works: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class Visit:
    """One work to be looked at: for which sources, and what it might settle."""

    work: Work
    sources: tuple[tuple[SourceLink, bool], ...]  #: with whether it is the source itself
    doubts: int
    surveyed: int
    moved: float  #: of the pool, all its doubts together
    first: tuple[str, ...]  #: the dearest clauses


@dataclass(frozen=True, slots=True)
class AgendaView:
    """The whole page."""

    exemplars: tuple[tuple[SourceLink, str, bool, tuple[Work, ...]], ...]
    visits: tuple[Visit, ...]
    doubts: tuple[Doubt, ...]
    unsurveyed: tuple[Doubt, ...]
    pools: str  #: on pools that we supply


# ---- what is in doubt
def agenda_view(corpus: Corpus, _: str = "") -> AgendaView | None:
    """Every doubt, the dearest first; nothing where nothing was surveyed."""
    if not corpus.surveys:
        return None
    seen = notes_of(Path(corpus.library.root) / "bibliography.bib")
    sources = corpus.library.sources.values()
    works = {source.siglum: works_of(corpus, source, seen) for source in sources}
    all_ = [build_doubt(corpus, clause, works[source.siglum]) for source in sources for clause in source.clauses]
    found = [one for one in all_ if one.kinds]
    known = sorted((one for one in found if one.moved), key=lambda one: -weight_of(one))
    unknown = tuple(one for one in found if not one.moved)
    exemplars = tuple(
        (
            source_link(one),
            single_spaced(str(one.record.get("exemplar") or "")),
            bool(one.record.get("images_seen")),
            works[one.siglum],
        )
        for one in sources
    )
    pools = pools_note(find_supplied_pools(corpus))
    return AgendaView(exemplars, tuple(rank_visits(corpus, works, found)), tuple(known), unknown, pools)


def weight_of(one: Doubt) -> float:
    """Share of the pool that depends on a doubt; 0 where it was not surveyed."""
    return one.moved.value if one.moved else 0.0


def build_doubt(corpus: Corpus, clause: Clause, works: Sequence[Work]) -> Doubt:
    """Build the doubt of one clause: its kinds, and what depends on it."""
    kinds = tuple(kinds_of(corpus, clause))
    questions = tuple(question_link(corpus.library.questions[slug]) for slug in clause.answers)
    found = _find_costliest_alternative(corpus, clause) if kinds else None
    base = (clause.id, clause.source, questions, kinds, clause.cert)
    may_settle = tuple(one for one in works if set(kinds) & set(ITS_OWN if one.own else ITS_KIN))
    if found is None:
        return Doubt(*base, None, "", "", "", False, explain_unsurveyed_clause(corpus, clause), may_settle)
    cost, policy, by = found
    figures = cost.of(policy)
    assert figures is not None
    return Doubt(*base, figures.of_pool, by, policy, describe_cost(figures), cost.pool_supplied, "", may_settle)


def kinds_of(corpus: Corpus, clause: Clause) -> Iterator[str]:
    """Kinds of doubt about a clause; nothing if there is none."""
    if clause.emendations and (clause.rivals or _has_uncertain_emendation(corpus, clause)):
        yield "misprint"
    if clause.rivals:
        yield "understanding"
    if clause.supplied and clause.answers:
        yield "silence"
    elif clause.cert in ("medium", "low") and clause.answers and not clause.rivals:
        yield "certainty"


def _has_uncertain_emendation(corpus: Corpus, clause: Clause) -> bool:
    text = corpus.library.sources[clause.source].text
    return text is not None and any(text.emendations[id].cert != "high" for id in clause.emendations)


def _find_costliest_alternative(corpus: Corpus, clause: Clause) -> tuple[DisagreementCost, str, str] | None:
    rivals = [(find_alternative_cost(find_costs(corpus), one.id), one.id) for one in clause.rivals]
    found = [(cost, name) for cost, name in rivals if cost is not None]
    if not clause.rivals:
        found = [
            (cost, _name_rival_answer(corpus, cost, slug))
            for slug in clause.answers
            for cost in find_question_costs(find_costs(corpus), slug, clause.source)
        ]
    ways = [(cost, policy, name) for cost, name in found for policy, _ in cost.weights]
    return max(ways, key=lambda one: get_cost_sort_key(one[0], one[1]), default=None)


def _name_rival_answer(corpus: Corpus, cost: DisagreementCost, slug: str) -> str:
    return " or ".join(format_stand_name(corpus.library, stand) for stand in cost.stands if slug in stand.questions)


def explain_unsurveyed_clause(corpus: Corpus, clause: Clause) -> str:
    """Reason why the effect of a clause was not surveyed."""
    told = [explain_unsurveyed(corpus.surveys, alternative=one.id) for one in clause.rivals]
    told += [
        UNSURVEYED_REASONS.get(explain_unsurveyed_question(corpus.library.questions[slug]), "")
        for slug in clause.answers
    ]
    return next((one for one in told if one), "no other source answers it otherwise, so there is nothing to compare")


# ---- what might settle it
def notes_of(path: Path) -> dict[str, tuple[str, str]]:
    """Language and note of every work; the note says whether it was seen."""
    from pybtex.database import parse_file

    if not path.is_file():
        return {}
    entries = parse_file(str(path), "bibtex").entries
    fields = {key: [str(entry.fields.get(name, "")) for name in ("langid", "note")] for key, entry in entries.items()}
    return {key: (_BIBLIOGRAPHY_LANGUAGES.get(lang, ""), single_spaced(note)) for key, (lang, note) in fields.items()}


_BIBLIOGRAPHY_LANGUAGES: Mapping[str, str] = {"french": "fr", "german": "de", "english": "en", "latin": "la"}


def works_of(corpus: Corpus, source: Source, seen: Mapping[str, tuple[str, str]]) -> tuple[Work, ...]:
    """The works that a record lists: the source itself, then its kin."""
    listed = source.record.get("bibliography")
    keys = [str(key) for key in listed] if isinstance(listed, (list, tuple)) else []
    known = [key for key in keys if key in corpus.works]
    return tuple(Work(key, corpus.works[key], *seen.get(key, ("", "")), at == 0) for at, key in enumerate(known))


def rank_visits(corpus: Corpus, works: Mapping[str, Sequence[Work]], doubts: Sequence[Doubt]) -> Iterator[Visit]:
    """Works with all that they might settle, the one on which most depends first."""
    by_key = {work.key: work for some in works.values() for work in some}
    found = [
        _build_visit(corpus, works, [d for d in doubts if key in {w.key for w in d.works}], by_key[key])
        for key in by_key
    ]
    yield from sorted(found, key=lambda one: -one.moved)


def _build_visit(corpus: Corpus, works: Mapping[str, Sequence[Work]], mine: Sequence[Doubt], work: Work) -> Visit:
    mentioned = ((siglum, one.own) for siglum, some in works.items() for one in some if one.key == work.key)
    sources = tuple((source_link(corpus.library.sources[siglum]), own) for siglum, own in mentioned)
    priced = sorted((one for one in mine if one.moved), key=lambda one: -weight_of(one))
    first = tuple(one.clause for one in priced[:5])
    return Visit(work, sources, len(mine), len(priced), sum(map(weight_of, priced)), first)


# ---- layout
NO_AGENDA_TEXT = "Nothing has been surveyed yet."


def render_agenda(view: AgendaView | None) -> Nodes:
    """Render the works to visit, the copies used, and every doubt."""
    if view is None:
        return [para(NO_AGENDA_TEXT)]
    pools = [para(view.pools)] if view.pools else []
    return [
        section("visits", "What to look at first", *pools, _visits_table(view), *_render_exemplars(view)),
        section("doubts", "The doubts, the dearest first", _doubts_table(view)),
        section("unsurveyed", "Doubts that no survey can weigh", _unsurveyed_table(view)),
    ]


def _visits_table(view: AgendaView) -> nodes.Node:
    lines = [
        (
            [
                link("work", one.work.key, span(one.work.title, lang=one.work.lang)),
                span(f" {one.work.seen}.", cls="rv-small"),
            ],
            [
                part
                for source, own in one.sources
                for part in (link("source", source.siglum), " itself " if own else " ")
            ],
            f"{format_count(one.doubts, 'doubt')}, {one.surveyed} of them weighed",
            format_cost_percent(one.moved),
            [piece for id in one.first for piece in (link("clause", id), " ")] or "–",
        )
        for one in view.visits
    ]
    head = ("Work", "For", "Might settle", "Together, of the pool", "Above all")
    return table("Works by what hangs on them", head, lines, cls="rv-stack rv-figures")


def _render_exemplars(view: AgendaView) -> Nodes:
    lines: list[ContentLike] = [
        [link("source", source.siglum), f": {words.rstrip('.')}."] for source, words, _, _ in view.exemplars
    ]
    unseen = [source.siglum for source, _, seen, _ in view.exemplars if not seen]
    more = f" Of {', '.join(unseen)} no page image was seen: any image would be new evidence." if unseen else ""
    return [para(f"On which copy each source rests in this edition.{more}"), bullet_list(lines)]


def _doubts_table(view: AgendaView) -> nodes.Node:
    lines = [
        (
            _clause_cell(one),
            _render_doubt_reasons(one),
            [
                para(strong(format_cost_percent(one.moved.value)), f" ({format_cost_interval(one.moved)})"),
                _render_moving_answer(one),
            ]
            if one.moved
            else "–",
            one.means,
            to_look_at(one),
        )
        for one in view.doubts
    ]
    head = ("Clause", "The doubt", "Moves at most, of the pool a deal", "What it means", "To look at")
    return table("Open doubts by the counters that they move", head, lines, cls="rv-stack rv-figures rv-agenda")


def _unsurveyed_table(view: AgendaView) -> nodes.Node:
    lines = [
        (_clause_cell(one), _render_doubt_reasons(one), f"{one.because[:1].upper()}{one.because[1:]}.", to_look_at(one))
        for one in view.unsurveyed
    ]
    head = ("Clause", "The doubt", "Why it was not weighed", "To look at")
    return table("Open doubts without a weight", head, lines, cls="rv-stack")


def _clause_cell(one: Doubt) -> list[Content]:
    asked = [piece for q in one.questions for piece in (" ", question_ref(q))]
    return [para(link("clause", one.clause), *asked), para(", ".join(q.slug for q in one.questions), cls="rv-small")]


def _render_doubt_reasons(one: Doubt) -> list[Content]:
    said = "; ".join(DOUBTS[kind] for kind in one.kinds)
    return [f"{said[:1].upper()}{said[1:]}. ", span(f"Certainty {one.cert}.", cls="rv-small")]


def _render_moving_answer(one: Doubt) -> nodes.Node:
    name: Content = link("alternative", one.by) if one.by.startswith(f"{one.source}.") else one.by
    ours = f"; at the table of {one.source}, {OUR_POOL}" if one.pool_supplied else ""
    return para(name, f", {POLICY_HEADINGS.get(one.policy, one.policy).lower()}{ours}", cls="rv-small")


def to_look_at(one: Doubt) -> ContentLike:
    """The works that might settle it."""
    found = [
        para("the page itself: " if w.own else "its kin: ", link("work", w.key, emphasis(w.title, lang=w.lang)))
        for w in one.works
    ]
    return [*found] or "nothing that our records name"
