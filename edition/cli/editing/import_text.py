"""Convert a pasted transcription, or foreign TEI, to sentences clauses cite."""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import match_siglum
from edition.cli.completion import complete_source
from edition.cli.editing.new_source import find_editable_sources, open_library
from edition.cli.options import FILE_TYPE, QUIET_OPTION, SOURCES_OPTION
from edition.corpus.settings import read_edition_words
from rulebook.io.files import replace_file
from rulebook.model import Source
from rulebook.phrases import format_count
from rulebook.problems import Problem
from rulebook.program_name import name_command
from rulebook.sources.paths import BACKUPS_FOLDER
from rulebook.spelling import NO_TABLE
from rulebook.strings import quote_value
from rulebook.tei.document import TEI_PREFIX, line_of_element, parse_xml, read_xml_letters, tag_of
from rulebook.tei.import_plain import Paste, Pasted, as_tei, find_control_characters
from rulebook.tei.import_tei import Taken, is_xml
from rulebook.tei.reader import read_text
from rulebook.text import Text

_MAX_LISTED_DOUBTS = 40  #: doubts that are told; the rest is counted
_MAX_LISTED_PIECES = 5  #: pieces of one kind whose words are told; the rest is counted
_NO_TEI = f"give a TEI file, whose elements are in the namespace {TEI_PREFIX.strip('{}')}, or plain text"


@click.command("import-text")
@click.argument("siglum", metavar="SIGLUM", shell_complete=complete_source)
@click.argument("file", type=FILE_TYPE, required=False)
@click.option(
    "--anyway",
    is_flag=True,
    help="Import even if cited sentences change or an editor's marks are lost; the old text is kept.",
)
@SOURCES_OPTION
@QUIET_OPTION
def import_text_command(siglum: str, file: Path | None, anyway: bool, folder: Path | None, quiet: bool) -> None:
    """Turn a transcription into the sentences that clauses cite.

    FILE is plain text with page marks, or a TEI file made elsewhere; default: text.txt in the folder of the source.
    Likely OCR errors are reported. A backup of the former text is kept.

    \b
    [p. 5]          page 5 begins here ([p. [5]] where it bears no number)
    # A heading     a chapter begins; an empty line ends a paragraph
    [... torn off]  something is missing here, and why; also before a page, where pages are left out
    [teh > the]     a misprint, and what is meant
    Art.~3, a || b  a stop that ends no sentence; two sentences that nobody would part
    % a remark      a line that is no part of the text
    """
    root = find_editable_sources(folder)
    library = open_library(root)
    source = library.sources[match_siglum(library, siglum)]
    place = root / source.siglum
    pasted, left_out = read_transcription(file or place / "text.txt", source.breaks_off)
    if not pasted.sentences:
        raise click.ClickException(f"{file or place / 'text.txt'} holds no words yet: paste the transcription into it")
    letters = encode_transcription(pasted, source, read_edition_words(root).publisher)
    text = validate_transcription(letters, (file or place / "text.txt").as_posix(), pasted)
    lost, lost_marks = find_changed_citations(source, text), count_lost_marks(source, text)
    if (lost or lost_marks) and not anyway:
        _report_losses(source, lost, lost_marks)
        sys.exit(1)
    kept = backup_file(place / "text.xml")
    replace_file(place / "text.xml", letters)
    report_import(place / "text.xml", pasted, left_out, kept, quiet)
    if lost:
        sheet = name_command(f"sheet {source.siglum}")
        output.print_remark(
            f"{format_count(len(lost), 'sentence')} that clauses or notes cite changed words or number. To find the "
            f"quotations again: {sheet} --out FILE.csv, empty its columns `place`, then {sheet} --read FILE.csv --write"
        )


