"""Fuzz the readers: any input is read, or refused with place, fault and hint.

    python -m proofs.fuzz [--number 40000] [--seed 38] [--again KIND:N]

Valid records, sources, texts (ours and others'), wishes, sheets, sketches, command lines, saved games and stored files
are changed at random and read; the words put into them are those of `sources/schema/`. A deal that can still be read is
settled under every source. No input may end in a traceback, take too long, be refused without a place and a way out, or
be accepted for what it is not. An input depends on the seed, its kind and its number alone, so `--again` repeats one.
"""

from __future__ import annotations

import copy
import datetime
import json
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, cast
from unittest.mock import patch

import yaml
from click.testing import CliRunner

from edition.corpus.corpus import list_library_ids
from edition.corpus.problems import find_all_problems
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation.deal import Found, fill
from engine.generation.partial_deal import WHOLE_DEAL_KEYS, read_sketch
from engine.generation.wishes import Sketch
from engine.settlement.result_json import result
from engine.settlement.settle import settle
from proofs.arguments import ProofParser, run_proof, store_receipt
from reversis.cli.main import cli
from reversis.files.deals import check_deal_references, read_deal_file, sigla_of
from reversis.files.positions import read_positions, restore_deal
from reversis.words.deal_views import view_settlements
from rulebook.answers.values import format_canonical
from rulebook.io.cache import read_cached_library
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import library
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import Receipt, build_receipt
from rulebook.resolve import BadChoice, iter_clause_alternatives, read_choice, resolve
from rulebook.tei.document import open_document
from rulebook.tei.import_plain import LITERAL_LETTERS
from rulebook.tei.import_tei import Taken
from tests.support.library import write_full_library

_COMMAND = "python -m proofs.fuzz --number {number} --seed {seed}"
_FUZZ_CLAIM = (
    "Whatever the readers are given, they read it or refuse it with a place and a way out; every deal that can be read "
    "is settled, refused or left unanswered by every source, without a traceback and in good time; and no text, "
    "sketch, sheet, saved game or kept file is taken for what it does not say."
)
FAULTS = "tracebacks, hangs, silent acceptances, and problems without place or way out"
BOUND = 5.0  #: seconds of the processor for one input
_ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 10**4000, 0.5, float("nan"), "", "\n", "\u2028", "\ud800", "x" * 3000, [], {}, [[]],
    {"a": {"b": []}}, datetime.date(2001, 1, 31),
)  # fmt: skip
_ALIEN_VALUES: tuple[Any, ...] = (b"AS", ("AS", "KH"), {"AS"}, 1j, object, range(3))  #: that no file can hold
_ODD_LETTERS = (
    "\0", "\x07", "\ufeff", "\t", "\r\n", "\u2028", "\u202e", "\u0301", "null", "~", "*a", "&a ", "!!int ", "[", "-1",
    "{a: ", "- ", "? ", '"', "<hi>", "<![CDATA[", "&lol;", "1e400", "12:30:00", "9" * 400,
)  # fmt: skip
_WORD = re.compile(r"\w+")
_TO_TERMINAL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_COLOURS = re.compile(r"\x1b\[\d*(?:;\d+)*m")
_NO_CHANGE = "nothing to change"
_COMMANDS = """show {id}; show {id} --format json; list {kind}; cite {source} quinola; run {deal} --source {source};
run - --source {source}; explain {deal} --source {source} --with {wish}; worlds {deal} --source {source};
compare {source} {other} --deal {deal}; compare {source} {other}; deal random --source {source} --seed {seed};
deal fill --source {source} --wish quinola --seed {seed}; deal fill - --source {source}; variants {source};
session {session} --source {source}; supply {source} --from {other} --deal {deal}"""
_OTHERS_TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><div><head>Of <hi>fish</hi></head>
<p>He pays: <list><item>One fish.</item></list> But <note>so it is</note> nobody<!-- now --> pays <?line x?>it
<pb n="5"/>on <choice><sic>teh</sic><corr>the</corr></choice> table.</p><lg><l>one</l><l>two</l></lg>
<table><row><cell>1</cell></row></table></div></body></text></TEI>"""


# ---- random changes of what is valid
def exchange_words(rng: Random, letters: str) -> str:
    """Exchange two words of one length throughout, such as two cards or seats: much of it stays readable."""
    words = sorted({*_WORD.findall(letters)}) or [""]
    word = rng.choice(words)
    other = rng.choice([candidate for candidate in words if len(candidate) == len(word)])
    return _WORD.sub(lambda match: {word: other, other: word}.get(match[0], match[0]), letters)


def spoil_text(rng: Random, letters: str, words: Sequence[str]) -> bytes:
    """Drop, double, move, replace or insert lines, words, tags or letters; at times, cut the text or flip a bit."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        unit = rng.choice(("\n", " ", "<", ""))
        parts = letters.split(unit) if unit else [*letters, ""]
        at, odd = rng.randrange(len(parts)), rng.choice(_ODD_LETTERS) * rng.choice((1, 1, 1, 300, 5000))
        double = [parts[at]] * (rng.choice((2, 300)) if len(parts[at]) < 60 else 2)
        new = rng.choice(([], [rng.choice(parts)], double, [rng.choice(words)], [odd]))
        parts[at : rng.choice((at, at + 1, at + 1, at + 1, at + 5, None))] = new
        letters = unit.join(parts)
    octets = bytearray(letters.encode("utf-8", "surrogatepass"))
    if octets and rng.random() < 0.1:
        octets[rng.randrange(len(octets))] ^= 1 << rng.randrange(8)
    return bytes(octets)


