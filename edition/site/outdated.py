"""Outdated pages: those of which a view says something else now, among the views that may.

A view may say something else if it read a word of a clause that has changed (`rulebook.reads`); after any other change
of the sources every view may. So an edition made from other sources than words of clauses has no page of the last one
(`edition.site.reuse`); of one where only words have changed, pages are written that were read again, and the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any, TypeAlias, cast

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from edition.nodes.builders import DOMAIN
from edition.process_pool import SharedTask, do_shared_tasks
from edition.site.domain import EditionDomain, ShownView
from edition.site.shared_results import DOWNLOAD_VIEWS, plan_missing_downloads, plan_missing_results
from rulebook.reads import ClauseWord

_VIEWS_AT_A_TIME = 8  #: in one process, before it takes up others
_FEW_VIEWS = 100  #: so many are made one after another, with the results that they ask for
_View: TypeAlias = tuple[str, str]
_ShownViews: TypeAlias = Mapping[_View, ShownView]


def find_outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Yield the pages of which some part would now say something else."""
    app.edition_before = _collect_surroundings(env)  # type: ignore[attr-defined]
    domain = cast(EditionDomain, env.get_domain(DOMAIN))
    if domain.is_same_edition():
        return
    shown: Mapping[str, dict[_View, ShownView]] = domain.data["shown"]
    words = domain.find_changed_words()
    if words is not None:
        domain.restore_results(words)
    suspect = {
        view: before
        for views in shown.values()
        for view, before in views.items()
        if words is None or not words.isdisjoint(before.words)
    }
    now = _look_again(domain, suspect, app.parallel)
    for page, views in shown.items():
        again = {view: now[view] for view in views if view in now}
        if any(_may_look_otherwise(views[view], current, words or frozenset()) for view, current in again.items()):
            yield page
        else:
            views.update(
                (view, current._replace(words=current.words | views[view].words)) for view, current in again.items()
            )


def _may_look_otherwise(before: ShownView, now: ShownView, changed: Set[ClauseWord]) -> bool:
    """Return whether a view says something else, or a word has changed that was read when it was laid out."""
    return now.digest != before.digest or not changed.isdisjoint(before.words - now.words)


def _look_again(domain: EditionDomain, before: _ShownViews, processes: int) -> dict[_View, ShownView]:
    """Make views again and return what they say; many in several processes, one of which collects the downloads."""
    shown = dict[_View, ShownView]()

    def look(views: Sequence[_View]) -> list[ShownView]:
        return [domain.look_again(*view, before[view]) for view in views]

    def keep(views: Iterable[_View], results: Iterable[list[ShownView]], _: object) -> None:
        shown.update(zip(views, (now for some in results for now in some), strict=True))

    corpus = domain.opened()
    first, last = ([view for view in before if (view[0] in DOWNLOAD_VIEWS) == late] for late in (False, True))
    if len(first) > _FEW_VIEWS:
        do_shared_tasks(plan_missing_results(corpus), processes)  # no process is to compute them again
    downloads = plan_missing_downloads(corpus) if last else ()
    step = _VIEWS_AT_A_TIME if len(first) > _FEW_VIEWS else max(len(first), 1)
    pieces = [partial(look, first[at : at + step]) for at in range(0, len(first), step)]
    do_shared_tasks([*downloads, SharedTask(pieces, partial(keep, first))], processes)
    keep(last, [look(last)], ())
    return shown


def _collect_surroundings(env: BuildEnvironment) -> Any:
    """Return what is of other pages and stands on each: where links lead, and the ways that every page offers."""
    ways = {page: str(title) for page, title in env.titles.items() if page in listed_pages(env)}
    return dict(env.get_domain(DOMAIN).data["places"]), ways, set(env.found_docs)


def listed_pages(env: BuildEnvironment) -> frozenset[str]:
    """Return the pages that the site's navigation lists, with the first of all."""
    return frozenset((env.config.root_doc, *(page for row in env.toctree_includes.values() for page in row)))


def find_pages_to_write(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Return the pages that may look otherwise, though they say what they said: all of them, or the first alone."""
    domain = cast(EditionDomain, env.get_domain(DOMAIN))
    same, only_words = domain.is_same_edition(), domain.find_changed_words() is not None
    if not same:
        domain.note_made()
    if app.edition_before != _collect_surroundings(env) or not (same or only_words):  # type: ignore[attr-defined]
        return env.found_docs
    return () if same else (env.config.root_doc,)  # which is cited as the whole, with its downloads
