"""Answers: what each kind of measure takes, what it refuses, and how an answer is written."""

from __future__ import annotations

import ast
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from rulebook import answers
from rulebook.answers.conditions import dereference_answer, is_question_applicable, parse_conditions
from rulebook.answers.typed import parse_text
from rulebook.answers.values import Wrong, build_slug_lookup, format_canonical
from rulebook.model import CLOSED, FrozenMap, Like, Question, Value
from rulebook.phrases import pluralize_counter
from tests.support.in_one_test import in_one_test
from tests.support.kinds import ALL_KINDS, parse_value

OF = FrozenMap({"forced": "When forced.", "led": "When led.", "put": "When put."})


def asking(type: str = "", **measure: Value) -> Question:
    """A question answered by a measure, or by three readings."""
    given: Mapping[str, Value] = FrozenMap({"type": type, **measure}) if type else FrozenMap()
    readings = FrozenMap() if type else FrozenMap({"leader": "Him.", "taker": "Her.", "yes": "Yes."})
    return Question("Q001", "toll.payee", "?", "g", "payment", "c", readings, given, kind=ALL_KINDS.get(type, CLOSED))


ORDER, SET = asking("order", of=OF), asking("set", of=OF)
RANKING = asking("ranking", of=OF)
OTHERS = build_slug_lookup([Question("Q032", "quinola.forced.amount", "?", "g", "payment", "c"), asking()])
SHAPE = {"players": 4, "pack": 48, "hand": 11, "talon": 4}

GOOD: list[tuple[Question, object, object, str]] = [
    (asking(), "leader", "leader", "leader"),
    (asking("integer"), 5, 5, "5"),
    (asking("integer"), {"as": "Q032"}, Like("quinola.forced.amount"), "as quinola.forced.amount"),
    (
        asking("integer"), {"as": "quinola.forced.amount", "times": 2}, Like("quinola.forced.amount", 2),
        "as quinola.forced.amount, 2 times",
    ),
    (ORDER, ["put", "forced"], ("put", "forced"), "[put, forced]"),
    (ORDER, [], (), "[]"),
    (SET, ["put", "forced"], ("forced", "put"), "[forced, put]"),
    (asking("yes-no"), True, "yes", "yes"),
    (asking("fraction"), "2/4", "1/2", "1/2"),
    (asking("fraction"), "1½", "3/2", "3/2"),
    (asking("fraction"), "4 / 2", 2, "2"),
    (asking("date"), 1897, "1897", "1897"),
    (asking("date"), "1897-05-03", "1897-05-03", "1897-05-03"),
    (RANKING, ["put", "led", "forced"], ("put", "led", "forced"), "[put, led, forced]"),
    (asking("tricks"), [-1, 2, 1], (1, 2, -1), "[1, 2, -1]"),
    (asking("points"), {"J": 1, "A": 4}, {"A": 4, "J": 1}, "{A: 4, J: 1}"),
    (asking("card-values"), {"VH": 4, "A♦": 5}, {"AD": 5, "JH": 4}, "{AD: 5, JH: 4}"),
    (asking("card-values"), {}, {}, "{}"),
    (asking("times-or-sum"), {"times": 2}, {"times": 2}, "{times: 2}"),
    (asking("times-or-sum"), {"sum": 0}, {"sum": 0}, "{sum: 0}"),
    (asking("suit"), "D", "D", "D"),
    (asking("suit"), "none", "none", "none"),
    (asking("card"), "10s", "TS", "TS"),
    (asking("ranks"), "AKQJT98765432", "AKQJT98765432", "AKQJT98765432"),
    (asking("fine"), 10, 10, "10"),
    (asking("fine"), {"stakes": 1}, {"stakes": 1}, "{stakes: 1}"),
    (
        asking("hands"), [{"aces": 4, "quinola": False}, {"aces": 3, "quinola": True}],
        ({"aces": 3, "quinola": 1}, {"aces": 4, "quinola": 0}), "[{aces: 3, quinola: 1}, {aces: 4, quinola: 0}]",
    ),
    (asking("hands"), [], (), "[]"),
    (
        asking("hands"), [{"aces": 2, "cards": ["JH", "QH"]}, {"aces": 3, "quinola": True}],
        ({"aces": 2, "quinola": 0, "cards": ("QH", "JH")}, {"aces": 3, "quinola": 1}),
        "[{aces: 2, quinola: 0, cards: [QH, JH]}, {aces: 3, quinola: 1}]",
    ),
    (asking("shapes"), [SHAPE], (SHAPE,), "[{players: 4, pack: 48, hand: 11, talon: 4}]"),
]  # fmt: skip


