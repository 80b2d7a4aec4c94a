"""Texts of answers, statuses and units: small tables for all pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import ENGLISH_RANKS, ENGLISH_SUITS
from rulebook.answers.values import format_canonical
from rulebook.model import Library, Like, Question, Source, Value
from rulebook.phrases import (
    capitalise,
    cut_plain,
    format_count,
    format_counters,
    format_ordinal,
    format_sum,
    format_times,
    join_names,
    join_plain,
    spell_number,
)


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Text of an answer: short form, full form and the cards that it names."""

    short: str  #: as data: own-suit, 5, {AD: 5, JH: 4}
    full: str  #: as words; empty where the short form says it all
    cards: tuple[tuple[str, str], ...] = ()  #: cards or suits named, each with what it is worth


STATUS_LABELS: Mapping[str, str] = {
    "stated": "stated in so many words",
    "implied": "follows from the text",
    "denied": "ruled out",
    "silent": "silent",
    "ambiguous": "can be read in more than one way",
    "contradictory": "contradicts itself",
    "inapplicable": "not applicable",
    "not-collated": "not yet collated",
}
UNCONSULTED = "unconsulted"  #: status in filters of a silence in a text that is not consulted whole


#: Stands for silence in a text that is not consulted whole: nobody can tell what the rest says.
NOT_CONSULTED = "not in the part consulted"
#: Stands for silence where books that are whole and others are spoken of together.
SILENT_OR_UNCONSULTED = "the book is silent, as far as it was consulted"


def describe_silence(status: str, partial: bool) -> str:
    """Label of a status; of a text that is not consulted whole nobody can tell that it is silent."""
    return NOT_CONSULTED if partial and status == "silent" else STATUS_LABELS[status]


def find_sure_certainty(source: Source, status: str, answered: bool, cert: str) -> str:
    """Certainty of an answer; empty of a silence in a text that is not consulted whole, of which nobody is sure."""
    return "" if source.partial and status == "silent" and not answered else cert


def format_status_count(status: str, number: int) -> str:
    """Number of clauses of a status: 33 follow from the text."""
    label = STATUS_LABELS[status]
    verb = {"implied": "follow from the text", "contradictory": "contradict themselves"}
    return f"{number} {label if number == 1 else verb.get(status, label)}"


SUMMARY = "Our summary"  #: stands before our words where those of the source may not be printed
_SUPPLY_GROUNDS: Mapping[str, str] = {"practice": "the practice of the game", "logic": "logic"}
AFFECTS: Mapping[str, str] = {
    "table": "who sits down, and with what",
    "deal": "the deal",
    "play": "what may be played, and who takes",
    "award": "who wins",
    "payment": "what players pay each other",
    "pool": "what the pool gives and takes",
    "irregularity": "what a fault costs",
}
_UNIT_DESCRIPTIONS: Mapping[str, str] = {
    "smallest": "a sum, in the smallest counter of each source",
    "times": "a number of times",
    "tricks": "a number of tricks",
}
MEASURE_DESCRIPTIONS: Mapping[str, str] = {
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
    "privileged-cards": "cards with their names, each with the sums that it has for itself",
}

_THIN_SPACE = "\N{THIN SPACE}"


def format_answer(question: Question, value: Value, library: Library) -> AnswerText:
    """Text of an answer to a question."""
    if isinstance(value, Like):
        times = f" ({value.times} times)" if value.times != 1 else ""
        return AnswerText(format_canonical(value), f"as {library.questions[value.question].asks}{times}")
    if question.closed:
        return AnswerText(str(value), question.readings.get(str(value), ""))
    if isinstance(value, str) and value in question.proposed:
        return AnswerText(value, question.proposed[value].says)
    say = ANSWER_FORMATTERS.get(str(question.measure.get("type")), _format_as_data)
    return say(question, value, library)


def _format_as_data(question: Question, value: Any, library: Library) -> AnswerText:
    return AnswerText(format_canonical(value), "")


def read_glosses(question: Question, library: Library) -> Mapping[str, Any]:
    """Glosses of the values of a measure; a question may borrow those of another."""
    like = question.measure.get("like")
    found = library.question(str(like)).measure if like else question.measure
    of = found.get("of", {})
    return of if isinstance(of, Mapping) else {}


def _format_criteria(question: Question, value: Any, library: Library) -> AnswerText:
    known = read_glosses(question, library)
    steps = [f"{at}. {known.get(one, one)}" for at, one in enumerate(value, 1)]
    return AnswerText(", then ".join(value) or "none", " ".join(steps))


def _format_set(question: Question, value: Any, library: Library) -> AnswerText:
    known = read_glosses(question, library)
    return AnswerText(", ".join(value) or "none", " ".join(str(known.get(one, one)) for one in value))


