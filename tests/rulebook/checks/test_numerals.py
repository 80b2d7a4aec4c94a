"""The value in the quotation: a number answered is quoted, or reckoned from what is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulebook.answers.values import Wrong, format_canonical, read_value
from rulebook.checks.number_words import (
    ARTICLE,
    CARDINAL,
    NOUGHT,
    ORDINAL,
    NamedNumber,
    find_named_numbers,
    learn_number_words,
)
from rulebook.checks.numbers import (
    describe_untraced_answers,
    every_number_answered_stands_in_the_quotation,
    gather_hand,
    words_for_numbers,
    words_of_grounds,
)
from rulebook.checks.numerals import (
    ComputationInputs,
    UncomputableEquation,
    compute_equations,
    describe_untraced,
    extract_answer_numbers,
    has_named_numbers,
    is_numeric,
    part_mixed_numbers,
)
from rulebook.model import Alternative, Clause, FrozenMap, Like, Source, Value
from rulebook.problems import Problem
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import find_sources
from tests.support.in_one_test import in_one_test
from tests.support.library import assembled, changed, place

CLAUSE_ID = re.compile(r"\b[A-Z]{3}\.c\d+\b")
A, B = "AAA/clauses.yaml", "BBB/clauses.yaml"

# ---- number words
NUMBER_WORDS = {
    CARDINAL: {
        "deux": 2, "Soixante-quatre": 64, "seize": 16, "vingt-un": 21, "zwey": 2, "drey": 3, "eilf": 11,
        "vierundsechzig": 64, "sixty-four": 64, "gedoppelt": 2, "doubles": 2, "twice": 2, "Helffte": 2, "II": 2,
        "16": 16,
    },
    ARTICLE: {"un": 1, "eine": 1, "so viel": 1, "as many": 1},
    ORDINAL: {"premiere": 1, "letzte": -1, "eleventh": 11},
    NOUGHT: {"nichts": 0, "aucun": 0, "nobody": 0},
}  # fmt: skip


@in_one_test(
    "words, value, kind", [(words, n, kind) for kind, named in NUMBER_WORDS.items() for words, n in named.items()]
)
def test_number_words_are_read_in_three_languages(words: str, value: int, kind: str) -> None:
    assert find_named_numbers(words) == (NamedNumber(value, kind),)


def test_a_run_of_thousands_of_digits_is_no_number_and_stops_nobody() -> None:
    digits = "9" * 10_000
    assert find_named_numbers(f"{digits} fiches, 10 jetons") == (NamedNumber(10, CARDINAL),)
    assert find_named_numbers("9" * 18) == (NamedNumber(10**18 - 1, CARDINAL),) and find_named_numbers("9" * 19) == ()
    with pytest.raises(UncomputableEquation):
        compute_equations(f"{digits} + 1 = {digits}", ComputationInputs())


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5, (5,)),
        ("own-suit", ()),
        ((1, -1), (1, -1)),
        (Like("quinola.forced.amount"), ()),
        (Like("quinola.forced.amount", 2), (2,)),
        (FrozenMap({"A": 4, "K": 3}), (4, 3)),
        (FrozenMap({"stakes": 1}), (1,)),
        ((FrozenMap({"aces": 3, "quinola": 1}), FrozenMap({"aces": 4, "quinola": 0})), (3, 4)),
    ],
)
def test_the_numbers_of_an_answer_stand_in_order(value: Value, found: tuple[int, ...]) -> None:
    assert extract_answer_numbers(value) == found


@in_one_test(
    "words, answered, yes",
    [
        ("les as comptent 4, les rois 3", (4, 3), True),
        ("les as comptent 4, les rois 3", (3, 4), True),
        ("les as comptent 4, les rois 3", (4, 2), False),
        ("three stakes, or a hundred fish", (100,), True),
        ("the last card is paid double", (-1,), True),
        ("deux jetons de chaque joueur", (2, 2), True),
        ("quatre jetons, et un à chaque joueur", (4, 1), True),
        ("un jetton, ou 5 fiches", (5,), True),
        ("un jetton, ou 5 fiches", (1,), True),
        ("un jetton, ou 5 fiches", (10,), False),
        ("2. oder 4. Marquen", (2,), True),
        ("touche une fiche", (1,), True),
        ("wer keine Asse hat, zahlt 5", (0,), False),
        ("touche une fiche", (0,), False),
        ("on ne lui payeroit rien", (0,), True),
        ("à la premiere, & à la derniere bonne", (1, -1), True),
        ("à la premiere, & à la derniere bonne", (1, -2), False),
        ("se payent comme s'ils eussent été forcés", (), True),
        ("se payent au double", (), False),
        ("the same is paid, eighty fish from every one", (), True),
    ],
)
def test_words_name_the_numbers_answered_whatever_others_stand_beside_them(
    words: str, answered: tuple[int, ...], yes: bool
) -> None:
    assert has_named_numbers(words, answered) is yes


@pytest.mark.parametrize("words", ["1½ oz. of ginger", "1 1/2 oz. of ginger", "one and a half"])
def test_a_mixed_number_is_named_as_it_is_printed(words: str) -> None:
    assert has_named_numbers(words, part_mixed_numbers("3/2")) and not has_named_numbers(words, (3, 2))
    assert part_mixed_numbers("2/3") == part_mixed_numbers(2) == ()


# ---- computations
HAND = ComputationInputs(
    frozenset({1, 2, 9}), {"jetton": 5}, frozenset({11}), {"AAA.s0001": "les sept cartes"}.__getitem__
)


@pytest.mark.parametrize(
    ("computation", "ends"),
    [
        ("un jetton = 5 fiches", (5,)),
        ("deux jettons = 2 x 5 = 10 fiches", (10,)),
        ("11 tricks - neuf = 2", (2,)),
        ("premiere levée = 1, derniere levée = -1", (1,)),
        ("double = 2; nobody else is named = 0", (2, 0)),
        ("toutes les levées: all but = 0", (0,)),
        ("7 (AAA.s0001) - 2 = 5, which is a comment", (5,)),
        ("52 (a full pack) - 4 (suits) = 48", (48,)),
        ("2 + 1 = 3; (3 + 1) / 2 = 2", (3, 2)),
        ("control: 2 x 5 = 10; un = 1", (1,)),
        ("9 + einen - 11 Stiche = -1", (-1,)),
        ("2 x ein jetton = 10", (10,)),
    ],
)
def test_a_computation_is_reckoned(computation: str, ends: tuple[int, ...]) -> None:
    hand = replace(HAND, quoted=HAND.quoted | {-1})
    assert compute_equations(computation, hand)[0][: len(ends)] == ends


@pytest.mark.parametrize(
    ("computation", "why"),
    [
        ("2 x 5 = 11", "'2 x 5 = 11' does not come out"),
        ("un jetton = 6 fiches", "'un jetton = 6 fiches' does not come out"),
        ("2 jettons = 10 fiches = 2 jettons", "does not come out"),
        ("3 x 2 = 6", "the 3 in '3 x 2 = 6' is not quoted"),
        ("8 (AAA.s0001) - 2 = 6", "the 8 in"),
        ("53 (a full pack) - 2 = 51", "the 53 in"),
        ("12 tricks - neuf = 3", "the 12 in"),
        ("4 (ours) = 4", "the 4 in"),
        ("whatever is right = 7", "does not come out"),
        ("2 of the 9 = 2", "cannot be computed"),
        ("(fifty-two - 2) / 5 = 10", "cannot be computed"),
        ("2 x (1 + 1 = 4", "cannot be computed"),
        ("2 / (1 - 1) = 2", "cannot be computed"),
        ("1 / 2 = 0", "does not come out"),
        ("two = many", "ends in no number"),
    ],
)
def test_a_computation_that_does_not_hold_is_refused(computation: str, why: str) -> None:
    with pytest.raises(UncomputableEquation) as refused:
        compute_equations(computation, HAND)
    assert why in str(refused.value)


def test_the_remark_before_a_sum_is_no_part_of_it() -> None:
    hand = replace(HAND, words=learn_number_words("en", (("a fish", 1),)))
    assert compute_equations("a fish for each point: 1 (once) = 1", hand)[0] == (1,)
    assert compute_equations("control: for four players: 2 x 9 = 18; a fish + 1 = 2", hand)[0] == (2,)
    with pytest.raises(UncomputableEquation, match="'a fish = 2' does not come out"):
        compute_equations("a fish = 2", hand)


def test_a_computation_goes_before_the_quotation() -> None:
    assert describe_untraced((2,), "deux jettons", "2 x 5 = 10", HAND)[0] == "its computation comes to 10"
    assert describe_untraced((10,), "deux jettons", "2 x 5 = 10", HAND)[0] == ""
    assert describe_untraced((2,), "deux jettons", "", HAND)[0] == ""


@pytest.mark.parametrize(
    ("computation", "hint"),
    [
        ("2 9 = 11", "put a sign between 2 and 9"),
        ("2 x (1 + 1 = 4", "close every bracket"),
        ("2 + 2 =", "in digits behind the last ="),
        ("3 x 2 = 6", "cite the words that name 3"),
        ("11 - 9 = 2", "11 tricks where tricks are counted"),
        ("52 - 4 (suits) = 48", "52 (a full pack)"),
        ("2 x 5 = 11", "the sides come to 10 and 11"),
        ("whatever is right = 7", "no number stands before the ="),
        ("9 / 2 = 9 / 2", "in the smallest counter"),
        ("2 x 5 = 10; 2 + 9 = 11", "end one sum in each of the 3 numbers answered, 10, 2, 11"),
    ],
)
def test_each_failure_of_a_computation_has_its_own_hint(computation: str, hint: str) -> None:
    why, way_out = describe_untraced((10, 2, 11), "", computation, HAND)
    assert why and hint in way_out


def test_numbers_that_are_quoted_need_no_sum_beside_those_that_are_reckoned() -> None:
    """Of the twelve numbers of an answer of Hoyle's one is reckoned, 1 + 3 = 4; the others are quoted."""
    words = "three fish; the pool is limited to fifty, and one is added by each of the three"
    assert describe_untraced((3, 3, 4, 50), words, "one + three = 4", HAND_OF_THREE) == ("", "")
    assert describe_untraced((3, 3, 5, 50), words, "one + three = 4", HAND_OF_THREE)[0]
    assert describe_untraced((3, 3, 4, 60), words, "one + three = 4", HAND_OF_THREE)[0]
    assert describe_untraced((3, 4), words, "one + three = 4; three = 3", HAND_OF_THREE)[0], "in this order"


