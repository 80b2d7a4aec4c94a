"""Changes since the last release: ids, answers and results of deals.

Ids are added, changed or withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.releases import ByKind, Snapshot, last_before
from edition.corpus.snapshot import take_snapshot
from edition.nodes.builders import ContentLike, code, definition_list, details, link, para, section, table
from edition.views.layout import Nodes, join_content
from rulebook.phrases import format_count
from rulebook.strings import slugify_text

_FOLD_LIMIT = 60  #: a longer list of ids is folded away


@dataclass(frozen=True, slots=True)
class IdReference:
    """Id and kind of a record; the kind is empty if it has no page."""

    id: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class KindChanges:
    """Ids of one kind that were added, changed or withdrawn."""

    name: str
    added: tuple[IdReference, ...]
    changed: tuple[IdReference, ...]
    withdrawn: tuple[IdReference, ...]


@dataclass(frozen=True, slots=True)
class ChangedResult:
    """Answer or result of a source that differs from the last release."""

    source: str
    what: IdReference
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangesView:
    """Changes since the last release; only version and date if there was none."""

    version: str
    dated: str
    since: str = ""
    since_day: str = ""
    kinds: tuple[KindChanges, ...] = ()
    answers: tuple[ChangedResult, ...] = ()
    deals: tuple[ChangedResult, ...] = ()


def changes_view(corpus: Corpus, _: str = "") -> ChangesView:
    """Compare the edition with the last release."""
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
        tuple(_compare_ids(corpus, before, now)),
        tuple(_compare_values(before.answers, now.answers, lambda siglum, id: (siglum, IdReference(id, "question")))),
        tuple(_compare_values(before.deals, now.deals, lambda deal, siglum: (siglum, IdReference(deal, "deal")))),
    )


def _compare_ids(corpus: Corpus, before: Snapshot, now: Snapshot) -> Iterator[KindChanges]:
    places = {**corpus.kinds, **{term.id: "term" for term in corpus.terms}}
    old, new = {**before.ids, "deals": _blank_values(before.deals)}, {**now.ids, "deals": _blank_values(now.deals)}
    places |= dict.fromkeys(now.deals, "deal")
    for name in dict.fromkeys((*new, *old)):
        was, is_ = old.get(name, {}), new.get(name, {})
        found = KindChanges(
            name,
            tuple(IdReference(id, places.get(id, "")) for id in is_ if id not in was),
            tuple(IdReference(id, places.get(id, "")) for id in is_ if id in was and is_[id] != was[id]),
            tuple(IdReference(id) for id in was if id not in is_),
        )
        if found.added or found.changed or found.withdrawn:
            yield found


def _blank_values(ids: Mapping[str, object]) -> Mapping[str, str]:
    """Ids without fingerprints, for kinds whose changes are listed elsewhere."""
    return dict.fromkeys(ids, "")


def _compare_values(
    was: ByKind, is_: ByKind, named: Callable[[str, str], tuple[str, IdReference]]
) -> Iterator[ChangedResult]:
    for first, row in is_.items():
        for second, now in row.items():
            before = was.get(first, {}).get(second, now)
            if before != now:
                source, what = named(first, second)
                yield ChangedResult(source, what, before, now)


# ---- layout
_NO_RELEASE_TEXT = (
    "No version has been released yet, and so there is nothing that this one could be held against. "
    "With the first release this page begins to tell."
)
_NO_CHANGE_TEXT = "Nothing has changed."


def render_changes(view: ChangesView) -> Nodes:
    """Page of changes, answers and deals first."""
    if not view.since:
        return [para(f"This is version {view.version}, {view.dated}. {_NO_RELEASE_TEXT}")]
    head = para(f"Version {view.version}, {view.dated}, held against version {view.since} of {view.since_day}.")
    if not (view.kinds or view.answers or view.deals):
        return [head, para(_NO_CHANGE_TEXT)]
    return [
        head,
        _render_change_counts(view),
        *_render_changed_answers(view.answers),
        *_render_changed_deals(view.deals),
        *map(_render_kind_changes, view.kinds),
    ]


def _render_change_counts(view: ChangesView) -> nodes.Node:
    rows = [(one.name, str(len(one.added)), str(len(one.changed)), str(len(one.withdrawn))) for one in view.kinds]
    return table("In numbers", ("What", "Added", "Changed", "Withdrawn"), rows, cls="rv-stack rv-figures")


def _render_changed_answers(found: tuple[ChangedResult, ...]) -> Nodes:
    if not found:
        return [para("No answer that was there has become another.")]
    rows = [(link("question", one.what.id), one.source, code(one.before), code(one.after)) for one in found]
    said = para(f"{format_count(len(found), 'answer')} changed: who plays by them plays otherwise.")
    made = table("Answers before and now", ("Question", "Source", "Before", "Now"), rows, cls="rv-stack")
    return [section("answers", "Answers", said, made)]


def _render_changed_deals(found: tuple[ChangedResult, ...]) -> Nodes:
    if not found:
        return [para("Every worked deal that was there settles as before.")]
    rows = [(link("deal", one.what.id), one.source, one.before, one.after) for one in found]
    said = para(f"{format_count(len(found), 'result')} of worked deals changed.")
    made = table("Deals before and now", ("Deal", "Source", "Before", "Now"), rows, cls="rv-stack")
    return [section("deals-changed", "What deals are worth", said, made)]


def _render_kind_changes(one: KindChanges) -> nodes.section:
    lists = {"Added": one.added, "Changed": one.changed, "Withdrawn": one.withdrawn}
    pairs: list[tuple[ContentLike, ContentLike]] = [
        (name, [_render_id_list(found)]) for name, found in lists.items() if found
    ]
    return section(
        f"changed-{slugify_text(one.name)}", one.name[:1].upper() + one.name[1:], definition_list(pairs, cls="rv-facts")
    )


def _render_id_list(found: tuple[IdReference, ...]) -> nodes.Node:
    listed = para(*join_content(link(one.kind, one.id) if one.kind else code(one.id) for one in found))
    return details([format_count(len(found), "id")], listed) if len(found) > _FOLD_LIMIT else listed
