"""Two codings of the same words: how far they agree, and how every disagreement was settled.

Two editorial passes have coded every source, the second (`ed2`) without seeing the clauses of the first. Both
codings are kept as they stood before anybody compared them: `coding-ed1.yaml`, drawn from the clauses, and
`coding-ed2.yaml`. Neither is ever edited; what was mended afterwards stands in the clauses, and why, in `settled.yaml`.

    python -m rulebook.agreement

reckons the figures anew, needs the extra `coding`, and writes them to sources/agreement.yaml. A cell is one question
for one source. Two things are compared in it: the answer, as one short text (no answer is an answer of its own kind),
and the status, in which every way of speaking is one: a source speaks, is silent, or the question makes no sense.
When the sources were coded, a question that hangs on a silence was to be called inapplicable. It is now called silent;
where both coders obeyed the old rule, that needs no settlement.
Questions that were put after the codings have no second coding: they are no part of any figure, and are listed.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from rulebook.answers import SlugOf, Wrong, canonical, holds, naming, read_value, ruled_out
from rulebook.io.files import replaced
from rulebook.io.strict_yaml import Data, Positions, Steps, read_yaml
from rulebook.load import quick_load
from rulebook.model import STATUSES, Cell, Library, Like, Question, Value
from rulebook.problems import Problem, Where
from rulebook.quotations import loci
from rulebook.schema.coding_records import CodedRecord, FigureRecord, FiguresRecord
from rulebook.schema.validation import validated
from rulebook.sources.paths import find_sources

FIGURES = "agreement.yaml"
FIRST, SECOND, SETTLED = "coding-ed1.yaml", "coding-ed2.yaml", "settled.yaml"
NO_ANSWER = "no answer"
#: Ways of speaking, which are told apart by how sure one is, not by whether the source says anything.
SPEAKING = ("stated", "implied", "denied", "ambiguous", "contradictory")
ALL, SPOKEN = "all", "spoken"
RUN = "run: python -m rulebook.agreement"

Key: TypeAlias = "tuple[str, str]"  # siglum and slug of a question


class Unreadable(ValueError):
    """A coding, or what is reckoned from it, cannot be read as it stands."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


# --- a coding -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coded:
    """What one coder found in a source on one question."""

    status: str
    value: Value | None = None
    cert: str = ""
    because: str = ""

    @property
    def text(self) -> str:
        """The answer as one short text."""
        return NO_ANSWER if self.value is None else canonical(self.value)

    @property
    def speaks(self) -> str:
        """The status, all ways of speaking being one."""
        return "speaks" if self.status in SPEAKING else self.status

    def __str__(self) -> str:
        return f"{self.text} ({self.status})"


Coding: TypeAlias = Mapping[str, Coded]  # slug -> what was found


def of_cell(cell: Cell | None) -> Coded:
    """What the clauses say now."""
    return Coded(cell.status, cell.value, cell.cert) if cell else Coded("not-collated")


def same(one: Coded, other: Coded) -> bool:
    """Whether two coders found the same: answer and status."""
    return one.text == other.text and one.speaks == other.speaks


