"""The command line: `reversis` and its commands, each loaded from the module of its name when it is asked for."""

from __future__ import annotations

import errno
import gc
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click
from click.shell_completion import CompletionItem

from edition.cli import output
from edition.cli.completion import register_completion_classes
from edition.game import GAME_VARIABLE
from rulebook import __version__
from rulebook.installing import format_install_command
from rulebook.model import Silent
from rulebook.problems import SpoiltFile
from rulebook.sources.paths import SOURCES_VARIABLE
from rulebook.strings import quote_value

#: Every command, with the first line of its help: so the list of them is there before any is loaded.
COMMAND_SUMMARIES: Mapping[str, str] = {
    "build": "Build the edition: its pages, or the book as a PDF or an EPUB, or all of them.",
    "check": "Check the sources; report file, line and hint.",
    "cite": "Find words in a source and print them as a citation.",
    "compare": "Compare two sources: their answers, or their results on a deal.",
    "deal": "Make a deal: new, random, filled in, or read from a diagram.",
    "explain": "Explain every payment of a deal, and why others are not made.",
    "export": "Write the edition in a form that other tools read.",
    "hint": "Show what a player who looks ahead would play, and what each card is worth.",
    "import-text": "Turn a transcription into the sentences that clauses cite.",
    "list": "List sources, questions, readings, deals, sessions and more.",
    "new-source": "Begin a new source: a folder that checks cleanly at once.",
    "play": "Play at a table: you, and players who look ahead.",
    "release": "Write a new version into every file that names it.",
    "run": "Settle deals: who pays whom, and which clause says so.",
    "separate": "Show the smallest deal on which two sources differ.",
    "serve": "Serve the edition to the browser of this machine, and follow its sources.",
    "session": "Play several deals in a row: accounts and pool are carried on.",
    "sheet": "Write a source's questions as a sheet or on paper, and read it back.",
    "show": "Show anything by its id: a question, a sentence, a deal, a term.",
    "supply": "Supply what deals need and a source does not say.",
    "survey": "Simulate very many deals, and count.",
    "variants": "List where a witness of a text differs from our copy, by kind.",
    "worlds": "Show which results of a deal depend on how a source is read.",
}
#: Commands that answer with something to read, at once; all others write while they work.
PAGED_COMMANDS = frozenset(
    {"cite", "compare", "explain", "hint", "list", "run", "separate", "session", "show", "variants", "worlds"}
)
_PAGED = "edition.cli.paged"  #: whether the command is one of them

#: Package in which the module of a command lies, where it is not `edition.cli`.
_COMMAND_PACKAGES: Mapping[str, str] = {
    **dict.fromkeys(("cite", "import-text", "new-source", "sheet"), "edition.cli.editing"),
    **dict.fromkeys(("list", "show", "variants"), "edition.cli.lookup"),
    **dict.fromkeys(("deal", "explain", "run", "separate", "session", "supply", "survey", "worlds"), "reversis.cli"),
    "hint": "reversis.cli.hint",
    "play": "reversis.cli.table",
}
_EXTRAS_NAMED = re.compile(r'pip install "reversis\[([\w,]+)\]"')
_COMPLETION_HELP = """\
\b
Ids, sources and readings are completed by the shell, once this line is in its start file:
  bash  ~/.bashrc                   eval "$(_REVERSIS_COMPLETE=bash_source reversis)"
  zsh   ~/.zshrc                    eval "$(_REVERSIS_COMPLETE=zsh_source reversis)"
  fish  ~/.config/fish/config.fish  _REVERSIS_COMPLETE=fish_source reversis | source
"""


MAX_ARGUMENT = 4096  #: characters of one argument: as many as a path may have


