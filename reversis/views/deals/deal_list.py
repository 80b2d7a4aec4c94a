"""The list of all example deals: what each is about, and how far apart the books come out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.text.typography import use_minus_signs
from edition.views.plain_answers import source_marks
from edition.views.play.joint_table import MAX_NAMED_BOOKS
from reversis.files.deals import DealEntry, readable_deals
from reversis.files.drafts import MAX_SETTLING_SOURCES
from reversis.files.extras import get_causes, get_deals
from reversis.findings.results import WorkedResult, compute_results
from reversis.views.deals.attribution import freshness_view
from reversis.views.page_template import page_renderer
from rulebook.phrases import format_signed_sum

#: Topic of the filter -> words of our titles that belong to it.
TOPIC_WORDS: Mapping[str, str] = {
    "Quinola": r"quinola|\bjack\b",
    "Aces": r"\baces?\b",
    "Reversis": r"reversis",
    "Espagnolette": r"espagnolette",
    "Partie or talon": r"talon|partie|without a trick|white|fewest|eyes|marking|points|tricks? (?:each|with)|equal",
    "Pool": r"pool|stake|satz|b[êe]te|remise|basket|supplement|labete",
    "Exchange": r"laid (?:away|aside|out)|lays|discard|exchange",
    "Irregularities": r"revoke|turn\b|fine|fault|misdeal|dealt|turned up|shuffled|seen|peek|bought|too few|ten cards",
    "Five players": r"five players",
}
OTHER_TOPIC = "Other"
#: what stands in a column of numbers where there is none
UNSETTLED_LABELS: Mapping[str, str] = {"refused": "not legal", "silent": "no answer"}

#: Net of one player by one book, or the reason why it is not settled; and whether it is.
ListedOutcome: TypeAlias = tuple[SourceMark, str, bool]


@dataclass(frozen=True, slots=True)
class DealRow:
    """Example deal in the list of all."""

    entry: DealEntry
    topics: tuple[str, ...]
    player: str  #: whose result differs most; empty where no book settles the deal
    outcomes: tuple[ListedOutcome, ...]


@dataclass(frozen=True, slots=True)
class DealListView:
    """All example deals."""

    rows: tuple[DealRow, ...]

    @property
    def topics(self) -> tuple[tuple[str, int], ...]:
        """Topics of the filter, with the number of their deals."""
        counts = Counter(topic for row in self.rows for topic in row.topics)
        return tuple((topic, counts[topic]) for topic in (*TOPIC_WORDS, OTHER_TOPIC) if counts[topic])

    @property
    def books(self) -> tuple[SourceMark, ...]:
        """Books whose results stand in the list; none where there are so many that each deal has but some."""
        marks = dict.fromkeys(mark for row in self.rows for mark, _, _ in row.outcomes)
        return tuple(marks) if len(marks) <= MAX_SETTLING_SOURCES else ()

    @property
    def many(self) -> bool:
        """True if a deal has more results than books can be named beside each other."""
        return max(len(row.outcomes) for row in self.rows) > MAX_NAMED_BOOKS


def deals_view(corpus: Corpus, _: str = "") -> DealListView:
    """All example deals, each with the player whose result differs most."""
    results = compute_results(corpus).by_deal
    seats = {deal.id: deal.seats for deal in readable_deals(corpus.library)}
    return DealListView(tuple(_build_row(corpus, deal, seats[deal.id], results[deal.id]) for deal in get_deals(corpus)))


def _build_row(corpus: Corpus, entry: DealEntry, seats: Iterable[str], results: Sequence[WorkedResult]) -> DealRow:
    nets = {result.source: dict(result.net) for result in results if result.state == "settled"}
    player = max(seats, key=lambda seat: _spread(net[seat] for net in nets.values())) if nets else ""
    marks = source_marks(corpus)
    outcomes = (
        (marks[result.source], use_minus_signs(format_signed_sum(nets[result.source][player])), True)
        if result.state == "settled"
        else (marks[result.source], UNSETTLED_LABELS[result.state], False)
        for result in results
    )
    return DealRow(entry, find_topics(entry.title), player, tuple(outcomes))


def _spread(sums: Iterator[int]) -> tuple[int, int]:
    """Distance between the sums, then the greatest of them."""
    amounts = list(sums)
    return max(amounts) - min(amounts), max(map(abs, amounts))


def find_topics(title: str) -> tuple[str, ...]:
    """Topics that the title of a deal names."""
    topics = tuple(topic for topic, words in TOPIC_WORDS.items() if re.search(words, title, re.IGNORECASE))
    return topics or (OTHER_TOPIC,)


def causes_found_view(corpus: Corpus, _: str = "") -> tuple[str, tuple[str, ...]] | None:
    """Freshness of the stored causes of differences, compared with these sources."""
    return freshness_view(get_causes(corpus), corpus.library.rules_digest)


render_deals = page_renderer("deals")
