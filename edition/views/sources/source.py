"""The page of a source: record, text or statements, and references by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from edition.citation.model import format_source_date
from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus, list_emendations
from edition.corpus.progress import describe_extent, format_collation, format_progress
from edition.corpus.references import Run
from edition.export.downloads import get_download_address, get_source_file_address
from edition.game import PanelView, render_panels, view_panels
from edition.nodes.components import SourceMark
from edition.text.answers import find_answer_status
from edition.text.passes import describe_review, name_pass
from edition.views.common import (
    NoteView,
    Prose,
    QuestionLink,
    TranslatedRun,
    as_list,
    as_mapping,
    notes_at,
    question_link,
    read_translated_runs,
)
from edition.views.plain_answers import (
    Groups,
    format_printed_answer,
    group_voices,
    source_marks,
)
from edition.views.sources.collated import CollatedRun, WitnessReach, collate_sentence, list_reaches
from edition.views.sources.emendations import EmendationView, emendation_view
from edition.views.sources.source_overview import (
    Company,
    StateGroup,
    classify_sentence,
    compare_all_testimonies,
    find_bearing_clauses,
    group_by_state,
)
from rulebook.checks.coverage import Coverage, compute_coverage
from rulebook.model import Alternative, Clause, FrozenMap, Source, Statement
from rulebook.page_images import PageImages, get_iiif_manifest, list_page_images
from rulebook.phrases import format_counters, join_names, pluralize_counter
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_foreign_titles
from rulebook.strings import single_spaced, slugify_text, split_paragraphs
from rulebook.text import Sentence, TextBlock, TextPart

#: Where the game adds to the page: links of its head, notes below it, and sections after the text.
PANEL_PLACES = ("source-links", "source-further-links", "source-head", "source-notes", "source")

# --- records ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RestingAnswer:
    """An answer that rests on a sentence, in plain words, and which sources say the same."""

    question: QuestionLink
    says: str
    status: str  #: doubtful, ours, follows; empty where it is simply stated
    voices: Groups
    clause: str
    role: str
    others: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """One sentence with everything attached to it."""

    id: str
    kind: str  #: title, heading, text, item, statement
    number: int  #: its place among all sentences of the source
    state: str
    counsel: bool  #: whether it is advice as well
    opens: bool  #: whether a paragraph begins
    pages: tuple[str, ...] = ()  #: the pages that begin with it or in it
    lang: str
    parts: tuple[TextPart, ...] = ()
    reading: str = ""  #: in modern spelling; empty where nothing differs
    collated: tuple[CollatedRun, ...] = ()  #: with the variants of the witnesses; empty where there are none
    translation: tuple[TranslatedRun, ...] = ()
    paraphrase: str = ""
    quote: str = ""
    asked: tuple[RestingAnswer, ...]
    about: tuple[tuple[QuestionLink, str], ...]  #: questions for which it gives only a reason, with the clause
    beside: tuple[tuple[str, str], ...]  #: clauses that cite it without resting on it: their ids and roles
    mended: tuple[EmendationView, ...] = ()
    notes: tuple[NoteView, ...]
    note_panels: tuple[PanelView, ...] = ()  #: further notes, of the game
    panels: tuple[PanelView, ...] = ()  #: what shows it in the game

    @property
    def states(self) -> tuple[str, ...]:
        """All that it is to the rules."""
        return (self.state, "advice") if self.counsel else (self.state,)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Clauses that cite it, those that rest on it first."""
        resting = (*(answer.clause for answer in self.asked), *(id for _, id in self.about))
        return tuple(dict.fromkeys((*resting, *(id for id, _ in self.beside))))

    @property
    def size(self) -> int:
        """Number of letters, for the minimap."""
        return len(self.paraphrase) + sum(len(part.text) for part in self.parts)

    @property
    def number_of_notes(self) -> int:
        """Number of its notes: emendations, remarks on the print, our own, those of the game."""
        print_facts = sum(part.kind in PRINT_FACTS for part in self.parts)
        return len(self.mended) + print_facts + len(self.notes) + len(render_panels(self.note_panels))


