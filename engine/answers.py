"""Kinds of answers that know the game, and the sums of further privileged cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.cards import (
    CARD_RANKS,
    CARD_SUITS,
    ENGLISH_RANKS,
    ENGLISH_SUITS,
    SUIT_SPELLINGS,
    card_words,
    format_card,
    parse_card_name,
    spell_cards,
)
from rulebook.answers.values import (
    LITERALS,
    SlugOf,
    Wrong,
    format_canonical,
    read_filled_table,
    read_one_of,
    read_value_list,
    read_value_table,
    read_whole_number,
)
from rulebook.model import Amount, FrozenMap, Kind, Phraser, Question, Value
from rulebook.phrases import (
    AnswerText,
    PhrasePiece,
    Pieces,
    add_article,
    end_sentence,
    enumerate_pieces,
    format_count,
    format_ordinal,
    format_sum,
    format_times,
    join_names,
    join_plain,
    spell_number,
    spell_ordinal,
    spell_times,
)
from rulebook.suggestions import did_you_mean

_RANK_LETTERS = CARD_RANKS[::-1]
_THIN_SPACE = "\N{THIN SPACE}"


# --- cards in answers
def parse_card(raw: object) -> str:
    """Parse a card as rank and suit: AD is the ace of diamonds, TS the ten of spades."""
    try:
        return format_card(parse_card_name(raw if isinstance(raw, str) else ""))
    except ValueError:
        hint = f"write rank ({_RANK_LETTERS}) and suit ({CARD_SUITS}), such as JH"
        raise Wrong(f"{format_canonical(raw)} is no card", hint) from None


def by_rank(card: str) -> tuple[int, int]:
    """Aces before kings; among equals spades, hearts, diamonds, clubs."""
    return _RANK_LETTERS.index(card[0]), CARD_SUITS.index(card[1])


def name_rank(rank: str) -> str:
    """Name of a rank: ace, 9."""
    return ENGLISH_RANKS.get(rank, rank)


def name_card(card: str) -> str:
    """Name of a card, or of a rank, with its article: the ace of diamonds, the ace."""
    return f"the {name_rank(card)}" if len(card) == 1 else f"the {card_words(parse_card_name(card))}"


def phrase_card(card: str, article: str = "the ") -> Pieces:
    """Name of a card with its sign."""
    return PhrasePiece(f"{article}{card_words(parse_card_name(card))} ("), PhrasePiece(card, "card"), PhrasePiece(")")


# --- tricks
class Tricks(Kind):
    """Tricks counted from the first (1, 2) or from the last (-1, -2); or each with a factor of its own."""

    describes = "tricks, counted from the first (1) or from the last (-1)"
    example = "a list, from the first (1) or the last (-1): [1, -1], or [] for none"
    brackets = "[]"

    def enclose(self, text: str) -> str:
        """Factors have brackets of their own."""
        return text if text.startswith("{") else super().enclose(text)

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read the tricks in the order in which they are played."""
        if isinstance(raw, Mapping):
            return self._read_factors(raw)
        numbers = [self._read_trick(entry) for entry in read_value_list(raw, "[1, -1], or {1: 2, -1: 3}")]
        return tuple(sorted(numbers, key=_place_of_trick))

    def _read_factors(self, raw: Mapping[object, object]) -> Value:
        """Read how many times each trick counts; what is typed on one line has its numbers as words."""
        factors = {self._read_trick(key): read_whole_number(times, 1) for key, times in raw.items()}
        return FrozenMap((trick, factors[trick]) for trick in sorted(factors, key=_place_of_trick))  # type: ignore[misc]

    def _read_trick(self, raw: object) -> int:
        typed = isinstance(raw, str) and re.fullmatch(r"-?\d{1,2}", raw)
        number = read_whole_number(int(str(raw)) if typed else raw, -13, 13)
        if number == 0:
            raise Wrong("there is no trick 0", "the first is 1, the last is -1")
        return number

    def full(self, question: Question, value: Any) -> AnswerText:
        """Tricks by ordinal, with a factor where each has its own."""
        if isinstance(value, Mapping):
            tricks = [f"{format_ordinal(trick)} ×{factor}" for trick, factor in value.items()]
        else:
            tricks = list(map(format_ordinal, value))
        return AnswerText(", ".join(tricks) or "none")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Tricks by ordinal; several in a row from either end together: "the first and the last two"."""
        if isinstance(value, Mapping):
            row = [f"the {format_ordinal(n)} {format_times(times)}" for n, times in value.items()]
            return join_plain(row, ", ") or "none"
        names: list[str] = []
        for end, numbers in (("first", [n for n in value if n > 0]), ("last", [-n for n in value if n < 0])):
            if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]:
                names.append(f"the {end} {spell_number(len(numbers))}")
            else:
                names += [f"the {format_ordinal(n if end == 'first' else -n)}" for n in numbers]
        return join_names(names) or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """The first trick and the last; or twice in the first trick, where each has its factor."""
        if isinstance(value, Mapping):
            named = [f"{spell_times(times)} in the {spell_ordinal(n)} trick" for n, times in value.items()]
        else:
            named = [f"the {spell_ordinal(n)}{'' if at else ' trick'}" for at, n in enumerate(value)]
        return (PhrasePiece(join_names(named) or "no trick"),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """In the first and the last; or twice in the first, where each has its factor."""
        if isinstance(value, Mapping):
            return end_sentence(
                join_names([f"{format_times(f)} in the {format_ordinal(int(n))}" for n, f in value.items()])
            )
        return end_sentence(f"in {join_names([f'the {format_ordinal(n)}' for n in value]) or 'none'}")


def _place_of_trick(number: int) -> tuple[bool, int]:
    return number < 0, abs(number)


# --- what cards count
class Points(Kind):
    """Points of each rank; a rank left out counts nothing."""

    describes = "what each rank counts"
    example = "such as {A: 11, K: 4, Q: 3, J: 2} (of no book)"
    brackets = "{}"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read the points, the highest rank first."""
        table = read_value_table(raw, "{A: 4, K: 3, Q: 2, J: 1}")
        points = {
            read_one_of(rank, _RANK_LETTERS, "rank"): read_whole_number(count, 0) for rank, count in table.items()
        }
        return FrozenMap((rank, points[rank]) for rank in _RANK_LETTERS if rank in points)

    def full(self, question: Question, value: Any) -> AnswerText:
        """Ranks in letters."""
        return AnswerText(", ".join(f"{rank} {points}" for rank, points in value.items()))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Ranks by name."""
        return join_plain([f"{name_rank(rank)} {points}" for rank, points in value.items()], ", ") or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """An ace counts 4, a king 3 and a queen 2."""
        row = [
            f"{add_article(name_rank(rank))} {'' if at else 'counts '}{points}"
            for at, (rank, points) in enumerate(value.items())
        ]
        return (PhrasePiece(join_names(row) or "no card counts"),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """Ranks by name, and that there are no others."""
        row = join_names([f"{name_rank(rank)} {points}" for rank, points in value.items()])
        return end_sentence(f"{row}, the others nothing")

    def terms(self, value: Any) -> Iterator[str]:
        """Every rank that counts for something."""
        yield from (f"{rank}*" for rank in value)

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """Points of every rank."""
        yield from (("points", points, name_card(name)) for name, points in value.items())


class CardValues(Points):
    """Points of single cards."""

    describes = "what single cards count"
    example = "such as {7C: 2, 9S: 1} (of no book), or {} for none"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read the points, the highest card first."""
        table = read_value_table(raw, "{AD: 5, JH: 4}, or {} for none")
        pairs = [(parse_card(card), read_whole_number(points, 0)) for card, points in table.items()]
        read_value_list([card for card, _ in pairs], "")
        return FrozenMap(sorted(pairs, key=lambda pair: by_rank(pair[0])))

    def full(self, question: Question, value: Any) -> AnswerText:
        """Every card with its points."""
        if not value:
            return AnswerText("none", "No card counts otherwise there.")
        return AnswerText(format_canonical(value), "", tuple((card, str(points)) for card, points in value.items()))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Every card by its sign."""
        return join_plain([f"{spell_cards(card)} {points}" for card, points in value.items()], ", ") or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """The ace of diamonds counts 5 and the jack of hearts counts 4."""
        parts = [(*phrase_card(card), PhrasePiece(f" counts {points}")) for card, points in value.items()]
        return enumerate_pieces(parts, "and") or (PhrasePiece("no card counts otherwise"),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """Every card by name."""
        row = [f"{name_card(card)} {points}" for card, points in value.items()]
        return end_sentence(join_names(row) or "none counts otherwise")

    def terms(self, value: Any) -> Iterator[str]:
        """Every card that counts for something."""
        yield from value


# --- a card, a suit, the ranks
class CardKind(Kind):
    """A single card."""

    describes = "a card"
    example = "rank and suit, such as 9C"
    one_word = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a single card."""
        return parse_card(raw)

    def full(self, question: Question, value: Any) -> AnswerText:
        """Card or suit with its sign."""
        return AnswerText(value, "", () if value == "none" else ((value, ""),))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """The card by its sign."""
        return spell_cards(value)

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """The card by name and sign."""
        return phrase_card(value, "")

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """The card by name."""
        return end_sentence(name_card(value))

    def terms(self, value: Any) -> Iterator[str]:
        """The card."""
        yield value


