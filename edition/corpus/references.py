"""References in our own prose: every id that a text names."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass

_REFERENCE_PATTERN = re.compile(
    r"\b(?:(?P<siglum>[A-Z]{2,6})\.)?(?P<kind>note|[sncieo])(?P<number>\d{2,4})\b|\bQ\d{3}\b|\b(?P<named>[A-Z]{2,6})\b"
)


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of our prose; with a kind and a target they are a reference, with a tongue a source's own."""

    words: str
    kind: str = ""
    target: str = ""
    lang: str = ""


def find_references(
    words: str, siglum: str, sources: Container[str], kinds: Mapping[str, str], own: Callable[[str], Iterator[Run]]
) -> Iterator[Run]:
    """Yield our own words, with every id in them made a reference; `own` marks foreign words in what is between."""
    at, named = 0, ""
    for match in _REFERENCE_PATTERN.finditer(words):
        named = match["named"] if match["named"] in sources else match["siglum"] or named
        home = match["siglum"] or siglum or named
        target = f"{home}.{match['kind']}{match['number']}" if match["kind"] else match[0]
        if target not in kinds:
            continue
        yield from own(words[at : match.start()])
        yield Run(match[0], kinds[target], target)
        at = match.end()
    yield from own(words[at:])
