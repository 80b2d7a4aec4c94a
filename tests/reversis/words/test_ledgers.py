"""A settled deal as it is shown: the same figures and clauses whoever shows it, and nothing paid without a clause."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import CliRunner
from lxml import html

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.settlement.ledger import Entry, Money, Posting
from engine.settlement.result_json import result
from engine.settlement.settle import Partie, Settled, Summary, Unanswered, settle
from reversis.cli.main import cli
from reversis.files.deals import (
    check_deal_references,
    compare_expectations,
    read_deal_file,
    read_json_deal,
    readable_deals,
    sigla_of,
)
from reversis.words.deal_views import (
    DealView,
    resolve_rulesets,
    view_deal,
    worked_deal_view,
)
from reversis.words.events import ENTRY_PHRASES, describe_entry, describe_outcome
from rulebook.cited_clauses import view_cited_clause
from rulebook.model import Library
from rulebook.resolve import drop_answer, resolve
from tests.support.places import DATA
from tests.support.settling import SILENCE_HAS_A_MEANING

INTERFACES = DATA / "pam-quinola-forced-opposite-last.yaml"

#: postings with the clauses that they rest on, entry by entry, for each deal and ruleset
Rests: TypeAlias = dict[tuple[str, str], list[tuple[list[tuple[str, str, int]], list[str]]]]


@pytest.fixture(scope="module")
def deal() -> Deal:
    read = read_deal_file(INTERFACES).deal
    assert read is not None
    return read


@pytest.fixture(scope="module")
def view(library: Library, deal: Deal) -> DealView:
    return view_deal(library, deal, resolve_rulesets(library))


# ---- the record and the result printed in interfaces.md
@pytest.mark.slow
def test_the_record_of_the_interfaces_comes_out_figure_by_figure(library: Library, deal: Deal) -> None:
    found: Any = result(settle(deal, resolve(library, "PAM")), library.digest)
    assert found["schema"] == 1
    assert (found["deal"], found["source"], found["ruleset"]) == ("pam-quinola-forced-opposite-last", "PAM", "PAM")
    assert found["unit"] == "fiche"
    assert found["net"] == {"south": -10, "east": -58, "north": -10, "west": 18, "pool": 60}
    assert found["pool"] == {"stake": 120, "waiting": []}
    assert found["outcome"] == {
        "reversis": None,
        "espagnolette": None,
        "partie": {"winner": "east", "losers": ["west"], "value": 21},
        "next_dealer": "south",
    }
    assert set(found["receipt"]) == {"version", "sources", "deal"}


# ---- the view


def test_a_quotation_is_the_sources_and_a_paraphrase_ours(view: DealView) -> None:
    own = view.ledger("PAM").clause("PAM.c031")
    assert (own.kind, own.lang, own.words) == ("quotation", "fr", "il touche un jetton de chaque joueur")
    assert own.marked == own.quoted == "“il touche un jetton de chaque joueur”"
    ours = view.ledger("PAR").clauses[0]
    assert (ours.kind, ours.lang) == ("paraphrase", "en") and ours.marked.startswith("(")
    supplied = next(c for c in view.ledger("PAM").clauses if c.status == "silent")
    assert supplied.kind == "supplied" and supplied.words.startswith("silent; supplied from")


def test_what_a_record_expects_is_told(view: DealView) -> None:
    expectation = view.ledger("PAM").expectation
    assert expectation is not None and expectation.met and len(expectation.figures) == 7
    assert expectation.reasoning.startswith("east holds, west leads")
    assert view.ledger("PAR").expectation is None


def test_a_figure_that_does_not_come_out_is_named() -> None:
    expected = {"net": {"south": 3, "pool": 1}, "pool": {"waiting": [60]}, "reasoning": "so it is"}
    found = {"net": {"south": 3, "pool": 2}, "pool": {"stake": 0, "waiting": [60]}}
    assert [(f.what, f.expected, f.found) for f in compare_expectations(expected, found) if not f.met] == [
        ("net pool", "1", "2")
    ]


def test_of_a_refusal_only_what_is_expected_is_compared() -> None:
    found = {"refused": [{"trick": 1, "card": "7C", "legal": ["5H"], "message": "..."}]}
    assert all(f.met for f in compare_expectations({"refused": [{"card": "7C", "legal": ["5H"]}]}, found))
    missing = compare_expectations({"net": {"south": 1}}, found)
    assert [(f.what, f.found, f.met) for f in missing] == [("net", "not there", False)]
    assert not any(f.met for f in compare_expectations({"refused": [{"card": "7C"}, {"card": "8C"}]}, found))


def test_a_hybrid_is_held_to_no_expectation(library: Library, deal: Deal) -> None:
    from rulebook.resolve import read_choice

    hybrid = resolve(library, "PAM", [read_choice(library, "Q031=3")])
    ledger = view_deal(library, deal, [hybrid]).ledgers[0]
    assert ledger.hybrid and ledger.expectation is None
    assert ledger.entries[0].chosen == ("Q031=3",)


def test_a_silence_is_told_as_one(library: Library, deal: Deal) -> None:
    ledger = view_deal(library, deal, [drop_answer(resolve(library, "PAM"), "quinola.forced.amount")]).ledgers[0]
    assert ledger.state == "silent" and ledger.silence is not None
    assert (ledger.silence.question, ledger.said) == ("Q032", ledger.silence.message)
    assert ledger.said.startswith("Silent: PAM is silent on quinola.forced.amount")
    mute = view_deal(library, deal, [drop_answer(resolve(library, "PAM"), "cards.order")])
    assert mute.ledgers[0].takers == () and mute.tricks[0].taker == ""


# ---- the worked deals


@pytest.fixture(scope="module")
def views(library: Library) -> tuple[DealView, ...]:
    return tuple(worked_deal_view(library, deal.id) for deal in readable_deals(library))


@pytest.mark.release
def test_without_any_one_cited_answer_the_engine_is_silent(library: Library) -> None:
    coding = {q.slug: q.coding for q in library.questions.values()}
    assert all("Silence:" in coding[slug] for slug in SILENCE_HAS_A_MEANING)
    rules = resolve_rulesets(library)
    for read in (read_deal_file(Path(library.root) / path).deal for path in library.deals):
        assert read is not None
        for settled in (s for s in (settle(read, r) for r in rules) if isinstance(s, Settled)):
            for question in dict.fromkeys(q for e in settled.entries for q in e.asked):
                mute = settle(read, drop_answer(settled.ruleset, question))
                if question in SILENCE_HAS_A_MEANING:
                    asked = [q for e in mute.entries for q in e.asked] if isinstance(mute, Settled) else []
                    assert question not in asked
                else:
                    assert isinstance(mute, Unanswered), f"{read.id} {settled.ruleset.name} {question}"
                    assert mute.silent.question == question


# ---- text, data and page carry the same clauses
def output(deals: list[str], form: str) -> str:
    run = CliRunner().invoke(cli, ["run", *deals, "--format", form])
    assert run.exit_code == 0, run.output
    return run.stdout


def of_json(deals: list[str]) -> Rests:
    found: Rests = {}
    for line in output(deals, "json").splitlines():
        one = json.loads(line)
        entries = found[one["deal"], one["ruleset"]] = []
        for e in one.get("entries", ()):
            entries.append(([(p["from"], p["to"], p["amount"]) for p in e["postings"]], e["clauses"]))
        entries += [([], refusal["clauses"]) for refusal in one.get("refused", ())]
    return found


def of_html(deals: list[str]) -> Rests:
    found: Rests = {}
    for section in html.fromstring(output(deals, "html")).iterfind(".//section[@data-deal]"):
        entries = found[section.get("data-deal", ""), section.get("data-ruleset", "")] = []
        for e in section.xpath(".//*[@data-entry or @data-refusal]"):
            paid = [
                (p.get("data-from"), p.get("data-to"), int(p.get("data-amount"))) for p in e.xpath(".//*[@data-from]")
            ]
            entries.append((paid, [c.get("data-clause") for c in e.xpath(".//*[@data-clause]")]))
    return found


POSTING = re.compile(r"\s+(\S+) to (\S+): (\d+)\s*$")
CITED = re.compile(r"([A-Z]{2,6}\.c\d+) ")


def of_text(deals: list[str], views: tuple[DealView, ...]) -> Rests:
    """Read the tables as a reader would: the column under `which clauses say so` begins where its heading does."""
    ids, headings = {v.id for v in views}, {g.ruleset: f"{g.ruleset}  {g.title}" for g in views[0].ledgers}
    found: Rests = {}
    deal, entries, column, open_ = "", None, 0, False
    sources = [word for siglum in headings for word in ("--source", siglum)]
    run = CliRunner().invoke(cli, ["run", *deals, *sources])  # refused by one that is named: exit code 1
    for line in run.stdout.splitlines():
        if line.split("  ")[0] in ids:
            deal, column = line.split("  ")[0], 0
        for ruleset, heading in headings.items():
            if line.startswith(heading):
                entries, column = found.setdefault((deal, ruleset), []), 0
        if "which clauses say so" in line:
            column, open_ = line.index("which clauses say so"), False
        elif line.startswith(("pool: ", "as the", "NOT")):
            column = 0
        elif column and entries is not None:
            open_ = read_row(line, column, entries, open_)
    return found


def read_row(line: str, column: int, entries: list[tuple[list[tuple[str, str, int]], list[str]]], open_: bool) -> bool:
    """One line of a table; whether the entry goes on in the next."""
    if not line.strip() or set(line.strip()) == {"─"}:
        return False
    if not open_:
        entries.append(([], []))
    if paid := POSTING.match(line[:column]):
        entries[-1][0].append((paid[1], paid[2], int(paid[3])))
    if cited := CITED.match(line[column:]):
        entries[-1][1].append(cited[1])
    return True


@pytest.mark.release
def test_text_data_and_page_carry_the_same_clauses(views: tuple[DealView, ...]) -> None:
    deals = [view.id for view in views]
    data = of_json(deals)
    assert len(data) == sum(len(view.ledgers) for view in views)
    assert of_html(deals) == data
    assert of_text(deals, views) == data


def test_a_page_asks_nobody_for_anything(deal: Deal) -> None:
    text = output([deal.id], "html")
    page = html.fromstring(text)
    assert not page.xpath("//script | //link | //img | //@src")
    targets, ids = page.xpath("//@href"), page.xpath("//@id")
    assert targets and {t.removeprefix("#") for t in targets} <= set(ids) and len(ids) == len(set(ids))
    assert "url(" not in text and "@import" not in text


# ---- words
def fact(**what: Any) -> Fact:
    return Fact(**{"kind": "quinola", "seats": 4, "dealer": 3, "eldest": 0, "last": 11, "player": 1} | what)


@pytest.mark.parametrize("rule", ENTRY_PHRASES)
@pytest.mark.parametrize("postings", [(), (Posting(1, 3, Money(5)), Posting("pool", 3, Money(1)))])
def test_every_rule_can_be_said_with_and_without_a_payment(rule: str, postings: tuple[Posting, ...]) -> None:
    said = describe_entry(
        Entry(rule, fact(trick=3), "quinola-forced", postings, ()), ("south", "east", "north", "west")
    )
    assert re.fullmatch(r"(Trick 3|At the end|Before the play): [a-z].*[a-z0-9]", said)
    assert "  " not in said and ",," not in said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            Entry(
                "thrown-off",
                fact(kind="ace", card=12, trick=3, manner="thrown-off"),
                "ace-thrown-off",
                (Posting(2, 1, Money(5)),),
                (),
            ),
            "Trick 3: east throws off the ace of spades, and north pays for it",
        ),
        (
            Entry("led", fact(trick=2, manner="led"), "quinola-led", (), ()),
            "Trick 2: east leads the quinola, and nothing is owed for it",
        ),
        (
            Entry("matches-stake", fact(trick=2), "quinola-put", (Posting(1, "pool", Money(60)),), ()),
            "Trick 2: east's quinola is put on its own suit: east puts in as much as the stake",
        ),
        (
            Entry("forced-returned", fact(trick=2), "quinola-forced", (Posting(3, 1, Money(60)),), ()),
            "At the end: because of the reversis, what was paid for east's quinola, forced in trick 2, is given back",
        ),
        (
            Entry("reversis-made", fact(kind="seat"), "reversis-made", (Posting(2, 3, Money(60)),), ()),
            "At the end: west has made the reversis: north pays in east's place",
        ),
        (
            Entry("fine", fact(kind="fault", trick=4, manner="revoke"), "revoke", (Posting(1, "pool", Money(9)),), ()),
            "Trick 4: east revokes: a fine to the pool",
        ),
    ],
)
def test_an_entry_in_words(entry: Entry, said: str) -> None:
    assert describe_entry(entry, ("south", "east", "north", "west")) == said


SEATS = ("south", "east", "north", "west")


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        (Summary(None, None, None, None), ()),
        (Summary(None, None, None, 1), ("nobody wins the partie, or talon", "east deals next")),
        (
            Summary((0, True, ()), (2, False), None, 1),
            (
                "south makes the reversis",
                "north loses the espagnolette",
                "nobody wins the partie, or talon",
                "east deals next",
            ),
        ),
        (
            Summary((0, False, (1, 2)), None, Partie(3, (0, 1), 7), 1),
            (
                "south undertakes the reversis; it is broken by east and north",
                "west wins the partie, or talon, worth 7; south and east lose it",
                "east deals next",
            ),
        ),
    ],
)
def test_the_outcome_in_words(summary: Summary, said: tuple[str, ...]) -> None:
    assert describe_outcome(summary, SEATS) == said


# ---- records
def test_a_json_record_is_read_like_a_yaml_record(deal: Deal) -> None:
    from engine.deal.writer import write_deal

    assert read_json_deal(json.dumps(write_deal(deal)), "x").deal == deal


@pytest.mark.parametrize(
    ("letters", "what"),
    [
        ("{", "cannot be read as JSON"),
        ('{"deal": 1, "deal": 2}', "'deal' is given twice"),
        ('{"pack": NaN}', "NaN is no number"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"seats": ["a", "b", "c", "d"], "dealer": "x"}', "dealer: no seat 'x'"),
        (b"\xff\xfe{", "cannot be read as JSON"),
    ],
)
def test_what_is_no_record_is_told_with_its_line(letters: str | bytes, what: str) -> None:
    record = read_json_deal(letters, "<stdin>", 7)
    assert record.deal is None
    assert any(what in p.what and (p.file, p.line) == ("<stdin>", 7) and p.way_out for p in record.problems)


def test_a_worked_deal_must_be_called_like_its_file_and_cite_what_is_there(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(INTERFACES.read_text(encoding="utf-8").replace("PAM.s0071", "PAM.s9999"), encoding="utf-8")
    assert [(p.line, p.what) for p in check_deal_references(library, read_deal_file(path))] == [
        (1, "the deal is called pam-quinola-forced-opposite-last, its file other"),
        (4, "no sentence PAM.s9999"),
    ]


def test_only_what_a_source_makes_of_a_deal_can_be_expected(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    letters = INTERFACES.read_text(encoding="utf-8").replace("    net:", "    nett:")
    path.write_text(letters.replace("\n  PAM:\n", "\n  XYZ: {net: {}}\n  PAM:\n"), encoding="utf-8")
    told = [(p.what, p.way_out) for p in read_deal_file(path, sigla=sigla_of(library)).problems]
    assert told == [
        ("no source XYZ", "known are ACA, GER, HOY, MEY, PAM, PAR, PIE"),
        ("unknown key 'nett'", "did you mean 'net'?"),
    ]


def test_a_clause_without_words_shows_its_reason(library: Library) -> None:
    kinds = {view_cited_clause(library, clause).kind for clause in library.clauses()}
    assert kinds == {"quotation", "paraphrase", "supplied", "reason"}
    assert all(view_cited_clause(library, clause).words for clause in library.clauses())
