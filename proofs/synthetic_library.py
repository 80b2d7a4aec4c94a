"""An invented library of any size, on which it can be measured how the edition grows.

`grow(folder, sources, questions, deals, seed)` writes one that checks cleanly: the questions and the hands come from
the real library, so that everything that is reckoned for a real source is reckoned for an invented one; the texts are
strings of invented words. The same figures give the same letters.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from typing import Any

from rulebook.answers.conditions import conditions, ruled_out, worth
from rulebook.checks.numerals import LEXICON, is_numeric, numbers
from rulebook.checks.registry import register
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import library
from rulebook.model import Library, Like, Question

QUESTIONS = 120
DEALS = 2  #: to a source
WORDS = 3000  #: in the invented language
SYLLABLES = tuple("".join(pair) for pair in product("bdfglmnrstv", "aeio"))
OTHERWISE = 0.15  #: so many are answered by lot, and not as the real source does that was its model
DOUBTED = 0.1  #: so many have a rival reading
NOTED = 0.4  #: so many sentences have a note
PLACES: Mapping[int, str] = {1: "premier", 2: "second", -1: "dernier", -2: "avant-dernier"}
#: What is no source and no deal is taken over as it is.
SHARED = ("spelling.yaml", "bibliography.bib")

Answers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Coded:
    """One question as an invented source has it: its sentence, and its clause."""

    question: Question
    value: Any  #: None where the question makes no sense, or nothing is said
    status: str
    sentence: str
    exact: str
    rival: str = ""


# ---- the whole
def grow(folder: Path, sources: int, questions: int = QUESTIONS, deals: int = DEALS, seed: int = 1) -> Path:
    """Write an invented library into a folder that is not there yet; the folder of its sources."""
    real, root = library(), folder / "sources"
    asked = chosen(real, questions)
    for name, words in written(real, asked, sources, deals, seed):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, encoding="utf-8", newline="\n")
    for name in SHARED:
        shutil.copy(Path(real.root) / name, root / name)
    register(root)
    return root


def written(real: Library, asked: Sequence[Question], sources: int, deals: int, seed: int) -> Iterator[tuple[str, str]]:
    """Every file of it: its path, and what stands in it."""
    yield "questions/10-all.yaml", questions_yaml(real, asked)
    yield "glossary.yaml", as_data([])
    models, hands = cycle(real.sources), cycle(playable(real))
    for siglum, model in zip(sigla(sources), models, strict=False):
        rows = tuple(coded(real, asked, siglum, model, Random(f"{seed}:{siglum}")))
        yield from source_files(siglum, rows, Random(f"{seed}:{siglum}:words"))
        for number, record in enumerate(islice(hands, deals), 1):
            id = f"{siglum.lower()}-{number}"
            yield f"{siglum}/deals/{id}.yaml", as_data(deal(record, id, siglum, number))


def sigla(number: int) -> Iterator[str]:
    """Names for so many sources."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return ("Z" + "".join(one) for one in islice(product(letters, repeat=2), number))


