"""A net for each ruleset: what a search through many worlds has found, learnt by heart.

Weights are whole numbers, kept in a file for each source (`weights/`). They are evaluated with the standard library
alone; the survey's compiled code runs the same functions (`lab.players.net_batch`), and both come to the same
numbers. A net is made for the answers of one ruleset, of which it carries a fingerprint, and for the pool of a first
deal. Where one cannot learn by heart, one searches: a net is quick, and weaker.

What the net sees is a list of features that hold, each a number; nothing of it is hidden from the player. A hidden unit
adds up the weights of these features, and counts only if the sum is above nought. What comes out is the share of each
card, which tells one card from another, and once the mean of all that may be played.
"""

from __future__ import annotations

import json
from base64 import b85decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from struct import error as StructError
from struct import iter_unpack, pack, unpack
from typing import Any, TypeAlias

from engine.cards import make_card_mask
from engine.players.view import PlayerView, TurnOrder
from rulebook.model import Ruleset
from rulebook.problems import Problem, SpoiltFile

Numbers: TypeAlias = Any  #: a sequence of whole numbers that can be written into; compiled code has arrays in its place
WeightRows: TypeAlias = "tuple[tuple[int, ...], ...]"
WEIGHTS_FOLDER = Path(__file__).resolve().parent / "weights"
NET_DIGESTS = "SHA256SUMS"  #: in that folder, as `sha256sum` writes and checks it
NET_SEATS, NET_PACK = 4, 48  #: the table that a net is made for
KEEP, MEAN, OUTPUTS = 48, 49, 50  #: after a share for each card one for keeping the hand, and the mean of all
MOST_FEATURES = 160  #: more than can hold at once

# ---- features of a turn: the number of the first of each kind
_HELD = 0  #: a card held, by the number of lower cards of its suit that are not seen yet: none, one, two, more
_GONE, _ON_TABLE, _TAKING = 192, 240, 288  #: a card played or laid away; on the table; the one that takes so far
_PLACE, _LED, _TAKER, _VOID = 336, 340, 344, 348
_TRICK, _SOLE, _TRICKS, _POINTS = 360, 371, 376, 420
_COURTS = 464  #: the aces, and the court cards of hearts: who played each, and who took it
_GIVEN, _LENGTH, _UNSEEN = 520, 568, 600
TURN_FEATURES = 652

# ---- features of a hand before play
_SEAT, _GIVES, _OFFER_LENGTH, _OFFER_LOW, _OFFER_HELD, _OFFER_ASIDE = 0, 4, 5, 57, 73, 121
OFFER_FEATURES = 169

_ACE, _TEN, _HEARTS = 12, 8, 1


def number_card(card: int) -> int:
    """Number a card of the pack without tens, from 0 to 47."""
    return (card >> 4) * 12 + (card & 15) - ((card & 15) >> 3)


def list_held_features(hand: int, gone: int, table: int, into: Numbers, k: int) -> int:
    """List the features of the cards one by one; return how many features there are now."""
    for suit in range(4):
        held, out, shown = hand >> 16 * suit, gone >> 16 * suit, table >> 16 * suit
        unseen = length = 0
        for rank in range(13):
            number, bit = 12 * suit + rank - (rank >> 3), 1 << rank  # as `number_card` has it
            if held & bit:
                into[k] = _HELD + 4 * number + min(unseen, 3)
                k, length = k + 1, length + 1
            elif out & bit:
                into[k] = _GONE + number
                k += 1
            elif rank != _TEN and not shown & bit:
                unseen += 1
        into[k] = _LENGTH + 8 * suit + min(length, 7)
        into[k + 1] = _UNSEEN + 13 * suit + unseen
        k += 2
    return k


def list_table_features(me: int, cards: Numbers, players: Numbers, best: int, into: Numbers, k: int) -> int:
    """List the features of the trick on the table. `best`: the place in it of the card that takes so far."""
    place = len(cards) & 3
    first = len(cards) - place
    into[k] = _PLACE + place
    into[k + 1] = _TRICK + (first >> 2)
    k += 2
    if place:
        into[k] = _LED + (cards[first] >> 4)
        into[k + 1] = _TAKING + number_card(cards[first + best])
        into[k + 2] = _TAKER + ((players[first + best] - me) & 3) - 1
        k += 3
    for at in range(first, len(cards)):
        into[k] = _ON_TABLE + number_card(cards[at])
        k += 1
    return k


