"""Golden outputs of the engine's modules, stored so that no change goes unnoticed.

    python -m proofs.golden_engine

Like `proofs.golden_results`, which keeps what deals are worth, this keeps the rest: why a payment is withheld, the
deals that a seed brings out and those that are wished, their variations and how they are made smaller, what readers say
of spoilt records, how sessions go on, what each rival reading changes, which answers cause a difference. Everything is
kept as a fingerprint under the name of its room, in tests/data/rooms.json; a test brings it out again. Nothing here is
worked out by hand: it is what came out when somebody last looked. Whoever changes a room on purpose runs this, looks at
what has changed, and says so.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from engine.cards import format_cards, make_pack
from engine.comparison.irrelevance_proof import any_fact, any_outcome, knows_espagnolette, list_rule_scopes
from engine.deal.diagram import read_diagram
from engine.deal.events import Announcement, Fact, Fault, Measures
from engine.deal.fields import locate_without_file
from engine.deal.model import MISDEAL_STAGES, Deal
from engine.deal.reader import read_deal
from engine.deal.variants import TWISTS, vary_deal
from engine.deal.writer import write_deal
from engine.generation.deal import Found, fill, random_deal
from engine.generation.partial_deal import read_sketch
from engine.generation.partial_model import Sketch
from engine.generation.turn import SEAT_NAMES, list_table_shapes
from engine.generation.wishes import (
    CARD_WORDS,
    OUTCOME_WORDS,
    SUBJECT_PHRASES,
    TRICK_PHRASES,
    WORD_PHRASES,
    describe_vocabulary,
    observe_deal,
    read_wishes,
)
from engine.play.replay import Played, replay_deal
from engine.readings.ask import Ask
from engine.session.record import read_sitting, write_sitting
from engine.session.result_json import session_result
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.outcome import OUTCOME_FIELDS, DealOutcome, Open
from proofs import golden_comparison as comparison
from proofs import sessions
from proofs.fuzz_mutations import TEXT_MUTATIONS, mutate_data, mutate_deal
from proofs.golden_fingerprints import (
    GOLDEN_SEED,
    NamedValue,
    fingerprint_golden_value,
    read_stored_deals,
    resolve_all_rulesets,
    resolve_some_rulesets,
    resolve_source_rulesets,
)
from reversis.files.separations import worked_deals
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library, Ruleset, Silent
from rulebook.problems import Problem
from rulebook.resolve import Choice, iter_clause_alternatives, resolve

GOLDEN_ENGINE_FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "rooms.json"

_GoldenGenerator: TypeAlias = Callable[[Library], Iterator[NamedValue]]


# ---- the rooms
def iter_golden_reasons(own: Library) -> Iterator[NamedValue]:
    """Yield why each payment is made or withheld: every rule, every fact, every deal."""
    for deal in (*list(worked_deals(own).values())[::3], *list(read_stored_deals())[::8]):
        yield deal.id, [_summarise_reckoning(reckon(deal, ruleset)) for ruleset in resolve_some_rulesets(own)]


def _summarise_reckoning(found: object) -> object:
    if not isinstance(found, Reckoning):
        return str(type(found).__name__)
    paid = [(one, one.entry.rule, one.entry.name, one.entry.asked) for one in found.all]
    return [
        (*entry, one.amounts, one.reason, one.missing, one.because, one.by and one.by.id) for one, *entry in paid
    ] + [(rule, fact.kind, fact.player, fact.trick) for rule, fact in found.idle]


class RandomChoices(Random):
    """Random choices where `engine.comparison.irrelevance_proof` tries all options."""

    one = Random.choice


def iter_golden_rules(own: Library) -> Iterator[NamedValue]:
    """Yield what every rule pays for random facts and outcomes, and all it asked."""
    for at, ruleset in enumerate(resolve_some_rulesets(own)):
        for place, seats in product(list_rule_scopes(), (4, 5)):
            rule, kind, manner = place
            found = []
            for number in range(20):
                lot: Any = RandomChoices(f"{GOLDEN_SEED} {rule.name} {kind} {manner} {number}")
                fact = any_fact(rule, kind, manner, seats, lot, knows_espagnolette(ruleset))
                ask = Ask(ruleset)
                paid = call_or_describe(
                    lambda f, o, a, pays=rule.pays: tuple(pays(f, o, a)), fact, any_outcome(seats, lot, ruleset), ask
                )
                found.append((paid, ask.asked))
            yield f"{at} {rule.name} {kind} {manner} {seats}", found


def iter_golden_outcomes(own: Library) -> Iterator[NamedValue]:
    """Yield every field of the outcome of random measures."""
    for at, ruleset in enumerate(resolve_all_rulesets(own)):
        for number in range(100):
            ask = Ask(ruleset)
            outcome = DealOutcome(make_random_measures(Random(f"{GOLDEN_SEED} {number}")), ask)
            yield f"{at} {number}", [call_or_describe(outcome.field, name) for name in OUTCOME_FIELDS]


def make_random_measures(rng: Random) -> Measures:
    """Return random measures of a deal, whether or not any deal can have them."""
    seats, last = (4, 11) if rng.random() < 0.8 else (5, 9)
    few = rng.sample(range(seats), rng.choice((1, 2, 2, 3, seats)))
    hero = rng.choice(few)
    late = rng.choice((0, 1, 2, 3, last, last))
    takers = tuple(hero if number < last - late else rng.choice(few) for number in range(last))
    takers = takers if rng.random() < 0.9 else takers[: rng.randrange(last)]
    holder = rng.choice((None, *range(seats)))
    player, culprit = rng.randrange(seats), rng.randrange(seats)
    quinola = Fact(
        "quinola", seats, 0, 1, last, trick=3, player=player, manner=rng.choice(("thrown-off", "followed", "led"))
    )
    barred = rng.choice(((), (), (), ("peek",), ("revoke",), ("undiscarded", "revoke"), ("ten-cards",)))
    void = Fault("misdeal", 0, noticed=rng.choice(MISDEAL_STAGES), redeemed=rng.random() < 0.5)
    lots = [tuple(rng.choice((0, 1, 2, 2, 5)) for _ in range(seats)) for _ in range(3)]
    talon = tuple(rng.sample(sorted(make_pack(48)), rng.choice((3, 4, 4))))
    return Measures(
        seats,
        rng.randrange(seats),
        rng.randrange(seats),
        last,
        takers,
        lots[0],
        tuple(takers.count(seat) for seat in range(seats)),
        lots[1],
        lots[2],
        talon,
        holder,
        rng.random() < 0.5,
        tuple(Announcement("espagnolette", holder) for _ in range(rng.choice((0, 1))) if holder is not None),
        rng.choice((None, quinola, quinola)),
        rng.choice((len(talon), len(talon), 4)),
        {culprit: barred} if barred else {},
        void if rng.random() < 0.1 else None,
    )


def iter_golden_refusals(own: Library) -> Iterator[NamedValue]:
    """Yield the replay of irregular variants of the worked deals, under some ruleset."""
    rules = resolve_all_rulesets(own)
    sound = [deal for deal in worked_deals(own).values() if not deal.faults and not deal.fragment]
    for at, deal in enumerate(sound[::7]):
        ways = [
            one
            for start in ("", "revoke", "exchange", "peek", "talon.irregular", "deal")
            for one in vary_deal(Random(at), deal, f"{start}.x")
        ]
        for number, other in enumerate(ways[::3]):
            ask = Ask(rules[(at + number) % len(rules)])
            yield f"{deal.id} {number}", (call_or_describe(replay_deal, other, ask), ask.raised)


def _iter_golden_deals(own: Library) -> Iterator[NamedValue]:
    for ruleset in resolve_source_rulesets(own):
        for at, shape in enumerate(list_table_shapes(ruleset)):
            yield (
                f"{ruleset.name} {at}",
                [random_deal(ruleset, f"{GOLDEN_SEED} {n}", shape, exchange=n % 2 == 0) for n in range(20)],
            )
        yield ruleset.name, random_deal(ruleset, GOLDEN_SEED)


def iter_wish_texts() -> Iterator[str]:
    """Yield wishes that together use every word of the vocabulary."""
    for card, word in product(("quinola", "ace of hearts", "ace"), CARD_WORDS):
        yield f"{card} {word.replace('-', ' ')}"
    for subject, word in OUTCOME_WORDS:
        yield (
            f"{subject} {word.replace('-', ' ')}"
            if subject != "table"
            else {"four": "four players", "five": "five players"}.get(word, f"{word} cards")
        )
    for card, word, trick in product(
        ("quinola", "ace of clubs"), ("led", "forced", "thrown off"), ("first", "last", "last but one")
    ):
        yield f"{card} {word} by south {trick} trick"
    yield from (
        "reversis made quinola led trick 3",
        "reversis broken by east quinola followed last trick",
        "espagnolette won by north quinola thrown off ace of spades thrown off opposite",
        "espagnolette breaking reversis broken",
        "quinola forced by west from opposite partie won by south with a trick",
        "ace of hearts led unclaimed from the side partie without a trick by north",
        "quinola led own",
        "quinola led opposite trick 5 not alone free",
    )


def iter_golden_fills(own: Library) -> Iterator[NamedValue]:
    """Yield the deals that are found for wishes, or the obstacle."""
    rules = resolve_source_rulesets(own)
    for at, text in enumerate(iter_wish_texts()):
        wishes, wrong = read_wishes(text, SEAT_NAMES[4])
        assert not wrong, wrong
        for ruleset in (rules[at % len(rules)], rules[(at // 3 + 1) % len(rules)]):
            players = 5 if "five" in text else 4
            sketch = Sketch(wishes, SEAT_NAMES[players], players)
            found = fill(ruleset, sketch, f"{GOLDEN_SEED} {at}", 20)
            told = (found.deal, found.tries) if isinstance(found, Found) else str(found)
            yield f"{ruleset.name}: {text}", told


def iter_golden_wish_matches(own: Library) -> Iterator[NamedValue]:
    """Yield which words of the wish vocabulary hold for each worked deal."""
    for deal in worked_deals(own).values():
        for ruleset in resolve_source_rulesets(own)[:3]:
            ask = Ask(ruleset)
            played = call_or_describe(replay_deal, deal, ask)
            if not isinstance(played, Played) or played.refusals or deal.fragment or played.measures.void:
                continue
            at = observe_deal(played, ask, deal.seats, deal.pack)
            cards = [
                (f.kind, f.trick, [w for w, holds in CARD_WORDS.items() if call_or_describe(holds, f, at)])
                for f in played.facts
            ]
            yield f"{deal.id} {ruleset.name}", (cards, [call_or_describe(what, at) for what in OUTCOME_WORDS.values()])


def call_or_describe(what: Callable[..., object], *of: object) -> object:
    """Return the result of a call, or a description of the Silent or Open it raised."""
    try:
        return what(*of)
    except (Silent, Open) as unsaid:
        return f"{type(unsaid).__name__} {unsaid}"


def iter_golden_wishes(own: Library) -> Iterator[NamedValue]:
    """Yield how random words are parsed as wishes, and the problems reported."""
    others = ("by south", "by ost", "by", "and", "quniola", "trick", "xyz", "the", "Wset")
    rng, words = Random(GOLDEN_SEED), [*SUBJECT_PHRASES, *WORD_PHRASES, *TRICK_PHRASES, *others]
    yield "vocabulary", describe_vocabulary()
    for at in range(260):
        text = " ".join(rng.choices(words, k=rng.randint(1, 5)))
        read, wrong = read_wishes(text, SEAT_NAMES[5 if at % 3 == 0 else 4])
        yield f"{at} {text}", (read, [str(one) for one in read], wrong)


def _iter_golden_variants(own: Library) -> Iterator[NamedValue]:
    some = list(worked_deals(own).values())[::40]
    for deal, start in product(some, TWISTS):
        yield f"{deal.id} {start}", list(vary_deal(Random(GOLDEN_SEED), deal, f"{start}.x" if start else "other"))


def _format_golden_problems(problems: Sequence[Problem]) -> list[str]:
    return [f"{one} / {one.way_out}" for one in problems]


def iter_golden_records(own: Library) -> Iterator[NamedValue]:
    """Yield what the readers return for mutated deals, sketches and sessions."""
    rng, whole = Random(GOLDEN_SEED), [write_deal(deal) for deal in worked_deals(own).values()]
    for at in range(900):
        raw = mutate_deal(rng, rng.choice(whole))
        deal, problems = read_deal(raw)
        yield f"deal {at}", (deal, _format_golden_problems(problems))
    for at in range(250):
        raw = mutate_deal(rng, {key: value for key, value in rng.choice(whole).items() if rng.random() < 0.7})
        sketch, problems = read_sketch(raw, locate_without_file, ["quinola led"] if at % 5 == 0 else [])
        yield f"sketch {at}", (sketch, _format_golden_problems(problems))
    sitting = dict(session="x", seats=[*SEAT_NAMES[4]], dealer="east", deals=["a", "b"], title="t", expect={})
    for at in range(120):
        read, problems = read_sitting(mutate_data(rng, sitting))
        yield f"sitting {at}", (read, read and write_sitting(read), _format_golden_problems(problems))


def iter_golden_diagrams(own: Library) -> Iterator[NamedValue]:
    """Yield what the reader returns for diagrams, sound and mutated."""
    rng = Random(GOLDEN_SEED)
    for at, deal in enumerate(list(worked_deals(own).values())[::30]):
        letters = _render_golden_diagram(deal, at % 2 == 0)
        yield f"{deal.id}", (read_diagram(letters)[0], _format_golden_problems(read_diagram(letters)[1]))
        for number in range(40):
            spoilt = rng.choice(TEXT_MUTATIONS)(rng, letters)
            read, problems = read_diagram(spoilt)
            yield f"{deal.id} {number}", (read, _format_golden_problems(problems))


def _render_golden_diagram(deal: Deal, with_leaders: bool) -> str:
    lines = [
        f"Dealer: {deal.seats[deal.dealer]}",
        f"Seats: {', '.join(deal.seats)}",
        f"Pack: {deal.pack}",
        f"Title: {deal.id}",
    ]
    for seat, hand in zip(deal.seats, deal.hands, strict=True):
        suits = {
            suit: "".join(c[0] for c in format_cards(sorted(hand, reverse=True)) if c[1] == suit) or "-"
            for suit in "SHDC"
        }
        lines += [f"{seat.capitalize()}", "  ".join(f"{suit}: {ranks}" for suit, ranks in suits.items())]
    lines += [f"Talon: {' '.join(format_cards(deal.talon))}"]
    for number, row in enumerate(deal.tricks, 1):
        who = f"{deal.seats[holder]}: " if with_leaders and (holder := deal.holder(row[0])) is not None else ""
        lines.append(f"{number}. {who}{' '.join(format_cards(row))}")
    return "\n".join(lines)


def iter_golden_sessions(own: Library) -> Iterator[NamedValue]:
    """Yield random sessions step by step, also one with each rival reading on what is between deals."""
    for ruleset in resolve_some_rulesets(own):
        for number in range(5):
            yield f"{fingerprint_golden_value(ruleset.name)} {number}", play_golden_session(ruleset, number, 10)
    for siglum, source in own.sources.items():
        for _, one in iter_clause_alternatives(source.clauses):
            if any(slug.startswith(("stake", "session", "deal.next-dealer")) for slug in one.answers):
                yield one.id, play_golden_session(resolve(own, siglum, [Choice(one.id, named=one.id)]), 0, 8)


def play_golden_session(ruleset: Ruleset, number: int, deals: int) -> object:
    """Play a random session and return its result as JSON data, without the receipt."""
    steps = list(sessions.play_random_session(Random(f"{GOLDEN_SEED} {number}"), ruleset, deals))
    return {key: value for key, value in session_result("s", ruleset, steps).items() if key != "receipt"}


GOLDEN_GENERATORS: Mapping[str, _GoldenGenerator] = {
    "reasons": iter_golden_reasons,
    "rules": iter_golden_rules,
    "outcomes": iter_golden_outcomes,
    "forbidden": iter_golden_refusals,
    "dealt": _iter_golden_deals,
    "filled": iter_golden_fills,
    "looked at": iter_golden_wish_matches,
    "wishes": iter_golden_wishes,
    "varied": _iter_golden_variants,
    "records": iter_golden_records,
    "diagrams": iter_golden_diagrams,
    "sessions": iter_golden_sessions,
    "effects": comparison.iter_golden_effects,
    "causes": comparison.iter_golden_causes,
    "causes in one source": comparison.iter_golden_hybrid_causes,
    "possible": comparison.iter_golden_worlds,
    "parted": comparison.iter_golden_separations,
    "sought": comparison.iter_golden_searches,
    "foreseen": comparison.iter_golden_irrelevance,
    "asked at all": comparison.iter_golden_rule_trials,
    "told": comparison.iter_golden_test_sets,
    "printed": comparison.iter_golden_printed_figures,
}


def fingerprint_golden_outputs(own: Library, room: str) -> dict[str, str]:
    """Return the fingerprints of one group of golden outputs, by name."""
    return {name: fingerprint_golden_value(value) for name, value in GOLDEN_GENERATORS[room](own)}


def main() -> int:
    """Store all golden outputs again, and report what has changed."""
    own = library()
    had = json.loads(GOLDEN_ENGINE_FILE.read_text("utf-8")) if GOLDEN_ENGINE_FILE.exists() else {}
    kept = {room: fingerprint_golden_outputs(own, room) for room in GOLDEN_GENERATORS}
    replace_file(GOLDEN_ENGINE_FILE, json.dumps(kept, indent=0, ensure_ascii=False) + "\n")
    for room, found in kept.items():
        before = had.get(room, {})
        other = [name for name, seal in found.items() if before.get(name) != seal]
        sys.stdout.write(f"{room}: {len(found)}, {len(other)} of them new or otherwise\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
