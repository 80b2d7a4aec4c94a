"""Every sentence accounted for: which a clause quotes, which no rule follows from, and the words left over.

A sentence is encoded if some clause cites it as grounds, its questions are those that such clauses answer, and its
residue are the printed words that no quotation covers. That, and that a heading is one, follows without being written
down. What becomes of the other sentences, and why words are left over, stands in `sources/<siglum>/coverage.yaml`; it
is held against the clauses. A sentence is not yet accounted for when no clause cites it any more, when a question
stated there is answered from it no more, or when words are left over without a reason. In a draft all that is told by
the account alone, and is no fault.

`check --update` (and `python -m rulebook.checks.coverage`) adds to the ledgers every question that is newly answered
from a sentence. It takes none out.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from rulebook.checks.residue import find_debt
from rulebook.grouping import group_pairs
from rulebook.io.files import replace_file
from rulebook.model import STANDINGS, VIEWS, Cite, Library, SentenceStatus, Source, UnheldOrder
from rulebook.problems import NotInOrder, Problem, Where
from rulebook.program_name import name_command
from rulebook.quotations import (
    count_occurrences,
    find_quotation,
    is_framed,
    list_loci,
    select_loci,
    words_at,
)
from rulebook.sources.assemble import assemble_whole_library
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import find_working_library
from rulebook.sources.source_folder import COVERAGE
from rulebook.strings import quote_value, single_spaced
from rulebook.suggestions import did_you_mean
from rulebook.tei.views import GAP_MARK

NOT_YET_KIND = "not-yet"
ANSWERING_ROLES = ("grounds", "supports")  #: in which role a sentence answers a question
SentenceCitation: TypeAlias = tuple[Cite, tuple[str, ...]]  #: with the ids of the questions for which it is cited
RESIDUE_SEPARATOR = " … "  #: what stands between the pieces of a residue


@dataclass(frozen=True, slots=True)
class SentenceCoverage:
    """One sentence in the account: its kind, and the words that no quotation covers."""

    id: str
    kind: str  #: as it turns out; what is called encoded and is not counts as not yet
    words: int  #: how many the page prints; none for a statement of ours
    residue: tuple[str, ...] = ()  #: the pieces left over, in order; of encoded sentences only
    residue_words: int = 0
    because: str = ""
    missing: str = ""  #: why it is not yet accounted for; empty when it is
    counsel: bool = False  #: whether it is advice as well
    quoted: bool = False  #: whether any clause cites it


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of a source: the share of it that is accounted for."""

    source: str
    total: int
    by_kind: Mapping[str, int]  #: a sentence that is grounds and advice is counted as both
    percent_classified: float
    percent_encoded: float
    words: int
    residue_words: int
    lines: tuple[SentenceCoverage, ...]
    not_held: tuple[UnheldOrder, ...] = ()  #: what its sentences order and no answer holds

    @property
    def missing(self) -> tuple[SentenceCoverage, ...]:
        """The sentences that are not yet accounted for."""
        return tuple(line for line in self.lines if line.kind == NOT_YET_KIND)

    @property
    def ruleless(self) -> tuple[SentenceCoverage, ...]:
        """The sentences, headings apart, on which no rule rests; one that is quoted in part has its rule."""
        others = (line for line in self.lines if line.kind not in ("encoded", "heading"))
        return tuple(line for line in others if not (line.quoted and line.residue))

    @property
    def quoted(self) -> int:
        """Number of sentences that some clause cites."""
        return sum(line.quoted for line in self.lines)

    @property
    def left(self) -> int:
        """Number of sentences that nobody has done anything about; the others have been read."""
        return sum(not line.quoted for line in self.missing)

    @property
    def partly_quoted(self) -> int:
        """Number of quoted sentences with words that no quotation covers and no reason explains."""
        return sum(line.quoted and bool(line.residue) for line in self.missing)


