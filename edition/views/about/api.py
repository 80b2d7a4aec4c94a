"""What scripts may rely on: every public name of the engine, with what it takes and what it is for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import engine
from edition.corpus.corpus import Corpus
from edition.nodes.builders import code, table
from edition.views.layout import Nodes


@dataclass(frozen=True, slots=True)
class PublicName:
    """One name: how it is called, and what it is for."""

    name: str
    takes: str
    says: str


#: A default that is shown by its address in memory, which is another one in every process.
ADDRESSED = re.compile(r"<[^=]*? at 0x[0-9A-Fa-f]+>+")


def api_view(corpus: Corpus, _: str = "") -> tuple[PublicName, ...]:
    """Every public name, functions first."""
    found = [(name, getattr(engine, name)) for name in engine.__all__]
    ordered = sorted(found, key=lambda one: (inspect.isclass(one[1]), one[0].lower()))
    return tuple(PublicName(name, takes(one), says(one)) for name, one in ordered)


def takes(one: Any) -> str:
    """What a function takes and gives; nothing for a class."""
    if inspect.isclass(one):
        return ""
    return ADDRESSED.sub("...", str(inspect.signature(one)).replace("'", ""))


def says(one: Any) -> str:
    """The first line of what is said about it."""
    return (inspect.getdoc(one) or "").partition("\n")[0]


def api(view: tuple[PublicName, ...]) -> Nodes:
    """The names in a table."""
    rows = [([code(one.name)], [code(one.takes)] if one.takes else "a class", one.says) for one in view]
    return [table("Public names of the package engine", ("Name", "Takes", "What it is"), rows, cls="rv-stack rv-api")]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"api": api_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"api": api}
