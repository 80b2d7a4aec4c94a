"""Ledger of a deal by one source: what happened, who pays whom, on which sentence it rests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    card_sign,
)
from edition.nodes.components import SourceMark
from edition.text.answers import spell_out_sources
from edition.views.common import QuotationView, build_quotation_view
from edition.views.layout import Nodes, render_passage
from edition.views.plain_answers import source_marks
from reversis.words.certainty import PossibleView
from reversis.words.ledgers import (
    LedgerLine,
    LedgerView,
    names_of,
)
from rulebook.strings import single_spaced

#: Rule of an entry -> end of the question whose clause says most about it; of other rules the first one does.
_TELLING_QUESTIONS: Mapping[str, str] = {
    "forced": ".amount",
    "thrown-off": ".amount",
    "partie": ".amount",
    "matches-stake": ".stake",
    "draws-stake": ".stake",
}
MAX_NAMED_BOOKS = 5  #: of more books the heads of the results have only sigla
STATE_LABELS: Mapping[str, str] = {"settled": "", "refused": "not legal here", "silent": "no answer"}


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
    told = [(line, name, *_find_telling_clause(corpus, ledger, line)) for line, name in lines]
    told.sort(key=lambda each: {"before": 0, "end": 2}.get(each[0].step, 1))
    foreign = tuple(spell_out_sources(words, corpus.library) for words in ledger.foreign_sums)
    return BookLedger(source_marks(corpus)[ledger.source], replace(ledger, foreign_sums=foreign), tuple(told), possible)


def _find_telling_clause(corpus: Corpus, ledger: LedgerView, line: LedgerLine) -> tuple[str, QuotationView | None]:
    """Find the clause that says most about a line; the source's own, if there is one."""
    end = _TELLING_QUESTIONS.get(line.entry.rule, "")
    ranked = sorted(line.rulings, key=lambda ruling: not (end and ruling.question.endswith(end)))
    named = [id for ruling in ranked for id in ruling.clauses]
    name = next((id for id in named if ledger.clause(id).kind != "supplied"), named[0] if named else "")
    cites = corpus.library.clause(name).cites if name else ()
    cite = min(cites, key=lambda c: (c.role != "grounds", not c.exact), default=None)
    source = corpus.library.sources[ledger.source]
    return name, build_quotation_view(corpus, source, cite) if cite else None


# ---- words
def capitalize_players(words: str, seats: Sequence[str]) -> str:
    """Our own words with capitals for the players."""
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, seats))})\b", lambda found: found[0].capitalize(), words)


def capitalize_seats(words: str, seats: Sequence[str]) -> str:
    """Our own words with capitals for the players, and at their head."""
    said = capitalize_players(words, seats)
    return said[:1].upper() + said[1:]


#: a card as a message names it: rank and suit, standing alone
_CARD_CODE_PATTERN = re.compile(r"(?<!\w)([AKQJT2-9][SHDC])(?!\w)")


def with_cards(message: str) -> list[Any]:
    """A message with its cards shown as cards."""
    return [
        card_sign(part) if _CARD_CODE_PATTERN.fullmatch(part) else part
        for part in _CARD_CODE_PATTERN.split(message)
        if part
    ]


# ---- layout
def render_line_passage(ledger: LedgerView, clause: str, quote: QuotationView) -> Nodes:
    """Render the quotation of a line, without its words where the fold that holds it has all of them already."""
    whole = single_spaced(quote.exact) == ledger.clause(clause).short
    return render_passage(replace(quote, exact="") if whole else quote)
