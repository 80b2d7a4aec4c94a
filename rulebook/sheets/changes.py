"""From changed rows to edits of clauses.yaml: which clauses change, split or go, and which are new."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulebook.answers.values import Wrong, read_value
from rulebook.clause_edits import CannotEdit, ClauseFields, take_questions_from
from rulebook.grouping import group_pairs
from rulebook.model import CERTAINTIES, DOUBTFUL_STATUSES, SPOKEN_STATUSES, STATUSES
from rulebook.program_name import name_command
from rulebook.quotations import list_loci, select_loci
from rulebook.sheets.bundles import BundlePlanner, part_bundled
from rulebook.sheets.citing import WordFinder, merge_citations
from rulebook.sheets.columns import (
    COLUMN_BY_NAME,
    SHARED_COLUMNS,
    STATUS_OF_MARK,
    TEXT_COLUMNS,
    UNREAD_REASON,
    WORD_COLUMNS,
)
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.held_rivals import list_alternatives
from rulebook.sheets.reading import ChangedRow, RefusedCell
from rulebook.sheets.rivals import RivalDraft, RivalPlanner, has_rival, withdraws_rival
from rulebook.sheets.rows import list_held_citations
from rulebook.sheets.typed_answers import TypedAnswer
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

#: What a question that leaves its clause does not take along: other readings, and a review of something else.
_LEFT_BEHIND = frozenset({"rivals", "options", "reviewer", "label"})
#: What belongs to a supplied answer, and goes with it; its certainty does too.
_SUPPLY_COLUMNS = ("because", "taken_from", "computation")


def plan_edits(
    context: SheetContext,
    changed: Sequence[ChangedRow],
    finder: WordFinder | None = None,
    rival: RivalDraft | None = None,
) -> ClauseEdits:
    """Plan the edits that changed rows ask for; all that cannot be done is said at once."""
    return _Planner(context, finder or WordFinder(context.source, context.spelling), rival).plan(changed)


class _Planner:
    """Turns the changed rows of one source into edits."""

    def __init__(self, context: SheetContext, finder: WordFinder, rival: RivalDraft | None) -> None:
        self.context, self.finder, self.rival, self.edits = context, finder, rival, ClauseEdits()
        self.rivals = RivalPlanner(context, self.edits, rival)
        self.taken = {*context.published, *context.clauses}

    def plan(self, changed: Sequence[ChangedRow]) -> ClauseEdits:
        """Plan every edit, clause by clause."""
        own, bundled = part_bundled(changed)
        for id, rows in group_pairs((row.base.clause, row) for row in own).items():
            if id:
                self._change_clause(id, rows)
            else:
                self._add_clauses(rows)
        bundles = BundlePlanner(self.context, self.edits)
        for row in bundled:
            bundles.put(row)
        return self.edits

    # ---- clauses
    def _change_clause(self, id: str, rows: Sequence[ChangedRow]) -> None:
        """Change a clause; rows that do not go with the others become clauses of their own."""
        old = self.context.clauses[id]
        self.edits.rows[id] = rows[0]
        gone = [row for row in rows if row.is_withdrawn("answer")]
        staying = ((_key_shared_cells(row), row) for row in rows if not row.is_withdrawn("answer"))
        groups = [*group_pairs(staying).values()]
        stays = len({row.base.key for row in rows}) < len({*old.get("answers", {}), *old.get("on", ())})
        inplace = groups[0] if groups and not stays else ()
        split = groups if stays else groups[1:]
        moved = [row.base.key for group in split for row in group] + [row.base.key for row in gone]
        self._refuse_moved_rivals(old, [row for group in split for row in group] + gone if stays or inplace else [])
        rest: ClauseFields | None = take_questions_from(old, moved) if moved else old
        if inplace and rest is not None:
            rest = self._build_fields(rest, id, inplace)
        if rest != old:
            self.edits.changed[id] = rest
        for group in split:
            self._split_off(id, old, group)
        if rest is None:
            self._withdraw(id, old, gone)
        else:
            self._leave_unread(gone, id, id)

    def _add_clauses(self, rows: Sequence[ChangedRow]) -> None:
        """Add clauses for rows that have none."""
        for row in rows:
            if row.is_withdrawn("answer"):
                self._complain(row, "answer", "there is nothing to withdraw", "leave the answer empty, or write ?")
            elif row.cells["answer"] in ("", "?") and not row.cells["words"]:
                self._complain(row, "answer", "is missing", "write the answer, or empty the other cells of the row")
            else:
                fields = self._build_fields({}, self._take_id(row.base.question), [row])
                self.edits.added.append(("", fields))

    def _split_off(self, id: str, old: ClauseFields, group: Sequence[ChangedRow]) -> None:
        """Add the clause that rows of another one become."""
        silent = group[0].cells["answer"] in STATUS_OF_MARK
        left = _LEFT_BEHIND | {"cites"} if silent else _LEFT_BEHIND
        plain = {name: value for name, value in old.items() if name not in left}
        fields = self._build_fields(plain, self._take_id(group[0].base.question), group)
        self.edits.added.append((id if self._stays(id) else "", fields))

    def _stays(self, id: str) -> bool:
        return self.edits.changed.get(id, {}) is not None

    def _withdraw(self, id: str, old: ClauseFields, gone: Sequence[ChangedRow]) -> None:
        """Take a clause out. The id of a draft may stand for something else: for what is not collated any more."""
        if id in self.context.published:
            self.edits.withdrawn += [id, *(str(alternative["id"]) for alternative in list_alternatives(old))]
            self._leave_unread(gone, id, "")
        elif keys := [row.base.key for row in gone if not self._is_answered_elsewhere(row)]:
            self.edits.changed[id] = self._build_unread(id, keys, gone[0])

    def _leave_unread(self, gone: Iterable[ChangedRow], id: str, after: str) -> None:
        """Leave questions that nothing answers any more as not collated."""
        for row in gone:
            if not self._is_answered_elsewhere(row):
                fields = self._build_unread(self._take_id(row.base.question), [row.base.question], row)
                self.edits.added.append((after, fields))

    def _is_answered_elsewhere(self, row: ChangedRow) -> bool:
        others = [other.clause for other in self.context.rows if other.question == row.base.question]
        return any(clause != row.base.clause and self._stays(clause) for clause in others)

    def _build_unread(self, id: str, keys: list[str], row: ChangedRow) -> ClauseFields:
        coder = row.base.cells["coder"] or self._coders()[0]
        return {"id": id, "on": keys, "status": "not-collated", "cert": "low", "coder": coder, "because": UNREAD_REASON}

    def _refuse_moved_rivals(self, old: ClauseFields, rows: Iterable[ChangedRow]) -> None:
        """Refuse to take a question from a clause whose rivals answer it too: they would lose what they rival."""
        for row in rows:
            for alternative in list_alternatives(old):
                if row.base.key in alternative["answers"]:
                    what = f"{alternative['id']} is another way to answer it, and would be left behind"
                    hint = "change all rows of the clause alike, or the clause in clauses.yaml"
                    self._complain(row, "answer", what, hint)
                    break

    def _take_id(self, question: str) -> str:
        """Take an id that nothing ever had: the number of the question, or that and some hundreds."""
        number, siglum = int(question[1:]), self.context.source.siglum
        wanted = [*range(number, 1000, 100), *range(999, 0, -1)]
        id = next((id for id in (f"{siglum}.c{candidate:03d}" for candidate in wanted) if id not in self.taken), "")
        if not id:
            raise CannotEdit(f"{siglum} has used up its thousand ids", "use a clause that is there")
        self.taken.add(id)
        return id

    # ---- entries
    def _build_fields(self, old: ClauseFields, id: str, rows: Sequence[ChangedRow]) -> ClauseFields:
        """Build the entries of a clause from what it was, and rows that agree in how they are answered."""
        first = rows[0]
        self.edits.rows[id] = first
        status = self._decide_status(first)
        fields: dict[str, Any] = {**old, "id": id}
        fields.pop("answers", None)
        fields.pop("on", None)
        answers = {row.base.key: value for row in rows if (value := self._read_answer(row)) is not None}
        on = [row.base.key for row in rows if row.base.key not in answers]
        fields |= {name: value for name, value in (("answers", self._keep_order(old, answers)), ("on", on)) if value}
        fields |= {"status": status, "cert": self._read_certainty(first, status), "coder": self._read_coder(first)}
        for name in TEXT_COLUMNS:
            entry = COLUMN_BY_NAME[name].entry
            if entry not in ("status", "cert", "coder") and (first.is_changed(name) or entry not in fields):
                fields[entry] = first.cells[name]
        if _takes_supply_back(first, status):
            fields |= {COLUMN_BY_NAME[name].entry: "" for name in _SUPPLY_COLUMNS if not first.is_changed(name)}
        self._complete(fields, first, status)
        self._set_citations(fields, first, status)
        for row in rows:
            self.rivals.set_rival(fields, row)
        self._refuse_incomplete(fields, first, status)
        return {name: value for name, value in fields.items() if value not in ("", [], {})}

    def _keep_order(self, old: ClauseFields, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        before = [key for key in old.get("answers", {}) if key in answers]
        return {key: answers[key] for key in (*before, *(key for key in answers if key not in before))}

    def _decide_status(self, row: ChangedRow) -> str:
        """Return the status that is written, or that follows from the answer."""
        written, answer = row.cells["status"].casefold(), row.cells["answer"]
        meant = STATUS_OF_MARK.get(answer, "")
        left = not row.is_changed("status")
        if written and written not in STATUSES:
            hint = did_you_mean(written, STATUSES, "use one of: " + ", ".join(STATUSES))
            self._complain(row, "status", f"{quote_value(written)} is no status", hint)
            return meant or "stated"
        if meant and (left or written in ("", meant)):
            return meant
        if meant:
            self._complain(row, "status", f"{answer} is {meant}, not {written}", "empty it, or write the answer")
        elif has_rival(row) and written not in DOUBTFUL_STATUSES:
            if written and not left:
                what = f"is {written}, and there is another answer"
                self._complain(row, "status", what, "empty it, or write ambiguous or contradictory")
            return "ambiguous"
        elif not written or (left and _is_outdated(written, row)):
            if written in DOUBTFUL_STATUSES:
                what = f"{row.base.question} was {written}, and is stated now that its other reading is withdrawn"
                self.edits.remarks.append(f"{what}: change its status if it is not said there outright")
            return "stated"
        elif written in ("inapplicable", "not-collated"):
            self._complain(row, "status", f"is {written}, and there is an answer", "empty the status, or the answer")
        return written

    def _read_answer(self, row: ChangedRow) -> Any:
        """Return the answer as data for the file; None where the row gives a reason only, or is wrong."""
        text = row.cells["answer"]
        if text in STATUS_OF_MARK:
            return None
        old = self.context.clauses.get(row.base.clause, {}).get("answers", {}).get(row.base.key)
        if not row.is_changed("answer") and old is not None:
            return old
        try:
            typed = self.context.read_answer(row.base, text)
            return old if old is not None and self._means(old, typed) else typed.raw
        except Wrong as wrong:
            self.edits.unread.append(row)
            self._complain(row, "answer", wrong.what, wrong.way_out)
            return None

    def _means(self, old: Any, typed: TypedAnswer) -> bool:
        """Return whether an answer of the file is what was typed; one of another kind, of an earlier form, is not."""
        try:
            return read_value(typed.question, old, self.context.slug_of) == typed.value
        except Wrong:
            return False

    def _read_certainty(self, row: ChangedRow, status: str) -> str:
        left = _takes_supply_back(row, status) and not row.is_changed("certainty")
        written = "" if left else row.cells["certainty"].casefold()
        if written and written not in CERTAINTIES:
            hint = did_you_mean(written, CERTAINTIES, "use one of: " + ", ".join(CERTAINTIES))
            self._complain(row, "certainty", f"{quote_value(written)} is no certainty", hint)
        return written or ("low" if status == "not-collated" else "high")

    def _coders(self) -> list[str]:
        coders = self.context.source.record.get("coders")
        return [str(coder["id"]) for coder in coders] if isinstance(coders, (list, tuple)) else []

    def _read_coder(self, row: ChangedRow) -> str:
        written, known = row.cells["coder"], self._coders()
        if written and written not in known:
            hint = did_you_mean(written, known, f"{self.context.source.siglum}/source.yaml lists {', '.join(known)}")
            self._complain(row, "coder", f"there is no coder {quote_value(written)}", hint)
        return written or next(iter(known), "")

    def _complete(self, fields: dict[str, Any], row: ChangedRow, status: str) -> None:
        """Fill in what follows from the status, and take out what belonged to another."""
        before = row.base.cells["status"] or "not-collated"
        if status == "silent" and not fields.get("searched"):
            loci = list_loci(self.context.source)
            if not loci:
                what, siglum = "there is no text to be silent", self.context.source.siglum
                self._complain(row, "answer", what, f"{name_command(f'import-text {siglum}')} turns one into sentences")
            fields["searched"] = f"{loci[0]}-{loci[-1]}" if loci else ""
        elif status != "silent" and before == "silent" and not row.is_changed("searched"):
            fields["searched"] = ""
        if status != "silent" and before == "silent" and not row.is_changed("taken_from"):
            fields["taken_from"] = ""
        if status == "not-collated":
            fields["because"] = fields.get("because") or UNREAD_REASON
        elif str(fields.get("because", "")).strip() == UNREAD_REASON:
            fields["because"] = ""

    def _set_citations(self, fields: dict[str, Any], row: ChangedRow, status: str) -> None:
        """Set the citations that have cells; further ones stay."""
        cites, held = fields.get("cites", []), list_held_citations(fields.get("cites", []))
        spoken, edited = status in SPOKEN_STATUSES, row.is_changed("words", "place")
        if not spoken and (filled := _find_words_typed(row, status)):
            what = f"the answer is {row.cells['answer'] or status}, and words are cited for it"
            self._complain(row, filled, what, "empty `words` and `place`, or write the answer")
            return
        changed: dict[int, Mapping[str, Any] | None] = {}
        for at, columns in enumerate(WORD_COLUMNS):
            old = cites[held[at]] if at < len(held) else {}
            if edited and not spoken and not row.cells["words"] + row.cells["place"]:
                changed[at] = None  # with the first the others go too
            elif row.is_changed(*columns) or (spoken and at == 0 and not old):
                changed[at] = self._cite(row, columns, old)
        if row.cells["words_3"] and not (row.cells["words_2"] or row.cells["place_2"]):
            self._complain(row, "words_3", "words_2 is empty", "write these words there")
        fields["cites"] = merge_citations(cites, held, changed)

    def _cite(self, row: ChangedRow, columns: tuple[str, str], old: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the citation of two cells: none if they take back what was cited, the old one if they are wrong."""
        (words, place), number = (row.cells[name] for name in columns), columns[0].removeprefix("words")
        if (number and row.is_withdrawn(columns[0])) or (row.cells["answer"] in STATUS_OF_MARK and not words + place):
            return None
        try:
            role, view = str(old.get("role", "grounds")), str(old.get("view", "diplomatic"))
            citation = self.finder.cite(words, place, role, view)
        except RefusedCell as fault:
            way_out = fault.way_out.replace("`place`", f"`{columns[1]}`")
            self._complain(row, fault.column + number, fault.what, way_out)
            return old
        if row.is_changed(columns[1]) and place and place.partition("-")[0].strip() != citation["locus"]:
            what = f"the words do not stand in {place}"
            self._complain(row, columns[1], what, f"they stand in {citation['locus']}: write that, or leave it empty")
        return citation

    def _refuse_incomplete(self, fields: ClauseFields, row: ChangedRow, status: str) -> None:
        """Refuse what `check` would refuse afterwards, where it is a matter of one row."""
        whence = (*self.context.sigla, "practice", "logic")
        if fields.get("taken_from") and fields["taken_from"] not in whence:
            hint = did_you_mean(fields["taken_from"], whence, f"use one of: {', '.join(whence)}")
            self._complain(row, "taken_from", f"{quote_value(fields['taken_from'])} is no origin", hint)
        if status == "silent" and fields.get("answers"):
            if not fields.get("taken_from"):
                what = "the source is silent and an answer is supplied, but not from where"
                self._complain(row, "taken_from", what, f"write one of: {', '.join(whence)}")
            if not fields.get("because"):
                self._complain(row, "because", "an answer is supplied without a reason", "say why")
        if status == "inapplicable" and not fields.get("because"):
            self._complain(row, "because", "no reason is given", "say which answer of the source rules it out")
        if status in DOUBTFUL_STATUSES and not (fields.get("rivals") or has_rival(row) or self.rival):
            self._refuse_without_rival(row, status)
        elif status in DOUBTFUL_STATUSES and not fields.get("because"):
            self._complain(row, "because", "the words can be read in two ways", "say why this one is preferred")
        if status == "silent":
            self._refuse_unknown_range(str(fields.get("searched", "")), row)

    def _refuse_without_rival(self, row: ChangedRow, status: str) -> None:
        """Refuse to call words ambiguous, or contradictory, that have no other reading of their own."""
        if row.bundled:
            what = f"is {status}, and the doubt is that of the other question"
            self._complain(row, "status", what, "empty it, or write how the words say the answer: stated, implied ...")
            return
        hint = "fill `other_answer` and `other_because`: what the words may also mean, and why"
        self._complain(row, "other_answer", f"the answer is {status}, and the other one is missing", hint)
        if not row.cells["because"]:
            self._complain(row, "because", "the words can be read in two ways", "say why this one is preferred")

    def _refuse_unknown_range(self, searched: str, row: ChangedRow) -> None:
        loci = list_loci(self.context.source)
        for part in re.split(r"[,\s]+", searched.strip()) if loci else ():
            first, _, last = part.partition("-")
            if part and not select_loci(self.context.source, first, last):
                what = f"{quote_value(part)} is no range of {self.context.source.siglum}"
                self._complain(row, "searched", what, f"write it like {loci[0]}-{loci[-1]}, or empty it")

    def _complain(self, row: ChangedRow, column: str, what: str, way_out: str) -> None:
        self.edits.problems.append(row.problem(column, what, way_out))


