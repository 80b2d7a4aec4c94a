"""Fuzz the readers: any input is read, or refused with place, fault and hint.

    python -m proofs.fuzz [--number 20000] [--seed 1] [--again KIND:N]

spoils records, sources, texts and wishes by lot and has them read. A deal that can still be read is settled under
every source as well. No input may end in a traceback, take longer than it should, or be refused without a place and a
way out. What becomes of an input depends on the seed, its kind and its number alone, so that `--again` shows one again.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, TypeAlias

from edition.analysis.deal_views import view_settlements
from edition.analysis.problems import find_all_problems
from edition.data.deals import DealRecord, check_deal_references, read_deal_file, read_json_deal, sigla_of
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.settlement.result_json import result
from engine.settlement.settle import settle
from proofs.fuzz_mutations import (
    ALIEN_VALUES,
    FUZZ_CARDS,
    dump_fuzz_json,
    dump_fuzz_yaml,
    misspell_word,
    mutate_data,
    mutate_deal,
    mutate_tei,
    mutate_text,
    pick_data_place,
    replace_word,
)
from rulebook.agreement.report import check_codings as unsettled
from rulebook.agreement.statistics import recompute
from rulebook.answers.values import format_canonical
from rulebook.checks.coverage import compute_coverage
from rulebook.checks.registry import register_new_ids
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.problems import Problem
from rulebook.receipts import Receipt, build_receipt, write_receipt
from rulebook.resolve import BadChoice, iter_clause_alternatives, read_choice, resolve
from rulebook.sources.paths import find_sources
from rulebook.spelling import NO_TABLE
from rulebook.tei.reader import read_text, read_translation
from rulebook.text import Text
from tests.support.library import FILES

_FUZZ_CLAIM = (
    "Whatever is fed to the readers is read, or refused with a place and a way out; and every deal that can be read is "
    "settled, refused or left unanswered by every source, without a traceback and in good time."
)
_FUZZ_COMMAND = "python -m proofs.fuzz --number {number} --seed {seed}"
BOUND = 5.0  #: seconds for one input
INPUT_READ, INPUT_REFUSED = "read", "refused"

_EXTRA_LIBRARY_FILES: Mapping[str, str] = {  # what the invented library of the tests leaves out
    "spelling.yaml": "version: 1\nletters:\n  ſ: s\nwords:\n  fr: {jetton: jeton, levees: levées}\n",
    "glossary.yaml": "- id: g-toll\n  term: péage\n  lang: fr\n  english: toll\n  definition: What is paid.\n"
    "  forms: [péage, peage]\n  attestations: [AAA.s0001]\n",
    "tombstones.yaml": "- {id: AAA.c009, on: '2025-01-31', why: It was AAA.c001., see: [AAA.c001]}\n",
    "bibliography.bib": "@misc{toll, author = {Anon, A.}, title = {A {Book} of Tolls}, year = {1700}}\n",
    "AAA/coverage.yaml": "AAA.s0001:\n  kind: heading\nAAA.s0002:\n  kind: encoded\n  questions: [Q001, Q002]\n"
    '  residue: "de chacun."\n  because: Nobody else is there.\nAAA.s0003:\n  kind: encoded\n  questions: [Q003]\n'
    '  residue: "On le paye doble dans la premiere … et double dans la derniere levée."\n  because: Said twice.\n',
    "BBB/coverage.yaml": "BBB.n01:\n  kind: encoded\n  questions: [Q001]\n"
    "BBB.n02:\n  kind: narrative\n  because: It only ends.\n",
    "registry.yaml": "clauses: [AAA.c009]\n",
    "AAA/coding-ed1.yaml": "Q001: {status: stated, answer: leader}\nQ002: {status: stated, answer: 2}\n"
    "Q003: {status: ambiguous, answer: [1, -1]}\n",
    "AAA/coding-ed2.yaml": "Q001: {status: stated, answer: leader}\nQ002: {status: stated, answer: 3, cert: low}\n"
    "Q003: {status: implied, answer: [1, -1], because: Both.}\n",
    "AAA/settled.yaml": "- question: Q002\n  first: {status: stated, answer: 2}\n"
    "  second: {status: stated, answer: 3}\n  kept: first\n  why: Two are printed.\n  procedure: unchanged\n",
}


EXPECT = {"AAA": {"reasoning": "Nothing comes of it."}}


# --- what is fed, and what must come of it -----------------------------------------------------------------


class RefusedInput(Exception):
    """Raised for an input that was refused, with all its problems."""

    def __init__(self, problems: Iterable[Problem], lines: int = 0) -> None:
        self.problems, self.lines = list(problems), lines


@dataclass
class FuzzBench:
    """Material from which inputs are made, and the folder for them."""

    folder: Path
    library: Library
    settled: Counter[str] = field(default_factory=Counter)

    @cached_property
    def rulesets(self) -> list[Ruleset]:
        """Every source as it stands."""
        return [resolve(self.library, siglum) for siglum in self.library.sources]

    @cached_property
    def deals(self) -> list[str]:
        """The worked deals as they are written."""
        return [(Path(self.library.root) / path).read_text(encoding="utf-8") for path in self.library.deals]

    @cached_property
    def records(self) -> list[Any]:
        """The worked deals as data."""
        return [read_yaml(letters)[0] for letters in self.deals]

    @cached_property
    def small(self) -> Path:
        """A small library that is in order, in every part that there can be."""
        root = self.folder / "sources"
        for name, letters in collect_small_library_files(self.records[0]).items():
            write_octets(root / name, letters.encode())
        register_new_ids(root)
        library, problems = load_library(root)
        assert library is not None and not problems, problems
        recompute(library)
        return root

    @cached_property
    def text(self) -> Text:
        """The text that translations are held against."""
        text, _ = read_text(self.small / "AAA/text.xml", NO_TABLE)
        assert text is not None
        return text

    @cached_property
    def wishes(self) -> list[str]:
        """Wishes that can be granted."""
        rulings = [r for one in self.rulesets for r in one.rulings.values()]
        asked = [f"{r.id}={format_canonical(r.value)}" for r in rulings] + [f"{r.question}@{r.source}" for r in rulings]
        return [*asked, *(one.id for _, one in iter_clause_alternatives(self.library.clauses()))]


def collect_small_library_files(deal: Any) -> dict[str, str]:
    """Files of the small library; its only deal is one of ours."""
    kept = {name: letters for name, letters in FILES.items() if "deals/" not in name}
    return {
        **kept,
        **_EXTRA_LIBRARY_FILES,
        "deals/one.yaml": dump_fuzz_yaml({**deal, "deal": "one", "cites": ["AAA.s0002"], "expect": EXPECT}),
    }


def write_octets(path: Path, octets: bytes) -> Path:
    """Write octets to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(octets)
    return path


