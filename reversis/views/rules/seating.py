"""Seating plan: the table seen from above, as a picture and in words.

It comes from a source's answers alone: what the source does not say is neither drawn nor told.
The dealer sits at the foot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin
from typing import Any

from engine.generation.turn import SEAT_NAMES
from rulebook.phrases import format_ordinal, join_names, spell_number

#: readings of table.direction -> which way round, seen from above, the right being against the clock
DIRECTION: Mapping[str, int] = {"to-the-right": 1, "to-the-left": -1}
WAY: Mapping[int, str] = {1: "to the right (counter-clockwise)", -1: "to the left (clockwise)"}
#: readings that name a place by the dealer -> steps to the dealer's right
_PLACE_STEPS: Mapping[str, int] = {"dealer": 0, "right-of-dealer": 1, "left-of-dealer": -1}
#: what somebody does before the first trick is over -> the question that says who
OFFICES: tuple[tuple[str, str], ...] = (
    ("shuffles", "deal.shuffler"),
    ("cuts", "deal.cutter"),
    ("leads first", "play.first-leader"),
)


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One seat at the table, counted to the dealer's right; its name is that of the deals in which south deals."""

    steps: int
    name: str  #: empty at a table for which no deal has names
    number: int | None  #: in order of play, from the first leader; None where that is not known
    offices: tuple[str, ...]

    @property
    def label(self) -> str:
        """Duties of the player."""
        return ", ".join(self.offices)


@dataclass(frozen=True, slots=True)
class Seating:
    """The table for a number of players."""

    seats: tuple[TableSeat, ...]
    way: int  #: 1 to the right, -1 to the left, 0 not known

    @property
    def opposite(self) -> tuple[tuple[TableSeat, TableSeat], ...]:
        """Those who face each other."""
        half, odd = divmod(len(self.seats), 2)
        return () if odd else tuple((self.seats[at], self.seats[at + half]) for at in range(half))


def build_seatings(answers: Mapping[str, Any]) -> tuple[Seating, ...]:
    """Build a table for every number of players for whom the source deals."""
    shapes = answers.get("table.shapes", ())
    return tuple(_build_seating(number, answers) for number in sorted({shape["players"] for shape in shapes}))


def _build_seating(players: int, answers: Mapping[str, Any]) -> Seating:
    way = DIRECTION.get(str(answers.get("table.direction")), 0)
    first = _PLACE_STEPS.get(str(answers.get("play.first-leader")))
    held: dict[int, list[str]] = {0: ["deals"]}
    for office, question in OFFICES:
        steps = _PLACE_STEPS.get(str(answers.get(question)))
        if steps is not None:
            held.setdefault(steps % players, []).append(office)
    return Seating(
        tuple(
            TableSeat(steps, name, number_of(steps, first, way, players), tuple(held.get(steps, ())))
            for steps, name in enumerate(SEAT_NAMES.get(players, ("",) * players))
        ),
        way,
    )


def number_of(steps: int, first: int | None, way: int, players: int) -> int | None:
    """A seat's number in order of play."""
    return None if first is None or not way else (steps - first) * way % players + 1


# --- in words -------------------------------------------------------------------------------------------


def describe_seating(seating: Seating) -> str:
    """Describe in words everything that the picture shows."""
    lines = [_format_seating_title(seating), f"Play goes {WAY[seating.way]}" if seating.way else ""]
    busy = [
        f"{name_seat(seat)} {join_names(seat.offices)}" for seat in sort_seats_in_play(seating.seats) if seat.offices
    ]
    lines += ["; ".join(busy)]
    facing = sorted((sort_seats_in_play(pair) for pair in seating.opposite), key=lambda pair: pair[0].number or 0)
    pairs = [" and ".join(seat.name.capitalize() or name_seat(seat) for seat in pair) for pair in facing]
    lines += [
        f"{join_names(pairs)} sit opposite each other"
        if len(pairs) == 1
        else (f"{', and '.join(pairs)}, sit opposite each other" if pairs else "")
    ]
    return " ".join(f"{line[:1].upper()}{line[1:]}." for line in lines if line)


def _format_seating_title(seating: Seating) -> str:
    return f"The table for {spell_number(len(seating.seats))}, seen from above"


def sort_seats_in_play(seats: Iterable[TableSeat]) -> tuple[TableSeat, ...]:
    """Seats in the order of play; where that is not known, round from the dealer."""
    return tuple(sorted(seats, key=lambda seat: (seat.number or 0, seat.steps)))


