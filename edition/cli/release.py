"""Release a version: write its number and day into every file that names them, and a snapshot."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from edition.cli import output
from edition.cli.options import QUIET_OPTION
from edition.corpus.citation_cff import CITATION_FILE, ZENODO_FILE, format_zenodo, read_release
from edition.corpus.problems import find_all_problems
from edition.corpus.releases import VERSION, Snapshot, snapshot_letters, snapshot_path
from edition.corpus.snapshot import take_snapshot
from rulebook.io.transactions import recover_folder, replace_files
from rulebook.sources.paths import find_sources

_REPOSITORY = Path(__file__).resolve().parents[2]
_PROGRAM_FILE, _CHANGELOG_FILE = "rulebook/__init__.py", "CHANGELOG.md"
_UNRELEASED_HEADING = "## Unreleased\n"


@click.command("release")
@click.argument("version", metavar="VERSION")
@click.argument("day", metavar="DAY")
@QUIET_OPTION
def release_command(version: str, day: str, quiet: bool) -> None:
    """Write a new version into every file that names it.

    VERSION is a number such as 0.2.0, DAY the day of the release, such as 2026-12-01. Everything is checked first. A
    list of all ids, answers and results is left in the sources: by it the next edition tells what has changed. For
    those who keep the edition; it works in a clone only.
    """
    sys.exit(write_release(version, day, quiet))


def write_release(version: str, day: str, quiet: bool, home: Path = _REPOSITORY) -> int:
    """Write a release; return 0, or 1 when something is wrong and nothing was written."""
    validate_release_request(version, day, home)
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
        **_render_version_files(version, day, home),
        (root / snapshot_path(version)).relative_to(home).as_posix(): snapshot,
    }
    replace_files(home, {name: words.encode() for name, words in files.items()})
    if not quiet:
        _report_release(version)
    return 0


def validate_release_request(version: str, day: str, home: Path) -> None:
    """Raise click.UsageError for an invalid version, day or place."""
    if not VERSION.fullmatch(version):
        raise click.UsageError(f"{version} is no version: write it like 0.2.0.")
    try:
        date.fromisoformat(day)
    except ValueError:
        raise click.UsageError(f"{day} is no day: write it like 2026-12-01.") from None
    if missing := [name for name in (CITATION_FILE, _PROGRAM_FILE, _CHANGELOG_FILE) if not (home / name).is_file()]:
        raise click.UsageError(f"A version is released from a clone; here is no {missing[0]}.")
    if not find_sources().resolve().is_relative_to(home.resolve()):
        program = output.name_command("").strip()
        raise click.UsageError(
            f"{find_sources()} lies outside the clone that is released ({home}). Leave --sources out, or run the "
            f"`{program}` of the clone in which these sources lie."
        )


def _render_version_files(version: str, day: str, home: Path) -> Mapping[str, str]:
    names = {
        name: (home / name).read_text(encoding="utf-8") for name in (CITATION_FILE, _PROGRAM_FILE, _CHANGELOG_FILE)
    }
    cited = re.sub(r"^date-released:.*\n", "", names[CITATION_FILE], flags=re.MULTILINE)
    cited = re.sub(r"^version:.*$", f"version: {version}\ndate-released: {day}", cited, flags=re.MULTILINE)
    program = re.sub(r'^__version__ = ".*"$', f'__version__ = "{version}"', names[_PROGRAM_FILE], flags=re.MULTILINE)
    headed = f"## {version}, {day}\n"
    news = (
        names[_CHANGELOG_FILE]
        if headed in names[_CHANGELOG_FILE]
        else names[_CHANGELOG_FILE].replace(_UNRELEASED_HEADING, f"{_UNRELEASED_HEADING}\n{headed}", 1)
    )
    archived = format_zenodo(replace(read_release(home / CITATION_FILE), version=version, date=day))
    return {CITATION_FILE: cited, _PROGRAM_FILE: program, _CHANGELOG_FILE: news, ZENODO_FILE: archived}


def _report_release(version: str) -> None:
    click.echo(
        f"{version} stands in {CITATION_FILE}, {ZENODO_FILE}, {_PROGRAM_FILE} and {_CHANGELOG_FILE}; "
        f"what it holds, in {version}.json"
    )
    click.echo("Next: repeat the proofs, as CONTRIBUTING.md tells; run .ci/run; commit all of it")
    click.echo(f"      git tag v{version}, and push the tag: the workflow of pages builds the edition of it")