HAND_OF_THREE = ComputationInputs(frozenset({1, 3, 50}))


def test_other_numbers_beside_the_one_answered_are_no_fault() -> None:
    assert describe_untraced((1,), "soviel sie enthalten und 4 weitere", "", HAND) == ("", "")


def test_a_number_that_is_not_quoted_is_first_of_all_to_be_mended() -> None:
    why, way_out = describe_untraced((5,), "the ace counts four", "", HAND)
    assert why == "the quotation names 4" and way_out.startswith("correct the answer, or quote the number, or add")


@pytest.mark.parametrize(("answered", "shown"), [((-2,), '"9 - 11 tricks = -2; '), ((2,), '"11 tricks - 9 = 2"')])
def test_the_hint_for_a_sum_shows_a_subtraction_where_the_answer_is_smaller(
    answered: tuple[int, ...], shown: str
) -> None:
    words = "after the ninth trick"
    assert shown in describe_untraced(answered, words, "", HAND)[1]
    assert "tricks" not in describe_untraced((20,), words, "", HAND)[1]


# ---- the check
def told(root: Path) -> list[Problem]:
    return list(every_number_answered_stands_in_the_quotation(assembled(root)))


def test_a_number_changed_is_told(root: Path) -> None:
    changed(root, A, "Q002: 2 ", "Q002: 3 ")
    (problem,) = told(root)
    assert (problem.file, problem.line) == place(root, A, "Q001: leader")[:2]
    assert problem.what == "AAA.c001: Q002 (toll.amount) answered 3, but the quotation names 2"


