"""Show what a player who looks ahead would play, and what each card is worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click
from rich.table import Column, Table
from rich.text import Text

from edition.cli import output
from edition.cli.arguments import parse_wish_option, resolve_cli_rules
from edition.cli.options import FORMAT_OPTION, IGNORE_UNKNOWN_OPTION, ONE_SOURCE_OPTION, make_wish_option
from edition.cli.output import fail_with_problems
from engine.cards import format_card, format_cards
from engine.deal.fields import Find, locate_without_file
from engine.deal.model import PACK_SIZES, Deal
from engine.generation.turn import TableShape, find_table_shape
from engine.generation.wishes import Sketch
from engine.players.cautious import choose_cautious_card
from engine.players.nets import NET_PACK, NetWorth, TrainedNet, find_net, weigh_turn_by_net
from engine.players.take_view import find_view_turn, take_view
from engine.players.view import PlayerView, ask_turn_order
from engine.readings.ask import Ask
from engine.session.session import begin
from lab.survey.request import SURVEY_SEATS
from reversis.cli.deal_arguments import (
    complete_deal,
    complete_seat,
    find_deal_id,
    is_file_or_pipe,
    load_playable_library,
    require_record_names,
    require_siglum,
    say_unused,
)
from reversis.cli.hint.hint_exchange import (
    BY_CAUTION,
    build_net_table,
    find_exchange_question,
    show_exchange_hint,
)
from reversis.cli.hint.hint_faults import find_position_faults, find_unlawful_play
from reversis.cli.net_limits import (
    BEST_CARD,
    NET_GUESS,
    describe_net_doubts,
    describe_net_limits,
    dump_net_worth,
)
from reversis.cli.survey import announce_compiling, require_extras
from reversis.files.deals import find_deal_paths, sigla_of
from reversis.files.positions import PositionRecord, read_positions
from reversis.words.ledgers import pool_words
from rulebook.estimates import Estimate
from rulebook.model import Library, Ruleset
from rulebook.phrases import describe_sum_unit, format_count
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

if TYPE_CHECKING:
    from lab.players.hint import CardWorth
    from lab.survey.request import Rules

DEFAULT_WORLDS = 1024
_COMPILED_SEARCH = "players_*/search.*.nbi"  #: in the cache of compiled code
_MAX_WORLDS = 1 << 14


@click.command("hint")
@click.argument("deal", metavar="DEAL", shell_complete=complete_deal)
@ONE_SOURCE_OPTION
@click.option(
    "--seat",
    metavar="SEAT",
    default="",
    help="Whose turn; default: the next to play.",
    shell_complete=complete_seat,
)
@click.option(
    "--trick", type=click.IntRange(min=1), metavar="N", help="In this trick; default: the first not yet played."
)
@make_wish_option(
    "Play another rule, as with `run`: QUESTION=READING, QUESTION@SOURCE, or the id of an interpretation."
)
@click.option(
    "--worlds",
    type=click.IntRange(8, _MAX_WORLDS),
    metavar="N",
    default=DEFAULT_WORLDS,
    show_default=True,
    help="Number of ways to place the hidden cards.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", default=1, show_default=True, help="Random seed."
)
@FORMAT_OPTION
@IGNORE_UNKNOWN_OPTION
def hint_command(
    deal: str,
    source: str | None,
    seat: str,
    trick: int | None,
    wishes: tuple[str, ...],
    worlds: int,
    seed: int,
    form: str,
    ignore_unknown: bool,
) -> None:
    """Show what a player who looks ahead would play, and what each card is worth.

    The player knows their hand, the card laid away or given, the play so far and the pool; hidden cards do not change
    the answer. Each legal card is tried in many worlds: random placements of the hidden cards, all that agree with
    the play so far being equally likely. The rest of the deal is played out by simple rules and settled by the source.
    A card's worth is what the player wins in the end, on average, with a 95 % interval; the worlds may leave open which
    of two cards is better.

    DEAL is a file, the id of a worked deal, or - for standard input. A record with gaps is enough, as for `reversis
    deal fill`: the player's own hand, and the cards played before the turn; the default pool is that of a first deal.
    In JSON, `behind` is how much less a card is worth than the best, in the same worlds.

    Before play, in a game that `reversis play` has saved, a neural net suggests what to lay away or to give; JSON then
    has `before_play` instead of `trick`.

    Without pip install "reversis[survey]" a neural net trained on such searches answers: at once, and less well. It
    only estimates how much less than the best each card is worth. Its `worth` in JSON is a guess of the result of the
    whole deal, and may be impossible: use `behind`. Where there is no net, as for five players, the card of a cautious
    player is named, and `cards` is empty.

    Exit code 1 if the record is faulty, or if there is no such turn.
    """
    lib = load_playable_library()
    choices = [parse_wish_option(lib, text) for text in wishes]
    ruleset = resolve_cli_rules(lib, require_siglum(lib, source), choices)
    position = read_cli_position(lib, deal, ignore_unknown)
    seat = match_seat(position, seat)
    if trick in (None, 1) and (offer := find_exchange_question(ruleset, position, seat)):
        show_exchange_hint(offer, seed, form)
        return
    asked = HintQuestion(lib, ruleset, *take_cli_view(position, ruleset, seat, trick), worlds, seed, position.find)
    answer = find_hint(asked)
    if form == "json":
        output.print_json(dump_hint(asked, answer))
    else:
        print_hint(asked, answer)


@dataclass(frozen=True)
class HintQuestion:
    """A turn at which a hint is asked for, and how much is to be tried."""

    library: Library
    ruleset: Ruleset
    record: Deal | Sketch
    view: PlayerView
    worlds: int
    seed: int
    find: Find = locate_without_file  #: of places in the record

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, the eldest first, as the view counts them."""
        seats, dealer = self.record.seats, self.record.dealer or 0
        eldest = ask_turn_order(Ask(self.ruleset), dealer, len(seats)).eldest
        return (*seats[eldest:], *seats[:eldest])

    @property
    def trick(self) -> int:
        """The number of the trick."""
        return len(self.view.played) // self.view.seats + 1


