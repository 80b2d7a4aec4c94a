"""Other readings that have cells in the rows of a sheet, and the answers to further questions that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from rulebook.answers.values import SlugOf, Wrong
from rulebook.clause_edits import ClauseFields
from rulebook.model import DOUBTFUL_STATUSES
from rulebook.sheets.columns import SILENT

#: slug -> the clauses that speak to the question, each with the name that it has there
SpokenClauses: TypeAlias = Mapping[str, Sequence[tuple[str, ClauseFields]]]

#: Entries of another reading for which a row has cells, or that it keeps as they are.
_HELD_ENTRIES = frozenset({"id", "label", "answers", "silent", "searched", "because", "cert", "computation"})


#: Other readings by the id of their clause; and by the slug of another question, the slug of the one with whose reading
#: its answer goes, and the answer, or the mark of silence.
HeldRivals: TypeAlias = tuple[Mapping[str, ClauseFields], Mapping[str, tuple[str, Any]]]


def find_held_rivals(spoken: SpokenClauses, slug_of: SlugOf) -> HeldRivals:
    """Find the readings for which there are cells: a row has room for one, its own or that of another question."""
    rivals = {
        (slug, str(fields["id"])): rival
        for slug, clauses in spoken.items()
        for key, fields in clauses
        if (rival := _find_only_rival(key, fields))
    }
    further = {owner: _list_further_answers(owner[0], rival, slug_of) for owner, rival in rivals.items()}
    taken = Counter(slug for slug, _ in rivals) + Counter(slug for answers in further.values() for slug in answers)
    readings: dict[str, ClauseFields] = {}
    bundled: dict[str, tuple[str, Any]] = {}
    for (slug, id), rival in rivals.items():
        answers = further[slug, id]
        if not answers or all(name in spoken and taken[name] == 1 for name in (slug, *answers)):
            readings[id] = rival
            bundled |= {name: (slug, value) for name, value in answers.items()}
    return readings, bundled


def list_alternatives(fields: ClauseFields) -> list[Mapping[str, Any]]:
    """Return the rivals and options of a clause."""
    return [*fields.get("rivals", ()), *fields.get("options", ())]


def _find_only_rival(key: str, fields: ClauseFields) -> ClauseFields | None:
    """Return the only other reading of a clause that speaks to one question, if a row has cells for all of it."""
    alternatives, spoken_to = list_alternatives(fields), [*fields.get("answers", {}), *fields.get("on", ())]
    fits = (
        fields["status"] in DOUBTFUL_STATUSES
        and len(alternatives) == len(fields.get("rivals", ())) == 1
        and spoken_to == [key]
        and key in alternatives[0]["answers"]
        and alternatives[0].keys() <= _HELD_ENTRIES
    )
    return alternatives[0] if fits else None


def _list_further_answers(slug: str, rival: ClauseFields, slug_of: SlugOf) -> Mapping[str, Any]:
    """Return the answers, and silences, of a reading beside its own; a name that is none stands for itself."""
    answers: dict[str, Any] = {}
    for key, value in (rival["answers"] | dict.fromkeys(rival.get("silent", ()), SILENT)).items():
        name = str(key)
        with suppress(Wrong):
            name = slug_of(name)
        answers[name] = value
    return {name: value for name, value in answers.items() if name != slug}
