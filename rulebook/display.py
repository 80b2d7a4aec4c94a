"""HTML views of records in notebooks, made by whoever stands above and registers for it.

A notebook asks a record for `_repr_html_`. What the page shows is made of the edition's components, which no layer
below the edition may know; so `reversis` sets the renderer here when it is imported. Without it a record has its
one-line repr only.
"""

from __future__ import annotations

from collections.abc import Callable

_MAX_REPR_LENGTH = 100

_renderers: list[Callable[[object], str | None]] = []


class Displayed:
    """Record that notebooks show as HTML once a renderer is set."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the HTML view; None where nobody has set a renderer, so that notebooks print the repr."""
        return _renderers[0](self) if _renderers else None


def set_html_renderer(render: Callable[[object], str | None]) -> None:
    """Set the function that makes the HTML view of any record."""
    _renderers[:] = [render]


def format_repr(one: object, words: str) -> str:
    """Return the repr of a record in one line: its class and some words, cut where they are too many."""
    head, said = f"<{type(one).__name__} ", " ".join(words.split())
    room = _MAX_REPR_LENGTH - len(head) - 1
    return f"{head}{said if len(said) <= room else said[: room - 1].rstrip(' ,;:') + '…'}>"
