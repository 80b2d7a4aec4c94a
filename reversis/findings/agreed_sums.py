"""Sums that a source leaves to the players to agree on before play, as far as an answer to a question plays them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.answers.values import format_canonical
from rulebook.model import Library, Ruling
from rulebook.resolve import resolve

_IRREGULARITY = "irregularity"  #: what its questions affect happens at no table that is played at


@dataclass(frozen=True, slots=True)
class AgreedSum:
    """A sum left to the players: the question that it answers, and what is played if they agree on nothing else."""

    question: str  #: Q020
    asks: str
    own: int | None  #: None: then it is no sum that is played for
    besides: tuple[str, ...] = ()  #: other answers without which it is not played


def list_agreed_sums(library: Library, siglum: str, by: str, parts: Mapping[str, Sequence[str]]) -> Iterator[AgreedSum]:
    """List the sums of a source that players agree on; `by`: the question that names them, `parts`: their questions."""
    rulings = resolve(library, siglum).rulings
    left = rulings[by].value if by in rulings else ()
    for part in left if isinstance(left, tuple) else ():
        for slug in parts.get(str(part), ()):
            if (ruling := rulings.get(slug)) is not None and library.questions[slug].affects != _IRREGULARITY:
                yield from _list_sums(library, ruling)


def _list_sums(library: Library, ruling: Ruling) -> Iterator[AgreedSum]:
    """The sum that an answer gives; of an answer that is none, the sums of the options beside it."""
    question = library.questions[ruling.question]
    if isinstance(ruling.value, int):
        yield AgreedSum(question.id, question.asks, ruling.value)
        return
    for option in (other for id in ruling.clauses for other in library.clause(id).alternatives):
        if option.kind == "option":
            answers = {library.questions[slug]: value for slug, value in option.answers.items()}
            besides = tuple(f"{q.id}={format_canonical(v)}" for q, v in answers.items() if not isinstance(v, int))
            yield from (AgreedSum(q.id, q.asks, None, besides) for q, v in answers.items() if isinstance(v, int))
