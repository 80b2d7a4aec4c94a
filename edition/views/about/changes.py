"""What has changed since the last release: ids that came, changed or went; answers; what deals are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.snapshot import take_snapshot
from edition.corpus.corpus import Corpus
from edition.data.releases import ByKind, Snapshot, last_before
from edition.nodes.builders import Content, Some, code, definitions, details, link, para, section, table
from edition.text.answers import plural
from edition.views.layout import Nodes
from rulebook.strings import address

MANY = 60  #: a longer list of ids is folded away


@dataclass(frozen=True, slots=True)
class Named:
    """An id, and what it is the id of; nothing where there is no place to lead to."""

    id: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """Ids of one kind, by what became of them."""

    name: str
    added: tuple[Named, ...]
    changed: tuple[Named, ...]
    withdrawn: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """Something of which one source makes something else than before."""

    source: str
    what: Named
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangesView:
    """All of it; without a release before there is nothing to tell."""

    version: str
    dated: str
    since: str = ""
    since_day: str = ""
    kinds: tuple[Kind, ...] = ()
    answers: tuple[Turned, ...] = ()
    deals: tuple[Turned, ...] = ()


def changes_view(corpus: Corpus, _: str = "") -> ChangesView:
    """The edition held against the release before it."""
    release = corpus.release
    before = last_before(corpus.releases, release.version, bool(release.date))
    if before is None:
        return ChangesView(release.version, release.dated)
    now = take_snapshot(corpus, release.version, release.date)
    return ChangesView(
        release.version,
        release.dated,
        before.version,
        before.released,
        tuple(kinds(corpus, before, now)),
        tuple(turned(before.answers, now.answers, lambda siglum, id: (siglum, Named(id, "question")))),
        tuple(turned(before.deals, now.deals, lambda deal, siglum: (siglum, Named(deal, "deal")))),
    )


def kinds(corpus: Corpus, before: Snapshot, now: Snapshot) -> Iterator[Kind]:
    """Every kind of which some came, changed or went."""
    places = {**corpus.kinds, **{term.id: "term" for term in corpus.terms}}
    old, new = {**before.ids, "deals": none(before.deals)}, {**now.ids, "deals": none(now.deals)}
    places |= dict.fromkeys(now.deals, "deal")
    for name in dict.fromkeys((*new, *old)):
        was, is_ = old.get(name, {}), new.get(name, {})
        found = Kind(
            name,
            tuple(Named(id, places.get(id, "")) for id in is_ if id not in was),
            tuple(Named(id, places.get(id, "")) for id in is_ if id in was and is_[id] != was[id]),
            tuple(Named(id) for id in was if id not in is_),
        )
        if found.added or found.changed or found.withdrawn:
            yield found


def none(ids: Mapping[str, object]) -> Mapping[str, str]:
    """Ids of which something else is told in another place."""
    return dict.fromkeys(ids, "")


def turned(was: ByKind, is_: ByKind, named: Callable[[str, str], tuple[str, Named]]) -> Iterator[Turned]:
    """What was there before and is otherwise now."""
    for first, row in is_.items():
        for second, now in row.items():
            before = was.get(first, {}).get(second, now)
            if before != now:
                source, what = named(first, second)
                yield Turned(source, what, before, now)


# ---- layout
FIRST = (
    "No version has been released yet, and so there is nothing that this one could be held against. "
    "With the first release this page begins to tell."
)
SAME = "Nothing has changed."


def changes(view: ChangesView) -> Nodes:
    """What has changed, answers and deals before all."""
    if not view.since:
        return [para(f"This is version {view.version}, {view.dated}. {FIRST}")]
    head = para(f"Version {view.version}, {view.dated}, held against version {view.since} of {view.since_day}.")
    if not (view.kinds or view.answers or view.deals):
        return [head, para(SAME)]
    return [head, summary(view), *answers(view.answers), *deals(view.deals), *map(of_kind, view.kinds)]


def summary(view: ChangesView) -> nodes.Node:
    """How many of each kind."""
    rows = [(one.name, len(one.added), len(one.changed), len(one.withdrawn)) for one in view.kinds]
    told = [(name, *map(str, numbers)) for name, *numbers in rows]
    return table("In numbers", ("What", "Added", "Changed", "Withdrawn"), told, cls="rv-stack rv-figures")


def answers(found: tuple[Turned, ...]) -> Nodes:
    """Answers that are others now."""
    if not found:
        return [para("No answer that was there has become another.")]
    rows = [(link("question", one.what.id), one.source, code(one.before), code(one.after)) for one in found]
    said = para(f"{plural(len(found), 'answer')} changed: who plays by them plays otherwise.")
    return [
        section(
            "answers",
            "Answers",
            said,
            table("Answers before and now", ("Question", "Source", "Before", "Now"), rows, cls="rv-stack"),
        )
    ]


def deals(found: tuple[Turned, ...]) -> Nodes:
    """Worked deals that settle otherwise now."""
    if not found:
        return [para("Every worked deal that was there settles as before.")]
    rows = [(link("deal", one.what.id), one.source, one.before, one.after) for one in found]
    said = para(f"{plural(len(found), 'result')} of worked deals changed.")
    made = table("Deals before and now", ("Deal", "Source", "Before", "Now"), rows, cls="rv-stack")
    return [section("deals-changed", "What deals are worth", said, made)]


def of_kind(one: Kind) -> nodes.section:
    """What came, changed and went of one kind."""
    lists = {"Added": one.added, "Changed": one.changed, "Withdrawn": one.withdrawn}
    pairs: list[tuple[Some, Some]] = [(name, [row(found)]) for name, found in lists.items() if found]
    return section(
        f"changed-{address(one.name)}", one.name[:1].upper() + one.name[1:], definitions(pairs, cls="rv-facts")
    )


def row(found: tuple[Named, ...]) -> nodes.Node:
    """Ids in a row; many of them are folded away."""
    pieces: list[Content] = []
    for one in found:
        pieces += [", ", way(one)] if pieces else [way(one)]
    listed = para(*pieces)
    return details([plural(len(found), "id")], listed) if len(found) > MANY else listed


def way(one: Named) -> nodes.Node:
    """An id, leading to what it is the id of."""
    return link(one.kind, one.id) if one.kind else code(one.id)


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"changes": changes_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"changes": changes}
