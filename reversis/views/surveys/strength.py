"""Strength of the players in words, made of the receipt of `proofs.strength`: who wins from whom, where, how surely.

The whole stands with the figures of the proof; a paragraph of it wherever a page rests on these players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.plain_answers import source_marks
from reversis.files.counsel import StoredMean
from reversis.files.miniature import NET_KIND, StoredMiniatures, read_miniatures
from reversis.files.strength import (
    NET_MATCH,
    STRENGTH_PROOF,
    StoredStrength,
    StrengthMatch,
    find_match,
    judge_mean,
    list_net_shares,
    read_strength,
)
from reversis.findings.costs import THIN_SPACE
from reversis.views.page_template import page_renderer
from reversis.views.surveys.play_effects import format_signed
from reversis.views.surveys.surveys import is_undertaken_by_making
from rulebook import __version__
from rulebook.phrases import pluralize_counter

_CITED_MATCH = "search 64 against net"  #: what is cited beside the net's own match


@dataclass(frozen=True, slots=True)
class StrengthView:
    """Strength of the players, with the names of the books and of their counters."""

    stored: StoredStrength | None
    cited: tuple[StrengthMatch, ...]  #: the net's own match, and what is cited beside it
    shares: Mapping[str, float]  #: by source, what part of the search's lead over careful players the net has
    books: Mapping[str, SourceMark]
    measured: tuple[SourceMark, ...]
    units: Mapping[str, str]  #: by source, of more than one
    making: tuple[str, ...]  #: sources by which a reversis counts as undertaken only once it is made
    exploitable: int  #: whether nets surely leave more to win than random players in the last tricks (1), or less (-1)
    miniatures: bool
    outdated: bool  #: it was measured for an earlier state of the edition


def strength_view(corpus: Corpus, _: str = "") -> StrengthView:
    """Strength of the players as the receipt has it."""
    sources, marks, stored = corpus.library.sources, source_marks(corpus), read_strength(corpus.receipts)
    matches, small = stored.matches if stored else (), miniature_view(corpus)
    return StrengthView(
        stored,
        tuple(match for name in (NET_MATCH, _CITED_MATCH) if (match := find_match(matches, name))),
        list_net_shares(matches),
        marks,
        tuple(mark for siglum, mark in marks.items() if any(siglum in match.ahead for match in matches)),
        {siglum: pluralize_counter(source.unit) for siglum, source in sources.items()},
        tuple(siglum for siglum in sources if is_undertaken_by_making(corpus, siglum)),
        small.exploitable,
        small.stored is not None,
        any(
            receipt.proof == STRENGTH_PROOF and receipt.outdated(__version__, corpus.library.rules_digest)
            for receipt in corpus.receipts
        ),
    )


def format_strength_interval(mean: StoredMean) -> str:
    """Format the ends of an interval, each with two significant digits."""
    return f"{format_signed(mean.mean - mean.margin)} to {format_signed(mean.mean + mean.margin)}"


def format_share_range(shares: Mapping[str, float]) -> str:
    """Format the least and the greatest of some shares in per cent."""
    low, high = (f"{100 * end:.0f}" for end in (min(shares.values()), max(shares.values())))
    return f"{low}{THIN_SPACE}%" if low == high else f"{low} to {high}{THIN_SPACE}%"


render_strength_summary = page_renderer(
    "strength-summary", between=format_strength_interval, signed=format_signed, span_of_shares=format_share_range
)
render_strength_note = page_renderer("strength-note", span_of_shares=format_share_range)


@dataclass(frozen=True, slots=True)
class MiniatureView:
    """Exploitability of the players, and whether a proof of their strength stands beside it."""

    stored: StoredMiniatures | None
    strength: bool
    exploitable: int  #: whether nets surely leave more to win than random players (1), or less (-1)


def miniature_view(corpus: Corpus) -> MiniatureView:
    """Exploitability of the players as the receipt has it."""
    stored = read_miniatures(corpus.receipts)
    share = stored.shares.get(NET_KIND) if stored else None
    exploitable = judge_mean(share, 1.0) if share else 0
    return MiniatureView(stored, read_strength(corpus.receipts) is not None, exploitable)


render_miniature_summary = page_renderer("miniature")
