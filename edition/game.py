"""The record that a game hands to the edition; the edition knows no other way to anything about a game.

`library.yaml` names the game, and an entry point of the group `rulebook.games` leads to its `Game`. Whatever a game has
nothing for stays empty: of `NO_GAME` all is, and a library without a game is built with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, cast

from rulebook.games import find_library_game, load_every_game, load_game
from rulebook.model import Kind, Library
from rulebook.problems import Problem
from rulebook.program_fingerprint import PROGRAM_ROOT, program_fingerprint
from rulebook.sources.paths import digest_folder

if TYPE_CHECKING:
    from docutils import nodes  # a library is loaded without it

    from rulebook.json_schema import SchemaKind


@dataclass(frozen=True, slots=True)
class Reader:
    """Kinds of files below a library, and the function that reads and checks them."""

    files: tuple[str, ...]
    read: Callable[[Path, Library], tuple[Any, Iterable[Problem]]]


def _list_nothing(corpus: object) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class PageKind:
    """A kind of page: its view, made from corpus and argument, and the nodes that render the view."""

    view: Callable[[Any, str], Any]
    render: Callable[[Any], list[nodes.Node]]
    addresses: tuple[str, ...] = ()  #: the kinds of things that have their address there
    path: str = ""  #: of the pages that show one record each; {} stands for its argument
    arguments: Callable[[Any], Iterable[str]] = _list_nothing  #: of those pages, from the corpus
    listed: bool = False  #: the site's navigation lists them
    contents: bool = False  #: they have a list of their headings
    assets: tuple[str, ...] = ()  #: style sheets and scripts of every page that shows it, in the order of fetching
    render_print: Callable[[Any], list[nodes.Node]] | None = None  #: the nodes in the book, where they are others


def _render_nothing(record: object) -> list[nodes.Node]:
    return []


@dataclass(frozen=True, slots=True)
class Panel:
    """Part of a page of the edition that a game adds: a record of the thing shown, or None, and its nodes.

    At some places the page itself lays the record out; its class stands beside the view of that page.
    """

    view: Callable[[Any, str], Any]
    render: Callable[[Any], list[nodes.Node]] = _render_nothing


@dataclass(frozen=True, slots=True)
class PanelView:
    """Record of a panel, kept in the view of its page, so that the page's fingerprint covers it."""

    name: str
    record: Any
    render: Callable[[Any], list[nodes.Node]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Lookup:
    """Kind of things with ids that a game adds: how they are found, listed, described, cited and counted."""

    plural: str  #: name of the list of them
    find_paths: Callable[[Library], Mapping[str, str]] = field(default=lambda library: {})  #: id -> file in the library
    list_ids: Callable[[Any], Iterable[str]] = _list_nothing  #: those that can be shown, from the corpus
    count: Callable[[Library], str] = field(default=lambda library: "")  #: in words: "3 worked deals"
    describe: Callable[[Any, str], Any] | None = None  #: the `LookupEntry` of one, from corpus and id
    rows: Callable[[Any, Any], Iterator[Mapping[str, Any]]] | None = None  #: of the list, from corpus and `ListFilter`
    columns: tuple[str, ...] = ("id", "title")  #: of the list, for people
    filters: tuple[str, ...] = ()  #: options that narrow the list
    cite: Callable[[Any, Any], Any] | None = None  #: completes an `EditionCitation`, from context and what is known
    label: str = "this page"  #: what its page is called where it is cited
    linked_data: Callable[[Any, str], dict[str, Any]] | None = None  #: of its page, from a `JsonLdPage` and the id
    search: Callable[[Any], Iterable[tuple[str, str, str]]] = field(default=lambda corpus: ())  #: id, title, words
    heading: str = ""  #: over those that a search finds; without one there is nothing to be found
    #: Addresses that come with them: kind and id, and page, anchor and title.
    places: Callable[[Any], Iterable[tuple[tuple[str, str], tuple[str, str, str]]]] = field(default=lambda corpus: ())
    #: Those that cite a sentence, by its id.
    by_sentence: Callable[[Any], Mapping[str, tuple[str, ...]]] = field(default=lambda corpus: {})
    #: What came of each by each source, in words; a release keeps it.
    results: Callable[[Any], Mapping[str, Mapping[str, Any]]] = field(default=lambda corpus: {})


@dataclass(frozen=True, slots=True)
class FolderDownloads:
    """A folder on the page of downloads of a game's files in a library."""

    says: str  #: what each of its files is
    heading: str
    before: str  #: heading of the edition before which this one stands
    #: Title of the thing that a file holds, by the file's name.
    get_title: Callable[[Any, str], str] = field(default=lambda corpus, name: "")


@dataclass(frozen=True, slots=True)
class Exports:
    """Additions of a game to the exports of an edition, and to the files beside its pages."""

    tables: Sequence[Any] = ()  #: each an `ExportTable`
    formats: Mapping[str, Any] = field(default_factory=dict)  #: name -> an `ExportFormat`
    folders: Mapping[str, FolderDownloads] = field(default_factory=dict)  #: name of a folder in a library -> its files
    archives: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)  #: name -> contents and headings
    #: Further downloads of a corpus: path, bytes, description and heading of each.
    list_files: Callable[[Any], Iterable[tuple[str, bytes, str, str]]] = field(default=lambda corpus: ())
    #: Writes what pages fetch, of a corpus, by the kinds of views on pages and the places of things, into a folder.
    write_page_files: Callable[[Any, Set[str], Mapping[Any, Any], Path], None] = field(
        default=lambda corpus, kinds, places, out: None
    )


