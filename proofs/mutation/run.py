"""Mutation testing: small changes to the engine, which the tests must notice.

    python -m proofs.mutation                    every mutant of engine/, lab/survey/ and rulebook/resolve.py
    python -m proofs.mutation --of rules         those of the rules; likewise deals, survey and players
    python -m proofs.mutation --sample 200       so many, drawn by lot; with --of into a receipt of its own
    python -m proofs.mutation --of survey --since 2026-11-24     those of lines written since then; a receipt of its own
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
tests are run in the same way with nothing wrong, and all have to pass. Survivors are kept in proofs/survivors.json by
group, each with a reason if somebody has given one; the figures of each group go into a receipt of its own, so that the
rules can be proved anew without the fast path.

The fast path of the survey is compiled, which takes minutes. So the mutants of lab/survey/ are tried where the
compiler rests: the same text runs as plain Python there, and brings out the same
(tests/lab/survey/test_jit_interpreted.py). What says how to compile, and what, is shown to tests that compile as
well, and has survived only if it survives both.

The verdict on a mutant holds as long as the code of its function (or method, or table) does: neither a change elsewhere
in the file, nor moving the file, voids it. A receipt has a line for each function, so a fresh clone tries only the
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
from datetime import date
from difflib import unified_diff
from functools import cache, partial
from typing import Any

from proofs.arguments import ProofParser, store_receipt
from proofs.mutation.coverage import (
    MUTATION_GROUPS,
    MUTATION_ROOT,
    CoverageMap,
    MutationPart,
    cache_test_coverage,
    find_coverage_cache,
    find_mutation_group,
    list_mutated_files,
    list_mutation_parts,
)
from proofs.mutation.line_dates import read_line_dates
from proofs.mutation.nearest_tests import list_nearest_tests, locate_mutant
from proofs.mutation.trial import (
    FAILED,
    NO_PROGRAM,
    PASSED,
    TIMED_OUT,
    preload_modules,
    preload_part,
    run_in_processes,
    run_mutant_tests,
)
from proofs.mutation.verdicts import (
    KILLED,
    NO_MUTANT,
    SURVIVED,
    TIMED,
    UNTRIED,
    Mutant,
    Verdicts,
    format_verdict_line,
    group_by_unit,
)
from rulebook.code_units import CodeUnit, find_units, name_in_key, normalise_syntax, read_units
from rulebook.io.files import replace_file
from rulebook.receipts import BY_FUNCTION, build_receipt
from rulebook.sources.paths import digest_sources, find_sources

_SEED = 1789  #: of a sample, unless another is given
SURVIVORS_FILE = MUTATION_ROOT / "proofs" / "survivors.json"

#: One replacement for each sign.
_OPERATOR_PAIRS = {
    "Binary": "Add_Sub Sub_Add Mul_Add Div_Mul FloorDiv_Mul Mod_Mul Pow_Mul BitOr_BitAnd BitAnd_BitOr BitXor_BitOr "
    "LShift_RShift RShift_LShift",
    "Comparison": "Eq_NotEq NotEq_Eq Lt_LtE LtE_Lt Gt_GtE GtE_Gt Is_IsNot IsNot_Is In_NotIn NotIn_In",
    "Unary": "USub_UAdd Delete_USub Delete_Not Delete_Invert Invert_USub",
}
_MUTATION_OPERATORS = (
    *(f"core/Replace{kind}Operator_{pair}" for kind, pairs in _OPERATOR_PAIRS.items() for pair in pairs.split()),
    *(f"core/{name}" for name in ("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr")),
    *(f"core/{name}" for name in ("ReplaceOrWithAnd", "NumberReplacer", "ZeroIterationForLoop", "RemoveDecorator")),
    *(f"core/{name}" for name in ("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ExceptionReplacer")),
)
UNEXPLAINED_LABEL = "survivors that nobody has looked into yet"
#: By how a mutant's process ends.
_VERDICT_BY_EXIT_CODE = {PASSED: SURVIVED, FAILED: KILLED, NO_PROGRAM: NO_MUTANT, TIMED_OUT: TIMED}


# ---- the mutants
def iter_file_mutants(file: str) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    return iter_code_mutants(file, (MUTATION_ROOT / file).read_text("utf-8"))


def iter_code_mutants(file: str, code: str) -> Iterator[Mutant]:
    """Yield every mutant of some code: a change that an operator can make in a unit, other than in an annotation."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    tree, lines, annotations = get_ast(code), code.splitlines(), find_annotations(code)
    for name in (name for name in _MUTATION_OPERATORS if name in set(operator_names())):
        operator, seen = get_operator(name)(), Counter[int]()
        places = (start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node))
        for occurrence, (line, column) in enumerate(places):
            unit = _find_unit_at(code, line)
            if unit and not any(start <= (line, column) < end for start, end in annotations):
                yield Mutant(file, line, name, occurrence, lines[line - 1].strip(), unit.key, seen[unit.first])
                seen[unit.first] += 1


