"""What stands in the book, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.analysis.costs import cost_line, find_costs
from edition.book.deals import deal_chapters
from edition.book.essays import ESSAYS, essay
from edition.book.nodes import Book, chapter, curled, part, small, unfolded
from edition.book.questions import group_chapter, matrix
from edition.book.sources import source_chapter
from edition.corpus.corpus import Corpus
from edition.nodes.builders import anchor, emphasis, link, outward, para, span, strong, table
from edition.settings import PAGES, SETTINGS
from edition.text import answers as words
from edition.views import common as views
from edition.views.about.numbers import numbers_view
from edition.views.about.people import Shares, people_view, rights_view
from edition.views.layout import prose
from edition.views.questions.silences import silences_view
from edition.views.rules import rules as howto
from edition.views.sources.glossary import glossary_view
from edition.views.sources.glossary import render_glossary as glossary_list
from edition.views.sources.source_list import render_sources as sources_list
from edition.views.sources.source_list import sources_view
from rulebook import __version__

Nodes = list[nodes.Node]

TITLE = "Reversis"


def book(corpus: Corpus) -> Book:
    """The whole book."""
    sources = sources_view(corpus)
    found = tuple(one for one in parts(corpus) if len(one.children) > 1)
    for one in found:
        curled(one)
    return Book(
        TITLE,
        subtitle(len(sources)),
        str(SETTINGS["author"]),
        __version__,
        tuple((link_.siglum, link_.title, own) for link_, own, _, _ in sources),
        tuple(colophon(corpus)),
        found,
        tuple(dict.fromkeys(("en", *(source.language for source in corpus.library.sources.values())))),
    )


def subtitle(number: int) -> str:
    """The subtitle, with as many sources as there are."""
    spelt = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}.get(number, str(number))
    return f"{spelt} sources on the card game, edited, compared and played".capitalize()


def parts(corpus: Corpus) -> Iterator[nodes.section]:
    """Part after part."""
    groups = views.by_group(corpus)
    seen: set[str] = set()
    yield part("part-reading", "Before reading", *written(corpus, ESSAYS / "reading.md"), what_there_is(corpus))
    yield part("part-sources", "The sources", *(source_chapter(corpus, siglum) for siglum in corpus.library.sources))
    yield part(
        "part-questions",
        "The questions",
        *(group_chapter(corpus, group, [one.id for one in asked], seen) for group, asked in groups.items()),
    )
    yield part("part-matrix", "The matrix", matrix(corpus))
    yield part("part-silences", "Silences and supplied readings", *silences(corpus))
    yield part("part-howto", "How to play it", *(how(corpus, siglum) for siglum in corpus.library.sources))
    yield part("part-deals", "The worked deals", *deal_chapters(corpus))
    yield part("part-costs", "What it comes to", *costs(corpus), *written(corpus, PAGES / "descent.md"))
    yield part("part-helps", "Words and books", glossary(corpus), *bibliography(corpus), people(corpus))


def written(corpus: Corpus, path: Path) -> Nodes:
    """A page written by hand, as a chapter, if it is about these sources."""
    title, content = essay(corpus, path)
    about = {one["reftarget"] for node in content for one in node.findall(pending_xref) if one["reftype"] == "source"}
    known = about <= set(corpus.library.sources)  # an essay on other sources than these has no place here
    return [chapter(f"essay-{path.stem}", title, *content)] if known or path.parent == ESSAYS else []


def what_there_is(corpus: Corpus) -> nodes.section:
    """The sources in a row, and what there is, counted."""
    counted = ", ".join(f"{number} {what}" for number, what in numbers_view(corpus).lines)
    rows = sources_list(sources_view(corpus))
    return chapter("numbers", "What there is", *rows, para(f"Counted: {counted}."))


# --- doubt ------------------------------------------------------------------------------------------


def silences(corpus: Corpus) -> Iterator[nodes.section]:
    """Where each source says nothing, and what we supply."""
    for source, found in silences_view(corpus):
        if found:
            rows = [row for one in found for row in silence(one)]
            made = table("", ("Question", "We supply", "Whence and why", "Clause"), rows)
            yield chapter(f"silences-{source.siglum}", f"{source.siglum}: {source.title}", made)


def silence(one: views.ClauseView) -> Iterator[tuple[object, ...]]:
    """One silence, question by question."""
    siglum = one.source.siglum
    because = [f"from {one.taken_from}. " if one.taken_from else "", *prose(one.because)]
    for said in one.answers:
        asked = said.question
        supplied = words.with_counter(said.answer, said.unit)
        yield [cell(asked, siglum), " ", asked.asks], supplied, because, [link("clause", one.id)]
    for asked in one.about:
        yield [cell(asked, siglum), " ", asked.asks], "nothing", because, [link("clause", one.id)]


def cell(asked: views.QuestionLink, siglum: str) -> nodes.Node:
    """The way to what a source says on a question."""
    return link("cell", f"{asked.id}@{siglum}", asked.id)


# --- play -------------------------------------------------------------------------------------------


def how(corpus: Corpus, siglum: str) -> nodes.section:
    """How to play it by one source."""
    (page,) = howto.howto(howto.howto_view(corpus, siglum))
    assert isinstance(page, nodes.section)
    title, *content = page.children
    made = chapter(f"howto-{siglum}", title.astext(), *unfolded(content), short=f"How to play it: {siglum}")
    return anchor(made, "howto", siglum)


def costs(corpus: Corpus) -> Nodes:
    """What the disagreements cost, question by question; nothing where no survey was made."""
    lines = [(one, cost_line(corpus.surveys, find_costs(corpus), one)) for one in corpus.library.questions.values()]
    rows = [
        ([link("question", one.id, one.id), " ", one.asks], line.words.partition(": ")[2])
        for one, line in lines
        if line and line.weighed
    ]
    made = table(
        "What each disagreement costs at the table",
        ("Question", "Another source's answer moves at most, of the opening pool in a deal on the mean"),
        rows,
    )
    return [chapter("costs", "What each disagreement costs", para(COSTS), made)] if rows else []


COSTS = (
    "Many deals were dealt by lot, exchanged and played at a table of each source by its own rules, and the same "
    "cards as they were played were then priced under every disagreement. What differs is told in counters moved: "
    "so many would have to change hands to make the one result of the other, as a share of what lies in the pool "
    "before the deal. Every figure is an estimate from a sample; the edition for the screen tells how sure each "
    "is, who plays, and what no such deal can show."
)


# --- the end ----------------------------------------------------------------------------------------


def glossary(corpus: Corpus) -> nodes.section:
    """The words of the game."""
    return chapter("glossary", "Glossary", small(*unfolded(glossary_list(glossary_view(corpus)))))


def bibliography(corpus: Corpus) -> Nodes:
    """The works, as the list of the site has them."""
    entries = [work(key, text) for key, text in formatted(Path(corpus.library.root) / "bibliography.bib")]
    return [chapter("bibliography", "Bibliography", *entries)] if entries else []


def formatted(path: Path) -> Iterator[tuple[str, Nodes]]:
    """Every work in the style of the bibliography."""
    from pybtex.database import parse_file
    from pybtex.plugin import find_plugin
    from pybtex_docutils import Backend

    if path.is_file():
        style = find_plugin("pybtex.style.formatting", "plain")()
        backend = Backend()
        for one in style.format_bibliography(parse_file(str(path), "bibtex")):
            yield one.key, one.text.render(backend)


def work(key: str, text: Iterable[nodes.Node]) -> nodes.paragraph:
    """One work."""
    return anchor(para(*text, cls="bk-hang"), "work", key)


def people(corpus: Corpus) -> nodes.section:
    """Who did what, and who may do what."""
    hands = [shares("Hands", one) for one in people_view(corpus)]
    rights = [shares("Rights", one) for one in rights_view(corpus)]
    lead = para(
        "No person is named who did not do the work. A pass over the material is named as what it was: ",
        emphasis("ed1"),
        " is the first editorial pass, ",
        emphasis("ed2"),
        " coded the sources a second time without having seen the first coding, ",
        emphasis("ed3"),
        " read translations, notes and clauses once more against the originals.",
    )
    return chapter("people", "Responsibilities and rights", lead, *hands, *rights)


def shares(what: str, one: Shares) -> nodes.table:
    """A small table for one source."""
    head = {"Hands": ("Hand", "What it did"), "Rights": ("Layer", "Terms")}[what]
    return table(f"{what} in {one.source.siglum}", head, one.lines)


def colophon(corpus: Corpus) -> Iterator[nodes.Node]:
    """The back of the title page: version, rights, letters."""
    families = {words.family(source) for source in corpus.library.sources.values()}
    yield para(
        strong(f"{TITLE}, version {__version__}."),
        " Made from the records with the fingerprint ",
        span(corpus.library.digest.removeprefix("sha256:")[:16], cls="rv-small"),
        ".",
    )
    yield para(
        f"{len(corpus.library.sources)} sources in {words.plural(len(families), 'family', 'families')}. No page image "
        "of any source was seen for this edition; what each text rests on is told at its head."
    )
    yield para(
        "The historical texts are in the public domain. Our encoding, translations, clauses, questions, notes and "
        "deals are published under the licence CC BY 4.0, to be attributed to ",
        f"{SETTINGS['author']}, with the version used. The quotations from a source in copyright belong to its "
        "author, are made for criticism and review, and are excluded from our licence.",
    )
    yield para(
        "Licence: ", outward("https://creativecommons.org/licenses/by/4.0/", "creativecommons.org/licenses/by/4.0"), "."
    )
    yield para(
        "On paper it is set in Junicode by Peter S. Baker, the signs of the suits in Libertinus (both under the SIL "
        "Open Font License)."
    )
