"""How to play it: the rules of one source in the order in which players need them, each with what it rests on.

Nothing here knows a source. What is said comes from its answers and from the sentences of `sources/telling.yaml`; an
answer that has no sentence is told by its question and its gloss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    anchor,
    block,
    bullets,
    card,
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
from edition.views.layout import Nodes, badge, cell_ref, joined, page, question_ref
from edition.views.rules.first_deal import FirstDeal, choose_first_deal, render_first_deal
from edition.views.rules.rule_phrases import Piece, Pieces, Speaker, merged, plain
from edition.views.rules.seating import Seating, drawn, says, seatings
from rulebook.answers.conditions import holds, ruled_out, worth
from rulebook.answers.values import canonical
from rulebook.model import Alternative, Cell, Clause, Like, Question, Value
from rulebook.sources.rule_sentences import ANSWER, PLACE, Rule, Section
from rulebook.strings import single_spaced

Answers = Mapping[str, Value]

SECOND = "units.second"  #: the question that tells what the larger counter is worth
COUNTERS = "counters"  #: the section that a list of the source's counters opens
TABLE = "table"  #: the section that ends with the table seen from above
LONG = frozenset({"shapes"})  #: kinds of answers of which every alternative repeats nearly all


# --- what a page says -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Another:
    """Another way to play or to read, as a sentence, or by its name where it would read the same."""

    id: str
    kind: str  #: option | interpretation
    label: str
    said: Pieces


@dataclass(frozen=True, slots=True)
class Ours:
    """An answer that we supply, and where we take it from."""

    question: QuestionLink
    clause: str
    taken_from: str


@dataclass(frozen=True, slots=True)
class Told:
    """A rule as a sentence, with the questions it answers and all it rests on."""

    questions: tuple[QuestionLink, ...]
    said: Pieces
    places: tuple[tuple[str, str], ...]  #: sentence or statement, and the last of a range
    clauses: tuple[str, ...]
    ours: tuple[Ours, ...]
    implied: tuple[QuestionLink, ...]  #: those whose answer the source does not state, but implies
    others: tuple[Another, ...]
    worded: bool  #: whether there is a sentence for it; else it is told by its question

    @property
    def all_ours(self) -> bool:
        """Whether the source says nothing of it."""
        return {one.question for one in self.ours} == {*self.questions}


@dataclass(frozen=True, slots=True)
class Part:
    """Rules under one heading."""

    id: str
    title: str
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class HowtoView:
    """The rules of one source for whoever wants to play by them."""

    source: SourceLink
    unit: str  #: in which all sums are told
    counters: tuple[tuple[str, str], ...]  #: larger ones whose worth no rule tells
    tables: tuple[Seating, ...]
    parts: tuple[Part, ...]
    open: tuple[tuple[str, tuple[tuple[QuestionLink, str], ...]], ...]  #: group -> questions with their clauses
    first: FirstDeal | None


def howto_view(corpus: Corpus, siglum: str) -> HowtoView:
    """How to play by one source."""
    source = corpus.library.sources[siglum]
    cells = {slug: cell for slug in corpus.library.questions if (cell := corpus.cell(siglum, slug))}
    answers = {slug: cell.value for slug, cell in cells.items() if cell.value is not None}
    teller = Teller(Speaker(corpus, source), cells, answers)
    return HowtoView(
        source_link(source),
        words.counters_of(source.unit),
        tuple(
            (name, words.counters(number, source.unit))
            for name, number in source.counters.items()
            if number not in (1, answers.get(SECOND))
        ),
        seatings(answers),
        tuple(teller.parts()),
        tuple(left_open(corpus, cells)),
        choose_first_deal(corpus, source),
    )


def left_open(corpus: Corpus, cells: Mapping[str, Cell]) -> Iterator[tuple[str, tuple[tuple[QuestionLink, str], ...]]]:
    """What the source does not say and nobody can supply: the players have to agree."""
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
class Teller:
    """Tells the answers of one source, each once."""

    speaker: Speaker
    cells: Mapping[str, Cell]
    answers: Answers

    @property
    def corpus(self) -> Corpus:
        """Where everything stands."""
        return self.speaker.corpus

    def parts(self) -> Iterator[Part]:
        """The headings in order; at the end what none of them has told."""
        told = set(self.corpus.telling.left_out)
        for one in self.corpus.telling.sections:
            if holds(one.needs, self.answers):
                yield from self.part(one.id, self.title(one), (rule.question for rule in one.rules), told)
        yield from self.part("besides", "Besides", tuple(self.corpus.library.questions), told)

    def part(self, id: str, title: str, slugs: Iterable[str], told: set[str]) -> Iterator[Part]:
        """What a heading has to tell; nothing where that is nothing."""
        found: list[Told] = []
        for slug in slugs:
            if slug in self.answers and slug not in told:
                found.append(self.told(self.corpus.library.questions[slug]))
                told.update(one.slug for one in found[-1].questions)
        if found:
            yield Part(id, title, tuple(found))

    def title(self, one: Section) -> str:
        """A heading in the source's own words."""
        return plain(self.speaker.sentence_part(one.title))

    def told(self, question: Question) -> Told:
        """One rule, with everything that it rests on."""
        said, asked = self.said(question, self.answers)
        cells = [self.cells[one.slug] for one in asked]
        clauses = {clause.id: clause for cell in cells for clause in cell.clauses}
        return Told(
            tuple(map(question_link, asked)),
            said or self.by_gloss(question, self.answers[question.slug]),
            tuple(dict.fromkeys(place for clause in clauses.values() for place in places(clause))),
            tuple(clauses),
            tuple(self.ours(asked)),
            tuple(question_link(one) for one, cell in zip(asked, cells, strict=True) if cell.status == "implied"),
            tuple(self.others(asked, plain(said or ()))),
            said is not None,
        )

    def ours(self, asked: Iterable[Question]) -> Iterator[Ours]:
        """The supplied answers among these, and those that one of these points to ("as for an ace thrown off")."""
        found = dict.fromkeys(slug for one in asked for slug in self.pointed(one.slug) if self.cells[slug].supplied)
        yield from (ours(self.corpus.library.questions[slug], self.cells[slug]) for slug in found)

    def pointed(self, slug: str) -> Iterator[str]:
        """A question, the one that its answer points to, and so on; not those behind an answer that is ours itself."""
        yield slug
        value = self.answers.get(slug)
        if isinstance(value, Like) and not self.cells[slug].supplied and value.question in self.cells:
            yield from self.pointed(value.question)

    def said(self, question: Question, answers: Answers) -> tuple[Pieces | None, tuple[Question, ...]]:
        """The sentence for an answer, and every question that it tells."""
        template = self.template(question, answers)
        said = self.speaker.sentence(template, question, answers) if template else None
        if said is None:
            return None, (question,)
        names = [name for name in PLACE.findall(template) if name not in (ANSWER, *self.corpus.telling.names)]
        asked = dict.fromkeys((question.slug, *(self.corpus.library.question(name).slug for name in names)))
        questions = tuple(self.corpus.library.questions[slug] for slug in asked)
        return self.said_alike(question, questions, answers) or said, questions

    def said_alike(self, question: Question, asked: Iterable[Question], answers: Answers) -> Pieces | None:
        """The shorter sentence for the case that several answers come to the same."""
        rule = self.corpus.telling.rules[question.slug]
        phrases = {self.speaker.phrase(one, answers[one.slug], answers) for one in asked}
        if not rule.same or len(phrases) > 1:
            return None
        return self.speaker.sentence(rule.same, question, answers)

    def template(self, question: Question, answers: Answers) -> str:
        """The sentence with its gaps."""
        rule: Rule | None = self.corpus.telling.rules.get(question.slug)
        if rule is None:
            return ""
        value = answers[question.slug]
        return rule.sentence(value) if canonical(value) in rule.readings else rule.sentence(worth(value, answers))

    def by_gloss(self, question: Question, value: Value) -> Pieces:
        """An answer that nobody has put into a sentence: the question, and what the answer means."""
        found = words.answer(question, value, self.corpus.library)
        unit = words.counted(question, value, self.speaker.source)
        return merged((Piece(f"{single_spaced(question.asks)} "), Piece(found.full or words.with_counter(found, unit))))

    def others(self, asked: Iterable[Question], said: str) -> Iterator[Another]:
        """What the source offers besides, and how else its words may be read."""
        ids, sentences = set[str](), {said}
        for question, one in self.alternatives(asked):
            if one.id not in ids:
                ids.add(one.id)
                found = self.another(one, question)
                yield replace(found, said=()) if plain(found.said) in sentences else found
                sentences.add(plain(found.said))

    def alternatives(self, asked: Iterable[Question]) -> Iterator[tuple[Question, Alternative]]:
        """Every other answer to these questions."""
        for question in asked:
            for clause in self.cells[question.slug].clauses:
                yield from ((question, one) for one in clause.alternatives if self.differs(one, question))

    def differs(self, one: Alternative, question: Question) -> bool:
        """Whether an alternative answers this question, and otherwise."""
        there = one.answers.get(question.slug)
        return there is not None and canonical(there) != canonical(self.answers[question.slug])

    def another(self, one: Alternative, question: Question) -> Another:
        """An alternative in a sentence of its own; of a long list its name says more."""
        if question.measure.get("type") in LONG:
            return Another(one.id, one.kind, one.label, ())
        answers = {**self.answers, **one.answers}
        found = self.said(question, answers)[0] or self.by_gloss(question, one.answers[question.slug])
        return Another(one.id, one.kind, one.label, found)


