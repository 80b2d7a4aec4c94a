"""The fingerprint of a result: the same for the same entries in whatever order, and of the letters as they are."""

from __future__ import annotations

import hashlib

from engine.settlement.result_json import fingerprint_deal_record


def test_the_order_of_entries_makes_no_other_fingerprint() -> None:
    assert (
        fingerprint_deal_record({"a": 1, "b": [2, 3]})
        == fingerprint_deal_record({"b": [2, 3], "a": 1})
        != fingerprint_deal_record({"a": 1, "b": [3, 2]})
    )


def test_it_is_taken_of_the_letters_as_they_are_written() -> None:
    """Anybody can take it again, with any program that sorts the keys and puts in no blanks."""
    assert fingerprint_deal_record({"b": "é", "a": 1}).endswith(hashlib.sha256('{"a":1,"b":"é"}'.encode()).hexdigest())
