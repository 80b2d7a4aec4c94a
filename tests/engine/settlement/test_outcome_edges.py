"""What a fragment decides and what it leaves open; who is in question when a reversis or a fault cuts across."""

from __future__ import annotations

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Fact, Fault, Measures
from engine.readings.ask import Ask
from engine.settlement.outcome import OUTCOME_FIELDS, DealOutcome, Open, ignore_place
from tests.support.settling import Rules

A, B, C, D = range(4)


def measures(takers: tuple[int, ...], **told: object) -> Measures:
    plain: dict[str, object] = {"seats": 4, "dealer": D, "eldest": A, "last": 11, "takers": takers}
    plain |= {"talon": (1, 2, 3, 4), "talon_due": 4, "marking": (1, 1, 1, 1), "court": (1, 1, 1, 1)}
    plain |= {"points": (9, 7, 5, 3), "tricks": tuple(map(takers.count, range(4)))}
    return Measures(**(plain | told))  # type: ignore[arg-type]


def decided(outcome: DealOutcome) -> set[str]:
    found = set()
    for name in OUTCOME_FIELDS:
        try:
            outcome.field(name)
            found.add(name)
        except Open:
            continue
    return found


NO_REVERSIS = {"hero", "made", "breakers", "broken_in", "kept"}
NO_ESPAGNOLETTE = {"espagnolette", "espagnolette_lost"}


@pytest.mark.parametrize(
    ("takers", "told"),
    [
        ((), set()),
        ((A, A, A), set()),  # he may still take them all
        ((A, A, B), NO_REVERSIS),
        ((A,) * 9, set()),
        ((A,) * 9 + (B,), set()),  # a trick of the last two breaks it, and decides nothing yet
        ((A,) * 8 + (B,), NO_REVERSIS),
        ((A, B, C), NO_REVERSIS),
    ],
)
def test_two_takers_early_on_rule_out_a_reversis_and_nothing_else(
    rules: Rules, takers: tuple[int, ...], told: set[str]
) -> None:
    assert decided(DealOutcome(measures(takers), Ask(rules("PAM")))) == told | NO_ESPAGNOLETTE
    assert decided(DealOutcome(measures(takers, holder=B), Ask(rules("PAM")))) == told


def test_of_a_void_deal_only_the_next_dealer_is_known(rules: Rules) -> None:
    void = Fault("card-turned-up", D)
    assert decided(DealOutcome(measures((), void=void, holder=B), Ask(rules("PAM")))) == {"hero", "made", "next_dealer"}


def test_a_whole_deal_decides_everything(rules: Rules) -> None:
    assert decided(DealOutcome(measures((A, B) * 5 + (C,)), Ask(rules("PAM")))) == set(OUTCOME_FIELDS)


def told(rules: Rules, takers: tuple[int, ...], name: str, *wishes: str, **how: object) -> object:
    return DealOutcome(measures(takers, **how), Ask(rules("PAM", *wishes))).field(name)[0]


def test_where_no_trick_is_early_enough_nobody_undertakes_a_reversis(rules: Rules) -> None:
    for left in (11, 12):
        assert told(rules, (C,) * 11, "hero", f"reversis.undertaken={left}") is None
        begun = DealOutcome(measures((A, B, C)), Ask(rules("PAM", f"reversis.undertaken={left}")))
        assert decided(begun) == NO_ESPAGNOLETTE


def test_the_first_trick_alone_may_be_enough_to_undertake_a_reversis(rules: Rules) -> None:
    first = ("reversis.undertaken=10", "peek.bars=[making-reversis]")
    assert told(rules, (C,) * 11, "hero", *first) == told(rules, (C,) + (A, B) * 5, "hero", *first) == C
    assert told(rules, (C,) * 11, "hero", *first, culprits={C: ("peek",)}) is None


def test_whose_fault_bars_him_from_making_a_reversis_may_undertake_one_and_fail(rules: Rules) -> None:
    barred: dict[str, object] = {"culprits": {C: ("peek",)}}
    never, may = "peek.bars=[making-reversis]", "peek.bars=[partie]"
    made, broken = (C,) * 11, (C,) * 10 + (A,)
    assert told(rules, made, "hero", never, **barred) is None
    assert told(rules, made, "hero", may, **barred) == told(rules, broken, "hero", never, **barred) == C
    assert told(rules, made, "hero", never, culprits={A: ("peek",)}) == C


def test_who_takes_all_early_tricks_has_undertaken_the_reversis(rules: Rules) -> None:
    assert told(rules, (C,) * 11, "hero") == C == told(rules, (C,) * 9 + (A, B), "hero")
    assert told(rules, (C,) * 8 + (A, B, C), "hero") is None


def test_a_reversis_made_is_broken_by_nobody_and_in_no_trick(rules: Rules) -> None:
    made, broken, none = (C,) * 11, (C,) * 9 + (A, C), (A, B) * 5 + (C,)
    assert [told(rules, takers, "breakers") for takers in (made, broken, none)] == [(), (A,), ()]
    assert [told(rules, takers, "broken_in") for takers in (made, broken, none)] == [None, 10, None]
    assert [told(rules, takers, "made") for takers in (made, broken, none)] == [True, False, False]


