"""The stemma, `sources/stemma.yaml`: who copied whom, each line with its evidence, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path

from rulebook.io.strict_yaml import Positions, Steps, read_yaml
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.quotations import find_passage_fault, find_quotation
from rulebook.schema.history_records import AncestorRecord, EdgeRecord, EvidenceRecord, PassageRecord, StemmaRecord
from rulebook.schema.validation import validate_record
from rulebook.strings import quote_value, single_spaced
from rulebook.suggestions import did_you_mean
from rulebook.tei.document import open_document
from rulebook.tei.views import mended_words
from rulebook.witnesses.model import Witness
from rulebook.witnesses.reader import WITNESS_FILES, read_witness

STEMMA_FILE = "stemma.yaml"
SHARED_ANCESTOR, POSSIBLE = "shared ancestor", "possible"


@dataclass(frozen=True, slots=True)
class Stemma:
    """Lines of descent, as far as the evidence bears."""

    ancestors: Sequence[AncestorRecord] = ()
    edges: Sequence[EdgeRecord] = ()
    witnesses: Mapping[str, Witness] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text in the tree, those above before those below, as the edges name them."""
        return tuple(dict.fromkeys(id for edge in self.edges for id in (edge.above, *edge.below)))


EMPTY_STEMMA = Stemma()


@dataclass(frozen=True)
class _Desk:
    """Everything that the file is checked against."""

    positions: Positions
    record: StemmaRecord
    library: Library
    witnesses: Mapping[str, Witness]

    @property
    def known(self) -> frozenset[str]:
        return frozenset((*self.library.sources, *self.witnesses, *(ancestor.id for ancestor in self.record.ancestors)))

    def edges(self) -> Iterator[tuple[Steps, EdgeRecord]]:
        yield from ((("edges", at), edge) for at, edge in enumerate(self.record.edges))

    def evidence(self) -> Iterator[tuple[Steps, EdgeRecord, EvidenceRecord]]:
        for steps, edge in self.edges():
            yield from (((*steps, "evidence", at), edge, item) for at, item in enumerate(edge.evidence))

    def passages(self) -> Iterator[tuple[Steps, EdgeRecord, PassageRecord]]:
        for steps, edge, item in self.evidence():
            yield from (((*steps, "passages", at), edge, passage) for at, passage in enumerate(item.passages))

    def problem(self, steps: Steps, what: str, way_out: str) -> Problem:
        return self.positions.where(steps).problem(what, way_out)


def read_stemma(root: Path, library: Library) -> tuple[Stemma, list[Problem]]:
    """Return the stemma, and all that is wrong with it; an empty one where there is no file."""
    path = root / STEMMA_FILE
    if not path.is_file():
        return EMPTY_STEMMA, []
    raw, positions, problems = read_yaml(path, f"{root.name}/{STEMMA_FILE}")
    if problems or not isinstance(raw, dict):
        return EMPTY_STEMMA, problems or [positions.where(()).problem("is no table", "write ancestors: and edges:")]
    record, problems = validate_record(StemmaRecord, raw, positions, ())
    if record is None:
        return EMPTY_STEMMA, problems
    desk = _Desk(positions, record, library, read_all_witnesses(root, library))
    faults = [fault for check in _NAME_CHECKS for fault in check(desk)]
    faults = faults or [fault for check in _CONTENT_CHECKS for fault in check(desk)]
    return Stemma(record.ancestors, record.edges, desk.witnesses), faults


def read_all_witnesses(root: Path, library: Library) -> dict[str, Witness]:
    """Read every witness that can be read; `rulebook.witnesses.checks` reports what is wrong with it."""
    witnesses = dict[str, Witness]()
    for path in sorted(root.glob(WITNESS_FILES)):
        document, _ = open_document(path)
        if document is not None and path.parents[1].name in library.sources:
            witness = read_witness(document, path.parents[1].name, path.name)
            witnesses[witness.siglum] = witness
    return witnesses


# ---- names and shape
def ancestors_have_names_of_their_own(desk: _Desk) -> Iterator[Problem]:
    """Yield ancestors whose id or sign is taken."""
    for name in ("id", "sign"):
        counts = Counter(getattr(record, name) for record in desk.record.ancestors)
        for at, ancestor in enumerate(desk.record.ancestors):
            if counts[getattr(ancestor, name)] > 1:
                what = f"{getattr(ancestor, name)} is the {name} of {counts[getattr(ancestor, name)]} ancestors"
                yield desk.problem(("ancestors", at, name), what, "give each its own")


def every_text_is_known(desk: _Desk) -> Iterator[Problem]:
    """Yield ends of edges that are no source, no witness and no ancestor."""
    for steps, edge in desk.edges():
        ends = ((("above",), edge.above), *((("below", at), id) for at, id in enumerate(edge.below)))
        for inner, id in ends:
            if id not in desk.known:
                hint = did_you_mean(id, desk.known, "name a source, a witness or one of the ancestors above")
                yield desk.problem((*steps, *inner), f"no text is called {id}", hint)


def every_ancestor_has_descendants(desk: _Desk) -> Iterator[Problem]:
    """Yield ancestors from which nothing descends."""
    parents = {edge.above for _, edge in desk.edges()}
    for at, ancestor in enumerate(desk.record.ancestors):
        if ancestor.id not in parents:
            yield desk.problem(("ancestors", at), f"nothing descends from {ancestor.id}", "add an edge, or take it out")


