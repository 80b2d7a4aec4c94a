"""Certain and contested parts of a deal under one source, in words and as data.

They come from its possible worlds.

`describe_possible_worlds(library, worlds)` chooses the words; `reversis.views.deals.deal` makes a page of them,
`reversis worlds` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from engine.cards import format_card
from engine.deal.model import Deal
from engine.interpretation.explore import Case, Clauses, WorldCondition
from engine.interpretation.worlds import UNSETTLED_UPSHOT, Contest, Paid, Span, Worlds
from engine.settlement.ledger import Account, name_ledger_account
from engine.settlement.settle import Partie, Summary
from reversis.words import events
from reversis.words.ledgers import pool_words
from rulebook.decisions import Decision
from rulebook.model import Library
from rulebook.phrases import format_signed_sum
from rulebook.strings import single_spaced

WORLDS_SCHEMA = 1
PREFERRED = ".preferred"
#: What comes, in words; in which worlds; and whether it is what comes as we read the source.
_VariantTold: TypeAlias = tuple[str, tuple[WorldCondition, ...], bool]


# ---- what is shown
#: A way to take a clause: its id, empty for ours, and its words.
ReadingWords: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ContestView:
    """Something that hangs on a decision: what it is, how it comes as we read the source, and how otherwise."""

    what: str
    ours: str
    others: tuple[tuple[str, tuple[str, ...]], ...]  #: results, and the readings each of which alone brings it about
    together: int  #: how many further results take more than one decision to be taken otherwise
    depends: tuple[Clauses, ...]

    @property
    def further(self) -> str:
        """Sentence on the results that take more than one decision to be changed."""
        results = format_noun_count(self.together, "further result" if self.others else "other result")
        return f"{results} where several decisions are taken otherwise" if self.together else ""


@dataclass(frozen=True, slots=True)
class PossibleView:
    """A deal under all interpretations of one source."""

    source: str
    title: str
    unit: str
    options: bool  #: the options that the source offers are counted too
    number: int
    raised: int
    contested: int  #: postings
    certain: tuple[tuple[str, str], ...]  #: events, and who pays whom however the source is understood
    contests: tuple[ContestView, ...]
    #: clauses on which something hangs, what they answer, and the ways to take them; ours comes first
    decisions: tuple[tuple[str, str, tuple[ReadingWords, ...]], ...]
    net: tuple[str, ...]  #: what the accounts gain, of those whose gain is not certain
    unsettled: str  #: where the deal is not settled in all worlds, or in none

    @property
    def settled(self) -> bool:
        """True if nothing depends on a decision."""
        return not self.contests and not self.unsettled

    @property
    def said(self) -> str:
        """One or two sentences on how much is certain."""
        if not self.raised:
            options = ", nor does an option that it offers" if self.options else ""
            return f"No rival interpretation of {self.source} bears on this deal{options}."
        bear = f"{format_noun_count(self.raised, 'decision')} of ours bear{'s' * (self.raised == 1)} on this deal"
        ways = f"{bear}, to be taken in {self.number:,} ways{' together' if self.raised > 1 else ''}"
        if not self.contests:
            return f"{ways}; however {self.source} is understood, the deal comes out the same."
        if not self.contested:
            return f"{ways}: every payment is made in all of them, but not all else is certain."
        payments = f"{format_noun_count(len(self.certain), 'payment')} {'is' if len(self.certain) < 2 else 'are'}"
        return f"{ways}: {payments} made in all of them, {self.contested} in some only."


def format_noun_count(number: int, noun: str) -> str:
    """Format a number with its noun, in the singular or plural."""
    return f"{number or 'no'} {noun if number < 2 else noun + 's'}"


# ---- choosing the words
def describe_possible_worlds(library: Library, worlds: Worlds, options: bool = False) -> PossibleView:
    """Describe possible worlds in words."""
    source = library.sources[worlds.source]
    besides = (
        describe_upshot_contest(worlds, contest) for contest in worlds.upshots if not is_upshot_evident(worlds, contest)
    )
    contests = [*(describe_payment_contest(worlds, contest) for contest in worlds.contests), *besides]
    clauses = {clause for contest in contests for some in contest.depends for clause in some}
    return PossibleView(
        worlds.source,
        source.title,
        source.unit,
        options,
        worlds.number,
        len(worlds.decisions),
        len(worlds.contested),
        tuple(
            (heading, format_paid_sums(worlds.deal, [standing.paid for standing in these]))
            for heading, these in groupby(
                worlds.certain, key=lambda standing: describe_case(worlds.deal, standing.case)
            )
        ),
        tuple(contests),
        tuple(_describe_decision(library, decision) for decision in worlds.decisions if decision.clause in clauses),
        tuple(format_gain_span(worlds.deal, span) for span in worlds.net if span.least != span.most),
        describe_unsettled_worlds(worlds),
    )


def _describe_decision(library: Library, decision: Decision) -> tuple[str, str, tuple[ReadingWords, ...]]:
    clause = library.clause(decision.clause)
    labels = {a.id: a.label for a in clause.alternatives}
    asks = next(
        library.questions[q].asks for q in (*clause.answers, *sorted(decision.questions)) if q in decision.questions
    )
    rivals = ((id, labels[id]) for id in decision.readings if id in labels)
    ours = "", single_spaced(clause.label or "as the clause has it")
    return decision.clause, asks, (ours, *rivals)


def describe_payment_contest(worlds: Worlds, contest: Contest) -> ContestView:
    """Describe what is contested of the payments."""
    certain = {sure.paid for sure in worlds.certain if sure.case == contest.about}  # told already
    variants = [
        (_format_contested_sums(worlds.deal, v.value, certain), v.worlds, v.preferred) for v in contest.variants
    ]
    return build_contest_view(worlds, describe_case(worlds.deal, contest.about), contest.depends, variants)


def _format_contested_sums(deal: Deal, paid: Iterable[Paid], certain: Collection[Paid]) -> str:
    """Format what is paid besides that which is certain."""
    besides = [payment for payment in paid if payment not in certain]
    return format_paid_sums(deal, besides) if besides or not certain else "nothing more is paid"


def describe_upshot_contest(worlds: Worlds, contest: Contest) -> ContestView:
    """Describe what is contested besides: the pool, the winners."""
    heading, words = UPSHOT_WORDINGS[contest.about]
    turns = [(describe_turn(words, v.value, worlds.deal), v.worlds, v.preferred) for v in contest.variants]
    return build_contest_view(worlds, heading, contest.depends, turns)


def is_upshot_evident(worlds: Worlds, upshot: Contest) -> bool:
    """Check for an upshot that shows from the payments, or from what is not settled."""
    paid = any(contest.about.rule in SEEN_FROM.get(upshot.about, ()) for contest in worlds.contests)
    return paid or sum(variant.value != UNSETTLED_UPSHOT for variant in upshot.variants) < 2


#: The payments from which one sees how these have turned out.
SEEN_FROM: Mapping[str, tuple[str, ...]] = {"partie": ("partie",), "reversis": ("reversis-made", "reversis-broken")}


def build_contest_view(
    possible: Worlds, heading: str, depends: tuple[Clauses, ...], variants: Sequence[_VariantTold]
) -> ContestView:
    """Build the preferred variant, those that one decision brings about, and the number besides."""
    preferred = next(words for words, _, is_ours in variants if is_ours)
    decisions = [decision for decision in possible.decisions if any(decision.clause in some for some in depends)]
    others = [(words, worlds) for words, worlds, is_ours in variants if not is_ours]
    alone = [(words, find_sufficient_readings(worlds, decisions)) for words, worlds in others]
    shown = tuple(other for other in alone if other[1])
    return ContestView(heading, preferred, shown, len(alone) - len(shown), depends)


def find_sufficient_readings(worlds: Iterable[WorldCondition], decisions: Iterable[Decision]) -> tuple[str, ...]:
    """Find the readings that alone lead into some of these worlds."""
    worlds = tuple(worlds)
    rivals = [(decision.clause, reading) for decision in decisions for reading in decision.readings[1:]]
    return tuple(
        reading for clause, reading in rivals if any(is_reading_sufficient(world, clause, reading) for world in worlds)
    )


def is_reading_sufficient(condition: WorldCondition, clause: str, reading: str) -> bool:
    """Return whether a world follows from one decision, the others as we prefer."""
    return all(
        reading in allowed if other == clause else any(r.endswith(PREFERRED) for r in allowed)
        for other, allowed in condition
    )


def format_gain_span(deal: Deal, gain: Span) -> str:
    """Format what an account gains at least and at most."""
    who = name_account_or_nobody(deal, gain.account)
    span = f"from {format_signed_sum(gain.least)} to {format_signed_sum(gain.most)}"
    return f"{who} {span}" if gain.preferred is None else f"{who} {format_signed_sum(gain.preferred)} ({span})"


def describe_unsettled_worlds(worlds: Worlds) -> str:
    """Describe where the deal is not settled; empty if it is in all worlds."""
    states = [state for state in worlds.states if state.value != "settled"]
    if not states:
        return ""
    words = " or ".join(sorted(_STATE_TEXTS[state.value] for state in states))
    if len(states) == len(worlds.states):
        return f"However {worlds.source} is understood, {words}, and nothing is paid."
    here = next(state.value for state in worlds.states if state.preferred)
    if here == "settled":
        return f"As we read {worlds.source} the deal is settled; under another interpretation {words}."
    return f"As we read {worlds.source}, {_STATE_TEXTS[here]}; only another interpretation settles it."


_STATE_TEXTS: Mapping[str, str] = {
    "refused": "the deal may not be played so",
    "silent": "the source is silent on something it raises",
}


# ---- what happened, whatever comes of it
def describe_case(deal: Deal, case: Case) -> str:
    """Describe what a rule looks at, in words that no source would dispute."""
    place = f"Trick {case.trick}: " if case.rule in events.AT_THE_TABLE and case.trick else ""
    words = RULE_SUBJECTS[case.rule].format(
        who=name_account_or_nobody(deal, case.player),
        card=events.name_event_card(case.kind, case.card, case.called),
        stake=f"the stake of the {case.called}" if case.called else "the stake",
        then=events.CARD_EVENT_PHRASES.get(case.manner, case.manner),
        fault=events.FAULT_PHRASES.get(case.manner, case.manner),
    )
    return f"{place}{words}" if place else words[:1].upper() + words[1:]


_CARD_SUBJECT = "{who}'s {card}, {then}"
_UNDONE_PREFIX = "undone by a reversis: "
#: What every rule is about; a test demands that none is missing.
RULE_SUBJECTS: Mapping[str, str] = {
    "thrown-off": _CARD_SUBJECT,
    "forced": _CARD_SUBJECT,
    "led": _CARD_SUBJECT,
    "forced-fine": f"{_CARD_SUBJECT}: what it costs besides",
    "draws-stake": f"{_CARD_SUBJECT}: the stake",
    "matches-stake": f"{_CARD_SUBJECT}: what is put in for it",
    "thrown-off-returned": _UNDONE_PREFIX + _CARD_SUBJECT,
    "forced-returned": _UNDONE_PREFIX + _CARD_SUBJECT,
    "led-returned": _UNDONE_PREFIX + _CARD_SUBJECT,
    "forced-fine-returned": f"{_UNDONE_PREFIX}what {_CARD_SUBJECT}, costs besides",
    "draws-stake-returned": f"{_UNDONE_PREFIX}the stake, drawn by {_CARD_SUBJECT}",
    "matches-stake-returned": f"{_UNDONE_PREFIX}what was put in for {_CARD_SUBJECT}",
    "espagnolette-returns": f"given back by a lost espagnolette: {_CARD_SUBJECT}",
    "espagnolette-returns-stake": "paid back by a lost espagnolette: the stake drawn by {who}'s {card}",
    "reversis-by-quinola": "{stake} in a reversis, by {who}'s {card}, {then}",
    "breaking-quinola": "{who}'s {card}, which breaks a reversis",
    "reversis-made": "the reversis made",
    "reversis-broken": "the reversis broken",
    "reversis-stake": "{stake}, drawn by a reversis",
    "partie": events.PARTIE_PHRASE.rstrip(","),
    "stake-by-tricks": "{stake}, won by tricks",
    "refreshed": "everybody putting in again",
    "misdeal": "{who} {fault}",
    "dealt-again": "{who}: {fault}",
    "fine": "{who} {fault}",
    "fine-returned": "undone by a reversis: the fine, {who} having made it though {who} {fault}",
}


def format_paid_sums(deal: Deal, paid: Iterable[Paid]) -> str:
    """Format who pays whom how much."""
    sums = [
        f"{name_account_or_nobody(deal, p.payer)} to {name_account_or_nobody(deal, p.payee)} {p.amount}" for p in paid
    ]
    return "; ".join(sums) or "nothing is paid"


def name_account_or_nobody(deal: Deal, number: Account | None) -> str:
    """Name a player, the pool, or nobody."""
    return "nobody" if number is None else name_ledger_account(deal, number)


# ---- what turns out besides
def describe_turn(words: Callable[..., str], value: object, deal: Deal) -> str:
    """Describe how something turned out, if the deal was settled."""
    return "the deal is not settled" if value == UNSETTLED_UPSHOT else words(value, deal)


def describe_reversis_upshot(value: tuple[int, bool, tuple[int, ...]] | None, deal: Deal) -> str:
    """Describe who made or missed the reversis."""
    return events.describe_reversis(Summary(value, None, None, None), deal.seats) or "there is none"


def describe_espagnolette_upshot(value: tuple[int, bool] | None, deal: Deal) -> str:
    """Describe who won or lost the espagnolette."""
    return "there is none" if value is None else f"{deal.seats[value[0]]} {'wins' if value[1] else 'loses'} it"


def describe_partie_upshot(value: Partie | None, deal: Deal) -> str:
    """Describe who won the partie, or talon."""
    return events.describe_partie_result(Summary(None, None, value, None), deal.seats)


#: Headings of what the settlement of a deal is but no upshot of it.
SETTLEMENT_HEADINGS: Mapping[str, str] = {
    "lawful": "Whether the deal may be played like this",
    "passed-over": "Faults that cost nothing",
}

UPSHOT_WORDINGS: Mapping[str, tuple[str, Callable[..., str]]] = {
    "pool": ("The pool after the deal", lambda pool, deal: pool_words(pool)),
    "reversis": ("The reversis", describe_reversis_upshot),
    "espagnolette": ("The espagnolette", describe_espagnolette_upshot),
    "partie": ("Who wins the partie, or talon", describe_partie_upshot),
    "next_dealer": ("Who deals next", lambda seat, deal: name_account_or_nobody(deal, seat)),
}


def head_turn(what: str, trick: int | None, player: str) -> str:
    """Name what turns out otherwise: by whom or in which trick, or what of the settlement."""
    if what == "may-play":
        return f"Trick {trick}: what {player} may play"
    if what == "taken":
        return f"Trick {trick}: who takes it"
    return SETTLEMENT_HEADINGS[what] if what in SETTLEMENT_HEADINGS else UPSHOT_WORDINGS[what][0]


# ---- as data
def dump_possible_worlds(worlds: Worlds, unit: str, options: bool) -> dict[str, object]:
    """Dump possible worlds as plain data."""
    return {
        "schema": WORLDS_SCHEMA,
        "deal": worlds.deal.id,
        "source": worlds.source,
        "unit": unit,
        "options": options,
        "worlds": worlds.number,
        "decisions": [
            {"clause": decision.clause, "readings": list(decision.readings)} for decision in worlds.decisions
        ],
        "states": [
            {"state": state.value, "preferred": state.preferred, "worlds": dump_world_conditions(state.worlds)}
            for state in worlds.states
        ],
        "postings": [
            (
                {
                    **dump_case(worlds.deal, posting.case),
                    **dump_paid(worlds.deal, posting.paid),
                    "certain": not posting.depends,
                    "preferred": posting.preferred,
                    "depends": [list(some) for some in posting.depends],
                    "holds": dump_world_conditions(posting.holds),
                }
            )
            for posting in worlds.postings
        ],
        "net": {
            name_account_or_nobody(worlds.deal, span.account): {
                "least": span.least,
                "most": span.most,
                "preferred": span.preferred,
            }
            for span in worlds.net
        },
        "besides": [dump_world_upshot(worlds.deal, contest) for contest in worlds.upshots],
    }


def dump_case(deal: Deal, case: Case) -> dict[str, object]:
    """Dump what a rule looks at."""
    card = {"card": format_card(case.card)} if case.card is not None else {}
    player = None if case.player is None else name_account_or_nobody(deal, case.player)
    return {"rule": case.rule, "kind": case.kind, "trick": case.trick, **card, "player": player}


def dump_paid(deal: Deal, paid: Paid) -> dict[str, object]:
    """Dump who pays whom how much."""
    payer, payee = name_account_or_nobody(deal, paid.payer), name_account_or_nobody(deal, paid.payee)
    return {"from": payer, "to": payee, "amount": paid.amount}


def dump_world_conditions(these: Iterable[WorldCondition]) -> list[dict[str, list[str]]]:
    """Dump worlds: clauses, each with the readings by which it may be taken."""
    return [{clause: list(readings) for clause, readings in world} for world in these]


def dump_world_upshot(deal: Deal, contest: Contest) -> dict[str, object]:
    """Dump an upshot, and in which worlds each turn comes."""
    words = UPSHOT_WORDINGS[contest.about][1]
    turns = [
        {"said": describe_turn(words, turn.value, deal), "preferred": turn.preferred}
        | {"worlds": dump_world_conditions(turn.worlds)}
        for turn in contest.variants
    ]
    return {"what": contest.about, "depends": [list(some) for some in contest.depends], "turns": turns}
