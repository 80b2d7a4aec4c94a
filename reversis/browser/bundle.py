"""Files that a browser fetches so that the engine can settle a deal there.

They lie in the folder `play/` of every edition:

- `pyodide/`: Python for browsers, from `vendor/pyodide`, with its licences;
- `reversis.zip`: the modules that settle a deal (`reversis.browser.python_bundle`);
- `library.json`: the checked library (`reversis.browser.library_json`);
- `places.json`: page and anchor of each clause, sentence and question;
- `english.json`: the English of every translated sentence by its id, and the words to be explained in it;
- `deals.js`: the example deals, as a script, so that it can be read from a folder too;
- `results/`: what the engine says of the starting deal and of every example deal, a script for each
  (`reversis.browser.stored_results`);
- `weights/`: the nets of the players at the table, a file for each source that has one;
- `table.js`: deals that have only been dealt, for the table (`reversis.browser.begun_deals`);
- `lessons.js`: the titles of the lessons; `lesson-NAME.js`: what comes of every card (`reversis.table.lessons`);
- `play.json`: what the page lets a reader choose from, and the size of every file;
- `readings.json`: other readings, and questions, fetched when a reader first looks for them.

`sw.js`, at the site's root, keeps them for readers without a network.

Only the page on which deals are settled fetches them, or a link to that page once it is touched.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edition.settings import find_vendor_folder
from engine.deal.model import ANNOUNCED, FAULT_FIELDS, FAULT_KIND_BY_NAME, MISDEAL_STAGES
from engine.deal.writer import write_deal
from engine.generation.requests import drop_blanks
from engine.players.nets import WEIGHTS_FOLDER
from reversis.browser.begun_deals import dump_begun_deals, find_common_shape
from reversis.browser.english_sentences import list_english_sentences
from reversis.browser.library_json import pack_library
from reversis.browser.python_bundle import build_python_bundle
from reversis.browser.stored_results import dump_stored_result, make_starting_record
from reversis.files.deals import readable_deals
from reversis.files.drafts import list_playable_sources
from reversis.table.lessons import dump_lessons
from rulebook.model import Library

if TYPE_CHECKING:
    from edition.citation.places import EditionPlace
    from edition.corpus.corpus import Corpus

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PYODIDE_LOCK = "pyodide-lock.json"
PART_OF_STDLIB = "python_stdlib_part.zip"  #: what a browser gets as python_stdlib.zip: half the size, in half the time
WHOLE_STDLIB = "python_stdlib_whole.zip"  #: what it fetches as well if it misses a module in the part
_PYODIDE_DOCUMENTS = ("LICENSE", "LICENSE-python", "README.md", "package.json")
_TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
_LINKED_KINDS = ("clause", "sentence", "question", "cell", "source", "emendation", "alternative")


def find_python() -> Path:
    """The folder of the browser's Python."""
    return find_vendor_folder("pyodide", PYODIDE_FILES[0])


# ---- what there is to choose from
def _list_choices(library: Library) -> dict[str, Any]:
    """Sources, and what a record may list."""
    return {
        "sources": [
            {"id": siglum, "title": library.sources[siglum].title} for siglum in list_playable_sources(library)
        ],
        "faults": {
            name: {"says": kind.says, "fields": [*kind.needs, *kind.allows]}
            for name, kind in FAULT_KIND_BY_NAME.items()
        },
        "fault_fields": list(FAULT_FIELDS),
        "noticed": list(MISDEAL_STAGES),
        "announced": list(ANNOUNCED),
    }


def _list_readings(library: Library) -> dict[str, Any]:
    """Other readings, and questions: what a reader may answer otherwise than a book."""
    return {
        "readings": [
            {"id": other.id, "kind": other.kind, "source": clause.source, "label": other.label}
            for clause in library.clauses()
            for other in clause.alternatives
        ],
        "questions": [
            {"id": question.id, "slug": question.slug, "asks": question.asks} for question in library.questions.values()
        ],
    }


def _index_places(places: Mapping[tuple[str, str], EditionPlace]) -> dict[str, dict[str, str]]:
    """Addresses of things: kind -> page -> its things in a row, each its name, or `name=anchor` if these differ."""
    index: dict[str, dict[str, str]] = {kind: {} for kind in _LINKED_KINDS}
    for kind, name in sorted(places):
        page, anchor, _ = places[kind, name]
        if kind in index:
            word = name if name == anchor else f"{name}={anchor}"
            index[kind][f"{page}.html"] = f"{index[kind].get(f'{page}.html', '')} {word}".lstrip()
    return index