class Reader:
    """Reads one of our files strictly, and remembers where everything stands."""

    def __init__(self, library: Library, path: Path) -> None:
        self.library = library
        self.slug_of: SlugOf = naming(library.questions.values())
        self.problems: list[Problem] = []
        self.data: Data
        name, stamp = f"{Path(library.root).name}/{short(library, path)}", path.stat() if path.exists() else None
        read = as_it_stands(path, name, stamp and stamp.st_mtime_ns, stamp and stamp.st_size)
        self.data, self.positions, self.problems = read[0], read[1], [*read[2]]

    def complain(self, steps: Steps, what: str, way_out: str) -> None:
        """Note a fault and read on."""
        self.problems.append(self.positions.where(steps).problem(what, way_out))

    def done(self) -> None:
        """Everything is read; raises Unreadable if anything was wrong."""
        if self.problems:
            raise Unreadable(sorted(self.problems))

    def question(self, name: str, steps: Steps) -> Question | None:
        """The question of an id or slug."""
        try:
            return self.library.questions[self.slug_of(name)]
        except Wrong as wrong:
            place = self.positions.key(steps) if steps[-1] == name else self.positions.where(steps)
            self.problems.append(place.problem(wrong.what, wrong.way_out))
            return None

    def is_citable(self, locus: str) -> bool:
        """Whether a sentence, or a statement, bears this id."""
        source = self.library.sources.get(locus.partition(".")[0])
        return source is not None and locus in loci(source)

    def coded(self, question: Question, raw: Data, steps: Steps) -> Coded | None:
        """One entry of a coding."""
        if not isinstance(raw, dict) or raw.get("status") not in STATUSES:
            self.complain(steps, f"{question.id} has no status", "write status: " + ", ".join(STATUSES))
            return None
        record, problems = validated(CodedRecord, raw, self.positions, steps)
        self.problems += problems
        for at, locus in enumerate(record.loci if record else ()):
            if not self.is_citable(locus):
                self.complain((*steps, "loci", at), f"there is no {locus}", "give the id of a sentence")
        try:
            value = read_value(question, raw["answer"], self.slug_of) if "answer" in raw else None
        except Wrong as wrong:
            self.complain((*steps, "answer"), wrong.what, wrong.way_out)
            return None
        return Coded(str(raw["status"]), value, str(raw.get("cert", "")), str(raw.get("because", "")))


@lru_cache(maxsize=64)
def as_it_stands(path: Path, name: str, written: int | None, size: int | None) -> tuple[Data, Positions, list[Problem]]:
    """A file, read once for as long as it is the same: a coding is asked for six times over."""
    return read_yaml(path, name)


def short(library: Library, path: Path) -> str:
    """A path as it is called in messages."""
    root = Path(library.root)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def read_coding(library: Library, path: Path, wanted: Collection[str] | None = None) -> Coding:
    """A whole coding: one entry for every question, or for those that are wanted. Raises Unreadable."""
    reader, found = entries_of(library, path)
    for slug in library.questions if wanted is None else wanted:
        if slug not in found and not reader.problems:
            reader.complain((), f"{library.questions[slug].id} is not coded", "code it")
    reader.done()
    return found


def entries_of(library: Library, path: Path) -> tuple[Reader, Coding]:
    """The entries of a coding, and their reader, who knows what is wrong with them."""
    reader = Reader(library, path)
    entries = reader.data if isinstance(reader.data, dict) else {}
    if not isinstance(reader.data, dict) and not reader.problems:
        reader.complain((), "is no table", "write every question under its id")
    found: dict[str, Coded] = {}
    for name, raw in entries.items():
        question = reader.question(name, (name,))
        if question and (coded := reader.coded(question, raw, (name,))):
            found[question.slug] = coded
    return reader, found


def sigla(library: Library) -> tuple[str, ...]:
    """The sources that have been coded twice."""
    root = Path(library.root)
    return tuple(one for one in library.sources if all((root / one / name).exists() for name in (FIRST, SECOND)))


def paths(library: Library, siglum: str) -> tuple[Path, Path]:
    """The files of the first and of the second coding of a source."""
    folder = Path(library.root) / siglum
    return folder / FIRST, folder / SECOND


def coded_twice(library: Library) -> tuple[str, ...]:
    """The questions that were there when the sources were coded; whoever coded one of them has coded them all."""
    files = [path for siglum in sigla(library) for path in paths(library, siglum)]
    known = frozenset(slug for path in files for slug in entries_of(library, path)[1])
    return tuple(slug for slug in library.questions if slug in known)


def coded_once(library: Library) -> tuple[str, ...]:
    """The ids of the questions that were put after the codings, and that only the clauses answer."""
    twice = coded_twice(library)
    asked = (one for one in library.questions.values() if not one.by)  # what a source proposes was never coded at all
    return tuple(question.id for question in asked if question.slug not in twice)


# --- the two codings side by side -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """One source on one question, as the two coders found it, and as the clauses have it now."""

    source: str
    question: Question
    first: Coded
    second: Coded
    now: Coded
    passed_on: bool = False  #: whether it is silent now because it hangs on a silence

    @property
    def agreed(self) -> bool:
        """Whether the two found the same, and the clauses still say it."""
        return same(self.first, self.second) and self.stands(self.first)

    def stands(self, coded: Coded) -> bool:
        """Whether the clauses say what a coder found, by the rule of the time."""
        return same(self.now, coded) or (self.passed_on and coded.status == "inapplicable")

    @property
    def key(self) -> Key:
        """Siglum and question."""
        return self.source, self.question.slug


