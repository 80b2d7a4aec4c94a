"""Questions and meanings are two sides of one thing: no reading without a meaning, no question that is never asked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import tests.engine.settlement.test_settle as settled_deals
from engine.deal.events import Fault
from engine.deal.model import Deal, Exchange, Gift
from engine.readings.ask import Ask
from engine.readings.meanings.by_question import MEANINGS
from engine.session.session import begin, steps
from engine.settlement.settle import settle
from rulebook.model import Library, Ruleset, Value
from tests.engine.play.test_five_at_the_talon import OUTS, exchanged
from tests.engine.play.test_irregularities import worked
from tests.engine.settlement.test_payees import east_throws
from tests.engine.settlement.test_payments import led
from tests.support.deals import FIVE, lay_deal, mixed, revoked
from tests.support.places import CLONE
from tests.support.settling import Rules, iter_played_alternatives

HOME = CLONE / "engine"
ENGINE = sorted(path for path in HOME.rglob("*.py") if path.relative_to(HOME).parts[0] != "survey")


def test_every_closed_question_has_a_table_and_every_table_a_question(library: Library) -> None:
    def closed(slug: str) -> bool:
        question = library.questions[slug]
        return question.closed or "of" in question.measure

    assert set(MEANINGS) <= set(library.questions)
    assert {s for s in library.questions if closed(s) and not library.questions[s].not_played} == set(MEANINGS)


def test_the_keys_of_a_table_are_the_readings_of_its_question(library: Library) -> None:
    for slug, meanings in MEANINGS.items():
        readings = library.questions[slug].readings or library.questions[slug].measure["of"]
        assert set(meanings) == set(readings), slug  # type: ignore[arg-type]


# ---- slugs in the engine
def slug_like(library: Library) -> re.Pattern[str]:
    first = {slug.partition(".")[0] for slug in library.questions}
    return re.compile(rf"({'|'.join(sorted(first))})(\.[a-z-]+)+")


def constants(tree: ast.AST) -> Iterator[str]:
    """Plain strings, and f-strings as patterns."""
    within = {id(c) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for c in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(re.escape(str(v.value)) if isinstance(v, ast.Constant) else "[a-z-]+" for v in node.values)


@pytest.mark.slow
def test_every_slug_in_the_engine_names_a_question(library: Library) -> None:
    like = slug_like(library)
    for pattern in (one for path in ENGINE for one in constants(ast.parse(path.read_text(encoding="utf-8")))):
        plain = pattern.replace("[a-z-]+", "ace").replace("\\", "")
        looks = like.fullmatch(plain) or (pattern.startswith("[a-z-]+") and re.fullmatch(r"ace(\.[a-z-]+)+", plain))
        if looks and not plain.endswith((".py", ".json", ".preferred")):  # a file, or a reading by its clause
            assert any(re.fullmatch(rf"{pattern}(\..+)?", slug) for slug in library.questions), pattern  # or a family


# ---- every question is asked
@cache
def situations() -> tuple[Deal, ...]:
    """Ordinary deals of every shape, and one for each thing that seldom happens."""
    plain = [lay_deal(heart_first=True, where=mixed, seed=seed) for seed in range(1, 9)]
    shapes = [lay_deal(pack=52, heart_first=True), lay_deal(seats=FIVE, dealer="ann", heart_first=True)]
    fates = [
        lay_deal(tricks=tricks, heart_first=True, where=mixed, told={"pool": {"stake": 60, "waiting": [20]}})
        for tricks in ({5: "south:JH!"}, {5: "south:9S! east:JH"}, {5: "south:9H! east:JH", 7: "east:2H"})
    ]
    swap = {"exchange": [{"seat": "south", "out": "5H", "in": "7C"}]}
    swapped = lay_deal(hands={"south": "7C"}, talon="5H", heart_first=True, where=mixed, told=swap)
    fault = {"kind": "out-of-turn", "seat": "north", "trick": 3}
    faulty = lay_deal(heart_first=True, where=mixed, told={"faults": [fault]})
    return (*plain, *shapes, *fates, swapped, faulty, revoked(), *rare(), *irregular())


def irregular() -> list[Deal]:
    """A worked deal for every fault."""
    names = """
    pam-peek-partie-and-quinola pam-peek-forces-the-quinola pam-undiscarded pam-ten-cards
    pam-misdeal-bought-back pam-misdeal-too-late pam-card-turned-up badly-shuffled
    """
    return [worked(name) for name in names.split()]


def rare() -> list[Deal]:
    s = settled_deals
    return [
        s.made("east"),
        s.made_with_hearts(4),
        s.all_hearts(),
        s.broken("south:2C! east:KC", first=s.ROYAL),
        s.broken_by_quinola("east"),
        s.won(),
        s.lost_late(),
        s.kept_a_trick(),
        s.unused(),
        s.against(("4S", "3S"), ()),
        s.against(("2C", "2D"), ((10, "south:2C! west:KC"),)),
        s.against(("2C", "2D"), ((10, "south:2C! east:KC"),)),
        s.broken_with_his_own_quinola(),
        s.made_with_a_fine(),
        led("JH", 5, "south", "south"),
    ]


def rulesets(library: Library, rules: Rules) -> Iterator[Ruleset]:
    """Every source, and each under every one of its rivals and options that is played."""
    for siglum in library.sources:
        yield rules(siglum)
    for clause, alternative in iter_played_alternatives(library):
        yield rules(clause.source, alternative.id)


#: Rules that no source of the edition has, and that others have.
OTHER_RULES = (
    "quinola.others=[{card: QH, name: little quinola}]",
    "exchange.across=opposite",
    "exchange.duty=compulsory-below-limit",
    "quinola.thrown-off.stake=draws-up-to-limit",
    *("stake.limit-from=100", "stake.limit=100", "stake.shortfall=eldest-hand"),
    "play.thrown-down=[pays-for-thrown-cards]",
    "stake.by-tricks=[fewest-points]",
)


def elsewhere() -> Iterator[Deal]:
    """Deals that raise what only those rules have an answer to."""
    deal = lay_deal(tricks={5: "north:KC! east:JH"}, takers={4: "north", 6: "west"})
    given = [min(deal.hands[seat]) for seat in (0, 2)]
    yield replace(deal, exchange=(Exchange(0),))
    yield replace(deal, gifts=(Gift(0, given[1], 2), Gift(2, given[0], 0)))
    yield replace(deal, faults=(Fault("thrown-down", 0, 4),))


@pytest.mark.release
def test_no_question_is_never_asked(library: Library, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    answer = Ask.__call__

    def noting(self: Ask, question: str) -> Value:
        asked.add(question)
        return answer(self, question)

    for name in ("__call__", "word", "number", "words", "numbers", "table", "tables"):  # one and the same
        monkeypatch.setattr(Ask, name, noting)
    for ruleset in rulesets(library, rules):
        for deal in situations():
            settle(deal, ruleset)
        for _ in steps(begin(ruleset, ("south", "east", "north", "west"), 0), situations(), turn=True):
            pass
    other = rules("PAM", *OTHER_RULES)
    for deal in elsewhere():
        settle(deal, other)
    settle(east_throws("JH"), other)
    settle(exchanged("bob", "cat", "dan", "eve", dan=OUTS[0], eve=OUTS[1]), rules("ACA", "ACA.i22"))
    begin(other, ("south", "east", "north", "west"), 0, [(1, 2)])
    played = {slug for slug, question in library.questions.items() if not question.not_played}
    assert played - asked == set()
    assert asked - played == set()


@pytest.mark.release
def test_every_answer_that_is_asked_for_is_there(library: Library, rules: Rules) -> None:
    """Only what a source has no rule for at all (its penalties) may leave a lawful deal unsettled."""
    from engine.settlement.settle import Unanswered

    for ruleset in rulesets(library, rules):
        for deal in situations():
            found = settle(deal, ruleset)
            if isinstance(found, Unanswered):
                assert library.questions[found.silent.question].affects == "irregularity", str(found.silent)
                assert deal.faults
