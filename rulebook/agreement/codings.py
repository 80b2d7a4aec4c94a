"""The two codings of a source, read strictly, and laid side by side with what the clauses say now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rulebook import model
from rulebook.answers import values
from rulebook.answers.conditions import is_question_applicable, ruled_out
from rulebook.io.files import read_once
from rulebook.io.strict_yaml import Data, Steps, read_yaml
from rulebook.problems import Problem, Where
from rulebook.quotations import is_locus
from rulebook.schema.agreement_records import CodedRecord
from rulebook.schema.validation import validate_record

FIRST_CODING_FILE, SECOND_CODING_FILE, SETTLEMENTS_FILE = "coding-ed1.yaml", "coding-ed2.yaml", "settled.yaml"
_NO_ANSWER_TEXT = "no answer"

CellKey: TypeAlias = "tuple[str, str]"  # siglum and slug of a question
CodedOnce: TypeAlias = "Mapping[str, list[str]]"  # siglum -> ids of questions put after its codings


class UnreadableCoding(ValueError):
    """A coding, or what is reckoned from it, cannot be read as it stands."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class CodedAnswer:
    """One coder's finding in a source on one question."""

    status: str
    value: model.Value | None = None
    cert: str = ""
    because: str = ""

    @property
    def text(self) -> str:
        """The answer as one short text."""
        return _NO_ANSWER_TEXT if self.value is None else values.format_canonical(self.value)

    @property
    def speaks(self) -> str:
        """The status, all ways of speaking being one."""
        return "speaks" if self.status in model.SPOKEN_STATUSES else self.status

    def __str__(self) -> str:
        return f"{self.text} ({self.status})"


Coding: TypeAlias = Mapping[str, CodedAnswer]  # slug -> what was found


def coded_by_clauses(cell: model.Cell | None) -> CodedAnswer:
    """Return what the clauses say now."""
    return CodedAnswer(cell.status, cell.value, cell.cert) if cell else CodedAnswer("not-collated")


def found_alike(answer: CodedAnswer, other: CodedAnswer) -> bool:
    """Return whether two coders found the same: answer and status."""
    return answer.text == other.text and answer.speaks == other.speaks


class CodingReader:
    """Reads one of our files strictly, and remembers where everything stands."""

    def __init__(self, library: model.Library, path: Path) -> None:
        self.library = library
        self.slug_of: values.SlugOf = values.build_slug_lookup(library.questions.values())
        self.problems: list[Problem] = []
        self.data: Data
        read = read_coding_file(path, f"{Path(library.root).name}/{short_path(library, path)}")
        self.data, self.positions, self.problems = read[0], read[1], [*read[2]]

    def complain(self, steps: Steps, what: str, way_out: str) -> None:
        """Note a fault and read on."""
        self.problems.append(self.positions.where(steps).problem(what, way_out))

    def done(self) -> None:
        """Everything is read; raises UnreadableCoding if anything was wrong."""
        if self.problems:
            raise UnreadableCoding(sorted(self.problems))

    def question(self, name: str, steps: Steps) -> model.Question | None:
        """The question of an id or slug."""
        try:
            return self.library.questions[self.slug_of(name)]
        except values.Wrong as wrong:
            place = self.positions.key(steps) if steps[-1] == name else self.positions.where(steps)
            self.problems.append(place.problem(wrong.what, wrong.way_out))
            return None

    def is_citable(self, locus: str) -> bool:
        """Return whether a sentence or a statement has this id."""
        source = self.library.sources.get(locus.partition(".")[0])
        return source is not None and is_locus(source, locus)

    def coded(self, question: model.Question, raw: Data, steps: Steps) -> CodedAnswer | None:
        """One entry of a coding."""
        if not isinstance(raw, dict) or raw.get("status") not in model.STATUSES:
            self.complain(steps, f"{question.id} has no status", "write status: " + ", ".join(model.STATUSES))
            return None
        record, problems = validate_record(CodedRecord, raw, self.positions, steps)
        self.problems += problems
        for at, locus in enumerate(record.loci if record else ()):
            if not self.is_citable(locus):
                self.complain((*steps, "loci", at), f"there is no {locus}", "give the id of a sentence")
        try:
            value = values.read_value(question, raw["answer"], self.slug_of) if "answer" in raw else None
        except values.Wrong as wrong:
            self.complain((*steps, "answer"), wrong.what, wrong.way_out)
            return None
        return CodedAnswer(str(raw["status"]), value, str(raw.get("cert", "")), str(raw.get("because", "")))


#: A coding is asked for six times over.
read_coding_file = read_once(64)(read_yaml)


def short_path(library: model.Library, path: Path) -> str:
    """Return a path as it is called in messages."""
    root = Path(library.root)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def read_coding(library: model.Library, path: Path, wanted: Collection[str] | None = None) -> Coding:
    """A whole coding: one entry for every question, or for those that are wanted. Raises UnreadableCoding."""
    return _require_whole_coding(*read_entries_of(library, path), library.questions if wanted is None else wanted)


def _require_whole_coding(reader: CodingReader, coding: Coding, wanted: Collection[str]) -> Coding:
    for slug in wanted:
        if slug not in coding and not reader.problems:
            reader.complain((), f"{reader.library.questions[slug].id} is not coded", "code it")
    reader.done()
    return coding


