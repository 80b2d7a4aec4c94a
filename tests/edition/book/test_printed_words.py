"""The printed book in words for its readers: nothing that leads nowhere, and no mark of the transcription."""

from __future__ import annotations

import pytest

from edition.book.printed_book import drop_lost_references, word_for_readers, word_in_print
from edition.book.questions import _format_answer
from edition.nodes.builders import add_anchor, link, para, section, span
from rulebook.phrases import AnswerText


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        ("is a misprint, stands in choice with sic and corr, and has a note.", "is a misprint and has a note."),
        ("so its word is a slip (decision A1, clear): the sum", "so its word is a slip: the sum"),
        ("a confused copy (X-G20).", "a confused copy."),
        ("A page that ends (as here) is counted.", "A page that ends (as here) is counted."),
    ],
)
def test_what_only_the_records_need_is_said_in_words_or_left_out(recorded: str, printed: str) -> None:
    assert word_in_print(recorded) == printed


def test_the_words_of_a_source_stay_as_they_are() -> None:
    made = section("s", "Title", para(span("le signe (X-G20)", lang="fr"), " our copy (X-G20)"))
    assert word_for_readers(made).children[1].astext() == "le signe (X-G20) our copy"


def test_a_reference_in_brackets_that_leads_to_nothing_is_left_out_and_others_stay() -> None:
    lost, known = link("alternative", "AAA.i01"), link("alternative", "AAA.i02")
    home = add_anchor(para("here"), "alternative", "AAA.i02")
    made = section("s", "Title", para("one (", lost, "), two (", known, ")."), home)
    drop_lost_references([made])
    assert made.children[1].astext() == "one, two (AAA.i02)."


@pytest.mark.parametrize(
    ("full", "printed"),
    [
        ("Four or five.", "Four or five."),
        ("as How much does each player put in before the deal?", "as much as each player puts in before the deal"),
        ("as What is paid when an ace is led? (2 times)", "twice as when an ace is led"),
    ],
)
def test_an_answer_is_printed_without_the_name_that_a_machine_has_for_it(full: str, printed: str) -> None:
    assert span(*_format_answer(AnswerText("four-or-five", full))).astext() == printed