# ---- the record
def read_cli_position(library: Library, name: str, ignore_unknown: bool) -> PositionRecord:
    """Read a deal as it stands, of several the last; with problems print them and exit."""
    require_record_names(library, [name])
    sigla = None if ignore_unknown else sigla_of(library)
    if name == "-":
        positions = [*read_positions(sys.stdin.buffer, "standard input", sigla)]
    else:
        worked = None if is_file_or_pipe(Path(name)) else find_deal_id(library, name)
        path = Path(library.root) / find_deal_paths(library)[worked] if worked else Path(name)
        with path.open("rb") as lines:
            positions = [*read_positions(lines, path.as_posix() if worked is None else name, sigla)]
    if not positions:
        raise click.ClickException(f"No deal in {'standard input' if name == '-' else name}.")
    if len(positions) > 1:
        output.print_remark(f"Of {len(positions)} deals this is about the last.")
    if positions[-1].record is None:
        output.print_problems(positions[-1].problems, stderr=True)
        sys.exit(1)
    if ignore_unknown:
        say_unused(library, positions[-1].file, list_named_sources(positions[-1].record))
    return positions[-1]


def list_named_sources(record: Deal | Sketch) -> dict[str, Sequence[str]]:
    """List the sources that a record names."""
    if isinstance(record, Deal):
        return {"pool": [*record.pools], "expect": [*record.expect]}
    pools = record.rest.get("pools")
    return {"pool": [*pools] if isinstance(pools, dict) else []}


def match_seat(position: PositionRecord, name: str) -> str:
    """Find a seat by its name in any letters, empty if none is named. Raises click.UsageError."""
    assert position.record is not None
    seats = position.record.seats
    seat_name = next((seat for seat in seats if seat.casefold() == name.strip().casefold()), "")
    if name and not seat_name:
        hint = did_you_mean(name, seats, f"The seats are {', '.join(seats)}.", repr)
        raise click.UsageError(f"No seat {quote_value(name)}. {hint[:1].upper()}{hint[1:]}")
    return seat_name


def take_cli_view(
    position: PositionRecord, ruleset: Ruleset, seat: str, trick: int | None
) -> tuple[Deal | Sketch, PlayerView]:
    """Take the view that a hint is asked for; with problems print them and exit. Raises Silent."""
    assert position.record is not None
    ask, record = Ask(ruleset), position.record
    hands = record.hands.values() if isinstance(record, Sketch) else record.hands
    shape = find_table_shape(ruleset, len(record.seats), record.pack, map(len, hands))
    if trick is not None and shape is not None and trick > shape.hand:
        raise click.UsageError(f"There is no trick {trick}: they go from 1 to {shape.hand}.")
    if faults := find_position_faults(position, ask, seat, trick):
        fail_with_problems(faults, "For this turn no hint can be given; correct the problems above.")
    view, problems = take_view(record, ask, seat, trick, position.find)
    if view is None:
        output.print_problems(problems, stderr=True)
        sys.exit(1)
    if not has_pool(record, ruleset.source):
        view = replace(view, pool=begin(ruleset, record.seats, record.dealer or 0).after.pool)
        words = pool_words(view.pool)
        output.print_remark(f"The record has no pool; taken is what lies there before a first deal: {words}.")
    return record, view


