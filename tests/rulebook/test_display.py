"""Reprs of records are short; what fingerprints are made of is whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulebook.display import format_repr, format_whole
from rulebook.model import Library


@dataclass(frozen=True)
class Short:
    """A record whose repr says little."""

    name: str
    rest: tuple[str, ...]
    memo: int = field(default=0, repr=False)

    def __repr__(self) -> str:
        return format_repr(self, self.name)


def test_the_whole_of_a_record_tells_what_its_repr_leaves_out() -> None:
    one, other = Short("a", ("x",)), Short("a", ("y",))
    assert repr(one) == repr(other) and format_whole({"k": [one]}) != format_whole({"k": [other]})
    assert format_whole(Short("a", ("x",), memo=1)) == format_whole(one)
    assert format_whole(frozenset("ba")) == format_whole(frozenset("ab"))


def test_another_word_of_a_clause_is_another_whole(library: Library) -> None:
    source = next(iter(library.sources.values()))
    first = source.clauses[0]
    changed = replace(source, clauses=(replace(first, label=first.label + "!"), *source.clauses[1:]))
    assert repr(source) == repr(changed) and format_whole(source) != format_whole(changed)
