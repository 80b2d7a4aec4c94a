"""All downloads: the files, their descriptions, terms of use and checksums.

The files are made in memory when the edition is read, so that the page of downloads can tell their sizes and
checksums; the same bytes are written in the end. Nothing in them comes from the clock, the machine or the path.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from edition.corpus.citation_cff import LICENCE_URLS, Release
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.corpus.rights import OPEN_LICENCE, format_quoting_terms, get_layer_rights
from edition.export.file import QUOTES_ALL, QUOTES_NONE, ExportFile, make_zip_entry
from edition.export.formats import DOWNLOADS_FOLDER, EXPORT_FORMATS, list_export_formats, make_folder_readme
from edition.export.tables import format_export_json
from edition.game import Game
from edition.process_pool import SharedTask
from rulebook.model import Source
from rulebook.reads import ANY_FILE, ClauseWord, note_reads
from rulebook.sources.paths import BACKUPS_FOLDER, CLAUSES_FILE, every_file
from rulebook.strings import slugify_text

_CHECKSUMS_FILE = "SHA256SUMS"
_MANIFEST_FILE = "manifest.json"
RIGHTS_FILE = "RIGHTS.txt"
_SOURCES_FOLDER = "sources"  #: the files as they are kept, under the paths that they have in the repository
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  #: the first day that a ZIP file can name

_MEDIA_TYPES: Mapping[str, str] = {
    ".xml": "application/tei+xml",
    ".rng": "application/xml",
    ".yaml": "application/yaml",
    ".json": "application/json",
    ".csv": "text/csv",
    ".jsonld": "application/ld+json",
    ".parquet": "application/vnd.apache.parquet",
    ".bib": "application/x-bibtex",
    ".ipynb": "application/x-ipynb+json",
    ".gv": "text/vnd.graphviz",
    ".zip": "application/zip",
    ".txt": "text/plain",
    ".cff": "application/yaml",
}


@dataclass(frozen=True, slots=True)
class DownloadFile:
    """A file to download; its path is relative to the first page of the edition."""

    path: str
    says: str
    licence: str
    group: str
    size: int
    sha256: str

    @property
    def media(self) -> str:
        """Media type of the file."""
        return _MEDIA_TYPES[PurePosixPath(self.path).suffix]


@dataclass(frozen=True)
class Downloads:
    """All files, and their bytes by their paths."""

    files: tuple[DownloadFile, ...]
    letters: Mapping[str, bytes]

    @property
    def offered(self) -> tuple[DownloadFile, ...]:
        """The files of most use to a new reader: all at once, and the tables."""
        return tuple(file for file in self.files if file.path.rpartition("/")[0] == DOWNLOADS_FOLDER)

    def texts_of(self, siglum: str) -> tuple[DownloadFile, ...]:
        """Return the text of a source and its translation, where they are here."""
        home = f"{DOWNLOADS_FOLDER}/{_SOURCES_FOLDER}/{siglum}/"
        return tuple(file for file in self.files if file.group == GROUP_TEXTS and file.path.startswith(home))

    def record_of(self, deal: str) -> tuple[DownloadFile, ...]:
        """Return the record of a worked deal."""
        return tuple(file for file in self.files if file.path.endswith(f"/deals/{deal}.yaml"))


def get_download_address(form: str, name: str) -> str:
    """Return the address of a file of an export format, from the first page of the edition."""
    return EXPORT_FORMATS[form].get_address(name)


def get_source_file_address(path: str) -> str:
    """Return the address of a file as it is kept, by its path in the folder of sources."""
    return f"{DOWNLOADS_FOLDER}/{_SOURCES_FOLDER}/{path}"


def get_group_address(title: str) -> str:
    """Return the address of a heading on the page of downloads."""
    return f"{DOWNLOADS_PAGE}.html#{slugify_text(title)}"


def list_group_archives(title: str, corpus: Corpus) -> tuple[str, ...]:
    """Return the addresses of the archives that hold what stands under a heading; that of everything last."""
    whole, *others = _list_archives(corpus).items()
    names = [name for name, (_, groups) in others if title in groups]
    return tuple(f"{DOWNLOADS_FOLDER}/{name}.zip" for name in (*names, whole[0]))


DOWNLOADS_PAGE = "downloads"
GROUP_ARCHIVES = "All at once"
GROUP_TEXTS = "The texts (TEI)"
GROUP_DATA = "The data as they are kept (YAML)"
GROUP_FINDINGS = "What programs found and proved (JSON)"
GROUP_SCHEMAS = "Schemas"


_FileEntry = tuple[str, bytes, str, str, str]  # path, bytes, what it is, licence, group


# --- whose it is ----------------------------------------------------------------------------------------


def _find_file_terms(path: PurePosixPath, sources: Mapping[str, Source]) -> str:
    source = sources.get(path.parts[0])
    if path.suffix == ".rng":
        return "CC BY or BSD-2-Clause, the TEI Consortium's; cut from its schema"
    if path.parts[0] in _UNQUOTING_PATHS:
        return OPEN_LICENCE
    layers = _TEXT_LAYERS.get(path.parent.name) or _TEXT_LAYERS.get(path.name)
    if source is None or layers is None:
        return format_quoting_terms([source] if source else sources.values())
    return "; ".join(f"{layer}: {get_layer_rights(source, layer)}" for layer in layers)


def terms_of_made(file: ExportFile, sources: Mapping[str, Source]) -> str:
    """Return the terms of a generated file, by whose words stand in it."""
    if file.whose in (QUOTES_ALL, QUOTES_NONE):
        return format_quoting_terms(sources.values()) if file.whose == QUOTES_ALL else OPEN_LICENCE
    source = sources[file.whose]
    if not source.text:
        return get_layer_rights(source, "encoding") or OPEN_LICENCE
    translated = source.translation and file.path == f"{source.siglum}.xml"  # the TEI files hold it too
    layers = ("text", "encoding", *(("translation",) if translated else ()))
    return "; ".join(f"{layer}: {get_layer_rights(source, layer)}" for layer in layers)


#: Files and folders in which no source is quoted: figures, ids, spellings, titles.
_UNQUOTING_PATHS = frozenset(
    (
        *("survey", "receipts", "schema", "spelling.yaml", "registry.yaml", "tombstones.yaml"),
        *("agreement.yaml", "attributions.json", "bibliography.bib", "releases"),
    )
)
#: The files, and folders, in which words of a source stand at length -> the layers of which they are made.
_TEXT_LAYERS: Mapping[str, tuple[str, ...]] = {
    "text.xml": ("text", "encoding"),
    "text.txt": ("text",),
    "en.xml": ("translation", "encoding"),
    "witnesses": ("text", "encoding"),
}


# --- the files as they are kept ---------------------------------------------------------------------------

#: What a file or a folder of files is; the longest part of a path that is named here tells it.
_FILE_DESCRIPTIONS: Mapping[str, str] = {
    "text.xml": "transcription with emendations",
    "text.txt": "raw transcription",
    "en.xml": "English translation, aligned sentence by sentence",
    "witnesses": "witness of the text",
    "source.yaml": "bibliographic record, exemplar, rights",
    CLAUSES_FILE: "clauses: quotation, place, answers",
    "coverage.yaml": "what becomes of every sentence",
    "notes.yaml": "notes of the editors",
    "printed.yaml": "numbers that the source prints about its own game",
    "settled.yaml": "where two codings differed, and how that was settled",
    "statements.yaml": "statements in our own words",
    "coding-ed1.yaml": "first coding",
    "coding-ed2.yaml": "second, blind coding",
    "indices.yaml": "what the indices go by",
    "stemma.yaml": "who copied whom, with the evidence",
    "attestations.yaml": "dated mentions of the game",
    "counsel.yaml": "advice and claims on play, and how each is tried",
    "glossary.yaml": "glossary with attestations",
    "bibliography.bib": "bibliography",
    "spelling.yaml": "table of old and modern spellings",
    "registry.yaml": "register of all ids",
    "tombstones.yaml": "ids that are gone",
    "telling.yaml": "sentences that state the rules",
    "agreement.yaml": "agreement of the two codings",
    "attributions.json": "which answers make the differences on the worked deals",
    "separating.json": "deals on which sources part",
    "questions": "questions with readings and coding procedures",
    "receipts": "receipt of a proof",
    "releases": "what a release held: ids, answers, results",
    "schema": "schema",
}
_FOLDER_GROUPS: Mapping[str, str] = {
    "schema": GROUP_SCHEMAS,
    "receipts": GROUP_FINDINGS,
    "releases": GROUP_FINDINGS,
}


def list_source_files(corpus: Corpus) -> Iterator[_FileEntry]:
    """Yield every file of the sources."""
    root = Path(corpus.library.root)
    if not corpus.library.root:
        return
    for inner in map(PurePosixPath, sorted(every_file(root))):
        is_kept_back = any(part.startswith("_") or part == BACKUPS_FOLDER for part in inner.parts)
        if inner.suffix in _MEDIA_TYPES and not is_kept_back:
            terms = _find_file_terms(inner, corpus.library.sources)
            there = f"{DOWNLOADS_FOLDER}/{_SOURCES_FOLDER}/{inner}"
            group = _find_group(inner, corpus.game)
            yield there, (root / inner).read_bytes(), _describe_file(inner, corpus), terms, group


def _describe_file(path: PurePosixPath, corpus: Corpus) -> str:
    names, folders = (path.name, *reversed(path.parts[:-1])), corpus.game.exports.folders
    known = {**_FILE_DESCRIPTIONS, **{name: folder.says for name, folder in folders.items()}}
    what = next((known[name] for name in names if name in known), path.name)
    what = f"raw transcription of the {what}" if path.suffix == ".txt" and "witnesses" in path.parts else what
    source = corpus.library.sources.get(path.parts[0])
    whose = f"{source.short_name}: " if source else ""
    folder = folders.get(path.parent.name)
    title = folder.get_title(corpus, path.stem) if folder else ""
    return f"{whose}{what}" + (
        f": {title}" if title else f" {path.stem}" if path.name not in _FILE_DESCRIPTIONS else ""
    )


def _find_group(path: PurePosixPath, game: Game) -> str:
    if path.suffix == ".xml":
        return GROUP_TEXTS
    headings = {**_FOLDER_GROUPS, **{name: folder.heading for name, folder in game.exports.folders.items()}}
    heading = next((headings[part] for part in path.parts[:-1] if part in headings), "")
    return heading or (GROUP_FINDINGS if path.suffix == ".json" else GROUP_DATA)


# --- the files that are made --------------------------------------------------------------------------------


def _list_generated_files(corpus: Corpus) -> Iterator[_FileEntry]:
    for folder in dict.fromkeys(form.folder for form in list_export_formats(corpus.game).values()):
        for file, group in _list_folder_files(folder, corpus):
            path = "/".join(part for part in (DOWNLOADS_FOLDER, folder, file.path) if part)
            yield path, file.letters, file.says, terms_of_made(file, corpus.library.sources), group
    for path, letters, says, heading in corpus.game.exports.list_files(corpus):
        yield path, letters, says, OPEN_LICENCE, heading


def _list_folder_files(folder: str, corpus: Corpus) -> Iterator[tuple[ExportFile, str]]:
    """Yield the files of every format in a folder, each with its heading, and the README; nothing if there are none."""
    forms = {name: form for name, form in list_export_formats(corpus.game).items() if form.folder == folder}
    files = [(file, form.title) for form in forms.values() for file in form.write(corpus)]
    if files:
        yield from files
        yield make_folder_readme(forms, [file for file, _ in files], corpus), next(iter(forms.values())).title


def _pack_archives(entries: Iterable[_FileEntry], corpus: Corpus) -> Iterator[_FileEntry]:
    files = tuple(entries)
    terms = f"those of each file; see {RIGHTS_FILE} inside"
    for name, (says, groups) in _list_archives(corpus).items():
        inside = [file for file in files if file[4] in groups or not groups]
        if inside:
            yield f"{DOWNLOADS_FOLDER}/{name}.zip", zip_files(name, inside, corpus.release), says, terms, GROUP_ARCHIVES


def _list_archives(corpus: Corpus) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """Return what is in each archive, and the headings that it holds; the first names none, and holds everything."""
    formats, stem = list_export_formats(corpus.game), corpus.file_stem
    tables = tuple(form.title for form in formats.values() if not form.folder)
    opened = " with a notebook that opens them" if "notebook" in formats else ""
    return {
        f"{stem}-all": ("everything on this page, the other archives apart", ()),
        f"{stem}-texts": (
            "the texts and translations in TEI, with their schema, and the TEI with coding and critical apparatus",
            (GROUP_TEXTS, GROUP_SCHEMAS, formats["tei"].title),
        ),
        f"{stem}-tables": (f"the tables (CSV, JSON){opened}", tables),
        f"{stem}-parquet": ("the tables with types (Parquet)", (formats["parquet"].title,)),
        f"{stem}-cldf": ("the CLDF dataset", (formats["cldf"].title,)),
        **corpus.game.exports.archives,
    }


_COMPRESSION_LEVEL = 4  #: how hard letters are packed, of 9; to do without the last few bytes is to be done much sooner


def zip_files(name: str, inside: Iterable[_FileEntry], release: Release) -> bytes:
    """Pack files into a ZIP: sorted, with one fixed day, so that equal files make an equal ZIP."""
    rows = sorted((file[0], file[1]) for file in inside)
    rights = format_rights_text(inside, release).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, letters in [(RIGHTS_FILE, rights), *rows]:
            entry = make_zip_entry(f"{name}/{path.removeprefix(f'{DOWNLOADS_FOLDER}/')}", ZIP_EPOCH)
            archive.writestr(entry, letters, compresslevel=_COMPRESSION_LEVEL)
    return buffer.getvalue()


def format_rights_text(inside: Iterable[_FileEntry], release: Release) -> str:
    """Format the terms of use of each file, as a text that travels with them."""
    head = f"{release.title}, version {release.version}, {release.dated}. {release.message}\n"
    terms = "".join(f"{name}: {LICENCE_URLS[name]}\n" for name in release.licences if name in LICENCE_URLS)
    rows = "".join(f"{file[0].removeprefix(f'{DOWNLOADS_FOLDER}/')}\t{file[3]}\n" for file in sorted(inside))
    return f"{head}\n{terms}\n{rows}"


# --- all of it ----------------------------------------------------------------------------------------------


@cached_on_corpus
def collect_downloads(corpus: Corpus) -> Downloads:
    """Collect every file of the edition's data, each with its size and checksum."""
    note_reads([ANY_FILE])
    entries = [*list_source_files(corpus), *_list_generated_files(corpus)]
    return _describe_downloads([*_pack_archives(entries, corpus), *entries])


