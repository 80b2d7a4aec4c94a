"""Random mutations of valid records, texts and TEI files, for fuzzing the readers.

All are drawn from one random generator.
"""

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

TextMutation: TypeAlias = Callable[[Random, str], str]
DataMutation: TypeAlias = Callable[[Random, Any], Any]

FUZZ_CARDS = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
_CARD_PATTERN = re.compile(r"\b[AKQJT2-9][SHDC]\b")
_QUOTED_PATTERN = re.compile(r'"[^"\n]*"(?!\s*:)')
_WORD_PATTERN = re.compile(r"\w+")

#: Values that nobody meant, as they may be typed into YAML, JSON or XML.
_TYPED_WORDS = """
null ~ [] {} [[]] [b} *a &a !!int !!python/object:os.system 0x10 1_000 1e400 -0 .5 007 12:30:00 .nan .inf NaN Infinity
true yes '' "" | > - ? : # % @ ` << \\ <![CDATA[ ]]> <!-- &lol; &amp; </s> <pb/> <!DOCTYPE&x; -1 1.5
99999999999999999999 AAA.s0001 Q001 Q999 ZZZ PAM south pool 10H JH XX 2001-01-31 \U0001f0a1 é ſ
"""
TYPED_VALUES = (*_TYPED_WORDS.split(), "", "{a: b}", "e\u0301", "\u202e", "\u200b", "\u2028")
_INVISIBLE_CHARACTERS = (
    "\0", "\x07", "\x85", "\ufeff", "\t", "\r", "\r\n", "\ud800", "\udfff", "\uffff", "\U0010ffff", "\xa0", "\u0301",
)  # fmt: skip
#: Values that nobody meant, as they may come out of another program.
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 10**30, -(10**30), 10**4000, 0.5, 1e308, float("nan"), float("inf"),
    "", " ", "\n", "0", "null", "a b c", "é", "\u2028", "\ud800", "x" * 3000,
    [], {}, [[]], [None], [{}], {"": None}, {"a": {"b": []}}, ["a", "a"],
    "AS", "AS AS", "south", "pool", "PAM", "Q001", "AAA.s0001", "AAA.c001", datetime.date(2001, 1, 31),
)  # fmt: skip
ALIEN_VALUES: tuple[Any, ...] = (
    b"AS", ("AS", "KH"), {"AS"}, datetime.datetime(2001, 1, 31), 1j, object, range(3), frozenset(), 10**5000,
)  # fmt: skip
_MAX_NESTING = 5000


# --- slips in letters ---------------------------------------------------------------------------------


def make_line_mutation(change: Callable[[Random, list[str], int], None]) -> TextMutation:
    """Return a text mutation that applies *change* to one random line."""

    def slip(rng: Random, letters: str) -> str:
        lines = letters.split("\n")
        change(rng, lines, rng.randrange(len(lines)))
        return "\n".join(lines)

    return slip


def _drop_line(rng: Random, lines: list[str], at: int) -> None:
    del lines[at]


def _duplicate_line(rng: Random, lines: list[str], at: int) -> None:
    lines.insert(rng.randrange(len(lines) + 1), lines[at])


def _swap_lines(rng: Random, lines: list[str], at: int) -> None:
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _indent_line(rng: Random, lines: list[str], at: int) -> None:
    lines[at] = " " * rng.randrange(1, 5) + lines[at] if rng.random() < 0.6 else lines[at].lstrip()


def _replace_line_value(rng: Random, lines: list[str], at: int) -> None:
    head, colon, _ = lines[at].partition(":")
    lines[at] = f"{head}{colon or ':'} {rng.choice(TYPED_VALUES)}"


def _drop_substring(rng: Random, letters: str) -> str:
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + letters[at + rng.choice((1, 1, 2, 5, 40)) :]


def _truncate_text(rng: Random, letters: str) -> str:
    return letters[: rng.randrange(len(letters) + 1)]


def _insert_typed_value(rng: Random, letters: str) -> str:
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + rng.choice(TYPED_VALUES) + letters[at:]


def _insert_invisible_character(rng: Random, letters: str) -> str:
    at = rng.choice((0, rng.randrange(len(letters) + 1)))
    return letters[:at] + rng.choice(_INVISIBLE_CHARACTERS) + letters[at:]


def _change_line_endings(rng: Random, letters: str) -> str:
    return letters.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\u2028")))


def _replace_character(rng: Random, letters: str) -> str:
    at = rng.randrange(len(letters) + 1)
    return letters[:at] + chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) + letters[at + 1 :]


def replace_word(rng: Random, letters: str) -> str:
    """Replace one word by another."""
    found = list(_WORD_PATTERN.finditer(letters))
    if not found:
        return letters
    at, other = rng.choice(found), rng.choice((rng.choice(found)[0], rng.choice(TYPED_VALUES), rng.choice(FUZZ_CARDS)))
    return letters[: at.start()] + other + letters[at.end() :]


