"""Readings and questions on trial: what may be proposed, what is played in their place, and what is told if amiss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.readings.unsupported import find_misjudged_readings, is_reading_known, list_waiting_readings
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.load import load_library
from rulebook.model import Conflict, FrozenMap, Library, Proposal, Question
from rulebook.program_name import PLAIN_PROGRAM
from rulebook.proposals import add_proposals, find_played_answer
from rulebook.resolve import BadChoice, read_choice, resolve
from rulebook.sources.paths import digest_sources
from tests.support.library import changed, opened, sealed, write_library

PROPOSED = """\
questions:
  Q004:
    slug: toll.drink
    asks: Does the toll buy a drink?
    group: The toll
    affects: payment
    readings: {"no": It does not., "yes": It does.}
    coding: Code what is drunk.
    not_played: The engine does not drink.
    played_as: "no"
readings:
  Q001:
    both:
      says: He who leads and he who takes.
      not_played: One is paid, not two.
      played_as: leader
  Q002:
    half-the-stake:
      says: Half of the stake.
      not_played: A toll is a number.
      played_as: 3
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small library, with a source that has more to say."""
    root = write_library(tmp_path)
    (root / "AAA" / "proposed.yaml").write_text(PROPOSED, "utf-8", newline="\n")
    changed(root, "AAA/source.yaml", "images_seen: false", "images_seen: false\ndraft: true")
    page = root / "AAA" / "clauses.yaml"
    more = """\
- id: AAA.c003
  cites: [{locus: AAA.s0001, exact: "Du péage", seen: SEEN}]
  answers: {Q004: "yes"}
  status: stated
  cert: high
  coder: ed1
