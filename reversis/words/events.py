"""English sentences for ledger entries: the event and the payment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import card_words
from engine.deal.events import Fault
from engine.settlement.ledger import Account, Entry
from engine.settlement.settle import Summary
from rulebook.phrases import join_names

#: sources call it partie or talon; here it is both
PARTIE_PHRASE = "the partie, or talon,"
FAULT_PHRASES: Mapping[str, str] = {
    "revoke": "revokes",
    "out-of-turn": "plays out of turn",
    "thrown-down": "throws down their hand and claims the remaining tricks",
    "peek": "has seen their card of the talon, and discarded all the same",
    "undiscarded": "has taken a card of the talon without discarding",
    "ten-cards": "has discarded two cards for one, and plays with a card too few",
    "misdeal": "has dealt wrongly",
    "card-turned-up": "has turned up a card in dealing",
    "badly-shuffled": "has dealt cards that were badly shuffled",
    "incomplete-pack": "has dealt from a pack that is not complete",
}
_NOTICED_PHRASES: Mapping[str, str] = {
    "before-discard": "which comes out before the discard",
    "before-lead": "which comes out before the first card is led",
    "in-play": "which comes out during the play",
}
#: what befell a card, after "the quinola"
CARD_EVENT_PHRASES: Mapping[str, str] = {
    "led": "led",
    "forced": "forced",
    "put": "put on its own suit",
    "followed": "played to its own suit",
    "thrown-off": "thrown off",
    "laid-away": "left in the talon",
}


@dataclass(frozen=True, slots=True)
class EntryContext:
    """Ledger entry with the names of the players, for the functions that describe it."""

    entry: Entry
    seats: tuple[str, ...]

    def named(self, account: Account | None) -> str:
        """Name of a player, or "the pool"."""
        if account is None:
            return "nobody"
        return self.seats[account] if isinstance(account, int) else f"the {account}"

    @property
    def who(self) -> str:
        """Player whose card, tricks or fault it is."""
        return self.named(self.entry.fact.player)

    @property
    def card(self) -> str:
        """Name of the card: the quinola, another privileged card by its own name, or the ace."""
        fact = self.entry.fact
        if fact.called:
            return fact.called
        return "quinola" if fact.kind == "quinola" or fact.card is None else card_words(fact.card)

    @property
    def stake(self) -> str:
        """Stake that the entry is about: "the stake", or of several that of a further card."""
        called = self.entry.fact.called
        return f"the stake of the {called}" if called else "the stake"

    @property
    def its_stake(self) -> str:
        """The same, where the card has been named."""
        return "its own stake" if self.entry.fact.called else "the stake"

    @property
    def manner(self) -> str:
        """Event that befell the card, in the source's term."""
        called = self.entry.name.removeprefix(f"{self.entry.fact.kind}-")
        return CARD_EVENT_PHRASES.get(called, called)

    @property
    def fault(self) -> str:
        """Fault that the entry is about, as a predicate."""
        return FAULT_PHRASES.get(self.entry.name, self.entry.name)

    @property
    def then(self) -> str:
        """Event that befell the card, with its trick: "forced in trick 11"."""
        trick = self.entry.fact.trick
        return self.manner if trick is None else f"{self.manner} in trick {trick}"

    @property
    def paid(self) -> bool:
        """True if the entry has postings."""
        return bool(self.entry.postings)

    @property
    def barred(self) -> bool:
        """True if nothing is paid because a fault bars the payee."""
        return self.entry.reason == "barred"

    @property
    def payers(self) -> str:
        """Names of the payers."""
        return join_names(list(dict.fromkeys(self.named(p.payer) for p in self.entry.postings)))

    @property
    def payees(self) -> str:
        """Names of the payees."""
        return join_names(list(dict.fromkeys(self.named(p.payee) for p in self.entry.postings)))

    @property
    def verb(self) -> str:
        """Verb of the payers: "pays" for one, "pay" for several."""
        return "pays" if len({p.payer for p in self.entry.postings}) == 1 else "pay"


def _describe_thrown_off(t: EntryContext) -> str:
    if t.barred:
        return f"{t.who} throws off the {t.card}, and is paid nothing for it, being barred by a fault"
    after = f", and {t.payers} {t.verb} for it" if t.paid else ", and nobody pays for it"
    return f"{t.who} throws off the {t.card}{after}"


