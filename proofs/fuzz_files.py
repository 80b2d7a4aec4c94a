"""Inputs for fuzzing whatever is read besides records.

What is read is put to the proof wherever it can be: an imported text keeps every letter, a sketch stands in the deal
that is made of it, a sheet says what was written from it, a saved game goes on from where it was, and a kept file in
which a letter has changed is noticed.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import pairwise, zip_longest
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch

from click.testing import CliRunner

from edition.cli.main import cli
from edition.coding.history import History, NotUndone, render_edit
from edition.corpus.corpus import list_library_ids
from edition.corpus.releases import Snapshot, read_snapshot, snapshot_letters
from engine.deal.model import Deal
from engine.generation.deal import Found, fill
from engine.generation.partial_deal import WHOLE_DEAL_KEYS, read_sketch
from engine.generation.partial_model import Sketch
from engine.players.policy import NET_DIGESTS, WEIGHTS_FOLDER, find_spoilt_nets, read_net
from proofs.fuzz_inputs import FuzzBench, RefusedInput, letters_of, line_count
from proofs.fuzz_mutations import (
    DATA_MUTATIONS,
    FUZZ_CARDS,
    TYPED_VALUES,
    dump_fuzz_json,
    dump_fuzz_yaml,
    misspell_word,
    mutate_data,
    mutate_deal,
    mutate_tei,
    mutate_text,
    nudge_number,
    replace_word,
)
from reversis.files.attributions import ATTRIBUTIONS_FILE, read_causes
from reversis.files.deals import sigla_of
from reversis.files.positions import read_positions, restore_deal
from reversis.files.separations import SEPARATIONS_FILE, read_partings
from reversis.files.surveys import SURVEYS_FOLDER, read_surveys
from rulebook.io.cache import read_cached_library
from rulebook.io.digests import DIGEST_KEY, add_digest, find_broken_digests
from rulebook.io.strict_yaml import read_yaml
from rulebook.io.transactions import READY, STAGED_NEW, UNDO, UNFINISHED_NAME, recover_folder
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.problems import Problem, SpoiltFile
from rulebook.receipts import RECEIPTS_FOLDER, read_receipt
from rulebook.sheets.columns import COLUMNS, HEADINGS, OPEN_COLUMNS
from rulebook.sheets.csv_form import SEPARATORS, parse_csv, render_csv
from rulebook.sheets.last_export import MEMORY_FILE, RememberedRow, SheetMemory
from rulebook.sheets.ods_form import render_ods
from rulebook.tei.document import open_document
from rulebook.tei.import_plain import LITERAL_LETTERS
from rulebook.tei.import_tei import Taken

Feed: TypeAlias = Callable[[], None]
_TO_TERMINAL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_COLOURS = re.compile(r"\x1b\[\d*(?:;\d+)*m")
_NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NO_CHANGE = "nothing to change"
_EXIT_CODES = (0, 1, 2)


# ---- commands
_libraries: dict[str, Library] = {}


def _read_library_once(key: str) -> Library | None:
    """Take the library from its cached copy once, as if all commands were of one process."""
    if key not in _libraries and (found := read_cached_library(key)) is not None:
        _libraries.clear()
        _libraries[key] = found
    return _libraries.get(key)


def feed_command(words: Sequence[str], stdin: bytes = b"") -> str:
    """Run a command in this process. Raises whatever it raises, and RefusedInput for what it refuses."""
    with patch("rulebook.load.read_cached_library", _read_library_once):
        done = CliRunner().invoke(cli, [*words], input=stdin, color=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in _EXIT_CODES, f"ended with {done.exit_code}"
    raw = _TO_TERMINAL.search(_COLOURS.sub("", done.output))
    assert raw is None, f"sends U+{ord(raw[0]):04X} to the terminal: {done.output[:200]!r}"
    if done.exit_code:
        lines = done.output.strip().splitlines() or [""]
        raise RefusedInput([Problem("the command line", 1, 1, done.output.strip(), lines[-1])])
    return done.output


def _a_command_line(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    words = rng.choice(bench.list_commands(rng))
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 3))):
        words = _spoil_words(rng, words)
    words = [word.replace("\0", "") for word in words]  # no system hands that over
    stdin = dump_fuzz_json(mutate_deal(rng, rng.choice(bench.records))).encode("utf-8", "replace")

    def feed() -> None:
        feed_command(words, stdin)

    return repr(words).encode("utf-8", "backslashreplace"), feed


def _spoil_words(rng: Random, words: Sequence[str]) -> list[str]:
    found, at = [*words], rng.randrange(len(words))
    what = rng.randrange(6)
    if what == 0:
        del found[at]
    elif what == 1:
        found.insert(rng.randrange(1, len(found) + 1), rng.choice((*found, *TYPED_VALUES, "-", "--", "--with", "-q")))
    elif what == 2:
        other = rng.randrange(len(found))
        found[at], found[other] = found[other], found[at]
    elif what == 3:
        found[at] = rng.choice((*TYPED_VALUES, "x" * 5000, "9" * 400, " " * 3000, rng.choice(FUZZ_CARDS)))
    elif what == 4:
        found[at] = rng.choice((misspell_word, replace_word))(rng, found[at])
    else:
        found[at] = mutate_text(rng, found[at])[:6000].decode("utf-8", "surrogateescape")
    return found or [""]


# ---- sheets
def _a_sheet(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    siglum = rng.choice([*bench.sheets])
    cells = [[*row] for row in bench.sheets[siglum]]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        _spoil_cell(rng, cells)
    if rng.random() < 0.2:
        cells = [[_NOT_XML.sub(" ", one) for one in row] for row in cells]
        octets = render_ods(cells, siglum, [one.locked or one.told for one in COLUMNS])
        octets = _flip_octets(rng, octets) if rng.random() < 0.4 else octets
    else:
        letters = render_csv(cells, rng.choice([*SEPARATORS.values()]))
        octets = mutate_text(rng, letters) if rng.random() < 0.4 else letters_of(letters)
    write = rng.random() < 0.5
    return octets, partial(read_sheet_by_command, bench, siglum, octets, write)


def _spoil_cell(rng: Random, cells: list[list[str]]) -> None:
    row = cells[rng.randrange(len(cells)) if rng.random() < 0.1 else rng.randrange(1, len(cells))]
    column = rng.choice(OPEN_COLUMNS) if rng.random() < 0.8 else rng.choice(HEADINGS)
    at = HEADINGS.index(column)
    others = [one[at] for one in cells[1:]]
    row[at] = rng.choice(
        (rng.choice(others), rng.choice(TYPED_VALUES), "-", "?", "n/a", "withdraw", "leader", "2", "3")
    )
    if rng.random() < 0.1:
        rng.shuffle(cells)
    if rng.random() < 0.2:
        row[at] = mutate_text(rng, row[at])[:3000].decode("utf-8", "replace")


def _flip_octets(rng: Random, octets: bytes) -> bytes:
    found = bytearray(octets)
    for _ in range(rng.choice((1, 3, 20))):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found[: rng.randrange(len(found))]) if rng.random() < 0.2 else bytes(found)


def read_sheet_by_command(bench: FilesBench, siglum: str, octets: bytes, write: bool) -> None:
    """Read a sheet into the small library, and undo what that has changed."""
    place, before = bench.folder / "sheet.csv", bench.small_files()
    place.write_bytes(octets)
    words = ["--sources", str(bench.small), "sheet", siglum, "--read", str(place)]
    try:
        said = feed_command([*words, "--write"] if write else words)
        after = bench.small_files()
        changed = f"{siglum}/clauses.yaml" in {name for name in after if after[name] != before.get(name)}
        assert changed == (write and _NO_CHANGE not in said), "says one thing, and does another"
        if changed:
            library, problems = load_library(bench.small)
            assert library is not None or problems, "no library, and no problem"
            assert _NO_CHANGE in feed_command(words), "what was written is not what the sheet says"
    except RefusedInput as told:
        assert bench.small_files() == before, "was refused, and has written"
        raise told
    finally:
        bench.restore_small(before)


# ---- sketches
def _a_sketch(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    whole = rng.choice(bench.records)
    part: Any = {key: one for key, one in whole.items() if key not in WHOLE_DEAL_KEYS and rng.random() < 0.7}
    for line in (one for one in ("hands", "talon", "tricks") if isinstance(part.get(one), (list, dict, str))):
        part[line] = _drop_cards(rng, part[line])
    if rng.random() < 0.4:
        part["wishes"] = " ".join(rng.sample(_WISH_WORDS, rng.randrange(1, 5)))
    part = part if rng.random() < 0.4 else mutate_deal(rng, part)
    letters = dump_fuzz_yaml(part)
    octets = mutate_text(rng, letters) if rng.random() < 0.3 else letters_of(letters)
    return octets, partial(_fill_sketch, bench, octets, rng.choice(bench.rulesets), rng.randrange(10**6))


_WISH_WORDS = (
    "quinola", "ace", "forced", "led", "thrown", "reversis", "broken", "espagnolette", "partie", "table", "four",
    "five", "players", "by", "south", "fifth", "from", "the", "side", "opposite", "at", "last", "trick", "52", "kept",
)  # fmt: skip


def _drop_cards(rng: Random, cards: Any) -> Any:
    if isinstance(cards, dict):
        return {seat: _drop_cards(rng, one) for seat, one in cards.items() if rng.random() < 0.9}
    if isinstance(cards, list):
        return [_drop_cards(rng, one) for one in cards[: rng.randrange(len(cards) + 1)]]
    if not isinstance(cards, str):
        return cards
    gap = rng.choice(("", "_", "_", "?"))
    return " ".join(filter(None, (one if rng.random() < 0.7 else gap for one in cards.split())))


def _fill_sketch(bench: FilesBench, octets: bytes, ruleset: Any, seed: int) -> None:
    (bench.folder / "sketch.yaml").write_bytes(octets)
    data, positions, problems = read_yaml(bench.folder / "sketch.yaml", "sketch.yaml")
    sketch = None
    if not problems:
        sketch, problems = read_sketch(data, positions.where, sigla=sigla_of(bench.library))
        assert (sketch is None) == bool(problems), "neither read nor refused, or both"
    if sketch is None:
        raise RefusedInput(problems, line_count(octets))
    found = fill(ruleset, sketch, seed, tries=4)
    if isinstance(found, Found):
        lost = [*find_lost_parts(sketch, found.deal)]
        assert not lost, f"the deal lacks what the sketch has: {', '.join(lost)}"
    else:
        assert str(found), "no deal, and no word of why"


def find_lost_parts(sketch: Sketch, deal: Deal) -> Iterator[str]:
    """Parts of a sketch that do not stand in the deal that was made of it."""
    yield from (f"hand {seat}" for seat, cards in sketch.hands.items() if not {*cards} <= deal.hands[seat])
    yield from ["talon"] * (not {*sketch.talon} <= {*deal.talon})
    for at, (row, played) in enumerate(zip_longest(sketch.tricks, deal.tricks, fillvalue=())):
        if any(card not in (None, there) for card, there in zip_longest(row, played[: len(row)])):
            yield f"trick {at + 1}"
    yield from (name for name, value in sketch.rest.items() if getattr(deal, name) != value)
    yield from ["claims"] * (not {*sketch.claims.items()} <= {*deal.claims.items()})


# ---- a text that others have encoded
_OTHERS_TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><div><head>Of <hi>fish</hi></head>
<p>He pays: <list><item>One fish.</item></list> But <note>so it is</note> nobody<!-- now --> pays <?line x?>it
<pb n="5"/>on <choice><sic>teh</sic><corr>the</corr></choice> table.</p><lg><l>one</l><l>two</l></lg>
<table><row><cell>1</cell></row></table></div></body></text></TEI>"""


