"""The ledger of one source on a deal: what is paid, what it does not allow, or on what it is silent.

A view holds words and sums only, already chosen and in order. A `CitedClauseView` has `id`, `locus` (first sentence or
statement), `words`, their `lang`, and `kind`: quotation (the source's own words), paraphrase (ours, of a source in
copyright), supplied (ours, the source being silent) or reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import format_card, spell_cards
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.play.replay import Played
from engine.play.table import Refusal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry, name_ledger_account
from engine.settlement.lending import PartialSettlement, settle_partly
from engine.settlement.occasions import list_unplayed_rules
from engine.settlement.result_json import result
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.files.deals import ExpectedFigure, compare_expectations
from reversis.files.drafts import explain_draft_gap
from reversis.words.events import (
    AT_THE_TABLE,
    BEFORE_THE_PLAY,
    CARD_EVENT_PHRASES,
    describe_entry,
    describe_event,
    describe_outcome,
)
from reversis.words.foreign_sums import list_foreign_sums
from reversis.words.lenders import choose_lender
from reversis.words.missing import MissingGroup, list_missing_answers
from reversis.words.unplayed import describe_raised_occasions, describe_verdict
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import describe_supply_ground, format_answer
from rulebook.model import Cite, Clause, Library, Ruleset, Ruling, Source
from rulebook.strings import single_spaced

AnySettlement = Settled | Refused | Unanswered

_MAX_SHORT_LENGTH = 60  #: letters of a quotation where room is scarce


# ---- what a view is made of
@dataclass(frozen=True, slots=True)
class CitedClauseView:
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
        if len(self.words) <= _MAX_SHORT_LENGTH:
            return self.words
        return self.words[:_MAX_SHORT_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"

    @property
    def marked(self) -> str:
        """Its first words, in quotation marks only where they are the source's own."""
        return f"“{self.short}”" if self.kind == "quotation" else f"({self.short})"

    @property
    def quoted(self) -> str:
        """Its words, in quotation marks only where they are the source's own."""
        return f"“{self.words}”" if self.kind == "quotation" else f"({self.words})"


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
        """True if no source says so, but the reader wished it."""
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
    headline: str = ""  #: the event without its payment, the same by every source

    @property
    def step(self) -> str:
        """Time at which it is known: before the play, the number of a trick, or at the end."""
        if self.rule in BEFORE_THE_PLAY:
            return "before"
        return str(self.trick) if self.trick and self.rule in AT_THE_TABLE else "end"

    @property
    def event(self) -> str:
        """Sentence without the time, which stands beside it."""
        return self.sentence.partition(": ")[2]

    @property
    def card_event(self) -> str:
        """Name of what befell the card, as the sentence has it; empty where it is not about a card of a trick."""
        if not self.card or self.rule not in AT_THE_TABLE:
            return ""
        manner = self.fact.partition("-")[2]
        return CARD_EVENT_PHRASES.get(manner, manner)

    @property
    def emendations(self) -> tuple[str, ...]:
        """The emendations that it rests on: where the page was mended before anybody could read it so."""
        return tuple(dict.fromkeys(e for r in self.rulings for e in r.emendations))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Readings and answers of the reader's own choice on which this entry rests."""
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
    missing: tuple[MissingGroup, ...] = ()  #: everything that it would have to answer for this deal
    partly: tuple[EntryView, ...] = ()  #: payments that it settles all the same; no result
    unsettled: tuple[str, ...] = ()  #: payments that it does not settle, and for want of which answer
    lender: str = ""  #: the source from which it is best supplied

    @property
    def missing_count(self) -> int:
        """Number of the answers that are missing."""
        return sum(len(one.answers) for one in self.missing)


@dataclass(frozen=True, slots=True)
class Expectation:
    """Figures that the record expects of a source, and whether they came out."""

    figures: tuple[ExpectedFigure, ...]
    reasoning: str
    pending: str = ""  #: why the engine cannot come to them yet

    @property
    def failed(self) -> bool:
        """True if figures that should come out do not."""
        return not self.met and not self.pending

    @property
    def came_true(self) -> bool:
        """True if figures came out that were not to be reached yet."""
        return self.met and bool(self.pending)

    @property
    def met(self) -> bool:
        """True if every figure came out."""
        return all(figure.met for figure in self.figures)

    @property
    def missed(self) -> tuple[ExpectedFigure, ...]:
        """The figures that did not come out."""
        return tuple(figure for figure in self.figures if not figure.met)


@dataclass(frozen=True, slots=True)
class LedgerView:
    """Ledger of the deal under one source."""

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
    shortfalls: tuple[str, ...] = ()  #: where in this deal that would have mattered
    open: tuple[str, ...] = ()
    foreign_sums: tuple[str, ...] = ()  #: of what is paid, the sums supplied in another source's counter
    refusals: tuple[RefusalView, ...] = ()
    silence: SilenceView | None = None
    expectation: Expectation | None = None
    clauses: tuple[CitedClauseView, ...] = ()  #: every clause cited, in the order in which it is first cited

    @property
    def hybrid(self) -> bool:
        """True if these are not the rules of one source."""
        return self.ruleset != self.source

    @property
    def said(self) -> str:
        """Outcome of the deal, in one line."""
        if self.state == "refused":
            return f"refused: {'; '.join(r.message for r in self.refusals)}"
        if self.silence:
            return self.silence.message
        return "settled: " + ", ".join(f"{who} {format_signed_sum(sum_)}" for who, sum_ in self.net)

    def clause(self, id: str) -> CitedClauseView:
        """A clause that it cites."""
        return next(c for c in self.clauses if c.id == id)