def compute_coverage(library: Library, siglum: str) -> Coverage:
    """Compute the coverage of a source, by its sentences or statements."""
    source = library.sources[siglum]
    cites = by_sentence(library, source)
    lines = tuple(_account_for_sentence(source, id, cites.get(id, ())) for id in list_loci(source))
    counted = Counter(line.kind for line in lines) + Counter("advice" for line in lines if line.counsel)
    by_kind = {kind: counted[kind] for kind in STANDINGS}
    return Coverage(
        source=siglum,
        total=len(lines),
        by_kind=by_kind,
        percent_classified=_percent_of(len(lines) - by_kind[NOT_YET_KIND], len(lines)),
        percent_encoded=_percent_of(by_kind["encoded"], len(lines)),
        words=sum(line.words for line in lines),
        residue_words=sum(line.residue_words for line in lines),
        lines=lines,
        not_held=tuple(order for status in source.coverage.values() for order in status.not_held),
    )


def _percent_of(part: int, whole: int) -> float:
    """Return a share in per cent; a hundred only if it is all of them."""
    return 100.0 * part / whole if whole else 0.0


def _account_for_sentence(source: Source, id: str, cites: Sequence[SentenceCitation]) -> SentenceCoverage:
    standing, printed = _find_status(source, id, cites), _list_printed_words(source, id)
    left = _find_residue(source, id, cites) if standing and standing.kind == "encoded" else ()
    left = left if id in source.coverage else find_debt(left, printed)
    words, missing = len(_drop_marks(printed)), _find_shortcoming(standing, cites, left, printed)
    if standing is None:
        return SentenceCoverage(id, NOT_YET_KIND, words, missing=missing, quoted=bool(cites))
    kind = NOT_YET_KIND if missing else standing.kind
    counsel = standing.counsel and kind == "encoded"
    over = len(_drop_marks(" ".join(left).split()))
    return SentenceCoverage(id, kind, words, left, over, standing.because, missing, counsel, bool(cites))


def _find_status(source: Source, id: str, cites: Sequence[SentenceCitation]) -> SentenceStatus | None:
    """Return the status that the ledger states, or what follows without one."""
    stated, grounds = source.coverage.get(id), _has_grounds(cites)
    if stated is not None and not (source.draft and grounds and stated.kind != "encoded"):
        return stated
    heading = source.text is not None and source.text.sentences[id].kind != "text"
    return SentenceStatus(id, "encoded" if grounds else "heading") if grounds or heading else None


def _find_shortcoming(
    standing: SentenceStatus | None, cites: Sequence[SentenceCitation], left: Sequence[str], printed: Sequence[str]
) -> str:
    """Return the reason why a sentence is not accounted for; empty when it is."""
    if standing is None:
        return f"no clause cites it as grounds, and {COVERAGE} does not say what becomes of it"
    if standing.kind == NOT_YET_KIND:
        return standing.because or "it was left for later"
    if standing.kind != "encoded":
        return ""
    if not _has_grounds(cites):
        return "no clause cites it as grounds"
    gone, over = sorted({*standing.questions} - {*_list_answered(cites)}), _find_unexplained(standing, left, printed)
    reasons = [f"answers no more: {', '.join(gone)}"] if gone else []
    reasons += [f'no quotation covers, and no reason explains: "{RESIDUE_SEPARATOR.join(over)}"'] if over else []
    return "; ".join(reasons)


def suggest_coverage_entries(source: Source, account: Coverage) -> str:
    """Return entries for sentences of which the ledger does not speak: one of each sort, to be copied; or nothing."""
    fresh = [line for line in account.missing if line.id not in source.coverage]
    bare = next((f"{line.id}:\n{_NO_ANSWER}" for line in fresh if not line.residue), "")
    partly = next(
        (f"{line.id}:\n{_WORDS_LEFT.format(_quote_residue(line.residue))}" for line in fresh if line.residue), ""
    )
    return bare + partly


_NO_ANSWER = "  kind: narrative\n  because: Why no answer follows from it.\n"
_WORDS_LEFT = "  kind: encoded\n  residue: {}\n  because: Why no answer follows from these words.\n"


def _quote_residue(residue: Sequence[str]) -> str:
    return json.dumps(RESIDUE_SEPARATOR.join(residue), ensure_ascii=False)


