"""A snapshot of the edition: what a release leaves behind (`edition.corpus.releases`), taken of what was read."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import PurePosixPath

from edition.corpus.corpus import Corpus
from edition.corpus.releases import Snapshot
from rulebook.answers.values import format_canonical
from rulebook.model import Alternative, Question, Source

_FINGERPRINT_LENGTH = 12  #: letters of a fingerprint; enough to see that something is no longer the same


def take_snapshot(corpus: Corpus, version: str, released: str) -> Snapshot:
    """Return what the edition holds now."""
    lasting = [source for source in corpus.library.sources.values() if not source.draft]
    ids: dict[str, dict[str, str]] = {}
    for kind, id, content in chain(_list_common_records(corpus), *map(_list_source_records, lasting)):
        fingerprint = hashlib.sha256(_canonicalise(content).encode()).hexdigest()
        ids.setdefault(kind, {})[id] = fingerprint[:_FINGERPRINT_LENGTH]
    answers = {source.siglum: dict(_list_answers(corpus, source)) for source in lasting}
    drafts = {siglum for siglum, source in corpus.library.sources.items() if source.draft}
    return Snapshot(version, released, corpus.library.digest, ids, answers, dict(_list_results(corpus, drafts)))


def _list_common_records(corpus: Corpus) -> Iterator[tuple[str, str, object]]:
    """Records that belong to no source: kind, id and content."""
    for question in corpus.library.questions.values():
        yield "questions", question.id, question
    for term in corpus.terms:
        yield "terms", term.id, term


def _list_source_records(source: Source) -> Iterator[tuple[str, str, object]]:
    """Records of a source that can be pointed to: kind, id and content."""
    text = source.text
    for sentence in text.sentences.values() if text else ():
        english = source.translation.sentences.get(sentence.id) if source.translation else None
        translated = "".join(part.text for part in english.parts) if english else ""
        yield "sentences", sentence.id, (sentence.diplomatic, sentence.emended, translated)
    for emendation in text.emendations.values() if text else ():
        yield "emendations", emendation.id, emendation
    yield from (("statements", statement.id, statement) for statement in source.statements)
    yield from (("notes", note.id, note) for note in source.notes)
    yield from (("printed numbers", passage.id, passage) for passage in source.printed)
    for clause in source.clauses:
        yield "clauses", clause.id, clause
        yield from (("alternatives", alternative.id, alternative) for alternative in clause.alternatives)


def _list_answers(corpus: Corpus, source: Source) -> Iterator[tuple[str, str]]:
    """Every answer of a source; where there is only a reason, the status."""
    for question in corpus.library.questions.values():
        cell = corpus.cell(source.siglum, question.slug)
        if cell is not None:
            yield question.id, cell.status if cell.value is None else format_canonical(cell.value)


def _list_results(corpus: Corpus, drafts: Container[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Results of each thing of the game by each source, without drafts and what lies in their folders."""
    for lookup in corpus.game.lookups.values():
        paths = lookup.find_paths(corpus.library)
        for id, results in lookup.results(corpus).items():
            if PurePosixPath(paths[id]).parts[0] not in drafts:
                yield id, {siglum: result for siglum, result in results.items() if siglum not in drafts}


#: Where something stands in its file, and who has read it, is no part of what it says; alternatives have their own ids;
#: a short form says again what its reading says.
_IGNORED_FIELDS = frozenset({"where", "places", "line", "reviewer", "alternatives", "short"})
#: Fields that records of earlier releases did not have; empty they say nothing new.
_LATER_FIELDS = frozenset({(Question, "matters"), (Alternative, "silent"), (Alternative, "searched")})


def _canonicalise(content: object) -> str:
    """Canonical text of a record: equal content gives equal letters."""
    if is_dataclass(content) and not isinstance(content, type):
        kept = [
            field.name
            for field in fields(content)
            if field.compare
            and field.name not in _IGNORED_FIELDS
            and not ((type(content), field.name) in _LATER_FIELDS and not getattr(content, field.name))
        ]
        return (
            f"{type(content).__name__}({', '.join(f'{name}={_canonicalise(getattr(content, name))}' for name in kept)})"
        )
    if isinstance(content, Mapping):
        return f"{{{', '.join(f'{key}: {_canonicalise(value)}' for key, value in sorted(content.items()))}}}"
    if isinstance(content, tuple | list):
        return f"[{', '.join(map(_canonicalise, content))}]"
    return repr(content)
