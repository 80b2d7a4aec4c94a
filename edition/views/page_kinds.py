"""All kinds of page: the function that builds each view from the corpus, and the one that renders it as nodes.

Whatever is shown is a view first and nodes afterwards; the view's fingerprint is kept, so that a page is made again
when, and only when, what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from edition.citation.places import topic_slug
from edition.corpus.corpus import Corpus
from edition.game import Game, PageKind
from edition.views.about import changes, downloads, home, people, receipts, search, validation
from edition.views.questions import (
    agreement,
    all_answers,
    alone,
    answer_table,
    coding_manual,
    interpretations,
    pairs,
    question,
    silences,
)
from edition.views.sources import (
    attestations,
    clauses,
    emendations,
    glossary,
    names_index,
    page_images,
    source,
    source_list,
    source_text,
    stemma,
    variants,
    word_index,
)
from edition.views.topics import render, topic
from rulebook.strings import slugify_text


def _list_sigla(corpus: Corpus) -> Iterable[str]:
    return corpus.library.sources


def _list_topics(corpus: Corpus) -> Iterable[str]:
    return (topic_slug(group) for group in dict.fromkeys(asked.group for asked in corpus.library.questions.values()))


#: What the directives of every library show.
LIBRARY_PAGES: Mapping[str, PageKind] = {
    "changes": PageKind(changes.changes_view, changes.render_changes),
    "downloads": PageKind(downloads.downloads_view, downloads.render_downloads),
    "downloads-counted": PageKind(downloads.counts_view, downloads.render_download_counts),
    "home-books": PageKind(home.home_books_view, home.render_home_books, assets=("home.css",)),
    "home-findings": PageKind(home.home_findings_view, home.render_home_findings, assets=("home.css",)),
    "cite-edition": PageKind(people.passes_view, people.render_edition_citation),
    "page-images": PageKind(page_images.page_images_view, page_images.render_page_images),
    "rights": PageKind(people.rights_view, people.render_rights),
    "people": PageKind(people.people_view, people.render_people),
    "passes": PageKind(people.passes_view, people.render_passes),
    "proofs": PageKind(receipts.proofs_view, receipts.render_proofs),
    "proof": PageKind(
        receipts.proof_view,
        receipts.render_proof,
        path="proofs/{}",
        arguments=lambda corpus: (receipt.proof for receipt in corpus.receipts),
    ),
    "find": PageKind(search.find_view, search.render_search, assets=("finding.css", "finding.js")),
    "validation": PageKind(validation.validation_view, validation.render_validation),
    "answers": PageKind(
        all_answers.answers_view,
        answer_table.render_answers_page,
        addresses=("row",),
        assets=("answers.css", "answers-first.js", "answers.js"),
    ),
    "alone": PageKind(alone.alone_view, alone.render_alone),
    "agreement": PageKind(agreement.agreement_view, agreement.render_agreement),
    "topic": PageKind(
        topic.topic_view,
        render.render_topic,
        addresses=("group",),
        path="topics/{}",
        arguments=_list_topics,
        assets=("topics.css",),
    ),
    "topics": PageKind(topic.topics_view, render.render_topics, assets=("topics.css",)),
    "tombstones": PageKind(agreement.tombstones_view, agreement.render_retired_ids),
    "manual": PageKind(
        coding_manual.manual_view,
        coding_manual.render_manual,
        path="manual/{}",
        arguments=lambda corpus: (slugify_text(group) for group, _ in coding_manual.manual_list_view(corpus).topics),
    ),
    "manual-list": PageKind(coding_manual.manual_list_view, coding_manual.render_manual_list),
    "interpretations": PageKind(
        interpretations.doubts_view,
        interpretations.render_doubts,
        addresses=("alternative",),
        path="interpretations/{}",
        arguments=interpretations.list_doubtful_sources,
    ),
    "doubts": PageKind(
        interpretations.doubt_overview_view, interpretations.render_doubt_overview, addresses=("doubts",)
    ),
    "pairs": PageKind(pairs.pairs_view, pairs.render_pairs, addresses=("pair",)),
    "question": PageKind(
        question.question_view,
        question.render_question,
        addresses=("question", "cell"),
        path="questions/{}",
        arguments=lambda corpus: (asked.id for asked in corpus.library.questions.values()),
        contents=True,
        assets=("question.css",),
    ),
    "silences": PageKind(silences.silences_view, silences.render_silences),
    "inapplicable": PageKind(silences.inapplicable_view, silences.render_inapplicable),
    "clauses": PageKind(
        clauses.clauses_view,
        clauses.render_clauses,
        addresses=("clauses", "clause"),
        path="clauses/{}",
        arguments=_list_sigla,
        assets=("reading.css",),
    ),
    "emendations": PageKind(emendations.emendations_view, emendations.render_emendations, addresses=("emendation",)),
    "variants": PageKind(variants.variants_view, variants.render_variants, addresses=("variants",)),
    "attestations": PageKind(
        attestations.attestations_view,
        attestations.render_attestations,
        render_print=attestations.render_oldest,
        assets=("history.css",),
    ),
    "stemma": PageKind(
        stemma.stemma_view, stemma.render_stemma, render_print=stemma.render_printed_stemma, assets=("history.css",)
    ),
    "glossary": PageKind(
        glossary.glossary_view, glossary.render_glossary, addresses=("term",), assets=("indices.css",)
    ),
    "names": PageKind(names_index.names_view, names_index.render_name_index, assets=("indices.css",)),
    "sources": PageKind(source_list.sources_view, source_list.render_sources, assets=("indices.css",)),
    "source": PageKind(
        source.source_view,
        source_text.render_source,
        addresses=("source", "sentence", "note"),
        path="sources/{}",
        arguments=_list_sigla,
        listed=True,
        assets=("reading.css", "reading.js"),
    ),
    "words": PageKind(
        word_index.words_view,
        word_index.render_word_index,
        addresses=("words",),
        path="indices/words-{}",
        arguments=word_index.list_word_languages,
        assets=("indices.css",),
    ),
    "letter": PageKind(
        word_index.letter_view,
        word_index.render_letter_page,
        path="indices/{}",
        arguments=word_index.list_letter_pages,
        assets=("indices.css",),
    ),
    "wordlists": PageKind(word_index.list_view, word_index.render_word_index_list),
}


def get_page_kinds(game: Game) -> Mapping[str, PageKind]:
    """Return what all directives show, those of a game too."""
    return {**LIBRARY_PAGES, **game.pages}


def list_addressed_kinds(game: Game) -> tuple[str, ...]:
    """Return the kinds of things that have an address of their own."""
    return "work", *(kind for page in get_page_kinds(game).values() for kind in page.addresses)
