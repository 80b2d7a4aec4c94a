"""The book as an EPUB: one ZIP with a list of its files, a table of contents, and a file for every chapter."""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from itertools import groupby
from pathlib import Path

from edition.book.nodes import BookContent, book_time
from edition.book.xhtml import BookFile, render_book_files, render_loose_nodes
from edition.export.file import make_zip_entry

_BOOK_FOLDER = Path(__file__).resolve().parent
_STYLESHEET = "epub.css"
_CONTENT_FOLDER = "EPUB"
_UUID_NAMESPACE = uuid.UUID("8c0c3b1e-6a0f-5d5e-9f57-1785178517b5")  #: drawn once, for the names of our books

_ManifestEntry = tuple[str, str, str, str]  #: file, id, media type, properties

CONTAINER = """\
<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""

_PAGE_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><meta charset="utf-8"/><title>{title}</title><link rel="stylesheet" type="text/css" href="{style}"/></head>
<body{kind}>
{body}
</body>
</html>
"""

_PACKAGE_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="book">urn:uuid:{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
{languages}
<dc:creator>{author}</dc:creator>
<dc:publisher>{author}</dc:publisher>
<dc:rights>{rights}</dc:rights>{date}
{subjects}
<dc:description>{description}</dc:description>
<meta property="dcterms:modified">{modified}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">{accessible}</meta>
<meta name="cover" content="cover-image"/>
</metadata>
<manifest>
{manifest}
</manifest>
<spine>
{spine}
</spine>
</package>
"""

_RIGHTS_STATEMENT = (
    "The historical texts are in the public domain; our texts and data CC BY 4.0; quotations from sources in copyright "
    "are their authors' and excluded."
)
_ACCESSIBILITY_SUMMARY = (
    "All words are text, the few drawings are described in words beside them, tables have heads, languages are marked."
)

#: a cover that needs no font of its own and stands on light and dark shelves alike
_COVER_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1800" width="1200" height="1800" role="img" \
aria-label="{title}">
<rect width="1200" height="1800" fill="#f6f0e0"/>
<rect x="60" y="60" width="1080" height="1680" fill="none" stroke="#7a1f1f" stroke-width="6"/>
<rect x="84" y="84" width="1032" height="1632" fill="none" stroke="#7a1f1f" stroke-width="2"/>
<text x="600" y="520" text-anchor="middle" font-family="serif" font-size="150" letter-spacing="16" \
fill="#1c1a17">{name}</text>
{lines}
<path fill="#a01818" d="M600 1330 C470 1220 400 1150 400 1060 C400 990 450 945 510 945 C550 945 585 968 600 1005 \
C615 968 650 945 690 945 C750 945 800 990 800 1060 C800 1150 730 1220 600 1330 Z"/>
<text x="600" y="1600" text-anchor="middle" font-family="serif" font-size="44" fill="#4f4a42">{sigla}</text>
</svg>
"""


def render_epub(book: BookContent) -> bytes:
    """Render the whole book as one EPUB file."""
    chapters = list(render_book_files(book))
    cover = f'<p><img src="cover.svg" alt="{escape(book.title)}: {escape(book.subtitle)}"/></p>'
    written: dict[str, str] = {
        "META-INF/container.xml": CONTAINER,
        f"{_CONTENT_FOLDER}/package.opf": _render_package(book, chapters),
        f"{_CONTENT_FOLDER}/nav.xhtml": _render_page("Contents", _render_navigation(chapters)),
        f"{_CONTENT_FOLDER}/style.css": (_BOOK_FOLDER / _STYLESHEET).read_text(encoding="utf-8"),
        f"{_CONTENT_FOLDER}/cover.svg": _render_cover(book),
        f"{_CONTENT_FOLDER}/cover.xhtml": _render_page("Cover", cover, "cover"),
        f"{_CONTENT_FOLDER}/title.xhtml": _render_page(book.title, _render_title_page(book), "titlepage"),
        **{f"{_CONTENT_FOLDER}/{chapter.name}": _render_page(chapter.title, chapter.body) for chapter in chapters},
    }
    return _pack_files(written, book_time(book.day))


def _pack_files(written: Mapping[str, str], moment: datetime) -> bytes:
    """Reproducible ZIP of the files; the media type stands first, as EPUB requires."""
    held = io.BytesIO()
    date = moment.timetuple()[:6]
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(make_zip_entry("mimetype", date, zipfile.ZIP_STORED), "application/epub+zip")
        for name, words in written.items():
            archive.writestr(make_zip_entry(name, date), words.encode("utf-8"), compresslevel=9)
    return held.getvalue()


def _render_page(title: str, body: str, kind: str = "") -> str:
    attributes = f' class="bk-{kind}" epub:type="{kind}"' if kind else ""
    return _PAGE_TEMPLATE.format(title=escape(title), style="style.css", body=body, kind=attributes)


# --- cover, title, contents -------------------------------------------------------------------------


def _render_cover(book: BookContent) -> str:
    lines = "\n".join(
        f'<text x="600" y="{650 + 72 * at}" text-anchor="middle" font-family="serif" font-style="italic" '
        f'font-size="52" fill="#4f4a42">{escape(words.strip())}</text>'
        for at, words in enumerate(book.subtitle.split(",", 1))
    )
    sigla = " · ".join(short for short, *_ in book.sources)
    return _COVER_TEMPLATE.format(
        title=escape(book.title), name=escape(book.title.upper()), lines=lines, sigla=escape(sigla)
    )


def _render_title_page(book: BookContent) -> str:
    rows = "".join(
        f'<p><span class="rv-siglum">{escape(short)}</span> {escape(called)}<br/>'
        f'<em lang="{language}" xml:lang="{language}">{escape(own)}</em></p>'
        for short, called, own, language in book.sources
    )
    head = f"<h1>{escape(book.title)}</h1><p><em>{escape(book.subtitle)}</em></p>"
    foot = (
        f"<p>By {escape(book.author)}</p><p>{escape(book.made_by)}</p>"
        f"<p>Version {escape(book.release.version)}, {escape(book.dated)}</p><hr/>"
    )
    return f"{head}{rows}{foot}{render_loose_nodes(book.colophon)}"


def _render_navigation(chapters: Sequence[BookFile]) -> str:
    items: list[str] = []
    for part, below in by_part(chapters):
        rows = "".join(map(_render_chapter_entry, below))
        items.append(f'<li><a href="{part.name}">{escape(part.title)}</a><ol>{rows}</ol></li>')
    contents = f'<nav epub:type="toc" role="doc-toc"><h1>Contents</h1><ol>{"".join(items)}</ol></nav>'
    first = next((chapter.name for chapter in chapters), "title.xhtml")
    landmarks = (("cover", "cover.xhtml", "Cover"), ("toc", "nav.xhtml", "Contents"), ("bodymatter", first, "The book"))
    rows = "".join(f'<li><a epub:type="{kind}" href="{name}">{title}</a></li>' for kind, name, title in landmarks)
    return f'{contents}<nav epub:type="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>{rows}</ol></nav>'


def _render_chapter_entry(file: BookFile) -> str:
    rows = "".join(f'<li><a href="{href}">{escape(title)}</a></li>' for title, href in file.sections)
    return f'<li><a href="{file.name}">{escape(file.title)}</a>{f"<ol>{rows}</ol>" if rows else ""}</li>'


def by_part(chapters: Iterable[BookFile]) -> Iterator[tuple[BookFile, list[BookFile]]]:
    """Every part with its chapters."""
    at = 0
    counted = [(at := at + (chapter.level == 1), chapter) for chapter in chapters]
    for _, group in groupby(counted, key=lambda pair: pair[0]):
        part, *below = [chapter for _, chapter in group if chapter.level]
        yield part, below


# --- the list of files ------------------------------------------------------------------------------


def _render_package(book: BookContent, chapters: Iterable[BookFile]) -> str:
    listed = [
        *FIXED,
        *((chapter.name, f"f-{at}", XHTML, "svg" if chapter.draws else "") for at, chapter in enumerate(chapters)),
    ]
    spine = ["cover", "title", "nav", *(entry[1] for entry in listed[len(FIXED) :])]
    return _PACKAGE_TEMPLATE.format(
        identifier=uuid.uuid5(_UUID_NAMESPACE, book.release.version),
        title=escape(f"{book.title}: {book.subtitle}"),
        author=escape(book.author),
        languages="\n".join(f"<dc:language>{language}</dc:language>" for language in book.languages),
        rights=escape(_RIGHTS_STATEMENT),
        date=f"\n<dc:date>{book.release.date or book.day[:4]}</dc:date>" if book.day else "",
        subjects="\n".join(f"<dc:subject>{escape(keyword)}</dc:subject>" for keyword in book.release.keywords),
        description=escape(book.subtitle),
        accessible=escape(_ACCESSIBILITY_SUMMARY),
        modified=book_time(book.day).strftime("%Y-%m-%dT%H:%M:%SZ"),
        manifest="\n".join(map(_render_manifest_item, listed)),
        spine="\n".join(f'<itemref idref="{name}"/>' for name in spine),
    )


XHTML = "application/xhtml+xml"

FIXED: tuple[_ManifestEntry, ...] = (
    ("nav.xhtml", "nav", XHTML, "nav"),
    ("style.css", "style", "text/css", ""),
    ("cover.svg", "cover-image", "image/svg+xml", "cover-image"),
    ("cover.xhtml", "cover", XHTML, ""),
    ("title.xhtml", "title", XHTML, ""),
)


def _render_manifest_item(entry: _ManifestEntry) -> str:
    name, key, kind, properties = entry
    attribute = f' properties="{properties}"' if properties else ""
    return f'<item id="{key}" href="{name}" media-type="{kind}"{attribute}/>'
