"""The table of what is paid as the cards fall: a row for each event of each privileged card, and of the aces."""

from __future__ import annotations

import pytest

from edition.corpus.corpus import Corpus
from reversis.views.rules import card_payments
from reversis.views.rules.card_payments import card_payment_table
from reversis.views.rules.rule_writer import build_rule_writer
from rulebook.model import Ruleset
from tests.support.settling import Rules

LITTLE = "{card: QH, name: little quinola, thrown-off: 3, forced: 4, others-pay: 2}"
NAMED = f"quinola.others=[{{card: JH, name: great quinola}}, {LITTLE}]"


@pytest.fixture
def rows(corpus: Corpus, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """What PAM pays, if it had two quinolas."""

    def resolved(library: object, sources: object) -> tuple[Ruleset, ...]:
        return (rules("PAM", NAMED),)

    monkeypatch.setattr(card_payments, "resolve_rulesets", resolved)
    table = card_payment_table(corpus, "PAM", build_rule_writer(corpus, "PAM"))
    return {row.event: row.sum for row in table.rows}


def test_every_privileged_card_has_its_rows_with_its_own_sums(rows: dict[str, int]) -> None:
    assert (rows["throw the great quinola off"], rows["throw the little quinola off"]) == (5, 3)
    great, little = ([rows[e] for e in rows if f"{size} quinola" in e] for size in ("great", "little"))
    assert (great, little) == ([5, 10, 10], [3, 4, 4])  # thrown off, forced, led as if forced


def test_the_cards_stand_in_their_order_and_the_aces_last(rows: dict[str, int]) -> None:
    names = [next(name for name in ("great", "little", "ace") if name in event) for event in rows]
    assert names == sorted(names, key=["great", "little", "ace"].index) and set(names) == {"great", "little", "ace"}
    assert not any("the quinola" in event for event in rows)
