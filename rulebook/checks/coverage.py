"""Every sentence accounted for: which a clause quotes, which no rule follows from, and the words left over.

What becomes of each sentence stands in `sources/<siglum>/coverage.yaml`. Here it is held against the clauses: a
sentence is encoded if some clause cites it as grounds, its questions are those that such clauses answer, and its
residue are the printed words that no quotation covers. A sentence is not yet accounted for when no clause cites it
any more, when a question stated there is answered from it no more, or when words are left over without a reason.

    python -m rulebook.coverage

adds to the ledgers every question that is newly answered from a sentence. It takes none out.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from rulebook.io.files import replaced
from rulebook.model import STANDINGS, VIEWS, Cite, Library, Source, Standing
from rulebook.problems import Problem, Where
from rulebook.quotations import collapse_spaces, find_quotation, is_framed, loci, occurrences, select_loci, words_at
from rulebook.sources.case import Case
from rulebook.sources.paths import find_sources
from rulebook.sources.reader import assemble_library
from rulebook.sources.source_folder import COVERAGE
from rulebook.suggestions import did_you_mean
from rulebook.tei.views import LOST

NOT_YET = "not-yet"
BEARING = ("grounds", "supports")  #: in which role a sentence answers a question
WRITE = "run python -m rulebook.coverage"
BETWEEN = " … "  #: what stands between the pieces of a residue


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence in the account: its kind, and the words that no quotation covers."""

    id: str
    kind: str  #: as it turns out; what is called encoded and is not counts as not yet
    words: int  #: how many the page prints; none for a statement of ours
    residue: tuple[str, ...] = ()  #: the pieces left over, in order; of encoded sentences only
    residue_words: int = 0
    because: str = ""
    missing: str = ""  #: why it is not yet accounted for; empty when it is
    counsel: bool = False  #: whether it is advice as well


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a source is accounted for."""

    source: str
    total: int
    by_kind: Mapping[str, int]  #: a sentence that is grounds and advice is counted as both
    percent_classified: float
    percent_encoded: float
    words: int
    residue_words: int
    lines: tuple[Line, ...]

    @property
    def missing(self) -> tuple[Line, ...]:
        """The sentences that are not yet accounted for."""
        return tuple(line for line in self.lines if line.kind == NOT_YET)


def coverage(library: Library, siglum: str) -> Coverage:
    """What has become of every sentence, or statement, of a source."""
    source = library.sources[siglum]
    cites = by_sentence(library, source)
    lines = tuple(accounted(source, id, cites.get(id, ())) for id in loci(source))
    counted = Counter(line.kind for line in lines) + Counter("advice" for line in lines if line.counsel)
    by_kind = {kind: counted[kind] for kind in STANDINGS}
    return Coverage(
        source=siglum,
        total=len(lines),
        by_kind=by_kind,
        percent_classified=percent(len(lines) - by_kind[NOT_YET], len(lines)),
        percent_encoded=percent(by_kind["encoded"], len(lines)),
        words=sum(line.words for line in lines),
        residue_words=sum(line.residue_words for line in lines),
        lines=lines,
    )


def percent(part: int, whole: int) -> float:
    """So many of a hundred; a hundred only if all of them."""
    return 100.0 * part / whole if whole else 0.0


def accounted(source: Source, id: str, cites: Sequence[Cited]) -> Line:
    """One sentence held against the citations of it."""
    standing, words = source.coverage.get(id), len(spoken(printed(source, id)))
    left = residue(source, id, cites) if standing and standing.kind == "encoded" else ()
    missing = shortcoming(standing, cites, left)
    if standing is None:
        return Line(id, NOT_YET, words, missing=missing)
    kind = NOT_YET if missing else standing.kind
    counsel = standing.counsel and kind == "encoded"
    return Line(id, kind, words, left, len(spoken(" ".join(left).split())), standing.because, missing, counsel)


def shortcoming(standing: Standing | None, cites: Sequence[Cited], left: Iterable[str]) -> str:
    """Why a sentence is not accounted for; empty when it is."""
    if standing is None:
        return f"{COVERAGE} does not say what becomes of it"
    if standing.kind == NOT_YET:
        return standing.because or "it was left for later"
    if standing.kind != "encoded":
        return ""
    if not grounded(cites):
        return "no clause cites it as grounds"
    gone, over = sorted({*standing.questions} - {*answered(cites)}), unexplained(standing, left)
    told = [f"answers no more: {', '.join(gone)}"] if gone else []
    told += [f'no quotation covers, and no reason explains: "{BETWEEN.join(over)}"'] if over else []
    return "; ".join(told)


# --- which sentences, which words -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation of a sentence, with the questions for which it is cited."""

    cite: Cite
    questions: tuple[str, ...]  #: ids


