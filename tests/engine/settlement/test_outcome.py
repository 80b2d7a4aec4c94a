"""Who wins and loses: the partie or talon, ties and places, the Satz won by tricks, who deals next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from engine.readings.meanings.criteria import CRITERIA
from engine.settlement.settle import Settled, Unanswered, settle
from rulebook.load import record as recorded
from rulebook.model import FrozenMap, Library, Ruleset
from rulebook.resolve import drop_answer
from tests.support.deals import ACA_POINTS, FIVE, FOUR, Laid, laid, lay_deal, mixed, natural, paid, read, record
from tests.support.random_deals import given_by_reader
from tests.support.settling import Rules, Settle

DEALER = "west"


def left(seat: str, dealer: str = DEALER) -> int:
    """Places to the left of the dealer: the dealer 0, his left neighbour 1 ..."""
    return (FOUR.index(dealer) - FOUR.index(seat)) % 4


def after_dealer(seat: str) -> int:
    """Places in order of play, the eldest 0."""
    return (FOUR.index(seat) - FOUR.index(DEALER) - 1) % 4


def partie(settled: Settled) -> tuple[str | None, tuple[str, ...]]:
    found, seats = settled.outcome.partie, settled.deal.seats
    return (None, ()) if found is None else (seats[found.winner], tuple(seats[s] for s in found.losers))


def talon_points(d: Laid, values: Mapping[str, int]) -> int:
    return sum(values.get(c[0], 0) for c in d.talon)


# ---- the partie of PAM and PAR
def test_pam_s0021_s0023_most_points_pays_fewest(settles: Settle) -> None:
    for seed in range(1, 13):
        d = laid(where=mixed, seed=seed)
        winner, loser = natural(d)
        for source in ("PAM", "PAR"):
            assert partie(settles(read(record(d)), source)) == (winner, (loser,))


def test_pam_n17_equal_points_and_tricks_go_to_the_better_placed(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        return mixed(d) and "east" not in d.takers and "north" not in d.takers

    settled = settles(lay_deal(where=level), "PAM")
    assert partie(settled)[0] == "north"  # dealer west; south is dealer+1, north dealer-1, east dealer-2


def test_pam_n3_of_equal_most_points_more_tricks_lose_then_the_worse_placed(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        tops = sorted(FOUR, key=d.points)[-2:]
        return mixed(d) and d.points(tops[0]) == d.points(tops[1]) and d.number(tops[0]) != d.number(tops[1])

    d = laid(where=level)
    loser = max(sorted(FOUR, key=d.points)[-2:], key=d.number)
    for source in ("PAM", "PAR"):  # PAR.A13a
        assert partie(settles(read(record(d)), source))[1] == (loser,)
    rival = settles(read(record(d)), "PAM", "partie.loser=[most-points, alone]")
    assert partie(rival)[1] == () and paid(rival, "partie") == {}


def test_pam_n3_equal_in_points_and_tricks_the_worse_placed_loses(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        a, b = sorted(FOUR, key=d.points)[-2:]
        return mixed(d) and (d.points(a), d.number(a)) == (d.points(b), d.number(b))

    d = laid(where=level)
    loser = max(sorted(FOUR, key=d.points)[-2:], key=left)
    assert partie(settles(read(record(d)), "PAM"))[1] == (loser,)


def test_pam_s0019_s0020_the_ecart_with_its_special_cards_and_four(settles: Settle) -> None:
    d = laid(talon="AD JH KS 5C", where=lambda d: mixed(d) and left(natural(d)[0]) % 2 != left(natural(d)[1]) % 2)
    winner, loser = natural(d)
    assert paid(settles(read(record(d)), "PAM"), "partie") == {(loser, winner): 4 + 5 + 4 + 3}
    assert paid(settles(read(record(d)), "PAR"), "partie") == {(loser, winner): 4 + 4 + 1 + 3}
    special = "talon.special-cards={AD: 5, JH: 3}"  # PAR.A13c
    assert paid(settles(read(record(d)), "PAR", special), "partie") == {(loser, winner): 4 + 5 + 3 + 3}


def test_par_n33_king_and_queen_make_nine_and_pam_s0076_twice_that_opposite(settles: Settle) -> None:
    d = laid(talon="KS QC 5C 7D", where=lambda d: mixed(d) and (left(natural(d)[0]) - left(natural(d)[1])) % 4 == 2)
    winner, loser = natural(d)
    for source in ("PAM", "PAR"):
        settled = settles(read(record(d)), source)
        assert paid(settled, "partie") == {(loser, winner): 18}
        assert settled.outcome.partie is not None and settled.outcome.partie.value == 9


# ---- the talon of ACA
def by_aca(d: Laid) -> str:
    return min(FOUR, key=lambda s: (d.number(s), d.count(s, "AKQJ"), left(s)))


def test_aca_x_a3_fewest_tricks_then_fewest_marking_cards_then_place(settles: Settle) -> None:
    for seed in range(1, 13):
        d = laid(heart_first=True, where=mixed, seed=seed)
        winner = by_aca(d)
        most = max(d.points(s, ACA_POINTS) for s in FOUR if s != winner)
        payer = min((s for s in FOUR if s != winner and d.points(s, ACA_POINTS) == most), key=after_dealer)
        worth = talon_points(d, ACA_POINTS)
        settled = settles(read(record(d)), "ACA")
        assert partie(settled) == (winner, (payer,))
        assert paid(settled, "partie") == ({(payer, winner): worth} if worth else {})


def test_aca_x_a3_strict_and_points_first(settles: Settle) -> None:
    def apart(d: Laid) -> bool:
        trickful = min(FOUR, key=lambda s: (d.points(s, ACA_POINTS), d.number(s) > 0, left(s)))
        return mixed(d) and by_aca(d) != trickful and d.count(by_aca(d), "AKQJ") > min(d.count(s, "AKQJ") for s in FOUR)

    d = laid(heart_first=True, where=apart)
    deal = read(record(d))
    trickful = min(FOUR, key=lambda s: (d.points(s, ACA_POINTS), d.number(s) > 0, left(s)))
    assert partie(settles(deal, "ACA"))[0] == by_aca(d)
    points = "partie.winner=[fewest-points, trickless-first, best-placed]"
    assert partie(settles(deal, "ACA", points))[0] == trickful
    for strict in ("partie.winner=[fewest-tricks, fewer-marking-cards-than-all]", "ACA.i07"):
        assert partie(settles(deal, "ACA", strict))[0] is None


def test_aca_x_a3_strict_names_the_best_placed_of_equals(settles: Settle, library: Library) -> None:
    marked, trickless = (read(recorded(library, name)) for name in ("aca-talon-tie", "aca-talon-tie-dealer"))
    assert partie(settles(marked, "ACA", "ACA.i07"))[0] == "east"
    assert partie(settles(trickless, "ACA", "ACA.i07"))[0] == "south"
    assert partie(settles(trickless, "ACA", "ACA.i07", "ACA.i10"))[0] == "north"


def test_aca_x_a3_equal_in_tricks_the_points_may_decide(settles: Settle) -> None:
    def other(d: Laid) -> str:
        return min(FOUR, key=lambda s: (d.number(s), d.points(s, ACA_POINTS), left(s)))

    d = laid(heart_first=True, where=lambda d: mixed(d) and by_aca(d) != other(d))
    wish = "partie.winner=[fewest-tricks, fewest-points, best-placed]"
    deal = read(record(d))
    assert by_aca(d) != other(d)
    assert partie(settles(deal, "ACA"))[0] == by_aca(d) and partie(settles(deal, "ACA", wish))[0] == other(d)


def trickless_pair(d: Laid) -> bool:
    return mixed(d) and "west" not in d.takers and "north" not in d.takers


def test_aca_x_a4_the_dealer_is_nearest_to_himself_or_last(settles: Settle) -> None:
    deal = lay_deal(heart_first=True, where=trickless_pair)
    assert partie(settles(deal, "ACA"))[0] == "west"
    assert partie(settles(deal, "ACA", "partie.place=dealer-last-leftwards"))[0] == "north"


@pytest.mark.slow
def test_aca_x_a5_among_equals_the_first_in_play_or_the_eldest_all_the_same(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        points = {s: d.points(s, ACA_POINTS) for s in FOUR}
        return mixed(d) and points["east"] == points["north"] == max(points.values()) and by_aca(d) == "west"

    deal = lay_deal(heart_first=True, where=level)
    assert partie(settles(deal, "ACA"))[1] == ("east",)
    assert partie(settles(deal, "ACA", "partie.loser=[most-points, eldest-if-tied]"))[1] == ("south",)


def test_aca_x_a5_every_other_pays(settles: Settle) -> None:
    d = laid(talon="AC", heart_first=True, where=mixed)
    worth = talon_points(d, ACA_POINTS)
    rival = settles(read(record(d)), "ACA", "partie.paid-by=every-other")
    assert paid(rival, "partie") == {(s, by_aca(d)): worth for s in FOUR if s != by_aca(d)}


def test_aca_x_a19_a_sum_agreed_and_a_talon_worth_nothing(settles: Settle) -> None:
    deal = lay_deal(talon="2C 3D 5S 7D", heart_first=True, where=mixed)
    assert paid(settles(deal, "ACA"), "partie") == {}
    agreed = settles(deal, "ACA", "partie.amount=agreed-sum", "partie.agreed-sum=6")
    assert list(paid(agreed, "partie").values()) == [6]


# ---- the talon and the Satz of GER
def by_ger(d: Laid) -> tuple[str, str]:
    winner = min(FOUR, key=lambda s: (d.number(s), d.count(s, "AKQ") > 0, left(s)))
    payer = min((s for s in FOUR if s != winner), key=lambda s: (-d.points(s, ACA_POINTS), after_dealer(s)))
    return winner, payer


def eyes(d: Laid, seat: str) -> int:
    return d.points(seat, ACA_POINTS)


def eldest_aside(d: Laid) -> bool:
    """The eldest, south, has an odd number of eyes, neither wins nor pays the talon, and nobody ties with the payer."""
    winner, payer = by_ger(d)
    ties = [s for s in FOUR if eyes(d, s) == eyes(d, payer)]
    return mixed(d) and "south" not in (winner, payer) and eyes(d, "south") % 2 == 1 and len(ties) == 1


def test_ger_x_g11_all_four_readings_of_the_half(settles: Settle) -> None:
    d = laid(heart_first=True, where=eldest_aside)
    winner, payer = by_ger(d)
    deal, debt, own = read(record(d)), eyes(d, payer), eyes(d, "south")

    def sums(*wishes: str) -> dict[tuple[str, str], int]:
        return paid(settles(deal, "GER", *wishes), "partie")

    assert sums() == {(payer, winner): debt + own // 2 + 1, ("south", winner): own // 2}
    shared = sums("partie.eldest-share=debt-shared")
    assert shared == {(payer, winner): debt - debt // 2, ("south", winner): debt // 2}
    assert sums("partie.eldest-share=only-equals") == {(payer, winner): debt}
    assert sums("partie.eldest-share=none") == {(payer, winner): debt}


def test_ger_x_g11_his_own_points_are_paid_beside_the_cards_of_the_talon(settles: Settle) -> None:
    d = laid(talon="KS", heart_first=True, where=eldest_aside)
    winner, payer = by_ger(d)
    deal, own, debt = read(record(d)), eyes(d, "south"), sum(ACA_POINTS.get(c[0], 0) for c in d.talon)
    assert own != debt

    def sums(*wishes: str) -> dict[tuple[str, str], int]:
        return paid(settles(deal, "GER", "partie.amount=talon-cards", *wishes), "partie")

    assert sums() == {(payer, winner): debt + own // 2 + 1, ("south", winner): own // 2}
    (third,) = {*FOUR} - {"south", winner, payer}
    every = sums("partie.paid-by=every-other")
    assert every == {(seat, winner): debt for seat in (payer, "south", third)}  # who pays it pays no half besides


def test_ger_x_g11_nothing_is_halved_where_the_anspieler_pays_the_talon_himself(settles: Settle) -> None:
    """Q067: nothing if he is himself winner or payer; by the talon's cards too, and where they are worth nothing."""
    for talon in ("KS", ""):
        d = laid(talon=talon, heart_first=True, where=lambda d: by_ger(d)[1] == "south")
        winner, payer = by_ger(d)
        debt = sum(ACA_POINTS.get(c[0], 0) for c in d.talon)
        found = paid(settles(read(record(d)), "GER", "partie.amount=talon-cards"), "partie")
        assert found == ({(payer, winner): debt} if debt else {})


