"""From views to pages: every view is laid out here, once; nothing is decided but the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from docutils import nodes

from edition import views, words
from edition.shelf import Run
from edition.tree import (
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
    heading,
    link,
    markup_of,
    para,
    section,
    span,
    spoken,
    strong,
    suit,
    table,
    unseen,
    within,
)
from engine.effects import Difference
from rulebook.coverage import BETWEEN
from rulebook.tei import Part

Nodes = list[nodes.Node]


# --- words ------------------------------------------------------------------------------------------


def prose(runs: Iterable[Run]) -> list[Content]:
    """Our own words with their references."""
    return [link(run.kind, run.target, run.words) if run.kind else run.words for run in runs]


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
    pieces += [span(f" {unit}", cls="rv-unit")] if unit else []
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


def quoted(quote: views.Quotation) -> nodes.container:
    """Quoted words with their place, and the sentence in English."""
    lines: Nodes = []
    if quote.exact:
        lines.append(para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact"))
    if quote.paraphrase:
        lines.append(para(quote.paraphrase, cls="rv-paraphrase"))
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
    return [para(label, " It changes ", *deals, ".", cls="rv-effect")]


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


# --- a question -------------------------------------------------------------------------------------


def question(view: views.QuestionView) -> Nodes:
    """A question page."""
    title = [span(view.link.id, cls="rv-id"), " ", view.link.asks]
    made = section(
        view.link.id,
        title,
        para(code(view.link.slug), " ", badge(view.agreement), cls="rv-question-head"),
        facts(view),
        section("readings", "Readings", readings_table(view), *letters_note()),
        section("sources", "What the sources say", *(block_of_cell(cell) for cell in view.cells)),
        local_navigation(view),
        cls="rv-page rv-question",
    )
    anchor(made, "question", view.link.id, view.link.asks)
    made[TARGET_KEY] = [*made[TARGET_KEY], ("question", view.link.slug, view.link.asks, view.link.id)]
    return [made]


TARGET_KEY = "reversis-target"


def facts(view: views.QuestionView) -> nodes.definition_list:
    """What has to be known to answer it."""
    pairs: list[tuple[Content, Any]] = [("Group", view.group), ("Touches", view.affects)]
    pairs += [("Answered by", view.measure)] if view.measure else []
    pairs += [("How to code it", prose(view.coding))]
    pairs += [("Makes sense if", prose(view.depends))] if view.depends else []
    if view.related:
        refs = [piece for one in view.related for piece in (question_ref(one), f" {one.asks}", "; ")][:-1]
        pairs += [("See also", refs)]
    if view.cost:
        more = [" ", link("cost", view.link.id, "All of its figures")] if view.cost.weighed else []
        pairs += [("At the table", [view.cost.words, *more])]
    if view.not_played:
        pairs += [("In play", f"The engine does not ask this: {view.not_played}")]
    return definitions(pairs, cls="rv-facts")


def readings_table(view: views.QuestionView) -> nodes.Node:
    """Every reading with those who hold it."""
    rows = [
        (
            answer(row.answer),
            [letter_only(row.letter)],
            sigla(view, row.holders),
            sigla(view, row.supplied_for),
            [piece for siglum, id in row.rivals for piece in (link("alternative", id), ", ")][:-1] or "–",
            row.count,
        )
        for row in view.readings
    ]
    head = ("Reading", "Letter", "Held by", "Supplied for", "Considered in", "Counted")
    return table("Who holds which reading", head, rows, cls="rv-readings rv-stack")


def letters_note() -> Nodes:
    """How to count."""
    note = (
        "Two sources of one family are not two independent witnesses. "
        "A reading that we supply where a source is silent is nobody's testimony."
    )
    return [para(note, cls="rv-small")]


def letter_only(letter: str) -> nodes.inline:
    """The letter by which the matrix shows a reading."""
    return span(letter or "–", cls=f"rv-mark rv-mark-{letter or 'none'}")


def sigla(view: views.QuestionView, names: Iterable[str]) -> list[Content]:
    """Sources, each leading to its cell."""
    refs = [piece for one in names for piece in (cell_ref(view.link, one, one), ", ")][:-1]
    return refs or ["–"]


def block_of_cell(cell: views.CellView) -> nodes.section:
    """One source's answer, with everything it rests on."""
    said: list[Content] = answer(cell.answer, cell.unit) if cell.answer else ["No answer."]
    how = [badge("supplied by us", "rv-supplied")] if cell.supplied else []
    status = badges(cell.status, cell.cert)
    line = para(mark(cell.mark), " ", *said, " ", *how, " ", *status, cls="rv-cell-head")
    title = [f"{cell.source.siglum}: ", cell.source.title]
    made = section(cell.source.siglum, title, line, *map(clause_block, cell.clauses), cls="rv-cell")
    return anchor(made, "cell", cell.target, f"{cell.target}: {cell.source.title}", at=cell.source.siglum)


