"""Effects of rival interpretations and options on the worked deals and sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.process_pool import SharedTask, do_shared_tasks
from engine.interpretation.effects import Effect, try_alternatives
from reversis.files.deals import readable_deals
from reversis.files.drafts import select_settling_sources
from reversis.files.sessions import read_playable_sessions


def plan_effects(corpus: Corpus) -> SharedTask:
    """Plan to try every alternative in the worked deals and sessions, source by source."""
    library, sessions = corpus.library, tuple(read_playable_sessions(corpus.library))
    deals = [(deal, select_settling_sources(library, deal)) for deal in readable_deals(library)]

    def try_source(siglum: str) -> Sequence[Effect]:
        return try_alternatives(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)

    def keep(tried: Iterable[Sequence[Effect]]) -> None:
        corpus.memo[compute_effects] = {one.alternative: one for some in tried for one in some}

    return SharedTask([partial(try_source, siglum) for siglum in library.sources], keep)


@cached_on_corpus
def compute_effects(corpus: Corpus) -> Mapping[str, Effect]:
    """Return what every alternative changes in the worked deals and sessions, by its id."""
    do_shared_tasks([plan_effects(corpus)], processes=1)
    return corpus.memo[compute_effects]  # type: ignore[no-any-return]
