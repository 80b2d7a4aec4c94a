"""Coding desk: the state of a source for the form, one answer at a time written into clauses.yaml, and undone.

Nothing is written if the clauses of the question are not what the form has seen. Clauses and history are exchanged
together: whoever is killed in between leaves the old or the new ones.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from edition.coding.checker import check_folder
from edition.coding.form_rows import (
    FormAnswer,
    SilentAnswers,
    UnknownRow,
    name_field,
    name_form_fields,
    plan_answer,
    plan_silence,
)
from edition.coding.form_state import compute_fingerprints, describe_clause_letters, describe_rows, describe_source
from edition.coding.history import HISTORY_FILE, History, NotUndone, fingerprint
from rulebook.checks.coverage import compute_coverage
from rulebook.clause_edits import CannotEdit
from rulebook.io.transactions import REFUSED_PATHS, recover_folder, replace_files
from rulebook.io.yaml_cache import reuse_parsed_yaml
from rulebook.problems import Problem
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.row_checks import (
    assemble_edited,
    find_unproved_numbers,
    find_unquoted_numbers,
    list_idle_silences,
)
from rulebook.sheets.rows import list_sheet_rows
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import SOURCE_FILE_PATTERNS, find_files
from rulebook.spelling import SPELLING, read_spelling

_Given = TypeVar("_Given")
_CLAUSES = "clauses.yaml"
_SIGLUM = re.compile(r"[A-Z]{2,6}")
#: What the form needs of a folder of sources; answers are read from the file of the one source each time.
_READ_PATTERNS = tuple(pattern for pattern in SOURCE_FILE_PATTERNS if not pattern.endswith(_CLAUSES))


class NotWritten(Exception):
    """Something that was not written: why, the way out, and what the form needs to go on."""

    def __init__(self, what: str, way_out: str, **more: Any) -> None:
        self.what, self.way_out, self.more = what, way_out, more
        super().__init__(what)


class NotShown(NotWritten):
    """A source that there is not, or that the form cannot show."""


class ClausesChanged(NotWritten):
    """The file is another than the form has seen; `more` has both versions of the clause."""


class ClausesHeld(NotWritten):
    """The file cannot be read or written just now: another program may have it open."""


@dataclass(frozen=True)
class _Library:
    """The sources as they were read, and the times of their files by which a change is noticed."""

    times: tuple[tuple[str, int, int], ...]
    case: AssembledLibrary


class CodingDesk:
    """Codes the sources of one folder, one request after the other."""

    def __init__(self, root: Path, check: Callable[[Path, bool], list[Problem]] = check_folder) -> None:
        self.root, self.check = root, check
        self.gate = threading.RLock()  #: nobody reads or writes while another does
        self._library: _Library | None = None

    def list_sources(self) -> list[str]:
        """List the sigla of the sources that there are."""
        return sorted(path.parent.name for path in self.root.glob("*/source.yaml") if self.has_source(path.parent.name))

    def has_source(self, siglum: str) -> bool:
        """Return whether there is a source of this siglum, with a file of clauses."""
        return bool(_SIGLUM.fullmatch(siglum)) and (self.root / siglum / _CLAUSES).is_file()

    def describe(self, siglum: str) -> dict[str, Any]:
        """Return all that the form shows of a source. Raises NotWritten."""
        with self.gate:
            context = self._open(siglum)
            return describe_source(context) | self._describe_now(context)

    # ---- writing
    def write_answer(self, siglum: str, given: FormAnswer) -> dict[str, Any]:
        """Write an answer into clauses.yaml; return what the form shows then. Raises NotWritten."""
        with self.gate:
            context = self._open(siglum)
            if not _is_still_seen(context, given):
                raise self._describe_conflict(context, given)
            after, remarks = self._apply_answer(context, given)
            if after != context.letters:
                what = f"{given.question}: {given.cells.get('answer', '')}"
                self._write(context, after, given.question, what)
            outcome = {"written": after != context.letters, "remarks": remarks, "before": fingerprint(context.letters)}
            return self._describe_now(self._open(siglum)) | outcome

    def mark_silent(self, siglum: str, given: SilentAnswers) -> dict[str, Any]:
        """Write of unread questions that the source is silent, in one step. Raises NotWritten."""
        with self.gate:
            context = self._open(siglum)
            if fingerprint(context.letters) != given.seen:
                what = f"{siglum}/{_CLAUSES} has changed since this page was opened, and nothing was written"
                out = "the list shows the file as it is now; look what is left, and mark it again"
                raise ClausesChanged(what, out, now=self._describe_now(context))
            edits = _plan(plan_silence, context, given)
            after, many = edits.apply(context.letters), len(given.questions)
            what = f"{many} {'question' if many == 1 else 'questions'} marked as silent"
            self._write(context, after, "", what)
            now = self._describe_now(self._open(siglum))
            return now | {"marked": many} | self._describe_idle(siglum, after, edits)

    def count_unquoted(self, siglum: str) -> dict[str, int]:
        """Count the sentences that no answer quotes yet, and those quoted in part, as `check` does."""
        with self.gate:
            letters = self._open(siglum).letters
            with reuse_parsed_yaml():
                case = assemble_edited(self.root, siglum, letters)
        if case is None:
            raise NotShown(f"{siglum} cannot be read", "correct what is wrong, and load the page again")
        account = compute_coverage(case.library, siglum)
        return {"total": account.total, "untouched": account.left, "partly": account.partly_quoted}

    def _apply_answer(self, context: SheetContext, given: FormAnswer) -> tuple[str, list[str]]:
        """Return the letters of clauses.yaml with an answer, and what follows unasked. Raises NotWritten."""
        edits = _plan(plan_answer, context, given)
        try:
            after = edits.apply(context.letters)
        except CannotEdit as fault:
            raise NotWritten(fault.what, fault.way_out) from fault
        _refuse_fields(self._prove_numbers(context, after, edits))
        return after, edits.remarks

    def _prove_numbers(self, context: SheetContext, after: str, edits: ClauseEdits) -> Iterable[Problem]:
        """Find the numbers of an answer for which its words do not speak, as a sheet is asked for them."""
        siglum = context.source.siglum
        with reuse_parsed_yaml():
            case = assemble_edited(self.root, siglum, after) if after != context.letters else None
        return find_unproved_numbers(case, siglum, edits) if case else ()

    def _describe_idle(self, siglum: str, letters: str, edits: ClauseEdits) -> dict[str, Any]:
        """Describe the silences where another answer of the source rules the question out."""
        with reuse_parsed_yaml():
            case = assemble_edited(self.root, siglum, letters)
        idle = list_idle_silences(case, siglum, edits) if case else []
        remark = f"an answer of your own rules some of them out, and Not applicable says it better: {', '.join(idle)}"
        ruled_out = [
            dict(zip(("question", "why"), silence.rstrip(")").split(" (", 1), strict=True)) for silence in idle
        ]
        return {"remarks": [remark] * bool(idle), "idle": ruled_out}

    def undo(self, siglum: str, seen: str) -> dict[str, Any]:
        """Take the last answer back; return what the form shows then. Raises NotWritten."""
        with self.gate:
            context = self._open(siglum)
            if fingerprint(context.letters) != seen:
                what = f"{siglum}/{_CLAUSES} has changed since this page was opened, and nothing was undone"
                out = "the page shows the file as it is now, and beside Undo what it would take back"
                raise ClausesChanged(what, out, now=self._describe_now(context))
            try:
                edit, before = self._read_history(siglum).undo(context.letters)
            except NotUndone as fault:
                raise NotWritten(fault.what, fault.way_out) from fault
            self._write(context, before, edit.question, f"undone: {edit.what}", edit.number)
            return self._describe_now(self._open(siglum)) | {"undone": edit.what, "question": edit.question}

    def find_problems(self, siglum: str, deals: bool = True) -> list[dict[str, Any]]:
        """Return all that `check` says, that of this source first; without deals it is there sooner."""
        folder = f"{self.root.name}/{siglum}/"
        problems = [
            _describe_problem(problem) | {"own": problem.file.startswith(folder)}
            for problem in self.check(self.root, deals)
        ]
        own = [problem | {"out": name_form_fields(problem["out"])} for problem in problems if problem["own"]]
        return own + [problem for problem in problems if not problem["own"]]

    def _write(self, context: SheetContext, after: str, question: str, what: str, undoes: int = 0) -> None:
        """Exchange clauses and history, both or neither. Raises NotWritten."""
        siglum = context.source.siglum
        edit = self._read_history(siglum).record(context.letters, after, question, what, undoes)
        history = f"{self._read_file(siglum, HISTORY_FILE)}{edit.model_dump_json()}\n"
        try:
            if self._read_file(siglum, _CLAUSES) != context.letters:
                raise ClausesChanged(f"{siglum}/{_CLAUSES} has changed just now, and nothing was written", "save again")
            files = {_CLAUSES: after, HISTORY_FILE: history}
            replace_files(self.root, {f"{siglum}/{name}": text.encode("utf-8") for name, text in files.items()})
        except OSError as fault:
            raise _explain_held(f"{siglum}/{_CLAUSES}", "written", fault) from fault

    # ---- reading
    def _open(self, siglum: str) -> SheetContext:
        """Read a source as it stands. Raises NotWritten."""
        if not self.has_source(siglum):
            raise NotShown(f"there is no source {siglum[:20]}", f"one of {', '.join(self.list_sources())}")
        try:
            recover_folder(self.root)
        except OSError as fault:
            raise _explain_held(f"{siglum}/{_CLAUSES}", "written", fault) from fault
        letters = self._read_file(siglum, _CLAUSES)
        case = self._read_library(siglum)
        library = case.library
        try:
            rows = list_sheet_rows(letters, library.questions, siglum)
        except CannotEdit as fault:
            raise NotShown(f"{siglum}/{fault.what}", fault.way_out) from fault
        published = case.registry.published
        spelling, _ = read_spelling(self.root / SPELLING)
        source = library.sources[siglum]
        return SheetContext(source, letters, rows, library.questions, [*library.sources], published, spelling)

    def _read_library(self, siglum: str) -> AssembledLibrary:
        """Read the sources; from memory if none of their files but the answers has changed."""
        times = tuple((str(path), *_stat(path)) for path in find_files(self.root, _READ_PATTERNS))
        if self._library is None or self._library.times != times:
            with reuse_parsed_yaml():
                case, problems = assemble_library(self.root)
            if case is None or siglum not in case.library.sources:
                descriptions = [_describe_problem(problem) for problem in sorted(problems)]
                raise NotShown(
                    f"{siglum} cannot be read", "correct what is wrong, and load the page again", problems=descriptions
                )
            self._library = _Library(times, case)
        return self._library.case

    def _read_file(self, siglum: str, name: str) -> str:
        """Return the letters of a file of a source; none if it is not there. Raises NotWritten."""
        try:
            return (self.root / siglum / name).read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError as fault:
            raise NotShown(f"{siglum}/{name} is not in UTF-8", "save it as UTF-8 in your editor") from fault
        except OSError as fault:
            raise _explain_held(f"{siglum}/{name}", "read", fault) from fault

    def _read_history(self, siglum: str) -> History:
        return History.parse(self._read_file(siglum, HISTORY_FILE))

    # ---- what the form is told
    def _describe_now(self, context: SheetContext) -> dict[str, Any]:
        """Return what changes with every answer: the rows, the fingerprint, what can be undone."""
        history = self._read_history(context.source.siglum)
        undoable = history.find_undoable(context.letters)
        return {
            "seen": fingerprint(context.letters),
            "rows": describe_rows(context),
            "undo": {"question": undoable.question, "what": undoable.what} if undoable else None,
            "undo_refused": "" if undoable else history.explain_refusal().what,
        }

    def _describe_conflict(self, context: SheetContext, given: FormAnswer) -> ClausesChanged:
        """Describe the clause as it is in the file now, and as the answer would make it."""
        mine, note = "", ""
        try:
            mine = describe_clause_letters(self._apply_answer(context, given)[0], context.letters, given.clause)
        except NotWritten as fault:
            faults = [f"{field['field']}: {field['what']}" for field in fault.more.get("fields", ())]
            note = "; ".join(faults or [fault.what, fault.way_out])
        what = f"{given.question} has changed in the file since this page was opened, and nothing was written"
        way_out = "compare the two, and keep one: your answer is still in the form"
        theirs = describe_clause_letters(context.letters, "", given.clause)
        return ClausesChanged(what, way_out, theirs=theirs, mine=mine, note=note, now=self._describe_now(context))


def _is_still_seen(context: SheetContext, given: FormAnswer) -> bool:
    """Return whether the clauses that an answer may change are those that the form has seen."""
    now = compute_fingerprints(context)
    host = given.rival.goes_with if given.rival else ""
    return now.get(given.question, "") == given.seen and (host not in now or now[host] == given.seen_with)


def _plan(plan: Callable[[SheetContext, _Given], ClauseEdits], context: SheetContext, given: _Given) -> ClauseEdits:
    """Plan what the form has sent. Raises NotWritten."""
    try:
        edits = plan(context, given)
        _refuse_fields([*edits.problems, *find_unquoted_numbers(context.source, edits.unread)])
        return edits
    except UnknownRow as fault:
        raise NotWritten(f"{fault.args[0]}, and nothing was written", "load the page again") from fault
    except CannotEdit as fault:
        raise NotWritten(fault.what, fault.way_out) from fault


def _refuse_fields(problems: Iterable[Problem]) -> None:
    """Refuse what is wrong with the fields of the form, all at once. Raises NotWritten."""
    if fields := [{"field": name_field(problem), "what": problem.what, "out": problem.way_out} for problem in problems]:
        raise NotWritten("nothing was written", "correct what is marked, and save again", fields=fields)


def _explain_held(name: str, done: str, fault: OSError) -> ClausesHeld:
    """Explain that a file was not to be had; on Windows whoever opens it may keep others out."""
    if fault.errno in REFUSED_PATHS:
        return ClausesHeld(f"{fault.filename} {fault.strerror}", "then save again; your answer is still in the form")
    what = f"{name} cannot be {done} just now ({fault.strerror or fault}), and nothing was changed"
    return ClausesHeld(
        what, "another program may hold it: close it there, and save again; your answer is still in the form"
    )


def _describe_problem(problem: Problem) -> dict[str, Any]:
    return {"place": f"{problem.file}:{problem.line}:{problem.column}", "what": problem.what, "out": problem.way_out}


def _stat(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size
