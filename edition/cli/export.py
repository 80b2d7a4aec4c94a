"""Export the edition for other tools: a folder of files, all of them or none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from inspect import cleandoc
from pathlib import Path

import click

from edition.citation.urls import BadAddress, base_of
from edition.cli import output
from edition.cli.arguments import hint_nearest_name
from edition.cli.options import OUTPUT_NAMES, QUIET_OPTION, SOURCES_OPTION, find_default_output, make_base_url_option
from edition.corpus.corpus import Corpus, build_corpus
from edition.corpus.releases import read_snapshots
from edition.export import bibtex as references
from edition.export.downloads import RIGHTS_FILE, format_rights_text, terms_of_made
from edition.export.file import ExportFile
from edition.export.formats import ExportFormat, list_export_formats, make_folder_readme
from edition.export.parquet import PARQUET_EXTRA, is_arrow_installed
from edition.export.readme import README_FILE
from edition.game import UnreadExtras, read_game
from rulebook.installing import format_install_command
from rulebook.io.transactions import REFUSED_PATHS, UNFINISHED_NAME, recover_folder, replace_files, write_folder
from rulebook.load import quick_load
from rulebook.phrases import format_count
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_works
from rulebook.sources.paths import find_sources
from rulebook.strings import quote_value

_ALL_FORMATS = "all"
_ONE_AT_A_TIME = "One form at a time, or `all`."
#: Names of programs and file types that are typed for a form.
_FORMATS_BY_PROGRAM: Mapping[str, str] = {
    **dict.fromkeys(("excel", "xlsx", "tsv", "csvw", "tables"), "csv"),
    **dict.fromkeys(("jupyter", "ipynb"), "notebook"),
    **dict.fromkeys(("pycldf", "cldfbench"), "cldf"),
    **dict.fromkeys(("arrow", "pandas", "polars", "duckdb"), "parquet"),
    **{"xml": "tei", "bib": "bibtex", "jsonld": "annotations", "json-ld": "annotations"},
    **dict.fromkeys(("dot", "gv", "graphviz"), "stemma"),
}
_MAX_LISTED_FILES = 6  #: files that are named; the rest is counted

_FilesByPath = Mapping[str, bytes]


def _complete_format(context: click.Context, argument: click.Parameter, typed: str) -> list[str]:
    return [name for name in (*list_library_formats(), _ALL_FORMATS) if name.startswith(typed)]


def list_library_formats(folder: Path | None = None) -> Mapping[str, ExportFormat]:
    """Return the formats of a library, those of its game among them."""
    return list_export_formats(read_game(folder or find_sources())[0])


class ExportCommand(click.Command):
    """Command whose help lists the forms that the library has."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, with the forms in the place that is left for them."""
        titles = {name: form.title for name, form in list_library_formats().items()}
        titles[_ALL_FORMATS] = "all of these, each in a folder of its own"
        rows = (f"{name:<{max(map(len, titles)) + 1}} {title}" for name, title in titles.items())
        filled = copy(self)
        filled.help = cleandoc(self.help or "").replace(_FORMS_BLANK, "\n".join(rows))
        super(ExportCommand, filled).format_help_text(ctx, formatter)


_FORMS_BLANK = "FORMS"  #: stands in the help where they are listed


