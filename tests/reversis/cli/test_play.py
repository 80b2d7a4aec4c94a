"""`reversis play`: a game is played, saved and gone on with; nothing typed wrongly ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from engine.cards import format_card, format_cards, make_pack
from engine.deal.model import Deal
from engine.settlement.settle import Settled, settle
from reversis.cli.table.saved_game import read_saved_game
from reversis.cli.table.terminal_io import Talk
from reversis.files.positions import read_positions, restore_deal
from reversis.table import offers
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.reversis.cli.test_survey import blocked
from tests.support.commands import cache, refused, run, said

__all__ = ["cache"]  # the fixture, for these tests too

SIMPLE = ("--south", "cautious", "--east", "random", "--north", "cautious", "--west", "random")
ALONE = ("--east", "random", "--north", "cautious", "--west", "random")
EVERY_CARD = "".join(f"{card}\n" for card in format_cards(make_pack(52)))  #: one of them will do


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(*words: str, stdin: str = "") -> str:
    done = run("play", *words, stdin=stdin)
    assert done.exit_code == 0, done.output
    return done.stdout


def deals_of(path: str | Path) -> list[Deal]:
    return read_saved_game(Path(path))[0]


# ---- a whole game
@pytest.mark.slow
@pytest.mark.parametrize("source", ["PAM", "ACA", "GER", "HOY", "PAR"])
def test_a_game_is_a_line_for_each_event_and_a_record_that_its_source_settles(library: Library, source: str) -> None:
    text = played("-s", source, "--seed", "3", *SIMPLE)
    (deal,) = deals_of("reversis-1.yaml")
    assert isinstance(settle(deal, resolve(library, source)), Settled) and not deal.fragment
    lines = text.splitlines()
    for number, row in enumerate(deal.tricks, 1):
        for card in row:
            assert f"trick {number}: {deal.seats[deal.holder(card) or 0]} plays {format_card(card)}" in lines
    assert sum(line.startswith("trick ") and " goes to " in line for line in lines) == len(deal.tricks)
    assert "\x1b" not in text and lines[-1] == "Saved in reversis-1.yaml."
    net = said("run", "reversis-1.yaml", "-s", source, "-q")
    assert net in " ".join(text.split())


def read_sums(line: str) -> dict[str, int]:
    """The signed sums of a line, by whose they are."""
    words = line.replace(",", "").replace(";", "").split()
    return {who: int(sum) for who, sum in pairwise(words) if sum[0] in "+-" and sum[1:].isdigit()}


@pytest.mark.slow
@pytest.mark.parametrize("source", ["HOY", "ACA"])
def test_what_is_put_in_and_what_the_deals_bring_add_up_to_the_end(source: str) -> None:
    lines = played("-s", source, "--seed", "8", "--deals", "3", *SIMPLE).splitlines()
    put = [line for line in lines if line.startswith(("the first stake", "the dealer adds", "the stake is renewed"))]
    brought = [line for line in lines if f"  {source}  settled: " in line]
    (end,) = (line for line in lines if line.startswith("in the end: "))
    assert put and len(brought) == 3 and all(f"({source}.c" in line for line in put)
    for seat in ("south", "east", "north", "west"):
        assert sum(read_sums(line).get(seat, 0) for line in put + brought) == read_sums(end).get(seat, 0)
    assert sum(line.startswith("so far: ") for line in lines) == 2


@pytest.mark.slow
def test_the_same_seed_plays_the_same_game_and_no_file_is_overwritten() -> None:
    one, two = (played("-s", "PAM", "--seed", "8", *SIMPLE) for _ in range(2))
    assert one.replace("reversis-1", "reversis-2") == two
    assert Path("reversis-1.yaml").read_text("utf-8") == Path("reversis-2.yaml").read_text("utf-8")
    assert "is there already" in refused(2, "play", "-s", "PAM", "--out", "reversis-1.yaml", *SIMPLE)


# ---- a person
def test_what_a_person_types_wrongly_is_told_and_asked_again() -> None:
    text = played("-s", "PAM", "--seed", "7", *ALONE, stdin="XX\nAS\n10S\nh\n\nQS\nzz\n2C\n")
    for words in (
        "south holds QS | KH JH 6H 4H | 4D 3D 2D | AC KC 8C 6C",
        "'XX' is no card: type rank and suit",
        "AS is not in the hand; type one of QS",
        "there is no TS in a pack of 48; type one of QS",
        "guessed by a net",
        "exchange: south lays QS away",
        "'zz' is no card",
        "2C is not in the hand",
        "To go on: reversis play --resume reversis-1.yaml",
    ):
        assert words in text


def test_a_half_french_card_is_said_in_words_before_it_counts_and_can_be_taken_back() -> None:
    """RC, meant for *roi de coeur*, is the king of clubs; the suits' letters are English."""
    table = ("-s", "PAM", "--seed", "7", *ALONE)
    told = "'RC' is the king of clubs: Enter takes it, any other word takes it back"
    left = played(*table, stdin="RC\nq\n")
    assert told in left and "lays KC away" not in left
    back = played(*table, stdin="RC\nno\nKH\n")
    assert told in back and "exchange: south lays KH away" in back and "lays KC away" not in back
    assert "exchange: south lays KC away" in played(*table, stdin="RC\n\n")