class Suit(CardKind):
    """A suit, or none of them."""

    describes = "a suit, or none"
    example = "S, H, D, C or none"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a suit by its letter or its sign."""
        return read_one_of(_SUIT_SIGNS.get(raw, raw) if isinstance(raw, str) else raw, (*CARD_SUITS, "none"), "suit")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """The suit by name."""
        return ENGLISH_SUITS.get(value, "none")

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """The suit by name."""
        return (PhrasePiece(self.plain(question, value, "")),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """The suit by name."""
        return end_sentence(self.plain(question, value, unit))

    def terms(self, value: Any) -> Iterator[str]:
        """All cards of the suit."""
        yield f"*{value}"


_SUIT_SIGNS = {sign: suit for sign, suit in SUIT_SPELLINGS.items() if sign not in CARD_SUITS}


class Ranks(Kind):
    """All thirteen ranks, the highest first."""

    describes = "the ranks, from highest to lowest"
    example = "all thirteen, from the highest, such as KQJT98765432A (of no book)"
    one_word = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read every rank once."""
        if not isinstance(raw, str) or sorted(raw) != sorted(_RANK_LETTERS):
            hint = f'write all thirteen, such as "{_RANK_LETTERS}"'
            raise Wrong(f"{format_canonical(raw)} does not name each rank once", hint)
        return raw

    def full(self, question: Question, value: Any) -> AnswerText:
        """Ranks with thin spaces at which a line may break."""
        return AnswerText(_THIN_SPACE.join(value))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Ranks on one line; of numbers that follow one another only the last: A K … 2.

        An answer names all ranks, and the pack may lack the tens: what is cut short holds of either pack.
        """
        names = [rank.replace("T", "10") for rank in value]
        figures = [int(name) for name in names if name.isdigit()]
        whole, run = len(names) - len(figures), [*range(figures[0], figures[0] - len(figures), -1)] if figures else []
        if len(run) >= _LEAST_RUN and figures == run and all(name.isdigit() for name in names[whole:]):
            names[whole:-1] = ["…"]
        return "\N{NO-BREAK SPACE}".join(names)

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """Ranks by name."""
        return (PhrasePiece(", ".join("10" if rank == "T" else name_rank(rank) for rank in value)),)


_LEAST_RUN = 4  #: so many numbers one after another are cut short


# --- sums
class Fine(Kind):
    """A sum, or a multiple of the stake."""

    describes = "a sum, or a number of stakes"
    example = "a number, or {stakes: 1}"
    shorthand = ((r"(\d+) stakes?", r"{stakes: \1}"),)
    one_number = True

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read a sum, or a number of stakes."""
        if not isinstance(raw, Mapping):
            return read_whole_number(raw, 0)
        table = read_filled_table(raw, ("stakes",), "{stakes: 1}, or a number")
        return FrozenMap({"stakes": read_whole_number(table["stakes"], 1)})

    def full(self, question: Question, value: Any) -> AnswerText:
        """The sum in digits, or the factor of the stake."""
        return AnswerText(f"the stake ×{value['stakes']}" if isinstance(value, Mapping) else str(value))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """5 fiches, or twice the stake."""
        if not isinstance(value, Mapping):
            return format_sum(value, unit)
        return "as much as the stake" if value["stakes"] == 1 else f"{format_times(value['stakes'])} the stake"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """A sum, or as much as is being played for."""
        if not isinstance(value, Mapping):
            return (PhrasePiece(phraser.sum(value)),)
        stakes = value["stakes"]
        many = f"{spell_times(stakes)} as much"
        return (PhrasePiece("as much as is being played for" if stakes == 1 else many),)

    def spoken(self, question: Question, value: Any, unit: str) -> str:
        """The same as in plain words."""
        return end_sentence(self.plain(question, value, unit))

    def is_sum(self, question: Question, value: Any) -> bool:
        """Return whether the answer is a number of counters."""
        return isinstance(value, int)

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """The sum, or the number of stakes."""
        yield ("sum", value, "") if isinstance(value, int) else ("stakes", value["stakes"], "")


