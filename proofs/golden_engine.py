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

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from edition.data.separations import load_separations, swap_of, worked_deals
from edition.data.sessions import read_playable_sessions
from engine.cards import format_cards, make_pack
from engine.comparison.attribution import attribute_difference
from engine.comparison.irrelevance_proof import (
    Knowledge,
    any_fact,
    any_outcome,
    every_way,
    gather_knowledge,
    knows_espagnolette,
    list_rule_scopes,
    try_rule_scope,
    why_latent,
)
from engine.comparison.minimise import measure_deal_size, shrink_separation
from engine.comparison.printed_figures import check_source_figures
from engine.comparison.questions_outside_payments import asked_outside
from engine.comparison.separation import (
    SessionSeparation,
    Swap,
    construct_deals,
    draw_random_deals,
    list_swaps,
    session_separation,
    try_separation,
    wishes_for,
)
from engine.comparison.smallest_test_set import find_smallest_test_set, told_apart
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
from engine.interpretation.effects import try_alternatives
from engine.interpretation.worlds import find_endings, possible_worlds
from engine.play.replay import Played, replay_deal
from engine.readings.ask import Ask
from engine.session.record import read_sitting, write_sitting
from engine.session.result_json import session_result
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.outcome import OUTCOME_FIELDS, DealOutcome, Open
from proofs import golden_results as results
from proofs import sessions
from proofs.fuzz_mutations import TEXT_MUTATIONS, mutate_data, mutate_deal
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library, Ruleset, Silent
from rulebook.problems import Problem
from rulebook.resolve import Choice, iter_clause_alternatives, resolve

GOLDEN_ENGINE_FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "rooms.json"
_SEED = 1634
_OMITTED_FIELDS = ("ruleset", "library", "own", "other", "deal", "settled", "played", "seen", "first_ruleset", "digest")

_NamedValue: TypeAlias = "tuple[str, object]"
_GoldenGenerator: TypeAlias = Callable[[Library], Iterator[_NamedValue]]


