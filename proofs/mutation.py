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
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from signal import SIGKILL
from types import ModuleType

HERE = Path(__file__).resolve().parent.parent
SURVIVORS = HERE / "proofs" / "survivors.json"
RECEIPT = HERE / "sources" / "receipts" / "mutation.json"

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
    return [
        *(path.relative_to(HERE).as_posix() for path in sorted((HERE / "engine").glob("*.py"))),
        "rulebook/resolve.py",
    ]


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


def tests_for(file: str) -> list[str]:
    """The files of tests, the nearest first; the slow ones last."""
    stem = Path(file).stem
    own = [name for name in NEAREST.get(stem, (stem,)) if (HERE / f"tests/test_{name}.py").exists()]
    names = dict.fromkeys([*own, *(name for name in QUICK if (HERE / f"tests/test_{name}.py").exists())])
    return [f"tests/test_{name}.py" for name in names]


NEAREST = {
    "ask": ("settle",),
    "facts": ("outcome", "settle"),
    "ledger": ("settle", "payments"),
    "pools": ("settle", "payments"),
    "results": ("worked_deals", "schemas"),
    "reasons": ("why",),
    "effects": ("effects",),
}
#: every file of tests that says something about the engine, from the quickest to the slowest
QUICK = (
    *("worked_deals", "cards", "play", "deals", "replay", "resolve", "settle", "payments", "outcome", "printed"),
    *("schemas", "meanings", "why", "worlds", "faults", "session", "dealing", "diagram", "explain", "effects"),
    *("ledgers", "metamorphic", "properties"),
)


def try_out(mutant: Mutant) -> int:
    """Run the tests on one mutant, here and now: 0 if they all pass, 1 if one fails, 3 if it is no mutant."""
    import pytest

    text = mutated(mutant)
    if not text:
        return 3
    module = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    sys.meta_path.insert(0, Instead(module, str(HERE / mutant.file), text))
    for file in tests_for(mutant.file):
        if pytest.main(
            ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "-p", "no:xdist", "-p", "no:benchmark", file]
        ):
            return 1
    return 0


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

    assert all((hypothesis, lxml.etree, pydantic, pytest, yaml, assemble, checks, coverage, load))
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


def receipt(counts: Counter[str], seed: int, by_file: dict[str, str]) -> None:
    """The figures, for the edition to show."""
    from rulebook import __version__
    from rulebook.load import digest, find_sources

    tried = counts[KILLED] + counts[SURVIVED]
    figures = {
        "mutants": tried + counts[TIMED_OUT],
        "killed": counts[KILLED],
        "survived": counts[SURVIVED],
        "timed out": counts[TIMED_OUT],
        "killed, per cent of those that did not time out": round(100 * counts[KILLED] / tried, 1) if tried else 0,
        "changes that leave the same program or none": counts[NONE],
        "killed and survived by file": by_file,
    }
    RECEIPT.parent.mkdir(exist_ok=True)
    RECEIPT.write_text(
        json.dumps(
            {
                "proof": "mutation",
                "says": "The engine is made wrong in one small place after another, and the tests notice it.",
                "command": "python -m proofs.mutation",
                "seed": seed,
                "version": __version__,
                "sources": digest(find_sources()),
                "python": f"{sys.version_info.major}.{sys.version_info.minor}",
                "made": date.today().isoformat(),
                "figures": figures,
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n",
        "utf-8",
    )


def main() -> int:
    """Try the mutants that were asked for, and say what became of them."""
    wanted = argparse.ArgumentParser(prog="python -m proofs.mutation", description=(__doc__ or "").split("\n")[0])
    wanted.add_argument("files", nargs="*", help="only these files, such as engine/play.py")
    wanted.add_argument("--sample", type=int, default=0, help="so many mutants, drawn by lot")
    wanted.add_argument("--seed", type=int, default=1789)
    wanted.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted.add_argument("--seconds", type=float, default=240, help="a mutant that takes longer has timed out")
    asked = wanted.parse_args()
    os.chdir(HERE)
    preload()
    chosen = [mutant for file in asked.files or subjects() for mutant in mutants(file)]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))), key=lambda m: m.file)
    counts, each, alive = Counter[str](), Counter[tuple[str, str]](), []
    for mutant, state in run(chosen, asked.jobs, asked.seconds):
        counts[state] += 1
        each[mutant.file, state] += 1
        if state == SURVIVED:
            alive.append(mutant)
            sys.stdout.write(f"survived: {mutant.file}:{mutant.line} {mutant.operator} {mutant.text}\n")
    by_file = {file: f"{each[file, KILLED]} / {each[file, SURVIVED]}" for file in dict.fromkeys(m.file for m in chosen)}
    for file, figures in by_file.items():
        sys.stdout.write(f"{file}: {figures}\n")
    tried = counts[KILLED] + counts[SURVIVED]
    share = 100 * counts[KILLED] / max(tried, 1)
    sys.stdout.write(f"killed {counts[KILLED]} of {tried} ({share:.1f} %); {counts[TIMED_OUT]} timed out\n")
    if not asked.files and not asked.sample:
        keep(alive)
        receipt(counts, asked.seed, by_file)
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
