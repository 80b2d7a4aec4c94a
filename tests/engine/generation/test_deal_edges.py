"""The edges of dealing by lot: who may exchange with what, which tables there are, what goes without saying."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import HEARTS_INDEX, suit_of
from engine.deal.model import Deal, Exchange
from engine.deal.variants import TWISTS, vary_deal
from engine.deal.writer import write_deal
from engine.generation.deal import (
    RANDOM_DEAL_STAKE,
    Found,
    NotFound,
    can_hold_sketch,
    draw_random_exchanges,
    fill,
    prove_deal,
    random_deal,
)
from engine.generation.partial_model import Sketch
from engine.generation.plan import Lost
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from engine.generation.wishes import (
    OUTCOME_WORDS,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    Wish,
    Word,
    read_wishes,
)
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve
from tests.support.deals import laid, lay_deal, mixed, read, record
from tests.support.fifth_source import whole_game
from tests.support.settling import Rules


def by_lot(ruleset: Ruleset, players: int, seed: int) -> tuple[Deal, list[Exchange]]:
    shape = next(one for one in list_table_shapes(ruleset) if one.players == players)
    deal = random_deal(ruleset, seed, shape, exchange=False)
    return deal, list(draw_random_exchanges(Random(seed), deal, Ask(ruleset)))


@pytest.mark.parametrize("players", [4, 5])
def test_exchanges_go_round_from_the_eldest_and_one_card_is_the_dealers(rules: Rules, players: int) -> None:
    ruleset, most, seen = rules("ACA", "exchange.who=everyone-but-dealer"), 0, set[int]()
    for seed in range(60):
        deal, found = by_lot(ruleset, players, seed)
        places = [(one.seat - deal.dealer - 1) % players for one in found]
        assert places == sorted(set(places)) and len(places) < len(deal.talon)
        assert deal.dealer not in [one.seat for one in found]
        assert all(one.out in deal.talon and one.taken in deal.hands[one.seat] for one in found)
        most, seen = max(most, len(found)), seen | set(places)
    assert most > 1 and seen == set(range(players - 1))


def test_hearts_are_laid_out_only_where_they_may_be(rules: Rules) -> None:
    for reading, some in (("allowed", True), ("forbidden", False)):
        outs = [one.out for seed in range(60) for one in by_lot(rules("PAM", f"exchange.hearts={reading}"), 4, seed)[1]]
        assert outs and any(out is not None and suit_of(out) == HEARTS_INDEX for out in outs) is some


def test_a_ruleset_plays_only_at_tables_of_its_players_and_of_its_pack(rules: Rules) -> None:
    one = rules("ACA", "table.players=four", "table.pack=with-or-without-tens")
    assert {(shape.players, shape.pack) for shape in list_table_shapes(one)} == {(4, 48), (4, 52)}
    other = rules("ACA", "table.players=four-or-five", "table.pack=without-tens")
    assert {(shape.players, shape.pack) for shape in list_table_shapes(other)} == {(4, 48), (5, 48)}


def test_what_is_given_must_lie_on_the_table(rules: Rules) -> None:
    table = TableShape(4, 48, 2, 2)
    assert can_hold_sketch(table, Sketch(hands={0: (1, 2)}, talon=(3, 4)))
    assert not can_hold_sketch(table, Sketch(hands={0: (1, 2)}, talon=(3, 4, 5)))
    assert not can_hold_sketch(table, Sketch(hands={0: (1, 2, 3)}, talon=(4,)))
    assert not can_hold_sketch(table, Sketch(tricks=((), (), ()))) and can_hold_sketch(table, Sketch(tricks=((), ())))
    assert not can_hold_sketch(table, Sketch(players=5)) and not can_hold_sketch(table, Sketch(pack=52))
    assert can_hold_sketch(table, Sketch(players=4, pack=48))


def test_a_deal_by_lot_has_a_stake_and_one_that_is_sought_the_first_seed(rules: Rules) -> None:
    assert random_deal(rules("PAM"), 1).pool("PAM").stake == RANDOM_DEAL_STAKE == 60
    wishes, _ = read_wishes("quinola led", SEAT_NAMES[4])
    first, same, other = (fill(rules("PAM"), Sketch(wishes), *seed) for seed in ((), (1,), (2,)))
    assert isinstance(first, Found) and isinstance(same, Found) and isinstance(other, Found)
    assert first.deal == same.deal != other.deal


def test_so_many_deals_are_laid_out_as_one_would_wait_for(rules: Rules) -> None:
    wishes, _ = read_wishes("ace of hearts put", SEAT_NAMES[4])
    for tries in (1, 2, 5):
        found = fill(rules("PAM"), Sketch(wishes), 1, tries)
        assert isinstance(found, NotFound) and found.tries == tries == sum(found.because.values())


def test_of_many_things_in_the_way_the_six_most_frequent_are_told() -> None:
    told = str(NotFound(28, {f"thing {n}": n for n in range(1, 8)}))
    assert told.startswith("no such deal found, though 28 were laid out (thing 7: 7; thing 6: 6;")
    assert "thing 2: 2" in told and "thing 1" not in told


def test_why_a_deal_will_not_do_is_told_without_the_trick(rules: Rules) -> None:
    """What stands in the way is counted over many deals, in whatever trick it was; the first thing alone is told."""
    d = lay_deal(tricks={1: "south:9S!", 3: "south:8S!"}, hands={"south": "5H"}, where=mixed)
    first = prove_deal(d, rules("ACA"), (), 1)
    assert isinstance(first, str) and first.startswith("south may not play 9S; he may play")
    plain = laid(where=mixed)
    dealers = record(plain, exchange=[{"seat": "west", "in": plain.hands["west"][0]}])
    assert prove_deal(read(dealers), rules("PAM"), (), 1) == "west may not exchange a card"


# ---- answers that leave nothing to choose from
@pytest.fixture(scope="module")
def hoyle(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library with a source in which the espagnolette may renounce the whole game."""
    found, problems = load_library(whole_game(tmp_path_factory.mktemp("whole-game")))
    assert found is not None and not problems, "\n".join(map(str, problems))
    return found


