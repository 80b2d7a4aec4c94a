"""The published JSON Schemas of the records and results."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from rulebook.sources.paths import find_sources


@cache
def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((find_sources() / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")))


@cache
def validator(name: str) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema(name))
    return Draft202012Validator(schema(name))
