"""The commands of the game: `run` settles deals, `explain` tells why, in the words of the source."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from edition.cli import output
from edition.cli.arguments import (
    hint_nearest_name,
    load_library_or_exit,
    match_siglum,
    parse_wish_option,
    resolve_cli_rules,
)
from edition.cli.completion import load_library_quietly, pick_names
from edition.cli.options import FORMAT_OPTION, ONE_SOURCE_OPTION, PLAYED_BY_OPTION, make_wish_option
from hearts_game.deals import Deal, find_deal_paths, read_deal, read_library_deal
from hearts_game.ledgers import DealView, LedgerView, list_ruleset_names, view_deal
from hearts_game.settlement import LedgerLine
from rulebook.answers.wording import format_answer
from rulebook.model import Library
from rulebook.phrases import format_signed_sum
from rulebook.program_name import name_command
from rulebook.strings import quote_value


def _complete_deal(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    library = load_library_quietly(context)
    known = find_deal_paths(library) if library else ()
    return [CompletionItem(incomplete, type="file"), *pick_names(((id, "") for id in known), incomplete)]


_DEALS_ARGUMENT = click.argument("deals", nargs=-1, required=True, metavar="DEAL...", shell_complete=_complete_deal)
_WISH_OPTION = make_wish_option(
    "Play another rule: QUESTION=READING, QUESTION@SOURCE, or the id of an interpretation or option. May be given "
    "several times."
)


@click.command("run")
@_DEALS_ARGUMENT
@PLAYED_BY_OPTION
@_WISH_OPTION
@FORMAT_OPTION
def run_command(deals: tuple[str, ...], sources: tuple[str, ...], wishes: tuple[str, ...], form: str) -> None:
    """Settle deals: who pays whom, and which clause says so.

    First what everybody wins or loses, by every source and by the other rules that the record has figures for; with
    --source, the ledger of each that you named, line by line with its clauses; as JSON, one line for each deal and
    ruleset, with its ledger. DEAL is a file, or the id of a deal of the library: `rulebook list deals` has them.

    Exit code 1 if a record is faulty, or comes out otherwise than it expects.
    """
    library = load_library_or_exit()
    choices = [parse_wish_option(library, text) for text in wishes]
    named = [resolve_cli_rules(library, match_siglum(library, source), choices).name for source in sources]
    code = 0
    for deal in (_read_named(library, name) for name in deals):
        names = named or [
            resolve_cli_rules(library, source, choices).name for source in (library.sources if choices else ())
        ]
        view = view_deal(library, deal, names or list_ruleset_names(library, deal))
        if form == "json":
            for ledger in view.ledgers:
                output.print_json(_dump_ledger(deal.deal, ledger))
        else:
            _print_results(view)
            for ledger in view.ledgers if named else ():
                _print_ledger(ledger)
        for what, wanted, came in (figure for ledger in view.ledgers for figure in ledger.unmet):
            output.print_remark(f"{deal.deal}: {what} is {came}, the record expects {wanted}")
            code = 1
    sys.exit(code)


@click.command("explain")
@_DEALS_ARGUMENT
@ONE_SOURCE_OPTION
@_WISH_OPTION
def explain_command(deals: tuple[str, ...], source: str | None, wishes: tuple[str, ...]) -> None:
    """Explain every payment of a deal, in the source's words.

    For every line of the ledger: what happened, who pays whom, by which answers, and the words on which these rest.
    Exit code 1 if the source refuses the deal or is silent on it; the reason is printed.
    """
    library = load_library_or_exit()
    if source is None:
        raise click.UsageError(f"By which source? --source {', '.join(library.sources)}")
    choices = [parse_wish_option(library, text) for text in wishes]
    ruleset = resolve_cli_rules(library, match_siglum(library, source), choices)
    ledgers = [view_deal(library, _read_named(library, name), [ruleset.name]).ledgers[0] for name in deals]
    for ledger in ledgers:
        _print_ledger(ledger, library)
    sys.exit(int(any(ledger.state != "settled" for ledger in ledgers)))


def _read_named(library: Library, name: str) -> Deal:
    """Read a file, or a deal of the library by its id; what is wrong with it ends the command."""
    known = find_deal_paths(library)
    if Path(name).is_file():
        file = read_deal(Path(name))
    elif name.casefold() in known:
        file = read_library_deal(library, name.casefold())
    else:
        hint = hint_nearest_name(name, known) or f"`{name_command('list deals')}` lists them."
        raise click.UsageError(f"No file and no deal {quote_value(name)}. {hint}")
    if file.deal is None:
        output.fail_with_problems(file.problems, "the deal cannot be settled; mend the problems above")
    return file.deal


def _dump_ledger(deal: str, ledger: LedgerView) -> dict[str, object]:
    """Dump a ledger as plain data; without sums, where nobody has won or lost anything."""
    return {
        "deal": deal,
        "source": ledger.source,
        "ruleset": ledger.ruleset,
        "unit": ledger.unit,
        "state": ledger.state,
        "entries": [
            {
                "step": line.step,
                "event": line.event,
                "clauses": line.clauses,
                "postings": [{"from": paid.payer, "to": paid.payee, "amount": paid.amount} for paid in line.postings],
            }
            for line in ledger.entries
        ],
        "net": dict(ledger.net),
        "pool": ledger.pool.model_dump() if ledger.state == "settled" else None,
        "silent": ledger.silence and {"question": ledger.silence.question, "message": ledger.silence.message},
        "refused": [{"message": refusal.message, "clauses": refusal.clauses} for refusal in ledger.refusals],
        "open": ledger.open,
    }


# ---- text
def _print_results(view: DealView) -> None:
    screen = output.make_console()
    output.print_lines(screen, [f"{view.id}: {view.title}"], style="bold")
    table = output.make_table("by", right=(*view.seats, "pool"))
    settled = [ledger for ledger in view.ledgers if ledger.state == "settled"]
    for ledger in settled:
        table.add_row(ledger.ruleset, *(format_signed_sum(sum_) for _, sum_ in ledger.net))
    if settled:
        screen.print(table)
    rest = [f"{ledger.ruleset}: {ledger.result}" for ledger in view.ledgers if ledger.state != "settled"]
    output.print_lines(screen, [*rest, ""])


def _print_ledger(ledger: LedgerView, library: Library | None = None) -> None:
    """Print a ledger line by line; with a library, every answer in full."""
    screen = output.make_console()
    output.print_lines(screen, [f"By {ledger.ruleset}, in {ledger.unit}s. The pool: {ledger.pool_before}."], "bold")
    told = set[str]()
    for line in ledger.entries:
        output.print_lines(
            screen, [_describe_line(line), *(_explain_line(ledger, line, library, told) if library else ())]
        )
    after = f"The pool: {ledger.pool_after}." if ledger.state == "settled" else ledger.result
    open_ = [f"Left open: {words}." for words in ledger.open]
    unsaid = [f"Not said of the play: {', '.join(ledger.unsaid)}."] if ledger.unsaid else []
    grounds = [f"  {refusal.message} ({', '.join(refusal.clauses)})" for refusal in ledger.refusals]
    output.print_lines(screen, [after, *grounds, *open_, *unsaid, ""])


def _describe_line(line: LedgerLine) -> str:
    paid = "; ".join(f"{payment.payer} to {payment.payee} {payment.amount}" for payment in line.postings)
    when = f"trick {line.step}" if line.step.isdigit() else line.step
    return f"  {when}: {line.event}{': ' if paid else ''}{paid} ({', '.join(line.clauses)})"


def _explain_line(ledger: LedgerView, line: LedgerLine, library: Library, told: set[str]) -> Iterator[str]:
    """Explain on which answers a line rests, each once in a ledger."""
    for ruling in line.rulings:
        if ruling.id in told:
            continue
        told.add(ruling.id)
        question = library.questions[ruling.question]
        answer = format_answer(question, ruling.value, library)
        yield f"      {question.id} {question.asks} {answer.full or answer.short}"
        for id in ruling.clauses:
            yield from (f"        “{words}” ({locus}; {id})" for words, locus in ledger.clause(id).quotations)
        if ruling.interpretation and not ruling.interpretation.endswith(".preferred"):
            yield f"        By choice of the reader: {ruling.interpretation}"