def test_a_number_of_an_alternative_is_told(root: Path) -> None:
    changed(root, A, "{Q003: [1]}", "{Q003: [2]}")
    (problem,) = told(root)
    assert problem.what == "AAA.i01: Q003 (toll.tricks) answered 2, but the quotation names 1"


def test_an_answer_that_goes_with_a_reading_may_rest_on_the_words_of_its_own_question(root: Path) -> None:
    changed(root, A, "{Q003: [1]}", "{Q003: [1], Q002: 2}")
    assert told(root) == [], "AAA.c001 quotes the two"
    changed(root, A, "{Q003: [1], Q002: 2}", "{Q003: [1], Q002: 9}")
    assert [one.what for one in told(root)] == [
        "AAA.i01: Q003 (toll.tricks), Q002 (toll.amount) answered 1, 9, but the quotation names 1, 2"
    ]


def test_a_statement_of_ours_stands_for_the_words_of_a_source_in_copyright(root: Path) -> None:
    changed(root, B, "{Q001: nobody}", "{Q001: leader, Q002: 1}")
    changed(root, B, "on: [Q002]", "on: []")
    assert [one.what for one in told(root)] == [
        "BBB.c001: Q002 (toll.amount) answered 1, but the quotation names no number"
    ]
    changed(root, B, "status: implied", 'computation: "nothing = 1"\n  status: implied')
    assert [one.what for one in told(root)] == [
        "BBB.c001: Q002 (toll.amount) answered 1, but its computation: 'nothing = 1' does not come out"
    ]


def test_what_is_supplied_need_not_be_quoted(root: Path) -> None:
    changed(root, B, "answers: {Q003: []}", "answers: {Q003: [4]}")
    assert told(root) == []
    changed(root, B, "taken_from: AAA", 'taken_from: AAA\n  computation: "5 (ours) = 5"')
    assert [one.what for one in told(root)] == [
        "BBB.c002: Q003 (toll.tricks) answered 4, but its computation comes to 5"
    ]


