"""The clauses of a source, with every answer as it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulebook.answers.values import Wrong, build_slug_lookup, read_value
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.model import Alternative, Cite, Clause, FrozenMap, Question, Value
from rulebook.schema.records import ClauseRecord, OptionRecord, RivalRecord
from rulebook.sources.assembled_library import Given
from rulebook.sources.file_reader import LibraryFileReader
from rulebook.sources.paths import CLAUSES_FILE


def read_clauses(
    desk: LibraryFileReader, folder: Path, siglum: str, questions: Mapping[str, Question]
) -> Iterator[Clause]:
    """The clauses of a source."""
    reader = ClauseReader(desk, siglum, questions)
    for one, positions, steps in desk.records(ClauseRecord, folder / CLAUSES_FILE):
        yield reader.clause(one, positions, steps)


class ClauseReader:
    """Turns the records of one source into clauses, and writes down every answer as it was given."""

    def __init__(self, desk: LibraryFileReader, siglum: str, questions: Mapping[str, Question]) -> None:
        self.desk, self.siglum, self.questions = desk, siglum, questions
        self.slug_of = build_slug_lookup(questions.values())

    def clause(self, one: ClauseRecord, positions: Positions, steps: Steps) -> Clause:
        """A clause with everything below it."""
        rivals = [self.alternative(one.id, r, positions, (*steps, "rivals", at)) for at, r in enumerate(one.rivals)]
        options = [self.alternative(one.id, o, positions, (*steps, "options", at)) for at, o in enumerate(one.options)]
        return Clause(
            id=one.id,
            source=self.siglum,
            answers=self.answers(one.id, one.id, one.answers, positions, steps),
            status=one.status,
            cert=one.cert,
            coder=one.coder,
            cites=tuple(self.cites(one, positions, steps)),
            about=tuple(self.reasons(one.id, one.id, ("on", one.on), positions, steps)),
            label=one.label,
            decision=one.decision,
            because=one.because.strip(),
            searched=one.searched,
            taken_from=one.taken_from,
            computation=one.computation.strip(),
            alternatives=(*rivals, *options),
            reviewer=one.reviewer,
            note=one.note.strip(),
            where=self.desk.place(positions, steps),
        )

    def alternative(self, clause: str, rival: RivalRecord, positions: Positions, steps: Steps) -> Alternative:
        """A rival interpretation, or an option."""
        option = isinstance(rival, OptionRecord)
        return Alternative(
            id=rival.id,
            kind="option" if option else "interpretation",
            label=rival.label,
            answers=self.answers(clause, rival.id, rival.answers, positions, steps),
            silent=tuple(self.reasons(clause, rival.id, ("silent", rival.silent), positions, steps)),
            searched=rival.searched,
            cert=rival.cert,
            because=rival.because.strip(),
            decision=rival.decision,
            exact=rival.exact if isinstance(rival, OptionRecord) else "",
            computation=rival.computation.strip(),
            where=self.desk.place(positions, steps),
        )

    def cites(self, clause: ClauseRecord, positions: Positions, steps: Steps) -> Iterator[Cite]:
        """The citations of a clause."""
        for at, cite in enumerate(clause.cites):
            where = self.desk.place(positions, (*steps, "cites", at))
            yield Cite(**cite.model_dump(), where=where, clause=clause.id)

    def answers(
        self, clause: str, owner: str, given: Mapping[str, object], positions: Positions, steps: Steps
    ) -> FrozenMap[str, Value]:
        """The answers that could be understood; every one is written down for the checks."""
        found = []
        for key, raw in given.items():
            one = self.given(
                Given(self.siglum, clause, owner, "answer", key, positions.where((*steps, "answers", key))), raw
            )
            self.desk.givens.append(one)
            if one.value is not None:
                found.append((one.slug, one.value))
        return FrozenMap(found)

    def given(self, one: Given, raw: object) -> Given:
        """An answer, understood or not."""
        try:
            one = replace(one, slug=self.slug_of(one.key), numbers=tuple(_iter_typed_numbers(raw)))
            return replace(one, value=read_value(self.questions[one.slug], raw, self.slug_of))
        except Wrong as wrong:
            return replace(one, wrong=wrong)

    def reasons(
        self, clause: str, owner: str, listed: tuple[str, Sequence[str]], positions: Positions, steps: Steps
    ) -> Iterator[str]:
        """The questions, listed under an entry, that are given a reason only."""
        entry, keys = listed
        for at, key in enumerate(keys):
            given = Given(self.siglum, clause, owner, "reason", key, positions.where((*steps, entry, at)))
            try:
                given = replace(given, slug=self.slug_of(key))
                yield given.slug
            except Wrong as wrong:
                given = replace(given, wrong=wrong)
            self.desk.givens.append(given)


def _iter_typed_numbers(raw: object) -> Iterator[int]:
    """Yield the numbers of an answer as they were typed."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        yield raw
    elif isinstance(raw, Mapping):
        for value in raw.values():
            yield from _iter_typed_numbers(value)
    elif isinstance(raw, list):
        for value in raw:
            yield from _iter_typed_numbers(value)