def _find_unit_at(code: str, line: int) -> CodeUnit | None:
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


def apply_mutant(mutant: Mutant) -> str:
    """Return the text of the file with the mutation; empty if the program is the same."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = (MUTATION_ROOT / mutant.file).read_text("utf-8")
    changed = mutate_code(text, get_operator(mutant.operator)(), mutant.occurrence)
    try:
        return changed if changed and normalise_program(changed) != normalise_program(text) else ""
    except SyntaxError:
        return ""


def normalise_program(text: str) -> object:
    """Return the normalised AST of a program, for comparison."""
    return normalise_syntax(ast.parse(text))


# ---- all of them
@dataclass(frozen=True)
class MutantTrial:
    """Settings for trying mutants: the tests, and how many seconds of them."""

    part: MutationPart
    touching: CoverageMap
    seconds: float
    only: Sequence[str] = ()  #: these files of tests and no others

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests for one mutant."""
        only = self.only or (self.part.tests if self.part.whole else ())
        if only:
            file = mutant.file if locate_mutant(mutant) else ""
            return [test for path in only for test in self.touching.of_file(path, file)]
        return self.touching.asked(mutant.file, locate_mutant(mutant), list_nearest_tests(mutant.file), self.seconds)

    def of(self, mutant: Mutant) -> int:
        """Try a mutant in this process and return the exit code."""
        text = apply_mutant(mutant)
        self.part.begin()
        return run_mutant_tests(mutant.file, text, self.tests(mutant), self.touching) if text else NO_PROGRAM

    def unchanged(self, mutant: Mutant) -> int:
        """Run the same tests on the unchanged file; they have to pass."""
        text = (MUTATION_ROOT / mutant.file).read_text("utf-8")
        self.part.begin()
        return run_mutant_tests(mutant.file, text, self.tests(mutant), self.touching)


def load_part_coverage(part: MutationPart, jobs: int) -> CoverageMap:
    """Return the lines a part's tests run, traced once. Raises SystemExit if one fails on unchanged code."""
    missing = [path for path in part.tests if not find_coverage_cache(path, part).exists()]
    for at, (path, code) in enumerate(run_in_processes(missing, partial(_trace_and_pass, part), jobs), 1):
        sys.stderr.write(f"\rseen what tests run: {at} of {len(missing)} ")
        if code != PASSED:
            sys.exit(f"{path} cannot be measured")
    touching = CoverageMap.read(part)
    if touching.failed:
        sys.exit("\n".join(["these tests fail although nothing is wrong:", *touching.failed]))
    if idle := [path for path, seen in touching.seen.items() if not seen.tests]:
        sys.exit("\n".join(["no test was run of these files:", *idle]))
    return touching


def _trace_and_pass(part: MutationPart, path: str) -> int:
    cache_test_coverage(path, part)
    return PASSED


def run_controls(trial: MutantTrial, chosen: Sequence[Mutant], jobs: int, number: int) -> None:
    """Check in some files that all tests pass on unchanged code. Raises SystemExit."""
    by_file = {mutant.file: mutant for mutant in random.Random(len(chosen)).sample(chosen, len(chosen))}
    places = list(by_file.values())[:number]
    for at, (mutant, code) in enumerate(run_in_processes(places, trial.unchanged, jobs), 1):
        sys.stderr.write(f"\rcontrol: {at} of {len(places)} ")
        if code != PASSED:
            sys.exit(f"{mutant.file}:{mutant.line}: a test fails there although nothing is wrong ({code})")


