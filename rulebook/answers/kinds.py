"""Kinds of answers that know no game: numbers, sums, dates, orders, lists. A game adds its own.

A kind is a class: what it reads, and the same in words. `rulebook list kinds` lists them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, ClassVar, cast

from rulebook import phrases
from rulebook.answers.values import (
    SlugOf,
    Wrong,
    format_canonical,
    read_filled_table,
    read_one_of,
    read_value_list,
    read_value_table,
    read_whole_number,
)
from rulebook.model import Amount, FrozenMap, Kind, Like, Phraser, Question, Value


def list_words(question: Question) -> Mapping[str, str]:
    """Words of which an answer may be made, with their meaning."""
    return cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))


#: What a number may count that the edition has words for; any other unit is a word of the library.
WORDED_UNITS = ("smallest", "times", "tricks")


def get_own_unit(question: Question) -> str:
    """Unit of the numbers of a question that is a word of its library, such as minutes; empty if it has none."""
    unit = str(question.measure.get("unit", ""))
    return "" if unit in WORDED_UNITS else unit


def _name_words(question: Question) -> str:
    """Name the first words of a question's list, as an example."""
    return f"[{', '.join([*list_words(question)][:2])}]"


class Integer(Kind):
    """A number, or a pointer to the question that has it."""

    describes = "a whole number"
    example = "a number; or {as: ID} or {as: ID, times: 2}, as much as for the question with that id"
    shorthand = ((r"as ([\w.-]+)", r"{as: \1}"), (r"as ([\w.-]+), (\d+) times", r"{as: \1, times: \2}"))
    one_number = True
    takes_unit = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a number within its bounds, or a pointer."""
        if isinstance(raw, Mapping):
            keys = ("as", "times") if "times" in raw else ("as",)
            table = read_filled_table(raw, keys, "{as: ID} or {as: ID, times: 2}")
            return Like(slug_of(str(table["as"])), read_whole_number(table.get("times", 1), 1))
        least, most = question.measure.get("min", 0), question.measure.get("max")
        return read_whole_number(raw, cast(int, least), cast("int | None", most))

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The number in digits, with its unit if that is none of money."""
        return phrases.AnswerText(phrases.format_measured(value, get_own_unit(question)))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """A sum, a number of times or of anything else, or how many."""
        counted = question.measure.get("unit")
        if own := get_own_unit(question):
            return phrases.format_measured(value, own)
        if counted == "smallest":
            return phrases.format_sum(value, unit)
        if counted == "times":
            return phrases.format_times(value)
        if value == 0 and counted in (None, "tricks"):
            return "none"
        return phrases.format_count(value, str(counted).removesuffix("s"), str(counted)) if counted else str(value)

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> phrases.Pieces:
        """A sum in the source's counters, how often, or how many."""
        counted = str(question.measure.get("unit"))
        if own := get_own_unit(question):
            return (phrases.PhrasePiece(phrases.format_measured(value, own)),)
        return (
            phrases.PhrasePiece(
                {"smallest": phraser.sum, "times": phrases.spell_times}.get(counted, phrases.spell_number)(value)
            ),
        )

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """The same as in plain words; a bare number in digits."""
        return phrases.end_sentence(self.plain(question, value, unit) if "unit" in question.measure else str(value))

    def is_sum(self, question: Question, value: Any) -> bool:
        """Return whether the answer is a number of counters."""
        return isinstance(value, int) and question.measure.get("unit") == "smallest"

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """The number, by what it counts."""
        counted = str(question.measure.get("unit", ""))
        yield {"smallest": "sum", "times": "times", "tricks": "tricks"}.get(counted, "other"), value, ""


class MoneyKind(Integer):
    """A number of the smallest counter that the source has, or a pointer to the question that has it."""

    describes = "a sum, in the smallest counter of each source"
    implies: ClassVar[Mapping[str, Value]] = FrozenMap({"unit": "smallest"})
    takes_unit = False


