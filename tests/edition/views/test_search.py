"""Finding: the records, the folding of words, the indices; and the search as a reader drives it in a browser."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sphinx.addnodes import pending_xref

from edition.corpus.corpus import Corpus
from edition.site.search_index import (
    VOICE_STATUSES,
    WORDS_FIELD,
    SearchRecord,
    as_script,
    attestation_records,
    search_records,
)
from edition.text import folding
from edition.views.plain_answers import MISSING_ANSWERS
from edition.views.sources import word_index as wordlist
from reversis.files.extras import get_deals
from reversis.views import indexes as indices
from rulebook.model import Library
from rulebook.sources import index_terms as register
from rulebook.sources.paths import find_sources
from rulebook.spelling import Spelling, read_spelling
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS

SOURCES = find_sources()
SPELLING, _ = read_spelling(SOURCES / "spelling.yaml")
SAME = folding.same_words(SPELLING)

#: Every entry of the table: a word as it was spelt and as it is spelt today.
CHANGED = [(lang, old, new) for lang, table in SPELLING.words.items() for old, new in table.words.items()]


@pytest.fixture(scope="module")
def records(corpus: Corpus) -> list[SearchRecord]:
    return list(search_records(corpus))


# --- folding -------------------------------------------------------------------------------------------------


def test_every_word_of_the_table_is_one_word_with_its_modern_form() -> None:
    folded = [(old, new, folding.fold_text(old, SAME), folding.fold_text(new, SAME)) for _, old, new in CHANGED]
    assert folded and [words for words in folded if words[2] != words[3]] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cœur", "COEUR"),
        ("Levée", "levee"),
        ("preſque", "presque"),
        ("Straße", "strasse"),
        ("Reversis-Spiel", "reversis spiel"),
        ("l’as", "l'as"),
        ("Urtheils-Kraft", "Urteils Kraft"),
        ("Koerbchen", "Korbgen"),
        ("Koerbgen", "Körbchen"),
    ],
)
def test_accents_ligatures_capitals_and_hyphens_do_not_matter(one: str, other: str) -> None:
    assert folding.fold_text(one, SAME) == folding.fold_text(other, SAME)


def test_a_word_that_two_languages_change_one_after_the_other_has_one_form() -> None:
    table = Spelling.of("1", {}, {"fr": {"carte": "karte"}, "de": {"karte": "charta"}})
    assert folding.same_words(table) == {"carte": "charta", "karte": "charta"}


# --- the records -----------------------------------------------------------------------------------------------


def test_there_is_one_record_for_everything_that_has_an_id(corpus: Corpus, records: list[SearchRecord]) -> None:
    library = corpus.library
    counted = Counter(record.kind for record in records)
    assert len({(record.kind, record.id) for record in records}) == len(records)
    assert counted["clause"] == sum(1 for _ in library.clauses())
    assert counted["question"] == len(library.questions)
    assert counted["term"] == len(corpus.terms)
    assert counted["deal"] == len(get_deals(corpus))
    assert counted["note"] == sum(len(source.notes) for source in library.sources.values())
    for kind in ("sentence", "emendation", "note", "clause"):
        known = {id for id, what in corpus.kinds.items() if what == kind}
        assert {record.id for record in records if record.kind == kind} == known


def test_a_clause_has_every_quotation_as_its_source_spells_it(library: Library, records: list[SearchRecord]) -> None:
    found = {record.id: record for record in records if record.kind == "clause"}
    for clause in library.clauses():
        quoted = {" ".join(cite.exact.split()) for cite in clause.cites if cite.exact}
        assert quoted <= {words for field, _, words in found[clause.id].lines if field == WORDS_FIELD}


def test_a_question_has_the_answer_of_every_source_or_that_it_says_nothing(
    corpus: Corpus, records: list[SearchRecord]
) -> None:
    found = {record.id: record for record in records if record.kind == "question"}
    for question in corpus.library.questions.values():
        voices = [voice for _, row in found[question.id].answers for voice in row]
        cells = {siglum: corpus.cell(siglum, question.slug) for siglum in corpus.library.sources}
        assert Counter(siglum for siglum, _ in voices) == {siglum: 1 for siglum, cell in cells.items() if cell}
        silent = {
            siglum for said, row in found[question.id].answers if said in MISSING_ANSWERS.values() for siglum, _ in row
        }
        assert silent == {siglum for siglum, cell in cells.items() if cell and cell.value is None}
        for siglum, status in voices:
            assert ((cell := cells[siglum]) is not None and cell.supplied) is ("ours" in VOICE_STATUSES[status])
        assert all(words and row for words, row in found[question.id].answers)


def test_of_a_source_in_copyright_nothing_is_searched_but_what_is_quoted(
    library: Library, records: list[SearchRecord]
) -> None:
    for siglum in (one.siglum for one in library.sources.values() if one.text is None):
        source = library.sources[siglum]
        quoted = {statement.quote for statement in source.statements} | {
            c.exact for clause in source.clauses for c in clause.cites
        }
        quoted |= {alternative.exact for clause in source.clauses for alternative in clause.alternatives}
        words = {" ".join(one.split()) for one in quoted}
        assert {
            line[2] for record in records if record.source == siglum for line in record.lines if line[0] == WORDS_FIELD
        } <= words


def test_a_hostile_word_cannot_leave_its_script() -> None:
    said = as_script({"records": ["</script><script>alert(1)", "a b"]})
    assert json.loads(said.removeprefix("globalThis.EDITION_RECORDS = ").removesuffix(";\n"))


# --- the register -----------------------------------------------------------------------------------------------


def read(folder: Path, words: str, library: Library) -> list[str]:
    (folder / register.INDICES_FILE).write_text(words, encoding="utf-8")
    return [problem.what for problem in register.read_register(folder, library)[1]]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("- a", "is no table"),
        ("nouns: {}", "the entry nouns is unknown here"),
        ("common: {fr: le}", "fr must be a list, not le"),
        ("cards: [{id: ace, name: Aces, codes: []}]", "words is missing"),
        ("cards: [{id: ace, name: Aces, codes: [1X], words: {fr: [as]}}]", "item 1 cannot be 1X"),
        ("names: [{name: X, kind: ghost, forms: [X]}]", "kind cannot be ghost"),
        ("names: [{name: X, kind: person, forms: []}]", "forms: List should have at least 1 item"),
        ("names: [{name: X, kind: person, forms: [Nemo Nusquam]}]", "X: 'Nemo Nusquam' stands nowhere"),
        ("filler: [how, ' ']", "item 2 cannot be blank"),
        ("synonyms: [[pool]]", "item 1: List should have at least 2 items"),
        ("synonyms: [[pool, pot], [bank, Pot]]", "'Pot' has two meanings"),
        ("asked: {Q999: [who wins]}", "no question, topic, term or source Q999"),
        ("asked: {Q001: []}", "Q001: List should have at least 1 item"),
    ],
)
def test_a_fault_of_the_register_is_told(tmp_path: Path, library: Library, words: str, what: str) -> None:
    (told,) = read(tmp_path, words, library)
    assert told.startswith(what)


# --- the index of words ------------------------------------------------------------------------------------------


def views(corpus: Corpus) -> Iterator[wordlist.WordsView]:
    return (wordlist.words_view(corpus, lang) for lang in wordlist.list_word_languages(corpus))


def test_no_word_is_lost(corpus: Corpus) -> None:
    """As many words as somebody counts who goes through the pages with a pencil."""
    counted: Counter[str] = Counter()
    letters = r"[^\W\d_]+(?:-[^\W\d_]+)*|&"
    for source in corpus.library.sources.values():
        for sentence in source.text.sentences.values() if source.text else ():
            mended = [word for word in re.findall(letters, sentence.emended.replace("aujourd'hui", "aujourdhui"))]
            printed = Counter(re.findall(letters, sentence.diplomatic.replace("aujourd'hui", "aujourdhui")))
            counted[sentence.lang] += len(mended) + (printed - Counter(mended)).total()
        said = {
            statement.id: statement.quote for statement in source.statements
        }  # of a source that is not printed what is quoted
        cited = {(cite.locus, cite.exact) for clause in source.clauses for cite in clause.cites if cite.locus in said}
        quoted = [*said.values(), *(exact for locus, exact in cited if exact not in said[locus])]
        counted[source.language] += sum(len(re.findall(letters, one)) for one in quoted)
    for view in views(corpus):
        if view.lang in counted:
            entries = sum(one.total for _, group in view.letters for one in group)
            assert entries == view.total
            assert entries + sum(times for _, times in view.left_out) == counted[view.lang]


@pytest.mark.slow
def test_an_entry_counts_what_its_places_count_and_each_has_an_address_of_its_own(corpus: Corpus) -> None:
    for view in views(corpus):
        entries = [one for _, group in view.letters for one in group]
        assert len({entry.at for entry in entries}) == len(entries)
        for one in entries:
            assert one.total == sum(place.times for _, places in one.places for place in places), one.word


@pytest.mark.slow
def test_every_word_of_a_clause_is_found_with_the_clause(corpus: Corpus) -> None:
    """All words but the common ones, under today's spelling, lead to the sentence and to the clause."""
    found = {
        (view.lang, spelling): entry
        for view in views(corpus)
        for _, group in view.letters
        for entry in group
        if not entry.misprint
        for spelling in (entry.word.lower(), *entry.old)
    }
    for clause in corpus.library.clauses():
        for cite in clause.cites:
            sentence = corpus.sentence(cite.locus)
            if not cite.exact or cite.to or sentence is None or sentence.emendations:
                continue
            for token in wordlist.of_words(corpus, cite.exact, sentence.lang, cite.locus):
                if not wordlist.is_common(corpus, token):
                    entry = found[token.lang, token.printed.lower()]
                    assert cite.locus in {place.locus for _, places in entry.places for place in places}
                    assert clause.id in dict(entry.clauses)[clause.source], (clause.id, token.printed)