# ---- words
def format_signed_sum(number: int) -> str:
    """Format a sum with its sign; zero has none."""
    return f"{number:+d}" if number else "0"


def pool_words(pool: Pool) -> str:
    """The pool in words, and those of further privileged cards: "stake 60 (Q♥: stake 39)"."""
    waiting = f"; waiting {', '.join(map(str, pool.waiting))}" if pool.waiting else ""
    others = ", ".join(f"{spell_cards(card)}: {pool_words(one)}" for card, one in pool.others)
    return f"stake {pool.stake}{waiting}" + (f" ({others})" if others else "")


# ---- the ledger of one source
def build_ledger_view(library: Library, settlement: AnySettlement, played: Played | None) -> LedgerView:
    """Build the ledger of a deal under one ruleset."""
    ruleset, deal = settlement.ruleset, settlement.deal
    source = library.sources[ruleset.source]
    cited = dict.fromkeys(id for ruling in rulings_of(settlement) for id in ruling.clauses)
    base = LedgerView(
        source.siglum,
        source.title,
        source.language,
        ruleset.name,
        ruleset.unit,
        _STATE_NAMES[type(settlement)],
        tuple(deal.seats[t] for t in played.measures.takers) if played else (),
        trick_points(deal, ruleset, len(played.measures.takers)) if played else (),
        expectation=compare_expectation(settlement),
        clauses=tuple(view_cited_clause(library, library.clause(id)) for id in cited),
    )
    if isinstance(settlement, Settled):
        return warn_of_foreign_sums(library, with_entries(add_unplayed_rules(base, library, settlement), settlement))
    base = replace(base, left_out=tuple(_describe_unplayed_ruling(library, one) for one in ruleset.left_out))
    if isinstance(settlement, Refused):
        return replace(base, refusals=tuple(refusal_view(settlement, r) for r in settlement.refusals))
    return replace(base, silence=silence_view(library, settlement))


def trick_points(deal: Deal, ruleset: Ruleset, known: int) -> tuple[int, ...]:
    """Points of the cards of each trick, as far as somebody takes it."""
    worth = Ask(ruleset).table("cards.points")
    return tuple(sum(worth.get(format_card(c)[0], 0) for c in row) for row in deal.tricks[:known])


_STATE_NAMES = {Settled: "settled", Refused: "refused", Unanswered: "silent"}


def with_entries(base: LedgerView, settled: Settled) -> LedgerView:
    """The ledger of a deal that was settled."""
    deal = settled.deal
    return replace(
        base,
        entries=tuple(_entry_view(settled, e) for e in settled.entries),
        net=tuple((name_ledger_account(deal, a), n) for a, n in settled.net.items()),
        pool_before=pool_words(settled.before),
        pool_after=pool_words(settled.pool),
        outcome=describe_outcome(settled.outcome, deal.seats),
        passed_over=settled.remarks,
        open=settled.open,
    )


def warn_of_foreign_sums(library: Library, view: LedgerView) -> LedgerView:
    """Add a warning where sums that are paid were supplied by a source with another counter."""
    paid = {ruling.slug for entry in view.entries if entry.postings for ruling in entry.rulings if ruling.supplied}
    found = list_foreign_sums(library, view.source, paid) if paid else ()
    return replace(view, foreign_sums=tuple(one.warning for one in found))


def add_unplayed_rules(base: LedgerView, library: Library, settled: Settled) -> LedgerView:
    """Add what the source says and the engine does not play, and where in this deal it would have mattered."""
    judged = list_unplayed_rules(settled)
    told = [(describe_raised_occasions(one, settled.deal.seats, base.source), one) for one in judged]
    rules = (f"{_describe_unplayed_ruling(library, one.ruling)} {describe_verdict(one)}" for _, one in told)
    return replace(
        base,
        left_out=(*rules, *((f"No answer holds {settled.unheld_line}.",) if settled.not_held else ())),
        shortfalls=tuple(f"{one.ruling.id}: {words}" for words, one in told if words),
    )


def _describe_unplayed_ruling(library: Library, one: Ruling) -> str:
    """Answer of the source that is not played, the one played instead, and why."""
    question = library.questions[one.question]
    says, plays = format_answer(question, one.answer, library), format_answer(question, one.value, library)
    said = f"{one.id} “{question.asks}”: “{says.full or says.short}” ({', '.join(one.clauses) or 'as you wish'})"
    return f"{said} is not played, but “{plays.full or plays.short}”. {' '.join(one.not_played.split())}"


