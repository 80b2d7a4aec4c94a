"""Serve the edition on this machine, and rebuild pages when sources change."""

from __future__ import annotations

import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from edition.cli import options
from edition.cli.build import BUILD_MARKER, build_html_edition, refuse_foreign
from edition.site.build import recover_edition
from edition.site.server import PortTaken, open_server, serve_live, serve_until_interrupt

if TYPE_CHECKING:
    from edition.site.coding_form import CodingForm
    from edition.site.preview import Preview


@click.command("serve")
@click.option(
    "-d",
    "--directory",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the pages; default build/html.",
)
@click.option(
    "-p",
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Port; 0 picks a free one.",
)
@options.SOURCES_OPTION
@click.option("--still", is_flag=True, help="Serve the pages as built; do not rebuild.")
@options.QUIET_OPTION
def serve_command(target: Path | None, port: int, folder: Path | None, still: bool, quiet: bool) -> None:
    """Serve the edition on this machine, and rebuild pages when sources change.

    The page of a source has a form there, in which its questions are answered; it writes clauses.yaml and can undo it.

    When a source file changes, its pages are rebuilt and reload by themselves. Where a file is
    broken, the page says so as `rulebook check` does, with its last good state below; all other changes are shown.

    The pages can also be opened from disk, but there the browser cannot run the engine that settles a deal you have
    changed. An edition that is not built yet is built first. The address can be reached from this machine only. Ctrl-C
    stops the server.
    """
    sys.exit(serve_edition(target or options.find_default_output("html"), port, quiet, folder, still))


def serve_edition(folder: Path, port: int, quiet: bool, sources: Path | None = None, still: bool = False) -> int:
    """Serve the edition, following its sources unless it is to be still."""
    refuse_foreign(folder)
    recover_edition(folder)
    there = (folder / BUILD_MARKER).is_file()
    if not there and not quiet:
        click.echo("The edition is not built yet; that takes a minute or two. A line here says when it is.", err=True)
    if still and not there and build_html_edition(folder, quiet=True):
        return 1
    preview = None if still else _open_preview(folder, sources)
    try:
        opened = open_server(folder, port, preview, _open_form(preview))
    except PortTaken:
        way_out = "Name another, such as --port 8001, or 0 for any that is free."
        raise click.UsageError(
            f"Port {port} cannot be had: another program uses it, or it is kept for others. {way_out}"
        ) from None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored for what runs behind
    if preview:
        progress = {} if quiet else {"said": click.echo}
        announce = partial(_tell_address, hint="" if quiet else _FOLLOW_HINT)
        serve_live(opened, preview, announce, **progress)
    else:
        serve_until_interrupt(opened, partial(_tell_address, hint="" if quiet else _END_HINT))
    return 0


def _tell_address(address: str, hint: str) -> None:
    click.echo(f"{address} – {hint}" if hint else address)


_END_HINT = "open it in a browser; Ctrl-C ends it."
_FOLLOW_HINT = "open it in a browser: it follows what you change in the sources. Ctrl-C ends it."


def _open_preview(folder: Path, sources: Path | None) -> Preview:
    from edition.site.preview import Preview
    from rulebook.sources.paths import find_sources

    root = (sources or find_sources()).resolve()
    options.require_sources_folder(root)
    return Preview(folder.resolve(), root)


def _open_form(preview: Preview | None) -> CodingForm | None:
    """Return the form for coding a source; none without the live preview, or in a copy that is not yours to change."""
    if preview is None or preview.sources.name == "_sources":
        return None
    from edition.coding.checker import SourceChecker
    from edition.coding.desk import CodingDesk
    from edition.site.coding_form import CodingForm

    return CodingForm(CodingDesk(preview.sources, SourceChecker().check))
