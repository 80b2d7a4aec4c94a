"""`python -m reversis.cli` is `reversis`, where no script is installed."""

from reversis.cli.main import main

main()