# --- hands
class Hands(Kind):
    """Holdings: the fewest aces, whether the quinola is needed, and other cards needed besides."""

    describes = "what must come together in one hand"
    example = "such as [{aces: 1, quinola: true}] (of no book), or [] for none"
    brackets = "[]"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read each holding, those with the fewest aces first."""
        hands = [read_hand(entry) for entry in read_value_list(raw, "[{aces: 3, quinola: true}], or [] for none")]
        return tuple(
            FrozenMap({"aces": aces, "quinola": quinola} | ({"cards": cards} if cards else {}))
            for aces, quinola, cards in sorted(hands)
        )

    def full(self, question: Question, value: Any) -> AnswerText:
        """Aces, with or without the quinola, or with cards that are named."""
        row = [
            f"{hand['aces']} aces and {_describe_hand(0, hand['quinola'], hand['cards'])}"
            if "cards" in hand
            else f"{hand['aces']} aces{' and the quinola' if hand['quinola'] else ', with or without the quinola'}"
            for hand in value
        ]
        return AnswerText(", or ".join(row) or "none")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Combinations in one hand: "3 aces and the quinola, or 4 aces"."""
        return join_plain([_describe_hand(**hand) for hand in value], ", or ") or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """Three aces and the quinola, or four aces and the jack of hearts."""
        pieces: list[PhrasePiece] = []
        for hand in value:
            aces = f"{', or ' if pieces else ''}{spell_number(hand['aces'])} aces"
            pieces.append(PhrasePiece(f"{aces}{' and the quinola' if hand['quinola'] else ''}"))
            for card in hand.get("cards", ()):
                pieces += [PhrasePiece(" and "), *phrase_card(card)]
        return tuple(pieces)

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """Aces of each holding."""
        yield from (("cards", hand["aces"], "aces in one hand") for hand in value)


