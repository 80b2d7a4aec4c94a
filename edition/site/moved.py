"""Moved addresses: pages that are gone lead to those that took their place, and carry the fragment over.

Every page and every place that was ever published goes on leading to what it showed. A script carries the fragment
over; without scripts there is a link, and the browser goes there by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from edition.citation.places import addressed_pairs, format_pair_fragment
from edition.citation.urls import seen_from
from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.builders import DOMAIN
from edition.site.domain import EditionDomain
from edition.views.common import group_questions
from rulebook.sources.id_registry import REGISTRY_FILE
from rulebook.strings import slugify_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: A regular expression for a whole fragment, and the address that it leads to; $1 is its first group.
Rule = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Move:
    """New address of a removed page: by the first rule that fits the fragment, else *to* with its fragment."""

    to: str
    rules: tuple[Rule, ...] = ()


#: Page that is gone -> where it leads to.
MOVED_PAGES: Mapping[str, Move] = {
    "search": Move("find", (("rv-pages-q", "find#rv-find-q"), ("search-results", "find#rv-find-results"))),
    "distances": Move("descent"),
    "components": Move("method"),
    **dict.fromkeys(("matrix", "sidebyside", "questions"), Move("answers")),
    "pairs": Move("answers", ((r"(table-.+)", "descent#$1"),)),
}

#: Page that goes on -> rules for the places that are no longer on it.
MOVED_PLACES: Mapping[str, tuple[Rule, ...]] = {
    "interpretations": ((r"doubt-(\w+)", "interpretations/$1"), (r"([A-Z]+)\.([io]\d+)", "interpretations/$1#$1.$2")),
    "materiality": ((r"costs-(\w+)", "costs/$1"),),
}


def list_moved_pages(corpus: Corpus) -> Mapping[str, Move]:
    """All pages that are gone, with those of which there was one for each pair of sources.

    A library without a register of ids never had them: nothing of it was published before.
    """
    if not (Path(corpus.library.root) / REGISTRY_FILE).is_file():
        return {}
    pairs = {f"pairs/{first}-{second}": _move_pair(first, second) for first, second in addressed_pairs(corpus)}
    return {**MOVED_PAGES, **pairs}


def _move_pair(first: str, second: str) -> Move:
    """Move of the page of two sources to all answers, where the address chooses them; its tables were groups."""
    shown = f"answers#{format_pair_fragment(first, second)}"
    return Move(shown, ((r"table-(.+)", f"{shown}&group=$1"),))


@cached_on_corpus
def list_moved_places(corpus: Corpus) -> Mapping[str, tuple[Rule, ...]]:
    """Rules of all pages that go on without some of their places."""
    groups = {slugify_text(group): questions for group, questions in group_questions(corpus).items()}
    manual = [
        (f"manual-({'|'.join(question.id for question in asked)})", f"manual/{slug}#manual-$1")
        for slug, asked in groups.items()
    ]
    manual += [(slug, f"manual/{slug}") for slug in groups]
    proofs = [(f"(table-{receipt.proof}-.*)", f"proofs/{receipt.proof}#$1") for receipt in corpus.receipts]
    return {**MOVED_PLACES, "manual": tuple(manual), "proofs": tuple(proofs)}


def follow_move(
    page: str, fragment: str, moves: Mapping[str, Move], places: Mapping[str, tuple[Rule, ...]]
) -> tuple[str, str]:
    """Page and fragment to which an old address leads, step by step."""
    for _ in range(len(moves) + 1):
        move = moves.get(page)
        rules = move.rules if move else places.get(page, ())
        fitting = ((ask, to.replace("$", "\\")) for ask, to in rules if re.fullmatch(ask, fragment))
        to = next((re.sub(f"^{ask}$", to, fragment) for ask, to in fitting), "")
        if not to and move is None:
            break
        page, _, after = (to or cast(Move, move).to).partition("#")
        page, fragment = page.removesuffix(".html"), after or ("" if to else fragment)
    return page, fragment


def collect_moved_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Pages for Sphinx to write at the old addresses."""
    corpus = cast(EditionDomain, app.env.get_domain(DOMAIN)).opened()
    for page, move in list_moved_pages(corpus).items():
        if page not in app.env.found_docs:
            to, rules = _seen_from(page, move.to), format_rules(page, move.rules)
            yield page, {"title": "Moved", "moved_to": to, "moved_rules": rules}, "moved.html"


def add_moved_places(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add the rules for places that are no longer on a page, and the script that reads them."""
    corpus = cast(EditionDomain, app.env.get_domain(DOMAIN)).opened()
    if rules := list_moved_places(corpus).get(page):
        context["moved_rules"] = format_rules(page, rules)


def format_rules(page: str, rules: Iterable[Rule]) -> str:
    """Rules as the script reads them, with addresses as seen from a page."""
    return json.dumps([(f"^{ask}$", _seen_from(page, to)) for ask, to in rules], separators=(",", ":"))


def _seen_from(page: str, address: str) -> str:
    name, hash_, fragment = address.partition("#")
    name = name if name.endswith(".html") or "?" in name else f"{name}.html"
    return seen_from(page, name) + hash_ + fragment
