"""Readers as strict as the schemas, and schemas as strict as the readers: deals, sessions and all that shares the slip.

A word is no truth value, a siglum is one of a source, and what a record says must be able to mean something. What a
schema refuses its reader refuses; what it accepts is read, or refused for a reason that no schema can say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.deal.fields import BEYOND
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.generation.partial_deal import read_sketch
from engine.session.record import read_sitting
from reversis.cli.main import cli
from rulebook.io.plain_values import MAX_WHOLE_NUMBER
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.sources.paths import find_sources
from tests.support.deals import fresh, laid, read
from tests.support.in_one_test import in_one_test
from tests.support.schemas import validator
from tests.support.settling import SIGLA

ROOT = find_sources()
KNOWN = frozenset(SIGLA)
Raw = dict[str, Any]
Read = Callable[..., tuple[object, list[Problem]]]


DEAL, SESSION = validator("deal"), validator("session")
LAID = laid()
LED = LAID.tricks[0][0]
UNLED = next(c for hand in LAID.hands.values() for c in hand if c not in [row[0] for row in LAID.tricks])
SAID = {"what": "espagnolette", "seat": "east"}
SITTING: Raw = {
    "session": "mine",
    "seats": ["south", "east", "north", "west"],
    "dealer": "west",
    "deals": ["pam-quinola-placed"],
}


def told(raw: object) -> list[Problem]:
    """All that is wrong with a deal, each with a place and a hint."""
    deal, problems = read_deal(raw, sigla=KNOWN)
    assert (deal is None) == bool(problems)
    assert all(problem.file and problem.what and problem.way_out for problem in problems)
    return problems


def reasons(raw: object) -> list[str]:
    return [one.reason for one in told(raw)]


def run(*words: str, stdin: str | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(cli, words, input=stdin)
    return done.exit_code, done.output


# ---- a word is neither true nor false
@pytest.mark.parametrize("word", ["no", "yes", "false", "off", 0, None, "", []])
@pytest.mark.parametrize(
    ("place", "keys"),
    [
        (f"claims/{LED}", lambda word: {"claims": {LED: word}}),
        ("fragment", lambda word: {"fragment": word}),
        ("pool/supplements_paid", lambda word: {"pool": {"stake": 1, "supplements_paid": word}}),
        ("pool/PAM/supplements_paid", lambda word: {"pool": {"PAM": {"supplements_paid": word}}}),
        ("exchange/0/looked", lambda word: {"exchange": [{"seat": "south", "looked": word}]}),
        ("faults/0/accepted", lambda word: {"faults": [{"kind": "card-turned-up", "seat": "west", "accepted": word}]}),
        (
            "faults/0/redeemed",
            lambda word: {"faults": [{"kind": "misdeal", "seat": "west", "noticed": "in-play", "redeemed": word}]},
        ),
    ],
)
def test_a_written_no_is_refused_with_true_or_false(word: object, place: str, keys: Callable[[object], Raw]) -> None:
    """`claims: {AS: no}` settled as claimed, `fragment: yes` as no fragment."""
    (one,) = told(fresh(**keys(word)))
    assert (one.file, one.way_out) == (place, "write true or false")
    assert not DEAL.is_valid(fresh(**keys(word)))


@pytest.mark.slow
def test_a_written_no_stops_the_command_and_false_is_heard(tmp_path: Path) -> None:
    letters = (ROOT / "PAR" / "deals" / "par-led-ace-not-claimed.yaml").read_text(encoding="utf-8")
    path = tmp_path / "par-led-ace-not-claimed.yaml"
    path.write_text(letters.replace("{JH: true, AS: false}", "{JH: no, AS: no}"), encoding="utf-8")
    for command in (("run", str(path), "-s", "PAR"), ("check", str(path))):
        code, said = run(*command)
        assert code == 1 and said.count("'no' is neither true nor false\n    write true or false") == 2
    path.write_text(letters, encoding="utf-8")
    assert run("run", str(path), "-s", "PAR", "-q")[0] == 0


NO_CARDS: tuple[object, ...] = (False, 0, {})


def test_a_partial_deal_is_read_as_strictly() -> None:
    """What `reversis deal fill` and the editor in the browser read shares the reader."""
    for part, place in (
        ({"claims": {"AS": "no"}}, "claims/AS"),
        ({"pool": {"PAN": {"stake": 1}}}, "pool/PAN"),
        ({"pool": {"stake": 1, "supplements_paid": "no"}}, "pool/supplements_paid"),
        ({"title": ["x"]}, "title"),
        ({"wishes": 5}, "wishes"),
        ({"announced": [{"what": "espagnolette", "seat": "south", "before": 99}]}, "announced/0"),
        ({"note": "\ud800"}, "note"),
        ({"claims": {"AS": False, "as": True}}, "claims/as"),
        ({"announced": [SAID, SAID]}, "announced/1"),
        ({"provenance": 5}, "provenance"),
        ({"provenance": "dreamt"}, "provenance"),
        *(({"hands": {"south": nothing}}, "hands/south") for nothing in NO_CARDS),
        *(({"talon": nothing}, "talon") for nothing in NO_CARDS),
        *(({"tricks": [nothing]}, "tricks/0") for nothing in NO_CARDS),
        ({"hands": {"south": "AS\u00a0KS"}}, "hands/south"),
        ({"talon": "AS\u00a0KS"}, "talon"),
        ({"tricks": ["AS\u00a0KS"]}, "tricks/0"),
        ({"wishes": [None]}, "wishes/0"),
        ({"wishes": ["quinola led", 5]}, "wishes/1"),
        ({"wishes": [10**5000]}, "wishes/0"),
    ):
        sketch, problems = read_sketch(part, sigla=KNOWN)
        assert sketch is None and [problem.file for problem in problems] == [place], part


def test_a_key_of_a_partial_deal_with_nothing_behind_it_is_not_known_yet() -> None:
    empty = {"title": None, "provenance": None, "hands": {"south": None}, "talon": "", "tricks": [None, ""]}
    sketch, problems = read_sketch(empty)
    assert sketch is not None and not problems
    assert (sketch.hands, sketch.talon, sketch.tricks) == ({0: ()}, (), ((), ()))
    assert read_sketch({"provenance": "printed"})[0] is not None


def test_seats_that_are_wrong_are_one_problem_and_the_tricks_no_other() -> None:
    _, (problem,) = read_sketch({"seats": ["a", "b"], "tricks": ["AS KS QS"]})
    assert problem.file == "seats"


# ---- sigla
def test_a_misspelt_siglum_is_no_pool_of_nothing() -> None:
    """`pool: {PAN: ...}` settled for a pool of 0, and `expect: {PAN: ...}` tested nothing."""
    for key, entry in (("pool", {"stake": 60}), ("expect", {"net": {"south": 1}})):
        (one,) = told(fresh(**{key: {"PAN": entry}}))
        assert (one.file, one.what, one.reason) == (f"{key}/PAN", "no source PAN", "siglum")
        assert one.way_out == "did you mean 'PAM' or 'PAR'?"
        (one,) = told(fresh(**{key: {"pam": entry}}))
        assert one.what == "'pam' is no siglum of a source" and one.way_out == "did you mean 'PAM'?"
        assert read_deal(fresh(**{key: {"PAN": entry}}))[0] is not None  # who does not know the sources cannot tell


def test_a_session_expects_something_of_sources_only() -> None:
    wrong = SITTING | {"expect": {"PAN": {"after": []}, "ger": {"after": []}}}
    sitting, problems = read_sitting(wrong, sigla=KNOWN)
    assert sitting is None
    assert [(problem.file, problem.what, problem.way_out) for problem in problems] == [
        ("expect/PAN", "no source PAN", "did you mean 'PAM' or 'PAR'?"),
        ("expect/ger", "'ger' is no siglum of a source", "did you mean 'GER'?"),
    ]
    assert read_sitting(SITTING | {"expect": {"PAN": {"after": []}}})[0] is not None


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A record made for a library with one source more."""
    raw = fresh(pool={"PAM": {"stake": 60}, "XYZ": {"stake": 5}}, expect={"XYZ": {"net": {"south": 1}}})
    path = tmp_path / "made-for-a-test.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("run", "FILE", "-q"),
    ("check", "FILE"),
    ("explain", "FILE", "-s", "PAM", "-q"),
    ("worlds", "FILE", "-s", "PAM", "-q"),
    ("compare", "PAM", "GER", "--deal", "FILE"),
    ("session", "FILE", "-s", "PAM", "-q"),
)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
def test_a_record_with_more_sources_needs_ignore_unknown_which_says_what_was_not_used(
    command: tuple[str, ...], strange: Path
) -> None:
    words = [str(strange) if word == "FILE" else word for word in command]
    code, said = run(*words)
    assert code == 1 and "no source XYZ" in said
    code, said = run(*words, "--ignore-unknown")
    assert "not used, the library having no such source: pool: XYZ; expect: XYZ" in said and "no source XYZ" not in said
    assert code == 0 or command[0] in ("explain", "session")  # by chance the deal may be unlawful there


