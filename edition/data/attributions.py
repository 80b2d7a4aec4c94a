"""Which answers make the difference between two sources on a worked deal: stored, read, and laid out.

To find them takes minutes (`engine.comparison.attribution`), so `python -m proofs.attributions` finds them all and
keeps them in `sources/attributions.json`, each with the fingerprint of its deal. A deal that has changed since shows
none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.analysis.certainty import UPSHOTS
from edition.cli.compare_deal import HEADINGS
from edition.data.json_records import CausedRecord, CausesRecord, read_stored
from edition.data.separations import worked_deals
from edition.nodes.builders import Content, bullets, code, details, link, para, section, span, strong, table
from edition.text.answers import plural
from edition.views.common import QuestionLink, question_link
from engine.comparison.attribution import STATES, Attribution, attribution
from engine.comparison.bundles import JOINED
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.readings.meanings.stake import POOL
from engine.settlement.ledger import Account
from engine.settlement.result_json import fingerprint
from rulebook import __version__
from rulebook.io.files import replaced
from rulebook.io.strict_json import positions
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.receipts import outdated
from rulebook.resolve import rules

FILE = "attributions.json"
SCHEMA = 1
COMMAND = "python -m proofs.attributions"
AGAIN = f"make it again: {COMMAND}"

Nodes = list[nodes.Node]


@dataclass(frozen=True, slots=True)
class Cause:
    """Some answers that are exchanged together, and what they add to every account, as exact fractions."""

    questions: tuple[str, ...]  #: slugs; none: the pool as it lies before the deal
    adds: Mapping[str, str]
    joined: str = ""  #: one of engine.comparison.bundles.JOINED


@dataclass(frozen=True, slots=True)
class Turn:
    """Something besides money that turns out otherwise, and the answers that suffice to turn it."""

    what: str
    enough: tuple[tuple[str, ...], ...] = ()
    trick: int = 0  #: 0 where it is no matter of one trick
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Caused:
    """One deal under two sources."""

    deal: str
    pair: tuple[str, str]
    seal: str  #: fingerprint of the deal
    states: tuple[str, str]
    difference: Mapping[str, int]  #: what every account has more by the second
    causes: tuple[Cause, ...] = ()
    turned: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Causes:
    """All of them, of which state of the edition, and how to find them again."""

    command: str
    version: str
    sources: str
    found: tuple[Caused, ...]

    @cached_property
    def by_deal(self) -> Mapping[str, tuple[Caused, ...]]:
        """Those of each deal."""
        deals: dict[str, list[Caused]] = {}
        for one in self.found:
            deals.setdefault(one.deal, []).append(one)
        return {deal: tuple(some) for deal, some in deals.items()}

    def outdated(self, digest: str) -> tuple[str, ...]:
        """Why it does not speak of the present edition; empty when it does."""
        return outdated((self.version, self.sources), (__version__, digest))


# ---- finding
def caused(library: Library, deal: Deal) -> Iterator[Caused]:
    """A deal under every two sources."""
    for first, second in combinations(library.sources, 2):
        found = attribution(library, deal, rules(library, first), rules(library, second))
        yield told(found, (first, second))


def told(found: Attribution, pair: tuple[str, str]) -> Caused:
    """An attribution as it is stored."""
    deal = found.deal
    states = STATES[type(found.first)], STATES[type(found.second)]
    difference = {account(deal, a): n for a, n in found.difference.items() if n} if found.settled else {}
    causes = tuple(
        Cause(bundle.questions, {account(deal, a): str(n) for a, n in share.items() if n}, bundle.joined)
        for bundle, share in found.shares.items()
        if any(share.values())
    )
    turned = tuple(
        Turn(
            one.what,
            tuple(tuple(q for bundle in some for q in bundle.questions) for some in one.enough),
            one.trick or 0,
            "" if one.seat is None else deal.seats[one.seat],
        )
        for one in found.turned
    )
    return Caused(deal.id, pair, seal(deal), states, difference, causes, turned)


def account(deal: Deal, number: Account) -> str:
    """A player, or the pool."""
    return POOL if number == POOL else deal.seats[int(number)]


def seal(deal: Deal) -> str:
    """The fingerprint of a deal."""
    return fingerprint(write_deal(deal))


# ---- the file
def write_causes(root: Path, one: Causes) -> Path:
    """Put the file in the place of the last one: a line for each deal and pair."""
    head = {"schema": SCHEMA, "command": one.command, "version": one.version, "sources": one.sources}
    body = ",\n".join(f" {line(brief(asdict(each)))}" for each in one.found)
    return replaced(root / FILE, f'{line(head)[:-1]},\n"found": [\n{body}\n]}}\n')


def line(data: object) -> str:
    """Data in one line of JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def brief(data: Any) -> Any:
    """Data without what it leaves unsaid."""
    if isinstance(data, dict):
        return {key: brief(value) for key, value in data.items() if value or key in ("difference", "questions", "adds")}
    return [brief(one) for one in data] if isinstance(data, (list, tuple)) else data