@in_one_test("question, raw, value, text", GOOD)
def test_an_answer_is_read_and_always_looks_the_same(question: Question, raw: object, value: object, text: str) -> None:
    read, wrong = parse_value(question, raw, OTHERS)
    assert wrong == "" and read == value and format_canonical(read) == text
    assert parse_text(question, text, OTHERS) == (read, ""), "what is printed can be typed"
    assert hash(read) == hash(pickle.loads(pickle.dumps(read)))


LITTLE, GREAT = {"card": "QH", "name": "little quinola"}, {"card": "JH", "name": "great quinola"}
PRIVILEGED = asking("privileged-cards")
GOOD += [
    (PRIVILEGED, [], (), "[]"),
    (
        PRIVILEGED, [GREAT, {**LITTLE, "card": "D♥", "limit": 50, "thrown-off": 3}],
        ({**LITTLE, "thrown-off": 3, "limit": 50}, GREAT),
        "[{card: QH, name: little quinola, thrown-off: 3, limit: 50}, {card: JH, name: great quinola}]",
    ),
]  # fmt: skip

FRACTIONS = "write 1/2, 1 1/2 or a whole number; a spreadsheet that makes a date of 1/2 leaves ½ as it is"
DATES = "write 1897, 1897-05 or 1897-05-03: year, month and day in digits"
BAD: list[tuple[Question, object, str]] = [
    (asking(), "leeder", "leeder is no reading of toll.payee; did you mean leader?"),
    (asking(), True, "true is no reading of toll.payee; there are leader, taker, yes"),
    (asking(), ["leader"], "[leader] is no reading of toll.payee; did you mean leader?"),
    (asking("integer"), True, "true is no whole number; write the number in digits alone, such as 5"),
    (asking("integer"), "9" * 20, "'99999999999999999999' has too many digits; write at most 18"),
    (asking("integer"), "5", "5 is no whole number; write the number in digits, without quotes"),
    (asking("integer", min=1), 0, "0 is too little; the least is 1"),
    (asking("integer", max=3), 4, "4 is too much; the most is 3"),
    (asking("integer"), {"as": "Q033"}, "there is no question Q033; did you mean Q032?"),
    (asking("integer"), {"like": "Q032"}, "like is unknown here; write {as: ID} or {as: ID, times: 2}"),
    (asking("integer"), {"as": "Q032", "times": 0}, "0 is too little; the least is 1"),
    (ORDER, "forced", "forced is no list; write a list, such as [forced, led]"),
    (ORDER, ["forcd"], "forcd is no answer to toll.payee; did you mean forced?"),
    (ORDER, ["led", "led"], "led stands twice; keep it once"),
    (SET, [["led"]], "[led] is no answer to toll.payee; did you mean led?"),
    (asking("yes-no"), "y", "y is no answer to toll.payee; there are yes, no"),
    (asking("fraction"), "1/0", f"1/0 is no fraction; {FRACTIONS}"),
    (asking("fraction"), 0.5, f"0.5 is no fraction; {FRACTIONS}"),
    (asking("date"), "1897-02-30", f"1897-02-30 is no date; {DATES}"),
    (asking("date"), "May 1897", f"May 1897 is no date; {DATES}"),
    (RANKING, ["put"], "forced, led is left out; name all of the list, each once"),
    (asking("tricks"), [0], "there is no trick 0; the first is 1, the last is -1"),
    (asking("tricks"), [14], "14 is too much; the most is 13"),
    (asking("points"), {"10": 1}, "10 is no rank; there are A, K, Q, J, T, 9, 8, 7, 6, 5, 4, 3, 2"),
    (asking("points"), {"A": -1}, "-1 is too little; the least is 0"),
    (asking("card-values"), {"A": 1}, "A is no card; write rank (AKQJT98765432) and suit (SHDC), such as JH"),
    (asking("card-values"), {"JH": 1, "VH": 2}, "JH stands twice; keep it once"),
    (asking("times-or-sum"), {}, "{} has 0 entries; write {times: 2} or {sum: 4}"),
    (asking("times-or-sum"), {"time": 2}, "time is no way of counting; did you mean times?"),
    (asking("times-or-sum"), 2, "2 is no table; write a table, such as {times: 2} or {sum: 4}"),
    (asking("suit"), "X", "X is no suit; there are S, H, D, C, none"),
    (asking("suit"), "", " is no suit; there are S, H, D, C, none"),
    (asking("suit"), None, "null is no suit; did you mean none?"),
    (asking("card"), "D", "D is no card; write rank (AKQJT98765432) and suit (SHDC), such as JH"),
    (asking("ranks"), "AKQJ", 'AKQJ does not name each rank once; write all thirteen, such as "AKQJT98765432"'),
    (asking("fine"), {"stake": 1}, "stake is unknown here; did you mean stakes?"),
    (asking("fine"), -1, "-1 is too little; the least is 0"),
    (asking("hands"), [{"aces": 4}], "quinola is missing; write {aces: 4, quinola: false} where the aces alone "
     "will do, {aces: 4, quinola: true} where the quinola is asked for beside them"),
    (asking("hands"), [{"aces": 3, "quinola": "yes"}], "quinola: yes is neither true nor false; write "
     "{aces: 3, quinola: false} where the aces alone "
     "will do, {aces: 3, quinola: true} where the quinola is asked for beside them"),
    (asking("hands"), [{"aces": 5, "quinola": True}], "5 is too much; the most is 4"),
    (
        asking("hands"), [{"aces": 2, "quinola": 2}],
        "quinola: 2 is neither true nor false; name the cards where it takes several: {aces: 1, cards: [JH, 9C]}",
    ),
    (
        asking("hands"), [{"aces": 2, "cards": ["AH"]}],
        "AH is an ace; aces are only counted: {aces: 1, cards: [JH, 9C]}",
    ),
    (
        asking("hands"), [{"aces": 2, "cards": []}],
        "cards names no card; leave it out, or write {aces: 1, cards: [JH, 9C]}",
    ),
    (asking("hands"), [{"aces": 2, "cards": ["JH", "VH"]}], "JH stands twice; keep it once"),
    (asking("hands"), [{"cards": ["JH"]}], "aces is missing; write {aces: 3, quinola: true}"),
    (PRIVILEGED, [{"card": "QH"}], "name is missing; write [{card: 9C, name: black nine, thrown-off: 7}]"),
    (PRIVILEGED, [{**LITTLE, "thrown-of": 3}], "thrown-of is unknown here; did you mean thrown-off?"),
    (PRIVILEGED, [{**LITTLE, "forced": -3}], "-3 is too little; the least is 0"),
    (PRIVILEGED, [LITTLE, {**GREAT, "card": "QH"}], "QH stands twice; keep it once"),
    (PRIVILEGED, [{**LITTLE, "name": "<b>"}], "<b> is no name of a card; write it in letters: little quinola"),
    (PRIVILEGED, [{**LITTLE, "name": True}], "true is no name of a card; write it in letters: little quinola"),
    (
        asking("shapes"), [{**SHAPE, "talon": 5}],
        "4 hands of 11 and a talon of 5 are no pack of 48; read again how many cards each holds when play begins, and "
        "how many lie aside",
    ),
]  # fmt: skip


