"""The worked deals in the book, each in as little room as it needs: cards, play, and every source's ledger."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.book.nodes import build_book_chapter, narrow_table, set_in_small_type
from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    CARD_RANK_LABELS,
    SUIT_SYMBOLS,
    Content,
    add_anchor,
    add_classes,
    block,
    card_sign,
    emphasis,
    link,
    para,
    section,
    span,
    strong,
    suit_sign,
    table,
)
from edition.nodes.components import render_prose
from edition.views.layout import join_content
from edition.views.play.lines import with_cards
from edition.views.play.tricks import render_play_table
from reversis.files.attributions import Caused
from reversis.files.extras import get_causes, get_deals
from reversis.views.deals.deal import PROVENANCE
from reversis.words.deal_views import DealView, TrickView, worked_deal_view
from reversis.words.events import BEFORE_THE_PLAY
from reversis.words.joint_ledger import build_joint_ledger
from reversis.words.ledgers import LedgerLine, LedgerView, SilenceView
from rulebook.grouping import group_pairs
from rulebook.joint_ledger import JointCell, JointEvent, list_joint_balances
from rulebook.phrases import capitalise, format_signed_sum, pluralize_counter


def deal_chapters(corpus: Corpus) -> Iterator[nodes.section]:
    """The deals, a chapter for each folder in which they lie: with a source, or with none."""
    folders = {Path(path).stem: Path(path).parts[0] for path in corpus.library.deals}
    for folder, row in groupby(get_deals(corpus), key=lambda deal: folders[deal.id]):
        source = corpus.library.sources.get(folder)
        title = f"Deals of {folder}: {source.title}" if source else "Deals that set the sources apart"
        yield build_book_chapter(f"deals-{folder}", title, *(_build_deal_section(corpus, entry.id) for entry in row))


def _build_deal_section(corpus: Corpus, name: str) -> nodes.section:
    view = worked_deal_view(corpus.library, name)
    note = render_prose(corpus.prose(view.note))
    facts = "; ".join(f"{label.lower()}: {words}" for label, words in view.table)
    node = section(
        f"deal-{name}",
        view.title,
        set_in_small_type(
            para(
                *_compose_deal_head(view),
                f" {view.pack} cards; {facts}." if facts else f" {view.pack} cards.",
                cls="bk-head",
            ),
            *([para(*note)] if note else []),
            _build_hands_table(view),
            narrow_table(_drop_caption(render_play_table(view))) if view.tricks else para("No card was led."),
            *([_build_results_table(view)] if any(ledger.state == "settled" for ledger in view.ledgers) else []),
            *(_build_ledger(ledger) for ledger in view.ledgers),
        ),
        cls="bk-deal",
    )
    _capitalise_players(node, view.seats)
    return add_anchor(node, "deal", name)


def _compose_deal_head(view: DealView) -> list[Content]:
    cited = [" Illustrates ", *join_content(link("sentence", cite) for cite in view.cites), "."] if view.cites else []
    provenance = PROVENANCE.get(view.provenance, view.provenance)
    return [emphasis(view.id), f": {provenance}.", *cited]


def _drop_caption(node: nodes.Node) -> nodes.table:
    """Table without its caption: on a page of the book its place tells what it is."""
    assert isinstance(node, nodes.table)
    for title in [child for child in node.children if isinstance(child, nodes.title)]:
        node.remove(title)
    return node


# --- a ledger ---------------------------------------------------------------------------------------


def _build_ledger(ledger: LedgerView) -> nodes.Node:
    outcome = {"settled": _describe_settlement, "refused": _describe_refusal, "silent": _describe_silence}[
        ledger.state
    ](ledger)
    name = span(link("source", ledger.source), cls="rv-siglum")
    if not ledger.entries:
        return para(name, " ", *outcome, cls="bk-entry")
    named: set[str] = set()
    rows = [_build_entry_row(entry, named) for entry in ledger.entries]
    node = table(
        "", ("", f"By {ledger.source}, in {pluralize_counter(ledger.unit)}", "Who pays whom"), rows, cls="bk-ledger"
    )
    return block(node, para(*outcome, cls="bk-outcome"))


def _describe_settlement(ledger: LedgerView) -> list[Content]:
    ends = [f"{words[:1].upper()}{words[1:]}." for words in ledger.outcome]
    pool = f"Pool before: {ledger.pool_before}; after: {ledger.pool_after}."
    nothing = [] if ledger.entries else ["Nothing is paid."]
    left = (f"Left out: {words}" for words in ledger.left_out)
    still = [f"Still open: {', '.join(words.replace('-', ' ') for words in ledger.open)}"] if ledger.open else []
    undone = *still, *ledger.passed_over, *left
    rest = [" ", " ".join(f"{words.rstrip('.')}." for words in undone)] if undone else []
    return [" ".join([*nothing, *ends, pool]), *rest]


def _build_entry_row(entry: LedgerLine, named: set[str]) -> tuple[list[Content], list[Content], str]:
    when = str(entry.entry.fact.trick or ("" if entry.entry.rule in BEFORE_THE_PLAY else "end"))
    what = span(f"{entry.event[:1].upper()}{entry.event[1:]} ", in_brackets(entry.clauses, named))
    sums = "; ".join(f"{each.payer} to {each.payee} {each.amount}" for each in entry.postings)
    return [when], [what], sums or "nobody pays"


def in_brackets(clauses: Sequence[str], named: set[str]) -> nodes.inline:
    """The clauses on which something rests; each leads to its place once in a ledger, or the book grows heavy."""
    refs: list[Content] = []
    for name in clauses:
        short = name.partition(".")[2]
        refs.append(short if name in named else link("clause", name, short))
        named.add(name)
    return span("(", *join_content(refs, " "), ")", cls="rv-id")


def _describe_refusal(ledger: LedgerView) -> list[Content]:
    first, *more = ledger.refusals
    tricks = dict.fromkeys(str(each.trick) for each in more if each.trick)
    also = [f" Nor can trick {', '.join(tricks)}."] if tricks else []
    rests: list[Content] = [" ", in_brackets(first.clauses, set())] if first.clauses else []
    return [" cannot be played so: ", *with_cards(first.message), *rests, ".", *also]


def _describe_silence(ledger: LedgerView) -> list[Content]:
    if ledger.silence is None:
        return [" is silent."]
    if not ledger.silence.asks:
        return [f" {ledger.silence.message}"]
    return _describe_lacking_answer(ledger.silence)


def _describe_lacking_answer(silence: SilenceView) -> list[Content]:
    """A question without an answer, in its words, and why nothing is supplied."""
    match = _SILENCE.fullmatch(silence.message)
    clause: list[Content] = [" ", in_brackets([match[1]], set())] if match else []
    because = f" {match[2]}" if match and match[2] else ""
    asked = span("“", silence.asks, "” (", link("question", silence.question), ")")
    return [" does not settle it, for it does not answer ", asked, *clause, ".", because]


#: what the engine says of a silence: a clause, and the reason
_SILENCE = re.compile(r"(?s).*: silent \(([\w.]+)\)(?:: (.*))?")


# --- cards ------------------------------------------------------------------------------------------


def _build_hands_table(view: DealView) -> nodes.table:
    rows = [
        [seat, *_split_by_suit(held)] for seat, held in (*view.hands, *([("talon", view.talon)] if view.talon else ()))
    ]
    for line in rows:
        line[0] = f"{line[0]} (deals)" if line[0] == view.dealer else line[0]
    return narrow_table(table("", ["", *([suit_sign(symbol)] for symbol in SUIT_SYMBOLS)], rows, cls="bk-hands"))


def _split_by_suit(held: str) -> Iterator[str]:
    for symbol in SUIT_SYMBOLS:
        ranks = [CARD_RANK_LABELS.get(name[:-1], name[:-1]) for name in held.split() if name.endswith(symbol)]
        yield " ".join(ranks) or "–"


def _build_results_table(view: DealView) -> nodes.table:
    accounts = [*view.seats, "pool"]
    rows = [
        [
            [link("source", ledger.source)],
            *(
                (
                    {
                        account: format_signed_sum(number).replace("-", "\N{MINUS SIGN}")
                        for account, number in ledger.net
                    }
                ).get(account, "–")
                for account in accounts
            ),
            pluralize_counter(ledger.unit),
        ]
        for ledger in view.ledgers
        if ledger.state == "settled"
    ]
    return narrow_table(table("", ["In the end", *accounts, "in"], rows, cls="bk-results"))


# --- the book that one prints -----------------------------------------------------------------------

_MAX_DEALS = 12
_MAX_COLUMNS = 6  #: so many sources have a column of their own in the ledger; more stand in one, by name


def choose_deals(corpus: Corpus, number: int = _MAX_DEALS) -> tuple[str, ...]:
    """The deals that show between them most of the questions on which sources differ, best first.

    Each is the one that adds most questions to those before; among equals the one that most sources settle.
    """
    shown = {deal.id: _list_shown_questions(corpus, deal.id) for deal in get_deals(corpus)}
    chosen: list[str] = []
    known: set[str] = set()
    while shown and len(chosen) < number:
        best = max(
            shown,
            key=lambda name: (
                len(shown[name] - known),
                sum(set(difference.states) == {"settled"} for difference in _list_differences(corpus, name)),
                len(shown[name]),
            ),
        )
        chosen.append(best)
        known |= shown.pop(best)
    return tuple(chosen)


def _list_shown_questions(corpus: Corpus, name: str) -> frozenset[str]:
    """Questions whose answers make a difference between two sources on a deal."""
    differences = _list_differences(corpus, name)
    return frozenset(slug for difference in differences for cause in difference.causes for slug in cause.questions)


def _list_differences(corpus: Corpus, name: str) -> tuple[Caused, ...]:
    causes = get_causes(corpus)
    return causes.by_deal.get(name, ()) if causes else ()


def build_short_deal(corpus: Corpus, name: str, differing: Collection[str]) -> nodes.section:
    """A deal with one ledger for all sources; `differing` are the questions that its lines may name."""
    view = worked_deal_view(corpus.library, name)
    note = render_prose(corpus.prose(view.note))
    node = section(
        f"deal-{name}",
        view.title,
        set_in_small_type(
            para(*_compose_deal_head(view), f" {view.pack} cards. ", *_describe_table(view), cls="bk-head"),
            *([para(*note)] if note else []),
            _build_hands_table(view),
            *([_build_short_tricks(view)] if view.tricks else []),
            build_printed_ledger(view, differing),
            *(para(*_describe_column(ledger), cls="bk-entry") for ledger in view.ledgers),
        ),
        cls="bk-deal",
    )
    _capitalise_players(node, view.seats)
    return add_anchor(node, "deal", name)


def _capitalise_players(node: nodes.section, seats: Iterable[str]) -> None:
    """Write the names of the players with a capital, as in any sentence; ids of deals stay."""
    name = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, seats))})(?![\w-])")
    for text in list(node.findall(nodes.Text)):
        if name.search(text):
            text.parent.replace(text, nodes.Text(name.sub(lambda match: capitalise(match[0]), text)))


def _describe_table(view: DealView) -> list[Content]:
    facts = "; ".join(f"{label}: {words}" for label, words in view.table)
    return [*with_cards(f"{facts[:1].upper()}{facts[1:]}.")] if facts else []


def _build_short_tricks(view: DealView) -> nodes.table:
    """The tricks without a word too many: the leader's card is underlined, the taker's bold."""
    rows = [
        (
            str(trick.number),
            *([*_format_played_card(trick, seat)] for seat in view.seats),
            _group_takers(view, [ledger.takers[at : at + 1] for ledger in view.ledgers]) or trick.taker,
            _group_takers(view, [ledger.points[at : at + 1] for ledger in view.ledgers]),
        )
        for at, trick in enumerate(view.tricks)
    ]
    return narrow_table(table("", ["Trick", *view.seats, "taken by", "points"], rows, cls="bk-play"))


def _format_played_card(trick: TrickView, seat: str) -> Iterator[Content]:
    for player, card, marks in trick.plays:
        if player == seat:
            yield add_classes(card_sign(card), " ".join(f"rv-card-{mark}" for mark in marks if " " not in mark))
            yield from (f" {mark}" for mark in marks if mark not in ("leads", "takes"))


def _group_takers(view: DealView, words: Iterable[Sequence[object]]) -> str:
    """The word of all sources, or of each group that agrees."""
    pairs = zip(view.ledgers, words, strict=True)
    groups = group_pairs((str(word), ledger.source) for ledger, some in pairs for word in some)
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(f"{word} {' '.join(sigla)}" for word, sigla in groups.items())


def build_printed_ledger(view: DealView, differing: Collection[str]) -> nodes.table:
    """Events and payments in lines, the sources in columns; below the line what each account wins or loses."""
    names, balances = tuple(ledger.source for ledger in view.ledgers), [*list_joint_balances(view)]
    events = [list(_build_event_rows(event, names, differing)) for event in build_joint_ledger(view)]
    rows = [row for some in events for row in some]
    rows += [
        ["net" if not at else "", [strong(account)], *_spread_cells(names, map(_format_balance, amounts)), ""]
        for at, (account, amounts) in enumerate(balances)
    ]
    sums = names if len(names) <= _MAX_COLUMNS else ("Sums",)
    node = table("", ["Trick", "Who pays whom", *sums, "Questions"], rows, cls="bk-joint")
    node["sums"] = len(balances)  # the last rows, which stay together
    node["groups"] = _group_kept_rows([len(some) for some in events], len(balances))
    return node


_LEAST_KEPT = 2  #: so many events at least stand below the head of a ledger, and above its sums


def _group_kept_rows(events: Sequence[int], sums: int) -> list[int]:
    """Numbers of rows that no page parts: each event's; the first events' together, and the last with the sums."""
    if len(events) <= 2 * _LEAST_KEPT:
        return [sum(events) + sums]
    first, last = events[:_LEAST_KEPT], events[-_LEAST_KEPT:]
    return [sum(first), *events[_LEAST_KEPT:-_LEAST_KEPT], sum(last) + sums]


def _build_event_rows(event: JointEvent, names: Sequence[str], differing: Collection[str]) -> Iterator[list[Any]]:
    step = event.step if event.step.isdigit() else "" if event.step == "before" else "end"
    asked = dict.fromkeys(
        ruling.id for column in event.lines for line in column for ruling in line.rulings if ruling.id in differing
    )
    refs = span(*join_content((link("question", question, question) for question in asked), " "), cls="rv-id")
    what: list[Content] = [emphasis(*with_cards(f"{event.words[:1].upper()}{event.words[1:]}"))]
    for at, row in enumerate(event.rows):
        who = f"{row.payer} to {row.payee}" if row.payer else "nobody pays"
        first: list[Content] = [*what, ": ", who] if not at else [who]
        cells = _spread_cells(names, map(_format_joint_cell, row.cells))
        yield [step if not at else "", first, *cells, [refs] if not at else ""]


def _format_joint_cell(cell: JointCell) -> str:
    return {"paid": str(cell.amount), "nothing": "0", "absent": "–"}.get(cell.state, "")


def _format_balance(amount: int | None) -> str:
    return "" if amount is None else format_signed_sum(amount).replace("-", "\N{MINUS SIGN}")


def _spread_cells(names: Sequence[str], cells: Iterable[str]) -> list[str]:
    """A cell for each source; for many sources one, in which those that say the same stand together."""
    texts = list(cells)
    if len(names) <= _MAX_COLUMNS:
        return texts
    groups = group_pairs(zip(texts, names, strict=True))
    return ["; ".join(f"{text} {' '.join(some)}" for text, some in groups.items() if text)]


def _describe_column(ledger: LedgerView) -> list[Content]:
    name = span(link("source", ledger.source), cls="rv-siglum")
    if ledger.silence and ledger.silence.asks:
        return [name, *_describe_lacking_answer(ledger.silence)]
    if ledger.state != "settled":
        ground: list[Content] = [" ", in_brackets(ledger.grounds, set())] if ledger.grounds else []
        return [
            name,
            " does not settle it: ",
            *with_cards(ledger.why.removeprefix("Silent: ").rstrip(".")),
            *ground,
            ".",
        ]
    ends = "".join(f"{words[:1].upper()}{words[1:].rstrip('.')}. " for words in ledger.outcome)
    return [
        name,
        f" in {pluralize_counter(ledger.unit)}. {ends}Pool before: {ledger.pool_before}; after: {ledger.pool_after}.",
    ]
