"""Counts of the worked deals that other readings change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import para
from edition.views.layout import Nodes
from reversis.files.extras import get_deals
from reversis.findings.effects import compute_effects
from rulebook.phrases import format_count


@dataclass(frozen=True, slots=True)
class EffectsView:
    """Number of alternatives by their effect on the worked deals."""

    total: int
    changing: int
    idle: int
    unplayed: int
    deals: int
    sessions: int = 0


def effects_view(corpus: Corpus, _: str = "") -> EffectsView:
    """Count alternatives that change a worked deal, change none, or are not played."""
    sorts = Counter(
        "changing" if effect.changes else "idle" if effect.played else "unplayed"
        for effect in compute_effects(corpus).values()
    )
    return EffectsView(
        sorts.total(),
        sorts["changing"],
        sorts["idle"],
        sorts["unplayed"],
        len(get_deals(corpus)),
        len(corpus.library.sessions),
    )


def render_effects_summary(view: EffectsView) -> Nodes:
    """Render the count in a sentence."""
    return [
        para(
            f"Each of the {view.total} other readings and options was tried on the "
            f"{format_count(view.deals, 'worked deal')} and the {format_count(view.sessions, 'worked session')}: "
            f"{view.changing} change the result of at least one, which each of them names; {view.idle} "
            f"{'changes' if view.idle == 1 else 'change'} no result there; {view.unplayed} are on questions that our "
            "program does not play."
        )
    ]
