"""Deals by lot are lawful under every source and at every table; wished deals have what is wished, or honestly none."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import HEARTS_INDEX, suit_of
from engine.cards import parse_card_name as card
from engine.deal.model import Deal, Exchange
from engine.deal.variants import TWISTS, vary_deal
from engine.generation.deal import Found, NotFound, draw_random_exchanges, fill, random_deal
from engine.generation.partial_deal import read_sketch
from engine.generation.plan import Lost
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from engine.generation.wishes import (
    OUTCOME_WORDS,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    Sketch,
    Wish,
    Word,
    read_wishes,
)
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled, settle
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.resolve import drop_answer, resolve
from tests.support.fifth_source import whole_game
from tests.support.in_one_test import in_one_test
from tests.support.settling import SIGLA, Rules


def wished(text: str) -> tuple[Wish, ...]:
    wishes, wrong = read_wishes(text, SEAT_NAMES[4])
    assert wrong == []
    return wishes


def sketch(raw: object = None, *wishes: str) -> Sketch:
    found, problems = read_sketch({} if raw is None else raw, wished=wishes)
    assert found is not None, problems
    return found


def found(rules: Rules, source: str, *wishes: str, raw: object = None, seed: int = 1) -> Found:
    got = fill(rules(source), sketch(raw, *wishes), seed)
    assert isinstance(got, Found), got
    return got


# ---- by lot
@pytest.mark.parametrize("source", SIGLA)
def test_a_deal_by_lot_is_settled_at_every_table_of_its_source(rules: Rules, source: str) -> None:
    ruleset = rules(source)
    for shape in list_table_shapes(ruleset):
        for seed in range(6):
            deal = random_deal(ruleset, seed, shape)
            assert (len(deal.seats), deal.pack, deal.hand_size, len(deal.talon)) == (
                shape.players, shape.pack, shape.hand, shape.talon,
            )  # fmt: skip
            settled = settle(deal, ruleset)
            assert isinstance(settled, Settled) and sum(settled.net.values()) == 0


def test_the_tables_are_those_that_the_source_tells(rules: Rules) -> None:
    assert list_table_shapes(rules("PAM")) == (TableShape(4, 48, 11, 4),)
    assert {(s.players, s.pack, s.hand) for s in list_table_shapes(rules("ACA"))} == {
        (4, 48, 11), (4, 52, 12), (5, 48, 9), (5, 52, 10),
    }  # fmt: skip


def test_the_same_seed_gives_the_same_deal(rules: Rules) -> None:
    assert random_deal(rules("ACA"), 5) == random_deal(rules("ACA"), 5) != random_deal(rules("ACA"), 6)


# ---- wishes
def played(got: Found, what: str) -> tuple[int, int]:
    row = next(t for t, cards in enumerate(got.deal.tricks, 1) if card(what) in cards)
    holder = got.deal.holder(card(what))
    assert holder is not None
    return row, holder


def entries(got: Found, rule: str) -> list[Entry]:
    return [e for e in got.settled.entries if e.rule == rule]


@pytest.mark.parametrize("seed", range(5))
def test_quinola_forced_from_the_side_at_the_last_trick(rules: Rules, seed: int) -> None:
    got = found(rules, "PAM", "quinola forced from the side at the last trick", seed=seed)
    trick, holder = played(got, "JH")
    leader = got.deal.holder(got.deal.tricks[-1][0])
    assert trick == 11 and leader is not None and (leader - holder) % 4 in (1, 3)
    assert got.deal.tricks[-1][0] & 48 == card("2H") & 48
    assert [e.fact.trick for e in entries(got, "forced") if e.fact.kind == "quinola"] == [11]


@pytest.mark.parametrize("source", SIGLA)
def test_reversis_made_by_east(rules: Rules, source: str) -> None:
    got = found(rules, source, "reversis made by east")
    assert got.settled.outcome.reversis == (1, True, ())
    assert set(got.seen.measures.takers) == {1}


def test_quinola_laid_away(rules: Rules) -> None:
    assert card("JH") in found(rules, "GER", "quinola laid-away").deal.talon


@pytest.mark.parametrize(("word", "claimed"), [("claimed", True), ("not claimed", False)])
def test_ace_of_diamonds_led_and_claimed(rules: Rules, word: str, claimed: bool) -> None:
    got = found(rules, "PAR", f"ace of diamonds led and {word}")
    assert card("AD") in {row[0] for row in got.deal.tricks}
    assert got.deal.claims.get(card("AD"), True) is claimed


@pytest.mark.parametrize("source", ["PAM", "PAR"])
def test_espagnolette_undertaken_and_lost(rules: Rules, source: str) -> None:
    got = found(rules, source, "espagnolette undertaken and lost")
    assert got.settled.outcome.espagnolette is not None and got.settled.outcome.espagnolette[1] is False
    assert got.settled.outcome.reversis is None


@pytest.mark.parametrize(
    "text",
    [
        "quinola forced by west, at trick 5",
        "quinola held by south, thrown off at the last but one trick",
        "quinola led at the first trick; no reversis",
        "ace of hearts thrown off from opposite",
        "ace of spades thrown off by north and ace of clubs led by east",
        "reversis broken by south",
        "reversis broken, espagnolette breaking",
        "espagnolette won by east, partie without a trick",
        "partie won by north with a trick",
        "no espagnolette, quinola alone and forced",
    ],
)
def test_what_is_wished_is_had(rules: Rules, text: str) -> None:
    got = found(rules, "PAM", text)
    by = {w.seat for wish in wished(text) for w in wish.words if w.seat}
    assert by <= set(got.deal.seats)
    again = settle(got.deal, rules("PAM"))
    assert isinstance(again, Settled) and again.net == got.settled.net


@pytest.mark.parametrize(
    ("text", "card_name", "who"),
    [
        ("quinola thrown off by east", "JH", "holder"),
        ("quinola thrown off opposite by east", "JH", "holder"),
        ("quinola thrown off from the side by east", "JH", "holder"),
        ("quinola followed from the side by east", "JH", "holder"),
        ("quinola led from opposite by east", "JH", "holder"),
        ("quinola from opposite by east", "JH", "holder"),
        ("ace of spades thrown off from the side by east", "AS", "holder"),
        ("ace of spades forced by east", "AS", "leader"),
        ("ace of spades forced alone by east", "AS", "leader"),
        ("quinola forced from the side by east", "JH", "leader"),
        ("quinola forced from opposite by east, alone by west", "JH", "leader"),
    ],
)
def test_by_a_player_names_who_plays_the_card_or_forces_it_whatever_is_said_between(
    rules: Rules, text: str, card_name: str, who: str
) -> None:
    for seed in range(3):
        got = found(rules, "PAM", text, seed=seed)
        row = got.deal.tricks[played(got, card_name)[0] - 1]
        assert got.deal.holder(row[0] if who == "leader" else card(card_name)) == SEAT_NAMES[4].index("east")


def test_five_players_and_52_cards(rules: Rules) -> None:
    deal = found(rules, "GER", "five players, 52 cards, reversis made by fifth").deal
    assert (len(deal.seats), deal.pack, deal.hand_size) == (5, 52, 10)


def test_what_is_impossible_is_not_found_and_the_reasons_are_told(rules: Rules) -> None:
    got = fill(rules("ACA"), sketch(None, "espagnolette won"), 1, 20)
    assert isinstance(got, NotFound) and got.tries < 20
    assert str(got) == "no seed can fill this: these rules know no espagnolette"
    none = fill(rules("PAM"), sketch(None, "five players, reversis made"), 1, 20)
    assert isinstance(none, NotFound) and none.tries == 0 and "no such table" in str(none)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("quinola forcd", "did you mean 'forced'?"),
        ("reversis made by est", "did you mean"),
        ("reversis thrown off", "cannot be said of the reversis"),
        ("led at the first trick", "begin with a card"),
        ("reversis", "and what of it"),
        ("quinola by", "at the table are"),
    ],
)
def test_a_wish_that_cannot_be_understood_is_told_with_the_way_out(text: str, said: str) -> None:
    wishes, wrong = read_wishes(text, SEAT_NAMES[4])
    assert any(said in why for why in wrong), (wishes, wrong)


# ---- a part of a deal
PART = {
    "deal": "part",
    "dealer": "west",
    "hands": {"south": "AS KS QS", "east": "JH"},
    "talon": "AD",
    "tricks": ["KS", "", "_ JH"],
    "pool": {"stake": 30},
    "title": "A part",
}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_given_stays_as_it_is(rules: Rules, seed: int) -> None:
    got = found(rules, "PAM", raw=PART, seed=seed)
    deal = got.deal
    assert {card("AS"), card("KS"), card("QS")} <= deal.hands[0] and card("JH") in deal.hands[1]
    assert card("AD") in deal.talon and deal.tricks[0][0] == card("KS") and deal.tricks[2][1] == card("JH")
    assert (deal.seats[deal.dealer], deal.pool("PAM").stake, deal.title) == ("west", 30, "A part")


def test_a_part_that_contradicts_itself_is_not_completed(rules: Rules) -> None:
    raw = {"dealer": "west", "hands": {"south": "AS", "east": "KH"}, "tricks": ["KH"]}  # south leads, not east
    assert isinstance(fill(rules("PAM"), sketch(raw), 1, 30), NotFound)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"hands": {"suoth": "AS"}}, "no seat 'suoth'"),
        ({"talon": "1S"}, "is no card"),
        ({"tricks": ["AS AS"]}, "AS stands there twice"),
        ({"hands": {"south": "AS", "east": "AS"}}, "AS stands there twice"),
        ({"expect": {"PAM": {}}}, "has no expect"),
        ({"wihses": "x"}, "unknown key"),
        ({"wishes": ["quinola ledd"]}, "no word of a wish"),
        ({"hands": {"south": 5}}, "no cards here"),
        ({"hands": "AS"}, "no hands"),
        ({"tricks": [5]}, "no cards here"),
        ({"tricks": "AS"}, "no tricks"),
        ("nothing", "no deal record"),
    ],
)
def test_a_faulty_part_is_told(raw: object, said: str) -> None:
    found, problems = read_sketch(raw)
    assert found is None and any(said in p.what for p in problems), problems


def test_the_words_of_a_card_are_the_sources_own(rules: Rules, library: Library) -> None:
    """Two cards of the suit in hand: forced by the pamphlet, put by the article, which wants it to be the only one."""
    assert library.questions["quinola.forced.when"].readings
    got = found(rules, "ACA", "quinola put")
    assert [e.name for e in got.settled.entries if e.rule == "matches-stake"] == ["quinola-put"]
    forced = found(rules, "ACA", "quinola forced")
    assert Ask(rules("ACA")).word("quinola.forced.when") == "sole-card"
    assert next(f for f in forced.seen.played.facts if f.kind == "quinola").alone


def test_a_wish_that_makes_no_sense_by_these_rules_is_told_and_not_a_fault(rules: Rules) -> None:
    wishes, faults = read_wishes("ace forced", ("south", "east", "north", "west"))
    assert not faults
    found = fill(rules("GER"), Sketch(wishes=wishes), seed=1)
    assert isinstance(found, NotFound) and found.silent and "silent on ace.forced.when" in str(found)


def test_rules_by_which_no_deal_can_be_played_are_told_and_not_a_fault(rules: Rules) -> None:
    """Who leads first is asked before the first card is laid out."""
    wishes, _ = read_wishes("quinola thrown off", ("south", "east", "north", "west"))
    found = fill(drop_answer(rules("PAM"), "play.first-leader"), Sketch(wishes=wishes), seed=1)
    assert isinstance(found, NotFound) and found.silent and "silent on play.first-leader" in str(found)


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


def test_so_many_deals_are_laid_out_as_one_would_wait_for(rules: Rules) -> None:
    wishes, _ = read_wishes("ace of hearts put", SEAT_NAMES[4])
    for tries in (1, 2, 5):
        found = fill(rules("PAM"), Sketch(wishes), 1, tries)
        assert isinstance(found, NotFound) and found.tries == tries == sum(found.because.values())


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


@in_one_test("start", TWISTS)
def test_every_twist_can_do_with_an_empty_talon_and_with_one_trick(rules: Rules, start: str) -> None:
    for players, hand in ((4, 13), (4, 1)):
        shapes_ = f"[{{players: {players}, pack: 52, hand: {hand}, talon: {52 - players * hand}}}]"
        ruleset = rules("ACA", f"table.shapes={shapes_}")
        deal = random_deal(ruleset, 1, exchange=False)
        assert len(deal.talon) == 52 - players * hand
        assert all(isinstance(one, Deal) for one in vary_deal(Random(1), deal, start))
