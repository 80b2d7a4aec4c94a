"""Explain why each player is paid, and why not: as text, as data."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import click
from rich.console import Console
from rich.text import Text

from edition.cli import output
from edition.cli.arguments import hint_nearest_name, parse_wish_option, resolve_cli_rules
from edition.cli.completion import complete_source
from edition.cli.options import FORMAT_OPTION, IGNORE_UNKNOWN_OPTION, make_wish_option
from engine.deal.model import Deal
from engine.settlement.explain import reckon
from reversis.cli.deal_arguments import (
    complete_deal,
    complete_seat,
    load_playable_library,
    process_cli_deals,
    require_record_names,
    require_siglum,
)
from reversis.words.explanation import build_explanation, select_lines
from reversis.words.ledgers import (
    ExplainedAnswer,
    LedgerLine,
    LedgerView,
    RefusalView,
)
from rulebook.answers.wording import STATUS_LABELS
from rulebook.cited_clauses import CitedClause
from rulebook.phrases import format_count, format_signed_sum
from rulebook.strings import quote_value

EXPLANATION_SCHEMA = 1
_LONG_PASSAGE = 80  #: letters from which on a passage is not told again
_INDENT = 2  #: letters by which each level stands farther in


@click.command("explain")
@click.argument("deal", metavar="DEAL", shell_complete=complete_deal)
@click.option("-s", "--source", metavar="S", help="By this source; required.", shell_complete=complete_source)
@click.option("-t", "--trick", type=click.IntRange(min=1), metavar="N", help="Only this trick.")
@click.option(
    "--seat", default="", metavar="NAME", help="Only what concerns this player.", shell_complete=complete_seat
)
@make_wish_option("Play another rule, as with `reversis run`. May be given several times.")
@FORMAT_OPTION
@IGNORE_UNKNOWN_OPTION
@click.option("-q", "--quiet", is_flag=True, help="In text: without the clauses.")
def explain_command(
    deal: str,
    source: str | None,
    trick: int | None,
    seat: str,
    wishes: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Explain every payment of a deal, and why others are not made.

    For every payment: what happened, who pays whom how much, by which answers, and in what words the source says so.
    Then, for every payment that could have been expected: why nothing is paid. DEAL is a file (YAML, or JSON), the id
    of a worked deal of the edition, or - for standard input (YAML, JSON or JSON lines).

    Exit code 1 if the record is faulty, or if the source refuses the deal or is silent on it; the reason is printed.
    """
    lib = load_playable_library()
    ruleset = resolve_cli_rules(lib, require_siglum(lib, source), [parse_wish_option(lib, text) for text in wishes])
    require_record_names(lib, [deal])

    def explain(deal: Deal) -> bool:
        player = _match_part(deal, trick, seat)
        ledger = select_lines(build_explanation(lib, reckon(deal, ruleset)), trick, player)
        if form == "json":
            output.print_json(serialize_explanation(deal, ledger))
        else:
            _print_explanation(deal, ledger, quiet, trick)
        return ledger.state != "settled"

    sys.exit(process_cli_deals(lib, [deal], ignore_unknown, explain))


def _match_part(deal: Deal, trick: int | None, seat: str) -> str:
    """Return the player that is meant, if any. Raises UsageError for a trick or a player that is not there."""
    if trick is not None and trick > len(deal.tricks):
        raise click.UsageError(f"No trick {trick}: the deal has {format_count(len(deal.tricks), 'trick')}.")
    known = {name.casefold(): name for name in deal.seats}
    if seat and seat.casefold() not in known:
        raise click.UsageError(f"No player {quote_value(seat)}. {hint_nearest_name(seat, deal.seats)}")
    return known.get(seat.casefold(), "")


