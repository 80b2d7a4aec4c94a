"""The page of the worked sessions: each as an account book, by the source that it belongs to and by the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, code, details, link, para, section, table
from edition.nodes.components import SourceMark, source_chip
from edition.text.typography import curl_quotes, use_minus_signs
from edition.views.layout import Nodes, join_content
from edition.views.plain_answers import source_marks
from engine.deal.model import Deal
from engine.session.record import Sitting
from engine.session.result_json import list_balances
from engine.session.session import Step
from reversis.files.drafts import list_playable_sources
from reversis.files.extras import get_deal_titles
from reversis.files.sessions import play_worked_session, read_playable_sessions
from reversis.views.deals.ledger import capitalize_seats
from reversis.words.account_book import AccountBookLine, generate_account_lines, generate_session_remarks
from reversis.words.ledgers import format_signed_sum
from rulebook.model import Library
from rulebook.phrases import pluralize_counter
from rulebook.resolve import resolve
from rulebook.strings import slugify_text


@dataclass(frozen=True, slots=True)
class SessionAccountBook:
    """Account book of a session by one source."""

    source: SourceMark
    unit: str
    lines: tuple[AccountBookLine, ...]
    remarks: tuple[str, ...]
    end: tuple[str, ...]  #: how each player stands at last, and what lies on the table


@dataclass(frozen=True, slots=True)
class SessionView:
    """A worked session with its account books."""

    sitting: Sitting
    books: tuple[SessionAccountBook, ...]
    titles: Mapping[str, str]  #: of the deals, by id

    @property
    def reasoning(self) -> Mapping[str, str]:
        """By source for which it was worked out by hand: the arithmetic in words."""
        expected = self.sitting.expect.items()
        return {siglum: str(one.get("reasoning", "")) for siglum, one in expected if isinstance(one, Mapping)}


def sessions_view(corpus: Corpus, _: str = "") -> tuple[SessionView, ...]:
    """Every worked session under every source."""
    library = corpus.library
    sigla, marks = list_playable_sources(library), source_marks(corpus)
    titles = get_deal_titles(corpus)
    return tuple(
        SessionView(
            sitting, tuple(_build_account_book(library, marks[siglum], sitting, deals) for siglum in sigla), titles
        )
        for sitting, deals in read_playable_sessions(library)
    )


def _build_account_book(
    library: Library, mark: SourceMark, sitting: Sitting, deals: tuple[Deal, ...]
) -> SessionAccountBook:
    source, found = library.sources[mark.siglum], play_worked_session(sitting, deals, resolve(library, mark.siglum))
    last = next(one.after for one in reversed(found) if isinstance(one, Step))
    *seats, table_ = list_balances(last).values()
    all_ = tuple(line for one in found for line in generate_account_lines(one))
    return SessionAccountBook(
        mark,
        source.unit,
        all_,
        tuple(generate_session_remarks(library, found)),
        (*map(format_signed_sum, seats), str(table_)),
    )


# ---- layout
def render_sessions(views: tuple[SessionView, ...]) -> Nodes:
    """Render all worked sessions."""
    return [_render_session(view) for view in views]


def _render_session(view: SessionView) -> nodes.section:
    sitting, reasoning = view.sitting, view.reasoning
    cited = join_content(link("sentence", one) for one in sitting.cites)
    command = code(f"reversis session {sitting.id}")
    note, _ = curl_quotes(sitting.note.strip())
    parts: list[Content] = [para(f"{note} It illustrates ", *cited, "."), _render_final_standings(view)]
    for book in view.books:
        if book.source.siglum in reasoning:
            parts += [account_book(view, book), *(para(each, cls="rv-small") for each in book.remarks)]
    worked = (capitalize_seats(use_minus_signs(words), sitting.seats) for words in reasoning.values() if words)
    sums = [details("The arithmetic", para(words)) for words in worked]
    parts += [*sums, para("On the command line: ", command, ".", cls="rv-small")]
    return section(sitting.id, sitting.title, *parts, cls="rv-session")


def account_book(view: SessionView, book: SessionAccountBook) -> nodes.table:
    """Every movement, and how all stand after each deal."""
    sitting = view.sitting
    head = ("What is paid", *map(str.capitalize, sitting.seats), "On the table", "Rests on")
    rows = [
        (
            [*_format_account_line_words(line, view)],
            *map(use_minus_signs, (*line.sums, line.table)),
            [*format_account_line_grounds(line)],
        )
        for line in book.lines
    ]
    unit = pluralize_counter(book.unit)
    made = table(f"The account book by {book.source.name}, in {unit}", head, rows, cls="rv-figures rv-account")
    return _keep_address(made, f"{sitting.title}: the account book by {book.source.siglum}, in {unit}")


def _keep_address(made: nodes.table, caption: str) -> nodes.table:
    """Give a table the address of the caption under which it was first published."""
    made["ids"] = [f"table-{slugify_text(caption)}"]
    return made


def _format_account_line_words(line: AccountBookLine, view: SessionView) -> Iterator[Content]:
    yield capitalize_seats(line.words, view.sitting.seats)
    if line.deal:
        yield from (": ", link("deal", line.deal, view.titles.get(line.deal, line.deal)))


def format_account_line_grounds(line: AccountBookLine) -> Iterator[Content]:
    """Clauses on which an account line rests; those that we supply are marked."""
    yield from join_content(
        (link("clause", id, f"{id} (our assumption)" if ours else id) for id, ours in line.clauses), " "
    )
    yield line.beside


def _render_final_standings(view: SessionView) -> nodes.table:
    rows = [
        ([source_chip(one.source)], *map(use_minus_signs, one.end), pluralize_counter(one.unit)) for one in view.books
    ]
    head = ("Book", *map(str.capitalize, view.sitting.seats), "On the table", "In")
    made = table("Result by each book", head, rows, cls="rv-figures rv-account")
    return _keep_address(made, f"{view.sitting.title}: how all stand in the end, by each source")
