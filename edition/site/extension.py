"""The Sphinx extension: every hook of the edition, in the order in which Sphinx comes to it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, cast

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from edition.corpus import load as records
from edition.corpus.settings import read_library_words
from edition.game import fingerprint_program, read_game
from edition.nodes.builders import DOMAIN, cite_here, markup
from edition.nodes.deferred import deferred
from edition.process_pool import SharedTask, do_shared_tasks
from edition.site import page_head
from edition.site.answer_words import write_answer_words
from edition.site.assets import add_assets
from edition.site.csp import add_csp
from edition.site.deferred import visit_deferred, write_folds
from edition.site.directives import FoldText, ShowRecord, render_placeholders
from edition.site.domain import EditionDomain, FormerDomain
from edition.site.html_builder import EditionBuilder
from edition.site.moved import add_moved_places, collect_moved_pages
from edition.site.navigation import add_navigation
from edition.site.outdated import find_outdated_pages, find_pages_to_write
from edition.site.published_files import write_published_files
from edition.site.search_index import write_search_index
from edition.site.titles import NameTitleLanguages
from edition.site.translator import EditionTranslator, depart_markup, visit_markup
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE
from rulebook.sources.paths import find_sources

_EDITION_DIR = Path(__file__).parents[1]


def register_extension(app: Sphinx) -> dict[str, Any]:
    """Register everything that the edition adds to Sphinx."""
    app.add_builder(EditionBuilder, override=True)
    app.add_domain(EditionDomain)
    app.add_html_theme("edition", str(_EDITION_DIR / "theme"))
    app.add_directive_to_domain(DOMAIN, "fold", FoldText)
    app.add_node(markup, html=(visit_markup, depart_markup))
    app.add_node(deferred, html=(visit_deferred, None))
    app.add_post_transform(NameTitleLanguages)
    app.add_node(cite_here, html=(page_head.visit_cite, None))
    app.set_translator("html", EditionTranslator)
    app.add_config_value("edition_sources", "", "env", types=(str,))
    app.add_config_value("edition_program", "", "env", types=(str,))
    app.add_config_value("edition_corrections", "", "html", types=(str,))
    app.add_css_file("colours.css", priority=400)
    app.add_css_file("edition.css")
    app.add_css_file("components.css")
    app.add_css_file("print.css", priority=900, media="print")
    app.add_js_file("frame.js", loading_method="defer")
    app.add_js_file("finding-box.js", loading_method="defer")
    app.connect("config-inited", add_folders)
    app.connect("config-inited", page_head.set_addresses)
    app.connect("builder-inited", read_sources)
    app.connect("builder-inited", hide_folders)
    app.connect("env-get-outdated", find_outdated_pages)
    app.connect("env-updated", find_pages_to_write)
    app.connect("doctree-read", render_placeholders, priority=100)  # then Sphinx collects titles, at 500
    app.connect("html-collect-pages", collect_moved_pages)
    app.connect("html-page-context", add_navigation)
    app.connect("html-page-context", add_moved_places)
    app.connect("html-page-context", add_assets)
    app.connect("html-page-context", add_csp)
    app.connect("html-page-context", page_head.add_page_foot)
    app.connect("html-page-context", write_folds)
    app.connect("build-finished", write_files_beside_pages)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}


def add_folders(app: Sphinx, config: Config) -> None:
    """Tell Sphinx where the style sheets, scripts, templates and the bibliography are."""
    sources = Path(config.edition_sources) if config.edition_sources else find_sources()
    game = read_game(sources)[0]
    config.project = config.html_title = read_library_words(str(sources), game.name).title
    config.edition_program = fingerprint_program(game)
    if game.name:
        app.add_domain(type("GameDomain", (FormerDomain,), {"name": game.name}))
    config.bibtex_bibfiles = [str(sources / BIBLIOGRAPHY_FILE)]
    own = [str(game.folder / "static")] if game.folder and (game.folder / "static").is_dir() else []
    config.html_static_path = [*config.html_static_path, str(_EDITION_DIR / "static"), *own]
    config.templates_path = [*config.templates_path, str(_EDITION_DIR / "templates")]


#: Settings that name folders of this machine.
FOLDER_SETTINGS = ("bibtex_bibfiles", "html_static_path", "templates_path")


def hide_folders(app: Sphinx) -> None:
    """Keep folders of this machine out of `.buildinfo`: the same edition built elsewhere must have the same there."""
    builder: Any = app.builder
    named = {name: app.config[name] for name in FOLDER_SETTINGS}
    try:
        for name in FOLDER_SETTINGS:
            app.config[name] = []
        builder.build_info = builder.create_build_info()
    finally:
        for name, places in named.items():
            app.config[name] = places


def read_sources(app: Sphinx) -> None:
    """Read the sources, once, before any page is read; with problems there is no edition."""
    root = Path(app.config.edition_sources) if app.config.edition_sources else None
    corpus, problems = (records.handed.get(), []) if records.handed.get() else records.read_corpus_checked(root)
    if problems or corpus is None:
        raise ExtensionError("the sources are not in order:\n" + "\n".join(map(str, problems)))
    domain = cast(EditionDomain, app.env.get_domain(DOMAIN))
    domain.lay_ready(corpus)
    domain.directives.update(dict.fromkeys(domain.pages, ShowRecord))


def write_files_beside_pages(app: Sphinx, failed: Exception | None) -> None:
    """Write what pages, readers and programs fetch, in two processes if there may be several."""
    if failed is None:
        pieces = [partial(write_data_files, app), partial(write_published_files, app)]
        do_shared_tasks([SharedTask(pieces, lambda *_: None)], app.parallel)


def write_data_files(app: Sphinx) -> None:
    """Write what pages and readers fetch: the search index, the answers in words, files of the game."""
    domain, out = cast(EditionDomain, app.env.get_domain(DOMAIN)), Path(app.outdir)
    corpus = domain.opened()
    write_search_index(app, corpus, out / "_static")
    write_answer_words(app, corpus, out / "_static")
    kinds = {kind for views in domain.data["shown"].values() for kind, _ in views}
    corpus.game.exports.write_page_files(corpus, kinds, domain.data["places"], out)
