"""Make deals: random, empty, completed from a part, read from a diagram; each can be run."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import click

from edition.cli import output
from edition.cli.arguments import match_siglum, resolve_cli_rules
from edition.cli.options import (
    FILE_TYPE,
    IGNORE_UNKNOWN_OPTION,
    OUTPUT_NAMES,
    make_format_option,
    refuse_without_record,
)
from engine.cards import format_card, make_pack, sort_cards
from engine.deal.diagram import read_diagram
from engine.deal.writer import long_form, write_deal
from engine.generation.deal import Found, NotFound, fill, lay_out_cards, list_card_names
from engine.generation.impossible import find_contradiction
from engine.generation.partial_deal import WISH_OPTION, read_sketch
from engine.generation.requests import (
    NoSuchDeal,
    drop_blanks,
    explain_no_table,
    find_tables,
    fits_request,
    format_options,
    make_found_record,
    make_random_record,
)
from engine.generation.turn import SEAT_NAMES, TALON_PLACE, TableShape, list_table_shapes
from engine.generation.wishes import Sketch
from reversis.cli.deal_arguments import (
    complete_deal_wish,
    load_playable_library,
    match_sigla,
    read_cli_text,
    require_siglum,
    say_unused,
)
from reversis.files.deals import sigla_of
from reversis.words.missing import suggest_supply
from rulebook.io.files import replace_file
from rulebook.io.strict_yaml import Stop, read_yaml
from rulebook.model import Library, Ruleset, Silent
from rulebook.problems import Problem
from rulebook.sources.paths import RECORD_NAME
from rulebook.strings import quote_value

#: The parts of a record that have a line each for their own parts; all others stand in one line.
_BLOCK_KEYS = ("hands", "tricks", "expect")
_RECORD_WIDTH = 90  #: letters of a line of a record; what is a list and longer has a line for each entry
_OUT_EXISTS = "--out {} is there already: give another name, or move it away."
_TRIES_ELSEWHERE = 300  #: deals laid out by each other source, before it is named as a way out


# ---- the commands
_SOURCE_OPTION = click.option("-s", "--source", metavar="S", help="Lawful by this source.")
_SEED_OPTION = click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="The same seed gives the same deal."
)
_PLAYERS_OPTION = click.option("--players", type=click.Choice(["4", "5"]), help="Number of players.")
_PACK_OPTION = click.option(
    "--pack", type=click.Choice(["48", "52"]), help="Number of cards: 48 without the tens, or 52."
)
_FORMAT_OPTION = make_format_option(["yaml", "json"], "A record in YAML, or one line of JSON for each.")
_LONG_OPTION = click.option("--long", is_flag=True, help="Write every key, and cards in lists.")


class DealGroup(click.Group):
    """The deal commands; a mistyped name gets a suggestion."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = difflib.get_close_matches(args[0], self.commands, 1)
            hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(self.commands)}."
            raise click.UsageError(f"No command {quote_value(args[0])} of `reversis deal`. {hint}", ctx)
        return super().resolve_command(ctx, args)


def _parse_number(text: str | None) -> int | None:
    return None if text is None else int(text)


@click.group("deal", cls=DealGroup)
def deal_command() -> None:
    """Make a deal: new, random, filled in, or read from a diagram.

    The deal record is printed; `reversis run` settles it.
    """


@deal_command.command("random")
@_SOURCE_OPTION
@_SEED_OPTION
@_PLAYERS_OPTION
@_PACK_OPTION
@click.option(
    "--number", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Number of deals."
)
@_FORMAT_OPTION
@_LONG_OPTION
def random_command(
    source: str | None, seed: int | None, players: str | None, pack: str | None, number: int, form: str, long: bool
) -> None:
    """Make a random, legal deal, played to its end.

    Without --source the deal is legal by every source that plays with that number of players and cards, which the seed
    chooses too; for a deal that every source settles, say --players 4 --pack 48. The stake is a round sum, whatever the
    source; further pools of a source hold what is put in before a first deal. The record's note has the command that
    makes it again. For several deals use --format json, which `reversis run -` reads.
    """
    lib, seats, cards = load_playable_library(), _parse_number(players), _parse_number(pack)
    rulesets = [resolve_cli_rules(lib, siglum) for siglum in match_sigla(lib, [source] if source else [])]
    try:
        tables = find_tables(rulesets, seats, cards)
    except NoSuchDeal as none:
        raise click.UsageError(str(none)) from None
    start = choose_seed(seed)
    command = "reversis deal random" + format_options(
        source=source and match_siglum(lib, source), seed=start, players=seats, pack=cards
    )
    try:
        print_deal_records(
            (make_random_record(rulesets, tables, start, n, number, command) for n in range(1, number + 1)), form, long
        )
    except NoSuchDeal as none:
        raise click.ClickException(str(none)) from None


