"""Play deals of Reversis under a ruleset and settle them.

Scripts `import reversis`; what they had from here goes on working. Each name is fetched from its module when it is
first asked for, so that a command which settles one deal need not wait for what it does not use.
"""

from __future__ import annotations

#: Module of each name that scripts may rely on.
MODULE_OF_NAME = {
    name: module
    for module, names in {
        "engine.deal.diagram": "read_diagram",
        "engine.deal.model": "Deal",
        "engine.deal.reader": "read_deal",
        "engine.deal.writer": "write_deal",
        "engine.generation.deal": "BadSketch Found NotFound fill random_deal",
        "engine.interpretation.worlds": "Worlds possible_worlds",
        "engine.session.session": "Session begin finish steps",
        "engine.settlement.explain": "Reckoning reckon",
        "engine.settlement.result_json": "result",
        "engine.settlement.settle": "Refused Settled Unanswered settle",
        "rulebook.load": "library record",
        "rulebook.model": "Library Ruleset",
        "rulebook.problems": "Problem",
        "rulebook.resolve": "BadChoice rules",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import a public name from its module. Raises AttributeError."""
    from importlib import import_module

    if name not in MODULE_OF_NAME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value: object = getattr(import_module(MODULE_OF_NAME[name]), name)
    return value
