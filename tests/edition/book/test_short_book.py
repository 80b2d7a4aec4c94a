"""The book that one prints, on invented libraries: its rules, its references, its ledger and its indices."""

from __future__ import annotations

import io
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import accumulate
from pathlib import Path

import pypdf
import pytest
from docutils import nodes
from lxml import etree
from sphinx.addnodes import pending_xref

from edition.book import pdf
from edition.book.nodes import BookContent, build_book_footnote, find_target_homes, get_node_classes
from edition.book.pdf import STANDARD, Unbound, find_fonts, refuse_wrong_pages, render_pdf
from edition.book.printed_book import assemble_short_book
from edition.book.questions import drop_plain_numbers
from edition.book.readers import ON_SITE
from edition.book.typst import Setter
from edition.corpus.corpus import Corpus
from edition.nodes.builders import para
from edition.nodes.components import named_source
from edition.views.plain_answers import source_marks
from reversis.book.deals import build_printed_ledger, choose_deals
from reversis.book.rules import CollatedRule, collate_rules
from reversis.files.extras import get_causes, get_surveys
from reversis.views.surveys.printed_trees import draw_printed_tree
from reversis.words.deal_views import DealView, worked_deal_view
from reversis.words.joint_ledger import build_joint_ledger, list_balances
from rulebook.answers.values import format_canonical
from rulebook.distances import TreeNode
from rulebook.model import Library, Question, Value
from rulebook.phrases import flatten_pieces
from tests.support.library import NINE, corpus_of, write_library, write_nine_sources


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
        said = [siglum for variant in rule.variants for siglum in variant.sigla]
        answered = [one for one in NINE if (cell := nine.cell(one, rule.question.slug)) and cell.value is not None]
        assert sorted(said) == answered, id


def test_sources_that_differ_stand_apart_and_those_for_which_we_speak_are_marked(two: Corpus) -> None:
    rules = rules_of(two)
    payee = [(one.sigla, flatten_pieces(one.said)) for one in rules["Q001"].variants]
    assert [sigla for sigla, _ in payee] == [("AAA",), ("BBB",)] and payee[0][1] != payee[1][1]
    supplied = {siglum for rule in rules.values() for one in rule.variants for siglum in one.supplied}
    ours = {siglum for slug in two.library.questions for siglum in two.library.sources if is_ours(two, siglum, slug)}
    assert supplied == ours


def is_ours(corpus: Corpus, siglum: str, slug: str) -> bool:
    cell = corpus.cell(siglum, slug)
    return bool(cell and cell.value is not None and cell.supplied)


# --- references


def test_every_question_and_every_sentence_has_its_place_in_the_book(nine: Corpus) -> None:
    homes = find_target_homes(assemble_short_book(nine).parts)
    assert {("question", one.id) for one in nine.library.questions.values()} <= set(homes)
    assert {("cell", f"{one.id}@{siglum}") for one in nine.library.questions.values() for siglum in NINE} <= set(homes)
    sentences = {one.id for source in nine.library.sources.values() for one in source.statements}
    assert {("sentence", id) for id in sentences} <= set(homes)


@pytest.mark.slow
def test_the_page_that_a_reference_gives_has_what_it_names(nine: Corpus) -> None:
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render_pdf(assemble_short_book(nine)))).pages]
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


# --- trees


def test_the_trees_of_which_the_book_speaks_are_drawn(short: BookContent, corpus: Corpus) -> None:
    drawn = [one.astext() for part in short.parts for one in part.findall(nodes.raw) if "bk-tree" in one.astext()]
    by_money, by_answers = drawn
    names = {siglum: f">{escape(one.short_name)}</text>" for siglum, one in corpus.library.sources.items()}
    assert all(name in by_answers for name in names.values())
    surveyed = {table.siglum for table in get_surveys(corpus)[-1].tables}
    assert {siglum for siglum, name in names.items() if name in by_money} == surveyed
    assert surveyed == {*names} or get_surveys(corpus)[-1].sources != corpus.library.rules_digest
    assert all(etree.fromstring(one).get("aria-label", "").startswith("Tree of the books.") for one in drawn)


def test_books_that_lie_nearest_are_joined_first_in_the_drawing(short: BookContent, corpus: Corpus) -> None:
    marks = source_marks(corpus)
    first, second, third = list(marks)[:3]
    leaves = {one: TreeNode((one,)) for one in (first, second, third)}
    pair = TreeNode((first, second), 0.05, (leaves[first], leaves[second]))
    tree = TreeNode((first, second, third), 0.2, (pair, leaves[third]))
    lines = etree.fromstring(draw_printed_tree(tree, marks, "so").astext()).findall("{*}line[@class='bk-branch']")
    joints = [float(str(one.get("x1"))) for one in lines if one.get("x1") == one.get("x2")]
    assert len(joints) == 2 and joints[0] > joints[1]  # the leaves are on the right


