"""Payments of a situation by every source: who pays whom, and how much, as the engine settles it.

`list_situations(library)` lists what can happen that somebody may have to pay for, from the engine's facts, manners,
faults and outcomes; tricks and suits that count more are those that any source names. `compute_situation_payments`
takes a deal that shows the situation, a worked one or else a generated one, settles it by every source and reads off
the entries of that fact alone. It knows no rule of payment and no source; accounts are told by their role.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from edition.analysis.deal_views import resolve_rulesets
from edition.analysis.ledgers import silence_view
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.data.deals import readable_deals
from edition.text.answers import format_counters, format_trick_ordinal
from edition.text.events import FAULT_PHRASES, card_words
from engine.cards import parse_card_name
from engine.deal.events import CARD_MANNERS, Fact
from engine.deal.model import FAULT_KIND_BY_NAME, MISDEAL_STAGES, Deal
from engine.deal.pool import Pool
from engine.generation.deal import Found, NotFound, fill
from engine.generation.partial_model import Sketch
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import (
    CARD_SUBJECTS,
    CARD_WORDS,
    OUTCOME_WORDS,
    WISH_ACE,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_QUINOLA,
    WISH_REVERSIS,
    WISH_TABLE,
    Look,
    Wish,
    Word,
    is_wish_fulfilled,
    observe_deal,
)
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.explain import PaymentVerdict, Reckoning, build_reckoning
from engine.settlement.ledger import Account, Money
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.outcome import Open, OutcomeView
from engine.settlement.payments.amounts import sit_opposite
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import Refused, Unanswered, settle_replayed_deal
from rulebook.model import Library, Ruleset, Ruling, Silent

_STAKE = "stake"
_FAULT = "fault"
_DOUBTFUL = ("ambiguous", "contradictory")
_SEARCH_TRIES = 40  #: deals laid out in one search
_SEARCH_SEEDS = (1, 2)


# ---- records
@dataclass(frozen=True, slots=True)
class Situation:
    """Something that can happen in a deal, and the way to find it."""

    id: str  #: quinola-forced-opposite-last
    topic: str  #: a group of questions
    words: str
    kind: str  #: quinola | ace | reversis | espagnolette | partie | stake | fault
    manner: str  #: of a card; of a fault, its kind; otherwise the outcome
    wishes: tuple[Wish, ...] = ()  #: what a deal must have besides
    details: tuple[str, ...] = ()  #: of a card, words of wishes that it must fulfil
    seat: str = ""  #: opposite | side | own: the one player of the payment, seen from the other
    trick: int | None = None  #: from the front, or from the end: -1 is the last; None: any
    not_tricks: tuple[int, ...] = ()  #: no such trick
    suits: tuple[str, ...] = ()  #: of an ace; none: any
    noticed: str = ""  #: of a misdeal, when it comes out
    redeemed: bool = False  #: of a misdeal: bought back

    @property
    def searchable(self) -> bool:
        """True if a deal that shows it can be generated; faults stand in worked deals only."""
        return self.kind != _FAULT


@dataclass(frozen=True, slots=True)
class RolePayment:
    """Payment between two roles; `number` of them are alike, each of that amount."""

    rule: str
    payer: str
    payee: str
    amount: int
    words: str  #: in the counters of the source; where it depends on the pool, so many times what the pool holds
    number: int = 1
    returned: bool = False  #: it is given back later in the deal


@dataclass(frozen=True, slots=True)
class WithheldPayment:
    """Payment that a rule might order and that is not made, with the reason."""

    rule: str
    reason: str  #: one of engine.settlement.nonpayment.NONPAYMENT_REASONS
    words: str


@dataclass(frozen=True, slots=True)
class SituationPayments:
    """Payments of one situation by one source."""

    situation: str
    source: str
    state: str  #: paid | nothing | refused | silent | open | unshown
    unit: str
    payments: tuple[RolePayment, ...] = ()
    withheld: tuple[WithheldPayment, ...] = ()
    reason: str = ""  #: of refused, silent, open and unshown
    clauses: tuple[str, ...] = ()
    supplied: bool = False  #: an answer that it rests on is supplied by us
    ambiguous: bool = False  #: an answer that it rests on can be read in more than one way
    deal: Deal | None = None  #: deal that shows it
    generated: bool = False


# ---- the list of situations
_RELATION_WORDS: Mapping[str, str] = {"opposite": "the player opposite", "side": "a neighbour", "own": "the holder"}
_PLAIN = (Wish(WISH_REVERSIS, (Word("none"),)), Wish(WISH_ESPAGNOLETTE, (Word("none"),)))
_FOUR = Wish(WISH_TABLE, (Word("four"),))


@dataclass(frozen=True, slots=True)
class _CardEvent:
    """Event that befalls a card: what its fact must be, in whose regard, and its words."""

    manner: str
    details: tuple[str, ...]
    seats: tuple[str, ...]
    words: str
    in_last: bool = True  #: it can happen in the last trick


_CARD_EVENTS: Mapping[str, _CardEvent] = {
    "led": _CardEvent("led", ("claimed",), ("opposite", "side", "own"), "is led{trick}, and {who} wins the partie"),
    "forced": _CardEvent("followed", ("alone",), ("opposite", "side"), "is forced{trick} by {who}"),
    "put": _CardEvent(
        "followed",
        ("not-alone",),
        ("opposite", "side"),
        "is put{trick} on its own suit, led by {who}, though its holder had another",
        in_last=False,
    ),
    "thrown-off": _CardEvent("thrown-off", (), ("opposite", "side"), "is thrown off{trick}, which {who} takes"),
    "laid-away": _CardEvent("laid-away", (), ("",), "is laid away in the talon"),
}


def list_situations(library: Library) -> tuple[Situation, ...]:
    """List every situation, by topic in the order of the questions."""
    found = (*_list_card_situations(library), *_list_outcome_situations(), *_list_fault_situations())
    placed = [replace(one, topic=_find_topic(library, one)) for one in found]
    order = list(dict.fromkeys(question.group for question in library.questions.values()))
    return tuple(sorted(placed, key=lambda one: order.index(one.topic)))


def _find_topic(library: Library, one: Situation) -> str:
    """Find the group of the questions that are named after the subject, or of those on irregularities."""
    prefix = one.manner if one.kind == _FAULT else one.kind
    questions = library.questions.values()
    named = (q.group for q in questions if q.slug.partition(".")[0] == prefix)
    return next((*named, *(q.group for q in questions if q.affects == "irregularity")).__iter__())


def list_special_tricks(library: Library) -> tuple[int, ...]:
    """List the tricks that count more in any source, first those counted from the front."""
    cells = (library.cell(siglum, "payments.doubled-tricks") for siglum in library.sources)
    values = (cell.value for cell in cells if cell is not None)
    named = {number for value in values if isinstance(value, Mapping | tuple) for number in value}
    numbers = [number for number in named if isinstance(number, int)]
    return tuple(sorted(numbers, key=lambda number: (number < 0, number)))


def list_favoured_suits(library: Library) -> tuple[str, ...]:
    """List the suits whose ace has an amount of its own in any source."""
    cells = (library.cell(siglum, "ace.favoured-suit") for siglum in library.sources)
    return tuple(sorted({str(c.value) for c in cells if c is not None and str(c.value) in _SUITS}))


_SUITS = ("S", "C", "D", "H")


def _list_card_situations(library: Library) -> Iterator[Situation]:
    special = list_special_tricks(library)
    favoured = list_favoured_suits(library)
    other = tuple(suit for suit in _SUITS if suit not in favoured)
    suits = {WISH_QUINOLA: [()], WISH_ACE: [*((suit,) for suit in favoured), other]}
    for kind in CARD_SUBJECTS:
        for among in suits[kind]:
            for event in _select_card_events(kind):
                yield from _vary_card_event(kind, among, event, special)
            if kind == WISH_QUINOLA:
                yield from _list_reversis_cards(kind)


def _select_card_events(kind: str) -> Iterator[str]:
    """Select the events of a card at which some rule looks."""
    looked = {m for r in RULES if kind in r.kinds for m in (r.manners or CARD_MANNERS)}
    return (name for name, event in _CARD_EVENTS.items() if event.manner in looked)


def _vary_card_event(kind: str, suits: tuple[str, ...], name: str, special: tuple[int, ...]) -> Iterator[Situation]:
    """Yield an event in every trick that counts more and in another, between players opposite and neighbours."""
    event = _CARD_EVENTS[name]
    tricks: tuple[int | None, ...] = (None,) if name == "laid-away" else (None, *special)
    for trick in tricks:
        for seat in event.seats if trick != -1 or event.in_last else ():
            when = "" if name == "laid-away" else f" in {_format_trick(trick)}"
            told = event.words.format(trick=when, who=_RELATION_WORDS.get(seat, ""))
            yield Situation(
                "-".join(filter(None, (kind, *_suit_slug(suits), name, seat, _trick_slug(trick) if when else ""))),
                "",
                f"The {_card_name(kind, suits)} {told}",
                kind,
                event.manner,
                _PLAIN,
                event.details,
                seat,
                trick,
                special if trick is None and when else (),
                suits,
            )


def _suit_slug(suits: tuple[str, ...]) -> tuple[str, ...]:
    return ("".join(suits).lower(),) if suits else ()


def _card_name(kind: str, suits: tuple[str, ...]) -> str:
    if kind != WISH_ACE:
        return kind
    names = [card_words(parse_card_name(f"A{suit}")) for suit in suits]
    return " or ".join([*names[:1], *(name.removeprefix("ace of ") for name in names[1:])])


def _format_trick(trick: int | None) -> str:
    return "another trick" if trick is None else f"the {format_trick_ordinal(trick)} trick"


def _trick_slug(trick: int | None) -> str:
    return "other" if trick is None else format_trick_ordinal(trick).replace(" ", "-")


def _list_reversis_cards(kind: str) -> Iterator[Situation]:
    """Yield the fates of the quinola in a reversis, which may draw the pool, cost as much or undo payments."""
    for name in ("led", "forced", "thrown-off"):
        event = _CARD_EVENTS[name]
        for outcome in ("made", "broken"):
            for trick, when in ((-1, "last trick"), (None, "middle of the play")):
                yield Situation(
                    f"{kind}-{name}-reversis-{outcome}-{'last' if trick else 'early'}",
                    "",
                    f"A reversis is {outcome}, and the {kind} was {name.replace('-', ' ')} in the {when}",
                    kind,
                    event.manner,
                    (Wish(WISH_REVERSIS, (Word(outcome),)), _PLAIN[1]),
                    tuple(one for one in event.details if one != "claimed"),
                    trick=trick,
                    not_tricks=() if trick else (-1, -2),
                )


#: Outcomes: subject, word of a wish, words, whether the two players of the payment matter, tricks.
_OUTCOME_ROWS: tuple[tuple[str, str, str, tuple[str, ...], tuple[int | None, ...]], ...] = (
    (WISH_REVERSIS, "made", "The reversis is made", ("",), (None,)),
    (WISH_REVERSIS, "broken", "The reversis is broken by {who} in {trick}", ("opposite", "side"), (-2, -1)),
    (WISH_ESPAGNOLETTE, "won", "The espagnolette is won", ("",), (None,)),
    (WISH_ESPAGNOLETTE, "lost", "The espagnolette is lost", ("",), (None,)),
    (WISH_ESPAGNOLETTE, "breaking", "The espagnolette breaks a reversis", ("",), (None,)),
    (WISH_PARTIE, "without-a-trick", "The partie is won without a trick, {who} losing it", ("opposite", "side"), (None,)),
    (WISH_PARTIE, "with-a-trick", "The partie is won with a trick, {who} losing it", ("opposite", "side"), (None,)),
    (_STAKE, "won", "The pool is won by tricks", ("",), (None,)),
)
#: The two players whose seats matter: words of wishes for who is paid and who pays.
_PARTNERS: Mapping[str, tuple[str, str]] = {WISH_REVERSIS: ("undertaken", "broken"), WISH_PARTIE: ("won", "lost")}
_CONDITIONS: Mapping[str, tuple[Wish, ...]] = {
    WISH_REVERSIS: _PLAIN[1:],
    WISH_PARTIE: _PLAIN,
    _STAKE: _PLAIN,
}


def _list_outcome_situations() -> Iterator[Situation]:
    for kind, manner, words, seats, tricks in _OUTCOME_ROWS:
        own = () if kind == _STAKE else (Wish(kind, (Word(manner),)),)
        for trick in tricks:
            for seat in seats:
                yield Situation(
                    "-".join(filter(None, (kind, manner, seat, _trick_slug(trick) if trick else ""))),
                    "",
                    words.format(who=_RELATION_WORDS.get(seat, ""), trick=_format_trick(trick)),
                    kind,
                    manner,
                    (*own, *_CONDITIONS.get(kind, ())),
                    seat=seat,
                    trick=trick,
                )


def _list_fault_situations() -> Iterator[Situation]:
    """Yield the faults at which some rule looks; a misdeal for every time at which it may come out."""
    looked = {manner for rule in RULES if _FAULT in rule.kinds for manner in rule.manners}
    for name, kind in FAULT_KIND_BY_NAME.items():
        if name not in looked:
            continue
        for noticed in MISDEAL_STAGES if "noticed" in kind.needs else ("",):
            for redeemed in (False, True) if "redeemed" in kind.allows else (False,):
                more = (noticed.replace("-", " ") and f"noticed {noticed.replace('-', ' ')}", redeemed and "bought back")
                told = ", ".join((f"A player {FAULT_PHRASES[name]}", *(str(one) for one in more if one)))
                slug = "-".join(filter(None, (name, noticed, "redeemed" if redeemed else "")))
                yield Situation(slug, "", told, _FAULT, name, noticed=noticed, redeemed=redeemed)


# ---- a deal under one ruleset, and the situation in it
_Result: TypeAlias = "Reckoning | Refused | Unanswered"


@dataclass(frozen=True, slots=True)
class _Examined:
    """A deal settled by one ruleset, and as the words of a wish look at it; nothing where it was not played."""

    deal: Deal
    result: _Result
    look: Look | None = None


#: worked deals, each by every source
ExaminedDeals: TypeAlias = "Sequence[Mapping[str, _Examined]]"


def examine_worked_deals(library: Library) -> ExaminedDeals:
    """Settle every whole worked deal by every source, for the situations to be found in them."""
    rules = resolve_rulesets(library)
    return [_examine_by_all(deal, rules) for deal in readable_deals(library) if not deal.fragment]


def _examine_by_all(deal: Deal, rules: Iterable[Ruleset]) -> Mapping[str, _Examined]:
    return {ruleset.source: _examine(deal, ruleset) for ruleset in rules}


def _examine(deal: Deal, ruleset: Ruleset) -> _Examined:
    try:
        ask = Ask(ruleset)
        played = replay_deal(deal, ask)
        if played.refusals:
            return _Examined(deal, Refused(deal, ruleset, played.refusals))
        look = observe_deal(played, ask, deal.seats, deal.pack)
        return _Examined(deal, build_reckoning(settle_replayed_deal(deal, ruleset, played, ask), played, ask), look)
    except Silent as silent:
        return _Examined(deal, Unanswered(deal, ruleset, silent))


def _shows(one: _Examined, situation: Situation) -> bool:
    """Return whether a settled deal shows the situation, and nothing that would hide it."""
    if one.look is None or not isinstance(one.result, Reckoning):
        return False
    if situation.kind == _FAULT:
        return len(one.deal.faults) == 1 and bool(_find_situation_facts(situation, one.look))
    if one.deal.faults or len(one.deal.seats) != 4 or not one.result.settled.before.stake:
        return False
    look = one.look
    return (
        all(is_wish_fulfilled(wish, look) for wish in situation.wishes)
        and bool(_find_situation_facts(situation, look))
        and (situation.kind in CARD_SUBJECTS or _is_outcome(situation, look))
    )


def _is_outcome(situation: Situation, look: Look) -> bool:
    """Return whether trick and seats of an outcome are those of the situation."""
    if situation.kind == _STAKE and not look.outcome.stake_winners:
        return False
    if situation.trick is not None and look.outcome.broken_in != look.measures.last + 1 + situation.trick:
        return False
    if not situation.seat:
        return True
    one, other = (OUTCOME_WORDS[situation.kind, word](look) for word in _PARTNERS[situation.kind])
    if one is None or other is None:
        return False
    return sit_opposite(look.played.facts[0], one, other) == (situation.seat == "opposite")


def _find_situation_facts(situation: Situation, look: Look) -> tuple[Fact, ...]:
    """Find the facts of the situation: of an outcome all that there are."""
    if situation.kind == _FAULT:
        return tuple(fact for fact in look.played.facts if _is_situation_fault(fact, situation))
    if situation.kind not in CARD_SUBJECTS:
        return tuple(look.played.facts)
    return tuple(fact for fact in look.played.facts if _is_situation_card(fact, situation, look))[:1]


def _is_situation_fault(fact: Fact, situation: Situation) -> bool:
    if fact.kind != _FAULT or fact.fault is None:
        return False
    told = (fact.manner, fact.fault.noticed, fact.fault.redeemed)
    return told == (situation.manner, situation.noticed, situation.redeemed)


def _is_situation_card(fact: Fact, situation: Situation, look: Look) -> bool:
    if fact.kind != situation.kind or (situation.suits and fact.suit not in situation.suits):
        return False
    if situation.trick is not None and not _is_trick(fact, situation.trick):
        return False
    if any(_is_trick(fact, number) for number in situation.not_tricks):
        return False
    words = filter(None, (situation.manner, *situation.details, situation.seat))
    return all(CARD_WORDS[word](fact, look) for word in words)


def _is_trick(fact: Fact, number: int) -> bool:
    return fact.trick == (number if number > 0 else fact.last + 1 + number)


# ---- a deal that shows it
def _search_deal(situation: Situation, ruleset: Ruleset, seed: int) -> Found | NotFound:
    """Search a deal that shows the situation by one ruleset."""
    sketch = Sketch(_make_search_wishes(situation), SEAT_NAMES[4], 4, id=f"{situation.id}-{seed}")
    return fill(ruleset, sketch, seed, _SEARCH_TRIES)


def _make_search_wishes(situation: Situation) -> tuple[Wish, ...]:
    """Make the wishes that lead to the situation: seats of an outcome are named, another trick is one in the middle."""
    if situation.kind in CARD_SUBJECTS:
        words = filter(None, (situation.manner, *situation.details, situation.seat))
        number = 5 if situation.trick is None and situation.not_tricks else situation.trick
        card = Wish(situation.kind, tuple(map(Word, words)), situation.suits[0] if situation.suits else "", number)
        return (card, *situation.wishes, _FOUR)
    if not situation.seat:
        return (*situation.wishes, _FOUR)
    names = (SEAT_NAMES[4][0], SEAT_NAMES[4][2 if situation.seat == "opposite" else 1])
    partners = zip(_PARTNERS[situation.kind], names, strict=True)
    return (*situation.wishes, Wish(situation.kind, tuple(Word(word, seat) for word, seat in partners)), _FOUR)


def compute_situation_payments(
    library: Library, situation: Situation, worked: ExaminedDeals | None = None
) -> tuple[SituationPayments, ...]:
    """Compute what every source pays in a situation; whoever asks of many gives the worked deals, examined once."""
    rules = resolve_rulesets(library)
    shown = [*(examine_worked_deals(library) if worked is None else worked)]
    best = max(shown, key=lambda deal: _count_showing(deal, situation), default=None)
    if situation.searchable and (best is None or _count_showing(best, situation) < len(rules)):
        shown += _generate_deals(situation, rules)
        best = max(shown, key=lambda deal: _count_showing(deal, situation), default=None)
    first = [best] if best is not None else []
    return tuple(_read_source(library, situation, ruleset, [*first, *shown]) for ruleset in rules)


def _count_showing(deal: Mapping[str, _Examined], situation: Situation) -> int:
    return sum(_shows(one, situation) for one in deal.values())


def _generate_deals(situation: Situation, rules: Sequence[Ruleset]) -> Iterator[Mapping[str, _Examined]]:
    """Generate deals that show the situation by the rules of each source, until one does by all."""
    for ruleset in rules:
        for seed in _SEARCH_SEEDS:
            found = _search_deal(situation, ruleset, seed)
            if isinstance(found, NotFound):
                break
            yield (examined := _examine_by_all(found.deal, rules))
            if _count_showing(examined, situation) == len(rules):
                return


def _read_source(
    library: Library, situation: Situation, ruleset: Ruleset, deals: Sequence[Mapping[str, _Examined]]
) -> SituationPayments:
    """Read the payments off the first deal that shows the situation by one source, or say why there is none."""
    base = SituationPayments(situation.id, ruleset.source, "unshown", ruleset.unit)
    for deal in deals:
        one = deal[ruleset.source]
        if isinstance(one.result, Reckoning) and one.look is not None and _shows(one, situation):
            return _read_reckoning(library, base, situation, one.result, one.look)
    return _explain_absence(library, base, situation, ruleset, deals)


def _explain_absence(
    library: Library,
    base: SituationPayments,
    situation: Situation,
    ruleset: Ruleset,
    deals: Sequence[Mapping[str, _Examined]],
) -> SituationPayments:
    """Explain why no deal shows the situation by a source: it is forbidden, unanswered, or unknown."""
    showing = [deal for deal in deals if _count_showing(deal, situation)]
    for one in (deal[ruleset.source] for deal in showing):
        if isinstance(one.result, Unanswered):
            return replace(base, state="silent", reason=silence_view(library, one.result).message, deal=one.deal)
    if situation.searchable:
        found = _search_deal(situation, ruleset, _SEARCH_SEEDS[0])
        why = max(found.because, key=lambda one: found.because[one], default="") if isinstance(found, NotFound) else ""
        if why and not why.startswith("not had"):
            return replace(base, reason=why)
    for one in (deal[ruleset.source] for deal in showing):
        if isinstance(one.result, Refused):
            asked = (ruleset.rulings[slug] for refusal in one.result.refusals for slug in refusal.asked)
            cited = dict.fromkeys(id for ruling in asked for id in ruling.clauses)
            told = "; ".join(refusal.message for refusal in one.result.refusals)
            return replace(base, state="refused", reason=told, clauses=tuple(cited), deal=one.deal)
    return replace(base, reason="no deal shows it by these rules")


# ---- reading a deal
#: For an outcome, the rules whose names begin so.
_RULE_PREFIXES: Mapping[str, tuple[str, ...]] = {
    WISH_ESPAGNOLETTE: (WISH_ESPAGNOLETTE, WISH_PARTIE, WISH_REVERSIS),
}


def select_situation_verdicts(situation: Situation, result: Reckoning, look: Look) -> tuple[PaymentVerdict, ...]:
    """Select what the rules say on the facts of a situation."""
    facts = set(_find_situation_facts(situation, look))
    if situation.kind in (*CARD_SUBJECTS, _FAULT):
        return tuple(one for one in result.all if one.entry.fact in facts)
    prefixes = _RULE_PREFIXES.get(situation.kind, (situation.kind,))
    return tuple(one for one in result.all if one.entry.rule.startswith(prefixes))


def _read_reckoning(
    library: Library, base: SituationPayments, situation: Situation, result: Reckoning, look: Look
) -> SituationPayments:
    verdicts = select_situation_verdicts(situation, result, look)
    roles = _name_roles(situation, look)
    payments = tuple(
        payment for one in verdicts for payment in read_role_payments(one, roles, result.settled.before, base.unit)
    )
    withheld = {
        (one.entry.rule, one.reason): WithheldPayment(one.entry.rule, one.reason, NONPAYMENT_REASONS[one.reason])
        for one in verdicts
        if not one.passes
    }
    rulings = list(_list_decisive_rulings(verdicts))
    clauses = tuple(dict.fromkeys(id for ruling in rulings for id in ruling.clauses))
    undecided = any(one.reason == "open" for one in verdicts)
    return replace(
        base,
        state="open" if undecided else "paid" if payments else "nothing",
        payments=payments,
        withheld=tuple(withheld.values()),
        reason=NONPAYMENT_REASONS["open"] if undecided else "",
        clauses=clauses,
        supplied=any(ruling.supplied for ruling in rulings),
        ambiguous=any(library.clause(id).status in _DOUBTFUL for id in clauses),
        deal=result.settled.deal,
        generated=result.settled.deal.provenance == "generated",
    )


def _list_decisive_rulings(verdicts: Iterable[PaymentVerdict]) -> Iterator[Ruling]:
    """List the answers on which payments rest, and those by which none is made."""
    for one in verdicts:
        if one.passes:
            yield from one.rulings
        elif one.by is not None:
            yield one.by


# ---- roles
_RoleFinder: TypeAlias = Callable[[Fact, OutcomeView], "int | None"]
_Roles: TypeAlias = Callable[[PaymentVerdict], Mapping[Account, str]]


def _first_breaker(fact: Fact, outcome: OutcomeView) -> int | None:
    return next(iter(outcome.breakers), None)


def _first_stake_winner(fact: Fact, outcome: OutcomeView) -> int | None:
    return next(iter(outcome.stake_winners), None)


_LEADER: tuple[str, _RoleFinder] = ("who led to it", lambda fact, outcome: fact.leader)
_TAKER: tuple[str, _RoleFinder] = ("who takes the trick", lambda fact, outcome: fact.taker)
_PARTIE_WINNER: tuple[str, _RoleFinder] = ("the winner of the partie", lambda fact, outcome: outcome.winner)
_PARTIE_LOSER: tuple[str, _RoleFinder] = ("the loser of the partie", lambda fact, outcome: outcome.loser)
_HOLDER: tuple[str, _RoleFinder] = ("the holder", lambda fact, outcome: fact.player)
_REVERSIS: tuple[tuple[str, _RoleFinder], ...] = (
    ("who plays for the reversis", lambda fact, outcome: outcome.hero),
    ("who breaks the reversis", _first_breaker),
)
_ESPAGNOLETTE_PLAYER: tuple[str, _RoleFinder] = ("the espagnolette", lambda fact, outcome: outcome.espagnolette)
#: Roles by what the fact is; of several that a player has, the first.
_ROLES: Mapping[str, tuple[tuple[str, _RoleFinder], ...]] = {
    "led": (_HOLDER, _PARTIE_WINNER, *_REVERSIS),
    "followed": (_HOLDER, _LEADER, _TAKER, *_REVERSIS),
    "thrown-off": (_HOLDER, _TAKER, _LEADER, *_REVERSIS),
    "laid-away": (_HOLDER,),
    WISH_REVERSIS: (*_REVERSIS, _ESPAGNOLETTE_PLAYER),
    WISH_ESPAGNOLETTE: (_ESPAGNOLETTE_PLAYER, *_REVERSIS, _PARTIE_WINNER, _PARTIE_LOSER, _HOLDER, _TAKER),
    WISH_PARTIE: (_PARTIE_WINNER, _PARTIE_LOSER, ("who led first", lambda fact, outcome: fact.eldest)),
    _STAKE: (("who wins the pool", _first_stake_winner),),
    _FAULT: (("who commits the fault", lambda fact, outcome: fact.player), *_REVERSIS),
}


def _find_role_seat(find: _RoleFinder, fact: Fact, outcome: OutcomeView) -> int | None:
    """Find the seat of a role; nobody has one that a void deal leaves open."""
    try:
        return find(fact, outcome)
    except (Open, Silent):
        return None


def _name_roles(situation: Situation, look: Look) -> _Roles:
    """Name the accounts of a payment by their roles; a player without one has none."""
    finders = _ROLES[situation.manner if situation.kind in CARD_SUBJECTS else situation.kind]

    def name(verdict: PaymentVerdict) -> Mapping[Account, str]:
        named: dict[Account, str] = {POOL_ACCOUNT: "the pool"}
        for role, find in finders:
            seat = _find_role_seat(find, verdict.entry.fact, look.outcome)
            if seat is not None:
                named.setdefault(seat, role)
        return named

    return name


def read_role_payments(one: PaymentVerdict, roles: _Roles, pool: Pool, unit: str) -> Iterator[RolePayment]:
    """Read the payments of a verdict, those that are alike together."""
    named, fact = roles(one), one.entry.fact
    others = [seat for seat in range(fact.seats) if seat not in named]
    alike: dict[tuple[Account | None, Account | None, int], list[tuple[Account, Account, Money]]] = defaultdict(list)
    for posting, amount in zip(one.entry.postings, one.amounts, strict=True):
        payer = None if posting.payer in others else posting.payer
        payee = None if posting.payee in others else posting.payee
        alike[payer, payee, amount].append((posting.payer, posting.payee, posting.money))
    for (_, _, amount), those in alike.items():
        if not amount:
            continue
        payer, payee, money = those[0]
        every = len(those) == len(others)
        yield RolePayment(
            one.entry.rule,
            _name_account(payer, payee, named, fact, every),
            _name_account(payee, payer, named, fact, every),
            amount,
            _format_money(money, amount, unit),
            len(those),
            one.reason == "returned",
        )


def _name_account(account: Account, partner: Account, named: Mapping[Account, str], fact: Fact, every: bool) -> str:
    """Name an account; a player without a role by the seat, unless all such players pay or are paid alike."""
    if account in named:
        return named[account]
    if every:
        return "each other player"
    place = "opposite" if sit_opposite(fact, account, partner) else "beside"
    return f"the other player {place} {named.get(partner, 'the partner')}"


def _format_money(money: Money, amount: int, unit: str) -> str:
    """Format a sum; one that depends on the pool by its share of it, since the pool is the deal's."""
    if not (money.stakes or money.waiting):
        return format_counters(amount, unit)
    times = "" if money.stakes == 1 else f"{money.stakes} times "
    share = "" if money.among == 1 else f"one of {money.among} equal parts of "
    waiting = " and all that waits" if money.waiting else ""
    return f"{share}{times}what the pool holds{waiting}"


