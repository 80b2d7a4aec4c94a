"""`reversis hint`: what it shows, that it depends on what the player sees alone, and how one mistypes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest

from engine.cards import parse_card_name
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation.at_table import add_card, exchange_card, find_exchange_turn, give_cards, list_givers, set_up_turn
from engine.generation.deal import choose_random_card, lay_out_cards, make_random_pool, make_unplayed_deal, random_deal
from engine.generation.requests import drop_blanks
from engine.generation.turn import TableShape, list_table_shapes
from engine.play.table import find_quinolas
from engine.players import nets
from engine.players.cautious import choose_cautious_card
from engine.players.nets import TrainedNet, fingerprint_answers, read_net
from engine.players.take_view import take_view
from engine.readings.ask import Ask
from reversis.cli.deal import format_record_yaml
from reversis.cli.hint import hint
from reversis.cli.hint.hint_exchange import find_exchange_question
from reversis.cli.net_limits import NET_GUESS
from reversis.files.positions import read_positions
from reversis.table.offers import weigh_exchange
from reversis.table.saved_faults import find_deal_faults
from rulebook.model import Library, Ruleset
from rulebook.resolve import BadChoice, iter_clause_alternatives, resolve, rules
from tests.reversis.cli.test_survey import blocked
from tests.support.commands import cache, refused, run, said

__all__ = ["cache"]  # the fixture, for these tests too

DEAL = "pam-quinola-gorged"
FEW = ("--worlds", "64")


def answer(*words: str, stdin: str | None = None) -> Any:
    done = run("hint", *words, "-f", "json", *FEW, stdin=stdin)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_it_names_the_card_and_what_each_is_worth() -> None:
    text = said("hint", DEAL, "-s", "pam", "--seat", "East", "--trick", "4", *FEW)
    for words in (
        "PAM pam-quinola-gorged: east's turn in trick 4, stake 55",
        "hand: 6S 3S JH 6H 2H 3D KC 2C",
        "on the table: south 2S",
        "the best",
        "(sums in fiches; 64 worlds, seed 1)",
    ):
        assert words in text
    assert "Play 6S." in text or "Play 3S." in text


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_as_data_every_card_has_its_worth_and_interval() -> None:
    found = answer(DEAL, "-s", "PAM", "--seat", "east", "--trick", "4", "--seed", "7")
    assert (found["seat"], found["trick"], found["unit"], found["worlds"], found["seed"]) == ("east", 4, "fiche", 64, 7)
    assert found["pool"] == {"stake": 55, "waiting": []}
    assert {one["card"] for one in found["cards"]} == {"6S", "3S"} and found["card"] == found["cards"][0]["card"]
    for one in found["cards"]:
        assert one["worth"]["low"] <= one["worth"]["mean"] <= one["worth"]["high"]
        assert one["as_good"] == (one["behind"]["low"] <= 0 <= one["behind"]["high"])
    assert found == answer(DEAL, "-s", "PAM", "--seat", "east", "--trick", "4", "--seed", "7")


@pytest.mark.release  # a search goes through thousands of deals: only compiled
@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_the_answer_hangs_on_what_the_player_sees_alone(library: Library, tmp_path: Path, source: str) -> None:
    """The same with every hidden card left out of the record."""
    deal = random_deal(resolve(library, source), 12, TableShape(4, 48, 11, 4))
    record = write_deal(deal)
    whole, part = tmp_path / "whole.yaml", tmp_path / "part.yaml"
    whole.write_text(format_record_yaml(record), encoding="utf-8")
    hands, tricks = record["hands"], record["tricks"]
    assert isinstance(hands, dict) and isinstance(tricks, list)
    known = {key: record[key] for key in ("deal", "pack", "seats", "dealer", "pool")}
    known["exchange"] = [one for one in record.get("exchange", []) if one["seat"] == "east"]  # type: ignore[attr-defined]
    known |= {"hands": {"east": hands["east"]}, "tricks": tricks[:6]}
    part.write_text(format_record_yaml(known), encoding="utf-8")
    asked = ("-s", source, "--seat", "east", "--trick", "6")
    assert answer(str(part), *asked) == answer(str(whole), *asked)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_a_record_broken_off_asks_for_whoever_is_to_play() -> None:
    stdin = "dealer: west\nhands:\n  east: QS JS 9S 8S 7S 6S 5S 4S 3S 2S AH\ntricks: [AS _ _ _]\npool: {stake: 60}\n"
    found = answer("-", "-s", "PAM", stdin=stdin)
    assert (found["seat"], found["trick"], len(found["cards"])) == ("east", 1, 10)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_other_rules_may_be_wished() -> None:
    asked = (DEAL, "--seat", "south", "--trick", "6")
    plain, wished = (answer(*asked, "-s", "PAM", *wish) for wish in ((), ("--with", "Q031=30")))
    assert wished["ruleset"] == "PAM + Q031=30" and plain["cards"] != wished["cards"]


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_cards_of_which_the_worlds_do_not_tell_which_is_better_are_called_so() -> None:
    text = said("hint", DEAL, "-s", "PAM", "--seat", "south", "--trick", "1", "--worlds", "16")
    assert "no clear difference" in text and "as good" not in text


@pytest.mark.parametrize("kept", [True, False])
def test_that_the_search_is_compiled_is_said_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: bool) -> None:
    if kept:
        (tmp_path / "players_1").mkdir()
        (tmp_path / "players_1" / "search.weigh-1.py311.nbi").touch()
    monkeypatch.setattr("lab.survey.jit.COMPILE_CACHE", tmp_path)
    monkeypatch.setattr("lab.survey.jit.INTERPRETED", False)
    hint.announce_compiling.cache_clear()
    asked = ("hint", DEAL, "-s", "PAM", "--seat", "south", "--trick", "11", "--worlds", "8")
    told = run(*asked).stderr + run(*asked).stderr
    assert told.count("The search is compiled now, once for this version: that takes half") == (0 if kept else 1)


# ---- before play
BOTS = ("--east", "random", "--north", "cautious", "--west", "random")


def leave_a_game(path: Path, source: str, *words: str, stdin: str = "") -> str:
    assert run("play", "-s", source, "--seed", "5", "--out", str(path), *words, stdin=stdin).exit_code == 0
    return str(path)


@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_a_game_left_before_the_exchange_is_over_is_told_what_to_lay_away(tmp_path: Path, source: str) -> None:
    path = leave_a_game(tmp_path / "game.yaml", source, *BOTS)
    text = said("hint", path, "-s", source)
    assert "play-5-1: south lays a card away, stake" in text and "in trick 1" not in text
    assert "hand: KS 6S 2S 9H 8H AD 7D 6D 3D 9C 5C 4C" in text
    found = answer(path, "-s", source)
    assert f"Lay away {found['card']}. (sums in" in text and "guessed by a net" in text
    assert (found["seat"], found["before_play"], found["by"]) == ("south", "lay away", "net")
    assert len(found["cards"]) == 12 and found["cards"][0]["card"] == found["card"] and "trick" not in found
    assert "it is south's turn: leave out --seat" in said("hint", path, "-s", source, "--seat", "East", code=1)


# ---- mistyped
@pytest.mark.parametrize(
    "words, told",
    [
        (("-s", "PAM"), "the deal is finished name a trick from 1 to 11"),
    ],
)
def test_a_turn_that_is_none(words: tuple[str, ...], told: str) -> None:
    assert told in said("hint", DEAL, *words, code=1)


@pytest.mark.parametrize(
    "words, told",
    [
        ((DEAL,), "Name a source: --source ACA"),
        ((DEAL, "-s", "PAM", "--seat", "esat", "--trick", "4"), "No seat 'esat'. Did you mean 'east'"),
        ((DEAL, "-s", "PAM", "--seat", "east", "--trick", "12"), "There is no trick 12"),
        ((DEAL, "-s", "XYZ"), "No source 'XYZ'"),
        ((DEAL, "-s", "PAM", "-s", "ACA"), "One source at a time: --source is given 2 times (PAM, ACA)."),
        (("pam-quinola-gorgd", "-s", "PAM"), "Did you mean pam-quinola-gorged?"),
        ((DEAL, "-s", "PAM", "--worlds", "3"), "'--worlds': 3 is not in the range"),
        ((), "Missing argument 'DEAL'"),
    ],
)
def test_a_command_that_is_mistyped(words: tuple[str, ...], told: str) -> None:
    assert told in " ".join(refused(2, "hint", *words).split())


def test_a_table_that_nobody_searches_and_faults_are_told_so() -> None:
    assert "the record lists faults" in said(
        "hint", "pam-ten-cards", "-s", "PAM", "--seat", "west", "--trick", "3", code=1
    )
    done = run("deal", "random", "-s", "ACA", "--players", "5", "--pack", "48", "--seed", "2")
    told = run("hint", "-", "-s", "ACA", "--seat", "south", "--trick", "1", stdin=done.stdout).output
    assert "(as a cautious player would; there is no net for this table)" in told
    assert "Nobody here can look ahead by ACA: players look ahead at tables of 4, not of 5." in told


# ---- what a record lacks
SOUTH = "dealer: west\nhands: {south: QS JS 9S 8S 7S 6S 5S 4S 3S 2S AH}\npool: {stake: 60}\ntricks:\n- 2S 8H KS AS\n"


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_play_that_no_hidden_cards_explain_is_named_with_its_line() -> None:
    rest = "- KD QS 5H 4D\n- AC JS 9D 4C\n- QD _ _ _\n"
    text = refused(1, "hint", "-", "-s", "PAM", "--seat", "south", *FEW, stdin=SOUTH + rest)
    words = "trick 3: east plays 9D, having had none of its suit in trick 2, where KD was led and east played 5H"
    assert f"standard input:7:3: {words}" in text and "is not legal by PAM." in text


# ---- without the extra
def without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra were not installed."""

    def refuse(*_: object) -> None:
        raise click.ClickException("A player who looks ahead needs numba")

    monkeypatch.setattr(hint, "require_search", refuse)


