"""Coding a source in the browser: its state for the form, one answer at a time, and the history of both."""

CODE_ADDRESS = "/code/"  #: where the server has the forms: the siglum stands behind it
