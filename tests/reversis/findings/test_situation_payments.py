"""Who pays whom in a situation, read off deals that show it: held to the sentences that order it, and to ledgers."""

from __future__ import annotations

import io
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edition.corpus.corpus import Corpus
from engine.settlement.explain import Reckoning
from engine.settlement.ledger import Entry
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import Settled, settle
from reversis.files.deals import readable_deals
from reversis.findings.shared_results import TASKS, SituationRow, collect_situation_payments
from reversis.findings.situation_deals import ExaminedDeal, examine_deal, examine_worked_deals
from reversis.findings.situation_payments import (
    SituationPayments,
    compute_situation_payments,
    read_situation_payments,
    select_situation_verdicts,
)
from reversis.findings.situation_searches import NO_SEARCHES
from reversis.findings.situations import PaymentSituation, list_situations, list_special_tricks
from reversis.words.deal_views import resolve_rulesets, worked_deal_view
from rulebook.load import load_library
from rulebook.model import Alternative, Cite, Clause, FrozenMap, Library, Source
from tests.support.fifth_source import SIGLUM, with_fifth
from tests.support.pages import build_corpus
from tests.support.tiers import sample

HOLDER, LEADER, TAKER, POOL = "the holder", "who led to it", "who takes the trick", "the pool"
PARTIE_WINNER = "the winner of the partie"
Table = Mapping[tuple[str, str], SituationPayments]


pytestmark = pytest.mark.slow  # deals are generated for all the situations


@pytest.fixture(scope="module")
def situated(library: Library) -> Corpus:
    return build_corpus(library)


@pytest.fixture(scope="module")
def rows(situated: Corpus) -> tuple[SituationRow, ...]:
    return tuple(row for rows in collect_situation_payments(situated).values() for row in rows)


@pytest.fixture(scope="module")
def table(rows: tuple[SituationRow, ...]) -> Table:
    return {(row.situation.id, source.source): source for row in rows for source in row.sources}


def paid(one: SituationPayments, *rules: str) -> dict[tuple[str, str], str]:
    """What each pays to each by these rules, in words, with the number of those who do."""
    return {
        (p.payer, p.payee): f"{p.words} × {p.number}" if p.number > 1 else p.words
        for p in one.payments
        if not rules or p.rule in rules
    }