@click.command("export", cls=ExportCommand)
@click.argument("form", required=False, default="", metavar="FORM", shell_complete=_complete_format)
@click.argument("place", required=False, type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]")
@click.option(
    *OUTPUT_NAMES,
    "into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Output folder; default build/export/FORM. With `all`, each format has its own folder in it.",
)
@make_base_url_option("The address at which the edition stands on the net: references in BibTeX give it in full.")
@click.option("--overwrite", "anyway", is_flag=True, help="Replace existing files that differ.")
@SOURCES_OPTION
@QUIET_OPTION
def export_command(
    form: str, place: Path | None, into: Path | None, base_url: str, anyway: bool, folder: Path | None, quiet: bool
) -> None:
    """Export the edition in a format that other tools read.

    FORM is one of:

    \b
    FORMS

    In each folder README.txt has the lines that open it in Python and R, and RIGHTS.txt says what may be done with each
    file. The same sources give the same bytes. Files that are there and say something else are not touched, unless you
    give --overwrite (else exit code 1).
    """
    if place and into:
        raise click.UsageError("The folder is named twice: give it after the form, or with -o.")
    formats = list_library_formats(folder)
    if place and str(place) in {*formats, _ALL_FORMATS} - {form} and not place.exists():
        raise click.UsageError(f"{_ONE_AT_A_TIME} For a folder of that name: -o {place}")
    wanted = select_export_formats(form, formats)
    several = len(wanted) > 1
    target = (into or place or find_default_output("export", *(() if several else wanted))).absolute()
    corpus = read_corpus(folder)
    files = build_export_files(wanted, corpus, parse_base_url(base_url), apart=several)
    recover_export(target)
    there = [path for path in files if (target / path).is_file()]
    changed = [path for path in there if (target / path).read_bytes() != files[path]]
    if changed and not anyway:
        raise click.ClickException(
            f"{target} holds other files of these names, and nothing was written: {_format_paths(changed)}. "
            "Name another folder, or give --overwrite."
        )
    place_export_files(target, files)
    if not quiet:
        written = [name for name in wanted if not several or f"{name}/{RIGHTS_FILE}" in files]
        _report_export(target, {name: formats[name] for name in written}, files, changed)


def select_export_formats(name: str, formats: Iterable[str]) -> tuple[str, ...]:
    """Return the formats asked for. Raise click.UsageError, or click.ClickException without Arrow."""
    wanted, names = name.strip().casefold(), (*formats, _ALL_FORMATS)
    if wanted not in names:
        hint = _hint_format(wanted, names)
        raise click.UsageError(f"No form {quote_value(name)}. {hint}" if wanted else f"Which form? {hint}")
    if wanted == "parquet" and not is_arrow_installed():
        raise click.ClickException(f"Parquet files are written by Arrow: {format_install_command(PARQUET_EXTRA)}")
    return tuple(
        form for form in formats if wanted in (form, _ALL_FORMATS) and (form != "parquet" or is_arrow_installed())
    )


def _hint_format(wanted: str, names: Sequence[str]) -> str:
    there_are = f"There are: {', '.join(names)}."
    if "," in wanted:
        return f"{_ONE_AT_A_TIME} {there_are}"
    if wanted in _FORMATS_BY_PROGRAM:
        return f"Did you mean {_FORMATS_BY_PROGRAM[wanted]}?"
    return (hint_nearest_name(wanted, names) if wanted else "") or there_are


def parse_base_url(base: str) -> str:
    """Return the base address, if any. Raise click.UsageError for an invalid one."""
    try:
        return base_of(base)
    except BadAddress as fault:
        raise click.UsageError(str(fault)) from None


def read_corpus(root: Path | None) -> Corpus:
    """Read the library with what else the exports name. Raise click.ClickException for problems."""
    library, problems = quick_load(root)
    if library is None or problems:
        output.fail_with_problems(problems, "nothing was written: correct the problems above")
    works, misprints = read_works(Path(library.root) / BIBLIOGRAPHY_FILE)
    releases, faults = read_snapshots(Path(library.root))
    if misprints or faults:
        output.fail_with_problems([*misprints, *faults], "nothing was written: correct the problems above")
    game = read_game(Path(library.root))[0]
    return build_corpus(library, game=game, extras=UnreadExtras(game, library), works=works, releases=releases)