# ---- reading
def read_transcription(path: Path, broken: bool = False) -> tuple[Pasted, Mapping[str, Sequence[str]]]:
    """Read and parse a transcription, *broken* if it is known to break off; also return what TEI was left out."""
    file = path.as_posix()
    letters, problems = read_xml_letters(path, file)
    problems += find_control_characters(file, letters)
    if problems:
        output.fail_with_problems(problems, "nothing was taken over")
    if not is_xml(letters):
        return Paste(file, broken).apart(letters), {}
    root, problems = parse_xml(letters.lstrip("\ufeff"), file)
    taken = Taken()
    notation = "" if root is None else taken.notation(root)
    if root is not None and not notation:
        problems = [
            Problem(file, line_of_element(root), 1, f"<{tag_of(root)}> is no TEI with words in a <text>", _NO_TEI)
        ]
    if problems:
        output.fail_with_problems(problems, "nothing was taken over")
    pasted = Paste(file, broken).apart(notation)
    return replace(
        pasted,
        doubts=tuple(replace(doubt, line=taken.line(doubt.line), column=1) for doubt in pasted.doubts),
        page_lines=tuple(map(taken.line, pasted.page_lines)),
    ), taken.left_out


def encode_transcription(pasted: Pasted, source: Source, publisher: str) -> str:
    """Return the text as TEI, with the header that the record of the source gives it."""
    coders = source.record.get("coders")
    passes = {coder["id"]: coder["role"] for coder in coders} if isinstance(coders, list | tuple) else {}
    entries = (str(source.record.get(key) or "") for key in ("exemplar", "address"))
    copy = ". ".join(entry.strip().rstrip(".") for entry in entries if entry)
    return as_tei(pasted, source.siglum, source.language, str(source.record["title"]), passes, copy, publisher)


