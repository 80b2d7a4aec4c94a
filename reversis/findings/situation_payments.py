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
from engine.generation.deal import Found, NotFound, fill_sketch
from engine.generation.draw_plan import NO_FAILED_REVERSIS
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import (
    CARD_SUBJECTS,
    CARD_WORDS,
    OUTCOME_WORDS,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    WISH_TABLE,
    Look,
    Sketch,
    Wish,
    Word,
    is_wish_fulfilled,
    observe_deal,
)
from engine.readings.ask import Ask
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.ledger import Account, Entry, Money
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.outcome import Open, OutcomeView
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.files.deals import readable_deals
from reversis.findings.situation_searches import NO_SEARCHES, SearchedDeal, Searches, read_searches
from reversis.findings.situations import FAULT_SUBJECT, OUTCOME_PARTNERS, STAKE_SUBJECT, PaymentSituation
from reversis.words.deal_views import resolve_rulesets
from reversis.words.ledgers import silence_view
from rulebook.grouping import group_pairs
from rulebook.model import Library, Ruleset, Ruling, Silent
from rulebook.phrases import format_counters

_SEARCH_ATTEMPTS = range(1, 25)  #: deals laid out in one search
_SEARCH_SEEDS = 1, 2
_FOUR_PLAYERS = Wish(WISH_TABLE, (Word("four"),))


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
    questions: tuple[str, ...] = ()  #: ids of those whose answers decide it, in the order in which they were asked
    rulings: tuple[Ruling, ...] = field(default=(), compare=False)  #: answers that it rests on


@dataclass(frozen=True, slots=True)
class WithheldPayment:
    """Payment that a rule might order and that is not made, with the reason."""

    rule: str  #: empty for every rule, where a source has no such outcome
    reason: str  #: one of engine.settlement.nonpayment.NONPAYMENT_REASONS
    words: str
    question: str = ""  #: id of the question whose answer decides it, where a single one does


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


# ---- a deal under one ruleset, and the situation in it
_Result: TypeAlias = "Reckoning | Refused | Unanswered"


@dataclass(frozen=True, slots=True)
class ExaminedDeal:
    """A deal settled by one ruleset, and as the words of a wish look at it; nothing where it was not played."""

    deal: Deal
    result: _Result
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class ExaminedDeals:
    """The worked deals, each settled by every source."""

    rules: tuple[Ruleset, ...]
    deals: tuple[Mapping[str, ExaminedDeal], ...]
    searches: Searches = NO_SEARCHES  #: for further deals, as they went before
    same: frozenset[str] = frozenset()  #: the sources of which those searches hold

    @property
    def makers(self) -> tuple[Ruleset, ...]:
        """The rules by which deals are generated: first those that forbid most, as others may allow such deals too."""
        settled = Counter(siglum for deal in self.deals for siglum, one in deal.items() if one.look is not None)
        return tuple(sorted(self.rules, key=lambda ruleset: settled[ruleset.source]))


def examine_worked_deals(library: Library) -> ExaminedDeals:
    """Settle every worked deal by every source, for the situations to be found in them."""
    deals, rules = tuple(readable_deals(library)), resolve_rulesets(library)
    searches = read_searches(deals)
    return replace(examine_deals(rules, deals), searches=searches, same=searches.list_same_sources(rules))


def examine_deals(rules: tuple[Ruleset, ...], deals: Iterable[Deal]) -> ExaminedDeals:
    """Settle deals by each of these rules, for the situations to be found in them."""
    return ExaminedDeals(rules, tuple(_examine_by_all(deal, rules) for deal in deals))


def _examine_by_all(deal: Deal, rules: Iterable[Ruleset]) -> Mapping[str, ExaminedDeal]:
    return {ruleset.source: examine_deal(deal, ruleset) for ruleset in rules}


def examine_deal(deal: Deal, ruleset: Ruleset) -> ExaminedDeal:
    """Settle a deal by one ruleset, with the view that wishes have of it."""
    found, ask = reckon(deal, ruleset), Ask(ruleset)
    if not isinstance(found, Reckoning):
        return ExaminedDeal(deal, found)
    return ExaminedDeal(deal, found, observe_deal(found.settled.played, ask, deal.seats, deal.pack))


