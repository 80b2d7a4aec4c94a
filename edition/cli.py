"""The command line: `reversis` and what may stand after it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from edition.commands.deal_group import deal
from edition.commands.output import prepare_streams
from rulebook import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say only what matters.")


class Reversis(click.Group):
    """All commands; letters that the screen cannot show do not stop them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command."""
        prepare_streams()
        return super().main(*args, **kwargs)


@click.group(cls=Reversis, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="reversis", message="%(prog)s %(version)s")
def cli() -> None:
    """An edition of four sources on the card game Reversis that can be played.

    `reversis COMMAND -h` tells more of each command. Exit codes: 0 all is well, 1 problems were found, 2 the command
    itself was mistyped.
    """


@cli.command("check", context_settings=CONTEXT)
@click.argument("path", nargs=-1, metavar="[PATH]")
@click.option(
    "--confirm",
    is_flag=True,
    help="First write the fingerprint of every sentence that has none. With ids of clauses (PAM.c031): "
    "also renew theirs, once you have read them again.",
)
@click.option(
    "--coverage",
    "account",
    is_flag=True,
    help="Tell instead how much of each source is accounted for, sentence by sentence, and the words left over. Exit "
    "code 1 if a sentence is not.",
)
@QUIET
def check_(path: tuple[str, ...], confirm: bool, account: bool, quiet: bool) -> None:
    """Check all that lies in the sources.

    Texts, questions, clauses, quotations, worked deals.

    PATH is a folder of sources, a file in it (only its problems are told), or a deal record of your own. Without it the
    edition's own sources are checked. All problems are told at once as file:line:column, what is wrong, and the way
    out. Exit code 1 if there are any.
    """
    from edition.commands.check import check, covered

    if account and confirm:
        raise click.UsageError("Either --coverage or --confirm.")
    sys.exit(covered(path, quiet) if account else check(path, confirm, quiet))


@cli.command("run", context_settings=CONTEXT)
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...")
@click.option(
    "-s", "--source", "sources", multiple=True, metavar="S", help="By this source; may be given several times."
)
@click.option("--all", "all_", is_flag=True, help="By every source; so it is when no source is named.")
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule: QUESTION=READING (Q031=3), QUESTION@SOURCE (Q017@ACA), or the id of an interpretation "
    "or option (PAM.i01). A question is named by its id or its slug. May be given several times.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="Tables, one line of JSON for each deal and source, or one page that stands by itself.",
)
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def run_(
    deals: tuple[str, ...], sources: tuple[str, ...], all_: bool, wishes: tuple[str, ...], form: str, quiet: bool
) -> None:
    """Settle deals: who pays whom, and which clause says so.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for JSON lines on standard input.

    Exit code 1 if a record is faulty, if a result is not what the record expects of the source, or if a source that
    you named refuses the deal or is silent on it. By every source (--all) a refusal or a silence is a result like
    any other: exit code 0.
    """
    from edition.commands.run import run

    if sources and all_:
        raise click.UsageError("Either --source or --all: with --all every source is run.")
    sys.exit(run(deals, sources, wishes, form, quiet))


@cli.command("compare", context_settings=CONTEXT)
@click.argument("first", metavar="S1")
@click.argument("second", metavar="S2")
@click.option("-g", "--group", default="", metavar="GROUP", help="Only the questions of this group, such as Quinola.")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@QUIET
def compare_(first: str, second: str, group: str, form: str, quiet: bool) -> None:
    """Tell where two sources part.

    These are the questions that they answer differently.

    S1 and S2 are sources, or rules as they are printed: "PAM + Q017@ACA". Answers that we supply where a source is
    silent are marked; where a question makes no sense for a source, that is said. Sums are compared one to one, each
    in the smallest counter of its source.
    """
    from edition.commands.compare import compare

    sys.exit(compare(first, second, group, form, quiet))


@cli.command("build", context_settings=CONTEXT)
@click.argument("target", type=click.Choice(["html"]), default="html", metavar="[html]")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to put the pages; build/html if not given.",
)
@QUIET
def build_(target: str, folder: Path | None, quiet: bool) -> None:
    """Build the edition.

    First everything is checked as by `reversis check`; if there are problems they are told, nothing is built, and the
    last good build stays in place. In the end you are told where to open it.
    """
    from edition.commands.build import build

    sys.exit(build(folder or Path("build", target), quiet))


cli.add_command(deal)


def main() -> None:
    """Where `reversis` begins."""
    cli(prog_name="reversis")


if __name__ == "__main__":
    main()
