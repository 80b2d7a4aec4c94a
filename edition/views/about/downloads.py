"""The page of downloads: every file with its size, its terms and its checksum."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from docutils import nodes

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
from edition.nodes.builders import Content, code, details, external_link, file_link, para, section, table
from edition.nodes.deferred import defer_content
from edition.views.layout import Nodes, join_content
from rulebook.phrases import format_count
from rulebook.strings import slugify_text

_KEPT_GROUPS = (GROUP_DATA, GROUP_FINDINGS, GROUP_SCHEMAS)
_FOLD_LIMIT = 15  #: a longer list is folded away


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
        return sum(one.size for one in self.files)


def downloads_view(corpus: Corpus, _: str = "") -> tuple[DownloadGroup, ...]:
    """All files under their headings."""
    game = corpus.game
    forms = {form.title: form for form in list_export_formats(game).values()}
    order = (GROUP_ARCHIVES, GROUP_TEXTS, *forms, *_order_kept_groups(game))
    ranked = sorted(collect_downloads(corpus).files, key=lambda file: (order.index(file.group), file.path))
    groups = ((title, tuple(files)) for title, files in groupby(ranked, key=lambda file: file.group))
    return tuple(_view_group(title, files, forms.get(title), game) for title, files in groups)


def _order_kept_groups(game: Game) -> Iterator[str]:
    """Yield the headings of files as they are kept, those of the game where they belong."""
    for title in _KEPT_GROUPS:
        yield from dict.fromkeys(one.heading for one in game.exports.folders.values() if one.before == title)
        yield title


def _view_group(title: str, files: tuple[DownloadFile, ...], form: ExportFormat | None, game: Game) -> DownloadGroup:
    if form is None:
        return DownloadGroup(title, files)
    first = form.get_address(form.first) if form.first else ""
    return DownloadGroup(title, files, form.reads, first, list_group_archives(title, game))


def counts_view(corpus: Corpus, _: str = "") -> tuple[int, int]:
    """Number of files and their total size in bytes, both without packed archives."""
    sizes = [one.size for one in collect_downloads(corpus).files if one.group != GROUP_ARCHIVES]
    return len(sizes), sum(sizes)


def render_download_counts(view: tuple[int, int]) -> Nodes:
    """Number and size of the files in a sentence."""
    number, size = view
    return [para(f"{format_count(number, 'file')}, {_format_size(size)} unpacked.")]


def render_downloads(view: tuple[DownloadGroup, ...]) -> Nodes:
    """Table of files for each heading."""
    return [section(slugify_text(group.title), group.title, *_render_download_group(group)) for group in view]


def _render_download_group(group: DownloadGroup) -> Iterator[nodes.Node]:
    if group.reads:
        yield para(*_link_addresses(group.reads))
        yield para(*_describe_place(group))
    names = Counter(_name_file(one) for one in group.files)
    rows = [_download_row(each, names[_name_file(each[0])] > 1) for each in group_file_series(group.files)]
    shown = table(f"Files: {group.title}", ("File", "What it is", "Terms", "Size"), rows, cls="rv-stack rv-files")
    if len(rows) > _FOLD_LIMIT:
        instead: list[Content] = ["Each of them is in the archives at the head of this page."]
        kept = defer_content(f"{slugify_text(group.title)}-files", instead, shown)
        yield details([f"All {len(group.files)}, {_format_size(group.size)}"], kept)
    else:
        yield shown


def _link_addresses(words: str) -> Iterator[Content]:
    """Make links of the addresses that stand among words."""
    for at, part in enumerate(re.split(r"(https://[^\s,)]+)", words)):
        yield external_link(part, part.removeprefix("https://")) if at % 2 else part


def _describe_place(group: DownloadGroup) -> Iterator[Content]:
    """Say with which file to begin, in which folder the files lie and which archives hold them."""
    if group.first:
        yield from ("Begin with ", file_link(group.first, group.first.rpartition("/")[2]), ". ")
    folder = min((one.path.rpartition("/")[0] for one in group.files), key=len)
    archives = (file_link(one, one.rpartition("/")[2]) for one in group.archives)
    yield from ("Folder ", code(f"{folder}/"), "; archives: ", *join_content(archives, ", "), ".")


def _name_file(one: DownloadFile) -> str:
    return one.path.rpartition("/")[2]


def _download_row(files: Sequence[DownloadFile], shared: bool) -> tuple[Any, ...]:
    """Row of a file, or of a series, of which the first is linked; where others have its name, with its folder."""
    one = files[0]
    shown = "/".join(one.path.split("/")[-2:]) if shared else _name_file(one)
    name = file_link(one.path, shown, cls="rv-file")  # the page lies in the root folder
    beneath = para(f"and {len(files) - 1} more") if len(files) > 1 else para(one.sha256, cls="rv-sum")
    return [name, beneath], one.says, one.licence, _format_size(sum(each.size for each in files))


def _format_size(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
