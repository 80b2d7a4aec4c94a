"""Play a recorded deal card by card under a ruleset: what is refused, what happened, what can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import CARD_SUITS, HEARTS_INDEX, cards_of, format_card, make_card_mask, rank_of, sort_cards, suit_of
from engine.deal.events import Fact, Measures
from engine.deal.model import Deal, Exchange, Gift
from engine.play import trick as play
from engine.play.irregularities import (
    BEFORE_PLAY,
    check_thrown_down,
    find_claimer,
    find_fault,
    note_lawful_revoke,
    note_unlawful_card,
)
from engine.play.table import (
    ACE_RANK,
    KNAVE_RANK,
    QUEEN_RANK,
    PlayedCard,
    PlayTable,
    Refusal,
    can_renounce,
    count_cards_left,
    has_talon_card,
    legal_cards,
    name_pool,
    quinola_free,
    seat_players,
    takes_card,
)
from engine.readings.ask import OTHER_QUINOLAS, Ask
from engine.readings.meanings.deal import (
    DRAWS_DISCARDS,
    GIVES_ACROSS,
    HEART_EXCEPTION,
    HEARTS_DISCARDED,
    LOOKS,
    MUST_EXCHANGE,
    PACK_SIZES_BY_READING,
    PLAYER_COUNTS,
    QUINOLA_FROM_LIMIT,
    QUINOLA_UNTIL_SUPPLEMENT,
)
from engine.readings.meanings.faults import THROWN_IN_REVOKE
from engine.readings.meanings.play import NEXT_LEADER
from rulebook.model import FrozenMap, Silent, Value


@dataclass(frozen=True)
class Played:
    """A replayed deal: refusals, facts in order, measures, and listed faults that the source allows."""

    refusals: tuple[Refusal, ...]
    facts: tuple[Fact, ...]
    measures: Measures
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedWay:
    """A deal as it was played, by the answers that decided it; where they are the same it is not played again."""

    ask: Ask
    answers: Mapping[str, Value | None]
    played: Played

    def is_way_of(self, ask: Ask) -> bool:
        """Return whether the deal is played so by what another asker answers."""
        same = (self.ask.ruleset.source, self.ask.card) == (ask.ruleset.source, ask.card)
        return same and all(ask.look_up(question) == value for question, value in self.answers.items())


#: Questions whose answers the play looks up without asking.
_UNASKED = (OTHER_QUINOLAS, "quinola.card", "deal.again")


def replay_deal(deal: Deal, ask: Ask) -> Played:
    """Play a recorded deal under a ruleset; all that the source forbids is noted, and play goes on. Raises Silent."""
    way = next((way for way in deal.ways if way.is_way_of(ask)), None)
    if way is None:
        own = Ask(ask.ruleset, card=ask.card)
        try:
            played = _play_record(deal, own)
        except Silent:
            ask.take_over(own)
            raise
        way = PlayedWay(own, {question: own.look_up(question) for question in (*_UNASKED, *own.raised)}, played)
        deal.ways.append(way)
    ask.take_over(way.ask)
    return way.played


def _play_record(deal: Deal, ask: Ask) -> Played:
    table = seat_players(deal, ask)
    check_table(table)
    if table.void is None:
        before = len(table.refusals)
        check_exchange(table)
        table.refusals[before:] = [replace(refusal, kind="exchange") for refusal in table.refusals[before:]]
        for number, row in enumerate(deal.tricks, 1):
            play_trick(table, number, row)
        check_announced(table)
        check_thrown_down(table)
    return close_play(table)


def close_play(table: PlayTable) -> Played:
    """Close the play of a deal: what came of it at this table."""
    closing = () if table.void else closing_facts(table)
    return Played(tuple(table.refusals), (*table.facts, *closing), measure_deal(table), tuple(table.passed_over))


# ---- before the first card
def check_table(table: PlayTable) -> None:
    """Refuse a number of players, a pack or hands such as the source does not play with."""
    deal = table.deal
    known = (
        ("table.players", len(deal.seats), PLAYER_COUNTS, "players"),
        ("table.pack", deal.pack, PACK_SIZES_BY_READING, "cards"),
    )
    for question, number, meaning, noun in known:
        why = table.ask.fresh()
        allowed = meaning[why.word(question)]
        if number not in allowed:
            table.refuse(why, f"{number} {noun}: this source plays with {' or '.join(map(str, allowed))}")
    for fault in deal.faults:
        if fault.kind in BEFORE_PLAY and not table.refusals:
            BEFORE_PLAY[fault.kind](table, fault)
    if not table.refusals and table.void is None:
        check_shape(table)


def check_shape(table: PlayTable) -> None:
    """Refuse sizes of hands and talon that the source does not deal, save for a fault on record."""
    deal, why = table.deal, table.ask.fresh()
    shapes = [s for s in why.tables("table.shapes") if (s["players"], s["pack"]) == (len(deal.seats), deal.pack)]
    sizes = {(size, deal.talon_size) for size in deal.even_hands} if deal.faults else {(table.last, len(deal.talon))}
    if len(sizes) != 1 or not any((s["hand"], s["talon"]) in sizes for s in shapes):
        wanted = " or ".join(f"{s['hand']} and {s['talon']}" for s in shapes) or "no such deal"
        hands = " and ".join(map(str, sorted({len(hand) for hand in deal.hands})))
        table.refuse(why, f"hands of {hands} and a talon of {len(deal.talon)}: this source deals {wanted}")


def check_exchange(table: PlayTable) -> None:
    """Refuse an exchange by who may not make it, and a card laid out that may not be discarded."""
    for x in table.deal.exchange:
        if x.looked:
            check_look(table, x)
        if takes_card(x, table.deal.dealer):
            check_exchanger(table, x)
        if x.out is None and x.taken is None:
            check_kept_hand(table, x)
        if x.out is not None and suit_of(x.out) == HEARTS_INDEX:
            check_heart(table, x)
    for gift in table.deal.gifts:
        check_gift(table, gift)


def check_exchanger(table: PlayTable, x: Exchange) -> None:
    """Refuse a card taken from the talon by a player whom the source does not name."""
    deal, why = table.deal, table.ask.fresh()
    if not has_talon_card(table, x.seat, why):
        who, barred = deal.seats[x.seat], why.asked == ("exchange.who",)
        what = f"{who} may not exchange a card" if barred else f"no card of the talon is left for {who}"
        table.refuse(why, what, seat=x.seat, card=x.out)
    elif x.taken is not None:
        check_drawn_card(table, x)


def check_drawn_card(table: PlayTable, x: Exchange) -> None:
    """Refuse a discard taken where the source does not allow it, or another card than the one that lies uppermost.

    Discards are laid beneath the talon: first come the cards left from the deal, then the discards in their order.
    """
    deal, why = table.deal, table.ask.fresh()
    takers = [exchange for exchange in deal.exchange if takes_card(exchange, deal.dealer)]
    discards = [taker.out for taker in takers]
    drawn = x.taken if x.taken in discards else None
    beneath = [None] * count_cards_left(table) + discards
    who, card = deal.seats[x.seat], format_card(x.taken or 0)
    if drawn is not None and not DRAWS_DISCARDS[why.word("exchange.discard-drawn")]:
        table.refuse(why, f"{who} may not take {card}, which another has discarded", seat=x.seat, card=x.taken)
    elif drawn != beneath[takers.index(x)]:
        why("exchange.discard-drawn")
        table.refuse(why, f"{who} takes {card}, which is not the next card of the talon", seat=x.seat, card=x.taken)


def check_kept_hand(table: PlayTable, x: Exchange) -> None:
    """Refuse a hand that is kept, as the record says, by a player who has to exchange a card."""
    why = table.ask.fresh()
    if not has_talon_card(table, x.seat, why):
        return
    supplement = table.deal.pool(why.ruleset.source).supplements_paid
    must = MUST_EXCHANGE[why.word("exchange.duty")](lambda: has_grown_stake(table, why), supplement)
    if must:
        table.refuse(why, f"{table.deal.seats[x.seat]} must exchange a card{describe_limit(table, why)}", seat=x.seat)


def describe_limit(table: PlayTable, why: Ask) -> str:
    """Describe up to which stake a duty holds; empty where none was asked for."""
    if "stake.limit-from" not in why.asked:
        return ""
    stake = table.deal.pool(why.ruleset.source).stake
    return f" until the stake has grown to {why.number('stake.limit-from')}: it is {stake}"


def has_grown_stake(table: PlayTable, why: Ask) -> bool:
    """Return whether the stake of any privileged card has grown to its limit."""
    others = [table.ask.about(format_card(card)) for card in [*table.quinolas][1:]]
    grown = any([is_stake_grown(table, ask) for ask in (why, *others)])
    for ask in others:
        why.through(ask.asked)
    return grown


def is_stake_grown(table: PlayTable, why: Ask) -> bool:
    """Return whether the stake of the card that an asker answers for has grown to its limit."""
    return table.deal.pool(why.ruleset.source).of(why.card).stake >= why.number("stake.limit-from")


def check_look(table: PlayTable, x: Exchange) -> None:
    """Refuse a look at one's card of the talon as far as the source forbids it."""
    if find_fault(table, "peek", None, x.seat):
        return
    why, exchanged = table.ask.fresh(), x.out is not None or x.taken is not None
    if not has_talon_card(table, x.seat, why):
        table.refuse(why, f"{table.deal.seats[x.seat]} has no card of the talon to see", seat=x.seat)
    elif LOOKS[why.word("exchange.look")](exchanged):
        then = ", and lay a card away all the same" if exchanged else ""
        message = f"{table.deal.seats[x.seat]} may not see his card of the talon{then}"
        table.refuse(why, message, seat=x.seat, card=x.out)


