"""One set of rules for all sources: what they agree on as the text, and in the margin what each has otherwise.

The sentences are those of the rule pages, with one word for each thing; a rule that a single source words, or one
group of sources, has the terms of that source if its words are the same throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from docutils import nodes

from edition.book.nodes import build_beside, build_book_chapter
from edition.corpus.corpus import Corpus
from edition.nodes import builders
from edition.views.common import QuestionLink, question_link
from edition.views.layout import join_content
from reversis.views.rules.rule_lines import render_pieces
from reversis.views.rules.rule_writer import RuleWriter, build_rule_writer
from rulebook.model import FrozenMap, Question
from rulebook.phrases import Pieces, flatten_pieces
from rulebook.strings import slugify_text

_MAX_BESIDE = 4  #: so many variants stand in the margin; more stand below each other in the text


@dataclass(frozen=True, slots=True)
class RuleVariant:
    """A rule in the words that hold for some sources."""

    said: Pieces
    sigla: tuple[str, ...]
    supplied: frozenset[str]  #: those of them for which we supply it


@dataclass(frozen=True, slots=True)
class CollatedRule:
    """A point of rule with every variant, in the order of the sources."""

    question: QuestionLink
    variants: tuple[RuleVariant, ...]


@dataclass(frozen=True, slots=True)
class _Voice:
    """The rules of a source in its own words, and in those that all share."""

    own: RuleWriter
    common: RuleWriter

    def speak(self, question: Question) -> tuple[Pieces, Pieces, tuple[Question, ...]]:
        """The rule in both wordings, and every question that it answers."""
        common, asked = self.common.said(question, self.common.answers)
        own, _ = self.own.said(question, self.own.answers)
        value = self.own.answers[question.slug]
        return own or self.own.by_gloss(question, value), common or self.common.by_gloss(question, value), asked


def collate_rules(corpus: Corpus) -> Iterator[tuple[str, tuple[CollatedRule, ...]]]:
    """The rules of all sources, under the headings of the rule pages."""
    voices = {siglum: _build_voice(corpus, siglum) for siglum in corpus.library.sources}
    covered = {siglum: set(corpus.telling.left_out) for siglum in voices}
    headed = [(section.title, [*section.rules], section) for section in corpus.telling.sections]
    for title, slugs, part in (*headed, ("Other rules", list(corpus.library.questions), None)):
        known = [voice for voice in voices.values() if not part or part in voice.own.shown_sections]
        rules = (_collate_rule(corpus.library.questions[slug], voices, covered) for slug in slugs if known)
        if collated := tuple(rule for rule in rules if rule.variants):
            yield known[0].common.title(title), collated


def _build_voice(corpus: Corpus, siglum: str) -> _Voice:
    own = build_rule_writer(corpus, siglum)
    nobody = replace(own.speaker.source, siglum="", record=FrozenMap())  # it has neither terms nor counters of its own
    return _Voice(own, replace(own, speaker=replace(own.speaker, source=nobody)))


def _collate_rule(question: Question, voices: Mapping[str, _Voice], covered: Mapping[str, set[str]]) -> CollatedRule:
    """Group the sources by what they say; each says a thing once."""
    groups: dict[str, list[tuple[str, Pieces, Pieces, bool]]] = {}
    for siglum, voice in voices.items():
        if question.slug in voice.own.answers and question.slug not in covered[siglum]:
            own, common, asked = voice.speak(question)
            covered[siglum].update(asked_question.slug for asked_question in asked)
            ours = all(voice.own.cells[asked_question.slug].supplied for asked_question in asked)
            groups.setdefault(flatten_pieces(common), []).append((siglum, own, common, ours))
    return CollatedRule(question_link(question), tuple(map(_build_variant, groups.values())))


def _build_variant(wordings: list[tuple[str, Pieces, Pieces, bool]]) -> RuleVariant:
    alike = len({flatten_pieces(own) for _, own, _, _ in wordings}) == 1
    pieces = wordings[0][1] if alike else wordings[0][2]
    return RuleVariant(
        pieces, tuple(wording[0] for wording in wordings), frozenset(wording[0] for wording in wordings if wording[3])
    )


# --- the chapter ------------------------------------------------------------------------------------


def build_rules_chapter(corpus: Corpus) -> Iterator[nodes.section]:
    """The rules as a chapter; nothing where nothing is answered."""
    everyone = tuple(corpus.library.sources)
    content = [
        builders.section(f"rules-{slugify_text(title)}", title, *_render_rules(rules, everyone))
        for title, rules in collate_rules(corpus)
    ]
    if content:
        yield build_book_chapter(
            "rules", "The rules, and where the books differ", builders.para(*_INTRODUCTION), *content
        )


_INTRODUCTION: tuple[str, ...] = (
    "The text gives what the books agree on; one that says nothing on a point does not count. Where they differ "
    "the text asks the question, and the margin has the answer of each book. Capitals name the books of which a "
    "rule holds; without them it holds of all. In brackets stands a book that is silent, and for which we supply "
    "the rule. Each number leads to the evidence.",
)


def _render_rules(rules: Iterable[CollatedRule], everyone: tuple[str, ...]) -> Iterator[nodes.Node]:
    """Rules in their order; those without variants that follow each other are one paragraph."""
    agreed: list[list[builders.Content]] = []
    for rule in rules:
        if len(rule.variants) == 1:
            agreed.append([*_render_variant(rule.variants[0], everyone), " ", _render_number(rule)])
            continue
        if agreed:
            yield builders.para(*join_content((builders.span(*content) for content in agreed), " "), cls="bk-agreed")
            agreed = []
        asked = builders.para(builders.emphasis(rule.question.asks), " ", _render_number(rule))
        variants = [builders.para(*_render_variant(variant, ()), cls="bk-hang") for variant in rule.variants]
        yield from [build_beside(asked, *variants)] if len(variants) <= _MAX_BESIDE else [asked, *variants]
    if agreed:
        yield builders.para(*join_content((builders.span(*content) for content in agreed), " "), cls="bk-agreed")


def _render_number(rule: CollatedRule) -> nodes.Node:
    return builders.span(builders.link("question", rule.question.id, rule.question.id), cls="rv-id")


def _render_variant(variant: RuleVariant, everyone: tuple[str, ...]) -> list[builders.Content]:
    """A rule with the sources of which it holds, unless they are all."""
    if variant.sigla == everyone and not variant.supplied:
        return render_pieces(variant.said)
    return [*format_sigla(variant.sigla, variant.supplied), " ", *render_pieces(variant.said)]


def format_sigla(sigla: Iterable[str], supplied: Iterable[str] = ()) -> list[builders.Content]:
    """Sources by their sigla; in brackets where we speak for them."""
    names = (f"({siglum})" if siglum in supplied else siglum for siglum in sigla)
    return [builders.span(" ".join(names), cls="rv-siglum")]
