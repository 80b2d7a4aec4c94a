"""One deal settled under one ruleset: ledger, pool and outcome; or the reasons why it cannot be played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from engine.arguments import require_deal, require_ruleset
from engine.cards import format_card, spell_cards
from engine.deal.events import CARD_MANNERS, Fact
from engine.deal.model import FAULT_KINDS, Deal
from engine.deal.pool import Pool, apply_operations_to_pool
from engine.play.replay import Played, replay_deal
from engine.play.table import Refusal
from engine.readings.ask import Ask, list_other_quinolas
from engine.readings.meanings.espagnolette import BREAKING_LOSES, LOST_BY, PAYS_FOR_ALL, UNDERTAKEN
from engine.readings.meanings.stake import DOUBLES_ONLY_POOL, MATCHED_INTO, MOVES_UP, NOTHING_WAITS
from engine.settlement.forfeits import drop_barred_postings
from engine.settlement.ledger import (
    Balances,
    Entry,
    Posting,
    compute_balances,
    format_entry,
    list_pool_operations,
    name_ledger_account,
)
from engine.settlement.nonpayment import Not, pick_decisive_reason
from engine.settlement.outcome import DealOutcome, Open, OutcomeView
from engine.settlement.payments.cards import forced_by_nobody
from engine.settlement.payments.fate import classify_card_fate
from engine.settlement.payments.partie import amount_owed
from engine.settlement.payments.rules import RULES, PaymentRule
from rulebook.display import Displayed, format_repr
from rulebook.model import Ruleset, Ruling, Silent, UnheldOrder
from rulebook.reads import note_reads, record_reads


@dataclass(frozen=True)
class Partie:
    """The partie, or talon: who won it, who paid, and what was owed before any doubling."""

    winner: int
    losers: tuple[int, ...]
    value: int


@dataclass(frozen=True)
class Summary:
    """The outcome in few words; seats are numbers."""

    reversis: tuple[int, bool, tuple[int, ...]] | None  #: who, made or not, who broke it
    espagnolette: tuple[int, bool] | None  #: who, won or not
    partie: Partie | None
    next_dealer: int | None
    void: bool = False  #: the cards are dealt again
    breaking_loses: bool | None = None  #: if the espagnolette has broken a reversis: whether it is lost by that


@dataclass(frozen=True)
class SettlementResult(Displayed):
    """Result of settling a deal under a ruleset."""

    deal: Deal
    ruleset: Ruleset
    played: Played | None = field(repr=False, compare=False)  #: None where the ruleset is silent on the play

    def rulings(self, entry: Entry) -> tuple[Ruling, ...]:
        """The answers an entry rests on."""
        return tuple(self.ruleset.rulings[q] for q in entry.asked)


@dataclass(frozen=True)
class Settled(SettlementResult):
    """A deal that was played and settled."""

    played: Played = field(repr=False, compare=False)
    entries: tuple[Entry, ...]
    net: Balances
    before: Pool
    pool: Pool
    outcome: Summary
    passed_over: tuple[str, ...] = ()
    open: tuple[str, ...] = ()  #: in a fragment: what the known tricks do not decide
    asked: frozenset[str] = frozenset()  #: every question the deal has raised, also where nothing came of it

    def __repr__(self) -> str:
        return format_repr(self, f"by {self.ruleset.name}: {self._format_net()}, {self.deal.id}")

    def __str__(self) -> str:
        head = f"{self.deal.id} settled by {self.ruleset.name}, unit {self.ruleset.unit}"
        entries = (format_entry(entry, self.deal, self.before) for entry in self.entries)
        return "\n".join((head, self._format_net(), *entries, *(f"Open: {name}" for name in self.open)))

    def _format_net(self) -> str:
        named = ((name_ledger_account(self.deal, who), amount) for who, amount in self.net.items())
        return ", ".join(f"{name} {amount:+d}" if amount else f"{name} 0" for name, amount in named)

    def amounts(self, entry: Entry) -> tuple[int, ...]:
        """Count each posting of an entry in smallest units."""
        return tuple(posting.counted(self.before) for posting in entry.postings)

    @property
    def not_held(self) -> tuple[UnheldOrder, ...]:
        """Orders of the source that no answer holds, as far as this deal has come to them."""
        return tuple(order for order in self.ruleset.not_held if {*order.touches} & self.asked)

    @property
    def unheld_line(self) -> str:
        """The sentences of those orders in one line, each with what it orders; empty if there are none."""
        return "; ".join(map(str, self.not_held))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Parts of the record that play no part: faults that cost nothing, sums that wait where none can."""
        pools = (self.before, *(pool for _, pool in self.before.others))
        idle = [str(money) for pool in pools for money in pool.waiting]
        answers = {slug: ruling.value for slug, ruling in self.ruleset.rulings.items() if slug in NOTHING_WAITS}
        if not idle or MATCHED_INTO not in answers or not answers.items() <= NOTHING_WAITS.items():
            return self.passed_over
        why = "under this source every sum lies in the stake itself"
        return (*self.passed_over, f"nobody plays for what waits beside the stake ({', '.join(idle)}): {why}")

    @property
    def left_out(self) -> tuple[Ruling, ...]:
        """Answers that the engine does not play, as far as this deal could raise them."""
        return tuple(ruling for ruling in self.ruleset.left_out if ruling.unasked or ruling.question in self.asked)


