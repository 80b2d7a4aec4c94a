"""Finding: one record for every clause, sentence, question, term, deal, note and page, and the page that searches them.

The records lie in a script of the site, which a page fetches only when somebody searches: so a search works from a
folder on a disk too, where a page may not read other files. The index itself is made in the reader's browser, by
MiniSearch (`vendor/minisearch`): old and modern spellings are one word there, by the table that lies with the records.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Shelf, emendations
from edition.nodes.builders import Content, block, markup_of, named, span
from edition.text.folding import UMLAUTS, letters, same_words
from edition.views.common import SourceLink, by_group, clause_view, source_link, translated
from rulebook.model import Clause, Note, Source
from rulebook.tei.reader import Sentence
from rulebook.text import single_spaced

#: What can be found, and the heading under which it is shown; in this order.
KINDS: Mapping[str, str] = {
    "clause": "Clauses",
    "sentence": "Sentences of the texts",
    "question": "Questions",
    "term": "Terms of the glossary",
    "deal": "Worked deals",
    "note": "Notes",
    "emendation": "Emendations",
    "page": "Pages",
}
#: What a line of a record is; the script weighs them so.
FIELDS = ("title", "words", "english", "asks", "more")
TITLE, WORDS, ENGLISH, ASKS, MORE = range(len(FIELDS))

Line = tuple[int, str, str]  # which field, in which language, and the words
Address = Callable[[str, str], str]  # from a kind and an id to an address

OWN_PAGES = ("questions/", "deals/", "clauses/")  #: their records are found already


@dataclass(frozen=True, slots=True)
class Record:
    """Something that can be found."""

    kind: str
    id: str
    source: str = ""
    groups: tuple[str, ...] = ()  #: of the questions it has to do with
    locus: str = ""  #: where its words stand
    lines: tuple[Line, ...] = ()
    at: tuple[str, ...] = ()  #: the sentences whose English belongs to it; it is not said twice
    names: tuple[str, ...] = ()  #: by which it can be asked for, besides its id


# --- the records ----------------------------------------------------------------------------------------


def records(shelf: Shelf) -> Iterator[Record]:
    """Everything that can be found, but for the pages, which only Sphinx knows."""
    for source in shelf.library.sources.values():
        yield from (of_clause(shelf, clause) for clause in source.clauses)
    for source in shelf.library.sources.values():
        yield from of_text(shelf, source)
    yield from of_questions(shelf)
    for term in shelf.terms:
        spelt = " · ".join(dict.fromkeys((term.term, *term.forms)))
        said = lines((WORDS, term.lang, spelt), (TITLE, "", term.english), (MORE, "", term.gloss))
        yield Record("term", term.id, lines=said)
    for deal in shelf.deals:
        yield Record("deal", deal.id, lines=lines((TITLE, "", deal.title), (MORE, "", deal.intro)))
    for source in shelf.library.sources.values():
        yield from (of_note(shelf, source, note) for note in source.notes)
        yield from of_emendations(shelf, source)


def lines(*given: Line) -> tuple[Line, ...]:
    """Lines that say something, each once."""
    spaced = ((field, lang, single_spaced(words)) for field, lang, words in given)
    return tuple(dict.fromkeys(line for line in spaced if line[2]))


def of_clause(shelf: Shelf, clause: Clause) -> Record:
    """A clause: its quotations, the questions it answers, our answers and reasons; the English of what it cites."""
    view, source = clause_view(shelf, clause), shelf.library.sources[clause.source]
    quoted = [(WORDS, one.lang, one.exact) for one in view.quotations]
    quoted += [(WORDS, source.language, one.exact) for one in clause.alternatives]
    asked: list[Line] = [(ASKS, "", f"{one.question.id} {one.question.asks} {said_of(one)}") for one in view.answers]
    asked += [(ASKS, "", f"{one.id} {one.asks} ({clause.status})") for one in view.about]
    ours = [clause.label, clause.because, clause.note, clause.computation]
    ours += [words for one in clause.alternatives for words in (one.label, one.because)]
    places = ", ".join(f"{one.locus}, p. {one.page}" if one.page else one.locus for one in view.quotations)
    return Record(
        "clause",
        clause.id,
        clause.source,
        tuple(dict.fromkeys(question.group for question in shelf.questions_of(clause))),
        places,
        lines(*quoted, *asked, *((MORE, "", words) for words in ours)),
        tuple(dict.fromkeys(locus for cite in clause.cites for locus in shelf.loci(cite))),
    )


def said_of(one: Any) -> str:
    """An answer as the clause's page has it."""
    short = f"{one.answer.short} {one.unit}".strip()
    return f"{short}: {one.answer.full}" if one.answer.full else short


