"""`python -m edition.cli` is `reversis`, where no script is installed."""

from edition.cli.main import main

main()
