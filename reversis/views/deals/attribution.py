"""Attribution of the differences between sources, on the page of a worked deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from docutils import nodes

from edition.nodes.builders import (
    Content,
    add_page_id,
    bullet_list,
    code,
    details,
    link,
    para,
    section,
    span,
    strong,
    table,
)
from edition.nodes.deferred import defer_content
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes
from engine.comparison.bundles import JOINED
from engine.deal.model import Deal
from engine.readings.meanings.stake import POOL_ACCOUNT
from reversis.files.attributions import Caused, Causes, TurnedOutcome, fingerprint_deal
from reversis.words.certainty import SETTLEMENT_HEADINGS, UPSHOT_WORDINGS
from rulebook.model import Library
from rulebook.phrases import format_count, join_names
from rulebook.strings import slugify_text

_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class CauseRow:
    """Answers with their share in every account."""

    questions: tuple[QuestionLink, ...]
    joined: str
    adds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """Attribution of the difference between two sources."""

    pair: tuple[str, str]
    unsettled: Mapping[str, str]  #: books without a result, by name, and why: no money is shared out
    turned: tuple[tuple[str, tuple[tuple[QuestionLink, ...], ...]], ...]
    rows: tuple[CauseRow, ...]
    difference: tuple[str, ...]
    most: str = ""  #: the question that makes most of the difference


@dataclass(frozen=True, slots=True)
class CausesView:
    """Attribution of the differences on a deal, for every two sources."""

    accounts: tuple[str, ...]
    pairs: tuple[PairView, ...]
    command: str
    deal: str
    #: fingerprint of the sources in which they were found; the list of deals says whether it still is theirs
    sources: str


def causes_view(library: Library, stored: Causes | None, deal: Deal) -> CausesView | None:
    """Stored attribution of a deal; None if none is stored or the deal has changed."""
    found = [one for one in stored.by_deal.get(deal.id, ()) if one.seal == fingerprint_deal(deal)] if stored else []
    if not stored or not found:
        return None
    accounts = (*deal.seats, POOL_ACCOUNT)
    pairs = tuple(pair_view(library, one, accounts) for one in found)
    return CausesView(accounts, pairs, stored.command, deal.id, stored.sources)


def freshness_view(stored: Causes | None, digest: str) -> tuple[str, tuple[str, ...]] | None:
    """Command that computed the attributions, and why they are outdated, if so."""
    return (stored.command, stored.outdated(digest)) if stored else None


def render_attribution_status(view: tuple[str, tuple[str, ...]] | None) -> Nodes:
    """Statement on the pages of deals: attributions are of these sources, or outdated."""
    if view is None:
        return []
    command, old = view
    said = f"Of an earlier state: {'; '.join(old)}. Repeat it." if old else "It speaks of these sources as they stand."
    return [para("Which answers make the difference was found, for every deal, by ", code(command), ". ", strong(said))]


def pair_view(library: Library, one: Caused, accounts: tuple[str, ...]) -> PairView:
    """Two sources on a deal, in words."""
    states = dict(zip(one.pair, one.states, strict=True))
    bad = {library.sources[s].short_name: NOT_SETTLED[states[s]] for s in one.pair if states[s] in NOT_SETTLED}
    turned = tuple(
        (_describe_turn(turn), tuple(_link_questions(library, some) for some in turn.enough)) for turn in one.turned
    )
    rows = tuple(
        CauseRow(
            _link_questions(library, c.questions),
            JOINED.get(c.joined, "") if c.joined else "",
            _format_account_shares(c.adds, accounts),
        )
        for c in one.causes
    )
    difference = _format_account_shares({a: str(n) for a, n in one.difference.items()}, accounts)
    heaviest = max(one.causes, key=lambda cause: sum(abs(Fraction(n)) for n in cause.adds.values()), default=None)
    asked = _link_questions(library, heaviest.questions[:1]) if heaviest else ()
    return PairView(one.pair, bad, turned, rows, difference, asked[0].asks if asked else "")


NOT_SETTLED: Mapping[str, str] = {
    "refused": "does not allow what was played",
    "silent": "has no answer to a question that the deal raises",
}


def _describe_turn(one: TurnedOutcome) -> str:
    if one.what == "may-play":
        return f"Trick {one.trick}: what {one.seat.capitalize()} may play"
    if one.what == "taken":
        return f"Trick {one.trick}: who takes it"
    return SETTLEMENT_HEADINGS[one.what] if one.what in SETTLEMENT_HEADINGS else UPSHOT_WORDINGS[one.what][0]


def _link_questions(library: Library, slugs: tuple[str, ...]) -> tuple[QuestionLink, ...]:
    """Links to questions, as far as they still exist."""
    return tuple(question_link(library.questions[slug]) for slug in slugs if slug in library.questions)


def _format_account_shares(adds: Mapping[str, str], accounts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(format_signed_fraction(Fraction(adds.get(one, "0"))) for one in accounts)


def format_signed_fraction(number: Fraction) -> str:
    """Signed fraction: whole part and remainder."""
    if not number:
        return "0"
    whole, rest = divmod(abs(number), 1)
    parts = [str(whole)] if whole else []
    return ("+" if number > 0 else _MINUS) + " ".join([*parts, *([str(rest)] if rest else [])])


# ---- layout


def attribution_section(view: CausesView | None, names: Mapping[str, str]) -> Nodes:
    """The answers that make the difference, pair by pair, folded away; *names* of the sources by siglum."""
    if view is None:
        return []
    told = para(
        "Found by ",
        code(view.command),
        f" in the sources {view.sources[:19]}; the list of deals says whether ",
        "they have changed since.",
        cls="rv-small",
    )
    method = details("How the shares are computed", para(_METHOD_TEXT), told)
    without = [one for one in view.pairs if one.unsettled]
    pairs = [_render_pair(view, one, names) for one in view.pairs if not one.unsettled]
    if without:
        pairs.append(_render_unsettled_pairs(without, names))
    return [section("causes", "Why the results differ", *pairs, method)]


_METHOD_TEXT = (
    "Between every two sources the whole difference is shared out among the answers in which they differ: each counts "
    "for what it adds on average over all orders in which the one source’s answers could give way to the other’s "
    "(Shapley’s value, in exact fractions). The shares add up to the difference; an answer that this deal does not ask "
    "for has none. Smallest counters are taken one for one."
)


def _render_pair(view: CausesView, one: PairView, names: Mapping[str, str]) -> nodes.Node:
    first, second = one.pair
    shares = _render_share_table(view, one, names) if one.rows else para("No money changes hands otherwise.")
    key = _name_share_table(one)
    command = code(f"reversis compare {first} {second} --deal {view.deal}")
    kept = defer_content(key, [command, " prints the answers and their shares."], shares, *_render_turns(one))
    head = [strong(_name_pair(one, names)), span(f" {_summarize_pair(one)}", cls="rv-small")]
    return add_page_id(details(head, kept, cls="rv-words rv-pair"), key)


def _name_share_table(one: PairView) -> str:
    first, second = one.pair
    return f"causes-{first}-{second}-" + slugify_text(f"What {second} makes of the deal, less what {first} makes of it")


def _render_unsettled_pairs(pairs: Sequence[PairView], names: Mapping[str, str]) -> nodes.Node:
    """Pairs of which a book has no result: the reasons, and what they decide otherwise before any money."""
    reasons = {name: why for one in pairs for name, why in one.unsettled.items()}
    head = [strong(join_names([*reasons])), span(" no result on this deal, so nothing to share out", cls="rv-small")]
    said: Nodes = [bullet_list(f"{name} {why}." for name, why in reasons.items())]
    groups: dict[tuple[Any, ...], list[PairView]] = {}
    for one in pairs:
        groups.setdefault(one.turned, []).append(one)
    for turned, some in groups.items():
        if turned:
            said += [para(strong("; ".join(_name_pair(one, names) for one in some))), *_render_turns(some[0])]
    return details(head, *said, cls="rv-words")


def _name_pair(one: PairView, names: Mapping[str, str]) -> str:
    return join_names([names.get(siglum, siglum) for siglum in one.pair])


def _render_turns(one: PairView) -> Nodes:
    if not one.turned:
        return []
    return [
        para("What else comes out otherwise, and by which answer alone:"),
        bullet_list(map(_render_turn, one.turned)),
    ]


def _summarize_pair(one: PairView) -> str:
    if not one.rows:
        return "no difference in money"
    joined = any(len(row.questions) > 1 for row in one.rows)
    asked = format_count(sum(max(len(row.questions), 1) for row in one.rows), "answer")
    most = f"Most of it: {one.most} " if one.most else ""
    return f"{most}({asked} in all{', some of them only together' if joined else ''})"


def _render_turn(one: tuple[str, tuple[tuple[QuestionLink, ...], ...]]) -> list[Content]:
    """Outcome in a line, and beneath it each set of answers that is enough to turn it."""
    words, ways = one
    return [para(words), bullet_list([*_render_questions(some)] for some in ways)] if ways else [words]


def _render_questions(some: tuple[QuestionLink, ...]) -> Iterator[Content]:
    for at, question in enumerate(some):
        yield from [" together with "] if at else []
        yield link("question", question.id, question.asks)


def _render_share_table(view: CausesView, one: PairView, names: Mapping[str, str]) -> nodes.Node:
    first, second = (names.get(siglum, siglum) for siglum in one.pair)
    rows: list[tuple[Any, ...]] = [([*_render_row_name(row)], *row.adds) for row in one.rows]
    rows.append((strong("together"), *one.difference))
    caption = f"By how much the result of {second} is above that of {first} (below: {_MINUS}), and by which answer"
    head = ("Answer to", *(account.capitalize() for account in view.accounts))
    made = table(caption, head, rows, cls="rv-stack rv-figures rv-causes")
    made["ids"] = [f"shares-{'-'.join(one.pair)}"]
    return made


def _render_row_name(row: CauseRow) -> Iterator[Content]:
    if not row.questions:
        yield "the pool before the deal"
    yield from _render_questions(row.questions)
    if row.joined:
        yield span(f" (together: {row.joined})", cls="rv-small")
