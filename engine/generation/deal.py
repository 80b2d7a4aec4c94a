"""Dealing at random, and completing a deal of which only a part is known, or wished.

A deal is dealt and played lawfully under a ruleset, with the same mechanics that replay it. Who plays which of the
lawful cards is left to a *policy*: a function of the lot and of a `PlayerTurn` that gives one of `PlayerTurn.legal`.
`choose_random_card` takes any; `engine.generation.follow_plan` leans towards what is wished.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal, SupportsIndex, TypeAlias, cast

from engine.arguments import require_ruleset, require_seed, require_wishes
from engine.cards import HEARTS_INDEX, cards_of, make_pack, sort_cards, suit_of
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.generation.draw_plan import draw_plan
from engine.generation.follow_plan import follow_plan
from engine.generation.impossible import UnmetWishes, find_contradiction
from engine.generation.partial_deal import read_sketch
from engine.generation.plan import Impossible, Lost
from engine.generation.turn import SEAT_NAMES, TALON_PLACE, PlayerTurn, Policy, TableShape, list_table_shapes
from engine.generation.wishes import Look, Sketch, Wish, is_wish_fulfilled, observe_deal
from engine.play.replay import finish_trick, has_grown_stake, play_card, replay_deal
from engine.play.table import PlayTable, find_quinolas, legal_cards, seat_players
from engine.readings.ask import Ask, name_other_quinolas, name_quinola
from engine.readings.meanings.deal import (
    HAS_TALON_CARD,
    HEARTS_DISCARDED,
    MAY_EXCHANGE,
    MUST_EXCHANGE,
    QUINOLA_FROM_LIMIT,
    QUINOLA_UNTIL_SUPPLEMENT,
)
from engine.readings.meanings.play import FIRST_LEAD, FIRST_LEADER
from engine.session.session import begin
from engine.settlement.settle import Settled, settle_replayed_deal
from rulebook.display import format_repr
from rulebook.model import FrozenMap, Ruleset, Silent
from rulebook.strings import quote_value

_MAX_LAYOUTS = 3000  #: so many deals are laid out before a search gives up
BRANCHES = 4  #: so often a trick is tried anew before the one before it is taken back
_MAX_TRICK_TRIALS = 60  #: so many tricks are tried in one deal
RANDOM_DEAL_STAKE = 60  #: the stake of a random deal, in whatever counters


def choose_random_card(rng: Random, turn: PlayerTurn) -> int:
    """Choose any card that may be played."""
    return rng.choice(turn.legal)


# ---- the cards
def lay_out_cards(
    rng: Random, shape: TableShape, wanted: Mapping[int, int], without: Mapping[int, set[int]]
) -> list[list[int]]:
    """Deal hands, and last the talon: placed cards first, the rest at random.

    Raises Lost.

    `wanted`: card -> seat, or TALON_PLACE; `without`: seat -> suits of which he is to have no further card.
    """
    places = [*range(shape.players), TALON_PLACE]
    room = {p: shape.talon if p == TALON_PLACE else shape.hand for p in places}
    held = {p: [c for c, at in wanted.items() if at == p] for p in places}
    rest = sort_cards(make_pack(shape.pack) - set(wanted))
    rng.shuffle(rest)
    for place in sorted(places, key=lambda p: -len(without.get(p, ()))):
        barred = without.get(place, set())
        may = [c for c in rest if suit_of(c) not in barred][: max(0, room[place] - len(held[place]))]
        held[place] += may
        rest = [c for c in rest if c not in may]
        if len(held[place]) != room[place]:
            raise Lost("the cards cannot be dealt so")
    return [held[p] for p in places]


def draw_random_exchanges(rng: Random, deal: Deal, ask: Ask) -> Iterator[Exchange]:
    """Draw a random exchange that leads to these hands: each in turn changes a card, or not where that is free."""
    eldest = FIRST_LEADER[ask.word("play.first-leader")](deal.dealer, len(deal.seats))
    hearts = HEARTS_DISCARDED[ask.word("exchange.hearts")]
    kept = find_quinolas(ask) if hearts in (QUINOLA_FROM_LIMIT, QUINOLA_UNTIL_SUPPLEMENT) else {}
    outs = [c for c in deal.talon if (hearts or suit_of(c) != HEARTS_INDEX) and c not in kept]
    may, must = MAY_EXCHANGE[ask.word("exchange.who")], is_exchange_compulsory(deal, ask)
    few = "first-in-order" if len(deal.seats) == 4 else ask.word("exchange.among-five")
    cards, taken = len(deal.talon) - 1, 0  # one card of the talon is the dealer's discard
    for turn in range(len(deal.seats)):
        seat = (eldest + turn) % len(deal.seats)
        if taken == cards or not HAS_TALON_CARD[few](turn, taken, cards):
            continue
        if outs and seat != deal.dealer and may(seat, deal.dealer, eldest) and (rng.random() < 0.5 or must):
            out, taken = outs.pop(rng.randrange(len(outs))), taken + 1
            yield Exchange(seat, out, rng.choice(sort_cards(deal.hands[seat])))


def is_exchange_compulsory(deal: Deal, ask: Ask) -> bool:
    """Return whether players who may exchange have to; not where the source is silent on it."""
    if not ask.answers("exchange.duty"):
        return False
    table = seat_players(deal, ask)
    supplement = deal.pool(ask.ruleset.source).supplements_paid
    return MUST_EXCHANGE[ask.word("exchange.duty")](lambda: has_grown_stake(table, ask.fresh()), supplement)


# ---- the play
def play_random_trick(rng: Random, table: PlayTable, number: int, policy: Policy) -> tuple[int, ...]:
    """Play one trick by a policy. Raises Lost where the policy has no card to play."""
    played, row = [], tuple[int, ...]()
    for seat in table.turns[table.leader]:
        led = row[0] if row else None
        may = tuple(cards_of(legal_cards(table, number, seat, led, table.ask)))
        chosen = policy(rng, PlayerTurn(table, number, seat, row, may))
        played.append(play_card(table, number, seat, chosen, led))
        row = (*row, chosen)
    finish_trick(table, number, played)
    return row


def copy_table(table: PlayTable) -> PlayTable:
    """Copy a table, so that a trick can be tried and taken back."""
    return replace(
        table,
        hands=list(table.hands),
        takers=list(table.takers),
        taken=[list(pile) for pile in table.taken],
        facts=list(table.facts),
    )


Hopeful: TypeAlias = Callable[[PlayTable], bool]


def play_out(rng: Random, table: PlayTable, policy: Policy, hopeful: Hopeful) -> tuple[tuple[int, ...], ...]:
    """Play all tricks; a dead end goes back one trick, then further. Raises Lost."""
    stack: list[tuple[PlayTable, tuple[int, ...]]] = [(table, ())]
    failed = Counter[int]()
    for _ in range(_MAX_TRICK_TRIALS):
        after = copy_table(stack[-1][0])
        number = len(stack)
        try:
            row = play_random_trick(rng, after, number, policy)
        except Lost:
            row = ()
        if row and hopeful(after):
            stack.append((after, row))
            failed[number + 1] = 0
            if number == table.last:
                return tuple(row for _, row in stack[1:])
            continue
        failed[number] += 1
        if failed[number] >= BRANCHES and len(stack) > 1:
            stack.pop()
            failed[number - 1] += 1
    raise Lost("the play does not lead there")


# ---- any deal
def random_deal(
    ruleset: Ruleset,
    seed: SupportsIndex | str,
    shape: TableShape | None = None,
    policy: Policy | Literal["random"] = choose_random_card,
    exchange: bool = True,
    pool: Pool | None = None,
    wish: str | Iterable[str] = (),
    id: str = "",
) -> Deal:
    """A random, legal deal, the same for the same seed; at any known table if none is named. Raises Lost.

    Its id is "random-5" for the seed 5, by whichever rules it is dealt. Whoever mixes deals of several sources, tables
    or wishes in one table gives each its own: `id=f"{ruleset.source}-{seed}"`.

    Other rules mostly refuse it: their discards, tables and first lead are others. A deal that several rules allow
    needs a table that all of them play (`shape`), the strictest of them to deal it, and `exchange=False`.

    With a wish, such as "quinola led", it is the deal that `fill` finds. Raises BadSketch if it cannot be understood.
    """
    require_ruleset(ruleset)
    require_seed(seed)
    policy = _require_policy(policy)
    _require_shape(shape, ruleset)
    id = id or f"random-{seed}"
    if wish:
        result = fill(ruleset, seed=seed, shape=shape, wish=wish, id=id)
        if isinstance(result, NotFound):
            raise Lost(str(result))
        return result.deal
    rng, known = Random(f"deal:{seed}"), () if shape else list_table_shapes(ruleset)
    if not (shape or known):
        raise Lost("these rules know no such table")
    shape = shape or rng.choice(known)
    ask = Ask(ruleset)
    dealer, held = rng.randrange(shape.players), lay_out_cards(rng, shape, {}, {})
    pool = make_random_pool(ruleset, shape.players, dealer) if pool is None else pool
    deal = make_unplayed_deal(shape, dealer, held, id, pool)
    rows = play_out(rng, seat_players(deal, ask), policy, lambda table: True)
    deal = replace(deal, tricks=rows)
    if not exchange:
        return deal
    changed = replace(deal, exchange=tuple(draw_random_exchanges(rng, deal, ask)))
    return changed if not replay_deal(changed, ask).refusals else deal


def _require_policy(policy: object) -> Policy:
    if policy == "random":
        return choose_random_card
    if not callable(policy):
        raise TypeError(
            f'{quote_value(policy)} is no policy: write "random", or a function of the lot and a turn that gives one'
            ' of turn.legal (survey(policy="cautious") plays more carefully)'
        )
    return cast("Policy", policy)


def _require_shape(shape: object, ruleset: Ruleset) -> None:
    """Raise TypeError, with the tables that the rules know, unless it is a table or none is named."""
    if not (shape is None or isinstance(shape, TableShape)):
        known = ", ".join(map(repr, list_table_shapes(ruleset)))
        raise TypeError(f"{quote_value(shape)} is no table: write shape=TableShape(...), one of these: {known}")


def make_unplayed_deal(shape: TableShape, dealer: int, held: Sequence[Sequence[int]], id: str, pool: Pool) -> Deal:
    """Make a deal with the cards on the table, nothing played yet."""
    return Deal(
        id,
        shape.pack,
        SEAT_NAMES[shape.players],
        dealer,
        tuple(map(frozenset, held[:-1])),
        tuple(held[-1]),
        (),
        provenance="generated",
        pools={"": pool},
    )


def make_random_pool(ruleset: Ruleset, players: int, dealer: int) -> Pool:
    """Make the pool of a random deal: a round stake, and in further pools what is put in before a first deal."""
    if not name_other_quinolas(ruleset):
        return Pool(RANDOM_DEAL_STAKE)
    return replace(begin(ruleset, SEAT_NAMES[players], dealer).after.pool, stake=RANDOM_DEAL_STAKE, waiting=())


def list_card_names(ruleset: Ruleset) -> Mapping[str, str]:
    """List the names of privileged cards that a wish may use, each with its card; the quinola's is empty."""
    named = {called: card for card, called in name_other_quinolas(ruleset).items()}
    return named | ({called: ""} if (called := name_quinola(ruleset)) else {})


