"""Why and why not, in words: a deal by one source as an expert would tell it at the table, with the source's words.

`explained(library, reckoned)` is an `Explanation`: what is paid and by which answers, what is not paid and why; or, of
a deal that cannot be settled, the refusals or the silence. It holds words only, chosen and in order; who shows it
decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from edition.analysis.ledgers import Settlement, clause_view, one_line, refusal_view, silence_view
from edition.text.answers import STATUS, answer, counters, plural, taken_from
from edition.text.events import RANK_WORDS, SUIT_WORDS, Told, card_words, joined, outcome_words, sentence
from engine.cards import card, name
from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.settlement.explain import Reckoned, Reckoning, reckon
from engine.settlement.ledger import Account, Entry, Posting
from engine.settlement.nonpayment import REASONS
from engine.settlement.payments.amounts import sit_opposite, trick_factor
from engine.settlement.result_json import account
from engine.settlement.settle import Refused, Settled, Unanswered
from rulebook.model import Clause, Library, Like, Question, Ruleset, Ruling, Source, Value


# ---- what an explanation is made of
@dataclass(frozen=True, slots=True)
class Quotation:
    """Words and where they stand."""

    words: str
    locus: str


@dataclass(frozen=True, slots=True)
class Ground:
    """A clause on which an answer rests: the source's own words, or ours where it has none."""

    clause: str
    status: str  #: as in rulebook.model.STATUSES
    kind: str  #: quotation | paraphrase | supplied | reason
    lang: str
    quotations: tuple[Quotation, ...]
    remark: str = ""  #: what we say of it: why it is supplied, and from where; why there is no answer
    emendations: tuple[str, ...] = ()

    @property
    def standing(self) -> str:
        """Its status in words, where it is not simply stated."""
        return "" if self.status == "stated" else STATUS[self.status]


@dataclass(frozen=True, slots=True)
class Because:
    """A question that was asked, how it is answered, and on what the answer rests."""

    question: str  #: Q033
    asks: str
    answer: str  #: in words; empty where these rules have no such question
    grounds: tuple[Ground, ...]
    chosen: str = ""  #: which interpretation or option, and against which others
    interpretation: str = ""  #: its id


@dataclass(frozen=True, slots=True)
class Passing:
    """Counters that pass from one to another, and how the sum comes about."""

    payer: str
    payee: str
    amount: int
    sum: str = ""  #: 10 × 2 (they sit opposite) = 20; empty where there is nothing to reckon


@dataclass(frozen=True, slots=True)
class Paid:
    """What is paid, and why."""

    trick: int | None
    rule: str
    fact: str
    card: str
    seats: tuple[str, ...]  #: whom it concerns
    sentence: str
    passings: tuple[Passing, ...]
    because: tuple[Because, ...]
    comes_back: bool  #: the reversis undoes it


@dataclass(frozen=True, slots=True)
class Unpaid:
    """What one might have looked for and is not paid, and the one reason."""

    trick: int | None
    rule: str
    fact: str
    card: str
    seats: tuple[str, ...]
    reason: str  #: as in engine.settlement.nonpayment.REASONS
    sentence: str
    because: tuple[Because, ...]


