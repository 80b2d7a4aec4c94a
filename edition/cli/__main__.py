"""`python -m edition.cli`: the commands of every edition, for a library without a game."""

from edition.cli.main import cli, run_program

run_program(cli)
