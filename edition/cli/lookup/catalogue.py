"""Everything that has a name: which things a word can mean, and which names come near it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from edition.citation.places import topic_slug
from edition.cli.arguments import load_library_or_exit
from edition.cli.lookup import words
from edition.corpus.corpus import Corpus, build_corpus, cached_on_corpus, list_library_ids
from edition.game import UnreadExtras, read_game
from edition.views.common import group_questions
from rulebook.answers.values import format_canonical
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_entries
from rulebook.sources.glossary import read_glossary
from rulebook.sources.id_registry import TOMBSTONES_FILE
from rulebook.sources.rule_sentences import GLOSSARY_FILE

_MAX_SUGGESTIONS = 5
_TERM_PREFIX = "g-"  #: of the ids of terms, which nobody need write
_MIN_PART_LENGTH = 3  #: letters of a part of a name by which it is suggested


class NamedThing(NamedTuple):
    """Something that has a name: its kind and its id."""

    kind: str
    id: str


def open_corpus() -> Corpus:
    """Read the library with its glossary; `check` looks at all the rest."""
    library = load_library_or_exit()
    root = Path(library.root)
    terms, _ = read_glossary(root / GLOSSARY_FILE, dict(list_library_ids(library)))
    game = read_game(root)[0]
    return build_corpus(library, terms, game=game, extras=UnreadExtras(game, library))


@cached_on_corpus
def read_works_cited(corpus: Corpus) -> Mapping[str, str]:
    """Return the entries of the bibliography by key."""
    return read_entries(Path(corpus.library.root) / BIBLIOGRAPHY_FILE)


# ---- finding
def find_named(corpus: Corpus, word: str) -> tuple[NamedThing, ...]:
    """Return what a word names: ids and slugs first, then terms and topics, then readings."""
    mark = next((letter for letter in word if letter in "=@"), "")
    name, rest = (part.strip() for part in word.split(mark, 1)) if mark else ("", "")
    if name and rest:
        return tuple(_find_answer(corpus, name, mark, rest))
    folded = fold_name(word)
    for group in _group_names(corpus):
        if folded in group:
            exact = tuple(thing for thing in group[folded] if fold_name(thing.id) == folded)
            return exact[:1] or _add_namesakes(corpus, group[folded])
    if work := _fold_works(corpus).get(folded):
        return (NamedThing("work", work),)
    return tuple(_find_retired(corpus, folded)) or tuple(_find_by_other_words(corpus, word))


def _add_namesakes(corpus: Corpus, things: Mapping[NamedThing, None]) -> tuple[NamedThing, ...]:
    """Add to a term that is found by its English all that its own name means, as of a thing that it names too."""
    if len(things) > 1 or next(iter(things)).kind != "term":
        return tuple(things)
    term = next(term for term in corpus.terms if term.id == next(iter(things)).id)
    return tuple({**things, **_group_names(corpus)[1].get(fold_name(term.term), {})})


def _find_by_other_words(corpus: Corpus, word: str) -> Iterator[NamedThing]:
    """Yield what a synonym of a word names: the first of them that names anything."""
    others = words.list_other_words(_read_synonyms(corpus), word)
    named = (_group_names(corpus)[1].get(fold_name(other), {}) for other in others)
    yield from next(filter(None, named), ())


@cached_on_corpus
def _fold_works(corpus: Corpus) -> Mapping[str, str]:
    return {fold_name(key): key for key in read_works_cited(corpus)}


@cached_on_corpus
def _read_synonyms(corpus: Corpus) -> words.Synonyms:
    return words.read_synonyms(Path(corpus.library.root))


def fold_name(name: str) -> str:
    """Return a name without what people write differently: capitals, accents, spaces, leading zeros; `31` is `q31`."""
    letters = unicodedata.normalize("NFKD", name.strip().casefold())
    plain = re.sub(r"[\s_]+", "-", "".join(c for c in letters if not unicodedata.combining(c)))
    plain = re.sub(r"(?<![0-9])0+(?=[0-9])", "", plain)
    return f"q{plain}" if plain.isdigit() else plain


def _find_answer(corpus: Corpus, name: str, mark: str, rest: str) -> Iterator[NamedThing]:
    """Yield QUESTION=READING or QUESTION@SOURCE, if there is such a question."""
    kind = "reading" if mark == "=" else "answer"
    known = _list_all_readings(corpus) if mark == "=" else list(corpus.library.sources)
    for thing in find_named(corpus, name):
        if thing.kind == "question":
            wanted = f"{thing.id}={rest}" if mark == "=" else rest
            same = (candidate for candidate in known if candidate.casefold() == wanted.casefold())
            yield from (NamedThing(kind, candidate if mark == "=" else f"{thing.id}@{candidate}") for candidate in same)


def _list_all_readings(corpus: Corpus) -> list[str]:
    """Return every reading of a closed list, and every other answer of a source in one word."""
    readings = [f"{question.id}={key}" for question in corpus.library.questions.values() for key in question.readings]
    for (_, slug), cell in corpus.cells.items():
        if cell is not None and cell.value is not None:
            readings.append(f"{corpus.library.questions[slug].id}={format_canonical(cell.value)}")
    return list(dict.fromkeys(readings))


def _find_retired(corpus: Corpus, folded: str) -> Iterator[NamedThing]:
    yield from (NamedThing("retired id", id) for id in _list_retired_ids(corpus) if fold_name(id) == folded)


@cached_on_corpus
def _list_retired_ids(corpus: Corpus) -> tuple[str, ...]:
    from edition.corpus.load import read_retired_ids  # slow to import, and seldom needed

    return tuple(entry.id for entry in read_retired_ids(Path(corpus.library.root) / TOMBSTONES_FILE))


# ---- the names
@cached_on_corpus
def _group_names(corpus: Corpus) -> tuple[Mapping[str, Mapping[NamedThing, None]], ...]:
    """Return what each folded name means, the ids first; one thing may have a name twice."""
    groups: list[dict[str, dict[NamedThing, None]]] = []
    for group in (_list_ids(corpus), _list_names(corpus), _list_reading_names(corpus)):
        groups.append({})
        for name, thing in group:
            groups[-1].setdefault(fold_name(name), {})[thing] = None
    return tuple(groups)


def _list_ids(corpus: Corpus) -> Iterator[tuple[str, NamedThing]]:
    library = corpus.library
    for id, kind in corpus.kinds.items():
        yield id, NamedThing(kind, id)
    for question in library.questions.values():
        yield question.slug, NamedThing("question", question.id)
    yield from ((siglum, NamedThing("source", siglum)) for siglum in library.sources)
    for kind, lookup in corpus.game.lookups.items():
        yield from ((id, NamedThing(kind, id)) for id in lookup.list_ids(corpus))
    yield from ((term.id, NamedThing("term", term.id)) for term in corpus.terms)


def _list_names(corpus: Corpus) -> Iterator[tuple[str, NamedThing]]:
    for term in corpus.terms:
        english = term.english.partition(":")[0]
        for name in (term.id.removeprefix(_TERM_PREFIX), term.term, *term.forms, english, english.removeprefix("the ")):
            yield name, NamedThing("term", term.id)
    for group in group_questions(corpus):
        for name in (group, group.removeprefix("The "), topic_slug(group)):
            yield name, NamedThing("topic", group)
    for source in corpus.library.sources.values():
        for name in (source.short_name, source.title, source.title.removeprefix("The ")):
            yield name, NamedThing("source", source.siglum)


def _list_reading_names(corpus: Corpus) -> Iterator[tuple[str, NamedThing]]:
    for question in corpus.library.questions.values():
        yield from ((key, NamedThing("reading", f"{question.id}={key}")) for key in question.readings)


# ---- suggestions
def suggest_answers(corpus: Corpus, word: str) -> tuple[str, ...]:
    """Return the readings of a question, or its answers by source, where a word names the question rightly."""
    name, mark, _ = re.split("([=@])", f"{word}=")[:3]
    ids = [thing.id for thing in find_named(corpus, name) if thing.kind == "question"]
    if len(name) == len(word) or not ids:
        return ()
    if mark == "@":
        return tuple(f"{ids[0]}@{siglum}" for siglum in corpus.library.sources)
    return tuple(reading for reading in _list_all_readings(corpus) if reading.startswith(f"{ids[0]}="))


def suggest_names(corpus: Corpus, word: str) -> tuple[str, ...]:
    """Return names that come near a word: those of which it is a part, or that are spelt nearly so."""
    folded = fold_name(word)
    names = dict.fromkeys(name for group in _group_names(corpus) for name in group)
    shown = {fold_name(name): name for name in _list_shown_names(corpus)}
    parts = [part for part in folded.split("-") if len(part) >= _MIN_PART_LENGTH]
    near = [name for name in names if parts and all(part in name for part in parts)]
    near += difflib.get_close_matches(folded, names, _MAX_SUGGESTIONS)
    return tuple(shown.get(name, name) for name in dict.fromkeys(near))[:_MAX_SUGGESTIONS]


def _list_shown_names(corpus: Corpus) -> Iterator[str]:
    for listed in (_list_reading_names, _list_names, _list_ids):
        yield from (name for name, _ in listed(corpus))