def silence_view(library: Library, unanswered: Unanswered) -> SilenceView:
    """On what a ruleset is silent."""
    slug = unanswered.silent.question
    unread = explain_draft_gap(library, unanswered.ruleset.source, slug)
    message = f"Not collated: {unread}" if unread else f"{unanswered.silent.kind}: {unanswered.silent}"
    question = library.questions.get(slug)
    partly = settle_partly(unanswered.deal, unanswered.ruleset)
    missing = list_missing_answers(library, unanswered)
    lacking = [one.slug for group in missing for one in group.answers]
    return SilenceView(
        question.id if question else slug,
        slug,
        question.asks if question else "",
        message,
        missing,
        tuple(_entry_view(partly, entry) for entry in partly.entries) if partly else (),
        tuple(f"{one.rule} ({library.questions[one.question].id})" for one in partly.left_out) if partly else (),
        choose_lender(library, unanswered.ruleset.source, lacking) or "",
    )


def rulings_of(settlement: AnySettlement) -> Iterator[Ruling]:
    """Every answer that a settlement or a refusal rests on."""
    if isinstance(settlement, Settled):
        yield from (r for e in settlement.entries for r in settlement.rulings(e))
    elif isinstance(settlement, Refused):
        yield from (settlement.ruleset.rulings[q] for r in settlement.refusals for q in r.asked)


def _entry_view(settled: Settled | PartialSettlement, entry: Entry) -> EntryView:
    rulings = settled.rulings(entry)
    counted = [
        PostingView(
            name_ledger_account(settled.deal, p.payer),
            name_ledger_account(settled.deal, p.payee),
            p.counted(settled.before),
        )
        for p in entry.postings
    ]
    return EntryView(
        entry.fact.trick,
        entry.name,
        entry.rule,
        "" if entry.fact.card is None else format_card(entry.fact.card),
        describe_entry(entry, settled.deal.seats),
        tuple(p for p in counted if p.amount),
        tuple(
            RulingView(
                r.id, r.question, format_canonical(r.value), r.clauses, r.supplied, r.interpretation, r.emendations
            )
            for r in rulings
        ),
        tuple(dict.fromkeys(c for r in rulings for c in r.clauses)),
        describe_event(entry, settled.deal.seats),
    )


def names_of(entries: Sequence[EntryView]) -> Iterator[str]:
    """A name for each entry, the same by every source for what is the same there."""
    seen: Counter[str] = Counter()
    for entry in entries:
        name = f"{entry.trick or ''}.{entry.rule}.{entry.card}"
        seen[name] += 1
        yield f"{name}.{seen[name]}"


def refusal_view(refused: Refused, r: Refusal) -> RefusalView:
    """One refusal."""
    rulings = [refused.ruleset.rulings[q] for q in r.asked]
    return RefusalView(
        r.trick,
        "" if r.seat is None else refused.deal.seats[r.seat],
        "" if r.card is None else format_card(r.card),
        tuple(format_card(c) for c in r.legal),
        tuple(dict.fromkeys(c for ruling in rulings for c in ruling.clauses)),
        tuple(ruling.id for ruling in rulings),
        r.message,
    )


def compare_expectation(settlement: AnySettlement) -> Expectation | None:
    """Compare the expected figures with the result; None for a hybrid, of which none are expected."""
    ruleset = settlement.ruleset
    expected = settlement.deal.expect.get(ruleset.source)
    if not isinstance(expected, Mapping) or ruleset.name != ruleset.source:
        return None
    state = _STATE_NAMES[type(settlement)]
    found = compare_expectations(expected, result(settlement), f"not there (the deal is {state})")
    reasoning, pending = (single_spaced(str(expected.get(key) or "")) for key in ("reasoning", "pending"))
    return Expectation(found, reasoning, pending)


# ---- clauses
def view_cited_clause(library: Library, clause: Clause) -> CitedClauseView:
    """A clause with the words it rests on: the source's, or ours where it has none or they are not ours to print."""
    source = library.sources[clause.source]
    cite = min(clause.cites, key=lambda c: (c.role != "grounds", not c.exact), default=None)
    kind, words = _choose_clause_words(source, clause, cite)
    lang = source.language if kind == "quotation" else "en"
    return CitedClauseView(
        clause.id, clause.source, clause.status, kind, single_spaced(words), lang, cite.locus if cite else ""
    )


def _choose_clause_words(source: Source, clause: Clause, cite: Cite | None) -> tuple[str, str]:
    if clause.supplied:
        given = ", ".join(f"{slug} {format_canonical(value)}" for slug, value in clause.answers.items())
        whence = f" from {describe_supply_ground(clause.taken_from)}" if clause.taken_from else ""
        limited = f", limiting {', '.join(clause.limits)}" if clause.limits else ""
        return "supplied", f"silent; supplied{whence}{limited}: {given}"
    statement = next((s.text for s in source.statements if cite and s.id == cite.locus), "")
    if statement:  # in copyright: our words say more than the few that may be quoted
        return "paraphrase", statement
    return ("quotation", cite.exact) if cite and cite.exact else ("reason", clause.because)