def by_sentence(library: Library, source: Source) -> Mapping[str, tuple[Cited, ...]]:
    """The citations of every sentence; a range is one of each sentence in it."""
    found: dict[str, tuple[Cited, ...]] = {}
    for clause in source.clauses:
        questions = tuple(library.questions[slug].id for slug in clause.questions)
        for cite in clause.cites:
            for id in select_loci(source, cite.locus, cite.to):
                found[id] = (*found.get(id, ()), Cited(cite, questions))
    return found


def grounded(cites: Iterable[Cited]) -> bool:
    """Whether a sentence is cited as grounds."""
    return any(one.cite.role == "grounds" for one in cites)


def answered(cites: Iterable[Cited]) -> tuple[str, ...]:
    """The questions that are answered from a sentence, by their ids, in order."""
    return tuple(sorted({id for one in cites if one.cite.role in BEARING for id in one.questions}))


def printed(source: Source, id: str) -> list[str]:
    """The words of a sentence as they are printed; none of a source in copyright."""
    return source.text.sentences[id].diplomatic.split() if source.text else []


def spoken(words: Iterable[str]) -> list[str]:
    """Words without marks that stand alone, and without what is lost."""
    return [word for word in words if word != LOST and re.search(r"\w|&", word)]


def residue(source: Source, id: str, cites: Iterable[Cited]) -> tuple[str, ...]:
    """The words of a sentence, as printed, that no quotation covers, whatever it is quoted for: piece by piece."""
    quoting = (one.cite for one in cites if one.cite.exact.strip() and one.cite.view in VIEWS)
    quoted = {at for cite in quoting for at in covered(source, id, cite)}
    runs = groupby(enumerate(printed(source, id)), key=lambda one: one[0] in quoted or one[1] == LOST)
    pieces = (" ".join(word for _, word in run) for done, run in runs if not done)
    return tuple(piece for piece in pieces if spoken(piece.split()))


def covered(source: Source, id: str, cite: Cite) -> Iterator[int]:
    """The places of the printed words of a sentence that one quotation covers."""
    ids = select_loci(source, cite.locus, cite.to)
    if source.text is None:
        return
    before = " ".join(words_at(source, (one,), cite.view) for one in ids[: ids.index(id)])
    here, text = words_at(source, (id,), cite.view), words_at(source, ids, cite.view)
    start, exact = len(before) + bool(before), collapse_spaces(cite.exact)
    finds = [at - start for at in find_quotation(exact, text) if is_framed(at, cite, exact, text)]
    quoted = {at for find in finds for at in touched(here, find, find + len(exact))}
    yield from quoted if cite.view == "diplomatic" else aligned(printed(source, id), here.split(), quoted)


def touched(text: str, first: int, last: int) -> Iterator[int]:
    """The places of the words that lie between two letters of a text, in part or whole."""
    for at, word in enumerate(re.finditer(r"\S+", text)):
        if word.start() < last and first < word.end():
            yield at


def aligned(words: list[str], others: list[str], quoted: set[int]) -> Iterator[int]:
    """The places of the printed words that answer to those quoted in another view."""
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    for kind, first, last, other, end in matcher.get_opcodes():
        for at in range(first, last):
            same = {other + at - first} if kind == "equal" else set(range(other, end)) or {other - 1, other}
            if same <= quoted:  # a word taken out is covered by those on either side of it
                yield at


def unexplained(standing: Standing, left: Iterable[str]) -> tuple[str, ...]:
    """The pieces left over of which the ledger does not speak."""
    stated = Counter(piece.strip() for piece in standing.residue.split(BETWEEN.strip()))
    return tuple((Counter(left) - stated).elements())