def local_navigation(view: views.QuestionView) -> nodes.Element:
    """The questions before and after."""
    before = [span("← ", question_ref(view.before), f" {view.before.asks}", cls="rv-before")] if view.before else []
    after = [span(question_ref(view.after), f" {view.after.asks} →", cls="rv-after")] if view.after else []
    return markup_of("nav", *before, *after, cls="rv-steps", aria_label="Questions before and after")


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


# --- the matrix -----------------------------------------------------------------------------------------


def matrix(view: views.MatrixView) -> Nodes:
    """Questions down, sources across."""
    counts = "; ".join(f"{said.lower()} on {number}" for said, number in view.counts)
    tables = [matrix_table(view, group) for group in view.groups]
    return [para(f"Counted over all questions: {counts}."), *tables]


def matrix_table(view: views.MatrixView, group: views.MatrixGroup) -> nodes.Node:
    """The questions of one group."""
    head = ["Question", *[[source_ref(source)] for source in view.sources], "Agreement"]
    rows = [
        (
            [question_ref(row.question), " ", row.question.asks, *unasked(row.played)],
            *([cell_mark(row.question, one, said)] for one, said in zip(row.marks, row.answers, strict=True)),
            [span(row.agreement, cls=f"rv-agreement rv-{row.kind}")],
        )
        for row in group.rows
    ]
    return table(group.title, head, rows, cls="rv-matrix rv-stack")


def cell_mark(question: views.QuestionLink, one: views.Mark, said: words.Answer) -> nodes.Node:
    """A letter and a short answer, leading to the cell."""
    shown: list[Content] = cards(said.cards) if said.cards else [said.short]
    return span(mark(one), " ", link("cell", f"{question.id}@{one.siglum}", *shown, title=one.words))


def glance(view: tuple[views.GlanceBlock, ...]) -> Nodes:
    """The whole matrix in letters."""
    return [block(*map(glance_table, view), cls="rv-glance")]


def glance_table(one: views.GlanceBlock) -> nodes.Node:
    """Questions across, sources down."""
    head: list[Any] = [
        [unseen("Source")],
        *[[question_ref(question, question.id.lstrip("Q0"))] for question in one.questions],
    ]
    rows = [([source_ref(source)], *([mark(letter)] for letter in marks)) for source, marks in one.rows]
    caption = f"{one.title} ({one.part})" if one.part else one.title
    return table(caption, head, rows, cls="rv-glance-table", kind="glance")


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
    """Every two sources."""
    rows = [
        (
            [link("pair", f"{one.first.siglum}-{one.second.siglum}", f"{one.first.siglum} and {one.second.siglum}")],
            *(str(number) for _, number in one.counts),
        )
        for one in view
    ]
    head = ("Two sources", *views.PAIR.values())
    return [table("Questions on which two sources agree and differ", head, rows, cls="rv-stack")]


# --- a source -------------------------------------------------------------------------------------------


def source(view: views.SourceView) -> Nodes:
    """A source page: what it is, its text, its apparatus."""
    siglum = view.link.siglum
    title = [f"{view.link.title} ", span(siglum, cls="rv-siglum")]
    made = section(
        siglum,
        title,
        *front(view),
        section("the-record", "Record", record(view)),
        section("overview", "Overview, sentence by sentence", *strip(view)),
        text(view),
        *practice(view),
        cls="rv-page rv-source",
    )
    return [anchor(made, "source", siglum, view.link.title, at="")]


