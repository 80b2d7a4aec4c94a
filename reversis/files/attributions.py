"""Stored attributions: answers that make two sources differ on a worked deal.

To find them takes minutes (`engine.comparison.attribution`), so `python -m proofs.attributions` finds them all and
keeps them in `sources/attributions.json`, each with the fingerprint of its deal. A deal that has changed since shows
none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from engine.comparison.attribution import RESULT_STATE_NAMES, Attribution, attribute_difference
from engine.comparison.bundles import JOINED
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import name_ledger_account
from engine.settlement.result_json import fingerprint_deal_record
from reversis.files.json_records import (
    AS_LIST,
    DealName,
    Fingerprint,
    QuestionNames,
    SiglumPair,
    StoredRecord,
    dump_json_line,
    read_stored,
    require_word,
)
from reversis.files.separations import worked_deals
from rulebook.grouping import group_pairs
from rulebook.io.digests import add_digest
from rulebook.io.files import replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.resolve import rules
from rulebook.schema.records import Record

ATTRIBUTIONS_FILE = "attributions.json"
ATTRIBUTIONS_COMMAND = "python -m proofs.attributions"
_REMAKE_HINT = f"make it again: {ATTRIBUTIONS_COMMAND}"


class Cause(Record):
    """Some answers that are exchanged together, and what they add to every account."""

    questions: QuestionNames = ()  #: Slugs; none: the pool as it lies before the deal.
    adds: dict[str, Annotated[str, Field(pattern=r"^-?\d{1,18}(/[1-9]\d{0,17})?$")]]  #: Exact fractions.
    joined: Annotated[str, require_word("reason to exchange answers together", {"", *JOINED})] = ""


MAY_PLAY, TAKEN = "may-play", "taken"
#: Words for what turns out; `reversis.words.certainty` puts all but the first two into English.
TURNED_OUTCOMES = (
    *(MAY_PLAY, TAKEN, "lawful", "passed-over"),
    *("pool", "reversis", "espagnolette", "partie", "next_dealer"),
)


class TurnedOutcome(Record):
    """An outcome besides money that differs, and the answers that suffice for it."""

    what: Annotated[str, require_word("difference", TURNED_OUTCOMES)]
    enough: Annotated[tuple[QuestionNames, ...], AS_LIST] = ()
    trick: Annotated[int, Field(ge=0)] = 0  #: 0 where it is no matter of one trick.
    seat: str = ""

    @model_validator(mode="after")
    def says_where(self) -> Self:
        """Demand the trick of a difference in play, and the seat of one in what may be played."""
        if (self.what in (MAY_PLAY, TAKEN) and not self.trick) or (self.what == MAY_PLAY and not self.seat):
            raise PydanticCustomError("incomplete", "{what} without its trick or seat", {"what": self.what})
        return self


_State = Annotated[str, require_word("state", RESULT_STATE_NAMES.values())]


class Caused(Record):
    """One deal under two sources."""

    deal: DealName
    pair: SiglumPair
    seal: Fingerprint  #: Fingerprint of the deal.
    states: Annotated[tuple[_State, _State], AS_LIST]
    difference: dict[str, int]  #: What every account has more by the second.
    causes: Annotated[tuple[Cause, ...], AS_LIST] = ()
    turned: Annotated[tuple[TurnedOutcome, ...], AS_LIST] = ()


class Causes(StoredRecord):
    """All stored attributions, the state of the edition, and the command for them."""

    found: Annotated[tuple[Caused, ...], AS_LIST]

    @cached_property
    def by_deal(self) -> Mapping[str, tuple[Caused, ...]]:
        """Those of each deal."""
        return group_pairs((cause.deal, cause) for cause in self.found)


# ---- finding
def attribute_deal(library: Library, deal: Deal) -> Iterator[Caused]:
    """Yield the attribution of a deal under every two sources."""
    for first, second in combinations(library.sources, 2):
        attribution = attribute_difference(library, deal, rules(library, first), rules(library, second))
        yield stored_form(attribution, (first, second))


def stored_form(attribution: Attribution, pair: tuple[str, str]) -> Caused:
    """Return an attribution as it is stored."""
    deal = attribution.deal
    states = RESULT_STATE_NAMES[type(attribution.first)], RESULT_STATE_NAMES[type(attribution.second)]
    difference = (
        {name_ledger_account(deal, a): n for a, n in attribution.difference.items() if n} if attribution.settled else {}
    )
    adds = {
        bundle: {name_ledger_account(deal, a): str(n) for a, n in share.items() if n}
        for bundle, share in attribution.shares.items()
    }
    turned = tuple(
        TurnedOutcome(
            what=turn.what,
            enough=tuple(tuple(q for bundle in some for q in bundle.questions) for some in turn.enough),
            trick=turn.trick or 0,
            seat="" if turn.seat is None else deal.seats[turn.seat],
        )
        for turn in attribution.turned
    )
    return Caused(
        deal=deal.id,
        pair=pair,
        seal=fingerprint_deal(deal),
        states=states,
        difference=difference,
        causes=tuple(
            Cause(questions=bundle.questions, adds=some, joined=bundle.joined) for bundle, some in adds.items() if some
        ),
        turned=turned,
    )


def fingerprint_deal(deal: Deal) -> str:
    """Return the fingerprint of a deal."""
    return fingerprint_deal_record(write_deal(deal))


# ---- the file
def write_causes(root: Path, causes: Causes) -> Path:
    """Write the file, replacing the last one: a line for each deal and pair."""
    head = causes.model_dump(by_alias=True, exclude={"digest", "found"})
    body = ",\n".join(f" {dump_json_line(_drop_empty(each.model_dump()))}" for each in causes.found)
    letters = f'{dump_json_line(head)[:-1]},\n"found": [\n{body}\n]}}\n'
    return replace_file(root / ATTRIBUTIONS_FILE, add_digest(letters))


def _drop_empty(data: Any) -> Any:
    """Return data without empty entries, except those that must be present."""
    if isinstance(data, dict):
        demanded = ("difference", "questions", "adds")
        return {key: _drop_empty(value) for key, value in data.items() if value or key in demanded}
    return [_drop_empty(entry) for entry in data] if isinstance(data, (list, tuple)) else data


def read_causes(root: Path, library: Library | None = None) -> tuple[Causes | None, list[Problem]]:
    """Read the stored attributions, if any, or everything that is wrong with them."""
    if not (root / ATTRIBUTIONS_FILE).is_file():
        return None, []
    read, problems = read_stored(Causes, root / ATTRIBUTIONS_FILE, root, _REMAKE_HINT, library)
    if read is not None and library:
        problems = sorted(strange_accounts(read, root, library))
    return (None if problems else read), problems


def strange_accounts(read: Causes, root: Path, library: Library) -> Iterator[Problem]:
    """Report accounts and seats that a deal does not have; of a deal that has changed since nothing is known."""
    deals = {fingerprint_deal(deal): {*deal.seats, POOL_ACCOUNT} for deal in worked_deals(library).values()}
    strange = [
        (("found", at, *steps), account)
        for at, each in enumerate(read.found)
        for steps, account in accounts_in(each)
        if each.seal in deals and account not in deals[each.seal]
    ]
    if strange:
        places = locate_json_values(root / ATTRIBUTIONS_FILE, f"{root.name}/{ATTRIBUTIONS_FILE}")
        yield from (
            places.where(steps).problem(f"the deal has no account {account}", _REMAKE_HINT)
            for steps, account in strange
        )


def accounts_in(caused: Caused) -> Iterator[tuple[Steps, str]]:
    """Every account that is named, and where."""
    yield from ((("difference", name), name) for name in caused.difference)
    yield from ((("causes", at, "adds", name), name) for at, cause in enumerate(caused.causes) for name in cause.adds)
    yield from ((("turned", at, "seat"), turn.seat) for at, turn in enumerate(caused.turned) if turn.seat)
