"""The program `reversis`: the commands of every edition, and those of the game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar

from edition.cli.main import COMMAND_GROUPS, COMMAND_PACKAGES, COMMAND_SUMMARIES, PAGED_COMMANDS, Program, run_program
from rulebook.model import Silent
from rulebook.program_name import GAME_VARIABLE

_SUMMARIES = {
    **COMMAND_SUMMARIES,
    "compare": "Compare two sources: their answers, or their results on a deal.",
    "deal": "Make a deal: new, random, filled in, or read from a diagram.",
    "explain": "Explain every payment of a deal, and why others are not made.",
    "hint": "Show what a player who looks ahead would play, and what each card is worth.",
    "list": "List sources, questions, readings, deals, sessions and more.",
    "play": "Play at a table: you, and players who look ahead.",
    "run": "Settle deals: who pays whom, and which clause says so.",
    "separate": "Show the smallest deal on which two sources differ.",
    "session": "Play several deals in a row: accounts and pool are carried on.",
    "show": "Show anything by its id: a question, a sentence, a deal, a term.",
    "supply": "Supply what deals need and a source does not say.",
    "survey": "Simulate very many deals, and count.",
    "worlds": "Show which results of a deal depend on how a source is read.",
}
_HELP = """An edition of sources on the card game Reversis that can be played.

`reversis COMMAND -h` explains each command. Exit codes: 0 all is well, 1 problems were found, 2 the command
itself was mistyped, 141 whoever read the output has left (`| head`).

A question goes by its id, its number or its slug: Q024, q24, 24, ace.led.payee. `reversis list` lists what
there is, `reversis show ID` shows any of it. --format json is one line for each record, --pretty the same for
people.

Sums are whole numbers, in the smallest counter of their source. A share of a sum (`compare --deal`) need not be
whole: it is an exact fraction in lowest terms, in text +2 1/2, in JSON always a string: "5/2", "-1/3", "4". What
`survey` counts is whole, and what it estimates from that is a decimal number.
"""


class Reversis(Program):
    """All commands of `reversis`."""

    summaries: ClassVar[Mapping[str, str]] = dict(sorted(_SUMMARIES.items()))
    groups: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **COMMAND_GROUPS,
        "Work on sources": (*COMMAND_GROUPS["Work on sources"], "supply"),
        "Play and settle": ("run", "explain", "deal", "session", "play", "hint"),
        "Study": ("separate", "worlds", "survey"),
    }
    own_library: ClassVar[bool] = True
    packages: ClassVar[Mapping[str, str]] = {
        **COMMAND_PACKAGES,
        **dict.fromkeys(
            ("deal", "explain", "run", "separate", "session", "supply", "survey", "worlds"), "reversis.cli"
        ),
        "hint": "reversis.cli.hint",
        "play": "reversis.cli.table",
    }
    paged: ClassVar[frozenset[str]] = PAGED_COMMANDS | {"explain", "hint", "run", "separate", "session", "worlds"}
    additions: ClassVar[Mapping[str, str]] = {
        "check": "reversis.cli.check:add_deal_checks",
        "compare": "reversis.cli.compare:add_deal_comparison",
        "list": "reversis.cli.lookups:add_lists",
        "show": "reversis.cli.lookups:add_things",
    }

    def explain_silence(self, silent: Silent) -> str:
        """Explain a question without an answer, and how the source comes to one."""
        from reversis.words.missing import add_supply_hint
        from rulebook.load import quick_load

        library, _ = quick_load()
        return add_supply_hint(library, silent.ruleset, silent.question, str(silent)) if library else str(silent)


cli = Reversis("reversis", _HELP)


def main() -> None:
    """Run `reversis`."""
    os.environ.setdefault(GAME_VARIABLE, "reversis")
    run_program(cli)
