"""Validation of texts by the small TEI schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from rulebook.io.files import read_once
from rulebook.problems import Problem
from rulebook.program_name import name_command
from rulebook.tei.document import TEI_PREFIX, Document

_CLONE = Path(__file__).parents[2] / "sources" / "schema"
_SCHEMAS = _CLONE if _CLONE.is_dir() else Path(__file__).parents[1] / "_sources" / "schema"  # of an installed wheel
TEI_SCHEMA_PATH = _SCHEMAS / "reversis-tei.rng"
WITNESS_SCHEMA_PATH = _SCHEMAS / "reversis-witness.rng"
_RNG = "{http://relaxng.org/ns/structure/1.0}"
_PARSER = etree.XMLParser(no_network=True, resolve_entities=False)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Elements and attributes that one element may have."""

    children: Mapping[str, str]  #: element name -> name of its definition: in a header a paragraph is another
    attributes: frozenset[str]


@read_once(8)
def compile_schema(schema: Path) -> etree.RelaxNG:
    """Compile the small schema, once for as long as the file is the same. Raises OSError and lxml's errors."""
    return etree.RelaxNG(etree.parse(str(schema), _PARSER))


def faults_of_tei_schema(schema: Path, name: str) -> list[Problem]:
    """Say why texts cannot be held against a schema, under the file's name in messages; empty if they can."""
    try:
        compile_schema(schema)
    except (OSError, etree.XMLSyntaxError, etree.RelaxNGParseError) as fault:
        line = getattr(fault, "lineno", None) or 1
        what = f"is no RELAX NG schema: {str(fault).splitlines()[0] if str(fault) else type(fault).__name__}"
        return [Problem(name, line, 1, what, "take it from the release, or from the history of this repository")]
    return []


@read_once(8)
def read_profile(schema: Path) -> Mapping[str, Allowance]:
    """Return what may stand where by the small schema, by the names of its definitions; nothing if it has faults."""
    if faults_of_tei_schema(schema, schema.name):
        return {}
    return {
        str(definition.get("name")): Allowance(
            {str(ref.get("name")).partition("-")[0]: str(ref.get("name")) for ref in definition.iter(f"{_RNG}ref")},
            frozenset(str(attribute.get("name")) for attribute in definition.iter(f"{_RNG}attribute")),
        )
        for definition in etree.parse(str(schema), _PARSER).iter(f"{_RNG}define")
    }


def the_schema_holds(document: Document, schema: Path) -> Iterator[Problem]:
    """The file is valid TEI under our profile."""
    if faults := faults_of_tei_schema(schema, schema.name):
        yield from faults
        return
    way_out = f"write it as `{name_command('import-text')}` does, or as {schema.name} of the program has it"
    validator = compile_schema(schema)
    validator.validate(document.root)
    for line, message in {entry.line: entry.message for entry in validator.error_log}.items():
        what = f"is not valid: {message.replace(TEI_PREFIX, '')}"
        yield Problem(document.file, max(int(line), 1), 1, what, way_out)


def merge_problems(document: Document, own: Iterable[Problem], schema: Path) -> list[Problem]:
    """Merge all problems by place; where one of our checks has spoken, the schema need not."""
    problems = set(own)
    lines = {problem.line for problem in problems}
    return sorted(problems | {problem for problem in the_schema_holds(document, schema) if problem.line not in lines})