# ---- rows and answers
def _is_outdated(status: str, row: ChangedRow) -> bool:
    """Return whether a status was left standing beside an answer that it does not go with."""
    quoted = row.is_changed("words", "place") and bool(row.cells["words"] or row.cells["place"])
    withdrawn = status in DOUBTFUL_STATUSES and withdraws_rival(row)
    return status in ("inapplicable", "not-collated") or (status == "silent" and quoted) or withdrawn


def _find_words_typed(row: ChangedRow, status: str) -> str:
    """Return the column in which words are cited for no answer; empty if there are none, or were before."""
    fresh = row.base.cells["status"] != status or not (row.base.cells["words"] or row.base.cells["place"])
    further = [name for pair in WORD_COLUMNS[1:] for name in pair if row.is_changed(name)]
    return next((name for name in (*WORD_COLUMNS[0], *further) if row.cells[name] and fresh), "")


def _takes_supply_back(row: ChangedRow, status: str) -> bool:
    """Return whether a supplied answer gives way to none, or to one of the source's own."""
    supplied = bool(row.base.cells["taken_from"]) and row.base.cells["status"] == "silent"
    return supplied and (status != "silent" or row.cells["answer"] in STATUS_OF_MARK)


def _key_shared_cells(row: ChangedRow) -> tuple[str, ...]:
    """Return what rows agree in that stay one clause: everything but the answer, and whether it is one."""
    supplied = "silent" if row.cells["status"] == "silent" else "answer"  # an answer of ours, beside a silence
    kind = STATUS_OF_MARK.get(row.cells["answer"], supplied)
    alone = row.base.question if row.cells["other_answer"] else ""  # a row has cells for a reading of its own
    return (kind, alone, *(row.cells[name] for name in SHARED_COLUMNS))


def render_tombstones(ids: Iterable[str], day: str, why: str) -> str:
    """Render the entries of tombstones.yaml for ids that are gone."""
    return "".join(f'- id: {id}\n  on: "{day}"\n  why: {why}\n  see: []\n' for id in ids)