#: Parts of a text that ask for a remark -> what it says.
PRINT_FACTS: Mapping[str, str] = {
    "unclear": "is not read with certainty",
    "supplied": "is supplied by the editors",
    "gap": "Something is missing here",
}


@dataclass(frozen=True, slots=True)
class SourceChapter:
    """Sentences under one heading, or statements on one matter."""

    title: str
    lang: str
    lines: tuple[SourceLine, ...]

    @property
    def label(self) -> str:
        """Its title in English and without capitals, short enough for the minimap."""
        head = self.lines[0]
        english = "".join(words for words, _, _ in head.translation) if head.kind in ("heading", "title") else ""
        title = re.sub(r"^of (the )?", "", (english or self.title).strip(" .[]…"), flags=re.IGNORECASE)
        title = title.lower() if title.isupper() else title
        return f"{title[:1].upper()}{title[1:]}" or "No heading"

    @property
    def paragraphs(self) -> tuple[tuple[SourceLine, ...], ...]:
        """Its sentences by paragraph, as the text file has them."""
        starts = [*(at for at, line in enumerate(self.lines) if line.opens), len(self.lines)]
        return tuple(self.lines[start:end] for start, end in pairwise(starts))

    @property
    def target(self) -> str:
        """Its address on the page."""
        return f"chapter-{self.lines[0].number}"

    @property
    def span(self) -> tuple[int, int]:
        """Its first and its last sentence, counted through the source."""
        return self.lines[0].number, self.lines[-1].number


@dataclass(frozen=True, slots=True)
class QuotationUsage:
    """Amount quoted from a source in copyright, and the amount permitted."""

    number: int
    words: int
    page_words: int
    each: int
    share: float


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file of a text: its address from the first page of the edition, its name, and what it is."""

    address: str
    says: str
    apparatus: bool = False  #: whether the variants of witnesses stand in it


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as a reader meets it."""

    mark: SourceMark
    full_title: str
    author: str  #: empty where none is named
    introduction: tuple[Prose, ...]
    record: tuple[tuple[str, Prose], ...]
    states: tuple[StateGroup, ...]
    coverage: Coverage
    reasons: Mapping[str, Prose]  #: sentence -> why words are left over, or why no clause follows
    chapters: tuple[SourceChapter, ...]
    pages: tuple[tuple[str, str], ...]  #: every page of the copy, with its address here
    quoted: QuotationUsage | None  #: of a source in copyright
    mended: Prose  #: what was mended silently
    practice: tuple[tuple[str, Prose], ...]
    bibliography: tuple[tuple[str, str, str], ...]  #: (key, short title, language)
    collated: str = ""  #: how far, where it is a draft
    progress: str = ""  #: of its sentences
    translated: bool = True  #: whether a translation stands beside the text
    witnesses: tuple[WitnessReach, ...] = ()  #: other prints or copies with which it was compared
    files: tuple[TextFile, ...] = ()  #: what of it can be taken away
    partial: str = ""  #: how little of a source was consulted
    review: str = ""  #: how many of its clauses were read again
    panels: Mapping[str, tuple[PanelView, ...]] = field(default_factory=FrozenMap)  #: by place, of `PANEL_PLACES`
    images: tuple[PageImages, ...] = ()  #: pages on the web
    iiif_manifest: str = ""

    @property
    def printed(self) -> bool:
        """Test whether the words of the source are here."""
        return self.quoted is None

    @property
    def total(self) -> int:
        """Number of sentences, or statements."""
        return self.chapters[-1].span[1] if self.chapters else 0

    @property
    def paragraphs(self) -> int:
        """Number of paragraphs, headings left out."""
        headings = ("title", "heading")
        return sum(lines[0].kind not in headings for chapter in self.chapters for lines in chapter.paragraphs)