class OneWord(Kind):
    """An answer that is one word, and is read and shown as that."""

    one_word = True

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The word as it stands in the data, and in words where that says more."""
        words = self.plain(question, value, "")
        return phrases.AnswerText(str(value), phrases.end_sentence(words) if words != str(value) else "")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """The word as it stands in the data."""
        return str(value)

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> phrases.Pieces:
        """The same as in plain words."""
        return (phrases.PhrasePiece(self.plain(question, value, "")),)


class YesNo(OneWord):
    """Yes or no."""

    describes = "yes or no"
    example = "yes, or no"
    choices = ("yes", "no")

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read the word, or what stands for it in data."""
        word = self.choices[not raw] if isinstance(raw, bool) else raw
        return read_one_of(word, self.choices, f"answer to {question.slug}")


class FractionKind(OneWord):
    """A part of a whole, exact and in its lowest terms; a whole number where it is one."""

    takes_unit = True
    describes = "a fraction, or a whole number"
    example = "a fraction: 1/2, 1 1/2 or ½, or a whole number"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a fraction with its bar or as one sign."""
        text = unicodedata.normalize("NFKC", "".join(map(_part_sign, str(raw)))).replace("\N{FRACTION SLASH}", "/")
        parts = re.fullmatch(r"\s*(?:(\d{1,9})(?:\s+|$))?(?:(\d{1,9})\s*/\s*(\d{1,9}))?\s*", text, re.ASCII)
        if isinstance(raw, bool) or not text.strip() or not parts or (parts[3] and not int(parts[3])):
            hint = "write 1/2, 1 1/2 or a whole number; a spreadsheet that makes a date of 1/2 leaves ½ as it is"
            raise Wrong(f"{format_canonical(raw)} is no fraction", hint)
        value = int(parts[1] or 0) + Fraction(int(parts[2] or 0), int(parts[3] or 1))
        return value.numerator if value.denominator == 1 else str(value)

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The same as in plain words."""
        return phrases.AnswerText(self.plain(question, value, ""))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """A mixed number where it is more than a whole, with its unit: 1 1/2 ounces."""
        return phrases.format_measured(value, get_own_unit(question))


def _part_sign(letter: str) -> str:
    """Return a letter, parted from the number before it where it is a fraction of its own: 1½ is 1 1/2."""
    return f" {letter}" if unicodedata.category(letter) == "No" else letter


class DateKind(OneWord):
    """A year, a month or a day; not looked for in the quotation, which may go by another calendar."""

    describes = "a date: a year, a month or a day"
    example = "a year, month or day: 1897, 1897-05 or 1897-05-03"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a date in the order of ISO 8601."""
        text = str(raw).strip()
        parts = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", text, re.ASCII)
        try:
            date(*map(int, parts.groups("1") if parts else ()))
        except (TypeError, ValueError):  # no date at all, or one that no calendar has
            hint = f"write {self.example.partition(': ')[2]}: year, month and day in digits"
            raise Wrong(f"{format_canonical(raw)} is no date", hint) from None
        return text

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """3 May 1897."""
        year, *rest = str(value).split("-")
        month = [_MONTHS[int(part) - 1] for part in rest[:1]]
        return " ".join([*(str(int(part)) for part in rest[1:]), *month, year.lstrip("0")])


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Order(Kind):
    """Criteria in the order in which they decide."""

    describes = "criteria, in the order in which they decide"
    example = "a list, the first that decides first: [{0}]"
    brackets = "[]"
    listed = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read words of the question's list, in any order."""
        return tuple(read_known_words(question, raw, _name_words(question)))

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """Names of the criteria, and their meaning, numbered."""
        steps = [f"{at}. {list_words(question).get(word, word)}" for at, word in enumerate(value, 1)]
        return phrases.AnswerText(", then ".join(value) or "none", " ".join(steps))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Short forms of the criteria."""
        return phrases.join_plain([question.short[word] for word in value], ", then ") or "nobody"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> phrases.Pieces:
        """Criteria in the words that are given for them."""
        pieces: list[phrases.PhrasePiece] = []
        for at, word in enumerate(value):
            pieces += [phrases.PhrasePiece("; " if at else ""), *phraser.worded(question, word, not at)]
        return phrases.merge_pieces(pieces)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """Without a criterion it is nobody."""
        return super().spoken(question, value, unit) if value else "Nobody."


class Ranking(Order):
    """Everything on the question's list in its order: the ranks of a pack, or any things that are named."""

    describes = "all things of a list, from the first to the last"
    example = "all of the list, the first first: [{0}, ...]"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read every word of the question's list once; words on trial need not stand in it."""
        ranked = tuple(read_known_words(question, raw, _name_words(question)))
        left_out = [word for word in list_words(question) if word not in {*ranked, *question.proposed}]
        if left_out:
            raise Wrong(f"{', '.join(left_out)} is left out", "name all of the list, each once")
        return ranked

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The words, and their meaning."""
        meanings = [list_words(question).get(word, word).rstrip(".") for word in value]
        return phrases.AnswerText(", ".join(value), phrases.end_sentence(", ".join(meanings)))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Short forms of the words."""
        return phrases.join_plain([question.short[word] for word in value], ", ")


