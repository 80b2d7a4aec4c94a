"""Slips of the pen, the keyboard and the disk: one record in, a spoilt one out, all drawn from one lot."""

from __future__ import annotations

import copy
import datetime
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import yaml
from lxml import etree

Slip: TypeAlias = Callable[[Random, str], str]
TreeSlip: TypeAlias = Callable[[Random, Any], Any]

CARDS = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
CARD = re.compile(r"\b[AKQJT2-9][SHDC]\b")
QUOTED = re.compile(r'"[^"\n]*"(?!\s*:)')
WORD = re.compile(r"\w+")

#: Values that nobody meant, as they may be typed into YAML, JSON or XML.
TYPED_WORDS = """
null ~ [] {} [[]] [b} *a &a !!int !!python/object:os.system 0x10 1_000 1e400 -0 .5 007 12:30:00 .nan .inf NaN Infinity
true yes '' "" | > - ? : # % @ ` << \\ <![CDATA[ ]]> <!-- &lol; &amp; </s> <pb/> <!DOCTYPE&x; -1 1.5
99999999999999999999 AAA.s0001 Q001 Q999 ZZZ PAM south pool 10H JH XX 2001-01-31 \U0001f0a1 é ſ
"""
TYPED = (*TYPED_WORDS.split(), "", "{a: b}", "e\u0301", "\u202e", "\u200b", "\u2028")
UNSEEN = (
    "\0",
    "\x07",
    "\x85",
    "\ufeff",
    "\t",
    "\r",
    "\r\n",
    "\ud800",
    "\udfff",
    "\uffff",
    "\U0010ffff",
    "\xa0",
    "\u0301",
)
#: Values that nobody meant, as they may come out of another program.
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 10**30, -(10**30), 10**4000, 0.5, 1e308, float("nan"), float("inf"),
    "", " ", "\n", "0", "null", "a b c", "é", "\u2028", "\ud800", "x" * 3000,
    [], {}, [[]], [None], [{}], {"": None}, {"a": {"b": []}}, ["a", "a"],
    "AS", "AS AS", "south", "pool", "PAM", "Q001", "AAA.s0001", "AAA.c001", datetime.date(2001, 1, 31),
)  # fmt: skip
ALIENS: tuple[Any, ...] = (
    b"AS",
    ("AS", "KH"),
    {"AS"},
    datetime.datetime(2001, 1, 31),
    1j,
    object,
    range(3),
    frozenset(),
    10**5000,
)
DEEP = 5000


# --- slips in letters ---------------------------------------------------------------------------------


def lines_spoilt(change: Callable[[Random, list[str], int], None]) -> Slip:
    """A slip that befalls one line."""

    def slip(rng: Random, letters: str) -> str:
        lines = letters.split("\n")
        change(rng, lines, rng.randrange(len(lines)))
        return "\n".join(lines)

    return slip


def line_lost(rng: Random, lines: list[str], at: int) -> None:
    """A line is dropped."""
    del lines[at]


def line_twice(rng: Random, lines: list[str], at: int) -> None:
    """A line is written twice, perhaps not at once."""
    lines.insert(rng.randrange(len(lines) + 1), lines[at])


def lines_swapped(rng: Random, lines: list[str], at: int) -> None:
    """Two lines change places."""
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def line_indented(rng: Random, lines: list[str], at: int) -> None:
    """A line moves to the right, or to the left."""
    lines[at] = " " * rng.randrange(1, 5) + lines[at] if rng.random() < 0.6 else lines[at].lstrip()


def value_replaced(rng: Random, lines: list[str], at: int) -> None:
    """Something else stands behind the colon."""
    head, colon, _ = lines[at].partition(":")
    lines[at] = f"{head}{colon or ':'} {rng.choice(TYPED)}"


def piece_lost(rng: Random, letters: str) -> str:
    """Some letters are lost."""
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + letters[at + rng.choice((1, 1, 2, 5, 40)) :]


def cut_short(rng: Random, letters: str) -> str:
    """The end is lost."""
    return letters[: rng.randrange(len(letters) + 1)]


def typed_in(rng: Random, letters: str) -> str:
    """Something strange is typed in."""
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + rng.choice(TYPED) + letters[at:]


def unseen_put_in(rng: Random, letters: str) -> str:
    """A letter that cannot be seen slips in."""
    at = rng.choice((0, rng.randrange(len(letters) + 1)))
    return letters[:at] + rng.choice(UNSEEN) + letters[at:]


def other_line_ends(rng: Random, letters: str) -> str:
    """Another system's line ends."""
    return letters.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\u2028")))


def letter_changed(rng: Random, letters: str) -> str:
    """One letter becomes another."""
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) + letters[at + 1 :]


