"""Payments between players for aces and the quinola by one source, as the engine settles them for neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from engine.generation.wishes import CARD_SUBJECTS, WISH_ACE, WISH_QUINOLA
from engine.readings.ask import name_other_quinolas, name_quinola, read_for_card
from reversis.files.deals import iter_source_deals
from reversis.files.drafts import list_playable_sources
from reversis.findings import situation_deals
from reversis.findings import situation_payments as payments
from reversis.findings.situations import list_situations
from reversis.views.rules.rule_writer import RuleWriter
from reversis.words.deal_views import resolve_rulesets
from rulebook.model import DOUBTFUL_STATUSES, Library, Ruleset
from rulebook.phrases import pluralize_counter

_SEAT = "side"  #: payments are shown between neighbours; what sitting opposite changes is said beside them
#: What befalls a card -> how the table says it, in its order; the last part of an event's id.
_EVENTS: Mapping[str, str] = {
    "thrown-off": "throw {card} off",
    "forced": "are forced to play {card}",
    "put": "play {card} to its own suit",
    "led": "lead {card}",
}
_YOU = "you"  #: the player whose card it is
_ROLE_WORDS: Mapping[str, str] = {
    payments.HOLDER_ROLE: _YOU,
    payments.TAKER_ROLE: "the taker",
    payments.LEADER_ROLE: "whoever led",
    payments.LEADING_TAKER: "the taker",
}


_Found: TypeAlias = Mapping[tuple[str, str, tuple[str, ...]], payments.SituationPayments]


@dataclass(frozen=True, slots=True)
class CardPaymentRow:
    """An event with its payments: the sum of the first, and who pays whom."""

    event: str
    sum: int
    also: tuple[tuple[str, int], ...]  #: suits of favoured aces, each with its own sum
    says: str
    statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardPaymentTable:
    """Payments of one source for single cards."""

    unit: str
    rows: tuple[CardPaymentRow, ...] = ()
    partial: bool = False  #: whether the source breaks off, so that nobody can tell that it is silent


# --- what is paid ------------------------------------------------------------------------------------------


def card_payment_table(corpus: Corpus, siglum: str, writer: RuleWriter) -> CardPaymentTable:
    """Table of what a source pays for the quinola and the aces."""
    library = corpus.library
    rows = (row for priced in _list_priced_cards(library, siglum) for row in _build_rows(library, priced, writer))
    source = library.sources[siglum]
    return CardPaymentTable(pluralize_counter(source.unit), tuple(rows), source.partial)


#: A card, or the aces: kind, name ("the quinola"; "" for the aces, of which some may pay more), and all that is paid.
_PricedCard: TypeAlias = tuple[str, str, _Found]


def _list_priced_cards(library: Library, siglum: str) -> Iterator[_PricedCard]:
    """List the quinola, every further privileged card, which pays by the same rules, and the aces."""
    asked = {slug.partition(".")[0] for slug in library.questions}
    if siglum not in list_playable_sources(library) or not {*CARD_SUBJECTS} <= asked:
        return
    (ruleset,) = resolve_rulesets(library, [siglum])
    first = _compute_card_payments(library, ruleset)
    yield WISH_QUINOLA, f"the {name_quinola(ruleset) or WISH_QUINOLA}", first
    for card, name in name_other_quinolas(ruleset).items():
        yield WISH_QUINOLA, f"the {name}", _compute_card_payments(library, read_for_card(ruleset, card))
    yield WISH_ACE, "", first


def _compute_card_payments(library: Library, ruleset: Ruleset) -> _Found:
    """Compute the payments between neighbours in a trick that counts once, from the source's own deals."""
    deals = situation_deals.examine_deals((ruleset,), iter_source_deals(library, ruleset.source))
    return {
        (
            of.kind,
            "put" if "not-alone" in of.details else "forced" if of.manner == "followed" else of.manner,
            of.suits,
        ): payments.compute_situation_payments(library, of, deals)[0]
        for of in list_situations(library)
        if of.kind in CARD_SUBJECTS and of.seat == _SEAT and of.trick is None
    }


def _build_rows(library: Library, priced: _PricedCard, writer: RuleWriter) -> Iterator[CardPaymentRow]:
    """Build the rows of a card, one for a forced card and one that need not be played if they pay the same."""
    rows = {event: _build_row(library, priced, event, writer) for event in _EVENTS}
    forced, put = rows["forced"], rows["put"]
    if forced and put and replace(put, event=forced.event, statuses=forced.statuses) == forced:
        rows |= {"forced": replace(forced, event=put.event), "put": None}
    yield from filter(None, rows.values())


def _build_row(library: Library, priced: _PricedCard, event: str, writer: RuleWriter) -> CardPaymentRow | None:
    """Build the row of an event; none where players pay nothing."""
    kind, name, payments_by_event = priced
    paid = {
        suits: [payment for payment in situation.payments if _is_between_neighbours(payment)]
        for (of, what, suits), situation in payments_by_event.items()
        if (of, what) == (kind, event)
    }
    plain = max(paid, key=len, default=())
    if not paid.get(plain):
        return None
    first, *rest = paid[plain]
    also = ((suits[0], row[0].amount) for suits, row in paid.items() if row and row[0].amount != first.amount)
    phrases = [
        _describe_payment(first, writer),
        *(_describe_payment(payment, writer, payment.amount) for payment in rest),
    ]
    return CardPaymentRow(
        _EVENTS[event].format(card=name or "an ace"),
        first.amount,
        tuple(also),
        "; ".join(dict.fromkeys(phrases)),
        tuple(_list_statuses(library, kind, paid[plain])),
    )


def _is_between_neighbours(payment: payments.RolePayment) -> bool:
    return payments.POOL_ROLE not in (payment.payer, payment.payee) and not payment.payer.startswith(
        "the player opposite"
    )


def _list_statuses(library: Library, kind: str, paid: Sequence[payments.RolePayment]) -> Iterator[str]:
    """List the marks of payments, by the answers about this card on which they rest; nothing rests on a nought."""
    asked = (ruling for payment in paid for ruling in payment.rulings if ruling.question.startswith(f"{kind}."))
    rulings = [ruling for ruling in asked if ruling.value != 0]
    if any(ruling.supplied for ruling in rulings):
        yield "ours"
    clauses = (library.clause(id) for ruling in rulings if not ruling.supplied for id in ruling.clauses)
    if any(clause.status in DOUBTFUL_STATUSES for clause in clauses):
        yield "doubtful"


# --- in words ----------------------------------------------------------------------------------------------


def _describe_payment(payment: payments.RolePayment, writer: RuleWriter, also: int = 0) -> str:
    """Describe who pays whom, or what a player pays also, to the player whose card it is."""
    payer, payee = (_name_role(role, writer) for role in (payment.payer, payment.payee))
    return f"{payer} pay{'' if payer == _YOU else 's'} {f'{also} too' if also else payee}"


def _name_role(role: str, writer: RuleWriter) -> str:
    """Name a role in the source's own terms."""
    if role.startswith("the other neighbour of"):
        return "each other player"
    return _ROLE_WORDS.get(role, role.replace("partie", writer.speaker.name("partie").words))
