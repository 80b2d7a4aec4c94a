"""Rules in two minutes: the most important sentences of a source, at most twenty lines and a table.

Which questions they answer, and in which order, says `sources/telling.yaml`; a source that leaves most of them open
gets what it does say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.progress import describe_extent
from edition.nodes.builders import add_anchor, add_page_id, block, emphasis, heading, link, para, span
from edition.nodes.components import SourceMark, card_tile
from edition.views.common import QuotationView, build_quotation_view
from edition.views.layout import Nodes, build_page_section, join_content, render_extent_line
from edition.views.plain_answers import source_marks
from reversis.views.rules.card_payments import CardPaymentTable, card_payment_table, render_card_payments
from reversis.views.rules.rule_lines import render_legend, render_sentences, render_short_line
from reversis.views.rules.rule_writer import RuleSentence, RuleWriter, build_rule_writer
from rulebook.model import Clause
from rulebook.phrases import format_counters
from rulebook.sources.rule_sentences import ShortGroup

PAYMENTS_PLACE = "what-is-paid"  #: address on the page of the table of payments
_FEWEST_LINES = 12  #: a source that has fewer gets more of what it says
_QUINOLA_QUESTION = "quinola.card"


@dataclass(frozen=True, slots=True)
class ShortLine:
    """A line: one sentence or several, with the quotations on which they rest."""

    sentences: tuple[RuleSentence, ...]
    quotations: tuple[QuotationView, ...]


@dataclass(frozen=True, slots=True)
class CounterName:
    """A larger counter as the source spells it, what it is worth, and its term in the glossary."""

    name: str
    lang: str
    worth: str
    term: str


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


def short_rules_view(corpus: Corpus, siglum: str) -> ShortRules:
    """Rules of a source in two minutes."""
    writer, short = build_rule_writer(corpus, siglum), corpus.telling.two_minutes
    told = set(corpus.telling.left_out)
    aim = tuple(_write_sentences(writer, short.aim, told))
    factors = tuple(_write_sentences(writer, short.payments, told))
    chosen = [(one.title, tuple(_write_lines(writer, one, told))) for one in short.groups]
    if terse := _is_nearly_silent(line for _, lines in chosen for line in lines):
        chosen = [(title, tuple(_drop_assumptions(lines))) for title, lines in chosen]
    number = sum(len(lines) for _, lines in chosen)
    chosen.append(("What else it says" if number else "What it says", tuple(_write_more(writer, number, told))))
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
            yield CounterName(name, source.language, format_counters(number, source.unit), terms.get(name, ""))


_Line = tuple[RuleSentence, ...]


def _write_sentences(writer: RuleWriter, slugs: Iterable[str], told: set[str]) -> Iterator[RuleSentence]:
    """Write those of these questions that the source answers, each once."""
    for slug in slugs:
        if slug in writer.shown_questions and slug not in told:
            sentence = writer.told(writer.corpus.library.questions[slug])
            told.update(one.slug for one in sentence.questions)
            yield sentence


def _write_lines(writer: RuleWriter, group: ShortGroup, told: set[str]) -> Iterator[_Line]:
    yield from filter(None, (tuple(_write_sentences(writer, line, told)) for line in group.lines))


def _is_nearly_silent(lines: Iterable[_Line]) -> bool:
    """Test whether a source says nothing of half of the lines or more, so that they would be ours."""
    ours = [all(one.all_ours for one in line) for line in lines]
    return sum(ours) * 2 >= len(ours)


def _drop_assumptions(lines: Iterable[_Line]) -> Iterator[_Line]:
    yield from filter(None, (tuple(one for one in line if not one.all_ours) for line in lines))


def _write_more(writer: RuleWriter, number: int, told: set[str]) -> Iterator[_Line]:
    """Write more of what a source says, in the order of the full rules, until there are enough lines."""
    rules = (one for part in writer.parts() for one in part.told if not one.all_ours)
    wanted = _FEWEST_LINES - number
    for one in rules:
        if wanted > 0 and not told.intersection(each.slug for each in one.questions):
            wanted -= 1
            yield (one,)


def _build_line(corpus: Corpus, sentences: _Line) -> ShortLine:
    ids = dict.fromkeys(id for one in sentences for id in one.clauses)
    clauses = [corpus.library.clause(id) for id in ids]
    return ShortLine(sentences, tuple(_quote_once(corpus, clauses)))


def _quote_once(corpus: Corpus, clauses: Iterable[Clause]) -> Iterator[QuotationView]:
    """Quote each sentence once, however many clauses rest on it."""
    seen = set[str]()
    for clause in clauses:
        for cite in clause.cites:
            if cite.locus not in seen and cite.role != "against":
                seen.add(cite.locus)
                yield build_quotation_view(corpus, corpus.library.sources[clause.source], cite)


# --- on the page of a source --------------------------------------------------------------------------------


def render_short_rules(view: ShortRules) -> nodes.container:
    """Render the aim and the key to the marks, then the lines, and beside them what is paid."""
    lines = _render_groups(view, [render_short_line(view.source, one.sentences, one.quotations) for one in view.lines])
    legend = render_legend(numbers=True, partial=bool(view.partial))
    return block(*_render_aim(view), legend, *_render_counters(view), _render_lines(view, lines))


def _render_counters(view: ShortRules) -> Nodes:
    """Explain the words for larger counters, which are spelt as in the book."""
    named = (
        [link("term", one.term, word) if one.term else word, f" = {one.worth}"]
        for one in view.counters
        for word in (emphasis(one.name, lang=one.lang),)
    )
    said = join_content((span(*one) for one in named), "; ")
    return [para("Counters, spelt as in the book: ", *said, cls="rv-small rv-counters")] if said else []


def _render_lines(view: ShortRules, lines: Nodes) -> nodes.container:
    return block(block(*lines, cls="rv-short-lines"), _render_beside(view), cls="rv-short")


def _render_aim(view: ShortRules) -> Nodes:
    """Render the aim, and beside it the card that everything turns on; a card alone would say nothing."""
    if not view.aim:
        return []
    tile = [card_tile(view.card)] if view.card not in ("", "none") else []
    return [block(*tile, para(*render_sentences(view.aim), cls="rv-lede"), cls="rv-short-aim")]


def _render_groups(view: ShortRules, items: Sequence[nodes.list_item]) -> Nodes:
    """Render headings, each with its lines; their numbers run through."""
    made, at = Nodes(), 0
    if view.terse:
        who = "What was consulted of this book" if view.partial else "This book"
        made.append(para(f"{who} says little. On everything else the players must agree.", cls="rv-small"))
    for title, lines in view.groups:
        found = nodes.enumerated_list("", *items[at : at + len(lines)], enumtype="arabic", prefix="", suffix=".")
        if at:
            found["start"] = at + 1
        made += [heading(2, title, cls="rv-short-head"), found]
        at += len(lines)
    return made


def _render_beside(view: ShortRules) -> nodes.container:
    """Render the payments, and where they are more."""
    factors = [para(*render_sentences([one])) for one in view.factors] if view.payments.rows else []
    boxed = [block(*factors, cls="rv-short-factors")] if factors else []
    return add_page_id(block(*render_card_payments(view.payments), *boxed, cls="rv-short-beside"), PAYMENTS_PLACE)


# --- the card ---------------------------------------------------------------------------------------------------


def render_card(view: ShortRules) -> Nodes:
    """Render the card: the lines and the payments without evidence, for one sheet of paper."""
    siglum, title = view.source.siglum, f"Reversis in two minutes: {view.source.name}"
    items = [nodes.list_item("", para(*render_sentences(one.sentences), cls="rv-rule")) for one in view.lines]
    made = build_page_section(
        f"card-{siglum}",
        title,
        para(
            f"After {view.source.title.replace(view.source.name, view.source.within)}. Prints on one sheet of A4. ",
            link("howto", siglum, "Back to the rules"),
            cls="rv-card-lead",
        ),
        *render_extent_line(view.partial),
        block(cls="rv-card-print"),  # for the button of the script, which takes no place besides
        *_render_aim(view),
        render_legend(partial=bool(view.partial)),
        _render_lines(view, _render_groups(view, items)),
        cls="rv-rules-card",
    )
    return [add_anchor(made, "howto-card", siglum, title, at="")]
