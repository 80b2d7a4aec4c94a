"""The joint ledger of a deal, as `rulebook.joint_ledger` describes it: events are named as the sources name them.

An event has the first column's term ("east's quinola is forced"), and all terms where the sources name it differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from reversis.words.deal_views import DealView
from reversis.words.events import CARD_EVENT_PHRASES
from reversis.words.ledgers import LedgerLine
from rulebook.joint_ledger import JointEvent, join_ledgers
from rulebook.phrases import join_names


def build_joint_ledger(view: DealView) -> tuple[JointEvent, ...]:
    """Build the joint ledger of a deal."""
    return join_ledgers(view.ledgers, _join_headlines)


def _join_headlines(lines: Sequence[LedgerLine]) -> str:
    """Event in words; the terms of all sources where they name differently what befell the card."""
    first = min(lines, key=lambda line: len(line.headline))  # a source with two quinolas has longer names for them
    terms = list(dict.fromkeys(line.card_event for line in lines if line.card_event))
    if len(terms) < 2:
        return first.headline
    alike = dict.fromkeys(_PLAYED_PHRASE if term in _OWN_SUIT_PHRASES else term for term in terms)
    return first.headline.replace(first.card_event, join_names(list(alike)).replace(" and ", " or "))


#: what differs here is whether the player was free to do so, which the sources' own ledgers say
_PLAYED_PHRASE = CARD_EVENT_PHRASES["followed"]
_OWN_SUIT_PHRASES = (CARD_EVENT_PHRASES["put"], _PLAYED_PHRASE)
