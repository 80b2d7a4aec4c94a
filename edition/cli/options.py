"""Options that several commands take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from edition.cli.completion import complete_source, complete_wish
from edition.cli.output import PRETTY_JSON
from rulebook.io.files import refuse_links

FILE_TYPE = click.Path(path_type=Path, dir_okay=False)
#: Names of options that mean the same in every command: where to write, and of which group of questions.
OUTPUT_NAMES = ("-o", "--out", "--output")
GROUP_NAMES = ("-g", "--group", "--topic")
QUIET_OPTION = click.option("-q", "--quiet", is_flag=True, help="Print less.")
SOURCES_OPTION = click.option(
    "--sources",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of another library, instead of the program's own or the one you are in.",
)


def make_source_option(help: str) -> Callable[[Any], Any]:
    """Return the option for one or several sources."""
    return click.option(
        "-s", "--source", "sources", multiple=True, metavar="S", help=help, shell_complete=complete_source
    )


def _take_one_source(context: click.Context, parameter: click.Parameter, named: Sequence[str]) -> str | None:
    if len(named) > 1:
        raise click.UsageError(f"One source at a time: --source is given {len(named)} times ({', '.join(named)}).")
    return named[0] if named else None


ONE_SOURCE_OPTION = click.option(
    "-s",
    "--source",
    multiple=True,  # or else the last would be taken without a word
    callback=_take_one_source,
    metavar="S",
    help="Use the rules of this source; required.",
    shell_complete=complete_source,
)
PLAYED_BY_OPTION = make_source_option("Use the rules of this source; may be given several times.")
IGNORE_UNKNOWN_OPTION = click.option(
    "--ignore-unknown",
    is_flag=True,
    help="Accept records whose `pool` or `expect` names unknown sources; what is ignored is reported.",
)


MAX_WISHES = 300  #: more than there are questions


def make_format_option(forms: Sequence[str], help: str | None = None) -> Callable[[Any], Any]:
    """Return the options for the form of the output, the first form being the default, and for indented JSON."""
    form = click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        callback=_choose_form,
        help=help or "Text to read, or one line of JSON for each record.",
    )
    pretty = click.option(
        "--pretty",
        is_flag=True,
        is_eager=True,  # the form depends on it
        expose_value=False,
        callback=_remember_pretty,
        help="Indented JSON; implies --format json.",
    )
    return lambda command: form(pretty(command))


def _remember_pretty(context: click.Context, parameter: click.Parameter, pretty: bool) -> None:
    context.meta[PRETTY_JSON] = pretty


def _choose_form(context: click.Context, parameter: click.Parameter, form: str) -> str:
    if not context.meta[PRETTY_JSON] or form == "json":
        return form
    if context.get_parameter_source("form") is not ParameterSource.DEFAULT:
        raise click.UsageError(f"--pretty is for JSON, and --format {form} is asked for.")
    return "json"


FORMAT_OPTION = make_format_option(["text", "json"])


def make_wish_option(help: str) -> Callable[[Any], Any]:
    """Return the option for rules that the reader wishes."""
    return click.option(
        "--with",
        "wishes",
        multiple=True,
        callback=_bound_wishes,
        metavar="WISH",
        help=help,
        shell_complete=complete_wish,
    )


def _bound_wishes(context: click.Context, parameter: click.Parameter, wishes: tuple[str, ...]) -> tuple[str, ...]:
    if len(wishes) > MAX_WISHES:
        raise click.UsageError(f"--with is given {len(wishes)} times; {MAX_WISHES} are the most.")
    return wishes


def make_base_url_option(help: str) -> Callable[[Any], Any]:
    """Return the option for the address of the edition."""
    return click.option(
        "--base-url", metavar="URL", default="", envvar="REVERSIS_BASE_URL", show_envvar=True, help=help
    )


def find_default_output(*parts: str) -> Path:
    """Return where something goes for which no place is named. Raise click.UsageError if a link leads elsewhere."""
    path = Path("build", *parts)
    try:
        refuse_links(Path(), path.as_posix())
    except OSError as fault:
        raise click.UsageError(f"{fault.filename} is a link: name the folder to write to.") from None
    return path


def require_sources_folder(folder: Path) -> None:
    """Raise click.UsageError if a folder holds no sources."""
    if not (folder / "questions").is_dir():
        raise click.UsageError(f"{folder} holds no sources: there is no folder `questions` in it.")


def refuse_without_record(ignore_unknown: bool) -> None:
    """Refuse `--ignore-unknown` where no record is read."""
    if ignore_unknown:
        raise click.UsageError("--ignore-unknown is for the record of a deal or a session, and none is read here.")