def _a_text_to_import(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    texts = [*Path(bench.library.root).glob("*/text.xml"), *Path(bench.library.root).glob("*/witnesses/*.xml")]
    octets = mutate_tei(rng, rng.choice(sorted(texts)).read_text("utf-8") if rng.random() < 0.2 else _OTHERS_TEI)

    def feed() -> None:
        (bench.folder / "others.xml").write_bytes(octets)
        document, problems = open_document(bench.folder / "others.xml")
        if document is None:
            raise RefusedInput(problems, line_count(octets))
        taken = Taken()
        notation = taken.notation(document.root)
        if not notation:
            raise RefusedInput([Problem("others.xml", 1, 1, "no text", "give a TEI file with a text")])
        lost = find_lost_letters(document.root, taken, notation)
        assert not lost, f"letters are lost: {lost!r}"

    return octets, feed


def find_lost_letters(root: Any, taken: Taken, notation: str) -> str:
    """Letters of a file that stand neither in what was taken from it nor in what is shown as left out."""
    for letter, stand_in in LITERAL_LETTERS.items():
        notation = notation.replace(chr(stand_in), chr(letter))
    there = (notation, *(words for left_out in taken.left_out.values() for words in left_out))
    lost = Counter("".join(root.itertext())) - Counter("".join(there))
    return "".join(letter for letter in lost if not letter.isspace())


# ---- saved games
def _a_saved_game(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    siglum = rng.choice([*bench.games])
    deals = [dict(one) for one in bench.games[siglum]]
    if rng.random() < 0.6:
        deals[-1] = _break_off(rng, deals[-1])
    at = rng.randrange(len(deals))
    if rng.random() < 0.5:
        deals[at] = mutate_deal(rng, deals[at])
    letters = "---\n".join(map(dump_fuzz_yaml, deals))
    if rng.random() < 0.2:
        letters = letters.replace("--south", rng.choice(("--help", "--south 'x", "--out x", "--resume x", "--n", "\\")))
    octets = mutate_text(rng, letters) if rng.random() < 0.2 else letters_of(letters)
    words = rng.choice((("play", "--resume"), ("play", "--resume"), ("run",), ("session", "--source", siglum)))
    return octets, partial(_read_saved_game, bench, octets, words)


def _break_off(rng: Random, deal: Mapping[str, Any]) -> dict[str, Any]:
    """A deal as it is saved within: with a person, who leaves when input ends."""
    note = str(deal["note"]).replace("--south random", "--south person")
    return {**deal, "tricks": deal["tricks"][: rng.randrange(1, 11)], "fragment": True, "note": note}


def _read_saved_game(bench: FilesBench, octets: bytes, words: Sequence[str]) -> None:
    place = bench.folder / "game.yaml"
    place.write_bytes(octets)
    feed_command([*words, str(place)])
    if "--resume" not in words:
        assert place.read_bytes() == octets, "reading has written"
        return
    before, after = _read_game_deals(octets), _read_game_deals(place.read_bytes())
    assert before and len(after) >= len(before), "a deal of the game is lost"
    for old, new in zip(before, after, strict=False):
        same = (old.id, old.dealer, old.talon) == (new.id, new.dealer, new.talon)
        assert same and _list_played(new)[: len(_list_played(old))] == _list_played(old), (
            "a deal of the game has changed"
        )


def _read_game_deals(octets: bytes) -> list[Deal]:
    return [restore_deal(one) for one in read_positions(octets.splitlines(keepends=True), "game.yaml")]


def _list_played(deal: Deal) -> list[int]:
    return [card for trick in deal.tricks for card in trick]


# ---- files that programs have kept
KeptReader: TypeAlias = "Callable[[FilesBench, Path], list[Problem]]"
_KEPT_READERS: Mapping[str, KeptReader] = {  # by folder, or by name
    RECEIPTS_FOLDER: lambda bench, path: read_receipt(path, path.name)[1],
    SURVEYS_FOLDER: lambda bench, path: read_surveys(path.parents[1], bench.library)[1],
    ATTRIBUTIONS_FILE: lambda bench, path: read_causes(path.parent, bench.library)[1],
    SEPARATIONS_FILE: lambda bench, path: read_partings(path.parent, bench.library)[1],
}


def _a_kept_file(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    make = rng.choice((_a_stored_result, _a_stored_result, _a_net, _a_list_of_files, _a_history, _a_memory, _a_release))
    return make(bench, rng)


def _spoil_json(rng: Random, letters: str) -> bytes:
    """A file in which a number or anything else has changed, in its letters or as data."""
    if rng.random() < 0.4:
        return mutate_text(rng, letters)
    slips = (nudge_number,) if rng.random() < 0.5 else DATA_MUTATIONS
    return letters_of(dump_fuzz_json(mutate_data(rng, json.loads(letters), slips)))


def _a_stored_result(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    name = rng.choice([*bench.stored])
    good = bench.stored[name]
    octets, sealed = _spoil_json(rng, good), rng.random() < 0.4
    if sealed:  # by somebody who knows how
        bare = re.sub(rf'^{{"{DIGEST_KEY}": ?"[^"]*", ?', "{", octets.decode("utf-8", "replace"))
        octets = add_digest(bare).encode()

    def feed() -> None:
        root = bench.folder / "kept"
        shutil.rmtree(root, ignore_errors=True)
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
        read = _KEPT_READERS.get(name) or _KEPT_READERS[path.parent.name]
        noticed, problems = [*find_broken_digests([path], root, "write it again")], read(bench, path)
        assert sealed or noticed or octets == good.encode(), "a change goes unnoticed"
        if noticed or problems:
            raise RefusedInput([*noticed, *problems], line_count(octets))

    return f"{name}\n".encode() + octets, feed


def _a_net(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    siglum = rng.choice([*bench.library.sources])
    good = (WEIGHTS_FOLDER / f"{siglum}.json").read_bytes()
    octets, sealed = _spoil_json(rng, good.decode()), rng.random() < 0.4

    def feed() -> None:
        folder = bench.folder / "weights"
        folder.mkdir(exist_ok=True)
        digest = sha256(octets if sealed else good).hexdigest()
        (folder / f"{siglum}.json").write_bytes(octets)
        (folder / NET_DIGESTS).write_text(f"{digest}  {siglum}.json\n", encoding="utf-8")
        noticed = [*find_spoilt_nets(folder)]
        assert bool(noticed) == (not sealed and octets != good), "a change goes unnoticed"
        try:
            read_net.__wrapped__(siglum, folder)
        except SpoiltFile as told:
            raise RefusedInput([told.problem]) from told
        finally:
            shutil.rmtree(folder)
        assert not noticed, "a spoilt net is read"

    return octets, feed


_HOSTILE_PATHS: tuple[object, ...] = (
    "../victim", "../../victim", "/tmp/victim", "a/../../victim", "link/victim", "link", "C:\\victim", "..\\victim", "",
    ".", "..", "a/", "/", UNFINISHED_NAME, f"{UNFINISHED_NAME}/{READY}", ".reversis-lock", "a//b", "a\0b", "x" * 300,
    "kept.yaml", "kept.yaml/b", "~/victim", 5, None, [], {},
)  # fmt: skip


def _a_list_of_files(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    """A stranger's folder, with the list by which a killed command is finished."""
    paths = [rng.choice((*_HOSTILE_PATHS, "new.yaml", "AAA/new.yaml", "old.yaml")) for _ in range(rng.randrange(4))]
    letters, name = dump_fuzz_json(paths), rng.choice((READY, UNDO))
    octets = letters_of(letters) if rng.random() < 0.7 else mutate_text(rng, letters)
    return octets, partial(_recover_strange_folder, bench, octets, name)


def _recover_strange_folder(bench: FilesBench, octets: bytes, name: str) -> None:
    home = bench.folder / "home"
    folder, victim = home / "stranger", home / "victim"
    stage = folder / UNFINISHED_NAME
    try:
        (stage / STAGED_NEW / "AAA").mkdir(parents=True)
        victim.write_text("mine", encoding="utf-8")
        (folder / "link").symlink_to(home, target_is_directory=True)
        for path in ("old.yaml", "kept.yaml"):
            (folder / path).write_text("old", encoding="utf-8")
        for path in ("new.yaml", "AAA/new.yaml", "old.yaml", "victim"):
            (stage / STAGED_NEW / path).write_text("new", encoding="utf-8")
        (stage / name).write_bytes(octets)
        try:
            recover_folder(folder)
        except OSError as fault:
            raise RefusedInput([Problem(name, 1, 1, str(fault.strerror), str(fault))]) from fault
        finally:
            assert victim.read_text(encoding="utf-8") == "mine", "a file outside was changed"
            assert {one.name for one in home.iterdir()} <= {"stranger", "victim"}, "a file outside was made"
        assert not stage.exists(), "what was unfinished lies there still"
    finally:
        shutil.rmtree(home)


def _a_history(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    """The undo list of the form; whatever stands there, an edit is taken back whole or not at all."""
    states = [bench.small_files()["AAA/clauses.yaml"].decode()]
    for _ in range(3):
        states.append(misspell_word(rng, states[-1]))
    history = History(())
    for one, other in pairwise(states):
        history = History((*history.edits, history.record(one, other, "Q001", "an answer")))
    lines = [render_edit(one) for one in history.edits]
    at = rng.randrange(len(lines))
    lines[at] = _spoil_json(rng, lines[at]).decode("utf-8", "replace") + "\n"
    octets = letters_of("".join(lines))

    def feed() -> None:
        try:
            _, before = History.parse(octets.decode("utf-8", "replace")).undo(states[-1])
        except NotUndone as told:
            raise RefusedInput([Problem("the form", 1, 1, told.what, told.way_out)]) from told
        assert before in states, "what is brought back was never there"

    return octets, feed


def _a_memory(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    rows = {"AAA.c001 Q001": RememberedRow(written="a=1", said="a=2", became="a=3")}
    octets = _spoil_json(rng, SheetMemory({"0" * 64: rows}).model_dump_json())

    def feed() -> None:
        cells = dict(zip(HEADINGS, bench.sheets["AAA"][1], strict=True))
        memory = SheetMemory.parse(octets.decode("utf-8", "replace"))
        assert isinstance(memory.recall(bench.folder / "sheet.csv", [cells]), Mapping)
        (bench.small / "AAA" / MEMORY_FILE).parent.mkdir(exist_ok=True)
        (bench.small / "AAA" / MEMORY_FILE).write_bytes(octets)
        read_sheet_by_command(bench, "AAA", render_csv(bench.sheets["AAA"]).encode(), write=False)

    return octets, feed


def _a_release(bench: FilesBench, rng: Random) -> tuple[bytes, Feed]:
    answers, ids = {"PAM": {"Q031": "2"}}, {"clauses": {"PAM.c031": "0f3a9c71be20"}}
    deals = {"pam-revoke": {"PAM": "settled: +1"}}
    octets = _spoil_json(rng, snapshot_letters(Snapshot("0.2.0", "2026-12-01", "sha256:00", ids, answers, deals)))

    def feed() -> None:
        path = bench.folder / "0.2.0.json"
        path.write_bytes(octets)
        read, problems = read_snapshot(path, path.name)
        assert (read is None) == bool(problems), "neither read nor refused, or both"
        if problems:
            raise RefusedInput(problems, line_count(octets))

    return octets, feed


# ---- what they are made of
@dataclass
class FilesBench(FuzzBench):
    """Material of which files besides records are made."""

    @cached_property
    def sheets(self) -> Mapping[str, list[list[str]]]:
        """The sheets of the small library, as they are written out."""
        folder = ["--sources", str(self.small)]
        written = {one: feed_command([*folder, "sheet", one]) for one in ("AAA", "BBB")}
        return {one: [[*row] for row in parse_csv(csv.encode(), HEADINGS).rows] for one, csv in written.items()}

    @cached_property
    def games(self) -> Mapping[str, list[dict[str, Any]]]:
        """A game of two deals under every source, played at random."""
        return {siglum: self._play_game(siglum) for siglum in self.library.sources}

    def _play_game(self, siglum: str) -> list[dict[str, Any]]:
        place = self.folder / f"{siglum}.yaml"
        seats = [word for seat in ("south", "east", "north", "west") for word in (f"--{seat}", "random")]
        words = ["play", "--source", siglum, *seats, "--players", "4", "--seed", "3", "--deals", "2"]
        feed_command([*words, "--out", str(place)])
        read = (read_yaml(one)[0] for one in place.read_text(encoding="utf-8").split("---\n"))
        return [deal for deal in read if isinstance(deal, dict)]

    @cached_property
    def stored(self) -> Mapping[str, str]:
        """Results that programs have stored with the sources; of the large files the beginning."""
        root = Path(self.library.root)
        paths = [path for name in (RECEIPTS_FOLDER, SURVEYS_FOLDER) for path in sorted(root.glob(f"{name}/*.json"))]
        paths += [root / ATTRIBUTIONS_FILE, root / SEPARATIONS_FILE]
        return {path.relative_to(root).as_posix(): _shorten(path) for path in paths}

    def small_files(self) -> Mapping[str, bytes]:
        """Every file of the small library."""
        paths = [path for path in self.small.rglob("*") if path.is_file()]
        return {path.relative_to(self.small).as_posix(): path.read_bytes() for path in paths}

    def restore_small(self, files: Mapping[str, bytes]) -> None:
        """Bring the small library back to what it was."""
        for name, octets in self.small_files().items():
            if name not in files or name.endswith(MEMORY_FILE):
                (self.small / name).unlink()
            elif octets != files[name]:
                (self.small / name).write_bytes(files[name])
        shutil.rmtree(self.small / "AAA" / "backups", ignore_errors=True)

    def list_commands(self, rng: Random) -> list[list[str]]:
        """Command lines that are in order, of every command that reads and answers."""
        siglum, other = rng.sample([*self.library.sources], 2)
        deal = str(rng.choice(self.records)["deal"])
        by, seed = ["--source", siglum], ["--seed", str(rng.randrange(100))]
        return [
            ["show", rng.choice(self.ids)],
            ["show", rng.choice(self.ids), "--format", "json"],
            ["list", rng.choice(("sources", "questions", "readings", "deals", "sessions", "clauses"))],
            ["cite", siglum, rng.choice(("le valet de coeur", "the pool", "der Pott", "quinola"))],
            ["run", deal, *by, "--with", rng.choice(self.wishes)],
            ["run", "-", *by],
            ["explain", deal, *by, "--with", rng.choice(self.wishes)],
            ["worlds", deal, *by],
            ["compare", siglum, other, "--deal", deal],
            ["compare", siglum, other],
            ["deal", "random", *by, *seed],
            ["deal", "fill", *by, "--wish", "quinola led", *seed],
            ["deal", "fill", "-", *by, *seed],
            ["session", rng.choice(self.sessions), *by],
            ["variants", siglum],
            ["supply", siglum, "--from", other, "--deal", deal],
        ]

    @cached_property
    def ids(self) -> list[str]:
        """Every id of the library."""
        return [id for id, _ in list_library_ids(self.library)]

    @cached_property
    def sessions(self) -> list[str]:
        """The worked sessions."""
        return [Path(one).stem for one in self.library.sessions]


def _shorten(path: Path) -> str:
    """A stored file with the first of whatever it lists at length."""
    data = json.loads(path.read_text(encoding="utf-8"))
    data.pop(DIGEST_KEY)
    short = json.dumps(_take_first(data), ensure_ascii=False, indent=0)
    return add_digest(short + "\n")


def _take_first(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _take_first(one) for key, one in data.items()}
    if isinstance(data, list) and len(data) > 2 and all(isinstance(one, dict) for one in data):
        return [_take_first(one) for one in data[:2]]
    return data


FILE_KINDS: Mapping[
    str, tuple[Callable[[FilesBench, Random], tuple[bytes, Feed]], int]
] = {  # with their shares in a hundred
    "text to import": (_a_text_to_import, 4),
    "sheet": (_a_sheet, 8),
    "sketch": (_a_sketch, 10),
    "command line": (_a_command_line, 5),
    "saved game": (_a_saved_game, 5),
    "kept file": (_a_kept_file, 12),
}