# ---- as the sentences say
HERO, BREAKER, CULPRIT = "who plays for the reversis", "who breaks the reversis", "who commits the fault"
OTHERS = ("each other player", LEADER)
ACROSS_40 = {(HOLDER, LEADER): "40 fiches", OTHERS: "10 fiches × 2"}
FROM_THE_SIDE = {
    (HOLDER, LEADER): "20 fiches",
    (f"the player opposite {LEADER}", LEADER): "20 fiches",
    (f"the other neighbour of {LEADER}", LEADER): "10 fiches",
}
ACA_FORCED = {(HOLDER, LEADER): "4 jetons", OTHERS: "1 jeton × 2"}
INTO_THE_POOL = {(HOLDER, POOL): "what the pool holds"}
#: The sentence, the situation and the rule (none: all rules); who pays what to whom.
ORDERED: list[tuple[str, str, str, dict[tuple[str, str], str]]] = [
    ("PAM s0069: the pool", "quinola-thrown-off-side-other", "draws-stake", {(POOL, HOLDER): "what the pool holds"}),
    ("PAM s0070: an ace", "ace-sc-forced-side-other", "", {(HOLDER, LEADER): "1 fiche"}),
    ("PAM s0070: the ace of diamonds", "ace-d-forced-side-other", "", {(HOLDER, LEADER): "2 fiches"}),
    (
        *("PAM s0071, s0073: double to the player opposite", "quinola-forced-opposite-other", "forced"),
        {(HOLDER, LEADER): "20 fiches", OTHERS: "5 fiches × 2"},
    ),
    ("PAM s0073: into the pool", "quinola-forced-opposite-other", "matches-stake", INTO_THE_POOL),
    ("PAM s0074: first trick", "quinola-forced-opposite-first", "forced", ACROSS_40),
    ("PAM s0074: last trick", "quinola-forced-opposite-last", "forced", ACROSS_40),
    ("PAM s0075: first trick", "quinola-forced-side-first", "forced", FROM_THE_SIDE),
    ("PAM s0075: last trick", "quinola-forced-side-last", "forced", FROM_THE_SIDE),
    (
        *("PAM s0079: a reversis", "reversis-made", "reversis-made"),
        {(f"each neighbour of {HERO}", HERO): "16 fiches × 2", (f"the player opposite {HERO}", HERO): "32 fiches"},
    ),
    ("PAM s0080: opposite", "reversis-broken-opposite-last-but-one", "reversis-broken", {(HERO, BREAKER): "64 fiches"}),
    ("PAM s0080: beside", "reversis-broken-side-last-but-one", "reversis-broken", {(HERO, BREAKER): "64 fiches"}),
    ("PAM s0128: a revoke", "revoke", "", {(CULPRIT, POOL): "10 fiches"}),
    ("ACA s0008: first trick", "quinola-forced-opposite-first", "forced", ACA_FORCED),
    ("ACA s0008: another trick", "quinola-forced-side-other", "forced", ACA_FORCED),
    ("ACA s0008: last trick", "quinola-forced-opposite-last", "forced", ACA_FORCED),
    ("ACA s0027: two jetons again", "quinola-forced-side-last", "refreshed", {("each player", POOL): "2 jetons × 4"}),
    ("ACA s0009: thrown off", "quinola-thrown-off-opposite-last", "thrown-off", {(TAKER, HOLDER): "2 jetons"}),
    ("GER s0032: the first trick", "quinola-forced-opposite-first", "forced", {(HOLDER, LEADER): "4 Marquen"}),
    ("GER s0032: the last trick", "quinola-forced-side-last", "forced", {(HOLDER, LEADER): "4 Marquen"}),
    ("GER s0031: led, not as the last card", "quinola-led-side-first", "", INTO_THE_POOL),
    ("GER s0034: whose the suit is", "quinola-thrown-off-opposite-last", "thrown-off", {(LEADER, HOLDER): "2 Marquen"}),
    ("GER s0041: out of turn", "out-of-turn", "", {(CULPRIT, "each other player"): "1 Marque × 3"}),
    (
        *("PAR n21: the eleventh trick", "quinola-forced-opposite-last", "forced"),
        {(HOLDER, LEADER): "40 fish", OTHERS: "10 fish × 2"},
    ),
    ("PAR n42: an early quinola", "quinola-led-reversis-broken-early", "reversis-by-quinola", INTO_THE_POOL),
    ("PAR n42: a late quinola", "quinola-led-reversis-broken-last", "reversis-by-quinola", {}),
]
#: Where who pays is not asked: the sums of a situation, in their order.
SUMS = [
    ("PAM s0068: the ace of diamonds thrown off", "ace-d-thrown-off-side-other", "", ["2 fiches"]),
    ("PAM s0069: the quinola thrown off", "quinola-thrown-off-side-other", "thrown-off", ["5 fiches"]),
    ("ACA s0019: the ace of hearts thrown off, double", "ace-h-thrown-off-side-other", "", ["2 jetons"]),
    ("ACA s0019: another ace", "ace-sc-thrown-off-side-other", "", ["1 jeton"]),
    ("PAR n20: the first trick is not doubled", "ace-d-led-side-first", "", ["2 fish"]),
    ("PAR n20: the tenth is", "ace-d-led-side-last-but-one", "", ["4 fish"]),
]


@pytest.mark.parametrize(("sentence", "situation", "rule", "expected"), ORDERED, ids=[case[0] for case in ORDERED])
def test_payments_are_those_that_the_sentence_orders(
    table: Table, sentence: str, situation: str, rule: str, expected: dict[tuple[str, str], str]
) -> None:
    assert paid(table[situation, sentence[:3]], *filter(None, [rule])) == expected


