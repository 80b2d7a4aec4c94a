"""Mutation testing: the engine is made wrong in one small place after another, and the tests must notice each time.

    python -m proofs.mutation                    every mutant of engine/, engine/survey/ and rulebook/resolve.py
    python -m proofs.mutation --sample 200       so many, drawn by lot
    python -m proofs.mutation engine/play/trick.py     those of one file
    python -m proofs.mutation --anew --by tests/engine/play/test_trick.py     survivors again, shown to new tests only

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
compiler rests: the same text runs as plain Python there, and brings out the same
(tests/engine/survey/test_jit_interpreted.py). What says how to compile, and what, is shown to tests that compile as
well, and has survived only if it survives both.

The verdict on a mutant holds as long as the code of its function (or method, or table) does: neither a change elsewhere
in the file, nor moving the file, voids it. The receipt has a line for each function, so a fresh clone tries only the
mutants of functions that have changed since; what it finds is noted in build/mutation/notes.json, and a run that was
broken off goes on (`proofs.mutation.verdicts`). `--anew` tries survivors again, `--all-anew` everything, `--known`
nothing: it prints what is known.
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
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path
from typing import Any

from proofs.mutation.coverage import HERE, Part, Touching, lay, parts, shelf, subjects, within
from proofs.mutation.trial import FAILED, NO_PROGRAM, PASSED, TIMED_OUT, each_apart, preload, preload_for, try_out
from proofs.mutation.verdicts import (
    KILLED,
    NONE,
    SURVIVED,
    TIMED,
    UNTRIED,
    Mutant,
    Verdicts,
    format_line,
    group_by_unit,
)
from rulebook.code_units import Unit, find_units, name_in_key, normalise, read_units
from rulebook.io.files import replaced
from rulebook.receipts import BY_FUNCTION, receipt, write_receipt
from rulebook.sources.paths import digest_sources, find_sources

SURVIVORS = HERE / "proofs" / "survivors.json"

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
UNEXPLAINED = "survivors that nobody has looked into yet"
AGAIN = {"all": (KILLED, SURVIVED, TIMED, NONE), "some": (SURVIVED,), "none": ()}  #: verdicts that are tried again
STATES = {PASSED: SURVIVED, FAILED: KILLED, NO_PROGRAM: NONE, TIMED_OUT: TIMED}  #: by how a mutant's process ends


# ---- the mutants
def mutants(file: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    return mutants_of_code(file, (HERE / file).read_text("utf-8"))


def mutants_of_code(file: str, code: str) -> Iterator[Mutant]:
    """Yield every mutant of some code: a change that an operator can make in a unit, other than in an annotation."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    tree, lines, annotations = get_ast(code), code.splitlines(), find_annotations(code)
    for name in (name for name in OPERATORS if name in set(operator_names())):
        operator, seen = get_operator(name)(), Counter[int]()
        places = (start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node))
        for occurrence, (line, column) in enumerate(places):
            unit = unit_at(code, line)
            if unit and not any(start <= (line, column) < end for start, end in annotations):
                yield Mutant(file, line, name, occurrence, lines[line - 1].strip(), unit.key, seen[unit.first])
                seen[unit.first] += 1


def unit_at(code: str, line: int) -> Unit | None:
    """Return the unit on a line; none where nothing stands that does anything."""
    return next((unit for unit in read_units(code) if unit.first <= line <= unit.last), None)


