"""Play at a table in the terminal: persons and players of several kinds, by the rules of a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import click
from click.core import ParameterSource

from edition.cli.arguments import parse_wish_option, resolve_cli_rules
from edition.cli.options import FILE_TYPE, ONE_SOURCE_OPTION, OUTPUT_NAMES, make_wish_option
from edition.cli.output import fail_with_problems, print_remark
from engine.cards import format_card
from engine.deal.model import Deal, Exchange
from engine.generation.at_table import (
    add_card,
    begin_deal,
    exchange_card,
    find_exchange_turn,
    give_cards,
    set_up_turn,
)
from engine.generation.requests import NoSuchDeal, find_tables, format_options
from engine.generation.turn import SEAT_NAMES, TableShape
from engine.play.table import PlayTable
from engine.players.preferences import SKILLED
from engine.session.session import NotCounted, Session, Step, begin, finish, play_next_deal, prepare_next_deal
from engine.settlement.settle import settle
from reversis.cli.deal import choose_seed
from reversis.cli.deal_arguments import load_playable_library, require_siglum
from reversis.cli.hint.hint_exchange import KEPT_HAND, ExchangeQuestion, list_gift_questions
from reversis.cli.ledger_tables import print_deal_view
from reversis.cli.reckonings import Reckonings, list_reckonings
from reversis.cli.session import describe_balances
from reversis.cli.table.money import (
    describe_deal_with_stake,
    describe_rest,
    list_contributions,
    list_standings,
)
from reversis.cli.table.players import (
    KINDS,
    PERSON,
    Leave,
    SeatedCompany,
    describe_row,
    replace_missing_skill,
)
from reversis.cli.table.saved_game import SavedGame, read_saved_game, reserve_game_file, save_game
from reversis.cli.table.terminal_io import Talk
from reversis.table.saved_faults import find_game_faults
from reversis.words.deal_views import DealView, view_settlements
from reversis.words.ledgers import LedgerLine, pool_words
from rulebook.model import Library, Ruleset
from rulebook.phrases import describe_sum_unit
from rulebook.strings import quote_value

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
    "--players", type=click.Choice(["4", "5"]), help="So many players; if left out, as few as the source has."
)
@click.option("--pack", type=click.Choice(["48", "52"]), help="So many cards: 48 are without the tens.")
@click.option("--deals", type=click.IntRange(1, 1000), metavar="N", default=1, show_default=True, help="So many deals.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="The same seed deals the same cards.")
@click.option(
    *OUTPUT_NAMES,
    "out",
    type=FILE_TYPE,
    metavar="FILE",
    help="Save the game in this new file; if left out, reversis-1.yaml ...",
)
@click.option("--resume", type=FILE_TYPE, metavar="FILE", help="Go on with a saved game; no other option is given.")
@click.pass_context
def play_command(context: click.Context, /, resume: Path | None, **options: object) -> None:
    """Play at a table: you, and players who look ahead.

    Each seat is a person, or plays at random, with caution, or looks ahead (skilled); persons are asked for cards. Type
    a card by rank and suit (QH, 10S), ? for a hint, q to leave. R, D and V are K, Q and J: you are told which card that
    is, and Enter takes it. After each trick the payments are named with their clauses, after each deal there is the
    whole ledger, after several how all stand.

    The game is saved after every card, and --resume FILE goes on with it, also when the terminal was closed. The file
    is a deal record, of several deals one after another; `reversis run FILE` settles it, and `reversis session FILE`
    several. Input that is no terminal is read line by line, and its end leaves the table.

    Players who look ahead search with pip install "reversis[survey]"; without it they play by a net that has learnt
    from such a search. Payments are all asked for, and nothing is announced.
    """
    saved = None
    if resume is not None:
        _refuse_other_options(context)
        saved = read_saved_game(resume)
        options = read_saved_options(saved)
    game = seat_game(resume, options, saved.deals if saved else [])
    if saved and (faults := [*find_game_faults(saved.positions, begin_game(game))]):
        fail_with_problems(faults, f"The game in {resume} cannot go on; mend the problems above.")
    try:
        play_game(game)
    except (Leave, KeyboardInterrupt):
        game.company.talk.say("", f"Saved in {game.path}. To go on: reversis play --resume {game.path}")
    finally:
        if game.path.is_file() and not game.path.stat().st_size:
            game.path.unlink()  # it was only to keep the name


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
        fail_with_problems([problem], "The game cannot go on; mend the problem above.")


def _refuse_other_options(context: click.Context) -> None:
    given = [name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if others := [f"--{name}" for name in given if name != "resume"]:
        raise click.UsageError(f"--resume goes on as the game was begun: leave out {', '.join(others)}.")


def _refuse_empty_seats(seats: Sequence[str]) -> None:
    given = click.get_current_context().get_parameter_source
    if others := [f"--{seat}" for seat in _SEATS if seat not in seats and given(seat) is ParameterSource.COMMANDLINE]:
        raise click.UsageError(f"Four play here: leave out {', '.join(others)}.")


@dataclass
class SeatedGame:
    """A game: the company, its file, the deals so far, of which the last may be in progress."""

    library: Library
    ruleset: Ruleset
    shape: TableShape
    company: SeatedCompany
    path: Path
    number: int  #: of deals to be played
    options: str  #: as typed, to be saved with every deal
    deals: list[Deal] = field(default_factory=list)

    def save(self, deal: Deal) -> Deal:
        """Save the last deal as it now stands."""
        self.deals[-1] = deal
        save_game(self.path, self.deals, self.options)
        return deal


def seat_game(path: Path | None, options: _Options, deals: list[Deal]) -> SeatedGame:
    """Seat the company; a game that is gone on with has its deals."""
    lib = load_playable_library()
    wishes = options["wishes"]
    ruleset = resolve_cli_rules(
        lib, require_siglum(lib, options["source"]), [parse_wish_option(lib, text) for text in wishes]
    )
    shape = choose_table(lib, ruleset, *(options[name] and int(options[name]) for name in ("players", "pack")))
    seats = SEAT_NAMES[shape.players]
    _refuse_empty_seats(seats)
    kinds = tuple(options[seat] for seat in seats)
    seed = choose_seed(options["seed"])
    option_text = format_options(source=ruleset.source) + "".join(f" --with '{wish}'" for wish in wishes)
    option_text += format_options(seed=seed, deals=options["deals"], players=shape.players, pack=shape.pack)
    option_text += format_options(**dict(zip(seats, kinds, strict=True)))
    talk = Talk()
    company = SeatedCompany(lib, ruleset, seats, replace_missing_skill(lib, ruleset, shape, kinds, talk), seed, talk)
    if len(company.persons) > 1:
        print_remark("Several persons play at one screen, and see each other's hands.")
    file = reserve_game_file(options["out"]) if path is None else path
    return SeatedGame(lib, ruleset, shape, company, file, options["deals"], option_text, deals)


def choose_table(library: Library, ruleset: Ruleset, players: int | None, pack: int | None) -> TableShape:
    """Choose the smallest table that is asked for. Raises click.UsageError, click.ClickException."""
    try:
        return find_tables([ruleset], players, pack)[0]
    except NoSuchDeal as none:
        raise click.UsageError(str(none)) from None


# ---- the deals
def play_game(game: SeatedGame) -> None:
    """Play all deals, those on record first; say how all stand. Raises Leave, Silent."""
    talk, step = game.company.talk, begin_game(game)
    for at in range(game.number):
        step = step if step.after.ready else prepare_next_deal(step.after)
        session, known = step.after, len(game.deals) > at
        if not known:
            game.deals.append(deal_next(game, session, at + 1))
        if not known or game.deals[at].fragment:
            talk.space()
            so_far = [f"so far: {describe_balances(step.before)}"] if at else []
            talk.say(*so_far, *list_contributions(step))
            play_deal(game, at, session)
        result = play_next_deal(session, game.deals[at])
        if isinstance(result, NotCounted):
            print_settlement(game, game.deals[at])
            raise click.ClickException(f"The game ends here: {quote_value(result)}. It is saved in {game.path}.")
        step = result
        if not known or at == len(game.deals) - 1:
            print_settlement(game, game.deals[at])
    if game.number > 1:
        step = finish(step.after)
        talk.say(*list_contributions(step), describe_rest(step.after), f"in the end: {describe_balances(step.after)}")
    else:
        talk.say(describe_deal_with_stake(step.after), describe_rest(step.after))
    talk.say(f"Saved in {game.path}.")


def begin_game(game: SeatedGame) -> Step:
    """Draw who deals first, and have all put in what is due before the first deal."""
    seats = game.company.seats
    return begin(game.ruleset, seats, Random(f"play:{game.company.seed}").randrange(len(seats)))


def deal_next(game: SeatedGame, session: Session, number: int) -> Deal:
    """Deal the cards of the next deal, the same for the same seed."""
    lots = Random(f"play:{game.company.seed}:{number}")
    name = f"play-{game.company.seed}-{number}"
    return begin_deal(lots, game.shape, session.dealer, name, session.pool)


def play_deal(game: SeatedGame, at: int, session: Session) -> None:
    """Exchange and play one deal to its end, saved after every card. Raises Leave, Silent."""
    company, deal = game.company, game.save(game.deals[at])
    talk, seats = company.talk, company.seats
    of = f" of {game.number}" if game.number > 1 else ""
    talk.space()
    sums = f"{pool_words(deal.pool(''))}, {describe_sum_unit(game.ruleset.unit)}"
    talk.say(f"deal {at + 1}{of} by {game.ruleset.name}: {seats[deal.dealer]} deals, {sums}", style="bold")
    talk.say(*(describe_exchange(company, exchange) for exchange in deal.exchange), *describe_gifts(company, deal))
    deal = exchange_cards(game, deal)
    table, turn = set_up_turn(deal, company.ask)
    talk.say(*list_played_tricks(game, deal, table))
    shown = 0  #: tricks, when it was last said how the persons stand
    while turn is not None:
        if not turn.row:
            talk.space()
        if len(table.takers) > shown:
            shown = len(table.takers)
            talk.say(*list_standings(session, deal, table, company.persons))
        card = company.choose_card(deal, turn)
        paid = set(list_payment_lines(game, deal)) if len(turn.row) == len(seats) - 1 else set()
        deal = game.save(add_card(deal, card))
        talk.say(f"trick {turn.number}: {seats[turn.seat]} plays {format_card(card)}")
        table, turn = set_up_turn(deal, company.ask)
        if len(deal.tricks[-1]) == len(seats):
            talk.say(f"trick {len(deal.tricks)} goes to {seats[table.takers[-1]]}")
            if deal.fragment or not talk.is_terminal:  # else the whole ledger follows
                talk.say(*(f"  {line}" for line in list_payment_lines(game, deal) if line not in paid))


def list_played_tricks(game: SeatedGame, deal: Deal, table: PlayTable) -> Iterator[str]:
    """List the tricks that a game to be gone on with has already, a line for each, and what was paid."""
    seats, before = game.company.seats, set[str]()
    for number, (row, taker) in enumerate(zip(deal.tricks, table.takers, strict=False), 1):
        yield f"trick {number}: {describe_row(seats, table, row)}; it goes to {seats[taker]}"
        paid = list_payment_lines(game, add_tricks(deal, deal.tricks[:number]))
        yield from (f"  {line}" for line in paid if line not in before)
        before |= {*paid}


def exchange_cards(game: SeatedGame, deal: Deal) -> Deal:
    """Have all exchange who may, and give across the table where that is the rule. Raises Leave, Silent."""
    company = game.company
    while turn := find_exchange_turn(deal, company.ask):
        asked = ExchangeQuestion(game.ruleset, deal, turn.seat, turn.legal, turn.may_keep)
        card = company.choose_offer(asked)
        deal = game.save(exchange_card(deal, turn.seat, None if card == KEPT_HAND else card))
        company.talk.say(describe_exchange(company, deal.exchange[-1]))
    if gifts := list_gift_questions(game.ruleset, deal):
        given = {(gift.seat, gift.to): company.choose_offer(gift) for gift in gifts if gift.to is not None}
        deal = game.save(give_cards(deal, given))
        company.talk.say(*describe_gifts(company, deal))
    return deal


def describe_gifts(company: SeatedCompany, deal: Deal) -> Iterator[str]:
    """Describe what was given across the table: to or by a person the card, else none."""
    for gift in deal.gifts:
        shown = format_card(gift.card) if {gift.seat, gift.to} & {*company.persons} else "a card"
        yield f"exchange: {company.seats[gift.seat]} gives {shown} to {company.seats[gift.to]}"


def describe_exchange(company: SeatedCompany, exchange: Exchange) -> str:
    """Describe an exchange: of a person's the cards, of another's none."""
    own = exchange.seat in company.persons
    who = company.seats[exchange.seat]
    if exchange.out is None:
        return f"exchange: {who} keeps the hand"
    out = format_card(exchange.out) if own else "a card"
    if exchange.taken is None:
        return f"exchange: {who} lays {out} away"
    return f"exchange: {who} lays {out} away and takes {format_card(exchange.taken) if own else 'another'}"


# ---- the money
def list_payment_lines(game: SeatedGame, deal: Deal) -> list[str]:
    """List what is paid so far, a line for each entry of the ledger, with its clauses.

    What is paid at the end is told at the end, even if it is decided before: it may rest on cards that nobody sees.
    """
    whole = [row for row in deal.tricks if len(row) == len(deal.seats)]
    if len(whole) < len(deal.tricks):
        deal = add_tricks(deal, whole)
    if not whole:
        return []
    view, sums = settle_game_deal(game, deal)
    over = not deal.fragment
    entries = zip(view.ledgers[0].entries, sums, strict=True)
    return [
        format_payment_line(entry, amounts)
        for entry, amounts in entries
        if entry.postings and (over or entry.step != "end")
    ]


def settle_game_deal(game: SeatedGame, deal: Deal) -> tuple[DealView, Reckonings]:
    """Settle a deal as far as it is played: the ledger, and how its sums come about."""
    settlement = settle(deal, game.ruleset)
    view = view_settlements(game.library, deal, [settlement])
    return view, list_reckonings(game.library, view.ledgers[0], settlement)


def add_tricks(deal: Deal, rows: Sequence[tuple[int, ...]]) -> Deal:
    """The deal with these tricks only."""
    return replace(deal, tricks=tuple(rows), fragment=True)


def format_payment_line(entry: LedgerLine, sums: Sequence[str]) -> str:
    """Describe a payment and its clauses in one line; `sums`: how each of its sums comes about."""
    notes = (note if note[:1] in ("", "=") else f"({note})" for note in sums)
    postings = zip(entry.postings, notes, strict=True)
    paid = "; ".join(f"{each.payer} to {each.payee}: {each.amount} {how}".strip() for each, how in postings)
    return f"{entry.sentence}: {paid} ({', '.join(entry.clauses)})"


def print_settlement(game: SeatedGame, deal: Deal) -> None:
    """Print the whole ledger; where nobody looks at a screen, after a line with the result."""
    talk = game.company.talk
    view, sums = settle_game_deal(game, deal)
    talk.space()
    if not talk.is_terminal:
        print_deal_view(talk.screen, view, True, False)
    print_deal_view(talk.screen, view, False, False, [sums])
