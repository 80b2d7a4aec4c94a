"""Commands, each loaded when it is asked for; a game adds its own, and adds to those of every edition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from importlib import import_module
from inspect import cleandoc
from pkgutil import resolve_name
from typing import Any, cast

import click

from rulebook.installing import format_install_command

_EXTRAS_NAMED = re.compile(r'pip install "reversis\[([\w,]+)\]"')


class LazyCommands(Mapping[str, click.Command]):
    """The commands by their names: `new-source` is `new_source_command` in `edition.cli.editing.new_source`."""

    def __init__(
        self, program: str, summaries: Mapping[str, str], packages: Mapping[str, str], additions: Mapping[str, str]
    ) -> None:
        self._program, self._summaries = program, summaries
        self._packages, self._additions = packages, additions
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._summaries:
            raise KeyError(name)
        if name not in self._loaded:
            module = name.replace("-", "_")
            path = f"{self._packages.get(name, 'edition.cli')}.{module}"
            command = cast(click.Command, copy(getattr(import_module(path), f"{module}_command")))
            if name in self._additions:
                command = resolve_name(self._additions[name])(command)
            help = fill_install_commands(command.help or "")
            command.help = re.sub(r"`rulebook(?=[` ])", f"`{self._program}", help)
            self._loaded[name] = command
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._summaries)

    def __len__(self) -> int:
        return len(self._summaries)


def fill_install_commands(words: str) -> str:
    """Have a help text name extras by the command that installs them here: one in a clone, another elsewhere."""
    return _EXTRAS_NAMED.sub(lambda found: format_install_command(*found[1].split(",")), words)


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
