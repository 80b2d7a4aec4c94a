"""`reversis deal` and what may stand after it."""

from __future__ import annotations

import difflib
import sys
from typing import Any

import click

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
SOURCE = click.option("-s", "--source", metavar="S", help="Lawful by this source.")
SEED = click.option("--seed", type=click.IntRange(min=0), metavar="N", help="The same seed gives the same deal.")
PLAYERS = click.option("--players", type=click.Choice(["4", "5"]), help="So many players.")
PACK = click.option("--pack", type=click.Choice(["48", "52"]), help="So many cards: 48 are without the tens.")
FORM = click.option(
    "-f", "--format", "form", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True,
    help="A record in YAML, or one line of JSON for each.",
)  # fmt: skip
IGNORE_UNKNOWN = click.option(
    "--ignore-unknown",
    is_flag=True,
    help="Take records that name sources under `pool` or `expect` which these sources do not have; what is not used is "
    "said.",
)


def refuse_without_record(ignore_unknown: bool) -> None:
    """Refuse `--ignore-unknown` where no record is read."""
    if ignore_unknown:
        raise click.UsageError("--ignore-unknown is for the record of a deal or a session, and none is read here.")


LONG = click.option("--long", is_flag=True, help="Leave nothing unsaid: every key, and cards in lists.")


class DealGroup(click.Group):
    """The ways to a deal; a mistyped one is told what was meant."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = difflib.get_close_matches(args[0], self.commands, 1)
            hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(self.commands)}."
            raise click.UsageError(f"No command {args[0]!r} of `reversis deal`. {hint}", ctx)
        return super().resolve_command(ctx, args)


def whole(text: str | None) -> int | None:
    """A number that was chosen."""
    return None if text is None else int(text)


@click.group("deal", cls=DealGroup, context_settings=CONTEXT)
def deal() -> None:
    """Make a deal: new, random, filled in, or read from a diagram.

    What is made goes to standard output as a deal record; `reversis run` settles it.
    """


@deal.command("random", context_settings=CONTEXT)
@SOURCE
@SEED
@PLAYERS
@PACK
@click.option("--number", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="So many deals.")
@FORM
@LONG
def random_(
    source: str | None, seed: int | None, players: str | None, pack: str | None, number: int, form: str, long: bool
) -> None:
    """Deal and play by lot, lawfully.

    Without --source the deal is lawful by every source that plays at such a table. The record's note keeps the command
    that makes it again. Several deals are best had with --format json, which `reversis run -` reads.
    """
    from edition.cli.deal import random

    sys.exit(random(source, seed, whole(players), whole(pack), number, form, long))


@deal.command("new", context_settings=CONTEXT)
@SEED
@click.option("--players", type=click.Choice(["4", "5"]), default="4", show_default=True, help="So many players.")
@click.option("--pack", type=click.Choice(["48", "52"]), default="48", show_default=True, help="So many cards.")
@click.option("--blank", is_flag=True, help="Deal no cards either: every hand is open.")
def new_(seed: int | None, players: str, pack: str, blank: bool) -> None:
    """Print an empty record to fill in, with comments.

    The cards are shuffled and dealt, and nothing is played. Write tricks and wishes into it, and have it completed by
    `reversis deal fill`.
    """
    from edition.cli.deal import new

    sys.exit(new(seed, int(players), int(pack), blank))


@deal.command("fill", context_settings=CONTEXT)
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "-w",
    "--wish",
    "wishes",
    multiple=True,
    metavar="WISH",
    help='What the deal is to have, such as "quinola forced from the side at the last trick". May be given several '
    "times.",
)
@click.option("-s", "--source", metavar="S", required=True, help="Lawful by this source, and so by its words.")
@SEED
@click.option(
    "--tries", type=click.IntRange(min=1), default=3000, show_default=True, metavar="N", help="Lay out so many deals."
)
@PLAYERS
@PACK
@IGNORE_UNKNOWN
@FORM
@LONG
def fill_(
    file: str | None,
    wishes: tuple[str, ...],
    source: str,
    seed: int | None,
    tries: int,
    players: str | None,
    pack: str | None,
    ignore_unknown: bool,
    form: str,
    long: bool,
) -> None:
    """Complete a deal of which only a part is known, or wished.

    FILE is a deal record with gaps: hands with fewer cards, _ for a card, an empty line for a trick, and `wishes`, a
    list of what it is to have. It may be left out when there is a --wish.

    A wish is a subject and what is to become of it: quinola, ace, ace of diamonds ... | led, followed, forced, put,
    thrown off, laid away, claimed, unclaimed, alone, free, opposite, from the side, at the first (last, last but one)
    trick, at trick 7; reversis | made, broken, undertaken; no reversis; espagnolette | undertaken, won, lost, breaking;
    no espagnolette; partie | won, lost, with a trick, without a trick; five players; 52 cards. After any of them: by
    PLAYER; a card is forced by him who leads to it, and a reversis broken by him who takes the trick. It is the source
    that says what is forced, and who wins.

    The deal that is found is replayed and settled before it is given out. Exit code 1 if none is found.
    """
    from edition.cli.deal import complete

    if file is None and not wishes:
        raise click.UsageError('Give a FILE with a part of a deal, or --wish "reversis made by east".')
    sys.exit(complete(file, wishes, source, seed, tries, whole(players), whole(pack), form, long, ignore_unknown))


@deal.command("read", context_settings=CONTEXT)
@click.argument("file", metavar="DIAGRAM")
@FORM
@LONG
def read_(file: str, form: str, long: bool) -> None:
    """Read a deal from a diagram in plain letters, as card books print it.

    Each player's name stands over his cards, suit by suit; hands may stand in columns, as at the table. Then
    `Talon: JH AS QC 3C`, `Dealer: West`, and the tricks in rows, `1. 5H 7H 4H KH`. DIAGRAM is a file, or - for standard
    input. Suits are signs or the letters S H D C before their cards, a dash is a void, 10 is T, and R D V are K Q J;
    `Seats:`, `Pack:`, `Pool:`, `Title:` and `Note:` may be added. Exit code 1 if anything is wrong, each fault with its
    line.
    """
    from edition.cli.deal import read

    sys.exit(read(file, form, long))
