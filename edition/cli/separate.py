"""A deal that tells two sources apart on one question: as text, as data, as a record that can be run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import click

from edition.analysis.separation_search import Bench, parting
from edition.cli import output
from edition.cli.arguments import library, nearest, siglum
from edition.cli.deal import as_yaml
from edition.data.separations import Parting, Store, proved, record_of, stored, swap_of
from edition.views.deals.separations import Side, given, separation_view
from engine.comparison.minimise import STEPS
from engine.comparison.separation import (
    EFFECTIVE,
    UNKNOWN,
    Separation,
    SessionSeparation,
    differing_pairs,
    separation,
    session_separation,
)
from engine.settlement.result_json import result
from rulebook.model import Library

SCHEMA = 1
Proof = Separation | SessionSeparation | None


@click.command("separate")
@click.argument("names", nargs=-1, required=True, metavar="QUESTION [S1 S2] | S1 S2")
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Search anew, every lot being drawn from this seed. Without it you are told what is stored.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "yaml"]),
    default="text",
    show_default=True,
    help="Diagrams, one line of JSON for each question and pair, or the records of the deals.",
)
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each question and pair.")
def separate_command(names: tuple[str, ...], seed: int | None, form: str, quiet: bool) -> None:
    """Show a deal on which two sources part.

    For each question on which sources differ: the smallest deal that is known on which exactly that answer changes the
    result. S1 is taken as it stands, and with the answer of S2 (or the other way round, as you are told), together
    with the answers that only now make sense. QUESTION is an id (Q031) or its slug; without sources every two are
    told.

    Where no deal can show the difference it is called latent, and you are told why. Exit code 1 if for some question
    neither a deal nor a proof is known.
    """
    sys.exit(separate(names, seed, form, quiet))


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be told: some questions, between some pairs of sources."""

    questions: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


def separate(names: Sequence[str], seed: int | None, form: str, quiet: bool) -> int:
    """Tell of every question and pair what separates; 0, or 1 where no deal does so, and no proof is known either."""
    lib = library()
    asked = asked_for(lib, names)
    store = stored(lib) if seed is None else None
    bench = Bench(lib, 1 if seed is None else seed, STEPS)
    found = partings(lib, bench, store, asked)
    several = sum(len(pairs_of(lib, slug, asked)) for slug in asked.questions)
    codes = []
    with output.progress(
        "{task.completed:.0f} of {task.total:.0f} looked at", several, quiet or store is not None
    ) as done:
        for one in found:
            proof = proof_of(lib, bench, store, one)
            FORMS[form](lib, one, proof, quiet)
            codes.append(int(one.verdict == UNKNOWN or (one.verdict == EFFECTIVE and proof is None)))
            done(1)
    if not codes and not quiet:
        output.say("They answer alike: nothing separates them.")
    return max(codes, default=0)


def asked_for(library: Library, names: Sequence[str]) -> Asked:
    """A question, and two sources or all; or two sources, and all questions on which they differ."""
    if len(names) == 2 and not is_question(library, names[0]):
        return Asked(tuple(library.questions), (pair_of(library, names),))
    if len(names) not in (1, 3):
        raise click.UsageError("Give a question, a question and two sources, or two sources.")
    slug = question(library, names[0])
    pairs = (pair_of(library, names[1:]),) if len(names) == 3 else tuple(combinations(library.sources, 2))
    return Asked((slug,), pairs)


def is_question(library: Library, name: str) -> bool:
    """Whether a name is that of a question."""
    try:
        return bool(library.question(name.strip()))
    except KeyError:
        return False


def question(library: Library, name: str) -> str:
    """A question by its id or slug."""
    if is_question(library, name):
        return library.question(name.strip()).slug
    known = [q.id for q in library.questions.values()] + list(library.questions)
    hint = nearest(name, known) or "`reversis compare PAM ACA` lists some; every question has an id such as Q031."
    raise click.UsageError(f"No question {name!r}. {hint}")


def pair_of(library: Library, names: Sequence[str]) -> tuple[str, str]:
    """Two sources, in the order of the library."""
    named = {siglum(library, name) for name in names}
    if len(named) != 2:
        raise click.UsageError("Give two different sources.")
    first, second = (one for one in library.sources if one in named)
    return first, second


