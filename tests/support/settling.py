"""The sources, and the types of the fixtures that bind their rules and settle deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.settlement.settle import Refused, Settled
from rulebook.model import Ruleset
from rulebook.sources.paths import find_sources

#: The sources of the edition.
SIGLA = tuple(sorted(path.parent.name for path in find_sources().glob("*/source.yaml")))
Rules: TypeAlias = Callable[..., Ruleset]
Settle: TypeAlias = Callable[..., Settled]
Refuse: TypeAlias = Callable[..., Refused]