def places(clause: Clause) -> Iterator[tuple[str, str]]:
    """Where the words stand on which a clause rests."""
    yield from ((cite.locus, cite.to) for cite in clause.cites if cite.role != "against")


def ours(question: Question, cell: Cell) -> Ours:
    """What we supply, and from where."""
    clause = cell.clauses[0]
    return Ours(question_link(question), clause.id, words.taken_from(clause.taken_from) if clause.taken_from else "")


# --- the page ---------------------------------------------------------------------------------------------------


def howto(view: HowtoView) -> Nodes:
    """The rules under their headings, what is left open, and a deal to begin with."""
    siglum = view.source.siglum
    title = f"How to play it: {view.source.title}"
    made = page(
        f"howto-{siglum}",
        title,
        *opening(view),
        *(part_of(view, part) for part in view.parts),
        *render_first_deal(view.first),
        *agree(view),
        cls="rv-howto",
    )
    return [anchor(made, "howto", siglum, title, at="")]


def opening(view: HowtoView) -> Nodes:
    """What these pages are, and how to read their marks."""
    lead: list[Content] = [
        "The rules of this source, ",
        link("source", view.source.siglum, view.source.title),
        ", for whoever wants to sit down and play. The sentences are ours. Each is made from an answer of this "
        "edition, and at its end stand the sentence of the source on which it rests, our clause and the question.",
    ]
    marks: list[Content] = [
        badge("supplied by us", "rv-supplied"),
        " says that the source is silent and that play needs an answer; ",
        badge(IMPLIED, "rv-implied"),
        " that the source does not say so, but what it says comes to that; ",
        badge("option", "rv-good"),
        " what the source offers besides; ",
        badge("or read", "rv-ambiguous"),
        " how else its words can be taken.",
    ]
    return [para(*lead), para(*marks, cls="rv-legend")]


