"""The page of downloads: every file with its size, its terms and its checksum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.export.downloads import COUNTED, DATA, DEALS, FORMS, FOUND, PACKED, TEXTS, File, collect_downloads
from edition.export.formats import FORMS as OUTGOING
from edition.nodes.builders import classed, details, filled, para, section, table
from edition.text.answers import plural
from edition.views.layout import Nodes
from rulebook.strings import address

READS = {form.title: form.reads for form in OUTGOING.values()}  #: heading -> what reads the files under it
ORDER = (PACKED, TEXTS, *READS, COUNTED, DATA, DEALS, FOUND, FORMS)
FOLDED = 30  #: a longer list is folded away


@dataclass(frozen=True, slots=True)
class Group:
    """Files under one heading."""

    title: str
    files: tuple[File, ...]
    reads: str = ""  #: what reads them

    @property
    def size(self) -> int:
        """All of them together."""
        return sum(one.size for one in self.files)


def downloads_view(corpus: Corpus, _: str = "") -> tuple[Group, ...]:
    """All files under their headings."""
    ranked = sorted(collect_downloads(corpus).files, key=lambda one: (ORDER.index(one.group), one.path))
    ranks = groupby(ranked, key=lambda one: one.group)
    return tuple(Group(title, tuple(files), READS.get(title, "")) for title, files in ranks)


def counts_view(corpus: Corpus, _: str = "") -> tuple[int, int]:
    """How many files there are, and how much they weigh."""
    files = collect_downloads(corpus).files
    return len(files), sum(one.size for one in files if one.group != PACKED)


def counts(view: tuple[int, int]) -> Nodes:
    """How many files there are."""
    number, size = view
    return [para(f"{plural(number, 'file')}, {told_size(size)} unpacked.")]


def downloads(view: tuple[Group, ...]) -> Nodes:
    """A table for each heading."""
    return [section(address(group.title), group.title, *group_of(group)) for group in view]


def group_of(group: Group) -> Iterator[nodes.Node]:
    """The files under one heading; many of them are folded away."""
    if group.reads:
        yield para(group.reads)
    rows = [row(one) for one in group.files]
    shown = table(f"Files: {group.title}", ("File", "What it is", "Terms", "Size"), rows, cls="rv-stack rv-files")
    if len(rows) > FOLDED:
        yield details([f"All {len(rows)}, {told_size(group.size)}"], shown)
    else:
        yield shown


def row(one: File) -> tuple[Any, ...]:
    """One file; the checksum stands under its name."""
    return (
        [way(one), para(one.sha256, cls="rv-sum")],
        one.says,
        one.licence,
        told_size(one.size),
    )


def way(one: File) -> nodes.reference:
    """The way to a file; the page lies in the first folder, and so the path is the way."""
    node = nodes.reference("", "", refuri=one.path, internal=True)
    return filled(classed(node, "rv-file", download=""), [one.path.rpartition("/")[2]])


def told_size(size: int) -> str:
    """A size as one reads it."""
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"downloads": downloads_view, "downloads-counted": counts_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"downloads": downloads, "downloads-counted": counts}
