"""How the edition grows: built of 10, 30 and 100 invented sources, and of the real ones beside as many plain pages.

    python -m proofs.growth [--sources 10 30 100] [--questions 120] [--deals 2] [--seed 1]

Every library is built in a process of its own, then built again after one clause has been edited. What is measured
is the time of the processors, of all processes together, because it hardly depends on what else the machine does; and
the memory that all of them hold at any one moment. The real edition is held against what Sphinx alone, with the same
theme, needs for as many plain pages of the same size, that is with as many bytes of HTML in paragraphs; what it needs
for the bare words of the edition, without a single link or mark, is told beside it. Where a limit is broken there is
no receipt.
"""

from __future__ import annotations

import argparse
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

from proofs.synthetic_library import DEALS, QUESTIONS, grow
from rulebook.load import library
from rulebook.receipts import receipt, write_receipt
from rulebook.sources.paths import find_sources

PROOF = "growth"
SAYS = (
    "Built of ever more invented sources, the edition takes about as long for each of many as for each of few and "
    "stays within two gigabytes; where there are many sources, one edited clause costs less than a tenth of a build; "
    "and the real edition takes no more than three times as long as Sphinx for as many plain pages of the same size. "
    "So it was on the machine on which it was tried."
)
SOURCES = (10, 30, 100)
MEBIBYTE = 2**20
LONG = 60  #: words in a plain paragraph


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process and those that it has started have cost."""

    seconds: float  #: of the processors
    wall: float
    memory: int  #: MiB, of all of them together, at the worst moment
    pages: int
    megabytes: float  #: of all pages


@dataclass(frozen=True, slots=True)
class Grown:
    """A library of so many sources, built and built again."""

    sources: int
    full: Cost
    again: Cost  #: after one clause was edited

    @property
    def each(self) -> float:
        """Seconds for each source."""
        return self.full.seconds / self.sources


# ---- what must hold
def limits(grown: Sequence[Grown], real: Cost, plain: Cost) -> Iterator[tuple[str, float, float]]:
    """What is held to what: its name, what came out, and what it may come to at most."""
    small, large = grown[0], grown[-1]
    names = f"at {large.sources} and at {small.sources} sources"
    yield f"seconds for each source, {names}", large.each / small.each, 1.3
    for one in grown:
        yield f"MiB at {one.sources} sources", max(one.full.memory, one.again.memory), 2048
    # A few sources are built so quickly that to start Python and Sphinx alone takes more than a tenth of it.
    yield f"one clause and the whole, at {large.sources} sources", large.again.seconds / large.full.seconds, 0.1
    yield "the real edition and as many plain pages of the same size", real.seconds / plain.seconds, 3


# ---- measuring
def measured(command: Sequence[str], out: Path) -> Cost:
    """Run a command, and tell what it has cost. Raises CalledProcessError if it fails."""
    began, before = time.perf_counter(), os.times()
    process, done, most = subprocess.Popen(command, stdout=subprocess.DEVNULL), Event(), [0]
    watch = Thread(target=watched, args=(process.pid, done, most))
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
    return Cost(round(seconds, 1), round(wall, 1), most[0], len(pages), round(size, 1))


def watched(root: int, done: Event, most: list[int]) -> None:
    """Look again and again how much memory a process and its children hold, until it is done."""
    while not done.wait(0.5):
        most[0] = max(most[0], held(root))


def held(root: int) -> int:
    """MiB that a process and its children hold now, what they share counted once; nought where no system tells it."""
    known = {int(path.name): path for path in Path("/proc").glob("[0-9]*")}
    parents = {pid: parent for pid, path in known.items() if (parent := number(path / "stat", r"\) \S (\d+)"))}
    family, fresh = {root}, {root}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh} - family
        family |= fresh
    return sum(number(known[pid] / "smaps_rollup", r"Pss: +(\d+) kB") for pid in family if pid in known) // 1024


def number(path: Path, pattern: str) -> int:
    """A number in a file of the system; nought when the process has just ended."""
    try:
        found = re.search(pattern, path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return 0
    return int(found[1]) if found else 0


# ---- building
def build(out: Path, sources: Path, hand: Path) -> int:
    """Build an edition; in a process of its own, see `measured`."""
    from edition.site.build import build_html

    with redirect_stderr(StringIO()) as told:
        failed = build_html(out, warnings_as_errors=False, sources=sources, by_hand=hand)
    if failed:
        sys.stderr.write(told.getvalue()[-2000:])
    return failed


def build_plain(out: Path, pages: Path, _: Path) -> int:
    """Let Sphinx alone make plain pages, with the theme of the edition."""
    from sphinx.application import Sphinx

    from edition.site.build import processes, unhurried_collector

    set_ = {"extensions": ["myst_parser"], "html_theme": "furo", "project": "Plain pages"}
    with unhurried_collector():
        app = Sphinx(pages, None, out, out.parent / "trees", "html", set_, None, None, parallel=processes("auto"))
        app.build()
    return app.statuscode


def command(what: str, *paths: Path) -> list[str]:
    """How a process of its own is told to build something."""
    return [sys.executable, "-m", "proofs.growth", what, *map(str, paths)]


def lay_pages(into: Path) -> Path:
    """The pages written by hand, for a library in which nothing is that they name."""
    from edition.site.stubs import by_hand

    for name, words in by_hand():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(re.sub(r"\{reversis:\w+\}`([^`]*)`", r"\1", words), encoding="utf-8", newline="\n")
    return into


def grown(folder: Path, number: int, questions: int, deals: int, seed: int) -> Grown:
    """A library of so many sources, built, and built again after one clause was edited."""
    root, out, hand = grow(folder, number, questions, deals, seed), folder / "html", lay_pages(folder / "hand")
    full = measured(command("build", out, root, hand), out)
    siglum = list(library(root).sources)[-1]
    page = out / "clauses" / f"{siglum}.html"
    before = page.read_bytes()
    edit(root / siglum / "clauses.yaml")
    again = measured(command("build", out, root, hand), out)
    if page.read_bytes() == before:
        raise AssertionError(f"{page.name} does not say what was edited")
    return Grown(number, full, again)


def edit(path: Path) -> None:
    """Make the first clause of a source surer than it was."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    rows[0]["cert"] = "high"
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


