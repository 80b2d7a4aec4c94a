"""Mutation testing: the engine is made wrong in one small place after another, and the tests must notice each time.

    python -m proofs.mutation                    every mutant of engine/, engine/survey/ and rulebook/resolve.py
    python -m proofs.mutation --sample 200       so many, drawn by lot
    python -m proofs.mutation engine/play.py     those of one file
    python -m proofs.mutation --anew --by tests/test_play.py     survivors again, shown to new tests only

The operators are those of the package cosmic-ray, one replacement for each sign (an addition becomes a subtraction,
"equal" becomes "not equal"), so that no mutant is counted twice under many names. They work on everything in the
files, tables and decorators too. A change that leaves the same program (only an annotation, which nobody evaluates)
or no program at all is no mutant.

Each mutant lives in a process of its own, which has the mutated module in place of the real one; the files on disk
are never touched. It is shown to the kept results and to the tests that run its line, the nearest and quickest first,
and then to their neighbours, until one fails or `--seconds` of tests are over. A mutant is *killed* when a test fails,
*timed out* when one takes more than ten times as long as it should, and has *survived* when all pass. Before, the same
tests are run in the same way with nothing wrong, and all have to pass. Survivors are kept in proofs/survivors.json,
each with a reason if somebody has given one; the figures go into the receipt.

The fast path of the survey is compiled, which takes minutes. So the mutants of engine/survey/ are tried where the
compiler rests: the same text runs as plain Python there, and brings out the same (tests/test_survey_interpreted.py).
What says how to compile, and what, is shown to tests that compile as well, and has survived only if it survives both.

What became of a mutant is noted in proofs/mutants.json, so that a run that was broken off goes on where it stood. A
note holds as long as the mutated file is the same, letter by letter; notes of a file that has changed since are told
and count for nothing. `--anew` tries again what survived, `--all-anew` everything, `--known` nothing: it tells only.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path

from proofs.touching import HERE, Part, Touching, lay, parts, shelf, subjects
from proofs.trying import FAILED, NO_PROGRAM, PASSED, TIMED_OUT, each_apart, preload, preload_for, try_out
from rulebook.load import digest, find_sources
from rulebook.places import replaced
from rulebook.receipts import BY_FILE, FINGERPRINT, fingerprint, receipt, write_receipt

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
KILLED, SURVIVED, TIMED, NONE = "killed", "survived", "timed out", "no mutant"
UNEXPLAINED = "survivors that nobody has looked into yet"
AGAIN = {"all": (KILLED, SURVIVED, TIMED, NONE), "some": (SURVIVED,), "none": ()}  #: what is tried again
STATES = {PASSED: SURVIVED, FAILED: KILLED, NO_PROGRAM: NONE, TIMED_OUT: TIMED}  #: by how a mutant's process ends


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change: where, by which operator, which of its occurrences in the file."""

    file: str
    line: int
    operator: str
    occurrence: int
    text: str  #: the line as it is in the real file


# ---- the mutants
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


# ---- which tests
#: Which tests are nearest to a file, where their name does not say so.
NEAREST = {
    "__init__": ("api",),
    "ask": ("settle",),
    "attribution": ("attribution_edges",),
    "bars": ("faults",),
    "branches": ("edges", "worlds"),
    "bundles": ("attribution", "attribution_edges", "compare_deal"),
    "deals": ("deal_edges", "faults"),
    "diagram": ("diagram_edges",),
    "everywhere": ("separate",),
    "explore": ("worlds", "possible"),
    "facts": ("outcome", "settle"),
    "ledger": ("settle", "payments"),
    "meanings": ("meant",),
    "outcome": ("outcome_edges",),
    "plans": ("dealing",),
    "play": ("edges",),
    "pools": ("settle", "payments"),
    "readings": ("worlds",),
    "reasons": ("why",),
    "replay": ("replay_edges",),
    "results": ("fingerprints", "schemas"),
    "separating": ("separate",),
    "session": ("worked_sessions",),
    "session_results": ("session", "session_cli"),
    "settle": ("settle_edges",),
    "shrinking": ("separate",),
    "sittings": ("session", "worked_sessions"),
    "sketches": ("dealing", "cli_deal"),
    "telling": ("separate",),
    "twists": ("separate",),
    "wishes": ("dealing",),
}
#: The same of the survey; besides those that hold its fast path to the readable one, line by line.
OF_SURVEY = {
    **dict.fromkeys(("coding", "played", "policies"), ("survey_policies_edges", "survey_kernel")),
    **dict.fromkeys(("counting", "readable"), ("survey_tariff", "survey_tariff_edges")),
    **dict.fromkeys(("disagreements", "distances", "exact", "figures"), ("materiality", "survey_figures_edges")),
    **dict.fromkeys(("lockstep", "lots", "outcomes", "singly"), ("survey_kernel",)),
    **dict.fromkeys(("parquet", "stored"), ("survey_files", "survey_work_edges")),
    "compiling": ("survey_policies_edges",),
    "order": ("runs", "survey_files", "survey_tariff_edges"),
    "pricing": ("survey_tariff", "survey_pricing_edges"),
    "runs": ("survey_work_edges",),
    "tally": ("runs", "survey_files", "survey_work_edges"),
    "tariff": ("survey_kernel", "survey_tariff_edges"),
    "work": ("survey_tariff", "survey_work_edges"),
}
#: Tests that look into everything.
EVERYWHERE = ("tests/test_rooms.py", "tests/test_frozen.py", "tests/test_unsaid.py")