def word_replaced(rng: Random, letters: str) -> str:
    """One word stands where another should."""
    found = list(WORD.finditer(letters))
    if not found:
        return letters
    at, other = rng.choice(found), rng.choice((rng.choice(found)[0], rng.choice(TYPED), rng.choice(CARDS)))
    return letters[: at.start()] + other + letters[at.end() :]


def word_misspelt(rng: Random, letters: str) -> str:
    """Two letters of a word change places, or one is lost."""
    found = [one for one in WORD.finditer(letters) if len(one[0]) > 1]
    if not found:
        return letters
    at = rng.choice(found).start()
    return letters[:at] + letters[at + 1] + (letters[at] if rng.random() < 0.5 else "") + letters[at + 2 :]


def nested_deep(rng: Random, letters: str) -> str:
    """Brackets within brackets, or elements within elements, far too many."""
    at, opening = rng.randrange(len(letters) + 1), rng.choice(("[", "{a: ", '{"a": ', "- ", "<hi>", "? "))
    many = rng.choice((30, 60, 300, 900, DEEP))
    found = list(QUOTED.finditer(letters))
    if found and rng.random() < 0.5:  # closed again, so that it can be read
        one = rng.choice(found)
        return letters[: one.start()] + "[" * many + one[0] + "]" * many + letters[one.end() :]
    return letters[:at] + opening * many + letters[at:]


def blown_up(rng: Random, letters: str) -> str:
    """A few letters stand there thousands of times."""
    at, many = rng.randrange(len(letters) + 1), rng.choice((100, 10_000))
    piece = rng.choice((letters[at : at + rng.choice((1, 3, 8))], " ", "\xa0", "9", "\u0301", "a "))
    return letters[:at] + piece * many + letters[at:]


def aliased(rng: Random, letters: str) -> str:
    """What YAML calls anchors, aliases and tags, a bomb among them."""
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    return rng.choice(
        (
            bomb + letters,
            "&top " + letters,
            "--- !!set\n" + letters,
            "%YAML 1.1\n---\n" + letters,
            letters + "\n---\n" + letters,
        )
    )


LETTERS: tuple[Slip, ...] = (
    *map(lines_spoilt, (line_lost, line_twice, lines_swapped, line_indented, value_replaced, value_replaced)),
    piece_lost, cut_short, typed_in, unseen_put_in, other_line_ends, letter_changed, word_replaced, word_replaced,
    word_misspelt, word_misspelt, nested_deep, blown_up, aliased,
)  # fmt: skip


def spoilt_letters(rng: Random, letters: str) -> bytes:
    """A text with one slip, or a few; at times a byte is flipped as well."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        letters = rng.choice(LETTERS)(rng, letters)
    octets = bytearray(letters.encode("utf-8", "surrogatepass"))
    if octets and rng.random() < 0.1:
        octets[rng.randrange(len(octets))] ^= 1 << rng.randrange(8)
    return bytes(octets)


# --- slips in data ---------------------------------------------------------------------------------------


def holders(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in some data: what holds it, and its key or number there."""
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in items:
        yield data, key
        yield from holders(value)


def anywhere(rng: Random, data: Any) -> tuple[Any, Any]:
    """A place by lot; a box of its own where there is none."""
    return rng.choice(list(holders(data)) or [([data], 0)])


def odd_value(rng: Random, data: Any) -> Any:
    """A value of another kind."""
    held, key = anywhere(rng, data)
    held[key] = copy.deepcopy(rng.choice(ODD))
    return data


def value_lost(rng: Random, data: Any) -> Any:
    """Something is left out."""
    held, key = anywhere(rng, data)
    del held[key]
    return data


def values_swapped(rng: Random, data: Any) -> Any:
    """Two things change places, or one stands in both."""
    (one, a), (other, b) = anywhere(rng, data), anywhere(rng, data)
    first, second = copy.deepcopy(one[a]), copy.deepcopy(other[b])
    other[b] = first
    if rng.random() < 0.5 and one is not first:
        one[a] = second
    return data


def key_changed(rng: Random, data: Any) -> Any:
    """A key is misspelt, or is no word, or is one too many."""
    tables = [held for held, _ in holders(data) if isinstance(held, dict)]
    if tables:
        held = rng.choice(tables)
        key = rng.choice(list(held) or [""])
        new = rng.choice((word_misspelt(rng, str(key)), rng.choice(("", 0, None, True, 1.5, "pool", "ZZZ", "é"))))
        held[new] = held.pop(key, None) if rng.random() < 0.7 else copy.deepcopy(held.get(key))
    return data


def item_doubled(rng: Random, data: Any) -> Any:
    """An item of a list stands there twice."""
    lists = [held for held, _ in holders(data) if isinstance(held, list)]
    if lists:
        held = rng.choice(lists)
        held.insert(rng.randrange(len(held) + 1), copy.deepcopy(rng.choice(held)) if held else None)
    return data


