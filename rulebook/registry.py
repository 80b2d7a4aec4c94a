"""A door, named by files in sources/: `python -m rulebook.registry` leads to `rulebook.checks.registry`."""

from __future__ import annotations

import sys

from rulebook.checks.registry import main

if __name__ == "__main__":
    sys.exit(main())
