"""Number words as they stand in the texts: French, German and English here, other languages from an extra.

What a source calls its numbers besides, or spells in its own way, stands under `numbers:` in its `source.yaml`, and
goes before everything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from rulebook.model import FrozenMap
from rulebook.strings import quote_value

_Numbers: TypeAlias = tuple[int, ...]

CARDINAL = "plain"  # two, deux, zwey, 2, II, double: a number and nothing else
ARTICLE = "article"  # un, ein, one: a number, or only an article
ORDINAL = "place"  # first, derniere: a place in a row
NOUGHT = "nought"  # nothing, rien, keine

_FRENCH_NUMBERS = (
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
)
_GERMAN_NUMBERS = (
    "zwey|zwei|zwo|zween drey|drei vier fünf|fünff sechs sieben acht neun zehn|zehen eilf|elf|eilff zwölf|zwölff "
    "dreyzehn|dreizehn vierzehn fünfzehn sechzehn siebzehn|siebenzehn achtzehn neunzehn"
)
_ENGLISH_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
#: the tens from twenty on, the words for one to nine, and how the two are put together
TENS: tuple[tuple[str, str, str], ...] = (
    (
        "vingt trente quarante cinquante soixante septante huitante|octante|quatre-vingt|quatre-vingts nonante",
        f"un {_FRENCH_NUMBERS}",
        "{ten}-{one}",
    ),
    (
        "zwanzig dreyßig|dreißig vierzig fünfzig|funfzig sechzig|sechtzig siebzig|siebenzig achtzig neunzig",
        f"ein {_GERMAN_NUMBERS}",
        "{one}und{ten}",
    ),
    ("twenty thirty forty fifty sixty seventy eighty|fourscore ninety", f"one {_ENGLISH_NUMBERS}", "{ten}-{one}"),
)
#: sixty and so many, eighty and so many: the French go on from there to nineteen
_FRENCH_SCORES: Mapping[str, int] = {"soixante": 60, "quatre-vingt": 80}
HUNDREDS = ("hundred", "hundert", "cent", "cents", "cens")
_FRENCH_TWENTIES = ("vingt", "vingts")
_MULTIPLIERS: Mapping[int, str] = {
    2: "double doubles doublé doublés doppelt doppelte doppelten gedoppelt verdoppelt zweyfach zweifach doubled twice "
    "half moitié hälfte helfte helffte",  # what is halved is in two parts
    3: "triple triples tripled dreyfach dreifach dreyfache thrice",
    4: "quadruple quadruples quadrupled vierfach vierfache",
}
#: Words by which a number is taken several times.
TIMES_WORDS = frozenset(word for words in _MULTIPLIERS.values() for word in words.split())
ROMAN = "II III IV VI VII VIII IX XI XII XIII"
ARTICLES = "un une ein eine einen einem einer eines eins one once einmal"
_ORDINALS: Mapping[int, str] = {
    1: "premier premiere première premiers premieres premières erste ersten erster erstes first",
    2: "second seconde deuxieme deuxième zweyte zweyten zweite zweiten",
    3: "troisieme troisième dritte dritten dritter third thirds drittel",
    4: "quatrieme quatrième vierte vierten vierter fourth fourths quarter quarters viertel",
    5: "cinquieme cinquième fünfte fünften fifth fifths fünftel",
    6: "sixieme sixième sechste sechsten sixth sixths sechstel",
    7: "septieme septième siebente siebenten siebte siebten seventh",
    8: "huitieme huitième achte achten eighth eighths achtel",
    9: "neuvieme neuvième neunte neunten ninth",
    10: "dixieme dixième zehnte zehnten tenth tenths zehntel",
    11: "onzieme onzième eilfte eilften elfte elften eleventh",
    -1: "dernier derniere dernière derniers dernieres dernières letzte letzten letzter letztes last",
    -2: "avant-dernier avant-derniere avant-dernière vorletzte vorletzten",
}
NOUGHTS = (
    "rien point aucun aucune aucunement personne nichts kein keine keinen keinem keiner keines niemand "
    "nobody none no nothing"
)
#: several words that make one number: so much for so much is one for one, and "ne ... que" leaves nothing besides
PHRASES: tuple[tuple[str, int, str], ...] = (
    (r"as (?:many|much)|so ?vie[lh]e?|autant", 1, ARTICLE),
    (r"n(?:e |')(?=[^.;:]{1,60}? qu(?:e |'))", 0, NOUGHT),
)


def _enumerate_words(words: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield number words in a row, each one more than the last.

    A bar stands between spellings.
    """
    for value, spellings in enumerate(words.split(), start):
        for word in spellings.split("|"):
            yield word, value


