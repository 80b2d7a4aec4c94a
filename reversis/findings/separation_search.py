"""The search for separating deals, with all that one search hands on to the next.

What is known is tried first: worked deals, deals that were made for another pair, worked sessions. Then it is tried
to prove that nothing can separate; and where that fails, deals are made for the purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.comparison import separation
from engine.comparison.irrelevance_proof import Knowledge, gather_knowledge, why_latent
from engine.comparison.minimise import measure_deal_size, shrink_separation
from engine.comparison.questions_outside_payments import asked_outside
from engine.deal.model import Deal
from engine.interpretation.effects import DealResult
from engine.settlement.settle import settle
from reversis.files.separations import Parting, worked_deals
from reversis.files.sessions import read_playable_sessions
from rulebook.model import Library
from rulebook.resolve import resolve

_MAX_SHRUNK = 3  #: so many of the smallest that are known are made smaller
_MAX_CONSTRUCTED = 8  #: so many constructed ones, the settled ones preferred
_MAX_WORKED_NAMED = 3  #: so many worked deals are named that show a difference too


@dataclass
class SeparationWorkspace:
    """Data shared by all searches: library, seed, steps, and the deals made so far."""

    library: Library
    seed: int
    steps: int
    made: dict[str, Deal] = field(default_factory=dict)

    @cached_property
    def worked(self) -> dict[str, Deal]:
        """The worked deals."""
        return worked_deals(self.library)

    @cached_property
    def sessions(self) -> list[tuple[Deal, ...]]:
        """The worked sessions, as rows of deals."""
        return [deals for _, deals in read_playable_sessions(self.library)]

    @cached_property
    def settled(self) -> Mapping[str, list[tuple[Deal, DealResult]]]:
        """Every worked deal under every source as it stands."""
        own = {siglum: resolve(self.library, siglum) for siglum in self.library.sources}
        return {siglum: [(d, settle(d, own[siglum])) for d in self.worked.values()] for siglum in own}

    @cached_property
    def known(self) -> Mapping[str, Knowledge]:
        """Knowledge of every source, gained by trying everything."""
        return {siglum: gather_knowledge(resolve(self.library, siglum)) for siglum in self.library.sources}


# ---- one question, two sources


def search_separation(bench: SeparationWorkspace, question: str, pair: tuple[str, str]) -> Parting:
    """Search for a deal that separates two sources on one question."""
    if bench.library.questions[question].not_played:
        return Parting(question=question, pair=pair, verdict=separation.NOT_PLAYED)
    rulings = (resolve(bench.library, siglum).rulings.get(question) for siglum in pair)
    if unplayed := (
        " ".join(
            dict.fromkeys(f"{ruling.source}: {ruling.not_played}" for ruling in rulings if ruling and ruling.not_played)
        )
    ):
        return Parting(question=question, pair=pair, verdict=separation.NOT_PLAYED, because=unplayed)
    sides = separation.list_swaps(bench.library, question, pair)
    deals = [deal for side in sides for deal in _find_separating_deals(bench, side)]
    if deals:
        return _build_effective_parting(bench, pair, deals)
    latent = proved_latent(bench, question, pair, sides)
    if latent is not None:
        return latent
    tried = list[str]()
    for side in sides:
        row = separation.shortest_session(side, list(bench.worked.values()), bench.seed, bench.sessions)
        if isinstance(row, separation.SessionSeparation):
            return _make_effective_parting(pair, row.swap, session=tuple(deal.id for deal in row.deals), how=row.how)
        tried += [f"{side.base} with the answer of {side.giver}: {row}"] if row.deals else []
    return made_or_unknown(bench, pair, sides, tried)


def _find_separating_deals(bench: SeparationWorkspace, side: separation.Swap) -> list[separation.Separation]:
    """The known deals that separate: worked ones, and those that were made for another pair."""
    asking = [(deal, before) for deal, before in bench.settled[side.base] if separation.may_matter(before, side)]
    candidates = [separation.try_separation(side, deal, before) for deal, before in asking]
    prefix = f"{_hyphenate_slug(side.question)}-"
    candidates += [separation.try_separation(side, deal) for id, deal in bench.made.items() if id.startswith(prefix)]
    return [candidate for candidate in candidates if candidate is not None]


def _hyphenate_slug(question: str) -> str:
    return question.replace(".", "-")


def _build_effective_parting(
    bench: SeparationWorkspace, pair: tuple[str, str], candidates: Sequence[separation.Separation]
) -> Parting:
    best = sorted(candidates, key=lambda candidate: (measure_deal_size(candidate), candidate.deal.id))
    smaller = [shrink_separation(candidate, bench.seed, bench.steps) for candidate in best[:_MAX_SHRUNK]]
    least = min((*best[:1], *smaller), key=lambda candidate: (measure_deal_size(candidate), candidate.deal.id))
    swap, id = least.swap, _store_deal(bench, least)
    worked = [
        candidate.deal.id
        for candidate in best
        if candidate.deal.id in bench.worked and candidate.swap.base == swap.base
    ]
    shown = tuple(dict.fromkeys(worked))[:_MAX_WORKED_NAMED]
    return _make_effective_parting(pair, swap, deal=id, how=least.how, worked=shown)


def _make_effective_parting(pair: tuple[str, str], swap: separation.Swap, **shown: Any) -> Parting:
    return Parting(
        question=swap.question,
        pair=pair,
        verdict=separation.EFFECTIVE,
        base=swap.base,
        giver=swap.giver,
        brings=swap.brings,
        **shown,
    )


def _store_deal(bench: SeparationWorkspace, candidate: separation.Separation) -> str:
    """Store a deal and return its id; none is stored twice."""
    swap = candidate.swap
    asks = bench.library.questions[swap.question].asks
    for id, deal in bench.made.items():
        if separation.rename_deal(candidate.deal, id, deal.title) == deal:
            return id
    id = f"{_hyphenate_slug(swap.question)}-{swap.base}-{swap.giver}".lower()
    bench.made[id] = separation.rename_deal(candidate.deal, id, asks)
    return id


def proved_latent(
    bench: SeparationWorkspace, question: str, pair: tuple[str, str], sides: Iterable[separation.Swap]
) -> Parting | None:
    """That the answer can never matter, if that is shown of every way in which it could be exchanged."""
    why = [why_latent(side, bench.known[side.base], asked_outside) for side in sides]
    if not why or not all(why):
        return None
    return Parting(question=question, pair=pair, verdict=separation.LATENT, because=". ".join(dict.fromkeys(why)))


def made_or_unknown(
    bench: SeparationWorkspace, pair: tuple[str, str], sides: Sequence[separation.Swap], tried: list[str]
) -> Parting:
    """A deal made for the purpose; or what was tried in vain."""
    candidates, question = list[separation.Separation](), sides[0].question
    for side in sides:
        search = separation.Search(side, bench.seed)
        for candidate in search.constructed():
            candidates.append(candidate)
            if (
                sum(map(separation.settled_both, candidates)) >= _MAX_CONSTRUCTED
                or len(candidates) >= 4 * _MAX_CONSTRUCTED
            ):
                break
        tried.append(f"{side.base} with the answer of {side.giver}: {search.told}")
    if candidates:
        return _build_effective_parting(bench, pair, candidates)
    return Parting(question=question, pair=pair, verdict=separation.VERDICT_UNKNOWN, because="; ".join(tried))