def test_whoever_may_keep_the_hand_keeps_it_with_an_empty_line_and_only_then() -> None:
    others = ("--south", "random", "--north", "random", "--west", "random", "--east", "person", "--seed", "3")
    assert "exchange: east keeps the hand" in played("-s", "PAM", *others, stdin="\n")
    must = played("-s", "HOY", *others, stdin="\n")
    assert "or nothing" not in must and "A card is to be named: type rank and suit" in must


def test_a_card_that_is_held_but_not_lawful_is_refused() -> None:
    text = played("-s", "PAM", "--seed", "7", *ALONE, stdin=EVERY_CARD * 15)
    assert "4H may not be taken: " in text and "(PAM.c013: “l’on ne renonce jamais" in text.replace("'", "’")
    assert "Saved in reversis-1.yaml." in text.splitlines()[-1]
    assert not deals_of("reversis-1.yaml")[0].fragment


@pytest.mark.parametrize("word", ["hint", "H"])
def test_whoever_asks_for_a_hint_gets_it(word: str) -> None:
    told = played("-s", "PAM", "--seed", "7", *ALONE, stdin=f"{word}\nq\n")
    assert "guessed by a net" in told and "is no card" not in told


@pytest.mark.parametrize("word", ["help", "?"])
def test_whoever_asks_for_help_gets_what_can_be_typed_and_the_rules(word: str) -> None:
    told = played("-s", "GER", "--seed", "7", *ALONE, stdin=f"{word}\nq\n")
    assert "back  take back your last choice" in told and "is no card" not in told
    assert "Which card must be led to the first trick? A heart, if the leader has one." in told


# ---- what a person is shown
def test_before_each_choice_one_sees_how_all_stand_what_waits_and_the_last_trick() -> None:
    lines = played("-s", "PAM", "--seed", "328", *ALONE, stdin="7S\nJH\nq\n").splitlines()
    for seat in ("south", "east", "north", "west"):
        assert any(line.startswith(f"{seat} so far: ") and "balance" in line for line in lines)
    assert "waits: south owes for the quinola, led in trick 1" in lines
    assert any(line.startswith("last trick: south JH, east ") and line.endswith("it went to south") for line in lines)


def test_where_one_card_may_be_played_nothing_is_asked() -> None:
    text = played("-s", "PAM", "--seed", "7", *ALONE, stdin=EVERY_CARD * 15)
    asked = [line for line in text.splitlines() if " to play: " in line]
    assert asked and all(len(line.partition(" to play: ")[2].split()) > 1 for line in asked)


