"""Faults of a saved game, such as come of a file that was edited: the checks that `hint` makes, on every deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.cards import format_card, make_pack
from engine.deal.fields import Find
from engine.deal.model import Deal
from engine.generation.at_table import exchange_card, is_dealt_out
from engine.play.replay import check_exchange, check_table, replay_deal
from engine.play.table import Refusal, seat_players
from engine.players.take_view import take_view
from engine.readings.ask import Ask
from engine.session.session import NotCounted, Session, Step, play_next_deal, prepare_next_deal
from reversis.files.positions import PositionRecord, restore_deal
from reversis.words.ledgers import pool_words
from rulebook.phrases import format_count
from rulebook.problems import Problem


def find_game_faults(positions: Sequence[PositionRecord], step: Step) -> Iterator[Problem]:
    """Find the faults of the first deal that has any. `step`: the beginning of the game. Raises Silent."""
    for position in positions:
        deal = restore_deal(position)
        session = (step if step.after.ready else prepare_next_deal(step.after)).after
        faults = [
            *find_table_faults(deal, session, position.find),
            *find_deal_faults(deal, Ask(session.ruleset), position.find),
        ]
        if faults or deal.fragment:
            yield from faults or find_deals_after(position, positions)
            return
        played = play_next_deal(session, deal, position.find(()))
        if isinstance(played, NotCounted):
            yield from played.problems
            return
        step = played


def find_deals_after(position: PositionRecord, positions: Sequence[PositionRecord]) -> Iterator[Problem]:
    """Find deals that follow one that is not played to its end."""
    if position is not positions[-1]:
        what = f"{restore_deal(position).id} is not played to its end, and another deal follows"
        yield position.find(("tricks",)).problem(what, "write all its tricks, or take out the deals after it")


def find_table_faults(deal: Deal, session: Session, find: Find) -> Iterator[Problem]:
    """Find a dealer or a pool that cannot be, after the deals before it."""
    if deal.seats != session.seats:
        what = f"the seats are {', '.join(deal.seats)}; in this game they are {', '.join(session.seats)}"
        yield find(("seats",)).problem(what, "write them as they were")
        return
    due, dealer = deal.seats[session.dealer], deal.seats[deal.dealer]
    if due != dealer:
        yield find(("dealer",)).problem(f"{dealer} deals, and it is {due}'s turn", f"write dealer: {due}")
    pool = deal.pool(session.ruleset.source)
    if pool_words(pool) != pool_words(session.pool):
        what = f"the pool is {pool_words(pool)}; by {session.ruleset.name} there lies {pool_words(session.pool)}"
        yield find(("pool",)).problem(what, "correct it, or the command in the note")


def find_deal_faults(deal: Deal, ask: Ask, find: Find) -> Iterator[Problem]:
    """Find what cannot be in one deal, or is not lawful. Raises Silent."""
    if deal.fragment and (faults := [*find_card_faults(deal, find)]):  # whole deals are held to it when they are read
        yield from faults
    elif not deal.tricks and not is_dealt_out(deal):
        yield from find_exchange_faults(deal, ask, find)
    elif deal.fragment:
        done = len(deal.tricks) == deal.hand_size and len(deal.tricks[-1]) == len(deal.seats)
        yield from take_view(deal, ask, trick=deal.hand_size if done else None, find=find)[1]
    else:
        yield from describe_refusals(replay_deal(deal, ask).refusals, ask, find)


def find_card_faults(deal: Deal, find: Find) -> Iterator[Problem]:
    """Find cards that lie nowhere, and hands of other sizes: a position may have gaps, a saved game has none.

    Before the first trick the dealer may hold one card more, which he has still to lay away.
    """
    if missing := make_pack(deal.pack).difference(deal.talon, *deal.hands):
        what = f"missing from hands and talon: {' '.join(map(format_card, sorted(missing)))}"
        yield find(()).problem(what, "every card of the pack must lie somewhere")
    due = max(deal.even_hands, key=deal.even_hands.count)
    for seat, size in enumerate(deal.even_hands):
        allowed = {due, due + 1} if seat == deal.dealer and not deal.tricks else {due}
        if size not in allowed:
            what = f"the hand of {deal.seats[seat]} has {format_count(size, 'card')}; the others have {due}"
            yield find(("hands", deal.seats[seat])).problem(what, "write the hand as it was dealt")


def find_exchange_faults(deal: Deal, ask: Ask, find: Find) -> Iterator[Problem]:
    """Find exchanges that are not lawful while the dealer has still to lay a card away."""
    if not deal.hands[deal.dealer]:
        name = deal.seats[deal.dealer]
        yield find(("hands",)).problem(f"the hand of {name} has no cards", f"write all cards that {name} was dealt")
        return
    after = exchange_card(deal, deal.dealer, min(deal.hands[deal.dealer]))
    table = seat_players(replace(after, exchange=deal.exchange), ask)
    check_table(table)
    check_exchange(table)
    yield from describe_refusals(table.refusals, ask, find)


def describe_refusals(refusals: tuple[Refusal, ...] | list[Refusal], ask: Ask, find: Find) -> Iterator[Problem]:
    """Describe what the rules forbid, each at its place."""
    for refusal in refusals:
        place = find(("exchange",) if refusal.trick is None else ("tricks", refusal.trick - 1))
        yield place.problem(f"by {ask.ruleset.name}: {refusal.message}", "correct the record")
