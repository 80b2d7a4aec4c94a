"""Deals by lot, and deals played to their end by lot: as records, the same for the same seed wherever they are made.

Like all that is carried into a browser (`edition.browser.bundle`), this needs the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from engine.deal.record import Deal, write_deal
from engine.generation.deal import Found, NotFound, Shape, fill, random_deal, shapes
from engine.generation.partial_deal import WHOLE, read_sketch
from engine.generation.plan import Sketch
from engine.play.replay import play_trick, seated
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from rulebook.model import Ruleset
from rulebook.problems import Problem

ATTEMPTS = 400  #: so many deals are tried before one that every source allows is given up


class NoSuchDeal(LookupError):
    """No deal was found, or there is no such table; the message says why, and the way out."""


def tables(rulesets: Sequence[Ruleset], players: int | None = None, cards: int | None = None) -> list[Shape]:
    """The tables of that size at which any of these rules is played. Raises NoSuchDeal."""
    found = sorted({s for r in rulesets for s in shapes(r) if fitting(s, players, cards)}, key=str)
    if not found:
        raise NoSuchDeal(no_table(rulesets, players, cards))
    return found


def fitting(shape: Shape, players: int | None, cards: int | None) -> bool:
    """Whether a table is one that is asked for."""
    return players in (None, shape.players) and cards in (None, shape.pack)


def no_table(rulesets: Sequence[Ruleset], players: int | None, cards: int | None) -> str:
    """Which tables there are."""
    known = sorted({f"{s.players} players with {s.pack} cards" for r in rulesets for s in shapes(r)})
    who = rulesets[0].source if len(rulesets) == 1 else "No source"
    asked = " with ".join(
        part for part in (f"{players} players" if players else "", f"{cards} cards" if cards else "") if part
    )
    return f"{who} does not play so: {asked}. Known: {', '.join(known)}."


def told(**options: object) -> str:
    """The options of a command, as they are typed."""
    return "".join(f" --{name} {value}" for name, value in options.items() if value is not None)


def made_by(command: str) -> str:
    """Where a generated record comes from."""
    return f"Generated: {command}"


def one_random(
    rulesets: Sequence[Ruleset], tables: Sequence[Shape], seed: int, n: int, of: int, command: str
) -> dict[str, object]:
    """One deal by lot, with the command that makes it again. Raises NoSuchDeal."""
    label = f"{seed}-{n}" if of > 1 else str(seed)
    deal = lawful(rulesets, tables, label if n > 1 else str(seed))
    again = f"{command} --number {of} (deal {n})" if of > 1 else command
    return write_deal(replace(deal, id=f"random-{label}", title="Dealt and played by lot", note=made_by(again)))


def lawful(rulesets: Sequence[Ruleset], tables: Sequence[Shape], label: str) -> Deal:
    """A deal that every one of the rulesets allows, as far as it plays at such a table. Raises NoSuchDeal."""
    shape = Random(label).choice(tables)
    knowing = [r for r in rulesets if shape in shapes(r)]
    for attempt in range(ATTEMPTS):
        maker = knowing[attempt % len(knowing)]
        deal = random_deal(maker, label if attempt == 0 else f"{label}/{attempt}", shape)
        if all(isinstance(settle(deal, r), Settled) for r in knowing):
            return deal
    raise NoSuchDeal(f"No deal was found that every source allows, in {ATTEMPTS} tries; name one: --source.")


def filled(found: Found, sketch: Sketch, command: str) -> dict[str, object]:
    """The record of the deal that was found."""
    title = found.deal.title or "; ".join(map(str, sketch.wishes))
    note = " ".join(part for part in (found.deal.note.strip(), made_by(command)) if part)
    return write_deal(replace(found.deal, title=title, provenance="generated", note=note))


def short(record: Mapping[str, object]) -> dict[str, object]:
    """A record without what it leaves unsaid."""
    return {key: value for key, value in record.items() if value not in ("", [])}


def played_on(
    ruleset: Ruleset, record: Mapping[str, object], kept: int, seed: int, sigla: frozenset[str]
) -> tuple[dict[str, object] | None, list[Problem]]:
    """A deal whose cards and first tricks are given, played to its end by lot. Raises NoSuchDeal."""
    rows = record.get("tricks")
    part = {key: value for key, value in record.items() if key not in WHOLE}
    part["tricks"] = list(rows)[:kept] if isinstance(rows, list) else []
    sketch, problems = read_sketch(part, sigla=sigla)
    if sketch is None:
        return None, problems
    found = fill(ruleset, sketch, seed)
    if isinstance(found, NotFound):
        raise NoSuchDeal(f"{ruleset.name}: {found}.")
    kept_too = {key: record[key] for key in ("exchange", "note") if record.get(key)}
    return short({**write_deal(replace(found.deal, provenance="generated", note="")), **kept_too}), []


def leading(ruleset: Ruleset, deal: Deal) -> Deal:
    """The same cards in the same tricks, each trick led by the player who is to lead it. Raises Silent."""
    table = seated(deal, Ask(ruleset))
    rows: list[tuple[int, ...]] = []
    for number, row in enumerate(deal.tricks, 1):
        played = {deal.holder(one): one for one in row}
        rows.append(tuple(played[seat] for seat in table.turns[table.leader] if seat in played))
        play_trick(table, number, rows[-1])
    return replace(deal, tricks=tuple(rows))
