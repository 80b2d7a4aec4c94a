"""Options that several commands take."""

from __future__ import annotations

from pathlib import Path

import click

FILE_TYPE = click.Path(path_type=Path, dir_okay=False)
QUIET_OPTION = click.option("-q", "--quiet", is_flag=True, help="Say only what matters.")
SOURCES_OPTION = click.option(
    "--sources",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Another folder of sources than that of this clone.",
)
PLAYED_BY_OPTION = click.option(
    "-s", "--source", "sources", multiple=True, metavar="S", help="By this source; may be given several times."
)
FORMAT_OPTION = click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
IGNORE_UNKNOWN_OPTION = click.option(
    "--ignore-unknown",
    is_flag=True,
    help="Take records that name sources under `pool` or `expect` which these sources do not have; what is not used is "
    "said.",
)


def refuse_without_record(ignore_unknown: bool) -> None:
    """Refuse `--ignore-unknown` where no record is read."""
    if ignore_unknown:
        raise click.UsageError("--ignore-unknown is for the record of a deal or a session, and none is read here.")
