"""What is certain and what is contested, as it is shown: in words, on the deal's page, by `reversis worlds`."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import Formatter

import pytest
from docutils import nodes

from engine.interpretation import worlds as engine_worlds
from engine.interpretation.worlds import possible_worlds
from engine.settlement.payments.rules import RULES
from reversis.files.deals import read_worked
from reversis.views.deals import deal as pages
from reversis.words.certainty import (
    RULE_SUBJECTS,
    SEEN_FROM,
    UPSHOT_WORDINGS,
    PossibleView,
    describe_possible_worlds,
    dump_possible_worlds,
)
from rulebook.model import Library
from rulebook.sources.paths import find_sources
from tests.support import commands
from tests.support.commands import cache
from tests.support.pages import build_corpus
from tests.support.places import DATA

__all__ = ["cache"]  # the fixture, for these tests too
run = partial(commands.run, "worlds")
RECORD = str(DATA / "pam-quinola-forced-opposite-last.yaml")


@pytest.fixture(scope="module")
def found(library: Library) -> Library:
    """The library, with its folder told."""
    return replace(library, root=str(find_sources()))


def view(library: Library, deal: str, source: str, options: bool = False) -> PossibleView:
    record = read_worked(library, deal).deal
    assert record is not None
    return describe_possible_worlds(library, possible_worlds(record, library, source, options), options)


# ---- in words
def test_every_rule_has_a_subject_and_everything_else_a_heading() -> None:
    assert set(RULE_SUBJECTS) == {rule.name for rule in RULES}
    assert set(UPSHOT_WORDINGS) == set(engine_worlds.UPSHOT_SOURCES) >= set(SEEN_FROM)
    fields = {field for words in RULE_SUBJECTS.values() for _, field, _, _ in Formatter().parse(words) if field}
    assert fields == {"who", "card", "then", "fault", "stake"}


def test_a_contested_payment_names_each_rival_that_changes_it_and_the_clause_it_depends_on(found: Library) -> None:
    one = view(found, "reversis-broken-by-two", "PAM")
    assert (
        one.said == "2 decisions of ours bear on this deal, to be taken in 4 ways together: "
        "1 payment is made in all of them, 1 in some only."
    )
    (contest,) = one.contests
    assert (contest.what, contest.ours) == ("The reversis broken", "south to west 64")
    assert [*contest.others] == [("south to east 64; south to west 64", ("PAM.i10",))]
    assert contest.depends == (("PAM.c076",),) and contest.further == ""
    assert [clause for clause, _, _ in one.decisions] == ["PAM.c076"]
    assert one.decisions[0][1] == "Who is paid when a reversis is broken?"
    assert one.net == ("south -64 (from -128 to -64)", "east 0 (from 0 to +64)")


def test_of_a_deal_that_no_rival_touches_a_line_says_so(found: Library) -> None:
    one = view(found, "aca-ace-of-hearts-forced", "PAR")
    assert one.settled and one.said == "No rival interpretation of PAR bears on this deal."
    other = view(found, "aca-ace-of-hearts-forced", "PAR", options=True)
    assert other.said.startswith("1 decision of ours bears on this deal, to be taken in 4 ways:") or other.settled


def test_a_deal_that_only_a_rival_allows_is_told_as_such(found: Library) -> None:
    one = view(found, "quinola-alone-first-trick", "ACA")
    assert one.unsettled == "As we read ACA, the deal may not be played so; only another interpretation settles it."
    assert one.said.endswith("no payment is made in all of them, 20 in some only.")
    assert "from -15 to +6" in one.net[0]


def test_a_deal_that_only_a_rival_forbids_is_told_as_such(found: Library) -> None:
    one = view(found, "five-players-ten-each", "ACA")
    words = "As we read ACA the deal is settled; under another interpretation the deal may not be played so."
    assert one.unsettled == words


# ---- on the page
@pytest.mark.release
def test_every_deal_page_says_by_every_source_what_is_certain(found: Library) -> None:
    listed = [
        type("Row", (), {"id": "reversis-broken-by-two", "title": "", "provenance": "", "cites": (), "intro": ""})
    ]
    corpus = build_corpus(found, extras={"deals": listed})
    (page,) = pages.render_deal_page(pages.deal_view(corpus, "reversis-broken-by-two"))
    (books,) = (one for one in page.findall(nodes.section) if "books" in one["ids"])
    blocks = [
        child for child in books.children if isinstance(child, nodes.Element) and not isinstance(child, nodes.title)
    ]
    assert len(blocks) == len(found.sources)
    by_source = dict(zip(found.sources, blocks, strict=True))
    targets = {one["reftarget"] for one in by_source["PAM"].findall() if "reftarget" in getattr(one, "attributes", {})}
    assert {"PAM.c076", "PAM.i10"} <= targets
    assert "No rival interpretation of PAR bears on this deal." in by_source["PAR"].astext()


# ---- the command
@pytest.mark.slow
def test_worlds_tells_certain_and_contested_payments_with_their_decisions() -> None:
    done = run("espagnolette-unused", "--source", "PAM")
    assert done.exit_code == 0
    for words in ("Certain, however PAM is understood:", "Contested:", "depends on PAM.c021", "PAM.i02: nothing"):
        assert words in done.output


@pytest.mark.slow
def test_worlds_as_json_are_one_line_for_each_deal_and_source(found: Library) -> None:
    done = run("par-quinola-led", RECORD, "-s", "PAR", "-s", "GER", "--format", "json")
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert [(line["deal"], line["source"]) for line in lines] == [
        ("par-quinola-led", "PAR"),
        ("par-quinola-led", "GER"),
        (Path(RECORD).stem, "PAR"),
        (Path(RECORD).stem, "GER"),
    ]
    record = read_worked(found, "par-quinola-led").deal
    assert record is not None
    told = dump_possible_worlds(possible_worlds(record, found, "PAR"), found.sources["PAR"].unit, False)
    assert lines[0] == json.loads(json.dumps(told))
    owed = [one for one in lines[0]["postings"] if (one["from"], one["trick"]) == ("east", 11)]
    assert [(one["certain"], one["depends"], one["holds"]) for one in owed] == [
        (False, [["PAR.c026"]], [{"PAR.c026": ["PAR.c026.preferred"]}])
    ]


@pytest.mark.slow
def test_worlds_with_options_try_what_the_source_offers() -> None:
    assert "PAR.o01" not in run("par-quinola-led", "-s", "par").output
    assert "PAR.o01 or PAR.o02" in run("par-quinola-led", "-s", "par", "--options").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Missing argument"),
        (["pam-quinola-placd"], "Did you mean pam-quinola-placed?"),
        ([RECORD, "-s", "PAN"], "No source 'PAN'"),
        ([RECORD, "-f", "html"], "Invalid value"),
    ],
)
def test_who_mistypes_worlds_gets_one_message_and_a_way_out(words: list[str], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2 and told in done.output


def test_worlds_of_a_faulty_record_are_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "faulty.json"
    path.write_text('{"deal": "faulty"}', encoding="utf-8")
    done = run(str(path), "-s", "PAM")
    assert done.exit_code == 1 and "faulty.json" in done.output