def read_entries_of(library: model.Library, path: Path) -> tuple[CodingReader, Coding]:
    """Read the entries of a coding; with them their reader, who knows what is wrong with them."""
    reader = CodingReader(library, path)
    entries = reader.data if isinstance(reader.data, dict) else {}
    if not isinstance(reader.data, dict) and not reader.problems:
        reader.complain((), "is no table", "write every question under its id")
    coding: dict[str, CodedAnswer] = {}
    for name, raw in entries.items():
        question = reader.question(name, (name,))
        if question and (coded := reader.coded(question, raw, (name,))):
            coding[question.slug] = coded
    return reader, coding


def sigla_coded_twice(library: model.Library) -> tuple[str, ...]:
    """Return the sources that have been coded twice."""
    root = Path(library.root)
    return tuple(
        source
        for source in library.sources
        if all((root / source / name).exists() for name in (FIRST_CODING_FILE, SECOND_CODING_FILE))
    )


def coding_paths(library: model.Library, siglum: str) -> tuple[Path, Path]:
    """Return the files of the first and of the second coding of a source."""
    folder = Path(library.root) / siglum
    return folder / FIRST_CODING_FILE, folder / SECOND_CODING_FILE


def questions_coded_once(library: model.Library, pairs: Iterable[CodedPair] | None = None) -> CodedOnce:
    """Return, by source, the ids of the questions that were put after its codings, and that only its clauses answer.

    Whoever has read the pairs can say so; else the codings are read for it.
    """
    twice = {pair.key for pair in (read_pairs(library) if pairs is None else pairs)}
    questions = [
        question for question in library.questions.values() if not question.by
    ]  # what a source proposes was never coded at all
    once = {
        siglum: [question.id for question in questions if (siglum, question.slug) not in twice]
        for siglum in sigla_coded_twice(library)
    }
    return {siglum: ids for siglum, ids in once.items() if ids}


# --- the two codings side by side -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CodedPair:
    """One source on one question, as the two coders found it, and as the clauses have it now."""

    source: str
    question: model.Question
    first: CodedAnswer
    second: CodedAnswer
    now: CodedAnswer
    passed_on: bool = False  #: whether it is silent now because it hangs on a silence

    @property
    def agreed(self) -> bool:
        """Return whether both coders found the same and the clauses still say it."""
        return found_alike(self.first, self.second) and self.stands(self.first)

    def stands(self, coded: CodedAnswer) -> bool:
        """Return whether the clauses say what a coder found, by the rule of the time.

        A silence stands where an answer has been supplied since.
        """
        unsaid = self.now.status == coded.status == "silent" and coded.value is None
        return unsaid or found_alike(self.now, coded) or (self.passed_on and coded.status == "inapplicable")

    @property
    def key(self) -> CellKey:
        """Siglum and question."""
        return self.source, self.question.slug


def read_pairs(library: model.Library) -> tuple[CodedPair, ...]:
    """Read every cell that has been coded twice, of every source. Raises UnreadableCoding."""
    read = {
        siglum: [read_entries_of(library, path) for path in coding_paths(library, siglum)]
        for siglum in sigla_coded_twice(library)
    }
    wanted = {siglum: _list_coded_questions(library, [coding for _, coding in both]) for siglum, both in read.items()}
    return tuple(
        pair
        for siglum, both in read.items()
        for pair in _pair_codings(
            library, siglum, [_require_whole_coding(*reading, wanted[siglum]) for reading in both]
        )
    )


def _list_coded_questions(library: model.Library, codings: Iterable[Coding]) -> tuple[str, ...]:
    """List the questions that were there when a source was coded; what one coder has coded the other must code."""
    known = frozenset(slug for coding in codings for slug in coding)
    return tuple(slug for slug in library.questions if slug in known)


def _pair_codings(library: model.Library, siglum: str, both: Sequence[Coding]) -> Iterator[CodedPair]:
    """Yield every cell of one source with what both coders found, and what the clauses say."""
    first, second = both
    clauses = library.sources[siglum].clauses
    answers = {slug: value for clause in clauses for slug, value in clause.answers.items()}
    own = {slug for clause in clauses if clause.status in model.SPOKEN_STATUSES for slug in clause.answers}
    for slug in (name for name in library.questions if name in first):
        question, now = library.questions[slug], coded_by_clauses(library.cell(siglum, slug))
        unsaid = now.status == "silent" and now.value is None and not is_question_applicable(question.depends, answers)
        passed_on = unsaid and not ruled_out(slug, library.questions, answers, own)
        yield CodedPair(siglum, question, first[slug], second[slug], now, passed_on)


def every_coding_is_one_of_two(library: model.Library) -> Iterator[Problem]:
    """A coding without its like is read all the same; nothing is settled where there is nothing to compare."""
    for siglum in (source for source in library.sources if source not in sigla_coded_twice(library)):
        folder = Path(library.root) / siglum
        for path in (file for file in (folder / FIRST_CODING_FILE, folder / SECOND_CODING_FILE) if file.exists()):
            yield from read_entries_of(library, path)[0].problems
        if (folder / SETTLEMENTS_FILE).exists():
            place = Where(f"{Path(library.root).name}/{siglum}/{SETTLEMENTS_FILE}")
            yield place.problem(f"there are no two codings of {siglum} to settle", "take the file away")
