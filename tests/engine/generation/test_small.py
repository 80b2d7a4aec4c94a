"""Small edges of small rooms: the record of a session, its result, decisions that hang together, the fewest deals."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.comparison.bundles import Bundle, merge_bundles_by_group
from engine.comparison.smallest_test_set import (
    choose_class_pairs,
    choose_deals_greedily,
    drop_dominated_deals,
    find_exact_test_set,
    find_smallest_test_set,
)
from engine.deal.fields import locate_without_file
from engine.deal.pool import Pool
from engine.generation import deal as dealing
from engine.generation.partial_deal import read_sketch
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import (
    MAX_PHRASE_WORDS,
    SUBJECT_PHRASES,
    TRICK_PHRASES,
    WORD_PHRASES,
    Wish,
    Word,
    add_player_to_wish,
    is_by_named_player,
    read_wishes,
    suggest_phrase,
)
from engine.interpretation.effects import describe_hindrance
from engine.play.table import Refusal
from engine.session.record import read_sitting, write_sitting
from engine.session.result_json import session_result
from engine.session.session import Step, begin, steps
from engine.settlement.settle import Refused
from rulebook.decisions import Decision, build_knots, find_decisions, hang_together, list_compatible_ways
from rulebook.model import FrozenMap, Library, Question, Ruling
from rulebook.resolve import Choice
from tests.engine.session.test_session import before_a_deal, facts, lot
from tests.support.deals import FOUR
from tests.support.settling import Rules

SITTING = {"session": "x", "seats": ["a", "b", "c", "d"], "dealer": "b", "deals": ["one", "two"]}


# ---- the record of a session
def told(**keys: object) -> list[str]:
    found, problems = read_sitting({**SITTING, **keys})
    assert found is None
    return [one.what for one in problems]


def test_a_title_and_a_note_are_kept() -> None:
    found, _ = read_sitting({**SITTING, "title": "An evening", "note": "late"})
    assert found is not None and (found.title, found.note, found.dealer) == ("An evening", "late", 1)
    assert write_sitting(found)["title"] == "An evening"
    plain, _ = read_sitting(SITTING)
    assert plain is not None and (plain.title, plain.note) == ("", "")


@pytest.mark.parametrize("key", ["seats", "dealer"])
def test_without_seats_or_dealer_that_alone_is_told(key: str) -> None:
    found, problems = read_sitting({k: v for k, v in SITTING.items() if k != key})
    assert found is None and [one.what for one in problems] == [f"no {key!r}"]


def test_four_or_five_different_names_and_none_is_the_pool() -> None:
    wrong = "seats must be four or five different names, in order of play"
    for seats in ("abcdef", "abc", "abca", "abcda"):
        assert told(seats=list(seats), dealer="a") == [wrong]
    assert told(seats=["a", "b", "c", "pool"]) == [wrong]
    found, _ = read_sitting({**SITTING, "seats": list("abcde")})
    assert found is not None and len(found.seats) == 5


# ---- the result of a session
def test_the_result_tells_how_all_stand_when_the_company_has_parted(rules: Rules) -> None:
    ruleset = rules("PAM", "session.pool-left=shared")
    found = list(steps(begin(ruleset, SEAT_NAMES[4], 0), []))
    last, before = found[-1], found[-2]
    assert isinstance(last, Step) and isinstance(before, Step) and last.after.accounts != before.after.accounts
    result = session_result("s", ruleset, found)
    assert result["accounts"] == dict(
        zip((*SEAT_NAMES[4], "pool"), (*last.after.accounts, last.after.laid), strict=True)
    )
    assert result["deals"] == 0 and len(found) == 2


def test_the_fingerprint_is_of_all_deals_in_a_row(rules: Rules) -> None:
    ruleset, seals = rules("PAM"), set[object]()
    for seed in (1, 2):
        deal = replace(lot(ruleset, 0, seed), seats=SEAT_NAMES[4])
        found = session_result("s", ruleset, list(steps(begin(ruleset, SEAT_NAMES[4], 0), [deal])))
        seals.add(found["receipt"]["deals"])  # type: ignore[index]
    assert len(seals) == 2 and all(str(one).startswith("sha256:") for one in seals)


def test_where_the_rules_are_silent_on_one_thing_the_next_is_done_all_the_same(rules: Rules) -> None:
    step = before_a_deal(rules("PAR", "stake.dealer-adds=5", "stake.dealer-included=included"), Pool(9))
    assert "dealer-adds" in facts(step)
    silent = before_a_deal(rules("GER", "stake.dealer-adds=5", "stake.dealer-included=included"), Pool(0))
    assert silent.silent and "dealer-adds" in facts(silent)


# ---- decisions
def ruling(question: str, value: object) -> Ruling:
    return Ruling(question, question, value, (), "x")  # type: ignore[arg-type]


def choice(clause: str, *answers: dict[str, object]) -> Decision:
    bundles = (FrozenMap(), *(FrozenMap({q: ruling(q, v) for q, v in one.items()}) for one in answers))
    return Decision(clause, tuple(f"{clause}.{n}" for n in range(len(bundles))), bundles)


def test_decisions_hang_together_that_exclude_each_other_or_may_point_in_a_circle() -> None:
    a, b, c = choice("a", {"q": 1}), choice("b", {"q": 2}), choice("c", {"r": 1})
    assert hang_together(a, b, frozenset()) and not hang_together(a, c, frozenset())
    assert hang_together(a, c, frozenset({"q", "r"}))
    assert not hang_together(a, c, frozenset({"q"})) and not hang_together(a, c, frozenset({"r"}))


def test_options_are_decided_on_only_where_they_are_asked_for(library: Library, rules: Rules) -> None:
    for siglum in library.sources:
        plain, every = (
            [one.clause for one in find_decisions(library, siglum, rules(siglum), *options)]
            for options in ((), (True,))
        )
        assert plain == [one.clause for one in find_decisions(library, siglum, rules(siglum), False)]
        assert set(plain) <= set(every)
    assert len(list(find_decisions(library, "PAR", rules("PAR")))) < len(
        list(find_decisions(library, "PAR", rules("PAR"), True))
    )


def test_readings_that_exclude_each_other_are_passed_over_and_the_rest_are_tried(
    library: Library, rules: Rules
) -> None:
    one, other = choice("a", {"q": 1}, {"q": 2}), choice("b", {"q": 2})
    found = list(list_compatible_ways(library, rules("PAM"), [one, other], frozenset()))
    assert found == [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]


def test_knots_stand_in_the_order_of_their_first_clause(library: Library, rules: Rules) -> None:
    """The first and the last hang together; the one between stands by itself, and behind them."""
    a, b, c = choice("a", {"q": 1}), choice("b", {"r": 1}), choice("c", {"q": 2})
    found = build_knots(library, rules("PAM"), (a, b, c))
    assert [[one.clause for one in knot.decisions] for knot in found] == [["a", "c"], ["b"]]


# ---- wishes in a partial deal
@pytest.mark.parametrize(
    ("text", "players"),
    [("five players", 5), ("quinola led by fifth", 5), ("quinola led by south", 4), ("four players", 4)],
)
def test_five_sit_down_where_five_are_wished_for_or_the_fifth_is_named(text: str, players: int) -> None:
    found, problems = read_sketch({}, locate_without_file, [text])
    assert found is not None and found.players == players, problems
    assert read_sketch({"wishes": text})[0] == found


def test_a_wish_that_wishes_nothing_is_told() -> None:
    found, problems = read_sketch({}, locate_without_file, ["and the"])
    assert found is None and [one.what for one in problems] == ["nothing is wished in 'and the'"]
    assert [one.what for one in read_sketch({}, locate_without_file, ["xyzzy"])[1]] == ["'xyzzy' is no word of a wish"]


def test_of_several_refusals_a_proof_tells_the_first_without_the_place(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(*messages: str) -> object:
        refused = SimpleNamespace(refusals=tuple(SimpleNamespace(message=one) for one in messages))
        monkeypatch.setattr(dealing, "replay_deal", lambda deal, ask: refused)
        deal: Any = None
        return dealing.prove_deal(deal, rules("PAM"), (), 1)

    assert told("trick 3: south revokes", "trick 4: west revokes") == "south revokes"
    assert told("south has no such card", "trick 4: west revokes") == "south has no such card"


def wished(text: str) -> Wish:
    (found,), problems = read_wishes(text, FOUR)
    assert not problems
    return found


def test_a_player_who_is_named_is_named_of_the_last_word_only() -> None:
    assert wished("quinola by east").words == (Word("held", "east"),)
    assert wished("quinola forced by east").words == (Word("forced", "east"),)
    both = wished("quinola forced from the side by east").words
    assert [one.seat for one in both[:-1]] == [""] * (len(both) - 1) and both[-1].seat == "east" and len(both) > 1
    three = Wish("quinola", (Word("held", "west"), Word("forced"), Word("beside")))
    found, problem = add_player_to_wish(three, "east", dict(zip(FOUR, FOUR, strict=True)))
    assert found is not None and not problem
    assert found.words == (Word("held", "west"), Word("forced"), Word("beside", "east"))


def test_of_what_is_no_card_it_is_asked_what_a_player_is_to_do() -> None:
    seats = dict(zip(FOUR, FOUR, strict=True))
    found, problem = add_player_to_wish(Wish("reversis"), "east", seats)
    assert found is None and problem.startswith("by east: what is he to do?")
    assert add_player_to_wish(Wish("ace"), "east", seats) == (Wish("ace", (Word("held", "east"),)), "")


def test_the_card_was_in_the_hand_of_him_who_is_named_and_of_no_other() -> None:
    fact: Any = SimpleNamespace(player=1, leader=2)
    at: Any = SimpleNamespace(seats=FOUR)
    assert is_by_named_player(fact, Word("held"), at) and is_by_named_player(fact, Word("held", "east"), at)
    assert not is_by_named_player(fact, Word("held", "north"), at)
    fact.player = None
    assert not is_by_named_player(fact, Word("held", "east"), at)


def test_who_mistypes_a_name_or_a_word_is_told_those_that_come_nearest_and_no_other() -> None:
    seats = {"anna": "Anna", "anne": "Anne", "bert": "Bert"}
    assert add_player_to_wish(Wish("ace"), "annn", seats)[1] == "by 'annn': did you mean 'Anna' or 'Anne'?"
    assert add_player_to_wish(Wish("ace"), "annaa", seats)[1] == "by 'annaa': did you mean 'Anna'?"
    assert add_player_to_wish(Wish("ace"), "zzz", seats)[1].endswith("at the table are Anna, Anne, Bert")
    assert suggest_phrase("quinole") == "did you mean 'quinola'?"
    _, problems = read_wishes("quinola thron off", FOUR)
    assert problems[0] == "'thron' is no word of a wish: did you mean 'thrown'?"


def test_the_longest_phrase_is_taken_and_a_word_that_is_none_is_told_once() -> None:
    (one,), problems = read_wishes("ace of hearts thrown off in the last but one trick", FOUR)
    assert not problems and (one.suit, one.trick, one.has("thrown-off")) == (one.suit, -2, True) and one.suit
    assert max(len(phrase.split()) for phrase in (*SUBJECT_PHRASES, *WORD_PHRASES, *TRICK_PHRASES)) == MAX_PHRASE_WORDS


# ---- the fewest deals
def brute(told: dict[str, frozenset[tuple[str, str]]]) -> int:
    """How few deals tell apart all that any does, by trying all choices."""
    wanted = frozenset(pair for some in told.values() for pair in some)
    sizes = range(len(told) + 1)
    return next(
        n for n in sizes for some in combinations(told, n) if wanted <= frozenset(p for d in some for p in told[d])
    )


@pytest.mark.parametrize("seed", range(40))
def test_no_fewer_deals_tell_apart_as_much(seed: int) -> None:
    rng = Random(seed)
    pairs = [("r", str(n)) for n in range(rng.randint(3, 12))]
    told = {f"d{n}": frozenset(p for p in pairs if rng.random() < 0.3) for n in range(rng.randint(2, 9))}
    wanted = frozenset(pair for some in told.values() for pair in some)
    found = find_smallest_test_set(told, pairs)
    assert len(found.deals) == brute(told) and found.exact
    assert wanted <= frozenset(p for deal in found.deals for p in told[deal])
    first = choose_deals_greedily(told, wanted)
    assert wanted <= frozenset(p for deal in first for p in told[deal])
    for deal in first:  # without any that is not needed
        assert not wanted <= frozenset(p for one in first if one != deal for p in told[one])
    assert find_exact_test_set(told, wanted, first) == (tuple(find_exact_test_set(told, wanted, first)[0]), True)
    kept = drop_dominated_deals(told, wanted)
    assert not [(a, b) for a, b in combinations(kept, 2) if kept[a] <= kept[b] or kept[b] <= kept[a]]
    assert all(any(told[deal] & wanted <= other for other in kept.values()) for deal in told)
    assert choose_class_pairs(told, wanted) <= wanted


def test_what_was_chosen_first_is_left_out_where_the_rest_does_without_it() -> None:
    a, b, c, d, e, f = (("r", str(n)) for n in range(6))
    told = {"big": frozenset([a, b, c, d]), "left": frozenset([a, b, e]), "right": frozenset([c, d, f])}
    assert choose_deals_greedily(told, frozenset([a, b, c, d, e, f])) == ("right", "left")


# ---- what keeps two refusals apart
def test_refusals_of_a_card_are_the_same_in_whatever_words_and_those_of_the_table_are_not(rules: Rules) -> None:
    deal, ruleset = lot(rules("PAM"), 0), rules("PAM")

    def told(message: str, card: int | None) -> object:
        return describe_hindrance(Refused(deal, ruleset, (Refusal(message, (), 1 if card else None, 0, card),)))

    assert told("east may not play it", 5) == told("he may play others", 5) != told("east may not play it", 6)
    assert told("5 players", None) != told("52 cards", None)


def test_what_is_wished_for_is_not_changed_afterwards() -> None:
    made_with = vars(Choice)["__dataclass_params__"]
    assert made_with.frozen and "__slots__" in vars(Choice)


# ---- bundles by groups
def test_only_the_bundles_of_one_group_are_made_one_and_the_first_question_tells_the_group() -> None:
    slugs = ("a.x", "b.x", "c.x", "a.y", "b.y")
    library = Library({q: Question(f"Q10{n}", q, "?", q[0], "payment", "") for n, q in enumerate(slugs)}, {})
    a, b, c, other = (Bundle((q,)) for q in ("a.x", "b.x", "c.x", "a.y"))
    assert merge_bundles_by_group(library, (a, b, c, other)) == (Bundle(("a.x", "a.y"), "too-many"), b, c)
    mixed, single, rest = Bundle(("a.x", "b.x")), Bundle(("a.y",)), Bundle(("b.y",))
    assert merge_bundles_by_group(library, (mixed, single, rest)) == (Bundle(("a.x", "b.x", "a.y"), "too-many"), rest)
