"""The whole book, as an EPUB has it: its contents in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.book.essays import ESSAYS, parse_essay
from edition.book.indexes import build_word_index
from edition.book.nodes import (
    BookContent,
    build_book_chapter,
    build_book_part,
    curl_quotation_marks,
    drop_screen_nodes,
    set_in_small_type,
    unfold_index,
)
from edition.book.questions import build_matrix_chapter, group_chapter
from edition.book.sources import source_chapter
from edition.corpus.corpus import Corpus, list_emendations
from edition.corpus.library_pages import BOOK_FOLDER
from edition.corpus.progress import format_collation
from edition.game import build_game_chapters
from edition.nodes.builders import (
    add_anchor,
    emphasis,
    external_link,
    fill_node,
    link,
    name_language,
    para,
    span,
    strong,
    table,
)
from edition.nodes.components import render_prose
from edition.text import answers as words
from edition.text.handwritten_pages import find_handwritten_page, list_page_folders
from edition.views import common as views
from edition.views.about.people import passes_view, people_view, rights_view
from edition.views.questions.silences import silences_view
from edition.views.sources.glossary import glossary_view, render_terms
from edition.views.sources.source_list import render_sources as sources_list
from edition.views.sources.source_list import sources_view
from rulebook.drafts import NOT_COLLATED, list_finished_sources
from rulebook.grouping import group_pairs
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_foreign_titles

EditionNumbers = tuple[tuple[str, str], ...]  #: counts of the edition, each with its label


def numbers_view(corpus: Corpus, _: str = "") -> EditionNumbers:
    """Count sources, sentences, questions, clauses, rivals and emendations."""
    library = corpus.library
    sources = [library.sources[siglum] for siglum in list_finished_sources(library)]
    begun = [f"{siglum} ({progress})" for siglum in library.sources if (progress := format_collation(library, siglum))]
    translated_sentences = sum(len(source.text.sentences) for source in sources if source.text and source.translation)
    rivals = sum(len(clause.alternatives) for clause in library.clauses())
    return (
        (str(len(sources)), f"sources{words.count_families(sources, ', in ')}"),
        (str(translated_sentences), "sentences with translation"),
        (str(len(library.questions)), "questions"),
        (str(sum(clause.status != NOT_COLLATED for clause in library.clauses())), "clauses"),
        (str(rivals), "other readings and options"),
        (str(sum(len(list_emendations(source)) for source in library.sources.values())), "emendations"),
        *([(str(len(begun)), f"begun and not counted: {', '.join(begun)}")] if begun else []),
    )


_Nodes = list[nodes.Node]


def assemble_book(corpus: Corpus) -> BookContent:
    """Assemble the whole book, with everything in it."""
    return compose_book(corpus, _build_parts(corpus))


def compose_book(corpus: Corpus, parts: Iterable[nodes.section]) -> BookContent:
    """Compose a book of its parts, without those that are empty."""
    sources, settings = sources_view(corpus), corpus.settings
    filled = tuple(part for part in parts if len(part.children) > 1)
    for part in filled:
        curl_quotation_marks(part)
    return BookContent(
        settings.title,
        corpus.say(settings.subtitle),
        f"the contributors to {settings.publisher}",
        passes_view(corpus),
        corpus.release,
        corpus.release.date or _find_last_consulted(corpus),
        tuple(
            (mark.siglum, mark.book, own, corpus.library.sources[mark.siglum].language) for mark, own, _, _ in sources
        ),
        tuple(_build_colophon(corpus)),
        filled,
        tuple(dict.fromkeys(("en", *(source.language for source in corpus.library.sources.values())))),
    )


def _find_last_consulted(corpus: Corpus) -> str:
    """The last day on which a source was consulted, by the records; empty if they name none."""
    days = (str(source.record.get("accessed", "")) for source in corpus.library.sources.values())
    return max((day for day in days if _DAY.fullmatch(day)), default="")


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _build_parts(corpus: Corpus) -> Iterator[nodes.section]:
    groups = views.group_questions(corpus)
    seen: set[str] = set()
    yield build_book_part(
        "part-reading",
        "Before reading",
        *build_own_essay_chapter(corpus, "reading.md", always=True),
        _build_numbers_chapter(corpus),
    )
    yield build_book_part(
        "part-sources", "The sources", *(source_chapter(corpus, siglum) for siglum in corpus.library.sources)
    )
    yield build_book_part(
        "part-questions",
        "The questions",
        *(group_chapter(corpus, group, [question.id for question in asked], seen) for group, asked in groups.items()),
    )
    yield build_book_part("part-matrix", "The matrix", build_matrix_chapter(corpus))
    yield build_book_part("part-silences", "What the books don't say", *_build_silence_chapters(corpus))
    yield from build_game_chapters(corpus, "whole book: after the silences")
    yield build_book_part(
        "part-costs",
        "What it comes to",
        *build_game_chapters(corpus, "whole book: before the essay on descent"),
        *build_descent_chapter(corpus),
    )
    yield build_book_part(
        "part-helps",
        "Words and books",
        build_glossary_chapter(corpus),
        *map(unfold_index, build_word_index(corpus, "Behind a word stand the sentences that have it.")),
        *map(unfold_index, build_game_chapters(corpus, "whole book: after the index of words")),
        *build_bibliography_chapter(corpus),
        build_people_chapter(corpus),
    )


def build_essay_chapter(corpus: Corpus, path: Path, always: bool = False) -> _Nodes:
    """Chapter from a page written by hand, if it is about these sources or belongs to every edition."""
    title, content = parse_essay(corpus, path)
    about = {
        reference["reftarget"]
        for node in content
        for reference in node.findall(pending_xref)
        if reference["reftype"] == "source"
    }
    known = about <= set(corpus.library.sources)  # an essay on other sources than these has no place here
    return [build_book_chapter(f"essay-{path.stem}", title, *content)] if known or always else []


def build_own_essay_chapter(corpus: Corpus, name: str, always: bool = False) -> _Nodes:
    """Chapter from an essay for the book: the library's, or else that of every edition, if there is one."""
    path = find_handwritten_page((ESSAYS, Path(corpus.library.root) / BOOK_FOLDER), name)
    return build_essay_chapter(corpus, path, always) if path else []


