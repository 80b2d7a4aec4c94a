"""English phrases for collations: every word of a witness accounted for, and the kinds of its variants."""

from __future__ import annotations

from collections.abc import Mapping

from rulebook.phrases import format_count
from rulebook.witnesses.model import Collation, WitnessVariant

#: Kind of a variant -> its name in a list, for readers.
KIND_NAMES: Mapping[str, str] = {
    "substantive": "another word",
    "misprint": "misprint",
    "orthography": "spelling",
    "ocr": "machine’s misreading",
    "punctuation": "punctuation",
}


def account_for_words(one: Collation) -> str:
    """Account for every word of a witness in two sentences."""
    words = one.words_of_kinds
    parts = (
        f"{one.same} the same letter by letter",
        f"{words['orthography']} spelt otherwise",
        f"{words['ocr']} only misread by the machine",
        f"{words['misprint']} in a misprint of one of the two",
        _count_other_words(one),
    )
    said = [part for part in parts if not part.startswith("0 ")]
    alone = f"{one.only_there} stand only there, {one.only_here} of ours only here"
    unseen = (
        f" {format_count(one.unseen, 'word')} of our sentences at its ends were not consulted." if one.unseen else ""
    )
    marks = format_count(one.counts["punctuation"], "word")
    return f"{format_count(one.words, 'word')}: {', '.join(said)}; {alone}.{unseen} Another mark follows {marks}."


def _count_other_words(one: Collation) -> str:
    """Count the other words, and the places at which they stand: the lists and the TEI count places."""
    words, places = one.words_of_kinds["substantive"], one.counts["substantive"]
    said = format_count(words, "other word")
    return said if words == places else f"{said} in {format_count(places, 'place')}"


def say_what_moves(one: WitnessVariant) -> str:
    """Say which answers a variant would change, and why; empty where nobody asked."""
    if not one.weighed:
        return ""
    moved = f"It would change {', '.join(one.moves)}" if one.moves else "It changes no answer"
    return f"{moved}: {one.weighed}"