# ---- what is known, or found
def partings(library: Library, bench: Bench, store: Store | None, asked: Asked) -> Iterator[Parting]:
    """Every parting that is asked for: as stored, or searched for anew."""
    known = {(one.question, one.pair): one for one in store.partings} if store else {}
    for slug in asked.questions:
        for pair in pairs_of(library, slug, asked):
            yield known.get((slug, pair)) or parting(bench, slug, pair)


def pairs_of(library: Library, slug: str, asked: Asked) -> tuple[tuple[str, str], ...]:
    """The pairs that differ on a question, of those that are asked for."""
    return tuple(pair for pair in differing_pairs(library, slug) if pair in asked.pairs)


def proof_of(library: Library, bench: Bench, store: Store | None, one: Parting) -> Proof:
    """A parting settled both ways once more."""
    if one.verdict != EFFECTIVE:
        return None
    if store and one in store.partings:
        return proved(library, store, one)
    sides = swap_of(library, one)
    if one.deal:
        return separation(sides, bench.made[one.deal])
    return session_separation(sides, tuple(bench.worked[id] for id in one.session))


# ---- text
def as_text(library: Library, one: Parting, found: Proof, quiet: bool) -> None:
    """The verdict, and the deal as a diagram."""
    from rich.text import Text

    screen, asks = output.console(), library.questions[one.question]
    head = f"{asks.id}  {one.question}  {' and '.join(one.pair)}: {one.verdict}"
    screen.print(Text(head, "bold"), soft_wrap=True)
    for words in () if quiet else lines(library, one, found):
        screen.print(Text(words), soft_wrap=True)


def lines(library: Library, one: Parting, found: Proof) -> Iterator[str]:
    """Everything, line by line."""
    yield f"  {library.questions[one.question].asks}"
    if found is None:
        why = library.questions[one.question].not_played or one.because
        yield f"  {' '.join(why.split())}\n" if one.verdict != EFFECTIVE else "  It does not separate any more.\n"
        return
    brings = [library.questions[slug].id for slug in one.brings]
    yield f"  {one.base}, and {one.base} with {given(found)}" + (f" and {', '.join(brings)}" if brings else "")
    if isinstance(found, SessionSeparation):
        yield f"  a session of {', '.join(one.session)}: {', '.join(one.how)} differ\n"
        return
    view = separation_view(found)
    yield from (f"    {words}" for words in (*view.hands, *view.table, *view.tricks))
    yield from ((f"    and {output.plural(view.rest, 'trick')} more",) if view.rest else ())
    yield from (words for side in view.sides for words in side_lines(side))
    yield from ((f"  worked deals that show it too: {', '.join(one.worked)}",) if one.worked else ())
    yield f"  again: --format yaml > FILE; {view.again}\n"


def side_lines(side: Side) -> Iterator[str]:
    """What one side makes of it."""
    yield f"  {side.ruleset}:"
    yield from (f"    {words}" for words in side.lines)


# ---- data
def as_json(library: Library, one: Parting, found: Proof, quiet: bool) -> None:
    """One line for each question and pair."""
    output.data(written(library, one, found))


def written(library: Library, one: Parting, found: Proof) -> dict[str, object]:
    """A parting as plain data, with both results."""
    asks = library.questions[one.question]
    head: dict[str, object] = {
        "schema": SCHEMA,
        "question": asks.id,
        "slug": one.question,
        "pair": list(one.pair),
        "verdict": one.verdict,
        "because": one.because or " ".join(asks.not_played.split()),
    }
    if found is None:
        return head
    head |= {"base": one.base, "from": one.giver, "brings": list(one.brings), "how": list(one.how)}
    if isinstance(found, SessionSeparation):
        return head | {"session": list(one.session)}
    both = [result(side, library.digest) for side in (found.before, found.after)]
    return head | {"deal": record_of(found.deal), "results": both, "worked": list(one.worked)}


def as_records(library: Library, one: Parting, found: Proof, quiet: bool) -> None:
    """The records of the deals, with a remark on what they show."""
    asks = library.questions[one.question]
    click.echo(f"---\n# {asks.id} {asks.asks} {' and '.join(one.pair)}: {one.verdict}")
    if isinstance(found, Separation):
        click.echo(f"# {separation_view(found).again}\n{as_yaml(record_of(found.deal))}", nl=False)
    elif one.session:
        click.echo(f"# reversis session {' '.join(one.session)} --turn --source {one.base}")


Form = Callable[[Library, Parting, Proof, bool], None]
FORMS: Mapping[str, Form] = {"text": as_text, "json": as_json, "yaml": as_records}
