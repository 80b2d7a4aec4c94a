"""The options that a game is begun with: those of `reversis play`, as text that is saved with every deal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.generation.requests import format_options
from engine.generation.turn import SEAT_NAMES
from reversis.table.faults import TableFault
from reversis.table.players import KINDS

_OPTION = re.compile(r"--(\w+) (?:'([^']*)'|(\S+))")
_NUMBERS = ("seed", "deals", "players", "pack")


@dataclass(frozen=True)
class TableOptions:
    """The options of a game; `kinds`: who sits where, in order of play."""

    source: str
    seed: int
    kinds: tuple[str, ...]
    wishes: tuple[str, ...] = ()
    deals: int = 1
    players: int | None = None
    pack: int | None = None
    unclaimed: bool = False  #: persons do not ask for what is owed for led cards
    waived: tuple[int, ...] = ()  #: numbers of the deals in which persons have waived the espagnolette

    def __str__(self) -> str:
        words = format_options(source=self.source) + "".join(f" --with '{wish}'" for wish in self.wishes)
        words += format_options(seed=self.seed, deals=self.deals, players=self.players, pack=self.pack)
        words += format_options(claims="none" if self.unclaimed else None)
        words += "".join(format_options(waive=number) for number in self.waived)
        return words + format_options(**dict(zip(SEAT_NAMES[len(self.kinds)], self.kinds, strict=True)))


def read_table_options(text: str) -> TableOptions:
    """Read options as they are saved. Raises TableFault."""
    pairs = [(name, quoted or plain) for name, quoted, plain in _OPTION.findall(text)]
    given, wishes = dict(pairs), tuple(value for name, value in pairs if name == "with")
    try:
        numbers = {name: int(given[name]) for name in _NUMBERS if name in given}
        kinds = _read_kinds(given, numbers.get("players", 4))
        return TableOptions(
            given["source"],
            numbers["seed"],
            kinds,
            wishes,
            numbers.get("deals", 1),
            numbers.get("players"),
            numbers.get("pack"),
            given.get("claims") == "none",
            tuple(int(value) for name, value in pairs if name == "waive"),
        )
    except (ValueError, KeyError) as fault:
        raise TableFault(f"The options of the game cannot be read: {text.strip()}") from fault


def _read_kinds(given: Mapping[str, str], players: int) -> tuple[str, ...]:
    kinds = tuple(given[seat] for seat in SEAT_NAMES[players])
    if not {*kinds} <= {*KINDS}:
        raise ValueError(kinds)
    return kinds
