"""The domain: every source, sentence, question, clause, deal and term has an address, and can be linked to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, ClassVar, NamedTuple, cast

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from edition.citation.places import EditionPlace
from edition.corpus.corpus import Corpus
from edition.game import PageKind
from edition.nodes.builders import DOMAIN, TARGET
from edition.site.missing_pages import is_left_out
from edition.views.page_kinds import get_page_kinds, list_addressed_kinds
from rulebook.display import format_whole
from rulebook.reads import ANY_FILE, ClauseWord, digest_words, record_reads

_logger = logging.getLogger(__name__)


def fingerprint_view(view: object) -> str:
    """Return the fingerprint of what a view says."""
    return hashlib.sha256(format_whole(view).encode("utf-8")).hexdigest()


class ShownView(NamedTuple):
    """Fingerprint of a view when its page was read, and the words that were read for it."""

    digest: str
    words: frozenset[ClauseWord]


class MadeOf(NamedTuple):
    """Fingerprints of what all pages were made of: files, the same without words of clauses, and each of these."""

    digest: str = ""
    frame: str = ""
    words: Mapping[ClauseWord, str] = {}


class EditionDomain(Domain):
    """The things of this edition, and the ways between them."""

    name = DOMAIN
    label = "Edition"
    data_version = 4
    initial_data: ClassVar[dict[str, Any]] = {
        "places": {},  # (kind, id) -> Place
        "shown": {},  # page -> {(view, argument): ShownView}
        "made_of": MadeOf(),
        "results": {},  # of the tasks of the game: name -> what came of it, and the words that were read for it
    }

    corpus: Corpus | None = None  #: what is shown; laid ready when the builder starts, and never kept with the pages
    made: dict[tuple[str, str], tuple[Any, ShownView]]  #: views made to see whether they have changed, to be shown
    pages: Mapping[str, PageKind]  #: what each directive shows

    def lay_ready(self, corpus: Corpus) -> None:
        """Set the corpus that is shown, and what can be linked to in it."""
        self.corpus, self.made, self.pages = corpus, {}, get_page_kinds(corpus.game)
        for kind in list_addressed_kinds(corpus.game):
            self.add_object_type(kind, ObjType(kind, kind))
            self.roles[kind] = XRefRole(warn_dangling=True, innernodeclass=nodes.inline)

    def opened(self) -> Corpus:
        """Return the corpus.

        Raises ExtensionError if it has not been set.
        """
        if self.corpus is None:
            raise ExtensionError("the sources have not been read")
        return self.corpus

    # --- what is shown where

    def view(self, kind: str, argument: str) -> tuple[Any, ShownView]:
        """Return a view and what it says. Raises KeyError or StopIteration if there is no such record."""
        if (kind, argument) in self.made:
            return self.made.pop((kind, argument))
        with record_reads() as words:
            view = self.pages[kind].view(self.opened(), argument)
            digest = fingerprint_view(view)
        return view, ShownView(digest, frozenset(words))

    def is_same_edition(self) -> bool:
        """Return True if all pages that have been read were read from these very sources."""
        return bool(self.opened().digest) and self.data["made_of"].digest == self.opened().digest

    def find_changed_words(self) -> Set[ClauseWord] | None:
        """Return the words that are not as they were when pages were read; None if more than words has changed."""
        corpus, before = self.opened(), self.data["made_of"]
        if not corpus.frame or before.frame != corpus.frame:
            return None
        now = digest_words(corpus.library)
        return {ANY_FILE, *(word for word, digest in now.items() if before.words.get(word) != digest)}

    def restore_results(self, changed: Set[ClauseWord]) -> None:
        """Take over what came of the tasks of the game, where none of the words read for it has changed."""
        corpus = self.opened()
        for task in corpus.game.tasks:
            result, words = self.data["results"].get(task.__name__, (None, changed))
            if words.isdisjoint(changed):
                corpus.remember(task, result, words)

    def note_made(self) -> None:
        """Remember what all pages are made of now, and what came of the tasks of the game."""
        corpus = self.opened()
        self.data["made_of"] = MadeOf(corpus.digest, corpus.frame, digest_words(corpus.library))
        known = (task for task in corpus.game.tasks if task in corpus.memo)
        self.data["results"] = {task.__name__: (corpus.memo[task], corpus.words_read[task]) for task in known}

    def look_again(self, kind: str, argument: str, before: ShownView) -> ShownView:
        """Make a view again and return what it says; without a fingerprint if its record is gone."""
        try:
            view, now = self.view(kind, argument)
        except (KeyError, StopIteration):
            return ShownView("", frozenset())
        if now.digest != before.digest:
            self.made[kind, argument] = view, now
        return now

    def note_shown(self, page: str, view: tuple[str, str], shown: ShownView) -> None:
        """Remember that a page shows a view, and what it says."""
        self.data["shown"].setdefault(page, {})[view] = shown

    def note_rendered(self, page: str, view: tuple[str, str], words: Iterable[ClauseWord]) -> None:
        """Remember the words that were read when a view was laid out on a page."""
        shown = self.data["shown"][page]
        shown[view] = shown[view]._replace(words=shown[view].words.union(words))

    def words_of(self, page: str) -> frozenset[ClauseWord]:
        """Return the words that the views of a page have read."""
        return frozenset().union(*(shown.words for shown in self.data["shown"].get(page, {}).values()))

    def note_places(self, page: str, whole: nodes.Node) -> list[nodes.table]:
        """Remember everything on a page that can be linked to; return its tables, so that none has to look for them."""
        tables, open_nodes = list[nodes.table](), [whole]
        while open_nodes:
            node = open_nodes.pop()
            if isinstance(node, nodes.Element):
                for target in node.attributes.get(TARGET, ()):
                    self.note_place(page, target, node)
                if isinstance(node, nodes.table):
                    tables.append(node)
                open_nodes += node.children[::-1]
        return tables

    def note_place(self, page: str, place: tuple[str, str, str, str], node: nodes.Element) -> None:
        """Remember one; a thing has one home."""
        kind, target, title, at = place
        before = self.data["places"].get((kind, target))
        if before is not None and before[:2] != (page, at):
            message = "%s %s is at home on %s and on %s"
            _logger.warning(message, kind, target, before[0], page, location=node, type="edition", subtype="twice")
        self.data["places"][kind, target] = EditionPlace(page, at, title)

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.data["shown"].pop(docname, None)
        for key in [key for key, place in self.data["places"].items() if place[0] == docname]:
            del self.data["places"][key]

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process has read."""
        for page, shown in otherdata["shown"].items():
            if page in docnames:
                self.data["shown"][page] = shown
        for key, place in otherdata["places"].items():
            if place[0] in docnames:
                self.data["places"][key] = place

    # --- finding the way

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        """The way to something; nothing if there is no such thing, which is a warning."""
        place = self.find_place(typ, target)
        if place is None and typ == "page" and is_left_out(target, self.opened()):
            return cast(nodes.reference, contnode)
        if place is None:
            return None
        page, at, title = place
        return make_refnode(builder, fromdocname, page, at, contnode, node.get("reftip") or title)

    def find_place(self, kind: str, target: str) -> EditionPlace | None:
        """The place of something; None if there is no such thing."""
        if kind == "page":
            page, _, anchor = target.partition("#")
            return EditionPlace(page, anchor, "") if page in self.env.found_docs else None
        return self.work(target) if kind == "work" else self.data["places"].get((kind, target))

    def work(self, key: str) -> EditionPlace | None:
        """An entry of the bibliography, which another extension lays out under its key."""
        title = self.opened().works.get(key)
        return EditionPlace("bibliography", key, title) if title is not None else None

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """The ways to something whose kind was not said."""
        references = (
            (kind, self.resolve_xref(env, fromdocname, builder, kind, target, node, contnode))
            for kind in self.object_types
        )
        return [(f"{DOMAIN}:{kind}", reference) for kind, reference in references if reference is not None]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Everything that has an address."""
        lookups = self.opened().game.lookups.items()
        listed = {"question", "source", "term", "clause", *(kind for kind, lookup in lookups if lookup.heading)}
        for (kind, target), (page, at, title) in self.data["places"].items():
            if kind in listed:
                yield target, title, kind, page, at, 1


class FormerDomain(Domain):
    """The same addresses under the name of the game, by which inventories had them before."""

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """Everything that has an address."""
        return self.env.get_domain(DOMAIN).get_objects()

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take over nothing: it has no data of its own."""

    def resolve_any_xref(self, *given: object) -> list[tuple[str, nodes.reference]]:
        """Resolve nothing: the domain of today does."""
        return []
