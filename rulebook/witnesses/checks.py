"""Checks of witness files: every fault with file, line and hint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path

from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.spelling import SPELLING, Spelling, read_spelling
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean
from rulebook.tei.checks import (
    a_choice_has_two_sides,
    apostrophes_are_straight,
    pointers_resolve,
    text_ids_are_given_once,
    text_letters_are_fit,
)
from rulebook.tei.document import Document, get_attribute, open_document
from rulebook.tei.validation import WITNESS_SCHEMA_PATH, merge_problems
from rulebook.text import Text
from rulebook.witnesses.collate import REFUTED, collate
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS, Collation, Witness, WitnessVariant
from rulebook.witnesses.reader import WITNESS_FILES, read_raw_letters, read_witness, transcribed_letters

_JUDGED_KINDS = tuple(kind for kind in WITNESS_VARIANT_KINDS if kind != "punctuation")
_SHOWN_LETTERS = 24  #: of a place where two transcriptions part
_CONFIRMED = {"cert": "high", "evidence": "external"}  #: attributes of an emendation that a witness bears out


@dataclass(frozen=True)
class OpenedWitness:
    """A witness file with all that it is checked against."""

    document: Document
    witness: Witness
    text: Text
    collation: Collation
    raw: str  #: letters of the raw transcription, without white space
    sources: Collection[str]
    questions: Collection[str]

    def problem(self, line: int, what: str, way_out: str) -> Problem:
        """Say that something is wrong in the file of the witness."""
        return Problem(self.witness.file, line, 1, what, way_out)


def open_witness(
    path: Path,
    name: str,
    text: Text,
    spelling: Spelling,
    sources: Collection[str] = (),
    questions: Collection[str] = (),
) -> tuple[OpenedWitness | None, list[Problem]]:
    """Read a witness file, collate it and check it; *name* is what the file is called in messages."""
    document, problems = open_document(path)
    if document is None:
        return None, [
            Problem(name, problem.line, problem.column, problem.what, problem.way_out) for problem in problems
        ]
    document = Document(name, document.letters, document.root)
    own = [problem for check in _DOCUMENT_CHECKS for problem in check(document)]
    faults = merge_problems(document, own, WITNESS_SCHEMA_PATH)
    raw_path = path.with_suffix(".txt")
    raw, unread = read_raw_letters(raw_path, f"{name.removesuffix('.xml')}.txt")
    if faults or unread:
        return None, sorted([*faults, *unread])
    witness = read_witness(document, text.siglum, name)
    opened = OpenedWitness(document, witness, text, collate(witness, text, spelling), raw, sources, questions)
    return opened, sorted({problem for check in WITNESS_CHECKS for problem in check(opened)})


# ---- the file
def a_witness_has_its_own_name(witness: OpenedWitness) -> Iterator[Problem]:
    """The id of a witness is the name of its file, and no source has it."""
    siglum, stem = witness.witness.siglum, Path(witness.witness.file).stem
    if siglum != stem:
        yield witness.problem(
            1, f"the file {stem} holds the witness {siglum or 'without a name'}", "give both one name"
        )
    if siglum in witness.sources:
        yield witness.problem(1, f"{siglum} is a source", "take another siglum for the witness")


def a_witness_is_described(witness: OpenedWitness) -> Iterator[Problem]:
    """The header says what the witness is, of what year, where it was seen and what was corrected."""
    record = witness.witness
    for value, what, way_out in (
        (record.title, "has no title", "add <title> to titleStmt"),
        (record.date, "has no date", "add <date> to bibl; if it is unknown, say so in it"),
        (
            record.scope,
            "does not say what was consulted",
            'add <biblScope unit="consulted" from="..." to="..."> to bibl',
        ),
        (record.seen, "does not say where it was seen", "add <note> to bibl"),
        (record.corrected, "does not say what was corrected", "add <correction> to editorialDecl"),
    ):
        if not value:
            yield witness.problem(1, what, way_out)


def every_correction_is_signed(witness: OpenedWitness) -> Iterator[Problem]:
    """Yield corrections of the transcription that nobody has signed."""
    for element in witness.document.all("corr"):
        if not get_attribute(element, "resp"):
            yield witness.document.problem(element, "a correction that nobody signs", 'add resp="#..." to <corr>')


def the_words_add_up(witness: OpenedWitness) -> Iterator[Problem]:
    """The words of the file, corrections left out, are those of the raw transcription, letter by letter."""
    ours = [*transcribed_letters(witness.document)]
    for at, (entry, wanted) in enumerate(zip_longest(ours, witness.raw)):
        if entry is None or entry[0] != wanted:
            line = entry[1] if entry else ours[-1][1] if ours else 1
            raw, file = (
                witness.raw[at : at + _SHOWN_LETTERS],
                "".join(letter for letter, _ in ours[at:][:_SHOWN_LETTERS]),
            )
            both = quote_value(raw or "nothing"), quote_value(file or "nothing")
            what = f"the raw transcription goes on with {both[0]}, the file with {both[1]}"
            yield witness.problem(
                line, what, "take the words over as they stand there; correct them by choice, sic and corr"
            )
            return


# ---- the sentences
def every_sentence_is_known(witness: OpenedWitness) -> Iterator[Problem]:
    """A sentence points to one of ours, or has an id of its own."""
    for line in witness.witness.sentences:
        if line.matched and line.id not in witness.text.sentences:
            hint = did_you_mean(
                line.id, witness.text.sentences, f'write corresp="text.xml#{witness.text.siglum}.s0001"'
            )
            yield witness.problem(line.line, f"{line.id} is no sentence of {witness.text.siglum}", hint)
        elif not line.matched and not line.id.startswith(f"{witness.witness.siglum}."):
            way_out = f'add corresp, or xml:id="{witness.witness.siglum}.s0001" if our text has no such sentence'
            yield witness.problem(line.line, "a sentence that corresponds to nothing has no id", way_out)


def sentences_stand_in_order(witness: OpenedWitness) -> Iterator[Problem]:
    """The sentences follow our text, each once; a witness in another order cannot be collated here."""
    places = {id: at for at, id in enumerate(witness.text.sentences)}
    lines = [line for line in witness.witness.sentences if line.id in places]
    for before, after in pairwise(lines):
        if places[after.id] <= places[before.id]:
            yield witness.problem(
                after.line, f"{after.id} stands after {before.id}", "keep the order of our text, each once"
            )


def the_consulted_range_is_kept(witness: OpenedWitness) -> Iterator[Problem]:
    """Every sentence of the range that was consulted stands in the file, and none outside it."""
    places, record = {id: at for at, id in enumerate(witness.text.sentences)}, witness.witness
    for end in (record.first, record.last):
        if record.scope and end not in places:
            hint = did_you_mean(end, places, "write the ids of the first and the last sentence")
            what = f"what was consulted ends with {quote_value(end or 'nothing')}, no sentence of ours"
            yield witness.problem(1, what, hint)
    if record.first not in places or record.last not in places:
        return
    wanted = {id for id, at in places.items() if places[record.first] <= at <= places[record.last]}
    for line in record.sentences:
        if line.id in places and line.id not in wanted:
            what = f"{line.id} stands outside what was consulted, {record.first} to {record.last}"
            yield witness.problem(line.line, what, "correct biblScope, or take the sentence out")
    for id in sorted(wanted - {line.id for line in record.sentences}):
        what = f"{id} lies within the part consulted and is not in the file"
        yield witness.problem(1, what, "add the sentence, or change what biblScope says was consulted")


# ---- the variants
def every_variant_has_a_kind(witness: OpenedWitness) -> Iterator[Problem]:
    """Yield the variants that no rule of spelling explains and no editor has judged."""
    for variant in witness.collation.variants:
        if not variant.kind:
            what = f"{variant.sentence}: {_show(variant)}: no rule says of what kind this variant is"
            yield witness.problem(
                variant.line, what, "judge it: an <app> with type, lem, rdg and a signed note in listApp"
            )


def _show(variant: WitnessVariant) -> str:
    return f"{quote_value(variant.ours or 'nothing')} here, {quote_value(variant.theirs or 'nothing')} there"


def every_judgement_is_on_a_variant(witness: OpenedWitness) -> Iterator[Problem]:
    """A judgement has a kind, a reason and a hand, and there is the variant of which it speaks."""
    there = {
        (variant.sentence, variant.ours, variant.theirs)
        for variant in witness.collation.variants
        if variant.sizes != (0, 0)
    }
    for given in witness.witness.judgements:
        if given.kind not in _JUDGED_KINDS:
            hint = did_you_mean(given.kind, _JUDGED_KINDS, f"use {', '.join(_JUDGED_KINDS)}")
            yield witness.problem(given.line, f"{quote_value(given.kind or 'nothing')} is no kind of variant", hint)
        if not given.reason or not given.by:
            way_out = 'add <note type="reason" resp="#...">, with the reason in it'
            yield witness.problem(given.line, "a judgement without a signed reason", way_out)
        if (given.sentence, given.ours, given.theirs) not in there:
            what = f"{given.sentence} has no variant {quote_value(given.ours)} here, {quote_value(given.theirs)} there"
            variants = [_show(v) for v in witness.collation.variants if v.sentence == given.sentence and not v.kind]
            yield witness.problem(
                given.line, what, f"there is {'; '.join(variants)}" if variants else "take the judgement out"
            )


def every_substantive_variant_is_weighed(witness: OpenedWitness) -> Iterator[Problem]:
    """Of another word it is said which answers it would change, or that it changes none, and why."""
    for given in witness.witness.judgements:
        if given.kind == "substantive" and not given.weighed:
            way_out = 'add <note type="moves" n="none"> or n="Q001 Q002", with the reason in it'
            yield witness.problem(given.line, "a substantive variant of which nobody says what it moves", way_out)
        for id in given.moves:
            if id not in witness.questions:
                hint = did_you_mean(id, witness.questions, "write the ids of questions, or none")
                yield witness.problem(given.line, f"{id} is no question", hint)


def emendations_agree_with_the_witness(witness: OpenedWitness) -> Iterator[Problem]:
    """An emendation that the witness bears out is certain on its evidence; one that it refutes is withdrawn."""
    file = f"{witness.witness.file.rpartition('/witnesses/')[0]}/text.xml"
    for id, verdict in witness.collation.verdicts.items():
        emendation = witness.text.emendations[id]
        where = Where(file, emendation.line)
        if verdict == REFUTED:
            what = f"{witness.witness.siglum} has {quote_value(emendation.sic)} too, which refutes the emendation {id}"
            yield where.problem(what, "withdraw it, with a tombstone, and prove again what rests on it")
        elif (emendation.cert, emendation.evidence) != (_CONFIRMED["cert"], _CONFIRMED["evidence"]):
            what = f"{witness.witness.siglum} bears out the emendation {id}, which does not say so"
            yield where.problem(what, " ".join(f'write {key}="{value}"' for key, value in _CONFIRMED.items()))


_DOCUMENT_CHECKS: tuple[Callable[[Document], Iterator[Problem]], ...] = (
    text_ids_are_given_once,
    a_choice_has_two_sides,
    pointers_resolve,
    text_letters_are_fit,
    apostrophes_are_straight,
)
WITNESS_CHECKS: tuple[Callable[[OpenedWitness], Iterator[Problem]], ...] = (
    a_witness_has_its_own_name,
    a_witness_is_described,
    every_correction_is_signed,
    the_words_add_up,
    every_sentence_is_known,
    sentences_stand_in_order,
    the_consulted_range_is_kept,
    every_variant_has_a_kind,
    every_judgement_is_on_a_variant,
    every_substantive_variant_is_weighed,
    emendations_agree_with_the_witness,
)


def open_witnesses(root: Path, library: Library) -> tuple[list[OpenedWitness], list[Problem]]:
    """Open every witness below a folder of sources, and check it beside its text."""
    spelling = read_spelling(root / SPELLING)[0]  # its faults are the library's
    opened, problems = list[OpenedWitness](), list[Problem]()
    texts = {siglum: source.text for siglum, source in library.sources.items()}
    questions = {question.id for question in library.questions.values()}
    for path in sorted(root.glob(WITNESS_FILES)):
        name = f"{root.name}/{path.relative_to(root).as_posix()}"
        text = texts.get(path.parents[1].name)
        if text is None:
            problems.append(
                Where(name).problem("is a witness of no text", "put it into the folder of a source with a text.xml")
            )
            continue
        witness, faults = open_witness(path, name, text, spelling, texts.keys(), questions)
        problems += faults
        opened += [witness] if witness else []
    return opened, problems
