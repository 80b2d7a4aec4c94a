"""Comment on the solved endings, in words, made of the receipt of `proofs.miniature`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, bullet_list, page_link, para, section
from edition.views.layout import Nodes
from reversis.files.counsel import StoredMean
from reversis.files.miniature import (
    NET_KIND,
    RANDOM_KIND,
    SOLUTION_KIND,
    StoredMiniatures,
    read_miniatures,
)
from reversis.files.strength import STRENGTH_PROOF, judge_mean, read_strength
from reversis.findings.costs import THIN_SPACE, format_cost_figure
from reversis.views.surveys.strength import name_one_player, name_several_players
from rulebook.phrases import capitalise, join_names

_COMPARED = {1: "more than", -1: "less than", 0: "not surely more or less than"}


@dataclass(frozen=True, slots=True)
class MiniatureView:
    """Exploitability of the players, and whether a proof of their strength stands beside it."""

    stored: StoredMiniatures | None
    strength: bool


def miniature_view(corpus: Corpus) -> MiniatureView:
    """Exploitability of the players as the receipt has it."""
    return MiniatureView(read_miniatures(corpus.receipts), read_strength(corpus.receipts) is not None)


def render_miniature_summary(view: MiniatureView) -> Nodes:
    """Render what the figures mean, and what rests on them."""
    stored = view.stored
    if stored is None:
        return []
    return [
        section(
            "miniature-short",
            "What this means",
            para(_explain_measure(stored)),
            bullet_list([para(each)] for each in _describe_shares_by_kind(stored)),
            *map(para, (*_describe_expected_order(stored), *_describe_net_gap(stored))),
            para(*_describe_skill(view)),
        )
    ]


def _explain_measure(stored: StoredMiniatures) -> str:
    return (
        "Exploitability is what each of four players of a kind could win more, all four together, if that player alone "
        "knew how the others choose; of the solution it is nothing. It is compared with that of random players in the "
        f"same {stored.endings} endings. The gap is what one of a kind among three of the solution wins less than the "
        "solution in the same seat."
    )


def _describe_shares_by_kind(stored: StoredMiniatures) -> Iterator[str]:
    """Describe each kind; kinds with the same figures together."""
    kinds: dict[StoredMean, list[str]] = {}
    for kind, share in stored.shares.items():
        if kind not in (SOLUTION_KIND, RANDOM_KIND):
            kinds.setdefault(share, []).append(kind)
    for share, alike in kinds.items():
        names = capitalise(join_names([name_several_players(kind) for kind in alike]))
        low, high = (format_cost_figure(max(0.0, share.mean + end)) for end in (-share.margin, share.margin))
        yield (
            f"{names} leave {format_cost_figure(share.mean)} times as much to win as random players "
            f"(95{THIN_SPACE}%: {low} to {high}): {_COMPARED[judge_mean(share, 1.0)]} they."
        )


def _describe_expected_order(stored: StoredMiniatures) -> Iterator[str]:
    """Hold what came against what was written down before the run."""
    found = [name_several_players(kind) for kind in stored.list_not_falling()]
    came = f"So it did not come: it does not fall to {join_names(found)}." if found else "So it came."
    yield f"Written down before the run was that it falls from each kind of player in the tables to the next. {came}"


def _describe_net_gap(stored: StoredMiniatures) -> Iterator[str]:
    worse = stored.select_worse(NET_KIND, RANDOM_KIND)
    if worse:
        yield (
            f"Among three who play the solution {name_one_player(NET_KIND)} falls behind by more than "
            f"{name_one_player(RANDOM_KIND)} by the rules of {len(worse)} of {len(stored.gaps)} books. These are means "
            "of a few endings, and no interval of them is known."
        )


def _describe_skill(view: MiniatureView) -> Iterable[Content]:
    stored = view.stored
    share = stored.shares.get(NET_KIND) if stored else None
    if share is None or judge_mean(share, 1.0) <= 0:
        return
    yield (
        "So the nets, which are the skilled players of other pages, are far from an equilibrium, and in these endings "
        "not even hard to beat for somebody who knows them. Skilled means no more there than that they win from "
        "careful players over whole deals"
    )
    if view.strength:
        yield " ("
        yield page_link(f"proofs/{STRENGTH_PROOF}", "strength of the players")
        yield ")"
    yield (
        ". It is no contradiction: nobody at those tables knows how the others choose, and the way in which the cards "
        "lie is drawn here from all that are lawful, whatever the first eight tricks tell. But what rests on the nets "
        "alone is how these nets fare among themselves, and not how good play would."
    )
