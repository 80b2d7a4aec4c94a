"""Proving that an answer can never matter: every rule over every fact and every outcome that can be written down.

The rules see only what they read. So a rule is run on a fact and an outcome of which nothing is settled yet; whenever
it reads something, every value that could stand there is tried in turn. Facts and outcomes that no deal could bring
about are tried as well, which makes the proof stronger and never weaker. Players are numbered from the one whom the
fact concerns: no rule knows a seat by its name.

What is asked outside the rules (in the replay, in reaching the outcome, between deals) stands in GATES, each time with
the answer that keeps it from being asked; a test holds the table to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any, TypeAlias, cast

from engine.cards import parse_card_name
from engine.comparison.separation import Swap
from engine.deal.events import CARD_MANNERS, Fact, Fault
from engine.deal.model import FAULT_KINDS, MISDEAL_STAGES
from engine.deal.pool import OPERATIONS
from engine.readings.ask import Ask
from engine.settlement.ledger import Posting
from engine.settlement.nonpayment import Not, pick_decisive_reason
from engine.settlement.payments.rules import RULES, PaymentRule
from rulebook.model import Ruleset, Silent

TRICKS_BY_PLAYERS = {4: 11, 5: 9}  #: players -> tricks
SILENT_RULE_RESULT = ("silent",)


# ---- choosing
class Choices:
    """One way through all that could be chosen: so far as a path tells, then always the first."""

    def __init__(self, path: Sequence[int]) -> None:
        self.path, self.sizes = list(path), list[int]()

    def one(self, options: Sequence[Any]) -> Any:
        """One of several; which, the path tells."""
        at = len(self.sizes)
        if at == len(self.path):
            self.path.append(0)
        self.sizes.append(len(options))
        return options[self.path[at]]

    def next(self) -> list[int] | None:
        """The way after this one; nothing after the last."""
        path = self.path[: len(self.sizes)]
        while path and path[-1] == self.sizes[len(path) - 1] - 1:
            path.pop()
        return [*path[:-1], path[-1] + 1] if path else None


def every_way() -> Iterator[Choices]:
    """Every way through, one after the other; the next is known once the last has been gone."""
    path: list[int] | None = []
    while path is not None:
        choices = Choices(path)
        yield choices
        path = choices.next()


# ---- facts and outcomes of which nothing is settled yet
BOTH = (False, True)


def any_fact(rule: PaymentRule, kind: str, manner: str, seats: int, choices: Choices, espagnolette: bool) -> Fact:
    """A fact of one kind, its parts open."""
    others, everybody, last = range(1, seats), range(seats), TRICKS_BY_PLAYERS[seats]
    of_card: dict[str, Sequence[Any]] = {
        "trick": [None] if manner == "laid-away" else range(1, last + 1),
        "player": [None] if manner == "laid-away" else [0],
        "leader": [None] if manner == "laid-away" else [0] if manner == "led" else others,
        "taker": [None] if manner == "laid-away" else everybody,
        "highest_before": [None, *others],
        "suit": "H" if kind == "quinola" else "SHDC",
        **dict.fromkeys(("court_led", "queen_led", "alone", "free", "claimed"), BOTH),
        "privileged": BOTH if espagnolette else [False],
    }
    known: dict[str, Sequence[Any]] = {"kind": [kind], "manner": [manner], "seats": [seats], "last": [last]}
    known |= {"dealer": everybody, "eldest": everybody, "points": (0, 1, 2, 7), "player": [0]}
    known |= of_card if kind in ("ace", "quinola") else {}
    settled: dict[str, Any] = {}

    def read(name: str) -> Any:
        if name == "card" and kind in ("ace", "quinola"):
            return parse_card_name("JH" if kind == "quinola" else f"A{read('suit')}")
        if name not in settled:
            plain = {field.name: field.default for field in fields(Fact)}
            settled[name] = choices.one(known[name]) if name in known else plain[name]
        return settled[name]

    fact = Fact(kind, seats, 0, 0, last, manner=manner)
    if kind == "fault":
        return replace(
            fact,
            player=0,
            trick=None if manner == "misdeal" else 1,
            fault=choices.one(
                [
                    Fault(manner, 0, 1, when, bought, accepted)
                    for when, bought, accepted in product(MISDEAL_STAGES, BOTH, BOTH)
                ]
            ),
        )
    if kind == "seat":  # the rules make another of it, so it must be a fact indeed
        named = {name: choices.one(known[name]) for name in ("dealer", "eldest", "points")}
        return replace(fact, player=0, **named)
    return cast(Fact, Lazy(read))


class Lazy:
    """Something of which each part is settled when it is first read."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        self.__dict__["_read"] = read

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["_read"](name)


