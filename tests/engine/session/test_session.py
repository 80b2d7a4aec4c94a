"""Several deals in a row: what each source has put up, renewed and contributed, and who may say otherwise."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.session.session import (
    NotCounted,
    Session,
    Step,
    begin,
    finish,
    play_next_deal,
    prepare_next_deal,
    steps,
    turn_deal,
)
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from proofs.sessions import SESSION_SEATS, find_step_faults, generate_session_deal, list_session_shapes
from rulebook.model import Library, Ruleset
from tests.support.cases import cases
from tests.support.settling import Rules

FOUR = SESSION_SEATS[:4]


def sat(ruleset: Ruleset, seats: tuple[str, ...] = FOUR, dealer: int = 0) -> Session:
    return begin(ruleset, seats, dealer).after


def before_a_deal(ruleset: Ruleset, pool: Pool, dealer: int = 1, **state: object) -> Step:
    """What is put up when the last deal has left this pool; south dealt it, and east deals next."""
    first = sat(ruleset)
    left = replace(
        first,
        accounts=(-pool.stake - sum(pool.waiting), 0, 0, 0),
        pool=pool,
        owed=(None,) * len(pool.waiting),
        dealer=dealer,
        last_dealer=0,
        put_up="",
        ready=False,
        **state,  # type: ignore[arg-type]
    )
    step = prepare_next_deal(left)
    assert step.after.balance == 0 and not list(find_step_faults(step))
    return step


def given(step: Step) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(step.before.accounts, step.after.accounts, strict=True))


def facts(step: Step) -> list[str]:
    return [entry.name for entry in step.entries]


def clauses(step: Step, name: str) -> set[str]:
    entry = next(entry for entry in step.entries if entry.name == name)
    return {clause for ruling in step.rulings(entry) for clause in ruling.clauses}


def lot(ruleset: Ruleset, dealer: int, seed: int = 1, players: int = 4) -> Deal:
    shape = next(shape for shape in list_session_shapes(ruleset) if shape[0] == players)
    return replace(generate_session_deal(Random(seed), ruleset, shape, dealer, f"lot-{seed}"), faults=())


def counted(found: Step | NotCounted) -> Step:
    assert isinstance(found, Step), found
    return found


# ---- the first stake
def test_pam_s0048_three_put_in_two_jettons_and_the_dealer_three(rules: Rules) -> None:
    step = begin(rules("PAM"), FOUR, 2)
    assert given(step) == (10, 10, 15, 10) and step.after.pool == Pool(45)
    assert clauses(step, "first-stake") == {"PAM.c163", "PAM.c164"}


def test_par_n05_the_first_pool_is_twenty_five_with_the_dealers_five(rules: Rules) -> None:
    step = begin(rules("PAR"), FOUR, 0)
    assert given(step) == (10, 5, 5, 5) and step.after.pool == Pool(25)


@pytest.mark.parametrize("siglum", ["ACA", "GER"])
def test_where_no_first_stake_is_told_all_put_in_two_and_it_is_said_to_be_supplied(rules: Rules, siglum: str) -> None:
    step = begin(rules(siglum), SESSION_SEATS, 0)
    assert given(step) == (2, 2, 2, 2, 2)
    assert all(ruling.supplied for ruling in step.rulings(step.entries[0]))


@pytest.mark.parametrize("siglum", ["PAM", "PAR"])
def test_the_first_contributions_come_to_the_first_stake(rules: Rules, siglum: str) -> None:
    ruleset = rules(siglum)
    assert begin(ruleset, FOUR, 0).after.pool.stake == ruleset.rulings["stake.first.total"].value


def test_pam_i22_the_dealer_who_owes_his_jetton_besides_puts_in_four(rules: Rules) -> None:
    ruleset = rules("PAM", "PAM.i22")
    step = begin(ruleset, FOUR, 0)
    assert given(step) == (20, 10, 10, 10) and facts(step) == ["first-stake", "dealer-adds"]
    assert given(before_a_deal(ruleset, Pool(0))) == (10, 20, 10, 10)


# ---- between two deals
def test_pam_s0051_the_dealer_adds_a_jetton(rules: Rules) -> None:
    step = before_a_deal(rules("PAM"), Pool(45))
    assert given(step) == (0, 5, 0, 0) and step.after.pool == Pool(50) and facts(step) == ["dealer-adds"]
    assert "PAM.c166" in clauses(step, "dealer-adds")


@pytest.mark.parametrize(("left", "after"), [(0, 45), (5, 50), (44, 89)])
def test_pam_s0050_all_put_in_again_when_the_basket_holds_less_than_nine_jettons(
    rules: Rules, left: int, after: int
) -> None:
    step = before_a_deal(rules("PAM"), Pool(left))
    assert given(step) == (10, 15, 10, 10) and step.after.pool == Pool(after) and facts(step) == ["stake-renewed"]
    assert {"PAM.c171", "PAM.c172", "PAM.c173"} <= clauses(step, "stake-renewed")


@pytest.mark.parametrize(("left", "put"), [(0, (10, 15, 10, 10)), (5, (8, 16, 8, 8)), (44, (0, 1, 0, 0))])
def test_pam_i23_only_what_is_wanting_is_put_in(rules: Rules, left: int, put: tuple[int, ...]) -> None:
    step = before_a_deal(rules("PAM", "PAM.i23"), Pool(left))
    assert given(step) == put and step.after.pool == Pool(45)


def test_par_n27_a_fresh_pool_is_laid_only_when_none_is_left(rules: Rules) -> None:
    assert given(before_a_deal(rules("PAR"), Pool(0))) == (5, 10, 5, 5)
    assert given(before_a_deal(rules("PAR"), Pool(4))) == (0, 5, 0, 0)


def stakes(ruleset: Ruleset, file: str) -> list[int]:
    """The stake before each deal of a file of cases."""
    deals = cases(file)
    first = begin(ruleset, deals[0].seats, deals[0].dealer)
    return [counted(step).before.pool.stake for step in steps(first, deals) if counted(step).kind == "deal"]


def test_pam_s0115_a_deal_made_again_costs_the_dealer_no_second_contribution(rules: Rules) -> None:
    assert stakes(rules("PAM"), "pam-redeal.jsonl") == [45, 45]
    assert stakes(rules("PAM"), "pam-redeal-bought.jsonl") == [45, 50]


def test_pam_i41_the_dealer_contributes_a_chaque_donne(rules: Rules) -> None:
    assert stakes(rules("PAM", "PAM.i41"), "pam-redeal.jsonl") == [45, 50]
    assert stakes(rules("PAM", "PAM.i41"), "pam-redeal-bought.jsonl") == [45, 55]


def test_a_dealer_who_comes_next_after_a_lost_deal_contributes_as_ever(rules: Rules) -> None:
    first, _ = cases("pam-redeal-bought.jsonl")
    lost = replace(first, faults=(replace(first.faults[0], redeemed=False),))
    after = counted(play_next_deal(begin(rules("PAM"), first.seats, first.dealer).after, lost)).after
    assert (after.dealer, after.again) == (1, False) and given(prepare_next_deal(after)) == (0, 5, 0, 0)


@pytest.mark.parametrize(("wish", "stake", "little"), [("HOY.i20", 28, 14), ("Q241=once", 26, 13)])
def test_hoy_s0032_after_a_void_deal_each_pool_stays_as_it_was(
    rules: Rules, wish: str, stake: int, little: int
) -> None:
    first, _ = cases("pam-redeal.jsonl")
    ruleset = rules("HOY", wish)
    void = replace(first, faults=(Fault("undiscarded", 1),), hands=with_one_more(first, 1), talon=first.talon[1:])
    played = counted(play_next_deal(begin(ruleset, first.seats, first.dealer).after, void))
    after = prepare_next_deal(played.after).after
    assert (after.dealer, after.pool.stake, after.pool.of("QH").stake) == (0, stake, little)


def with_one_more(deal: Deal, seat: int) -> tuple[frozenset[int], ...]:
    return tuple(hand | {deal.talon[0]} if at == seat else hand for at, hand in enumerate(deal.hands))


def test_a_contribution_that_counts_from_the_next_deal_waits_for_the_deal_made_again(rules: Rules) -> None:
    ruleset = rules("PAM", "stake.dealer-included=not-included", "PAM.i22")
    assert stakes(ruleset, "pam-redeal.jsonl") == [45, 45]


def test_par_n25_the_dealer_adds_to_the_newest_pool(rules: Rules) -> None:
    assert before_a_deal(rules("PAR"), Pool(60, (55,))).after.pool == Pool(65, (55,))


def test_par_i08_the_present_dealer_lays_the_fresh_pool_and_the_next_one_adds(rules: Rules) -> None:
    step = before_a_deal(rules("PAR", "PAR.i08"), Pool(0))
    assert given(step) == (10, 10, 5, 5) and step.after.pool == Pool(30)
    assert facts(step) == ["stake-renewed", "dealer-adds"]


def test_par_a6_a_fresh_pool_has_no_supplement_behind_it(rules: Rules) -> None:
    assert not before_a_deal(rules("PAR"), Pool(0, (), True)).after.pool.supplements_paid
    assert before_a_deal(rules("PAR"), Pool(9, (), True)).after.pool.supplements_paid


# ---- what waits
@pytest.mark.parametrize(
    ("siglum", "left", "after"),
    [("ACA", (8, 16, 16, 12), Pool(16, (8, 16, 12))), ("GER", (8, 16, 12), Pool(8, (16, 12)))],
)
def test_aca_s0027_ger_s0058_what_waits_is_put_up_one_after_another(
    rules: Rules, siglum: str, left: tuple[int, ...], after: Pool
) -> None:
    step = before_a_deal(rules(siglum), Pool(0, left), drawn=True)
    assert step.after.pool == after and given(step) == (0, 0, 0, 0) and not step.silent
    assert [(p.payer, p.payee, p.money.plain) for p in step.entries[0].postings] == [("pool", "pool", after.stake)]


def test_newest_first_and_all_together_can_be_wished_for(rules: Rules) -> None:
    newest = before_a_deal(rules("ACA", "stake.waiting.order=newest-first"), Pool(0, (8, 16, 12)))
    together = before_a_deal(rules("ACA", "stake.waiting.together=together"), Pool(0, (8, 16, 12)))
    assert newest.after.pool == Pool(12, (8, 16)) and together.after.pool == Pool(36)


def test_aca_s0028_what_falls_into_a_pool_just_won_goes_with_the_next_bete(rules: Rules) -> None:
    assert before_a_deal(rules("ACA"), Pool(3, (8, 16)), drawn=True).after.pool == Pool(19, (8,))


def test_ger_s0057_the_bete_joins_a_satz_that_was_won_and_refreshed(rules: Rules) -> None:
    assert before_a_deal(rules("GER"), Pool(8, (8, 16)), drawn=True).after.pool == Pool(16, (16,))


def test_nothing_is_put_up_while_the_stake_is_not_won(rules: Rules) -> None:
    for siglum in ("ACA", "GER"):
        assert before_a_deal(rules(siglum), Pool(8, (8, 16))).after.pool == Pool(8, (8, 16))


def test_a_pool_that_has_moved_up_is_not_followed_by_another(rules: Rules) -> None:
    assert before_a_deal(rules("PAR"), Pool(60, (55,)), drawn=True).after.pool == Pool(65, (55,))


@pytest.mark.parametrize("siglum", ["ACA", "GER"])
def test_where_nothing_is_told_of_an_empty_stake_nothing_is_put_in_and_the_silence_is_told(
    rules: Rules, siglum: str
) -> None:
    step = before_a_deal(rules(siglum), Pool(0), drawn=True)
    assert step.after.pool == Pool() and step.after.ready and not step.entries
    assert [silent.question for silent in step.silent] == ["stake.renewed.when"]
    assert not before_a_deal(rules(siglum), Pool(1)).silent


def test_what_a_silent_source_leaves_open_can_be_wished_for(rules: Rules) -> None:
    step = before_a_deal(rules("GER", "Q171@PAR", "stake.renewed.dealer=2"), Pool(0))
    assert given(step) == (2, 2, 2, 2) and not step.silent


# ---- contributions that do not count yet, sums that are not laid down yet
def test_a_contribution_that_is_not_included_counts_from_the_next_deal(rules: Rules) -> None:
    step = before_a_deal(rules("PAM", "stake.dealer-included=not-included"), Pool(45))
    assert given(step) == (0, 5, 0, 0) and (step.after.pool, step.after.aside) == (Pool(45), 5)
    again = prepare_next_deal(replace(step.after, ready=False))
    assert again.after.pool == Pool(50) and again.after.aside == 5 and again.after.balance == 0
    assert facts(again) == ["contribution-counts", "dealer-adds"]


def forced(library: Library, name: str = "aca-quinola-forced") -> Deal:
    from reversis.files.deals import read_worked
    from rulebook.sources.paths import find_sources

    record = read_worked(replace(library, root=str(find_sources())), name)
    assert record.deal is not None
    return record.deal


def test_aca_i23_a_bete_is_noted_and_paid_when_its_turn_comes(library: Library, rules: Rules) -> None:
    plain, noting = (sat(rules("ACA", *wish)) for wish in ((), ("ACA.i23",)))
    deal = turn_deal(forced(library), plain)
    at_once, in_turn = counted(play_next_deal(plain, deal)), counted(play_next_deal(noting, deal))
    assert at_once.after.pool == in_turn.after.pool == Pool(16, (8,))
    assert (at_once.after.laid, in_turn.after.laid) == (24, 16)
    assert in_turn.after.owed == (0,) and facts(in_turn) == ["matched-sum-noted"]
    won = replace(in_turn.after, pool=Pool(0, (8,)), drawn=True, accounts=(0, 0, 0, 0))
    put_up = prepare_next_deal(won)
    assert given(put_up) == (8, 0, 0, 0) and put_up.after.pool == Pool(8) and put_up.after.balance == 0


def test_par_a6_only_a_supplement_makes_the_next_one_the_second(library: Library, rules: Rules) -> None:
    start = sat(rules("PAR"))
    led = counted(play_next_deal(start, turn_deal(forced(library, "par-quinola-led"), start)))
    lost = counted(play_next_deal(start, turn_deal(forced(library, "par-espagnolette-lost"), start)))
    assert led.after.pool.supplements_paid and led.after.pool.stake == 50
    assert not lost.after.pool.supplements_paid


# ---- the parting
@pytest.mark.parametrize("siglum", ["PAM", "ACA", "GER", "PAR"])
def test_no_source_tells_what_becomes_of_a_stake_that_is_left(rules: Rules, siglum: str) -> None:
    step = finish(sat(rules(siglum)))
    assert [silent.question for silent in step.silent] == ["session.pool-left"] and step.after.laid == step.before.laid
    assert not finish(replace(sat(rules(siglum)), pool=Pool())).silent


def test_what_is_left_can_be_shared_and_what_cannot_be_divided_stays(rules: Rules) -> None:
    step = finish(sat(rules("PAM", "Q112=shared")))
    assert step.after.accounts == (-4, 1, 1, 1) and step.after.laid == 1 and step.after.balance == 0
    assert finish(sat(rules("PAM", "Q112=played-out"))).after.laid == 45


# ---- what a record may not say
def test_a_record_that_leaves_out_the_pool_is_played_for_what_lies_there(rules: Rules) -> None:
    session = sat(rules("PAM"))
    step = counted(play_next_deal(session, lot(session.ruleset, 0)))
    assert step.settled is not None and step.settled.before == Pool(45) and step.after.deals == 1


def test_a_record_may_give_the_pool_that_lies_there(rules: Rules) -> None:
    session = sat(rules("PAM"))
    assert counted(play_next_deal(session, replace(lot(session.ruleset, 0), pools={"": Pool(45)})))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"pools": {"": Pool(60)}}, "is played for a stake of 60; in this session there lies a stake of 45"),
        ({"pools": {"": Pool(45, (8,))}}, "a stake of 45, and beside it 8"),
        ({"dealer": 1}, "it is south's turn"),
        ({"seats": ("ann", "bob", "cat", "dan")}, "in this session sit south, east, north, west"),
    ],
)
def test_a_record_that_contradicts_the_session_is_told_and_not_counted(
    rules: Rules, wrong: dict[str, object], told: str
) -> None:
    session = sat(rules("PAM"))
    found = play_next_deal(session, replace(lot(session.ruleset, 0), **wrong))  # type: ignore[arg-type]
    assert isinstance(found, NotCounted) and found.session == session
    assert [told in problem.what and bool(problem.way_out) for problem in found.problems] == [True]


def test_every_contradiction_is_told_at_once(rules: Rules) -> None:
    session = sat(rules("PAM"))
    found = play_next_deal(session, replace(lot(session.ruleset, 0), dealer=1, pools={"": Pool(60)}))
    assert isinstance(found, NotCounted) and len(found.problems) == 2


def test_a_fragment_does_not_tell_who_deals_next(rules: Rules) -> None:
    session = sat(rules("PAM"))
    deal = lot(session.ruleset, 0)
    found = play_next_deal(session, replace(deal, tricks=deal.tricks[:5], fragment=True))
    assert isinstance(found, NotCounted) and "is a fragment" in found.problems[0].what


def test_a_refused_deal_and_one_without_an_answer_are_told_and_not_counted(rules: Rules) -> None:
    aca, par = sat(rules("ACA")), sat(rules("PAR"))
    deal = next(d for d in (lot(par.ruleset, 0, seed) for seed in range(9)) if d.tricks[0][0] >> 4 != 1)
    refused = play_next_deal(aca, deal)
    assert isinstance(refused, NotCounted) and isinstance(refused.found, Refused)
    silent = play_next_deal(par, replace(deal, faults=(Fault("out-of-turn", 1, 2),)))
    assert isinstance(silent, NotCounted) and isinstance(silent.found, Unanswered)


def test_after_a_deal_that_is_not_counted_nobody_puts_in_again(rules: Rules) -> None:
    ruleset = rules("PAM")
    wrong = replace(lot(ruleset, 0), dealer=2)
    found = list(steps(begin(ruleset, FOUR, 0), [wrong, lot(ruleset, 0), lot(ruleset, 1, 2)]))
    kinds = [one.kind if isinstance(one, Step) else "not counted" for one in found]
    assert kinds == ["begin", "not counted", "deal", "between", "deal", "finish"]
    last = found[-1]
    assert isinstance(last, Step) and last.after.deals == 2 and last.after.balance == 0


# ---- who deals next, and turning the table
def test_ger_s0036_he_who_takes_no_trick_deals_next_wherever_he_sits(rules: Rules) -> None:
    session, found = sat(rules("GER")), set[int]()
    for seed in range(60):
        step = counted(play_next_deal(session, lot(session.ruleset, 0, seed)))
        assert step.settled is not None
        found.add(step.after.dealer)
        trickless = step.settled.outcome.partie is not None and step.after.dealer not in (1,)
        if trickless:
            assert step.settled.outcome.partie is not None
            assert step.after.dealer == step.settled.outcome.partie.winner
    assert len(found) > 1


def test_a_deal_that_is_turned_brings_the_same_to_the_same_places(library: Library, rules: Rules) -> None:
    deal = forced(library, "pam-quinola-placed")
    for dealer in range(4):
        session = sat(rules("PAM"), dealer=dealer)
        other = settle(turn_deal(deal, session), session.ruleset)
        plain = settle(replace(deal, pools={}), session.ruleset)
        assert isinstance(other, Settled) and isinstance(plain, Settled) and other.deal.dealer == dealer
        by = dealer - deal.dealer
        assert [other.net[(seat + by) % 4] for seat in range(4)] == [plain.net[seat] for seat in range(4)]


def test_five_players_sit_down_where_five_may_play(rules: Rules) -> None:
    session = sat(rules("ACA"), SESSION_SEATS, 4)
    assert counted(play_next_deal(session, lot(session.ruleset, 4, players=5))).after.balance == 0
    four = turn_deal(lot(session.ruleset, 0), session)
    assert isinstance(play_next_deal(session, four), NotCounted)
