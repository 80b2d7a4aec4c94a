"""The command line: a module for each command, named in `edition.cli.main`; each imports only what it needs."""
