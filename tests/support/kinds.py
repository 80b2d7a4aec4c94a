"""All kinds of answers, and questions of a kind."""

from __future__ import annotations

from collections.abc import Mapping

from engine.answers import GAME_KINDS
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.answers.values import SlugOf, Wrong, read_value
from rulebook.model import Kind, Question, Value

ALL_KINDS: Mapping[str, Kind] = {**LIBRARY_KINDS, **GAME_KINDS}


def parse_value(question: Question, raw: object, slug_of: SlugOf) -> tuple[Value | None, str]:
    """The answer that was written down, or what is wrong with it."""
    try:
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)
