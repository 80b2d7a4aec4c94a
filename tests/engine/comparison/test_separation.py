"""Where the sources part: what is stored is found again, what is proved can be proved again, and all of it is told."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from edition.corpus.corpus import Corpus
from engine.comparison.irrelevance_proof import GATES, gate_of, gather_knowledge, why_latent
from engine.comparison.minimise import (
    DEAL_SIZE_MEASURES,
    PLAIN_POOL,
    differing_entries,
    find_decisive_trick,
    measure_deal_size,
    shrink_separation,
    strip_separation,
)
from engine.comparison.questions_outside_payments import asked_outside
from engine.comparison.separation import (
    EFFECTIVE,
    IN_SESSION,
    LATENT,
    NOT_PLAYED,
    VERDICT_UNKNOWN,
    VERDICTS,
    Separation,
    SessionSeparation,
    Tried,
    differing_pairs,
    list_swaps,
    make_swap,
    settled_both,
    try_separation,
)
from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.effects import HOW, HOW_SESSION
from engine.settlement.settle import Settled, settle
from reversis.files.separations import (
    Parting,
    Store,
    load_separations,
    read_store,
    swap_of,
    verify_parting,
    worked_deals,
    write_store,
)
from reversis.findings.separation_search import SeparationWorkspace, search_separation
from reversis.views.deals.separations import (
    collect_separation_cases,
    partings_view,
    render_separations,
    separation_view,
)
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.paths import find_sources
from tests.support.commands import cache, refused, run
from tests.support.tiers import mark_for_release

__all__ = ["cache"]  # the fixture, for these tests too
FILE = find_sources() / "separating.json"


@pytest.fixture(scope="module")
def store(library: Library) -> Store:
    found = load_separations(library)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def worked(library: Library) -> dict[str, Deal]:
    return worked_deals(library)


def of(store: Store, question: str, *pair: str) -> Parting:
    return next(parting for parting in store.partings if (parting.question, parting.pair) == (question, pair))


# ---- what is stored
in_part = pytest.mark.parametrize("every", [5, mark_for_release(1)])  #: so many of what is stored: one


@pytest.mark.slow
def test_every_question_and_pair_that_differ_stand_in_the_file_once(library: Library, store: Store) -> None:
    """A file of an earlier state of the sources, as the pages say of it, is of the sources of that state."""
    sigla = {siglum for parting in store.partings for siglum in parting.pair}
    assert sigla == {*library.sources} or (store.sources != library.rules_digest and sigla < {*library.sources})
    pairs = ((slug, pair) for slug in library.questions for pair in differing_pairs(library, slug))
    expected = [(slug, pair) for slug, pair in pairs if {*pair} <= sigla]
    assert [(parting.question, parting.pair) for parting in store.partings] == expected
    assert {parting.verdict for parting in store.partings} <= set(VERDICTS)
    for one in store.partings:
        assert bool(library.questions[one.question].not_played) == (one.verdict == NOT_PLAYED)
        assert bool(one.deal or one.session) == (one.verdict == EFFECTIVE)
        assert bool(one.because) == (one.verdict in (LATENT, VERDICT_UNKNOWN)), one


@pytest.mark.slow
def test_every_stored_deal_separates_just_as_it_is_told(
    library: Library, store: Store, worked: dict[str, Deal]
) -> None:
    effective = [parting for parting in store.partings if parting.verdict == EFFECTIVE]
    assert len(effective) > 150
    for one in effective:
        found = verify_parting(library, store, one, worked)
        assert found is not None and found.how == one.how, one
        assert found.swap.changed == {one.question, *one.brings}, one
        assert {found.swap.base, found.swap.giver} == set(one.pair)
        assert set(one.how) <= set(HOW if one.deal else HOW_SESSION)


@pytest.mark.slow
@in_part
def test_a_deal_separates_only_by_a_result_never_by_our_wording_of_it(
    library: Library, store: Store, every: int
) -> None:
    """Two names for a card by which nobody is paid, or a sum put in by another rule of the same effect, part nobody."""
    for one in [parting for parting in store.partings if parting.deal][::every]:
        found = verify_parting(library, store, one)
        assert isinstance(found, Separation), one
        if settled_both(found):
            assert came(found.before) != came(found.after), one
            (_, first), (_, second) = separation_view(found).sides
            assert first != second, one


def came(result: object) -> object:
    """All that a deal has come to, as counters, pool and winners."""
    assert isinstance(result, Settled)
    sums = [(p.payer, p.payee, p.counted(result.before)) for e in result.entries for p in e.postings]
    return [one for one in sums if one[2]], result.pool, result.outcome, result.passed_over


@pytest.mark.slow
@in_part
def test_only_the_one_answer_differs_between_the_two_sides(library: Library, store: Store, every: int) -> None:
    for one in [parting for parting in store.partings if parting.verdict == EFFECTIVE][::every]:
        sides = swap_of(library, one)
        own, other = sides.own.rulings, sides.other.rulings
        assert {q for q in {*own, *other} if own.get(q) != other.get(q)} >= sides.changed
        assert all(own[q].value == other[q].value for q in own if q not in sides.changed)


@pytest.mark.slow
@in_part
def test_no_stored_deal_is_larger_than_a_worked_deal_that_shows_the_same(
    library: Library, store: Store, worked: dict[str, Deal], every: int
) -> None:
    for one in [parting for parting in store.partings if parting.deal][::every]:
        sides = swap_of(library, one)
        small = try_separation(sides, store.deal(one.deal))
        assert small is not None
        known = [try_separation(sides, worked[id]) for id in one.worked]
        assert all(
            other is not None and measure_deal_size(small)[:-1] <= measure_deal_size(other)[:-1] for other in known
        ), one


def test_the_file_is_small_and_written_as_it_is_read(store: Store, tmp_path: Path) -> None:
    letters = FILE.read_text(encoding="utf-8")
    assert len(letters) < 300 * len(store.partings)  # they grow with the pairs of sources
    assert read_store(letters) == store
    assert write_store(tmp_path / "separating.json", store).read_text(encoding="utf-8") == letters


# ---- a swap


def test_a_source_without_an_answer_has_none_to_give(library: Library) -> None:
    assert make_swap(library, "espagnolette.lost-by", "PAM", "ACA") is None
    one = make_swap(library, "espagnolette.lost-by", "ACA", "PAM")
    assert one is not None and list_swaps(library, "espagnolette.lost-by", ("PAM", "ACA")) == (one,)


# ---- making small
def test_a_deal_made_smaller_separates_still(library: Library, worked: dict[str, Deal]) -> None:
    sides = make_swap(library, "quinola.forced.amount", "PAM", "ACA")
    assert sides is not None
    found = try_separation(sides, worked["pam-quinola-forced-side-last"])
    assert found is not None and settled_both(found)
    small = shrink_separation(found, 1, 60)
    assert measure_deal_size(small) < measure_deal_size(found)
    again = try_separation(sides, small.deal)
    assert again is not None and again.how == small.how and len(measure_deal_size(again)) == len(DEAL_SIZE_MEASURES)


def test_what_is_not_needed_is_taken_out(library: Library, worked: dict[str, Deal]) -> None:
    sides = make_swap(library, "quinola.forced.amount", "PAM", "ACA")
    assert sides is not None
    deal = worked["pam-quinola-forced-side-last"]
    extra = replace(deal, faults=(Fault("out-of-turn", 0, 2),), pools={"": Pool(7, (3,), True)})
    found = try_separation(sides, extra)
    assert found is not None
    bare = strip_separation(found).deal
    assert (bare.faults, bare.exchange, bare.announced, bare.pools) == ((), (), (), {"": PLAIN_POOL})


def test_the_sides_part_in_the_trick_of_the_first_entry_that_differs(library: Library, store: Store) -> None:
    found = verify_parting(library, store, of(store, "quinola.forced.amount", "ACA", "PAM"))
    assert isinstance(found, Separation)
    entries = [entry for side in differing_entries(found.before, found.after) for entry in side]
    assert {entry.fact.kind for entry in entries} == {"quinola"}
    assert find_decisive_trick(found) == min(entry.fact.trick or 99 for entry in entries)


# ---- proofs that nothing separates


@pytest.mark.release
@pytest.mark.parametrize(("source", "pair"), [("GER", ("GER", "PAM")), ("ACA", ("ACA", "PAR"))])
def test_what_is_stored_as_latent_can_be_proved_again(
    library: Library, store: Store, source: str, pair: tuple[str, str]
) -> None:
    known = gather_knowledge(resolve(library, source))
    latent = [parting for parting in store.partings if parting.verdict == LATENT and parting.pair == pair]
    assert len(latent) > 10
    for one in latent:
        for side in (side for side in list_swaps(library, one.question, pair) if side.base == source):
            assert why_latent(side, known, asked_outside), one


@pytest.mark.slow
def test_what_separates_is_never_proved_to_be_latent(library: Library, store: Store) -> None:
    known = gather_knowledge(resolve(library, "GER"))
    some = [parting for parting in store.partings if parting.verdict == EFFECTIVE and parting.base == "GER"]
    assert len(some) > 20
    assert [one for one in some if why_latent(swap_of(library, one), known, asked_outside)] == []


@pytest.mark.release
def test_no_worked_deal_asks_what_a_gate_keeps_from_being_asked(library: Library, worked: dict[str, Deal]) -> None:
    held = 0
    for source in library.sources:
        known = gather_knowledge(resolve(library, source))
        closed = {q for q in library.questions if (gate := gate_of(q)) and gate[1](known)}
        held += len(closed)
        for deal in worked.values():
            found = settle(deal, known.ruleset)
            assert not isinstance(found, Settled) or not found.asked & closed, (source, deal.id)
    assert held > 50 and len(GATES) > 10


@pytest.mark.release
def test_everything_that_a_settled_deal_asks_of_a_rule_was_foreseen(library: Library, worked: dict[str, Deal]) -> None:
    """The facts and outcomes that are tried take in those that occur."""
    for source in library.sources:
        known = gather_knowledge(resolve(library, source))
        asked = {(place[0].name, place[1]): set[str]() for place in known.asked}
        for (rule, kind, _), some in known.asked.items():
            asked[rule.name, kind] |= some
        for found in (settle(deal, known.ruleset) for deal in worked.values()):
            for entry in found.entries if isinstance(found, Settled) and not found.deal.faults else ():
                outside = {q for q in entry.asked if asked_outside(q)}
                assert set(entry.asked) - outside <= asked[entry.rule, entry.fact.kind], (source, entry.rule)


def test_two_ways_to_say_the_same_sum_are_latent(store: Store) -> None:
    """Two fiches, or twice one fiche: as long as an ace costs one, nobody can tell."""
    one = of(store, "ace.favoured-amount", "PAM", "PAR")
    assert one.verdict == LATENT and "come to the same" in one.because


def test_a_question_on_the_espagnolette_is_latent_where_no_hand_gives_it(store: Store) -> None:
    one = of(store, "espagnolette.lost-by", "ACA", "PAM")
    assert one.verdict == LATENT and "no hand gives the espagnolette" in one.because
    assert of(store, "espagnolette.lost-by", "PAM", "PAR").verdict == EFFECTIVE


def test_a_question_of_the_stake_may_need_a_session(library: Library, store: Store) -> None:
    one = of(store, "stake.first.each", "PAM", "PAR")
    assert one.session and one.question.startswith(IN_SESSION)
    assert isinstance(verify_parting(library, store, one), SessionSeparation)


# ---- the fewest deals


def test_the_stored_set_tells_all_sources_apart(library: Library, store: Store, worked: dict[str, Deal]) -> None:
    one = next(one for one in store.sets if one.what == "the sources")
    assert one.exact and not one.alike
    deals = [worked.get(id) or store.deal(id) for id in one.deals]
    came = {s: [shown(settle(deal, resolve(library, s))) for deal in deals] for s in library.sources}
    assert all(came[a] != came[b] for a, b in combinations(came, 2))


def shown(found: object) -> object:
    return [show(found) for show in HOW.values()] if isinstance(found, Settled) else None


# ---- searching anew
@pytest.mark.slow
def test_the_same_seed_finds_the_same(library: Library) -> None:
    first, second = (
        search_separation(SeparationWorkspace(library, 7, 20), "revoke.fine", ("GER", "PAM")) for _ in range(2)
    )
    assert first == second and first.verdict == EFFECTIVE


# ---- the command
@pytest.mark.slow
def test_separate_shows_the_stored_deal() -> None:
    done = run("separate", "Q017", "PAM", "ACA")
    assert done.exit_code == 0 and "ace.favoured-suit" in done.output and "PAM + Q017@ACA:" in done.output
    assert "South (" in done.output or "South:" in done.output


def test_separate_gives_a_record_that_differs_when_it_is_run(tmp_path: Path) -> None:
    file = tmp_path / "deal.yaml"
    file.write_text(run("separate", "ace.favoured-suit", "ACA", "PAM", "--format", "yaml").output, encoding="utf-8")
    told = json.loads(run("separate", "ace.favoured-suit", "ACA", "PAM", "--format", "json").output)
    command = ["run", str(file), "--source", told["base"], "--format", "json"]
    plain = json.loads(run(*command).output)
    other = json.loads(run(*command, "--with", f"{told['question']}@{told['from']}").output)
    assert plain["net"] != other["net"]
    assert [one["net"] for one in told["results"]] == [plain["net"], other["net"]]


@pytest.mark.release
def test_separate_tells_of_two_sources_every_question_on_which_they_differ(library: Library) -> None:
    lines = run("separate", "PAM", "PAR", "-q").output.splitlines()
    expected = [q for q in library.questions if ("PAM", "PAR") in differing_pairs(library, q)]
    assert [line.split()[1] for line in lines] == expected


@pytest.mark.slow
def test_separate_searches_anew_from_a_seed() -> None:
    done = run("separate", "Q099", "PAM", "GER", "--seed", "3", "--format", "json")
    assert done.exit_code == 0 and json.loads(done.output)["verdict"] == EFFECTIVE


def test_separate_tells_why_there_is_no_deal() -> None:
    done = run("separate", "espagnolette.lost-by", "ACA", "PAM")
    assert done.exit_code == 0 and "latent" in done.output and "no hand gives the espagnolette" in done.output


def test_separate_says_that_two_sources_answer_alike() -> None:
    done = run("separate", "Q013", "ACA", "PAM")
    assert done.exit_code == 0 and "alike" in done.output


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("Q17x",), "No question"),
        (("Q031", "PAM"), "two sources"),
        (("PAM",), "PAM is a source: give two, as `separate PAM ACA`, or a question first"),
        (("pam", "ACA", "GER"), "PAM is a source: give two"),
        (("PAM", "PAN"), "No source 'PAN'"),
        (("PAM", "PAM"), "two different sources"),
        (("Q031", "PAM", "ACA", "GER"), "two sources"),
    ],
)
def test_separate_helps_who_has_mistyped(words: tuple[str, ...], hint: str) -> None:
    assert hint in refused(2, "separate", *words)


@pytest.mark.release
def test_what_separate_prints_as_data_agrees_with_its_schema() -> None:
    told = json.loads((FILE.parent / "schema" / "separation.schema.json").read_text(encoding="utf-8"))
    deals = json.loads((FILE.parent / "schema" / "deal.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(told)
    schema, deal = Draft202012Validator(told), Draft202012Validator(deals)
    lines = [json.loads(line) for line in run("separate", "GER", "PAM", "--format", "json").output.splitlines()]
    assert {line["verdict"] for line in lines} >= {EFFECTIVE, LATENT, NOT_PLAYED}
    assert [error.message for line in lines for error in schema.iter_errors(line)] == []
    assert [error.message for line in lines if "deal" in line for error in deal.iter_errors(line["deal"])] == []
    assert told["properties"]["verdict"]["enum"] == list(VERDICTS)
    assert set(told["properties"]["how"]["items"]["enum"]) == {*HOW, *HOW_SESSION}


# ---- the page
@pytest.mark.slow
def test_the_page_shows_every_question_that_is_played(library: Library, store: Store) -> None:
    view = partings_view(Corpus(library))
    assert view is not None
    played = {parting.question for parting in store.partings if parting.verdict != NOT_PLAYED}
    rows = [row for _, questions in view.groups for row in questions]
    assert {question.slug for question, _ in rows} == played
    assert [sum(numbers) for numbers in zip(*(pairs for _, pairs in rows), strict=True)] == [n for _, n in view.counts]
    assert dict(view.counts)[EFFECTIVE] == sum(parting.verdict == EFFECTIVE for parting in store.partings)
    words = "\n".join(node.astext() for node in render_separations(view))
    assert all(question.asks in words for question, _ in rows)


@pytest.mark.slow
def test_every_case_has_a_deal_a_session_or_a_reason(library: Library, store: Store) -> None:
    for found in store.by_question.values():
        cases = [c for c in collect_separation_cases(library, store, None, found) if c.verdict != NOT_PLAYED]
        assert all(each.deal or each.session or each.because for each in cases)


def test_a_stored_deal_that_separates_no_more_is_told_and_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("separate", "Q017", "PAM", "ACA").exit_code == 0
    monkeypatch.setattr("reversis.cli.separate.proof_of", lambda *_: None)
    done = run("separate", "Q017", "PAM", "ACA")
    assert done.exit_code == 1 and "It does not separate any more." in done.output


# ---- what a swap brings, and what was tried


def test_what_was_tried_is_told_with_how_many_ask_if_any_does() -> None:
    assert str(Tried(7, {"known": 3, "made": 2}, 4)) == "3 known, 2 made; 4 of them ask it (seed 7)"
    assert str(Tried("x", {"known": 3})) == "3 known (seed x)"