@in_one_test("question, raw, told", BAD)
def test_what_is_no_answer_is_told_with_a_way_out(question: Question, raw: object, told: str) -> None:
    assert parse_value(question, raw, OTHERS) == (None, told)


TYPED: list[tuple[Question, str, object]] = [
    (asking(), " leader ", "leader"),
    (asking("integer"), "5", 5),
    (asking("integer"), "as Q032", Like("quinola.forced.amount")),
    (asking("tricks"), "1,-1", (1, -1)),
    (asking("tricks"), "[1, -1]", (1, -1)),
    (asking("tricks"), "[]", ()),
    (asking("tricks"), "", ()),
    (ORDER, "put,forced", ("put", "forced")),
    (ORDER, "[\"put\", 'forced']", ("put", "forced")),
    (asking("card-values"), '{"AD": 5}', {"AD": 5}),
    (asking("points"), "A: 4, K: 3", {"A": 4, "K": 3}),
    (asking("times-or-sum"), "x2", {"times": 2}),
    (asking("times-or-sum"), "4", {"sum": 4}),
    (asking("fine"), "2 stakes", {"stakes": 2}),
    (asking("suit"), "♦", "D"),
    (asking("hands"), "{aces: 3, quinola: true}", ({"aces": 3, "quinola": 1},)),
    (PRIVILEGED, "[{card: QH, name: little quinola, forced: 3}]", ({**LITTLE, "forced": 3},)),
    (PRIVILEGED, '{name: "little quinola", card: QH}', (LITTLE,)),
]


