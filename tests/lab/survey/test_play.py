"""The compiled path piece by piece: criteria, fields of the outcome, what it refuses, the lot, and ways of playing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from engine.cards import cards_of, make_card_mask
from engine.deal.events import Fact, Measures
from engine.deal.model import Deal
from engine.play import trick as mechanics
from engine.players import preferences as policies
from engine.readings.ask import Ask
from engine.readings.meanings.criteria import AMONG_EQUALS, CRITERIA, PARTIE_PLACES
from engine.readings.meanings.deal import HEART_EXCEPTION
from engine.readings.meanings.espagnolette import LOST_BY, UNDERTAKEN
from engine.readings.meanings.play import NEXT_LEADER, QUINOLA_FREE
from engine.readings.meanings.reversis import BREAKERS
from engine.settlement.outcome import DealOutcome, pick_seat_by_criteria
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import play_single as singly
from lab.survey import rng as lots
from lab.survey.buffers import FORBIDDEN, NO_CARD, IntArray
from lab.survey.encode_rules import EXCEPTED, TALON_SIZE, TRICKS_PER_DEAL, Unsurveyed, encode_play_rules
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.jit import INTERPRETED
from lab.survey.outcomes import encode, layout, ranking, single
from lab.survey.outcomes.layout import (
    CRITERION_NAMES,
    FIRST_IN_PLAY,
    MAX_CRITERIA,
    OPEN_FIELD_CODES,
    OUTCOME_FIELD_NAMES,
    WINNERS,
)
from lab.survey.play_rules import BLOCK, deal_block, find_legal_discards
from lab.survey.request import SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from lab.survey.tariff import FEATURE_VALUES
from rulebook.model import Library, Ruleset, Silent
from tests.support.in_one_test import in_one_test
from tests.support.settling import ONE_QUINOLA, SIGLA

pytestmark = pytest.mark.usefixtures("compiled")
# deals that are played; where nothing is compiled, each takes a thousand times as long
MANY = 24 if INTERPRETED else 2000


def made_up(answers: Mapping[str, object]) -> Ruleset:
    """Rules that answer just these questions."""
    rulings = {slug: SimpleNamespace(value=value) for slug, value in answers.items()}
    return cast(Ruleset, SimpleNamespace(rulings=rulings, name="made up", reasons={}, source="made up"))


def slugs(answers: Mapping[str, object]) -> dict[str, object]:
    """Answers by question; _ stands for a dot, __ for a hyphen."""
    return {slug.replace("__", "-").replace("_", "."): value for slug, value in answers.items()}


def ruled(**answers: object) -> Ruleset:
    return made_up(slugs(answers))


def but(ruleset: Ruleset, **answers: object) -> Ruleset:
    """A source's rules with other answers, whatever they may be; None takes an answer away."""
    given = {slug: ruling.value for slug, ruling in ruleset.rulings.items()} | slugs(answers)
    return made_up({slug: value for slug, value in given.items() if value is not None})


# ---- measures by lot
def shared_out(rng: Random, things: int) -> list[int]:
    """So many things among four seats, by lot; now and then all with few of them."""
    among = rng.sample(range(SURVEY_SEATS), rng.randint(1, SURVEY_SEATS))
    found = [0] * SURVEY_SEATS
    for _ in range(things):
        found[rng.choice(among)] += 1
    return found


def laid(rng: Random, takers: list[int], points: tuple[int, ...] = (4, 3, 2, 1)) -> tuple[Measures, int]:
    """The measures of a deal, and what each has taken as the compiled path keeps it."""
    ranks = [shared_out(rng, 4) for _ in range(4)]  # aces, kings, queens, knaves
    tricks = [takers.count(seat) for seat in range(SURVEY_SEATS)]
    of = [tuple(rank[seat] for rank in ranks) for seat in range(SURVEY_SEATS)]
    measures = Measures(
        SURVEY_SEATS,
        SURVEY_SEATS - 1,
        0,
        TRICKS_PER_DEAL,
        tuple(takers),
        tuple(sum(n * worth for n, worth in zip(one, points, strict=True)) for one in of),
        tuple(tricks),
        tuple(map(sum, of)),
        tuple(sum(one[:3]) for one in of),
        tuple(rng.sample([c for c in range(64) if c & 15 < 13 and c & 15 != 8], TALON_SIZE)),
        talon_due=TALON_SIZE,
    )
    taken = 0
    for seat, (a, k, q, j) in enumerate(of):
        taken |= (a | k << 3 | q << 6 | j << 9 | tricks[seat] << 12) << 16 * seat
    return measures, signed(taken)


