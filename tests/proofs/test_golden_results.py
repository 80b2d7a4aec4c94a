"""No result changes unseen: every worked deal, and many by lot, come out as they did when somebody last looked."""

from __future__ import annotations

import json

import pytest

from proofs.golden_results import GOLDEN_RESULTS_FILE, fingerprint_deals, iter_golden_rulesets, read_valid_deal
from rulebook.model import Library
from tests.support.deal_records import PATHS, record


@pytest.mark.slow
def test_every_deal_comes_out_as_it_did(library: Library) -> None:
    kept = json.loads(GOLDEN_RESULTS_FILE.read_text("utf-8"))
    deals = [*(read_valid_deal(record(path)) for path in PATHS), *map(read_valid_deal, kept["deals"])]
    assert len(deals) > 200
    found = fingerprint_deals(tuple(iter_golden_rulesets(library, kept["hybrids"])), deals)
    changed = sorted(id for id in found if kept["results"].get(id) != found[id])
    assert changed == [], "look at what has changed; if it is meant, run python -m proofs.golden_results"


def test_the_rulesets_tried_are_the_sources_and_hybrids_of_each(library: Library) -> None:
    tried = list(iter_golden_rulesets(library, json.loads(GOLDEN_RESULTS_FILE.read_text("utf-8"))["hybrids"]))
    assert {one.name for one in tried} >= set(library.sources)
    assert sum(one.name != one.source for one in tried) >= 8
