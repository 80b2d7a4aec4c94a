"""Strength of the players in words, made of the receipt of `proofs.strength`: who wins from whom, where, how surely.

The whole stands with the figures of the proof; a paragraph of it wherever a page rests on these players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import bullet_list, details, page_link, para, section, strong, table
from edition.nodes.components import SourceMark
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from reversis.files.counsel import StoredMean
from reversis.files.miniature import MINIATURE_PROOF, NET_KIND, RANDOM_KIND, read_miniatures
from reversis.files.strength import (
    NET_MATCH,
    STRENGTH_PROOF,
    StoredStrength,
    StrengthMatch,
    find_match,
    judge_mean,
    list_net_shares,
    overlap,
    read_strength,
)
from reversis.findings.costs import THIN_SPACE, format_cost_figure
from reversis.views.surveys.play_effects import format_signed
from reversis.views.surveys.reversis_rates import is_undertaken_by_making
from rulebook import __version__
from rulebook.phrases import capitalise, join_names, pluralize_counter

NO_STRENGTH_TEXT = "How well these players play has not been measured yet: `python -m proofs.strength` does it."
CITED_MATCH = "search 64 against net"  #: what is cited beside the net's own match
#: Kind of player -> one of them, several.
_PLAYER_NOUNS: Mapping[str, tuple[str, str]] = {
    "random": ("random player", "random players"),
    "cautious": ("careful player", "careful players"),
    "net": ("net", "nets"),
}
_SEARCH = "search "


@dataclass(frozen=True, slots=True)
class StrengthView:
    """Strength of the players, with the names of the books and of their counters."""

    stored: StoredStrength | None
    books: Mapping[str, SourceMark]
    units: Mapping[str, str]  #: by source, of more than one
    making: tuple[str, ...]  #: sources by which a reversis counts as undertaken only once it is made
    exploitable: int  #: whether nets surely leave more to win than random players in the last tricks (1), or less (-1)
    miniatures: bool
    outdated: bool  #: it was measured for an earlier state of the edition


def strength_view(corpus: Corpus, _: str = "") -> StrengthView:
    """Strength of the players as the receipt has it."""
    sources, small = corpus.library.sources, read_miniatures(corpus.receipts)
    share = small.shares.get(NET_KIND) if small else None
    return StrengthView(
        read_strength(corpus.receipts),
        source_marks(corpus),
        {siglum: pluralize_counter(source.unit) for siglum, source in sources.items()},
        tuple(siglum for siglum in sources if is_undertaken_by_making(corpus, siglum)),
        judge_mean(share, 1.0) if share else 0,
        small is not None,
        any(
            one.proof == STRENGTH_PROOF and one.outdated(__version__, corpus.library.rules_digest)
            for one in corpus.receipts
        ),
    )


# ---- names
def name_one_player(kind: str) -> str:
    """Name one player of a kind: "one net", "one search of 64 worlds"."""
    return f"one {_name_players(kind, 0)}"


def name_three_players(kind: str) -> str:
    """Name three players of a kind."""
    return f"three {_name_players(kind, 1)}"


def name_several_players(kind: str) -> str:
    """Name players of a kind: "careful players"."""
    return _name_players(kind, 1)


def _name_players(kind: str, number: int) -> str:
    if kind.startswith(_SEARCH):
        return f"{('search', 'searches')[number]} of {kind.removeprefix(_SEARCH)} worlds"
    return _PLAYER_NOUNS.get(kind, (kind, kind))[number]


def _name_match(one: StrengthMatch) -> str:
    return f"{name_one_player(one.one)} among {name_three_players(one.others)}"


def _name_books(view: StrengthView, sigla: Sequence[str], of: int) -> str:
    """Name the books: all of them by their number, some by their names."""
    if len(sigla) == of:
        return f"all {of} books"
    return join_names([view.books[siglum].within for siglum in sigla if siglum in view.books])


# ---- the whole
def render_strength_summary(view: StrengthView) -> Nodes:
    """Render what the receipt says: in short, by how much, what to cite, and what it does not show."""
    stored = view.stored
    if stored is None:
        return []
    return [
        section("strength-short", "In short", bullet_list([[each] for each in _describe_strength(view, stored)])),
        _render_leads(view, stored),
        section("strength-cite", "A sentence to cite", para(_cite_strength(view, stored)), _explain_citing()),
        details("What this does not show", *map(para, _limit_strength(view, stored))),
    ]


def _describe_strength(view: StrengthView, stored: StoredStrength) -> Iterator[nodes.Node]:
    clear = [one for one in stored.matches if len(one.select(1)) == len(one.ahead)]
    none = [one for one in stored.matches if len(one.select(0)) == len(one.ahead)]
    for one in clear:
        surely = f"{capitalise(_name_match(one))} is ahead by the rules of all {len(one.ahead)} books"
        yield para(f"{surely}; {_name_least_sure(view, one)}.")
    for one in none:
        yield para(
            f"{capitalise(_name_match(one))} cannot be told from them by the rules of any book: every interval holds 0."
        )
    for one in stored.matches:
        if one not in clear and one not in none:
            yield para(_describe_divided_match(view, one))
    if shares := list_net_shares(stored.matches):
        yield para(_describe_shares(view, shares))
    yield from map(para, _describe_endings(stored))
    yield para(_describe_expected(stored))


def _name_least_sure(view: StrengthView, one: StrengthMatch) -> str:
    """Name the book whose interval comes nearest to 0, measured by its width."""
    siglum, mean = min(one.ahead.items(), key=lambda item: item[1].mean / (item[1].margin or 1e-9))
    book = view.books[siglum].within if siglum in view.books else siglum
    return f"least surely by {_format_lead(mean, view.units.get(siglum, ''))} by those of {book}"


def _format_lead(mean: StoredMean, unit: str) -> str:
    low, high = format_signed(mean.mean - mean.margin), format_signed(mean.mean + mean.margin)
    return f"{format_signed(mean.mean)} {unit} (95{THIN_SPACE}%: {low} to {high})"


def _describe_divided_match(view: StrengthView, one: StrengthMatch) -> str:
    said = (
        (one.select(1), "is ahead by the rules of {}"),
        (one.select(0), "cannot be told from them by those of {}"),
        (one.select(-1), "is behind by those of {}"),
    )
    parts = [words.format(_name_books(view, sigla, len(one.ahead))) for sigla, words in said if sigla]
    return f"{capitalise(_name_match(one))} {', '.join(parts)}."


def _describe_shares(view: StrengthView, shares: Mapping[str, float]) -> str:
    each = ", ".join(
        f"{view.books[siglum].name} {100 * share:.0f}" for siglum, share in shares.items() if siglum in view.books
    )
    return (
        f"Against three careful players a net is ahead by {_format_range(shares)} of what the search is ahead by from "
        f"which it has learnt, that of 64 worlds ({each}). These are quotients of two means; of them no interval is "
        "known."
    )


def _format_range(shares: Mapping[str, float]) -> str:
    low, high = (f"{100 * end:.0f}" for end in (min(shares.values()), max(shares.values())))
    return f"{low}{THIN_SPACE}%" if low == high else f"{low} to {high}{THIN_SPACE}%"


def _describe_endings(stored: StoredStrength) -> Iterator[str]:
    """Compare what each kind of player loses in the last tricks with the kind before it."""
    parts = []
    for weaker, stronger in pairwise(stored.endings):
        both = [siglum for siglum in weaker.loss if siglum in stronger.loss]
        less = sum(stronger.loss[siglum].mean < weaker.loss[siglum].mean for siglum in both)
        apart = sum(not overlap(weaker.loss[siglum], stronger.loss[siglum]) for siglum in both)
        names = f"{name_several_players(stronger.kind)} lose less than {name_several_players(weaker.kind)}"
        parts.append(f"{names} by the rules of {less} of {len(both)} books (the intervals do not overlap in {apart})")
    if parts:
        yield (
            "In the last four tricks four of a kind sit together, and lost is what a card wins less than the best one, "
            "if all hands were open: "
            f"{'; '.join(parts)}. Where two intervals overlap, these figures do not tell the two kinds apart."
        )


def _describe_expected(stored: StoredStrength) -> str:
    """Hold what came against what was written down before the run."""
    matches = sum(len(one.ahead) for one in stored.matches)
    ahead = sum(len(one.select(1)) for one in stored.matches)
    pairs = [
        stronger.loss[siglum].mean < weaker.loss[siglum].mean
        for weaker, stronger in pairwise(stored.endings)
        for siglum in weaker.loss.keys() & stronger.loss.keys()
    ]
    last = f" That each kind loses less in the last tricks than the one before it came in {sum(pairs)} of {len(pairs)}."
    return (
        "Written down before the run was that the one is surely ahead in every match, by the rules of every book. That "
        f"came in {ahead} of {matches}.{last if pairs else ''}"
    )


def _render_leads(view: StrengthView, stored: StoredStrength) -> nodes.section:
    sigla = [siglum for siglum in view.books if any(siglum in one.ahead for one in stored.matches)]
    lines = [(capitalise(_name_match(one)), *(_format_cell(one, siglum) for siglum in sigla)) for one in stored.matches]
    head = "Who", *(f"{view.books[siglum].name}, {view.units[siglum]}" for siglum in sigla)
    made = table("By how much the one is ahead of the three a deal", head, lines, cls="rv-stack rv-figures")
    deals = sorted({one.deals for one in stored.matches})
    played = join_names([f"{number:,}" for number in deals])
    said = (
        f"What the one wins less what the three win on average, ± half the 95{THIN_SPACE}% interval. {played} deals a "
        "match, each from all four seats with the same cards; a search is named by the number of worlds it looks at. "
        "Careful players are called cautious in the tables below."
    )
    return section("strength-leads", "By how much", made, para(said, cls="rv-small"))


def _format_cell(one: StrengthMatch, siglum: str) -> str:
    mean = one.ahead.get(siglum)
    if mean is None:
        return "–"
    return f"{format_signed(mean.mean)}{THIN_SPACE}±{THIN_SPACE}{format_cost_figure(mean.margin)}"


def _cite_strength(view: StrengthView, stored: StoredStrength) -> str:
    """Make a sentence that can be cited: what the nets and their search are ahead of, where, on how many deals."""
    found = [one for name in (CITED_MATCH, NET_MATCH) if (one := find_match(stored.matches, name))]
    said = [
        f"{_name_match(one)} is ahead of them by the rules of {len(one.select(1))} of {len(one.ahead)} books"
        for one in found
    ]
    deals = join_names([f"{number:,}" for number in sorted({one.deals for one in found})])
    return (
        f"“At Reversis, {'; '.join(said)}; with the whole 95{THIN_SPACE}% interval above 0 ({deals} deals, each from "
        f"four seats; proof {STRENGTH_PROOF}, seed {stored.seed}, {stored.made}).”"
    )


def _explain_citing() -> nodes.paragraph:
    return para("Version and edition belong to it: ", page_link("citing", "how to cite"), ".", cls="rv-small")


def _limit_strength(view: StrengthView, stored: StoredStrength) -> Iterator[str]:
    number = sum(len(one.ahead) for one in stored.matches)
    yield (
        f"Each of the {number} intervals misses with a chance of one in twenty, about {round(number / 20)} of them in "
        "all; and since every match of a book is played with the same deals, they do not miss independently."
    )
    yield (
        "Who wins from three of a kind may lose to others, and at mixed tables. No person has played against these "
        "players, and nothing here says how people would fare. Only the first pool is played for, no session."
    )
    if view.making:
        books = join_names([view.books[siglum].within for siglum in view.making if siglum in view.books])
        yield (
            "A reversis is counted in the tables below if the one player undertakes it; by the rules of "
            f"{books} that is only once it is made."
        )
    yield "The interval in these tables is that of “more than the others”; for “wins a deal” none is stored."


# ---- a paragraph of it
def render_strength_note(view: StrengthView) -> Nodes:
    """Say in a paragraph how well the players play, with the way to the proofs."""
    stored = view.stored
    if stored is None:
        return [para(NO_STRENGTH_TEXT)]
    old = [" The strength was measured for an earlier state of the edition."] if view.outdated else []
    return [para(strong("How well they play. "), *_note_leads(stored), *_note_miniatures(view), *old)]


def _note_leads(stored: StoredStrength) -> Iterator[str | nodes.Node]:
    found = [one for name in (NET_MATCH, CITED_MATCH) if (one := find_match(stored.matches, name))]
    said = [
        f"{_name_match(one)} surely wins more than these by the rules of {len(one.select(1))} of {len(one.ahead)} books"
        for one in found
    ]
    shares = list_net_shares(stored.matches)
    part = [f"among careful players a net is ahead by {_format_range(shares)} of what that search is"] if shares else []
    yield f"{capitalise('; '.join([*said, *part]))} ("
    yield page_link(f"proofs/{STRENGTH_PROOF}", "strength of the players")
    yield ")."


def _note_miniatures(view: StrengthView) -> Iterator[str | nodes.Node]:
    if view.miniatures and view.exploitable > 0:
        yield (
            f" In the last three tricks, though, {name_several_players(NET_KIND)} leave more to somebody who knows how "
            f"they choose than {name_several_players(RANDOM_KIND)} do ("
        )
        yield page_link(f"proofs/{MINIATURE_PROOF}", "three tricks, solved")
        yield ")."