def describe_fault(fault: Fault, seats: Sequence[str]) -> str:
    """Fault as it stands in the record: "east revokes in trick 5"."""
    told = (
        f"{seats[fault.seat]} {FAULT_PHRASES[fault.kind]}",
        f" in trick {fault.trick}" if fault.trick else "",
        f", {_NOTICED_PHRASES[fault.noticed]}" if fault.noticed else "",
        ", and buys the deal back" if fault.redeemed else "",
        ", and all the players let the deal stand" if fault.accepted else "",
        "" if fault.directed is None else f", and {seats[fault.directed]} directs how it is played",
    )
    return "".join(told)


def _describe_forced(t: EntryContext) -> str:
    if t.barred:
        return f"{t.who}'s {t.card} is {t.manner}, and a fault bars the player who forced it from being paid"
    return (
        f"{t.who}'s {t.card} is forced by {t.payees}"
        if t.paid
        else f"{t.who}'s {t.card} is {t.manner}, and nobody is paid"
    )


def _describe_led(t: EntryContext) -> str:
    """Card led, owed to the winner of the partie."""
    if not t.paid:
        return f"{t.who} leads the {t.card}, and nothing is owed for it"
    owed = f"is paid for it, having won {PARTIE_PHRASE} too" if t.payees == t.who else f"it is owed to {t.payees}"
    return f"{t.who} leads the {t.card}, and {owed}".replace(",,", ",")


def _describe_forced_fine(t: EntryContext) -> str:
    return (
        f"{t.who}'s {t.card} is {t.manner}: {t.who} pays {t.payees} besides"
        if t.paid
        else f"{t.who}'s {t.card} is {t.manner}, and costs no more"
    )


def _describe_stake_drawn(t: EntryContext) -> str:
    if t.barred:
        return f"{t.who}'s {t.card} is {t.manner}, and draws nothing, {t.who} being barred by a fault"
    return f"{t.who}'s {t.card} is {t.manner} and draws {t.its_stake if t.paid else 'nothing'}"


def _describe_stake_matched(t: EntryContext) -> str:
    """Quinola given up, at the cost of as much as the stake."""
    puts = "puts in" if all(posting.payee == "pool" for posting in t.entry.postings) else f"pays {t.payees}"
    cost = f"{t.who} {puts} as much as {t.its_stake}" if t.paid else f"{t.its_stake} stays as it is"
    return f"{t.who}'s {t.card} is {t.manner}: {cost}"


def _describe_return_of(what: str) -> _EntryDescriber:
    """Describer of a payment that a reversis undoes."""

    def words(t: EntryContext) -> str:
        outcome = "is given back" if t.paid else "was never paid" if t.barred else "stays where it is"
        return f"because of the reversis, {what} {t.who}'s {t.card}, {t.then}, {outcome}"

    return words


def _describe_espagnolette_returns(t: EntryContext) -> str:
    card = f"{t.who}'s {t.card}, {t.then}"
    if not t.paid:
        return f"the espagnolette is lost, and nothing is given back for {card}"
    return f"the espagnolette is lost: {t.payers} {t.verb} back to {t.payees} what was paid for {card}"


def _describe_espagnolette_stake(t: EntryContext) -> str:
    """Stake returned because the espagnolette was lost."""
    back = "pays it back" if t.paid else "pays nothing back"
    return f"the espagnolette is lost: {t.who}, whose {t.card} has drawn {t.its_stake}, {back}"


def _describe_quinola_in_reversis(t: EntryContext) -> str:
    """The quinola in a reversis draws the stake, or costs as much."""
    if t.barred:
        return f"the reversis is made, and the {t.card}, {t.then}, draws nothing for one whom a fault bars"
    if not t.paid:
        return f"there is a reversis, but the {t.card}, {t.then}, came too late to touch {t.its_stake}"
    draws = any(p.payer == "pool" for p in t.entry.postings)
    end = f"draws {t.its_stake} for {t.payees}" if draws else f"costs {t.payers} as much as {t.its_stake}"
    return f"the reversis is {'made' if draws else 'broken'}, and the {t.card}, {t.then}, {end}"


def _describe_breaking_quinola(t: EntryContext) -> str:
    paid = f"{t.payers} {t.verb} {t.payees} for it" if t.paid else "nobody pays for it"
    return f"{t.who}'s {t.card} itself breaks the reversis: {paid}"


def _describe_reversis_made(t: EntryContext) -> str:
    if t.barred:
        return f"the reversis is made by one whom a fault bars from being paid: {t.who} pays nothing"
    if not t.paid:
        return f"the reversis is made, and {t.who} pays nothing"
    instead = "" if t.payers == t.who else f" in {t.who}'s place"
    return f"{t.payees} has made the reversis: {t.payers} pays{instead}"


