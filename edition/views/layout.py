"""From views to pages: every view is laid out here, once; nothing is decided but the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

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
    definitions,
    details,
    emphasis,
    link,
    para,
    section,
    span,
    spoken,
    strong,
    suit,
    table,
    within,
)
from edition.text import answers as words
from edition.views import common as views
from engine.interpretation.effects import Difference

Nodes = list[nodes.Node]


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


def foreign(runs: Iterable[views.Words]) -> list[Content]:
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


def question_ref(question: views.QuestionLink, words_: str = "") -> nodes.Node:
    """A way to a question, by its id unless other words are given."""
    return link("question", question.id, words_ or question.id, title=question.asks, cls="rv-id")


def cell_ref(question: views.QuestionLink, siglum: str, words_: str) -> nodes.Node:
    """A way to what one source says on a question."""
    return link("cell", f"{question.id}@{siglum}", words_, title=question.asks)


def source_ref(source: views.SourceLink, words_: str = "") -> nodes.Node:
    """A way to a source."""
    return link("source", source.siglum, words_ or source.siglum, title=source.title)


def mark(one: views.Mark) -> nodes.inline:
    """A letter of the matrix; what it stands for can be heard."""
    return spoken(one.words, one.letter, cls=f"rv-mark rv-mark-{one.kind}")


def locus(quote: views.Quotation) -> list[Content]:
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
VIEWS: Mapping[str, str] = {
    "diplomatic": "",
    "emended": "as emended",
    "reading": "in today's spelling",
}


def summary(said: str) -> nodes.paragraph:
    """Our words in place of a source's, and marked as ours."""
    return para(span(words.SUMMARY, cls="rv-label"), f" {said}", cls="rv-paraphrase")