def list_void_features(me: int, cards: Numbers, players: Numbers, into: Numbers, k: int) -> int:
    """List the suits that the others did not follow, unless they had some of them later."""
    void = 0
    for at in range(len(cards)):
        suit, led, who = cards[at] >> 4, cards[at & 60] >> 4, 4 * ((players[at] - me) & 3)
        void &= 65535 - (1 << (who + suit))
        if suit != led:
            void |= 1 << (who + led)
    for at in range(4, 16):
        if void >> at & 1:
            into[k] = _VOID + at - 4
            k += 1
    return k


def number_court(card: int) -> int:
    """Number the aces by suit, then the court cards of hearts; -1 for any other."""
    suit, rank = card >> 4, card & 15
    if rank == _ACE:
        return suit
    return rank - 5 if suit == _HEARTS and rank > _TEN else -1


def list_trick_features(me: int, cards: Numbers, players: Numbers, takers: Numbers, into: Numbers, k: int) -> int:
    """List the features of the tricks that were taken: how many, with how many points, and who has had every one."""
    done, tricks, points = len(cards) >> 2, 0, 0
    sole = (takers[0] - me) & 3 if done else 4
    for trick in range(done):
        who = (takers[trick] - me) & 3
        sole = sole if sole == who else 4
        tricks += 1 << (8 * who)
        for at in range(4 * trick, 4 * trick + 4):
            rank = cards[at] & 15
            if rank <= _TEN:
                continue
            points += (rank - _TEN) << (8 * who)
            court = number_court(cards[at])
            if court >= 0:
                into[k] = _COURTS + 8 * court + ((players[at] - me) & 3)
                into[k + 1] = _COURTS + 8 * court + 4 + who
                k += 2
    if done:
        into[k] = _SOLE + sole
        k += 1
    for who in range(4):
        number, sum_third = tricks >> (8 * who) & 255, (points >> (8 * who) & 255) // 3
        if number:
            into[k] = _TRICKS + 11 * who + number - 1
            k += 1
        if sum_third:
            into[k] = _POINTS + 11 * who + min(sum_third, 11) - 1
            k += 1
    return k


def list_turn_features(
    me: int,
    known: tuple[int, int, int],
    cards: Numbers,
    players: Numbers,
    takers: Numbers,
    best: int,
    into: Numbers,
) -> int:
    """List the features of a turn that hold; return how many.

    `known`: as bits what he held at the first lead, what he laid away, and the card that he gave across the table;
    `takers`: of the whole tricks; `best`: the place in the trick on the table of the card that takes so far.
    """
    hand, gone, given = known
    table, first = 0, len(cards) & 60
    for at in range(len(cards)):
        bit = 1 << cards[at]
        hand ^= bit if players[at] == me else 0
        gone |= bit if at < first else 0
        table |= bit if at >= first else 0
    k = list_held_features(hand, gone, table, into, 0)
    k = list_table_features(me, cards, players, best, into, k)
    k = list_void_features(me, cards, players, into, k)
    k = list_trick_features(me, cards, players, takers, into, k)
    for card in range(64 if given else 0):
        if given >> card & 1 and not (gone | table) >> card & 1:
            into[k] = _GIVEN + number_card(card)
            k += 1
    return k


def list_offer_features(seat: int, hand: int, aside: int, gives: int, into: Numbers) -> int:
    """List the features of a hand before play: from which a card is laid away, or given across the table."""
    into[0] = _SEAT + seat
    k = 1
    if gives:
        into[k] = _GIVES
        k += 1
    for suit in range(4):
        length = low = 0
        for rank in range(13):
            card = 16 * suit + rank
            if aside >> card & 1:
                into[k] = _OFFER_ASIDE + number_card(card)
                k += 1
            if hand >> card & 1:
                into[k] = _OFFER_HELD + number_card(card)
                k, length, low = k + 1, length + 1, low + (rank < 4)
        into[k] = _OFFER_LENGTH + 13 * suit + length
        into[k + 1] = _OFFER_LOW + 4 * suit + min(low, 3)
        k += 2
    return k


