"""Layout of the page of all answers: what can be chosen, and the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from edition.citation.places import format_pair_fragment, topic_page, topic_slug
from edition.nodes import builders
from edition.nodes.components import (
    ANSWER_STATUS_MARKS,
    SourceVoice,
    color_suits,
    source_shape,
)
from edition.nodes.templates import template_renderer
from edition.text.answers import UNCONSULTED
from edition.views.layout import Nodes
from edition.views.plain_answers import AnswerView
from edition.views.questions.all_answers import (
    AGREEMENT_NAMES,
    AnswerRow,
    AnswersView,
)
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.grouping import group_pairs

MAX_TABLE_SOURCES = 6  #: of more sources than these every question is laid out as a block, on a wide screen too

#: Status of an answer -> its name in the filter; the script knows every answer by these.
ANSWER_STATUSES: Mapping[str, str] = {
    "stated": "stated",
    "implied": "follows from the text",
    "denied": "ruled out",
    "ambiguous": "more than one reading",
    "contradictory": "contradicts itself",
    "supplied": "our assumption",
    "silent": "silent",
    UNCONSULTED: NOT_CONSULTED,
    "inapplicable": "not applicable",
    "not-collated": "not read yet",
}
#: Letters that fit a line of an answer and of a question where one source fills the page; fewer as there are more.
_LETTERS_ACROSS, _QUESTION_SHARE = 150, 1.5
_LETTERS_ON_PHONE, _LETTERS_OF_MARK = 46, 2
_ANSWER_HEIGHT, _MISSING_HEIGHT = 1.22, 1.1  #: of an answer on a line of its own, in lines of text
_MAX_LINES = 12


def describe_difference(row: AnswerRow) -> list[builders.Content]:
    """A question, and under it every answer with those who give it."""
    sigla_by_answer = group_pairs(((answer.words, answer.status), answer.siglum) for answer in row.answers)
    marks = {voice.source.siglum: voice for group in row.voices for voice in group}
    groups = (
        [*(part for siglum in sigla for part in _short_voice(siglum, marks.get(siglum))), *color_suits(words)]
        + [
            part
            for each in status.split()
            for part in (" ", builders.markup_of("small", f"({ANSWER_STATUS_MARKS[each][0]})"))
        ]
        for (words, status), sigla in sigla_by_answer.items()
    )
    return [builders.link("question", row.question.id, row.question.asks), *(builders.span(*group) for group in groups)]


def _short_voice(siglum: str, voice: SourceVoice | None) -> Iterator[builders.Content]:
    """A source by its shape, if it has an answer, and its siglum."""
    if voice:
        yield from (source_shape(voice.source, voice.assumed), " ")
    yield from (builders.markup_of("small", siglum), " ")


def _place_pair(pair: tuple[str, str]) -> tuple[str, str, str, str]:
    """Two sources as something that can be linked to: this page, with an address that chooses them."""
    return "pair", "-".join(pair), " and ".join(pair), format_pair_fragment(*pair)


def arrange_answers(answers: Sequence[AnswerView]) -> Sequence[tuple[int, bool, int]]:
    """Line of a block on which each answer stands, whether a later one shows its words, and how far it is set in.

    Sources that say the same share a line, or stand on the next where one of them is marked; those that say nothing
    have one only where no other speaks. Lines that already follow each other in the order of the columns are all 0.
    The first of a line is set in by as many marks as the longest line of the row has more: all end at the words.
    """
    contents = [replace(answer, siglum="") for answer in answers]
    spoken = [answer for answer in contents if not answer.missing] or contents
    words = [answer.words for answer in spoken]
    order = sorted(dict.fromkeys(spoken), key=lambda answer: words.index(answer.words))
    lines = [order.index(answer) if answer in order else 0 for answer in contents]
    lines = lines if lines != sorted(lines) else [0] * len(lines)
    firsts = (answer in order and answer not in contents[:at] for at, answer in enumerate(contents))
    waiting = [first * (contents.count(answer) - 1) for answer, first in zip(contents, firsts, strict=True)]
    most = max(waiting, default=0)
    placed = enumerate(zip(lines, contents, waiting, strict=True), 1)
    return [
        (line, answer in order and answer in contents[at:], most - wait if wait else 0)
        for at, (line, answer, wait) in placed
    ]


def format_voices(row: AnswerRow) -> str:
    """Groups of the sources as the script reads them: equal numbers agree, "(2)" is our assumption, "-" no answer."""
    numbers: dict[str, str] = {}
    for number, group in enumerate(row.voices, 1):
        numbers |= {voice.source.siglum: f"({number})" if voice.assumed else str(number) for voice in group}
    return " ".join(numbers.get(answer.siglum, "-") for answer in row.answers)


# ---- heights of rows that are not laid out yet


def estimate_lines(row: AnswerRow) -> tuple[int, int]:
    """Lines of a row as a table and as a block on a phone, from the number of letters."""
    across = _LETTERS_ACROSS / (len(row.answers) + 2.6)
    asks = len(row.question.asks) + (0 if row.played else 14)
    letters = map(_count_letters, row.answers)
    wide = max([_count_lines(asks, across * _QUESTION_SHARE), *(_count_lines(letter, across) for letter in letters)])
    narrow = _count_lines(asks, _LETTERS_ON_PHONE) + _measure_block(row.answers)
    return min(wide, _MAX_LINES), min(round(narrow), 2 * _MAX_LINES)


def _count_letters(answer: AnswerView) -> int:
    marks = " ".join(ANSWER_STATUS_MARKS[each][0] for each in answer.status.split())
    return len(answer.words) + len(marks) + (0 if answer.played else 14)


def _count_lines(letters: int, across: float) -> int:
    return max(1, -int(-letters // across))


def _measure_block(answers: Iterable[AnswerView]) -> float:
    """Height of the answers one under another, in lines of text; those that say the same stand on one line.

    Books without an answer stand there only where no other has one.
    """
    given = tuple(answers)
    contents = Counter(
        replace(answer, siglum="") for answer in [answer for answer in given if not answer.missing] or given
    )
    room = max(_LETTERS_OF_MARK, _LETTERS_ON_PHONE - max(contents.values(), default=0) * _LETTERS_OF_MARK)
    heights = (_MISSING_HEIGHT if answer.missing else _ANSWER_HEIGHT for answer in contents)
    return sum(heights) + sum(_count_lines(_count_letters(answer), room) - 1 for answer in contents)


# ---- the page
def _list_topics(view: AnswersView) -> Mapping[str, str]:
    return {topic_slug(name): name for name, _ in view.groups}


_render_page = template_renderer(
    "edition",
    "answers",
    agreement=AGREEMENT_NAMES,
    arrange_answers=arrange_answers,
    estimate_lines=estimate_lines,
    format_voices=format_voices,
    marks=ANSWER_STATUS_MARKS,
    most=MAX_TABLE_SOURCES,
    status_names=ANSWER_STATUSES,
    topic_page=topic_page,
    topic_slug=topic_slug,
    topics=_list_topics,
)


def render_answers_page(view: AnswersView) -> Nodes:
    """Panels of the game, the choices, the table, and the marks explained; two sources are an address of the table."""
    content = _render_page(view)
    table = next(node for node in content if isinstance(node, builders.markup) and node["tag"] == "table")
    table[builders.TARGET] = [*map(_place_pair, view.pairs)]
    return content
