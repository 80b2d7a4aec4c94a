"""Layout of what stands on several pages: answers, quotations, clauses, references, badges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from docutils import nodes

from edition.corpus.references import Run
from edition.nodes.builders import (
    Content,
    anchor,
    block,
    bullets,
    card,
    cite_here,
    code,
    details,
    emphasis,
    link,
    para,
    section,
    span,
    spoken,
    strong,
    suit,
    within,
)
from edition.text import answers as words
from edition.views.common import (
    Another,
    Answered,
    ClauseView,
    Mark,
    QuestionLink,
    Quotation,
    SourceLink,
    Words,
)
from engine.interpretation.effects import Difference

Nodes = list[nodes.Node]
Found = TypeVar("Found", bound="Sequence[object]")


# --- words ------------------------------------------------------------------------------------------


def prose(runs: Iterable[Run]) -> list[Content]:
    """Our own words with their references."""
    return [
        link(run.kind, run.target, run.words) if run.kind else span(run.words, lang=run.lang) if run.lang else run.words
        for run in runs
    ]


def told(label: str, runs: Iterable[Run], cls: str = "") -> Nodes:
    """A labelled remark; nothing where there is nothing to say."""
    pieces = prose(runs)
    return [para(span(label, cls="rv-label"), " ", *pieces, cls=cls)] if pieces else []


def foreign(runs: Iterable[Words]) -> list[Content]:
    """A translation, in which the words left in their own language say so, and lead to the glossary."""
    return [left_as_it_is(*run) if run[1] else run[0] for run in runs]


def left_as_it_is(text: str, lang: str, term: str) -> Content:
    """A word that the translation keeps."""
    kept = emphasis(text, lang=lang)
    return link("term", term, kept, cls="rv-term") if term else kept


def badge(text: str, cls: str = "") -> nodes.inline:
    """A status, a certainty: a word in a small frame."""
    return span(text, cls=f"rv-badge {cls}")


def badges(status: str, cert: str) -> list[Content]:
    """Status and certainty."""
    shown: list[Content] = [badge(status, f"rv-{status}")]
    return [*shown, " ", badge(f"certainty {cert}", f"rv-cert-{cert}")] if cert else shown


def answer(said: words.Answer, unit: str = "") -> list[Content]:
    """An answer: its data, and its words."""
    pieces: list[Content] = cards(said.cards) if said.cards else [span(said.short, cls="rv-value")]
    pieces += [span(f" {words.counters(int(said.short), unit).partition(' ')[2]}", cls="rv-unit")] if unit else []
    return [*pieces, ": ", span(said.full, cls="rv-gloss")] if said.full else pieces


def cards(named: Iterable[tuple[str, str]]) -> list[Content]:
    """Cards and suits with what they are worth."""
    shown = joined(card_or_suit(name, worth) for name, worth in named)
    return [span(*shown, cls="rv-value")]


def card_or_suit(name: str, worth: str) -> nodes.inline:
    """A card, or a suit, and what it is worth."""
    sign = card(name) if len(name) > 1 else suit(name)
    return span(sign, f" {worth}") if worth else sign


def question_ref(question: QuestionLink, words_: str = "") -> nodes.Node:
    """A way to a question, by its id unless other words are given."""
    return link("question", question.id, words_ or question.id, title=question.asks, cls="rv-id")


def cell_ref(question: QuestionLink, siglum: str, words_: str) -> nodes.Node:
    """A way to what one source says on a question."""
    return link("cell", f"{question.id}@{siglum}", words_, title=question.asks)


def source_ref(source: SourceLink, words_: str = "") -> nodes.Node:
    """A way to a source."""
    return link("source", source.siglum, words_ or source.siglum, title=source.title)


def mark(one: Mark) -> nodes.inline:
    """A letter of the matrix; what it stands for can be heard."""
    return spoken(one.words, one.letter, cls=f"rv-mark rv-mark-{one.kind}")


def locus(quote: Quotation) -> list[Content]:
    """Where some words stand."""
    place: list[Content] = [link("sentence", quote.locus)]
    place += [" to ", link("sentence", quote.to)] if quote.to else []
    return [*place, f", p. {quote.page}"] if quote.page else place


# --- clauses ----------------------------------------------------------------------------------------

ROLES: Mapping[str, str] = {
    "grounds": "",
    "supports": "in support",
    "against": "against it",
    "example": "an example",
}
TEXT_VIEWS: Mapping[str, str] = {
    "diplomatic": "",
    "emended": "as emended",
    "reading": "in today's spelling",
}


def summary(said: str) -> nodes.paragraph:
    """Our words in place of a source's, and marked as ours."""
    return para(span(words.SUMMARY, cls="rv-label"), f" {said}", cls="rv-paraphrase")


