"""The edition from Python: rules as data, deals to settle, tables to count with.

    import reversis as rv

    lib = rv.library()
    deal = rv.deal("pam-quinola-forced-opposite-last")
    print(rv.settle(deal, rv.rules(lib, "PAM")))

- To read: `library`, `deals`, `deal`, `record`, `read_deal`, `read_diagram`, `write_deal`; `print(deal)` has the cards.
- Rules: `rules(lib, "PAM", "Q031=3")`, `compare`.
- To settle: `settle`, `result` (as JSON has it), `reckon` (what was not paid, and why), `possible_worlds`; several
  deals in a row: `begin`, `steps`, `finish`.
- To make deals: `random_deal`, `fill`. Cards are numbers: `parse_card_name("JH")`, `format_card(25)`.
- Tables: `matrix`, `clauses`, `payments`, `balances`, `refusals`, `compare`, `survey`; `pandas.DataFrame` and
  `polars.DataFrame` take each as it is, and `.rows()` has plain dicts.

This is the address to use: what it names may be relied on, and everything in `rulebook`, `engine` and `edition` may
change. Each name is imported on first use, so that a script waits for nothing it does not need.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING

for _package in ("engine", "rulebook", "edition", "lab"):  # a file of such a name beside a script would come first
    _spec = _find_spec(_package)
    if _spec is not None and _spec.submodule_search_locations is None:
        raise ImportError(
            f"Python finds {_spec.origin} in place of the package {_package!r} of reversis: rename that file."
        )

from engine import MODULE_OF_NAME as _ENGINE_NAMES  # noqa: E402 (not before they are known to be ours)

if TYPE_CHECKING:
    from engine.cards import format_card, parse_card_name
    from engine.deal.diagram import read_diagram
    from engine.deal.model import Deal
    from engine.deal.pool import Pool
    from engine.deal.reader import read_deal
    from engine.deal.writer import write_deal
    from engine.generation.deal import BadSketch, Found, NotFound, fill, random_deal
    from engine.generation.turn import Policy, TableShape
    from engine.generation.wishes import Sketch
    from engine.interpretation.worlds import Worlds, possible_worlds
    from engine.session.session import NotCounted, Session, Step, begin, finish, steps
    from engine.settlement.explain import Reckoning, reckon
    from engine.settlement.result_json import result
    from engine.settlement.settle import Refused, Settled, Unanswered, settle
    from lab.survey.table import SurveyRun
    from reversis.door.comparison import Comparison, compare
    from reversis.door.records import Records, balances, clauses, matrix, payments, refusals
    from reversis.door.surveys import survey
    from reversis.door.worked_deals import BadRecord, deal, deals
    from rulebook import __version__ as __version__
    from rulebook.load import library, record
    from rulebook.model import Cell, Clause, Library, Question, Ruleset, Source
    from rulebook.problems import Problem
    from rulebook.resolve import BadChoice, rules
    from rulebook.suggestions import UnknownName

__all__ = [
    "BadChoice",
    "BadRecord",
    "BadSketch",
    "Cell",
    "Clause",
    "Comparison",
    "Deal",
    "Found",
    "Library",
    "NotCounted",
    "NotFound",
    "Policy",
    "Pool",
    "Problem",
    "Question",
    "Reckoning",
    "Records",
    "Refused",
    "Ruleset",
    "Session",
    "Settled",
    "Sketch",
    "Source",
    "Step",
    "SurveyRun",
    "TableShape",
    "Unanswered",
    "UnknownName",
    "Worlds",
    "balances",
    "begin",
    "clauses",
    "compare",
    "deal",
    "deals",
    "fill",
    "finish",
    "format_card",
    "library",
    "matrix",
    "parse_card_name",
    "payments",
    "possible_worlds",
    "random_deal",
    "read_deal",
    "read_diagram",
    "reckon",
    "record",
    "refusals",
    "result",
    "rules",
    "settle",
    "steps",
    "survey",
    "write_deal",
]

#: Module of each name.
_MODULE_OF_NAME: Mapping[str, str] = _ENGINE_NAMES | {
    name: module
    for module, names in {
        "engine.cards": "format_card parse_card_name",
        "engine.deal.pool": "Pool",
        "engine.generation.turn": "Policy TableShape",
        "engine.generation.wishes": "Sketch",
        "engine.session.session": "NotCounted Step",
        "lab.survey.table": "SurveyRun",
        "rulebook": "__version__",
        "reversis.door.comparison": "Comparison compare",
        "reversis.door.worked_deals": "BadRecord deal deals",
        "reversis.door.records": "Records balances clauses matrix payments refusals",
        "reversis.door.surveys": "survey",
        "rulebook.model": "Cell Clause Question Source",
        "rulebook.suggestions": "UnknownName",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use. Raises AttributeError."""
    import sys
    from importlib import import_module

    if name not in _MODULE_OF_NAME:
        raise AttributeError(f"module 'reversis' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULE_OF_NAME[name]), name)
    setattr(sys.modules[__name__], name, value)
    return value


def __dir__() -> list[str]:
    """Return the public names of the package."""
    return sorted(__all__)
