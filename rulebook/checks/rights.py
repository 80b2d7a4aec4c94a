"""Checks of a source in copyright: how much is quoted of it, and the hash of every quotation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulebook.model import Source
from rulebook.problems import Problem, Where
from rulebook.quotations import by_statements, find_quotation, hash_words
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.strings import single_spaced

#: From an opening mark to the last closing one before the next quotation, whatever is quoted within.
IN_CURLY = re.compile(r"“([^”]*(?:”[^“”]+)*)”")


def _iter_quotations(source: Source) -> Iterator[tuple[str, str, Where]]:
    """Yield every quotation printed of a source, anywhere: owner, words, place."""
    for statement in source.statements:
        yield statement.id, statement.quote, statement.where
        yield from iter_quoted_prose(statement.id, statement.where, statement.text)
    for clause in source.clauses:
        for cite in clause.cites:
            yield clause.id, cite.exact, cite.where
        yield from iter_quoted_prose(
            clause.id, clause.where, clause.because, clause.note, clause.computation, clause.label
        )
        for alternative in clause.alternatives:
            yield alternative.id, alternative.exact, alternative.where
            yield from iter_quoted_prose(
                alternative.id, alternative.where, alternative.because, alternative.label, alternative.computation
            )
    for note in source.notes:
        yield from iter_quoted_prose(note.id, note.where, note.text)


def iter_quoted_prose(owner: str, where: Where, *texts: str) -> Iterator[tuple[str, str, Where]]:
    """Yield text between quotation marks in our own prose: owner, words, place."""
    yield from ((owner, words, where) for text in texts for words in (*in_straight(text), *in_curly(text)) if words)


def in_straight(text: str) -> Sequence[str]:
    """Text between straight marks; if their number is odd, all that may be, for nobody can tell which is alone."""
    between = re.split('"+', text)[1:-1]
    return between[::2] if len(between) % 2 else between


def in_curly(text: str) -> Sequence[str]:
    """Text between curly marks; nothing is sought behind the last closing one, so that every mark is read once."""
    return IN_CURLY.findall(text[: text.rfind("”") + 1])


def printed_once(words: Iterable[str]) -> list[str]:
    """Quotations without those that are part of another."""
    kept: list[str] = []
    for quotation in sorted(
        {single_spaced(word) for word in words if word.strip()}, key=lambda quotation: (-len(quotation), quotation)
    ):
        if not any(find_quotation(quotation, longer) for longer in kept):
            kept.append(quotation)
    return kept


def quotations_stay_under_the_cap(case: AssembledLibrary) -> Iterator[Problem]:
    """Of a source in copyright little is quoted: few words at a time, and few together."""
    for source in case.library.sources.values():
        if not by_statements(source):
            continue
        each, share, page = _read_quotation_cap(source)
        if not page:
            what = f"{source.siglum} is given in statements and has no quotation_cap"
            yield source.where.problem(what, "add quotation_cap: with words_each, share_of_page and page_words")
            continue
        for owner, words, where in _iter_quotations(source):
            if len(words.split()) >= each:
                what = f"{owner} quotes {len(words.split())} words at once"
                yield where.problem(what, f"fewer than {each:.0f}: say it in our own words")
        yield from too_much_together(case, source, share * page)


def too_much_together(case: AssembledLibrary, source: Source, limit: float) -> Iterator[Problem]:
    """All quotations of a source, each counted once."""
    total = sum(len(quotation.split()) for quotation in printed_once(words for _, words, _ in _iter_quotations(source)))
    if total >= limit:
        what = f"{source.siglum} is quoted with {total} words in all"
        way_out = f"fewer than {limit:.0f}: leave out what the paraphrase says as well"
        yield case.at(source.where, "quotation_cap").problem(what, way_out)


def _read_quotation_cap(source: Source) -> tuple[float, float, float]:
    """Return words at a time, share of the page, words of the page.

    Noughts if there is no cap.
    """
    given = source.record.get("quotation_cap")
    table = given if isinstance(given, Mapping) else {}
    each, share, page = (table.get(key, 0) for key in ("words_each", "share_of_page", "page_words"))
    return float(each), float(share), float(page)


def every_quotation_bears_its_hash(case: AssembledLibrary) -> Iterator[Problem]:
    """Yield quotations whose hash is missing or wrong: by it anybody who has the page can verify them."""
    for source in case.library.sources.values():
        for statement in source.statements:
            now = hash_words(single_spaced(statement.quote)) if statement.quote else ""
            if statement.quote_hash != now:
                what = f"{statement.id}: quote_hash is not that of its quotation"
                way_out = f"write quote_hash: {now}" if now else "take quote_hash out"
                yield case.at(statement.where, "quote_hash").problem(what, way_out)
