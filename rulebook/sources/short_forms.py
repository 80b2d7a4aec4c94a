"""Short forms of readings: what a table shows instead of a slug, and the faults of those that were written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.answers.values import Wrong
from rulebook.model import Question
from rulebook.schema.records import QuestionRecord
from rulebook.suggestions import did_you_mean

MAX_SHORT_FORM = 32  #: letters
_EXAMPLE = "such as: whoever takes the trick"


def cut_to_short_form(gloss: str) -> str:
    """Shorten a gloss to a short form, at the end of a word."""
    plain = " ".join(gloss.split()).rstrip(".")
    plain = plain[:1].lower() + plain[1:]
    if len(plain) <= MAX_SHORT_FORM:
        return plain
    begun, space, _ = plain[:MAX_SHORT_FORM].rpartition(" ")  # leaves room for the ellipsis at least
    return f"{begun.rstrip(' ,;:') if space else plain[: MAX_SHORT_FORM - 1]}…"


def complete_short_forms(record: QuestionRecord) -> Mapping[str, str]:
    """Return a short form of every reading or word of a list; one that is missing is cut from the gloss."""
    _, glosses, short = _find_glosses(record)
    return {name: short.get(name) or cut_to_short_form(gloss) for name, gloss in glosses.items()}


def _find_glosses(record: QuestionRecord) -> tuple[tuple[str, ...], Mapping[str, str], Mapping[str, str]]:
    """Return the glosses of a question, their short forms, and under which key both stand."""
    if record.measure:
        return ("measure",), record.measure.of or {}, record.measure.short or {}
    return (), record.readings or {}, record.short or {}


# ---- faults
def find_short_form_faults(id: str, record: QuestionRecord, on_trial: bool) -> Iterator[tuple[tuple[str, ...], Wrong]]:
    """Yield the faults of the short forms of a question, each with the keys below which it stands.

    A question on trial may leave short forms out.
    """
    above, glosses, short = _find_glosses(record)
    if record.measure and record.short is not None:
        yield ("short",), Wrong(f"{id} has short forms beside its measure", "write them below `measure`, after `of`")
    if not on_trial:
        listed = "of" if record.measure else "readings"
        for name in (gloss for gloss in glosses if gloss not in short):
            what = f"{id}: {name} has no short form"
            yield (*above, listed, name), Wrong(what, f"write it under `short`, {_EXAMPLE}")
    first: dict[str, str] = {}
    for name, form in short.items():
        same = first.setdefault(form.casefold(), name)
        for wrong in _find_faults_of_form(f"{id}: the short form of {name}", form, same, name):
            yield (*above, "short", name), wrong
        if name not in glosses:
            what = f"{id}: there is no reading {name} for a short form"
            yield (*above, "short", name), Wrong(what, did_you_mean(name, glosses, "take it away"))


def find_proposed_short_form_faults(question: Question, name: str, form: str) -> Iterator[Wrong]:
    """Yield the faults of the short form of a reading on trial; there need not be one."""
    same = next((reading for reading, short in question.short.items() if short.casefold() == form.casefold()), name)
    if form:
        yield from _find_faults_of_form(f"{question.id}: the short form of {name}", form, same, name)


def _find_faults_of_form(what: str, form: str, first: str, name: str) -> Iterator[Wrong]:
    if not form.strip():
        yield Wrong(f"{what} is empty", f"write it, {_EXAMPLE}")
    elif first != name:
        yield Wrong(f"{what} is that of {first}", "say how the two differ")
    if len(form) > MAX_SHORT_FORM:
        yield Wrong(
            f"{what} has {len(form)} letters", f"say it in {MAX_SHORT_FORM} at most; the gloss has room for more"
        )
    if form.endswith("."):
        yield Wrong(f"{what} ends in a full stop", "leave it out")
