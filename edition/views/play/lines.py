"""Lines of a ledger on a page: players with capitals, cards as cards, and the clause that says most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from edition.corpus.corpus import Corpus
from edition.nodes.builders import CARD_RANK_NAMES, SUIT_SYMBOLS, card_sign
from edition.views.common import QuotationView, build_quotation_view
from edition.views.layout import Nodes, render_passage
from rulebook.cited_clauses import CitedClause
from rulebook.model import Ruling
from rulebook.strings import single_spaced


class CitingLedger(Protocol):
    """Ledger of one source with the clauses that it cites."""

    @property
    def source(self) -> str:
        """Siglum of the source."""

    def clause(self, id: str) -> CitedClause:
        """Clause that it cites."""


def find_telling_clause(
    corpus: Corpus, ledger: CitingLedger, rulings: Iterable[Ruling]
) -> tuple[str, QuotationView | None]:
    """Find the clause that says most about a line, with its words: of the first answer, and the source's own if any."""
    named = [id for ruling in rulings for id in ruling.clauses]
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
def render_line_passage(ledger: CitingLedger, clause: str, quote: QuotationView) -> Nodes:
    """Render the quotation of a line, without its words where the fold that holds it has all of them already."""
    whole = single_spaced(quote.exact) == ledger.clause(clause).short
    return render_passage(replace(quote, exact="") if whole else quote)


#: What the templates `parts/stage.xml` and `parts/ledger.xml` call, besides a `signed_sum` and a `plural`.
LEDGER_COMPONENTS: Mapping[str, Any] = {
    "passage": render_line_passage,
    "players": capitalize_seats,
    "ranks": CARD_RANK_NAMES,
    "suits": SUIT_SYMBOLS,
    "with_cards": with_cards,
}