@dataclass(frozen=True)
class Refused(SettlementResult):
    """A deal that a source does not allow to be played as recorded."""

    played: Played = field(repr=False, compare=False)
    refusals: tuple[Refusal, ...]

    def __repr__(self) -> str:
        why = spell_cards(self.refusals[0].message) if self.refusals else ""
        return format_repr(self, f"by {self.ruleset.name}: {why}, {self.deal.id}")

    def __str__(self) -> str:
        why = (f"\n  {spell_cards(refusal.message)}" for refusal in self.refusals)
        return f"{self.deal.id} is not legal by {self.ruleset.name}:{''.join(why)}"


@dataclass(frozen=True)
class Unanswered(SettlementResult):
    """A deal that cannot be settled because the ruleset is silent on a question it raises."""

    silent: Silent

    @cached_property
    def part(self) -> tuple[tuple[Entry, ...], tuple[tuple[str, str], ...]]:
        """Entries of the payments that are settled all the same; the rules left out, each with the question."""
        return settle_each_payment(self.played, Ask(self.ruleset)) if self.played else ((), ())

    @property
    def before(self) -> Pool:
        """The pool before the first card."""
        return self.deal.pool(self.ruleset.source)

    def __repr__(self) -> str:
        return format_repr(self, f"by {self.ruleset.name}: silent on {self.silent.question}, {self.deal.id}")

    def __str__(self) -> str:
        return f"{self.deal.id} cannot be settled by {self.ruleset.name}: {self.silent}"


def settle(deal: Deal, ruleset: Ruleset, tolerate: Collection[str] = ()) -> Settled | Refused | Unanswered:
    """Play a deal and settle it: the ledger, or what the source forbids, or the question on which it is silent.

    What is to be tolerated, of the kinds in TOLERABLE, is not refused but passed over, and said; with the exchange so
    are cards given across the table by a source that is silent on it.
    Raises TypeError, with what to write, if something else is given than a Deal and a Ruleset.
    """
    require_deal(deal)
    require_ruleset(ruleset)
    if tolerate or ruleset.name != ruleset.source:  # by a reader's wishes a deal is seldom settled twice
        return _settle_anew(deal, ruleset, tolerate)
    known, result, words = deal.results.get(id(ruleset), (None, None, ()))
    if known is not ruleset:  # kept beside the result, so that no other ruleset gets its number meanwhile
        with record_reads() as words:
            result = _settle_anew(deal, ruleset)
        deal.results[id(ruleset)] = ruleset, result, frozenset(words)
    note_reads(words)
    return cast("Settled | Refused | Unanswered", result)


def _settle_anew(deal: Deal, ruleset: Ruleset, tolerate: Collection[str] = ()) -> Settled | Refused | Unanswered:
    ask, played = Ask(ruleset), None
    unsaid = "exchange" in tolerate and has_unsaid_gifts(deal, ask)
    try:
        played = replay_deal(replace(deal, gifts=()) if unsaid else deal, ask)
        refusals = tuple(refusal for refusal in played.refusals if refusal.kind not in tolerate)
        if refusals:
            return Refused(deal, ruleset, played, refusals)
        settled = settle_replayed_deal(deal, ruleset, played, ask)
        tolerated = [f"not allowed here: {refusal.message}" for refusal in played.refusals]
        tolerated += ["not said here: cards are given across the table"] if unsaid else []
        return replace(settled, passed_over=(*settled.passed_over, *tolerated)) if tolerated else settled
    except Silent as silent:
        return Unanswered(deal, ruleset, played, silent)


def has_unsaid_gifts(deal: Deal, ask: Ask) -> bool:
    """Return whether cards were given across the table that a source does not speak of."""
    return bool(deal.gifts) and not ask.answers("exchange.across")


