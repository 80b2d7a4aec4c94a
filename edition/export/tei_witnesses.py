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
        make_element("listWit", [_describe_witness(collation.witness) for collation in collations]),
    )
    encoding.append(make_element("variantEncoding", method="location-referenced", location="external"))
    titles.extend(hand for collation in collations for hand in _list_hands(collation.witness))


_HOLDERS = ("sourceDesc", "encodingDesc", "titleStmt")


def _describe_witness(witness: Witness) -> TeiElement:
    title = make_element("title", witness.title, lang=witness.lang)
    title.tail = f": {witness.about}. "
    date = make_element("date", witness.date, when=witness.year, notBefore=witness.not_before)
    date.tail = f". Consulted from {witness.first} to {witness.last}: {witness.scope}. {witness.seen}"
    return make_element("witness", [title, date], id=witness.siglum)


def _list_hands(witness: Witness) -> Iterator[TeiElement]:
    for id, (resp, name) in witness.hands.items():
        parts = [make_element("resp", f"{witness.siglum}: {resp}"), make_element("name", name)]
        yield make_element("respStmt", parts, id=_name_hand(witness, id))


def _name_hand(witness: Witness, id: str) -> str:
    return to_xml_id(f"{witness.siglum}.{id}")


def list_apparatus(collations: Sequence[Collation]) -> Iterator[TeiElement]:
    """Yield the apparatus: every variant of every witness, in the order of the text."""
    for collation in collations:
        entries = [_build_entry(collation.witness, variant) for variant in collation.variants]
        head = make_element("head", f"Variants of {collation.witness.siglum}")
        if entries:
            yield make_element("listApp", [head, *entries], type="variants")


def _build_entry(witness: Witness, variant: WitnessVariant) -> TeiElement:
    matched = not variant.sentence.startswith(f"{witness.siglum}.")
    hand = format_pointers(_name_hand(witness, variant.by)) if variant.by else ""
    moves = " ".join(variant.moves) or "none"
    parts = [
        make_element("lem", variant.ours),
        _build_reading(witness, variant),
        make_element("note", variant.why, type="reason", resp=hand),
        *([make_element("note", variant.weighed, type="moves", n=moves, resp=hand)] if variant.weighed else []),
    ]
    pointers = format_pointers(variant.sentence if matched else "", variant.emendation)
    return make_element(
        "app", parts, type=variant.kind, loc=f"{variant.sentence} word {variant.word}", corresp=pointers
    )


def _build_reading(witness: Witness, variant: WitnessVariant) -> TeiElement:
    """Build the reading; where we read otherwise than the transcription, both stand in `choice`."""
    if not variant.transcribed:
        return make_element("rdg", variant.theirs, wit=format_pointers(witness.siglum))
    read = make_element("choice", [make_element("sic", variant.transcribed), make_element("corr", variant.theirs)])
    return make_element("rdg", [read], wit=format_pointers(witness.siglum))