def test_lines_on_standard_input_and_partial_deals_know_it_too(strange: Path, tmp_path: Path) -> None:
    line = json.dumps(json.loads(strange.read_text(encoding="utf-8"))) + "\n"
    assert run("run", "-", "-q", stdin=line)[0] == 1
    assert "standard input: not used" in run("run", "-", "-q", "--ignore-unknown", stdin=line)[1]
    part = tmp_path / "part.yaml"
    part.write_text("pool: {XYZ: {stake: 5}}\n", encoding="utf-8")
    words = ("deal", "fill", str(part), "-s", "PAM", "--seed", "1")
    assert "no source XYZ" in run(*words)[1]
    code, said = run(*words, "--ignore-unknown")
    assert code == 0 and "not used, the library having no such source: pool: XYZ" in said


@pytest.mark.slow
def test_a_session_with_more_sources_knows_it_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    letters = "session: mine\nseats: [south, east, north, west]\ndealer: west\ndeals: [pam-quinola-placed]\n"
    path.write_text(letters + "expect: {XYZ: {after: []}}\n", encoding="utf-8")
    for words in (("session", str(path), "-s", "PAM", "-q"), ("check", str(path))):
        assert run(*words)[0] == 1 and "mine.yaml:5:15: no source XYZ" in run(*words)[1]
        code, said = run(*words, "--ignore-unknown")
        assert code == 0 and "not used, the library having no such source: expect: XYZ" in said


