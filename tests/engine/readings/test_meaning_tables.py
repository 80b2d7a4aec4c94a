"""Of the tables of meanings, what no single row can say: places at the table, every heart, every moment.

What each reading means is in `meaning_rows.py`.
"""

from __future__ import annotations

from engine.cards import parse_card_name
from engine.readings.meanings.criteria import AMONG_EQUALS, count_places_in_play, count_places_leftwards
from engine.readings.meanings.deal import HEART_EXCEPTION
from engine.readings.meanings.play import QUINOLA_FREE
from tests.engine.readings.meaning_rows import measures


def test_places_are_counted_from_the_dealer_to_the_left_and_in_play_from_the_eldest() -> None:
    m = measures(dealer=2, eldest=3)
    assert [count_places_leftwards(m, seat) for seat in range(4)] == [2, 1, 0, 3]
    assert [count_places_in_play(m, seat) for seat in range(4)] == [1, 2, 3, 0]
    assert AMONG_EQUALS == ("best-placed", "worst-placed", "first-in-play", "eldest-if-tied", "alone")


def test_when_the_lone_quinola_may_be_kept() -> None:
    grid = [(tricks, hearts) for tricks in (0, 1, 2, 3) for hearts in (0, 1, 2)]
    assert {word for word, free in QUINOLA_FREE.items() if not any(free(*at) for at in grid)} == {"must-follow"}
    assert {word for word, free in QUINOLA_FREE.items() if all(free(*at) for at in grid)} == {"free"}
    assert [at for at in grid if QUINOLA_FREE["free-after-two-tricks"](*at)] == [at for at in grid if at[0] > 1]
    assert [at for at in grid if QUINOLA_FREE["free-after-two-heart-leads"](*at)] == [at for at in grid if at[1] == 2]


def test_when_a_heart_may_be_discarded_after_all() -> None:
    quinola = parse_card_name("JH")
    found = {
        (word, which, others)
        for word, may in HEART_EXCEPTION.items()
        for which in (f"{rank}H" for rank in "23456789TJQKA")
        for others in ("", "2H", "AH", "JH", "QH", "KH")
        if others != which
        and may(
            parse_card_name(which),
            quinola,
            [parse_card_name(which) & 15, *(parse_card_name(one) & 15 for one in others.split())],
        )
    }
    courts = ("QH", "KH")
    assert found == {
        *(("lone-king-or-queen", which, "") for which in courts),
        *(("king-or-queen-without-lower", which, others) for which in courts for others in ("", "AH")),
        ("king-or-queen-without-lower", "QH", "KH"),
        ("lone-quinola", "JH", ""),
    }
