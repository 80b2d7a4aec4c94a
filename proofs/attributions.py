"""Find the answers that cause the differences between sources on worked deals.

Every two sources are compared on every worked deal.

    python -m proofs.attributions

shares out every difference (`engine.comparison.attribution`) and writes what it finds to `sources/attributions.json`,
from where the deals' pages read it. It takes some minutes, and the same sources give the same file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reversis.files.attributions import ATTRIBUTIONS_COMMAND, Caused, Causes, attribute_deal, write_causes
from reversis.files.separations import worked_deals
from rulebook import __version__
from rulebook.load import library


def main() -> int:
    """Run the program."""
    own = library()
    deals, attributions = worked_deals(own), list[Caused]()
    for number, deal in enumerate(deals.values(), 1):
        attributions += attribute_deal(own, deal)
        sys.stderr.write(f"\r{number} of {len(deals)} deals")
    causes = Causes(
        schema=1, command=ATTRIBUTIONS_COMMAND, version=__version__, sources=own.rules_digest, found=tuple(attributions)
    )
    path = write_causes(Path(own.root), causes)
    sys.stdout.write(f"\nwritten: {path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
