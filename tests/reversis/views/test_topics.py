"""Topic pages: what all agree on, the money in every book, one page for each question of a player, nine sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from docutils import nodes
from sphinx import addnodes

from edition.citation.places import find_places, topic_page, topic_slug
from edition.corpus.corpus import Corpus
from edition.site.stubs import generate_stub_pages
from edition.views.common import find_testimony, group_questions
from edition.views.topics.render import render_topic
from edition.views.topics.topic import (
    TopicAnswer,
    TopicView,
    list_topic_questions,
    topic_view,
    topics_view,
)
from reversis.findings.situations import list_situations
from reversis.views.panels.topic import collect_event_tables
from reversis.views.topics.payments import AmountCell, EventTable, PaymentBlock
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.model import Library
from rulebook.sources.rule_sentences import TELLING_FILE, read_telling
from tests.support.library import NEARLY_SILENT, NINE, corpus_of, opened, write_library, write_nine_sources

pytestmark = pytest.mark.slow

READER_QUESTIONS = Path(__file__).parents[3] / "docs" / "tried.md"
QUINOLA = "the-quinola"


@pytest.fixture(scope="module")
def pages(corpus: Corpus) -> Mapping[str, TopicView]:
    return {slug: topic_view(corpus, slug) for slug in map(topic_slug, group_questions(corpus))}


def list_tables(view: TopicView) -> tuple[EventTable, ...]:
    return tuple(table for panel in view.panels for table in panel.record.tables)


def find_table(view: TopicView, title: str) -> EventTable:
    return next(table for table in list_tables(view) if table.title == title)


def find_cells(blocks: tuple[PaymentBlock, ...], way: str, words: str) -> Mapping[str, AmountCell]:
    block = next(one for one in blocks if one.words == way)
    return {cell.source: cell for line in block.lines if line.words == words for cell in line.cells}


def said(cell: AmountCell) -> list[tuple[str, str]]:
    return [(amount.tricks, amount.words) for amount in cell.amounts]


def each_cell(pages: Mapping[str, TopicView]) -> Iterator[AmountCell]:
    tables = (table for view in pages.values() for table in list_tables(view))
    yield from (cell for table in tables for block in table.blocks for line in block.lines for cell in line.cells)


# ---- pages
def test_every_group_has_a_page_to_which_its_links_lead(corpus: Corpus) -> None:
    places, stubs = find_places(corpus), dict(generate_stub_pages(corpus))
    for group in group_questions(corpus):
        assert places["group", group].page == topic_page(group)
        assert f"edition:topic}} {topic_slug(group)}" in stubs[f"{topic_page(group)}.md"]
    with pytest.raises(StopIteration):
        topic_view(corpus, "whist")


def test_every_question_stands_on_its_topic_once_and_has_its_id_there(pages: Mapping[str, TopicView]) -> None:
    for view in pages.values():
        ids = [id for node in render_topic(view)[0].findall(nodes.Element) for id in node["ids"] if id]
        assert len(ids) == len(set(ids))
        assert {question.link.id for question in view.questions} <= set(ids)


# ---- the questions of a player
def list_reader_questions() -> Iterator[tuple[str, list[str]]]:
    """The ten questions with the ids below each; of the ninth, which asks for a comparison, the ace alone."""
    for part in READER_QUESTIONS.read_text("utf-8").split("\n### ")[1:]:
        title, _, rest = part.partition("\n")
        rest = rest.partition("The rest is a comparison")[0]
        ids: list[str] = []
        for first, last in re.findall(r"(Q\d{3})(?: to (Q\d{3}))?", rest):
            numbers = range(int(first[1:]), int((last or first)[1:]) + 1)
            ids += [f"Q{number:03}" for number in numbers]
        yield title, ids


@pytest.mark.parametrize(
    ("title", "ids"), [pytest.param(*question, id=question[0][:30]) for question in list_reader_questions()]
)
def test_each_question_of_a_player_is_answered_on_one_page(corpus: Corpus, title: str, ids: list[str]) -> None:
    pages = {
        group: {question.id for question in list_topic_questions(corpus, group)} for group in group_questions(corpus)
    }
    assert ids, title
    assert [group for group, shown in pages.items() if shown >= set(ids)], f"{title}: no page has {ids}"


def test_quinola_forced_in_the_last_trick_from_opposite(pages: Mapping[str, TopicView]) -> None:
    table = find_table(pages[QUINOLA], "The quinola is forced")
    holder = find_cells(table.blocks, "The player opposite led the suit", "The holder pays whoever led")
    assert said(holder["ACA"]) == said(holder["GER"]) == [("", "4")]
    assert said(holder["PAM"]) == [("", "20"), ("first or last trick", "40")]
    assert said(holder["PAR"]) == [("", "20"), ("last two tricks", "40")]
    others = find_cells(table.blocks, "The player opposite led the suit", "Each other player pays whoever led")
    first = {siglum: said(cell)[0][1] for siglum, cell in others.items()}
    assert first == {"ACA": "1", "GER": "nothing", "HOY": "6", "PAM": "5", "PAR": "5"} | {
        one: "5" for one in ("MEY", "PIE")
    }
    assert (others["GER"].question, others["GER"].status) == ("Q031", "ours")
    pool = find_cells(table.blocks, "The player opposite led the suit", "The holder puts into the pool")
    assert {words for cell in pool.values() for _, words in said(cell)} == {"as much as it holds"}


def test_what_each_other_player_pays_stands_at_single_players_where_books_differ(
    pages: Mapping[str, TopicView],
) -> None:
    table = find_table(pages[QUINOLA], "The quinola is forced")
    (block,) = (one for one in table.blocks if one.words == "A neighbour led the suit")
    assert "Each other player pays whoever led" not in [line.words for line in block.lines]
    opposite = find_cells(table.blocks, block.words, "The player opposite to whoever led pays them")
    assert (said(opposite["ACA"]), said(opposite["PAM"])[0]) == ([("", "1")], ("", "10"))


def test_who_pays_for_the_thrown_quinola_is_told_apart(pages: Mapping[str, TopicView]) -> None:
    table = find_table(pages[QUINOLA], "The quinola is thrown on another suit")
    way = "A neighbour takes the trick"
    taker = find_cells(table.blocks, way, "Whoever takes the trick pays the holder")
    leader = find_cells(table.blocks, way, "Whoever led pays the holder")
    assert (said(taker["GER"]), said(leader["GER"])) == ([("", "nothing")], [("", "2")])
    assert (taker["GER"].question, said(leader["ACA"])) == ("Q029", [("", "nothing")])


BROKEN = "The player opposite or a neighbour breaks it"  # all pay the same, in whatever order it is told


@pytest.mark.parametrize(
    ("line", "sum"),
    [
        ("Whoever plays for the reversis pays whoever breaks the reversis", "64"),
        (
            "Whoever plays for the reversis puts into the pool "
            "(if they had played the jack of hearts before the last tricks)",
            "as much as it holds",
        ),
        ("Whoever plays for the reversis puts into the pool", "nothing"),  # which is MEY's alone
    ],
)
def test_broken_reversis_costs_nothing_by_our_assumption_where_a_book_knows_none(
    pages: Mapping[str, TopicView], line: str, sum: str
) -> None:
    table = find_table(pages["reversis"], "The reversis is broken")
    cells = find_cells(table.blocks, BROKEN, line)
    assert (said(cells["PAM"]), said(cells["PAR"])) == ([("", sum)], [("", sum)])
    for one in (cells["ACA"], cells["GER"]):
        assert (said(one), one.question, one.status) == ([("", "nothing")], "Q076", "ours")
        assert one.amounts[0].note == "in this book a reversis that fails was none"


def test_payment_that_only_one_answer_limits_says_when_it_is_made(pages: Mapping[str, TopicView]) -> None:
    table = find_table(pages[QUINOLA], "The quinola is forced")
    cells = find_cells(table.blocks, "The player opposite led the suit", "Each player puts into the pool")
    assert cells["ACA"].amounts[0].note == "only if nobody has won it"
    assert cells["GER"].amounts[0].note == "in any case"
    assert not cells["PAM"].amounts[0].note


def test_pool_that_a_reversis_draws_only_sometimes_says_when(pages: Mapping[str, TopicView]) -> None:
    table = find_table(pages["reversis"], "The reversis is made")
    cells = find_cells(table.blocks, "", "Whoever plays for the reversis takes from the pool")
    assert (said(cells["ACA"]), said(cells["PAM"])) == ([("", "all that it holds")], [("", "nothing")])
    assert cells["PAM"].amounts[0].note == "except after playing the quinola early"
    assert not cells["ACA"].amounts[0].note


def test_sums_of_example_deals_are_folded_and_called_so(pages: Mapping[str, TopicView]) -> None:
    page = render_topic(pages["partie-or-talon"])[0]
    (folded,) = (node for node in page.findall(nodes.Element) if "a-hand-is-won" in node["ids"])
    assert not isinstance(folded, nodes.section)
    assert "sums of the example deals" in folded.astext()


# ---- in short
def find_short(view: TopicView, asks: str) -> Mapping[str, list[tuple[str, str]]]:
    (row,) = (one for one in view.short if one.asks == asks)
    return {cell[0].siglum: [(one.words, one.status) for one in cell if not one.missing] for cell in row.cells}


def test_short_table_answers_what_is_put_into_the_pool_and_when(pages: Mapping[str, TopicView]) -> None:
    view = pages["the-stake"]
    assert find_short(view, "Each player puts in before the first hand") == {
        "ACA": [("2 jetons", "ours")],
        "GER": [("2 Marquen", "ours")],
        "HOY": [("6 fish", "")],
        "MEY": [("10 Points", "ours")],
        "PAM": [("10 fiches", "")],
        "PAR": [("5 fish", "")],
        "PIE": [("2 Marken", "")],
    }
    again = find_short(view, "Everybody puts in again for the jack of hearts: when")
    forced = "when the jack of hearts was forced, or lay in the talon"
    assert again["ACA"] == [(forced, "doubtful"), ("only if nobody has won the pool", "")]
    assert again["GER"] == [(forced, ""), ("even if the pool was won", "follows")]
    assert again["PAR"] == [("never", "ours")]
    assert find_short(view, "Together in the pool for the first hand")["ACA"] == []


def test_short_table_stands_first_with_every_answer_leading_to_its_cell(
    corpus: Corpus, pages: Mapping[str, TopicView]
) -> None:
    places = find_places(corpus)
    for group, topic in corpus.telling.topics.items():
        view = pages[topic_slug(group)]
        assert [row.asks for row in view.short] == [row.asks for row in topic.table]
        shown = {question.link.id for question in view.questions}
        for row in view.short:
            assert set(row.questions) <= shown
            for cell in row.cells:
                assert all(("cell", f"{one.question}@{one.siglum}") in places for one in cell)
        parts = [node["ids"][0] for node in render_topic(view)[0].children if isinstance(node, nodes.section)]
        assert (parts[0] == "short") == bool(topic.table)


def test_loss_of_all_payments_for_a_revoke_is_told(pages: Mapping[str, TopicView]) -> None:
    lost = find_short(pages["irregularities"], "Not following suit: what else is lost")
    assert lost["PAM"] == [("all that the player would be paid in that deal", "")]
    assert lost["ACA"] == [("nothing", "ours")]


def test_reversis_not_finished_is_none_where_only_all_the_tricks_are_one(pages: Mapping[str, TopicView]) -> None:
    """A book without the word "undertaken": nobody pays a fine, and the hand goes on being one like any other."""
    broken = find_short(pages["reversis"], "If it is broken, the player who tried pays")
    for siglum in ("ACA", "GER"):
        assert broken[siglum] == [
            ("no penalty", "ours"),
            ("one trick short, it was no reversis: the hand is settled as usual, cards and partie", "follows"),
        ]
    assert broken["PAM"][0] == ("64 fiches", "")


def test_payments_are_given_back_only_for_all_the_tricks_where_none_less_is_undertaken(
    pages: Mapping[str, TopicView],
) -> None:
    back = find_short(pages["reversis"], "Payments for aces and the jack of hearts that are given back")
    assert back["ACA"][0] == back["GER"][0] == ("only if the reversis is made:", "follows")
    assert back["PAM"][0] == back["PAR"][0] == ("once it is undertaken, whether made or broken:", "")


def test_pool_after_the_quinola_was_discarded_goes_by_tricks_or_stays(pages: Mapping[str, TopicView]) -> None:
    """GER s0035: whoever has fewest tricks without ace, king or queen wins "den ganzen Satz"; elsewhere nobody does."""
    pool = find_short(pages[QUINOLA], "Discarded before play: the pool that is there already")
    by_tricks = "all of it is won by tricks: fewest tricks, then no A, K, Q at all, then best place"
    assert pool["GER"] == [(by_tricks, "doubtful"), ("unless a reversis wins it", "doubtful")]
    assert pool["ACA"] == [("stays for the next hand", "follows"), ("unless a reversis wins it", "")]
    assert pool["PAM"] == [("stays for the next hand", "follows"), ("and the dealer adds 5 fiches", "")]
    assert pool["PAR"] == [("stays for the next hand", "follows"), ("and the dealer adds 5 fish", "")]


def test_quinola_may_be_discarded_where_it_is_the_only_heart_or_any_card_may(pages: Mapping[str, TopicView]) -> None:
    may = find_short(pages[QUINOLA], "May you discard it before play")
    exception = ("king or queen as only heart, quinola as only heart", "doubtful")
    assert may["ACA"] == [("no heart may be discarded, except:", ""), exception]
    assert may["PAM"] == [("yes, like any other card", "ours")]


def test_books_that_do_not_say_what_follows_an_empty_pool_stand_in_its_row(pages: Mapping[str, TopicView]) -> None:
    empty = find_short(pages["the-stake"], "The pool was won and is empty: everybody puts in again")
    assert empty["ACA"] == empty["GER"] == []
    assert empty["PAR"] == [("when nothing is left", "")]
    row = find_part(pages["the-stake"], "short").astext()
    assert row.count("says nothing") and row.count(NOT_CONSULTED) >= 2


def test_silence_in_the_table_leads_to_where_the_book_was_searched(
    corpus: Corpus, pages: Mapping[str, TopicView]
) -> None:
    links = [
        node["reftarget"]
        for node in find_part(pages["the-stake"], "short").findall(addnodes.pending_xref)
        if node.astext() in ("says nothing", NOT_CONSULTED)
    ]
    assert {"Q171@ACA", "Q171@GER"} <= set(links)


def test_leader_pays_half_of_his_own_points_and_the_loser_the_other_half(pages: Mapping[str, TopicView]) -> None:
    """GER s0039: the points of whoever led first, not those of the whole, are halved."""
    pays = find_short(pages["partie-or-talon"], "Paid besides for the points of whoever led first")["GER"]
    assert pays[-1] == (
        "if that is a third player, all of them: half by that player, half by the loser",
        "doubtful",
    )
    (asked,) = (question for question in pages["partie-or-talon"].questions if question.link.id == "Q067")
    assert [answer.words for answer in asked.answers if "GER" in {v.source.siglum for v in answer.voices}] == [
        "half of the leader’s own points"
    ]


def test_mark_of_doubt_says_which_other_reading_there_is(pages: Mapping[str, TopicView]) -> None:
    """ACA s0010 goes by tricks, s0013 by points: the second stands at the mark of the first, and under the answer."""
    view = pages["partie-or-talon"]
    (row,) = (one for one in view.short if one.asks == "Who wins the hand")
    (answer,) = next(cell for cell in row.cells if cell[0].siglum == "ACA")
    assert "or: fewest points, then no tricks if possible, then best place" in answer.other
    page = render_topic(view)[0]
    titles = [node["html"]["title"] for node in page.findall(nodes.inline) if "title" in node.get("html", {})]
    assert any(title.endswith(answer.other) for title in titles)
    (box,) = (node for node in page.findall(nodes.Element) if "Q057" in node["ids"])
    assert "could also mean: " in box.astext() and "fewest points, then no tricks if possible" in box.astext()


def test_sums_left_to_agreement_are_marked_alike_in_table_payments_and_rules(pages: Mapping[str, TopicView]) -> None:
    view = pages[QUINOLA]
    amount = find_short(view, "Thrown on another suit: how much")
    assert amount["ACA"] == [("2 jetons", "agreed")] and amount["GER"] == [("2 Marquen", "agreed")]
    assert amount["PAM"] == [("5 fiches", "")]
    assert find_short(view, "Forced: you pay")["ACA"] == [("4 jetons", "doubtful agreed")]
    table = find_table(view, "The quinola is thrown on another suit")
    paid = find_cells(table.blocks, "A neighbour takes the trick", "Whoever takes the trick pays the holder")
    assert paid["ACA"].status == "agreed"
    assert find_short(pages["irregularities"], "Not following suit (a revoke): the fine")["ACA"][0][1] == "agreed"


# ---- all tables
def test_every_cell_has_amounts_or_says_why_not(pages: Mapping[str, TopicView]) -> None:
    cells = list(each_cell(pages))
    assert len(cells) > 300
    for cell in cells:
        assert bool(cell.amounts) != bool(cell.unknown), cell


def test_every_cell_leads_to_an_answer_or_a_clause_that_is_there(
    corpus: Corpus, pages: Mapping[str, TopicView]
) -> None:
    places = find_places(corpus)
    cells = [cell for cell in each_cell(pages) if cell.amounts]
    for cell in cells:
        assert ("cell", f"{cell.question}@{cell.source}") in places, cell
    assert all(("clause", cell.clause) in places for cell in each_cell(pages) if cell.clause)


def test_no_way_and_no_payment_stands_twice_in_a_table(pages: Mapping[str, TopicView]) -> None:
    for view in pages.values():
        for table in list_tables(view):
            assert len({one.words for one in table.blocks}) == len(table.blocks), table.title
            for block in table.blocks:
                assert len({line.words for line in block.lines}) == len(block.lines), (table.title, block.words)


def test_every_situation_has_its_event(library: Library, pages: Mapping[str, TopicView]) -> None:
    assert all(situation.event for situation in list_situations(library))
    shown = {table.title for view in pages.values() for table in list_tables(view)}
    assert shown == {situation.event for situation in list_situations(library)}


# ---- agreement
def test_only_books_that_speak_count_as_agreeing(corpus: Corpus, pages: Mapping[str, TopicView]) -> None:
    for view in pages.values():
        for one in view.select("agree"):
            (answer,) = one.answers
            slug = corpus.library.question(one.link.id).slug
            said = {voice.source.siglum: find_testimony(corpus, voice.source.siglum, slug) for voice in answer.voices}
            assert len(said) > 1 and all(said.values()) and len(set(said.values())) == 1, one.link.id


def test_each_doubtful_reading_of_what_is_agreed_has_its_mark(pages: Mapping[str, TopicView]) -> None:
    for view in pages.values():
        agreed = view.select("agree")
        items = [*find_part(view, "agreed").findall(nodes.list_item)] if agreed else []
        for one in agreed:
            (item,) = (node for node in items if one.link.id in node["ids"])
            marks = [n for n in item.findall(nodes.inline) if "rv-status" in n["classes"]]
            (answer,) = one.answers
            assert len(marks) == count_marks(answer), one.link.id


def count_marks(answer: TopicAnswer) -> int:
    """Marks that an answer should have: those that its books share once, others at each."""
    return sum(len(one.split()) for one in ((answer.status,) if answer.status else answer.statuses))


def find_part(view: TopicView, id: str) -> nodes.section:
    return next(node for node in render_topic(view)[0].findall(nodes.section) if id in node["ids"])


def test_an_assumption_beside_the_word_of_a_book_is_marked(pages: Mapping[str, TopicView]) -> None:
    (one,) = (each for each in pages[QUINOLA].questions if each.link.id == "Q031")
    assumed = [answer for answer in one.answers if any(voice.assumed for voice in answer.voices)]
    assert "nothing" in [answer.words for answer in assumed]
    text = render_topic(pages[QUINOLA])[0].astext()
    assert "our assumption" in text


# ---- other libraries
def test_nine_sources_have_topics_and_the_silent_have_no_voice(tmp_path: Path) -> None:
    corpus = corpus_of(write_nine_sources(tmp_path / "sources"))
    assert not collect_event_tables(corpus)
    (entry,) = topics_view(corpus)
    view = topic_view(corpus, topic_slug(entry.topic.group))
    assert [mark.siglum for mark in view.sources] == list(NINE)
    for one in view.select("agree"):
        assert not {voice.source.siglum for answer in one.answers for voice in answer.voices} & set(NEARLY_SILENT)
    for question in view.questions:
        answering = [voice.source.siglum for answer in question.answers for voice in answer.voices]
        quiet = [mark.siglum for mark in (*question.silent, *question.without)]
        assert sorted((*answering, *quiet)) == sorted(NINE)
    text = render_topic(view)[0].astext()
    assert all(mark.name in text for mark in view.sources)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("The tol: {title: The toll, says: All of it.}", "no question has the group The tol"),
        ("The toll: {title: ' ', says: All of it.}", "is blank"),
        ("The toll: {title: The toll, says: All., also: [Q999]}", "Q999"),
        ("The toll: {title: The toll, says: All., also: [Q002]}", "Q002 is shown there already"),
        ("The toll: {title: T, says: All., table: [{asks: ' ', answers: {Q002: {}}}]}", "has no words, or no answers"),
        ("The toll: {title: T, says: All., table: [{asks: What, answers: {}}]}", "has no words, or no answers"),
        ("The toll: {title: T, says: All., table: [{asks: What, answers: {Q999: {}}}]}", "Q999"),
        ("The toll: {title: T, says: All., table: [{asks: W, answers: {Q002: {says: '{sum}'}}}]}", "called {sum}"),
        ("The toll: {title: T, says: All., table: [{asks: W, answers: {Q002: {readings: {x y: N}}}}]}", "Q002: "),
    ],
)
def test_faults_of_topics_are_reported(tmp_path: Path, entry: str, fault: str) -> None:
    root = write_library(tmp_path / "sources", deals=False)
    (root / TELLING_FILE).write_text(f"topics:\n  {entry}\n", "utf-8")
    _, problems = read_telling(root, opened(root), ())
    assert [fault in str(problem) for problem in problems] == [True]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("{by: Q999, sums: {}}", "Q999"),
        ("{by: Q182, sums: {thrown-quinola: [Q998]}}", "Q998"),
        ("{by: Q182, sums: {thrown-quinolla: [Q035]}}", "no answer to Q182 has a part thrown-quinolla"),
    ],
)
def test_faults_of_sums_left_to_the_players_are_reported(
    tmp_path: Path, library: Library, entry: str, fault: str
) -> None:
    (tmp_path / TELLING_FILE).write_text(f"agreed: {entry}\n", "utf-8")
    _, (problem,) = read_telling(tmp_path, library, ())
    assert fault in str(problem)


def test_row_of_a_question_that_the_topic_does_not_show_is_a_fault(tmp_path: Path, library: Library) -> None:
    row = "{asks: How many, answers: {Q001: {}}}"
    (tmp_path / TELLING_FILE).write_text(f"topics:\n  Aces: {{title: T, says: All., table: [{row}]}}\n", "utf-8")
    _, (problem,) = read_telling(tmp_path, library, ())
    assert "Q001 is not shown on this page" in str(problem)
