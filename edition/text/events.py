"""What happened at the table and what it costs, in one English sentence for each entry of a ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import RANKS, SUITS, rank_of, suit_of
from engine.deal.events import Fault
from engine.settlement.ledger import Account, Entry
from engine.settlement.settle import Summary

RANK_WORDS: Mapping[str, str] = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
SUIT_WORDS: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
#: sources call it partie or talon; here it is both
PARTIE = "the partie, or talon,"
FAULTS: Mapping[str, str] = {
    "revoke": "revokes",
    "out-of-turn": "plays out of turn",
    "peek": "has seen his card of the talon, and laid a card away all the same",
    "undiscarded": "has taken a card of the talon and laid none away",
    "ten-cards": "has laid two cards away for one, and plays with a card too few",
    "misdeal": "has dealt wrongly",
    "card-turned-up": "has turned up a card in dealing",
    "badly-shuffled": "has dealt cards that were badly shuffled",
    "incomplete-pack": "has dealt from a pack that is not complete",
}
NOTICED: Mapping[str, str] = {
    "before-discard": "which comes out before a card is laid away",
    "before-lead": "which comes out before the first card is led",
    "in-play": "which comes out during the play",
}
#: what befell a card, after "the quinola"
MANNERS: Mapping[str, str] = {
    "led": "led",
    "forced": "forced",
    "put": "put on its own suit",
    "followed": "played to its own suit",
    "thrown-off": "thrown off",
    "laid-away": "left in the talon",
}


def card_words(number: int) -> str:
    """A card as it is called at the table: the ace of spades."""
    rank, suit = RANKS[rank_of(number)], SUITS[suit_of(number)]
    return f"{RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]}"


def joined(names: Sequence[str]) -> str:
    """Several names in a row: south, east and north."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True, slots=True)
class Told:
    """An entry and the names of the players, for those who put it into words."""

    entry: Entry
    seats: tuple[str, ...]

    def named(self, account: Account | None) -> str:
        """A player by name, or the pool."""
        if account is None:
            return "nobody"
        return self.seats[account] if isinstance(account, int) else f"the {account}"

    @property
    def who(self) -> str:
        """Whose card, tricks or fault it is."""
        return self.named(self.entry.fact.player)

    @property
    def card(self) -> str:
        """The card: the quinola, or which ace."""
        fact = self.entry.fact
        return "quinola" if fact.kind == "quinola" or fact.card is None else card_words(fact.card)

    @property
    def manner(self) -> str:
        """What befell the card, as the source calls it."""
        called = self.entry.name.removeprefix(f"{self.entry.fact.kind}-")
        return MANNERS.get(called, called)

    @property
    def then(self) -> str:
        """What befell it, and when: forced in trick 11."""
        trick = self.entry.fact.trick
        return self.manner if trick is None else f"{self.manner} in trick {trick}"

    @property
    def paid(self) -> bool:
        """Whether anything changes hands."""
        return bool(self.entry.postings)

    @property
    def barred(self) -> bool:
        """Whether nothing is paid because of a fault of him who would be paid."""
        return self.entry.reason == "barred"

    @property
    def payers(self) -> str:
        """Who pays."""
        return joined(list(dict.fromkeys(self.named(p.payer) for p in self.entry.postings)))

    @property
    def payees(self) -> str:
        """Who is paid."""
        return joined(list(dict.fromkeys(self.named(p.payee) for p in self.entry.postings)))

    @property
    def verb(self) -> str:
        """One pays, several pay."""
        return "pays" if len({p.payer for p in self.entry.postings}) == 1 else "pay"


def thrown_off(t: Told) -> str:
    """A card thrown on another suit."""
    if t.barred:
        return f"{t.who} throws off the {t.card}, and is paid nothing for it, being barred by a fault"
    after = f", and {t.payers} {t.verb} for it" if t.paid else ", and nobody pays for it"
    return f"{t.who} throws off the {t.card}{after}"


def fault_words(fault: Fault, seats: Sequence[str]) -> str:
    """A fault as it stands in the record: "east revokes in trick 5"."""
    told = (
        f"{seats[fault.seat]} {FAULTS[fault.kind]}",
        f" in trick {fault.trick}" if fault.trick else "",
        f", {NOTICED[fault.noticed]}" if fault.noticed else "",
        ", and buys the deal back" if fault.redeemed else "",
        ", and all the players let the deal stand" if fault.accepted else "",
    )
    return "".join(told)


def forced(t: Told) -> str:
    """A card that had to be given up."""
    if t.barred:
        return f"{t.who}'s {t.card} is {t.manner}, and he who forced it is barred by a fault from being paid"
    return (
        f"{t.who}'s {t.card} is forced by {t.payees}"
        if t.paid
        else f"{t.who}'s {t.card} is {t.manner}, and nobody is paid"
    )