# ---- nets
@dataclass(frozen=True, slots=True)
class NetLayers:
    """The weights of a net."""

    hidden: int  #: units
    first: WeightRows  #: feature by feature, a weight for each unit
    second: WeightRows  #: unit by unit, a weight for each output
    bias: tuple[int, ...]  #: of each output
    share_unit: int  #: so much of a share is one of the source's smallest units
    mean_unit: int  #: so much of the mean is one
    packed: tuple[int, ...] = field(init=False, repr=False, compare=False)  #: `first`, each row as one number

    def __post_init__(self) -> None:
        object.__setattr__(self, "packed", tuple(map(_pack_row, self.first)))

    def add_up_features(self, features: Iterable[int]) -> list[tuple[int, tuple[int, ...]]]:
        """Add up the weights of the features that hold; list the units above nought, with their weights."""
        rows = [self.packed[feature] for feature in features]
        sums = unpack(f"<{self.hidden}H", sum(rows).to_bytes(2 * self.hidden, "little"))
        nought = _NOUGHT * len(rows)
        return [(sum_ - nought, row) for sum_, row in zip(sums, self.second, strict=True) if sum_ > nought]

    def weigh_output(self, output: int, lit: Iterable[tuple[int, tuple[int, ...]]]) -> int:
        """Weigh an output by the units that are above nought."""
        return self.bias[output] + sum([sum_ * row[output] for sum_, row in lit])


_NOUGHT = 128  #: a weight of nought in a packed row


def _pack_row(row: Sequence[int]) -> int:
    """Pack weights from -128 to 127 into one number, 16 bits for each: so all units are added up at once.

    No sum runs over into its neighbour as long as no more than 257 rows are added: MOST_FEATURES is less.
    """
    return int.from_bytes(pack(f"<{len(row)}H", *(weight + _NOUGHT for weight in row)), "little")


@dataclass(frozen=True, slots=True)
class TrainedNet:
    """The nets of a ruleset, of play and of what comes before it, and what they were made for."""

    source: str
    answers: str  #: the fingerprint of the answers
    stake: int  #: of the pool that was played for
    command: str  #: by which it is made again
    turns: NetLayers
    offers: NetLayers

    def is_made_for(self, ruleset: Ruleset) -> bool:
        """Return whether it was made for just these answers."""
        return self.answers == fingerprint_answers(ruleset)


@dataclass(frozen=True, slots=True)
class NetWorth:
    """The worth of a card by a net: what the player wins with it, and how much less than with the best card."""

    card: int  #: -1 to keep the hand
    worth: float
    behind: float


def fingerprint_answers(ruleset: Ruleset) -> str:
    """Fingerprint the answers of a ruleset that are played."""
    played = {
        slug: ruling.value for slug, ruling in ruleset.rulings.items() if not (ruling.not_played or ruling.unasked)
    }
    text = json.dumps(
        played,
        sort_keys=True,
        ensure_ascii=False,
        separators=(",", ":"),
        default=lambda value: dict(value) if isinstance(value, Mapping) else str(value),
    )
    return sha256(text.encode()).hexdigest()[:16]


def find_net(ruleset: Ruleset, players: int, pack: int) -> TrainedNet | None:
    """Find the nearest net for a table: that of the ruleset's source, made for these answers or for others."""
    if (players, pack) != (NET_SEATS, NET_PACK):
        return None
    return _HANDED_IN.get(ruleset.source) or read_net(ruleset.source)


_HANDED_IN = dict[str, TrainedNet]()  #: by source


def hand_in_net(source: str, text: str) -> None:
    """Hand in the net of a source as its file has it: where there is no folder of weights, as in a browser.

    Raises SpoiltFile.
    """
    _HANDED_IN[source] = _parse_net(Path(f"{source}.json"), text.encode())


@lru_cache(maxsize=16)
def read_net(source: str, folder: Path = WEIGHTS_FOLDER) -> TrainedNet | None:
    """Read the net of a source; None where none has been made. Raises SpoiltFile."""
    path = folder / f"{source}.json"
    if not path.is_file():
        return None
    octets = path.read_bytes()
    if path.name in (known := read_net_digests(folder)) and known[path.name] != sha256(octets).hexdigest():
        raise SpoiltFile(_report_spoilt_net(path))
    return _parse_net(path, octets)