FILL = ("deal", "fill", "-s", "PAM", "--wish", "south has JH")


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--coverage"),
        ("check", "--needs-code"),
        ("check", "--confirm"),
        ("compare", "PAM", "ACA"),
        ("check",),
        FILL,
    ],
    ids=" ".join,
)
def test_ignore_unknown_is_refused_where_no_record_is_read(words: tuple[str, ...]) -> None:
    code, said = run(*words, "--ignore-unknown")
    assert code == 2 and "--ignore-unknown is for the record of a deal or a session" in said


# ---- what no schema can say
REVOKE = {"kind": "revoke", "seat": "south", "trick": 2}
MISDEAL = {"kind": "misdeal", "seat": "west", "noticed": "in-play"}
HANDS = {seat: " ".join(hand) for seat, hand in LAID.hands.items()}
ROWS = [" ".join(row) for row in LAID.tricks]
SOUTH, EAST, TALON = LAID.hands["south"], LAID.hands["east"], LAID.talon


def nested(depth: int) -> Raw:
    raw: Raw = {}
    for _ in range(depth):
        raw = {"in": raw}
    return raw


#: For every reason, records that the schema accepts and that are refused for it.
EXAMPLES: Mapping[str, tuple[Raw, ...]] = {
    "letters": (
        fresh(note="\ud800"),
        fresh(title="\x1b[31mred"),
        fresh(title="zero\u200bwidth"),
        fresh(note="turned\u202eround"),
        fresh(note="cafe\u0301"),
        fresh(note="\0"),
        fresh(expect={"PAM": {"outcome": {"": 1}}}),
        fresh(expect={"PAM": {"outcome": {"value": 10**100}}}),
        fresh(expect={"PAM": {"outcome": nested(50)}}),
    ),
    "fraction": (fresh(pool={"stake": 60.0}), fresh() | {"pack": 48.0}, fresh(pool={"waiting": [1e3]})),
    "siglum": (fresh(pool={"PAN": {}}), fresh(expect={"PAN": {}})),
    "seat": (
        fresh() | {"dealer": "wets"},
        fresh() | {"hands": HANDS | {"wets": ""}},
        fresh(faults=[REVOKE | {"seat": "me"}]),
        fresh(exchange=[{"seat": "me"}]),
        fresh(announced=[SAID | {"seat": "me"}]),
    ),
    "no-hand": (fresh() | {"hands": {seat: HANDS[seat] for seat in ("south", "east", "north")}},),
    "courts": (
        fresh() | {"hands": HANDS | {"south": HANDS["south"].replace("K", "R")}},
        fresh(pool={"others": {"QH": {}, "VH": {}}}),
    ),
    "pack": (
        fresh() | {"talon": " ".join([*TALON, SOUTH[0]])},
        fresh() | {"talon": " ".join(["TS", *TALON])},
        fresh() | {"talon": " ".join(TALON[1:])},
    ),
    "hand-sizes": (fresh() | {"hands": HANDS | {"south": " ".join(SOUTH[1:])}, "talon": " ".join([*TALON, SOUTH[0]])},),
    "exchange": (
        fresh(exchange=[{"seat": "south", "out": SOUTH[0]}]),
        fresh(exchange=[{"seat": "south", "in": EAST[0]}]),
    ),
    "exchanged-twice": (
        fresh(exchange=[{"seat": "south", "out": TALON[0]}, {"seat": "east", "out": TALON[0]}]),
        fresh(exchange=[{"seat": "south", "in": SOUTH[0]}, {"seat": "south", "in": SOUTH[1]}]),
        fresh(exchange=[{"seat": "south", "out": TALON[0], "in": SOUTH[0]}, {"seat": "south", "looked": True}]),
    ),
    "trick-cards": (
        fresh() | {"tricks": [ROWS[0].replace(LED, TALON[0]), *ROWS[1:]]},
        fresh() | {"tricks": [*ROWS[:-1], ROWS[0]]},
        fresh() | {"tricks": [ROWS[0][3:], *ROWS[1:]]},
    ),
    "trick-count": (fresh() | {"tricks": ROWS[:3]}, fresh() | {"tricks": [*ROWS, ""]}),
    "trick-number": (
        fresh(faults=[REVOKE | {"trick": 99}]),
        fresh(faults=[REVOKE | {"trick": 4}], fragment=True) | {"tricks": ROWS[:3]},
        fresh(announced=[SAID | {"before": 99}]),
        fresh(announced=[SAID | {"before": len(ROWS) + 1}]),
        fresh(announced=[SAID | {"before": len(ROWS) + 1}], fragment=True) | {"tricks": ROWS[:3]},
    ),
    "not-led": (fresh(claims={UNLED: False}), fresh(claims={TALON[0]: True})),
    "told-twice": (
        fresh(faults=[MISDEAL, MISDEAL | {"noticed": "before-lead"}]),
        fresh(announced=[SAID, SAID | {"before": 2}]),
        fresh(claims={LED: False, LED.lower(): True}),
        fresh(pool={"others": {"QH": {}, "D♥": {}}}),
    ),
    "not-the-dealer": (fresh(faults=[{"kind": "badly-shuffled", "seat": "south"}]),),
}


