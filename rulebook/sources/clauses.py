"""The clauses of a source, with every answer as it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulebook.answers.values import UnreadQuestion, Wrong, build_slug_lookup, read_value
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.model import Alternative, Cite, Clause, FrozenMap, Question, Value
from rulebook.problems import Where
from rulebook.program_name import name_command
from rulebook.schema.records import ClauseRecord, OptionRecord, RivalRecord
from rulebook.sources.assembled_library import Given
from rulebook.sources.file_reader import LibraryFileReader
from rulebook.sources.paths import CLAUSES_FILE


def read_clauses(
    desk: LibraryFileReader, folder: Path, siglum: str, questions: Mapping[str, Question]
) -> Iterator[Clause]:
    """The clauses of a source."""
    reader, path = ClauseReader(desk, siglum, questions), folder / CLAUSES_FILE
    if not path.exists() and path not in desk.unsaved:
        sheet = name_command(f"sheet {siglum}")
        way_out = (
            f"put it back; if it is lost, `{sheet} --read FILE --write` makes it again from a sheet that you kept, "
        )
        way_out += f"filled in (`{sheet} --out FILE` writes an empty one); a file without an answer holds []"
        desk.problems.append(
            Where(desk.name(path)).problem(f"is not there: the answers of {siglum} stand in it", way_out)
        )
        return
    for record, positions, steps in desk.records(ClauseRecord, folder / CLAUSES_FILE):
        yield reader.clause(record, positions, steps)


class ClauseReader:
    """Turns the records of one source into clauses, and writes down every answer as it was given."""

    def __init__(self, desk: LibraryFileReader, siglum: str, questions: Mapping[str, Question]) -> None:
        self.desk, self.siglum, self.questions = desk, siglum, questions
        self.slug_of = build_slug_lookup(questions.values())

    def clause(self, record: ClauseRecord, positions: Positions, steps: Steps) -> Clause:
        """A clause with everything below it."""
        rivals = [
            self.alternative(record.id, r, positions, (*steps, "rivals", at)) for at, r in enumerate(record.rivals)
        ]
        options = [
            self.alternative(record.id, o, positions, (*steps, "options", at)) for at, o in enumerate(record.options)
        ]
        return Clause(
            id=record.id,
            source=self.siglum,
            answers=self.answers(record.id, record.id, record.answers, positions, steps),
            status=record.status,
            cert=record.cert,
            coder=record.coder,
            cites=tuple(self.cites(record, positions, steps)),
            about=tuple(self.reasons(record.id, record.id, ("on", record.on), positions, steps)),
            label=record.label,
            decision=record.decision,
            because=record.because.strip(),
            searched=record.searched,
            taken_from=record.taken_from,
            computation=record.computation.strip(),
            alternatives=(*rivals, *options),
            reviewer=record.reviewer,
            note=record.note.strip(),
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
        understood = []
        for key, raw in given.items():
            answer = self.given(
                Given(self.siglum, clause, owner, "answer", key, positions.where((*steps, "answers", key))), raw
            )
            self.desk.givens.append(answer)
            if answer.value is not None:
                understood.append((answer.slug, answer.value))
        return FrozenMap(understood)

    def given(self, answer: Given, raw: object) -> Given:
        """An answer, understood or not."""
        try:
            answer = replace(answer, slug=self.slug_of(answer.key), numbers=tuple(_iter_typed_numbers(raw)))
            return replace(answer, value=read_value(self.questions[answer.slug], raw, self.slug_of))
        except Wrong as wrong:
            return replace(answer, wrong=self._mark_unread(answer.key, wrong))

    def _mark_unread(self, key: str, wrong: Wrong) -> Wrong:
        """Mark a question that is there, and could not be read."""
        return UnreadQuestion(key, wrong.way_out) if key in self.desk.unread else wrong

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
                given = replace(given, wrong=self._mark_unread(key, wrong))
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
