"""Everything to take away: which files there are, what they are, under which terms, and their checksums.

The files are made in memory when the edition is read, so that the page of downloads can tell their sizes and
checksums; the same bytes are written in the end. Nothing in them comes from the clock, the machine or the path.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from edition.corpus.corpus import Corpus, computed
from edition.data.citation_cff import TERMS, Release
from edition.data.rights import OPEN, owned, rights_in
from edition.data.surveys import FOLDER as SURVEYS
from edition.data.surveys import rows as survey_rows
from edition.export import tables as exports
from edition.export.file import EVERYBODY, NOBODY, Made
from edition.export.formats import FORMS as OUTGOING
from rulebook.model import Source

FOLDER = "downloads"
SUMS = "SHA256SUMS"
MANIFEST = "manifest.json"
RIGHTS = "RIGHTS.txt"
KEPT = "sources"  #: the files as they are kept, under the paths that they have in the repository
LONG_AGO = (1980, 1, 1, 0, 0, 0)  #: the first day that a ZIP file can name

MEDIA: Mapping[str, str] = {
    ".xml": "application/tei+xml",
    ".rng": "application/xml",
    ".yaml": "application/yaml",
    ".json": "application/json",
    ".csv": "text/csv",
    ".jsonld": "application/ld+json",
    ".parquet": "application/vnd.apache.parquet",
    ".bib": "application/x-bibtex",
    ".zip": "application/zip",
    ".txt": "text/plain",
    ".cff": "application/yaml",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file that can be taken away; its path is counted from the first page of the edition."""

    path: str
    says: str
    licence: str
    group: str
    size: int
    sha256: str

    @property
    def media(self) -> str:
        """What kind of file it is, as programs say it."""
        return MEDIA[PurePosixPath(self.path).suffix]


@dataclass(frozen=True)
class Downloads:
    """All files, and their bytes by their paths."""

    files: tuple[File, ...]
    letters: Mapping[str, bytes]

    @property
    def offered(self) -> tuple[File, ...]:
        """Those that a stranger would take: all at once, and the tables."""
        return tuple(one for one in self.files if one.group in (PACKED, TABULAR, WHOLE))

    def texts_of(self, siglum: str) -> tuple[File, ...]:
        """The text of a source and its translation, where they are here."""
        home = f"{FOLDER}/{KEPT}/{siglum}/"
        return tuple(one for one in self.files if one.group == TEXTS and one.path.startswith(home))

    def record_of(self, deal: str) -> tuple[File, ...]:
        """The record of a worked deal."""
        return tuple(one for one in self.files if one.group == DEALS and PurePosixPath(one.path).stem == deal)


PACKED = "All at once"
TEXTS = "The texts (TEI)"
WHOLE, TABULAR, CROSSED = (OUTGOING[name].title for name in ("json", "csv", "cldf"))
DEALS = "Worked deals and sessions (YAML)"
COUNTED = "Surveys (JSON, CSV)"
DATA = "The data as they are kept (YAML)"
FOUND = "What programs found and proved (JSON)"
FORMS = "Schemas"

Found = tuple[str, bytes, str, str, str]  # path, bytes, what it is, licence, group


# --- whose it is ----------------------------------------------------------------------------------------


def terms_of(path: PurePosixPath, sources: Mapping[str, Source]) -> str:
    """The terms of a file as it is kept."""
    source = sources.get(path.parts[0])
    if path.suffix == ".rng":
        return "CC BY or BSD-2-Clause, the TEI Consortium's; cut from its schema"
    if path.parts[0] in BARE:
        return OPEN
    if source is None or path.name not in LAYERS:
        return owned([source] if source else sources.values())
    return "; ".join(f"{layer}: {rights_in(source, layer)}" for layer in LAYERS[path.name])


def terms_of_made(one: Made, sources: Mapping[str, Source]) -> str:
    """The terms of a file that is made: by whose words stand in it."""
    if one.whose in (EVERYBODY, NOBODY):
        return owned(sources.values()) if one.whose == EVERYBODY else OPEN
    source = sources[one.whose]
    if not source.text:
        return rights_in(source, "encoding") or OPEN
    return "; ".join(f"{layer}: {rights_in(source, layer)}" for layer in LAYERS["text.xml"])