def try_mutants(chosen: Iterable[Mutant], asked: argparse.Namespace) -> Iterator[tuple[Mutant, str]]:
    """Yield mutants with their verdicts; a survivor of one part may be killed in a later one."""
    left = dict.fromkeys(chosen)
    todo = [part for part in list_mutation_parts() if not asked.by or select_part_tests(part, asked.by)]
    while todo:
        part = todo.pop(0)
        mine = [mutant for mutant in left if mutant.file in part.subjects]
        for mutant, state in try_part_mutants(part, mine, asked) if mine else ():
            if state != SURVIVED or not any(mutant.file in later.subjects for later in todo):
                del left[mutant]
                yield mutant, state


def select_part_tests(part: MutationPart, by: Iterable[str]) -> list[str]:
    """Return those of the given tests or test files that belong to a part."""
    return [one for one in by if one.partition("::")[0] in part.tests]


def try_part_mutants(
    part: MutationPart, chosen: Sequence[Mutant], asked: argparse.Namespace
) -> Iterator[tuple[Mutant, str]]:
    """Check a part's tests on unchanged code, then yield its mutants with their verdicts."""
    preload_part(part)
    trial = MutantTrial(part, load_part_coverage(part, asked.jobs), asked.seconds, select_part_tests(part, asked.by))
    run_controls(trial, chosen, asked.jobs, asked.controls)
    return run_trials(trial, chosen, asked.jobs)