def part_of(view: HowtoView, part: Part) -> nodes.section:
    """The rules under one heading, with what belongs to them besides sentences."""
    before = [counters(view)] if part.id == COUNTERS else []
    after = [seated(one) for one in view.tables] if part.id == TABLE else []
    return section(part.id, part.title, *before, rules(part.told), *after)


def rules(told: Iterable[Told]) -> nodes.bullet_list:
    """One sentence after the other."""
    made = nodes.bullet_list(bullet="*", classes=["rv-rules"])
    made += [nodes.list_item("", *rule(one)) for one in told]
    return made


def rule(one: Told) -> Nodes:
    """A sentence, what it rests on, and its other forms."""
    line: list[Content] = [span(*sentence(one.said), cls="rv-rule"), " ", *supplied(one), *implied(one), *grounds(one)]
    return [para(*line), *([bullets([other(each) for each in one.others], cls="rv-otherwise")] if one.others else [])]


def sentence(said: Pieces) -> list[Content]:
    """The words of a rule, with its terms and cards."""
    return [PIECES.get(piece.kind, plain_piece)(piece) for piece in said]


def plain_piece(piece: Piece) -> Content:
    """Words as they are."""
    return piece.words


def term_piece(piece: Piece) -> Content:
    """A word of the source, with the way to the glossary."""
    return link("term", piece.target, emphasis(piece.words, lang=piece.lang), cls="rv-term")


