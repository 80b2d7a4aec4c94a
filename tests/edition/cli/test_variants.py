"""`reversis variants`: every word of a witness accounted for, the counts by kind, and each variant with its reason."""

from __future__ import annotations

import json

import pytest

from edition.corpus.collations import read_collations
from rulebook.model import Library
from tests.support.commands import cache, run, said
from tests.support.pages import build_corpus

__all__ = ["cache"]  # the fixture, for these tests too


def rows(*words: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("variants", *words, "-f", "json").stdout.splitlines()]


def test_every_variant_of_every_witness_is_listed(library: Library) -> None:
    found = {
        (collation.witness.siglum, variant.sentence, variant.word, variant.kind, variant.theirs)
        for collations in read_collations(build_corpus(library)).values()
        for collation in collations
        for variant in collation.variants
    }
    listed = rows()
    assert {tuple(row[key] for key in ("witness", "sentence", "word", "kind", "theirs")) for row in listed} == found
    assert len(listed) == len(found)


@pytest.mark.slow
def test_a_list_is_narrowed_by_witness_and_kind() -> None:
    assert {row["witness"] for row in rows("-w", "enc")} == {"ENC"}
    assert [row["theirs"] for row in rows("aca", "-k", "misprint")] == ["eussent", "le", "ou", "rois"]
    assert [(row["kind"], row["places"]) for row in rows("PAM", "--counts", "-k", "ocr")] == [("ocr", 66)]


def test_a_source_without_witness_is_no_error() -> None:
    done = run("variants", "par")
    assert (done.exit_code, done.stdout) == (0, "") and "PAR has no witness." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("XXX",), "No source 'XXX'."),
        (("PAM", "-w", "ENC"), "No witness 'ENC' of PAM. There are: HAG."),
        (("-w", "HGA"), "No witness 'HGA'."),
        (("-k", "substantial"), "is not one of"),
        (("PAM", "--pretty", "-f", "csv"), "--pretty is for JSON"),
    ],
)
def test_bad_input_is_refused_with_a_hint(words: tuple[str, ...], told: str) -> None:
    assert told in said("variants", *words, code=2)


@pytest.mark.slow
def test_show_names_the_witness_that_bears_an_emendation_out() -> None:
    assert "borne out by: HAG" in said("show", "PAM.e01") and "borne out by" not in said("show", "ACA.e03")