@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_what_is_taken_back_is_played_again_alike(source: str) -> None:
    others = (*ALONE, "--out")
    cards = "KC\n4D\n" + EVERY_CARD * 15
    played("-s", source, "--seed", "7", *others, "straight.yaml", stdin=cards)
    told = played("-s", source, "--seed", "7", *others, "back.yaml", stdin=f"back\nKC\nback\n4D\nback\n{cards}")
    assert "There is nothing to take back." in told and "taken back: " in told
    assert Path("back.yaml").read_text("utf-8") == Path("straight.yaml").read_text("utf-8")


# ---- saved and gone on with
def answer_with_the_last_card(monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    """A person who takes the last card of those named, so many times, and then is gone."""
    left = iter(range(answers))

    def listen(self: Talk, words: str) -> str:
        if next(left, None) is None:
            raise EOFError
        return words.split()[-1]

    monkeypatch.setattr(Talk, "listen", listen)


@pytest.mark.slow
@pytest.mark.parametrize(("source", "answers"), [("PAM", (0, 2, 5)), ("HOY", (0, 1, 7))])
def test_a_game_that_was_left_goes_on_to_the_same_end(
    monkeypatch: pytest.MonkeyPatch, source: str, answers: tuple[int, ...]
) -> None:
    """Left before or in the midst of the exchange, between tricks or within one: all choose as they would have."""
    whole = ("-s", source, "--seed", "9", *ALONE)
    answer_with_the_last_card(monkeypatch, 100)
    played(*whole)
    for number in answers:
        answer_with_the_last_card(monkeypatch, number)
        left = f"left-{number}.yaml"
        assert f"To go on: reversis play --resume {left}" in played(*whole, "--out", left)
        assert deals_of(left)[0].fragment
        answer_with_the_last_card(monkeypatch, 100)
        played("--resume", left)
        assert Path(left).read_text("utf-8") == Path("reversis-1.yaml").read_text("utf-8"), number


def test_after_every_card_the_file_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed terminal or a power cut loses nothing: what was said to be played is in the file already."""
    seen = list[bool]()
    say = Talk.say

    def look(self: Talk, *lines: str, style: str = "") -> None:
        for line in lines:
            if " plays " in line:
                with open("reversis-1.yaml", "rb") as opened:
                    deal = restore_deal([*read_positions(opened, "x")][-1])
                seen.append(format_card(deal.tricks[-1][-1]) == line.split()[-1])
        say(self, *lines, style=style)

    monkeypatch.setattr(Talk, "say", look)
    played("-s", "PAM", "--seed", "2", *SIMPLE)
    assert len(seen) == 44 and all(seen)


def swap_first_cards(text: str, deal: Deal) -> str:
    """The first two cards of trick 1 in the wrong order: the leader cannot have played the other's."""
    first, second = (format_card(card) for card in deal.tricks[0][:2])
    return text.replace(f"- {first} {second} ", f"- {second} {first} ", 1)


def revoke_somewhere(text: str, deal: Deal) -> str:
    """Another card of one who followed suit and did not take the trick: the same player leads on."""
    played = {card for row in deal.tricks for card in row}
    for row, after in pairwise(deal.tricks):
        for card in row[1:]:
            seat = deal.holder(card)
            held = deal.hands[seat or 0] - played
            other = next((one for one in held if one >> 4 != row[0] >> 4 == card >> 4), None)
            if other is not None and seat != deal.holder(after[0]):
                cards = (format_card(other if one == card else one) for one in row)
                return text.replace(f"- {' '.join(map(format_card, row))}\n", f"- {' '.join(cards)}\n")
    raise AssertionError("nobody could revoke")


def play_by_other_rules(text: str, _: Deal) -> str:
    """The command of the note by a source that knows no such exchange."""
    return text.replace("--source PAM", "--source GER")


def lose_a_card_of_east(text: str, _: Deal) -> str:
    """A hand of east without its last card."""
    line = next(line for line in text.splitlines() if line.startswith("  east: "))
    return text.replace(line, line.rpartition(" ")[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "source", "told"),
    [
        (lose_a_card_of_east, "", "the hand of east has 10 cards; the others have 11"),
        (swap_first_cards, "PAM", ": it is the turn of "),
        (revoke_somewhere, "", " may not play "),  # of which a player's own view need not tell
        (play_by_other_rules, "GER", " may not exchange a card"),
    ],
)
def test_an_edited_game_is_refused_with_the_words_of_the_hint_command(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[str, Deal], str], source: str, told: str
) -> None:
    answer_with_the_last_card(monkeypatch, 5)
    played("-s", "PAM", "--seed", "9", *ALONE, "--out", "left.yaml")
    text, (deal,) = Path("left.yaml").read_text("utf-8"), deals_of("left.yaml")
    spoilt = spoil(text, deal)
    assert spoilt != text
    Path("left.yaml").write_text(spoilt, "utf-8")
    refusal = refused(1, "play", "--resume", "left.yaml")
    assert told in refusal and "The game in left.yaml cannot go on; correct the problems above." in refusal
    hint = refused(1, "hint", "left.yaml", "-s", source) if source else refusal
    assert hint and {*hint.splitlines()} <= {*refusal.splitlines()}
    assert Path("left.yaml").read_text("utf-8") == spoilt


