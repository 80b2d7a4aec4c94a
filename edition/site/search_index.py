"""The search index: one record for every clause, sentence, question, term, topic, deal, note and page.

The records lie in a script of the site, which a page fetches only when somebody searches: so a search works from a
folder on a disk too, where a page may not read other files. The index itself is made in the reader's browser, by
MiniSearch (`vendor/minisearch`): old and modern spellings are one word there, and so are synonyms, by the tables that
lie with the records.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from edition.corpus.corpus import Corpus, list_emendations
from edition.corpus.history_files import get_attestations
from edition.export.downloads import DOWNLOADS_PAGE, collect_downloads, get_group_address
from edition.export.formats import list_export_formats
from edition.nodes.builders import DOMAIN
from edition.nodes.components import ANSWER_STATUS_MARKS
from edition.palette import format_slot_classes
from edition.settings import find_vendor_folder
from edition.site.navigation import find_parent_page
from edition.text.answers import format_short_answer, spell_out_sources
from edition.text.attestations import format_attested_date
from edition.text.folding import UMLAUTS, map_folded_letters, same_words
from edition.views.about.search import list_search_kinds
from edition.views.common import clause_view, group_questions, read_translated_runs
from edition.views.plain_answers import (
    describe_answer_plainly,
    describe_missing_answer,
    find_answer_marks,
    group_voices,
    source_marks,
)
from edition.views.topics.topic import collect_question_topics
from rulebook.model import Clause, Note, Question, Source
from rulebook.schema.reference_records import TermRecord
from rulebook.strings import single_spaced
from rulebook.text import Sentence

#: What a line of a record is; the script weighs them so.
_LINE_FIELDS = ("title", "words", "english", "asked", "asks", "more")
TITLE_FIELD, WORDS_FIELD, ENGLISH_FIELD, ASKED_FIELD, ASKS_FIELD, MORE_FIELD = range(len(_LINE_FIELDS))
_RecordLine = tuple[int, str, str]  # which field, in which language, and the words
_GetAddress = Callable[[str, str], str]  # from a kind and an id to an address
_HISTORY_PAGE = "history"
#: Pages that show what is found already.
OWN_PAGES = ("questions/", "deals/", "clauses/", "topics/", "sources/", "indices/words-")
_VoiceRow = tuple[str, int]  # siglum, and the place of its status in VOICE_STATUSES
_AnswerRow = tuple[str, tuple[_VoiceRow, ...]]  # plain answer, and who gives it
_STANDINGS = ("", *(mark for mark in ANSWER_STATUS_MARKS if mark != "agreed"))
#: Statuses as rows number them; an answer of each may be left to the players besides.
VOICE_STATUSES = (*_STANDINGS, *(f"{standing} agreed".strip() for standing in _STANDINGS))


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """Something that can be found."""

    kind: str
    id: str
    source: str = ""
    groups: tuple[str, ...] = ()  #: of the questions it has to do with
    locus: str = ""  #: where its words stand
    lines: tuple[_RecordLine, ...] = ()
    at: tuple[str, ...] = ()  #: the sentences whose English belongs to it; it is not said twice
    names: tuple[str, ...] = ()  #: by which it can be asked for, besides its id
    answers: tuple[_AnswerRow, ...] = ()  #: of a question, each with the sources that give it


# --- the records ----------------------------------------------------------------------------------------


def search_records(corpus: Corpus) -> Iterator[SearchRecord]:
    """Everything that can be found, but for topics and pages, which only Sphinx knows."""
    for source in corpus.library.sources.values():
        yield from (clause_record(corpus, clause) for clause in source.clauses)
    for source in corpus.library.sources.values():
        yield from text_records(corpus, source)
    yield from map(partial(source_record, corpus), corpus.library.sources.values())
    yield from question_records(corpus)
    yield from map(partial(term_record, corpus), corpus.terms)
    for kind, lookup in corpus.game.lookups.items():
        for id, title, further in lookup.search(corpus):
            yield SearchRecord(kind, id, lines=lines_of((TITLE_FIELD, "", title), (MORE_FIELD, "", further)))
    for source in corpus.library.sources.values():
        yield from (note_record(corpus, source, note) for note in source.notes)
        yield from emendation_records(corpus, source)


def lines_of(*given: _RecordLine) -> tuple[_RecordLine, ...]:
    """Lines that say something, each once."""
    spaced = ((field, lang, single_spaced(words)) for field, lang, words in given)
    return tuple(dict.fromkeys(line for line in spaced if line[2]))


def source_record(corpus: Corpus, source: Source) -> SearchRecord:
    """A source: by its siglum, names, author and date, and as readers ask for it."""
    names = (source.siglum, source.short_name)
    author, title = (str(source.record.get(key) or "") for key in ("author", "title"))
    asked = ((ASKED_FIELD, source.language, words) for words in (*names, author, title))
    says = " ".join(filter(None, (title, source.short_date)))
    known = [*asked, *asked_lines(corpus, source.siglum)]
    lines = lines_of((TITLE_FIELD, "", source.title), *known, (ASKS_FIELD, source.language, says))
    return SearchRecord("topic", f"sources/{source.siglum}", source.siglum, lines=lines, names=names)


def clause_record(corpus: Corpus, clause: Clause) -> SearchRecord:
    """A clause: its quotations, the questions it answers, our answers and reasons; the English of what it cites."""
    view, source = clause_view(corpus, clause), corpus.library.sources[clause.source]
    quoted = [(WORDS_FIELD, quotation.lang, quotation.exact) for quotation in view.quotations]
    quoted += [(WORDS_FIELD, source.language, alternative.exact) for alternative in clause.alternatives]
    asked: list[_RecordLine] = [
        (ASKS_FIELD, "", f"{answer.question.id} {answer.question.asks} {answer_words(answer)}")
        for answer in view.answers
    ]
    asked += [(ASKS_FIELD, "", f"{link.id} {link.asks} ({clause.status})") for link in view.about]
    ours = [clause.label, clause.because, clause.note, clause.computation]
    ours += [words for alternative in clause.alternatives for words in (alternative.label, alternative.because)]
    places = ", ".join(
        f"{quotation.locus}, p. {quotation.page}" if quotation.page else quotation.locus
        for quotation in view.quotations
    )
    return SearchRecord(
        "clause",
        clause.id,
        clause.source,
        tuple(dict.fromkeys(question.group for question in corpus.questions_of(clause))),
        places,
        lines_of(*quoted, *asked, *((MORE_FIELD, "", words) for words in ours)),
        tuple(dict.fromkeys(locus for cite in clause.cites for locus in corpus.loci(cite))),
    )


def answer_words(answer: Any) -> str:
    """An answer as the clause's page has it."""
    short = format_short_answer(answer.answer, answer.unit)
    return f"{short}: {answer.answer.full}" if answer.answer.full else short


