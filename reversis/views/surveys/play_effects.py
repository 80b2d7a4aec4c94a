"""Views of what rules do to play, from the receipt of `proofs.regret` alone.

The page shows each question where another answer costs most; each source has a page with everything that was measured
at its table. What a chart shows stands in a table beside it; what was not measured is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.components import SourceMark
from edition.text.answers import find_answer_status
from edition.views.common import QuestionLink, question_link
from edition.views.plain_answers import source_marks
from lab.survey.variants import (
    UNSURVEYED_REASONS,
    VARIANT_INTERPRETATION,
    VARIANT_ITSELF,
    VARIANT_QUESTION,
    VARIANT_SOURCE,
    SurveyVariant,
)
from reversis.files.play_effects import (
    FEW_DEALS,
    PLAY_PROOF,
    StoredEffect,
    StoredEffectTable,
    parse_variant_name,
    read_play_effects,
)
from reversis.findings.costs import (
    THIN_SPACE,
    format_cost_figure,
    format_cost_percent,
    is_pool_supplied,
    pools_note,
)
from reversis.views.surveys.play_examples import ExampleView, example_view
from reversis.views.surveys.variant_labels import VariantLabel, variant_label
from rulebook import __version__
from rulebook.model import Alternative, FrozenMap
from rulebook.phrases import format_count, pluralize_counter
from rulebook.receipts import Receipt

#: The loss lies above 0, its interval includes 0, it lies below 0, or no card is another.
COSTS, OPEN, BELOW, ALIKE = "costs", "open", "below", "alike"


@dataclass(frozen=True, slots=True)
class EffectRow:
    """One other ruleset at one table, in words."""

    table: SourceMark
    label: VariantLabel
    verdict: str  #: COSTS, OPEN, BELOW or ALIKE
    share: float | None  #: of the opening pool, moved a deal; None where hardly a deal could be settled both ways
    moved: str  #: the same in counters
    sure: str  #: how sure that is: its interval, or on how few deals it rests
    cards: float  #: of a hundred
    loss: str
    between: str
    status: str  #: of the table's own answer, as everywhere: "ours" is our assumption; empty of a whole book
    giver_statuses: tuple[str, ...]  #: of the givers' answers, in their order
    ended_by: tuple[Alternative, ...]  #: readings of the table's own book by which there is no difference
    example: ExampleView | None

    @property
    def ours(self) -> list[str]:
        """Names of the givers whose answer is our assumption."""
        given = zip(self.label.givers, self.giver_statuses, strict=True)
        return [mark.within for mark, status in given if status == "ours"]


#: One question at the table, and with the answer, where the other cards cost most.
QuestionEffect: TypeAlias = tuple[QuestionLink, EffectRow]
EffectCounts: TypeAlias = Mapping[str, int]  #: differences that were measured, and how many there are of each verdict
#: Why something is not measured: questions and alternatives.
UnmeasuredView: TypeAlias = tuple[str, tuple[QuestionLink, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MeasuredState:
    """Size of the measurement, the command that repeats it, and the state of the edition that it is of."""

    deals: int  #: on which everything was measured
    command: str
    made: str
    outdated: tuple[str, ...]
    most: int = 0  #: deals of what was measured on most
    matter: int = 0  #: differences that clearly cost something, or move most money
    close: int = 0  #: those of them of which the loss is known closely


@dataclass(frozen=True, slots=True)
class EffectTableView:
    """Everything that was measured at the table of one source."""

    source: SourceMark
    pool: str
    pools: str  #: on the pool, where it is ours
    counts: EffectCounts
    whole: tuple[EffectRow, ...]
    single: tuple[EffectRow, ...]
    wide: tuple[EffectRow, ...]  #: what matters and is not known closely
    unmeasured: tuple[UnmeasuredView, ...]
    state: MeasuredState


@dataclass(frozen=True, slots=True)
class PlayEffectsView:
    """The whole page."""

    counts: EffectCounts
    questions: tuple[QuestionEffect, ...]
    by_money: tuple[QuestionEffect, ...]  #: every question where another answer moves most, the most first
    by_cards: tuple[QuestionEffect, ...]  #: every question where another answer changes most cards
    readings: tuple[EffectRow, ...]  #: other readings of a book at its own table that clearly cost something
    tables: tuple[tuple[SourceMark, EffectCounts], ...]
    left: tuple[str, ...]  #: names of books that were not measured
    pools: str
    unmeasured: tuple[UnmeasuredView, ...]
    state: MeasuredState


# ---- what is stored
@cached_on_corpus
def find_effect_tables(corpus: Corpus) -> tuple[StoredEffectTable, ...]:
    """Return the stored tables of the sources that are still there."""
    return tuple(effect for effect in read_play_effects(corpus.receipts) if effect.siglum in corpus.library.sources)


def list_effect_tables(receipts: Sequence[Receipt], sources: Iterable[str]) -> tuple[str, ...]:
    """Sigla of the sources whose tables have a page."""
    known = {effect.siglum for effect in read_play_effects(receipts)}
    return tuple(source for source in sources if source in known)


def find_measured_state(corpus: Corpus) -> MeasuredState:
    """Find how the stored effects were measured. StopIteration where nothing is stored."""
    receipt = next(candidate for candidate in corpus.receipts if candidate.proof == PLAY_PROOF)
    tables = find_effect_tables(corpus)
    deals = [each.deals for table in tables for each in table.effects] or [0]
    matter = [each for table in tables for each in table.that_matter]
    outdated = receipt.outdated(__version__, corpus.library.rules_digest)
    close = sum(effect.close for effect in matter)
    return MeasuredState(min(deals), receipt.command, receipt.made, outdated, max(deals), len(matter), close)


def list_variants(corpus: Corpus, effect: StoredEffect) -> tuple[SurveyVariant, ...]:
    """List all that a ruleset stands for; an alternative with the questions that it answers."""
    return tuple(_with_questions(corpus, parse_variant_name(name, corpus.library.sources)) for name in effect.names)


def _with_questions(corpus: Corpus, variant: SurveyVariant) -> SurveyVariant:
    if not variant.alternative:
        return variant
    slugs = (
        slug for slug, some in corpus.alternatives_on.items() if any(each.id == variant.alternative for _, each in some)
    )
    order = list(corpus.library.questions)
    return SurveyVariant(variant.kind, tuple(sorted(slugs, key=order.index)), alternative=variant.alternative)


def list_disagreements(table: StoredEffectTable) -> Iterator[StoredEffect]:
    """Yield the effects of other rules at a table; its own are no disagreement."""
    yield from (effect for effect in table.effects if VARIANT_ITSELF not in effect.names)


def judge_effect(effect: StoredEffect) -> str:
    """Verdict on one effect."""
    if not effect.cards:
        return ALIKE
    return COSTS if effect.costs else BELOW if effect.regret.high < 0 else OPEN


def count_effects(effects: Iterable[StoredEffect]) -> EffectCounts:
    """Count effects by verdict."""
    verdicts = [judge_effect(effect) for effect in effects]
    return FrozenMap(
        {"measured": len(verdicts), **{verdict: verdicts.count(verdict) for verdict in (COSTS, OPEN, BELOW, ALIKE)}}
    )


def _rank(table: StoredEffectTable, effect: StoredEffect) -> tuple[bool, float]:
    """Sort key: what surely costs comes after what may not, and then by the share of the pool."""
    return effect.costs, effect.regret.value / table.pool


# ---- views
def play_effects_view(corpus: Corpus, _: str = "") -> PlayEffectsView | None:
    """Every question with what it does to play; nothing where nothing was measured."""
    tables = find_effect_tables(corpus)
    if not tables:
        return None
    marks, known = source_marks(corpus), {table.siglum for table in tables}
    supplied = [table.siglum for table in tables if is_pool_supplied(corpus.library, table.siglum)]
    return PlayEffectsView(
        count_effects(disagreement for table in tables for disagreement in list_disagreements(table)),
        _list_question_effects(corpus, find_costliest_effects(corpus)),
        _list_question_effects(corpus, _find_greatest_effects(corpus, _rank_by_money)),
        _list_question_effects(corpus, _find_greatest_effects(corpus, _rank_by_cards)),
        tuple(_list_costly_readings(corpus, tables)),
        tuple((marks[table.siglum], count_effects(list_disagreements(table))) for table in tables),
        tuple(mark.name for siglum, mark in marks.items() if siglum not in known),
        pools_note([marks[book].name for book in supplied]),
        _list_unmeasured(corpus, tables),
        find_measured_state(corpus),
    )


_Placed: TypeAlias = tuple[StoredEffectTable, StoredEffect]
_SortKey: TypeAlias = Callable[[StoredEffectTable, StoredEffect], Any]


@cached_on_corpus
def find_costliest_effects(corpus: Corpus) -> Mapping[str, _Placed]:
    """For every question the answer of another book that costs most, and at which table; the costliest first."""
    return _find_greatest_effects(corpus, _rank)


def _find_greatest_effects(corpus: Corpus, rank: _SortKey) -> Mapping[str, _Placed]:
    """For every question the answer of another book that ranks highest, and at which table; the highest first.

    What we assume for two silent books is no difference between them.
    """
    placed: dict[str, _Placed] = {}
    for table in find_effect_tables(corpus):
        for disagreement in list_disagreements(table):
            for slug in list_exchanged_questions(corpus, disagreement):
                higher = slug not in placed or rank(*placed[slug]) < rank(table, disagreement)
                if higher and _is_answered(corpus, slug, table, disagreement):
                    placed[slug] = table, disagreement
    return dict(sorted(placed.items(), key=lambda line: rank(*line[1]), reverse=True))


def _is_answered(corpus: Corpus, slug: str, table: StoredEffectTable, effect: StoredEffect) -> bool:
    sides = {table.siglum, *(each.source for each in list_variants(corpus, effect) if slug in each.questions)}
    return any(corpus.answers_itself(siglum, slug) for siglum in sides)


def _rank_by_money(table: StoredEffectTable, effect: StoredEffect) -> float:
    """Sort key: what is not known comes last."""
    return -1.0 if effect.moved is None or effect.moved.settled < FEW_DEALS else effect.moved.mean / table.pool


def _rank_by_cards(_: StoredEffectTable, effect: StoredEffect) -> float:
    return effect.cards


def _list_question_effects(corpus: Corpus, placed: Mapping[str, _Placed]) -> tuple[QuestionEffect, ...]:
    asked = corpus.library.questions
    return tuple(
        (question_link(asked[slug]), effect_row(corpus, table, effect)) for slug, (table, effect) in placed.items()
    )


def _list_costly_readings(corpus: Corpus, tables: Iterable[StoredEffectTable]) -> Iterator[EffectRow]:
    """Yield other readings of a book that clearly cost something at its own table, the costliest first.

    Those by which it answers as another book does stand among the questions.
    """
    placed = [
        (table, disagreement)
        for table in tables
        for disagreement in list_disagreements(table)
        if disagreement.costs
        and {each.kind for each in list_variants(corpus, disagreement)} == {VARIANT_INTERPRETATION}
    ]
    for table, effect in sorted(placed, key=lambda line: _rank(*line), reverse=True):
        yield effect_row(corpus, table, effect)


def list_exchanged_questions(corpus: Corpus, effect: StoredEffect) -> tuple[str, ...]:
    """List the questions, by their slugs, on which an effect is that of another book's answer."""
    stands = (each for each in list_variants(corpus, effect) if each.kind == VARIANT_QUESTION)
    return tuple(dict.fromkeys(slug for each in stands for slug in each.questions if slug in corpus.library.questions))