def source_view(corpus: Corpus, siglum: str) -> SourceView:
    """Everything about one source."""
    source = corpus.library.sources[siglum]
    account = compute_coverage(corpus.library, siglum)
    kinds = {line.id: line.kind for line in account.lines}
    numbers = {id: at for at, id in enumerate(kinds, 1)}
    counsel = frozenset(line.id for line in account.lines if line.counsel)
    desk = SourceDesk(corpus, source, kinds, numbers, compare_all_testimonies(corpus, siglum), counsel)
    chapters = tuple(chapters_of(desk))
    header = source.text.header if source.text else None
    return SourceView(
        source_marks(corpus)[siglum],
        str(source.record.get("title", source.title)),
        str(source.record.get("author") or ""),
        tuple(
            corpus.prose(paragraph, siglum)
            for paragraph in split_paragraphs(str(source.record.get("introduction", "")))
        ),
        tuple(_list_record_fields(corpus, source)),
        group_by_state((line.id, state) for chapter in chapters for line in chapter.lines for state in line.states),
        account,
        {line.id: corpus.prose(line.because, siglum) for line in account.lines if line.because},
        chapters,
        tuple(
            (page, page_address(siglum, page)) for chapter in chapters for line in chapter.lines for page in line.pages
        ),
        None if source.text else _count_quotations(source),
        corpus.prose(header.mended, siglum) if header else (),
        tuple((name, corpus.prose(words, siglum)) for name, words in header.practice.items()) if header else (),
        tuple(_list_works(corpus, source)),
        format_collation(corpus.library, siglum),
        format_progress(corpus.library, siglum),
        source.translation is not None,
        list_reaches(corpus, siglum),
        (*list_text_files(corpus, source),),
        describe_extent(source),
        describe_review(source),
        FrozenMap((place, view_panels(corpus, place, siglum)) for place in PANEL_PLACES),
        list_page_images(source),
        get_iiif_manifest(source),
    )


def _list_works(corpus: Corpus, source: Source) -> Iterator[tuple[str, str, str]]:
    """The works that a record names: key, short title, and its language where it is not English."""
    foreign = read_foreign_titles(Path(corpus.library.root) / BIBLIOGRAPHY_FILE)
    for key in map(str, as_list(source.record.get("bibliography"))):
        yield key, corpus.works.get(key, key), foreign.get(key, ("", ""))[1]


def list_text_files(corpus: Corpus, source: Source) -> Iterator[TextFile]:
    """Yield the files of a text; none of a library that lies in no folder, which has no downloads."""
    if not corpus.library.root:
        return
    siglum, witnesses = source.siglum, read_collations(corpus).get(source.siglum, ())
    if source.text:
        yield TextFile(get_source_file_address(f"{siglum}/text.xml"), "the transcription (TEI)")
    if source.translation:
        yield TextFile(get_source_file_address(f"{siglum}/en.xml"), "the translation (TEI)")
    beside = f" and with apparatus, the variants of {join_names([witness.witness.siglum for witness in witnesses])}"
    words = f"the text with all that rests on it{beside if witnesses else ''} (TEI)"
    yield TextFile(get_download_address("tei", f"{siglum}.xml"), words, bool(witnesses))


def page_address(siglum: str, page: str) -> str:
    """Address of a page of the copy: PAM.p12."""
    return f"{siglum}.p{slugify_text(page)}"


def _count_quotations(source: Source) -> QuotationUsage:
    cap = as_mapping(source.record.get("quotation_cap"))
    quotes = [statement.quote for statement in source.statements if statement.quote]
    number = sum(len(quote.split()) for quote in quotes)
    each, page = int(cap.get("words_each", 0)), int(cap.get("page_words", 0))
    return QuotationUsage(len(quotes), number, page, each, float(cap.get("share_of_page", 0)))


# --- the record ---------------------------------------------------------------------------------------------

