"""The meaning of every closed question, by its slug: the table of contents of this package.

`reversis check` names a reading that its question lists and its table does not know, and the engine refuses a ruleset
that answers with one (`engine.readings.ask`). A test finds a meaning without a reading. A `MeaningTable` knows besides,
by their form, readings that only a source to come may have.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from engine.readings.meanings import cards, criteria, deal, espagnolette, faults, partie, play, reversis, stake

MEANINGS: Mapping[str, Mapping[str, object]] = {
    "table.players": deal.PLAYER_COUNTS,
    "table.pack": deal.PACK_SIZES_BY_READING,
    "exchange.who": deal.MAY_EXCHANGE,
    "exchange.duty": deal.MUST_EXCHANGE,
    "exchange.look": deal.LOOKS,
    "exchange.hearts": deal.HEARTS_DISCARDED,
    "exchange.heart-exception": deal.HEART_EXCEPTION,
    "exchange.across": deal.GIVES_ACROSS,
    "exchange.among-five": deal.HAS_TALON_CARD,
    "exchange.discard-drawn": deal.DRAWS_DISCARDS,
    "play.first-leader": play.FIRST_LEADER,
    "play.first-lead": play.FIRST_LEAD,
    "play.follow": play.MUST_FOLLOW,
    "play.quinola-alone": play.QUINOLA_FREE,
    "play.trick-taker": play.QUINOLA_TAKES,
    "play.next-leader": play.NEXT_LEADER,
    "ace.thrown-off.payer": cards.PAYER,
    "ace.forced.when": cards.FORCED,
    "ace.forced.payee": cards.FORCER,
    "ace.led.payee": cards.ACE_LED_PAYEE,
    "ace.led.by-winner": cards.OWED_TO_HIMSELF,
    "quinola.thrown-off.payer": cards.PAYER,
    "quinola.forced.payee": cards.QUINOLA_FORCER,
    "quinola.forced.when": cards.FORCED,
    "quinola.thrown-off.stake": cards.THROWN_QUINOLA_DRAWS,
    "quinola.forced.stake": cards.MATCHES,
    "quinola.put.stake": cards.MATCHES,
    "quinola.led.when": cards.GORGED,
    "quinola.led.stake": cards.MATCHES,
    "quinola.led.payee": cards.QUINOLA_LED_PAYEE,
    "quinola.led.by-winner": cards.OWED_TO_HIMSELF,
    "payments.led-claimed": cards.OWED,
    "payments.doubled-kinds": cards.MULTIPLIED,
    "stake.matched-into": stake.MATCH_OPERATION,
    "stake.match-base": stake.MATCH_BASE,
    "stake.after-winning": stake.MOVES_UP,
    "stake.only-pool": stake.DOUBLES_ONLY_POOL,
    "stake.by-tricks": criteria.CRITERIA,
    "stake.tied": stake.TIED_STAKE_SHARED,
    "stake.refreshed.when": stake.REFRESHED,
    "stake.refreshed.unless-won": stake.REFRESHED_WHEN_WON,
    "stake.dealer-in-first": stake.DEALER_ADDS_BESIDES,
    "stake.dealer-included": stake.INCLUDED,
    "stake.dealer-adds-again": stake.ADDS_AGAIN,
    "stake.renewed.when": stake.RENEWED_WHEN,
    "stake.renewed.how": stake.RENEWED_SUM,
    "stake.renewed.time": stake.RENEWED_BY,
    "stake.waiting.order": stake.WAITING_ORDER,
    "stake.waiting.together": stake.TOGETHER,
    "stake.matched-when": stake.MATCHED_SUM_NOTED,
    "stake.shortfall": stake.SHORTFALL,
    "session.pool-left": stake.SHARED_OUT,
    "partie.winner": criteria.CRITERIA,
    "partie.place": criteria.PARTIE_PLACES,
    "partie.loser": criteria.CRITERIA,
    "partie.paid-by": partie.DEBTORS,
    "partie.amount": partie.DEBT,
    "partie.eldest-share": partie.BEARERS,
    "partie.in-reversis": partie.SETTLED_IN_REVERSIS,
    "reversis.returns": reversis.RETURNED,
    "reversis.returns-fines": reversis.FINES_RETURNED,
    "reversis.stake": reversis.REVERSIS_DRAWS,
    "reversis.stake-pools": reversis.REVERSIS_POOLS,
    "reversis.stake.whose-quinola": reversis.WHOSE_QUINOLA,
    "reversis.broken.breaker": reversis.BREAKERS,
    "reversis.broken.stake": cards.MATCHES,
    "reversis.breaking-quinola": reversis.BREAKING_PAYERS,
    "espagnolette.right-after-trick": espagnolette.RIGHT_LOST,
    "espagnolette.undertaken": espagnolette.UNDERTAKEN,
    "espagnolette.lost-by": espagnolette.LOST_BY,
    "espagnolette.kept-trick": espagnolette.WINS,
    "espagnolette.won.partie": espagnolette.WINS,
    "espagnolette.lost.partie": espagnolette.HE_PAYS,
    "espagnolette.lost.returns-others-to": espagnolette.BACK_TO_PAYER,
    "espagnolette.lost.stake-into": espagnolette.INTO_SAME_POOL,
    "espagnolette.pays-reversis-made": espagnolette.PAYS_FOR_ALL,
    "espagnolette.pays-reversis-broken": espagnolette.PAYS_BREAKER,
    "espagnolette.forced": cards.FORCES_HIM,
    "espagnolette.forced.stake-payee": espagnolette.FORCED_STAKE_TO_POOL,
    "espagnolette.breaks.paid": espagnolette.PAID,
    "espagnolette.breaking": espagnolette.BREAKING_LOSES,
    "espagnolette.breaks.own-quinola": espagnolette.WAIVED,
    "espagnolette.third-breaks": espagnolette.STANDS,
    "deal.next-dealer": deal.NEXT_DEALER,
    "revoke.payee": faults.FINE_TO_POOL,
    "revoke.card": faults.REVOKE_STANDS,
    "revoke.thrown-off": faults.THROWN_IN_REVOKE,
    "revoke.fine-joined": faults.FINE_LAID,
    "revoke.bars": faults.BARRED,
    "peek.bars": faults.RECEIPTS,
    "peek.forced-stake": faults.FORCED_BY_BARRED,
    "undiscarded.bars": faults.RECEIPTS,
    "ten-cards.bars": faults.RECEIPTS,
    "barred.stake": faults.BARRED_STAKE,
    "barred.partie": faults.NEXT_BEST,
    "talon.irregular": faults.TALON_COUNTED,
    "deal.again": faults.DEALT_AGAIN_FAULTS,
    "deal.card-turned-up": faults.TURNED_UP,
    "misdeal.cost": faults.MISDEAL_COST,
    "misdeal.until": faults.IN_TIME,
    "misdeal.late-deal": faults.LATE_MISDEAL,
    "out-of-turn.payee": faults.FINE_TO_POOL,
    "misdeal.payee": faults.FINE_TO_POOL,
    "play.thrown-down": faults.THROWN_DOWN,
}
#: the second table of a question of which the engine wants to know two things
FURTHER_MEANINGS: Mapping[str, Mapping[str, object]] = {
    "partie.eldest-share": partie.ALSO_OWES,
    "misdeal.cost": faults.REDEEMABLE,
}


def list_unknown_readings(question: str, answer: object) -> tuple[str, ...]:
    """List the readings in an answer that a table of its question does not know."""
    if not isinstance(answer, str | tuple):
        return ()
    words = (answer,) if isinstance(answer, str) else tuple(word for word in answer if isinstance(word, str))
    return _list_unknown_words(question, words)


@cache  # every deal asks for the same answers
def _list_unknown_words(question: str, words: tuple[str, ...]) -> tuple[str, ...]:
    tables = [meanings[question] for meanings in (MEANINGS, FURTHER_MEANINGS) if question in meanings]
    return tuple(word for word in words if not all(_knows(table, word) for table in tables))


def _knows(table: Mapping[str, object], reading: str) -> bool:
    """Return whether a table lists a reading, or understands its form."""
    if reading in table:
        return True
    try:
        table[reading]
    except KeyError:
        return False
    return True


def locate_meaning_table(question: str) -> str:
    """Return where a reading of a question is given its meaning: the name of the table, and its file."""
    package, table = __name__.rpartition(".")[0], MEANINGS.get(question)
    modules = {name: module for name, module in sys.modules.items() if name.startswith(f"{package}.")}
    homes = (
        f"{constant} in {name.replace('.', '/')}.py"
        for name, module in modules.items()
        if name != __name__
        for constant, value in vars(module).items()
        if value is table is not None
    )
    return next(homes, f"MEANINGS in {__name__.replace('.', '/')}.py")