def check_heart(table: PlayTable, x: Exchange) -> None:
    """Refuse a heart discarded, unless the source allows it."""
    assert x.out is not None
    why = table.ask.about(name_pool(x.out, table.quinolas))
    allowed = HEARTS_DISCARDED[why.word("exchange.hearts")]
    if allowed:
        if x.out in table.quinolas:
            check_laid_quinola(table, x, why, allowed)
        return
    before = (set(table.deal.before_gifts(x.seat)) - {x.taken}) | {x.out}
    hearts = [rank_of(c) for c in before if suit_of(c) == HEARTS_INDEX]
    quinola = x.out if x.out in table.quinolas else table.quinola
    if not any(HEART_EXCEPTION[e](x.out, quinola, hearts) for e in why.words("exchange.heart-exception")):
        table.refuse(
            why, f"{table.deal.seats[x.seat]} may not discard {format_card(x.out)}, a heart", seat=x.seat, card=x.out
        )


def check_laid_quinola(table: PlayTable, x: Exchange, why: Ask, allowed: object) -> None:
    """Refuse the quinola discarded while less lies in the pool than the source demands, or after a supplement."""
    pool, card = table.deal.pool(why.ruleset.source).of(why.card), table.quinolas.get(x.out or 0) or "quinola"
    message = ""
    if allowed == QUINOLA_FROM_LIMIT and not is_stake_grown(table, why):
        message = f"the stake is {pool.stake}, and not yet {why.number('stake.limit-from')}"
    elif allowed == QUINOLA_UNTIL_SUPPLEMENT and pool.supplements_paid:
        message = "a supplement has been paid"
    if message:
        who = table.deal.seats[x.seat]
        table.refuse(why, f"{who} may not discard the {card}: {message}", seat=x.seat, card=x.out)


