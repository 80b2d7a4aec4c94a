"""Quotations of a source: what can be cited, the words at a locus, and where a quotation stands in them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from rulebook.model import VIEWS, Cite, Library, Source
from rulebook.strings import quote_value, single_spaced
from rulebook.suggestions import did_you_mean


def by_statements(source: Source) -> bool:
    """Return whether a source is given in our statements, its text in copyright."""
    return source.text is None and bool(source.statements)


def list_loci(source: Source) -> tuple[str, ...]:
    """List everything in a source that can be cited, in order."""
    return tuple(source.text.sentences) if source.text else tuple(statement.id for statement in source.statements)


def is_locus(source: Source, id: str) -> bool:
    """Return whether something in a source has this id and can be cited."""
    return id in source.text.sentences if source.text else any(statement.id == id for statement in source.statements)


def select_loci(source: Source, first: str, last: str = "") -> tuple[str, ...]:
    """Return the loci from the first to the last; none if one is unknown or they run backwards."""
    if not last or last == first:
        return (first,) if is_locus(source, first) else ()
    loci = list_loci(source)
    if first not in loci or last not in loci:
        return ()
    return loci[loci.index(first) : loci.index(last) + 1]


def words_at(source: Source, ids: Iterable[str], view: str) -> str:
    """Return the text at these loci in one view, or what is quoted of a statement."""
    if source.text:
        return " ".join(str(getattr(source.text.sentences[id], view)) for id in ids)
    quotes = {statement.id: statement.quote for statement in source.statements}
    return single_spaced(" ".join(quotes[id] for id in ids))


def fingerprint_citation(source: Source, cite: Cite) -> str:
    """Return the fingerprint of what is cited, as it stands now; empty if it does not stand."""
    ids = select_loci(source, cite.locus, cite.to)
    if not ids:
        return ""
    if source.text:
        seen = words_at(source, ids, "diplomatic")
    else:
        seen = single_spaced(
            " ".join(f"{statement.text} {statement.quote}" for statement in source.statements if statement.id in ids)
        )
    return hash_words(seen)


def hash_words(text: str) -> str:
    """Return the SHA-256 of a text, in the form in which it is written down."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def find_quotation(exact: str, text: str) -> list[int]:
    """Find where a quotation begins in a text; whole words only. (To compile a pattern for each takes longer.)"""
    places, at = list[int](), text.find(exact)
    while at >= 0 and exact:
        end = at + len(exact)
        whole = not splits_word(text[max(at - 1, 0) : at], exact[0]) and not splits_word(exact[-1], text[end : end + 1])
        if whole:
            places.append(at)
        at = text.find(exact, end if whole else at + 1)
    return places


def splits_word(before: str, after: str) -> bool:
    """Return whether two letters side by side belong to one word."""
    return is_word_letter(before) and is_word_letter(after)


def is_word_letter(letter: str) -> bool:
    """Return whether a letter is part of a word; nothing is none."""
    return letter.isalnum() or letter == "_"


def is_framed(at: int, cite: Cite, exact: str, text: str) -> bool:
    """Return whether a find has the prefix before it and the suffix behind it."""
    before, after = text[:at].rstrip(), text[at + len(exact) :].lstrip()
    return before.endswith(single_spaced(cite.prefix)) and after.startswith(single_spaced(cite.suffix))


def count_occurrences(source: Source, cite: Cite, view: str) -> int:
    """Count how often a quotation stands at its locus."""
    exact = single_spaced(cite.exact)
    text = words_at(source, select_loci(source, cite.locus, cite.to), view)
    return sum(is_framed(at, cite, exact, text) for at in find_quotation(exact, text))


# --- the nearest match ------------------------------------------------------------------------------


def describe_nearest(source: Source, cite: Cite) -> str:
    """Say where the quoted words stand, or what stands there that is most like them."""
    exact = single_spaced(cite.exact)
    for view in VIEWS:
        if view != cite.view and count_occurrences(source, cite, view):
            return f"it stands there in the {view} view: quote the {cite.view} one, or say view: {view}"
    elsewhere = [id for id in list_loci(source) if find_quotation(exact, words_at(source, (id,), cite.view))]
    if elsewhere:
        return f"it stands in {', '.join(elsewhere[:3])}"
    likely = sorted(list_loci(source), key=lambda id: -share_of_triples(exact, words_at(source, (id,), cite.view)))[:5]
    best = max((window for id in likely for window in similar_windows(source, cite, id)), default=(0.0, "", ""))
    if best[0] < 0.5:
        return "nothing like it stands in the source: quote again from the text"
    line = f" (text.xml, line {source.text.sentences[best[1]].line})" if source.text else ""
    return f'the nearest is "{best[2]}" in {best[1]}{line}'


def _letter_triples(text: str) -> set[str]:
    return {text[at : at + 3].lower() for at in range(max(len(text) - 2, 1))}


def share_of_triples(exact: str, text: str) -> float:
    """Return how much of a quotation a text has, roughly."""
    wanted = _letter_triples(exact)
    return len(wanted & _letter_triples(text)) / len(wanted)


def similar_windows(source: Source, cite: Cite, id: str) -> Iterator[tuple[float, str, str]]:
    """Yield runs of as many words as were quoted, each with its likeness."""
    exact = single_spaced(cite.exact)
    words, size = words_at(source, (id,), cite.view).split(), len(exact.split())
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(exact)
    for at in range(max(len(words) - size, 0) + 1):
        window = " ".join(words[at : at + size])
        matcher.set_seq1(window)
        if matcher.quick_ratio() >= 0.5:
            yield matcher.ratio(), id, window


def find_passage_fault(library: Library, at: str, exact: str) -> tuple[str, str, str] | None:
    """Find what is wrong with words that are said to stand in a sentence: the entry, the fault, the way out.

    Of a source in copyright they are words of our statement.
    """
    source = library.sources.get(at.partition(".")[0])
    if source is None or not is_locus(source, at):
        known = list_loci(source) if source else library.sources
        hint = did_you_mean(at, known, "write the id of a sentence or statement: ABC.s0003")
        return "at", f"no sentence {at}", hint
    if find_quotation(single_spaced(exact), _join_printed_words(source, at)):
        return None
    near = describe_nearest(source, Cite(at, exact=exact)) if source.text else "quote our statement"
    return "exact", f"{at} has no {quote_value(exact)}", near


def _join_printed_words(source: Source, id: str) -> str:
    if source.text:
        return words_at(source, (id,), "diplomatic")
    return single_spaced(next(statement.text for statement in source.statements if statement.id == id))