def spoil_data(rng: Random, data: Any, words: Sequence[str], odd: Sequence[Any] = _ODD_VALUES) -> Any:
    """Copy nested data and drop, reorder, rename, replace, move, double or retype one to three of its values."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = [*_iter_places(data)] or [([data], 0)]
        (held, key), (elsewhere, other) = rng.choice(places), rng.choice(places)
        match rng.randrange(5), held:
            case 0, _:
                del held[key]
            case 1, list():
                rng.shuffle(held)
            case 1, dict():
                held[rng.choice(words)] = held.pop(key)
            case _:
                changed = spoil_text(rng, str(held[key]), words).decode("utf-8", "replace")
                new = (elsewhere[other], rng.choice(odd), rng.choice(words), [held[key]] * 2, changed)
                held[key] = copy.deepcopy(rng.choice(new))
    return data


def _iter_places(data: Any) -> Iterator[tuple[Any, Any]]:
    for key in [*data] if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from _iter_places(data[key])


def spoil_file(rng: Random, letters: str, words: Sequence[str], form: str = "") -> bytes:
    """Leave a file as it is, or exchange words, or change its letters, or the values of its *form*, YAML or JSON."""
    way = rng.random()
    if way < 0.1:
        return letters.encode()
    if way < 0.5 or form == "words":
        return exchange_words(rng, letters).encode()
    if way < 0.75 or not form:
        return spoil_text(rng, letters, words)
    data = spoil_data(rng, parse_yaml(letters) if form == "yaml" else json.loads(letters), words)
    return (dump_yaml(data) if form == "yaml" else json.dumps(data, default=str)).encode("utf-8", "surrogatepass")


def parse_yaml(letters: str) -> Any:
    """Parse YAML that is in order."""
    return read_yaml(letters)[0]


def dump_yaml(data: Any) -> str:
    """Serialise data as YAML."""
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


# ---- what inputs are made of, and what must come of them
class RefusedInput(Exception):
    """Raised for an input that was refused, with its problems, and the lines that it has, if it is one file."""

    def __init__(self, problems: Iterable[Problem], octets: bytes = b"") -> None:
        self.problems = [*problems]
        self.lines = octets.count(b"\n") + octets.count(b"\r") + 2 if octets else 0


@dataclass
class FuzzBench:
    """Material of which inputs are made, and the folder for them."""

    folder: Path
    library: Library
    settled: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Collect what is valid: records, wishes, words of the schemas, and a small library in order."""
        root, self.sigla = Path(self.library.root), sigla_of(self.library)
        self.deals = [(root / path).read_text(encoding="utf-8") for path in self.library.deals]
        self.rulesets = [resolve(self.library, siglum) for siglum in self.library.sources]
        rulings = [ruling for ruleset in self.rulesets for ruling in ruleset.rulings.values()]
        self.wishes = [f"{ruling.id}={format_canonical(ruling.value)}" for ruling in rulings]
        self.wishes += [f"{ruling.question}@{ruling.source}" for ruling in rulings]
        self.wishes += [alternative.id for _, alternative in iter_clause_alternatives(self.library.clauses())]
        schemas = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(root.glob("schema/*.json"))]
        texts = {str(text) for held, key in _iter_places(schemas) for text in (key, held[key]) if isinstance(text, str)}
        self.words = [*sorted(text for text in texts if len(text) < 30), *self.wishes]
        self.small = write_full_library(self.folder / "small" / "sources", parse_yaml(self.deals[0]))

    @cached_property
    def sheets(self) -> Mapping[str, str]:
        """The sheets of the small library."""
        return {siglum: feed_command(["--sources", str(self.small), "sheet", siglum]) for siglum in ("AAA", "BBB")}

    @cached_property
    def games(self) -> Sequence[str]:
        """A game of two deals under every source, played at random, the last broken off."""
        return [self._play_game(siglum) for siglum in self.library.sources]

    def _play_game(self, siglum: str) -> str:
        seats = "--south random --east random --north random --west random --players 4 --seed 3 --deals 2"
        feed_command(["play", "--source", siglum, *seats.split(), "--out", str(self.folder / f"{siglum}.yaml")])
        *_, first, last = (self.folder / f"{siglum}.yaml").read_text(encoding="utf-8").split("---\n")
        deal = parse_yaml(last.replace("--south random", "--south person"))
        return f"{first}---\n{dump_yaml({**deal, 'tricks': deal['tricks'][:7], 'fragment': True})}"

    def write(self, name: str, octets: bytes) -> Path:
        """Write one input."""
        (self.folder / name).write_bytes(octets)
        return self.folder / name

    @contextmanager
    def copy_small(self) -> Iterator[Path]:
        """Copy the small library for one input."""
        try:
            yield Path(shutil.copytree(self.small, self.folder / "tried" / "sources"))
        finally:
            shutil.rmtree(self.folder / "tried")


