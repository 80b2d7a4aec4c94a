"""Stored attributions: answers that make two sources differ on a worked deal.

To find them takes minutes (`engine.comparison.attribution`), so `python -m proofs.attributions` finds them all and
keeps them in `sources/attributions.json`, each with the fingerprint of its deal. A deal that has changed since shows
none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from engine.comparison.attribution import RESULT_STATE_NAMES, Attribution, attribute_difference
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import name_ledger_account
from engine.settlement.result_json import fingerprint_deal_record
from reversis.files.json_records import CausedRecord, CausesRecord, dump_json_line, read_stored
from reversis.files.separations import worked_deals
from rulebook import __version__
from rulebook.io.digests import add_digest
from rulebook.io.files import replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import describe_outdated
from rulebook.resolve import rules

ATTRIBUTIONS_FILE = "attributions.json"
_SCHEMA_VERSION = 1
ATTRIBUTIONS_COMMAND = "python -m proofs.attributions"
_REMAKE_HINT = f"make it again: {ATTRIBUTIONS_COMMAND}"


@dataclass(frozen=True, slots=True)
class Cause:
    """Some answers that are exchanged together, and what they add to every account, as exact fractions."""

    questions: tuple[str, ...]  #: slugs; none: the pool as it lies before the deal
    adds: Mapping[str, str]
    joined: str = ""  #: one of engine.comparison.bundles.JOINED


@dataclass(frozen=True, slots=True)
class TurnedOutcome:
    """An outcome besides money that differs, and the answers that suffice for it."""

    what: str
    enough: tuple[tuple[str, ...], ...] = ()
    trick: int = 0  #: 0 where it is no matter of one trick
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Caused:
    """One deal under two sources."""

    deal: str
    pair: tuple[str, str]
    seal: str  #: fingerprint of the deal
    states: tuple[str, str]
    difference: Mapping[str, int]  #: what every account has more by the second
    causes: tuple[Cause, ...] = ()
    turned: tuple[TurnedOutcome, ...] = ()


@dataclass(frozen=True)
class Causes:
    """All stored attributions, the state of the edition, and the command for them."""

    command: str
    version: str
    sources: str
    found: tuple[Caused, ...]

    @cached_property
    def by_deal(self) -> Mapping[str, tuple[Caused, ...]]:
        """Those of each deal."""
        deals: dict[str, list[Caused]] = {}
        for one in self.found:
            deals.setdefault(one.deal, []).append(one)
        return {deal: tuple(some) for deal, some in deals.items()}

    def outdated(self, digest: str) -> tuple[str, ...]:
        """Reasons why the file does not fit the present edition; empty when it does."""
        return describe_outdated((self.version, self.sources), (__version__, digest))


# ---- finding
def attribute_deal(library: Library, deal: Deal) -> Iterator[Caused]:
    """Yield the attribution of a deal under every two sources."""
    for first, second in combinations(library.sources, 2):
        found = attribute_difference(library, deal, rules(library, first), rules(library, second))
        yield stored_form(found, (first, second))


def stored_form(found: Attribution, pair: tuple[str, str]) -> Caused:
    """Return an attribution as it is stored."""
    deal = found.deal
    states = RESULT_STATE_NAMES[type(found.first)], RESULT_STATE_NAMES[type(found.second)]
    difference = {name_ledger_account(deal, a): n for a, n in found.difference.items() if n} if found.settled else {}
    causes = tuple(
        Cause(bundle.questions, {name_ledger_account(deal, a): str(n) for a, n in share.items() if n}, bundle.joined)
        for bundle, share in found.shares.items()
        if any(share.values())
    )
    turned = tuple(
        TurnedOutcome(
            one.what,
            tuple(tuple(q for bundle in some for q in bundle.questions) for some in one.enough),
            one.trick or 0,
            "" if one.seat is None else deal.seats[one.seat],
        )
        for one in found.turned
    )
    return Caused(deal.id, pair, fingerprint_deal(deal), states, difference, causes, turned)


def fingerprint_deal(deal: Deal) -> str:
    """Return the fingerprint of a deal."""
    return fingerprint_deal_record(write_deal(deal))


# ---- the file
def write_causes(root: Path, one: Causes) -> Path:
    """Write the file, replacing the last one: a line for each deal and pair."""
    head = {"schema": _SCHEMA_VERSION, "command": one.command, "version": one.version, "sources": one.sources}
    body = ",\n".join(f" {dump_json_line(_drop_empty(asdict(each)))}" for each in one.found)
    letters = f'{dump_json_line(head)[:-1]},\n"found": [\n{body}\n]}}\n'
    return replace_file(root / ATTRIBUTIONS_FILE, add_digest(letters))


def _drop_empty(data: Any) -> Any:
    """Return data without empty entries, except those that must be present."""
    if isinstance(data, dict):
        demanded = ("difference", "questions", "adds")
        return {key: _drop_empty(value) for key, value in data.items() if value or key in demanded}
    return [_drop_empty(one) for one in data] if isinstance(data, (list, tuple)) else data


def read_causes(root: Path, library: Library | None = None) -> tuple[Causes | None, list[Problem]]:
    """Read the stored attributions, if any, or everything that is wrong with them."""
    if not (root / ATTRIBUTIONS_FILE).is_file():
        return None, []
    record, problems = read_stored(CausesRecord, root / ATTRIBUTIONS_FILE, root, _REMAKE_HINT, library)
    if record is None:
        return None, problems
    read = Causes(record.command, record.version, record.sources, tuple(map(_caused_of, record.found)))
    problems = sorted(strange_accounts(read, root, library)) if library else []
    return (None if problems else read), problems


def strange_accounts(read: Causes, root: Path, library: Library) -> Iterator[Problem]:
    """Report accounts and seats that a deal does not have; of a deal that has changed since nothing is known."""
    deals = {fingerprint_deal(deal): {*deal.seats, POOL_ACCOUNT} for deal in worked_deals(library).values()}
    strange = [
        (("found", at, *steps), one)
        for at, each in enumerate(read.found)
        for steps, one in accounts_in(each)
        if each.seal in deals and one not in deals[each.seal]
    ]
    if strange:
        places = locate_json_values(root / ATTRIBUTIONS_FILE, f"{root.name}/{ATTRIBUTIONS_FILE}")
        yield from (
            places.where(steps).problem(f"the deal has no account {one}", _REMAKE_HINT) for steps, one in strange
        )


def accounts_in(one: Caused) -> Iterator[tuple[Steps, str]]:
    """Every account that is named, and where."""
    yield from ((("difference", name), name) for name in one.difference)
    yield from ((("causes", at, "adds", name), name) for at, cause in enumerate(one.causes) for name in cause.adds)
    yield from ((("turned", at, "seat"), turn.seat) for at, turn in enumerate(one.turned) if turn.seat)


def _caused_of(one: CausedRecord) -> Caused:
    causes = tuple(Cause(tuple(c.questions), c.adds, c.joined) for c in one.causes)
    turned = tuple(TurnedOutcome(t.what, tuple(map(tuple, t.enough)), t.trick, t.seat) for t in one.turned)
    (first, second), states = one.pair, (one.states[0], one.states[1])
    return Caused(one.deal, (first, second), one.seal, states, one.difference, causes, turned)
