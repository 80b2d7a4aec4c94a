"""What a source needs and the edition has not taken up: readings and questions on trial, and what is played instead.

A source of its own mind need not wait for the program. It says what it says; where the engine cannot play that, another
answer is played in its place, and every ledger tells so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulebook.answers.values import Wrong, canonical
from rulebook.model import Proposal, Question, Value

LISTS = ("order", "set")  #: measures that are answered by several words
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def played(question: Question, value: Value) -> tuple[Value, str]:
    """What is played for an answer, and why that is not the answer itself; no reason where it is."""
    if question.played_as is not None and canonical(value) != canonical(question.played_as):
        return question.played_as, question.not_played
    if isinstance(value, tuple):
        return several(question, value)
    proposal = unplayed(question, value)
    return (value, "") if proposal is None else (instead(proposal, value), proposal.not_played)


def unplayed(question: Question, value: Value) -> Proposal | None:
    """The proposal behind an answer that the engine cannot play."""
    found = question.proposed.get(value) if isinstance(value, str) else None
    return found if found is not None and found.not_played else None


def instead(proposal: Proposal, value: Value) -> Value:
    """What is played in its place; without that, the answer itself, on which the engine will fall silent."""
    return value if proposal.played_as is None else proposal.played_as


def several(question: Question, values: tuple[Value, ...]) -> tuple[Value, str]:
    """A list without the words that the engine does not know; what stands for one of them takes its place."""
    found = [(one, unplayed(question, one)) for one in values]
    kept = [word for one, proposal in found for word in words_for(one, proposal)]
    reasons = dict.fromkeys(proposal.not_played for _, proposal in found if proposal)
    return tuple(dict.fromkeys(kept)) if reasons else values, " ".join(reasons)


def words_for(word: Value, proposal: Proposal | None) -> Iterable[Value]:
    """A word, or what is played for it: other words, or nothing."""
    if proposal is None:
        return (word,)
    return proposal.played_as if isinstance(proposal.played_as, tuple) else ()


def faults_of(question: Question, name: str, proposal: Proposal) -> Iterator[Wrong]:
    """What keeps a proposed reading from being taken in."""
    what = f"{question.id}: {name}"
    listed = question.measure.get("type") in LISTS
    if not SLUG.fullmatch(name):
        yield Wrong(f"{what} is no name of a reading", "write small letters and hyphens, like leader-and-taker")
    elif name in question.readings or name in words_of(question):
        yield Wrong(f"{what} is there already", "answer with it; it needs no proposal")
    elif name in question.proposed:
        yield Wrong(f"{what} is proposed already, by {question.proposed[name].source}", "answer with it, and drop this")
    elif proposal.not_played and proposal.played_as is None and not (listed or question.not_played):
        yield Wrong(f"{what} is not played, and nothing in its place", "say under played_as which answer is played")
    elif proposal.played_as is not None and not proposal.not_played:
        yield Wrong(f"{what} is played as {canonical(proposal.played_as)}, and no reason is told", "say not_played")


def words_of(question: Question) -> tuple[str, ...]:
    """The words that may stand in an answer by a list."""
    found = question.measure.get("of")
    return tuple(found) if found and not isinstance(found, (str, int)) else ()  # type: ignore[arg-type]
