"""Surveys as tables: rows of plain numbers under documented names, and back again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lab.survey.request import EVENTS, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import MOVED_STEPS, VERSUS_SUMS, Count, SurveyTally, Versus, find_count_faults
from rulebook.display import Tabular, format_repr

_SURVEY_SCHEMA = 1

_SurveyRow: TypeAlias = Mapping[str, Any]  #: column -> text, truth, whole number, or nothing


@dataclass(frozen=True, slots=True)
class SurveyRun(Tabular[Any]):
    """Result of a survey: its counts, the version, and the command that repeats it."""

    order: SurveyOrder
    tally: SurveyTally
    command: str
    version: str
    sources: str  #: fingerprint of the sources
    nets: tuple[tuple[str, str], ...] = ()  #: of skilled players: source -> fingerprint of the net they play by

    def __repr__(self) -> str:
        tables = ", ".join(str(table.rules) for table in self.order.tables)
        return format_repr(
            self, f"{self.order.deals:,} deals, seed {self.order.seed}, {self.order.policy}, by {tables}"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the counts as plain dicts: a row for each table's own rules, and for each other rules."""
        return [dict(row) for row in generate_survey_rows(self.order, self.tally)]


# ---- the names of the columns
#: The last of each step of the histogram; the last has none.
STEP_HIGHS = (*(after - 1 for after in MOVED_STEPS[1:]), 0)


def describe_step_column(low: int, high: int) -> str:
    """Describe the column of a step."""
    much = f"{low} to {high}" if high > low else f"{low}" if high == low else f"{low} or more"
    return f"settled deals that move {much} counter{'s' * (much != '1')}"


WHO: Mapping[str, str] = {
    "eldest": "the eldest hand (who plays first)",
    "second": "the second player in order of play",
    "third": "the third player in order of play",
    "dealer": "the dealer (who plays last)",
    "pool": "the pool",
}
#: The column of each step: moved_0, moved_2_4, moved_1000_up.
STEP_NAMES = tuple(
    f"moved_{low}" + (f"_{high}" if high > low else "" if high == low else "_up")
    for low, high in zip(MOVED_STEPS, STEP_HIGHS, strict=True)
)
EVENT_NAMES = tuple(f"event_{name.replace('-', '_')}" for name in EVENTS)

