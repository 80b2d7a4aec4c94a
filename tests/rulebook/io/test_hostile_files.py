"""Files made to harm: each is refused in words and with a place, and before anybody has grown tired of waiting."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from edition.corpus.releases import VERSION
from edition.site.server import open_server
from engine.deal.diagram import read_diagram
from reversis.cli.main import cli
from reversis.findings.expectations import steps_to_figure
from rulebook.answers.conditions import parse_conditions
from rulebook.answers.typed import parse_text
from rulebook.checks.rights import iter_quoted_prose
from rulebook.io.files import is_device
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load_library
from rulebook.model import Question
from rulebook.problems import Where
from rulebook.sources.bibliography import read_works
from rulebook.strings import LANGUAGE_TAG_PATTERN
from rulebook.tei.document import parse_xml, read_xml_letters
from rulebook.tei.import_plain import Paste
from rulebook.tei.views import join_halves
from tests.support.kinds import ALL_KINDS
from tests.support.library import changed, write_library

NUMBER = Question("Q001", "a.b", "What?", "Group", "deal", "", measure={"type": "tricks"}, kind=ALL_KINDS["tricks"])
PATIENCE = 5.0  #: seconds of the processor for 200,000 letters; each takes a tenth of one
LENGTH = 200_000


def told(letters: str) -> list[str]:
    _, _, problems = read_yaml(letters, "x.yaml")
    return [str(problem) for problem in problems]


LAUGHS = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else 'lol'}]\n" for n in range(9))
NOTHING_SEEN = "take it out, or put the text in quotes"
HOSTILE_YAML = {
    "a billion laughs": (LAUGHS, f"x.yaml:1:5: an anchor, &l0\n    {NOTHING_SEEN}"),
    "a key given twice": ("a: 1\na: 2\n", "x.yaml:2:1: 'a' is given twice\n    keep one; the first stands in line 1"),
    "deep nesting": ("[" * 100_000, "x.yaml:1:42: nests deeper than 40\n    bring it nearer to the surface"),
}


@pytest.mark.parametrize("name", HOSTILE_YAML)
def test_hostile_yaml_is_refused_in_words(name: str) -> None:
    letters, first = HOSTILE_YAML[name]
    assert told(letters)[0] == first


HOSTILE_XML = {
    "entities": ('<!DOCTYPE a [<!ENTITY b "ha">]><a>&b;</a>', "has a <!DOCTYPE"),
    "an external DTD": ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "has a <!DOCTYPE"),
    "an external entity": ('<!ENTITY b SYSTEM "http://127.0.0.1:9/">', "has a <!ENTITY"),
}


@pytest.mark.parametrize("name", HOSTILE_XML)
def test_hostile_xml_is_refused_in_words(tmp_path: Path, name: str) -> None:
    letters, what = HOSTILE_XML[name]
    (tmp_path / "text.xml").write_text(letters, encoding="utf-8")
    _, problems = read_xml_letters(tmp_path / "text.xml", "text.xml")
    assert [(problem.what, problem.way_out) for problem in problems] == [(what, "take it out: our texts need no DTD")]


def test_nothing_is_included_from_elsewhere(tmp_path: Path) -> None:
    root = write_library(tmp_path)
    (tmp_path / "secret.txt").write_text("SECRET", encoding="utf-8")
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="../../secret.txt" parse="text"/>'
    changed(root, "AAA/text.xml", "</p>\n</div></body>", f"{include}</p>\n</div></body>")
    _, problems = load_library(root)
    assert [problem for problem in problems if "include" in problem.what] and "SECRET" not in str(problems)


PIECES = ("- a: b\n  c\n", 'k: "x\n', "k: 'x\" \n", '"x\n', "[", "? ", "- ", "a: [\n", ": “", "|\n ", "&a ", "{a: ")


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_a_file_of_one_piece_a_thousand_times_is_read_in_good_time(piece: str) -> None:
    begin = time.process_time()
    told(piece * (LENGTH // len(piece)))
    assert time.process_time() - begin < PATIENCE


@pytest.mark.release
@pytest.mark.parametrize(
    "piece",
    ("a", "1", "1a", "a1", "_a", "a-\nb", "[p. 1]", ". A", ". \x02", "a-\n\x02", '" ', "||", "\x021\x03"),
)
def test_a_pasted_text_of_one_piece_is_taken_apart_in_good_time(piece: str) -> None:
    begin = time.process_time()
    assert Paste("x").apart(piece * (LENGTH // len(piece))) is not None
    assert time.process_time() - begin < PATIENCE


@pytest.mark.release
@pytest.mark.parametrize("letters", ["a" * 4_000_000, "b" * 3_900_000], ids=["too long", "just short enough"])
def test_four_megabytes_of_one_letter_are_imported_or_refused_within_five_seconds(tmp_path: Path, letters: str) -> None:
    root = write_library(tmp_path)
    (tmp_path / "long.txt").write_text(letters, encoding="utf-8")
    begin = time.process_time()
    given = ["import-text", "AAA", str(tmp_path / "long.txt"), "--anyway", "--sources", str(root)]
    done = CliRunner().invoke(cli, given)
    assert time.process_time() - begin < PATIENCE
    assert ("is larger than" in done.output) if done.exit_code else ("1 sentence on" in done.output)
    assert len(done.output) < 2_000, "no message repeats the whole word"


BLANK = " " * LENGTH
#: Readers of a text, and a text that each once read anew from each of its letters.
LONG_RUNS: dict[str, tuple[Callable[[str], object], str]] = {
    "marks in a YAML text that is not closed": (told, 'k: "' + '\\"' * (LENGTH // 2)),
    **{
        f"quotation marks in our prose: {marks}": (
            lambda text: list(iter_quoted_prose("a", Where("x"), text)),
            marks * (LENGTH // len(marks)),
        )
        for marks in ("“", "”", '"', "“”", '“"', '"”', "“”a", '"a“')
    },
    "opening quotation marks and one that closes": (
        lambda text: list(iter_quoted_prose("a", Where("x"), text)),
        "“" * LENGTH + "”",
    ),
    "closing quotation marks and words": (
        lambda text: list(iter_quoted_prose("a", Where("x"), text)),
        "“" + "”a" * LENGTH + "“",
    ),
    "blanks behind an answer": (lambda text: parse_text(NUMBER, text), f"5,{BLANK}"),
    "marks in an answer": (lambda text: parse_text(NUMBER, text), '"\\' * (LENGTH // 2)),
    "blanks in a condition": (parse_conditions, f"Q001 == a{BLANK}b"),
    "blanks in a sentence of a text": (join_halves, f"a{BLANK}b"),
    "blanks in a diagram": (read_diagram, f"South{BLANK[:19_000]}x"),
    "names in a diagram": (read_diagram, "a\nS:\n" * 3_300),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG_RUNS)
def test_a_long_run_is_read_once(name: str) -> None:
    read, letters = LONG_RUNS[name]
    begin = time.process_time()
    read(letters)
    assert time.process_time() - begin < PATIENCE


HUGE = "9" * 5_000
HUGE_NUMBERS = {
    "Pool": (f"Pool: {HUGE}", f"pool is '{'9' * 57}...'"),
    "Pack": (f"Pack: {HUGE}", f"pack is '{'9' * 57}...'"),
    "trick": (f"{HUGE}. QD 9D", f"trick '{'9' * 57}...' stands where trick 1 should"),
}


@pytest.mark.parametrize("name", HUGE_NUMBERS)
def test_a_number_of_thousands_of_digits_in_a_diagram_is_refused(tmp_path: Path, name: str) -> None:
    line, what = HUGE_NUMBERS[name]
    (tmp_path / "deal.txt").write_text(f"South\nS: A\n{line}\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["deal", "read", str(tmp_path / "deal.txt")])
    assert done.exit_code == 1 and f"deal.txt:3:1: {what}" in done.output
    assert len(done.output) < 2_000, "the message does not repeat the number"


def test_a_diagram_of_a_whole_book_is_refused() -> None:
    deal, (problem,) = read_diagram("# x\n" * 6_000)
    assert deal is None and (problem.what, problem.way_out) == (
        "a diagram of 24000 letters",
        "give one deal; a diagram has at most 20000 letters",
    )


def test_a_page_number_of_thousands_of_digits_is_no_number(tmp_path: Path) -> None:
    root = write_library(tmp_path)
    changed(root, "AAA/text.xml", "<head>", f'<pb n="{HUGE}"/><head>')
    assert any("is no number" in one.what for one in load_library(root)[1])


def test_a_version_of_thousands_of_digits_is_none() -> None:
    assert VERSION.fullmatch("0.10.2") and not VERSION.fullmatch(f"{HUGE}.0.0")


@pytest.mark.parametrize("seat", ["²", HUGE, "x"])
def test_a_seat_whose_name_looks_like_a_number_is_found(seat: str) -> None:
    assert [*steps_to_figure(f"after 2 accounts {seat}")] == ["after", 1, "accounts", seat]


@pytest.mark.parametrize("piece", ("<a>", "&", '<a b="'))
def test_markup_that_never_ends_is_an_error(piece: str) -> None:
    root, problems = parse_xml(f"<r>{piece * (LENGTH // len(piece))}</r>", "x.xml")
    assert root is None and len(problems) == 1


# ---- addresses and names that lead elsewhere
@pytest.mark.parametrize(
    ("letters", "line", "what"),
    [
        *(
            (f"\n@misc{{toll, year = {{1700}}, {words}}}\n", 2, "the address 'javascript:alert(1)' is none of the web")
            for words in ("url = {javascript:alert(1)}", "title = {\\href{javascript:alert(1)}{x}}")
        ),
        ("@book{toll, title = {Tolls}, author = {A}, year = {1700}}\n", 1, "missing publisher in toll"),
        ("\n@Almanac{toll, title = {Tolls}}\n@misc{x, title = {X}}", 2, "no work is of the kind @almanac"),
    ],
    ids=["no address of the web", "none within a title", "cannot be printed", "a kind that nobody knows"],
)
def test_a_work_that_is_amiss_is_told(tmp_path: Path, letters: str, line: int, what: str) -> None:
    (tmp_path / "b.bib").write_text(letters, encoding="utf-8")
    works, (one,) = read_works(tmp_path / "b.bib")
    assert (one.line, one.what) == (line, f"toll: {what}")
    if "address" in what:
        assert one.way_out == "let it begin with https://"
    if "kind" in what:
        assert one.way_out.startswith("there are @article, @book, @booklet, ") and "@misc" in one.way_out
        assert works == {"toll": "Tolls", "x": "X"}


@pytest.mark.parametrize("language", ["../../x", 'fr"><b>', "", "FR", "french language", "fr\n"])
def test_a_language_leads_nowhere_else(tmp_path: Path, language: str) -> None:
    root = write_library(tmp_path)
    changed(root, "AAA/source.yaml", "language: fr", f"language: {json.dumps(language)}")
    _, problems = load_library(root)
    assert any(problem.what == f"the language {language[:40]!r} is not well formed" for problem in problems)
    done = CliRunner().invoke(cli, ["new-source", "LAH", *GIVEN, f"--language={language}", "--sources", str(root)])
    assert done.exit_code in (1, 2) and not (root / "LAH").exists()


GIVEN = tuple(f"--{one}=x" for one in ("title", "short-title", "date", "place", "author", "exemplar", "unit", "coder"))
OTHERS = ("DEALS", "SCHEMA", "SURVEY")  #: folders of `sources/` that hold no source


@pytest.mark.parametrize("siglum", ["../X", "..", "A/B", "A\\B", "CON.", "COM1", "con", "a", ""])
def test_a_siglum_leads_nowhere_else(tmp_path: Path, siglum: str) -> None:
    root = write_library(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    done = CliRunner().invoke(cli, ["new-source", siglum, *GIVEN, "--language=fr", "--sources", str(root)])
    assert done.exit_code == 2 and "is no siglum: take two to six capital letters, like ABC" in done.output
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("siglum", "refused", "told"),
    [(one, "Windows keeps the name for a device", "Windows keeps the name {} for a device") for one in ("CON", "NUL")]
    + [(one, "a library has another folder of that name", "{} is the name of another folder") for one in OTHERS],
)
def test_a_siglum_is_no_device_and_no_other_folder(tmp_path: Path, siglum: str, refused: str, told: str) -> None:
    """Not where capitals do not count either; which names are devices is `is_device`'s alone to know."""
    root = write_library(tmp_path)
    done = CliRunner().invoke(cli, ["new-source", siglum, *GIVEN, "--language=fr", "--sources", str(root)])
    assert done.exit_code == 2 and refused in done.output
    (root / "AAA").rename(root / siglum)
    changed(root, f"{siglum}/source.yaml", "siglum: AAA", f"siglum: {siglum}")
    problems = {str(one) for one in load_library(root)[1]}
    assert f"sources/{siglum}/source.yaml:1:9: {told.format(siglum)}\n    take another siglum" in problems


