"""The sources, and the types of the fixtures that bind their rules and settle deals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from engine.settlement.settle import Refused, Settled
from rulebook.model import Alternative, Clause, Library, Ruleset
from rulebook.resolve import iter_clause_alternatives
from rulebook.sources.paths import find_sources

#: The sources of the edition.
SIGLA = tuple(sorted(path.parent.name for path in find_sources().glob("*/source.yaml")))
#: Those that answer no question on further privileged cards; the others are tried in `test_further_cards`, and on both
#: paths of a survey by `proofs.paths`.
ONE_QUINOLA = tuple(
    siglum
    for siglum in SIGLA
    if not re.search(r"^ +Q224:", (find_sources() / siglum / "clauses.yaml").read_text("utf-8"), re.MULTILINE)
)
#: Questions of which silence is no gap, as is said where they are coded: one card alone is privileged, and no fault
#: makes a deal void. The engine goes on without an answer, and nothing rests on it.
SILENCE_HAS_A_MEANING = frozenset({"quinola.others", "deal.again"})
Rules: TypeAlias = Callable[..., Ruleset]
Settle: TypeAlias = Callable[..., Settled]
Refuse: TypeAlias = Callable[..., Refused]


def iter_played_alternatives(library: Library) -> Iterator[tuple[Clause, Alternative]]:
    """Yield the rivals and options that can be wished for: of the others nothing is played, and the wish is refused."""
    for clause, one in iter_clause_alternatives(library.clauses()):
        asked = [library.questions[slug] for slug in one.answers]
        if any(not question.not_played or question.played_as is not None for question in asked):
            yield clause, one
