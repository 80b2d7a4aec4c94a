"""Proofs page: every receipt of a program that proved something about the edition.

The receipts lie with the sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.game import PanelView, view_panels
from edition.nodes import builders
from edition.nodes.templates import template_renderer
from rulebook import __version__, phrases, receipts
from rulebook.answers.values import format_canonical
from rulebook.model import FrozenMap
from rulebook.strings import LIST_SEPARATOR, slugify_text

MAX_OPEN_ROWS = 25  #: of a table that is not folded
_MAX_OPEN_CELLS = 200
_MAX_CELL = 60  #: letters for which a column has room
_NO_FIGURE = "–"  #: of a row that lacks a column


@dataclass(frozen=True, slots=True)
class ProofKind:
    """Facts about a proof besides its receipt."""

    title: str = ""
    says: str = ""  #: what it tests or measures, where the receipt's own words are not plain enough
    names: Mapping[str, str] = field(default_factory=FrozenMap)  #: figure, or "table: column" -> its name, with unit
    counters: bool = False  #: every table named for a source is in the counters of that source
    folded: bool = False  #: its figures are folded below their summary


#: Proof -> its title, and what it tests.
_PROOFS: Mapping[str, tuple[str, str]] = {
    "fuzz": (
        "Damaged input",
        "Damaged and random input to every reader of files: each is read, or rejected with a place and a hint; every "
        "readable deal is settled, refused or left unanswered by every source, without a crash and in time; and "
        "nothing is accepted for what it does not say.",
    ),
    "growth": (
        "Growth with more sources",
        "Build time and memory with more and more invented sources: the time per source stays about the same, memory "
        "stays under two gigabytes, a change to one clause of many sources costs less than a tenth of a build, and "
        "the real edition takes at most three times as long as Sphinx for as many plain pages of the same size. "
        "Measured on one machine.",
    ),
    "twice": (
        "Two builds are identical",
        "Two builds that differ in every circumstance that could leave a trace are the same to the last byte.",
    ),
}
#: Name of a figure in a receipt -> what it is, with its unit.
_FIGURE_NAMES: Mapping[str, str] = {
    "seconds": "seconds of the processors",
    "wall": "seconds by the clock",
    "memory": "memory, in MiB",
    "megabytes": "size of the pages, in megabytes",
    "one clause: seconds": "after a change to one clause: seconds of the processors",
    "one clause: memory": "after a change to one clause: memory, in MiB",
    "cores": "processor cores",
    "by sources": "by number of sources",
}


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Table of figures of a receipt."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""  #: where it is more than the name


@dataclass(frozen=True, slots=True)
class ProofView:
    """Proof with the reasons why it is outdated, if it is."""

    receipt: receipts.Receipt
    kind: ProofKind
    outdated: tuple[str, ...]
    tables: tuple[FigureTable, ...]
    books: Mapping[str, str] = field(
        default_factory=dict
    )  #: siglum -> its book and counters, where figures are in them
    panels: tuple[PanelView, ...] = ()  #: what the figures come to, where somebody has put that into words

    @property
    def title(self) -> str:
        """Heading of the proof."""
        name = self.receipt.proof
        return self.kind.title or _PROOFS.get(name, (name.capitalize(), ""))[0]

    @property
    def says(self) -> str:
        """Description of what it tests or measures, in a sentence."""
        return self.kind.says or _PROOFS.get(self.receipt.proof, ("", ""))[1] or self.receipt.says


def proofs_view(corpus: Corpus, _: str = "") -> tuple[ProofView, ...]:
    """All proofs with a receipt."""
    return _collect_proofs(corpus)


def proof_view(corpus: Corpus, name: str) -> ProofView:
    """One proof. StopIteration if it has left no receipt."""
    return next(proof for proof in _collect_proofs(corpus) if proof.receipt.proof == name)


@cached_on_corpus
def _collect_proofs(corpus: Corpus) -> tuple[ProofView, ...]:
    return tuple(_proof_view(corpus, receipt) for receipt in corpus.receipts)


def _proof_view(corpus: Corpus, receipt: receipts.Receipt) -> ProofView:
    kind = next((panel.record for panel in view_panels(corpus, "proof-kind", receipt.proof)), ProofKind())
    books = _name_books_with_counters(corpus) if kind.counters else {}
    return ProofView(
        receipt,
        kind,
        receipt.outdated(__version__, corpus.library.rules_digest),
        tuple(_caption_table(each, books) for each in _build_figure_tables(receipt)),
        books,
        view_panels(corpus, "proof", receipt.proof),
    )


def _name_books_with_counters(corpus: Corpus) -> Mapping[str, str]:
    return {
        siglum: f"{source.short_name} ({siglum}), in {phrases.pluralize_counter(source.unit)}"
        for siglum, source in corpus.library.sources.items()
    }


def _caption_table(table: FigureTable, books: Mapping[str, str]) -> FigureTable:
    """Caption a table that is named for a source, or begins with one, with the book and its counters."""
    siglum, comma, rest = table.name.partition(",")
    return replace(table, caption=f"{books[siglum]}{comma}{rest}") if siglum in books else table


def _build_figure_tables(receipt: receipts.Receipt) -> Iterator[FigureTable]:
    """Figures as tables: the single numbers in one, each nested table as its own."""
    single = tuple(
        (name, format_canonical(value)) for name, value in receipt.figures.items() if not isinstance(value, Mapping)
    )
    if single:
        yield FigureTable("figures", ("What", "Number"), single)
    for name, value in receipt.figures.items():
        if isinstance(value, Mapping) and name != receipts.BY_FUNCTION:
            head, rows = _build_figure_rows(value)
            yield FigureTable(name, _NETS_HEAD if name == receipts.NETS else head, rows)


_NETS_HEAD = "Net of", "Fingerprint"


def _build_figure_rows(lines: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Head and rows of a figure table.

    A row that is a table itself has a column for each of its entries.
    """
    columns = list(dict.fromkeys(key for line in lines.values() if isinstance(line, Mapping) for key in line))
    if not all(isinstance(line, Mapping) for line in lines.values()):
        return ("What", "Number"), tuple(_flatten_figures(lines))
    return ("What", *columns), tuple(
        (name, *(_format_figure(line[column]) if column in line else _NO_FIGURE for column in columns))
        for name, line in lines.items()
    )