def _describe_hand(aces: int, quinola: int, cards: Iterable[str] = ()) -> str:
    """Fewest aces, and the quinola and other cards where they are needed."""
    needed = [format_count(aces, "ace")] * bool(aces) + ["the quinola"] * bool(quinola) + [*map(spell_cards, cards)]
    return " and ".join(needed) or "any hand"


_NAMED_CARDS = "{aces: 1, cards: [JH, 9C]}"


def read_hand(raw: object) -> tuple[int, int, tuple[str, ...]]:
    """Read a number of aces, with the quinola (1) or without (0), and the cards that are named."""
    cards = read_named_cards(raw["cards"]) if isinstance(raw, Mapping) and "cards" in raw else ()
    if cards and isinstance(raw, Mapping):  # who names the cards need not say that the quinola is none of them
        raw = {"quinola": False} | {key: value for key, value in raw.items() if key != "cards"}
    if isinstance(raw, Mapping) and "aces" in raw and "quinola" not in raw:
        raise Wrong("quinola is missing", _hint_quinola(raw))
    table = read_filled_table(raw, ("aces", "quinola"), "{aces: 3, quinola: true}")
    if table["quinola"] not in (True, False):
        several = isinstance(table["quinola"], int)
        way_out = f"name the cards where it takes several: {_NAMED_CARDS}" if several else _hint_quinola(table)
        raise Wrong(f"quinola: {format_canonical(table['quinola'])} is neither true nor false", way_out)
    return read_whole_number(table["aces"], 0, 4), int(bool(table["quinola"])), cards


def _hint_quinola(hand: Mapping[str, object]) -> str:
    """Show both ways to complete a hand: one alone would be copied, true of the source or not."""
    alone, beside = (format_canonical({**hand, "quinola": asked}) for asked in (False, True))
    return f"write {alone} where the aces alone will do, {beside} where the quinola is asked for beside them"


def read_named_cards(raw: object) -> tuple[str, ...]:
    """Read the cards that a hand needs besides its aces."""
    cards = [parse_card(card) for card in read_value_list(raw, "[JH, QH]")]
    if ace := next((card for card in cards if card[0] == "A"), None):
        raise Wrong(f"{ace} is an ace", f"aces are only counted: {_NAMED_CARDS}")
    if not cards:
        raise Wrong("cards names no card", "leave it out, or write " + _NAMED_CARDS)
    read_value_list(cards, "")
    return tuple(sorted(cards, key=by_rank))


