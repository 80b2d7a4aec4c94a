"""Four centuries of the game: dated attestations, how each was seen, and a picture of the dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_attestations, get_stemma
from edition.nodes.history_charts import DateLane, DrawnDate, date_figure
from edition.nodes.templates import template_renderer
from edition.text.attestations import WAYS_SEEN_NAMES, format_attested_date
from edition.views.common import Prose
from rulebook.history.attestations import (
    FIRST_HAND,
    ONLY_SAID,
    QUOTED,
    WAYS_SEEN,
    find_oldest,
    list_perhaps_older,
)
from rulebook.phrases import format_count, join_names
from rulebook.schema.history_records import AttestationRecord

_WAY_CLASSES: Mapping[str, str] = {FIRST_HAND: "rv-way-read", QUOTED: "rv-way-quoted", ONLY_SAID: "rv-way-said"}


@dataclass(frozen=True, slots=True)
class AttestationRow:
    """An attestation as the list has it."""

    attestation: AttestationRecord
    date: str
    what: Prose
    where: Prose
    by: Prose
    doubt: Prose
    source: str  #: the source of whose text the witness is, or the source itself
    reach: tuple[str, str] | None  #: the sentences between which a witness was consulted


@dataclass(frozen=True, slots=True)
class AttestationsView:
    """All attestations by date, and which are the oldest."""

    rows: tuple[AttestationRow, ...]
    read: AttestationRow | None  #: the oldest that we have read
    quoted: AttestationRow | None  #: the oldest that was seen in a quotation
    perhaps: tuple[AttestationRow, ...]  #: read by us, and perhaps older than the oldest that was
    earlier: tuple[AttestationRow, ...]  #: only said, and older than all that was seen
    doubtful: tuple[AttestationRow, ...]  #: the same, where it is doubted that they are of this game


def attestations_view(corpus: Corpus, _: str = "") -> AttestationsView:
    """Every attestation, and the oldest seen in each way."""
    attestations = get_attestations(corpus)
    rows = {each.id: _view_row(corpus, each) for each in attestations}
    read, quoted = find_oldest(attestations, FIRST_HAND), find_oldest(attestations, QUOTED)
    first = find_oldest(attestations, FIRST_HAND, QUOTED)
    undoubted = [each.model_copy(update={"doubt": ""}) for each in attestations if each.doubt]
    return AttestationsView(
        tuple(rows.values()),
        rows[read.id] if read else None,
        rows[quoted.id] if quoted else None,
        tuple(rows[each.id] for each in list_perhaps_older(attestations, read, FIRST_HAND)),
        tuple(rows[each.id] for each in list_perhaps_older(attestations, first, ONLY_SAID)),
        tuple(rows[each.id] for each in list_perhaps_older(undoubted, first, ONLY_SAID)),
    )


def _view_row(corpus: Corpus, attestation: AttestationRecord) -> AttestationRow:
    witness = get_stemma(corpus).witnesses.get(attestation.text)
    return AttestationRow(
        attestation,
        format_attested_date(attestation),
        corpus.prose(attestation.what),
        corpus.prose(attestation.where),
        corpus.prose(attestation.by),
        corpus.prose(attestation.doubt),
        witness.source if witness else attestation.text,
        _find_reach(corpus, attestation.text),
    )


def _find_reach(corpus: Corpus, siglum: str) -> tuple[str, str] | None:
    """Return from which sentence to which a witness was consulted; None for what is no witness."""
    witnesses = (
        collation.witness
        for each in read_collations(corpus).values()
        for collation in each
        if collation.witness.siglum == siglum
    )
    return next(((witness.first, witness.last) for witness in witnesses), None)


# ---- layout
def _draw_dates(view: AttestationsView) -> nodes.container:
    lanes = [_make_lane(view, way) for way in WAYS_SEEN]
    counts = [f"{format_count(len(lane.dates), 'date')} {lane.name.lower()}" for lane in lanes]
    return date_figure(lanes, f"Time line: {join_names(counts)}. The list below has them all.")


def _make_lane(view: AttestationsView, way: str) -> DateLane:
    dates = (_draw_row(row) for row in view.rows if row.attestation.seen == way)
    return DateLane(WAYS_SEEN_NAMES[way][0], _WAY_CLASSES[way], tuple(dates))


def _draw_row(row: AttestationRow) -> DrawnDate:
    attestation = row.attestation
    last = attestation.year if attestation.last_year is None else attestation.last_year
    opens, ends = attestation.dating == "not after", attestation.last_year is not None
    return DrawnDate(attestation.year, last, opens, ends, f"{attestation.name}, {row.date}")


render_attestations = template_renderer("edition", "attestations", time_line=_draw_dates, ways=WAYS_SEEN_NAMES)
#: What is the oldest attestation, as it stands in the book too.
render_oldest = template_renderer("edition", "attestations-oldest")
