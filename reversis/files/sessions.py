"""Worked sessions in files: find, read, play and check them, with the deals they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.deal.fields import Find
from engine.deal.model import Deal
from engine.session.record import Sitting, read_sitting
from engine.session.result_json import step_record
from engine.session.session import NotCounted, Step, begin, steps
from reversis.files import deals as deal_files
from rulebook.model import Library, Ruleset
from rulebook.problems import Problem
from rulebook.suggestions import did_you_mean


@dataclass(frozen=True)
class SittingRecord:
    """The record of a session as it was read: the session with its deals, or everything that is wrong."""

    file: str
    sitting: Sitting | None
    deals: tuple[Deal, ...]
    problems: tuple[Problem, ...]
    find: Find


def read_session_file(library: Library, path: Path, name: str = "", ignore_unknown: bool = False) -> SittingRecord:
    """Read one record of a session, with the worked deals it names."""
    from rulebook.io.strict_yaml import read_yaml

    name = name or path.as_posix()
    data, positions, problems = read_yaml(path, name)
    if problems:
        return SittingRecord(name, None, (), tuple(problems), positions.where)
    sitting, faults = read_sitting(data, positions.where, None if ignore_unknown else deal_files.sigla_of(library))
    if sitting is None:
        return SittingRecord(name, None, (), tuple(faults), positions.where)
    named_deals = tuple(_read_named_deals(library, sitting, positions.where, ignore_unknown))
    deals = tuple(deal for deal in named_deals if isinstance(deal, Deal))
    wrong = tuple(deal for deal in named_deals if isinstance(deal, Problem))
    return SittingRecord(name, None if wrong else sitting, deals, wrong, positions.where)


def is_session(path: Path) -> bool:
    """Check that a file holds the record of a session; its first key tells."""
    if not path.is_file() or path.suffix.lower() == ".json":
        return False
    from rulebook.io.strict_yaml import MAX_YAML_BYTES

    with path.open(encoding="utf-8-sig", errors="replace") as opened:
        letters = opened.read(MAX_YAML_BYTES)  # a line of a hostile file may have no end
        lines = (line for line in letters.split("\n") if line.strip() and not line.startswith(("#", "---")))
        return next(lines, "").startswith("session:")


def _read_named_deals(library: Library, sitting: Sitting, find: Find, ignore_unknown: bool) -> Iterator[Deal | Problem]:
    """Yield the worked deals that a session names, or what is wrong with a name."""
    deal_paths = deal_files.find_deal_paths(library)
    for at, id in enumerate(sitting.deals):
        record = deal_files.read_worked(library, id, ignore_unknown) if id in deal_paths else None
        if record is None:
            way_out = did_you_mean(id, deal_paths, "give the id of a worked deal")
            yield find(("deals", at)).problem(f"no worked deal {id}", way_out, "deal")
        elif record.deal is None:
            yield find(("deals", at)).problem(f"{id} cannot be read", "`reversis check` tells why", "deal")
        else:
            yield record.deal


def read_session(library: Library, id: str, ignore_unknown: bool = False) -> SittingRecord:
    """Read one worked session. Raise KeyError if there is none of that name."""
    path, root = deal_files.find_session_paths(library)[id], Path(library.root)
    return read_session_file(library, root / path, f"{root.name}/{path}", ignore_unknown)


def worked_sessions(library: Library) -> Iterator[SittingRecord]:
    """Yield every worked session, with all that is wrong with its record."""
    for id in deal_files.find_session_paths(library):
        record = read_session(library, id)
        readable = record if record.sitting else read_session(library, id, ignore_unknown=True)
        sitting, faults = readable.sitting, list(record.problems)
        if sitting is not None:
            faults += deal_files.check_record_references(
                library, readable.find, "session", record.file, sitting.id, sitting.cites
            )
        yield replace(record, problems=tuple(faults))


def read_playable_sessions(library: Library) -> Iterator[tuple[Sitting, tuple[Deal, ...]]]:
    """Yield every worked session that can be played, with its deals."""
    for id in deal_files.find_session_paths(library):
        record = read_session(library, id)
        if record.sitting is not None:
            yield record.sitting, record.deals


def play_worked_session(sitting: Sitting, deals: tuple[Deal, ...], ruleset: Ruleset) -> tuple[Step | NotCounted, ...]:
    """Play a worked session, each deal turned so that the right player deals."""
    return tuple(steps(begin(ruleset, sitting.seats, sitting.dealer, sitting.unpaid), deals, turn=True))


def is_session_pending(sitting: Sitting, siglum: str) -> bool:
    """Return whether a worked session expects of a source what the engine cannot come to yet."""
    expected: Any = sitting.expect.get(siglum)
    return isinstance(expected, Mapping) and "pending" in expected


def find_unmet_figures(
    sitting: Sitting, siglum: str, all_steps: tuple[Step | NotCounted, ...]
) -> tuple[deal_files.ExpectedFigure, ...]:
    """Return the expected figures of a worked session that do not come out."""
    expected: Any = sitting.expect.get(siglum)
    if not isinstance(expected, Mapping):
        return ()
    deals = (step for step in all_steps if isinstance(step, NotCounted) or step.kind == "deal")
    after = [step_record(deal) if isinstance(deal, Step) else {} for deal in deals]
    figures = deal_files.compare_expectations({"after": expected["after"]}, {"after": after})
    return tuple(figure for figure in figures if not figure.met)
