"""Map of which tests run which lines of the engine, with the time of each test.

A mutant is run against the tests of its lines first.

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
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, reduce
from hashlib import sha256
from importlib import import_module
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.files import replace_file

if TYPE_CHECKING:
    import pytest
    from coverage import Coverage

MUTATION_ROOT = Path(__file__).resolve().parents[2]
_COVERAGE_CACHE = MUTATION_ROOT / "build" / "touching"
#: What builds the whole edition, or asks a browser, takes minutes; and what is said of the mutants changes with them.
_EXCLUDED_TESTS = """
    browser/test_deal_editor browser/test_every_page browser/test_pages browser/test_search
    browser/test_step_through edition/book/test_book reversis/browser/test_api edition/citation/test_citation
    edition/citation/test_citation_pages edition/cli/test_first_steps edition/site/test_csp
    edition/site/test_server edition/views/test_home edition/views/test_matrix edition/views/test_question
    edition/views/test_search edition/views/test_source edition/views/test_views proofs/test_mutation
    system/test_book system/test_site_folder
"""
QUIET_PYTEST_OPTIONS = ("-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist")


def glob_project_files(pattern: str) -> tuple[str, ...]:
    """Return the project files that match a pattern, sorted."""
    return tuple(path.relative_to(MUTATION_ROOT).as_posix() for path in sorted(MUTATION_ROOT.glob(pattern)))


def list_mutation_test_files() -> tuple[str, ...]:
    """Return the test files that mutants may be run against."""
    excluded = {f"tests/{name}.py" for name in _EXCLUDED_TESTS.split()}
    return tuple(path for path in glob_project_files("tests/**/test_*.py") if path not in excluded)


# ---- what is mutated
@dataclass(frozen=True, slots=True)
class MutationPart:
    """Files that are mutated in the same way, and the test files run against them."""

    name: str  #: of its shelf
    subjects: tuple[str, ...]
    tests: tuple[str, ...]
    interpreted: bool = False  #: nothing is compiled meanwhile
    around: str = ""  #: what its tests import besides, and none of its mutants can change
    whole: bool = False  #: every mutant is shown to all its tests: they look at functions without running them

    def begin(self) -> None:
        """Switch the JIT compiler on or off, in a process of its own."""
        if self.interpreted:
            os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the processes that tests begin, too
            import_module("numba").config.reload_config()


JIT_FILE = "lab/survey/jit.py"
_JIT_MARKED_PLAYERS = "arena endgame exchange lanes net_batch search turns worlds"
_JIT_MARKED = "counting outcomes/batch outcomes/ranking outcomes/single play_batch play_single pricing rng"
#: Where functions are marked to be compiled, which says nothing while the compiler rests.
JIT_MARKED_FILES = (
    *(f"engine/players/{name}.py" for name in _JIT_MARKED_PLAYERS.split()),
    *(f"lab/survey/{name}.py" for name in _JIT_MARKED.split()),
)


def list_mutation_parts() -> tuple[MutationPart, ...]:
    """Return all that is mutated, in parts.

    Mutants of code that says what to compile, or how, are run against tests that compile; other tests do not notice
    them.
    """
    searching = (file for file in JIT_MARKED_FILES if file.startswith("engine/players/"))
    survey = (*glob_project_files("lab/survey/**/*.py"), *searching)
    set_apart = tuple(file for file in glob_project_files("engine/**/*.py") if file not in survey)
    return (
        MutationPart("", (*set_apart, "rulebook/resolve.py"), list_mutation_test_files()),
        MutationPart("interpreted", survey, _SURVEY_TESTS, True, _SURVEY_IMPORTS),
        MutationPart("compiled", (JIT_FILE,), _COMPILED_TESTS, False, _SURVEY_IMPORTS),
        MutationPart(
            "marked", JIT_MARKED_FILES, ("tests/lab/survey/test_jit_marks.py",), False, _SURVEY_IMPORTS, whole=True
        ),
    )


_SURVEY_TEST_NAMES = (
    "dask_words further_cards jit jit_marks lines_by_hand outcomes parquet piece play play_lines policies pricing "
    "runner statistics table tariff tariff_edges"
)
#: The tests of the survey that need neither a thousand deals, nor pages, nor processes that read the real files.
_SURVEY_TESTS = (
    "tests/edition/cli/test_survey.py",
    "tests/edition/views/test_costs.py",
    *(f"tests/lab/survey/test_{name}.py" for name in _SURVEY_TEST_NAMES.split()),
)
#: Those of them that notice how, or what, is compiled.
_COMPILED_TESTS = ("tests/lab/survey/test_jit.py", "tests/lab/survey/test_policies.py")
#: The rest of the engine, which the survey asks.
_SURVEY_IMPORTS = (
    "numba numba.extending engine.settlement.settle engine.session.session engine.comparison.irrelevance_proof "
    "engine.interpretation.effects engine.comparison.bundles engine.generation.deal engine.deal.reader "
    "engine.settlement.payments.rules engine.settlement.outcome engine.readings.meanings.by_question "
    "engine.deal.events engine.generation.wishes"
)


_RULES = "rules"
#: Groups of files that have a receipt each, and the folders of each; all other files are of the rules.
_FOLDERS_BY_GROUP: Mapping[str, tuple[str, ...]] = {
    "deals": ("engine/generation/", "engine/comparison/"),
    "players": ("engine/players/",),
    "survey": ("lab/survey/",),
}
MUTATION_GROUPS = (_RULES, *_FOLDERS_BY_GROUP)


def find_mutation_group(file: str) -> str:
    """Return the group of a file that is mutated."""
    return next((group for group, folders in _FOLDERS_BY_GROUP.items() if file.startswith(folders)), _RULES)


def list_mutated_files(groups: Container[str] = MUTATION_GROUPS) -> list[str]:
    """Return the files of some groups that are mutated: the engine, and `rulebook/resolve.py`."""
    files = dict.fromkeys(file for part in list_mutation_parts() for file in part.subjects)
    return [file for file in files if find_mutation_group(file) in groups]


@dataclass(slots=True)
class CoveredLines:
    """Lines that the tests of one test file run."""

    ready: float = 0.0  #: seconds until its tests are known and made ready
    tests: dict[str, float] = field(default_factory=dict)  #: its tests, with the seconds of each
    lines: dict[str, dict[str, str]] = field(default_factory=dict)  #: file -> line -> which of them ran it, as bits
    failed: list[str] = field(default_factory=list)

    def running(self, file: str, lines: Iterable[int] | None) -> list[str]:
        """Return the tests that run one of these lines of a file; any line, if None."""
        there = self.lines.get(file, {})
        bits = 0
        for line in there if lines is None else map(str, lines):
            bits |= int(there.get(line, "0"), 16)
        return [test for at, test in enumerate(self.tests) if bits >> at & 1]


def measure_cpu_time() -> float:
    """Return the CPU seconds used so far by this process and its finished children."""
    return time.process_time() + sum(os.times()[2:4])


class CoveragePlugin:
    """Pytest plugin that tells coverage which test is running, and times it."""

    MADE_READY = "made ready"

    def __init__(self, lines: Coverage) -> None:
        self.coverage, self.seen, self.began = lines, CoveredLines(), measure_cpu_time()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the time that collecting the tests took."""
        self.seen.ready = measure_cpu_time() - self.began

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """Switch to the context of the setup when a test begins."""
        self.coverage.switch_context(self.MADE_READY)
        self.began = measure_cpu_time()

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> None:
        """Switch to the context of the test."""
        self.coverage.switch_context(pyfuncitem.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the CPU time of the test, and whether it failed."""
        took, self.began = measure_cpu_time() - self.began, measure_cpu_time()
        if report.when == "call":
            self.seen.tests[report.nodeid] = round(took, 4)
        else:
            self.seen.ready += took
        if not report.passed:
            self.seen.failed.append(report.nodeid)


def trace_test_file(path: str, part: MutationPart) -> CoveredLines:
    """Run a test file here before any engine module is imported; return the lines each test runs."""
    os.environ["COVERAGE_CORE"] = "ctrace"  # the only one that can tell tests apart
    import pytest
    from coverage import Coverage

    lines = Coverage(data_file=None, config_file=False, include=[str(MUTATION_ROOT / file) for file in part.subjects])
    lines.start()
    watcher = CoveragePlugin(lines)
    pytest.main([*QUIET_PYTEST_OPTIONS, "-p", "no:benchmark", path], plugins=[watcher])
    lines.stop()
    data, seen = lines.get_data(), watcher.seen
    at = {test: 1 << number for number, test in enumerate(seen.tests)}
    at[CoveragePlugin.MADE_READY] = (1 << len(seen.tests)) - 1
    for file in data.measured_files():
        ran = {line: encode_tests(tests, at) for line, tests in data.contexts_by_lineno(file).items()}
        there = {str(line): f"{bits:x}" for line, bits in sorted(ran.items()) if bits}
        seen.lines[Path(file).relative_to(MUTATION_ROOT).as_posix()] = there
    return seen


def encode_tests(tests: Iterable[str], at: Mapping[str, int]) -> int:
    """Encode tests as bits of one number; what ran during import counts for none."""
    return reduce(or_, (at.get(test, 0) for test in tests), 0)


def find_coverage_cache(path: str, part: MutationPart) -> Path:
    """Return the cache path of a test file's lines; it changes with test, helpers and mutated files."""
    helpers = (one for one in sorted((MUTATION_ROOT / "tests").rglob("*.py")) if not one.name.startswith("test_"))
    seal = sha256()
    for one in (MUTATION_ROOT / path, *helpers, *(MUTATION_ROOT / file for file in part.subjects)):
        seal.update(one.read_bytes())
    return _COVERAGE_CACHE / part.name / f"{_name_test_file(path)}-{seal.hexdigest()[:16]}.json"


def _name_test_file(path: str) -> str:
    """Name a test file by its folders too: files of one name may lie in several."""
    return Path(path).with_suffix("").as_posix().replace("/", ".")


def cache_test_coverage(path: str, part: MutationPart) -> None:
    """Trace a test file and cache the lines that it runs."""
    place = find_coverage_cache(path, part)
    place.parent.mkdir(parents=True, exist_ok=True)
    part.begin()
    seen = trace_test_file(path, part)
    for old in place.parent.glob(f"{_name_test_file(path)}-*.json"):
        old.unlink()
    replace_file(place, json.dumps(asdict(seen)))


@dataclass(frozen=True)
class CoverageMap:
    """Lines that every test file runs."""

    seen: Mapping[str, CoveredLines]

    @classmethod
    def read(cls, part: MutationPart) -> CoverageMap:
        """Read the lines of all test files from the cache, which must be complete."""
        caches = {path: find_coverage_cache(path, part) for path in part.tests}
        return cls({path: CoveredLines(**json.loads(cache.read_text("utf-8"))) for path, cache in caches.items()})

    @cached_property
    def failed(self) -> list[str]:
        """List the tests that fail on unchanged code: they would kill every mutant."""
        return [test for seen in self.seen.values() for test in seen.failed]

    def asked(self, file: str, lines: Sequence[int], nearest: Sequence[str], seconds: float) -> list[str]:
        """Choose the tests for some lines of a file, up to a number of seconds of tests.

        Those that run the lines come first, the nearest and cheapest before.

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
        """Return other tests that may notice a change of these lines."""
        seen = self.seen[path]
        return seen.running(file, None) if anywhere or seen.running(file, lines) else []

    def results(self, file: str) -> bool:
        """Return whether the golden results run any line of a file."""
        kept = self.seen.get("tests/proofs/test_golden_results.py")
        return bool(kept and kept.running(file, None))

    def of_file(self, path: str, file: str) -> list[str]:
        """Return the single test named, or the tests of a file that run anything of `file`, or else all."""
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
        """Return the seconds that a test takes, without its setup."""
        return self.seen[test.partition("::")[0]].tests.get(test, 0.0)

    def at_once(self, test: str) -> float:
        """Return the seconds that a test takes, with a share of its file's setup."""
        return self.seconds(test) + self.seen[test.partition("::")[0]].ready / 50

    def limit(self, test: str) -> float:
        """Return the time limit of a test: ten times its usual seconds, and 5 more."""
        return 5 + 10 * (self.seconds(test) + self.seen[test.partition("::")[0]].ready)
