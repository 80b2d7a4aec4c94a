"""The witnesses of a text in its TEI file: `listWit`, the hands, and the apparatus beside the text in `standOff`.

The apparatus is location-referenced: each `app` points to the sentence, and to an emendation that the witness bears
out, and nothing is put in among the words. What is not in the apparatus reads alike in both, or was not consulted in
the witness; `witness` says from where to where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edition.export.tei_elements import TeiElement, find_child, format_pointers, make_element, to_xml_id
from rulebook.tei.document import TEI_PREFIX
from rulebook.witnesses.model import Collation, Witness, WitnessVariant


def declare_witnesses(header: TeiElement, collations: Sequence[Collation]) -> None:
    """List the witnesses in a header, with their hands."""
    if not collations:
        return
    source, encoding, titles = (next(header.iter(f"{TEI_PREFIX}{tag}")) for tag in _HOLDERS)
    works = find_child(source, "listBibl")
    source.insert(
        len(source) if works is None else source.index(works),
        make_element("listWit", [_describe_witness(one.witness) for one in collations]),
    )
    encoding.append(make_element("variantEncoding", method="location-referenced", location="external"))
    titles.extend(hand for one in collations for hand in _list_hands(one.witness))


_HOLDERS = ("sourceDesc", "encodingDesc", "titleStmt")


def _describe_witness(one: Witness) -> TeiElement:
    title = make_element("title", one.title, lang=one.lang)
    title.tail = f": {one.about}. "
    date = make_element("date", one.date, when=one.year, notBefore=one.not_before)
    date.tail = f". Consulted from {one.first} to {one.last}: {one.scope}. {one.seen}"
    return make_element("witness", [title, date], id=one.siglum)


def _list_hands(one: Witness) -> Iterator[TeiElement]:
    for id, (resp, name) in one.hands.items():
        parts = [make_element("resp", f"{one.siglum}: {resp}"), make_element("name", name)]
        yield make_element("respStmt", parts, id=_name_hand(one, id))


def _name_hand(one: Witness, id: str) -> str:
    return to_xml_id(f"{one.siglum}.{id}")


def list_apparatus(collations: Sequence[Collation]) -> Iterator[TeiElement]:
    """Yield the apparatus: every variant of every witness, in the order of the text."""
    for one in collations:
        entries = [_build_entry(one.witness, variant) for variant in one.variants]
        head = make_element("head", f"Variants of {one.witness.siglum}")
        if entries:
            yield make_element("listApp", [head, *entries], type="variants")


def _build_entry(witness: Witness, one: WitnessVariant) -> TeiElement:
    matched = not one.sentence.startswith(f"{witness.siglum}.")
    hand = format_pointers(_name_hand(witness, one.by)) if one.by else ""
    moves = " ".join(one.moves) or "none"
    parts = [
        make_element("lem", one.ours),
        _build_reading(witness, one),
        make_element("note", one.why, type="reason", resp=hand),
        *([make_element("note", one.weighed, type="moves", n=moves, resp=hand)] if one.weighed else []),
    ]
    pointers = format_pointers(one.sentence if matched else "", one.emendation)
    return make_element("app", parts, type=one.kind, loc=f"{one.sentence} word {one.word}", corresp=pointers)


def _build_reading(witness: Witness, one: WitnessVariant) -> TeiElement:
    """Build the reading; where we read otherwise than the transcription, both stand in `choice`."""
    if not one.transcribed:
        return make_element("rdg", one.theirs, wit=format_pointers(witness.siglum))
    read = make_element("choice", [make_element("sic", one.transcribed), make_element("corr", one.theirs)])
    return make_element("rdg", [read], wit=format_pointers(witness.siglum))
