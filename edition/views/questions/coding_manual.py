"""The coding manual: what to look for at every question, how to write the answer, and how the sources were coded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, Some, bullets, code, definitions, emphasis, link, para, section, span
from edition.text import answers as words
from edition.views.common import Prose, QuestionLink, SourceLink, by_group, question_link, source_link
from edition.views.layout import Nodes, joined, prose, question_ref
from edition.views.questions.question import Condition, condition, in_full
from rulebook.answers.values import canonical
from rulebook.model import Cell, Cite, Like, Question, Value
from rulebook.strings import address


@dataclass(frozen=True, slots=True)
class Example:
    """How one source was coded: what its clause says, and on which words."""

    source: SourceLink
    clause: str
    written: str  #: as it stands behind `answers:`; empty where there is only a reason
    status: str
    exact: str
    paraphrase: str  #: in our words, where nothing is quoted


@dataclass(frozen=True, slots=True)
class Entry:
    """A question as a coder meets it."""

    question: QuestionLink
    readings: tuple[tuple[str, str], ...]  #: what may be written, and what it means
    measure: str
    bounds: str
    coding: Prose
    condition: tuple[Condition, ...]
    not_played: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The questions under one heading."""

    group: str
    entries: tuple[Entry, ...]


def manual_view(corpus: Corpus, _: str = "") -> tuple[Chapter, ...]:
    """Every question under its heading, in the order of the table of contents."""
    return tuple(
        Chapter(group, tuple(entry(corpus, one) for one in questions)) for group, questions in by_group(corpus).items()
    )


def entry(corpus: Corpus, question: Question) -> Entry:
    """One question."""
    return Entry(
        question_link(question),
        tuple(choices(question)),
        "" if question.closed else words.measure(question),
        ", ".join(bounds(question)),
        corpus.prose(question.coding),
        tuple(condition(corpus, question)),
        question.not_played,
        tuple(examples(corpus, question)),
    )


def choices(question: Question) -> Iterator[tuple[str, str]]:
    """What may be written: the readings, or the words of which an answer is made."""
    listed = question.readings or question.measure.get("of")
    if isinstance(listed, Mapping):
        yield from ((str(name), str(gloss)) for name, gloss in listed.items())


def bounds(question: Question) -> Iterator[str]:
    """Between which numbers an answer lies."""
    for key, told in (("min", "at least"), ("max", "at most")):
        if key in question.measure:
            yield f"{told} {question.measure[key]}"


def examples(corpus: Corpus, question: Question) -> Iterator[Example]:
    """How each source was coded on a question; those that were not read for it are left out."""
    for siglum, source in corpus.library.sources.items():
        cell = corpus.cell(siglum, question.slug)
        if cell and cell.status != "not-collated":
            cite = next((one for clause in cell.clauses for one in clause.cites if one.exact), None)
            own = paraphrase(corpus, cell)
            yield Example(
                source_link(source),
                cell.clauses[0].id,
                "" if cell.value is None else f"{question.id}: {written(corpus, cell.value)}",
                cell.status,
                shortened(cite) if cite else "",
                "" if cite else own,
            )


MOST = 160  #: letters of a quotation; the clause has it whole


def shortened(cite: Cite) -> str:
    """The words quoted, or their beginning."""
    exact = " ".join(cite.exact.split())
    return exact if len(exact) <= MOST else f"{exact[:MOST].rpartition(' ')[0]} …"


def paraphrase(corpus: Corpus, cell: Cell) -> str:
    """The statement, in our own words, that a clause rests on where the source is not reprinted."""
    said = {one.id: one.text for one in corpus.library.sources[cell.source].statements}
    return next((said[c.locus] for clause in cell.clauses for c in clause.cites if c.locus in said), "")


def written(corpus: Corpus, value: Value) -> str:
    """An answer as it is written in a clause."""
    if isinstance(value, Like):
        other = {"as": corpus.library.questions[value.question].id}
        return canonical(other if value.times == 1 else {**other, "times": value.times})
    return canonical(value)


# ---- layout
def manual(view: tuple[Chapter, ...]) -> Nodes:
    """A section for each heading, and in it one for each question."""
    return [section(address(one.group), one.group, *map(of_question, one.entries)) for one in view]


def of_question(one: Entry) -> nodes.section:
    """What a coder has to know of a question."""
    title: list[Content] = [question_ref(one.question), " ", one.question.asks]
    return section(f"manual-{one.question.id}", title, *said(one), cls="rv-manual")


def said(one: Entry) -> Iterator[nodes.Node]:
    """Procedure, ways to answer, condition, examples."""
    yield para(code(one.question.slug), f" {one.not_played}" if one.not_played else "")
    pairs: list[tuple[Some, Some]] = [("Look for", prose(one.coding))] if one.coding else []
    if one.measure:
        pairs.append(("Write", f"{one.measure}{f'; {one.bounds}' if one.bounds else ''}"))
    if one.condition:
        pairs.append(("Ask only if", joined(map(in_full, one.condition), " ")))
    if one.readings:
        pairs.append(("One of" if not one.measure else "Made of", bullets(map(choice, one.readings))))
    if one.examples:
        pairs.append(("As coded", bullets(map(example, one.examples))))
    yield definitions(pairs, cls="rv-facts")


def choice(one: tuple[str, str]) -> list[Content]:
    """A reading: what is written, and what it means."""
    return [code(one[0]), f" {one[1]}"]


def example(one: Example) -> list[Content]:
    """One source: what was written, on which words."""
    found: list[Content] = [link("clause", one.clause, one.source.siglum, title=one.source.title), ": "]
    found += [code(one.written), ", "] if one.written else []
    found.append(emphasis(one.status))
    if one.exact:
        found += [" “", span(one.exact, lang=one.source.lang), "”"]
    return [*found, f" {words.SUMMARY}: {one.paraphrase}"] if one.paraphrase else found


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"manual": manual_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"manual": manual}