def check_gift(table: PlayTable, gift: Gift) -> None:
    """Refuse a card given across the table, unless the source has players exchange so."""
    why, seats = table.ask.fresh(), table.deal.seats
    if not GIVES_ACROSS[why.word("exchange.across")](gift.seat, gift.to, table.seats):
        message = f"{seats[gift.seat]} may not exchange a card with {seats[gift.to]}"
        table.refuse(why, message, seat=gift.seat, card=gift.card)


def check_announced(table: PlayTable) -> None:
    """Refuse an espagnolette announced without a hand that gives it."""
    for announcement in table.deal.announced:
        if announcement.what == "espagnolette" and announcement.seat != table.holder:
            why = table.ask.fresh()
            why("espagnolette.hands")
            message = f"{table.deal.seats[announcement.seat]} announces espagnolette without a hand that gives it"
            table.refuse(why, message, seat=announcement.seat)


# ---- a trick
def play_trick(table: PlayTable, number: int, row: Sequence[int]) -> None:
    """Play one recorded trick, noting every card the source forbids."""
    holders = [table.held[c] for c in row]
    expected = table.turns[table.leader]
    if holders != expected:
        check_turns(table, number, row, holders, expected)
    cards = [
        play_card(table, number, seat, c, row[0] if i else None)
        for i, (seat, c) in enumerate(zip(holders, row, strict=True))
    ]
    finish_trick(table, number, cards)


