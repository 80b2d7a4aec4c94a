"""How it is shown: the Sphinx edition and the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from edition.site.domain import ReversisDomain

HERE = Path(__file__).parent


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls: the domain, the look, and the moments at which we are asked."""
    # imported here, because the command line needs this package and must not wait for Sphinx
    from edition.nodes.builders import markup
    from edition.site.assets import dressed
    from edition.site.csp import with_manners
    from edition.site.domain import ReversisDomain
    from edition.site.translator import (
        EditionTranslator,
        OneIdEach,
        StackTables,
        depart_markup,
        pass_over,
        visit_markup,
    )
    from edition.views.deals.deal_editor import lay_engine, with_editor
    from edition.views.registry import Unfold
    from rulebook.program_fingerprint import program_fingerprint

    app.add_domain(ReversisDomain)
    app.add_node(
        markup,
        html=(visit_markup, depart_markup),
        latex=(pass_over, pass_over),
        text=(pass_over, pass_over),
        man=(pass_over, pass_over),
        texinfo=(pass_over, pass_over),
    )
    app.set_translator("html", EditionTranslator)
    app.add_transform(Unfold)
    app.add_post_transform(OneIdEach)
    app.add_post_transform(StackTables)
    app.add_config_value("reversis_sources", "", "env", types=(str,))
    app.add_config_value("reversis_program", program_fingerprint(), "env", types=(str,))
    app.add_css_file("colours.css", priority=400)
    app.add_css_file("edition.css")
    app.add_css_file("type.css", priority=700)  # after the theme's own
    app.add_css_file("manners.css", priority=800)
    app.add_css_file("print.css", priority=900, media="print")
    app.connect("config-inited", our_folders)
    app.connect("builder-inited", lay_ready)
    app.connect("builder-inited", forget_places)
    app.connect("env-get-outdated", outdated)
    app.connect("env-updated", touched)
    app.add_js_file("finding-box.js", loading_method="defer")
    app.connect("html-page-context", with_stage)
    app.connect("html-page-context", dressed)
    app.connect("html-page-context", with_manners)
    app.connect("html-page-context", with_search)
    app.connect("html-page-context", with_editor)
    app.connect("build-finished", lay_beside)
    app.connect("build-finished", lay_engine)
    app.setup_extension("edition.site.page_head")
    app.setup_extension("edition.site.performance")
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}


def our_folders(app: Sphinx, config: Config) -> None:
    """The style sheet, the script and the templates lie beside this file, the bibliography with the sources."""
    from rulebook.sources.paths import find_sources

    sources = Path(config.reversis_sources) if config.reversis_sources else find_sources()
    config.bibtex_bibfiles = [str(sources / "bibliography.bib")]
    config.html_static_path = [*config.html_static_path, str(HERE / "static")]
    config.templates_path = [*config.templates_path, str(HERE / "templates")]


#: Settings that name folders of this machine.
PLACES = ("bibtex_bibfiles", "html_static_path", "templates_path")


def forget_places(app: Sphinx) -> None:
    """What Sphinx notes of the settings goes into the edition; the same edition built elsewhere must note the same."""
    builder: Any = app.builder
    if not hasattr(builder, "create_build_info"):
        return  # no pages are made
    named = {name: app.config[name] for name in PLACES}
    try:
        for name in PLACES:
            app.config[name] = []
        builder.build_info = builder.create_build_info()
    finally:
        for name, places in named.items():
            app.config[name] = places


def lay_ready(app: Sphinx) -> None:
    """Read the sources, once, before any page is read; with problems there is no edition."""
    from sphinx.errors import ExtensionError

    from edition.corpus import load as records

    root = Path(app.config.reversis_sources) if app.config.reversis_sources else None
    shelf, problems = (records.handed.get(), []) if records.handed.get() else records.read_all(root)
    if problems or shelf is None:
        raise ExtensionError("the sources are not in order:\n" + "\n".join(map(str, problems)))
    cast("ReversisDomain", app.env.get_domain("reversis")).lay_ready(shelf)


