"""Sessions of many random deals under each source: every counter is accounted for after every step.

`python -m proofs.sessions [--deals 100] [--sessions 25] [--seed 1]` plays them and writes the receipt.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from engine.cards import make_pack
from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.generation.deal import choose_random_card, play_random_trick
from engine.generation.turn import SEAT_NAMES
from engine.play.table import seat_players
from engine.readings.ask import Ask
from engine.session import session as playing
from proofs.arguments import ProofParser, run_proof, store_receipt
from rulebook.load import library
from rulebook.model import Library, Ruleset
from rulebook.receipts import Receipt, build_receipt
from rulebook.resolve import resolve

_COMMAND = "python -m proofs.sessions --deals {deals} --sessions {sessions} --seed {seed}"
_CLAIM = (
    "In sessions of random legal deals every counter is accounted for under each source: after every step the "
    "accounts and the pool sum to zero, no sum on the table is negative, and the pool grows and shrinks only by "
    "what the ledgers put in and take out."
)
_FAULT_RATE = 0.1  #: in so many of the deals somebody is fined
SESSION_SEATS = SEAT_NAMES[5]


# ---- deals by lot
def list_session_shapes(ruleset: Ruleset) -> list[tuple[int, int, int, int]]:
    """Return the table shapes of a source: players, pack, hand and talon size."""
    shapes = Ask(ruleset).tables("table.shapes")
    return sorted({(s["players"], s["pack"], s["hand"], s["talon"]) for s in shapes})


def generate_session_deal(
    rng: Random, ruleset: Ruleset, shape: tuple[int, int, int, int], dealer: int, id: str
) -> Deal:
    """Return a deal that is dealt at random, and played at random but legally."""
    players, size, hand, talon = shape
    cards = sorted(make_pack(size))
    rng.shuffle(cards)
    hands = tuple(frozenset(cards[talon + i * hand : talon + (i + 1) * hand]) for i in range(players))
    deal = Deal(id, size, SESSION_SEATS[:players], dealer, hands, tuple(cards[:talon]), (), provenance="generated")
    table = seat_players(deal, Ask(ruleset))
    faults = tuple(draw_session_fault(rng, ruleset, players, hand))
    tricks = tuple(play_random_trick(rng, table, number, choose_random_card) for number in range(1, hand + 1))
    return replace(deal, faults=faults, tricks=tricks)


def draw_session_fault(rng: Random, ruleset: Ruleset, players: int, tricks: int) -> Iterator[Fault]:
    """Yield a play out of turn now and then, where the rules set a fine on it."""
    if "out-of-turn.fine" in ruleset.rulings and rng.random() < _FAULT_RATE:
        yield Fault("out-of-turn", rng.randrange(players), rng.randint(1, tricks))


# ---- sessions by lot
def play_random_session(rng: Random, ruleset: Ruleset, deals: int) -> Iterator[playing.Step]:
    """Yield the steps of a session of random deals; the dealer rotates by the rules."""
    shape = rng.choice(list_session_shapes(ruleset))
    step = playing.begin(ruleset, SESSION_SEATS[: shape[0]], rng.randrange(shape[0]))
    yield step
    for number in range(1, deals + 1):
        if not step.after.ready:
            step = playing.prepare_next_deal(step.after)
            yield step
        result = playing.play_next_deal(
            step.after, generate_session_deal(rng, ruleset, shape, step.after.dealer, f"deal-{number}")
        )
        if isinstance(result, playing.NotCounted):
            raise AssertionError(f"{ruleset.name}: deal {number} is not counted: {result.problems or result.found}")
        step = result
        yield step
    yield playing.finish(step.after)


def find_step_faults(step: playing.Step) -> Iterator[str]:
    """Yield the faults of a step: none, if the proof is to hold."""
    after = step.after
    if after.balance:
        yield f"the accounts and the pool come to {after.balance}"
    if min((after.pool.stake, after.aside, *after.pool.waiting)) < 0:
        yield f"a sum on the table is negative: {after.pool}"
    if len(after.owed) != len(after.pool.waiting):
        yield "a waiting sum has no maker"
    if sum_pool_postings(step) != after.laid - step.before.laid:
        yield f"the ledgers move {sum_pool_postings(step)} to the pool, and it grows by {after.laid - step.before.laid}"
    if step.settled is None and after.pool.stake < step.before.pool.stake and step.kind != "finish":
        yield "the stake has shrunk between two deals"


def sum_pool_postings(step: playing.Step) -> int:
    """Return what the entries of a step add to the pool, computed from them alone."""
    of_deal = step.settled.net["pool"] if step.settled else 0
    postings = [p for e in step.entries for p in e.postings]
    signs = [(p.payee == "pool") - (p.payer == "pool") for p in postings]
    return of_deal + sum(sign * p.money.plain for sign, p in zip(signs, postings, strict=True))


# ---- the proof
def prove_sessions(library: Library, deals: int, sessions: int, seed: int) -> dict[str, object]:
    """Return the figures of the proof, by source. Raises AssertionError if it fails."""
    return {
        siglum: _count_source_sessions(resolve(library, siglum), deals, sessions, seed) for siglum in library.sources
    }


def _count_source_sessions(ruleset: Ruleset, deals: int, sessions: int, seed: int) -> dict[str, int]:
    figures: Counter[str] = Counter()
    for number in range(sessions):
        last: playing.Session | None = None
        for step in play_random_session(Random(f"{seed} {ruleset.source} {number}"), ruleset, deals):
            faults = list(find_step_faults(step))
            if faults:
                raise AssertionError(f"{ruleset.name}, session {number}, deal {step.after.deals}: {'; '.join(faults)}")
            figures.update(_iter_step_counts(step))
            last = step.after
        assert last is not None
        figures["sessions"] += 1
        figures["players_at_table"] += len(last.seats)
        figures["left_in_pool"] += last.laid
    return dict(sorted(figures.items()))


def _iter_step_counts(step: playing.Step) -> Iterator[str]:
    yield "steps"
    if step.kind == "deal":
        yield "deals"
        yield from ("stakes_won" for _ in range(step.after.drawn))
    yield from (entry.name for entry in step.entries)
    yield from ("silences" for _ in step.silent)


def make_sessions_receipt(library: Library, deals: int, sessions: int, seed: int) -> Receipt:
    """Return the receipt of the proof, with the command that repeats it."""
    command = _COMMAND.format(deals=deals, sessions=sessions, seed=seed)
    figures = {"deals a session": deals, **prove_sessions(library, deals, sessions, seed)}
    return build_receipt("sessions", _CLAIM, command, seed, library.rules_digest, figures)


def main(words: Sequence[str] | None = None) -> int:
    """Play the sessions and write the receipt."""
    parser = ProofParser("sessions", __doc__)
    parser.add_number("--deals", 100, "deals in each session")
    parser.add_number("--sessions", 25, "sessions under each source")
    parser.add_seed(1)
    asked = parser.parse_args(words)
    place = parser.choose_place(asked, _COMMAND.format(**vars(asked)))
    sessions_receipt = make_sessions_receipt(library(), asked.deals, asked.sessions, asked.seed)
    print(_CLAIM)
    store_receipt(place, sessions_receipt)
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main))
