"""Create the folder of a new source, which passes the check at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from edition.cli import output
from edition.cli.arguments import UNREADABLE_SOURCES
from edition.cli.options import QUIET_OPTION, SOURCES_OPTION, require_sources_folder
from rulebook.io.transactions import write_folder
from rulebook.json_schema import SCHEMAS_FOLDER
from rulebook.library_settings import read_settings
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.new_source import (
    COPYRIGHT_HELD,
    PUBLIC_DOMAIN,
    Facts,
    explain_unfit_facts,
    explain_unfit_siglum,
    render_source_files,
)
from rulebook.phrases import capitalise, format_count
from rulebook.program_name import name_command, name_program
from rulebook.sources.paths import find_sources

_MAY_BEGIN = "edition.cli.may_begin"  #: the library of a source that may be begun


class AskedOption(click.Option):
    """Option that is asked for if it is not given; where nobody answers its default holds, or it is missing."""

    def prompt_for_value(self, ctx: click.Context) -> Any:
        """Return what somebody types or a file says, or the default where its lines have come to an end."""
        if not ctx.meta.get(_MAY_BEGIN):  # whoever has answered ten questions is not refused for what was known before
            ctx.meta[_MAY_BEGIN] = open_library_without(ctx.params["siglum"], ctx.params.get("folder"))
        try:
            return super().prompt_for_value(ctx)
        except click.Abort:
            if sys.stdin.isatty():
                raise
        if not isinstance(value := self.get_default(ctx), str):
            raise click.MissingParameter(ctx=ctx, param=self)
        return self.type_cast_value(ctx, value)


def _find_usual_language() -> str | None:
    """Return the first language that the library names; None where it names none."""
    named = read_settings(find_sources())[0].languages.replace(",", " ").split()
    return named[0] if named else None


@click.command("new-source")
@click.argument("siglum", metavar="SIGLUM")
@click.option("--title", cls=AskedOption, prompt="Title, as it stands on the page", help="Title, as printed.")
@click.option("--short-title", cls=AskedOption, prompt="A short name for tables", help="Short title, for tables.")
@click.option(
    "--language",
    cls=AskedOption,
    prompt="Language (fr, de, en ...)",
    default=_find_usual_language,
    help="Two letters: fr, de, en ...; default: the library's first.",
)
@click.option(
    "--date",
    cls=AskedOption,
    prompt="When it was printed",
    default="not known",
    help="A year, as exact as known.",
)
@click.option("--place", cls=AskedOption, prompt="Where", default="", help="Where it was printed.")
@click.option("--author", cls=AskedOption, prompt="Author", default="", help="Who wrote it, if known.")
@click.option(
    "--exemplar",
    cls=AskedOption,
    prompt="Which copy was read",
    default="",
    help="The copy that was read, or images of it.",
)
@click.option(
    "--unit",
    cls=AskedOption,
    prompt="The smallest counter",
    default="",
    help="Name of the smallest counter, in which all sums are given.",
)
@click.option(
    "--coder", cls=AskedOption, prompt="What you do, for the list of coders", default="transcription and coding"
)
@click.option(
    "--rights",
    callback=lambda *given: read_rights(given[-1]),
    help="Rights in the text: public domain, or in copyright.",
)
@click.option("--in-copyright", is_flag=True, help="The text may not be reprinted: state its rules in your own words.")
@SOURCES_OPTION
@QUIET_OPTION
@click.pass_context
def new_source_command(
    context: click.Context,
    /,
    siglum: str,
    folder: Path | None,
    quiet: bool,
    rights: str | None,
    in_copyright: bool,
    **facts: Any,
) -> None:
    """Start a new source: a folder that passes `check` at once.

    It contains the record of the source, a file to paste the text into, and every question of the edition with its
    coding procedure, marked as not collated. Missing options are asked for.
    """
    if (
        rights is None
        and not in_copyright
        and any(context.get_parameter_source(name) is ParameterSource.PROMPT for name in context.params)
    ):
        rights = _ask_for_rights()
    rights = COPYRIGHT_HELD if in_copyright else rights or ""
    create_source(Facts(siglum, rights=rights, **facts), folder, quiet)


_RIGHTS_PROMPT = "Rights in the text (public domain, in copyright)"


def _ask_for_rights() -> str | None:
    try:
        return click.prompt(_RIGHTS_PROMPT, default="", show_default=False, value_proc=read_rights)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        return ""


def read_rights(words: str | None) -> str | None:
    """Read what somebody types for the rights in a text. Raise click.BadParameter if it is neither of the two."""
    plain = None if words is None else " ".join(words.split()).casefold()
    if plain not in (None, "", PUBLIC_DOMAIN, COPYRIGHT_HELD):
        raise click.BadParameter(f"type {PUBLIC_DOMAIN}, or {COPYRIGHT_HELD}; nothing where it is not known")
    return plain


def find_editable_sources(folder: Path | None) -> Path:
    """Return the folder of sources to edit. Raise click.UsageError if there is none."""
    root = folder or find_sources()
    require_sources_folder(root)
    if folder is None and root.name == "_sources":
        raise click.UsageError("This copy is installed, not yours to write in: name your folder with --sources.")
    return root


def open_library(root: Path) -> Library:
    """Load a folder of sources. Raise click.ClickException if it cannot be read."""
    library, problems = load_library(root)
    if library is None:
        output.fail_with_problems(problems, UNREADABLE_SOURCES)
    return library


def open_library_without(siglum: str, folder: Path | None) -> Library:
    """Load the library in which a source is to begin. Raise click's exceptions if it cannot have this siglum."""
    root = find_editable_sources(folder)
    library = open_library(root)
    if fault := explain_unfit_siglum(siglum, library.sources):
        raise click.UsageError(f"{capitalise(fault)}.")
    if (root / siglum).exists():
        what = f"{root / siglum} is there already, and nothing in it is touched; take another siglum"
        raise click.ClickException(what)
    return library


def create_source(facts: Facts, folder: Path | None, quiet: bool) -> None:
    """Create the folder of a new source, all of it or nothing."""
    library = open_library_without(facts.siglum, folder)
    if fault := explain_unfit_siglum(facts.siglum, (), facts.language) or explain_unfit_facts(facts):
        raise click.UsageError(f"{capitalise(fault)}.")
    root = find_editable_sources(folder)
    place = root / facts.siglum
    schemas = (root / SCHEMAS_FOLDER).is_dir()
    files = render_source_files(facts, library.questions.values(), name_program(), schemas)
    write_folder(place, {name: words.encode() for name, words in files.items()})
    if not quiet:
        _report_new_source(place, facts, len(library.questions))


def _report_new_source(place: Path, facts: Facts, questions: int) -> None:
    words = "statements.yaml" if facts.in_copyright else "text.txt"
    click.echo(f"{place}: {format_count(questions, 'question')} to be read for, none yet")
    click.echo(f"  source.yaml    who, when, where: fill in what you know\n  {words:<14} the words of the source")
    click.echo("  clauses.yaml   what it says, question by question")
    listing = name_command(f"check --coverage {facts.siglum}")
    click.echo(f"  coverage.yaml  not begun: what becomes of each sentence, once answers are in ({listing})")
    check, import_text = name_command("check"), name_command("import-text")
    next_ = check if facts.in_copyright else f"paste the text into {words}, then: {import_text}"
    click.echo(f"Next: {next_}{'' if facts.in_copyright else f' {facts.siglum}'}")
