"""Outdated pages: their content or the targets of their links changed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, cast

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from edition.analysis.forked import SharedTask, do_shared_tasks
from edition.export.downloads import collect_downloads
from edition.nodes.builders import DOMAIN
from edition.site.domain import DigestedView, ReversisDomain
from edition.site.fingerprints import cache_results
from edition.site.shared_results import DOWNLOAD_VIEWS, compute_view_inputs, plan_missing_downloads


def find_outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Yield the pages of which some part would now say something else."""
    app.reversis_before = _collect_surroundings(env)  # type: ignore[attr-defined]
    domain = cast(ReversisDomain, env.get_domain(DOMAIN))
    shown = domain.data["shown"]
    asked = dict.fromkeys(view for views in shown.values() for view in views)
    known = _digest_views(domain, [view for view in asked if not domain.is_known(*view)], app.parallel)
    for page, views in shown.items():
        if any(known.get(view, before) != before for view, before in views.items()):
            yield page


_VIEWS_AT_A_TIME = 8  #: in one process, before it takes up others


def _digest_views(domain: ReversisDomain, views: list[tuple[str, str]], processes: int) -> dict[tuple[str, str], str]:
    """Make views again in several processes and return their fingerprints; one of these collects the downloads."""
    if not views:
        return {}
    found = dict[tuple[str, str], str]()

    def digest(some: list[tuple[str, str]]) -> list[DigestedView]:
        return [domain.digest_now(*view) for view in some]

    def keep(told: Iterable[tuple[str, str]], made: Iterable[list[DigestedView]]) -> None:
        for view, (ground, now) in zip(told, (one for some in made for one in some), strict=True):
            found[view] = now
            if ground is not None:
                domain.data["grounds"][view] = ground, now

    corpus = domain.opened()
    compute_view_inputs(corpus, processes)  # no process is to compute them again
    first = [view for view in views if view[0] not in DOWNLOAD_VIEWS]
    pieces = [partial(digest, first[at : at + _VIEWS_AT_A_TIME]) for at in range(0, len(first), _VIEWS_AT_A_TIME)]
    do_shared_tasks([*plan_missing_downloads(corpus), SharedTask(pieces, partial(keep, first))], processes)
    last = [view for view in views if view[0] in DOWNLOAD_VIEWS]
    keep(last, [digest(last)])
    return found


def _collect_surroundings(env: BuildEnvironment) -> tuple[dict[Any, Any], Any]:
    """Return what stands on a page and is not its own: places it leads to, and the ways that every page offers."""
    ways = {page: str(title) for page, title in env.titles.items() if page in listed_pages(env)}
    return dict(env.get_domain(DOMAIN).data["places"]), (ways, set(env.found_docs))


def listed_pages(env: BuildEnvironment) -> frozenset[str]:
    """Return the pages that the site's navigation lists, with the first of all."""
    return frozenset((env.config.root_doc, *(page for row in env.toctree_includes.values() for page in row)))


def find_pages_to_write(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Return the pages that say what they said, and yet look otherwise: what they lead to was moved or renamed."""
    domain = cast(ReversisDomain, env.get_domain(DOMAIN))
    if domain.corpus and domain.state:
        cache_results(domain.corpus, domain.state, domain.data["kept"])
    offered, domain.data["offered"] = domain.data["offered"], _list_offered_files(domain)
    (places, ways), (places_now, ways_now) = app.reversis_before, _collect_surroundings(env)  # type: ignore[attr-defined]
    if ways != ways_now:
        return env.found_docs
    moved = {key for key in {*places, *places_now} if places.get(key) != places_now.get(key)}
    lead_there = {page for page, leads in domain.data["pointed"].items() if moved & leads}
    return {
        *lead_there,
        *(page for page, files in domain.data["offered"].items() if offered.get(page) != files),
        env.config.root_doc,  # programs read there what can be taken away, and its fingerprints
    }


def _list_offered_files(domain: ReversisDomain) -> dict[str, Any]:
    """Files offered to programs, by page: the texts of a source, the record of a deal."""
    files = collect_downloads(domain.opened())
    found = {"source": files.texts_of, "deal": files.record_of}
    shown = ((page, kind, id) for page, views in domain.data["shown"].items() for kind, id in views if kind in found)
    return {page: found[kind](id) for page, kind, id in shown}
