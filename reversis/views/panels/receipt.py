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

#: Proof -> its title, and what it tests or measures.
_PROOFS: Mapping[str, tuple[str, str]] = {
    "findings": (
        "The README's first finding, in other readings",
        "How many of 100 deals played by the German treatise change their payments if Hoyle's answer to Q033 (when the "
        "quinola is forced) replaces its own, in each reading of the treatise.",
    ),
    "counsel": (
        "The advice of the books, tested",
        "What following a book's advice wins or loses on average, and how far its claims are true, in the book's "
        "smallest counter.",
    ),
    "ismcts": (
        "The players' search, tested at Hearts",
        "Our search against OpenSpiel's ISMCTS bots at Hearts, one against three of the other kind, each deal played "
        "from all four seats: the lead in points per deal, and the time per card.",
    ),
    "miniature": (
        "The last three tricks, solved",
        "The last three tricks of real deals, solved by counterfactual regret minimisation: how much four equal "
        "players could still gain by best responses, in all, and how much one of them loses among three who play the "
        "solution.",
    ),
    "mutation-deals": (
        "Mutation testing: making and comparing deals",
        "Small faults were put, one at a time, into the code that makes deals and compares rules, and the tests "
        "notice. Faults that they do not notice are listed in proofs/survivors.json, each with the reason.",
    ),
    "mutation-rules": (
        "Mutation testing: the rules",
        "Small faults were put, one at a time, into the code that plays and settles a deal, and the tests notice. "
        "Faults that they do not notice are listed in proofs/survivors.json, each with the reason.",
    ),
    "mutation-survey": (
        "Mutation testing: the survey",
        "Small faults were put, one at a time, into the code that settles millions of deals, and the tests notice. "
        "Faults that they do not notice are listed in proofs/survivors.json, each with the reason.",
    ),
    "mutation-survey-sample": (
        "Mutation testing: the survey, a later sample",
        "Small faults were put into randomly chosen places of the code that settles millions of deals. A fault that "
        "no test noticed at first has a test by now, so that the figures are no estimate for all of the code, or is "
        "listed in proofs/survivors.json with the reason.",
    ),
    "mutation-survey-since": (
        "Mutation testing: the survey, recent lines",
        "Small faults were put, one at a time, into the lines of the same code that were written since 2026-11-24, and "
        "the tests notice. Faults that they do not notice are listed in proofs/survivors.json, each with the reason.",
    ),
    "paths": (
        "Fast and readable settlement agree",
        "In random deals played by each source, the compiled settlement of the surveys and the readable one give every "
        "player the same result, by the rules of the other sources too, and call the same deals illegal.",
    ),
    "regret": (
        "What other answers change in play",
        "For each other answer, under each source's rules: the money that it moves per deal, how many of 100 cards are "
        "played differently, and what believing it costs a player per deal (regret), in the source's smallest counter.",
    ),
    "responses": (
        "What knowing the opponents is worth",
        "How much more per deal one player wins than a neural net in the same seat with the same cards, against three "
        "nets: by searching, by knowing how the nets play, and by also reading their choices, in each source's "
        "smallest counter.",
    ),
    "sessions": (
        "No counter is lost in a session",
        "In sessions of random legal deals, under each source: after every step the accounts and the pool sum to zero, "
        "no sum on the table is negative, and the pool changes only by recorded payments.",
    ),
    "strength": (
        "Strength of the players",
        "One player of a kind against three of another, every deal played from all four seats: the average result per "
        "deal, and the lead over the others, in each source's smallest counter.",
    ),
    "steering": (
        "Every outcome occurs and is settled",
        "Every kind of event, with every outcome that a source distinguishes, occurs in random legal deals and is "
        "settled, and all payments sum to zero with the pool; x marks an impossible combination.",
    ),
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
    title, says = _PROOFS.get(proof, ("", ""))
    return ProofKind(
        title,
        says,
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