def check_turns(
    table: PlayTable, number: int, row: Sequence[int], holders: Sequence[int], expected: Sequence[int]
) -> None:
    """Refuse cards out of turn: the leader leads, the others follow; a fault on record excuses.

    Who has no card left, having played with one too few, is passed over, also where it would be his to lead.
    """
    expected = [seat for seat in expected if table.hands[seat]]
    if holders[0] != expected[0]:
        refuse_leader(table, number, row[0], holders[0], expected[0])
    elif seats_in_turn(table, number, holders) != seats_in_turn(table, number, expected):
        refuse_turn(table, number, row, holders, expected)


def seats_in_turn(table: PlayTable, number: int, seats: Sequence[int]) -> list[int]:
    """Return the players of a trick without those who are on record for playing before their turn."""
    return [s for s in seats if not find_fault(table, "out-of-turn", number, s)]


def refuse_leader(table: PlayTable, number: int, led: int, holder: int, leader: int) -> None:
    """Refuse the first card of a trick of another than the leader."""
    why = table.ask.fresh()
    why("play.first-leader" if number == 1 else "play.next-leader")
    names_ = table.deal.seats
    table.refuse(
        why,
        f"trick {number}: {names_[leader]} leads, but {format_card(led)} is {names_[holder]}'s",
        trick=number,
        seat=holder,
        card=led,
        legal=tuple(sort_cards(cards_of(table.hands[leader]))),
    )


def refuse_turn(
    table: PlayTable, number: int, row: Sequence[int], holders: Sequence[int], expected: Sequence[int]
) -> None:
    """Refuse a card that does not follow in order of seats."""
    i = next(i for i, seat in enumerate(expected) if holders[i] != seat)
    names_, why = table.deal.seats, table.ask.fresh()
    why("play.first-leader")
    message = f"trick {number}: it is {names_[expected[i]]}'s turn, but {format_card(row[i])} is {names_[holders[i]]}'s"
    table.refuse(why, message, trick=number, seat=holders[i], card=row[i])


def play_card(table: PlayTable, number: int, seat: int, number_of_card: int, led: int | None) -> PlayedCard:
    """Take a card from a hand, after asking whether it may be played."""
    hand, bit = table.hands[seat], 1 << number_of_card
    lawful = legal_cards(table, number, seat, led, table.ask)
    revoked = False
    if not lawful & bit:
        revoked = note_unlawful_card(table, number, seat, number_of_card, led) and led is not None
    elif table.deal.faults and (fault := find_fault(table, "revoke", number, seat)):
        note_lawful_revoke(table, fault, followed=led is not None and suit_of(led) == suit_of(number_of_card))
    if seat == table.holder and led is not None and lawful & bit:
        table.renounced |= is_renouncing(table, number, seat, number_of_card, led)
    alone = play.select_suit(hand, suit_of(number_of_card)) == bit
    free = lawful.bit_count() > 1 if led is None else alone and might_be_kept(table, number, hand, number_of_card, led)
    table.hands[seat] = hand - bit
    return PlayedCard(seat, number_of_card, alone, free, revoked)


def might_be_kept(table: PlayTable, number: int, hand: int, lone: int, led: int) -> bool:
    """Return whether the only card of the suit led need not have followed.

    It does not matter who holds it; a last card must follow.
    """
    if suit_of(lone) != suit_of(led) or hand == 1 << lone:
        return False
    return not table.must or (lone in table.quinolas and quinola_free(table, number, table.ask))


def is_renouncing(table: PlayTable, number: int, seat: int, number_of_card: int, led: int) -> bool:
    """Return whether a player renounces by privilege: on another suit, although holding the suit led."""
    could = suit_of(number_of_card) != suit_of(led) and play.select_suit(table.hands[seat], suit_of(led)) != 0
    return could and can_renounce(table, number, seat, table.ask)


def finish_trick(table: PlayTable, number: int, cards: Sequence[PlayedCard]) -> None:
    """See who takes the trick, note what happened to aces and the quinola, and who leads next."""
    row = tuple([c.card for c in cards])
    trump = next((c.card for c in cards if is_trump(table, c, row[0])), -1) if table.trumps else -1
    taker = cards[play.find_taking_card(row, table.strength, trump)].seat
    for i, c in enumerate(row):
        if c in table.quinolas or c & 15 == ACE_RANK:
            table.facts.append(card_fact(table, number, cards, i, taker))
    for fault in table.deal.faults:
        if fault.kind == "out-of-turn" and fault.trick == number:
            what: dict[str, object] = {"kind": "fault", "manner": fault.kind, "trick": number, "player": fault.seat}
            table.facts.append(table.fact(**what, fault=fault))
    table.takers.append(taker)
    table.taken[taker].extend(row)
    table.heart_leads += suit_of(row[0]) == HEARTS_INDEX
    table.leader = NEXT_LEADER[table.ask.word("play.next-leader")](taker, table.eldest)


