"""A worked deal as it is shown: the cards trick by trick, and beside them the ledger of every source.

For whoever makes a page of it: `edition.data.deals.list_deals` names the deals, `deal_view(library, id)` is one of
them, and `deal_views(library)` all. A view holds words and sums only, already chosen and in order; equal views make
equal pages. Show it in this order:

- `view.title`, `view.provenance` and `view.cites` (sentence ids), `view.table` (pairs of a heading and words),
  `view.hands` and `view.talon` (cards, "JH QC 2S");
- `view.tricks`: a row each, with `number`, `leader`, `taker` and `plays` in the order of play; a play has `seat`,
  `card` and `marks` ("leads", "takes", "quinola thrown off"); `taker` is empty where no source can tell;
- `view.ledgers`, one for each source. Its `state` is "settled", "refused" or "silent"; `said` puts it in one line.
  Settled: for each of `entries` the `sentence`, its `postings` (payer, payee, amount; the unit is `ledger.unit`), and
  `clauses`, ids of `ledger.clauses`; then `net`, `pool_before`, `pool_after`, `outcome`.
  Refused: for each of `refusals` the `message` and `clauses`. Silent: `silence`.
  In all of them `expectation` (None where the record expects nothing) tells which figures came out.
- a `ClauseView` has `id`, `locus` (first sentence or statement), `words`, their `lang`, and `kind`: quotation (the
  source's own words), paraphrase (ours, of a source in copyright), supplied (ours, the source being silent) or reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from edition.data.deals import Figure, figures, read_worked, readable_deals
from edition.data.drafts import missing, playable
from edition.data.limits import pricing
from edition.text.answers import answer, taken_from
from edition.text.events import fault_words, outcome_words, sentence
from engine.cards import in_order, name
from engine.deal.events import Fact
from engine.deal.pool import Pool
from engine.deal.record import Deal
from engine.play.replay import Played, Refusal, replay
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.result_json import account, result
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.answers import canonical
from rulebook.model import Cite, Clause, Library, Ruleset, Ruling, Silent, Source
from rulebook.resolve import resolve

Settlement = Settled | Refused | Unanswered

SHORT = 60  #: letters of a quotation where room is scarce


# ---- what a view is made of
@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause as a ledger cites it."""

    id: str
    source: str
    status: str
    kind: str  #: quotation | paraphrase | supplied | reason
    words: str
    lang: str
    locus: str = ""

    @property
    def short(self) -> str:
        """Its first words, where room is scarce."""
        if len(self.words) <= SHORT:
            return self.words
        return self.words[:SHORT].rpartition(" ")[0].rstrip(",;:") + " …"

    @property
    def marked(self) -> str:
        """Its first words, in quotation marks only where they are the source's own."""
        return f"“{self.short}”" if self.kind == "quotation" else f"({self.short})"


@dataclass(frozen=True, slots=True)
class RulingView:
    """One answer that an entry rests on."""

    id: str  #: Q031
    slug: str
    value: str
    clauses: tuple[str, ...]
    supplied: bool
    interpretation: str
    emendations: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether no source says so, but the reader wished it."""
        return not self.clauses


@dataclass(frozen=True, slots=True)
class PostingView:
    """Counters that pass from one account to another."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True, slots=True)
class EntryView:
    """One line of a ledger: what happened, who pays whom, and which clauses say so."""

    trick: int | None
    fact: str
    rule: str
    card: str
    sentence: str
    postings: tuple[PostingView, ...]
    rulings: tuple[RulingView, ...]
    clauses: tuple[str, ...]

    @property
    def emendations(self) -> tuple[str, ...]:
        """The emendations that it rests on: where the page was mended before anybody could read it so."""
        return tuple(dict.fromkeys(e for r in self.rulings for e in r.emendations))

    @property
    def chosen(self) -> tuple[str, ...]:
        """What the reader has wished or chosen, and this entry rests on: other readings, answers of his own."""
        named = [
            r.interpretation for r in self.rulings if r.interpretation and not r.interpretation.endswith(".preferred")
        ]
        return tuple(dict.fromkeys((*named, *(f"{r.id}={r.value}" for r in self.rulings if r.given))))