def signed(number: int) -> int:
    """A number of 64 bits as the compiled path has it."""
    return number - (1 << 64) if number >> 63 else number


def any_takers(rng: Random) -> list[int]:
    """Who took the tricks: often one player all but the last few."""
    hero, some = rng.randrange(SURVEY_SEATS), rng.sample(range(SURVEY_SEATS), rng.randint(1, SURVEY_SEATS))
    spared = rng.choice((0, 0, 1, 2, 3, 11))
    return [hero if trick < TRICKS_PER_DEAL - spared else rng.choice(some) for trick in range(TRICKS_PER_DEAL)]


# ---- criteria
def lists(rng: Random, number: int) -> Iterator[tuple[str, ...]]:
    """Every criterion by itself, every list that a source has, and lists by lot."""
    yield from ((one,) for one in CRITERION_NAMES)
    yield ()
    yield from (tuple(rng.choices(CRITERION_NAMES, k=rng.randint(1, MAX_CRITERIA - 2))) for _ in range(number))


def row_of(criteria: tuple[str, ...], place: str) -> IntArray:
    """The row of rules that have this list to find the winner, and the stake, by it."""
    row = np.full(layout.OUTCOME_RULES_WIDTH, -1, np.int64)
    row[layout.OutcomeRuleColumn.PLACE] = layout.PLACE_READINGS.index(place)
    row[layout.ACE_ : layout.KNAVE_ + 1] = (4, 3, 2, 1)
    for at in (layout.WINNERS, layout.BY_TRICKS):
        encode.encode_criteria(Ask(ruled(a_list=criteria)), layout.OutcomeRuleColumn(at), "a.list", row)
    return row


@pytest.mark.slow
def test_a_list_of_criteria_finds_the_same_seat() -> None:
    rng, (counts, _) = Random(8), single.make_work_room()
    tried = 0
    for criteria in lists(rng, 120):
        place = rng.choice(layout.PLACE_READINGS)
        row, ask = row_of(criteria, place), Ask(ruled(a_list=criteria, partie_place=place))
        for _ in range(40):
            (m, taken), seats = laid(rng, any_takers(rng)), rng.randrange(1, 1 << SURVEY_SEATS)
            single.count_tricks(row, taken, counts)
            expected = pick_seat_by_criteria(m, [s for s in range(SURVEY_SEATS) if seats >> s & 1], ask, "a.list")
            found = ranking.best_seat(row, WINNERS, seats, counts)
            assert found == (0 if expected is None else expected + 1), (criteria, seats, m)
            tried += 1
    assert tried > 4000


# ---- the whole outcome
ANSWERS: dict[str, tuple[object, ...]] = {
    "reversis.undertaken": (0, 1, 2, 3),
    "reversis.broken.breaker": (*BREAKERS, None),
    "reversis.stake": ("own-quinola-early", "draws", "nothing", None),
    "espagnolette.hands": ((),),
    "espagnolette.undertaken": (*UNDERTAKEN, None),
    "espagnolette.lost-by": (*LOST_BY, *LOST_BY, None),
    "espagnolette.until": (0, 2, 2, 2, 11, None),
    "espagnolette.third-breaks": ("stands", "annulled", None),
    "espagnolette.lost.partie": ("he-pays-the-natural-winner", "natural-order", None),
    "espagnolette.kept-trick": ("wins", "natural-order", None),
    "espagnolette.won.partie": ("wins", "natural-order", None),
    "partie.in-reversis": ("not-settled", "settled-by-the-others", None),
    "partie.place": (*PARTIE_PLACES, None),
    "quinola.thrown-off.stake": ("draws", "nothing", None),
    "stake.tied": ("one", "shared", None),
    "talon.bonus": (0, 4, None),
    "talon.special-cards": ({"AD": 7}, {}, None),
    "cards.points": ({"A": 4, "K": 3, "Q": 2, "J": 1},),
}