def quoted(quote: Quotation) -> nodes.container:
    """Quoted words with their place, and the sentence in English."""
    lines: Nodes = []
    if quote.exact:
        lines.append(para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact"))
    if quote.paraphrase:
        lines.append(summary(quote.paraphrase))
    if quote.translation:
        lines.append(para(*foreign(quote.translation), cls="rv-translation"))
    asides = [aside for aside in (ROLES[quote.role], TEXT_VIEWS[quote.view]) if aside]
    place = para(*locus(quote), *(f"; {aside}" for aside in asides), cls="rv-locus")
    return block(*lines, place, cls=f"rv-quote rv-role-{quote.role}")


def answers(given: Iterable[Answered]) -> nodes.bullet_list:
    """Questions with their answers."""
    return bullets(
        (
            [
                question_ref(one.question),
                " ",
                span(one.question.asks, cls="rv-asks"),
                " ",
                *answer(one.answer, one.unit),
            ]
            for one in given
        ),
        cls="rv-answers",
    )


def clause_reasons(clause: ClauseView) -> Nodes:
    """All that the editor says about a clause."""
    found: Nodes = []
    if clause.computation:
        found.append(para(span("Reckoning", cls="rv-label"), f" {clause.computation}"))
    if clause.taken_from:
        found.append(para(span("Supplied from", cls="rv-label"), f" {clause.taken_from}"))
    if clause.searched:
        found.append(para(span("Searched", cls="rv-label"), " ", *prose(clause.searched)))
    if clause.emendations:
        refs = joined(link("emendation", one) for one in clause.emendations)
        found.append(para(span("Quotes the text as emended", cls="rv-label"), " ", *refs))
    if clause.label:
        found.append(para(span("Taken as", cls="rv-label"), f" {clause.label}"))
    return [*found, *told("Because", clause.because), *told("Note", clause.note)]


def others(clause: ClauseView, target: bool = False) -> Nodes:
    """The other ways to take a clause."""
    return [another(one, target) for one in clause.others]


KIND: Mapping[str, str] = {"interpretation": "Rival interpretation", "option": "Option that the source offers"}


def another(one: Another, target: bool) -> nodes.container:
    """A rival interpretation or an option, with its reasons."""
    name: Content = strong(one.id) if target else link("alternative", one.id)
    head = para(span(KIND[one.kind], cls="rv-label"), " ", name, f": {one.label} " if one.label else " ")
    head += badge(f"certainty {one.cert}", f"rv-cert-{one.cert}")
    words_: Nodes = [para("“", span(one.exact, lang=one.lang), "”", cls="rv-exact")] if one.exact else []
    sums: Nodes = [para(span("Reckoning", cls="rv-label"), f" {one.computation}")] if one.computation else []
    because = told("Because", one.because)
    made = block(head, *words_, answers(one.answers), *sums, *because, *effect(one), cls=f"rv-other rv-{one.kind}")
    return anchor(made, "alternative", one.id, one.label) if target else made


def effect(one: Another) -> Nodes:
    """Which worked deals it changes, and in what."""
    if one.effect is None:
        return []
    label = span("In play", cls="rv-label")
    if not one.effect.played:
        return [para(label, " The engine does not play it.", cls="rv-effect")]
    if not one.effect.changes:
        return [para(label, " It changes none of the worked deals and sessions.", cls="rv-effect")]
    deals = joined(span(*tried(each), f" ({', '.join(each.how)})") for each in one.effect.differences)
    number = len(one.effect.differences)
    if number > FEW:
        return [
            details([label, f" It changes {number} of the worked deals and sessions."], para(*deals), cls="rv-words")
        ]
    return [para(label, " It changes ", *deals, ".", cls="rv-effect")]


FEW = 6  #: of more deals than these a list is folded away


def tried(one: Difference) -> list[Content]:
    """A worked deal, to be looked up; or a worked session, by its name."""
    return ["the session ", code(one.deal)] if one.kind == "session" else [link("deal", one.deal)]


def clause_block(clause: ClauseView, target: bool = False) -> nodes.container:
    """A clause: words, answers, reasons, rivals."""
    name: Content = within(clause.id, clause.id) if target else link("clause", clause.id)
    head = para(strong(name), " ", *badges(clause.status, clause.cert), cls="rv-clause-head")
    about = [question_line(clause.about)] if clause.about else []
    made = block(
        head,
        *map(quoted, clause.quotations),
        *([answers(clause.answers)] if clause.answers else []),
        *about,
        *clause_reasons(clause),
        *others(clause),
        para(clause.read_by, cls="rv-small"),
        *([cite_here(kind="clause", target=clause.id)] if target else []),
        cls=f"rv-clause rv-clause-{clause.status}",
    )
    return anchor(made, "clause", clause.id, clause_title(clause)) if target else made


def clause_title(clause: ClauseView) -> str:
    """A clause in a few words."""
    asked = [*(one.question for one in clause.answers), *clause.about]
    return f"{clause.id} on {', '.join(one.id for one in asked)}"


def question_line(questions: Iterable[QuestionLink]) -> nodes.bullet_list:
    """Questions without an answer."""
    return bullets(([question_ref(one), " ", span(one.asks, cls="rv-asks")] for one in questions), cls="rv-answers")


def page(target: str, title: str, *content: Content, cls: str = "") -> nodes.section:
    """A page: its heading and what stands under it."""
    return section(target, title, *content, cls=f"rv-page {cls}")


def unasked(played: bool) -> list[Content]:
    """A word on questions that the engine does not ask."""
    return [] if played else [" ", badge("not played")]


def source_sections(
    prefix: str, view: Iterable[tuple[SourceLink, Found]], content: Callable[[SourceLink, Found], Iterable[nodes.Node]]
) -> Nodes:
    """Return a section for every source of which something was found."""
    return [
        section(f"{prefix}-{source.siglum}", f"{source.siglum}: {source.title}", *content(source, found))
        for source, found in view
        if found
    ]


LANGUAGES: Mapping[str, str] = {
    "fr": "French",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "la": "Latin",
    "it": "Italian",
}


def joined(pieces: Iterable[Content], between: str = ", ") -> list[Content]:
    """Pieces with something between them."""
    return [part for one in pieces for part in (one, between)][:-1]
