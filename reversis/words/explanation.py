"""Explanation of a deal by one source: payments and nonpayments, with reasons.

It is told as an expert would tell it at the table, with the source's words.

`build_explanation(library, reckoned)` is an `Explanation`: what is paid and by which answers, what is not paid and
why; or, of a deal that cannot be settled, the refusals or the silence. It holds words only, chosen and in order; who
shows it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.cards import format_card
from engine.settlement.explain import PaymentVerdict, Reckoning, reckon
from engine.settlement.ledger import Account, Entry, name_ledger_account
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.words.events import EntryContext, describe_entry, describe_outcome
from reversis.words.ledgers import AnySettlement, refusal_view, silence_view, view_cited_clause
from reversis.words.spoken_answers import SpokenRules, speak_answer
from reversis.words.sums import sum_in_words
from reversis.words.supply import list_unread_rules
from rulebook.answers.wording import NOT_CONSULTED, STATUS_LABELS, describe_supply_ground, get_sum_counter
from rulebook.model import Clause, Library, Question, Ruling, Source
from rulebook.phrases import capitalise, end_sentence, join_names
from rulebook.resolve import list_silent_readings
from rulebook.strings import single_spaced


# ---- what an explanation is made of
@dataclass(frozen=True, slots=True)
class ExplanationQuotation:
    """Words and where they stand."""

    words: str
    locus: str


@dataclass(frozen=True, slots=True)
class AnswerGround:
    """A clause on which an answer rests: the source's own words, or ours where it has none."""

    clause: str
    status: str  #: as in rulebook.model.STATUSES
    kind: str  #: quotation | paraphrase | supplied | reason
    lang: str
    quotations: tuple[ExplanationQuotation, ...]
    remark: str = ""  #: what we say of it: why it is supplied, and from where; why there is no answer
    emendations: tuple[str, ...] = ()

    @property
    def standing(self) -> str:
        """Its status in words, where it is not simply stated."""
        return "" if self.status == "stated" else STATUS_LABELS[self.status]


@dataclass(frozen=True, slots=True)
class ExplainedAnswer:
    """A question that was asked, how it is answered, and on what the answer rests."""

    question: str  #: Q033
    asks: str
    answer: str  #: in words; empty where these rules have no such question
    grounds: tuple[AnswerGround, ...]
    chosen: str = ""  #: which interpretation or option, and against which others
    interpretation: str = ""  #: its id
    lent_sum: str = ""  #: PAM, which counts in fiche; empty where it is no sum, or the source's own


@dataclass(frozen=True, slots=True)
class ExplainedPosting:
    """Counters that pass from one to another, and how the sum comes about."""

    payer: str
    payee: str
    amount: int
    sum: str = ""  #: 10 × 2 (they sit opposite) = 20; empty where there is nothing to reckon


@dataclass(frozen=True, slots=True)
class ExplainedPayment:
    """A payment and its reasons."""

    trick: int | None
    rule: str
    fact: str
    card: str
    seats: tuple[str, ...]  #: whom it concerns
    sentence: str
    passings: tuple[ExplainedPosting, ...]
    because: tuple[ExplainedAnswer, ...]
    comes_back: bool  #: the reversis undoes it

    @property
    def lent_sums(self) -> tuple[str, ...]:
        """Sources of the sums in it that are lent, not its own source's."""
        return tuple(dict.fromkeys(one.lent_sum for one in self.because if one.lent_sum))


@dataclass(frozen=True, slots=True)
class ExplainedNonpayment:
    """A payment that one might have looked for, and the one reason why it is not made."""

    trick: int | None
    rule: str
    fact: str
    card: str
    seats: tuple[str, ...]
    reason: str  #: as in engine.settlement.nonpayment.NONPAYMENT_REASONS
    sentence: str
    because: tuple[ExplainedAnswer, ...]


