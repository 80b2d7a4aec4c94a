"""The table needs no terminal, and nothing that a browser lacks."""

from __future__ import annotations

import subprocess
import sys

ALONE = """
import sys
import reversis.table.person_view, reversis.table.saved_faults, reversis.browser.table_api
extra = {"click", "rich", "yaml", "numpy", "edition", "lab"} & {name.partition(".")[0] for name in sys.modules}
assert not extra, extra
"""


def test_the_table_is_imported_without_the_terminals_packages() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