@deal_command.command("new")
@_SEED_OPTION
@click.option("--players", type=click.Choice(["4", "5"]), default="4", show_default=True, help="Number of players.")
@click.option("--pack", type=click.Choice(["48", "52"]), default="48", show_default=True, help="Number of cards.")
@click.option("--blank", is_flag=True, help="Deal no cards either: every hand is empty.")
def new_command(seed: int | None, players: str, pack: str, blank: bool) -> None:
    """Print an empty record to fill in, with comments.

    The cards are shuffled and dealt, and nothing is played. Write tricks and wishes into it, and have it completed by
    `reversis deal fill`.
    """
    lib, seats, cards = load_playable_library(), int(players), int(pack)
    rulesets = [resolve_cli_rules(lib, siglum) for siglum in match_sigla(lib, ())]
    shapes = (shape for ruleset in rulesets for shape in list_table_shapes(ruleset))
    shape = next((candidate for candidate in shapes if fits_request(candidate, seats, cards)), None)
    if shape is None:
        raise click.UsageError(explain_no_table(rulesets, seats, cards))
    click.echo(format_blank_record(shape, None if blank else choose_seed(seed)), nl=False)


@deal_command.command("fill")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "-w",
    WISH_OPTION,
    "wishes",
    multiple=True,
    metavar="WISH",
    help='An event of the deal, such as "quinola forced from the side at the last trick". May be given several times.',
    shell_complete=complete_deal_wish,
)
@click.option("-s", "--source", metavar="S", help="Legal under the rules of this source, and in its terms; required.")
@click.option("--id", "id", default="", metavar="ID", help="Id of the deal; that of a worked deal is its file name.")
@click.option(
    *OUTPUT_NAMES,
    "out",
    type=FILE_TYPE,
    metavar="FILE.yaml",
    help="Write the deal to this new file, named after it.",
)
@_SEED_OPTION
@click.option(
    "--tries", type=click.IntRange(min=1), default=3000, show_default=True, metavar="N", help="Number of deals to try."
)
@_PLAYERS_OPTION
@_PACK_OPTION
@IGNORE_UNKNOWN_OPTION
@_FORMAT_OPTION
@_LONG_OPTION
def fill_command(
    file: str | None,
    wishes: tuple[str, ...],
    source: str | None,
    id: str,
    out: Path | None,
    seed: int | None,
    tries: int,
    players: str | None,
    pack: str | None,
    ignore_unknown: bool,
    form: str,
    long: bool,
) -> None:
    """Complete a deal from the cards and events you give.

    FILE is a deal record with gaps: hands with fewer cards, _ for a card, an empty line for a trick, and `wishes`, a
    list of events. It may be left out when there is a --wish.

    A wish is a subject and what happens to it: quinola, ace, ace of diamonds ... | led, followed, forced, put, thrown
    off, laid away, claimed, unclaimed, alone, free, opposite, from the side, at the first (last, last but one) trick,
    at trick 7; reversis | made, broken, undertaken; no reversis; espagnolette | undertaken, won, lost, breaking; no
    espagnolette; partie | won, lost, with a trick, without a trick; five players; 52 cards. After any of them: by
    PLAYER, who plays the card or does the thing; but a card is forced by whoever leads to it, and a reversis broken by
    whoever takes the trick. What is forced, and who wins, depends on the source. Where a source has two quinolas, use
    its names for them.

    The deal found is settled before it is printed. Exit code 1 if none is found.
    """
    if file is None and not wishes:
        raise click.UsageError('Give a FILE with a part of a deal, or --wish "reversis made by east".')
    refuse_without_record(ignore_unknown and file is None)
    called = _name_deal(id, out, form)
    lib, seats, cards = load_playable_library(), _parse_number(players), _parse_number(pack)
    ruleset = resolve_cli_rules(lib, require_siglum(lib, source))
    sketch = _require_deal_sketch(lib, file, wishes, seats, cards, ignore_unknown, list_card_names(ruleset))
    start = choose_seed(seed)
    result = fill(ruleset, sketch, start, tries)
    if not isinstance(result, Found):
        hint = _suggest_other_search(lib, ruleset, sketch, result, start)
        output.print_remark(f"{ruleset.name}: {str(result).rstrip('.')}.\n{hint}")
        sys.exit(1)
    given = "".join([f" {file}" if file else "", *(f' --wish "{wish}"' for wish in wishes)])
    options = format_options(source=ruleset.source, id=called or None, seed=start, players=seats, pack=cards)
    result = replace(result, deal=replace(result.deal, id=called or result.deal.id))
    _put_record_out(make_found_record(result, sketch, f"reversis deal fill{given}{options}"), out, form, long)