def record(view: views.SourceView) -> nodes.definition_list:
    """What is known of the source, line by line, and what has been written on it."""
    pairs: list[tuple[Any, Any]] = [(label, prose(said)) for label, said in view.record]
    works = joined((link("work", key, title) for key, title in view.bibliography), "; ")
    return definitions([*pairs, ("Literature", works)] if works else pairs, cls="rv-facts")


def front(view: views.SourceView) -> Nodes:
    """Title and introduction."""
    title = para(emphasis(view.full_title, lang=view.link.lang), cls="rv-full-title")
    weighed: list[Content] = (
        [" · ", link("costs", view.link.siglum, "What its disagreements cost")] if view.weighed else []
    )
    ways = para(
        within("text", "Go to the text" if view.printed else "Go to the statements"),
        " · ",
        link("howto", view.link.siglum, "How to play it"),
        " · ",
        link("clauses", view.link.siglum, "All its clauses"),
        " · ",
        within("the-record", "The copy used, and the rights"),
        *weighed,
        cls="rv-ways",
    )
    return [title, *(para(*prose(one)) for one in view.introduction), ways]


def strip(view: views.SourceView) -> Nodes:
    """One letter for every sentence, how many are accounted for, and the words left over."""
    legend = para(
        *(
            piece
            for kind, said, number in view.legend
            for piece in (span(views.STRIP[kind][0], cls=f"rv-letter rv-letter-{kind}"), f" {said} ({number})  ")
        ),
        cls="rv-legend",
    )
    rows = [
        block(
            para(title, cls="rv-strip-title", lang=view.link.lang if view.printed else ""),
            para(*(letter(one) for one in letters), cls="rv-strip-letters"),
            cls="rv-strip-row",
        )
        for title, letters in view.strip
    ]
    return [para(coverage(view)), legend, block(*rows, cls="rv-strip"), *left_over(view), *without_clause(view)]


def letter(one: views.Letter) -> nodes.reference:
    """A sentence as a letter, leading to it."""
    cls, shown = f"rv-letter rv-letter-{one.kind}", views.STRIP[one.kind][0]
    return within(one.id, shown, cls=cls, title=one.words, aria_label=f"{shown}, {one.words}")


def coverage(view: views.SourceView) -> str:
    """How much of the source is accounted for."""
    one = view.coverage
    number = words.plural(one.total, "sentence" if view.printed else "statement")
    said = f"Of {number}, {one.percent_classified:.4g} % are classified and {one.percent_encoded:.3g} % encoded."
    left = f" Of {one.words} printed words, {one.residue_words} in encoded sentences are covered by no quotation."
    return said + (left if one.words else " There are no printed words here to be counted.")


def left_over(view: views.SourceView) -> Nodes:
    """The words of encoded sentences that no quotation covers, each with the reason why nothing follows."""
    rows = [
        (
            [within(one.id, one.id)],
            [span(BETWEEN.join(one.residue), lang=view.link.lang)],
            prose(view.reasons.get(one.id, ())) or "no reason yet",
        )
        for one in view.coverage.lines
        if one.residue
    ]
    if not rows:
        return []
    title = "Words that no quotation covers"
    made = table(title, ("Sentence", "Words left over", "Why nothing follows"), rows, cls="rv-stack rv-residue")
    return [block(details(f"{title}, in {words.plural(len(rows), 'sentence')}", made), cls="rv-small")]


def without_clause(view: views.SourceView) -> Nodes:
    """The sentences from which no clause follows, each with the reason; headings need none."""
    rows = [
        (
            [within(one.id, one.id)],
            views.STRIP[one.kind][1],
            one.missing or prose(view.reasons.get(one.id, ())) or "–",
        )
        for one in view.coverage.lines
        if one.kind not in ("encoded", "heading")
    ]
    if not rows:
        return []
    title = "From which no clause follows"
    made = table(title, ("Sentence", "What it is", "Why"), rows, cls="rv-stack rv-residue")
    number = words.plural(len(rows), "sentence" if view.printed else "statement")
    return [block(details(f"{title}: {number}", made), cls="rv-small")]