# --- references, notes and lists


def test_another_reading_that_is_not_in_the_book_is_said_to_be_on_the_site(short: BookContent) -> None:
    homes = find_target_homes(short.parts)
    lost = [
        (one["reftarget"], one.next_node(descend=False, siblings=True))
        for part in short.parts
        for one in part.findall(pending_xref)
        if one["reftype"] == "alternative" and ("alternative", one["reftarget"]) not in homes
    ]
    assert lost and [name for name, after in lost if after is None or after.astext() != ON_SITE] == []


def test_a_comma_parts_the_numbers_of_notes_that_follow_each_other() -> None:
    one, other = build_book_footnote("one"), build_book_footnote("other")
    assert Setter().set(para("word", one, other)).count("note-comma; foot") == 1
    assert "note-comma" not in Setter().set(para("word", one.deepcopy(), " and ", other.deepcopy()))


def test_no_note_to_a_clause_repeats_a_word_and_says_no_more(short: BookContent) -> None:
    (questions,) = (part for part in short.parts if "part-questions" in part["ids"])
    notes = [one.astext() for one in questions.findall(is_note)]
    assert len(notes) > 50 and [words for words in notes if len(words.split()) < 2] == []


def is_note(node: nodes.Node) -> bool:
    return isinstance(node, nodes.inline) and "bk-note" in node["classes"]


def test_the_mark_of_a_page_stays_on_one_line(short: BookContent) -> None:
    marks = [one.astext().rstrip() for part in short.parts for one in part.findall(is_page_mark)]
    assert marks and [words for words in marks if " " in words] == []


def is_page_mark(node: nodes.Node) -> bool:
    return isinstance(node, nodes.inline) and "rv-break" in node["classes"]


def test_no_page_parts_the_rows_of_an_event(corpus: Corpus) -> None:
    for name in choose_deals(corpus, 4):
        view = worked_deal_view(corpus.library, name)
        made = build_printed_ledger(view, ())
        assert sum(made["groups"]) == len(rows_of(made)) - 1
        ends = set(accumulate(made["groups"]))
        assert ends - {len(rows_of(made)) - 1} <= set(accumulate(len(one.rows) for one in build_joint_ledger(view)))
        assert made["groups"][-1] > len([*list_balances(view)])


def test_long_readings_stand_below_each_other(short: BookContent) -> None:
    homes = find_target_homes(short.parts)
    readings = [one for one in homes["question", "Q003"].findall(nodes.paragraph) if "bk-hang" in one["classes"]]
    assert len(readings) > 3 and all(one.astext().count("considered in") <= 1 for one in readings)


def test_the_certainty_at_the_head_of_a_note_is_explained_where_there_is_one(short: BookContent) -> None:
    texts = [one for part in short.parts for one in part.findall(nodes.section) if one["ids"][0].startswith("text-")]
    graded = [one for one in texts if any(note.astext().startswith("Contested.") for note in one.findall(is_note))]
    assert graded == [one for one in texts if "A note begins with the certainty of its rule" in one.astext()]


def test_the_index_of_words_has_no_stumps(short: BookContent) -> None:
    words = {one.astext().partition(" ")[0] for part in short.parts for one in part.findall(nodes.paragraph)}
    assert "carte" in words and not {"jusqu", "lorsqu", "quelqu", "est-à-dire", "between"} & words


def test_a_number_that_is_only_taken_from_the_words_is_no_sum() -> None:
    assert drop_plain_numbers("5 more = 5") == "" == drop_plain_numbers("Ace 4 = 4; King 3 = 3")
    assert drop_plain_numbers("5 for Quinola = 5; control: 5 x 2 = 10") == "control: 5 x 2 = 10"
    assert drop_plain_numbers("un jetton = 5 fiches; 2 (s0027) = 2") == "un jetton = 5 fiches; 2 (s0027) = 2"


def test_a_supplied_answer_says_once_where_it_is_from_and_no_range_that_is_the_whole_text(short: BookContent) -> None:
    words = find_target_homes(short.parts)["cell", "Q005@PIE"].parent.astext()
    assert "taken from PAM (PAM.c005)" in words and "Supplied from" not in words and "Searched" not in words
    (part,) = (one for one in short.parts if "part-reading" in one["ids"])
    assert "silent when the book was read through, as far as it was consulted" in part.astext()


