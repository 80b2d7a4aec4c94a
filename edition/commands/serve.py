"""Serving the edition to the browser of this machine."""

from __future__ import annotations

import signal
from pathlib import Path

import click

from edition.commands.build import MARK, build
from edition.serving import PortTaken, house, keep


def serve(folder: Path, port: int, quiet: bool) -> int:
    """Serve the built edition, which is built first if it is not there; 0 when the reader ends it."""
    if not (folder / MARK).is_file():
        if not quiet:
            click.echo("The edition is not built yet; that takes a minute or two.", err=True)
        if build(folder, quiet=True):
            return 1
    try:
        opened = house(folder, port)
    except PortTaken:
        way_out = "Name another, such as --port 8001, or 0 for any that is free."
        raise click.UsageError(
            f"Port {port} cannot be had: another program uses it, or it is kept for others. {way_out}"
        ) from None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored for what runs behind
    keep(opened, lambda address: click.echo(address if quiet else f"{address} – open it in a browser; Ctrl-C ends it."))
    return 0