def text(view: views.SourceView) -> nodes.section:
    """The text and its translation, or the statements."""
    if not view.printed:
        return section("text", "Statements", *statement_help(), *statements(view), cls="rv-text")
    chapters = [block(*map(line, lines), cls="rv-lines") for _, lines in view.sections if lines]
    return section("text", "Text and translation", *text_help(view), *chapters, cls="rv-text")


def statements(view: views.SourceView) -> Nodes:
    """The statements by their matter."""
    return [
        section(f"matter-{at}", name, block(*map(line, lines), cls="rv-lines"))
        for at, (name, lines) in enumerate(view.sections, 1)
    ]


def text_help(view: views.SourceView) -> Nodes:
    """The switch between the two views, and the chapters."""
    chapters = [piece for id, name in view.chapters for piece in (within(id, name), " · ")][:-1]
    contents = para(span("Chapters", cls="rv-label"), " ", span(*chapters, lang=view.link.lang), cls="rv-chapters")
    return [*switch(), *([contents] if chapters else [])]


def statement_help() -> Nodes:
    """Why there is no text."""
    return [
        para(
            "This source is in copyright. What stands here are its rules in our own words, one point to a statement; "
            "words of the source itself stand in quotation marks and only where the wording is the point."
        )
    ]


def switch() -> Nodes:
    """Two views of the text; it works without a script, and both are there in any case."""
    choices = [
        choice("printed", "As printed", checked=True),
        choice("reading", "In today's spelling, emended"),
    ]
    return [markup_of("fieldset", markup_of("legend", "Show the text"), *choices, cls="rv-switch")]


def choice(value: str, label: str, checked: bool = False) -> Any:
    """One of the two."""
    more = {"checked": "checked"} if checked else {}
    button = markup_of("input", type="radio", name="rv-view", value=value, cls=f"rv-view-{value}", **more)
    return markup_of("label", button, f" {label}")


def line(one: views.Line) -> nodes.container:
    """A sentence: its place, its words, its translation, and what hangs on it."""
    opens = "rv-opens" if one.opens else ""
    made = block(
        place(one),
        *sides(one),
        block(*margin(one), cls="rv-margin"),
        cls=f"rv-line rv-line-{one.kind} {opens}",
    )
    return anchor(made, "sentence", one.id, one.id)


def place(one: views.Line) -> nodes.paragraph:
    """The number of a sentence, and the page that begins with it or in it."""
    number = one.id.partition(".")[2]
    page_: list[Content] = [span(f"p. {one.page}", cls="rv-page-number"), " "] if one.page else []
    return para(*page_, within(one.id, number, aria_label=f"sentence {one.id}"), cls="rv-place")


def sides(one: views.Line) -> Nodes:
    """The words and their translation; for a statement our words and the few of the source."""
    if one.kind == "statement":
        quote = [para("“", span(one.quote, lang=one.lang), "”", cls="rv-exact")] if one.quote else []
        return [block(para(one.paraphrase), *quote, cls="rv-side rv-statement")]
    return [
        block(*original(one), cls="rv-side rv-original", lang=one.lang),
        block(worded(one, foreign(one.translation)), cls="rv-side rv-english"),
    ]


def original(one: views.Line) -> Nodes:
    """The words of the source: as printed, and in today's spelling where that differs."""
    printed = [piece for part in one.parts for piece in PARTS.get(part.kind, plain_part)(part)]
    if not one.reading:
        return [worded(one, printed, level=3)]
    return [worded(one, printed, level=3, cls="rv-printed"), worded(one, [one.reading], cls="rv-reading", level=3)]


def worded(one: views.Line, pieces: Iterable[Content], cls: str = "", level: int = 0) -> nodes.Node:
    """Words as a paragraph, or as a heading where the source has one."""
    if one.kind in ("heading", "title") and level:
        return heading(level, *pieces, cls=cls)
    return para(*pieces, cls=cls)


def plain_part(part: Part) -> list[Content]:
    """Words as they are."""
    return [part.text]