def test_books_that_are_silent_on_a_question_share_a_paragraph(short: BookContent) -> None:
    homes = find_target_homes(short.parts)
    assert homes["cell", "Q195@MEY"].parent is homes["cell", "Q195@PIE"].parent
    assert homes["cell", "Q195@MEY"].parent is not homes["cell", "Q195@PAM"].parent


def test_every_sentence_that_is_named_has_its_page(short: BookContent) -> None:
    parts = [one for one in short.parts if {"part-questions", "part-helps"} & set(one["ids"])]
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


def test_the_amount_of_an_option_leads_to_the_note_that_has_it(short: BookContent) -> None:
    homes = find_target_homes(short.parts)
    (index,) = (one for part in short.parts for one in part.findall(nodes.section) if "index-amounts" in one["ids"])
    places = [(one["reftype"], one["reftarget"]) for one in index.findall(pending_xref)]
    assert len(places) > 50 and [one for one in places if one not in homes] == []
    assert {"question", "sentence", "alternative"} == {kind for kind, _ in places}
    entries = [one for one in index.findall(nodes.paragraph) if one.astext().startswith("4 What sum is agreed")]
    assert [{ref["reftype"] for ref in one.findall(pending_xref)} for one in entries] == [{"alternative"}]


def test_the_condition_of_a_question_is_a_sentence(short: BookContent) -> None:
    heads = [
        one.astext() for part in short.parts for one in part.findall(nodes.paragraph) if "bk-head" in one["classes"]
    ]
    asked = [words for words in heads if "asked only if" in words]
    assert len(asked) > 5
    assert all(re.search(r"asked only if the answer to Q\d+ “[^”]+\?” is (?:not )?“[^”]+”", words) for words in asked)


def test_the_name_of_a_source_begins_without_the_space_behind_its_sign(corpus: Corpus) -> None:
    mark = next(iter(source_marks(corpus).values()))
    assert Setter().set(named_source(mark)).strip("{}") == f'"{mark.name}"'


# --- layout


def place_words(folder: Path, source: str) -> list[list[tuple[float, str]]]:
    """Compile some Typst with the book's style; return the words of each page, each with its distance from the left."""
    typst = pytest.importorskip("typst")
    shutil.copy(Path(pdf.__file__).with_name("book.typ"), folder)
    style = '#import "book.typ": *\n#show: book.with(title: "T", released: "R", version: "V")\n#pagebreak()\n'
    (folder / "main.typ").write_text(style + source, encoding="utf-8")
    made = typst.compile(
        folder / "main.typ", root=folder, font_paths=[find_fonts()], ignore_system_fonts=True, pdf_standards=STANDARD
    )
    pages = pypdf.PdfReader(io.BytesIO(made)).pages[3:]  # behind title, colophon and contents
    return [list_words(page) for page in pages]


def list_words(page: pypdf.PageObject) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []

    def note(words: str, at: Sequence[float], within: Sequence[float], *_: object) -> None:
        if words.strip():
            found.append((at[4] + at[0] * within[4], words.strip()))

    page.extract_text(visitor_text=note)
    return found


def count_in_columns(page: Sequence[tuple[float, str]], words: str) -> list[int]:
    columns: dict[int, int] = defaultdict(int)
    for x, said in page:
        columns[round(x)] += said.startswith(words)
    return [number for _, number in sorted(columns.items()) if number]


@pytest.mark.slow
def test_the_columns_of_an_index_end_together_on_its_last_page(tmp_path: Path) -> None:
    entries = ", ".join(f"(false, [word{at}])" for at in range(250))
    pages = place_words(tmp_path, f"#index-of(((true, [Heading]), {entries}), top: false)")
    first, last = count_in_columns(pages[0], "word"), count_in_columns(pages[-1], "word")
    assert len(pages) == 2 and len(first) == 3 and sum(first) + sum(last) == 250
    assert len(last) == 3 and max(last) - min(last) <= 1


@pytest.mark.slow
def test_a_long_sentence_goes_over_to_the_next_page_and_a_short_one_stays_whole(tmp_path: Path) -> None:
    side = f"[{'lorem ipsum dolor sit amet ' * 20}]"
    row = f'row(([1], {side}, {side}), number: "s1")'
    short = 'row(([1], [x], [x]), number: "s2")'
    long = place_words(tmp_path, f"#v(140mm)\n#facing(({row}, {short}))")
    assert len(long) == 2 and all(any("lorem" in said for _, said in page) for page in long)
    side = f"[{'lorem ipsum dolor sit amet ' * 4}]"
    whole = place_words(tmp_path, f'#v(180mm)\n#facing((row(([1], {side}, {side}), number: "s1"), {short}))')
    assert [any("lorem" in said for _, said in page) for page in whole] == [False, True]