def misspell_word(rng: Random, letters: str) -> str:
    """Swap two letters of a word, or drop one."""
    found = [one for one in _WORD_PATTERN.finditer(letters) if len(one[0]) > 1]
    if not found:
        return letters
    at = rng.choice(found).start()
    return letters[:at] + letters[at + 1] + (letters[at] if rng.random() < 0.5 else "") + letters[at + 2 :]


def _nest_deeply(rng: Random, letters: str) -> str:
    at, opening = rng.randrange(len(letters) + 1), rng.choice(("[", "{a: ", '{"a": ', "- ", "<hi>", "? "))
    many = rng.choice((30, 60, 300, 900, _MAX_NESTING))
    found = list(_QUOTED_PATTERN.finditer(letters))
    if found and rng.random() < 0.5:  # closed again, so that it can be read
        one = rng.choice(found)
        return letters[: one.start()] + "[" * many + one[0] + "]" * many + letters[one.end() :]
    return letters[:at] + opening * many + letters[at:]


def _repeat_substring(rng: Random, letters: str) -> str:
    at, many = rng.randrange(len(letters) + 1), rng.choice((100, 10_000))
    piece = rng.choice((letters[at : at + rng.choice((1, 3, 8))], " ", "\xa0", "9", "\u0301", "a "))
    return letters[:at] + piece * many + letters[at:]


def _add_yaml_anchors(rng: Random, letters: str) -> str:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    twice = letters + "\n---\n" + letters
    return rng.choice((bomb + letters, "&top " + letters, "--- !!set\n" + letters, "%YAML 1.1\n---\n" + letters, twice))


_LINE_MUTATIONS = (_drop_line, _duplicate_line, _swap_lines, _indent_line, _replace_line_value, _replace_line_value)
TEXT_MUTATIONS: tuple[TextMutation, ...] = (  # some twice, to come twice as often
    *map(make_line_mutation, _LINE_MUTATIONS),
    _drop_substring, _truncate_text, _insert_typed_value, _insert_invisible_character, _change_line_endings,
    _replace_character, replace_word, replace_word, misspell_word, misspell_word, _nest_deeply, _repeat_substring,
    _add_yaml_anchors,
)  # fmt: skip


def mutate_text(rng: Random, letters: str) -> bytes:
    """Return a text with one to six mutations, at times with a flipped bit as well."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        letters = rng.choice(TEXT_MUTATIONS)(rng, letters)
    octets = bytearray(letters.encode("utf-8", "surrogatepass"))
    if octets and rng.random() < 0.1:
        octets[rng.randrange(len(octets))] ^= 1 << rng.randrange(8)
    return bytes(octets)


# --- slips in data ---------------------------------------------------------------------------------------


def iter_data_places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in nested data: its container, and its key or index there."""
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in items:
        yield data, key
        yield from iter_data_places(value)


def pick_data_place(rng: Random, data: Any) -> tuple[Any, Any]:
    """Return a random place in nested data; of empty data, a place in a new list."""
    return rng.choice(list(iter_data_places(data)) or [([data], 0)])


def _set_odd_value(rng: Random, data: Any) -> Any:
    held, key = pick_data_place(rng, data)
    held[key] = copy.deepcopy(rng.choice(_ODD_VALUES))
    return data


def _delete_data_value(rng: Random, data: Any) -> Any:
    held, key = pick_data_place(rng, data)
    del held[key]
    return data


def _swap_data_values(rng: Random, data: Any) -> Any:
    (one, a), (other, b) = pick_data_place(rng, data), pick_data_place(rng, data)
    first, second = copy.deepcopy(one[a]), copy.deepcopy(other[b])
    other[b] = first
    if rng.random() < 0.5 and one is not first:
        one[a] = second
    return data


def _change_mapping_key(rng: Random, data: Any) -> Any:
    tables = [held for held, _ in iter_data_places(data) if isinstance(held, dict)]
    if tables:
        held = rng.choice(tables)
        key = rng.choice(list(held) or [""])
        new = rng.choice((misspell_word(rng, str(key)), rng.choice(("", 0, None, True, 1.5, "pool", "ZZZ", "é"))))
        held[new] = held.pop(key, None) if rng.random() < 0.7 else copy.deepcopy(held.get(key))
    return data


def _duplicate_list_item(rng: Random, data: Any) -> Any:
    lists = [held for held, _ in iter_data_places(data) if isinstance(held, list)]
    if lists:
        held = rng.choice(lists)
        held.insert(rng.randrange(len(held) + 1), copy.deepcopy(rng.choice(held)) if held else None)
    return data