def _shows(one: ExaminedDeal, situation: PaymentSituation) -> bool:
    """Return whether a settled deal shows the situation, and nothing that would hide it."""
    if one.look is None or not isinstance(one.result, Reckoning):
        return False
    if situation.kind == FAULT_SUBJECT:
        facts = _find_situation_facts(situation, one.look)
        if len(one.deal.faults) != 1 or not facts:
            return False
        if one.deal.fragment:  # its few tricks decide nothing
            return all(wish.has("none") for wish in situation.wishes)
        fulfilled = all(is_wish_fulfilled(wish, one.look) for wish in situation.wishes)
        return fulfilled and one.look.outcome.hero in (None, facts[0].player)
    look, deal = one.look, one.deal
    if deal.faults or deal.fragment or len(deal.seats) != 4 or not one.result.settled.before.stake:
        return False
    return (
        bool(_find_situation_facts(situation, look))
        and all(is_wish_fulfilled(wish, look) for wish in situation.wishes)
        and (situation.kind in CARD_SUBJECTS or _is_outcome(situation, look))
    )


def _is_outcome(situation: PaymentSituation, look: Look) -> bool:
    """Return whether trick and seats of an outcome are those of the situation."""
    if situation.kind == STAKE_SUBJECT and not look.outcome.stake_winners:
        return False
    if situation.trick is not None and look.outcome.broken_in != look.measures.last + 1 + situation.trick:
        return False
    if not situation.seat:
        return True
    one, other = (OUTCOME_WORDS[situation.kind, word](look) for word in OUTCOME_PARTNERS[situation.kind])
    if one is None or other is None:
        return False
    return sit_opposite(look.played.facts[0], one, other) == (situation.seat == "opposite")


def _find_situation_facts(situation: PaymentSituation, look: Look) -> tuple[Fact, ...]:
    """Find the facts of the situation: of an outcome all that there are."""
    if situation.kind == FAULT_SUBJECT:
        return tuple(fact for fact in look.played.facts if _is_situation_fault(fact, situation))
    if situation.kind not in CARD_SUBJECTS:
        return tuple(look.played.facts)
    return tuple(fact for fact in look.played.facts if _is_situation_card(fact, situation, look))[:1]


def _is_situation_fault(fact: Fact, situation: PaymentSituation) -> bool:
    if fact.kind != FAULT_SUBJECT or fact.fault is None:
        return False
    told = fact.manner, fact.fault.noticed, fact.fault.redeemed
    return told == (situation.manner, situation.noticed, situation.redeemed)


def _is_situation_card(fact: Fact, situation: PaymentSituation, look: Look) -> bool:
    if fact.kind != situation.kind or fact.further or (situation.suits and fact.suit not in situation.suits):
        return False
    if situation.trick is not None and not _is_trick(fact, situation.trick):
        return False
    if any(_is_trick(fact, number) for number in situation.not_tricks):
        return False
    if situation.takes and fact.taker != fact.player:
        return False
    words = filter(None, (situation.manner, *situation.details, situation.seat))
    return all(CARD_WORDS[word](fact, look) for word in words)


def _is_trick(fact: Fact, number: int) -> bool:
    return fact.trick == (number if number > 0 else fact.last + 1 + number)


# ---- a deal that shows it
def _search_deal(
    situation: PaymentSituation, ruleset: Ruleset, seed: int, attempts: Sequence[int] = _SEARCH_ATTEMPTS
) -> Found | NotFound:
    """Search a deal that shows the situation by one ruleset, in some of the attempts from a seed."""
    sketch = Sketch(_make_search_wishes(situation), SEAT_NAMES[4], 4, id=f"{situation.id}-{seed}")
    return fill_sketch(ruleset, sketch, seed, attempts)


