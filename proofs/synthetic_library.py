"""Synthetic library of any size, for measuring how the edition scales.

`write_synthetic_library(folder, sources, questions, deals, seed)` writes one that checks cleanly: the questions and
the hands come from the real library, so that everything that is reckoned for a real source is reckoned for an
invented one; the texts are strings of invented words. The same figures give the same letters.
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
from string import ascii_uppercase
from typing import Any

from rulebook.answers.conditions import dereference_answer, list_condition_questions, ruled_out
from rulebook.checks.number_words import LEXICON
from rulebook.checks.numerals import extract_answer_numbers, is_numeric
from rulebook.checks.registry import register_new_ids
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import library
from rulebook.model import Library, Like, Question

SYNTHETIC_QUESTIONS = 120
SYNTHETIC_DEALS = 2  #: to a source
_VOCABULARY_SIZE = 3000  #: in the invented language
_SYLLABLES = tuple("".join(pair) for pair in product("bdfglmnrstv", "aeio"))
_RANDOM_ANSWER_RATE = 0.15  #: so many are answered by lot, and not as the real source does that was its model
_RIVAL_RATE = 0.1  #: so many have a rival reading
_NOTE_RATE = 0.4  #: so many sentences have a note
_TRICK_ORDINALS: Mapping[int, str] = {1: "premier", 2: "second", -1: "dernier", -2: "avant-dernier"}
#: What is no source and no deal is taken over as it is.
_COPIED_FILES = ("spelling.yaml", "bibliography.bib")

_Answers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SyntheticAnswer:
    """One question as a synthetic source answers it: its sentence, and its clause."""

    question: Question
    value: Any  #: None where the question makes no sense, or nothing is said
    status: str
    sentence: str
    exact: str
    rival: str = ""


# ---- the whole
def write_synthetic_library(
    folder: Path, sources: int, questions: int = SYNTHETIC_QUESTIONS, deals: int = SYNTHETIC_DEALS, seed: int = 1
) -> Path:
    """Write a synthetic library into a new folder; return the folder of its sources."""
    real, root = library(), folder / "sources"
    synthetic_questions = choose_synthetic_questions(real, questions)
    for name, words in _iter_synthetic_files(real, synthetic_questions, sources, deals, seed):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words, encoding="utf-8", newline="\n")
    for name in _COPIED_FILES:
        shutil.copy(Path(real.root) / name, root / name)
    register_new_ids(root)
    return root


def _iter_synthetic_files(
    real: Library, asked: Sequence[Question], sources: int, deals: int, seed: int
) -> Iterator[tuple[str, str]]:
    yield "questions/10-all.yaml", render_questions_yaml(real, asked)
    yield "glossary.yaml", dump_synthetic_data([])
    yield "library.yaml", dump_synthetic_data({"title": "Invented books", "game": "reversis"})
    models, hands = cycle(real.sources), cycle(read_playable_deals(real))
    sigla = ("Z" + "".join(pair) for pair in islice(product(ascii_uppercase, repeat=2), sources))
    for siglum, model in zip(sigla, models, strict=False):
        rows = tuple(iter_synthetic_answers(real, asked, siglum, model, Random(f"{seed}:{siglum}")))
        yield from _iter_synthetic_source_files(siglum, rows, Random(f"{seed}:{siglum}:words"))
        for number, record in enumerate(islice(hands, deals), 1):
            id = f"{siglum.lower()}-{number}"
            own = {"deal": id, "title": f"Deal {id}", "cites": [f"{siglum}.s{number:04}"], "note": "Invented."}
            yield f"{siglum}/deals/{id}.yaml", dump_synthetic_data({**record, **own, "provenance": "generated"})


def dump_synthetic_data(value: object) -> str:
    """Serialise data as JSON, which is also YAML, and faster to read and to write."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


# ---- the questions
def choose_synthetic_questions(real: Library, number: int) -> tuple[Question, ...]:
    """Choose real questions, played ones first, each with those it depends on."""
    kept = dict[str, Question]()
    for question in sorted(
        real.questions.values(), key=lambda candidate: (bool(candidate.not_played), candidate.affects == "pool")
    ):
        needed = {candidate.slug: candidate for candidate in (*iter_prerequisite_questions(real, question), question)}
        if len(kept | needed) <= number:
            kept |= needed
    return tuple(question for slug, question in real.questions.items() if slug in kept)


