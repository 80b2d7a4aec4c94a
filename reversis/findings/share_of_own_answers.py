"""Share of a deal that a source answers by itself, the rest being supplied; and what a draft can play already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.deal.model import Deal
from engine.settlement.settle import Settled, Unanswered, settle
from reversis.files.deals import find_deal_paths, read_worked
from reversis.words.missing import MissingGroup, find_missing_for_deals
from rulebook.model import Library
from rulebook.resolve import resolve


@dataclass(frozen=True, slots=True)
class OwnShare:
    """Questions that the deals of a source ask, by who answers them."""

    deals: int  #: that come to a result: its own, or of a source without any those of the edition
    asked: int  #: questions that at least one of the deals asks
    own: int
    taken_from: tuple[tuple[str, int], ...]  #: the others, by where they are taken from, the most first
    least: str = ""  #: the deal of which it answers the smallest share
    least_own: int = 0
    least_asked: int = 0
    examples: int = 0  #: deals of its own, with or without a result

    @property
    def is_leaning(self) -> bool:
        """True if the source answers less than half of what its deals ask."""
        return self.own * 2 < self.asked


def measure_own_share(library: Library, siglum: str) -> OwnShare | None:
    """Measure how much of its deals a source answers by itself; None where none can be settled.

    Its deals are its own worked deals; of a source without any, every deal of the edition that it settles.
    """
    rules = resolve(library, siglum).rulings
    asked = {id: [rules[slug] for slug in slugs] for id, slugs in _list_asked_questions(library, siglum)}
    if not asked:
        return None
    whole = {ruling.question: ruling for some in asked.values() for ruling in some}
    least = min(asked, key=lambda id: sum(not ruling.supplied for ruling in asked[id]) / max(len(asked[id]), 1))
    ours = Counter(library.clause(ruling.clauses[0]).taken_from for ruling in whole.values() if ruling.supplied)
    return OwnShare(
        len(asked),
        len(whole),
        sum(not ruling.supplied for ruling in whole.values()),
        tuple(sorted(ours.items(), key=lambda lent: (-lent[1], lent[0]))),
        least,
        sum(not ruling.supplied for ruling in asked[least]),
        len(asked[least]),
        len(_list_own_deals(library, siglum)),
    )


@dataclass(frozen=True, slots=True)
class DraftPlay:
    """Deals as far as a draft can play them."""

    settled: tuple[str, ...]
    partly: tuple[tuple[str, int, int], ...]  #: deal, payments that it settles, and payments left out
    stopped: tuple[str, ...]  #: of these not even the play can be followed
    missing: tuple[MissingGroup, ...]  #: for the deals that it does not settle


def measure_draft_play(library: Library, siglum: str) -> DraftPlay:
    """Try a draft on its deals: its own worked deals, or all of the edition if it has none."""
    ruleset = resolve(library, siglum)
    tried = [(deal, settle(deal, ruleset)) for deal in _select_deals(library, siglum)]
    unanswered = [done for _, done in tried if isinstance(done, Unanswered)]
    return DraftPlay(
        tuple(deal.id for deal, done in tried if isinstance(done, Settled)),
        tuple((done.deal.id, len(done.part[0]), len(done.part[1])) for done in unanswered if done.part[0]),
        tuple(done.deal.id for done in unanswered if not done.part[0]),
        find_missing_for_deals(library, [done.deal for done in unanswered], ruleset),
    )


def _list_asked_questions(library: Library, siglum: str) -> Iterator[tuple[str, list[str]]]:
    ruleset = resolve(library, siglum)
    for deal in _select_deals(library, siglum):
        done = settle(deal, ruleset)
        if isinstance(done, Settled):
            yield deal.id, sorted(done.asked)


def _select_deals(library: Library, siglum: str) -> Iterator[Deal]:
    names = _list_own_deals(library, siglum) or find_deal_paths(library)
    yield from (deal for name in names if (deal := read_worked(library, name).deal) is not None)


def _list_own_deals(library: Library, siglum: str) -> list[str]:
    return [name for name, path in find_deal_paths(library).items() if path.partition("/")[0] == siglum]
