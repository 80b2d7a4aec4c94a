"""Words of a sentence that no quotation covers, and that nobody need explain: link words and the number of an item."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Words from which no rule follows alone. A condition, an exception, a denial is none of them.
LINK_WORDS = frozenset(
    re.findall(
        r"\w+",
        """et aussi ainsi alors ensuite puis donc car enfin encore outre conséquent mais cependant savoir
        und auch so dann denn also nun daher ferner endlich übrigens hierauf hernach sodann aber sondern nämlich
        and also then thus for therefore so now further furthermore likewise moreover afterwards lastly hence again
        but however namely
        ed e anche poi dunque quindi inoltre infine allora ma
        y también luego entonces pues además después pero
        ook dan dus verder voorts maar
        item autem ergo deinde etiam enim""",
    )
)
_ITEM_NAME = r"(?:Art(?:icle|ikel|\.)?|Nro?\.?|N[o°]\.?|Rule|Law|Règle|Loi|Regel|Gesetz|§+)"
_ITEM_NUMBER = re.compile(
    rf"{_ITEM_NAME}\s*\w{{1,5}}\b[.):,]*|\(?(?:\d{{1,3}}|[IVXLC]{{1,6}}|[ivxlc]{{1,6}}|[a-z])[.)°:]+(?=\s|$)"
)


def find_debt(pieces: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces left over of a sentence that need a reason."""
    return tuple(piece for at, piece in enumerate(pieces) if _is_debt(piece, not at and _begins(piece, printed)))


def _begins(piece: str, printed: Sequence[str]) -> bool:
    words = piece.split()
    return [*printed[: len(words)]] == words


def _is_debt(piece: str, first: bool) -> bool:
    rest = _ITEM_NUMBER.sub("", piece, count=1) if first and _ITEM_NUMBER.match(piece) else piece
    words = (word.lower().replace("ſ", "s") for word in re.findall(r"[^\W_]+|&", rest) if word != "&")
    return any(word not in LINK_WORDS for word in words)
