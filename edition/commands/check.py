"""Reading everything, and telling all that is wrong at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import click

from edition.commands import output
from edition.commands.output import plural
from edition.ledgers import Settlement, expectation
from edition.worked import Record, read_file, worked
from engine.deals import Deal
from engine.settle import settle
from rulebook.load import find_sources, load
from rulebook.model import Library, Problem
from rulebook.resolve import resolve

CLAUSE = re.compile(r"[A-Z]{2,6}\.c\d+")


@dataclass(frozen=True, slots=True)
class Place:
    """What is to be checked: a folder of sources, or a part of it, or a single deal record outside."""

    root: Path | None
    only: str = ""  #: problems are told of files that begin so
    deal: Path | None = None


def check(words: Sequence[str], confirm: bool, quiet: bool) -> int:
    """Check everything, after writing fingerprints if that was asked for; 0 if all is well, 1 if not."""
    ids = [word for word in words if CLAUSE.fullmatch(word)]
    rest = [word for word in words if word not in ids]
    if len(rest) > 1:
        raise click.UsageError(f"One path at a time: {' '.join(rest)}.")
    if ids and not confirm:
        raise click.UsageError(f"To confirm that {ids[0]} still holds: reversis check --confirm {ids[0]}")
    place = found(rest[0]) if rest else Place(None)
    if place.deal:
        return one_record(place.deal, quiet)
    unwritten = confirmed(place, ids, quiet) if confirm else []
    return everything(place, unwritten, quiet)


# ---- what is to be checked
def found(name: str) -> Place:
    """The folder, or the file, that a path means."""
    path = Path(name)
    if not path.exists():
        raise click.UsageError(f"No file or folder {name!r}. Without a path the sources of the edition are checked.")
    full = path.resolve()
    inside = next(
        (folder for folder in (full / "sources", full, *full.parents) if (folder / "questions").is_dir()), None
    )
    if inside is None:
        return lone(path)
    rest = full.relative_to(inside).as_posix() if full.is_relative_to(inside) else "."
    return Place(inside, inside.name + "/" + ("" if rest == "." else rest))


def lone(path: Path) -> Place:
    """A file that lies in no folder of sources is taken for a deal record."""
    if path.is_dir():
        raise click.UsageError(f"{path} holds no sources: there is no folder `questions` in it.")
    return Place(None, deal=path)


def one_record(path: Path, quiet: bool) -> int:
    """A deal record of the reader's own."""
    record = read_file(path)
    output.tell(record.problems)
    if not record.problems and not quiet:
        click.echo(f"{record.file}: the record is in order; `reversis run {record.file}` settles it")
    return int(bool(record.problems))


# ---- fingerprints
def confirmed(place: Place, ids: Sequence[str], quiet: bool) -> list[Problem]:
    """Write missing fingerprints, and those of the clauses named; what could not be written."""
    from rulebook.stamp import stamp

    touched, problems = stamp(place.root, ids)
    if not quiet:
        click.echo(
            f"{plural(len(touched), 'clause')} confirmed" + (f": {' '.join(touched)}" if touched and ids else "")
        )
    return problems


# ---- everything
def everything(place: Place, unwritten: Iterable[Problem], quiet: bool) -> int:
    """The sources and the worked deals."""
    library, problems = all_problems(place.root)
    all_ = {*problems, *unwritten}
    told = sorted(p for p in all_ if p.file.startswith(place.only))
    output.tell(told)
    if not quiet:
        click.echo(closing(told, len(all_) - len(told), library))
    return int(bool(told))


def all_problems(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
    """Everything that is wrong with the sources, the worked deals, and what these expect."""
    read, problems = load(root)
    if read is None:
        return None, problems
    library = replace(read, root=str(root or find_sources()))
    records = list(worked(library))
    found = {*problems, *chain.from_iterable(r.problems for r in records)}
    return library, sorted(found or set(unexpected(library, records)))


def closing(told: Sequence[Problem], elsewhere: int, library: Library | None) -> str:
    """How many problems; or, if there are none, how much was read."""
    rest = f" ({plural(elsewhere, 'problem')} elsewhere)" if elsewhere else ""
    if told:
        return f"{plural(len(told), 'problem')} in {plural(len({p.file for p in told}), 'file')}{rest}"
    if library is None or rest:
        return f"nothing wrong here{rest}"
    parts = (
        plural(len(library.sources), "source"),
        plural(len(library.questions), "question"),
        plural(sum(1 for _ in library.clauses()), "clause"),
        plural(len(library.deals), "worked deal"),
    )
    return f"everything holds: {', '.join(parts)}"


def unexpected(library: Library, records: Iterable[Record]) -> Iterator[Problem]:
    """A source's own clauses must bring out what a worked deal expects of it."""
    rulesets = {siglum: resolve(library, siglum) for siglum in library.sources}
    for record in records:
        if record.deal is not None and not record.problems:
            settled = [settle(record.deal, rulesets[s]) for s in record.deal.expect if s in rulesets]
            yield from chain.from_iterable(missed(record, record.deal, s) for s in settled)


def missed(record: Record, deal: Deal, settlement: Settlement) -> Iterator[Problem]:
    """The figures that do not come out."""
    expected = expectation(settlement)
    siglum = settlement.ruleset.source
    for figure in expected.missed if expected else ():
        place = record.find(("expect", siglum, *figure.what.split()))
        what = f"{deal.id} under {siglum}: {figure.what} is {figure.found}, not {figure.expected}"
        yield place.problem(what, f"`reversis run {deal.id} --source {siglum}` shows how it comes about")