def edges_fit_their_kind(desk: _Desk) -> Iterator[Problem]:
    """A shared ancestor has several descendants and was not seen; every other edge has one."""
    unseen = {ancestor.id for ancestor in desk.record.ancestors}
    for steps, edge in desk.edges():
        if edge.kind != SHARED_ANCESTOR and len(edge.below) > 1:
            yield desk.problem((*steps, "below"), f"{edge.kind} to several texts", "write an edge for each")
        if edge.kind == SHARED_ANCESTOR and (len(edge.below) < 2 or edge.above not in unseen):
            what = "a shared ancestor has two descendants or more, and was not seen"
            yield desk.problem((*steps, "kind"), what, "name them, or say copied, abridged or translated")


def nothing_descends_from_itself(desk: _Desk) -> Iterator[Problem]:
    """Yield edges that close a circle."""
    for steps, edge in desk.edges():
        if edge.above in set(_list_descendants(desk, edge.below)):
            yield desk.problem((*steps, "above"), f"{edge.above} descends from itself", "turn the edge round")


def _list_descendants(desk: _Desk, texts: Iterable[str]) -> tuple[str, ...]:
    """List some texts and all that descends from them."""
    reached, waiting = dict[str, None](), [*texts]
    for text in waiting:
        if text not in reached:
            reached[text] = None
            waiting += [id for _, edge in desk.edges() if edge.above == text for id in edge.below]
    return tuple(reached)


# ---- evidence
def every_passage_stands(desk: _Desk) -> Iterator[Problem]:
    """Yield passages whose words are not those of the sentence."""
    for steps, _, passage in desk.passages():
        if passage.witness:
            yield from _check_witness_passage(desk, steps, passage)
        else:
            yield from _check_source_passage(desk, steps, passage)


def _check_source_passage(desk: _Desk, steps: Steps, passage: PassageRecord) -> Iterator[Problem]:
    if fault := find_passage_fault(desk.library, passage.at, passage.exact):
        entry, what, way_out = fault
        yield desk.problem((*steps, entry), what, way_out)


def _check_witness_passage(desk: _Desk, steps: Steps, passage: PassageRecord) -> Iterator[Problem]:
    witness = desk.witnesses.get(passage.witness)
    if witness is None:
        hint = did_you_mean(passage.witness, desk.witnesses, "write the siglum of a witness, or leave it out")
        yield desk.problem((*steps, "witness"), f"no witness {passage.witness}", hint)
        return
    words = {line.id: single_spaced("".join(map(mended_words, line.parts))) for line in witness.sentences}
    if passage.at not in words:
        hint = did_you_mean(
            passage.at, words, f"{passage.witness} was consulted from {witness.first} to {witness.last}"
        )
        yield desk.problem((*steps, "at"), f"{passage.witness} has no sentence {passage.at}", hint)
    elif not find_quotation(single_spaced(passage.exact), words[passage.at]):
        what = f"{passage.witness} has no {quote_value(passage.exact)} at {passage.at}"
        yield desk.problem((*steps, "exact"), what, f"it has there: {words[passage.at]}")


def passages_are_of_texts_of_the_edge(desk: _Desk) -> Iterator[Problem]:
    """Yield passages of texts that the edge does not reach."""
    for steps, edge, passage in desk.passages():
        reached = _list_descendants(desk, (edge.above,))
        if passage.text not in reached:
            what = f"{passage.text} is not below {edge.above}, so its words show nothing about this edge"
            yield desk.problem((*steps, "at"), what, f"quote {', '.join(reached[1:])}")


def agreements_join_two_texts(desk: _Desk) -> Iterator[Problem]:
    """An agreement in wording or order has words of two texts or more."""
    for steps, _, item in desk.evidence():
        if item.agreement in ("wording", "order") and len({passage.text for passage in item.passages}) < 2:
            way_out = "quote both sides; what one text says of itself is a statement"
            yield desk.problem((*steps, "passages"), f"an agreement in {item.agreement} of one text", way_out)


def order_rises_in_every_text(desk: _Desk) -> Iterator[Problem]:
    """Sentences that agree in their order rise in each text."""
    for steps, _, item in desk.evidence():
        if item.agreement == "order":
            for text, passages in groupby(sorted(item.passages, key=attrgetter("text")), attrgetter("text")):
                ids = [passage.at for passage in passages]
                if len(ids) < 2 or any(former >= later for former, later in pairwise(ids)):
                    what = f"the sentences of {text} do not follow one another: {', '.join(ids)}"
                    yield desk.problem((*steps, "passages"), what, "give two of each text or more, as they stand there")


_Check = Callable[[_Desk], Iterator[Problem]]
_NAME_CHECKS: tuple[_Check, ...] = (
    ancestors_have_names_of_their_own,
    every_text_is_known,
    every_ancestor_has_descendants,
    edges_fit_their_kind,
    nothing_descends_from_itself,
)
_CONTENT_CHECKS: tuple[_Check, ...] = (
    every_passage_stands,
    passages_are_of_texts_of_the_edge,
    agreements_join_two_texts,
    order_rises_in_every_text,
)
