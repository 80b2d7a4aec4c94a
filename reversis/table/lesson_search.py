"""Search for the positions of lessons: one choice in the second half of a deal, that is right however the cards lie.

`python -m reversis.table.lesson_search` searches the seeds from 1 on and writes `lessons.json`. A position is taken
where the right card does better than the wrong one in nearly all layouts of the cards that South has not seen, whether
all play on by nets or with caution. Each lesson keeps its position, and how the deal goes on after each card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any, TypeAlias

from engine.cards import format_card, make_card_mask, parse_card_name, rank_of, suit_of
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation.at_table import add_card, set_up_turn
from engine.generation.deal import choose_random_card
from engine.generation.requests import drop_blanks
from engine.generation.turn import PlayerTurn
from engine.play.table import ACE_RANK, has_privilege
from engine.players.cautious import choose_cautious_card
from engine.players.nets import NET_PACK, NET_SEATS, TrainedNet, find_net
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from reversis.table.days import deal_table, deal_to_nets, play_by_nets
from reversis.table.hints import LAYOUTS, play_on_and_settle
from reversis.table.lessons import LESSON_SOURCE, LESSONS_FILE, SOUTH, Leaf, list_topic_names
from reversis.table.rollouts import play_to_end
from reversis.table.unseen import cover_deal, lay_out_unseen_cards
from rulebook.io.files import replace_file
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve

_JACK = parse_card_name("JH")
_RIGHT_IN = 27  #: layouts of LAYOUTS, at least
_STRONG, _KNAVE = 6, 9  #: cards from the knave up, by which South may go for all tricks
_NEED_STRENGTH = {"all", "espagnolette"}
_AT_RANDOM = {"points", "aces", "jack-thrown"}  #: lessons that are found where the first tricks were played so
_TRICKS_DONE = (5, 6)  #: so that five or six cards are left
_GAP = 3  #: by so much at least the right card does better than any other, as the cards lie


@dataclass(frozen=True)
class LessonChoice:
    """A choice in a lesson: the right card and a wrong one, and South's turn."""

    turn: PlayerTurn
    right: Leaf
    wrong: Leaf

    @property
    def follows(self) -> bool:
        """Return whether South follows to a trick."""
        return bool(self.turn.row)

    def throws_off(self, card: int) -> bool:
        """Return whether a card is of another suit than the one led."""
        return self.follows and suit_of(card) != suit_of(self.turn.row[0])

    @property
    def holds_jack(self) -> bool:
        """Return whether South has still the jack of hearts."""
        return bool(self.turn.table.hands[SOUTH] >> _JACK & 1)

    @property
    def is_plain(self) -> bool:
        """Return whether neither card is an ace or the jack of hearts."""
        return not any(card == _JACK or rank_of(card) == ACE_RANK for card in (self.right.card, self.wrong.card))


Fits: TypeAlias = Callable[[LessonChoice], bool]


def _takes_few_points(choice: LessonChoice) -> bool:
    takers = [leaf.takers[choice.turn.number - 1] for leaf in (choice.right, choice.wrong)]
    partie = [leaf.rank_in_partie for leaf in (choice.right, choice.wrong)]
    plain = choice.is_plain and not choice.holds_jack and choice.follows
    return plain and takers[0] != SOUTH == takers[1] and partie[0] > partie[1]


def _gives_ace_away(choice: LessonChoice) -> bool:
    ace = rank_of(choice.right.card) == ACE_RANK and choice.throws_off(choice.right.card)
    return ace and choice.wrong.card != _JACK and rank_of(choice.wrong.card) != ACE_RANK and not choice.holds_jack


def _throws_jack(choice: LessonChoice) -> bool:
    return choice.right.card == _JACK and choice.throws_off(_JACK)


def _saves_jack(choice: LessonChoice) -> bool:
    fates = [leaf.name_fate("quinola") for leaf in (choice.right, choice.wrong)]
    return choice.right.card != _JACK and fates[1] == "quinola-forced" != fates[0] and choice.holds_jack


