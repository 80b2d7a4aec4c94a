"""The settlements of disagreements between the codings, and their checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulebook.agreement.codings import (
    SETTLEMENTS_FILE,
    CellKey,
    CodedAnswer,
    CodedPair,
    CodingReader,
    found_alike,
    read_pairs,
    sigla_coded_twice,
)
from rulebook.answers.values import format_canonical
from rulebook.io.strict_yaml import Data
from rulebook.model import Library
from rulebook.problems import Problem, Where

# --- settling -------------------------------------------------------------------------------------------

WAYS_SETTLED = {
    "first": "The clause stands as the first coder had it.",
    "second": "The clause was corrected to agree with the second coder.",
    "both": "Both are defensible: one is preferred, the other is an interpretation that can be played.",
    "neither": "Neither stands as it was: there is a third answer, or one coder's answer with the other's status.",
}
PROCEDURES = {
    "improved": "The coding procedure of the question left it open, and has been corrected.",
    "unchanged": "The coding procedure is clear enough; it is a matter of reading the source.",
}
_SETTLEMENT_KEYS = ("question", "first", "second", "kept", "why", "procedure")


@dataclass(frozen=True, slots=True)
class CodingSettlement:
    """A settled disagreement between two codings, with the way and the reason."""

    source: str
    question: str  #: slug
    first: CodedAnswer
    second: CodedAnswer
    kept: str  #: first | second | both | neither
    why: str
    procedure: str  #: improved | unchanged
    where: Where

    @property
    def key(self) -> CellKey:
        """Siglum and question."""
        return self.source, self.question


def read_settlements(library: Library) -> tuple[CodingSettlement, ...]:
    """Read everything that has been settled, source by source. Raises UnreadableCoding."""
    paths = {siglum: Path(library.root) / siglum / SETTLEMENTS_FILE for siglum in sigla_coded_twice(library)}
    return tuple(
        settlement
        for siglum, path in paths.items()
        if path.exists()
        for settlement in read_settled_file(library, siglum, path)
    )


def read_settled_file(library: Library, siglum: str, path: Path) -> list[CodingSettlement]:
    """Read the settlements of one source. Raises UnreadableCoding."""
    reader = CodingReader(library, path)
    settlements = [build_settlement(reader, siglum, raw, at) for at, raw in enumerate(list_items(reader))]
    reader.done()
    return [settlement for settlement in settlements if settlement]


def list_items(reader: CodingReader) -> list[Data]:
    """Return the entries of a list; an empty file has none."""
    if isinstance(reader.data, list):
        return reader.data
    if reader.data is not None:
        reader.complain((), "is no list", "begin every item with a dash")
    return []


def build_settlement(reader: CodingReader, siglum: str, raw: Data, at: int) -> CodingSettlement | None:
    """Build one settlement, or complain."""
    table = raw if isinstance(raw, dict) else {}
    texts = {key: str(table.get(key, "")).strip() for key in _SETTLEMENT_KEYS}
    if set(table) != set(_SETTLEMENT_KEYS) or not texts["why"]:
        reader.complain((at,), "is no settlement", f"write {', '.join(_SETTLEMENT_KEYS)}")
        return None
    for key, known in (("kept", WAYS_SETTLED), ("procedure", PROCEDURES)):
        if texts[key] not in known:
            reader.complain((at, key), f"{texts[key]} is unknown here", "write " + " or ".join(known))
    question = reader.question(texts["question"], (at, "question"))
    both = [reader.coded(question, table[key], (at, key)) for key in ("first", "second")] if question else [None]
    if not question or not both[0] or not both[-1]:
        return None
    where = reader.positions.where((at,))
    return CodingSettlement(
        siglum, question.slug, both[0], both[1] or both[0], texts["kept"], texts["why"], texts["procedure"], where
    )


def every_disagreement_is_settled_once(library: Library, both: Sequence[CodedPair] | None = None) -> Iterator[Problem]:
    """Every disagreement has one settlement, which says how it stands, and no settlement is idle."""
    cells = {pair.key: pair for pair in (read_pairs(library) if both is None else both)}
    settlements = read_settlements(library)
    seen: set[CellKey] = set()
    for settlement in settlements:
        if settlement.key not in cells:
            yield settlement.where.problem(
                f"{settlement.question} of {settlement.source} was coded once only", "take it out"
            )
            continue
        if settlement.key in seen:
            yield settlement.where.problem(f"{name_of_pair(cells[settlement.key])} is settled twice", "keep one")
        seen.add(settlement.key)
        yield from faults_of_settlement(library, cells[settlement.key], settlement)
    for pair in cells.values():
        if not pair.agreed and pair.key not in seen:
            yield describe_unsettled(library, pair)


def name_of_pair(pair: CodedPair) -> str:
    """Name a cell as it is called in messages."""
    return f"{pair.question.id} of {pair.source}"


def describe_unsettled(library: Library, pair: CodedPair) -> Problem:
    """Report a disagreement without a settlement."""
    place = Where(f"{Path(library.root).name}/{pair.source}/{SETTLEMENTS_FILE}")
    if found_alike(pair.first, pair.second):
        what = f"{name_of_pair(pair)}: both coders found {pair.first}, but the clauses now say {pair.now}"
    else:
        what = f"{name_of_pair(pair)}: one coder found {pair.first}, the other {pair.second}"
    return place.problem(what, "settle it, and say why")


def faults_of_settlement(library: Library, pair: CodedPair, settlement: CodingSettlement) -> Iterator[Problem]:
    """Yield what is wrong with a settlement: it is idle, says what nobody found, or does not fit the clauses."""
    if pair.agreed:
        yield settlement.where.problem(
            f"{name_of_pair(pair)} needs no settlement: both found {pair.first}", "take it out"
        )
        return
    for entry, finding, coder in ((settlement.first, pair.first, "first"), (settlement.second, pair.second, "second")):
        if (entry.status, entry.text) != (finding.status, finding.text):
            yield settlement.where.problem(
                f"{name_of_pair(pair)}: the {coder} coder found {finding}, not {entry}", "copy it"
            )
    if not _SETTLEMENT_TESTS[settlement.kept](library, pair):
        yield settlement.where.problem(
            f"{name_of_pair(pair)} is settled as {settlement.kept}, but the clauses now say {pair.now}",
            f"{WAYS_SETTLED[settlement.kept]} Mend the clause or the settlement",
        )


def both_can_be_played(library: Library, pair: CodedPair) -> bool:
    """One is preferred, and the other is among the alternatives of the source."""
    slug, wanted = pair.question.slug, {pair.first.text, pair.second.text}
    alternatives = (
        alternative for clause in library.sources[pair.source].clauses for alternative in clause.alternatives
    )
    offered = {
        format_canonical(alternative.answers[slug]) for alternative in alternatives if slug in alternative.answers
    }
    return pair.now.text in wanted and wanted <= {pair.now.text, *offered}


_SETTLEMENT_TESTS: Mapping[str, Callable[[Library, CodedPair], bool]] = {
    "first": lambda library, pair: pair.stands(pair.first),
    "second": lambda library, pair: pair.stands(pair.second),
    "both": both_can_be_played,
    "neither": lambda library, pair: not pair.stands(pair.first) and not pair.stands(pair.second),
}
