"""Deals that the table shows before Python has started: the cards that Python then deals, for every book."""

from __future__ import annotations

import json

from reversis.browser.api import answer_request
from reversis.browser.begun_deals import dump_begun_deals, find_common_shape
from reversis.files.drafts import list_playable_sources
from rulebook.model import Library


def read_begun(script: str) -> dict[str, object]:
    """What the script sets."""
    _, _, data = script.partition("begunDeals = ")
    return dict(json.loads(data.rstrip().rstrip(";")))


def test_what_is_shown_at_once_is_what_every_book_deals(library: Library) -> None:
    sigla = list_playable_sources(library)
    shape = find_common_shape(library)
    assert shape is not None
    begun = read_begun(dump_begun_deals(shape, [1, 328]))
    assert (begun["players"], begun["pack"]) == (shape.players, shape.pack)
    for line in str(begun["deals"]).splitlines():
        seed, dealer, hand = line.split()
        for siglum in sigla:
            request = {"do": "table.begin", "source": siglum, "seed": int(seed), "others": "random"}
            (deal,) = answer_request(library, request)["game"]["deals"]
            assert deal["dealer"] == dealer and deal["seats"] == begun["seats"]
            before = {*deal["hands"]["south"].split()}
            exchanged = [one for one in deal.get("exchange", ()) if one["seat"] == "south"]
            assert exchanged or before == {hand[at : at + 2] for at in range(0, len(hand), 2)}, (siglum, seed)


def test_a_year_of_deals_is_small(library: Library) -> None:
    shape = find_common_shape(library)
    assert shape is not None
    script = dump_begun_deals(shape)
    assert len(str(read_begun(script)["deals"]).splitlines()) == 366
    assert len(script) < 30_000
