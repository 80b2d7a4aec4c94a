"""What every room of the engine brings out, kept so that no change of it goes unseen.

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

from edition.data.separations import stored, swap_of, worked_deals
from edition.data.sessions import sat as worked_sessions
from engine.cards import names, pack
from engine.comparison.attribution import attribution
from engine.comparison.irrelevance_proof import (
    Knowledge,
    any_fact,
    any_outcome,
    every_way,
    knowledge,
    knows_espagnolette,
    made_of,
    places,
    why_latent,
)
from engine.comparison.minimise import cost, shrunk
from engine.comparison.printed_figures import held
from engine.comparison.questions_outside_payments import asked_outside
from engine.comparison.separation import (
    SessionSeparation,
    Swap,
    by_lot,
    made,
    separation,
    session_separation,
    swaps,
    wishes_for,
)
from engine.comparison.smallest_test_set import smallest, told_apart
from engine.deal.diagram import read_diagram
from engine.deal.events import Announcement, Fact, Fault, Measures
from engine.deal.fields import nowhere
from engine.deal.model import NOTICED, Deal
from engine.deal.reader import read_deal
from engine.deal.variants import TWISTS, twisted
from engine.deal.writer import write_deal
from engine.generation.deal import Found, fill, random_deal
from engine.generation.partial_deal import read_sketch
from engine.generation.partial_model import Sketch
from engine.generation.turn import SEATS, shapes
from engine.generation.wishes import CARD_WORDS, OUTCOME_WORDS, SAID, SUBJECTS, TRICKS, look, read_wishes, vocabulary
from engine.interpretation.effects import effects
from engine.interpretation.worlds import endings, worlds
from engine.play.replay import Played, replay
from engine.readings.ask import Ask
from engine.session.record import read_sitting, write_sitting
from engine.session.result_json import session_result
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.outcome import FIELDS, Open, Outcome
from proofs import golden_results as results
from proofs import sessions
from proofs.fuzz_mutations import LETTERS, spoilt_data, spoilt_deal
from rulebook.io.files import replaced
from rulebook.load import library
from rulebook.model import Library, Ruleset, Silent
from rulebook.problems import Problem
from rulebook.resolve import Choice, alternatives, resolve

KEPT = Path(__file__).resolve().parent.parent / "tests" / "data" / "rooms.json"
SEED = 1634
LEFT_OUT = ("ruleset", "library", "own", "other", "deal", "settled", "played", "seen", "first_ruleset", "digest")

Named: TypeAlias = "tuple[str, object]"
Room: TypeAlias = Callable[[Library], Iterator[Named]]


# ---- fingerprints
def plain(value: Any) -> object:
    """Anything as it can be written down, the same in every run."""
    if isinstance(value, Deal):
        return write_deal(value)
    if is_dataclass(value) and not isinstance(value, type):
        told = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in LEFT_OUT}
        return {"is": type(value).__name__, **{name: plain(one) for name, one in told.items()}}
    if isinstance(value, Mapping):
        return sorted(([repr(plain(key)), plain(one)] for key, one in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=repr)
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def sealed(value: object) -> str:
    """The fingerprint of anything."""
    return hashlib.sha256(json.dumps(plain(value), default=str).encode()).hexdigest()[:12]


def every_ruleset(own: Library) -> tuple[Ruleset, ...]:
    """Every source as it stands, and its hybrids."""
    return tuple(results.rulesets(own, json.loads(results.KEPT.read_text("utf-8"))["hybrids"]))


def rulesets(own: Library) -> tuple[Ruleset, ...]:
    """Every source as it stands, and one hybrid of each."""
    rules = every_ruleset(own)
    return (*rules[: len(own.sources)], *rules[len(own.sources) :: results.HYBRIDS])


def sources(own: Library) -> tuple[Ruleset, ...]:
    """Every source as it stands."""
    return tuple(resolve(own, siglum) for siglum in own.sources)


def lots() -> Iterator[Deal]:
    """Deals by lot at every table, as they are kept."""
    yield from map(results.read, json.loads(results.KEPT.read_text("utf-8"))["deals"])


# ---- the rooms
def reasons(own: Library) -> Iterator[Named]:
    """Why each payment is made, or withheld: every rule over every fact of every deal."""
    for deal in (*list(worked_deals(own).values())[::3], *list(lots())[::8]):
        yield deal.id, [account_of(reckon(deal, ruleset)) for ruleset in rulesets(own)]


def account_of(found: object) -> object:
    """The account of a deal in few words."""
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


class Lot:
    """Settles by lot what `engine.comparison.irrelevance_proof` leaves open."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)

    def one(self, options: Sequence[Any]) -> Any:
        """One of several."""
        return self.rng.choice(list(options))