def run_trials(trial: MutantTrial, chosen: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Yield every mutant with its verdict; progress goes to standard error."""
    for at, (mutant, code) in enumerate(run_in_processes(chosen, trial.of, jobs), 1):
        if at % 25 == 0 or at == len(chosen):
            sys.stderr.write(f"\r{at} of {len(chosen)} ")
        yield mutant, _VERDICT_BY_EXIT_CODE.get(code, SURVIVED)
    sys.stderr.write("\n")


@cache
def describe_mutant_change(mutant: Mutant) -> str:
    """Return the changed line of a mutant."""
    before, after = (MUTATION_ROOT / mutant.file).read_text("utf-8").splitlines(), apply_mutant(mutant).splitlines()
    lines = unified_diff(before, after, n=0, lineterm="")
    changed = [line[1:].strip() for line in lines if line[0] == "+" != line[1:2]]
    return " / ".join(changed) or "(gone)"


def read_survivor_reasons() -> dict[str, str]:
    """Return the recorded reasons for survivors by their change, wherever its line stands."""
    rows = (one for group in read_survivors().values() for one in group)
    return {make_survivor_key(one): one["reason"] for one in rows if one["reason"]}


def read_survivors() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the survivors, by group."""
    found: dict[str, list[dict[str, Any]]] = json.loads(SURVIVORS_FILE.read_text("utf-8"))
    return found


def replace_survivors(groups: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Write the rows of the survivors, by group."""
    replace_file(SURVIVORS_FILE, json.dumps(groups, indent=1, ensure_ascii=False) + "\n")


def make_survivor_key(row: Mapping[str, object]) -> str:
    """Return the key of a change, valid as long as its line reads the same."""
    return "\n".join(str(row[key]) for key in ("unit", "operator", "text", "becomes"))


def make_survivor_row(mutant: Mutant, becomes: str) -> dict[str, Any]:
    """Return the row of a survivor: neither file nor line, so that it stays as it is when its unit is moved."""
    unit = {"unit": name_in_key(mutant.unit), "code": mutant.unit.split()[-1]}
    change = {"operator": mutant.operator, "occurrence": mutant.nth, "text": mutant.text, "becomes": becomes}
    return unit | change


def make_survivor_sort_key(row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the key by which the rows of survivors are sorted."""
    return tuple(row[key] for key in ("unit", "code", "operator", "occurrence"))


def write_survivors(group: str, survivors: Iterable[Mutant]) -> Sequence[Mapping[str, Any]]:
    """Write the survivors of a group, with the reasons already recorded."""
    reasons = read_survivor_reasons()
    rows = [make_survivor_row(one, describe_mutant_change(one)) for one in survivors]
    rows = sorted(
        (row | {"reason": reasons.get(make_survivor_key(row), "")} for row in rows), key=make_survivor_sort_key
    )
    replace_survivors(dict(sorted({**read_survivors(), group: rows}.items())))
    return rows


def collect_mutation_figures(found: Mapping[Mutant, str], units: Iterable[str]) -> dict[str, object]:
    """Return the figures for the receipt, with a line for each of these units."""
    counts, grouped = Counter(found.values()), group_by_unit(found)
    tried = counts[KILLED] + counts[SURVIVED]
    lines = {unit: format_verdict_line(grouped.get(unit, ()), found) for unit in sorted(set(units))}
    return {
        "mutants": tried + counts[TIMED],
        "killed": counts[KILLED],
        "survived": counts[SURVIVED],
        "timed out, counted apart": counts[TIMED],
        "killed of a hundred that did not time out": f"{100 * counts[KILLED] / tried:.1f}" if tried else "0",
        "changes that leave the same program or none": counts[NO_MUTANT],
        "not tried yet": counts[UNTRIED],
    } | ({BY_FUNCTION: lines} if lines else {})


_CLAIM = (
    "{} is broken in one small place after another, and the tests notice; mutants that survived are listed in "
    "proofs/survivors.json, each with the reason."
)
_SAMPLE_CLAIM = (
    "{} is broken in some small places drawn by lot. What the tests did not notice at first has a test by now, so that "
    "the figures are no estimate for all, or is listed in proofs/survivors.json with the reason."
)
_SINCE_CLAIM = (
    "{} is broken in one small place after another of the lines written since {}, and the tests notice; mutants that "
    "survived are listed in proofs/survivors.json, each with the reason."
)
#: What is broken, by group.
_SUBJECTS = {
    "rules": "The part of the engine that plays and settles a deal by the rules of a source",
    "deals": "The part of the engine that makes deals and compares rules",
    "players": "The part of the engine that chooses cards",
    "survey": "The part of the engine that settles millions of deals",
}


def _parse_mutation_options() -> argparse.Namespace:
    wanted = ProofParser("mutation", __doc__, *(f"receipts/mutation-{group}.json" for group in MUTATION_GROUPS))
    wanted.add_argument("files", nargs="*", help="only these files, such as engine/play/trick.py")
    wanted.add_argument(
        "--of", choices=MUTATION_GROUPS, help="only this group of files, which has a receipt of its own"
    )
    wanted.add_number("--sample", 0, "so many mutants, drawn by lot", least=0)
    wanted.add_argument(
        "--since", type=date.fromisoformat, metavar="DAY", help="try only mutants of lines written on this day or later"
    )
    wanted.add_seed(_SEED)
    wanted.add_number("--jobs", os.cpu_count() or 1, "so many at a time")
    wanted.add_argument("--seconds", type=float, default=20, help="of tests that each mutant is shown to at most")
    wanted.add_argument("--by", action="append", default=[], help="only by this file of tests, or this test")
    wanted.add_number("--controls", 15, "in so many files all is run with nothing wrong before", least=0)
    wanted.add_argument("--known", action="store_true", help="try nothing, and tell what is known")
    wanted.add_argument("--anew", action="store_true", help="try again those that survived before")
    wanted.add_argument("--all-anew", action="store_true", help="try all again")
    asked = wanted.parse_args()
    if asked.out and (asked.files or not asked.of):
        wanted.error("--out is for the receipt of one group: add --of")
    if asked.of and not asked.files:
        name, _, command = name_group_run(asked.of, asked)
        asked.place = wanted.choose_place(asked, command, stored=f"receipts/mutation-{name}.json")
    return asked


def main() -> int:
    """Try the requested mutants and report the verdicts."""
    asked = _parse_mutation_options()
    known = {one for part in list_mutation_parts() for one in select_part_tests(part, asked.by)}
    if unknown := ", ".join(one for one in asked.by if one not in known):
        sys.exit(f"no mutant is shown to {unknown}: see `list_mutation_parts` in proofs/mutation/coverage.py")
    os.chdir(MUTATION_ROOT)
    preload_modules()
    groups = (asked.of,) if asked.of else MUTATION_GROUPS
    chosen = [mutant for file in asked.files or list_mutated_files(groups) for mutant in iter_file_mutants(file)]
    verdicts, retried = Verdicts.read(chosen), (UNTRIED, SURVIVED) if asked.anew else (UNTRIED,)
    if asked.since:
        chosen = [mutant for mutant in chosen if read_line_dates(mutant.file)[mutant.line] >= asked.since]
    if asked.sample:
        chosen = sorted(random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen))), key=lambda m: m.file)
    todo = [mutant for mutant in chosen if asked.all_anew or verdicts.of(mutant) in retried]
    if not asked.known:
        for mutant, state in try_mutants(todo, asked):
            verdicts.note(mutant, state)
        verdicts.save()
    if asked.files or ((asked.sample or asked.since) and not asked.of):
        groups = ()
    return report_mutation_run(chosen, verdicts, asked, groups)