# --- privileged cards
#: What a further privileged card may have for itself, and the question that asks it of the first.
PRIVILEGED_CARD_SUMS: Mapping[str, str] = {
    "thrown-off": "quinola.thrown-off.amount",
    "forced": "quinola.forced.amount",
    "others-pay": "quinola.forced.others-pay",
    "to-every-other": "quinola.forced.to-every-other",
    "led": "quinola.led.amount",
    "led-others-pay": "quinola.led.others-pay",
    "first-each": "stake.first.each",
    "first-dealer": "stake.first.dealer",
    "first-total": "stake.first.total",
    "dealer-adds": "stake.dealer-adds",
    "renewed-dealer": "stake.renewed.dealer",
    "refreshed": "stake.refreshed.amount",
    "limit-from": "stake.limit-from",
    "limit": "stake.limit",
}
#: The sums that a privileged card may have for itself, in words.
_PRIVILEGED_SUM_PHRASES: Mapping[str, str] = {
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

_PRIVILEGED_CARDS = "[{card: 9C, name: black nine, thrown-off: 7}]"
_CARD_CALLED = re.compile(r"[^\W\d_][\w-]*( [\w-]+)*")
_LONGEST_NAME = 40
_NO_NAMES = frozenset(LITERALS.values())  # typed on one line, they are no words


class PrivilegedCards(Kind):
    """The privileged cards besides the first, each with its name and the sums that it has for itself."""

    describes = "cards with their names, each with the sums that it has for itself"
    example = f"such as {_PRIVILEGED_CARDS} (of no book), or [] for none"
    brackets = "[]"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read each card, the highest first."""
        cards = [read_privileged_card(entry) for entry in read_value_list(raw, f"{_PRIVILEGED_CARDS}, or [] for none")]
        read_value_list([card["card"] for card in cards], "")
        return tuple(sorted(cards, key=lambda card: by_rank(str(card["card"]))))

    def full(self, question: Question, value: Any) -> AnswerText:
        """Cards with their names, and with their own sums: "QH, the little quinola: 3 when thrown off"."""
        if not value:
            return AnswerText("none", "No other card is privileged.")
        cards = [f"{card['card']}{_name_with_sums(card, ': {}')}" for card in value]
        return AnswerText(", ".join(f"{card['card']} ({card['name']})" for card in value), f"{'; '.join(cards)}.")

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """Cards with their names: "Q♥, the little quinola"."""
        return join_plain([f"{spell_cards(card['card'])}, the {card['name']}" for card in value], "; ") or "none"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """The queen of hearts (QH), the little quinola (3 when thrown off)."""
        parts = [(*phrase_card(card["card"]), PhrasePiece(_name_with_sums(card, " ({})"))) for card in value]
        return enumerate_pieces(parts, "and")

    def terms(self, value: Any) -> Iterator[str]:
        """Every card."""
        yield from (card["card"] for card in value)

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """Every sum of every card."""
        for card in value:
            for key, phrase in _PRIVILEGED_SUM_PHRASES.items():
                if key in card:
                    yield "sum", card[key], f"{phrase.format('…')}: {name_card(card['card'])}"


def _name_with_sums(card: Mapping[str, Any], form: str) -> str:
    """Name of a privileged card, and the sums that it has for itself."""
    sums = [phrase.format(card[key]) for key, phrase in _PRIVILEGED_SUM_PHRASES.items() if key in card]
    return f", the {card['name']}{form.format(', '.join(sums)) if sums else ''}"


def read_privileged_card(raw: object) -> FrozenMap[str, int | str]:
    """Read one privileged card; what it leaves out follows the first card."""
    table = read_value_table(raw, _PRIVILEGED_CARDS)
    sums = {key: read_whole_number(table[key], 0) for key in PRIVILEGED_CARD_SUMS if key in table}
    known = ("card", "name", *PRIVILEGED_CARD_SUMS)
    if unknown := next((key for key in table if key not in known), None):
        raise Wrong(f"{unknown} is unknown here", did_you_mean(unknown, known, f"there are {', '.join(known)}"))
    filled_table = read_filled_table({k: table[k] for k in table if k not in sums}, ("card", "name"), _PRIVILEGED_CARDS)
    head: dict[str, int | str] = {
        "card": parse_card(filled_table["card"]),
        "name": read_card_name(filled_table["name"]),
    }
    return FrozenMap(head | sums)


def read_card_name(raw: object) -> str:
    """Read the name of a card: letters, digits, hyphens and single blanks."""
    if not isinstance(raw, str) or not _CARD_CALLED.fullmatch(raw) or len(raw) > _LONGEST_NAME or raw in _NO_NAMES:
        raise Wrong(f"{format_canonical(raw)} is no name of a card", "write it in letters: little quinola")
    return raw


# --- shapes of a deal
_SHAPE = ("players", "pack", "hand", "talon")
_SHAPES = "[{players: 2, pack: 24, hand: 9, talon: 6}]"
_SHAPE_HINT = "read again how many cards each holds when play begins, and how many lie aside"


class Shapes(Kind):
    """For each number of players and each pack, the cards in a hand and in the talon."""

    describes = "how many players, cards in the pack, in each hand, in the talon"
    example = f"such as {_SHAPES} (of no book)"
    brackets = "[]"

    def read(self, question: Question, raw: object, slug_of: SlugOf) -> Value:
        """Read each shape, those with the fewest players first."""
        shapes = [read_shape(entry) for entry in read_value_list(raw, _SHAPES)]
        return tuple(sorted(shapes, key=lambda shape: tuple(shape.values())))

    def full(self, question: Question, value: Any) -> AnswerText:
        """Players, pack, cards in each hand and in the talon."""
        lines = [
            f"{row['players']} players, {row['pack']} cards: {row['hand']} in each hand, {row['talon']} in the talon."
            for row in value
        ]
        return AnswerText("; ".join(f"{row['players']}×{row['hand']}+{row['talon']}" for row in value), " ".join(lines))

    def plain(self, question: Question, value: Any, unit: str) -> str:
        """One shape; of several, the cards in each hand, for every number of players."""
        if len(value) == 1:
            (shape,) = value
            return f"{shape['players']} players, {shape['hand']} cards each, {shape['talon']} in the talon"
        hands: dict[int, dict[str, None]] = {}
        for shape in value:
            hands.setdefault(shape["players"], {})[str(shape["hand"])] = None
        row = [f"{' or '.join(sizes)} for {players}" for players, sizes in hands.items()]
        if not row:
            return "none"
        row[0] = row[0].replace(" for ", " cards for ", 1) + " players"
        return f"{', '.join(row)}, rest in the talon"

    def phrase(self, question: Question, value: Any, phraser: Phraser) -> Pieces:
        """Each shape in words."""
        row = [
            f"{spell_number(shape['players'])} players with {shape['pack']} cards have {shape['hand']} each, "
            f"and {_phrase_talon_size(shape['talon'])}"
            for shape in value
        ]
        return (PhrasePiece("; ".join(row)),)

    def counts(self, value: Any) -> Iterator[int]:
        """Cards in a hand: that many tricks there are."""
        yield from (shape["hand"] for shape in value)

    def amounts(self, question: Question, value: Any) -> Iterator[Amount]:
        """Cards in a hand and in the talon."""
        for shape in value:
            deal = f"{shape['players']} players with {shape['pack']} cards"
            yield "cards", shape["hand"], f"in each hand: {deal}"
            yield "cards", shape["talon"], f"in the talon: {deal}"


def _phrase_talon_size(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} set aside" if number else "none is set aside"


def read_shape(raw: object) -> FrozenMap[str, int]:
    """Read one way to share out the pack, nothing left over."""
    table = read_filled_table(raw, _SHAPE, _SHAPES)
    players, pack, each, talon = (read_whole_number(table[key], int(key != "talon")) for key in _SHAPE)
    if players * each + talon != pack:
        raise Wrong(f"{players} hands of {each} and a talon of {talon} are no pack of {pack}", _SHAPE_HINT)
    return FrozenMap(zip(_SHAPE, (players, pack, each, talon), strict=True))


#: Kinds of answers of the game, as questions name them.
GAME_KINDS: Mapping[str, Kind] = {
    "tricks": Tricks(),
    "points": Points(),
    "card-values": CardValues(),
    "suit": Suit(),
    "card": CardKind(),
    "ranks": Ranks(),
    "fine": Fine(),
    "hands": Hands(),
    "privileged-cards": PrivilegedCards(),
    "shapes": Shapes(),
}