#: Files and folders in which no source is quoted: figures, ids, spellings, titles.
BARE = frozenset(
    (
        *("survey", "receipts", "schema", "spelling.yaml", "registry.yaml", "tombstones.yaml"),
        *("agreement.yaml", "attributions.json", "bibliography.bib", "releases"),
    )
)
#: The files in which words of a source stand at length -> the layers of which they are made.
LAYERS: Mapping[str, tuple[str, ...]] = {"text.xml": ("text", "encoding"), "en.xml": ("translation", "encoding")}


# --- the files as they are kept ---------------------------------------------------------------------------

#: What a file or a folder of files is; the longest part of a path that is named here tells it.
SAYS: Mapping[str, str] = {
    "text.xml": "transcription with emendations",
    "en.xml": "English translation, aligned sentence by sentence",
    "source.yaml": "bibliographic record, exemplar, rights",
    "clauses.yaml": "clauses: quotation, place, answers",
    "coverage.yaml": "what becomes of every sentence",
    "notes.yaml": "notes of the editors",
    "printed.yaml": "numbers that the source prints about its own game",
    "settled.yaml": "where two codings differed, and how that was settled",
    "statements.yaml": "statements in our own words",
    "coding-ed1.yaml": "first coding",
    "coding-ed2.yaml": "second, blind coding",
    "indices.yaml": "what the indices go by",
    "glossary.yaml": "glossary with attestations",
    "bibliography.bib": "bibliography",
    "spelling.yaml": "table of old and modern spellings",
    "registry.yaml": "register of all ids",
    "tombstones.yaml": "ids that are gone",
    "telling.yaml": "sentences in which the rules are told",
    "agreement.yaml": "agreement of the two codings",
    "attributions.json": "which answers make the differences on the worked deals",
    "separating.json": "deals on which sources part",
    "questions": "questions with readings and coding procedures",
    "receipts": "receipt of a proof",
    "survey": "stored survey",
    "releases": "what a release held: ids, answers, results",
    "schema": "schema",
    "deals": "worked deal",
    "sessions": "worked session",
}
GROUPS: Mapping[str, str] = {
    "deals": DEALS,
    "sessions": DEALS,
    "schema": FORMS,
    "survey": COUNTED,
    "receipts": FOUND,
    "releases": FOUND,
}


def kept(corpus: Corpus) -> Iterator[Found]:
    """Every file of the sources."""
    root = Path(corpus.library.root)
    if not corpus.library.root:
        return
    for path in sorted(root.rglob("*"), key=lambda one: one.relative_to(root).as_posix()):
        inner = PurePosixPath(path.relative_to(root).as_posix())
        if path.is_file() and inner.suffix in MEDIA and not any(part.startswith((".", "_")) for part in inner.parts):
            terms = terms_of(inner, corpus.library.sources)
            yield f"{FOLDER}/{KEPT}/{inner}", path.read_bytes(), said_of(inner, corpus), terms, group_of(inner)


def said_of(path: PurePosixPath, corpus: Corpus) -> str:
    """What a file is."""
    names = (path.name, *reversed(path.parts[:-1]))
    what = next((SAYS[name] for name in names if name in SAYS), path.name)
    titles = {deal.id: deal.title for deal in corpus.deals}
    whose = f"{path.parts[0]}: " if path.parts[0] in corpus.library.sources else ""
    title = titles.get(path.stem) if path.parent.name == "deals" else None
    return f"{whose}{what}" + (f": {title}" if title else f" {path.stem}" if path.name not in SAYS else "")


def group_of(path: PurePosixPath) -> str:
    """Under which heading it stands."""
    if path.suffix == ".xml":
        return TEXTS
    told = next((GROUPS[part] for part in path.parts[:-1] if part in GROUPS), "")
    return told or (FOUND if path.suffix == ".json" else DATA)


# --- the files that are made --------------------------------------------------------------------------------


def made(corpus: Corpus) -> Iterator[Found]:
    """The edition in every form that the tools of others read, and the surveys line by line."""
    for form in OUTGOING.values():
        for one in form.write(corpus):
            path = "/".join(part for part in (FOLDER, form.folder, one.path) if part)
            yield path, one.letters, one.says, terms_of_made(one, corpus.library.sources), form.title
    for survey in corpus.surveys:
        letters = exports.csv_of(survey_rows(survey)).encode()
        yield f"{SURVEYS}/{survey.policy}.csv", letters, f"survey {survey.policy}, line by line", OPEN, COUNTED


