"""Supply what deals need and a source does not say from other sources, each answer marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import UNREADABLE_SOURCES, match_siglum
from edition.cli.completion import complete_source
from edition.cli.editing.new_source import find_editable_sources
from edition.cli.options import QUIET_OPTION, SOURCES_OPTION
from engine.deal.model import Deal
from engine.settlement.settle import Refused, settle
from reversis.cli.deal_arguments import complete_deal, process_cli_deals, require_record_names
from reversis.files.deals import find_deal_paths, readable_deals
from reversis.words.foreign_sums import group_foreign_sums
from reversis.words.supply import (
    LentAnswer,
    SupplyPlan,
    plan_supply,
    read_raw_answers,
    render_supplied_clauses,
)
from rulebook.answers.values import format_canonical
from rulebook.checks import problems_of
from rulebook.clause_edits import CannotEdit
from rulebook.grouping import group_pairs
from rulebook.io.transactions import recover_folder, replace_files
from rulebook.model import Conflict, Library, Question, Source
from rulebook.phrases import format_count
from rulebook.quotations import list_loci, select_loci
from rulebook.resolve import resolve
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import list_deal_paths
from rulebook.strings import quote_value

_CLAUSES = "clauses.yaml"


@click.command("supply")
@click.argument("siglum", metavar="SIGLUM", shell_complete=complete_source)
@click.option(
    "--from",
    "lenders",
    multiple=True,
    required=True,
    metavar="S",
    help="Take answers from this source; of several, from the first that answers.",
    shell_complete=complete_source,
)
@click.option(
    "--deal",
    "deals",
    multiple=True,
    metavar="DEAL",
    help="Supply what this deal (a file or an id) needs; may be given several times. Default: the source's own worked "
    "deals; if it has none, those of all sources.",
    shell_complete=complete_deal,
)
@click.option(
    "--all-deals",
    "every",
    is_flag=True,
    help="Supply what all worked deals of the edition need: for `deal random`, `deal fill` and `play`.",
)
@click.option(
    "--searched",
    default="",
    metavar="RANGE",
    help="State that this part of the text was read and says nothing of it: all, or a range such as "
    "MEY.s0001-MEY.s0010.",
)
@click.option("--coder", default="", help="Coder of the new clauses; default: the source's first coder.")
@click.option("--write", is_flag=True, help="Write the clauses; without it, only show the diff.")
@SOURCES_OPTION
@QUIET_OPTION
def supply_command(
    siglum: str,
    lenders: tuple[str, ...],
    deals: tuple[str, ...],
    every: bool,
    searched: str,
    coder: str,
    write: bool,
    folder: Path | None,
    quiet: bool,
) -> None:
    """Supply what deals need and a source does not say.

    The answers come from other sources, named with --from. Each becomes a clause that calls the source silent and names
    where the answer was taken from; it never counts as the source's own. Objections to an answer are listed. Only
    clauses that gave a mere reason for such a question are replaced. Without --write nothing is written.

    Exit code 1 if a named deal, or one of the source's own, needs an answer that could not be supplied; with all deals,
    this is only listed.
    """
    root = find_editable_sources(folder)
    recover_folder(root)
    case = _assemble(root)
    library = case.library
    own, others = match_siglum(library, siglum), [match_siglum(library, name) for name in dict.fromkeys(lenders)]
    if own in others:
        raise click.UsageError(f"{own} cannot supply what {own} does not say. Name another source with --from.")
    source = library.sources[own]
    if deals and every:
        raise click.UsageError("Either --deal or --all-deals.")
    plan = _plan(library, own, others, (deals, every), _expand_range(source, searched))
    before = (root / own / _CLAUSES).read_bytes()
    after = _render(root, case, plan, before, coder or _find_first_coder(source)).encode("utf-8")
    if not quiet:
        output.print_diff(f"{own}/{_CLAUSES}", before.decode("utf-8"), after.decode("utf-8"))
    _report_plan(library, plan)
    if not (deals or every or _list_own_deals(library, own)):
        click.echo(_NO_OWN_DEAL.format(own=own, lenders=" ".join(f"--from {lender}" for lender in others)))
    for line in _warn_of_foreign_sums(library, plan):
        click.echo(line)
    if write and after != before:
        _write_clauses(root, own, before, after)
    click.echo(_summarise(plan, write))
    demanded = bool(deals) or (bool(_list_own_deals(library, own)) and not every)
    if demanded and any(answer.needed for answer in plan.withheld):
        raise SystemExit(1)


def _assemble(root: Path) -> AssembledLibrary:
    """Read the sources. Raise click.ClickException if something in them cannot be read."""
    case, problems = assemble_library(root)
    if case is None or case.lost or any(given.wrong for given in case.givens):
        faults = sorted({*problems, *(problems_of(case) if case else ())})
        output.fail_with_problems(faults, UNREADABLE_SOURCES)
    return replace(case, library=replace(case.library, deals=list_deal_paths(root)))


def _find_first_coder(source: Source) -> str:
    coders = source.record.get("coders")
    first = coders[0] if isinstance(coders, Sequence) and coders else {}
    return str(first.get("id", "ed1")) if hasattr(first, "get") else "ed1"


def _expand_range(source: Source, searched: str) -> str:
    """Return the range that was searched. Raise click.UsageError if it is no range of the source."""
    loci = list_loci(source)
    if not searched.strip():
        return ""
    if not loci:
        raise click.UsageError(
            f"{source.siglum} has no sentences yet. `reversis import-text` turns its text into some."
        )
    whole = f"{loci[0]}-{loci[-1]}"
    first, _, last = (whole if searched.strip() == "all" else searched.strip()).partition("-")
    if not select_loci(source, first, last):
        raise click.UsageError(
            f"--searched {quote_value(searched)} is no range of {source.siglum}: write all, or {whole}."
        )
    return f"{first}-{last or first}"


# ---- the deals
_NO_OWN_DEAL = (
    "{own} has no deal of its own, so everything is supplied that the other deals ask. To supply less, write your "
    "deal first; then: reversis supply {own} {lenders}"
)


def _list_own_deals(library: Library, siglum: str) -> set[str]:
    return {name for name, path in find_deal_paths(library).items() if path.partition("/")[0] == siglum}


def _plan(
    library: Library, siglum: str, lenders: Sequence[str], chosen: tuple[Sequence[str], bool], searched: str
) -> SupplyPlan:
    try:
        return plan_supply(library, siglum, lenders, _gather_deals(library, siglum, lenders, *chosen), searched)
    except Conflict as conflict:
        raise click.ClickException(f"{conflict}; `reversis check` tells where") from None


def _gather_deals(
    library: Library, siglum: str, lenders: Sequence[str], names: Sequence[str], every: bool
) -> list[Deal]:
    """Read the deals that were named; else the source's own, or *every* one that the first lender allows."""
    deals: list[Deal] = []
    if names:
        require_record_names(library, names)
        if process_cli_deals(library, names, False, deals.append):
            raise click.ClickException("Nothing was supplied: correct the record of the deal first.")
        return deals
    own = _list_own_deals(library, siglum)
    rules, every = resolve(library, lenders[0]), every or not own
    for deal in readable_deals(library):
        if deal.id in own or (every and not isinstance(settle(deal, rules), Refused)):
            deals.append(deal)
    return deals


