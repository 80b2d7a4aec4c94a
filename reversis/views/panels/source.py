"""Parts of a source's page on its deals: how much of them is its own, and what a draft can play already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from edition.nodes.builders import Content, bullet_list, details, link, para, section
from edition.text import answers as words
from edition.views.layout import Nodes, join_content
from reversis.findings.share_of_own_answers import DraftPlay, OwnShare
from reversis.words.missing import MissingGroup
from rulebook.phrases import format_count

_MOST_NAMED = 12  #: deals that are named one by one


def render_own_share(share: OwnShare | None, names: Mapping[str, str]) -> Nodes:
    """Render how much of its deals a source answers by itself; *names* has the short names of the sources."""
    if share is None:
        return []
    deals = format_count(share.deals, "example deal")
    said = f"To settle its {deals}, {format_count(share.asked, 'question')} must be answered"
    if not share.taken_from:
        return [para(f"{said}: the book answers them all.", cls="rv-small rv-own-share")]
    whence = [
        f"{number} from {names.get(one) or words.describe_supply_ground(one)}" for one, number in share.taken_from
    ]
    least: list[Content] = [
        " It answers least of ",
        link("deal", share.least, "this deal"),
        f": {share.least_own} of {share.least_asked}.",
    ]
    ours = format_count(share.asked - share.own, "answer is ours", "answers are ours")
    rest = f": the book answers {share.own}, {ours} ({', '.join(whence)})."
    return [para(said, rest, *least, cls="rv-small rv-own-share")]


def render_foreign_sums(warnings: Sequence[str]) -> Nodes:
    """Render the warnings of sums that were supplied by a source with another counter."""
    return [para("Scales are mixed: ", words, ".", cls="rv-small rv-foreign-sums") for words in warnings]


def render_draft_play(play: DraftPlay | None) -> Nodes:
    """Render what a draft can play already, and what it lacks."""
    if play is None or not (play.settled or play.partly or play.stopped):
        return []
    tried = len(play.settled) + len(play.partly) + len(play.stopped)
    parts = [f"Of {format_count(tried, 'deal')} it settles {len(play.settled)}, and {len(play.partly)} in part."]
    parts += [f"Of {len(play.stopped)} nothing can be settled yet."] if play.stopped else []
    lists = bullet_list(_list_deals(play))
    return [section("plays", "What it can play so far", para(" ".join(parts)), lists, *_render_missing(play.missing))]


def _list_deals(play: DraftPlay) -> Iterator[list[Content]]:
    for id in play.settled[:_MOST_NAMED]:
        yield [link("deal", id), ": settled"]
    for id, paid, left in play.partly[:_MOST_NAMED]:
        yield [link("deal", id), f": {format_count(paid, 'payment')} settled, {left} left out; no result"]


def _render_missing(groups: tuple[MissingGroup, ...]) -> Nodes:
    lines = ([f"{group.title}: ", *join_content(link("question", one.id) for one in group.answers)] for group in groups)
    count = sum(len(group.answers) for group in groups)
    return [details(f"What these deals lack: {format_count(count, 'answer')}", bullet_list(lines))] if groups else []