def iter_prerequisite_questions(real: Library, question: Question) -> Iterator[Question]:
    """Yield the questions on which one depends, and those on which these depend."""
    for slug in list_condition_questions(question.depends):
        before = real.questions[slug]
        yield from iter_prerequisite_questions(real, before)
        yield before


def render_questions_yaml(real: Library, asked: Sequence[Question]) -> str:
    """Render the file of the questions, without references to questions left out."""
    known = {question.id for question in asked}
    rows = {id: row for id, row in _read_raw_questions(real) if id in known}
    near = {id: [neighbour for neighbour in row.get("related", []) if neighbour in known] for id, row in rows.items()}
    return dump_synthetic_data({id: {**row, "related": near[id]} for id, row in rows.items()})


def _read_raw_questions(real: Library) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((Path(real.root) / "questions").glob("*.yaml")):
        data, _, _ = read_yaml(path, path.name)
        for id, row in data.items() if isinstance(data, dict) else ():
            assert isinstance(row, dict), id
            yield id, dict(row)


# ---- what a source says
def iter_synthetic_answers(
    real: Library, asked: Sequence[Question], siglum: str, model: str, rng: Random
) -> Iterator[SyntheticAnswer]:
    """Yield a synthetic source's answers: mostly its model's, now and then a random one."""
    leading = {slug for question in asked for slug in list_condition_questions(question.depends)}
    answers = {question.slug: find_model_answer(real, model, question) for question in asked}
    for question in asked:
        fixed = question.slug in leading or not question.closed
        if answers[question.slug] is not None and not fixed and rng.random() < _RANDOM_ANSWER_RATE:
            answers[question.slug] = rng.choice(list(question.readings))
    for question in asked:
        value, sentence = answers[question.slug], " ".join([siglum.title(), *invent_words(rng, rng.randint(8, 24))])
        free = question.closed and question.slug not in leading and value is not None and len(question.readings) > 1
        others = [reading for reading in question.readings if reading != value]
        rival = rng.choice(others) if free and rng.random() < _RIVAL_RATE else ""
        status = "ambiguous" if rival else _find_answer_status(real, question, answers)
        exact = f"{sentence} {format_answer_numbers(value)}".strip()
        yield SyntheticAnswer(question, value, status, f"{exact}.", exact, rival)


def find_model_answer(real: Library, model: str, question: Question) -> Any:
    """Return the model's answer; a number where it points to another answer."""
    cell = real.cell(model, question.slug)
    value = cell.value if cell else None
    if isinstance(value, Like):
        cells = (real.cell(model, slug) for slug in real.questions)
        value = dereference_answer(
            value, {other.question: other.value for other in cells if other and other.value is not None}
        )
    return value


def _to_plain_answer(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _to_plain_answer(part) for key, part in value.items()}
    return [_to_plain_answer(part) for part in value] if isinstance(value, (tuple, list)) else value


def _find_answer_status(real: Library, question: Question, answers: _Answers) -> str:
    own = {slug: value for slug, value in answers.items() if value is not None}
    if question.slug in own:
        return "stated"
    return "inapplicable" if ruled_out(question.slug, real.questions, own, own) else "silent"


def invent_words(rng: Random, number: int) -> list[str]:
    """Return words of an invented language, a few frequent and most of them rare."""
    return rng.choices(*invent_vocabulary(), k=number)


@cache
def invent_vocabulary() -> tuple[list[str], list[float]]:
    """Return invented words, none of them a real numeral, with their frequencies."""
    rng = Random(_VOCABULARY_SIZE)
    words = ("".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4))) for _ in range(_VOCABULARY_SIZE))
    kept = [word for word in dict.fromkeys(words) if word not in LEXICON]
    return kept, [1 / (at + 10) for at in range(len(kept))]


def format_answer_numbers(value: Any) -> str:
    """Format an answer's numbers as in print; tricks from the end are ordinals."""
    numbers = extract_answer_numbers(value) if is_numeric(value) else ()
    names = _TRICK_ORDINALS if min(numbers, default=0) < 0 else {}
    return " ".join(names.get(number, str(number)) for number in numbers)