def _name_deal(id: str, out: Path | None, form: str) -> str:
    """Return what a deal is to be called; empty: as its record says. Raise click.UsageError for what cannot be."""
    if out and form == "json":
        raise click.UsageError("--out writes YAML; for JSON leave it out, and redirect the output.")
    if out and out.suffix != ".yaml":
        raise click.UsageError(f"--out {quote_value(out.name)}: a deal is kept in a file that ends in .yaml.")
    if out and out.exists():
        raise click.UsageError(_OUT_EXISTS.format(quote_value(out.name)))
    if out and id and id != out.stem:
        raise click.UsageError(f"--id {id} and --out {out.name}: a deal is called as its file is; leave --id out.")
    called = id or (out.stem if out else "")
    if called and not RECORD_NAME.fullmatch(called):
        raise click.UsageError(f"{quote_value(called)} is no name of a deal: small letters a to z, digits and hyphens.")
    return called


def _put_record_out(record: Mapping[str, object], path: Path | None, form: str, long: bool) -> None:
    """Print a record, or write it into a file that is not there yet, and say where it is."""
    if path is None:
        print_deal_records(iter([record]), form, long)
        return
    try:
        if path.parent.name == "deals" and path.parent.parent.is_dir():
            path.parent.mkdir(exist_ok=True)  # a new source has none yet, and its deals belong there
        if path.exists():
            raise click.UsageError(_OUT_EXISTS.format(quote_value(path.name)))  # made while the deal was sought
        replace_file(path, format_record_yaml(long_form(record) if long else drop_blanks(record)))
    except OSError as fault:
        raise click.ClickException(
            f"{path} cannot be written ({fault.strerror or fault}); give another --out, or make the folder"
        ) from fault
    output.print_remark(f"Written to {path}: {record['deal']}.")


def _require_deal_sketch(
    library: Library,
    file: str | None,
    wishes: tuple[str, ...],
    players: int | None,
    pack: int | None,
    unknown: bool,
    names: Mapping[str, str],
) -> Sketch:
    """Read a partial deal; with problems print them and exit. Sources that are *unknown* may be passed over."""
    sketch, problems = _read_deal_sketch(file, wishes, players, pack, None if unknown else sigla_of(library), names)
    if sketch is None:
        output.print_problems(problems, stderr=True)
        sys.exit(2 if all(problem.file == WISH_OPTION for problem in problems) else 1)
    if unknown:
        pools = sketch.rest.get("pools")
        say_unused(library, file or "", {"pool": pools if isinstance(pools, Mapping) else ()})
    return sketch


def _suggest_other_search(library: Library, ruleset: Ruleset, sketch: Sketch, failure: NotFound, seed: int) -> str:
    if not failure.never:
        return "Try another --seed, more --tries, or wish for less."
    if find_contradiction(sketch.wishes):
        return "Wish for something else."
    others = [siglum for siglum in match_sigla(library, ()) if siglum != ruleset.source]
    if failure.silent:
        asked = next((slug for slug in library.questions if f" silent on {slug}:" in f"{failure.never}:"), "")
        return suggest_supply(library, ruleset.source, asked)
    able = [siglum for siglum in others if _has_such_deal(resolve_cli_rules(library, siglum), sketch, seed)]
    if not able:
        return "No other source has such a deal either."
    return f"Such a deal was found by {', '.join(able)}: --source {able[0]}."


def _has_such_deal(ruleset: Ruleset, sketch: Sketch, seed: int) -> bool:
    with suppress(Silent):
        return isinstance(fill(ruleset, sketch, seed, _TRIES_ELSEWHERE), Found)
    return False


@deal_command.command("read")
@click.argument("file", metavar="DIAGRAM")
@_FORMAT_OPTION
@_LONG_OPTION
def read_command(file: str, form: str, long: bool) -> None:
    """Read a deal from a diagram in plain letters, as card books print it.

    Each player's name stands over their cards, suit by suit; hands may stand in columns, as at the table. Then
    `Talon: JH AS QC 3C`, `Dealer: West`, and the tricks in rows, `1. 5H 7H 4H KH`. DIAGRAM is a file, or - for standard
    input. Suits are signs or the letters S H D C before their cards, a dash is a void, 10 is T, and R D V are K Q J;
    `Seats:`, `Pack:`, `Pool:`, `Title:` and `Note:` may be added. Errors are reported with their lines; exit code 1.
    """
    try:
        text, called = read_cli_text(file, "a diagram in plain letters, or - for standard input")
    except Stop as stop:
        output.print_problems([stop.problem], stderr=True)
        sys.exit(1)
    deal, problems = read_diagram(text, called)
    if deal is None:
        output.print_problems(problems, stderr=True)
        sys.exit(1)
    named = replace(deal, id=Path(file).stem) if deal.id == "from-a-diagram" and Path(file).is_file() else deal
    print_deal_records(iter([write_deal(named)]), form, long)


