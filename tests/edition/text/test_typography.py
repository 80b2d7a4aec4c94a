"""Quotation marks and minus signs of our own words; a source's letters stay."""

from __future__ import annotations

import pytest

from edition.text.foreign_words import collect_word_runs, split_foreign_words
from edition.text.typography import curl_quotes, use_minus_signs


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("PAM's basket", "PAM’s basket"),
        ("the players' cards", "the players’ cards"),
        ("'s place", "’s place"),
        ('says "l\'as de cœur" here', "says “l'as de cœur” here"),
        ('"one" and "two"', "“one” and “two”"),
    ],
)
def test_quotation_marks_are_curled_and_quoted_letters_stay(typed: str, printed: str) -> None:
    assert curl_quotes(typed) == (printed, False)


def test_a_quotation_goes_on_into_the_next_piece() -> None:
    begun, quoting = curl_quotes('it says "')
    assert (begun, quoting) == ("it says “", True)
    assert curl_quotes(" l'as\", and our reader's word", quoting) == (" l'as”, and our reader’s word", False)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("-17", "\N{MINUS SIGN}17"),
        ("south: - 2 - 6 = -8", "south: \N{MINUS SIGN} 2 \N{MINUS SIGN} 6 = \N{MINUS SIGN}8"),
        ("pam-1785 of 1785-90", "pam-1785 of 1785-90"),
    ],
)
def test_only_hyphens_before_numbers_are_minus_signs(typed: str, printed: str) -> None:
    assert use_minus_signs(typed) == printed


KNOWN = dict.fromkeys(
    collect_word_runs(["Les bêtes qui sont sur le jeu, se mettent l'une après l'autre.", "a b"]), "fr"
)


@pytest.mark.parametrize(
    ("words", "theirs"),
    [
        ("Les bêtes qui sont sur le jeu are those that wait.", ["Les bêtes qui sont sur le jeu"]),
        ("he says qui sont sur, and les betes qui; no more", ["qui sont sur", "les betes qui"]),
        ("the bêtes sont here", []),
        ("sur le", []),
        ("", []),
        ("l'une après l'autre", ["l'une après l'autre"]),
    ],
)
def test_three_words_in_a_row_are_the_sources(words: str, theirs: list[str]) -> None:
    foreign_words = list(split_foreign_words(words, KNOWN))
    assert [piece for piece, lang in foreign_words if lang == "fr"] == theirs
    assert "".join(piece for piece, _ in foreign_words) == words


def test_words_of_two_languages_in_a_row_are_told_apart() -> None:
    known = {**KNOWN, **dict.fromkeys(collect_word_runs(["je nach deme man will"]), "de")}
    said = split_foreign_words('so "qui sont sur le jeu", "je nach deme man" he says', known)
    assert [piece for piece in said if piece[1]] == [("qui sont sur le jeu", "fr"), ("je nach deme man", "de")]


def test_where_nothing_is_known_all_is_ours() -> None:
    assert list(split_foreign_words("qui sont sur le jeu", {})) == [("qui sont sur le jeu", "")]
