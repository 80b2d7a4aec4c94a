"""Counts of the worked deals that other readings change."""

from __future__ import annotations

from collections import Counter

from edition.corpus.corpus import Corpus
from edition.nodes.builders import para
from edition.views.layout import Nodes
from reversis.files.extras import get_deals
from reversis.findings.effects import compute_effects
from rulebook.phrases import format_count


def effects_view(corpus: Corpus, _: str = "") -> str:
    """Count alternatives that change a worked deal, change none, or are not played, in a sentence."""
    sorts = Counter(
        "changing" if effect.changes else "idle" if effect.played else "unplayed"
        for effect in compute_effects(corpus).values()
    )
    deals = format_count(len(get_deals(corpus)), "worked deal")
    sessions = format_count(len(corpus.library.sessions), "worked session")
    return (
        f"Each of the {sorts.total()} other readings and options was tried on the {deals} and the {sessions}: "
        f"{sorts['changing']} change the result of at least one, which each of them names; {sorts['idle']} "
        f"{'changes' if sorts['idle'] == 1 else 'change'} no result there; {sorts['unplayed']} are on questions that "
        "our program does not play."
    )


def render_effects_summary(words: str) -> Nodes:
    """Render the count."""
    return [para(words)]