@in_one_test("reason, raw", [(reason, raw) for reason, all_ in EXAMPLES.items() for raw in all_])
def test_what_no_schema_can_say_is_refused_for_a_published_reason(reason: str, raw: Raw) -> None:
    """Among them: a revoke in trick 99, a card laid out twice, a second exchange, a claim on a card never led."""
    assert DEAL.is_valid(raw)
    assert reason in reasons(raw) and "" not in reasons(raw)


def test_the_same_fault_twice_is_refused_by_schema_and_reader() -> None:
    for raw in (fresh(faults=[REVOKE, REVOKE]), fresh(announced=[SAID, SAID])):
        assert not DEAL.is_valid(raw) and reasons(raw) == ["told-twice"]


def test_a_deal_that_a_session_names_must_be_there(library: Library, tmp_path: Path) -> None:
    from reversis.files.sessions import read_session_file

    path = tmp_path / "mine.yaml"
    letters = "session: mine\nseats: [a, b, c, d]\ndealer: a\ndeals: [pam-quinola-plced]\n"
    path.write_text(letters, encoding="utf-8")
    (one,) = read_session_file(library, path).problems
    assert one.reason == "deal" and "pam-quinola-placed" in one.way_out


@pytest.mark.parametrize("key", ["deal", "title", "note", "provenance"])
@pytest.mark.parametrize("value", [None, 5, ["x"], {"a": 1}, True])
def test_a_title_or_a_note_is_a_text(key: str, value: object) -> None:
    assert [one.file for one in told(fresh() | {key: value})] == [key] and not DEAL.is_valid(fresh() | {key: value})
    if key != "deal":
        sitting, problems = read_sitting(SITTING | {key: value})
        assert sitting is None and [problem.file for problem in problems] == [key]


@pytest.mark.parametrize("stake", [10**16, 1e20, 10**40, float("inf")])
def test_a_sum_that_is_far_too_large_is_told_the_bound(stake: float) -> None:
    (one,) = told(fresh(pool={"stake": stake}))
    assert (one.what, one.way_out) == (
        "the stake is far too large",
        f"write a whole number, 0 or more, at most {MAX_WHOLE_NUMBER}",
    )