@dataclass(frozen=True, slots=True)
class RefusalView:
    """Something that a source does not allow."""

    trick: int | None
    seat: str
    card: str
    legal: tuple[str, ...]
    clauses: tuple[str, ...]
    questions: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class SilenceView:
    """A question that the deal raises, and on which the ruleset says nothing."""

    question: str
    slug: str
    asks: str
    message: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the record expects of a source, and whether it came out."""

    figures: tuple[Figure, ...]
    reasoning: str

    @property
    def met(self) -> bool:
        """Whether every figure came out."""
        return all(figure.met for figure in self.figures)

    @property
    def missed(self) -> tuple[Figure, ...]:
        """The figures that did not come out."""
        return tuple(figure for figure in self.figures if not figure.met)


@dataclass(frozen=True, slots=True)
class LedgerView:
    """What one source makes of the deal."""

    source: str
    title: str
    lang: str
    ruleset: str
    unit: str
    state: str  #: settled | refused | silent
    takers: tuple[str, ...] = ()  #: who takes each trick under this source
    points: tuple[int, ...] = ()  #: what each of these tricks counts under it
    entries: tuple[EntryView, ...] = ()
    net: tuple[tuple[str, int], ...] = ()
    pool_before: str = ""
    pool_after: str = ""
    outcome: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  #: what the source says and the engine does not play
    open: tuple[str, ...] = ()
    refusals: tuple[RefusalView, ...] = ()
    silence: SilenceView | None = None
    expectation: Expectation | None = None
    clauses: tuple[ClauseView, ...] = ()  #: every clause cited, in the order in which it is first cited

    @property
    def hybrid(self) -> bool:
        """Whether these are not the rules of one source."""
        return self.ruleset != self.source

    @property
    def said(self) -> str:
        """What came of it, in one line."""
        if self.state == "refused":
            return f"refused: {'; '.join(r.message for r in self.refusals)}"
        if self.silence:
            return self.silence.message
        return "settled: " + ", ".join(f"{who} {signed(sum_)}" for who, sum_ in self.net)

    def clause(self, id: str) -> ClauseView:
        """A clause that it cites."""
        return next(c for c in self.clauses if c.id == id)


@dataclass(frozen=True, slots=True)
class Play:
    """A card as it came to the table."""

    seat: str
    card: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrickView:
    """One trick: who led, what each played, who took it."""

    number: int
    leader: str
    taker: str
    plays: tuple[Play, ...]

    def of(self, seat: str) -> str:
        """What one player played."""
        return " ".join(p.card for p in self.plays if p.seat == seat)


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal with what every source makes of it."""

    id: str
    title: str
    provenance: str
    cites: tuple[str, ...]
    note: str
    seats: tuple[str, ...]
    dealer: str
    pack: int
    hands: tuple[tuple[str, str], ...]
    talon: str
    table: tuple[tuple[str, str], ...]  #: heading and words: the pool, exchanges, announcements, faults, claims
    tricks: tuple[TrickView, ...]
    ledgers: tuple[LedgerView, ...]
    left_out: int = 0  #: sources that do not settle it here, there being too many of them

    def ledger(self, source: str) -> LedgerView:
        """What one source makes of it. KeyError if it was not asked."""
        for ledger in self.ledgers:
            if ledger.source == source:
                return ledger
        raise KeyError(source)


# ---- the worked deals
def deal_view(library: Library, name: str) -> DealView:
    """One worked deal under every source, or some if they are many. KeyError if there is none, or it cannot be read."""
    record = read_worked(library, name)
    if record.deal is None:
        raise KeyError(f"{name}: {'; '.join(p.what for p in record.problems)}")
    return priced(library, record.deal)


def priced(library: Library, deal: Deal) -> DealView:
    """A deal under every source, or under those of its page if they are many."""
    rules = rulesets(library, pricing(library, deal))
    return replace(view_of(library, deal, rules), left_out=len(library.sources) - len(rules))


def deal_views(library: Library) -> tuple[DealView, ...]:
    """Every worked deal whose record can be read, under every source, or under those of its page if they are many."""
    return tuple(priced(library, deal) for deal in readable_deals(library))


