"""The shape of every YAML file as JSON Schema, so that an editor completes, explains and underlines while one types.

    python -m rulebook.json_schema      write them into sources/schema/

They are made from the records that read the files, and from the questions: nothing is said twice. What goes beyond the
shape of a file (whether a quotation stands in its sentence) only `check` can tell.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeAlias

from pydantic import BaseModel

from rulebook import model
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.games import find_library_game
from rulebook.io.files import replace_file
from rulebook.library_settings import read_settings
from rulebook.load import load_library
from rulebook.model import Library, Question
from rulebook.schema import history_records, reference_records
from rulebook.schema import records as shapes
from rulebook.schema.records import Record
from rulebook.sources.paths import find_working_library

SCHEMAS_FOLDER = "schema"  #: in a library
DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: Entries that take one word of a closed list, by record and name.
CLOSED_ENTRIES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("ClauseRecord", "status"): model.STATUSES,
    ("ClauseRecord", "cert"): model.CERTAINTIES,
    ("RivalRecord", "cert"): model.CERTAINTIES,
    ("OptionRecord", "cert"): model.CERTAINTIES,
    ("CiteRecord", "role"): model.CITATION_ROLES,
    ("CiteRecord", "view"): model.VIEWS,
    ("PrintedRecord", "view"): model.VIEWS,
    ("NoteRecord", "kind"): model.NOTE_KINDS,
    ("StandingRecord", "kind"): model.STANDINGS,
}
SchemaKind: TypeAlias = tuple[type[BaseModel], str, str]
#: File -> what a record of it is, and how the file holds them: alone, in a list, or each under its id.
SCHEMA_KINDS: Mapping[str, SchemaKind] = {
    "source": (shapes.SourceRecord, "alone", "The record of a source"),
    "clauses": (shapes.ClauseRecord, "list", "What a source says, clause by clause"),
    "questions": (shapes.QuestionRecord, "by id", "The questions on which sources are compared"),
    "notes": (shapes.NoteRecord, "list", "Remarks of the editors"),
    "statements": (shapes.StatementRecord, "list", "The rules of a source in copyright, in our own words"),
    "printed": (shapes.PrintedRecord, "list", "Numbers that a source prints about its own game"),
    "coverage": (shapes.StandingRecord, "by id", "What becomes of every sentence"),
    "proposed": (shapes.ProposedRecord, "alone", "What a source needs that no question has yet"),
    "library": (reference_records.LibraryRecord, "alone", "The settings of a library"),
    "tombstones": (shapes.TombstoneRecord, "list", "What became of ids that are gone"),
    "indices": (reference_records.IndicesRecord, "alone", "What the indices go by"),
    "glossary": (reference_records.TermRecord, "list", "The terms of the game"),
    "spelling": (reference_records.SpellingRecord, "alone", "Old spelling and today's"),
    "stemma": (history_records.StemmaRecord, "alone", "Who copied whom, and the evidence"),
    "attestations": (history_records.AttestationRecord, "list", "Dated mentions of the game"),
}


def build_json_schemas(library: Library) -> Mapping[str, dict[str, Any]]:
    """Build every schema, by the name of the kind; those of the game come last."""
    game, _ = find_library_game(Path(library.root))
    shapes_of_files = {**SCHEMA_KINDS, **(game.schemas if game else {})}
    kinds = game.kinds if game else {}
    return {name: _build_json_schema(kind, library, kinds) for name, kind in shapes_of_files.items()}


def _build_json_schema(kind: SchemaKind, library: Library, kinds: Iterable[str]) -> dict[str, Any]:
    record, held, title = kind
    schema = record.model_json_schema(ref_template="#/$defs/{model}")
    inner = schema.pop("$defs", {})
    records = {name: _close_lists(name, body) for name, body in {**inner, record.__name__: schema}.items()}
    for body in [shape for shape in records.values() if "answers" in shape["properties"]]:
        description = body["properties"]["answers"]["description"]
        body["properties"]["answers"] = {"$ref": "#/$defs/answers", "description": description}
        inner["answers"] = _build_answers_schema(library)
    settings, _ = read_settings(Path(library.root))
    for body in [records["QuestionRecord"]] if "QuestionRecord" in records else ():
        for key, known in (("group", settings.groups), ("affects", settings.affects)):
            body["properties"][key] |= {"enum": [*known]} if known else {}
            body["properties"][key] = dict(sorted(body["properties"][key].items()))
    if "MeasureRecord" in records:
        types = records["MeasureRecord"]["properties"]
        types["type"] = dict(sorted((types["type"] | {"enum": [*LIBRARY_KINDS, *kinds]}).items()))
    reference = {"$ref": f"#/$defs/{record.__name__}"}
    whole_file: Mapping[str, dict[str, Any]] = {
        "alone": reference,
        "list": {"type": "array", "items": reference},
        "by id": {"type": "object", "additionalProperties": reference},
    }
    shared = {"answers": inner["answers"]} if "answers" in inner else {}
    return {"$schema": DIALECT, "title": title, **whole_file[held], "$defs": {**records, **shared}}


def _find_record(name: str) -> type[Record]:
    """Return the record of a name. StopIteration if there is none."""
    waiting: list[type[Record]] = [Record]
    for record in waiting:
        waiting += record.__subclasses__()
    return next(record for record in waiting if record.__name__ == name)


def _read_descriptions(record: type[Record]) -> Iterator[tuple[str, str]]:
    """Yield every entry of a record, inherited ones included, with the comment behind it, or above it."""
    for kind in (base for base in reversed(record.__mro__) if issubclass(base, Record)):
        letters = dedent(inspect.getsource(kind))
        lines = letters.split("\n")
        (defined,) = ast.parse(letters).body
        for entry in ast.walk(defined):
            if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
                _, mark, behind = lines[(entry.end_lineno or 0) - 1].partition("  #: ")
                above = [*takewhile(lambda line: line.startswith("#:"), map(str.strip, lines[entry.lineno - 2 :: -1]))]
                description = behind if mark else "\n".join(line.removeprefix("#: ") for line in reversed(above))
                if description:
                    yield entry.target.id, description


def _close_lists(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """Describe the entries of a record and add its closed lists; drop the titles that the library makes up."""
    body.pop("title", None)
    descriptions = dict(_read_descriptions(_find_record(name)))
    for key, entry in body["properties"].items():
        entry.pop("title", None)
        if key in descriptions:
            entry["description"] = descriptions[key]
            body["properties"][key] = entry = dict(sorted(entry.items()))
        if words := CLOSED_ENTRIES.get((name, key)):
            entry["enum"] = list(words)
        if "patternProperties" in entry:
            entry["additionalProperties"] = False  # a name of another shape is a slip
    return body


def _build_answers_schema(library: Library) -> dict[str, Any]:
    """Describe every question under both its names, and how it may be answered."""
    properties = dict[str, Any]()
    for question in library.questions.values():
        properties |= {
            question.id: _build_answer_schema(question),
            question.slug: {"$ref": f"#/$defs/answers/properties/{question.id}"},
        }
    words = "Question by question: under its id, or under its name."
    return {"type": "object", "description": words, "properties": properties, "additionalProperties": False}


def _build_answer_schema(question: Question) -> dict[str, Any]:
    readings = [f"{name}: {gloss}" for name, gloss in question.readings.items()]
    words = "\n\n".join([f"{question.id} {question.slug}. {question.asks}", *readings, question.coding])
    return {"description": words.strip(), **({"enum": list(question.readings)} if question.readings else {})}


def render_json_schema(body: Mapping[str, Any]) -> str:
    """Render a schema as it stands in its file."""
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def write_json_schemas(library: Library) -> list[str]:
    """Write the schemas that are not as they should be; return their kinds."""
    folder, written = Path(library.root) / SCHEMAS_FOLDER, list[str]()
    for kind, body in build_json_schemas(library).items():
        path, letters = folder / f"{kind}.schema.json", render_json_schema(body)
        if not path.is_file() or path.read_text(encoding="utf-8") != letters:
            replace_file(path, letters)
            written.append(kind)
    return written


def main() -> int:
    """Write all of them."""
    library, problems = load_library(find_working_library())
    if library is None:
        sys.stderr.write("\n".join(map(str, problems)) + "\n")
        return 1
    sys.stdout.write(f"{len(write_json_schemas(library))} schemas changed in {SCHEMAS_FOLDER}/\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