def wrapped(rng: Random, data: Any) -> Any:
    """A value in a list, in a list, in a list."""
    held, key = anywhere(rng, data)
    for _ in range(rng.choice((1, 1, 2, 50))):
        held[key] = [held[key]] if rng.random() < 0.7 else {"a": held[key]}
    return data


def number_nudged(rng: Random, data: Any) -> Any:
    """A number is a little off, or far off."""
    found = [(held, key) for held, key in holders(data) if isinstance(held[key], int)]
    if found:
        held, key = rng.choice(found)
        number = held[key]
        held[key] = rng.choice((number + 1, number - 1, -number, 0, number * 10**20, str(number), f"{number}.5", 0.5))
    return data


def word_off(rng: Random, data: Any) -> Any:
    """One of the words, or part of it, is another."""
    found = [(held, key) for held, key in holders(data) if isinstance(held[key], str)]
    if found:
        held, key = rng.choice(found)
        slips = (word_misspelt, word_replaced, piece_lost, typed_in, unseen_put_in, cut_short, blown_up)
        held[key] = rng.choice(slips)(rng, held[key])
    return data


TREE: tuple[TreeSlip, ...] = (
    odd_value, odd_value, value_lost, values_swapped, key_changed, item_doubled, wrapped, number_nudged,
    word_off, word_off,
)  # fmt: skip


# --- slips in a deal, of which many leave it readable ----------------------------------------------------


def rewritten(data: Any, change: Callable[[str], str]) -> Any:
    """All words and keys of some data, changed alike."""
    if isinstance(data, dict):
        return {change(key) if isinstance(key, str) else key: rewritten(value, change) for key, value in data.items()}
    if isinstance(data, list):
        return [rewritten(one, change) for one in data]
    return change(data) if isinstance(data, str) else data


def cards_exchanged(rng: Random, deal: Any) -> Any:
    """Two cards change places everywhere: the record stays whole, the play may not."""
    one, other = rng.sample(CARDS, 2)
    turn = {one: other, other: one}
    return rewritten(deal, lambda words: CARD.sub(lambda found: turn.get(found[0], found[0]), words))


def seats_renamed(rng: Random, deal: Any) -> Any:
    """A player has another name, or the name of another."""
    names = [str(one) for one in deal["seats"]] if isinstance(deal.get("seats"), list) and deal["seats"] else ["south"]
    old, new = rng.choice(names), rng.choice(("Élise", "pool", "0", "a b", "", "\u202e", *names))
    return rewritten(deal, lambda words: new if words == old else words)


def table_turned(rng: Random, deal: Any) -> Any:
    """Another dealer, or another order of seats."""
    if isinstance(deal.get("seats"), list) and deal["seats"]:
        deal["dealer"] = rng.choice(deal["seats"])
        if rng.random() < 0.3:
            rng.shuffle(deal["seats"])
    return deal


def cards_of_two(rng: Random, deal: Any) -> Any:
    """Two players change the cards they play, or two tricks change places."""
    key = rng.choice(("hands", "tricks"))
    held = deal.get(key)
    keys = list(held) if isinstance(held, dict) else list(range(len(held))) if isinstance(held, list) else []
    if len(keys) > 1:
        one, other = rng.sample(keys, 2)
        held[one], held[other] = held[other], held[one]
    return deal


def broken_off(rng: Random, deal: Any) -> Any:
    """Only the first tricks are known, and that may be said or not."""
    if isinstance(deal.get("tricks"), list):
        del deal["tricks"][rng.randrange(len(deal["tricks"]) + 1) :]
        deal["fragment"] = rng.choice((True, True, True, False, "true", 1))
    return deal


def another_pool(rng: Random, deal: Any) -> Any:
    """The pool holds something else, for all or for one source."""
    sums = (0, 0, 1, 7, 60, 10**18, -1, None, "60")
    state = {"stake": rng.choice(sums), "waiting": [rng.choice(sums) for _ in range(rng.randrange(4))]}
    state |= {"supplements_paid": rng.choice((True, False, None))} if rng.random() < 0.5 else {}
    deal["pool"] = state if rng.random() < 0.6 else {rng.choice(("PAM", "ACA", "ZZZ", "")): state}
    return deal