def emended_part(part: Part) -> list[Content]:
    """A misprint as the page has it, marked, with the way to its emendation."""
    number = part.id.partition(".")[2]
    said = f"read: {part.corr or '(nothing)'}"
    mark_ = link("emendation", part.id, number, title=said, cls="rv-emendation-mark")
    return [span(part.text or "‸", cls="rv-sic", title=said), mark_]


def old_part(part: Part) -> list[Content]:
    """An old spelling; today's stands in the reading view."""
    return [part.sic]


def unclear_part(part: Part) -> list[Content]:
    """Words that cannot be read with certainty."""
    reason = part.reason or "not read with certainty"
    return [span(part.text, cls="rv-unclear", title=reason), unseen(f" ({reason})")]


def gap_part(part: Part) -> list[Content]:
    """Words that are lost."""
    return [span("[…]", cls="rv-gap", title=part.reason or "lost")]


def page_part(part: Part) -> list[Content]:
    """A new page begins."""
    return [span(f"|{part.n}|", cls="rv-break", title=f"page {part.n} begins", lang="en")]


def set_part(part: Part) -> list[Content]:
    """Words in another type."""
    return [emphasis(part.text)]


def foreign_part(part: Part) -> list[Content]:
    """Words in another language."""
    return [emphasis(part.text, lang=part.lang)]


PARTS: Mapping[str, Callable[[Part], list[Content]]] = {
    "choice": emended_part,
    "reg": old_part,
    "unclear": unclear_part,
    "gap": gap_part,
    "pb": page_part,
    "hi": set_part,
    "foreign": foreign_part,
}


def margin(one: views.Line) -> Iterator[nodes.Node]:
    """Clauses, deals, terms and notes at a sentence."""
    if one.chips:
        yield bullets([chip(each) for each in one.chips], cls="rv-chips")
    if one.deals:
        yield para(
            span("Deals", cls="rv-label"),
            " ",
            *[piece for each in one.deals for piece in (link("deal", each), ", ")][:-1],
        )
    yield from (note(each) for each in one.notes)


def chip(one: views.Chip) -> list[Content]:
    """A clause with the questions it answers."""
    siglum, _, number = one.clause.partition(".")
    said = joined(chip_answer(siglum, asked, short) for asked, short in one.answers)
    aside = f" {ROLES[one.role]}" if ROLES[one.role] else ""
    return [*said, " ", link("clause", one.clause, number, title=one.clause, cls="rv-id"), span(aside, cls="rv-small")]


def chip_answer(siglum: str, asked: views.QuestionLink, short: str) -> nodes.Node:
    """A question that is answered here, by its speaking name."""
    return link("cell", f"{asked.id}@{siglum}", asked.slug, title=f"{asked.asks} {short}", cls="rv-chip")


def note(one: views.NoteView) -> nodes.Node:
    """A note in the margin; of a long one the first sentence is seen, and the rest unfolds."""
    label = span("Emendation" if one.kind == "emendation" else "Note", cls="rv-label")
    rest = [details("more", para(*prose(one.rest)))] if one.rest else []
    made = block(para(label, " ", *on_what(one), *prose(one.first)), *rest, cls="rv-note")
    return anchor(made, "note", one.id, one.id)


def on_what(one: views.NoteView) -> list[Content]:
    """The emendation that a note is about."""
    if one.kind != "emendation":
        return []
    return [link("emendation", one.on, one.on.partition(".")[2]), " "]


def practice(view: views.SourceView) -> Nodes:
    """What was mended silently, and how the text was made."""
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    return [section("practice", "How this text was made", definitions(pairs, cls="rv-facts rv-practice"))]


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
    "source": source,
    "clauses": clauses,
    "question": question,
    "questions": questions,
    "matrix": matrix,
    "glance": glance,
    "pair": pair,
    "pairs": pairs,
    "silences": lists("silent", target=False),
    "inapplicable": inapplicable,
    "interpretations": lists("doubt", target=True),
    "emendations": emendations,
    "glossary": glossary,
    "rights": shares("Rights in", ("Layer", "Terms")),
    "people": shares("Hands in", ("Hand", "What it did")),
    "numbers": numbers,
    "sources": sources,
}