def quoted(quote: views.Quotation) -> nodes.container:
    """Quoted words with their place, and the sentence in English."""
    lines: Nodes = []
    if quote.exact:
        lines.append(para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact"))
    if quote.paraphrase:
        lines.append(summary(quote.paraphrase))
    if quote.translation:
        lines.append(para(*foreign(quote.translation), cls="rv-translation"))
    asides = [aside for aside in (ROLES[quote.role], VIEWS[quote.view]) if aside]
    place = para(*locus(quote), *(f"; {aside}" for aside in asides), cls="rv-locus")
    return block(*lines, place, cls=f"rv-quote rv-role-{quote.role}")


def answers(given: Iterable[views.Answered]) -> nodes.bullet_list:
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


def clause_reasons(clause: views.ClauseView) -> Nodes:
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


def others(clause: views.ClauseView, target: bool = False) -> Nodes:
    """The other ways to take a clause."""
    return [another(one, target) for one in clause.others]


KIND: Mapping[str, str] = {"interpretation": "Rival interpretation", "option": "Option that the source offers"}


def another(one: views.Another, target: bool) -> nodes.container:
    """A rival interpretation or an option, with its reasons."""
    name: Content = strong(one.id) if target else link("alternative", one.id)
    head = para(span(KIND[one.kind], cls="rv-label"), " ", name, f": {one.label} " if one.label else " ")
    head += badge(f"certainty {one.cert}", f"rv-cert-{one.cert}")
    words_: Nodes = [para("“", span(one.exact, lang=one.lang), "”", cls="rv-exact")] if one.exact else []
    sums: Nodes = [para(span("Reckoning", cls="rv-label"), f" {one.computation}")] if one.computation else []
    because = told("Because", one.because)
    made = block(head, *words_, answers(one.answers), *sums, *because, *effect(one), cls=f"rv-other rv-{one.kind}")
    return anchor(made, "alternative", one.id, one.label) if target else made


def effect(one: views.Another) -> Nodes:
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


def clause_block(clause: views.ClauseView, target: bool = False) -> nodes.container:
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


def clause_title(clause: views.ClauseView) -> str:
    """A clause in a few words."""
    asked = [*(one.question for one in clause.answers), *clause.about]
    return f"{clause.id} on {', '.join(one.id for one in asked)}"


def question_line(questions: Iterable[views.QuestionLink]) -> nodes.bullet_list:
    """Questions without an answer."""
    return bullets(([question_ref(one), " ", span(one.asks, cls="rv-asks")] for one in questions), cls="rv-answers")


def clauses(view: views.ClausesView) -> Nodes:
    """All clauses of a source."""
    counts = ", ".join(f"{status} {number}" for status, number in view.counts)
    intro = para(
        "What ",
        source_ref(view.source, view.source.title),
        " says, clause by clause: the words, then our answers. ",
        counts,
        ".",
    )
    body = [clause_block(one, target=True) for one in view.clauses]
    made = page(f"clauses-{view.source.siglum}", f"{view.source.siglum}: the clauses", intro, *body)
    return [anchor(made, "clauses", view.source.siglum, f"The clauses of {view.source.title}", at="")]


def page(target: str, title: str, *content: Content, cls: str = "") -> nodes.section:
    """A page: its heading and what stands under it."""
    return section(target, title, *content, cls=f"rv-page {cls}")


# --- the questions ---------------------------------------------------------------------------------------


def questions(view: Any) -> Nodes:
    """All questions under their headings."""
    return [
        section(
            f"group-{at}",
            group,
            bullets(
                [[question_ref(one), f" {one.asks} ", badge(said), *unasked(played)] for one, said, played in rows],
                cls="rv-index",
            ),
        )
        for at, (group, rows) in enumerate(view, 1)
    ]


def unasked(played: bool) -> list[Content]:
    """A word on questions that the engine does not ask."""
    return [] if played else [" ", badge("not played")]


# --- two sources -----------------------------------------------------------------------------------------


def pair(view: views.PairView) -> Nodes:
    """Two sources side by side."""
    counts = "; ".join(f"{said.lower()} on {number}" for said, number in view.counts)
    tables = [
        table(group, pair_head(view), [pair_row(row) for row in rows], cls="rv-pair rv-stack")
        for group, rows in view.groups
    ]
    title = f"{view.first.siglum} and {view.second.siglum}"
    intro = [
        para(source_ref(view.first, view.first.title), " beside ", source_ref(view.second, view.second.title), "."),
        para(f"{view.kin} Counted over all questions: {counts}."),
    ]
    target = f"{view.first.siglum}-{view.second.siglum}"
    return [anchor(page(f"pair-{target}", title, *intro, *tables), "pair", target, title, at="")]


def pair_head(view: views.PairView) -> list[Any]:
    """The names of the columns."""
    return ["Question", [source_ref(view.first)], [source_ref(view.second)], "Agreement"]


def pair_row(row: views.PairRow) -> tuple[Any, ...]:
    """One question in two sources."""
    return (
        [question_ref(row.question), " ", row.question.asks],
        pair_cell(row.question, *row.first),
        pair_cell(row.question, *row.second),
        [span(row.agreement, cls=f"rv-agreement rv-{row.kind}")],
    )


def pair_cell(question: views.QuestionLink, one: views.Mark, said: words.Answer | None, unit: str) -> list[Content]:
    """One of the two answers."""
    shown = answer(said, unit) if said else ["no answer"]
    return [mark(one), " ", cell_ref(question, one.siglum, one.siglum), " ", *shown]


def pairs(view: tuple[views.PairView, ...]) -> Nodes:
    """Every two sources; where there are too many for that, how any two can be seen together all the same."""
    if not view:
        command = code("reversis compare ONE OTHER")
        return [para("There are more sources than can have a page for every two of them. ", command, " shows any two.")]
    rows = [
        (
            [link("pair", f"{one.first.siglum}-{one.second.siglum}", f"{one.first.siglum} and {one.second.siglum}")],
            *(str(number) for _, number in one.counts),
        )
        for one in view
    ]
    head = ("Two sources", *views.PAIR.values())
    return [table("Questions on which two sources agree and differ", head, rows, cls="rv-stack")]


# --- lists over all sources -------------------------------------------------------------------------------


def lists(prefix: str, target: bool) -> Callable[[views.BySource], Nodes]:
    """Clauses under their sources."""

    def laid_out(view: views.BySource) -> Nodes:
        return [
            section(
                f"{prefix}-{source.siglum}", f"{source.siglum}: {source.title}", *(shown(one, target) for one in found)
            )
            for source, found in view
            if found
        ]

    return laid_out


def shown(clause: views.ClauseView, target: bool) -> nodes.container:
    """A clause in a list; where its rivals are at home they can be linked to."""
    if not target:
        return clause_block(clause)
    head = para(strong(link("clause", clause.id)), " ", *badges(clause.status, clause.cert), cls="rv-clause-head")
    kept = clause.label or "as coded"
    preferred = block(
        para(span("Preferred", cls="rv-label"), " ", kept),
        answers(clause.answers),
        *told("Because", clause.because),
        cls="rv-other rv-preferred",
    )
    return block(head, *map(quoted, clause.quotations), preferred, *others(clause, target=True), cls="rv-clause")


def inapplicable(view: views.BySource) -> Nodes:
    """Questions that make no sense for a source, with the reason."""
    return [
        section(
            f"inapplicable-{source.siglum}",
            f"{source.siglum}: {source.title}",
            table(
                f"Questions that make no sense for {source.siglum}",
                ("Clause", "Questions", "Because"),
                [
                    (
                        [link("clause", one.id)],
                        [span(*joined((question_ref(each) for each in one.about), " "), cls="rv-ids")],
                        prose(one.because) or "–",
                    )
                    for one in found
                ],
                cls="rv-stack",
            ),
        )
        for source, found in view
        if found
    ]


def emendations(view: tuple[tuple[views.SourceLink, tuple[views.EmendationView, ...]], ...]) -> Nodes:
    """Every emendation, source by source."""
    head = ("Emendation", "Place", "The page has", "We read", "Certainty and evidence", "Why", "Clauses")
    return [
        section(
            f"emendations-{source.siglum}",
            f"{source.siglum}: {source.title}",
            table(
                f"Emendations in {source.siglum}",
                head,
                [emendation(one) for one in found],
                cls="rv-stack rv-emendations",
            ),
        )
        for source, found in view
    ]


def emendation(one: views.EmendationView) -> tuple[Any, ...]:
    """A misprint and its remedy."""
    name = anchor(span(one.id), "emendation", one.id, f"{one.sic or '(nothing)'} → {one.corr or '(nothing)'}")
    where: list[Content] = [link("sentence", one.sentence), f", p. {one.page}" if one.page else ""]
    why = [piece for each in one.notes for piece in (*prose(each.first), " ", *prose(each.rest))]
    return (
        [name],
        where,
        [span(one.sic, lang=one.lang) if one.sic else "(nothing)"],
        [span(one.corr, lang=one.lang) if one.corr else "(nothing)"],
        f"{one.cert}; {one.evidence}; {one.by}",
        why or "–",
        joined(link("clause", id, id.partition(".")[2]) for id in one.clauses) or "–",
    )


# --- the small pages -----------------------------------------------------------------------------------------


LANGUAGES: Mapping[str, str] = {
    "fr": "French",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "la": "Latin",
    "it": "Italian",
}


def glossary(view: tuple[views.TermView, ...]) -> Nodes:
    """The words of the game."""
    return [definitions([(term_head(one), term_body(one)) for one in view], cls="rv-glossary")]


def term_head(one: views.TermView) -> list[Content]:
    """A word in its language."""
    made = span(one.term.term, lang=one.term.lang)
    language = span(LANGUAGES.get(one.term.lang, one.term.lang), cls="rv-small")
    return [anchor(made, "term", one.term.id, one.term.english or one.term.term, at=one.term.id), " ", language]


def term_body(one: views.TermView) -> list[Content]:
    """What a word means and where it stands."""
    body: list[Content] = [para(one.term.english, cls="rv-english-word")] if one.term.english else []
    body.append(para(*prose(one.gloss)))
    if one.see:
        body.append(para(span("See", cls="rv-label"), " ", *joined(link("term", id, word) for id, word in one.see)))
    return [*body, *attestations(one)]


def attestations(one: views.TermView) -> Nodes:
    """The sentences in which a word stands, source by source."""
    if not one.attested:
        return []
    number = sum(len(loci) for _, loci in one.attested)
    rows = [
        para(
            span(siglum, cls="rv-siglum"),
            " ",
            *joined(link("sentence", locus, locus.partition(".")[2]) for locus in loci),
        )
        for siglum, loci in one.attested
    ]
    return [block(details(f"Attested in {words.plural(number, 'sentence')}", *rows), cls="rv-small")]


def joined(pieces: Iterable[Content], between: str = ", ") -> list[Content]:
    """Pieces with something between them."""
    return [part for one in pieces for part in (one, between)][:-1]


def shares(caption: str, head: tuple[str, str]) -> Callable[[tuple[views.Shares, ...]], Nodes]:
    """A small table for each source."""

    def laid_out(view: tuple[views.Shares, ...]) -> Nodes:
        return [table([f"{caption} ", source_ref(one.source)], head, one.lines, cls="rv-shares") for one in view]

    return laid_out


def numbers(view: views.Numbers) -> Nodes:
    """What there is, counted."""
    items = [[strong(number), f" {what}"] for number, what in view.lines]
    return [bullets(items, cls="rv-numbers")]


def sources(view: Any) -> Nodes:
    """The sources in a row."""
    rows = [
        ([source_ref(one)], [source_ref(one, one.title), " ", emphasis(title, lang=one.lang)], date, here)
        for one, title, date, here in view
    ]
    return [table("The sources", ("Siglum", "Source", "Date", "Here as"), rows, cls="rv-stack")]


# --- the table of layouts --------------------------------------------------------------------------------------

RENDER: Mapping[str, Callable[[Any], Nodes]] = {
    "clauses": clauses,
    "questions": questions,
    "pair": pair,
    "pairs": pairs,
    "silences": lists("silent", target=False),
    "inapplicable": inapplicable,
    "emendations": emendations,
    "glossary": glossary,
    "rights": shares("Rights in", ("Layer", "Terms")),
    "people": shares("Hands in", ("Hand", "What it did")),
    "numbers": numbers,
    "sources": sources,
}
