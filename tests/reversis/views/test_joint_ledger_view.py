"""The joint ledger on the page of a deal: one table, fetched when it is unfolded, whose columns are the books."""

from __future__ import annotations

from dataclasses import replace

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import markup
from edition.nodes.components import SourceMark
from edition.nodes.deferred import deferred
from edition.views.plain_answers import source_marks
from reversis.views.deals.deal import deal_view, render_deal_page
from reversis.views.deals.joint_ledger import render_joint_ledger
from reversis.words.deal_views import DealView, worked_deal_view
from rulebook.model import Library
from tests.support.library import NINE

FORCED = "pam-quinola-forced-opposite-last"


def rows_of(view: DealView, corpus: Corpus) -> list[list[str]]:
    (fold,) = render_joint_ledger(view, source_marks(corpus))
    return [[" ".join(cell.astext().split()) for cell in row.findall(nodes.entry)] for row in fold.findall(nodes.row)]


def test_the_table_has_the_sums_of_every_book(library: Library, corpus: Corpus) -> None:
    rows = rows_of(worked_deal_view(library, FORCED), corpus)
    assert [cell.split()[-1] for cell in rows[0][2:]] == ["here", "here", "fish", "Points", "fiches", "fish", "Marken"]
    assert rows[1] == ["11", "East's quinola is forced South to West", "–", "–", "6", "10", "10", "10", "10"]
    assert ["", "East to West", "–", "–", "12", "40", "40", "40", "40"] in rows
    assert rows[-5:] == [
        ["Net", "South", "–", "–", "−12", "−10", "−10", "−10", "−10"],
        ["", "East", "–", "–", "−6", "−58", "−58", "−60", "−58"],
        ["", "North", "–", "–", "−12", "−10", "−10", "−10", "−10"],
        ["", "West", "–", "–", "−30", "+18", "+18", "+20", "+18"],
        ["", "Pool", "–", "–", *["+60"] * 5],
    ]


def test_only_what_differs_is_bold(library: Library, corpus: Corpus) -> None:
    (fold,) = render_joint_ledger(worked_deal_view(library, FORCED), source_marks(corpus))
    sums = [row[-5:] for row in rows_of(worked_deal_view(library, FORCED), corpus)[1:]]
    differing = [cell for row in sums if len({*row}) > 1 for cell in row if cell != "–"]
    bold = [one.astext() for one in fold.findall(nodes.strong)]
    assert bold == differing and "42" in bold and not {"60", "+60"} & {*bold}


def test_the_page_fetches_it_when_it_is_unfolded(corpus: Corpus) -> None:
    (page,) = render_deal_page(deal_view(corpus, FORCED))
    (fold,) = [one for one in page.findall(markup) if "joint-ledger" in one["ids"]]
    (kept,) = fold.findall(deferred)
    assert len(list(kept.children[0].findall(nodes.Element))) < 10  # what stands in its place
    assert f"reversis run {FORCED}" in kept.children[0].astext()


def test_a_sum_is_one_element_and_a_payment_one_more(library: Library, corpus: Corpus) -> None:
    """A page has room for 5,000 elements, and a deal of thirty payments a column for each of seven books."""
    (fold,) = render_joint_ledger(worked_deal_view(library, FORCED), source_marks(corpus))
    for cell in (cell for row in fold.findall(nodes.row) for cell in list(row.findall(nodes.entry))[2:]):
        inner = [one for one in cell.children if isinstance(one, nodes.Element)]
        assert [one for one in inner if not isinstance(one, nodes.strong | nodes.inline)] == [], cell
        assert not inner or "–" not in cell.astext()


def test_there_is_none_where_nothing_can_be_compared(library: Library, corpus: Corpus) -> None:
    view = worked_deal_view(library, FORCED)
    marks = source_marks(corpus)
    assert render_joint_ledger(replace(view, ledgers=view.ledgers[:1]), marks) == []
    assert render_joint_ledger(replace(view, ledgers=view.ledgers[:2]), marks) == []  # both refuse


def test_nine_books_are_nine_columns_headed_by_their_sigla(library: Library, corpus: Corpus) -> None:
    view = worked_deal_view(library, FORCED)
    ledgers = tuple(replace(view.ledgers[2 + at % 2], source=siglum) for at, siglum in enumerate(NINE))
    marks = {siglum: SourceMark(siglum, f"Book {siglum}", "1700", at + 1) for at, siglum in enumerate(NINE)}
    (fold,) = render_joint_ledger(replace(view, ledgers=ledgers), marks)
    heads = next(iter(fold.findall(nodes.thead)))
    assert [cell.astext().split()[0] for cell in heads.findall(nodes.entry) if cell.astext()][1:] == [*NINE]