def as_data(value: object) -> str:
    """Data as it stands in a file: JSON is YAML too, and quicker to write and to read."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


# ---- the questions
def chosen(real: Library, number: int) -> tuple[Question, ...]:
    """So many of the real questions, those first that are played; none without those on which it depends."""
    kept = dict[str, Question]()
    for question in sorted(real.questions.values(), key=importance):
        needed = {one.slug: one for one in (*asked_before(real, question), question)}
        if len(kept | needed) <= number:
            kept |= needed
    return tuple(question for slug, question in real.questions.items() if slug in kept)


def importance(question: Question) -> tuple[bool, bool]:
    """Which questions are left out last: those that are played, and of these those that are no matter of the pool."""
    return bool(question.not_played), question.affects == "pool"


def asked_before(real: Library, question: Question) -> Iterator[Question]:
    """The questions on which one depends, and those on which these depend."""
    for condition in conditions(question.depends):
        before = real.questions[condition.question]
        yield from asked_before(real, before)
        yield before


def questions_yaml(real: Library, asked: Sequence[Question]) -> str:
    """The file of the questions, as the real library has them, with none pointing to one that is not there."""
    known = {question.id for question in asked}
    rows = {id: row for id, row in raw_questions(real) if id in known}
    near = {id: [one for one in row.get("related", []) if one in known] for id, row in rows.items()}
    return as_data({id: {**row, "related": near[id]} for id, row in rows.items()})


def raw_questions(real: Library) -> Iterator[tuple[str, dict[str, Any]]]:
    """The questions as they stand in their files."""
    for path in sorted((Path(real.root) / "questions").glob("*.yaml")):
        data, _, _ = read_yaml(path, path.name)
        for id, row in data.items() if isinstance(data, dict) else ():
            assert isinstance(row, dict), id
            yield id, dict(row)


# ---- what a source says
def coded(real: Library, asked: Sequence[Question], siglum: str, model: str, rng: Random) -> Iterator[Coded]:
    """Every question as an invented source has it: mostly as its model, a real source, now and then by lot."""
    leading = {one.question for question in asked for one in conditions(question.depends)}
    answers = {question.slug: answer(real, model, question) for question in asked}
    for question in asked:
        fixed = question.slug in leading or not question.closed
        if answers[question.slug] is not None and not fixed and rng.random() < OTHERWISE:
            answers[question.slug] = rng.choice(list(question.readings))
    for question in asked:
        value, sentence = answers[question.slug], said(siglum, rng)
        free = question.closed and question.slug not in leading and value is not None and len(question.readings) > 1
        others = [one for one in question.readings if one != value]
        rival = rng.choice(others) if free and rng.random() < DOUBTED else ""
        status = "ambiguous" if rival else standing(real, question, answers)
        exact = f"{sentence} {in_digits(value)}".strip()
        yield Coded(question, value, status, f"{exact}.", exact, rival)


def answer(real: Library, model: str, question: Question) -> Any:
    """What the model answers; a number where it points to another answer."""
    cell = real.cell(model, question.slug)
    value = cell.value if cell else None
    if isinstance(value, Like):
        cells = (real.cell(model, slug) for slug in real.questions)
        value = worth(value, {one.question: one.value for one in cells if one and one.value is not None})
    return value


def plain(value: Any) -> Any:
    """A value as it is written down."""
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (tuple, list)) else value


def standing(real: Library, question: Question, answers: Answers) -> str:
    """With what right a question is answered, or why it is not."""
    own = {slug: value for slug, value in answers.items() if value is not None}
    if question.slug in own:
        return "stated"
    return "inapplicable" if ruled_out(question.slug, real.questions, own, own) else "silent"


def said(siglum: str, rng: Random) -> str:
    """A sentence of invented words, unlike every other of its source."""
    return " ".join([siglum.title(), *invented(rng, rng.randint(8, 24))])


def invented(rng: Random, number: int) -> list[str]:
    """So many words of an invented language, in which, as in any, few words are frequent and most are rare."""
    return rng.choices(*vocabulary(), k=number)


@cache
def vocabulary() -> tuple[list[str], list[float]]:
    """The words of the invented language, none of them a number in a real one, and how often each is said."""
    rng = Random(WORDS)
    found = ("".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4))) for _ in range(WORDS))
    kept = [word for word in dict.fromkeys(found) if word not in LEXICON]
    return kept, [1 / (at + 10) for at in range(len(kept))]


def in_digits(value: Any) -> str:
    """The numbers of an answer, as a text would print them; tricks counted from behind are called by their places."""
    found = numbers(value) if is_numeric(value) else ()
    names = PLACES if min(found, default=0) < 0 else {}
    return " ".join(names.get(one, str(one)) for one in found)


# ---- its files
def source_files(siglum: str, rows: Sequence[Coded], rng: Random) -> Iterator[tuple[str, str]]:
    """The folder of a source."""
    text = [row.sentence for row in rows]
    yield f"{siglum}/source.yaml", as_data(record(siglum))
    yield f"{siglum}/text.xml", tei(siglum, siglum, "la", text, "xml:id")
    english = [f"{' '.join(invented(rng, len(one.split())))}." for one in text]
    yield f"{siglum}/en.xml", tei(siglum, f"{siglum}-en", "en", english, "corresp")
    yield f"{siglum}/clauses.yaml", as_data([clause(siglum, at, row, len(rows)) for at, row in enumerate(rows, 1)])
    yield f"{siglum}/notes.yaml", as_data(list(notes(siglum, len(rows), rng)))


def record(siglum: str) -> dict[str, Any]:
    """The bibliographic record."""
    return {
        "siglum": siglum,
        "title": f"The invented book {siglum}",
        "short_title": f"Invented {siglum}",
        "language": "la",
        "family": f"family {siglum[:2]}",
        "date": "1700",
        "date_certainty": "invented",
        "place": None,
        "exemplar": "invented",
        "rights": {"text": "public domain", "encoding": "CC BY 4.0", "translation": "CC BY 4.0"},
        "units": {"smallest": "jeton", "multiples": {}},
        "coders": [{"id": "ed1", "role": "all"}],
        "images_seen": False,
        "image_link": None,
        "introduction": "Invented, to measure how the edition grows.",
        "bibliography": [],
    }


HEADER = """<teiHeader xml:lang="en"><fileDesc><titleStmt><title>Invented</title>
<respStmt xml:id="ed1"><resp>all</resp><name>a program</name></respStmt></titleStmt>
<publicationStmt><publisher>nobody</publisher>
<availability><licence target="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</licence></availability>
</publicationStmt>
<sourceDesc><p>invented</p></sourceDesc></fileDesc>
<encodingDesc><editorialDecl><correction><p>nothing was mended</p></correction></editorialDecl></encodingDesc>
<profileDesc><langUsage>
<language ident="la">the invented one</language><language ident="en">English</language></langUsage></profileDesc>
</teiHeader>"""


def tei(siglum: str, id: str, lang: str, rows: Sequence[str], key: str) -> str:
    """A text, or its translation, sentence by sentence, ten to a paragraph."""
    before = "" if key == "xml:id" else "text.xml#"
    marked = [f'<s {key}="{before}{siglum}.s{at:04}">{words}</s>' for at, words in enumerate(rows, 1)]
    paragraphs = ["<p>" + "\n".join(marked[at : at + 10]) + "</p>" for at in range(0, len(marked), 10)]
    return (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="{id}" xml:lang="{lang}">\n{HEADER}\n'
        "<text><body><div>\n" + "\n".join(paragraphs) + "\n</div></body></text></TEI>\n"
    )


def clause(siglum: str, at: int, row: Coded, last: int) -> dict[str, Any]:
    """What stands in the file of the clauses for one question."""
    made: dict[str, Any] = {"id": f"{siglum}.c{at:03}", "status": row.status, "cert": "medium", "coder": "ed1"}
    because = "Invented, as all of this source is."
    if row.value is None:
        searched = {"searched": f"{siglum}.s0001-{siglum}.s{last:04}"} if row.status == "silent" else {}
        return {**made, **searched, "on": [row.question.id], "because": because}
    seen = "sha256:" + hashlib.sha256(row.sentence.encode()).hexdigest()
    made |= {"cites": [{"locus": f"{siglum}.s{at:04}", "exact": row.exact, "seen": seen}]}
    made |= {"answers": {row.question.id: plain(row.value)}}
    if row.rival:
        rival = {"id": f"{siglum}.i{at:02}", "label": "otherwise", "answers": {row.question.id: row.rival}}
        made |= {"label": "thus", "because": because, "rivals": [{**rival, "because": because}]}
    return made


def notes(siglum: str, last: int, rng: Random) -> Iterator[dict[str, Any]]:
    """The notes of a source."""
    number = 0
    for at in range(1, last + 1):
        if rng.random() < NOTED:
            number += 1
            words = " ".join(invented(rng, 20))
            made = {"id": f"{siglum}.note{number:02}", "on": f"{siglum}.s{at:04}", "kind": "commentary", "by": "ed1"}
            yield {**made, "text": f"{words.capitalize()}."}


# ---- deals
def playable(real: Library) -> tuple[dict[str, Any], ...]:
    """The records of the real worked deals, with nothing in them that speaks of a source."""
    read = (read_yaml(Path(real.root) / path, path)[0] for path in real.deals)
    found = (raw for raw in read if isinstance(raw, dict))
    bare = ({key: value for key, value in raw.items() if key not in ("expect", "cites")} for raw in found)
    return tuple(one for one in bare if "tricks" in one)


def deal(record: Mapping[str, Any], id: str, siglum: str, at: int) -> dict[str, Any]:
    """The cards of a real deal as a worked deal of an invented source."""
    own = {"deal": id, "title": f"Deal {id}", "cites": [f"{siglum}.s{at:04}"], "note": "Invented."}
    return {**record, **own, "provenance": "generated"}
