"""Explain a command: `help build` is `build -h`."""

from __future__ import annotations

import click


@click.command("help")
@click.argument("command", required=False, metavar="[COMMAND]")
@click.pass_context
def help_command(context: click.Context, command: str | None) -> None:
    """Explain a command, as `-h` behind its name does.

    Without a command it lists them all.
    """
    program = context.find_root()
    if command is None:
        click.echo(program.get_help())
        return
    assert isinstance(program.command, click.Group)
    name, found, _ = program.command.resolve_command(program, [command])
    assert found is not None
    with found.make_context(name, [], parent=program, resilient_parsing=True) as asked:
        click.echo(asked.get_help())