def nearest(file: str) -> list[str]:
    """The files of tests that speak of a file."""
    stem = Path(file).stem
    if "/survey/" in file:
        return [f"tests/test_{name}.py" for name in (f"survey_{stem}", stem, "survey_lines", *OF_SURVEY.get(stem, ()))]
    return [*EVERYWHERE, *(f"tests/test_{name}.py" for name in (*NEAREST.get(stem, ()), stem))]


@cache
def statements(file: str) -> Sequence[tuple[int, int]]:
    """The first and the last line of every statement of a file; of one that holds others, of its head."""
    found = []
    for node in ast.walk(ast.parse((HERE / file).read_text("utf-8"))):
        if isinstance(node, ast.stmt):
            inner = getattr(node, "body", None)
            last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
            found.append((node.lineno, max(last, node.lineno)))
    return found


def place(mutant: Mutant) -> Sequence[int]:
    """The lines of the statement in which a mutant is; none where it is run only while the file is read."""
    if not any(first <= mutant.line <= last for first, last in run_later(mutant.file)):
        return ()
    around = [(first, last) for first, last in statements(mutant.file) if first <= mutant.line <= last]
    first, last = min(around, key=lambda pair: pair[1] - pair[0], default=(mutant.line, mutant.line))
    return range(first, last + 1)


@cache
def run_later(file: str) -> Sequence[tuple[int, int]]:
    """The first and the last line of everything that is not run while a file is read: what functions do."""
    tree = ast.walk(ast.parse((HERE / file).read_text("utf-8")))
    functions = (node for node in tree if isinstance(node, ast.FunctionDef | ast.Lambda))
    bodies = (node.body if isinstance(node.body, list) else [node.body] for node in functions)
    return [(body[0].lineno, body[-1].end_lineno or body[-1].lineno) for body in bodies]