@pytest.mark.parametrize(("sentence", "situation", "rule", "sums"), SUMS, ids=[case[0] for case in SUMS])
def test_sums_are_those_that_the_sentence_orders(
    table: Table, sentence: str, situation: str, rule: str, sums: list[str]
) -> None:
    assert [*paid(table[situation, sentence[:3]], *filter(None, [rule])).values()] == sums


def test_PAM_s0067_an_ace_thrown_off_is_paid_a_fiche_by_whoever_makes_the_trick(table: Table, library: Library) -> None:
    for card in ("ace-h", "ace-sc"):
        one = table[f"{card}-thrown-off-side-other", "PAM"]
        assert list(paid(one).values()) == ["1 fiche"]
        assert all(p.payee == HOLDER and p.payer != LEADER for p in one.payments)
    assert "PAM.s0067" in loci(one, library)
    assert "PAM.s0080" in loci(table["reversis-broken-side-last-but-one", "PAM"], library)


def test_PAM_s0072_a_led_quinola_is_paid_as_if_forced_to_the_winner_of_the_partie(table: Table) -> None:
    led, forced = (table[f"quinola-{how}-opposite-last", "PAM"] for how in ("led", "forced"))
    assert paid(led, "led") == {(a, PARTIE_WINNER): words for (a, _), words in paid(forced, "forced").items()}


def test_PAM_s0076_the_partie_is_double_opposite(table: Table) -> None:
    for manner in ("with", "without"):
        for seat, times in (("opposite", 2), ("side", 1)):
            one = table[f"partie-{manner}-a-trick-{seat}", "PAM"]
            assert one.worth is not None and [p.amount for p in one.payments] == [one.worth * times]


def test_GER_s0031_a_quinola_led_as_the_last_card_costs_nothing(table: Table) -> None:
    one = table["quinola-led-side-last", "GER"]
    assert (one.state, one.payments) == ("nothing", ())
    assert "led-otherwise" in {reason for _, reason, _ in one.withheld}


def test_PAR_n39_a_reversis_brings_16_16_and_32(table: Table) -> None:
    amounts = Counter({p.amount: p.number for p in table["reversis-made", "PAR"].payments if p.rule == "reversis-made"})
    assert amounts == {16: 2, 32: 1}


def test_PAR_n36_has_no_espagnolette_where_ACA_knows_none(table: Table) -> None:
    assert table["espagnolette-lost", "PAR"].state == "paid"
    assert (table["espagnolette-lost", "ACA"].state, table["espagnolette-lost", "ACA"].payments) == ("unshown", ())
    assert "no espagnolette" in table["espagnolette-lost", "ACA"].reason


def test_a_source_without_a_price_for_a_fault_is_silent_and_says_so(table: Table) -> None:
    one = table["revoke", "PAR"]
    assert one.state == "silent" and one.reason.startswith("Silent: PAR") and one.deal is not None


def test_a_deal_that_cannot_be_dealt_so_is_refused_with_its_clauses(table: Table) -> None:
    one = table["misdeal-before-lead", "ACA"]
    assert one.state == "refused" and one.clauses and "this source deals 11 and 4" in one.reason


def loci(one: SituationPayments, library: Library) -> set[str]:
    """The sentences of the clauses that order the payments."""
    return {cite.locus for id in one.clauses for cite in library.clause(id).cites}


# ---- as the ledgers have it
@pytest.fixture(scope="module")
def examined(library: Library) -> list[ExaminedDeal]:
    """Every worked deal under every source."""
    rulesets = [*resolve_rulesets(library)]
    return [examine_deal(deal, ruleset) for deal in readable_deals(library) for ruleset in rulesets]


