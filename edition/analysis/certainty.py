"""What of a deal is certain by a source, and what is contested: possible worlds in words and as data.

`possible(library, worlds)` chooses the words; `edition.views.deals.deal` makes a page of them, `reversis worlds` prints
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from edition.analysis.ledgers import pool_words, signed
from edition.text.events import AT_THE_TABLE, FAULTS, MANNERS, PARTIE, card_words, partie_words, reversis_words
from engine.cards import name
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.decisions import Decision
from engine.interpretation.explore import Case, Clauses, Condition
from engine.interpretation.worlds import UNSETTLED, Contest, Paid, Span, Standing, Turn, Upshot, Worlds
from engine.settlement.ledger import Account
from engine.settlement.settle import Partie, Summary
from rulebook.model import Clause, Library

SCHEMA = 1
PREFERRED = ".preferred"
#: What comes, in words; in which worlds; and whether it is what comes as we read the source.
Told: TypeAlias = tuple[str, tuple[Condition, ...], bool]


# ---- what is shown
@dataclass(frozen=True, slots=True)
class ReadingView:
    """One way to take a clause: our own, or an alternative with its id."""

    id: str  #: empty for ours
    label: str


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A clause that can be taken in several ways; ours comes first."""

    clause: str
    asks: str
    readings: tuple[ReadingView, ...]


@dataclass(frozen=True, slots=True)
class OtherView:
    """What comes otherwise, and the readings each of which alone is enough to bring it about."""

    said: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContestView:
    """Something that hangs on a decision: what it is, how it comes as we read the source, and how otherwise."""

    what: str
    ours: str
    others: tuple[OtherView, ...]
    together: int  #: how many further results take more than one decision to be taken otherwise
    depends: tuple[Clauses, ...]

    @property
    def further(self) -> str:
        """That there are results which take more than one decision to be taken otherwise."""
        results = counted(self.together, "further result" if self.others else "other result")
        return f"{results} where several decisions are taken otherwise" if self.together else ""


@dataclass(frozen=True, slots=True)
class CertainView:
    """What is paid however the source is understood."""

    what: str
    said: str


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
    certain: tuple[CertainView, ...]
    contests: tuple[ContestView, ...]
    decisions: tuple[DecisionView, ...]  #: those on which something hangs
    net: tuple[str, ...]  #: what the accounts gain, of those whose gain is not certain
    unsettled: str  #: where the deal is not settled in all worlds, or in none

    @property
    def settled(self) -> bool:
        """Whether nothing hangs on a decision."""
        return not self.contests and not self.unsettled

    @property
    def said(self) -> str:
        """How much is certain, in a sentence or two."""
        if not self.raised:
            return f"No rival interpretation of {self.source} bears on this deal{and_options(self.options)}."
        bear = f"{counted(self.raised, 'decision')} of ours {'bears' if self.raised == 1 else 'bear'} on this deal"
        ways = f"{bear}, to be taken in {self.number:,} ways{' together' if self.raised > 1 else ''}"
        if not self.contests:
            return f"{ways}; however {self.source} is understood, the deal comes out the same."
        if not self.contested:
            return f"{ways}: every payment is made in all of them, but not all else is certain."
        return f"{ways}: {payments(len(self.certain))} made in all of them, {self.contested} in some only."


def and_options(options: bool) -> str:
    """That options were tried too."""
    return ", nor does an option that it offers" if options else ""


def counted(number: int, one: str) -> str:
    """So many of something."""
    return f"{number or 'no'} {one if number < 2 else one + 's'}"


def payments(number: int) -> str:
    """So many payments are ..."""
    return f"{counted(number, 'payment')} {'is' if number < 2 else 'are'}"


