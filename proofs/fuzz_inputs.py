"""Inputs for fuzzing the readers: what is fed, and what must come of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

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
from reversis.files.deals import (
    DealRecord,
    check_deal_references,
    read_deal_file,
    read_json_deal,
    sigla_of,
)
from reversis.findings.expectations import find_all_problems
from reversis.words.deal_views import view_settlements
from rulebook.agreement.report import check_codings as unsettled
from rulebook.agreement.statistics import recompute
from rulebook.answers.values import format_canonical
from rulebook.checks.coverage import compute_coverage
from rulebook.checks.registry import register_new_ids
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.problems import Problem
from rulebook.resolve import BadChoice, iter_clause_alternatives, read_choice, resolve
from rulebook.spelling import NO_TABLE
from rulebook.tei.reader import read_text, read_translation
from rulebook.text import Text
from tests.support.library import FILES

_EXTRA_LIBRARY_FILES: Mapping[str, str] = {  # what the invented library of the tests leaves out
    "spelling.yaml": "version: 1\nletters:\n  ſ: s\nwords:\n  fr: {doble: double, premiere: première}\n",
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
            _write_octets(root / name, letters.encode())
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


def _write_octets(path: Path, octets: bytes) -> Path:
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


def _deal_in_yaml(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    at = rng.randrange(len(bench.deals))
    by_letter = rng.random() < 0.4
    octets = (
        mutate_text(rng, bench.deals[at])
        if by_letter
        else letters_of(dump_fuzz_yaml(mutate_deal(rng, bench.records[at])))
    )
    return octets, lambda: _read_record(bench, octets, "deal.yaml")


def _deal_in_json(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    record = rng.choice(bench.records)
    letters = dump_fuzz_json(record if rng.random() < 0.3 else mutate_deal(rng, record))
    octets = mutate_text(rng, letters) if rng.random() < 0.4 else letters_of(letters)
    if rng.random() < 0.5:
        return octets, lambda: _read_record(bench, octets, "deal.json")
    return octets, lambda: check_read_record(
        bench, read_json_deal(octets, "<stdin>", sigla=sigla_of(bench.library)), octets
    )


def letters_of(letters: str) -> bytes:
    """Letters as octets, though nobody should write such letters."""
    return letters.encode("utf-8", "surrogatepass")


def _read_record(bench: FuzzBench, octets: bytes, name: str) -> None:
    check_read_record(
        bench, read_deal_file(_write_octets(bench.folder / name, octets), name, sigla_of(bench.library)), octets
    )


def check_read_record(bench: FuzzBench, record: DealRecord, octets: bytes) -> None:
    """Settle a record that was read. Raises RefusedInput for one that was not, or is misplaced."""
    assert (record.deal is None) == bool(record.problems), "neither read nor refused, or both"
    if record.deal is None:
        raise RefusedInput(record.problems, line_count(octets))
    settle_by_every_source(bench, record.deal)
    by_name = replace(record, file=f"{record.deal.id}.yaml")  # what it is called here is no fault of its own
    if odd := list(check_deal_references(bench.library, by_name)):
        raise RefusedInput(odd, line_count(octets))


def line_count(octets: bytes) -> int:
    """Upper bound for line numbers: a file that ends within a line has one more."""
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
        _write_octets(bench.small / name, octets)
        try:
            check_every_reader(bench.small, octets, name)
        finally:
            _write_octets(bench.small / name, good)

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


def _a_text(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    translated = rng.random() < 0.4
    names = [*bench.library.sources]
    real = Path(bench.library.root) / rng.choice(names) / "text.xml"
    good = bench.small / ("AAA/en.xml" if translated else "AAA/text.xml")
    letters = (real if not translated and rng.random() < 0.15 and real.exists() else good).read_text(encoding="utf-8")
    octets = mutate_tei(rng, letters)

    def feed() -> None:
        path = _write_octets(bench.folder / "text.xml", octets)
        found, problems = read_translation(path, bench.text) if translated else read_text(path, NO_TABLE)
        assert found is not None or problems, "no text, and no problem"
        if problems:
            raise RefusedInput(problems, line_count(octets))

    return octets, feed


def _a_wish(bench: FuzzBench, rng: Random) -> tuple[bytes, Callable[[], None]]:
    wish = rng.choice(bench.wishes)
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        wish = rng.choice((misspell_word, replace_word, _spoil_wish_bytes, mix_wishes(bench)))(rng, wish)

    deal, _ = read_deal(rng.choice(bench.records))
    assert deal is not None

    def feed() -> None:
        try:
            choice = read_choice(bench.library, wish)
            wished = [resolve(bench.library, siglum, [choice]) for siglum in bench.library.sources]
        except BadChoice as fault:
            raise RefusedInput([Problem("wish", 1, 1, *_split_wish_message(str(fault)))]) from fault
        view_settlements(bench.library, deal, [settle(deal, ruleset) for ruleset in wished])

    return wish.encode("utf-8", "backslashreplace"), feed


def _spoil_wish_bytes(rng: Random, wish: str) -> str:
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


def _split_wish_message(message: str) -> tuple[str, str]:
    for mark in (" What it says: ", "; ", ": neither "):
        what, found, way_out = message.rpartition(mark)
        if found:
            return what, way_out
    return message, ""  # a message that names no way out


_InputMaker: TypeAlias = Callable[[FuzzBench, Random], tuple[bytes, Callable[[], None]]]
_GENERATED_FILES = ("registry.yaml", "agreement.yaml", "deals/one.yaml")
_SMALL_LIBRARY_FILES = sorted(
    {*(name for name in FILES if "deals/" not in name), *_EXTRA_LIBRARY_FILES, *_GENERATED_FILES}
)
RECORD_KINDS: Mapping[str, tuple[_InputMaker, int]] = {  # with their shares in a hundred
    "deal in YAML": (_deal_in_yaml, 14),
    "deal in JSON": (_deal_in_json, 12),
    "deal as data": (deal_as_data, 8),
    "sources in YAML": (a_source, 12),
    "text in TEI": (_a_text, 6),
    "wish": (_a_wish, 4),
}
