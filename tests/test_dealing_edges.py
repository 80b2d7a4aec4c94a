"""The edges of dealing by lot: who may exchange with what, which tables there are, what goes without saying."""

from __future__ import annotations

from random import Random

import pytest
from conftest import Rules
from dealing import laid, mixed, read, record

from engine.ask import Ask
from engine.cards import HEARTS, suit_of
from engine.dealing import SEATS, STAKE, Found, NotFound, Shape, exchanges, fill, fits, proof, random_deal, shapes
from engine.deals import Deal, Exchange
from engine.plans import Sketch
from engine.wishes import read_wishes
from rulebook.model import Ruleset


def by_lot(ruleset: Ruleset, players: int, seed: int) -> tuple[Deal, list[Exchange]]:
    shape = next(one for one in shapes(ruleset) if one.players == players)
    deal = random_deal(ruleset, seed, shape, exchange=False)
    return deal, list(exchanges(Random(seed), deal, Ask(ruleset)))


@pytest.mark.parametrize("players", [4, 5])
def test_exchanges_go_round_from_the_eldest_and_one_card_is_the_dealers(rules: Rules, players: int) -> None:
    ruleset, most, seen = rules("ACA", "exchange.who=everyone-but-dealer"), 0, set[int]()
    for seed in range(60):
        deal, found = by_lot(ruleset, players, seed)
        places = [(one.seat - deal.dealer - 1) % players for one in found]
        assert places == sorted(set(places)) and all(place < len(deal.talon) - 1 for place in places)
        assert deal.dealer not in [one.seat for one in found]
        assert all(one.out in deal.talon and one.taken in deal.hands[one.seat] for one in found)
        most, seen = max(most, len(found)), seen | set(places)
    assert most > 1 and seen == set(range(min(players, len(deal.talon) - 1)))


def test_hearts_are_laid_out_only_where_they_may_be(rules: Rules) -> None:
    for reading, some in (("allowed", True), ("forbidden", False)):
        outs = [one.out for seed in range(60) for one in by_lot(rules("PAM", f"exchange.hearts={reading}"), 4, seed)[1]]
        assert outs and any(out is not None and suit_of(out) == HEARTS for out in outs) is some


def test_a_ruleset_plays_only_at_tables_of_its_players_and_of_its_pack(rules: Rules) -> None:
    one = rules("ACA", "table.players=four", "table.pack=with-or-without-tens")
    assert {(shape.players, shape.pack) for shape in shapes(one)} == {(4, 48), (4, 52)}
    other = rules("ACA", "table.players=four-or-five", "table.pack=without-tens")
    assert {(shape.players, shape.pack) for shape in shapes(other)} == {(4, 48), (5, 48)}


def test_what_is_given_must_lie_on_the_table(rules: Rules) -> None:
    table = Shape(4, 48, 2, 2)
    assert fits(table, Sketch(hands={0: (1, 2)}, talon=(3, 4)))
    assert not fits(table, Sketch(hands={0: (1, 2)}, talon=(3, 4, 5)))
    assert not fits(table, Sketch(hands={0: (1, 2, 3)}, talon=(4,)))
    assert not fits(table, Sketch(tricks=((), (), ()))) and fits(table, Sketch(tricks=((), ())))
    assert not fits(table, Sketch(players=5)) and not fits(table, Sketch(pack=52))
    assert fits(table, Sketch(players=4, pack=48))


def test_a_deal_by_lot_has_a_stake_and_one_that_is_sought_the_first_seed(rules: Rules) -> None:
    assert random_deal(rules("PAM"), 1).pool("PAM").stake == STAKE == 60
    wishes, _ = read_wishes("quinola led", SEATS[4])
    first, same, other = (fill(rules("PAM"), Sketch(wishes), *seed) for seed in ((), (1,), (2,)))
    assert isinstance(first, Found) and isinstance(same, Found) and isinstance(other, Found)
    assert first.deal == same.deal != other.deal


def test_so_many_deals_are_laid_out_as_one_would_wait_for(rules: Rules) -> None:
    wishes, _ = read_wishes("quinola in the talon quinola led", SEATS[4])
    for tries in (1, 2, 5):
        found = fill(rules("PAM"), Sketch(wishes), 1, tries)
        assert isinstance(found, NotFound) and found.tries == tries == sum(found.because.values())


def test_of_many_things_in_the_way_the_six_most_frequent_are_told() -> None:
    told = str(NotFound(28, {f"thing {n}": n for n in range(1, 8)}))
    assert told.startswith("no such deal found, though 28 were laid out (thing 7: 7; thing 6: 6;")
    assert "thing 2: 2" in told and "thing 1" not in told


def test_why_a_deal_will_not_do_is_told_without_the_trick(rules: Rules) -> None:
    """What stands in the way is counted over many deals, in whatever trick it was; the first thing alone is told."""
    d = laid(tricks={1: "south:9S!", 3: "south:8S!"}, hands={"south": "5H"}, where=mixed)
    first = proof(read(record(d)), rules("ACA"), (), 1)
    assert isinstance(first, str) and first.startswith("south may not play 9S; he may play")
    plain = laid(where=mixed)
    dealers = record(plain, exchange=[{"seat": "west", "in": plain.hands["west"][0]}])
    assert proof(read(dealers), rules("PAM"), (), 1) == "west may not exchange a card"
