"""The stored surveys: how each was made, what they can be held against, and what they leave out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.text.answers import name_within
from edition.views.common import QuestionLink, question_link
from edition.views.plain_answers import source_marks
from engine.cards import CARD_RANKS
from engine.players.preferences import DOES, PREFERENCES, SKILLED
from lab.survey.exact_probabilities import list_exact_chances
from lab.survey.request import EVENTS
from lab.survey.variants import UNSURVEYED_REASONS, VARIANT_QUESTION
from reversis.files.extras import get_surveys
from reversis.files.strength import STRENGTH_PROOF, read_net_leads
from reversis.files.surveys import StoredSurvey
from reversis.findings.costs import MIN_SURVEY_DEALS, THIN_SPACE, find_costs
from reversis.findings.leading import find_proven_nets, list_seated_sources, sort_surveys
from reversis.views.page_template import name_policy, page_renderer
from reversis.views.surveys.play_effects import format_signed
from rulebook import __version__
from rulebook.estimates import Estimate, estimate_share
from rulebook.phrases import join_names, pluralize_counter
from rulebook.resolve import resolve


@dataclass(frozen=True, slots=True)
class SurveyView:
    """One survey: its size, the command to repeat it, and whether it is up to date."""

    stored: StoredSurvey
    outdated: tuple[str, ...]
    alike: int  #: deals in which a table's own rules, priced anew, came out alike
    few: bool  #: its deals are too few to rank what happens rarely
    leads: bool  #: before others, on a page on all books: it is no trial, however few its deals


def survey_views(corpus: Corpus, _: str = "") -> tuple[SurveyView, ...]:
    """The surveys that lie there."""
    leading = sort_surveys(corpus)[1:][-1:]  # of one alone nothing is led with
    return tuple(_survey_view(corpus, survey, survey in leading) for survey in get_surveys(corpus))


def _survey_view(corpus: Corpus, survey: StoredSurvey, leads: bool) -> SurveyView:
    outdated = survey.outdated(__version__, corpus.library.rules_digest)
    itself = [seated.priced[0][1] for seated in survey.tables]
    alike = sum(count.settled - count.changed for count in itself)
    return SurveyView(survey, outdated, alike, survey.deals < MIN_SURVEY_DEALS, leads)


# ---- who leads
def explain_lead(corpus: Corpus, tables: Collection[str] = ()) -> str:
    """Explain why the skilled lead on a page on some tables, or on all, or why not; empty where none were surveyed."""
    ordered = sort_surveys(corpus, tables)
    if len(ordered) < 2 or all(survey.policy != SKILLED for survey in ordered):
        return ""
    asked = [table for table in tables or list_seated_sources(ordered) if table in corpus.library.sources]
    if ordered[-1].policy == SKILLED:
        ahead = f" ({_format_net_lead(corpus, asked[0])})" if len(asked) == 1 else ""
        why = f"their net surely wins from three careful players{ahead}"
        return f"Skilled players lead, because {why}.{_date_lead(corpus)}"
    reasons = _group_reasons(corpus, asked)
    heading = name_policy(ordered[-1].policy)
    grounds = "; ".join(f"by the rules of {join_names(names)} {why}" for why, names in reasons.items())
    return (
        f"{heading} lead. Skilled players would if their net surely won from three careful players: {grounds}."
        f"{_date_lead(corpus)}"
    )


def _group_reasons(corpus: Corpus, tables: Iterable[str]) -> Mapping[str, list[str]]:
    """Group the books by whose rules the skilled may not lead by the reason why."""
    skilled = list_seated_sources([survey for survey in get_surveys(corpus) if survey.policy == SKILLED])
    measured, reasons = read_net_leads(corpus.receipts), dict[str, list[str]]()
    for table in tables:
        name = name_within(corpus.library.sources[table])
        if table not in skilled:
            reasons.setdefault("they were not simulated", []).append(name)
        elif table not in measured:
            reasons.setdefault("that has not been measured", []).append(name)
        elif table not in find_proven_nets(corpus):
            reasons.setdefault("it does not", []).append(f"{name} ({_format_net_lead(corpus, table)})")
    return reasons


def _format_net_lead(corpus: Corpus, siglum: str) -> str:
    """Format by how much a net wins more than three careful players, with its interval."""
    lead, unit = read_net_leads(corpus.receipts)[siglum], pluralize_counter(corpus.library.sources[siglum].unit)
    low, high = (format_signed(end) for end in (lead.mean - lead.margin, lead.mean + lead.margin))
    return f"{format_signed(lead.mean)} {unit} a deal more than they, 95{THIN_SPACE}%: {low} to {high}"


def _date_lead(corpus: Corpus) -> str:
    """Say so where the sources have changed since the strength was measured."""
    receipt = next((candidate for candidate in corpus.receipts if candidate.proof == STRENGTH_PROOF), None)
    old = (
        receipt is not None and read_net_leads([receipt]) and receipt.outdated(__version__, corpus.library.rules_digest)
    )
    return " Since that was measured the sources have changed." if old else ""


# ---- what can be reckoned
#: Event, its exact value as a fraction and in per cent; by survey policy, share, interval and whether that holds it.
ExactRow: TypeAlias = tuple[str, str, str, tuple[tuple[str, str, str, bool], ...]]


def exact_view(corpus: Corpus, _: str = "") -> tuple[ExactRow, ...]:
    """Every event whose chance can be reckoned."""
    counted = [survey for survey in get_surveys(corpus) if any(_counted_events(survey))]
    return tuple(
        (
            words,
            str(value),
            f"{float(value) * 100:.4f}{THIN_SPACE}%",
            tuple(estimate_event(survey, some, float(value)) for survey in counted),
        )
        for words, some, value in list_exact_chances()
    )


def estimate_event(survey: StoredSurvey, some: Sequence[str], value: float) -> tuple[str, str, str, bool]:
    """Estimate of an event by a survey.

    All tables are dealt the same cards, so the first is enough.
    """
    number = sum(_counted_events(survey)[list(EVENTS).index(event)] for event in some)
    estimate = estimate_share(number, survey.tables[0].count.deals)
    low, high = (f"{share * 100:.4f}" for share in (estimate.low, estimate.high))
    return (
        survey.policy,
        f"{estimate.value * 100:.4f}{THIN_SPACE}%",
        f"{low} to {high}",
        estimate.low <= value <= estimate.high,
    )


def _counted_events(survey: StoredSurvey) -> tuple[int, ...]:
    return survey.tables[0].count.events if survey.tables else ()


# ---- what is not surveyed
def unsurveyed_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, tuple[QuestionLink, ...], tuple[str, ...]], ...]:
    """Questions and alternatives that no survey shows, by reason.

    These are questions that are weighed at no table.
    """
    weighed = {slug for cost in find_costs(corpus) for slug in cost.questions}
    names_by_reason: dict[str, tuple[dict[str, None], dict[str, None]]] = {
        because: ({}, {}) for because in UNSURVEYED_REASONS
    }
    seats = (seated for survey in get_surveys(corpus)[:1] for seated in survey.tables)
    for left_out in (omission for seated in seats for omission in seated.weighed.left_out):
        questions, others = names_by_reason[left_out.because]
        if left_out.stand.alternative:
            others[left_out.stand.alternative] = None
        elif left_out.stand.kind == VARIANT_QUESTION:
            questions.update(
                dict.fromkeys(
                    slug
                    for slug in left_out.stand.questions
                    if slug in corpus.library.questions and slug not in weighed
                )
            )
    order = list(corpus.library.questions)
    return tuple(
        (
            UNSURVEYED_REASONS[because],
            tuple(question_link(corpus.library.questions[slug]) for slug in sorted(questions, key=order.index)),
            tuple(id for id in others if corpus.kinds.get(id) == "alternative"),
        )
        for because, (questions, others) in names_by_reason.items()
        if questions or others
    )


def policies_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, str, tuple[tuple[str, int], ...], int], ...]:
    """Show how careful players prefer a card, by what it would do: the worth of every rank, and of the quinola."""
    return tuple(
        (
            DOES[would],
            row.says,
            tuple(pair for pair in zip(CARD_RANKS, row.ranks, strict=False) if pair[0] != "T"),
            row.quinola,
        )
        for would, row in PREFERENCES.items()
    )


render_surveys = page_renderer("surveys")
render_exact = page_renderer("exact")
render_policies = page_renderer("policies")
render_unsurveyed = page_renderer("unsurveyed")


_LAST_FREE = "reversis.undertaken"  #: the question by how many of the last tricks a reversis may still fail


Shares: TypeAlias = tuple[Estimate, Estimate]  #: of the deals in which a reversis was undertaken, and made


@dataclass(frozen=True, slots=True)
class ReversisRow:
    """Counts at the table of one source, under every way of playing that was surveyed there."""

    source: SourceMark
    whole: bool  #: by its rules a reversis is undertaken only by making it
    supplied: bool  #: when it is undertaken is our assumption
    counts: tuple[Shares | None, ...]


def count_reversis(survey: StoredSurvey, siglum: str) -> Shares | None:
    """Count the reversis of a survey at the table of a source; None where it was not surveyed."""
    seated = next((table for table in survey.tables if table.siglum == siglum), None)
    if seated is None or not seated.count.events:
        return None
    events = dict(zip(EVENTS, seated.count.events, strict=True))
    undertaken, made = (events[f"reversis-{what}"] for what in ("undertaken", "made"))
    return estimate_share(undertaken, seated.count.deals), estimate_share(made, seated.count.deals)


def reversis_rates_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, ...], tuple[ReversisRow, ...]]:
    """Frequency of the reversis, undertaken and made, by source; the way of playing that leads stands first."""
    surveys = tuple(reversed(sort_surveys(corpus)))
    rows = (
        ReversisRow(
            mark, *_judge_undertaking(corpus, siglum), tuple(count_reversis(survey, siglum) for survey in surveys)
        )
        for siglum, mark in source_marks(corpus).items()
    )
    return tuple(survey.policy for survey in surveys), tuple(row for row in rows if any(row.counts))


def _judge_undertaking(corpus: Corpus, siglum: str) -> tuple[bool, bool]:
    """Judge whether a reversis is undertaken only by making it, and whether that is our assumption."""
    ruling = resolve(corpus.library, siglum).rulings.get(_LAST_FREE)
    return (True, True) if ruling is None else (ruling.value == 0, ruling.supplied)


def is_undertaken_by_making(corpus: Corpus, siglum: str) -> bool:
    """Return whether by a source's rules a reversis counts as undertaken only once it is made."""
    return _judge_undertaking(corpus, siglum)[0]


render_reversis_rates = page_renderer("reversis-rates")
