"""The way of playing that a page on stored surveys leads with.

The skilled lead only at tables where the receipt of their strength says that they can play: the net of the source wins
from three cautious players, with the whole interval above 0. A page that sets several tables side by side leads with
one way of playing for all of them. The receipt is data; nothing here names a source.
"""

from __future__ import annotations

from collections.abc import Collection

from edition.corpus.corpus import Corpus, cached_on_corpus
from engine.players.preferences import SKILLED
from reversis.files.extras import get_surveys
from reversis.files.strength import read_net_leads
from reversis.files.surveys import StoredSurvey


@cached_on_corpus
def find_proven_nets(corpus: Corpus) -> frozenset[str]:
    """Find the sources whose net surely wins from three cautious players."""
    leads = read_net_leads(corpus.receipts)
    return frozenset(siglum for siglum, lead in leads.items() if lead.mean > lead.margin)


def list_seated_sources(surveys: Collection[StoredSurvey]) -> tuple[str, ...]:
    """List the sources at whose tables any of these surveys was played."""
    return tuple(dict.fromkeys(table.siglum for survey in surveys for table in survey.tables))


def sort_surveys(corpus: Corpus, tables: Collection[str] = ()) -> tuple[StoredSurvey, ...]:
    """Sort the surveys for a page on some tables, or on all: the way of playing that leads stands last."""
    skilled = tuple(survey for survey in get_surveys(corpus) if survey.policy == SKILLED)
    others = tuple(survey for survey in get_surveys(corpus) if survey.policy != SKILLED)
    wanted = {*(tables or list_seated_sources(get_surveys(corpus)))} & {*corpus.library.sources}
    if wanted <= find_proven_nets(corpus) & {*list_seated_sources(skilled)}:
        return (*others, *skilled)
    return (*others[:-1], *skilled, *others[-1:])


def sort_policies(corpus: Corpus, tables: Collection[str] = ()) -> tuple[str, ...]:
    """Sort the ways of playing likewise, the leading last."""
    return tuple(survey.policy for survey in sort_surveys(corpus, tables))