def any_outcome(seats: int, choices: Choices, ruleset: Ruleset) -> Any:
    """An outcome of which nothing is settled but what the rules rule out altogether."""
    settled: dict[str, Any] = {}

    def read(name: str) -> Any:
        if name not in settled:
            settled[name] = choices.one(OUTCOMES[name](read, range(seats), ruleset))
        return settled[name]

    return Lazy(read)


_FieldReader: TypeAlias = Callable[[str], Any]


def _made(read: _FieldReader, seats: Sequence[int], ruleset: Ruleset) -> Sequence[Any]:
    if read("hero") is None:
        return [False]
    return [True] if ruleset.rulings["reversis.undertaken"].value == 0 else BOTH  # or he would not have undertaken it


def _breakers(read: _FieldReader, seats: Sequence[int], ruleset: Ruleset) -> Sequence[Any]:
    if read("hero") is None or read("made"):
        return [()]
    others = [s for s in seats if s != read("hero")]
    return [(), *((s,) for s in others), *((s, t) for s in others for t in others if s != t)]


def _kept(read: _FieldReader, seats: Sequence[int], ruleset: Ruleset) -> Sequence[Any]:
    broken = read("hero") is not None and not read("made")
    return [None, read("espagnolette")] if broken and read("espagnolette") is not None else [None]


#: What may stand in each field of an outcome.
OUTCOMES: Mapping[str, Callable[[_FieldReader, Sequence[int], Ruleset], Sequence[Any]]] = {
    **dict.fromkeys(("hero", "winner", "loser", "twin"), lambda read, seats, ruleset: [None, *seats]),
    "made": _made,
    "breakers": _breakers,
    "broken_in": lambda read, seats, ruleset: range(1, TRICKS_BY_PLAYERS[len(seats)] + 1),
    "espagnolette": lambda read, seats, ruleset: (
        [None, *(s for s in seats if s != read("hero"))] if knows_espagnolette(ruleset) else [None]
    ),
    "espagnolette_lost": lambda read, seats, ruleset: (
        BOTH if read("espagnolette") is not None and read("hero") is None else [False]
    ),
    "kept": _kept,
    **dict.fromkeys(("forfeited", "stake_won"), lambda read, seats, ruleset: BOTH),
    "stake_winners": lambda read, seats, ruleset: [(), (0,), (1,), (0, 1), (1, 2)],
    "talon_value": lambda read, seats, ruleset: (0, 1, 7),
}


def knows_espagnolette(ruleset: Ruleset) -> bool:
    """Return whether any number of aces, with or without the quinola, gives the espagnolette."""
    hands = Ask(ruleset).tables("espagnolette.hands")
    return any(aces >= h["aces"] and (holds or not h["quinola"]) for h in hands for aces in range(5) for holds in BOTH)


# ---- what the rules ask, and what they make of it
RuleScope: TypeAlias = tuple[PaymentRule, str, str]  #: a rule, and the kind and manner of the facts that it looks at


def list_rule_scopes() -> tuple[RuleScope, ...]:
    """List every rule with every kind of fact that it looks at."""
    manners = {"ace": CARD_MANNERS, "quinola": CARD_MANNERS, "seat": ("",), "fault": FAULT_KINDS}
    return tuple(
        (rule, kind, manner)
        for rule in RULES
        for kind in rule.kinds
        for manner in manners[kind]
        if (not rule.manners or manner in rule.manners) and not (kind == "ace" and manner == "laid-away")
    )


def try_rule_scope(place: RuleScope, seats: int, choices: Choices, ruleset: Ruleset) -> tuple[object, Ask]:
    """Apply one rule to a fact and an outcome; return the result and what it asked."""
    rule, kind, manner = place
    ask = Ask(ruleset)
    fact = any_fact(rule, kind, manner, seats, choices, knows_espagnolette(ruleset))
    return _apply_rule_to_fact(rule, fact, any_outcome(seats, choices, ruleset), ask), ask