OF_BOTH: Mapping[str, str] = {
    "table": "the rules by which the cards are dealt, exchanged and played: a source, or a source with changes",
    "rules": "the rules by which these deals, as played, are settled",
    "own": "whether these are the rules by which the deals were played",
    "deals": "deals played at this table",
    "settled": "deals that are settled; by other rules, those that both settle",
    "forbidden": "deals in which the other rules forbid a play, or the table or exchange; they count as changed "
    "results",
    "silent": "deals that raise a question on which either rules are silent",
}
OF_OTHERS: Mapping[str, str] = {
    "changed": "settled deals in which some account differs from the result by the rules played",
    "moved": "counters that must change hands to turn one result into the other, in all settled deals together: half "
    "the sum of the differences of the five accounts, each set of rules in its own smallest counter",
    "squares": "the squares of the counters moved, all settled deals together",
    "worst": "the most counters that any deal moves",
    "worst_deal": "the first deal that moves this many; null if none moves any",
    **dict(zip(STEP_NAMES, map(describe_step_column, MOVED_STEPS, STEP_HIGHS), strict=True)),
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
SURVEY_FILE_COLUMNS: Mapping[str, str] = {**OF_BOTH, **OF_OTHERS, **OF_OWN}  #: every column, and what it says
SURVEY_NUMERIC_COLUMNS = tuple(name for name in SURVEY_FILE_COLUMNS if name not in ("table", "rules", "own"))

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
def generate_survey_rows(order: SurveyOrder, tally: SurveyTally) -> Iterator[_SurveyRow]:
    """Yield a row for each table's own rules, followed by one for each other rules."""
    for table, count in zip(order.tables, tally.tables, strict=True):
        head = {**dict.fromkeys(SURVEY_FILE_COLUMNS), "table": str(table.rules), "deals": count.deals}
        yield head | {
            "rules": str(table.rules),
            "own": True,
            "settled": count.settled,
            "forbidden": 0,
            "silent": count.deals - count.settled,
            **dict(zip(OF_OWN, (*count.net, *count.squares, *count.events), strict=True)),
        }
        for rules, versus in zip(table.others, count.others, strict=True):
            yield head | {
                "rules": str(rules),
                "own": False,
                **{name: getattr(versus, name) for name in VERSUS_SUMS},
                "worst": versus.worst,
                "worst_deal": versus.worst_deal if versus.worst else None,
                **dict(zip(STEP_NAMES, versus.steps, strict=True)),
            }


def read_survey_counts(rows: Iterable[_SurveyRow]) -> tuple[tuple[SurveyTable, ...], SurveyTally]:
    """Read the tables and tallies from rows."""
    tables: list[SurveyTable] = []
    counts: list[Count] = []
    for company in group_rows_by_table(rows):
        own, *others = company
        tables.append(
            SurveyTable(parse_rules_text(own["rules"]), tuple(parse_rules_text(row["rules"]) for row in others))
        )
        counts.append(read_table_count(own, others))
    return tuple(tables), SurveyTally(tuple(counts))


def group_rows_by_table(rows: Iterable[_SurveyRow]) -> list[list[_SurveyRow]]:
    """Group the rows by table: each group begins with that of its own rules."""
    groups: list[list[_SurveyRow]] = []
    for row in rows:
        if row["own"]:
            groups.append([])
        elif not groups or row["table"] != groups[-1][0]["table"]:
            raise ValueError(f"the row of {row['rules']} does not stand under its table {row['table']}")
        groups[-1].append(row)
    return groups


def read_table_count(own: _SurveyRow, others: Sequence[_SurveyRow]) -> Count:
    """Read the counts of one table."""
    figures = [own[name] for name in OF_OWN]
    net, squares, events = figures[: len(WHO)], figures[len(WHO) : 2 * len(WHO)], figures[2 * len(WHO) :]
    versus = tuple(read_versus_row(row) for row in others)
    return Count(own["deals"], own["settled"], tuple(net), tuple(squares), tuple(events), versus)


def read_versus_row(row: _SurveyRow) -> Versus:
    """Read the counts under other rules."""
    worst = -1 if row["worst_deal"] is None else row["worst_deal"]
    sums = {name: row[name] for name in VERSUS_SUMS}
    return Versus(**sums, worst=row["worst"], worst_deal=worst, steps=tuple(row[name] for name in STEP_NAMES))


def parse_rules_text(text: str) -> Rules:
    """Parse rules as they are printed."""
    source, *wishes = text.split(" + ")
    return Rules(source, tuple(wishes))


# ---- as plain data
def dump_survey_heading(survey: SurveyRun) -> dict[str, Any]:
    """Dump the heading of a survey, without its figures and the size of its pieces."""
    order = survey.order
    return {
        "schema": _SURVEY_SCHEMA,
        "command": survey.command,
        "seed": order.seed,
        "policy": order.policy,
        "deals": order.deals,
        "version": survey.version,
        "sources": survey.sources,
        **({"nets": dict(survey.nets)} if survey.nets else {}),
    }


def dump_survey_run(survey: SurveyRun) -> dict[str, Any]:
    """Dump a survey as plain data: its heading, and its rows without empty values."""
    filled_rows = [
        {k: v for k, v in row.items() if v is not None} for row in generate_survey_rows(survey.order, survey.tally)
    ]
    return {**dump_survey_heading(survey), "rows": filled_rows}


def read_survey_dump(data: Mapping[str, Any]) -> SurveyRun:
    """Read a survey from plain data."""
    return read_survey_rows(data, (dict.fromkeys(SURVEY_FILE_COLUMNS) | row for row in data["rows"]))


def read_survey_rows(head: Mapping[str, Any], rows: Iterable[_SurveyRow]) -> SurveyRun:
    """Read a survey from heading and rows. Raises ValueError for another schema than ours, and for impossible sums."""
    if head["schema"] != _SURVEY_SCHEMA:
        raise ValueError(f"a survey of schema {head['schema']}; this version reads {_SURVEY_SCHEMA}")
    tables, tally = read_survey_counts(rows)
    named = [str(table.rules) for table in tables]
    if len({*named}) < len(named):
        raise ValueError("a table is there twice")
    for name, count in zip(named, tally.tables, strict=True):
        short = [f"{count.deals} of {head['deals']} deals"] if count.deals != head["deals"] else []
        if faults := [*short, *find_count_faults(count)]:
            raise ValueError(f"the table of {name} cannot be right: {faults[0]}")
    order = SurveyOrder(head["seed"], head["policy"], head["deals"], tables)
    nets = tuple(head.get("nets", {}).items())
    return SurveyRun(order, tally, head["command"], head["version"], head["sources"], nets)
