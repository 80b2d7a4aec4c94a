"""Serving the edition to the browser of this machine, and following its sources."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from edition.cli.build import MARK, build, refuse_foreign
from edition.site.build import recover_edition
from edition.site.server import PortTaken, house, keep, keep_live

if TYPE_CHECKING:
    from edition.site.preview import Preview


def serve(folder: Path, port: int, quiet: bool, sources: Path | None = None, still: bool = False) -> int:
    """Serve the edition, which follows its sources unless it is to be still; 0 when the reader ends it."""
    refuse_foreign(folder)
    recover_edition(folder)
    there = (folder / MARK).is_file()
    if not there and not quiet:
        click.echo("The edition is not built yet; that takes a minute or two.", err=True)
    if still and not there and build(folder, quiet=True):
        return 1
    preview = None if still else following(folder, sources)
    try:
        opened = house(folder, port, preview)
    except PortTaken:
        way_out = "Name another, such as --port 8001, or 0 for any that is free."
        raise click.UsageError(
            f"Port {port} cannot be had: another program uses it, or it is kept for others. {way_out}"
        ) from None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored for what runs behind
    if preview:
        keep_live(opened, preview, lambda address: click.echo(address if quiet else f"{address} – {FOLLOWS}"))
    else:
        keep(opened, lambda address: click.echo(address if quiet else f"{address} – {ENDS}"))
    return 0


ENDS = "open it in a browser; Ctrl-C ends it."
FOLLOWS = "open it in a browser: it follows what you change in the sources. Ctrl-C ends it."


def following(folder: Path, sources: Path | None) -> Preview:
    """The edition that follows its sources."""
    from edition.site.preview import Preview
    from rulebook.sources.paths import find_sources

    root = (sources or find_sources()).resolve()
    if not (root / "questions").is_dir():
        raise click.UsageError(f"{root} holds no sources: there is no folder `questions` in it.")
    return Preview(folder.resolve(), root)