# ---- all of them
@dataclass(frozen=True, slots=True)
class SituationRow:
    """A situation with its payments by every source."""

    situation: Situation
    sources: tuple[SituationPayments, ...]


def compute_situation_table(library: Library) -> tuple[SituationRow, ...]:
    """Compute the payments of every situation by every source."""
    worked = examine_worked_deals(library)
    return tuple(
        SituationRow(one, compute_situation_payments(library, one, worked)) for one in list_situations(library)
    )


@cached_on_corpus
def collect_situation_payments(corpus: Corpus) -> Mapping[str, tuple[SituationRow, ...]]:
    """Collect the payments of every situation by topic, for the pages."""
    found: dict[str, list[SituationRow]] = defaultdict(list)
    for row in compute_situation_table(corpus.library):
        found[row.situation.topic].append(row)
    return {topic: tuple(rows) for topic, rows in found.items()}


def format_situation_table(rows: Iterable[SituationRow]) -> str:
    """Format situations with their payments as plain text, by topic."""
    lines, topic = list[str](), ""
    for row in rows:
        if row.situation.topic != topic:
            topic = row.situation.topic
            lines.append(f"# {topic}")
        lines.append(f"{row.situation.words} [{row.situation.id}]")
        lines += (f"  {one.source}: {format_situation_payments(one)}" for one in row.sources)
    return "\n".join(lines) + "\n"


def format_situation_payments(one: SituationPayments) -> str:
    """Format the payments of one source in a line."""
    marks = [mark for mark, holds in (("?", one.ambiguous), ("our assumption", one.supplied)) if holds]
    told = f" ({', '.join(marks)})" if marks else ""
    if one.payments:
        return "; ".join(map(_format_role_payment, one.payments)) + told
    why = one.reason or "; ".join(dict.fromkeys(reason.words for reason in one.withheld))
    return f"{one.state}{': ' if why else ''}{why}{told}"


def _format_role_payment(one: RolePayment) -> str:
    number = f" × {one.number}" if one.number > 1 else ""
    back = ", given back" if one.returned else ""
    return f"{one.payer} → {one.payee} {one.words}{number}{back}"
