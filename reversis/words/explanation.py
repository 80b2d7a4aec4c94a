"""Explanation of a deal by one source: payments and nonpayments, with reasons.

It is told as an expert would tell it at the table, with the source's words.

`build_explanation(library, reckoned)` is a `LedgerView` whose lines have their reasons: what is paid and by which
answers, what is not paid and why; or, of a deal that cannot be settled, the refusals or the silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.play.table import Refusal
from engine.settlement.explain import Reckoning, find_missing_question, reckon
from engine.settlement.ledger import Account, Entry
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.words.events import EntryContext, describe_entry
from reversis.words.ledgers import (
    AnySettlement,
    ExplainedAnswer,
    LedgerLine,
    LedgerView,
    RefusalView,
    SilenceView,
    build_ledger_line,
    build_ledger_view,
)
from reversis.words.spoken_answers import SpokenRules, speak_answer, sum_in_words
from reversis.words.supply import list_unread_rules
from rulebook.answers.wording import describe_supply_ground, get_sum_counter
from rulebook.cited_clauses import CitedClause, view_cited_clause, view_ruling_clause
from rulebook.grouping import group_pairs
from rulebook.model import Library, Question, Ruling
from rulebook.phrases import end_sentence, join_names
from rulebook.resolve import list_silent_readings


# ---- the whole
def build_explanation(library: Library, settlement: AnySettlement | Reckoning) -> LedgerView:
    """Explain a deal by one ruleset; one that was only settled is computed once more."""
    if isinstance(settlement, Settled):
        return build_explanation(library, reckon(settlement.deal, settlement.ruleset))
    settled = settlement.settled if isinstance(settlement, Reckoning) else settlement
    words, ledger = SpokenRules(library, settled.ruleset), build_ledger_view(library, settled, None)
    if isinstance(settlement, Refused):
        refusals = zip(ledger.refusals, settlement.refusals, strict=True)
        return replace(ledger, refusals=tuple(_explain_refusal(words, *pair) for pair in refusals))
    if isinstance(settlement, Unanswered):
        assert ledger.silence is not None
        because = (_explain_silence(words, ledger.silence),)
        return replace(ledger, silence=replace(ledger.silence, because=because))
    return replace(
        ledger,
        entries=tuple(
            _explain_payment(words, settlement.settled, entry)
            for entry in settlement.all
            if any(settlement.settled.amounts(entry))
        ),
        unpaid=explain_nonpayments(library, settlement),
        unread=tuple(
            f"{question.id} {question.asks}"
            for question in map(words.question, list_unread_rules(library, ledger.source))
            if question.slug not in words.rules.rulings
        ),
    )


def explain_nonpayments(library: Library, reckoning: Reckoning) -> tuple[LedgerLine, ...]:
    """Explain the payments of a settled deal that one might look for and that are not made."""
    words, groups = SpokenRules(library, reckoning.settled.ruleset), _group_nonpayments(reckoning.unpaid)
    return tuple(_explain_nonpayment(words, reckoning.settled, group) for group in groups)


def select_lines(ledger: LedgerView, trick: int | None, seat: str) -> LedgerView:
    """Select what has to do with a card of a trick, or concerns a player; without either, all."""

    def select(lines: Iterable[LedgerLine]) -> tuple[LedgerLine, ...]:
        known = (line for line in lines if trick in (None, line.entry.fact.trick))
        return tuple(line for line in known if not seat or seat in line.seats)

    refusals = (refusal for refusal in ledger.refusals if trick is None or refusal.trick in (None, trick))
    forbidden = tuple(refusal for refusal in refusals if not seat or refusal.seat in ("", seat))
    return replace(ledger, entries=select(ledger.entries), unpaid=select(ledger.unpaid), refusals=forbidden)


def _explain_payment(words: SpokenRules, done: Settled, entry: Entry) -> LedgerLine:
    spoken, sums = words.about(entry.fact), zip(entry.postings, done.amounts(entry), strict=True)
    return replace(
        build_ledger_line(done, entry),
        sums=tuple(sum_in_words(words, done, entry, posting, amount) for posting, amount in sums if amount),
        seats=_name_players(done.deal.seats, _list_concerned_accounts(entry)),
        because=tuple(_explain_answer(spoken, ruling) for ruling in done.rulings(entry)),
        reason=entry.reason,
    )


def _list_concerned_accounts(entry: Entry) -> tuple[Account | None, ...]:
    """Accounts that an entry concerns: of the fact, the payers, the payees."""
    return entry.fact.player, *(who for p in entry.postings for who in (p.payer, p.payee))


def _name_players(seats: Sequence[str], accounts: Iterable[Account | None]) -> tuple[str, ...]:
    """Players by name, each once; the pool is none."""
    return tuple(dict.fromkeys(seats[a] for a in accounts if isinstance(a, int)))


# ---- what is not paid
def _group_nonpayments(unpaid: Iterable[Entry]) -> Iterable[tuple[Entry, ...]]:
    """Group what several players do not pay for the same reason, to tell it once."""
    pairs = ((("seat", entry.fact.card) if entry.fact.kind == "seat" else entry.fact, entry) for entry in unpaid)
    return group_pairs(
        ((nonpayment.rule, fact, nonpayment.reason, nonpayment.by), nonpayment) for fact, nonpayment in pairs
    ).values()


def _explain_nonpayment(words: SpokenRules, done: Settled, group: tuple[Entry, ...]) -> LedgerLine:
    first, seats = group[0], done.deal.seats
    concerned = [account for entry in group for account in _list_concerned_accounts(entry)]
    who = _name_players(seats, [entry.fact.player for entry in group])
    return replace(
        build_ledger_line(done, first),
        sentence=_phrase_nonpayment(first, seats, who),
        postings=(),
        seats=_name_players(seats, concerned),
        because=_find_deciding_answers(words, done, first),
        reason=first.reason,
    )


def _find_deciding_answers(words: SpokenRules, done: Settled, entry: Entry) -> tuple[ExplainedAnswer, ...]:
    """The answer that decides it; where no single one does, the first that was asked."""
    if entry.reason == "no-question":
        return (_explain_missing(words, find_missing_question(done, entry)),)
    ruling = done.ruleset.rulings.get(entry.by) or next(iter(done.rulings(entry)), None)
    return (_explain_answer(words.about(entry.fact), ruling),) if ruling else ()


def _phrase_nonpayment(entry: Entry, seats: Sequence[str], who: tuple[str, ...]) -> str:
    context = EntryContext(entry, tuple(seats))
    if entry.postings:
        return f"{describe_entry(entry, seats)}; but {_phrase_reason(entry)}"
    head, pays = describe_entry(entry, seats).partition(": ")[0], "pay" if len(who) > 1 else "pays"
    keys = (entry.rule, entry.rule_reason or entry.reason), (entry.rule, entry.by), entry.rule
    phrase = next(NONPAYMENT_PHRASES[key] for key in keys if key in NONPAYMENT_PHRASES)
    what = phrase.format(t=context, who=join_names(who), pays=pays)
    return f"{head}: {what}{' so far' * (entry.reason == 'open')}, because {_phrase_reason(entry)}"


def _phrase_reason(entry: Entry) -> str:
    return _RULE_SPECIFIC_REASONS.get((entry.rule, entry.reason)) or NONPAYMENT_REASONS[entry.reason]


#: A reason of `NONPAYMENT_REASONS` whose general words would not be said of this rule at table.
_RULE_SPECIFIC_REASONS: Mapping[tuple[str, str], str] = {
    ("stake-by-tricks", "nobody-pays"): "by these rules no tricks can win it",
    ("refreshed", "not-then"): "by these rules that does not call for it",
    ("dealt-again", "nobody-pays"): "by these rules it costs nothing",
}


_NO_PARTIE = "nobody pays the partie, or talon"
#: What one might look for and is not paid, by rule; by rule and reason, or deciding question, where that matters.
NONPAYMENT_PHRASES: Mapping[str | tuple[str, str], str] = {
    "thrown-off": "nobody pays for the {t.card}, thrown off by {who}",
    "forced": "{who} pays nobody for the {t.card}, {t.manner}",
    "led": "nothing is owed for the {t.card}, led by {who}",
    "forced-fine": "{who} pays no fine to the others, though the {t.card} was {t.manner}",
    "draws-stake": "the {t.card}, thrown off by {who}, draws no stake",
    "matches-stake": "{who} puts nothing in, though the {t.card} was {t.manner}",
    "thrown-off-returned": "what was paid for {who}'s {t.card}, {t.then}, is not given back",
    "forced-returned": "what was paid for {who}'s {t.card}, {t.then}, is not given back",
    "led-returned": "what was paid for {who}'s {t.card}, {t.then}, is not given back",
    "forced-fine-returned": "the fine for {who}'s {t.card}, {t.then}, is not given back",
    "draws-stake-returned": "the stake drawn by {who}'s {t.card}, {t.then}, is not given back",
    "matches-stake-returned": "what was put in for {who}'s {t.card}, {t.then}, is not given back",
    "espagnolette-returns": "the lost espagnolette gives nothing back for {who}'s {t.card}, {t.then}",
    "espagnolette-returns-stake": "{who}, whose espagnolette is lost, pays no stake back",
    "reversis-by-quinola": "the {t.card}, {t.then}, does not touch {t.its_stake} for the reversis",
    "breaking-quinola": "nobody pays besides for {who}'s {t.card}, which took a trick of the reversis",
    "reversis-made": "{who} {pays} nothing for a reversis",
    "reversis-broken": "{who} pays nobody for breaking the reversis",
    ("reversis-stake", "reversis.broken.stake"): "{who} puts nothing in for the broken reversis",
    "reversis-stake": "{who}'s reversis itself {t.draws_nothing}",
    ("partie", "reversis"): _NO_PARTIE,
    ("partie", "no-payee"): _NO_PARTIE,
    "partie": "{who} {pays} no partie, or talon",
    "stake-by-tricks": "nobody's tricks win {t.stake}",
    "refreshed": "{t.stake} is not renewed, though the {t.card} was {t.then}",
    "misdeal": "{who}, who has misdealt, pays nothing",
    "dealt-again": "nobody pays for having the cards dealt again",
    "fine": "{who} pays no fine",
    "fine-returned": "{who} is not given back the fine",
}


# ---- answers and what they rest on
def _explain_answer(words: SpokenRules, ruling: Ruling) -> ExplainedAnswer:
    question = words.question(ruling.question)
    return ExplainedAnswer(
        ruling.id,
        question.asks,
        _speak_ruling(words, question, ruling),
        tuple(view_ruling_clause(words.library, ruling, words.library.clause(id)) for id in ruling.clauses),
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
    text = speak_answer(words, question, ruling.answer)
    if not ruling.not_played:
        return text
    return f"{text} This is not played, but instead: {speak_answer(words, question, ruling.value)}"


def _explain_missing(words: SpokenRules, slug: str) -> ExplainedAnswer:
    """A question that these rules do not have, and why: by other readings that were chosen, or by the clause."""
    question, source = words.question(slug), words.library.sources[words.rules.source]
    silent = [reading for reading in list_silent_readings(source, words.rules.rulings) if slug in reading.silent]
    remarks = (
        (
            alternative.id,
            f"Read as “{alternative.label}”, {source.siglum} says nothing on it in {alternative.searched}.",
        )
        for alternative in silent
    )
    grounds = [CitedClause(id, source.siglum, "silent", "reason", "", "", remark=remark) for id, remark in remarks]
    cell = words.library.cell(source.siglum, slug)
    clauses = cell.clauses if cell and cell.value is None else ()
    grounds = grounds or [view_cited_clause(words.library, clause) for clause in clauses]
    return ExplainedAnswer(question.id, question.asks, "", tuple(grounds))


def _describe_choice(words: SpokenRules, ruling: Ruling) -> str:
    """Reading chosen where there are several, or a note that the reader wished it."""
    if not ruling.clauses:
        return "No source says so: it is the reader's wish."
    clauses = [words.library.clause(id) for id in ruling.clauses]
    for clause in clauses:
        if ruling.interpretation == f"{clause.id}.preferred":
            rivals = [f"“{r.label}” ({r.id})" for r in clause.rivals if ruling.question in r.answers]
            return f"Read here as “{clause.label}”, rather than {' or '.join(rivals)}."
        for alternative in clause.alternatives:
            if alternative.id == ruling.interpretation:
                kind = "other reading" if alternative.kind == "interpretation" else "option that the source offers"
                return f"By the {kind}: “{alternative.label}” ({alternative.id})."
    return ""


# ---- what cannot be settled
def _explain_refusal(words: SpokenRules, view: RefusalView, refusal: Refusal) -> RefusalView:
    why = tuple(_explain_answer(words, words.rules.rulings[slug]) for slug in refusal.asked)
    return replace(view, message=end_sentence(view.message), because=why)


def _explain_silence(words: SpokenRules, silence: SilenceView) -> ExplainedAnswer:
    if silence.slug in words.library.questions:
        return _explain_missing(words, silence.slug)
    return ExplainedAnswer(silence.question, silence.asks, "", ())
