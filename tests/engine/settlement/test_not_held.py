"""What a sentence orders and no answer holds is told by every deal that comes to it."""

from __future__ import annotations

import pytest

from engine.deal.model import Deal
from tests.support.settling import Settle


@pytest.mark.parametrize(
    ("siglum", "name", "sentence", "words"),
    [
        pytest.param("GER", "aca-quinola-thrown-off", "GER.s0035", "alles", id="quinola before tricks"),
        pytest.param("GER", "ger-reversis", "GER.s0035", "alles", id="reversis before tricks"),
        pytest.param("GER", "aca-quinola-in-talon", "GER.s0057", "weggeleget", id="GER: laid away by nobody"),
        pytest.param("ACA", "aca-quinola-in-talon", "ACA.s0027", "écarté", id="ACA: discarded by nobody"),
        pytest.param("GER", "ger-quinola-laid-away", "GER.s0057", "2 Marquen", id="when the stake is improved"),
        pytest.param("ACA", "aca-revoke-beside-the-pool", "ACA.s0028", "avec la poule", id="ACA: a fine in the deal"),
        pytest.param("PAM", "aca-revoke-beside-the-pool", "PAM.s0128", "2 jettons", id="PAM: a fine in the deal"),
        pytest.param("PAM", "pam-quinola-placed-and-a-fine", "PAM.s0122", "un jetton", id="PAM: another fine"),
        # Q153 is not played: a trick that somebody else has picked up would move the points
        pytest.param("PAM", "pam-quinola-forced-opposite-last", "PAM.s0125", "ramasse", id="PAM: points"),
        pytest.param("PAM", "pam-reversis-made-without", "PAM.s0125", "ramasse", id="PAM: all the tricks"),
        pytest.param("PAM", "pam-espagnolette-won", "PAM.s0125", "ramasse", id="PAM: who loses"),
        # it threw nothing off, and so nothing asks how often that is given back
        pytest.param("HOY", "quinola-alone-third-heart", "HOY.s0015", "consolations", id="HOY: what forcing brought"),
        pytest.param("PAR", "par-espagnolette-lost", "PAR.n36", "or an espagnolette", id="PAR: a party that is lost"),
        pytest.param("PAR", "par-espagnolette-won", "PAR.n36", "or an espagnolette", id="PAR: a party that is won"),
    ],
)
def test_a_deal_tells_the_order_that_no_answer_holds(
    settles: Settle, deals: dict[str, Deal], siglum: str, name: str, sentence: str, words: str
) -> None:
    assert [one for one in settles(deals[name], siglum).not_held if one.sentence == sentence and words in one.words]


@pytest.mark.parametrize("name", ["par-espagnolette-beaten-by-reversis", "par-espagnolette-third-breaks"])
def test_a_deal_that_keeps_to_the_order_does_not_tell_it(settles: Settle, deals: dict[str, Deal], name: str) -> None:
    """PAR.n36: a reversis leaves no party to be paid."""
    assert "PAR.n36" not in {one.sentence for one in settles(deals[name], "PAR").not_held}


def test_where_no_trick_was_taken_nobody_can_have_picked_up_a_wrong_one(
    settles: Settle, deals: dict[str, Deal]
) -> None:
    settled = settles(deals["pam-misdeal-too-late"], "PAM")
    assert "PAM.s0125" not in {one.sentence for one in settled.not_held}
