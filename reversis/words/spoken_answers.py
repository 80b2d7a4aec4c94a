"""Answers as one would give them at the table, in whole sentences; and how a sum comes about, with its factors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod

from engine.cards import ENGLISH_SUITS, format_card
from engine.deal.events import Fact
from engine.readings.ask import Ask, name_other_quinolas
from engine.settlement.ledger import Entry, Posting
from engine.settlement.payments.amounts import sit_opposite, trick_factor
from engine.settlement.settle import Settled
from rulebook.model import Library, Like, Question, Ruleset, Value
from rulebook.phrases import (
    capitalise,
    format_ordinal,
    format_times,
)


@dataclass(frozen=True)
class SpokenRules:
    """The library and the rules by which answers are worded."""

    library: Library
    rules: Ruleset
    card: str = ""  #: a further privileged card, where they are worded for it; empty: the quinola

    def about(self, fact: Fact) -> SpokenRules:
        """The same rules, worded for the further privileged card that a fact is about; themselves where it is none."""
        card = "" if fact.card is None else format_card(fact.card)
        return replace(self, card=card) if card in name_other_quinolas(self.rules) else self

    def question(self, slug: str) -> Question:
        """A question by its slug."""
        return self.library.questions[slug]

    def value(self, slug: str, card: str = "") -> Value | None:
        """An answer, followed to where it points; for a further privileged card its own."""
        ask = Ask(self.rules).about(card or self.card)
        return ask(slug) if ask.answers(slug) else None


def speak_answer(words: SpokenRules, question: Question, value: Value) -> str:
    """An answer as one would give it at the table."""
    if isinstance(value, Like):
        return speak_reference(words, question, value)
    if question.closed:
        return question.readings.get(str(value), str(value))
    if isinstance(value, str) and value in question.proposed:
        return question.proposed[value].says
    return question.kind.spoken(question, value, words.rules.unit)


def speak_reference(words: SpokenRules, question: Question, value: Like) -> str:
    """An answer that points to another, and what it comes to."""
    answer = words.value(question.slug)
    comes = f": {speak_answer(words, question, answer)}" if answer is not None else "."
    times = "" if value.times == 1 else f"{format_times(value.times)} "
    return capitalise(f"{times}the same as for “{words.question(value.question).asks}”{comes}")


def sum_in_words(words: SpokenRules, done: Settled, entry: Entry, posting: Posting, amount: int) -> str:
    """A sum with its factors, where it has any and they come to it: 10 × 2 (they sit opposite) = 20."""
    if (
        entry.rule == "partie"
        and len(entry.postings) > 1
        and not any(_seat_factor(words, entry, p, "partie.opposite")[0] != 1 for p in entry.postings)
    ):
        return f"{amount}, half of {sum(p.counted(done.before) for p in entry.postings)}"
    if entry.rule not in FACTORS:
        return ""
    base, factors = FACTORS[entry.rule](words, done, entry, posting)
    product = base * prod(number for number, _ in factors)
    terms = [f"{number} ({why})" for number, why in factors if number != 1]
    return f"{' × '.join([str(base), *terms])} = {amount}" if terms and product == amount else ""


Factors = tuple[int, list[tuple[int, str]]]


def _seat_factor(words: SpokenRules, entry: Entry, posting: Posting, slug: str) -> tuple[int, str]:
    value = words.value(slug) if sit_opposite(entry.fact, posting.payer, posting.payee) else 1
    return (value if isinstance(value, int) else 1), "they sit opposite"


def _make_card_factors(how: str) -> Callable[[SpokenRules, Settled, Entry, Posting], Factors]:
    """Make the factors of a card: its price, the favoured ace, the seats, the trick."""

    def factors(words: SpokenRules, done: Settled, entry: Entry, posting: Posting) -> Factors:
        fact = entry.fact
        holder = how == "thrown-off" or posting.payer == fact.player
        base = words.value(f"{fact.kind}.{how}.{'amount' if holder else 'others-pay'}", posting.pool)
        favoured = words.value("ace.favoured-amount")
        more: list[tuple[int, str]] = []
        if fact.kind == "ace" and isinstance(favoured, Mapping) and words.value("ace.favoured-suit") == fact.suit:
            if "sum" in favoured:
                base = favoured["sum"]
            else:
                more.append((int(str(favoured["times"])), f"it is the ace of {ENGLISH_SUITS[fact.suit]}"))
        more.append(_seat_factor(words, entry, posting, "payments.opposite"))
        assert fact.trick is not None
        place = next((place for place in (fact.trick - fact.last - 1, fact.trick) if -2 <= place <= 3), None)
        more.append(
            (
                trick_factor(fact, how, Ask(words.rules)),
                f"in the {format_ordinal(place)} trick" if place else f"in trick {fact.trick}",
            )
        )
        return int(str(base)), more

    return factors


def _get_partie_factors(words: SpokenRules, done: Settled, entry: Entry, posting: Posting) -> Factors:
    """Worth of the partie, or talon, and the factor of the seats."""
    partie = done.outcome.partie
    return (partie.value if partie else 0), [_seat_factor(words, entry, posting, "partie.opposite")]


def _get_espagnolette_factors(words: SpokenRules, done: Settled, entry: Entry, posting: Posting) -> Factors:
    """Sum that was paid, and the number of times it is given back."""
    slug = "espagnolette.lost.stake" if entry.rule.endswith("stake") else "espagnolette.lost.returns-own"
    if entry.rule == "espagnolette-returns" and entry.fact.player != posting.payer:
        slug = "espagnolette.lost.returns-others"
    times, amount = words.value(slug), posting.counted(done.before)
    if not isinstance(times, int) or not times:
        return 0, []
    return amount // times, [(times, f"given back {format_times(times)}")]


#: The rules whose sums have factors.
FACTORS: Mapping[str, Callable[[SpokenRules, Settled, Entry, Posting], Factors]] = {
    "thrown-off": _make_card_factors("thrown-off"),
    "forced": _make_card_factors("forced"),
    "led": _make_card_factors("led"),
    "breaking-quinola": _make_card_factors("forced"),
    "partie": _get_partie_factors,
    "espagnolette-returns": _get_espagnolette_factors,
    "espagnolette-returns-stake": _get_espagnolette_factors,
}