def with_stage(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """What steps through a deal, or through a text, is fetched by the pages of deals and of sources alone."""
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    if any(view == "deal" for view, _ in shown):
        app.add_css_file("steps.css")
        app.add_js_file("steps.js", loading_method="defer")
    if any(view == "source" for view, _ in shown):
        app.add_css_file("reading.css")
        app.add_js_file("reading.js", loading_method="defer")


def with_search(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """The script that searches is fetched by the page of the search alone, its style by that and the indices."""
    shown = {view for view, _ in app.env.get_domain("reversis").data["shown"].get(page, {})}
    if shown & {"find", "words", "cards", "amounts", "names"} or page == "search":
        app.add_css_file("finding.css")
    if "find" in shown:
        app.add_js_file("finding.js", loading_method="defer")


def lay_beside(app: Sphinx, failed: Exception | None) -> None:
    """The surveys go into the edition's own folder, for whoever would reckon with them; and so do the playing cards."""
    from edition.site.card_images import lay_cards
    from edition.views.about.search import lay_records
    from edition.views.surveys.costs import write_data

    if failed is None and app.builder.format == "html":
        shelf = cast("ReversisDomain", app.env.get_domain("reversis")).opened()
        write_data(shelf.surveys, Path(shelf.library.root), Path(app.outdir))
        lay_records(app, shelf, Path(app.outdir) / "_static")
        if shelf.deals:
            lay_cards(Path(app.outdir) / "cards")


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """The pages of which some part would now say something else."""
    app.reversis_before = surroundings(env)  # type: ignore[attr-defined]
    domain, known = cast("ReversisDomain", env.get_domain("reversis")), {}
    for page, shown in domain.data["shown"].items():
        for (view, argument), before in shown.items():
            if (view, argument) not in known:
                known[view, argument] = domain.digest_now(view, argument)
            if known[view, argument] != before:
                yield page
                break


def surroundings(env: BuildEnvironment) -> tuple[dict[Any, Any], Any]:
    """What stands on a page and is not its own: the things it leads to, and the ways that every page offers."""
    ways = {page: str(title) for page, title in env.titles.items() if page in listed(env)}
    return dict(env.get_domain("reversis").data["places"]), (ways, set(env.found_docs))


def listed(env: BuildEnvironment) -> set[str]:
    """The pages that the site's navigation lists."""
    return {env.config.root_doc, *(name for names in env.toctree_includes.values() for name in names)}


def touched(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """The pages that say what they said, and yet look otherwise: something they lead to was moved or renamed."""
    from edition.site.fingerprints import keep

    domain = cast("ReversisDomain", env.get_domain("reversis"))
    if domain.shelf and domain.state:
        keep(domain.shelf, domain.state, domain.data["kept"])
    offered, domain.data["offered"] = domain.data["offered"], offers(domain)
    (places, ways), (places_now, ways_now) = app.reversis_before, surroundings(env)  # type: ignore[attr-defined]
    if ways != ways_now:
        return env.found_docs
    moved = {key for key in {*places, *places_now} if places.get(key) != places_now.get(key)}
    lead_there = {page for page, leads in domain.data["pointed"].items() if moved & leads}
    return {
        *lead_there,
        *(page for page, files in domain.data["offered"].items() if offered.get(page) != files),
        env.config.root_doc,  # programs read there what can be taken away, and its fingerprints
    }


def offers(domain: ReversisDomain) -> dict[str, Any]:
    """By page, the files of which programs read there: the text of a source, the record of a deal."""
    files = domain.opened().takeaway
    found = {"source": files.texts_of, "deal": files.record_of}
    shown = ((page, kind, id) for page, views in domain.data["shown"].items() for kind, id in views if kind in found)
    return {page: found[kind](id) for page, kind, id in shown}
