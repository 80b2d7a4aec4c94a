"""The attestations, `sources/attestations.yaml`: dated mentions of the game, how each was seen, and what is wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from rulebook.history.stemma import read_all_witnesses
from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.history_records import AttestationRecord
from rulebook.schema.validation import validate_record
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_works
from rulebook.suggestions import did_you_mean

ATTESTATIONS_FILE = "attestations.yaml"
FIRST_HAND, QUOTED, ONLY_SAID = "at first hand", "quoted", "only said"
_NAMED_YEAR, _NAMED_CENTURY = re.compile(r"\b(1[3-9]\d\d)(s)?\b"), re.compile(r"\b(1[4-9])th[ -]century")
WAYS_SEEN = (FIRST_HAND, QUOTED, ONLY_SAID)


def read_attestations(root: Path, library: Library) -> tuple[tuple[AttestationRecord, ...], list[Problem]]:
    """Return the attestations by date, and all that is wrong with them; none where there is no file."""
    path = root / ATTESTATIONS_FILE
    if not path.is_file():
        return (), []
    raw, positions, problems = read_yaml(path, f"{root.name}/{ATTESTATIONS_FILE}")
    if problems or not isinstance(raw, list):
        return (), problems or [positions.where(()).problem("is no list", "begin every attestation with a dash")]
    read = [validate_record(AttestationRecord, entry, positions, (at,)) for at, entry in enumerate(raw)]
    faults = [fault for _, some in read for fault in some]
    if faults:
        return (), faults
    records = [record for record, _ in read if record is not None]
    witnesses = read_all_witnesses(root, library)
    texts = {siglum: str(source.record.get("date", "")) for siglum, source in library.sources.items()}
    texts |= {siglum: f"{witness.date} {witness.year}" for siglum, witness in witnesses.items()}
    works = read_works(root / BIBLIOGRAPHY_FILE)[0]
    for at, attestation in enumerate(records):
        faults += [fault for check in _RECORD_CHECKS for fault in check(positions, at, attestation)]
        faults += _check_text(positions, at, attestation, texts, works)
        faults += _check_years(positions, at, attestation, texts.get(attestation.text, ""))
    faults += [*find_repeated_ids(positions, records), *_check_order(positions, records)]
    return tuple(sorted(records, key=lambda record: record.order)), faults


def find_oldest(records: Iterable[AttestationRecord], *ways: str) -> AttestationRecord | None:
    """Return the oldest of those seen in some way: of which the last year it can be is the earliest."""
    attestations = [
        attestation
        for attestation in records
        if attestation.seen in ways and not attestation.doubt and attestation.last_year is not None
    ]
    return min(attestations, key=lambda attestation: (attestation.last_year, *attestation.order), default=None)


def list_perhaps_older(
    records: Iterable[AttestationRecord], oldest: AttestationRecord | None, *ways: str
) -> list[AttestationRecord]:
    """List those seen in some way that may be older than the oldest, since their date is uncertain."""
    if oldest is None or oldest.last_year is None:
        return []
    sure = (attestation for attestation in records if attestation.seen in ways and not attestation.doubt)
    return [attestation for attestation in sure if attestation is not oldest and attestation.year < oldest.last_year]


# ---- checks
def a_span_has_two_ends(positions: Positions, at: int, attestation: AttestationRecord) -> Iterator[Problem]:
    """A span, and nothing else, has a last year, which is not before the first."""
    if (attestation.dating == "between") != bool(attestation.until):
        way_out = 'add until: "1799", or say exact, about, not before or not after'
        yield positions.where((at, "dating")).problem(
            f"{attestation.dating} with until: {attestation.until or 'nothing'}", way_out
        )
    elif attestation.until and attestation.until < attestation.date[:4]:
        yield positions.where((at, "until")).problem(
            f"{attestation.until} is before {attestation.date}", "exchange the two"
        )


def who_says_so_is_named(positions: Positions, at: int, attestation: AttestationRecord) -> Iterator[Problem]:
    """At first hand a text or work is named; otherwise who quotes it, where, and when that was looked up."""
    own, others = (attestation.text, attestation.work), (attestation.by, attestation.address, attestation.accessed)
    here = positions.where((at, "seen"))
    if attestation.seen == FIRST_HAND and (sum(map(bool, own)) != 1 or any(others)):
        yield here.problem("at first hand", "name either text: a source or witness, or work: a key of the bibliography")
    if attestation.seen != FIRST_HAND and (any(own) or not all(others)):
        yield here.problem(f"{attestation.seen}, but not by whom, where and when", "add by, address and accessed")


def what_is_quoted_has_words(positions: Positions, at: int, attestation: AttestationRecord) -> Iterator[Problem]:
    """An attestation that was seen quoted has words, one that is only said has none."""
    if attestation.seen == QUOTED and not attestation.words:
        yield positions.where((at, "seen")).problem("quoted, but no words", "add words, or write seen: only said")
    if attestation.seen == ONLY_SAID and attestation.words:
        yield positions.where((at, "words")).problem(
            "words of what is only said", "write seen: quoted, or take them out"
        )
    if bool(attestation.words) != bool(attestation.lang):
        yield positions.where((at, "what")).problem(
            "words and their language go together", "add words and lang, or neither"
        )


def _check_text(
    positions: Positions, at: int, attestation: AttestationRecord, texts: Iterable[str], works: Iterable[str]
) -> Iterator[Problem]:
    if attestation.text and attestation.text not in {*texts}:
        hint = did_you_mean(attestation.text, texts, "name a source or a witness")
        yield positions.where((at, "text")).problem(f"no source or witness {attestation.text}", hint)
    if attestation.work and attestation.work not in {*works}:
        hint = did_you_mean(attestation.work, works, f"add the work to {BIBLIOGRAPHY_FILE}")
        yield positions.where((at, "work")).problem(f"no work {attestation.work} in {BIBLIOGRAPHY_FILE}", hint)


def _check_years(positions: Positions, at: int, attestation: AttestationRecord, dated: str) -> Iterator[Problem]:
    """Every year of a date is said in words as well, or by the date of the text that was seen."""
    words = " ".join(
        map(str, (attestation.name, attestation.what, attestation.where, attestation.by, attestation.work, dated))
    )
    if known := {*list_named_years(words)}:
        for key in ("date", "until"):
            year = getattr(attestation, key)[:4]
            if year and int(year) not in known:
                what = f"{attestation.id} is of {year}, and its words name {', '.join(map(str, sorted(known)))}"
                yield positions.where((at, key)).problem(what, "correct the year, or name it in what, where or by")
    else:
        what = f"{attestation.id} is of {attestation.date[:4]}, and its words name no year"
        yield positions.where((at, "date")).problem(what, "name it in what, where or by")


def list_named_years(words: str) -> Iterator[int]:
    """Yield the years that are named; of a century or a decade the first and the last."""
    for year, decade in _NAMED_YEAR.findall(words):
        yield int(year)
        yield from [int(year) + 9] * bool(decade)
    for century in _NAMED_CENTURY.findall(words):
        yield from (100 * int(century) - 99, 100 * int(century))


def _check_order(positions: Positions, records: Sequence[AttestationRecord]) -> Iterator[Problem]:
    for at, (before, after) in enumerate(pairwise(records), 1):
        if after.date[:4] < before.date[:4]:
            what = f"{after.id} is of {after.date[:4]}, and stands behind {before.id} of {before.date[:4]}"
            yield positions.where((at, "date")).problem(what, "the earliest stands first: move it, or correct the year")


def find_repeated_ids(positions: Positions, records: Sequence[Any]) -> Iterator[Problem]:
    """Find ids that stand more than once."""
    counts = Counter(record.id for record in records)
    for at, entry in enumerate(records):
        if counts[entry.id] > 1:
            yield positions.where((at, "id")).problem(
                f"{entry.id} stands {counts[entry.id]} times", "give each its own"
            )


_RECORD_CHECKS: tuple[Callable[[Positions, int, AttestationRecord], Iterator[Problem]], ...] = (
    a_span_has_two_ends,
    who_says_so_is_named,
    what_is_quoted_has_words,
)
