"""English sentences for ledger entries: the event and the payment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import card_words, parse_card_name
from engine.deal.events import Fault
from engine.settlement.ledger import Account, Entry
from engine.settlement.settle import Summary
from engine.settlement.unplayed_rules import RaisedOccasion, UnplayedRule
from rulebook.model import Occasion
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


def name_event_card(kind: str, card: int | None, called: str) -> str:
    """Name a card: the quinola, another privileged card as it is called, or the ace."""
    return called or ("quinola" if kind == "quinola" or card is None else card_words(card))


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
        """Name of the card that the entry is about."""
        fact = self.entry.fact
        return name_event_card(fact.kind, fact.card, fact.called)

    @property
    def of_card(self) -> str:
        """Further card whose stake the entry is about: "of the great quinola"; empty where there is one stake."""
        called = self.entry.fact.called
        return f" of the {called}" if called else ""

    @property
    def stake(self) -> str:
        """Stake that the entry is about: "the stake", or of several that of a further card."""
        return f"the stake{self.of_card}"

    @property
    def its_stake(self) -> str:
        """The same, where the card has been named."""
        return "its own stake" if self.entry.fact.called else "the stake"

    @property
    def draws_nothing(self) -> str:
        """Predicate of a reversis that draws no stake."""
        return f"does not draw {self.stake}" if self.of_card else "draws no stake"

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

    @property
    def misdeal(self) -> str:
        """Fault in dealing, as it stands in the record."""
        fault = self.entry.fact.fault
        return describe_fault(fault, self.seats) if fault else f"{self.who} {FAULT_PHRASES['misdeal']}"

    @property
    def states(self) -> tuple[str, ...]:
        """Outcomes of the entry, the most special first; as `ENTRY_PHRASES` tells them apart."""
        if not self.entry.postings:
            return self.entry.reason, "unpaid", ""
        pool = {"the pool": "pool", self.who: "self"}
        return f"to-{pool.get(self.payees)}", f"from-{pool.get(self.payers)}", f"by-{pool.get(self.payers)}", "paid", ""


def describe_fault(fault: Fault, seats: Sequence[str]) -> str:
    """Describe a fault as it stands in the record: "east revokes in trick 5"."""
    parts = (
        f"{seats[fault.seat]} {FAULT_PHRASES[fault.kind]}",
        f" in trick {fault.trick}" if fault.trick else "",
        f", {_NOTICED_PHRASES[fault.noticed]}" if fault.noticed else "",
        ", and buys the deal back" if fault.redeemed else "",
        ", and all the players let the deal stand" if fault.accepted else "",
        "" if fault.directed is None else f", and {seats[fault.directed]} directs how it is played",
    )
    return "".join(parts)


_CARD_LED = "{t.who} leads the {t.card}"
_CARD_HELD = "{t.who}'s {t.card} is {t.manner}"
_UNDONE = "because of the reversis, {what} {{t.who}}'s {{t.card}}, {{t.then}}, {outcome}"
_LOST = "the espagnolette is lost"
_PARTIE = PARTIE_PHRASE[:-1]


def _phrase_return(what: str) -> Mapping[str, str]:
    """Return the sentences of a payment that a reversis undoes."""
    outcomes = {"paid": "is given back", "barred": "was never paid", "unpaid": "stays where it is"}
    return {state: _UNDONE.format(what=what, outcome=outcome) for state, outcome in outcomes.items()}


#: Every rule in words, by what comes of it: paid or unpaid, for a reason, or by or to somebody; "" is whatever comes.
#: Of several that fit, the first of `EntryContext.states` holds. A test demands that no rule is missing.
ENTRY_PHRASES: Mapping[str, Mapping[str, str]] = {
    "thrown-off": {
        "barred": "{t.who} throws off the {t.card}, and is paid nothing for it, being barred by a fault",
        "paid": "{t.who} throws off the {t.card}, and {t.payers} {t.verb} for it",
        "unpaid": "{t.who} throws off the {t.card}, and nobody pays for it",
    },
    "forced": {
        "barred": f"{_CARD_HELD}, and a fault bars the player who forced it from being paid",
        "paid": "{t.who}'s {t.card} is forced by {t.payees}",
        "unpaid": f"{_CARD_HELD}, and nobody is paid",
    },
    "led": {  # it is owed to the winner of the partie
        "to-self": f"{_CARD_LED}, and is paid for it, having won {PARTIE_PHRASE} too",
        "paid": f"{_CARD_LED}, and it is owed to {{t.payees}}",
        "unpaid": f"{_CARD_LED}, and nothing is owed for it",
    },
    "forced-fine": {
        "paid": f"{_CARD_HELD}: {{t.who}} pays {{t.payees}} besides",
        "unpaid": f"{_CARD_HELD}, and costs no more",
    },
    "draws-stake": {
        "barred": f"{_CARD_HELD}, and draws nothing, {{t.who}} being barred by a fault",
        "paid": f"{_CARD_HELD} and draws {{t.its_stake}}",
        "unpaid": f"{_CARD_HELD} and draws nothing",
    },
    "matches-stake": {
        "to-pool": f"{_CARD_HELD}: {{t.who}} puts in as much as {{t.its_stake}}",
        "paid": f"{_CARD_HELD}: {{t.who}} pays {{t.payees}} as much as {{t.its_stake}}",
        "unpaid": f"{_CARD_HELD}: {{t.its_stake}} stays as it is",
    },
    "thrown-off-returned": _phrase_return("what was paid for"),
    "forced-returned": _phrase_return("what was paid for"),
    "led-returned": _phrase_return("what was paid for"),
    "forced-fine-returned": _phrase_return("the fine for"),
    "draws-stake-returned": _phrase_return("the stake drawn by"),
    "matches-stake-returned": _phrase_return("what was put in for"),
    "espagnolette-returns": {
        "paid": f"{_LOST}: {{t.payers}} {{t.verb}} back to {{t.payees}} what was paid for "
        "{t.who}'s {t.card}, {t.then}",
        "unpaid": f"{_LOST}, and nothing is given back for {{t.who}}'s {{t.card}}, {{t.then}}",
    },
    "espagnolette-returns-stake": {
        "paid": f"{_LOST}: {{t.who}}, whose {{t.card}} has drawn {{t.its_stake}}, pays it back",
        "unpaid": f"{_LOST}: {{t.who}}, whose {{t.card}} has drawn {{t.its_stake}}, pays nothing back",
    },
    "reversis-by-quinola": {
        "barred": "the reversis is made, and the {t.card}, {t.then}, draws nothing for one whom a fault bars",
        "from-pool": "the reversis is made, and the {t.card}, {t.then}, draws {t.its_stake} for {t.payees}",
        "paid": "the reversis is broken, and the {t.card}, {t.then}, costs {t.payers} as much as {t.its_stake}",
        "unpaid": "there is a reversis, but the {t.card}, {t.then}, came too late to touch {t.its_stake}",
    },
    "breaking-quinola": {
        "paid": "{t.who}'s {t.card} itself breaks the reversis: {t.payers} {t.verb} {t.payees} for it",
        "unpaid": "{t.who}'s {t.card} itself breaks the reversis: nobody pays for it",
    },
    "reversis-made": {
        "barred": "the reversis is made by one whom a fault bars from being paid: {t.who} pays nothing",
        "by-self": "{t.payees} has made the reversis: {t.payers} pays",
        "paid": "{t.payees} has made the reversis: {t.payers} pays in {t.who}'s place",
        "unpaid": "the reversis is made, and {t.who} pays nothing",
    },
    "reversis-broken": {
        "barred": "{t.who}'s reversis is broken by one whom a fault bars from being paid",
        "paid": "{t.who}'s reversis is broken: {t.payers} {t.verb} {t.payees}",
        "unpaid": "{t.who}'s reversis is broken: nobody is paid for it",
    },
    "reversis-stake": {
        "to-pool": "{t.who}'s reversis is broken and costs {t.who} as much as {t.stake}",
        "paid": "{t.who} has made the reversis and draws {t.stake}",
        "unpaid": "{t.who} has made the reversis and draws nothing",
    },
    "partie": {
        "barred": f"a fault bars the player who would win {PARTIE_PHRASE} from it, and nobody wins it",
        "paid": f"{{t.payers}} {{t.verb}} {PARTIE_PHRASE} to {{t.payees}}",
        "unpaid": f"{{t.who}} pays nothing for {_PARTIE}",
    },
    "stake-by-tricks": {
        "barred": "{t.who}'s tricks would win {t.stake}, but a fault bars {t.who} from it",
        "paid": "{t.who}'s tricks win {t.stake}",
        "unpaid": "{t.who}'s tricks win an empty stake{t.of_card}",
    },
    "refreshed": {
        "won-otherwise": "the {t.card} was {t.then}, but the stake is won, and nobody puts in again",
        "paid": "the {t.card} was {t.then}: everybody puts in again",
        "unpaid": "the {t.card} was {t.then}, for which nobody puts in again",
    },
    "misdeal": {
        "paid": "{t.misdeal}: {t.payers} {t.verb} {t.payees}",
        "unpaid": "{t.misdeal}, and nothing is paid for it",
    },
    "dealt-again": {"": "{t.who} {t.fault}: the cards are dealt again, and nobody pays"},
    "fine": {"paid": "{t.who} {t.fault}: a fine to {t.payees}", "unpaid": "{t.who} {t.fault}, and pays nothing"},
    "fine-returned": {"": "{t.who} has made the reversis, and is given back what a fault had cost"},
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
    "partie": _PARTIE,
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
    context, phrases = EntryContext(entry, tuple(seats)), ENTRY_PHRASES[entry.rule]
    phrase = next(phrases[state] for state in context.states if state in phrases)
    return f"{place}: {phrase.format(t=context)}"


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
    sentences = (
        describe_reversis(summary, seats),
        _describe_espagnolette(summary, seats),
        describe_partie_result(summary, seats),
    )
    dealer = () if summary.next_dealer is None else (f"{seats[summary.next_dealer]} deals next",)
    return (*filter(None, sentences), *dealer)


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
        return f"nobody wins {_PARTIE}"
    p = summary.partie
    lost = (
        f"; {join_names([seats[s] for s in p.losers])} {'loses' if len(p.losers) == 1 else 'lose'} it"
        if p.losers
        else ""
    )
    return f"{seats[p.winner]} wins {PARTIE_PHRASE} worth {p.value}{lost}"


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


def describe_verdict(rule: UnplayedRule) -> str:
    """Describe whether a rule that is not played would have mattered in a deal."""
    return _VERDICTS[rule.mattered]


def describe_raised_occasions(rule: UnplayedRule, seats: Sequence[str], source: str) -> str:
    """Describe where a deal raises a rule that is not played; empty where it does not."""
    if not rule.raised:
        return ""
    resting = [each for each in rule.raised if each.occasion == Occasion()]
    seen = dict.fromkeys(_describe_occasion(each, seats) for each in rule.raised if each not in resting)
    happened = "; ".join([*seen, *([_describe_payments(resting)] if resting else [])])
    texts = (each.occasion.says for each in rule.raised if each.occasion.says)
    says = next(texts, f"{source} has a rule of its own for it")
    return f"{happened}: {says.rstrip('.')}, and this ledger does not follow it"


def _describe_occasion(raised: RaisedOccasion, seats: Sequence[str]) -> str:
    occasion, who = raised.occasion, "" if raised.seat is None else seats[raised.seat]
    when = f" in trick {raised.trick}" if raised.trick else ""
    if occasion.card and occasion.when == "in-the-talon":
        return f"the {card_words(parse_card_name(occasion.card))} lies in the talon"
    if occasion.card:
        return f"{who} {_CARD_VERBS[occasion.when]} the {card_words(parse_card_name(occasion.card))}{when}"
    if occasion.announced:
        return f"{who} announces {occasion.announced}"
    return f"the stake is {occasion.stake_from} or more"


def _describe_payments(resting: Sequence[RaisedOccasion]) -> str:
    tricks = list(dict.fromkeys(f"in trick {each.trick}" if each.trick else "at the end" for each in resting))
    return f"what is paid {join_names(tricks)} rests on the answer played instead"
