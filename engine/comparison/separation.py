"""Find a deal on which one differing answer of two sources matters.

One source is taken as it stands, and once more with the other's answer to the one question (and to those that only
now make sense). A deal that comes out otherwise separates the two. Deals that are known are tried first; then deals
are made from what the rule looks at, varied by things that no lot brings about, and dealt at random. What is found is
made small by `engine.comparison.minimise`, and whatever is given out has been settled both ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from engine.deal.model import Deal
from engine.deal.variants import vary_deal
from engine.generation.deal import Found, fill, random_deal
from engine.generation.plan import Lost
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from engine.generation.wishes import Sketch, read_wishes
from engine.interpretation.effects import (
    DealResult,
    compare_deal_results,
    compare_sessions,
    questions_changed,
)
from engine.session.session import NotCounted, begin, steps
from engine.settlement.settle import Settled, settle
from rulebook.answers.conditions import dereference_answer
from rulebook.model import Library, Ruleset, Silent
from rulebook.resolve import BadChoice, Choice, resolve

EFFECTIVE, LATENT, VERDICT_UNKNOWN, NOT_PLAYED = "effective", "latent", "unknown", "not-played"
VERDICTS = (EFFECTIVE, LATENT, VERDICT_UNKNOWN, NOT_PLAYED)
FILLS = 300  #: so many deals are laid out for one wish
RANDOM_DEALS_TRIED = 24  #: so many random deals, each with all its variations


@dataclass(frozen=True)
class Swap:
    """One source as it stands, and with the other's answer to one question."""

    question: str  #: slug
    base: str
    giver: str
    own: Ruleset
    other: Ruleset
    changed: frozenset[str]  #: the question, and those that only now make sense

    @property
    def brings(self) -> tuple[str, ...]:
        """The questions whose answers come along."""
        return tuple(q for q in self.other.rulings if q in self.changed and q != self.question)


@dataclass(frozen=True)
class Separation:
    """A deal on which a swap matters: both results, and in what they differ."""

    swap: Swap
    deal: Deal
    before: DealResult
    after: DealResult
    how: tuple[str, ...]  #: among effects.HOW


@dataclass(frozen=True)
class Tried:
    """A search without success: deals tried of each kind, and how many asked the question."""

    seed: int | str
    deals: Mapping[str, int] = field(default_factory=dict)
    raised: int = 0

    def __str__(self) -> str:
        kinds = ", ".join(f"{n} {what}" for what, n in self.deals.items())
        asking = f"; {self.raised} of them ask it" if self.raised else ""
        return f"{kinds}{asking} (seed {self.seed})"


def differing_pairs(library: Library, question: str) -> tuple[tuple[str, str], ...]:
    """The pairs of sources that answer a question differently; a pointer counts as what it comes to."""
    values = {s: {q: r.answer for q, r in resolve(library, s).rulings.items()} for s in library.sources}
    came = {s: dereference_answer(own.get(question), own) for s, own in values.items()}
    return tuple((a, b) for a, b in combinations(library.sources, 2) if came[a] != came[b])


def list_swaps(library: Library, question: str, pair: tuple[str, str]) -> tuple[Swap, ...]:
    """List the one or two ways to give one of two sources the other's answer."""
    swaps = (make_swap(library, question, base, giver) for base, giver in (pair, pair[::-1]))
    return tuple(swap for swap in swaps if swap is not None)


def make_swap(library: Library, question: str, base: str, giver: str) -> Swap | None:
    """Make the swap of a source's answer for another's; None if the other has none."""
    own = resolve(library, base)
    text = f"{library.questions[question].id}@{giver}"
    try:
        other = resolve(library, base, [Choice(text, question, source=giver)])
    except BadChoice:
        return None
    return Swap(question, base, giver, own, other, questions_changed(own, other))


# ---- does a deal separate?
def try_separation(swap: Swap, deal: Deal, before: DealResult | None = None) -> Separation | None:
    """Settle the deal both ways; return the separation if it comes out otherwise."""
    before = before or settle(deal, swap.own)
    if not may_matter(before, swap):
        return None
    after = settle(deal, swap.other)
    how = compare_deal_results(before, after) or (
        ("lawfulness",) if isinstance(before, Settled) != isinstance(after, Settled) else ()
    )
    return (
        Separation(swap, deal, before, after, how)
        if how and (isinstance(before, Settled) or isinstance(after, Settled))
        else None
    )


