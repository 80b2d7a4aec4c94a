"""Home page: the books, and what comparing them shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.progress import format_reservations
from edition.game import PanelView, view_panels
from edition.nodes.builders import (
    Content,
    block,
    para,
    strong,
)
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import (
    FamilyAgreement,
    classify_agreement,
    count_agreement_by_family,
)
from edition.views.layout import LANGUAGE_NAMES
from edition.views.plain_answers import source_marks
from rulebook.model import Source
from rulebook.phrases import format_count


# ---- the books
@dataclass(frozen=True, slots=True)
class HomeBook:
    """Source as the home page shows it."""

    source: SourceMark
    title: str  #: in its own language
    lang: str
    language: str
    here: str  #: how much of it is here
    begun: str  #: how far, where it is a draft; and what is not played of it
    panels: tuple[PanelView, ...]  #: links beside that to the source


def home_books_view(corpus: Corpus, _: str = "") -> tuple[HomeBook, ...]:
    """All sources, each with its title, its language and what of it is here."""
    marks = source_marks(corpus)
    return tuple(
        HomeBook(
            marks[source.siglum],
            str(source.record.get("title", source.title)),
            source.language,
            LANGUAGE_NAMES.get(source.language, source.language),
            _describe_text(source),
            format_reservations(corpus.library, source.siglum),
            view_panels(corpus, "home-book", source.siglum),
        )
        for source in corpus.library.sources.values()
    )


def _describe_text(source: Source) -> str:
    """Describe how much of the words of a source is here."""
    if source.text:
        with_translation = " with translation" if source.translation else ""
        return f"{format_count(len(source.text.sentences), 'sentence')}{with_translation}"
    return "in our own words, since it is in copyright" if source.statements else "its words are not here yet"


render_home_books = template_renderer("edition", "home-books")


# ---- what comparing them shows
@dataclass(frozen=True, slots=True)
class HomeFindingsView:
    """Findings in numbers."""

    sources: int
    questions: int
    differ: int
    agree: int
    alone: int  #: questions of which at most one book speaks
    families: FamilyAgreement
    readings: int
    choice: str  #: what of the readings is a choice, and what can be done with them, where the game says it
    panels: tuple[PanelView, ...]


def home_findings_view(corpus: Corpus, _: str = "") -> HomeFindingsView:
    """Count the questions on which the books differ, and the passages that can be read in another way."""
    kinds = Counter(classify_agreement(corpus, question) for question in corpus.library.questions.values())
    readings = sum(len(clause.alternatives) for clause in corpus.library.clauses())
    questions = len(corpus.library.questions)
    return HomeFindingsView(
        len(corpus.library.sources),
        questions,
        kinds["differ"],
        kinds["agree"],
        questions - kinds["differ"] - kinds["agree"],
        count_agreement_by_family(corpus),
        readings,
        next((panel.record for panel in view_panels(corpus, "home-readings")), ""),
        view_panels(corpus, "home-findings"),
    )


render_home_findings = template_renderer("edition", "home-findings")


def render_finding(number: str, *sentence: Content) -> nodes.container:
    """Render one finding: a number and a sentence."""
    return block(para(strong(number)), para(*sentence))