def report_mutation_run(
    chosen: Iterable[Mutant], verdicts: Verdicts, asked: argparse.Namespace, groups: Sequence[str]
) -> int:
    """Print the verdicts, and write survivors and receipt of *groups*. Return 1 if under 90 % were killed."""
    found = {mutant: verdicts.of(mutant) for mutant in chosen}
    for one in (mutant for mutant, state in found.items() if state == SURVIVED):
        where = f"{one.file}:{one.line} {one.operator}"
        sys.stdout.write(f"survived: {where}\n  {one.text}\n  {describe_mutant_change(one)}\n")
    for file in dict.fromkeys(mutant.file for mutant in found):
        states = Counter(state for mutant, state in found.items() if mutant.file == file)
        sys.stdout.write(f"{file}: {', '.join(f'{count} {state}' for state, count in states.items())}\n")
    figures, units = collect_mutation_figures(found, ()), find_units(MUTATION_ROOT)
    sys.stdout.writelines(f"{name}: {value}\n" for name, value in figures.items())
    if outdated := verdicts.outdated({unit.key for some in units.values() for unit in some}):
        sys.stdout.write(f"{outdated} verdicts are on code that is no longer there, and count for nothing\n")
    for group in groups:
        own = {mutant: state for mutant, state in found.items() if find_mutation_group(mutant.file) == group}
        reported = [unit.key for file in list_mutated_files((group,)) for unit in units[file]]
        write_group_receipt(group, own, () if asked.sample or asked.since else reported, asked)
    if groups:
        verdicts.save()
    return 0 if float(str(figures["killed of a hundred that did not time out"])) >= 90 else 1


def write_group_receipt(
    group: str, found: Mapping[Mutant, str], units: Iterable[str], asked: argparse.Namespace
) -> None:
    """Write survivors and receipt of a group, or of a sample of it; print how many survivors have no reason."""
    name, claim, command = name_group_run(group, asked)
    rows = write_survivors(name, (mutant for mutant, state in found.items() if state == SURVIVED))
    figures = collect_mutation_figures(found, units)
    figures[UNEXPLAINED_LABEL] = sum(not row["reason"] for row in rows)
    sys.stdout.write(f"{name}: {UNEXPLAINED_LABEL}: {figures[UNEXPLAINED_LABEL]}\n")
    sources, says = find_sources(), claim.format(_SUBJECTS[group])
    made = build_receipt(f"mutation-{name}", says, command, asked.seed, digest_sources(sources), figures)
    store_receipt(getattr(asked, "place", sources / f"receipts/mutation-{name}.json"), made)


def name_group_run(group: str, asked: argparse.Namespace) -> tuple[str, str, str]:
    """Name a run of a group: the name of its receipt, what that claims, and the command."""
    name, claim, command = group, _CLAIM, f"python -m proofs.mutation --of {group}"
    if asked.since:
        name, claim = f"{name}-since", _SINCE_CLAIM.format("{}", asked.since)
        command = f"{command} --since {asked.since}"
    if asked.sample:
        name, claim, command = f"{name}-sample", _SAMPLE_CLAIM, f"{command} --sample {asked.sample}"
        command += f" --seed {asked.seed}" if asked.seed != _SEED else ""  # by which the sample is drawn
    return name, claim, command
