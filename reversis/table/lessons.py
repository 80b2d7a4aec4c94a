"""Seven lessons: a position with five or six cards each and one choice, and what comes of each card, in words.

They need no engine where they are played: `list_lessons` writes every leaf out, settled by the book.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cards import format_card, parse_card_name
from engine.deal.fields import locate_without_file
from engine.deal.model import Deal
from engine.generation.at_table import add_card
from engine.settlement.settle import Settled, settle
from reversis.files.positions import read_position, restore_deal
from reversis.table.game import TableGame, open_table
from reversis.table.lesson_reasons import explain_better_card
from reversis.table.options import TableOptions
from reversis.table.payments import sum_entry
from reversis.table.person_view import view_game
from reversis.table.players import NET, PERSON
from reversis.table.refusals import build_refusal_slip, find_refusal
from reversis.table.review import describe_headline
from reversis.table.sight import look_at_game
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames
from reversis.words.events import AT_THE_TABLE
from reversis.words.ledgers import build_ledger_line
from rulebook.model import Library, Silent
from rulebook.resolve import resolve

LESSONS_FILE = Path(__file__).with_name("lessons.json")
LESSON_SOURCE = "PAM"  #: the book by which the lessons are played
SOUTH = 0
_NO_LOT = 1  #: nets draw none
_TITLES: Mapping[str, str] = {
    "points": "Take few points",
    "aces": "Give your aces away",
    "jack-thrown": "The jack on another suit",
    "jack-forced": "The jack on a heart",
    "last": "First and last count double",
    "all": "All or nothing",
    "espagnolette": "Three aces and the jack",
}


#: Questions whose sentence a lesson shows, where it is not that of the ledger's line that weighs most.
_SENTENCES: Mapping[str, str] = {
    "points": "partie.winner",
    "last": "payments.doubled-tricks",
    "all": "reversis.made.neighbour",
    "espagnolette": "espagnolette.until",
}


def list_topic_names() -> tuple[str, ...]:
    """List the names of the topics in their order."""
    return tuple(_TITLES)


@dataclass(frozen=True)
class Leaf:
    """The outcome of a card: the deal to its end, settled."""

    card: int
    deal: Deal
    settled: Settled

    @property
    def net(self) -> int:
        """The sum that South has won or lost."""
        return self.settled.net[SOUTH]

    @property
    def takers(self) -> Sequence[int]:
        """The players who have taken the tricks, in order."""
        return self.settled.played.measures.takers

    @property
    def rank_in_partie(self) -> int:
        """Return 1 where South has won the partie, -1 where lost, else 0."""
        partie = self.settled.outcome.partie
        return 0 if partie is None else (partie.winner == SOUTH) - (SOUTH in partie.losers)

    def sum_trick(self, number: int) -> int:
        """Sum what a trick brings South at the table."""
        entries = (entry for entry in self.settled.entries if entry.rule in AT_THE_TABLE)
        return sum(sum_entry(self.settled, entry, SOUTH) for entry in entries if entry.fact.trick == number)

    def name_fate(self, kind: str) -> str:
        """Name what became of South's card of a kind; empty where the ledger has nothing of it."""
        entries = (entry for entry in self.settled.entries if (entry.fact.kind, entry.fact.player) == (kind, SOUTH))
        return next((entry.name for entry in entries), "")


# ---- kept lessons
def read_lessons() -> list[dict[str, Any]]:
    """Read the lessons as they are kept: the position, the right card, and how the deal goes on after each card."""
    return list(json.loads(LESSONS_FILE.read_text(encoding="utf-8"))["lessons"])


def restore_position(lesson: Mapping[str, Any]) -> Deal:
    """Restore the position of a lesson."""
    return restore_deal(read_position(lesson["record"], locate_without_file, "lesson"))