def groups_at(corpus: Corpus, locus: str) -> tuple[str, ...]:
    """The groups of the questions that a sentence answers."""
    groups = (question.group for clause in corpus.clauses_at.get(locus, ()) for question in corpus.questions_of(clause))
    return tuple(dict.fromkeys(groups))


def text_records(corpus: Corpus, source: Source) -> Iterator[SearchRecord]:
    """The sentences of a source with their English; of one in copyright our statements, and the few words quoted."""
    for sentence in source.text.sentences.values() if source.text else ():
        yield sentence_record(corpus, source, sentence)
    for statement in source.statements:
        lines = lines_of((WORDS_FIELD, source.language, statement.quote), (ENGLISH_FIELD, "", statement.text))
        yield SearchRecord(
            "sentence", statement.id, source.siglum, groups_at(corpus, statement.id), statement.section, lines
        )


def sentence_record(corpus: Corpus, source: Source, sentence: Sentence) -> SearchRecord:
    """A sentence as printed; where it is emended it can be found by the emended words too."""
    emended = sentence.emended if sentence.emended != sentence.diplomatic else ""
    english = "".join(words for words, _, _ in read_translated_runs(corpus, source, sentence.id))
    lines = lines_of(
        (WORDS_FIELD, sentence.lang, sentence.diplomatic),
        (ENGLISH_FIELD, "", english),
        (MORE_FIELD, sentence.lang, emended),
    )
    place = f"p. {sentence.page}" if sentence.page else ""
    return SearchRecord("sentence", sentence.id, source.siglum, groups_at(corpus, sentence.id), place, lines)


def question_records(corpus: Corpus) -> Iterator[SearchRecord]:
    """The questions with their readings, their topics, the fullest first, and with what the sources answer."""
    topics = collect_question_topics(corpus)
    for question in corpus.library.questions.values():
        readings = ((MORE_FIELD, "", gloss) for gloss in question.readings.values())
        lines = lines_of(
            (TITLE_FIELD, "", question.asks),
            *asked_lines(corpus, question.id),
            (MORE_FIELD, "", question.coding),
            *readings,
        )
        answers = tuple(answer_rows(corpus, question))
        yield SearchRecord(
            "question",
            question.id,
            "",
            topics[question.slug],
            question.group,
            lines,
            names=(question.slug,),
            answers=answers,
        )


