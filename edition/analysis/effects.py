"""What each rival interpretation and each option changes in the worked deals and sessions."""

from __future__ import annotations

from collections.abc import Mapping

from edition.corpus.corpus import Corpus, computed
from edition.data.deals import readable_deals
from edition.data.limits import pricing
from edition.data.sessions import sat
from engine.interpretation.effects import Effect, effects


@computed
def compute_effects(corpus: Corpus) -> Mapping[str, Effect]:
    """Try every alternative in the worked deals and sessions; return what it changes, by its id."""
    library, sessions = corpus.library, tuple(sat(corpus.library))
    deals = [(deal, pricing(library, deal)) for deal in readable_deals(library)]
    tried = (
        one
        for siglum in library.sources
        for one in effects(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)
    )
    return {one.alternative: one for one in tried}