def _format_tricks(question: Question, value: Any, library: Library) -> AnswerText:
    """Tricks by ordinal, with a factor where each has its own."""
    if isinstance(value, Mapping):
        tricks = [f"{format_ordinal(one)} ×{factor}" for one, factor in value.items()]
    else:
        tricks = list(map(format_ordinal, value))
    return AnswerText(", ".join(tricks) or "none", "")


def _format_card_values(question: Question, value: Any, library: Library) -> AnswerText:
    if not value:
        return AnswerText("none", "No card counts otherwise there.")
    return AnswerText(format_canonical(value), "", tuple((card, str(worth)) for card, worth in value.items()))


def _format_ranks(question: Question, value: Any, library: Library) -> AnswerText:
    """Ranks from highest to lowest, with thin spaces at which a line may break."""
    return AnswerText(_THIN_SPACE.join(str(value)), "")


def _format_card(question: Question, value: Any, library: Library) -> AnswerText:
    """Card or suit."""
    return AnswerText(str(value), "", () if value == "none" else ((str(value), ""),))


def _format_shapes(question: Question, value: Any, library: Library) -> AnswerText:
    """Shapes of the deal: players, pack, cards in each hand and in the talon."""
    lines = [
        f"{one['players']} players, {one['pack']} cards: {one['hand']} in each hand, {one['talon']} in the talon."
        for one in value
    ]
    return AnswerText("; ".join(f"{one['players']}×{one['hand']}+{one['talon']}" for one in value), " ".join(lines))


def _format_points(question: Question, value: Any, library: Library) -> AnswerText:
    return AnswerText(", ".join(f"{rank} {worth}" for rank, worth in value.items()), "")


def _format_hands(question: Question, value: Any, library: Library) -> AnswerText:
    """Combinations in one hand: aces, with or without the quinola, or with cards that are named."""
    with_or_without = {True: " and the quinola", False: ", with or without the quinola"}
    said = [
        f"{one.get('aces')} aces and {_format_plain_hand(0, one.get('quinola', 0), one['cards'])}"
        if "cards" in one
        else f"{one.get('aces')} aces{with_or_without.get(one.get('quinola'), '')}"
        for one in value
    ]
    return AnswerText(", or ".join(said) or "none", "")


#: The sums that a privileged card may have for itself, in words.
PRIVILEGED_SUM_PHRASES: Mapping[str, str] = {
    "thrown-off": "{} when thrown off",
    "forced": "{} when forced",
    "others-pay": "{} from each other player when forced",
    "to-every-other": "{} to every other player when forced",
    "led": "{} when led",
    "led-others-pay": "{} from each other player when led",
    "first-each": "{} put in by each player at first",
    "first-dealer": "{} put in by the dealer at first",
    "first-total": "a first pool of {}",
    "dealer-adds": "{} added by the dealer for each deal",
    "renewed-dealer": "{} put in by the dealer at a renewal",
    "refreshed": "{} put in by each player when the stake is refreshed",
    "limit-from": "a limit once the pool has grown to {}",
    "limit": "{} won or owed from then on",
}


def describe_privileged_card(one: Mapping[str, Any]) -> str:
    """A privileged card with its name and its own sums: "QH, the little quinola: 3 when thrown off"."""
    sums = [said.format(one[key]) for key, said in PRIVILEGED_SUM_PHRASES.items() if key in one]
    return f"{one['card']}, the {one['name']}" + (f": {', '.join(sums)}" if sums else "")


def _format_privileged_cards(question: Question, value: Any, library: Library) -> AnswerText:
    if not value:
        return AnswerText("none", "No other card is privileged.")
    full = "; ".join(map(describe_privileged_card, value))
    return AnswerText(", ".join(f"{one['card']} ({one['name']})" for one in value), f"{full}.")


def _format_multiple_or_sum(question: Question, value: Any, library: Library) -> AnswerText:
    if "times" in value:
        return AnswerText(f"×{value['times']}", f"{capitalise(_format_multiple(value['times']))}.")
    return AnswerText(str(value["sum"]), "")


def _format_fine(question: Question, value: Any, library: Library) -> AnswerText:
    return AnswerText(f"the stake ×{value['stakes']}" if isinstance(value, Mapping) else str(value), "")


ANSWER_FORMATTERS: Mapping[str, Callable[[Question, Any, Library], AnswerText]] = {
    "order": _format_criteria,
    "set": _format_set,
    "tricks": _format_tricks,
    "card-values": _format_card_values,
    "card": _format_card,
    "suit": _format_card,
    "ranks": _format_ranks,
    "shapes": _format_shapes,
    "points": _format_points,
    "hands": _format_hands,
    "privileged-cards": _format_privileged_cards,
    "times-or-sum": _format_multiple_or_sum,
    "fine": _format_fine,
}


