"""A guide, followed: its steps are taken from the page, built or in Markdown, and done as a reader would do them.

    python tests/support/guide.py PAGE FOLDER      follow a page in a folder, with the shell of this machine

Over every box of the page stands what to do with it, and `DO` below is all that can stand there. Commands go to a
shell, or wherever the caller wants them.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from lxml import html

WINDOWS = sys.platform == "win32"
HERE, ELSEWHERE = (" (Windows)", " (Mac, Linux)") if WINDOWS else (" (Mac, Linux)", " (Windows)")
SHELL = ["powershell", "-NoProfile", "-Command"] if WINDOWS else ["bash", "-c"]
ANYTHING = "…"
MARKDOWN_BOX = re.compile(r"(?:^\*\*(.+):\*\*\n\n)?^```\w*\n((?:(?!```).*\n)*)^```$", re.MULTILINE)
WIDTH = "80"  #: letters in a line of the window: tables are laid out for it

Said = tuple[int, str]  #: the exit code, and all that was printed
Run = Callable[[str, str], Said]  #: a command and what is typed into it -> what came of it
Fields = Mapping[str, str]  #: what is done in the form: Question, Mark, Answer, It says
FillForm = Callable[[str, Fields], str]  #: the siglum, and what is done -> what the form says then


class Astray(AssertionError):
    """A step that cannot be done as it is printed, or whose outcome is another."""


@dataclass(frozen=True)
class Step:
    """A box of the page: what to do with it, and what stands in it."""

    caption: str
    words: str


def steps(page: Path) -> Iterator[Step]:
    """Every box with a caption, in order; those for other machines are left out."""
    for caption, words in boxes(page):
        if not caption.endswith(ELSEWHERE):
            yield Step(caption.removesuffix(HERE), words)


def boxes(page: Path) -> Iterator[tuple[str, str]]:
    """Captions and contents of all boxes; in Markdown a line in bold stands over each."""
    written = page.read_text(encoding="utf-8")
    if page.suffix == ".md":
        yield from ((caption, words.rstrip("\n")) for caption, words in MARKDOWN_BOX.findall(written))
        return
    for box in html.fromstring(written).xpath("//div[contains(@class, 'literal-block-wrapper')]"):
        (caption,) = box.xpath(".//span[@class='caption-text']")
        (words,) = box.xpath(".//pre")
        yield caption.text_content(), words.text_content().rstrip("\n")


@dataclass
class Reader:
    """Somebody who follows a guide in a folder, and has no thoughts of his own."""

    folder: Path
    run: Run
    leave: Callable[[str], None]
    fill_form: FillForm | None = None
    typed: str = ""  #: the command that waits for what it asks or says
    answers: str = ""
    spoken: Said | None = None
    sought: str = ""  #: the words that are to be replaced next
    where: Path = field(default_factory=Path)
    done: list[Step] = field(default_factory=list)

    def follow(self, every: Iterator[Step]) -> None:
        """Do one step after the other."""
        for step in every:
            self.do(step)
            self.done.append(step)
        self.finish()

    def do(self, step: Step) -> None:
        """One step. Raises Astray."""
        for pattern, way in DO.items():
            if found := re.fullmatch(pattern, step.caption):
                if way not in (Reader.asked, Reader.says, Reader.complains):
                    self.finish()
                way(self, step.words, *found.groups())
                return
        raise Astray(f"nobody knows what to do with a box over which stands {step.caption!r}")

    # ---- commands
    def finish(self) -> None:
        """A command of which nothing more is told has to go well."""
        if self.typed and self.spoken is None and self.outcome()[0]:
            raise Astray(f"$ {self.typed}\n{self.outcome()[1]}")
        self.typed, self.answers, self.spoken = "", "", None

    def type(self, words: str) -> None:
        """Type a command."""
        self.typed = words

    def asked(self, words: str) -> None:
        """Answer what is asked: what stands behind the colon."""
        said = [line.partition(":")[2].strip() for line in words.split("\n")]
        self.answers = "".join(f"{line}\n" for line in said)
        for line in words.split("\n"):
            if line.partition(":")[0] not in self.outcome()[1]:
                raise Astray(f"$ {self.typed}\ndoes not ask: {line}\n{self.outcome()[1]}")

    def outcome(self) -> Said:
        """What came of the command; it is run when this is first asked for."""
        if self.spoken is None:
            self.spoken = self.run(self.typed, self.answers)
        return self.spoken

    def says(self, words: str, code: int = 0) -> None:
        """Compare what was printed."""
        done, said = self.outcome()
        if done != code or not agrees(words, said):
            raise Astray(f"$ {self.typed}\nprinted in the guide:\n{words}\nsaid, with exit code {done}:\n{said}")

    def complains(self, words: str) -> None:
        """The same, of a command that finds fault."""
        self.says(words, code=1)

    # ---- files
    def path(self, name: str) -> Path:
        """A file of the folder."""
        return self.folder / name

    def whole(self, words: str, name: str) -> None:
        """Write a file anew."""
        self.write(self.path(name), words + "\n", there=True)

    def fresh(self, words: str, name: str) -> None:
        """Write a file that is not there yet."""
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.write(self.path(name), words + "\n", there=False)

    def write(self, path: Path, words: str, there: bool) -> None:
        """Save."""
        if path.exists() is not there:
            raise Astray(f"{path} is {'not there' if there else 'there already'}")
        path.write_text(words, encoding="utf-8", newline="\n")

    def find(self, words: str, name: str) -> None:
        """Look for a place; it must be one, and one only."""
        self.where, self.sought = self.path(name), words
        if (times := self.where.read_text(encoding="utf-8").count(words)) != 1:
            raise Astray(f"{words!r} stands {times} times in {name}")

    def instead(self, words: str) -> None:
        """Put other words there."""
        old = self.where.read_text(encoding="utf-8")
        self.where.write_text(old.replace(self.sought, words), encoding="utf-8", newline="\n")

    def entries(self, words: str, name: str, first: str, last: str | None = None) -> None:
        """Put other entries in the place of some, from the first line of the one to the last of the other."""
        old = self.path(name).read_text(encoding="utf-8")
        begun = re.search(rf"^- id: {re.escape(first)}\n", old, re.MULTILINE)
        ended = re.search(rf"^- id: {re.escape(last or first)}\n(?:  .*\n)*", old, re.MULTILINE)
        if begun is None or ended is None or ended.start() < begun.start():
            raise Astray(f"{first} or {last or first} does not stand in {name}")
        fresh = old[: begun.start()] + words + "\n" + old[ended.end() :]
        self.path(name).write_text(fresh, encoding="utf-8", newline="\n")

    # ---- the sheet
    def rows(self, words: str, name: str) -> None:
        """Fill in cells of a sheet, and save it as a spreadsheet in a German Windows does."""
        given: dict[str, dict[str, str]] = {}
        question = ""
        for line in words.split("\n"):
            found = re.fullmatch(r"(Q\d+)?\s+(\w+)\s{2,}(\S.*)", line)
            if found is None:
                raise Astray(f"no cell: {line!r}")
            question = found[1] or question
            given.setdefault(question, {})[found[2]] = found[3]
        self.sheet(name, lambda row: given.pop(row["question"], {}))
        if given:
            raise Astray(f"{name} has no row for {', '.join(given)}")

    def rest(self, words: str, name: str) -> None:
        """Fill in a cell of every row that nobody has answered."""
        column, text = words.split()
        self.sheet(name, lambda row: {column: text} if row["answer"] == "?" else {})

    def sheet(self, name: str, fill: Callable[[Mapping[str, str]], Mapping[str, str]]) -> None:
        """Open a sheet, fill in every row, and save it."""
        letters = self.path(name).read_bytes().decode("utf-8-sig")
        table = csv.DictReader(io.StringIO(letters, newline=""), delimiter=letters[len("clause")])
        rows = [row | fill(row) for row in table]
        made = io.StringIO()
        writer = csv.DictWriter(made, table.fieldnames or [], delimiter=";", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
        self.path(name).write_bytes(made.getvalue().encode("utf-8-sig"))

    # ---- the form
    def form(self, words: str, siglum: str) -> None:
        """Answer a question in the form, and compare what it says."""
        if self.fill_form is None:
            raise Astray("there is no form here")
        lines = (re.split(r"\s{2,}", line, maxsplit=1) for line in words.split("\n"))
        fields = {name: text for name, text in lines}
        said = self.fill_form(siglum, fields)
        if not agrees(fields["It says"], said):
            raise Astray(f"printed in the guide:\n{fields['It says']}\nsaid in the form:\n{said}")

    # ---- what goes on
    def stays(self, words: str) -> None:
        """Start something that goes on, and see that it answers."""
        self.leave(words)


DO: Mapping[str, Callable[..., None]] = {
    r"Type this(?: in every new window)?": Reader.type,
    r"It asks, and you answer": Reader.asked,
    r"It says": Reader.says,
    r"It complains": Reader.complains,
    r"In (\S+), instead of everything": Reader.whole,
    r"In (\S+), a new file": Reader.fresh,
    r"In (\S+), find": Reader.find,
    r"Put in its place": Reader.instead,
    r"In (\S+), in place of (\S+)(?: to (\S+))?": Reader.entries,
    r"In (\S+), fill in these cells": Reader.rows,
    r"In (\S+), in every row that still has \?": Reader.rest,
    r"In the form of ([A-Z]+)": Reader.form,
    r"Leave this running in a second window": Reader.stays,
}


def agrees(printed: str, said: str) -> bool:
    """Whether something was said as it is printed: … is anything, and spaces and the slant of a path are no matter."""
    pieces = [re.escape(flat(piece)) for piece in flat(printed).split(ANYTHING)]
    return bool(re.fullmatch(r".*?".join(piece.replace(r"\ ", r"\s+") for piece in pieces), flat(said), re.DOTALL))


def flat(words: str) -> str:
    """In one line, with one space where there are several."""
    return " ".join(words.replace("\\", "/").split())


# ---- with the shell of this machine
@dataclass
class Window:
    """A window for commands: what it was told once in its place, it knows afterwards."""

    folder: Path
    known: list[str] = field(default_factory=list)

    def run(self, command: str, answers: str) -> Said:
        """Run a command as it is printed."""
        print(f"$ {command}", flush=True)
        if command.startswith(("export ", "$env:")):
            self.known.append(command)
        done = subprocess.run(
            [*SHELL, "; ".join([*self.known, command])],
            cwd=self.folder,
            env=os.environ | {"COLUMNS": WIDTH},
            input=answers,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.returncode, done.stdout

    def leave(self, command: str) -> None:
        """Start a command that goes on, fetch the page that it names, and end it."""
        print(f"$ {command}", flush=True)
        with self.going(command) as address, urlopen(address) as answered:
            assert answered.status == 200

    def fill_form(self, siglum: str, fields: Fields) -> str:
        """Send what the form would send: whoever has a browser follows these boxes there."""
        print(f"form: {fields}", flush=True)
        with self.going("reversis serve") as address:
            return send_form(f"{address}code/{siglum}", siglum, fields)

    @contextmanager
    def going(self, command: str) -> Iterator[str]:
        """Start a command that goes on, wait for the address that it names, and end it."""
        log = self.folder / "build" / "serving.log"
        log.parent.mkdir(exist_ok=True)
        program = self.folder / ".venv" / ("Scripts" if WINDOWS else "bin") / command.split()[0]
        with (
            log.open("wb") as kept,
            subprocess.Popen([program, *command.split()[1:]], cwd=self.folder, stdout=kept, stderr=kept) as going,
        ):
            try:
                yield self.address(log, going)
            finally:
                going.terminate()
        log.unlink()

    def address(self, log: Path, going: subprocess.Popen[bytes]) -> str:
        """Wait for the address that is named."""
        for _ in range(1200):
            if found := re.search(r"http://[\d.:]+/", log.read_text(encoding="utf-8", errors="replace")):
                return found[0]
            if going.poll() is not None:
                break
            time.sleep(0.5)
        raise Astray(f"nothing is served: {log.read_text(encoding='utf-8', errors='replace')}")


def send_form(address: str, siglum: str, fields: Fields) -> str:
    """Answer a question as the form does, with its token; what the form would say then."""
    with urlopen(address) as page:
        token = re.search(r'name="edition-token" content="([^"]+)"', page.read().decode("utf-8"))
    assert token
    origin = "/".join(address.split("/")[:3])
    headers = {"X-Edition-Token": token[1], "Origin": origin, "Content-Type": "application/json"}

    def ask(action: str, sent: Any = None) -> Any:
        body = json.dumps(sent).encode("utf-8") if sent else None
        with urlopen(Request(f"{address}/{action}", body, headers)) as answered:
            return json.loads(answered.read())

    state = ask("state")
    row = next(one for one in state["rows"] if one["question"] == fields["Question"])
    one = next(one for one in state["sentences"] if fields["Mark"] in one["text"])
    start = one["text"].index(fields["Mark"])
    marked = {"first": one["id"], "last": one["id"], "start": start, "end": start + len(fields["Mark"])}
    cells = {"answer": fields["Answer"], "status": "stated", "words": fields["Mark"], "place": one["id"]}
    given = {"question": row["question"], "clause": row["clause"], "cells": cells | {"searched": ""}}
    told = ask("answer", given | {"seen": row["seen"], "marked": marked | {"exact": fields["Mark"]}})
    clause = next(one["clause"] for one in told["rows"] if one["question"] == fields["Question"])
    return f"Written to {siglum}/clauses.yaml: {clause}." if told["written"] else "nothing was written"


def main(page: Path, folder: Path) -> int:
    """Follow the page; 0 if all came out as it is printed."""
    every = list(steps(page))
    window = Window(folder)
    reader = Reader(folder, window.run, window.leave, window.fill_form)
    try:
        reader.follow(iter(every))
    except Astray as fault:
        print(f"!! after {len(reader.done)} of {len(every)} steps:\n{fault}")
        return 1
    print(f"{len(reader.done)} steps followed, every one as it is printed")
    return 0 if reader.done else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
