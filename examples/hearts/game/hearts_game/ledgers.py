"""Settlements in words, for pages and commands alike: the deal, and the ledger of each book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hearts_game.deals import Deal, PoolRecord, resolve_named
from hearts_game.replay import Refusal, Trick
from hearts_game.settlement import LedgerLine, Settlement, Unmet, find_unmet, settle_deal
from rulebook.cited_clauses import CitedClause, group_clauses, view_ruling_clause
from rulebook.model import Library, Ruling
from rulebook.phrases import format_count, format_signed_sum
from rulebook.resolve import iter_clause_alternatives

#: Places at a table on the screen, in turn to the left; a table of six is not drawn.
PLACES: Mapping[int, tuple[str, ...]] = {
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top-left", "top-right", "right"),
}


@dataclass(frozen=True, slots=True)
class SilenceView:
    """Question that the deal raises and the book does not answer."""

    question: str
    asks: str
    message: str
    missing: tuple[()] = ()
    partly: tuple[()] = ()
    unsettled: tuple[()] = ()


@dataclass(frozen=True, slots=True)
class LedgerView:
    """Ledger of a deal by one ruleset."""

    source: str
    ruleset: str
    unit: str
    state: str  #: settled | refused | silent
    entries: tuple[LedgerLine, ...]
    takers: tuple[str, ...]
    points: tuple[int, ...]  #: hearts in each trick
    net: tuple[tuple[str, int], ...]
    pool_before: str
    pool: PoolRecord  #: afterwards
    outcome: tuple[str, ...]
    open: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    silence: SilenceView | None
    unsaid: tuple[str, ...]  #: questions on the play without an answer
    clauses: tuple[CitedClause, ...]
    unmet: tuple[Unmet, ...]
    shortfalls: tuple[()] = ()
    foreign_sums: tuple[()] = ()

    def clause(self, id: str) -> CitedClause:
        """Clause that it cites."""
        return next(clause for clause in self.clauses if clause.id == id)

    @property
    def pool_after(self) -> str:
        """What lies in the pool afterwards."""
        return describe_pool(self.pool)

    @property
    def result(self) -> str:
        """What the deal comes to, in one line."""
        if self.silence:
            return self.silence.message
        if self.refusals:
            return f"not played by these rules: {self.refusals[0].message}"
        return ", ".join(f"{account} {format_signed_sum(sum_)}" for account, sum_ in self.net)


@dataclass(frozen=True, slots=True)
class DealView:
    """Deal with the ledgers of several rulesets."""

    id: str
    title: str
    provenance: str
    cites: tuple[str, ...]
    seats: tuple[str, ...]
    dealer: str
    hands: tuple[tuple[str, str], ...]
    talon: str  #: cards that are not dealt
    table: tuple[tuple[str, str], ...]
    tricks: tuple[Trick, ...]
    ledgers: tuple[LedgerView, ...]
    places: tuple[str, ...]  #: of the players on the screen
    counted: str = "heart"
    talon_name: str = "Not dealt"


def describe_pool(pool: PoolRecord) -> str:
    """Describe what lies in the pool."""
    jack = f"a Jack of {pool.jack}" if pool.jack else ""
    odd = f"{format_count(pool.odd, 'counter')} over" if pool.odd else ""
    return " and ".join(filter(None, (jack, odd))) or "empty"


# ---- a deal by several rulesets
def list_ruleset_names(library: Library, deal: Deal) -> tuple[str, ...]:
    """List the rules by which a deal is shown: of every source, and any others that its record has figures for."""
    names = {source: [source] for source in library.sources}
    for name in deal.expect:
        names[name.partition(" + ")[0]].append(name)
    return tuple(dict.fromkeys(name for own in names.values() for name in own))


def describe_ruleset(library: Library, name: str) -> str:
    """Describe what parts a ruleset from that of its source: the labels of its options and other readings."""
    labels = {alternative.id: alternative.label for _, alternative in iter_clause_alternatives(library.clauses())}
    return "; ".join(labels.get(part, part) for part in name.split(" + ")[1:])


def view_deal(library: Library, deal: Deal, names: Iterable[str]) -> DealView:
    """Settle a deal by several rulesets, and put it into words."""
    settlements = [settle_deal(deal, resolve_named(library, name)) for name in names]
    places = PLACES.get(len(deal.seats), ())
    most = max((settlement.tricks for settlement in settlements), key=len, default=[])
    return DealView(
        deal.deal,
        deal.title,
        deal.provenance,
        tuple(deal.cites),
        tuple(deal.seats),
        deal.dealer,
        tuple((seat, deal.hands[seat]) for seat in deal.seats if deal.hands and places),
        deal.left,
        (("pool", describe_pool(deal.pool)),),
        tuple(most),
        tuple(view_settlement(library, settlement) for settlement in settlements),
        places,
    )


def view_settlement(library: Library, settlement: Settlement) -> LedgerView:
    """Put a settlement into words, with every clause that it cites."""
    ruleset, is_settled, taken = settlement.ruleset, settlement.state == "settled", settlement.replay.taken
    cited = group_clauses(_list_rulings(settlement))
    return LedgerView(
        ruleset.source,
        ruleset.name,
        ruleset.unit,
        settlement.state,
        tuple(settlement.lines) if is_settled else (),
        tuple(trick.taker for trick in settlement.tricks),
        tuple(trick.hearts for trick in settlement.tricks),
        tuple(settlement.net.items()) if is_settled else (),
        describe_pool(settlement.deal.pool),
        settlement.pool,
        (f"Hearts taken: {', '.join(f'{seat} {hearts}' for seat, hearts in taken.items())}",),
        tuple(settlement.open),
        tuple(settlement.refusals),
        _view_silence(library, settlement),
        tuple(library.questions[question].id for question in settlement.replay.unsaid),
        tuple(view_ruling_clause(library, ruling, library.clause(id)) for id, ruling in cited.items()),
        tuple(find_unmet(settlement)),
    )


def _list_rulings(settlement: Settlement) -> Iterator[Ruling]:
    yield from (refusal.ruling for refusal in settlement.refusals)
    yield from (ruling for line in settlement.lines for ruling in line.rulings)


def _view_silence(library: Library, settlement: Settlement) -> SilenceView | None:
    if settlement.silent is None:
        return None
    question = library.questions[settlement.silent.question]
    return SilenceView(question.id, question.asks, f"{settlement.silent.kind}: {settlement.silent}.")
