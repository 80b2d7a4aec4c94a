"""Effects of rival interpretations and options on the worked deals and sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edition.analysis.forked import map_in_processes
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.data.deals import readable_deals
from edition.data.limits import select_settling_sources
from edition.data.sessions import read_playable_sessions
from engine.interpretation.effects import Effect, try_alternatives


def prepare_effects(corpus: Corpus, processes: int = 1) -> Mapping[str, Effect]:
    """Try every alternative in the worked deals and sessions; return what it changes, by its id."""
    library, sessions = corpus.library, tuple(read_playable_sessions(corpus.library))
    deals = [(deal, select_settling_sources(library, deal)) for deal in readable_deals(library)]

    def try_source(siglum: str) -> Sequence[Effect]:
        return try_alternatives(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)

    tried = map_in_processes(try_source, tuple(library.sources), processes)
    found = corpus.memo[compute_effects] = {one.alternative: one for some in tried for one in some}
    return found


@cached_on_corpus
def compute_effects(corpus: Corpus) -> Mapping[str, Effect]:
    """Return what every alternative changes in the worked deals and sessions, by its id."""
    return prepare_effects(corpus)