def test_every_old_spelling_of_the_texts_stands_beside_its_modern_form(corpus: Corpus) -> None:
    entries = [(view.lang, one) for view in views(corpus) for _, group in view.letters for one in group]
    beside = {
        (lang, part): one.word.lower() for lang, one in entries for old in one.old for part in (old, *old.split("-"))
    }
    for lang, old, new in CHANGED:
        if new.lower() not in corpus.register.common[lang]:
            assert new.lower() in beside[lang, old.lower()], old


@pytest.mark.slow
def test_a_misprint_stands_under_its_own_letters(corpus: Corpus) -> None:
    (french,) = (view for view in views(corpus) if view.lang == "fr")
    (found,) = (one for _, group in french.letters for one in group if one.word == "Epagnolette")
    assert found.misprint and found.places[0][1][0].locus in corpus.kinds


# --- the indices of cards, amounts, names ---------------------------------------------------------------------------


def test_every_card_of_the_register_is_spoken_of_in_each_language_it_has_words_for(corpus: Corpus) -> None:
    for card, view in zip(corpus.register.cards, indices.cards_view(corpus), strict=True):
        assert view.questions or view.clauses or view.sentences, card.id
    languages = {lang for card in corpus.register.cards for lang in card.words}
    assert languages == {source.language for source in corpus.library.sources.values()}


