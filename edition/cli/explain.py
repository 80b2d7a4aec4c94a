"""Telling why each is paid, and why not: as text, as data."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import click
from rich.console import Console
from rich.text import Text

from edition.analysis.explanation import Because, Explanation, Forbidden, Ground, Paid, Passing, Unpaid, explained
from edition.analysis.ledgers import signed
from edition.cli import output
from edition.cli.arguments import checked, library, nearest, records, rules, siglum, wish
from edition.cli.options import FORMAT, IGNORE_UNKNOWN
from edition.text.answers import plural
from engine.deal.model import Deal
from engine.settlement.explain import reckon

SCHEMA = 1
LONG = 80  #: letters from which on a passage is not told again
STEP = 2  #: letters by which each level stands farther in


@click.command("explain")
@click.argument("deal", metavar="DEAL")
@click.option("-s", "--source", required=True, metavar="S", help="By this source.")
@click.option(
    "-t", "--trick", type=click.IntRange(min=1), metavar="N", help="Only what befell the cards of this trick."
)
@click.option("--seat", default="", metavar="NAME", help="Only what concerns this player.")
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule, as with `reversis run`. May be given several times.",
)
@FORMAT
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: without the clauses.")
def explain_command(
    deal: str,
    source: str,
    trick: int | None,
    seat: str,
    wishes: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Tell why each is paid, and why not.

    Of every payment: what happened, who pays whom how much, by which answers, and the words of the source that say
    so. Then of every payment that one might have looked for: why nothing is paid. DEAL is a file (YAML, or JSON), the
    id of a worked deal of the edition, or - for JSON lines on standard input.

    Exit code 1 if the record is faulty, or if the source refuses the deal or is silent on it; then you are told why.
    """
    sys.exit(explain(deal, source, trick, seat, wishes, form, quiet, ignore_unknown))


def explain(
    name: str,
    source: str,
    trick: int | None,
    seat: str,
    wishes: Sequence[str],
    form: str,
    quiet: bool,
    ignore_unknown: bool,
) -> int:
    """Explain a deal by one source; 0, or 1 where the record is faulty or the deal cannot be settled."""
    lib = library()
    ruleset = rules(lib, siglum(lib, source), [wish(lib, text) for text in wishes])
    checked(lib, [name])
    code = 0
    for record in records(lib, [name], ignore_unknown):
        if record.deal is None:
            output.tell(record.problems, stderr=True)
            code = 1
            continue
        narrow = narrowed(record.deal, trick, seat)
        told = narrow(explained(lib, reckon(record.deal, ruleset)))
        FORMS[form](told, quiet)
        code |= told.state != "settled"
    return code


def narrowed(deal: Deal, trick: int | None, seat: str) -> Callable[[Explanation], Explanation]:
    """Only what was asked for: a trick, a player, or all."""
    if trick is not None and trick > len(deal.tricks):
        raise click.UsageError(f"No trick {trick}: the deal has {plural(len(deal.tricks), 'trick')}.")
    known = {one.casefold(): one for one in deal.seats}
    if seat and seat.casefold() not in known:
        raise click.UsageError(f"No player {seat!r}. {nearest(seat, deal.seats)}")

    def only(told: Explanation) -> Explanation:
        told = told if trick is None else told.of_trick(trick)
        return told.of_seat(known[seat.casefold()]) if seat else told

    return only


# ---- text
@dataclass
class Teller:
    """Who tells it, and remembers which answers were told before."""

    screen: Console
    quiet: bool
    told: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)  #: long passages that need not be read out twice

    def say(self, words: str, level: int = 0, mark: str = "", style: str = "") -> None:
        """A line, so far in; where it breaks, it goes on below its own beginning."""
        before = " " * (level * STEP)
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
        """An empty line."""
        self.screen.print()