class WordSet(Kind):
    """Any of the words, in the order in which the question lists them."""

    describes = "any of these, or none"
    example = "a list: [{0}], or [] for none"
    brackets = "[]"
    listed = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read words of the question's list."""
        chosen = read_known_words(question, raw, f"{_name_words(question)}, or [] for none")
        return tuple(word for word in list_words(question) if word in chosen)

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The words, and their meaning."""
        return phrases.AnswerText(
            ", ".join(value) or "none", " ".join(list_words(question).get(word, word) for word in value)
        )

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Short forms of the words."""
        return phrases.join_plain([question.short[word] for word in value], ", ") or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> phrases.Pieces:
        """The words as they are given, joined as the rule says."""
        parts = [phraser.worded(question, word) for word in value]
        return phrases.enumerate_pieces(parts, phraser.join_word(question)) or (phrases.PhrasePiece("none"),)


def read_known_words(question: Question, raw: object, example: str) -> list[str]:
    """Read words out of the list that the question gives."""
    words = list_words(question)
    return [read_one_of(word, words, f"answer to {question.slug}") for word in read_value_list(raw, example)]


class TimesOrSum(Kind):
    """A multiple of the ordinary sum, or a sum of its own."""

    describes = "so many times the ordinary, or a sum of its own"
    example = "{times: 2} or {sum: 4}"
    shorthand = ((r"[x×](\d+)", r"{times: \1}"), (r"(\d+)", r"{sum: \1}"))
    one_number = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a table of one entry."""
        table = read_value_table(raw, self.example)
        if len(table) != 1:
            raise Wrong(f"{format_canonical(raw)} has {len(table)} entries", f"write {self.example}")
        ((key, number),) = table.items()
        way = read_one_of(key, ("times", "sum"), "way of counting")
        return FrozenMap({way: read_whole_number(number, int(key == "times"))})

    def full(self, question: Question, value: Any) -> phrases.AnswerText:
        """The factor with its meaning, or the sum in digits."""
        if "sum" in value:
            return phrases.AnswerText(str(value["sum"]))
        return phrases.AnswerText(f"×{value['times']}", f"{phrases.capitalise(self.plain(question, value, ''))}.")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Twice as much, or 5 fiches."""
        if "sum" in value:
            return phrases.format_sum(value["sum"], unit)
        return "no more than the others" if value["times"] == 1 else f"{phrases.format_times(value['times'])} as much"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> phrases.Pieces:
        """Twice as much, or a sum in the source's counters."""
        times = f"{phrases.spell_times(value['times'])} as much" if "times" in value else ""
        return (phrases.PhrasePiece(times or phraser.sum(value["sum"])),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """Twice the ordinary, or 5 fiches."""
        if "sum" in value:
            return phrases.end_sentence(phrases.format_counters(value["sum"], unit))
        return phrases.end_sentence(f"{phrases.format_times(value['times'])} the ordinary")

    def is_sum(self, question: Question, value: Any) -> bool:
        """Return whether the answer is a number of counters."""
        return "sum" in value

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """The factor, or the sum."""
        ((way, number),) = value.items()
        yield way, number, ""


#: Kinds of answers of every library, as the measures of questions name them.
LIBRARY_KINDS: Mapping[str, Kind] = {
    "yes-no": YesNo(),
    "integer": Integer(),
    "money": MoneyKind(),
    "fraction": FractionKind(),
    "date": DateKind(),
    "set": WordSet(),
    "order": Order(),
    "ranking": Ranking(),
    "times-or-sum": TimesOrSum(),
}