def pairs(library: Library) -> tuple[Pair, ...]:
    """Every cell that has been coded twice, of every source. Raises Unreadable."""
    wanted = coded_twice(library)
    return tuple(pair for siglum in sigla(library) for pair in pairs_of(library, siglum, wanted))


def pairs_of(library: Library, siglum: str, wanted: Collection[str]) -> Iterator[Pair]:
    """Every cell of one source that has been coded twice."""
    first, second = (read_coding(library, path, wanted) for path in paths(library, siglum))
    clauses = library.sources[siglum].clauses
    answers = {slug: value for clause in clauses for slug, value in clause.answers.items()}
    own = {slug for clause in clauses if clause.status in SPEAKING for slug in clause.answers}
    for slug in wanted:
        question, now = library.questions[slug], of_cell(library.cell(siglum, slug))
        unsaid = now.status == "silent" and now.value is None and not holds(question.depends, answers)
        passed_on = unsaid and not ruled_out(slug, library.questions, answers, own)
        yield Pair(siglum, question, first[slug], second[slug], now, passed_on)


# --- the figures ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measured:
    """How far two coders agree on one thing."""

    agreed: int
    per_cent: float | None
    alpha: float | None  #: Krippendorff's, nominal; None where it cannot be reckoned


@dataclass(frozen=True, slots=True)
class Figure:
    """How far they agree over some cells: on the answers, and on the status."""

    cells: int
    value: Measured
    status: Measured


Alpha: TypeAlias = Callable[[Sequence[tuple[str, str]]], float | None]
ASPECTS: Mapping[str, Callable[[Coded], str]] = {
    "value": lambda coded: coded.text,
    "status": lambda coded: coded.speaks,
}


def share(part: int, of: int) -> float | None:
    """Per cent, to one place."""
    return round(100 * part / of, 1) if of else None


def measured(cells: Sequence[Pair], aspect: str, alpha: Alpha) -> Measured:
    """The agreement of some cells in one respect."""
    look = ASPECTS[aspect]
    both = [(look(pair.first), look(pair.second)) for pair in cells]
    agreed = sum(one == other for one, other in both)
    return Measured(agreed, share(agreed, len(both)), alpha(both))


def figure(name: str, cells: Sequence[Pair], alpha: Alpha) -> Figure:
    """The agreement of some cells."""
    # `spoken` is chosen by the status itself, so that chance says nothing about the status there
    return Figure(
        len(cells), measured(cells, "value", alpha), measured(cells, "status", unreckoned if name == SPOKEN else alpha)
    )


def unreckoned(both: Sequence[tuple[str, str]]) -> None:
    """No alpha."""
    return None


def spoken(pair: Pair) -> bool:
    """Whether at least one of the two hears the source speak; agreement on silence is cheap."""
    return "speaks" in (pair.first.speaks, pair.second.speaks)


