"""Changes since the last release: ids, answers and results of deals.

Ids are added, changed or withdrawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.corpus.releases import ByKind, Snapshot, last_before
from edition.corpus.snapshot import take_snapshot
from edition.nodes.templates import template_renderer


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
        changes = KindChanges(
            name,
            tuple(IdReference(id, places.get(id, "")) for id in is_ if id not in was),
            tuple(IdReference(id, places.get(id, "")) for id in is_ if id in was and is_[id] != was[id]),
            tuple(IdReference(id) for id in was if id not in is_),
        )
        if changes.added or changes.changed or changes.withdrawn:
            yield changes


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


render_changes = template_renderer("edition", "changes")