@pytest.fixture
def fresh_nets(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every net had been made for the answers of today."""

    def read(source: str) -> TrainedNet | None:
        net = read_net(source)
        return net and replace(net, answers=fingerprint_answers(resolve(library, source)))

    monkeypatch.setattr(nets, "read_net", read)


def test_a_net_answers_where_nobody_can_search(monkeypatch: pytest.MonkeyPatch, fresh_nets: None) -> None:
    without_search(monkeypatch)
    text = said("hint", DEAL, "-s", "PAM", "--seat", "East", "--trick", "4")
    for words in (
        "hand: 6S 3S JH 6H 2H 3D KC 2C",
        "(sums in fiches; guessed by a net)",
        "The net was made for a first pool with a stake of 45, not 55.",
        "No search was made. A player who looks ahead needs numba",
    ):
        assert words in text
    assert "Play 6S." in text or "Play 3S." in text
    assert "95 %" not in text and "other answers" not in text


def test_a_net_tells_as_data_what_it_was_made_for(monkeypatch: pytest.MonkeyPatch, fresh_nets: None) -> None:
    without_search(monkeypatch)
    found = answer(DEAL, "-s", "PAM", "--seat", "east", "--trick", "4")
    assert (found["by"], found["net"]) == ("net", {"source": "PAM", "same_answers": True, "stake": 45})
    assert {one["card"] for one in found["cards"]} == {"6S", "3S"} and found["card"] == found["cards"][0]["card"]
    assert [{*one["worth"]} | {*one["behind"]} for one in found["cards"]] == [{"mean"}, {"mean"}]
    assert found["cards"][0]["behind"]["mean"] == 0 and not {"worlds", "seed"} & {*found}


@pytest.mark.parametrize("trick", ["1", "4", "6"])
def test_by_a_net_no_sum_of_its_own_is_printed_but_whole_distances(monkeypatch: pytest.MonkeyPatch, trick: str) -> None:
    """A net's sum is a guess that may be impossible: what is paid already it does not reckon."""
    without_search(monkeypatch)
    asked = (DEAL, "-s", "PAM", "--seat", "south", "--trick", trick)
    text, found = said("hint", *asked), answer(*asked)
    assert not re.search(r"[+-]\d|\d\.\d", text.partition("beside")[2])
    assert f"{found['card']} the best" in text and NET_GUESS in text and NET_GUESS in found["limits"]
    for one in found["cards"][1:]:
        less = round(one["behind"]["mean"])
        assert f"{one['card']} {f'{less} less' if less else 'about as good'}" in text


def test_for_other_answers_the_nearest_net_is_asked_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    without_search(monkeypatch)
    asked = (DEAL, "-s", "PAM", "--seat", "east", "--trick", "4", "--with", "Q031=30")
    assert "The net was made for other answers, those of PAM: it is the nearest there is." in said("hint", *asked)
    assert answer(*asked)["net"]["same_answers"] is False


def test_without_search_and_net_a_card_is_named_as_the_cautious_would_choose_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_search(monkeypatch)
    monkeypatch.setattr(hint, "find_net", lambda *_: None)
    asked = (DEAL, "-s", "PAM", "--seat", "east", "--trick", "4")
    told, found = said("hint", *asked), answer(*asked)
    assert f"Play {found['card']}. (as a cautious player would" in told
    assert (found["by"], found["cards"]) == ("caution", []) and "needs numba" in found["why"]
    assert "No search was made. A player who looks ahead needs numba" in told


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_whoever_uses_the_espagnolettes_privilege_is_not_taken_to_be_void(tmp_path: Path) -> None:
    """West, who holds three aces and the quinola, threw the 6H on a spade, and later follows with one."""
    record = """
dealer: east
hands: {north: AS KS JS 5S 3S QD 9D 7D 3D 4C 2C}
tricks:
- 2C JH 8C 3C
- 6C 9C 4C AD
- 2S 3S 6H 8S
- 9S 6S 5S 7S
- QC JC _ _
pool: {stake: 50}
exchange:
- {seat: north, out: 3H, in: 7D}
"""
    found = answer("-", "-s", "PAM", "--seat", "north", "--trick", "5", stdin=record)
    assert found["by"] == "search" and len(found["cards"]) == 7
    assert all(one["worlds"] == 64 for one in found["cards"]), "every world that is drawn is lawful"


@pytest.mark.slow
def test_without_the_extra_it_says_which_one_adds_it() -> None:
    done = blocked(["hint", DEAL, "-s", "PAM", "--seat", "east", "--trick", "4"], "numba", "numpy")
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert "guessed by a net" in words
    assert 'A player who looks ahead needs numpy, which is not installed: pip install -e ".[survey]"' in words


# ---- a hint at every position
WORLDS = 8  #: as few as the command takes: each of them has to be lawful
POSITIONS = 10  #: of a deal
DEALS, ALL_DEALS = 24, 1000
ACES = frozenset(map(parse_card_name, ("AS", "AH", "AD", "AC")))


@dataclass(frozen=True)
class Position:
    """A deal as it stands at a turn, under a ruleset."""

    ruleset: Ruleset
    deal: Deal


def draw_ruleset(library: Library, lot: Random) -> Ruleset:
    """A source as preferred, or with one rival, option or other way alone."""
    source = lot.choice(sorted(library.sources))
    others = [one.id for _, one in iter_clause_alternatives(library.sources[source].clauses)]
    wish = lot.choice(["", *others])
    try:
        return rules(library, source, *([wish] if wish else []))
    except BadChoice:
        return rules(library, source)


def deal_cards(ruleset: Ruleset, lot: Random, shape: TableShape) -> Deal:
    """The cards as dealt; in every second deal most aces and quinolas lie together, as an espagnolette's do."""
    strong, seat = [*ACES, *find_quinolas(Ask(ruleset))], lot.randrange(shape.players)
    lot.shuffle(strong)
    wanted = {card: seat for card in strong[: lot.choice((0, 5))]}
    dealer = lot.randrange(shape.players)
    pool = make_random_pool(ruleset, shape.players, dealer)
    deal = make_unplayed_deal(shape, dealer, lay_out_cards(lot, shape, wanted, {}), f"lot-{lot.randrange(10**6)}", pool)
    last, *talon = deal.talon
    hands = (*deal.hands[:dealer], deal.hands[dealer] | {last}, *deal.hands[dealer + 1 :])
    return Deal(deal.id, deal.pack, deal.seats, dealer, hands, tuple(talon), (), pools=deal.pools, fragment=True)


def play(ruleset: Ruleset, lot: Random) -> Iterator[Position]:
    """Every position of a deal, from the first exchange to the last card."""
    ask = Ask(ruleset)
    deal, choose = (
        deal_cards(ruleset, lot, lot.choice(list_table_shapes(ruleset))),
        lot.choice((choose_random_card, choose_cautious_card)),
    )
    while turn := find_exchange_turn(deal, ask):
        yield Position(ruleset, deal)
        deal = exchange_card(deal, turn.seat, lot.choice([*turn.legal, *([None] if turn.may_keep else [])]))
    if givers := list_givers(deal, ask):
        yield Position(ruleset, deal)
        deal = give_cards(deal, {(one, to): lot.choice(sorted(deal.hands[one])) for one, to in givers})
    while player := set_up_turn(deal, ask)[1]:
        yield Position(ruleset, deal)
        deal = add_card(deal, choose(lot, player))


def draw_positions(library: Library, seed: int) -> list[Position]:
    """Some positions of one deal."""
    lot = Random(f"positions:{seed}")
    found = [*play(draw_ruleset(library, lot), lot)]
    return lot.sample(found, min(POSITIONS, len(found)))


def ask_for_hint(library: Library, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the command says of a saved game, and what may be played."""
    ask, ruleset = Ask(position.ruleset), position.ruleset
    text = format_record_yaml(drop_blanks(write_deal(position.deal)))
    (record,) = read_positions(text.encode().splitlines(keepends=True), "game.yaml")
    assert not record.problems, text
    assert [*find_deal_faults(position.deal, ask, record.find)] == [], text
    if exchange_question := find_exchange_question(ruleset, record, ""):
        found = weigh_exchange(exchange_question)
        return tuple(one.card for one in found if one.card >= 0) or exchange_question.legal, exchange_question.legal
    assert record.record is not None
    view, problems = take_view(record.record, ask, find=record.find)
    assert view is not None, (problems, text)
    _, turn = set_up_turn(position.deal, ask)
    assert turn is not None
    question = hint.HintQuestion(library, ruleset, position.deal, view, WORLDS, 1, record.find)
    return hint.find_hint(question).cards, turn.legal


def find_bad_hints(library: Library, deals: range) -> list[str]:
    """Positions whose hint names a card that may not be played, or neither one card nor all that may be."""
    positions = ((seed, position) for seed in deals for position in draw_positions(library, seed))
    return [
        f"seed {seed}: {position.ruleset.name}, {len(position.deal.tricks)} tricks"
        for seed, position in positions
        for cards, legal in [ask_for_hint(library, position)]
        if not cards or not {*cards} <= {*legal} or len(cards) not in (1, len(legal))
    ]


@pytest.fixture(params=[pytest.param(True, marks=pytest.mark.release), False])
def _extra(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra, and as if it were not installed."""

    def refuse(*_: object) -> None:
        raise click.ClickException("A player who looks ahead needs numba")

    if not request.param:
        monkeypatch.setattr(hint, "require_search", refuse)


@pytest.mark.slow
@pytest.mark.usefixtures("_extra")
def test_every_position_that_lawful_play_reaches_gets_a_hint(library: Library) -> None:
    assert find_bad_hints(library, range(DEALS)) == []


@pytest.mark.nightly
@pytest.mark.usefixtures("_extra")
def test_ten_thousand_positions_that_lawful_play_reaches_get_a_hint(library: Library) -> None:
    assert find_bad_hints(library, range(DEALS, ALL_DEALS)) == []