def deal_summary(library: Library, name: str) -> tuple[tuple[str, str], ...]:
    """What each source makes of a worked deal, in one line."""
    return tuple((ledger.source, ledger.said) for ledger in deal_view(library, name).ledgers)


def rulesets(library: Library, sources: Iterable[str] = ()) -> tuple[Ruleset, ...]:
    """The rules of these sources, or of every one that can be played, as it has them."""
    return tuple(resolve(library, siglum) for siglum in sources or playable(library))


def view_of(library: Library, deal: Deal, rules: Iterable[Ruleset]) -> DealView:
    """A deal under several rulesets."""
    return shown(library, deal, [settle(deal, ruleset) for ruleset in rules])


def shown(library: Library, deal: Deal, settlements: Sequence[Settlement]) -> DealView:
    """A deal and what came of it."""
    played = [replayed(s) for s in settlements]
    ledgers = tuple(ledger_of(library, s, p) for s, p in zip(settlements, played, strict=True))
    whole = (p for s, p in zip(settlements, played, strict=True) if isinstance(s, Settled))
    best = next((p for p in whole if p and p.measures.void is None), None)
    return DealView(
        deal.id,
        deal.title or deal.id,
        deal.provenance,
        deal.cites,
        one_line(deal.note),
        deal.seats,
        deal.seats[deal.dealer],
        deal.pack,
        tuple((seat, cards(in_order(hand))) for seat, hand in zip(deal.seats, deal.hands, strict=True)),
        cards(deal.talon),
        tuple(table_words(deal)),
        tuple(tricks_of(deal, best or next((p for p in played if p and p.measures.takers), None))),
        ledgers,
    )


def replayed(settlement: Settlement) -> Played | None:
    """The play once more, for who takes what; None where the ruleset is silent on the play."""
    try:
        return replay(settlement.deal, Ask(settlement.ruleset))
    except Silent:
        return None


# ---- the table
def cards(numbers: Iterable[int]) -> str:
    """Cards by their short names."""
    return " ".join(map(name, numbers))


def one_line(words: str) -> str:
    """Words without the line ends of the file."""
    return " ".join(words.split())


def signed(number: int) -> str:
    """A sum with its sign; nought has none."""
    return f"{number:+d}" if number else "0"


def table_words(deal: Deal) -> Iterator[tuple[str, str]]:
    """What is to be known before the first card, and what was said or done besides playing."""
    for siglum, pool in deal.pools.items():
        yield (f"pool ({siglum})" if siglum else "pool"), pool_words(pool)
    for x in deal.exchange:
        yield "exchange", exchange_words(deal.seats[x.seat], x.out, x.taken, x.looked)
    for a in deal.announced:
        yield "announced", f"{deal.seats[a.seat]} announces {a.what} before trick {a.before}"
    for f in deal.faults:
        yield "fault", fault_words(f, deal.seats)
    for number, claimed in deal.claims.items():
        yield "claim", f"{name(number)} {'claimed' if claimed else 'not claimed'}"
    if deal.fragment:
        known = f"{len(deal.tricks)} of {deal.hand_size} tricks are known" if deal.tricks else "no card is led"
        yield "fragment", known


def exchange_words(seat: str, out: int | None, taken: int | None, looked: bool) -> str:
    """An exchange in words."""
    parts = (
        f"lays out {name(out)}" if out is not None else "",
        f"takes {name(taken)}" if taken is not None else "",
        ("looks at his card of the talon" if out is not None or taken is not None else "looks at the card left")
        if looked
        else "",
    )
    return f"{seat} {', '.join(filter(None, parts)) or 'exchanges nothing'}"


def pool_words(pool: Pool) -> str:
    """The pool in words."""
    waiting = f"; waiting {', '.join(map(str, pool.waiting))}" if pool.waiting else ""
    return f"stake {pool.stake}{waiting}"


def tricks_of(deal: Deal, played: Played | None) -> Iterator[TrickView]:
    """The tricks, with what befell each card that counts."""
    marks = marked(deal, played)
    for number, row in enumerate(deal.tricks, 1):
        taker = played.measures.takers[number - 1] if played and played.measures.takers else None  # none in a void deal
        plays = [play_of(deal, c, i == 0, taker, marks.get(c, ())) for i, c in enumerate(row)]
        yield TrickView(number, plays[0].seat, "" if taker is None else deal.seats[taker], tuple(plays))


