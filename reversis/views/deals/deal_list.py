"""The list of all example deals: what each is about, and how far apart the books come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_classes, add_page_id, block, bullet_list, link, markup_of, para, span
from edition.nodes.components import SourceMark, named_source, source_shape
from edition.palette import format_slot_classes
from edition.text.typography import use_minus_signs
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from reversis.files.deals import DealEntry
from reversis.files.drafts import MAX_SETTLING_SOURCES
from reversis.files.extras import get_causes, get_deals
from reversis.findings.results import settle_worked_deals
from reversis.views.deals.attribution import freshness_view
from reversis.views.deals.stage import MAX_NAMED_BOOKS
from reversis.words import ledgers
from reversis.words.deal_views import DealView
from rulebook.strings import slugify_text

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


@dataclass(frozen=True, slots=True)
class ListedOutcome:
    """Net of one player by one book, or the reason why it is not settled."""

    source: SourceMark
    words: str
    settled: bool = True


@dataclass(frozen=True, slots=True)
class DealRow:
    """Example deal in the list of all."""

    entry: DealEntry
    topics: tuple[str, ...]
    player: str  #: whose result differs most; empty where no book settles the deal
    outcomes: tuple[ListedOutcome, ...]


def deals_view(corpus: Corpus, _: str = "") -> tuple[DealRow, ...]:
    """All example deals, each with the player whose result differs most."""
    found = {view.id: view for view in settle_worked_deals(corpus)}
    return tuple(_build_row(corpus, entry, found[entry.id]) for entry in get_deals(corpus))


def _build_row(corpus: Corpus, entry: DealEntry, view: DealView) -> DealRow:
    nets = {one.source: dict(one.net) for one in view.ledgers if one.state == "settled"}
    player = max(view.seats, key=lambda seat: _spread(net[seat] for net in nets.values())) if nets else ""
    marks = source_marks(corpus)
    outcomes = (
        ListedOutcome(marks[one.source], use_minus_signs(ledgers.format_signed_sum(nets[one.source][player])))
        if one.state == "settled"
        else ListedOutcome(marks[one.source], UNSETTLED_LABELS[one.state], settled=False)
        for one in view.ledgers
    )
    return DealRow(entry, find_topics(entry.title), player, tuple(outcomes))


def _spread(sums: Iterator[int]) -> tuple[int, int]:
    """Distance between the sums, then the greatest of them."""
    found = list(sums)
    return max(found) - min(found), max(map(abs, found))


def find_topics(title: str) -> tuple[str, ...]:
    """Topics that the title of a deal names."""
    named = tuple(topic for topic, words in TOPIC_WORDS.items() if re.search(words, title, re.IGNORECASE))
    return named or (OTHER_TOPIC,)


# ---- layout
def render_deals(view: tuple[DealRow, ...]) -> Nodes:
    """All deals in one list, with a filter by topic."""
    if not view:
        return [para("There is no example deal yet.")]
    many = " rv-many" if max(len(row.outcomes) for row in view) > MAX_NAMED_BOOKS else ""
    rows = bullet_list((), cls=f"rv-deal-list{many}")
    rows.extend(map(_render_row, view))
    return [_render_legend(view), _render_filter(view), add_page_id(rows, "table-the-worked-deals")]


def _render_legend(view: tuple[DealRow, ...]) -> nodes.paragraph:
    """The books whose results stand in the list."""
    marks = dict.fromkeys(one.source for row in view for one in row.outcomes)
    if len(marks) > MAX_SETTLING_SOURCES:
        return para("So many books are here that each deal is settled by some of them.", cls="rv-small")
    chips = (piece for mark in marks for piece in (named_source(mark), " "))
    return para("What one player wins or loses, by book: ", *chips, cls="rv-small")


def _render_filter(view: tuple[DealRow, ...]) -> nodes.Element:
    counts = {topic: sum(topic in row.topics for row in view) for topic in (*TOPIC_WORDS, OTHER_TOPIC)}
    choices = [("", "All", len(view)), *((topic, topic, number) for topic, number in counts.items() if number)]
    labels = (_render_topic_choice(*one) for one in choices)
    legend = markup_of("legend", "Topic", cls="rv-unseen")
    return markup_of("fieldset", legend, *labels, cls="rv-segment rv-deal-filter")


def _render_topic_choice(topic: str, words: str, number: int) -> nodes.Element:
    checked = {} if topic else {"checked": ""}
    button = markup_of("input", type="radio", name="rv-topic", value=slugify_text(topic), **checked)
    return markup_of("label", button, words, span(str(number), cls="rv-count"))


def _render_row(row: DealRow) -> nodes.list_item:
    topics = " ".join(map(slugify_text, row.topics))
    made = add_classes(nodes.list_item(), data_topics=topics)
    made += para(link("deal", row.entry.id, row.entry.title))
    made += block(*_render_outcomes(row), cls="rv-outcomes")
    return made


def _render_outcomes(row: DealRow) -> Iterator[Content]:
    yield span(row.player.capitalize(), cls="rv-outcome-player")
    for one in row.outcomes:
        yield span(
            source_shape(one.source),
            " ",
            one.words if one.settled else span(one.words, cls="rv-small"),
            cls=f"rv-outcome {format_slot_classes(one.source.slot)}",
            title=one.source.title,
        )


def causes_found_view(corpus: Corpus, _: str = "") -> tuple[str, tuple[str, ...]] | None:
    """Freshness of the stored causes of differences, compared with these sources."""
    return freshness_view(get_causes(corpus), corpus.library.rules_digest)
