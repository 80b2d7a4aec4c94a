"""Likely typing slips in a file that cannot be read as YAML.

The parser says only where it gave up.

Each slip is sought by itself, up to the line where the parser stumbled; the nearest is told. That entries do not begin
in one column may follow from another slip, and is told only where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

_FoundSlip: TypeAlias = "tuple[int, int, str, str]"  #: line, column, what, way out
_SlipFinder: TypeAlias = "Callable[[Sequence[str]], Iterator[_FoundSlip]]"

SIGHT = 5_000  #: so many lines before the one where the parser stumbled are looked at; a hostile file has millions
REACH = 200  #: so many lines a text goes on at most

#: Text in quotation marks; one that is not closed goes on to the end, or it would be read anew from each mark in it.
_QUOTED_TEXT = re.compile(r""""(?:[^"\\]|\\.)*+"?|'(?:[^']|'')*+'?""")
KEY = re.compile(r"^(?P<indent> *)(?P<dash>(?:- +)*)(?P<key>[\w.@+-]+):(?= |$)")


def find_likely_slip(letters: str, line: int) -> _FoundSlip | None:
    """Find the usual slip that explains best why a line could not be read, if any."""
    first = max(line - SIGHT, 0)
    lines = in_view(letters.split("\n"))[first : line + REACH]
    for slips in (_DIRECT_SLIPS, _COLUMN_SLIPS):
        hints = [hint for slip in slips for hint in slip(lines) if hint[0] + first <= line + 1]
        if hints:
            number, column, what, way_out = max(hints, key=lambda hint: hint[0])
            return number + first, column, what, way_out
    return None


def in_view(lines: Sequence[str]) -> list[str]:
    """The lines without those of a text that begins with > or |, where everything is allowed, and without remarks."""
    kept, deeper = [], -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if deeper >= 0 and line.strip() and indent <= deeper:
            deeper = -1
        kept.append("" if deeper >= 0 or line.lstrip().startswith("#") else line)
        if deeper < 0 and re.search(r":\s+[>|][+-]?\d?\s*(#.*)?$", line):
            deeper = indent
    return kept