def _describe_reversis_broken(t: EntryContext) -> str:
    if t.barred:
        return f"{t.who}'s reversis is broken by one whom a fault bars from being paid"
    paid = f"{t.payers} {t.verb} {t.payees}" if t.paid else "nobody is paid for it"
    return f"{t.who}'s reversis is broken: {paid}"


def _describe_reversis_stake(t: EntryContext) -> str:
    if any(posting.payee == "pool" for posting in t.entry.postings):
        return f"{t.who}'s reversis is broken and costs {t.who} as much as {t.stake}"
    return f"{t.who} has made the reversis and draws {t.stake if t.paid else 'nothing'}"


def _describe_partie(t: EntryContext) -> str:
    if t.barred:
        return f"a fault bars the player who would win {PARTIE_PHRASE} from it, and nobody wins it"
    return (
        f"{t.payers} {t.verb} {PARTIE_PHRASE} to {t.payees}"
        if t.paid
        else f"{t.who} pays nothing for {PARTIE_PHRASE[:-1]}"
    )


def _describe_stake_by_tricks(t: EntryContext) -> str:
    if t.barred:
        return f"{t.who}'s tricks would win {t.stake}, but a fault bars {t.who} from it"
    return f"{t.who}'s tricks win {t.stake if t.paid else t.stake.replace('the', 'an empty', 1)}"


def _describe_refresh(t: EntryContext) -> str:
    if t.paid:
        return f"the {t.card} was {t.then}: everybody puts in again"
    won = t.entry.reason == "won-otherwise"
    return f"the {t.card} was {t.then}, {'but the stake is won, and' if won else 'for which'} nobody puts in again"


def _describe_fine(t: EntryContext) -> str:
    return f"{t.who} {t.fault}: a fine to {t.payees}" if t.paid else f"{t.who} {t.fault}, and pays nothing"


def _describe_misdeal(t: EntryContext) -> str:
    fault = t.entry.fact.fault
    said = describe_fault(fault, t.seats) if fault else f"{t.who} {FAULT_PHRASES['misdeal']}"
    return f"{said}: {t.payers} {t.verb} {t.payees}" if t.paid else f"{said}, and nothing is paid for it"


def _describe_redeal(t: EntryContext) -> str:
    return f"{t.who} {t.fault}: the cards are dealt again, and nobody pays"


def _describe_fine_returned(t: EntryContext) -> str:
    return f"{t.who} has made the reversis, and is given back what a fault had cost"


_EntryDescriber: TypeAlias = Callable[[EntryContext], str]

#: Every rule in words; a test demands that none is missing.
ENTRY_DESCRIBERS: Mapping[str, _EntryDescriber] = {
    "thrown-off": _describe_thrown_off,
    "forced": _describe_forced,
    "led": _describe_led,
    "forced-fine": _describe_forced_fine,
    "draws-stake": _describe_stake_drawn,
    "matches-stake": _describe_stake_matched,
    "thrown-off-returned": _describe_return_of("what was paid for"),
    "forced-returned": _describe_return_of("what was paid for"),
    "led-returned": _describe_return_of("what was paid for"),
    "forced-fine-returned": _describe_return_of("the fine for"),
    "draws-stake-returned": _describe_return_of("the stake drawn by"),
    "matches-stake-returned": _describe_return_of("what was put in for"),
    "espagnolette-returns": _describe_espagnolette_returns,
    "espagnolette-returns-stake": _describe_espagnolette_stake,
    "reversis-by-quinola": _describe_quinola_in_reversis,
    "breaking-quinola": _describe_breaking_quinola,
    "reversis-made": _describe_reversis_made,
    "reversis-broken": _describe_reversis_broken,
    "reversis-stake": _describe_reversis_stake,
    "partie": _describe_partie,
    "stake-by-tricks": _describe_stake_by_tricks,
    "refreshed": _describe_refresh,
    "misdeal": _describe_misdeal,
    "dealt-again": _describe_redeal,
    "fine": _describe_fine,
    "fine-returned": _describe_fine_returned,
}
_GIVEN_BACK = "the reversis gives back: {t.who}'s {t.card}"
#: Every rule as an event, whoever pays for it; several sources can share it. A test demands that none is missing.
EVENT_HEADLINES: Mapping[str, str] = {
    "thrown-off": "{t.who} throws off the {t.card}",
    "forced": "{t.who}'s {t.card} is {t.manner}",
    "led": "{t.who} leads the {t.card}",
    "forced-fine": "{t.who}'s {t.card} is {t.manner}: the fine",
    "draws-stake": "{t.who}'s {t.card} draws {t.its_stake}",
    "matches-stake": "{t.who}'s {t.card} is {t.manner}: {t.its_stake} is matched",
    "thrown-off-returned": _GIVEN_BACK,
    "forced-returned": _GIVEN_BACK,
    "led-returned": _GIVEN_BACK,
    "forced-fine-returned": "the reversis gives back: the fine for {t.who}'s {t.card}",
    "draws-stake-returned": "the reversis gives back: the stake drawn by {t.who}'s {t.card}",
    "matches-stake-returned": "the reversis gives back: the stake matched for {t.who}'s {t.card}",
    "espagnolette-returns": "the espagnolette, lost, gives back: {t.who}'s {t.card}",
    "espagnolette-returns-stake": "the espagnolette, lost, gives back: the stake drawn by {t.who}'s {t.card}",
    "reversis-by-quinola": "the {t.card} and {t.its_stake} in a reversis",
    "breaking-quinola": "{t.who}'s {t.card} itself breaks the reversis",
    "reversis-made": "the reversis is made",
    "reversis-broken": "the reversis is broken",
    "reversis-stake": "{t.stake}, drawn by the reversis",
    "partie": PARTIE_PHRASE[:-1],
    "stake-by-tricks": "{t.stake}, won by tricks",
    "refreshed": "everybody puts in again",
    "misdeal": "{t.who} {t.fault}",
    "dealt-again": "{t.who} {t.fault}: the cards are dealt again",
    "fine": "{t.who} {t.fault}: the fine",
    "fine-returned": "{t.who} is given back what a fault had cost",
}
#: Rules that speak of a trick while it is on the table; all others speak when the cards are played.
BEFORE_THE_PLAY = ("misdeal", "dealt-again")  #: Rules that speak of the dealing.
AT_THE_TABLE = ("thrown-off", "forced", "led", "forced-fine", "draws-stake", "matches-stake", "fine")


