"""Results that come out otherwise than a record expects: worked deals and sessions, output of programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from edition.corpus.corpus import Corpus
from edition.corpus.problems import find_changed_results
from engine.deal.model import Deal
from engine.players.nets import find_spoilt_nets
from engine.settlement.settle import Unanswered, settle
from reversis.files import sessions
from reversis.files.attributions import ATTRIBUTIONS_FILE
from reversis.files.deals import DealRecord, read_worked_records
from reversis.files.separations import SEPARATIONS_FILE
from reversis.files.surveys import SURVEYS_FOLDER
from reversis.words.ledgers import AnySettlement, compare_expectation
from reversis.words.missing import choose_lender
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.resolve import resolve

#: Files that programs write, and what writes them again.
_WRITTEN_BY_PROGRAMS: Mapping[str, str] = {
    f"{SURVEYS_FOLDER}/*.json": "the command in it",
    ATTRIBUTIONS_FILE: "python -m proofs.attributions",
    SEPARATIONS_FILE: "python -m proofs.separate",
}
_DEAL_NUMBER = re.compile(r"[1-9]\d{0,3}")  #: of a deal in a session


def find_unexpected_results(corpus: Corpus) -> Iterator[Problem]:
    """Yield changed output of programs, and deals and sessions that do not come out as their records expect."""
    library, root = corpus.library, Path(corpus.library.root)
    for pattern, program in _WRITTEN_BY_PROGRAMS.items():
        yield from find_changed_results(root, pattern, program)
    yield from find_spoilt_nets()
    rulesets = {siglum: resolve(library, siglum) for siglum in library.sources}
    for record in read_worked_records(library):
        if record.deal is not None and not record.problems:
            settled = [settle(record.deal, rulesets[s]) for s in record.deal.expect if s in rulesets]
            yield from chain.from_iterable(missed_figures(record, record.deal, s, library) for s in settled)
    yield from find_missed_sessions(library, sessions.worked_sessions(library))


def find_missed_sessions(library: Library, records: Iterable[sessions.SittingRecord]) -> Iterator[Problem]:
    """A worked session must come to what it expects of a source, deal by deal."""
    for record in records:
        for siglum in record.sitting.expect if record.sitting and not record.problems else ():
            assert record.sitting is not None
            all_steps = sessions.play_worked_session(record.sitting, record.deals, resolve(library, siglum))
            unmet = sessions.find_unmet_figures(record.sitting, siglum, all_steps)
            if sessions.is_session_pending(record.sitting, siglum):
                what = f"{record.sitting.id} under {siglum}: every figure that was pending has come true"
                yield from [_come_true(record, siglum, what)] * (not unmet)
                continue
            for figure in unmet:
                what = f"{record.sitting.id} under {siglum}: {figure.what} is {figure.found}, not {figure.expected}"
                way_out = f"`reversis session {record.sitting.id} --source {siglum}` shows how it comes about"
                yield record.find(("expect", siglum, *steps_to_figure(figure.what))).problem(what, way_out)


def _come_true(record: DealRecord | sessions.SittingRecord, siglum: str, what: str) -> Problem:
    return record.find(("expect", siglum, "pending")).problem(what, "take out `pending`")


def steps_to_figure(what: str) -> Iterator[str | int]:
    """Path to a figure of a session in its record; words count deals from 1, lists from 0."""
    yield from (int(word) - 1 if _DEAL_NUMBER.fullmatch(word) else word for word in what.split())


def missed_figures(
    record: DealRecord, deal: Deal, settlement: AnySettlement, library: Library | None = None
) -> Iterator[Problem]:
    """The figures that do not come out; of those that are pending, that they all do."""
    expected = compare_expectation(settlement)
    siglum = settlement.ruleset.source
    if expected and expected.pending:
        what = f"{deal.id} under {siglum}: every figure that was pending has come true"
        yield from [_come_true(record, siglum, what)] * expected.came_true
        return
    way_out = f"`reversis run {deal.id} --source {siglum}` shows how it comes about"
    if isinstance(settlement, Unanswered):
        lender = (library and choose_lender(library, siglum, [settlement.silent.question])) or "SOURCE"
        way_out += f"; what {siglum} does not say: reversis supply {siglum} --from {lender} --deal {deal.id}"
    for figure in expected.missed if expected else ():
        place = record.find(("expect", siglum, *figure.what.split()))
        what = f"{deal.id} under {siglum}: {figure.what} is {figure.found}, not {figure.expected}"
        yield place.problem(what, way_out)
