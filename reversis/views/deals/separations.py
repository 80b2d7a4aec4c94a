"""Separating deals: for each question and pair a deal, or why there is none.

Everything is shown from what is stored (`reversis.files.separations`); nothing is searched for while pages are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_classes,
    fill_node,
    link,
    span,
    table,
    table_entry,
)
from edition.text.answers import name_within, spell_out_sources
from edition.views.common import QuestionLink, group_questions, question_link
from edition.views.play.lines import capitalize_players, capitalize_seats
from engine.cards import CARD_RANKS, rank_of, sort_cards, suit_of
from engine.comparison.minimise import differing_entries, find_decisive_trick
from engine.comparison.separation import EFFECTIVE, LATENT, NOT_PLAYED, VERDICT_UNKNOWN, Separation, SessionSeparation
from engine.deal.model import Deal
from engine.interpretation.effects import DealResult
from engine.settlement.ledger import Entry, name_ledger_account
from engine.settlement.settle import Refused, Settled
from reversis.files.extras import get_deal_titles
from reversis.files.separations import Parting, SeparatingSet, Store, load_separations, verify_parting
from reversis.views.page_template import page_renderer
from reversis.words.deal_views import table_words
from reversis.words.events import describe_entry, describe_outcome
from reversis.words.ledgers import pool_words
from rulebook.model import Library, Question
from rulebook.strings import slugify_text

SUITS_IN_SIGNS = dict(enumerate("♠♥♦♣"))


# ---- a separating deal in words
@dataclass(frozen=True, slots=True)
class SeparationView:
    """A deal, or a session, with different results: what is needed to see it."""

    id: str
    hands: tuple[str, ...]
    table: tuple[str, ...]
    tricks: tuple[str, ...]  #: up to the one in which the sides part
    rest: int  #: how many tricks follow
    sides: tuple[tuple[str, tuple[str, ...]], ...]  #: rulesets and their results, as far as they differ
    again: str  #: the command that settles it both ways


def separation_view(separation: Separation) -> SeparationView:
    """A separating deal in words."""
    deal, upto = separation.deal, min(find_decisive_trick(separation), len(separation.deal.tricks))
    tables = (capitalize_seats(f"{head}: {words}", deal.seats) for head, words in table_words(deal))
    entries = differing_entries(separation.before, separation.after)
    sides = (
        (result.ruleset.name, tuple(_describe_side_result(result, some, separation.how)) or ("nothing of the kind",))
        for result, some in zip((separation.before, separation.after), entries, strict=True)
    )
    return SeparationView(
        deal.id,
        tuple(hand_lines(deal)),
        tuple(tables),
        tuple(list_trick_lines(deal, upto)),
        len(deal.tricks) - upto,
        tuple(sides),
        f"reversis run FILE --source {separation.swap.base} --with {format_swapped_answer(separation)}",
    )


def format_swapped_answer(separation: Separation | SessionSeparation) -> str:
    """Swapped answer as typed on the command line."""
    ruling = separation.swap.other.rulings[separation.swap.question]
    return f"{ruling.id}@{separation.swap.giver}"


def hand_lines(deal: Deal) -> Iterator[str]:
    """Every hand in a line, suit by suit; the talon last."""
    for seat, (name, hand) in enumerate(zip(deal.seats, deal.hands, strict=True)):
        yield f"{name.capitalize()}{' (dealer)' if seat == deal.dealer else ''}: {format_hand(hand)}"
    if deal.talon:
        yield f"Talon: {format_hand(deal.talon)}"


def format_hand(cards: Iterable[int]) -> str:
    """Format cards suit by suit, each suit with its sign."""
    held = sort_cards(cards)
    suits = ((sign, [c for c in held if suit_of(c) == suit]) for suit, sign in SUITS_IN_SIGNS.items())
    return " ".join(f"{sign} {' '.join(_format_card_rank(c) for c in some)}" for sign, some in suits if some)


def _format_card_rank(card: int) -> str:
    return CARD_RANKS[rank_of(card)].replace("T", "10")


def list_trick_lines(deal: Deal, upto: int) -> Iterator[str]:
    """Yield the first tricks, each in a line: its number, who led, the cards."""
    for number, row in enumerate(deal.tricks[:upto], 1):
        leader = deal.seats[deal.holder(row[0]) or 0]
        cards = " ".join(f"{SUITS_IN_SIGNS[suit_of(c)]}{_format_card_rank(c)}" for c in row)
        yield f"{number}. {leader.capitalize()}: {cards}"


def _describe_side_result(result: DealResult, entries: Sequence[Entry], how: Sequence[str]) -> Iterator[str]:
    seats = result.deal.seats
    if isinstance(result, Refused):
        yield from (capitalize_players(refusal.message, seats) for refusal in result.refusals)
    elif not isinstance(result, Settled):
        yield f"cannot be settled: the book does not answer {result.silent.question}"
    else:
        yield from (_entry_line(result, entry) for entry in entries)
        if "lawfulness" in how and not entries:
            yield from (capitalize_players(words, seats) for words in result.passed_over or ("the deal is settled",))
        if "pool" in how:
            yield f"the pool afterwards: {pool_words(result.pool)}"
        if "outcome" in how:
            yield capitalize_players("; ".join(describe_outcome(result.outcome, seats)), seats)


def _entry_line(settled: Settled, entry: Entry) -> str:
    paid = (
        f"{name_ledger_account(settled.deal, p.payer)} to {name_ledger_account(settled.deal, p.payee)} "
        f"{p.counted(settled.before)}"
        for p in entry.postings
        if p.counted(settled.before)
    )
    words = f"{describe_entry(entry, settled.deal.seats)}: {', '.join(paid) or 'nothing'}"
    return capitalize_players(words, settled.deal.seats)


# ---- the page
@dataclass(frozen=True, slots=True)
class SeparationCase:
    """One case for some pairs of sources: a deal, a session, or a verdict alone."""

    pairs: tuple[str, ...]  #: names of two books each
    verdict: str
    sides: tuple[str, str]  #: the book as it stands, and with the other's answer
    because: str  #: why there is no deal
    brings: tuple[str, ...]
    deal: SeparationView | None
    session: tuple[tuple[str, str], ...]  #: ids of its deals, with titles
    worked: tuple[tuple[str, str], ...]  #: example deals that show it too


#: One question with the number of pairs of books by verdict, in the order of VERDICTS_SHOWN.
QuestionPartings: TypeAlias = tuple[QuestionLink, tuple[int, ...]]


#: The fewest deals that tell some things apart, as they are stored; each deal with the question that shows it, none for
#: an example deal; and the titles of its example deals.
SetView: TypeAlias = tuple[SeparatingSet, tuple[tuple[str, QuestionLink | None], ...], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class PartingsView:
    """The whole page."""

    counts: tuple[tuple[str, int], ...]
    not_played: int
    groups: tuple[tuple[str, tuple[QuestionPartings, ...]], ...]
    sets: tuple[SetView, ...]
    command: str
    outdated: str


def partings_view(corpus: Corpus, _: str = "") -> PartingsView | None:
    """Everything that is stored; nothing where nothing is."""
    library, store = corpus.library, load_separations(corpus.library)
    if store is None:
        return None
    played = [parting for parting in store.partings if parting.verdict != NOT_PLAYED]
    partings = [parting for parting in reversed(played) if parting.question in library.questions]
    at = {parting.deal: question_link(library.questions[parting.question]) for parting in partings}
    titles = get_deal_titles(corpus)
    groups = (
        (
            group,
            tuple(
                _count_pairs(question, store)
                for question in asked
                if any(parting.verdict != NOT_PLAYED for parting in store.by_question.get(question.slug, ()))
            ),
        )
        for group, asked in group_questions(corpus).items()
    )
    return PartingsView(
        tuple((verdict, sum(parting.verdict == verdict for parting in played)) for verdict in VERDICTS_SHOWN),
        len(store.partings) - len(played),
        tuple((group, rows) for group, rows in groups if rows),
        tuple(set_view(separating_set, at, titles) for separating_set in store.sets),
        store.command,
        "" if store.sources == library.rules_digest else "The sources have changed since; repeat it.",
    )


def _count_pairs(question: Question, store: Store) -> QuestionPartings:
    partings = store.by_question.get(question.slug, ())
    counts = (sum(parting.verdict == verdict for parting in partings) for verdict in VERDICTS_SHOWN)
    return question_link(question), tuple(counts)


def set_view(separating_set: SeparatingSet, at: Mapping[str, QuestionLink], titles: Mapping[str, str]) -> SetView:
    """A set of deals as a reader sees it."""
    deals = tuple((id, at.get(id)) for id in separating_set.deals)
    return separating_set, deals, {id: titles[id] for id in separating_set.deals if id in titles}


def collect_separation_cases(
    library: Library,
    store: Store,
    worked: Mapping[str, Deal] | None,
    partings: Sequence[Parting],
    titles: Mapping[str, str] | None = None,
) -> Iterator[SeparationCase]:
    """Separation cases of a question, each deal between the same sides only once; *titles* of example deals by id."""
    same: dict[object, list[Parting]] = {}
    titles = titles or {}
    for stored in partings:
        same.setdefault((stored.verdict, stored.deal, stored.session, stored.base, stored.because), []).append(stored)
    for some in same.values():
        first = some[0]
        separation = verify_parting(library, store, first, worked) if first.verdict == EFFECTIVE else None
        yield SeparationCase(
            tuple(" and ".join(_name_book(library, siglum) for siglum in parting.pair) for parting in some),
            first.verdict,
            (_name_within(library, first.base), f"with the answer of {_name_within(library, first.giver)}"),
            _describe_reason(first.because, library),
            tuple(library.questions[slug].id for slug in first.brings),
            separation_view(separation) if isinstance(separation, Separation) else None,
            tuple((id, titles.get(id, id)) for id in first.session),
            tuple((id, titles.get(id, id)) for id in dict.fromkeys(id for parting in some for id in parting.worked)),
        )


def _describe_reason(because: str, library: Library) -> str:
    """Reason why there is no deal, as stored, with the names of the books and without those of rules in the engine."""
    plain = re.sub(r": [a-z, -]+, for whatever happened", ", whatever happened", because)
    return spell_out_sources(plain, library)


def _name_book(library: Library, siglum: str) -> str:
    source = library.sources.get(siglum)
    return source.short_name if source else siglum


def _name_within(library: Library, siglum: str) -> str:
    source = library.sources.get(siglum)
    return name_within(source) if source else siglum


# ---- layout
VERDICTS_TOLD = "verdicts"  #: where it is told what they say
VERDICTS_SHOWN = EFFECTIVE, LATENT, VERDICT_UNKNOWN


def render_question_table(view: PartingsView) -> nodes.table:
    """Every question under its topic, with the number of pairs of books that a deal tells apart, or cannot."""
    head = "Question", "Shown", "No deal can", "Unknown"
    questions = [question for _, asked in view.groups for question in asked]
    wide = len(head) if any(pairs[-1] for _, pairs in questions) else len(head) - 1
    lines = [(_question_cell(question), *(str(n or "–") for n in pairs))[:wide] for question, pairs in questions]
    node = table("Pairs of books, by question", head[:wide], lines, cls="rv-figures rv-partings")
    body = next(iter(node.findall(nodes.tbody)))
    rows = iter(body.children)
    body.children = []
    for group, asked in view.groups:
        entry = table_entry([link("group", group, group)], "")
        entry["morecols"] = wide - 1
        entry["html"] = {"scope": "rowgroup"}
        row = fill_node(add_classes(nodes.row(), "rv-group"), [entry])
        row["ids"] = [f"table-{slugify_text(group)}"]
        body += row
        body += [next(rows) for _ in asked]
    return node


def _question_cell(question: QuestionLink) -> list[Content]:
    asked = span(link("question", question.id, question.asks))
    return [add_anchor(asked, "parting", question.id, f"The smallest deal: {question.asks}", at=f"part-{question.id}")]


render_separations = page_renderer("separations", questions=render_question_table)
render_separation_case = page_renderer("separation-case")
