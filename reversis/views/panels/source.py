"""Panels of a source's page: links, how much of its deals is its own, what a draft can play, counsel that was tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, block, bullet_list, details, link, para, section, span
from edition.text import answers as words
from edition.views.layout import Nodes, join_content, render_labelled_line
from reversis.files.extras import group_deals_by_sentence
from reversis.findings import share_of_own_answers
from reversis.findings.costs import find_costs
from reversis.views.surveys.counsel import list_tried_counsel
from reversis.words.foreign_sums import list_foreign_sums
from rulebook.answers.wording import describe_supply_ground
from rulebook.phrases import format_count

SENTENCE_DEALS = "Example deals"
_MOST_NAMED = 12  #: deals that are named one by one


# ---- links
def view_rules_link(corpus: Corpus, siglum: str) -> str:
    """View the source whose rules are told in order of play: every one."""
    return siglum


def render_rules_link(siglum: str) -> Nodes:
    """Render the link to the rules as one plays by them."""
    return [link("howto", siglum, "Rules")]


def view_costs_link(corpus: Corpus, siglum: str) -> str | None:
    """View the source if it is known what its disagreements cost."""
    return siglum if any(cost.table == siglum for cost in find_costs(corpus)) else None


def render_costs_link(siglum: str) -> Nodes:
    """Render the link to what the disagreements of a source cost."""
    return [link("costs", siglum, "How much its differences matter")]


# ---- its deals
def view_own_share(corpus: Corpus, siglum: str) -> share_of_own_answers.OwnShare | None:
    """View how much of its deals a source answers by itself, the others by their names."""
    books, share = corpus.library.sources, share_of_own_answers.measure_own_share(corpus.library, siglum)
    return share and replace(
        share,
        taken_from=tuple(
            (words.name_within(books[ground]) if ground in books else describe_supply_ground(ground), number)
            for ground, number in share.taken_from
        ),
    )


def render_own_share(share: share_of_own_answers.OwnShare) -> Nodes:
    """Render how much of its deals a source answers by itself."""
    settled = f"its {format_count(share.deals, 'example deal')}"
    if not share.examples:
        settled = f"{format_count(share.deals, 'example deal')} of other books"
    elif share.deals != share.examples:
        settled = f"the {share.deals} of its {format_count(share.examples, 'example deal')} that come to a result"
    sentence = f"To settle {settled}, {format_count(share.asked, 'question')} must be answered"
    if not share.taken_from:
        return [para(f"{sentence}: the book answers them all.", cls="rv-small rv-own-share")]
    whence = [f"{number} from {ground}" for ground, number in share.taken_from]
    least: list[Content] = [
        " It answers fewest in ",
        link("deal", share.least, "this deal"),
        f": {share.least_own} of {share.least_asked} questions.",
    ]
    ours = format_count(share.asked - share.own, "answer is ours", "answers are ours")
    rest = f": the book answers {share.own}, {ours} ({', '.join(whence)})."
    return [para(sentence, rest, *least, cls="rv-small rv-own-share")]


def view_foreign_sums(corpus: Corpus, siglum: str) -> tuple[str, ...] | None:
    """View the warnings of sums that were supplied by a source with another counter."""
    sums = list_foreign_sums(corpus.library, siglum)
    return tuple(words.spell_out_sources(warning, corpus.library) for warning, _ in sums) or None


def render_foreign_sums(warnings: Sequence[str]) -> Nodes:
    """Render the warnings."""
    return [para("Scales are mixed: ", words, ".", cls="rv-small rv-foreign-sums") for words in warnings]


def view_draft_play(corpus: Corpus, siglum: str) -> share_of_own_answers.DraftPlay | None:
    """View what a draft can play already; None where there is nothing to be played."""
    if not corpus.library.sources[siglum].draft:
        return None
    play = share_of_own_answers.measure_draft_play(corpus.library, siglum)
    return play if play.settled or play.partly or play.stopped else None


def render_draft_play(play: share_of_own_answers.DraftPlay) -> Nodes:
    """Render what a draft can play already, and what it lacks."""
    tried = len(play.settled) + len(play.partly) + len(play.stopped)
    parts = [f"Of {format_count(tried, 'deal')} it settles {len(play.settled)}, and {len(play.partly)} in part."]
    parts += [f"Of {len(play.stopped)} nothing can be settled yet."] if play.stopped else []
    lists = bullet_list(_list_deals(play))
    lines = (
        [f"{group.title}: ", *join_content(link("question", answer.id) for answer in group.answers)]
        for group in play.missing
    )
    count = sum(len(group.answers) for group in play.missing)
    return [
        section(
            "plays",
            "What it can play so far",
            para(" ".join(parts)),
            lists,
            *(
                [details(f"What these deals lack: {format_count(count, 'answer')}", bullet_list(lines))]
                if play.missing
                else []
            ),
        )
    ]


def _list_deals(play: share_of_own_answers.DraftPlay) -> Iterator[list[Content]]:
    for id in play.settled[:_MOST_NAMED]:
        yield [link("deal", id), ": settled"]
    for id, paid, left in play.partly[:_MOST_NAMED]:
        yield [link("deal", id), f": {format_count(paid, 'payment')} settled, {left} left out; no result"]


# ---- its sentences
def view_tried_counsel(corpus: Corpus, locus: str) -> tuple[tuple[str, str, str], ...] | None:
    """View the counsel in a sentence that was tried: id, words and verdict of each."""
    return list_tried_counsel(corpus, locus) or None


def render_tried_counsel(counsel: tuple[tuple[str, str, str], ...]) -> Nodes:
    """Render a note on each."""
    return [
        block(render_labelled_line("Advice tested", link("counsel", id, says), f" {verdict}."), cls="rv-note")
        for id, says, verdict in counsel
    ]


def view_sentence_deals(corpus: Corpus, locus: str) -> tuple[str, ...] | None:
    """View the example deals of a sentence."""
    return group_deals_by_sentence(corpus).get(locus)


def render_sentence_deals(deals: tuple[str, ...]) -> Nodes:
    """Render the example deals of a sentence in a line."""
    return [render_labelled_line(SENTENCE_DEALS, *join_content((span(link("deal", id)) for id in deals), "; "))]
