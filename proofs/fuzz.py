"""Fuzz the readers: any input is read, or refused with place, fault and hint.

    python -m proofs.fuzz [--number 40000] [--seed 38] [--again KIND:N]

spoils records, sources, texts (ours and others'), wishes, sheets, sketches, command lines, saved games and kept files
by lot and has them read. A deal that can still be read is settled under every source as well. No input may end in a
traceback, take longer than it should, be refused without a place and a way out, or be accepted for what it is not. What
becomes of an input depends on the seed, its kind and its number alone, so that `--again` shows one again.
"""

from __future__ import annotations

import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType

from proofs.arguments import ProofParser, run_proof, store_receipt
from proofs.fuzz_files import FILE_KINDS, FilesBench
from proofs.fuzz_inputs import RECORD_KINDS, RefusedInput
from rulebook.load import library
from rulebook.problems import Problem
from rulebook.receipts import Receipt, build_receipt
from rulebook.sources.paths import find_sources

_COMMAND = "python -m proofs.fuzz --number {number} --seed {seed}"
_FUZZ_CLAIM = (
    "Whatever the readers are given, they read it or refuse it with a place and a way out; every deal that can be read "
    "is settled, refused or left unanswered by every source, without a traceback and in good time; and no text, "
    "sketch, sheet, saved game or kept file is taken for what it does not say."
)
FAULTS = "tracebacks, hangs, silent acceptances, and problems without place or way out"
BOUND = 5.0  #: seconds of the processor for one input
INPUT_READ, INPUT_REFUSED = "read", "refused"
INPUT_KINDS: Mapping[str, tuple[Callable[[FilesBench, Random], tuple[bytes, Callable[[], None]]], int]] = {
    **RECORD_KINDS,
    **FILE_KINDS,
}


# --- one input ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FuzzOutcome:
    """Outcome of one input: read, refused with its number of problems, or a fault."""

    kind: str
    number: int
    became: str = INPUT_READ
    problems: int = 0
    seconds: float = 0.0
    fault: str = ""


class TooSlow(BaseException):
    """An input that takes longer than it should; nothing that catches exceptions may catch it."""


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Stop whatever computes too long, or waits for ten times as long, where the system has such clocks."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    if not hasattr(signal, "setitimer"):
        yield
        return
    clocks = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, 10 * seconds))
    before = [signal.signal(number, ring) for number, _, _ in clocks]
    for _, clock, limit in clocks:
        signal.setitimer(clock, limit)
    try:
        yield
    finally:
        for (number, clock, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)


def feed_input(bench: FilesBench, seed: int, kind: str, number: int) -> FuzzOutcome:
    """Make one input and read it."""
    _, feed = INPUT_KINDS[kind][0](bench, Random(f"{seed}/{kind}/{number}"))
    became, problems, fault, begun = INPUT_READ, 0, "", time.process_time()
    try:
        with in_time(BOUND):
            feed()
    except RefusedInput as told:
        became, problems = INPUT_REFUSED, len(told.problems)
        fault = "; ".join(
            dict.fromkeys(faulty for one in told.problems for faulty in find_problem_gaps(one, told.lines))
        )
    except TooSlow:
        fault = f"took longer than {BOUND} seconds"
    except Exception:
        fault = traceback.format_exc(limit=-6)
    seconds = time.process_time() - begun
    return FuzzOutcome(kind, number, became, problems, seconds, fault or ("took too long" if seconds > BOUND else ""))


def find_problem_gaps(one: Problem, lines: int) -> Iterator[str]:
    """Parts missing from a problem: the place, the fault, or the hint."""
    wanting = {
        "no file": not one.file.strip(),
        "no line": one.line < 1 or one.column < 1,
        "a line that the file does not have": 0 < lines < one.line,
        "no words": not one.what.strip(),
        "no way out": re.search(r"(?:^|known are:?|; there are:?)\s*$", one.way_out) is not None,
    }
    yield from (f"{what}: {one}" for what, holds in wanting.items() if holds)


# --- all of them --------------------------------------------------------------------------------------------------


