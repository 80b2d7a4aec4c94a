"""Rules of one source in the order players need them, each with its evidence.

Nothing here knows a source. What is said comes from its answers and from the sentences of `sources/telling.yaml`; an
answer that has no sentence is told by its question and its gloss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    block,
    bullet_list,
    card_sign,
    details,
    emphasis,
    heading,
    link,
    para,
    section,
    span,
)
from edition.text import answers as words
from edition.views.common import QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import (
    Nodes,
    build_page_section,
    cell_ref,
    clause_ref,
    join_content,
    question_ref,
    render_badge,
)
from edition.views.rules.first_deal import FirstDeal, choose_first_deal, render_first_deal
from edition.views.rules.rule_phrases import AnswerPhraser, PhrasePiece, Pieces, add_article, flatten_pieces
from edition.views.rules.seating import Seating, build_seatings, describe_seating, draw_seating
from rulebook.answers.conditions import dereference_answer, is_question_applicable, ruled_out
from rulebook.answers.values import format_canonical
from rulebook.model import Alternative, Cell, Like, Question, Value
from rulebook.sources.rule_sentences import ANSWER, GAP_PATTERN, RuleSentences, Section
from rulebook.strings import single_spaced

_AnswerValues = Mapping[str, Value]

_SECOND_UNIT_QUESTION = "units.second"  #: the question that tells what the larger counter is worth
_COUNTERS_SECTION = "counters"  #: the section that a list of the source's counters opens
_TABLE_SECTION = "table"  #: the section that ends with the table seen from above
_LONG_ANSWER_TYPES = frozenset({"shapes"})  #: kinds of answers of which every alternative repeats nearly all


# --- what a page says -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AlternativeRule:
    """Another way to play or to read; without a sentence where it reads the same."""

    id: str
    kind: str  #: option | interpretation
    label: str
    said: Pieces


@dataclass(frozen=True, slots=True)
class SuppliedAnswer:
    """An answer that we supply, and its basis."""

    question: QuestionLink
    clause: str
    taken_from: str


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """A rule as a sentence, with the questions it answers and all it rests on."""

    questions: tuple[QuestionLink, ...]
    said: Pieces
    places: tuple[tuple[str, str], ...]  #: sentence or statement, and the last of a range
    clauses: tuple[str, ...]
    ours: tuple[SuppliedAnswer, ...]
    implied: tuple[QuestionLink, ...]  #: those whose answer the source does not state, but implies
    others: tuple[AlternativeRule, ...]
    worded: bool  #: whether there is a sentence for it; else it is told by its question

    @property
    def all_ours(self) -> bool:
        """Test whether the source says nothing of it."""
        return {one.question for one in self.ours} == {*self.questions}


@dataclass(frozen=True, slots=True)
class RulesPart:
    """Rules under one heading."""

    id: str
    title: str
    told: tuple[RuleSentence, ...]


@dataclass(frozen=True, slots=True)
class HowtoView:
    """The rules of one source, to play by."""

    source: SourceLink
    unit: str  #: in which all sums are told
    counters: tuple[tuple[str, str], ...]  #: larger ones whose worth no rule tells
    tables: tuple[Seating, ...]
    parts: tuple[RulesPart, ...]
    open: tuple[tuple[str, tuple[tuple[QuestionLink, str], ...]], ...]  #: group -> questions with their clauses
    first: FirstDeal | None


def howto_view(corpus: Corpus, siglum: str) -> HowtoView:
    """Rules of the game by one source."""
    source = corpus.library.sources[siglum]
    cells = {slug: cell for slug in corpus.library.questions if (cell := corpus.cell(siglum, slug))}
    answers = {slug: cell.value for slug, cell in cells.items() if cell.value is not None}
    teller = RuleWriter(AnswerPhraser(corpus, source), cells, answers)
    return HowtoView(
        source_link(source),
        words.pluralize_counter(source.unit),
        tuple(
            (name, words.format_counters(number, source.unit))
            for name, number in source.counters.items()
            if number not in (1, answers.get(_SECOND_UNIT_QUESTION))
        ),
        build_seatings(answers),
        tuple(teller.parts()),
        tuple(left_open(corpus, cells)),
        choose_first_deal(corpus, source),
    )


def left_open(corpus: Corpus, cells: Mapping[str, Cell]) -> Iterator[tuple[str, tuple[tuple[QuestionLink, str], ...]]]:
    """Questions on which the players have to agree, nobody knowing an answer."""
    found: dict[str, list[tuple[QuestionLink, str]]] = {}
    answers = {slug: cell.value for slug, cell in cells.items() if cell.value is not None}
    for slug, cell in cells.items():
        question = corpus.library.questions[slug]
        unsaid = (
            cell.value is None and cell.status in ("silent", "not-collated") and slug not in corpus.telling.left_out
        )
        if unsaid and not ruled_out(slug, corpus.library.questions, answers, answers):
            found.setdefault(question.group, []).append((question_link(question), cell.clauses[0].id))
    yield from ((group, tuple(rows)) for group, rows in found.items())


# --- telling the rules ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleWriter:
    """Writer of one source's answers as rules, each answer once."""

    speaker: AnswerPhraser
    cells: Mapping[str, Cell]
    answers: _AnswerValues

    @property
    def corpus(self) -> Corpus:
        """The corpus of the speaker."""
        return self.speaker.corpus

    def parts(self) -> Iterator[RulesPart]:
        """The headings in order; at the end what none of them contains."""
        told = set(self.corpus.telling.left_out)
        for one in self.corpus.telling.sections:
            if is_question_applicable(one.needs, self.answers):
                yield from self.part(one.id, self.title(one), (rule.question for rule in one.rules), told)
        yield from self.part("besides", "Besides", tuple(self.corpus.library.questions), told)

    def part(self, id: str, title: str, slugs: Iterable[str], told: set[str]) -> Iterator[RulesPart]:
        """Rules under one heading; nothing where there are none."""
        found: list[RuleSentence] = []
        for slug in slugs:
            if slug in self.answers and slug not in told:
                found.append(self.told(self.corpus.library.questions[slug]))
                told.update(one.slug for one in found[-1].questions)
        if found:
            yield RulesPart(id, title, tuple(found))

    def title(self, one: Section) -> str:
        """A heading in the source's own words."""
        return flatten_pieces(self.speaker.sentence_part(one.title))

    def told(self, question: Question) -> RuleSentence:
        """One rule, with everything that it rests on."""
        said, asked = self.said(question, self.answers)
        cells = [self.cells[one.slug] for one in asked]
        clauses = {clause.id: clause for cell in cells for clause in cell.clauses}
        grounds = (cite for clause in clauses.values() for cite in clause.cites if cite.role != "against")
        return RuleSentence(
            tuple(map(question_link, asked)),
            said or self.by_gloss(question, self.answers[question.slug]),
            tuple(dict.fromkeys((cite.locus, cite.to) for cite in grounds)),
            tuple(clauses),
            tuple(self.ours(asked)),
            tuple(question_link(one) for one, cell in zip(asked, cells, strict=True) if cell.status == "implied"),
            tuple(self.others(asked, flatten_pieces(said or ()))),
            said is not None,
        )

    def ours(self, asked: Iterable[Question]) -> Iterator[SuppliedAnswer]:
        """The supplied answers among these, and those that one of these points to ("as for an ace thrown off")."""
        found = dict.fromkeys(slug for one in asked for slug in self.pointed(one.slug) if self.cells[slug].supplied)
        for slug in found:
            clause = self.cells[slug].clauses[0]
            ground = words.describe_supply_ground(clause.taken_from) if clause.taken_from else ""
            yield SuppliedAnswer(question_link(self.corpus.library.questions[slug]), clause.id, ground)

    def pointed(self, slug: str) -> Iterator[str]:
        """A question, the one that its answer points to, and so on; not those behind an answer that is ours itself."""
        yield slug
        value = self.answers.get(slug)
        if isinstance(value, Like) and not self.cells[slug].supplied and value.question in self.cells:
            yield from self.pointed(value.question)

    def said(self, question: Question, answers: _AnswerValues) -> tuple[Pieces | None, tuple[Question, ...]]:
        """The sentence for an answer, and every question that it tells."""
        template = self.template(question, answers)
        said = self.speaker.sentence(template, question, answers) if template else None
        if said is None:
            return None, (question,)
        names = [name for name in GAP_PATTERN.findall(template) if name not in (ANSWER, *self.corpus.telling.names)]
        asked = dict.fromkeys((question.slug, *(self.corpus.library.question(name).slug for name in names)))
        questions = tuple(self.corpus.library.questions[slug] for slug in asked)
        return self.said_alike(question, questions, answers) or said, questions

    def said_alike(self, question: Question, asked: Iterable[Question], answers: _AnswerValues) -> Pieces | None:
        """The shorter sentence for the case that several answers come to the same."""
        rule = self.corpus.telling.rules[question.slug]
        phrases = {self.speaker.phrase(one, answers[one.slug], answers) for one in asked}
        if not rule.same or len(phrases) > 1:
            return None
        return self.speaker.sentence(rule.same, question, answers)

    def template(self, question: Question, answers: _AnswerValues) -> str:
        """The sentence with its gaps."""
        rule: RuleSentences | None = self.corpus.telling.rules.get(question.slug)
        if rule is None:
            return ""
        value = answers[question.slug]
        return rule.sentence(value if format_canonical(value) in rule.readings else dereference_answer(value, answers))

    def by_gloss(self, question: Question, value: Value) -> Pieces:
        """An answer that nobody has put into a sentence: the question, and what the answer means."""
        found = words.format_answer(question, value, self.corpus.library)
        unit = words.get_sum_counter(question, value, self.speaker.source)
        said = found.full or words.format_short_answer(found, unit)
        return (PhrasePiece(f"{single_spaced(question.asks)} {said}"),)

    def others(self, asked: Iterable[Question], said: str) -> Iterator[AlternativeRule]:
        """Options that the source offers, and other readings of its words."""
        ids, sentences = set[str](), {said}
        for question, one in self.alternatives(asked):
            if one.id not in ids:
                ids.add(one.id)
                found = self.another(one, question)
                yield replace(found, said=()) if flatten_pieces(found.said) in sentences else found
                sentences.add(flatten_pieces(found.said))

    def alternatives(self, asked: Iterable[Question]) -> Iterator[tuple[Question, Alternative]]:
        """Every other answer to these questions."""
        for question in asked:
            for clause in self.cells[question.slug].clauses:
                yield from ((question, one) for one in clause.alternatives if self.differs(one, question))

    def differs(self, one: Alternative, question: Question) -> bool:
        """Test whether an alternative gives this question a different answer."""
        there = one.answers.get(question.slug)
        return there is not None and format_canonical(there) != format_canonical(self.answers[question.slug])

    def another(self, one: Alternative, question: Question) -> AlternativeRule:
        """An alternative in a sentence of its own; of a long list its name says more."""
        if question.measure.get("type") in _LONG_ANSWER_TYPES:
            return AlternativeRule(one.id, one.kind, one.label, ())
        answers = {**self.answers, **one.answers}
        found = self.said(question, answers)[0] or self.by_gloss(question, one.answers[question.slug])
        return AlternativeRule(one.id, one.kind, one.label, found)