def led(t: Told) -> str:
    """A card led, owed to the winner of the partie."""
    if not t.paid:
        return f"{t.who} leads the {t.card}, and nothing is owed for it"
    owed = f"is paid for it, having won {PARTIE} too" if t.payees == t.who else f"it is owed to {t.payees}"
    return f"{t.who} leads the {t.card}, and {owed}".replace(",,", ",")


def forced_fine(t: Told) -> str:
    """A forced quinola costs something besides."""
    return (
        f"{t.who}'s quinola is {t.manner}: {t.who} pays {t.payees} besides"
        if t.paid
        else f"{t.who}'s quinola is {t.manner}, and costs no more"
    )


def draws_stake(t: Told) -> str:
    """The quinola thrown off takes the stake."""
    if t.barred:
        return f"{t.who}'s quinola is {t.manner}, and draws nothing, {t.who} being barred by a fault"
    return f"{t.who}'s quinola is {t.manner} and draws {'the stake' if t.paid else 'nothing'}"


def matches_stake(t: Told) -> str:
    """The quinola given up costs as much as the stake."""
    cost = f"{t.who} puts in as much as the stake" if t.paid else "the stake stays as it is"
    return f"{t.who}'s quinola is {t.manner}: {cost}"


def given_back(what: str) -> Words:
    """What a reversis undoes."""

    def words(t: Told) -> str:
        outcome = "is given back" if t.paid else "was never paid" if t.barred else "stays where it is"
        return f"because of the reversis, {what} {t.who}'s {t.card}, {t.then}, {outcome}"

    return words


def espagnolette_returns(t: Told) -> str:
    """A lost espagnolette gives back what was paid."""
    card = f"{t.who}'s {t.card}, {t.then}"
    if not t.paid:
        return f"the espagnolette is lost, and nothing is given back for {card}"
    return f"the espagnolette is lost: {t.payers} {t.verb} back to {t.payees} what was paid for {card}"


def espagnolette_returns_stake(t: Told) -> str:
    """A lost espagnolette pays back the stake."""
    back = "pays it back" if t.paid else "pays nothing back"
    return f"the espagnolette is lost: {t.who}, whose quinola has drawn the stake, {back}"


def reversis_by_quinola(t: Told) -> str:
    """The quinola in a reversis draws the stake, or costs as much."""
    if t.barred:
        return f"the reversis is made, and the quinola, {t.then}, draws nothing for one whom a fault bars"
    if not t.paid:
        return f"there is a reversis, but the quinola, {t.then}, came too late to touch the stake"
    draws = any(p.payer == "pool" for p in t.entry.postings)
    end = f"draws the stake for {t.payees}" if draws else f"costs {t.payers} as much as the stake"
    return f"the reversis is {'made' if draws else 'broken'}, and the quinola, {t.then}, {end}"


def breaking_quinola(t: Told) -> str:
    """The quinola that breaks a reversis."""
    paid = f"{t.payers} {t.verb} {t.payees} for it" if t.paid else "nobody pays for it"
    return f"{t.who}'s quinola itself breaks the reversis: {paid}"


def reversis_made(t: Told) -> str:
    """Each pays him who has taken all tricks."""
    if t.barred:
        return f"the reversis is made by one whom a fault bars from being paid: {t.who} pays nothing"
    if not t.paid:
        return f"the reversis is made, and {t.who} pays nothing"
    instead = "" if t.payers == t.who else f" in {t.who}'s place"
    return f"{t.payees} has made the reversis: {t.payers} pays{instead}"


def reversis_broken(t: Told) -> str:
    """He who fails pays him who broke it."""
    if t.barred:
        return f"{t.who}'s reversis is broken by one whom a fault bars from being paid"
    paid = f"{t.payers} {t.verb} {t.payees}" if t.paid else "nobody is paid for it"
    return f"{t.who}'s reversis is broken: {paid}"


def reversis_stake(t: Told) -> str:
    """The reversis takes the stake."""
    return f"{t.who} has made the reversis and draws {'the stake' if t.paid else 'nothing'}"


def partie(t: Told) -> str:
    """The partie is paid."""
    if t.barred:
        return f"he who would win {PARTIE} is barred from it by a fault, and nobody wins it"
    return f"{t.payers} {t.verb} {PARTIE} to {t.payees}" if t.paid else f"{t.who} pays nothing for {PARTIE[:-1]}"


def stake_by_tricks(t: Told) -> str:
    """Tricks win the stake."""
    if t.barred:
        return f"{t.who}'s tricks would win the stake, but a fault bars {t.who} from it"
    return f"{t.who}'s tricks win {'the stake' if t.paid else 'an empty stake'}"


def refreshed(t: Told) -> str:
    """Everybody puts in again."""
    end = "everybody puts in again" if t.paid else "but the stake is won, and nobody puts in again"
    return f"the quinola was {t.then}: {end}" if t.paid else f"the quinola was {t.then}, {end}"