def test_half_a_letter_in_a_session_is_refused() -> None:
    sitting, (problem,) = read_sitting(SITTING | {"note": "\ud800"})
    assert sitting is None and (problem.file, problem.reason) == ("note", "letters")


def test_a_claim_that_says_nothing_is_not_written() -> None:
    """A search that moves cards about may leave one behind; the record of its find must be readable."""
    from dataclasses import replace

    from engine.cards import parse_card_name

    deal = read(fresh(claims={LED: False}))
    found = write_deal(replace(deal, claims={parse_card_name(LED): False, parse_card_name(UNLED): False}))
    assert found["claims"] == {LED: False} and read(found)


@pytest.mark.parametrize("word", ["aſ", "K\u212a", "A S", "1S", "ASS", "\u00a0AS", ""])
def test_only_letters_of_cards_make_a_card(word: str) -> None:
    """Python takes a long s for an S; no card book does, and no schema."""
    assert not DEAL.is_valid(fresh(exchange=[{"seat": "south", "out": word}]))
    faults = told(fresh(exchange=[{"seat": "south", "out": word}]))
    assert any("is no card" in fault.what or "not NFC" in fault.what for fault in faults)


# ---- schemas and readers, held to each other


NUMBERS = (
    0, 1, -1, 3, 12, 48, 52, 60, 99, MAX_WHOLE_NUMBER, MAX_WHOLE_NUMBER + 1, 10**101, 60.0, 48.0, 2.5, float("inf"),
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(NUMBERS),
    st.sampled_from(("", "no", "yes", "true", "60", "pool", "south", "west", "sooth", "PAM", "pam", "PAN", "\ud800")),
    st.sampled_from((LED, UNLED, TALON[0], "as", "10H", "TS", " AS\n", "♠A", "A♤", "aſ", "AS KH", "AS  KH ")),
    st.sampled_from(("espagnolette", "revoke", "misdeal", "peek", "ten-cards", "in-play", "printed", "dreamt")),
    st.text(max_size=3),
)
WORDS = """
pool stake waiting expect PAM PAN pam net note title after accounts outcome seat out in looked what before kind trick
noticed redeemed accepted fragment claims exchange faults announced cites provenance south colour as gives to
"""
KEYS = st.sampled_from([*WORDS.split(), LED, UNLED])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
WHOLE = fresh(
    title="a title",
    note="a note",
    cites=["PAM.s0071"],
    pool={"PAM": {"stake": 60, "waiting": [5]}, "PAR": {"stake": 25, "waiting": 7, "supplements_paid": True}},
    exchange=[{"seat": "south", "out": TALON[0], "in": SOUTH[0]}, {"seat": "east", "looked": True}],
    claims={LED: False},
    announced=[SAID],
    faults=[REVOKE, MISDEAL | {"redeemed": True}, {"kind": "card-turned-up", "seat": "west", "accepted": True}],
    expect={"PAM": {"net": {"south": -1}, "pool": {"stake": 1}, "outcome": {"partie": None}, "note": "x"}},
)
SAT = SITTING | {
    "title": "a title",
    "cites": ["PAM.s0071"],
    "expect": {"PAM": {"after": [{"accounts": {"south": -1, "pool": 1}, "pool": {"stake": 1}, "next_dealer": "west"}]}},
}


def worked(pattern: str) -> list[Raw]:
    found = [read_yaml(path, path.name)[0] for path in sorted(ROOT.glob(pattern))]
    return [raw for raw in found if isinstance(raw, dict)]


def places(raw: object) -> list[tuple[Any, Any]]:
    """Every list or table with one of its keys, all the way down."""
    keys = list(raw) if isinstance(raw, dict) else list(range(len(raw))) if isinstance(raw, list) else []
    return [(raw, key) for key in keys] + [place for key in keys for place in places(raw[key])]  # type: ignore[index]


@st.composite
def spoilt(draw: st.DrawFn, sound: list[Raw]) -> Raw:
    """A sound record in which some things are replaced, left out, added, said again or given another name."""
    raw = deepcopy(draw(st.sampled_from(sound)))
    for _ in range(draw(st.integers(0, 3))):
        if not (found := places(raw)):
            break
        held, key = draw(st.sampled_from(found))
        act = draw(st.sampled_from(("replace", "remove", "add", "again", "rename")))
        if act == "replace":
            held[key] = draw(VALUES)
        elif act == "remove":
            del held[key]
        elif act == "add" and isinstance(held[key], dict):
            held[key][draw(KEYS)] = draw(VALUES)
        elif act == "add" and isinstance(held[key], list):
            held[key].append(draw(VALUES))
        elif act == "again" and isinstance(held, list):
            held.append(deepcopy(held[key]))
        elif act == "rename" and isinstance(held, dict):
            held[draw(KEYS)] = held.pop(key)
    return raw


