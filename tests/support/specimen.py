"""The specimen: the edition with a few of its questions and deals, and so every kind of page in a third of the time.

It is built as `reversis build` builds, but for the other pages; a link to one of those has the address it would have.
Whether every link arrives is therefore asked of the whole edition, before a release.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from edition.citation.places import EditionPlace, find_places
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.game import read_game
from edition.settings import SPHINX_SETTINGS
from edition.site.build import build_html
from edition.site.domain import EditionDomain
from edition.site.stubs import generate_stub_pages
from edition.text.handwritten_pages import list_page_folders, read_handwritten_pages
from rulebook.program_fingerprint import program_fingerprint
from rulebook.sources.paths import digest_sources, find_sources

#: Those that tests name, and those on which most stands.
QUESTIONS = ("Q001", "Q003", "Q031", "Q032", "Q044", "Q053", "Q057", "Q130", "Q192")
DEALS = (
    *("aca-five-players", "aca-quinola-forced", "aca-quinola-led", "aca-talon-tie", "par-reversis-broken-by-quinola"),
    *(
        "par-espagnolette-announced-lost",
        "ger-five-players",
        "ger-quinola-forced",
        "pam-misdeal-bought-back",
        "pam-quinola-forced-opposite-last",
        "pam-quinola-placed",
        "reversis-broken-by-two",
    ),
)
#: What Sphinx says of pages that are not there: in a list of contents, in a page written by hand.
ABSENT = ("toc.excluded", "toc.not_readable", "myst.xref_missing", "ref.myst", "ref.doc")


def build_specimen(out: Path, corpus: Corpus) -> int:
    """Build it; 0 when it is there."""
    settings: dict[str, Any] = {
        "extensions": [*SPHINX_SETTINGS["extensions"], __name__],
        "exclude_patterns": sorted(f"{name}.md" for name in list_left_out(corpus)),
        "suppress_warnings": [*ABSENT],
    }
    return build_html(out, addresses=settings, corpus=corpus)


def list_left_out(corpus: Corpus) -> frozenset[str]:
    """The pages that the specimen has not."""
    shown = {*(f"questions/{question}" for question in QUESTIONS), *(f"deals/{deal}" for deal in DEALS)}
    stubs = {name.removesuffix(".md") for name, _ in generate_stub_pages(corpus)}
    assert shown < stubs, f"there are no such pages: {shown - stubs}"
    return frozenset(name for name in stubs - shown if name.startswith(("questions/", "deals/")))


def list_absent_pages(site: Path, corpus: Corpus) -> frozenset[str]:
    """The files of the pages that a site has not: none if it is whole, and nothing else in the specimen is missing."""
    specimen = {path.stem for path in (site / "deals").glob("*.html")} == {*DEALS}
    return frozenset(f"{name}.html" for name in list_left_out(corpus)) if specimen else frozenset()


class SpecimenDomain(EditionDomain):
    """The domain, where links to pages that are not there have the addresses that these would have."""

    def find_place(self, kind: str, target: str) -> EditionPlace | None:
        """The place of something, also if its page is left out; None if there is no such thing."""
        if place := super().find_place(kind, target):
            return place
        place = find_places_once(self.opened()).get((kind, target))
        return place if place and place.page.startswith(("questions/", "deals/")) else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Let the specimen find its way."""
    app.add_domain(SpecimenDomain, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


@cached_on_corpus
def find_places_once(corpus: Corpus) -> Mapping[tuple[str, str], EditionPlace]:
    """All places: they are asked for with every link, some ten thousand times."""
    return find_places(corpus)


def fingerprint_site() -> str:
    """Of all that a built page depends on."""
    folders = list_page_folders(read_game(find_sources())[0], find_sources())
    by_hand = "".join(f"{name}\0{words}\0" for name, words in read_handwritten_pages(folders).items())
    whole = "\0".join(
        (program_fingerprint(), digest_sources(find_sources()), by_hand, Path(__file__).read_text("utf-8"))
    )
    return hashlib.sha256(whole.encode()).hexdigest()


def keep_site(folder: Path, build: Callable[[Path], int]) -> Path:
    """A site that was built of this program and these sources on an earlier day, or one that is built now."""
    out, note, now = folder / "html", folder / "made-of", fingerprint_site()
    if not note.is_file() or note.read_text("utf-8") != now:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        failed = build(out)
        note.write_text("" if failed else now, encoding="utf-8")
    assert note.read_text("utf-8") == now, "the site was not built: see the first of the tests that asked for it"
    return out