def groups_at(shelf: Shelf, locus: str) -> tuple[str, ...]:
    """The groups of the questions that a sentence answers."""
    found = (question.group for clause in shelf.clauses_at.get(locus, ()) for question in shelf.questions_of(clause))
    return tuple(dict.fromkeys(found))


def of_text(shelf: Shelf, source: Source) -> Iterator[Record]:
    """The sentences of a source with their English; of one in copyright our statements, and the few words quoted."""
    for sentence in source.text.sentences.values() if source.text else ():
        yield of_sentence(shelf, source, sentence)
    for one in source.statements:
        said = lines((WORDS, source.language, one.quote), (ENGLISH, "", one.text))
        yield Record("sentence", one.id, source.siglum, groups_at(shelf, one.id), one.section, said)


def of_sentence(shelf: Shelf, source: Source, sentence: Sentence) -> Record:
    """A sentence as printed; where it is emended it can be found by the emended words too."""
    emended = sentence.emended if sentence.emended != sentence.diplomatic else ""
    english = "".join(words for words, _, _ in translated(shelf, source, sentence.id))
    said = lines((WORDS, sentence.lang, sentence.diplomatic), (ENGLISH, "", english), (MORE, sentence.lang, emended))
    place = f"p. {sentence.page}" if sentence.page else ""
    return Record("sentence", sentence.id, source.siglum, groups_at(shelf, sentence.id), place, said)


def of_questions(shelf: Shelf) -> Iterator[Record]:
    """The questions with their readings."""
    for one in shelf.library.questions.values():
        readings = ((MORE, "", gloss) for gloss in one.readings.values())
        said = lines((TITLE, "", one.asks), (MORE, "", one.coding), *readings)
        yield Record("question", one.id, "", (one.group,), one.group, said, names=(one.slug,))


def of_note(shelf: Shelf, source: Source, note: Note) -> Record:
    """A note, under the sentence or emendation that it is on."""
    sentence = next((one.sentence for one in emendations(source) if one.id == note.on), note.on)
    return Record(
        "note", note.id, source.siglum, groups_at(shelf, sentence), f"on {note.on}", lines((MORE, "", note.text))
    )


def of_emendations(shelf: Shelf, source: Source) -> Iterator[Record]:
    """The emendations: what is printed, and what we read."""
    for one in emendations(source):
        said = lines(
            (WORDS, source.language, f"{one.sic or '–'} → {one.corr or '–'}"),
            (MORE, "", f"{one.evidence}; certainty {one.cert}"),
        )
        yield Record("emendation", one.id, source.siglum, groups_at(shelf, one.sentence), one.sentence, said)


def of_pages(titles: Mapping[str, str]) -> Iterator[Record]:
    """The pages that are not the page of one record."""
    for name, title in sorted(titles.items()):
        if not name.startswith(OWN_PAGES):
            yield Record("page", name, lines=lines((TITLE, "", title)))


# --- what the browser reads -------------------------------------------------------------------------------


def data(shelf: Shelf, found: Iterable[Record], address: Address) -> dict[str, Any]:
    """All that a search needs, in a form that is short and always the same."""
    groups = list(by_group(shelf))
    return {
        "letters": letters(shelf.spelling),
        "umlauts": dict(UMLAUTS),
        "same": same_words(shelf.spelling),
        "kinds": list(KINDS.items()),
        "groups": groups,
        "fields": list(FIELDS),
        "records": [in_short(one, address, groups) for one in found],
    }


def in_short(one: Record, address: Address, groups: list[str]) -> list[Any]:
    """A record as a row."""
    where = [groups.index(group) for group in one.groups]
    kind = list(KINDS).index(one.kind)
    return [kind, one.id, address(one.kind, one.id), one.source, where, one.locus, one.lines, one.at, one.names]