def build_descent_chapter(corpus: Corpus) -> _Nodes:
    """Chapter from a library's page on the descent of its sources, if it has one."""
    folders = list_page_folders(corpus.game, Path(corpus.library.root))
    path = find_handwritten_page(folders, "descent.md")
    return build_essay_chapter(corpus, path) if path else []


def _build_numbers_chapter(corpus: Corpus) -> nodes.section:
    counted = ", ".join(f"{number} {what}" for number, what in numbers_view(corpus))
    rows = sources_list(sources_view(corpus))
    return build_book_chapter("numbers", "What there is", *rows, para(f"Counted: {counted}."))


# --- doubt ------------------------------------------------------------------------------------------


def _build_silence_chapters(corpus: Corpus) -> Iterator[nodes.section]:
    for source, clauses in silences_view(corpus):
        rows = [row for clause in clauses for row in _build_silence_rows(clause)]
        silences = table("", ("Question", "We supply", "Ground and reason", "Clause"), rows)
        yield build_book_chapter(f"silences-{source.siglum}", f"{source.siglum}: {source.book}", silences)


def _build_silence_rows(clause: views.ClauseView) -> Iterator[tuple[object, ...]]:
    siglum = clause.source.siglum
    because = [f"From {clause.taken_from}. " if clause.taken_from else "", *render_prose(clause.because)]
    for answer in clause.answers:
        asked = answer.question
        supplied = answer.answer.full.rstrip(".") or words.format_short_answer(answer.answer, answer.unit)
        yield [_link_cell(asked, siglum), " ", asked.asks], supplied, because, [link("clause", clause.id)]
    for asked in clause.about:
        yield [_link_cell(asked, siglum), " ", asked.asks], "no answer", because, [link("clause", clause.id)]


def _link_cell(asked: views.QuestionLink, siglum: str) -> nodes.Node:
    return link("cell", f"{asked.id}@{siglum}", asked.id)


# --- the end ----------------------------------------------------------------------------------------


