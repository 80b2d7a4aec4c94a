"""Names as people write them are found, what is not there is told with what was meant, and slips get a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import reversis as rv
from rulebook.model import Library
from tests.support.in_one_test import in_one_test
from tests.support.places import DATA

DEAL = "pam-quinola-forced-opposite-last"


@pytest.mark.parametrize(
    "name",
    ["Q031", "q31", "31", 31, "quinola.forced.others-pay", "Quinola forced others pay", "quinola-forced-others-pay"],
)
def test_a_question_is_found_by_id_number_or_slug_in_any_letters(library: Library, name: str | int) -> None:
    assert library.question(name).id == "Q031"


@pytest.mark.parametrize("name", ["Q042", "q42", "42", 42, "Ace-forced-amount"])
def test_a_cell_is_found_by_the_same_names(library: Library, name: str | int) -> None:
    asked = library.question(name)
    found = library.cell("pam", name)
    assert found is not None and found == library.cell("PAM", asked.slug) and found.question == asked.slug


def test_a_cell_is_found_by_exact_names_where_code_names_a_question_that_may_not_be_there(library: Library) -> None:
    assert library.find_cell("PAM", "no.such") is None
    assert library.find_cell("PAM", "ace.forced.amount") == library.cell("pam", "Ace-forced-amount") is not None


LOOKUPS: dict[str, tuple[Callable[[Library], object], str]] = {
    "question": (lambda lib: lib.question("quinola.forced.other-pay"), "Did you mean quinola.forced.others-pay?"),
    "number": (lambda lib: lib.question(999), "No question 999. There are {range}."),
    "source": (lambda lib: lib.source("PUM"), "There are: ACA, GER, HOY, MEY, PAM, PAR, PIE."),
    "rules": (lambda lib: rv.rules(lib, "pom"), "No source 'pom'. There are: ACA, GER, HOY, MEY, PAM, PAR, PIE."),
    "rules of a misspelt source": (lambda lib: rv.rules(lib, "PMA"), "PIE. Did you mean PAM or PAR?"),
    "clause": (lambda lib: lib.clause("PAM.c0311"), "No clause 'PAM.c0311'. Did you mean PAM.c0"),
    "record": (lambda lib: rv.record(lib, "pam-quinola-gorgd"), "Did you mean pam-quinola-gorged?"),
    "deal": (lambda lib: rv.deal("pam-quinola-gorgd", lib), "Did you mean pam-quinola-gorged?"),
    "words": (lambda lib: lib.question("who pays"), "Give an id such as Q031, or its slug."),
    "words for a deal": (lambda lib: rv.deal("who pays", lib), "deals() lists them"),
    "cell": (lambda lib: lib.cell("PAM", "Q999"), "No question 'Q999'. There are {range}."),
    "cell of a source": (lambda lib: lib.cell("PUM", "Q031"), "No source 'PUM'. There are"),
    "comparison": (lambda lib: rv.compare("PAM", "ACC", lib), "No source 'ACC'. There are"),
}


@pytest.mark.parametrize("what", LOOKUPS)
def test_what_is_not_there_is_a_key_error_whose_words_are_a_sentence(library: Library, what: str) -> None:
    look, words = LOOKUPS[what]
    ids = sorted(question.id for question in library.questions.values())
    words = words.replace("{range}", f"{len(ids)}, {ids[0]} to {ids[-1]}")
    with pytest.raises(KeyError) as told:
        look(library)
    assert isinstance(told.value, rv.UnknownName) and words in str(told.value) and not str(told.value).startswith("'No")


def test_wishes_are_understood_in_any_letters(library: Library) -> None:
    assert rv.rules(library, "pam", "q31=3", "q17@aca").name == "PAM + Q031=3 + Q017@ACA"
    with pytest.raises(rv.BadChoice, match=r"did you mean quinola\.forced\.when"):
        rv.rules(library, "pam", "quinola.forced.whn=x")


def test_a_deal_is_read_by_id_file_or_record(library: Library) -> None:
    cited = rv.deal(DEAL.upper(), library)
    assert cited.id == DEAL
    assert rv.deal(DATA / f"{DEAL}.yaml").tricks == rv.deal(rv.record(library, DEAL)).tricks == cited.tricks
    with pytest.raises(rv.BadRecord, match="no 'hands'"):
        rv.deal({"pack": 48})
    with pytest.raises(FileNotFoundError, match="give the id of a worked deal"):
        rv.deal(Path("nowhere.yaml"))


Slip = Callable[[Library, rv.Deal, rv.Ruleset], object]
SLIPS: dict[str, tuple[Slip, str]] = {
    "swapped": (lambda lib, deal, pam: rv.settle(pam, deal), "settle(deal, ruleset)"),  # type: ignore[arg-type]
    "a record": (lambda lib, deal, pam: rv.settle({}, pam), "read_deal(record)"),  # type: ignore[arg-type]
    "an id": (lambda lib, deal, pam: rv.settle(DEAL, pam), "reversis.deal("),  # type: ignore[arg-type]
    "a path": (lambda lib, deal, pam: rv.settle(Path("x"), pam), "reversis.deal("),  # type: ignore[arg-type]
    "nothing": (lambda lib, deal, pam: rv.settle(None, pam), "problems"),  # type: ignore[arg-type]
    "a pair": (lambda lib, deal, pam: rv.settle((deal, []), pam), "deal, problems ="),  # type: ignore[arg-type]
    "a siglum": (lambda lib, deal, pam: rv.settle(deal, "PAM"), 'rules(library, "PAM")'),  # type: ignore[arg-type]
    "a source": (lambda lib, deal, pam: rv.settle(deal, lib.source("PAM")), 'rules(library, "PAM")'),  # type: ignore[arg-type]
    "a library": (lambda lib, deal, pam: rv.settle(deal, lib), "rules(library, "),  # type: ignore[arg-type]
    "no rules to fill by": (lambda lib, deal, pam: rv.fill("PAM", wish="quinola led"), "rules("),  # type: ignore[arg-type]
    "no rules to deal by": (lambda lib, deal, pam: rv.random_deal(lib, 1), "rules("),  # type: ignore[arg-type]
    "a siglum for the matrix": (lambda lib, deal, pam: rv.matrix("PAM"), "matrix(library)"),  # type: ignore[arg-type]
    "a siglum for clauses": (lambda lib, deal, pam: rv.clauses("PAM"), "clauses(library)"),  # type: ignore[arg-type]
    "a number for a folder": (lambda lib, deal, pam: rv.library(5), "library()"),  # type: ignore[arg-type]
    "a list of wishes": (lambda lib, deal, pam: rv.rules(lib, "PAM", ["Q031=3"]), "each by itself"),  # type: ignore[arg-type]
    "a siglum for a library": (lambda lib, deal, pam: rv.rules("PAM", "Q031=3"), "rules(library, "),  # type: ignore[arg-type]
    "rules for worlds": (lambda lib, deal, pam: rv.possible_worlds(deal, pam, "PAM"), "(deal, library, "),  # type: ignore[arg-type]
    "a policy's name": (lambda lib, deal, pam: rv.random_deal(pam, 1, policy="careful"), 'write "random"'),  # type: ignore[arg-type]
    "a shape's name": (lambda lib, deal, pam: rv.random_deal(pam, 1, "four"), "TableShape(players=4, "),  # type: ignore[arg-type]
    "a shape to fill": (lambda lib, deal, pam: rv.fill(pam, shape="four"), "TableShape(players=4, "),  # type: ignore[arg-type]
    "no seed to fill": (lambda lib, deal, pam: rv.fill(pam, seed=None), "None is no seed"),  # type: ignore[arg-type]
    "a number of players": (lambda lib, deal, pam: rv.begin(pam, 4, 3), "deal.seats"),  # type: ignore[arg-type]
    "a dealer's name": (lambda lib, deal, pam: rv.begin(pam, deal.seats, "west"), "0 to 3"),  # type: ignore[arg-type]
    "a dealer beyond the table": (
        lambda lib, deal, pam: rv.begin(pam, deal.seats, 4),
        "4 is no number of a seat, 0 to 3",
    ),
    "rules for steps": (lambda lib, deal, pam: [*rv.steps(pam, [deal])], "steps(begin("),  # type: ignore[arg-type]
    "result of a deal": (lambda lib, deal, pam: rv.result(deal), "result(settle("),  # type: ignore[arg-type]
    "no seed": (lambda lib, deal, pam: rv.random_deal(pam, None), "None is no seed"),  # type: ignore[arg-type]
    "a truth value": (lambda lib, deal, pam: rv.random_deal(pam, True), "a bool is no seed"),
    "a fraction": (lambda lib, deal, pam: rv.random_deal(pam, 1.5), "a float is no seed"),  # type: ignore[arg-type]
    "a number of wishes": (lambda lib, deal, pam: rv.fill(pam, wish=5), 'wish="quinola led"'),  # type: ignore[arg-type]
    "a library compared": (lambda lib, deal, pam: rv.compare("PAM", lib), 'compare("PAM", "ACA")'),  # type: ignore[arg-type]
    "compared in one": (lambda lib, deal, pam: rv.compare("PAM", "ACA", pam), ", library)"),  # type: ignore[arg-type]
    "a deal's number": (lambda lib, deal, pam: rv.deal(5), "deal("),  # type: ignore[arg-type]
    "an id written": (lambda lib, deal, pam: rv.write_deal("x"), "reversis.deal("),  # type: ignore[arg-type]
    "balances of nothing": (lambda lib, deal, pam: rv.balances(None), "None is no result"),  # type: ignore[arg-type]
    "payments of one deal": (lambda lib, deal, pam: rv.payments(deal), "settle(deal, ruleset)"),  # type: ignore[arg-type]
    "refusals of ids": (lambda lib, deal, pam: rv.refusals("x"), "a str is no result"),  # type: ignore[arg-type]
    "payments of a deal": (lambda lib, deal, pam: rv.payments([deal]), "settle(deal, ruleset)"),  # type: ignore[list-item]
}


@in_one_test("slip", SLIPS)
def test_a_beginners_slip_is_told_with_what_to_write(library: Library, slip: str) -> None:
    make, words = SLIPS[slip]
    with pytest.raises(TypeError) as told:
        make(library, rv.deal(DEAL, library), rv.rules(library, "PAM"))
    assert words in str(told.value)


def test_wishes_are_the_words_of_the_command_line(library: Library) -> None:
    pam = rv.rules(library, "PAM")
    found = rv.fill(pam, {"dealer": "east"}, wish=["quinola led", "no reversis"])
    assert isinstance(found, rv.Found) and found.deal.dealer == 1
    assert any(entry.fact.kind == "quinola" and entry.fact.manner == "led" for entry in found.settled.entries)
    dealt = rv.random_deal(pam, 3, wish="quinola led")
    assert dealt == rv.random_deal(pam, 3, wish="quinola led") and dealt.id == "random-3"
    assert isinstance(named := rv.fill(pam, wish="quinola led", id="mine"), rv.Found) and named.deal.id == "mine"
    assert isinstance(plain := rv.fill(pam, wish="quinola led"), rv.Found) and plain.deal.id == "filled"
    assert named.deal.hands == plain.deal.hands
    assert rv.random_deal(pam, 3, id="PAM-3", wish="quinola led").id == "PAM-3" == rv.random_deal(pam, 3, id="PAM-3").id
    with pytest.raises(rv.BadSketch, match="did you mean 'led'"):
        rv.fill(pam, wish="quinola lead")