def is_trump(table: PlayTable, c: PlayedCard, led: int) -> bool:
    """Return whether a card takes the trick although another suit was led; in a revoke it may not."""
    if c.card not in table.trumps or suit_of(c.card) == suit_of(led):
        return False
    return not c.revoked or THROWN_IN_REVOKE[table.ask.word("revoke.thrown-off")]


def card_fact(table: PlayTable, number: int, cards: Sequence[PlayedCard], i: int, taker: int) -> Fact:
    """Make the fact of what happened to an ace or the quinola."""
    c, led = cards[i], suit_of(cards[0].card)
    manner = "led" if i == 0 else "followed" if suit_of(c.card) == led else "thrown-off"
    return table.fact(
        kind="quinola" if c.card in table.quinolas else "ace",
        called=table.quinolas.get(c.card, ""),
        further=is_further_quinola(table, c.card),
        trick=number,
        card=c.card,
        player=c.seat,
        leader=cards[0].seat,
        taker=taker,
        highest_before=highest_before(table, cards[:i], led),
        suit=CARD_SUITS[suit_of(c.card)],
        manner=manner,
        court_led=rank_of(cards[0].card) >= QUEEN_RANK,
        queen_led=rank_of(cards[0].card) == QUEEN_RANK,
        privileged=c.seat == table.holder,
        alone=c.alone,
        free=c.free,
        revoked=c.revoked,
        claimed=table.deal.claims.get(c.card, True),
        claimer=find_claimer(table, number) if table.deal.faults else None,
        throws_down=find_claimer(table, table.last) if table.deal.faults else None,
    )


def is_further_quinola(table: PlayTable, card: int) -> bool:
    """Return whether a card is a privileged card besides the quinola."""
    return card in table.quinolas and card != table.quinola


def highest_before(table: PlayTable, cards: Sequence[PlayedCard], suit: int) -> int | None:
    """Return who had played the highest ace, king or queen of the suit led."""
    courts = [c for c in cards if suit_of(c.card) == suit and rank_of(c.card) >= QUEEN_RANK]
    return max(courts, key=lambda c: table.strength[rank_of(c.card)]).seat if courts else None


# ---- when the cards are played
def closing_facts(table: PlayTable) -> Iterator[Fact]:
    """Return each quinola that nobody held, and each seat at the end of the deal."""
    for card, called in table.quinolas.items():
        if card in table.deal.talon:
            suit = CARD_SUITS[suit_of(card)]
            further = is_further_quinola(table, card)
            yield table.fact(kind="quinola", card=card, called=called, further=further, suit=suit, manner="laid-away")
    for seat in range(table.seats):
        yield table.fact(kind="seat", player=seat, points=count_points(table, table.taken[seat]))


def count_points(table: PlayTable, cards: Iterable[int]) -> int:
    """Count the points of the cards a player has taken."""
    return sum([table.values[c & 15] for c in cards])


def measure_deal(table: PlayTable) -> Measures:
    """Return all that can be counted."""

    def at_least(rank: int) -> tuple[int, ...]:
        return tuple(len([c for c in pile if c & 15 >= rank]) for pile in table.taken)

    quinolas = {f.card: f for f in table.facts if f.kind == "quinola"}
    return Measures(
        table.seats,
        table.deal.dealer,
        table.eldest,
        table.last,
        tuple(table.takers),
        tuple(count_points(table, pile) for pile in table.taken),
        tuple(table.takers.count(s) for s in range(table.seats)),
        at_least(KNAVE_RANK),
        at_least(QUEEN_RANK),
        table.deal.talon,
        table.holder,
        table.renounced,
        table.deal.announced,
        quinolas.get(table.quinola),
        table.deal.talon_size if table.deal.faults else len(table.deal.talon),
        FrozenMap(table.culprits),
        table.void,
        tuple(make_card_mask(pile) for pile in table.taken),
        table.quinolas[table.quinola],
        FrozenMap(
            {
                card: quinolas.get(card)
                or table.fact(kind="quinola", card=card, called=table.quinolas[card], further=True)
                for card in [*table.quinolas][1:]
            }
        ),
    )
