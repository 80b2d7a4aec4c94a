"""Phrases for what a source says and the engine does not play: whether, and where, a deal raises it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.cards import card_words, parse_card_name
from engine.settlement.occasions import RaisedOccasion, UnplayedRule
from rulebook.model import Occasion
from rulebook.phrases import join_names

_CARD_VERBS: Mapping[str, str] = {
    "led": "leads",
    "followed": "plays",
    "thrown-off": "throws off",
    "played": "plays",
    "discarded": "discards",
    "taken-in": "takes from the talon",
}
_VERDICTS: Mapping[bool | None, str] = {
    True: "In this deal it would have mattered.",
    False: "In this deal nothing comes of it.",
    None: "Whether it matters in this deal the program cannot tell: read the rule beside it.",
}


def describe_verdict(one: UnplayedRule) -> str:
    """Describe whether a rule that is not played would have mattered in a deal."""
    return _VERDICTS[one.mattered]


def describe_raised_occasions(one: UnplayedRule, seats: Sequence[str], source: str) -> str:
    """Describe where a deal raises a rule that is not played; empty where it does not."""
    if not one.raised:
        return ""
    resting = [each for each in one.raised if each.occasion == Occasion()]
    seen = dict.fromkeys(_describe_occasion(each, seats) for each in one.raised if each not in resting)
    happened = "; ".join([*seen, *([_describe_payments(resting)] if resting else [])])
    told = (each.occasion.says for each in one.raised if each.occasion.says)
    says = next(told, f"{source} has a rule of its own for it")
    return f"{happened}: {says.rstrip('.')}, and this ledger does not follow it"


def _describe_occasion(raised: RaisedOccasion, seats: Sequence[str]) -> str:
    one, who = raised.occasion, "" if raised.seat is None else seats[raised.seat]
    when = f" in trick {raised.trick}" if raised.trick else ""
    if one.card and one.when == "in-the-talon":
        return f"the {card_words(parse_card_name(one.card))} lies in the talon"
    if one.card:
        return f"{who} {_CARD_VERBS[one.when]} the {card_words(parse_card_name(one.card))}{when}"
    if one.announced:
        return f"{who} announces {one.announced}"
    return f"the stake is {one.stake_from} or more"


def _describe_payments(resting: Sequence[RaisedOccasion]) -> str:
    tricks = list(dict.fromkeys(f"in trick {each.trick}" if each.trick else "at the end" for each in resting))
    return f"what is paid {join_names(tricks)} rests on the answer played instead"
