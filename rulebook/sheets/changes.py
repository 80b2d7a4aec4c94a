"""From changed rows to edits of clauses.yaml: which clauses change, split or go, and which are new."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebook.answers.measures import read_value
from rulebook.answers.typed import parse_typed
from rulebook.answers.values import SlugOf, Wrong, build_slug_lookup
from rulebook.clause_edits import CannotEdit, ClauseFields, edit_clauses, read_clause_fields, take_questions_from
from rulebook.model import CERTAINTIES, SPOKEN_STATUSES, STATUSES, Question, Source
from rulebook.passage_search import fold_with_origins
from rulebook.problems import Problem
from rulebook.proposals import describe_proposals, takes_words
from rulebook.quotations import list_loci, select_loci
from rulebook.sheets.citing import NotCited, WordFinder
from rulebook.sheets.columns import (
    COLUMN_BY_NAME,
    SHARED_COLUMNS,
    STATUS_OF_MARK,
    TEXT_COLUMNS,
    UNREAD_REASON,
    WITHDRAW,
)
from rulebook.sheets.reading import ChangedRow
from rulebook.sheets.rows import SheetRow, list_alternatives
from rulebook.spelling import Spelling
from rulebook.suggestions import did_you_mean

#: What a question that leaves its clause does not take along: other readings, and a review of something else.
_LEFT_BEHIND = frozenset({"rivals", "options", "reviewer", "label"})
_NUMBER_KINDS = frozenset({"integer", "fine", "times-or-sum"})  #: kinds of answers that may be one number
_LONGEST_SHOWN = 60  #: characters of a cell in a message


@dataclass(frozen=True)
class SheetContext:
    """The source against which a sheet is read: its words, clauses and rows."""

    source: Source
    letters: str  #: of clauses.yaml
    rows: Sequence[SheetRow]
    questions: Mapping[str, Question]
    sigla: Collection[str]
    published: Collection[str]  #: every id that was ever registered
    spelling: Spelling

    def is_same_cell(self, column: str, base: SheetRow, text: str) -> bool:
        """Return whether a cell means what the file says, though in other words."""
        there = base.cells[column]
        if column == "words":
            return self._fold(text) == self._fold(there)
        if column != "answer" or text in STATUS_OF_MARK or there in STATUS_OF_MARK:
            return text.casefold() == there.casefold()
        slug_of = build_slug_lookup(self.questions.values())
        question = self.questions[slug_of(base.question)]
        try:
            values = [read_value(question, _parse_answer(question, one), slug_of) for one in (text, there)]
        except Wrong:
            return False
        return values[0] == values[1]

    def _fold(self, text: str) -> str:
        return fold_with_origins(text, self.source.language, self.spelling).text


@dataclass(frozen=True)
class RivalDraft:
    """Another way to read the words of a row, as somebody has typed it; a sheet has no cell for it."""

    question: str
    answer: str
    label: str
    because: str
    preferred: str  #: what the answer itself is called beside it


@dataclass
class ClauseEdits:
    """The edits of a sheet, and what stands in their way."""

    changed: dict[str, ClauseFields | None] = field(default_factory=dict)
    added: list[tuple[str, ClauseFields]] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)  #: ids that are gone: clauses, and their rivals
    rows: dict[str, ChangedRow] = field(default_factory=dict)  #: id of a clause -> the first row that changes it
    problems: list[Problem] = field(default_factory=list)

    def apply(self, letters: str) -> str:
        """Return the letters of clauses.yaml with every edit made. Raises CannotEdit."""
        return edit_clauses(letters, self.changed, self.added)


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
        self.by_id = read_clause_fields(context.letters)
        self.slug_of: SlugOf = build_slug_lookup(context.questions.values())
        self.taken = {*context.published, *self.by_id}

    def plan(self, changed: Sequence[ChangedRow]) -> ClauseEdits:
        """Plan every edit, clause by clause."""
        by_clause: dict[str, list[ChangedRow]] = {}
        for row in changed:
            by_clause.setdefault(row.base.clause, []).append(row)
        for id, rows in by_clause.items():
            if id:
                self._change_clause(id, rows)
            else:
                self._add_clauses(rows)
        return self.edits

    # ---- clauses
    def _change_clause(self, id: str, rows: Sequence[ChangedRow]) -> None:
        """Change a clause; rows that do not go with the others become clauses of their own."""
        old = self.by_id[id]
        self.edits.rows[id] = rows[0]
        gone = [row for row in rows if _is_withdrawn(row)]
        groups = _group_rows(row for row in rows if not _is_withdrawn(row))
        stays = len({row.base.key for row in rows}) < len({*old.get("answers", {}), *old.get("on", ())})
        inplace = groups[0] if groups and not stays else []
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
            if _is_withdrawn(row):
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
            self.edits.withdrawn += [id, *(str(one["id"]) for one in list_alternatives(old))]
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
        others = [one.clause for one in self.context.rows if one.question == row.base.question]
        return any(one != row.base.clause and self._stays(one) for one in others)

    def _build_unread(self, id: str, keys: list[str], row: ChangedRow) -> ClauseFields:
        coder = row.base.cells["coder"] or self._coders()[0]
        return {"id": id, "on": keys, "status": "not-collated", "cert": "low", "coder": coder, "because": UNREAD_REASON}

    def _refuse_moved_rivals(self, old: ClauseFields, rows: Iterable[ChangedRow]) -> None:
        """Refuse to take a question from a clause whose rivals answer it too: they would lose what they rival."""
        for row in rows:
            for one in list_alternatives(old):
                if row.base.key in one["answers"]:
                    what = f"{one['id']} is another way to answer it, and would be left behind"
                    hint = "change all rows of the clause alike, or the clause in clauses.yaml"
                    self._complain(row, "answer", what, hint)
                    break

    def _take_id(self, question: str) -> str:
        """Take an id that nothing ever had: the number of the question, or that and some hundreds."""
        number, siglum = int(question[1:]), self.context.source.siglum
        wanted = [*range(number, 1000, 100), *range(999, 0, -1)]
        id = next((id for id in (f"{siglum}.c{one:03d}" for one in wanted) if id not in self.taken), "")
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
        self._complete(fields, first, status)
        self._set_citations(fields, first, status)
        for row in rows:
            if self.rival and row.base.question == self.rival.question:
                self._add_rival(fields, row, self.rival)
        self._refuse_incomplete(fields, first, status)
        return {name: value for name, value in fields.items() if value not in ("", [], {})}

    def _keep_order(self, old: ClauseFields, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        before = [key for key in old.get("answers", {}) if key in answers]
        return {key: answers[key] for key in (*before, *(key for key in answers if key not in before))}

    def _decide_status(self, row: ChangedRow) -> str:
        """Return the status that is written, or that follows from the answer."""
        written, answer = row.cells["status"].casefold(), row.cells["answer"]
        meant = STATUS_OF_MARK.get(answer, "")
        if written and written not in STATUSES:
            hint = did_you_mean(written, STATUSES, "use one of: " + ", ".join(STATUSES))
            self._complain(row, "status", f"{written[:_LONGEST_SHOWN]!r} is no status", hint)
            return meant or "stated"
        if meant and (written in ("", meant) or not row.is_changed("status")):
            return meant
        if meant:
            self._complain(row, "status", f"{answer} is {meant}, not {written}", "empty it, or write the answer")
        elif not written or (not row.is_changed("status") and _is_outdated(written, row)):
            return "stated"
        elif written in ("inapplicable", "not-collated"):
            self._complain(row, "status", f"is {written}, and there is an answer", "empty the status, or the answer")
        return written

    def _read_answer(self, row: ChangedRow) -> Any:
        """Return the answer as data for the file; None where the row gives a reason only, or is wrong."""
        text = row.cells["answer"]
        if text in STATUS_OF_MARK:
            return None
        old = self.by_id.get(row.base.clause, {}).get("answers", {}).get(row.base.key)
        if not row.is_changed("answer") and old is not None:
            return old
        question = self.context.questions[self.slug_of(row.base.question)]
        try:
            raw = _parse_answer(question, text)
            value = read_value(question, raw, self.slug_of)
            return old if old is not None and read_value(question, old, self.slug_of) == value else raw
        except Wrong as wrong:
            hint = _improve_hint(question, text, wrong.way_out)
            if takes_words(question):
                hint += f"; {describe_proposals(self.context.source.siglum, question)}"
            self._complain(row, "answer", wrong.what, hint)
            return None

    def _read_certainty(self, row: ChangedRow, status: str) -> str:
        written = row.cells["certainty"].casefold()
        if written and written not in CERTAINTIES:
            hint = did_you_mean(written, CERTAINTIES, "use one of: " + ", ".join(CERTAINTIES))
            self._complain(row, "certainty", f"{written[:_LONGEST_SHOWN]!r} is no certainty", hint)
        return written or ("low" if status == "not-collated" else "high")

    def _coders(self) -> list[str]:
        coders = self.context.source.record.get("coders")
        return [str(one["id"]) for one in coders] if isinstance(coders, (list, tuple)) else []

    def _read_coder(self, row: ChangedRow) -> str:
        written, known = row.cells["coder"], self._coders()
        if written and written not in known:
            hint = did_you_mean(written, known, f"{self.context.source.siglum}/source.yaml lists {', '.join(known)}")
            self._complain(row, "coder", f"there is no coder {written[:_LONGEST_SHOWN]!r}", hint)
        return written or next(iter(known), "")

    def _complete(self, fields: dict[str, Any], row: ChangedRow, status: str) -> None:
        """Fill in what follows from the status, and take out what belonged to another."""
        before = row.base.cells["status"] or "not-collated"
        if status == "silent" and not fields.get("searched"):
            known = list_loci(self.context.source)
            if not known:
                what, siglum = "there is no text to be silent", self.context.source.siglum
                self._complain(row, "answer", what, f"reversis import-text {siglum} turns one into sentences")
            fields["searched"] = f"{known[0]}-{known[-1]}" if known else ""
        elif status != "silent" and before == "silent" and not row.is_changed("searched"):
            fields["searched"] = ""
        if status != "silent" and before == "silent" and not row.is_changed("taken_from"):
            fields["taken_from"] = ""
        if status == "not-collated":
            fields["because"] = fields.get("because") or UNREAD_REASON
        elif str(fields.get("because", "")).strip() == UNREAD_REASON:
            fields["because"] = ""

    def _set_citations(self, fields: dict[str, Any], row: ChangedRow, status: str) -> None:
        """Set the first citation from words and place; further ones stay."""
        words, place = row.cells["words"], row.cells["place"]
        old, edited = fields.get("cites", []), row.is_changed("words") or row.is_changed("place")
        if status in SPOKEN_STATUSES:
            if edited or not old:
                self._cite(fields, row, words, place, old[0] if old else {})
        elif (words or place) and row.base.cells["status"] != status:
            what = f"the answer is {row.cells['answer'] or status}, and words are cited for it"
            self._complain(row, "words", what, "empty `words` and `place`, or write the answer")
        elif edited and (words or place):
            self._cite(fields, row, words, place, old[0] if old else {})
        elif edited:
            fields["cites"] = old[1:]

    def _cite(self, fields: dict[str, Any], row: ChangedRow, words: str, place: str, old: Mapping[str, Any]) -> None:
        try:
            found = self.finder.cite(words, place, str(old.get("role", "grounds")), str(old.get("view", "diplomatic")))
        except NotCited as fault:
            self._complain(row, fault.column, fault.what, fault.way_out)
            return
        if row.is_changed("place") and place and place.partition("-")[0].strip() != found["locus"]:
            what = f"the words do not stand in {place}"
            self._complain(row, "place", what, f"they stand in {found['locus']}: write that, or leave it empty")
        fields["cites"] = [found, *fields.get("cites", [])[1:]]

    def _add_rival(self, fields: dict[str, Any], row: ChangedRow, rival: RivalDraft) -> None:
        """Add another way to read the words, and name the preferred one."""
        question = self.context.questions[self.slug_of(row.base.question)]
        try:
            raw = _parse_answer(question, rival.answer)
            same = [raw] == [fields.get("answers", {}).get(row.base.key)]
            read_value(question, raw, self.slug_of)
        except Wrong as wrong:
            self._complain(row, "rival", wrong.what, wrong.way_out)
            return
        if same:
            self._complain(
                row, "rival", "both readings have the same answer", "choose another answer for the other one"
            )
        if not (rival.label and rival.because and rival.preferred):
            what = "a name for either reading, or the reason of the other, is missing"
            self._complain(row, "rival", what, "give both a name in a few words, and say why the words may be taken so")
        one = {
            "id": self._take_rival_id(),
            "label": rival.label,
            "answers": {row.base.key: raw},
            "because": rival.because,
        }
        fields["rivals"] = [*fields.get("rivals", []), one]
        fields["label"] = rival.preferred

    def _take_rival_id(self) -> str:
        """Take the next id that no reading ever had."""
        there = {str(one["id"]) for fields in self.by_id.values() for one in list_alternatives(fields)}
        ids = (f"{self.context.source.siglum}.i{number:02d}" for number in range(1, 100))
        id = next((id for id in ids if id not in self.taken | there), "")
        if not id:
            raise CannotEdit(f"{self.context.source.siglum} has used up its ids for readings", "use one that is there")
        self.taken.add(id)
        return id

    def _refuse_incomplete(self, fields: ClauseFields, row: ChangedRow, status: str) -> None:
        """Refuse what `reversis check` would refuse afterwards, where it is a matter of one row."""
        whence = (*self.context.sigla, "practice", "logic")
        if fields.get("taken_from") and fields["taken_from"] not in whence:
            hint = did_you_mean(fields["taken_from"], whence, f"use one of: {', '.join(whence)}")
            self._complain(row, "taken_from", f"{str(fields['taken_from'])[:_LONGEST_SHOWN]!r} is no origin", hint)
        if status == "silent" and fields.get("answers"):
            if not fields.get("taken_from"):
                what = "the source is silent and an answer is supplied, but not from where"
                self._complain(row, "taken_from", what, f"write one of: {', '.join(whence)}")
            if not fields.get("because"):
                self._complain(row, "because", "an answer is supplied without a reason", "say why")
        if status == "inapplicable" and not fields.get("because"):
            self._complain(row, "because", "no reason is given", "say which answer of the source rules it out")
        if status == "ambiguous" and not fields.get("rivals"):
            what = "an ambiguous clause names its rivals, which a row cannot hold"
            hint = "write implied, and enter the other reading in the form (reversis serve)"
            self._complain(row, "status", what, hint)
        elif status == "ambiguous" and not fields.get("because"):
            self._complain(row, "because", "the words can be read in two ways", "say why this one is preferred")
        if status == "silent":
            self._refuse_unknown_range(str(fields.get("searched", "")), row)

    def _refuse_unknown_range(self, searched: str, row: ChangedRow) -> None:
        known = list_loci(self.context.source)
        for part in re.split(r"[,\s]+", searched.strip()) if known else ():
            first, _, last = part.partition("-")
            if part and not select_loci(self.context.source, first, last):
                what = f"{part[:_LONGEST_SHOWN]!r} is no range of {self.context.source.siglum}"
                self._complain(row, "searched", what, f"write it like {known[0]}-{known[-1]}, or empty it")

    def _complain(self, row: ChangedRow, column: str, what: str, way_out: str) -> None:
        self.edits.problems.append(row.problem(column, what, way_out))


# ---- rows and answers
def _is_withdrawn(row: ChangedRow) -> bool:
    return row.cells["answer"].casefold() == WITHDRAW


def _is_outdated(status: str, row: ChangedRow) -> bool:
    """Return whether a status was left standing beside an answer that it does not go with."""
    return status in ("inapplicable", "not-collated") or (status == "silent" and bool(row.cells["words"]))


def _group_rows(rows: Iterable[ChangedRow]) -> list[list[ChangedRow]]:
    """Group rows that agree in everything but the answer, and in whether it is one."""
    groups: dict[tuple[str, ...], list[ChangedRow]] = {}
    for row in rows:
        supplied = "silent" if row.cells["status"] == "silent" else "answer"  # an answer of ours, beside a silence
        kind = STATUS_OF_MARK.get(row.cells["answer"], supplied)
        key = (kind, *(row.cells[name] for name in SHARED_COLUMNS))
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _parse_answer(question: Question, text: str) -> Any:
    """Parse what was typed into plain data. Raises Wrong."""
    if question.closed or text in question.proposed:
        return text
    kind = str(question.measure["type"])
    if kind in _NUMBER_KINDS and (whole := re.fullmatch(r"(-?\d+)[.,]0+", text)):
        text = whole[1]  # 2,0 is how a spreadsheet may show 2
    return parse_typed(kind, text)


def _improve_hint(question: Question, text: str, otherwise: str) -> str:
    """Give a better hint where a spreadsheet or a habit is to blame."""
    if re.fullmatch(r"-?\d+[.,]\d+", text) and not question.closed and question.measure["type"] in _NUMBER_KINDS:
        return "sums are whole numbers, in the smallest counter of the source; several counters are reckoned into it"
    return otherwise


def render_tombstones(ids: Iterable[str], day: str, why: str) -> str:
    """Render the entries of tombstones.yaml for ids that are gone."""
    return "".join(f'- id: {id}\n  on: "{day}"\n  why: {why}\n  see: []\n' for id in ids)
