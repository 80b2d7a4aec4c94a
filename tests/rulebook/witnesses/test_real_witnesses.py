"""The witnesses of the edition: every word accounted for, checked against the raw transcriptions in three ways."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from lxml import etree

from rulebook.model import Library
from rulebook.sources.paths import find_sources
from rulebook.tei.document import TEI_PREFIX
from rulebook.tei.validation import WITNESS_SCHEMA_PATH, read_profile
from rulebook.witnesses.checks import OpenedWitness, open_witnesses
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS
from rulebook.witnesses.reader import WITNESS_FILES

ROOT = find_sources()
PATHS = sorted(ROOT.glob(WITNESS_FILES))
each_witness = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
WORD = re.compile(r"&|[^\W_]+(?:-[^\W_]+)*'?")  # the stated rule, written down once more


@pytest.fixture(scope="module")
def opened(library: Library) -> dict[str, OpenedWitness]:
    found, problems = open_witnesses(ROOT, library)
    assert problems == []
    return {one.witness.siglum: one for one in found}


def raw_text(path: Path) -> str:
    """The raw transcription as it lies beside the witness, without what is said at its head."""
    lines = path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith("#")).replace("’", "'")


def body(path: Path) -> etree._Element:
    return next(etree.parse(str(path)).getroot().iter(f"{TEI_PREFIX}body"))


def raw_of(element: etree._Element, left_out: str) -> str:
    """All words of an element but those of some kinds of element."""
    for one in [*element.iter(*(f"{TEI_PREFIX}{name}" for name in left_out.split()))]:
        one.text = ""
    return "".join(map(str, element.itertext()))


@each_witness
def test_the_file_has_every_letter_of_the_raw_transcription(path: Path) -> None:
    assert "".join(raw_of(body(path), "corr").split()) == "".join(raw_text(path).split())


@each_witness
def test_the_words_are_those_of_the_raw_transcription_as_corrected(
    path: Path, opened: dict[str, OpenedWitness]
) -> None:
    """Counted anew: the raw words, with each correction put in its place in turn."""
    text, at = raw_text(path), 0
    for choice in body(path).iter(f"{TEI_PREFIX}choice"):
        sic, corr = (str(one.text or "") for one in choice)
        at = text.index(sic, at)
        text, at = text[:at] + corr + text[at + len(sic) :], at + len(corr)
    furniture = [str(one.text) for one in body(path).iter(f"{TEI_PREFIX}fw")]
    printed = sum(len(WORD.findall(one)) for one in furniture)
    assert len(WORD.findall(text)) - printed == opened[path.stem].collation.words


@each_witness
def test_another_aligner_finds_as_many_words_the_same(path: Path, opened: dict[str, OpenedWitness]) -> None:
    """The raw words beside ours, by the aligner of the standard library: as many stand letter by letter in both."""
    one = opened[path.stem]
    total = 0
    for line in body(path).iter(f"{TEI_PREFIX}s"):
        sentence = one.text.sentences.get(str(line.get("corresp")).partition("#")[2])
        ours = WORD.findall(sentence.diplomatic if sentence else "")
        theirs = WORD.findall(raw_of(line, "corr"))
        blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
        total += sum(block.size for block in blocks)
    assert total == one.collation.same


@each_witness
def test_every_word_of_a_witness_is_accounted_for(path: Path, opened: dict[str, OpenedWitness]) -> None:
    found = opened[path.stem].collation
    assert found.words == found.same + sum(found.words_of_kinds.values())
    assert {variant.kind for variant in found.variants} <= {*WITNESS_VARIANT_KINDS}
    ours = sum(here for variant in found.variants for here in variant.sizes[:1])
    consulted = sum(
        len(WORD.findall(found_in.diplomatic))
        for line in found.witness.sentences
        if line.matched and (found_in := opened[path.stem].text.sentences[line.id])
    )
    assert consulted == found.unseen + found.same + ours


def test_the_rules_of_the_hague_stand_where_the_pamphlet_has_them(opened: dict[str, OpenedWitness]) -> None:
    found = opened["HAG"].collation
    assert (found.words, found.same) == (381, 231)
    assert dict(found.counts) == {"substantive": 8, "misprint": 2, "orthography": 51, "ocr": 66, "punctuation": 16}
    assert (found.only_here, found.only_there) == (0, 29)
    words = [
        (variant.sentence, variant.ours, variant.theirs)
        for variant in found.variants
        if variant.kind == "substantive" and variant.ours
    ]
    assert words == [("PAM.s0007", "au", "ou")]  # the one word that is another; the rest are a title and numbers


def test_1765_prints_eussent_where_our_copy_has_essent(opened: dict[str, OpenedWitness]) -> None:
    found = opened["ENC"].collation
    assert (found.words, found.same) == (372, 352)
    assert dict(found.counts) == {"substantive": 0, "misprint": 4, "orthography": 16, "ocr": 0, "punctuation": 1}
    misprints = [
        (variant.ours, variant.theirs, variant.emendation) for variant in found.variants if variant.kind == "misprint"
    ]
    of_one_phrase = [("la", "le", ""), ("où", "ou", "")]
    assert misprints == [("essent", "eussent", "ACA.e01"), *of_one_phrase, ("rais", "rois", "ACA.e02")]


def test_emendations_that_a_witness_bears_out(opened: dict[str, OpenedWitness]) -> None:
    verdicts = {id: verdict for one in opened.values() for id, verdict in one.collation.verdicts.items()}
    assert verdicts == {"PAM.e01": "borne out", "PAM.e18": "borne out", "ACA.e01": "borne out", "ACA.e02": "borne out"}


# ---- the schema
@each_witness
def test_a_witness_is_valid_tei(path: Path) -> None:
    schema = etree.RelaxNG(etree.parse(str(WITNESS_SCHEMA_PATH)))
    assert schema.validate(etree.parse(str(path))), schema.error_log


@pytest.mark.release
@each_witness
def test_a_witness_is_valid_by_the_whole_schema(path: Path, whole_tei: etree.RelaxNG) -> None:
    assert whole_tei.validate(etree.parse(str(path))), whole_tei.error_log


def test_every_definition_of_the_schema_of_witnesses_can_be_reached() -> None:
    profile = read_profile(WITNESS_SCHEMA_PATH)
    assert {name for allowed in profile.values() for name in allowed.children.values()} | {"TEI"} == set(profile)