def _iter_tens() -> Iterator[tuple[str, int]]:
    """Yield the number words from twenty to ninety-nine."""
    for tens, ones, joined in TENS:
        for ten, times in _enumerate_words(tens, 2):
            yield ten, 10 * times
            for unit, value in _enumerate_words(ones, 1):
                if value < 10:
                    yield joined.format(ten=ten, one=unit), 10 * times + value
    for score, value in _FRENCH_SCORES.items():
        yield from ((f"{score}-{unit}", value + n) for unit, n in _enumerate_words(_FRENCH_NUMBERS, 2) if n > 9)


def _build_lexicon() -> dict[str, tuple[int, str]]:
    """Build the table of number words: value, and how surely it is a number."""
    plain = [
        pair for words in (_FRENCH_NUMBERS, _GERMAN_NUMBERS, _ENGLISH_NUMBERS) for pair in _enumerate_words(words, 2)
    ]
    plain += [*_iter_tens(), ("vingts", 20), *((word, 100) for word in HUNDREDS)]
    plain += [(word, value) for value, words in _MULTIPLIERS.items() for word in words.split()]
    lexicon = {word: (value, CARDINAL) for word, value in plain}
    lexicon |= {word: (value, ORDINAL) for value, words in _ORDINALS.items() for word in words.split()}
    lexicon |= {word: (1, ARTICLE) for word in ARTICLES.split()}
    return lexicon | {word: (0, NOUGHT) for word in NOUGHTS.split()}


