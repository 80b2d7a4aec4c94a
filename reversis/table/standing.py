"""How everybody stands in a game: what each deal brought, and what was put in for it."""

from __future__ import annotations

from typing import Any

from engine.session.session import Session, Step, play_next_deal, prepare_next_deal
from reversis.table.game import TableGame, begin_game
from reversis.table.payments import name_pools


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
