"""A deal as it is shown: the cards trick by trick, and beside them the ledger of every source.

`list_deals` names the worked deals, `worked_deal_view(library, id)` is one of them, `worked_deal_views(library)` all. A
view holds words and sums only, already chosen and in order; equal views make equal pages. Show it in this order:

- `view.title`, `view.provenance` and `view.cites` (sentence ids), `view.table` (pairs of a heading and words),
  `view.hands` and `view.talon` (cards, "JH QC 2S");
- `view.tricks`: a row each, with `number`, `leader`, `taker` and `plays` in the order of play; a play has `seat`,
  `card` and `marks` ("leads", "takes", "revokes"); `taker` is empty where no source can tell;
- `view.ledgers`, one for each source. Its `state` is "settled", "refused" or "silent"; `said` puts it in one line.
  Settled: for each of `entries` the `sentence`, its `postings` (payer, payee, amount; the unit is `ledger.unit`), and
  `clauses`, ids of `ledger.clauses`; then `net`, `pool_before`, `pool_after`, `outcome`.
  Refused: for each of `refusals` the `message` and `clauses`. Silent: `silence`.
  In all of them `expectation` (None where the record expects nothing) tells which figures came out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import format_card, sort_cards
from engine.deal.model import Deal
from engine.play.replay import Played
from engine.settlement.settle import Settled, settle
from reversis.files.deals import read_worked
from reversis.files.drafts import list_playable_sources, select_settling_sources
from reversis.words.events import FAULT_PHRASES, describe_fault
from reversis.words.ledgers import AnySettlement, LedgerView, build_ledger_view, pool_words
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve
from rulebook.strings import single_spaced

Play: TypeAlias = tuple[str, str, tuple[str, ...]]  #: a card as it came to the table: seat, card and marks


@dataclass(frozen=True, slots=True)
class TrickView:
    """One trick: who led, what each played, who took it."""

    number: int
    leader: str
    taker: str
    plays: tuple[Play, ...]

    def of(self, seat: str) -> str:
        """Card played by one player."""
        return " ".join(card for player, card, _ in self.plays if player == seat)


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal with what every source makes of it."""

    id: str
    title: str
    provenance: str
    cites: tuple[str, ...]
    note: str
    seats: tuple[str, ...]
    dealer: str
    pack: int
    hands: tuple[tuple[str, str], ...]
    talon: str
    table: tuple[tuple[str, str], ...]  #: heading and words: the pool, exchanges, announcements, faults, claims
    tricks: tuple[TrickView, ...]
    ledgers: tuple[LedgerView, ...]
    left_out: int = 0  #: sources that do not settle it here, there being too many of them

    def ledger(self, source: str) -> LedgerView:
        """Ledger of one source. KeyError if it was not asked."""
        for ledger in self.ledgers:
            if ledger.source == source:
                return ledger
        raise KeyError(source)


# ---- the worked deals
def worked_deal_view(library: Library, name: str) -> DealView:
    """One worked deal under every source, or some if they are many. KeyError if there is none, or it cannot be read."""
    record = read_worked(library, name)
    if record.deal is None:
        raise KeyError(f"{name}: {'; '.join(p.what for p in record.problems)}")
    settlements = settle_by_each(library, record.deal)
    view = view_settlements(library, record.deal, settlements)
    return replace(view, left_out=len(library.sources) - len(settlements))


def settle_by_each(library: Library, deal: Deal) -> tuple[AnySettlement, ...]:
    """Settle a deal by every source, or by some if they are many."""
    return tuple(settle(deal, resolve(library, siglum)) for siglum in select_settling_sources(library, deal))


# ---- any deal
def resolve_rulesets(library: Library, sources: Iterable[str] = ()) -> tuple[Ruleset, ...]:
    """The rules of these sources, or of every one that can be played, as it has them."""
    return tuple(resolve(library, siglum) for siglum in sources or list_playable_sources(library))