# ---- the file
def _render(root: Path, case: AssembledLibrary, plan: SupplyPlan, before: bytes, coder: str) -> str:
    """Render the new clauses.yaml. Raise click.ClickException if it cannot be edited."""
    published = case.registry.published
    lenders = {answer.lender for answer in plan.lent}
    try:
        letters = {siglum: (root / siglum / _CLAUSES).read_bytes().decode("utf-8") for siglum in lenders}
        raw = read_raw_answers(case.library, plan.lent, letters)
        return render_supplied_clauses(before.decode("utf-8"), plan, raw, coder, published)
    except CannotEdit as fault:
        raise click.ClickException(f"{plan.siglum}/{_CLAUSES}: {fault.what}. {fault.way_out}") from fault


def _write_clauses(root: Path, siglum: str, before: bytes, after: bytes) -> None:
    path = root / siglum / _CLAUSES
    if path.read_bytes() != before:
        raise click.ClickException(f"{path} has changed just now; nothing was written, try again")
    replace_files(root, {f"{siglum}/{_CLAUSES}": after})


# ---- the report
def _report_plan(library: Library, plan: SupplyPlan) -> None:
    """Print what is supplied, what speaks against it, and what is not supplied, each under its heading."""
    screen = output.make_console()
    asked = {answer.question.slug: answer for answer in plan.lent}
    output.print_lines(screen, _group_lines((answer.question, _format_loan(answer)) for answer in asked.values()))
    if plan.conflicts:
        output.print_lines(screen, ["", "What speaks against it:"], "bold")
        output.print_lines(
            screen, (f"  {o.question.id} {o.question.slug}: {'; '.join(o.conflicts)}" for o in plan.conflicts)
        )
    if plan.withheld:
        output.print_lines(screen, ["", "Not supplied:"], "bold")
        reasons = group_pairs((f"{answer.why}: {answer.way_out}", answer.question) for answer in plan.withheld)
        for why, some in reasons.items():
            output.print_lines(
                screen, [f"  {why}", *(f"    {question.id} {question.slug}: {question.asks}" for question in some)]
            )
    click.echo()


def _group_lines(rows: Iterable[tuple[Question, str]]) -> Iterator[str]:
    for group, some in groupby(rows, key=lambda row: row[0].group):
        yield from ("", group, *(f"  {line}" for _, line in some))


def _format_loan(answer: LentAnswer) -> str:
    words = f"{answer.question.id} {answer.question.slug}: {format_canonical(answer.ruling.answer)}"
    assumed = f", assumed there from {answer.taken_from}" if answer.ruling.supplied else ""
    return f"{words}  from {answer.lender} ({', '.join(answer.ruling.clauses)}{assumed})"


def _warn_of_foreign_sums(library: Library, plan: SupplyPlan) -> Iterator[str]:
    """Yield a line for each lender that counts in another counter: a total of both means nothing."""
    given = ((answer.question, answer.ruling.answer, answer.taken_from) for answer in plan.lent)
    for warning, questions in group_foreign_sums(library, plan.siglum, given):
        yield f"Scales are mixed: {warning}. Look at {', '.join(questions)}."


def _summarise(plan: SupplyPlan, write: bool) -> str:
    deals = format_count(len(plan.deals), "deal")
    if not plan.lent and not plan.withheld:
        return f"{deals}: {plan.siglum} answers all that is asked; nothing to supply"
    parts = [f"{format_count(len(plan.lent), 'answer')} from {', '.join(plan.lenders)} for {deals}"]
    parts += [f"{format_count(len(plan.conflicts), 'conflict')} listed"] if plan.conflicts else []
    parts += [f"{len(plan.withheld)} not supplied"] if plan.withheld else []
    next_ = "Written. Next: reversis check" if write and plan.lent else "Nothing is written"
    return f"{', '.join(parts)}. {next_}{': --write does it' if plan.lent and not write else ''}"
