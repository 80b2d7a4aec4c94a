"""Progress of a source: how far it is collated; its sentences read, quoted and left.

Apart from drafts.py, which runs in the browser too, where nothing is checked.
"""

from __future__ import annotations

from rulebook.checks.coverage import compute_coverage
from rulebook.drafts import list_uncollated_questions
from rulebook.model import Library, Source
from rulebook.phrases import format_count
from rulebook.resolve import resolve


def format_collation(library: Library, siglum: str) -> str:
    """Describe how much of a draft is collated; empty for a finished source.

    Two shares: of the questions, those for which it was read; of its sentences, those that are not left. Whoever
    answers every question with silence has not collated a text that was not read.
    """
    if not library.sources[siglum].draft:
        return ""
    asked = sum(
        not question.by for question in library.questions.values()
    )  # what somebody proposes is no debt of anybody
    open_ = sum(not question.by for question in list_uncollated_questions(library, siglum))
    account, what = compute_coverage(library, siglum), _name_units(library.sources[siglum])
    shares = [("questions", asked - open_, asked), (f"{what}s", account.total - account.left, account.total)]
    return f"collated: {', '.join(f'{100 * done // whole} % of the {name}' for name, done, whole in shares if whole)}"


def format_reservations(library: Library, siglum: str) -> str:
    """Describe what to know before relying on a source: a draft, rules not played, a text not consulted whole."""
    left_out = len(resolve(library, siglum).left_out)
    unplayed = f"{left_out} rule{'s' * (left_out > 1)} not simulated" if left_out else ""
    partial = describe_extent(library.sources[siglum])
    return "; ".join(filter(None, (format_collation(library, siglum), unplayed, partial)))


def describe_extent(source: Source) -> str:
    """Describe in a few words that only a part of a text was consulted; empty of one that was read whole."""
    return "not consulted whole" if source.partial else ""


def format_progress(library: Library, siglum: str) -> str:
    """Describe how far the sentences of a source are: read, quoted, untouched, quoted in part only."""
    account = compute_coverage(library, siglum)
    if not account.total:
        return "no text yet"
    read = f"{account.total - account.left} read, {account.quoted} of them quoted, {account.left} untouched"
    partly = account.partly_quoted
    open_ = f"; {partly} {'has' if partly == 1 else 'have'} words that no answer quotes" if partly else ""
    return f"{format_count(account.total, _name_units(library.sources[siglum]))}: {read}{open_}"


def _name_units(source: Source) -> str:
    return "sentence" if source.text else "statement"
