"""Golden results of many deals, stored so that no change goes unnoticed.

    python -m proofs.golden_results

settles every worked deal, and deals by lot that are kept beside the results, under every source as we read it and
under some hybrids of each that take rival readings by lot, and writes the fingerprint of every result to
tests/data/results.json. A test settles them again. These results are not worked out by hand; they are what came out
when somebody last looked. Whoever changes what a deal is worth runs this, and looks at what has changed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.settlement.result_json import result
from engine.settlement.settle import settle
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library, Ruleset
from rulebook.resolve import BadChoice, Choice, iter_clause_alternatives, resolve
from rulebook.sources.paths import DEAL_FILE_PATTERNS, find_files

GOLDEN_RESULTS_FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "results.json"
HYBRIDS_PER_SOURCE, _DEALS_PER_TABLE = 3, 15  #: hybrids of each source; deals by lot at each table of each source
_SEED = 1601


def draw_hybrids(library: Library) -> dict[str, list[str]]:
    """Draw hybrids of every source: name -> ids of random compatible readings."""
    found = {}
    for siglum, source in library.sources.items():
        for number in range(HYBRIDS_PER_SOURCE):
            rng = Random(f"{siglum} {number} {_SEED}")
            wished = [one.id for _, one in iter_clause_alternatives(source.clauses) if rng.random() < 0.4]
            found[f"{siglum} {number}"] = _filter_compatible_readings(library, siglum, wished)
    return found


def _filter_compatible_readings(library: Library, siglum: str, wished: Iterable[str]) -> list[str]:
    held: list[str] = []
    for id in wished:
        try:
            resolve_with_readings(library, siglum, [*held, id])
        except BadChoice:
            continue
        held.append(id)
    return held


def resolve_with_readings(library: Library, siglum: str, ids: Iterable[str]) -> Ruleset:
    """Resolve a source with some of its other readings. Raises BadChoice."""
    return resolve(library, siglum, [Choice(id, named=id) for id in ids])


def iter_golden_rulesets(library: Library, hybrids: Mapping[str, Iterable[str]]) -> Iterator[Ruleset]:
    """Yield the default ruleset of every source, and the stored hybrids."""
    yield from (resolve(library, siglum) for siglum in library.sources)
    yield from (resolve_with_readings(library, name.partition(" ")[0], ids) for name, ids in hybrids.items())


def read_valid_deal(raw: Mapping[str, object]) -> Deal:
    """Read a deal that is known to be valid."""
    deal, problems = read_deal(raw)
    assert deal is not None, problems
    return deal


def fingerprint_deals(rules: Sequence[Ruleset], deals: Iterable[Deal]) -> dict[str, str]:
    """Return one fingerprint per deal, of its results under all rulesets."""
    return {deal.id: fingerprint_results([result(settle(deal, one)) for one in rules]) for deal in deals}


def fingerprint_results(results: list[dict[str, object]]) -> str:
    """Return the fingerprint of some results, without version and digest of sources."""
    plain = [{key: value for key, value in one.items() if key not in ("receipt", "ruleset")} for one in results]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def _generate_golden_deals(library: Library) -> Iterator[Deal]:
    from engine.generation.deal import random_deal
    from engine.generation.turn import list_table_shapes

    for siglum in library.sources:
        rules = resolve(library, siglum)
        for at, shape in enumerate(list_table_shapes(rules)):
            for number in range(_DEALS_PER_TABLE):
                name = f"{siglum.lower()}-{at}-{number}"
                made = random_deal(rules, f"{name} {_SEED}", shape)
                yield Deal(name, *[getattr(made, key) for key in list(made.__dataclass_fields__)[1:]])


def main() -> int:
    """Settle all deals, store the results, and report which have changed."""
    from engine.deal.writer import write_deal
    from rulebook.io.strict_yaml import read_yaml

    lib = library()
    root = Path(lib.root)
    worked = [
        read_valid_deal(raw)
        for path in find_files(root, DEAL_FILE_PATTERNS)
        if isinstance(raw := read_yaml(path)[0], dict)
    ]
    lots = list(_generate_golden_deals(lib))
    had = json.loads(GOLDEN_RESULTS_FILE.read_text("utf-8"))["results"] if GOLDEN_RESULTS_FILE.exists() else {}
    hybrids = draw_hybrids(lib)
    found = fingerprint_deals(tuple(iter_golden_rulesets(lib, hybrids)), [*worked, *lots])
    kept = {"hybrids": hybrids, "results": found, "deals": [write_deal(deal) for deal in lots]}
    replace_file(GOLDEN_RESULTS_FILE, json.dumps(kept, indent=0, ensure_ascii=False) + "\n")
    changed = [id for id, seal in found.items() if had.get(id) not in (None, seal)]
    sys.stdout.write(
        f"{len(found)} deals, {len(changed)} of them with another result\n" + "".join(f"{id}\n" for id in changed)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
