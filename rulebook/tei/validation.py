"""Validation of texts by the small TEI schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from rulebook.io.files import read_once
from rulebook.problems import Problem
from rulebook.tei.document import TEI_PREFIX, Document
from rulebook.tei.schema import PRUNED_TEI_SCHEMA, PRUNED_WITNESS_SCHEMA

_PACKED_SCHEMA_PATH = (
    Path(__file__).parents[1] / "_sources" / "schema" / PRUNED_TEI_SCHEMA.name
)  # where an installed wheel keeps it
TEI_SCHEMA_PATH = PRUNED_TEI_SCHEMA if PRUNED_TEI_SCHEMA.exists() else _PACKED_SCHEMA_PATH
WITNESS_SCHEMA_PATH = TEI_SCHEMA_PATH.with_name(PRUNED_WITNESS_SCHEMA.name)


@read_once(8)
def compile_schema(schema: Path) -> etree.RelaxNG:
    """Compile the small schema, once for as long as the file is the same. Raises OSError and lxml's errors."""
    return etree.RelaxNG(etree.parse(str(schema), etree.XMLParser(no_network=True, resolve_entities=False)))


def faults_of_tei_schema(schema: Path, name: str) -> list[Problem]:
    """Say why texts cannot be held against a schema, under the file's name in messages; empty if they can."""
    try:
        compile_schema(schema)
    except (OSError, etree.XMLSyntaxError, etree.RelaxNGParseError) as fault:
        line = getattr(fault, "lineno", None) or 1
        what = f"is no RELAX NG schema: {str(fault).splitlines()[0] if str(fault) else type(fault).__name__}"
        return [Problem(name, line, 1, what, "take it from the release, or run python -m rulebook.tei.schema")]
    return []


def the_schema_holds(document: Document, schema: Path) -> Iterator[Problem]:
    """The file is valid TEI under our profile."""
    if faults := faults_of_tei_schema(schema, schema.name):
        yield from faults
        return
    validator = compile_schema(schema)
    validator.validate(document.root)
    for line, message in {entry.line: entry.message for entry in validator.error_log}.items():
        what = f"is not valid: {message.replace(TEI_PREFIX, '')}"
        yield Problem(document.file, max(int(line), 1), 1, what, f"see {schema.name}")


def merge_problems(document: Document, own: Iterable[Problem], schema: Path) -> list[Problem]:
    """Merge all problems by place; where one of our checks has spoken, the schema need not."""
    problems = set(own)
    told = {problem.line for problem in problems}
    return sorted(problems | {problem for problem in the_schema_holds(document, schema) if problem.line not in told})
