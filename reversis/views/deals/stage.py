"""A deal on one screen: the four hands, the trick, the results by each book, its ledger, and the controls.

All of it is in the page before a script runs, so nothing moves when one does: `steps.js` only plays the cards, counts
up the sums and shows one ledger at a time. Without scripts the hands, the results and all ledgers stand here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docutils import nodes

from edition.nodes.builders import (
    CARD_RANK_LABELS,
    CARD_RANK_NAMES,
    SUIT_SYMBOLS,
    Content,
    add_page_id,
    block,
    card_sign,
    markup_of,
    para,
    screen_reader_text,
    span,
    strong,
    suit_symbol,
    table,
)
from edition.nodes.components import source_shape
from edition.palette import format_slot_classes
from edition.text.typography import use_minus_signs
from edition.views.layout import Nodes
from reversis.views.deals.ledger import STATE_LABELS, BookLedger, render_ledger
from reversis.words import ledgers
from reversis.words.deal_views import DealView
from rulebook.phrases import pluralize_counter

MAX_NAMED_BOOKS = 5  #: of more books the heads of the results have only sigla
#: Places round the table, in the order of play from the first seat.
_PLACES = {
    4: ("bottom", "right", "top", "left"),
    5: ("bottom", "right", "top-right", "top-left", "left"),
}


def render_stage(view: DealView, books: Sequence[BookLedger]) -> nodes.container:
    """The whole screen; `data-source` is the book whose ledger is shown first."""
    home = view.cites[0].partition(".")[0] if view.cites else ""
    return block(
        _render_felt(view),
        block(*_render_controls(view), cls="rv-under"),
        block(_render_results(view, books), _render_ledgers(view, books), cls="rv-beside"),
        cls="rv-stage",
        role="region",
        aria_label="The deal, trick by trick",
        data_dealer=view.dealer,
        data_source=home,
    )


# ---- the table
def _render_felt(view: DealView) -> nodes.container:
    number = 5 if len(view.seats) == 5 else 4
    hands = (_render_hand(seat, held, place) for (seat, held), place in zip(view.hands, _PLACES[number], strict=False))
    made = block(*hands, *_render_corners(view), _render_middle(view), cls=f"rv-felt rv-felt-{number}")
    add_page_id(made, "cards")
    return add_page_id(made, "table-the-hands-when-the-first-card-is-led-and-what-lies-aside")


def _render_hand(seat: str, held: str, place: str) -> nodes.container:
    counts = span(span(cls="rv-taken"), span(cls="rv-points"), cls="rv-counts")
    head = para(strong(seat.capitalize()), " ", counts, cls="rv-hand-head")
    suits = (_render_suit(held, suit) for suit in SUIT_SYMBOLS)
    return block(head, *suits, cls=f"rv-hand rv-at-{place}", data_seat=seat)


def _render_suit(held: str, suit: str) -> nodes.paragraph:
    found = [name for name in held.split() if name.endswith(suit)]
    ranks: list[Content] = [piece for name in found for piece in (_render_rank(name), " ")]
    name = screen_reader_text(f"{SUIT_SYMBOLS[suit][2]}: ")
    symbol = suit_symbol(suit)
    symbol["html"] = {"aria-hidden": "true"}
    return para(symbol, name, *(ranks or [span("–", cls="rv-none")]))


def _render_rank(name: str) -> nodes.inline:
    rank = name[:-1]
    words = f"{CARD_RANK_NAMES.get(rank, rank)} of {SUIT_SYMBOLS[name[-1]][2]}"
    return span(CARD_RANK_LABELS.get(rank, rank), data_card=name, title=words)


def _render_corners(view: DealView) -> Iterator[nodes.Node]:
    """Corners of the table: the dealer, the pool, the talon, the previous trick."""
    pool = next((words for label, words in view.table if label == "pool"), "")
    deals = para(f"{view.dealer.capitalize()} deals")
    yield block(deals, *([para(f"Pool: {pool}")] if pool else []), cls="rv-corner rv-corner-facts")
    if view.talon:
        cards = [piece for name in view.talon.split() for piece in (card_sign(name), " ")]
        yield block(para("Talon"), para(*cards), cls="rv-corner rv-corner-talon")
    yield block(cls="rv-corner rv-corner-before rv-scripted")


def _render_middle(view: DealView) -> nodes.container:
    if not view.tricks:
        return block(para("No card is led."), cls="rv-trick")
    leader = view.tricks[0].leader.capitalize()
    return block(para(f"{view.dealer.capitalize()} has dealt. {leader} leads."), cls="rv-trick")


# ---- the controls
def _render_controls(view: DealView) -> Nodes:
    last = len(view.tricks) + 1
    said = markup_of("p", cls="rv-said rv-scripted", aria_live="polite")
    slide = markup_of("input", type="range", min="0", max=str(last), value="0", step="1", aria_label="Trick")
    steps = ["0", *(str(trick.number) for trick in view.tricks), "end"]
    ticks = markup_of("span", *(span(step) for step in steps), cls="rv-ticks", aria_hidden="true")
    return (
        [said, block(slide, ticks, cls=f"rv-slide rv-of-{len(steps)} rv-scripted"), _render_buttons()]
        if view.tricks
        else []
    )


def _render_buttons() -> nodes.container:
    return block(
        _render_button("first", "«", "To the start"),
        _render_button("back", "‹", "Trick before"),
        _render_button("next", "Next", "", "rv-primary"),
        _render_button("play", "Play", ""),
        _render_button("last", "»", "To the end"),
        markup_of(
            "select",
            *(_render_speed(*one) for one in ((2600, "½×"), (1400, "1×"), (600, "2×"))),
            aria_label="Speed",
        ),
        cls="rv-controls rv-scripted",
    )


def _render_button(does: str, words: str, label: str, cls: str = "") -> nodes.Element:
    named = {"aria_label": label, "title": label} if label else {}
    return markup_of("button", words, cls=cls, type="button", data_does=does, **named)


def _render_speed(pause: int, words: str) -> nodes.Element:
    chosen = {"selected": ""} if words == "1×" else {}
    return markup_of("option", words, value=str(pause), **chosen)


# ---- the results
def _render_results(view: DealView, books: Sequence[BookLedger]) -> nodes.Element:
    accounts = [*view.seats, "pool"]
    rows = [([_render_choice(one)], *([*_render_sum(one, account)] for account in accounts)) for one in books]
    head = ["Book", *(account.capitalize() for account in accounts)]
    made = table("Final result by each book", head, rows, cls="rv-results")
    made["ids"] = ["table-gains-and-losses-by-each-source"]
    return add_page_id(block(made, cls="rv-totals-strip"), "results")


def _render_choice(one: BookLedger) -> nodes.Element:
    """Head of a row: a book, chosen for its ledger by a script."""
    said = STATE_LABELS[one.ledger.state] or pluralize_counter(one.ledger.unit)
    choose = markup_of("input", type="radio", name="rv-book", value=one.source.siglum, cls="rv-scripted")
    words = span(one.source.name, " ", span(said, cls="rv-small"), cls="rv-choice-name")
    end = add_page_id(span(), f"end-{one.source.siglum}")
    cls = f"rv-choice {format_slot_classes(one.source.slot)}"
    return markup_of("label", choose, source_shape(one.source), words, end, cls=cls, title=one.source.title)


def _render_sum(one: BookLedger, account: str) -> Iterator[Content]:
    """Sum of an account; nothing where the book does not settle the deal."""
    found = dict(one.ledger.net).get(account)
    if one.ledger.state != "settled" or found is None:
        yield span("–", cls="rv-nothing")
    else:
        said = use_minus_signs(ledgers.format_signed_sum(found))
        yield span(said, cls="" if found else "rv-nothing")


def _render_ledgers(view: DealView, books: Sequence[BookLedger]) -> nodes.container:
    """All ledgers; a script shows one of them, and against which other it is held."""
    choices = [markup_of("option", "no other", value="")]
    choices += [markup_of("option", one.source.name, value=one.source.siglum) for one in books]
    against = markup_of("label", "compare with ", markup_of("select", *choices))
    head = block(markup_of("span", cls="rv-chosen-book"), against, cls="rv-ledger-head rv-scripted")
    marks = {"role": "region", "tabindex": "0", "aria_label": "Ledger"}
    scroll = block(*(render_ledger(one, view.seats) for one in books), cls="rv-ledger-box", **marks)
    return block(head, scroll, cls="rv-ledgers")