# ---- all of them
@dataclass(frozen=True)
class Trial:
    """How mutants are tried: with which tests, and with how many seconds of them."""

    part: Part
    touching: Touching
    seconds: float
    only: Sequence[str] = ()  #: these files of tests and no others

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests for one mutant."""
        only = self.only or (self.part.tests if self.part.whole else ())
        if only:
            file = mutant.file if place(mutant) else ""
            return [test for path in only for test in self.touching.of_file(path, file)]
        return self.touching.asked(mutant.file, place(mutant), nearest(mutant.file), self.seconds)

    def of(self, mutant: Mutant) -> int:
        """What becomes of a mutant, here and now."""
        text = mutated(mutant)
        self.part.begin()
        return try_out(mutant.file, text, self.tests(mutant), self.touching) if text else NO_PROGRAM

    def unchanged(self, mutant: Mutant) -> int:
        """The same tests on the file as it is, in the same way: they have to pass."""
        text = (HERE / mutant.file).read_text("utf-8")
        self.part.begin()
        return try_out(mutant.file, text, self.tests(mutant), self.touching)


def measured(part: Part, jobs: int) -> Touching:
    """What every file of tests runs, seen once. SystemExit if a test fails though nothing has been changed."""
    missing = [path for path in part.tests if not shelf(path, part).exists()]
    for at, (path, code) in enumerate(each_apart(missing, partial(laid, part), jobs), 1):
        sys.stderr.write(f"\rseen what tests run: {at} of {len(missing)} ")
        if code != PASSED:
            sys.exit(f"{path} cannot be measured")
    touching = Touching.read(part)
    if touching.failed:
        sys.exit("\n".join(["these tests fail although nothing is wrong:", *touching.failed]))
    if idle := [path for path, seen in touching.seen.items() if not seen.tests]:
        sys.exit("\n".join(["no test was run of these files:", *idle]))
    return touching


def laid(part: Part, path: str) -> int:
    """Lay on the shelf what one file of tests runs."""
    lay(path, part)
    return PASSED


def controlled(trial: Trial, chosen: Sequence[Mutant], jobs: int, number: int) -> None:
    """In so many files, see that all tests pass while nothing is wrong. SystemExit if one does not."""
    by_file = {mutant.file: mutant for mutant in random.Random(len(chosen)).sample(chosen, len(chosen))}
    places = list(by_file.values())[:number]
    for at, (mutant, code) in enumerate(each_apart(places, trial.unchanged, jobs), 1):
        sys.stderr.write(f"\rcontrol: {at} of {len(places)} ")
        if code != PASSED:
            sys.exit(f"{mutant.file}:{mutant.line}: a test fails there although nothing is wrong ({code})")


def tried(chosen: Iterable[Mutant], asked: argparse.Namespace) -> Iterator[tuple[Mutant, str]]:
    """Mutants with what became of them, part by part; who survives in one part may yet be killed in a later one."""
    left, todo = dict.fromkeys(chosen), [part for part in parts() if not asked.by or its_own(part, asked.by)]
    while todo:
        part = todo.pop(0)
        mine = [mutant for mutant in left if mutant.file in part.subjects]
        for mutant, state in in_part(part, mine, asked) if mine else ():
            if state != SURVIVED or not any(mutant.file in later.subjects for later in todo):
                del left[mutant]
                yield mutant, state


def its_own(part: Part, by: Iterable[str]) -> list[str]:
    """Those of some files of tests, or single tests, to which the mutants of a part are shown."""
    return [one for one in by if one.partition("::")[0] in part.tests]


def in_part(part: Part, chosen: Sequence[Mutant], asked: argparse.Namespace) -> Iterator[tuple[Mutant, str]]:
    """Mutants of one part of the program; before, its tests are seen to pass."""
    preload_for(part)
    trial = Trial(part, measured(part, asked.jobs), asked.seconds, its_own(part, asked.by))
    controlled(trial, chosen, asked.jobs, asked.controls)
    return run(trial, chosen, asked.jobs)


def run(trial: Trial, chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Every mutant with what became of it; progress goes to the other stream."""
    for at, (mutant, code) in enumerate(each_apart(chosen, trial.of, jobs), 1):
        if at % 25 == 0 or at == len(chosen):
            sys.stderr.write(f"\r{at} of {len(chosen)} ")
        yield mutant, STATES.get(code, SURVIVED)
    sys.stderr.write("\n")


def becomes(mutant: Mutant) -> str:
    """How the line reads with the change in it."""
    before, after = (HERE / mutant.file).read_text("utf-8").splitlines(), mutated(mutant).splitlines()
    changed = [
        line[1:].strip() for line in unified_diff(before, after, n=0, lineterm="") if line[0] == "+" != line[1:2]
    ]
    return " / ".join(changed) or "(gone)"


def known_reasons() -> dict[str, str]:
    """Why some mutants survive, as far as somebody has looked into it; by their change, wherever its line stands."""
    rows = json.loads(SURVIVORS.read_text("utf-8")) if SURVIVORS.exists() else []
    return {named(one): one["reason"] for one in rows if one["reason"]}


def named(row: Mapping[str, object]) -> str:
    """What names a change as long as its line reads so."""
    return "\n".join(str(row[key]) for key in ("file", "operator", "text", "becomes"))


