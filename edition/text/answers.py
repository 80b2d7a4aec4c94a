"""How an answer, a status, a family is put into words: small tables, no page knows better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulebook.answers.values import canonical
from rulebook.model import Library, Like, Question, Source, Value


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in short, in full, and with the cards it names."""

    short: str  #: as data: own-suit, 5, {AD: 5, JH: 4}
    full: str  #: as words; empty where the short form says it all
    cards: tuple[tuple[str, str], ...] = ()  #: cards or suits named, each with what it is worth


STATUS: Mapping[str, str] = {
    "stated": "stated in so many words",
    "implied": "implied",
    "denied": "denied",
    "silent": "silent",
    "ambiguous": "can be read in more than one way",
    "contradictory": "contradicts itself",
    "inapplicable": "the question makes no sense here",
    "not-collated": "not yet collated",
}
SUMMARY = "Our summary"  #: stands before our words where those of the source may not be printed
TAKEN_FROM: Mapping[str, str] = {"practice": "the practice of the game", "logic": "logic"}
AFFECTS: Mapping[str, str] = {
    "table": "who sits down, and with what",
    "deal": "the deal",
    "play": "what may be played, and who takes",
    "award": "who wins",
    "payment": "what players pay each other",
    "pool": "what the pool gives and takes",
    "irregularity": "what a fault costs",
}
UNITS: Mapping[str, str] = {
    "smallest": "a sum, in the smallest counter of each source",
    "times": "a number of times",
    "tricks": "a number of tricks",
}
MEASURES: Mapping[str, str] = {
    "order": "criteria, in the order in which they decide",
    "set": "any of these, or none",
    "tricks": "tricks, counted from the first (1) or from the last (-1)",
    "points": "what each rank counts",
    "card-values": "what single cards count",
    "times-or-sum": "so many times the ordinary, or a sum of its own",
    "suit": "a suit, or none",
    "card": "a card",
    "ranks": "the ranks, from highest to lowest",
    "fine": "a sum, or so many stakes",
    "hands": "what must come together in one hand",
    "shapes": "how many players, cards in the pack, in each hand, in the talon",
}

THIN = "\N{THIN SPACE}"


def answer(question: Question, value: Value, library: Library) -> Answer:
    """An answer to a question in words."""
    if isinstance(value, Like):
        return Answer(canonical(value), f"as {library.questions[value.question].asks} {times(value.times)}".strip())
    if question.closed:
        return Answer(str(value), question.readings.get(str(value), ""))
    if isinstance(value, str) and value in question.proposed:
        return Answer(value, question.proposed[value].says)
    say = SAID.get(str(question.measure.get("type")), in_short)
    return say(question, value, library)


def times(number: int) -> str:
    """How often, when it is more than once."""
    return f"({number} times)" if number != 1 else ""


def in_short(question: Question, value: Any, library: Library) -> Answer:
    """A number or a list as it stands."""
    return Answer(canonical(value), "")


def glosses(question: Question, library: Library) -> Mapping[str, Any]:
    """What the words of a measure mean; a question may borrow those of another."""
    like = question.measure.get("like")
    found = library.question(str(like)).measure if like else question.measure
    of = found.get("of", {})
    return of if isinstance(of, Mapping) else {}


def in_order(question: Question, value: Any, library: Library) -> Answer:
    """Criteria, the first first."""
    known = glosses(question, library)
    steps = [f"{at}. {known.get(one, one)}" for at, one in enumerate(value, 1)]
    return Answer(", then ".join(value) or "none", " ".join(steps))


def in_set(question: Question, value: Any, library: Library) -> Answer:
    """Any of the things listed."""
    known = glosses(question, library)
    return Answer(", ".join(value) or "none", " ".join(str(known.get(one, one)) for one in value))


def ordinal(number: int) -> str:
    """A trick by its place."""
    place = {1: "first", 2: "second", 3: "third"}.get(abs(number), f"{abs(number)}th")
    return place if number > 0 else {1: "last", 2: "last but one"}.get(-number, f"{place} from the end")


def in_tricks(question: Question, value: Any, library: Library) -> Answer:
    """Tricks by their place; with a factor where each has its own."""
    if isinstance(value, Mapping):
        return Answer(", ".join(f"{ordinal(one)} ×{factor}" for one, factor in value.items()) or "none", "")
    return Answer(", ".join(map(ordinal, value)) or "none", "")


