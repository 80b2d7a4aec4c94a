"""After a deal: what it came to, in words; the person's dearest card; the same hand played by a net; the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from engine.cards import card_words, format_card
from engine.deal.model import Deal
from engine.players.nets import find_net
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled, settle
from reversis.table.game import TableGame, deal_anew, find_table_turn, let_others_move
from reversis.table.game_records import format_plain_yaml, write_game_records
from reversis.table.hints import LAYOUTS, CardComparison, compare_legal_cards, weigh_legal_cards
from reversis.table.moves import describe_line
from reversis.table.payments import (
    count_pools,
    list_counted_postings,
    list_paid_lines,
    name_pools,
    settle_so_far,
    sum_entry,
)
from reversis.table.players import NET, PERSON
from reversis.table.table_words import TableNames
from reversis.table.unseen import cover_deal, lay_out_unseen_cards
from reversis.words.events import CARD_EVENT_PHRASES, PARTIE_PHRASE
from rulebook.phrases import format_count, format_counters, join_names

_ENOUGH = 20  #: layouts of LAYOUTS in which another card must do better before one is called dear
_CANDIDATES = 3  #: cards that are tried, those that the net thinks dearest


def review_deal(game: TableGame) -> dict[str, Any]:
    """Review the last deal of a game, which is over, as plain data; totals by other books are not in it."""
    names = TableNames(game.seats, game.persons[0])
    settled = settle_so_far(game.deal, game.ruleset)
    records, dearest = write_game_records(game.deals, str(game.options)), find_dearest_card(game)
    return {
        "headline": describe_headline(settled, names) if settled else None,
        "dearest": dearest,
        "no_dearest": "" if dearest else explain_no_dearest_card(game),
        "par": find_par(game),
        "left": describe_pools_left(game, settled) if settled else "",
        "ledger": list_ledger(game, settled, names),
        "record": records[-1],
        "yaml": "---\n".join(map(format_plain_yaml, records)),
    }


# ---- in words
def describe_headline(settled: Settled, names: TableNames) -> dict[str, Any]:
    """Describe in a sentence or two what a deal has brought the person; `parts` sum up to the net."""
    tricks, parts = settled.played.measures.tricks[names.you], list_headline_parts(settled, names)
    took = f"You took {format_count(tricks, 'trick') if tricks else 'no trick'}"
    partie, words = _describe_partie(settled, names.you), [part["words"] for part in parts]
    if partie and words and words[0].startswith(PARTIE_PHRASE):
        partie += f", which{words.pop(0).removeprefix(PARTIE_PHRASE)}"
    sentences = [
        f"{took}{partie}",
        *_describe_reversis(settled, names),
        *_describe_others_partie(settled, names),
        *words,
    ]
    return {"net": settled.net[names.you], "words": f"{'; '.join(sentences)}.", "parts": parts}


def _describe_partie(settled: Settled, you: int) -> str:
    partie = settled.outcome.partie
    if partie is None or you not in (partie.winner, *partie.losers):
        return ""
    return f" and {'won' if partie.winner == you else 'lost'} {PARTIE_PHRASE.removesuffix(',')}"


def _describe_others_partie(settled: Settled, names: TableNames) -> Iterator[str]:
    partie = settled.outcome.partie
    if partie is not None and names.you not in (partie.winner, *partie.losers):
        yield f"{names.name(partie.winner)} won {PARTIE_PHRASE.removesuffix(',')}"


def _describe_reversis(settled: Settled, names: TableNames) -> Iterator[str]:
    if settled.outcome.reversis is not None:
        hero, made, breakers = settled.outcome.reversis
        by = f", broken by {join_names([names.name(seat) for seat in breakers])}" if breakers else ""
        yield f"{names.name(hero)} {'made' if made else 'tried'} the reversis{'' if made else by}"


#: What payments are for, where they are not for a card.
_PURPOSES: Mapping[str, str] = {
    "partie": PARTIE_PHRASE,
    "stake-by-tricks": "the stake",
    **dict.fromkeys(("reversis-made", "reversis-broken", "reversis-stake"), "the reversis"),
}


Matter: TypeAlias = "tuple[str, int | None]"  #: what payments are for, and the privileged card, if they are for one
_LED_ACES = "led aces"


def list_headline_parts(settled: Settled, names: TableNames) -> list[dict[str, Any]]:
    """List what each matter of a deal has brought the person: the partie first, a privileged card, all aces."""
    return [
        {"words": f"{_describe_matter(key, about, settled, names)} {_describe_gain(sum_)}", "sum": sum_}
        for key, about in group_by_matter(settled).items()
        if (sum_ := sum_entries(settled, about, names.you))
    ]


def group_by_matter(settled: Settled) -> dict[Matter, list[Entry]]:
    """Group the entries of a deal by what they are for: the partie first, each privileged card, aces, led aces."""
    groups = dict[Matter, list[Entry]]({(PARTIE_PHRASE, None): []})
    for entry in settled.entries:
        matter = _PURPOSES.get(entry.rule) or _name_card_matter(entry)
        groups.setdefault((matter, entry.fact.card if matter == "quinola" else None), []).append(entry)
    return groups


def sum_entries(settled: Settled, entries: Iterable[Entry], seat: int) -> int:
    """Sum what some entries bring a player."""
    return sum(sum_entry(settled, entry, seat) for entry in entries)


def _describe_gain(sum_: int) -> str:
    return f"{'brought' if sum_ > 0 else 'cost'} you {abs(sum_)}"


def _name_card_matter(entry: Entry) -> str:
    if entry.fact.kind == "ace" and entry.fact.manner == "led":
        return _LED_ACES
    return {"quinola": "quinola", "ace": "aces"}.get(entry.fact.kind, "fines")


def _describe_matter(key: Matter, entries: Sequence[Entry], settled: Settled, names: TableNames) -> str:
    matter, card = key
    player = entries[0].fact.player if entries else None
    if card is None or player is None:
        partie = settled.outcome.partie
        payees = {posting.payee for entry in entries for posting in entry.postings}
        return (
            f"{matter}, owed to the winner of the partie,"
            if matter == _LED_ACES and partie and payees == {partie.winner}
            else matter
        )
    holder = "your" if player == names.you else f"{names.name(player)}'s"
    return f"{holder} {card_words(card)} was {name_manner(entries[0])}, and that"


def name_manner(entry: Entry) -> str:
    """Name what befell the card of an entry, after "the quinola was"."""
    return CARD_EVENT_PHRASES.get(entry.name.removeprefix("quinola-"), entry.fact.manner)


def list_ledger(game: TableGame, settled: Settled | None, names: TableNames) -> list[dict[str, Any]]:
    """List all that was paid, each with its sentence and its slip; what no trick brought has none."""
    lines = list_paid_lines(settled)
    moves = [describe_line(game, names, settled, line, line.entry.fact.trick) for line in lines]
    return [{"sentence": move["slip"]["words"], **move} for move in moves]


# ---- the dearest card
@dataclass(frozen=True)
class ReviewedDecision:
    """A turn at which the person could have played another card, and what a net would have played."""

    deal: Deal  #: as it stood
    number: int
    card: int
    instead: int
    behind: float  #: by the net


def find_dearest_card(game: TableGame) -> dict[str, Any] | None:
    """Find the person's card that has cost the most: another does better in most layouts, the true one among them."""
    net = find_net(game.ruleset, len(game.seats), game.deal.pack)
    decisions = sorted(list_decisions(game), key=lambda decision: -decision.behind)[:_CANDIDATES] if net else []
    compared = [(decision, compare_decision(game, decision)) for decision in decisions]
    dear = [pair for pair in compared if pair[1].better >= _ENOUGH and pair[1].by > 0]
    return _dump_dearest(*max(dear, key=lambda pair: pair[1].by)) if dear else None