# --- the page ---------------------------------------------------------------------------------------------------


def render_howto(view: HowtoView) -> Nodes:
    """Render the rules under their headings, the open points, and a first deal."""
    siglum = view.source.siglum
    title = f"How to play it: {view.source.title}"
    made = build_page_section(
        f"howto-{siglum}",
        title,
        *render_howto_opening(view),
        *(_render_rules_part(view, part) for part in view.parts),
        *render_first_deal(view.first),
        *_render_open_points(view),
        cls="rv-howto",
    )
    return [add_anchor(made, "howto", siglum, title, at="")]


def render_howto_opening(view: HowtoView) -> Nodes:
    """Introduction to the rules, and legend of their badges."""
    lead: list[Content] = [
        "The rules of this source, ",
        link("source", view.source.siglum, view.source.title),
        ", for whoever wants to sit down and play. The sentences are ours. Each is made from an answer of this "
        "edition, and at its end stand the sentence of the source on which it rests, our clause and the question.",
    ]
    marks: list[Content] = [
        render_badge("supplied by us", "rv-supplied"),
        " says that the source is silent and that play needs an answer; ",
        render_badge(IMPLIED, "rv-implied"),
        " that the source does not say so, but what it says comes to that; ",
        render_badge("option", "rv-good"),
        " what the source offers besides; ",
        render_badge("or read", "rv-ambiguous"),
        " how else its words can be taken.",
    ]
    return [para(*lead), para(*marks, cls="rv-legend")]


