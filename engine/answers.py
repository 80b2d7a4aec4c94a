"""Kinds of answers that know the game: cards, suits, ranks, tricks, hands, shapes of a deal, fines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulebook.answers.values import (
    LITERALS,
    SlugOf,
    Wrong,
    format_canonical,
    read_filled_table,
    read_one_of,
    read_value_list,
    read_value_table,
    read_whole_number,
)
from rulebook.model import FrozenMap, Question, Value
from rulebook.suggestions import did_you_mean

_RANK_LETTERS = "AKQJT98765432"
SUIT_LETTERS = "SHDC"

_SUIT_SYMBOLS: Mapping[str, str] = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♡": "H", "♢": "D", "♤": "S", "♧": "C"}
_RANK_ALIASES: Mapping[str, str] = {"R": "K", "D": "Q", "V": "J", "10": "T"}  # roi, dame, valet


def parse_card(raw: object) -> str:
    """Parse a card as rank and suit: AD is the ace of diamonds, TS the ten of spades."""
    text = raw.strip().upper() if isinstance(raw, str) else ""
    rank, suit = text[:-1], text[-1:]
    rank, suit = _RANK_ALIASES.get(rank, rank), _SUIT_SYMBOLS.get(suit, suit)
    if len(rank) != 1 or len(suit) != 1 or rank not in _RANK_LETTERS or suit not in SUIT_LETTERS:
        raise Wrong(
            f"{format_canonical(raw)} is no card", f"write rank ({_RANK_LETTERS}) and suit ({SUIT_LETTERS}), such as JH"
        )
    return rank + suit


def by_rank(card: str) -> tuple[int, int]:
    """Aces before kings; among equals spades, hearts, diamonds, clubs."""
    return _RANK_LETTERS.index(card[0]), SUIT_LETTERS.index(card[1])


def read_tricks(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read tricks counted from the first (1, 2) or from the last (-1, -2); or each with a factor of its own."""
    if isinstance(raw, Mapping):
        return read_factors(raw)
    numbers = [read_trick(one) for one in read_value_list(raw, "[1, -1], or {1: 2, -1: 3}")]
    return tuple(sorted(numbers, key=lambda number: (number < 0, abs(number))))


def read_factors(raw: Mapping[object, object]) -> Value:
    """Read how many times each of some tricks counts; what is typed on one line has its numbers as words."""
    found = {read_trick(key): read_whole_number(times, 1) for key, times in raw.items()}
    return FrozenMap((one, found[one]) for one in sorted(found, key=lambda one: (one < 0, abs(one))))  # type: ignore[misc]


def read_trick(raw: object) -> int:
    """Read one trick by its number."""
    number = read_whole_number(int(raw) if isinstance(raw, str) and re.fullmatch(r"-?\d{1,2}", raw) else raw, -13, 13)
    if number == 0:
        raise Wrong("there is no trick 0", "the first is 1, the last is -1")
    return number