def list_example_records(library: Library) -> dict[str, dict[str, object]]:
    """Example deals by id, without their expected results, which a reader's changes would outdate."""
    records = {deal.id: write_deal(replace(deal, expect={})) for deal in readable_deals(library)}
    return {name: {**drop_blanks(record), "tricks": record["tricks"]} for name, record in records.items()}


def dump_example_deals(records: Mapping[str, object]) -> str:
    """Example deals as a script: id -> record."""
    return f"globalThis.reversis ??= {{}};\nglobalThis.reversis.exampleDeals = {_encode_json(records).rstrip()};\n"


# ---- laid into the edition
def lay_play(corpus: Corpus, places: Mapping[tuple[str, str], EditionPlace], into: Path) -> None:
    """Write all that a browser needs to settle a deal into a folder of the built edition."""
    library, python = corpus.library, find_python()
    (into / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in (*PYODIDE_FILES, *_PYODIDE_DOCUMENTS):
        shutil.copyfile(python / name, into / "pyodide" / name)
    (into / "pyodide" / "python_stdlib.zip").rename(into / "pyodide" / WHOLE_STDLIB)
    shutil.copyfile(python / PART_OF_STDLIB, into / "pyodide" / "python_stdlib.zip")
    (into / "reversis.zip").write_bytes(build_python_bundle())
    _write_text(into / "library.json", pack_library(library))
    _write_text(into / "places.json", _encode_json(_index_places(places)))
    _write_text(into / "english.json", _encode_json(list_english_sentences(corpus)))
    records = list_example_records(library)
    _write_text(into / "deals.js", dump_example_deals(records))
    _lay_stored_results(library, [make_starting_record(library), *records.values()], into / "results")
    if shape := find_common_shape(library):
        _write_text(into / "table.js", dump_begun_deals(shape))
        for name, script in dump_lessons(library).items():
            _write_text(into / name, script)
    weights = _lay_weights(library, into)
    sizes = {path: (into / path).stat().st_size for path in list_fetched_files()}
    info = json.loads((python / PYODIDE_LOCK).read_text(encoding="utf-8"))["info"]
    lock = {"info": info, "packages": {}}  # so that none is requested
    readings = _list_readings(library)
    empty = dict.fromkeys(readings, ())  # a page left open over an update looks for them here
    choices = {**_list_choices(library), **empty, "sizes": sizes, "weights": weights, "lock": lock}
    _write_text(into / "play.json", _encode_json(choices))
    _write_text(into / "readings.json", _encode_json(readings))


def _lay_stored_results(library: Library, records: Iterable[Mapping[str, object]], into: Path) -> None:
    into.mkdir(exist_ok=True)
    for record in records:
        if script := dump_stored_result(library, record):
            _write_text(into / f"{record['deal']}.js", script)


def _lay_weights(library: Library, into: Path) -> dict[str, int]:
    """Lay out the weights of the nets of every source that has one; return their sizes, by source."""
    (into / "weights").mkdir(exist_ok=True)
    paths = {siglum: WEIGHTS_FOLDER / f"{siglum}.json" for siglum in list_playable_sources(library)}
    known = {siglum: path for siglum, path in paths.items() if path.is_file()}
    for path in known.values():
        shutil.copyfile(path, into / "weights" / path.name)
    return {siglum: path.stat().st_size for siglum, path in known.items()}


def lay_service_worker(play: Path, path: Path) -> None:
    """Write the script that keeps what was laid into *play* for readers without a network."""
    weights = sorted(path.relative_to(play).as_posix() for path in play.glob("weights/*.json"))
    names = [*list_fetched_files(), "english.json", "play.json", "readings.json", *weights]
    digest = sha256(b"".join(sha256((play / name).read_bytes()).digest() for name in names)).hexdigest()[:16]
    files = [f"{play.name}/{name}" for name in names]
    template = (_TEMPLATES / path.name).read_text(encoding="utf-8")
    _write_text(path, template.replace("{{ digest }}", digest).replace("{{ files }}", json.dumps(files)))


def list_fetched_files() -> Iterable[str]:
    """Files that are fetched before the first deal is settled."""
    return (*(f"pyodide/{name}" for name in PYODIDE_FILES), "reversis.zip", "library.json", "places.json")


def _encode_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _write_text(path: Path, letters: str) -> None:
    """Write a text file, with the same bytes on every machine."""
    path.write_text(letters, encoding="utf-8", newline="\n")