# ---- a deal that is wished
@dataclass(frozen=True)
class Found:
    """A deal that was found, how it is settled, and how many deals were tried."""

    deal: Deal
    settled: Settled
    seen: Look
    tries: int

    def __repr__(self) -> str:
        name = self.settled.ruleset.name
        return format_repr(
            self, f"after {self.tries} {'try' if self.tries == 1 else 'tries'}: {self.deal.id}, by {name}"
        )


@dataclass(frozen=True)
class NotFound:
    """No deal was found: how many were tried, and how often each obstacle prevented one."""

    tries: int
    because: Mapping[str, int] = field(default_factory=dict)
    never: str = ""  #: why no seed can fill the wishes; empty where another might
    unmet: str = ""  #: which parts of the wishes no deal had
    silent: bool = False  #: whether the source does not say what such a deal asks

    def __str__(self) -> str:
        if self.never:
            return f"no seed can fill this: {self.never}"
        why = "; ".join(f"{what}: {n}" for what, n in Counter(self.because).most_common(6))
        unmet = f"; {self.unmet}" if self.unmet else ""
        return f"no such deal found, though {self.tries} were laid out ({why}){unmet}"


class BadSketch(ValueError):
    """A partial deal or a wish that cannot be understood; the message lists all problems with hints."""