@dataclass(frozen=True, slots=True)
class GameCommand:
    """Command that a game adds to those of every edition; its module is imported when it is run."""

    summary: str  #: the first line of its help
    group: str  #: the heading under which the help lists it
    path: str  #: `module:function` of the click command
    paged: bool = False  #: it answers with something to read, at once


@dataclass(frozen=True)
class Game:
    """Everything that a game adds to an edition; a part is imported when it is first asked for."""

    name: str
    parts: Mapping[str, str] = field(default_factory=dict)  #: part -> `module:NAME`, where it stands
    folder: Path | None = None  #: with its `pages`, written by hand, and its style sheets and scripts (`static`)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Its kinds of answers, as questions name them."""
        return cast("Mapping[str, Kind]", self._load_part("kinds", {}))

    @cached_property
    def schemas(self) -> Mapping[str, SchemaKind]:
        """Records of its files, for the schemas by which editors complete them."""
        return cast("Mapping[str, SchemaKind]", self._load_part("schemas", {}))

    @cached_property
    def readers(self) -> Mapping[str, Reader]:
        """Readers of its files in a library; what each reads becomes `corpus.extras[name]`."""
        return cast("Mapping[str, Reader]", self._load_part("readers", {}))

    @cached_property
    def check(self) -> Callable[[Any], Iterable[Problem]]:
        """Problems of a corpus: results that come out otherwise than a record expects."""
        return cast("Callable[[Any], Iterable[Problem]]", self._load_part("check", lambda corpus: ()))

    @cached_property
    def lookups(self) -> Mapping[str, Lookup]:
        """Its things with ids, by their kind."""
        return cast("Mapping[str, Lookup]", self._load_part("lookups", {}))

    @cached_property
    def pages(self) -> Mapping[str, PageKind]:
        """Its kinds of pages, by their directives."""
        return cast("Mapping[str, PageKind]", self._load_part("pages", {}))

    @cached_property
    def panels(self) -> Mapping[str, Mapping[str, Panel]]:
        """Its panels on pages of the edition, in order, by their place."""
        return cast("Mapping[str, Mapping[str, Panel]]", self._load_part("panels", {}))

    @cached_property
    def scripts(self) -> Callable[[Set[str]], Mapping[str, Mapping[str, Any]]]:
        """Scripts of a page besides those of its views, or the same with attributes of their tags, by its views."""
        return cast(
            "Callable[[Set[str]], Mapping[str, Mapping[str, Any]]]", self._load_part("scripts", lambda kinds: {})
        )

    @cached_property
    def exports(self) -> Exports:
        """Its tables, formats and files."""
        return cast(Exports, self._load_part("exports", Exports()))

    @cached_property
    def commands(self) -> Mapping[str, GameCommand]:
        """Its commands, by their names."""
        return cast("Mapping[str, GameCommand]", self._load_part("commands", {}))

    @cached_property
    def chapters(self) -> Mapping[str, Callable[[Any], Iterable[nodes.section]]]:
        """Its parts and chapters of the book, made from the corpus, by the place where they stand."""
        return cast("Mapping[str, Callable[[Any], Iterable[nodes.section]]]", self._load_part("chapters", {}))

    @cached_property
    def tasks(self) -> Mapping[Callable[[Any], Any], Callable[[Any], Any]]:
        """Results shared by pages, each a function marked `cached_on_corpus`, and what plans a `SharedTask` for it."""
        return cast("Mapping[Callable[[Any], Any], Callable[[Any], Any]]", self._load_part("tasks", {}))

    def _load_part(self, part: str, empty: object) -> object:
        return resolve_name(self.parts[part]) if part in self.parts else empty

    def __reduce__(self) -> tuple[Any, ...]:
        return find_game, (self.name,)


