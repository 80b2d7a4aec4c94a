"""A copy of `sources/`, spoilt in every kind of file: `reversis check` tells the file, the line and a way out.

The kinds are those of `edition.corpus.load.list_readers`, by which check, build and preview read. A kind that is
added there is added here, or `test_every_kind_of_file_is_spoilt` fails.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from edition.corpus.load import find_stray_files, list_readers
from edition.corpus.problems import find_all_problems
from edition.corpus.releases import Snapshot, write_snapshot
from edition.site.preview import Preview
from reversis.cli.main import cli
from reversis.game import GAME
from rulebook.io.digests import add_digest
from rulebook.library_settings import CITATION_FILE
from rulebook.model import Library
from rulebook.sources.paths import find_files, find_sources
from tests.support.tiers import sample

pytestmark = pytest.mark.slow

#: Pages are prose: they have no shape that could be spoilt.
#: Without the library's own citation file: ours stands beside the sources, and `test_own_library` spoils another.
PATTERNS = tuple(
    pattern
    for reader in list_readers(GAME).values()
    for pattern in reader.files
    if not pattern.endswith(".md") and pattern != CITATION_FILE
)


@dataclass(frozen=True)
class Kind:
    """One kind of file: an example of it, and ways to spoil it; each a pattern and what is put in its place."""

    example: str
    spoilt: tuple[tuple[str, str, str], ...] = ()  #: what is wrong, pattern, replacement
    elsewhere: tuple[str, ...] = ()  #: faults that are told of another file, or of another line
    whole: str = ""  #: of which file it is told that nothing is right in this one, if not of itself


UNKNOWN, TYPE, LOST = "unknown key", "wrong type", "dangling reference"
TEI_WORD = (UNKNOWN, r"<body>", '<body nonsense="1">'), (TYPE, r"<body>\n", "<body>\nwords of no element\n")

KINDS: dict[str, Kind] = {
    "spelling.yaml": Kind(
        "spelling.yaml", ((UNKNOWN, "^version: 1$", "version: 1\nnonsense: 1"), (TYPE, "^version: 1$", "version: [1]"))
    ),
    "registry.yaml": Kind(
        "registry.yaml",
        (
            (UNKNOWN, "^questions:$", "nonsense: [x]\nquestions:"),
            (TYPE, r"^sessions:\n(  - .*\n)+", "sessions: 7\n"),
            (LOST, "^  - Q001$", "  - Q999\n  - Q001"),
        ),
    ),
    "library.yaml": Kind(
        "library.yaml",
        (
            (UNKNOWN, "^title: Reversis$", "title: Reversis\nnonsense: 1"),
            (TYPE, "^title: Reversis$", "title: [Reversis]"),
            (LOST, "^game: reversis$", "game: reversos"),
        ),
    ),
    "tombstones.yaml": Kind(
        "tombstones.yaml",
        (
            (UNKNOWN, "^- id: PAM.c265$", "- id: PAM.c265\n  nonsense: 1"),
            (TYPE, r"^  see: \[PAM.c065\]$", "  see: 7"),
            (LOST, r"^  see: \[PAM.c065\]$", "  see: [PAM.c999]"),
        ),
    ),
    "glossary.yaml": Kind(
        "glossary.yaml",
        (
            (UNKNOWN, "^  term: reversis$", "  term: reversis\n  nonsense: 1"),
            (TYPE, r"^  forms: \[reversis, .*$", "  forms: {a: b}"),
            (LOST, r"^  attestations: \[PAM.s0001,", "  attestations: [PAM.s9999,"),
        ),
    ),
    "questions/*.yaml": Kind(
        "questions/10-table.yaml",
        (
            (UNKNOWN, "^Q001:$", "Q001:\n  nonsense: 1"),
            (TYPE, "^  affects: table$", "  affects: [table]"),
            (LOST, r"^  related: \[Q002, Q003\]$", "  related: [Q999]"),
        ),
    ),
    "*/source.yaml": Kind(
        "PAM/source.yaml",
        (
            (UNKNOWN, "^siglum: PAM$", "siglum: PAM\nnonsense: 1"),
            (TYPE, "^images_seen: false$", "images_seen: never"),
            (LOST, "^  - pam-reversis$", "  - pam-reversos"),
        ),
    ),
    "*/text.xml": Kind("PAM/text.xml", (*TEI_WORD, (LOST, 'resp="#ed1"', 'resp="#ed9"'))),
    "*/en.xml": Kind("PAM/en.xml", (*TEI_WORD, (LOST, "#PAM.s0003", "#PAM.s9999"))),
    "*/witnesses/*.xml": Kind("PAM/witnesses/HAG.xml", (*TEI_WORD, (LOST, "#PAM.s0003", "#PAM.s9999"))),
    "*/witnesses/*.txt": Kind(
        "PAM/witnesses/HAG.txt",
        ((TYPE, "REGLES DU JEU", "REGLES DE JEU"),),
        (TYPE,),
        whole="PAM/witnesses/HAG.xml",  # which is what the raw transcription says, letter by letter
    ),
    "*/statements.yaml": Kind(
        "PAR/statements.yaml",
        ((UNKNOWN, "^- id: PAR.n01$", "- id: PAR.n01\n  nonsense: 1"), (TYPE, "^  section: .*", "  section: [x]")),
    ),
    "*/notes.yaml": Kind(
        "ACA/notes.yaml",
        (
            (UNKNOWN, "^- id: ACA.note01$", "- id: ACA.note01\n  nonsense: 1"),
            (TYPE, "^  kind: emendation$", "  kind: [emendation]"),
            (LOST, "^  on: ACA.e01$", "  on: ACA.e99"),
        ),
    ),
    "*/printed.yaml": Kind(
        "ACA/printed.yaml",
        (
            (UNKNOWN, "^- id: ACA.p03$", "- id: ACA.p03\n  nonsense: 1"),
            (TYPE, "^  says: 7$", "  says: seven"),
            (LOST, r"^  reckon: .52 - 5 \* hand", '  reckon: "52 - 5 * hund'),
            (LOST, "^  locus: ACA.s0001$", "  locus: ACA.s9999"),
        ),
    ),
    "*/clauses.yaml": Kind(
        "ACA/clauses.yaml",
        (
            (UNKNOWN, "^- id: ACA.c001$", "- id: ACA.c001\n  nonsense: 1"),
            (TYPE, "^  status: stated$", "  status: [stated]"),
            (LOST, "^    - locus: ACA.s0001$", "    - locus: ACA.s9999"),
        ),
    ),
    "*/proposed.yaml": Kind(
        "PAM/proposed.yaml",
        (
            (UNKNOWN, "^readings: {}$", "readings: {}\nnonsense: 1"),
            (TYPE, "^readings: {}$", "readings: 7"),
            (LOST, "^readings: {}$", "readings: {Q999: {never: {says: Never.}}}"),
        ),
    ),
    "*/coverage.yaml": Kind(
        "ACA/coverage.yaml",
        (
            (UNKNOWN, "^ACA.s0001:$", "ACA.s0001:\n  nonsense: 1"),
            (TYPE, r"^  questions: \[Q001,.*$", "  questions: 7"),
            (LOST, "^ACA.s0001:$", "ACA.s9999:"),
        ),
    ),
    "deals/*.yaml": Kind(
        "deals/badly-shuffled.yaml",
        (
            (UNKNOWN, "^pack: 48$", "pack: 48\nnonsense: 1"),
            (TYPE, "^pack: 48$", "pack: [48]"),
            (LOST, r"^cites: \[ACA.s0022\]$", "cites: [ACA.s9999]"),
        ),
    ),
    "*/deals/*.yaml": Kind(
        "PAM/deals/pam-quinola-placed.yaml",
        (
            (UNKNOWN, "^pack: 48$", "pack: 48\nnonsense: 1"),
            (TYPE, "^pack: 48$", "pack: [48]"),
            (LOST, r"^cites: \[PAM.s\d+", "cites: [PAM.s9999"),
        ),
    ),
    "sessions/*.yaml": Kind(
        "sessions/pam-basket-renewed.yaml",
        (
            (UNKNOWN, "^dealer: south$", "dealer: south\nnonsense: 1"),
            (TYPE, "^dealer: south$", "dealer: [south]"),
            (LOST, "^  - pam-quinola-gorged$", "  - pam-quinola-gorgeous"),
        ),
    ),
    "bibliography.bib": Kind(
        "bibliography.bib",
        (
            (UNKNOWN, "^@misc{pam-reversis,$", "@nonsense{pam-reversis,"),
            (TYPE, "^@misc{pam-reversis,$", "@book{pam-reversis,"),
            (LOST, "^@misc{pam-reversis,$", "@misc{pam-reversos,"),
        ),
        (LOST,),
    ),
    "agreement.yaml": Kind(
        "agreement.yaml",
        (
            (UNKNOWN, "^codings:$", "nonsense: 1\ncodings:"),
            (TYPE, '^  "all": {cells: ', '  "all": {cells: 0.'),
            (LOST, r"^coded-once: {ACA: \[Q224,", "coded-once: {ACA: [Q999,"),
        ),
        (LOST,),
    ),
    "*/coding-ed1.yaml": Kind(
        "ACA/coding-ed1.yaml",
        (
            (UNKNOWN, "^Q001:$", "Q001:\n  nonsense: 1"),
            (TYPE, "^  cert: high$", "  cert: [high]"),
            (LOST, "^Q001:$", "Q999:"),
        ),
    ),
    "*/coding-ed2.yaml": Kind(
        "ACA/coding-ed2.yaml",
        (
            (UNKNOWN, "^Q001:$", "Q001:\n  nonsense: 1"),
            (TYPE, r"^  loci: \[ACA.s0001\]$", "  loci: 7"),
            (LOST, r"^  loci: \[ACA.s0001\]$", "  loci: [ACA.s9999]"),
        ),
    ),
    "*/settled.yaml": Kind(
        "ACA/settled.yaml",
        (
            (UNKNOWN, "^  procedure: improved$", "  procedure: improved\n  nonsense: 1"),
            (TYPE, "^  kept: both$", "  kept: [both]"),
            (LOST, "^- question: Q003 .*$", "- question: Q999"),
        ),
        (UNKNOWN,),
    ),
    "telling.yaml": Kind(
        "telling.yaml",
        (
            (UNKNOWN, "^names:$", "nonsense: 1\nnames:"),
            (TYPE, r"^  stake: {otherwise: pool, .*$", "  stake: [stake]"),
            (LOST, r"^  stake: {otherwise: pool, terms: \[g-poule", "  stake: {otherwise: pool, terms: [g-poulet"),
        ),
    ),
    "indices.yaml": Kind(
        "indices.yaml",
        (
            (UNKNOWN, "^common:$", "nonsense: 1\ncommon:"),
            (TYPE, r"^    codes: \[JH\]$", "    codes: 7"),
            (LOST, r"forms: \[", "forms: [Nobody of that name, "),
        ),
        (TYPE, LOST),
    ),
    "stemma.yaml": Kind(
        "stemma.yaml",
        (
            (UNKNOWN, "^ancestors:$", "nonsense: 1\nancestors:"),
            (TYPE, r"^    below: \[ENC, GER\]$", "    below: 7"),
            (LOST, r"^    below: \[ENC, GER\]$", "    below: [ENC, GEN]"),
        ),
    ),
    "attestations.yaml": Kind(
        "attestations.yaml",
        (
            (UNKNOWN, "^- id: encyclopedie$", "- id: encyclopedie\n  nonsense: 1"),
            (TYPE, "^  dating: exact$", "  dating: [exact]"),
            (LOST, "^  text: ENC$", "  text: ENX"),
        ),
    ),
    "counsel.yaml": Kind(
        "counsel.yaml",
        (
            (UNKNOWN, "^- id: pam-deal$", "- id: pam-deal\n  nonsense: 1"),
            (TYPE, "^  tried: dealer-ahead$", "  tried: [dealer-ahead]"),
            (LOST, "at: PAM.s0005,", "at: PAM.s9999,"),
        ),
    ),
    "receipts/*.json": Kind(
        "receipts/fuzz.json",
        ((UNKNOWN, r'^ "seed": \d+,$', ' "seed": 1,\n "nonsense": 1,'), (TYPE, r'^ "seed": \d+,$', ' "seed": "one",')),
    ),
    "survey/*.json": Kind(
        "survey/random.json",
        (
            (UNKNOWN, '^{"source":"ACA",', '{"nonsense":1,"source":"ACA",'),
            (TYPE, '^{"source":"ACA",', '{"source":["ACA"],'),
            (LOST, '^{"source":"ACA",', '{"source":"ACE",'),
        ),
    ),
    "attributions.json": Kind(
        "attributions.json",
        (
            (UNKNOWN, '^ {"deal":"aca-ace-forced",', ' {"nonsense":1,"deal":"aca-ace-forced",'),
            (TYPE, '^ {"deal":"aca-ace-forced",', ' {"deal":["aca-ace-forced"],'),
            (LOST, '^ {"deal":"aca-ace-forced",', ' {"deal":"aca-ace-enforced",'),
        ),
    ),
    "separating.json": Kind(
        "separating.json",
        (
            (UNKNOWN, '^ {"question":"table.players",', ' {"nonsense":1,"question":"table.players",'),
            (TYPE, '^ {"question":"table.players",', ' {"question":["table.players"],'),
            (LOST, '"deal":"table-players-aca-hoy","how"', '"deal":"nowhere","how"'),
        ),
    ),
    "releases/*.json": Kind(
        "releases/0.0.1.json",
        (
            (UNKNOWN, '^"schema": 1,$', '"schema": 1,\n"nonsense": 1,'),
            (TYPE, '^"released": "2026-01-01",$', '"released": 7,'),
        ),
    ),
    "schema/*.schema.json": Kind(
        "schema/deal.schema.json",
        ((TYPE, r'^ +"\$schema": .*$', '"$schema": 7,'), (LOST, r'"\$ref": "#/', '"$ref": "#/nowhere/')),
        (TYPE,),
    ),
    "schema/*.rng": Kind(
        "schema/reversis-tei.rng",
        ((TYPE, r"<start>", "<begin>"), (LOST, r'<ref name="', '<ref name="nowhere-')),
        (LOST, TYPE),
    ),
}
CASES = [(pattern, *case) for pattern, kind in KINDS.items() for case in kind.spoilt]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, with an example of each kind of file that they may have."""
    root = tmp_path_factory.mktemp("spoilt") / "sources"
    shutil.copytree(find_sources(), root)
    (root / KINDS["*/proposed.yaml"].example).write_text("questions: {}\nreadings: {}\n", encoding="utf-8")
    write_snapshot(root, Snapshot("0.0.1", "2026-01-01", "sha256:0", {}, {}, {}))
    return root


