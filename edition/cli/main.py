"""A program with the commands of every edition; that of a game adds its own."""

from __future__ import annotations

import errno
import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, ClassVar, cast

import click
from click.shell_completion import CompletionItem, add_completion_class

from edition.cli import output
from edition.cli.commands import LazyCommands
from edition.cli.completion import WholeWordBash
from edition.game import NO_GAME, Game, is_game_command, read_game
from rulebook import __version__
from rulebook.games import explain_missing_game
from rulebook.library_settings import SETTINGS_FILE
from rulebook.model import Silent
from rulebook.problems import SpoiltFile
from rulebook.program_name import running_program
from rulebook.sources.paths import SOURCES_VARIABLE, find_library
from rulebook.strings import quote_value

#: Commands that need no library.
_WITHOUT_LIBRARY = frozenset({"help", "init"})
_NO_GAME_HINT = "`game` in its library.yaml would name it."
_COMMANDS = "edition.cli.commands"  #: those that there are here
_PAGED = "edition.cli.paged"  #: whether the command is one of them
_EXPLAINS = "edition.cli.explains"  #: whether its help is asked for
_COMPLETION_HELP = """\
\b
To complete ids, sources and readings with Tab, add this line to the shell's start file:
  bash  ~/.bashrc                   eval "$(_{variable}_COMPLETE=bash_source {name})"
  zsh   ~/.zshrc                    eval "$(_{variable}_COMPLETE=zsh_source {name})"
  fish  ~/.config/fish/config.fish  _{variable}_COMPLETE=fish_source {name} | source
"""


_HELP_OPTIONS = ("-h", "--help")
MAX_ARGUMENT = 4096  #: characters of one argument: as many as a path may have


class Program(click.Group):
    """All commands of a program; letters that the screen cannot show do not stop them."""

    own_library: ClassVar[bool] = False  #: whether it comes with a library and its game, and need not look for them

    def __init__(self, name: str, help: str, commands: LazyCommands) -> None:
        variable, self.own_commands = name.upper(), commands
        super().__init__(
            name,
            commands=cast("MutableMapping[str, click.Command]", commands),
            callback=_prepare_command,
            help=help,
            epilog=_COMPLETION_HELP.format(name=name, variable=variable),
            context_settings={"help_option_names": list(_HELP_OPTIONS), "max_content_width": 100},
        )
        for option in _list_program_options(name, variable):
            option(self)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command."""
        output.prepare_streams()
        add_completion_class(WholeWordBash)  # click has those for other shells
        return super().main(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line; help that nobody reads to its end is no fault."""
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            output.leave_without_reader()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; `--no-pager` may also stand behind the command."""
        if long := next((argument for argument in args if len(argument) > MAX_ARGUMENT), ""):
            raise click.UsageError(f"An argument of {len(long)} characters; {MAX_ARGUMENT} are the most.", ctx)
        if "--no-pager" in args:
            args = ["--no-pager", *(argument for argument in args if argument != "--no-pager")]
        args = self._move_sources_first(args)
        rest = args[2:] if args[:1] == ["--sources"] else args
        ctx.meta[_EXPLAINS] = not {*_HELP_OPTIONS}.isdisjoint(rest)
        unread = super().parse_args(ctx, args)
        name = next((word for word in rest if not word.startswith("-")), "")
        ctx.meta[_PAGED] = name in (self.own_commands if name in self.own_commands else self.find_commands(ctx)).paged
        return unread

    def find_commands(self, ctx: click.Context) -> LazyCommands:
        """Find the commands that there are here: without a library of its own also those of the game of the library."""
        if self.own_library:
            return self.own_commands
        if _COMMANDS not in ctx.meta:
            ctx.meta[_COMMANDS] = LazyCommands(self.name or "", _read_game(ctx).commands)
        return cast(LazyCommands, ctx.meta[_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        own = self.own_commands.get(cmd_name)
        return own or self.find_commands(ctx).get(cmd_name)

    def _move_sources_first(self, args: list[str]) -> list[str]:
        """Put `--sources DIRECTORY` before the command, unless the command has an option of that name."""
        end = args.index("--") if "--" in args else len(args)
        at = next((at for at, argument in enumerate(args[:end]) if re.fullmatch(r"--sources(=.*)?", argument)), None)
        name = (
            next((argument for argument in args[:at] if not argument.startswith("-")), None) if at is not None else None
        )
        own = self.own_commands.get(name or "")
        if at is None or name is None or (own and any("--sources" in param.opts for param in own.params)):
            return args
        width = 1 if "=" in args[at] else 2
        return [*args[at : at + width], *args[:at], *args[at + width :]]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a silence that it runs into, or what the machine refuses, is reported in one line."""
        try:
            with output.page_long_output(ctx.params["pager"] and ctx.meta[_PAGED]):
                return super().invoke(ctx)
        except click.ClickException as fault:
            vars(fault)["message"] = output.wrap_message(fault.message)
            raise
        except Silent as silent:
            raise click.ClickException(output.wrap_message(self.explain_silence(silent))) from silent
        except SpoiltFile as fault:
            raise click.ClickException(output.wrap_message(str(fault))) from fault
        except OSError as fault:
            if fault.errno == errno.EPIPE:  # Click would end with 1
                output.leave_without_reader()
            named = f"{fault.filename}: " if fault.filename else ""
            message = f"{named}{fault.strerror or fault}. What was there before is still there."
            raise click.ClickException(output.wrap_message(message)) from fault

    def explain_silence(self, silent: Silent) -> str:
        """Explain a question without an answer."""
        return str(silent)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without loading any."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        summaries = self.find_commands(ctx).summaries
        return [CompletionItem(name, help=summaries[name]) for name in summaries if name.startswith(incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; a mistyped name gets a suggestion."""
        if args and not args[0].startswith("-") and args[0] not in self.own_commands:
            _refuse_unknown(ctx, args[0], self.find_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what one does with them, without loading them."""
        commands = self.find_commands(ctx)
        for title, names in commands.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name, commands.summaries[name]) for name in names])


