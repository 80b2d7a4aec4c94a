"""The page of a source's rules: two minutes first, then every rule with its evidence.

Nothing here knows a source: the sentences come from `RuleWriter`, the choice from `sources/telling.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    block,
    bullet_list,
    code,
    details,
    heading,
    link,
    para,
    same_page_link,
    section,
    span,
)
from edition.nodes.components import source_chip
from edition.views.common import QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes, build_page_section, clause_ref, join_content, question_ref, render_extent
from reversis.views.rules.first_deal import FirstDeal, choose_first_deal, render_first_deal
from reversis.views.rules.rule_lines import render_legend, render_rule
from reversis.views.rules.rule_writer import RulesPart, build_rule_writer
from reversis.views.rules.seating import Seating, build_seatings, describe_seating, draw_seating
from reversis.views.rules.two_minutes import (
    PAYMENTS_PLACE,
    ShortRules,
    render_short_rules,
    short_rules_view,
)
from rulebook.answers.conditions import ruled_out
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.model import Cell
from rulebook.phrases import add_article, format_count, format_counters, pluralize_counter

_SECOND_UNIT_QUESTION = "units.second"  #: the question that tells what the larger counter is worth
_COUNTERS_SECTION = "counters"  #: the section that a list of the source's counters opens
_TABLE_SECTION = "table"  #: the section that ends with the table seen from above


# --- the view -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HowtoView:
    """The rules of one source, to play by."""

    source: SourceLink
    short: ShortRules
    unit: str  #: in which all sums are told
    counters: tuple[tuple[str, str], ...]  #: larger ones whose worth no rule tells
    tables: tuple[Seating, ...]
    parts: tuple[RulesPart, ...]
    open: tuple[tuple[str, tuple[tuple[QuestionLink, str], ...]], ...]  #: group -> questions with their clauses
    first: FirstDeal | None
    needless: tuple[int, int] = (0, 0)  #: unanswered, but not open: what cannot arise, and what play does not ask

    @property
    def assumed(self) -> int:
        """Number of the rules that are ours."""
        return sum(one.all_ours for part in self.parts for one in part.told)

    @property
    def own(self) -> int:
        """Number of the rules that rest on the source, if only in part."""
        return sum(len(part.told) for part in self.parts) - self.assumed


def howto_view(corpus: Corpus, siglum: str) -> HowtoView:
    """Rules of the game by one source."""
    source = corpus.library.sources[siglum]
    writer = build_rule_writer(corpus, siglum)
    answers = writer.answers
    return HowtoView(
        source_link(source),
        short_rules_view(corpus, siglum),
        pluralize_counter(source.unit),
        tuple(
            (name, format_counters(number, source.unit))
            for name, number in source.counters.items()
            if number not in (1, answers.get(_SECOND_UNIT_QUESTION))
        ),
        build_seatings(answers),
        tuple(writer.parts()),
        tuple(left_open(corpus, writer.cells)),
        choose_first_deal(corpus, source),
        count_needless_questions(corpus, writer.cells),
    )


_OpenPoints = Iterator[tuple[str, tuple[tuple[QuestionLink, str], ...]]]


def left_open(corpus: Corpus, cells: Mapping[str, Cell]) -> _OpenPoints:
    """Questions on which the players have to agree, nobody knowing an answer."""
    found: dict[str, list[tuple[QuestionLink, str]]] = {}
    for slug, arises in _list_unanswered(corpus, cells).items():
        if arises and slug not in corpus.telling.left_out:
            question = corpus.library.questions[slug]
            found.setdefault(question.group, []).append((question_link(question), cells[slug].clauses[0].id))
    yield from ((group, tuple(rows)) for group, rows in found.items())


def count_needless_questions(corpus: Corpus, cells: Mapping[str, Cell]) -> tuple[int, int]:
    """Count unanswered questions that leave nothing open: those that cannot arise, and those of which play has none."""
    unanswered, left_out = _list_unanswered(corpus, cells), corpus.telling.left_out
    needless = [slug for slug, arises in unanswered.items() if not arises and slug not in left_out]
    return len(needless), len([slug for slug in unanswered if slug in left_out])


def _list_unanswered(corpus: Corpus, cells: Mapping[str, Cell]) -> Mapping[str, bool]:
    """Questions to which nobody knows an answer -> whether they can arise, by the answers to the others."""
    asked, answers = corpus.library.questions, {slug: one.value for slug, one in cells.items() if one.value is not None}
    unsaid = (slug for slug, one in cells.items() if one.value is None and one.status in ("silent", "not-collated"))
    return {slug: not ruled_out(slug, asked, answers, answers) for slug in unsaid}


# --- the page ---------------------------------------------------------------------------------------------------


def render_howto(view: HowtoView) -> Nodes:
    """Render the rules in two minutes, a first deal, every rule, and the open points."""
    siglum = view.source.siglum
    title = f"Rules in two minutes: {view.short.source.name}"
    made = build_page_section(
        f"howto-{siglum}",
        title,
        *_render_head(view),
        render_short_rules(view.short),
        *render_first_deal(view.first, _render_play_command(siglum)),
        _render_full_rules(view),
        *_render_open_points(view),
        cls="rv-howto",
    )
    return [add_anchor(made, "howto", siglum, title, at="")]


def _render_play_command(siglum: str) -> nodes.paragraph:
    command = code(f"reversis play --source {siglum}")
    return para("To play by these rules with three players of the program, in a terminal: ", command, ".")


def render_rules_chapter(view: HowtoView) -> Nodes:
    """Render every rule, a first deal and the open points, for a book: it has nothing to unfold."""
    parts = (_render_rules_part(view, part, folded=False) for part in view.parts)
    legend = render_legend(partial=bool(view.short.partial))
    return [legend, *parts, *render_first_deal(view.first), *_render_open_points(view)]


def _render_head(view: HowtoView) -> Nodes:
    siglum = view.source.siglum
    ways: list[Content] = [
        same_page_link("full", "Full rules", cls="rv-button"),
        link("howto-card", siglum, "Print card", title="One sheet of A4", cls="rv-button"),
    ]
    if view.short.payments.rows:  # beside the rules on a wide screen, far below them on a telephone
        ways.insert(0, same_page_link(PAYMENTS_PLACE, "Payments", cls="rv-button rv-narrow-only"))
    ways_on = para(*join_content(ways, " "), cls="rv-ways-on")
    named = para(source_chip(view.short.source), *render_extent(view.short.partial))
    return [block(named, ways_on, cls="rv-howto-head")]


def _render_full_rules(view: HowtoView) -> nodes.section:
    lead = para(
        f"{format_count(view.own, 'rule')} of ",
        link("source", view.source.siglum, view.source.title),
        ", in our words",
        f", and {_count_assumed_rules(view)}" if view.assumed else "",
        ". The number after a rule unfolds what it rests on.",
    )
    ways = join_content((same_page_link(part.id, part.title) for part in view.parts), " ")
    parts = (_render_rules_part(view, part) for part in view.parts)
    title = f"Full rules: {view.short.source.name}"
    made = section("full", title, lead, para(*ways, cls="rv-small rv-ways-down"), *parts, cls="rv-full-rules")
    return add_anchor(made, "howto-full", view.source.siglum, title, at="full")


def _count_assumed_rules(view: HowtoView) -> str:
    """Count the rules that are ours: 82 that we assume where it is silent."""
    why = f", since they are {NOT_CONSULTED}" if view.short.partial else " where it is silent"
    return f"{view.assumed} that we assume{why} (each marked “our assumption”)"


def _render_rules_part(view: HowtoView, part: RulesPart, folded: bool = True) -> nodes.section:
    before = [_render_counters_note(view)] if part.id == _COUNTERS_SECTION else []
    after: Nodes = [render_seating(one) for one in view.tables] if part.id == _TABLE_SECTION else []
    if folded:
        after.append(para(link("group", part.topic, "All books on this"), cls="rv-small rv-group-link"))
    rules = nodes.bullet_list(bullet="*", classes=["rv-rules"])
    rules += [nodes.list_item("", *render_rule(one, folded)) for one in part.told]
    return section(part.id, part.title, *before, rules, *after)


def _render_counters_note(view: HowtoView) -> nodes.paragraph:
    larger = [f"{add_article(name)} is worth {worth}." for name, worth in view.counters]
    sentences = (f" {said[:1].upper()}{said[1:]}" for said in larger)
    return para(f"All sums are in {view.unit}, the smallest counter.", *sentences)


def render_seating(one: Seating) -> nodes.container:
    """Seating plan as a picture, and in words with the same content."""
    return block(
        nodes.raw("", draw_seating(one), format="html"), para(describe_seating(one), cls="rv-small"), cls="rv-seated"
    )


def _render_open_points(view: HowtoView) -> Nodes:
    if not view.open:
        return []
    number = sum(len(rows) for _, rows in view.open)
    lists = [
        block(
            heading(3, group),
            bullet_list(
                [
                    question_ref(one),
                    f" {one.asks} ",
                    span(clause_ref(clause)),
                ]
                for one, clause in rows
            ),
        )
        for group, rows in view.open
    ]
    folded = block(details(format_count(number, "point"), *lists), cls="rv-words")
    return [section("open", "What the source leaves open", para(_introduce_open_points(view)), folded)]


def _introduce_open_points(view: HowtoView) -> str:
    """Say what leaving open means, and which unanswered questions are not listed."""
    unsaid = f"These points are {NOT_CONSULTED}" if view.short.partial else "On these points the source says nothing"
    said = f"{unsaid}, and nothing is supplied: either the game can be played without, or the players must agree."
    never, beside = view.needless
    kinds = [f"{never} that cannot arise by the rules above"] if never else []
    kinds += [f"{beside} about words or customs, not about play"] if beside else []
    if not kinds:
        return said
    unlisted = format_count(never + beside, "question")
    return f"{said} Not listed here: {unlisted} without an answer, {' and '.join(kinds)}."