def rules_by_lot(rng: Random) -> Ruleset:
    given = {slug: rng.choice(readings) for slug, readings in ANSWERS.items()}
    for slug in ("partie.winner", "partie.loser", "stake.by-tricks"):
        given[slug] = tuple(rng.choices(CRITERION_NAMES, k=rng.randint(0, 3)))
    return made_up({slug: value for slug, value in given.items() if value is not None})


def number_of(name: str, outcome: DealOutcome, ruleset: Ruleset) -> int:
    """A field of the readable outcome as the compiled path has it."""
    try:
        value = outcome.field(name)[0]
    except Silent:
        return len(FEATURE_VALUES[name]) - 1
    if isinstance(value, tuple):
        value = tuple(sorted(value))
    return list(FEATURE_VALUES[name]).index(value)


@pytest.mark.slow
def test_every_field_of_the_outcome_is_the_same_by_any_rules_and_in_any_deal() -> None:
    """Also where the rules are silent on what leads to a field: both paths leave just the same fields open."""
    rng, (counts, f), seen = Random(3), single.make_work_room(), {name: set[int]() for name in OUTCOME_FIELD_NAMES}
    manners = ("led", "followed", "thrown-off", "laid-away")
    for _ in range(500):
        ruleset = rules_by_lot(rng)
        row = encode.encode_outcome_rules(ruleset)
        for _ in range(6):
            m, taken = laid(rng, any_takers(rng))
            holder, manner = rng.choice((None, *range(SURVEY_SEATS))), rng.choice(manners)
            quinola = Fact("quinola", SURVEY_SEATS, SURVEY_SEATS - 1, 0, TRICKS_PER_DEAL, manner=manner, player=0)
            m = replace(m, holder=holder, renounced=holder is not None and rng.random() < 0.7, quinola=quinola)
            told = (0 if holder is None else holder + 1) | int(m.renounced) << played.RENOUNCED
            facts = np.full((5, 1), manners.index(manner) << played.MANNER, np.int64)
            takers = sum(taker << 2 * trick for trick, taker in enumerate(m.takers))
            into = (facts, *(np.array([n], np.int64) for n in (taken, takers, signed(make_card_mask(m.talon)), told)))
            fields, points = np.zeros((1, 13), np.int64), np.zeros((1, SURVEY_SEATS), np.int64)
            single.compute_outcome(row, into, 0, counts, f, fields, points)
            outcome = DealOutcome(m, Ask(ruleset))
            expected = {name: number_of(name, outcome, ruleset) for name in OUTCOME_FIELD_NAMES}
            found = dict(zip(OUTCOME_FIELD_NAMES, fields[0].tolist(), strict=True))
            if told_in_words(expected, ruleset, m):
                assert found == expected, (ruleset.rulings, m)
            else:
                assert any(found[name] == len(FEATURE_VALUES[name]) - 1 for name in ENDING), (ruleset.rulings, m)
            assert points[0].tolist() == [*m.points]
            for name, value in found.items():
                seen[name].add(value)
    for at, name in enumerate(OUTCOME_FIELD_NAMES):
        assert int(OPEN_FIELD_CODES[at]) in seen[name] or name in ("hero", "made", "broken_in"), name
        assert len(seen[name]) > 2 or name in ("made",), name


ENDING = ("espagnolette", "breakers", "winner", "loser")