def effect_table_view(corpus: Corpus, siglum: str) -> EffectTableView | None:
    """Everything that was measured at the table of one source; nothing where that was not."""
    table = next((table for table in find_effect_tables(corpus) if table.siglum == siglum), None)
    if table is None:
        return None
    ranked = sorted(list_disagreements(table), key=lambda disagreement: _rank(table, disagreement), reverse=True)
    rows = [effect_row(corpus, table, effect) for effect in ranked]
    wide = tuple(
        row for row, effect in zip(rows, ranked, strict=True) if effect in table.that_matter and not effect.close
    )
    whole = tuple(row for row in rows if any(each.kind == VARIANT_SOURCE for each in row.label.stands))
    supplied = is_pool_supplied(corpus.library, siglum)
    return EffectTableView(
        source_marks(corpus)[siglum],
        f"{table.pool} {table.unit if table.pool == 1 else pluralize_counter(table.unit)}",
        pools_note([source_marks(corpus)[siglum].name]) if supplied else "",
        count_effects(ranked),
        whole,
        tuple(row for row in rows if row not in whole),
        wide,
        _list_unmeasured(corpus, [table]),
        find_measured_state(corpus),
    )


def effect_row(corpus: Corpus, table: StoredEffectTable, effect: StoredEffect) -> EffectRow:
    """One other ruleset at one table."""
    unit, variants = pluralize_counter(table.unit), list_variants(corpus, effect)
    label, slug = variant_label(corpus, variants, effect.rules), _find_exchanged_question(corpus, variants)
    givers = [mark.siglum for mark in label.givers]
    return EffectRow(
        source_marks(corpus)[effect.table],
        label,
        judge_effect(effect),
        *_describe_money(effect, table, unit),
        effect.cards,
        f"{format_signed(effect.regret.value)} {unit}",
        format_signed_interval(effect.regret.low, effect.regret.high),
        _find_statuses(corpus, [effect.table], slug)[0],
        _find_statuses(corpus, givers, slug),
        tuple(_list_ending_readings(corpus, effect.table, givers, slug)),
        example_view(corpus, table, effect, variants) if effect.example else None,
    )


