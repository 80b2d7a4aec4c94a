"""Emendations in the words that a clause quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from rulebook.model import VIEWS, Cite, Clause, Source
from rulebook.quotations import find_quotation, is_framed, select_loci, words_at
from rulebook.spelling import Spelling
from rulebook.strings import single_spaced
from rulebook.tei.views import is_emendation, mended_words, printed_words, reading_view, show_view
from rulebook.text import TextPart


def attach_emendations(source: Source, clause: Clause, spelling: Spelling) -> Clause:
    """Add to a clause the emendations on which it rests; what it cites against itself does not bear it."""
    bearing = (cite for cite in clause.cites if cite.role != "against" and cite.view in VIEWS)
    ids = (id for cite in bearing for id in emendations_at(source, cite, spelling))
    return replace(clause, emendations=tuple(dict.fromkeys(ids)))


def emendations_at(source: Source, cite: Cite, spelling: Spelling) -> Iterator[str]:
    """The emendations among the words of one quotation, in whichever view it quotes."""
    ids, exact = select_loci(source, cite.locus, cite.to), single_spaced(cite.exact)
    if source.text is None or not exact:
        return
    text = words_at(source, ids, cite.view)
    finds = [at for at in find_quotation(exact, text) if is_framed(at, cite, exact, text)]
    start = 0
    for id in ids:
        for emendation, first, last in find_emendations(
            source.text.sentences[id].parts, make_view(cite.view, spelling)
        ):
            if any(at < start + last and start + first < at + len(exact) for at in finds):
                yield emendation
        start += len(words_at(source, (id,), cite.view)) + 1


def find_emendations(
    parts: Sequence[TextPart], show: Callable[[Sequence[TextPart]], str]
) -> Iterator[tuple[str, int, int]]:
    """Find every emendation of a sentence, and where it begins and ends in a view."""
    for at, part in enumerate(parts):
        if is_emendation(part):
            yield part.id, len(show(parts[:at])), len(show(parts[: at + 1]))


def make_view(name: str, spelling: Spelling) -> Callable[[Sequence[TextPart]], str]:
    """Return how a view is made."""
    if name == "reading":
        return partial(reading_view, spelling=spelling)
    return partial(show_view, words=printed_words if name == "diplomatic" else mended_words)
