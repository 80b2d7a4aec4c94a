"""Deals by lot are lawful under every source and at every table; wished deals have what is wished, or honestly none."""

from __future__ import annotations

import pytest

from engine.cards import format_card
from engine.cards import parse_card_name as card
from engine.deal.model import Deal
from engine.generation.deal import Found, NotFound, fill, random_deal
from engine.generation.partial_deal import read_sketch
from engine.generation.partial_model import Sketch
from engine.generation.turn import SEAT_NAMES, PlayerTurn, TableShape, list_table_shapes
from engine.generation.wishes import CARD_WORDS, OUTCOME_WORDS, Wish, Word, read_wishes
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import drop_answer
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


def test_a_policy_chooses_among_the_lawful_cards(rules: Rules) -> None:
    def lowest(rng: object, turn: PlayerTurn) -> int:
        assert turn.legal
        return min(turn.legal, key=lambda c: (c & 15, c))

    one = random_deal(rules("PAM"), 3, policy=lowest)
    assert one == random_deal(rules("PAM"), 3, policy=lowest)
    assert one.hands == random_deal(rules("PAM"), 3).hands and one.tricks != random_deal(rules("PAM"), 3).tricks
    leader = (one.dealer + 1) % 4
    assert one.tricks[0][0] == min(one.hands[leader], key=lambda c: (c & 15, c))


def test_some_deals_by_lot_have_an_exchange_and_some_none(rules: Rules) -> None:
    deals = [random_deal(rules("PAM"), seed) for seed in range(20)]
    assert 0 < sum(bool(d.exchange) for d in deals) < 20
    assert all(not random_deal(rules("PAM"), seed, exchange=False).exchange for seed in range(5))


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


def test_every_word_of_the_vocabulary_can_be_read() -> None:
    for name_ in CARD_WORDS:
        assert wished(f"quinola {name_}") == (Wish("quinola", (Word(name_),)),)
    for subject, name_ in OUTCOME_WORDS:
        if subject != "table":
            assert wished(f"{subject} {name_}") == (Wish(subject, (Word(name_),)),)


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


def test_a_whole_deal_with_its_play_is_kept(rules: Rules) -> None:
    whole = random_deal(rules("PAM"), 9, exchange=False)
    raw = {
        "dealer": whole.seats[whole.dealer],
        "hands": {s: " ".join(map(format_card, sorted(h))) for s, h in zip(whole.seats, whole.hands, strict=True)},
        "tricks": [" ".join(map(format_card, row)) for row in whole.tricks[:7]],
    }
    again: Deal = found(rules, "PAM", raw=raw).deal
    assert (again.hands, again.tricks[:7]) == (whole.hands, whole.tricks[:7])


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
