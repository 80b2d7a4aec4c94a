"""Small promises of the survey: ways of playing, the row of a ruleset, what is kept of a deal, and compiled code."""

from __future__ import annotations

import os
from dataclasses import FrozenInstanceError
from hashlib import sha256
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numba import config

from engine.cards import make_card_mask, make_pack, parse_card_name
from engine.players import preferences as policies
from engine.players.preferences import PreferenceRow, Would, build_preference_table, score_preference
from engine.readings.ask import Ask
from lab.survey import buffers as played
from lab.survey import jit as compiling
from lab.survey.buffers import PlayedDeals, allocate_deals
from lab.survey.encode_rules import (
    TRICKS_PER_DEAL,
    Unsurveyed,
    check_table_shape,
    encode_espagnolette,
    encode_exchange,
    encode_play_rules,
    generate_privilege_hands,
)
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.jit import (
    INTERPRETED,
    MAX_CACHE_FOLDERS,
    fingerprint_engine_files,
    i64,
    open_compile_cache,
    prune_compile_cache,
)
from tests.lab.survey.test_play import but, ruled

QUINOLA = parse_card_name("JH")


def asking(**answers: object) -> Ask:
    return Ask(ruled(**answers))


# ---- the cautious player
def favourites(would: Would, *names: str) -> list[str]:
    """Cards by how much they are preferred, the most first; no two of them may be alike."""
    numbers = {name: score_preference(would, parse_card_name(name), QUINOLA) for name in names}
    assert len({*numbers.values()}) == len(names)
    return sorted(names, key=lambda name: -numbers[name])


@pytest.mark.parametrize(
    ("would", "first_to_last"),
    [
        (Would.LEAD, "2S 3S 9S JS QS KS AS JH"),
        (Would.DUCK, "AS KS QS JS 9S 3S 2S JH"),
        (Would.TAKE_LAST, "AS KS QS JS 9S 3S 2S JH"),
        (Would.TAKE, "2S 3S 9S JS QS KS AS JH"),
        (Would.THROW, "JH AS KS QS JS 9S 3S 2S"),
        (Would.LAY_AWAY, "KS QS JS 9S 3S 2S AS JH"),
        (Would.LAY_AWAY_HEART, "AH KH QH 9H 3H 2H JH"),
    ],
)
def test_the_cautious_player_prefers_cards_as_his_rows_say(would: Would, first_to_last: str) -> None:
    assert favourites(would, *first_to_last.split()) == first_to_last.split()


def test_the_preferences_are_these_numbers_and_the_last_is_the_quinolas() -> None:
    """From the two to the ace, as the pages print them; each row by what a card would do."""
    assert build_preference_table() == (
        (*range(53, 40, -1), 0),
        (*range(81, 94), 70),
        (*range(41, 54), 30),
        (*range(33, 20, -1), 10),
        (*range(101, 114), 120),
        (*range(21, 33), 20, 0),
        (*range(1, 14), 0),
    )


def test_what_a_card_would_do_is_counted_from_nought_so_that_it_finds_its_row() -> None:
    assert [*map(int, Would)] == [*range(7)]
    assert [build_preference_table()[would] for would in Would] == [
        (*policies.PREFERENCES[would].ranks, policies.PREFERENCES[would].quinola) for would in Would
    ]


def test_he_would_rather_stay_below_than_take_and_lay_away_anything_but_a_heart() -> None:
    deck = make_pack(48)
    assert min(score_preference(Would.DUCK, c, QUINOLA) for c in deck) > max(
        score_preference(would, c, QUINOLA) for would in (Would.TAKE, Would.TAKE_LAST) for c in deck
    )
    hearts, others = [c for c in deck if c >> 4 == 1], [c for c in deck if c >> 4 != 1]
    assert min(score_preference(Would.LAY_AWAY, c, QUINOLA) for c in others) > max(
        score_preference(Would.LAY_AWAY_HEART, c, QUINOLA) for c in hearts
    )


@pytest.mark.parametrize("one", [PreferenceRow("nothing", (1, 2), 3), allocate_deals(1)], ids=["row", "played"])
def test_a_row_of_preferences_and_a_play_have_just_their_own_fields_and_keep_them(
    one: PreferenceRow | PlayedDeals,
) -> None:
    name = type(one).__match_args__[0]
    with pytest.raises(FrozenInstanceError):
        setattr(one, name, "something else")
    assert not hasattr(one, "__dict__")


