"""Sources against themselves: every number that a source prints about its own game, beside what its rules come to."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.cards import CARD_RANKS, make_pack, rank_of
from engine.deal.model import Deal
from engine.readings.ask import Ask
from engine.settlement.ledger import Posting, name_ledger_account
from engine.settlement.settle import Settled, settle
from rulebook.model import Library, Printed, Ruleset, Silent, Source
from rulebook.resolve import resolve
from rulebook.strings import quote_value


@dataclass(frozen=True, slots=True)
class Held:
    """A printed number held against the rules: what they come to, and the questions they were asked."""

    printed: Printed
    expected: int  #: what is printed, in smallest units
    found: int | None  #: None where nothing can be found; `fault` says why
    asked: tuple[str, ...] = ()
    fault: str = ""
    silent: bool = False  #: whether it is the source that gives no answer

    @property
    def agrees(self) -> bool:
        """Tell whether the printed number agrees with the rules."""
        return self.found == self.expected


def check_source_figures(library: Library, siglum: str, deals: Mapping[str, Deal]) -> tuple[Held, ...]:
    """Check a source's printed numbers against its rules; `deals`: the worked deals by id."""
    source, ruleset = library.sources[siglum], resolve(library, siglum)
    return tuple(check_source_figure(library, source, ruleset, printed, deals) for printed in source.printed)


def check_source_figure(
    library: Library, source: Source, ruleset: Ruleset, printed: Printed, deals: Mapping[str, Deal]
) -> Held:
    """Check one number against the rules."""
    ask, expected = Ask(ruleset), printed.says * source.counters.get(printed.unit, 1)
    try:
        number, asked = (
            _find_deal_payment(printed, ruleset, deals)
            if printed.deal
            else (FigureFormula(library, source, ask).of(printed.reckon), ask.asked)
        )
    except (FigureError, Silent) as fault:
        return Held(printed, expected, None, ask.asked, str(fault), isinstance(fault, Silent))
    return Held(printed, expected, number, asked)


class FigureError(ValueError):
    """A sum that cannot be computed, or a payment that is not in the deal."""


# ---- a payment in a worked deal
def _find_deal_payment(printed: Printed, ruleset: Ruleset, deals: Mapping[str, Deal]) -> tuple[int, tuple[str, ...]]:
    """Find what is paid by one rule in a worked deal, with the questions asked. Raises FigureError."""
    deal = deals.get(printed.deal)
    if deal is None:
        raise FigureError(f"there is no worked deal {printed.deal}")
    settled = settle(deal, ruleset)
    if not isinstance(settled, Settled):
        raise FigureError(f"{printed.deal} is not settled by these rules")
    payments = [
        (p, e)
        for e in settled.entries
        if e.rule == printed.rule
        for p in e.postings
        if _is_meant_posting(printed, p, deal)
    ]
    if not payments:
        raise FigureError(f"nothing is paid by the rule {quote_value(printed.rule)} in {printed.deal}")
    asked = tuple(dict.fromkeys(q for _, entry in payments for q in entry.asked))
    return sum(p.counted(settled.before) for p, _ in payments), asked


def _is_meant_posting(printed: Printed, posting: Posting, deal: Deal) -> bool:
    """Return whether a posting passes between the accounts named; one not named is anybody."""
    accounts = ((printed.payer, posting.payer), (printed.payee, posting.payee))
    return all(not name or name == name_ledger_account(deal, who) for name, who in accounts)


# ---- a sum over answers
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class FigureFormula:
    """Evaluator of sums such as 3 * Q163 + Q164: whole numbers, answers, and counts over a table."""

    def __init__(self, library: Library, source: Source, ask: Ask) -> None:
        self.library, self.counters, self.ask = library, source.counters, ask
        self.counts: Mapping[str, Callable[..., int]] = {
            "points": self.points,
            "hand": lambda players, size: self.shape(players, size)["hand"],
            "talon": lambda players, size: self.shape(players, size)["talon"],
        }

    def of(self, text: str) -> int:
        """Evaluate a sum. Raises FigureError, Silent."""
        try:
            return self.value(ast.parse(text.strip(), mode="eval").body)
        except SyntaxError:
            raise FigureError(f"{quote_value(text)} is no sum") from None

    def value(self, node: ast.expr) -> int:
        """Evaluate a part of a sum."""
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            return self.answer(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.counts:
            return self.counted(node.func.id, node.args)
        raise FigureError(f"{quote_value(ast.unparse(node))} cannot be computed")

    def counted(self, name: str, arguments: list[ast.expr]) -> int:
        """Evaluate a count over a table."""
        try:
            return self.counts[name](*map(self.value, arguments))
        except TypeError:
            raise FigureError(f"{name} with {len(arguments)} numbers cannot be computed") from None

    def answer(self, name: str) -> int:
        """Return the worth of a counter, or the number that answers a question."""
        if name in self.counters:
            return self.counters[name]
        try:
            value = self.ask(self.library.question(name).slug)
        except KeyError:
            raise FigureError(f"there is no question {name}") from None
        if type(value) is not int:
            raise FigureError(f"{name} is not answered by a number")
        return value

    def points(self, size: int) -> int:
        """The points of all the cards in a pack."""
        values = self.ask.table("cards.points")
        return sum(values.get(CARD_RANKS[rank_of(card)], 0) for card in make_pack(size))

    def shape(self, players: int, size: int) -> Mapping[str, int]:
        """Return the number of cards in a hand and in the talon when play begins."""
        for shape in self.ask.tables("table.shapes"):
            if (shape["players"], shape["pack"]) == (players, size):
                return shape
        raise FigureError(f"{players} players with {size} cards are not provided for")


__all__ = ["FigureError", "Held", "check_source_figures"]