@pytest.mark.release
@pytest.mark.parametrize("wish", ["espagnolette lost", "espagnolette won", "espagnolette breaking", "reversis broken"])
def test_what_is_wished_is_found_where_one_may_renounce_to_the_end(hoyle: Library, wish: str) -> None:
    ruleset = resolve(hoyle, "PAR")
    assert Ask(ruleset).number("espagnolette.until") == 0
    wishes, problems = read_wishes(wish, ())
    found = fill(ruleset, Sketch(wishes), 1)
    assert not problems and isinstance(found, Found), found


EXTREMES = [(bound, late) for bound in (0, 1, 11, 12) for late in (0, 1, 10, 11, 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("bound", "late"), EXTREMES)
def test_no_search_ends_in_a_traceback_whatever_is_answered_on_the_last_tricks(
    rules: Rules, bound: int, late: int
) -> None:
    ruleset = rules("PAR", f"espagnolette.until={bound}", f"reversis.undertaken={late}")
    for subject, word in OUTCOME_WORDS:
        if subject in (WISH_REVERSIS, WISH_ESPAGNOLETTE, WISH_PARTIE):
            found = fill(ruleset, Sketch((Wish(subject, (Word(word),)),)), f"{subject} {word}", tries=12)
            assert isinstance(found, Found | NotFound)
    assert isinstance(settle(random_deal(ruleset, 1, exchange=False), ruleset), Settled)


def test_who_takes_every_trick_undertakes_nothing_where_no_trick_is_early_enough(rules: Rules) -> None:
    ruleset = rules("PAM", "reversis.undertaken=12")
    deal = fill(rules("PAM"), Sketch(read_wishes("reversis made", ())[0]), 1)
    assert isinstance(deal, Found)
    settled = settle(deal.deal, ruleset)
    assert isinstance(settled, Settled) and settled.outcome.reversis is None


def test_where_no_table_is_known_no_deal_is_made(rules: Rules) -> None:
    nowhere = rules("PAM", "table.shapes=[]")
    with pytest.raises(Lost, match="no such table"):
        random_deal(nowhere, 1)
    assert isinstance(fill(nowhere, Sketch(), 1), NotFound)


@pytest.mark.parametrize("start", TWISTS)
def test_every_twist_can_do_with_an_empty_talon_and_with_one_trick(rules: Rules, start: str) -> None:
    for players, hand in ((4, 13), (4, 1)):
        shapes_ = f"[{{players: {players}, pack: 52, hand: {hand}, talon: {52 - players * hand}}}]"
        ruleset = rules("ACA", f"table.shapes={shapes_}")
        deal = random_deal(ruleset, 1, exchange=False)
        assert len(deal.talon) == 52 - players * hand
        assert all(isinstance(one, Deal) for one in vary_deal(Random(1), deal, start))


def test_a_card_too_many_was_in_the_talon_and_one_too_few_lies_there(rules: Rules) -> None:
    deal = random_deal(rules("ACA"), 1, exchange=False)
    for question, change in (("undiscarded", 1), ("ten-cards", -1)):
        for varied in vary_deal(Random(1), deal, question):
            (fault,) = varied.faults
            assert [len(hand) for hand in varied.hands] == [
                len(hand) + change * (seat == fault.seat) for seat, hand in enumerate(deal.hands)
            ]
            assert len(varied.talon) == len(deal.talon) - change
            assert read(write_deal(varied)) == varied