def _describe_money(effect: StoredEffect, table: StoredEffectTable, unit: str) -> tuple[float | None, str, str]:
    """Return the money as a share of the pool, if it is known at all; in counters; and how sure it is."""
    money = effect.moved
    if money is None:
        return None, "not known", "no deal is settled by both"
    moved = f"{format_cost_figure(money.mean)} {unit}"
    if money.settled < FEW_DEALS:
        return None, moved, f"only {format_count(money.settled, 'deal is', 'deals are')} settled by both: hardly known"
    share = money.mean / table.pool
    if not money.moving:
        return share, moved, f"not seen in {money.settled:,} deals"
    if money.few:
        return share, moved, f"only {format_count(money.moving, 'such deal')} in {money.settled:,}: a rough guess"
    if money.margin is None:
        return share, moved, ""
    low, high = money.mean - money.margin, money.mean + money.margin
    return share, moved, f"95{THIN_SPACE}%: {format_signed_interval(low, high)}"


def _find_exchanged_question(corpus: Corpus, variants: Sequence[SurveyVariant]) -> str:
    """Slug of the one question that a difference is about; empty where it is none, or is gone."""
    slug = variants[0].questions[0] if variants[0].kind == VARIANT_QUESTION else ""
    return slug if slug in corpus.library.questions else ""