@cache
def find_annotations(code: str) -> Sequence[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where annotations begin and end: line and column, counted in characters."""
    lines, found = code.splitlines(), []
    for node in ast.walk(ast.parse(code)):
        for one in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if one is not None:
                ends = ((one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset))
                start, end = ((row, len(lines[row - 1].encode()[:column].decode())) for row, column in ends)
                found.append((start, end))
    return found


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


def bare(text: str) -> object:
    """What a program does, in a form that can be compared."""
    return normalise(ast.parse(text))


# ---- which tests
#: Tests that speak of a file, besides those of the same name in the mirrored folder.
NEAREST = {
    "engine/__init__.py": ("engine/test_api.py",),
    "engine/comparison/bundles.py": (
        "engine/comparison/test_attribution.py",
        "engine/comparison/test_attribution_edges.py",
        "edition/cli/test_compare_deal.py",
    ),
    "engine/comparison/irrelevance_proof.py": ("engine/comparison/test_separation.py",),
    "engine/comparison/minimise.py": ("engine/comparison/test_separation.py",),
    "engine/comparison/smallest_test_set.py": ("engine/comparison/test_separation.py",),
    "engine/deal/events.py": (
        "engine/settlement/test_outcome.py",
        "engine/settlement/test_settle.py",
    ),
    "engine/deal/pool.py": (
        "engine/settlement/test_settle.py",
        "engine/settlement/test_payments.py",
    ),
    "engine/deal/model.py": (
        "engine/deal/test_record.py",
        "engine/play/test_irregularities.py",
    ),
    "engine/deal/reader.py": (
        "engine/deal/test_record.py",
        "engine/deal/test_record_edges.py",
        "engine/play/test_irregularities.py",
    ),
    "engine/deal/writer.py": ("engine/deal/test_record.py",),
    "engine/deal/variants.py": ("engine/comparison/test_separation.py",),
    "engine/generation/partial_deal.py": (
        "engine/generation/test_deal.py",
        "edition/cli/test_deal.py",
    ),
    "engine/generation/draw_plan.py": (
        "engine/generation/test_plan.py",
        "engine/generation/test_deal.py",
    ),
    "engine/generation/follow_plan.py": (
        "engine/generation/test_plan.py",
        "engine/generation/test_deal.py",
    ),
    "engine/generation/plan.py": ("engine/generation/test_deal.py",),
    "engine/generation/turn.py": ("engine/generation/test_deal.py",),
    "engine/generation/wishes.py": ("engine/generation/test_deal.py",),
    "engine/interpretation/decision_diagram.py": (
        "engine/play/test_trick_edges.py",
        "engine/interpretation/test_worlds.py",
    ),
    "engine/interpretation/decisions.py": ("engine/interpretation/test_worlds.py",),
    "engine/interpretation/explore.py": (
        "engine/interpretation/test_worlds.py",
        "edition/analysis/test_certainty.py",
    ),
    "engine/play/irregularities.py": ("engine/play/test_replay.py",),
    "engine/play/table.py": (
        "engine/play/test_replay.py",
        "engine/play/test_replay_edges.py",
    ),
    "engine/readings/ask.py": ("engine/settlement/test_settle.py",),
    "engine/readings/meanings/by_question.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/cards.py": ("engine/readings/test_meaning_tables.py", "engine/readings/test_meanings.py"),
    "engine/readings/meanings/criteria.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/deal.py": ("engine/readings/test_meaning_tables.py", "engine/readings/test_meanings.py"),
    "engine/readings/meanings/espagnolette.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/faults.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/partie.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/play.py": ("engine/readings/test_meaning_tables.py", "engine/readings/test_meanings.py"),
    "engine/readings/meanings/reversis.py": (
        "engine/readings/test_meaning_tables.py",
        "engine/readings/test_meanings.py",
    ),
    "engine/readings/meanings/stake.py": ("engine/readings/test_meaning_tables.py", "engine/readings/test_meanings.py"),
    "engine/session/record.py": (
        "engine/session/test_session.py",
        "engine/session/test_worked_sessions.py",
    ),
    "engine/session/result_json.py": (
        "engine/session/test_session.py",
        "edition/cli/test_session.py",
    ),
    "engine/session/session.py": ("engine/session/test_worked_sessions.py",),
    "engine/settlement/forfeits.py": ("engine/play/test_irregularities.py",),
    "engine/settlement/ledger.py": (
        "engine/settlement/test_settle.py",
        "engine/settlement/test_payments.py",
    ),
    "engine/settlement/nonpayment.py": ("engine/settlement/test_explain.py",),
    "engine/settlement/payments/amounts.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/cards.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/fate.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/fines.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/partie.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/returns.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/reversis.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/rules.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/payments/stake.py": (
        "engine/settlement/test_payments.py",
        "engine/settlement/test_payments_edges.py",
    ),
    "engine/settlement/result_json.py": (
        "engine/settlement/test_fingerprint.py",
        "engine/deal/test_result_schema.py",
        "proofs/test_golden_results.py",
    ),
    "engine/survey/buffers.py": (
        "engine/survey/test_policies.py",
        "engine/survey/test_play.py",
    ),
    "engine/survey/clustering.py": (
        "edition/views/test_costs.py",
        "engine/survey/test_statistics.py",
    ),
    "engine/survey/counting.py": (
        "engine/survey/test_tariff.py",
        "engine/survey/test_tariff_edges.py",
    ),
    "engine/survey/encode_rules.py": (
        "engine/survey/test_policies.py",
        "engine/survey/test_play.py",
    ),
    "engine/survey/exact_probabilities.py": (
        "edition/views/test_costs.py",
        "engine/survey/test_statistics.py",
    ),
    "engine/survey/jit.py": ("engine/survey/test_policies.py",),
    "engine/survey/outcomes/batch.py": ("engine/survey/test_outcomes.py", "engine/survey/test_play.py"),
    "engine/survey/outcomes/encode.py": ("engine/survey/test_outcomes.py", "engine/survey/test_play.py"),
    "engine/survey/outcomes/layout.py": ("engine/survey/test_outcomes.py", "engine/survey/test_play.py"),
    "engine/survey/outcomes/ranking.py": ("engine/survey/test_outcomes.py", "engine/survey/test_play.py"),
    "engine/survey/outcomes/single.py": ("engine/survey/test_outcomes.py", "engine/survey/test_play.py"),
    "engine/survey/parquet.py": ("engine/survey/test_piece.py",),
    "engine/survey/piece.py": ("engine/survey/test_tariff.py",),
    "engine/survey/play_batch.py": ("engine/survey/test_play.py",),
    "engine/survey/play_single.py": ("engine/survey/test_play.py",),
    "engine/survey/policies.py": ("engine/survey/test_play.py",),
    "engine/survey/pricing.py": ("engine/survey/test_tariff.py",),
    "engine/survey/reference.py": (
        "engine/survey/test_tariff.py",
        "engine/survey/test_tariff_edges.py",
    ),
    "engine/survey/request.py": (
        "engine/survey/test_runner.py",
        "engine/survey/test_parquet.py",
        "engine/survey/test_tariff_edges.py",
    ),
    "engine/survey/rng.py": ("engine/survey/test_play.py",),
    "engine/survey/runner.py": ("engine/survey/test_piece.py",),
    "engine/survey/statistics.py": ("edition/views/test_costs.py",),
    "engine/survey/table.py": (
        "engine/survey/test_parquet.py",
        "engine/survey/test_piece.py",
    ),
    "engine/survey/tally.py": (
        "engine/survey/test_runner.py",
        "engine/survey/test_parquet.py",
        "engine/survey/test_piece.py",
    ),
    "engine/survey/tariff.py": ("engine/survey/test_play.py",),
    "engine/survey/variants.py": (
        "edition/views/test_costs.py",
        "engine/survey/test_statistics.py",
    ),
}
#: Tests that look into everything.
EVERYWHERE = (
    "tests/proofs/test_golden_engine.py",
    "tests/engine/test_immutability.py",
    "tests/engine/settlement/test_policy_statements.py",
)


def nearest(file: str) -> list[str]:
    """Return the files of tests that speak of a file."""
    path = Path(file)
    always = ("tests/engine/survey/test_play_lines.py",) if "/survey/" in file else EVERYWHERE
    mirrored = within(f"tests/{path.parent.as_posix()}/test_{path.stem}*.py")
    return [*always, *mirrored, *(f"tests/{name}" for name in NEAREST.get(file, ()))]


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


@cache
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
    return "\n".join(str(row[key]) for key in ("unit", "operator", "text", "becomes"))


def survivor_row(mutant: Mutant, becomes: str) -> dict[str, Any]:
    """Return the row of a survivor: neither file nor line, so that it stays as it is when its unit is moved."""
    unit = {"unit": name_in_key(mutant.unit), "code": mutant.unit.split()[-1]}
    change = {"operator": mutant.operator, "occurrence": mutant.nth, "text": mutant.text, "becomes": becomes}
    return unit | change


def sort_key(row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return that by which the rows of survivors are sorted."""
    return tuple(row[key] for key in ("unit", "code", "operator", "occurrence"))


def keep(survivors: Iterable[Mutant]) -> Sequence[Mapping[str, Any]]:
    """Write down the survivors, with the reasons that were known."""
    reasons = known_reasons()
    rows = [survivor_row(one, becomes(one)) for one in survivors]
    rows = sorted((row | {"reason": reasons.get(named(row), "")} for row in rows), key=sort_key)
    replaced(SURVIVORS, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    return rows


def figures_of(found: Mapping[Mutant, str], units: Iterable[str]) -> dict[str, object]:
    """Return the figures for the receipt, with a line for each of these units."""
    counts, grouped = Counter(found.values()), group_by_unit(found)
    tried = counts[KILLED] + counts[SURVIVED]
    return {
        "mutants": tried + counts[TIMED],
        "killed": counts[KILLED],
        "survived": counts[SURVIVED],
        "timed out, counted apart": counts[TIMED],
        "killed of a hundred that did not time out": f"{100 * counts[KILLED] / tried:.1f}" if tried else "0",
        "changes that leave the same program or none": counts[NONE],
        "not tried yet": counts[UNTRIED],
        BY_FUNCTION: {unit: format_line(grouped.get(unit, ()), found) for unit in sorted(set(units))},
    }


def units_of(files: Iterable[str]) -> list[str]:
    """Return the keys of all units of some files."""
    return [unit.key for file in files for unit in read_units((HERE / file).read_text("utf-8"))]


SAYS = (
    "The engine is made wrong in one small place after another, and the tests notice it; who survived is listed in "
    "proofs/survivors.json, each with the reason."
)


def asked_for() -> argparse.Namespace:
    """What was asked for on the command line."""
    wanted = argparse.ArgumentParser(prog="python -m proofs.mutation", description=(__doc__ or "").split("\n")[0])
    wanted.add_argument("files", nargs="*", help="only these files, such as engine/play/trick.py")
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
        sys.exit(f"no mutant is shown to {', '.join(unknown)}: see `parts` in proofs/mutation/coverage.py")
    os.chdir(HERE)
    preload()
    chosen = [mutant for file in asked.files or subjects() for mutant in mutants(file)]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))), key=lambda m: m.file)
    verdicts, again = Verdicts.read(chosen), AGAIN["all" if asked.all_anew else "some" if asked.anew else "none"]
    todo = [mutant for mutant in chosen if verdicts.of(mutant) in (UNTRIED, *again)]
    if not asked.known:
        for mutant, state in tried(todo, asked):
            verdicts.note(mutant, state)
        verdicts.save()
    return told(chosen, verdicts, asked.seed, whole=not asked.files and not asked.sample)