def fill(
    ruleset: Ruleset,
    sketch: Sketch | Mapping[str, object] | None = None,
    seed: SupportsIndex | str = 1,
    tries: int = _MAX_LAYOUTS,
    shape: TableShape | None = None,
    wish: str | Iterable[str] = (),
    id: str = "",
) -> Found | NotFound:
    """Complete a partial deal so that it meets the wishes; the deal is settled as proof.

    The part may be a record with gaps; a wish is one as `reversis deal fill --wish` takes it. The deal is called
    "filled", or by the `id` that is given. Raises BadSketch where part or wish cannot be understood.
    """
    require_ruleset(ruleset)
    require_seed(seed)
    _require_shape(shape, ruleset)
    given = make_sketch(sketch, wish, list_card_names(ruleset))
    return fill_sketch(ruleset, replace(given, id=id or given.id), seed, range(1, tries + 1), shape)


def fill_sketch(
    ruleset: Ruleset,
    sketch: Sketch,
    seed: SupportsIndex | str,
    attempts: Sequence[int],
    shape: TableShape | None = None,
) -> Found | NotFound:
    """Complete a sketch of a deal in some of the attempts that are made from a seed, of which each is another deal."""
    known = (shape,) if shape else list_table_shapes(ruleset)
    tables = {s: "" for s in known if can_hold_sketch(s, sketch)}  #: each with why it can never be filled there
    if contradiction := find_contradiction(sketch.wishes):
        return NotFound(0, never=contradiction)
    if not tables:
        return NotFound(0, never=f"these rules know no such table ({_list_tables(known)})")
    because, unmet = Counter[str](), UnmetWishes(sketch.wishes)
    for attempt in attempts:
        rng = Random(f"fill:{seed}:{attempt}")
        table = rng.choice(list(tables))
        try:
            deal = try_deal(rng, ruleset, table, sketch)
            result = prove_deal(deal, ruleset, sketch.wishes, attempt, unmet.observe)
        except Lost as lost:
            because[str(lost)] += 1
            tables[table] = str(lost) if isinstance(lost, Impossible) else ""
            if all(tables.values()):
                return NotFound(attempt, dict(because), "; ".join(dict.fromkeys(tables.values())))
            continue
        except Silent as silent:  # such a deal cannot be played, or settled, by these rules, and never will be
            return NotFound(attempt, {str(silent): 1}, str(silent), silent=True)
        if isinstance(result, Found):
            return result
        because[result] += 1
    return NotFound(len(attempts), dict(because), unmet=str(unmet))