@in_one_test("question, text, value", TYPED)
def test_an_answer_can_be_typed_on_one_line(question: Question, text: str, value: object) -> None:
    assert parse_text(question, text, OTHERS) == (value, "")


def test_pennies_are_pence_men_have_a_plural_of_their_own_and_other_counters_have_an_s() -> None:
    assert [pluralize_counter(unit) for unit in ("penny", "halfpenny", "fiche")] == ["pence", "halfpence", "fiches"]
    assert [pluralize_counter(unit) for unit in ("man", "black man", "box", "penny-piece", "guinea", "die", "fly")] == [
        *("men", "black men", "boxes", "penny-pieces", "guineas", "dice", "flies")
    ]


@in_one_test(
    "kind, unit, value, shown",
    [
        ("integer", "minutes", 10, "10 minutes"),
        ("integer", "minutes", 1, "1 minute"),
        ("integer", "days", 0, "0 days"),
        ("integer", "inches", 1, "1 inch"),
        ("integer", "%", 1, "1 %"),
        ("integer", "tricks", 0, "none"),
        ("fraction", "ounces", "3/2", "1 1/2 ounces"),
        ("fraction", "ounces", "1/2", "1/2 ounce"),
        ("fraction", "", "7/2", "3 1/2"),
    ],
)
def test_a_number_has_its_unit_behind_it_and_a_fraction_its_wholes_before_it(
    kind: str, unit: str, value: Value, shown: str
) -> None:
    question = asking(kind, unit=unit) if unit else asking(kind)
    assert question.kind.plain(question, value, "fiche") == shown
    assert question.kind.full(question, value).short == ("0" if unit == "tricks" else shown)


@pytest.mark.parametrize(
    "text", ["[1", "1]", "{1: ", "[1 2]", "[[[[[[1]]]]]]", '["1]', "[1,,2]", "{A: 1, A: 2}", "[,]", ":", "💥[", r'"\x"']
)
def test_what_cannot_be_read_is_told_and_does_not_crash(text: str) -> None:
    for kind in ALL_KINDS:
        value, wrong = parse_text(asking(kind), text, OTHERS)
        assert value is None and "; " in wrong