def packed(found: Iterable[Found], release: Release) -> Iterator[Found]:
    """Everything in one file, and the parts that are taken most often."""
    files = tuple(found)
    terms = f"as told of each file in its {RIGHTS}"
    for name, (says, groups) in PACKS.items():
        inside = [one for one in files if not groups or one[4] in groups]
        if inside:
            yield f"{FOLDER}/{name}.zip", zipped(name, inside, release), says, terms, PACKED


#: Name -> what is in it, and the headings that it holds; all of them if none is named.
PACKS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "reversis-all": ("everything on this page", ()),
    "reversis-texts": ("the texts and translations in TEI, with their schema", (TEXTS, FORMS)),
    "reversis-tables": ("the tables, and what stands in their columns", (TABULAR,)),
    "reversis-cldf": ("the CLDF dataset", (CROSSED,)),
    "reversis-deals": ("the worked deals and sessions", (DEALS,)),
}


QUICKLY = 4  #: how hard letters are packed, of 9; to do without the last few bytes is to be done much sooner


def zipped(name: str, inside: Iterable[Found], release: Release) -> bytes:
    """Files in a ZIP: sorted, with one fixed day, so that equal files make an equal ZIP."""
    rows = sorted((one[0], one[1]) for one in inside)
    told = rights_text(inside, release).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, letters in [(RIGHTS, told), *rows]:
            entry = zipfile.ZipInfo(f"{name}/{path.removeprefix(f'{FOLDER}/')}", LONG_AGO)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, letters, compresslevel=QUICKLY)
    return buffer.getvalue()


def rights_text(inside: Iterable[Found], release: Release) -> str:
    """What may be done with each file, as a text that travels with them."""
    head = f"{release.title}, version {release.version}, {release.dated}. {release.message}\n"
    terms = "".join(f"{name}: {TERMS[name]}\n" for name in release.licences if name in TERMS)
    rows = "".join(f"{one[0].removeprefix(f'{FOLDER}/')}\t{one[3]}\n" for one in sorted(inside))
    return f"{head}\n{terms}\n{rows}"


# --- all of it ----------------------------------------------------------------------------------------------


@computed
def collect_downloads(corpus: Corpus) -> Downloads:
    """Collect every file of the edition's data, each with its size and checksum."""
    release = corpus.release
    found = [*kept(corpus), *made(corpus)]
    every = [*packed(found, release), *found]
    files = tuple(file_of(one) for one in every)
    return Downloads(files, {path: letters for path, letters, *_ in every})


def file_of(one: Found) -> File:
    """A file by what is to be told of it."""
    path, letters, says, licence, group = one
    return File(path, says, licence, group, len(letters), hashlib.sha256(letters).hexdigest())


def sums(found: Downloads) -> str:
    """The checksums as `sha256sum -c` reads them, from the folder in which the list lies."""
    rows = sorted((beside(one.path), one.sha256) for one in found.files)
    return "".join(f"{sha256}  {path}\n" for path, sha256 in rows)


def beside(path: str) -> str:
    """A path as seen from the folder of downloads."""
    return path.removeprefix(f"{FOLDER}/") if path.startswith(f"{FOLDER}/") else f"../{path}"


def manifest(found: Downloads, release: Release, state: str) -> str:
    """The same for programs, with terms and kinds."""
    rows: list[dict[str, Any]] = [
        {
            "path": beside(one.path),
            "size": one.size,
            "sha256": one.sha256,
            "media_type": one.media,
            "licence": one.licence,
            "what": one.says,
        }
        for one in sorted(found.files, key=lambda one: one.path)
    ]
    head = {"schema": 1, "title": release.title, "version": release.version, "released": release.date or None}
    return exports.as_json({**head, "sources": state, "files": rows})


def lay_out(corpus: Corpus, out: Path) -> None:
    """Write all of it beside the pages."""
    found = collect_downloads(corpus)
    if not found.files:
        return
    for path, letters in found.letters.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(letters)
    told = {SUMS: sums(found), MANIFEST: manifest(found, corpus.release, corpus.library.digest)}
    for name, words in told.items():
        (out / FOLDER / name).write_text(words, encoding="utf-8", newline="\n")