def _minds_last_trick(choice: LessonChoice) -> bool:
    last = [leaf.sum_trick(len(leaf.deal.tricks)) for leaf in (choice.right, choice.wrong)]
    return last[1] < 0 <= last[0] and not choice.holds_jack


def _goes_for_all(choice: LessonChoice) -> bool:
    mine = {*choice.turn.table.takers} == {SOUTH}
    outcomes = [leaf.settled.outcome.reversis for leaf in (choice.right, choice.wrong)]
    made = [outcome is not None and outcome[:2] == (SOUTH, True) for outcome in outcomes]
    return mine and made == [True, False]


def _uses_privilege(choice: LessonChoice) -> bool:
    held = choice.turn.table.holder == SOUTH and choice.follows
    could = any(not choice.throws_off(card) for card in choice.turn.legal)
    return held and could and choice.throws_off(choice.right.card) and not choice.throws_off(choice.wrong.card)


FITS: Mapping[str, Fits] = {
    "points": _takes_few_points,
    "aces": _gives_ace_away,
    "jack-thrown": _throws_jack,
    "jack-forced": _saves_jack,
    "last": _minds_last_trick,
    "all": _goes_for_all,
    "espagnolette": _uses_privilege,
}


# ---- positions
def list_positions(library: Library, own: Ruleset, seed: int, name: str) -> Iterator[Deal]:
    """List positions of a seed at South's turn, played as a lesson needs it: by nets, at random, or for all tricks."""
    lots, ask = Random(seed), Ask(own)
    if not _is_strong_enough(deal_table(library, LESSON_SOURCE, seed).deal.hands[SOUTH], ask, name):
        return
    if name in _AT_RANDOM or name in _NEED_STRENGTH:
        dealt = deal_to_nets(library, LESSON_SOURCE, seed)
        yield from cut_positions(play_somehow(dealt, ask, lots, goes_for_all=name in _NEED_STRENGTH))
    if name not in _AT_RANDOM and name != "all":
        yield from cut_positions(play_by_nets(library, LESSON_SOURCE, seed))


def _is_strong_enough(hand: Collection[int], ask: Ask, name: str) -> bool:
    """Return whether a hand is strong enough for a lesson that needs strength: others are passed over at once."""
    if name == "all":
        return sum(rank_of(card) >= _KNAVE for card in hand) >= _STRONG
    return name != "espagnolette" or has_privilege(make_card_mask(hand), 1 << _JACK, ask)


def cut_positions(deal: Deal) -> Iterator[Deal]:
    """Cut a deal where South is to play with five or six cards left."""
    for done in _TRICKS_DONE:
        row = deal.tricks[done]
        at = next(place for place, card in enumerate(row) if card in deal.hands[SOUTH])
        rows = (*deal.tricks[:done], row[:at]) if at else deal.tricks[:done]
        yield replace(deal, tricks=rows, fragment=True)


def play_somehow(deal: Deal, ask: Ask, lots: Random, goes_for_all: bool = False) -> Deal:
    """Play a deal at random; or South the highest card that may be played, and the others with caution."""
    while (turn := set_up_turn(deal, ask)[1]) is not None:
        if not goes_for_all:
            card = choose_random_card(lots, turn)
        else:
            card = max(turn.legal, key=rank_of) if turn.seat == SOUTH else choose_cautious_card(lots, turn)
        deal = add_card(deal, card)
    return deal


def list_leaves(position: Deal, own: Ruleset, net: TrainedNet | None) -> list[Leaf]:
    """List how the deal goes on by nets after each card, the best for South first."""
    turn = set_up_turn(position, Ask(own))[1]
    assert turn is not None, "South is to play"
    leaves = []
    for card in turn.legal:
        deal = play_to_end(add_card(position, card), Ask(own), net, Random(0))
        settled = settle(deal, own)
        if isinstance(settled, Settled):
            leaves.append(Leaf(card, deal, settled))
    return sorted(leaves, key=lambda leaf: -leaf.net)