def read_points(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read what each rank counts; a rank left out counts nothing."""
    table = read_value_table(raw, "{A: 4, K: 3, Q: 2, J: 1}")
    worth_of = {read_one_of(rank, _RANK_LETTERS, "rank"): read_whole_number(value, 0) for rank, value in table.items()}
    return FrozenMap((rank, worth_of[rank]) for rank in _RANK_LETTERS if rank in worth_of)


def read_card_values(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read what single cards count."""
    pairs = [
        (parse_card(card), read_whole_number(value, 0))
        for card, value in read_value_table(raw, "{AD: 5, JH: 4}, or {} for none").items()
    ]
    read_value_list([card for card, _ in pairs], "")
    return FrozenMap(sorted(pairs, key=lambda pair: by_rank(pair[0])))


def read_suit(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read a suit, or none of them."""
    return read_one_of(_SUIT_SYMBOLS.get(raw, raw) if isinstance(raw, str) else raw, (*SUIT_LETTERS, "none"), "suit")


def read_card(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read a single card."""
    return parse_card(raw)


def read_ranks(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read all thirteen ranks, the highest first."""
    if not isinstance(raw, str) or sorted(raw) != sorted(_RANK_LETTERS):
        raise Wrong(
            f"{format_canonical(raw)} does not name each rank once", f'write all thirteen, such as "{_RANK_LETTERS}"'
        )
    return raw


def read_fine(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read a sum, or a multiple of the stake."""
    if not isinstance(raw, Mapping):
        return read_whole_number(raw, 0)
    return FrozenMap(
        {"stakes": read_whole_number(read_filled_table(raw, ("stakes",), "{stakes: 1}, or a number")["stakes"], 1)}
    )


_NAMED_CARDS = "{aces: 1, cards: [JH, 9C]}"


def read_hands(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read each holding: the fewest aces, whether the quinola is needed, and other cards needed besides."""
    found = [read_hand(one) for one in read_value_list(raw, "[{aces: 3, quinola: true}], or [] for none")]
    return tuple(
        FrozenMap({"aces": aces, "quinola": quinola} | ({"cards": cards} if cards else {}))
        for aces, quinola, cards in sorted(found)
    )


def _hint_quinola(hand: Mapping[str, object]) -> str:
    """Show both ways to complete a hand: one alone would be copied, true of the source or not."""
    alone, beside = (format_canonical({**hand, "quinola": asked}) for asked in (False, True))
    return f"write {alone} where the aces alone will do, {beside} where the quinola is asked for beside them"


def read_hand(raw: object) -> tuple[int, int, tuple[str, ...]]:
    """Read a number of aces, with the quinola (1) or without (0), and the cards that are named."""
    cards = read_named_cards(raw["cards"]) if isinstance(raw, Mapping) and "cards" in raw else ()
    if cards and isinstance(raw, Mapping):  # who names the cards need not say that the quinola is none of them
        raw = {"quinola": False} | {key: one for key, one in raw.items() if key != "cards"}
    if isinstance(raw, Mapping) and "aces" in raw and "quinola" not in raw:
        raise Wrong("quinola is missing", _hint_quinola(raw))
    table = read_filled_table(raw, ("aces", "quinola"), "{aces: 3, quinola: true}")
    if table["quinola"] not in (True, False):
        several = isinstance(table["quinola"], int)
        way_out = f"name the cards where it takes several: {_NAMED_CARDS}" if several else _hint_quinola(table)
        raise Wrong(f"quinola: {format_canonical(table['quinola'])} is neither true nor false", way_out)
    return read_whole_number(table["aces"], 0, 4), int(bool(table["quinola"])), cards


def read_named_cards(raw: object) -> tuple[str, ...]:
    """Read the cards that a hand needs besides its aces."""
    cards = [parse_card(one) for one in read_value_list(raw, "[JH, QH]")]
    if ace := next((one for one in cards if one[0] == "A"), None):
        raise Wrong(f"{ace} is an ace", f"aces are only counted: {_NAMED_CARDS}")
    if not cards:
        raise Wrong("cards names no card", "leave it out, or write " + _NAMED_CARDS)
    read_value_list(cards, "")
    return tuple(sorted(cards, key=by_rank))


_SHAPE_HINT = "read again how many cards each holds when play begins, and how many lie aside"
#: What a further privileged card may have for itself, and the question that asks it of the first.
PRIVILEGED_CARD_SUMS: Mapping[str, str] = {
    "thrown-off": "quinola.thrown-off.amount",
    "forced": "quinola.forced.amount",
    "others-pay": "quinola.forced.others-pay",
    "to-every-other": "quinola.forced.to-every-other",
    "led": "quinola.led.amount",
    "led-others-pay": "quinola.led.others-pay",
    "first-each": "stake.first.each",
    "first-dealer": "stake.first.dealer",
    "first-total": "stake.first.total",
    "dealer-adds": "stake.dealer-adds",
    "renewed-dealer": "stake.renewed.dealer",
    "refreshed": "stake.refreshed.amount",
    "limit-from": "stake.limit-from",
    "limit": "stake.limit",
}

_PRIVILEGED_CARDS = "[{card: 9C, name: black nine, thrown-off: 7}]"
_CARD_CALLED = re.compile(r"[^\W\d_][\w-]*( [\w-]+)*")
_LONGEST_NAME = 40


def read_privileged_cards(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read the privileged cards besides the first, each with its name and the sums that it has for itself."""
    found = [read_privileged_card(one) for one in read_value_list(raw, f"{_PRIVILEGED_CARDS}, or [] for none")]
    read_value_list([one["card"] for one in found], "")
    return tuple(sorted(found, key=lambda one: by_rank(str(one["card"]))))


def read_privileged_card(raw: object) -> FrozenMap[str, int | str]:
    """Read one privileged card; what it leaves out follows the first card."""
    table = read_value_table(raw, _PRIVILEGED_CARDS)
    sums = {key: read_whole_number(table[key], 0) for key in PRIVILEGED_CARD_SUMS if key in table}
    known = ("card", "name", *PRIVILEGED_CARD_SUMS)
    if unknown := next((key for key in table if key not in known), None):
        raise Wrong(f"{unknown} is unknown here", did_you_mean(unknown, known, f"there are {', '.join(known)}"))
    named = read_filled_table({k: table[k] for k in table if k not in sums}, ("card", "name"), _PRIVILEGED_CARDS)
    head: dict[str, int | str] = {"card": parse_card(named["card"]), "name": read_card_name(named["name"])}
    return FrozenMap(head | sums)


def read_card_name(raw: object) -> str:
    """Read the name of a card: letters, digits, hyphens and single blanks."""
    if not isinstance(raw, str) or not _CARD_CALLED.fullmatch(raw) or len(raw) > _LONGEST_NAME or raw in _NO_NAMES:
        raise Wrong(f"{format_canonical(raw)} is no name of a card", "write it in letters: little quinola")
    return raw


_NO_NAMES = frozenset(LITERALS.values())  # typed on one line, they are no words

SHAPE = ("players", "pack", "hand", "talon")


def read_shapes(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read, for each number of players and each pack, the cards in a hand and in the talon."""
    example = "[{players: 2, pack: 24, hand: 9, talon: 6}]"
    tables = [read_shape(one, example) for one in read_value_list(raw, example)]
    return tuple(sorted(tables, key=lambda table: tuple(table.values())))


def read_shape(raw: object, example: str) -> FrozenMap[str, int]:
    """Read one way to share out the pack, nothing left over."""
    table = read_filled_table(raw, SHAPE, example)
    players, pack, each, talon = (read_whole_number(table[key], int(key != "talon")) for key in SHAPE)
    if players * each + talon != pack:
        raise Wrong(f"{players} hands of {each} and a talon of {talon} are no pack of {pack}", _SHAPE_HINT)
    return FrozenMap(zip(SHAPE, (players, pack, each, talon), strict=True))
