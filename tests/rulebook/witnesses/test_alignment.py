"""Words by one stated rule, aligned at the lowest cost; the rules by which two words are the same."""

from __future__ import annotations

import pytest

from rulebook.sources.paths import find_sources
from rulebook.spelling import SPELLING, Spelling, read_spelling
from rulebook.tei.views import GAP_MARK
from rulebook.text import TextPart
from rulebook.witnesses.align import align_words
from rulebook.witnesses.alike import SPELLING_RULES, find_rule, list_foldings
from rulebook.witnesses.collate import pair_words
from rulebook.witnesses.words import split_theirs


@pytest.fixture(scope="module")
def spelling() -> Spelling:
    return read_spelling(find_sources() / SPELLING)[0]


def parts(text: str) -> tuple[TextPart, ...]:
    """A line in which | stands for a place where the witness is unseen."""
    pieces = text.split("|")
    found = [TextPart("text", pieces[0])]
    for piece in pieces[1:]:
        found += [TextPart("gap", GAP_MARK), TextPart("text", piece)]
    return tuple(part for part in found if part.text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l'on joue", "l' on joue"),
        ("c'est-à-dire 10 fiches", "c' est-à-dire 10 fiches"),
        ("soi-même, & douze", "soi-même & douze"),
        ("ſavoir, les As", "savoir les As"),
        ("on joue ; — mais (peu)", "on joue mais peu"),
        ("aujourd'hui", "aujourd' hui"),
    ],
)
def test_a_line_is_split_by_the_stated_rule(text: str, words: str, spelling: Spelling) -> None:
    assert [word.text for word in split_theirs(parts(text), spelling).words] == words.split()


@pytest.mark.parametrize(
    ("ours", "theirs", "rule"),
    [
        ("jeu", "jeu", ""),
        ("jeu", "Jeu", "capitals"),
        ("et", "&", "an old spelling in our table"),
        ("était", "étoit", "an old spelling in our table"),
        ("cœur", "coeur", "œ or oe"),
        ("cœur", "Coeur", "capitals, œ or oe"),
        ("écart", "Ecart", "capitals, accents"),
        ("même", "meme", "accents"),
        ("chantait", "chantoit", "oi for ai"),
        ("chantaient", "chantoient", "oi for ai"),
        ("jouer", "iouer", "i for j, u for v"),
        ("jeté", "jetté", "doubled letters"),
        ("rais", "rois", None),  # no ending of a verb: a misprint
        ("où", "ou", None),  # another word
        ("à", "a", None),
        ("donne", "donné", None),
        ("11", "1", None),
        ("la", "le", None),
    ],
)
def test_two_words_are_the_same_by_a_named_rule(ours: str, theirs: str, rule: str | None, spelling: Spelling) -> None:
    here, there = (list_foldings(one, "fr", spelling) for one in (ours, theirs))
    assert len(here) == len(SPELLING_RULES) + 1
    assert find_rule(here, there) == rule


def letters(one: str, other: str, **unseen: bool) -> list[tuple[str, str]]:
    """Align two strings letter by letter; - where there is none."""
    found = align_words(len(one), len(other), lambda i, j: 0 if one[i] == other[j] else 4, **unseen)
    return [("-" if i is None else one[i], "-" if j is None else other[j]) for i, j in found]


@pytest.mark.parametrize(
    ("one", "other", "pairs"),
    [
        ("", "", []),
        ("abc", "abc", ["aa", "bb", "cc"]),
        ("abc", "ac", ["aa", "b-", "cc"]),
        ("ac", "abc", ["aa", "-b", "cc"]),
        ("abc", "axc", ["aa", "bx", "cc"]),
        ("", "ab", ["-a", "-b"]),
        ("tddc", "edc", ["t-", "de", "dd", "cc"]),
    ],
)
def test_the_cheapest_alignment_is_found(one: str, other: str, pairs: list[str]) -> None:
    assert ["".join(pair) for pair in letters(one, other)] == pairs


def test_every_word_of_both_sides_stands_in_one_pair(spelling: Spelling) -> None:
    """Whatever stands on either side, and in whatever order."""
    words = ("le", "Jeu", "de", "de", "cartes", "10", "&", "et", "l'on")
    for size in range(len(words)):
        ours = split_theirs(parts(" ".join(words[size:] + words[:2])), spelling)
        theirs = split_theirs(parts(" ".join(words[:size])), spelling)
        found = [*pair_words(ours, theirs, "fr", spelling)]
        assert [pair.ours for pair in found if pair.ours] == [*ours.words]
        assert [pair.theirs for pair in found if pair.theirs] == [*theirs.words]


def test_a_word_cut_by_the_loss_is_compared_as_far_as_it_goes(spelling: Spelling) -> None:
    ours = split_theirs(parts("les cartes fussent toutes blanches"), spelling)
    found = [*pair_words(ours, split_theirs(parts("les Cartes fussen|"), spelling), "fr", spelling)]
    assert [pair.state for pair in found] == ["same", "orthography", "same", "unseen", "unseen"]
    found = [*pair_words(ours, split_theirs(parts("les cartes fussen |"), spelling), "fr", spelling)]
    assert [pair.state for pair in found] == ["same", "same", "open", "unseen", "unseen"]
