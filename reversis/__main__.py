"""`python -m reversis` is `reversis`."""

from reversis.cli.main import main

main()