def settle_replayed_deal(deal: Deal, ruleset: Ruleset, played: Played, ask: Ask) -> Settled:
    """Settle a deal that was legally played. Raises Silent."""
    outcome = DealOutcome(played.measures, ask)
    still_open: list[str] = []
    entries = tuple(apply_forfeits(played, outcome, sort_entries(all_entries(played, outcome, still_open))))
    postings = [p for e in entries for p in e.postings]
    pool = deal.pool(ruleset.source).with_pools(map(format_card, played.measures.others))
    return Settled(
        deal,
        ruleset,
        played,
        entries,
        Balances(deal.seats, compute_balances(postings, pool, len(deal.seats))),
        pool,
        compute_pool_after(pool, postings, ask),
        summarise_outcome(played, outcome, entries),
        played.passed_over,
        tuple(dict.fromkeys(still_open)),
        ask.raised,
    )


def settle_each_payment(played: Played, ask: Ask) -> tuple[tuple[Entry, ...], tuple[tuple[str, str], ...]]:
    """Settle payment by payment, in the order of a whole ledger; those on which the ruleset is silent are left out."""
    outcome = DealOutcome(played.measures, ask)
    entries: list[Entry] = []
    left: dict[tuple[str, str], None] = {}  #: rule, and the question that stands in its way
    for rule, fact in pair_rules_with_facts(played):
        try:
            entry = apply_payment_rule(rule, fact, outcome)
            entries += apply_forfeits(played, outcome, [entry]) if entry is not None else []
        except Open:
            continue
        except Silent as silent:
            left[rule.name, silent.question] = None
    entries.sort(key=lambda entry: PAYMENT_RULE_RANKS[entry.rule])
    return tuple(sort_entries(iter(entries))), tuple(left)


def pair_rules_with_facts(played: Played) -> Iterator[tuple[PaymentRule, Fact]]:
    """Pair every fact with the rules that look at it; a rule on the stake with each of several pools."""
    others, called = played.measures.others, played.measures.called
    for fact in played.facts:
        for rule in _RULES_BY_FACT[fact.kind, fact.manner]:
            yield rule, replace(fact, called=called) if rule.each_pool and called else fact
            for card, other in others.items() if rule.each_pool else ():
                yield rule, replace(fact, card=card, called=other.called, further=True)


_RULES_BY_FACT: Mapping[tuple[str, str], tuple[PaymentRule, ...]] = {
    (kind, how): tuple(r for r in RULES if kind in r.kinds and (not r.manners or how in r.manners))
    for kind, manners in (("ace", CARD_MANNERS), ("quinola", CARD_MANNERS), ("seat", ("",)), ("fault", FAULT_KINDS))
    for how in manners
}
PAYMENT_RULE_RANKS: Mapping[str, int] = {rule.name: at for at, rule in enumerate(RULES)}
CLOSING = frozenset(rule.name for rule in RULES if rule.closing)


def all_entries(played: Played, outcome: DealOutcome, still_open: list[str], unsaid: bool = False) -> Iterator[Entry]:
    """Every entry, each rule over each fact it looks at; with `unsaid`, also of what no source would mention."""
    rows: list[tuple[int, int, Entry]] = []
    for at, (rule, fact) in enumerate(pair_rules_with_facts(played)):
        try:
            if rule.in_reversis and outcome.field("hero")[0] is None:
                continue
            entry = apply_payment_rule(rule, fact, outcome, unsaid)
        except Open:
            still_open.append(rule.name if fact.trick is None else f"{rule.name} (trick {fact.trick})")
            entry = Entry(rule.name, fact, fact_name(rule, fact, outcome), (), (), "open") if unsaid else None
        if entry is not None:
            rows.append((PAYMENT_RULE_RANKS[rule.name], at, entry))
    return (entry for _, _, entry in sorted(rows, key=lambda row: row[:2]))


def apply_payment_rule(rule: PaymentRule, fact: Fact, outcome: DealOutcome, unsaid: bool = False) -> Entry | None:
    """Apply a rule to a fact; None when it has nothing to say."""
    outcome = outcome.about(fact)
    ask = outcome.ask.fresh()
    results = tuple(rule.pays(fact, outcome.seen(ask), ask))
    if not results:
        return None
    postings = tuple(replace(p, pool=ask.card) if ask.card else p for p in results if isinstance(p, Posting))
    if postings:
        return Entry(rule.name, fact, fact_name(rule, fact, outcome), postings, ask.asked)
    why = pick_decisive_reason(n for n in results if isinstance(n, Not))
    if not (why.said or unsaid):
        return None
    return Entry(rule.name, fact, fact_name(rule, fact, outcome), (), ask.asked, why.reason, why.by)


def fact_name(rule: PaymentRule, fact: Fact, outcome: DealOutcome) -> str:
    """The fact as the source calls it: quinola-forced, ace-led; at the end of the deal, what was settled."""
    if fact.kind == "seat":
        return rule.name
    if fact.kind == "fault":
        return fact.manner
    outcome = outcome.about(fact)
    ask = outcome.ask.fresh()
    if forced_by_nobody(fact, ask):
        return f"{fact.kind}-followed"
    return f"{fact.kind}-{classify_card_fate(fact, outcome.seen(ask), ask)}"


