"""The command line: `reversis` and what may stand after it."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Any

import click

from edition.cli.deal_group import IGNORE_UNKNOWN, deal, refuse_without_record
from edition.cli.output import prepare_streams
from rulebook import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
FILE = click.Path(path_type=Path, dir_okay=False)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Say only what matters.")


class Reversis(click.Group):
    """All commands; letters that the screen cannot show do not stop them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command."""
        prepare_streams()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """What the machine refuses (a full disk, a file that is not ours) is told in one line."""
        try:
            return super().invoke(ctx)
        except OSError as fault:
            if fault.errno == errno.EPIPE:  # whoever reads along has seen enough
                raise
            named = f"{fault.filename}: " if fault.filename else ""
            told = f"{named}{fault.strerror or fault}. What was there before is still there."
            raise click.ClickException(told) from fault


@click.group(cls=Reversis, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="reversis", message="%(prog)s %(version)s")
def cli() -> None:
    """An edition of four sources on the card game Reversis that can be played.

    `reversis COMMAND -h` tells more of each command. Exit codes: 0 all is well, 1 problems were found, 2 the command
    itself was mistyped.
    """


@cli.command("check", context_settings=CONTEXT)
@click.argument("path", nargs=-1, metavar="[PATH]")
@click.option(
    "--confirm",
    is_flag=True,
    help="First write the fingerprint of every sentence that has none. With ids of clauses (PAM.c031): "
    "also renew theirs, once you have read them again.",
)
@click.option(
    "--coverage",
    "account",
    is_flag=True,
    help="Tell instead how much of each source is accounted for, sentence by sentence, and the words left over. Exit "
    "code 1 if a sentence is not.",
)
@click.option(
    "--needs-code",
    "beyond_",
    is_flag=True,
    help="Tell instead in which questions a reading that nobody has given yet needs a line of code, and what sources "
    "have that waits for it.",
)
@IGNORE_UNKNOWN
@QUIET
def check_(
    path: tuple[str, ...], confirm: bool, account: bool, beyond_: bool, ignore_unknown: bool, quiet: bool
) -> None:
    """Check all that lies in the sources.

    Texts, questions, clauses, quotations, worked deals.

    PATH is a folder of sources, a file in it (only its problems are told), or a deal record of your own. Without it the
    edition's own sources are checked. All problems are told at once as file:line:column, what is wrong, and the way
    out. Exit code 1 if there are any.
    """
    from edition.cli.check import beyond, check, covered

    if account + confirm + beyond_ > 1:
        raise click.UsageError("One of --coverage, --confirm and --needs-code.")
    if account or beyond_:
        refuse_without_record(ignore_unknown)
    if beyond_:
        sys.exit(beyond(path))
    sys.exit(covered(path, quiet) if account else check(path, confirm, quiet, ignore_unknown))


SOURCES = click.option(
    "--sources",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Another folder of sources than that of this clone.",
)


@cli.command("cite", context_settings=CONTEXT)
@click.argument("source", metavar="SIGLUM")
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["yaml", "json"]),
    default="yaml",
    show_default=True,
    help="Ready to be pasted under `cites:`, or one line of JSON for each find.",
)
@click.option("--most", type=click.IntRange(min=1), default=5, show_default=True, help="Show so many finds.")
@SOURCES
def cite_(source: str, words: tuple[str, ...], form: str, most: int, folder: Path | None) -> None:
    """Find words in a source and print them as a citation.

    WORDS may be in today's spelling, without accents or capitals. What is printed are the letters of the source, with
    the sentence in which they stand and its fingerprint. Where they stand in several places, all are offered; where
    they stand in none, what comes nearest (exit code 1).
    """
    from edition.cli.cite import cite

    sys.exit(cite(source, words, form, most, folder))


@cli.command("new-source", context_settings=CONTEXT)
@click.argument("siglum", metavar="SIGLUM")
@click.option("--title", prompt="Title, as it stands on the page", help="As it stands on the page.")
@click.option("--short-title", prompt="A short name for tables", help="For tables.")
@click.option("--language", prompt="Language (fr, de, en ...)", help="Two letters: fr, de, en ...")
@click.option("--date", prompt="When it was printed", help="A year, or as near as one knows.")
@click.option("--place", prompt="Where", default="", help="Where it was printed.")
@click.option("--author", prompt="By whom", default="", help="Where one knows.")
@click.option("--exemplar", prompt="Which copy was read", default="", help="The copy, or the pictures of it.")
@click.option("--unit", prompt="The smallest counter", default="jeton", help="In which every sum is given.")
@click.option("--coder", prompt="What you do, for the list of coders", default="transcription and coding")
@click.option("--in-copyright", is_flag=True, help="The text may not be reprinted: tell its rules in your own words.")
@SOURCES
@QUIET
def new_source_(siglum: str, folder: Path | None, quiet: bool, **facts: Any) -> None:
    """Begin a new source: a folder that checks cleanly at once.

    In it lie the record of the source, a file to paste the text into, and every question of the edition with what a
    coder has to look for, marked as not collated. What is not given as an option is asked for.
    """
    from edition.cli.new_source import begin
    from rulebook.new_source import Facts

    sys.exit(begin(Facts(siglum, **facts), folder, quiet))


@cli.command("import-text", context_settings=CONTEXT)
@click.argument("siglum", metavar="SIGLUM")
@click.argument("file", type=FILE, required=False)
@click.option("--anyway", is_flag=True, help="Also where sentences change that clauses cite; the old text is kept.")
@SOURCES
@QUIET
def import_text_(siglum: str, file: Path | None, anyway: bool, folder: Path | None, quiet: bool) -> None:
    """Turn a transcription into the sentences that clauses cite.

    FILE is plain text with page marks, or a TEI file that others made; without it, text.txt in the folder of the
    source. Letters that look like slips of a reading machine are told. What was there before is kept beside.
    """
    from edition.cli.import_text import take_over

    sys.exit(take_over(siglum, file, folder, anyway, quiet))


@cli.command("run", context_settings=CONTEXT)
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...")
@click.option(
    "-s", "--source", "sources", multiple=True, metavar="S", help="By this source; may be given several times."
)
@click.option("--all", "all_", is_flag=True, help="By every source; so it is when no source is named.")
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule: QUESTION=READING (Q031=3), QUESTION@SOURCE (Q017@ACA), or the id of an interpretation "
    "or option (PAM.i01). A question is named by its id or its slug. May be given several times.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="Tables, one line of JSON for each deal and source, or one page that stands by itself.",
)
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def run_(
    deals: tuple[str, ...],
    sources: tuple[str, ...],
    all_: bool,
    wishes: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Settle deals: who pays whom, and which clause says so.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for JSON lines on standard input.

    Exit code 1 if a record is faulty, if a result is not what the record expects of the source, or if a source that
    you named refuses the deal or is silent on it. By every source (--all) a refusal or a silence is a result like
    any other: exit code 0.
    """
    from edition.cli.run import run

    if sources and all_:
        raise click.UsageError("Either --source or --all: with --all every source is run.")
    sys.exit(run(deals, sources, wishes, form, quiet, ignore_unknown))


