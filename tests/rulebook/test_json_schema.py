"""The schemas that editors use: made from the readers, true of every file, and complaining where check does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from rulebook.io.strict_yaml import read_yaml
from rulebook.json_schema import (
    CLOSED_ENTRIES,
    build_json_schemas,
    render_json_schema,
)
from rulebook.model import Library
from rulebook.schema.reference_records import IndexNameKind
from rulebook.sources.index_terms import INDEX_NAME_KINDS, read_register
from rulebook.sources.paths import find_sources
from tests.support.fifth_source import HERE as FIFTH

ROOT = find_sources()
#: What lies in the folder of a source.
SOURCE_FOLDER_KINDS = ("source", "clauses", "notes", "statements", "printed", "coverage", "proposed")
#: What lies beside the folders.
ROOT_KINDS = ("library", "tombstones", "indices", "glossary", "spelling", "stemma", "attestations", "counsel")
#: Which of them an editor takes for which files below sources/.
FILES: Mapping[str, str] = {
    **{name: f"*/{name}.yaml" for name in SOURCE_FOLDER_KINDS},
    "questions": "questions/*.yaml",
    **{name: f"{name}.yaml" for name in ROOT_KINDS},
}
#: Files whose schemas are written by hand.
HANDWRITTEN_SCHEMAS: Mapping[str, str] = {
    "telling": "telling.yaml",
    "deal": "**/deals/*.yaml",
    "session": "sessions/*.yaml",
}


@pytest.fixture(scope="module")
def made(library: Library) -> Mapping[str, dict[str, Any]]:
    return build_json_schemas(library)


def validator(body: dict[str, Any]) -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(body)
    return jsonschema.Draft202012Validator(body)


def data(text: str) -> object:
    found, _, problems = read_yaml(text)
    assert not problems
    return found


def test_those_in_the_repository_are_those_that_are_made(made: Mapping[str, dict[str, Any]]) -> None:
    """`python -m rulebook.json_schema` writes them."""
    for kind, body in made.items():
        assert (ROOT / "schema" / f"{kind}.schema.json").read_text("utf-8") == render_json_schema(body), kind


def test_every_entry_is_described(made: Mapping[str, dict[str, Any]]) -> None:
    for kind, body in made.items():
        for name, record in body["$defs"].items():
            assert record["description"] and record["additionalProperties"] is False
            entries = record["properties"].items()
            bare = [key for key, entry in entries if not (entry.get("description") or name == "answers")]
            assert not bare, (kind, name, bare)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_every_file_of_the_edition_has_the_shape_of_its_schema(kind: str, made: Mapping[str, dict[str, Any]]) -> None:
    folder = FIFTH if kind == "proposed" else ROOT  # the sources of the edition propose nothing
    paths = sorted(folder.glob(FILES[kind]))
    assert paths
    check = validator(made[kind])
    for path in paths:
        found, _, problems = read_yaml(path)
        assert not problems
        assert [error.message for error in check.iter_errors(found)] == [], path


CLAUSE = """\
- id: PAM.c002
  cites:
    - locus: PAM.s0003
      exact: "excepté les dix"
  answers: {Q002: without-tens}
  status: stated
  cert: high
  coder: ed1
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("status: stated", "statut: stated"),
        ("status: stated", "status: state"),
        ("cert: high", "cert: hihg"),
        ("  coder: ed1\n", ""),
        ("Q002: without-tens", "Q900: without-tens"),
        ("Q002: without-tens", "Q002: without-ten"),
        ("Q002: without-tens", "table.pack: without-ten"),
        ("locus: PAM.s0003", "lokus: PAM.s0003"),
        ("id: PAM.c002", "id: 2"),
        ('exact: "excepté les dix"', 'exact: "excepté les dix"\n      role: ground'),
    ],
)
def test_an_editor_underlines_what_check_complains_of(
    right: str, wrong: str, made: Mapping[str, dict[str, Any]]
) -> None:
    check = validator(made["clauses"])
    assert list(check.iter_errors(data(CLAUSE))) == []
    assert CLAUSE.count(right) == 1
    assert list(check.iter_errors(data(CLAUSE.replace(right, wrong)))) != []


