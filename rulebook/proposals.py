"""Proposed readings and questions of a source, and what is played instead.

The edition has not taken them up: they are on trial.

A source of its own mind need not wait for the program. It says what it says; where the engine cannot play that, another
answer is played in its place, and every ledger tells so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulebook.answers.values import Wrong, format_canonical
from rulebook.model import Occasion, Proposal, Question, Value
from rulebook.program_name import PLAIN_PROGRAM, name_program

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def takes_words(question: Question) -> bool:
    """Return whether a question is answered by readings, or by a list of words."""
    return question.closed or question.kind.listed


def add_proposals(way_out: str, siglum: str, question: Question | None = None) -> str:
    """Add to a way out where a source puts what the edition does not have yet."""
    lines = ""
    if question and takes_words(question) and name_program() == PLAIN_PROGRAM:  # nothing need be played of it
        adding = f"if none fits, add one to {question.id}, in the folder questions"
        return f"{way_out} {adding[0].upper()}{adding[1:]}" if way_out.endswith("?") else f"{way_out}; {adding}"
    if question and takes_words(question):
        instead = "" if question.kind.listed else ", played_as: one-of-its-readings"
        proposal = f"{{says: Its meaning., not_played: Why it is not.{instead}}}"
        lines = f": readings: {{{question.id}: {{new-word: {proposal}}}}}"
    adding = f"add one to {question.id}, or " if question and takes_words(question) else ""
    proposing = f"if none fits, {adding}propose one in {siglum}/proposed.yaml{lines}"
    return f"{way_out} {proposing[0].upper()}{proposing[1:]}" if way_out.endswith("?") else f"{way_out}; {proposing}"


def find_played_answer(question: Question, value: Value) -> tuple[Value, str]:
    """Return the answer that is played for an answer, and the reason if it is another."""
    if question.played_as is not None and format_canonical(value) != format_canonical(question.played_as):
        return question.played_as, question.not_played
    if isinstance(value, tuple):
        pairs = [(item, _find_unplayed(question, item)) for item in value]
        kept = [word for item, proposal in pairs for word in words_for(item, proposal)]
        reasons = dict.fromkeys(proposal.not_played for _, proposal in pairs if proposal)
        return tuple(dict.fromkeys(kept)) if reasons else value, " ".join(reasons)
    proposal = _find_unplayed(question, value)
    if proposal is None:
        return value, ""
    # without a substitute it is the answer itself, on which the engine will fall silent
    return value if proposal.played_as is None else proposal.played_as, proposal.not_played


def find_unplayed_occasions(question: Question, value: Value) -> tuple[Occasion, ...]:
    """Return by what one sees that a deal raises an answer that is not played."""
    items = value if isinstance(value, tuple) else (value,)
    proposals = (_find_unplayed(question, item) for item in items)
    return (*question.matters, *(occasion for proposal in proposals if proposal for occasion in proposal.matters))


def _find_unplayed(question: Question, value: Value) -> Proposal | None:
    proposal = question.proposed.get(value) if isinstance(value, str) else None
    return proposal if proposal is not None and proposal.not_played else None


def words_for(word: Value, proposal: Proposal | None) -> Iterable[Value]:
    """A word, or what is played for it: other words, or nothing."""
    if proposal is None:
        return (word,)
    return proposal.played_as if isinstance(proposal.played_as, tuple) else ()


def find_proposal_faults(question: Question, name: str, proposal: Proposal) -> Iterator[Wrong]:
    """Yield the faults that keep a proposed reading from being taken in."""
    what = f"{question.id}: {name}"
    listed = question.kind.listed
    if not SLUG.fullmatch(name):
        yield Wrong(f"{what} is no name of a reading", "write small letters and hyphens, like leader-and-taker")
    elif name in question.readings or name in _list_answer_words(question):
        yield Wrong(f"{what} is there already", "answer with it; it needs no proposal")
    elif name in question.proposed:
        yield Wrong(f"{what} is proposed already, by {question.proposed[name].source}", "answer with it, and drop this")
    elif proposal.not_played and proposal.played_as is None and not (listed or question.not_played):
        yield Wrong(f"{what} is not played, and nothing in its place", "say under played_as which answer is played")
    elif proposal.played_as is not None and not proposal.not_played:
        yield Wrong(
            f"{what} is played as {format_canonical(proposal.played_as)}, and no reason is given", "say not_played"
        )


def _list_answer_words(question: Question) -> tuple[str, ...]:
    words = question.measure.get("of")
    return tuple(words) if words and not isinstance(words, (str, int)) else ()  # type: ignore[arg-type]
