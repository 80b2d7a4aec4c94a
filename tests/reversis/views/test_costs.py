"""What disagreements cost: what is weighed, what the figures say, what is reckoned exactly, and how it is stored."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from engine.deal.reader import read_deal
from engine.generation.deal import random_deal
from engine.generation.turn import TableShape
from engine.settlement.settle import Refused, Unanswered, settle
from lab.players.skilled import fingerprint_net, order_survey
from lab.survey import exact_probabilities as exact
from lab.survey import statistics as figures
from lab.survey.reference import resolve_table_rules
from lab.survey.request import CHUNK, EVENTS, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import MOVED_STEPS, Count, SurveyTally, Versus, find_moved_step
from lab.survey.variants import (
    UNSURVEYED_REASONS,
    VARIANT_ITSELF,
    VARIANT_KINDS,
    VARIANT_QUESTION,
    VARIANT_SOURCE,
    Disagreement,
    LeftOut,
    SourceVariants,
    SurveyVariant,
    explain_unsurveyed_question,
    list_survey_tables,
    make_game_key,
    plan_survey_variants,
)
from proofs.survey import count_survey, read_cached_piece, render_survey_deal, run_policy_survey
from reversis.files.surveys import (
    STORED_SURVEY_SCHEMA,
    SURVEYS_FOLDER,
    Seated,
    StoredSurvey,
    format_stored_survey,
    list_survey_rows,
    parse_stored_survey,
    read_surveys,
    write_stored_survey,
)
from rulebook import __version__
from rulebook import distances as distances
from rulebook.estimates import estimate_share
from rulebook.model import Library
from rulebook.sources.paths import SOURCE_FILE_PATTERNS, digest_sources, find_files, find_sources
from tests.support.settling import SIGLA

pytestmark = pytest.mark.slow

ROOT = find_sources()


@pytest.fixture(scope="module")
def tables(library: Library) -> tuple[SourceVariants, ...]:
    """What is weighed of all sources: it takes twenty seconds, so whoever asks for it is tried before a release."""
    return plan_survey_variants(library)


# ---- what is weighed
@pytest.mark.release
def test_every_source_has_a_table_at_which_it_is_priced_against_itself_first(
    library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    assert [table.rules.source for table in tables] == list(library.sources)
    assert all(table.others[0] == Disagreement(table.rules, (SurveyVariant(VARIANT_ITSELF),)) for table in tables)


@pytest.mark.release
def test_the_three_other_sources_are_priced_whole(library: Library, tables: tuple[SourceVariants, ...]) -> None:
    for table in tables:
        whole = [stand.source for each in table.others for stand in each.stands if stand.kind == VARIANT_SOURCE]
        assert whole == [siglum for siglum in library.sources if siglum != table.rules.source]


@pytest.mark.release
def test_no_two_rulesets_at_a_table_are_one_and_the_same_game(
    library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    for table in tables:
        games = [make_game_key(library, resolve_table_rules(library, each.rules)) for each in table.others]
        assert len(games) == len({*games})


@pytest.mark.release
def test_every_alternative_is_priced_or_left_out_with_a_reason(
    library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    for table in tables:
        priced = [stand.alternative for each in table.others for stand in each.stands if stand.alternative]
        left = [each.stand.alternative for each in table.left_out if each.stand.alternative]
        clauses = library.sources[table.rules.source].clauses
        assert sorted(priced + left) == sorted(a.id for clause in clauses for a in clause.alternatives)


@pytest.mark.release
def test_every_question_answered_otherwise_is_priced_or_left_out_with_a_reason(
    library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    for table in tables:
        own = resolve_table_rules(library, table.rules).rulings
        stands = [s for each in table.others for s in each.stands] + [each.stand for each in table.left_out]
        for other in library.sources:
            theirs = resolve_table_rules(library, Rules(other)).rulings
            told = {slug for s in stands if s.kind == VARIANT_QUESTION and s.source == other for slug in s.questions}
            assert told == {slug for slug in own if slug in theirs and own[slug].value != theirs[slug].value}


@pytest.mark.release
def test_what_is_left_out_has_one_of_the_plain_reasons(tables: tuple[SourceVariants, ...]) -> None:
    found = {each.because for table in tables for each in table.left_out}
    assert found <= set(UNSURVEYED_REASONS) and {"not-played", "fault", "table", "session"} <= found


@pytest.mark.release
def test_answers_that_a_rule_would_ask_in_vain_are_brought_along(tables: tuple[SourceVariants, ...]) -> None:
    """An ace that is led is paid as one that is forced, of which a source without such payments says nothing."""
    priced = {str(each.rules) for table in tables for each in table.others}
    givers = [giver for giver in SIGLA if f"GER + Q024@{giver} + Q023@{giver} + Q026@{giver}" in priced]
    assert givers and not [siglum for siglum in SIGLA if f"GER + Q024@{siglum}" in priced]


@pytest.mark.release
def test_an_ace_that_is_led_must_be_claimed_where_the_source_that_pays_it_says_so(
    library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    priced = [each.rules for table in tables for each in table.others if str(each.rules).startswith("ACA + Q024@")]
    answers = [resolve_table_rules(library, rules).rulings["payments.led-claimed"].value for rules in priced]
    assert {*answers} == {"must-be-claimed"}


def test_a_random_deal_never_asks_what_is_called_unsurveyed(library: Library) -> None:
    """But for who sits at the table, and who deals next, which every deal asks and which moves no counter."""
    for siglum in library.sources:
        own = resolve_table_rules(library, Rules(siglum))
        for number in range(40):
            found = settle(random_deal(own, number, TableShape(4, 48, 11, 4)), own)
            asked = {} if isinstance(found, Unanswered) else found.asked  # type: ignore[union-attr]
            reasons = {slug: explain_unsurveyed_question(library.questions[slug]) for slug in asked}
            assert {*reasons.values()} <= {"", "table", "no-counter"}, reasons


@pytest.mark.release
def test_no_mixture_is_silent_on_what_it_asks(library: Library, tables: tuple[SourceVariants, ...]) -> None:
    for table in tables:
        own = resolve_table_rules(library, table.rules)
        deals = [random_deal(own, f"mixture-{number}", TableShape(4, 48, 11, 4)) for number in range(25)]
        for each in table.others:
            ruleset = resolve_table_rules(library, each.rules)
            assert not [deal for deal in deals if isinstance(settle(deal, ruleset), Unanswered)], each.rules


@pytest.mark.release
def test_the_orders_tables_are_those_that_were_weighed(library: Library, tables: tuple[SourceVariants, ...]) -> None:
    assert list_survey_tables(library, ["PAR"]) == (
        next(table.table for table in tables if table.rules.source == "PAR"),
    )
    assert all(isinstance(one, SurveyTable) for one in (each.table for each in tables))


# ---- figures


def versus(*moved: int, forbidden: int = 0) -> Versus:
    steps = tuple(sum(find_moved_step(n) == at for n in moved) for at in range(len(MOVED_STEPS)))
    worst = max(moved, default=0)
    return Versus(
        len(moved),
        forbidden,
        0,
        sum(n > 0 for n in moved),
        sum(moved),
        sum(n * n for n in moved),
        worst,
        moved.index(worst) if worst else -1,
        steps,
    )


def test_a_forbidden_deal_is_a_changed_result_and_moves_no_counter() -> None:
    found = figures.estimate_weight(versus(0, 0, 5, forbidden=1), pool=50)
    assert found.changed.value == 0.5 and found.forbidden.value == 0.25 and found.moved.value == pytest.approx(5 / 3)
    assert found.of_pool.value == pytest.approx(1 / 30) and (found.deals, found.events, found.when) == (4, 2, 5)


def test_what_was_never_seen_is_not_called_never() -> None:
    found = figures.estimate_weight(versus(*[0] * 300), pool=50)
    assert found.events == 0 and found.at_most == pytest.approx(0.01) and found.changed.high > 0


def test_a_mean_that_rests_on_few_deals_says_so() -> None:
    assert (
        figures.estimate_weight(versus(*[0] * 70, 5), 50).few and not figures.estimate_weight(versus(*[5] * 70), 50).few
    )
    assert not figures.estimate_weight(versus(*[0] * 70), 50).few


# ---- what is reckoned exactly
def dealt(pack: int, hands: tuple[int, ...], named: int) -> list[tuple[int, ...]]:
    """Where the first cards of a small pack lie, for every way to deal it: hand after hand, then the talon."""
    places = [at for at, hand in enumerate(hands) for _ in range(hand)]
    places += [len(hands)] * (pack - len(places))
    ways: list[tuple[int, ...]] = [()]
    for _ in range(named):
        ways = [(*way, at) for way in ways for at in range(pack) if at not in way]
    return [tuple(places[at] for at in way) for way in ways]


def share(found: list[bool]) -> Fraction:
    return Fraction(sum(found), len(found))


@pytest.mark.parametrize(("pack", "hands"), [(9, (2, 2, 4)), (8, (3, 3, 2)), (10, (2, 2, 2, 3))])
def test_cards_in_one_hand_by_trying_every_way_to_deal_a_small_pack(pack: int, hands: tuple[int, ...]) -> None:
    for wanted in (1, 2, 3):
        ways = dealt(pack, hands, wanted)
        together = share([len({*way}) == 1 and way[0] < len(hands) for way in ways])
        assert exact.compute_one_hand_chance(wanted, hands, pack) == together


@pytest.mark.parametrize(("pack", "hands"), [(9, (2, 2, 4)), (8, (3, 3, 2)), (10, (2, 2, 2, 3))])
def test_all_but_one_by_trying_every_way_to_deal_a_small_pack(pack: int, hands: tuple[int, ...]) -> None:
    """Of two aces and a quinola, and of three aces and a quinola: just one ace too few, and the quinola."""
    for row in (2, 3):
        ways = dealt(pack, hands, row + 1)
        found = share([any(w[:row].count(p) == row - 1 and w[row] == p for p in range(len(hands))) for w in ways])
        assert exact.compute_all_but_one_chance(row, 1, hands, pack) == found


def test_four_aces_counted_in_another_way() -> None:
    """Place by place: the first ace falls to somebody, and the other three into the same hand."""
    found = sum(Fraction(h, 48) * Fraction(h - 1, 47) * Fraction(h - 2, 46) * Fraction(h - 3, 45) for h in exact.HANDS)
    assert exact.EXACT["four-aces"] == found == Fraction(33, 4324)


def test_three_aces_and_the_quinola_counted_in_another_way() -> None:
    """Over all pairs: which ace is missing, which place it has; checked against all hands of each size by size."""
    ways = sum(1 for _ in combinations(range(4), 3))
    one = sum(Fraction(h * (h - 1) * (h - 2) * (h - 3) * (48 - h), 48 * 47 * 46 * 45 * 44) for h in exact.HANDS)
    assert exact.EXACT["three-aces-and-quinola"] == ways * one == Fraction(55, 2162)
    assert exact.EXACT["quinola-turned"] == Fraction(1, 16) and "reversis-made" not in exact.EXACT


def test_the_two_hands_of_the_espagnolette_never_come_together() -> None:
    """Whoever has all four aces leaves nobody three of them; so the two chances add up."""
    words, some, value = exact.list_exact_chances()[-1]
    assert "espagnolette" in words and value == Fraction(143, 4324) == sum(exact.EXACT[one] for one in some)


def test_every_exact_value_is_that_of_an_event_that_is_counted() -> None:
    assert set(exact.EXACT) <= set(EVENTS) and sum(exact.HANDS) + exact.DEALT_TALON_SIZE == 48


# ---- distances and trees
FAR = {
    frozenset(pair): far for pair, far in (("AB", 2.0), ("AC", 6.0), ("BC", 8.0), ("AD", 9.0), ("BD", 9.0), ("CD", 6.0))
}


def test_the_nearest_are_joined_first_and_heights_are_means() -> None:
    found = distances.build_distance_tree("ABCD", FAR)
    assert found.shape == {frozenset("AB"), frozenset("CD")}
    assert found.height == pytest.approx((6 + 8 + 9 + 9) / 8) and {branch.height for branch in found.branches} == {
        1.0,
        3.0,
    }


def test_four_leaves_have_fifteen_trees_and_five_have_a_hundred_and_five() -> None:
    assert [distances.count_rooted_trees(n) for n in (2, 3, 4, 5)] == [1, 3, 15, 105]


def test_a_tree_that_no_chance_can_shake_stays_as_it_is() -> None:
    sure = distances.perturb_trees("ABCD", {pair: (far, 1e-9) for pair, far in FAR.items()}, 20)
    unsure = distances.perturb_trees("ABCD", {pair: (far, 9.0) for pair, far in FAR.items()}, 200)
    assert dict(sure) == {distances.build_distance_tree("ABCD", FAR).shape: 20} and len(unsure) > 3


def test_questions_that_only_one_source_answers_do_not_count_towards_a_distance() -> None:
    said = {"A": ["x", "y", "", "z"], "B": ["x", "w", "v", ""]}
    assert distances.compute_question_distances(said) == {frozenset("AB"): 0.5}
    assert sum(distances.bootstrap_trees(said, 10).values()) == 10


def test_two_sources_of_one_family_lie_nearer_by_questions_than_two_of_different_ones(library: Library) -> None:
    far = distances.compute_question_distances(distances.collect_answers_by_source(library))
    assert far[frozenset(("ACA", "GER"))] < far[frozenset(("ACA", "PAM"))]


# ---- the stored file
def small(policy: str = "random") -> StoredSurvey:
    other = Disagreement(Rules("AAA", ("Q001@BBB",)), (SurveyVariant(VARIANT_QUESTION, ("toll.payee",), "BBB"),))
    left = LeftOut(SurveyVariant("option", ("toll.tricks",), alternative="AAA.o01"), "fault")
    one = SourceVariants(Rules("AAA"), (Disagreement(Rules("AAA"), (SurveyVariant(VARIANT_ITSELF),)), other), (left,))
    count = Count(3, 3, (1, -1, 0, 0, 0), (1, 1, 0, 0, 0), (1,) * len(EVENTS), (versus(0, 0, 0), versus(0, 4, 9)))
    head = ("python -m proofs.survey", 1, policy, 3, __version__, "sha256:" + "0" * 64, "3.11", "2025-01-31")
    return StoredSurvey(*head, (Seated(one, "jeton", 8, count),))


def stored_at(root: Path, policy: str = "random") -> Path:
    return root / SURVEYS_FOLDER / f"{policy}.json"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    for policy in ("cautious", "random"):
        assert write_stored_survey(stored_at(tmp_path, policy), small(policy)).name == f"{policy}.json"
    assert read_surveys(tmp_path) == ((small(), small("cautious")), [])


def test_the_schema_allows_what_is_written_and_nothing_else() -> None:
    schema = json.loads((ROOT / "schema" / "stored-survey.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    check, data = Draft202012Validator(schema), json.loads(format_stored_survey(small()))
    assert not list(check.iter_errors(data)) and data["schema"] == STORED_SURVEY_SCHEMA
    assert "nets" not in data and not list(check.iter_errors(data | {"nets": {"AAA": "0" * 16}}))
    assert list(check.iter_errors(data | {"nets": {"AAA": "a net"}}))
    for spoilt in (data | {"more": 1}, data | {"deals": 0.5}, data | {"tables": []}, data | {"policy": "bold"}):
        assert list(check.iter_errors(spoilt))
    assert schema["$defs"]["left"]["properties"]["kind"]["enum"] == list(VARIANT_KINDS)
    assert schema["$defs"]["left"]["properties"]["because"]["enum"] == list(UNSURVEYED_REASONS)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda data: data | {"schema": 2}, "schema cannot be 2"),
        (lambda data: data | {"policy": "cautious"}, "its file random"),
        (lambda data: data | {"tables": [data["tables"][0] | {"deals": 0.5}]}, "deals"),
        (lambda data: {k: v for k, v in data.items() if k != "seed"}, "seed is missing"),
        (lambda data: data | {"nets": {"AAA": "a net"}}, "AAA cannot be a net"),
        (lambda data: [], "must be a table"),
    ],
)
def test_a_spoilt_file_is_told_with_a_way_out(tmp_path: Path, spoil, what: str) -> None:  # type: ignore[no-untyped-def]
    path = write_stored_survey(stored_at(tmp_path), small())
    path.write_text(json.dumps(spoil(json.loads(path.read_text()))), encoding="utf-8")
    found, problems = read_surveys(tmp_path)
    assert found == () and what in problems[0].what and "proofs.survey" in problems[0].way_out


def test_a_survey_of_other_sources_or_another_version_says_so() -> None:
    one = small()
    assert one.outdated(__version__, one.sources) == ()
    assert one.outdated(__version__, "sha256:1") == ("the sources have changed since",)
    assert len(one.outdated("9.9", "sha256:1")) == 2


def test_surveys_are_no_part_of_what_the_fingerprint_is_taken_of(tmp_path: Path) -> None:
    (tmp_path / "glossary.yaml").write_text("[]\n", encoding="utf-8")
    before = digest_sources(tmp_path)
    write_stored_survey(stored_at(tmp_path), small())
    assert digest_sources(tmp_path) == before and not [
        path for path in find_files(ROOT, SOURCE_FILE_PATTERNS) if SURVEYS_FOLDER in path.parts
    ]


def test_as_a_table_every_ruleset_has_a_line() -> None:
    head, *lines = list_survey_rows(small())
    assert len(lines) == 2 and all(len(line) == len(head) for line in lines)
    assert dict(zip(head, lines[1], strict=True))["moved"] == 13


# ---- making it
@pytest.mark.release
def test_a_survey_of_skilled_players_is_stored_as_any_other(
    tmp_path: Path, library: Library, tables: tuple[SourceVariants, ...]
) -> None:
    these = [table for table in tables if table.rules.source == "PAM"]
    some = tuple(replace(one, others=one.others[:3]) for one in these)
    order = order_survey(1, "skilled", 24, tuple(one.table for one in some))
    found = run_policy_survey(library, some, order, tmp_path)
    assert found.nets == (("PAM", fingerprint_net("PAM")),) and '"nets":{"PAM":' in format_stored_survey(found)
    assert found.command.endswith("--policy skilled") and found.tables[0].priced[0][1].changed == 0
    write_stored_survey(stored_at(tmp_path, "skilled"), found)
    assert read_surveys(tmp_path) == ((found,), [])
    schema = json.loads((ROOT / "schema" / "stored-survey.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(json.loads(format_stored_survey(found)))) == []


def test_a_survey_that_was_broken_off_goes_on_where_it_stood(tmp_path: Path, library: Library) -> None:
    order, asked = SurveyOrder(1, "random", 2 * CHUNK + 5, (SurveyTable(Rules("PAM")),)), []

    def piece(order: SurveyOrder, library: Library, chunk: int) -> SurveyTally:
        asked.append(chunk)
        if chunk == 1 and len(asked) == 2:
            raise KeyboardInterrupt
        return SurveyTally((Count(len(order.numbers(chunk))),))

    with pytest.raises(KeyboardInterrupt):
        count_survey(order, library, tmp_path, piece)
    assert count_survey(order, library, tmp_path, piece) == SurveyTally((Count(2 * CHUNK + 5),)) and asked == [
        0,
        1,
        1,
        2,
    ]
    assert read_cached_piece(tmp_path / "2.json") == SurveyTally((Count(5),))


@pytest.mark.release
def test_a_single_deal_of_a_survey_can_be_looked_at(library: Library) -> None:
    deal, problems = read_deal(json.loads(render_survey_deal(library, 1785, "random", ("PAM", 44))))
    assert deal is not None and not problems and len(deal.seats) == 4 and len(deal.tricks) == 11
    assert not isinstance(settle(deal, resolve_table_rules(library, Rules("PAM"))), Refused | Unanswered)
    other = render_survey_deal(library, 1785, "random", ("PAM", 45))
    assert other != render_survey_deal(library, 1785, "random", ("PAM", 44))


@pytest.mark.release
def test_a_small_survey_differs_from_itself_by_nought(tmp_path: Path, library: Library) -> None:
    these = plan_survey_variants(library, ["PAR"])
    some = tuple(replace(one, others=one.others[:4]) for one in these)
    found = run_policy_survey(library, some, SurveyOrder(1, "random", 12, tuple(one.table for one in some)), tmp_path)
    itself = found.tables[0].priced[0][1]
    assert itself.settled == 12 and itself.changed == itself.moved == itself.forbidden == itself.silent == 0
    assert (
        parse_stored_survey(json.loads(format_stored_survey(found)), "random") == found and found.tables[0].pool == 25
    )


def test_what_is_stored_agrees_with_what_can_be_reckoned(library: Library) -> None:
    """By intervals of 99.9 %: three values are held against them, and one in three hundred edges is chance enough."""
    schema = json.loads((ROOT / "schema" / "stored-survey.schema.json").read_text(encoding="utf-8"))
    surveys, problems = read_surveys(ROOT, library)
    assert len(surveys) == len([*(ROOT / SURVEYS_FOLDER).glob("*.json")]) > 1 and not problems
    for survey in surveys:
        assert not list(Draft202012Validator(schema).iter_errors(json.loads(format_stored_survey(survey))))
        for seated in survey.tables:
            itself = seated.priced[0][1]
            assert itself.settled == seated.count.settled and itself.changed == itself.moved == itself.forbidden == 0
            for event in exact.EXACT if any(seated.count.events) else ():
                found = estimate_share(seated.count.events[list(EVENTS).index(event)], seated.count.deals, 0.999)
                assert found.low <= exact.EXACT[event] <= found.high, (survey.policy, seated.siglum, event)