# ---- choosing the words
def possible(library: Library, found: Worlds, options: bool = False) -> PossibleView:
    """Possible worlds in words."""
    source = library.sources[found.source]
    besides = (upshot_view(found, one) for one in found.upshots if not told_already(found, one))
    contests = [*(contest_view(found, one) for one in found.contests), *besides]
    named = {clause for one in contests for some in one.depends for clause in some}
    return PossibleView(
        found.source,
        source.title,
        source.unit,
        options,
        found.number,
        len(found.decisions),
        len(found.contested),
        tuple(certain_views(found)),
        tuple(contests),
        tuple(decision_view(library, one) for one in found.decisions if one.clause in named),
        tuple(span_words(found.deal, one) for one in found.net if one.least != one.most),
        unsettled(found),
    )


def certain_views(found: Worlds) -> Iterator[CertainView]:
    """What is certain, the sums for one thing together."""
    for heading, these in groupby(found.certain, key=lambda one: what(found.deal, one.case)):
        yield CertainView(heading, sums(found.deal, [one.paid for one in these]))


def decision_view(library: Library, one: Decision) -> DecisionView:
    """A decision with its readings."""
    clause = library.clause(one.clause)
    labels = {a.id: a.label for a in clause.alternatives}
    asks = next(library.questions[q].asks for q in (*clause.answers, *sorted(one.questions)) if q in one.questions)
    rivals = (ReadingView(id, labels[id]) for id in one.readings if id in labels)
    return DecisionView(one.clause, asks, (ReadingView("", ours(clause)), *rivals))


def ours(clause: Clause) -> str:
    """How we take a clause, in short."""
    return " ".join((clause.label or "as the clause has it").split())


def contest_view(found: Worlds, one: Contest) -> ContestView:
    """What is contested of the payments."""
    variants = [(sums(found.deal, v.paid), v.worlds, v.preferred) for v in one.variants]
    return contested(found, what(found.deal, one.case), one.depends, variants)


def upshot_view(found: Worlds, one: Upshot) -> ContestView:
    """What is contested besides: the pool, who has won."""
    heading, words = UPSHOTS[one.what]
    turns = [(turned(words, turn, found.deal), turn.worlds, turn.preferred) for turn in one.turns]
    return contested(found, heading, one.depends, turns)


def told_already(found: Worlds, one: Upshot) -> bool:
    """Whether it is seen from the payments, or from whether the deal is settled at all, that this is contested."""
    paid = any(contest.case.rule in SEEN_FROM.get(one.what, ()) for contest in found.contests)
    return paid or sum(turn.value != UNSETTLED for turn in one.turns) < 2


#: The payments from which one sees how these have turned out.
SEEN_FROM: Mapping[str, tuple[str, ...]] = {"partie": ("partie",), "reversis": ("reversis-made", "reversis-broken")}


def contested(found: Worlds, heading: str, depends: tuple[Clauses, ...], variants: Sequence[Told]) -> ContestView:
    """The preferred variant, those that one decision alone brings about, and how many there are besides."""
    preferred = next(said for said, _, is_ours in variants if is_ours)
    decisions = [one for one in found.decisions if any(one.clause in some for some in depends)]
    alone = [OtherView(said, alone_enough(worlds, decisions)) for said, worlds, is_ours in variants if not is_ours]
    shown = tuple(one for one in alone if one.readings)
    return ContestView(heading, preferred, shown, len(alone) - len(shown), depends)


def alone_enough(worlds: Iterable[Condition], decisions: Iterable[Decision]) -> tuple[str, ...]:
    """The readings that lead into some of these worlds, all other decisions being taken as we prefer."""
    worlds = tuple(worlds)
    rivals = [(one.clause, reading) for one in decisions for reading in one.readings[1:]]
    return tuple(reading for clause, reading in rivals if any(leads(one, clause, reading) for one in worlds))


def leads(condition: Condition, clause: str, reading: str) -> bool:
    """Whether a world belongs here in which one decision is taken so, and all others as we prefer."""
    return all(
        reading in allowed if one == clause else any(r.endswith(PREFERRED) for r in allowed)
        for one, allowed in condition
    )