_RECORD_FIELDS: tuple[tuple[str, str], ...] = (
    ("author", "Author"),
    ("date", "Date"),
    ("date_certainty", "How sure the date is"),
    ("place", "Place"),
    ("exemplar", "Exemplar"),
    ("begins_late", "Beginning"),
    ("breaks_off", "End"),
    ("address", "Address"),
    ("address_note", "On the address"),
    ("digitised", "Digitised by"),
    ("accessed", "Consulted on"),
    ("accessed_note", "On the consultation"),
)


def _list_record_fields(corpus: Corpus, source: Source) -> Iterator[tuple[str, Prose]]:
    record, siglum = source.record, source.siglum
    for key, label in _RECORD_FIELDS:
        if record.get(key):
            words = format_source_date(source) if key == "date" else str(record[key])
            yield label, corpus.prose(words, siglum)
    yield "Images", (Run(_describe_images_seen(record)),)
    yield "Family", corpus.prose(_family_words(record), siglum)
    yield "Counts in", (Run(_describe_units(source)),)
    for layer, terms in as_mapping(record.get("rights")).items():
        if terms:
            yield f"Rights: {layer}", (Run(str(terms)),)
    for coder in as_list(record.get("coders")):
        yield f"Hand {name_pass(source, str(coder.get('id', '')))}", (Run(str(coder.get("role", ""))),)


def _describe_images_seen(record: Mapping[str, object]) -> str:
    link = record.get("image_link")
    seen = "Page images were seen." if record.get("images_seen") else "No page image was seen for this edition."
    return f"{seen} {link}" if link else seen


def _family_words(record: Mapping[str, object]) -> str:
    family = record.get("family")
    if isinstance(family, Mapping):
        sure = f" (certainty: {family['certainty']})" if family.get("certainty") else ""
        return single_spaced(
            ". ".join(part for part in (f"{family.get('name', '')}{sure}", family.get("note")) if part)
        )
    return str(family or "not known")


def _describe_units(source: Source) -> str:
    units = as_mapping(source.record.get("units"))
    worth = [
        f"1 {name} = {format_counters(number, source.unit)}"
        for name, number in as_mapping(units.get("multiples")).items()
    ]
    return f"{pluralize_counter(source.unit)}, the smallest counter" + (f"; {', '.join(worth)}" if worth else "")


# --- the text -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceDesk:
    """Data shared by all sentences of one source while they are processed."""

    corpus: Corpus
    source: Source
    kinds: Mapping[str, str]  #: sentence -> what it is by the account
    numbers: Mapping[str, int]  #: sentence -> its place among all
    beside: Mapping[str, Company]  #: question -> how the source stands to the others
    counsel: frozenset[str] = frozenset()  #: the sentences that are advice as well as grounds


def chapters_of(desk: SourceDesk) -> Iterator[SourceChapter]:
    """The text by its chapters, or the statements by their matter."""
    if desk.source.text is None:
        met: set[str] = set()
        for title, statements in groupby(desk.source.statements, key=lambda statement: statement.section):
            name = f"{title}, further" if title in met else title  # statements found later stand at the end
            met.add(title)
            yield SourceChapter(name, "", tuple(_statement_line(desk, statement) for statement in statements))
        return
    page = ""
    for block in find_chapter_blocks(desk.source.text.body):
        lines: list[SourceLine] = []
        for kind, opens, sentence in sentences_in(block):
            lines.append(_text_line(desk, sentence, kind, opens, page))
            page = sentence.pages[-1] if sentence.pages else page
        if lines:
            title = next(
                (
                    line.reading or "".join(part.text for part in line.parts)
                    for line in lines
                    if line.kind in ("heading", "title")
                ),
                "",
            )
            yield SourceChapter(title, desk.source.language, tuple(lines))


def find_chapter_blocks(body: TextBlock) -> Iterator[TextBlock]:
    """Blocks of the chapters; text outside any chapter is a chapter of its own."""
    for child in body.children:
        if isinstance(child, TextBlock):
            yield from (
                [child] if child.kind == "div" else find_chapter_blocks(child) if _holds_div(child) else [child]
            )


def _holds_div(block: TextBlock) -> bool:
    return any(isinstance(child, TextBlock) and (child.kind == "div" or _holds_div(child)) for child in block.children)


