"""The book that one prints, on invented libraries: its rules, its references, its ledger and its indices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.book.nodes import BookContent, find_target_homes, get_node_classes
from edition.book.pdf import Unbound, refuse_wrong_pages, render_pdf
from edition.book.printed_book import assemble_short_book
from edition.corpus.corpus import Corpus
from reversis.book.deals import build_printed_ledger, choose_deals
from reversis.book.rules import CollatedRule, collate_rules
from reversis.files.extras import get_causes
from reversis.words.deal_views import DealView, worked_deal_view
from rulebook.answers.values import format_canonical
from rulebook.model import Library, Question, Value
from rulebook.phrases import flatten_pieces
from tests.support.books import read_pdf_texts
from tests.support.library import NINE, corpus_of, write_library, write_nine_sources

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(write_library(tmp_path_factory.mktemp("two"), deals=False))


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(write_nine_sources(tmp_path_factory.mktemp("nine")))


@pytest.fixture(scope="module")
def short(corpus: Corpus) -> BookContent:
    """The book of the real sources, before it is typeset."""
    return assemble_short_book(corpus)


def rules_of(corpus: Corpus) -> dict[str, CollatedRule]:
    return {rule.question.id: rule for _, rules in collate_rules(corpus) for rule in rules}


# --- rules


def test_every_answer_of_every_source_stands_in_exactly_one_variant(nine: Corpus) -> None:
    for id, rule in rules_of(nine).items():
        sigla = [siglum for variant in rule.variants for siglum in variant.sigla]
        answered = [one for one in NINE if (cell := nine.cell(one, rule.question.slug)) and cell.value is not None]
        assert sorted(sigla) == answered, id


def test_sources_that_differ_stand_apart_and_those_for_which_we_speak_are_marked(two: Corpus) -> None:
    rules = rules_of(two)
    payee = [(variant.sigla, flatten_pieces(variant.said)) for variant in rules["Q001"].variants]
    assert [sigla for sigla, _ in payee] == [("AAA",), ("BBB",)] and payee[0][1] != payee[1][1]
    supplied = {siglum for rule in rules.values() for variant in rule.variants for siglum in variant.supplied}
    ours = {siglum for slug in two.library.questions for siglum in two.library.sources if is_ours(two, siglum, slug)}
    assert supplied == ours


def is_ours(corpus: Corpus, siglum: str, slug: str) -> bool:
    cell = corpus.cell(siglum, slug)
    return bool(cell and cell.value is not None and cell.supplied)


# --- references


def test_every_question_and_every_sentence_has_its_place_in_the_book(nine: Corpus) -> None:
    homes = find_target_homes(assemble_short_book(nine).parts)
    assert {("question", question.id) for question in nine.library.questions.values()} <= set(homes)
    assert {
        ("cell", f"{question.id}@{siglum}") for question in nine.library.questions.values() for siglum in NINE
    } <= set(homes)
    sentences = {statement.id for source in nine.library.sources.values() for statement in source.statements}
    assert {("sentence", id) for id in sentences} <= set(homes)


def test_the_page_that_a_reference_gives_has_what_it_names(nine: Corpus) -> None:
    pages = read_pdf_texts(render_pdf(assemble_short_book(nine)))
    found = [pair for words in pages for pair in re.findall(r"([snQ]\d+)\W{0,2}›(\d{1,2})(?!\d)", words)]
    assert len(found) > 20
    assert [pair for pair in found if pair[0].lower() not in pages[int(pair[1]) - 1].lower()] == []


def test_a_layout_that_never_settles_is_no_book() -> None:
    refuse_wrong_pages(["unknown font family"])
    with pytest.raises(Unbound, match="converge"):
        refuse_wrong_pages(["document did not converge within five attempts"])


# --- deals


def deal(library: Library, number: int) -> DealView:
    """A deal with so many columns: the first has other sums than the rest, which are alike."""
    view = worked_deal_view(library, "pam-quinola-forced-opposite-last")
    hoy, mey = view.ledger("HOY"), view.ledger("MEY")
    columns = (replace(mey if at else hoy, source=siglum) for at, siglum in enumerate(NINE[:number]))
    return replace(view, ledgers=tuple(columns))


def rows_of(made: nodes.table) -> list[list[str]]:
    return [[cell.astext() for cell in row.findall(nodes.entry)] for row in made.findall(nodes.row)]


def test_the_sources_are_the_columns_of_the_ledger(library: Library) -> None:
    head, *rows = rows_of(build_printed_ledger(deal(library, 3), ()))
    assert head == ["Trick", "Who pays whom", "AAA", "BBB", "CCC", "Questions"]
    assert ["11", "East's quinola is forced: south to west", "6", "10", "10", ""] in rows
    assert ["net", "south", "\u221212", "\u221210", "\u221210", ""] in rows


def test_many_sources_share_a_column_and_stand_together_where_they_agree(library: Library) -> None:
    head, *rows = rows_of(build_printed_ledger(deal(library, 9), ()))
    assert head == ["Trick", "Who pays whom", "Sums", "Questions"]
    assert "6 AAA; 10 BBB CCC DDD EEE FFF GGG HHH III" in [row[2] for row in rows]


def test_the_deals_of_the_book_show_more_differing_questions_than_any_others_chosen_one_by_one(corpus: Corpus) -> None:
    chosen = choose_deals(corpus, 3)
    assert len(set(chosen)) == 3 and get_causes(corpus) is not None
    assert chosen == choose_deals(corpus, 4)[:3]
    shown = {
        name: {slug for one in some for cause in one.causes for slug in cause.questions}
        for name, some in get_causes(corpus).by_deal.items()
    }
    assert len(shown[chosen[0]]) == max(map(len, shown.values()))
    rest = {name: len(some - shown[chosen[0]]) for name, some in shown.items()}
    assert rest[chosen[1]] == max(rest.values())


# --- answers


def test_every_printed_answer_has_its_value(short: BookContent, corpus: Corpus) -> None:
    homes = find_target_homes(short.parts)
    bare = []
    for (siglum, slug), cell in corpus.cells.items():
        if cell and cell.value is not None:
            question = corpus.library.questions[slug]
            printed = read_printed_answer(homes["cell", f"{question.id}@{siglum}"])
            bare += [
                (siglum, question.id, said)
                for said in name_value(question, cell.value)
                if not any(each in printed for each in (said, *IN_WORDS.get(said, ())))
            ]
    assert bare == []


def read_printed_answer(siglum: nodes.Node) -> str:
    """The answer that stands behind the siglum of a source, or in the row of a table."""
    while not isinstance(siglum, nodes.row) and "bk-entry" not in get_node_classes(siglum):
        siglum = siglum.parent
    words = siglum[1].astext() if isinstance(siglum, nodes.row) else siglum.astext().partition("[")[0]
    return letters_of(words)


def letters_of(words: str) -> str:
    return re.sub(r"\W", "", words).lower()


IN_WORDS = {
    "0": ("none", "nothing", "withorwithout"),
    "1": ("once", "first", "last", "nomorethan", "andthequinola"),
    "2": ("twice", "second", "lastbutone"),
    "3": ("third",),
}


def name_value(question: Question, value: Value) -> Iterator[str]:
    """What has to be printed of an answer: the words of a reading, and every number."""
    if isinstance(value, str) and value in question.readings:
        yield letters_of(question.readings[value])
    else:
        yield from re.findall(r"\d+", re.sub(r"\b[TQJKA\d]+(?=[SHDC]\b)", "", format_canonical(value)))


# --- references, notes and lists


def test_every_sentence_that_is_named_has_its_page(short: BookContent) -> None:
    parts = [part for part in short.parts if {"part-questions", "part-helps"} & set(part["ids"])]
    people = {id(one) for part in parts for one in part.findall(nodes.section) if "people" in one["ids"]}
    bare = [
        str(text)
        for part in parts
        for text in part.findall(nodes.Text)
        if re.search(r"\b(?:[A-Z]{3}\.)?(?:s\d{4}|n\d{2})\b", text) and not list_parents(text) & people
        if not any(isinstance(one, pending_xref) for one in walk_up(text))
    ]
    assert [
        words for words in bare if not words.startswith("–")
    ] == []  # the end of a passage, whose beginning leads there


def walk_up(node: nodes.Node) -> Iterator[nodes.Element]:
    while node.parent is not None:
        node = node.parent
        yield node


def list_parents(node: nodes.Node) -> set[int]:
    return set(map(id, walk_up(node)))
