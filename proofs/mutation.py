"""Mutation testing: the engine is made wrong in one small place after another, and the tests must notice each time.

    python -m proofs.mutation                    every mutant of engine/ and rulebook/resolve.py
    python -m proofs.mutation --sample 200       so many, drawn by lot
    python -m proofs.mutation engine/play.py     those of one file

The operators are those of the package cosmic-ray, one replacement for each sign (an addition becomes a subtraction,
"equal" becomes "not equal"), so that no mutant is counted twice under many names. They work on everything in the
files, tables and decorators too. A change that leaves the same program (only an annotation, which nobody evaluates)
or no program at all is no mutant.

Each mutant lives in a process of its own, which has the mutated module in place of the real one; the files on disk
are never touched. Tests run file by file, the nearest first, until one fails. A mutant is *killed* when a test fails,
*timed out* when they take more than ten times as long as they should, and has *survived* when all pass. Survivors are
kept in proofs/survivors.json, each with a reason if somebody has given one; the figures go into the receipt.

What became of a mutant is noted in proofs/mutants.json, so that a run that was broken off goes on where it stood. A
note holds as long as the mutated file is the same, letter by letter; `--anew` forgets what survived or timed out,
`--all-anew` everything.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from signal import SIGKILL
from types import ModuleType

from rulebook.load import digest, find_sources
from rulebook.receipts import receipt, write_receipt

HERE = Path(__file__).resolve().parent.parent
SURVIVORS = HERE / "proofs" / "survivors.json"
NOTES = HERE / "proofs" / "mutants.json"

#: One replacement for each sign.
SWAPPED = {
    "Binary": "Add_Sub Sub_Add Mul_Add Div_Mul FloorDiv_Mul Mod_Mul Pow_Mul BitOr_BitAnd BitAnd_BitOr BitXor_BitOr "
    "LShift_RShift RShift_LShift",
    "Comparison": "Eq_NotEq NotEq_Eq Lt_LtE LtE_Lt Gt_GtE GtE_Gt Is_IsNot IsNot_Is In_NotIn NotIn_In",
    "Unary": "USub_UAdd Delete_USub Delete_Not Delete_Invert Invert_USub",
}
OPERATORS = (
    *(f"core/Replace{kind}Operator_{pair}" for kind, pairs in SWAPPED.items() for pair in pairs.split()),
    *(f"core/{name}" for name in ("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr")),
    *(f"core/{name}" for name in ("ReplaceOrWithAnd", "NumberReplacer", "ZeroIterationForLoop", "RemoveDecorator")),
    *(f"core/{name}" for name in ("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ExceptionReplacer")),
)
KILLED, SURVIVED, TIMED_OUT, NONE = "killed", "survived", "timed out", "no mutant"
STATES = {0: SURVIVED, 1: KILLED, 2: KILLED, 3: NONE}  #: by the exit code of a mutant's process


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change: where, by which operator, which of its occurrences in the file."""

    file: str
    line: int
    operator: str
    occurrence: int
    text: str  #: the line as it is in the real file

    @property
    def key(self) -> str:
        """What names it as long as its line reads so."""
        return f"{self.file} {self.operator} {self.text}"


# ---- the mutants
def subjects() -> list[str]:
    """The files to be mutated: all of the engine, and what binds a ruleset."""
    engine = (path.relative_to(HERE).as_posix() for path in sorted((HERE / "engine").glob("*.py")))
    return [*engine, "rulebook/resolve.py"]


def mutants(file: str) -> Iterator[Mutant]:
    """Every change that an operator can make in a file."""
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.plugins import get_operator, operator_names

    tree, lines = get_ast_from_path(HERE / file), (HERE / file).read_text("utf-8").splitlines()
    for name in (name for name in OPERATORS if name in set(operator_names())):
        operator = get_operator(name)()
        places = (start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node))
        for occurrence, (line, _) in enumerate(places):
            yield Mutant(file, line, name, occurrence, lines[line - 1].strip())


