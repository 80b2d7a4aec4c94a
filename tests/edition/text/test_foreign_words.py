"""Words of a source within our own prose say their tongue, and nothing of ours does."""

from __future__ import annotations

import pytest

from edition.text.foreign_words import collect_word_runs, split_foreign_words

KNOWN = collect_word_runs(["Les bêtes qui sont sur le jeu, se mettent l'une après l'autre.", "a b"])


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
    found = list(split_foreign_words(words, KNOWN))
    assert [piece for piece, own in found if own] == theirs
    assert "".join(piece for piece, _ in found) == words


def test_where_nothing_is_known_all_is_ours() -> None:
    assert list(split_foreign_words("qui sont sur le jeu", frozenset())) == [("qui sont sur le jeu", False)]