def _wrap_data_value(rng: Random, data: Any) -> Any:
    held, key = pick_data_place(rng, data)
    for _ in range(rng.choice((1, 1, 2, 50))):
        held[key] = [held[key]] if rng.random() < 0.7 else {"a": held[key]}
    return data


def nudge_number(rng: Random, data: Any) -> Any:
    """Change one whole number."""
    found = [(held, key) for held, key in iter_data_places(data) if isinstance(held[key], int)]
    if found:
        held, key = rng.choice(found)
        number = held[key]
        held[key] = rng.choice((number + 1, number - 1, -number, 0, number * 10**20, str(number), f"{number}.5", 0.5))
    return data


_STRING_MUTATIONS: tuple[TextMutation, ...] = (
    misspell_word, replace_word, _drop_substring, _insert_typed_value, _insert_invisible_character, _truncate_text,
    _repeat_substring,
)  # fmt: skip


def _mutate_string_value(rng: Random, data: Any) -> Any:
    found = [(held, key) for held, key in iter_data_places(data) if isinstance(held[key], str)]
    if found:
        held, key = rng.choice(found)
        held[key] = rng.choice(_STRING_MUTATIONS)(rng, held[key])
    return data


DATA_MUTATIONS: tuple[DataMutation, ...] = (
    _set_odd_value, _set_odd_value, _delete_data_value, _swap_data_values, _change_mapping_key, _duplicate_list_item,
    _wrap_data_value, nudge_number, _mutate_string_value, _mutate_string_value,
)  # fmt: skip


# --- slips in a deal, of which many leave it readable ----------------------------------------------------


def _map_strings(data: Any, change: Callable[[str], str]) -> Any:
    if isinstance(data, dict):
        return {_map_strings(key, change): _map_strings(value, change) for key, value in data.items()}
    if isinstance(data, list):
        return [_map_strings(one, change) for one in data]
    return change(data) if isinstance(data, str) else data


def swap_two_cards(rng: Random, deal: Any) -> Any:
    """Swap two cards everywhere: the record stays whole, the play may become illegal."""
    one, other = rng.sample(FUZZ_CARDS, 2)
    turn = {one: other, other: one}
    return _map_strings(deal, lambda words: _CARD_PATTERN.sub(lambda found: turn.get(found[0], found[0]), words))


def _rename_deal_seat(rng: Random, deal: Any) -> Any:
    names = [str(one) for one in deal["seats"]] if isinstance(deal.get("seats"), list) and deal["seats"] else ["south"]
    old, new = rng.choice(names), rng.choice(("Élise", "pool", "0", "a b", "", "\u202e", *names))
    return _map_strings(deal, lambda words: new if words == old else words)


def _change_dealer_or_seats(rng: Random, deal: Any) -> Any:
    if isinstance(deal.get("seats"), list) and deal["seats"]:
        deal["dealer"] = rng.choice(deal["seats"])
        if rng.random() < 0.3:
            rng.shuffle(deal["seats"])
    return deal


def _swap_hands_or_tricks(rng: Random, deal: Any) -> Any:
    key = rng.choice(("hands", "tricks"))
    held = deal.get(key)
    keys = list(held) if isinstance(held, dict) else list(range(len(held))) if isinstance(held, list) else []
    if len(keys) > 1:
        one, other = rng.sample(keys, 2)
        held[one], held[other] = held[other], held[one]
    return deal


def _truncate_deal_tricks(rng: Random, deal: Any) -> Any:
    if isinstance(deal.get("tricks"), list):
        del deal["tricks"][rng.randrange(len(deal["tricks"]) + 1) :]
        deal["fragment"] = rng.choice((True, True, True, False, "true", 1))
    return deal


def _change_deal_pool(rng: Random, deal: Any) -> Any:
    sums = (0, 0, 1, 7, 60, 10**18, -1, None, "60")
    state = {"stake": rng.choice(sums), "waiting": [rng.choice(sums) for _ in range(rng.randrange(4))]}
    state |= {"supplements_paid": rng.choice((True, False, None))} if rng.random() < 0.5 else {}
    deal["pool"] = state if rng.random() < 0.6 else {rng.choice(("PAM", "ACA", "ZZZ", "")): state}
    return deal