def ruled(own: Library) -> Iterator[Named]:
    """What every rule makes of facts and outcomes by lot, with every reason for which it pays nothing."""
    for at, ruleset in enumerate(rulesets(own)):
        for place, seats in product(places(), (4, 5)):
            rule, kind, manner = place
            found = []
            for number in range(20):
                lot: Any = Lot(f"{SEED} {rule.name} {kind} {manner} {number}")
                fact = any_fact(rule, kind, manner, seats, lot, knows_espagnolette(ruleset))
                ask = Ask(ruleset)
                paid = safe(
                    lambda f, o, a, pays=rule.pays: tuple(pays(f, o, a)), fact, any_outcome(seats, lot, ruleset), ask
                )
                found.append((paid, ask.asked))
            yield f"{at} {rule.name} {kind} {manner} {seats}", found


def came_out(own: Library) -> Iterator[Named]:
    """Every field of the outcome, of tricks by lot."""
    for at, ruleset in enumerate(every_ruleset(own)):
        for number in range(100):
            ask = Ask(ruleset)
            outcome = Outcome(measured(Random(f"{SEED} {number}")), ask)
            yield f"{at} {number}", [safe(outcome.field, name) for name in FIELDS]


def measured(rng: Random) -> Measures:
    """The measures of a deal by lot, whether or not any deal has just these."""
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
    void = Fault("misdeal", 0, noticed=rng.choice(NOTICED), redeemed=rng.random() < 0.5)
    lots = [tuple(rng.choice((0, 1, 2, 2, 5)) for _ in range(seats)) for _ in range(3)]
    talon = tuple(rng.sample(sorted(pack(48)), rng.choice((3, 4, 4))))
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


def forbidden(own: Library) -> Iterator[Named]:
    """What is refused of deals in which something is not as it was dealt and played, and what may have been played."""
    rules = every_ruleset(own)
    sound = [deal for deal in worked_deals(own).values() if not deal.faults and not deal.fragment]
    for at, deal in enumerate(sound[::7]):
        ways = [
            one
            for start in ("", "revoke", "exchange", "peek", "talon.irregular", "deal")
            for one in twisted(Random(at), deal, f"{start}.x")
        ]
        for number, other in enumerate(ways[::3]):
            ask = Ask(rules[(at + number) % len(rules)])
            yield f"{deal.id} {number}", (safe(replay, other, ask), ask.raised)


def dealt(own: Library) -> Iterator[Named]:
    """The deals that a seed brings out."""
    for ruleset in sources(own):
        for at, shape in enumerate(shapes(ruleset)):
            yield (
                f"{ruleset.name} {at}",
                [random_deal(ruleset, f"{SEED} {n}", shape, exchange=n % 2 == 0) for n in range(20)],
            )
        yield ruleset.name, random_deal(ruleset, SEED)


def wished_texts() -> Iterator[str]:
    """A wish for every word there is."""
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