def explain_no_dearest_card(game: TableGame) -> str:
    """Explain in a sentence why no card of the person's is called the dearest."""
    if find_net(game.ruleset, len(game.seats), game.deal.pack) is None:
        return "No net has learnt this table, so that none of your cards is judged."
    if not any(list_decisions(game)):
        return "No card of yours cost you: a skilled player would have played the same."
    return (
        "No card of yours clearly cost you: where a skilled player would have played another, it does better in fewer "
        f"than {_ENOUGH} of {LAYOUTS} layouts of the cards you had not seen."
    )


def list_decisions(game: TableGame) -> Iterator[ReviewedDecision]:
    """List the turns at which the person did not play as a net would have. Raises Silent."""
    deal, seat = game.deal, game.persons[0]
    net = find_net(game.ruleset, len(game.seats), deal.pack)
    for number, row in enumerate(deal.tricks, 1):
        at = next(place for place, card in enumerate(row) if card in deal.hands[seat])
        tricks = (*deal.tricks[: number - 1], *filter(None, (row[:at],)))
        before = replace(deal, tricks=tricks, claims={}, fragment=True)
        turn = find_table_turn(game.with_deal(before))[1]
        worths = weigh_legal_cards(before, game.ask, net, turn.legal) if turn else ()
        behind = {worth.card: worth.behind for worth in worths}
        if behind.get(row[at], 0) > 0:
            yield ReviewedDecision(before, number, row[at], worths[0].card, behind[row[at]])


