"""Making deals: by lot, empty, completed from a part, read from a diagram; each as a record that can be run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom

import click

from edition.cli import output
from edition.cli.arguments import library, rules, say_unused, siglum
from edition.cli.deal_group import refuse_without_record
from edition.data.deals import sigla_of
from engine.cards import in_order, name, pack
from engine.deal.diagram import read_diagram
from engine.deal.writer import long_form, write_deal
from engine.generation.deal import Found, fill, lay_out
from engine.generation.partial_deal import read_sketch
from engine.generation.partial_model import Sketch
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
from engine.generation.turn import ASIDE, SEATS, Shape, shapes
from rulebook.io.strict_yaml import Stop, read_letters, read_yaml
from rulebook.problems import Problem

#: The parts of a record that have a line each for their own parts; all others stand in one line.
IN_LINES = ("hands", "tricks", "expect")


# ---- writing
def as_yaml(record: Mapping[str, object]) -> str:
    """A record as one writes it by hand: hands and tricks a line each, small things in one line."""
    import yaml

    return "".join(
        yaml.safe_dump({key: value}, allow_unicode=True, sort_keys=False, width=110, default_flow_style=False)
        if key in IN_LINES or not isinstance(value, Mapping | list)
        else f"{key}: {in_a_line(value)}\n"
        for key, value in record.items()
    )


def in_a_line(value: object) -> str:
    """A list or a table in brackets."""
    import yaml

    dumped: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000)
    return dumped.strip()


def give(records: Iterator[Mapping[str, object]], form: str, long: bool) -> None:
    """The records, in YAML or as lines of JSON."""
    for at, record in enumerate(records):
        whole = long_form(record) if long else drop_blanks(record)
        if form == "json":
            output.data(whole)
        else:
            click.echo(("---\n" if at else "") + as_yaml(whole), nl=False)


def seeded(seed: int | None) -> int:
    """The seed that is given, or one that is told so that the deal can be had again."""
    return SystemRandom().randrange(1_000_000) if seed is None else seed


# ---- random
def random(
    source: str | None, seed: int | None, players: int | None, cards: int | None, number: int, form: str, long: bool
) -> int:
    """Deals by lot, lawful by one source, or by every source that plays at such a table."""
    lib = library()
    rulesets = [rules(lib, siglum(lib, source))] if source else [rules(lib, s) for s in lib.sources]
    try:
        known = find_tables(rulesets, players, cards)
    except NoSuchDeal as none:
        raise click.UsageError(str(none)) from None
    start = seeded(seed)
    command = "reversis deal random" + format_options(
        source=source and siglum(lib, source), seed=start, players=players, pack=cards
    )
    try:
        give((make_random_record(rulesets, known, start, n, number, command) for n in range(1, number + 1)), form, long)
    except NoSuchDeal as none:
        raise click.ClickException(str(none)) from None
    return 0


# ---- new
def new(seed: int | None, players: int, cards: int, blank: bool) -> int:
    """An empty record to fill in: the cards dealt, or all hands open, and nothing played."""
    lib = library()
    shape = next((s for one in lib.sources for s in shapes(rules(lib, one)) if fits_request(s, players, cards)), None)
    if shape is None:
        raise click.UsageError(explain_no_table([rules(lib, s) for s in lib.sources], players, cards))
    click.echo(form_of(shape, None if blank else seeded(seed)), nl=False)
    return 0


def form_of(shape: Shape, seed: int | None) -> str:
    """The record with its comments."""
    held = [[] for _ in range(shape.players + 1)] if seed is None else lay_out(Random(f"new:{seed}"), shape, {}, {})
    seats = SEATS[shape.players]
    hands = "".join(f"  {s}: {line(in_order(h)) or '_'}\n" for s, h in zip(seats, held, strict=False))
    whole = "\n".join(f"#   {line(c for c in in_order(pack(shape.pack)) if c >> 4 == suit)}" for suit in range(4))
    shuffled = f"# The cards were dealt by lot: reversis deal new --seed {seed}" + format_options(
        players=shape.players, pack=shape.pack
    )
    cards = f"# All cards:\n{whole}" if seed is None else shuffled
    return NEW.format(
        pack=shape.pack,
        seats=", ".join(seats),
        dealer=seats[-1],
        hand=shape.hand,
        aside=shape.talon,
        cards=cards,
        hands=hands,
        talon=line(held[ASIDE]) or "_",
        tricks="  - ''\n" * shape.hand,
    )


def line(cards: Iterator[int] | list[int]) -> str:
    """Cards in a line."""
    return " ".join(map(name, cards))


NEW = """\
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
def complete(
    file: str | None,
    wished: tuple[str, ...],
    source: str,
    seed: int | None,
    tries: int,
    players: int | None,
    cards: int | None,
    form: str,
    long: bool,
    ignore_unknown: bool,
) -> int:
    """Complete a deal; 0, or 1 where the part is faulty or nothing was found."""
    refuse_without_record(ignore_unknown and file is None)
    lib = library()
    ruleset = rules(lib, siglum(lib, source))
    sketch, problems = part_of(file, wished, players, cards, None if ignore_unknown else sigla_of(lib))
    if sketch is None:
        output.tell(problems, stderr=True)
        return 1
    if ignore_unknown:
        pools = sketch.rest.get("pools")
        say_unused(lib, file or "", {"pool": pools if isinstance(pools, Mapping) else ()})
    start = seeded(seed)
    found = fill(ruleset, sketch, start, tries)
    if not isinstance(found, Found):
        output.say(f"{ruleset.name}: {found}.\nTry another --seed, more --tries, or wish for less.")
        return 1
    words = "".join(f' --wish "{w}"' for w in wished)
    command = (
        "reversis deal fill"
        + (f" {file}" if file else "")
        + words
        + format_options(source=ruleset.source, seed=start, players=players, pack=cards)
    )
    give(iter([make_found_record(found, sketch, command)]), form, long)
    return 0


def part_of(
    file: str | None, wished: tuple[str, ...], players: int | None, cards: int | None, sigla: frozenset[str] | None
) -> tuple[Sketch | None, list[Problem]]:
    """What is known of the deal, out of a file and the wishes."""
    if file is None:
        return read_sketch({}, wished=wished, players=players, pack=cards)
    path = Path(file)
    if file != "-" and not path.is_file():
        raise click.UsageError(f"No file {file!r}. Give a partial deal record, - for standard input, or only --wish.")
    text = sys.stdin.read() if file == "-" else path
    data, positions, problems = read_yaml(text, "<stdin>" if file == "-" else path.as_posix())
    if problems:
        return None, problems
    return read_sketch(data, positions.where, wished, players, cards, sigla)


# ---- read
def read(file: str, form: str, long: bool) -> int:
    """Read a diagram; 0, or 1 where it is faulty."""
    path = Path(file)
    if file != "-" and not path.is_file():
        raise click.UsageError(f"No file {file!r}. Give a diagram in plain letters, or - for standard input.")
    try:
        text = sys.stdin.read() if file == "-" else read_letters(path, path.as_posix())
    except Stop as stop:
        output.tell([stop.problem], stderr=True)
        return 1
    deal, problems = read_diagram(text, "<stdin>" if file == "-" else path.as_posix())
    if deal is None:
        output.tell(problems, stderr=True)
        return 1
    named = replace(deal, id=path.stem) if deal.id == "from-a-diagram" and file != "-" else deal
    give(iter([write_deal(named)]), form, long)
    return 0
