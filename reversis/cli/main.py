"""The program `reversis`: the commands of every edition, and those of the game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from edition.cli.commands import LazyCommands
from edition.cli.main import Program, run_program
from reversis.game import GAME
from rulebook.model import Silent
from rulebook.program_name import GAME_VARIABLE

#: Additions to commands of every edition: summary, if it is another, and `module:function` that adds.
_ADDITIONS: Mapping[str, tuple[str, str]] = {
    "check": ("", "reversis.cli.check:add_deal_checks"),
    "compare": (
        "Compare two sources: their answers, or their results on a deal.",
        "reversis.cli.compare:add_deal_comparison",
    ),
    "list": ("List sources, questions, readings, deals, sessions and more.", "reversis.cli.lookups:add_lists"),
    "show": (
        "Show anything by its id: a question, a sentence, a deal, a term.",
        "reversis.cli.lookups:add_things",
    ),
}
_HELP = """An edition of historical rules of the card game Reversis, and an engine that plays by them.

`reversis COMMAND -h` explains each command. Exit codes: 0 all is well, 1 problems were found, 2 the command itself was
mistyped, 141 the output was closed early (`| head`).

Name a question by its id, its number or its short name: Q024, q24, 24, ace.led.payee. `reversis list` lists what
there is, `reversis show ID` shows any of it. --format json prints one line for each record, --pretty indents it.

Sums are whole numbers, in the smallest counter of their source. A share of a sum (`compare --deal`) need not be whole:
it is an exact fraction in lowest terms, in text +2 1/2, in JSON always a string: "5/2", "-1/3", "4". Counts of `survey`
are whole numbers, its estimates decimals.
"""


class Reversis(Program):
    """All commands of `reversis`."""

    own_library: ClassVar[bool] = True

    def explain_silence(self, silent: Silent) -> str:
        """Explain a question without an answer, and how the source comes to one."""
        from reversis.words.missing import add_supply_hint
        from rulebook.load import quick_load

        library, _ = quick_load()
        return add_supply_hint(library, silent.ruleset, silent.question, str(silent)) if library else str(silent)


cli = Reversis("reversis", _HELP, LazyCommands("reversis", GAME.commands, _ADDITIONS))


def main() -> None:
    """Run `reversis`."""
    os.environ.setdefault(GAME_VARIABLE, "reversis")
    run_program(cli)