@cached_on_corpus
def collect_kept_texts(corpus: Corpus) -> Downloads:
    """Collect the files of the sources as they are kept, without those of clauses."""
    return _describe_downloads([file for file in list_source_files(corpus) if not file[0].endswith(f"/{CLAUSES_FILE}")])


def _describe_downloads(entries: Sequence[_FileEntry]) -> Downloads:
    files = tuple(
        DownloadFile(path, says, licence, group, len(letters), hashlib.sha256(letters).hexdigest())
        for path, letters, says, licence, group in entries
    )
    return Downloads(files, {path: letters for path, letters, *_ in entries})


def plan_downloads(corpus: Corpus) -> SharedTask:
    """Plan to collect them in a process of its own."""

    def keep(results: Sequence[Downloads], words: Set[ClauseWord]) -> None:
        corpus.remember(collect_downloads, results[0], words)

    return SharedTask([partial(collect_downloads, corpus)], keep)


def _format_checksums(downloads: Downloads) -> str:
    """Format the checksums as `sha256sum -c` reads them, by paths from the folder in which the list lies."""
    rows = sorted((_relative_to_downloads(file.path), file.sha256) for file in downloads.files)
    return "".join(f"{sha256}  {path}\n" for path, sha256 in rows)


def _relative_to_downloads(path: str) -> str:
    return path.removeprefix(f"{DOWNLOADS_FOLDER}/") if path.startswith(f"{DOWNLOADS_FOLDER}/") else f"../{path}"


def _format_manifest(downloads: Downloads, release: Release, state: str) -> str:
    rows: list[dict[str, Any]] = [
        {
            "path": _relative_to_downloads(file.path),
            "size": file.size,
            "sha256": file.sha256,
            "media_type": file.media,
            "licence": file.licence,
            "what": file.says,
        }
        for file in sorted(downloads.files, key=lambda file: file.path)
    ]
    head = {"schema": 1, "title": release.title, "version": release.version, "released": release.date or None}
    return format_export_json({**head, "sources": state, "files": rows})


def write_downloads(corpus: Corpus, out: Path) -> None:
    """Write all downloads beside the pages."""
    downloads = collect_downloads(corpus)
    if not downloads.files:
        return
    for path, letters in downloads.letters.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(letters)
    texts = {
        _CHECKSUMS_FILE: _format_checksums(downloads),
        _MANIFEST_FILE: _format_manifest(downloads, corpus.release, corpus.library.digest),
    }
    for name, words in texts.items():
        (out / DOWNLOADS_FOLDER / name).write_text(words, encoding="utf-8", newline="\n")
