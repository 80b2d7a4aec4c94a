"""Records of the deals of a game, each with the note by which `reversis play --resume` goes on with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation.requests import drop_blanks
from reversis.files.saved_games import PLAY_NOTE


def write_game_records(deals: Iterable[Deal], options: str) -> list[dict[str, object]]:
    """Write the deals of a game, begun with some options, as records."""
    return [drop_blanks(write_deal(replace(deal, note=f"{PLAY_NOTE}{options}"))) for deal in deals]


def format_plain_yaml(record: Mapping[str, object]) -> str:
    """Format a record as YAML where there is no YAML writer: a line for each key, its value as JSON."""
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in record.items())