def tree(folder: Path) -> dict[Path, bytes | None]:
    """All that lies in a folder, parents first: the bytes of a file, None for a folder."""
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@contextmanager
def restored(folder: Path) -> Iterator[None]:
    """Put a folder in order again afterwards."""
    before = tree(folder)
    yield
    after = tree(folder)
    for path in reversed([path for path in after if path not in before]):
        path.unlink() if path.is_file() else path.rmdir()
    for path, letters in before.items():
        if letters is None:
            path.mkdir(exist_ok=True)
        elif after.get(path) != letters:
            path.write_bytes(letters)


@pytest.fixture
def root(copied: Path) -> Iterator[Path]:
    """The copy, in order again after each test."""
    with restored(copied):
        yield copied


def test_a_copy_that_was_spoilt_is_as_it_was_afterwards(tmp_path: Path) -> None:
    for name in ("kept/a", "changed", "gone/b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    before = tree(tmp_path)
    with restored(tmp_path):
        (tmp_path / "changed").write_text("", encoding="utf-8")
        shutil.rmtree(tmp_path / "gone")
        (tmp_path / "new" / "deep").mkdir(parents=True)
        (tmp_path / "new" / "c").write_text("", encoding="utf-8")
        (tmp_path / "kept" / "empty").mkdir()
    assert tree(tmp_path) == before


def find_told(root: Path) -> dict[str, set[int]]:
    """File -> lines of which something is told; everything that is told has a line and a way out."""
    problems, lines = find_all_problems(root)[1], defaultdict[str, set[int]](set)
    for problem in problems:
        assert problem.what and problem.way_out and problem.line > 0 and problem.file.startswith("sources/"), problem
        lines[problem.file.removeprefix("sources/")].add(problem.line)
    return lines


def spoil(path: Path, pattern: str, instead: str) -> int:
    """Put something else in a file; the line where it stands."""
    letters = path.read_text(encoding="utf-8")
    found = re.search(pattern, letters, re.MULTILINE)
    assert found, pattern
    path.write_text(letters[: found.start()] + instead + letters[found.end() :], encoding="utf-8", newline="\n")
    line = letters.count("\n", 0, found.start()) + 1
    return line + (instead.count("\n", 0, instead.find("nonsense")) if "nonsense" in instead else 0)


def test_every_kind_of_file_is_spoilt() -> None:
    assert tuple(KINDS) == PATTERNS or set(KINDS) == set(PATTERNS)
    for pattern, kind in KINDS.items():
        assert {what for what, _, _ in kind.spoilt} >= {TYPE}, pattern


def test_the_copy_has_every_kind_of_file(root: Path) -> None:
    """That it is in order, too, is seen below, where a stored file may name what has a tombstone."""
    for pattern, kind in KINDS.items():
        assert root / kind.example in find_files(root, (pattern,))


@pytest.mark.parametrize("share", [0.35, 0.9])
def test_files_that_were_cut_off_are_told_every_one(root: Path, share: float) -> None:
    for kind in KINDS.values():
        letters = (root / kind.example).read_bytes()
        (root / kind.example).write_bytes(letters[: int(len(letters) * share)].rstrip(b"\n"))
    assert {kind.example for kind in KINDS.values()} <= {*find_told(root)}


@pytest.mark.parametrize("pattern", sample([*KINDS], 40))
def test_a_file_with_something_else_in_it_is_told(root: Path, pattern: str) -> None:
    path = root / KINDS[pattern].example
    other = (
        "[7]\n"
        if path.suffix == ".json" or not path.read_text(encoding="utf-8").lstrip().startswith(("-", "["))
        else "a: b\n"
    )
    path.write_text(other, encoding="utf-8")
    assert find_told(root)[KINDS[pattern].whole or KINDS[pattern].example]


@pytest.mark.parametrize("pattern", sample([*KINDS], 40))
def test_a_file_without_anything_in_it_is_told(root: Path, pattern: str) -> None:
    (root / KINDS[pattern].example).write_bytes(b"")
    # a bibliography may be empty where no source names a work
    elsewhere = "PAM/source.yaml" if pattern == "bibliography.bib" else KINDS[pattern].whole
    assert find_told(root)[elsewhere or KINDS[pattern].example]


def test_a_key_that_nobody_knows_is_told_where_it_stands_in_every_kind_of_file(copied: Path) -> None:
    """All are spoilt at once; what the fault of one hides in another is told when that one is in order again."""
    left = {pattern for pattern, fault, _, _ in CASES if fault == UNKNOWN and fault not in KINDS[pattern].elsewhere}
    while left:
        with restored(copied):
            faults = [case for case in CASES if case[0] in left and case[1] == UNKNOWN]
            lines = {pattern: spoil(copied / KINDS[pattern].example, *words) for pattern, _, *words in faults}
            told = find_told(copied)
        found = {pattern for pattern, line in lines.items() if line in told[KINDS[pattern].example]}
        assert found, f"nothing is told of {left}"
        left -= found


@pytest.mark.parametrize(
    ("pattern", "fault", "old", "new"),
    sample([case for case in CASES if case[1] != UNKNOWN or UNKNOWN in KINDS[case[0]].elsewhere], 90),
)
def test_a_fault_is_told_where_it_stands(root: Path, pattern: str, fault: str, old: str, new: str) -> None:
    kind = KINDS[pattern]
    line = spoil(root / kind.example, old, new)
    told = find_told(root)
    assert told if fault in kind.elsewhere else line in told[kind.example]


QUICK = ("survey/*.json", "glossary.yaml", "bibliography.bib", "attributions.json")


@pytest.mark.parametrize("pattern", sample(QUICK, 4))
def test_check_never_says_that_everything_holds_when_a_file_is_cut_off(root: Path, pattern: str) -> None:
    path = root / KINDS[pattern].example
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = CliRunner().invoke(cli, ["check", str(root)])
    assert done.exit_code == 1 and "no problems found" not in done.output and "nothing wrong" not in done.output
    assert f"sources/{KINDS[pattern].example}:" in done.output


# --- files that nobody reads
DEVICES = ("deals/con.yaml", "PAM/deals/NUL.yaml", "releases/aux.json")
STRAY = {
    "Glossary.yaml": "did you mean glossary.yaml?",
    "PAM/clause.yaml": "did you mean clauses.yaml?",
    "PAM/notes.yml": "did you mean notes.yaml?",
    "deals/more/x.dat": "take it out of the folder: nothing reads it",
    "surveys.zip": "take it out of the folder: nothing reads it",
}


def test_files_that_no_reader_asks_for_are_told_every_one(root: Path) -> None:
    what = {name: ("is no file that the edition reads", way_out) for name, way_out in STRAY.items()}
    for name in (*STRAY, "NEW/notes.yaml", *DEVICES):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("- id: lost\n", encoding="utf-8")
    stray = find_stray_files(root)
    told = {problem.file.removeprefix("sources/"): (problem.what, problem.way_out) for problem in stray}
    assert {name: told[name] for name in STRAY} == what
    assert told["NEW/notes.yaml"][0] == "lies in a folder without a source.yaml"
    assert {told[name][0] for name in DEVICES} == {"Windows keeps this name for a device"}
    assert {*told} == {*STRAY, "NEW/notes.yaml", *DEVICES}


# --- one list, whoever reads
@pytest.mark.release  # by default the next one compares both lists
def test_the_preview_tells_what_check_tells(root: Path, tmp_path: Path) -> None:
    spoil(root / "glossary.yaml", r"attestations: \[PAM.s0001,", "attestations: [PAM.s9999,")
    corpus, problems = Preview(tmp_path / "html", root).read()
    assert corpus is None and list(problems) == find_all_problems(root)[1]


def test_the_preview_tells_strange_files_too_where_something_cannot_be_read(root: Path, tmp_path: Path) -> None:
    spoil(root / "glossary.yaml", r"attestations: \[PAM.s0001,", "attestations: [PAM.s9999,")
    (root / "surveys.zip").write_bytes(b"")
    path = root / "questions/10-table.yaml"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    _, problems = Preview(tmp_path / "html", root).read()
    assert "ends in the middle of a line" in [problem.what for problem in problems]
    assert "sources/surveys.zip" in [problem.file for problem in problems]
    assert list(problems) == find_all_problems(root)[1]


@pytest.mark.parametrize(
    "pattern",
    sample([pattern for pattern in ("*/clauses.yaml", *KINDS) if pattern != "schema/*.rng"], 50),
)  # libxml2 opens a schema by itself
def test_a_file_that_cannot_be_read_is_told(root: Path, pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, opened = root / KINDS[pattern].example, Path.open

    def refusing(self: Path, *args: Any, **more: Any) -> Any:
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *args, **more)

    monkeypatch.setattr(Path, "open", refusing)  # whoever runs as root may read it all the same
    mode = path.stat().st_mode
    path.chmod(0)
    file = f"sources/{path.relative_to(root).as_posix()}"
    found = {(one.file, one.what, one.way_out) for one in find_all_problems(root)[1]}
    path.chmod(mode)
    assert (file, "cannot be read: Permission denied", "make it readable") in found


def test_a_stored_file_may_name_what_has_a_tombstone(root: Path, library: Library) -> None:
    gone = json.dumps("GER.i99")
    tomb = f'- id: {gone}\n  on: "2026-01-01"\n  why: Withdrawn.\n  see: []\n'
    path = root / "tombstones.yaml"
    path.write_text(path.read_text(encoding="utf-8") + tomb, encoding="utf-8")
    spoil(root / "registry.yaml", "^alternatives:$", "alternatives:\n  - GER.i99")
    survey = root / "survey/random.json"
    spoil(survey, r'"alternative":"[A-Z]{3}\.[io]\d+"', '"alternative":"GER.i99"')
    said = survey.read_text("utf-8").partition(",")[2]
    survey.write_text(add_digest("{" + said), "utf-8")  # as the program writes it
    assert find_all_problems(root)[1] == []