def has_pool(record: Deal | Sketch, source: str) -> bool:
    """Return whether a record says what is played for by the rules of a source."""
    pools = record.pools if isinstance(record, Deal) else record.rest.get("pools")
    return isinstance(pools, Mapping) and bool({source, ""} & {*pools})


# ---- the answer
@dataclass(frozen=True)
class HintAnswer:
    """The cards and their worth, the best first: by a search, else by a net, else a cautious player's card alone.

    `why`: no search was made.
    """

    searched: tuple[CardWorth, ...] = ()
    by_net: tuple[NetWorth, ...] = ()
    cautious: tuple[int, ...] = ()
    net: TrainedNet | None = None
    limits: tuple[str, ...] = ()  #: of the net
    why: str = ""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards, the best first."""
        return (*(worth.card for worth in self.searched), *(worth.card for worth in self.by_net), *self.cautious)


def find_hint(asked: HintQuestion) -> HintAnswer:
    """Weigh the cards by a search, else by a net; where there is neither, choose as a cautious player would."""
    shape = TableShape(asked.view.seats, asked.record.pack or PACK_SIZES[0], len(asked.view.held), 0)
    try:
        require_search(asked.library, asked.ruleset, shape)
    except click.ClickException as fault:
        net = find_net(asked.ruleset, shape.players, shape.pack)
        turn, order = find_view_turn(asked.view, Ask(asked.ruleset))
        if net is None:
            return HintAnswer(cautious=(choose_cautious_card(Random(asked.seed), turn),), why=fault.message)
        limits = (
            *describe_net_doubts(asked.view, order, asked.names),
            *describe_net_limits(asked.ruleset, asked.view.pool.stake, net),
        )
        worths = weigh_turn_by_net(net, asked.view, order, turn.legal)
        return HintAnswer(by_net=worths, net=net, limits=limits, why=fault.message)
    return HintAnswer(search_hint(asked))


def search_hint(asked: HintQuestion) -> tuple[CardWorth, ...]:
    """Weigh the cards by a search; raise click.ClickException where the play so far is not lawful."""
    from lab.players.hint import weigh_view
    from lab.survey.chunk import get_deal_pricer

    announce_compiling("search", "half a minute", _COMPILED_SEARCH)

    these, prices = name_rules(asked.ruleset), get_deal_pricer(asked.library)

    def weigh(view: PlayerView) -> tuple[CardWorth, ...]:
        return weigh_view(prices, these, view, asked.worlds, asked.seed)

    worths = weigh(asked.view)
    if not worths:
        rules = asked.ruleset.name
        fault = find_unlawful_play(asked.view, asked.names, rules, asked.find, lambda view: bool(weigh(view)))
        fail_with_problems([fault], f"However the hidden cards lie, the play so far is not legal by {rules}.")
    return worths


def require_search(library: Library, ruleset: Ruleset, shape: TableShape) -> None:
    """Raise click.ClickException unless somebody can look ahead by these rules, at a table of this size."""
    nobody = f"Nobody here can look ahead by {ruleset.name}"
    if shape.players != SURVEY_SEATS:  # no extra would change that, nor what follows
        raise click.ClickException(f"{nobody}: players look ahead at tables of {SURVEY_SEATS}, not of {shape.players}.")
    if shape.pack != NET_PACK:
        raise click.ClickException(f"{nobody}: players look ahead with {NET_PACK} cards, not with {shape.pack}.")
    require_extras("survey", needed_by="A player who looks ahead")
    from lab.players.hint import require_searched_table
    from lab.survey.chunk import get_deal_pricer
    from lab.survey.encode_rules import Unsurveyed

    try:
        require_searched_table(shape.players, shape.hand)
        get_deal_pricer(library).rules(name_rules(ruleset))
    except Unsurveyed as why:
        raise click.ClickException(f"{nobody}: {why}.") from None


def name_rules(ruleset: Ruleset) -> Rules:
    """Return the rules by source and wishes, as a survey takes them."""
    from lab.survey.request import Rules

    source, *wishes = ruleset.name.split(" + ")
    return Rules(source, tuple(wishes))


def dump_hint(asked: HintQuestion, answer: HintAnswer) -> dict[str, object]:
    """Return a hint as plain data, the best card first."""
    head = {
        "deal": asked.record.id,
        "source": asked.ruleset.source,
        "ruleset": asked.ruleset.name,
        "seat": asked.names[asked.view.seat],
        "trick": asked.trick,
        "card": format_card(answer.cards[0]),
        "unit": asked.ruleset.unit,
        "pool": asked.view.pool.record(),
    }
    if answer.cautious:
        return head | {"by": "caution", "limits": [], "why": answer.why, "cards": []}
    return head | (dump_net_answer(asked, answer, answer.net) if answer.net else dump_search(asked, answer))


def dump_search(asked: HintQuestion, answer: HintAnswer) -> dict[str, object]:
    """Return as plain data what a search has found."""
    return {
        "by": "search",
        "worlds": asked.worlds,
        "seed": asked.seed,
        "cards": [
            {
                "card": format_card(worth.card),
                "worth": dump_estimate(worth.worth),
                "behind": dump_estimate(worth.behind),
                "as_good": worth.as_good,
                "worlds": worth.worlds,
            }
            for worth in answer.searched
        ],
    }


def dump_net_answer(asked: HintQuestion, answer: HintAnswer, net: TrainedNet) -> dict[str, object]:
    """Return as plain data what a net says, and what it was made for."""
    return {
        "by": "net",
        "net": {"source": net.source, "same_answers": net.is_made_for(asked.ruleset), "stake": net.stake},
        "limits": [NET_GUESS, *answer.limits],
        "why": answer.why,
        "cards": [{"card": format_card(worth.card), **dump_net_worth(worth)} for worth in answer.by_net],
    }


def dump_estimate(estimate: Estimate) -> dict[str, float]:
    """Return an estimate as plain data."""
    return {"mean": round(estimate.value, 4), "low": round(estimate.low, 4), "high": round(estimate.high, 4)}


def print_hint(asked: HintQuestion, answer: HintAnswer) -> None:
    """Print what to play, and what each card is worth."""
    screen, best, sums = output.make_console(), format_card(answer.cards[0]), describe_sum_unit(asked.ruleset.unit)
    output.print_lines(screen, [f"{asked.ruleset.name}  {asked.record.id}: {describe_asked_turn(asked)}"], "bold")
    output.print_lines(screen, describe_view(asked))
    if answer.cautious:
        output.print_lines(screen, [f"Play {best}.  ({BY_CAUTION})", f"No search was made. {answer.why}"])
        return
    if len(answer.cards) == 1:
        output.print_lines(screen, [f"Play {best}: it is the only card that may be played."])
        return  # how it was weighed changes nothing
    screen.print(build_net_table(answer.by_net) if answer.net else build_worth_table(answer.searched))
    worlds = format_count(asked.worlds, "world")
    how = "guessed by a net" if answer.net else f"{worlds}, seed {asked.seed}"
    output.print_lines(screen, [f"Play {best}.  ({sums}; {how})"])
    if answer.net:
        output.print_lines(screen, [NET_GUESS, *answer.limits, f"No search was made. {answer.why}"])


def describe_asked_turn(asked: HintQuestion) -> str:
    """Describe whose turn it is, in few words."""
    return f"{asked.names[asked.view.seat]}'s turn in trick {asked.trick}, {pool_words(asked.view.pool)}"


def describe_view(asked: HintQuestion) -> Iterator[str]:
    """Describe what the player sees."""
    view, names = asked.view, asked.names
    on_table = view.played[len(view.played) - len(view.row) :]
    yield f"hand: {' '.join(format_cards(view.hand))}"
    yield f"on the table: {', '.join(f'{names[who]} {format_card(card)}' for who, card in on_table) or 'nothing'}"
    if view.aside:
        yield f"laid away: {' '.join(format_cards(view.aside))}"
    if view.given is not None:
        yield f"given across the table: {format_card(view.given)}"


def build_worth_table(worths: Sequence[CardWorth]) -> Table:
    """Build the table of the cards, the best first."""
    best = format_card(worths[0].card)
    table = output.make_table(
        "card", Column("worth", justify="right"), Column("95 %", justify="right"), f"beside {best}"
    )
    for worth in worths:
        row = (
            format_card(worth.card),
            f"{worth.worth.value:+.1f}",
            f"{worth.worth.low:+.1f} to {worth.worth.high:+.1f}",
            compare_with_best(worth, worths[0]),
        )
        table.add_row(*map(Text, row))
    return table


def compare_with_best(worth: CardWorth, best: CardWorth) -> str:
    """Say how much less a card is worth than the best."""
    if worth is best:
        return BEST_CARD
    if worth.as_good:
        return "no clear difference"
    return f"{worth.behind.value:.1f} less ({worth.behind.low:.1f} to {worth.behind.high:.1f})"