@dataclass(frozen=True, slots=True)
class ExplainedRefusal:
    """An action that a source does not allow, and the words of it that forbid it."""

    trick: int | None
    seat: str
    card: str
    legal: tuple[str, ...]
    sentence: str
    because: tuple[ExplainedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A deal settled by one source, with its reasons."""

    deal: str
    title: str
    source: str
    source_title: str
    ruleset: str
    unit: str
    state: str  #: settled | refused | silent
    tricks: int
    seats: tuple[str, ...]
    paid: tuple[ExplainedPayment, ...] = ()
    unpaid: tuple[ExplainedNonpayment, ...] = ()
    net: tuple[tuple[str, int], ...] = ()
    outcome: tuple[str, ...] = ()
    not_held: str = ""  #: what the source orders and no answer holds, in one line
    unread: tuple[str, ...] = ()  #: questions on which the part not consulted may have a rule, and none is played
    forbidden: tuple[ExplainedRefusal, ...] = ()
    silence: tuple[ExplainedAnswer, ...] = ()

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
def build_explanation(library: Library, settlement: AnySettlement | Reckoning) -> Explanation:
    """Explain a deal by one ruleset; one that was only settled is computed once more."""
    if isinstance(settlement, Settled):
        return build_explanation(library, reckon(settlement.deal, settlement.ruleset))
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
        return _add_payments(base, SpokenRules(library, rules), settlement)
    if isinstance(settlement, Refused):
        return replace(base, forbidden=tuple(_explain_refusals(SpokenRules(library, rules), settlement)))
    return replace(base, silence=(_explain_silence(SpokenRules(library, rules), settlement),))


def _add_payments(base: Explanation, words: SpokenRules, found: Reckoning) -> Explanation:
    done = found.settled
    return replace(
        base,
        paid=tuple(_explain_payment(words, done, one) for one in found.all if one.passes),
        unpaid=_explain_nonpayments(words, found),
        net=tuple((name_ledger_account(done.deal, a), n) for a, n in done.net.items()),
        outcome=describe_outcome(done.outcome, done.deal.seats),
        not_held=done.unheld_line,
        unread=tuple(
            f"{question.id} {question.asks}"
            for question in map(words.question, list_unread_rules(words.library, done.ruleset.source))
            if question.slug not in done.ruleset.rulings
        ),
    )


def explain_nonpayments(library: Library, found: Reckoning) -> tuple[ExplainedNonpayment, ...]:
    """Explain the payments of a settled deal that one might look for and that are not made."""
    return _explain_nonpayments(SpokenRules(library, found.settled.ruleset), found)


def _explain_nonpayments(words: SpokenRules, found: Reckoning) -> tuple[ExplainedNonpayment, ...]:
    groups = _group_nonpayments(found.unpaid)
    return tuple(_explain_nonpayment(words, found.settled, group) for group in groups)


def _explain_payment(words: SpokenRules, done: Settled, one: PaymentVerdict) -> ExplainedPayment:
    entry, seats = one.entry, done.deal.seats
    passings = tuple(
        ExplainedPosting(
            name_ledger_account(done.deal, p.payer),
            name_ledger_account(done.deal, p.payee),
            n,
            sum_in_words(words, done, entry, p, n),
        )
        for p, n in zip(entry.postings, one.amounts, strict=True)
        if n
    )
    return ExplainedPayment(
        entry.fact.trick,
        entry.rule,
        entry.name,
        card_of(entry),
        by_name(seats, _list_concerned_accounts(entry)),
        describe_entry(entry, seats),
        passings,
        tuple(_explain_answer(words.about(entry.fact), ruling) for ruling in one.rulings),
        one.reason == "returned",
    )


def card_of(entry: Entry) -> str:
    """The card it is about, if any."""
    return "" if entry.fact.card is None else format_card(entry.fact.card)


def _list_concerned_accounts(entry: Entry) -> tuple[Account | None, ...]:
    """Accounts that an entry concerns: of the fact, the payers, the payees."""
    return (entry.fact.player, *(who for p in entry.postings for who in (p.payer, p.payee)))


def by_name(seats: Sequence[str], accounts: Iterable[Account | None]) -> tuple[str, ...]:
    """Players by name, each once; the pool is none."""
    return tuple(dict.fromkeys(seats[a] for a in accounts if isinstance(a, int)))


# ---- what is not paid
def _group_nonpayments(found: Iterable[PaymentVerdict]) -> Iterator[tuple[PaymentVerdict, ...]]:
    """Group what several players do not pay for the same reason, to tell it once."""
    groups: dict[object, list[PaymentVerdict]] = {}
    for one in found:
        fact = ("seat", one.entry.fact.card) if one.entry.fact.kind == "seat" else one.entry.fact
        groups.setdefault((one.entry.rule, fact, one.reason, one.entry.by), []).append(one)
    return (tuple(group) for group in groups.values())


def _explain_nonpayment(words: SpokenRules, done: Settled, group: tuple[PaymentVerdict, ...]) -> ExplainedNonpayment:
    one, seats = group[0], done.deal.seats
    concerned = [seat for g in group for seat in _list_concerned_accounts(g.entry)]
    return ExplainedNonpayment(
        one.entry.fact.trick,
        one.entry.rule,
        one.entry.name,
        card_of(one.entry),
        by_name(seats, concerned),
        one.reason,
        _phrase_nonpayment(one, seats, by_name(seats, [g.entry.fact.player for g in group])),
        _find_deciding_answers(words, one),
    )


def _find_deciding_answers(words: SpokenRules, one: PaymentVerdict) -> tuple[ExplainedAnswer, ...]:
    """The answer that decides it; where no single one does, the first that was asked."""
    if one.missing:
        return (no_question(words, one.missing),)
    ruling = one.by or next(iter(one.rulings), None)
    return (_explain_answer(words.about(one.entry.fact), ruling),) if ruling else ()


def _phrase_nonpayment(one: PaymentVerdict, seats: Sequence[str], who: tuple[str, ...]) -> str:
    told = EntryContext(one.entry, tuple(seats))
    if one.entry.postings:
        return f"{describe_entry(one.entry, seats)}; but {_phrase_reason(one)}"
    head = describe_entry(one.entry, seats).partition(": ")[0]
    what = NONPAYMENT_PHRASES.get(one.entry.rule, _phrase_no_return)(told, join_names(who))
    return f"{head}: {what}{' so far' * (one.reason == 'open')}, because {_phrase_reason(one)}"


def _phrase_reason(one: PaymentVerdict) -> str:
    return _RULE_SPECIFIC_REASONS.get((one.entry.rule, one.reason)) or NONPAYMENT_REASONS[one.reason]


#: A reason of `NONPAYMENT_REASONS` whose general words would not be said of this rule at table.
_RULE_SPECIFIC_REASONS: Mapping[tuple[str, str], str] = {
    ("stake-by-tricks", "nobody-pays"): "by these rules no tricks can win it",
    ("refreshed", "not-then"): "by these rules that does not call for it",
    ("dealt-again", "nobody-pays"): "by these rules it costs nothing",
}


def _choose_verb_form(who: str) -> str:
    return "pay" if " and " in who else "pays"


def _phrase_no_return(t: EntryContext, who: str) -> str:
    """Words on something that a reversis might have undone."""
    what = {
        "forced-fine-returned": "the fine for",
        "draws-stake-returned": "the stake drawn by",
        "matches-stake-returned": "what was put in for",
    }.get(t.entry.rule, "what was paid for")
    return f"{what} {who}'s {t.card}, {t.then}, is not given back"


def _phrase_no_partie(t: EntryContext, who: str) -> str:
    if t.entry.reason in ("reversis", "no-payee"):
        return "nobody pays the partie, or talon"
    return f"{who} {_choose_verb_form(who)} no partie, or talon"


def _phrase_no_reversis_stake(t: EntryContext, who: str) -> str:
    if t.entry.by == "reversis.broken.stake":
        return f"{who} puts nothing in for the broken reversis"
    return f"{who}'s reversis itself {f'does not draw {t.stake}' if t.entry.fact.called else 'draws no stake'}"


#: What one might look for and is not paid, by rule; what a reversis gives back has words of its own.
NONPAYMENT_PHRASES: Mapping[str, Callable[[EntryContext, str], str]] = {
    "thrown-off": lambda t, who: f"nobody pays for the {t.card}, thrown off by {who}",
    "forced": lambda t, who: f"{who} pays nobody for the {t.card}, {t.manner}",
    "led": lambda t, who: f"nothing is owed for the {t.card}, led by {who}",
    "forced-fine": lambda t, who: f"{who} pays no fine to the others, though the {t.card} was {t.manner}",
    "draws-stake": lambda t, who: f"the {t.card}, thrown off by {who}, draws no stake",
    "matches-stake": lambda t, who: f"{who} puts nothing in, though the {t.card} was {t.manner}",
    "espagnolette-returns": lambda t, who: f"the lost espagnolette gives nothing back for {who}'s {t.card}, {t.then}",
    "espagnolette-returns-stake": lambda t, who: f"{who}, whose espagnolette is lost, pays no stake back",
    "reversis-by-quinola": lambda t, who: f"the {t.card}, {t.then}, does not touch {t.its_stake} for the reversis",
    "breaking-quinola": lambda t, who: f"nobody pays besides for {who}'s {t.card}, which took a trick of the reversis",
    "reversis-made": lambda t, who: f"{who} {_choose_verb_form(who)} nothing for a reversis",
    "reversis-broken": lambda t, who: f"{who} pays nobody for breaking the reversis",
    "reversis-stake": _phrase_no_reversis_stake,
    "partie": _phrase_no_partie,
    "stake-by-tricks": lambda t, who: f"nobody's tricks win {t.stake}",
    "refreshed": lambda t, who: f"{t.stake} is not renewed, though the {t.card} was {t.then}",
    "misdeal": lambda t, who: f"{who}, who has misdealt, pays nothing",
    "dealt-again": lambda t, who: "nobody pays for having the cards dealt again",
    "fine": lambda t, who: f"{who} pays no fine",
    "fine-returned": lambda t, who: f"{who} is not given back the fine",
}


# ---- answers and what they rest on
def _explain_answer(words: SpokenRules, ruling: Ruling) -> ExplainedAnswer:
    question = words.question(ruling.question)
    return ExplainedAnswer(
        ruling.id,
        question.asks,
        _speak_ruling(words, question, ruling),
        tuple(_build_ground(words, words.library.clause(id)) for id in ruling.clauses),
        _describe_choice(words, ruling),
        ruling.interpretation,
        _describe_lent_sum(words, question, ruling),
    )


def _describe_lent_sum(words: SpokenRules, question: Question, ruling: Ruling) -> str:
    """Say from where a sum is supplied, and in which counter it is given there if in another."""
    source = words.library.sources[words.rules.source]
    if not (ruling.supplied and ruling.value and get_sum_counter(question, ruling.value, source)):
        return ""
    ground = words.library.clause(ruling.clauses[0]).taken_from
    lender = words.library.sources.get(ground)
    counter = f", which counts in {lender.unit}" if lender and lender.unit != source.unit else ""
    return f"{describe_supply_ground(ground)}{counter}"


def _speak_ruling(words: SpokenRules, question: Question, ruling: Ruling) -> str:
    said = speak_answer(words, question, ruling.answer)
    if not ruling.not_played:
        return said
    return f"{said} This is not played, but instead: {speak_answer(words, question, ruling.value)}"


def no_question(words: SpokenRules, slug: str) -> ExplainedAnswer:
    """A question that these rules do not have, and why."""
    question, cell = words.question(slug), words.library.cell(words.rules.source, slug)
    clauses = cell.clauses if cell and cell.value is None else ()
    grounds = _list_silence_grounds(words, slug) or [_build_ground(words, clause) for clause in clauses]
    return ExplainedAnswer(question.id, question.asks, "", tuple(grounds))


def _list_silence_grounds(words: SpokenRules, slug: str) -> list[AnswerGround]:
    """List the other readings that were chosen, and by which the source says nothing on a question."""
    source = words.library.sources[words.rules.source]
    return [
        AnswerGround(
            one.id,
            "silent",
            "reason",
            "",
            (),
            f"Read as “{one.label}”, {source.siglum} says nothing on it in {one.searched}.",
        )
        for one in list_silent_readings(source, words.rules.rulings)
        if slug in one.silent
    ]


def _build_ground(words: SpokenRules, clause: Clause) -> AnswerGround:
    """A clause with its words: those of the source, or ours."""
    source = words.library.sources[clause.source]
    view = view_cited_clause(words.library, clause)
    return AnswerGround(
        clause.id,
        clause.status,
        view.kind,
        view.lang,
        () if view.kind in ("supplied", "reason") else _list_quotations(source, clause, view.kind),
        _compose_remark(source, clause) if view.kind in ("supplied", "reason") else "",
        clause.emendations,
    )


def _list_quotations(source: Source, clause: Clause, kind: str) -> tuple[ExplanationQuotation, ...]:
    """The passages that it rests on; of a source in copyright, in our words."""
    cites = [c for c in clause.cites if c.role == "grounds"] or list(clause.cites[:1])
    ours = {s.id: s.text for s in source.statements}
    found = ((ours.get(c.locus, "") if kind == "paraphrase" else c.exact, c.locus) for c in cites)
    return tuple(ExplanationQuotation(single_spaced(said), locus) for said, locus in dict.fromkeys(found) if said)


def _compose_remark(source: Source, clause: Clause) -> str:
    because = single_spaced(clause.because)
    if not clause.supplied or not clause.answers:
        return because
    whence = f" from {describe_supply_ground(clause.taken_from)}" if clause.taken_from else ""
    unsaid = f"{NOT_CONSULTED} of {source.siglum}" if source.partial else f"{source.siglum} is silent here"
    limited = f", and limits what {join_names(clause.limits)} says" if clause.limits else ""
    return f"{capitalise(unsaid)}; this is supplied by the edition{whence}{limited}. {because}".strip()


def _describe_choice(words: SpokenRules, ruling: Ruling) -> str:
    """Reading chosen where there are several, or a note that the reader wished it."""
    if not ruling.clauses:
        return "No source says so: it is the reader's wish."
    clauses = [words.library.clause(id) for id in ruling.clauses]
    for clause in clauses:
        if ruling.interpretation == f"{clause.id}.preferred":
            rivals = [f"“{r.label}” ({r.id})" for r in clause.rivals if ruling.question in r.answers]
            return f"Read here as “{clause.label}”, rather than {' or '.join(rivals)}."
        for one in clause.alternatives:
            if one.id == ruling.interpretation:
                kind = "other reading" if one.kind == "interpretation" else "option that the source offers"
                return f"By the {kind}: “{one.label}” ({one.id})."
    return ""


# ---- what cannot be settled
def _explain_refusals(words: SpokenRules, refused: Refused) -> Iterator[ExplainedRefusal]:
    for refusal in refused.refusals:
        view = refusal_view(refused, refusal)
        rulings = (words.rules.rulings[q] for q in refusal.asked)
        why = tuple(_explain_answer(words, ruling) for ruling in rulings)
        yield ExplainedRefusal(view.trick, view.seat, view.card, view.legal, end_sentence(view.message), why)


def _explain_silence(words: SpokenRules, unanswered: Unanswered) -> ExplainedAnswer:
    slug = unanswered.silent.question
    if slug in words.library.questions:
        return no_question(words, slug)
    view = silence_view(words.library, unanswered)
    return ExplainedAnswer(view.question, view.asks, "", ())