def _flatten_figures(lines: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield single numbers; those of a table among them by both names."""
    for name, line in lines.items():
        if isinstance(line, Mapping):
            yield from ((f"{name}: {part}", _format_figure(value)) for part, value in line.items())
        else:
            yield name, _format_figure(line)


def _format_figure(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(format_canonical, value)) or "none"
    return format_canonical(value)


# --- how they are laid out ----------------------------------------------------------------------------------


def _name_figure(proof: ProofView, name: str, within: str = "") -> str:
    """Name a figure, or a column of the table *within* which it stands."""
    names = {**_FIGURE_NAMES, **proof.kind.names}
    return phrases.capitalise(names.get(f"{within}: {name}") or names.get(name, name))


def _render_figure_table(proof: ProofView, table: FigureTable) -> nodes.Node:
    """Table of figures; a long one folded, as lines to copy, because every cell would weigh on the page."""
    laid_out = _lay_out_figures(table.caption or _name_figure(proof, table.name), proof, table)
    laid_out["ids"] = [f"table-{slugify_text(f'{proof.receipt.proof}: {table.name}')}"]
    return laid_out


def _lay_out_figures(caption: str, proof: ProofView, table: FigureTable) -> nodes.Element:
    if len(table.rows) > MAX_OPEN_ROWS or len(table.rows) * len(table.head) > _MAX_OPEN_CELLS:
        lines = "\n".join("\t".join(row) for row in (table.head, *table.rows))
        return _fold_table(caption, table, nodes.literal_block(lines, lines, language="none"))
    if any(len(cell) > _MAX_CELL for row in table.rows for cell in row[1:]):
        return _fold_table(caption, table, *_render_records(proof, table))
    rows = [(proof.books.get(row[0]) or _name_figure(proof, row[0]), *row[1:]) for row in table.rows]
    if len(rows) == 1 and len(table.head) == 2:
        return builders.para(": ".join(rows[0]))
    head = [_name_figure(proof, name) for name in table.head]
    return builders.table(caption, head, rows, cls="rv-stack rv-figures rv-proof-figures")


def _fold_table(caption: str, table: FigureTable, *content: nodes.Node) -> nodes.Element:
    return builders.details(f"{caption} ({phrases.format_count(len(table.rows), 'row')})", *content)


def _render_records(proof: ProofView, table: FigureTable) -> Iterator[nodes.Node]:
    """Rows one beneath the other, each with its figures as lines: lists have no room in a column."""
    for name, *cells in table.rows:
        yield builders.para(builders.strong(_name_figure(proof, name)))
        yield builders.definition_list(
            (
                (_name_figure(proof, column, table.name), cell.replace(LIST_SEPARATOR, ", "))
                for column, cell in zip(table.head[1:], cells, strict=True)
                if cell not in ("", _NO_FIGURE)
            ),
            cls="rv-facts",
        )


render_proofs = template_renderer("edition", "proofs")
render_proof = template_renderer("edition", "proof", figures=_render_figure_table)