def sentences_in(block: TextBlock, kind: str = "text") -> Iterator[tuple[str, bool, Sentence]]:
    """Every sentence with the kind of its block, and whether it begins a paragraph."""
    kind = {"item": "item", "head": "heading", "label": "heading"}.get(block.kind, kind)
    first = True
    for child in block.children:
        if isinstance(child, TextBlock):
            yield from sentences_in(child, kind)
        else:
            yield ("title" if child.kind == "title" else kind), first, child
        first = isinstance(child, TextBlock)


def _text_line(desk: SourceDesk, sentence: Sentence, kind: str, opens: bool, page: str) -> SourceLine:
    corpus, source = desk.corpus, desk.source
    fresh = tuple(new_page for new_page in sentence.pages if new_page != page)
    differs = sentence.reading != sentence.diplomatic or sentence.emendations
    return SourceLine(
        id=sentence.id,
        kind=kind,
        opens=opens,
        pages=fresh,
        lang=sentence.lang,
        parts=sentence.parts,
        reading=sentence.reading if differs else "",
        collated=collate_sentence(corpus, source.siglum, sentence),
        translation=tuple(read_translated_runs(corpus, source, sentence.id)),
        mended=tuple(
            emendation_view(corpus, source, emendation)
            for emendation in list_emendations(source)
            if emendation.id in sentence.emendations
        ),
        **_collect_line_fields(desk, sentence.id),
    )


def _statement_line(desk: SourceDesk, statement: Statement) -> SourceLine:
    return SourceLine(
        id=statement.id,
        kind="statement",
        opens=True,
        lang=desk.source.language,
        paraphrase=single_spaced(statement.text),
        quote=statement.quote,
        **_collect_line_fields(desk, statement.id),
    )


def _collect_line_fields(desk: SourceDesk, locus: str) -> dict[str, Any]:
    corpus, resting = desk.corpus, find_bearing_clauses(desk.corpus, locus)
    return {
        "number": desk.numbers[locus],
        "state": classify_sentence(desk.kinds[locus], resting, desk.beside),
        "counsel": locus in desk.counsel,
        "asked": tuple(answer for clause in resting for answer in _find_resting_answers(desk, clause, locus)),
        "about": tuple(_find_reasons(corpus, resting)),
        "beside": tuple(
            (clause.id, _role_at(corpus, clause, locus))
            for clause in corpus.clauses_at.get(locus, ())
            if clause not in resting
        ),
        "notes": tuple(notes_at(corpus, desk.source, (locus,))),
        "note_panels": view_panels(corpus, "sentence-notes", locus),
        "panels": view_panels(corpus, "sentence", locus),
    }


def _find_reasons(corpus: Corpus, resting: tuple[Clause, ...]) -> Iterator[tuple[QuestionLink, str]]:
    """Questions for which clauses give only a reason, each once, with the clause."""
    answered = {slug for clause in resting for slug in clause.answers}
    reasons = {slug: clause.id for clause in reversed(resting) for slug in clause.about if slug not in answered}
    for slug in dict.fromkeys(slug for clause in resting for slug in clause.about if slug in reasons):
        yield question_link(corpus.library.questions[slug]), reasons[slug]


def _role_at(corpus: Corpus, clause: Clause, locus: str) -> str:
    return next(cite.role for cite in clause.cites if locus in corpus.loci(cite))


def _find_resting_answers(desk: SourceDesk, clause: Clause, locus: str) -> Iterator[RestingAnswer]:
    library, role = desk.corpus.library, _role_at(desk.corpus, clause, locus)
    for slug, value in clause.answers.items():
        question = library.questions[slug]
        yield RestingAnswer(
            question_link(question),
            format_printed_answer(question, value, desk.source, library),
            find_answer_status(clause),
            group_voices(desk.corpus, question),
            clause.id,
            role,
            tuple(alternative for alternative in clause.alternatives if slug in alternative.answers),
        )