def restore_leaves(library: Library, lesson: Mapping[str, Any]) -> list[Leaf]:
    """Play every card of a lesson as it is kept, and settle the deal."""
    own, leaves = resolve(library, LESSON_SOURCE), list[Leaf]()
    for name, cards in lesson["leaves"].items():
        deal = restore_position(lesson)
        for card in map(parse_card_name, cards.split()):
            deal = add_card(deal, card)
        settled = settle(deal, own)
        if isinstance(settled, Settled):
            leaves.append(Leaf(parse_card_name(name), deal, settled))
    return leaves


# ---- as data
def list_lessons(library: Library) -> list[dict[str, Any]]:
    """List the lessons as plain data that needs no engine any more: every card with all that comes of it.

    A lesson is left out where the book, as it is now read, does not settle it.
    """
    lessons = list[dict[str, Any]]()
    for kept in read_lessons():
        with suppress(Silent):
            lesson = _write_lesson(library, kept)
            if len(lesson["leaves"]) == len(kept["leaves"]):
                lessons.append(lesson)
    return lessons


def _write_lesson(library: Library, lesson: Mapping[str, Any]) -> dict[str, Any]:
    """Write a lesson as a page shows a game: the view before the choice, and after each card the view at the end."""
    position = restore_position(lesson)
    kinds = (PERSON, *[NET] * (len(position.seats) - 1))
    game = open_table(library, TableOptions(LESSON_SOURCE, _NO_LOT, kinds), (position,))
    sight = look_at_game(game)
    refusals = {card: find_refusal(game, card) for card in sight.hand}
    leaves = restore_leaves(library, lesson)
    return {
        "name": lesson["name"],
        "title": _TITLES[lesson["name"]],
        "right": lesson["right"],
        "better": lesson["better"],
        "start": view_game(game),
        "refused": {
            format_card(card): build_refusal_slip(game, sight.names, refusal)
            for card, refusal in refusals.items()
            if refusal
        },
        "leaves": {
            format_card(leaf.card): _write_leaf(game, leaf, _SENTENCES.get(lesson["name"], ""))
            | {"reason": _explain_leaf(library, max(leaves, key=lambda leaf: leaf.net), leaf, sight.names)}
            for leaf in leaves
        },
    }


def _explain_leaf(library: Library, best: Leaf, leaf: Leaf, names: TableNames) -> str:
    """Explain why the best card is better than that of a leaf; empty where it is none."""
    if best.net == leaf.net:
        return ""
    return explain_better_card(library, (best.card, best.settled), (leaf.card, leaf.settled), names)


def _write_leaf(game: TableGame, leaf: Leaf, question: str) -> dict[str, Any]:
    """Write what comes of a card: the outcome in words, and the sentence of what weighs most in the ledger."""
    deal, settled, names = leaf.deal, leaf.settled, TableNames(leaf.deal.seats, SOUTH)
    done = sum(len(row) == len(deal.seats) for row in game.deal.tricks)
    later = [entry for entry in settled.entries if entry.fact.trick is None or entry.fact.trick > done]
    entry = max(later or settled.entries, key=lambda entry: abs(sum_entry(settled, entry, SOUTH)))
    sentence = names.describe_entry(entry)
    rulings = [game.ruleset.rulings[question]] if question else build_ledger_line(settled, entry).rulings
    return {
        "net": leaf.net,
        "words": describe_headline(settled, names)["words"],
        "slip": build_slip(game.library, rulings, sentence, sentence),
        "view": view_game(game.with_deal(deal), game.deal),
    }


def dump_lessons(library: Library) -> dict[str, str]:
    """Lessons as scripts, so that they can be read from a folder too: their titles, and a script for each lesson.

    No title where the library lacks their book.
    """
    lessons = list_lessons(library) if LESSON_SOURCE in library.sources else []
    titles = [{"name": lesson["name"], "title": lesson["title"]} for lesson in lessons]
    return {
        "lessons.js": f"globalThis.reversis ??= {{}};\nglobalThis.reversis.lessons = {_encode(titles)};\n",
        **{
            f"lesson-{lesson['name']}.js": f"Object.assign(globalThis.reversis.lessons[{at}], {_encode(lesson)});\n"
            for at, lesson in enumerate(lessons)
        },
    }


def _encode(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
