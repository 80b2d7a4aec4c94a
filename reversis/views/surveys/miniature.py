"""Comment on the solved endings, in words, made of the receipt of `proofs.miniature`."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from reversis.files.miniature import NET_KIND, StoredMiniatures, read_miniatures
from reversis.files.strength import judge_mean, read_strength
from reversis.views.page_template import page_renderer


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