def keep(survivors: Iterable[Mutant]) -> Sequence[Mapping[str, object]]:
    """Write down the survivors, with the reasons that were known."""
    reasons = known_reasons()
    rows = [{**asdict(one), "becomes": becomes(one)} for one in survivors]
    rows = [row | {"reason": reasons.get(named(row), "")} for row in rows]
    replaced(SURVIVORS, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    return rows


def figures_of(found: Mapping[Mutant, str], notes: Notes) -> dict[str, object]:
    """The figures for the receipt; each file with the fingerprint under which its mutants were tried."""
    counts, each = Counter(found.values()), Counter((mutant.file, state) for mutant, state in found.items())
    tried = counts[KILLED] + counts[SURVIVED]
    files = dict.fromkeys(mutant.file for mutant in found)
    rows = {file: {state: each[file, state] for state in (KILLED, SURVIVED, TIMED)} for file in files}
    return {
        "mutants": tried + counts[TIMED],
        "killed": counts[KILLED],
        "survived": counts[SURVIVED],
        "timed out, counted apart": counts[TIMED],
        "killed of a hundred that did not time out": f"{100 * counts[KILLED] / tried:.1f}" if tried else "0",
        "changes that leave the same program or none": counts[NONE],
        "not tried yet": counts[""],
        BY_FILE: {file: row | {FINGERPRINT: notes.seals[file]} for file, row in rows.items()},
    }


SAYS = (
    "The engine is made wrong in one small place after another, and the tests notice it; who survived is listed in "
    "proofs/survivors.json, each with the reason."
)


class Notes:
    """What became of each mutant, kept between runs as long as its file does not change."""

    def __init__(self) -> None:
        self.had: dict[str, str] = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
        self.seals = {file: fingerprint(HERE / file) for file in subjects()}

    @property
    def outdated(self) -> int:
        """How many notes are of a file as it no longer is."""
        return sum(key.partition(" ")[0] not in self.seals.values() for key in self.had)

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
        replaced(NOTES, json.dumps(dict(sorted(self.had.items())), indent=0) + "\n")


def asked_for() -> argparse.Namespace:
    """What was asked for on the command line."""
    wanted = argparse.ArgumentParser(prog="python -m proofs.mutation", description=(__doc__ or "").split("\n")[0])
    wanted.add_argument("files", nargs="*", help="only these files, such as engine/play.py")
    wanted.add_argument("--sample", type=int, default=0, help="so many mutants, drawn by lot")
    wanted.add_argument("--seed", type=int, default=1789)
    wanted.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted.add_argument("--seconds", type=float, default=20, help="of tests that each mutant is shown to at most")
    wanted.add_argument("--by", action="append", default=[], help="only by this file of tests, or this test")
    wanted.add_argument(
        "--controls", type=int, default=15, help="in so many files all is run with nothing wrong before"
    )
    wanted.add_argument("--known", action="store_true", help="try nothing, and tell what is known")
    wanted.add_argument("--anew", action="store_true", help="try again those that survived before")
    wanted.add_argument("--all-anew", action="store_true", help="try all again")
    return wanted.parse_args()


def main() -> int:
    """Try the mutants that were asked for, and say what became of them."""
    asked = asked_for()
    if unknown := [one for one in asked.by if not any(its_own(part, [one]) for part in parts())]:
        sys.exit(f"no mutant is shown to {', '.join(unknown)}: see `parts` in proofs/touching.py")
    os.chdir(HERE)
    preload()
    chosen = [mutant for file in asked.files or subjects() for mutant in mutants(file)]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))), key=lambda m: m.file)
    notes, again = Notes(), AGAIN["all" if asked.all_anew else "some" if asked.anew else "none"]
    found = {mutant: "" if notes.of(mutant) in again else notes.of(mutant) for mutant in chosen}
    if not asked.known:
        for mutant, state in tried([mutant for mutant, state in found.items() if not state], asked):
            found[mutant] = state
            notes.note(mutant, state)
        notes.save()
    return told(found, notes, asked.seed, whole=not asked.files and not asked.sample)


def told(found: Mapping[Mutant, str], notes: Notes, seed: int, whole: bool) -> int:
    """Print what became of them; of all of them keep survivors and receipt. 1 if fewer than nine in ten were killed."""
    figures, alive = figures_of(found, notes), [mutant for mutant, state in found.items() if state == SURVIVED]
    for one in alive:
        sys.stdout.write(f"survived: {one.file}:{one.line} {one.operator}\n  {one.text}\n  {becomes(one)}\n")
    for name, figure in figures.items():
        lines = figure.items() if isinstance(figure, dict) else [("", figure)]
        sys.stdout.writelines(f"{name} {line}: {value}\n".replace(" :", ":") for line, value in lines)
    if notes.outdated:
        sys.stdout.write(f"{notes.outdated} notes are of files that have changed since, and count for nothing\n")
    if whole:
        figures[UNEXPLAINED] = sum(not row["reason"] for row in keep(alive))
        sys.stdout.write(f"{UNEXPLAINED}: {figures[UNEXPLAINED]}\n")
        sources = find_sources()
        write_receipt(sources, receipt("mutation", SAYS, "python -m proofs.mutation", seed, digest(sources), figures))
    return 0 if float(str(figures["killed of a hundred that did not time out"])) >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
