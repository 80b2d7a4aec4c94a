"""The glossary, `sources/glossary.yaml`: words of the game in every language, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulebook.io.strict_yaml import Data, Positions, read_yaml
from rulebook.problems import Problem, Where
from rulebook.schema.reference_records import TermRecord
from rulebook.schema.validation import validate_record
from rulebook.strings import slugify_text


def read_glossary(path: Path, known: Mapping[str, str]) -> tuple[tuple[TermRecord, ...], list[Problem]]:
    """Return the glossary as far as it can be had, and all that is wrong with it; a missing file is an empty one."""
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{path.parent.name}/{path.name}")
    if problems or raw is None:
        return (), problems or [positions.where(()).problem("is empty", "fill it, or take it away")]
    if not isinstance(raw, list):
        return (), [positions.where(()).problem("is no list", "write a YAML list of {term, lang, definition}")]
    read = [read_term(positions, at, entry, known) for at, entry in enumerate(raw)]
    terms = [(term, positions.where((at,))) for at, (term, _) in enumerate(read) if term]
    problems = [problem for _, faults in read for problem in faults]
    return tuple(term for term, _ in terms), [*problems, *problems_among_terms(terms)]


def read_term(
    positions: Positions, at: int, raw: Data, known: Mapping[str, str]
) -> tuple[TermRecord | None, list[Problem]]:
    """Return one entry of the glossary, and what is wrong with it; it is attested where it says."""
    record, problems = validate_record(TermRecord, raw, positions, (at,))
    if record is None:
        return None, problems
    for nth, locus in enumerate(record.attestations):
        if known.get(locus) != "sentence":
            place = positions.where((at, "attestations", nth))
            what = f"{record.term}: no sentence {locus}"
            problems.append(place.problem(what, "give the id of a sentence or statement"))
    return record.model_copy(update={"id": record.id or f"{record.lang}-{slugify_text(record.term)}"}), problems


def problems_among_terms(terms: Sequence[tuple[TermRecord, Where]]) -> Iterator[Problem]:
    """No term stands twice, and every reference among terms finds one."""
    counted = Counter(term.id for term, _ in terms)
    names = {name for term, _ in terms for name in (term.id, term.term)}
    last = {term.id: where for term, where in terms}
    for twice, times in counted.items():
        if times > 1:
            yield last[twice].problem(f"{twice} stands {times} times", "join the entries, or give each an id")
    for term, where in terms:
        for other in term.see:
            if other not in names:
                yield where.problem(f"{term.term}: see {other}, which is not there", "name a term of the glossary")
