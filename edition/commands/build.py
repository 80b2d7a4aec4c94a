"""Building the edition: first everything is checked, then pages are made."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import click

from edition.commands import output
from edition.commands.check import all_problems

MARK = ".buildinfo"  #: what Sphinx leaves in every folder that it fills


def build(target: Path, quiet: bool) -> int:
    """Make the pages; where anything is wrong with the sources, tell it and leave the last good build in place."""
    refuse_foreign(target)
    library, problems = all_problems()
    if problems or library is None:
        output.tell(problems)
        output.say(f"Nothing was built; a build that lay in {target.as_posix()} is still there.")
        return 1
    return made(target, quiet)


def refuse_foreign(target: Path) -> None:
    """A folder with other things in it is not ours to replace."""
    if target.is_dir() and any(target.iterdir()) and not (target / MARK).is_file():
        way_out = "Name an empty folder, or one that is not there yet."
        raise click.UsageError(f"{target} holds something else than an edition, and would be replaced. {way_out}")


def made(target: Path, quiet: bool) -> int:
    """The pages of sources that are in order, and where to open them."""
    from edition.build import build_html  # Sphinx takes a second to import

    with redirect_stdout(StringIO()):  # it names the first page too, but without an address to click on
        failed = build_html(target)
    home = target / "index.html"
    if not failed and not quiet:
        click.echo(f"The edition is built. Open {home}\n{home.resolve().as_uri()}")
    return int(bool(failed))
