"""What is asked for on the command line: sources, deals, wishes; with help for who has mistyped."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from edition.cli.output import plural, say, tell
from edition.data.deals import Record, paths, read_file, read_lines, read_worked, sigla_of, unused
from edition.data.drafts import playable
from engine.readings.unsupported import misjudged
from rulebook.load import quick_load
from rulebook.model import Conflict, Library, Ruleset
from rulebook.resolve import BadChoice, Choice, read_choice, resolve
from rulebook.suggestions import unlike

FEW = 6  # so many names can simply be told


def library() -> Library:
    """The library, from its cached copy if nothing has changed; without one there is nothing to do."""
    found, problems = quick_load()
    if found is not None and (unknown := list(misjudged(found))):  # no deal could be played by them
        found, problems = None, [*problems, *unknown]
    if found is None:
        tell(problems, stderr=True)
        raise click.ClickException("the sources cannot be read; mend the problems above")
    if problems:
        say(f"Warning: {plural(len(problems), 'problem')} in the sources; `reversis check` tells them")
    return found


def nearest(word: str, known: Iterable[str]) -> str:
    """All there is, if that is little; otherwise what was meant, if it can be guessed."""
    names = list(known)
    if len(names) <= FEW:
        return f"There are: {', '.join(names)}."
    filled = re.sub(r"^[qQ](\d{1,2})$", lambda found: f"Q{found[1]:0>3}", word)  # Q31 is Q031
    if filled in names:
        return f"Did you mean {filled}?"
    lowered = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(word.casefold(), lowered, 1, 0.6)
    return f"Did you mean {lowered[near[0]]}?{unlike(word, lowered[near[0]])}" if near else ""


def siglum(library: Library, name: str) -> str:
    """A source by its siglum, in whatever letters."""
    known = {one.casefold(): one for one in library.sources}
    if name.strip().casefold() in known:
        return known[name.strip().casefold()]
    raise click.UsageError(f"No source {name!r}. {nearest(name, library.sources)}")


def sigla(library: Library, names: Sequence[str]) -> tuple[str, ...]:
    """The sources asked for, each once; all of them where none is named, but for drafts that cannot be played yet."""
    return tuple(dict.fromkeys(siglum(library, name) for name in names)) or playable(library)


# ---- wishes
def wish(library: Library, text: str) -> Choice:
    """One wish, as it is typed after --with."""
    mark = next((m for m in "=@" if m in text), "")
    if mark:
        name, _, rest = text.partition(mark)
        question(library, name.strip(), text)
        text = text if mark == "=" else f"{name}@{siglum(library, rest)}"
    try:
        return read_choice(library, text.strip())
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None


def question(library: Library, name: str, text: str) -> None:
    """The question that a wish is about must be there."""
    try:
        library.question(name)
    except KeyError:
        known = [q.id for q in library.questions.values()] + list(library.questions)
        hint = nearest(name, known) or "`reversis compare PAM ACA` lists some; every question has an id such as Q031."
        raise click.UsageError(f"--with {text}: no question {name!r}. {hint}") from None


def rules(library: Library, source: str, wishes: Iterable[Choice] = ()) -> Ruleset:
    """The rules of a source, with the reader's wishes."""
    try:
        return resolve(library, source, wishes)
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None
    except Conflict as conflict:
        raise click.ClickException(f"{conflict}; `reversis check` tells where") from None


def named_rules(library: Library, name: str) -> Ruleset:
    """Rules by their name as it is printed: PAM, or PAM + Q017@ACA."""
    source, *wishes = (part.strip() for part in name.split("+"))
    return rules(library, siglum(library, source), [wish(library, text) for text in wishes])


# ---- deals
def records(library: Library, names: Iterable[str], ignore_unknown: bool = False) -> Iterator[Record]:
    """The records asked for: files, worked deals by their ids, or JSON lines on standard input.

    A source that the library does not have is a problem, or with `ignore_unknown` said and passed over.
    """
    for name in names:
        for found in lines(library, ignore_unknown) if name == "-" else (record(library, name, ignore_unknown),):
            if found.deal is not None and ignore_unknown:
                say_unused(library, found.file, {"pool": found.deal.pools, "expect": found.deal.expect})
            yield found


def lines(library: Library, ignore_unknown: bool) -> Iterator[Record]:
    """The records on standard input."""
    found = None
    for found in read_lines(sys.stdin.buffer, sigla=None if ignore_unknown else sigla_of(library)):
        yield found
    if found is None:
        say("No deal on standard input: give JSON lines, one deal on each.")


def say_unused(library: Library, file: str, named: Mapping[str, Iterable[str]]) -> None:
    """Say what of a record is not used, since the library does not have its source."""
    if words := unused(library, named):
        say(f"{file}: not used, the library having no such source: {words}")


def record(library: Library, name: str, ignore_unknown: bool = False) -> Record:
    """A file, or a worked deal by its id."""
    path = Path(name)
    if path.is_file():
        return read_file(path, sigla=None if ignore_unknown else sigla_of(library))
    if name in paths(library):
        return read_worked(library, name, ignore_unknown)
    if path.is_dir():
        raise click.UsageError(
            f"{name} is a folder. Name the files in it, such as {path.as_posix().rstrip('/')}/*.yaml."
        )
    hint = nearest(path.stem, paths(library)) or "Give a file, - for standard input, or the id of a worked deal."
    raise click.UsageError(f"No file and no worked deal {name!r}. {hint}")


def checked(library: Library, names: Iterable[str]) -> None:
    """Every name must be there before the first deal is settled."""
    for name in names:
        if name != "-" and not Path(name).is_file() and name not in paths(library):
            record(library, name)