def _make_search_wishes(situation: PaymentSituation) -> tuple[Wish, ...]:
    """Make the wishes that lead to the situation: seats of an outcome are named, another trick is one in the middle."""
    if situation.kind in CARD_SUBJECTS:
        words = filter(None, (situation.manner, *situation.details, situation.seat))
        middle = (
            next((n for n in range(5, 10) if n not in situation.not_tricks), None) if situation.not_tricks else None
        )
        number = middle if situation.trick is None else situation.trick
        card = Wish(situation.kind, tuple(map(Word, words)), situation.suits[0] if situation.suits else "", number)
        return card, *situation.wishes, _FOUR_PLAYERS
    if not situation.seat:
        return *situation.wishes, _FOUR_PLAYERS
    names = SEAT_NAMES[4][0], SEAT_NAMES[4][2 if situation.seat == "opposite" else 1]
    partners = zip(OUTCOME_PARTNERS[situation.kind], names, strict=True)
    return *situation.wishes, Wish(situation.kind, tuple(Word(word, seat) for word, seat in partners)), _FOUR_PLAYERS


def compute_situation_payments(
    library: Library, situation: PaymentSituation, worked: ExaminedDeals | None = None
) -> tuple[SituationPayments, ...]:
    """Compute what every source pays in a situation; whoever asks of many gives the worked deals, examined once."""
    worked = worked or examine_worked_deals(library)
    ranked = rank_deals(situation, worked)
    because = search_deals(situation, worked, ranked) if situation.searchable else {}
    return read_payments(library, situation, worked.rules, ranked, because)


def rank_deals(situation: PaymentSituation, worked: ExaminedDeals) -> list[RankedDeal]:
    """Rank the worked deals that show a situation."""
    return [RankedDeal(rank, deal) for deal in worked.deals if (rank := _rank_deal(deal, situation))]


def read_payments(
    library: Library,
    situation: PaymentSituation,
    rules: Iterable[Ruleset],
    ranked: Iterable[RankedDeal],
    because: Mapping[str, str],
) -> tuple[SituationPayments, ...]:
    """Read the payments of a situation off deals that show it, by every source; `because` says why one has none."""
    ordered = [deal.deal for deal in sorted(ranked, key=lambda deal: deal.rank, reverse=True)]
    return tuple(_read_source(library, situation, ruleset, ordered, because) for ruleset in rules)


#: Of a deal: by how many sources it shows the situation, and whether leader and taker are not the same player there.
_Rank: TypeAlias = tuple[int, bool]
_UNSHOWN: _Rank = 0, False


@dataclass(frozen=True, slots=True)
class RankedDeal:
    """A deal that shows a situation, settled by every source, and how it was found if it was generated."""

    rank: _Rank
    deal: Mapping[str, ExaminedDeal]
    origin: SearchedDeal | None = None


def _rank_deal(deal: Mapping[str, ExaminedDeal], situation: PaymentSituation) -> _Rank | None:
    """Rank a deal by how well it shows the situation; None if it does not."""
    showing = [one for one in deal.values() if _shows(one, situation)]
    if not showing:
        return None
    look = showing[0].look
    facts = _find_situation_facts(situation, look) if look and situation.manner == "thrown-off" else ()
    return len(showing), all(fact.leader != fact.taker for fact in facts)


def search_deals(situation: PaymentSituation, worked: ExaminedDeals, ranked: list[RankedDeal]) -> dict[str, str]:
    """Add deals that show the situation, generated by the rules of each source until one shows it by all.

    Another round is made where a source is not shown yet, or no deal tells leader and taker apart. A search that went
    before by the same rules is not made again. Returns the reasons, by source, why there is no deal by its rules.
    """
    because = dict[str, str]()
    makers = _add_known_deals(situation, worked, ranked, because)
    for seed in _SEARCH_SEEDS:
        if seed != _SEARCH_SEEDS[0] and _are_all_shown(situation, worked, ranked):
            break
        for ruleset in makers:
            if _find_best_rank(ranked) == (len(worked.rules), True):
                break
            if ruleset.source not in because:
                deal = _find_deal(situation, ruleset, seed, because)
                _add_deal(situation, worked, ranked, ruleset.source, seed, deal)
    return because