def name_seat(seat: TableSeat) -> str:
    """Name a seat as in the deals, with its number in order of play, or else by its place."""
    number = "" if seat.number is None else f"player {seat.number}"
    if seat.name:
        return f"{seat.name.capitalize()} ({number})" if number else seat.name.capitalize()
    if number:
        return number
    return "the dealer" if not seat.steps else f"the {format_ordinal(seat.steps)} to the dealer’s right"


# --- as a picture -----------------------------------------------------------------------------------------

_PICTURE_WIDTH, _PICTURE_HEIGHT, _TABLE_CENTRE, _TABLE_RADIUS = 400, 250, (200, 122), 78


def draw_seating(seating: Seating) -> str:
    """Draw the table as SVG; the words below it say the same."""
    (cx, cy), radius = _TABLE_CENTRE, _TABLE_RADIUS
    parts = [
        f'<ellipse class="rv-board" cx="{cx}" cy="{cy}" rx="{radius * 1.25:g}" ry="{radius}"/>',
        *_draw_opposite_lines(seating),
        *_draw_direction_arrow(seating),
        *(part for seat in seating.seats for part in _draw_seat(seat, seating)),
    ]
    label = escape(f"{_format_seating_title(seating)}; the words below say the same", quote=True)
    return (
        f'<svg class="rv-seating" role="img" aria-label="{label}" viewBox="0 0 {_PICTURE_WIDTH} {_PICTURE_HEIGHT}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def compute_seat_point(steps: float, of: int, radius: float) -> tuple[float, float]:
    """Coordinates of a seat: the dealer at the foot, the next to the dealer's right."""
    turn = 2 * pi * steps / of
    return _TABLE_CENTRE[0] + radius * 1.25 * sin(turn), _TABLE_CENTRE[1] + radius * cos(turn)


def _draw_opposite_lines(seating: Seating) -> Iterator[str]:
    for seat, other in seating.opposite:
        (x, y), (to_x, to_y) = (
            compute_seat_point(each.steps, len(seating.seats), _TABLE_RADIUS - 20) for each in (seat, other)
        )
        yield f'<line class="rv-across" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def _draw_direction_arrow(seating: Seating) -> Iterator[str]:
    if not seating.way:
        return
    radius, steps = _TABLE_RADIUS - 38, [0.5 + seating.way * (at / 24) for at in range(16)]
    row = [compute_seat_point(step, 1, radius) for step in steps]
    yield f'<polyline class="rv-way" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in row)}"/>'
    (x, y), (before_x, before_y) = row[-1], row[-2]
    along_x, along_y = x - before_x, y - before_y
    length = (along_x**2 + along_y**2) ** 0.5
    along_x, along_y = along_x / length, along_y / length
    tip = x + 9 * along_x, y + 9 * along_y
    wings = [(x - 5 * side * along_y, y + 5 * side * along_x) for side in (1, -1)]
    yield f'<polygon class="rv-tip" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in (tip, *wings))}"/>'


def _draw_seat(seat: TableSeat, seating: Seating) -> Iterator[str]:
    x, y = compute_seat_point(seat.steps, len(seating.seats), _TABLE_RADIUS)
    kind = "rv-dealer" if not seat.steps else "rv-seat-mark"
    yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="13"/>'
    number = "D" if seat.number is None and not seat.steps else seat.number or ""
    yield f'<text class="rv-number" x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{number}</text>'
    if seat.name or seat.label:
        name, duties = seat.name.capitalize(), " and ".join(seat.offices)
        beside = [*filter(None, (name, *seat.offices))]
        side = (x > _TABLE_CENTRE[0] + 20) - (x < _TABLE_CENTRE[0] - 20)
        at, anchor = x + 18 * side, ("end", "middle", "start")[side + 1]
        below = 29 if not side and y > _TABLE_CENTRE[1] else -20
        top = y + (5 if side else below) - (8 * (len(beside) - 1) if side else 0)
        rows = beside if side else [": ".join(filter(None, (name, duties)))]
        spans = "".join(
            f'<tspan x="{at:.1f}" dy="{16 if n else 0}">{escape(row)}</tspan>' for n, row in enumerate(rows)
        )
        yield f'<text class="rv-office" x="{at:.1f}" y="{top:.1f}" text-anchor="{anchor}">{spans}</text>'