# ---- the row of a ruleset
def test_for_each_number_of_aces_there_is_a_hand_without_and_a_hand_with_the_quinola() -> None:
    aces = ("AS", "AH", "AD", "AC")
    expected = []
    for number in range(5):
        bare = make_card_mask(map(parse_card_name, aces[:number]))
        expected += [(2 * number, bare), (2 * number + 1, bare | 1 << QUINOLA)]
    assert [*generate_privilege_hands(QUINOLA)] == expected


def privilege(*known: tuple[int, bool], until: int = 2, right: str = "kept") -> dict[Column, int]:
    ways = tuple({"aces": aces, "quinola": int(quinola)} for aces, quinola in known)
    answers = {"espagnolette_hands": ways, "espagnolette_until": until, "espagnolette_right__after__trick": right}
    return encode_espagnolette(asking(**answers), QUINOLA)


def test_the_hands_of_the_espagnolette_are_told_by_aces_and_quinola() -> None:
    assert privilege((4, False), (3, True))[Column.HELD] == 0b11_10_00_00_00
    assert privilege((3, True))[Column.HELD] == 0b10_10_00_00_00
    assert privilege((0, True))[Column.HELD] == 0b10_10_10_10_10
    assert privilege((0, False))[Column.HELD] == 0b11_11_11_11_11


def test_the_holder_may_renounce_but_in_the_last_tricks_and_may_lose_his_right() -> None:
    assert privilege((4, False), until=0)[Column.RENOUNCES_TO] == TRICKS_PER_DEAL
    assert privilege((4, False), until=3)[Column.RENOUNCES_TO] == 8
    assert [privilege((4, False), right=word)[Column.RIGHT_LOST] for word in ("kept", "lost")] == [0, 1]


def test_where_no_hand_gives_the_privilege_nobody_holds_it_nor_renounces_nor_loses_a_right() -> None:
    assert privilege() == {Column.HELD: 0, Column.RENOUNCES_TO: 0, Column.RIGHT_LOST: 0}
    assert (
        encode_espagnolette(asking(espagnolette_hands=()), QUINOLA)[Column.RIGHT_LOST] == 0
    )  # and nothing more is asked


def test_the_talon_reaches_three_players_from_the_first_leader_on_and_never_the_dealer() -> None:
    def seats(who: str, eldest: int) -> int:
        return encode_exchange(asking(exchange_who=who, exchange_hearts="allowed"), eldest)[Column.MAY_EXCHANGE]

    assert [seats("everyone-but-dealer", eldest) for eldest in range(4)] == [0b0111, 0b0110, 0b0101, 0b0011]
    assert [seats("eldest-only", eldest) for eldest in range(4)] == [0b0001, 0b0010, 0b0100, 0]


def shaped(**answers: object) -> Ask:
    """A table of four with 48 cards, but for these answers."""
    given: dict[str, object] = {
        "cards_order": "AKQJT98765432",
        "table_players": "four",
        "table_pack": "without-tens",
        "table_shapes": ({"players": 4, "pack": 48, "hand": 11, "talon": 4},),
    }
    return asking(**given | answers)


@pytest.mark.parametrize("wrong", [{"table_players": "five"}, {"table_pack": "with-tens"}], ids=str)
def test_either_other_players_or_another_pack_is_enough_to_be_refused(wrong: dict[str, object]) -> None:
    check_table_shape(shaped())
    with pytest.raises(Unsurveyed, match="no table of four with 48 cards"):
        check_table_shape(shaped(**wrong))


def test_where_no_card_takes_when_thrown_the_row_has_minus_one(rules: Any) -> None:
    taking = {
        reading: encode_play_rules(but(rules("PAM"), play_trick__taker=reading))[Column.TRUMP]
        for reading in ("highest-of-suit-led", "thrown-quinola-takes")
    }
    assert taking == {"highest-of-suit-led": -1, "thrown-quinola-takes": QUINOLA}


def test_after_up_to_eleven_leads_of_hearts_it_is_told_whether_the_lone_quinola_is_free(rules: Any) -> None:
    def free(reading: str) -> tuple[int, ...]:
        return encode_play_rules(but(rules("PAM"), play_quinola__alone=reading))[Column.FREE :]

    assert free("free") == (0b1111_1111_1111,) * TRICKS_PER_DEAL
    assert free("free-after-two-heart-leads") == (0b1111_1111_1100,) * TRICKS_PER_DEAL
    assert free("free-after-two-tricks") == (0, 0, *(0b1111_1111_1111,) * 9)
    assert free("must-follow") == (0,) * TRICKS_PER_DEAL