def _render_rules_part(view: HowtoView, part: RulesPart) -> nodes.section:
    before = [_render_counters_note(view)] if part.id == _COUNTERS_SECTION else []
    after = [render_seating(one) for one in view.tables] if part.id == _TABLE_SECTION else []
    rules = nodes.bullet_list(bullet="*", classes=["rv-rules"])
    rules += [nodes.list_item("", *render_rule(one)) for one in part.told]
    return section(part.id, part.title, *before, rules, *after)


def render_rule(one: RuleSentence) -> Nodes:
    """Render a rule, its grounds and its other forms."""
    line: list[Content] = [
        span(*_render_rule_words(one.said), cls="rv-rule"),
        " ",
        *_render_supplied_note(one),
        *render_implied_note(one),
        *_render_rule_grounds(one),
    ]
    others = bullet_list(map(_render_alternative_rule, one.others), cls="rv-otherwise")
    return [para(*line), others] if one.others else [para(*line)]


def _render_rule_words(said: Pieces) -> list[Content]:
    return [*map(_render_piece, said)]


def _render_piece(piece: PhrasePiece) -> Content:
    if piece.kind == "term":
        return link("term", piece.target, emphasis(piece.words, lang=piece.lang), cls="rv-term")
    return card_sign(piece.words) if piece.kind == "card" else piece.words