def _add_deal_event(rng: Random, deal: Any) -> Any:
    seat = rng.choice([*map(str, deal.get("seats") or ()), "nobody"])
    trick, card = rng.choice((0, 1, 2, 5, 11, 12, 99, None, "1")), rng.choice(FUZZ_CARDS)
    key, entry = rng.choice(
        (
            ("announced", {"what": rng.choice(("espagnolette", "reversis", "capot")), "seat": seat, "before": trick}),
            ("faults", {"kind": rng.choice(("revoke", "out-of-turn", "sleep")), "seat": seat, "trick": trick}),
            (
                "exchange",
                {"seat": seat, "out": rng.choice(FUZZ_CARDS), "in": card, "looked": rng.choice((True, False))},
            ),
            ("claims", None),
        )
    )
    held = deal.get(key)
    if entry is None:
        deal["claims"] = {rng.choice(("AS", "AH", "AD", "AC", "JH", card)): rng.choice((True, False, None))}
    else:
        deal[key] = [*(held if isinstance(held, list) else ()), entry]
    return deal


def change_expected_source(rng: Random, deal: Any) -> Any:
    """Rename a source, so that another is expected to give the result."""
    old, new = rng.sample(("PAM", "ACA", "GER", "PAR", "ZZZ"), 2)
    return _map_strings(deal, lambda words: new if words == old else words)


_DEAL_MUTATIONS: tuple[DataMutation, ...] = (
    swap_two_cards, swap_two_cards, _rename_deal_seat, _change_dealer_or_seats, _swap_hands_or_tricks,
    _truncate_deal_tricks, _change_deal_pool, _add_deal_event, _add_deal_event, change_expected_source,
)  # fmt: skip


def mutate_data(rng: Random, data: Any, slips: Sequence[DataMutation] = DATA_MUTATIONS) -> Any:
    """Return a copy of some data with one to three mutations."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(slips)(rng, data) if isinstance(data, dict | list) and data else data
    return data


def mutate_deal(rng: Random, deal: Mapping[str, Any]) -> Any:
    """Return a deal with mutations that keep it readable, with others, or with both."""
    gentle = rng.random() < 0.7
    found = mutate_data(rng, deal, _DEAL_MUTATIONS) if gentle else deal
    return found if gentle and rng.random() < 0.7 else mutate_data(rng, found)


# --- data in letters ---------------------------------------------------------------------------------------


class FuzzYamlDumper(yaml.SafeDumper):
    """YAML dumper that writes as another program might; unknown objects by their repr."""


FuzzYamlDumper.add_multi_representer(object, lambda dumper, one: dumper.represent_str(repr(one)))


def dump_fuzz_yaml(data: Any) -> str:
    """Serialise data as YAML, with whatever tags and anchors that takes."""
    return yaml.dump(data, Dumper=FuzzYamlDumper, allow_unicode=True, sort_keys=False)


def dump_fuzz_json(data: Any) -> str:
    """Serialise data as JSON; not always strict JSON."""
    return json.dumps(data, default=str, skipkeys=True)


# --- slips in a tree of elements ----------------------------------------------------------------------------

_ELEMENT_NAMES = (
    "s", "p", "div", "hi", "choice", "sic", "corr", "pb", "gap", "head", "list", "item", "TEI", "text", "teiHeader",
    "x",
)  # fmt: skip
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_ATTRIBUTE_NAMES = ("n", "break", "resp", "cert", "evidence", "corresp", "rend", "type", _XML_ID)
_TEI_NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
_ATTRIBUTE_VALUES = (
    "", " ", "no", "high", "5", "[5]", "[", "٣", "AAA.s0001", "AAA.e01", "#ed1", "#nobody", "text.xml#AAA.s0001", "é",
    "x" * 500,
)  # fmt: skip


def _mutate_element(rng: Random, one: Any, root: Any) -> None:
    other, parent = rng.choice([each for each in root.iter() if isinstance(each.tag, str)]), one.getparent()
    what = rng.randrange(7)
    if what == 0:
        one.tag = rng.choice((_TEI_NAMESPACE, _TEI_NAMESPACE, _TEI_NAMESPACE, "")) + rng.choice(_ELEMENT_NAMES)
    elif what == 1:
        one.set(rng.choice((*_ATTRIBUTE_NAMES, *one.attrib)), rng.choice(_ATTRIBUTE_VALUES))
    elif what == 2 and one.attrib:
        del one.attrib[rng.choice(list(one.attrib))]
    elif what == 3:
        one.text = rng.choice((None, "", " ", "mots", "a\u0301", "’", *_ATTRIBUTE_VALUES))
    elif what == 4:
        other.append(copy.deepcopy(one))
    elif what == 5 and parent is not None:
        parent.remove(one)
    elif parent is not None and one not in other.iterancestors() and one is not other:
        other.append(one)


def mutate_tei(rng: Random, letters: str) -> bytes:
    """Return a TEI file with mutations of its text, or of its elements."""
    if rng.random() < 0.4:
        return mutate_text(rng, letters)
    root = etree.fromstring(letters.encode())
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        _mutate_element(rng, rng.choice([each for each in root.iter() if isinstance(each.tag, str)]), root)
    return etree.tostring(root, encoding="utf-8")
