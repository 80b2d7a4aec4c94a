"""Payments of a situation by every source: who pays whom, and how much, as the engine settles it.

`compute_situation_payments` takes a deal that shows the situation, a worked one or else a generated one, settles it by
every source and reads off the entries of that fact alone. It knows no rule of payment and no source; accounts are told
by their role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from engine.cards import format_card
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.generation import wishes
from engine.generation.draw_plan import NO_FAILED_REVERSIS
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement import nonpayment
from engine.settlement.explain import Reckoning
from engine.settlement.ledger import Account, Entry, Money
from engine.settlement.outcome import Open, OutcomeView
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.findings import situation_deals, situations
from reversis.words.ledgers import silence_view
from rulebook.cited_clauses import group_clauses
from rulebook.grouping import group_pairs
from rulebook.model import Library, Ruleset, Ruling, Silent
from rulebook.phrases import format_counters

POOL_ROLE, HOLDER_ROLE = "the pool", "the holder"
LEADER_ROLE, TAKER_ROLE, LEADING_TAKER = "who led to it", "who takes the trick", "who leads to the trick and takes it"
OTHER_PLAYERS = "each other player", "the other player"
#: Why nothing is paid that a rule might order: the rule (empty for all, where a source has no such outcome), one of
#: `NONPAYMENT_REASONS`, and the id of the question whose answer decides it, where a single one does.
WithheldPayment: TypeAlias = tuple[str, str, str]


# ---- records
@dataclass(frozen=True, slots=True)
class RolePayment:
    """Payment between two roles; `number` of them are alike, each of that amount."""

    rule: str
    payer: str
    payee: str
    amount: int
    words: str  #: in the counters of the source; where it depends on the pool, so many times what the pool holds
    number: int = 1
    card: str = ""  #: for which it is paid, where the situation is not about one card
    returned: bool = False  #: it is given back later in the deal
    rulings: tuple[Ruling, ...] = field(default=(), compare=False)  #: answers that it rests on, as they were asked


@dataclass(frozen=True, slots=True)
class SituationPayments:
    """Payments of one situation by one source."""

    situation: str
    source: str
    #: paid | nothing; refused, where the deals found for other sources are forbidden here; silent; open, where a
    #: fragment does not decide it; unshown, where no deal was found
    state: str
    unit: str
    payments: tuple[RolePayment, ...] = ()
    withheld: tuple[WithheldPayment, ...] = ()
    reason: str = ""  #: of refused, silent, open and unshown
    clauses: tuple[str, ...] = ()
    supplied: bool = False  #: an answer that it rests on is supplied by us
    worth: int | None = None  #: of the partie, where it is paid: before any doubling, as the deal has it
    deal: Deal | None = None  #: deal that shows it
    generated: bool = False


# ---- computing
def compute_situation_payments(
    library: Library, situation: situations.PaymentSituation, worked: situation_deals.ExaminedDeals | None = None
) -> tuple[SituationPayments, ...]:
    """Compute what every source pays in a situation; whoever asks of many gives the worked deals, examined once."""
    worked = worked or situation_deals.examine_worked_deals(library)
    ranked = situation_deals.rank_deals(situation, worked)
    because = situation_deals.search_deals(situation, worked, ranked) if situation.searchable else {}
    return read_payments(library, situation, worked.rules, ranked, because)


def read_payments(
    library: Library,
    situation: situations.PaymentSituation,
    rules: Iterable[Ruleset],
    ranked: Iterable[situation_deals.RankedDeal],
    because: Mapping[str, str],
) -> tuple[SituationPayments, ...]:
    """Read the payments of a situation off deals that show it, by every source; `because` says why one has none."""
    ordered = [deal.deal for deal in sorted(ranked, key=lambda deal: deal.rank, reverse=True)]
    return tuple(
        _read_source(library, situation, ruleset, [deal[ruleset.source] for deal in ordered], because)
        for ruleset in rules
    )


def _read_source(
    library: Library,
    situation: situations.PaymentSituation,
    ruleset: Ruleset,
    deals: Sequence[situation_deals.ExaminedDeal],
    because: Mapping[str, str],
) -> SituationPayments:
    """Read the payments off the first deal that shows the situation by one source, or say why there is none."""
    base = SituationPayments(situation.id, ruleset.source, "unshown", ruleset.unit)
    for deal in deals:
        if situation_deals.shows_situation(deal, situation):
            return _read_deal(base, situation, deal)
    why = because.get(ruleset.source, "")
    if why == NO_FAILED_REVERSIS and situation.kind == wishes.WISH_REVERSIS:
        return _tell_unpaid_breaking(library, base, why)
    if why and not why.startswith("not had"):
        return replace(base, reason=why)
    absences = (_explain_absence(library, base, situation, deal) for deal in deals)
    return next((payments for payments in absences if payments is not None), replace(base, reason=_NO_DEAL))


def _tell_unpaid_breaking(library: Library, base: SituationPayments, why: str) -> SituationPayments:
    """Tell that nothing is paid for breaking a reversis where there is none, and which answer says so."""
    cells = (library.find_cell(base.source, slug) for slug in _BREAKING_QUESTIONS)
    cell = next((cell for cell in cells if cell is not None and cell.value is not None), None)
    held = ("", _NOBODY_PAYS, library.questions[cell.question].id if cell else "")
    clauses = tuple(clause.id for clause in cell.clauses) if cell else ()
    supplied = cell is not None and cell.supplied
    return replace(base, state="nothing", withheld=(held,), reason=why, clauses=clauses, supplied=supplied)


_NOBODY_PAYS = "nobody-pays"
#: Who is paid for it, or else whether there is such a thing.
_BREAKING_QUESTIONS = "reversis.broken.breaker", "reversis.undertaken"
_NO_DEAL = "no deal was found that shows it by these rules"


def _explain_absence(
    library: Library,
    base: SituationPayments,
    situation: situations.PaymentSituation,
    examined: situation_deals.ExaminedDeal,
) -> SituationPayments | None:
    """Explain why a deal that shows the situation elsewhere does not by a source: forbidden, unanswered, unpaid."""
    result, base = examined.result, replace(base, deal=examined.deal)
    if isinstance(result, Unanswered):
        return replace(base, state="silent", reason=silence_view(library, result).message)
    if isinstance(result, Refused):
        message = "; ".join(refusal.message for refusal in result.refusals)
        asked = (result.ruleset.rulings[slug] for refusal in result.refusals for slug in refusal.asked)
        return replace(base, state="refused", reason=message, clauses=tuple(group_clauses(asked)))
    if result.settled.passed_over:
        return replace(base, state="nothing", reason="; ".join(result.settled.passed_over))
    if situation.kind in wishes.CARD_SUBJECTS:
        return None
    reckoning = _read_deal(base, situation, examined)
    return reckoning if reckoning.state == "nothing" and reckoning.withheld else None


# ---- reading a deal
#: For an outcome, the rules whose names begin so.
_RULE_PREFIXES: Mapping[str, tuple[str, ...]] = {
    wishes.WISH_ESPAGNOLETTE: (wishes.WISH_ESPAGNOLETTE, wishes.WISH_PARTIE, wishes.WISH_REVERSIS),
}


def select_situation_verdicts(
    situation: situations.PaymentSituation, result: Reckoning, look: wishes.Look
) -> tuple[Entry, ...]:
    """Select what the rules say on the facts of a situation."""
    if situation.kind in (*wishes.CARD_SUBJECTS, situations.FAULT_SUBJECT):
        facts = {*situation_deals.find_situation_facts(situation, look)}
        return tuple(entry for entry in result.all if entry.fact in facts)
    prefixes = _RULE_PREFIXES.get(situation.kind, (situation.kind,))
    return tuple(entry for entry in result.all if entry.rule.startswith(prefixes))


def read_situation_payments(
    situation: situations.PaymentSituation, result: Reckoning, look: wishes.Look
) -> tuple[RolePayment, ...]:
    """Read off a settled deal what is paid for the facts of a situation."""
    groups = group_pairs(  # what one rule says of one card or fault, or of all the players
        ((entry.rule, entry.reason == "returned", None if entry.fact.kind == "seat" else entry.fact), entry)
        for entry in select_situation_verdicts(situation, result, look)
    )
    return tuple(
        payment
        for group in groups.values()
        for payment in _read_role_payments(situation, result.settled, group, _name_accounts(situation, look, group))
    )


def _read_deal(
    base: SituationPayments, situation: situations.PaymentSituation, examined: situation_deals.ExaminedDeal
) -> SituationPayments:
    assert isinstance(examined.result, Reckoning) and examined.look is not None
    settled, verdicts = examined.result.settled, select_situation_verdicts(situation, examined.result, examined.look)
    payments = read_situation_payments(situation, examined.result, examined.look)
    partie, rules = settled.outcome.partie, settled.ruleset.rulings
    unpaid = [verdict for verdict in verdicts if not any(settled.amounts(verdict))]
    withheld = dict.fromkeys(
        (entry.rule, entry.reason, rules[entry.by].id if entry.by in rules else "") for entry in unpaid
    )
    rulings = list(_list_decisive_rulings(settled, verdicts))
    undecided = any(verdict.reason == "open" for verdict in verdicts)
    return replace(
        base,
        state="open" if undecided else "paid" if payments else "nothing",
        payments=payments,
        withheld=tuple(withheld),
        reason=nonpayment.NONPAYMENT_REASONS["open"] if undecided else "",
        clauses=tuple(group_clauses(rulings)),
        supplied=any(ruling.supplied for ruling in rulings),
        worth=partie.value if partie and any(payment.rule == wishes.WISH_PARTIE for payment in payments) else None,
        deal=settled.deal,
        generated=settled.deal.provenance == "generated",
    )


def _list_decisive_rulings(settled: Settled, verdicts: Iterable[Entry]) -> Iterator[Ruling]:
    """List the answers on which payments rest, and those by which none is made."""
    for verdict in verdicts:
        if any(settled.amounts(verdict)):
            yield from settled.rulings(verdict)
        elif verdict.by in settled.ruleset.rulings:
            yield settled.ruleset.rulings[verdict.by]


# ---- roles
_PARTIE_WINNER, _PARTIE_LOSER = "the winner of the partie", "the loser of the partie"
_ESPAGNOLETTE_PLAYER, _REVERSIS = "the espagnolette", ("who plays for the reversis", "who breaks the reversis")
_ROLE_SEATS: Mapping[str, Callable[[Fact, OutcomeView], int | None]] = {
    HOLDER_ROLE: lambda fact, outcome: fact.player,
    LEADER_ROLE: lambda fact, outcome: fact.leader,
    TAKER_ROLE: lambda fact, outcome: fact.taker,
    _PARTIE_WINNER: lambda fact, outcome: outcome.winner,
    _PARTIE_LOSER: lambda fact, outcome: outcome.loser,
    _REVERSIS[0]: lambda fact, outcome: outcome.hero,
    _REVERSIS[1]: lambda fact, outcome: next(iter(outcome.breakers), None),
    _ESPAGNOLETTE_PLAYER: lambda fact, outcome: outcome.espagnolette,
    "who led first": lambda fact, outcome: fact.eldest,
    "who wins the pool": lambda fact, outcome: next(iter(outcome.stake_winners), None),
    "who commits the fault": lambda fact, outcome: fact.player,
}
#: Roles by what the fact is; of several that a player has, the first.
_ROLES: Mapping[str, tuple[str, ...]] = {
    "led": (HOLDER_ROLE, _PARTIE_WINNER),
    "followed": (HOLDER_ROLE, LEADER_ROLE),
    "thrown-off": (HOLDER_ROLE, TAKER_ROLE, LEADER_ROLE),
    "laid-away": (HOLDER_ROLE,),
    wishes.WISH_REVERSIS: (*_REVERSIS, _ESPAGNOLETTE_PLAYER),
    wishes.WISH_ESPAGNOLETTE: (
        _ESPAGNOLETTE_PLAYER,
        *_REVERSIS,
        _PARTIE_WINNER,
        _PARTIE_LOSER,
        HOLDER_ROLE,
        TAKER_ROLE,
    ),
    wishes.WISH_PARTIE: (_PARTIE_WINNER, _PARTIE_LOSER, "who led first"),
    situations.STAKE_SUBJECT: ("who wins the pool",),
    situations.FAULT_SUBJECT: ("who commits the fault",),
}
#: Roles that must be told apart from one another, since sources differ in which of them pays, and one name for both.
_JOINT_ROLES: Mapping[tuple[str, str], str] = {(TAKER_ROLE, LEADER_ROLE): LEADING_TAKER}
#: Roles of a player who alone is paid, or alone pays, and has no other.
_ROLES_OF_ONE = TAKER_ROLE, *_REVERSIS, _PARTIE_WINNER


def _find_role_seat(role: str, fact: Fact, outcome: OutcomeView) -> int | None:
    """Find the seat of a role; nobody has one that a void deal leaves open."""
    try:
        return _ROLE_SEATS[role](fact, outcome)
    except (Open, Silent):
        return None


def _name_accounts(
    situation: situations.PaymentSituation, look: wishes.Look, verdicts: Sequence[Entry]
) -> Mapping[Account, str]:
    """Name the accounts of payments by their roles; a player without one has none."""
    named: dict[Account, str] = {POOL_ACCOUNT: POOL_ROLE}
    fact = verdicts[0].fact
    for role in _ROLES[situation.manner if situation.kind in wishes.CARD_SUBJECTS else situation.kind]:
        seat = _find_role_seat(role, fact, look.outcome)
        if seat is not None:
            named[seat] = _JOINT_ROLES.get((named.get(seat, ""), role), named.get(seat, role))
    postings = [posting for verdict in verdicts for posting in verdict.postings]
    sides = {posting.payer for posting in postings}, {posting.payee for posting in postings}
    single = {account for side in sides if len(side) == 1 for account in side}
    for role in _ROLES_OF_ONE:
        seat = _find_role_seat(role, fact, look.outcome)
        if seat is not None and seat in single:
            named.setdefault(seat, role)
    return named


def _read_role_payments(
    situation: situations.PaymentSituation, settled: Settled, verdicts: Sequence[Entry], named: Mapping[Account, str]
) -> Iterator[RolePayment]:
    """Read the payments of one rule, those that are alike together."""
    rule, fact, back = verdicts[0].rule, verdicts[0].fact, verdicts[0].reason == "returned"
    paid = [(verdict, amounts) for verdict in verdicts if any(amounts := settled.amounts(verdict))]
    postings = [(p, n) for verdict, amounts in paid for p, n in zip(verdict.postings, amounts, strict=True) if n]
    rulings = tuple({ruling.id: ruling for verdict, _ in paid for ruling in settled.rulings(verdict)}.values())
    to_one = len({p.payee for p, _ in postings}) <= len({p.payer for p, _ in postings})
    alike = group_pairs(
        ((p.payee, amount, p.money), p.payer) if to_one else ((p.payer, amount, p.money), p.payee)
        for p, amount in postings
    )
    card = "" if fact.card is None or situation.kind == fact.kind else format_card(fact.card)
    for (party, amount, money), others in sorted(alike.items(), key=lambda item: -item[0][1]):
        words = _format_money(money, amount, settled.ruleset.unit)
        for role, number in _name_partners(party, others, named, fact):
            partner = named.get(party, "another player")
            payer, payee = (role, partner) if to_one else (partner, role)
            yield RolePayment(rule, payer, payee, amount, words, number, card, back, rulings)


def _name_partners(
    party: Account, others: Sequence[Account], named: Mapping[Account, str], fact: Fact
) -> Iterator[tuple[str, int]]:
    """Name all who pay one the same, or are paid the same by one, with their number; by the seat who has no role."""
    seats = set(range(fact.seats))
    for everybody, name in ((seats, "each player"), (seats - {party}, OTHER_PLAYERS[0])):
        if len(others) > 1 and len(set(others)) == len(others) and set(others) == everybody:
            yield name, len(others)
            return
    yield from Counter(named[account] for account in others if account in named).items()
    rest = [account for account in others if account not in named]
    if rest and set(rest) == seats - {party} - set(named):
        yield OTHER_PLAYERS[len(rest) == 1], len(rest)
        return
    places = Counter(
        "the player opposite {1}" if sit_opposite(fact, account, party) else "{0} neighbour of {1}" for account in rest
    )
    for role, number in places.items():
        yield role.format("the other" if number == 1 else "each", named.get(party, "that player")), number


def _format_money(money: Money, amount: int, unit: str) -> str:
    """Format a sum; one that depends on the pool by its share of it, since the pool is the deal's."""
    if not (money.stakes or money.waiting):
        return format_counters(amount, unit)
    times = "" if money.stakes == 1 else f"{money.stakes} times "
    share = "" if money.among == 1 else f"one of {money.among} equal parts of "
    waiting = " and all that waits" if money.waiting else ""
    return f"{share}{times}what the pool holds{waiting}"
