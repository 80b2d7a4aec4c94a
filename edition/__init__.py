"""How it is shown: the Sphinx edition and the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from edition.domain import ReversisDomain

HERE = Path(__file__).parent


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls: the domain, the look, and the moments at which we are asked."""
    # imported here, because the command line needs this package and must not wait for Sphinx
    from edition.directives import Unfold
    from edition.domain import ReversisDomain
    from edition.html import EditionTranslator, OneIdEach, StackTables, depart_markup, pass_over, visit_markup
    from edition.tree import markup

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
    app.add_config_value("reversis_program", fingerprint(), "env", types=(str,))
    app.add_css_file("edition.css")
    app.add_js_file("edition.js", loading_method="defer")
    app.connect("config-inited", our_folders)
    app.connect("builder-inited", lay_ready)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", with_stage)
    app.connect("build-finished", lay_beside)
    app.setup_extension("edition.foot")
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}


def fingerprint() -> str:
    """A fingerprint of the programs that make a page: when they change, all pages do."""
    programs = sorted(HERE.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in programs)).hexdigest()


def our_folders(app: Sphinx, config: Config) -> None:
    """The style sheet, the script and the templates lie beside this file, the bibliography with the sources."""
    from rulebook.load import find_sources

    sources = Path(config.reversis_sources) if config.reversis_sources else find_sources()
    config.bibtex_bibfiles = [str(sources / "bibliography.bib")]
    config.html_static_path = [*config.html_static_path, str(HERE / "static")]
    config.templates_path = [*config.templates_path, str(HERE / "templates")]


def lay_ready(app: Sphinx) -> None:
    """Read the sources, once, before any page is read; with problems there is no edition."""
    from sphinx.errors import ExtensionError

    from edition.records import read_all

    shelf, problems = read_all(Path(app.config.reversis_sources) if app.config.reversis_sources else None)
    if problems or shelf is None:
        raise ExtensionError("the sources are not in order:\n" + "\n".join(map(str, problems)))
    cast("ReversisDomain", app.env.get_domain("reversis")).shelf = shelf


def with_stage(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """The script that steps through a deal is fetched by the pages of deals alone."""
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    if any(view == "deal" for view, _ in shown):
        app.add_css_file("steps.css")
        app.add_js_file("steps.js", loading_method="defer")


def lay_beside(app: Sphinx, failed: Exception | None) -> None:
    """The surveys go into the edition's own folder, for whoever would reckon with them; and so do the playing cards."""
    from edition.materiality import write_data
    from edition.playing_cards import lay_cards

    if failed is None and app.builder.format == "html":
        shelf = cast("ReversisDomain", app.env.get_domain("reversis")).opened()
        write_data(shelf.surveys, Path(shelf.library.root), Path(app.outdir))
        if shelf.deals:
            lay_cards(Path(app.outdir) / "cards")


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """The pages of which some part would now say something else."""
    from edition.directives import digest_now

    domain = cast("ReversisDomain", env.get_domain("reversis"))
    shelf, known = domain.opened(), {}
    for page, shown in domain.data["shown"].items():
        for (view, argument), before in shown.items():
            if (view, argument) not in known:
                known[view, argument] = digest_now(shelf, view, argument)
            if known[view, argument] != before:
                yield page
                break