def as_text(told: Explanation, quiet: bool) -> None:
    """Everything in sentences."""
    teller = Teller(output.console(), quiet)
    hybrid = "" if told.ruleset == told.source else " (not the rules of one source)"
    teller.say(f"{told.deal}: {told.title}", style="bold")
    title = re.sub("^The ", "the ", told.source_title)
    teller.say(f"By {told.ruleset}, {title}{hybrid}; sums in its smallest counter, the {told.unit}.")
    TOLD[told.state](teller, told)


def settled(teller: Teller, told: Explanation) -> None:
    """What is paid, what is not."""
    head(teller, "What is paid, and why")
    for payment in told.paid:
        tell_paid(teller, payment)
    if not told.paid:
        teller.say("Nothing.")
    head(teller, "Not paid, and why")
    for one in told.unpaid:
        if one.reason != "returned":
            tell_unpaid(teller, one)
    tell_returned(teller, [one for one in told.unpaid if one.reason == "returned"])
    if not told.unpaid:
        teller.say("There is nothing else that one might have looked for.")
    head(teller, "In the end")
    teller.say(", ".join(f"{who} {signed(sum_)}" for who, sum_ in told.net))
    for words in told.outcome:
        teller.say(f"{words[:1].upper()}{words[1:]}.")


def head(teller: Teller, words: str) -> None:
    """A heading."""
    teller.gap()
    teller.say(words, style="bold underline")


def tell_paid(teller: Teller, one: Paid) -> None:
    """One payment with its reasons."""
    teller.gap()
    teller.say(f"{one.sentence}.", style="bold")
    for passing in one.passings:
        teller.say(passing_words(passing), 1)
    if one.comes_back:
        teller.say("In the end all of this is given back, because of the reversis.", 1)
    tell_because(teller, one.because)


def passing_words(one: Passing) -> str:
    """Who pays whom how much, and how the sum comes about."""
    return f"{one.payer} to {one.payee}: {one.sum or one.amount}"


def tell_unpaid(teller: Teller, one: Unpaid) -> None:
    """One payment that is not made, and the clause that says so."""
    teller.gap()
    teller.say(f"{one.sentence}.", style="bold")
    tell_because(teller, one.because)


def tell_returned(teller: Teller, found: Sequence[Unpaid]) -> None:
    """What was told above as paid, and as given back."""
    if not found:
        return
    teller.gap()
    which = "one payment" if len(found) == 1 else f"{len(found)} payments"
    teller.say(
        f"Of what is told above, {which} came to nothing, being given back because of the reversis.", style="bold"
    )
    tell_because(teller, dict.fromkeys(answer for one in found for answer in one.because))


def tell_because(teller: Teller, found: Iterable[Because]) -> None:
    """The answers, in full when they are told for the first time."""
    if teller.quiet:
        return
    known: list[str] = []
    for one in found:
        if one.question in teller.told:
            known.append(one.question)
            continue
        teller.told.add(one.question)
        tell_answer(teller, one)
    if known:
        teller.say(f"as told above: {', '.join(known)}", 1, "– ")


def tell_answer(teller: Teller, one: Because) -> None:
    """One question with its answer and the clauses."""
    teller.say(f"{one.question} {one.asks} {one.answer or 'These rules have no such question.'}", 1, "– ")
    for ground in one.grounds:
        tell_ground(teller, ground)
    if one.chosen:
        teller.say(one.chosen, 3)


def tell_ground(teller: Teller, one: Ground) -> None:
    """One clause with the words that it rests on."""
    standing = f", {one.standing}" if one.standing and one.kind not in ("supplied", "reason") else ""
    for at, quotation in enumerate(one.quotations):
        said = quoted(teller, one.kind, quotation.words)
        place = quotation.locus + ("" if at else f"; {one.clause}{standing}")
        teller.say(f"{said} ({place})", 3)
    if one.remark:
        teller.say(f"{one.remark} ({one.clause}{standing})", 3)
    if one.emendations:
        teller.say(f"The page is emended here: {', '.join(one.emendations)}.", 3)


def quoted(teller: Teller, kind: str, words: str) -> str:
    """A passage, or that it was told before: what is long need not be read out twice."""
    if words in teller.quoted:
        return "the same words as above"
    if len(words) > LONG:
        teller.quoted.add(words)
    return f"“{words}”" if kind == "quotation" else f"in our words: {words}"