NO_GAME = Game("")


def find_game(name: str) -> Game:
    """Return the game of a name, `NO_GAME` for none. Raises UnknownGame."""
    game: Game | None = load_game(name)
    return game or NO_GAME


def read_game(root: Path | None) -> tuple[Game, list[Problem]]:
    """Return the game of a library, that of the command where it names none, and what is wrong with its name."""
    game, problems = find_library_game(root)
    return game or NO_GAME, problems


def fingerprint_program(game: Game) -> str:
    """Return a fingerprint of what shapes a page besides the sources: the program, and a game from elsewhere."""
    program = program_fingerprint()
    if game.folder is None or game.folder.parent == PROGRAM_ROOT:
        return program
    return hashlib.sha256(f"{program} {_digest_game(game.folder)}".encode()).hexdigest()


@cache
def _digest_game(folder: Path) -> str:
    """Return a fingerprint of the files of a game, as this process found them when it first asked."""
    return digest_folder(folder)


def is_game_command(name: str) -> bool:
    """Return whether a game that is installed has a command of this name."""
    return any(name in game.commands for game in load_every_game())


class UnreadExtras(Mapping[str, Any]):
    """Extras of a corpus, each read when it is first asked for; only `check` says what is wrong with it."""

    def __init__(self, game: Game, library: Library) -> None:
        self._readers, self._library = game.readers, library
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._read:
            self._read[name] = self._readers[name].read(Path(self._library.root), self._library)[0]
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def view_panels(corpus: Any, place: str, name: str = "") -> tuple[PanelView, ...]:
    """View the panels of a place on the page of one thing; those that have nothing to show are left out."""
    panels = corpus.game.panels.get(place, {})
    views = ((title, panel.view(corpus, name), panel.render) for title, panel in panels.items())
    return tuple(PanelView(title, record, render) for title, record, render in views if record is not None)


def build_game_chapters(corpus: Any, place: str) -> tuple[nodes.section, ...]:
    """Build what the game of a corpus adds at a place of the book."""
    build = corpus.game.chapters.get(place)
    return tuple(build(corpus)) if build else ()


def render_panels(panels: Iterable[PanelView]) -> list[nodes.Node]:
    """Render panels one after another."""
    return [node for panel in panels for node in panel.render(panel.record)]
