"""Play at a table in the terminal: persons and players of several kinds, by the rules of a source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from edition.cli.arguments import parse_wish_option, resolve_cli_rules
from edition.cli.options import FILE_TYPE, ONE_SOURCE_OPTION, OUTPUT_NAMES, make_wish_option
from edition.cli.output import fail_with_problems, print_remark
from engine.deal.model import Deal
from engine.generation.requests import NoSuchDeal, find_tables
from engine.generation.turn import SEAT_NAMES, TableShape
from engine.players.nets import find_net
from engine.players.preferences import SKILLED
from engine.session.session import NotCounted, finish, play_next_deal, prepare_next_deal
from reversis.cli.deal import choose_seed
from reversis.cli.deal_arguments import load_playable_library, require_siglum
from reversis.cli.hint.hint import find_hint, require_search
from reversis.cli.net_limits import describe_net_limits
from reversis.cli.session import describe_balances
from reversis.cli.table.deal_lines import print_settlement
from reversis.cli.table.persons import Leave, ask_hint
from reversis.cli.table.play_deal import TerminalTable, play_deal
from reversis.cli.table.saved_game import SavedGame, read_saved_game, reserve_game_file
from reversis.cli.table.terminal_io import Talk
from reversis.table.game import TableGame, begin_game, deal_next
from reversis.table.options import TableOptions
from reversis.table.players import KINDS, NET, PERSON
from reversis.table.saved_faults import find_game_faults
from reversis.table.standing import describe_deal_with_stake, describe_rest, list_contributions
from rulebook.model import Library, Ruleset
from rulebook.strings import quote_value

_WORLDS = 64  #: of a skilled player
_SEATS = SEAT_NAMES[5]
_Options: TypeAlias = "dict[str, Any]"


def _add_seat_options(command: Callable[..., None]) -> Callable[..., None]:
    for seat in reversed(_SEATS):
        kind = PERSON if seat == _SEATS[0] else SKILLED
        help = f"Who sits {seat}{' where five play' * (seat == _SEATS[-1])}; if left out, {kind}."
        command = click.option(f"--{seat}", type=click.Choice(KINDS), default=kind, help=help)(command)
    return command


@click.command("play")
@ONE_SOURCE_OPTION
@make_wish_option("Play another rule, as with `run`.")
@_add_seat_options
@click.option(
    "--players", type=click.Choice(["4", "5"]), help="Number of players; default: the fewest that the source allows."
)
@click.option("--pack", type=click.Choice(["48", "52"]), help="Number of cards: 48 without the tens, or 52.")
@click.option(
    "--deals", type=click.IntRange(1, 1000), metavar="N", default=1, show_default=True, help="Number of deals."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="The same seed deals the same cards.")
@click.option(
    "--claims",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="What persons who win the partie claim for cards that were led.",
)
@click.option(
    "--waive",
    type=click.IntRange(1, 1000),
    metavar="N",
    multiple=True,
    help="In deal N persons waive the espagnolette and follow suit.",
)
@click.option(
    *OUTPUT_NAMES,
    "out",
    type=FILE_TYPE,
    metavar="FILE",
    help="Save the game in this new file; default: reversis-1.yaml ...",
)
@click.option("--resume", type=FILE_TYPE, metavar="FILE", help="Continue a saved game; no other option may be given.")
@click.pass_context
def play_command(context: click.Context, /, resume: Path | None, **options: Any) -> None:
    """Play at a table: you, and players who look ahead.

    Each seat is a person, or a program: random, cautious, net (a neural net), or skilled (looks ahead). Type a card by
    rank and suit (QH, 10S), h for a hint, ? for help and the rules, back to take back your last choice, q to leave. The
    French R, D and V are taken as K, Q and J if you confirm with Enter. A card that is the only legal one is played
    without asking. Payments are shown with their clauses after each trick, and the accounts after each deal.

    The game is saved after every card; --resume FILE continues it, even after the terminal was closed. The file has a
    record for each deal: `reversis run FILE` settles it, `reversis session FILE` several. Input that is not a terminal
    is read line by line; its end leaves the table.

    Skilled players need pip install "reversis[survey]"; without it they play by a neural net trained on their search.
    Nothing is announced.
    """
    saved = None
    if resume is not None:
        _refuse_other_options(context)
        saved = read_saved_game(resume)
        options = read_saved_options(saved)
    talk = Talk()
    game = seat_game(options, tuple(saved.deals) if saved else ())
    path = reserve_game_file(options["out"]) if resume is None else resume
    if saved and (faults := [*find_game_faults(saved.positions, begin_game(game))]):
        fail_with_problems(faults, f"The game in {resume} cannot go on; correct the problems above.")
    try:
        play_game(TerminalTable(game, path, talk))
    except (Leave, KeyboardInterrupt):
        talk.say("", f"Saved in {path}. To go on: reversis play --resume {path}")
    finally:
        if path.is_file() and not path.stat().st_size:
            path.unlink()  # it was only to keep the name


def read_saved_options(saved: SavedGame) -> _Options:
    """Read the options that a game was begun with; with a problem print it and exit."""
    try:
        return play_command.make_context("play", saved.options).params
    except click.UsageError as fault:
        problem = (
            saved.positions[0]
            .find(("note",))
            .problem(f"the command in the note is none: {fault.format_message()}", "write it as it was")
        )
        fail_with_problems([problem], "The game cannot go on; correct the problem above.")


def _refuse_other_options(context: click.Context) -> None:
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if others := [f"--{name}" for name in given if name != "resume"]:
        raise click.UsageError(f"--resume goes on as the game was begun: leave out {', '.join(others)}.")


def _refuse_empty_seats(seats: Sequence[str]) -> None:
    given = click.get_current_context().get_parameter_source
    if others := [f"--{seat}" for seat in _SEATS if seat not in seats and given(seat) is ParameterSource.COMMANDLINE]:
        raise click.UsageError(f"Four play here: leave out {', '.join(others)}.")


def seat_game(options: _Options, deals: tuple[Deal, ...]) -> TableGame:
    """Seat the company; a game that is gone on with has its deals."""
    lib = load_playable_library()
    ruleset = resolve_cli_rules(
        lib, require_siglum(lib, options["source"]), [parse_wish_option(lib, text) for text in options["wishes"]]
    )
    shape = choose_table(lib, ruleset, *(options[name] and int(options[name]) for name in ("players", "pack")))
    seats = SEAT_NAMES[shape.players]
    _refuse_empty_seats(seats)
    kinds, seed = tuple(options[seat] for seat in seats), choose_seed(options["seed"])
    wishes, number = tuple(options["wishes"]), options["deals"]
    besides = options["claims"] == "none", tuple(options["waive"])
    saved = TableOptions(ruleset.source, seed, kinds, wishes, number, shape.players, shape.pack, *besides)
    game = TableGame(lib, ruleset, shape, saved, deals)
    if kinds.count(PERSON) > 1:
        print_remark("Several persons play at one screen, and see each other's hands.")
    return replace(game, search=_search_card) if can_search(game) else game


def can_search(game: TableGame) -> bool:
    """Return whether the skilled can search; if not, say how they play: by a net, or with caution."""
    net = find_net(game.ruleset, game.shape.players, game.shape.pack)
    if NET in game.options.kinds and net is None:
        print_remark("There is no trained net for this table: those who play by one play with caution.")
    if SKILLED not in game.options.kinds:
        return False
    try:
        require_search(game.library, game.ruleset, game.shape)
    except click.ClickException as fault:
        if net:
            limits = "".join(f"{limit} " for limit in describe_net_limits(game.ruleset, net.stake, net))
            print_remark(f"The skilled seats play by a net, and search nothing. {limits}{fault.message}")
        else:
            print_remark(f"The skilled seats play with caution instead. {fault.message}")
        return False
    return True


def _search_card(game: TableGame) -> int:
    return find_hint(ask_hint(game, _WORLDS)).cards[0]


def choose_table(library: Library, ruleset: Ruleset, players: int | None, pack: int | None) -> TableShape:
    """Choose the smallest table that is asked for. Raises click.UsageError, click.ClickException."""
    try:
        return find_tables([ruleset], players, pack)[0]
    except NoSuchDeal as none:
        raise click.UsageError(str(none)) from None


# ---- the deals
def play_game(table: TerminalTable) -> None:
    """Play all deals, those on record first; say how all stand. Raises Leave, Silent."""
    talk, step = table.talk, begin_game(table.game)
    number = table.game.options.deals
    for at in range(number):
        step = step if step.after.ready else prepare_next_deal(step.after)
        known = len(table.game.deals) > at
        if not known:
            table.game = deal_next(table.game, step.after)
        if table.game.deals[at].fragment:
            talk.space()
            so_far = [f"so far: {describe_balances(step.before)}"] if at else []
            talk.say(*so_far, *list_contributions(step))
            play_deal(table, step.after)
        deal = table.game.deals[at]
        result = play_next_deal(step.after, deal)
        if isinstance(result, NotCounted):
            print_settlement(talk, table.game, deal)
            raise click.ClickException(f"The game ends here: {quote_value(result)}. It is saved in {table.path}.")
        step = result
        if not known or at == len(table.game.deals) - 1:
            print_settlement(talk, table.game, deal)
    if number > 1:
        step = finish(step.after)
        talk.say(*list_contributions(step), describe_rest(step.after), f"in the end: {describe_balances(step.after)}")
    else:
        talk.say(describe_deal_with_stake(step.after), describe_rest(step.after))
    talk.say(f"Saved in {table.path}.")
