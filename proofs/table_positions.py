"""Positions at the table of every kind that looks different on the page, each reached by play.

A position is searched for from a seed: a person plays cards at random, the others as they do on the page, until it is
there. So it outlives a change of the players, and the seed only says where the search is short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from reversis.browser.api import answer_request
from rulebook.model import Library

Answer: TypeAlias = dict[str, Any]  #: the game and what the person sees of it
MOST_SEEDS = 400  #: that a search goes through
LATE = 7  #: tricks after which a reversis is threatened by whoever has them all
SOURCES = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")


@dataclass(frozen=True)
class Position:
    """A game as a page keeps it, and the card that is to be tapped there, if any."""

    source: str
    seed: int
    game: Mapping[str, Any]
    view: Mapping[str, Any]
    players: int
    pack: int
    tap: str = ""


@dataclass(frozen=True)
class PositionKind:
    """A kind of position, and where to search for it; `find_tap` returns a card, or None where it is another kind."""

    source: str
    find_tap: Callable[[Library, Answer], str | None]
    seed: int = 1
    table: Mapping[str, int] = field(default_factory=dict)


# ---- kinds: the card to be tapped, empty for none, or None where the position is not there
def _when(holds: Callable[[Mapping[str, Any]], bool]) -> Callable[[Library, Answer], str | None]:
    return lambda _, answer: "" if holds(answer["view"]) else None


def _in_trick(number: int) -> Callable[[Library, Answer], str | None]:
    return _when(lambda view: view["phase"] == "play" and view["trick"]["number"] == number)


def _find_card(**wanted: bool) -> Callable[[Library, Answer], str | None]:
    """Search for a turn to play with a card in hand that is marked so."""

    def find_tap(_: Library, answer: Answer) -> str | None:
        view = answer["view"]
        cards = [card["card"] for card in view["hand"] if all(bool(card[key]) is mark for key, mark in wanted.items())]
        return cards[0] if view["phase"] == "play" and cards else None

    return find_tap


def _find_parting(library: Library, answer: Answer) -> str | None:
    """Search for a card after which the books part."""
    if answer["view"]["phase"] != "play":
        return None
    for card in list_legal_cards(answer["view"]):
        after = answer_request(library, {"do": "table.card", "game": answer["game"], "card": card})
        if answer_request(library, {"do": "table.totals", "game": after["game"]})["parting"]:
            return card
    return None


def _find_dash(library: Library, answer: Answer) -> str | None:
    """Search for the end of a deal for which a book has no number, and says why."""
    if answer["view"]["phase"] != "over":
        return None
    totals = answer_request(library, {"do": "table.totals", "game": answer["game"]})["totals"]
    return "" if any(total["shown"] == "–" and total["reason"] for total in totals) else None


def _holds_both_quinolas(view: Mapping[str, Any]) -> bool:
    return {"JH", "QH"} <= {card["card"] for card in view["hand"]}


def _threatens_reversis(view: Mapping[str, Any]) -> bool:
    past = view["trick"]["number"] - 1 if view["phase"] == "play" else 0
    return past >= LATE and any(seat["tricks"] == past for seat in view["seats"])


POSITION_KINDS: Mapping[str, PositionKind] = {
    **{
        f"exchange {source}": PositionKind(source, _when(lambda view: view["phase"] == "exchange"))
        for source in SOURCES
    },
    **{f"early {source}": PositionKind(source, _in_trick(2)) for source in SOURCES},
    **{f"late {source}": PositionKind(source, _in_trick(9)) for source in SOURCES},
    **{f"dim {source}": PositionKind(source, _find_card(legal=False)) for source in SOURCES},
    **{f"over {source}": PositionKind(source, _when(lambda view: view["phase"] == "over")) for source in SOURCES},
    "parting": PositionKind("PAM", _find_parting),
    "dealer": PositionKind("PAM", _when(lambda view: view["phase"] == "exchange" and not view["keep"]), 5),
    "no exchange GER": PositionKind("GER", _when(lambda view: view["phase"] == "play" and len(view["hand"]) == 11)),
    "two quinolas": PositionKind("HOY", _when(_holds_both_quinolas), 16),
    "privilege": PositionKind("PAM", _find_card(legal=True, privilege=True), 116),
    "reversis": PositionKind("PAM", _when(_threatens_reversis), 23),
    "five ACA": PositionKind("ACA", _in_trick(3), table={"players": 5}),
    "five GER": PositionKind("GER", _in_trick(3), table={"players": 5}),
    "exchange five": PositionKind("ACA", _when(lambda view: view["phase"] == "exchange"), table={"players": 5}),
    "ten": PositionKind("GER", _in_trick(4), table={"pack": 52}),
    "dash": PositionKind("PAM", _find_dash, 80),
}


# ---- play
def list_legal_cards(view: Mapping[str, Any]) -> list[str]:
    """List the cards of a hand that may be played or laid away."""
    return [card["card"] for card in view["hand"] if card["legal"]]


def find_position(library: Library, name: str) -> Position:
    """Play deal after deal until a position of a kind is there."""
    kind = POSITION_KINDS[name]
    for seed in range(kind.seed, kind.seed + MOST_SEEDS):
        for answer in play_by_seed(library, kind, seed):
            tap = kind.find_tap(library, answer)
            if tap is not None:
                seats, (deal, *_) = answer["view"]["seats"], answer["game"]["deals"]
                return Position(kind.source, seed, answer["game"], answer["view"], len(seats), deal["pack"], tap)
    raise LookupError(f"no position of the kind {name} in {MOST_SEEDS} deals")


def play_by_seed(library: Library, kind: PositionKind, seed: int) -> Iterator[Answer]:
    """Play a deal by requests as a page sends them; yield every answer, to the end of the deal."""
    lots = Random(seed)
    answer = answer_request(
        library, {"do": "table.begin", "source": kind.source, "seed": seed, "wishes": [], "deals": 1, **kind.table}
    )
    yield answer
    while answer["view"]["phase"] != "over":
        view = answer["view"]
        does = "table.card" if view["phase"] == "play" else "table.exchange"
        card = lots.choice(list_legal_cards(view))
        answer = answer_request(library, {"do": does, "game": answer["game"], "card": card})
        yield answer
