"""Words for statuses, and names of sources within a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulebook.answers.wording import NOT_CONSULTED, STATUS_LABELS
from rulebook.model import DOUBTFUL_STATUSES, Cell, Clause, Library, Source
from rulebook.phrases import AnswerText, capitalise, format_count, format_counters

UNCONSULTED = "unconsulted"  #: status in filters of a silence in a text that is not consulted whole
#: Stands for silence where books that are whole and others are spoken of together.
SILENT_OR_UNCONSULTED = "the book is silent, as far as it was consulted"


def describe_silence(status: str, partial: bool) -> str:
    """Label of a status; of a text that is not consulted whole nobody can tell that it is silent."""
    return NOT_CONSULTED if partial and status == "silent" else STATUS_LABELS[status]


def find_sure_certainty(source: Source, status: str, answered: bool, cert: str) -> str:
    """Certainty of an answer; empty of a silence in a text that is not consulted whole, of which nobody is sure."""
    return "" if source.partial and status == "silent" and not answered else cert


def format_status_count(label: str, number: int) -> str:
    """Number of answers with the label of a status: 33 follow from the text."""
    return f"{number} {label if number == 1 else _PLURALS.get(label, label)}"


_PLURALS: Mapping[str, str] = {
    STATUS_LABELS["implied"]: "follow from the text",
    STATUS_LABELS["contradictory"]: "contradict themselves",
}


SUMMARY = "Our summary"  #: stands before our words where those of the source may not be printed


def name_within(source: Source) -> str:
    """Short name of a source within a sentence, with its article if it has one: the German treatise."""
    article = "the " if source.title.startswith("The ") else ""
    return f"{article}{source.short_name.removeprefix('The ')}"


def spell_out_sources(text: str, library: Library) -> str:
    """Text in which sigla that stand alone have become the short names of their sources; ids are left as they are."""
    sigla = "|".join(map(re.escape, library.sources))
    return re.sub(
        rf"(^|[.?!] )?(?<!@)\b({sigla})\b(?![.@][A-Za-z0-9])", lambda match: _spell_out_source(match, library), text
    )


def _spell_out_source(match: re.Match[str], library: Library) -> str:
    start, siglum = match.groups()
    name = name_within(library.sources[siglum])
    return name if start is None else f"{start}{capitalise(name)}"


def get_family_name(source: Source) -> str:
    """Tradition of a source, without the remark in brackets; one that has no place yet stands for itself."""
    return source.family.partition(" (")[0] or source.siglum


def find_answer_status(cell: Cell | Clause) -> str:
    """Status of an answer that readers see: doubtful, ours, follows, or none where it is simply stated."""
    if cell.supplied:
        return "ours"
    return "doubtful" if cell.status in DOUBTFUL_STATUSES else "follows" if cell.status == "implied" else ""


def count_families(sources: Iterable[Source], join: str = ", ") -> str:
    """Count the families of sources, behind their number; those that have no place yet are none, and counted apart."""
    known = [get_family_name(source) if source.family else "" for source in sources]
    placed, unplaced = {name for name in known if name}, known.count("")
    if not placed:
        return ", families not placed yet"
    return join + format_count(len(placed), "family", "families") + (f", {unplaced} not placed yet" if unplaced else "")


#: Role of a citation -> what is said of it; nothing of the words on which a clause rests.
CITE_ROLE_NOTES: Mapping[str, str] = {
    "grounds": "",
    "supports": "in support",
    "against": "against it",
    "example": "an example",
}
#: View of a text -> what is said of words that are quoted by it.
TEXT_VIEWS: Mapping[str, str] = {"diplomatic": "", "emended": "as emended", "reading": "in today’s spelling"}


def format_short_answer(answer: AnswerText, unit: str) -> str:
    """Short form of an answer; a sum with its counter."""
    return format_counters(int(answer.short), unit) if unit else answer.short
