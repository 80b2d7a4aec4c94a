"""Deal records from a stream: YAML documents, JSON or JSON lines, recognised by the first line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from engine.deal.fields import Find, RecordPlace
from engine.deal.reader import read_deal
from reversis.files.deals import DealRecord, Sigla, locate_line, parse_record_data, read_json_deal
from rulebook.io.strict_json import blank_unseen
from rulebook.problems import Problem, Where

STREAM_NAME = "standard input"  #: file of its problems
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_READABLE_RECORDS = "give deal records, as YAML, as JSON or as one line of JSON each"
_UNREADABLE = "this is no deal record: it begins neither as YAML nor as JSON"
_YAML_START = re.compile(rb"---|\.\.\.|[#%]|[\"']?\w[\w -]*[\"']?\s*:(\s|$)")
_DOCUMENT_MARK = re.compile(r"---(\s|$)")
_EMPTY_LINE = re.compile(r"\s*(#.*)?$|---\s*(#.*)?$|\.\.\.\s*$")
NumberedLetters = tuple[int, bytes]  #: number of the first line, and the letters


def read_deal_stream(
    lines: Iterable[bytes], name: str = STREAM_NAME, sigla: Sigla | None = None
) -> Iterator[DealRecord]:
    """Yield the records of a stream as they come: YAML documents, JSON objects, or JSON lines."""
    numbered = ((at, line.removeprefix(_BYTE_ORDER_MARK)) for at, line in enumerate(lines, 1))
    filled = ((at, line) for at, line in numbered if line.strip())
    first = next(filled, None)
    if first is None:
        return
    if _YAML_START.match(first[1]):
        yield from _read_yaml_documents(chain((first,), numbered), name, sigla)
    else:
        for at, letters in split_json_objects(chain((first,), filled)):
            yield _read_json_object(letters, at, name, sigla)


# ---- JSON
def split_json_objects(lines: Iterable[NumberedLetters]) -> Iterator[NumberedLetters]:
    """Join lines to objects: one on each line, or one over several; a faulty line ends where the next object begins."""
    start, held = 0, b""
    for at, line in lines:
        if held and line.startswith(b"{"):
            yield start, held.strip()
            held = b""
        start, held = start if held else at, held + line
        if _is_whole_object(held, line):
            yield start, held.strip()
            held = b""
    if held:
        yield start, held.strip()


def _is_whole_object(held: bytes, line: bytes) -> bool:
    """Return whether an object ends with this line; of one over several lines only its last can tell."""
    if held == line:
        return not line.startswith((b"{", b"[")) or line.rstrip().endswith((b"}", b"]"))
    return line.strip() in (b"}", b"]") and parse_record_data(held) is not None


def _read_json_object(letters: bytes, start: int, name: str, sigla: Sigla | None) -> DealRecord:
    record = read_json_deal(letters, name, start, sigla)
    if record.deal is not None:
        return record
    data = parse_record_data(letters)
    if data is None and not letters.startswith((b"{", b"[")):
        return replace(record, problems=(locate_line(name, start)(()).problem(_UNREADABLE, _READABLE_RECORDS),))
    if data is None:
        return replace(
            record, problems=tuple(replace(problem, way_out=_READABLE_RECORDS) for problem in record.problems)
        )
    return _place_json_problems(record, data, letters, start, sigla) if b"\n" in letters else record


def _place_json_problems(
    record: DealRecord, data: object, letters: bytes, start: int, sigla: Sigla | None
) -> DealRecord:
    """Give each problem of an object over several lines its own line."""
    from rulebook.io.strict_yaml import compose_yaml

    find = shift_lines(compose_yaml(record.file, blank_unseen(letters.decode("utf-8")))[1].where, start - 1)
    return replace(record, problems=tuple(read_deal(data, find, sigla)[1]), find=find)


# ---- YAML
def _read_yaml_documents(lines: Iterable[NumberedLetters], name: str, sigla: Sigla | None) -> Iterator[DealRecord]:
    for at, letters in split_yaml_documents(lines):
        yield _read_yaml_deal(letters, at, name, sigla)


def split_yaml_documents(lines: Iterable[NumberedLetters]) -> Iterator[NumberedLetters]:
    """Yield each YAML document with the number of its first line; those of comments only are skipped."""
    start, held = 1, list[bytes]()
    for at, line in chain(lines, ((0, b"---"),)):
        if _DOCUMENT_MARK.match(line.decode("latin-1")):
            letters = b"".join(held)
            if any(not _EMPTY_LINE.match(row) for row in letters.decode("latin-1").split("\n")):
                yield start, letters
            held.clear()
        if not held:
            start = at
        held.append(line)


def _read_yaml_deal(letters: bytes, start: int, name: str, sigla: Sigla | None) -> DealRecord:
    data, find, problems = read_yaml_document(letters, start, name)
    if problems:
        return DealRecord(name, None, tuple(problems), find)
    if isinstance(data, dict) and "session" in data:
        session = find(("session",)).problem("this is the record of a session", "save it: reversis session FILE")
        return DealRecord(name, None, (session,), find)
    deal, faults = read_deal(data, find, sigla)
    return DealRecord(name, deal, tuple(faults), find)


def read_yaml_document(letters: bytes, start: int, name: str) -> tuple[object, Find, list[Problem]]:
    """Read one document of a stream, which begins with the line of that number."""
    from rulebook.io.strict_yaml import drop_line_marks, read_yaml  # it takes a moment to import, and JSON needs none

    try:
        text = drop_line_marks(letters.decode("utf-8"))
    except UnicodeDecodeError as fault:
        line = start + fault.object[: fault.start].count(b"\n")
        problem = Problem(name, line, 1, "is not UTF-8", "write it in UTF-8")
        return None, locate_line(name, line), [problem]
    data, positions, problems = read_yaml(text, name)
    moved = [replace(issue, line=issue.line + start - 1) for issue in problems]
    return data, shift_lines(positions.where, start - 1), moved


def shift_lines(find: Find, by: int) -> Find:
    """Return a finder of places in a text that begins after *by* lines."""

    def find_shifted(place: RecordPlace) -> Where:
        where = find(place)
        return replace(where, line=where.line + by)

    return find_shifted
