"""Checks of ids: well formed, given once, registered, and never gone without a tombstone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulebook.grouping import group_pairs
from rulebook.model import Source
from rulebook.problems import Problem, Where
from rulebook.program_name import name_command
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.published_ids import (
    ID_SHAPES,
    hint_renaming,
    iter_ids_of_source,
    iter_own_ids,
    iter_published_ids,
)
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

_MOST_TOLD = 5  #: so many ids of a source with one fault are told one by one


def ids_are_well_formed(case: AssembledLibrary) -> Iterator[Problem]:
    """Ids are written like PAM.c031, PAM.i03, PAM.o01, each under its own source."""
    for source in case.library.sources.values():
        foreign = dict(_find_foreign_files(source))
        for file, (where, count, siglum) in foreign.items():
            what = f"all {count} ids of {file.rpartition('/')[2]} begin with {siglum}, and this is {source.siglum}"
            yield case.at(where, "id").problem(what, hint_renaming(siglum, source.siglum))
        misshapen = group_pairs(
            ((where.file, kind), (id, where))
            for kind, id, where in iter_own_ids(source)
            if where.file not in foreign and not re.fullmatch(rf"{source.siglum}\.{ID_SHAPES[kind][0]}", id)
        )
        for (_, kind), entries in misshapen.items():
            hint = f"write it like {source.siglum}.{ID_SHAPES[kind][1]}"
            for id, where in entries[:_MOST_TOLD]:
                yield case.at(where, "id").problem(f"{kind} {quote_value(id)} has no well-formed id", hint)
            if rest := entries[_MOST_TOLD:]:
                what = f"and {len(rest)} more of this kind have no well-formed id, from {quote_value(rest[0][0])} on"
                yield case.at(rest[0][1], "id").problem(what, hint)


def _find_foreign_files(source: Source) -> Iterator[tuple[str, tuple[Where, int, str]]]:
    """Yield the files whose ids all bear one other siglum, as after a renaming: the first place, how many, which."""
    parted = ((kind, *id.partition("."), where) for kind, id, where in iter_own_ids(source))
    places = group_pairs(
        (where.file, (siglum if re.fullmatch(ID_SHAPES[kind][0], rest) else "", where))
        for kind, siglum, _, rest, where in parted
    )
    for file, entries in places.items():
        sigla = {siglum for siglum, _ in entries}
        if len(entries) > 1 and len(sigla) == 1 and not sigla & {"", source.siglum}:
            yield file, (entries[0][1], len(entries), sigla.pop())


def ids_are_given_once(case: AssembledLibrary) -> Iterator[Problem]:
    """An id names one thing."""
    every = [entry for source in case.library.sources.values() for entry in iter_own_ids(source)]
    counted, seen = Counter(id for _, id, _ in every), set[str]()
    for _, id, where in every:
        if counted[id] > 1 and id in seen:
            yield case.at(where, "id").problem(f"the id {id} stands {counted[id]} times", "give it a new one")
        seen.add(id)


def every_id_is_registered(case: AssembledLibrary) -> Iterator[Problem]:
    """Every id that a reader may point to is in the registry."""
    published = iter_published_ids(case) if case.registry.begun else ()
    unknown = ((id, where) for _, id, where in published if id not in case.registry.ids)
    fresh = group_pairs((find_owner_of_id(id, where), (id, where)) for id, where in unknown)
    for siglum, entries in fresh.items():
        if len(entries) > _MOST_TOLD and (source := case.library.sources.get(siglum)):
            what = (
                f"{siglum} is no draft, and {len(entries)} of its ids, such as {entries[0][0]}, are not in the registry"
            )
            yield source.where.problem(
                what, f"run {name_command('check --update')}; from then on they stay: until then, put draft: true back"
            )
        else:
            yield from (
                where.problem(f"{id} is not in the registry of ids", f"run {name_command('check --update')}")
                for id, where in entries
            )


def find_owner_of_id(id: str, where: Where) -> str:
    """Find the source that an id belongs to, by its siglum or by the folder of its file; of others, the id itself."""
    folder = re.match(r"[^/]+/([A-Z]{2,6})/", where.file)
    return id.partition(".")[0] if "." in id else folder[1] if folder else id


def no_id_vanishes_without_a_tombstone(case: AssembledLibrary) -> Iterator[Problem]:
    """An id that was published is there for ever, or a tombstone says what became of it."""
    known = {id for _, id, _ in iter_published_ids(case)} | {grave.id for grave, _ in case.registry.tombstones}
    for id, where in case.registry.ids.items() if not case.lost else ():
        if id not in known:
            yield where.problem(f"{id} was published and is gone", "bring it back, or add it to tombstones.yaml")


#: An id as our prose names it: PAM.s0042, PAM.c031, PAM.note07, Q031.
IN_PROSE = re.compile(r"\b(?:[A-Z]{2,6}\.(?:[sciopen]|note)\d{2,4}|Q\d{3})\b")


def prose_of(source: Source) -> Iterator[tuple[str, str, str, Where]]:
    """Everything that the editors say in words about a source: owner, key, words, place."""
    for note in source.notes:
        yield note.id, "text", note.text, note.where
    for clause in source.clauses:
        for key, words in (("because", clause.because), ("note", clause.note)):
            yield clause.id, key, words, clause.where
        for alternative in clause.alternatives:
            yield alternative.id, "because", alternative.because, alternative.where


def what_prose_names_is_there(case: AssembledLibrary) -> Iterator[Problem]:
    """A note or a reason names what there is, or was, and nothing else."""
    known = {id for _, id, _ in iter_published_ids(case)} | {grave.id for grave, _ in case.registry.tombstones}
    whole = case.registry.begun and not case.lost  # without a registry nobody can tell what there was
    for source in case.library.sources.values() if whole else ():
        there = known | list_draft_ids(case, source)
        for owner, key, words, where in prose_of(source):
            for id in sorted({*IN_PROSE.findall(words)} - there):
                if id.partition(".")[0] in case.library.sources or "." not in id:
                    what = f"{owner} names {id}, which is not there"
                    yield case.at(where, key).problem(what, did_you_mean(id, there, "name what there is"))


def list_draft_ids(case: AssembledLibrary, source: Source) -> set[str]:
    """List what a draft may name of its own, though its ids are not published yet."""
    if not source.draft:
        return set()
    proposed = (question.id for question in case.library.questions.values() if question.by == source.siglum)
    return {*(id for _, id, _ in iter_ids_of_source(source)), *proposed}


def a_tombstone_tells_what_became_of_it(case: AssembledLibrary) -> Iterator[Problem]:
    """A tombstone stands for an id that is gone, with the day, the reason, and where to look instead."""
    there = {id for _, id, _ in iter_published_ids(case)}
    for tombstone, where in case.registry.tombstones:
        if tombstone.id in there:
            yield case.at(where, "id").problem(f"{tombstone.id} has a tombstone and is there", "take the tombstone out")
        elif tombstone.id not in case.registry.ids:
            way_out = did_you_mean(tombstone.id, case.registry.ids, "take it out")
            yield case.at(where, "id").problem(f"{tombstone.id} was never published", way_out)
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", tombstone.on):
            yield case.at(where, "on").problem(
                f"{tombstone.id}: {quote_value(tombstone.on)} is no day", "write it like 2025-01-31"
            )
        if not tombstone.why:
            yield case.at(where, "why").problem(f"{tombstone.id}: no reason is given", "say why it is gone")
        for id in sorted({*tombstone.see} - there):
            way_out = did_you_mean(id, there, "name what is there")
            yield case.at(where, "see").problem(f"{tombstone.id}: see {id}, which there is not", way_out)
