"""What every test may ask for: the library as it stands, rulesets, and deals settled under them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from engine.deals import Deal
from engine.settle import Refused, Settled, settle
from rulebook.load import load
from rulebook.model import Library, Ruleset
from rulebook.resolve import read_choice, resolve

Rules: TypeAlias = Callable[..., Ruleset]
Settle: TypeAlias = Callable[..., Settled]
Refuse: TypeAlias = Callable[..., Refused]


@pytest.fixture(scope="session")
def library() -> Library:
    """All that the sources say, read once; whether it is without a problem is a test of its own."""
    library, problems = load()
    assert library is not None, "\n".join(map(str, problems))
    return library


@pytest.fixture(scope="session")
def compiled(library: Library) -> None:
    """The survey's fast path, made into machine code once for all tests, if that was not done on an earlier day."""
    from engine.survey import work
    from engine.survey.order import Order, Table
    from engine.survey.order import Rules as Named
    from engine.survey.policies import POLICIES

    sources = [Named(siglum) for siglum in library.sources]
    for policy in POLICIES:
        tables = tuple(Table(one, tuple(sources)) for one in sources)
        work.piece(Order(1, policy, 2, tables), library, 0)


@pytest.fixture(scope="session")
def rules(library: Library) -> Rules:
    """A source's ruleset, with the wishes of a reader."""

    def rules(source: str, *wishes: str) -> Ruleset:
        return resolve(library, source, [read_choice(library, w) for w in wishes])

    return rules


@pytest.fixture(scope="session")
def settles(rules: Rules) -> Settle:
    """A deal that must be settled under a source with these wishes."""

    def settles(deal: Deal, source: str, *wishes: str) -> Settled:
        found = settle(deal, rules(source, *wishes))
        assert isinstance(found, Settled), found
        return found

    return settles


@pytest.fixture(scope="session")
def refuses(rules: Rules) -> Refuse:
    """A deal that must be refused under a source with these wishes."""

    def refuses(deal: Deal, source: str, *wishes: str) -> Refused:
        found = settle(deal, rules(source, *wishes))
        assert isinstance(found, Refused), found
        return found

    return refuses
