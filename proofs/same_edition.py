"""Compare what two checkouts of the project produce: pages, exports, books, command output, results.

    python -m proofs.same_edition BEFORE [AFTER] [--keep FOLDER]

BEFORE and AFTER are checkouts (AFTER is this one if left out). Each builds the edition, every export and both books
from its own files; exports a second library, Hearts, and builds its pages if it can; builds once more after an edit,
beside a clean build of the edited files; and runs the commands in COMPARED_COMMANDS, every command at least once. What
differs is listed; only what EXEMPTIONS lists is excused. A rebuild of the code that changes no behaviour ends with exit
code 0.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lxml import html

from proofs.twice import describe_byte_difference
from rulebook.io.files import replace_file

_REPO_ROOT = Path(__file__).resolve().parents[1]
SECOND_LIBRARY = "tests/data/hearts"  #: below this checkout; both sides read this one
#: {sources} is a copy of the sources, made for this command; what it writes there or in {out} is compared too.
COMPARED_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check",),
    ("check", "--coverage"),
    ("check", "--needs-code"),
    ("run", "pam-quinola-forced-opposite-last", "--all"),
    ("run", "aca-quinola-forced", "-s", "ACA", "--with", "ACA.o03", "-f", "json"),
    ("run", "aca-talon-tie", "--all", "-f", "html"),
    ("run", "no-such-deal"),
    ("explain", "pam-quinola-forced-opposite-last", "-s", "PAM"),
    ("explain", "pam-quinola-forced-opposite-last", "-s", "PAM", "-f", "json"),
    ("worlds", "ger-anspieler-half", "-s", "GER"),
    ("worlds", "ger-anspieler-half", "-s", "GER", "-f", "json"),
    ("compare", "PAM", "ACA"),
    ("compare", "PAM", "GER", "--deal", "reversis-broken-by-two"),
    ("compare", "PAM", "GER", "--deal", "reversis-broken-by-two", "-f", "json"),
    ("separate", "Q031", "PAM", "ACA"),
    ("session", "pam-basket-renewed"),
    ("session", "pam-basket-renewed", "-f", "json"),
    ("deal", "random", "--source", "GER", "--seed", "7"),
    ("deal", "fill", "--source", "PAM", "--wish", "quinola forced from the side at the last trick", "--seed", "3"),
    ("hint", "pam-quinola-forced-opposite-last", "-s", "PAM", "--trick", "4", "--worlds", "64"),
    ("play", "-s", "MEY", "--south", "skilled", "--seed", "5", "--out", "{out}/game.yaml"),
    ("survey", "--deals", "2000", "--seed", "5"),
    ("survey", "--deals", "2000", "--seed", "5", "-f", "json"),
    ("cite", "PAM", "excepte les dix"),
    ("list",),
    ("list", "questions", "-f", "json"),
    ("list", "deals"),
    ("list", "readings", "-f", "json"),
    ("show", "Q031", "PAM", "PAM.s71", "PAM.c031", "PAM.i03", "PAM.e05", "pam-basket-renewed", "quinola"),
    ("show", "Q031@PAM", "-f", "json"),
    ("variants", "PAM", "--counts"),
    ("variants", "--kind", "substantive", "-f", "csv"),
    ("sheet", "MEY", "--out", "{out}/MEY.csv"),
    ("sheet", "MEY", "--read", "{out}/MEY.csv"),
    ("sheet", "PIE", "--print", "{out}/PIE.html"),
    ("supply", "MEY", "--from", "PAM", "--from", "HOY", "--all-deals"),
    ("supply", "PIE", "--from", "ACA", "--from", "HOY", "--write", "--sources", "{sources}"),
    ("import-text", "HOY", "--sources", "{sources}"),
    (
        *("new-source", "NEW", "--title", "A new book", "--short-title", "New", "--language", "en", "--date", "1800"),
        *("--place", "London", "--author", "", "--exemplar", "none", "--unit", "fish", "--coder", "ed1"),
        *("--rights", "public domain", "--sources", "{sources}"),
    ),
    ("release", "no-number", "2026-12-01"),
    ("serve", "--port", "none"),
    ("run", "-h"),
    ("deal", "random", "-h"),
    ("build", "-h"),
    ("-h",),
    ("help", "run"),
    ("init", "-h"),
    ("chekc",),
)
EXPORTS = ("json", "csv", "cldf", "tei", "bibtex", "annotations", "parquet", "notebook")  #: without what retires
SECOND_EXPORTS = ("json", "csv", "cldf", "tei", "bibtex", "annotations")
BOOKS = ("epub", "pdf")
_SECOND_PAGES, _BUILT = (
    "hearts/html",
    "hearts/built.txt",
)  #: pages of the second library, and the exit code of its build
_MIN_BOOK_PAGES = 20  #: a shorter one was not read whole
FINISHED = ".finished"  #: written last: all outputs of a checkout are there

#: File below the sources -> words in it, and what they become, for the build after an edit.
EDIT: Mapping[str, tuple[str, str]] = {
    "MEY/clauses.yaml": ("because: ", "because: As was said in the second edition. "),
    "questions/60-stake.yaml": ("asks: ", "asks: Once more, "),
    "PAM/notes.yaml": ("an e too few", "one e too few"),
    "PAM/deals/pam-card-turned-up.yaml": ("title: ", "title: Edited, "),
}


@dataclass(frozen=True, slots=True)
class Exemption:
    """A permitted difference: its output, the text blanked before comparing, and why."""

    where: str  #: a regular expression on the name of an output
    blank: str  #: a regular expression on its text; empty: the whole output
    why: str


_PAGES = r"^(html|hearts/html)/"

#: For a comparison with commit c1246e60 or a later one; a later entry needs a reason and a second reader.
EXEMPTIONS: tuple[Exemption, ...] = (
    Exemption(r"(^|/)play/reversis\.zip", "", "the browser's bundle holds the modules themselves"),
    Exemption(_PAGES, r"\?v=[0-9a-f]+", "versions of static files"),
    Exemption(
        _PAGES,
        r"\b(engine|rulebook|edition|proofs|lab|reversis)(/\w+)+\.py",
        "module paths in pages, scripts and style sheets",
    ),
    Exemption(r".*", r"python -m [a-z_.]+", "module paths in printed commands"),
    Exemption(_PAGES, r"sha256:[0-9a-f]{64}(?=[^<]*reversis\.zip)", "fingerprint of the bundle"),
    Exemption(_PAGES + r"play/play\.json$", r'"reversis\.zip":\d+', "size of the bundle"),
    Exemption(_PAGES + r"_static/(?!finding-records).*\.(js|css)$", "", "names of assets and style classes"),
    Exemption(_PAGES + r".*\.html$", r' class="[^"]*"', "names of style classes"),
    Exemption(
        _PAGES + r".*\.html$", r"(?s)<(link|script)[^>]*_static/[^>]*>(</script>)?\s*", "names of files for looks"
    ),
    Exemption(_PAGES + r"api\.html$", "", "pages of developers' documentation"),
    Exemption(r"^commands/[^/]+\.txt$", r"(?<=h\n0\n)(?s:.*)", "help is worded by style, not by behaviour"),
    Exemption(
        r".*",
        r'(?:(?<="sources": ")|(?<="dc:identifier": ")|(?<=released; )|(?<=fingerprint-of-the-sources">)'
        r'|(?<="digest":"))sha256:[0-9a-f]{64}\b|(?<="sha256":")[0-9a-f]{64}|(?<=State of the sources: )[0-9a-f]+'
        r"|(?<=fingerprint )(<span[^>]*>)?[0-9a-f]{16}|(?<=fingerprint of the sources )[0-9a-f]{16}",
        "fingerprints: a comment in the sources may name another module",
    ),
    Exemption(
        r"^html/(downloads(\.folds\.js|\.html)|downloads/(manifest\.json|SHA256SUMS|reversis-(all|texts)\.zip.*))$",
        "",
        "sums of files, and what stands in archives a second time",
    ),
    Exemption(
        r"^html/downloads/sources/schema/[a-z-]+\.rng$", r"(?s)<!--.*?-->", "the heads of the TEI schemas name a commit"
    ),
    Exemption(r"^(html|hearts/html)/linked/", "", "retired: the second set of Web Annotations"),
    Exemption(
        _PAGES + r"clauses/[A-Z]+\.html$",
        r"\.\./(linked|downloads/annotations)/[A-Z]+\.jsonld",
        "pages of clauses lead to the annotations that are left",
    ),
    Exemption(
        _PAGES + r"(citing|downloads|tutorial)\.html$", "", "they say so; and records are shown by what they print"
    ),
    Exemption(
        _PAGES + r"(proofs(/[a-z-]+)?|validation)\.html$",
        r"(?s)(; )?\d+ functions? of the program ha(s|ve) changed since|, but for those whose programs are retired"
        r"|<details><summary>Functions that have changed</summary>.*?</details>"
        r"|(?<=By file</span>).*?</table>|<summary>By file.*?</details>"
        r"|<p>\s*(Faults were put into the rest|What <code>).*?</p>"
        r"|Proofs are repeated before each\s+release\.|Its program is retired:.*?not\s+repeated\.",
        "receipts of retired proofs speak of their revision",
    ),
)


def build_outputs(checkout: Path, out: Path) -> list[str]:
    """Write all that a checkout produces below *out*; return what failed."""
    if out.is_dir() and any(out.iterdir()):
        return [f"{out} holds a part of the outputs: remove it, or name another folder"]
    failures = [
        failure
        for words in list_build_commands(checkout, out)
        if (failure := run_required_command(checkout, out, *words))
    ]
    if failures := failures or build_after_an_edit(checkout, out):
        return failures
    build_second_library(checkout, out)
    for number, words in enumerate(COMPARED_COMMANDS):
        record_command(checkout, out, f"{number:02}-{words[0].lstrip('-')}", words)
    replace_file(out / FINISHED, "")
    return []


def list_build_commands(checkout: Path, out: Path) -> Iterator[tuple[str, ...]]:
    """Yield the commands, all of which must succeed, that write edition, exports and books, and those of Hearts."""
    yield "build", "--output", str(out / "html")
    for form in EXPORTS:
        yield "export", form, str(out / "export" / form)
    for book in BOOKS:
        yield "build", book, "--output", str(out / book)
    hearts = ("--sources", str(_REPO_ROOT / SECOND_LIBRARY))
    yield (*hearts, "check")
    for form in SECOND_EXPORTS:
        yield (*hearts, "export", form, str(out / "hearts/export" / form))


def build_second_library(checkout: Path, out: Path) -> None:
    """Build the pages of the second library, which not every state can; write whether it could below *out*."""
    words = ("--sources", str(_REPO_ROOT / SECOND_LIBRARY), "build", "--output", str(out / _SECOND_PAGES))
    done = run_checkout_command(checkout, out, *words, program=("-m", "edition.cli"))
    replace_file(out / _BUILT, f"{done.returncode}\n")


def build_after_an_edit(checkout: Path, out: Path) -> list[str]:
    """Build the edited sources over a finished build, and from nothing; return what differs, or failed."""
    with tempfile.TemporaryDirectory() as temporary:
        sources, again, clean = (Path(temporary) / name for name in ("sources", "again", "clean"))
        shutil.copytree(checkout / "sources", sources)
        builds = [again, again, clean]
        for number, folder in enumerate(builds):
            words = ("--sources", str(sources), "build", "--output", str(folder))
            if failure := run_required_command(checkout, out, *words):
                return [failure]
            if not number:
                edit_sources(sources)
        return [f"{checkout}: after an edit: {line}" for line in iter_output_differences(again, clean, exempt=False)]


def edit_sources(sources: Path) -> None:
    """Change a word in each file of EDIT; ValueError if the words are not there."""
    for name, (old, new) in EDIT.items():
        text = (sources / name).read_text(encoding="utf-8")
        if old not in text:
            raise ValueError(f"{name}: {old!r} is not there any more: choose other words")
        replace_file(sources / name, text.replace(old, new, 1))


def record_command(checkout: Path, out: Path, name: str, words: Sequence[str]) -> None:
    """Run a command; write what it printed, its exit code and the files it made or changed below *out*."""
    folder, kept = out / "commands" / name, out / "commands" / "files"
    with tempfile.TemporaryDirectory() as temporary:
        sources = Path(temporary) / "sources"
        if "{sources}" in words:
            shutil.copytree(checkout / "sources", sources)
        kept.mkdir(parents=True, exist_ok=True)
        done = run_checkout_command(checkout, out, *(word.format(sources=sources, out=kept) for word in words))
        for path in sources.rglob("*"):
            before = checkout / "sources" / path.relative_to(sources)
            if path.is_file() and not (before.is_file() and before.read_bytes() == path.read_bytes()):
                target = folder / path.relative_to(sources)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        printed = f"$ reversis {' '.join(words)}\n{done.returncode}\n{done.stdout}\n--\n{done.stderr}"
        names = {str(sources): "SOURCES", str(kept): "FILES", str(checkout): "CHECKOUT"}
        for long, short in names.items():
            printed = printed.replace(long, short)
        replace_file(out / "commands" / f"{name}.txt", printed)


def run_required_command(checkout: Path, out: Path, *words: str) -> str:
    """Run a command that must succeed; return the failure, or an empty string."""
    done = run_checkout_command(checkout, out, *words)
    last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
    return f"{checkout}: reversis {' '.join(words)}: exit code {done.returncode}: {last}" if done.returncode else ""


def run_checkout_command(
    checkout: Path, out: Path, *words: str, program: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command of a checkout on its own sources; *program* is the way to start it, if not as users do."""
    cache = out.parent / f"{out.name}-cache"
    env = {
        **os.environ,
        "PYTHONPATH": str(checkout),
        "XDG_CACHE_HOME": str(cache),
        "LOCALAPPDATA": str(cache),
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    command = [sys.executable, *(program or ("-c", _ENTRY_POINT_CODE)), *words]
    return subprocess.run(
        command, cwd=checkout, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


#: A checkout's own entry point, wherever it lives.
_ENTRY_POINT_CODE = """
import sys, tomllib
from importlib.metadata import EntryPoint
value = tomllib.load(open('pyproject.toml', 'rb'))['project']['scripts']['reversis']
sys.argv[0] = 'reversis'
sys.exit(EntryPoint('reversis', value, 'console_scripts').load()())
"""


def iter_output_differences(before: Path, after: Path, *, exempt: bool = True) -> Iterator[str]:
    """Yield every output that differs, with the first place where it does; *exempt* excuses what EXEMPTIONS lists."""
    old, new = read_outputs(before), read_outputs(after)
    exemptions = EXEMPTIONS if exempt else ()
    if old.get(_BUILT, b"0\n") != b"0\n":  # its pages could not be built before: they must be there, whatever they say
        old[_BUILT] = b"0\n"
        new = {name: data for name, data in new.items() if not name.startswith(_SECOND_PAGES)}
    for name in sorted(old.keys() | new.keys()):
        if any(not rule.blank and re.search(rule.where, name) for rule in exemptions):
            continue
        if name not in old or name not in new:
            yield f"{name}: only {'before' if name in old else 'after'}"
            continue
        a = normalise_output(name, old[name], before, exemptions)
        b = normalise_output(name, new[name], after, exemptions)
        if a != b and not (exempt and name.endswith("objects.inv") and keeps_every_address(a, b)):
            yield f"{name}: {describe_byte_difference(a, b)}"


def read_outputs(folder: Path) -> dict[str, bytes]:
    """Return the content of every output by its name, without caches of a build; of an archive, its members."""
    outputs: dict[str, bytes] = {}
    for path in (path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if re.search(r"-work/|/\.|^\.", name):
            continue
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                outputs |= {f"{name}!{member}": archive.read(member) for member in archive.namelist()}
        else:
            outputs[name] = path.read_bytes()
    return outputs


def normalise_output(name: str, data: bytes, root: Path, exemptions: Sequence[Exemption] = EXEMPTIONS) -> bytes:
    """Return an output without what may differ; a page as its tree of elements, an inventory unpacked."""
    if unpack := _UNPACKERS.get(name.rpartition(".")[2]):
        data = unpack(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    if name.endswith(".html") and text.lstrip().startswith("<"):
        text = str(html.tostring(html.document_fromstring(text.encode()), encoding="unicode"))
    for exemption in exemptions:
        if exemption.blank and re.search(exemption.where, name):
            text = re.sub(exemption.blank, "", text)
    return text.replace(str(root), "OUT").encode()


def _unpack_inventory(data: bytes) -> bytes:
    head, _, packed = data.partition(b"zlib.\n")
    return head + b"\n" + (zlib.decompress(packed) if packed else b"")


def _read_parquet(data: bytes) -> bytes:
    """Rows and types of a table, without what it says of itself."""
    from pyarrow import BufferReader, parquet

    table = parquet.read_table(BufferReader(data)).replace_schema_metadata(None)
    return f"{table.schema}\n{table.to_pylist()}".encode()


def _read_pdf(data: bytes) -> bytes:
    """Words of a book. Raises ValueError if it is no whole book."""
    from pypdf import PdfReader

    pages = [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
    if len(pages) < _MIN_BOOK_PAGES:
        raise ValueError(f"a book of {len(pages)} pages")
    return " ".join(re.sub(r"- ?\n\s*|[-–]", "", "\n".join(pages)).split()).encode()


#: Ending of a name -> the content of such a file, which is packed, as bytes that can be compared.
_UNPACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    "inv": _unpack_inventory,
    "parquet": _read_parquet,
    "pdf": _read_pdf,
}


def keeps_every_address(before: bytes, after: bytes) -> bool:
    """Return whether an inventory still has every line of another: old roles stay as aliases of new ones."""
    return {*before.splitlines()} <= {*after.splitlines()}


def main(words: Sequence[str] | None = None) -> int:
    """Compare two checkouts; 1 if they differ beyond the exemptions, or fail to build."""
    parser = argparse.ArgumentParser(prog="python -m proofs.same_edition", description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path, nargs="?", default=_REPO_ROOT)
    parser.add_argument("--keep", type=Path, help="keep the outputs here; what is there already is not made again")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        sides = {"before": given.before.resolve(), "after": given.after.resolve()}
        missing = [name for name in sides if not (folder / name / FINISHED).is_file()]
        with ThreadPoolExecutor() as pool:
            builds = pool.map(lambda name: build_outputs(sides[name], folder / name), missing)
            failures = [failure for some in builds for failure in some]
        differences = [] if failures else list(iter_output_differences(folder / "before", folder / "after"))
    for line in failures or differences:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write("Nothing was compared.\n" if failures else f"{len(differences)} outputs differ\n")
    return int(bool(failures or differences))


if __name__ == "__main__":
    sys.exit(main())