# ---- fingerprints
def to_golden_data(value: Any) -> object:
    """Convert any value to JSON data that is the same in every run."""
    if isinstance(value, Deal):
        return write_deal(value)
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in _OMITTED_FIELDS}
        return {"is": type(value).__name__, **{name: to_golden_data(one) for name, one in told.items()}}
    if isinstance(value, Mapping):
        return sorted(([repr(to_golden_data(key)), to_golden_data(one)] for key, one in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(to_golden_data, value), key=repr)
    if isinstance(value, list | tuple):
        return [to_golden_data(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def fingerprint_golden_value(value: object) -> str:
    """Return the fingerprint of any value."""
    return hashlib.sha256(json.dumps(to_golden_data(value), default=str).encode()).hexdigest()[:12]


def resolve_all_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source, and all stored hybrids."""
    return tuple(
        results.iter_golden_rulesets(own, json.loads(results.GOLDEN_RESULTS_FILE.read_text("utf-8"))["hybrids"])
    )


def resolve_some_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source, and one hybrid of each."""
    rules = resolve_all_rulesets(own)
    return (*rules[: len(own.sources)], *rules[len(own.sources) :: results.HYBRIDS_PER_SOURCE])


def resolve_source_rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Return the default ruleset of every source."""
    return tuple(resolve(own, siglum) for siglum in own.sources)


def read_stored_deals() -> Iterator[Deal]:
    """Yield the stored random deals, from every table of every source."""
    yield from map(results.read_valid_deal, json.loads(results.GOLDEN_RESULTS_FILE.read_text("utf-8"))["deals"])


# ---- the rooms
def iter_golden_reasons(own: Library) -> Iterator[_NamedValue]:
    """Yield why each payment is made or withheld: every rule, every fact, every deal."""
    for deal in (*list(worked_deals(own).values())[::3], *list(read_stored_deals())[::8]):
        yield deal.id, [summarise_reckoning(reckon(deal, ruleset)) for ruleset in resolve_some_rulesets(own)]


def summarise_reckoning(found: object) -> object:
    """Summarise the reckoning of a deal."""
    if not isinstance(found, Reckoning):
        return str(type(found).__name__)
    return [
        (
            one.entry.rule,
            one.entry.name,
            one.entry.asked,
            one.amounts,
            one.reason,
            one.missing,
            one.because,
            one.by and one.by.id,
        )
        for one in found.all
    ] + [(rule, fact.kind, fact.player, fact.trick) for rule, fact in found.idle]


class RandomChoices:
    """Random choices where `engine.comparison.irrelevance_proof` tries all options."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)

    def one(self, options: Sequence[Any]) -> Any:
        """Return one of several options."""
        return self.rng.choice(list(options))


def iter_golden_rules(own: Library) -> Iterator[_NamedValue]:
    """Yield what every rule pays for random facts and outcomes, and all it asked."""
    for at, ruleset in enumerate(resolve_some_rulesets(own)):
        for place, seats in product(list_rule_scopes(), (4, 5)):
            rule, kind, manner = place
            found = []
            for number in range(20):
                lot: Any = RandomChoices(f"{_SEED} {rule.name} {kind} {manner} {number}")
                fact = any_fact(rule, kind, manner, seats, lot, knows_espagnolette(ruleset))
                ask = Ask(ruleset)
                paid = call_or_describe(
                    lambda f, o, a, pays=rule.pays: tuple(pays(f, o, a)), fact, any_outcome(seats, lot, ruleset), ask
                )
                found.append((paid, ask.asked))
            yield f"{at} {rule.name} {kind} {manner} {seats}", found


def iter_golden_outcomes(own: Library) -> Iterator[_NamedValue]:
    """Yield every field of the outcome of random measures."""
    for at, ruleset in enumerate(resolve_all_rulesets(own)):
        for number in range(100):
            ask = Ask(ruleset)
            outcome = DealOutcome(make_random_measures(Random(f"{_SEED} {number}")), ask)
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


def iter_golden_refusals(own: Library) -> Iterator[_NamedValue]:
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


def iter_golden_deals(own: Library) -> Iterator[_NamedValue]:
    """Yield the random deals of fixed seeds."""
    for ruleset in resolve_source_rulesets(own):
        for at, shape in enumerate(list_table_shapes(ruleset)):
            yield (
                f"{ruleset.name} {at}",
                [random_deal(ruleset, f"{_SEED} {n}", shape, exchange=n % 2 == 0) for n in range(20)],
            )
        yield ruleset.name, random_deal(ruleset, _SEED)


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


def iter_golden_fills(own: Library) -> Iterator[_NamedValue]:
    """Yield the deals that are found for wishes, or the obstacle."""
    rules = resolve_source_rulesets(own)
    for at, text in enumerate(iter_wish_texts()):
        wishes, wrong = read_wishes(text, SEAT_NAMES[4])
        assert not wrong, wrong
        for ruleset in (rules[at % len(rules)], rules[(at // 3 + 1) % len(rules)]):
            players = 5 if "five" in text else 4
            sketch = Sketch(wishes, SEAT_NAMES[players], players)
            found = fill(ruleset, sketch, f"{_SEED} {at}", 20)
            told = (found.deal, found.tries) if isinstance(found, Found) else str(found)
            yield f"{ruleset.name}: {text}", told


def iter_golden_wish_matches(own: Library) -> Iterator[_NamedValue]:
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


def iter_golden_wishes(own: Library) -> Iterator[_NamedValue]:
    """Yield how random words are parsed as wishes, and the problems reported."""
    words = [
        *SUBJECT_PHRASES,
        *WORD_PHRASES,
        *TRICK_PHRASES,
        "by south",
        "by ost",
        "by",
        "and",
        "quniola",
        "trick",
        "xyz",
        "the",
        "Wset",
    ]
    rng = Random(_SEED)
    yield "vocabulary", describe_vocabulary()
    for at in range(260):
        text = " ".join(rng.choices(words, k=rng.randint(1, 5)))
        read, wrong = read_wishes(text, SEAT_NAMES[5 if at % 3 == 0 else 4])
        yield f"{at} {text}", (read, [str(one) for one in read], wrong)


def iter_golden_variants(own: Library) -> Iterator[_NamedValue]:
    """Yield every variant of some deals."""
    some = list(worked_deals(own).values())[::40]
    for deal, start in product(some, TWISTS):
        yield f"{deal.id} {start}", list(vary_deal(Random(_SEED), deal, f"{start}.x" if start else "other"))


def format_golden_problems(problems: Sequence[Problem]) -> list[str]:
    """Format problems, each with its hint."""
    return [f"{one} / {one.way_out}" for one in problems]


def iter_golden_records(own: Library) -> Iterator[_NamedValue]:
    """Yield what the readers return for mutated deals, sketches and sessions."""
    rng, whole = Random(_SEED), [write_deal(deal) for deal in worked_deals(own).values()]
    for at in range(900):
        raw = mutate_deal(rng, rng.choice(whole))
        deal, problems = read_deal(raw)
        yield f"deal {at}", (deal, format_golden_problems(problems))
    for at in range(250):
        raw = mutate_deal(rng, {key: value for key, value in rng.choice(whole).items() if rng.random() < 0.7})
        sketch, problems = read_sketch(raw, locate_without_file, ["quinola led"] if at % 5 == 0 else [])
        yield f"sketch {at}", (sketch, format_golden_problems(problems))
    sitting = {
        "session": "x",
        "seats": list(SEAT_NAMES[4]),
        "dealer": "east",
        "deals": ["a", "b"],
        "title": "t",
        "expect": {},
    }
    for at in range(120):
        read, problems = read_sitting(mutate_data(rng, sitting))
        yield f"sitting {at}", (read, read and write_sitting(read), format_golden_problems(problems))


def iter_golden_diagrams(own: Library) -> Iterator[_NamedValue]:
    """Yield what the reader returns for diagrams, sound and mutated."""
    rng = Random(_SEED)
    for at, deal in enumerate(list(worked_deals(own).values())[::30]):
        letters = render_golden_diagram(deal, at % 2 == 0)
        yield f"{deal.id}", (read_diagram(letters)[0], format_golden_problems(read_diagram(letters)[1]))
        for number in range(40):
            spoilt = rng.choice(TEXT_MUTATIONS)(rng, letters)
            read, problems = read_diagram(spoilt)
            yield f"{deal.id} {number}", (read, format_golden_problems(problems))


def render_golden_diagram(deal: Deal, with_leaders: bool) -> str:
    """Render a deal as a diagram."""
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


def iter_golden_sessions(own: Library) -> Iterator[_NamedValue]:
    """Yield random sessions, step by step.

    Also one with each rival reading of what happens between deals.
    """
    for ruleset in resolve_some_rulesets(own):
        for number in range(5):
            yield f"{fingerprint_golden_value(ruleset.name)} {number}", play_golden_session(ruleset, number, 10)
    for siglum, source in own.sources.items():
        for _, one in iter_clause_alternatives(source.clauses):
            if any(slug.startswith(("stake", "session", "deal.next-dealer")) for slug in one.answers):
                yield one.id, play_golden_session(resolve(own, siglum, [Choice(one.id, named=one.id)]), 0, 8)


def play_golden_session(ruleset: Ruleset, number: int, deals: int) -> object:
    """Play a random session and return its result as JSON data, without the receipt."""
    steps = list(sessions.play_random_session(Random(f"{_SEED} {number}"), ruleset, deals))
    return {key: value for key, value in session_result("s", ruleset, steps).items() if key != "receipt"}


def iter_golden_effects(own: Library) -> Iterator[_NamedValue]:
    """Yield the effects of each rival reading."""
    some = list(worked_deals(own).values())[::12]
    for one in try_alternatives(own, some, sessions=list(read_playable_sessions(own))[:1]):
        yield one.alternative, (one, one.verdict, one.changes, one.deals, one.sessions)


def iter_golden_causes(own: Library) -> Iterator[_NamedValue]:
    """Yield which answers make deals come out differently under another source."""
    some = list(worked_deals(own).values())[::8]
    pairs = [(a, b) for a in resolve_source_rulesets(own) for b in resolve_source_rulesets(own) if a is not b]
    yield from iter_attributions(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def iter_golden_hybrid_causes(own: Library) -> Iterator[_NamedValue]:
    """Yield the same for deals with faults and fragments, against a hybrid."""
    odd = [deal for deal in worked_deals(own).values() if deal.faults or deal.fragment or deal.exchange]
    rules, count = resolve_all_rulesets(own), len(own.sources)
    pairs = [(rules[at], one) for at in range(count) for one in rules[count:] if one.source == rules[at].source]
    some = [*odd[::3], *list(worked_deals(own).values())[::16]]
    yield from iter_attributions(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def iter_attributions(own: Library, cases: Iterable[tuple[Deal, Ruleset, Ruleset]]) -> Iterator[_NamedValue]:
    """Yield what differs between two rulesets on each deal, and due to which answers."""
    for deal, one, other in cases:
        found = attribute_difference(own, deal, one, other, 800)
        money = found.affairs, found.difference, found.shares, [each.misleading for each in found.affairs]
        yield (
            f"{deal.id} {fingerprint_golden_value(one.name)} {fingerprint_golden_value(other.name)}",
            (found.differ, found.asked, found.turned, *money),
        )


def iter_golden_worlds(own: Library) -> Iterator[_NamedValue]:
    """Yield the possible outcomes of deals, over all readings of a source."""
    for at, deal in enumerate(list(worked_deals(own).values())[::9]):
        siglum = list(own.sources)[at % len(own.sources)]
        yield f"{deal.id} {siglum}", (possible_worlds(deal, own, siglum, at % 2 == 0), find_endings(deal, own, siglum))


def iter_golden_separations(own: Library) -> Iterator[_NamedValue]:
    """Yield the size of every stored separating deal, and of some after minimising."""
    store, worked = load_separations(own), worked_deals(own)
    assert store is not None
    for at, one in enumerate(row for row in store.partings if row.deal):
        found = try_separation(swap_of(own, one), store.deal(one.deal))
        assert found is not None
        yield f"{one.question} {one.pair}", (found.how, measure_deal_size(found))
        if at % 4 == 0 and one.worked:
            larger = try_separation(swap_of(own, one), worked[one.worked[0]])
            assert larger is not None
            yield f"{one.question} {one.pair} made smaller", shrink_separation(larger, _SEED, 25).deal
    for row in (row for row in store.partings if row.session):
        deals = tuple(worked[id] for id in row.session)
        played = session_separation(swap_of(own, row), deals)
        yield f"{row.question} {row.pair} in session", played.how if isinstance(played, SessionSeparation) else None


def iter_golden_searches(own: Library) -> Iterator[_NamedValue]:
    """Yield the deals that are made for a question, and random ones."""
    rng = Random(_SEED)
    every = [(slug, pair) for slug in own.questions for pair in (("PAM", "GER"), ("ACA", "PAR"))]
    for slug, pair in rng.sample(every, 24):
        for side in list_swaps(own, slug, pair):
            yield (
                f"{slug} {side.base} {side.giver}",
                (
                    wishes_for(slug),
                    *take_deals(construct_deals(side, _SEED, 1), 3),
                    *take_deals(draw_random_deals(side, _SEED, 3), 3),
                ),
            )


def take_deals(deals: Iterator[Deal], number: int) -> list[Deal]:
    """Return the first *number* deals."""
    return [deal for deal, _ in zip(deals, range(number), strict=False)]


def iter_golden_irrelevance(own: Library) -> Iterator[_NamedValue]:
    """Yield which answers are proved never to matter."""
    ruleset = resolve(own, "GER")
    known = gather_knowledge(ruleset)
    yield ruleset.name, summarise_knowledge(known)
    every = [
        one
        for slug in own.questions
        for giver in own.sources
        for one in list_base_swaps(own, slug, ruleset.source, giver)
    ]
    for side in every[::20]:
        yield f"{side.question} {side.base} {side.giver}", why_latent(side, known, asked_outside)


def iter_golden_rule_trials(own: Library) -> Iterator[_NamedValue]:
    """Yield what every rule asks and pays for the first facts and outcomes tried."""
    for siglum, place, seats in product(("PAM", "PAR"), list_rule_scopes(), (4, 5)):
        rule, kind, manner = place
        ruleset = resolve(own, siglum)
        tried = [try_rule_scope(place, seats, choices, ruleset) for choices in islice(every_way(), 60)]
        yield f"{siglum} {rule.name} {kind} {manner} {seats}", [(came, ask.asked) for came, ask in tried]


def summarise_knowledge(known: Knowledge) -> object:
    """Summarise the knowledge about a source."""
    return [(rule.name, kind, how, some) for (rule, kind, how), some in known.asked.items()], known.operations


def list_base_swaps(own: Library, slug: str, base: str, giver: str) -> list[Swap]:
    """Return the swap of one answer of *base*, if there is one."""
    return [side for side in list_swaps(own, slug, (base, giver)) if side.base == base] if base != giver else []


def iter_golden_test_sets(own: Library) -> Iterator[_NamedValue]:
    """Yield the smallest sets of deals that tell rulesets apart.

    For random tables, and for the sources.
    """
    rng = Random(_SEED)
    for number in range(60):
        pairs = [("r", str(n)) for n in range(rng.randint(2, 9))]
        table = {f"d{n}": frozenset(p for p in pairs if rng.random() < 0.35) for n in range(rng.randint(2, 8))}
        yield f"table {number}", find_smallest_test_set(table, pairs)
    rules = {ruleset.name: ruleset for ruleset in resolve_some_rulesets(own)}
    some = list(worked_deals(own).values())[::12]
    apart = told_apart(some, rules, next(iter(rules)))
    yield (
        "sources",
        (
            apart,
            find_smallest_test_set(
                apart,
                {pair for found in apart.values() for pair in found} and sorted({p for f in apart.values() for p in f}),
            ),
        ),
    )


def iter_golden_printed_figures(own: Library) -> Iterator[_NamedValue]:
    """Yield the figures a source prints about its own game, and those of its rules."""
    for siglum in own.sources:
        yield siglum, check_source_figures(own, siglum, worked_deals(own))


GOLDEN_GENERATORS: Mapping[str, _GoldenGenerator] = {
    "reasons": iter_golden_reasons,
    "rules": iter_golden_rules,
    "outcomes": iter_golden_outcomes,
    "forbidden": iter_golden_refusals,
    "dealt": iter_golden_deals,
    "filled": iter_golden_fills,
    "looked at": iter_golden_wish_matches,
    "wishes": iter_golden_wishes,
    "varied": iter_golden_variants,
    "records": iter_golden_records,
    "diagrams": iter_golden_diagrams,
    "sessions": iter_golden_sessions,
    "effects": iter_golden_effects,
    "causes": iter_golden_causes,
    "causes in one source": iter_golden_hybrid_causes,
    "possible": iter_golden_worlds,
    "parted": iter_golden_separations,
    "sought": iter_golden_searches,
    "foreseen": iter_golden_irrelevance,
    "asked at all": iter_golden_rule_trials,
    "told": iter_golden_test_sets,
    "printed": iter_golden_printed_figures,
}


def fingerprint_golden_outputs(own: Library, room: str) -> dict[str, str]:
    """Return the fingerprints of one group of golden outputs, by name."""
    return {name: fingerprint_golden_value(value) for name, value in GOLDEN_GENERATORS[room](own)}


def main() -> int:
    """Store all golden outputs anew, and report what has changed."""
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