def settle_by_every_source(bench: FuzzBench, deal: Deal) -> None:
    """Settle a deal under every source, and render the results in every form."""
    again, faults = read_deal(write_deal(deal))
    assert again == deal and not faults, "a deal is not what it was once written and read again"
    found = [settle(deal, ruleset) for ruleset in bench.rulesets]
    for one in found:
        bench.settled[type(one).__name__.lower()] += 1
        json.dumps(result(one, bench.library.digest), allow_nan=False)
    view_settlements(bench.library, deal, found)


def deal_in_yaml(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A deal record in a YAML file, spoilt in its letters or in its data."""
    at = rng.randrange(len(bench.deals))
    by_letter = rng.random() < 0.4
    octets = (
        mutate_text(rng, bench.deals[at])
        if by_letter
        else letters_of(dump_fuzz_yaml(mutate_deal(rng, bench.records[at])))
    )
    return octets, lambda: read_record(bench, octets, "deal.yaml")


def deal_in_json(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A deal record in JSON, on one line or in a file."""
    record = rng.choice(bench.records)
    letters = dump_fuzz_json(record if rng.random() < 0.3 else mutate_deal(rng, record))
    octets = mutate_text(rng, letters) if rng.random() < 0.4 else letters_of(letters)
    if rng.random() < 0.5:
        return octets, lambda: read_record(bench, octets, "deal.json")
    return octets, lambda: check_read_record(
        bench, read_json_deal(octets, "<stdin>", sigla=sigla_of(bench.library)), octets
    )


def letters_of(letters: str) -> bytes:
    """Letters as octets, though nobody should write such letters."""
    return letters.encode("utf-8", "surrogatepass")


def read_record(bench: FuzzBench, octets: bytes, name: str) -> None:
    """Read a record from a file."""
    check_read_record(
        bench, read_deal_file(write_octets(bench.folder / name, octets), name, sigla_of(bench.library)), octets
    )


def check_read_record(bench: FuzzBench, record: DealRecord, octets: bytes) -> None:
    """Settle a record that was read; raise RefusedInput for one that was not.

    A record that is misplaced is refused as well.
    """
    assert (record.deal is None) == bool(record.problems), "neither read nor refused, or both"
    if record.deal is None:
        raise RefusedInput(record.problems, line_count(octets))
    settle_by_every_source(bench, record.deal)
    by_name = replace(record, file=f"{record.deal.id}.yaml")  # what it is called here is no fault of its own
    if odd := list(check_deal_references(bench.library, by_name)):
        raise RefusedInput(odd, line_count(octets))


def line_count(octets: bytes) -> int:
    """Upper bound for line numbers of a file.

    A file that ends in the midst of a line has one more.
    """
    return octets.count(b"\n") + octets.count(b"\r") + 2


def deal_as_data(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A deal record that another program hands over, with things in it that no file can hold."""
    data = mutate_deal(rng, rng.choice(bench.records))
    if rng.random() < 0.3:
        held, key = pick_data_place(rng, data)
        held[key] = rng.choice(ALIEN_VALUES)

    def feed() -> None:
        deal, problems = read_deal(data, sigla=sigla_of(bench.library))
        assert (deal is None) == bool(problems), "neither read nor refused, or both"
        if deal is None:
            raise RefusedInput(problems)
        settle_by_every_source(bench, deal)

    return in_letters(data), feed


def in_letters(data: Any) -> bytes:
    """Data as a program would show them, if it can."""
    try:
        return repr(data).encode("utf-8", "backslashreplace")
    except (ValueError, RecursionError) as fault:
        return f"data that cannot be shown: {fault}".encode()


def a_source(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A small library of which one file is spoilt."""
    name = rng.choice([name for name in _SMALL_LIBRARY_FILES if not name.endswith(".xml")])
    good = (bench.small / name).read_bytes()
    letters = good.decode()
    if name.endswith(".bib") or rng.random() < 0.5:
        octets = mutate_text(rng, letters)
    else:
        octets = letters_of(dump_fuzz_yaml(mutate_data(rng, read_yaml(letters)[0])))

    def feed() -> None:
        write_octets(bench.small / name, octets)
        try:
            check_every_reader(bench.small, octets, name)
        finally:
            write_octets(bench.small / name, good)

    return f"{name}\n".encode() + octets, feed


def check_every_reader(root: Path, octets: bytes, name: str) -> None:
    """Run every reader and check on the sources. Raises RefusedInput for problems."""
    library, unread = load_library(root)
    corpus, problems = find_all_problems(root)
    told = {*unread, *problems}
    if library is not None:
        for siglum in library.sources:
            compute_coverage(library, siglum)
        told |= set(unsettled(library))
    else:
        assert unread, "no library, and no problem"
    assert corpus is not None or problems, "no corpus, and no problem"
    if told:
        raise RefusedInput(told, line_count(octets) if all(one.file.endswith(name) for one in told) else 0)


def a_text(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A transcription in TEI, or its translation."""
    translated = rng.random() < 0.4
    names = [*bench.library.sources]
    real = Path(bench.library.root) / rng.choice(names) / "text.xml"
    good = bench.small / ("AAA/en.xml" if translated else "AAA/text.xml")
    letters = (real if not translated and rng.random() < 0.15 and real.exists() else good).read_text(encoding="utf-8")
    octets = mutate_tei(rng, letters)

    def feed() -> None:
        path = write_octets(bench.folder / "text.xml", octets)
        found, problems = read_translation(path, bench.text) if translated else read_text(path, NO_TABLE)
        assert found is not None or problems, "no text, and no problem"
        if problems:
            raise RefusedInput(problems, line_count(octets))

    return octets, feed


def a_wish(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    """A wish of the reader, as typed."""
    wish = rng.choice(bench.wishes)
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        wish = rng.choice((misspell_word, replace_word, spoil_wish_bytes, mix_wishes(bench)))(rng, wish)

    deal, _ = read_deal(rng.choice(bench.records))
    assert deal is not None

    def feed() -> None:
        try:
            choice = read_choice(bench.library, wish)
            wished = [resolve(bench.library, siglum, [choice]) for siglum in bench.library.sources]
        except BadChoice as fault:
            raise RefusedInput([Problem("wish", 1, 1, *split_wish_message(str(fault)))]) from fault
        view_settlements(bench.library, deal, [settle(deal, ruleset) for ruleset in wished])

    return wish.encode("utf-8", "backslashreplace"), feed


def spoil_wish_bytes(rng: Random, wish: str) -> str:
    """A wish with arbitrary letters."""
    return mutate_text(rng, wish)[:3000].decode("utf-8", "surrogateescape")


def mix_wishes(bench: FuzzBench) -> Callable[[Random, str], str]:
    """Return a function that joins half of one wish to half of another."""

    def slip(rng: Random, wish: str) -> str:
        mark = rng.choice("=@")
        return (
            wish.partition(mark)[0]
            + mark
            + rng.choice((rng.choice(bench.wishes), rng.choice(FUZZ_CARDS))).rpartition(mark)[2]
        )

    return slip


def split_wish_message(message: str) -> tuple[str, str]:
    """Split the message on a wish into the fault and the hint."""
    for mark in ("; ", ": neither "):
        what, found, way_out = message.rpartition(mark)
        if found:
            return what, way_out
    return message, ""  # a message that names no way out


_InputMaker: TypeAlias = Callable[[FuzzBench, Random], tuple[bytes, Callable[[], None]]]
_GENERATED_FILES = ("registry.yaml", "agreement.yaml", "deals/one.yaml")
_SMALL_LIBRARY_FILES = sorted(
    {*(name for name in FILES if "deals/" not in name), *_EXTRA_LIBRARY_FILES, *_GENERATED_FILES}
)
INPUT_KINDS: Mapping[str, tuple[_InputMaker, int]] = {  # with their shares in a hundred
    "deal in YAML": (deal_in_yaml, 25),
    "deal in JSON": (deal_in_json, 20),
    "deal as data": (deal_as_data, 15),
    "sources in YAML": (a_source, 20),
    "text in TEI": (a_text, 12),
    "wish": (a_wish, 8),
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
    """Stop whatever takes too long, where the system has such a clock."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def feed_input(bench: FuzzBench, seed: int, kind: str, number: int) -> FuzzOutcome:
    """Make one input and read it."""
    _, feed = INPUT_KINDS[kind][0](bench, Random(f"{seed}/{kind}/{number}"))
    became, problems, fault, begun = INPUT_READ, 0, "", time.perf_counter()
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
    seconds = time.perf_counter() - begun
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
    bench: FuzzBench, number: int, seed: int, each: Callable[[FuzzOutcome], None] = lambda one: None
) -> list[FuzzOutcome]:
    """All inputs, kind by kind."""
    found = []
    for kind, many in split_inputs_by_kind(number).items():
        for at in range(many):
            found.append(feed_input(bench, seed, kind, at))
            each(found[-1])
    return found


def prepare_bench(folder: Path) -> FuzzBench:
    """Bench with the edition's own library. Raises ValueError if that has problems."""
    library, problems = load_library(find_sources())
    if library is None or problems:
        raise ValueError("\n".join(map(str, problems)))
    return FuzzBench(folder, library)


def summarise_outcomes(found: Iterable[FuzzOutcome], outcomes: Mapping[str, int]) -> dict[str, object]:
    """Figures of the receipt: inputs, and outcomes by kind."""
    found = list(found)
    by_kind = {kind: count_outcomes([one for one in found if one.kind == kind]) for kind in INPUT_KINDS}
    return {
        "inputs": len(found),
        "tracebacks, hangs, and problems without place or way out": sum(bool(one.fault) for one in found),
        "by kind": by_kind,
        "mutated deals by what a source made of them": dict(sorted(outcomes.items())),
    }


def count_outcomes(found: list[FuzzOutcome]) -> dict[str, int]:
    """Figures of one kind of input."""
    became = Counter(one.became for one in found)
    return {
        "inputs": len(found),
        INPUT_READ: became[INPUT_READ],
        INPUT_REFUSED: became[INPUT_REFUSED],
        "problems": sum(one.problems for one in found),
    }


def receipt_of(bench: FuzzBench, found: Iterable[FuzzOutcome], seed: int) -> Receipt:
    """The receipt of a run in which nothing went wrong."""
    found = list(found)
    told = summarise_outcomes(found, bench.settled)
    return build_receipt(
        "fuzz", _FUZZ_CLAIM, _FUZZ_COMMAND.format(number=len(found), seed=seed), seed, bench.library.digest, told
    )


def repeat_input(bench: FuzzBench, seed: int, which: str) -> int:
    """Repeat one input: print it and its problems."""
    kind, _, number = which.rpartition(":")
    octets, feed = INPUT_KINDS[kind][0](bench, Random(f"{seed}/{kind}/{number}"))
    sys.stdout.write(octets[:20000].decode("utf-8", "backslashreplace") + "\n\n")
    try:
        feed()
    except RefusedInput as told:
        sys.stdout.write("\n".join(map(str, told.problems)).encode("utf-8", "backslashreplace").decode() + "\n")
    return 0


def run_fuzzing(number: int, seed: int) -> int:
    """Feed all inputs, report faults, and write a receipt if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        bench = prepare_bench(Path(folder))
        found = feed_all(bench, number, seed, report_fault)
        wrong = [one for one in found if one.fault]
        slowest = max(found, key=lambda one: one.seconds)
        sys.stdout.write(f"{len(found)} inputs, {len(wrong)} faults; the slowest took {slowest.seconds:.2f} s\n")
        if not wrong:
            path = write_receipt(find_sources(), receipt_of(bench, found, seed))
            sys.stdout.write(f"the receipt is in {path.name}\n")
    return int(bool(wrong))


def report_fault(one: FuzzOutcome) -> None:
    """Report a fault as soon as it is found."""
    if one.fault:
        sys.stdout.write(f"{one.kind}:{one.number}: {ascii_only(one.fault)}\n")


def ascii_only(words: str) -> str:
    """Words escaped to ASCII, for any terminal."""
    return words.encode("ascii", "backslashreplace").decode()


def main(words: list[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="python -m proofs.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--number", type=int, default=20000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="from which all lots are drawn")
    parser.add_argument("--again", metavar="KIND:N", default="", help="show one input and what is said of it")
    given = parser.parse_args(words)
    if given.again:
        with tempfile.TemporaryDirectory() as folder:
            return repeat_input(prepare_bench(Path(folder)), given.seed, given.again)
    return run_fuzzing(given.number, given.seed)


if __name__ == "__main__":
    sys.exit(main())