def describe_measure(question: Question) -> str:
    """Kind of answer that a question without a list of readings takes."""
    unit = str(question.measure.get("unit", ""))
    return _UNIT_DESCRIPTIONS.get(unit) or MEASURE_DESCRIPTIONS.get(str(question.measure.get("type")), "")


def get_sum_counter(question: Question, value: Value | None, source: Source) -> str:
    """Counter in which a sum is given; empty for other answers."""
    counted = question.measure.get("unit") == "smallest" or question.measure.get("type") == "fine"
    is_sum = isinstance(value, int) and counted
    is_sum = is_sum or (isinstance(value, Mapping) and "sum" in value)
    return source.unit if is_sum else ""


def name_within(source: Source) -> str:
    """Short name of a source within a sentence, with its article if it has one: the German treatise."""
    article = "the " if source.title.startswith("The ") else ""
    return f"{article}{source.short_name.removeprefix('The ')}"


def spell_out_sources(text: str, library: Library) -> str:
    """Text in which sigla that stand alone have become the short names of their sources; ids are left as they are."""
    sigla = "|".join(map(re.escape, library.sources))
    return re.sub(
        rf"(^|[.?!] )?(?<!@)\b({sigla})\b(?![.@][A-Za-z0-9])", lambda found: _spell_out_source(found, library), text
    )


def _spell_out_source(found: re.Match[str], library: Library) -> str:
    start, siglum = found.groups()
    name = name_within(library.sources[siglum])
    return name if start is None else f"{start}{capitalise(name)}"


def get_family_name(source: Source) -> str:
    """Tradition of a source, without the remark in brackets; one that has no place yet stands for itself."""
    return source.family.partition(" (")[0] or source.siglum


#: Role of a citation -> what is said of it; nothing of the words on which a clause rests.
CITE_ROLE_NOTES: Mapping[str, str] = {
    "grounds": "",
    "supports": "in support",
    "against": "against it",
    "example": "an example",
}
#: View of a text -> what is said of words that are quoted by it.
TEXT_VIEWS: Mapping[str, str] = {"diplomatic": "", "emended": "as emended", "reading": "in today’s spelling"}


def format_short_answer(said: AnswerText, unit: str) -> str:
    """Short form of an answer; a sum with its counter."""
    return format_counters(int(said.short), unit) if unit else said.short


def describe_supply_ground(source: str) -> str:
    """Ground of a supplied reading: practice of the game, or logic."""
    return _SUPPLY_GROUNDS.get(source, source)


# ---- plain answers
_SUIT_SIGNS: Mapping[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANK_SIGNS: Mapping[str, str] = {"T": "10"}


def format_plain_answer(question: Question, value: Value, source: Source, library: Library) -> str:
    """Answer in plain words, short enough for a table; never the name of a reading."""
    if isinstance(value, Like):
        said = format_reference(library.questions[value.question].asks, value.times)
    elif isinstance(value, str) and value in question.readings:
        said = question.short.get(value) or question.readings[value].rstrip(".")
    else:
        said = PLAIN_FORMATTERS[str(question.measure["type"])](question, value, source)
    return cut_plain(said)


#: Another question, as it is asked -> how an answer refers to it; the first that fits is taken.
_REFERENCES: tuple[tuple[str, str], ...] = (
    (r".*\bdoes (.+?) (pay|put)\b(.*)", r"as \1 \2s\3"),
    (r".*?\b((?:when|for|if|before|after) .+)", r"as \1"),
    (r"(.+)", r"as under “\1”"),
)


def format_reference(asks: str, times: int) -> str:
    """Reference to the answer to another question: "as when an ace is led, twice"."""
    wording = asks.rstrip("?")
    said = next(re.sub(pattern, said, wording) for pattern, said in _REFERENCES if re.fullmatch(pattern, wording))
    return f"{format_times(times)} {said}" if times != 1 else said


def _format_plain_integer(question: Question, value: Any, source: Source) -> str:
    unit = question.measure.get("unit")
    if unit == "smallest":
        return format_sum(value, source.unit)
    if unit == "times":
        return format_times(value)
    if value == 0:
        return "none"
    return format_count(value, "trick") if unit == "tricks" else str(value)


def _format_plain_fine(question: Question, value: Any, source: Source) -> str:
    if not isinstance(value, Mapping):
        return format_sum(value, source.unit)
    return "as much as the stake" if value["stakes"] == 1 else f"{format_times(value['stakes'])} the stake"


def _format_plain_multiple_or_sum(question: Question, value: Any, source: Source) -> str:
    if "sum" in value:
        return format_sum(value["sum"], source.unit)
    return _format_multiple(value["times"])


def _format_multiple(times: int) -> str:
    return "no more than the others" if times == 1 else f"{format_times(times)} as much"


def _format_plain_order(question: Question, value: Any, source: Source) -> str:
    return join_plain([question.short[one] for one in value], ", then ") if value else "nobody"


def _format_plain_set(question: Question, value: Any, source: Source) -> str:
    return join_plain([question.short[one] for one in value], ", ") if value else "none"


def _format_plain_tricks(question: Question, value: Any, source: Source) -> str:
    """Tricks by ordinal; several in a row from either end together: "the first and the last two"."""
    if isinstance(value, Mapping):
        return join_plain([f"the {format_ordinal(n)} {format_times(f)}" for n, f in value.items()], ", ")
    names: list[str] = []
    for end, numbers in (("first", [n for n in value if n > 0]), ("last", [-n for n in value if n < 0])):
        if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]:
            names.append(f"the {end} {spell_number(len(numbers))}")
        else:
            names += [f"the {format_ordinal(n if end == 'first' else -n)}" for n in numbers]
    return join_names(names) or "none"