def _find_statuses(corpus: Corpus, sigla: Iterable[str], slug: str) -> tuple[str, ...]:
    """Status of each source's answer to a question; empty where there is no question or no answer."""
    cells = [corpus.cell(siglum, slug) if slug else None for siglum in sigla]
    return tuple(find_answer_status(cell) if cell and cell.value is not None else "" for cell in cells)


def _list_ending_readings(corpus: Corpus, table: str, givers: Iterable[str], slug: str) -> Iterator[Alternative]:
    """Yield the readings of the table's own book that answer as the other books do, and so end the difference."""
    if slug:
        cells = [corpus.cell(siglum, slug) for siglum in givers]
        values = [cell.value for cell in cells if cell and cell.value is not None]
        for clause, alternative in corpus.alternatives_on.get(slug, ()):
            if clause.source == table and alternative.kind == "interpretation" and alternative.answers[slug] in values:
                yield alternative


def _list_unmeasured(corpus: Corpus, tables: Sequence[StoredEffectTable]) -> tuple[UnmeasuredView, ...]:
    """Questions and alternatives that are measured at none of these tables, by the reason."""
    measured = {
        slug
        for table in tables
        for disagreement in list_disagreements(table)
        for slug in list_exchanged_questions(corpus, disagreement)
    }
    names_by_reason: dict[str, dict[str, None]] = {because: {} for because in UNSURVEYED_REASONS}
    for table in tables:
        for because, names in table.unmeasured.items():
            names_by_reason.setdefault(because, {}).update(dict.fromkeys(names))
    views = (_unmeasured_view(corpus, because, names, measured) for because, names in names_by_reason.items())
    return tuple(view for view in views if view[1] or view[2])


