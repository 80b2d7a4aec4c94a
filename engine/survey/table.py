"""A survey as it is kept: rows of plain numbers under names that a dictionary explains, and back again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.survey.request import EVENTS, Order, Rules, Table
from engine.survey.tally import STEPS, SUMS, Count, Tally, Versus

SCHEMA = 1

Row: TypeAlias = Mapping[str, Any]  #: column -> text, truth, whole number, or nothing


@dataclass(frozen=True, slots=True)
class Survey:
    """What was counted, of which edition, and how to have it counted again."""

    order: Order
    tally: Tally
    command: str
    version: str
    sources: str  #: fingerprint of the sources


# ---- the names of the columns
HIGHEST = (*(after - 1 for after in STEPS[1:]), 0)  #: the last of each step of the histogram; the last has none


def step_name(low: int, high: int) -> str:
    """The column of a step: moved_0, moved_2_4, moved_1000_up."""
    return f"moved_{low}" + (f"_{high}" if high > low else "" if high == low else "_up")


def step_says(low: int, high: int) -> str:
    """What the column of a step says."""
    much = f"{low} to {high}" if high > low else f"{low}" if high == low else f"{low} or more"
    return f"settled deals that move {much} counter{'s' * (much != '1')}"


WHO: Mapping[str, str] = {
    "eldest": "the eldest hand (who plays first)",
    "second": "the second player in order of play",
    "third": "the third player in order of play",
    "dealer": "the dealer (who plays last)",
    "pool": "the pool",
}
STEP_NAMES = tuple(map(step_name, STEPS, HIGHEST))
EVENT_NAMES = tuple(f"event_{name.replace('-', '_')}" for name in EVENTS)

OF_BOTH: Mapping[str, str] = {
    "table": "the rules by which the company deals, exchanges and plays: a source, or a source and wishes",
    "rules": "the rules by which its deals, as they were played, are settled",
    "own": "whether these are the company's own rules",
    "deals": "deals played at this table",
    "settled": "deals that are settled; by other rules, those that both settle",
    "forbidden": "deals in which the other rules forbid a play, or the table or exchange: a changed result too",
    "silent": "deals that raise a question on which either rules are silent",
}
OF_OTHERS: Mapping[str, str] = {
    "changed": "settled deals in which some account comes out otherwise than by the company's own rules",
    "moved": "counters that would have to change hands to make one result of the other, all settled deals together: "
    "half the sum of what the five accounts differ by, each rules' sums in their own smallest counter",
    "squares": "the squares of the counters moved, all settled deals together",
    "worst": "the most counters that any deal moves",
    "worst_deal": "the lowest number of a deal that moves so many; nothing where none moves any",
    **dict(zip(STEP_NAMES, map(step_says, STEPS, HIGHEST), strict=True)),
}
OF_OWN: Mapping[str, str] = {
    **{
        f"net_{who}": f"what {words} has won in all, in the smallest counter of the source"
        for who, words in WHO.items()
    },
    **{
        f"squares_{who}": f"the squares of what {words} has won in each deal, all together"
        for who, words in WHO.items()
    },
    **{name: f"{words}: how often" for name, words in zip(EVENT_NAMES, EVENTS.values(), strict=True)},
}
COLUMNS: Mapping[str, str] = {**OF_BOTH, **OF_OTHERS, **OF_OWN}  #: every column, and what it says
NUMBERED = tuple(name for name in COLUMNS if name not in ("table", "rules", "own"))

NETS_COLUMNS: Mapping[str, str] = {
    "deal": "the number of the deal in its survey, from 0; the same cards at every table before exchange and play",
    "table": OF_BOTH["table"],
    **{
        f"net_{who}": f"what {words} wins in this deal by the company's own rules, in the smallest counter of the "
        "source; nothing where these rules are silent on the deal"
        for who, words in WHO.items()
    },
}  #: every column of the file of single deals


# ---- rows
def rows(order: Order, tally: Tally) -> Iterator[Row]:
    """A row for every table's own rules, each followed by a row for each of its other rules."""
    for table, count in zip(order.tables, tally.tables, strict=True):
        yield own_row(table, count)
        for rules, versus in zip(table.others, count.others, strict=True):
            yield other_row(table, count, rules, versus)