def test_hovering_over_an_answer_tells_the_question_its_readings_and_its_procedure(
    library: Library, made: Mapping[str, dict[str, Any]]
) -> None:
    told = made["clauses"]["$defs"]["answers"]["properties"]
    for question in library.questions.values():
        assert told[question.slug] == {"$ref": f"#/$defs/answers/properties/{question.id}"}
        words = told[question.id]["description"]
        assert question.asks in words and question.coding in words
        assert all(gloss in words for gloss in question.readings.values())
        assert told[question.id].get("enum", []) == list(question.readings)


def test_closed_lists_name_entries_that_there_are() -> None:
    from rulebook.schema import records

    for record, key in CLOSED_ENTRIES:
        assert key in getattr(records, record).model_fields


def test_vs_code_takes_each_schema_for_its_files() -> None:
    path = Path(ROOT).parent / ".vscode" / "settings.json"
    settings = json.loads(path.read_text("utf-8"))["yaml.schemas"]
    every = {**FILES, **HANDWRITTEN_SCHEMAS}
    assert settings == {f"./sources/schema/{kind}.schema.json": f"sources/{files}" for kind, files in every.items()}


#: Files that no editor touches: they are written by a command, or kept as they were.
WRITTEN = ("registry.yaml", "agreement.yaml", "*/coding-ed?.yaml", "*/settled.yaml")


def test_an_editor_knows_every_file_that_is_written_by_hand() -> None:
    paths = {path for files in (*FILES.values(), *HANDWRITTEN_SCHEMAS.values(), *WRITTEN) for path in ROOT.glob(files)}
    assert {*ROOT.rglob("*.yaml")} == paths


@pytest.mark.parametrize("kind", HANDWRITTEN_SCHEMAS)
def test_files_have_the_shape_of_schemas_that_were_written_by_hand(kind: str) -> None:
    check = validator(json.loads((ROOT / "schema" / f"{kind}.schema.json").read_text("utf-8")))
    paths = sorted(ROOT.glob(HANDWRITTEN_SCHEMAS[kind]))
    assert paths
    for path in paths:
        assert [error.message for error in check.iter_errors(read_yaml(path)[0])] == [], path


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("common: {fr: [le]}", True),
        ("common: {fr: le}", False),
        ("common: {french: [le]}", False),
        ("common: {fr: [' ']}", False),
        ("nouns: {}", False),
        ("cards: [{id: ace, name: Aces, codes: [A*, '*H', JH], words: {fr: [as]}}]", True),
        ("cards: [{id: ace}]", False),
        ("cards: [{id: ace, name: Aces, codes: [A*], words: {}}]", False),
        ("cards: [{id: ace, name: Aces, codes: [1X], words: {fr: [as]}}]", False),
        ("cards: [{id: ace, name: Aces, codes: [A*], words: {fr: [as]}, suit: H}]", False),
        ("names: [{name: Jean, kind: person, forms: [jeu]}]", True),
        ("names: [{name: Jean, kind: ghost, forms: [jeu]}]", False),
        ("names: [{name: Jean, kind: person, forms: []}]", False),
    ],
)
def test_an_editor_and_check_say_the_same_of_the_indices(
    words: str, right: bool, made: Mapping[str, dict[str, Any]], library: Library, tmp_path: Path
) -> None:
    (tmp_path / "indices.yaml").write_text(words, "utf-8")
    assert (read_register(tmp_path, library)[1] == []) is right
    assert (list(validator(made["indices"]).iter_errors(data(words))) == []) is right


def test_the_kinds_of_names_are_those_under_which_the_index_puts_them() -> None:
    assert set(get_args(IndexNameKind)) == set(INDEX_NAME_KINDS)