@dataclass(frozen=True, slots=True)
class Forbidden:
    """What a source does not allow, and which of its words forbid it."""

    trick: int | None
    seat: str
    card: str
    legal: tuple[str, ...]
    sentence: str
    because: tuple[Because, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A deal by one source, told with its reasons."""

    deal: str
    title: str
    source: str
    source_title: str
    ruleset: str
    unit: str
    state: str  #: settled | refused | silent
    tricks: int
    seats: tuple[str, ...]
    paid: tuple[Paid, ...] = ()
    unpaid: tuple[Unpaid, ...] = ()
    net: tuple[tuple[str, int], ...] = ()
    outcome: tuple[str, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    silence: tuple[Because, ...] = ()

    def of_trick(self, number: int) -> Explanation:
        """Only what has to do with a card of this trick."""
        return replace(
            self,
            paid=tuple(one for one in self.paid if one.trick == number),
            unpaid=tuple(one for one in self.unpaid if one.trick == number),
            forbidden=tuple(one for one in self.forbidden if one.trick in (None, number)),
        )

    def of_seat(self, seat: str) -> Explanation:
        """Only what concerns this player."""
        return replace(
            self,
            paid=tuple(one for one in self.paid if seat in one.seats),
            unpaid=tuple(one for one in self.unpaid if seat in one.seats),
            forbidden=tuple(one for one in self.forbidden if one.seat in ("", seat)),
        )


# ---- the whole
def explained(library: Library, settlement: Settlement | Reckoning) -> Explanation:
    """A deal by one ruleset, told with its reasons; what was only settled is reckoned once more."""
    if isinstance(settlement, Settled):
        return explained(library, reckon(settlement.deal, settlement.ruleset))
    done = settlement.settled if isinstance(settlement, Reckoning) else settlement
    deal, rules = done.deal, done.ruleset
    source = library.sources[rules.source]
    base = Explanation(
        deal.id,
        deal.title or deal.id,
        source.siglum,
        source.title,
        rules.name,
        rules.unit,
        {Reckoning: "settled", Refused: "refused", Unanswered: "silent"}[type(settlement)],
        len(deal.tricks),
        deal.seats,
    )
    if isinstance(settlement, Reckoning):
        return with_reckoning(base, Words(library, rules), settlement)
    if isinstance(settlement, Refused):
        return replace(base, forbidden=tuple(forbidden(Words(library, rules), settlement)))
    return replace(base, silence=(silence(Words(library, rules), settlement),))


@dataclass(frozen=True)
class Words:
    """The library and the rules by which something is told."""

    library: Library
    rules: Ruleset

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its id."""
        return {clause.id: clause for clause in self.library.clauses()}

    def question(self, slug: str) -> Question:
        """A question by its slug."""
        return self.library.questions[slug]

    def value(self, slug: str) -> Value | None:
        """An answer, followed to where it points."""
        ruling = self.rules.rulings.get(slug)
        return None if ruling is None else Ask(self.rules)(slug)


def with_reckoning(base: Explanation, words: Words, found: Reckoning) -> Explanation:
    """What is paid, and what is not."""
    done = found.settled
    return replace(
        base,
        paid=tuple(paid(words, done, one) for one in found.all if one.passes),
        unpaid=tuple(unpaid(words, done, group) for group in grouped(found.unpaid)),
        net=tuple((account(done.deal, a), n) for a, n in done.net.items()),
        outcome=outcome_words(done.outcome, done.deal.seats),
    )


def paid(words: Words, done: Settled, one: Reckoned) -> Paid:
    """One payment."""
    entry, seats = one.entry, done.deal.seats
    passings = tuple(
        Passing(account(done.deal, p.payer), account(done.deal, p.payee), n, reckoned_sum(words, done, entry, p, n))
        for p, n in zip(entry.postings, one.amounts, strict=True)
        if n
    )
    return Paid(
        entry.fact.trick,
        entry.rule,
        entry.name,
        card_of(entry),
        by_name(seats, concerning(entry)),
        sentence(entry, seats),
        passings,
        tuple(because(words, ruling) for ruling in one.rulings),
        one.reason == "returned",
    )


def card_of(entry: Entry) -> str:
    """The card it is about, if any."""
    return "" if entry.fact.card is None else name(entry.fact.card)


def concerning(entry: Entry) -> tuple[Account | None, ...]:
    """Whom an entry concerns: whose fact it is, who pays, who is paid."""
    return (entry.fact.player, *(who for p in entry.postings for who in (p.payer, p.payee)))


def by_name(seats: Sequence[str], accounts: Iterable[Account | None]) -> tuple[str, ...]:
    """Players by name, each once; the pool is none."""
    return tuple(dict.fromkeys(seats[a] for a in accounts if isinstance(a, int)))


# ---- what is not paid
def grouped(found: Iterable[Reckoned]) -> Iterator[tuple[Reckoned, ...]]:
    """What is not paid by several players for the same reason is told once."""
    groups: dict[object, list[Reckoned]] = {}
    for one in found:
        fact = "seat" if one.entry.fact.kind == "seat" else one.entry.fact
        groups.setdefault((one.entry.rule, fact, one.reason, one.entry.by), []).append(one)
    return (tuple(group) for group in groups.values())


def unpaid(words: Words, done: Settled, group: tuple[Reckoned, ...]) -> Unpaid:
    """One payment that is not made, of one player or several."""
    one, seats = group[0], done.deal.seats
    concerned = [seat for g in group for seat in concerning(g.entry)]
    return Unpaid(
        one.entry.fact.trick,
        one.entry.rule,
        one.entry.name,
        card_of(one.entry),
        by_name(seats, concerned),
        one.reason,
        not_paid(one, seats, by_name(seats, [g.entry.fact.player for g in group])),
        deciding(words, one),
    )


def deciding(words: Words, one: Reckoned) -> tuple[Because, ...]:
    """The answer that decides it; where no single one does, the first that was asked."""
    if one.missing:
        return (no_question(words, one.missing),)
    ruling = one.by or next(iter(one.rulings), None)
    return (because(words, ruling),) if ruling else ()


def not_paid(one: Reckoned, seats: Sequence[str], who: tuple[str, ...]) -> str:
    """What is not paid, and the reason, in one sentence."""
    told = Told(one.entry, tuple(seats))
    if one.entry.postings:
        return f"{sentence(one.entry, seats)}; but {reason(one)}"
    head = sentence(one.entry, seats).partition(": ")[0]
    what = NOT_PAID.get(one.entry.rule, given_back)(told, joined(who))
    return f"{head}: {what}{' so far' * (one.reason == 'open')}, because {reason(one)}"


def reason(one: Reckoned) -> str:
    """The one reason, in words that fit what is not paid."""
    return SAID_OTHERWISE.get((one.entry.rule, one.reason)) or REASONS[one.reason]


#: A reason of `engine.settlement.nonpayment.REASONS` whose general words would not be said of this rule at table.
SAID_OTHERWISE: Mapping[tuple[str, str], str] = {
    ("stake-by-tricks", "nobody-pays"): "by these rules no tricks can win it",
    ("refreshed", "not-then"): "by these rules that does not call for it",
    ("dealt-again", "nobody-pays"): "by these rules it costs nothing",
}


def verb(who: str, one: str, many: str) -> str:
    """One pays, several pay."""
    return many if " and " in who else one


def given_back(t: Told, who: str) -> str:
    """What a reversis might have undone."""
    what = {
        "forced-fine-returned": "the fine for",
        "draws-stake-returned": "the stake drawn by",
        "matches-stake-returned": "what was put in for",
    }.get(t.entry.rule, "what was paid for")
    return f"{what} {who}'s {t.card}, {t.then}, is not given back"


def partie(t: Told, who: str) -> str:
    """The partie, or talon."""
    told_once = t.entry.reason in ("reversis", "no-payee")
    return "nobody pays the partie, or talon" if told_once else f"{who} {verb(who, 'pays', 'pay')} no partie, or talon"


#: What one might look for and is not paid, by rule; what a reversis gives back has words of its own.
NOT_PAID: Mapping[str, Callable[[Told, str], str]] = {
    "thrown-off": lambda t, who: f"nobody pays for the {t.card}, thrown off by {who}",
    "forced": lambda t, who: f"{who} pays nobody for the {t.card}, {t.manner}",
    "led": lambda t, who: f"nothing is owed for the {t.card}, led by {who}",
    "forced-fine": lambda t, who: f"{who} pays no fine to the others, though the quinola was {t.manner}",
    "draws-stake": lambda t, who: f"the quinola, thrown off by {who}, draws no stake",
    "matches-stake": lambda t, who: f"{who} puts nothing in, though the quinola was {t.manner}",
    "espagnolette-returns": lambda t, who: f"the lost espagnolette gives nothing back for {who}'s {t.card}, {t.then}",
    "espagnolette-returns-stake": lambda t, who: f"{who}, whose espagnolette is lost, pays no stake back",
    "reversis-by-quinola": lambda t, who: f"the quinola, {t.then}, does not touch the stake for the reversis",
    "breaking-quinola": lambda t, who: f"nobody pays besides for {who}'s quinola, which took a trick of the reversis",
    "reversis-made": lambda t, who: f"{who} {verb(who, 'pays', 'pay')} nothing for a reversis",
    "reversis-broken": lambda t, who: f"{who} pays nobody for breaking the reversis",
    "reversis-stake": lambda t, who: f"{who}'s reversis itself draws no stake",
    "partie": partie,
    "stake-by-tricks": lambda t, who: "nobody's tricks win the stake",
    "refreshed": lambda t, who: f"the stake is not renewed, though the quinola was {t.then}",
    "misdeal": lambda t, who: f"{who}, who has misdealt, pays nothing",
    "dealt-again": lambda t, who: "nobody pays for having the cards dealt again",
    "fine": lambda t, who: f"{who} pays no fine",
    "fine-returned": lambda t, who: f"{who} is not given back the fine",
}


# ---- answers and what they rest on
def because(words: Words, ruling: Ruling) -> Because:
    """One answer: the question, the answer in words, the clauses."""
    question = words.question(ruling.question)
    return Because(
        ruling.id,
        question.asks,
        said_and_played(words, question, ruling),
        tuple(ground(words, words.clauses[id]) for id in ruling.clauses),
        chosen(words, ruling),
        ruling.interpretation,
    )


def said_and_played(words: Words, question: Question, ruling: Ruling) -> str:
    """What the source says, and where the engine does not play that, what it plays instead."""
    said = answer_words(words, question, ruling.answer)
    if not ruling.not_played:
        return said
    return f"{said} This is not played, but instead: {answer_words(words, question, ruling.value)}"


def no_question(words: Words, slug: str) -> Because:
    """A question that these rules do not have, and why."""
    question, cell = words.question(slug), words.library.cell(words.rules.source, slug)
    clauses = cell.clauses if cell and cell.value is None else ()
    return Because(question.id, question.asks, "", tuple(ground(words, clause) for clause in clauses))


def ground(words: Words, clause: Clause) -> Ground:
    """A clause with its words: those of the source, or ours."""
    source = words.library.sources[clause.source]
    view = clause_view(words.library, clause)
    return Ground(
        clause.id,
        clause.status,
        view.kind,
        view.lang,
        () if view.kind in ("supplied", "reason") else quotations(source, clause, view.kind),
        remark(source, clause) if view.kind in ("supplied", "reason") else "",
        clause.emendations,
    )


def quotations(source: Source, clause: Clause, kind: str) -> tuple[Quotation, ...]:
    """The passages that it rests on; of a source in copyright, in our words."""
    cites = [c for c in clause.cites if c.role == "grounds"] or list(clause.cites[:1])
    ours = {s.id: s.text for s in source.statements}
    found = ((ours.get(c.locus, "") if kind == "paraphrase" else c.exact, c.locus) for c in cites)
    return tuple(Quotation(one_line(said), locus) for said, locus in dict.fromkeys(found) if said)


def remark(source: Source, clause: Clause) -> str:
    """What we say where the source says nothing."""
    because = one_line(clause.because)
    if not clause.supplied or not clause.answers:
        return because
    whence = f" from {taken_from(clause.taken_from)}" if clause.taken_from else ""
    return f"{source.siglum} is silent here; this is supplied by the edition{whence}. {because}".strip()


def chosen(words: Words, ruling: Ruling) -> str:
    """Which reading was chosen where there are several, or that the reader wished it so."""
    if not ruling.clauses:
        return "No source says so: it is the reader's wish."
    clauses = [words.clauses[id] for id in ruling.clauses]
    for clause in clauses:
        if ruling.interpretation == f"{clause.id}.preferred":
            rivals = [f"“{r.label}” ({r.id})" for r in clause.rivals if ruling.question in r.answers]
            return f"Read here as “{clause.label}”, rather than {' or '.join(rivals)}."
        for one in clause.alternatives:
            if one.id == ruling.interpretation:
                kind = (
                    "By the other reading" if one.kind == "interpretation" else "By the option that the source offers"
                )
                return f"{kind}: “{one.label}” ({one.id})."
    return ""


TIMES: Mapping[int, str] = {0: "not at all", 1: "once", 2: "twice"}


def answer_words(words: Words, question: Question, value: Value) -> str:
    """An answer as one would give it at the table."""
    if isinstance(value, Like):
        return pointing(words, question, value)
    if question.closed:
        return question.readings.get(str(value), str(value))
    if isinstance(value, str) and value in question.proposed:
        return question.proposed[value].says
    kind = str(question.measure.get("unit") or question.measure.get("type"))
    if value == () and kind == "order":  # no criterion, so it is nobody
        return "Nobody."
    say = SAID.get(kind)
    if say is not None:
        return say(words, value)
    found = answer(question, value, words.library)
    return found.full or stopped(found.short)


def pointing(words: Words, question: Question, value: Like) -> str:
    """An answer that points to another, and what it comes to."""
    found = words.value(question.slug)
    comes = f": {answer_words(words, question, found)}" if found is not None else "."
    times = "" if value.times == 1 else f"{often(value.times)} "
    return first_up(f"{times}the same as for “{words.question(value.question).asks}”{comes}")


def first_up(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def stopped(text: str) -> str:
    """A sentence, with a full stop."""
    return first_up(text) if text.endswith((".", "?", "!")) else f"{first_up(text)}."


def trick_words(words: Words, value: Value) -> str:
    """Tricks by their place, each with its factor where it has one of its own; or how many."""
    if isinstance(value, Mapping):
        named = [f"{often(times)} in the {PLACES.get(int(one), f'{one}th')}" for one, times in value.items()]
        return stopped(joined(named))
    if not isinstance(value, tuple):
        return stopped(plural(int(str(value)), "trick") if value else "none")
    places = [f"the {PLACES.get(int(str(n)), f'{n}th')}" for n in value]
    return stopped(f"in {joined(places)}" if places else "in none")


PLACES: Mapping[int, str] = {1: "first", 2: "second", 3: "third", -1: "last", -2: "last but one"}


def special_cards(words: Words, value: Value) -> str:
    """What single cards are worth."""
    assert isinstance(value, Mapping)
    said = [f"the {card_words(card(one))} {worth}" for one, worth in value.items()]
    return stopped(joined(said) if said else "none counts otherwise")


def rank_points(words: Words, value: Value) -> str:
    """What each rank counts."""
    assert isinstance(value, Mapping)
    said = [f"{RANK_WORDS.get(one, one)} {worth}" for one, worth in value.items()]
    return stopped(f"{joined(said)}, the others nothing")


def multiple(words: Words, value: Value) -> str:
    """So many times the ordinary, or a sum of its own."""
    assert isinstance(value, Mapping)
    if "sum" in value:
        return stopped(counters(int(str(value["sum"])), words.rules.unit))
    return stopped(f"{often(value['times'])} the ordinary")


def fine(words: Words, value: Value) -> str:
    """A sum, or so many stakes."""
    if isinstance(value, Mapping):
        return stopped(f"{often(value['stakes'])} the stake" if value["stakes"] != 1 else "as much as the stake")
    return stopped(counters(int(str(value)), words.rules.unit))


def often(value: object) -> str:
    """How often: twice."""
    number = int(str(value))
    return TIMES.get(number, f"{number} times")


#: Answers that are no readings, by their unit or type; what is missing here says `edition.text.answers`.
SAID: Mapping[str, Callable[[Words, Value], str]] = {
    "smallest": lambda words, value: stopped(counters(int(str(value)), words.rules.unit) if value else "nothing"),
    "times": lambda words, value: stopped(often(value)),
    "tricks": lambda words, value: trick_words(words, value),
    "suit": lambda words, value: stopped(SUIT_WORDS.get(str(value), str(value))),
    "card": lambda words, value: stopped(f"the {card_words(card(str(value)))}"),
    "card-values": special_cards,
    "points": rank_points,
    "times-or-sum": multiple,
    "fine": fine,
}


# ---- how a sum comes about
def reckoned_sum(words: Words, done: Settled, entry: Entry, posting: Posting, amount: int) -> str:
    """A sum with its factors, where it has any and they come to it: 10 × 2 (they sit opposite) = 20."""
    if entry.rule == "partie" and len(entry.postings) > 1 and not doubled(words, entry):
        return f"{amount}, half of {sum(p.money.counted(done.before) for p in entry.postings)}"
    base, factors = FACTORS.get(entry.rule, no_factors)(words, done, entry, posting)
    product = base
    for number, _ in factors:
        product *= number
    told = [f"{number} ({why})" for number, why in factors if number != 1]
    return f"{' × '.join([str(base), *told])} = {amount}" if told and product == amount else ""


def doubled(words: Words, entry: Entry) -> bool:
    """Whether any of its postings counts more because the two sit opposite."""
    return any(seat_factor(words, entry, p, "partie.opposite")[0] != 1 for p in entry.postings)


Factors = tuple[int, list[tuple[int, str]]]


def no_factors(words: Words, done: Settled, entry: Entry, posting: Posting) -> Factors:
    """A plain sum."""
    return 0, []


def seat_factor(words: Words, entry: Entry, posting: Posting, slug: str) -> tuple[int, str]:
    """How often it counts between players who sit opposite."""
    value = words.value(slug) if sit_opposite(entry.fact, posting.payer, posting.payee) else 1
    return (value if isinstance(value, int) else 1), "they sit opposite"


def of_card(how: str) -> Callable[[Words, Settled, Entry, Posting], Factors]:
    """What a card is worth: its price, the favoured ace, the seats, the trick."""

    def factors(words: Words, done: Settled, entry: Entry, posting: Posting) -> Factors:
        fact = entry.fact
        holder = how == "thrown-off" or posting.payer == fact.player
        base = words.value(f"{fact.kind}.{how}.{'amount' if holder else 'others-pay'}")
        favoured = words.value("ace.favoured-amount")
        more: list[tuple[int, str]] = []
        if fact.kind == "ace" and isinstance(favoured, Mapping) and words.value("ace.favoured-suit") == fact.suit:
            if "sum" in favoured:
                base = favoured["sum"]
            else:
                more.append((int(str(favoured["times"])), f"it is the ace of {SUIT_WORDS[fact.suit]}"))
        more.append(seat_factor(words, entry, posting, "payments.opposite"))
        more.append((trick_factor(fact, Ask(words.rules)), trick_place(fact)))
        return int(str(base)), more

    return factors


def trick_place(fact: Fact) -> str:
    """A trick as the sources call it where it counts more: the first, the last."""
    assert fact.trick is not None
    place = PLACES.get(fact.trick - fact.last - 1) or PLACES.get(fact.trick)
    return f"in the {place} trick" if place else f"in trick {fact.trick}"


def of_partie(words: Words, done: Settled, entry: Entry, posting: Posting) -> Factors:
    """What the partie, or talon, is worth, and the seats."""
    partie = done.outcome.partie
    return (partie.value if partie else 0), [seat_factor(words, entry, posting, "partie.opposite")]


def of_espagnolette(words: Words, done: Settled, entry: Entry, posting: Posting) -> Factors:
    """What was paid, so many times given back."""
    slug = "espagnolette.lost.stake" if entry.rule.endswith("stake") else "espagnolette.lost.returns-own"
    if entry.rule == "espagnolette-returns" and entry.fact.player != posting.payer:
        slug = "espagnolette.lost.returns-others"
    times, amount = words.value(slug), posting.money.counted(done.before)
    if not isinstance(times, int) or not times:
        return 0, []
    return amount // times, [(times, f"given back {often(times)}")]


#: The rules whose sums have factors.
FACTORS: Mapping[str, Callable[[Words, Settled, Entry, Posting], Factors]] = {
    "thrown-off": of_card("thrown-off"),
    "forced": of_card("forced"),
    "led": of_card("led"),
    "breaking-quinola": of_card("forced"),
    "partie": of_partie,
    "espagnolette-returns": of_espagnolette,
    "espagnolette-returns-stake": of_espagnolette,
}


# ---- what cannot be settled
def forbidden(words: Words, refused: Refused) -> Iterator[Forbidden]:
    """Each thing that a source does not allow, and what forbids it."""
    for refusal in refused.refusals:
        view = refusal_view(refused, refusal)
        rulings = (words.rules.rulings[q] for q in refusal.asked)
        why = tuple(because(words, ruling) for ruling in rulings)
        yield Forbidden(view.trick, view.seat, view.card, view.legal, stopped(view.message), why)


def silence(words: Words, unanswered: Unanswered) -> Because:
    """The question on which the rules are silent."""
    slug = unanswered.silent.question
    if slug in words.library.questions:
        return no_question(words, slug)
    view = silence_view(words.library, unanswered)
    return Because(view.question, view.asks, "", ())
