"""Four centuries of the game: dated attestations, how each was seen, and a picture of the dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from docutils import nodes

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.corpus.history_files import get_attestations, get_stemma
from edition.nodes.builders import Content, add_page_id, bullet_list, external_link, link, para, span, strong, table
from edition.nodes.components import render_prose
from edition.nodes.history_charts import DateLane, DrawnDate, date_figure
from edition.text.attestations import WAYS_SEEN_NAMES, format_attested_date
from edition.text.typography import curl_quotes
from edition.views.common import Prose
from edition.views.layout import Nodes
from rulebook.history.attestations import (
    FIRST_HAND,
    ONLY_SAID,
    QUOTED,
    WAYS_SEEN,
    Attestation,
    find_oldest,
    list_perhaps_older,
)
from rulebook.phrases import format_count, join_names

_WAY_CLASSES: Mapping[str, str] = {FIRST_HAND: "rv-way-read", QUOTED: "rv-way-quoted", ONLY_SAID: "rv-way-said"}


@dataclass(frozen=True, slots=True)
class AttestationRow:
    """An attestation as the list has it."""

    id: str
    name: str
    date: str
    what: Prose
    words: str
    lang: str
    where: Prose
    seen: str
    text: str  #: the source or witness
    source: str  #: the source of whose text the witness is, or the source itself
    reach: tuple[str, str] | None  #: the sentences between which a witness was consulted
    work: str
    by: Prose
    address: str
    accessed: str
    not_read: str
    doubt: Prose
    span: tuple[int, int | None, bool]  #: first year, last year, whether it may be earlier


@dataclass(frozen=True, slots=True)
class AttestationsView:
    """All attestations by date, and which are the oldest."""

    rows: tuple[AttestationRow, ...]
    oldest: tuple[tuple[str, str], ...]  #: way of seeing -> the oldest
    perhaps: tuple[str, ...]  #: read by us, and perhaps older than the oldest that was
    earlier: tuple[str, ...]  #: only said, and older than all that was seen
    doubtful: tuple[str, ...]  #: the same, where it is doubted that they are of this game


def attestations_view(corpus: Corpus, _: str = "") -> AttestationsView:
    """Every attestation, and the oldest seen in each way."""
    found = get_attestations(corpus)
    oldest = {way: one for way in WAYS_SEEN if (one := find_oldest(found, way))}
    first = find_oldest(found, FIRST_HAND, QUOTED)
    perhaps = list_perhaps_older(found, oldest.get(FIRST_HAND), FIRST_HAND)
    earlier = list_perhaps_older(found, first, ONLY_SAID)
    doubtful = list_perhaps_older([replace(one, doubt="") for one in found if one.doubt], first, ONLY_SAID)
    return AttestationsView(
        tuple(_view_row(corpus, one) for one in found),
        tuple((way, one.id) for way, one in oldest.items()),
        tuple(one.id for one in perhaps),
        tuple(one.id for one in earlier),
        tuple(one.id for one in doubtful),
    )


def _view_row(corpus: Corpus, one: Attestation) -> AttestationRow:
    witness = get_stemma(corpus).witnesses.get(one.text)
    return AttestationRow(
        one.id,
        one.name,
        format_attested_date(one),
        corpus.prose(one.what),
        one.words,
        one.lang,
        corpus.prose(one.where),
        one.seen,
        one.text,
        witness.source if witness else one.text,
        _find_reach(corpus, one.text),
        one.work,
        corpus.prose(one.by),
        one.address,
        one.accessed,
        one.not_read,
        corpus.prose(one.doubt),
        (one.year, one.last_year, one.dating == "not after"),
    )


def _find_reach(corpus: Corpus, siglum: str) -> tuple[str, str] | None:
    """Return from which sentence to which a witness was consulted; None for what is no witness."""
    found = (one.witness for each in read_collations(corpus).values() for one in each if one.witness.siglum == siglum)
    return next(((one.first, one.last) for one in found), None)


# ---- layout
def render_attestations(view: AttestationsView) -> Nodes:
    """Render the answer to what is oldest, the picture of the dates and the list."""
    if not view.rows:
        return [para("No attestation has been collected yet.")]
    return [*render_oldest(view), _draw_dates(view), render_way_key(), _render_list(view)]


def render_oldest(view: AttestationsView) -> Nodes:
    """Render what is the oldest attestation seen, and what is only said."""
    rows, oldest = {one.id: one for one in view.rows}, dict(view.oldest)
    said: list[Content] = []
    if FIRST_HAND in oldest:
        said += _tell_read(rows[oldest[FIRST_HAND]], [rows[id] for id in view.perhaps])
    if QUOTED in oldest:
        said += _tell_quoted(rows[oldest[QUOTED]])
    earlier, doubtful = ([rows[id] for id in ids] for ids in (view.earlier, view.doubtful))
    return [para(*said, cls="rv-lede"), para(*_tell_earlier(earlier, doubtful))]


def _tell_read(one: AttestationRow, perhaps: Sequence[AttestationRow]) -> Iterator[Content]:
    yield "The oldest text on the game that we have read is of "
    yield from (strong(one.date), ": ", _link_text(one), *_tell_reach(one), ". ")
    for other in perhaps:
        yield from ("Perhaps older: ", _link_text(other), f", {other.date}. ")


def _tell_reach(one: AttestationRow) -> Iterator[Content]:
    """Tell how much of a witness was consulted here."""
    if one.reach:
        first, last = (link("sentence", id) for id in one.reach)
        yield from (", of which no more was consulted here than stands beside ", first, " to ", last)


def _tell_quoted(one: AttestationRow) -> Iterator[Content]:
    yield "The oldest words that we have seen, quoted by others, are of "
    yield from (strong(one.date), ": ", one.name, ", ", _quote(one), ", in ", *render_prose(one.by), ". ")


def _tell_earlier(found: Sequence[AttestationRow], doubtful: Sequence[AttestationRow]) -> Iterator[Content]:
    if not found and not doubtful:
        yield "No older date is claimed."
    if found:
        yield from ("Only said, and older than all we have seen: ", *_list_reports(found))
        yield ". The words themselves were not seen. "
    if doubtful:
        yield from ("Only said, older, and doubtful whether of this game: ", *_list_reports(doubtful), ".")


def _list_reports(found: Sequence[AttestationRow]) -> Iterator[Content]:
    """Name each with its date, and who says so."""
    for at, one in enumerate(found):
        yield from ("; " if at else "", f"{one.name}, {one.date}, according to ", *render_prose(one.by))


def _link_text(one: AttestationRow) -> nodes.Node:
    if one.work:
        return link("work", one.work, one.name)
    kind = "source" if one.text == one.source else "variants"
    return link(kind, one.source, one.name)


def _quote(one: AttestationRow) -> nodes.Node:
    return span(curl_quotes(f'"{one.words}"')[0], lang=one.lang)


def _draw_dates(view: AttestationsView) -> nodes.container:
    lanes = [_make_lane(view, way) for way in WAYS_SEEN]
    counts = [f"{format_count(len(lane.dates), 'date')} {lane.name.lower()}" for lane in lanes]
    return date_figure(lanes, f"Time line: {join_names(counts)}. The list below has them all.")


def _make_lane(view: AttestationsView, way: str) -> DateLane:
    dates = (_draw_row(one) for one in view.rows if one.seen == way)
    return DateLane(WAYS_SEEN_NAMES[way][0], _WAY_CLASSES[way], tuple(dates))


def _draw_row(one: AttestationRow) -> DrawnDate:
    first, last, opens = one.span
    says = f"{one.name}, {one.date}"
    return DrawnDate(first, first if last is None else last, opens, last is not None, says)


def _render_list(view: AttestationsView) -> nodes.table:
    rows = [_render_row(one) for one in view.rows]
    head = ("Date", "What is attested", "Where", "How we saw it")
    return table("Dated attestations", head, rows, cls="rv-stack rv-quiet rv-attestations")


def _render_row(one: AttestationRow) -> tuple[object, ...]:
    name, _ = WAYS_SEEN_NAMES[one.seen]
    words: list[Content] = [" ", _quote(one)] if one.words else []
    doubt: list[Content] = [" Doubtful: ", *render_prose(one.doubt)] if one.doubt else []
    return (
        [add_page_id(span(one.date), one.id)],
        [*render_prose(one.what), *words, *doubt],
        [*render_prose(one.where)],
        [strong(name), *_tell_way(one)],
    )


def _tell_way(one: AttestationRow) -> Iterator[Content]:
    if one.work:
        yield from (": ", link("work", one.work, "see the bibliography"))
    elif one.text:
        kind = "source" if one.text == one.source else "variants"
        yield from (": ", link(kind, one.source, one.text), *_tell_reach(one))
    else:
        yield from (" by ", *render_prose(one.by), ", ", external_link(one.address, "page"), f", {one.accessed}")
    if one.not_read:
        yield f". Not read: {one.not_read}"


def render_way_key() -> nodes.bullet_list:
    """Render what the ways of seeing mean."""
    return bullet_list([strong(name), f": {says}"] for name, says in WAYS_SEEN_NAMES.values())
