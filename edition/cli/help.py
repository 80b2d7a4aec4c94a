"""Explain a command: `help build` is `build -h`; or print one of the guides, which every copy carries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from edition.cli import output

#: Word that is typed for a guide, and its file.
GUIDE_FILES: Mapping[str, str] = {"guide": "edition-of-your-own.md", "game": "game-plug-in.md"}


@click.command("help")
@click.argument("command", required=False, metavar="[COMMAND]")
@click.pass_context
def help_command(context: click.Context, command: str | None) -> None:
    """Explain a command, as `-h` after its name does.

    Without a command it lists them all. `help guide` prints the guide to an edition of your own, `help game` explains
    game plug-ins.
    """
    program = context.find_root()
    if command is None:
        click.echo(program.get_help())
        return
    if command in GUIDE_FILES:
        with output.page_long_output(program.params["pager"]):
            click.echo(find_guide(command).read_text(encoding="utf-8"), nl=False)
        return
    assert isinstance(program.command, click.Group)
    name, subcommand, _ = program.command.resolve_command(program, [command])
    assert subcommand is not None
    with subcommand.make_context(name, [], parent=program, resilient_parsing=True) as asked:
        click.echo(asked.get_help())


def find_guide(word: str) -> Path:
    """Return the file of a guide: in a clone, or in an installed copy."""
    here, name = Path(__file__).resolve().parents[1], GUIDE_FILES[word]
    return next(path for path in (here.parent / "docs" / name, here / "_guides" / name) if path.is_file())
