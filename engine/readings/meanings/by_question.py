"""The meaning of every closed question, by its slug: the table of contents of this package.

`reversis check` names a reading that its question lists and its table does not know, and the engine refuses a ruleset
that answers with one (`engine.readings.ask`). A test finds a meaning without a reading. A `MeaningTable` knows besides,
by their form, readings that only a source to come may have.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from engine.readings.meanings.cards import (
    ACE_LED_PAYEE,
    FORCED,
    FORCER,
    FORCES_HIM,
    GORGED,
    MATCHES,
    MULTIPLIED,
    OWED,
    OWED_TO_HIMSELF,
    PAYER,
    QUINOLA_FORCER,
    QUINOLA_LED_PAYEE,
    THROWN_QUINOLA_DRAWS,
)
from engine.readings.meanings.criteria import CRITERIA, PARTIE_PLACES
from engine.readings.meanings.deal import (
    DRAWS_DISCARDS,
    GIVES_ACROSS,
    HAS_TALON_CARD,
    HEART_EXCEPTION,
    HEARTS_DISCARDED,
    LOOKS,
    MAY_EXCHANGE,
    MUST_EXCHANGE,
    NEXT_DEALER,
    PACK_SIZES_BY_READING,
    PLAYER_COUNTS,
)
from engine.readings.meanings.espagnolette import (
    BACK_TO_PAYER,
    BREAKING_LOSES,
    FORCED_STAKE_TO_POOL,
    HE_PAYS,
    INTO_SAME_POOL,
    LOST_BY,
    PAID,
    PAYS_BREAKER,
    PAYS_FOR_ALL,
    RIGHT_LOST,
    STANDS,
    UNDERTAKEN,
    WAIVED,
    WINS,
)
from engine.readings.meanings.faults import (
    BARRED,
    BARRED_STAKE,
    DEALT_AGAIN_FAULTS,
    FINE_LAID,
    FINE_TO_POOL,
    FORCED_BY_BARRED,
    IN_TIME,
    LATE_MISDEAL,
    MISDEAL_COST,
    NEXT_BEST,
    RECEIPTS,
    REDEEMABLE,
    REVOKE_STANDS,
    TALON_COUNTED,
    THROWN_DOWN,
    THROWN_IN_REVOKE,
    TURNED_UP,
)
from engine.readings.meanings.partie import ALSO_OWES, BEARERS, DEBT, DEBTORS, SETTLED_IN_REVERSIS
from engine.readings.meanings.play import (
    FIRST_LEAD,
    FIRST_LEADER,
    MUST_FOLLOW,
    NEXT_LEADER,
    QUINOLA_FREE,
    QUINOLA_TAKES,
)
from engine.readings.meanings.reversis import (
    BREAKERS,
    BREAKING_PAYERS,
    FINES_RETURNED,
    RETURNED,
    REVERSIS_DRAWS,
    REVERSIS_POOLS,
    WHOSE_QUINOLA,
)
from engine.readings.meanings.stake import (
    ADDS_AGAIN,
    DEALER_ADDS_BESIDES,
    DOUBLES_ONLY_POOL,
    INCLUDED,
    MATCH_BASE,
    MATCH_OPERATION,
    MATCHED_SUM_NOTED,
    MOVES_UP,
    REFRESHED,
    REFRESHED_WHEN_WON,
    RENEWED_BY,
    RENEWED_SUM,
    RENEWED_WHEN,
    SHARED_OUT,
    SHORTFALL,
    TIED_STAKE_SHARED,
    TOGETHER,
    WAITING_ORDER,
)

MEANINGS: Mapping[str, Mapping[str, object]] = {
    "table.players": PLAYER_COUNTS,
    "table.pack": PACK_SIZES_BY_READING,
    "exchange.who": MAY_EXCHANGE,
    "exchange.duty": MUST_EXCHANGE,
    "exchange.look": LOOKS,
    "exchange.hearts": HEARTS_DISCARDED,
    "exchange.heart-exception": HEART_EXCEPTION,
    "exchange.across": GIVES_ACROSS,
    "exchange.among-five": HAS_TALON_CARD,
    "exchange.discard-drawn": DRAWS_DISCARDS,
    "play.first-leader": FIRST_LEADER,
    "play.first-lead": FIRST_LEAD,
    "play.follow": MUST_FOLLOW,
    "play.quinola-alone": QUINOLA_FREE,
    "play.trick-taker": QUINOLA_TAKES,
    "play.next-leader": NEXT_LEADER,
    "ace.thrown-off.payer": PAYER,
    "ace.forced.when": FORCED,
    "ace.forced.payee": FORCER,
    "ace.led.payee": ACE_LED_PAYEE,
    "ace.led.by-winner": OWED_TO_HIMSELF,
    "quinola.thrown-off.payer": PAYER,
    "quinola.forced.payee": QUINOLA_FORCER,
    "quinola.forced.when": FORCED,
    "quinola.thrown-off.stake": THROWN_QUINOLA_DRAWS,
    "quinola.forced.stake": MATCHES,
    "quinola.put.stake": MATCHES,
    "quinola.led.when": GORGED,
    "quinola.led.stake": MATCHES,
    "quinola.led.payee": QUINOLA_LED_PAYEE,
    "quinola.led.by-winner": OWED_TO_HIMSELF,
    "payments.led-claimed": OWED,
    "payments.doubled-kinds": MULTIPLIED,
    "stake.matched-into": MATCH_OPERATION,
    "stake.match-base": MATCH_BASE,
    "stake.after-winning": MOVES_UP,
    "stake.only-pool": DOUBLES_ONLY_POOL,
    "stake.by-tricks": CRITERIA,
    "stake.tied": TIED_STAKE_SHARED,
    "stake.refreshed.when": REFRESHED,
    "stake.refreshed.unless-won": REFRESHED_WHEN_WON,
    "stake.dealer-in-first": DEALER_ADDS_BESIDES,
    "stake.dealer-included": INCLUDED,
    "stake.dealer-adds-again": ADDS_AGAIN,
    "stake.renewed.when": RENEWED_WHEN,
    "stake.renewed.how": RENEWED_SUM,
    "stake.renewed.time": RENEWED_BY,
    "stake.waiting.order": WAITING_ORDER,
    "stake.waiting.together": TOGETHER,
    "stake.matched-when": MATCHED_SUM_NOTED,
    "stake.shortfall": SHORTFALL,
    "session.pool-left": SHARED_OUT,
    "partie.winner": CRITERIA,
    "partie.place": PARTIE_PLACES,
    "partie.loser": CRITERIA,
    "partie.paid-by": DEBTORS,
    "partie.amount": DEBT,
    "partie.eldest-share": BEARERS,
    "partie.in-reversis": SETTLED_IN_REVERSIS,
    "reversis.returns": RETURNED,
    "reversis.returns-fines": FINES_RETURNED,
    "reversis.stake": REVERSIS_DRAWS,
    "reversis.stake-pools": REVERSIS_POOLS,
    "reversis.stake.whose-quinola": WHOSE_QUINOLA,
    "reversis.broken.breaker": BREAKERS,
    "reversis.broken.stake": MATCHES,
    "reversis.breaking-quinola": BREAKING_PAYERS,
    "espagnolette.right-after-trick": RIGHT_LOST,
    "espagnolette.undertaken": UNDERTAKEN,
    "espagnolette.lost-by": LOST_BY,
    "espagnolette.kept-trick": WINS,
    "espagnolette.won.partie": WINS,
    "espagnolette.lost.partie": HE_PAYS,
    "espagnolette.lost.returns-others-to": BACK_TO_PAYER,
    "espagnolette.lost.stake-into": INTO_SAME_POOL,
    "espagnolette.pays-reversis-made": PAYS_FOR_ALL,
    "espagnolette.pays-reversis-broken": PAYS_BREAKER,
    "espagnolette.forced": FORCES_HIM,
    "espagnolette.forced.stake-payee": FORCED_STAKE_TO_POOL,
    "espagnolette.breaks.paid": PAID,
    "espagnolette.breaking": BREAKING_LOSES,
    "espagnolette.breaks.own-quinola": WAIVED,
    "espagnolette.third-breaks": STANDS,
    "deal.next-dealer": NEXT_DEALER,
    "revoke.payee": FINE_TO_POOL,
    "revoke.card": REVOKE_STANDS,
    "revoke.thrown-off": THROWN_IN_REVOKE,
    "revoke.fine-joined": FINE_LAID,
    "revoke.bars": BARRED,
    "peek.bars": RECEIPTS,
    "peek.forced-stake": FORCED_BY_BARRED,
    "undiscarded.bars": RECEIPTS,
    "ten-cards.bars": RECEIPTS,
    "barred.stake": BARRED_STAKE,
    "barred.partie": NEXT_BEST,
    "talon.irregular": TALON_COUNTED,
    "deal.again": DEALT_AGAIN_FAULTS,
    "deal.card-turned-up": TURNED_UP,
    "misdeal.cost": MISDEAL_COST,
    "misdeal.until": IN_TIME,
    "misdeal.late-deal": LATE_MISDEAL,
    "out-of-turn.payee": FINE_TO_POOL,
    "misdeal.payee": FINE_TO_POOL,
    "play.thrown-down": THROWN_DOWN,
}
#: the second table of a question of which the engine wants to know two things
FURTHER_MEANINGS: Mapping[str, Mapping[str, object]] = {"partie.eldest-share": ALSO_OWES, "misdeal.cost": REDEEMABLE}


def list_unknown_readings(question: str, answer: object) -> tuple[str, ...]:
    """List the readings in an answer that a table of its question does not know."""
    if not isinstance(answer, str | tuple):
        return ()
    words = (answer,) if isinstance(answer, str) else tuple(word for word in answer if isinstance(word, str))
    return _list_unknown_words(question, words)


@cache  # every deal asks for the same answers
def _list_unknown_words(question: str, words: tuple[str, ...]) -> tuple[str, ...]:
    tables = [found[question] for found in (MEANINGS, FURTHER_MEANINGS) if question in found]
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
