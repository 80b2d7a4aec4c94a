"""What the engine makes of many deals, kept so that no change of it goes unseen.

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
from rulebook.io.files import replaced
from rulebook.load import library
from rulebook.model import Library, Ruleset
from rulebook.resolve import BadChoice, Choice, alternatives, resolve
from rulebook.sources.paths import DEALS, find_files

KEPT = Path(__file__).resolve().parent.parent / "tests" / "data" / "results.json"
HYBRIDS, BY_LOT = 3, 15  #: hybrids of each source; deals by lot at each table of each source
SEED = 1601


def drawn(library: Library) -> dict[str, list[str]]:
    """Hybrids of every source that take rival readings and options by lot: name -> ids, as many as go together."""
    found = {}
    for siglum, source in library.sources.items():
        for number in range(HYBRIDS):
            rng = Random(f"{siglum} {number} {SEED}")
            wished = [one.id for _, one in alternatives(source.clauses) if rng.random() < 0.4]
            found[f"{siglum} {number}"] = held_together(library, siglum, wished)
    return found


def held_together(library: Library, siglum: str, wished: Iterable[str]) -> list[str]:
    """As many of these readings as can be held together."""
    held: list[str] = []
    for id in wished:
        try:
            bound(library, siglum, [*held, id])
        except BadChoice:
            continue
        held.append(id)
    return held


def bound(library: Library, siglum: str, ids: Iterable[str]) -> Ruleset:
    """A source with some of its other readings. Raises BadChoice."""
    return resolve(library, siglum, [Choice(id, named=id) for id in ids])


def rulesets(library: Library, hybrids: Mapping[str, Iterable[str]]) -> Iterator[Ruleset]:
    """Every source as we read it, and the hybrids that were drawn."""
    yield from (resolve(library, siglum) for siglum in library.sources)
    yield from (bound(library, name.partition(" ")[0], ids) for name, ids in hybrids.items())


def read(raw: Mapping[str, object]) -> Deal:
    """A deal that is known to be in order."""
    deal, problems = read_deal(raw)
    assert deal is not None, problems
    return deal


def fingerprints(rules: Sequence[Ruleset], deals: Iterable[Deal]) -> dict[str, str]:
    """What comes of every deal under every ruleset, one fingerprint for each deal."""
    return {deal.id: sealed([result(settle(deal, one)) for one in rules]) for deal in deals}


def unchanged(rules: Sequence[Ruleset], deals: Iterable[Deal], kept: Mapping[str, str]) -> bool:
    """Whether every deal comes out as it did; the first that does not is enough to say no."""
    return all(kept.get(deal.id) == sealed([result(settle(deal, one)) for one in rules]) for deal in deals)


def sealed(results: list[dict[str, object]]) -> str:
    """The fingerprint of some results, whatever version and sources they are of."""
    plain = [{key: value for key, value in one.items() if key not in ("receipt", "ruleset")} for one in results]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def by_lot(library: Library) -> Iterator[Deal]:
    """Deals by lot at every table of every source."""
    from engine.generation.deal import random_deal
    from engine.generation.turn import shapes

    for siglum in library.sources:
        rules = resolve(library, siglum)
        for at, shape in enumerate(shapes(rules)):
            for number in range(BY_LOT):
                name = f"{siglum.lower()}-{at}-{number}"
                made = random_deal(rules, f"{name} {SEED}", shape)
                yield Deal(name, *[getattr(made, key) for key in list(made.__dataclass_fields__)[1:]])


def main() -> int:
    """Settle all of them, and say which results have changed."""
    from engine.deal.writer import write_deal
    from rulebook.io.strict_yaml import read_yaml

    lib = library()
    root = Path(lib.root)
    worked = [read(raw) for path in find_files(root, DEALS) if isinstance(raw := read_yaml(path)[0], dict)]
    lots = list(by_lot(lib))
    had = json.loads(KEPT.read_text("utf-8"))["results"] if KEPT.exists() else {}
    hybrids = drawn(lib)
    found = fingerprints(tuple(rulesets(lib, hybrids)), [*worked, *lots])
    kept = {"hybrids": hybrids, "results": found, "deals": [write_deal(deal) for deal in lots]}
    replaced(KEPT, json.dumps(kept, indent=0, ensure_ascii=False) + "\n")
    changed = [id for id, seal in found.items() if had.get(id) not in (None, seal)]
    sys.stdout.write(
        f"{len(found)} deals, {len(changed)} of them with another result\n" + "".join(f"{id}\n" for id in changed)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
