"""`python -m edition.cli`: the commands of every edition, for a library without a game."""

from edition.cli.main import library_cli, run_program

run_program(library_cli)
