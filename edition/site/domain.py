"""The domain: every source, sentence, question, clause, deal and term has an address, and can be linked to."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, TypeAlias

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
from sphinx.util.typing import RoleFunction

from edition.citation.places import EditionPlace
from edition.corpus.corpus import Corpus
from edition.nodes.builders import DOMAIN, TARGET
from edition.site.fingerprints import EditionState, ViewBasis, fingerprint_edition, restore_results, view_fingerprint
from edition.views.page_kinds import ADDRESSED_KINDS, ALL_VIEWS
from rulebook.display import format_whole

_logger = logging.getLogger(__name__)

DigestedView: TypeAlias = tuple[ViewBasis | None, str]  #: what a view was made of, if that is known; its fingerprint


class ReversisDomain(Domain):
    """The things of this edition, and the ways between them."""

    name = DOMAIN
    label = "Reversis"
    data_version = 2
    object_types: ClassVar[dict[str, ObjType]] = {kind: ObjType(kind, kind) for kind in ADDRESSED_KINDS}
    roles: ClassVar[dict[str, RoleFunction | XRefRole]] = {
        kind: XRefRole(warn_dangling=True, innernodeclass=nodes.inline) for kind in ADDRESSED_KINDS
    }
    initial_data: ClassVar[dict[str, Any]] = {
        "places": {},  # (kind, id) -> Place
        "shown": {},  # page -> {(view, argument): digest}
        "grounds": {},  # (view, argument) -> what it was made of, and its digest; see `edition.site.fingerprints`
        "kept": {},  # what was tried at length, and of which state
        "offered": {},  # page -> the files of which programs read there
        "pointed": {},  # page -> the (kind, id) of everything to which it leads
    }

    corpus: Corpus | None = None  #: what is shown; laid ready when the builder starts, and never kept with the pages
    state: EditionState | None = None  #: the same in fingerprints
    made: dict[tuple[str, str], Any]  #: views that this process made to see whether they have changed, and will show

    def lay_ready(self, corpus: Corpus) -> None:
        """Set the corpus that is shown, and compute its fingerprints."""
        self.corpus, self.state, self.made = corpus, fingerprint_edition(corpus), {}
        restore_results(corpus, self.state, self.data["kept"])

    def opened(self) -> Corpus:
        """Return the corpus.

        Raises ExtensionError if it has not been set.
        """
        if self.corpus is None:
            raise ExtensionError("the sources have not been read")
        return self.corpus

    # --- what is shown where

    def view(self, kind: str, argument: str) -> tuple[Any, str]:
        """Return a view and its fingerprint, and record what it was made of.

        Raises KeyError or StopIteration if there is no such record.
        """
        corpus = self.opened()
        view = self.made.pop((kind, argument), None) or ALL_VIEWS[kind](corpus, argument)
        said = format_whole(view)
        ground = self.state.ground(kind, argument, said) if self.state else None
        if ground is not None:
            self.data["grounds"][kind, argument] = ground, view_fingerprint(said)
        return view, view_fingerprint(said)

    def is_known(self, kind: str, argument: str) -> bool:
        """Return True if a view is sure to say what it said when it was last made."""
        ground, _ = self.data["grounds"].get((kind, argument), (None, ""))
        return self.state is not None and self.state.holds(kind, argument, ground)

    def digest_now(self, kind: str, argument: str) -> DigestedView:
        """Make a view again and return what it was made of, and its fingerprint; empty if its record is gone."""
        _, digest = self.data["grounds"].get((kind, argument), (None, ""))
        try:
            view, now = self.view(kind, argument)
        except (KeyError, StopIteration):
            return None, ""
        if now != digest:
            self.made[kind, argument] = view
        ground, _ = self.data["grounds"].get((kind, argument), (None, ""))
        return ground, now

    def note_shown(self, page: str, view: str, argument: str, digest: str) -> None:
        """Remember that a page shows a view, and what it said."""
        self.data["shown"].setdefault(page, {})[view, argument] = digest

    def note_places(self, page: str, whole: nodes.Node) -> set[type]:
        """Remember everything on a page that can be linked to, and all it leads to; return the classes of its nodes."""
        ways, classes = set[tuple[str, str]](), set[type]()
        for element in whole.findall(nodes.Element):
            classes.add(type(element))
            if isinstance(element, pending_xref) and element.get("refdomain") == DOMAIN:
                ways.add((element["reftype"], element["reftarget"]))
            targets: list[tuple[str, str, str, str]] = element.get(TARGET, [])
            for target in targets:
                self.note_place(page, target, element)
        self.data["pointed"][page] = frozenset(ways)
        return classes

    def note_place(self, page: str, found: tuple[str, str, str, str], node: nodes.Element) -> None:
        """Remember one; a thing has one home."""
        kind, target, title, at = found
        before = self.data["places"].get((kind, target))
        if before is not None and before[:2] != (page, at):
            message = "%s %s is at home on %s and on %s"
            _logger.warning(message, kind, target, before[0], page, location=node, type="edition", subtype="twice")
        self.data["places"][kind, target] = EditionPlace(page, at, title)

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.data["shown"].pop(docname, None)
        self.data["pointed"].pop(docname, None)
        for key in [key for key, place in self.data["places"].items() if place[0] == docname]:
            del self.data["places"][key]

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process has read."""
        for page, shown in otherdata["shown"].items():
            if page in docnames:
                self.data["shown"][page] = shown
                self.data["pointed"][page] = otherdata["pointed"].get(page, frozenset())
        for key, place in otherdata["places"].items():
            if place[0] in docnames:
                self.data["places"][key] = place
        self.data["grounds"].update(otherdata["grounds"])

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
        found = self.find_place(typ, target)
        if found is None:
            return None
        page, at, title = found
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
        found = (
            (kind, self.resolve_xref(env, fromdocname, builder, kind, target, node, contnode))
            for kind in ADDRESSED_KINDS
        )
        return [(f"{DOMAIN}:{kind}", reference) for kind, reference in found if reference is not None]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Everything that has an address."""
        for (kind, target), (page, at, title) in self.data["places"].items():
            if kind in ("question", "source", "deal", "term", "clause"):
                yield target, title, kind, page, at, 1
