"""Commands, each loaded when it is asked for; a game adds its own, and adds to those of every edition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from inspect import cleandoc
from pkgutil import resolve_name
from typing import Any, cast

import click

from edition.game import GameCommand
from rulebook.installing import format_install_command
from rulebook.model import FrozenMap

#: Every command, with the first line of its help: so the list of them is there before any is loaded.
COMMAND_SUMMARIES: Mapping[str, str] = {
    "build": "Build the edition: web pages, PDF, EPUB, or all of them.",
    "check": "Check the sources; report file, line and hint.",
    "cite": "Find words in a source and print them as a citation.",
    "compare": "Compare two sources: their answers.",
    "export": "Export the edition in a format that other tools read.",
    "help": "Explain a command, as `-h` after its name does.",
    "import-text": "Turn a transcription into the sentences that clauses cite.",
    "init": "Start a library: a folder with its settings and a first question.",
    "list": "List sources, questions, readings and more.",
    "new-source": "Start a new source: a folder that passes `check` at once.",
    "release": "Write a new version number into every file that names it.",
    "serve": "Serve the edition on this machine, and rebuild pages when sources change.",
    "sheet": "Write a source's questions as a spreadsheet or on paper, and read it back.",
    "show": "Show anything by its id: a question, a sentence, a term.",
    "variants": "List the variants of other prints of a text, by kind.",
}
#: The same commands by what one does with them, as the help lists them.
COMMAND_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Work on sources": ("init", "new-source", "import-text", "cite", "sheet", "check"),
    "Read and publish": ("list", "show", "compare", "variants", "build", "serve", "export", "release", "help"),
}
#: Package in which the module of a command lies, where it is not `edition.cli`.
COMMAND_PACKAGES: Mapping[str, str] = {
    **dict.fromkeys(("cite", "import-text", "init", "new-source", "sheet"), "edition.cli.editing"),
    **dict.fromkeys(("list", "show", "variants"), "edition.cli.lookup"),
}
#: Commands that answer with something to read, at once; all others write while they work.
PAGED_COMMANDS = frozenset({"cite", "compare", "list", "show", "variants"})
_NO_COMMANDS: Mapping[str, GameCommand] = FrozenMap[str, GameCommand]()
_NO_ADDITIONS: Mapping[str, tuple[str, str]] = FrozenMap[str, tuple[str, str]]()
_EXTRAS_NAMED = re.compile(r'pip install "reversis\[([\w,]+)\]"')


class LazyCommands(Mapping[str, click.Command]):
    """The commands of a program by their names: those of every edition, and those of a game.

    `new-source` is `new_source_command` in `edition.cli.editing.new_source`. A program of a game may add to commands of
    every edition: `additions` has the summary of each, if that is another, and `module:function` that adds to it.
    """

    def __init__(
        self,
        program: str,
        of_game: Mapping[str, GameCommand] = _NO_COMMANDS,
        additions: Mapping[str, tuple[str, str]] = _NO_ADDITIONS,
    ) -> None:
        of_game = {name: command for name, command in of_game.items() if name not in COMMAND_SUMMARIES}
        self._program, self._of_game, self._additions = program, of_game, additions
        added = {name: words for name, (words, _) in additions.items() if words}
        of_its_own = {name: command.summary for name, command in of_game.items()}
        self.summaries: Mapping[str, str] = dict(sorted({**COMMAND_SUMMARIES, **added, **of_its_own}.items()))
        self.groups = {title: [*names] for title, names in COMMAND_GROUPS.items()}  #: as the help lists them
        for name, command in of_game.items():
            self.groups.setdefault(command.group, []).append(name)
        self.paged = PAGED_COMMANDS | {name for name, command in of_game.items() if command.paged}
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.summaries:
            raise KeyError(name)
        if name not in self._loaded:
            command = cast(click.Command, copy(resolve_name(self._find_path(name))))
            if name in self._additions:
                command = resolve_name(self._additions[name][1])(command)
            help = fill_install_commands(command.help or "")
            command.help = re.sub(r"`rulebook(?=[` ])", f"`{self._program}", help)
            self._loaded[name] = command
        return self._loaded[name]

    def _find_path(self, name: str) -> str:
        if name in self._of_game:
            return self._of_game[name].path
        module = name.replace("-", "_")
        return f"{COMMAND_PACKAGES.get(name, 'edition.cli')}.{module}:{module}_command"

    def __iter__(self) -> Iterator[str]:
        return iter(self.summaries)

    def __len__(self) -> int:
        return len(self.summaries)


def fill_install_commands(words: str) -> str:
    """Have a help text name extras by the command that installs them here: one in a clone, another elsewhere."""
    return _EXTRAS_NAMED.sub(lambda match: format_install_command(*match[1].split(",")), words)


def extend_command(
    command: click.Command,
    callback: Callable[..., Any],
    options: Sequence[tuple[str, Callable[[Any], Any]]],
    words: Sequence[tuple[str, str]],
) -> click.Command:
    """Give a command another callback, options before those of the names given, and a help text that tells of them."""
    command.callback, command.params = callback, [*command.params]
    for before, option in options:
        added = click.Command("added")
        option(added)
        at = next(at for at, known in enumerate(command.params) if known.name == before)
        command.params[at:at] = added.params
    return reword_help(command, words)


def reword_help(command: click.Command, words: Sequence[tuple[str, str]]) -> click.Command:
    """Put other words into the help text of a command, wherever its lines are broken."""
    help = re.sub(r"(?<=\S)\n(?=\S)", " ", cleandoc(command.help or ""))
    for before, after in words:
        assert before in help, before
        help = help.replace(before, after)
    command.help = help
    return command