def fined(t: Told) -> str:
    """A fault costs its author something."""
    fault = FAULTS.get(t.entry.name, t.entry.name)
    return f"{t.who} {fault}: a fine to {t.payees}" if t.paid else f"{t.who} {fault}, and pays nothing"


def misdealt(t: Told) -> str:
    """The dealer has dealt wrongly."""
    fault = t.entry.fact.fault
    said = fault_words(fault, t.seats) if fault else f"{t.who} {FAULTS['misdeal']}"
    return f"{said}: {t.payers} {t.verb} {t.payees}" if t.paid else f"{said}, and nothing is paid for it"


def dealt_again(t: Told) -> str:
    """The cards are dealt again."""
    return f"{t.who} {FAULTS.get(t.entry.name, t.entry.name)}: the cards are dealt again, and nobody pays"


def fine_returned(t: Told) -> str:
    """A fine comes back."""
    return f"{t.who} has made the reversis, and is given back what a fault had cost"


Words: TypeAlias = Callable[[Told], str]

#: Every rule in words; a test demands that none is missing.
WORDS: Mapping[str, Words] = {
    "thrown-off": thrown_off,
    "forced": forced,
    "led": led,
    "forced-fine": forced_fine,
    "draws-stake": draws_stake,
    "matches-stake": matches_stake,
    "thrown-off-returned": given_back("what was paid for"),
    "forced-returned": given_back("what was paid for"),
    "led-returned": given_back("what was paid for"),
    "forced-fine-returned": given_back("the fine for"),
    "draws-stake-returned": given_back("the stake drawn by"),
    "matches-stake-returned": given_back("what was put in for"),
    "espagnolette-returns": espagnolette_returns,
    "espagnolette-returns-stake": espagnolette_returns_stake,
    "reversis-by-quinola": reversis_by_quinola,
    "breaking-quinola": breaking_quinola,
    "reversis-made": reversis_made,
    "reversis-broken": reversis_broken,
    "reversis-stake": reversis_stake,
    "partie": partie,
    "stake-by-tricks": stake_by_tricks,
    "refreshed": refreshed,
    "misdeal": misdealt,
    "dealt-again": dealt_again,
    "fine": fined,
    "fine-returned": fine_returned,
}
#: Rules that speak of a trick while it is on the table; all others speak when the cards are played.
BEFORE_THE_PLAY = ("misdeal", "dealt-again")  #: Rules that speak of the dealing.
AT_THE_TABLE = ("thrown-off", "forced", "led", "forced-fine", "draws-stake", "matches-stake", "fine")


def sentence(entry: Entry, seats: Sequence[str]) -> str:
    """An entry in one sentence: "Trick 11: east's quinola is forced by west"."""
    trick = entry.fact.trick if entry.rule in AT_THE_TABLE else None
    place = "Before the play" if entry.rule in BEFORE_THE_PLAY else "At the end" if trick is None else f"Trick {trick}"
    return f"{place}: {WORDS[entry.rule](Told(entry, tuple(seats)))}"


# ---- the outcome
def outcome_words(summary: Summary, seats: Sequence[str]) -> tuple[str, ...]:
    """The outcome in a few sentences; none for a fragment, which decides nothing."""
    if summary == Summary(None, None, None, None):
        return ()
    if summary.void and summary.next_dealer is not None:
        return "the deal is void", f"{seats[summary.next_dealer]} deals next"
    said = (reversis_words(summary, seats), espagnolette_words(summary, seats), partie_words(summary, seats))
    dealer = () if summary.next_dealer is None else (f"{seats[summary.next_dealer]} deals next",)
    return (*filter(None, said), *dealer)


def reversis_words(summary: Summary, seats: Sequence[str]) -> str:
    """Who made or missed the reversis."""
    if summary.reversis is None:
        return ""
    hero, made, breakers = summary.reversis
    broken = f"; it is broken by {joined([seats[b] for b in breakers])}" if breakers else "; it is broken"
    return f"{seats[hero]} makes the reversis" if made else f"{seats[hero]} undertakes the reversis{broken}"


def espagnolette_words(summary: Summary, seats: Sequence[str]) -> str:
    """Who won or lost the espagnolette."""
    if summary.espagnolette is None:
        return ""
    seat, won = summary.espagnolette
    return f"{seats[seat]} {'wins' if won else 'loses'} the espagnolette"


def partie_words(summary: Summary, seats: Sequence[str]) -> str:
    """Who won the partie, or talon, who lost it, and what it is worth."""
    if summary.partie is None:
        return f"nobody wins {PARTIE[:-1]}"
    p = summary.partie
    lost = (
        f"; {joined([seats[s] for s in p.losers])} {'loses' if len(p.losers) == 1 else 'lose'} it" if p.losers else ""
    )
    return f"{seats[p.winner]} wins {PARTIE} worth {p.value}{lost}"
