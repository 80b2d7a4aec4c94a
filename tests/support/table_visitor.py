"""A visitor at the table in a browser, by keys, mouse or touch, who plays at random and reads what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from tests.support.table_tab import turn
from tests.support.waiting import until

ENDED = "document.querySelector('.pl-ledger:not([data-part])') && document.querySelectorAll('.pl-seven tr').length"
FOCUSED = "(selector) => Boolean(document.activeElement?.matches(selector))"
LIT = "[...document.querySelectorAll('.pl-hand [data-card]:not(.pl-dim)')].map((node) => node.dataset.card)"
SHOWN = """() => {
  const rows = [...document.querySelectorAll(".pl-seven tr")];
  const lines = [...document.querySelectorAll(".pl-ledger:not([data-part]) li")];
  const paid = (line) => [...line.querySelectorAll("div > p.pl-small:not(.pl-gloss)")].map((node) => node.textContent);
  return {
    net: document.querySelector(".pl-result strong").textContent,
    totals: rows.map((row) => [row.dataset.book, row.querySelector(".pl-total").textContent]),
    reasons: rows.map((row) => [row.dataset.book, row.querySelector(".pl-why").textContent]),
    payments: lines.flatMap((line) => paid(line).map((words) => [line.querySelector(".pl-small").textContent, words])),
  };
}"""
DIGITS = "1234567890-="  #: keys of the cards that may be played, in order

Payment = tuple[str, str, str, int]  #: when, payer, payee, amount; "pool" for any pool


def read_sum(words: str) -> int | None:
    """Read a sum as the page shows it; None where it shows none."""
    return int(words.replace("−", "-")) if words.lstrip("+−").isdigit() else None


@dataclass(frozen=True)
class ShownDeal:
    """What the page shows of a deal that is over."""

    net: int | None
    totals: Mapping[str, int | None]
    reasons: Mapping[str, str]
    payments: Counter[Payment]


def read_end(tab: Any, seats: Iterable[str]) -> ShownDeal:
    """Read what a deal comes to, as soon as the ledger is there."""
    until(tab, ENDED, timeout=60_000)
    shown = tab.evaluate(SHOWN)
    titles = {"You": "south"} | {seat.capitalize(): seat for seat in seats}
    payments = Counter(_read_payment(titles, when, words) for when, words in shown["payments"])
    totals = {source: read_sum(words) for source, words in shown["totals"]}
    return ShownDeal(read_sum(shown["net"]), totals, dict(shown["reasons"]), payments)


def _read_payment(titles: Mapping[str, str], when: str, words: str) -> Payment:
    who, _, amount = words.rpartition(": ")
    payer, _, payee = who.partition(" to ")
    return when, titles.get(payer, "pool"), titles.get(payee, "pool"), int(amount)


class Visitor(Protocol):
    """The ways in which a visitor does what is to be done."""

    tab: Any

    def choose(self, card: str, number: int) -> None:
        """Lay away, give or play a card, at this place among those that may be chosen."""

    def press(self, does: str) -> None:
        """Press a button of the table."""

    def check(self, name: str) -> None:
        """Change a box that can be checked."""


@dataclass(frozen=True)
class KeyVisitor:
    """A visitor with a keyboard alone."""

    tab: Any
    lots: Random

    def choose(self, card: str, number: int) -> None:
        if number >= len(DIGITS) or self.lots.random() < 0.3:
            self.tab_to(".pl-hand [data-card]")
            while not self.tab.evaluate(FOCUSED, f"[data-card='{card}']"):
                self.tab.keyboard.press(self.lots.choice(("ArrowLeft", "ArrowRight")))
        else:
            self.tab.keyboard.press({"-": "Minus", "=": "Equal"}.get(DIGITS[number], f"Digit{DIGITS[number]}"))
        self.tab.keyboard.press("Enter")

    def press(self, does: str) -> None:
        letters = {"keep": "KeyK", "go-on": "Space", "finish": "Space", "next": "KeyN", "rules": "KeyW", "back": "KeyZ"}
        if does in letters:
            return self.tab.keyboard.press(letters[does])
        self.tab_to(f"[data-do={does}]")
        self.tab.keyboard.press("Enter")

    def check(self, name: str) -> None:
        self.tab_to(f"[name={name}]")
        self.tab.keyboard.press("Space")

    def tab_to(self, selector: str) -> None:
        """Press Tab until something has the focus."""
        for _ in range(150):
            if self.tab.evaluate(FOCUSED, selector):
                return
            self.tab.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {selector}")

    def sit_down(self, source: str) -> None:
        """Choose a book on the page, and sit down to the cards of the day."""
        self.tab_to("input[name=source]")
        while not self.tab.evaluate(FOCUSED, f"[value={source}]:checked"):
            self.tab.keyboard.press("ArrowRight")
        self.tab.keyboard.press("Enter")


@dataclass(frozen=True)
class PointerVisitor:
    """A visitor with a mouse, or a finger (`how`: click, tap)."""

    tab: Any
    how: str

    def choose(self, card: str, number: int) -> None:
        getattr(self.tab.locator(f".pl-hand [data-card='{card}']"), self.how)()
        lay = self.tab.locator(".pl-acts [data-do=lay]")
        if lay.count():
            getattr(lay, self.how)()

    def press(self, does: str) -> None:
        buttons = self.tab.locator(f"[data-do={does}]:visible")
        if not buttons.count():  # on a phone it lies in the menu
            getattr(self.tab.locator("[data-do=more]"), self.how)()
        getattr(buttons.last, self.how)()

    def check(self, name: str) -> None:
        getattr(self.tab.locator(f"[name={name}]"), self.how)()


def play_deal(visitor: Visitor, lots: Random) -> Counter[str]:
    """Play a deal to its end, each card at random, and open what it comes to; count what was done."""
    done = Counter[str]()
    for _ in range(80):
        waits = turn(visitor.tab)
        if waits in {"go-on", "finish"}:
            visitor.press(waits)
        else:
            waits = choose_besides(visitor, lots, waits) or choose_card(visitor, lots, waits)
        done[waits] += 1
        if waits == "finish":
            return done
    raise AssertionError("the deal does not end")


def choose_besides(visitor: Visitor, lots: Random, waits: str) -> str:
    """Now and then keep the hand, look at the card left, announce, or ask no longer for what is claimed."""
    tab = visitor.tab
    for does in ("keep", "look", "announce"):
        if tab.locator(f".pl-acts [data-do={does}]").count() and lots.random() < 0.25:
            visitor.press(does)
            return does
    if waits == "back" and lots.random() < 0.04:
        visitor.press("rules")
        if tab.locator("[name=choice-claims]").count():
            visitor.check("choice-claims")
            return "claims"
    return ""


def choose_card(visitor: Visitor, lots: Random, waits: str) -> str:
    """Choose any card that may be chosen; return whether it was laid away, given or played."""
    cards = visitor.tab.evaluate(LIT)
    number = lots.randrange(len(cards))
    does = waits if waits == "back" else visitor.tab.locator(".pl-acts [data-do=lay]").inner_text().split()[0]
    visitor.choose(cards[number], number)
    return {"back": "card"}.get(does, does)
