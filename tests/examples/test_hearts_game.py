"""The game of Hearts: the books' own figures come out, every line cites words of a text, and nothing is made up."""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from docutils import nodes

from edition.cli.main import library_cli
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.corpus.problems import find_problems_in_results
from edition.views.page_kinds import get_page_kinds
from rulebook.model import Library
from tests.examples.hearts_from_the_texts import Pool, Result, find_taker
from tests.examples.hearts_from_the_texts import settle as settle_again
from tests.support.hearts_game import GAME_FOLDER, HEARTS, install_hearts_game

Say = Callable[..., str]
SEATS = "ABCDEF"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """The library of Hearts with its game."""
    with install_hearts_game(tmp_path_factory.mktemp("installed")):
        corpus, problems = read_corpus_checked(HEARTS)
        assert corpus is not None and [str(problem) for problem in problems] == []
        yield corpus


@pytest.fixture
def say(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Types a command of `rulebook` in the folder of the library, and returns what it says."""
    monkeypatch.chdir(HEARTS)

    def typed(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(library_cli, words, prog_name="rulebook", catch_exceptions=False)
        assert done.exit_code == code, done.output
        return " ".join(done.output.split())

    return typed


def settle(corpus: Corpus, name: str, taken: str, **fields: Any) -> Any:
    """Settle the hearts that players have taken, "3 5 5 0", by rules."""
    from hearts_game.deals import Deal, resolve_named
    from hearts_game.settlement import settle_deal

    hearts = dict(zip(SEATS, map(int, taken.split()), strict=False))
    fields = {"seats": [*hearts], "dealer": "A", "taken": hearts, **fields}
    deal = Deal.model_validate({"deal": "x", "title": "x", "provenance": "constructed", "cites": [], **fields})
    return settle_deal(deal, resolve_named(corpus.library, name))


# ---- the books' figures
def test_every_deal_comes_to_what_its_record_expects(corpus: Corpus) -> None:
    assert [str(problem) for problem in find_problems_in_results(corpus)] == []
    deals = corpus.extras["deals"]
    assert all(deal.expect for deal in deals) and len([deal for deal in deals if deal.tricks]) > 3
    figures = {siglum: sum(deal.deal.startswith(siglum.lower()) for deal in deals) for siglum in corpus.library.sources}
    assert {siglum: number for siglum, number in figures.items() if number < 3} == {"NYD": 1, "NYS": 1}


def test_the_payments_of_howells_example_are_the_numbers_in_its_words(corpus: Corpus) -> None:
    settlement = settle(corpus, "FOS + FOS.o01", "3 5 5 0")
    postings = [posting for line in settlement.lines for posting in line.postings]
    paid = {posting.payer: posting.amount for posting in postings if posting.payee == "pool"}
    taken = {posting.payee: posting.amount for posting in postings if posting.payer == "pool"}
    text = corpus.library.sources["FOS"].text
    assert text is not None
    words = " ".join(text.sentences[f"FOS.s00{number}"].emended for number in (46, 47, 49, 50))
    assert paid == {"A": 9, "B": 15, "C": 15} and taken == {"A": 10, "B": 8, "C": 8, "D": 13}
    assert {*re.findall(r"\d+", words)} == {*map(str, (*paid.values(), *taken.values(), sum(paid.values())))}


@pytest.mark.parametrize(
    ("name", "taken", "pool", "net", "left"),
    [
        ("FOS", "0 7 6 0", {}, "6 -7 -6 6", {"odd": 1}),  # "divide it, the odd counter remaining"
        ("FOS", "13 0 0 0", {}, "-13 0 0 0", {"jack": 13}),  # "the thirteen counters remain in the pool"
        ("FOS", "7 6 0 0", {"jack": 13}, "-7 -6 0 0", {"jack": 26}),  # "can be won only by one player"
        ("FOS", "3 5 5 0", {"jack": 13}, "-3 -5 -5 26", {}),  # "must add to the pool"
        ("FOS", "1 2 4 6", {}, "-1 -2 -4 -6", {"jack": 13}),
        ("KIN", "13 0 0 0", {}, "-13 4 4 4", {"odd": 1}),
        ("OFF", "4 6 2 1", {}, "-4 -6 -2 12", {}),
        ("OFF + OFF.o01", "7 6 0 0", {"jack": 13}, "-7 -6 13 13", {}),
        ("OFF + OFF.o01 + OFF.i01", "7 6 0 0", {"jack": 13}, "-7 -6 0 0", {"jack": 26}),
        ("OFF + OFF.o02", "1 2 4 6 0", {}, "8 3 -7 -17 13", {}),
        ("FOS + FOS.o01", "0 1 2 3 3 3", {}, "12 6 0 -6 -6 -6", {}),  # of six, the deuce of hearts being thrown out
        ("FOS + FOS.o02", "6 6 1", {}, "-5 -5 10", {}),  # "If two have an equal number, both pay the low man"
        ("FOS + FOS.o02", "1 1 11", {}, "10 10 -20", {}),
        ("FOS + FOS.i02", "1 2 4 6", {}, "-1 -2 -4 -6", {"odd": 13}),
        ("FOS", "7 6 0 0 0", {"jack": 13}, "-7 -6 0 0 0", {"jack": 26}),
        ("FOS", "7 3 3 0 0", {}, "-7 -3 -3 6 6", {"odd": 1}),
        ("OFF + OFF.o01", "13 0 0", {}, "-13 0 0", {"jack": 13}),
        ("OFF + OFF.o01 + OFF.i03", "13 0 0", {}, "-13 6 6", {"odd": 1}),
    ],
)
def test_a_pool_goes_where_the_book_says(
    corpus: Corpus, name: str, taken: str, pool: Mapping[str, int], net: str, left: Mapping[str, int]
) -> None:
    settlement = settle(corpus, name, taken, pool=pool)
    assert settlement.state == "settled"
    assert [settlement.net[seat] for seat in settlement.deal.seats] == [*map(int, net.split())]
    assert settlement.pool.model_dump() == {"jack": 0, "odd": 0, **left}
    assert sum(settlement.net.values()) == 0


@pytest.mark.parametrize(
    ("name", "taken", "fields", "question", "kind"),
    [
        ("KIN", "1 2 4 6", {}, "clear.none", "Silent"),
        ("KIN", "7 6 0 0", {"pool": {"jack": 13}}, "jack.paying", "Silent"),
        ("NYS", "3 5 5 0", {}, "pool.taker", "Silent"),
        ("BRI", "3 5 5 0", {"pool": {"jack": 13}}, "howell.rest", "Not played"),
        ("FOS", "7 6 0 0 0", {}, "clear.three", "Not played"),
        ("KIN", "3 5 5 0", {"pool": {"odd": 1}}, "clear.two", "Not played"),
        ("FOS + FOS.o02", "3 5 5 0", {}, "pool.taker", "Not played"),  # said of three players
        ("FOS + FOS.i01", "7 3 3 0 0", {}, "clear.two", "Not played"),  # said of four
        ("FOS + FOS.i03", "6 5 2", {}, "clear.none", "Not played"),  # said of more than three
        ("FOS + FOS.i04", "13 0 0", {}, "pool.all-thirteen", "Not played"),
        ("OFF + OFF.i02", "7 4 1 1", {}, "fewest.tie", "Not played"),  # six and a half each
        ("OFF + OFF.i02", "13 0 0 0", {}, "fewest.tie", "Not played"),  # three cannot have half each
    ],
)
def test_without_an_answer_nobody_has_won_or_lost_anything_and_the_question_is_named(
    corpus: Corpus, name: str, taken: str, fields: Mapping[str, Any], question: str, kind: str
) -> None:
    settlement = settle(corpus, name, taken, **fields)
    assert (settlement.state, settlement.silent.question, settlement.silent.kind) == ("silent", question, kind)
    assert settlement.lines == []


def test_the_hearts_of_six_players_are_those_of_the_pack_from_which_a_book_throws_one_out(corpus: Corpus) -> None:
    """Foster's six throw out four deuces; who deals the whole pack has thirteen hearts; of others nobody knows."""
    settled = {
        (name, taken): settle(corpus, name, taken)
        for name in ("FOS", "OFF")
        for taken in ("0 2 2 2 3 3", "0 2 2 3 3 3")
    }
    assert {key: settlement.state for key, settlement in settled.items() if key[0] == "OFF"} == {
        ("OFF", "0 2 2 2 3 3"): "settled",
        ("OFF", "0 2 2 3 3 3"): "settled",
    }
    assert settled["FOS", "0 2 2 2 3 3"].net["A"] == 12
    (refusal,) = settled["FOS", "0 2 2 3 3 3"].refusals
    assert (refusal.message, refusal.clauses) == ("13 hearts are taken, and 12 are dealt", ("FOS.c008",))


def test_why_no_odd_counter_can_be_there_is_said_of_the_pool_and_not_of_the_players(corpus: Corpus) -> None:
    told = str(settle(corpus, "KIN", "3 5 5 0", pool={"odd": 1}).silent)
    assert told.endswith(
        "does not say that any is kept, where the deal begins with 1 counter from a pool that was divided"
    )


def test_an_odd_counter_of_which_a_book_says_nothing_is_told(corpus: Corpus) -> None:
    assert "1 counter of 13 cannot be divided" in settle(corpus, "KIN", "7 6 0 0").open[0]
    assert settle(corpus, "FOS", "7 6 0 0").open == []


# ---- settled again
WAYS: Mapping[str, tuple[str, str]] = {  #: rules -> the text, and the way in which the oracle settles by it
    "FOS": ("FOS", "sweepstake"),
    "FOS + FOS.o01": ("FOS", "howell"),
    "FOS + FOS.o02": ("FOS", "three-handed"),
    "KIN": ("KIN", "chips"),
    "OFF": ("OFF", "simple"),
    "OFF + OFF.o01": ("OFF", "sweepstake"),
    "OFF + OFF.o02": ("OFF", "howell"),
    "BRI": ("BRI", "howell"),
}


def settle_twice(corpus: Corpus, name: str, deal: Any, hearts: Mapping[str, int]) -> tuple[Any, list[Result]]:
    """Settle a deal by the game, and by the oracle; what an earlier deal has left is for a sweepstake alone."""
    from hearts_game.deals import PoolRecord, resolve_named
    from hearts_game.settlement import settle_deal

    (text, way), pool = WAYS[name], deal.pool
    if way != "sweepstake":
        pool = PoolRecord()
    standing = Pool(Fraction(pool.jack + pool.odd), pool.jack > 0)
    results = settle_again(text, hearts, standing).get(way, [])
    return settle_deal(deal.model_copy(update={"pool": pool}), resolve_named(corpus.library, name)), results


def check_agreement(settlement: Any, results: Sequence[Result]) -> str:
    """Return how far the two agree; fail where the game departs from all that the text bears."""
    if settlement.state == "settled":
        net = {seat: settlement.net[seat] for seat in settlement.deal.seats}
        ours = (net, settlement.pool.jack + settlement.pool.odd)
        assert ours in [(result.net, result.pool.counters) for result in results], (settlement.ruleset.name, ours)
        return "spelled out" if len(results) == 1 else "one of several"
    spelled_out = len(results) == 1 and settlement.state == "silent" and settlement.silent.kind == "Silent"
    assert not spelled_out, (settlement.ruleset.name, settlement.silent)
    return settlement.silent.kind if settlement.silent else "refused"


def test_the_librarys_deals_are_settled_as_the_texts_alone_would(corpus: Corpus) -> None:
    counted, tricks = Counter[str](), 0
    for deal in corpus.extras["deals"]:
        takers = [find_taker(trick.split()) for trick in deal.tricks]
        hearts = dict.fromkeys(deal.seats, 0) | deal.taken
        for trick, taker in zip(deal.tricks, takers, strict=True):
            hearts[deal.find_holder(taker)] += trick.count("H")
        for name in WAYS:
            settlement, results = settle_twice(corpus, name, deal, hearts)
            counted[check_agreement(settlement, results)] += 1
            if settlement.tricks:
                assert [trick.taker for trick in settlement.tricks] == [*map(deal.find_holder, takers)]
                tricks += len(takers)
    assert counted["spelled out"] > 80 and tricks > 500


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_hearts_are_settled_as_the_texts_alone_would(corpus: Corpus, players: int) -> None:
    from hearts_game.deals import Deal

    chance, counted = random.Random(29), Counter[str]()
    for at in range(60):
        takers = chance.sample(SEATS[:players], chance.randint(1, players))
        dealt = Counter(chance.choices(takers, k=13 - (players == 6)))
        hearts = {seat: dealt[seat] for seat in SEATS[:players]}
        record = {
            "deal": "x",
            "title": "x",
            "provenance": "constructed",
            "cites": [],
            "seats": [*hearts],
            "dealer": "A",
        }
        deal = Deal.model_validate({**record, "taken": hearts, "pool": ({}, {"jack": 13}, {"odd": 1})[at % 3]})
        for name in WAYS:
            counted[check_agreement(*settle_twice(corpus, name, deal, hearts))] += 1
    assert counted["spelled out"] > 200 and not counted["refused"]


# ---- the play
def find_deal(corpus: Corpus, id: str) -> Any:
    """Find a deal of the library."""
    return next(deal for deal in corpus.extras["deals"] if deal.deal == id)


def test_a_revoke_is_a_problem_with_its_line_its_clause_and_a_way_out(corpus: Corpus) -> None:
    from hearts_game.settlement import find_unexpected_results

    deal = find_deal(corpus, "fos-howell-example")
    tricks = [deal.tricks[0], deal.tricks[1].replace("4D", "2C"), *deal.tricks[2:]]
    tricks[6] = tricks[6].replace("2C", "4D")
    revoked = replace(corpus, extras={"deals": (deal.model_copy(update={"tricks": tricks}),)})
    told = [str(problem) for problem in find_unexpected_results(revoked)]
    assert any(
        re.search(
            r"fos-howell-example\.yaml:16:\d+: C plays 3D, and may play AC, .* only, by FOS\n *FOS\.c021 says so", one
        )
        for one in told
    )


def test_cards_thrown_out_by_one_book_are_missing_by_another(corpus: Corpus) -> None:
    from hearts_game.deals import resolve_named
    from hearts_game.settlement import settle_deal

    three = find_deal(corpus, "fos-three-players")
    refusals = settle_deal(three, resolve_named(corpus.library, "KIN")).refusals
    assert [(refusal.message, refusal.clauses) for refusal in refusals] == [("2S is missing", ("KIN.c008",))]


def test_of_two_equally_high_cards_a_book_without_suits_does_not_say_which_takes_the_trick(corpus: Corpus) -> None:
    from hearts_game.deals import resolve_named
    from hearts_game.settlement import settle_deal

    deal = find_deal(corpus, "kin-odd-card-on-the-table")
    silent = settle_deal(deal, resolve_named(corpus.library, "KIN + KIN.i01")).silent
    assert silent and silent.question == "trick.taker"
    assert str(silent).endswith("nothing says which of AH and AS, equally high, takes trick 2")


# ---- citations
def test_every_line_cites_a_clause_whose_words_stand_in_the_text(corpus: Corpus) -> None:
    from hearts_game.views import settle_library_deal

    lines = [
        (ledger, line)
        for deal in corpus.extras["deals"]
        for ledger in settle_library_deal(corpus, deal.deal).ledgers
        for line in ledger.entries
    ]
    assert len(lines) > 300
    for ledger, line in lines:
        assert line.clauses, (ledger.ruleset, line.event)
        for id in line.clauses:
            quoted = ledger.clause(id).quotations
            assert quoted and all(is_printed(corpus.library, words, locus) for words, locus in quoted), id


def is_printed(library: Library, words: str, locus: str) -> bool:
    """Whether words stand in a sentence."""
    text = library.sources[locus.partition(".")[0]].text
    return text is not None and words in " ".join(text.sentences[locus].emended.split())


def test_the_game_knows_no_source_and_no_other_game(corpus: Corpus) -> None:
    files = [path for path in GAME_FOLDER.rglob("*") if path.suffix in (".py", ".xml")]
    known = re.compile(rf"\b({'|'.join(corpus.library.sources)})\b|(?:from|import) (?:engine|lab|reversis)\b")
    assert len(files) > 8 and not [path.name for path in files if known.search(path.read_text("utf-8"))]


# ---- commands
def test_run_and_explain_are_there_for_a_newcomer(say: Say) -> None:
    assert re.search(r"Play: run Settle deals.* Study: explain", say("-h"))
    assert "fos-jack" in say("list", "deals") and "rulebook run fos-jack" in say("show", "fos-jack")
    told = say("run", "fos-jack")
    assert "FOS -13 0 0 0 +13" in told and "KIN -13 +4 +4 +4 +1" in told
    assert "NYS is silent on pool.taker: nothing is said in NYS.s0001-NYS.s0006" in told
    told = say("explain", "fos-howell-example", "-s", "fos", "--with", "FOS.o01")
    assert "A has taken 3 hearts: A to pool 9" in told and "(FOS.s0043; FOS.c037)" in told
    told = say("explain", "fos-three-players", "-s", "FOS", "--with", "FOS.o02")
    assert re.search(r"B to A 3 \(FOS\.c025, FOS\.c027\) Q025 [^“]*“An excellent way is .* B to C 8", told)
    assert say("explain", "kin-everybody-has-a-heart", "-s", "KIN", code=1).count("clear.none") == 1
    assert "Did you mean fos-howell-example?" in say("run", "fos-howel-example", code=2)
    assert "No source 'FSO'" in say("run", "fos-jack", "-s", "FSO", code=2)


def test_run_says_as_json_what_it_says_in_words(say: Say) -> None:
    written = (json.loads(say("run", "fos-jack", "-s", siglum, "-f", "json")) for siglum in ("FOS", "NYS"))
    settled, silent = written
    assert settled["net"] == {"A": -13, "B": 0, "C": 0, "D": 0, "pool": 13} and settled["pool"] == {
        "jack": 13,
        "odd": 0,
    }
    assert settled["entries"][0]["postings"] == [{"from": "A", "to": "pool", "amount": 13}]
    assert all(entry["clauses"] for entry in settled["entries"])
    assert silent["silent"]["question"] == "Q027" and (silent["net"], silent["pool"]) == ({}, None)


@pytest.mark.parametrize(
    ("deal", "wrong", "right", "line", "what"),
    [
        ("fos-howell-example", "A: AS 5S", "A: 5S 5S", 10, "5S is in 2 places"),
        ("fos-howell-example", "A: AS 5S", "A: 1S 5S", 10, "1S is no card"),
        ("fos-howell-example", "- 4D 3D", "- 3D 4D", 16, "trick 2 goes C, B, D, A"),
        ("fos-howell-example", "dealer: D", "dealer: E", 8, "dealer names E, who is not at the table"),
        ("fos-howell-example", "  D: 9S", "  E: 9S", 13, "hands names E, who is not at the table"),
        ("fos-jack", "A: 13, B: 0", "A: 12, B: 0", 9, "12 hearts are taken"),
        ("fos-jack", "net: {A: -13", "net: {A: -12", 12, "by FOS the players have -12 together, and the pool +13"),
        ("fos-jack", "seats:", "seat:", 7, "the entry seat is unknown here"),
    ],
)
def test_a_faulty_record_is_told_with_its_line(
    say: Say, tmp_path: Path, deal: str, wrong: str, right: str, line: int, what: str
) -> None:
    words = (HEARTS / "FOS" / "deals" / f"{deal}.yaml").read_text("utf-8")
    assert wrong in words
    (tmp_path / "deal.yaml").write_text(words.replace(wrong, right, 1), encoding="utf-8")
    told = say("run", str(tmp_path / "deal.yaml"), code=1)
    assert re.search(rf"deal\.yaml:{line}:\d+: {re.escape(what)}", told)


def test_a_check_imports_none_of_the_games_commands(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hearts_game.commands", raising=False)
    assert "no problems found: 6 sources, 49 questions, 294 clauses, 20 deals" in say("check")
    assert "hearts_game.commands" not in sys.modules


# ---- pages
def test_a_deal_has_a_page_to_which_its_sentences_and_questions_lead(corpus: Corpus) -> None:
    kinds = get_page_kinds(corpus.game)
    pages = {id: kinds["deal"].render(kinds["deal"].view(corpus, id)) for id in kinds["deal"].arguments(corpus)}
    words = " ".join(pages["fos-howell-example"][0].astext().split())
    assert "Foster 1897, Howell's settling" in words and "A puts up three times three, or 9 counters." in words
    places = [node.get("html", {}).get("data-book") for node in pages["fos-howell-example"][0].findall(nodes.inline)]
    assert {place: places.count(place) for place in ("FOS", "FOS-FOS.o01")} == {"FOS": 13, "FOS-FOS.o01": 13}
    listed = kinds["deals"].render(kinds["deals"].view(corpus, ""))
    assert all(deal.title in " ".join(node.astext() for node in listed) for deal in corpus.extras["deals"])
    panels = corpus.game.panels
    assert "fos-jack" in panels["sentence"]["Example deals"].view(corpus, "FOS.s0064")
    assert "kin-everybody-has-a-heart" in panels["question"]["Example deals"].view(corpus, "Q049")
