"""Old spelling and new."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.passage_search import fold_with_origins
from rulebook.spelling import NO_TABLE, Spelling, modernise_spelling, read_spelling
from tests.support.places import CLONE

TABLE = Spelling.of(
    "1",
    {"ſ": "s"},
    {
        "fr": {
            "jetton": "jeton",
            "jettons": "jetons",
            "étoit": "était",
            "&": "et",
            "premiere": "première",
            "à-propos": "à propos",
        },
        "de": {"bey": "bei", "Blat": "Blatt"},
    },
)
SOURCES = CLONE / "sources"


def written(folder: Path, letters: str) -> Path:
    path = folder / "spelling.yaml"
    path.write_text(letters, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("un jetton", "un jeton"),
        ("Jetton, JETTONS", "Jeton, JETONS"),
        ("l'étoit & puis", "l'était et puis"),
        ("il eſt", "il est"),
        ("fort à-propos", "fort à propos"),
        ("le quinola", "le quinola"),
        ("jettonnier", "jettonnier"),
        ("bey", "bey"),
    ],
)
def test_only_the_words_of_the_table_change(old: str, new: str) -> None:
    assert modernise_spelling(old, "fr", TABLE) == new


def test_every_language_has_its_own_words() -> None:
    """German is read by the German table, under any of its tags."""
    assert modernise_spelling("bey dem Blat & jetton", "de-AT", TABLE) == "bei dem Blatt & jetton"
    assert modernise_spelling("bey", "es", TABLE) == "bey"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cœur", "coeur"),
        ("LEVÉES", "levees"),
        ("jetton", "jeton"),
        ("il étoit", "il etait"),
        ("il etoit", "il était"),
        ("preſque", "presque"),
        ("l’as", "l'as"),
        ("&  puis", "et puis"),
        ("première", "premiere"),
    ],
)
def test_old_and_modern_spellings_are_found_alike(one: str, other: str) -> None:
    assert fold_with_origins(one, "fr", TABLE).text == fold_with_origins(other, "fr", TABLE).text


def test_doubled_letters_are_folded_by_the_table_only() -> None:
    """A rule for all doubled letters would find what is not sought."""
    assert fold_with_origins("belle", "fr", TABLE).text == "belle"
    assert fold_with_origins("jetton", "fr", NO_TABLE).text == "jetton"
    assert fold_with_origins("Straße", "de", TABLE).text == "strasse"


def test_a_good_table_is_read(tmp_path: Path) -> None:
    """Words that YAML would take for something else stay words."""
    table, problems = read_spelling(
        written(tmp_path, 'version: 3\nletters: {ſ: s}\nwords:\n  fr: {jetton: jeton, "&": et}\n  de: {no: nein}\n')
    )
    assert problems == []
    assert (table.version, modernise_spelling("ſi jetton & no", "fr", table)) == ("3", "si jeton et no")
    assert modernise_spelling("no", "de", table) == "nein"


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("", "version is missing"),
        ("version: 1\nwords: {}", "letters must be a table, not nothing"),
        ("version: 1\nletters: {}\nwords: {fr: [a]}", "fr must be a table, not a list"),
        ("version: 1\nletters: {}\nwords: {fr: {a: b, b: c}}", "which the table changes again"),
        ("version: 1\nletters: {\n", "{ is opened here and not closed"),
        ("version: 1\n? [\n", "cannot be read"),
        ("- a\n- b", "version is missing"),
    ],
)
def test_a_faulty_table_is_a_problem(tmp_path: Path, letters: str, said: str) -> None:
    table, problems = read_spelling(written(tmp_path, letters))
    assert table == NO_TABLE
    assert any(said in problem.what for problem in problems) and all(problem.way_out for problem in problems)


def test_a_table_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert read_spelling(tmp_path / "none.yaml")[1]


def test_the_table_of_the_edition_is_sound() -> None:
    """It is read without a problem, and reading a modern word changes nothing."""
    table, problems = read_spelling(SOURCES / "spelling.yaml")
    assert problems == [] and table.version
    for lang, words in table.words.items():
        assert all(modernise_spelling(new, lang, table) == new for new in words.words.values())


@pytest.mark.parametrize(
    ("old", "text", "modern"), [("daſs", "dass", "dass"), ("jeuſt", "JEUST", "JEUST"), ("des", "deſ", "x")]
)
def test_a_long_s_in_the_table_or_the_text_is_no_error(old: str, text: str, modern: str) -> None:
    assert modernise_spelling(text, "fr", Spelling.of("1", {}, {"fr": {old: "x"}})) == modern