def filled(own: Library) -> Iterator[Named]:
    """The deals that are found for a wish, or what stood in the way."""
    rules = sources(own)
    for at, text in enumerate(wished_texts()):
        wishes, wrong = read_wishes(text, SEATS[4])
        assert not wrong, wrong
        for ruleset in (rules[at % len(rules)], rules[(at // 3 + 1) % len(rules)]):
            players = 5 if "five" in text else 4
            sketch = Sketch(wishes, SEATS[players], players)
            found = fill(ruleset, sketch, f"{SEED} {at}", 20)
            told = (found.deal, found.tries) if isinstance(found, Found) else str(found)
            yield f"{ruleset.name}: {text}", told


def looked_at(own: Library) -> Iterator[Named]:
    """What every word of a wish says of every worked deal."""
    for deal in worked_deals(own).values():
        for ruleset in sources(own)[:3]:
            ask = Ask(ruleset)
            played = safe(replay, deal, ask)
            if not isinstance(played, Played) or played.refusals or deal.fragment or played.measures.void:
                continue
            at = look(played, ask, deal.seats, deal.pack)
            cards = [
                (f.kind, f.trick, [w for w, holds in CARD_WORDS.items() if safe(holds, f, at)]) for f in played.facts
            ]
            yield f"{deal.id} {ruleset.name}", (cards, [safe(what, at) for what in OUTCOME_WORDS.values()])


def safe(what: Callable[..., object], *of: object) -> object:
    """What comes of it, or that the rules or the tricks do not tell."""
    try:
        return what(*of)
    except (Silent, Open) as unsaid:
        return f"{type(unsaid).__name__} {unsaid}"


def wishes_read(own: Library) -> Iterator[Named]:
    """How words by lot are understood, and what is said of those that are not."""
    words = [*SUBJECTS, *SAID, *TRICKS, "by south", "by ost", "by", "and", "quniola", "trick", "xyz", "the", "Wset"]
    rng = Random(SEED)
    yield "vocabulary", vocabulary()
    for at in range(260):
        text = " ".join(rng.choices(words, k=rng.randint(1, 5)))
        read, wrong = read_wishes(text, SEATS[5 if at % 3 == 0 else 4])
        yield f"{at} {text}", (read, [str(one) for one in read], wrong)


def varied(own: Library) -> Iterator[Named]:
    """Every variation of some deals."""
    some = list(worked_deals(own).values())[::40]
    for deal, start in product(some, TWISTS):
        yield f"{deal.id} {start}", list(twisted(Random(SEED), deal, f"{start}.x" if start else "other"))


def told(problems: Sequence[Problem]) -> list[str]:
    """Problems in words."""
    return [f"{one} / {one.way_out}" for one in problems]


def records_read(own: Library) -> Iterator[Named]:
    """What is read in spoilt records of deals, and what is said of them."""
    rng, whole = Random(SEED), [write_deal(deal) for deal in worked_deals(own).values()]
    for at in range(900):
        raw = spoilt_deal(rng, rng.choice(whole))
        deal, problems = read_deal(raw)
        yield f"deal {at}", (deal, told(problems))
    for at in range(250):
        raw = spoilt_deal(rng, {key: value for key, value in rng.choice(whole).items() if rng.random() < 0.7})
        sketch, problems = read_sketch(raw, nowhere, ["quinola led"] if at % 5 == 0 else [])
        yield f"sketch {at}", (sketch, told(problems))
    sitting = {
        "session": "x",
        "seats": list(SEATS[4]),
        "dealer": "east",
        "deals": ["a", "b"],
        "title": "t",
        "expect": {},
    }
    for at in range(120):
        read, problems = read_sitting(spoilt_data(rng, sitting))
        yield f"sitting {at}", (read, read and write_sitting(read), told(problems))


def diagrams_read(own: Library) -> Iterator[Named]:
    """What is read in spoilt diagrams, and what is said of them."""
    rng = Random(SEED)
    for at, deal in enumerate(list(worked_deals(own).values())[::30]):
        letters = drawn(deal, at % 2 == 0)
        yield f"{deal.id}", (read_diagram(letters)[0], told(read_diagram(letters)[1]))
        for number in range(40):
            spoilt = rng.choice(LETTERS)(rng, letters)
            read, problems = read_diagram(spoilt)
            yield f"{deal.id} {number}", (read, told(problems))


def drawn(deal: Deal, with_leaders: bool) -> str:
    """A deal as a diagram."""
    lines = [
        f"Dealer: {deal.seats[deal.dealer]}",
        f"Seats: {', '.join(deal.seats)}",
        f"Pack: {deal.pack}",
        f"Title: {deal.id}",
    ]
    for seat, hand in zip(deal.seats, deal.hands, strict=True):
        suits = {
            suit: "".join(c[0] for c in names(sorted(hand, reverse=True)) if c[1] == suit) or "-" for suit in "SHDC"
        }
        lines += [f"{seat.capitalize()}", "  ".join(f"{suit}: {ranks}" for suit, ranks in suits.items())]
    lines += [f"Talon: {' '.join(names(deal.talon))}"]
    for number, row in enumerate(deal.tricks, 1):
        who = f"{deal.seats[holder]}: " if with_leaders and (holder := deal.holder(row[0])) is not None else ""
        lines.append(f"{number}. {who}{' '.join(names(row))}")
    return "\n".join(lines)


def sat(own: Library) -> Iterator[Named]:
    """Sessions by lot, step by step; also with each rival reading of what passes between deals."""
    for ruleset in rulesets(own):
        for number in range(5):
            yield f"{sealed(ruleset.name)} {number}", session(ruleset, number, 10)
    for siglum, source in own.sources.items():
        for _, one in alternatives(source.clauses):
            if any(slug.startswith(("stake", "session", "deal.next-dealer")) for slug in one.answers):
                yield one.id, session(resolve(own, siglum, [Choice(one.id, named=one.id)]), 0, 8)


def session(ruleset: Ruleset, number: int, deals: int) -> object:
    """A session by lot as others read it."""
    steps = list(sessions.random_session(Random(f"{SEED} {number}"), ruleset, deals))
    return {key: value for key, value in session_result("s", ruleset, steps).items() if key != "receipt"}


def changed(own: Library) -> Iterator[Named]:
    """What each rival reading changes."""
    some = list(worked_deals(own).values())[::12]
    for one in effects(own, some, sessions=list(worked_sessions(own))[:1]):
        yield one.alternative, (one, one.verdict, one.changes, one.deals, one.sessions)


def caused(own: Library) -> Iterator[Named]:
    """Which answers cause that a deal comes out otherwise under another source."""
    some = list(worked_deals(own).values())[::8]
    pairs = [(a, b) for a in sources(own) for b in sources(own) if a is not b]
    yield from causes(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def caused_in_one_source(own: Library) -> Iterator[Named]:
    """The same of deals with faults and fragments, the other ruleset being a hybrid."""
    odd = [deal for deal in worked_deals(own).values() if deal.faults or deal.fragment or deal.exchange]
    rules, count = every_ruleset(own), len(own.sources)
    pairs = [(rules[at], one) for at in range(count) for one in rules[count:] if one.source == rules[at].source]
    some = [*odd[::3], *list(worked_deals(own).values())[::16]]
    yield from causes(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def causes(own: Library, cases: Iterable[tuple[Deal, Ruleset, Ruleset]]) -> Iterator[Named]:
    """What differs between two rulesets on a deal, and by which answers."""
    for deal, one, other in cases:
        found = attribution(own, deal, one, other, 800)
        money = found.affairs, found.difference, found.shares, [each.misleading for each in found.affairs]
        yield f"{deal.id} {sealed(one.name)} {sealed(other.name)}", (found.differ, found.asked, found.turned, *money)


def possible(own: Library) -> Iterator[Named]:
    """What may come of a deal, as the source can be taken."""
    for at, deal in enumerate(list(worked_deals(own).values())[::9]):
        siglum = list(own.sources)[at % len(own.sources)]
        yield f"{deal.id} {siglum}", (worlds(deal, own, siglum, at % 2 == 0), endings(deal, own, siglum))


def parted(own: Library) -> Iterator[Named]:
    """How large every stored deal is that parts two sources, and what it becomes when it is made smaller."""
    store, worked = stored(own), worked_deals(own)
    assert store is not None
    for at, one in enumerate(row for row in store.partings if row.deal):
        found = separation(swap_of(own, one), store.deal(one.deal))
        assert found is not None
        yield f"{one.question} {one.pair}", (found.how, cost(found))
        if at % 4 == 0 and one.worked:
            larger = separation(swap_of(own, one), worked[one.worked[0]])
            assert larger is not None
            yield f"{one.question} {one.pair} made smaller", shrunk(larger, SEED, 25).deal
    for row in (row for row in store.partings if row.session):
        deals = tuple(worked[id] for id in row.session)
        played = session_separation(swap_of(own, row), deals)
        yield f"{row.question} {row.pair} in session", played.how if isinstance(played, SessionSeparation) else None


def sought(own: Library) -> Iterator[Named]:
    """The deals that are made for a question, and those by lot."""
    rng = Random(SEED)
    every = [(slug, pair) for slug in own.questions for pair in (("PAM", "GER"), ("ACA", "PAR"))]
    for slug, pair in rng.sample(every, 24):
        for side in swaps(own, slug, pair):
            yield (
                f"{slug} {side.base} {side.giver}",
                (wishes_for(slug), *first(made(side, SEED, 1), 3), *first(by_lot(side, SEED, 3), 3)),
            )


def first(deals: Iterator[Deal], number: int) -> list[Deal]:
    """The first few."""
    return [deal for deal, _ in zip(deals, range(number), strict=False)]


def foreseen(own: Library) -> Iterator[Named]:
    """Which answers are shown never to matter."""
    ruleset = resolve(own, "GER")
    known = knowledge(ruleset)
    yield ruleset.name, asked(known)
    every = [one for slug in own.questions for giver in own.sources for one in outer(own, slug, ruleset.source, giver)]
    for side in every[::20]:
        yield f"{side.question} {side.base} {side.giver}", why_latent(side, known, asked_outside)


def asked_at_all(own: Library) -> Iterator[Named]:
    """What every rule makes of the first facts and outcomes that are tried, and whom it asks."""
    for siglum, place, seats in product(("PAM", "PAR"), places(), (4, 5)):
        rule, kind, manner = place
        ruleset = resolve(own, siglum)
        tried = [made_of(place, seats, choices, ruleset) for choices in islice(every_way(), 60)]
        yield f"{siglum} {rule.name} {kind} {manner} {seats}", [(came, ask.asked) for came, ask in tried]


def asked(known: Knowledge) -> object:
    """What is known of a source."""
    return [(rule.name, kind, how, some) for (rule, kind, how), some in known.asked.items()], known.operations


def outer(own: Library, slug: str, base: str, giver: str) -> list[Swap]:
    """The swap of one answer, if there is one."""
    return [side for side in swaps(own, slug, (base, giver)) if side.base == base] if base != giver else []


def told_by(own: Library) -> Iterator[Named]:
    """The fewest deals that tell rulesets apart; of tables by lot, and of the sources."""
    rng = Random(SEED)
    for number in range(60):
        pairs = [("r", str(n)) for n in range(rng.randint(2, 9))]
        table = {f"d{n}": frozenset(p for p in pairs if rng.random() < 0.35) for n in range(rng.randint(2, 8))}
        yield f"table {number}", smallest(table, pairs)
    rules = {ruleset.name: ruleset for ruleset in rulesets(own)}
    some = list(worked_deals(own).values())[::12]
    apart = told_apart(some, rules, next(iter(rules)))
    yield (
        "sources",
        (
            apart,
            smallest(
                apart,
                {pair for found in apart.values() for pair in found} and sorted({p for f in apart.values() for p in f}),
            ),
        ),
    )


def numbers(own: Library) -> Iterator[Named]:
    """The numbers that a source prints about its own game, and what its rules come to."""
    for siglum in own.sources:
        yield siglum, held(own, siglum, worked_deals(own))


ROOMS: Mapping[str, Room] = {
    "reasons": reasons,
    "rules": ruled,
    "outcomes": came_out,
    "forbidden": forbidden,
    "dealt": dealt,
    "filled": filled,
    "looked at": looked_at,
    "wishes": wishes_read,
    "varied": varied,
    "records": records_read,
    "diagrams": diagrams_read,
    "sessions": sat,
    "effects": changed,
    "causes": caused,
    "causes in one source": caused_in_one_source,
    "possible": possible,
    "parted": parted,
    "sought": sought,
    "foreseen": foreseen,
    "asked at all": asked_at_all,
    "told": told_by,
    "printed": numbers,
}


def brought_out(own: Library, room: str) -> dict[str, str]:
    """What a room brings out, each as a fingerprint by its name."""
    return {name: sealed(value) for name, value in ROOMS[room](own)}


def main() -> int:
    """Keep what every room brings out now, and say what has changed."""
    own = library()
    had = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept = {room: brought_out(own, room) for room in ROOMS}
    replaced(KEPT, json.dumps(kept, indent=0, ensure_ascii=False) + "\n")
    for room, found in kept.items():
        before = had.get(room, {})
        other = [name for name, seal in found.items() if before.get(name) != seal]
        sys.stdout.write(f"{room}: {len(found)}, {len(other)} of them new or otherwise\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