def may_matter(before: DealResult, swap: Swap) -> bool:
    """Return whether the deal asks what was answered otherwise, as an unsettled one always may."""
    return not isinstance(before, Settled) or bool(before.asked & swap.changed)


# ---- making deals from what the rule looks at
#: What a deal is to have, by the beginning of the question's slug; the longest beginning that fits counts.
WISHES_BY_QUESTION: Mapping[str, tuple[str, ...]] = {
    "ace": ("ace thrown off", "ace forced", "ace led", "ace of hearts thrown off", "ace of diamonds forced"),
    "ace.thrown-off": ("ace thrown off", "ace thrown off by north"),
    "ace.forced": ("ace forced and alone", "ace forced not alone", "ace of diamonds forced"),
    "ace.led": ("ace led, partie won", "ace led own", "ace led opposite"),
    "quinola": ("quinola forced", "quinola thrown off", "quinola led", "quinola put", "quinola laid away"),
    "quinola.thrown-off": ("quinola thrown off from opposite", "quinola thrown off from the side"),
    "quinola.forced": ("quinola forced alone", "quinola followed not alone", "quinola forced opposite"),
    "quinola.put": ("quinola followed not alone",),
    "quinola.led": ("quinola led", "quinola led own", "quinola led opposite", "quinola led not free"),
    "payments": ("ace thrown off opposite first trick", "quinola forced opposite", "ace led, quinola led"),
    "stake": ("quinola forced", "quinola thrown off", "quinola laid away", "reversis made", "partie without trick"),
    "partie": ("partie with trick", "partie without trick", "reversis made"),
    "talon": ("partie with trick", "quinola laid away"),
    "reversis": ("reversis made", "reversis broken", "reversis made, quinola led first trick"),
    "reversis.broken": ("reversis broken", "reversis broken, quinola led"),
    "reversis.returns": ("reversis made, ace thrown off", "reversis made, quinola thrown off"),
    "reversis.breaking-quinola": ("reversis broken, quinola followed last trick", "reversis broken, quinola led"),
    "espagnolette": (
        "espagnolette won",
        "espagnolette lost",
        "espagnolette lost, quinola thrown off",
        "reversis made, espagnolette undertaken",
        "reversis broken, espagnolette breaking",
        "reversis broken, espagnolette undertaken",
    ),
    "undiscarded": ("reversis made", "partie with trick"),  # in a reversis the talon is not counted
    "ten-cards": ("reversis made", "partie with trick"),
    "table": ("five players", "52 cards"),
}


def wishes_for(question: str) -> tuple[str, ...]:
    """Return the wishes for deals in which a question may matter."""
    fitting = [start for start in WISHES_BY_QUESTION if question == start or question.startswith(f"{start}.")]
    return WISHES_BY_QUESTION[max(fitting, key=len)] if fitting else ()


def construct_deals(swap: Swap, seed: int | str, per: int = 2) -> Iterator[Deal]:
    """Construct deals towards what the rule looks at, by the rules of either side."""
    for at, text in enumerate(wishes_for(swap.question)):
        for number in range(per):
            ruleset = (swap.own, swap.other)[number % 2]
            deal = construct_wished_deal(ruleset, text, f"{seed}/{swap.question}/{at}/{number}")
            if deal is not None:
                yield deal


def construct_wished_deal(ruleset: Ruleset, text: str, seed: str) -> Deal | None:
    """Construct a deal that has what is wished; None if none is found soon."""
    wishes, wrong = read_wishes(text, ("south", "east", "north", "west"))
    assert not wrong, wrong
    five = "five" in text
    shape = None if five or "52" in text else next(iter(_list_plain_shapes(ruleset)), None)
    try:
        result = fill(ruleset, Sketch(wishes, id="made"), seed, FILLS, shape)
    except (Lost, Silent):
        return None
    return result.deal if isinstance(result, Found) else None


def _list_plain_shapes(ruleset: Ruleset) -> Iterator[TableShape]:
    yield from (s for s in list_table_shapes(ruleset) if (s.players, s.pack) == (4, 48))


def draw_random_deals(swap: Swap, seed: int | str, number: int = RANDOM_DEALS_TRIED) -> Iterator[Deal]:
    """Draw random deals, by the rules of either side, at any of their tables."""
    for n in range(number):
        ruleset = (swap.own, swap.other)[n % 2]
        shape = next(_list_plain_shapes(ruleset), None) if n % 4 else None
        try:
            yield random_deal(ruleset, f"{seed}/{n}", shape)
        except (Lost, Silent):
            continue