def _add_known_deals(
    situation: PaymentSituation, worked: ExaminedDeals, ranked: list[RankedDeal], because: dict[str, str]
) -> tuple[Ruleset, ...]:
    """Add the deals of stored searches, and the reasons; return the rules by which deals are still to be searched."""
    found = worked.searches.found.get(situation.id)
    if found is None:
        return worked.makers
    reasons = worked.searches.because.get(situation.id, {})
    because |= {siglum: why for siglum, why in reasons.items() if siglum in worked.same}
    rules = {ruleset.source: ruleset for ruleset in worked.rules}
    for source, seed, attempt in (origin for origin in found if origin.source in worked.same):
        deal = _search_deal(situation, rules[source], seed, (attempt,))
        _add_deal(situation, worked, ranked, source, seed, deal)
    return tuple(ruleset for ruleset in worked.makers if ruleset.source not in worked.same)


def _find_best_rank(ranked: Iterable[RankedDeal]) -> _Rank:
    return max((deal.rank for deal in ranked), default=_UNSHOWN)


def _are_all_shown(situation: PaymentSituation, worked: ExaminedDeals, ranked: Iterable[RankedDeal]) -> bool:
    """Return whether deals show the situation by every source, and one of the best tells leader and taker apart."""
    shown = {siglum for one in ranked for siglum, deal in one.deal.items() if _shows(deal, situation)}
    return len(shown) == len(worked.rules) and _find_best_rank(ranked)[1]


def _add_deal(
    situation: PaymentSituation,
    worked: ExaminedDeals,
    ranked: list[RankedDeal],
    source: str,
    seed: int,
    found: Found | NotFound | None,
) -> None:
    """Add a deal that was generated by a source's rules, if it shows the situation by any."""
    if isinstance(found, Found):
        examined = _examine_by_all(found.deal, worked.rules)
        if rank := _rank_deal(examined, situation):
            ranked.append(RankedDeal(rank, examined, SearchedDeal(source, seed, found.tries)))


def _find_deal(situation: PaymentSituation, ruleset: Ruleset, seed: int, because: dict[str, str]) -> Found | None:
    """Find a deal that shows the situation by one ruleset; where there is none, the reason is put in `because`."""
    try:
        deal = _search_deal(situation, ruleset, seed)
    except Silent as silent:  # on the players or the cards: no deal can be laid out by its rules
        because[ruleset.source] = str(silent)
        return None
    if isinstance(deal, NotFound):
        because[ruleset.source] = next(iter(deal.because)) if len(deal.because) == 1 else ""
        return None
    return deal


def _read_source(
    library: Library,
    situation: PaymentSituation,
    ruleset: Ruleset,
    deals: Sequence[Mapping[str, ExaminedDeal]],
    because: Mapping[str, str],
) -> SituationPayments:
    """Read the payments off the first deal that shows the situation by one source, or say why there is none."""
    base = SituationPayments(situation.id, ruleset.source, "unshown", ruleset.unit)
    own = [deal[ruleset.source] for deal in deals]
    for one in own:
        if isinstance(one.result, Reckoning) and one.look is not None and _shows(one, situation):
            return _read_reckoning(base, situation, one.result, one.look)
    why = because.get(ruleset.source, "")
    if why == NO_FAILED_REVERSIS and situation.kind == WISH_REVERSIS:
        return _tell_unpaid_breaking(library, base, why)
    if why and not why.startswith("not had"):
        return replace(base, reason=why)
    told = (_explain_absence(library, base, situation, deal) for deal in own)
    return next((payments for payments in told if payments is not None), replace(base, reason=_NO_DEAL))


def _tell_unpaid_breaking(library: Library, base: SituationPayments, why: str) -> SituationPayments:
    """Tell that nothing is paid for breaking a reversis where there is none, and which answer says so."""
    found = ((slug, library.find_cell(base.source, slug)) for slug in _BREAKING_QUESTIONS)
    slug, cell = next((one for one in found if one[1] is not None and one[1].value is not None), ("", None))
    id = library.questions[slug].id if slug else ""
    held = WithheldPayment("", _NOBODY_PAYS, NONPAYMENT_REASONS[_NOBODY_PAYS], id)
    clauses = tuple(clause.id for clause in cell.clauses) if cell else ()
    supplied = cell is not None and cell.supplied
    return replace(base, state="nothing", withheld=(held,), reason=why, clauses=clauses, supplied=supplied)