# ---- what is kept of a deal
def apart(*parts: tuple[int, int]) -> bool:
    """Whether parts, each with its first bit and its length, follow one another without a gap."""
    ends = [first + length for first, length in parts]
    return [first for first, _ in parts] == [0, *ends[:-1]]


def test_the_parts_of_a_fact_stand_side_by_side() -> None:
    """A seat has two bits, and three where it may be nobody; a trick has four."""
    seats = ((played.PLAYER, 2), (played.LEADER, 2), (played.TAKER, 2))
    signs = ((played.ALONE, 1), (played.FREE, 1), (played.COURT, 1))
    last = ((played.HIGHEST, 3), (played.PRIVILEGED, 1), (played.QUEEN_LED, 1))
    assert apart(*seats, (played.MANNER, 2), (played.TRICK, 4), *signs, *last)


def test_what_else_is_told_of_a_deal_stands_side_by_side() -> None:
    """Who held the espagnolette has three bits, who has exchanged a bit for every seat."""
    dealt = ((played.FOUR_ACES, 1), (played.THREE_AND_QUINOLA, 1), (played.QUINOLA_TURNED, 1))
    assert apart((played.HOLDER, 3), (played.RENOUNCED, 1), (played.EXCHANGED, 4), (played.FORBIDDEN, 1), *dealt)


def test_tricks_stand_above_four_ranks_of_three_bits_and_fill_the_sixteen_of_a_seat() -> None:
    assert played.TRICKS_TAKEN == 4 * 3
    assert TRICKS_PER_DEAL << played.TRICKS_TAKEN < 1 << 16


def test_a_card_that_nobody_has_exchanged_is_told_as_255() -> None:
    made = allocate_deals(3)
    assert made.swaps.shape == (8, 3) and (made.swaps == 255).all()


# ---- where compiled code is kept
def test_a_cupboard_is_made_with_all_the_folders_above_it(tmp_path: Path) -> None:
    folder = open_compile_cache(tmp_path / "not" / "yet", "new")
    assert folder == tmp_path / "not" / "yet" / "new" and folder.is_dir()


def test_a_cupboard_that_another_process_makes_at_the_same_moment_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not there when one looked, and is there when one would make it."""
    real, looked = Path.is_dir, list[Path]()

    def too_early(path: Path) -> bool:
        if looked or path.name != "new":
            return real(path)
        looked.append(path)
        path.mkdir()
        return False

    monkeypatch.setattr(Path, "is_dir", too_early)
    assert open_compile_cache(tmp_path, "new") == tmp_path / "new" == looked[0]


def test_what_cannot_be_taken_away_does_not_keep_what_is_older_still(tmp_path: Path) -> None:
    names = [*(f"kept-{age}" for age in range(MAX_CACHE_FOLDERS)), "no folder", "old"]
    for age, name in enumerate(names):
        if name == "no folder":
            (tmp_path / name).write_text("", encoding="utf-8")
        else:
            (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    prune_compile_cache(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*names} - {"old"}


def test_a_fingerprint_is_the_first_sixteen_letters_of_the_digest_of_all_files_and_their_names(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_bytes(b"two\n")
    (tmp_path / "a.py").write_bytes(b"one\n")
    assert fingerprint_engine_files(tmp_path) == sha256(b"a.py\0one\n\0b.py\0two\n\0").hexdigest()[:16]


def read_anew() -> ModuleType:
    """The module of the compiler, read once more, beside the one that is in use."""
    spec = compiling.__spec__
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_cupboard_stands_where_the_compiler_is_told_to_keep_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert tmp_path / "compiled-reversis" / fingerprint_engine_files() == read_anew().COMPILE_CACHE


def test_otherwise_the_cupboard_stands_on_the_users_own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setattr("rulebook.io.files.cache_folder", lambda: tmp_path)
    assert tmp_path / "compiled-reversis" / fingerprint_engine_files() == read_anew().COMPILE_CACHE


# ---- how it is compiled
def doubled(number: int) -> int:
    return number + number


def test_other_threads_go_on_while_compiled_code_runs_and_small_functions_are_made_with_their_callers() -> None:
    """So a worker can leave with its caller in the middle of a piece. Where nothing is compiled all stays as it is."""
    made: Any
    for made, wish in ((compiling.jit_compile(doubled), "nogil"), (compiling.jit_inline(doubled), "forceinline")):
        assert made is doubled if INTERPRETED else made.targetoptions[wish] is True


def test_the_highest_of_64_bits_is_found_too() -> None:
    """It is the sign."""
    assert compiling.find_kth_bit(i64(-(1 << 63)), 0) == 63
    assert compiling.find_kth_bit(i64(-(1 << 63) + 5), 2) == 63
