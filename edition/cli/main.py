"""The command line: `reversis` and its commands, each loaded from the module of its name when it is asked for."""

from __future__ import annotations

import errno
import gc
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, cast

import click

from edition.cli.output import prepare_streams
from rulebook import __version__

#: Every command, with the first line of its help: so the list of them is there before any is loaded.
COMMAND_SUMMARIES: Mapping[str, str] = {
    "build": "Build the edition: its pages, or the book as a PDF or an EPUB, or all of them.",
    "check": "Check all that lies in the sources.",
    "cite": "Find words in a source and print them as a citation.",
    "compare": "Tell where two sources part.",
    "deal": "Make a deal: new, random, filled in, or read from a diagram.",
    "explain": "Tell why each is paid, and why not.",
    "export": "Write the edition in a form that other tools read.",
    "import-text": "Turn a transcription into the sentences that clauses cite.",
    "new-source": "Begin a new source: a folder that checks cleanly at once.",
    "release": "Write a new version into every file that names it.",
    "run": "Settle deals: who pays whom, and which clause says so.",
    "separate": "Show a deal on which two sources part.",
    "serve": "Serve the edition to the browser of this machine, and follow its sources.",
    "session": "Play several deals in a row: accounts and pool are carried on.",
    "sheet": "Write a source's questions as a sheet, and read it back.",
    "survey": "Play very many deals, and count.",
    "worlds": "Tell what of a deal is certain, and what is contested.",
}


class LazyCommands(Mapping[str, click.Command]):
    """The commands by their names: `new-source` is `new_source_command` in `edition.cli.new_source`."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in COMMAND_SUMMARIES:
            raise KeyError(name)
        module = name.replace("-", "_")
        return cast(click.Command, getattr(import_module(f"edition.cli.{module}"), f"{module}_command"))

    def __iter__(self) -> Iterator[str]:
        return iter(COMMAND_SUMMARIES)

    def __len__(self) -> int:
        return len(COMMAND_SUMMARIES)


class Reversis(click.Group):
    """All commands; letters that the screen cannot show do not stop them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command."""
        prepare_streams()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what the machine refuses (a full disk, a file that is not ours) is reported in one line."""
        try:
            return super().invoke(ctx)
        except OSError as fault:
            if fault.errno == errno.EPIPE:  # whoever reads along has seen enough
                raise
            named = f"{fault.filename}: " if fault.filename else ""
            told = f"{named}{fault.strerror or fault}. What was there before is still there."
            raise click.ClickException(told) from fault

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


@click.group(
    cls=Reversis,
    commands=cast("MutableMapping[str, click.Command]", LazyCommands()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="reversis", message="%(prog)s %(version)s")
def cli() -> None:
    """An edition of four sources on the card game Reversis that can be played.

    `reversis COMMAND -h` tells more of each command. Exit codes: 0 all is well, 1 problems were found, 2 the command
    itself was mistyped.
    """


def main() -> None:
    """Run `reversis`."""
    # Records and parsed files live until the end: to look through them for garbage with every 700 new ones finds none.
    gc.set_threshold(50_000, 20, 20)
    cli(prog_name="reversis")