def play_of(deal: Deal, card: int, leads: bool, taker: int | None, marks: tuple[str, ...]) -> Play:
    """One card with its marks."""
    seat = deal.holder(card)
    took = taker is not None and seat == taker
    return Play(deal.seats[seat or 0], name(card), (*(("leads",) * leads), *(("takes",) * took), *marks))


def marked(deal: Deal, played: Played | None) -> dict[int, tuple[str, ...]]:
    """What befell aces, the quinola and cards played amiss, as anybody could see it."""
    facts = played.facts if played else ()
    return {f.card: (mark_of(f),) for f in facts if f.card is not None and f.trick is not None}


def mark_of(fact: Fact) -> str:
    """What befell a card, in two or three words."""
    return fact.manner if fact.kind == "fault" else f"{fact.kind} {fact.manner.replace('-', ' ')}"


# ---- the ledger of one source
def ledger_of(library: Library, settlement: Settlement, played: Played | None) -> LedgerView:
    """What one ruleset makes of the deal."""
    ruleset, deal = settlement.ruleset, settlement.deal
    source = library.sources[ruleset.source]
    base = LedgerView(
        source.siglum,
        source.title,
        source.language,
        ruleset.name,
        ruleset.unit,
        STATES[type(settlement)],
        tuple(deal.seats[t] for t in played.measures.takers) if played else (),
        trick_points(deal, ruleset, len(played.measures.takers)) if played else (),
        expectation=expectation(settlement),
        clauses=tuple(clause_view(library, library.clause(id)) for id in cited(settlement)),
    )
    unplayed = settlement.left_out if isinstance(settlement, Settled) else ruleset.left_out
    base = replace(base, left_out=tuple(left_out(library, one) for one in unplayed))
    if isinstance(settlement, Settled):
        return with_entries(base, settlement)
    if isinstance(settlement, Refused):
        return replace(base, refusals=tuple(refusal_view(settlement, r) for r in settlement.refusals))
    return replace(base, silence=silence_view(library, settlement))


def trick_points(deal: Deal, ruleset: Ruleset, known: int) -> tuple[int, ...]:
    """What the cards of each trick count, as far as somebody takes it."""
    worth = Ask(ruleset).table("cards.points")
    return tuple(sum(worth.get(name(c)[0], 0) for c in row) for row in deal.tricks[:known])


STATES = {Settled: "settled", Refused: "refused", Unanswered: "silent"}


def with_entries(base: LedgerView, settled: Settled) -> LedgerView:
    """The ledger of a deal that was settled."""
    deal = settled.deal
    return replace(
        base,
        entries=tuple(entry_view(settled, e) for e in settled.entries),
        net=tuple((account(deal, a), n) for a, n in settled.net.items()),
        pool_before=pool_words(settled.before),
        pool_after=pool_words(settled.pool),
        outcome=outcome_words(settled.outcome, deal.seats),
        passed_over=settled.passed_over,
        open=settled.open,
    )


def left_out(library: Library, one: Ruling) -> str:
    """What the source says and the engine does not play, what it plays instead, and why."""
    question = library.questions[one.question]
    says, plays = answer(question, one.answer, library), answer(question, one.value, library)
    said = f"{one.id} “{question.asks}”: “{says.full or says.short}” ({', '.join(one.clauses) or 'as you wish'})"
    return f"{said} is not played, but “{plays.full or plays.short}”. {' '.join(one.not_played.split())}"


def silence_view(library: Library, unanswered: Unanswered) -> SilenceView:
    """On what a ruleset is silent."""
    slug = unanswered.silent.question
    unread = missing(library, unanswered.ruleset.source, slug)
    message = f"Not collated: {unread}" if unread else f"Silent: {unanswered.silent}"
    question = library.questions.get(slug)
    return SilenceView(question.id if question else slug, slug, question.asks if question else "", message)