@cli.command("explain", context_settings=CONTEXT)
@click.argument("deal", metavar="DEAL")
@click.option("-s", "--source", required=True, metavar="S", help="By this source.")
@click.option(
    "-t", "--trick", type=click.IntRange(min=1), metavar="N", help="Only what befell the cards of this trick."
)
@click.option("--seat", default="", metavar="NAME", help="Only what concerns this player.")
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule, as with `reversis run`. May be given several times.",
)
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: without the clauses.")
def explain_(
    deal: str,
    source: str,
    trick: int | None,
    seat: str,
    wishes: tuple[str, ...],
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Tell why each is paid, and why not.

    Of every payment: what happened, who pays whom how much, by which answers, and the words of the source that say
    so. Then of every payment that one might have looked for: why nothing is paid. DEAL is a file (YAML, or JSON), the
    id of a worked deal of the edition, or - for JSON lines on standard input.

    Exit code 1 if the record is faulty, or if the source refuses the deal or is silent on it; then you are told why.
    """
    from edition.cli.explain import explain

    sys.exit(explain(deal, source, trick, seat, wishes, form, quiet, ignore_unknown))


@cli.command("session", context_settings=CONTEXT)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-s", "--source", "sources", multiple=True, metavar="S", help="By this source; may be given several times."
)
@click.option(
    "--with",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="Play another rule, as with `run`: also one on which a source is silent, such as Q112=shared.",
)
@click.option(
    "-t",
    "--turn",
    is_flag=True,
    help="Turn each deal so that he deals whose turn it is, and leave its own pool out. So worked deals can be played "
    "in a row.",
)
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each source, how all stand in the end.")
def session_(
    files: tuple[str, ...],
    sources: tuple[str, ...],
    wishes: tuple[str, ...],
    turn: bool,
    form: str,
    ignore_unknown: bool,
    quiet: bool,
) -> None:
    """Play several deals in a row: accounts and pool are carried on.

    FILE is a deal record, the id of a worked deal, - for JSON lines on standard input, or one worked session of the
    edition (its file or its id). The first deal tells who sits where and who deals.

    Before the first deal everybody puts in, between the deals the stake is renewed and the dealer adds to it, as each
    source has it. A record may leave out the pool; one that has another dealer, or another pool, than the session is
    told and not counted, and so is a deal that the source refuses or cannot settle.

    Exit code 1 if a record is faulty, if a worked session does not come to what it expects, or if a deal is not
    counted under a source that you named.
    """
    from edition.cli.session import session

    sys.exit(session(files, sources, wishes, turn, form, quiet, ignore_unknown))


@cli.command("worlds", context_settings=CONTEXT)
@click.argument("deals", nargs=-1, required=True, metavar="DEAL...")
@click.option("-s", "--source", "sources", multiple=True, metavar="S", help="By this source; by all if none is named.")
@click.option("--options", is_flag=True, help="Try the options too that a source itself offers.")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@IGNORE_UNKNOWN
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each deal and source.")
def worlds_(
    deals: tuple[str, ...], sources: tuple[str, ...], options: bool, form: str, ignore_unknown: bool, quiet: bool
) -> None:
    """Tell what of a deal is certain, and what is contested.

    A payment is certain if it is made however the source is understood. Otherwise you are told how it comes as we read
    the source, how under each rival interpretation, and the smallest set of our decisions on which that depends. Only
    questions that the deal raises are tried.

    DEAL is a file (YAML, or JSON), the id of a worked deal of the edition, or - for JSON lines on standard input. Exit
    code 1 if a record is faulty.
    """
    from edition.cli.worlds import tell_worlds

    sys.exit(tell_worlds(deals, sources, options, form, quiet, ignore_unknown))


@cli.command("compare", context_settings=CONTEXT)
@click.argument("first", metavar="S1")
@click.argument("second", metavar="S2")
@click.option("-g", "--group", default="", metavar="GROUP", help="Only the questions of this group, such as Quinola.")
@click.option("-d", "--deal", "name", default="", metavar="DEAL", help="What differs on this deal, and why.")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@IGNORE_UNKNOWN
@QUIET
def compare_(first: str, second: str, group: str, name: str, form: str, ignore_unknown: bool, quiet: bool) -> None:
    """Tell where two sources part.

    These are the questions that they answer differently.

    S1 and S2 are sources, or rules as they are printed: "PAM + Q017@ACA". Answers that we supply where a source is
    silent are marked; where a question makes no sense for a source, that is said. Sums are compared one to one, each
    in the smallest counter of its source.

    With --deal you are told what differs on one deal: what may be played, who takes, who wins; then who gains how much
    more, and which answers cause it. Every answer's share is the mean of what it adds over all orders in which the
    answers may be exchanged; the shares add up to the difference exactly. DEAL is a file, the id of a worked deal, or -
    for JSON lines on standard input.
    """
    from edition.cli.compare import compare

    if name:
        from edition.cli.compare_deal import compare_deal

        if group:
            raise click.UsageError("--group picks questions, --deal takes those that the deal asks; give one of them.")
        sys.exit(compare_deal(first, second, name, form, quiet, ignore_unknown))
    refuse_without_record(ignore_unknown)
    sys.exit(compare(first, second, group, form, quiet))


@cli.command("separate", context_settings=CONTEXT)
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
def separate_(names: tuple[str, ...], seed: int | None, form: str, quiet: bool) -> None:
    """Show a deal on which two sources part.

    For each question on which sources differ: the smallest deal that is known on which exactly that answer changes the
    result. S1 is taken as it stands, and with the answer of S2 (or the other way round, as you are told), together
    with the answers that only now make sense. QUESTION is an id (Q031) or its slug; without sources every two are
    told.

    Where no deal can show the difference it is called latent, and you are told why. Exit code 1 if for some question
    neither a deal nor a proof is known.
    """
    from edition.cli.separate import separate

    sys.exit(separate(names, seed, form, quiet))


@cli.command("survey", context_settings=CONTEXT)
@click.option(
    "--deals", metavar="N", default="1M", show_default=True, help="So many deals: 1000000, 1_000_000, 1e6 or 1M."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    default=1,
    show_default=True,
    help="Every lot is drawn from this seed.",
)
@click.option(
    "--policy",
    metavar="random|cautious",
    default="random",
    show_default=True,
    help="How cards are chosen: any that may be played, or as one plays to lose tricks.",
)
@click.option(
    "-s",
    "--source",
    "sources",
    multiple=True,
    metavar="S",
    help="A company that plays by this source; may be given several times. Without it there is one for every source.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="So many processes; one for each core if not given."
)
@click.option(
    "--every",
    is_flag=True,
    help="Settle each deal not by the other sources only, but with every single answer in which they differ, and by "
    "every rival interpretation and option: some 270 rulesets.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@click.option("--out", type=FILE, metavar="FILE", help="Keep what was counted in this Parquet file.")
@click.option(
    "--per-deal", type=FILE, metavar="FILE", help="Keep what each wins in every single deal in this Parquet file."
)
@click.option(
    "--deal", "number", type=click.IntRange(min=0), metavar="N", help="Show only deal N of the survey, as a record."
)
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="In text: one line for each company. No progress is shown.")
def survey_(
    deals: str,
    seed: int,
    policy: str,
    sources: tuple[str, ...],
    jobs: int | None,
    every: bool,
    cluster: str,
    out: Path | None,
    per_deal: Path | None,
    number: int | None,
    form: str,
    quiet: bool,
) -> None:
    """Play very many deals, and count.

    Each company is dealt the same cards, exchanges and plays by its own rules, and every deal is also settled by other
    rules. You are told what each player wins, how often what befalls, and what would have come out otherwise by how
    many counters. The same seed brings out the same figures, however many processes or machines do the work.

    A deal that stands out can be had as a record: --deal N with the same seed, policy and source; `reversis run`
    settles it. A survey needs pip install "reversis[survey]"; with --cluster, "reversis[survey,cluster]" here and on
    every worker.
    """
    from edition.cli.survey import Asked, how_many, one_deal, survey

    asked = Asked(sources, how_many(deals), seed, policy, jobs, cluster, out, per_deal, form, quiet, every)
    if cluster and jobs:
        raise click.UsageError("Either --jobs or --cluster: a cluster has as many hands as it has.")
    sys.exit(survey(asked) if number is None else one_deal(asked, number))


TARGETS = ("html", "pdf", "epub")


@cli.command("build", context_settings=CONTEXT)
@click.argument("target", type=click.Choice([*TARGETS, "all"]), default="html", metavar="[html|pdf|epub|all]")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to put it; build/html, build/pdf, build/epub if not given, or folders of these names in DIR for all.",
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    envvar="REVERSIS_BASE_URL",
    show_envvar=True,
    help="The address at which the edition will stand on the net: citations give it in full, and there are canonical "
    "links and a sitemap.",
)
@click.option(
    "--corrections-url",
    metavar="URL",
    default="",
    envvar="REVERSIS_CORRECTIONS_URL",
    show_envvar=True,
    help="Where corrections go, with {id} and {title} for the thing: https://example.org/new?title={id}, or mailto:.",
)
@QUIET
def build_(target: str, folder: Path | None, base_url: str, corrections_url: str, quiet: bool) -> None:
    """Build the edition: its pages, or the book as a PDF or an EPUB, or all of them.

    First everything is checked as by `reversis check`; if there are problems they are told, nothing is built, and the
    last good build stays in place. In the end you are told where to open it. A PDF needs pip install "reversis[pdf]".
    """
    from edition.cli.build import build, build_book

    places = {one: (folder or Path("build")) / one for one in TARGETS} if target == "all" else {}
    places = places or {target: folder or Path("build", target)}
    done = [
        build(into, quiet, base_url, corrections_url) if one == "html" else build_book(one, into, quiet)
        for one, into in places.items()
    ]
    sys.exit(max(done))


@cli.command("export", context_settings=CONTEXT)
@click.argument("form", metavar="json|csv|cldf|tei|annotations|bibtex|parquet|all")
@click.argument("place", required=False, type=click.Path(path_type=Path, file_okay=False), metavar="[FOLDER]")
@click.option(
    "-o",
    "--output",
    "into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where to put the files; build/export/FORM if not given. With `all` each form has a folder of its own in it.",
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    envvar="REVERSIS_BASE_URL",
    show_envvar=True,
    help="The address at which the edition stands on the net: references in BibTeX give it in full.",
)
@click.option("--overwrite", "anyway", is_flag=True, help="Replace files of these names that say something else.")
@SOURCES
@QUIET
def export_(
    form: str,
    place: Path | None,
    into: Path | None,
    base_url: str,
    anyway: bool,
    folder: Path | None,
    quiet: bool,
) -> None:
    """Write the edition in a form that other tools read.

    \b
    json         sources, questions and matrix, for any program
    csv          tables, described for CSV on the Web
    cldf         a StructureDataset for pycldf: sources as languages, questions as parameters
    tei          each source as TEI, its coding beside the text in standOff
    annotations  each citation as a Web Annotation (JSON-LD) on the TEI files
    bibtex       references to all that can be cited, and the literature
    parquet      the tables for Arrow; needs pip install "reversis[parquet]"

    Beside the files lies what may be done with each (RIGHTS.txt). The same sources give the same bytes. Files that are
    there and say something else are not touched, unless you give --overwrite (else exit code 1).
    """
    from edition.cli.export import export

    if place and into:
        raise click.UsageError("The folder is named twice: give it after the form, or with -o.")
    sys.exit(export(form, into or place, folder, base_url, anyway, quiet))


@cli.command("release", context_settings=CONTEXT)
@click.argument("version", metavar="VERSION")
@click.argument("day", metavar="DAY")
@QUIET
def release_(version: str, day: str, quiet: bool) -> None:
    """Write a new version into every file that names it.

    VERSION is a number such as 0.2.0, DAY the day of the release, such as 2026-12-01. Everything is checked first. A
    list of all ids, answers and results is left in the sources: by it the next edition tells what has changed. For
    those who keep the edition; it works in a clone only.
    """
    from edition.cli.release import release

    sys.exit(release(version, day, quiet))


@cli.command("serve", context_settings=CONTEXT)
@click.option(
    "-d",
    "--directory",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build", "html"),
    metavar="DIR",
    help="Where the pages are; build/html if not given.",
)
@click.option(
    "-p",
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="At which port; 0 takes any that is free.",
)
@click.option(
    "--sources",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIRECTORY",
    help="Another folder of sources than that of this clone.",
)
@click.option("--still", is_flag=True, help="Serve the pages as they were built; follow no change.")
@QUIET
def serve_(folder: Path, port: int, sources: Path | None, still: bool, quiet: bool) -> None:
    """Serve the edition to the browser of this machine, and follow its sources.

    Whatever is changed in the sources is on the page a moment later, which then shows itself anew. Where a file is
    broken, the page says so as `reversis check` does, with its last good state below; all other changes are shown.

    From a folder everything of the edition can be read; but browsers let only a page that is served start the engine,
    which settles a deal that you have changed. If the edition is not built yet, it is built first. Nobody else can
    reach the address that you are told. Ctrl-C ends it.
    """
    from edition.cli.serve import serve

    sys.exit(serve(folder, port, quiet, sources, still))


cli.add_command(deal)


def main() -> None:
    """Where `reversis` begins."""
    cli(prog_name="reversis")