def view_deal(library: Library, deal: Deal, rules: Iterable[Ruleset]) -> DealView:
    """A deal under several rulesets."""
    return view_settlements(library, deal, [settle(deal, ruleset) for ruleset in rules])


def view_settlements(library: Library, deal: Deal, settlements: Sequence[AnySettlement]) -> DealView:
    """A deal and what came of it."""
    played = [settlement.played for settlement in settlements]
    ledgers = tuple(build_ledger_view(library, s, p) for s, p in zip(settlements, played, strict=True))
    whole = (p for s, p in zip(settlements, played, strict=True) if isinstance(s, Settled))
    best = next((p for p in whole if p and p.measures.void is None), None)
    return DealView(
        deal.id,
        deal.title or deal.id,
        deal.provenance,
        deal.cites,
        single_spaced(deal.note),
        deal.seats,
        deal.seats[deal.dealer],
        deal.pack,
        tuple((seat, card_names(sort_cards(hand))) for seat, hand in zip(deal.seats, deal.hands, strict=True)),
        card_names(deal.talon),
        tuple(table_words(deal)),
        tuple(trick_views(deal, best or next((p for p in played if p and p.measures.takers), None))),
        ledgers,
    )


# ---- the table
def card_names(numbers: Iterable[int]) -> str:
    """Cards by their short names."""
    return " ".join(map(format_card, numbers))


def table_words(deal: Deal) -> Iterator[tuple[str, str]]:
    """Facts before the first card, and everything said or done besides playing."""
    for siglum, pool in deal.pools.items():
        yield (f"pool ({siglum})" if siglum else "pool"), pool_words(pool)
    for x in deal.exchange:
        yield "exchange", _exchange_words(deal.seats[x.seat], x.out, x.taken, x.looked)
    for gift in deal.gifts:
        yield "exchange", f"{deal.seats[gift.seat]} gives {format_card(gift.card)} to {deal.seats[gift.to]}"
    for a in deal.announced:
        yield "announced", f"{deal.seats[a.seat]} announces {a.what} before trick {a.before}"
    for f in deal.faults:
        yield "fault", describe_fault(f, deal.seats)
    for number, claimed in deal.claims.items():
        yield "claim", f"{format_card(number)} {'claimed' if claimed else 'not claimed'}"
    if deal.fragment:
        known = f"{len(deal.tricks)} of {deal.hand_size} tricks are known" if deal.tricks else "no card is led"
        yield "fragment", known


def _exchange_words(seat: str, out: int | None, taken: int | None, looked: bool) -> str:
    parts = (
        f"discards {format_card(out)}" if out is not None else "",
        f"takes {format_card(taken)}" if taken is not None else "",
        ("looks at their card of the talon" if out is not None or taken is not None else "looks at the card left")
        if looked
        else "",
    )
    return f"{seat} {', '.join(filter(None, parts)) or 'exchanges nothing'}"


def trick_views(deal: Deal, played: Played | None) -> Iterator[TrickView]:
    """The tricks, with what was played amiss."""
    marks = {
        f.card: (FAULT_PHRASES.get(f.manner, f.manner),)
        for f in (played.facts if played else ())
        if f.kind == "fault" and f.card is not None and f.trick is not None
    }
    for number, row in enumerate(deal.tricks, 1):
        taker = played.measures.takers[number - 1] if played and played.measures.takers else None  # none in a void deal
        plays = [card_played(deal, c, i == 0, taker, marks.get(c, ())) for i, c in enumerate(row)]
        yield TrickView(number, plays[0][0], "" if taker is None else deal.seats[taker], tuple(plays))


def card_played(deal: Deal, card: int, leads: bool, taker: int | None, marks: tuple[str, ...]) -> Play:
    """One card with its marks."""
    seat = deal.holder(card)
    took = taker is not None and seat == taker
    return deal.seats[seat or 0], format_card(card), (*(("leads",) * leads), *(("takes",) * took), *marks)