def rulings_of(settlement: Settlement) -> Iterator[Ruling]:
    """Every answer that a settlement or a refusal rests on."""
    if isinstance(settlement, Settled):
        yield from (r for e in settlement.entries for r in settlement.rulings(e))
    elif isinstance(settlement, Refused):
        yield from (settlement.ruleset.rulings[q] for r in settlement.refusals for q in r.asked)


def cited(settlement: Settlement) -> tuple[str, ...]:
    """Every clause cited, once."""
    return tuple(dict.fromkeys(c for r in rulings_of(settlement) for c in r.clauses))


def entry_view(settled: Settled, entry: Entry) -> EntryView:
    """One entry of the ledger."""
    rulings = settled.rulings(entry)
    counted = [
        PostingView(account(settled.deal, p.payer), account(settled.deal, p.payee), p.money.counted(settled.before))
        for p in entry.postings
    ]
    return EntryView(
        entry.fact.trick,
        entry.name,
        entry.rule,
        "" if entry.fact.card is None else name(entry.fact.card),
        sentence(entry, settled.deal.seats),
        tuple(p for p in counted if p.amount),
        tuple(ruling_view(r) for r in rulings),
        tuple(dict.fromkeys(c for r in rulings for c in r.clauses)),
    )


def names_of(entries: Sequence[EntryView]) -> Iterator[str]:
    """A name for each entry, the same by every source for what is the same there."""
    seen: Counter[str] = Counter()
    for entry in entries:
        name = f"{entry.trick or ''}.{entry.rule}.{entry.card}"
        seen[name] += 1
        yield f"{name}.{seen[name]}"


def ruling_view(r: Ruling) -> RulingView:
    """One answer."""
    return RulingView(r.id, r.question, canonical(r.value), r.clauses, r.supplied, r.interpretation, r.emendations)


def refusal_view(refused: Refused, r: Refusal) -> RefusalView:
    """One refusal."""
    rulings = [refused.ruleset.rulings[q] for q in r.asked]
    return RefusalView(
        r.trick,
        "" if r.seat is None else refused.deal.seats[r.seat],
        "" if r.card is None else name(r.card),
        tuple(name(c) for c in r.legal),
        tuple(dict.fromkeys(c for ruling in rulings for c in ruling.clauses)),
        tuple(ruling.id for ruling in rulings),
        r.message,
    )


def expectation(settlement: Settlement) -> Expectation | None:
    """What the record expects of a source, held against what came out; of a hybrid no record expects anything."""
    ruleset = settlement.ruleset
    expected = settlement.deal.expect.get(ruleset.source)
    if not isinstance(expected, Mapping) or ruleset.name != ruleset.source:
        return None
    state = STATES[type(settlement)]
    found = figures(expected, result(settlement), f"not there (the deal is {state})")
    return Expectation(found, one_line(str(expected.get("reasoning") or "")))


# ---- clauses
def clause_view(library: Library, clause: Clause) -> ClauseView:
    """A clause with the words it rests on: the source's, or ours where it has none or they are not ours to print."""
    source, cite = library.sources[clause.source], foremost(clause)
    kind, words = words_of(source, clause, cite)
    lang = source.language if kind == "quotation" else "en"
    return ClauseView(clause.id, clause.source, clause.status, kind, one_line(words), lang, cite.locus if cite else "")


def foremost(clause: Clause) -> Cite | None:
    """The citation that a clause rests on first of all."""
    ranked = sorted(clause.cites, key=lambda c: (c.role != "grounds", not c.exact))
    return ranked[0] if ranked else None


def words_of(source: Source, clause: Clause, cite: Cite | None) -> tuple[str, str]:
    """What kind of words stand for a clause, and which."""
    if clause.supplied:
        given = ", ".join(f"{slug} {canonical(value)}" for slug, value in clause.answers.items())
        whence = f" from {taken_from(clause.taken_from)}" if clause.taken_from else ""
        return "supplied", f"silent; supplied{whence}: {given}"
    statement = next((s.text for s in source.statements if cite and s.id == cite.locus), "")
    if statement:  # in copyright: our words say more than the few that may be quoted
        return "paraphrase", statement
    return ("quotation", cite.exact) if cite and cite.exact else ("reason", clause.because)
