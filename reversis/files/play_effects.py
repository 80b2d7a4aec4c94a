"""Effects of rules on play, as `proofs.regret` measured them: the figures of its receipt, read into records.

The proof writes them by the names that stand here. No page needs more: neither NumPy nor a deal played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.deal.model import Deal
from engine.deal.reader import read_deal
from lab.survey.variants import (
    VARIANT_INTERPRETATION,
    VARIANT_ITSELF,
    VARIANT_OPTION,
    VARIANT_QUESTION,
    VARIANT_SOURCE,
    SurveyVariant,
)
from rulebook.estimates import Estimate
from rulebook.receipts import Receipt
from rulebook.strings import LIST_SEPARATOR

PLAY_PROOF = "regret"  #: the proof that measures it, and its receipt
#: Tables among the figures, beside one for each source.
TABLES, EXAMPLES, EXAMPLE_DEALS, NOT_MEASURED = "tables", "examples", "example deals", "not measured"
MONEY = "money moved"  #: in the line of a ruleset, what passes into other hands a deal
MONEY_MARGIN = "money give or take"  #: half of the interval of that
MONEY_DEALS, MOVING_DEALS = "settled by both", "with money moved"  #: deals on which it rests, and those that move any
REGRET_MARGIN = "give or take"  #: in the line of a ruleset, half of the interval of its regret
FEW_DEALS = 10  #: of fewer deals in which money moves the mean is a rough guess
CLOSE = 0.1  #: counters a player and deal: so closely the regret of a ruleset that matters is to be known


@dataclass(frozen=True, slots=True)
class StoredMoney:
    """Money that other rules move a deal, when the same cards are only priced anew."""

    mean: float
    margin: float | None  #: half of its 95 % interval; None in a receipt that does not say
    settled: int  #: deals that both rulesets settle, on which it rests
    moving: int  #: those of them in which any money moves

    @property
    def few(self) -> bool:
        """Return whether so few deals move any money that the sum is a rough guess."""
        return self.moving < FEW_DEALS


@dataclass(frozen=True, slots=True)
class StoredExample:
    """Decision in which two rulesets prefer different cards, with the worth of both by either."""

    number: int  #: of the deal
    record: Mapping[str, Any]
    deal: Deal  #: as read from the record
    step: int  #: how many cards were played before
    player: str
    cards: tuple[str, str]  #: by the table's own rules, and by the others
    worth: tuple[float, float]
    loss: Estimate
    believed: tuple[float, float]  #: worth of both by the other rules
    gain: Estimate


@dataclass(frozen=True, slots=True)
class StoredEffect:
    """Effect of one other ruleset on play at the table of a source."""

    table: str
    names: tuple[str, ...]  #: of all that it stands for
    rules: str
    deals: int
    moved: StoredMoney | None  #: None where the other rules settle none of the deals as played
    cards: float  #: of a hundred
    regret: Estimate
    example: StoredExample | None

    @property
    def costs(self) -> bool:
        """Return whether the interval of the regret lies above 0."""
        return self.regret.low > 0

    @property
    def close(self) -> bool:
        """Return whether the regret is known closely enough."""
        return round(self.regret.high - self.regret.value, 3) <= CLOSE


@dataclass(frozen=True, slots=True)
class StoredEffectTable:
    """Table of one source: its unit, its pool, the effects, and what is not measured by its reason."""

    siglum: str
    unit: str
    pool: int
    effects: tuple[StoredEffect, ...]
    unmeasured: Mapping[str, tuple[str, ...]]

    @property
    def that_matter(self) -> tuple[StoredEffect, ...]:
        """Effects whose interval lies above 0, or that move much money."""
        lines = [_dump_line(effect) for effect in self.effects]
        return tuple(self.effects[at] for at in list_effects_that_matter(lines))


def _dump_line(effect: StoredEffect) -> Mapping[str, float]:
    money = {} if effect.moved is None else {MONEY: effect.moved.mean}
    return {"regret": effect.regret.value, REGRET_MARGIN: effect.regret.high - effect.regret.value, **money}


def list_effects_that_matter(lines: Sequence[Mapping[str, float]]) -> list[int]:
    """List the effects of a table whose interval lies above 0, or whose money is in the upper third, by places."""
    money = sorted(line[MONEY] for line in lines if MONEY in line)
    least = money[-(-2 * len(money) // 3) - 1] if money else 0.0
    return [
        at
        for at, line in enumerate(lines)
        if line["regret"] > line[REGRET_MARGIN] or line.get(MONEY, 0.0) > max(least, 0.0)
    ]


def read_play_effects(receipts: Sequence[Receipt]) -> tuple[StoredEffectTable, ...]:
    """Read the tables of the receipt; none where there is no receipt, or one that an earlier program wrote."""
    figures = next((receipt.figures for receipt in receipts if receipt.proof == PLAY_PROOF), {})
    try:
        return tuple(_read_table(figures, siglum) for siglum in figures.get(TABLES, {}))
    except (KeyError, TypeError, ValueError):
        return ()


def _read_table(figures: Mapping[str, Any], siglum: str) -> StoredEffectTable:
    table, unmeasured = figures[TABLES][siglum], figures[NOT_MEASURED].get(siglum, {})
    return StoredEffectTable(
        siglum,
        str(table["unit"]),
        int(table["pool"]),
        tuple(_read_effects(figures, siglum)),
        {because: tuple(names.split(LIST_SEPARATOR)) for because, names in unmeasured.items()},
    )


def _read_effects(figures: Mapping[str, Any], siglum: str) -> Iterator[StoredEffect]:
    for name, line in figures[siglum].items():
        regret, margin = float(line["regret"]), float(line[REGRET_MARGIN])
        example = figures[EXAMPLES].get(name_example(siglum, name))
        yield StoredEffect(
            siglum,
            (name, *filter(None, line["also"].split(LIST_SEPARATOR))),
            line["rules"],
            int(line["deals"]),
            _read_money(line) if MONEY in line else None,
            float(line["other cards of 100"]),
            Estimate(regret, regret - margin, regret + margin),
            _read_example(example, figures[EXAMPLE_DEALS], siglum) if example else None,
        )


def _read_money(line: Mapping[str, Any]) -> StoredMoney:
    margin, deals = line.get(MONEY_MARGIN), int(line["deals"])
    settled, moving = (int(line.get(name, deals)) for name in (MONEY_DEALS, MOVING_DEALS))
    return StoredMoney(float(line[MONEY]), None if margin is None else float(margin), settled, moving)


def _read_example(line: Mapping[str, Any], deals: Mapping[str, Any], siglum: str) -> StoredExample:
    record = deals[name_example_deal(siglum, line["deal"])]
    deal, problems = read_deal(record)
    if deal is None:
        raise ValueError(problems)
    return StoredExample(
        int(line["deal"]),
        record,
        deal,
        int(line["step"]),
        line["player"],
        (line["card"], line["other card"]),
        (float(line["worth"]), float(line["other worth"])),
        _read_estimate(line, "loss"),
        (float(line["believed"]), float(line["other believed"])),
        _read_estimate(line, "gain"),
    )


def _read_estimate(line: Mapping[str, Any], name: str) -> Estimate:
    return Estimate(float(line[name]), float(line[f"{name} from"]), float(line[f"{name} to"]))


# ---- names
def name_example(siglum: str, name: str) -> str:
    """Name the example of a ruleset at a source's table."""
    return f"{siglum}: {name}"


def name_example_deal(siglum: str, number: int) -> str:
    """Name the deal of that number at a source's table."""
    return f"{siglum}:{number}"


def parse_variant_name(name: str, sources: Mapping[str, object]) -> SurveyVariant:
    """Parse the name of a variant: a source, an answer such as ace.payer@PAR, or a rival's id."""
    slug, at, source = name.partition("@")
    if at:
        return SurveyVariant(VARIANT_QUESTION, (slug,), source)
    if name == VARIANT_ITSELF:
        return SurveyVariant(VARIANT_ITSELF)
    if name in sources:
        return SurveyVariant(VARIANT_SOURCE, source=name)
    kind = VARIANT_OPTION if name.partition(".")[2].startswith("o") else VARIANT_INTERPRETATION
    return SurveyVariant(kind, alternative=name)