def refused(teller: Teller, told: Explanation) -> None:
    """What the source does not allow, and its words."""
    head(teller, "By this source the deal cannot be played so")
    for one in told.forbidden:
        teller.gap()
        teller.say(refusal_words(one), style="bold")
        tell_because(teller, one.because)


def refusal_words(one: Forbidden) -> str:
    """What is wrong, and what might have been played."""
    legal = f" Lawful would have been {', '.join(one.legal)}." if one.legal and one.legal[0] not in one.sentence else ""
    return one.sentence + legal


def silent(teller: Teller, told: Explanation) -> None:
    """The question on which the rules are silent."""
    head(teller, "These rules are silent on what the deal raises")
    for one in told.silence:
        teller.gap()
        teller.say(f"{one.question} {one.asks}", style="bold")
        for ground in one.grounds:
            tell_ground(teller, ground)


TOLD: Mapping[str, Callable[[Teller, Explanation], None]] = {"settled": settled, "refused": refused, "silent": silent}


# ---- data
def as_json(told: Explanation, quiet: bool) -> None:
    """One line of JSON."""
    output.data(plain(told))


def plain(told: Explanation) -> dict[str, object]:
    """An explanation as plain data."""
    first: dict[str, object] = {
        "schema": SCHEMA,
        "deal": told.deal,
        "source": told.source,
        "ruleset": told.ruleset,
        "unit": told.unit,
        "state": told.state,
    }
    if told.state == "refused":
        return first | {"refused": [plain_forbidden(one) for one in told.forbidden]}
    if told.state == "silent":
        return first | {"silent": [plain_because(one) for one in told.silence]}
    return first | {
        "paid": [plain_paid(one) for one in told.paid],
        "unpaid": [plain_unpaid(one) for one in told.unpaid],
        "net": dict(told.net),
    }


def plain_paid(one: Paid) -> dict[str, object]:
    """A payment."""
    postings = [{"from": p.payer, "to": p.payee, "amount": p.amount, "sum": p.sum} for p in one.passings]
    return {**plain_case(one), "returned": one.comes_back, "postings": postings, "because": answers(one.because)}


def plain_unpaid(one: Unpaid) -> dict[str, object]:
    """A payment that is not made."""
    return {**plain_case(one), "reason": one.reason, "because": answers(one.because)}


def plain_case(one: Paid | Unpaid) -> dict[str, object]:
    """What it is about."""
    card = {"card": one.card} if one.card else {}
    return {"trick": one.trick, "fact": one.fact, "rule": one.rule, **card, "seats": one.seats, "said": one.sentence}


def plain_forbidden(one: Forbidden) -> dict[str, object]:
    """What a source does not allow."""
    return {
        "trick": one.trick,
        "seat": one.seat or None,
        "card": one.card or None,
        "legal": one.legal,
        "message": one.sentence,
        "because": answers(one.because),
    }


def answers(found: Iterable[Because]) -> list[dict[str, object]]:
    """Answers as data."""
    return [plain_because(one) for one in found]


def plain_because(one: Because) -> dict[str, object]:
    """An answer: the question, the answer in words, the clauses."""
    return {
        "question": one.question,
        "asks": one.asks,
        "answer": one.answer or None,
        "interpretation": one.interpretation or None,
        "chosen": one.chosen or None,
        "clauses": list(plain_grounds(one.grounds)),
    }


def plain_grounds(found: Iterable[Ground]) -> Iterator[dict[str, object]]:
    """Clauses as data."""
    for one in found:
        words = [{"words": quotation.words, "locus": quotation.locus} for quotation in one.quotations]
        yield {
            "clause": one.clause,
            "status": one.status,
            "kind": one.kind,
            "lang": one.lang,
            "words": words,
            "remark": one.remark or None,
            "emendations": one.emendations,
        }


FORMS: Mapping[str, Callable[[Explanation, bool], None]] = {"text": as_text, "json": as_json}
