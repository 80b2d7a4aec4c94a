"""Worked deals with a great and a little quinola, each with a pool of its own; the sums are worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.interpretation.explore import cases_of
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.explain import reckon
from reversis.words.certainty import describe_case
from reversis.words.events import describe_entry, describe_event
from reversis.words.explanation import build_explanation
from reversis.words.ledgers import LedgerView
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from tests.support.deals import net
from tests.support.places import DATA
from tests.support.settling import Rules, Settle

#: The queen of hearts is the little quinola: half of what the great one is worth, with half its pool.
LITTLE = "{card: QH, name: little quinola, thrown-off: 3, forced: 3, others-pay: 3, limit-from: 50, limit: 50}"
GREAT_AND_LITTLE = (
    f"quinola.others=[{LITTLE}]",
    *(f"quinola.{what}=6" for what in ("thrown-off.amount", "forced.amount", "forced.others-pay")),
    *(f"stake.{what}=100" for what in ("limit-from", "limit")),
    "quinola.thrown-off.stake=draws-up-to-limit",
    *(f"quinola.{how}.stake=matches-up-to-limit" for how in ("forced", "led")),
    "reversis.stake-pools=stake-up-to-limit",
    "reversis.broken.stake=matches-up-to-limit",
    "reversis.returns=stakes-and-makers-own-if-made",
    *("reversis.made.neighbour=20", "reversis.made.opposite=40", "reversis.broken.amount=80"),
)
TALON = 4 + 4 + 4 + 4 + 5  #: 4 for the partie, three aces, and the ace of diamonds
OPPOSITE = LAST = 2  #: how many times over


def deals() -> Mapping[str, Deal]:
    raws, _, wrong = read_yaml(DATA / "great-and-little.yaml", "great-and-little.yaml")
    assert isinstance(raws, list) and not wrong, wrong
    found = [read_deal(raw) for raw in raws]
    assert not any(problems for _, problems in found), found
    return {deal.id: deal for deal, _ in found if deal is not None}


#: Deal -> what every account gains, and what lies in the pools after it: the great one, the little one.
WORKED: Mapping[str, tuple[Mapping[str, int], tuple[int, int]]] = {
    # east throws the great one on south's trick, south the little one on that of north, opposite, in the last trick.
    # The great pool is drawn whole; the little one has grown to 50 and more, and gives 50. West wins the partie, with
    # no trick; south has most points, 11 to north's 10.
    "both-thrown-off": (
        {
            "south": -6 + 3 * OPPOSITE * LAST + 50 - TALON,
            "east": 6 + 60,
            "north": -3 * OPPOSITE * LAST,
            "west": TALON,
            "pool": -60 - 50,
        },
        (60 - 60, 78 - 50),
    ),
    # west throws the great one on north's trick, and draws 100 of the 120. South's king of hearts forces north's little
    # one in the last trick: everybody pays south, and north puts in as much as the little pool holds. West wins the
    # partie, with no point; east, opposite, has most: 11 to south's 9.
    "one-thrown-off-one-forced": (
        {
            "south": (3 * OPPOSITE + 3 + 3) * LAST,
            "east": -3 * LAST - TALON * OPPOSITE,
            "north": -6 - 3 * OPPOSITE * LAST - 39,
            "west": 6 + 100 - 3 * LAST + TALON * OPPOSITE,
            "pool": -100 + 39,
        },
        (120 - 100, 39 + 39),
    ),
    # south makes the reversis with both: the great one was led in trick 6, and draws its pool; the little one in trick
    # 11, too late to draw or to cost anything. What south paid for north's ace of diamonds comes back.
    "reversis-made": (
        {"south": 20 + 40 + 20 + 60, "east": -20, "north": -40, "west": -20, "pool": -60},
        (60 - 60, 39),
    ),
    # south has led the great one in trick 6, and east breaks the reversis in trick 10: south pays east, and as much as
    # the great pool holds. South has forced west's little one in trick 8, and is paid for it; west's payment into the
    # little pool comes back, as there was a reversis. For north's ace of diamonds south pays 2, doubled opposite.
    "reversis-broken": (
        {
            "south": -80 - 60 + (3 + 3 + 3 * OPPOSITE) - 2 * OPPOSITE,
            "east": 80 - 3,
            "north": -3 * OPPOSITE + 2 * OPPOSITE,
            "west": -3,
            "pool": 60,
        },
        (60 + 60, 39),
    ),
}


@pytest.mark.parametrize("name", WORKED)
def test_a_deal_comes_to_what_is_worked_out_by_hand(settles: Settle, name: str) -> None:
    gains, after = WORKED[name]
    settled = settles(deals()[name], "PAM", *GREAT_AND_LITTLE)
    assert net(settled) == gains and sum(gains.values()) == 0
    assert (settled.pool.stake, settled.pool.of("QH").stake) == after
    assert sum(after) - settled.before.total == gains["pool"]


def test_every_worked_deal_is_there() -> None:
    assert set(deals()) == set(WORKED)


# ---- in words
@pytest.fixture
def explained(library: Library, rules: Rules) -> Mapping[str, LedgerView]:
    ruleset = rules("PAM", *GREAT_AND_LITTLE)
    return {name: build_explanation(library, reckon(deal, ruleset)) for name, deal in deals().items()}


PAID = {
    "both-thrown-off": {
        "Trick 3: east throws off the quinola, and south pays for it",
        "Trick 3: east's quinola is thrown off and draws the stake",
        "Trick 11: south throws off the little quinola, and north pays for it",
        "Trick 11: south's little quinola is thrown off and draws its own stake",
    },
    "one-thrown-off-one-forced": {
        "Trick 11: north's little quinola is forced by south",
        "Trick 11: north's little quinola is forced: north puts in as much as its own stake",
    },
    "reversis-made": {
        "At the end: the reversis is made, and the quinola, led in trick 6, draws the stake for south",
        "At the end: because of the reversis, what was put in for south's little quinola, led in trick 11, is given "
        "back",
    },
    "reversis-broken": {
        "At the end: the reversis is broken, and the quinola, led in trick 6, costs south as much as the stake",
    },
}


@pytest.mark.parametrize("name", PAID)
def test_the_explanation_calls_each_quinola_by_its_name(explained: Mapping[str, LedgerView], name: str) -> None:
    assert PAID[name] <= {entry.sentence for entry in explained[name].entries}


def test_the_explanation_says_what_a_quinola_does_not_draw(explained: Mapping[str, LedgerView]) -> None:
    said = {one.sentence.partition(", because")[0] for one in explained["reversis-made"].unpaid}
    assert "At the end: the little quinola, led in trick 11, does not touch its own stake for the reversis" in said
    assert (
        "At the end: the stake of the little quinola is not renewed, though the little quinola was led in trick 11"
        in said
    )


def test_the_explanation_reckons_with_the_sums_of_the_card(explained: Mapping[str, LedgerView]) -> None:
    both = explained["both-thrown-off"].entries
    (little,) = (one for one in both if (one.card, one.entry.rule) == ("QH", "thrown-off"))
    assert [*little.sums] == ["3 × 2 (they sit opposite) × 2 (in the last trick) = 12"]
    (answer,) = (one for one in little.because if one.question == "Q224")
    assert "QH, the little quinola: 3 when thrown off, 3 when forced" in answer.answer


def test_events_and_cases_are_called_by_the_name_of_their_card(settles: Settle) -> None:
    settled = settles(deals()["both-thrown-off"], "PAM", *GREAT_AND_LITTLE)
    seats = settled.deal.seats
    last = [entry for entry in settled.entries if entry.fact.trick == 11]
    assert [describe_event(entry, seats) for entry in last] == [
        "south throws off the little quinola",
        "south's little quinola draws its own stake",
    ]
    assert all("little quinola" in describe_entry(entry, seats) for entry in last)
    played = replay_deal(settled.deal, Ask(settled.ruleset))
    told = {describe_case(settled.deal, case) for case in cases_of(played) if case.called}
    assert "Trick 11: south's little quinola, thrown off: the stake" in told
    assert "The stake of the little quinola, won by tricks" in told