def _render_supplied_note(one: RuleSentence) -> list[Content]:
    if not one.ours:
        return []
    where = ", ".join(dict.fromkeys(each.taken_from for each in one.ours if each.taken_from))
    said: list[Content] = [render_badge("supplied by us", "rv-supplied")]
    if not one.all_ours:
        said += [span(" on ", *join_content(question_ref(each.question) for each in one.ours), cls="rv-small")]
    return [*said, *([span(f" from {where}", cls="rv-small")] if where else []), " "]


IMPLIED = "follows from the text"


def render_implied_note(one: RuleSentence) -> list[Content]:
    """Note on the answers of a rule that the source implies."""
    if not one.implied:
        return []
    made: list[Content] = [render_badge(IMPLIED, "rv-implied"), " "]
    if len(one.implied) < len(one.questions):
        made[1:] = [span(" on ", *join_content(map(question_ref, one.implied)), cls="rv-small"), " "]
    return made


def _render_rule_grounds(one: RuleSentence) -> list[Content]:
    siglum = one.clauses[0].partition(".")[0]
    refs = [
        *(_place_ref(*each) for each in one.places),
        *(clause_ref(id) for id in one.clauses),
        *(span(cell_ref(each, siglum, each.id), cls="rv-id") for each in one.questions),
    ]
    return [span(*join_content(refs, " "), cls="rv-grounds")]


def _place_ref(locus: str, to: str) -> nodes.Node:
    said = locus.partition(".")[2]
    return link("sentence", locus, f"{said}–{to.partition('.')[2]}" if to else said, title=locus, cls="rv-id")


_ALTERNATIVE_BADGES: Mapping[str, tuple[str, str]] = {
    "option": ("option", "rv-good"),
    "interpretation": ("or read", "rv-ambiguous"),
}


def _render_alternative_rule(one: AlternativeRule) -> list[Content]:
    name, cls = _ALTERNATIVE_BADGES[one.kind]
    said: list[Content] = _render_rule_words(one.said) if one.said else [f"{one.label}."]
    return [render_badge(name, cls), " ", *said, " ", link("alternative", one.id, title=one.label, cls="rv-id")]


def _render_counters_note(view: HowtoView) -> nodes.paragraph:
    larger = [f"{add_article(name)} is worth {worth}." for name, worth in view.counters]
    sentences = (f" {said[:1].upper()}{said[1:]}" for said in larger)
    return para(f"All sums are told in {view.unit}, the smallest counter.", *sentences)


def render_seating(one: Seating) -> nodes.container:
    """Seating plan as a picture, and in words with the same content."""
    return block(
        nodes.raw("", draw_seating(one), format="html"), para(describe_seating(one), cls="rv-small"), cls="rv-seated"
    )


def _render_open_points(view: HowtoView) -> Nodes:
    if not view.open:
        return []
    number = sum(len(rows) for _, rows in view.open)
    intro = (
        "On these points the source says nothing, and nothing is supplied: either the game can be played without, "
        "or the players must agree."
    )
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
    folded = block(details(words.format_count(number, "point"), *lists), cls="rv-words")
    return [section("open", "What the source leaves open", para(intro), folded)]


# --- the pages by which one finds them ----------------------------------------------------------------------------


def howtos_view(corpus: Corpus, _: str = "") -> tuple[SourceLink, ...]:
    """Every source by which one can play."""
    return tuple(map(source_link, corpus.library.sources.values()))


def render_howto_list(view: tuple[SourceLink, ...]) -> Nodes:
    """Links to the rules by each source."""
    rows = [[link("howto", one.siglum, f"How to play it by {one.siglum}"), f": {one.title}"] for one in view]
    return [bullet_list(rows)]