def test_over_all_worked_deals_the_payments_of_a_fact_are_its_entries_in_the_ledger(
    examined: list[ExaminedDeal],
) -> None:
    compared = 0
    for one in examined:
        settled = settle(one.deal, one.result.settled.ruleset) if isinstance(one.result, Reckoning) else None
        if not isinstance(settled, Settled) or one.look is None or not isinstance(one.result, Reckoning):
            continue
        for fact in one.look.played.facts:
            if fact.kind == "seat" or fact.further:  # situations are of the first privileged card
                continue
            noted = fact.fault
            situation = PaymentSituation("", "", "", fact.kind, fact.manner, trick=fact.trick, suits=(fact.suit,))
            if noted is not None:
                situation = replace(situation, noticed=noted.noticed, redeemed=noted.redeemed)
            if len(select_facts(one, situation)) != 1:
                continue  # two players commit the same fault
            assert moved(one, situation) == ledger(settled, {fact.kind}, lambda e, f=fact: e.fact == f), one.deal.id
            compared += 1
        for kind in ("reversis", "partie", "stake"):
            found = moved(one, PaymentSituation("", "", "", kind, ""))
            assert found == ledger(settled, {"seat", "quinola"}, lambda e, k=kind: e.rule.startswith(k)), one.deal.id
            compared += bool(found)
    assert compared > 1000


def select_facts(deal: ExaminedDeal, situation: PaymentSituation) -> set[object]:
    assert isinstance(deal.result, Reckoning) and deal.look is not None
    first = (f for f in deal.look.played.facts if not f.further)
    facts = [f for f in first if f.kind == situation.kind and f.manner == situation.manner]
    return {f for f in facts if f.kind == "fault" or (f.trick, f.suit) == (situation.trick, situation.suits[0])}


def moved(deal: ExaminedDeal, situation: PaymentSituation) -> Counter[tuple[str, bool, bool]]:
    """By rule: what is paid, and how much of it into and out of the pool."""
    assert isinstance(deal.result, Reckoning) and deal.look is not None
    found = Counter[tuple[str, bool, bool]]()
    for p in read_situation_payments(situation, deal.result, deal.look):
        found[p.rule, p.payer == POOL, p.payee == POOL] += p.amount * p.number
    return found


def ledger(settled: Settled, kinds: set[str], wanted: Callable[[Entry], bool]) -> Counter[tuple[str, bool, bool]]:
    """The same, as the entries of the ledger have it."""
    found = Counter[tuple[str, bool, bool]]()
    for entry in settled.entries:
        if entry.fact.kind in kinds and wanted(entry):
            for p in entry.postings:
                found[entry.rule, p.payer == "pool", p.payee == "pool"] += p.counted(settled.before)
    return +found


def test_the_holder_of_a_card_pays_and_is_paid_what_the_ledger_has_at_his_seat(examined: list[ExaminedDeal]) -> None:
    compared = 0
    for one in examined:
        if one.look is None or not isinstance(one.result, Reckoning):
            continue
        cards = (f for f in one.look.played.facts if f.kind in ("ace", "quinola") and not f.further)
        for fact in (f for f in cards if f.trick is not None):
            situation = PaymentSituation("", "", "", fact.kind, fact.manner, trick=fact.trick, suits=(fact.suit,))
            payments = read_situation_payments(situation, one.result, one.look)
            joint = {p.rule for p in payments if "each player" in (p.payer, p.payee)}
            found = Counter[str]()
            for p in (p for p in payments if p.rule not in joint):
                found[p.rule] += (p.payee == HOLDER) * p.amount * p.number - (p.payer == HOLDER) * p.amount * p.number
            before, net = one.result.settled.before, Counter[str]()
            for entry in (e for e in one.result.settled.entries if e.fact == fact and e.rule not in joint):
                for posting in entry.postings:
                    sign = (posting.payee == fact.player) - (posting.payer == fact.player)
                    net[entry.rule] += sign * posting.counted(before)
            assert {r: n for r, n in found.items() if n} == {r: n for r, n in net.items() if n}, one.deal.id
            compared += bool(net)
    assert compared > 300


