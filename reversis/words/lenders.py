"""Choice of the source from which another is best supplied: one choice for every command that names one."""

from __future__ import annotations

from collections.abc import Collection

from rulebook.drafts import NOT_COLLATED, list_finished_sources
from rulebook.model import Library, Source


def choose_lender(library: Library, siglum: str, asked: Collection[str] = ()) -> str | None:
    """Choose the source that answers most of what a source lacks; None where no other answers anything *asked*.

    First counts what is asked, in whatever way it is answered; then all that the source does not say, in the lender's
    own words. Of equals one of the same language or family is taken, then the one with most answers of its own.
    """
    borrower = library.sources[siglum]
    lacking = {slug for slug, one in library.questions.items() if not one.not_played}
    lacking -= _list_answered(borrower, own=True)  # so that the choice is the same once something was supplied
    others = [library.sources[one] for one in list_finished_sources(library) or library.sources if one != siglum]
    able = [one for one in others if not asked or _list_answered(one) & {*asked}]

    def rank(one: Source) -> tuple[int, int, bool, int, str]:
        own = _list_answered(one, own=True)
        helps = len(_list_answered(one) & {*asked})
        return -helps, -len(own & lacking), not _is_akin(one, borrower), -len(own), one.siglum

    return min(able, key=rank).siglum if able else None


def _list_answered(source: Source, own: bool = False) -> set[str]:
    """Return the questions that a source answers, of its *own* or also with what is supplied."""
    return {slug for one in source.clauses if not (own and one.supplied) for slug in one.answers}


def _is_akin(one: Source, other: Source) -> bool:
    return one.language == other.language or one.family == other.family != ""


def suggest_supply(library: Library, ruleset: str, question: str) -> str:
    """Name the command that supplies what a source does not say, for whatever deal."""
    siglum = ruleset.partition(" ")[0]  # without what is played otherwise
    lender = choose_lender(library, siglum, [question] if question in library.questions else ())
    if lender is None:
        return f"No other source answers it: answer it yourself, in reversis sheet {siglum} --out answers.csv."
    command = f"reversis supply {siglum} --from {lender} --all-deals --write"
    cell = library.find_cell(siglum, question)
    if library.sources[siglum].draft and (cell is None or cell.status == NOT_COLLATED):
        coding = f"Read it for that first, with reversis sheet {siglum} --out answers.csv or the form (reversis serve)"
        return f"{coding}. What it does not say is then supplied from another source: {command}."
    return f"What it does not say is supplied from another source, for all worked deals: {command}."


def add_supply_hint(library: Library, ruleset: str, question: str, told: str) -> str:
    """Add to what is *told* of a silence the way out, where the rules are those of a source."""
    known = ruleset.partition(" ")[0] in library.sources
    return f"{told.rstrip('.')}. {suggest_supply(library, ruleset, question) if known else ''}".rstrip()
