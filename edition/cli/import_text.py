"""A pasted transcription, or the TEI of others, becomes the sentences that clauses cite."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import siglum
from edition.cli.new_source import opened, sources
from edition.cli.options import FILE, QUIET, SOURCES
from edition.cli.output import plural
from rulebook.io.files import replaced
from rulebook.model import Source
from rulebook.problems import Problem
from rulebook.spelling import NO_TABLE
from rulebook.tei.document import parse, read_xml_letters
from rulebook.tei.import_plain import Paste, Pasted, as_tei
from rulebook.tei.import_tei import Taken, is_xml
from rulebook.tei.reader import read_text
from rulebook.text import Text

SHOWN = 40  #: doubtful letters that are told; the rest is counted


@click.command("import-text")
@click.argument("siglum", metavar="SIGLUM")
@click.argument("file", type=FILE, required=False)
@click.option("--anyway", is_flag=True, help="Also where sentences change that clauses cite; the old text is kept.")
@SOURCES
@QUIET
def import_text_command(siglum: str, file: Path | None, anyway: bool, folder: Path | None, quiet: bool) -> None:
    """Turn a transcription into the sentences that clauses cite.

    FILE is plain text with page marks, or a TEI file that others made; without it, text.txt in the folder of the
    source. Letters that look like slips of a reading machine are told. What was there before is kept beside.
    """
    sys.exit(take_over(siglum, file, folder, anyway, quiet))


def take_over(name: str, file: Path | None, folder: Path | None, anyway: bool, quiet: bool) -> int:
    """Turn a transcription into text.xml; 0 when it is there, 1 when the old one was left in place."""
    root = sources(folder)
    library = opened(root)
    source = library.sources[siglum(library, name)]
    place = root / source.siglum
    pasted, left_out = read(file or place / "text.txt")
    if not pasted.sentences:
        raise click.ClickException(f"{file or place / 'text.txt'} holds no words yet: paste the transcription into it")
    letters = written(pasted, source)
    text = checked(letters)
    lost = cited_and_changed(source, text)
    if lost and not anyway:
        refuse(source, lost)
        return 1
    kept = backup(place / "text.xml")
    replaced(place / "text.xml", letters)
    tell(place / "text.xml", pasted, left_out, kept, quiet)
    return 0


# ---- reading
def read(path: Path) -> tuple[Pasted, Mapping[str, int]]:
    """The transcription taken apart, and what of a TEI file was left out."""
    letters, problems = read_xml_letters(path, path.as_posix())
    if problems:
        output.tell(problems, stderr=True)
        raise click.ClickException("nothing was taken over")
    taken = Taken()
    if is_xml(letters):
        root, problems = parse(letters.lstrip("\ufeff"), path.as_posix())
        if root is None:
            output.tell(problems, stderr=True)
            raise click.ClickException("nothing was taken over")
        letters = taken.notation(root)
    return Paste(path.as_posix()).apart(letters), taken.left_out


def written(pasted: Pasted, source: Source) -> str:
    """The text as TEI, with the head that the record of the source gives it."""
    record = source.record
    coders = record.get("coders")
    passes = {one["id"]: one["role"] for one in coders} if isinstance(coders, list | tuple) else {}
    return as_tei(pasted, source.siglum, source.language, str(record["title"]), passes)


def checked(letters: str) -> Text:
    """The text as the edition reads it; a transcription that it cannot read is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.xml"
        path.write_text(letters, "utf-8", newline="\n")
        text, problems = read_text(path, NO_TABLE)
    if text is None or problems:
        output.tell([named(one) for one in problems], stderr=True)
        raise click.ClickException("nothing was taken over: mend the transcription")
    return text


def named(problem: Problem) -> Problem:
    """A problem under the name that the file is going to have."""
    return Problem("text.xml", problem.line, problem.column, problem.what, problem.way_out)


# ---- what rests on the old text
def cited_and_changed(source: Source, text: Text) -> list[str]:
    """The sentences that clauses or notes point to and whose words would no longer be the same."""
    if source.text is None:
        return []
    old = {id: one.diplomatic for id, one in source.text.sentences.items()}
    new = {id: one.diplomatic for id, one in text.sentences.items()}
    return [id for id in dict.fromkeys(pointed_to(source)) if id in old and old[id] != new.get(id)]


def pointed_to(source: Source) -> Iterable[str]:
    """Every sentence that something of the source rests on."""
    for clause in source.clauses:
        for cite in clause.cites:
            yield from (one for one in (cite.locus, cite.to) if one)
    yield from (note.on for note in source.notes)


def refuse(source: Source, lost: list[str]) -> None:
    """Say what would lose its ground."""
    some = ", ".join(lost[:8]) + (" ..." if len(lost) > 8 else "")
    output.say(f"{plural(len(lost), 'sentence')} of {source.siglum} that clauses or notes cite would change: {some}")
    output.say(
        "Nothing was changed. With --anyway it is done (the old text is kept beside), and `reversis check` tells"
    )
    output.say("which quotations no longer stand.")


def backup(path: Path) -> Path | None:
    """The old file under another name, which no older one has."""
    if not path.exists():
        return None
    kept = next(one for n in range(1, 10_000) if not (one := path.with_name(f"{path.name}.{n}.bak")).exists())
    return replaced(kept, path.read_bytes())


# ---- telling
def tell(path: Path, pasted: Pasted, left_out: Mapping[str, int], kept: Path | None, quiet: bool) -> None:
    """What was made, what was changed on the way, and what somebody ought to look at."""
    click.echo(f"{path}: {plural(pasted.sentences, 'sentence')} on {plural(len(pasted.pages) or 1, 'page')}")
    if kept:
        click.echo(f"  the text that was there before is kept in {kept.name}")
    if quiet:
        return
    for what, times in sorted(pasted.changed.items()):
        click.echo(f"  put in one form: {what} ({times})")
    if pasted.joined:
        click.echo(f"  joined again: {', '.join(pasted.joined)}")
    for what, times in sorted(left_out.items()):
        click.echo(f"  left out: {what} ({times})")
    output.tell(pasted.doubts[:SHOWN])
    if len(pasted.doubts) > SHOWN:
        click.echo(f"and {len(pasted.doubts) - SHOWN} doubtful letters more")
    click.echo("Next: reversis check; then read the sentences through, and begin with clauses.yaml")