def _list_tables(known: Sequence[TableShape]) -> str:
    names = dict.fromkeys(f"{s.players} players with {s.pack} cards" for s in known)
    return f"known: {', '.join(names) or 'none'}"


def make_sketch(
    part: Sketch | Mapping[str, object] | None, wish: str | Iterable[str] = (), cards: Mapping[str, str] = FrozenMap()
) -> Sketch:
    """Return a sketch of a part and what is wished besides, of cards by their names. Raises BadSketch."""
    require_wishes(wish)
    wished = (wish,) if isinstance(wish, str) else tuple(wish)
    if isinstance(part, Sketch):
        return part if not wished else replace(part, wishes=(*part.wishes, *make_sketch(None, wished, cards).wishes))
    sketch, problems = read_sketch({} if part is None else part, wished=wished, cards=cards)
    if sketch is None:
        raise BadSketch("\n".join(f"{problem.what}: {problem.way_out}" for problem in problems))
    return sketch


def can_hold_sketch(shape: TableShape, sketch: Sketch) -> bool:
    """Return whether what is given can lie on such a table."""
    counts = (sketch.players, sketch.pack)
    wanted = all(n in (None, have) for n, have in zip(counts, (shape.players, shape.pack), strict=True))
    table_words = {w.name for wish in sketch.wishes if wish.subject == "table" for w in wish.words}
    table_words -= {"four" if shape.players == 4 else "five", str(shape.pack)}
    within = len(sketch.talon) <= shape.talon and all(len(h) <= shape.hand for h in sketch.hands.values())
    return wanted and not table_words and within and len(sketch.tricks) <= shape.hand


def try_deal(rng: Random, ruleset: Ruleset, shape: TableShape, sketch: Sketch) -> Deal:
    """Lay out one deal and play it towards what is wished. Raises Lost."""
    ask = Ask(ruleset)
    dealer = sketch.dealer if sketch.dealer is not None else rng.randrange(shape.players)
    eldest = FIRST_LEADER[ask.word("play.first-leader")](dealer, shape.players)
    first_suit = FIRST_LEAD[ask.word("play.first-lead")]
    plan = draw_plan(rng, sketch, ask, shape, eldest, first_suit)
    held = lay_out_cards(rng, shape, plan.held, plan.without)
    deal = make_unplayed_deal(shape, dealer, held, sketch.id, make_random_pool(ruleset, shape.players, dealer))
    deal = replace(deal, seats=sketch.seats or deal.seats, claims=plan.claims, **sketch.rest)  # type: ignore[arg-type]
    table = seat_players(deal, ask)

    def policy(rng: Random, turn: PlayerTurn) -> int:
        return follow_plan(rng, plan, turn)

    rows = play_out(rng, table, policy, lambda t: t.takers[-1] in plan.may_take(len(t.takers)))
    return replace(deal, tricks=rows)


def prove_deal(
    deal: Deal,
    ruleset: Ruleset,
    wishes: Iterable[Wish],
    tries: int,
    observe: Callable[[Look], None] = lambda seen: None,
) -> Found | str:
    """Settle the deal if it is lawful and has all that is wished; otherwise return what it lacks.

    What can be seen of a lawful deal is given to `observe`.
    """
    ask = Ask(ruleset)
    played = replay_deal(deal, ask)
    if played.refusals:
        return played.refusals[0].message.partition(": ")[2] or played.refusals[0].message
    seen = observe_deal(played, ask, deal.seats, deal.pack)
    observe(seen)
    lacking = next((wish for wish in wishes if not is_wish_fulfilled(wish, seen)), None)
    if lacking is not None:
        return f"not had: {lacking}"
    return Found(deal, settle_replayed_deal(deal, ruleset, played, ask), seen, tries)