# --- the policy ---------------------------------------------------------------------------------------------


def every_sentence_is_accounted_for(case: Case) -> Iterator[Problem]:
    """Every sentence, and every statement, of every source but a draft is classed, once that has begun with one."""
    begun = any(source.coverage for source in case.library.sources.values())
    finished = [source for source in case.library.sources.values() if not source.draft]
    for source in finished if begun and not case.lost else ():
        missing = [id for id in loci(source) if id not in source.coverage]
        if missing:
            first = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            what = f"{source.siglum}: {first}: nothing says what becomes of this"
            yield ledger(source).problem(what, f"add each with kind: one of {', '.join(STANDINGS)}")


def only_sentences_are_accounted_for(case: Case) -> Iterator[Problem]:
    """What is classed is there, and is of a known kind."""
    for source, standing in standings(case):
        id, known = standing.id, loci(source)
        if known and id not in known:
            way_out = did_you_mean(id, known, f"{source.siglum} has {known[0]} to {known[-1]}")
            yield standing.where.problem(f"there is no {id} in {source.siglum}", way_out)
        if standing.kind not in STANDINGS:
            way_out = did_you_mean(standing.kind, STANDINGS, "use one of: " + ", ".join(STANDINGS))
            yield case.at(standing.where, "kind").problem(f"{id}: kind cannot be {standing.kind!r}", way_out)


def an_encoded_sentence_is_cited(case: Case) -> Iterator[Problem]:
    """A sentence is encoded exactly if some clause cites it as grounds."""
    for _, standing, cites in weighed(case):
        encoded, grounds = standing.kind == "encoded", grounded(cites)
        place = case.at(standing.where, "kind")
        if encoded and not grounds:
            what = f"{standing.id} is called encoded, but no clause cites it as grounds"
            yield place.problem(what, "cite it, or call it not-yet")
        elif grounds and not encoded:
            what = f"{standing.id} is called {standing.kind}, but a clause cites it as grounds"
            yield place.problem(what, "call it encoded, or give the citation another role")


def the_residue_is_what_no_quotation_covers(case: Case) -> Iterator[Problem]:
    """The words left over of an encoded sentence are those that the ledger states; a drift is told with the words."""
    for source, standing, cites in weighed(case):
        if standing.kind != "encoded" or not grounded(cites) or misquoted(source, cites):
            continue
        now, then = BETWEEN.join(residue(source, standing.id, cites)), collapse_spaces(standing.residue)
        if now != then:
            yield case.at(standing.where, "residue").problem(*drifted(standing.id, now, then))


def misquoted(source: Source, cites: Iterable[Cited]) -> bool:
    """Whether some quotation does not stand where it should, which is told without this."""
    quoting = (one.cite for one in cites if one.cite.exact.strip() and one.cite.view in VIEWS)
    return any(occurrences(source, cite, cite.view) != 1 for cite in quoting)


def drifted(id: str, now: str, then: str) -> tuple[str, str]:
    """How the words left over differ from those stated, and the way out."""
    found = f'no quotation covers "{now}"' if now else "quotations cover every word"
    stated = f'the ledger states "{then}"' if then else "the ledger states no residue"
    way_out = f'quote the words, or write residue: "{now}" and because:' if now else "take residue: out"
    return f"{id}: {found}, but {stated}", way_out


def the_questions_stated_are_answered(case: Case) -> Iterator[Problem]:
    """From a sentence just those questions are answered that the ledger states."""
    for _, standing, cites in weighed(case):
        stated, now = {*standing.questions}, {*answered(cites)} if standing.kind == "encoded" else set()
        place = case.at(standing.where, "questions")
        for id in sorted(stated - now):
            what = f"{standing.id} is to answer {id}, but no clause answers it from there"
            yield place.problem(what, "bring the clause back, or take the question out of the list")
        if now - stated and grounded(cites):
            what = f"{standing.id} answers {', '.join(sorted(now - stated))}, which the ledger does not state"
            yield place.problem(what, WRITE)