# ---- the search
@dataclass
class Search:
    """One search: what was tried, and what it came to."""

    swap: Swap
    seed: int | str
    tried: Counter[str] = field(default_factory=Counter)
    raised: int = 0

    def through(self, kind: str, deals: Iterable[Deal]) -> Iterator[Separation]:
        """Every deal of a row that separates."""
        for deal in deals:
            self.tried[kind] += 1
            before = settle(deal, self.swap.own)
            self.raised += may_matter(before, self.swap)
            separation = try_separation(self.swap, deal, before)
            if separation is not None:
                yield separation

    def constructed(self) -> Iterator[Separation]:
        """Deals made from what the rule looks at, and random ones, each with every variation."""
        for kind, deals in (
            ("made", construct_deals(self.swap, self.seed)),
            ("at random", draw_random_deals(self.swap, self.seed)),
        ):
            for deal in deals:
                yield from self.through(kind, [deal])
                rng = Random(f"{self.seed}/{deal.id}/{self.tried[kind]}")
                yield from self.through("varied", vary_deal(rng, deal, self.swap.question))

    @property
    def told(self) -> Tried:
        """The summary of what was tried."""
        return Tried(self.seed, dict(self.tried), self.raised)


def settled_both(separation: Separation) -> bool:
    """Return whether both sides settle the deal, so only payments, pool or outcome differ."""
    return isinstance(separation.before, Settled) and isinstance(separation.after, Settled)


def rename_deal(deal: Deal, id: str, title: str) -> Deal:
    """Return the deal with an id and a title of its own."""
    seats = SEAT_NAMES[len(deal.seats)]
    return replace(deal, id=id, title=title, seats=seats, provenance="generated", cites=(), expect={}, note="")


# ---- sessions
#: What only a row of deals can show, by the beginning of the question's slug.
IN_SESSION = ("stake", "session", "deal.next-dealer")
ROWS_PER_LENGTH = 120  #: so many rows of deals are tried of each length
LENGTHS = (2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class SessionSeparation:
    """A session in which a swap matters: its deals, and in what the two runs differ."""

    swap: Swap
    deals: tuple[Deal, ...]
    how: tuple[str, ...]  #: among effects.HOW_SESSION


def session_separation(swap: Swap, deals: tuple[Deal, ...]) -> SessionSeparation | None:
    """A row of deals played through both ways, if every deal is counted and it comes out otherwise."""
    before, after = (
        tuple(steps(begin(ruleset, SEAT_NAMES[4], 3), deals, turn=True)) for ruleset in (swap.own, swap.other)
    )
    if any(isinstance(step, NotCounted) for step in (*before, *after)):
        return None
    how = compare_sessions(before, after)
    return SessionSeparation(swap, deals, how) if how else None


def shortest_session(
    swap: Swap, deals: Sequence[Deal], seed: int | str, known: Sequence[tuple[Deal, ...]] = ()
) -> SessionSeparation | Tried:
    """The shortest row of known deals that separates: one alone, then random rows, or a known session."""
    if not swap.question.startswith(IN_SESSION):
        return Tried(seed)
    rng, tried = Random(f"session:{seed}:{swap.question}"), Counter[str]()
    whole = (deal for deal in deals if len(deal.seats) == 4 and not deal.faults and not deal.fragment)
    settled = [result for deal in whole if isinstance(result := settle(deal, swap.own), Settled)]
    moving = [settlement.deal for settlement in settled if settlement.pool != settlement.before]
    if swap.question.startswith("stake.waiting"):
        moving = [
            settlement.deal
            for settlement in settled
            if settlement.pool.waiting != settlement.before.waiting or not settlement.pool.stake
        ]
    rows: list[tuple[Deal, ...]] = [(settlement.deal,) for settlement in settled]
    rows += [tuple(rng.choices(moving, k=length)) for length in LENGTHS for _ in range(ROWS_PER_LENGTH) if moving]
    for row in (*rows, *known):
        tried[f"sessions of {len(row)} deals" if len(row) > 1 else "sessions of one deal"] += 1
        separation = session_separation(swap, row)
        if separation is not None:
            return separation
    return Tried(seed, dict(tried))