def mutated(mutant: Mutant) -> str:
    """The file with the change in it; empty where that is no other program."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = (HERE / mutant.file).read_text("utf-8")
    changed = mutate_code(text, get_operator(mutant.operator)(), mutant.occurrence)
    try:
        return changed if changed and bare(changed) != bare(text) else ""
    except SyntaxError:
        return ""


class Unannotated(ast.NodeTransformer):
    """A program without its annotations, which nobody evaluates, and without its docstrings."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """A name with a type."""
        node.annotation = ast.Constant(0)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An argument."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function."""
        node.returns = None
        return self.generic_visit(node)


def bare(text: str) -> str:
    """What a program does, in a form that can be compared."""
    return ast.dump(Unannotated().visit(ast.parse(text)))


# ---- one mutant in a process of its own
class Instead(MetaPathFinder, Loader):
    """Gives one module's name to another text."""

    def __init__(self, name: str, path: str, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Only that module."""
        return spec_from_loader(fullname, self, origin=self.path) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text under the module's name."""
        module.__file__ = self.path
        exec(compile(self.text, self.path, "exec"), module.__dict__)


#: Which tests are nearest to a file, where their name does not say so.
NEAREST = {
    "__init__": ("api",),
    "ask": ("settle",),
    "bars": ("faults",),
    "branches": ("branches", "worlds"),
    "explore": ("worlds", "possible"),
    "facts": ("outcome", "settle"),
    "ledger": ("settle", "payments"),
    "plans": ("dealing",),
    "pools": ("settle", "payments"),
    "readings": ("worlds",),
    "reasons": ("why",),
    "results": ("results", "schemas"),
    "session": ("session", "worked_sessions"),
    "session_results": ("session", "session_cli"),
    "sittings": ("session", "worked_sessions"),
    "sketches": ("dealing", "cli_deal"),
    "wishes": ("dealing",),
}
#: The files of tests that settle deals, the quickest first; what takes longer (possible worlds, steering, sessions by
#: lot, the properties) is left out here, so that a mutant counts as killed only by tests that take seconds.
ALL = (
    *("cards", "play", "deals", "outcome", "replay", "resolve", "payments", "faults", "settle", "printed", "api"),
    *("metamorphic", "meanings", "worked_sessions", "schemas", "session", "effects", "dealing"),
    *("diagram", "why", "explain", "branches", "worlds", "possible", "session_cli", "cli_deal", "sketches"),
)
LONG = ("dealing", "diagram", "why", "explain", "branches", "worlds", "possible", "session_cli", "cli_deal", "sketches")
#: Rooms that nothing in the settlement of a deal looks into: their own tests must do.
APART = ("branches", "explore", "readings", "worlds", "dealing", "plans", "sketches", "wishes", "diagram", "printed")
APART_TOO = ("session", "session_results", "sittings", "effects", "why", "reasons", "__init__")


def tests_for(file: str) -> list[str]:
    """The files of tests, the nearest first; for a room that stands apart, those that look into it."""
    stem = Path(file).stem
    names = dict.fromkeys(NEAREST.get(stem, (stem,)))
    if stem in (*APART, *APART_TOO):
        names |= dict.fromkeys(name for name in ALL if looks_into(name, stem))
    else:
        names |= dict.fromkeys(name for name in ALL if name not in LONG)
    return [path for name in names if (HERE / (path := f"tests/test_{name}.py")).exists()]


@cache
def looks_into(test: str, stem: str) -> bool:
    """Whether a file of tests speaks of a room by its name."""
    path = HERE / f"tests/test_{test}.py"
    return path.exists() and f"engine.{stem} import" in path.read_text("utf-8")


def try_out(mutant: Mutant) -> int:
    """Run the tests on one mutant, here and now: 0 if they all pass, 1 if one fails, 3 if it is no mutant."""
    import pytest

    text = mutated(mutant)
    if not text:
        return 3
    module = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    sys.meta_path.insert(0, Instead(module, str(HERE / mutant.file), text))
    if not results_hold():
        return 1
    quiet = ("-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:benchmark")
    return int(any(pytest.main([*quiet, file]) for file in tests_for(mutant.file)))


def results_hold() -> bool:
    """Whether all kept results come out, the quickest test of all; the same that tests/test_results.py makes."""
    import_module("engine.settle")
    kept, records = import_module("proofs.results"), import_module("records")
    data = json.loads(kept.KEPT.read_text("utf-8"))
    rules = tuple(kept.rulesets(kept.library(), data["hybrids"]))
    raws = (*data["deals"], *map(records.record, records.PATHS))
    return bool(kept.unchanged(rules, map(kept.read, raws), data["results"]))


def apart(mutant: Mutant, seconds: float) -> str:
    """What becomes of a mutant in a process of its own, which is ended when it takes too long."""
    child = os.fork()
    if child == 0:
        silence()
        code = 1
        try:
            code = try_out(mutant)
        except BaseException:  # whatever a mutant raises has been noticed
            code = 1
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return STATES.get(os.waitstatus_to_exitcode(status), KILLED)
        time.sleep(0.02)
    os.kill(child, SIGKILL)
    os.waitpid(child, 0)
    return TIMED_OUT


def silence() -> None:
    """Nothing that a mutant's tests print is of interest."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def preload() -> None:
    """What every mutant's process needs and no mutant changes is read once, before the first is born."""
    import hypothesis
    import lxml.etree
    import pydantic
    import pytest
    import yaml

    from rulebook import assemble, checks, coverage, load

    sys.path.insert(0, str(HERE / "tests"))
    records = import_module("records")  # of the worked deals, read once for all

    assert all((hypothesis, lxml.etree, pydantic, pytest, yaml, assemble, checks, coverage, load))
    assert all(map(records.record, records.PATHS))
    touched = [name for name in sys.modules if name.split(".")[0] == "engine" or name == "rulebook.resolve"]
    assert not touched, f"a module that is to be mutated is in memory already: {touched}"


# ---- all of them
def run(chosen: Sequence[Mutant], jobs: int, seconds: float) -> Iterator[tuple[Mutant, str]]:
    """Every mutant with what became of it, some at a time; progress goes to the other stream."""
    with ThreadPoolExecutor(jobs) as pool:
        for at, found in enumerate(pool.map(lambda mutant: (mutant, apart(mutant, seconds)), chosen), 1):
            if at % 25 == 0 or at == len(chosen):
                sys.stderr.write(f"\r{at} of {len(chosen)}")
            yield found
    sys.stderr.write("\n")


def known_reasons() -> dict[str, str]:
    """Why some mutants survive, as far as somebody has looked into it."""
    if not SURVIVORS.exists():
        return {}
    return {one["key"]: one["reason"] for one in json.loads(SURVIVORS.read_text("utf-8")) if one.get("reason")}


def keep(survivors: Iterable[Mutant]) -> None:
    """Write down the survivors, with the reasons that were known."""
    reasons = known_reasons()
    rows = [{"key": one.key, **asdict(one), "reason": reasons.get(one.key, "")} for one in survivors]
    SURVIVORS.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")


def figures_of(counts: Counter[str], by_file: Mapping[str, object]) -> dict[str, object]:
    """The figures for the receipt."""
    tried = counts[KILLED] + counts[SURVIVED]
    return {
        "mutants": tried + counts[TIMED_OUT],
        "killed": counts[KILLED],
        "survived": counts[SURVIVED],
        "timed out, counted apart": counts[TIMED_OUT],
        "killed of a hundred that did not time out": f"{100 * counts[KILLED] / tried:.1f}" if tried else "0",
        "changes that leave the same program or none": counts[NONE],
        "by file": by_file,
    }


SAYS = (
    "The engine is made wrong in one small place after another, and the tests notice it; who survived is listed in "
    "proofs/survivors.json, with the reason where it is known."
)


class Notes:
    """What became of each mutant, kept between runs as long as its file does not change."""

    def __init__(self, forgotten: Sequence[str]) -> None:
        had = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
        self.had: dict[str, str] = {key: state for key, state in had.items() if state not in forgotten}
        self.seals = {file: sha256((HERE / file).read_bytes()).hexdigest()[:16] for file in subjects()}

    def key(self, mutant: Mutant) -> str:
        """The mutant of just this text."""
        return f"{self.seals[mutant.file]} {mutant.operator} {mutant.occurrence}"

    def of(self, mutant: Mutant) -> str:
        """What became of it; empty if that is not known."""
        return self.had.get(self.key(mutant), "")

    def note(self, mutant: Mutant, state: str) -> None:
        """Write down what became of it; now and then to the disk."""
        self.had[self.key(mutant)] = state
        if len(self.had) % 20 == 0:
            self.save()

    def save(self) -> None:
        """Put everything on the disk."""
        NOTES.write_text(json.dumps(dict(sorted(self.had.items())), indent=0) + "\n", "utf-8")


def asked_for() -> argparse.Namespace:
    """What was asked for on the command line."""
    wanted = argparse.ArgumentParser(prog="python -m proofs.mutation", description=(__doc__ or "").split("\n")[0])
    wanted.add_argument("files", nargs="*", help="only these files, such as engine/play.py")
    wanted.add_argument("--sample", type=int, default=0, help="so many mutants, drawn by lot")
    wanted.add_argument("--seed", type=int, default=1789)
    wanted.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted.add_argument("--seconds", type=float, default=240, help="a mutant that takes longer has timed out")
    wanted.add_argument("--anew", action="store_true", help="try again those that survived or timed out before")
    wanted.add_argument("--all-anew", action="store_true", help="try all again")
    return wanted.parse_args()


def main() -> int:
    """Try the mutants that were asked for, and say what became of them."""
    asked = asked_for()
    os.chdir(HERE)
    preload()
    chosen = [mutant for file in asked.files or subjects() for mutant in mutants(file)]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))), key=lambda m: m.file)
    every = (KILLED, SURVIVED, TIMED_OUT, NONE)
    notes = Notes(every if asked.all_anew else (SURVIVED, TIMED_OUT) if asked.anew else ())
    found = {mutant: notes.of(mutant) for mutant in chosen}
    for mutant, state in run([m for m, state in found.items() if not state], asked.jobs, asked.seconds):
        found[mutant] = state
        notes.note(mutant, state)
    notes.save()
    return told(found, asked.seed, whole=not asked.files and not asked.sample)


