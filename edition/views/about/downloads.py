"""The page of downloads: every file with its size, its terms and its checksum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from edition.corpus.corpus import Corpus
from edition.export.downloads import (
    GROUP_ARCHIVES,
    GROUP_DATA,
    GROUP_FINDINGS,
    GROUP_SCHEMAS,
    GROUP_TEXTS,
    DownloadFile,
    collect_downloads,
    list_group_archives,
)
from edition.export.file import group_file_series
from edition.export.formats import ExportFormat, list_export_formats
from edition.game import Game
from edition.nodes.builders import Content, external_link, para
from edition.nodes.templates import template_renderer
from edition.views.layout import Nodes
from rulebook.phrases import format_count

_KEPT_GROUPS = (GROUP_DATA, GROUP_FINDINGS, GROUP_SCHEMAS)


@dataclass(frozen=True, slots=True)
class DownloadGroup:
    """Downloads under one heading."""

    title: str
    files: tuple[DownloadFile, ...]
    reads: str = ""  #: what reads them
    first: str = ""  #: address of the file with which to begin
    archives: tuple[str, ...] = ()  #: addresses of the archives that hold them

    @property
    def size(self) -> int:
        """All of them together."""
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> str:
        """Folder in which they lie."""
        return min((file.path.rpartition("/")[0] for file in self.files), key=len)

    @property
    def rows(self) -> list[tuple[str, list[DownloadFile]]]:
        """Files, or series of them, each with the name of its first, and its folder where others share the name."""
        names = Counter(file.path.rpartition("/")[2] for file in self.files)
        series = [(files[0].path.split("/"), files) for files in group_file_series(self.files)]
        return [("/".join(path[-2:]) if names[path[-1]] > 1 else path[-1], files) for path, files in series]


def downloads_view(corpus: Corpus, _: str = "") -> tuple[DownloadGroup, ...]:
    """All files under their headings."""
    game = corpus.game
    forms = {form.title: form for form in list_export_formats(game).values()}
    order = (GROUP_ARCHIVES, GROUP_TEXTS, *forms, *_order_kept_groups(game))
    ranked = sorted(collect_downloads(corpus).files, key=lambda file: (order.index(file.group), file.path))
    groups = ((title, tuple(files)) for title, files in groupby(ranked, key=lambda file: file.group))
    return tuple(_view_group(corpus, title, files, forms.get(title)) for title, files in groups)


def _order_kept_groups(game: Game) -> Iterator[str]:
    """Yield the headings of files as they are kept, those of the game where they belong."""
    for title in _KEPT_GROUPS:
        yield from dict.fromkeys(folder.heading for folder in game.exports.folders.values() if folder.before == title)
        yield title


def _view_group(
    corpus: Corpus, title: str, files: tuple[DownloadFile, ...], form: ExportFormat | None
) -> DownloadGroup:
    if form is None:
        return DownloadGroup(title, files)
    first = form.get_address(form.first) if form.first else ""
    return DownloadGroup(title, files, form.reads, first, list_group_archives(title, corpus))


def counts_view(corpus: Corpus, _: str = "") -> tuple[int, int]:
    """Number of files and their total size in bytes, both without packed archives."""
    sizes = [file.size for file in collect_downloads(corpus).files if file.group != GROUP_ARCHIVES]
    return len(sizes), sum(sizes)


def render_download_counts(view: tuple[int, int]) -> Nodes:
    """Number and size of the files in a sentence."""
    number, size = view
    return [para(f"{format_count(number, 'file')}, {_format_size(size)} unpacked.")]


def _link_addresses(words: str) -> Iterator[Content]:
    """Make links of the addresses that stand among words."""
    for at, part in enumerate(re.split(r"(https://[^\s,)]+)", words)):
        yield external_link(part, part.removeprefix("https://")) if at % 2 else part


def _format_size(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"


render_downloads = template_renderer("edition", "downloads", linked=_link_addresses, size=_format_size)