def in_cards(question: Question, value: Any, library: Library) -> Answer:
    """Single cards and their worth."""
    if not value:
        return Answer("none", "No card counts otherwise there.")
    return Answer(canonical(value), "", tuple((card, str(worth)) for card, worth in value.items()))


def in_ranks(question: Question, value: Any, library: Library) -> Answer:
    """The ranks from highest to lowest, with thin spaces at which a line may end."""
    return Answer(THIN.join(str(value)), "")


def one_card(question: Question, value: Any, library: Library) -> Answer:
    """A card or a suit."""
    return Answer(str(value), "") if value == "none" else Answer(str(value), "", ((str(value), ""),))


def in_shapes(question: Question, value: Any, library: Library) -> Answer:
    """How the cards lie when play begins."""
    lines = [
        f"{one['players']} players, {one['pack']} cards: {one['hand']} in each hand, {one['talon']} in the talon."
        for one in value
    ]
    return Answer("; ".join(f"{one['players']}×{one['hand']}+{one['talon']}" for one in value), " ".join(lines))


def in_points(question: Question, value: Any, library: Library) -> Answer:
    """What each rank counts."""
    return Answer(", ".join(f"{rank} {worth}" for rank, worth in value.items()), "")


def in_hands(question: Question, value: Any, library: Library) -> Answer:
    """What must come together in one hand."""
    with_or_without = {True: " and the quinola", False: ", with or without the quinola"}
    said = [f"{one.get('aces')} aces{with_or_without.get(one.get('quinola'), '')}" for one in value]
    return Answer(", or ".join(said) or "none", "")


def multiple_or_sum(question: Question, value: Any, library: Library) -> Answer:
    """So many times the ordinary, or a sum of its own."""
    return (
        Answer(f"×{value['times']}", "so many times the ordinary")
        if "times" in value
        else Answer(str(value["sum"]), "")
    )


def in_fines(question: Question, value: Any, library: Library) -> Answer:
    """A sum, or so many stakes."""
    return Answer(f"the stake ×{value['stakes']}", "") if isinstance(value, Mapping) else Answer(str(value), "")


SAID: Mapping[str, Callable[[Question, Any, Library], Answer]] = {
    "order": in_order,
    "set": in_set,
    "tricks": in_tricks,
    "card-values": in_cards,
    "card": one_card,
    "suit": one_card,
    "ranks": in_ranks,
    "shapes": in_shapes,
    "points": in_points,
    "hands": in_hands,
    "times-or-sum": multiple_or_sum,
    "fine": in_fines,
}


def measure(question: Question) -> str:
    """What kind of answer a question takes that has no list of readings."""
    unit = str(question.measure.get("unit", ""))
    return UNITS.get(unit) or MEASURES.get(str(question.measure.get("type")), "")


def counted(question: Question, value: Value | None, source: Source) -> str:
    """The counter in which a sum is reckoned; nothing for other answers."""
    is_sum = isinstance(value, int) and question.measure.get("unit") == "smallest"
    return source.unit if is_sum else ""


def family(source: Source) -> str:
    """The tradition a source belongs to; what is said in brackets about its place there is left out."""
    family = source.record.get("family", "")
    name = str(family.get("name", "")) if isinstance(family, Mapping) else str(family)
    return name.partition(" (")[0] or source.siglum


def plural(number: int, one: str, many: str = "") -> str:
    """So many of something."""
    return f"{number} {one if number == 1 else many or one + 's'}"


#: counters of more than one where it is not simply an s more
COUNTERS: Mapping[str, str] = {"fish": "fish", "Marque": "Marquen"}


def counters(number: int, unit: str) -> str:
    """So many counters: 5 fiches."""
    return plural(number, unit, COUNTERS.get(unit, ""))


def with_counter(said: Answer, unit: str) -> str:
    """An answer without its words; a sum with its counter."""
    return counters(int(said.short), unit) if unit else said.short


def sums_in(unit: str) -> str:
    """In what all sums are told: "sums in fiches"."""
    return f"sums in {counters_of(unit)}"


def counters_of(unit: str) -> str:
    """A counter in the plural: fiches, Marquen."""
    return COUNTERS.get(unit) or f"{unit}s"


def taken_from(source: str) -> str:
    """Where a supplied reading comes from."""
    return TAKEN_FROM.get(source, source)