def compare_decision(game: TableGame, decision: ReviewedDecision) -> CardComparison:
    """Compare what a net would have played with what was played, in the true layout and in others."""
    deal, seat, net = decision.deal, game.persons[0], find_net(game.ruleset, len(game.seats), game.deal.pack)
    lots = Random(f"review:{deal.id}:{decision.number}")
    layouts = [deal, *lay_out_unseen_cards(cover_deal(deal, seat), game.ask, LAYOUTS - 1, lots)]
    return compare_legal_cards(layouts, game.ruleset, net, seat, (decision.instead, decision.card), _ENOUGH)


def _dump_dearest(decision: ReviewedDecision, compared: CardComparison) -> dict[str, Any]:
    card, instead = card_words(decision.card), card_words(decision.instead)
    return {
        "card": format_card(decision.card),
        "trick": decision.number,
        "instead": format_card(decision.instead),
        "better": compared.better,
        "of": compared.layouts,
        "by": round(compared.by, 1),
        "words": f"Your costliest card was the {card} in trick {decision.number}: the {instead} does better in "
        f"{compared.better} of {compared.layouts} layouts of the cards you had not seen, by {compared.by:.0f} on "
        "average.",
    }


def describe_pools_left(game: TableGame, settled: Settled) -> str:
    """Describe what lies in the pools after a deal: "After the deal the basket holds 90 fiches."."""
    names, left = name_pools(game.ruleset), count_pools(game.deal, game.ruleset, list_counted_postings(settled))
    pools = [f"{names[card]} holds {format_counters(sum_, game.ruleset.unit)}" for card, sum_ in left.items()]
    return f"After the deal {join_names(pools)}."


# ---- par
def find_par(game: TableGame) -> dict[str, Any] | None:
    """Find what the same hand comes to when a net plays it, with the same others; None where it is not settled."""
    kinds = tuple(NET if kind == PERSON else kind for kind in game.options.kinds)
    seat, dealt = game.persons[0], deal_anew(game)
    played = let_others_move(replace(dealt, options=replace(game.options, kinds=kinds, unclaimed=False)))
    settled = settle(played.deal, game.ruleset)
    if not isinstance(settled, Settled):
        return None
    who = "A skilled player" if find_net(game.ruleset, len(game.seats), game.deal.pack) else "A careful player"
    net = settled.net[seat]
    return {"net": net, "words": f"{who} made {f'{net:+d}' if net else '0, neither won nor lost,'} of your hand."}