def span_words(deal: Deal, one: Span) -> str:
    """What an account gains at least and at most."""
    who = account(deal, one.account)
    span = f"from {signed(one.least)} to {signed(one.most)}"
    return f"{who} {span}" if one.preferred is None else f"{who} {signed(one.preferred)} ({span})"


def unsettled(found: Worlds) -> str:
    """That the deal is not settled by this source, or not however it is understood."""
    said = [one for one in found.states if one.state != "settled"]
    if not said:
        return ""
    words = " or ".join(sorted(STATES[one.state] for one in said))
    if len(said) == len(found.states):
        return f"However {found.source} is understood, {words}, and nothing is paid."
    here = next(one.state for one in found.states if one.preferred)
    if here == "settled":
        return f"As we read {found.source} the deal is settled; under another interpretation {words}."
    return f"As we read {found.source}, {STATES[here]}; only another interpretation settles it."


STATES: Mapping[str, str] = {
    "refused": "the deal may not be played so",
    "silent": "the source is silent on something it raises",
}


# ---- what happened, whatever comes of it
def what(deal: Deal, case: Case) -> str:
    """What a rule looks at, in a few words that no source would dispute."""
    place = f"Trick {case.trick}: " if case.rule in AT_THE_TABLE and case.trick else ""
    words = SUBJECTS[case.rule].format(
        who=account(deal, case.player),
        card="quinola" if case.kind == "quinola" or case.card is None else card_words(case.card),
        then=MANNERS.get(case.manner, case.manner),
        fault=FAULTS.get(case.manner, case.manner),
    )
    return f"{place}{words}" if place else words[:1].upper() + words[1:]


CARD = "{who}'s {card}, {then}"
BACK = "undone by a reversis: "
#: What every rule is about; a test demands that none is missing.
SUBJECTS: Mapping[str, str] = {
    "thrown-off": CARD,
    "forced": CARD,
    "led": CARD,
    "forced-fine": f"{CARD}: what it costs besides",
    "draws-stake": f"{CARD}: the stake",
    "matches-stake": f"{CARD}: what is put in for it",
    "thrown-off-returned": BACK + CARD,
    "forced-returned": BACK + CARD,
    "led-returned": BACK + CARD,
    "forced-fine-returned": f"{BACK}what {CARD}, costs besides",
    "draws-stake-returned": f"{BACK}the stake, drawn by {CARD}",
    "matches-stake-returned": f"{BACK}what was put in for {CARD}",
    "espagnolette-returns": f"given back by a lost espagnolette: {CARD}",
    "espagnolette-returns-stake": "paid back by a lost espagnolette: the stake drawn by {who}'s quinola",
    "reversis-by-quinola": "the stake in a reversis, by {who}'s quinola, {then}",
    "breaking-quinola": "{who}'s quinola, which breaks a reversis",
    "reversis-made": "the reversis made",
    "reversis-broken": "the reversis broken",
    "reversis-stake": "the stake, drawn by a reversis",
    "partie": PARTIE.rstrip(","),
    "stake-by-tricks": "the stake, won by tricks",
    "refreshed": "everybody putting in again",
    "misdeal": "{who} {fault}",
    "dealt-again": "{who}: {fault}",
    "fine": "{who} {fault}",
    "fine-returned": "undone by a reversis: the fine, {who} having made it though {who} {fault}",
}


def sums(deal: Deal, paid: Iterable[Paid]) -> str:
    """Who pays whom how much."""
    said = [f"{account(deal, p.payer)} to {account(deal, p.payee)} {p.amount}" for p in paid]
    return "; ".join(said) or "nothing is paid"


def account(deal: Deal, number: Account | None) -> str:
    """A player by name, or the pool."""
    if number is None:
        return "nobody"
    return deal.seats[number] if isinstance(number, int) else number


