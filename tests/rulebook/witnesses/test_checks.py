"""A witness file is checked: file, line and hint of every fault, in the one list."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.load import load_library
from rulebook.sources.paths import digest_sources
from rulebook.witnesses.checks import open_witnesses
from tests.support.library import changed, opened, place, write_library
from tests.support.witnesses import RAW, WITNESS, add_witness


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return add_witness(write_library(tmp_path))


def told(root: Path) -> list[tuple[str, int, str]]:
    """File, line and message of every problem; each has a hint."""
    _, problems = load_library(root)
    assert all(problem.way_out for problem in problems)
    return [(problem.file, problem.line, problem.what) for problem in problems]


def test_a_witness_in_order_is_collated(root: Path) -> None:
    library = opened(root)
    (one,), problems = open_witnesses(root, library)
    assert problems == []
    found = [(v.sentence, v.kind, v.ours, v.theirs) for v in one.collation.variants]
    assert found == [
        ("AAA.s0001", "orthography", "Du", "DU"),
        ("AAA.s0001", "orthography", "péage", "PEAGE"),
        ("AAA.s0002", "ocr", "mene", "mene"),
        ("AAA.s0002", "substantive", "deux", "trois"),
        ("AAA.s0002", "orthography", "jetons", "jettons"),
        ("AAA.s0003", "misprint", "doble", "double"),
    ]
    assert dict(one.collation.verdicts) == {"AAA.e01": "borne out"}
    assert one.collation.variants[3].moves == ("Q002",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "at", "what"),
    [
        ('s0002">Celui', 's0022">Celui', "Celui qui", "AAA.s0022 is no sentence of AAA"),
        ('corresp="text.xml#AAA.s0001"', "", "DU PEAGE", "a sentence that corresponds to nothing has no id"),
        ("trois jettons", "deux jettons", "Celui qui", "the raw transcription goes on with 'troisjettons"),
        ("DU PEAGE", "DU DU PEAGE", "DU DU", "the raw transcription goes on with 'PEAGE.3"),
        ('type="substantive"', 'type="subtantive"', "<app", "'subtantive' is no kind of variant"),
        ('type="reason" resp="#col1"', 'type="reason"', "<app", "a judgement without a signed reason"),
        ("Another sum.", "", "<app", "a judgement without a signed reason"),
        ("<lem>deux</lem>", "<lem>dix</lem>", "<app", "AAA.s0002 has no variant 'dix' here, 'trois' there"),
        ("<lem>deux</lem>", "<lem>dix</lem>", "Celui", "AAA.s0002: 'deux' here, 'trois' there: no rule says"),
        ("Three, not two.", "", "<app", "a substantive variant of which nobody says what it moves"),
        ('n="Q002"', 'n="Q022"', "<app", "Q022 is no question"),
        ('<corr resp="#col1">', "<corr>", "<corr>", "a correction that nobody signs"),
        ('<corr resp="#col1">', '<corr resp="#col2">', "<corr ", "#col2 points to nothing"),
        ('from="AAA.s0001"', 'from="AAA.s0002"', "DU PEAGE", "AAA.s0001 stands outside what was consulted"),
        ('from="AAA.s0001"', 'from="AAA.s0011"', "", "what was consulted ends with 'AAA.s0011', no sentence of ours"),
        ('xml:id="WIT"', 'xml:id="TIW"', "", "the file WIT holds the witness TIW"),
        ("<note>invented</note>", "", "", "does not say where it was seen"),
        ("<lem>deux</lem>", '<pb n="1"/>', "<pb", "is not valid"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(root: Path, old: str, new: str, at: str, what: str) -> None:
    changed(root, WITNESS, old, new)
    line = place(root, WITNESS, at)[1] if at else 1
    found = [(file, where) for file, where, said in told(root) if said.startswith(what)]
    assert found == [(f"sources/{WITNESS}", line)], told(root)


def test_a_sentence_within_the_range_may_not_be_left_out_in_silence(root: Path) -> None:
    text = (root / WITNESS).read_text(encoding="utf-8")
    head = text[text.index("<head>") : text.index("</head>") + len("</head>")]
    changed(root, WITNESS, head, "")
    changed(root, RAW, "DU PEAGE.\n", "")
    assert told(root) == [(f"sources/{WITNESS}", 1, "AAA.s0001 lies within the part consulted and is not in the file")]


def test_sentences_keep_the_order_of_the_text(root: Path) -> None:
    changed(root, WITNESS, 'corresp="text.xml#AAA.s0001"', 'corresp="text.xml#AAA.s0003"')
    assert any(what == "AAA.s0002 stands after AAA.s0003" for _, _, what in told(root))


def test_a_lost_transcription_is_told(root: Path) -> None:
    (root / RAW).unlink()
    assert [(file, line) for file, line, _ in told(root)] == [(f"sources/{RAW}", 1)]


def test_an_emendation_that_a_witness_bears_out_says_so(root: Path) -> None:
    changed(root, "AAA/text.xml", 'evidence="external"', 'evidence="internal"')
    (found,) = told(root)
    assert found == (
        *place(root, "AAA/text.xml", "<choice>")[:2],
        "WIT bears out the emendation AAA.e01, which does not say so",
    )


def test_an_emendation_that_a_witness_refutes_must_go(root: Path) -> None:
    changed(root, WITNESS, "double,", "doble,")
    changed(root, RAW, "double,", "doble,")
    (found,) = told(root)
    assert found[2] == "WIT has 'doble' too, which refutes the emendation AAA.e01"


def test_an_emendation_that_was_not_consulted_is_neither(root: Path) -> None:
    for name in (WITNESS, RAW):
        changed(root, name, "On le paye double, dans la prem", "On le")
    (one,), problems = open_witnesses(root, opened(root))
    assert problems == [] and dict(one.collation.verdicts) == {}
    assert one.collation.unseen == 12


def test_a_witness_of_no_text_is_told(root: Path) -> None:
    (root / "BBB/witnesses").mkdir()
    for name in (WITNESS, RAW):
        (root / name).rename(root / name.replace("AAA", "BBB"))
    assert [(file, what) for file, _, what in told(root)] == [
        ("sources/BBB/witnesses/WIT.xml", "is a witness of no text")
    ]


def test_a_hostile_file_is_a_problem_not_an_event(root: Path) -> None:
    (root / WITNESS).write_text('<!DOCTYPE a [<!ENTITY b "c">]><TEI>&b;</TEI>\n', encoding="utf-8")
    (found,) = told(root)
    assert found[0] == f"sources/{WITNESS}" and "<!DOCTYPE" in found[2]


@pytest.mark.parametrize("name", [WITNESS, RAW])
def test_the_fingerprint_of_the_sources_knows_witnesses(root: Path, name: str) -> None:
    before = digest_sources(root)
    with (root / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert digest_sources(root) != before
