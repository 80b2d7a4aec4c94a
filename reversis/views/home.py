"""Deal of the home page: one that every book settles otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    span,
)
from edition.nodes.components import SourceMark, card_tile
from edition.views.plain_answers import source_marks
from edition.views.play.lines import capitalize_seats
from reversis.files.deals import readable_deals
from reversis.findings.results import compute_results, settle_worked_deal
from reversis.findings.share_of_own_answers import measure_own_share
from reversis.views.page_template import page_renderer
from reversis.words.deal_views import DealView, TrickView
from reversis.words.ledgers import LedgerView
from rulebook.phrases import spell_number
from rulebook.schema.reference_records import TermRecord

_MOST_REASONS = 2  #: of a total, on the home page


@dataclass(frozen=True, slots=True)
class BookResult:
    """Total of one player by one book, with the events that it is made of, the smaller ones together."""

    source: SourceMark
    lang: str
    total: int
    unit: str
    reasons: tuple[tuple[str, int], ...]
    running: tuple[int, ...] = ()  #: how the player stands before the first trick and after each; then comes the total
    incomplete: bool = False  #: a rule of the book that is not simulated would have mattered here


@dataclass(frozen=True, slots=True)
class HomeDealView:
    """Deal on which a player wins by one book and loses by another."""

    deal: DealView
    seat: str
    key_card: str  #: on which most depends
    key_event: str
    results: tuple[BookResult, ...]
    unsettled: int  #: books that do not say enough to settle the deal
    terms: tuple[TermRecord, ...] = ()  #: words of the game among the reasons
    leaning: tuple[str, ...] = ()  #: names of books that answer less than half of what their deals ask
    partial: bool = False  #: whether one of these is not consulted whole


@dataclass(frozen=True, slots=True)
class HomeStart:
    """Head of the home page: the slogan, and a deal where one is settled in two ways."""

    slogan: str
    deal: HomeDealView | None


def home_start_view(corpus: Corpus, _: str = "") -> HomeStart:
    """Slogan, and the deal with the widest gap between a winner by one book and a loser by another."""
    return HomeStart(corpus.say(corpus.settings.tagline), _find_home_deal(corpus))


def _find_home_deal(corpus: Corpus) -> HomeDealView | None:
    best = max(_iter_contrasts(corpus), key=lambda contrast: contrast[:2], default=None)
    if best is None:
        return None
    deal, seat = settle_worked_deal(corpus, best[2]), best[3]
    marks, sources = source_marks(corpus), corpus.library.sources
    settled = [ledger for ledger in deal.ledgers if ledger.state == "settled"]
    results = tuple(
        BookResult(
            marks[ledger.source],
            sources[ledger.source].language,
            dict(ledger.net)[seat],
            ledger.unit,
            (*_iter_reasons(ledger, seat),),
            (*_iter_running_totals(ledger, seat, len(deal.tricks)),),
            bool(ledger.shortfalls),
        )
        for ledger in settled
    )
    key = _find_key_event(settled, seat)
    silent = len(deal.ledgers) - len(settled) + deal.left_out
    terms = _find_terms(corpus.terms, " ".join(what for result in results for what, _ in result.reasons))
    shares = {ledger.source: measure_own_share(corpus.library, ledger.source) for ledger in settled}
    leaning = [siglum for siglum, share in shares.items() if share and share.is_leaning]
    names, partial = tuple(marks[book].name for book in leaning), any(sources[book].partial for book in leaning)
    return HomeDealView(deal, seat, *key, results, silent, terms, names, partial)


def _find_terms(terms: Iterable[TermRecord], words: str) -> tuple[TermRecord, ...]:
    """Terms of the glossary among some words, in the order of the words."""
    known = {term.term: term for term in reversed([*terms]) if term.english}
    return tuple(known[word] for word in dict.fromkeys(re.findall(r"\w+", words)) if word in known)


def _iter_contrasts(corpus: Corpus) -> Iterator[tuple[int, int, str, str]]:
    """Players who win by one book and lose by another: number of books that settle it, gap, deal, player."""
    results = compute_results(corpus).by_deal
    for deal in readable_deals(corpus.library):
        nets = [dict(result.net) for result in results[deal.id] if result.state == "settled"]
        for seat in deal.seats if deal.tricks and nets else ():
            totals = [net[seat] for net in nets]
            if max(totals) > 0 > min(totals):
                yield len(nets), max(totals) - min(totals), deal.id, seat


def _sum_by_event(ledger: LedgerView, seat: str) -> Counter[str]:
    """Sums that a player gets (or, below zero, pays) by event; refunds cancel out."""
    sums: Counter[str] = Counter()
    for entry in ledger.entries:
        for posting in entry.postings:
            sums[entry.entry.name] += posting.amount * ((posting.payee == seat) - (posting.payer == seat))
    return sums


def _iter_running_totals(ledger: LedgerView, seat: str, tricks: int) -> Iterator[int]:
    """Gain or loss of a player before the first trick, and after each."""
    for trick in range(tricks + 1):
        reached = ("before", *map(str, range(1, trick + 1)))
        paid = (posting for entry in ledger.entries if entry.step in reached for posting in entry.postings)
        yield sum(payment.amount * ((payment.payee == seat) - (payment.payer == seat)) for payment in paid)


def _iter_reasons(ledger: LedgerView, seat: str) -> Iterator[tuple[str, int]]:
    """The events that moved most for a player, the largest first, and what is left of the total."""
    sums = sorted(_sum_by_event(ledger, seat).items(), key=lambda item: -abs(item[1]))
    yield from ((fact.replace("-", " "), amount) for fact, amount in sums[:_MOST_REASONS] if amount)
    if rest := sum(amount for _, amount in sums[_MOST_REASONS:]):
        yield "other", rest


def _find_key_event(ledgers: Iterable[LedgerView], seat: str) -> tuple[str, str]:
    """Card on which most depends for a player, and the first sentence about it."""
    weights: Counter[tuple[str, str]] = Counter()
    for ledger in ledgers:
        for entry in ledger.entries:
            for posting in entry.postings if entry.card and seat in {p.payer for p in entry.postings} else ():
                weights[entry.card, entry.entry.name] += posting.amount
    if not weights:
        return "", ""
    ((card, _), _), *_ = weights.most_common(1)
    return card, next(entry.sentence for ledger in ledgers for entry in ledger.entries if entry.card == card)


def _render_film_card(trick: TrickView, seat: str, key_card: str) -> nodes.inline:
    """The card of a player in a trick: framed if it takes it, marked if it decides the deal."""
    card = trick.of(seat)
    tile = card_tile(card) if card else span(cls="rv-tile rv-film-gap")
    tile["classes"] += ["rv-film-won"] if seat == trick.taker else []
    tile["classes"] += ["rv-film-led"] if seat == trick.leader else []
    tile["classes"] += ["rv-film-key"] if card and card == key_card else []
    tile["html"] = {**tile.get("html", {}), "data-trick": f"{trick.number}"}
    return tile


def _gloss(term: TermRecord) -> str:
    """Meaning of a term in short, without the term itself; of several the last, which is the feat or the prize."""
    return term.english.removeprefix(f"{term.term}: ").rpartition("; ")[2]


def _draw_bar(total: int, most: int) -> str:
    """Bar from the middle: to the right for a gain, to the left for a loss."""
    long = 100 * abs(total) / (most or 1)
    start = 100 if total >= 0 else 100 - long
    return (
        '<svg viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        '<rect class="rv-home-ground" width="200" height="8"/>'
        f'<rect class="rv-home-gain" x="{start:.1f}" width="{long:.1f}" height="8"/>'
        '<rect class="rv-home-zero" x="99.5" width="1" height="8"/></svg>'
    )


render_home_start = page_renderer(
    "home-deal",
    bar=lambda total, most: nodes.raw("", _draw_bar(total, most), format="html"),
    by_term=lambda terms: {term.term: term for term in terms},
    film_card=_render_film_card,
    gloss=_gloss,
    pieces=lambda what: tuple(filter(None, re.split(r"(\w+)", what))),
    players=capitalize_seats,
    spell_number=spell_number,
)
