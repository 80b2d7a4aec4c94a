"""Rules in two minutes: the most important sentences of a source, at most twenty lines and a table.

Which questions they answer, and in which order, says `sources/telling.yaml`; a source that leaves most of them open
gets what it does say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.corpus.progress import describe_extent
from edition.nodes.builders import suit_sign
from edition.nodes.components import SourceMark, card_tile
from edition.views.common import QuotationView, build_quotation_view
from edition.views.layout import render_extent_line
from edition.views.plain_answers import source_marks
from reversis.views.page_template import page_renderer
from reversis.views.rules.card_payments import CardPaymentTable, card_payment_table
from reversis.views.rules.rule_lines import RULE_COMPONENTS
from reversis.views.rules.rule_writer import RuleSentence, RuleWriter, build_rule_writer
from rulebook.model import Clause
from rulebook.phrases import format_counters

_FEWEST_LINES = 12  #: a source that has fewer gets more of what it says
_QUINOLA_QUESTION = "quinola.card"


#: A line: one sentence or several, with the quotations on which they rest.
ShortLine: TypeAlias = tuple[tuple[RuleSentence, ...], tuple[QuotationView, ...]]
CounterName: TypeAlias = tuple[str, str, str, str]  #: larger counter as the source spells it, language, worth and term


@dataclass(frozen=True, slots=True)
class ShortRules:
    """The rules of one source in two minutes."""

    source: SourceMark
    aim: tuple[RuleSentence, ...]
    card: str  #: the card that everything turns on; empty where the source names none
    terse: bool  #: it leaves so much open that nobody can play by it alone
    groups: tuple[tuple[str, tuple[ShortLine, ...]], ...]
    payments: CardPaymentTable
    factors: tuple[RuleSentence, ...]  #: under the table: where payments are more
    counters: tuple[CounterName, ...]  #: larger counters, by the source's own words
    partial: str = ""  #: how little of a source was consulted

    @property
    def lines(self) -> tuple[ShortLine, ...]:
        """All lines, in order."""
        return tuple(line for _, lines in self.groups for line in lines)


# --- the view ------------------------------------------------------------------------------------------


@cached_on_corpus
def short_rules_view(corpus: Corpus, siglum: str) -> ShortRules:
    """Rules of a source in two minutes."""
    writer, short = build_rule_writer(corpus, siglum), corpus.telling.two_minutes
    covered = set(corpus.telling.left_out)
    aim = tuple(_write_sentences(writer, short.aim, covered))
    factors = tuple(_write_sentences(writer, short.payments, covered))
    chosen = [
        (group.title, tuple(filter(None, (tuple(_write_sentences(writer, line, covered)) for line in group.lines))))
        for group in short.groups
    ]
    if terse := _is_nearly_silent(line for _, lines in chosen for line in lines):
        chosen = [
            (
                title,
                tuple(filter(None, (tuple(sentence for sentence in line if not sentence.all_ours) for line in lines))),
            )
            for title, lines in chosen
        ]
    number = sum(len(lines) for _, lines in chosen)
    chosen.append(("What else it says" if number else "What it says", tuple(_write_more(writer, number, covered))))
    groups = (
        (writer.title(title), tuple(_build_line(corpus, line) for line in lines)) for title, lines in chosen if lines
    )
    card = str(writer.answers.get(_QUINOLA_QUESTION, ""))
    payments = card_payment_table(corpus, siglum, writer)
    counters = tuple(_name_counters(corpus, siglum))
    mark, partial = source_marks(corpus)[siglum], describe_extent(corpus.library.sources[siglum])
    return ShortRules(mark, aim, card, terse, tuple(groups), payments, factors, counters, partial)


def _name_counters(corpus: Corpus, siglum: str) -> Iterator[CounterName]:
    source = corpus.library.sources[siglum]
    terms = {form: term.id for term in corpus.terms for form in (term.term, *term.forms)}
    for name, number in source.counters.items():
        if number != 1:
            yield name, source.language, format_counters(number, source.unit), terms.get(name, "")


_Line = tuple[RuleSentence, ...]


def _write_sentences(writer: RuleWriter, slugs: Iterable[str], covered: set[str]) -> Iterator[RuleSentence]:
    """Write those of these questions that the source answers, each once."""
    for slug in slugs:
        if slug in writer.shown_questions and slug not in covered:
            sentence = writer.told(writer.corpus.library.questions[slug])
            covered.update(question.slug for question in sentence.questions)
            yield sentence


def _is_nearly_silent(lines: Iterable[_Line]) -> bool:
    """Test whether a source says nothing of half of the lines or more, so that they would be ours."""
    ours = [all(sentence.all_ours for sentence in line) for line in lines]
    return sum(ours) * 2 >= len(ours)


def _write_more(writer: RuleWriter, number: int, covered: set[str]) -> Iterator[_Line]:
    """Write more of what a source says, in the order of the full rules, until there are enough lines."""
    rules = (sentence for part in writer.parts() for sentence in part.told if not sentence.all_ours)
    wanted = _FEWEST_LINES - number
    for rule in rules:
        if wanted > 0 and not covered.intersection(each.slug for each in rule.questions):
            wanted -= 1
            yield (rule,)


def _build_line(corpus: Corpus, sentences: _Line) -> ShortLine:
    ids = dict.fromkeys(id for sentence in sentences for id in sentence.clauses)
    clauses = [corpus.library.clause(id) for id in ids]
    return sentences, tuple(_quote_once(corpus, clauses))


def _quote_once(corpus: Corpus, clauses: Iterable[Clause]) -> Iterator[QuotationView]:
    """Quote each sentence once, however many clauses rest on it."""
    seen = set[str]()
    for clause in clauses:
        for cite in clause.cites:
            if cite.locus not in seen and cite.role != "against":
                seen.add(cite.locus)
                yield build_quotation_view(corpus, corpus.library.sources[clause.source], cite)


SHORT_RULES_COMPONENTS = {
    **RULE_COMPONENTS,
    "card_tile": card_tile,
    "extent_line": render_extent_line,
    "suit_sign": suit_sign,
}
render_card = page_renderer("howto-card", **SHORT_RULES_COMPONENTS)
