"""`python -m edition.cli` is `rulebook`: the commands of every edition, for a library of one's own."""

from edition.cli.main import main

main()
