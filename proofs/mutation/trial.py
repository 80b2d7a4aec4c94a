"""Trial of one mutant in a process of its own, with the mutated module imported.

The tests run against the mutated module in place of the real one.

What every such process needs and no mutant can change is read once, before the first is born. A process that counts
more seconds of work in a test than the test could ever need is ended by the machine, and its mutant has timed out.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar

from proofs.mutation.coverage import MUTATION_ROOT, QUIET_PYTEST_OPTIONS, CoverageMap, MutationPart

if TYPE_CHECKING:
    import pytest

_SETUP_SECONDS = 15.0  #: seconds of work for whatever is no test: importing, collecting, settling the kept deals
#: So many tests, of less than so many seconds, are run before the kept results.
_MAX_QUICK_TESTS, _QUICK_SECONDS = 25, 0.05
PASSED, FAILED, NO_PROGRAM, _BROKEN = 0, 1, 3, 4  #: how a process ends
#: By how pytest ends: all passed, one failed, a file of tests cannot be read, nor what is common to all; no test.
_EXIT_BY_PYTEST_CODE = {0: PASSED, 1: FAILED, 2: FAILED, 4: FAILED, 5: PASSED}
TIMED_OUT = -signal.SIGPROF

_T = TypeVar("_T")


def _find_module_name(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


# ---- in a process of its own
class MutatedModuleFinder(MetaPathFinder, Loader):
    """Import hook that loads a mutated text in place of one module."""

    def __init__(self, file: str, text: str) -> None:
        self.name = _find_module_name(file)
        self.path, self.text = str(MUTATION_ROOT / file), text

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return the spec of that module only."""
        package = self.path.endswith("__init__.py")
        return spec_from_loader(fullname, self, origin=self.path, is_package=package) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text under the module's name."""
        module.__file__ = self.path
        if module.__spec__ and module.__spec__.submodule_search_locations is not None:
            module.__path__ = [str(Path(self.path).parent)]
        exec(compile(self.text, self.path, "exec"), module.__dict__)