# ---- writing
def format_record_yaml(record: Mapping[str, object]) -> str:
    """Format a record as YAML as by hand: a line for each hand and trick, small things in one."""
    import yaml

    dump: Any = partial(yaml.safe_dump, allow_unicode=True, sort_keys=False)
    lines = list[str]()
    for key, value in record.items():
        in_one = f"{key}: {dump(value, width=10_000, default_flow_style=True).strip()}\n"
        if key in _BLOCK_KEYS or not isinstance(value, Mapping | list):
            lines.append(dump({key: value}, width=_RECORD_WIDTH, default_flow_style=False))
        elif isinstance(value, list) and len(in_one) > _RECORD_WIDTH:
            lines.append(dump({key: value}, width=10_000, default_flow_style=None))
        else:
            lines.append(in_one)
    return "".join(lines)


def print_deal_records(records: Iterator[Mapping[str, object]], form: str, long: bool) -> None:
    """Print the records, in YAML or as lines of JSON."""
    for at, record in enumerate(records):
        whole = long_form(record) if long else drop_blanks(record)
        if form == "json":
            output.print_json(whole)
        else:
            click.echo(("---\n" if at else "") + format_record_yaml(whole), nl=False)


def choose_seed(seed: int | None) -> int:
    """Return the given seed, or a random one, which is printed with the deal."""
    return SystemRandom().randrange(1_000_000) if seed is None else seed


# ---- new
def format_blank_record(shape: TableShape, seed: int | None) -> str:
    """Format an empty deal record with its comments."""
    held = (
        [[] for _ in range(shape.players + 1)] if seed is None else lay_out_cards(Random(f"new:{seed}"), shape, {}, {})
    )
    seats = SEAT_NAMES[shape.players]
    hands = "".join(f"  {s}: {_format_cards(sort_cards(h)) or '_'}\n" for s, h in zip(seats, held, strict=False))
    whole = "\n".join(
        f"#   {_format_cards(c for c in sort_cards(make_pack(shape.pack)) if c >> 4 == suit)}" for suit in range(4)
    )
    shuffled = f"# The cards were dealt at random: reversis deal new --seed {seed}" + format_options(
        players=shape.players, pack=shape.pack
    )
    cards = f"# All cards:\n{whole}" if seed is None else shuffled
    return _BLANK_RECORD.format(
        pack=shape.pack,
        seats=", ".join(seats),
        dealer=seats[-1],
        hand=shape.hand,
        aside=shape.talon,
        cards=cards,
        hands=hands,
        talon=_format_cards(held[TALON_PLACE]) or "_",
        tricks="  - ''\n" * shape.hand,
    )


def _format_cards(cards: Iterator[int] | list[int]) -> str:
    return " ".join(map(format_card, cards))


_BLANK_RECORD = """\
# A deal of Reversis. Write in what you know and put _ for a card you do not know; then
#   reversis deal fill FILE --source S     completes the rest by search
#   reversis run FILE --source S           settles it, once it is whole
deal: my-deal                    # its id: the name of the file without suffix
title: ''
provenance: constructed          # printed | completed | constructed | generated
pack: {pack}                         # 48, without the tens, or 52
seats: [{seats}]   # in order of play, to the right
dealer: {dealer}
{cards}
# Hands of {hand}, as held when the first card is led, after the exchange; {aside} cards in the talon.
hands:
{hands}talon: {talon}
# {hand} tricks, in the order played, the leader's card first; who leads follows from the trick before.
tricks:
{tricks}pool: {{stake: 60, waiting: []}}
# What the rest is to be like, for `reversis deal fill`; take it out of the whole record:
# wishes: [quinola forced from the side at the last trick, no reversis]
"""


# ---- fill
def _read_deal_sketch(
    file: str | None,
    wished: tuple[str, ...],
    players: int | None,
    pack: int | None,
    sigla: frozenset[str] | None,
    names: Mapping[str, str],
) -> tuple[Sketch | None, list[Problem]]:
    if file is None:
        return read_sketch({}, wished=wished, players=players, pack=pack, cards=names)
    try:
        text, called = read_cli_text(file, "a partial deal record, - for standard input, or only --wish")
    except Stop as stop:
        return None, [stop.problem]
    data, positions, problems = read_yaml(text, called)
    if problems:
        return None, problems
    return read_sketch(data, positions.where, wished, players, pack, sigla, names)