def asked_lines(corpus: Corpus, id: str) -> Iterator[_RecordLine]:
    """Lines with the phrases in which players ask for a question, topic or term."""
    yield from ((ASKED_FIELD, "en", phrase) for phrase in corpus.register.asked.get(id, ()))


def answer_rows(corpus: Corpus, question: Question) -> Iterator[_AnswerRow]:
    """Plain answers of a question, each with the sources that give it; a source itself before what we assume.

    A sum stands in the counters of each source. Where some answer, the silent are named last.
    """
    for group in group_voices(corpus, question):
        voices = sorted(group, key=lambda voice: voice.assumed)
        cells = ((voice.source.siglum, corpus.cell(voice.source.siglum, question.slug)) for voice in voices)
        rows = tuple((siglum, VOICE_STATUSES.index(find_answer_marks(corpus, cell))) for siglum, cell in cells if cell)
        answers = dict.fromkeys(describe_answer_plainly(corpus, question, siglum) for siglum, _ in rows)
        yield " / ".join(answers), rows
    missing: dict[str, list[_VoiceRow]] = {}
    for siglum in corpus.library.sources:
        cell = corpus.cell(siglum, question.slug)
        if cell is not None and cell.value is None:
            missing.setdefault(describe_missing_answer(corpus.library.sources[siglum], cell), []).append((siglum, 0))
    yield from ((answer, tuple(voices)) for answer, voices in missing.items())


def term_record(corpus: Corpus, term: TermRecord) -> SearchRecord:
    """A term: its spellings, its English and what it means."""
    spelt = " · ".join(dict.fromkeys((term.term, *term.forms)))
    lines = lines_of(
        (WORDS_FIELD, term.lang, spelt),
        (TITLE_FIELD, "", spell_out_sources(term.english, corpus.library)),
        *asked_lines(corpus, term.id),
        (MORE_FIELD, "", spell_out_sources(term.definition, corpus.library)),
    )
    return SearchRecord("term", term.id, lines=lines, names=(term.term,))


def note_record(corpus: Corpus, source: Source, note: Note) -> SearchRecord:
    """A note, under the sentence or emendation that it is on."""
    sentence = next(
        (emendation.sentence for emendation in list_emendations(source) if emendation.id == note.on), note.on
    )
    return SearchRecord(
        "note",
        note.id,
        source.siglum,
        groups_at(corpus, sentence),
        f"on {note.on}",
        lines_of((MORE_FIELD, "", note.text)),
    )


def emendation_records(corpus: Corpus, source: Source) -> Iterator[SearchRecord]:
    """The emendations: what is printed, and what we read."""
    for emendation in list_emendations(source):
        lines = lines_of(
            (WORDS_FIELD, source.language, f"{emendation.sic or '–'} → {emendation.corr or '–'}"),
            (MORE_FIELD, "", f"{emendation.evidence}; certainty {emendation.cert}"),
        )
        yield SearchRecord(
            "emendation",
            emendation.id,
            source.siglum,
            groups_at(corpus, emendation.sentence),
            emendation.sentence,
            lines,
        )


def topic_records(corpus: Corpus, places: Mapping[tuple[str, str], Any]) -> Iterator[SearchRecord]:
    """The topics, one for each group of questions; their titles are known where their pages are."""
    for group in group_questions(corpus):
        if place := places.get(("group", group)):
            topic = corpus.telling.topic(group)
            rows = ((MORE_FIELD, "", row.asks) for row in topic.table)
            lines = lines_of(
                (TITLE_FIELD, "", place[2]), *asked_lines(corpus, group), (ASKS_FIELD, "", topic.says), *rows
            )
            yield SearchRecord("topic", group, groups=(group,), lines=lines)