def count_right(position: Deal, own: Ruleset, net: TrainedNet | None, right: int, wrong: int) -> int:
    """Count in how many layouts the right card does better than the wrong one; it ends early where it is not enough."""
    layouts = lay_out_unseen_cards(cover_deal(position, SOUTH), Ask(own), LAYOUTS, Random(f"lesson:{position.id}"))
    better = 0
    for at, layout in enumerate(layouts):
        sums = [play_on_and_settle(layout, own, net, SOUTH, card, at) for card in (right, wrong)]
        better += None not in sums and (sums[0] or 0) > (sums[1] or 0)
        if at + 1 - better > LAYOUTS - _RIGHT_IN:
            return 0
    return better


def may_hold_lesson(turn: PlayerTurn, name: str) -> bool:
    """Return whether a position may hold a lesson, before anything is played out."""
    off = [card for card in turn.legal if turn.row and suit_of(card) != suit_of(turn.row[0])]
    if name == "jack-thrown":
        return _JACK in off
    return name != "aces" or any(rank_of(card) == ACE_RANK for card in off)


def find_lesson(position: Deal, own: Ruleset, net: TrainedNet | None, name: str) -> dict[str, Any] | None:
    """Find a lesson of a topic in a position; None where it holds none."""
    turn = set_up_turn(position, Ask(own))[1]
    if turn is None or len(turn.legal) < 2 or not may_hold_lesson(turn, name):
        return None
    right, *others = list_leaves(position, own, net)
    if not others or right.net - others[0].net < _GAP:
        return None
    wrong = [leaf for leaf in others if FITS[name](LessonChoice(turn, right, leaf))]
    for leaf in wrong[-2:]:
        counts = count_by_kind(position, own, net, right.card, leaf.card)
        if all(counts.values()):
            return _dump_lesson(name, position, [right, *others], leaf.card, counts)
    return None


def count_by_kind(position: Deal, own: Ruleset, net: TrainedNet | None, right: int, wrong: int) -> Mapping[str, int]:
    """Count in how many layouts the right card does better, against careful players and, if it does, against nets."""
    cautious = count_right(position, own, None, right, wrong)
    return {"cautious": cautious, "net": count_right(position, own, net, right, wrong) if cautious else 0}


def _dump_lesson(
    name: str, position: Deal, leaves: Sequence[Leaf], wrong: int, counts: Mapping[str, int]
) -> dict[str, Any]:
    done = sum(map(len, position.tricks))
    played = {leaf.card: [card for row in leaf.deal.tricks for card in row][done:] for leaf in leaves}
    return {
        "name": name,
        "record": drop_blanks(write_deal(position)),
        "right": format_card(leaves[0].card),
        "wrong": format_card(wrong),
        "better": {**counts, "of": LAYOUTS},
        "leaves": {format_card(card): " ".join(map(format_card, cards)) for card, cards in played.items()},
    }


def search_lesson(library: Library, name: str) -> dict[str, Any]:
    """Search the seeds from 1 on for a lesson of a topic."""
    own = resolve(library, LESSON_SOURCE)
    net = find_net(own, NET_SEATS, NET_PACK)
    positions = (position for seed in count(1) for position in list_positions(library, own, seed, name))
    lessons = (find_lesson(position, own, net, name) for position in positions)
    return next(lesson for lesson in lessons if lesson is not None)


def main() -> None:
    """Search with the library of this checkout, and write the file."""
    from rulebook.load import load_library

    whole, problems = load_library()
    if whole is None:
        raise SystemExit("\n".join(map(str, problems)))
    lessons = [search_lesson(whole, name) for name in list_topic_names()]
    record = {"command": "python -m reversis.table.lesson_search", "lessons": lessons}
    replace_file(LESSONS_FILE, json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
