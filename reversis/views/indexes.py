"""Indices of cards and amounts: all of it looked up, nothing written down.

What a card is called stands in `sources/indices.yaml`; amounts come from the answers of the clauses and from the
numbers that the sources print about their own game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    span,
)
from edition.nodes.components import SourceMark
from edition.text.folding import fold_text, same_words
from edition.views.common import QuestionLink, question_link
from edition.views.layout import LANGUAGE_NAMES, join_content
from edition.views.plain_answers import source_marks
from edition.views.sources.names_index import list_indexed_texts
from edition.views.sources.word_index import group_by_id_source
from reversis.files.extras import get_deals
from reversis.views.page_template import page_renderer
from rulebook.grouping import group_pairs
from rulebook.model import Clause, Question, Source, Value
from rulebook.schema.reference_records import IndexCardRecord

BySiglum = tuple[tuple[str, tuple[str, ...]], ...]

# --- cards ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardView:
    """A card with all that speaks of it."""

    id: str
    name: str
    called: tuple[tuple[str, str], ...]  #: (language, word)
    questions: tuple[QuestionLink, ...]
    clauses: BySiglum
    sentences: BySiglum
    deals: tuple[str, ...]


def cards_view(corpus: Corpus, _: str = "") -> tuple[CardView, ...]:
    """Every card of the register."""
    listen = cache(partial(fold_text, same=same_words(corpus.spelling)))  # every card listens to the same words
    return tuple(_card_view(corpus, card, Speaking(card, listen)) for card in corpus.register.cards)


class Speaking:
    """Test whether some words, or an answer, refer to a card."""

    def __init__(self, card: IndexCardRecord, listen: Callable[[str], tuple[str, ...]]) -> None:
        self.listen = listen
        self.codes = frozenset(card.codes)
        self.called = {lang: [listen(word) for word in names] for lang, names in card.words.items()}

    def says(self, text: str, lang: str) -> bool:
        """Test whether one of the card's names stands in these words."""
        names = self.called.get(lang, [])
        heard = self.listen(text) if text and names else ()
        return any(heard[at : at + len(name)] == name for name in names for at in range(len(heard)))

    def answers(self, question: Question, value: Value) -> bool:
        """Test whether an answer names the card itself, its rank or its suit."""
        return not question.closed and not self.codes.isdisjoint(question.kind.terms(value))


def _card_view(corpus: Corpus, card: IndexCardRecord, speaking: Speaking) -> CardView:
    clauses = [clause for clause in corpus.library.clauses() if _is_named_in_clause(corpus, clause, speaking)]
    questions = (
        question
        for question in corpus.library.questions.values()
        if any(speaking.says(words, "en") for words in (question.asks, *question.readings.values()))
    )
    return CardView(
        card.id,
        card.name,
        tuple((lang, word) for lang, names in card.words.items() for word in names),
        tuple(question_link(question) for question in questions),
        by_siglum(clause.id for clause in clauses),
        by_siglum(locus for locus, lang, text in list_indexed_texts(corpus) if speaking.says(text, lang)),
        tuple(deal.id for deal in get_deals(corpus) if speaking.says(f"{deal.title} {deal.intro}", "en")),
    )


def _is_named_in_clause(corpus: Corpus, clause: Clause, speaking: Speaking) -> bool:
    source = corpus.library.sources[clause.source]
    quoted = any(speaking.says(cite.exact, source.language) for cite in clause.cites)
    asked = corpus.library.questions
    return quoted or any(speaking.answers(asked[slug], value) for slug, value in clause.answers.items())


def by_siglum(ids: Iterable[str]) -> BySiglum:
    """Ids under their sources."""
    return group_by_id_source((id, id) for id in dict.fromkeys(ids))


