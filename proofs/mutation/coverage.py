"""Which test runs which lines of the engine, and how long it takes: so that a mutant is shown to the right tests first.

Measured once for every file of tests, by the package coverage, each in a process of its own, and laid in
build/touching/ until the tests or the files that are mutated change. The survey has a shelf of its own: its fast path
is measured, and mutated, while the compiler is at rest, so that one can see which of its lines are run.

What is kept here only says in which order tests are run, and which are worth running; whether a mutant is killed, a
test alone says. What runs while a test is made ready may serve every test of its file, and so counts as run by all of
them.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, reduce
from hashlib import sha256
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.files import replaced

if TYPE_CHECKING:
    import pytest
    from coverage import Coverage

HERE = Path(__file__).resolve().parents[2]
FOLDER = HERE / "build" / "touching"
#: What builds the whole edition, or asks a browser, takes minutes; and what is said of the mutants changes with them.
LEFT_OUT = (
    "tests/browser/test_deal_editor.py",
    "tests/browser/test_every_page.py",
    "tests/browser/test_pages.py",
    "tests/browser/test_search.py",
    "tests/browser/test_step_through.py",
    "tests/edition/book/test_book.py",
    "tests/edition/browser/test_api.py",
    "tests/edition/citation/test_citation.py",
    "tests/edition/citation/test_citation_pages.py",
    "tests/edition/cli/test_first_steps.py",
    "tests/edition/site/test_csp.py",
    "tests/edition/site/test_server.py",
    "tests/edition/views/test_home.py",
    "tests/edition/views/test_matrix.py",
    "tests/edition/views/test_question.py",
    "tests/edition/views/test_search.py",
    "tests/edition/views/test_source.py",
    "tests/edition/views/test_views.py",
    "tests/proofs/test_mutation.py",
    "tests/system/test_book.py",
    "tests/system/test_site_folder.py",
)
QUIET = ("-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist")


def within(pattern: str) -> tuple[str, ...]:
    """The files of a folder, in their order."""
    return tuple(path.relative_to(HERE).as_posix() for path in sorted(HERE.glob(pattern)))


def test_files() -> tuple[str, ...]:
    """The files of tests that a mutant may be shown to."""
    return tuple(path for path in within("tests/**/test_*.py") if path not in LEFT_OUT)


# ---- what is mutated
@dataclass(frozen=True, slots=True)
class Part:
    """Files that are mutated in one manner, and the files of tests that are asked about them."""

    name: str  #: of its shelf
    subjects: tuple[str, ...]
    tests: tuple[str, ...]
    interpreted: bool = False  #: nothing is compiled meanwhile
    around: str = ""  #: what its tests import besides, and none of its mutants can change
    whole: bool = False  #: every mutant is shown to all its tests: they look at functions without running them

    def begin(self) -> None:
        """See to it, in a process of its own, that the compiler works, or rests."""
        if self.interpreted:
            os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the processes that tests begin, too
            import_module("numba").config.reload_config()


COMPILING = "engine/survey/jit.py"
MARKED = tuple(  #: where functions are marked to be compiled, which says nothing while the compiler rests
    f"engine/survey/{name}.py"
    for name in (
        *("counting", "outcomes/batch", "outcomes/ranking", "outcomes/single"),
        *("play_batch", "play_single", "pricing", "rng"),
    )
)


def parts() -> tuple[Part, ...]:
    """All that is mutated. What says how, or what, to compile is shown to tests that do, where others do not notice."""
    survey = within("engine/survey/**/*.py")
    set_apart = tuple(file for file in within("engine/**/*.py") if file not in survey)
    return (
        Part("", (*set_apart, "rulebook/resolve.py"), test_files()),
        Part("interpreted", survey, OF_SURVEY, True, READABLE),
        Part("compiled", (COMPILING,), COMPILED, False, READABLE),
        Part("marked", MARKED, ("tests/engine/survey/test_jit_marks.py",), False, READABLE, whole=True),
    )


#: The tests of the survey that need neither a thousand deals, nor pages, nor processes that read the real files.
OF_SURVEY = (
    "tests/edition/cli/test_survey.py",
    "tests/edition/views/test_costs.py",
    "tests/engine/survey/test_jit.py",
    "tests/engine/survey/test_jit_marks.py",
    "tests/engine/survey/test_outcomes.py",
    "tests/engine/survey/test_parquet.py",
    "tests/engine/survey/test_piece.py",
    "tests/engine/survey/test_play.py",
    "tests/engine/survey/test_play_lines.py",
    "tests/engine/survey/test_policies.py",
    "tests/engine/survey/test_pricing.py",
    "tests/engine/survey/test_runner.py",
    "tests/engine/survey/test_statistics.py",
    "tests/engine/survey/test_table.py",
    "tests/engine/survey/test_tariff.py",
    "tests/engine/survey/test_tariff_edges.py",
)
#: Those of them that notice how, or what, is compiled.
COMPILED = (
    "tests/engine/survey/test_jit.py",
    "tests/engine/survey/test_policies.py",
)
#: The rest of the engine, which the survey asks.
READABLE = (
    "numba numba.extending engine.settlement.settle engine.session.session engine.comparison.irrelevance_proof "
    "engine.interpretation.effects engine.comparison.bundles engine.generation.deal engine.deal.reader "
    "engine.settlement.payments.rules engine.settlement.outcome engine.readings.meanings.by_question "
    "engine.deal.events engine.generation.wishes"
)


def subjects() -> list[str]:
    """The files to be mutated: all of the engine, and what binds a ruleset."""
    return [*dict.fromkeys(file for part in parts() for file in part.subjects)]


@dataclass(slots=True)
class Seen:
    """What one file of tests ran."""

    ready: float = 0.0  #: seconds until its tests are known and made ready
    tests: dict[str, float] = field(default_factory=dict)  #: its tests, with the seconds of each
    lines: dict[str, dict[str, str]] = field(default_factory=dict)  #: file -> line -> which of them ran it, as bits
    failed: list[str] = field(default_factory=list)

    def running(self, file: str, lines: Iterable[int] | None) -> list[str]:
        """The tests that run one of some lines of a file; of any line of it, where none is named."""
        there = self.lines.get(file, {})
        bits = 0
        for line in there if lines is None else map(str, lines):
            bits |= int(there.get(line, "0"), 16)
        return [test for at, test in enumerate(self.tests) if bits >> at & 1]


def worked() -> float:
    """Seconds of work so far, of this process and of those that it has waited for, however busy the machine is."""
    return time.process_time() + sum(os.times()[2:4])


class Watcher:
    """Tells coverage which test is running, and keeps its time."""

    MADE_READY = "made ready"

    def __init__(self, lines: Coverage) -> None:
        self.coverage, self.seen, self.began = lines, Seen(), worked()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """All tests of the file are known."""
        self.seen.ready = worked() - self.began

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """A test begins: first it is made ready."""
        self.coverage.switch_context(self.MADE_READY)
        self.began = worked()

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> None:
        """Now it runs."""
        self.coverage.switch_context(pyfuncitem.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """How much work it was, and whether it passed."""
        took, self.began = worked() - self.began, worked()
        if report.when == "call":
            self.seen.tests[report.nodeid] = round(took, 4)
        else:
            self.seen.ready += took
        if not report.passed:
            self.seen.failed.append(report.nodeid)


def watch(path: str, part: Part) -> Seen:
    """Run one file of tests, here and now, and see what it runs; nothing of the engine may be in memory before."""
    os.environ["COVERAGE_CORE"] = "ctrace"  # the only one that can tell tests apart
    import pytest
    from coverage import Coverage

    lines = Coverage(data_file=None, config_file=False, include=[str(HERE / file) for file in part.subjects])
    lines.start()
    watcher = Watcher(lines)
    pytest.main([*QUIET, "-p", "no:benchmark", path], plugins=[watcher])
    lines.stop()
    data, seen = lines.get_data(), watcher.seen
    at = {test: 1 << number for number, test in enumerate(seen.tests)}
    at[Watcher.MADE_READY] = (1 << len(seen.tests)) - 1
    for file in data.measured_files():
        ran = {line: bits_of(tests, at) for line, tests in data.contexts_by_lineno(file).items()}
        there = {str(line): f"{bits:x}" for line, bits in sorted(ran.items()) if bits}
        seen.lines[Path(file).relative_to(HERE).as_posix()] = there
    return seen


def bits_of(tests: Iterable[str], at: Mapping[str, int]) -> int:
    """Some tests as bits of one number; what ran while a file was read counts for none."""
    return reduce(or_, (at.get(test, 0) for test in tests), 0)


def shelf(path: str, part: Part) -> Path:
    """Where it lies what a file of tests runs, as long as neither it nor what is mutated changes."""
    helpers = (one for one in sorted((HERE / "tests").rglob("*.py")) if not one.name.startswith("test_"))
    seal = sha256()
    for one in (HERE / path, *helpers, *(HERE / file for file in part.subjects)):
        seal.update(one.read_bytes())
    return FOLDER / part.name / f"{Path(path).stem}-{seal.hexdigest()[:16]}.json"


def lay(path: str, part: Part) -> None:
    """See what a file of tests runs, and lay it on the shelf."""
    place = shelf(path, part)
    place.parent.mkdir(parents=True, exist_ok=True)
    part.begin()
    seen = watch(path, part)
    for old in place.parent.glob(f"{Path(path).stem}-*.json"):
        old.unlink()
    replaced(place, json.dumps(asdict(seen)))


@dataclass(frozen=True)
class Touching:
    """What every file of tests runs."""

    seen: Mapping[str, Seen]

    @classmethod
    def read(cls, part: Part) -> Touching:
        """From the shelf, where everything has been laid."""
        return cls({path: Seen(**json.loads(shelf(path, part).read_text("utf-8"))) for path in part.tests})

    @cached_property
    def failed(self) -> list[str]:
        """Tests that fail although nothing has been changed: they would kill every mutant."""
        return [test for seen in self.seen.values() for test in seen.failed]

    def asked(self, file: str, lines: Sequence[int], nearest: Sequence[str], seconds: float) -> list[str]:
        """The tests for a place in a file: first those that run it, the nearest and quickest before, until time is up.

        What runs only while the file is read (a table, a decorator) is seen by any test that runs some of the file.
        """
        direct = self.by_cost({path: seen.running(file, lines) for path, seen in self.seen.items()}, nearest)
        around = {path: self.beside(path, file, lines, not direct) for path in self.seen}
        if not direct:
            around |= {path: list(self.seen[path].tests) for path in nearest if path in self.seen}
        beside = self.by_cost(around, nearest)
        found, spent = dict[str, float](), 0.0
        for test, cost in (*direct, *beside):
            if test not in found and spent <= seconds:
                found[test] = cost
                spent += cost
        return list(found)

    def beside(self, path: str, file: str, lines: Sequence[int], anywhere: bool) -> list[str]:
        """Other tests that may notice a change there: of files with a test that runs it, or of the whole file."""
        seen = self.seen[path]
        return seen.running(file, None) if anywhere or seen.running(file, lines) else []

    def results(self, file: str) -> bool:
        """Whether the kept results run anything of a file."""
        kept = self.seen.get("tests/proofs/test_golden_results.py")
        return bool(kept and kept.running(file, None))

    def of_file(self, path: str, file: str) -> list[str]:
        """The tests of a file of tests that run anything of a file; all, where none does, or no file is named.

        Instead of a file of tests a single test may be named.
        """
        if "::" in path:
            return [path]
        seen = self.seen[path]
        return seen.running(file, None) or list(seen.tests)

    def by_cost(self, chosen: Mapping[str, Sequence[str]], nearest: Sequence[str]) -> list[tuple[str, float]]:
        """Tests with what each costs in seconds, the cheapest first; the nearest are worth ten times as much."""
        rows = []
        for path, tests in chosen.items():
            seen, worth = self.seen[path], 0.1 if path in nearest else 1.0
            rows += [(worth * (cost := seen.tests[t] + seen.ready / len(tests)), t, cost) for t in tests]
        return [(test, cost) for _, test, cost in sorted(rows)]

    def seconds(self, test: str) -> float:
        """How long a test takes, once it is ready."""
        return self.seen[test.partition("::")[0]].tests.get(test, 0.0)

    def at_once(self, test: str) -> float:
        """How long one waits for a test, with a share of what it takes to make its file ready."""
        return self.seconds(test) + self.seen[test.partition("::")[0]].ready / 50

    def limit(self, test: str) -> float:
        """So many seconds are too many for a test: ten times as many as it should take, and some for a slow machine."""
        return 5 + 10 * (self.seconds(test) + self.seen[test.partition("::")[0]].ready)