def unclosed_quotes(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A quotation mark that is opened and never closed."""
    for number, line in enumerate(lines, 1):
        match = re.match(r"""^(?P<before>\s*(?:- +)*(?:[\w.@+-]+:\s+)?)(?P<mark>["'])""", line)
        if match and not _is_closed_in_line(line[match.end("before") :], match["mark"]):
            later = any(
                re.search(rf"{match['mark']}\s*(#.*)?$", following)
                for following in _iter_following_lines(lines, number)
            )
            if not later:
                what = f"the quotation mark {match['mark']} is opened here and not closed"
                yield number, match.start("mark") + 1, what, f"put {match['mark']} behind the last word"


def _iter_following_lines(lines: Sequence[str], number: int) -> Iterator[str]:
    """Yield the lines in which a text may go on: those until the next entry."""
    for at in range(number, min(number + REACH, len(lines))):
        line = lines[at]
        if KEY.match(line) or line.lstrip().startswith("- "):
            return
        yield line


def _is_closed_in_line(text: str, mark: str) -> bool:
    inside = r"""(?:[^"\\]|\\.)*""" if mark == '"' else r"(?:[^']|'')*"
    return re.match(rf"{mark}{inside}{mark}", text) is not None


def text_after_quotes(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """Words behind the quotation mark that closed the text."""
    for number, line in enumerate(lines, 1):
        match = re.match(r"""^\s*(?:- +)*[\w.@+-]+:\s+"(?:[^"\\]|\\.)*"(?P<rest>\s*[^\s#,}\]].*)$""", line)
        if match:
            what = "the text goes on behind its closing quotation mark"
            yield number, match.start("rest") + 1, what, 'write \\" for a quotation mark within the text'


def colons_in_text(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A colon within a text that has no quotation marks."""
    for number, line in enumerate(lines, 1):
        match = KEY.match(line)
        value = line[match.end() :].strip() if match else ""
        if match and value and value[0] not in "\"'{[>|&*#" and (colon := re.search(r": ", value)):
            at = line.index(value) + colon.start() + 1
            yield number, at, "a colon within a text", f'put the text in quotes: {match["key"]}: "{value[:40]}"'


def colons_left_out(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A key without its colon, or a colon without its space."""
    keys = {match["key"] for line in lines if (match := KEY.match(line))}
    for number, line in enumerate(lines, 1):
        if KEY.match(line) or not line.strip():
            continue
        match = re.match(r"^(?P<indent>\s*(?:- +)*)(?P<key>[A-Za-z][\w.@+-]*)(?P<colon>:?)(?P<rest>.*)$", line)
        if not match or match["key"] not in keys | _SINGLE_KEYS:
            continue
        at = match.end("key") + 1
        if match["colon"]:
            yield number, at, f"no space behind the colon of {match['key']}", f"write `{match['key']}: ...`"
        else:
            yield number, at, f"no colon behind {match['key']}", f"write `{match['key']}:{match['rest']}`"


def dashes_without_space(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A dash that begins an item, and no space behind it."""
    for number, line in enumerate(lines, 1):
        if match := re.match(r"^(\s*)-(?=[A-Za-z]\w*:( |$))", line):
            yield number, len(match[1]) + 2, "no space behind the dash", f"write `- {line.strip()[1:][:40]}`"


def uneven_indents(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A key, or a dash, that begins a little to the left or the right of those beside it."""
    columns: list[int] = []  #: of the entries that are open
    opens = True  #: whether the line before begins a table or a list
    for number, line in enumerate(lines, 1):
        match = KEY.match(line)
        if not match:
            continue
        begins = [len(match["indent"]), len(match["indent"] + match["dash"])][0 if match["dash"] else 1 :]
        column, beside = begins[0], [place for place in columns if place <= begins[0]]
        if column not in columns and not (opens and columns and column > columns[-1]) and columns:
            after = next(
                (len(next_match["indent"]) for later in lines[number:] if (next_match := KEY.match(later))), column
            )
            near = min(columns, key=lambda place: (abs(place - column), place != after))
            what = f"{match['key']} begins in column {column + 1}, and what stands beside it in column {near + 1}"
            yield number, column + 1, what, f"let it begin in column {near + 1}"
            return
        columns = sorted({*beside, *begins})
        opens = not line[match.end() :].split("#")[0].strip()


def lists_for_tables(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A dash before one entry of a table, and none before the next."""
    for number, (line, after) in enumerate(pairwise(lines), 1):
        here, below = KEY.match(line), KEY.match(after)
        if here and below and here["dash"] and below["indent"] == here["indent"] and not below["dash"]:
            what = f"a dash before {here['key']}, and none before {below['key']}"
            yield number, len(here["indent"]) + 1, what, "take the dash out where a table is wanted"


def brackets_left_open(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """A bracket or a brace that is opened in a line and not closed in it, nor in the next."""
    for number, line in enumerate(lines, 1):
        plain = _QUOTED_TEXT.sub(lambda match: "x" * len(match[0]), line)
        for opening, closing in ("[]", "{}"):
            match = re.search(rf"(?::|-|,|\[|\{{)\s*\{opening}", plain)
            rest = "".join((plain, *_iter_following_lines(lines, number))) if match else ""
            if match and rest.count(opening) > rest.count(closing):
                at = match.end()
                yield number, at, f"{opening} is opened here and not closed", f"put {closing} behind the last item"


def _find_conflict_marks(lines: Sequence[str]) -> Iterator[_FoundSlip]:
    """Find the marks of a program that could not join two versions."""
    for number, line in enumerate(lines, 1):
        if re.match(r"^(<{7}|={7}|>{7})( |$)", line):
            yield number, 1, "two versions of the file stand here side by side", "keep one, and take the marks out"
            return


#: Keys that may stand in a file only once, so that no other line shows that they are keys.
_SINGLE_KEYS = frozenset(
    ["id", "locus", "exact", "answers", "status", "cert", "coder", "cites", "because", "label", "note", "role", "on"]
)
_DIRECT_SLIPS: tuple[_SlipFinder, ...] = (
    unclosed_quotes,
    text_after_quotes,
    colons_in_text,
    colons_left_out,
    dashes_without_space,
    brackets_left_open,
    _find_conflict_marks,
)
_COLUMN_SLIPS: tuple[_SlipFinder, ...] = (uneven_indents, lists_for_tables)
