"""A door, named by files in sources/: `python -m rulebook.coverage` leads to `rulebook.checks.coverage`."""

from __future__ import annotations

import sys

from rulebook.checks.coverage import main

if __name__ == "__main__":
    sys.exit(main())
