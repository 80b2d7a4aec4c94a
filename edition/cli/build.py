"""Building the edition: first everything is checked, then pages are made."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

import click

from edition.cli import output
from edition.cli.options import OUTPUT_NAMES, QUIET_OPTION, find_default_output, make_base_url_option
from edition.corpus.corpus import Corpus
from edition.corpus.problems import find_all_problems
from edition.site.build import exclusive_build
from rulebook.games import explain_missing_game
from rulebook.sources.paths import find_sources

TARGETS = ("html", "pdf", "epub")
BUILD_MARKER = ".buildinfo"  #: what Sphinx leaves in every folder that it fills


@click.command("build")
@click.argument("target", type=click.Choice([*TARGETS, "all"]), default="html", metavar="[html|pdf|epub|all]")
@click.option(
    *OUTPUT_NAMES,
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Output folder; default build/html, build/pdf, build/epub; with `all`, folders of these names in DIR.",
)
@make_base_url_option(
    "The address at which the edition will stand on the net: citations give it in full, and there are canonical links "
    "and a sitemap."
)
@click.option(
    "--corrections-url",
    metavar="URL",
    default="",
    envvar="REVERSIS_CORRECTIONS_URL",
    show_envvar=True,
    help="Where corrections go, with {id} and {title} for the thing: https://example.org/new?title={id}, or mailto:.",
)
@QUIET_OPTION
def build_command(target: str, folder: Path | None, base_url: str, corrections_url: str, quiet: bool) -> None:
    """Build the edition: web pages, PDF, EPUB, or all of them.

    Everything is checked first, as by `rulebook check`. If there are problems, they are reported, nothing is built, and
    the last good build stays in place. The last line printed says where to open it.

    html is the web pages, epub an e-book with everything; neither needs an extra. pdf is the book to print; it needs
    the extra `pdf`, and so does all.
    """
    with leave_garbage():
        done = [
            build_html_edition(into, quiet, base_url, corrections_url)
            if form == "html"
            else build_book(form, into, quiet)
            for form, into in _list_builds(target, folder)
        ]
    sys.exit(max(done))


@contextmanager
def leave_garbage() -> Iterator[None]:
    """Leave what is of no use after a build to the end of the process, which takes it away at once.

    The trees of all pages are millions of objects; the collector would take 20 seconds to take them apart, one by one.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _list_builds(target: str, folder: Path | None) -> Iterator[tuple[str, Path]]:
    """Forms to build, each with its folder."""
    for form in TARGETS if target == "all" else (target,):
        yield form, folder / form if folder and target == "all" else folder or find_default_output(form)


def build_html_edition(target: Path, quiet: bool, base: str = "", corrections: str = "") -> int:
    """Build the pages; return the exit code. With problems the last good build stays in place."""
    refuse_foreign(target)
    addresses = _parse_addresses(base, corrections)
    with exclusive_build(target.resolve()):  # who waits reads the sources afterwards
        corpus = _read_faultless_corpus(target)
        return 1 if corpus is None else _build_checked_pages(target, quiet, addresses, corpus)


def build_book(form: str, folder: Path, quiet: bool) -> int:
    """Make the book, as a PDF or an EPUB, and tell its path; with problems the last good one stays in place."""
    from edition.book.pdf import Unbound
    from edition.book.write_book import bind_book, explain_missing_extra  # they take a second to import

    if without := explain_missing_extra(form):
        output.print_remark(without)
        return 1
    corpus = _read_faultless_corpus(folder)
    if corpus is None:
        return 1
    try:
        path = bind_book(corpus, form, folder)
    except (Unbound, OSError) as fault:
        output.print_remark(f"No {'EPUB' if form == 'epub' else 'PDF'} was made. {fault}")
        return 1
    if not quiet:
        click.echo(path)
    return 0


def _read_faultless_corpus(target: Path) -> Corpus | None:
    """Read the library; with problems, tell them and what became of the last build, if there was one."""
    corpus, problems = find_all_problems()
    if missing := explain_missing_game(find_sources()):
        output.print_remark(f"Warning: {missing}")
    if not problems and corpus is not None:
        return corpus
    output.print_problems(problems)
    kept = f"; the last build is still there, in {target.as_posix()}" if target.exists() else ""
    output.print_remark(f"Nothing was built{kept}.")
    return None


def refuse_foreign(target: Path) -> None:
    """A folder with other things in it is not ours to replace."""
    if target.is_dir() and any(target.iterdir()) and not (target / BUILD_MARKER).is_file():
        way_out = "Name an empty folder, or one that is not there yet."
        raise click.UsageError(f"{target} holds something else than an edition, and would be replaced. {way_out}")


def _parse_addresses(base: str, corrections: str) -> Mapping[str, str]:
    """The addresses that were given, as the pages need them; a bad one is reported before anything is read."""
    from edition.citation.urls import BadAddress, base_of, template_of

    try:
        return {"html_baseurl": base_of(base), "edition_corrections": template_of(corrections)}
    except BadAddress as fault:
        raise click.UsageError(f"{fault}.") from fault


def _build_checked_pages(target: Path, quiet: bool, addresses: Mapping[str, str], corpus: Corpus) -> int:
    from edition.site.build import build_html  # Sphinx takes a second to import

    with redirect_stdout(StringIO()):  # it names the first page too, but without an address to click on
        failed = build_html(target, addresses=addresses, corpus=corpus)
    home = target / "index.html"
    if not failed and not quiet:
        click.echo(f"The edition is built. Open {home}\n{home.resolve().as_uri()}")
    return int(bool(failed))
