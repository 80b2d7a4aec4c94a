"""The proof that a survey's two paths come to the same: a sample of it, what it finds, and the receipt of the whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.players.preferences import SURVEY_POLICIES
from engine.settlement.settle import settle
from lab.survey import chunk as work
from lab.survey import encode_rules as coding
from proofs import paths
from proofs.paths import (
    CROSS_CHECK_INTERVAL,
    collect_paths_figures,
    compare_paths,
    is_settled_alike,
    main,
)
from rulebook.model import Library
from rulebook.receipts import read_receipts
from rulebook.sources.paths import find_sources
from tests.support.commands import cache, refused
from tests.support.settling import SIGLA

__all__ = ["cache"]  # the fixture, for these tests too

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.release
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
@pytest.mark.parametrize("siglum", SIGLA)
def test_a_sample_comes_to_the_same_on_both_paths(siglum: str, policy: str) -> None:
    counts, parted = compare_paths((siglum, policy, 1785, range(5000, 5160)))
    assert parted == []
    assert counts[siglum, f"{policy}, by {siglum}", "settled"] == 160
    assert counts.total() == 160 + (len(SIGLA) - 1) * 160 // CROSS_CHECK_INTERVAL


#: Other ways of playing, and of settling what was played so: the quinola free, put by choice, the talon's own points.
OTHERWISE = {
    "ACA": ("ACA.o03", ("ACA.i07",), ("ace.forced.when=own-suit",)),
    "GER": ("GER.i04", ("GER.i12",), ("GER.i12", "GER.i13")),
}


@pytest.mark.release
@pytest.mark.parametrize("policy", SURVEY_POLICIES)
@pytest.mark.parametrize("siglum", OTHERWISE)
def test_other_readings_come_to_the_same_on_both_paths(siglum: str, policy: str) -> None:
    played, *settled = OTHERWISE[siglum]
    lib, own = paths.load_paths_library(), paths.Rules(siglum, (played,))
    order = paths.SurveyOrder(1785, policy, 240, (paths.SurveyTable(own),))
    prices = work.get_deal_pricer(lib)
    ruleset, row, _ = prices.rules(own)
    pool = paths.readable.compute_opening_pool(ruleset, paths.SEAT_NAMES[4])
    desk = work.TableDeals(work.play_piece_deals(order, paths.np.array(row, paths.np.int64), range(240)), row)
    deals = [paths.replace(deal, pools={"": pool}) for deal in work.deals_of(order, lib, order.tables[0], range(240))]
    for these in (own, *(paths.Rules(siglum, (played, *more)) for more in settled)):
        priced = paths.price_by_compiled_path(prices, desk, own, these, pool)
        assert all(is_settled_alike(deal, priced, at, prices.rules(these)[0]) for at, deal in enumerate(deals))
    if policy == "random":
        names = [entry.name for deal in deals for entry in settle(deal, ruleset).entries if entry.fact.alone]  # type: ignore[union-attr]
        assert names.count("quinola-put") > 10 and names.count("quinola-forced") > 10


#: Answers of no source of the edition, beside others that let them matter often.
UNHEARD = {
    "espagnolette.forced=only-by-ace-or-king": (
        "espagnolette.hands=[{aces: 0, quinola: true}]",
        "espagnolette.undertaken=by-holding",
        "quinola.forced.when=own-suit",
    ),
    "reversis.returns=stakes-and-makers-own-if-made": ("reversis.undertaken=8",),
    "quinola.thrown-off.stake=draws-up-to-limit": ("stake.limit-from=40", "stake.limit=30"),
    "quinola.forced.stake=matches-up-to-limit": ("stake.limit-from=40", "stake.limit=30"),
    "reversis.stake-pools=stake-up-to-limit": (
        "stake.limit-from=40",
        "stake.limit=30",
        "reversis.undertaken=8",
        "reversis.stake=draws",
    ),
}


@pytest.mark.release
@pytest.mark.parametrize("reading", UNHEARD)
def test_readings_of_no_source_come_to_the_same_on_both_paths(reading: str) -> None:
    lib, own, these = paths.load_paths_library(), paths.Rules("PAM", UNHEARD[reading]), range(600)
    order = paths.SurveyOrder(1785, "random", 600, (paths.SurveyTable(own),))
    prices = work.get_deal_pricer(lib)
    ruleset, row, _ = prices.rules(own)
    pool = paths.readable.compute_opening_pool(ruleset, paths.SEAT_NAMES[4])
    desk = work.TableDeals(work.play_piece_deals(order, paths.np.array(row, paths.np.int64), these), row)
    other = paths.Rules("PAM", (*own.wishes, reading))
    priced, usual = (paths.price_by_compiled_path(prices, desk, own, rules, pool) for rules in (other, own))
    deals = [paths.replace(deal, pools={"": pool}) for deal in work.deals_of(order, lib, order.tables[0], these)]
    assert all(is_settled_alike(deal, priced, at, prices.rules(other)[0]) for at, deal in enumerate(deals))
    assert (priced.net != usual.net).any()


def test_a_difference_is_told_by_the_number_of_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(deal: object, priced: object, at: int, ruleset: object) -> bool:
        return at != 7

    monkeypatch.setattr(paths, "is_settled_alike", never)
    _, parted = compare_paths(("PAM", "random", 1, range(20, 30)))
    assert parted == ["PAM:27, random, by PAM"]


def test_a_run_leaves_a_receipt_only_if_nothing_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Counter({("PAM", "random, by PAM", "settled"): 5, ("PAM", "random, by GER", "forbidden"): 2}), []
    monkeypatch.setattr(paths, "compare_paths", lambda piece: one)
    place = tmp_path / "receipts" / "paths.json"
    place.parent.mkdir()
    assert main(["--deals", "8", "--out", str(place)]) == 0
    ((receipt,), problems) = read_receipts(tmp_path)
    pieces = len(SIGLA) * len(SURVEY_POLICIES)
    assert problems == [] and receipt.figures["comparisons"] == 7 * pieces
    assert receipt.figures["at the table of PAM"]["random, by GER"] == {"forbidden": 2 * pieces}
    place.unlink()
    monkeypatch.setattr(paths, "compare_paths", lambda piece: (Counter(), ["PAM:1, random, by PAM"]))
    assert main(["--deals", "8", "--out", str(place)]) == 1
    assert read_receipts(tmp_path) == ((), [])


def test_the_receipt_of_the_whole_lies_with_the_sources(library: Library) -> None:
    """One of an earlier state, as the page of proofs says of it, is of the sources of that state."""
    receipt = json.loads((find_sources() / "receipts" / "paths.json").read_text(encoding="utf-8"))
    assert receipt["figures"]["deals in which the two part"] == 0
    tables = {
        name.removeprefix("at the table of "): table for name, table in receipt["figures"].items() if "table" in name
    }
    assert {*tables} == {*SIGLA} or (
        receipt["sources"] != library.rules_digest and len(tables) > 1 and {*tables} < {*SIGLA}
    )
    for siglum, table in tables.items():
        assert sum(sum(table[f"{policy}, by {siglum}"].values()) for policy in SURVEY_POLICIES) >= 100_000
        assert len(table) == len(tables) * len(SURVEY_POLICIES)
    assert collect_paths_figures((Counter(), []))["comparisons"] == 0


# ---- rules that no survey can play by
@pytest.mark.parametrize("words", [["--deals", "4"], ["--deal", "3"]], ids=" ".join)
def test_rules_that_no_survey_knows_are_told_in_words(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coding, "EXCEPTED", {})
    monkeypatch.setattr(work, "_PRISERS", {})
    said = refused(1, "survey", *words, "--source", "ACA")
    assert "No survey can play by ACA: a heart may be laid away in a manner that no survey knows" in said
    assert "Traceback" not in said