# --- which sentences, which words -----------------------------------------------------------------------


def by_sentence(library: Library, source: Source) -> Mapping[str, tuple[SentenceCitation, ...]]:
    """The citations of every sentence; a range is one of each sentence in it."""
    named = ((clause, tuple(library.questions[slug].id for slug in clause.questions)) for clause in source.clauses)
    return group_pairs(
        (id, (cite, questions))
        for clause, questions in named
        for cite in clause.cites
        for id in select_loci(source, cite.locus, cite.to)
    )


def _has_grounds(cites: Iterable[SentenceCitation]) -> bool:
    return any(cite.role == "grounds" for cite, _ in cites)


def _list_answered(cites: Iterable[SentenceCitation]) -> tuple[str, ...]:
    """List the questions that are answered from a sentence, by their ids, in order."""
    return tuple(sorted({id for cite, questions in cites if cite.role in ANSWERING_ROLES for id in questions}))


def _list_printed_words(source: Source, id: str) -> list[str]:
    """List the words of a sentence as printed; none of a source in copyright."""
    return source.text.sentences[id].diplomatic.split() if source.text else []


def _drop_marks(words: Iterable[str]) -> list[str]:
    """Return words without marks that stand alone, and without what is lost."""
    return [word for word in words if word != GAP_MARK and re.search(r"\w|&", word)]


def _find_residue(source: Source, id: str, cites: Iterable[SentenceCitation]) -> tuple[str, ...]:
    """Find the words of a sentence, as printed, that no quotation covers.

    Piece by piece, whatever the sentence is quoted for.
    """
    quoting = (cite for cite, _ in cites if cite.exact.strip() and cite.view in VIEWS)
    quoted = {at for cite in quoting for at in _find_covered_words(source, id, cite)}
    runs = groupby(
        enumerate(_list_printed_words(source, id)), key=lambda item: item[0] in quoted or item[1] == GAP_MARK
    )
    pieces = (" ".join(word for _, word in run) for done, run in runs if not done)
    return tuple(piece for piece in pieces if _drop_marks(piece.split()))


def _find_covered_words(source: Source, id: str, cite: Cite) -> Iterator[int]:
    """Yield the places of the printed words of a sentence that one quotation covers."""
    ids = select_loci(source, cite.locus, cite.to)
    if source.text is None:
        return
    before = " ".join(words_at(source, (locus,), cite.view) for locus in ids[: ids.index(id)])
    here, text = words_at(source, (id,), cite.view), words_at(source, ids, cite.view)
    start, exact = len(before) + bool(before), single_spaced(cite.exact)
    finds = [at - start for at in find_quotation(exact, text) if is_framed(at, cite, exact, text)]
    quoted = {at for find in finds for at in _find_touched_words(here, find, find + len(exact))}
    yield from (
        quoted
        if cite.view == "diplomatic"
        else _align_quoted_words(_list_printed_words(source, id), here.split(), quoted)
    )


def _find_touched_words(text: str, first: int, last: int) -> Iterator[int]:
    """Yield the places of the words between two letters of a text, in part or whole."""
    for at, word in enumerate(re.finditer(r"\S+", text)):
        if word.start() < last and first < word.end():
            yield at


def _align_quoted_words(words: list[str], others: list[str], quoted: set[int]) -> Iterator[int]:
    """Yield the places of the printed words that answer to those in another view."""
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    for kind, first, last, other, end in matcher.get_opcodes():
        for at in range(first, last):
            same = {other + at - first} if kind == "equal" else set(range(other, end)) or {other - 1, other}
            if same <= quoted:  # a word taken out is covered by those on either side of it
                yield at


