"""What cannot be done at a table, in words."""


class TableFault(LookupError):
    """A game that cannot be read or cannot go on, or a move that there is not; the message says why."""
