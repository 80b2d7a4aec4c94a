"""Outdated pages: after any edit of the sources all views are made again, and pages of which one changed are read.

Nothing is guessed about what a view depends on. Whatever stands around the views of a page, such as its citation, is
made when it is written; so an edition made from other sources has no page of the last one (`edition.site.reuse`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias, cast

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from edition.nodes.builders import DOMAIN
from edition.process_pool import SharedTask, do_shared_tasks
from edition.site.domain import EditionDomain
from edition.site.parallel_tasks import DOWNLOAD_VIEWS, plan_missing_downloads, plan_missing_results

_VIEWS_AT_A_TIME = 8  #: in one process, before it takes up others
_ViewDigests: TypeAlias = Mapping[tuple[str, str], str]


def find_outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Yield the pages of which some part would now say something else."""
    app.edition_before = _collect_surroundings(env)  # type: ignore[attr-defined]
    domain = cast(EditionDomain, env.get_domain(DOMAIN))
    if domain.is_same_edition():
        return
    shown: Mapping[str, _ViewDigests] = domain.data["shown"]
    before = {view: digest for views in shown.values() for view, digest in views.items()}
    now = _digest_views(domain, before, app.parallel)
    for page, views in shown.items():
        if any(now[view] != digest for view, digest in views.items()):
            yield page


def _digest_views(domain: EditionDomain, before: _ViewDigests, processes: int) -> _ViewDigests:
    """Make views again in several processes and return their fingerprints; one of these collects the downloads."""
    if not before:
        return {}
    found = dict[tuple[str, str], str]()

    def digest(views: list[tuple[str, str]]) -> list[str]:
        return [domain.digest_now(*view, before[view]) for view in views]

    def keep(views: Iterable[tuple[str, str]], made: Iterable[list[str]]) -> None:
        found.update(zip(views, (now for some in made for now in some), strict=True))

    corpus = domain.opened()
    do_shared_tasks(plan_missing_results(corpus), processes)  # no process is to compute them again
    first = [view for view in before if view[0] not in DOWNLOAD_VIEWS]
    pieces = [partial(digest, first[at : at + _VIEWS_AT_A_TIME]) for at in range(0, len(first), _VIEWS_AT_A_TIME)]
    do_shared_tasks([*plan_missing_downloads(corpus), SharedTask(pieces, partial(keep, first))], processes)
    last = [view for view in before if view[0] in DOWNLOAD_VIEWS]
    keep(last, [digest(last)])
    return found


def _collect_surroundings(env: BuildEnvironment) -> Any:
    """Return what is of other pages and stands on each: where links lead, and the ways that every page offers."""
    ways = {page: str(title) for page, title in env.titles.items() if page in listed_pages(env)}
    return dict(env.get_domain(DOMAIN).data["places"]), ways, set(env.found_docs)


def listed_pages(env: BuildEnvironment) -> frozenset[str]:
    """Return the pages that the site's navigation lists, with the first of all."""
    return frozenset((env.config.root_doc, *(page for row in env.toctree_includes.values() for page in row)))


def find_pages_to_write(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Return all pages if they may look otherwise, though they say what they said."""
    domain = cast(EditionDomain, env.get_domain(DOMAIN))
    same, domain.data["digest"] = domain.is_same_edition(), domain.opened().digest
    changed = not same or app.edition_before != _collect_surroundings(env)  # type: ignore[attr-defined]
    return env.found_docs if changed else ()