_LEAST_RUN = 4  #: so many numbers one after another are cut short


def _format_plain_ranks(question: Question, value: Any, source: Source) -> str:
    """Ranks from the highest to the lowest, on one line; of numbers that follow one another only the last: A K … 2.

    An answer names all ranks, and the pack may lack the tens: what is cut short holds of either pack.
    """
    names = [_RANK_SIGNS.get(rank, rank) for rank in value]
    figures = [int(name) for name in names if name.isdigit()]
    whole, run = len(names) - len(figures), [*range(figures[0], figures[0] - len(figures), -1)] if figures else []
    if len(run) >= _LEAST_RUN and figures == run and all(name.isdigit() for name in names[whole:]):
        names[whole:-1] = ["…"]
    return "\N{NO-BREAK SPACE}".join(names)


def _format_plain_shapes(question: Question, value: Any, source: Source) -> str:
    """Shapes of the deal; of several, the cards in each hand, for every number of players."""
    if len(value) == 1:
        (one,) = value
        return f"{one['players']} players, {one['hand']} cards each, {one['talon']} in the talon"
    hands: dict[int, list[str]] = {}
    for one in value:
        hands.setdefault(one["players"], []).append(str(one["hand"]))
    said = [f"{' or '.join(dict.fromkeys(each))} for {players}" for players, each in hands.items()]
    if not said:
        return "none"
    said[0] = said[0].replace(" for ", " cards for ", 1) + " players"
    return f"{', '.join(said)}, rest in the talon"


def _format_plain_points(question: Question, value: Any, source: Source) -> str:
    worth = [f"{ENGLISH_RANKS.get(rank, rank)} {points}" for rank, points in value.items()]
    return join_plain(worth, ", ") if worth else "none"


def _name_card(card: str) -> str:
    return _RANK_SIGNS.get(card[:-1], card[:-1]) + _SUIT_SIGNS[card[-1]]


def _format_plain_card_values(question: Question, value: Any, source: Source) -> str:
    worth = [f"{_name_card(card)} {points}" for card, points in value.items()]
    return join_plain(worth, ", ") if worth else "none"


def _format_plain_hands(question: Question, value: Any, source: Source) -> str:
    """Combinations in one hand: "3 aces and the quinola, or 4 aces"."""
    return join_plain([_format_plain_hand(**one) for one in value] or ["none"], ", or ")


def _format_plain_hand(aces: int, quinola: int, cards: Iterable[str] = ()) -> str:
    """Fewest aces, and the quinola and other cards where they are needed."""
    needed = [format_count(aces, "ace")] * bool(aces) + ["the quinola"] * bool(quinola) + [*map(_name_card, cards)]
    return " and ".join(needed) or "any hand"


def _format_plain_privileged_cards(question: Question, value: Any, source: Source) -> str:
    """Privileged cards with their names: "Q♥, the little quinola"."""
    return join_plain([f"{_name_card(one['card'])}, the {one['name']}" for one in value] or ["none"], "; ")


#: Kind of measure -> its answer in plain words.
PLAIN_FORMATTERS: Mapping[str, Callable[[Question, Any, Source], str]] = {
    "integer": _format_plain_integer,
    "order": _format_plain_order,
    "set": _format_plain_set,
    "tricks": _format_plain_tricks,
    "points": _format_plain_points,
    "card-values": _format_plain_card_values,
    "times-or-sum": _format_plain_multiple_or_sum,
    "suit": lambda question, value, source: ENGLISH_SUITS.get(value, "none"),
    "card": lambda question, value, source: _name_card(value),
    "ranks": _format_plain_ranks,
    "fine": _format_plain_fine,
    "hands": _format_plain_hands,
    "privileged-cards": _format_plain_privileged_cards,
    "shapes": _format_plain_shapes,
}
