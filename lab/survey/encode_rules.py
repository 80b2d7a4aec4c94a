"""Encode a ruleset's answers on dealing and play as integers for compiled code.

The numbers come from asking the tables of `engine.readings.meanings` what a reading means; only the hearts that may be
laid away by way of exception are said once more, where compiled code exchanges. What the fast path cannot play (another
order of the cards, say) is told as `Unsurveyed`, and never played otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum, auto

import numpy as np

from engine.cards import CARD_RANKS, make_card_mask
from engine.deal.pool import NO_POOL, Pool
from engine.play.table import find_quinolas, has_privilege, make_named_mask, name_pool
from engine.readings.ask import Ask
from engine.readings.meanings import play as play_meanings
from engine.readings.meanings.deal import (
    GIVES_ACROSS,
    HEARTS_DISCARDED,
    MAY_EXCHANGE,
    MUST_EXCHANGE,
    PACK_SIZES_BY_READING,
    PLAYER_COUNTS,
    QUINOLA_FROM_LIMIT,
    QUINOLA_UNTIL_SUPPLEMENT,
)
from engine.readings.meanings.espagnolette import RIGHT_LOST
from lab.survey.request import SURVEY_SEATS
from rulebook.model import Ruleset, Silent

PACK_SIZE, TRICKS_PER_DEAL, TALON_SIZE, DEALER = 48, 11, 4, SURVEY_SEATS - 1
HEARTS_MASK = 0x1FFF << 16
#: the hearts that may be laid away after all, as bits; the exchange has these by heart, and no others
EXCEPTED: Mapping[str, int] = {"lone-king-or-queen": 1, "king-or-queen-without-lower": 2, "lone-quinola": 4}


class Unsurveyed(ValueError):
    """A ruleset that the fast path cannot play or price; the message says why."""


class PlayRuleColumn(IntEnum):
    """Columns of the row that encodes the rules of play."""

    FIRST_SUIT = 0  #: the suit of the first lead, or -1
    FOLLOW = auto()  #: suit is to be followed
    TRUMP = auto()  #: a card that takes when thrown on another suit, or -1
    ELDEST = auto()  #: who leads first
    TAKER_LEADS = auto()  #: he who takes leads next; otherwise the first leader again
    QUINOLA = auto()
    HELD = auto()  #: bit 2 x aces + any privileged card (+ 10, with all of NAMED): it gives the espagnolette
    RENOUNCES_TO = auto()  #: the last trick in which its holder may renounce
    RIGHT_LOST = auto()  #: he may not, once he has taken a trick
    MAY_EXCHANGE = auto()  #: bit of a seat: he may take a card of the talon
    HEARTS_OUT = auto()  #: hearts may be laid away
    EXCEPTIONS = auto()  #: the bits of EXCEPTED
    FURTHER = auto()  #: the privileged cards besides the quinola, as bits
    NAMED = auto()  #: cards by which a hand gives the espagnolette besides its aces, as bits; HELD has ten bits more
    BARRED = auto()  #: hearts that may not be laid away though hearts may, as bits
    COMPULSORY = auto()  #: who may exchange a card has to
    ACROSS = auto()  #: players who sit opposite give each other a card
    FREE = auto()  #: from here on a number for each trick; bit h: the lone quinola is free after h leads of hearts


PLAY_RULES_WIDTH = PlayRuleColumn.FREE + TRICKS_PER_DEAL


def encode_play_rules(ruleset: Ruleset, pool: Pool = NO_POOL) -> tuple[int, ...]:
    """Encode the rules of play, as far as they hang on it for what lies in the pool.

    Raises Unsurveyed, also for silence on what the play asks.
    """
    try:
        return encode_play_answers(Ask(ruleset), pool)
    except Silent as silent:
        raise Unsurveyed(f"these rules are silent on {silent.question}") from None


def encode_play_answers(ask: Ask, pool: Pool) -> tuple[int, ...]:
    """Encode the answers of one asker. Raises Unsurveyed, and Silent."""
    check_table_shape(ask)
    (quinola, *others), eldest = (
        find_quinolas(ask),
        play_meanings.FIRST_LEADER[ask.word("play.first-leader")](DEALER, SURVEY_SEATS),
    )
    if any(card & 15 in (CARD_RANKS.index("A"), CARD_RANKS.index("T")) for card in (quinola, *others)):
        raise Unsurveyed("a privileged card is an ace, or a card that is not in the pack")
    if eldest != 0:
        raise Unsurveyed("not the player after the dealer leads first")
    ask("deal.next-dealer")  # no deal is settled without it
    row = {
        PlayRuleColumn.FIRST_SUIT: play_meanings.FIRST_LEAD[ask.word("play.first-lead")],
        PlayRuleColumn.FOLLOW: play_meanings.MUST_FOLLOW[ask.word("play.follow")],
        PlayRuleColumn.TRUMP: quinola if play_meanings.QUINOLA_TAKES[ask.word("play.trick-taker")] else -1,
        PlayRuleColumn.ELDEST: eldest,
        PlayRuleColumn.TAKER_LEADS: int(is_taker_next_leader(ask, eldest)),
        PlayRuleColumn.QUINOLA: quinola,
        **encode_espagnolette(ask, quinola, others),
        **encode_exchange(ask, eldest),
        PlayRuleColumn.FURTHER: make_card_mask(others),
        **encode_pool_rules(ask, [quinola, *others], pool),
    }
    free = play_meanings.QUINOLA_FREE[ask.word("play.quinola-alone")]
    hearts = range(TRICKS_PER_DEAL + 1)
    rows = (sum(int(free(trick, h)) << h for h in hearts) for trick in range(TRICKS_PER_DEAL))
    return (*(int(row.get(at, 0)) for at in PlayRuleColumn if at != PlayRuleColumn.FREE), *rows)


def check_table_shape(ask: Ask) -> None:
    """Check for four players with eleven of 48 cards each, ranked ace to two. Raises Unsurveyed."""
    order = str(ask("cards.order"))
    if [order.index(rank) for rank in reversed(CARD_RANKS)] != list(range(len(CARD_RANKS))):
        raise Unsurveyed("the cards do not rank from the ace down to the two")
    if (
        SURVEY_SEATS not in PLAYER_COUNTS[ask.word("table.players")]
        or PACK_SIZE not in PACK_SIZES_BY_READING[ask.word("table.pack")]
    ):
        raise Unsurveyed("these rules know no table of four with 48 cards")
    wanted = {"players": SURVEY_SEATS, "pack": PACK_SIZE, "hand": TRICKS_PER_DEAL, "talon": TALON_SIZE}
    if wanted not in [dict(shape) for shape in ask.tables("table.shapes")]:
        raise Unsurveyed("these rules do not deal eleven cards to each, and four to the talon")


def is_taker_next_leader(ask: Ask, eldest: int) -> bool:
    """Return whether the taker, not the first leader, leads next. Raises Unsurveyed for another."""
    leads = [play_meanings.NEXT_LEADER[ask.word("play.next-leader")](taker, eldest) for taker in range(SURVEY_SEATS)]
    if leads not in ([*range(SURVEY_SEATS)], [eldest] * SURVEY_SEATS):
        raise Unsurveyed("another than the taker or the first leader leads to the next trick")
    return leads == [*range(SURVEY_SEATS)]


def encode_espagnolette(ask: Ask, quinola: int, others: Sequence[int] = ()) -> dict[PlayRuleColumn, int]:
    """Encode the hands that give the privilege, how long it lasts, and what ends it."""
    named = {make_named_mask(hand) for hand in ask.tables("espagnolette.hands")} - {0}
    if len(named) > 1:
        raise Unsurveyed("hands give the espagnolette by more than one set of cards besides the aces")
    (cards,) = named or {0}
    quinolas = make_card_mask((quinola, *others))
    hands = generate_privilege_hands(quinola, others, cards)
    held = sum(int(has_privilege(hand, quinolas, ask)) << at for at, hand in hands)
    if not held:
        return {PlayRuleColumn.HELD: 0, PlayRuleColumn.RENOUNCES_TO: 0, PlayRuleColumn.RIGHT_LOST: 0}
    lost = RIGHT_LOST[ask.word("espagnolette.right-after-trick")]
    return {
        PlayRuleColumn.HELD: held,
        PlayRuleColumn.RENOUNCES_TO: TRICKS_PER_DEAL - ask.number("espagnolette.until"),
        PlayRuleColumn.RIGHT_LOST: int(lost),
    } | ({PlayRuleColumn.NAMED: cards} if cards else {})


def generate_privilege_hands(quinola: int, others: Sequence[int] = (), named: int = 0) -> Iterator[tuple[int, int]]:
    """Yield a hand for each number of aces, without and with a quinola; then the same with the cards that are named."""
    alone = next((card for card in (quinola, *others) if 1 << card != named), quinola)
    for at in range(20 if named else 10):
        aces = sum(1 << (16 * suit + 12) for suit in range((at % 10) >> 1))
        yield at, aces | (at & 1) << alone | (named if at >= 10 else 0)


def encode_exchange(ask: Ask, eldest: int) -> dict[PlayRuleColumn, int]:
    """Encode who may take a card, as far as the talon reaches, and what may be discarded."""
    may = MAY_EXCHANGE[ask.word("exchange.who")]
    reached = [seat for seat in range(SURVEY_SEATS) if (seat - eldest) % SURVEY_SEATS < TALON_SIZE - 1]
    hearts = HEARTS_DISCARDED[ask.word("exchange.hearts")]
    excepted: Sequence[str] = () if hearts else ask.words("exchange.heart-exception")
    if unknown := [manner for manner in excepted if manner not in EXCEPTED]:
        raise Unsurveyed(f"a heart may be laid away in a manner that no survey knows: {', '.join(unknown)}")
    return {
        PlayRuleColumn.ACROSS: int(may_give_across(ask)),
        PlayRuleColumn.MAY_EXCHANGE: sum(1 << seat for seat in reached if seat != DEALER and may(seat, DEALER, eldest)),
        PlayRuleColumn.HEARTS_OUT: int(bool(hearts)),
        PlayRuleColumn.EXCEPTIONS: sum(EXCEPTED[manner] for manner in {*excepted}),
    }


def may_give_across(ask: Ask) -> bool:
    """Return whether those who sit opposite, and they alone, give each other a card; not where the source is silent."""
    if not ask.answers("exchange.across"):
        return False
    given = GIVES_ACROSS[ask.word("exchange.across")]
    pairs = {(giver, other) for giver in range(SURVEY_SEATS) for other in range(SURVEY_SEATS)}
    partners = {(giver, other) for giver, other in pairs if given(giver, other, SURVEY_SEATS)}
    if partners not in (set(), {(seat, (seat + 2) % SURVEY_SEATS) for seat in range(SURVEY_SEATS)}):
        raise Unsurveyed("others than those who sit opposite give each other a card")
    return bool(partners)


def encode_pool_rules(ask: Ask, quinolas: Sequence[int], pool: Pool) -> dict[PlayRuleColumn, int]:
    """Encode what hangs on the stakes of the privileged cards: which may not be laid away, whether all exchange."""

    def grown() -> list[int]:
        asks = {card: ask.about(name_pool(card, quinolas)) for card in quinolas}
        return [card for card, why in asks.items() if pool.of(why.card).stake >= why.number("stake.limit-from")]

    hearts = HEARTS_DISCARDED[ask.word("exchange.hearts")]
    paid = hearts == QUINOLA_UNTIL_SUPPLEMENT and pool.supplements_paid
    barred = {*quinolas} - {*grown()} if hearts == QUINOLA_FROM_LIMIT else {*quinolas} if paid else set()
    must = MUST_EXCHANGE[ask.word("exchange.duty")] if ask.answers("exchange.duty") else None
    duty = must is not None and must(lambda: bool(grown()), pool.supplements_paid)
    return {
        PlayRuleColumn.BARRED: make_card_mask(barred) & HEARTS_MASK,
        PlayRuleColumn.COMPULSORY: int(duty),
    }


def build_play_rules_array(ruleset: Ruleset, pool: Pool = NO_POOL) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Build the row of a ruleset as an array for the compiled path."""
    return np.array(encode_play_rules(ruleset, pool), np.int64)