_NOBODY_PAYS = "nobody-pays"
#: Who is paid for it, or else whether there is such a thing.
_BREAKING_QUESTIONS = "reversis.broken.breaker", "reversis.undertaken"
_NO_DEAL = "no deal was found that shows it by these rules"


def _explain_absence(
    library: Library, base: SituationPayments, situation: PaymentSituation, deal: ExaminedDeal
) -> SituationPayments | None:
    """Explain why a deal that shows the situation elsewhere does not by a source: forbidden, unanswered, unpaid."""
    if isinstance(deal.result, Unanswered):
        return replace(base, state="silent", reason=silence_view(library, deal.result).message, deal=deal.deal)
    if isinstance(deal.result, Refused):
        rulings = (deal.result.ruleset.rulings[slug] for refusal in deal.result.refusals for slug in refusal.asked)
        cited = tuple(dict.fromkeys(id for ruling in rulings for id in ruling.clauses))
        told = "; ".join(refusal.message for refusal in deal.result.refusals)
        return replace(base, state="refused", reason=told, clauses=cited, deal=deal.deal)
    if deal.result.settled.passed_over:
        return replace(base, state="nothing", reason="; ".join(deal.result.settled.passed_over), deal=deal.deal)
    if situation.kind in CARD_SUBJECTS or deal.look is None:
        return None
    reckoning = _read_reckoning(base, situation, deal.result, deal.look)
    return reckoning if reckoning.state == "nothing" and reckoning.withheld else None


# ---- reading a deal
#: For an outcome, the rules whose names begin so.
_RULE_PREFIXES: Mapping[str, tuple[str, ...]] = {
    WISH_ESPAGNOLETTE: (WISH_ESPAGNOLETTE, WISH_PARTIE, WISH_REVERSIS),
}


def select_situation_verdicts(situation: PaymentSituation, result: Reckoning, look: Look) -> tuple[Entry, ...]:
    """Select what the rules say on the facts of a situation."""
    facts = set(_find_situation_facts(situation, look))
    if situation.kind in (*CARD_SUBJECTS, FAULT_SUBJECT):
        return tuple(entry for entry in result.all if entry.fact in facts)
    prefixes = _RULE_PREFIXES.get(situation.kind, (situation.kind,))
    return tuple(entry for entry in result.all if entry.rule.startswith(prefixes))


def read_situation_payments(situation: PaymentSituation, result: Reckoning, look: Look) -> tuple[RolePayment, ...]:
    """Read off a settled deal what is paid for the facts of a situation."""
    roles = _name_roles(situation, look)
    groups = _group_verdicts(select_situation_verdicts(situation, result, look))
    return tuple(payment for group in groups for payment in read_role_payments(situation, result.settled, group, roles))


def _read_reckoning(
    base: SituationPayments, situation: PaymentSituation, result: Reckoning, look: Look
) -> SituationPayments:
    verdicts = select_situation_verdicts(situation, result, look)
    payments = read_situation_payments(situation, result, look)
    partie, rules = result.settled.outcome.partie, result.settled.ruleset.rulings
    withheld = {
        (verdict.rule, verdict.reason): WithheldPayment(
            verdict.rule,
            verdict.reason,
            NONPAYMENT_REASONS[verdict.reason],
            rules[verdict.by].id if verdict.by in rules else "",
        )
        for verdict in verdicts
        if not any(result.settled.amounts(verdict))
    }
    rulings = list(_list_decisive_rulings(result.settled, verdicts))
    clauses = tuple(dict.fromkeys(id for ruling in rulings for id in ruling.clauses))
    undecided = any(verdict.reason == "open" for verdict in verdicts)
    return replace(
        base,
        state="open" if undecided else "paid" if payments else "nothing",
        payments=payments,
        withheld=tuple(withheld.values()),
        reason=NONPAYMENT_REASONS["open"] if undecided else "",
        clauses=clauses,
        supplied=any(ruling.supplied for ruling in rulings),
        worth=partie.value if partie and any(payment.rule == WISH_PARTIE for payment in payments) else None,
        deal=result.settled.deal,
        generated=result.settled.deal.provenance == "generated",
    )


