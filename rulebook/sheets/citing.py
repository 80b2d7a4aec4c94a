"""Find the words of a row in its source, and make a citation of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulebook.model import VIEWS, Cite, Source
from rulebook.passage_search import Searched, find_closest, find_passages
from rulebook.program_name import name_command
from rulebook.quotations import (
    by_statements,
    count_occurrences,
    fingerprint_citation,
    list_loci,
    select_loci,
)
from rulebook.sheets.reading import RefusedCell
from rulebook.sheets.rows import format_place
from rulebook.spelling import Spelling
from rulebook.strings import quote_value, single_spaced

_MAX_LISTED_PLACES = 5


class WordFinder:
    """Finds the words of a source's rows; its text is folded once, when the first are sought."""

    def __init__(self, source: Source, spelling: Spelling) -> None:
        self.source, self.spelling = source, spelling
        self.searched: Searched | None = None

    def cite(self, words: str, place: str, role: str, view: str) -> Mapping[str, Any]:
        """Return a citation of words, at a place if one is given. Raises RefusedCell."""
        words = single_spaced(words)
        first, last = self._parse_place(place) if place else ("", "")
        if not words:
            if first and by_statements(self.source):
                return self._to_entry(Cite(first, last), role)
            if not list_loci(self.source):
                raise self._no_text()
            hint = (
                f"write the words on which the answer rests; `{name_command(f'cite {self.source.siglum}')}` finds them"
            )
            raise RefusedCell("words", "no words of the source are given", hint)
        for text_view in dict.fromkeys((view, *VIEWS)) if first else ():
            exact = Cite(first, last, words, view=text_view)
            if count_occurrences(self.source, exact, text_view) == 1:
                return self._to_entry(exact, role)
        return self._to_entry(self._find(words, place, first), role)

    def _parse_place(self, place: str) -> tuple[str, str]:
        first, _, last = (part.strip() for part in place.partition("-"))
        if select_loci(self.source, first, last):
            return first, last if last != first else ""
        loci = list_loci(self.source)
        if not loci:
            raise self._no_text()
        what = f"{quote_value(place)} is no sentence of {self.source.siglum}"
        raise RefusedCell("place", what, f"write it like {loci[0]}")

    def _no_text(self) -> RefusedCell:
        siglum = self.source.siglum
        hint = f"{name_command(f'import-text {siglum}')} turns one into sentences"
        return RefusedCell("words", f"{siglum} has no text yet", hint)

    def _find(self, words: str, place: str, first: str) -> Cite:
        if not list_loci(self.source):
            raise self._no_text()
        self.searched = self.searched or Searched(self.source, self.spelling)
        passages = find_passages(self.searched, words)
        quoted = words if len(words) <= 60 else f"{words[:57]}..."
        if not passages or passages[0].near:
            best = passages[0] if passages else find_closest(self.searched, words)
            near = f'the nearest is "{best.cite.exact}" in {_name_place(best.cite)}' if best else ""
            hint = near or f"fewer words may be found; `{name_command(f'cite {self.source.siglum}')}` looks for them"
            raise RefusedCell("words", f'"{quoted}" does not stand in {self.source.siglum}', hint)
        there = (
            [passage.cite for passage in passages if passage.cite.locus == first] if len(passages) > 1 and first else []
        )
        cites = there or [passage.cite for passage in passages]
        if len(cites) > 1:
            listed = ", ".join(dict.fromkeys(map(_name_place, cites[:_MAX_LISTED_PLACES])))
            more = " ..." if len(cites) > _MAX_LISTED_PLACES else ""
            hint = f"write under `place` which is meant, or more words: {listed}{more}"
            raise RefusedCell("words", f'"{quoted}" stands in {len(cites)} places', hint)
        return cites[0]

    def _to_entry(self, cite: Cite, role: str) -> Mapping[str, Any]:
        """Return a citation as an entry of clauses.yaml, with the fingerprint of its sentence."""
        given = {
            "locus": cite.locus,
            "to": cite.to,
            "seen": fingerprint_citation(self.source, cite),
            "exact": cite.exact,
            "prefix": cite.prefix,
            "suffix": cite.suffix,
            "view": cite.view if cite.view != VIEWS[0] else "",
            "role": role,
        }
        return {name: text for name, text in given.items() if text}


class MarkedFinder(WordFinder):
    """Cites the very words that somebody has marked in the text, wherever else they may stand."""

    def __init__(self, source: Source, spelling: Spelling, marked: Sequence[Cite]) -> None:
        super().__init__(source, spelling)
        self.marked = {(single_spaced(cite.exact), _name_place(cite)): cite for cite in marked}

    def cite(self, words: str, place: str, role: str, view: str) -> Mapping[str, Any]:
        """Return the citation of the marked words, or of words that were typed."""
        marked = self.marked.get((single_spaced(words), place))
        return self._to_entry(marked, role) if marked else super().cite(words, place, role, view)


def merge_citations(
    cites: Sequence[Mapping[str, Any]], held: Sequence[int], changed: Mapping[int, Mapping[str, Any] | None]
) -> list[Mapping[str, Any]]:
    """Return citations with what was found in the place of those that have cells, or behind them; none goes."""
    mended = dict(enumerate(cites)) | {held[at]: citation for at, citation in changed.items() if at < len(held)}
    behind = held[-1] + 1 if held else 0
    fresh = [citation for at, citation in changed.items() if at >= len(held)]
    before = [mended[at] for at in range(behind)]
    return [citation for citation in (*before, *fresh, *(mended[at] for at in range(behind, len(cites)))) if citation]


def _name_place(cite: Cite) -> str:
    return format_place({"locus": cite.locus, "to": cite.to})
