"""The standing of everybody in a game: what each deal brought, what was put in for it, and the pools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.session.session import Session, Step, begin, play_next_deal, prepare_next_deal
from reversis.table.game import TableGame, begin_game
from reversis.table.payments import count_pools, name_pools
from reversis.words.account_book import generate_account_lines
from rulebook.phrases import capitalise, format_counters, format_signed_sum, join_names


def list_deal_steps(game: TableGame) -> list[Step]:
    """List the steps of the deals that are over, up to the first that is not counted."""
    steps, step = list[Step](), begin_game(game)
    for deal in game.deals:
        session = step.after if step.after.ready else prepare_next_deal(step.after).after
        result = None if deal.fragment else play_next_deal(session, deal)
        if not isinstance(result, Step):
            break
        steps.append(step := result)
    return steps


def view_standing(game: TableGame) -> dict[str, Any]:
    """View how everybody stands after the deals that are over, as plain data."""
    steps = list_deal_steps(game)
    last = steps[-1].after if steps else begin_game(game).after
    brought = [[step.settled.net[seat] if step.settled else 0 for seat in range(len(game.seats))] for step in steps]
    put_in = [now - sum(nets) for now, *nets in zip(last.accounts, *brought, strict=True)]
    rows = zip(game.deals, brought, strict=False)
    return {
        "deals": [
            {"number": number, "dealer": deal.seats[deal.dealer], "accounts": dict(zip(game.seats, nets, strict=True))}
            for number, (deal, nets) in enumerate(rows, 1)
        ],
        "put_in": dict(zip(game.seats, put_in, strict=True)),
        "now": dict(zip(game.seats, last.accounts, strict=True)),
        "pools": _list_pools(game, last),
    }


def _list_pools(game: TableGame, session: Session) -> list[dict[str, Any]]:
    sums = {card: session.about(card).laid for card in session.cards}
    return [
        {"name": name, "card": card, "amount": sums.get(card, 0)} for card, name in name_pools(game.ruleset).items()
    ]


# ---- in words
def list_contributions(step: Step) -> Iterator[str]:
    """List what passes besides the ledger of a deal: what all put in before it, and what is shared out in the end."""
    for line in generate_account_lines(step):
        if line.kind == "between":
            sums = [f"{seat} {sum}" for seat, sum in zip(step.after.seats, line.sums, strict=True) if sum]
            rests = ", ".join(id for id, _ in line.clauses) or line.beside
            yield f"{line.words}: {', '.join([*sums, f'pool {line.table}'])}{f' ({rests})' * bool(rests)}"


def describe_pools(game: TableGame) -> str:
    """Describe what lies in the pools as a deal begins, and who has put it in: "The basket: 45 fiches; ..."."""
    sums = count_pools(game.deal, game.ruleset, ())
    *others, last = sums.values()
    name = next(iter(name_pools(game.ruleset).values())) if len(sums) == 1 else "the pools"
    lie = join_names([*map(str, others), format_counters(last, game.ruleset.unit)])
    return f"{capitalise(name)}: {lie}{_describe_origin(game)}."


def _describe_origin(game: TableGame) -> str:
    """Describe who has put in what for the first deal; empty where the pools are not those of the book."""
    if len(game.deals) > 1:
        return ", put in for this deal or left from earlier ones"
    dealer = game.deal.dealer
    first = begin(game.ruleset, game.seats, dealer).after
    own, each = -first.accounts[dealer], -first.accounts[dealer - 1]
    if not each or first.pool != game.deal.pool(game.ruleset.source):
        return ""
    return f"; all put in {each}{f', the dealer {own}' if own != each else ''}"


def describe_deal_with_stake(session: Session) -> str:
    """Describe how all stand after one deal: its net leaves out what they had put in before."""
    sums = zip(session.seats, map(format_signed_sum, session.accounts), strict=True)
    return f"with what was put in before the deal, which net leaves out: {', '.join(map(' '.join, sums))}"


def describe_rest(session: Session) -> str:
    """Describe what lies in the pool when a game ends."""
    return f"left in the pool: {session.laid or 'nothing'}"