def read_causes(root: Path, library: Library | None = None) -> tuple[Causes | None, list[Problem]]:
    """What is stored, or what is wrong with it; nothing where nothing is. A library tells what may be named."""
    if not (root / FILE).is_file():
        return None, []
    record, problems = read_stored(CausesRecord, root / FILE, root, AGAIN, library)
    if record is None:
        return None, problems
    read = Causes(record.command, record.version, record.sources, tuple(map(caused_of, record.found)))
    problems = sorted(strange_accounts(read, root, library)) if library else []
    return (None if problems else read), problems


def strange_accounts(read: Causes, root: Path, library: Library) -> Iterator[Problem]:
    """Report accounts and seats that a deal does not have; of a deal that has changed since nothing is known."""
    deals = {seal(deal): {*deal.seats, POOL} for deal in worked_deals(library).values()}
    strange = [
        (("found", at, *steps), one)
        for at, each in enumerate(read.found)
        for steps, one in accounts_in(each)
        if each.seal in deals and one not in deals[each.seal]
    ]
    if strange:
        places = positions(root / FILE, f"{root.name}/{FILE}")
        yield from (places.where(steps).problem(f"the deal has no account {one}", AGAIN) for steps, one in strange)


def accounts_in(one: Caused) -> Iterator[tuple[Steps, str]]:
    """Every account that is named, and where."""
    yield from ((("difference", name), name) for name in one.difference)
    yield from ((("causes", at, "adds", name), name) for at, cause in enumerate(one.causes) for name in cause.adds)
    yield from ((("turned", at, "seat"), turn.seat) for at, turn in enumerate(one.turned) if turn.seat)


def caused_of(one: CausedRecord) -> Caused:
    """One deal under two sources."""
    causes = tuple(Cause(tuple(c.questions), c.adds, c.joined) for c in one.causes)
    turned = tuple(Turn(t.what, tuple(map(tuple, t.enough)), t.trick, t.seat) for t in one.turned)
    (first, second), states = one.pair, (one.states[0], one.states[1])
    return Caused(one.deal, (first, second), one.seal, states, one.difference, causes, turned)


# ---- on a deal's page
@dataclass(frozen=True, slots=True)
class CauseRow:
    """Some answers, and what they add to every account."""

    questions: tuple[QuestionLink, ...]
    joined: str
    adds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """Two sources on the deal."""

    pair: tuple[str, str]
    why_not: str  #: why no money is shared out
    turned: tuple[tuple[str, tuple[tuple[QuestionLink, ...], ...]], ...]
    rows: tuple[CauseRow, ...]
    difference: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CausesView:
    """Every two sources on the deal."""

    accounts: tuple[str, ...]
    pairs: tuple[PairView, ...]
    command: str
    sources: (
        str  #: fingerprint of the sources in which they were found; the list of deals says whether it still is theirs
    )


def causes_view(library: Library, stored: Causes | None, deal: Deal) -> CausesView | None:
    """What is stored of a deal; nothing where nothing is, or where the deal has changed since."""
    found = [one for one in stored.by_deal.get(deal.id, ()) if one.seal == seal(deal)] if stored else []
    if not stored or not found:
        return None
    accounts = (*deal.seats, POOL)
    pairs = tuple(pair_view(library, one, accounts) for one in found)
    return CausesView(accounts, pairs, stored.command, stored.sources)


def freshness_view(stored: Causes | None, digest: str) -> tuple[str, tuple[str, ...]] | None:
    """By which command all of them were found, and why not in these sources, if so: said once, not on every deal."""
    return (stored.command, stored.outdated(digest)) if stored else None


def freshness(view: tuple[str, tuple[str, ...]] | None) -> Nodes:
    """Whether what stands on the pages of the deals is of these sources."""
    if view is None:
        return []
    command, old = view
    said = f"Of an earlier state: {'; '.join(old)}. Repeat it." if old else "It speaks of these sources as they stand."
    return [para("Which answers make the difference was found, for every deal, by ", code(command), ". ", strong(said))]


def pair_view(library: Library, one: Caused, accounts: tuple[str, ...]) -> PairView:
    """Two sources on a deal, in words."""
    bad = [f"{s} {NOT_SETTLED[state]}" for s, state in zip(one.pair, one.states, strict=True) if state in NOT_SETTLED]
    turned = tuple((heading(turn), tuple(asked(library, some) for some in turn.enough)) for turn in one.turned)
    rows = tuple(
        CauseRow(asked(library, c.questions), JOINED.get(c.joined, "") if c.joined else "", added(c.adds, accounts))
        for c in one.causes
    )
    difference = added({a: str(n) for a, n in one.difference.items()}, accounts)
    return PairView(one.pair, " and ".join(bad), turned, rows, difference)


