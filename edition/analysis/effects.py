"""Effects of rival interpretations and options on the worked deals and sessions."""

from __future__ import annotations

from collections.abc import Mapping

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.data.deals import readable_deals
from edition.data.limits import select_settling_sources
from edition.data.sessions import read_playable_sessions
from engine.interpretation.effects import Effect, try_alternatives


@cached_on_corpus
def compute_effects(corpus: Corpus) -> Mapping[str, Effect]:
    """Try every alternative in the worked deals and sessions; return what it changes, by its id."""
    library, sessions = corpus.library, tuple(read_playable_sessions(corpus.library))
    deals = [(deal, select_settling_sources(library, deal)) for deal in readable_deals(library)]
    tried = (
        one
        for siglum in library.sources
        for one in try_alternatives(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)
    )
    return {one.alternative: one for one in tried}
