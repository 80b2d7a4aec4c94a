"""How a deal that is wished may come about: every step of a plan, with the lot told beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.cards import parse_card_name as card
from engine.generation.draw_plan import (
    could_fall,
    draw_highest_cards,
    may_hold,
    plan_breaking_trick,
    plan_card,
    plan_espagnolette,
    plan_given_cards,
    plan_given_trick,
    plan_partie,
    plan_reversis,
    plan_strong_hands,
    plan_tricks_of_espagnolette,
    plan_voids,
    plan_winner_of_led_card,
    trick_number,
)
from engine.generation.follow_plan import demanded_card, follow_towards_plan, is_beaten, lead_towards_plan, throw_off
from engine.generation.partial_model import Sketch
from engine.generation.plan import Aim, Lost, Plan
from engine.generation.turn import TALON_PLACE, TableShape
from engine.generation.wishes import Wish, Word

A, B, C, D = range(4)
NAMES = {"south": A, "east": B, "north": C, "west": D}
SPADES, HEARTS, DIAMONDS, CLUBS = (card(f"2{suit}") >> 4 for suit in "SHDC")
LAST = 11


def cards(names: str) -> tuple[int, ...]:
    return tuple(map(card, names.split()))


class Lot(Random):
    """A lot that is told what to say: numbers for chances, and which of several is drawn (the first, unless told)."""

    def __init__(self, chances: Iterable[float] = (), draws: Iterable[int] = ()) -> None:
        super().__init__(0)
        self.chances, self.draws = list(chances), list(draws)
        self.seen: list[list[Any]] = []  #: among what was drawn
        self.weights: list[list[float]] = []

    def random(self) -> float:
        return self.chances.pop(0) if self.chances else 0.999

    def choice(self, seq: Any) -> Any:
        self.seen.append(list(seq))
        return list(seq)[self.draws.pop(0) if self.draws else 0]

    def choices(self, population: Any, weights: Any = None, **_: Any) -> Any:
        self.weights.append(list(weights))
        return [population[0]]

    def sample(self, population: Any, k: int, **_: Any) -> Any:
        self.seen.append(list(population))
        return list(population)[:k]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.seen.append(list(range(start, stop or 0)))
        return self.seen[-1][self.draws.pop(0) if self.draws else 0]

    def shuffle(self, x: Any) -> None:
        self.seen.append(list(x))


def plan(**what: Any) -> Plan:
    return Plan(4, LAST, A, **what)


def wish(subject: str, *words: str, trick: int | None = None, **seats: str) -> Wish:
    return Wish(subject, tuple(Word(w, seats.get(w.replace("-", "_"), "")) for w in words), trick=trick)


def taken(found: Plan) -> dict[int, set[int]]:
    return {trick: set(seats) for trick, seats in found.takers.items()}


# ---- what is given
def test_a_card_is_played_once_and_a_player_plays_one_card_a_trick() -> None:
    found = plan()
    found.aim(1, A, 3, "led")
    found.aim(2, B, 3)
    found.aim(3, A, 4)
    for number, seat, trick in ((1, A, 4), (9, A, 3), (9, B, 3)):
        with pytest.raises(Lost):
            found.aim(number, seat, trick)
    found.aim(1, A, 3, "led")  # the same once more is no contradiction
    assert found.held == {1: A, 2: B, 3: A}


def test_the_cards_that_are_known_of_a_trick_belong_to_those_whose_turn_it_is() -> None:
    found, lot = plan(), Lot()
    plan_given_trick(lot, found, 1, (card("5H"), card("9H"), None, card("KS")))
    assert found.held == {card("5H"): A, card("9H"): B, card("KS"): D}
    assert [(a.seat, a.trick, a.manner) for a in found.aims] == [(A, 1, "led"), (B, 1, ""), (D, 1, "")]
    assert lot.seen == [[A]] and not found.takers  # only the eldest may lead; a trick with a gap tells nothing


def test_of_a_known_trick_the_highest_of_the_suit_led_takes() -> None:
    found = plan()
    plan_given_trick(Lot(), found, 1, cards("5H AS 9H 7H"))
    assert taken(found) == {1: {C}}


def test_one_card_that_has_its_holder_tells_who_leads() -> None:
    for seat, leader in ((A, D), (B, A), (C, B), (D, C)):
        found = plan(held={card("9H"): seat})
        plan_given_trick(Lot(draws=[(leader + 1) % 4]), found, 3, (card("5H"), card("9H")))
        assert found.held[card("5H")] == leader and taken(found) == {2: {leader}}


def test_where_no_holder_is_known_one_leads_who_may_have_taken_the_trick_before() -> None:
    found, lot = plan(), Lot(draws=[1])
    found.takers[1], found.takers[3] = frozenset({B, D}), frozenset({C})
    plan_given_trick(lot, found, 2, (card("5H"),))
    assert lot.seen == [[B, D]] and found.held == {card("5H"): D} and taken(found)[1] == {D}


def test_a_trick_of_which_nothing_is_known_plans_nothing() -> None:
    found, lot = plan(), Lot()
    plan_given_trick(lot, found, 4, (None, None))
    assert found == plan() and not lot.seen


def test_cards_in_hands_and_in_the_talon_have_their_place() -> None:
    found = plan()
    plan_given_cards(
        Lot(), found, Sketch(hands={B: (1, 2)}, talon=(3,), tricks=((card("5H"),), (card("6H"), card("7H"))))
    )
    assert found.held[1] == found.held[2] == B and found.held[3] == TALON_PLACE
    assert [a.trick for a in found.aims] == [1, 2, 2]


# ---- reversis
def test_a_reversis_made_is_all_tricks_of_one() -> None:
    found = plan()
    plan_reversis(Lot(), found, wish("reversis", "made", made="north"), 2, NAMES)
    assert taken(found) == {trick: {C} for trick in range(1, 12)}


def test_a_reversis_undertaken_is_all_tricks_but_the_last() -> None:
    found = plan()
    plan_reversis(Lot(), found, wish("reversis", "undertaken", undertaken="north"), 2, NAMES)
    assert taken(found) == {trick: {C} for trick in range(1, 10)}


def test_nobody_is_named_so_anybody_may_have_undertaken_it_but_not_he_who_breaks_it() -> None:
    lot = Lot()
    plan_reversis(lot, plan(), wish("reversis", "broken", broken="west"), 2, NAMES)
    assert lot.seen[0] == [A, B, C]
    lot = Lot()
    plan_reversis(lot, plan(), wish("reversis", "broken"), 2, NAMES)
    assert lot.seen[0] == [A, B, C, D]


@pytest.mark.parametrize(("draw", "trick"), [(0, 10), (1, 11)])
def test_a_reversis_is_broken_in_one_of_the_last_tricks_and_kept_up_before(draw: int, trick: int) -> None:
    for against, takers in ((A, {A}), (D, {D}), (-1, {A, B, D})):
        found, lot = plan(), Lot(draws=[draw])
        plan_breaking_trick(lot, found, C, against, 2)
        assert lot.seen == [[10, 11]]
        assert taken(found) == {**{t: {C} for t in range(10, trick)}, trick: takers}


def test_where_all_tricks_count_no_reversis_can_be_broken() -> None:
    with pytest.raises(Lost):
        plan_breaking_trick(Lot(), plan(), C, -1, 0)


@pytest.mark.parametrize(("chance", "first"), [(0.49, {C, D}), (0.5, {A}), (0.9, {A})])
def test_no_reversis_is_two_players_with_an_early_trick_each(chance: float, first: set[int]) -> None:
    found, lot = plan(), Lot([chance])
    plan_reversis(lot, found, wish("reversis", "none"), 2, NAMES)
    assert lot.seen == [[A, B, C, D], list(range(1, 10))]
    assert taken(found) == {1: first, 2: {B}}


# ---- espagnolette
def asks(**said: Any) -> Any:
    return SimpleNamespace(
        tables=lambda question: said.get("hands", ({"aces": 3, "quinola": True},)), number=lambda question: 2
    )


def test_who_is_to_take_the_first_trick_is_not_to_use_the_privilege() -> None:
    found, lot = plan(), Lot()
    found.takers = {1: frozenset({A}), 2: frozenset({B}), 5: frozenset({C, D})}
    plan_espagnolette(lot, found, wish("espagnolette", "undertaken"), asks(), NAMES, card("JH"))
    assert lot.seen[0] == [B, C, D]
    assert found.holder == B and found.held[card("JH")] == B and sum(p == B for p in found.held.values()) == 4


def test_rules_without_an_espagnolette_give_none() -> None:
    with pytest.raises(Lost):
        plan_espagnolette(Lot(), plan(), wish("espagnolette", "won"), asks(hands=()), NAMES, card("JH"))


@pytest.mark.parametrize(("chance", "among"), [(0.69, [10, 11]), (0.7, list(range(1, 12))), (0.9, list(range(1, 12)))])
def test_an_espagnolette_that_is_lost_takes_a_trick_mostly_late(chance: float, among: list[int]) -> None:
    found, lot = plan(), Lot([chance])
    plan_tricks_of_espagnolette(lot, found, wish("espagnolette", "lost"), 2, 3, D)
    assert lot.seen == [among] and taken(found) == {among[0]: {D}}


@pytest.mark.parametrize(("draw", "trick"), [(0, 9), (2, 11)])
def test_an_espagnolette_that_breaks_takes_one_of_the_last_and_the_reversis_goes_on_before(
    draw: int, trick: int
) -> None:
    found, lot = plan(), Lot(draws=[draw])
    found.takers = {t: frozenset({A}) for t in (1, 9, 10, 11)} | {2: frozenset({B})}
    plan_tricks_of_espagnolette(lot, found, wish("espagnolette", "breaking"), 2, 3, D)
    assert taken(found) == {1: {A}, 9: {A}, 10: {A}, 11: {A}, 2: {B}} | {trick: {D}}
    found.takers = {1: frozenset({A})}
    plan_tricks_of_espagnolette(Lot(draws=[2]), found, wish("espagnolette", "breaking"), 2, 3, D)
    assert taken(found) == {1: {A}, 9: {A}, 10: {A}, 11: {D}}


def test_an_espagnolette_that_wins_takes_none_of_the_last() -> None:
    found = plan()
    plan_tricks_of_espagnolette(Lot(), found, wish("espagnolette", "won"), 2, 3, D)
    assert taken(found) == {10: {A, B, C}, 11: {A, B, C}}


@pytest.mark.parametrize(
    ("bound", "among"), [(0, [*range(1, 12)]), (1, [11]), (11, [*range(1, 12)]), (40, [*range(1, 12)])]
)
def test_who_may_renounce_to_the_end_loses_by_any_trick(bound: int, among: list[int]) -> None:
    found, lot = plan(), Lot([0.1])
    plan_tricks_of_espagnolette(lot, found, wish("espagnolette", "lost"), bound, 2, D)
    assert lot.seen == [among] and taken(found) == {among[0]: {D}}
    plan_tricks_of_espagnolette(Lot(), found := plan(), wish("espagnolette", "won"), bound, 2, D)
    assert taken(found) == {trick: {A, B, C} for trick in among}


def test_a_reversis_is_broken_in_its_own_last_tricks_whenever_the_privilege_ends() -> None:
    found, lot = plan(), Lot(draws=[1])
    plan_tricks_of_espagnolette(lot, found, wish("espagnolette", "breaking"), 0, 2, D)
    assert lot.seen == [[10, 11]] and taken(found)[11] == {D}
    with pytest.raises(Lost, match="a reversis that fails was none"):
        plan_tricks_of_espagnolette(Lot(), plan(), wish("espagnolette", "breaking"), 2, 0, D)


@pytest.mark.parametrize(("late", "early"), [(9, 2), (10, 1), (11, 0), (12, 0)])
def test_there_is_always_a_reversis_or_never_one_where_so_few_tricks_decide_it(late: int, early: int) -> None:
    for word, ways in (("none", (2, 0)), ("made", (2, 1)), ("undertaken", (2, 1))):
        found = plan()
        if early in ways:
            plan_reversis(Lot([0.9]), found, wish("reversis", word), late, NAMES)
            assert word != "none" or taken(found) == ({1: {A}, 2: {B}} if early else {})
        else:
            with pytest.raises(Lost, match="always a reversis, or never one"):
                plan_reversis(Lot(), found, wish("reversis", word), late, NAMES)


# ---- partie
@pytest.mark.parametrize(("chance", "among"), [(0.59, [C]), (0.6, [A, B, C, D]), (0.9, [A, B, C, D])])
def test_the_winner_of_the_partie_is_often_he_who_holds_the_privileged_hand(chance: float, among: list[int]) -> None:
    found, lot = plan(holder=C), Lot([chance])
    plan_partie(lot, found, wish("partie", "won"), NAMES)
    assert lot.seen == [among] and found.winner == among[0]


def test_who_is_to_win_already_wins_and_without_a_trick_if_that_is_wished() -> None:
    found, lot = plan(holder=C, winner=B), Lot()
    plan_partie(lot, found, wish("partie", "without-a-trick"), NAMES)
    assert lot.seen == [[B]] and found.winner == B
    assert taken(found) == {trick: {A, C, D} for trick in range(1, 12)}


def test_everybody_takes_a_trick_of_those_that_are_free() -> None:
    found, lot = plan(winner=B), Lot()
    found.takers = {1: frozenset({A}), 2: frozenset({B, C}), 3: frozenset({C, D, A})}
    plan_partie(lot, found, wish("partie", "with-a-trick"), NAMES)
    assert lot.seen[-1] == list(range(2, 12))
    assert taken(found) == {1: {A}, 2: {B}, 3: {C}, 4: {D}}


# ---- one card
def test_who_leads_sits_where_the_winner_is_wished_and_the_privileged_wins_only_if_he_keeps_it() -> None:
    led = wish("ace", "led", "opposite", trick=5)
    for holder, keeps, winners in ((None, False, [A, B, C, D]), (C, True, [C]), (C, False, [A, B, D])):
        found, lot = plan(holder=holder), Lot()
        plan_winner_of_led_card(lot, found, led, card("AS"), keeps)
        assert {winner for _, winner in lot.seen[0]} == set(winners)
        assert all((winner - held) % 4 == 2 for held, winner in lot.seen[0])


def test_a_card_laid_away_has_its_place_and_nothing_else_is_planned() -> None:
    found = plan()
    plan_card(Lot(), found, wish("quinola", "laid-away"), NAMES, card("JH"))
    assert found.held == {card("JH"): TALON_PLACE} and not found.aims


@pytest.mark.parametrize("name", NAMES)
def test_who_is_to_force_a_card_does_not_hold_it_and_leads_to_its_trick(name: str) -> None:
    found, lot = plan(), Lot()
    plan_card(lot, found, wish("quinola", "forced", trick=5, forced=name), NAMES, card("JH"))
    assert lot.seen[0] == sorted({A, B, C, D} - {NAMES[name]})
    assert taken(found) == {4: {NAMES[name]}}
    lot = Lot()
    plan_card(lot, plan(), wish("quinola", "forced", trick=5), NAMES, card("JH"))
    assert lot.seen[0] == [A, B, C, D]


def test_a_card_may_be_held_by_those_who_may_lead_it_or_need_not_lead() -> None:
    found = plan()
    found.takers = {2: frozenset({B, C}), 3: frozenset({A, B}), 4: frozenset({D}), 5: frozenset({A, D})}
    led, followed = wish("ace", "led", trick=3), wish("ace", "followed", trick=3)
    ace, quinola = card("AS"), card("JH")
    assert may_hold(found, led, ace) == {B} and may_hold(found, led, quinola) == {B, C}
    assert may_hold(found, followed, ace) == {A, B} and may_hold(found, followed, quinola) == {A, B, C, D}
    after = wish("ace", "followed", trick=5)
    assert may_hold(found, after, ace) == {A} and may_hold(found, after, quinola) == {A, B, C}
    assert may_hold(found, wish("ace", "led", trick=5), ace) == {D}
    assert may_hold(found, wish("ace", "led", trick=1), ace) == {A}
    assert may_hold(found, wish("ace", "led", trick=2), quinola) == {A, B, C, D}
    assert may_hold(found, wish("ace", "led"), ace) == may_hold(found, wish("ace", trick=3), ace) == {A, B, C, D}


def test_tricks_are_counted_from_the_first_or_from_the_last() -> None:
    assert [trick_number(plan(), n) for n in (1, 11, -1, -2, None)] == [1, 11, 11, 10, None]
    with pytest.raises(Lost):
        trick_number(plan(), 12)


def test_a_card_falls_where_its_holder_has_the_lead_or_has_it_not() -> None:
    found = plan()
    found.takers = {1: frozenset({B}), 3: frozenset({B, C}), 4: frozenset({D})}
    found.aims = [Aim(1, B, 4)]
    told = {(m, s, t): could_fall(found, m, s, t) for m in ("led", "followed") for s in (A, B, C) for t in (1, 2, 4, 5)}
    assert {key for key, may in told.items() if may} == {
        ("led", A, 1), ("led", B, 2), ("led", C, 4),
        ("followed", B, 1), ("followed", C, 1), ("followed", A, 2), ("followed", C, 2),
        ("followed", A, 4), ("followed", C, 4), ("followed", A, 5), ("followed", B, 5), ("followed", C, 5),
    }  # fmt: skip


# ---- the hands that help
def test_who_throws_off_soon_gets_a_void_and_the_later_the_seldomer() -> None:
    for chance, trick, helped in ((0.199, 11, True), (0.2, 11, False), (0.9, 1, True), (0.75, 5, False)):
        found, lot = plan(), Lot([chance])
        found.aim(card("AS"), B, trick, "thrown-off")
        plan_voids(lot, found, -1)
        assert (lot.seen == [[s for s in range(4) if s != SPADES]]) == helped, (chance, trick)
        assert bool(found.without) == helped
    exactly = 1.2 - 5 / LAST
    found = plan()
    found.aim(card("AS"), B, 5, "thrown-off")
    plan_voids(Lot([exactly]), found, -1)
    assert not found.without


def test_in_a_first_trick_that_must_be_led_in_a_suit_the_void_is_in_that_suit() -> None:
    found, lot = plan(), Lot([0.0])
    found.aim(card("AS"), B, 1, "thrown-off")
    plan_voids(lot, found, HEARTS)
    assert found.without == {B: {HEARTS}}
    found = plan()
    found.aim(card("AS"), B, 1, "followed")
    plan_voids(Lot(), found, HEARTS)
    assert found.without == {A: {HEARTS}}  # the eldest, who must lead otherwise
    found = plan()
    found.aim(card("AS"), B, 2, "followed")
    plan_voids(Lot(), found, HEARTS)
    assert found.without == {}


@pytest.mark.parametrize(("chance", "alone"), [(0.29, True), (0.3, False)])
def test_who_follows_is_sometimes_dealt_no_other_card_of_the_suit(chance: float, alone: bool) -> None:
    found = plan()
    found.aim(card("AS"), B, 4, "followed")
    plan_voids(Lot([chance]), found, -1)
    assert found.without == ({B: {SPADES}} if alone else {})


SHAPE = TableShape(4, 48, LAST, 4)


@pytest.mark.parametrize(("own", "strong"), [(7, False), (8, True), (11, True)])
def test_who_is_to_take_nearly_all_tricks_is_dealt_as_many_high_cards(own: int, strong: bool) -> None:
    found = plan()
    found.takers = {trick: frozenset({C}) for trick in range(1, own + 1)}
    found.hold(card("2S"), C)
    plan_strong_hands(Lot(), found, SHAPE)
    held = [c for c, p in found.held.items() if p == C]
    assert len(held) == (LAST - (LAST - own) if strong else 1)


def test_high_cards_are_drawn_from_the_top_of_suits_that_are_not_barred() -> None:
    found, lot = plan(), Lot()
    found.without = {C: {SPADES}}
    found.held = {card("AH"): A}
    cards = list(draw_highest_cards(lot, found, C, SHAPE, 3))
    suits = [s for s in range(4) if s != SPADES]
    assert all(len(weights) == 3 and set(weights) <= {0.3, 1.0, 3.0} for weights in lot.weights)
    first = min(suits)
    assert all(c >> 4 == first for c in cards) and len(cards) == 3
    top = [c for c in sorted(range(first * 16, first * 16 + 16), reverse=True)]
    assert cards == sorted(cards, reverse=True) and card("AH") not in cards and cards[0] in top
    assert (
        list(draw_highest_cards(Lot(), found, C, SHAPE, 0))
        == list(draw_highest_cards(Lot(), found, C, SHAPE, -2))
        == []
    )


def test_when_no_card_of_an_open_suit_is_left_no_more_are_dealt() -> None:
    found = plan(without={C: {0, 1, 2}})
    assert len(list(draw_highest_cards(Lot(), found, C, SHAPE, 40))) == 12


# ---- playing towards it
def turn(hands: dict[int, str], seat: int = A, row: Sequence[str] = (), number: int = 3, legal: str = "") -> Any:
    bits = [sum(1 << card(c) for c in hands.get(s, "").split()) for s in range(4)]
    own = tuple(card(c) for c in (legal or hands.get(seat, "")).split())
    order = {leader: [(leader + i) % 4 for i in range(4)] for leader in range(4)}
    table = SimpleNamespace(hands=bits, turns=order, leader=A)
    return SimpleNamespace(seat=seat, number=number, row=tuple(map(card, row)), legal=own, table=table)


def test_a_card_is_demanded_only_where_it_may_be_played_and_in_the_manner_wished() -> None:
    here = turn({B: "AS 2H"}, B, ["5S"])
    assert demanded_card(Aim(card("AS"), B, 3, "followed"), here) == card("AS")
    assert demanded_card(Aim(card("AS"), B, 3, ""), here) == card("AS")
    for aim in (Aim(card("AS"), B, 3, "thrown-off"), Aim(card("KS"), B, 3, "followed"), Aim(card("KS"), B, 3, "")):
        with pytest.raises(Lost):
            demanded_card(aim, here)


@pytest.mark.parametrize(("chance", "drawn"), [(0.149, True), (0.15, False)])
def test_a_lead_is_now_and_then_any_card(chance: float, drawn: bool) -> None:
    found, lot = plan(), Lot([chance])
    found.takers[3] = frozenset({B})  # he is not to take it: else he leads his lowest
    assert lead_towards_plan(lot, found, turn({A: "KS 2H 9D"}), cards("KS 2H 9D")) == (
        card("KS") if drawn else card("2H")
    )


def test_a_card_is_beaten_by_a_higher_one_of_its_suit_in_another_hand() -> None:
    here = turn({A: "9S KS", B: "TS 2H", C: "AH"})
    assert is_beaten(card("9S"), here) and not is_beaten(card("KS"), here)
    assert not is_beaten(card("TS"), turn({A: "", B: "TS"}))


FREE = ("KS", "9S", "2S", "AH")


def followed(found: Plan, lot: Lot, row: Sequence[str] = ("5S", "9S"), free: Sequence[str] = FREE) -> int:
    return follow_towards_plan(lot, found, turn({C: " ".join(free)}, C, row), tuple(map(card, free)))


@pytest.mark.parametrize(("chance", "found"), [(0.59, "AS"), (0.6, "KS")])
def test_who_alone_is_to_take_takes_mostly_with_the_highest(chance: float, found: str) -> None:
    mine = plan()
    mine.takers[3] = frozenset({C})
    lot = Lot([chance])
    assert followed(mine, lot, free=("KS", "AS", "2S", "AH")) == card(found)
    assert lot.seen == ([] if chance < 0.6 else [[card("KS"), card("AS")]])


def test_a_card_as_high_as_the_best_does_not_take() -> None:
    mine, lot = plan(), Lot([0.9])
    mine.takers[3] = frozenset({C})
    followed(mine, lot, row=("5S", "9S"), free=("KS", "9S", "2S", "AH"))
    assert lot.seen == [[card("KS")]]


@pytest.mark.parametrize(("chance", "loads"), [(0.49, True), (0.5, False)])
def test_high_cards_go_on_the_tricks_of_those_who_are_not_to_win(chance: float, loads: bool) -> None:
    mine = plan(winner=D)
    lot = Lot([chance])
    card_played = followed(mine, lot)
    assert (card_played == card("AH")) == loads
    assert bool(lot.seen) != loads


@pytest.mark.parametrize(("takers", "shy"), [({B, C}, True), ({A, B, C, D}, True), ({C}, False)])
def test_who_is_to_win_keeps_out_of_a_trick_that_another_may_take(takers: set[int], shy: bool) -> None:
    mine = plan(winner=C)
    mine.takers[3] = frozenset(takers)
    lot = Lot([0.9, 0.9, 0.9])
    assert followed(mine, lot) in map(card, FREE)
    under = [card(c) for c in FREE if c != "KS"]
    assert lot.seen == ([under] if shy else [[card("KS")]])


@pytest.mark.parametrize(
    ("chances", "found"),
    [([0.29, 0.5, 0.5, 0.5], "AH"), ([0.3, 0.5, 0.5, 0.5], "9D"), ([0.59, 0.5, 0.5, 0.5], "9D"), ([0.6], "2S")],
)
def test_a_card_to_be_rid_of_is_a_high_one_or_of_a_short_suit_or_any(chances: list[float], found: str) -> None:
    free = cards("2S AH 9D")
    here = turn({C: "2S 3S AH 4H 9D"}, C, ["5C"])
    assert throw_off(Lot(chances), plan(), here, free) == card(found)
    assert throw_off(Lot(), plan(holder=C), turn({C: "2S AH"}, C, ["5S"]), free[:2]) == card("AH")