NOT_SETTLED: Mapping[str, str] = {
    "refused": "does not allow what was played",
    "silent": "is silent on a question that the deal raises",
}


def heading(one: Turn) -> str:
    """What turns out otherwise."""
    if one.what == "may-play":
        return f"Trick {one.trick}: what {one.seat} may play"
    if one.what == "taken":
        return f"Trick {one.trick}: who takes it"
    return HEADINGS[one.what] if one.what in HEADINGS else UPSHOTS[one.what][0]


def asked(library: Library, slugs: tuple[str, ...]) -> tuple[QuestionLink, ...]:
    """Questions, as far as they are still there."""
    return tuple(question_link(library.questions[slug]) for slug in slugs if slug in library.questions)


def added(adds: Mapping[str, str], accounts: tuple[str, ...]) -> tuple[str, ...]:
    """What is added to every account, with its sign."""
    return tuple(signed(Fraction(adds.get(one, "0"))) for one in accounts)


def signed(number: Fraction) -> str:
    """A fraction with its sign; a whole and what is left over."""
    if not number:
        return "0"
    whole, rest = divmod(abs(number), 1)
    parts = [str(whole)] if whole else []
    return ("+" if number > 0 else "\N{MINUS SIGN}") + " ".join([*parts, *([str(rest)] if rest else [])])


# ---- layout
def causes(view: CausesView | None) -> Nodes:
    """The answers that make the difference, pair by pair, folded away."""
    if view is None:
        return []
    told = para(
        "Found by ",
        code(view.command),
        f" in the sources {view.sources[:19]}; the list of deals says whether ",
        "they have changed since.",
        cls="rv-small",
    )
    head = "Which answers make the difference"
    return [section("causes", head, para(WORDS), *(pair(view, p) for p in view.pairs), told)]


WORDS = (
    "Between every two sources the whole difference is shared out among the answers in which they differ: each counts "
    "for what it adds on the mean of all orders in which the one source's answers could give way to the other's "
    "(Shapley's value, in exact fractions). The shares add up to the difference; an answer that this deal does not ask "
    "for has none. Smallest counters are taken one for one."
)


def pair(view: CausesView, one: PairView) -> nodes.Node:
    """Two sources."""
    first, second = one.pair
    said: Nodes = []
    if one.turned:
        said += [para("Before any money:"), bullets([*turn(each)] for each in one.turned)]
    if one.why_not:
        said.append(para(f"No money is shared out: {one.why_not}."))
    elif one.rows:
        said.append(shares(view, one))
    else:
        said.append(para("No money changes hands otherwise."))
    return details(f"{first} and {second}: {in_short(one)}", *said, cls="rv-words")


def in_short(one: PairView) -> str:
    """What is folded away."""
    if one.why_not:
        return "not both settle the deal"
    if not one.rows:
        return "no difference in money"
    joined = any(len(row.questions) > 1 for row in one.rows)
    asked = plural(sum(max(len(row.questions), 1) for row in one.rows), "answer")
    return asked + (", some of them only together" if joined else "")


def turn(one: tuple[str, tuple[tuple[QuestionLink, ...], ...]]) -> Iterator[Content]:
    """Something that turns out otherwise, and what suffices to turn it."""
    words, ways = one
    yield words
    for at, some in enumerate(ways):
        yield "; enough is the other's answer to " if not at else ", or to "
        yield from names(some)


def names(some: tuple[QuestionLink, ...]) -> Iterator[Content]:
    """Questions by their ids."""
    for at, question in enumerate(some):
        yield from [" with "] if at else []
        yield link("question", question.id, question.id, title=question.asks, cls="rv-id")


def shares(view: CausesView, one: PairView) -> nodes.Node:
    """What every answer adds to every account."""
    first, second = one.pair
    rows: list[tuple[Any, ...]] = [([*row_name(row)], *row.adds) for row in one.rows]
    rows.append((strong("together"), *one.difference))
    caption = f"What {second} makes of the deal, less what {first} makes of it"
    return table(
        caption, ("By the answer to", *view.accounts), rows, cls="rv-stack rv-causes", kind=f"causes-{first}-{second}"
    )


def row_name(row: CauseRow) -> Iterator[Content]:
    """Some answers, and why they are exchanged together."""
    if not row.questions:
        yield "the pool before the deal"
    yield from names(row.questions)
    yield span(f" {', '.join(q.slug for q in row.questions)}", cls="rv-small")
    if row.joined:
        yield span(f" (together: {row.joined})", cls="rv-small")