def _refuse_unknown(ctx: click.Context, name: str, commands: LazyCommands) -> None:
    """Refuse a command that is not there: a mistyped one, or one of a game that the library has not."""
    if name in commands:
        return
    root = _find_named_library(ctx)
    if is_game_command(name):
        if root is None:
            raise click.UsageError(_explain_no_library(ctx))
        raise click.UsageError(explain_missing_game(root) or f"{root.name}: this library has no game. {_NO_GAME_HINT}")
    near = get_close_matches(name, commands, 1)
    hint = f"Did you mean {near[0]}?" if near else f"`{ctx.command.name} -h` lists them."
    raise click.UsageError(f"No command {quote_value(name)}. {hint}", ctx)


def _explain_no_library(ctx: click.Context) -> str:
    """Say how one comes to a library: by going into its folder, by naming it, or by beginning one."""
    below = next((path.parent.name for path in sorted(Path.cwd().glob(f"*/{SETTINGS_FILE}"))), "")
    ways = f"go into the folder of yours (`cd {below or 'FOLDER'}`) or name it (--sources {below or 'FOLDER'})"
    return f"There is no library in this folder: {ways}; `{ctx.command.name} init my-library` begins one."


def _find_named_library(ctx: click.Context) -> Path | None:
    """Find the library that is named, or that of the folder in which one is."""
    named = ctx.params.get("folder") or os.environ.get(SOURCES_VARIABLE)
    return Path(named) if named else find_library(Path.cwd())


def _read_game(ctx: click.Context) -> Game:
    root = _find_named_library(ctx)
    return read_game(root)[0] if root else NO_GAME


def _list_program_options(name: str, variable: str) -> Iterator[Callable[[Any], Any]]:
    yield click.version_option(__version__, "-V", "--version", prog_name=name, message="%(prog)s %(version)s")
    yield click.option(
        "--pager/--no-pager",
        default=True,
        envvar=f"{variable}_PAGER",
        show_envvar=True,
        help="On a terminal, show long output in a pager ($PAGER). `--no-pager`, or 0 in the variable, turns it off.",
    )
    yield click.option(
        "--sources",
        "folder",
        is_eager=True,  # the help lists the commands of its game
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        envvar=SOURCES_VARIABLE,
        show_envvar=True,
        help="Folder of another library, instead of the program's own or the one you are in; before or after the "
        "command.",
    )


@click.pass_context
def _prepare_command(ctx: click.Context, pager: bool, folder: Path | None) -> None:
    program = cast(Program, ctx.command)
    before = running_program.set(program.name or "")
    ctx.call_on_close(lambda: running_program.reset(before))
    if folder is None and not program.own_library:
        folder = find_library(Path.cwd())
        if folder is None and not ctx.meta[_EXPLAINS] and ctx.invoked_subcommand not in _WITHOUT_LIBRARY:
            raise click.UsageError(_explain_no_library(ctx))
    if folder is not None:
        ctx.with_resource(_read_sources_from(folder))


@contextmanager
def _read_sources_from(folder: Path) -> Iterator[None]:
    """Have every command, and every process that it starts, read another folder of sources."""
    if not (folder / "questions").is_dir():
        raise click.UsageError(f"{folder} holds no sources: there is no folder `questions` in it.")
    before = os.environ.get(SOURCES_VARIABLE)
    os.environ[SOURCES_VARIABLE] = str(folder.resolve())
    try:
        yield
    finally:
        os.environ.pop(SOURCES_VARIABLE)
        if before is not None:
            os.environ[SOURCES_VARIABLE] = before


def run_program(program: Program) -> None:
    """Run a program as the process that it is."""
    # Every signal that asks it to end does what Ctrl-C does, unless the signal is ignored, as by `nohup`.
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):  # the last is Ctrl-Break of Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    # Records and parsed files live until the end: to look through them for garbage with every 700 new ones finds none.
    gc.set_threshold(200_000, 20, 20)
    try:
        try:
            program(prog_name=program.name)
        finally:
            gc.freeze()  # nor is there anything to be found when the process ends
            sys.stdout.flush()  # before Python does it, which would complain of a reader who has left
    except OSError as fault:
        if fault.errno == errno.EPIPE:
            output.leave_without_reader()
        output.print_remark(f"Error: standard output: {fault.strerror}")
        output.leave_without_reader(1)


library_cli = Program(
    "rulebook",
    """An edition of sources that can be compared.

The library is that of the folder in which you are. `rulebook init` begins one, `rulebook help guide` leads from there
to its pages, and `rulebook COMMAND -h` explains each command. Exit codes: 0 all is well, 1 problems were found, 2 the
command itself was mistyped, 141 the output was closed early (`| head`).

Name a question by its id, its number or its short name. `rulebook list` lists what there is (`rulebook list kinds`: the
kinds of answers), `rulebook show ID` shows any of it. --format json prints one line for each record, --pretty indents
it. """,
    LazyCommands("rulebook"),
)


def main() -> None:
    """Run `rulebook`."""
    run_program(library_cli)
