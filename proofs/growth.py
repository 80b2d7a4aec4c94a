"""Build time and memory with 10, 30 and 100 synthetic sources.

The real edition is compared with Sphinx building as many plain pages.

    python -m proofs.growth [--sources 10 30 100] [--questions 120] [--deals 2] [--seed 1]

Every library is built in a process of its own, then built again after one clause has been edited. What is measured
is the time of the processors, of all processes together, because it hardly depends on what else the machine does; and
the memory that all of them hold at any one moment. The real edition is held against what Sphinx alone, with the same
theme, needs for as many plain pages of the same size, that is with as many bytes of HTML in paragraphs; what it needs
for the bare words of the edition, without a single link or mark, is told beside it. Where a limit is broken there is
no receipt.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import asdict, dataclass
from io import StringIO
from itertools import cycle
from pathlib import Path
from threading import Event, Thread
from typing import TypeAlias

from proofs.arguments import ProofParser, run_proof, store_receipt
from proofs.synthetic_library import (
    SYNTHETIC_DEALS,
    SYNTHETIC_QUESTIONS,
    dump_synthetic_data,
    write_synthetic_library,
)
from rulebook.load import library
from rulebook.program_options import make_number_type
from rulebook.receipts import build_receipt
from rulebook.sources.paths import find_sources

_CLAIM = (
    "Built from more and more invented sources, the edition takes about as long for each of many as for each of few "
    "and stays within two gigabytes; where there are many sources, one edited clause costs less than a tenth of a "
    "build; and the real edition takes no more than three times as long as Sphinx for as many plain pages of the same "
    "size. Measured on one machine."
)
_COMMAND = "python -m proofs.growth --sources {sources} --questions {questions} --deals {deals} --seed {seed}"
_SOURCE_COUNTS = (10, 30, 100)
_PARAGRAPH_WORDS = 60  #: words in a plain paragraph


@dataclass(frozen=True, slots=True)
class BuildCost:
    """Time, memory and output of a build process and its children."""

    seconds: float  #: of the processors
    wall: float
    memory: int  #: MiB, of all of them together, at the worst moment
    pages: int
    megabytes: float  #: of all pages


#: Costs of building so many sources, and of building them again after one clause was edited.
GrowthMeasurement: TypeAlias = tuple[int, BuildCost, BuildCost]


# ---- what must hold
def iter_growth_limits(
    grown: Sequence[GrowthMeasurement], real: BuildCost, plain: BuildCost
) -> Iterator[tuple[str, float, float]]:
    """Yield name, measured value and upper limit of everything that is limited."""
    (few, small, _), (many, large, again) = grown[0], grown[-1]
    names = f"at {many} and at {few} sources"
    yield f"seconds for each source, {names}", (large.seconds / many) / (small.seconds / few), 1.3
    for sources, *costs in grown:
        yield f"MiB at {sources} sources", max(cost.memory for cost in costs), 2048
    # A few sources are built so quickly that to start Python and Sphinx alone takes more than a tenth of it.
    yield f"one clause and the whole, at {many} sources", again.seconds / large.seconds, 0.1
    yield "the real edition and as many plain pages of the same size", real.seconds / plain.seconds, 3


# ---- measuring
def measure_build(command: Sequence[str], out: Path) -> BuildCost:
    """Run a build command and return its cost. Raises CalledProcessError if it fails."""
    began, before = time.perf_counter(), os.times()
    process, done, most = subprocess.Popen(command, stdout=subprocess.DEVNULL), Event(), [0]

    def watch_memory() -> None:
        while not done.wait(0.5):
            most[0] = max(most[0], measure_process_memory(process.pid))

    watch = Thread(target=watch_memory)
    watch.start()
    code = process.wait()
    done.set()
    watch.join()
    if code:
        raise subprocess.CalledProcessError(code, command)
    wall, after = time.perf_counter() - began, os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    pages = list(out.rglob("*.html"))
    size = sum(path.stat().st_size for path in pages) / 1e6
    return BuildCost(round(seconds, 1), round(wall, 1), most[0], len(pages), round(size, 1))


def measure_process_memory(root: int) -> int:
    """Return the MiB of a process and its children, shared memory once; 0 if the system is mute."""
    known = {int(path.name): path for path in Path("/proc").glob("[0-9]*")}
    parents = {pid: read_proc_number(path / "stat", r"\) \S (\d+)") for pid, path in known.items()}
    family, fresh = {root}, {root}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh} - family
        family |= fresh
    family &= known.keys()
    return sum(read_proc_number(known[pid] / "smaps_rollup", r"Pss: +(\d+) kB") for pid in family) // 1024


def read_proc_number(path: Path, pattern: str) -> int:
    """Read a number from a file of /proc; 0 if the process has just ended."""
    try:
        match = re.search(pattern, path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return 0
    return int(match[1]) if match else 0


# ---- building
def build_synthetic_edition(out: Path, sources: Path, hand: Path | None = None) -> int:
    """Build an edition; runs in a process of its own, see `measure_build`."""
    from edition.site.build import build_html

    with redirect_stderr(StringIO()) as output:
        failed = build_html(out, warnings_as_errors=False, sources=sources, by_hand=hand)
    if failed:
        sys.stderr.write(output.getvalue()[-2000:])
    return failed


def build_plain_pages(out: Path, pages: Path) -> int:
    """Build plain pages with Sphinx alone, in the theme of the edition."""
    from sphinx.application import Sphinx

    from edition.site.build import count_processes

    set_ = {"extensions": ["myst_parser"], "html_theme": "alabaster", "project": "Plain pages"}
    gc.set_threshold(1_000_000, 20, 20)  # ours are collected as seldom
    app = Sphinx(pages, None, out, out.parent / "trees", "html", set_, None, None, parallel=count_processes("auto"))
    app.build()
    return app.statuscode


def _make_build_command(what: str, *paths: Path) -> list[str]:
    return [sys.executable, "-m", "proofs.growth", what, *map(str, paths)]


def write_stub_pages(into: Path) -> Path:
    """Write the handwritten pages, without the references to the real sources."""
    from edition.game import read_game
    from edition.text.handwritten_pages import list_page_folders, read_handwritten_pages

    root = find_sources()
    for name, words in read_handwritten_pages(list_page_folders(read_game(root)[0], root)).items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(re.sub(r"\{edition:\w+\}`([^`]*)`", r"\1", words), encoding="utf-8", newline="\n")
    return into


def measure_growth(folder: Path, number: int, questions: int, deals: int, seed: int) -> GrowthMeasurement:
    """Build a library of a given size, and again after editing one clause."""
    root = write_synthetic_library(folder, number, questions, deals, seed)
    out, hand = folder / "html", write_stub_pages(folder / "hand")
    full = measure_build(_make_build_command("build", out, root, hand), out)
    siglum = list(library(root).sources)[-1]
    page = out / "clauses" / f"{siglum}.html"
    before = page.read_bytes()
    clauses = root / siglum / "clauses.yaml"
    first, *rows = json.loads(clauses.read_text(encoding="utf-8"))
    clauses.write_text(dump_synthetic_data([{**first, "cert": "high"}, *rows]), encoding="utf-8", newline="\n")
    again = measure_build(_make_build_command("build", out, root, hand), out)
    if page.read_bytes() == before:
        raise AssertionError(f"{page.name} does not say what was edited")
    return number, full, again


# ---- plain pages
def write_plain_pages(built: Path, into: Path, sized: bool) -> Path:
    """Write a plain page for each built page; if *sized*, its words repeat until the size agrees."""
    names = []
    for path, words, size in iter_page_texts(built):
        words = [*_repeat_words_to_size(size, words)] if sized else words
        name = path.relative_to(built).with_suffix("")
        names.append(name.as_posix())
        parts = [" ".join(words[at : at + _PARAGRAPH_WORDS]) for at in range(0, len(words), _PARAGRAPH_WORDS)]
        page = into / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("\n\n".join([f"# {name.name}", *parts, ""]), encoding="utf-8", newline="\n")
    top = [name for name in names if "/" not in name and name != "index"]  # as in the edition: the rest is not listed
    tree = "\n".join(["", "```{toctree}", ":hidden:", "", *top, "```", ""])
    with (into / "index.md").open("a", encoding="utf-8", newline="\n") as index:
        index.write(tree)
    return into


def _repeat_words_to_size(size: int, words: Sequence[str]) -> Iterator[str]:
    for word in cycle(words) if words else ():
        if size <= 0:
            return
        size -= len(word.encode("utf-8")) + 1
        yield word


def iter_page_texts(built: Path) -> Iterator[tuple[Path, list[str], int]]:
    """Yield each page of a built edition: path, visible words, bytes of its article."""
    from lxml import etree, html

    for path in sorted(built.rglob("*.html")):
        article = html.parse(str(path)).getroot().find(".//article")
        if article is not None and not path.relative_to(built).parts[0].startswith("_"):
            yield (
                path,
                re.findall(r"\w+[.,;]?", article.text_content()),
                len(etree.tostring(article, encoding="utf-8", with_tail=False)),
            )


def compare_with_plain_pages(folder: Path) -> tuple[BuildCost, BuildCost, BuildCost]:
    """Return the costs of the real edition, of plain pages of the same size, and of the same words."""
    out = folder / "real" / "html"
    real = measure_build(_make_build_command("build", out, find_sources()), out)

    def of_plain(name: str, sized: bool) -> BuildCost:
        site = folder / name / "html"
        pages = write_plain_pages(out, folder / name / "src", sized)
        return measure_build(_make_build_command("plain", site, pages), site)

    return real, of_plain("sized", sized=True), of_plain("worded", sized=False)


# ---- the proof
def _collect_growth_figures(
    measurements: Sequence[GrowthMeasurement], real: BuildCost, plain: BuildCost, worded: BuildCost
) -> Mapping[str, object]:
    rows = {
        f"{sources} sources": {**_format_cost_columns(full), **_format_cost_columns(again, "one clause: ")}
        for sources, full, again in measurements
    }
    return {
        "by sources": rows,
        "the real edition": _format_cost_columns(real),
        "as many plain pages of the same size": _format_cost_columns(plain),
        "as many plain pages of the same words": _format_cost_columns(worded),
        "held to": {
            name: {"found": round(value, 2), "at most": most}
            for name, value, most in iter_growth_limits(measurements, real, plain)
        },
        "cores": os.cpu_count() or 1,
    }


def _format_cost_columns(cost: BuildCost, before: str = "") -> dict[str, float]:
    kept = ("seconds", "memory") if before else tuple(asdict(cost))
    return {f"{before}{name}": value for name, value in asdict(cost).items() if name in kept}


def prove_growth(given: Sequence[str]) -> int:
    """Build and measure everything; write a receipt if all is within the limits."""
    parser, usual = ProofParser("growth", __doc__), list(_SOURCE_COUNTS)
    help_text = f"of editions with so many invented sources (default: {' '.join(map(str, usual))})"
    parser.add_argument("--sources", type=make_number_type(1), nargs="+", default=usual, metavar="N", help=help_text)
    parser.add_number("--questions", SYNTHETIC_QUESTIONS, "that each source answers")
    parser.add_number("--deals", SYNTHETIC_DEALS, "to each source", least=0)
    parser.add_seed(1)
    asked = parser.parse_args(given)
    command = _COMMAND.format(**vars(asked) | {"sources": " ".join(map(str, asked.sources))})
    place = parser.choose_place(asked, command)
    with tempfile.TemporaryDirectory(prefix="growth-") as kept:
        folder, measurements = Path(kept), []
        for number in asked.sources:
            measurements.append(measure_growth(folder / str(number), number, asked.questions, asked.deals, asked.seed))
            print(measurements[-1], flush=True)
        real, plain, worded = compare_with_plain_pages(folder)
    print(real, plain, worded, sep="\n")
    limits = list(iter_growth_limits(measurements, real, plain))
    broken = [name for name, value, most in limits if value > most]
    for name, value, most in limits:
        print(f"{name}: {value:.2f}, at most {most:g}{'  <-- too much' if name in broken else ''}")
    if broken:
        return 1
    figures = _collect_growth_figures(measurements, real, plain, worded)
    receipt = build_receipt("growth", _CLAIM, command, asked.seed, library().rules_digest, figures)
    store_receipt(place, receipt)
    return 0


_BUILDS: Mapping[str, Callable[..., int]] = {
    "build": build_synthetic_edition,
    "plain": build_plain_pages,
}


def main(given: Sequence[str]) -> int:
    """Run the proof, or one of the builds that it starts."""
    if given and given[0] in _BUILDS:
        return _BUILDS[given[0]](*map(Path, given[1:]))
    return prove_growth(given)


if __name__ == "__main__":
    sys.exit(run_proof(lambda: main(sys.argv[1:])))
