"""Words for a line of descent: its kind, and how sure we are of it."""

from __future__ import annotations

from collections.abc import Mapping

from rulebook.history.stemma import POSSIBLE, SHARED_ANCESTOR

#: Certainty of an edge -> how sure we are, in words.
EDGE_CERTAINTY: Mapping[str, str] = {
    "high": "very likely or certain",
    "medium": "likely",
    "low": "no more than possible",
}
#: Kind of an edge -> its name; one that is "possible" is a debt of an open kind, however sure the debt itself is.
EDGE_KINDS: Mapping[str, str] = {
    "copied": "copied",
    "abridged": "abridged",
    "translated": "translated",
    SHARED_ANCESTOR: "from one ancestor",
    POSSIBLE: "a debt of some kind",
}
