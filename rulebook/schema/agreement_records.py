"""The shapes of the two codings of a source, and of the figures of their agreement."""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from rulebook.schema.records import Record


class CodedRecord(Record):
    """One coder's finding in a source on one question."""

    status: str  #: stated, implied, denied, silent, ambiguous, contradictory, inapplicable or not-collated.
    answer: Any = None  #: The answer, where there is one.
    cert: Literal["high", "medium", "low", ""] = ""  #: How sure the coder was.
    loci: list[str] = []  #: The sentences that were read.
    because: str = ""  #: Why.


class MeasuredRecord(Record):
    """Agreement of two coders in one respect."""

    model_config = ConfigDict(populate_by_name=True)

    agreed: int
    per_cent: float | None = Field(alias="per-cent")
    alpha: float | None  #: Krippendorff's, nominal; None where it cannot be computed


class FigureRecord(Record):
    """The agreement of some cells."""

    cells: int
    value: MeasuredRecord
    status: MeasuredRecord


class CodingsRecord(Record):
    """The fingerprints of both codings of a source."""

    first: str
    second: str


class FiguresRecord(Record):
    """The whole file of figures, as `python -m rulebook.agreement` writes it."""

    package: str
    coded_once: dict[str, list[str]] = Field(alias="coded-once")
    codings: dict[str, CodingsRecord]
    figures: dict[str, FigureRecord]