def _unmeasured_view(corpus: Corpus, because: str, names: Iterable[str], measured: set[str]) -> UnmeasuredView:
    variants = [parse_variant_name(name, corpus.library.sources) for name in names]
    slugs = {slug for variant in variants if variant.kind == VARIANT_QUESTION for slug in variant.questions} - measured
    others = (variant.alternative for variant in variants if corpus.kinds.get(variant.alternative) == "alternative")
    questions = (question for slug, question in corpus.library.questions.items() if slug in slugs)
    return UNSURVEYED_REASONS.get(because, because), tuple(map(question_link, questions)), tuple(dict.fromkeys(others))


# ---- in words
def format_signed(value: float) -> str:
    """Format a number with two significant digits and, below 0, a minus sign."""
    return f"\N{MINUS SIGN}{format_cost_figure(-value)}" if value < 0 else format_cost_figure(value)


def format_signed_interval(low: float, high: float) -> str:
    """Format the ends of an interval, which never look alike unless they are."""
    ends = format_signed(low), format_signed(high)
    if ends[0] != ends[1] or low == high:
        return " to ".join(ends)
    places = max(1, -floor(log10(high - low)))
    return " to ".join(f"{end:,.{places}f}".replace("-", "\N{MINUS SIGN}") for end in (low, high))


def format_card_share(cards: float) -> str:
    """Format how many of a hundred cards would be others."""
    return f"{format_cost_figure(cards)} of 100"


def format_moved(row: EffectRow) -> str:
    """Format the money that is moved, with its share of the pool and how sure it is."""
    share = "" if row.share is None else f"{format_cost_percent(row.share)} of the pool"
    notes = "; ".join(filter(None, (share, row.sure)))
    return f"{row.moved} ({notes})" if notes else row.moved


def summarise_play_effect(corpus: Corpus, slug: str) -> str:
    """Effect of the costliest answer of another book in a line; empty where it was not measured."""
    placed = find_costliest_effects(corpus).get(slug)
    if placed is None:
        return ""
    table, effect = placed
    marks = source_marks(corpus)
    if judge_effect(effect) == ALIKE:
        return f"What it does to play: nothing that was seen; no card was another in {effect.deals:,} deals."
    givers = dict.fromkeys(each.source for each in list_variants(corpus, effect) if slug in each.questions)
    names = " or ".join(marks[siglum].within for siglum in givers if siglum in marks)
    unit, regret = pluralize_counter(table.unit), effect.regret
    doubt = "" if effect.costs else "; it may cost nothing"
    return (
        f"What it does to play: by the rules of {marks[effect.table].within}, whoever believes the answer of {names} "
        f"plays another card {format_cost_figure(effect.cards)} times in 100, and so loses "
        f"{format_signed(regret.value)} {unit} a deal on average (95{THIN_SPACE}%: {format_signed(regret.low)} to "
        f"{format_signed(regret.high)}{doubt}); {table.pool} lie in the pool before the deal."
    )