"""
    page.write_text(page.read_text("utf-8") + more.replace("SEEN", f'"{sealed("Du péage.")}"'), "utf-8", newline="\n")
    changed(root, "AAA/clauses.yaml", "Q001: leader        # toll.payee", "Q001: both")
    return root


def told(root: Path, old: str, new: str) -> list[str]:
    """What is said of the folder once something in the proposal is otherwise."""
    changed(root, "AAA/proposed.yaml", old, new)
    return [str(one) for one in load_library(root)[1]]


def test_a_source_may_bring_a_reading_a_measure_and_a_question(root: Path) -> None:
    library = opened(root)
    assert library.questions["toll.payee"].readings["both"].startswith("He who leads")
    assert library.questions["toll.drink"].by == "AAA"
    own = resolve(library, "AAA")
    assert {one.id: (one.answer, one.value, one.unasked) for one in own.left_out} == {
        "Q001": ("both", "leader", False),
        "Q004": ("yes", "no", True),
    }
    assert own.rulings["toll.amount"].not_played == ""


def test_nobody_else_has_to_answer_what_is_on_trial(root: Path) -> None:
    library = opened(root)
    assert library.cell("BBB", "toll.drink") is None
    assert resolve(library, "BBB").left_out == ()


def test_a_measure_takes_the_name_of_a_reading_on_trial(root: Path) -> None:
    library = opened(root)
    wished = resolve(library, "AAA", [read_choice(library, "Q002=half-the-stake")])
    one = wished.rulings["toll.amount"]
    assert (one.answer, one.value, one.not_played) == ("half-the-stake", 3, "A toll is a number.")
    assert wished.name == "AAA + Q002=half-the-stake"
    with pytest.raises(BadChoice, match="no whole number"):
        read_choice(library, "Q002=a-third")


def test_to_wish_for_what_the_source_says_changes_nothing(root: Path) -> None:
    library = opened(root)
    assert resolve(library, "AAA", [read_choice(library, "Q001=both")]).name == "AAA"
    assert resolve(library, "AAA", [read_choice(library, "Q001=leader")]).left_out[0].id == "Q004"


def test_what_is_on_trial_counts_in_the_fingerprint(root: Path) -> None:
    before = digest_sources(root)
    changed(root, "AAA/proposed.yaml", "One is paid, not two.", "Only one is paid.")
    assert digest_sources(root) != before


def test_two_clauses_that_are_played_alike_still_contradict_each_other(root: Path) -> None:
    changed(root, "AAA/clauses.yaml", 'answers: {Q004: "yes"}', 'answers: {Q004: "yes", Q001: leader}')
    library, problems = load_library(root)
    assert any("AAA contradicts itself on Q001" in str(problem) for problem in problems)
    assert library is not None
    with pytest.raises(Conflict):
        resolve(library, "AAA")


WRONG = [
    ("      played_as: leader\n", "", "both is not played, and nothing in its place", "say under played_as"),
    ("      not_played: One is paid, not two.\n", "", "both is played as leader, and no reason is given", "not_played"),
    ("played_as: leader", "played_as: loader", "loader is no reading of toll.payee", "did you mean leader?"),
    ("played_as: leader", "played_as: both", "both is itself on trial", "name an answer that the edition has"),
    ("played_as: 3", "played_as: many", "many is no whole number", "write the number"),
    ("    both:\n", "    leader:\n", "leader is there already", "it needs no proposal"),
    ("    both:\n", "    Both:\n", "Both is no name of a reading", "small letters"),
    ("  Q001:\n    both", "  Q009:\n    both", "there is no question Q009", "did you mean"),
    ('    played_as: "no"\n', "", "Q004 is proposed, and the engine does not know it", "say under not_played"),
    ("    not_played: The engine does not drink.\n", "", "Q004 is proposed", "say under not_played"),
    (
        "  Q004:\n",
        "  Q003:\n",
        "the number Q003 is taken by toll.tricks",
        "choose a free number; see sources/questions",
    ),
    ("    slug: toll.drink", "    slug: toll.tricks", "the slug toll.tricks is taken by Q003", "choose another name"),
    ("    affects: payment\n", "", "affects is missing", "add it"),
    ("    slug: toll.drink", "    slug: drink", "the slug 'drink' is not well formed", "write it like"),
    ("readings:\n  Q001", "reading:\n  Q001", "the entry reading is unknown", "did you mean readings?"),
]


@pytest.mark.parametrize(("old", "new", "what", "way_out"), WRONG)
def test_what_is_amiss_is_told_with_its_place_and_a_way_out(
    root: Path, old: str, new: str, what: str, way_out: str
) -> None:
    found = [one for one in told(root, old, new) if what in one]
    assert found and found[0].startswith("sources/AAA/proposed.yaml:") and way_out in found[0], found


def test_two_sources_cannot_propose_the_same_reading(root: Path) -> None:
    page = "readings:\n  Q001:\n    both: {says: Two., not_played: No., played_as: taker}\n"
    (root / "BBB" / "proposed.yaml").write_text(page, "utf-8")
    (found,) = (str(one) for one in load_library(root)[1])
    assert "Q001: both is proposed already, by AAA" in found or "both is there already" in found


# ---- lists
ORDER = Question(
    "Q057",
    "partie.winner",
    "Who?",
    "g",
    "award",
    "c",
    kind=LIBRARY_KINDS["order"],
    measure=FrozenMap({"type": "order", "of": FrozenMap({"nobody": "n", "eldest": "e", "odd": "o", "even": "v"})}),
    proposed=FrozenMap(
        {
            "odd": Proposal("AAA", "o", "No engine counts so."),
            "even": Proposal("AAA", "v", "Nor so.", ("nobody", "eldest")),
        }
    ),
)


@pytest.mark.parametrize(
    ("said", "plays", "why"),
    [
        (("eldest",), ("eldest",), ""),
        (("odd", "eldest"), ("eldest",), "No engine counts so."),
        (("even", "eldest"), ("nobody", "eldest"), "Nor so."),
        (("even", "odd"), ("nobody", "eldest"), "Nor so. No engine counts so."),
        (("odd",), (), "No engine counts so."),
    ],
)
def test_a_list_is_played_without_the_words_that_are_not_known(
    said: tuple[str, ...], plays: tuple[str, ...], why: str
) -> None:
    assert find_played_answer(ORDER, said) == (plays, why)


# ---- what the engine knows
def on_trial(library: Library, slug: str, name: str, proposal: Proposal) -> Library:
    question = replace(library.questions[slug], proposed=FrozenMap({name: proposal}))
    return replace(library, questions=FrozenMap({**library.questions, slug: question}))


def judged(library: Library, slug: str, name: str, not_played: str) -> Iterator[str]:
    proposal = Proposal("AAA", "It is so.", not_played, "any" if not_played else None)
    return map(str, find_misjudged_readings(on_trial(library, slug, name, proposal)))


def test_it_is_told_whether_the_engine_knows_a_reading(library: Library) -> None:
    slug = "play.first-lead"
    assert list(judged(library, slug, "club", "")) == []
    assert list(judged(library, slug, "trumps", "There are none.")) == []
    (unknown,) = judged(library, slug, "trumps", "")
    assert "the engine does not know trumps" in unknown and "say under not_played why" in unknown
    (known,) = judged(library, slug, "club", "Nobody knows clubs.")
    assert "club is said to be not played, and the engine knows it" in known and "take out not_played" in known
    assert not is_reading_known(library.questions["talon.bonus"], "many") and is_reading_known(
        library.questions[slug], "heart"
    )
    assert is_reading_known(library.questions["units.kinds"], "whatever")  # nobody asks it


def test_what_waits_leaves_out_what_the_engine_knows(library: Library) -> None:
    waiting = list_waiting_readings(library)
    assert list_waiting_readings(on_trial(library, "play.first-lead", "club", Proposal("AAA", "A club."))) == waiting
    waiting_readings = list_waiting_readings(
        on_trial(library, "play.first-lead", "x", Proposal("AAA", "X.", "No.", "any"))
    )
    (one,) = {*waiting_readings} - {*waiting}
    assert (one.reading, one.because) == ("x", "No.")


def test_of_a_question_that_is_not_played_no_reading_is_misjudged(library: Library) -> None:
    for slug, question in library.questions.items():
        if question.not_played:
            assert list(judged(library, slug, "whatever", "Nobody knows it.")) == [], slug
    assert any(question.not_played and "like" not in question.measure for question in library.questions.values())
    for slug in ("play.first-lead", "espagnolette.forced"):  # one stands before those, the other among them
        assert any("the engine does not know whatever" in one for one in judged(library, slug, "whatever", "")), slug


def test_a_library_that_plays_nothing_is_told_to_add_a_reading_to_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.proposals.name_program", lambda: PLAIN_PROGRAM)
    question = Question("Q001", "toll.payee", "?", "g", "payment", "c", FrozenMap({"leader": "Him."}))
    told = add_proposals("did you mean leader?", "AAA", question)
    assert told == "did you mean leader? If none fits, add one to Q001, in the folder questions"