# ---- its files
def _iter_synthetic_source_files(
    siglum: str, rows: Sequence[SyntheticAnswer], rng: Random
) -> Iterator[tuple[str, str]]:
    text = [row.sentence for row in rows]
    yield f"{siglum}/source.yaml", dump_synthetic_data(_make_synthetic_record(siglum))
    yield f"{siglum}/text.xml", render_synthetic_tei(siglum, siglum, "la", text, "xml:id")
    english = [f"{' '.join(invent_words(rng, len(sentence.split())))}." for sentence in text]
    yield f"{siglum}/en.xml", render_synthetic_tei(siglum, f"{siglum}-en", "en", english, "corresp")
    yield (
        f"{siglum}/clauses.yaml",
        dump_synthetic_data([_make_synthetic_clause(siglum, at, row, len(rows)) for at, row in enumerate(rows, 1)]),
    )
    yield f"{siglum}/notes.yaml", dump_synthetic_data(list(_iter_synthetic_notes(siglum, len(rows), rng)))


def _make_synthetic_record(siglum: str) -> dict[str, Any]:
    return {
        "siglum": siglum,
        "title": f"The invented book {siglum}",
        "short_title": f"Invented {siglum}",
        "short_name": f"Invented {siglum}",
        "short_date": "1700",
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


_TEI_HEADER = """<teiHeader xml:lang="en"><fileDesc><titleStmt><title>Invented</title>
<respStmt xml:id="ed1"><resp>all</resp><name>a program</name></respStmt></titleStmt>
<publicationStmt><publisher>nobody</publisher>
<availability><licence target="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</licence></availability>
</publicationStmt>
<sourceDesc><p>invented</p></sourceDesc></fileDesc>
<encodingDesc><editorialDecl><correction><p>nothing was mended</p></correction></editorialDecl></encodingDesc>
<profileDesc><langUsage>
<language ident="la">the invented one</language><language ident="en">English</language></langUsage></profileDesc>
</teiHeader>"""


def render_synthetic_tei(siglum: str, id: str, lang: str, rows: Sequence[str], key: str) -> str:
    """Render a text, or its translation, as TEI, with ten sentences to a paragraph."""
    before = "" if key == "xml:id" else "text.xml#"
    marked = [f'<s {key}="{before}{siglum}.s{at:04}">{words}</s>' for at, words in enumerate(rows, 1)]
    paragraphs = ["<p>" + "\n".join(marked[at : at + 10]) + "</p>" for at in range(0, len(marked), 10)]
    return (
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="{id}" xml:lang="{lang}">\n{_TEI_HEADER}\n'
        "<text><body><div>\n" + "\n".join(paragraphs) + "\n</div></body></text></TEI>\n"
    )


def _make_synthetic_clause(siglum: str, at: int, row: SyntheticAnswer, last: int) -> dict[str, Any]:
    clause: dict[str, Any] = {"id": f"{siglum}.c{at:03}", "status": row.status, "cert": "medium", "coder": "ed1"}
    because = "Invented, as all of this source is."
    if row.value is None:
        searched = {"searched": f"{siglum}.s0001-{siglum}.s{last:04}"} if row.status == "silent" else {}
        return {**clause, **searched, "on": [row.question.id], "because": because}
    seen = "sha256:" + hashlib.sha256(row.sentence.encode()).hexdigest()
    clause |= {"cites": [{"locus": f"{siglum}.s{at:04}", "exact": row.exact, "seen": seen}]}
    clause |= {"answers": {row.question.id: _to_plain_answer(row.value)}}
    if row.rival:
        rival = {"id": f"{siglum}.i{at:02}", "label": "otherwise", "answers": {row.question.id: row.rival}}
        clause |= {"label": "thus", "because": because, "rivals": [{**rival, "because": because}]}
    return clause


def _iter_synthetic_notes(siglum: str, last: int, rng: Random) -> Iterator[dict[str, Any]]:
    number = 0
    for at in range(1, last + 1):
        if rng.random() < _NOTE_RATE:
            number += 1
            words = " ".join(invent_words(rng, 20))
            note = {"id": f"{siglum}.note{number:02}", "on": f"{siglum}.s{at:04}", "kind": "commentary", "by": "ed1"}
            yield {**note, "text": f"{words.capitalize()}."}


# ---- deals
def read_playable_deals(real: Library) -> tuple[dict[str, Any], ...]:
    """Return the records of the real worked deals, without references to sources."""
    read = (read_yaml(Path(real.root) / path, path)[0] for path in real.deals)
    records = (raw for raw in read if isinstance(raw, dict))
    bare = ({key: value for key, value in raw.items() if key not in ("expect", "cites")} for raw in records)
    return tuple(record for record in bare if "tricks" in record)