def validate_transcription(letters: str, file: str, pasted: Pasted) -> Text:
    """Return the text as the edition reads it. Raise click.ClickException if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.xml"
        path.write_text(letters, "utf-8", newline="\n")
        text, problems = read_text(path, NO_TABLE)
    if text is None or problems:
        told = [replace(_locate_in_transcription(problem, letters, pasted), file=file) for problem in problems]
        output.fail_with_problems(told, "nothing was taken over: correct the transcription")
    return text


def _locate_in_transcription(problem: Problem, letters: str, pasted: Pasted) -> Problem:
    """Return what is wrong with the text as it would be, with the line of the transcription from which that comes.

    Of a page that is the line of its mark; of anything else, that of the page on which it stands.
    """
    rows = letters.split("\n")[: problem.line]
    *_, last = 0, *(at for at, row in enumerate(rows) if "<s " in row)
    here = _PAGE.findall(rows[-1])
    before = sum(len(_PAGE.findall(row)) for row in rows[:-1])
    lines = dict(enumerate(pasted.page_lines))
    if named := [at for at, number in enumerate(here) if problem.what.startswith(f"page {number} ")]:
        line, what = lines.get(before + named[0], 1), problem.what
    else:
        line = lines.get(before - 1, 1)
        id = _ID.search(rows[last])
        what = f"on the page that begins here, in sentence {id[1]}: {problem.what}" if id else problem.what
    return replace(problem, line=line, column=1, what=what)


_PAGE, _ID = re.compile(r'<pb n="([^"]+)"'), re.compile(r'<s xml:id="\w+\.s0*(\d+)"')


# ---- what rests on the old text
def find_changed_citations(source: Source, text: Text) -> list[str]:
    """Find the sentences cited by clauses or notes whose words would change."""
    if source.text is None:
        return []
    old = {id: sentence.diplomatic for id, sentence in source.text.sentences.items()}
    new = {id: sentence.diplomatic for id, sentence in text.sentences.items()}
    return [id for id in dict.fromkeys(_list_cited_sentences(source)) if id in old and old[id] != new.get(id)]


def _list_cited_sentences(source: Source) -> Iterable[str]:
    """Yield every sentence that a clause or a note of the source rests on."""
    for clause in source.clauses:
        for cite in clause.cites:
            yield from (locus for locus in (cite.locus, cite.to) if locus)
    yield from (note.on for note in source.notes)


def count_lost_marks(source: Source, text: Text) -> Mapping[str, int]:
    """Count the marks of an editor in the old text, by their kind, that the new one has no more."""
    old, new = (
        Counter(part.kind for sentence in (known.sentences.values() if known else ()) for part in sentence.parts)
        for known in (source.text, text)
    )
    return {kind: number for kind, number in (old - new).items() if kind not in ("text", "pb")}


#: How marks are told: what they are in text.xml, and in the notation of `text.txt` where it has one.
_MARK_NAMES: Mapping[str, str] = {"choice": "misprint ([printed > meant])", "gap": "gap ([... why])"}


def _report_losses(source: Source, lost: list[str], lost_marks: Mapping[str, int]) -> None:
    if lost:
        some = ", ".join(lost[:8]) + (" ..." if len(lost) > 8 else "")
        count = format_count(len(lost), "sentence")
        output.print_remark(f"{count} of {source.siglum} that clauses or notes cite would change: {some}")
    if lost_marks:
        named = ", ".join(f"{number} {_MARK_NAMES.get(kind, kind)}" for kind, number in sorted(lost_marks.items()))
        output.print_remark(f"Marks in {source.siglum}/text.xml that the new text lacks: {named}")
    check = name_command("check")
    output.print_remark(
        f"Nothing was changed. With --anyway it is done (the old text is kept beside), and `{check}` tells which "
        "quotations no longer stand."
    )


def backup_file(path: Path) -> Path | None:
    """Copy the old file into the folder of backups beside it, under a name that is not taken yet."""
    if not path.exists():
        return None
    folder = path.parent / BACKUPS_FOLDER
    kept = next(backup for n in range(1, 10_000) if not (backup := folder / f"{path.name}.{n}").exists())
    return replace_file(kept, path.read_bytes())


# ---- telling
def report_import(
    path: Path, pasted: Pasted, left_out: Mapping[str, Sequence[str]], kept: Path | None, quiet: bool
) -> None:
    """Report the sentences made, the changes on the way, and the doubtful letters."""
    sentences, pages = format_count(pasted.sentences, "sentence"), format_count(len(pasted.pages) or 1, "page")
    click.echo(f"{path}: {sentences} on {pages}")
    if kept:
        click.echo(f"  the text that was there before is kept in {kept.parent.name}/{kept.name}")
    if quiet:
        return
    for what, times in sorted(pasted.changed.items()):
        click.echo(f"  put in one form: {what} ({times})")
    if pasted.misprints:
        reasons = f"each has its reason in notes.yaml, on: {path.parent.name}.e01 ..."
        click.echo(f"  misprints with what is meant: {len(pasted.misprints)}; {reasons}")
    if pasted.joined:
        click.echo(f"  joined again: {', '.join(pasted.joined)}")
    for kind, pieces in sorted(left_out.items()):
        click.echo(f"  left out: {_describe_left_out(kind, pieces)}")
    output.print_problems(pasted.doubts[:_MAX_LISTED_DOUBTS])
    if len(pasted.doubts) > _MAX_LISTED_DOUBTS:
        click.echo(f"and {len(pasted.doubts) - _MAX_LISTED_DOUBTS} doubtful places more")
    next_ = name_command(f"sheet {path.parent.name} --out answers.csv, or clauses.yaml")
    click.echo(f"Next: read the sentences through; then {next_}")


def _describe_left_out(kind: str, pieces: Sequence[str]) -> str:
    """Say how many pieces of a kind were left out, how many letters they have, and how they begin."""
    listed = [quote_value(words) for words in pieces[:_MAX_LISTED_PIECES] if words]
    more = ["..."] if listed and len(pieces) > _MAX_LISTED_PIECES else []
    words = f", {format_count(sum(map(len, pieces)), 'letter')}: {', '.join([*listed, *more])}" if listed else ""
    return f"{kind} ({len(pieces)}){words}"
