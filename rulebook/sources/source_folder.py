"""The folder of a source: its record, text and translation, statements, notes, printed numbers, coverage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from rulebook import model
from rulebook.io.files import RESERVED_FOLDERS, is_device
from rulebook.io.strict_yaml import Positions
from rulebook.phrases import format_count
from rulebook.problems import Where
from rulebook.program_name import name_command
from rulebook.schema import records
from rulebook.sources.clauses import read_clauses
from rulebook.sources.emendations import attach_emendations
from rulebook.sources.file_reader import LibraryFileReader, freeze_data
from rulebook.sources.published_ids import hint_renaming
from rulebook.spelling import Spelling
from rulebook.strings import quote_value
from rulebook.tei.reader import read_text, read_translation
from rulebook.text import Text, Translation

COVERAGE = "coverage.yaml"


# --- a source -------------------------------------------------------------------------------------------


def read_source(
    desk: LibraryFileReader, folder: Path, questions: Mapping[str, model.Question], spelling: Spelling
) -> model.Source | None:
    """One folder: record, text, translation, statements, notes, clauses."""
    data, positions = desk.yaml(folder / "source.yaml")
    record = desk.record(records.SourceRecord, data, positions, ()) if data is not None else None
    if record is None or is_misnamed(desk, record.siglum, folder, positions):
        return None
    siglum, before = record.siglum, len(desk.problems)
    english = record.language.partition("-")[0] == "en"
    text, translation = read_words(desk, folder, spelling, may_lack=record.draft or english)
    statements = tuple(read_statements(desk, folder))
    bare = not text and not statements and len(desk.problems) == before
    notes = tuple(read_notes(desk, folder))
    before = len(desk.problems)
    clauses = tuple(read_clauses(desk, folder, siglum, questions))
    if len(desk.problems) > before:
        desk.incomplete.add(siglum)
    citing = [clause.id for clause in clauses if clause.cites]
    if bare and citing:
        what = f"is gone, and is quoted by {format_count(len(citing), 'clause')} of {siglum}, such as {citing[0]}"
        way_out = f"put it back; if it is lost, `{name_command(f'import-text {siglum}')}` makes it again from the text"
        desk.told.append(Where(desk.name(folder / "text.xml")).problem(what, way_out))
    elif bare and not record.draft:
        what, way_out = "has neither text nor statements", "add text.xml, or statements.yaml"
        desk.problems.append(positions.where(()).problem(f"{siglum} {what}", way_out))
    printed_text = model.Source(siglum, model.FrozenMap(), text=text)
    return model.Source(
        siglum=siglum,
        record=cast("Mapping[str, object]", freeze_data(data)),
        clauses=tuple(attach_emendations(printed_text, clause, spelling) for clause in clauses),
        text=text,
        translation=translation,
        statements=statements,
        notes=notes,
        printed=tuple(read_printed(desk, folder)),
        where=desk.place(positions, ()),
        coverage=model.FrozenMap(read_coverage(desk, folder)),
    )


def is_misnamed(desk: LibraryFileReader, siglum: str, folder: Path, positions: Positions) -> bool:
    """Return whether a siglum cannot stand: it begins every id of its source, and names its folder."""
    where = positions.where(("siglum",))
    if not re.fullmatch(r"[A-Z]{2,6}", siglum):
        desk.problems.append(
            where.problem(
                f"the siglum {quote_value(siglum)} is not well formed",
                "write it like ABC",
            )
        )
    elif is_device(siglum):
        desk.problems.append(where.problem(f"Windows keeps the name {siglum} for a device", "take another siglum"))
    elif siglum.casefold() in RESERVED_FOLDERS:
        desk.problems.append(where.problem(f"{siglum} is the name of another folder", "take another siglum"))
    elif siglum != folder.name:
        way_out = f"give both one name: {hint_renaming(siglum, folder.name[:40])}"
        desk.problems.append(where.problem(describe_holder(folder, "source", siglum), way_out))
    else:
        return False
    return True


def describe_holder(folder: Path, what: str, siglum: str) -> str:
    """Say that a folder holds what bears another name."""
    return f"the folder {folder.name[:40]} holds the {what} {siglum[:40]}"


def read_words(
    desk: LibraryFileReader, folder: Path, spelling: Spelling, may_lack: bool
) -> tuple[Text | None, Translation | None]:
    """The text and its translation, as far as there are any; only a draft may wait for it, and English needs none."""
    page, english = folder / "text.xml", folder / "en.xml"
    text, problems = read_text(page, spelling) if page.exists() else (None, [])
    desk.note(page, problems, lost=text is None)
    if text and text.siglum != folder.name:
        what = describe_holder(folder, "text", text.siglum)
        desk.problems.append(Where(desk.name(page)).problem(what, f'write xml:id="{folder.name}", and so in every id'))
    if text is None or (may_lack and not english.exists()):
        return text, None
    if not english.exists():
        what = f"{folder.name} is no draft, and has no translation: {english.name} is not there"
        way_out = "translate it, sentence by sentence as in the other sources; until then, put draft: true back"
        desk.problems.append(Where(desk.name(folder / "source.yaml")).problem(what, way_out))
        return text, None
    translation, problems = read_translation(english, text)
    desk.note(english, problems, lost=translation is None)
    return text, translation


def read_statements(desk: LibraryFileReader, folder: Path) -> Iterator[model.Statement]:
    """The statements of a source in copyright."""
    path = folder / "statements.yaml"
    for record, positions, steps in desk.records(records.StatementRecord, path) if path.exists() else ():
        where = desk.place(positions, steps)
        yield model.Statement(record.id, record.section, record.text.strip(), record.quote, record.quote_hash, where)


def read_notes(desk: LibraryFileReader, folder: Path) -> Iterator[model.Note]:
    """The notes on a source."""
    path = folder / "notes.yaml"
    for record, positions, steps in desk.records(records.NoteRecord, path) if path.exists() else ():
        yield model.Note(
            record.id, record.on, record.kind, record.text.strip(), record.by, desk.place(positions, steps)
        )


def read_printed(desk: LibraryFileReader, folder: Path) -> Iterator[model.Printed]:
    """The numbers that a source prints about its own game."""
    path = folder / "printed.yaml"
    for record, positions, steps in desk.records(records.PrintedRecord, path) if path.exists() else ():
        where = desk.place(positions, steps)
        cite = model.Cite(record.locus, exact=record.exact, view=record.view, where=where)
        kept = {key: getattr(record, key) for key in ("reckon", "deal", "rule", "payer", "payee")}
        yield model.Printed(
            record.id, cite, record.what, record.says, record.unit, **kept, remark=record.remark.strip(), where=where
        )


def read_coverage(desk: LibraryFileReader, folder: Path) -> Iterator[tuple[str, model.SentenceStatus]]:
    """Read the status of every sentence of a source."""
    table, positions = desk.table(folder / COVERAGE, "write every sentence under its id")
    for id, item in table.items():
        if record := desk.record(records.StandingRecord, item, positions, (id,)):
            where = positions.key((id,))
            desk.places[where] = positions, (id,)
            questions, residue, because = tuple(record.questions), record.residue.strip(), record.because.strip()
            orders = tuple(
                model.UnheldOrder(id, o.words.strip(), o.what.strip(), tuple(o.touches), o.played.strip())
                for o in record.not_held
            )
            yield id, model.SentenceStatus(id, record.kind, questions, residue, because, where, record.counsel, orders)
