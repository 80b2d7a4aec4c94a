"""HTML views of records in notebooks, made by whoever stands above and registers for it.

A notebook asks a record for `_repr_html_`. What the page shows is made of the edition's components, which no layer
below the edition may know; so a game sets the renderer here when it is imported. Without it a record has its
one-line repr only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from types import UnionType
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")

_MAX_REPR_LENGTH = 100

_renderers: list[Callable[[object], str | None]] = []


class Displayed:
    """Record that notebooks show as HTML once a renderer is set."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the HTML view; None where nobody has set a renderer, so that notebooks print the repr."""
        return _renderers[0](self) if _renderers else None


class Tabular(Displayed, Sequence[dict[str, V]], Generic[V]):
    """Record that is a table: `pandas.DataFrame` and `polars.DataFrame` take it as it is."""

    __slots__ = ()

    def rows(self) -> list[dict[str, V]]:
        """Return every row as a plain dict."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.rows())

    def __iter__(self) -> Iterator[dict[str, V]]:
        return iter(self.rows())

    @overload
    def __getitem__(self, at: int) -> dict[str, V]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, V]]: ...
    def __getitem__(self, at: int | slice) -> dict[str, V] | list[dict[str, V]]:
        """Return one row, the last being -1, or a slice of them. Raises TypeError for the name of a column."""
        if isinstance(at, str):
            raise TypeError(f"rows are taken by number: table[0]; a column is [row[{at!r}] for row in table]")
        return self.rows()[at]


def set_html_renderer(render: Callable[[object], str | None]) -> None:
    """Set the function that makes the HTML view of any record."""
    _renderers[:] = [render]


def format_repr(one: object, words: str) -> str:
    """Return the repr of a record in one line: its class and some words, cut where they are too many."""
    head, said = f"<{type(one).__name__} ", " ".join(words.split())
    room = _MAX_REPR_LENGTH - len(head) - 1
    return f"{head}{said if len(said) <= room else said[: room - 1].rstrip(' ,;:') + '…'}>"


def format_whole(value: object) -> str:
    """Return every field of a record as letters: what a fingerprint is made of, since a repr is cut short."""
    kind: type = type(value)
    return _find_format(kind)(value)


@cache
def _find_format(kind: type) -> Callable[[Any], str]:
    """Return what formats values of one class: found once, since a page has thousands of each."""
    if is_dataclass(kind):
        return partial(_format_fields, kind.__name__, tuple(field.name for field in fields(kind) if field.repr))
    return next((made for base, made in _FORMATS if issubclass(kind, base)), repr)


def _format_fields(name: str, names: Sequence[str], value: object) -> str:
    return f"{name}({', '.join(f'{one}={format_whole(getattr(value, one))}' for one in names)})"


def _format_pairs(value: Mapping[Any, Any]) -> str:
    return f"{{{', '.join(f'{format_whole(key)}: {format_whole(said)}' for key, said in value.items())}}}"


_FORMATS: tuple[tuple[type | UnionType, Callable[[Any], str]], ...] = (
    (Mapping, _format_pairs),
    (tuple | list, lambda value: f"[{', '.join(map(format_whole, value))}]"),
    (set | frozenset, lambda value: f"{{{', '.join(sorted(map(format_whole, value)))}}}"),
)
