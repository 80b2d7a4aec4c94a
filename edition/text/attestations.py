"""English phrases for attestations: dates, and how each was seen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from rulebook.history.attestations import FIRST_HAND, ONLY_SAID, QUOTED
from rulebook.schema.history_records import AttestationRecord

#: How an attestation was seen -> its name in a key, and what that means.
WAYS_SEEN_NAMES: Mapping[str, tuple[str, str]] = {
    FIRST_HAND: ("Read by us", "the text itself, as raw text"),
    QUOTED: ("Seen quoted", "its words, in somebody else’s quotation"),
    ONLY_SAID: ("Only said", "somebody states it; its words were not seen"),
}
_DATE_PHRASES: Mapping[str, str] = {
    "exact": "{}",
    "about": "about {}",
    "between": "between {} and {}",
    "not before": "not before {}",
    "not after": "not after {}",
}


def format_attested_date(attestation: AttestationRecord) -> str:
    """Format a date with its certainty: 13 November 1601, about 1611, between 1745 and 1800."""
    return _DATE_PHRASES[attestation.dating].format(_format_day(attestation.date), attestation.until)


def _format_day(written: str) -> str:
    parts = [int(part) for part in written.split("-")]
    if len(parts) == 1:
        return f"{parts[0]:04}"
    day = date(parts[0], parts[1], parts[2] if len(parts) > 2 else 1)
    return f"{day.day} {day:%B %Y}" if len(parts) > 2 else f"{day:%B %Y}"