def sections(cells: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    """The cells of every figure: all, those with words, by source, by group of questions."""
    yield ALL, list(cells)
    yield SPOKEN, [pair for pair in cells if spoken(pair)]
    for siglum in dict.fromkeys(pair.source for pair in cells):
        yield f"source {siglum}", [pair for pair in cells if pair.source == siglum]
    for group in dict.fromkeys(pair.question.group for pair in cells):
        yield f"group {group}", [pair for pair in cells if pair.question.group == group]


def nominal_alpha(both: Sequence[tuple[str, str]]) -> float | None:
    """Krippendorff's alpha for two coders and names without an order, by the package of that name."""
    import krippendorff

    names = sorted({name for pair in both for name in pair})
    if len(names) < 2:  # nothing varies: agreement by chance is certain, and alpha is nought by nought
        return None
    rows = [[names.index(pair[coder]) for pair in both] for coder in (0, 1)]
    return round(float(krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")), 4)


# --- what is kept of them -------------------------------------------------------------------------------

HEAD = """\
# How far two independent codings of the sources agree. Written by `python -m rulebook.agreement`; not to be edited.
# Cells: one question for one source. Value: the answer, no answer being one of its own; status: speaks, silent or
# inapplicable. Spoken: the cells in which at least one coder hears the source speak. Alpha: Krippendorff's, nominal,
# the answers of all questions being reckoned as one list of names; null where all cells are alike, and for the
# status of the spoken cells, which are chosen by it. Coded once: questions put after both codings were closed; nobody
# has coded them a second time, and they are no part of any figure.
"""


def fingerprint(path: Path) -> str:
    """A coding, told by its bytes."""
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def fingerprints(library: Library) -> dict[str, tuple[str, str]]:
    """Both codings of every source that has two."""
    folders = {siglum: Path(library.root) / siglum for siglum in sigla(library)}
    return {siglum: (fingerprint(one / FIRST), fingerprint(one / SECOND)) for siglum, one in folders.items()}


def written(library: Library, package: str) -> str:
    """The figures as they stand in their file."""
    lines = [HEAD + f"package: {json.dumps(package)}", f"coded-once: [{', '.join(coded_once(library))}]", "codings:"]
    for siglum, (first, second) in fingerprints(library).items():
        lines.append(f"  {siglum}:\n    first: {first}\n    second: {second}")
    lines.append("figures:")
    for name, cells in sections(pairs(library)):
        lines.append(f"  {json.dumps(name)}: {in_brackets(figure(name, cells, nominal_alpha))}")
    return "\n".join(lines) + "\n"


def in_brackets(one: Figure) -> str:
    """A figure on one line."""
    value, status = (
        f"{{agreed: {m.agreed}, per-cent: {json.dumps(m.per_cent)}, alpha: {json.dumps(m.alpha)}}}"
        for m in (one.value, one.status)
    )
    return f"{{cells: {one.cells}, value: {value}, status: {status}}}"


@dataclass(frozen=True, slots=True)
class Kept:
    """The figures as they were last written down, and the codings they were reckoned from."""

    package: str
    once: tuple[str, ...]  #: ids of the questions that were coded once only
    codings: Mapping[str, tuple[str, str]]
    figures: Mapping[str, Figure]


def read_figures(library: Library) -> Kept:
    """The figures that are kept. Raises Unreadable."""
    reader = Reader(library, Path(library.root) / FIGURES)
    reader.done()
    record, problems = validated(FiguresRecord, reader.data, reader.positions, ())
    if record is None or not {ALL, SPOKEN} <= set(record.figures):
        what = "is not as it was written"
        raise Unreadable(
            [replace(one, way_out=RUN) for one in problems] or [reader.positions.where(()).problem(what, RUN)]
        )
    codings = {siglum: (both.first, both.second) for siglum, both in record.codings.items()}
    figures = {name: a_figure(one) for name, one in record.figures.items()}
    return Kept(record.package, tuple(record.coded_once), codings, figures)


def a_figure(one: FigureRecord) -> Figure:
    """One figure as it is used."""
    value, status = (Measured(m.agreed, m.per_cent, m.alpha) for m in (one.value, one.status))
    return Figure(one.cells, value, status)


def figures_are_fresh(library: Library, cells: Sequence[Pair] | None = None) -> Iterator[Problem]:
    """The figures were reckoned from the codings as they lie here; needs no array library."""
    place = Where(f"{Path(library.root).name}/{FIGURES}")
    if not sigla(library):
        return
    if not (Path(library.root) / FIGURES).exists():
        yield place.problem("is missing, though sources have been coded twice", RUN)
        return
    known = read_figures(library)
    cells = pairs(library) if cells is None else cells
    counts = {name: figure(name, some, unreckoned) for name, some in sections(cells)}
    told = (known.codings, known.once, counted(known.figures))
    if told != (fingerprints(library), coded_once(library), counted(counts)):
        yield place.problem("the figures are older than the codings or the questions", RUN)


def counted(figures: Mapping[str, Figure]) -> dict[str, tuple[int, int, int]]:
    """What of the figures can be counted on fingers."""
    return {name: (one.cells, one.value.agreed, one.status.agreed) for name, one in figures.items()}


# --- settling -------------------------------------------------------------------------------------------

KEPT = {
    "first": "The clause stands as the first coder had it.",
    "second": "The clause was mended after the second coder.",
    "both": "Both are defensible: one is preferred, the other is an interpretation that can be played.",
    "neither": "Neither stands as it was: there is a third answer, or one coder's answer with the other's status.",
}
PROCEDURES = {
    "improved": "The coding procedure of the question left it open, and has been mended.",
    "unchanged": "The coding procedure is clear enough; it is a matter of reading the source.",
}
ENTRY = ("question", "first", "second", "kept", "why", "procedure")


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a disagreement was settled, with the reason."""

    source: str
    question: str  #: slug
    first: Coded
    second: Coded
    kept: str  #: first | second | both | neither
    why: str
    procedure: str  #: improved | unchanged
    where: Where

    @property
    def key(self) -> Key:
        """Siglum and question."""
        return self.source, self.question


def settlements(library: Library) -> tuple[Settlement, ...]:
    """Everything that has been settled, source by source. Raises Unreadable."""
    paths = {siglum: Path(library.root) / siglum / SETTLED for siglum in sigla(library)}
    return tuple(one for siglum, path in paths.items() if path.exists() for one in settled(library, siglum, path))


def settled(library: Library, siglum: str, path: Path) -> list[Settlement]:
    """The settlements of one source. Raises Unreadable."""
    reader = Reader(library, path)
    found = [a_settlement(reader, siglum, raw, at) for at, raw in enumerate(items(reader))]
    reader.done()
    return [one for one in found if one]


def items(reader: Reader) -> list[Data]:
    """The entries of a list; an empty file has none."""
    if isinstance(reader.data, list):
        return reader.data
    if reader.data is not None:
        reader.complain((), "is no list", "begin every item with a dash")
    return []


def a_settlement(reader: Reader, siglum: str, raw: Data, at: int) -> Settlement | None:
    """One settlement, or a complaint."""
    table = raw if isinstance(raw, dict) else {}
    texts = {key: str(table.get(key, "")).strip() for key in ENTRY}
    if set(table) != set(ENTRY) or not texts["why"]:
        reader.complain((at,), "is no settlement", f"write {', '.join(ENTRY)}")
        return None
    for key, known in (("kept", KEPT), ("procedure", PROCEDURES)):
        if texts[key] not in known:
            reader.complain((at, key), f"{texts[key]} is unknown here", "write " + " or ".join(known))
    question = reader.question(texts["question"], (at, "question"))
    both = [reader.coded(question, table[key], (at, key)) for key in ("first", "second")] if question else [None]
    if not question or not both[0] or not both[-1]:
        return None
    where = reader.positions.where((at,))
    return Settlement(
        siglum, question.slug, both[0], both[1] or both[0], texts["kept"], texts["why"], texts["procedure"], where
    )


def every_disagreement_is_settled_once(library: Library, both: Sequence[Pair] | None = None) -> Iterator[Problem]:
    """Every disagreement has one settlement, which says how it stands, and no settlement is idle."""
    cells = {pair.key: pair for pair in (pairs(library) if both is None else both)}
    made = settlements(library)
    seen: set[Key] = set()
    for one in made:
        if one.key not in cells:
            yield one.where.problem(f"{one.question} of {one.source} was coded once only", "take it out")
            continue
        if one.key in seen:
            yield one.where.problem(f"{name_of(cells[one.key])} is settled twice", "keep one")
        seen.add(one.key)
        yield from amiss(library, cells[one.key], one)
    for pair in cells.values():
        if not pair.agreed and pair.key not in seen:
            yield unsettled(library, pair)


def name_of(pair: Pair) -> str:
    """A cell as it is called in messages."""
    return f"{pair.question.id} of {pair.source}"


def unsettled(library: Library, pair: Pair) -> Problem:
    """A disagreement without a settlement."""
    place = Where(f"{Path(library.root).name}/{pair.source}/{SETTLED}")
    if same(pair.first, pair.second):
        what = f"{name_of(pair)}: both coders found {pair.first}, but the clauses now say {pair.now}"
    else:
        what = f"{name_of(pair)}: one coder found {pair.first}, the other {pair.second}"
    return place.problem(what, "settle it, and say why")


def amiss(library: Library, pair: Pair, one: Settlement) -> Iterator[Problem]:
    """What is wrong with a settlement: it is idle, says what nobody found, or does not fit the clauses."""
    if pair.agreed:
        yield one.where.problem(f"{name_of(pair)} needs no settlement: both found {pair.first}", "take it out")
        return
    for said, found, coder in ((one.first, pair.first, "first"), (one.second, pair.second, "second")):
        if (said.status, said.text) != (found.status, found.text):
            yield one.where.problem(f"{name_of(pair)}: the {coder} coder found {found}, not {said}", "copy it")
    if not FITS[one.kept](library, pair):
        yield one.where.problem(
            f"{name_of(pair)} is settled as {one.kept}, but the clauses now say {pair.now}",
            f"{KEPT[one.kept]} Mend the clause or the settlement",
        )


def both_can_be_played(library: Library, pair: Pair) -> bool:
    """One is preferred, and the other is among the alternatives of the source."""
    slug, wanted = pair.question.slug, {pair.first.text, pair.second.text}
    alternatives = (one for clause in library.sources[pair.source].clauses for one in clause.alternatives)
    offered = {canonical(one.answers[slug]) for one in alternatives if slug in one.answers}
    return pair.now.text in wanted and wanted <= {pair.now.text, *offered}


FITS: Mapping[str, Callable[[Library, Pair], bool]] = {
    "first": lambda library, pair: pair.stands(pair.first),
    "second": lambda library, pair: pair.stands(pair.second),
    "both": both_can_be_played,
    "neither": lambda library, pair: not pair.stands(pair.first) and not pair.stands(pair.second),
}


def every_coding_is_one_of_two(library: Library) -> Iterator[Problem]:
    """A coding without its like is read all the same; nothing is settled where there is nothing to compare."""
    for siglum in (one for one in library.sources if one not in sigla(library)):
        folder = Path(library.root) / siglum
        for path in (one for one in (folder / FIRST, folder / SECOND) if one.exists()):
            yield from entries_of(library, path)[0].problems
        if (folder / SETTLED).exists():
            place = Where(f"{Path(library.root).name}/{siglum}/{SETTLED}")
            yield place.problem(f"there are no two codings of {siglum} to settle", "take the file away")


def unreadable(library: Library) -> Iterator[Problem]:
    """What keeps codings, settlements and figures from being read at all."""
    yield from every_coding_is_one_of_two(library)
    for siglum in sigla(library):
        for path in paths(library, siglum):
            yield from entries_of(library, path)[0].problems
    settlements(library)
    if (Path(library.root) / FIGURES).is_file():
        read_figures(library)


def problems(library: Library) -> list[Problem]:
    """All that is wrong with the codings, the figures and the settlements."""
    try:
        cells = pairs(library)
        found = {*every_coding_is_one_of_two(library), *figures_are_fresh(library, cells)}
        return sorted({*found, *every_disagreement_is_settled_once(library, cells)})
    except Unreadable as fault:
        return fault.problems


# --- for a page of the edition --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All that a page on the double coding needs: figures as kept, and every disagreement with its reason."""

    package: str  #: the program that reckoned alpha, with its version
    once: tuple[str, ...]  #: ids of the questions that were put after the codings, and have no second one
    codings: Mapping[str, tuple[str, str]]  #: siglum -> fingerprints of the first and of the second coding
    all: Figure
    spoken: Figure  #: only the cells in which at least one coder hears the source speak
    by_source: Mapping[str, Figure]
    by_group: Mapping[str, Figure]
    settled: tuple[Settlement, ...]

    def counts(self) -> Mapping[str, int]:
        """How many disagreements were settled in which way."""
        return {way: sum(one.kept == way for one in self.settled) for way in KEPT}


def report(library: Library) -> AgreementReport:
    """The agreement as it was last reckoned, and the settlements; nothing is reckoned here. Raises Unreadable."""
    known = read_figures(library)

    def named(kind: str) -> dict[str, Figure]:
        return {name.removeprefix(kind): one for name, one in known.figures.items() if name.startswith(kind)}

    return AgreementReport(
        known.package,
        known.once,
        known.codings,
        known.figures[ALL],
        known.figures[SPOKEN],
        named("source "),
        named("group "),
        settlements(library),
    )


# --- keeping the first coding ---------------------------------------------------------------------------

FIRST_HEAD = """\
# The first coding of {siglum} ({coders}), as the clauses stood when the second was finished and before the two were
# compared. Drawn from clauses.yaml by `python -m rulebook.agreement --keep-first`; never to be edited: what was mended
# after the comparison stands in the clauses, and why, in settled.yaml.
"""


def keep_first(library: Library) -> list[str]:
    """Write down the first coding of every source that has a second one and no copy of the first; their sigla."""
    missing = [
        siglum
        for siglum in library.sources
        if (Path(library.root) / siglum / SECOND).exists() and not (Path(library.root) / siglum / FIRST).exists()
    ]
    for siglum in missing:
        replaced(Path(library.root) / siglum / FIRST, first_coding(library, siglum))
    return missing


def first_coding(library: Library, siglum: str) -> str:
    """The cells of a source as a coding."""
    coders = ", ".join(sorted({clause.coder for clause in library.sources[siglum].clauses}))
    entries = (entry(library, library.questions[slug], library.cell(siglum, slug)) for slug in library.questions)
    return FIRST_HEAD.format(siglum=siglum, coders=coders) + "".join(entries)


def entry(library: Library, question: Question, cell: Cell | None) -> str:
    """One cell as an entry of a coding."""
    coded = of_cell(cell)
    lines = [f"{question.id}:", f"  status: {coded.status}"]
    if coded.value is not None:
        lines.append(f"  answer: {in_yaml(library, coded.value)}")
    if coded.cert:
        lines.append(f"  cert: {coded.cert}")
    return "\n".join(lines) + "\n"


def in_yaml(library: Library, value: Value) -> str:
    """An answer as it is written in a file."""
    if isinstance(value, Like):
        times = f", times: {value.times}" if value.times != 1 else ""
        return f"{{as: {library.question(value.question).id}{times}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(in_yaml(library, one) for one in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {in_yaml(library, one)}" for key, one in value.items()) + "}"
    return str(value) if isinstance(value, int) else word_in_yaml(value)


def word_in_yaml(word: str) -> str:
    """A word, in quotes where another reader might take it for something else."""
    plain = re.fullmatch(r"[A-Za-z][\w-]*", word) and word not in ("yes", "no", "true", "false", "null", "on", "off")
    return word if plain else json.dumps(word)


# --- the command ----------------------------------------------------------------------------------------


def version() -> str:
    """The package that reckons alpha, with its version."""
    from importlib.metadata import version as version_of

    return f"krippendorff {version_of('krippendorff')}"


def recompute(library: Library) -> Path:
    """Reckon the figures anew and write them down. Raises Unreadable."""
    path = Path(library.root) / FIGURES
    replaced(path, written(library, version()))
    return path


def main(words: Sequence[str] = ()) -> int:
    """Bring the figures up to date, and tell what is not settled."""
    library, faults = quick_load(find_sources())
    if library is None or faults:
        sys.stderr.write("".join(f"{fault}\n" for fault in faults))
        return 1
    if "--keep-first" in words:
        sys.stdout.write("".join(f"kept the first coding of {siglum}\n" for siglum in keep_first(library)))
    try:
        recompute(library)
    except Unreadable as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return told(library)


def told(library: Library) -> int:
    """Say how far the coders agree, and what is left to settle."""
    known, left = report(library), problems(library)
    for name, one in {ALL: known.all, SPOKEN: known.spoken, **known.by_source}.items():
        parts = (f"{what} {m.per_cent} % alpha {m.alpha}" for what, m in (("value", one.value), ("status", one.status)))
        sys.stdout.write(f"{name}: {one.cells} cells, {', '.join(parts)}\n")
    sys.stdout.write(f"coded once only, and not reckoned: {', '.join(known.once) or 'none'}\n")
    sys.stdout.write(f"{len(known.settled)} disagreements settled\n" + "".join(f"{problem}\n" for problem in left))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
