"""Begin a library: a folder that can be checked, built and filled from the first minute."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from edition.cli.options import QUIET_OPTION
from rulebook.io.transactions import replace_files, write_folder
from rulebook.new_library import (
    COMMON_LICENCES,
    GITIGNORE_FILE,
    LibraryFacts,
    explain_unfit_library,
    render_library_files,
)
from rulebook.program_name import name_command
from rulebook.sources.paths import is_editors_own


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]", default=Path())
@click.option("--title", help="Title of the library, as shown on its pages; asked for if not given.")
@click.option(
    "--languages", help="Languages of the sources, two letters each, separated by commas: fr, de, en. Default: English."
)
@click.option("--licence", help="Licence of texts and data, as an SPDX identifier; default CC-BY-4.0.")
@click.option("--pages", is_flag=True, help="Add a workflow that publishes the pages of the library from GitHub.")
@QUIET_OPTION
def init_command(
    folder: Path, title: str | None, languages: str | None, licence: str | None, pages: bool, quiet: bool
) -> None:
    """Start a library: a folder with its settings and a first question.

    FOLDER must be new or empty (default: the current folder). At a terminal, missing options are asked for.
    """
    refuse_used_folder(folder)
    facts = LibraryFacts(
        _ask("Title of the library", title, _name_after(folder)),
        tuple(re.findall(r"[^\s,;]+", _ask("Languages of the sources (fr, de, en ...)", languages, "en"))),
        _ask("Licence of texts and data", licence, COMMON_LICENCES[0]),
        pages,
    )
    if fault := explain_unfit_library(facts):
        raise click.UsageError(f"{fault[:1].upper()}{fault[1:]}.")
    files = {name: words.encode() for name, words in render_library_files(facts).items()}
    if (folder / GITIGNORE_FILE).exists():  # of a repository that somebody has begun
        files.pop(GITIGNORE_FILE)
    (replace_files if folder.is_dir() else write_folder)(folder.resolve(), files)
    if not quiet:
        _report_new_library(folder, facts)


def refuse_used_folder(folder: Path) -> None:
    """Raise click.UsageError if a folder holds anything but what hides."""
    used = sorted(path.name for path in folder.iterdir() if not is_editors_own(path.name)) if folder.is_dir() else []
    if used:
        way_out = f"Name a new folder: `{name_command('init my-library')}`."
        raise click.UsageError(f"{folder.resolve().name} is not empty: {used[0]} lies in it. {way_out}")


def _ask(what: str, given: str | None, otherwise: str) -> str:
    """Return what is given, what somebody types at a terminal, or what stands for it."""
    if given is not None or not sys.stdin.isatty():
        return otherwise if given is None else given
    return str(click.prompt(what, default=otherwise))


def _name_after(folder: Path) -> str:
    words = re.sub(r"[-_.\s]+", " ", folder.resolve().name).strip()
    return f"{words[:1].upper()}{words[1:]}" or "Rules compared"


def _report_new_library(folder: Path, facts: LibraryFacts) -> None:
    click.echo(f"{folder.resolve().name}: the library {facts.title}, with one question to write over")
    click.echo("  library.yaml             its name and its words")
    click.echo(f"  questions/10-first.yaml  what the sources are asked; {name_command('list kinds')}: kinds of answers")
    click.echo("  bibliography.bib         works that are cited")
    click.echo("  CITATION.cff             how the library itself is cited")
    enter = f"cd {folder.as_posix()}, then: " if folder.resolve() != Path().resolve() else ""
    click.echo(f"Next: {enter}{name_command('new-source ABC')}  (two to six capital letters, for your first book)")
    click.echo(f"then: {name_command('build')}  (the pages; {name_command('check')} says what is wrong)")
    click.echo(f"`{name_command('help guide')}` leads through all of it.")