def told_in_words(fields: dict[str, int], ruleset: Ruleset, m: Measures) -> bool:
    """Whether the ending of a deal can be told; without what loses an espagnolette it cannot, and the deal is open."""
    lost_by = {"espagnolette.lost-by", "espagnolette.until"} <= {*ruleset.rulings}
    return lost_by or not (0 < fields["espagnolette"] <= SURVEY_SEATS and fields["hero"])


# ---- tables of meanings that compiled code knows by heart
def test_the_readings_known_by_heart_are_those_that_have_a_meaning() -> None:
    assert {*CRITERION_NAMES} == {*CRITERIA} and {*layout.BREAKER_READINGS} == {*BREAKERS}
    assert {*layout.UNDERTAKEN_READINGS} == {*UNDERTAKEN} and {*layout.LOST_BY_READINGS} == {*LOST_BY}
    assert {*layout.PLACE_READINGS} == {*PARTIE_PLACES} and {*EXCEPTED} == {*HEART_EXCEPTION}
    assert {CRITERION_NAMES[at] for at in np.flatnonzero(layout.AMONG)} == {*AMONG_EQUALS}
    assert CRITERION_NAMES[FIRST_IN_PLAY] == "first-in-play" and CRITERION_NAMES[layout.NOBODY_] == "nobody"


@pytest.mark.parametrize("reading", QUINOLA_FREE)
def test_the_row_says_when_a_lone_quinola_is_free(rules: Any, reading: str) -> None:
    row = encode_play_rules(but(rules("PAM"), play_quinola__alone=reading))
    for trick, hearts in product(range(TRICKS_PER_DEAL), range(TRICKS_PER_DEAL + 1)):
        assert row[Column.FREE + trick] >> hearts & 1 == QUINOLA_FREE[reading](trick, hearts)


# ---- what is refused
@in_one_test(
    "answers",
    [
        {"reversis_broken_breaker": "the-last"},
        {"espagnolette_undertaken": "by-knocking"},
        {"espagnolette_lost__by": "two-tricks"},
        {"partie_place": "eldest-first"},
        {"partie_winner": ("fewest-points", "youngest")},
        {"partie_loser": ("youngest",)},
        {"stake_by__tricks": ("youngest",)},
        {"partie_winner": ("fewest-points",) * MAX_CRITERIA},
        {"partie_winner": None},
        {"reversis_undertaken": 11},
        {"espagnolette_until": 12},
        {"talon_bonus": 64},
        {"talon_special__cards": {"AD": 60, "AS": 4}},
        {"talon_special__cards": {"AD": -4}},
        {"cards_points": {"A": 4, "9": 1}},
        {"cards_points": {"A": 9, "K": 7}},
        {"cards_points": {"A": -4}},
    ],
)
def test_an_outcome_that_compiled_code_does_not_know_is_refused(rules: Any, answers: dict[str, object]) -> None:
    encode.encode_outcome_rules(rules("PAM"))
    with pytest.raises(Unsurveyed):
        encode.encode_outcome_rules(but(rules("PAM"), **answers))


@pytest.mark.parametrize(
    "answers",
    [
        {"exchange_heart__exception": ("lone-quinola", "lone-ace"), "exchange_hearts": "forbidden"},
        {"play_first__leader": "dealer"},
        {"play_follow": None},
        {"play_quinola__alone": None},
        {"deal_next__dealer": None},
        {"quinola_card": "AH"},
        {"quinola_card": "TH"},
        {"cards_order": "KQJT98765432A"},
        {"table_shapes": ({"players": 4, "pack": 48, "hand": 10, "talon": 8},)},
        {"table_players": "five"},
        {"table_pack": "with-tens"},
    ],
    ids=str,
)
def test_a_way_of_playing_that_compiled_code_does_not_know_is_refused(rules: Any, answers: dict[str, object]) -> None:
    encode_play_rules(rules("PAM"))
    with pytest.raises(Unsurveyed):
        encode_play_rules(but(rules("PAM"), **answers))