def sort_entries(entries: Iterator[Entry]) -> list[Entry]:
    """Sort entries: play by tricks first, then what is settled at the end."""

    def place(e: Entry) -> tuple[bool, bool, int]:
        closing = e.rule in CLOSING
        return e.fact.trick is None or closing, closing and e.fact.trick is None, e.fact.trick or 0

    return sorted(entries, key=place)


def apply_forfeits(played: Played, outcome: DealOutcome, entries: list[Entry]) -> list[Entry]:
    """Drop from entries what is due to a player whose faults bar them from it."""
    if not played.measures.culprits:
        return entries
    asks = [outcome.ask.fresh() for _ in entries]
    return [
        drop_barred_postings(played.measures, e, outcome.seen(why), why) for e, why in zip(entries, asks, strict=True)
    ]


def compute_pool_after(pool: Pool, postings: list[Posting], ask: Ask) -> Pool:
    """Compute the pool right after the settlement, and those of further privileged cards."""
    cards = [str(quinola["card"]) for quinola in list_other_quinolas(ask)]
    after = {card: _compute_one_pool(pool, card, postings, ask.about(card)) for card in cards}
    return replace(_compute_one_pool(pool, "", postings, ask), others=tuple(after.items()))


def _compute_one_pool(pools: Pool, card: str, postings: list[Posting], ask: Ask) -> Pool:
    done, pool = list_pool_operations(postings, pools, card), pools.of(card)
    if not done:
        return pool
    doubles = any(o == "supplement" for o, _ in done) and DOUBLES_ONLY_POOL[ask.word("stake.only-pool")](
        pool.supplements_paid
    )
    moves_up = bool(pool.waiting) and MOVES_UP[ask.word("stake.after-winning")]
    return apply_operations_to_pool(pool, done, doubles, moves_up)


# ---- the outcome in few words
def summarise_outcome(played: Played, outcome: DealOutcome, entries: tuple[Entry, ...]) -> Summary:
    """Summarise who made, missed, won and lost what; a fragment is left empty."""
    if played.measures.void:
        return Summary(None, None, None, outcome.seen(outcome.ask.fresh()).next_dealer, void=True)
    if not played.measures.complete:
        return Summary(None, None, None, None)
    ask = outcome.ask.fresh()
    seen = outcome.seen(ask)
    reversis = None if seen.hero is None else (seen.hero, seen.made, seen.breakers)
    return Summary(
        reversis,
        summarise_espagnolette(played, seen, ask),
        summarise_partie(seen, ask, entries, played),
        seen.next_dealer,
        breaking_loses=judge_breaking_espagnolette(seen, ask),
    )


def summarise_espagnolette(played: Played, seen: OutcomeView, ask: Ask) -> tuple[int, bool] | None:
    """Summarise whose espagnolette it was and whether it was won."""
    m, seat = played.measures, seen.espagnolette
    announced = any(a.what == "espagnolette" and a.seat == m.holder for a in m.announced)
    if seat is None:  # announced, and then he takes all tricks himself: it was undertaken, and not won
        if m.holder is None or not announced or seen.hero != m.holder:
            return None
        return (m.holder, False) if UNDERTAKEN[ask.word("espagnolette.undertaken")](m) else None
    lost = LOST_BY[ask.word("espagnolette.lost-by")](m, seat, ask.number("espagnolette.until"))
    beaten = seen.made and PAYS_FOR_ALL[ask.word("espagnolette.pays-reversis-made")]
    return seat, not lost and not beaten


def judge_breaking_espagnolette(seen: OutcomeView, ask: Ask) -> bool | None:
    """Return whether an espagnolette is lost by having broken a reversis; None where it has broken none."""
    if seen.espagnolette is None or seen.espagnolette not in seen.breakers:
        return None
    return BREAKING_LOSES[ask.word("espagnolette.breaking")]


def summarise_partie(seen: OutcomeView, ask: Ask, entries: tuple[Entry, ...], played: Played) -> Partie | None:
    """Summarise the partie, or talon, if it has a winner."""
    if seen.winner is None:
        return None
    paid = [p for e in entries if e.rule == "partie" for p in e.postings]
    losers = tuple(dict.fromkeys(p.payer for p in paid if isinstance(p.payer, int)))
    seat = seen.winner if seen.loser is None else seen.loser  # by the payer's points it is what the loser owes
    fact = next(f for f in played.facts if f.kind == "seat" and f.player == seat)
    return Partie(seen.winner, losers or (() if seen.loser is None else (seen.loser,)), amount_owed(fact, seen, ask))