@pytest.mark.parametrize(
    ("question", "text", "form"),
    [
        (asking("hands"), "[4 As oder 3 As + Quinola]", "the form here: [{aces: 1, quinola: true}]"),
        (asking("tricks"), "[1, -1", "the form here: a list, from the first (1) or the last (-1): [1, -1]"),
        (asking("points"), "{A 4", "the form here: {A: 11, K: 4, Q: 3, J: 2}"),
        (ORDER, "[put", "the form here: a list, the first that decides first: [forced, led]"),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_answered_with_the_form_of_this_question(
    question: Question, text: str, form: str
) -> None:
    wrong = parse_text(question, text, OTHERS)[1]
    assert "cannot be read: stuck at" in wrong and form in wrong and "write 5" not in wrong


def test_answers_cannot_be_changed() -> None:
    value, _ = parse_value(asking("points"), {"A": 4}, OTHERS)
    assert isinstance(value, FrozenMap)
    with pytest.raises(TypeError):
        value["A"] = 5  # type: ignore[index]
    with pytest.raises(AttributeError):
        value._items = {}


ANSWERS: dict[str, Value] = {
    "a.hands": (FrozenMap({"aces": 3, "quinola": 1}),), "a.none": (), "a.who": "nobody", "a.nought": 0,
    "a.like": Like("a.five", 2), "a.five": 5, "a.round": Like("a.about"), "a.about": Like("a.round"),
    "a.ways": ("forced", "led"),
}  # fmt: skip


@in_one_test("depends, verdict", [
        ("", True), ("a.hands != []", True), ("a.none != []", False), ("a.none == []", True),
        ("a.who == nobody", True), ("a.who != nobody", False), ("a.nought != 0", False),
        ("a.hands != [] and a.who == nobody", True), ("a.hands != [] and a.who != nobody", False),
        ("a.who == x or a.who == nobody", True), ("a.unanswered == x or a.hands != []", True),
        ("a.who == x or a.unanswered != x", False), ("a.like == 10", True), ("a.unanswered == x", False),
        ("a.unanswered != x", False), ("a.round != 1", False), ("a.ways has led", True), ("a.ways has put", False),
        ("a.none has led", False), ("a.who has nobody", False), ("a.unanswered has led", False),
        ("a.ways has put or a.ways has led", True),
    ])  # fmt: skip
def test_a_question_makes_sense_under_its_conditions(depends: str, verdict: bool) -> None:
    assert is_question_applicable(depends, ANSWERS) is verdict


def test_a_reference_is_followed_and_multiplied() -> None:
    assert dereference_answer(Like("a.like", 3), ANSWERS) == 30
    assert dereference_answer(Like("a.round"), ANSWERS) is None
    assert dereference_answer("nobody", ANSWERS) == "nobody"


@pytest.mark.parametrize(
    ("depends", "why"),
    [
        *((text, "is no condition") for text in ("a.b", "a.b = c", "a.b in c", "a.b == c or d")),
        ("a.b == c or a.b == d and a.e == f", "by both and, or"),
    ],
)
def test_what_is_no_condition_is_refused(depends: str, why: str) -> None:
    with pytest.raises(Wrong, match=why):
        parse_conditions(depends)


def test_measures_need_the_standard_library_only() -> None:
    below = {"rulebook.model", "rulebook.problems", "rulebook.text", "rulebook.suggestions"}
    below |= {"rulebook.display", "rulebook.phrases", "rulebook.strings"}
    paths = [Path(str(sys.modules[name].__file__)) for name in below]
    for path in (*paths, *Path(str(answers.__file__)).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        guarded = {id(one) for node in ast.walk(tree) if isinstance(node, ast.If) for one in ast.walk(node)}
        names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and id(node) not in guarded]
        assert {str(name).split(".")[0] for name in names} <= sys.stdlib_module_names | {"rulebook"}
        ours = {str(name) for name in names if str(name).startswith("rulebook.")}
        assert not {name for name in ours if not name.startswith("rulebook.answers.")} - below