@pytest.mark.slow
@pytest.mark.parametrize("answers", [0, 5])
@pytest.mark.parametrize("place", ["  south: ", "  east: ", "  north: ", "  west: ", "talon: "])
def test_a_game_in_which_a_card_is_nowhere_is_refused(
    monkeypatch: pytest.MonkeyPatch, answers: int, place: str
) -> None:
    """Left before the exchange or in the play; whose card it is, or the talon's."""
    answer_with_the_last_card(monkeypatch, answers)
    played("-s", "PAM", "--seed", "9", *ALONE, "--out", "left.yaml")
    text = Path("left.yaml").read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith(place))
    Path("left.yaml").write_text(text.replace(line, line.rpartition(" ")[0], 1), "utf-8")
    assert f"missing from hands and talon: {line.split()[-1]}" in refused(1, "play", "--resume", "left.yaml")


def test_an_edited_pool_dealer_or_exchange_is_refused_before_the_first_card(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with_the_last_card(monkeypatch, 0)
    east = ("--south", "random", "--north", "random", "--west", "random", "--east", "person", "--seed", "5")
    played("-s", "PAM", *east, "--out", "left.yaml")
    text = Path("left.yaml").read_text("utf-8")
    for was, now, told in (
        ("stake: 45", "stake: 60", "the pool is stake 60; by PAM there lies stake 45"),
        ("dealer: south", "dealer: east", "east deals, and it is south's turn"),
        ("--source PAM", "--source GER", "the pool is stake 45; by GER there lies stake 8"),
    ):
        assert was in text
        Path("left.yaml").write_text(text.replace(was, now), "utf-8")
        assert told in refused(1, "play", "--resume", "left.yaml")


@pytest.mark.slow
def test_a_finished_deal_that_was_edited_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with_the_last_card(monkeypatch, 15)
    played("-s", "PAM", "--seed", "9", "--deals", "2", *ALONE, "--out", "left.yaml")
    text, (deal, _) = Path("left.yaml").read_text("utf-8"), deals_of("left.yaml")
    Path("left.yaml").write_text(swap_first_cards(text, deal), "utf-8")
    assert "by PAM: trick 1: south leads, but " in refused(1, "play", "--resume", "left.yaml")


@pytest.mark.slow
def test_a_deal_before_the_last_that_is_not_played_to_its_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with_the_last_card(monkeypatch, 15)
    played("-s", "PAM", "--seed", "9", "--deals", "2", *ALONE, "--out", "left.yaml")
    text, (deal, _) = Path("left.yaml").read_text("utf-8"), deals_of("left.yaml")
    last = next(line for line in text.splitlines() if line.startswith(f"- {format_card(deal.tricks[-1][0])} "))
    for cut in ("", f"{last.rpartition(' ')[0]}\n"):  # the last trick is missing, or its last card
        spoilt = text.replace(f"{last}\n", cut, 1)
        assert spoilt != text
        Path("left.yaml").write_text(spoilt, "utf-8")
        told = refused(1, "play", "--resume", "left.yaml")
        assert f"{deal.id} is not played to its end, and another deal follows" in told
        assert Path("left.yaml").read_text("utf-8") == spoilt


def test_ctrl_c_leaves_like_q(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Talk, "listen", interrupt)
    assert "To go on: reversis play --resume reversis-1.yaml" in played("-s", "PAM", "--seed", "7", *ALONE)
    assert deals_of("reversis-1.yaml")[0].fragment


@pytest.mark.slow
def test_a_game_of_several_deals_goes_on_in_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("-s", "PAM", "--seed", "9", "--deals", "2", *ALONE)
    answer_with_the_last_card(monkeypatch, 100)
    whole = played(*asked, "--out", "whole.yaml")
    answer_with_the_last_card(monkeypatch, 15)
    assert "deal 2 of 2" in played(*asked) and deals_of("reversis-1.yaml")[-1].fragment
    answer_with_the_last_card(monkeypatch, 100)
    again = played("--resume", "reversis-1.yaml")
    assert "deal 1 of 2" not in again and again.splitlines()[-2] == whole.splitlines()[-2]


# ---- what other commands make of the file


@pytest.mark.parametrize("answers", [0, 3])
def test_a_game_that_is_not_finished_is_settled_by_going_on(monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    answer_with_the_last_card(monkeypatch, answers)
    played("-s", "PAM", "--seed", "9", *ALONE)
    for command in ("run", "session"):
        told = said(command, "reversis-1.yaml", "-s", "PAM", code=1)
        assert "reversis-1.yaml:1:1: this is a saved game that is not finished" in told
        assert "go on with it: reversis play --resume reversis-1.yaml" in told and "no 'tricks'" not in told


# ---- mistyped
@pytest.mark.parametrize(
    "words, told",
    [
        ((), "Name a source: --source ACA"),
        (("-s", "PAM", "-s", "ACA"), "One source at a time: --source is given 2 times (PAM, ACA)."),
        (("-s", "PAM", "--players", "4", "--fifth", "random"), "Four play here: leave out --fifth."),
        (("-s", "PAM", "--east", "clever"), "'clever' is not one of 'person', 'random', 'cautious', 'net', 'skilled'"),
        (("--resume", "none.yaml"), "--resume goes on with a game that `reversis play` has saved"),
        (("--resume", "none.yaml", "--seed", "4"), "leave out --seed"),
        (("-s", "PAM", "--out", "nowhere/mine.yaml"), "No folder nowhere"),
    ],
)
def test_a_command_that_is_mistyped(words: tuple[str, ...], told: str) -> None:
    assert told in " ".join(refused(2, "play", *words).split())
    assert not [*Path().glob("*.yaml")]


def test_a_file_that_is_no_game_is_told_so() -> None:
    Path("mine.yaml").write_text(run("deal", "random", "-s", "PAM", "--seed", "1").stdout, "utf-8")
    assert "is no game that `reversis play` has saved" in refused(1, "play", "--resume", "mine.yaml")
    Path("spoilt.yaml").write_text("deal: [\n", "utf-8")
    assert "spoilt.yaml cannot be read" in refused(1, "play", "--resume", "spoilt.yaml")


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("Played (saved game 2): reversis play --source PAM", "saved in form 2, and this program knows 1 at most"),
        ("Played: reversis play --south 'x", "the command in the note cannot be read close the quotation mark"),
        ("Played: reversis play -ox.yaml", "the command in the note has -ox.yaml, which no game saves"),
        ("Played: reversis play --help", "the command in the note has --help, which no game saves"),
        ("Played: reversis play --out=victim.yaml", "the command in the note has --out=victim.yaml, which no game"),
        ("Played: reversis play --south nobody", "the command in the note is none: Invalid value for '--south'"),
    ],
)
def test_a_note_that_was_edited_is_a_fault_of_the_file(note: str, told: str) -> None:
    assert "Saved in" in played("-s", "PAM", "--seed", "7", *ALONE, stdin="q\n")
    text = Path("reversis-1.yaml").read_text("utf-8")
    assert "note: 'Played (saved game 1): reversis play --source PAM --seed 7" in text
    Path("reversis-1.yaml").write_text(f"{text[: text.index('note:')]}note: {json.dumps(note)}\n", "utf-8")
    assert told in " ".join(refused(1, "play", "--resume", "reversis-1.yaml").split())