def test_winnings_are_kept_only_by_an_espagnolette_without_a_trick_when_another_breaks(rules: Rules) -> None:
    stands = "espagnolette.third-breaks=stands"
    broken, used = (C,) * 9 + (A, C), {"holder": B, "renounced": True}
    assert told(rules, broken, "kept", stands, **used) == B
    assert told(rules, broken, "kept", "espagnolette.third-breaks=annulled", **used) is None
    assert told(rules, (C,) * 11, "kept", stands, **used) is None
    assert told(rules, (C,) * 9 + (B, C), "kept", stands, **used) is None
    assert told(rules, broken, "kept", stands) is None
    assert told(rules, (A, C) * 5 + (A,), "kept", stands, **used) is None


def test_where_nobody_has_an_espagnolette_it_is_not_asked_whether_its_winnings_stand(rules: Rules) -> None:
    question, used = "espagnolette.third-breaks", {"holder": B, "renounced": True}

    def asked(takers: tuple[int, ...], **how: object) -> tuple[str, ...]:
        return DealOutcome(measures(takers, **how), Ask(rules("PAM"))).field("kept")[1]

    broken = (C,) * 9 + (A, C)
    assert question in asked(broken, **used)
    assert question not in asked(broken) and question not in asked((C,) * 11, **used)


def test_a_partie_is_forfeited_only_by_a_fault_and_where_there_is_no_reversis(rules: Rules) -> None:
    nobody, next_best = "barred.partie=nobody", "barred.partie=next-best"
    mixed, culprit = (A, B) * 5 + (C,), {"culprits": {D: ("peek",)}}
    assert told(rules, mixed, "winner", nobody) == D and not told(rules, mixed, "forfeited", nobody)
    assert told(rules, mixed, "winner", nobody, **culprit) is None
    assert told(rules, mixed, "forfeited", nobody, **culprit) is True
    assert told(rules, mixed, "winner", next_best, **culprit) != D
    assert told(rules, mixed, "forfeited", next_best, **culprit) is False
    assert told(rules, (C,) * 11, "forfeited", nobody, **culprit) is False


def test_the_stake_is_won_by_a_reversis_only_where_it_draws_and_the_maker_may_receive(rules: Rules) -> None:
    made = (C,) * 11
    assert told(rules, made, "stake_won", "reversis.stake=draws") is True
    assert told(rules, made, "stake_won", "reversis.stake=nothing") is False
    thrown = Fact("quinola", 4, D, A, 11, trick=3, player=B, manner="thrown-off")
    assert told(rules, made, "stake_won", "reversis.stake=nothing", quinola=thrown) is False
    barred = {"culprits": {C: ("revoke",)}}
    assert told(rules, made, "stake_won", "reversis.stake=draws", "revoke.bars=every-receipt", **barred) is False


def test_an_espagnolette_who_has_not_lost_stays_in_question(rules: Rules) -> None:
    """And one who has is out of it only where he pays the natural winner."""
    takers, used = (A, B) * 4 + (C, A, A), {"holder": D, "renounced": True}
    assert told(rules, takers, "winner", **used) == D
    lost = (A, B) * 4 + (C, D, D)
    assert told(rules, lost, "loser", "espagnolette.lost.partie=he-pays-the-natural-winner", **used) == D
    assert told(rules, lost, "winner", "espagnolette.lost.partie=he-pays-the-natural-winner", **used) != D


def test_where_no_place_matters_all_are_alike() -> None:
    assert {ignore_place(seat) for seat in range(5)} == {0}


def test_what_is_left_open_or_not_of_a_partie_is_read_off_the_outcome(rules: Rules) -> None:
    ask = Ask(rules("PAM", "barred.partie=nobody"))
    barred = DealOutcome(measures((A, B) * 5 + (C,), culprits={D: ("peek",)}), ask).seen(ask)
    plain = DealOutcome(measures((A, B) * 5 + (C,)), ask).seen(ask)
    assert barred.forfeited is True and plain.forfeited is False


def test_only_a_further_quinola_and_its_pool_have_an_outcome_of_their_own(rules: Rules) -> None:
    """An ace that is a privileged card as well is, as an ace, a card like any other."""
    heart, spade = parse_card_name("QH"), parse_card_name("AS")
    further = {card: Fact("quinola", 4, D, A, 11, card=card, further=True) for card in (heart, spade)}
    others = "quinola.others=[{card: QH, name: little quinola}, {card: AS, name: spadille}]"
    outcome = DealOutcome(measures((A, B) * 5 + (C,), others=further), Ask(rules("PAM", others)))

    def about(kind: str, card: int | None) -> DealOutcome:
        return outcome.about(Fact(kind, 4, D, A, 11, card=card))

    assert about("quinola", heart).measures.quinola == further[heart] and about("quinola", heart).ask.card == "QH"
    assert about("seat", spade) is about("quinola", spade) is not outcome
    for kind, card in (("ace", spade), ("seat", None), ("quinola", parse_card_name("JH")), ("fault", heart)):
        assert about(kind, card) is outcome, kind
