"""Release a version: write its number and day into every file that names them, and a snapshot."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from edition.cli import output
from edition.cli.options import QUIET_OPTION
from edition.corpus.citation_cff import ZENODO_FILE, format_zenodo, read_release
from edition.corpus.problems import find_all_problems
from edition.corpus.releases import VERSION, Snapshot, snapshot_letters, snapshot_path
from edition.corpus.snapshot import take_snapshot
from rulebook.io.transactions import recover_folder, replace_files
from rulebook.library_settings import CITATION_FILE, read_settings
from rulebook.phrases import join_names
from rulebook.program_name import name_command
from rulebook.sources.paths import find_own_sources, find_sources

_REPOSITORY = Path(__file__).resolve().parents[2]
_PROGRAM_FILE, _CHANGELOG_FILE = "rulebook/__init__.py", "CHANGELOG.md"
_UNRELEASED_HEADING = "## Unreleased\n"
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"]+")


@click.command("release")
@click.argument("version", metavar="VERSION")
@click.argument("day", metavar="DAY")
@click.option("--doi", metavar="DOI", default="", help="DOI assigned by an archive: 10.5281/zenodo.1234567.")
@QUIET_OPTION
def release_command(version: str, day: str, doi: str, quiet: bool) -> None:
    """Write a new version number into every file that names it.

    VERSION is a number such as 0.2.0, DAY the day of the release, such as 2026-12-01. Everything is checked first. A
    list of all ids, answers and results is saved with the sources, so that the next release can show what has changed.

    A library of your own is released with its citation file (`citation` in library.yaml); the program's own edition
    only in a clone.
    """
    sys.exit(write_release(version, day, quiet, doi=doi))


def write_release(version: str, day: str, quiet: bool, home: Path = _REPOSITORY, doi: str = "") -> int:
    """Write a release; return 0, or 1 when something is wrong and nothing was written."""
    own = find_own_home(find_sources().resolve(), home)
    home = own or home
    validate_release_request(version, day, doi, home, _OWN_FILES if own else _PROGRAM_FILES)
    recover_folder(home)
    corpus, problems = find_all_problems()
    if problems or corpus is None:
        output.print_problems(problems)
        output.print_remark("Nothing was released.")
        return 1
    last = corpus.releases[-1] if corpus.releases else None
    if last and Snapshot(version, "", "").order < last.order:
        raise click.UsageError(f"{last.version} has been released already, and {version} is older.")
    root, snapshot = Path(corpus.library.root), snapshot_letters(take_snapshot(corpus, version, day))
    files = {
        **_render_version_files(version, day, doi, home),
        (root / snapshot_path(version)).relative_to(home).as_posix(): snapshot,
    }
    replace_files(home, {name: words.encode() for name, words in files.items()})
    if not quiet:
        _report_release(version, [*files])
    return 0


_PROGRAM_FILES = (CITATION_FILE, _PROGRAM_FILE, _CHANGELOG_FILE)  #: without which the edition of the program has none
_OWN_FILES = (CITATION_FILE,)  #: without which another library has none


def find_own_home(root: Path, home: Path) -> Path | None:
    """Return the folder of a library's own release, None for the edition of the program.

    A library that lies elsewhere in the clone, as an example does, has a version of its own. Raises click.UsageError
    where a library does not say how it is cited.
    """
    if root == find_own_sources().resolve():
        return None
    cited = read_settings(root)[0].citation
    folder = next((folder for folder in (root, root.parent) if cited and (folder / cited).is_file()), None)
    if folder is None or cited != CITATION_FILE:
        program = name_command("").strip()
        raise click.UsageError(
            f"{root} lies outside the clone that is released ({home}), or is another library in it, and its "
            f"library.yaml names no file by which it is cited (`citation: {CITATION_FILE}`, as `rulebook init` writes "
            f"it). Write one, or run the `{program}` of the clone in which these sources lie."
        )
    return folder


def validate_release_request(version: str, day: str, doi: str, home: Path, needed: Sequence[str]) -> None:
    """Raise click.UsageError for an invalid version, day, DOI or place."""
    if doi and not _DOI.fullmatch(doi):
        raise click.UsageError(f"{doi} is no DOI: write it like 10.5281/zenodo.1234567, without the address.")
    if not VERSION.fullmatch(version):
        raise click.UsageError(f"{version} is no version: write it like 0.2.0.")
    try:
        date.fromisoformat(day)
    except ValueError:
        raise click.UsageError(f"{day} is no day: write it like 2026-12-01.") from None
    if missing := [name for name in needed if not (home / name).is_file()]:
        raise click.UsageError(f"A version is released from a clone; here is no {missing[0]}.")


def _render_version_files(version: str, day: str, doi: str, home: Path) -> Mapping[str, str]:
    """Render every file of a folder that names the version, with the new one."""
    named = {name: (home / name).read_text(encoding="utf-8") for name in _PROGRAM_FILES if (home / name).is_file()}
    cited = re.sub(r"^(?:date-released|doi):.*\n", "", named[CITATION_FILE], flags=re.MULTILINE)
    dated = f"version: {version}\ndate-released: {day}" + (f"\ndoi: {doi}" if doi else "")
    new = {CITATION_FILE: re.sub(r"^version:.*$", dated, cited, flags=re.MULTILINE)}
    if _PROGRAM_FILE in named:
        program = f'__version__ = "{version}"'
        new[_PROGRAM_FILE] = re.sub(r'^__version__ = ".*"$', program, named[_PROGRAM_FILE], flags=re.MULTILINE)
    if (news := named.get(_CHANGELOG_FILE)) is not None:
        headed = f"## {version}, {day}\n"
        added = news if headed in news else news.replace(_UNRELEASED_HEADING, f"{_UNRELEASED_HEADING}\n{headed}", 1)
        new[_CHANGELOG_FILE] = added
    release = replace(read_release(home / CITATION_FILE), version=version, date=day, doi=doi)
    return {**new, ZENODO_FILE: format_zenodo(release)}


def _report_release(version: str, files: Sequence[str]) -> None:
    *named, listed = files
    click.echo(f"{version} stands in {join_names(sorted(named))}; what it holds, in {Path(listed).name}")
    if _PROGRAM_FILE in files:
        click.echo("Next: repeat the proofs, as CONTRIBUTING.md tells; run .ci/run; commit all of it")
    else:
        click.echo("Next: commit all of it")
    click.echo(f"      git tag v{version}, and push the tag: the workflow of pages builds the edition of it")