def find_disagreement(schema: jsonschema.Draft202012Validator, raw: Raw, read: Read) -> str:
    """What schema and reader say otherwise of a record, but for what no schema can say; nothing if they agree."""
    errors, (record, problems) = list(schema.iter_errors(raw)), read(raw, sigla=KNOWN)
    found = {problem.reason for problem in problems}
    if (record is not None) != (not problems) or not all(one.file and one.what and one.way_out for one in problems):
        return "a problem says too little, or a record with problems was read"
    if any(error.validator != "uniqueItems" or error.path[0] == "seats" for error in errors):
        return "" if record is None and {"", "letters"} & found else errors[0].message
    if errors and record is not None:
        return errors[0].message
    # that two entries are the same a schema can say, that they mean the same only the reader
    return "; ".join(str(problem) for problem in problems if problem.reason not in BEYOND)


#: What stands in for a value, one after the other: nothing, a word, a number, another shape.
INSTEAD: tuple[object, ...] = (
    *(None, False, True, 0, 1, 99, 1.0, 2.5, float("inf")),
    *("", "no", "AS", [], [None], ["AS"], [{}], {}, {"a": 1}),
)


def altered(sound: Raw) -> Iterable[Raw]:
    """Every value of a record in turn replaced by each of a few, left out, said again, and put beside a strange key."""
    for at in range(len(places(sound))):
        yield from (changed(sound, at, partial(put, value)) for value in INSTEAD)
        yield changed(sound, at, lambda held, key: held.__delitem__(key))
        yield changed(sound, at, lambda held, key: held.append(held[key]) if isinstance(held, list) else None)
        yield changed(sound, at, lambda held, key: held.update(colour=1) if isinstance(held, dict) else None)


def put(value: object, held: Any, key: Any) -> None:
    held[key] = value


def changed(sound: Raw, at: int, act: Callable[[Any, Any], object]) -> Raw:
    raw = deepcopy(sound)
    act(*places(raw)[at])
    return raw


@pytest.mark.release
def test_one_change_anywhere_is_refused_by_both_or_by_neither() -> None:
    assert {find_disagreement(DEAL, raw, read_deal) for raw in altered(WHOLE)} == {""}
    assert {find_disagreement(SESSION, raw, read_sitting) for raw in altered(SAT)} == {""}


MANY = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@MANY
@given(raw=spoilt([WHOLE, WHOLE, WHOLE, *worked("*/deals/*.yaml")[::9]]))
def test_what_the_schema_of_deals_refuses_the_reader_refuses_and_the_other_way_round(raw: Raw) -> None:
    assert find_disagreement(DEAL, raw, read_deal) == ""


@pytest.mark.slow
@MANY
@given(raw=spoilt([SAT, SAT, *worked("sessions/*.yaml")]))
def test_what_the_schema_of_sessions_refuses_the_reader_refuses_and_the_other_way_round(raw: Raw) -> None:
    assert find_disagreement(SESSION, raw, read_sitting) == ""


def test_the_sound_records_that_are_spoilt_are_sound() -> None:
    assert DEAL.is_valid(WHOLE) and told(WHOLE) == [] and SESSION.is_valid(SAT) and read_sitting(SAT, sigla=KNOWN)[0]


def test_sums_are_expected_of_seats_and_the_pool_only() -> None:
    """`nort` would be expected to have nothing, and the record would be in order."""
    (problem,) = told(fresh(expect={"PAM": {"net": {"nort": 58, "pool": 0}}}))
    assert (problem.way_out, problem.reason) == ("did you mean 'north'?", "seat")


def test_a_session_names_its_seats_in_what_it_expects() -> None:
    after = [{"accounts": {"suoth": 1}, "next_dealer": "wets"}]
    sitting, problems = read_sitting({**SITTING, "expect": {"PAM": {"after": after}}})
    assert sitting is None
    assert {(problem.way_out, problem.reason) for problem in problems} == {
        ("did you mean 'south'?", "seat"),
        ("did you mean 'west'?", "seat"),
    }
