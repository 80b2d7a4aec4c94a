"""All that the readers of this game have put into a corpus; nothing where no reader has run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from edition.corpus.corpus import Corpus, cached_on_corpus
from rulebook.grouping import group_pairs

if TYPE_CHECKING:
    from reversis.files.attributions import Causes
    from reversis.files.counsel_file import CounselRecord
    from reversis.files.deals import DealEntry
    from reversis.files.surveys import StoredSurvey


def get_deals(corpus: Corpus) -> tuple[DealEntry, ...]:
    """Return the worked deals, in the order of the library."""
    deals: tuple[DealEntry, ...] = corpus.extras.get("deals", ())
    return deals


@cached_on_corpus
def get_deal_titles(corpus: Corpus) -> Mapping[str, str]:
    """Return the titles of the worked deals by their ids."""
    return {deal.id: deal.title for deal in get_deals(corpus)}


@cached_on_corpus
def group_deals_by_sentence(corpus: Corpus) -> Mapping[str, tuple[str, ...]]:
    """Return the worked deals that illustrate a sentence, by its id."""
    return group_pairs((locus, deal.id) for deal in get_deals(corpus) for locus in deal.cites)


def get_surveys(corpus: Corpus) -> tuple[StoredSurvey, ...]:
    """Return what was counted of many deals, under one policy each."""
    surveys: tuple[StoredSurvey, ...] = corpus.extras.get("surveys", ())
    return surveys


def get_causes(corpus: Corpus) -> Causes | None:
    """Return which answers make the differences on the worked deals, as last computed."""
    causes: Causes | None = corpus.extras.get("causes")
    return causes


def get_counsel(corpus: Corpus) -> tuple[CounselRecord, ...]:
    """Return what the sources advise and claim about play."""
    counsel: tuple[CounselRecord, ...] = corpus.extras.get("counsel", ())
    return counsel


@cached_on_corpus
def find_questions_shown_apart(corpus: Corpus) -> frozenset[str]:
    """Return the slugs of questions whose page shows where the sources part, or why that cannot be shown."""
    # It needs the search for such deals, and few pages need it.
    from engine.comparison.separation import NOT_PLAYED
    from reversis.files.separations import load_separations

    store = load_separations(corpus.library)
    partings = store.partings if store else ()
    return frozenset(parting.question for parting in partings if parting.verdict != NOT_PLAYED)
