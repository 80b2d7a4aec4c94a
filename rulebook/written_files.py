"""Update of what programs write into a library: ledgers, registry of ids, agreement of two codings, schemas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulebook.agreement.codings import sigla_coded_twice
from rulebook.agreement.statistics import figures_are_fresh, recompute
from rulebook.checks.coverage import update_coverage_ledgers
from rulebook.checks.registry import register_new_ids
from rulebook.installing import format_install_command
from rulebook.json_schema import SCHEMAS_FOLDER, write_json_schemas
from rulebook.load import load_library
from rulebook.phrases import format_count
from rulebook.problems import NotInOrder
from rulebook.sources.id_registry import REGISTRY_FILE


def update_written_files(root: Path) -> Iterator[str]:
    """Update all that a library has of them, and say what is new. Raises NotInOrder, and UnreadableCoding."""
    if touched := update_coverage_ledgers(root):
        yield f"coverage.yaml: {format_count(len(touched), 'sentence')} answer more than was stated"
    if (root / REGISTRY_FILE).is_file() and (ids := register_new_ids(root)):
        yield f"{REGISTRY_FILE}: {format_count(len(ids), 'id')} added"
    library, _ = load_library(root)
    if library is None:
        return
    if (root / SCHEMAS_FOLDER).is_dir() and (written := write_json_schemas(library)):
        yield f"{SCHEMAS_FOLDER}: {', '.join(written)} written"
    if sigla_coded_twice(library) and any(True for _ in figures_are_fresh(library)):
        try:
            yield f"{recompute(library).name}: figures computed"
        except ImportError:
            way_out = format_install_command("coding")
            raise NotInOrder(f"the agreement of two codings needs a package more: {way_out}") from None