def _find_unexplained(standing: SentenceStatus, left: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces left over of which the ledger does not speak, and that need a reason."""
    return tuple((Counter(find_debt(left, printed)) - _count_stated_pieces(standing)).elements())


def _count_stated_pieces(standing: SentenceStatus) -> Counter[str]:
    pieces = (single_spaced(piece) for piece in standing.residue.split(RESIDUE_SEPARATOR.strip()))
    return Counter(piece for piece in pieces if piece)


# --- the policy ---------------------------------------------------------------------------------------------


def every_sentence_is_accounted_for(case: AssembledLibrary) -> Iterator[Problem]:
    """Every sentence, and every statement, of every source but a draft is classed, once that has begun with one."""
    begun = any(source.coverage for source in case.library.sources.values())
    finished = [source for source in case.library.sources.values() if not source.draft]
    for source in finished if begun and not case.lost else ():
        cites = by_sentence(case.library, source)
        fresh = (id for id in list_loci(source) if id not in source.coverage and source.siglum not in case.incomplete)
        yield from _check_unstated(source, [_account_for_sentence(source, id, cites.get(id, ())) for id in fresh])


def _check_unstated(source: Source, lines: Iterable[SentenceCoverage]) -> Iterator[Problem]:
    """Yield what is missing of the sentences of which a ledger does not speak."""
    missing = [line for line in lines if line.missing]
    ledger = Where(f"{source.where.file.rpartition('/')[0]}/{COVERAGE}")
    if unread := [line.id for line in missing if not line.residue]:
        first = ", ".join(unread[:5]) + (f" and {len(unread) - 5} more" if len(unread) > 5 else "")
        what = f"{source.siglum}: {first}: nothing says what becomes of this"
        kinds = ", ".join(kind for kind in REASONED if kind != "narrative")
        entry = f"`{unread[0]}:` and below it, indented, `kind: narrative` (or {kinds}) and `because:` with the reason"
        yield ledger.problem(what, f"cite each in a clause, or add a line {entry}")
    for line in missing:
        if line.residue:
            left = RESIDUE_SEPARATOR.join(line.residue)
            entry = f"`{line.id}:` and below it, indented, `kind: encoded`, `residue: {_quote_residue(line.residue)}`"
            way_out = f"quote the words, or add a line {entry} and `because:` with the reason"
            yield ledger.problem(f'{line.id}: no quotation covers "{left}"', way_out)


def only_sentences_are_accounted_for(case: AssembledLibrary) -> Iterator[Problem]:
    """Every classed sentence is there, and is of a known kind."""
    for source, standing in _iter_ledger_entries(case):
        id, known = standing.id, list_loci(source)
        if known and id not in known:
            way_out = did_you_mean(id, known, f"{source.siglum} has {known[0]} to {known[-1]}")
            yield standing.where.problem(f"there is no {id} in {source.siglum}", way_out)
        if standing.kind not in STANDINGS:
            way_out = did_you_mean(standing.kind, STANDINGS, "use one of: " + ", ".join(STANDINGS))
            yield case.at(standing.where, "kind").problem(f"{id}: kind cannot be {quote_value(standing.kind)}", way_out)


def an_encoded_sentence_is_cited(case: AssembledLibrary) -> Iterator[Problem]:
    """A sentence is encoded exactly if some clause cites it as grounds."""
    for _, standing, cites in _iter_entries_with_citations(case):
        encoded, grounds = standing.kind == "encoded", _has_grounds(cites)
        place = case.at(standing.where, "kind")
        if encoded and not grounds:
            what = f"{standing.id} is called encoded, but no clause cites it as grounds"
            yield place.problem(what, "cite it, or call it not-yet")
        elif grounds and not encoded:
            what = f"{standing.id} is called {standing.kind}, but a clause cites it as grounds"
            yield place.problem(what, "call it encoded, or give the citation another role")


def the_residue_is_what_no_quotation_covers(case: AssembledLibrary) -> Iterator[Problem]:
    """The words left over of an encoded sentence are those of the ledger; a drift is reported with the words."""
    for source, standing, cites in _iter_entries_with_citations(case):
        if standing.kind != "encoded" or not _has_grounds(cites) or _is_misquoted(source, cites):
            continue
        left, stated = _find_residue(source, standing.id, cites), _count_stated_pieces(standing)
        now, then = RESIDUE_SEPARATOR.join(left), single_spaced(standing.residue)
        unexplained = _find_unexplained(standing, left, _list_printed_words(source, standing.id))
        if unexplained or stated - Counter(left):
            yield case.at(standing.where, "residue").problem(*_describe_drift(standing.id, now, then))


def _is_misquoted(source: Source, cites: Iterable[SentenceCitation]) -> bool:
    """Return whether some quotation does not stand where it should.

    That is reported without this.
    """
    quoting = (cite for cite, _ in cites if cite.exact.strip() and cite.view in VIEWS)
    return any(count_occurrences(source, cite, cite.view) != 1 for cite in quoting)


def _describe_drift(id: str, now: str, then: str) -> tuple[str, str]:
    """Say how the words left over differ from those stated, and the way out."""
    observed = f'no quotation covers "{now}"' if now else "quotations cover every word"
    stated = f'the ledger states "{then}"' if then else "the ledger states no residue"
    way_out = f'quote the words, or write residue: "{now}" and because:' if now else "take residue: out"
    return f"{id}: {observed}, but {stated}", way_out


def the_questions_stated_are_answered(case: AssembledLibrary) -> Iterator[Problem]:
    """From a sentence just those questions are answered that the ledger states."""
    for _, standing, cites in _iter_entries_with_citations(case):
        stated, now = {*standing.questions}, {*_list_answered(cites)} if standing.kind == "encoded" else set()
        place = case.at(standing.where, "questions")
        for id in sorted(stated - now):
            what = f"{standing.id} is to answer {id}, but no clause answers it from there"
            yield place.problem(what, "bring the clause back, or take the question out of the list")
        if stated and now - stated and _has_grounds(cites):  # where none is stated, they follow from the clauses
            what = f"{standing.id} answers {', '.join(sorted(now - stated))}, which the ledger does not state"
            yield place.problem(what, f"run {name_command('check --update')}")


def a_residue_has_a_reason(case: AssembledLibrary) -> Iterator[Problem]:
    """Words from which nothing follows, and sentences left for later, have a reason."""
    for _, standing in (entry for entry in _iter_ledger_entries(case) if not entry[0].draft):
        id = standing.id
        if (standing.residue or standing.kind in REASONED) and not standing.because:
            why = "leaves words over" if standing.residue else f"is called {standing.kind}"
            yield standing.where.problem(f"{id} {why}, and no reason is given", "add because:")
        if standing.residue and standing.kind != "encoded":
            what = f"{id} is called {standing.kind}, and has a residue"
            yield case.at(standing.where, "residue").problem(what, "only encoded sentences have one: take it out")


def what_is_not_held_is_named_in_its_words(case: AssembledLibrary) -> Iterator[Problem]:
    """An order that no answer holds has its words in the sentence, is told, and is supplied by nobody."""
    ids = {question.id: question for question in case.library.questions.values()}
    for source, standing in _iter_ledger_entries(case):
        place = case.at(standing.where, "not_held")
        supplied = {slug: clause.id for clause in source.clauses if clause.supplied for slug in clause.answers}
        for order in standing.not_held if standing.id in list_loci(source) else ():
            if not order.words or order.words not in _list_texts(source, standing.id):
                what = f"{standing.id}: “{order.words}” does not stand there"
                yield place.problem(what, "write words: as they are printed in that sentence, and no ellipsis")
            if not order.what:
                yield place.problem(
                    f"{standing.id}: “{order.words}” has no `what`", "say what is not held, in a few words"
                )
            for id in order.touches:
                if id not in ids:
                    yield place.problem(f"{standing.id}: there is no {id}", did_you_mean(id, ids, "name a question"))
                elif ids[id].slug in supplied and not case.lost:
                    what = f"{standing.id}: {supplied[ids[id].slug]} supplies {id}, over what “{order.words}” says"
                    yield place.problem(
                        what, f"answer {id} by the words, or name another question by which a deal comes there"
                    )


def _list_texts(source: Source, id: str) -> str:
    """Return the text of a sentence in every view, or our own words and the quotation of a statement."""
    if source.text:
        return "\n".join(words_at(source, (id,), view) for view in VIEWS)
    return "\n".join(
        single_spaced(f"{statement.text}\n{statement.quote}") for statement in source.statements if statement.id == id
    )


def only_grounds_are_counsel_besides(case: AssembledLibrary) -> Iterator[Problem]:
    """An encoded sentence may be advice as well; one that is advice and nothing else says so by its kind."""
    for _, standing in _iter_ledger_entries(case):
        if standing.counsel and standing.kind != "encoded":
            what = f"{standing.id} is called {standing.kind}, and counsel besides"
            yield case.at(standing.where, "counsel").problem(what, "write kind: advice, or take counsel out")


REASONED = (
    "example",
    "advice",
    "narrative",
    NOT_YET_KIND,
)  # kinds that say why no clause follows; a heading needs none


def _iter_ledger_entries(case: AssembledLibrary) -> Iterator[tuple[Source, SentenceStatus]]:
    for source in case.library.sources.values():
        for standing in source.coverage.values():
            yield source, standing


def _iter_entries_with_citations(
    case: AssembledLibrary,
) -> Iterator[tuple[Source, SentenceStatus, tuple[SentenceCitation, ...]]]:
    """Yield every entry of the finished sources with the citations of its sentence.

    As far as all clauses of the source could be read.
    """
    for source in case.library.sources.values():
        cites = by_sentence(case.library, source)
        for id, standing in source.coverage.items() if not source.draft else ():
            if source.siglum not in case.incomplete and id in list_loci(source):
                yield source, standing, cites.get(id, ())


COVERAGE_CHECKS: tuple[Callable[[AssembledLibrary], Iterator[Problem]], ...] = (
    every_sentence_is_accounted_for,
    only_sentences_are_accounted_for,
    an_encoded_sentence_is_cited,
    the_residue_is_what_no_quotation_covers,
    the_questions_stated_are_answered,
    a_residue_has_a_reason,
    only_grounds_are_counsel_besides,
    what_is_not_held_is_named_in_its_words,
)


def check_coverage(case: AssembledLibrary) -> list[Problem]:
    """Return everything that is wrong with the accounts of the sentences."""
    return sorted({problem for check in COVERAGE_CHECKS for problem in check(case)})


# --- writing the questions down ---------------------------------------------------------------------------


def update_coverage_ledgers(root: Path) -> list[str]:
    """Add the questions newly answered from each sentence to the ledgers.

    Returns the sentences touched. Raises NotInOrder.
    """
    case, touched = assemble_whole_library(root), list[str]()
    for source in case.library.sources.values():
        path = root / source.where.file.split("/")[-2] / COVERAGE
        fresh = dict(_iter_new_answers(case, source))
        if fresh:
            replace_file(path, _render_ledger(path.read_text(encoding="utf-8"), fresh))
            touched += fresh
    return touched


def _iter_new_answers(case: AssembledLibrary, source: Source) -> Iterator[tuple[str, list[str]]]:
    """Yield the sentences that answer more than is stated, with all their questions."""
    for owner, standing, cites in _iter_entries_with_citations(case):
        if owner is source and standing.kind == "encoded" and {*_list_answered(cites)} - {*standing.questions}:
            yield standing.id, sorted({*_list_answered(cites), *standing.questions})


def _render_ledger(ledger: str, fresh: Mapping[str, Iterable[str]]) -> str:
    """Return a ledger with the lists of questions replaced, and nothing else touched."""
    for id, questions in fresh.items():
        entry = re.compile(rf"(?m)^({re.escape(id)}:\n  kind: \S+\n(?:  counsel: .*\n)?)(?:  questions: .*\n)?")
        ledger = entry.sub(rf"\g<1>  questions: [{', '.join(questions)}]\n", ledger, count=1)
    return ledger


def main() -> int:
    """Bring the ledgers up to date, and say for which sentences."""
    try:
        touched = update_coverage_ledgers(find_working_library())
    except NotInOrder as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(f"{len(touched)} sentences answer more than was stated\n" + "".join(f"{id}\n" for id in touched))
    return 0


if __name__ == "__main__":
    sys.exit(main())