def test_a_game_that_was_saved_before_games_had_a_version_goes_on() -> None:
    played("-s", "PAM", "--seed", "7", *ALONE, stdin="q\n")
    text = Path("reversis-1.yaml").read_text("utf-8")
    Path("reversis-1.yaml").write_text(text.replace("Played (saved game 1):", "Played:"), "utf-8")
    assert "Saved in reversis-1.yaml" in played("--resume", "reversis-1.yaml", stdin="q\n")


# ---- skilled
@pytest.mark.release  # a search goes through thousands of deals: only compiled
@pytest.mark.slow
def test_the_skilled_play_a_deal() -> None:
    text = played("-s", "PAM", "--seed", "4", "--south", "skilled", "--west", "cautious")
    assert text.splitlines()[-1] == "Saved in reversis-1.yaml."
    assert "west cautious" in Path("reversis-1.yaml").read_text("utf-8").replace("\n", " ").replace("  ", " ")


@pytest.mark.slow
def test_without_the_extra_the_skilled_play_by_a_net_and_it_is_said(library: Library) -> None:
    done = blocked(["play", "-s", "PAM", "--seed", "4", "--south", "skilled"], "numba", "numpy")
    assert done.returncode == 0, done.stderr
    assert "The skilled seats play by a net, and search nothing." in done.stderr and '".[survey]"' in done.stderr
    cautious = played(
        "-s", "PAM", "--seed", "4", *(f"--{seat}=cautious" for seat in ("south", "east", "north", "west"))
    )
    assert done.stdout.replace("reversis-1", "reversis-2") != cautious
    (deal,) = deals_of("reversis-1.yaml")
    assert isinstance(settle(deal, resolve(library, "PAM")), Settled) and not deal.fragment


