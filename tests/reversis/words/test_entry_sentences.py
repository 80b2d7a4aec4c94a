"""Sentences of ledger entries: a reason that a sentence gives is the one for which nothing is paid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled, settle
from reversis.files.deals import readable_deals
from reversis.words.events import describe_entry
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.settling import SIGLA


def list_unrenewed_stakes(library: Library, source: str) -> Iterator[tuple[Settled, Entry]]:
    """Every worked deal with every entry by which a source has nobody renew the stake."""
    rules = resolve(library, source)
    for deal in readable_deals(library):
        settled = settle(deal, rules)
        if isinstance(settled, Settled):
            yield from (
                (settled, entry) for entry in settled.entries if entry.rule == "refreshed" and not entry.postings
            )


@pytest.mark.parametrize("source", SIGLA)
def test_a_stake_is_called_won_only_where_that_is_why_nobody_renews_it(library: Library, source: str) -> None:
    for settled, entry in list_unrenewed_stakes(library, source):
        told = describe_entry(entry, settled.deal.seats)
        assert ("the stake is won" in told) == (entry.reason == "won-otherwise"), (settled.deal.id, told)
        if "the stake is won" in told:
            assert any(p.payer == POOL_ACCOUNT for one in settled.entries for p in one.postings), settled.deal.id


def test_a_fate_of_the_quinola_that_does_not_renew_the_stake_is_said_to_be_none(library: Library) -> None:
    told = {
        settled.deal.id: describe_entry(entry, settled.deal.seats)
        for settled, entry in list_unrenewed_stakes(library, "ACA")
    }
    assert told["aca-quinola-led"] == "At the end: the quinola was led in trick 1, for which nobody puts in again"
    put = "At the end: the quinola was put on its own suit in trick 4, for which nobody puts in again"
    assert told["aca-quinola-put"] == put
