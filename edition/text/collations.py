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


def account_for_words(collation: Collation) -> str:
    """Account for every word of a witness in two sentences."""
    words = collation.words_of_kinds
    parts = (
        f"{collation.same} the same letter by letter",
        f"{words['orthography']} spelt otherwise",
        f"{words['ocr']} only misread by the machine",
        f"{words['misprint']} in a misprint of one of the two",
        _count_other_words(collation),
    )
    shares = [part for part in parts if not part.startswith("0 ")]
    alone = f"{collation.only_there} stand only there, {collation.only_here} of ours only here"
    unseen = (
        f" {format_count(collation.unseen, 'word')} of our sentences at its ends were not consulted."
        if collation.unseen
        else ""
    )
    marks = format_count(collation.counts["punctuation"], "word")
    return (
        f"{format_count(collation.words, 'word')}: {', '.join(shares)}; {alone}.{unseen} Another mark follows {marks}."
    )


def _count_other_words(collation: Collation) -> str:
    """Count the other words, and the places at which they stand: the lists and the TEI count places."""
    words, places = collation.words_of_kinds["substantive"], collation.counts["substantive"]
    count = format_count(words, "other word")
    return count if words == places else f"{count} in {format_count(places, 'place')}"


def say_what_moves(variant: WitnessVariant) -> str:
    """Say which answers a variant would change, and why; empty where nobody asked."""
    if not variant.weighed:
        return ""
    moved = f"It would change {', '.join(variant.moves)}" if variant.moves else "It changes no answer"
    return f"{moved}: {variant.weighed}"
