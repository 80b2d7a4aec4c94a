"""Searches for deals that show situations, as they went by the rules of each source; stored, since they take long.

`python -m proofs.situations` makes them and writes the file. They hold beside the very worked deals that were there;
by a source whose answers have changed since, deals are searched again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from engine.deal.model import Deal
from rulebook.display import format_whole
from rulebook.model import Ruleset

SEARCHES_FILE = Path(__file__).with_suffix(".json")


class SearchedDeal(NamedTuple):
    """A deal that was found: by whose rules, from which seed, and at which attempt."""

    source: str
    seed: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Searches:
    """Searches for deals, by situation: the deals that sources need, and why others have none."""

    deals: str = ""  #: fingerprint of the worked deals beside which they were made
    rules: Mapping[str, str] = field(default_factory=dict)  #: source -> fingerprint of its answers
    found: Mapping[str, tuple[SearchedDeal, ...]] = field(default_factory=dict)
    because: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  #: situation -> source -> why none was found

    def list_same_sources(self, rules: Iterable[Ruleset]) -> frozenset[str]:
        """Return the sources whose answers are those by which deals were searched."""
        return frozenset(rule.source for rule in rules if self.rules.get(rule.source) == fingerprint_rules(rule))


NO_SEARCHES = Searches()


def fingerprint_rules(ruleset: Ruleset) -> str:
    """Return a fingerprint of the answers of a source."""
    return _fingerprint({slug: ruling.answer for slug, ruling in sorted(ruleset.rulings.items())})


def _fingerprint(content: object) -> str:
    return hashlib.sha256(format_whole(content).encode()).hexdigest()[:16]


def read_searches(deals: tuple[Deal, ...]) -> Searches:
    """Read the stored searches; none if there were other worked deals."""
    stored = json.loads(SEARCHES_FILE.read_text(encoding="utf-8"))
    if stored["deals"] != _fingerprint(deals):
        return NO_SEARCHES
    deals_by_situation = {name: tuple(SearchedDeal(*deal) for deal in deals) for name, deals in stored["found"].items()}
    return Searches(stored["deals"], stored["rules"], deals_by_situation, stored["because"])


def format_searches(
    deals: tuple[Deal, ...],
    rules: Iterable[Ruleset],
    deals_by_situation: Mapping[str, Iterable[SearchedDeal]],
    because: Mapping[str, Mapping[str, str]],
) -> str:
    """Return the content of the file of searches made by these rules, beside these worked deals."""
    lines = [
        f'"deals": {json.dumps(_fingerprint(deals))}',
        f'"rules": {json.dumps({rule.source: fingerprint_rules(rule) for rule in rules})}',
        f'"found": {_format_rows(deals_by_situation)}',
        f'"because": {_format_rows({name: reasons for name, reasons in because.items() if reasons})}',
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _format_rows(rows: Mapping[str, object]) -> str:
    lines = (f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in rows.items())
    return "{\n" + ",\n".join(lines) + "\n}"
