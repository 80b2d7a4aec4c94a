"""One choice of the source that supplies another, and what every command says where an answer is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reversis.files.deals import read_worked
from reversis.words.missing import add_supply_hint, choose_lender, suggest_supply
from reversis.words.supply import plan_supply
from rulebook.model import Library
from tests.support.commands import refused, run
from tests.support.fifth_source import small


def begin(library: Library, language: str) -> Library:
    """The edition and a source NEW of which nothing has been read."""
    record = {"siglum": "NEW", "language": language, "family": {"name": "not placed yet"}, "draft": True}
    begun = replace(library.sources["PAM"], siglum="NEW", record=record, clauses=(), text=None)
    return replace(library, sources={**library.sources, "NEW": begun})


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_a_fresh_source_of_any_language_is_supplied_from_the_one_that_answers_most(
    library: Library, language: str
) -> None:
    begun = begin(library, language)
    assert choose_lender(begun, "NEW") == "PAM"
    told = suggest_supply(begun, "NEW", "play.first-lead")
    assert "reversis supply NEW --from PAM --all-deals --write" in told
    assert told.startswith("Read it for that first, with reversis sheet NEW --out answers.csv")


def test_what_is_asked_is_answered_first_of_all(library: Library) -> None:
    assert choose_lender(begin(library, "de"), "NEW", ["exchange.across"]) == "HOY", "no other has an answer"
    assert choose_lender(library, "HOY", ["exchange.across"]) is None


def test_of_equals_the_nearer_one_is_taken_and_then_the_one_that_answers_more(library: Library) -> None:
    pam = library.sources["PAM"]
    german = replace(pam, siglum="AAA", record={**pam.record, "siglum": "AAA", "language": "de", "family": {}})
    two = replace(library, sources={"PAM": pam, "AAA": german})
    assert choose_lender(begin(two, "de"), "NEW") == "AAA"
    assert choose_lender(begin(two, "fr"), "NEW") == "PAM"


def test_a_silence_ends_with_one_stop_and_names_no_command_for_rules_that_are_no_source_s(library: Library) -> None:
    assert ". What" in add_supply_hint(library, "PAR", "out-of-turn.fine", "PAR is silent: not said.")
    assert add_supply_hint(library, "mine", "out-of-turn.fine", "mine is silent") == "mine is silent."


def test_where_no_lender_has_an_answer_it_is_said_who_has_and_what_hangs_on_it(library: Library) -> None:
    deals = [deal for name in library.deals if (deal := read_worked(library, Path(name).stem).deal)]
    plan = plan_supply(library, "MEY", ["PAM"], deals)
    (one,) = (each for each in plan.withheld if each.question.id == "Q219")
    assert one.why == "PAM has no answer either"
    assert (
        one.way_out.startswith("HOY has one (--from PAM --from HOY), and 1 of ") and "cannot be settled" in one.way_out
    )
    alone = replace(library, sources={siglum: library.sources[siglum] for siglum in ("MEY", "PAM")})
    (one,) = (each for each in plan_supply(alone, "MEY", ["PAM"], deals).withheld if each.question.id == "Q219")
    assert one.way_out.startswith("no source has one, and 1 of ")


# ---- the commands
@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sources, and a third one that was begun and is not coded."""
    root = small(tmp_path_factory.mktemp("lenders"))
    facts = "--title T --short-title Tss --language de --date 1900 --place= --author= --exemplar= --unit= --coder=me"
    assert run("new-source", "TSS", *facts.split(), "--sources", str(root)).exit_code == 0
    return root


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("deal", "random", "-s", "TSS", "--seed", "1"),
        ("deal", "fill", "-s", "TSS", "-w", "reversis made"),
        ("play", "--source", "TSS"),
        pytest.param(("separate", "Q001", "PAR", "TSS"), marks=pytest.mark.release),  # it searches before it is refused
    ],
)
def test_no_command_ends_in_a_traceback_by_a_source_that_is_not_coded(root: Path, words: tuple[str, ...]) -> None:
    told = " ".join(refused(1, "--sources", str(root), *words).split())
    assert "TSS is silent on" in told and "reversis supply TSS --from PAR --all-deals --write" in told
    assert "Read it for that first, with reversis sheet TSS" in told


@pytest.mark.slow
def test_a_source_that_is_not_coded_keeps_nobody_from_a_deal_by_the_others(root: Path) -> None:
    for words in (["random", "--seed", "1"], ["new", "--seed", "1"]):
        assert run("--sources", str(root), "deal", *words).exit_code == 0