def _apply_rule_to_fact(rule: PaymentRule, fact: Fact, outcome: Any, ask: Ask) -> object:
    """Return a rule's payments for a fact, or the reason for none, or that the rules are silent."""
    try:
        if rule.in_reversis and outcome.hero is None:
            return None
        results = tuple(rule.pays(fact, outcome, ask))
    except Silent as silent:
        ask.through([silent.question])
        return SILENT_RULE_RESULT
    paid = tuple(posting for posting in results if isinstance(posting, Posting))
    return paid or (pick_decisive_reason(n for n in results if isinstance(n, Not)).said if results else None)


def _try_all_rules(ruleset: Ruleset) -> Iterator[tuple[RuleScope, object, Ask]]:
    """Apply every rule to every fact and outcome; yield the result and what it asked."""
    for place, seats in product(list_rule_scopes(), TRICKS_BY_PLAYERS):
        for choices in every_way():
            yield (place, *try_rule_scope(place, seats, choices, ruleset))


def same_everywhere(swap: Swap, place: RuleScope) -> bool:
    """Return whether a rule does the same by both rulesets, two silences included, whatever happened."""
    for seats in TRICKS_BY_PLAYERS:
        for choices in every_way():
            rule, kind, manner = place
            fact = any_fact(rule, kind, manner, seats, choices, knows_espagnolette(swap.own))
            outcome = any_outcome(seats, choices, swap.own)
            before, after = (
                _apply_rule_to_fact(rule, fact, outcome, Ask(ruleset)) for ruleset in (swap.own, swap.other)
            )
            if before != after:
                return False
    return True


# ---- what is asked outside the rules
Gate: TypeAlias = Callable[["Knowledge"], bool]


@dataclass(frozen=True)
class Knowledge:
    """Knowledge of one source: what its rules could ask, how they set counters aside."""

    ruleset: Ruleset
    asked: Mapping[RuleScope, frozenset[str]]
    operations: frozenset[str]

    def says(self, question: str) -> object:
        """An answer; None where there is none."""
        ruling = self.ruleset.rulings.get(question)
        return None if ruling is None else ruling.value


def gather_knowledge(ruleset: Ruleset) -> Knowledge:
    """Gather all that is known of a source by trying everything."""
    asked: dict[RuleScope, set[str]] = {place: set() for place in list_rule_scopes()}
    operations = set[str]()
    for place, came, ask in _try_all_rules(ruleset):
        asked[place].update(ask.asked)
        paid = came if isinstance(came, tuple) else ()
        operations.update(posting.operation for posting in paid if isinstance(posting, Posting))
    return Knowledge(ruleset, {place: frozenset(some) for place, some in asked.items()}, frozenset(operations))


def _nobody_barred(k: Knowledge) -> bool:
    unheard = all(k.says(f"{kind}.bars") is None for kind in ("peek", "undiscarded", "ten-cards"))
    return unheard and (k.says("revoke.card") is None or k.says("revoke.bars") == "nothing")


def _looks_at_first(k: Knowledge) -> bool:
    when = k.says("stake.renewed.when")
    return when is not None and ("below-first" in cast(tuple[str, ...], when) or k.says("stake.renewed.how") != "full")


def _not_dealt_again(cause: str) -> Gate:
    return lambda k: k.says("deal.again") is None or cause not in cast(tuple[str, ...], k.says("deal.again"))