def in_languages(called: Iterable[tuple[str, str]]) -> list[Content]:
    """The names of a card, language by language."""
    names_by_language = group_pairs((lang, span(word, lang=lang)) for lang, word in called)
    lines = ([f"{LANGUAGE_NAMES.get(lang, lang)} ", *join_content(names)] for lang, names in names_by_language.items())
    return [part for line in lines for part in (*line, "; ")][:-1]


render_card_index = page_renderer("cards", in_languages=in_languages)


# --- amounts ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QuotedAmount:
    """A number that a source gives, and what it is for."""

    kind: str  #: one of MATTERS
    number: int
    unit: str  #: as it is printed beside it: fiche, times
    what: str
    kind_of_ref: str  #: what `ref` is the id of: question or sentence
    ref: str
    siglum: str
    clause: str  #: empty for a number that is only printed
    option: str = field(default="", compare=False)  #: id of the option of the source that has it


#: What is counted, and the heading under which it stands.
MATTERS: Mapping[str, str] = {
    "sum": "Sums, in the counters of each source",
    "times": "Times over",
    "stakes": "Stakes",
    "points": "Points that cards count",
    "tricks": "Tricks",
    "cards": "Cards and players",
    "other": "Other numbers",
}


def collect_amounts(corpus: Corpus) -> Iterator[QuotedAmount]:
    """Collect every number that a source gives.

    What we supply where it is silent is not its own.
    """
    for source in corpus.library.sources.values():
        for clause in source.clauses:
            if clause.status != "silent":
                yield from collect_answer_amounts(corpus, source, clause, clause.answers)
                for option in clause.options:
                    yield from collect_answer_amounts(corpus, source, clause, option.answers, option.id)
        for figure in source.printed:
            matter = "sum" if figure.unit else "other"
            yield QuotedAmount(
                matter,
                figure.says,
                figure.unit,
                f"printed: {figure.what}",
                "sentence",
                figure.cite.locus,
                source.siglum,
                "",
            )


def collect_answer_amounts(
    corpus: Corpus, source: Source, clause: Clause, given: Mapping[str, Value], option: str = ""
) -> Iterator[QuotedAmount]:
    """Collect the numbers in some answers of a clause, or of an option of it."""
    for slug, value in given.items():
        question = corpus.library.questions[slug]
        amounts = question.kind.amounts(question, value) if isinstance(value, int | Mapping | tuple) else ()
        for matter, number, of_what in (amount for amount in amounts if amount[1]):  # nothing is no amount
            what = f"{question.asks} ({of_what})" if of_what else question.asks
            unit = source.unit if matter == "sum" else ""
            yield QuotedAmount(matter, number, unit, what, "question", question.id, source.siglum, clause.id, option)


@dataclass(frozen=True, slots=True)
class AmountsView:
    """The numbers of one matter: a row for each, a column for each source."""

    matter: str
    title: str
    sources: tuple[SourceMark, ...]
    rows: tuple[tuple[int, tuple[tuple[QuotedAmount, ...], ...]], ...]


def amounts_view(corpus: Corpus, _: str = "") -> tuple[AmountsView, ...]:
    """All numbers, by what they count."""
    amounts = group_pairs((amount.kind, amount) for amount in dict.fromkeys(collect_amounts(corpus)))
    sources = tuple(source_marks(corpus).values())
    return tuple(
        AmountsView(matter, title, sources, tuple(_build_amount_rows(amounts[matter], sources)))
        for matter, title in MATTERS.items()
        if matter in amounts
    )


def _build_amount_rows(
    amounts: Iterable[QuotedAmount], sources: Iterable[SourceMark]
) -> Iterator[tuple[int, tuple[tuple[QuotedAmount, ...], ...]]]:
    sigla = [source.siglum for source in sources]
    for number in sorted({amount.number for amount in amounts}):
        same = [amount for amount in amounts if amount.number == number]
        yield number, tuple(tuple(amount for amount in same if amount.siglum == siglum) for siglum in sigla)


render_amounts = page_renderer("amounts")