# ---- every number of the real sources, changed
@cache
def real() -> AssembledLibrary:
    return assembled(find_sources())


def plain(value: Value) -> object:
    """An answer as it would be written in a file."""
    if isinstance(value, Like):
        return {"as": value.question, "times": value.times}
    if isinstance(value, Mapping):
        return {key: bool(one) if key == "quinola" else plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, tuple) else value


def with_another(value: object, at: int, new: int) -> tuple[object, int]:
    """The answer with its n-th number exchanged, and how many are still to be passed."""
    if isinstance(value, dict):
        done = {}
        for key, one in value.items():
            done[key], at = with_another(one, at, new)
        return done, at
    if isinstance(value, list):
        items = []
        for one in value:
            item, at = with_another(one, at, new)
            items.append(item)
        return items, at
    if isinstance(value, bool) or not isinstance(value, int):
        return value, at
    return (new if at == 0 else value), at - 1


def leaves(value: object) -> list[int]:
    if isinstance(value, dict):
        return [n for one in value.values() for n in leaves(one)]
    if isinstance(value, list):
        return [n for one in value for n in leaves(one)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


Owner = Clause | Alternative


def answers() -> Iterator[tuple[Source, Clause, Owner, str]]:
    """Every numeric answer of the real sources, supplied ones and those of rivals and options among them."""
    for source in real().library.sources.values():
        for clause in source.clauses:
            owners: tuple[Owner, ...] = (clause, *clause.alternatives)
            for owner in owners:
                yield from ((source, clause, owner, slug) for slug, value in owner.answers.items() if is_numeric(value))


def tempting(source: Source, clause: Clause, owner: Owner, old: int) -> set[int]:
    """Other numbers to answer: the next ones, and all that stand in the quotations, computation and answers."""
    near = {old + 1, old - 1, 0, 1, 2, 2 * old, 5 * old}
    written = {one.value for text in (owner.computation, clause.computation) for one in find_named_numbers(text)}
    others = {n for value in (*clause.answers.values(), *owner.answers.values()) for n in extract_answer_numbers(value)}
    hand = gather_hand(real(), source, clause, owner)
    reckoned = compute_equations(owner.computation, hand)[0]
    quoted = set() if reckoned else list_quoted(source, clause, owner)
    return (near | written | others | hand.quoted) - {old} - quoted


def list_quoted(source: Source, clause: Clause, owner: Owner) -> set[int]:
    """The numbers in the words of an answer: which of them is meant, no program can tell."""
    named = find_named_numbers(words_of_grounds(source, clause, owner), words_for_numbers(source))
    return {one.value for one in named}


def survives(source: Source, clause: Clause, owner: Owner, slug: str, at: int, new: int) -> bool:
    """Whether an answer with another number in it would pass every check of its number."""
    question = real().library.questions[slug]
    raw, _ = with_another(plain(owner.answers[slug]), at, new)
    try:
        value = read_value(question, raw, str)
    except Wrong:
        return False
    if value == owner.answers[slug]:
        return False  # the same in other words
    mutant = replace(owner, answers=FrozenMap({**owner.answers, slug: value}))
    clause = mutant if isinstance(mutant, Clause) else clause
    return describe_untraced_answers(real(), source, clause, mutant) == ("", "")


def is_lent(clause: Clause, slug: str) -> bool:
    """Whether a supplied answer is that of another source's clause, which its reason names."""
    library = real().library
    named = [one for one in CLAUSE_ID.findall(clause.because) if not one.startswith(clause.id.partition(".")[0])]
    return any(library.clause(one).answers.get(slug) == clause.answers[slug] for one in named)


@pytest.mark.slow
def test_a_number_answered_is_told_where_it_is_changed_to_one_that_is_not_quoted() -> None:
    tried, survivors, free = 0, [], []
    for source, clause, owner, slug in answers():
        value = owner.answers[slug]
        if isinstance(value, Like) and value.times == 1:
            continue  # a bare reference has no number of its own
        if clause.supplied and not owner.computation:
            free += [] if is_lent(clause, slug) else [f"{owner.id} {slug}"]
            continue
        for at, old in enumerate(leaves(plain(owner.answers[slug]))):
            for new in tempting(source, clause, owner, old):
                tried += 1
                if survives(source, clause, owner, slug, at, new):
                    survivors.append(f"{owner.id} {slug} {format_canonical(owner.answers[slug])}: {old} -> {new}")
    assert survivors == []
    assert tried > 1000
    assert free == []  # supplied numbers are exempt, but all of them are reckoned, or those of the clause they name


@pytest.mark.slow
def test_every_number_of_the_real_sources_is_traced() -> None:
    assert list(every_number_answered_stands_in_the_quotation(real())) == []
