"""A version is released: its number and its day, in every file that names them, and a list of what it holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from edition.analysis.problems import find_all_problems
from edition.analysis.snapshot import take_snapshot
from edition.cli import output
from edition.cli.options import QUIET
from edition.corpus.corpus import Corpus
from edition.data.citation_cff import ARCHIVED, NAME, as_zenodo, read_release
from edition.data.releases import VERSION, Snapshot, snapshot_letters, snapshot_path
from rulebook.io.transactions import recover_folder, replace_files

HERE = Path(__file__).resolve().parents[2]
PROGRAM, NEWS = "rulebook/__init__.py", "CHANGELOG.md"
UNRELEASED = "## Unreleased\n"


@click.command("release")
@click.argument("version", metavar="VERSION")
@click.argument("day", metavar="DAY")
@QUIET
def release_command(version: str, day: str, quiet: bool) -> None:
    """Write a new version into every file that names it.

    VERSION is a number such as 0.2.0, DAY the day of the release, such as 2026-12-01. Everything is checked first. A
    list of all ids, answers and results is left in the sources: by it the next edition tells what has changed. For
    those who keep the edition; it works in a clone only.
    """
    sys.exit(release(version, day, quiet))


def release(version: str, day: str, quiet: bool, home: Path = HERE) -> int:
    """Write it down; 0 when all is written, 1 when something is wrong and nothing was."""
    refuse(version, day, home)
    recover_folder(home)
    corpus, problems = find_all_problems()
    if problems or corpus is None:
        output.tell(problems)
        output.say("Nothing was released.")
        return 1
    refuse_older(version, corpus)
    files = {
        **told(version, day, home),
        **holding(take_snapshot(corpus, version, day), Path(corpus.library.root), home),
    }
    replace_files(home, {name: words.encode() for name, words in files.items()})
    if not quiet:
        tell(version)
    return 0


def refuse(version: str, day: str, home: Path) -> None:
    """A number and a day that are none, or a place that is nobody's to change."""
    if not VERSION.fullmatch(version):
        raise click.UsageError(f"{version} is no version: write it like 0.2.0.")
    try:
        date.fromisoformat(day)
    except ValueError:
        raise click.UsageError(f"{day} is no day: write it like 2026-12-01.") from None
    if missing := [name for name in (NAME, PROGRAM, NEWS) if not (home / name).is_file()]:
        raise click.UsageError(f"A version is released from a clone; here is no {missing[0]}.")


def refuse_older(version: str, corpus: Corpus) -> None:
    """Versions go up; the same one may be written once more."""
    last = corpus.releases[-1] if corpus.releases else None
    if last and Snapshot(version, "", "").order < last.order:
        raise click.UsageError(f"{last.version} has been released already, and {version} is older.")


def told(version: str, day: str, home: Path) -> Mapping[str, str]:
    """The files that name the version, with the new one."""
    names = {name: (home / name).read_text(encoding="utf-8") for name in (NAME, PROGRAM, NEWS)}
    cited = re.sub(r"^date-released:.*\n", "", names[NAME], flags=re.MULTILINE)
    cited = re.sub(r"^version:.*$", f"version: {version}\ndate-released: {day}", cited, flags=re.MULTILINE)
    program = re.sub(r'^__version__ = ".*"$', f'__version__ = "{version}"', names[PROGRAM], flags=re.MULTILINE)
    headed = f"## {version}, {day}\n"
    news = names[NEWS] if headed in names[NEWS] else names[NEWS].replace(UNRELEASED, f"{UNRELEASED}\n{headed}", 1)
    archived = as_zenodo(replace(read_release(home / NAME), version=version, date=day))
    return {NAME: cited, PROGRAM: program, NEWS: news, ARCHIVED: archived}


def holding(one: Snapshot, root: Path, home: Path) -> Mapping[str, str]:
    """The file that says what the release holds."""
    return {(root / snapshot_path(one.version)).relative_to(home).as_posix(): snapshot_letters(one)}


def tell(version: str) -> None:
    """What is written, and what comes next."""
    click.echo(f"{version} stands in {NAME}, {ARCHIVED}, {PROGRAM} and {NEWS}; what it holds, in {version}.json")
    click.echo("Next: repeat the proofs, as CONTRIBUTING.md tells; run .ci/run; commit all of it")
    click.echo(f"      git tag v{version}, and push the tag: the workflow of pages builds the edition of it")