def split_inputs_by_kind(number: int) -> dict[str, int]:
    """Number of inputs of each kind."""
    found = {kind: number * share // 100 for kind, (_, share) in INPUT_KINDS.items()}
    first = next(iter(found))
    return found | {first: found[first] + number - sum(found.values())}


def feed_all(
    bench: FilesBench, number: int, seed: int, each: Callable[[FuzzOutcome], None] = lambda one: None
) -> list[FuzzOutcome]:
    """All inputs, kind by kind."""
    found = []
    for kind, many in split_inputs_by_kind(number).items():
        for at in range(many):
            found.append(feed_input(bench, seed, kind, at))
            each(found[-1])
    return found


def prepare_bench(folder: Path) -> FilesBench:
    """Bench with the edition's own library. Raises NotInOrder if that has problems."""
    return FilesBench(folder, library(find_sources()))


def summarise_outcomes(found: Iterable[FuzzOutcome], outcomes: Mapping[str, int]) -> dict[str, object]:
    """Figures of the receipt: inputs, and outcomes by kind."""
    found = list(found)
    by_kind = {kind: _count_outcomes([one for one in found if one.kind == kind]) for kind in INPUT_KINDS}
    return {
        "inputs": len(found),
        FAULTS: sum(bool(one.fault) for one in found),
        "by kind": by_kind,
        "mutated deals by what a source made of them": dict(sorted(outcomes.items())),
    }


def _count_outcomes(found: list[FuzzOutcome]) -> dict[str, int]:
    became = Counter(one.became for one in found)
    return {
        "inputs": len(found),
        INPUT_READ: became[INPUT_READ],
        INPUT_REFUSED: became[INPUT_REFUSED],
        "problems": sum(one.problems for one in found),
    }


def receipt_of(bench: FilesBench, found: Iterable[FuzzOutcome], seed: int) -> Receipt:
    """The receipt of a run in which nothing went wrong."""
    figures = summarise_outcomes(found, bench.settled)
    command = _COMMAND.format(number=figures["inputs"], seed=seed)
    return build_receipt("fuzz", _FUZZ_CLAIM, command, seed, bench.library.rules_digest, figures)


def _repeat_input(bench: FilesBench, seed: int, which: str) -> int:
    kind, _, number = which.rpartition(":")
    octets, feed = INPUT_KINDS[kind][0](bench, Random(f"{seed}/{kind}/{number}"))
    sys.stdout.write(octets[:20000].decode("utf-8", "backslashreplace") + "\n\n")
    try:
        feed()
    except RefusedInput as told:
        sys.stdout.write("\n".join(map(str, told.problems)).encode("utf-8", "backslashreplace").decode() + "\n")
    return 0


def run_fuzzing(number: int, seed: int, place: Path) -> int:
    """Feed all inputs, report faults, and write a receipt to *place* if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        bench = prepare_bench(Path(folder))
        found = feed_all(bench, number, seed, _report_fault)
        wrong = [one for one in found if one.fault]
        slowest = max(found, key=lambda one: one.seconds)
        sys.stdout.write(f"{len(found)} inputs, {len(wrong)} faults; the slowest took {slowest.seconds:.2f} s\n")
        if not wrong:
            store_receipt(place, receipt_of(bench, found, seed))
    return int(bool(wrong))


def _report_fault(one: FuzzOutcome) -> None:
    if one.fault:
        fault = one.fault.encode("ascii", "backslashreplace").decode()  # for any terminal
        sys.stdout.write(f"{one.kind}:{one.number}: {fault}\n")


def main(words: list[str] | None = None) -> int:
    """Run the program."""
    parser = ProofParser("fuzz", __doc__)
    parser.add_number("--number", 40000, "how many inputs")
    parser.add_seed(38)
    parser.add_argument("--again", metavar="KIND:N", default="", help="show one input and what is said of it")
    given = parser.parse_args(words)
    if given.again:
        with tempfile.TemporaryDirectory() as folder:
            return _repeat_input(prepare_bench(Path(folder)), given.seed, given.again)
    place = parser.choose_place(given, _COMMAND.format(number=given.number, seed=given.seed), find_sources())
    return run_fuzzing(given.number, given.seed, place)


if __name__ == "__main__":
    sys.exit(run_proof(main))