# ---- plain pages
def lay_plain(built: Path, into: Path, sized: bool) -> Path:
    """As many pages as a built edition has, each of its words in plain paragraphs, until the size agrees if it must."""
    names = []
    for path, words, size in readable(built):
        words = [*grown_to(size, words)] if sized else words
        name = path.relative_to(built).with_suffix("")
        names.append(name.as_posix())
        parts = [" ".join(words[at : at + LONG]) for at in range(0, len(words), LONG)]
        page = into / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("\n\n".join([f"# {name.name}", *parts, ""]), encoding="utf-8", newline="\n")
    top = [name for name in names if "/" not in name and name != "index"]  # as in the edition: the rest is not listed
    tree = "\n".join(["", "```{toctree}", ":hidden:", "", *top, "```", ""])
    with (into / "index.md").open("a", encoding="utf-8", newline="\n") as index:
        index.write(tree)
    return into


def grown_to(size: int, words: Sequence[str]) -> Iterator[str]:
    """The words again and again, until they and the spaces between them come to so many bytes."""
    for word in cycle(words) if words else ():
        if size <= 0:
            return
        size -= len(word.encode("utf-8")) + 1
        yield word


def readable(built: Path) -> Iterator[tuple[Path, list[str], int]]:
    """Every page of a built edition: the words that a reader sees, nothing in them being a mark; bytes of its text."""
    from lxml import etree, html

    for path in sorted(built.rglob("*.html")):
        article = html.parse(str(path)).getroot().find(".//article")
        if article is not None and not path.relative_to(built).parts[0].startswith("_"):
            yield (
                path,
                re.findall(r"\w+[.,;]?", article.text_content()),
                len(etree.tostring(article, encoding="utf-8", with_tail=False)),
            )


def against_plain(folder: Path) -> tuple[Cost, Cost, Cost]:
    """The real edition; as many plain pages of the same size; as many of the same words."""
    from edition.settings import PAGES

    out = folder / "real" / "html"
    real = measured(command("build", out, find_sources(), PAGES), out)

    def of_plain(name: str, sized: bool) -> Cost:
        made = folder / name / "html"
        return measured(command("plain", made, lay_plain(out, folder / name / "src", sized), PAGES), made)

    return real, of_plain("sized", sized=True), of_plain("worded", sized=False)


# ---- the proof
def figures(found: Sequence[Grown], real: Cost, plain: Cost, worded: Cost) -> Mapping[str, object]:
    """What was found, for the receipt."""
    rows = {f"{one.sources} sources": {**told(one.full), **told(one.again, "one clause: ")} for one in found}
    return {
        "by sources": rows,
        "the real edition": told(real),
        "as many plain pages of the same size": told(plain),
        "as many plain pages of the same words": told(worded),
        "held to": {
            name: {"found": round(value, 2), "at most": most} for name, value, most in limits(found, real, plain)
        },
        "cores": os.cpu_count() or 1,
    }


def told(cost: Cost, before: str = "") -> dict[str, float]:
    """The columns of one measurement."""
    kept = ("seconds", "memory") if before else tuple(asdict(cost))
    return {f"{before}{name}": value for name, value in asdict(cost).items() if name in kept}


def options(given: Sequence[str]) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m proofs.growth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sources", type=int, nargs="+", default=list(SOURCES))
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--deals", type=int, default=DEALS, help="to each source")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(given)


def prove(asked: argparse.Namespace) -> int:
    """Build and measure everything; a receipt if all is within its limits."""
    with tempfile.TemporaryDirectory(prefix="growth-") as kept:
        folder, found = Path(kept), []
        for number in asked.sources:
            found.append(grown(folder / str(number), number, asked.questions, asked.deals, asked.seed))
            print(found[-1], flush=True)
        real, plain, worded = against_plain(folder)
    print(real, plain, worded, sep="\n")
    broken = [name for name, value, most in limits(found, real, plain) if value > most]
    for name, value, most in limits(found, real, plain):
        print(f"{name}: {value:.2f}, at most {most:g}{'  <-- too much' if name in broken else ''}")
    if broken:
        return 1
    row = " ".join(map(str, asked.sources))
    again = f"python -m proofs.growth --sources {row} --questions {asked.questions} --deals {asked.deals}"
    state = library().digest
    one = receipt(PROOF, SAYS, f"{again} --seed {asked.seed}", asked.seed, state, figures(found, real, plain, worded))
    print(write_receipt(find_sources(), one))
    return 0


BUILDS: Mapping[str, Callable[[Path, Path, Path], int]] = {"build": build, "plain": build_plain}


def main(given: Sequence[str]) -> int:
    """The proof itself, or one of the builds that it starts."""
    if given and given[0] in BUILDS:
        out, sources, hand = map(Path, given[1:])
        return BUILDS[given[0]](out, sources, hand)
    return prove(options(given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