def test_another_next_leader_is_refused(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NEXT_LEADER, "right-of-taker", lambda taker, eldest: (taker + 1) % SURVEY_SEATS)  # type: ignore[arg-type]
    with pytest.raises(Unsurveyed, match="leads to the next trick"):
        encode_play_rules(but(rules("PAM"), play_next__leader="right-of-taker"))


def test_every_ruleset_of_every_source_is_known(library: Library) -> None:
    priser = work.get_deal_pricer(library)
    for siglum in library.sources:
        _, row, of = priser.rules(Rules(siglum))
        assert len(row) == Column.FREE + TRICKS_PER_DEAL and len(of) == layout.OUTCOME_RULES_WIDTH


# ---- deals by lot
def order_of(policy: str = policies.RANDOM, siglum: str = "PAM", seed: int = 9, deals: int = 300) -> SurveyOrder:
    return SurveyOrder(seed, policy, deals, (SurveyTable(Rules(siglum)),))


def played_by(library: Library, order: SurveyOrder, numbers: range) -> tuple[played.PlayedDeals, tuple[int, ...]]:
    _, row, _ = work.get_deal_pricer(library).rules(order.tables[0].rules)
    return work.play_piece_deals(order, np.array(row, np.int64), numbers), row


@pytest.mark.parametrize("policy", policies.SURVEY_POLICIES)
@pytest.mark.parametrize("siglum", SIGLA)
def test_what_was_played_side_by_side_is_the_same_when_replayed_one_by_one(
    library: Library, siglum: str, policy: str
) -> None:
    deals, row = played_by(library, order_of(policy, siglum, deals=MANY), range(MANY))
    other = work.replay_piece_deals(deals, np.array(row, np.int64))
    told = deals.told & ((1 << FORBIDDEN + 1) - 1)  # the rest tells of the cards as dealt
    assert (deals.facts == other.facts).all() and (deals.taken == other.taken).all()
    assert (deals.takers == other.takers).all() and (told == other.told).all()
    assert not (told >> FORBIDDEN & 1).any()


@pytest.mark.parametrize("wish", ["play.follow=need-not", "play.quinola-alone=free"])
def test_who_was_free_to_keep_a_card_is_told_by_both_ways_of_playing(library: Library, wish: str) -> None:
    """Side by side, and replayed one by one: where nobody has to follow, or the holder of a lone quinola has not."""
    order = SurveyOrder(9, policies.RANDOM, 300, (SurveyTable(Rules("PAM", (wish,))),))
    deals, row = played_by(library, order, range(300))
    other = work.replay_piece_deals(deals, np.array(row, np.int64))
    assert (deals.facts == other.facts).all() and (deals.takers == other.takers).all()
    assert not (other.told >> FORBIDDEN & 1).any()


@pytest.mark.parametrize("policy", policies.SURVEY_POLICIES)
def test_a_deal_depends_on_its_number_and_the_seed_only(library: Library, policy: str) -> None:
    order = order_of(policy)
    whole, _ = played_by(library, order, range(MANY))
    part, _ = played_by(library, order, range(MANY - 9, MANY - 2))
    other, _ = played_by(library, replace(order, seed=10), range(MANY))
    assert (whole.cards[:, MANY - 9 : MANY - 2] == part.cards[:, :7]).all()
    assert (whole.swaps[:, MANY - 9 : MANY - 2] == part.swaps[:, :7]).all()
    assert not (whole.cards[:, :MANY] == other.cards[:, :MANY]).all(axis=0).any()
    assert len({whole.cards[:, at].tobytes() for at in range(MANY)}) == MANY


def deals_at(library: Library, order: SurveyOrder, number: int) -> list[Deal]:
    return list(work.deals_of(order, library, order.tables[0], range(number)))


