"""Answers typed on one line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from rulebook.answers.values import SlugOf, Wrong, format_canonical, read_value
from rulebook.model import Kind, Question, Value

DEEPEST_BRACKETS = 4  # brackets within brackets; a measure needs two
TOKEN = re.compile(r"""\s*(?:([][{},:])|("(?:[^"\\]|\\.)*")|'([^']*)'|([^][{},:"'\s]+)|(\S.*))""", re.DOTALL)
_ANY_FORM = "write 5, word, [1, -1] or {AD: 5}"
_BARE_LITERALS: Mapping[str, object] = {"true": True, "false": False, "null": None}


def parse_text(question: Question, text: str, slug_of: SlugOf = str) -> tuple[Value | None, str]:
    """The answer that was typed: 5, heart, [1, -1], 1,-1, {"AD": 5}, x2."""
    text = re.sub(r"\u2212(?=\d)", "-", text)  # the minus of a typesetter
    try:
        raw = text.strip() if question.closed else parse_open_answer(question, text.strip())
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)


def describe_answer_form(question: Question) -> str:
    """Describe what is typed as an answer to a question without a closed list: an example of its kind."""
    words = question.measure.get("of")
    known = ", ".join([*words][:2]) if isinstance(words, Mapping) else ""
    return question.kind.example.replace("{0}", known)


def parse_open_answer(question: Question, text: str) -> object:
    """Parse an answer without a closed list into plain data. Raises Wrong, with the form that the question wants."""
    try:
        return parse_typed(question.kind, text)
    except UnreadableAnswer as wrong:
        form = describe_answer_form(question).removeprefix("such as ")
        raise Wrong(wrong.what, f"the form here: {form}" if form else wrong.way_out) from wrong


def parse_typed(kind: Kind, text: str) -> object:
    """Parse what was typed into plain data."""
    if kind.one_word:
        return text.strip("\"'")
    for pattern, meaning in kind.shorthand:
        if match := re.fullmatch(pattern, text):
            text = match.expand(meaning)
    return Flow(kind.enclose(text)).whole()


class UnreadableAnswer(Wrong):
    """Typed text that is neither a word nor a list or table."""


class Flow:
    """Reads lists and tables on one line, in the manner of YAML or JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(TOKEN.finditer(text.rstrip()))
        self.at = 0

    def whole(self) -> object:
        """All of the line."""
        answer = self.value(0)
        if self.at < len(self.tokens):
            raise self.wrong()
        return answer

    def wrong(self) -> Wrong:
        """Report the place at which reading stopped."""
        rest = self.text[self.tokens[self.at].start() :].strip() if self.at < len(self.tokens) else "the end"
        return UnreadableAnswer(f"{self.text.strip()} cannot be read: stuck at {rest}", _ANY_FORM)

    def next(self, *wanted: str) -> bool:
        """Step over a mark if it comes next."""
        is_next = self.at < len(self.tokens) and self.tokens[self.at][1] in wanted
        self.at += is_next
        return is_next

    def value(self, depth: int) -> object:
        """A list, a table, or a single word."""
        if depth > DEEPEST_BRACKETS:
            raise self.wrong()
        if self.next("["):
            return list(self.until("]", lambda: self.value(depth + 1)))
        if self.next("{"):
            return dict(self.pairs(depth + 1))
        return self.word()

    def until(self, closing: str, read: Callable[[], object]) -> Iterator[object]:
        """Yield the items between brackets, divided by commas."""
        while not self.next(closing):
            yield read()
            if not self.next(","):
                if not self.next(closing):
                    raise self.wrong()
                return

    def pairs(self, depth: int) -> Iterator[tuple[str, object]]:
        """The entries of a table, none of them twice."""
        seen: set[str] = set()
        for pair in self.until("}", lambda: self.pair(depth)):
            key, value = cast("tuple[str, object]", pair)
            if key in seen:
                raise Wrong(f"{key} stands twice", "keep it once")
            seen.add(key)
            yield key, value

    def pair(self, depth: int) -> tuple[str, object]:
        """A name and what it is worth."""
        key = self.word()
        if not self.next(":"):
            raise self.wrong()
        return format_canonical(key), self.value(depth)

    def word(self) -> object:
        """A single word, or a number."""
        if self.at >= len(self.tokens) or self.tokens[self.at][1] or self.tokens[self.at][5]:
            raise self.wrong()
        _, double, single, bare, _ = self.tokens[self.at].groups()
        self.at += 1
        if double:
            return _unquote_json(double)
        if bare is None:
            return single
        while self.at < len(self.tokens) and (more := self.tokens[self.at][4]) and not bare[0].isdigit():
            bare, self.at = f"{bare} {more}", self.at + 1  # several words are one text, as in YAML
        return int(bare) if re.fullmatch(r"-?\d{1,18}", bare) else _BARE_LITERALS.get(bare, bare)


def _unquote_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        raise Wrong(f"{text} cannot be read", "write it without quotes") from None
