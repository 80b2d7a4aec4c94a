"""Quotations, letters, statuses and full words of all answers, as a script that a page fetches on demand.

A page opened from a folder may not read a file of data, but it may fetch a script.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edition.corpus.corpus import Corpus
from edition.game import view_panels
from edition.nodes.builders import DOMAIN
from edition.text.answers import SUMMARY, UNCONSULTED
from edition.views.common import QuotationView
from edition.views.questions.question import (
    CellView,
    build_cell_views,
    list_missing_quote_reasons,
    select_ground_quotations,
)
from rulebook.answers.wording import format_answer
from rulebook.model import Question

ANSWER_WORDS = "answers-words.js"

_GetAddress = Callable[[str], str]  # address of a sentence


def write_answer_words(app: Any, corpus: Corpus, into: Path) -> None:
    """Write the script beside the other scripts of the site."""
    places = app.env.get_domain(DOMAIN).data["places"]

    def address(locus: str) -> str:
        page, anchor, _ = places.get(("sentence", locus), ("", "", ""))
        return f"{app.builder.get_target_uri(page)}#{anchor}" if page else ""

    answers = json.dumps(build_answer_words(corpus, address), ensure_ascii=False, separators=(",", ":"))
    into.mkdir(parents=True, exist_ok=True)
    (into / ANSWER_WORDS).write_text(f"globalThis.EDITION_ANSWERS = {answers};\n", encoding="utf-8", newline="\n")


def build_answer_words(corpus: Corpus, address: _GetAddress) -> dict[str, Any]:
    """All questions by id: the answers in the order of the sources, and what each pair of answers costs."""
    return {
        question.id: _describe_question(corpus, question, address) for question in corpus.library.questions.values()
    }


def _describe_question(corpus: Corpus, question: Question, address: _GetAddress) -> dict[str, Any]:
    prices = [price for panel in view_panels(corpus, "answer-prices", question.id) for price in panel.record]
    return {
        "answers": [_describe_cell(corpus, question, view, address) for view in build_cell_views(corpus, question)],
        "prices": prices,
    }


def _describe_cell(corpus: Corpus, question: Question, view: CellView, address: _GetAddress) -> dict[str, Any]:
    cell = corpus.cell(view.source.siglum, question.slug)
    answer = format_answer(question, cell.value, corpus.library) if cell and cell.value is not None else None
    quotes = select_ground_quotations(view)
    reasons = () if quotes else list_missing_quote_reasons(view)
    entries = {
        "letter": view.mark.letter,
        "status": "supplied"
        if view.supplied
        else UNCONSULTED
        if view.partial and view.status == "silent"
        else view.status,
        "cert": view.cert,
        "full": answer.full if answer else "",
        "quotes": [_describe_quotation(each, address) for each in quotes],
        "reasons": ["".join(run.words for run in runs) for runs in reasons],
        "unplayed": view.unplayed,
    }
    return {name: value for name, value in entries.items() if value}


def _describe_quotation(quote: QuotationView, address: _GetAddress) -> dict[str, Any]:
    """A quotation; words that the translation keeps have their language."""
    entries = {
        "exact": quote.exact,
        "lang": quote.lang,
        "english": [[text, lang] if lang else text for text, lang, _ in quote.translation if text.strip()],
        "summary": f"{SUMMARY}: {quote.paraphrase}" if quote.paraphrase else "",
        "place": f"{quote.locus} to {quote.to}" if quote.to else quote.locus,
        "page": quote.page,
        "at": address(quote.locus),
    }
    return {name: value for name, value in entries.items() if value}
