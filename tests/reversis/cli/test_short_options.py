"""Short options: one letter has one meaning in every command, and an option has the same letter everywhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click

from edition.cli.main import library_cli
from reversis.cli.main import cli

#: Letters with two meanings from of old, each with the commands that may go on using it; no further command does.
CLASHES = {
    "-d": {"serve", "compare"},  # a directory, a deal
    "-t": {"explain", "session"},  # a trick, a turn
    "-w": {"variants", "deal fill"},  # a witness, a wish
    "-v": {"compare"},  # the old letter of -a
}
#: Letters of options that every command with such an option has.
EVERYWHERE = {"--output": "-o", "--out": "-o", "--source": "-s", "--format": "-f", "--quiet": "-q", "--topic": "-g"}


def iter_options(name: str, command: click.Command) -> Iterator[tuple[str, click.Option]]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield name, parameter
    for sub, inner in command.commands.items() if isinstance(command, click.Group) else ():
        yield from iter_options(f"{name} {sub}", inner)


def iter_all_options() -> Iterator[tuple[str, click.Option]]:
    for program in (library_cli, cli):
        for name, command in program.own_commands.items():
            yield from iter_options(name, command)


def test_a_short_option_means_the_same_in_every_command_but_for_old_clashes() -> None:
    meanings, users = defaultdict[str, set[frozenset[str]]](set), defaultdict[str, set[str]](set)
    for command, option in iter_all_options():
        for letter in (name for name in option.opts if len(name) == 2):
            meanings[letter].add(frozenset(name for name in option.opts if len(name) > 2))
            users[letter].add(command)
    assert {letter for letter, found in meanings.items() if len(found) > 1} <= CLASHES.keys()
    assert {letter: users[letter] for letter in CLASHES} == CLASHES


def test_an_option_has_its_letter_in_every_command() -> None:
    lacking = {
        (command, long)
        for command, option in iter_all_options()
        for long in option.opts
        if long in EVERYWHERE and EVERYWHERE[long] not in option.opts
    }
    assert lacking == set()