class LazyCommands(Mapping[str, click.Command]):
    """The commands by their names: `new-source` is `new_source_command` in `edition.cli.editing.new_source`."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in COMMAND_SUMMARIES:
            raise KeyError(name)
        module = name.replace("-", "_")
        path = f"{_COMMAND_PACKAGES.get(name, 'edition.cli')}.{module}"
        command = cast(click.Command, getattr(import_module(path), f"{module}_command"))
        command.help = fill_install_commands(command.help or "")
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMAND_SUMMARIES)

    def __len__(self) -> int:
        return len(COMMAND_SUMMARIES)


def fill_install_commands(words: str) -> str:
    """Have a help text name extras by the command that installs them here: one in a clone, another elsewhere."""
    return _EXTRAS_NAMED.sub(lambda found: format_install_command(*found[1].split(",")), words)


class Reversis(click.Group):
    """All commands; letters that the screen cannot show do not stop them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command."""
        output.prepare_streams()
        register_completion_classes()
        return super().main(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line; help that nobody reads to its end is no fault."""
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            output.leave_without_reader()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; `--no-pager` may also stand behind the command."""
        if long := next((one for one in args if len(one) > MAX_ARGUMENT), ""):
            raise click.UsageError(f"An argument of {len(long)} characters; {MAX_ARGUMENT} are the most.", ctx)
        if "--no-pager" in args:
            args = ["--no-pager", *(one for one in args if one != "--no-pager")]
        args = self._move_sources_first(args)
        rest = args[2:] if args[:1] == ["--sources"] else args
        ctx.meta[_PAGED] = next((one for one in rest if not one.startswith("-")), "") in PAGED_COMMANDS
        return super().parse_args(ctx, args)

    def _move_sources_first(self, args: list[str]) -> list[str]:
        """Put `--sources DIRECTORY` before the command, unless the command has an option of that name."""
        end = args.index("--") if "--" in args else len(args)
        at = next((at for at, one in enumerate(args[:end]) if re.fullmatch(r"--sources(=.*)?", one)), None)
        name = next((one for one in args[:at] if one in COMMAND_SUMMARIES), None) if at is not None else None
        if at is None or name is None or any("--sources" in one.opts for one in self.commands[name].params):
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
            raise click.ClickException(output.wrap_message(_explain_silence(silent))) from silent
        except SpoiltFile as fault:
            raise click.ClickException(output.wrap_message(str(fault))) from fault
        except OSError as fault:
            if fault.errno == errno.EPIPE:  # Click would end with 1
                output.leave_without_reader()
            named = f"{fault.filename}: " if fault.filename else ""
            told = f"{named}{fault.strerror or fault}. What was there before is still there."
            raise click.ClickException(told) from fault

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without loading any."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        named = ((name, said) for name, said in COMMAND_SUMMARIES.items() if name.startswith(incomplete))
        return [CompletionItem(name, help=said) for name, said in named]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; a mistyped name gets a suggestion."""
        if args and not args[0].startswith("-") and args[0] not in COMMAND_SUMMARIES:
            near = get_close_matches(args[0], COMMAND_SUMMARIES, 1)
            hint = f"Did you mean {near[0]}?" if near else "`reversis -h` lists them."
            raise click.UsageError(f"No command {quote_value(args[0])}. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        limit = formatter.width - 6 - max(map(len, COMMAND_SUMMARIES))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=said).get_short_help_str(limit))
                    for name, said in COMMAND_SUMMARIES.items()
                ]
            )


def _explain_silence(silent: Silent) -> str:
    """Explain a question without an answer, and how the source comes to one."""
    from reversis.words.lenders import add_supply_hint
    from rulebook.load import quick_load

    library, _ = quick_load()
    return add_supply_hint(library, silent.ruleset, silent.question, str(silent)) if library else str(silent)


@click.group(
    cls=Reversis,
    commands=cast("MutableMapping[str, click.Command]", LazyCommands()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=_COMPLETION_HELP,
)
@click.version_option(__version__, prog_name="reversis", message="%(prog)s %(version)s")
@click.option(
    "--pager/--no-pager",
    default=True,
    envvar="REVERSIS_PAGER",
    show_envvar=True,
    help="On a terminal, show what is longer than the screen in a pager ($PAGER); `--no-pager` anywhere, or 0 in the "
    "variable, prints it as it is.",
)
@click.option(
    "--sources",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    envvar=SOURCES_VARIABLE,
    show_envvar=True,
    help="Another folder of sources than that of the program; with every command, before or behind its name.",
)
@click.pass_context
def cli(ctx: click.Context, pager: bool, folder: Path | None) -> None:
    """An edition of sources on the card game Reversis that can be played.

    `reversis COMMAND -h` explains each command. Exit codes: 0 all is well, 1 problems were found, 2 the command
    itself was mistyped, 141 whoever read the output has left (`| head`).

    A question goes by its id, its number or its slug: Q024, q24, 24, ace.led.payee. `reversis list` lists what
    there is, `reversis show ID` shows any of it. --format json is one line for each record, --pretty the same for
    people.

    Sums are whole numbers, in the smallest counter of their source. A share of a sum (`compare --deal`) need not be
    whole: it is an exact fraction in lowest terms, in text +2 1/2, in JSON always a string: "5/2", "-1/3", "4". What
    `survey` counts is whole, and what it estimates from that is a decimal number.
    """
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


def stop_on_signals() -> None:
    """Have every signal by which a process is asked to end do what Ctrl-C does, unless it is ignored, as by `nohup`."""
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):  # the last is Ctrl-Break of Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def main() -> None:
    """Run `reversis`."""
    os.environ.setdefault(GAME_VARIABLE, "reversis")
    stop_on_signals()
    # Records and parsed files live until the end: to look through them for garbage with every 700 new ones finds none.
    gc.set_threshold(50_000, 20, 20)
    try:
        try:
            cli(prog_name="reversis")
        finally:
            sys.stdout.flush()  # before Python does it, which would complain of a reader who has left
    except OSError as fault:
        if fault.errno == errno.EPIPE:
            output.leave_without_reader()
        output.print_remark(f"Error: standard output: {fault.strerror}")
        output.leave_without_reader(1)