def test_the_ledger_of_the_worked_deal_names_the_seats_that_have_the_roles(table: Table, library: Library) -> None:
    one = table["quinola-forced-opposite-last", "PAM"]
    assert one.deal is not None and not one.generated
    entries = worked_deal_view(library, one.deal.id).ledger("PAM").entries
    forced = next(e for e in entries if (e.entry.rule, e.entry.name) == ("forced", "quinola-forced"))
    by_amount = sorted((p.amount for p in forced.postings), reverse=True)
    assert (
        by_amount
        == [40, 10, 10]
        == sorted((p.amount for p in one.payments if p.rule == "forced" for _ in range(p.number)), reverse=True)
    )
    opposite = {frozenset(one.deal.seats[i:4:2]) for i in (0, 1)}
    payer, payee = next((p.payer, p.payee) for p in forced.postings if p.amount == 40)
    assert frozenset((payer, payee)) in opposite


# ---- the list
def test_every_rule_that_pays_in_a_worked_deal_is_read_in_some_situation(
    rows: tuple[SituationRow, ...], examined: list[ExaminedDeal]
) -> None:
    read = {p.rule for row in rows for source in row.sources for p in source.payments}
    reckoned = (e.result for e in examined if isinstance(e.result, Reckoning))
    paying = {verdict.rule for one in reckoned for verdict in one.all if any(one.settled.amounts(verdict))}
    assert len(paying) > 15 and paying - read == set()


def test_every_rule_has_a_situation_that_it_looks_at(library: Library) -> None:
    situations = list_situations(library)
    for rule in RULES:
        looks = [s for s in situations if s.kind in rule.kinds and (not rule.manners or s.manner in rule.manners)]
        assert looks or any(rule.name.startswith(s.kind) for s in situations), rule.name


def test_every_situation_has_an_id_of_its_own_and_a_group_of_questions(library: Library) -> None:
    situations = list_situations(library)
    assert len({situation.id for situation in situations}) == len(situations) > 100
    assert {situation.topic for situation in situations} <= {question.group for question in library.questions.values()}
    assert all(situation.words[0].isupper() and "{" not in situation.words for situation in situations)
    assert {situation.topic for situation in situations if situation.kind == "quinola"} == {"The quinola"}


def test_the_ten_questions_of_a_player_are_answered_by_all_sources(table: Table, library: Library) -> None:
    for how in ("forced", "thrown-off"):
        for seat in ("opposite", "side"):
            for trick in ("first", "last", "other"):
                states = {table[f"quinola-{how}-{seat}-{trick}", source].state for source in library.sources}
                assert states == {"paid"}


def test_most_situations_are_shown_to_all_sources_by_one_and_the_same_deal(rows: tuple[SituationRow, ...]) -> None:
    shown = [row for row in rows if row.shown]
    same = [row for row in shown if len({source.deal.id for source in row.sources if source.deal}) == 1]
    assert len(same) > 0.9 * len(shown) > 100


def test_a_trick_that_a_new_source_doubles_has_its_rows(library: Library) -> None:
    assert list_special_tricks(library) == (1, -2, -1)
    doubling = with_answer(library, "payments.doubled-tricks", (1, 3))
    assert 3 in list_special_tricks(doubling)
    assert "quinola-forced-side-third" in {situation.id for situation in list_situations(doubling)}


def with_answer(library: Library, slug: str, value: tuple[int, ...]) -> Library:
    def changed(source: Source) -> Source:
        clauses = (
            replace(c, answers=FrozenMap({**c.answers, slug: value})) if slug in c.answers else c
            for c in source.clauses
        )
        return replace(source, clauses=tuple(clauses))

    first = next(iter(library.sources))
    sources = {s: changed(one) if s == first else one for s, one in library.sources.items()}
    return replace(library, sources=sources)


def test_a_fifth_source_has_its_answers_and_its_rows_without_a_line_written(tmp_path: Path, library: Library) -> None:
    larger, problems = load_library(with_fifth(tmp_path))
    assert larger is not None, problems
    worked, found = examine_worked_deals(larger), {situation.id: situation for situation in list_situations(larger)}
    assert len(found) > len(list_situations(library)), "it doubles tricks, or favours an ace, that no other does"
    for id in ("quinola-thrown-off-side-other", "quinola-forced-opposite-last", "reversis-made"):
        fifth = next(s for s in compute_situation_payments(larger, found[id], worked) if s.source == SIGLUM)
        assert fifth.state in ("paid", "nothing") and fifth.unit == larger.sources[SIGLUM].unit, fifth.reason


