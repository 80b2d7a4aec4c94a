"""Edits of clauses.yaml that replace only the lines of their clause; every other byte of the file stays.

Add, replace, split and withdraw clauses in the letters of a file. Within a clause, too, only the entries that change
are written again: comments, rivals and second citations keep their lines. Whatever was edited is read back; if it does
not say just what was meant, nothing is returned but `CannotEdit`.

Knows the order of a clause's entries, and neither what an answer means nor whether a quotation stands in a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, TypeAlias, cast

from rulebook.grouping import group_pairs
from rulebook.io import strict_yaml
from rulebook.io.yaml_writing import format_yaml_entry, format_yaml_flow, format_yaml_inline
from rulebook.problems import HintedError
from rulebook.schema.records import ClauseRecord

ClauseFields: TypeAlias = Mapping[str, Any]  #: a clause as plain data: the entries of `ClauseRecord`, without defaults

_ENTRY_ORDER = tuple(ClauseRecord.model_fields)
_LONGEST_LINE = 160  #: characters of a line into which a changed value is put


class CannotEdit(HintedError):
    """An edit that was not made, why, and the way out."""


def edit_clauses(
    letters: str,
    changed: Mapping[str, ClauseFields | None],
    added: Sequence[tuple[str, ClauseFields]] = (),
) -> str:
    """Make many edits at once: new entries by id (None: withdrawn), and new clauses, each behind another or last.

    Raises CannotEdit; then the file is to stay as it is.
    """
    before = _ClauseFile.parse(letters)
    ordered = {id: fields and order_entries(fields, before.by_id.get(id, {})) for id, fields in changed.items()}
    news = [(after, order_entries(fields, {})) for after, fields in added]
    wanted = _compute_expected(before, ordered, news)
    patch = _Patch(before)
    for id, fields in ordered.items():
        patch.change_clause(id, fields)
    for after, some in group_pairs(news).items():
        patch.insert_clauses(after, some)
    result = patch.apply(keeps_any=bool(wanted))
    _refuse_other_result(result, wanted)
    return result


def read_clause_fields(letters: str) -> Mapping[str, ClauseFields]:
    """Return the clauses of a file as plain data, by id. Raises CannotEdit."""
    return _ClauseFile.parse(letters).by_id


def read_clause_lines(letters: str, id: str) -> str:
    """Return the lines of a clause as they stand in the file. Raises CannotEdit."""
    return split_clause_lines(letters, [id])[id]


def split_clause_lines(letters: str, ids: Collection[str] | None = None) -> Mapping[str, str]:
    """Return the lines of clauses as they stand in the file, by id; of all if none are named. Raises CannotEdit."""
    file = _ClauseFile.parse(letters)
    patch, lines = _Patch(file), letters.split("\n")
    spans = {id: patch.find_lines(file.find(id)) for id in (file.by_id if ids is None else ids)}
    return {id: "\n".join(lines[first - 1 : end - 1]) for id, (first, end) in spans.items()}


def take_questions_from(fields: ClauseFields, questions: Collection[str]) -> ClauseFields | None:
    """Return a clause without these questions; None if it has no others."""
    answers = {key: value for key, value in fields.get("answers", {}).items() if key not in questions}
    on = [key for key in fields.get("on", ()) if key not in questions]
    rest = {key: value for key, value in fields.items() if key not in ("answers", "on")}
    kept = {name: value for name, value in (("answers", answers), ("on", on)) if value}
    return order_entries({**rest, **kept}, fields) if kept else None


def order_entries(fields: ClauseFields, before: ClauseFields) -> ClauseFields:
    """Order entries as they stood before; a new one comes behind its nearest predecessor in the order of the schema."""
    order = [key for key in before if key in fields]
    for key in sorted((key for key in fields if key not in order), key=_rank_entry):
        smaller = [at for at, entry in enumerate(order) if _rank_entry(entry) < _rank_entry(key)]
        order.insert(max(smaller) + 1 if smaller and not before else _find_place(order, key), key)
    return {key: fields[key] for key in order}


def _find_place(order: Sequence[str], key: str) -> int:
    """Find the place behind the entry that comes nearest before this one in the schema."""
    nearest = max((entry for entry in order if _rank_entry(entry) < _rank_entry(key)), key=_rank_entry, default=None)
    return order.index(nearest) + 1 if nearest is not None else 0


def _rank_entry(key: str) -> int:
    return _ENTRY_ORDER.index(key) if key in _ENTRY_ORDER else len(_ENTRY_ORDER)


# ---- the file as it stands
@dataclass(frozen=True)
class _ClauseFile:
    """A file of clauses: letters, data, and the place of everything."""

    letters: str
    clauses: tuple[ClauseFields, ...]
    positions: strict_yaml.Positions

    @classmethod
    @lru_cache(maxsize=4)  # one sheet, or one form, asks for the same letters several times
    def parse(cls, letters: str) -> _ClauseFile:
        """Parse a file. Raises CannotEdit."""
        data, positions, problems = strict_yaml.read_yaml(letters, "clauses.yaml")
        if problems:
            first = problems[0]
            raise CannotEdit(f"clauses.yaml:{first.line}:{first.column}: {first.what}", first.way_out)
        if data is not None and not (isinstance(data, list) and all(isinstance(clause, dict) for clause in data)):
            raise CannotEdit("clauses.yaml is no list of clauses", "begin every clause with `- id:`")
        return cls(letters, tuple(cast("list[dict[str, Any]]", data or [])), positions)

    @property
    def by_id(self) -> Mapping[str, ClauseFields]:
        """The clauses by their ids."""
        return {str(clause.get("id")): clause for clause in self.clauses}

    def find(self, id: str) -> int:
        """Return the number of the one clause with this id. Raises CannotEdit."""
        places = [at for at, clause in enumerate(self.clauses) if clause.get("id") == id]
        if len(places) != 1:
            what = f"the id {id} stands {len(places)} times" if places else f"there is no clause {id}"
            raise CannotEdit(what, "give each clause an id of its own" if places else "name one that is there")
        return places[0]


def _compute_expected(
    before: _ClauseFile, changed: Mapping[str, ClauseFields | None], added: Iterable[tuple[str, ClauseFields]]
) -> list[ClauseFields]:
    """Return the data that the edited file must have."""
    places = {id: before.find(id) for id in changed}
    slots: list[list[ClauseFields]] = [[clause] for clause in before.clauses] or [[]]
    for id, fields in changed.items():
        slots[places[id]] = [fields] if fields is not None else []
    for after, fields in added:
        slots[before.find(after) if after else -1].append(fields)
    return [entry for slot in slots for entry in slot]


def _refuse_other_result(result: str, wanted: Sequence[ClauseFields]) -> None:
    """Raise CannotEdit if the edited letters do not say just what was meant."""
    data, _, problems = strict_yaml.read_yaml(result, "clauses.yaml")
    if problems:
        raise CannotEdit(f"the clause could not be written: {problems[0].what}", problems[0].way_out)
    if json.dumps(data or [], sort_keys=True) != json.dumps([*wanted], sort_keys=True):
        what = "the clause cannot be changed without changing something else"
        raise CannotEdit(what, "give each of its entries lines of its own, or change it in clauses.yaml by hand")


# ---- letters
class _Patch:
    """Replacements in the letters of a file, made all at once from its end to its beginning."""

    def __init__(self, file: _ClauseFile) -> None:
        self.file, self.lines = file, file.letters.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self.replaced: list[tuple[int, int, str]] = []
        self.remarks: dict[str, str] = {}  #: comments on the lines of questions that leave their clause

    def apply(self, keeps_any: bool) -> str:
        """Return the letters with every replacement made."""
        letters = self.file.letters
        for start, end, text in reversed(sorted(self.replaced, key=lambda edit: edit[:2])):  # alike stay in their order
            letters = letters[:start] + text + letters[end:]
        return letters if keeps_any else f"{letters.rstrip()}\n[]\n".lstrip("\n")

    # -- whole clauses
    def change_clause(self, id: str, fields: ClauseFields | None) -> None:
        """Change the entries of a clause, or take it out."""
        at = self.file.find(id)
        if fields is None:
            self._remove_clause(at)
        else:
            self._patch((at,), self.file.clauses[at], fields, self._end_of_clause(at), 0)

    def insert_clauses(self, after: str, some: Sequence[ClauseFields]) -> None:
        """Insert clauses behind another, or at the end."""
        all_ = self.file.clauses
        if all_ and self.file.positions.spot(()).flow:
            raise CannotEdit("the clauses stand in brackets", "begin every clause with `- id:` on a line of its own")
        dash = self.file.positions.spot(()).column - 1 if all_ else 0
        text = "".join(
            "\n" + "\n".join(self._with_remarks(format_yaml_entry("-", fields, dash))) + "\n" for fields in some
        )
        if all_:
            place = self._start_of_line(self._end_of_clause(self.file.find(after) if after else len(all_) - 1))
            before = "" if place <= len(self.file.letters) and self.file.letters[place - 1 : place] == "\n" else "\n"
            self.replaced.append((place, place, before + text))
        else:
            kept = "\n".join(line for line in self.lines if line.lstrip().startswith("#"))
            self.replaced.append((0, len(self.file.letters), f"{kept}\n{text}".lstrip("\n")))

    def find_lines(self, at: int) -> tuple[int, int]:
        """Return the first line of a clause, and the one behind its last."""
        return self._line_of((at,)), self._end_of_clause(at)

    def _remove_clause(self, at: int) -> None:
        first, end = self.find_lines(at)
        if (
            first > 1
            and not self.lines[first - 2].strip()
            and (end > len(self.lines) or not self.lines[end - 1].strip())
        ):
            first -= 1  # of the empty lines above and below one stays
        self._replace_lines(first, end, [])

    def _end_of_clause(self, at: int) -> int:
        """Return the line behind the last one of a clause."""
        stop = self._line_of((at + 1,)) if at + 1 < len(self.file.clauses) else len(self.lines) + 1
        return self._trim(self._line_of((at,)), stop, self.file.positions.spot(()).column - 1)

    # -- values
    def _patch(self, steps: strict_yaml.Steps, old: Any, new: Any, end: int, indent: int) -> None:
        """Change one value into another. It ends before a line, and its key or dash stands at a column from 0."""
        if _is_same(old, new):
            return
        spot = self.file.positions.spot(steps)
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            done = self._patch_flow_table(steps, old, new) if spot.flow else self._patch_table(steps, old, new, end)
        elif isinstance(old, list) and isinstance(new, list) and old and new:
            done = self._patch_flow_list(steps, old, new) if spot.flow else self._patch_list(steps, old, new, end)
        else:
            done = self._patch_scalar(spot, old, new)
        if not done:
            self._rewrite(steps, new, end, indent)

    def _patch_table(self, steps: strict_yaml.Steps, old: ClauseFields, new: ClauseFields, end: int) -> bool:
        """Change a table that has a line for each entry."""
        keys, kept = list(old), [key for key in old if key in new]
        spot = self.file.positions.spot((*steps, keys[0]))
        behind_dash = bool(self.lines[spot.key[0] - 1][: spot.key[1] - 1].strip())
        if not kept or kept != [key for key in new if key in old] or (behind_dash and next(iter(new)) != keys[0]):
            return False
        indent = spot.key[1] - 1
        ends = dict(zip(keys, self._ends_of_entries([(*steps, key) for key in keys], end, indent), strict=True))
        for key in keys:
            first = self._line_of((*steps, key))
            if key in new:
                self._patch((*steps, key), old[key], new[key], ends[key], indent)
            else:
                self._replace_lines(first, ends[key], self._keep_comments((*steps, key), first, ends[key], indent))
        place = spot.key[0]
        fresh: dict[int, list[str]] = {}
        for key in new:
            place = ends.get(key, place)
            if key not in old:
                fresh.setdefault(place, []).extend(self._with_remarks(format_yaml_entry(key, new[key], indent)))
        for line, rows in fresh.items():
            self._insert_lines(line, rows)
        return True

    def _patch_list(self, steps: strict_yaml.Steps, old: Sequence[Any], new: Sequence[Any], end: int) -> bool:
        """Change a list that has lines for each item."""
        dash = self.file.positions.spot(steps).column - 1
        ends = self._ends_of_entries([(*steps, at) for at in range(len(old))], end, dash)
        plan = SequenceMatcher(None, [*map(json.dumps, old)], [*map(json.dumps, new)], autojunk=False).get_opcodes()
        if not any(kind == "equal" for kind, *_ in plan) and len(old) != len(new):
            plan = [("replace", 0, len(old), 0, len(new))]
        for _, a, b, c, d in (opcode for opcode in plan if opcode[0] != "equal"):
            paired = min(b - a, d - c)
            for step in range(paired):
                self._patch((*steps, a + step), old[a + step], new[c + step], ends[a + step], dash)
            for at in range(a + paired, b):
                first = self._line_of((*steps, at))
                self._replace_lines(first, ends[at], self._keep_comments((*steps, at), first, ends[at], dash))
            rows = [row for item in new[c + paired : d] for row in format_yaml_entry("-", item, dash)]
            if rows:
                behind = a + paired - 1
                self._insert_lines(ends[behind] if behind >= 0 else self._line_of((*steps, 0)), rows)
        return True

    def _patch_flow_table(self, steps: strict_yaml.Steps, old: ClauseFields, new: ClauseFields) -> bool:
        """Change a table in braces, keeping the letters of the entries that stay."""
        parts = [
            self._letters_of((*steps, key), with_key=True)
            if key in old and _is_same(old[key], new[key])
            else f"{format_yaml_flow(key)}: {format_yaml_flow(new[key])}"
            for key in new
        ]
        return self._replace_flow(steps, "{" + ", ".join(parts) + "}")

    def _patch_flow_list(self, steps: strict_yaml.Steps, old: Sequence[Any], new: Sequence[Any]) -> bool:
        """Change a list in brackets, keeping the letters of the items that stay."""
        places = {json.dumps(item): at for at, item in enumerate(old)}
        known = [places.get(json.dumps(item)) for item in new]
        parts = [
            format_yaml_flow(item) if at is None else self._letters_of((*steps, at))
            for item, at in zip(new, known, strict=True)
        ]
        return self._replace_flow(steps, f"[{', '.join(parts)}]")

    def _replace_flow(self, steps: strict_yaml.Steps, text: str) -> bool:
        start, end = self._span(self.file.positions.spot(steps))
        if "#" in self.file.letters[start:end] and "\n" in self.file.letters[start:end]:
            return False  # there may be comments in it
        self.replaced.append((start, end, text))
        return True

    def _patch_scalar(self, spot: strict_yaml.Spot, old: Any, new: Any) -> bool:
        """Change a value on its line, if both fit there."""
        if spot.line != spot.end_line or (isinstance(old, (dict, list)) and not spot.flow) or old is None:
            return False
        start, end = self._span(spot)
        quoted = isinstance(new, str) and self.file.letters[start:end][:1] == '"' and "\n" not in new
        text = strict_yaml.quote_for_yaml(new) if quoted else format_yaml_inline(new)
        line = self.lines[spot.line - 1]
        if start == end or text is None or len(line) - (end - start) + len(text) > _LONGEST_LINE:
            return False
        self.replaced.append((start, end, text))
        return True

    def _rewrite(self, steps: strict_yaml.Steps, new: Any, end: int, indent: int) -> None:
        """Write the lines of an entry again; its comments stay."""
        first = self._line_of(steps)
        key = "-" if isinstance(steps[-1], int) else steps[-1]
        rows = format_yaml_entry(key, new, indent)
        before = self.lines[first - 1][:indent]
        comments = list(self._comments_in(steps, first, end))
        if len(comments) == 1 and comments[0][0] == first and len(rows) == 1:
            rows = [f"{rows[0]}  {comments[0][1]}"]
            comments = []
        if before.strip():  # the first entry of an item, behind its dash
            rows[0] = before + rows[0][indent:]
            rows += [" " * indent + words for _, words in comments]
        else:
            rows = [*(" " * indent + words for _, words in comments), *rows]
        self._replace_lines(first, end, rows)

    # -- comments
    def _keep_comments(self, steps: strict_yaml.Steps, first: int, end: int, indent: int) -> list[str]:
        """Return the comments of lines that go, as lines of their own; that of a question goes where it goes."""
        comments = [words for _, words in self._comments_in(steps, first, end)]
        if len(steps) == 3 and steps[1] in ("answers", "on") and len(comments) == 1:
            question = steps[2] if isinstance(steps[2], str) else _value_at(self.file.clauses, steps)
            self.remarks[str(question)] = comments[0].lstrip("# ")
            return []
        return [" " * indent + words for words in comments]

    def _with_remarks(self, rows: list[str]) -> list[str]:
        """Add the comments of questions that have moved to the line that names them now."""
        for at, row in enumerate(rows):
            remarks = [words for key, words in self.remarks.items() if re.search(rf"\b{re.escape(key)}\b", row)]
            if remarks and row.lstrip().startswith(("answers:", "on:", "Q")):
                rows[at] = f"{row}  # {', '.join(remarks)}"
        return rows

    # -- places
    def _ends_of_entries(self, all_: Sequence[strict_yaml.Steps], end: int, indent: int) -> list[int]:
        """Return the line behind each of these entries, which follow one another."""
        firsts = [self._line_of(steps) for steps in all_]
        return [self._trim(a, b, indent) for a, b in zip(firsts, [*firsts[1:], end], strict=True)]

    def _trim(self, first: int, stop: int, indent: int) -> int:
        """Leave out empty lines at the end of an entry, and comments that stand no deeper than it."""
        stop = min(stop, len(self.lines) + 1)
        while stop - 1 > first:
            line = self.lines[stop - 2]
            bare = line.lstrip()
            if bare and not (bare.startswith("#") and len(line) - len(bare) <= indent):
                break
            stop -= 1
        return stop

    def _line_of(self, steps: strict_yaml.Steps) -> int:
        return self.file.positions.spot(steps).key[0]

    def _start_of_line(self, line: int) -> int:
        return min(self.starts[line - 1], len(self.file.letters))

    def _span(self, spot: strict_yaml.Spot) -> tuple[int, int]:
        return self.starts[spot.line - 1] + spot.column - 1, self.starts[spot.end_line - 1] + spot.end_column - 1

    def _letters_of(self, steps: strict_yaml.Steps, with_key: bool = False) -> str:
        spot = self.file.positions.spot(steps)
        start, end = self._span(spot)
        if with_key:
            start = self.starts[spot.key[0] - 1] + spot.key[1] - 1
        return " ".join(self.file.letters[start:end].split("\n")).strip()

    def _replace_lines(self, first: int, end: int, rows: Sequence[str]) -> None:
        start, stop = self._start_of_line(first), self._start_of_line(end)
        self.replaced.append((start, stop, "".join(f"{row}\n" for row in rows)))

    def _insert_lines(self, line: int, rows: Sequence[str]) -> None:
        place = self._start_of_line(line)
        before = "" if self.file.letters[:place].endswith("\n") else "\n"
        self.replaced.append((place, place, before + "".join(f"{row}\n" for row in rows)))

    def _comments_in(self, steps: strict_yaml.Steps, first: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the comments in some lines, each with its line: whatever # stands outside every value."""
        letters = [*self.file.letters[self._start_of_line(first) : self._start_of_line(end)]]
        base = self._start_of_line(first)
        for spot in self._scalars_below(steps):
            start, stop = self._span(spot)
            for at in range(max(start - base, 0), min(stop - base, len(letters))):
                letters[at] = letters[at] if letters[at] == "\n" else "x"
        for number, line in enumerate("".join(letters).split("\n"), first):
            at = next((at for at, letter in enumerate(line) if letter == "#" and (at == 0 or line[at - 1] == " ")), -1)
            if at >= 0:
                yield number, self.lines[number - 1][at:].rstrip()

    @cached_property
    def _spots_by_clause(self) -> Mapping[str | int, Sequence[tuple[strict_yaml.Steps, strict_yaml.PlainSpot]]]:
        """The places of the file by the number of their clause."""
        return group_pairs((steps[0], (steps, spot)) for steps, spot in self.file.positions.spots.items() if steps)

    def _scalars_below(self, steps: strict_yaml.Steps) -> Iterator[strict_yaml.Spot]:
        for below, spot in self._spots_by_clause[steps[0]]:
            if below[: len(steps)] == steps and not isinstance(_value_at(self.file.clauses, below), (dict, list)):
                yield strict_yaml.Spot(*spot)


def _value_at(data: Any, steps: strict_yaml.Steps) -> Any:
    for step in steps:
        data = data[step]
    return data


def _is_same(value: Any, other: Any) -> bool:
    """Return whether two values are the same, down to the order of their entries."""
    return json.dumps(value) == json.dumps(other)
