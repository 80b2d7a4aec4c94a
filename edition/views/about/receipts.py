"""What programs have proved about the edition: every receipt that lies with the sources, whatever it is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Some, block, code, definitions, para, section, strong, table
from edition.text.answers import plural
from edition.views.layout import Nodes
from rulebook import __version__
from rulebook.answers.values import canonical
from rulebook.code_units import find_units
from rulebook.receipts import BY_FUNCTION, PLACES, Receipt, parse_states

HOME = Path(__file__).resolve().parents[3]  #: of the program
NAMED = 12  #: changed functions that are named


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Some figures of a receipt, by name."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ProofView:
    """One proof, and why it does not speak of the present edition, if it does not."""

    receipt: Receipt
    outdated: tuple[str, ...]
    tables: tuple[FigureTable, ...]


def proofs_view(corpus: Corpus, _: str = "") -> tuple[ProofView, ...]:
    """Every proof that has left a receipt."""
    digest = corpus.library.digest
    return tuple(
        ProofView(one, (*one.outdated(__version__, digest), *moved_on(one)), tuple(tables(one)))
        for one in corpus.receipts
    )


def moved_on(one: Receipt) -> Iterator[str]:
    """The functions that have changed since they were tried; of many only the first are named."""
    changed = one.changed(HOME)
    if changed:
        more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
        yield f"{', '.join(changed[:NAMED])}{more} {'has' if len(changed) == 1 else 'have'} changed since"


def tables(one: Receipt) -> Iterator[FigureTable]:
    """The figures: single numbers in one table, every table among them as one of its own."""
    single = tuple((name, canonical(value)) for name, value in one.figures.items() if not isinstance(value, Mapping))
    if single:
        yield FigureTable("figures", ("What", "Number"), single)
    for name, value in one.figures.items():
        if name == BY_FUNCTION:
            yield from by_file(one)
        elif isinstance(value, Mapping):
            yield FigureTable(name, *rows(value))


def by_file(one: Receipt) -> Iterator[FigureTable]:
    """Sum up the lines of functions by the file in which each stands today; those that have changed are left out."""
    known, sums = one.by_function, {}
    for file, units in find_units(HOME).items():
        lines = [known[unit.key] for unit in units if unit.key in known]
        if 2 * len(lines) > len(units):  # in a file of something else one line may stand by chance
            sums[file] = sum_up(lines)
    if sums:
        yield FigureTable("by file", *rows(sums))


def sum_up(lines: Iterable[str]) -> Mapping[str, int]:
    """Add up the states in some lines, except in how many places a function stands."""
    sums = Counter[str]()
    for line in lines:
        sums.update({state: count for state, count, _ in parse_states(line) if state != PLACES})
    return sums


def rows(lines: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The head of a table and its lines; a line that is a table itself has a column for each of its entries."""
    columns = list(dict.fromkeys(key for line in lines.values() if isinstance(line, Mapping) for key in line))
    if not columns:
        return ("What", "Number"), tuple((name, canonical(value)) for name, value in lines.items())
    return ("What", *columns), tuple((name, *cells(line, columns)) for name, line in lines.items())


def cells(line: object, columns: list[str]) -> Iterator[str]:
    """One line of a table; a single number stands in its first column."""
    entries = line if isinstance(line, Mapping) else {columns[0]: line}
    for column in columns:
        yield canonical(entries[column]) if column in entries else "–"


# --- how they are laid out ----------------------------------------------------------------------------------

NONE = "No proof has left a receipt."
PRESENT = "It speaks of this edition as it stands: of this version, and of these sources."


def proofs(view: tuple[ProofView, ...]) -> Nodes:
    """How many there are, and each in a section of its own."""
    if not view:
        return [para(NONE)]
    old = sum(bool(one.outdated) for one in view)
    said = f"{plural(len(view), 'receipt')}, " + (
        f"{old} of them of another state of the edition." if old else "all of this edition."
    )
    return [para(said), *map(proof, view)]


def proof(one: ProofView) -> nodes.section:
    """What was proved, of what, how to repeat it, and the figures."""
    receipt, captions = one.receipt, ((f"{one.receipt.proof}: {each.name}", each) for each in one.tables)
    told = [table(caption, each.head, each.rows, cls="rv-stack rv-figures") for caption, each in captions]
    return section(
        f"proof-{receipt.proof}", receipt.proof, para(receipt.says), standing(one), particulars(receipt), *told
    )


def standing(one: ProofView) -> nodes.Node:
    """Whether it still speaks of the edition that shows it."""
    if not one.outdated:
        return para(PRESENT)
    return block(para(strong("Not of this edition: "), "; ".join(one.outdated), ". Repeat it."), cls="rv-clause")


def particulars(receipt: Receipt) -> nodes.Node:
    """How to repeat it, and what it was made with."""
    pairs: list[tuple[Some, Some]] = [
        ("To repeat it", [code(receipt.command)]),
        ("Seed", str(receipt.seed)),
        ("Made", f"{receipt.made}, by version {receipt.version} on Python {receipt.python}"),
        ("Sources", [code(receipt.sources)]),
    ]
    return definitions(pairs)


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"proofs": proofs_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"proofs": proofs}