def a_residue_has_a_reason(case: Case) -> Iterator[Problem]:
    """Words from which nothing follows, and sentences left for later, have a reason."""
    for _, standing in standings(case):
        id = standing.id
        if (standing.residue or standing.kind in REASONED) and not standing.because:
            why = "leaves words over" if standing.residue else f"is called {standing.kind}"
            yield standing.where.problem(f"{id} {why}, and no reason is told", "add because:")
        if standing.residue and standing.kind != "encoded":
            what = f"{id} is called {standing.kind}, and has a residue"
            yield case.at(standing.where, "residue").problem(what, "only encoded sentences have one: take it out")


def only_grounds_are_counsel_besides(case: Case) -> Iterator[Problem]:
    """An encoded sentence may be advice as well; one that is advice and nothing else says so by its kind."""
    for _, standing in standings(case):
        if standing.counsel and standing.kind != "encoded":
            what = f"{standing.id} is called {standing.kind}, and counsel besides"
            yield case.at(standing.where, "counsel").problem(what, "write kind: advice, or take counsel out")


REASONED = ("example", "advice", "narrative", NOT_YET)  # kinds that say why no clause follows; a heading needs none


def standings(case: Case) -> Iterator[tuple[Source, Standing]]:
    """Every entry of every ledger."""
    for source in case.library.sources.values():
        for standing in source.coverage.values():
            yield source, standing


def weighed(case: Case) -> Iterator[tuple[Source, Standing, tuple[Cited, ...]]]:
    """Every entry with the citations of its sentence, as far as all clauses of the source could be read."""
    for source in case.library.sources.values():
        cites = by_sentence(case.library, source)
        for id, standing in source.coverage.items():
            if source.siglum not in case.incomplete and id in loci(source):
                yield source, standing, cites.get(id, ())


def ledger(source: Source) -> Where:
    """The file in which a source is accounted for."""
    return Where(f"{source.where.file.rpartition('/')[0]}/{COVERAGE}")


CHECKS: tuple[Callable[[Case], Iterator[Problem]], ...] = (
    every_sentence_is_accounted_for,
    only_sentences_are_accounted_for,
    an_encoded_sentence_is_cited,
    the_residue_is_what_no_quotation_covers,
    the_questions_stated_are_answered,
    a_residue_has_a_reason,
    only_grounds_are_counsel_besides,
)


def unaccounted(case: Case) -> list[Problem]:
    """Everything that is wrong with the accounts of the sentences."""
    return sorted({problem for check in CHECKS for problem in check(case)})


# --- writing the questions down ---------------------------------------------------------------------------


class Unreadable(ValueError):
    """The sources cannot be read as they stand."""


def stated(root: Path | None = None) -> list[str]:
    """Add to the ledgers the questions newly answered from each sentence; the sentences touched. Raises Unreadable."""
    root = root or find_sources()
    case, problems = assemble_library(root)
    if case is None or case.lost:
        raise Unreadable("\n".join(map(str, problems)))
    touched: list[str] = []
    for source in case.library.sources.values():
        path = root / source.where.file.split("/")[-2] / COVERAGE
        fresh = dict(newly(case, source))
        if fresh:
            replaced(path, written(path.read_text(encoding="utf-8"), fresh))
            touched += fresh
    return touched


def newly(case: Case, source: Source) -> Iterator[tuple[str, list[str]]]:
    """The sentences from which more is answered than is stated, each with all its questions."""
    for one, standing, cites in weighed(case):
        if one is source and standing.kind == "encoded" and {*answered(cites)} - {*standing.questions}:
            yield standing.id, sorted({*answered(cites), *standing.questions})


def written(ledger: str, fresh: Mapping[str, Iterable[str]]) -> str:
    """A ledger with the lists of questions exchanged, and nothing else touched."""
    for id, questions in fresh.items():
        entry = re.compile(rf"(?m)^({re.escape(id)}:\n  kind: \S+\n(?:  counsel: .*\n)?)(?:  questions: .*\n)?")
        ledger = entry.sub(rf"\g<1>  questions: [{', '.join(questions)}]\n", ledger, count=1)
    return ledger


def main() -> int:
    """Bring the ledgers up to date, and say for which sentences."""
    try:
        touched = stated()
    except Unreadable as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(f"{len(touched)} sentences answer more than was stated\n" + "".join(f"{id}\n" for id in touched))
    return 0


if __name__ == "__main__":
    sys.exit(main())
