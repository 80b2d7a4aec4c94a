"""The sources in the book: what is known of each, its text with the translation facing, and notes at the foot.

In the text stands what we read; where the page has something else, that is said at the foot, keyed to the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from docutils import nodes

from edition.book.nodes import OURS, chapter, facing, footnote, row, side, small
from edition.corpus.corpus import Corpus, emendations
from edition.nodes.builders import Content, anchor, definitions, emphasis, heading, link, para, section, span, strong
from edition.views import common as views
from edition.views.layout import foreign, joined, prose
from edition.views.sources import source as texts
from rulebook.text import Emendation, Part

Nodes = list[nodes.Node]
Notes = Mapping[str, tuple[views.NoteView, ...]]  #: emendation -> the notes on it


def source_chapter(corpus: Corpus, siglum: str) -> nodes.section:
    """A source as a chapter of the book."""
    view = texts.source_view(corpus, siglum)
    title = f"{siglum}: {view.link.title}"
    about: Nodes = [para(*prose(one)) for one in view.introduction]
    record = small(definitions([(label, prose(said)) for label, said in view.record], cls="rv-facts"))
    made = chapter(
        f"source-{siglum}",
        title,
        para(emphasis(view.full_title, lang=view.link.lang), cls="bk-own-title"),
        *about,
        section(f"exemplar-{siglum}", "What is known of it", record),
        words_of(corpus, view),
        *practice(view),
    )
    return anchor(made, "source", siglum, title)


def words_of(corpus: Corpus, view: texts.SourceView) -> nodes.section:
    """The text and its translation, or the statements."""
    siglum = view.link.siglum
    mended = {one.id: one for one in emendations(corpus.library.sources[siglum])}
    if view.quoted:
        matters = [
            piece for one in view.chapters for piece in (heading(4, one.title), facing(map(statement, one.lines)))
        ]
        return section(f"text-{siglum}", "Statements", para(IN_COPYRIGHT), *matters)
    chapters = [facing(sentence(line, mended) for line in one.lines) for one in view.chapters]
    return section(f"text-{siglum}", "Text and translation", *chapters)


IN_COPYRIGHT = (
    "This source is in copyright, and its text is not printed here. What stands below are its rules in our own words, "
    "one point to a statement; words of the source stand in quotation marks, and only where the wording is the point."
)


def practice(view: texts.SourceView) -> Nodes:
    """How the text was made."""
    if not view.mended:
        return []
    pairs = [("Mended silently", view.mended), *view.practice]
    facts = small(definitions(pairs, cls="rv-facts"))
    return [section(f"practice-{view.link.siglum}", "How this text was made", facts)]


# --- a sentence -------------------------------------------------------------------------------------


def sentence(line: texts.Line, mended: Mapping[str, Emendation]) -> nodes.container:
    """A sentence, its notes, its translation, and the questions that it answers."""
    title = line.kind in ("heading", "title")
    on = {one.id: one.notes for one in line.mended}
    words = [piece for part in line.parts for piece in printed(part, mended, on)]
    kind = "title" if title else "text"
    made = row(
        [line.id.partition(".")[2]],
        side(*page_mark(line), *words, *(remark(one) for one in line.notes), lang=line.lang, kind=kind),
        side(*foreign(line.translation), *answered(line), kind=kind),
    )
    return anchored(made, line)


def statement(line: texts.Line) -> nodes.container:
    """A statement in our words, and the few words of the source."""
    quote: list[Content] = [" “", span(line.quote, lang=line.lang), "”"] if line.quote else []
    words = side(line.paraphrase, *quote, *(remark(one) for one in line.notes), *answered(line))
    return anchored(row([line.id.partition(".")[2]], words), line)


def anchored(made: nodes.container, line: texts.Line) -> nodes.container:
    """A row at which its sentence and its notes can be found."""
    anchor(made, "sentence", line.id)
    for one in (*line.notes, *(note for each in line.mended for note in each.notes)):
        anchor(made, "note", one.id)
    return made


def page_mark(line: texts.Line) -> list[Content]:
    """The page that begins with the sentence."""
    within = {part.n for part in line.parts if part.kind == "pb"}
    return [span(f"[p. {page}] ", cls="rv-break", lang="en") for page in line.pages if page not in within]


def answered(line: texts.Line) -> list[Content]:
    """The questions that a sentence answers, in small type behind it."""
    siglum = line.id.partition(".")[0]
    asked = dict.fromkeys(one.answered.question.id for one in line.asked)
    refs = (link("cell", f"{name}@{siglum}", name) for name in asked)
    return [" ", span(*joined(refs, " "), cls="rv-grounds")] if asked else []


def remark(one: views.NoteView) -> nodes.inline:
    """A note of ours at the foot of the page."""
    return footnote(span(*prose(one.first), " ", *prose(one.rest), cls=OURS, lang="en"))


# --- words ------------------------------------------------------------------------------------------


def printed(part: Part, mended: Mapping[str, Emendation], notes: Notes) -> list[Content]:
    """Some words as the book has them."""
    if part.kind == "choice":
        return emended(part, mended.get(part.id), notes.get(part.id, ()))
    return PARTS.get(part.kind, plain)(part)


def emended(part: Part, one: Emendation | None, notes: Iterable[views.NoteView]) -> list[Content]:
    """What we read; at the foot what the page has, how sure we are, and why."""
    lemma: list[Content] = [strong(part.id.partition(".")[2]), " ", part.corr or "(nothing)", "] "]
    page: list[Content] = [emphasis(part.sic or "(nothing)"), span(" the page", lang="en")]
    sure = f"; certainty {one.cert}, evidence {one.evidence}, {one.resp.removeprefix('#')}." if one else "."
    because = [piece for each in notes for piece in (" ", *prose(each.first), " ", *prose(each.rest))]
    known = footnote(*lemma, *page, span(sure, *because, cls=OURS, lang="en"))
    anchor(known, "emendation", part.id)
    words: list[Content] = [span(part.corr, cls="bk-corr")] if part.corr else []
    return [*words, known]


def plain(part: Part) -> list[Content]:
    """Words as they are."""
    return [part.text]


def unclear(part: Part) -> list[Content]:
    """Words that cannot be read with certainty."""
    reason = f"Not read with certainty: {part.reason}." if part.reason else "Not read with certainty."
    return [span(part.text, cls="rv-unclear"), footnote(span(reason, lang="en"))]


def gap(part: Part) -> list[Content]:
    """Words that are lost."""
    return ["[…]", footnote(span(part.reason or "Lost", ".", lang="en"))]


def turned_page(part: Part) -> list[Content]:
    """A new page begins."""
    return [span(f"[p. {part.n}] ", cls="rv-break", lang="en")]


PARTS: Mapping[str, Callable[[Part], list[Content]]] = {
    "unclear": unclear,
    "gap": gap,
    "pb": turned_page,
    "hi": lambda part: [emphasis(part.text)],
    "foreign": lambda part: [emphasis(part.text, lang=part.lang)],
}


# --- all emendations --------------------------------------------------------------------------------


def emended_words(corpus: Corpus) -> Iterator[Emendation]:
    """Every emendation of the edition."""
    for source in corpus.library.sources.values():
        yield from emendations(source)
