"""`python -m rulebook.agreement`: compute the figures, and list what is not settled."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rulebook.agreement.codings import UnreadableCoding
from rulebook.agreement.first_coding import write_first_codings
from rulebook.agreement.report import check_codings, read_agreement
from rulebook.agreement.statistics import ALL_CELLS, SPOKEN_CELLS, recompute
from rulebook.load import quick_load
from rulebook.model import Library
from rulebook.sources.paths import find_sources


def main(words: Sequence[str] = ()) -> int:
    """Bring the figures up to date, and tell what is not settled."""
    library, faults = quick_load(find_sources())
    if library is None or faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        return 1
    if "--keep-first" in words:
        sys.stdout.write("".join(f"kept the first coding of {siglum}\n" for siglum in write_first_codings(library)))
    try:
        recompute(library)
    except UnreadableCoding as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return print_agreement(library)


def print_agreement(library: Library) -> int:
    """Print how far the coders agree, and what is left to settle."""
    known, left = read_agreement(library), check_codings(library)
    for name, one in {ALL_CELLS: known.all, SPOKEN_CELLS: known.spoken, **known.by_source}.items():
        parts = (f"{what} {m.per_cent} % alpha {m.alpha}" for what, m in (("value", one.value), ("status", one.status)))
        sys.stdout.write(f"{name}: {one.cells} cells, {', '.join(parts)}\n")
    for siglum, ids in known.once.items():
        sys.stdout.write(f"coded once only in {siglum}, and not reckoned: {', '.join(ids)}\n")
    sys.stdout.write(f"{len(known.settled)} disagreements settled\n" + "".join(f"{problem}\n" for problem in left))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
