"""The table of what is asked outside the payment rules says what the engine's modules do."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.comparison.questions_outside_payments import ASKED, asked_outside
from engine.readings.ask import Ask
from engine.settlement.settle import settle
from reversis.files.separations import worked_deals
from reversis.files.sessions import play_worked_session, read_playable_sessions
from rulebook.model import Library, Value
from rulebook.resolve import resolve

HOME = Path(engine.__file__).parent
MODULES = {
    path.relative_to(HOME.parent).with_suffix("").as_posix().replace("/", "."): path for path in HOME.rglob("*.py")
}
KINDS = ("word", "number", "words", "numbers", "table", "tables")
ASKING = ("ask", "fresh", *KINDS)  #: `ask(...)`, `ask.word(...)`, `ask.fresh()(...)`

#: The payment rules themselves, what they share, and what their answers mean.
RULES = ("engine.settlement.payments.", "engine.readings.meanings", "engine.answers")
#: Modules that name questions and ask none of them outside the rules while a deal is settled.
OTHERS: Mapping[str, str] = {
    "engine.generation.deal": "deals a deal, before any is settled",
    "engine.comparison.irrelevance_proof": "looks at what is asked",
    "engine.generation.draw_plan": "makes deals",
    "engine.generation.turn": "makes deals",
    "engine.comparison.printed_figures": "what a source prints, before any deal is settled",
    "engine.comparison.separation": "looks for deals",
    "engine.deal.variants": "makes deals",
    "engine.settlement.explain": "tells of a settled deal",
    "engine.generation.at_table": "a deal in progress, before any is settled",
    "engine.players.view": "sees a turn of play, before the deal is settled",
    "engine.settlement.lending": "says which answers are not lent",
}

#: Asks for the privileged cards in whatever module has asked it; the table has them once.
ASKER = "engine.readings.ask"


def named(module: Path, library: Library) -> set[str]:
    """The questions that a module names, as they are or, where it asks, put together."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    patterns = [pattern for node in ast.walk(tree) for pattern in put_together(node)]
    fitting = {slug for slug in library.questions if any(re.fullmatch(pattern, slug) for pattern in patterns)}
    return {*(words & {*library.questions}), *fitting}


def put_together(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        func = node.func.func if isinstance(node.func, ast.Call) else node.func
        called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        for one in node.args if called in ASKING else ():
            if isinstance(one, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else None for part in one.values)
                yield "".join(re.escape(str(part)) if part is not None else ".+" for part in parts)


@pytest.mark.slow
def test_every_module_that_names_a_question_is_in_the_table_with_all_that_it_names(library: Library) -> None:
    found = {one: named(path, library) for one, path in sorted(MODULES.items()) if not one.startswith(RULES)}
    naming = {module: slugs for module, slugs in found.items() if slugs and module not in OTHERS}
    assert naming == {module: {*slugs} for module, slugs in ASKED.items()}
    assert all(found[module] for module in OTHERS), "a module that names no question any more"


@pytest.mark.slow
def test_whatever_is_asked_outside_the_rules_while_deals_are_settled_is_in_the_table(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_module: dict[str, set[str]] = defaultdict(set)
    answer = Ask.__call__

    def noting(self: Ask, question: str) -> Value:
        frame: Any = sys._getframe(1)
        while frame.f_globals["__name__"] in ("engine.readings.ask", __name__):
            frame = frame.f_back
        by_module[frame.f_globals["__name__"]].add(question)
        return answer(self, question)

    for name in ("__call__", *KINDS):
        monkeypatch.setattr(Ask, name, noting)
    for siglum in library.sources:
        rules = resolve(library, siglum)
        for deal in worked_deals(library).values():
            settle(deal, rules)
        for sitting, deals in read_playable_sessions(library):
            play_worked_session(sitting, deals, rules)
    outside = {module: slugs for module, slugs in by_module.items() if not module.startswith(RULES)}
    left = {module: slugs - ASKED.get(module, set()) - ASKED[ASKER] for module, slugs in outside.items()}
    assert {*ASKED} - {ASKER} <= {*outside} and not {module: slugs for module, slugs in left.items() if slugs}
    assert ASKED[ASKER] <= set().union(*outside.values())


def test_a_question_of_the_rules_alone_is_not_asked_outside() -> None:
    assert asked_outside("revoke.bars") and asked_outside("stake.tied") and asked_outside("quinola.others")
    assert not asked_outside("partie.per-point") and not asked_outside("nothing.bars")