#: For questions that are asked outside the rules, by the beginning of the slug: why it is never asked, and when so.
GATES: Mapping[str, tuple[str, Gate]] = {
    "ace.forced.when": (
        "nothing is paid for an ace that is forced (it is only called otherwise)",
        lambda k: k.says("ace.forced.payee") == "nobody",
    ),
    "espagnolette": ("no hand gives the espagnolette", lambda k: not knows_espagnolette(k.ruleset)),
    "espagnolette.kept-trick": (
        "no espagnolette wins with a trick",
        lambda k: not knows_espagnolette(k.ruleset) or k.says("espagnolette.lost-by") == "any-trick",
    ),
    "stake.tied": ("the stake is not won by tricks", lambda k: k.says("stake.by-tricks") == ()),
    "stake.only-pool": ("no supplement is ever paid", lambda k: "supplement" not in k.operations),
    "stake.waiting": ("nothing ever waits beside the stake", lambda k: not k.operations & {"wait", "supplement"}),
    **dict.fromkeys(
        ("stake.renewed.how", "stake.renewed.dealer", "stake.renewed.time"),
        ("the source is silent on when the stake is renewed", lambda k: k.says("stake.renewed.when") is None),
    ),
    "stake.first.total": ("no renewal of the stake looks at the first one", lambda k: not _looks_at_first(k)),
    **dict.fromkeys(
        ("stake.dealer-in-first", "stake.dealer-included"),
        ("the dealer adds nothing", lambda k: k.says("stake.dealer-adds") == 0),
    ),
    "talon.bonus": ("the talon is not counted", lambda k: k.says("partie.amount") != "talon-cards"),
    "talon.special-cards": ("the talon is not counted", lambda k: k.says("partie.amount") != "talon-cards"),
    "exchange.heart-exception": ("any heart may be discarded", lambda k: k.says("exchange.hearts") == "allowed"),
    "misdeal": ("the source does not have a misdeal dealt again, or is silent on it", _not_dealt_again("misdeal")),
    "deal.card-turned-up": (
        "the source does not deal again for a card turned up, or is silent on it",
        _not_dealt_again("card-turned-up"),
    ),
    "revoke.bars": ("the source is silent on a card that revokes", lambda k: k.says("revoke.card") is None),
    "revoke": ("the source is silent on a card that revokes", lambda k: k.says("revoke.card") is None),
    "barred": ("no fault bars anybody from anything", _nobody_barred),
    "peek.forced-stake": ("no fault bars anybody from anything", _nobody_barred),
    "talon.irregular": (
        "a talon of a wrong size comes from a fault on which the source is silent",
        lambda k: k.says("undiscarded.bars") is None and k.says("ten-cards.bars") is None,
    ),
}


#: What a gate looks at is not behind it.
LOOKED_AT = frozenset({"espagnolette.hands", "revoke.card"})


def why_latent(swap: Swap, known: Knowledge, outside: Callable[[str], bool]) -> str:
    """Return the proof that a swap can never matter, or nothing; `outside`: is it asked outside the rules?"""
    both = known, derive_other_knowledge(swap, known)
    why = [
        why_never(question, both, outside) or why_same(question, swap, known, outside)
        for question in sorted(swap.changed)
    ]
    return "; ".join(dict.fromkeys(why)) if all(why) else ""


def derive_other_knowledge(swap: Swap, known: Knowledge) -> Knowledge:
    """Return what is known of a swap's other side; operations stay only if no rule asks what changed."""
    asked = any(some & swap.changed for some in known.asked.values())
    return replace(known, ruleset=swap.other, operations=frozenset(OPERATIONS) if asked else known.operations)


def why_never(question: str, both: tuple[Knowledge, Knowledge], outside: Callable[[str], bool]) -> str:
    """Return the proof that a question is never asked (gated on both sides, or in no rule), or nothing."""
    gate, known = gate_of(question), both[0]
    if gate is not None and all(gate[1](knowledge) for knowledge in both):
        return f"never asked by {known.ruleset.name}: {gate[0]}"
    if outside(question) or any(question in asked for asked in known.asked.values()):
        return ""
    return f"never asked by {known.ruleset.name}: no rule asks it, whatever happened and however it came out"


def gate_of(question: str) -> tuple[str, Gate] | None:
    """The gate of a question, by the longest beginning of its slug; none for what the gates themselves look at."""
    if question in LOOKED_AT:
        return None
    fitting = [start for start in GATES if question == start or question.startswith(f"{start}.")]
    return GATES[max(fitting, key=len)] if fitting else None


def why_same(question: str, swap: Swap, known: Knowledge, outside: Callable[[str], bool]) -> str:
    """That both answers come to the same in every rule that asks; empty where they do not, or where others ask."""
    asking = [place for place, asked in known.asked.items() if question in asked]
    if outside(question) or not all(same_everywhere(swap, place) for place in asking):
        return ""
    rules = ", ".join(dict.fromkeys(rule.name for rule, _, _ in asking))
    return f"by {known.ruleset.name} both answers come to the same: {rules}, for whatever happened"
