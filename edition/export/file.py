"""Parts common to all export formats: a file with its bytes, quotable words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, TypeVar
from zipfile import ZIP_DEFLATED, ZipInfo

from rulebook.model import Cite, Source
from rulebook.quotations import find_quotation, is_framed, select_loci, words_at
from rulebook.strings import single_spaced

QUOTES_ALL, QUOTES_NONE = "", "-"
_CONTEXT_LENGTH = 32  #: letters before and after a quotation that tell it from the same words elsewhere


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A generated file: path within its own folder, bytes, description, and whose words stand in it."""

    path: str
    letters: bytes
    says: str
    whose: str = QUOTES_ALL  #: a siglum, all sources, or none


class DescribedFile(Protocol):
    """A file with its path and its description."""

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def says(self) -> str:
        """Its description."""


_DescribedT = TypeVar("_DescribedT", bound=DescribedFile)
_SERIES_LENGTH = 8  #: so many files of one kind in one folder are a series


def group_file_series(files: Iterable[_DescribedT]) -> Iterator[list[_DescribedT]]:
    """Yield each file by itself, but those of a series, alike in folder and description, together."""
    for _, alike in groupby(files, key=lambda file: (file.path.rpartition("/")[0], file.says)):
        series = [*alike]
        yield from [series] if len(series) >= _SERIES_LENGTH else ([file] for file in series)


def get_quotable_words(source: Source, cite: Cite) -> str:
    """Return the words that a citation rests on; none of a source whose text is not printed here."""
    return cite.exact if source.text else ""


def find_quotation_context(source: Source, cite: Cite) -> tuple[str, str]:
    """Return the text before and after the words of a citation, which tells them from the same words elsewhere."""
    text = words_at(source, select_loci(source, cite.locus, cite.to), cite.view)
    exact = single_spaced(cite.exact)
    at = next((place for place in find_quotation(exact, text) if is_framed(place, cite, exact, text)), None)
    if at is None:
        return cite.prefix, cite.suffix
    after = at + len(exact)
    return text[max(at - _CONTEXT_LENGTH, 0) : at], text[after : after + _CONTEXT_LENGTH]


def make_file_id(id: str) -> str:
    """Return an id with hyphens for all but letters, digits, underscores and hyphens."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", id)


def make_zip_entry(path: str, date: tuple[int, int, int, int, int, int], how: int = ZIP_DEFLATED) -> ZipInfo:
    """Return the entry of a file in a ZIP, without a trace of the machine that wrote it."""
    entry = ZipInfo(path, date)
    entry.compress_type, entry.create_system, entry.external_attr = how, 3, 0o644 << 16
    return entry


def drop_empty_entries(node: dict[str, Any]) -> dict[str, Any]:
    """Return a node of JSON-LD without empty entries."""
    return {key: value for key, value in node.items() if value not in ("", None, [], {})}