def _group_verdicts(verdicts: Iterable[Entry]) -> Iterable[Sequence[Entry]]:
    """Group what one rule says of one card or fault, or of all the players."""
    return group_pairs(
        ((verdict.rule, verdict.reason == "returned", None if verdict.fact.kind == "seat" else verdict.fact), verdict)
        for verdict in verdicts
    ).values()


def _list_decisive_rulings(settled: Settled, verdicts: Iterable[Entry]) -> Iterator[Ruling]:
    """List the answers on which payments rest, and those by which none is made."""
    for verdict in verdicts:
        if any(settled.amounts(verdict)):
            yield from settled.rulings(verdict)
        elif verdict.by in settled.ruleset.rulings:
            yield settled.ruleset.rulings[verdict.by]


# ---- roles
_RoleFinder: TypeAlias = Callable[[Fact, OutcomeView], "int | None"]
_Roles: TypeAlias = Callable[[Sequence[Entry]], Mapping[Account, str]]


def _first_breaker(fact: Fact, outcome: OutcomeView) -> int | None:
    return next(iter(outcome.breakers), None)


def _first_stake_winner(fact: Fact, outcome: OutcomeView) -> int | None:
    return next(iter(outcome.stake_winners), None)


_LEADER: tuple[str, _RoleFinder] = "who led to it", lambda fact, outcome: fact.leader
_TAKER: tuple[str, _RoleFinder] = "who takes the trick", lambda fact, outcome: fact.taker
_PARTIE_WINNER: tuple[str, _RoleFinder] = "the winner of the partie", lambda fact, outcome: outcome.winner
_PARTIE_LOSER: tuple[str, _RoleFinder] = "the loser of the partie", lambda fact, outcome: outcome.loser
_HOLDER: tuple[str, _RoleFinder] = "the holder", lambda fact, outcome: fact.player
_REVERSIS: tuple[tuple[str, _RoleFinder], ...] = (
    ("who plays for the reversis", lambda fact, outcome: outcome.hero),
    ("who breaks the reversis", _first_breaker),
)
_ESPAGNOLETTE_PLAYER: tuple[str, _RoleFinder] = "the espagnolette", lambda fact, outcome: outcome.espagnolette
#: Roles by what the fact is; of several that a player has, the first.
_ROLES: Mapping[str, tuple[tuple[str, _RoleFinder], ...]] = {
    "led": (_HOLDER, _PARTIE_WINNER),
    "followed": (_HOLDER, _LEADER),
    "thrown-off": (_HOLDER, _TAKER, _LEADER),
    "laid-away": (_HOLDER,),
    WISH_REVERSIS: (*_REVERSIS, _ESPAGNOLETTE_PLAYER),
    WISH_ESPAGNOLETTE: (_ESPAGNOLETTE_PLAYER, *_REVERSIS, _PARTIE_WINNER, _PARTIE_LOSER, _HOLDER, _TAKER),
    WISH_PARTIE: (_PARTIE_WINNER, _PARTIE_LOSER, ("who led first", lambda fact, outcome: fact.eldest)),
    STAKE_SUBJECT: (("who wins the pool", _first_stake_winner),),
    FAULT_SUBJECT: (("who commits the fault", lambda fact, outcome: fact.player),),
}
#: Roles that must be told apart from one another, since sources differ in which of them pays, and one name for both.
_JOINT_ROLES: Mapping[tuple[str, str], str] = {(_TAKER[0], _LEADER[0]): "who leads to the trick and takes it"}
#: Roles of a player who alone is paid, or alone pays, and has no other.
_ROLES_OF_ONE = _TAKER, *_REVERSIS, _PARTIE_WINNER


def _find_role_seat(find: _RoleFinder, fact: Fact, outcome: OutcomeView) -> int | None:
    """Find the seat of a role; nobody has one that a void deal leaves open."""
    try:
        return find(fact, outcome)
    except (Open, Silent):
        return None


