"""Words of clauses read while something is made, noted where they are read and not guessed from the result.

A word is a field of a clause, of one of its quotations, or of one of its other readings. What was made and never read
a word stands when only that word is changed; so a page need not be made again (`edition/site/outdated.py`). All else
that a clause says, such as its answers, is not recorded: `fingerprint_unrecorded` covers it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields
from typing import Any, TypeAlias

from rulebook.display import format_whole
from rulebook.model import Alternative, Cite, Clause, Library

#: Id of a clause or of another reading, and the name of a field.
ClauseWord: TypeAlias = tuple[str, str]

#: Noted by whatever depends on the bytes of files, or on a fingerprint of them.
ANY_FILE: ClauseWord = ("", "digest")

_recorder: ContextVar[set[ClauseWord] | None] = ContextVar("recorder", default=None)


@contextmanager
def record_reads() -> Iterator[set[ClauseWord]]:
    """Record all words that are read; a recorder that was open before notes them too."""
    words = set[ClauseWord]()
    outer = _recorder.set(words)
    try:
        yield words
    finally:
        _recorder.reset(outer)
        note_reads(words)


def note_reads(words: Iterable[ClauseWord]) -> None:
    """Note words that were read when a result that is used now was made."""
    recorder = _recorder.get()
    if recorder is not None:
        recorder.update(words)


class _RecordedField:
    """Field of a frozen record; reading it is noted under the id of its clause or reading."""

    __slots__ = ("name", "owner", "slot")

    def __init__(self, name: str, owner: str, slot: Any) -> None:
        self.name, self.owner, self.slot = name, owner, slot

    def __get__(self, record: Any, kind: type | None = None) -> Any:
        if record is None:
            return self.slot
        recorder = _recorder.get()
        if recorder is not None:
            recorder.add((getattr(record, self.owner), self.name))
        return self.slot.__get__(record, kind)

    def __set__(self, record: Any, value: Any) -> None:
        self.slot.__set__(record, value)


class _RecordedDigest:
    """Fingerprint of all files of a library, as a field of it; whoever reads it depends on any file."""

    def __get__(self, library: Library | None, kind: type | None = None) -> Any:
        if library is None:
            return self
        note_reads([ANY_FILE])
        return vars(library)["digest"]

    def __set__(self, library: Library, value: str) -> None:
        vars(library)["digest"] = value


_WORDING = ("label", "decision", "because", "searched", "computation", "where")
#: Class -> the field that names the owner of its words, and the fields whose reading is recorded.
_RECORDED: Mapping[type, tuple[str, tuple[str, ...]]] = {
    Clause: ("id", (*_WORDING, "coder", "reviewer", "note")),
    Cite: ("clause", ("exact", "prefix", "suffix", "seen", "where")),
    Alternative: ("id", (*_WORDING, "exact")),
}

for _kind, (_owner, _names) in _RECORDED.items():
    for _name in _names:
        setattr(_kind, _name, _RecordedField(_name, _owner, _kind.__dict__[_name]))
type.__setattr__(Library, "digest", _RecordedDigest())


def digest_words(library: Library) -> Mapping[ClauseWord, str]:
    """Return a fingerprint of each word of a library's clauses."""
    values_by_word: dict[ClauseWord, list[str]] = defaultdict(list)
    for record in _list_records(library):
        owner, names = _RECORDED[type(record)]
        for name in names:
            values_by_word[getattr(record, owner), name].append(format_whole(getattr(record, name)))
    return {
        word: hashlib.sha256("\0".join(values).encode()).hexdigest()[:16] for word, values in values_by_word.items()
    }


def fingerprint_unrecorded(library: Library) -> str:
    """Return a fingerprint of all that clauses say besides, in their order."""
    total = hashlib.sha256()
    for record in _list_records(library):
        kept = [field.name for field in fields(record) if field.name not in _RECORDED[type(record)][1] and field.repr]
        parts = (getattr(record, name) for name in kept if name not in ("cites", "alternatives"))
        total.update(f"{type(record).__name__}{format_whole(tuple(parts))}\n".encode())
    return total.hexdigest()


def _list_records(library: Library) -> Iterator[Clause | Cite | Alternative]:
    for clause in library.clauses():
        yield clause
        yield from clause.cites
        yield from clause.alternatives