def test_the_devices_of_windows_are_known_in_any_form() -> None:
    taken = "con Con.yaml NUL nul.tar.gz aux prn com1 COM9.txt LPT1 lpt².x CONIN$"
    assert all(map(is_device, taken.split())) and is_device("con .txt")
    assert not any(map(is_device, ("CONS", "PAM", "com", "com10", "x.con", "", "null")))


def test_languages_of_the_web_are_languages() -> None:
    assert all(map(LANGUAGE_TAG_PATTERN.fullmatch, ("fr", "de", "en", "fr-FR", "grc", "zh-Hant")))


# ---- the server
CLIMBING = (
    "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/a/../../secret.txt", "//secret.txt", "/%00",
    "/..\\secret.txt", "/....//secret.txt", "/%2e%2e%2f%2e%2e%2fetc/passwd",
)  # fmt: skip


@pytest.mark.slow
def test_the_server_gives_out_nothing_that_lies_beside_the_edition(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET", encoding="utf-8")
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("the edition", encoding="utf-8")
    with open_server(tmp_path / "html", 0) as opened:
        threading.Thread(target=opened.serve_forever, args=(0.02,), daemon=True).start()
        assert b"the edition" in asked(opened.server_port, "/")
        for path in CLIMBING:
            said = asked(opened.server_port, path)
            assert b"SECRET" not in said and b"root:" not in said, path
            assert said.split()[1] in (b"404", b"400"), path
        assert b"501" in asked(opened.server_port, "/", "POST")
        assert b"414" in asked(opened.server_port, "/" + "a" * 70_000)
        assert b"the edition" in asked(opened.server_port, "/"), "it still serves"
        opened.shutdown()


def asked(port: int, path: str, method: str = "GET") -> bytes:
    """What the server says to a request as it stands, which no library has tidied up."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(f"{method} {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        said = b""
        try:
            while piece := line.recv(65536):
                said += piece
        except ConnectionError:
            pass  # it hung up on what it did not want to read to the end
        return said