def own_row(table: Table, count: Count) -> Row:
    """What was counted by the company's own rules."""
    return {
        **dict.fromkeys(COLUMNS),
        **headed(table, table.rules, count, own=True),
        "settled": count.settled,
        "forbidden": 0,
        "silent": count.deals - count.settled,
        **dict(zip(OF_OWN, (*count.net, *count.squares, *count.events), strict=True)),
    }


def other_row(table: Table, count: Count, rules: Rules, versus: Versus) -> Row:
    """What was counted by other rules."""
    return {
        **dict.fromkeys(COLUMNS),
        **headed(table, rules, count, own=False),
        **{name: getattr(versus, name) for name in SUMS},
        "worst": versus.worst,
        "worst_deal": versus.worst_deal if versus.worst else None,
        **dict(zip(STEP_NAMES, versus.steps, strict=True)),
    }


def headed(table: Table, rules: Rules, count: Count, own: bool) -> Row:
    """Whose row it is."""
    return {"table": str(table.rules), "rules": str(rules), "own": own, "deals": count.deals}


def counted(rows: Iterable[Row]) -> tuple[tuple[Table, ...], Tally]:
    """The tables and tallies that some rows tell of."""
    tables: list[Table] = []
    counts: list[Count] = []
    for company in companies(rows):
        own, *others = company
        tables.append(Table(read_rules(own["rules"]), tuple(read_rules(row["rules"]) for row in others)))
        counts.append(read_count(own, others))
    return tuple(tables), Tally(tuple(counts))


def companies(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows table by table: each begins with that of its own rules."""
    found: list[list[Row]] = []
    for row in rows:
        if row["own"]:
            found.append([])
        found[-1].append(row)
    return found


def read_count(own: Row, others: Sequence[Row]) -> Count:
    """What was counted at one table."""
    figures = [own[name] for name in OF_OWN]
    net, squares, events = figures[: len(WHO)], figures[len(WHO) : 2 * len(WHO)], figures[2 * len(WHO) :]
    versus = tuple(read_versus(row) for row in others)
    return Count(own["deals"], own["settled"], tuple(net), tuple(squares), tuple(events), versus)


def read_versus(row: Row) -> Versus:
    """What was counted by other rules."""
    worst = -1 if row["worst_deal"] is None else row["worst_deal"]
    sums = {name: row[name] for name in SUMS}
    return Versus(**sums, worst=row["worst"], worst_deal=worst, steps=tuple(row[name] for name in STEP_NAMES))


def read_rules(text: str) -> Rules:
    """Rules as they are printed."""
    source, *wishes = text.split(" + ")
    return Rules(source, tuple(wishes))


# ---- as plain data
def heading(survey: Survey) -> dict[str, Any]:
    """What a survey is of, without its figures. Into how large pieces it fell is no matter."""
    order = survey.order
    return {
        "schema": SCHEMA,
        "command": survey.command,
        "seed": order.seed,
        "policy": order.policy,
        "deals": order.deals,
        "version": survey.version,
        "sources": survey.sources,
    }


def written(survey: Survey) -> dict[str, Any]:
    """A survey as plain data: its heading, and its rows without what is empty."""
    found = [{k: v for k, v in row.items() if v is not None} for row in rows(survey.order, survey.tally)]
    return {**heading(survey), "rows": found}


def read_written(data: Mapping[str, Any]) -> Survey:
    """A survey from plain data."""
    return of_rows(data, (dict.fromkeys(COLUMNS) | row for row in data["rows"]))


def of_rows(head: Mapping[str, Any], rows: Iterable[Row]) -> Survey:
    """A survey from its heading and its rows. Raises ValueError if it is written in another manner than ours."""
    if head["schema"] != SCHEMA:
        raise ValueError(f"a survey of schema {head['schema']}; this version reads {SCHEMA}")
    tables, tally = counted(rows)
    order = Order(head["seed"], head["policy"], head["deals"], tables)
    return Survey(order, tally, head["command"], head["version"], head["sources"])