def test_the_quinola_is_found_by_all_its_names(corpus: Corpus) -> None:
    (quinola,) = (one for one in indices.cards_view(corpus) if one.id == "quinola")
    assert {"Q006", "Q031"} <= {question.id for question in quinola.questions}
    assert set(dict(quinola.clauses)) == set(corpus.library.sources)
    assert "ACA.s0006" in dict(quinola.sentences)["ACA"]


def test_every_sum_that_a_source_answers_stands_in_the_index_of_amounts(corpus: Corpus) -> None:
    listed = {(amount.siglum, amount.ref, amount.number) for amount in indices.collect_amounts(corpus)}
    for clause in corpus.library.clauses():
        for slug, value in clause.answers.items():
            question = corpus.library.questions[slug]
            if question.measure.get("unit") == "smallest" and isinstance(value, int) and value:
                assert ((clause.source, question.id, value) in listed) or clause.status == "silent"
    assert {
        (amount.siglum, amount.ref, amount.number)
        for amount in indices.collect_amounts(corpus)
        if amount.ref.startswith("PAM.s")
    } >= {("PAM", "PAM.s0074", 40)}


@pytest.mark.release
def test_every_link_of_an_index_leads_to_something_that_the_edition_shows(corpus: Corpus) -> None:
    library = corpus.library
    there = {(kind, id) for id, kind in corpus.kinds.items()}
    there |= {("source", siglum) for siglum in library.sources} | {("work", key) for key in corpus.works}
    there |= {("deal", deal.id) for deal in get_deals(corpus)} | {
        ("words", lang) for lang in wordlist.list_word_languages(corpus)
    }
    there |= {
        ("cell", f"{question.id}@{siglum}") for question in library.questions.values() for siglum in library.sources
    }
    pages = [
        *(wordlist.render_word_index(view) for view in views(corpus)),
        *(
            wordlist.render_letter_page(wordlist.letter_view(corpus, page))
            for page in wordlist.list_letter_pages(corpus)
        ),
        wordlist.render_word_index_list(wordlist.list_view(corpus)),
        *(ALL_RENDERERS[name](ALL_VIEWS[name](corpus, "")) for name in ("cards", "amounts", "names")),
    ]
    found = (xref for made in pages for node in made for xref in node.findall(pending_xref))
    links = {(xref["reftype"], xref["reftarget"]) for xref in found}
    assert len(links) > 1000
    assert links <= there


def test_a_dated_mention_of_the_game_is_found_by_its_year_and_its_words(corpus: Corpus) -> None:
    found = {
        record.id: " ".join(words for _, _, words in record.lines) for record in attestation_records(corpus, "History")
    }
    letter = found["history.html#henri-iv-letter"]
    assert "13 November 1601" in letter and "au reversin" in letter and "French Wiktionary" in letter