class ChosenTestsPlugin:
    """Pytest plugin that runs only the chosen tests, in order and with a time limit."""

    def __init__(self, tests: Sequence[str], touching: CoverageMap) -> None:
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        self.files, self.touching = list(files), touching
        self.at = {test: (self.files.index(test.partition("::")[0]), number) for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep only the chosen tests, in their order."""
        items[:] = sorted((one for one in items if one.nodeid in self.at), key=lambda one: self.at[one.nodeid])

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """Start the time limit of a test."""
        _limit_cpu_time(self.touching.limit(nodeid))


def _limit_cpu_time(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)


def run_mutant_tests(file: str, text: str, tests: Sequence[str], touching: CoverageMap) -> int:
    """Run the tests on one text of a file, in this process."""
    sys.meta_path.insert(0, MutatedModuleFinder(file, text))
    quick = [test for test in tests if touching.at_once(test) < _QUICK_SECONDS][:_MAX_QUICK_TESTS]
    found = _run_chosen_tests(quick, touching)
    if found == PASSED and touching.results(file):
        _limit_cpu_time(_SETUP_SECONDS)
        found = PASSED if has_same_golden_results() else FAILED
    return found or _run_chosen_tests([test for test in tests if test not in quick], touching)


def _run_chosen_tests(tests: Sequence[str], touching: CoverageMap) -> int:
    import pytest

    if not tests:
        return PASSED
    _limit_cpu_time(_SETUP_SECONDS)
    chosen = ChosenTestsPlugin(tests, touching)
    code = pytest.main([*QUIET_PYTEST_OPTIONS, "-x", "-p", "no:benchmark", *chosen.files], plugins=[chosen])
    return _EXIT_BY_PYTEST_CODE.get(code, _BROKEN)


def has_same_golden_results() -> bool:
    """Return whether every fifth golden result is unchanged; a test checks all of them."""
    import_module("engine.settlement.settle")
    kept, records = import_module("proofs.golden_results"), import_module("tests.support.deal_records")
    data = json.loads(kept.GOLDEN_RESULTS_FILE.read_text("utf-8"))
    rules = tuple(kept.iter_golden_rulesets(kept.library(), data["hybrids"]))
    raws = (*data["deals"], *map(records.record, records.PATHS))[::5]
    return bool(kept.has_golden_results(rules, map(kept.read_valid_deal, raws), data["results"]))


# ---- the processes
@dataclass(slots=True)
class TrialProcess(Generic[_T]):
    """A child process, its subject, and its deadline."""

    process: int
    about: _T
    until: float


def fork_trial(about: _T, work: Callable[[_T], int], seconds: float) -> TrialProcess[_T]:
    """Fork a process that does the work for one subject; its exit code is the result."""
    process = os.fork()
    if process == 0:
        _silence_output()
        code = FAILED
        try:
            code = work(about)
        except BaseException:  # whatever a mutant raises has been noticed
            code = FAILED
        finally:
            os._exit(code)
    return TrialProcess(process, about, time.monotonic() + seconds)


def poll_trial(child: TrialProcess[_T]) -> int | None:
    """Return a process's exit code, or None while it runs; kill it after its deadline."""
    done, status = os.waitpid(child.process, os.WNOHANG)
    if done:
        return os.waitstatus_to_exitcode(status)
    if time.monotonic() < child.until:
        return None
    os.kill(child.process, signal.SIGKILL)
    os.waitpid(child.process, 0)
    return TIMED_OUT


def run_in_processes(
    things: Iterable[_T], work: Callable[[_T], int], jobs: int, seconds: float = 3600
) -> Iterator[tuple[_T, int]]:
    """Yield each subject with its exit code, running several processes at a time."""
    waiting, running = iter(things), list[TrialProcess[_T]]()
    while True:
        while len(running) < jobs and (thing := next(waiting, None)) is not None:
            running.append(fork_trial(thing, work, seconds))
        if not running:
            return
        for child in list(running):
            code = poll_trial(child)
            if code is not None:
                running.remove(child)
                yield child.about, code
        time.sleep(0.005)


def _silence_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


#: What tests import, and no mutant can change.
_PRELOADED_MODULES = (
    "pytest hypothesis hypothesis.stateful coverage yaml lxml.etree lxml.html pydantic jsonschema click "
    "click.testing rich.console rich.table rich.text rich.markup docutils.nodes docutils.parsers.rst jinja2 numpy "
    "unittest.mock cosmic_ray.plugins cosmic_ray.mutating rulebook.sources.reader rulebook.checks "
    "rulebook.checks.coverage rulebook.load rulebook.agreement.report rulebook.checks.numerals "
    "rulebook.checks.registry rulebook.receipts rulebook.checks.fingerprints rulebook.sources.emendations"
)


def preload_modules() -> None:
    """Import the modules that every process needs."""
    sys.path.insert(0, str(MUTATION_ROOT / "tests"))
    for name in _PRELOADED_MODULES.split():
        import_module(name)
    records, load = import_module("tests.support.deal_records"), import_module("rulebook.load")
    assert all(map(records.record, records.PATHS))  # of the worked deals
    for name in ("load_library", "quick_load"):  # a test may put other sources there
        setattr(load, name, cache_own_sources(getattr(load, name), lambda: load.find_sources()))
    use_repeatable_hypothesis()


def preload_part(part: MutationPart) -> None:
    """Import what a part needs, and check that no module to be mutated is imported.

    What is imported for one part may be mutated in another, so the parts must be processed in order.
    """
    for name in part.around.split():
        import_module(name)
    touched = [name for name in map(_find_module_name, part.subjects) if name in sys.modules]
    assert not touched, f"a module that is to be mutated is in memory already: {touched}"
    gc.collect()
    gc.freeze()  # so that the processes share what is in memory


def cache_own_sources(real: Callable[..., _T], folder: Callable[[], Path]) -> Callable[..., _T]:
    """Wrap a loader so that only the edition's own sources are cached."""
    own, home = real(), folder()
    return lambda root=None: own if root is None and folder() == home else real(root)


def use_repeatable_hypothesis() -> None:
    """Make Hypothesis repeatable: the same examples, no deadline, no shrinking."""
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "even-tempered",
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("even-tempered")
