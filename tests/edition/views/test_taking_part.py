"""What the page on taking part says of a new reading: one line of data, one line of code, and no more."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml

from engine.deal.reader import read_deal
from engine.readings.meanings.by_question import MEANINGS
from engine.readings.meanings.cards import GORGED
from engine.settlement.settle import Settled, settle
from rulebook.load import record
from rulebook.model import FrozenMap, Library
from rulebook.resolve import rules
from rulebook.sources.short_forms import MAX_SHORT_FORM
from tests.support.handwritten import find_page

PAGE = find_page("taking-part").read_text(encoding="utf-8")


def printed(language: str) -> list[str]:
    """What is printed in one language, box by box, without its indent."""
    boxes = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", PAGE, re.MULTILINE | re.DOTALL)
    return ["\n".join(line.removeprefix(indent) for line in words.split("\n")) for indent, words in boxes]


def data_of_the_reading(key: str = "readings") -> dict[str, str]:
    """The readings as they are printed, or their short forms."""
    every = [yaml.safe_load(words) for words in printed("yaml")]
    (found,) = [one[key] for one in every if isinstance(one, dict) and "readings" in one]
    return {str(name): str(gloss) for name, gloss in found.items()}


def draws_the_stake(library: Library, deal: str, *wishes: str) -> bool:
    """Whether leading the quinola costs the stake in a worked deal."""
    read, problems = read_deal(record(library, deal))
    assert read is not None and not problems
    done = settle(read, rules(library, "PAM", *wishes))
    assert isinstance(done, Settled)
    led = [posting for entry in done.entries if entry.name == "quinola-led" for posting in entry.postings]
    return any(posting.money.stakes for posting in led)


def test_the_lines_that_are_printed_are_all_that_a_new_reading_needs(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (line,), readings, old = printed("python"), data_of_the_reading(), library.question("Q039")
    (name,) = set(readings) - set(old.readings)
    found = re.fullmatch(r'\s*"([a-z-]+)": (lambda fact: fact\.trick == 1),\s*', line)
    assert found and found[1] == name
    assert (short := data_of_the_reading("short")).keys() == readings.keys()
    assert (
        all(short[reading] == old.short[reading] for reading in readings if reading != name)
        and len(short[name]) <= MAX_SHORT_FORM
    )
    question = replace(old, readings=FrozenMap({**old.readings, name: readings[name]}))
    extended = replace(library, questions={**library.questions, old.slug: question})
    assert MEANINGS[old.slug] is GORGED and isinstance(GORGED, dict)
    monkeypatch.setitem(GORGED, name, eval(found[2]))
    early, late = "aca-quinola-led", "pam-quinola-gorged"  # in the first trick, and in the last
    assert draws_the_stake(extended, early) and draws_the_stake(extended, late)
    assert draws_the_stake(extended, early, f"Q039={name}") and not draws_the_stake(extended, late, f"Q039={name}")


def test_a_rival_that_is_printed_has_the_shape_of_a_rival() -> None:
    from rulebook.schema.records import RivalRecord

    every = [yaml.safe_load(words) for words in printed("yaml")]
    (rivals,) = [one["rivals"] for one in every if isinstance(one, dict) and "rivals" in one]
    assert [RivalRecord(**rival).id for rival in rivals] == ["PAM.i99"]


def test_people_are_named_as_the_record_of_a_source_names_them() -> None:
    from rulebook.schema.records import CoderRecord

    every = [yaml.safe_load(words) for words in printed("yaml")]
    (coders,) = [one["coders"] for one in every if isinstance(one, dict) and "coders" in one]
    assert [CoderRecord(**coder).id for coder in coders] == ["ed1", "ed4"]