# ---- text
@dataclass
class ExplanationPrinter:
    """Printer of an explanation that remembers which answers it has printed."""

    screen: Console
    quiet: bool
    within: str = ""  #: the part of the deal that was asked for
    told: set[tuple[str, str]] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)  #: long passages that need not be read out twice

    def say(self, words: str, level: int = 0, mark: str = "", style: str = "") -> None:
        """Print a line at an indent level; where it wraps, it aligns below its own start."""
        before = " " * (level * _INDENT)
        lines = wrap(
            words,
            max(self.screen.width, 40),
            initial_indent=before + mark,
            subsequent_indent=before + " " * len(mark),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            self.screen.print(Text(line, style=style), soft_wrap=True)

    def gap(self) -> None:
        """Print an empty line."""
        self.screen.print()


def _print_explanation(deal: Deal, ledger: LedgerView, quiet: bool, trick: int | None) -> None:
    within = "" if trick is None else " in this trick"
    teller = ExplanationPrinter(output.make_console(), quiet, within)
    hybrid = " (not the rules of one source)" if ledger.hybrid else ""
    teller.say(f"{deal.id}: {deal.title or deal.id}", style="bold")
    title = re.sub("^The ", "the ", ledger.title)
    teller.say(f"By {ledger.ruleset}, {title}{hybrid}; sums in its smallest counter, the {ledger.unit}.")
    _STATE_PRINTERS[ledger.state](teller, ledger)


def print_settled_explanation(teller: ExplanationPrinter, ledger: LedgerView) -> None:
    """Print the payments made, and those not made."""
    _print_heading(teller, "What is paid, and why")
    for payment in ledger.entries:
        _print_paid(teller, payment)
    if not ledger.entries:
        teller.say("Nothing.")
    _print_heading(teller, "Not paid, and why")
    for unpaid in ledger.unpaid:
        if unpaid.reason != "returned":
            teller.gap()
            teller.say(f"{unpaid.sentence}.", style="bold")
            _print_reasons(teller, unpaid.because)
    _print_returned(teller, [line for line in ledger.unpaid if line.reason == "returned"])
    if not ledger.unpaid:
        teller.say(f"There is nothing else that one might have expected{teller.within}.")
    _print_heading(teller, "In the end")
    teller.say(", ".join(f"{who} {format_signed_sum(sum_)}" for who, sum_ in ledger.net))
    for words in ledger.outcome:
        teller.say(f"{words[:1].upper()}{words[1:]}.")
    if ledger.not_held:
        _print_heading(teller, f"What {ledger.source} orders, and no answer holds")
        teller.say(f"{ledger.not_held}.")
    if ledger.unread:
        head = "what the rest may say, and is played as if there were no such rule"
        _print_heading(teller, f"Our copy of {ledger.source} is not whole: {head}")
    for words in ledger.unread:
        teller.say(words)


def _print_heading(teller: ExplanationPrinter, words: str) -> None:
    teller.gap()
    teller.say(words, style="bold underline")


def _print_paid(teller: ExplanationPrinter, line: LedgerLine) -> None:
    teller.gap()
    teller.say(f"{line.sentence}.", style="bold")
    for posting, how in zip(line.postings, line.sums, strict=True):
        teller.say(f"{posting.payer} to {posting.payee}: {how or posting.amount}", 1)
    for lender in dict.fromkeys(answer.lent_sum for answer in line.because if answer.lent_sum):
        teller.say(f"with a sum supplied from {lender}", 1)
    if line.reason == "returned":
        teller.say("In the end all of this is given back, because of the reversis.", 1)
    _print_reasons(teller, line.because)


def _print_returned(teller: ExplanationPrinter, lines: Sequence[LedgerLine]) -> None:
    if not lines:
        return
    teller.gap()
    which = "one" if len(lines) == 1 else str(len(lines))
    teller.say(
        f"Of the payments above, {which} came to nothing, being given back because of the reversis.", style="bold"
    )
    _print_reasons(teller, dict.fromkeys(answer for line in lines for answer in line.because))


def _print_reasons(teller: ExplanationPrinter, answers: Iterable[ExplainedAnswer]) -> None:
    """Print the answers, in full when they come up for the first time."""
    if teller.quiet:
        return
    known: list[str] = []
    for answer in answers:
        if (
            key := (answer.question, answer.answer)
        ) in teller.told:  # of a further card the same question may have another
            known.append(answer.question)
            continue
        teller.told.add(key)
        _print_answer(teller, answer)
    if known:
        teller.say(f"as above: {', '.join(known)}", 1, "– ")


def _print_answer(teller: ExplanationPrinter, answer: ExplainedAnswer) -> None:
    teller.say(f"{answer.question} {answer.asks} {answer.answer or 'These rules have no such question.'}", 1, "– ")
    for ground in answer.grounds:
        _print_ground(teller, ground)
    if answer.chosen:
        teller.say(answer.chosen, 3)


def _print_ground(teller: ExplanationPrinter, ground: CitedClause) -> None:
    plain = ground.status == "stated" or ground.kind in ("supplied", "reason")
    clause = ground.id if plain else f"{ground.id}, {STATUS_LABELS[ground.status]}"
    for at, (words, locus) in enumerate(ground.quotations):
        place = locus if at else f"{locus}; {clause}"
        teller.say(f"{_quote_passage(teller, ground.kind, words)} ({place})", 3)
    if ground.remark:
        teller.say(f"{ground.remark} ({clause})", 3)
    if ground.emendations:
        teller.say(f"The page is emended here: {', '.join(ground.emendations)}.", 3)


def _quote_passage(teller: ExplanationPrinter, kind: str, words: str) -> str:
    """Return a passage, or, of a long one printed before, a reference to it."""
    if words in teller.quoted:
        return "the same words as above"
    if len(words) > _LONG_PASSAGE:
        teller.quoted.add(words)
    return f"“{words}”" if kind == "quotation" else f"in our words: {words}"


def print_refused_explanation(teller: ExplanationPrinter, ledger: LedgerView) -> None:
    """Print the plays that the source does not allow, and its words."""
    _print_heading(teller, "By this source the deal cannot be played so")
    for refusal in ledger.refusals:
        teller.gap()
        teller.say(_format_refusal(refusal), style="bold")
        _print_reasons(teller, refusal.because)


def _format_refusal(refusal: RefusalView) -> str:
    legal = (
        f" Lawful would have been {', '.join(refusal.legal)}."
        if refusal.legal and refusal.legal[0] not in refusal.message
        else ""
    )
    return refusal.message + legal


def _print_silent_explanation(teller: ExplanationPrinter, ledger: LedgerView) -> None:
    _print_heading(teller, "These rules are silent on what the deal raises")
    for answer in ledger.silence.because if ledger.silence else ():
        teller.gap()
        teller.say(f"{answer.question} {answer.asks}", style="bold")
        for ground in answer.grounds:
            _print_ground(teller, ground)


_STATE_PRINTERS: Mapping[str, Callable[[ExplanationPrinter, LedgerView], None]] = {
    "settled": print_settled_explanation,
    "refused": print_refused_explanation,
    "silent": _print_silent_explanation,
}


# ---- data
def serialize_explanation(deal: Deal, ledger: LedgerView) -> dict[str, object]:
    """Return an explanation as plain data."""
    first: dict[str, object] = {
        "schema": EXPLANATION_SCHEMA,
        "deal": deal.id,
        "source": ledger.source,
        "ruleset": ledger.ruleset,
        "unit": ledger.unit,
        "state": ledger.state,
    }
    if ledger.state == "refused":
        return first | {"refused": [_serialize_forbidden(refusal) for refusal in ledger.refusals]}
    if ledger.state == "silent":
        return first | {"silent": _serialize_answers(ledger.silence.because if ledger.silence else ())}
    return first | {
        "paid": [_serialize_paid(entry) for entry in ledger.entries],
        "unpaid": [
            {**_serialize_case(line), "reason": line.reason, "because": _serialize_answers(line.because)}
            for line in ledger.unpaid
        ],
        "net": dict(ledger.net),
    }


def _serialize_paid(line: LedgerLine) -> dict[str, object]:
    sums = zip(line.postings, line.sums, strict=True)
    return {
        **_serialize_case(line),
        "returned": line.reason == "returned",
        "postings": [{"from": p.payer, "to": p.payee, "amount": p.amount, "sum": how} for p, how in sums],
        "because": _serialize_answers(line.because),
    }


def _serialize_case(line: LedgerLine) -> dict[str, object]:
    """Return what a payment, made or not, is about, as plain data."""
    entry, card = line.entry, {"card": line.card} if line.card else {}
    first = {"trick": entry.fact.trick, "fact": entry.name, "rule": entry.rule}
    return {**first, **card, "seats": line.seats, "said": line.sentence}


def _serialize_forbidden(refusal: RefusalView) -> dict[str, object]:
    return {
        "trick": refusal.trick,
        "seat": refusal.seat or None,
        "card": refusal.card or None,
        "legal": refusal.legal,
        "message": refusal.message,
        "because": _serialize_answers(refusal.because),
    }


def _serialize_answers(answers: Iterable[ExplainedAnswer]) -> list[dict[str, object]]:
    return [_serialize_answer(answer) for answer in answers]


def _serialize_answer(answer: ExplainedAnswer) -> dict[str, object]:
    return {
        "question": answer.question,
        "asks": answer.asks,
        "answer": answer.answer or None,
        "interpretation": answer.interpretation or None,
        "chosen": answer.chosen or None,
        "clauses": list(_serialize_grounds(answer.grounds)),
    }


def _serialize_grounds(grounds: Iterable[CitedClause]) -> Iterator[dict[str, object]]:
    for clause in grounds:
        words = [{"words": quotation, "locus": locus} for quotation, locus in clause.quotations]
        yield {
            "clause": clause.id,
            "status": clause.status,
            "kind": clause.kind,
            "lang": clause.lang,
            "words": words,
            "remark": clause.remark or None,
            "emendations": clause.emendations,
        }
