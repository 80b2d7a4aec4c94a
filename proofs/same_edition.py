"""Compare what two checkouts of the project produce: pages, exports, books, command output, results.

    python -m proofs.same_edition BEFORE [AFTER]

BEFORE and AFTER are checkouts (AFTER is this one if left out). Each builds the edition, every export and both books
from its own files, and runs the commands in _COMPARED_COMMANDS. What differs is listed; only what EXEMPTIONS lists is
excused. A rebuild of the code that changes no behaviour ends with exit code 0.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lxml import html

from rulebook.io.files import replace_file

_REPO_ROOT = Path(__file__).resolve().parents[1]
_COMPARED_COMMANDS: tuple[tuple[str, ...], ...] = (
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
    ("survey", "--deals", "2000", "--seed", "5"),
    ("survey", "--deals", "2000", "--seed", "5", "-f", "json"),
    ("cite", "PAM", "excepte les dix"),
    ("run", "-h"),
    ("deal", "random", "-h"),
    ("build", "-h"),
    ("-h",),
    ("chekc",),
)
EXPORTS = ("json", "csv", "cldf", "tei", "bibtex", "annotations", "parquet")
BOOKS = ("epub", "pdf")
FINISHED = ".finished"  #: written last: all outputs of a checkout are there


@dataclass(frozen=True, slots=True)
class Exemption:
    """A permitted difference: its output, the text blanked before comparing, and why."""

    where: str  #: a regular expression on the name of an output
    blank: str  #: a regular expression on its text; empty: the whole output
    why: str


EXEMPTIONS: tuple[Exemption, ...] = (
    Exemption(r"^html/play/reversis\.zip$", "", "the browser's bundle holds the modules themselves"),
    Exemption(r"^html/", r"\?v=[0-9a-f]+", "versions of static files"),
    Exemption(
        r"^html/", r"\b(engine|rulebook|edition|proofs)(/\w+)+\.py", "module paths in pages, scripts and style sheets"
    ),
    Exemption(
        r"^html/proofs\.html$", r"(?s)<table(?:(?!</table>).)*?by file.*?</table>", "a table of the program's files"
    ),
    Exemption(r".*", r"python -m [a-z_.]+", "module paths in printed commands"),
    Exemption(r"^html/", r"sha256:[0-9a-f]{64}(?=[^<]*reversis\.zip)", "fingerprint of the bundle"),
    Exemption(r"^html/play/play\.json$", r'"reversis\.zip":\d+', "size of the bundle"),
    Exemption(r"^html/_static/settle-worker\.js$", r"(?<=\.pyimport)\([^)]*\)\.\w+", "names within the bundle"),
    Exemption(r"^html/api\.html$", "", "it prints the program's signatures and docstrings"),
    Exemption(
        r"^html/(proofs|validation)\.html$", r"[\w., ]+( and \d+ more)? ha(s|ve) changed since", "names of functions"
    ),
    Exemption(r"^commands/\d+\.txt$", r"(?<=h\n0\n)(?s:.*)", "help is worded by style, not by behaviour"),
)


def build_outputs(checkout: Path, out: Path) -> list[str]:
    """Write all that a checkout produces below *out*; return what failed."""
    if out.is_dir() and any(out.iterdir()):
        return [f"{out} holds a part of the outputs: remove it, or name another folder"]
    failures = [
        failure for words in list_build_commands(out) if (failure := run_required_command(checkout, out, *words))
    ]
    if failures:
        return failures
    (out / "commands").mkdir(parents=True)
    for number, words in enumerate(_COMPARED_COMMANDS):
        done = run_checkout_command(checkout, out, *words)
        said = f"$ reversis {' '.join(words)}\n{done.returncode}\n{done.stdout}\n--\n{done.stderr}"
        replace_file(out / "commands" / f"{number:02}.txt", said)
    replace_file(out / FINISHED, "")
    return []


def list_build_commands(out: Path) -> Iterator[tuple[str, ...]]:
    """Yield the commands, all of which must succeed, that write edition, exports and books."""
    yield "build", "--output", str(out / "html")
    for form in EXPORTS:
        yield "export", form, str(out / "export" / form)
    for book in BOOKS:
        yield "build", book, "--output", str(out / book)


def run_required_command(checkout: Path, out: Path, *words: str) -> str:
    """Run a command that must succeed; return the failure, or an empty string."""
    done = run_checkout_command(checkout, out, *words)
    last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
    return f"{checkout}: reversis {' '.join(words)}: exit code {done.returncode}: {last}" if done.returncode else ""


def run_checkout_command(checkout: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a checkout on its own sources."""
    cache = out.parent / f"{out.name}-cache"
    env = {
        **os.environ,
        "PYTHONPATH": str(checkout),
        "XDG_CACHE_HOME": str(cache),
        "LOCALAPPDATA": str(cache),
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    command = [sys.executable, "-c", _ENTRY_POINT_CODE, *words]
    return subprocess.run(command, cwd=checkout, env=env, capture_output=True, text=True, check=False)


#: A checkout's own entry point, wherever it lives.
_ENTRY_POINT_CODE = """
import sys, tomllib
from importlib.metadata import EntryPoint
value = tomllib.load(open('pyproject.toml', 'rb'))['project']['scripts']['reversis']
sys.argv[0] = 'reversis'
sys.exit(EntryPoint('reversis', value, 'console_scripts').load()())
"""


def iter_output_differences(before: Path, after: Path) -> Iterator[str]:
    """Yield every output that differs, with the first place where it does."""
    one, other = find_output_files(before), find_output_files(after)
    for name in sorted(one.keys() ^ other.keys()):
        if not _is_exempt_output(name):
            yield f"{name}: only {'before' if name in one else 'after'}"
    for name in sorted(one.keys() & other.keys()):
        if not _is_exempt_output(name):
            a, b = (normalise_output(name, files[name], root) for files, root in ((one, before), (other, after)))
            if a != b:
                yield f"{name}: {describe_output_difference(a, b)}"


def _is_exempt_output(name: str) -> bool:
    return any(not one.blank and re.search(one.where, name) for one in EXEMPTIONS)


def find_output_files(folder: Path) -> dict[str, Path]:
    """Return every output by its name, without the caches of a build."""
    every = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in every}
    return {name: path for name, path in names.items() if not re.search(r"-work/|/\.|^\.", name)}


def normalise_output(name: str, path: Path, root: Path) -> bytes:
    """Return an output without what may differ; a page as its tree of elements."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    for one in EXEMPTIONS:
        if one.blank and re.search(one.where, name):
            text = re.sub(one.blank, "", text)
    text = text.replace(str(root), "OUT")
    if name.endswith(".html") and text.lstrip().startswith("<"):
        return bytes(html.tostring(html.document_fromstring(text.encode())))
    return text.encode()


def describe_output_difference(a: bytes, b: bytes) -> str:
    """Show the first place where two outputs differ, as it stands in both."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(at - 40, 0)
    return f"{a[start : at + 60]!a} | {b[start : at + 60]!a}"


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
            made = pool.map(lambda name: build_outputs(sides[name], folder / name), missing)
            failures = [failure for some in made for failure in some]
        found = [] if failures else list(iter_output_differences(folder / "before", folder / "after"))
    for line in failures or found:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write("Nothing was compared.\n" if failures else f"{len(found)} outputs differ\n")
    return int(bool(failures or found))


if __name__ == "__main__":
    sys.exit(main())
