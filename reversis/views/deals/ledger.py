"""Ledger of a deal by one source: what happened, who pays whom, on which sentence it rests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.text.answers import spell_out_sources
from edition.views.common import QuotationView
from edition.views.plain_answers import source_marks
from edition.views.play.lines import find_telling_clause
from reversis.words.certainty import PossibleView
from reversis.words.ledgers import (
    LedgerLine,
    LedgerView,
    names_of,
)
from rulebook.model import Ruling

#: Rule of an entry -> end of the question whose clause says most about it; of other rules the first one does.
_TELLING_QUESTIONS: Mapping[str, str] = {
    "forced": ".amount",
    "thrown-off": ".amount",
    "partie": ".amount",
    "matches-stake": ".stake",
    "draws-stake": ".stake",
}


# ---- view
#: Line, its name (the same by every source for what is the same there), and what says most about it, with its words.
TellingLine: TypeAlias = tuple[LedgerLine, str, str, QuotationView | None]


@dataclass(frozen=True, slots=True)
class BookLedger:
    """Everything that a deal comes to by the rules of one source."""

    source: SourceMark
    ledger: LedgerView
    lines: tuple[TellingLine, ...]  #: from before the play to the end
    possible: PossibleView


def build_book_ledger(corpus: Corpus, ledger: LedgerView, possible: PossibleView) -> BookLedger:
    """Ledger of one source with its quotations and its readings."""
    lines = zip(ledger.entries, names_of(ledger.entries), strict=True)
    rows = [(line, name, *find_telling_clause(corpus, ledger, _rank_rulings(line))) for line, name in lines]
    rows.sort(key=lambda each: {"before": 0, "end": 2}.get(each[0].step, 1))
    foreign = tuple(spell_out_sources(words, corpus.library) for words in ledger.foreign_sums)
    return BookLedger(source_marks(corpus)[ledger.source], replace(ledger, foreign_sums=foreign), tuple(rows), possible)


def _rank_rulings(line: LedgerLine) -> Sequence[Ruling]:
    """Answers of a line, with the one in front whose clause says most about it."""
    end = _TELLING_QUESTIONS.get(line.entry.rule, "")
    return sorted(line.rulings, key=lambda ruling: not (end and ruling.question.endswith(end)))