# ---- what turns out besides
def turned(words: Callable[..., str], turn: Turn, deal: Deal) -> str:
    """How something turned out, if the deal was settled."""
    return "the deal is not settled" if turn.value == UNSETTLED else words(turn.value, deal)


def pool_after(value: Pool, deal: Deal) -> str:
    """The pool after the deal."""
    return pool_words(value)


def reversis(value: tuple[int, bool, tuple[int, ...]] | None, deal: Deal) -> str:
    """Who made or missed the reversis."""
    return reversis_words(Summary(value, None, None, None), deal.seats) or "there is none"


def espagnolette(value: tuple[int, bool] | None, deal: Deal) -> str:
    """Who won or lost the espagnolette."""
    return "there is none" if value is None else f"{deal.seats[value[0]]} {'wins' if value[1] else 'loses'} it"


def partie(value: Partie | None, deal: Deal) -> str:
    """Who won the partie, or talon."""
    return partie_words(Summary(None, None, value, None), deal.seats)


def next_dealer(value: int | None, deal: Deal) -> str:
    """Who deals next."""
    return account(deal, value)


#: Headings of what the settlement of a deal is but no upshot of it.
HEADINGS: Mapping[str, str] = {
    "lawful": "Whether the deal may be played so",
    "passed-over": "Faults that cost nothing",
}

UPSHOTS: Mapping[str, tuple[str, Callable[..., str]]] = {
    "pool": ("The pool after the deal", pool_after),
    "reversis": ("The reversis", reversis),
    "espagnolette": ("The espagnolette", espagnolette),
    "partie": ("Who wins the partie, or talon", partie),
    "next_dealer": ("Who deals next", next_dealer),
}


# ---- as data
def written(found: Worlds, unit: str, options: bool) -> dict[str, object]:
    """Possible worlds as plain data."""
    return {
        "schema": SCHEMA,
        "deal": found.deal.id,
        "source": found.source,
        "unit": unit,
        "options": options,
        "worlds": found.number,
        "decisions": [{"clause": one.clause, "readings": list(one.readings)} for one in found.decisions],
        "states": [{"state": s.state, "preferred": s.preferred, "worlds": conditions(s.worlds)} for s in found.states],
        "postings": [written_posting(found.deal, one) for one in found.postings],
        "net": {account(found.deal, one.account): written_span(one) for one in found.net},
        "besides": [written_upshot(found.deal, one) for one in found.upshots],
    }


def written_posting(deal: Deal, one: Standing) -> dict[str, object]:
    """One posting: where it comes from, and in which worlds it holds."""
    case = one.case
    fact = {"rule": case.rule, "kind": case.kind, "trick": case.trick}
    fact |= {"card": name(case.card)} if case.card is not None else {}
    return fact | {
        "player": None if case.player is None else account(deal, case.player),
        "from": account(deal, one.paid.payer),
        "to": account(deal, one.paid.payee),
        "amount": one.paid.amount,
        "certain": one.certain,
        "preferred": one.preferred,
        "depends": [list(some) for some in one.depends],
        "holds": conditions(one.holds),
    }


def conditions(these: Iterable[Condition]) -> list[dict[str, list[str]]]:
    """Some worlds: clauses, each with the readings by which it may be taken."""
    return [{clause: list(readings) for clause, readings in one} for one in these]


def written_span(one: Span) -> dict[str, object]:
    """The least, the most, and what we prefer."""
    return {"least": one.least, "most": one.most, "preferred": one.preferred}


def written_upshot(deal: Deal, one: Upshot) -> dict[str, object]:
    """What turns out besides, and in which worlds."""
    words = UPSHOTS[one.what][1]
    turns = [
        {"said": turned(words, t, deal), "preferred": t.preferred, "worlds": conditions(t.worlds)} for t in one.turns
    ]
    return {"what": one.what, "depends": [list(some) for some in one.depends], "turns": turns}
