"""The page of the worked sessions: each as an account book, by the source that it belongs to and by the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.account_book import Line, lines, remarks
from edition.analysis.ledgers import signed
from edition.corpus.corpus import Corpus
from edition.data.drafts import playable
from edition.data.sessions import played, sat
from edition.nodes.builders import Content, code, link, para, section, span, table
from edition.text.answers import counters_of
from edition.views.layout import Nodes, joined
from engine.session.record import Sitting
from engine.session.result_json import standing
from engine.session.session import NotCounted, Step
from rulebook.model import Library
from rulebook.resolve import resolve


@dataclass(frozen=True, slots=True)
class Book:
    """A session by one source."""

    source: str
    title: str
    unit: str
    lines: tuple[Line, ...]
    remarks: tuple[str, ...]
    end: tuple[str, ...]  #: how each player stands at last, and what lies on the table


@dataclass(frozen=True, slots=True)
class SessionView:
    """A worked session: what it is there for, and its account books."""

    id: str
    title: str
    note: str
    cites: tuple[str, ...]
    seats: tuple[str, ...]
    books: tuple[Book, ...]
    reasoning: tuple[tuple[str, str], ...]  #: by source: the arithmetic in words

    @property
    def own(self) -> tuple[str, ...]:
        """The sources for which it was worked out by hand."""
        return tuple(siglum for siglum, _ in self.reasoning)


def sessions_view(corpus: Corpus, _: str = "") -> tuple[SessionView, ...]:
    """Every worked session under every source."""
    return tuple(view_of(corpus.library, sitting, deals) for sitting, deals in sat(corpus.library))


def view_of(library: Library, sitting: Sitting, deals: Any) -> SessionView:
    """One session."""
    books = (book_of(library, siglum, played(sitting, deals, resolve(library, siglum))) for siglum in playable(library))
    told = {siglum: expected for siglum, expected in sitting.expect.items() if isinstance(expected, Mapping)}
    reasoning = tuple((siglum, str(expected.get("reasoning", ""))) for siglum, expected in told.items())
    return SessionView(
        sitting.id, sitting.title, sitting.note.strip(), sitting.cites, sitting.seats, tuple(books), reasoning
    )


def book_of(library: Library, siglum: str, found: tuple[Step | NotCounted, ...]) -> Book:
    """What one source makes of it."""
    source = library.sources[siglum]
    last = next(one.after for one in reversed(found) if isinstance(one, Step))
    *seats, table_ = standing(last).values()
    all_ = tuple(line for one in found for line in lines(one))
    return Book(
        siglum, source.title, source.unit, all_, tuple(remarks(library, found)), (*map(signed, seats), str(table_))
    )


# ---- layout
def sessions(views: tuple[SessionView, ...]) -> Nodes:
    """All the worked sessions."""
    return [one_session(view) for view in views]


def one_session(view: SessionView) -> nodes.section:
    """One session: the account book by its own source, and how all stand at last by every source."""
    words: list[Content] = [f"{view.note} It illustrates ", *joined(link("sentence", one) for one in view.cites), ". "]
    words += ["On the command line: ", code(f"reversis session {view.id}"), "."]
    parts: list[Content] = [para(*words)]
    for book in view.books:
        if book.source in view.own:
            parts += [account_book(view, book), *(para(each, cls="rv-small") for each in book.remarks)]
    parts += [para(span("The reckoning", cls="rv-label"), f" {words}") for _, words in view.reasoning if words]
    return section(view.id, view.title, *parts, in_the_end(view), cls="rv-session")


def account_book(view: SessionView, book: Book) -> nodes.table:
    """Every movement, and how all stand after each deal."""
    head = ("What passes", *view.seats, "On the table", "Rests on")
    rows = [([*what(line)], *line.sums, line.table, [*rests(line)]) for line in book.lines]
    return table(
        f"{view.title}: the account book by {book.source}, in {counters_of(book.unit)}", head, rows, cls="rv-stack"
    )


def what(line: Line) -> Iterator[Content]:
    """What a line tells; a deal leads to its page."""
    yield line.words
    if line.deal:
        yield from (": ", link("deal", line.deal))


def rests(line: Line) -> Iterator[Content]:
    """The clauses it rests on; those that we supply are marked."""
    yield from joined((link("clause", id, f"{id} (supplied)" if ours else id) for id, ours in line.clauses), " ")
    yield line.beside


def in_the_end(view: SessionView) -> nodes.table:
    """How all stand at last by each source."""
    rows = [
        ([link("source", one.source, one.source, title=one.title)], *one.end, counters_of(one.unit))
        for one in view.books
    ]
    head = ("Source", *view.seats, "On the table", "In")
    return table(f"{view.title}: how all stand in the end, by each source", head, rows, cls="rv-results")


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"sessions": sessions_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"sessions": sessions}
