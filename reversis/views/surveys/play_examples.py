"""A decision in which two rulesets part: the hand, the table, the card by either, and what both are worth."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import card_sign
from edition.nodes.components import answer_with_status
from edition.text.answers import find_answer_status
from edition.views import plain_answers
from edition.views.common import QuestionLink, question_link
from lab.survey.variants import VARIANT_QUESTION, VARIANT_SOURCE, SurveyVariant
from reversis.files import play_effects
from reversis.views.deals.separations import format_hand, list_trick_lines
from reversis.views.page_template import page_renderer
from rulebook.model import Question
from rulebook.phrases import pluralize_counter

#: Question by which the two rulesets part, both answers in plain words, and their statuses: "ours" is our assumption.
DecidingRule: TypeAlias = tuple[QuestionLink, str, str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ExampleView:
    """One decision as a reader sees it."""

    where: str  #: the player, the trick and the deal
    hand: str
    row: tuple[tuple[str, str], ...]  #: who has played which card to the trick
    tricks: tuple[str, ...]  #: those before it
    names: tuple[str, str]  #: of both rulesets
    cards: tuple[str, str]
    worth: tuple[str, str]
    believed: tuple[str, str]
    loss: str
    gain: str
    rules: tuple[DecidingRule, ...]
    because: str  #: of a whole book: the answers that lead to the same card by themselves are listed in *rules*
    later: str  #: why a rule of the deal or the first trick still tells on a later one
    address: str  #: of the deal in the editor, relative to the root of the site
    command: str


def example_view(
    corpus: Corpus,
    table: play_effects.StoredEffectTable,
    effect: play_effects.StoredEffect,
    variants: Sequence[SurveyVariant],
) -> ExampleView:
    """One decision in words."""
    example, unit = effect.example, pluralize_counter(table.unit)
    assert example is not None
    deal, (before, played) = example.deal, divmod(example.step, len(example.deal.seats))
    row = [card for card in deal.tricks[before][:played]]
    past = {card for trick in deal.tricks[:before] for card in trick}
    seat = deal.seats.index(example.player)
    rules = tuple(_list_deciding_rules(corpus, table, effect, variants))
    return ExampleView(
        f"Deal {example.number}, trick {before + 1}: {example.player.capitalize()} is to play.",
        format_hand(card for card in deal.hands[seat] if card not in past),
        tuple((deal.seats[deal.holder(card) or 0].capitalize(), format_hand([card])) for card in row),
        tuple(list_trick_lines(deal, before)),
        (plain_answers.source_marks(corpus)[effect.table].within, _name_other(corpus, variants[0])),
        example.cards,
        _format_pair(example.worth),
        _format_pair(example.believed),
        f"{_format_interval(example.loss.low, example.loss.high)} {unit}",
        f"{_format_interval(example.gain.low, example.gain.high)} {unit}",
        rules,
        _explain_whole(variants[0], rules),
        _explain_later(corpus, variants[0], before),
        f"try.html{_pack_deal(example, effect)}",
        f"python -m proofs.regret --show {play_effects.name_example_deal(effect.table, example.number)}"
        f" | reversis run - --source {effect.table}{_format_wishes(effect)}",
    )


def _name_other(corpus: Corpus, variant: SurveyVariant) -> str:
    if variant.alternative:
        return variant.alternative
    mark = plain_answers.source_marks(corpus).get(variant.source)
    name = mark.within if mark else variant.source
    return name if variant.kind == VARIANT_SOURCE else f"the answer of {name}"


def _format_pair(values: tuple[float, float]) -> tuple[str, str]:
    first, second = (f"{value:+.1f}".replace("-", "\N{MINUS SIGN}") for value in values)
    return first, second


def _format_interval(low: float, high: float) -> str:
    places = 1 if low >= 1 else 2
    return f"{low:.{places}f} to {high:.{places}f}"


def _format_wishes(effect: play_effects.StoredEffect) -> str:
    source, *wishes = effect.rules.split(" + ")
    return "".join(f" --with {wish}" for wish in wishes) if wishes else f" --source {source}"


# ---- why
def _list_deciding_rules(
    corpus: Corpus,
    table: play_effects.StoredEffectTable,
    effect: play_effects.StoredEffect,
    variants: Sequence[SurveyVariant],
) -> Iterator[DecidingRule]:
    """Yield the questions by which the rulesets part; of a whole book those that lead to the same card alone."""
    first, asked = variants[0], corpus.library.questions
    if first.kind == VARIANT_SOURCE:
        alike = (
            each
            for each in table.effects
            if each is not effect
            and (bool(each.example and effect.example) and _key(each.example) == _key(effect.example))
        )
        named = (play_effects.parse_variant_name(name, corpus.library.sources) for each in alike for name in each.names)
        slugs = {each.questions[0] for each in named if each.kind == VARIANT_QUESTION and each.source == first.source}
        for slug in (slug for slug in asked if slug in slugs):
            yield _compare_answers(corpus, asked[slug], effect.table, first.source)
    for slug in (slug for slug in first.questions if slug in asked):
        if first.alternative:
            yield _compare_with_reading(corpus, asked[slug], effect.table, first.alternative)
        else:
            yield _compare_answers(corpus, asked[slug], effect.table, first.source)


def _key(example: play_effects.StoredExample | None) -> tuple[object, ...]:
    return (example.number, example.step, example.cards) if example else ()


def _compare_answers(corpus: Corpus, question: Question, table: str, giver: str) -> DecidingRule:
    own, other = (plain_answers.describe_answer_plainly(corpus, question, siglum) for siglum in (table, giver))
    statuses = _find_status(corpus, question, table), _find_status(corpus, question, giver)
    return question_link(question), own or "no answer", other or "no answer", statuses


def _find_status(corpus: Corpus, question: Question, siglum: str) -> str:
    cell = corpus.cell(siglum, question.slug)
    return find_answer_status(cell) if cell and cell.value is not None else ""


def _compare_with_reading(corpus: Corpus, question: Question, table: str, id: str) -> DecidingRule:
    reading = next(alternative for _, alternative in corpus.alternatives_on[question.slug] if alternative.id == id)
    value, source = reading.answers[question.slug], corpus.library.sources[table]
    other = plain_answers.format_printed_answer(question, value, source, corpus.library)
    own = plain_answers.describe_answer_plainly(corpus, question, table)
    return question_link(question), own or "no answer", other, (_find_status(corpus, question, table), "")


#: Questions of the play that are settled once the first card lies.
_FIRST_TRICK = frozenset({"play.first-leader", "play.first-lead"})
_DEAL_RULE = "deal"  #: what a question affects that is settled before the play
_LATER = (
    "The rule is about what comes before this trick. But whoever believes the other answer leaves out those of the "
    "tried worlds in which it would have forbidden the cards played so far, and so expects other cards in the other "
    "hands. What is lost is the price of that wrong guess: the book itself lets the others play so."
)


def _explain_later(corpus: Corpus, first: SurveyVariant, before: int) -> str:
    """Explain why a rule about the deal or the first trick tells on a later one; empty where nothing is to explain."""
    asked = corpus.library.questions
    past = (slug in _FIRST_TRICK or asked[slug].affects == _DEAL_RULE for slug in first.questions if slug in asked)
    return _LATER if before and first.questions and all(past) else ""


def _explain_whole(first: SurveyVariant, rules: Sequence[DecidingRule]) -> str:
    if first.kind != VARIANT_SOURCE:
        return ""
    return (
        "A whole book stands against another here. Alone, these answers of it lead to the same card:"
        if rules
        else "A whole book stands against another here; no single answer of it was found to lead to this card alone."
    )


# ---- the deal
def _pack_deal(example: play_effects.StoredExample, effect: play_effects.StoredEffect) -> str:
    """Fragment by which the editor opens the deal, with both rulesets where that is possible, and marks the card."""
    base, *wishes = effect.rules.split(" + ")
    sources = list(dict.fromkeys((effect.table, base)))
    whole = {"record": example.record, "sources": sources, "wishes": wishes, "card": example.cards[0]}
    letters = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    return f"#deal=j.{urlsafe_b64encode(letters).decode().rstrip('=')}"


# ---- layout
_render = page_renderer("play-example", answer=answer_with_status, card_sign=card_sign)


def render_example(view: ExampleView, up: str, key: str = "") -> nodes.Node:
    """Render one decision; *up* leads from the page to the root of the site.

    Under a key it is fetched when it is opened, for a page that has many.
    """
    (example,) = _render((view, up, key))
    return example