def _parse_net(path: Path, octets: bytes) -> TrainedNet:
    try:
        record = json.loads(octets)
        turns, offers = (unpack_layers(record[name]) for name in ("turns", "offers"))
        return TrainedNet(path.stem, record["answers"], record["stake"], record["command"], turns, offers)
    except (ValueError, KeyError, TypeError, StructError) as fault:
        raise SpoiltFile(_report_spoilt_net(path)) from fault


def _report_spoilt_net(path: Path) -> Problem:
    hint = f"bring back the file of this version, or repeat python -m lab.players.train --source {path.stem}"
    return Problem(f"{path.parent.name}/{path.name}", 1, 1, "the net is not as its training wrote it", hint)


def read_net_digests(folder: Path = WEIGHTS_FOLDER) -> Mapping[str, str]:
    """Read the digests of the nets in a folder, by file; none where none were kept."""
    path = folder / NET_DIGESTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def find_spoilt_nets(folder: Path = WEIGHTS_FOLDER) -> Iterator[Problem]:
    """Find the nets that are not as their training wrote them, and those of which there is no digest."""
    known = read_net_digests(folder)
    for name in sorted({*known, *(path.name for path in folder.glob("*.json"))}):
        path = folder / name
        if not path.is_file() or known.get(name) != sha256(path.read_bytes()).hexdigest():
            yield _report_spoilt_net(path)


def unpack_layers(record: Mapping[str, Any]) -> NetLayers:
    """Unpack weights as a file has them: two strings of bytes, each from -128 to 127, in base 85."""
    hidden = record["hidden"]
    rows = unpack_rows(record["first"], hidden), unpack_rows(record["second"], OUTPUTS)
    return NetLayers(hidden, *rows, tuple(record["bias"]), record["share_unit"], record["mean_unit"])


def unpack_rows(text: str, width: int) -> WeightRows:
    """Unpack small whole numbers, so many to a row."""
    return tuple(iter_unpack(f"{width}b", b85decode(text)))


# ---- a player with a net
def weigh_turn_by_net(
    net: TrainedNet, view: PlayerView, order: TurnOrder, legal: Iterable[int]
) -> tuple[NetWorth, ...]:
    """Weigh the cards that may be played, the best first, of equals the lowest. `order`: with the view's seats."""
    players, cards = [who for who, _ in view.played], [card for _, card in view.played]
    takers = [order.find_taker(players[at], cards[at : at + 4]) for at in range(0, len(cards) & 60, 4)]
    best = order.find_taker(0, view.row) if view.row else -1
    given = 0 if view.given is None else 1 << view.given
    known = make_card_mask(view.held), make_card_mask(view.aside), given

    def listed(into: Numbers) -> int:
        return list_turn_features(view.seat, known, cards, players, takers, best, into)

    return rank_by_net(net.turns, listed, legal)


def weigh_offers_by_net(
    net: TrainedNet, seat: int, hand: Iterable[int], aside: Iterable[int], gives: bool, legal: Sequence[int]
) -> tuple[NetWorth, ...]:
    """Weigh the cards that may be laid away, -1 for none, or given across the table; the best first."""

    def listed(into: Numbers) -> int:
        return list_offer_features(seat, make_card_mask(hand), make_card_mask(aside), int(gives), into)

    return rank_by_net(net.offers, listed, legal)


def rank_by_net(layers: NetLayers, listed: Callable[[Numbers], int], legal: Iterable[int]) -> tuple[NetWorth, ...]:
    """Rank what may be done by a net."""
    features = [0] * MOST_FEATURES
    count = listed(features)
    lit = layers.add_up_features(features[:count])
    shares = {card: layers.weigh_output(KEEP if card < 0 else number_card(card), lit) for card in legal}
    best, mean = max(shares.values()), sum(shares.values()) / len(shares)
    whole = layers.weigh_output(MEAN, lit) / layers.mean_unit
    worths = (
        NetWorth(card, whole + (share - mean) / layers.share_unit, (best - share) / layers.share_unit)
        for card, share in shares.items()
    )
    return tuple(sorted(worths, key=lambda worth: (worth.behind, worth.card)))