def card_piece(piece: Piece) -> Content:
    """A card."""
    return card(piece.words)


PIECES: Mapping[str, Callable[[Piece], Content]] = {"term": term_piece, "card": card_piece}


def supplied(one: Told) -> list[Content]:
    """What of it is ours."""
    if not one.ours:
        return []
    where = ", ".join(dict.fromkeys(each.taken_from for each in one.ours if each.taken_from))
    said: list[Content] = [badge("supplied by us", "rv-supplied")]
    if not one.all_ours:
        said += [span(" on ", *joined(question_ref(each.question) for each in one.ours), cls="rv-small")]
    return [*said, *([span(f" from {where}", cls="rv-small")] if where else []), " "]


IMPLIED = "follows from the text"


def implied(one: Told) -> list[Content]:
    """What of it the source implies."""
    if not one.implied:
        return []
    made: list[Content] = [badge(IMPLIED, "rv-implied"), " "]
    if len(one.implied) < len(one.questions):
        made[1:] = [span(" on ", *joined(map(question_ref, one.implied)), cls="rv-small"), " "]
    return made


def grounds(one: Told) -> list[Content]:
    """The sentences of the source, the clauses, and the questions as the source answers them."""
    siglum = one.clauses[0].partition(".")[0]
    refs = [
        *(place_ref(*each) for each in one.places),
        *(link("clause", id, id.partition(".")[2], title=id, cls="rv-id") for id in one.clauses),
        *(span(cell_ref(each, siglum, each.id), cls="rv-id") for each in one.questions),
    ]
    return [span(*joined(refs, " "), cls="rv-grounds")]


def place_ref(locus: str, to: str) -> nodes.Node:
    """Where the words stand."""
    said = locus.partition(".")[2]
    return link("sentence", locus, f"{said}–{to.partition('.')[2]}" if to else said, title=locus, cls="rv-id")


KINDS: Mapping[str, tuple[str, str]] = {
    "option": ("option", "rv-good"),
    "interpretation": ("or read", "rv-ambiguous"),
}


def other(one: Another) -> list[Content]:
    """An option, or another reading, with the way to its reasons."""
    name, cls = KINDS[one.kind]
    said: list[Content] = sentence(one.said) if one.said else [f"{one.label}."]
    return [badge(name, cls), " ", *said, " ", link("alternative", one.id, title=one.label, cls="rv-id")]


def counters(view: HowtoView) -> nodes.paragraph:
    """In what the sums are told."""
    larger = [f" {a_counter(name)} is worth {worth}." for name, worth in view.counters]
    return para(f"All sums are told in {view.unit}, the smallest counter.", *larger)


def a_counter(name: str) -> str:
    """A counter at the head of a sentence."""
    return f"{'An' if name[:1].lower() in 'aeiou' else 'A'} {name}"


def seated(one: Seating) -> nodes.container:
    """The table seen from above; the words say all that the picture shows."""
    return block(nodes.raw("", drawn(one), format="html"), para(says(one), cls="rv-small"), cls="rv-seated")


def agree(view: HowtoView) -> Nodes:
    """What the players have to agree on, the source being silent."""
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
            bullets(
                [
                    question_ref(one),
                    f" {one.asks} ",
                    span(link("clause", clause, clause.partition(".")[2], title=clause, cls="rv-id")),
                ]
                for one, clause in rows
            ),
        )
        for group, rows in view.open
    ]
    folded = block(details(words.plural(number, "point"), *lists), cls="rv-words")
    return [section("open", "What the source leaves open", para(intro), folded)]


# --- the pages by which one finds them ----------------------------------------------------------------------------


def howtos_view(corpus: Corpus, _: str = "") -> tuple[SourceLink, ...]:
    """Every source by which one can play."""
    return tuple(map(source_link, corpus.library.sources.values()))


def howtos(view: tuple[SourceLink, ...]) -> Nodes:
    """The ways to all of them."""
    rows = [[link("howto", one.siglum, f"How to play it by {one.siglum}"), f": {one.title}"] for one in view]
    return [bullets(rows)]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"howto": howto_view, "howtos": howtos_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"howto": howto, "howtos": howtos}
