"""Records as notebooks show them: the site's components, with a small style of their own.

The HTML stands by itself and fetches nothing. Where a record does not carry its library (a Settled, say), names and
hues of the sources come from the installed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.nodes.builders import (
    Content,
    block,
    bullet_list,
    card_signs,
    code,
    para,
    span,
    strong,
    table,
)
from edition.nodes.components import (
    SourceMark,
    answer_with_status,
    color_suits,
    ledger_strip,
    list_source_marks,
    source_chip,
    source_quotation,
)
from edition.palette import LIGHT_HUES, SHAPES
from engine.cards import format_card, sort_cards, spell_cards
from engine.deal.model import Deal
from engine.interpretation.worlds import Standing, Worlds
from engine.settlement.ledger import Entry, format_postings, name_ledger_account
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.door.comparison import Comparison
from reversis.door.node_html import format_node_html
from reversis.door.records import Records, RecordValue
from reversis.door.worked_deals import open_default_library
from reversis.words.events import describe_entry, describe_outcome
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_plain_answer
from rulebook.model import Clause, Library, Question, Ruleset, Ruling, Source
from rulebook.phrases import pluralize_counter
from rulebook.resolve import own_rulings

_MAX_ROWS = 20  #: of a long table: so many are shown
_MAX_VALUE_LENGTH = 80
_MAX_CLAUSES = 4  #: named beside a payment

#: Hues of the sources, mixed into the ink of the notebook, and their shapes.
_SLOT_RULES = "".join(
    f".rv-notebook .rv-s{slot} {{ --rv-hue: color-mix(in srgb, {hue} 78%, currentColor); --rv-shape: {shape}; }}\n"
    for slot, (hue, shape) in enumerate(zip(LIGHT_HUES, SHAPES.values(), strict=True), 1)
)


def render_record(one: object) -> str | None:
    """Render a record as HTML; None where its repr says enough."""
    render = _RENDERERS.get(type(one).__name__)
    return (
        None
        if render is None
        else f"<style>{_read_style()}</style>{format_node_html(block(*render(one), cls='rv-notebook'))}"
    )


@cache
def _read_style() -> str:
    return Path(__file__).with_suffix(".css").read_text(encoding="utf-8") + _SLOT_RULES


# ---- sources
def _mark_source(siglum: str) -> SourceMark:
    marks = _list_marks(open_default_library())
    return marks.get(siglum, SourceMark(siglum, siglum, "", 1))


def _list_marks(library: Library) -> Mapping[str, SourceMark]:
    return list_source_marks(library.sources.values())


def _render_head(*content: Content) -> nodes.paragraph:
    return para(*content)


# ---- deals and what comes of them
def _render_deal(deal: Deal) -> Iterator[Content]:
    yield _render_head(strong(deal.title or deal.id), " ", code(deal.id))
    yield para(f"{deal.pack} cards, {deal.seats[deal.dealer]} deals.", cls="rv-soft")
    hands = [(seat, card_signs(_format_hand(hand))) for seat, hand in zip(deal.seats, deal.hands, strict=True)]
    yield table("Hands", ("Player", "Cards"), [*hands, ("talon", card_signs(_format_hand(deal.talon)))])
    if deal.tricks:
        yield table("Tricks, the leader's card first", ("Trick", "Led by", "Cards"), _list_tricks(deal))


def _format_hand(cards: Iterable[int]) -> str:
    return " ".join(map(format_card, sort_cards(cards)))


def _list_tricks(deal: Deal) -> Iterator[Sequence[Any]]:
    for number, row in enumerate(deal.tricks, 1):
        leader = deal.holder(row[0]) if row else None
        yield str(number), "" if leader is None else deal.seats[leader], card_signs(" ".join(map(format_card, row)))


def _render_settled(settlement: Settled) -> Iterator[Content]:
    unit = pluralize_counter(settlement.ruleset.unit)
    yield _render_outcome_head(settlement, f"settled, in {unit}")
    yield ledger_strip(
        [(name_ledger_account(settlement.deal, who), sum_) for who, sum_ in settlement.net.items()], unit
    )
    rows = [
        (
            *_split_event(entry, settlement.deal),
            ", ".join(format_postings(entry, settlement.deal, settlement.before)),
            _join_ids(settlement, entry),
        )
        for entry in settlement.entries
    ]
    if rows:
        yield table("Payments", ("When", "What happens", "Who pays", "Clauses"), rows)
    yield para(*color_suits("; ".join(describe_outcome(settlement.outcome, settlement.deal.seats))))


def _render_outcome_head(one: Settled | Refused | Unanswered, state: str) -> nodes.paragraph:
    more = "" if one.ruleset.name == one.ruleset.source else f" {one.ruleset.name}"
    chip = source_chip(_mark_source(one.ruleset.source))
    return _render_head(strong(one.deal.title or one.deal.id), " by ", chip, f"{more}: {state}")


def _split_event(entry: Entry, deal: Deal) -> tuple[str, list[Content]]:
    when, _, event = describe_entry(entry, deal.seats).partition(": ")
    return when, color_suits(spell_cards(event))


def _join_ids(settlement: Settled, entry: Entry) -> str:
    found = [*dict.fromkeys(clause for ruling in settlement.rulings(entry) for clause in ruling.clauses)]
    more = f" and {len(found) - _MAX_CLAUSES} more" if len(found) > _MAX_CLAUSES else ""
    return " ".join(found[:_MAX_CLAUSES]) + more


def _render_refused(one: Refused) -> Iterator[Content]:
    yield _render_outcome_head(one, "not legal here")
    yield bullet_list(color_suits(spell_cards(refusal.message)) for refusal in one.refusals)


def _render_unanswered(silence: Unanswered) -> Iterator[Content]:
    yield _render_outcome_head(silence, "the source says nothing")
    yield para(str(silence.silent))


def _render_worlds(worlds: Worlds) -> Iterator[Content]:
    chip = source_chip(_mark_source(worlds.source))
    yield _render_head(strong(worlds.deal.title or worlds.deal.id), " by ", chip, f": {worlds.number} ways to read it")
    sums = [
        (
            name_ledger_account(worlds.deal, each.account),
            *("–" if n is None else f"{n:+d}" for n in (each.least, each.most, each.preferred)),
        )
        for each in worlds.net
    ]
    yield table("Gains over all readings", ("Account", "Least", "Most", "As we read it"), sums, cls="rv-figures")
    if worlds.postings:
        rows = [_list_standing(worlds, each) for each in worlds.postings]
        yield table("Payments", ("What for", "Who pays", "Amount", "Depends on"), rows)


def _list_standing(worlds: Worlds, each: Standing) -> tuple[str, ...]:
    when = f", trick {each.case.trick}" if each.case.trick else ""
    paid = f"{name_ledger_account(worlds.deal, each.paid.payer)} to {name_ledger_account(worlds.deal, each.paid.payee)}"
    depends = " or ".join(" with ".join(clauses) for clauses in each.depends)
    return each.case.rule.replace("-", " ") + when, paid, str(each.paid.amount), depends or "nothing: certain"


# ---- questions, sources, clauses
def _render_question(question: Question) -> Iterator[Content]:
    yield _render_head(strong(question.asks), " ", code(question.id), " ", code(question.slug))
    yield para(f"{question.group}; it touches: {question.affects}.", cls="rv-soft")
    library = open_default_library()
    if library.questions.get(question.slug) == question:
        yield table("Answers", ("Source", "Answer"), _list_answers(library, question))
    elif question.readings:
        yield bullet_list([code(reading), f" {gloss}"] for reading, gloss in question.readings.items())


def _list_answers(library: Library, question: Question) -> Iterator[Sequence[Any]]:
    marks = _list_marks(library)
    for siglum, source in library.sources.items():
        cell = library.cell(siglum, question.slug)
        if cell is None or cell.value is None:
            yield [source_chip(marks[siglum])], cell.status if cell else "not collated"
            continue
        words = format_plain_answer(question, cell.value, source, library)
        doubtful = cell.status in ("ambiguous", "contradictory")
        status = "ours" if cell.supplied else "doubtful" if doubtful else "follows" if cell.status == "implied" else ""
        yield [source_chip(marks[siglum])], [answer_with_status(words, status)]


def _render_source(source: Source) -> Iterator[Content]:
    yield _render_head(strong(source.title), f" {source.short_date} ", code(source.siglum))
    sentences = len(source.text.sentences) if source.text else len(source.statements)
    known = {
        "Title": str(source.record.get("title") or ""),
        "Date": str(source.record.get("date") or ""),
        "Language": source.language,
        "Counters": ", ".join(f"{name} ({worth})" for name, worth in source.counters.items()),
        "Sentences": str(sentences),
        "Clauses": str(len(source.clauses)),
        "Copy": str(source.record.get("exemplar") or ""),
    }
    yield table("", ("About", "Known"), [(name, " ".join(words.split())) for name, words in known.items() if words])


def _render_clause(clause: Clause) -> Iterator[Content]:
    yield _render_head(strong(clause.id), f" {clause.status}, certainty {clause.cert}")
    yield bullet_list([code(slug), f" {value}"] for slug, value in clause.answers.items())
    for cite in clause.cites:
        if cite.exact:
            yield source_quotation(_mark_source(clause.source), cite.exact, "", "", cite.locus)
    if clause.because:
        yield para(" ".join(clause.because.split()))


def _render_library(library: Library) -> Iterator[Content]:
    marks = _list_marks(library)
    rows = [
        ([source_chip(marks[siglum])], str(len(source.clauses)), source.language)
        for siglum, source in library.sources.items()
    ]
    yield table(
        f"{len(library.questions)} questions, {len(library.deals)} deals", ("Source", "Clauses", "Language"), rows
    )


def _render_ruleset(ruleset: Ruleset) -> Iterator[Content]:
    library = open_default_library()
    ours = sum(ruling.supplied for ruling in ruleset.rulings.values())
    yield _render_head(strong(ruleset.name), " by ", source_chip(_mark_source(ruleset.source)))
    counts = f"{len(ruleset.rulings)} answers, {ours} of them ours, since the source is silent;"
    counts += f" {len(ruleset.reasons)} questions have none."
    yield para(f"{counts} Sums are in {pluralize_counter(ruleset.unit)}.", cls="rv-soft")
    if ruleset.source not in library.sources:
        return
    own = own_rulings(library, library.sources[ruleset.source])
    changed = [
        ruling for slug, ruling in ruleset.rulings.items() if slug not in own or own[slug].answer != ruling.answer
    ]
    rows = [
        (*_list_ruling(library, ruleset, ruling), _list_ruling(library, ruleset, own.get(ruling.question))[1])
        for ruling in changed[:_MAX_ROWS]
    ]
    if rows:
        yield table("Changed", ("Question", "Here", "In the source"), rows)
    else:
        first = list(ruleset.rulings.values())[:_MAX_ROWS]
        yield table("Answers", ("Question", "Answer"), [_list_ruling(library, ruleset, ruling) for ruling in first])
    yield from _tell_rest(len(changed) or len(ruleset.rulings), "rulings")


def _list_ruling(library: Library, rules_: Ruleset, ruling: Ruling | None) -> tuple[Any, ...]:
    asked = library.questions.get(ruling.question) if ruling else None
    if ruling is None or asked is None:
        return ruling.question if ruling else "", "none" if ruling is None else format_canonical(ruling.answer)
    words = format_plain_answer(asked, ruling.answer, library.sources[rules_.source], library)
    return [asked.asks, " ", code(asked.id)], [answer_with_status(words, "ours" if ruling.supplied else "")]


# ---- tables
def _render_comparison(comparison: Comparison) -> Iterator[Content]:
    marks = _list_marks(comparison.library)
    heads = [
        [source_chip(marks[side.source]), *([] if side.name == side.source else [f" {side.name}"])]
        for side in comparison.pair
    ]
    yield para(f"They differ on {len(comparison)} of {len(comparison.library.questions)} questions.")
    rows = [
        (
            [each.question.asks, " ", code(each.question.id)],
            *(
                color_suits(comparison.describe_answer(each.question, side, ruleset)) or side.status
                for side, ruleset in zip(each.sides, comparison.pair, strict=True)
            ),
        )
        for each in comparison.differences[:_MAX_ROWS]
    ]
    yield table("", ("Question", *heads), rows)
    yield from _tell_rest(len(comparison))


def _render_survey(one: Any) -> Iterator[Content]:
    order = one.order
    yield para(strong(f"{order.deals:,} random deals"), f", seed {order.seed}, {order.policy} players")
    rows = [_list_survey_row(row) for row in one.rows()]
    heads = ("Played by", "Settled by", "Settled", "Other result", "Not legal", "Counters moved, mean")
    yield table("", heads, rows, cls="rv-figures")


def _list_survey_row(row: Mapping[str, Any]) -> tuple[str, ...]:
    mean = "" if row["own"] or not row["settled"] else f"{row['moved'] / row['settled']:.2f}"
    counts = (row["settled"], row["changed"], row["forbidden"])
    return row["table"], row["rules"], *("" if n is None else f"{n:,}" for n in counts), mean


def _render_records(one: Records) -> Iterator[Content]:
    heads = [span(name, title=says) for name, says in one.columns.items()]
    rows = [list(map(_format_value, row)) for row in one.table[:_MAX_ROWS]]
    yield table(f"{one.name}: {len(one):,} rows", heads, rows, cls="rv-records")
    yield from _tell_rest(len(one))


def _format_value(value: RecordValue) -> str:
    words = "" if value is None else " | ".join(value) if isinstance(value, list) else str(value)
    return words if len(words) <= _MAX_VALUE_LENGTH else words[: _MAX_VALUE_LENGTH - 1] + "…"


def _tell_rest(count: int, where: str = "rows()") -> Iterator[Content]:
    if count > _MAX_ROWS:
        yield para(f"The first {_MAX_ROWS} of {count:,}; {where} has all of them.", cls="rv-soft")


#: Class of a record -> what renders it. By name, so that a survey's record is known without its extra.
_RENDERERS: Mapping[str, Callable[[Any], Iterable[Content]]] = {
    "Clause": _render_clause,
    "Comparison": _render_comparison,
    "Deal": _render_deal,
    "Library": _render_library,
    "Question": _render_question,
    "Records": _render_records,
    "Refused": _render_refused,
    "Ruleset": _render_ruleset,
    "Settled": _render_settled,
    "Source": _render_source,
    "SurveyRun": _render_survey,
    "Unanswered": _render_unanswered,
    "Worlds": _render_worlds,
}
