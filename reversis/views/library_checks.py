"""Checks for libraries: open doubts by the money that hangs on them, and works that might settle them.

What there is to be looked at is taken from the records of the sources and from the bibliography, and from nowhere
else: the first work that a record lists is the source itself, the others are its kin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.common import Prose, QuestionLink, question_link
from edition.views.plain_answers import source_marks
from lab.survey.variants import UNSURVEYED_REASONS, explain_unsurveyed_question
from reversis.files.extras import get_surveys
from reversis.findings import costs
from reversis.views.page_template import page_renderer
from rulebook.estimates import Estimate
from rulebook.model import Clause, Source
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, BIBLIOGRAPHY_LANGUAGES
from rulebook.strings import single_spaced

#: Kinds of doubt that the print itself, or only its kin, could settle.
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
    kinds: tuple[str, ...]  #: misprint, understanding, silence or certainty
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
    sources: tuple[tuple[SourceMark, bool], ...]  #: with whether it is the source itself
    doubts: int
    surveyed: int
    moved: float  #: of the pool, all its doubts together
    first: tuple[str, ...]  #: the dearest clauses


@dataclass(frozen=True, slots=True)
class AgendaView:
    """The whole page."""

    exemplars: tuple[tuple[SourceMark, Prose, bool], ...]  #: the copy of each source, and whether its pages were seen
    visits: tuple[Visit, ...]
    doubts: tuple[Doubt, ...]
    unsurveyed: tuple[Doubt, ...]
    pools: str  #: on pools that we supply


# ---- what is in doubt
def agenda_view(corpus: Corpus, _: str = "") -> AgendaView | None:
    """Every doubt, the dearest first; nothing where nothing was surveyed."""
    if not get_surveys(corpus):
        return None
    seen = notes_of(Path(corpus.library.root) / BIBLIOGRAPHY_FILE)
    sources = corpus.library.sources.values()
    works = {source.siglum: works_of(corpus, source, seen) for source in sources}
    all_ = [build_doubt(corpus, clause, works[source.siglum]) for source in sources for clause in source.clauses]
    doubts = [doubt for doubt in all_ if doubt.kinds]
    known = sorted((doubt for doubt in doubts if doubt.moved), key=lambda doubt: -weight_of(doubt))
    unknown = tuple(doubt for doubt in doubts if not doubt.moved)
    marks = source_marks(corpus)
    exemplars = tuple(
        (
            marks[source.siglum],
            corpus.prose(str(source.record.get("exemplar") or "").strip().rstrip("."), source.siglum),
            bool(source.record.get("images_seen")),
        )
        for source in sources
    )
    pools = costs.describe_supplied_pools(corpus)
    return AgendaView(exemplars, tuple(rank_visits(corpus, works, doubts)), tuple(known), unknown, pools)


def weight_of(doubt: Doubt) -> float:
    """Share of the pool that depends on a doubt; 0 where it was not surveyed."""
    return doubt.moved.value if doubt.moved else 0.0


def build_doubt(corpus: Corpus, clause: Clause, works: Sequence[Work]) -> Doubt:
    """Build the doubt of one clause: its kinds, and what depends on it."""
    kinds = tuple(kinds_of(corpus, clause))
    questions = tuple(question_link(corpus.library.questions[slug]) for slug in clause.answers)
    costliest = _find_costliest_alternative(corpus, clause) if kinds else None
    base = clause.id, clause.source, questions, kinds, clause.cert
    may_settle = tuple(work for work in works if set(kinds) & set(ITS_OWN if work.own else ITS_KIN))
    if costliest is None:
        reasons = [costs.explain_unsurveyed(get_surveys(corpus), alternative=rival.id) for rival in clause.rivals]
        reasons += [
            UNSURVEYED_REASONS.get(explain_unsurveyed_question(corpus.library.questions[slug]), "")
            for slug in clause.answers
        ]
        return Doubt(
            *base,
            None,
            "",
            "",
            "",
            False,
            next(
                (reason for reason in reasons if reason),
                "no other source answers it otherwise, so there is nothing to compare",
            ),
            may_settle,
        )
    cost, policy, by = costliest
    figures = cost.of(policy)
    assert figures is not None
    return Doubt(
        *base, figures.of_pool, by, policy, costs.describe_cost(cost, figures), cost.pool_supplied, "", may_settle
    )


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


def _find_costliest_alternative(corpus: Corpus, clause: Clause) -> tuple[costs.DisagreementCost, str, str] | None:
    rivals = [(costs.find_alternative_cost(costs.find_costs(corpus), rival.id), rival.id) for rival in clause.rivals]
    pairs = [(cost, name) for cost, name in rivals if cost is not None]
    if not clause.rivals:
        pairs = [
            (cost, _name_rival_answer(corpus, cost, slug))
            for slug in clause.answers
            for cost in costs.find_question_costs(costs.find_costs(corpus), slug, clause.source)
        ]
    ways = [(cost, policy, name) for cost, name in pairs for policy, _ in cost.weights]
    return max(ways, key=lambda way: costs.get_cost_sort_key(way[0], way[1]), default=None)


def _name_rival_answer(corpus: Corpus, cost: costs.DisagreementCost, slug: str) -> str:
    marks = source_marks(corpus)
    names = dict.fromkeys(
        marks[variant.source].name for variant in cost.stands if slug in variant.questions and variant.source in marks
    )
    return f"answer of {' or '.join(names)}"


# ---- what might settle it
def notes_of(path: Path) -> dict[str, tuple[str, str]]:
    """Language and note of every work; the note says whether it was seen."""
    from pybtex.database import parse_file

    if not path.is_file():
        return {}
    entries = parse_file(str(path), "bibtex").entries
    fields = {key: [str(entry.fields.get(name, "")) for name in ("langid", "note")] for key, entry in entries.items()}
    return {key: (BIBLIOGRAPHY_LANGUAGES.get(lang, ""), single_spaced(note)) for key, (lang, note) in fields.items()}


def works_of(corpus: Corpus, source: Source, seen: Mapping[str, tuple[str, str]]) -> tuple[Work, ...]:
    """The works that a record lists: the source itself, then its kin."""
    listed = source.record.get("bibliography")
    keys = [str(key) for key in listed] if isinstance(listed, (list, tuple)) else []
    known = [key for key in keys if key in corpus.works]
    return tuple(Work(key, corpus.works[key], *seen.get(key, ("", "")), at == 0) for at, key in enumerate(known))


def rank_visits(corpus: Corpus, works: Mapping[str, Sequence[Work]], doubts: Sequence[Doubt]) -> Iterator[Visit]:
    """Works with all that they might settle, the one on which most depends first."""
    by_key = {work.key: work for some in works.values() for work in some}
    visits = [
        _build_visit(corpus, works, [d for d in doubts if key in {w.key for w in d.works}], by_key[key])
        for key in by_key
    ]
    yield from sorted(visits, key=lambda visit: -visit.moved)


def _build_visit(corpus: Corpus, works: Mapping[str, Sequence[Work]], mine: Sequence[Doubt], work: Work) -> Visit:
    mentioned = ((siglum, other.own) for siglum, some in works.items() for other in some if other.key == work.key)
    sources = tuple((source_marks(corpus)[siglum], own) for siglum, own in mentioned)
    priced = sorted((doubt for doubt in mine if doubt.moved), key=lambda doubt: -weight_of(doubt))
    first = tuple(doubt.clause for doubt in priced[:5])
    return Visit(work, sources, len(mine), len(priced), sum(map(weight_of, priced)), first)


render_agenda = page_renderer("library-checks", interval=costs.format_cost_interval)
