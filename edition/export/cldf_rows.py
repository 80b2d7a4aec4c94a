"""Rows of the CLDF tables, each cell under its column's name or under that of the export table it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from edition.corpus.corpus import Corpus
from edition.export.file import get_quotable_words, make_file_id
from edition.export.tables import EDITION_TABLES, list_cited_places
from edition.text.answers import find_sure_certainty
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.model import Cite, Clause, Question, Source
from rulebook.open_answers import find_open_answers
from rulebook.phrases import capitalise
from rulebook.strings import single_spaced

CldfRow = Mapping[str, Any]  #: the cells, each under the export column that it is taken from, else its own column


def list_language_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every source."""
    for row in EDITION_TABLES["sources"].records(corpus):
        yield {**row, "Printed_Here": "true" if row["printed"] else "false", "Source": row["siglum"]}


def list_parameter_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every question."""
    for row in EDITION_TABLES["questions"].records(corpus):
        asked = corpus.library.questions[row["slug"]]
        yield {
            **row,
            "Coding": single_spaced(asked.coding),
            "Measure": "" if asked.closed else " ".join(row["answers"]),
            "Not_Played": single_spaced(asked.not_played),
        }


def list_code_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every reading of every question that has a closed list of them."""
    for asked in corpus.library.questions.values():
        for slug, gloss in asked.readings.items():
            trial = asked.proposed.get(slug)
            yield {
                "ID": _code_id(asked, slug),
                "question": asked.id,
                "Name": slug,
                "Description": single_spaced(gloss),
                "Proposed_By": trial.source if trial else "",
                "Not_Played": single_spaced(trial.not_played) if trial else "",
            }


def _code_id(asked: Question, reading: str) -> str:
    """Return the id of a reading; none for an answer outside a closed list."""
    return make_file_id(f"{asked.id}-{reading}") if reading in asked.readings else ""


def list_value_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every source on every question, also where there is only a reason for saying nothing."""
    left_open = {siglum: find_open_answers(corpus.library, siglum) for siglum in corpus.library.sources}
    for row in EDITION_TABLES["cells"].records(corpus):
        asked, source = corpus.library.questions[row["slug"]], corpus.library.sources[row["source"]]
        cell = corpus.cell(source.siglum, asked.slug)
        clauses = cell.clauses if cell else ()
        own, supplied = (_NO_ANSWER, _read_answer(row)) if row["supplied"] else (_read_answer(row), _NO_ANSWER)
        yield {
            **row,
            "ID": f"{asked.id}-{source.siglum}",
            "Value": own[0],
            "Code_ID": _code_id(asked, own[0]),
            "Comment": " ".join(_list_remarks(source, row["status"], clauses)),
            "Supplied_Value": supplied[0],
            "Quotation": row["quotation"] if source.text else (),
            "Clause_IDs": [*map(make_file_id, row["clauses"])],
            **_cite_loci(corpus, source, [cite for clause in clauses for cite in clause.cites]),
            "Value_JSON": own[1],
            "Supplied_Value_JSON": supplied[1],
            "Resolved_JSON": row["value_json"],
            "Resolved_Rests_On_Supplied": "true" if row["rests_on_supplied"] else "false",
            "Supplied_Code_ID": _code_id(asked, supplied[0]),
            "Left_Open": "true" if asked.slug in left_open[source.siglum].questions else "false",
            "Rival_Values": [*map(format_canonical, left_open[source.siglum].rivals.get(asked.slug, ()))],
        }


_NO_ANSWER = ("", "")


def _list_remarks(source: Source, status: str, clauses: Sequence[Clause]) -> Iterator[str]:
    """Yield the reasons of clauses, each once, after a note where a source that is not whole has no answer."""
    if source.partial and status == "silent":
        yield f"{capitalise(NOT_CONSULTED)}."
    yield from dict.fromkeys(single_spaced(clause.because) for clause in clauses if clause.because)


def _read_answer(row: CldfRow) -> tuple[str, str]:
    """Return an answer as text and as JSON."""
    return row["reading"] or "", row["reading_json"] or ""


def _cite_loci(corpus: Corpus, source: Source, cites: Sequence[Cite]) -> CldfRow:
    """Return the places as a reference, and as the sentences printed here or the statements in our own words."""
    places = ", ".join(list_cited_places(cites))
    loci = [*map(make_file_id, dict.fromkeys(locus for cite in cites for locus in corpus.loci(cite)))]
    return {
        "Source": f"{source.siglum}[{places}]" if places else "",
        "Example_IDs": loci if source.text else (),
        "Statement_IDs": () if source.text else loci,
    }


def list_sentence_rows(corpus: Corpus, printed: bool) -> Iterator[CldfRow]:
    """Yield every sentence of the sources that are printed here, or every statement of those that are not."""
    rows = (row for row in EDITION_TABLES["sentences"].records(corpus) if bool(row["printed"]) is printed)
    return ({**row, "ID": make_file_id(row["sentence"])} for row in rows)


def list_cldf_clause_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every clause with its places."""
    questions = corpus.library.questions
    for clause in corpus.library.clauses():
        source = corpus.library.sources[clause.source]
        answers = (f"{questions[slug].id}={format_canonical(value)}" for slug, value in clause.answers.items())
        yield {
            "ID": make_file_id(clause.id),
            "source": clause.source,
            "clause": clause.id,
            "Parameter_IDs": [questions[slug].id for slug in clause.questions],
            "Answers": [*answers],
            "status": clause.status,
            "certainty": find_sure_certainty(source, clause.status, bool(clause.answers), clause.cert),
            "Quotation": [
                quotable_words for cite in clause.cites if (quotable_words := get_quotable_words(source, cite))
            ],
            "because": " ".join(_list_remarks(source, clause.status, (clause,))),
            "Searched": clause.searched,
            "Taken_From": clause.taken_from,
            "coder": clause.coder,
            "reviewer": clause.reviewer,
            **_cite_loci(corpus, source, clause.cites),
        }


def list_cldf_alternative_rows(corpus: Corpus) -> Iterator[CldfRow]:
    """Yield every rival interpretation and option, once for each question that it answers."""
    for row in EDITION_TABLES["alternatives"].records(corpus):
        yield {
            **row,
            "ID": make_file_id(f"{row['alternative']}-{row['question']}"),
            "Clause_ID": make_file_id(row["clause"]),
            "Code_ID": _code_id(corpus.library.question(row["question"]), row["reading"]),
        }