def test_one_situation_alone_comes_out_as_in_the_table(library: Library, rows: tuple[SituationRow, ...]) -> None:
    row = next(row for row in rows if row.situation.id == "ace-d-led-own-first")
    assert compute_situation_payments(library, row.situation) == row.sources


def test_stored_searches_are_those_of_these_deals_and_rules(library: Library) -> None:
    worked = examine_worked_deals(library)
    assert worked.same == {*library.sources}, "run python -m proofs.situations"
    assert {*worked.searches.found} == {situation.id for situation in list_situations(library) if situation.searchable}


@pytest.mark.parametrize("id", sample(["reversis-made", "ace-d-thrown-off-opposite-first", "espagnolette-breaking"], 3))
def test_stored_searches_lead_to_the_deals_that_a_new_search_finds(library: Library, table: Table, id: str) -> None:
    situation = next(one for one in list_situations(library) if one.id == id)
    worked = replace(examine_worked_deals(library), searches=NO_SEARCHES)
    assert compute_situation_payments(library, situation, worked) == tuple(
        table[id, siglum] for siglum in library.sources
    )


def test_a_source_with_other_answers_is_searched_anew(library: Library, table: Table) -> None:
    situation = next(one for one in list_situations(library) if one.id == "ace-d-thrown-off-side-first")
    worked = examine_worked_deals(library)
    other = replace(worked, same=worked.same - {"PAR"})
    situation_payments = compute_situation_payments(library, situation, other)
    assert {payment.state for payment in situation_payments} == {
        table[situation.id, siglum].state for siglum in library.sources
    }


def test_every_answer_has_a_deal_or_a_reason(rows: tuple[SituationRow, ...]) -> None:
    for one in (source for row in rows for source in row.sources):
        assert one.deal is not None or (one.reason and not one.payments), f"{one.situation} {one.source}"
        assert one.state != "paid" or (one.payments and one.clauses)
        assert all(reason in NONPAYMENT_REASONS for _, reason, _ in one.withheld)


def test_what_is_supplied_is_marked(table: Table) -> None:
    assert not table["ace-d-led-opposite-other", "PAR"].supplied
    assert table["ace-d-led-opposite-other", "GER"].supplied


def test_pages_find_the_situations_by_topic_and_compute_them_once(situated: Corpus) -> None:
    situation_payments = collect_situation_payments(situated)
    assert collect_situation_payments(situated) is situation_payments
    assert [row.situation.topic for row in situation_payments["Reversis"]] == ["Reversis"] * len(
        situation_payments["Reversis"]
    )
    assert [row.situation for rows in situation_payments.values() for row in rows] == [
        *list_situations(situated.library)
    ]


class WordFindingPickler(pickle.Pickler):
    """Notes what has words of clauses, which would stay as they were in a result that is kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), pickle.HIGHEST_PROTOCOL)
        self.worded: list[object] = []

    def reducer_override(self, value: object) -> Any:
        self.worded += [value] if isinstance(value, Clause | Cite | Alternative | Source | Library) else []
        return NotImplemented


@pytest.mark.release
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_what_is_kept_of_a_task_holds_no_clause(situated: Corpus, task: Callable[[Corpus], object]) -> None:
    pickler = WordFindingPickler()
    pickler.dump(task(situated))
    assert pickler.worded == []


def test_of_an_outcome_the_verdicts_are_those_of_its_rules(examined: list[ExaminedDeal]) -> None:
    one = next(e for e in examined if isinstance(e.result, Reckoning))
    assert isinstance(one.result, Reckoning) and one.look is not None
    situation_verdicts = select_situation_verdicts(PaymentSituation("", "", "", "partie", ""), one.result, one.look)
    assert {verdict.rule for verdict in situation_verdicts} == {"partie"}
