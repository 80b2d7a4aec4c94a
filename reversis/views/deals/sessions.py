"""The page of the worked sessions: each as an account book, by the source that it belongs to and by the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.text.typography import curl_quotes
from edition.views.plain_answers import source_marks
from edition.views.play.lines import capitalize_seats
from engine.deal.model import Deal
from engine.session.record import Sitting
from engine.session.result_json import list_balances
from engine.session.session import Step
from reversis.files.drafts import list_playable_sources
from reversis.files.extras import get_deal_titles
from reversis.files.sessions import play_worked_session, read_playable_sessions
from reversis.views.page_template import page_renderer
from reversis.words.account_book import AccountBookLine, generate_account_lines, generate_session_remarks
from rulebook.model import Library
from rulebook.phrases import format_signed_sum
from rulebook.resolve import resolve


@dataclass(frozen=True, slots=True)
class SessionAccountBook:
    """Account book of a session by one source."""

    source: SourceMark
    unit: str
    lines: tuple[AccountBookLine, ...]
    remarks: tuple[str, ...]
    end: tuple[str, ...]  #: how each player stands at last, and what lies on the table


#: A worked session, its account books, the titles of its deals by id, and the arithmetic in words, by source.
SessionView: TypeAlias = tuple[Sitting, tuple[SessionAccountBook, ...], Mapping[str, str], Mapping[str, str]]


def sessions_view(corpus: Corpus, _: str = "") -> tuple[SessionView, ...]:
    """Every worked session under every source."""
    library = corpus.library
    sigla, marks = list_playable_sources(library), source_marks(corpus)
    titles = get_deal_titles(corpus)
    return tuple(
        (
            sitting,
            tuple(_build_account_book(library, marks[siglum], sitting, deals) for siglum in sigla),
            titles,
            {
                siglum: str(expected.get("reasoning", ""))
                for siglum, expected in sitting.expect.items()
                if isinstance(expected, Mapping)
            },
        )
        for sitting, deals in read_playable_sessions(library)
    )


def _get_reasoning(sitting: Sitting) -> Mapping[str, str]:
    expected = sitting.expect.items()
    return {siglum: str(figures.get("reasoning", "")) for siglum, figures in expected if isinstance(figures, Mapping)}


def _build_account_book(
    library: Library, mark: SourceMark, sitting: Sitting, deals: tuple[Deal, ...]
) -> SessionAccountBook:
    source, all_steps = library.sources[mark.siglum], play_worked_session(sitting, deals, resolve(library, mark.siglum))
    last = next(step.after for step in reversed(all_steps) if isinstance(step, Step))
    *seats, table_ = list_balances(last).values()
    all_ = tuple(line for step in all_steps for line in generate_account_lines(step))
    return SessionAccountBook(
        mark,
        source.unit,
        all_,
        tuple(generate_session_remarks(library, all_steps)),
        (*map(format_signed_sum, seats), str(table_)),
    )


# ---- layout
render_sessions = page_renderer(
    "sessions", note=lambda sitting: curl_quotes(sitting.note.strip())[0], players=capitalize_seats
)
