"""The ledger of one source on a deal: what is paid, what it does not allow, or on what it is silent.

A view holds words and sums only, already chosen and in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.cards import format_card, spell_cards
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.worlds import Paid
from engine.play.replay import Played
from engine.play.table import Refusal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry, name_ledger_account
from engine.settlement.result_json import result
from engine.settlement.settle import Refused, Settled, Unanswered
from engine.settlement.unplayed_rules import list_unplayed_rules
from reversis.files.deals import ExpectedFigure, compare_expectations
from reversis.files.drafts import explain_draft_gap
from reversis.words.events import (
    AT_THE_TABLE,
    BEFORE_THE_PLAY,
    CARD_EVENT_PHRASES,
    describe_entry,
    describe_event,
    describe_outcome,
    describe_raised_occasions,
    describe_verdict,
)
from reversis.words.foreign_sums import list_foreign_sums
from reversis.words.missing import MissingGroup, choose_lender, list_missing_answers
from rulebook.answers.wording import format_answer
from rulebook.cited_clauses import CitedClause, CitingLine, group_clauses, view_ruling_clause
from rulebook.model import Library, Ruleset, Ruling
from rulebook.phrases import format_signed_sum
from rulebook.strings import single_spaced

AnySettlement = Settled | Refused | Unanswered


# ---- what a view is made of
@dataclass(frozen=True, slots=True)
class ExplainedAnswer:
    """A question that was asked, how it is answered, and on what the answer rests."""

    question: str  #: Q033
    asks: str
    answer: str  #: in words; empty where these rules have no such question
    grounds: tuple[CitedClause, ...]
    chosen: str = ""  #: which interpretation or option, and against which others
    interpretation: str = ""  #: its id
    lent_sum: str = ""  #: PAM, which counts in fiche; empty where it is no sum, or the source's own


@dataclass(frozen=True, slots=True)
class LedgerLine(CitingLine):
    """One line of a ledger: an entry in words, who pays whom, and the answers on which it rests."""

    entry: Entry
    sentence: str
    card: str
    postings: tuple[Paid, ...]  #: accounts by their names
    rulings: tuple[Ruling, ...]
    headline: str = ""  #: the event without its payment, the same by every source
    sums: tuple[str, ...] = ()  #: of each posting 10 × 2 (they sit opposite) = 20; empty where nothing is to reckon
    seats: tuple[str, ...] = ()  #: whom it concerns
    because: tuple[ExplainedAnswer, ...] = ()
    reason: str = ""  #: why nothing is paid in the end, as in engine.settlement.nonpayment.NONPAYMENT_REASONS

    @property
    def key(self) -> tuple[str, str, int | None, str]:
        """Key that lines about the same event share: by the card where it is about one, else by what happened."""
        return self.step, self.entry.rule, self.entry.fact.trick, self.card or self.headline

    @property
    def step(self) -> str:
        """Time at which it is known: before the play, the number of a trick, or at the end."""
        if self.entry.rule in BEFORE_THE_PLAY:
            return "before"
        trick = self.entry.fact.trick
        return str(trick) if trick and self.entry.rule in AT_THE_TABLE else "end"

    @property
    def event(self) -> str:
        """Sentence without the time, which stands beside it."""
        return self.sentence.partition(": ")[2]

    @property
    def card_event(self) -> str:
        """Name of what befell the card, as the sentence has it; empty where it is not about a card of a trick."""
        if not self.card or self.entry.rule not in AT_THE_TABLE:
            return ""
        manner = self.entry.name.partition("-")[2]
        return CARD_EVENT_PHRASES.get(manner, manner)


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
    because: tuple[ExplainedAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class SilenceView:
    """A question that the deal raises, and on which the ruleset says nothing."""

    question: str
    slug: str
    asks: str
    message: str
    missing: tuple[MissingGroup, ...] = ()  #: everything that it would have to answer for this deal
    partly: tuple[LedgerLine, ...] = ()  #: payments that it settles all the same; no result
    unsettled: tuple[str, ...] = ()  #: payments that it does not settle, and for want of which answer
    lender: str = ""  #: the source from which it is best supplied
    because: tuple[ExplainedAnswer, ...] = ()

    @property
    def missing_count(self) -> int:
        """Number of the answers that are missing."""
        return sum(len(group.answers) for group in self.missing)


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
    entries: tuple[LedgerLine, ...] = ()
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
    clauses: tuple[CitedClause, ...] = ()  #: every clause cited, in the order in which it is first cited
    unpaid: tuple[LedgerLine, ...] = ()  #: payments that one might have looked for and that are not made
    not_held: str = ""  #: what the source orders and no answer holds, in one line
    unread: tuple[str, ...] = ()  #: questions on which the part not consulted may have a rule, and none is played

    @property
    def hybrid(self) -> bool:
        """True if these are not the rules of one source."""
        return self.ruleset != self.source

    @property
    def said(self) -> str:
        """Outcome of the deal, in one line."""
        return describe_result(self.state, self.net, self.why)

    @property
    def why(self) -> str:
        """Why it settles nothing."""
        return "; ".join(refusal.message for refusal in self.refusals) or (self.silence.message if self.silence else "")

    @property
    def grounds(self) -> tuple[str, ...]:
        """Clauses on which a refusal rests."""
        return tuple(dict.fromkeys(id for refusal in self.refusals for id in refusal.clauses))

    def clause(self, id: str) -> CitedClause:
        """A clause that it cites."""
        return next(c for c in self.clauses if c.id == id)


# ---- words
def describe_result(state: str, net: Iterable[tuple[str, int]], why: str) -> str:
    """Describe the outcome of a deal in one line."""
    if state != "settled":
        return f"{'refused: ' * (state == 'refused')}{why}"
    return "settled: " + ", ".join(f"{who} {format_signed_sum(sum_)}" for who, sum_ in net)


def format_signed_fraction(number: Fraction) -> str:
    """Format a sum that need not be whole, with its sign: +2 1/2."""
    units, rest = divmod(abs(number), 1)
    words = " ".join(filter(None, (str(units) if units or not rest else "", str(rest) if rest else "")))
    return f"{'-' if number < 0 else '+' if number else ''}{words}"


def pool_words(pool: Pool) -> str:
    """The pool in words, and those of further privileged cards: "stake 60 (Q♥: stake 39)"."""
    waiting = f"; waiting {', '.join(map(str, pool.waiting))}" if pool.waiting else ""
    others = ", ".join(f"{spell_cards(card)}: {pool_words(other)}" for card, other in pool.others)
    return f"stake {pool.stake}{waiting}" + (f" ({others})" if others else "")


# ---- the ledger of one source
def build_ledger_view(library: Library, settlement: AnySettlement, played: Played | None) -> LedgerView:
    """Build the ledger of a deal under one ruleset."""
    ruleset, deal = settlement.ruleset, settlement.deal
    source = library.sources[ruleset.source]
    cited = group_clauses(rulings_of(settlement))
    base = LedgerView(
        source.siglum,
        source.title,
        source.language,
        ruleset.name,
        ruleset.unit,
        STATE_NAMES[type(settlement)],
        tuple(deal.seats[t] for t in played.measures.takers) if played else (),
        trick_points(deal, ruleset, len(played.measures.takers)) if played else (),
        expectation=compare_expectation(settlement),
        clauses=tuple(view_ruling_clause(library, ruling, library.clause(id)) for id, ruling in cited.items()),
    )
    if isinstance(settlement, Settled):
        return warn_of_foreign_sums(library, with_entries(add_unplayed_rules(base, library, settlement), settlement))
    base = replace(base, left_out=tuple(_describe_unplayed_ruling(library, ruling) for ruling in ruleset.left_out))
    if isinstance(settlement, Refused):
        return replace(base, refusals=tuple(refusal_view(settlement, r) for r in settlement.refusals))
    return replace(base, silence=silence_view(library, settlement))


def trick_points(deal: Deal, ruleset: Ruleset, known: int) -> tuple[int, ...]:
    """Points of the cards of each trick, as far as somebody takes it."""
    worth = Ask(ruleset).table("cards.points")
    return tuple(sum(worth.get(format_card(c)[0], 0) for c in row) for row in deal.tricks[:known])


STATE_NAMES = {Settled: "settled", Refused: "refused", Unanswered: "silent"}


def with_entries(base: LedgerView, settled: Settled) -> LedgerView:
    """The ledger of a deal that was settled."""
    deal = settled.deal
    return replace(
        base,
        entries=tuple(build_ledger_line(settled, e) for e in settled.entries),
        net=name_net_sums(settled),
        pool_before=pool_words(settled.before),
        pool_after=pool_words(settled.pool),
        outcome=describe_outcome(settled.outcome, deal.seats),
        passed_over=settled.remarks,
        open=settled.open,
        not_held=settled.unheld_line,
    )


def name_net_sums(settled: Settled) -> tuple[tuple[str, int], ...]:
    """Return what each account wins or loses, by its name."""
    return tuple((name_ledger_account(settled.deal, account), sum_) for account, sum_ in settled.net.items())


def warn_of_foreign_sums(library: Library, view: LedgerView) -> LedgerView:
    """Add a warning where sums that are paid were supplied by a source with another counter."""
    paid = {ruling.question for line in view.entries if line.postings for ruling in line.rulings if ruling.supplied}
    warnings = list_foreign_sums(library, view.source, paid) if paid else ()
    return replace(view, foreign_sums=tuple(warning for warning, _ in warnings))


def add_unplayed_rules(base: LedgerView, library: Library, settled: Settled) -> LedgerView:
    """Add what the source says and the engine does not play, and where in this deal it would have mattered."""
    judged = list_unplayed_rules(settled)
    occasions = [(describe_raised_occasions(rule, settled.deal.seats, base.source), rule) for rule in judged]
    rules = (
        f"{_describe_unplayed_ruling(library, unplayed.ruling)} {describe_verdict(unplayed)}"
        for _, unplayed in occasions
    )
    return replace(
        base,
        left_out=(*rules, *((f"No answer holds {settled.unheld_line}.",) if settled.not_held else ())),
        shortfalls=tuple(f"{unplayed.ruling.id}: {words}" for words, unplayed in occasions if words),
    )


def _describe_unplayed_ruling(library: Library, ruling: Ruling) -> str:
    """Answer of the source that is not played, the one played instead, and why."""
    question = library.questions[ruling.question]
    says, plays = format_answer(question, ruling.answer, library), format_answer(question, ruling.value, library)
    answer = (
        f"{ruling.id} “{question.asks}”: “{says.full or says.short}” ({', '.join(ruling.clauses) or 'as you wish'})"
    )
    return f"{answer} is not played, but “{plays.full or plays.short}”. {' '.join(ruling.not_played.split())}"


def silence_view(library: Library, unanswered: Unanswered) -> SilenceView:
    """On what a ruleset is silent."""
    slug = unanswered.silent.question
    question = library.questions.get(slug)
    entries, left_out = unanswered.part
    missing = list_missing_answers(library, unanswered)
    lacking = [answer.slug for group in missing for answer in group.answers]
    return SilenceView(
        question.id if question else slug,
        slug,
        question.asks if question else "",
        explain_silence_of_deal(library, unanswered),
        missing,
        tuple(build_ledger_line(unanswered, entry) for entry in entries),
        tuple(f"{rule} ({library.questions[question].id})" for rule, question in left_out),
        choose_lender(library, unanswered.ruleset.source, lacking) or "",
    )


def explain_silence_of_deal(library: Library, unanswered: Unanswered) -> str:
    """Describe why a ruleset settles nothing for want of an answer."""
    unread = explain_draft_gap(library, unanswered.ruleset.source, unanswered.silent.question)
    return f"Not collated: {unread}" if unread else f"{unanswered.silent.kind}: {unanswered.silent}"


def rulings_of(settlement: AnySettlement) -> Iterator[Ruling]:
    """Every answer that a settlement or a refusal rests on."""
    if isinstance(settlement, Settled):
        yield from (r for e in settlement.entries for r in settlement.rulings(e))
    elif isinstance(settlement, Refused):
        yield from (settlement.ruleset.rulings[q] for r in settlement.refusals for q in r.asked)


def build_ledger_line(settled: Settled | Unanswered, entry: Entry) -> LedgerLine:
    """Build the line of an entry."""
    seats = settled.deal.seats
    return LedgerLine(
        entry,
        describe_entry(entry, seats),
        "" if entry.fact.card is None else format_card(entry.fact.card),
        name_payments(settled, entry),
        settled.rulings(entry),
        describe_event(entry, seats),
    )


def name_payments(settled: Settled | Unanswered, entry: Entry) -> tuple[Paid, ...]:
    """Return who pays whom how much for an entry, by the names of the accounts."""
    deal, sums = settled.deal, ((p, p.counted(settled.before)) for p in entry.postings)
    return tuple(
        Paid(name_ledger_account(deal, p.payer), name_ledger_account(deal, p.payee), amount)
        for p, amount in sums
        if amount
    )


def names_of(entries: Sequence[LedgerLine]) -> Iterator[str]:
    """A name for each entry, the same by every source for what is the same there."""
    seen: Counter[str] = Counter()
    for entry in entries:
        name = f"{entry.entry.fact.trick or ''}.{entry.entry.rule}.{entry.card}"
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
    state = STATE_NAMES[type(settlement)]
    figures = compare_expectations(expected, result(settlement), f"not there (the deal is {state})")
    reasoning, pending = (single_spaced(str(expected.get(key) or "")) for key in ("reasoning", "pending"))
    return Expectation(figures, reasoning, pending)
