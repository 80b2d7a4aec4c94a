"""Attribution of the differences between sources, on the page of a worked deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from edition.text.typography import use_minus_signs
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes
from engine.comparison.bundles import JOINED
from engine.deal.model import Deal
from engine.readings.meanings.stake import POOL_ACCOUNT
from reversis.files.attributions import Caused, Causes, fingerprint_deal
from reversis.views.page_template import page_renderer
from reversis.words.certainty import head_turn
from reversis.words.ledgers import format_signed_fraction
from rulebook.model import Library
from rulebook.strings import slugify_text

#: Answers with how they are joined, and their share in every account.
CauseRow: TypeAlias = tuple[tuple[QuestionLink, ...], str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PairView:
    """Attribution of the difference between two sources."""

    pair: tuple[str, str]
    unsettled: Mapping[str, str]  #: books without a result, by name, and why: no money is shared out
    turned: tuple[tuple[str, tuple[tuple[QuestionLink, ...], ...]], ...]
    rows: tuple[CauseRow, ...]
    difference: tuple[str, ...]
    most: str = ""  #: the question that makes most of the difference

    @property
    def key(self) -> str:
        """Name under which the shares are fetched."""
        first, second = self.pair
        caption = slugify_text(f"What {second} makes of the deal, less what {first} makes of it")
        return f"causes-{first}-{second}-{caption}"

    @property
    def answers(self) -> int:
        """Number of the answers that make the difference."""
        return sum(max(len(questions), 1) for questions, _, _ in self.rows)

    @property
    def joined(self) -> bool:
        """True if some answers make a difference only together."""
        return any(len(questions) > 1 for questions, _, _ in self.rows)


@dataclass(frozen=True, slots=True)
class RankedCause:
    """Answers that make a difference together, and where they make most."""

    questions: tuple[QuestionLink, ...]  #: none: the pool before the deal
    most: str  #: counters
    account: str
    pair: tuple[str, str]
    pairs: int  #: of sources between which they make a difference


@dataclass(frozen=True, slots=True)
class CausesView:
    """Attribution of the differences on a deal: the causes from the largest down, and those of every two sources."""

    accounts: tuple[str, ...]
    ranked: tuple[RankedCause, ...]
    pairs: tuple[PairView, ...]
    command: str
    deal: str
    #: fingerprint of the sources in which they were found; the list of deals says whether it still is theirs
    sources: str

    @property
    def reasons(self) -> Mapping[str, str]:
        """Books without a result, by name, and why."""
        return {name: why for pair in self.pairs for name, why in pair.unsettled.items()}

    @property
    def unsettled(self) -> Mapping[Any, list[PairView]]:
        """Pairs of which a book has no result, by what they decide otherwise before any money."""
        groups: dict[Any, list[PairView]] = {}
        for pair in self.pairs:
            if pair.unsettled:
                groups.setdefault(pair.turned, []).append(pair)
        return groups


def causes_view(library: Library, stored: Causes | None, deal: Deal) -> CausesView | None:
    """Stored attribution of a deal; None if none is stored or the deal has changed."""
    causes = (
        [cause for cause in stored.by_deal.get(deal.id, ()) if cause.seal == fingerprint_deal(deal)] if stored else []
    )
    if not stored or not causes:
        return None
    accounts = (*deal.seats, POOL_ACCOUNT)
    pairs = tuple(pair_view(library, cause, accounts) for cause in causes)
    return CausesView(accounts, rank_causes(library, causes), pairs, stored.command, deal.id, stored.sources)


def rank_causes(library: Library, found: Sequence[Caused]) -> tuple[RankedCause, ...]:
    """Rank the answers that make a difference by the most that they add to one account between two sources."""
    shares: dict[tuple[str, ...], list[tuple[Fraction, str, tuple[str, str]]]] = {}
    for caused in found:
        for cause in caused.causes:
            most = max((abs(Fraction(share)), account) for account, share in cause.adds.items())
            shares.setdefault(cause.questions, []).append((*most, caused.pair))
    ordered = sorted(shares.items(), key=lambda entry: (-max(entry[1])[0], entry[0]))
    return tuple(
        RankedCause(_link_questions(library, slugs), format_signed_fraction(most).lstrip("+"), account, pair, len(rows))
        for slugs, rows in ordered
        for most, account, pair in [max(rows, key=lambda row: row[0])]
    )


def freshness_view(stored: Causes | None, digest: str) -> tuple[str, tuple[str, ...]] | None:
    """Command that computed the attributions, and why they are outdated, if so."""
    return (stored.command, stored.outdated(digest)) if stored else None


render_attribution_status = page_renderer("causes-found")


def pair_view(library: Library, caused: Caused, accounts: tuple[str, ...]) -> PairView:
    """Two sources on a deal, in words."""
    states = dict(zip(caused.pair, caused.states, strict=True))
    bad = {library.sources[s].short_name: NOT_SETTLED[states[s]] for s in caused.pair if states[s] in NOT_SETTLED}
    turned = tuple(
        (
            head_turn(turn.what, turn.trick, turn.seat.capitalize()),
            tuple(_link_questions(library, some) for some in turn.enough),
        )
        for turn in caused.turned
    )
    rows = tuple(
        (
            _link_questions(library, c.questions),
            JOINED.get(c.joined, "") if c.joined else "",
            _format_account_shares(c.adds, accounts),
        )
        for c in caused.causes
    )
    difference = _format_account_shares({a: str(n) for a, n in caused.difference.items()}, accounts)
    heaviest = max(caused.causes, key=lambda cause: sum(abs(Fraction(n)) for n in cause.adds.values()), default=None)
    asked = _link_questions(library, heaviest.questions[:1]) if heaviest else ()
    return PairView(caused.pair, bad, turned, rows, difference, asked[0].asks if asked else "")


NOT_SETTLED: Mapping[str, str] = {
    "refused": "does not allow what was played",
    "silent": "has no answer to a question that the deal raises",
}


def _link_questions(library: Library, slugs: tuple[str, ...]) -> tuple[QuestionLink, ...]:
    """Links to questions, as far as they still exist."""
    return tuple(question_link(library.questions[slug]) for slug in slugs if slug in library.questions)


def _format_account_shares(adds: Mapping[str, str], accounts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(use_minus_signs(format_signed_fraction(Fraction(adds.get(account, "0")))) for account in accounts)


# ---- layout
_render_causes = page_renderer("causes")


def attribution_section(view: CausesView | None, names: Mapping[str, str]) -> Nodes:
    """The answers that make the difference, pair by pair, folded away; *names* of the sources by siglum."""
    return _render_causes((view, names))
