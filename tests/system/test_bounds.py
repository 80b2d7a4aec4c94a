"""No argument is slow by its length: growth from n to 4n, and what is longer still is refused at once."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

import pytest

from edition.citation.urls import BadAddress, base_of
from edition.cli.editing.cite import MAX_SOUGHT
from edition.cli.lookup.catalogue import find_named, open_corpus
from edition.cli.main import MAX_ARGUMENT
from edition.cli.options import MAX_WISHES
from rulebook.model import Library
from rulebook.passage_search import Searched, find_passages
from tests.support.commands import cache, refused
from tests.support.tiers import sample

__all__ = ["cache"]  # the fixture, for these tests too

LONG = MAX_ARGUMENT + 1


def letters(count: int) -> str:
    return "".join(random.Random(count).choices("abcdefg ", k=count))


def grows(work: Callable[[str], object], shape: Callable[[int], str], most: int) -> float:
    """How many times as long four times as much takes, with a hundredth of a second of grace."""

    def measure(count: int) -> float:
        text, start = shape(count), process_time()
        work(text)
        return process_time() - start + 0.01

    work(shape(8))  # whatever is read once
    return min(measure(most) for _ in range(2)) / min(measure(most // 4) for _ in range(2))


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape",
    [
        lambda n: " " * n,
        lambda n: "x" + " " * n,
        lambda n: " " * (n // 2) + "=" + " " * (n // 2),
        lambda n: "=" * n,
        lambda n: "0" * n,
        letters,
    ],
)
def test_a_name_that_is_four_times_as_long_takes_at_most_about_four_times_as_long(shape: Callable[[int], str]) -> None:
    corpus = open_corpus()
    assert grows(lambda text: find_named(corpus, text), shape, MAX_ARGUMENT) < 8


@pytest.mark.slow
@pytest.mark.parametrize("shape", sample([lambda n: "de la " * (n // 6), letters, lambda n: "a" * n], 3))
def test_words_that_are_sought_too(library: Library, shape: Callable[[int], str]) -> None:
    book = Searched(library.sources["PAM"])
    assert grows(lambda text: find_passages(book, text), shape, MAX_SOUGHT // 2) < 8


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", " " * LONG), f"An argument of {LONG} characters; {MAX_ARGUMENT} are the most."),
        (("cite", "PAM", *(["abc"] * 1000)), f"3999 letters are sought; {MAX_SOUGHT} are the most."),
        (
            ("explain", "pam-quinola-gorged", "-s", "PAM", *("--with", "Q031=30") * (MAX_WISHES + 1)),
            f"--with is given {MAX_WISHES + 1} times",
        ),
    ],
)
def test_what_is_longer_than_anything_is_refused(words: tuple[str, ...], told: str) -> None:
    said = " ".join(refused(2, *words).split())
    assert told in said and len(said) < 600


@pytest.mark.slow
def test_a_thousand_unknown_names_are_told_in_a_few_lines_and_at_once() -> None:
    refused(2, "show", "x0y")  # whatever is read once
    start = process_time()
    message = refused(2, "show", *(f"x{number}y" for number in range(1000)))
    assert "Unknown too: 988 further names." in message and len(message.splitlines()) < 30
    assert process_time() - start < 4


@pytest.mark.parametrize(
    "address", ["https://example.org:99999/", f"https://{'a' * 4000}/", "https://[::1/", "https://example.org:0/"]
)
def test_an_address_that_cannot_be_is_refused_in_a_short_message(address: str) -> None:
    with pytest.raises(BadAddress, match="is no base address") as told:
        base_of(address)
    assert len(str(told.value)) < 200