def test_a_hint_before_play_is_what_the_hint_command_says_of_every_card(tmp_path: Path) -> None:
    east = ("--south", "random", "--north", "random", "--west", "random", "--east", "person", "--seed", "5")
    wish = ("--with", "Q031=30")
    told = played("-s", "PAM", *wish, *east, stdin="h\nq\n")
    hint = run("hint", "reversis-1.yaml", "-s", "PAM", *wish).stdout
    lines = [line.split() for line in hint.splitlines()]
    (deal,) = deals_of("reversis-1.yaml")
    named = [words[0] for words in lines if words[1:] in (["the", "best"], ["about", "as", "good"]) or "less" in words]
    assert sorted(named) == sorted([*format_cards(deal.hands[deal.seats.index("east")]), "nothing"])
    assert "The net was made for other answers, those of PAM" in hint and hint.strip() in told


def test_without_a_net_a_person_is_told_what_the_cautious_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "find_net", lambda *_: None)
    told = played("-s", "PAM", "--seed", "7", *ALONE, stdin="h\nq\n")
    assert "Lay away KC.  (as a cautious player would; there is no net for this table)" in told


# ---- at a terminal
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_at_a_terminal_of_eighty_columns_no_line_is_longer_and_no_colour_is_forced() -> None:
    import pty

    main, side = pty.openpty()
    words = [sys.executable, "-m", "reversis.cli", "play", "-s", "PAM", "--seed", "7", *ALONE]
    env = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(words, stdin=side, stdout=side, stderr=side, env=env, close_fds=True) as process:
        os.close(side)
        os.write(main, b"QS\nQQ\nq\n")
        text = b""
        while True:
            try:
                text += os.read(main, 4096)
            except OSError:
                break
            if process.poll() is not None and b"To go on" in text:
                break
    os.close(main)
    lines = text.decode().replace("\r", "").split("\n")
    assert process.returncode == 0 and any("To go on: reversis play --resume" in line for line in lines)
    assert "> " in text.decode() and max(map(len, lines)) <= 82, max(lines, key=len)
    assert "\x1b[3" not in text.decode()