@pytest.mark.release
def test_every_card_comes_to_every_place_as_often(library: Library) -> None:
    """Dealt 40,960 times: nowhere is a card more often than five standard deviations off what is due.

    The dealer has twelve cards, and lays one away later.
    """
    deals = 160 * BLOCK
    places = np.zeros((5, 64), np.int64)
    hands, talon, room = (np.zeros((4, BLOCK), np.int64), np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64))
    starts = np.empty(BLOCK, np.uint64)
    for block in range(160):
        for lane in range(BLOCK):
            starts[lane] = lots.start_stream(1785, block * BLOCK + lane)

        deal_block(starts, hands, talon, room)
        for place in range(5):
            bits = (talon if place == 4 else hands[place]).astype(np.uint64)
            for card in range(64):
                places[place, card] += int((bits >> np.uint64(card) & np.uint64(1)).sum())
    cards = [c for c in range(64) if c & 15 < 13 and c & 15 != 8]
    assert places.sum() == 48 * deals and places[:, cards].sum() == 48 * deals
    due = np.array([11, 11, 11, 12, 3])[:, None] / 48 * deals * np.ones(len(cards))
    spread = (places[:, cards] - due) / np.sqrt(due * (1 - due / deals))
    assert abs(spread).max() < 5
    # the sum of so many squares lies by chance between these bounds, but for one time in a million
    assert 110 < (spread**2).sum() / (1 - 1 / 48) < 320


def test_draws_are_even_and_independent_of_their_neighbours() -> None:
    draws = np.array(
        [[lots.draw_bits(np.uint64(lots.start_stream(3, deal)), at) for at in range(84)] for deal in range(400)]
    )
    assert draws.min() >= 0 and draws.max() < 1 << 32 and len(np.unique(draws)) > 33590
    mean = draws.mean() / (1 << 32)
    assert abs(mean - 0.5) < 5 / (12 * draws.size) ** 0.5
    assert {int(lots.scale_draw(int(n), 48)) for n in draws[0]} <= {*range(48)}
    assert lots.scale_draw((1 << 32) - 1, 48) == 47 and lots.scale_draw(0, 48) == 0


# ---- cautious players
def test_the_preferences_are_these_numbers_and_the_last_is_the_quinolas() -> None:
    """From the two to the ace, as the pages print them; each row by what a card would do."""
    assert policies.build_preference_table() == (
        (*range(53, 40, -1), 0),
        (*range(81, 94), 70),
        (*range(41, 54), 30),
        (*range(33, 20, -1), 10),
        (*range(101, 114), 120),
        (*range(21, 33), 20, 0),
        (*range(1, 14), 0),
    )


MASK = (1 << 64) - 1


def lot_of(lot: int, card: int) -> int:
    """What the lot adds to a card among equals, as `liking` has it."""
    x = (lot * int(lots.SPLITMIX_STEP) + card) & MASK
    x = ((x ^ (x >> 30)) * int(lots.SPLITMIX_FIRST)) & MASK
    x = ((x ^ (x >> 27)) * int(lots.SPLITMIX_SECOND)) & MASK
    return (x ^ (x >> 31)) >> 32


