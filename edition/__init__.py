"""How it is shown: the Sphinx edition and the command line."""
