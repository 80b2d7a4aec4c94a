"""The coding of a source beside its text: quotations, clauses, rivals, notes and links in `standOff`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from edition.corpus.collations import read_collations
from edition.corpus.corpus import Corpus
from edition.export import tei_elements
from edition.export.file import get_quotable_words, make_file_id
from edition.export.tei_declarations import make_policy_id
from edition.export.tei_witnesses import list_apparatus
from edition.text.answers import find_sure_certainty
from rulebook import model
from rulebook.answers.values import format_canonical
from rulebook.checks.numerals import CONTROL, LOCUS, OURS_NOTE, is_numeric
from rulebook.quotations import list_loci, select_loci
from rulebook.strings import single_spaced
from rulebook.tei.document import TEI_PREFIX, XML_ID

#: What each pointer of a link is, for links that all have the same number of them.
_LINK_ORDERS: Mapping[str, str] = {"translation": "original translation"}
_COMPUTATION_NOTE = re.compile(r"\(([^()]*)\)")  # 4 (ours), 2 (GER.s0040)


def build_standoff(corpus: Corpus, source: model.Source, translated: Mapping[str, str]) -> tei_elements.TeiElement:
    """Build `standOff`: quotations, clauses with their rivals, notes, variants, and what rests on each sentence.

    *translated* has the id of the translation of each sentence.
    """
    spans = [span for clause in source.clauses for span in _build_quotation_spans(source, clause)]
    groups = [
        group
        for clause in source.clauses
        for group in (
            _build_clause_group(corpus, source, clause),
            *(_build_alternative_group(corpus, clause, alternative) for alternative in clause.alternatives),
        )
    ]
    notes = [*map(_build_note, source.notes)]
    parts = [
        *([tei_elements.make_element("spanGrp", spans, type="quotations")] if spans else []),
        *(group for group in groups if len(group.findall(f"{TEI_PREFIX}interp"))),
        *([tei_elements.make_element("listAnnotation", notes, type="notes")] if notes else []),
    ]
    known = {str(element.get(XML_ID)) for part in parts for element in (part, *part)}
    apparatus = list_apparatus(read_collations(corpus).get(source.siglum, ()))
    rows = [*parts, *apparatus, *_build_link_groups(source, translated, known)]
    return tei_elements.make_element(
        "standOff", rows, lang="en", decls=tei_elements.format_pointers(make_policy_id(source.siglum))
    )


def _build_link_groups(
    source: model.Source, translated: Mapping[str, str], known: Container[str]
) -> Iterator[tei_elements.TeiElement]:
    """Links from each sentence to its translation, and to every clause, rival and note that rests on it."""
    resting = {
        locus: [target for target in dict.fromkeys(ids) if target in known]
        for locus, ids in _find_resting(source).items()
    }
    for kind, targets in (
        ("translation", {key: [target] for key, target in translated.items()}),
        ("evidence", resting),
    ):
        links = [
            tei_elements.make_element("link", target=tei_elements.format_pointers(key, *targets[key]))
            for key in targets
            if targets[key]
        ]
        if links:
            yield tei_elements.make_element("linkGrp", links, type=kind, targFunc=_LINK_ORDERS.get(kind, ""))


def _find_resting(source: model.Source) -> Mapping[str, list[str]]:
    """Everything that can be cited -> the ids of the clauses, rivals and notes that rest on it."""
    resting: dict[str, list[str]] = {locus: [] for locus in list_loci(source)}
    for clause in source.clauses:
        for locus in (locus for cite in clause.cites for locus in select_loci(source, cite.locus, cite.to)):
            resting[locus] += [clause.id, *(alternative.id for alternative in clause.alternatives)]
    emended = source.text.emendations if source.text else {}
    for note in source.notes:
        locus = emended[note.on].sentence if note.on in emended else note.on
        if locus in resting:
            resting[locus].append(note.id)
    return resting


def _build_quotation_spans(source: model.Source, clause: model.Clause) -> Iterator[tei_elements.TeiElement]:
    for id, cite, words in _list_quotations(source, clause):
        yield tei_elements.make_element(
            "span",
            words,
            id=id,
            lang=source.language,
            type=cite.role,
            subtype=cite.view,
            from_=tei_elements.format_pointers(cite.locus),
            to=tei_elements.format_pointers(cite.to),
            ana=tei_elements.format_pointers(clause.id),
        )


def _list_quotations(source: model.Source, clause: model.Clause) -> Iterator[tuple[str, model.Cite, str]]:
    """Citations of a clause whose words may be printed, with the ids of their spans."""
    for at, cite in enumerate(clause.cites, 1):
        if words := get_quotable_words(source, cite):
            yield f"{clause.id}.{at}", cite, words


def _list_grounds(source: model.Source, clause: model.Clause) -> list[str]:
    """Ids of what a clause rests on: its quotations, or where none may be printed the statements themselves."""
    spans = [id for id, _, _ in _list_quotations(source, clause)]
    return spans or [locus for cite in clause.cites for locus in select_loci(source, cite.locus, cite.to)]


def _build_clause_group(corpus: Corpus, source: model.Source, clause: model.Clause) -> tei_elements.TeiElement:
    hands = [tei_elements.to_xml_id(hand) for hand in (clause.coder, clause.reviewer)]
    rows = [
        *_build_remarks(label=clause.label, because=clause.because, searched=clause.searched, note=clause.note),
        *(
            _build_answer_interp(corpus, clause.id, slug, clause.answers.get(slug), clause.status)
            for slug in clause.questions
        ),
    ]
    return tei_elements.make_element(
        "interpGrp",
        rows,
        id=clause.id,
        type="clause",
        resp=tei_elements.format_pointers(*dict.fromkeys(hands)),
        cert=find_sure_certainty(source, clause.status, bool(clause.answers), clause.cert),
        inst=tei_elements.format_pointers(*dict.fromkeys(_list_grounds(source, clause))),
    )


def _build_answer_interp(
    corpus: Corpus, id: str, slug: str, value: model.Value | None, status: str
) -> tei_elements.TeiElement:
    """`interp` of one answer, pointing to its question, and to its reading if the question has a closed list."""
    asked = corpus.library.questions[slug]
    reading = f"{asked.id}.{make_file_id(value)}" if isinstance(value, str) and value in asked.readings else ""
    supplied = "supplied" if status == "silent" and value is not None else ""
    what = "" if value is None else format_canonical(value)
    return tei_elements.make_element(
        "interp",
        what,
        id=f"{id}.{asked.id}",
        type=status,
        subtype=supplied,
        ana=tei_elements.format_pointers(asked.id, reading),
    )


def _build_alternative_group(
    corpus: Corpus, clause: model.Clause, alternative: model.Alternative
) -> tei_elements.TeiElement:
    rows = [
        *_build_remarks(label=alternative.label, because=alternative.because, searched=alternative.searched),
        *(
            _build_answer_interp(corpus, alternative.id, slug, value, _find_status(clause, alternative, value))
            for slug, value in alternative.answers.items()
        ),
        *(_build_answer_interp(corpus, alternative.id, slug, None, "silent") for slug in alternative.silent),
    ]
    return tei_elements.make_element(
        "interpGrp",
        rows,
        id=alternative.id,
        type=alternative.kind,
        cert=alternative.cert,
        corresp=tei_elements.format_pointers(clause.id),
    )


def _find_status(clause: model.Clause, alternative: model.Alternative, value: model.Value) -> str:
    """Status of an alternative's answer: its clause's, but silent for a figure that the source does not name."""
    return "silent" if is_numeric(value) and _has_figure_from_elsewhere(alternative) else clause.status


def _has_figure_from_elsewhere(alternative: model.Alternative) -> bool:
    """Return whether the computation of an alternative starts from a number of ours or of another source."""
    siglum = alternative.id.partition(".")[0]
    notes = _COMPUTATION_NOTE.findall(alternative.computation.partition(CONTROL)[0])
    return any(note == OURS_NOTE or (LOCUS.fullmatch(note) and note.partition(".")[0] != siglum) for note in notes)


def _build_remarks(**remarks: str) -> Iterator[tei_elements.TeiElement]:
    return (
        tei_elements.make_element("desc", single_spaced(words), type=kind) for kind, words in remarks.items() if words
    )


def _build_note(note: model.Note) -> tei_elements.TeiElement:
    return tei_elements.make_element(
        "note",
        single_spaced(note.text),
        id=note.id,
        type=make_file_id(note.kind),
        resp=tei_elements.format_pointers(tei_elements.to_xml_id(note.by)),
        target=tei_elements.format_pointers(note.on),
    )
