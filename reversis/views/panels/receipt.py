"""Proofs of play: their titles, names of their figures, and what the figures come to."""

from __future__ import annotations

from collections.abc import Mapping

from edition.corpus.corpus import Corpus
from edition.views.about.receipts import ProofKind
from lab.survey.variants import UNSURVEYED_REASONS
from reversis.files.counsel import MARGIN
from reversis.files.miniature import MINIATURE_PROOF
from reversis.files.play_effects import NOT_MEASURED
from reversis.files.strength import STRENGTH_PROOF, read_strength
from reversis.findings.costs import THIN_SPACE
from reversis.views.surveys.strength import MiniatureView, StrengthView, miniature_view, strength_view
from rulebook.model import FrozenMap

_TITLES: Mapping[str, str] = {
    "findings": "The first finding, by other readings",
    "counsel": "The counsel of the books, tried",
    "ismcts": "The method of the players, tried at Hearts",
    "miniature": "Three tricks, solved",
    "mutation-deals": "Faults put into the making and comparing of deals",
    "mutation-rules": "Faults put into the rules",
    "mutation-survey": "Faults put into the survey",
    "mutation-survey-sample": "Faults put into the survey as it is now, a sample",
    "mutation-survey-since": "Faults put into what the survey has learnt last",
    "paths": "Fast and readable settlement agree",
    "regret": "What every other answer does to play",
    "responses": "What one wins by knowing the others",
    "sessions": "No counter is lost in a session",
    "strength": "Strength of the players",
    "steering": "Every outcome occurs and is settled",
}
_FIGURE_NAMES: Mapping[str, str] = FrozenMap(
    {
        MARGIN: f"give or take, half the 95{THIN_SPACE}% interval",
        "reversis undertaken in a hundred deals": "reversis that the one player undertakes, in a hundred deals",
        **{f"{NOT_MEASURED}: {name}": f"because {reason}" for name, reason in UNSURVEYED_REASONS.items()},
    }
)
_IN_COUNTERS = frozenset({STRENGTH_PROOF, MINIATURE_PROOF, "responses"})


def view_proof_kind(corpus: Corpus, proof: str) -> ProofKind:
    """View what is known of a proof besides its receipt."""
    return ProofKind(
        _TITLES.get(proof, ""),
        _FIGURE_NAMES,
        counters=proof in _IN_COUNTERS,
        folded=proof == STRENGTH_PROOF and read_strength(corpus.receipts) is not None,
    )


def view_strength(corpus: Corpus, proof: str) -> StrengthView | None:
    """View the strength of the players, of the proof that measures it."""
    return strength_view(corpus) if proof == STRENGTH_PROOF else None


def view_miniature(corpus: Corpus, proof: str) -> MiniatureView | None:
    """View the solved endings, of the proof that solves them."""
    return miniature_view(corpus) if proof == MINIATURE_PROOF else None