def test_ger_x_g11_equals_halve_the_debt(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        return mixed(d) and by_ger(d)[1] == "south" and eyes(d, "south") == eyes(d, "north") and by_ger(d)[0] == "east"

    d = laid(heart_first=True, where=level)
    half = settles(read(record(d)), "GER", "partie.eldest-share=only-equals")
    debt = eyes(d, "south")
    assert paid(half, "partie") == {("north", "east"): debt - debt // 2, ("south", "east"): debt // 2}
    assert paid(settles(read(record(d)), "GER"), "partie") == {("south", "east"): debt}


def test_ger_x_g11_nothing_when_the_eldest_wins_or_pays(settles: Settle) -> None:
    for role in (0, 1):
        d = laid(heart_first=True, where=lambda d, role=role: mixed(d) and by_ger(d)[role] == "south")  # type: ignore[misc]
        winner, payer = by_ger(d)
        for reading in ("own-points-halved", "debt-shared"):
            settled = settles(read(record(d)), "GER", f"partie.eldest-share={reading}")
            assert paid(settled, "partie") == {(payer, winner): eyes(d, payer)}


def test_ger_x_g9_eyes_of_the_talon_or_everybody_his_own(settles: Settle) -> None:
    d = laid(talon="KS", heart_first=True, where=mixed)
    winner, payer = by_ger(d)
    deal, plain = read(record(d)), "partie.eldest-share=none"
    talon = settles(deal, "GER", plain, "partie.amount=talon-cards")
    assert paid(talon, "partie") == {(payer, winner): talon_points(d, ACA_POINTS)}
    everybody = settles(deal, "GER", plain, "partie.paid-by=every-other")
    owed = {(s, winner): eyes(d, s) for s in FOUR if s != winner and eyes(d, s)}
    assert paid(everybody, "partie") == owed
    # with the share of the eldest besides, he who pays his own eyes anyway does not pay them twice
    assert paid(settles(deal, "GER", "partie.paid-by=every-other"), "partie") == owed


def test_ger_x_g7_the_trickless_wins_satz_talon_and_deal(settles: Settle) -> None:
    def alone(d: Laid) -> bool:
        return mixed(d) and [s for s in FOUR if not d.number(s)] == ["north"] and "JH" in d.talon

    deal = lay_deal(talon="JH", heart_first=True, where=alone)
    settled = settles(deal, "GER")
    assert paid(settled, "stake-by-tricks") == {("pool", "north"): 60}
    assert partie(settled)[0] == "north" and settled.outcome.next_dealer == 2
    assert settled.pool.stake == 8  # the Satz is renewed after it has been won, the quinola being laid away: X-G16
    one = settles(deal, "GER", "stake.by-tricks=[fewest-tricks-but-one, only-without-court, best-placed]")
    assert ("pool", "north") not in paid(one, "stake-by-tricks") and partie(one)[0] == "north"
    never = settles(deal, "GER", "stake.by-tricks=[nobody]")
    assert paid(never, "stake-by-tricks") == {} and never.pool.stake == 68


def test_ger_x_g7_without_a_trickless_player_the_deal_goes_on_to_the_right(settles: Settle) -> None:
    deal = lay_deal(heart_first=True, where=lambda d: all(d.number(s) for s in FOUR))
    assert settles(deal, "GER").outcome.next_dealer == 0


def test_ger_s0035_the_satz_stays_when_the_fewest_tricks_hold_a_court_card(settles: Settle) -> None:
    def courtly(d: Laid) -> bool:
        few = min(map(d.number, FOUR))
        return mixed(d) and few > 0 and all(d.count(s, "AKQ") for s in FOUR if d.number(s) == few)

    settled = settles(lay_deal(talon="JH", heart_first=True, where=courtly), "GER")
    assert paid(settled, "stake-by-tricks") == {}
    assert partie(settled)[0] is not None


def test_ger_x_g7_the_jack_is_no_hindrance(settles: Settle) -> None:
    def jack(d: Laid) -> bool:
        few = [s for s in FOUR if d.number(s) == min(map(d.number, FOUR))]
        return mixed(d) and len(few) == 1 and d.count(few[0], "J") > 0 and not d.count(few[0], "AKQ")

    d = laid(talon="JH", heart_first=True, where=jack)
    assert paid(settles(read(record(d)), "GER"), "stake-by-tricks") == {("pool", min(FOUR, key=d.number)): 60}


def test_ger_x_g7_the_placed_quinola_goes_before_the_fewest_tricks(settles: Settle) -> None:
    def north_takes_none(d: Laid) -> bool:
        return mixed(d) and "north" not in d.takers

    settled = settles(lay_deal(tricks={6: "south:9S! east:JH"}, heart_first=True, where=north_takes_none), "GER")
    assert paid(settled, "draws-stake") == {("pool", "east"): 60}
    assert paid(settled, "stake-by-tricks") == {}


def test_ger_x_g8_ties_go_from_the_dealer_leftwards_or_to_nobody(settles: Settle) -> None:
    deal = lay_deal(talon="JH", heart_first=True, where=trickless_pair)
    settled = settles(deal, "GER")
    assert partie(settled)[0] == "west" and paid(settled, "stake-by-tricks") == {("pool", "west"): 60}
    assert settled.outcome.next_dealer == 3
    last = settles(deal, "GER", "partie.place=dealer-last-leftwards")
    assert partie(last)[0] == "north" and paid(last, "stake-by-tricks") == {("pool", "north"): 60}
    none = settles(
        deal,
        "GER",
        "stake.by-tricks=[fewest-tricks, only-without-court, alone]",
        "partie.winner=[fewest-tricks, rather-without-court, alone]",
    )
    assert partie(none)[0] is None and paid(none, "stake-by-tricks", "partie") == {}
    assert none.outcome.next_dealer == 0


# ---- an order that leaves several
def tied_in_points(d: Laid) -> bool:
    """The fewest points are two players', and the most the others'; nobody has all tricks but a few."""
    few, fewer, many, most = sorted(map(d.points, FOUR))
    return few == fewer < many == most and mixed(d)


@pytest.fixture(scope="module")
def tied_records() -> tuple[dict[str, Any], ...]:
    return tuple(
        record(laid(talon="JH", heart_first=True, where=where), pool={"stake": 61, "waiting": []})
        for where in (trickless_pair, tied_in_points)
    )


def list_results(raw: dict[str, Any], ruleset: Ruleset) -> list[object]:
    """What comes of a deal by the names of the players, each of them being written first once."""
    found: list[object] = []
    for turn in range(4):
        settled = settle(read(raw | {"seats": [*FOUR[turn:], *FOUR[:turn]]}), ruleset)
        if isinstance(settled, Settled):
            found.append({"pool": settled.pool} | {s: settled.net[i] for i, s in enumerate(settled.deal.seats)})
        else:
            found.append(settled.silent.question if isinstance(settled, Unanswered) else settled)
    return found


def with_orders(ruleset: Ruleset, **orders: tuple[str, ...]) -> Ruleset:
    """Rules by which the partie is won and lost, and the stake won, by other orders of criteria; _ stands for a dot."""
    given = given_by_reader({slug.replace("_", "."): criteria for slug, criteria in orders.items()})
    return replace(ruleset, rulings=FrozenMap({**ruleset.rulings, **given}))


@pytest.mark.slow
@pytest.mark.parametrize("before", [(), ("fewest-points",), ("most-tricks",)], ids=str)
@pytest.mark.parametrize("criterion", [one for one in CRITERIA if "CARDS" not in one])
def test_no_order_of_criteria_is_ended_by_who_is_written_first(
    rules: Rules, tied_records: tuple[dict[str, Any], ...], criterion: str, before: tuple[str, ...]
) -> None:
    order = (*before, criterion)
    ruleset = with_orders(rules("GER"), partie_winner=order, partie_loser=order, **{"stake.by-tricks": order})
    for raw, given in product(tied_records, (ruleset, drop_answer(ruleset, "partie.place"))):
        first, *others = list_results(raw, given)
        assert others == [first] * 3


def test_equals_whom_an_order_leaves_are_parted_by_place_or_the_deal_stays_open(
    rules: Rules, tied_records: tuple[dict[str, Any], ...]
) -> None:
    tied = read(tied_records[1])
    ruleset = with_orders(rules("PAM"), partie_winner=("fewest-points",), partie_loser=("most-points",))
    by_place = settle(tied, ruleset)
    assert isinstance(by_place, Settled) and by_place.outcome.partie is not None
    points = dict(zip(FOUR, by_place.played.measures.points, strict=True))
    fewest, most = ([s for s in FOUR if points[s] == bound] for bound in (min(points.values()), max(points.values())))
    assert len(fewest) == len(most) == 2
    assert partie(by_place) == (min(fewest, key=left), (max(most, key=left),))
    assert all("partie.place" in entry.asked for entry in by_place.entries if entry.rule == "partie")
    silent = settle(tied, drop_answer(ruleset, "partie.place"))
    assert isinstance(silent, Unanswered) and silent.silent.question == "partie.place"


def test_an_order_that_leaves_one_asks_for_no_place(rules: Rules) -> None:
    def apart(d: Laid) -> bool:
        return mixed(d) and len({*map(d.points, FOUR)}) == 4

    ruleset = with_orders(rules("PAM"), partie_winner=("fewest-points",), partie_loser=("most-points",))
    found = settle(lay_deal(where=apart), drop_answer(ruleset, "partie.place"))
    assert isinstance(found, Settled) and found.outcome.partie is not None


def test_ger_x_g8_equals_may_share_the_satz_and_the_odd_counter_stays(settles: Settle) -> None:
    deal = read(record(laid(talon="JH", heart_first=True, where=trickless_pair), pool={"stake": 61, "waiting": []}))
    shared = settles(deal, "GER", "GER.i29")
    assert paid(shared, "stake-by-tricks") == {("pool", "west"): 30, ("pool", "north"): 30}
    assert shared.pool.stake == 1 + 4 * 2  # the odd one, and what everybody puts in for the quinola in the talon
    assert partie(shared)[0] == "west" and shared.outcome.next_dealer == 3
    one = settles(deal, "GER")
    assert "stake.tied" in one.asked and paid(one, "stake-by-tricks") == {("pool", "west"): 61}


def test_ger_x_g8_a_single_winner_shares_with_nobody(settles: Settle) -> None:
    def single(d: Laid) -> bool:
        return mixed(d) and sum(d.number(s) == 0 for s in FOUR) == 1

    settled = settles(lay_deal(talon="JH", heart_first=True, where=single), "GER", "GER.i29")
    assert list(paid(settled, "stake-by-tricks").values()) == [60] and "stake.tied" not in settled.asked


def test_pam_s0006_the_deal_goes_to_the_right(settles: Settle) -> None:
    deal = lay_deal(heart_first=True, where=mixed)
    for source in ("PAM", "ACA", "PAR"):
        assert settles(deal, source).outcome.next_dealer == 0


# ---- five players: X-A1, X-A2, X-G1
def test_aca_x_a1_five_players_have_no_opposite_and_settle(settles: Settle) -> None:
    for pack in (48, 52):
        d = laid(dealer="ann", pack=pack, seats=FIVE, heart_first=True, where=mixed)
        raw = record(d, dealer="ann", pack=pack)
        for source in ("ACA", "GER"):
            settled = settles(read(raw), source, "partie.opposite=2", "payments.opposite=2")
            plain = settles(read(raw), source)
            assert settled.net == plain.net
            assert settled.outcome.next_dealer == 1 or source == "GER"


def test_aca_x_a3_strict_needs_fewer_marking_cards_than_every_other(settles: Settle) -> None:
    def equal(d: Laid) -> bool:
        few = by_aca(d)
        marking = sorted(d.count(s, "AKQJ") for s in FOUR)
        return mixed(d) and d.count(few, "AKQJ") == marking[0] == marking[1] and by_tricks_alone(d)

    def by_tricks_alone(d: Laid) -> bool:
        return [d.number(s) for s in FOUR].count(d.number(by_aca(d))) == 1

    strict = "ACA.i07"
    deal = lay_deal(heart_first=True, where=lambda d: equal(d) and d.count(by_aca(d), "AKQJ") > 0)
    assert partie(settles(deal, "ACA", strict))[0] is None
    fewer = laid(
        heart_first=True,
        where=lambda d: by_tricks_alone(d) and sorted(d.count(s, "AKQJ") for s in FOUR)[1] > d.count(by_aca(d), "AKQJ"),
    )
    assert partie(settles(read(record(fewer)), "ACA", strict))[0] == by_aca(fewer)


def test_aca_x_a5_the_eldest_who_has_won_cannot_pay(settles: Settle) -> None:
    def level(d: Laid) -> bool:
        points = {s: d.points(s, ACA_POINTS) for s in FOUR}
        return mixed(d) and points["east"] == points["north"] == max(points.values()) and by_aca(d) == "south"

    deal = lay_deal(heart_first=True, where=level)
    assert partie(settles(deal, "ACA", "partie.loser=[most-points, eldest-if-tied]"))[1] == ("east",)


def test_the_stake_won_by_tricks_may_spare_the_renewal(settles: Settle) -> None:
    deal = lay_deal(talon="JH", heart_first=True, where=trickless_pair)
    assert settles(deal, "GER").pool.stake == 8
    assert settles(deal, "GER", "stake.refreshed.unless-won=only-if-not-won").pool.stake == 0