def told(found: Mapping[Mutant, str], seed: int, whole: bool) -> int:
    """Print what became of them; of all of them keep survivors and receipt. 1 if fewer than nine in ten were killed."""
    counts = Counter(found.values())
    each = Counter((mutant.file, state) for mutant, state in found.items())
    alive = [mutant for mutant, state in found.items() if state == SURVIVED]
    for mutant in alive:
        sys.stdout.write(f"survived: {mutant.file}:{mutant.line} {mutant.operator} {mutant.text}\n")
    files = dict.fromkeys(mutant.file for mutant in found)
    by_file = {file: {state: each[file, state] for state in (KILLED, SURVIVED, TIMED_OUT)} for file in files}
    for file, row in by_file.items():
        sys.stdout.write(f"{file}: {row}\n")
    tried = counts[KILLED] + counts[SURVIVED]
    share = 100 * counts[KILLED] / max(tried, 1)
    sys.stdout.write(f"killed {counts[KILLED]} of {tried} ({share:.1f} %); {counts[TIMED_OUT]} timed out\n")
    if whole:
        keep(alive)
        sources = find_sources()
        figures = figures_of(counts, by_file)
        write_receipt(sources, receipt("mutation", SAYS, "python -m proofs.mutation", seed, digest(sources), figures))
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
