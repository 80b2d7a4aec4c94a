"""Small things about letters: white space, names of languages."""

from __future__ import annotations

import re

#: A language as the web names it, such as fr, de or fr-FR; pages and attributes are called by it.
LANGUAGE_TAG_PATTERN = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

#: Stands between several values of one cell; one letter, as `split` of pandas takes longer ones for patterns.
LIST_SEPARATOR = "|"


def single_spaced(words: str) -> str:
    """Return words without the line ends of the file."""
    return " ".join(words.split())


def split_paragraphs(words: str) -> tuple[str, ...]:
    """Split a longer text into its paragraphs, each on one line."""
    return tuple(single_spaced(one) for one in re.split(r"\n\s*\n", words) if one.strip())


def slugify_text(words: str) -> str:
    """Return words as part of an address."""
    return re.sub(r"[^\w]+", "-", words.lower()).strip("-")


def locate_letter(letters: str, at: int) -> tuple[int, int]:
    """Return line and column of a letter, from 1."""
    return letters.count("\n", 0, at) + 1, at - letters.rfind("\n", 0, at)
