"""The ids that readers may point to: their kinds and shapes, and all that a library holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.model import Source
from rulebook.problems import Where
from rulebook.program_name import name_command
from rulebook.sources.assembled_library import AssembledLibrary

ID_SHAPES: Mapping[str, tuple[str, str]] = {  # kind -> pattern after the siglum, example
    "clause": (r"c\d{3}", "c031"),
    "interpretation": (r"i\d{2,3}", "i03"),
    "option": (r"o\d{2,3}", "o01"),
    "statement": (r"n\d{2,3}", "n15"),
    "note": (r"note\d{2,3}", "note07"),
    "printed": (r"p\d{2,3}", "p07"),
}


def hint_renaming(old: str, new: str) -> str:
    """Say how a source that was begun under one siglum comes to have another."""
    begin = name_command(f"new-source {new}")
    return (
        f"with nothing answered yet, delete the folder and begin again: {begin}; else search and replace {old}. by "
        f"{new}. in all its files (clauses.yaml, text.xml, ...), and write {new} for {old} as siglum in source.yaml "
        "and as the first xml:id of text.xml"
    )


def iter_own_ids(source: Source) -> Iterator[tuple[str, str, Where]]:
    """Yield everything in a source that bears an id of ours: kind, id, place."""
    for clause in source.clauses:
        yield "clause", clause.id, clause.where
        for alternative in clause.alternatives:
            yield alternative.kind, alternative.id, alternative.where
    for statement in source.statements:
        yield "statement", statement.id, statement.where
    for note in source.notes:
        yield "note", note.id, note.where
    for number in source.printed:
        yield "printed", number.id, number.where


# --- the registry of ids --------------------------------------------------------------------------------------

PUBLISHED = (
    "questions",
    "sentences",
    "statements",
    "clauses",
    "alternatives",
    "emendations",
    "notes",
    "printed numbers",
    "terms",
    "deals",
    "sessions",
)
PLURALS: Mapping[str, str] = {
    "clause": "clauses",
    "interpretation": "alternatives",
    "option": "alternatives",
    "statement": "statements",
    "note": "notes",
    "printed": "printed numbers",
}


def iter_ids_of_source(source: Source) -> Iterator[tuple[str, str, Where]]:
    """Yield everything in a source that may be pointed to, draft or not: kind, id, place."""
    page = Where(f"{source.where.file.rpartition('/')[0]}/text.xml")
    for sentence in source.text.sentences.values() if source.text else ():
        yield "sentences", sentence.id, Where(page.file, sentence.line)
    for emendation in source.text.emendations.values() if source.text else ():
        yield "emendations", emendation.id, Where(page.file, emendation.line)
    for kind, id, where in iter_own_ids(source):
        yield PLURALS[kind], id, where


def iter_published_ids(case: AssembledLibrary) -> Iterator[tuple[str, str, Where]]:
    """Yield everything that a reader may point to: kind, id, place. A draft may still change its ids."""
    for question in case.library.questions.values():
        proposer = case.library.sources.get(question.by)
        if not (proposer and proposer.draft):
            yield "questions", question.id, question.where
    for source in (source for source in case.library.sources.values() if not source.draft):
        yield from iter_ids_of_source(source)
    yield from (("terms", id, where) for id, where in case.registry.terms)
    drafts = {source.where.file.rpartition("/")[0] for source in case.library.sources.values() if source.draft}
    lasting = (deal for deal in case.registry.deals if deal[1].file.rpartition("/deals/")[0] not in drafts)
    yield from (("deals", id, where) for id, where in lasting)
    yield from (("sessions", id, where) for id, where in case.registry.sessions)