LEXICON: Mapping[str, tuple[int, str]] = _build_lexicon()
ROMANS: Mapping[str, tuple[int, str]] = {
    **{word: (value, CARDINAL) for word, value in zip(ROMAN.split(), (2, 3, 4, 6, 7, 8, 9, 11, 12, 13), strict=True)},
    "I": (1, ORDINAL),
}
_MAX_DIGITS = (
    18  #: digits; a longer run of them is no number that anybody plays for, and Python reads none of thousands
)
WORD_PATTERN = r"[^\W\d_]+(?:-[^\W\d_]+)*"
TOKENS = re.compile("|".join(f"({pattern})" for pattern, _, _ in PHRASES) + rf"|(\d+)|({WORD_PATTERN})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A number as it is named in some words."""

    value: int
    kind: str


# --- other languages, old forms, a source's own words -----------------------------------------------

BUILT_IN_LANGUAGES = ("fr", "de", "en")
#: forms that the extra does not have, by language; Latin it does not have at all
_OLD_FORMS: Mapping[str, Mapping[str, str]] = {
    "it": {
        CARDINAL: "dui=2 duoi=2 dua=2 diece=10 dodeci=12 sedeci=16 diecisette=17 dieceotto=18 vinti=20 doppio=2 "
        "doppia=2 metà=2 triplo=3 tripla=3",
        ARTICLE: "un=1 una=1",
        ORDINAL: "prima=1 primi=1 undecimo=11 undecima=11 ultimo=-1 ultima=-1 penultima=-2",
        NOUGHT: "niente=0 nulla=0 nessuno=0 nessuna=0 niuno=0",
    },
    "es": {
        CARDINAL: "doble=2 doblado=2 mitad=2 triple=3 ciento=100",
        ARTICLE: "un=1 una=1",
        ORDINAL: "primera=1 undécimo=11 undécima=11 onceno=11 último=-1 última=-1 postrero=-1 postrera=-1",
        NOUGHT: "nada=0 ninguno=0 ninguna=0 nadie=0",
    },
    "nl": {
        CARDINAL: "twe=2 dry=3 sesse=6 seven=7 agt=8 elve=11 twaelf=12 dubbel=2 dubbeld=2 helft=2",
        ARTICLE: "een=1 eene=1 ééne=1",
        ORDINAL: "laatste=-1 laetste=-1",
        NOUGHT: "niets=0 geen=0 geene=0 niemand=0",
    },
    "la": {
        CARDINAL: "duo=2 duae=2 duos=2 duas=2 duobus=2 tres=3 tria=3 tribus=3 quattuor=4 quatuor=4 quinque=5 sex=6 "
        "septem=7 octo=8 novem=9 decem=10 undecim=11 duodecim=12 tredecim=13 quattuordecim=14 quindecim=15 "
        "sedecim=16 viginti=20 triginta=30 quadraginta=40 quinquaginta=50 sexaginta=60 septuaginta=70 octoginta=80 "
        "nonaginta=90 centum=100 duplum=2 dimidium=2 triplum=3",
        ARTICLE: "unus=1 una=1 unum=1",
        ORDINAL: "primus=1 prima=1 primum=1 undecimus=11 undecima=11 ultimus=-1 ultima=-1 ultimum=-1",
        NOUGHT: "nihil=0 nullus=0 nulla=0 nullum=0 nemo=0",
    },
}
_MAX_GENERATED, _MAX_ORDINAL = 1000, 13
_ANY_WORD = re.compile(r"\d+|[^\W\d_]+")
_PHRASE_GAP = re.compile(r"\s+|[-'’]")


@dataclass(frozen=True, slots=True)
class NumberWords:
    """Number words of a source that go before those read in every text."""

    named: Mapping[str, NamedNumber] = FrozenMap()  #: small letters, one space between words
    longest: int = 0  #: how many words the longest has

    def find_spans(self, text: str) -> Iterator[tuple[int, int, NamedNumber]]:
        """Yield where a number stands, the longest words first."""
        words, at = [*_ANY_WORD.finditer(text)] if self.named else [], 0
        while at < len(words):
            phrase = next(self._match_phrases(text, words[at : at + self.longest]), None)
            if phrase:
                yield phrase[1:]
            at += phrase[0] if phrase else 1

    def _match_phrases(self, text: str, words: list[re.Match[str]]) -> Iterator[tuple[int, int, int, NamedNumber]]:
        """Yield how many of these words make a number, where, and which; the most first."""
        gaps = [bool(_PHRASE_GAP.fullmatch(text[a.end() : b.start()])) for a, b in pairwise(words)]
        for count in range(len(words), 0, -1):
            start, end = words[0].start(), words[count - 1].end()
            number = self.named.get(" ".join(word[0].lower() for word in words[:count]))
            within = text[start - 1 : start] == "-" or re.match(r"-\w", text[end : end + 2])  # of a longer word
            if number and all(gaps[: count - 1]) and not within:
                yield count, start, end, number

    def write_digits(self, text: str) -> str:
        """Return an equation with digits for these words, but not in remarks in brackets."""
        text = unify_letters(text)
        for start, end, number in reversed([*self.find_spans(text)]):
            bracket = text.rfind("(", 0, start)
            noted = bracket >= 0 and text[bracket + 1 : bracket + 2].isalpha() and ")" not in text[bracket:start]
            if number.value >= 0 and not noted:
                text = f"{text[:start]}{number.value}{text[end:]}"
        return text


NO_NUMBER_WORDS = NumberWords()


@lru_cache(maxsize=64)
def learn_number_words(language: str, own: tuple[tuple[str, int], ...] = ()) -> NumberWords:
    """Return the number words of a source: those of its language, and its own before them."""
    numbers = {_normalise_phrase(word): number for word, number in _iter_language_words(language.partition("-")[0])}
    numbers |= {
        _normalise_phrase(word): NamedNumber(value, CARDINAL if value > 0 else ORDINAL if value else NOUGHT)
        for word, value in own
    }
    numbers.pop("", None)
    return NumberWords(FrozenMap(numbers), max((len(phrase.split()) for phrase in numbers), default=0))


def _normalise_phrase(words: str) -> str:
    return " ".join(_ANY_WORD.findall(unify_letters(words).lower()))


def _iter_language_words(language: str) -> Iterator[tuple[str, NamedNumber]]:
    """Yield the number words of a language that is not built in; old forms go before the extra's."""
    for word, number in _generate_words(language) if language not in BUILT_IN_LANGUAGES else ():
        yield word, number
        yield _drop_accents(word), number
    for kind, words in _OLD_FORMS.get(language, {}).items():
        for word, _, value in (pair.partition("=") for pair in words.split()):
            yield word, NamedNumber(int(value), kind)
            yield _drop_accents(word), NamedNumber(int(value), kind)


def _generate_words(language: str) -> Iterator[tuple[str, NamedNumber]]:
    """Yield what the extra knows of a language: cardinals, and ordinals as far as there are tricks."""
    try:
        from num2words import CONVERTER_CLASSES
    except ImportError:
        return
    converter = CONVERTER_CLASSES.get(language)
    for ordinal, most in ((True, _MAX_ORDINAL), (False, _MAX_GENERATED)) if converter else ():
        for value in range(1, most + 1):
            with suppress(ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):  # it has gaps
                word = converter.to_ordinal(value) if ordinal else converter.to_cardinal(value)
                yield str(word), NamedNumber(value, ORDINAL if ordinal else ARTICLE if value == 1 else CARDINAL)


def _drop_accents(word: str) -> str:
    bare = (letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(bare))


def describe_missing_language(language: str) -> str:
    """Describe what is needed to read the number words of a language; empty where nothing is."""
    base = language.partition("-")[0]
    if base in (*BUILT_IN_LANGUAGES, "la") or next(_generate_words(base), None):
        return ""
    command = 'pip install "reversis[numbers]", or -e ".[numbers]" in a clone'
    return f"number words in {quote_value(base)} need an extra: {command}"


# --- finding them ------------------------------------------------------------------------------------

_FRACTION_SIGN = re.compile("[¼-¾⅐-⅞↉]")
_JOINERS = re.compile(r"\s+(?:(?:and|et|und)\s+)?")


def unify_letters(text: str) -> str:
    """Return a text with today's letters for a long s and an umlaut written as a small e above, and 1 1/2 for 1½."""
    text = _FRACTION_SIGN.sub(lambda sign: f" {unicodedata.normalize('NFKC', sign[0])}".replace("\u2044", "/"), text)
    for old, new in (("a\u0364", "ä"), ("o\u0364", "ö"), ("u\u0364", "ü")):
        text = text.replace(old, new)
    return text.replace("ſ", "s")


_FRACTION_SIGN = re.compile("[\u00bc-\u00be\u2150-\u215e]")  #: ½, which names 1 and 2


def find_named_numbers(text: str, words: NumberWords = NO_NUMBER_WORDS) -> tuple[NamedNumber, ...]:
    """Find the numbers that some words name, in their order."""
    text = unify_letters(_FRACTION_SIGN.sub(lambda sign: f" {unicodedata.normalize('NFKC', sign[0])}", text))
    own = [*words.find_spans(text)]
    for start, end, _ in own:
        text = f"{text[:start]}{chr(0) * (end - start)}{text[end:]}"
    spans = [span for match in TOKENS.finditer(text) for span in _read_number_match(match)]
    return tuple(number for _, _, number in sorted([*_join_words(text, spans), *own], key=lambda span: span[0]))


def _read_number_match(match: re.Match[str]) -> Iterator[tuple[int, int, NamedNumber]]:
    """Yield the number that a word is, or a run of digits, or a phrase, with its place."""
    if (number := _read_number_word(match)) is not None:
        yield match.start(), match.end(), number


def _read_number_word(match: re.Match[str]) -> NamedNumber | None:
    for group, (_, value, kind) in enumerate(PHRASES, 1):
        if match[group]:
            return NamedNumber(value, kind)
    word = match[0]
    if word.isdigit():
        return NamedNumber(int(word), CARDINAL) if len(word) <= _MAX_DIGITS else None
    entry = ROMANS.get(word) or LEXICON.get(word.lower()) or _read_german_compound(word.lower())
    return NamedNumber(*entry) if entry else None


_GERMAN_HUNDREDS = re.compile(r"(?P<times>\w*)hundert(?:und)?(?P<rest>\w*)")
_GERMAN_TIMES = re.compile(r"(?P<times>\w+?)(?:mal|fach|fache|fachen)")


def _read_german_compound(word: str) -> tuple[int, str] | None:
    """Read a number written in one word with hundreds, or with how many times: zweihundertfünfzig, dreymal."""
    if match := _GERMAN_TIMES.fullmatch(word):
        return (value, CARDINAL) if (value := _find_value(match["times"], 100)) else None
    if match := _GERMAN_HUNDREDS.fullmatch(word):
        times, rest = (_find_value(match[part], most) for part, most in (("times", 10), ("rest", 100)))
        known = (times or not match["times"]) and (rest or not match["rest"])
        return (100 * (times or 1) + rest, CARDINAL) if known else None
    return None


def _find_value(word: str, below: int) -> int:
    """Return the number that a word is, if it is less than that; else 0."""
    value, kind = LEXICON.get(word, (0, NOUGHT))
    return value if kind in (CARDINAL, ARTICLE) and 0 < value < below else 0


def _join_words(text: str, spans: Iterable[tuple[int, int, NamedNumber]]) -> Iterator[tuple[int, int, NamedNumber]]:
    """Yield the numbers with those joined that several words make: two hundred, five and forty, vingt et un."""
    before: tuple[int, int, NamedNumber] | None = None
    for span in spans:
        value = _join_values(text, before, span) if before else 0
        if before and not value:
            yield before
        before = (before[0], span[1], NamedNumber(value, CARDINAL)) if before and value else span
    if before:
        yield before


def _join_values(text: str, before: tuple[int, int, NamedNumber], after: tuple[int, int, NamedNumber]) -> int:
    """Return the number that two words in a row make; 0 if they make none."""
    gap, first, second = text[before[1] : after[0]], before[2].value, after[2].value
    if not _JOINERS.fullmatch(gap) or any(
        part.isdigit() for part in (text[slice(*before[:2])], text[slice(*after[:2])])
    ):
        return 0
    if {before[2].kind, after[2].kind} - {CARDINAL, ARTICLE}:
        return 0
    word = text[slice(*after[:2])].lower()
    if not gap.strip() and ((0 < first < 10 and word in HUNDREDS) or (first == 4 and word in _FRENCH_TWENTIES)):
        return first * second
    if first in range(100, 1000, 100) and 0 < second < 100:
        return first + second
    tens = range(20, 100, 10)
    most = 20 if first in _FRENCH_SCORES.values() else 10
    either_way = (first in tens and 0 < second < most) or (bool(gap.strip()) and 0 < first < 10 and second in tens)
    return first + second if either_way else 0


def select_values(names: Iterable[NamedNumber], *kinds: str) -> _Numbers:
    """Return the values of the numbers of these kinds."""
    return tuple(number.value for number in names if number.kind in kinds)