def describe_entry(entry: Entry, seats: Sequence[str]) -> str:
    """Ledger entry as a sentence: "Trick 11: east's quinola is forced by west"."""
    trick = entry.fact.trick if entry.rule in AT_THE_TABLE else None
    place = "Before the play" if entry.rule in BEFORE_THE_PLAY else "At the end" if trick is None else f"Trick {trick}"
    return f"{place}: {ENTRY_DESCRIBERS[entry.rule](EntryContext(entry, tuple(seats)))}"


def describe_event(entry: Entry, seats: Sequence[str]) -> str:
    """Event of an entry without its payment, which each source settles in its own way: "east's quinola is forced"."""
    return EVENT_HEADLINES[entry.rule].format(t=EntryContext(entry, tuple(seats)))


# ---- the outcome
def describe_outcome(summary: Summary, seats: Sequence[str]) -> tuple[str, ...]:
    """Outcome in a few sentences; none for a fragment, which decides nothing."""
    if summary == Summary(None, None, None, None):
        return ()
    if summary.void and summary.next_dealer is not None:
        return "the deal is void", f"{seats[summary.next_dealer]} deals next"
    said = (
        describe_reversis(summary, seats),
        _describe_espagnolette(summary, seats),
        describe_partie_result(summary, seats),
    )
    dealer = () if summary.next_dealer is None else (f"{seats[summary.next_dealer]} deals next",)
    return (*filter(None, said), *dealer)


def describe_reversis(summary: Summary, seats: Sequence[str]) -> str:
    """Outcome of the reversis: the player, success or failure, and the breakers."""
    if summary.reversis is None:
        return ""
    hero, made, breakers = summary.reversis
    broken = f"; it is broken by {join_names([seats[b] for b in breakers])}" if breakers else "; it is broken"
    return f"{seats[hero]} makes the reversis" if made else f"{seats[hero]} undertakes the reversis{broken}"


def _describe_espagnolette(summary: Summary, seats: Sequence[str]) -> str:
    if summary.espagnolette is None:
        return ""
    seat, won = summary.espagnolette
    if summary.breaking_loses is False:
        return f"{seats[seat]} holds the espagnolette, and breaking the reversis does not lose it"
    return f"{seats[seat]} {'wins' if won else 'loses'} the espagnolette"


def describe_partie_result(summary: Summary, seats: Sequence[str]) -> str:
    """Outcome of the partie, or talon: the winner, its value and the losers."""
    if summary.partie is None:
        return f"nobody wins {PARTIE_PHRASE[:-1]}"
    p = summary.partie
    lost = (
        f"; {join_names([seats[s] for s in p.losers])} {'loses' if len(p.losers) == 1 else 'lose'} it"
        if p.losers
        else ""
    )
    return f"{seats[p.winner]} wins {PARTIE_PHRASE} worth {p.value}{lost}"
