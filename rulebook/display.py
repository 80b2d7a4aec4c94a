"""Records at a prompt and in notebooks: a line, the letters as printed, or a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from itertools import islice
from types import UnionType
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")

_MAX_REPR_LENGTH = 100
#: Of a long or wide table so much is shown.
_MAX_ROWS, _MAX_COLUMNS, _MAX_CELL_LENGTH = 20, 20, 80


class Displayed:
    """Record that notebooks show as it is printed."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<pre>{_escape(str(self))}</pre>"


class Tabular(Sequence[dict[str, V]], Generic[V]):
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

    def _repr_html_(self) -> str:
        rows = self.rows()
        heads = [*rows[0]][:_MAX_COLUMNS] if rows else []
        lines = [_format_row("td", row.values()) for row in rows[:_MAX_ROWS]]
        is_cut = rows and (len(rows) > len(lines) or len(rows[0]) > len(heads))
        note = " Not all is shown; rows() has the rest." if is_cut else ""
        return f"<p>{_escape(repr(self))}{note}</p><table>{_format_row('th', heads)}{''.join(lines)}</table>"


def _format_row(tag: str, values: Iterable[object]) -> str:
    shown = (" | ".join(value) if isinstance(value, list) else value for value in islice(values, _MAX_COLUMNS))
    words = ("" if value is None else str(value) for value in shown)
    cut = (cell if len(cell) <= _MAX_CELL_LENGTH else f"{cell[: _MAX_CELL_LENGTH - 1]}…" for cell in words)
    return f"<tr>{''.join(f'<{tag}>{_escape(cell)}</{tag}>' for cell in cut)}</tr>"


def _escape(words: str) -> str:
    from html import escape  # a browser, which shows no notebook, would wait for it at every start

    return escape(words)


def format_repr(record: object, words: str) -> str:
    """Return the repr of a record in one line: its class and some words, cut where they are too many."""
    head, body = f"<{type(record).__name__} ", " ".join(words.split())
    room = _MAX_REPR_LENGTH - len(head) - 1
    return f"{head}{body if len(body) <= room else body[: room - 1].rstrip(' ,;:') + '…'}>"


def format_whole(value: object) -> str:
    """Return every field of a record as letters: what a fingerprint is made of, since a repr is cut short."""
    kind: type = type(value)
    return _find_format(kind)(value)


@cache
def _find_format(kind: type) -> Callable[[Any], str]:
    """Return what formats values of one class: found once, since a page has thousands of each."""
    if is_dataclass(kind):
        return partial(_format_fields, kind.__name__, tuple(field.name for field in fields(kind) if field.repr))
    return next((formatter for base, formatter in _FORMATS if issubclass(kind, base)), repr)


def _format_fields(name: str, names: Sequence[str], value: object) -> str:
    return f"{name}({', '.join(f'{field}={format_whole(getattr(value, field))}' for field in names)})"


def _format_pairs(value: Mapping[Any, Any]) -> str:
    return f"{{{', '.join(f'{format_whole(key)}: {format_whole(item)}' for key, item in value.items())}}}"


_FORMATS: tuple[tuple[type | UnionType, Callable[[Any], str]], ...] = (
    (Mapping, _format_pairs),
    (tuple | list, lambda value: f"[{', '.join(map(format_whole, value))}]"),
    (set | frozenset, lambda value: f"{{{', '.join(sorted(map(format_whole, value)))}}}"),
)
