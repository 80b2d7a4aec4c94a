"""Options that proofs share, and the one rule by which a run replaces what is stored in `sources/`.

The rule: a run is stored where the published figures are only if it repeats their command, number for number. Any other
is refused before it begins, and goes into a file of its own by `--out`; so a trial never replaces what is published.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from edition.cli.arguments import match_siglum
from rulebook.io.files import replace_file
from rulebook.model import Library
from rulebook.program_options import ProgramParser
from rulebook.receipts import RECEIPTS_FOLDER, Receipt, format_receipt
from rulebook.sources.paths import find_sources

_PUBLISHED = "What it stores; only the command that has made a file replaces it, any other run needs --out:"
INTERRUPTED = 130  #: the exit code of what was interrupted, as shells have it


class ProofParser(ProgramParser):
    """Options of a proof that stores files below `sources/`, named as they stand there."""

    def __init__(self, name: str, about: str | None, *stored: str) -> None:
        self.stored = stored or (f"{RECEIPTS_FOLDER}/{name}.json",)
        super().__init__(f"proofs.{name}", about, "\n".join((_PUBLISHED, *map(describe_published, self.stored))))
        self.add_argument("--out", type=Path, metavar="FILE", help="write there, rather than below sources/")

    def add_sources(self) -> None:
        """Add the option for one or several sources."""
        self.add_argument(
            "--source",
            action="append",
            default=[],
            metavar="S",
            help="only this one; may be given several times; then nothing is stored, unless by --out",
        )

    def match_sources(self, library: Library, named: Sequence[str], option: str = "--source") -> list[str]:
        """Find sources by their sigla, in any letters; exit with one line at an unknown one."""
        try:
            return list(dict.fromkeys(match_siglum(library, name) for name in named))
        except click.UsageError as fault:
            self.error(f"argument {option}: {fault.message}")

    def match_shown(self, library: Library, shown: str) -> tuple[str, int]:
        """Find a deal named like PAM:3: its siglum and number; exit with one line where it is none."""
        siglum, _, number = shown.partition(":")
        if not number.isdecimal():
            self.error(f"argument --show: {shown!r} is no deal; a deal is named like PAM:3")
        return self.match_sources(library, [siglum], "--show")[0], int(number)

    def choose_place(self, given: Namespace, command: str, root: Path | None = None, stored: str = "") -> Path:
        """Choose the file that a run writes; exit with one line where it would replace another run's figures."""
        folder = root or find_sources()
        place = Path(given.out) if given.out else folder / (stored or self.stored[0])
        if given.out and (place.is_dir() or not os.access(place.resolve().parent, os.W_OK)):
            self.error(f"argument --out: {place} cannot be written")
        if folder.resolve() in place.resolve().parents:
            published = read_stored_command(place)
            if published and published != command:
                within = place.resolve().relative_to(folder.resolve()).as_posix()
                self.error(
                    f"{folder.name}/{within} holds what `{published}` has found, and this run is another: add --out"
                    " FILE to keep it elsewhere"
                )
        return place


def format_sources(named: Sequence[str]) -> str:
    """Format the option for some sources as it stands in a command; empty for all of them."""
    return "".join(f" --source {name.upper()}" for name in named)


def describe_published(stored: str) -> str:
    """Describe one file below `sources/`: which command has made what is published in it."""
    return f"  sources/{stored}: {read_stored_command(find_sources() / stored) or 'nothing yet'}"


def read_stored_command(path: Path) -> str:
    """Read the command that has made a stored file; empty where there is none that can be read."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(record.get("command", "")) if isinstance(record, dict) else ""


def store_receipt(path: Path, receipt: Receipt) -> None:
    """Write a receipt where it was decided that it goes, and say so."""
    replace_file(path, format_receipt(receipt))
    sys.stdout.write(f"written: {path.name}\n")


def run_proof(main: Callable[[], int], kept: Path | None = None) -> int:
    """Run a proof; say in one line that it was interrupted, and where the pieces are `kept` that it goes on from."""
    try:
        return main()
    except KeyboardInterrupt:
        where = f" Finished pieces are kept in {kept}; the same command goes on from there." if kept else ""
        sys.stderr.write(f"\nInterrupted: nothing is stored.{where}\n")
        return INTERRUPTED