def build_glossary_chapter(corpus: Corpus) -> nodes.section:
    """The glossary with its places."""
    screen_nodes = drop_screen_nodes(render_terms(glossary_view(corpus)))
    return build_book_chapter("glossary", "Glossary", set_in_small_type(*screen_nodes))


def build_bibliography_chapter(corpus: Corpus) -> _Nodes:
    """The works that the sources and notes name."""
    works = _format_works(Path(corpus.library.root) / BIBLIOGRAPHY_FILE)
    entries = [add_anchor(para(*text, cls="bk-hang"), "work", key) for key, text in works]
    return [build_book_chapter("bibliography", "Bibliography", *entries)] if entries else []


def _format_works(path: Path) -> Iterator[tuple[str, _Nodes]]:
    from pybtex.database import parse_file
    from pybtex.plugin import find_plugin
    from pybtex_docutils import Backend

    if path.is_file():
        style = find_plugin("pybtex.style.formatting", "plain")()
        backend = Backend()
        foreign = read_foreign_titles(path)
        for entry in style.format_bibliography(parse_file(str(path), "bibtex")):
            words = fill_node(nodes.paragraph(), entry.text.render(backend))
            if entry.key in foreign:
                name_language(words, *foreign[entry.key])
            yield entry.key, list(words.children)


def build_people_chapter(corpus: Corpus) -> nodes.section:
    """Responsibilities and rights, source by source."""
    hands = [
        table(f"Hands in {view.source.siglum}", ("Hand", "What it did"), view.lines) for view in people_view(corpus)
    ]
    rights = table("Rights", ("Layer", "Terms", "Sources"), _build_rights_rows(corpus))
    lead = para(
        strong(passes_view(corpus)),
        " No person is named who did not do the work. A pass over the material is named as what it was: ",
        emphasis("ed1"),
        " is the first editorial pass, ",
        emphasis("ed2"),
        " the second, and so on; the tables say which passes a source has had, and what they did.",
    )
    return build_book_chapter("people", "Responsibilities and rights", lead, *hands, rights)


def _build_rights_rows(corpus: Corpus) -> Iterator[tuple[str, str, str]]:
    """Layers with their terms; sources with the same terms share a row."""
    lines = ((layer, (terms, view.source.siglum)) for view in rights_view(corpus) for layer, terms in view.lines)
    for layer, entries in group_pairs(lines).items():
        for at, (terms, some) in enumerate(group_pairs(entries).items()):
            yield layer if not at else "", terms, " ".join(some)


def _build_colophon(corpus: Corpus) -> Iterator[nodes.Node]:
    families = words.count_families(corpus.library.sources.values(), " in ")
    yield para(
        strong(f"{corpus.settings.title}, version {corpus.release.version}."),
        " Made from the records with the fingerprint ",
        span(corpus.library.digest.removeprefix("sha256:")[:16], cls="rv-small"),
        ".",
    )
    yield para(
        "Cite it as: ",
        f"{corpus.release.by}. ",
        emphasis(corpus.release.title),
        f". Version {corpus.release.version}, {corpus.release.dated}.",
        f" doi:{corpus.release.doi}." if corpus.release.doi else "",
        " Name a place by its number (a sentence, clause, question or deal), not by a page.",
    )
    yield para(
        f"{len(corpus.library.sources)} sources{families}. "
        "No page image of any source was seen for this edition; what each text rests on is stated at its head."
    )
    yield para(
        "The historical texts are in the public domain. Our encoding, translations, clauses, questions, notes and "
        "deals are published under the licence CC BY 4.0, to be attributed to ",
        f"the contributors to {corpus.settings.publisher}, with the version used. The quotations from a source in "
        "copyright belong to its author, are made for criticism and review, and are excluded from our licence.",
    )
    yield para(
        "Licence: ",
        external_link("https://creativecommons.org/licenses/by/4.0/", "creativecommons.org/licenses/by/4.0"),
        ".",
    )
    yield para(
        "On paper it is set in Junicode by Peter S. Baker, the signs of the suits in Libertinus (both under the SIL "
        "Open Font License)."
    )
