"""The game in two minutes: short, by the sums of the Pamphlet, and with the six lines of the table in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edition.corpus.corpus import Corpus
from reversis.views.deals.table_page import view_table
from rulebook.model import SPOKEN_STATUSES, Library, Like
from tests.support.settling import Rules

PAGES = Path(__file__).parents[3] / "reversis" / "pages"
MOST_WORDS = 320
_MARKUP = re.compile(r"\A---.*?---|\{[^}]*\}|\]\([^)]*\)|^\d\. |[#\[\]*]", re.DOTALL | re.MULTILINE)

#: What the page says of a sum, and the question that it answers.
SUMS = {
    r"All put (\d+) into": "stake.first.each",
    r"the dealer (\d+);": "stake.first.dealer",
    r"later dealers add (\d+)": "stake.dealer-adds",
    r"pays it: (\d+), and the points": "talon.bonus",
    r"The taker pays you (\d+) besides": "quinola.thrown-off.amount",
    r"gets (\d+) from you": "quinola.forced.amount",
    r"from you, (\d+) from each other": "quinola.forced.others-pay",
    r"takes the trick pays you (\d+), for": "ace.thrown-off.amount",
    r"your neighbours pay (\d+) each": "reversis.made.neighbour",
    r"the player opposite (\d+)\.": "reversis.made.opposite",
    r"you pay its taker (\d+)": "reversis.broken.amount",
}


def read_words(name: str) -> str:
    return " ".join(_MARKUP.sub("", (PAGES / name).read_text(encoding="utf-8")).split())


def list_lines(name: str) -> list[str]:
    lines = re.findall(r"^\d\. (.*)$", (PAGES / name).read_text(encoding="utf-8"), re.MULTILINE)
    return [line.replace("*", "") for line in lines]


def test_the_page_is_read_in_two_minutes() -> None:
    assert 200 < len(read_words("two-minutes.md").split()) <= MOST_WORDS


def test_each_of_the_six_lines_of_the_table_opens_a_line_of_the_page() -> None:
    short, long = list_lines("play.md"), list_lines("two-minutes.md")
    assert len(short) == len(long) == 6
    for line, longer in zip(short, long, strict=True):
        assert longer.startswith(line.rstrip(".")), line


@pytest.mark.parametrize(("words", "slug"), SUMS.items())
def test_the_sums_are_those_of_the_pamphlet(rules: Rules, words: str, slug: str) -> None:
    written = re.search(words, read_words("two-minutes.md"))
    assert written is not None
    answer = rules("PAM").rulings[slug].value
    assert not isinstance(answer, Like) and int(written[1]) == answer


def test_a_led_card_is_owed_as_the_pamphlet_has_it(rules: Rules) -> None:
    assert "A led ace or quinola is owed to the partie’s winner, who must ask." in read_words("two-minutes.md")
    owed = {rules("PAM").rulings[f"{card}.led.payee"].value for card in ("ace", "quinola")}
    assert owed == {"winner-of-partie"}
    assert rules("PAM").rulings["payments.led-claimed"].value == "must-be-claimed"


def test_the_lines_of_the_table_are_those_of_the_book_that_is_played(corpus: Corpus) -> None:
    books, lines = {book.source.siglum: book for book in view_table(corpus)}, list_lines("play.md")
    pamphlet = books["PAM"]
    assert lines[1].endswith(f": {pamphlet.points}.") and lines[2].startswith(pamphlet.aim.capitalize())
    assert lines[5] == pamphlet.doubling
    assert books["HOY"].doubling == pamphlet.doubling.replace("first and last", "last")
    assert not books["GER"].doubling and books["GER"].points == "ace 5, king 4, queen 3, jack 2"


def test_the_pamphlet_tells_more_rules_in_its_own_words_than_any_other(library: Library) -> None:
    own = {
        siglum: len({slug for clause in source.clauses for slug in clause.answers if clause.status in SPOKEN_STATUSES})
        for siglum, source in library.sources.items()
    }
    assert max(own, key=lambda siglum: own[siglum]) == "PAM"
