"""Random deals, and deals completed at random: as records, the same for the same seed wherever they are made.

Like all that is carried into a browser (`reversis.browser.bundle`), this needs the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation.deal import Found, NotFound, fill, random_deal
from engine.generation.partial_deal import WHOLE_DEAL_KEYS, read_sketch
from engine.generation.turn import TableShape, list_table_shapes
from engine.generation.wishes import Sketch
from engine.play.replay import play_trick
from engine.play.table import seat_players
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from rulebook.model import Ruleset
from rulebook.problems import Problem

ATTEMPTS = 400  #: so many deals are tried before one that every source allows is given up


class NoSuchDeal(LookupError):
    """No deal was found, or there is no such table; the message says why, and the way out."""


def find_tables(rulesets: Sequence[Ruleset], players: int | None = None, cards: int | None = None) -> list[TableShape]:
    """Return the tables of that size at which any of these rules is played. Raises NoSuchDeal."""
    tables = sorted({s for r in rulesets for s in list_table_shapes(r) if fits_request(s, players, cards)}, key=str)
    if not tables:
        raise NoSuchDeal(explain_no_table(rulesets, players, cards))
    return tables


def fits_request(shape: TableShape, players: int | None, cards: int | None) -> bool:
    """Return whether a table is one that is asked for."""
    return players in (None, shape.players) and cards in (None, shape.pack)


def explain_no_table(rulesets: Sequence[Ruleset], players: int | None, cards: int | None) -> str:
    """Say which tables there are."""
    known = sorted({f"{s.players} players with {s.pack} cards" for r in rulesets for s in list_table_shapes(r)})
    who = rulesets[0].source if len(rulesets) == 1 else "No source"
    asked = " with ".join(
        part for part in (f"{players} players" if players else "", f"{cards} cards" if cards else "") if part
    )
    return f"{who} does not play so: {asked}. Known: {', '.join(known)}."


def format_options(**options: object) -> str:
    """Write the options of a command as they are typed."""
    return "".join(f" --{name} {value}" for name, value in options.items() if value is not None)


def make_random_record(
    rulesets: Sequence[Ruleset], tables: Sequence[TableShape], seed: int, n: int, of: int, command: str
) -> dict[str, object]:
    """Make one random deal, with the command that makes it again. Raises NoSuchDeal."""
    label = f"{seed}-{n}" if of > 1 else str(seed)
    deal = find_deal_for_all(rulesets, tables, label if n > 1 else str(seed))
    again = f"{command} --number {of} (deal {n})" if of > 1 else command
    return write_deal(
        replace(deal, id=f"random-{label}", title="Dealt and played at random", note=f"Generated: {again}")
    )


def find_deal_for_all(rulesets: Sequence[Ruleset], tables: Sequence[TableShape], label: str) -> Deal:
    """Find a deal that every one of the rulesets allows, as far as it plays at such a table. Raises NoSuchDeal."""
    shape = Random(label).choice(tables)
    knowing = [r for r in rulesets if shape in list_table_shapes(r)]
    for attempt in range(ATTEMPTS):
        maker = knowing[attempt % len(knowing)]
        deal = random_deal(maker, label if attempt == 0 else f"{label}/{attempt}", shape)
        if all(isinstance(settle(deal, r), Settled) for r in knowing):
            return deal
    raise NoSuchDeal(f"No deal was found that every source allows, in {ATTEMPTS} tries; name one: --source.")


def make_found_record(result: Found, sketch: Sketch, command: str) -> dict[str, object]:
    """Write the deal that was found as a record."""
    title = result.deal.title or "; ".join(map(str, sketch.wishes))
    note = " ".join(part for part in (result.deal.note.strip(), f"Generated: {command}") if part)
    return write_deal(replace(result.deal, title=title, provenance="generated", note=note))


def drop_blanks(record: Mapping[str, object]) -> dict[str, object]:
    """Return a record without its empty fields."""
    return {key: value for key, value in record.items() if value not in ("", [])}


def play_on(
    ruleset: Ruleset, record: Mapping[str, object], kept: int, seed: int, sigla: frozenset[str]
) -> tuple[dict[str, object] | None, list[Problem]]:
    """Play a deal whose cards and first tricks are given to its end at random. Raises NoSuchDeal."""
    rows = record.get("tricks")
    part = {key: value for key, value in record.items() if key not in WHOLE_DEAL_KEYS}
    part["tricks"] = list(rows)[:kept] if isinstance(rows, list) else []
    sketch, problems = read_sketch(part, sigla=sigla)
    if sketch is None:
        return None, problems
    result = fill(ruleset, sketch, seed)
    if isinstance(result, NotFound):
        raise NoSuchDeal(f"{ruleset.name}: {result}.")
    kept_too = {key: record[key] for key in ("exchange", "note") if record.get(key)}
    return drop_blanks({**write_deal(replace(result.deal, provenance="generated", note="")), **kept_too}), []


def reorder_tricks(ruleset: Ruleset, deal: Deal) -> Deal:
    """Return the same tricks, each led by the player who is to lead it. Raises Silent."""
    table = seat_players(deal, Ask(ruleset))
    rows: list[tuple[int, ...]] = []
    for number, row in enumerate(deal.tricks, 1):
        played = {deal.holder(card): card for card in row}
        rows.append(tuple(played[seat] for seat in table.turns[table.leader] if seat in played))
        play_trick(table, number, rows[-1])
    return replace(deal, tricks=tuple(rows))