def said_and_done(rng: Random, deal: Any) -> Any:
    """Something was announced, claimed, exchanged or done wrong."""
    seat = rng.choice([*map(str, deal.get("seats") or ()), "nobody"])
    trick, card = rng.choice((0, 1, 2, 5, 11, 12, 99, None, "1")), rng.choice(CARDS)
    key, entry = rng.choice(
        (
            ("announced", {"what": rng.choice(("espagnolette", "reversis", "capot")), "seat": seat, "before": trick}),
            ("faults", {"kind": rng.choice(("revoke", "out-of-turn", "sleep")), "seat": seat, "trick": trick}),
            ("exchange", {"seat": seat, "out": rng.choice(CARDS), "in": card, "looked": rng.choice((True, False))}),
            ("claims", None),
        )
    )
    if key == "claims":
        deal["claims"] = {rng.choice(("AS", "AH", "AD", "AC", "JH", card)): rng.choice((True, False, None))}
    else:
        held = deal.get(key)
        deal[key] = [*(held if isinstance(held, list) else ()), entry]
    return deal


def expected_of_another(rng: Random, deal: Any) -> Any:
    """What is expected, is expected of somebody else."""
    old, new = rng.sample(("PAM", "ACA", "GER", "PAR", "ZZZ"), 2)
    return rewritten(deal, lambda words: new if words == old else words)


DEAL: tuple[TreeSlip, ...] = (
    cards_exchanged, cards_exchanged, seats_renamed, table_turned, cards_of_two, broken_off, another_pool,
    said_and_done, said_and_done, expected_of_another,
)  # fmt: skip


def spoilt_data(rng: Random, data: Any, slips: Sequence[TreeSlip] = TREE) -> Any:
    """Some data with one slip, or a few."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(slips)(rng, data) if isinstance(data, dict | list) and data else data
    return data


def spoilt_deal(rng: Random, deal: Mapping[str, Any]) -> Any:
    """A deal with slips that leave it readable, or with others, or with both."""
    gentle = rng.random() < 0.7
    found = spoilt_data(rng, deal, DEAL) if gentle else deal
    return found if gentle and rng.random() < 0.7 else spoilt_data(rng, found)


# --- data in letters ---------------------------------------------------------------------------------------


class Plain(yaml.SafeDumper):
    """Writes YAML as another program might; what it does not know it writes as a word."""


Plain.add_multi_representer(object, lambda dumper, one: dumper.represent_str(repr(one)))


def as_yaml(data: Any) -> str:
    """Data as YAML, with whatever ornaments that takes."""
    return yaml.dump(data, Dumper=Plain, allow_unicode=True, sort_keys=False)


def as_json(data: Any) -> str:
    """Data as JSON, not always of the pure kind."""
    return json.dumps(data, default=str, skipkeys=True)


# --- slips in a tree of elements ----------------------------------------------------------------------------

NAMES = (
    "s",
    "p",
    "div",
    "hi",
    "choice",
    "sic",
    "corr",
    "pb",
    "gap",
    "head",
    "list",
    "item",
    "TEI",
    "text",
    "teiHeader",
    "x",
)
ATTRIBUTES = (
    "n",
    "break",
    "resp",
    "cert",
    "evidence",
    "corresp",
    "rend",
    "type",
    "{http://www.w3.org/XML/1998/namespace}id",
)
TEI = "{http://www.tei-c.org/ns/1.0}"
SAID = (
    "",
    " ",
    "no",
    "high",
    "5",
    "[5]",
    "[",
    "٣",
    "AAA.s0001",
    "AAA.e01",
    "#ed1",
    "#nobody",
    "text.xml#AAA.s0001",
    "é",
    "x" * 500,
)


def spoilt_element(rng: Random, one: Any, root: Any) -> None:
    """One element is renamed, moved, doubled, emptied, taken out, or bears something else."""
    other, parent = rng.choice([each for each in root.iter() if isinstance(each.tag, str)]), one.getparent()
    what = rng.randrange(7)
    if what == 0:
        one.tag = rng.choice((TEI, TEI, TEI, "")) + rng.choice(NAMES)
    elif what == 1:
        one.set(rng.choice((*ATTRIBUTES, *one.attrib)), rng.choice(SAID))
    elif what == 2 and one.attrib:
        del one.attrib[rng.choice(list(one.attrib))]
    elif what == 3:
        one.text = rng.choice((None, "", " ", "mots", "a\u0301", "’", *SAID))
    elif what == 4:
        other.append(copy.deepcopy(one))
    elif what == 5 and parent is not None:
        parent.remove(one)
    elif parent is not None and one not in other.iterancestors() and one is not other:
        other.append(one)


def spoilt_xml(rng: Random, letters: str) -> bytes:
    """A TEI file with slips in its letters, or in its elements."""
    if rng.random() < 0.4:
        return spoilt_letters(rng, letters)
    root = etree.fromstring(letters.encode())
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        spoilt_element(rng, rng.choice([each for each in root.iter() if isinstance(each.tag, str)]), root)
    return etree.tostring(root, encoding="utf-8")
