"""The edition in a form that the tools of others read: a folder of files, put in its place only when all are there."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from edition.citation.urls import BadAddress, base_of
from edition.cli import output
from edition.cli.arguments import nearest
from edition.cli.options import QUIET, SOURCES
from edition.cli.output import plural
from edition.corpus.corpus import Corpus, build_corpus
from edition.data.deals import list_deals
from edition.export import bibtex as references
from edition.export.downloads import RIGHTS, rights_text, terms_of_made
from edition.export.file import Made
from edition.export.formats import FORMS
from edition.export.parquet import EXTRA, there
from rulebook.io.transactions import UNFINISHED, recover_folder, replace_files, write_folder
from rulebook.load import quick_load

ALL = "all"
NAMES = (*FORMS, ALL)
SHOWN = 6  #: files that are named; the rest is counted

Files = Mapping[str, bytes]


@click.command("export")
@click.argument("form", metavar="json|csv|cldf|tei|annotations|bibtex|parquet|all")
@click.argument("place", required=False, type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]")
@click.option(
    "-o",
    "--output",
    "into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where to put the files; build/export/FORM if not given. With `all` each form has a folder of its own in it.",
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    envvar="REVERSIS_BASE_URL",
    show_envvar=True,
    help="The address at which the edition stands on the net: references in BibTeX give it in full.",
)
@click.option("--overwrite", "anyway", is_flag=True, help="Replace files of these names that say something else.")
@SOURCES
@QUIET
def export_command(
    form: str,
    place: Path | None,
    into: Path | None,
    base_url: str,
    anyway: bool,
    folder: Path | None,
    quiet: bool,
) -> None:
    """Write the edition in a form that other tools read.

    \b
    json         sources, questions and matrix, for any program
    csv          tables, described for CSV on the Web
    cldf         a StructureDataset for pycldf: sources as languages, questions as parameters
    tei          each source as TEI, its coding beside the text in standOff
    annotations  each citation as a Web Annotation (JSON-LD) on the TEI files
    bibtex       references to all that can be cited, and the literature
    parquet      the tables for Arrow; needs pip install "reversis[parquet]"

    Beside the files lies what may be done with each (RIGHTS.txt). The same sources give the same bytes. Files that are
    there and say something else are not touched, unless you give --overwrite (else exit code 1).
    """
    if place and into:
        raise click.UsageError("The folder is named twice: give it after the form, or with -o.")
    sys.exit(export(form, into or place, folder, base_url, anyway, quiet))


def export(name: str, folder: Path | None, sources: Path | None, base: str, anyway: bool, quiet: bool) -> int:
    """Write a form, or all of them, into a folder; 0 when it is there, 1 when nothing was written."""
    wanted = chosen(name)
    several = len(wanted) > 1
    folder = (folder or Path("build", "export", *(() if several else wanted))).absolute()
    corpus = read_corpus(sources)
    files = within(wanted, corpus, address(base), apart=several)
    settle(folder)
    changed = [path for path in standing(folder, files) if (folder / path).read_bytes() != files[path]]
    if changed and not anyway:
        raise click.ClickException(
            f"{folder} holds other files of these names, and nothing was written: {some(changed)}. "
            "Name another folder, or give --overwrite."
        )
    put(folder, files)
    if not quiet:
        tell(folder, wanted, files, changed)
    return 0


def chosen(name: str) -> tuple[str, ...]:
    """The forms that are asked for; with help for who has mistyped."""
    wanted = name.strip().casefold()
    if wanted not in NAMES:
        hint = nearest(wanted, NAMES) or f"There are: {', '.join(NAMES)}."
        raise click.UsageError(f"No form {name!r}. {hint}")
    if wanted == "parquet" and not there():
        raise click.ClickException(f'Parquet files are written by Arrow: pip install "reversis[{EXTRA}]"')
    return tuple(one for one in FORMS if wanted in (one, ALL) and (one != "parquet" or there()))


def address(base: str) -> str:
    """The base address, if there is one."""
    try:
        return base_of(base)
    except BadAddress as fault:
        raise click.UsageError(str(fault)) from None


def read_corpus(root: Path | None) -> Corpus:
    """The library with its worked deals; what is not in order is not handed on."""
    library, problems = quick_load(root)
    if library is None or problems:
        output.tell(problems, stderr=True)
        raise click.ClickException("nothing was written: mend the problems above")
    return build_corpus(library, deals=list_deals(library))


# ---- the files
def within(wanted: Iterable[str], corpus: Corpus, base: str, apart: bool) -> Files:
    """Every file by its path, with the terms of each beside; several forms have a folder each."""
    found: dict[str, bytes] = {}
    for name in wanted:
        files = [*(references.made(corpus, base) if name == "bibtex" else FORMS[name].write(corpus))]
        folder = f"{name}/" if apart else ""
        found |= {f"{folder}{one.path}": one.letters for one in files}
        found[f"{folder}{RIGHTS}"] = terms(files, corpus)
    return found


def terms(files: Iterable[Made], corpus: Corpus) -> bytes:
    """What may be done with each file."""
    sources = corpus.library.sources
    rows = [(one.path, one.letters, one.says, terms_of_made(one, sources), "") for one in files]
    return rights_text(rows, corpus.release).encode()


def standing(folder: Path, files: Files) -> list[str]:
    """The files that stand there already."""
    return [path for path in files if (folder / path).is_file()]


def some(paths: list[str]) -> str:
    """The first few by name."""
    rest = len(paths) - SHOWN
    return ", ".join(paths[:SHOWN]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")


# ---- writing
def put(folder: Path, files: Files) -> None:
    """Put all files in their places, or none."""
    try:
        (replace_files if folder.is_dir() else write_folder)(folder, files)
    except OSError as fault:
        raise unwritten(folder, fault) from None


def settle(folder: Path) -> None:
    """Finish what an export left that was killed here."""
    try:
        recover_folder(folder)
    except OSError as fault:
        raise unwritten(folder, fault) from None


def unwritten(folder: Path, fault: OSError) -> click.ClickException:
    """Say why nothing was written, and in what state the folder is."""
    half = (folder / UNFINISHED).exists()
    state = f"run the export again, which finishes what {UNFINISHED} in it holds" if half else AS_IT_WAS
    return click.ClickException(f"{folder}: {fault.strerror}; {state}")


AS_IT_WAS = "what was there before is as it was"


# ---- telling
def tell(folder: Path, wanted: Iterable[str], files: Files, changed: list[str]) -> None:
    """What is there now, what it replaced, what was there besides, and what reads it."""
    click.echo(f"{folder}: {plural(len(files), 'file')}, {sum(map(len, files.values())) / 1000:.0f} kB")
    if changed:
        click.echo(f"  replaced: {some(changed)}")
    others = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    if left := [path for path in others if path not in files]:
        click.echo(f"  left as it was, being no part of this: {some(left)}")
    for name in wanted:
        click.echo(f"  {name}: {FORMS[name].reads}")
    if "parquet" not in wanted and len([*wanted]) > 1:
        click.echo(f'  no Parquet: that needs pip install "reversis[{EXTRA}]"')
