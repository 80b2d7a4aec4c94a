"""The joint ledger on the page of a deal: one table, fetched when it is unfolded, whose columns are the books."""

from __future__ import annotations

from dataclasses import replace

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.views.plain_answers import source_marks
from reversis.views.deals.joint_ledger import render_joint_ledger
from reversis.words.deal_views import DealView, worked_deal_view
from rulebook.model import Library

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
    bold = [
        one.astext()
        for one in fold.findall(nodes.Element)
        if isinstance(one, nodes.strong) or (isinstance(one, nodes.entry) and "rv-differs" in one["classes"])
    ]
    assert bold == differing and "42" in bold and not {"60", "+60"} & {*bold}


def test_there_is_none_where_nothing_can_be_compared(library: Library, corpus: Corpus) -> None:
    view = worked_deal_view(library, FORCED)
    marks = source_marks(corpus)
    assert render_joint_ledger(replace(view, ledgers=view.ledgers[:1]), marks) == []
    assert render_joint_ledger(replace(view, ledgers=view.ledgers[:2]), marks) == []  # both refuse
