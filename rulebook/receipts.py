"""Receipts of proofs: what a program has proved about the edition, of which state of it, and how to repeat it.

Every proof keeps one file, `sources/receipts/<proof>.json`, with these entries and no others:

    {"digest": "sha256:...",              of the file itself (`rulebook.io.digests`)
     "proof": "fuzz",                     the name of the proof, and of its file
     "says": "No input ...",              what was proved, in one sentence
     "command": "python -m proofs.fuzz",  what repeats it
     "seed": 1,                           from which every lot was drawn
     "version": "0.1.0",                  of the program
     "sources": "sha256:...",             of what the sources answer (`rulebook.rules_digest`)
     "python": "3.11",
     "made": "2025-01-31",                the day
     "figures": {...}}                    name -> number, or name -> table: lines by name, each a number or a table

Three retired proofs of the program's own code have a table "by function" among their figures, as long as the program
then was: a line for each function, such as "12 killed, 1 survived (AddNot 3)".

Receipts lie with the sources and go with them into every copy; they are no part of what a fingerprint is taken of.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from rulebook import __version__
from rulebook.io.digests import DIGEST_KEY, add_digest
from rulebook.io.files import replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.problems import Problem
from rulebook.schema.validation import DayText, FilledText, read_json_dataclass

RECEIPTS_FOLDER = "receipts"
NETS = "nets"  #: a table among the figures: source -> fingerprint of the net of its rules, on which they rest
BY_FUNCTION = "by function"  #: a table among the figures of retired proofs
_RETIRED_NOTE = "# retired"  #: in the command of a proof whose program is gone
_REPEAT_HINT = "repeat the proof with the command that stood in it"

Figures: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Receipt:
    """Record that one proof has left."""

    proof: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    says: FilledText
    command: FilledText
    seed: int
    version: FilledText
    sources: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    python: FilledText
    made: DayText
    figures: Figures = field(default_factory=dict)

    @property
    def is_retired(self) -> bool:
        """Return whether no program repeats it any more: its command names the revision that had the last one."""
        return _RETIRED_NOTE in self.command

    def outdated(self, version: str, digest: str) -> tuple[str, ...]:
        """Explain why it does not speak of the present edition; empty when it does."""
        return describe_outdated((self.version, self.sources), (version, digest))


def describe_outdated(then: tuple[str, str], now: tuple[str, str]) -> tuple[str, ...]:
    """Explain why something of a version and sources is not of the present; empty when it is."""
    reasons = [f"it is of version {then[0]}, the edition of {now[0]}"] if then[0] != now[0] else []
    return (*reasons, "the sources have changed since") if then[1] != now[1] else tuple(reasons)


def fingerprint_file(path: Path) -> str:
    """Return the fingerprint of one file; empty if it is not there."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def build_receipt(proof: str, says: str, command: str, seed: int, sources: str, figures: Figures) -> Receipt:
    """Build a receipt of today, by this version of the program and this Python."""
    python = ".".join(map(str, sys.version_info[:2]))
    return Receipt(proof, says, command, seed, __version__, sources, python, format_today(), figures)


def format_today() -> str:
    """Return the day as it is written down."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def format_receipt(receipt: Receipt) -> str:
    """Format a receipt as it is stored."""
    return add_digest(f"{json.dumps(asdict(receipt), ensure_ascii=False, indent=1)}\n")


def write_receipt(root: Path, receipt: Receipt) -> Path:
    """Put a receipt in the place of the last one of the same proof."""
    return replace_file(root / RECEIPTS_FOLDER / f"{receipt.proof}.json", format_receipt(receipt))


# --- reading ----------------------------------------------------------------------------------------------


def read_receipts(root: Path) -> tuple[tuple[Receipt, ...], list[Problem]]:
    """Every receipt by the name of its proof, and all that is wrong with any."""
    read = [
        read_receipt(path, f"{root.name}/{RECEIPTS_FOLDER}/{path.name}")
        for path in sorted((root / RECEIPTS_FOLDER).glob("*.json"))
    ]
    return tuple(receipt for receipt, _ in read if receipt), sorted(
        problem for _, problems in read for problem in problems
    )


def read_receipt(path: Path, name: str) -> tuple[Receipt | None, list[Problem]]:
    """One receipt, or everything that is wrong with it."""
    receipt, problems = read_json_dataclass(Receipt, path, name, _REPEAT_HINT, {DIGEST_KEY: (str, "")})
    if receipt and receipt.proof != path.stem:
        what = f"the proof is called {receipt.proof}, its file {path.stem}"
        return None, [locate_json_values(path, name).where(("proof",)).problem(what, "call both by one name")]
    return receipt, problems