# ---- how each kind is read
def _read_deal(bench: FuzzBench, name: str, octets: bytes) -> None:
    record = read_deal_file(bench.write(name, octets), name, bench.sigla)
    _settle_read(bench, record.deal, record.problems, octets)
    named = replace(record, file=f"{record.deal.id}.yaml" if record.deal else name)  # its name here is no fault
    if problems := [*check_deal_references(bench.library, named)]:
        raise RefusedInput(problems, octets)


def _settle_read(bench: FuzzBench, deal: Deal | None, problems: Iterable[Problem], octets: bytes = b"") -> None:
    """Settle a deal under every source, and render the results in every form."""
    assert (deal is None) == bool(problems), "neither read nor refused, or both"
    if deal is None:
        raise RefusedInput(problems, octets)
    again, faults = read_deal(write_deal(deal))
    assert again == deal and not faults, "a deal is not what it was once written and read again"
    settled = [settle(deal, ruleset) for ruleset in bench.rulesets]
    bench.settled.update(type(settlement).__name__.lower() for settlement in settled)
    assert all(json.dumps(result(settlement, bench.library.digest), allow_nan=False) for settlement in settled)
    view_settlements(bench.library, deal, settled)


def _read_deal_data(bench: FuzzBench, name: str, octets: bytes) -> None:
    """Read a record that another program hands over, at times with values that no file can hold."""
    data, rng = parse_yaml(octets.decode()), Random(octets)
    data = spoil_data(rng, data, bench.words, (*_ODD_VALUES, *_ALIEN_VALUES)) if rng.random() < 0.5 else data
    _settle_read(bench, *read_deal(data, sigla=bench.sigla))


def _read_library(bench: FuzzBench, name: str, octets: bytes) -> None:
    """Read the small library with one file replaced; a stored result must be as a program wrote it."""
    stored = Path(bench.library.root) / name
    with bench.copy_small() as root:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(octets)
        corpus, problems = find_all_problems(root)
    assert corpus is not None or problems, "no corpus, and no problem"
    changed = name.endswith(".json") and octets != stored.read_bytes()
    assert problems or not changed, "a change goes unnoticed"
    if problems:
        raise RefusedInput(problems, octets if all(problem.file.endswith(name) for problem in problems) else b"")


def _read_wish(bench: FuzzBench, name: str, octets: bytes) -> None:
    try:
        choice = read_choice(bench.library, octets[:3000].decode("utf-8", "surrogateescape"))
        rulesets = [resolve(bench.library, siglum, [choice]) for siglum in bench.library.sources]
    except BadChoice as fault:
        what, _, way_out = re.split(r"( What it says: |; |: neither )", f"{fault}", maxsplit=1)
        raise RefusedInput([Problem(name, 1, 1, what, way_out)]) from fault
    deal, _ = read_deal(parse_yaml(bench.deals[len(octets) % len(bench.deals)]))
    view_settlements(bench.library, cast(Deal, deal), [settle(cast(Deal, deal), ruleset) for ruleset in rulesets])