def _name_roles(situation: PaymentSituation, look: Look) -> _Roles:
    """Name the accounts of a payment by their roles; a player without one has none."""
    finders = _ROLES[situation.manner if situation.kind in CARD_SUBJECTS else situation.kind]

    def name(verdicts: Sequence[Entry]) -> Mapping[Account, str]:
        named: dict[Account, str] = {POOL_ACCOUNT: "the pool"}
        for role, find in finders:
            seat = _find_role_seat(find, verdicts[0].fact, look.outcome)
            if seat is not None:
                named[seat] = _JOINT_ROLES.get((named.get(seat, ""), role), named.get(seat, role))
        for role, find in _ROLES_OF_ONE:
            seat = _find_role_seat(find, verdicts[0].fact, look.outcome)
            if seat is not None and seat in _find_single_accounts(verdicts):
                named.setdefault(seat, role)
        return named

    return name


def _find_single_accounts(verdicts: Sequence[Entry]) -> frozenset[Account]:
    """Find who alone is paid, or alone pays."""
    postings = [posting for verdict in verdicts for posting in verdict.postings]
    sides = {posting.payer for posting in postings}, {posting.payee for posting in postings}
    return frozenset(account for side in sides if len(side) == 1 for account in side)


def read_role_payments(
    situation: PaymentSituation, settled: Settled, verdicts: Sequence[Entry], roles: _Roles
) -> Iterator[RolePayment]:
    """Read the payments of one rule, those that are alike together."""
    rule, fact, back = verdicts[0].rule, verdicts[0].fact, verdicts[0].reason == "returned"
    postings = [
        (p, n) for verdict in verdicts for p, n in zip(verdict.postings, settled.amounts(verdict), strict=True) if n
    ]
    paid = [verdict for verdict in verdicts if any(settled.amounts(verdict))]
    asked = tuple(dict.fromkeys(ruling.id for entry in paid for ruling in settled.rulings(entry)))
    to_one = len({p.payee for p, _ in postings}) <= len({p.payer for p, _ in postings})
    alike = group_pairs(
        ((p.payee, amount, p.money), p.payer) if to_one else ((p.payer, amount, p.money), p.payee)
        for p, amount in postings
    )
    named = roles(verdicts)
    rulings = tuple({ruling.id: ruling for verdict in verdicts for ruling in settled.rulings(verdict)}.values())
    card = "" if fact.card is None or situation.kind == fact.kind else format_card(fact.card)
    for (one, amount, money), others in sorted(alike.items(), key=lambda item: -item[0][1]):
        words = _format_money(money, amount, settled.ruleset.unit)
        for role, number in _name_partners(one, others, named, fact):
            partner = named.get(one, "another player")
            payer, payee = (role, partner) if to_one else (partner, role)
            yield RolePayment(rule, payer, payee, amount, words, number, card, back, asked, rulings)


def _name_partners(
    one: Account, others: Sequence[Account], named: Mapping[Account, str], fact: Fact
) -> Iterator[tuple[str, int]]:
    """Name all who pay one the same, or are paid the same by one, with their number."""
    seats = set(range(fact.seats))
    if len(others) > 1 and len(set(others)) == len(others):
        if set(others) == seats:
            yield "each player", len(others)
            return
        if set(others) == seats - {one}:
            yield "each other player", len(others)
            return
    for role, number in Counter(named[account] for account in others if account in named).items():
        yield role, number
    rest = [account for account in others if account not in named]
    if rest and set(rest) == seats - {one} - set(named):
        yield "each other player" if len(rest) > 1 else "the other player", len(rest)
        return
    whose = named.get(one, "that player")
    for role, number in Counter(_name_place(account, one, fact) for account in rest).items():
        yield role.format("the other" if number == 1 else "each", whose), number


def _name_place(account: Account, one: Account, fact: Fact) -> str:
    """Name a player without a role by the seat: a template for how many they are and for the other."""
    return "the player opposite {1}" if sit_opposite(fact, account, one) else "{0} neighbour of {1}"


def _format_money(money: Money, amount: int, unit: str) -> str:
    """Format a sum; one that depends on the pool by its share of it, since the pool is the deal's."""
    if not (money.stakes or money.waiting):
        return format_counters(amount, unit)
    times = "" if money.stakes == 1 else f"{money.stakes} times "
    share = "" if money.among == 1 else f"one of {money.among} equal parts of "
    waiting = " and all that waits" if money.waiting else ""
    return f"{share}{times}what the pool holds{waiting}"
