"""Pages of the deals, and what leads to them from questions and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from docutils import nodes

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.corpus.references import Run
from edition.game import PageKind, Panel
from edition.nodes.builders import link, span
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text.typography import use_minus_signs
from edition.views.common import QuotationView
from edition.views.layout import Nodes, join_content, render_labelled_line
from edition.views.plain_answers import source_marks
from edition.views.play.joint_table import render_joint_table
from edition.views.play.lines import LEDGER_COMPONENTS, find_telling_clause
from edition.views.play.tricks import render_play_table
from hearts_game.deals import Deal, find_deal_paths
from hearts_game.ledgers import (
    DealView,
    LedgerView,
    describe_ruleset,
    list_ruleset_names,
    view_deal,
)
from hearts_game.settlement import LedgerLine
from rulebook.grouping import group_pairs
from rulebook.joint_ledger import join_ledgers
from rulebook.phrases import format_signed_sum, pluralize_counter
from rulebook.strings import single_spaced

DEALS = "Example deals"
PROVENANCE: Mapping[str, str] = {
    "printed": "The book gives all of it.",
    "completed": "An example of the book, completed to a full deal by us.",
    "constructed": "Constructed by us.",
}


class BookLedger(NamedTuple):
    """Ledger of one ruleset; of each line also its name, and the clause that says most about it."""

    source: SourceMark
    ledger: LedgerView
    lines: tuple[tuple[LedgerLine, str, str, QuotationView | None], ...]


@dataclass(frozen=True, slots=True)
class DealPage:
    """Page of a deal, with the deals before and after it."""

    deal: DealView
    books: tuple[BookLedger, ...]
    note: tuple[Run, ...]
    cited: tuple[tuple[str, str, str], ...]  #: sentences that it shows: id, words and their language
    reasoning: tuple[tuple[str, str], ...]  #: how its figures come about, by rules
    record: str
    before: tuple[str, str] | None
    after: tuple[str, str] | None


class ListEntry(NamedTuple):
    """Deal as the list names it."""

    id: str
    title: str


class DealRow(NamedTuple):
    """Deal in the list, with the result of one player by each book."""

    entry: ListEntry
    topics: tuple[str, ...]
    player: str
    outcomes: tuple[tuple[SourceMark, str, bool], ...]


class DealList(NamedTuple):
    """All deals."""

    rows: tuple[DealRow, ...]
    books: tuple[SourceMark, ...]


def get_deals(corpus: Corpus) -> tuple[Deal, ...]:
    """Return the deals of the library."""
    deals: tuple[Deal, ...] = corpus.extras["deals"]
    return deals


def find_deal(corpus: Corpus, id: str) -> Deal:
    """Find a deal by its id."""
    return next(deal for deal in get_deals(corpus) if deal.deal == id)


@cached_on_corpus
def settle_library_deal(corpus: Corpus, id: str) -> DealView:
    """Settle a deal by every source, and by the other rules that its record names."""
    deal = find_deal(corpus, id)
    return view_deal(corpus.library, deal, list_ruleset_names(corpus.library, deal))


# ---- the page of a deal
def view_deal_page(corpus: Corpus, id: str) -> DealPage:
    """View the page of a deal."""
    titles = [(deal.deal, deal.title) for deal in get_deals(corpus)]
    at, deal, view = [known for known, _ in titles].index(id), find_deal(corpus, id), settle_library_deal(corpus, id)
    sentences = {locus: corpus.sentence(locus) for locus in deal.cites}
    return DealPage(
        view,
        tuple(_view_book(corpus, ledger) for ledger in view.ledgers),
        corpus.prose(single_spaced(deal.note)),
        tuple(
            (locus, single_spaced(sentence.emended), corpus.library.sources[locus.partition(".")[0]].language)
            for locus, sentence in sentences.items()
            if sentence
        ),
        tuple((name, use_minus_signs(single_spaced(expected.reasoning))) for name, expected in deal.expect.items()),
        (Path(corpus.library.root) / find_deal_paths(corpus.library)[id]).read_text("utf-8"),
        titles[at - 1] if at else None,
        titles[at + 1] if at + 1 < len(titles) else None,
    )


def _view_book(corpus: Corpus, ledger: LedgerView) -> BookLedger:
    lines = (
        (line, f"{line.step}.{line.event}", *find_telling_clause(corpus, ledger, line.rulings))
        for line in ledger.entries
    )
    return BookLedger(_mark_ruleset(corpus, ledger), ledger, tuple(lines))


def _mark_ruleset(corpus: Corpus, ledger: LedgerView) -> SourceMark:
    """Mark a source; rules that are not its own alone have a name and an address of their own."""
    mark = source_marks(corpus)[ledger.source]
    if ledger.ruleset == ledger.source:
        return mark
    name = f"{mark.name}, {describe_ruleset(corpus.library, ledger.ruleset)}"
    return replace(mark, siglum=ledger.ruleset.replace(" + ", "-"), name=name)


def _render_joint_ledger(page: DealPage) -> Nodes:
    events = [event for event in join_ledgers(page.deal.ledgers, lambda lines: str(lines[0].key[-1])) if event.paid]
    return render_joint_table(page.deal, events, [book.source for book in page.books], f"rulebook run {page.deal.id}")


def _render_tricks(page: DealPage) -> Nodes:
    """Render the tricks, with a place for each ledger: two may be of one source."""
    ledgers = tuple(replace(book.ledger, source=book.source.siglum) for book in page.books)
    marks = {book.source.siglum: book.source for book in page.books}
    return [render_play_table(replace(page.deal, ledgers=ledgers), marks, page.deal.counted)]


render_deal_page = template_renderer(
    "hearts_game",
    "deal",
    joint_ledger=_render_joint_ledger,
    literal=lambda words: nodes.literal_block(words, words, language="none"),
    plural=pluralize_counter,
    provenance=PROVENANCE,
    signed_sum=lambda number: use_minus_signs(format_signed_sum(number)),
    tricks=_render_tricks,
    **LEDGER_COMPONENTS,
)


# ---- the list
def view_deals(corpus: Corpus, _: str = "") -> DealList:
    """View the list of deals, each with the player whose result differs most."""
    rows = tuple(_view_row(corpus, settle_library_deal(corpus, deal.deal)) for deal in get_deals(corpus))
    return DealList(rows, tuple(source_marks(corpus).values()))


def _view_row(corpus: Corpus, view: DealView) -> DealRow:
    nets = [dict(ledger.net) for ledger in view.ledgers if ledger.state == "settled"]
    player = max(view.seats, key=lambda seat: _measure_spread([net[seat] for net in nets])) if nets else ""
    labels = {"silent": "no answer", "refused": "not legal"}
    outcomes = (
        (_mark_ruleset(corpus, ledger), use_minus_signs(format_signed_sum(dict(ledger.net)[player])), True)
        if ledger.state == "settled"
        else (_mark_ruleset(corpus, ledger), labels[ledger.state], False)
        for ledger in view.ledgers
    )
    return DealRow(ListEntry(view.id, view.title), (), player, tuple(outcomes))


def _measure_spread(sums: Sequence[int]) -> tuple[int, int]:
    return max(sums) - min(sums), max(map(abs, sums))


# ---- what leads to a deal
def group_by_sentence(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    """Group deals by the sentences that they show."""
    return group_pairs((locus, deal.deal) for deal in get_deals(corpus) for locus in deal.cites)


@cached_on_corpus
def group_by_question(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    """Group deals by the questions on which a figure of their record rests, or which is not answered there."""
    pairs = dict[tuple[str, str], None]()
    for deal in get_deals(corpus):
        for ledger in settle_library_deal(corpus, deal.deal).ledgers:
            if ledger.ruleset in deal.expect:
                asked = [ruling.id for line in ledger.entries for ruling in line.rulings]
                asked += [ledger.silence.question] if ledger.silence else []
                pairs |= {(question, deal.deal): None for question in asked}
    return group_pairs(pairs)


def _render_deals(ids: Iterable[str]) -> Nodes:
    return [render_labelled_line(DEALS, *join_content((span(link("deal", id)) for id in ids), "; "))]


PAGES: Mapping[str, PageKind] = {
    "deal": PageKind(
        view_deal_page,
        render_deal_page,
        addresses=("deal",),
        path="deals/{}",
        arguments=lambda corpus: (deal.deal for deal in get_deals(corpus)),
        assets=("steps.css", "cards.js", "steps.js"),
    ),
    "deals": PageKind(view_deals, template_renderer("hearts_game", "deals"), assets=("deals.css",)),
}
PANELS: Mapping[str, Mapping[str, Panel]] = {
    "question": {DEALS: Panel(lambda corpus, id: group_by_question(corpus).get(id), _render_deals)},
    "sentence": {DEALS: Panel(lambda corpus, id: group_by_sentence(corpus).get(id), _render_deals)},
}