def _import_text(bench: FuzzBench, name: str, octets: bytes) -> None:
    document, problems = open_document(bench.write(name, octets))
    if document is None:
        raise RefusedInput(problems, octets)
    taken = Taken()
    if not (notation := taken.notation(document.root)):
        raise RefusedInput([Problem(name, 1, 1, "no text", "give a TEI file with a text")])
    lost = find_lost_letters(document.root, taken, notation)
    assert not lost, f"letters are lost: {lost!r}"


def find_lost_letters(root: Any, taken: Taken, notation: str) -> str:
    """Find letters of a file that stand neither in what was taken from it nor in what is shown as left out."""
    for letter, stand_in in LITERAL_LETTERS.items():
        notation = notation.replace(chr(stand_in), chr(letter))
    there = (notation, *(words for left_out in taken.left_out.values() for words in left_out))
    lost = Counter("".join(root.itertext())) - Counter("".join(there))
    return "".join(letter for letter in lost if not letter.isspace())


def feed_sheet(bench: FuzzBench, siglum: str, octets: bytes) -> None:
    """Read a sheet into the small library by the command, twice if it changes anything."""
    with bench.copy_small() as root:
        clauses = root / siglum / "clauses.yaml"
        words = ["--sources", str(root), "sheet", siglum, "--read", str(bench.write("sheet.csv", octets)), "--write"]
        before = clauses.read_bytes()
        try:
            output = feed_command(words)
        except RefusedInput:
            assert clauses.read_bytes() == before, "was refused, and has written"
            raise
        assert (clauses.read_bytes() != before) == (_NO_CHANGE not in output), "says one thing, and does another"
        assert _NO_CHANGE in feed_command(words), "what was written is not what the sheet says"


def _fill_sketch(bench: FuzzBench, name: str, octets: bytes) -> None:
    data, positions, problems = read_yaml(bench.write(name, octets), name)
    sketch, faults = (None, ()) if problems else read_sketch(data, positions.where, sigla=bench.sigla)
    if sketch is None:
        raise RefusedInput([*problems, *faults], octets)
    filled = fill(Random(octets).choice(bench.rulesets), sketch, len(octets), tries=4)
    lost = [*find_lost_parts(sketch, filled.deal)] if isinstance(filled, Found) else []
    assert not lost and str(filled), f"the deal lacks what the sketch has: {', '.join(lost)}"


def find_lost_parts(sketch: Sketch, deal: Deal) -> Iterator[str]:
    """Find parts of a sketch that do not stand in the deal that was made of it."""
    yield from (f"hand {seat}" for seat, cards in sketch.hands.items() if not {*cards} <= deal.hands[seat])
    yield from ["talon"] * (not {*sketch.talon} <= {*deal.talon})
    for at, (row, played) in enumerate(zip_longest(sketch.tricks, deal.tricks, fillvalue=())):
        if any(card not in (None, there) for card, there in zip_longest(row, played[: len(row)])):
            yield f"trick {at + 1}"
    yield from (name for name, value in sketch.rest.items() if getattr(deal, name) != value)
    yield from ["claims"] * (not {*sketch.claims.items()} <= {*deal.claims.items()})


_libraries: dict[str, Library | None] = {}


