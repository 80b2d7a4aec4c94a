"""The sources, and the types of the fixtures that bind their rules and settle deals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from engine.settlement.settle import Refused, Settled
from rulebook.model import Ruleset
from rulebook.sources.paths import find_sources

#: The sources of the edition.
SIGLA = tuple(sorted(path.parent.name for path in find_sources().glob("*/source.yaml")))
#: Those that answer no question on further privileged cards; the others are tried in `test_further_cards`, and on both
#: paths of a survey by `proofs.paths`.
ONE_QUINOLA = tuple(
    one
    for one in SIGLA
    if not re.search(r"^ +Q224:", (find_sources() / one / "clauses.yaml").read_text("utf-8"), re.MULTILINE)
)
#: Questions of which silence is no gap, as is said where they are coded: one card alone is privileged, and no fault
#: makes a deal void. The engine goes on without an answer, and nothing rests on it.
SILENCE_HAS_A_MEANING = frozenset({"quinola.others", "deal.again"})
Rules: TypeAlias = Callable[..., Ruleset]
Settle: TypeAlias = Callable[..., Settled]
Refuse: TypeAlias = Callable[..., Refused]
