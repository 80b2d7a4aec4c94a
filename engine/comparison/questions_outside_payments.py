"""Questions that are asked outside the payment rules, by the module that asks them.

Whether a payment rule asks a question is found out by trying every rule on everything
(`engine.comparison.irrelevance_proof`); for these modules it stands here, and a test holds the table to the code and to
what is asked while deals are settled.
"""

from __future__ import annotations

from collections.abc import Mapping

_ASKED_QUESTIONS = {
    "engine.settlement.forfeits": """
        barred.stake peek.bars peek.forced-stake quinola.forced.payee revoke.bars revoke.thrown-off
        ten-cards.bars undiscarded.bars
    """,
    "engine.settlement.outcome": """
        barred.partie cards.points deal.next-dealer espagnolette.hands espagnolette.kept-trick espagnolette.lost-by
        espagnolette.lost.partie espagnolette.third-breaks espagnolette.undertaken espagnolette.until
        espagnolette.won.partie misdeal.cost misdeal.late-deal misdeal.until partie.in-reversis partie.loser
        partie.place partie.winner quinola.thrown-off.stake reversis.broken.breaker reversis.stake
        reversis.undertaken stake.by-tricks stake.tied talon.bonus talon.irregular talon.special-cards
    """,
    "engine.play.irregularities": """
        deal.again deal.card-turned-up espagnolette.hands exchange.look misdeal.cost misdeal.late-deal
        misdeal.until peek.bars play.thrown-down revoke.bars revoke.card table.pack ten-cards.bars undiscarded.bars
    """,
    "engine.play.replay": """
        deal.again espagnolette.hands exchange.across exchange.discard-drawn exchange.duty exchange.heart-exception
        exchange.hearts exchange.look exchange.who play.first-leader play.next-leader quinola.card revoke.thrown-off
        stake.limit-from table.pack table.players table.shapes
    """,
    "engine.play.table": """
        cards.order cards.points espagnolette.hands espagnolette.right-after-trick espagnolette.until
        exchange.among-five exchange.who play.first-lead play.first-leader play.follow play.quinola-alone
        play.trick-taker quinola.card table.players table.shapes
    """,
    "engine.readings.ask": "quinola.card quinola.others",
    "engine.session.session": """
        play.first-leader session.pool-left stake.after-winning stake.dealer-adds stake.dealer-adds-again
        stake.dealer-in-first stake.dealer-included stake.first.dealer stake.first.each stake.first.total
        stake.matched-when stake.renewed.dealer stake.renewed.how stake.renewed.time stake.renewed.when stake.shortfall
        stake.waiting.order stake.waiting.together
    """,
    "engine.settlement.settle": """
        espagnolette.breaking espagnolette.lost-by espagnolette.pays-reversis-made espagnolette.undertaken
        espagnolette.until exchange.across stake.after-winning stake.only-pool
    """,
}
ASKED: Mapping[str, frozenset[str]] = {module: frozenset(slugs.split()) for module, slugs in _ASKED_QUESTIONS.items()}
EVERY: frozenset[str] = frozenset().union(*ASKED.values())


def asked_outside(question: str) -> bool:
    """Return whether a question is asked anywhere outside the payment rules."""
    return question in EVERY
