"""Reading everything, and telling all that is wrong at once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from edition.cli import output
from edition.cli.completion import complete_source
from edition.cli.options import QUIET_OPTION, require_sources_folder
from edition.corpus.clean_checks import fingerprint_check, read_clean_summary, write_clean_summary
from rulebook.agreement.codings import SECOND_CODING_FILE, UnreadableCoding
from rulebook.games import explain_missing_game
from rulebook.installing import format_install_command
from rulebook.load import load_library
from rulebook.model import STANDINGS, Library, Source
from rulebook.new_source import list_left_over
from rulebook.phrases import format_count
from rulebook.problems import NotInOrder, Problem
from rulebook.program_name import name_command
from rulebook.sources.paths import find_sources
from rulebook.sources.source_folder import COVERAGE
from rulebook.strings import quote_value

if TYPE_CHECKING:  # slow to import, and a check that is remembered needs none of them
    from rich.console import Console

    from edition.corpus.corpus import Corpus
    from rulebook.checks.coverage import Coverage

CLAUSE = re.compile(r"[A-Z]{2,6}\.c\d+")
_LIKE_SIGLUM = re.compile(r"[A-Za-z]{2,6}")


@click.command("check")
@click.argument("path", nargs=-1, metavar="[PATH]", shell_complete=complete_source)
@click.option(
    "--confirm",
    is_flag=True,
    help="First write the checksum of every sentence that has none. With ids of clauses (ABC.c031): also renew theirs, "
    "once you have read those clauses again.",
)
@click.option(
    "--coverage",
    "account",
    is_flag=True,
    help="Report coverage instead: how many sentences of each source, or of those named (--coverage ABC ABD), are "
    "encoded, and the words left over. Exit code 1 if a sentence of a finished source is not.",
)
@click.option(
    "--agreement",
    is_flag=True,
    help="Report instead how far two codings of a source agree, and what is not settled: the second stands beside "
    f"its clauses in {SECOND_CODING_FILE}, and the first is kept as the clauses are now, if it is not yet.",
)
@click.option(
    "--update",
    is_flag=True,
    help="First update the generated files: coverage.yaml, the registry of ids, the agreement of two codings and the "
    "schemas, as far as the library has them.",
)
@QUIET_OPTION
def check_command(
    path: tuple[str, ...], confirm: bool, account: bool, agreement: bool, update: bool, quiet: bool
) -> None:
    """Check the sources; report file, line and hint.

    Texts, questions, clauses and quotations are checked.

    PATH is a folder of sources, or a file in it (only its problems are reported). Without it the edition's own sources
    are checked; with --coverage the sigla of sources may stand there too. All problems are reported at once as
    file:line:column, what is wrong, and what to do. Exit code 1 if there are any.
    """
    if account + confirm + agreement > 1:
        raise click.UsageError("One of --agreement, --coverage and --confirm.")
    if update:
        _update_written_files(path, quiet)
    if agreement:
        sys.exit(_count_agreement(path))
    sys.exit(_report_coverage(path, quiet) if account else _check_path(path, confirm, quiet))


@dataclass(frozen=True, slots=True)
class CheckScope:
    """Scope of a check: a folder of sources, a part of it, or what lies outside."""

    root: Path | None
    only: str = ""  #: problems are told of files that begin so
    outside: Path | None = None  #: a file that is in no folder of sources


def _check_path(words: Sequence[str], confirm: bool, quiet: bool) -> int:
    """Check everything, after writing fingerprints if that was asked for; 0 if all is well, 1 if not."""
    ids = [word for word in words if CLAUSE.fullmatch(word)]
    name = take_path([word for word in words if word not in ids])
    if ids and not confirm:
        command = name_command(f"check --confirm {ids[0]}")
        raise click.UsageError(f"To confirm that {ids[0]} still holds: {command}")
    place = resolve_scope(name)
    if place.outside:
        what = "--confirm is for a folder of sources, and " if confirm else ""
        raise click.UsageError(f"{what}{place.outside} is in none.")
    unwritten = _confirm_fingerprints(place, ids, quiet) if confirm else []
    return _check_everything(place, unwritten, quiet)


# ---- what is to be checked
def take_path(words: Sequence[str]) -> str | None:
    """Return the one path that was typed, if any."""
    if len(words) > 1:
        raise click.UsageError(f"One path at a time: {' '.join(words)}.")
    return words[0] if words else None


def resolve_scope(name: str | None) -> CheckScope:
    """Return what a path stands for: a folder of sources, a part of it, or a file outside."""
    if name is None:
        return CheckScope(None)
    path = Path(name)
    if not path.exists():
        raise click.UsageError(f"No file or folder {quote_value(name)}. {_hint_path(name)}")
    full = path.resolve()
    inside = next(
        (folder for folder in (full / "sources", full, *full.parents) if (folder / "questions").is_dir()), None
    )
    if inside is None:
        if path.is_dir():
            require_sources_folder(path)
        return CheckScope(None, outside=path)
    rest = full.relative_to(inside).as_posix() if full.is_relative_to(inside) else "."
    return CheckScope(inside, inside.name + "/" + ("" if rest == "." else rest))


def _hint_path(name: str) -> str:
    """Say what may be checked; where somebody typed a siglum, how one source is checked alone."""
    if not _LIKE_SIGLUM.fullmatch(name):
        return "Without a path the sources of the edition are checked."
    siglum = name.upper()
    check, folder = name_command("check"), Path(os.path.relpath(find_sources() / siglum)).as_posix()
    return (
        f"`{check}` checks all sources, `{check} {folder}` one of their folders, `{check} --sources DIRECTORY` "
        f"others; `{check} --coverage {siglum}` tells how much of one is accounted for."
    )


# ---- every sentence accounted for
_COVERAGE_COLUMNS = ("source", "sentences", "classified", *STANDINGS, "words", "residue")


def _report_coverage(words: Sequence[str], quiet: bool) -> int:
    """Report how much of each source is accounted for; return 0 if all of it is."""
    named = [word for word in words if word.isalnum() and not Path(word).exists()]
    place = resolve_scope(take_path([word for word in words if word not in named]))
    if place.outside:
        raise click.UsageError("--coverage is for a folder of sources.")
    library, problems = load_library(place.root)
    if library is None:
        output.print_problems(problems)
        return 1
    if problems:
        count = format_count(len(problems), "problem")
        output.print_remark(f"{count} in the sources besides: `{name_command('check')}` tells of them")
    from edition.cli.arguments import match_siglum
    from rulebook.checks.coverage import compute_coverage

    chosen = {match_siglum(library, name) for name in named} or {*library.sources}
    accounts = [
        compute_coverage(library, siglum)
        for siglum, source in library.sources.items()
        if siglum in chosen and _is_in_scope(place, source)
    ]
    tell_coverage(library, accounts, quiet)
    return int(any(account.missing and not library.sources[account.source].draft for account in accounts))


def _is_in_scope(place: CheckScope, source: Source) -> bool:
    """Check whether a source is reported: all are, unless one or its file was named."""
    folder = source.where.file.rpartition("/")[0]
    return folder.startswith(place.only) or place.only.startswith(folder)


def tell_coverage(library: Library, accounts: Sequence[Coverage], quiet: bool) -> None:
    """The table; then what is not yet accounted for; then the words left over, each with its reason."""
    from rich.table import Table

    screen, table = output.make_console(), Table(box=None, padding=(0, 2, 0, 0))
    for column in _COVERAGE_COLUMNS:
        table.add_column(column, justify="left" if column == "source" else "right")
    rows = [_format_coverage_row(account, library.sources[account.source].text is not None) for account in accounts]
    if screen.width < output.DEFAULT_WIDTH:  # so many columns would be cut
        for cells in rows:
            parts = (f"{column} {cell}" for column, cell in zip(_COVERAGE_COLUMNS, cells, strict=True))
            screen.print(", ".join(parts))
    else:
        for cells in rows:
            table.add_row(*cells)
        screen.print(table)
    for siglum in (account.source for account in accounts if library.sources[account.source].draft):
        screen.print(_format_draft_progress(library, siglum), soft_wrap=True)
    for line in chain.from_iterable(account.missing for account in accounts):
        screen.print(f"{line.id} is not yet accounted for: {line.missing}", soft_wrap=True)
    for account in accounts:
        _suggest_entries(screen, library.sources[account.source], account)
    for account in () if quiet else accounts:
        tell_residue(screen, account)


def _suggest_entries(screen: Console, source: Source, account: Coverage) -> None:
    """Print what to write for sentences that are not accounted for, ready to be copied."""
    from rulebook.checks.coverage import REASONED, suggest_coverage_entries

    if entries := suggest_coverage_entries(source, account):
        file = f"{source.siglum}/{COVERAGE}{'' if source.coverage else ', a new file'}"
        screen.print(
            f"\nQuote the words for an answer; or, where none follows, account for them in {file}, such as "
            f"(kind: {', '.join(REASONED)}; encoded where an answer quotes the sentence in part):",
            style="bold",
            soft_wrap=True,
        )
        screen.print(entries.rstrip(), soft_wrap=True)


def _format_coverage_row(account: Coverage, printed: bool) -> tuple[str, ...]:
    """One source in the table; of a source in copyright no words are counted, the statements being ours."""
    kinds = [f"{account.by_kind['encoded']} ({_format_percentage(account.percent_encoded)})"]
    kinds += [str(account.by_kind[kind]) for kind in STANDINGS if kind != "encoded"]
    counted = (account.words, account.residue_words) if printed else ("-", "-")
    classified = _format_percentage(account.percent_classified)
    return (account.source, str(account.total), classified, *kinds, *map(str, counted))


def _format_percentage(share: float) -> str:
    return f"{int(share * 10) / 10:g}%"  # rounded down, so that only all of them are a hundred


def tell_residue(screen: Console, account: Coverage) -> None:
    """The words of a source that no quotation covers, and why nothing follows from them."""
    from rulebook.checks.coverage import RESIDUE_SEPARATOR

    lines = [line for line in account.lines if line.residue]
    if lines:
        screen.print(f"\n{account.source}: words of encoded sentences that no quotation covers", style="bold")
    for line in lines:
        screen.print(f"{line.id}: {RESIDUE_SEPARATOR.join(line.residue)}", soft_wrap=True)
        if line.because:
            screen.print(f"    {line.because}", style="green", soft_wrap=True)
    if account.not_held:
        screen.print(f"\n{account.source}: what it orders and no answer holds", style="bold")
    for order in account.not_held:
        screen.print(f"{order.sentence}: {order.words}", soft_wrap=True)
        screen.print(f"    {order.explanation}", style="green", soft_wrap=True)


# ---- two codings
def _count_agreement(words: Sequence[str]) -> int:
    """Count how far two codings agree; 0 if what they disagree on is settled."""
    from rulebook.agreement.__main__ import print_agreement, write_first_codings
    from rulebook.agreement.statistics import recompute

    place = resolve_scope(take_path(words))
    if place.outside:
        raise click.UsageError("--agreement is for a folder of sources.")
    library, problems = load_library(place.root)
    if library is None or problems:
        output.print_problems(problems)
        return 1
    if not any((Path(library.root) / siglum / SECOND_CODING_FILE).is_file() for siglum in library.sources):
        raise click.ClickException(f"No source has a second coding: write it into {SECOND_CODING_FILE} in its folder.")
    if find_spec("krippendorff") is None:
        raise click.ClickException(f"The figures need a package: {format_install_command('coding')}")
    try:
        for siglum in write_first_codings(library):
            click.echo(f"kept the first coding of {siglum}")
        recompute(library)
        return print_agreement(library)
    except UnreadableCoding as fault:
        output.print_problems(fault.problems)
        return 1


# ---- fingerprints
def _confirm_fingerprints(place: CheckScope, ids: Sequence[str], quiet: bool) -> list[Problem]:
    """Write missing fingerprints, and those of *ids*; return what could not be done."""
    from rulebook.checks.fingerprints import stamp_fingerprints

    touched, problems = stamp_fingerprints(place.root, ids)
    if not quiet:
        named = f": {' '.join(touched)}" if touched and ids else ""
        click.echo(f"{format_count(len(touched), 'clause')} confirmed{named}")
    return problems


# ---- what programs write
def _update_written_files(words: Sequence[str], quiet: bool) -> None:
    """Update what programs write into the library; raise click.ClickException where it is in no order for that."""
    from rulebook.agreement.codings import UnreadableCoding
    from rulebook.written_files import update_written_files

    names = [word for word in words if not CLAUSE.fullmatch(word) and Path(word).exists()]
    try:
        for line in update_written_files(resolve_scope(take_path(names)).root or find_sources()):
            if not quiet:
                click.echo(line)
    except (NotInOrder, UnreadableCoding) as fault:
        raise click.ClickException(str(fault)) from fault


# ---- everything
def _check_everything(place: CheckScope, unwritten: Sequence[Problem], quiet: bool) -> int:
    root = place.root or find_sources()
    fingerprint = fingerprint_check(root)
    if summary := "" if unwritten else read_clean_summary(fingerprint):
        if not quiet:
            output.print_line(summary)
        return 0
    from edition.corpus.problems import find_all_problems
    from rulebook.io.yaml_cache import reuse_parsed_yaml

    with reuse_parsed_yaml():
        corpus, problems = find_all_problems(root)
    all_ = {*problems, *unwritten}
    reported = sorted(p for p in all_ if p.file.startswith(place.only))
    output.print_problems(reported)
    if missing := explain_missing_game(root):
        output.print_remark(f"Warning: {missing}")
    summary = _summarise_check(reported, len(all_) - len(reported), corpus)
    if not quiet:
        output.print_line(summary)
    if corpus and not reported:
        drafts = [source for source in corpus.library.sources.values() if source.draft]
        if not (all_ or drafts or missing):
            write_clean_summary(fingerprint, corpus, summary)
        for source in () if quiet else drafts:
            if _is_in_scope(place, source):
                output.print_line(_format_open_progress(corpus.library, source.siglum))
                _warn_of_left_over(source)
    return int(bool(reported))


def _format_draft_progress(library: Library, siglum: str) -> str:
    from edition.corpus.progress import format_collation, format_progress

    return f"{siglum}, a draft, {format_collation(library, siglum)}; {format_progress(library, siglum)}"


def _warn_of_left_over(source: Source) -> None:
    """Warn of words in the record of a draft that nobody has replaced."""
    if left := ", ".join(list_left_over(source.record)):
        path = f"{source.siglum}/source.yaml"
        output.print_line(f"  warning: {path} still has the words of new-source under {left}: replace them")


def _format_open_progress(library: Library, siglum: str) -> str:
    """The progress of a draft, and the command that lists what is open."""
    from rulebook.checks.coverage import compute_coverage

    command = name_command(f"check --coverage {siglum}")
    listing = f": {command}" if compute_coverage(library, siglum).missing else ""
    return f"{_format_draft_progress(library, siglum)}{listing}"


def _summarise_check(reported: Sequence[Problem], elsewhere: int, corpus: Corpus | None) -> str:
    rest = f" ({format_count(elsewhere, 'problem')} elsewhere)" if elsewhere else ""
    if reported:
        files = format_count(len({p.file for p in reported}), "file")
        return f"{format_count(len(reported), 'problem')} in {files}{rest}"
    if corpus is None or rest:
        return f"nothing wrong here{rest}"
    library = corpus.library
    parts = (
        format_count(len(library.sources), "source"),
        format_count(len(library.questions), "question"),
        format_count(sum(1 for _ in library.clauses()), "clause"),
        *(lookup.count(library) for lookup in corpus.game.lookups.values()),
    )
    return f"no problems found: {', '.join(filter(None, parts))}"
