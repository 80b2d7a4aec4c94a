"""Find a deal that separates two sources on one question; as text, as data, as a record."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import click

from edition.cli import output
from edition.cli.arguments import find_question, match_question, match_siglum
from edition.cli.completion import complete_question
from edition.cli.options import make_format_option
from engine.comparison import separation
from engine.comparison.minimise import MAX_SHRINK_STEPS
from engine.settlement.result_json import result
from reversis.cli.deal import format_record_yaml
from reversis.cli.deal_arguments import load_playable_library
from reversis.files import separations
from reversis.findings.separation_search import SeparationWorkspace, search_separation
from reversis.views.deals.separations import format_swapped_answer, separation_view
from rulebook.model import Library
from rulebook.phrases import format_count

_SEPARATION_SCHEMA = 1
Proof = separation.Separation | separation.SessionSeparation | None


@click.command("separate")
@click.argument("names", nargs=-1, required=True, metavar="QUESTION [S1 S2] | S1 S2", shell_complete=complete_question)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Search again, with this random seed. Without it, show what is stored.",
)
@make_format_option(
    ["text", "json", "yaml"], "Diagrams, one line of JSON for each question and pair, or the records of the deals."
)
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each question and pair.")
def separate_command(names: tuple[str, ...], seed: int | None, form: str, quiet: bool) -> None:
    """Show the smallest deal on which two sources differ.

    For each question on which sources differ: the smallest deal that is known on which exactly that answer changes the
    result. The deal is settled by S1 as it is, and with the one answer of S2 (or the other way round, as printed),
    together with the answers that only then apply. QUESTION is an id (Q031), a number (31) or a slug; without sources,
    every pair of sources is shown.

    A difference that no deal can show is called latent, with the reason. Exit code 1 if for some question neither a
    deal nor a proof is known.
    """
    lib = load_playable_library()
    asked = parse_separation_query(lib, names)
    store = separations.load_separations(lib) if seed is None else None
    bench = SeparationWorkspace(lib, 1 if seed is None else seed, MAX_SHRINK_STEPS)
    several = sum(len(_pairs_of(lib, slug, asked)) for slug in asked.questions)
    if form == "text" and store is not None and several > 1:
        output.print_lines(
            output.make_console(), _summarise_partings(list(list_partings(lib, bench, store, asked)), quiet)
        )
    codes = []
    with output.show_progress(
        "{task.completed:.0f} of {task.total:.0f} looked at", several, quiet or store is not None
    ) as done:
        for parting in list_partings(lib, bench, store, asked):
            proof = proof_of(lib, bench, store, parting)
            if form == "json":
                output.print_json(_serialize_parting(lib, parting, proof))
            elif form == "yaml":
                print_parting_records(lib, parting, proof)
            else:
                _print_parting(lib, parting, proof, quiet)
            codes.append(
                int(
                    parting.verdict == separation.VERDICT_UNKNOWN
                    or (parting.verdict == separation.EFFECTIVE and proof is None)
                )
            )
            done(1)
    if not codes and not quiet:
        output.print_remark("They answer alike: nothing separates them.")
    sys.exit(max(codes, default=0))


@dataclass(frozen=True, slots=True)
class SeparationQuery:
    """A query: some questions, between some pairs of sources."""

    questions: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


def parse_separation_query(library: Library, names: Sequence[str]) -> SeparationQuery:
    """Parse a question with two sources or all, or two sources. Raise click.UsageError for others."""
    if len(names) == 2 and find_question(library, names[0]) is None:
        return SeparationQuery(tuple(library.questions), (pair_of(library, names),))
    source = next((siglum for siglum in library.sources if siglum.casefold() == names[0].strip().casefold()), "")
    if source and len(names) != 2:
        other = next(siglum for siglum in library.sources if siglum != source)
        raise click.UsageError(f"{source} is a source: give two, as `separate {source} {other}`, or a question first.")
    if len(names) not in (1, 3):
        raise click.UsageError("Give a question, a question and two sources, or two sources.")
    slug = match_question(library, names[0]).slug
    pairs = (pair_of(library, names[1:]),) if len(names) == 3 else tuple(combinations(library.sources, 2))
    return SeparationQuery((slug,), pairs)


def pair_of(library: Library, names: Sequence[str]) -> tuple[str, str]:
    """Return two sources in the order of the library. Raise click.UsageError if they are not two."""
    named = {match_siglum(library, name) for name in names}
    if len(named) != 2:
        raise click.UsageError("Give two different sources.")
    first, second = (source for source in library.sources if source in named)
    return first, second


# ---- what is known, or found
def list_partings(
    library: Library, bench: SeparationWorkspace, store: separations.Store | None, asked: SeparationQuery
) -> Iterator[separations.Parting]:
    """Yield every parting that is asked for: as stored, or searched for again."""
    known = {(parting.question, parting.pair): parting for parting in store.partings} if store else {}
    for slug in asked.questions:
        for pair in _pairs_of(library, slug, asked):
            yield known.get((slug, pair)) or search_separation(bench, slug, pair)


def _pairs_of(library: Library, slug: str, asked: SeparationQuery) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in separation.differing_pairs(library, slug) if pair in asked.pairs)


def proof_of(
    library: Library, bench: SeparationWorkspace, store: separations.Store | None, parting: separations.Parting
) -> Proof:
    """Settle a parting both ways once more."""
    if parting.verdict != separation.EFFECTIVE:
        return None
    if store and parting in store.partings:
        return separations.verify_parting(library, store, parting)
    sides = separations.swap_of(library, parting)
    if parting.deal:
        return separation.try_separation(sides, bench.made[parting.deal])
    return separation.session_separation(sides, tuple(bench.worked[id] for id in parting.session))


# ---- text
def _summarise_partings(partings: Sequence[separations.Parting], quiet: bool) -> Iterator[str]:
    """Yield how many differences there are of each verdict, and how to see fewer."""
    counts = Counter(parting.verdict for parting in partings)
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in counts.most_common())
    if not quiet:
        yield f"{format_count(len(partings), 'difference')}: {verdicts}. One line for each: --quiet.\n"


def _print_parting(library: Library, parting: separations.Parting, proof: Proof, quiet: bool) -> None:
    from rich.text import Text

    screen, asks = output.make_console(), library.questions[parting.question]
    head = f"{asks.id}  {parting.question}  {' and '.join(parting.pair)}: {parting.verdict}"
    screen.print(Text(head, "bold"), soft_wrap=True)
    output.print_lines(screen, () if quiet else _format_parting(library, parting, proof))


def _format_parting(library: Library, parting: separations.Parting, proof: Proof) -> Iterator[str]:
    yield f"  {library.questions[parting.question].asks}"
    if proof is None:
        why = library.questions[parting.question].not_played or parting.because
        yield (
            f"  {' '.join(why.split())}\n"
            if parting.verdict != separation.EFFECTIVE
            else "  It does not separate any more.\n"
        )
        return
    brings = [library.questions[slug].id for slug in parting.brings]
    yield f"  {parting.base}, and {parting.base} with {format_swapped_answer(proof)}" + (
        f" and {', '.join(brings)}" if brings else ""
    )
    if isinstance(proof, separation.SessionSeparation):
        yield f"  a session of {', '.join(parting.session)}: {', '.join(parting.how)} differ\n"
        return
    view = separation_view(proof)
    yield from (f"    {words}" for words in (*view.hands, *view.table, *view.tricks))
    yield from ((f"    and {format_count(view.rest, 'trick')} more",) if view.rest else ())
    for ruleset, lines in view.sides:
        yield f"  {ruleset}:"
        yield from (f"    {words}" for words in lines)
    yield from ((f"  worked deals that show it too: {', '.join(parting.worked)}",) if parting.worked else ())
    yield f"  again: --format yaml > FILE; {view.again}\n"


# ---- data
def _serialize_parting(library: Library, parting: separations.Parting, proof: Proof) -> dict[str, object]:
    asks = library.questions[parting.question]
    head: dict[str, object] = {
        "schema": _SEPARATION_SCHEMA,
        "question": asks.id,
        "slug": parting.question,
        "pair": list(parting.pair),
        "verdict": parting.verdict,
        "because": parting.because or " ".join(asks.not_played.split()),
    }
    if proof is None:
        return head
    head |= {"base": parting.base, "from": parting.giver, "brings": list(parting.brings), "how": list(parting.how)}
    if isinstance(proof, separation.SessionSeparation):
        return head | {"session": list(parting.session)}
    both = [result(side, library.digest) for side in (proof.before, proof.after)]
    return head | {
        "deal": separations.serialize_stored_deal(proof.deal),
        "results": both,
        "worked": list(parting.worked),
    }


def print_parting_records(library: Library, parting: separations.Parting, proof: Proof) -> None:
    """Print the records of the deals, with a remark on what they show."""
    asks = library.questions[parting.question]
    click.echo(f"---\n# {asks.id} {asks.asks} {' and '.join(parting.pair)}: {parting.verdict}")
    if isinstance(proof, separation.Separation):
        record = format_record_yaml(separations.serialize_stored_deal(proof.deal))
        click.echo(f"# {separation_view(proof).again}\n{record}", nl=False)
    elif parting.session:
        click.echo(f"# reversis session {' '.join(parting.session)} --turn --source {parting.base}")
