"""A door, named by files in sources/: `python -m rulebook.tei_prune` leads to `rulebook.tei.schema`."""

from __future__ import annotations

import sys

from rulebook.tei.schema import main

if __name__ == "__main__":
    sys.exit(main())