def feed_command(words: Sequence[str], stdin: bytes = b"") -> str:
    """Run a command in this process. Raises whatever it raises, and RefusedInput for what it refuses."""

    def read_once(key: str) -> Library | None:
        return _libraries.get(key) or _libraries.setdefault(key, read_cached_library(key))

    with patch("rulebook.load.read_cached_library", read_once):
        done = CliRunner().invoke(cli, [*words], input=stdin, color=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    raw = _TO_TERMINAL.search(_COLOURS.sub("", done.output))
    assert raw is None, f"sends U+{ord(raw[0]):04X} to the terminal: {done.output[:200]!r}"
    if done.exit_code:
        raise RefusedInput([Problem("the command line", 1, 1, done.output.strip(), done.output.strip()[-200:])])
    return done.output


def _run_command(bench: FuzzBench, name: str, octets: bytes) -> None:
    words = octets.decode("utf-8", "surrogateescape").replace("\0", "").split(" ")  # no system hands over a zero
    feed_command(words, bench.deals[len(octets) % len(bench.deals)].encode())


def _resume_game(bench: FuzzBench, name: str, octets: bytes) -> None:
    place = bench.write(name, octets)
    feed_command(["play", "--resume", str(place)])
    before, after = (_list_game_plays(content) for content in (octets, place.read_bytes()))
    assert before and len(after) >= len(before), "a deal of the game is lost"
    kept = all(new[:3] == old[:3] and new[3][: len(old[3])] == old[3] for old, new in zip(before, after, strict=False))
    assert kept, "a deal of the game has changed"


def _list_game_plays(octets: bytes) -> list[tuple[object, object, object, list[int]]]:
    deals = map(restore_deal, read_positions(octets.splitlines(keepends=True), "game.yaml"))
    return [(deal.id, deal.dealer, deal.talon, [card for trick in deal.tricks for card in trick]) for deal in deals]


# ---- the kinds: a share in a hundred, a valid input with its name and form, and its reader
_Valid: TypeAlias = Callable[[FuzzBench, Random], tuple[str, str]]
_Reader: TypeAlias = Callable[[FuzzBench, str, bytes], None]


def _pick_file(rng: Random, root: Path, *patterns: str) -> tuple[str, str]:
    path = rng.choice(sorted(path for pattern in patterns for path in root.glob(pattern)))
    return path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def _pick_sketch(bench: FuzzBench, rng: Random) -> tuple[str, str]:
    deal = parse_yaml(rng.choice(bench.deals))
    part = {key: value for key, value in deal.items() if key not in WHOLE_DEAL_KEYS and rng.random() < 0.7}
    return "sketch.yaml", dump_yaml({**part, "tricks": deal["tricks"][: rng.randrange(3)]})


def _pick_command(bench: FuzzBench, rng: Random) -> tuple[str, str]:
    source, other = rng.sample([*bench.library.sources], 2)
    session, deal = (Path(rng.choice([*paths])).stem for paths in (bench.library.sessions, bench.library.deals))
    id, _ = rng.choice([*list_library_ids(bench.library)])
    named = {"source": source, "other": other, "session": session, "deal": deal, "id": id}
    kind, wish = rng.choice(("sources", "questions", "deals", "clauses")), rng.choice(bench.wishes)
    return "", rng.choice(_COMMANDS.split(";")).strip().format(**named, kind=kind, wish=wish, seed=rng.randrange(100))


_STORED = ("receipts/[!r]*.json", "survey/random.json")
INPUT_KINDS: Mapping[str, tuple[int, _Valid, str, _Reader]] = {
    "deal in YAML": (14, lambda bench, rng: ("deal.yaml", rng.choice(bench.deals)), "yaml", _read_deal),
    "deal in JSON": (
        12,
        lambda bench, rng: ("deal.json", json.dumps(parse_yaml(rng.choice(bench.deals)), default=str)),
        "json",
        _read_deal,
    ),
    "deal as data": (8, lambda bench, rng: ("deal", rng.choice(bench.deals)), "words", _read_deal_data),
    "sources in YAML": (
        12,
        lambda bench, rng: _pick_file(rng, bench.small, "**/*.yaml", "*.bib"),
        "yaml",
        _read_library,
    ),
    "text in TEI": (6, lambda bench, rng: _pick_file(rng, bench.small, "*/*.xml"), "", _read_library),
    "wish": (4, lambda bench, rng: ("wish", rng.choice(bench.wishes)), "", _read_wish),
    "text to import": (4, lambda bench, rng: ("others.xml", _OTHERS_TEI), "", _import_text),
    "sheet": (8, lambda bench, rng: rng.choice([*bench.sheets.items()]), "", feed_sheet),
    "sketch": (10, _pick_sketch, "yaml", _fill_sketch),
    "command line": (5, _pick_command, "", _run_command),
    "saved game": (5, lambda bench, rng: ("game.yaml", rng.choice(bench.games)), "", _resume_game),
    "kept file": (12, lambda bench, rng: _pick_file(rng, Path(bench.library.root), *_STORED), "json", _read_library),
}


def make_input(bench: FuzzBench, seed: int, kind: str, number: int) -> tuple[str, bytes]:
    """Make one input: its name, and its octets."""
    _, pick, form, _ = INPUT_KINDS[kind]
    rng = Random(f"{seed}/{kind}/{number}")
    name, letters = pick(bench, rng)
    return name, spoil_file(rng, letters, bench.words, form)


# ---- one input
@dataclass(frozen=True)
class FuzzOutcome:
    """Outcome of one input: read, or refused with its number of problems, or a fault."""

    kind: str
    number: int
    refused: bool = False
    problems: int = 0
    seconds: float = 0.0
    fault: str = ""


class TooSlow(BaseException):
    """An input that takes longer than it should; nothing that catches exceptions may catch it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Stop whatever takes too long, where the system has such a clock."""

    def ring(number: int, frame: object) -> None:
        raise TooSlow

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def feed_input(bench: FuzzBench, seed: int, kind: str, number: int) -> FuzzOutcome:
    """Make one input and read it."""
    name, octets = make_input(bench, seed, kind, number)
    problems, fault, begun = None, "", time.process_time()
    try:
        with limit_time(BOUND):
            INPUT_KINDS[kind][3](bench, name, octets)
    except RefusedInput as refusal:
        problems = refusal.problems
        gaps = (gap for problem in problems for gap in find_problem_gaps(problem, refusal.lines))
        fault = "; ".join(dict.fromkeys(gaps))
    except TooSlow:
        fault = f"took longer than {BOUND} seconds"
    except Exception:
        fault = traceback.format_exc(limit=-6)
    seconds = time.process_time() - begun
    return FuzzOutcome(kind, number, problems is not None, len(problems or ()), seconds, fault)


def find_problem_gaps(problem: Problem, lines: int) -> Iterator[str]:
    """Find what a problem lacks: the place, the fault, or the way out."""
    wanting = {
        "no file": not problem.file.strip(),
        "no line": problem.line < 1 or problem.column < 1,
        "a line that the file does not have": 0 < lines < problem.line,
        "no words": not problem.what.strip(),
        "no way out": re.search(r"(?:^|known are:?|; there are:?)\s*$", problem.way_out) is not None,
    }
    yield from (f"{what}: {problem}" for what, holds in wanting.items() if holds)


# ---- all of them
def feed_all(bench: FuzzBench, number: int, seed: int) -> list[FuzzOutcome]:
    """Feed all inputs, kind by kind, and print the faults."""
    outcomes = []
    for kind, (share, *_) in INPUT_KINDS.items():
        for at in range(-(-number * share // 100)):
            outcomes.append(outcome := feed_input(bench, seed, kind, at))
            if outcome.fault:
                sys.stdout.write(f"{kind}:{at}: {outcome.fault}\n".encode("ascii", "backslashreplace").decode())
    return outcomes


def build_fuzz_receipt(bench: FuzzBench, outcomes: Sequence[FuzzOutcome], number: int, seed: int) -> Receipt:
    """Build the receipt of a run in which nothing went wrong."""
    by_kind = {kind: _count([outcome for outcome in outcomes if outcome.kind == kind]) for kind in INPUT_KINDS}
    settled = {"mutated deals by what a source made of them": dict(sorted(bench.settled.items()))}
    figures = {"inputs": len(outcomes), FAULTS: 0, "by kind": by_kind, **settled}
    command = _COMMAND.format(number=number, seed=seed)
    return build_receipt("fuzz", _FUZZ_CLAIM, command, seed, bench.library.rules_digest, figures)


def _count(outcomes: Sequence[FuzzOutcome]) -> dict[str, int]:
    refused = sum(outcome.refused for outcome in outcomes)
    numbers = {"inputs": len(outcomes), "read": len(outcomes) - refused, "refused": refused}
    return {**numbers, "problems": sum(outcome.problems for outcome in outcomes)}


def main(words: list[str] | None = None) -> int:
    """Run the program."""
    parser = ProofParser("fuzz", __doc__)
    parser.add_number("--number", 40000, "how many inputs")
    parser.add_seed(38)
    parser.add_argument("--again", metavar="KIND:N", default="", help="show one input and what is said of it")
    given = parser.parse_args(words)
    place = parser.choose_place(given, _COMMAND.format(number=given.number, seed=given.seed))
    with tempfile.TemporaryDirectory() as folder:
        bench = FuzzBench(Path(folder), library())
        if given.again:
            kind, _, number = given.again.rpartition(":")
            print(make_input(bench, given.seed, kind, int(number)), feed_input(bench, given.seed, kind, int(number)))
            return 0
        outcomes = feed_all(bench, given.number, given.seed)
        wrong, slowest = sum(bool(outcome.fault) for outcome in outcomes), max(outcome.seconds for outcome in outcomes)
        print(f"{len(outcomes)} inputs, {wrong} faults; the slowest took {slowest:.2f} s")
        if not wrong:
            store_receipt(place, build_fuzz_receipt(bench, outcomes, given.number, given.seed))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(run_proof(main))
