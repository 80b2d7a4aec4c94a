"""The tests that a mutant is shown to first, and the statement in which it stands."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from proofs.mutation.coverage import (
    MUTATION_ROOT,
    glob_project_files,
)
from proofs.mutation.verdicts import (
    Mutant,
)

#: Tests that speak of a file, besides those of the same name in the mirrored folder.
_NEAREST_TESTS = {
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
_GENERAL_TESTS = (
    "tests/proofs/test_golden_engine.py",
    "tests/engine/test_immutability.py",
    "tests/engine/settlement/test_policy_statements.py",
)


def list_nearest_tests(file: str) -> list[str]:
    """Return the test files that belong to a file."""
    path = Path(file)
    always = ("tests/engine/survey/test_play_lines.py",) if "/survey/" in file else _GENERAL_TESTS
    mirrored = glob_project_files(f"tests/{path.parent.as_posix()}/test_{path.stem}*.py")
    return [*always, *mirrored, *(f"tests/{name}" for name in _NEAREST_TESTS.get(file, ()))]


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
