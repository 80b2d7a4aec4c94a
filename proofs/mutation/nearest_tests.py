"""The tests that a mutant is shown to first, and the statement in which it stands."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from proofs.mutation.coverage import MUTATION_ROOT, glob_project_files
from proofs.mutation.verdicts import Mutant

#: Tests that speak of a file, or of all in a folder, besides those of the same name in the mirrored folder. A bare name
#: is a file of tests in that folder: `attribution` stands for test_attribution.py.
_NEAREST_TESTS = {
    "engine/__init__.py": "api",
    "engine/arguments.py": "reversis/test_lookups",
    "engine/comparison/bundles.py": "attribution attribution_edges edition/cli/test_compare_deal",
    "engine/comparison/irrelevance_proof.py": "separation",
    "engine/comparison/minimise.py": "separation",
    "engine/comparison/smallest_test_set.py": "separation",
    "engine/deal/events.py": "engine/settlement/test_outcome engine/settlement/test_settle",
    "engine/deal/pool.py": "engine/settlement/test_settle engine/settlement/test_payments",
    "engine/deal/model.py": "record record_edges engine/play/test_irregularities",
    "engine/deal/reader.py": "record record_edges engine/play/test_irregularities",
    "engine/deal/writer.py": "record",
    "engine/deal/variants.py": "engine/comparison/test_separation",
    "engine/generation/partial_deal.py": "deal edition/cli/test_deal",
    "engine/generation/draw_plan.py": "plan deal",
    "engine/generation/follow_plan.py": "plan deal",
    "engine/generation/plan.py": "deal",
    "engine/generation/turn.py": "deal",
    "engine/generation/wishes.py": "deal",
    "engine/interpretation/decision_diagram.py": "engine/play/test_trick_edges worlds",
    "engine/interpretation/explore.py": "worlds edition/analysis/test_certainty",
    "engine/play/irregularities.py": "replay",
    "engine/play/table.py": "replay replay_edges",
    "engine/readings/ask.py": "engine/settlement/test_settle",
    "engine/readings/meanings": (
        "engine/readings/test_meaning_rows engine/readings/test_meaning_tables engine/readings/test_meanings"
    ),
    "engine/session/record.py": "session worked_sessions",
    "engine/session/result_json.py": "session edition/cli/test_session",
    "engine/session/session.py": "worked_sessions",
    "engine/settlement/forfeits.py": "engine/play/test_irregularities",
    "engine/settlement/ledger.py": "settle payments",
    "engine/settlement/nonpayment.py": "explain",
    "engine/settlement/result_json.py": "fingerprint engine/deal/test_result_schema proofs/test_golden_results",
    "engine/settlement/payments": "engine/settlement/test_payments engine/settlement/test_payments_edges",
    "lab/survey/buffers.py": "policies play",
    "rulebook/distances.py": "edition/views/test_costs statistics",
    "lab/survey/counting.py": "tariff tariff_edges",
    "lab/survey/encode_rules.py": "further_cards policies play",
    "lab/survey/exact_probabilities.py": "edition/views/test_costs statistics",
    "lab/survey/jit.py": "policies",
    "lab/survey/parquet.py": "piece",
    "lab/survey/chunk.py": "tariff",
    "lab/survey/play_rules.py": "play",
    "lab/survey/play_single.py": "play",
    "engine/players/preferences.py": "play",
    "lab/survey/pricing.py": "tariff",
    "lab/survey/reference.py": "tariff tariff_edges",
    "lab/survey/request.py": "runner parquet tariff_edges",
    "lab/survey/rng.py": "play",
    "lab/survey/runner.py": "piece",
    "lab/survey/statistics.py": "edition/views/test_costs",
    "lab/survey/table.py": "parquet piece",
    "lab/survey/tally.py": "runner parquet piece",
    "lab/survey/tariff.py": "play",
    "lab/survey/variants.py": "edition/views/test_costs statistics",
    "lab/survey/outcomes": "lab/survey/test_outcomes lab/survey/test_play",
}
#: Tests that look into everything.
_GENERAL_TESTS = (
    "tests/proofs/test_golden_engine.py",
    "tests/engine/test_immutability.py",
    "tests/engine/settlement/test_policy_statements.py",
)
#: Tests that look at the lines of the survey, by hand or on few deals.
_LINE_BY_LINE = ("tests/lab/survey/test_lines_by_hand.py", "tests/lab/survey/test_play_lines.py")


def list_nearest_tests(file: str) -> list[str]:
    """Return the test files that belong to a file."""
    path = Path(file)
    folder = path.parent.as_posix()
    always = _LINE_BY_LINE if "/survey/" in file else _GENERAL_TESTS
    mirrored = glob_project_files(f"tests/{folder}/test_{path.stem}*.py")
    named = (_NEAREST_TESTS.get(file) or _NEAREST_TESTS.get(folder, "")).split()
    return [*always, *mirrored, *(f"tests/{one if '/' in one else f'{folder}/test_{one}'}.py" for one in named)]


@cache
def find_statement_spans(file: str) -> Sequence[tuple[int, int]]:
    """Return first and last line of every statement; of a compound one, of its head."""
    found = []
    for node in ast.walk(ast.parse((MUTATION_ROOT / file).read_text("utf-8"))):
        if isinstance(node, ast.stmt):
            inner = getattr(node, "body", None)
            last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
            found.append((node.lineno, max(last, node.lineno)))
    return found


def locate_mutant(mutant: Mutant) -> Sequence[int]:
    """Return the lines of a mutant's statement; none if it runs only on import."""
    if not any(first <= mutant.line <= last for first, last in find_function_spans(mutant.file)):
        return ()
    around = [(first, last) for first, last in find_statement_spans(mutant.file) if first <= mutant.line <= last]
    first, last = min(around, key=lambda pair: pair[1] - pair[0], default=(mutant.line, mutant.line))
    return range(first, last + 1)


@cache
def find_function_spans(file: str) -> Sequence[tuple[int, int]]:
    """Return first and last line of all function bodies, which import does not run."""
    tree = ast.walk(ast.parse((MUTATION_ROOT / file).read_text("utf-8")))
    functions = (node for node in tree if isinstance(node, ast.FunctionDef | ast.Lambda))
    bodies = (node.body if isinstance(node.body, list) else [node.body] for node in functions)
    return [(body[0].lineno, body[-1].end_lineno or body[-1].lineno) for body in bodies]