@pytest.mark.parametrize("siglum", ONE_QUINOLA)
def test_cautious_players_do_as_their_preferences_say(library: Library, siglum: str) -> None:
    order, chosen = order_of(policies.CAUTIOUS, siglum), 0
    _, row, _ = work.get_deal_pricer(library).rules(Rules(siglum))
    for number, deal in enumerate(deals_at(library, order, 40)):
        start, quinola, trump = (
            np.uint64(lots.start_stream(order.seed, number)),
            row[Column.QUINOLA],
            row[Column.TRUMP],
        )
        laid_first(deal, start, row)
        hands, led_hearts, holder = [make_card_mask(hand) for hand in deal.hands], 0, holder_of(deal, row)
        right, takers = True, list[int]()
        for trick, played_row in enumerate(deal.tricks):
            best, on_table = None, tuple[int, ...]()
            for place, card in enumerate(played_row):
                seat = next(s for s in range(SURVEY_SEATS) if hands[s] >> card & 1)
                if place == 0:
                    may = mechanics.find_legal_leads(hands[seat], row[Column.FIRST_SUIT] if trick == 0 else -1)
                else:
                    suit = on_table[0] >> 4
                    free = 1 << quinola if row[Column.FREE + trick] >> led_hearts & 1 else 0
                    renounces = seat == holder and right and trick < row[Column.RENOUNCES_TO]
                    may = mechanics.find_legal_follows(hands[seat], suit, row[Column.FOLLOW], int(renounces), free)
                lot = int(lots.draw_bits(start, lots.PLAYING + 4 * trick + place))
                wish = {c: (preference_of(c, on_table, best, quinola), lot_of(lot, c)) for c in cards_of(may)}
                assert card == max(wish, key=lambda c: wish[c]), (deal.id, trick, place)
                chosen += len(wish) > 1
                hands[seat] ^= 1 << card
                on_table = (*on_table, card)
                strength = tuple(range(16))
                best = on_table[mechanics.find_taking_card(on_table, strength, trump)]
            taker = next(s for s in range(SURVEY_SEATS) if best in deal.hands[s])
            takers.append(taker)
            right = right and not (row[Column.RIGHT_LOST] and taker == holder)
            led_hearts += played_row[0] >> 4 == 1
    assert chosen > 400


def preference_of(card: int, on_table: tuple[int, ...], best: int | None, quinola: int) -> int:
    return policies.score_preference(policies.classify_play(card, on_table, best, SURVEY_SEATS), card, quinola)


def holder_of(deal: Deal, row: tuple[int, ...]) -> int | None:
    for seat, hand in enumerate(deal.hands):
        aces = sum(card & 15 == 12 for card in hand)
        if row[Column.HELD] >> (2 * aces + (row[Column.QUINOLA] in hand)) & 1:
            return seat
    return None


def laid_first(deal: Deal, start: np.uint64, row: tuple[int, ...]) -> None:
    """Whoever exchanges lays away what he likes best to lay away, of what he may."""
    quinola = row[Column.QUINOLA]
    exchanged = {x.seat: x for x in deal.exchange}
    assert {*exchanged} == {
        seat for seat in range(SURVEY_SEATS) if seat == SURVEY_SEATS - 1 or row[Column.MAY_EXCHANGE] >> seat & 1
    }
    for seat, x in exchanged.items():
        assert x.out is not None and (x.taken is None) == (seat == SURVEY_SEATS - 1)
        before = make_card_mask(deal.hands[seat]) | 1 << x.out
        before ^= 0 if x.taken is None else 1 << x.taken
        may = find_legal_discards(signed(before), row[Column.HEARTS_OUT], row[Column.EXCEPTIONS], 1 << quinola, False)
        lot = int(lots.draw_bits(start, lots.EXCHANGING + 3 * seat + 1))
        wish = {
            c: (policies.score_preference(policies.classify_discard(c), c, quinola), lot_of(lot, c))
            for c in cards_of(may & MASK)
        }
        assert x.out == max(wish, key=lambda c: wish[c])


def test_a_replay_that_its_rules_forbid_is_marked(library: Library) -> None:
    deals, row = played_by(library, order_of("random", "PAM"), range(256))
    rows = {at: np.array(row, np.int64) for at in range(2)}
    rows[1][Column.FIRST_SUIT] = 1  # a heart must be led
    forbidden = (work.replay_piece_deals(deals, rows[1]).told[:256] >> FORBIDDEN & 1).astype(bool).tolist()
    leads = [int(card) for card in deals.cards[0, :256]]
    eldest = [int(hand) & MASK for hand in deals.hands[0, :256]]
    expected = [lead >> 4 != 1 and bool(hand >> 16 & 0x1FFF) for lead, hand in zip(leads, eldest, strict=True)]
    assert forbidden == expected and any(expected) and not all(expected)
    assert singly.is_exchange_legal(rows[0], deals.hands, 0, deals.swaps)
    deals.swaps[:, 0] = NO_CARD
    assert singly.is_exchange_legal(rows[0], deals.hands, 0, deals.swaps)
