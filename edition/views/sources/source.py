"""The page of a source: its record, and its text or statements, each sentence with all that hangs on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from edition.analysis.costs import find_costs
from edition.corpus.corpus import Corpus, emendations
from edition.corpus.references import Run
from edition.data.drafts import collated
from edition.text.answers import counters, counters_of
from edition.views.common import (
    Answered,
    NoteView,
    Prose,
    QuestionLink,
    SourceLink,
    Words,
    answers,
    as_list,
    as_table,
    notes_at,
    question_link,
    source_link,
    translated,
)
from edition.views.sources.source_overview import Company, Kind, Letter, bearing, companies, legend, state
from rulebook.checks.coverage import Coverage, coverage
from rulebook.model import Clause, Source, Statement
from rulebook.strings import address, paragraphs, single_spaced
from rulebook.text import Block, Emendation, Part, Sentence

# --- records ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chip:
    """A clause that cites a sentence: its number, and in a letter how it stands."""

    clause: str
    role: str
    status: str
    state: str  #: disputed, differ, alone, agree; empty where it answers nothing
    words: str


@dataclass(frozen=True, slots=True)
class Other:
    """Another way to take the words, or a way to play that the source offers beside."""

    id: str
    kind: str  #: interpretation | option
    label: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a sentence answers: the answer in words, and how the other sources stand to it."""

    answered: Answered
    clause: str
    role: str
    status: str
    cert: str
    company: Company
    others: tuple[Other, ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """A misprint: what the page has, what we read, how sure, and why."""

    id: str
    lang: str
    sic: str
    corr: str
    cert: str
    evidence: str
    notes: tuple[NoteView, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence with all that hangs on it."""

    id: str
    kind: str  #: title, heading, text, item, statement
    number: int  #: its place among all sentences of the source
    state: str
    counsel: bool  #: whether it is advice as well
    opens: bool  #: whether a paragraph begins
    pages: tuple[str, ...]  #: the pages that begin with it or in it
    lang: str
    parts: tuple[Part, ...]
    reading: str  #: in today's spelling; empty where nothing differs
    translation: tuple[Words, ...]
    paraphrase: str
    quote: str
    chips: tuple[Chip, ...]
    asked: tuple[Asked, ...]
    about: tuple[QuestionLink, ...]  #: questions for which it gives only a reason
    mended: tuple[Mended, ...]
    notes: tuple[NoteView, ...]
    deals: tuple[str, ...]

    @property
    def letter(self) -> Letter:
        """How it stands, in a letter or two."""
        return Letter(self.id, self.state, tuple(one.clause for one in self.chips), self.counsel)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Sentences under one heading, or statements on one matter."""

    title: str
    lang: str
    lines: tuple[Line, ...]

    @property
    def letters(self) -> tuple[Letter, ...]:
        """Its sentences in the overview."""
        return tuple(one.letter for one in self.lines)

    @property
    def target(self) -> str:
        """Its address on the page."""
        return f"chapter-{self.lines[0].number}"

    @property
    def span(self) -> tuple[int, int]:
        """Its first and its last sentence, counted through the source."""
        return self.lines[0].number, self.lines[-1].number


@dataclass(frozen=True, slots=True)
class Quoted:
    """How much of a source in copyright is quoted, and how much may be."""

    number: int
    words: int
    page_words: int
    each: int
    share: float


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as a reader meets it."""

    link: SourceLink
    full_title: str
    introduction: tuple[Prose, ...]
    record: tuple[tuple[str, Prose], ...]
    legend: tuple[Kind, ...]
    coverage: Coverage
    reasons: Mapping[str, Prose]  #: sentence -> why words are left over, or why no clause follows
    chapters: tuple[Chapter, ...]
    pages: tuple[tuple[str, str], ...]  #: every page of the copy, with its address here
    images: str  #: whether anybody saw a page
    quoted: Quoted | None  #: of a source in copyright
    mended: str  #: what was mended silently
    practice: tuple[tuple[str, str], ...]
    bibliography: tuple[tuple[str, str], ...]  #: (key, short title)
    weighed: bool  #: whether it is told what its disagreements cost
    collated: str = ""  #: how far, where it is a draft

    @property
    def printed(self) -> bool:
        """Whether the words of the source are here."""
        return self.quoted is None

    @property
    def total(self) -> int:
        """How many sentences, or statements."""
        return self.chapters[-1].span[1] if self.chapters else 0


def source_view(corpus: Corpus, siglum: str) -> SourceView:
    """Everything about one source."""
    source = corpus.library.sources[siglum]
    account = coverage(corpus.library, siglum)
    kinds = {one.id: one.kind for one in account.lines}
    numbers = {id: at for at, id in enumerate(kinds, 1)}
    counsel = frozenset(one.id for one in account.lines if one.counsel)
    desk = Desk(corpus, source, kinds, numbers, companies(corpus, siglum), counsel)
    chapters = tuple(chapters_of(desk))
    header = source.text.header if source.text else None
    return SourceView(
        source_link(source),
        str(source.record.get("title", source.title)),
        tuple(corpus.prose(one, siglum) for one in paragraphs(str(source.record.get("introduction", "")))),
        tuple(record_of(corpus, source)),
        legend(letter for chapter in chapters for letter in chapter.letters),
        account,
        {one.id: corpus.prose(one.because, siglum) for one in account.lines if one.because},
        chapters,
        tuple((page, page_address(siglum, page)) for one in chapters for line in one.lines for page in line.pages),
        images(source.record),
        None if source.text else quoted(source),
        header.mended if header else "",
        tuple(header.practice.items()) if header else (),
        tuple((key, corpus.works.get(key, key)) for key in map(str, as_list(source.record.get("bibliography")))),
        any(one.table == siglum for one in find_costs(corpus)),
        collated(corpus.library, siglum),
    )


def page_address(siglum: str, page: str) -> str:
    """Where a page of the copy begins: PAM.p12."""
    return f"{siglum}.p{address(page)}"


def quoted(source: Source) -> Quoted:
    """The quotations from a source in copyright, counted, and the cap on them."""
    cap = as_table(source.record.get("quotation_cap"))
    quotes = [one.quote for one in source.statements if one.quote]
    number = sum(len(quote.split()) for quote in quotes)
    each, page = int(cap.get("words_each", 0)), int(cap.get("page_words", 0))
    return Quoted(len(quotes), number, page, each, float(cap.get("share_of_page", 0)))


# --- the record ---------------------------------------------------------------------------------------------

RECORD: tuple[tuple[str, str], ...] = (
    ("author", "Author"),
    ("date", "Date"),
    ("date_certainty", "How sure the date is"),
    ("place", "Place"),
    ("exemplar", "Exemplar"),
    ("address_note", "Address"),
    ("accessed_note", "Date of access"),
)


def record_of(corpus: Corpus, source: Source) -> Iterator[tuple[str, Prose]]:
    """The bibliographic record, line by line."""
    record, siglum = source.record, source.siglum
    for key, label in RECORD:
        if record.get(key):
            yield label, corpus.prose(str(record[key]), siglum)
    yield "Images", (Run(images(record)),)
    yield "Family", (Run(family_words(record)),)
    yield "Reckons in", (Run(units_of(source)),)
    for layer, terms in as_table(record.get("rights")).items():
        if terms:
            yield f"Rights: {layer}", (Run(str(terms)),)
    for coder in as_list(record.get("coders")):
        yield f"Hand {coder.get('id', '')}", (Run(str(coder.get("role", ""))),)


def images(record: Mapping[str, object]) -> str:
    """Whether anybody saw a page."""
    link = record.get("image_link")
    seen = "Page images were seen." if record.get("images_seen") else "No page image was seen for this edition."
    return f"{seen} {link}" if link else seen


def family_words(record: Mapping[str, object]) -> str:
    """The tradition it belongs to, with what is to be said of that."""
    family = record.get("family")
    if isinstance(family, Mapping):
        sure = f" (certainty: {family['certainty']})" if family.get("certainty") else ""
        return single_spaced(f"{family.get('name', '')}{sure}. {family.get('note', '')}")
    return str(family or "not known")


def units_of(source: Source) -> str:
    """The counters and what they are worth."""
    units = as_table(source.record.get("units"))
    worth = [f"1 {name} = {counters(number, source.unit)}" for name, number in as_table(units.get("multiples")).items()]
    return f"{counters_of(source.unit)}, the smallest counter" + (f"; {', '.join(worth)}" if worth else "")


# --- the text -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies open while the sentences of one source are gone through."""

    corpus: Corpus
    source: Source
    kinds: Mapping[str, str]  #: sentence -> what it is by the account
    numbers: Mapping[str, int]  #: sentence -> its place among all
    beside: Mapping[str, Company]  #: question -> how the source stands to the others
    counsel: frozenset[str] = frozenset()  #: the sentences that are advice as well as grounds


def chapters_of(desk: Desk) -> Iterator[Chapter]:
    """The text by its chapters, or the statements by their matter."""
    if desk.source.text is None:
        met: set[str] = set()
        for title, statements in groupby(desk.source.statements, key=lambda one: one.section):
            name = f"{title}, further" if title in met else title  # statements found later stand at the end
            met.add(title)
            yield chapter(desk, name, "", [statement_line(desk, one) for one in statements])
        return
    page = ""
    for block in divisions(desk.source.text.body):
        lines: list[Line] = []
        for kind, opens, sentence in sentences_in(block):
            lines.append(text_line(desk, sentence, kind, opens, page))
            page = sentence.pages[-1] if sentence.pages else page
        if lines:
            title = next((reading_of(line) for line in lines if line.kind in ("heading", "title")), "")
            yield chapter(desk, title, desk.source.language, lines)


def chapter(desk: Desk, title: str, lang: str, lines: list[Line]) -> Chapter:
    """Sentences under one heading, with their letters in the overview."""
    return Chapter(title, lang, tuple(lines))


def reading_of(line: Line) -> str:
    """A line in today's spelling."""
    return line.reading or "".join(part.text for part in line.parts)


def divisions(body: Block) -> Iterator[Block]:
    """The chapters; what stands outside any chapter is one of its own."""
    for child in body.children:
        if isinstance(child, Block):
            yield from ([child] if child.kind == "div" else divisions(child) if holds_div(child) else [child])


def holds_div(block: Block) -> bool:
    """Whether there are chapters within."""
    return any(isinstance(child, Block) and (child.kind == "div" or holds_div(child)) for child in block.children)


def sentences_in(block: Block, kind: str = "text") -> Iterator[tuple[str, bool, Sentence]]:
    """Every sentence with the kind of its block, and whether it begins a paragraph."""
    kind = {"item": "item", "head": "heading", "label": "heading"}.get(block.kind, kind)
    first = True
    for child in block.children:
        if isinstance(child, Block):
            yield from sentences_in(child, kind)
        else:
            yield ("title" if child.kind == "title" else kind), first, child
            first = False


def text_line(desk: Desk, sentence: Sentence, kind: str, opens: bool, page: str) -> Line:
    """A sentence of a source whose words are printed here."""
    corpus, source = desk.corpus, desk.source
    fresh = tuple(one for one in sentence.pages if one != page)
    differs = sentence.reading != sentence.diplomatic or sentence.emendations
    return Line(
        id=sentence.id,
        kind=kind,
        opens=opens,
        pages=fresh,
        lang=sentence.lang,
        parts=sentence.parts,
        reading=sentence.reading if differs else "",
        translation=tuple(translated(corpus, source, sentence.id)),
        paraphrase="",
        quote="",
        mended=tuple(mended(desk, one) for one in emendations(source) if one.id in sentence.emendations),
        **hanging(desk, sentence.id),
    )


def statement_line(desk: Desk, statement: Statement) -> Line:
    """A statement in our own words about a source that may not be printed here."""
    return Line(
        id=statement.id,
        kind="statement",
        opens=True,
        pages=(),
        lang=desk.source.language,
        parts=(),
        reading="",
        translation=(),
        paraphrase=single_spaced(statement.text),
        quote=statement.quote,
        mended=(),
        **hanging(desk, statement.id),
    )


def hanging(desk: Desk, locus: str) -> dict[str, Any]:
    """What hangs on any sentence: its place, its letter, clauses, questions, notes, deals."""
    corpus, resting = desk.corpus, bearing(desk.corpus, locus)
    answered = dict.fromkeys(slug for clause in resting for slug in clause.answers)
    return {
        "number": desk.numbers[locus],
        "state": state(desk.kinds[locus], resting, desk.beside),
        "counsel": locus in desk.counsel,
        "chips": tuple(chip(desk, clause, locus) for clause in corpus.clauses_at.get(locus, ())),
        "asked": tuple(one for clause in resting for one in asked(desk, clause, locus)),
        "about": tuple(
            question_link(corpus.library.questions[slug])
            for slug in dict.fromkeys(slug for clause in resting for slug in clause.about)
            if slug not in answered
        ),
        "notes": tuple(notes_at(corpus, desk.source, (locus,))),
        "deals": corpus.deals_at.get(locus, ()),
    }


def chip(desk: Desk, clause: Clause, locus: str) -> Chip:
    """One clause that cites a sentence, with how it stands to the other sources."""
    questions = desk.corpus.library.questions
    how = state("encoded", (clause,), desk.beside)
    said = ", ".join(questions[slug].slug for slug in clause.questions)
    return Chip(clause.id, role_at(desk.corpus, clause, locus), clause.status, "" if how == "encoded" else how, said)


def role_at(corpus: Corpus, clause: Clause, locus: str) -> str:
    """What a clause cites a sentence for."""
    return next(cite.role for cite in clause.cites if locus in corpus.loci(cite))


def asked(desk: Desk, clause: Clause, locus: str) -> Iterator[Asked]:
    """The questions that a clause answers from a sentence."""
    role = role_at(desk.corpus, clause, locus)
    for one in answers(desk.corpus, clause.answers, desk.source):
        slug = one.question.slug
        others = tuple(Other(each.id, each.kind, each.label) for each in clause.alternatives if slug in each.answers)
        yield Asked(one, clause.id, role, clause.status, clause.cert, desk.beside[slug], others)


def mended(desk: Desk, one: Emendation) -> Mended:
    """A misprint and its remedy, with the notes on it."""
    notes = tuple(notes_at(desk.corpus, desk.source, (one.id,)))
    return Mended(one.id, desk.source.language, one.sic, one.corr, one.cert, one.evidence, notes)