def lay_records(app: Any, shelf: Shelf, into: Path) -> None:
    """The records and the library that searches them, beside the other scripts of the site."""
    places = app.env.get_domain("reversis").data["places"]

    def address(kind: str, id: str) -> str:
        page, anchor, _ = (id, "", "") if kind == "page" else places[kind, id]
        uri = str(app.builder.get_target_uri(page))
        return f"{uri}#{anchor}" if anchor else uri

    titles = {name: title.astext() for name, title in app.env.titles.items()}
    found = [one for one in records(shelf) if (one.kind, one.id) in places]
    whole = data(shelf, [*found, *of_pages(titles)], address)
    into.mkdir(parents=True, exist_ok=True)
    (into / "finding-records.js").write_text(as_script(whole), encoding="utf-8", newline="\n")
    folder = find_library()
    shutil.copyfile(folder / "minisearch.js", into / "minisearch.js")
    shutil.copyfile(folder / "LICENSE", into / "minisearch-LICENSE.txt")


def as_script(whole: Mapping[str, Any]) -> str:
    """Data as a script, which may be fetched from a folder on a disk, as a file of data may not."""
    said = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.REVERSIS_RECORDS = {said};\n"


def find_library() -> Path:
    """The folder of MiniSearch: in a clone, or in an installed copy."""
    here = Path(__file__).resolve().parents[2]
    found = (here.parent / "vendor" / "minisearch", here / "_minisearch")
    return next((path for path in found if (path / "minisearch.js").is_file()), found[0])


# --- the page ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FindView:
    """By what a search can be narrowed."""

    kinds: tuple[tuple[str, str], ...]
    sources: tuple[SourceLink, ...]
    groups: tuple[str, ...]


def find_view(shelf: Shelf, _: str = "") -> FindView:
    """The kinds of things, the sources, and the groups of questions."""
    sources = tuple(source_link(source) for source in shelf.library.sources.values())
    return FindView(tuple(KINDS.items()), sources, tuple(by_group(shelf)))


def find(view: FindView) -> list[nodes.Node]:
    """The search; without a script its button leads to the index of words."""
    field = named(markup_of("input", type="search", autocomplete="off", spellcheck="false"), "rv-find-q")
    ask = block(
        markup_of("label", "Words, or the number of a thing", for_="rv-find-q"),
        span(field, markup_of("button", "Search", type="submit"), cls="rv-find-ask"),
    )
    form = markup_of(
        "form",
        ask,
        narrowing(view),
        cls="rv-find",
        role="search",
        aria_label="Clauses, sentences, questions",
        action="indices/words.html",
    )
    said = named(markup_of("p", role="status", cls="rv-find-said"), "rv-find-said")
    return [form, said, named(block(cls="rv-find-results"), "rv-find-results")]


def narrowing(view: FindView) -> nodes.container:
    """The filters, which only a script can serve: it takes them out of hiding."""
    groups = [markup_of("option", "All questions", value="")]
    groups += [markup_of("option", one, value=one) for one in view.groups]
    return block(
        boxes("Show", "kind", view.kinds),
        boxes("From", "source", ((one.siglum, one.siglum) for one in view.sources)),
        block(
            markup_of("label", "About", for_="rv-find-group"),
            " ",
            named(markup_of("select", *groups, name="group"), "rv-find-group"),
            cls="rv-find-about",
        ),
        markup_of(
            "label",
            named(markup_of("input", type="checkbox", checked="checked"), "rv-find-slash"),
            " The key / goes to the search box, on every page",
            cls="rv-find-key",
        ),
        cls="rv-find-filters",
        hidden="hidden",
    )


def boxes(legend: str, name: str, choices: Iterable[tuple[str, str]]) -> nodes.Element:
    """A row of boxes to tick; none ticked is the same as all."""
    ticks: list[Content] = [
        markup_of("label", markup_of("input", type="checkbox", name=name, value=value), f" {label}")
        for value, label in choices
    ]
    return markup_of("fieldset", markup_of("legend", legend), *ticks)


VIEWS: Mapping[str, Callable[[Shelf, str], Any]] = {"find": find_view}
RENDER: Mapping[str, Callable[[Any], list[nodes.Node]]] = {"find": find}
