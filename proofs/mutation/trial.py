"""Trying one mutant in a process of its own: the mutated module stands there in place of the real one, and tests run.

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

from proofs.mutation.coverage import HERE, QUIET, Part, Touching

if TYPE_CHECKING:
    import pytest

LIMIT = 15.0  #: seconds of work for whatever is no test: importing, collecting, settling the kept deals
FIRST, QUICK = 25, 0.05  #: so many tests, of less than so many seconds, are run before the kept results
PASSED, FAILED, NO_PROGRAM, BROKEN = 0, 1, 3, 4  #: how a process ends
#: By how pytest ends: all passed, one failed, a file of tests cannot be read, nor what is common to all; no test.
ENDED = {0: PASSED, 1: FAILED, 2: FAILED, 4: FAILED, 5: PASSED}
TIMED_OUT = -signal.SIGPROF

T = TypeVar("T")


def name_of(file: str) -> str:
    """A module by its file."""
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


# ---- in a process of its own
class Instead(MetaPathFinder, Loader):
    """Gives one module's name to another text."""

    def __init__(self, file: str, text: str) -> None:
        self.name = name_of(file)
        self.path, self.text = str(HERE / file), text

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Only that module."""
        package = self.path.endswith("__init__.py")
        return spec_from_loader(fullname, self, origin=self.path, is_package=package) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text under the module's name."""
        module.__file__ = self.path
        if module.__spec__ and module.__spec__.submodule_search_locations is not None:
            module.__path__ = [str(Path(self.path).parent)]
        exec(compile(self.text, self.path, "exec"), module.__dict__)


class Chosen:
    """Has only the chosen tests run, file by file in their order, and none longer than it may."""

    def __init__(self, tests: Sequence[str], touching: Touching) -> None:
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        self.files, self.touching = list(files), touching
        self.at = {test: (self.files.index(test.partition("::")[0]), number) for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of all that was found."""
        items[:] = sorted((one for one in items if one.nodeid in self.at), key=lambda one: self.at[one.nodeid])

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """The time of a test begins to count."""
        allow(self.touching.limit(nodeid))


def allow(seconds: float) -> None:
    """So much work may be done from now on."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def try_out(file: str, text: str, tests: Sequence[str], touching: Touching) -> int:
    """Run the tests on one text of a file, here and now."""
    sys.meta_path.insert(0, Instead(file, text))
    quick = [test for test in tests if touching.at_once(test) < QUICK][:FIRST]
    found = run(quick, touching)
    if found == PASSED and touching.results(file):
        allow(LIMIT)
        found = PASSED if results_hold() else FAILED
    return found or run([test for test in tests if test not in quick], touching)


def run(tests: Sequence[str], touching: Touching) -> int:
    """Run some tests, until one fails."""
    import pytest

    if not tests:
        return PASSED
    allow(LIMIT)
    chosen = Chosen(tests, touching)
    code = pytest.main([*QUIET, "-x", "-p", "no:benchmark", *chosen.files], plugins=[chosen])
    return ENDED.get(code, BROKEN)


def results_hold() -> bool:
    """Whether the kept results of every fifth deal come out, as test_golden_results.py has them all come out."""
    import_module("engine.settlement.settle")
    kept, records = import_module("proofs.golden_results"), import_module("tests.support.deal_records")
    data = json.loads(kept.KEPT.read_text("utf-8"))
    rules = tuple(kept.rulesets(kept.library(), data["hybrids"]))
    raws = (*data["deals"], *map(records.record, records.PATHS))[::5]
    return bool(kept.unchanged(rules, map(kept.read, raws), data["results"]))


# ---- the processes
@dataclass(slots=True)
class Child(Generic[T]):
    """A process, what it is about, and when it has to be over."""

    process: int
    about: T
    until: float


def born(about: T, work: Callable[[T], int], seconds: float) -> Child[T]:
    """A process that does the work for one thing, and ends with what comes of it."""
    process = os.fork()
    if process == 0:
        silence()
        code = FAILED
        try:
            code = work(about)
        except BaseException:  # whatever a mutant raises has been noticed
            code = FAILED
        finally:
            os._exit(code)
    return Child(process, about, time.monotonic() + seconds)


def ended(child: Child[T]) -> int | None:
    """How a process has ended; None while it still runs."""
    done, status = os.waitpid(child.process, os.WNOHANG)
    if done:
        return os.waitstatus_to_exitcode(status)
    if time.monotonic() < child.until:
        return None
    os.kill(child.process, signal.SIGKILL)
    os.waitpid(child.process, 0)
    return TIMED_OUT


def each_apart(
    things: Iterable[T], work: Callable[[T], int], jobs: int, seconds: float = 3600
) -> Iterator[tuple[T, int]]:
    """What comes of each thing, some processes at a time."""
    waiting, running = iter(things), list[Child[T]]()
    while True:
        while len(running) < jobs and (thing := next(waiting, None)) is not None:
            running.append(born(thing, work, seconds))
        if not running:
            return
        for child in list(running):
            code = ended(child)
            if code is not None:
                running.remove(child)
                yield child.about, code
        time.sleep(0.005)


def silence() -> None:
    """Nothing that a mutant's tests print is of interest."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


#: What tests import, and no mutant can change.
AROUND = (
    "pytest hypothesis hypothesis.stateful coverage yaml lxml.etree lxml.html pydantic jsonschema click "
    "click.testing rich.console rich.table rich.text rich.markup docutils.nodes docutils.parsers.rst jinja2 numpy "
    "unittest.mock cosmic_ray.plugins cosmic_ray.mutating rulebook.sources.reader rulebook.checks "
    "rulebook.checks.coverage rulebook.load rulebook.agreement.report rulebook.checks.numerals "
    "rulebook.checks.registry rulebook.receipts rulebook.checks.fingerprints rulebook.sources.emendations"
)


def preload() -> None:
    """Read what every process needs."""
    sys.path.insert(0, str(HERE / "tests"))
    for name in AROUND.split():
        import_module(name)
    records, load = import_module("tests.support.deal_records"), import_module("rulebook.load")
    assert all(map(records.record, records.PATHS))  # of the worked deals
    for name in ("load", "quick_load"):
        setattr(load, name, once(getattr(load, name), lambda: load.find_sources()))  # a test may put others there
    even_tempered()


def preload_for(part: Part) -> None:
    """Read what is needed for a part of the program, and see that nothing that is to be mutated is in memory already.

    What is read for one part may be mutated in another; so the parts must be gone through in their order.
    """
    for name in part.around.split():
        import_module(name)
    touched = [name for name in map(name_of, part.subjects) if name in sys.modules]
    assert not touched, f"a module that is to be mutated is in memory already: {touched}"
    gc.collect()
    gc.freeze()  # so that the processes share what is in memory


def once(real: Callable[..., T], folder: Callable[[], Path]) -> Callable[..., T]:
    """The edition's own sources are the same for all, and read once; any other folder is read when it is asked for."""
    own, home = real(), folder()
    return lambda root=None: own if root is None and folder() == home else real(root)


def even_tempered() -> None:
    """Properties are tried on the same examples each time, never mind the clock, and no failure is made smaller."""
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
