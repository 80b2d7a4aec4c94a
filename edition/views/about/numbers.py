"""Counts of the edition: sources, sentences, questions, clauses."""

from __future__ import annotations

from edition.corpus.corpus import Corpus, list_emendations
from edition.corpus.progress import format_collation
from edition.text import answers as words
from rulebook.drafts import NOT_COLLATED, list_finished_sources
from rulebook.phrases import format_count

EditionNumbers = tuple[tuple[str, str], ...]  #: counts of the edition, each with its label


def numbers_view(corpus: Corpus, _: str = "") -> EditionNumbers:
    """Count sources, sentences, questions, clauses, rivals and emendations."""
    library = corpus.library
    sources = [library.sources[siglum] for siglum in list_finished_sources(library)]
    families = {words.get_family_name(source) for source in sources}
    begun = [f"{siglum} ({said})" for siglum in library.sources if (said := format_collation(library, siglum))]
    translated_sentences = sum(len(one.text.sentences) for one in sources if one.text and one.translation)
    rivals = sum(len(clause.alternatives) for clause in library.clauses())
    return (
        (str(len(sources)), f"sources, in {format_count(len(families), 'family', 'families')}"),
        (str(translated_sentences), "sentences with translation"),
        (str(len(library.questions)), "questions"),
        (str(sum(clause.status != NOT_COLLATED for clause in library.clauses())), "clauses"),
        (str(rivals), "other readings and options"),
        (str(sum(len(list_emendations(source)) for source in library.sources.values())), "emendations"),
        *([(str(len(begun)), f"begun and not counted: {', '.join(begun)}")] if begun else []),
    )