# ---- the files
def build_export_files(wanted: Iterable[str], corpus: Corpus, base: str, apart: bool) -> _FilesByPath:
    """Return every file by its path, with the rights; several formats have a folder each."""
    files_by_path: dict[str, bytes] = {}
    formats = list_export_formats(corpus.game)
    for name in wanted:
        names = (*formats[name].beside, name)
        files = [file for each in names for file in _list_format_files(each, corpus, base)]
        if not files and apart:
            continue
        if not files:
            raise click.ClickException(f"This library has nothing for {name} ({formats[name].title}).")
        files.append(make_folder_readme(names, files, corpus))
        folder = f"{name}/" if apart else ""
        files_by_path |= {f"{folder}{file.path}": file.letters for file in files}
        sources = corpus.library.sources
        rows = [(file.path, file.letters, file.says, terms_of_made(file, sources), "") for file in files]
        files_by_path[f"{folder}{RIGHTS_FILE}"] = format_rights_text(rows, corpus.release).encode()
    return files_by_path


def _list_format_files(name: str, corpus: Corpus, base: str) -> Iterable[ExportFile]:
    return (
        references.make_bibtex_files(corpus, base)
        if name == "bibtex"
        else list_export_formats(corpus.game)[name].write(corpus)
    )


def _format_paths(paths: list[str]) -> str:
    """Format the first few paths; the rest is counted."""
    rest = len(paths) - _MAX_LISTED_FILES
    return ", ".join(paths[:_MAX_LISTED_FILES]) + (f" and {format_count(rest, 'other')}" if rest > 0 else "")


# ---- writing
def place_export_files(folder: Path, files: _FilesByPath) -> None:
    """Write all files to their places, or none."""
    try:
        (replace_files if folder.is_dir() else write_folder)(folder, files)
    except OSError as fault:
        raise _make_write_error(folder, fault) from None


def recover_export(folder: Path) -> None:
    """Complete an export into this folder that was killed."""
    try:
        recover_folder(folder)
    except OSError as fault:
        raise _make_write_error(folder, fault) from None


def _make_write_error(folder: Path, fault: OSError) -> click.ClickException:
    if fault.errno in REFUSED_PATHS:
        return click.ClickException(f"{fault.filename} {fault.strerror}; {_FOLDER_UNCHANGED}")
    half = (folder / UNFINISHED_NAME).exists()
    state = f"run the export again, which finishes what {UNFINISHED_NAME} in it holds" if half else _FOLDER_UNCHANGED
    in_the_way = next((path for path in (folder, *folder.parents) if path.is_file()), None)
    what = f"{in_the_way} is a file, where a folder is needed" if in_the_way else f"{folder}: {fault.strerror}"
    return click.ClickException(f"{what}; {state}")


_FOLDER_UNCHANGED = "what was there before is as it was"


# ---- telling
def _report_export(folder: Path, wanted: Mapping[str, ExportFormat], files: _FilesByPath, changed: list[str]) -> None:
    click.echo(f"{folder}: {format_count(len(files), 'file')}, {sum(map(len, files.values())) / 1000:.0f} kB")
    if changed:
        click.echo(f"  replaced: {_format_paths(changed)}")
    others = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    if left := [path for path in others if path not in files]:
        click.echo(f"  left as it was, being no part of this: {_format_paths(left)}")
    for line in _describe_formats(wanted):
        click.echo(line)
    if "parquet" not in wanted and len(wanted) > 1:
        click.echo(f"  no Parquet: that needs {format_install_command(PARQUET_EXTRA)}")


def _describe_formats(formats: Mapping[str, ExportFormat]) -> list[str]:
    """Describe one format in full, several in a line each."""
    if len(formats) > 1:
        rows = [f"  {name:<{max(map(len, formats))}}  {form.title}" for name, form in formats.items()]
        return [*rows, f"  {README_FILE} in each folder has the lines that open it in Python and R."]
    width = output.make_console().width
    (form,) = formats.values()
    words = f"{form.reads} {README_FILE} has the lines that open it."
    return textwrap.wrap(words, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