def told(chosen: Iterable[Mutant], verdicts: Verdicts, seed: int, whole: bool) -> int:
    """Print what became of them; of all of them keep survivors and receipt. 1 if fewer than nine in ten were killed."""
    found = {mutant: verdicts.of(mutant) for mutant in chosen}
    figures = figures_of(found, units_of(subjects()) if whole else ())
    alive = [mutant for mutant, state in found.items() if state == SURVIVED]
    for one in alive:
        sys.stdout.write(f"survived: {one.file}:{one.line} {one.operator}\n  {one.text}\n  {becomes(one)}\n")
    for file in dict.fromkeys(mutant.file for mutant in found):
        states = Counter(state for mutant, state in found.items() if mutant.file == file)
        sys.stdout.write(f"{file}: {', '.join(f'{count} {state}' for state, count in states.items())}\n")
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in figures.items() if name != BY_FUNCTION)
    if outdated := verdicts.outdated({unit.key for units in find_units(HERE).values() for unit in units}):
        sys.stdout.write(f"{outdated} verdicts are on code that is no longer there, and count for nothing\n")
    if whole:
        figures[UNEXPLAINED] = sum(not row["reason"] for row in keep(alive))
        sys.stdout.write(f"{UNEXPLAINED}: {figures[UNEXPLAINED]}\n")
        sources = find_sources()
        write_receipt(
            sources, receipt("mutation", SAYS, "python -m proofs.mutation", seed, digest_sources(sources), figures)
        )
        verdicts.save()
    return 0 if float(str(figures["killed of a hundred that did not time out"])) >= 90 else 1
