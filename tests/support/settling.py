"""The sources, and the types of the fixtures that bind their rules and settle deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.settlement.settle import Refused, Settled
from rulebook.model import Ruleset

SIGLA = ("PAM", "ACA", "GER", "PAR")  #: the sources of the edition
Rules: TypeAlias = Callable[..., Ruleset]
Settle: TypeAlias = Callable[..., Settled]
Refuse: TypeAlias = Callable[..., Refused]