def page_records(
    titles: Mapping[str, str], metadata: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> Iterator[SearchRecord]:
    """The pages that are not the page of one record, each with the title of the page that leads to it.

    A page whose head says in which words players ask for it is found as a topic is.
    """
    for name, title in sorted(titles.items()):
        if name.startswith(OWN_PAGES):
            continue
        head = metadata.get(name, {})
        asked = ((ASKED_FIELD, "en", phrase) for phrase in str(head.get("asked", "")).split(";"))
        lines = lines_of((TITLE_FIELD, "", title), *asked, (ASKS_FIELD, "", str(head.get("summary", ""))))
        leads = titles.get(find_parent_page(name, titles), "")
        yield SearchRecord("topic" if head.get("asked") else "page", name, locus=leads, lines=lines)


def download_records(corpus: Corpus) -> Iterator[SearchRecord]:
    """The headings of the page of downloads, by the plain names of formats and of the programs that read them."""
    forms = {form.title: form for form in list_export_formats(corpus.game).values()}
    for title in dict.fromkeys(file.group for file in collect_downloads(corpus).files):
        form = forms.get(title)
        details = ((MORE_FIELD, "en", form.asked), (ASKS_FIELD, "", form.reads)) if form else ()
        lines = lines_of((TITLE_FIELD, "", title), *details)
        yield SearchRecord("page", get_group_address(title), locus="Download", lines=lines)


def attestation_records(corpus: Corpus, history: str) -> Iterator[SearchRecord]:
    """The dated mentions of the game, each in its row of the page of that title."""
    for attestation in get_attestations(corpus):
        lines = lines_of(
            (TITLE_FIELD, "", f"{attestation.name}, {format_attested_date(attestation)}"),
            (WORDS_FIELD, attestation.lang, attestation.words),
            (MORE_FIELD, "", " ".join((attestation.what, attestation.where, attestation.by))),
        )
        yield SearchRecord("page", f"{_HISTORY_PAGE}.html#{attestation.id}", locus=history, lines=lines)


# --- what the browser reads -------------------------------------------------------------------------------


def index_data(corpus: Corpus, records: Iterable[SearchRecord], address: _GetAddress) -> dict[str, Any]:
    """All that a search needs, in a form that is short and always the same."""
    groups, kinds = list(group_questions(corpus)), list_search_kinds(corpus.game)
    register = corpus.register
    return {
        "letters": map_folded_letters(corpus.spelling),
        "umlauts": dict(UMLAUTS),
        "same": same_words(corpus.spelling),
        "filler": sorted({*register.filler, *register.common.get("en", ())}),
        "synonyms": register.synonyms,
        "kinds": list(kinds.items()),
        "sources": {
            siglum: (mark.name, mark.title, format_slot_classes(mark.slot))
            for siglum, mark in source_marks(corpus).items()
        },
        "statuses": [_describe_status(status) for status in VOICE_STATUSES],
        "groups": groups,
        "fields": list(_LINE_FIELDS),
        "records": [record_row(search, address, groups, list(kinds)) for search in records],
    }


def _describe_status(status: str) -> tuple[str, str]:
    """Marks of a status in a line, and what they say."""
    marks = [ANSWER_STATUS_MARKS[part] for part in status.split()]
    return " ".join(mark for mark, _ in marks), "; ".join(says for _, says in marks)


def record_row(search: SearchRecord, address: _GetAddress, groups: list[str], kinds: list[str]) -> list[Any]:
    """A record as a row; what is empty at its end is left out."""
    where = [groups.index(group) for group in search.groups]
    target = address(search.kind, search.id)
    row = [
        kinds.index(search.kind),
        search.id,
        target,
        search.source,
        where,
        search.locus,
        search.lines,
        search.at,
        search.names,
        search.answers,
    ]
    while not row[-1]:
        row.pop()
    return row


def write_search_index(app: Any, corpus: Corpus, into: Path) -> None:
    """Write the records, and the library that searches them, beside the other scripts of the site."""
    places = app.env.get_domain(DOMAIN).data["places"]

    def address(kind: str, id: str) -> str:
        name, _, heading = id.partition(".html#")  # of a page; all else has a place
        page, anchor, _ = places.get(("group" if kind == "topic" else kind, id), (name, heading, ""))
        uri = str(app.builder.get_target_uri(page))
        return f"{uri}#{anchor}" if anchor else uri

    titles = {name: title.astext() for name, title in app.env.titles.items()}
    records = [r for r in search_records(corpus) if (r.kind, r.id) in places or (r.kind == "topic" and r.id in titles)]
    records += [*topic_records(corpus, places), *page_records(titles, app.env.metadata)]
    records += download_records(corpus) if DOWNLOADS_PAGE in titles else ()
    records += attestation_records(corpus, titles[_HISTORY_PAGE]) if _HISTORY_PAGE in titles else ()
    whole = index_data(corpus, records, address)
    into.mkdir(parents=True, exist_ok=True)
    (into / "finding-records.js").write_text(as_script(whole), encoding="utf-8", newline="\n")
    folder = find_vendor_folder("minisearch", "minisearch.js")
    shutil.copyfile(folder / "minisearch.js", into / "minisearch.js")
    shutil.copyfile(folder / "LICENSE", into / "minisearch-LICENSE.txt")


def as_script(whole: Mapping[str, Any]) -> str:
    """Data as a script, which may be fetched from a folder on a disk, as a file of data may not."""
    letters = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.EDITION_RECORDS = {letters};\n"
