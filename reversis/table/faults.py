"""A fault at a table, in words: something that cannot be done there."""


class TableFault(LookupError):
    """A game that cannot be read or cannot go on, or a move that there is not; the message says why."""
