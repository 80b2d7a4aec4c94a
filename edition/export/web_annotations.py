"""Every citation as a Web Annotation: these words of this sentence, and what a clause takes from them.

What is annotated is the TEI file of the source, which lies in the folder `tei` beside; there the sentence is found by
its id, and in it the words with what stands before and after. Addresses are relative, so that both folders can be
laid anywhere together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from edition.corpus.citation_cff import LICENCE_URLS
from edition.corpus.corpus import Corpus
from edition.export.file import (
    ExportFile,
    drop_empty_entries,
    find_quotation_context,
    get_quotable_words,
)
from edition.export.tables import format_export_json
from edition.export.tei_elements import qualify_id, to_xml_id
from rulebook.answers.values import format_canonical
from rulebook.model import Cite, Clause, Source

_JsonObject = dict[str, Any]
VIEWS_FILE = "README.txt"  #: says how each view of a sentence is made, in which its quotations are found
_CONTEXT = "http://www.w3.org/ns/anno.jsonld"  #: named, as its readers demand; nothing of ours fetches it
XML_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3023"  #: a fragment is the id of an element


def export_web_annotations(corpus: Corpus) -> Iterator[ExportFile]:
    """One Web Annotation file per source, in the order of its clauses."""
    for siglum, source in corpus.library.sources.items():
        path = f"{siglum}.jsonld"
        items = [annotation for clause in source.clauses for annotation in _annotate_clause(corpus, source, clause)]
        collection = {
            "@context": _CONTEXT,
            "id": path,
            "type": "AnnotationCollection",
            "label": f"The citations of {siglum}: {source.title}",
            "rights": LICENCE_URLS["CC-BY-4.0"],
            "total": len(items),
            "first": {"id": f"{path}#first", "type": "AnnotationPage", "startIndex": 0, "items": items},
        }
        says = f"{siglum}: every citation, with the clause that rests on it"
        yield ExportFile(path, format_export_json(collection).encode(), says, siglum)


def _annotate_clause(corpus: Corpus, source: Source, clause: Clause) -> Iterator[_JsonObject]:
    siglum, text = source.siglum, f"../tei/{source.siglum}.xml"
    for at, cite in enumerate(clause.cites, 1):
        targets = [*build_annotation_targets(corpus, source, cite, text)]
        yield drop_empty_entries(
            {
                "id": f"{siglum}.jsonld#{clause.id}.{at}",
                "type": "Annotation",
                "motivation": "classifying",
                "creator": f"{text}#{qualify_id(siglum, to_xml_id(clause.coder))}" if clause.coder else "",
                "body": [*_build_annotation_bodies(corpus, siglum, clause, cite)],
                "target": targets[0] if len(targets) == 1 else targets,
            }
        )


def _build_annotation_bodies(corpus: Corpus, siglum: str, clause: Clause, cite: Cite) -> Iterator[_JsonObject]:
    text = f"../tei/{siglum}.xml"
    yield {"type": "SpecificResource", "source": f"{text}#{clause.id}", "purpose": "linking"}
    for slug in clause.questions:
        asked = corpus.library.questions[slug]
        answer = format_canonical(clause.answers[slug]) if slug in clause.answers else clause.status
        yield {"type": "SpecificResource", "source": f"{text}#{qualify_id(siglum, asked.id)}", "purpose": "identifying"}
        yield _build_textual_body(f"{asked.id}: {answer}", "classifying")
    yield _build_textual_body(cite.role, "tagging")


def _build_textual_body(words: str, purpose: str) -> _JsonObject:
    return {"type": "TextualBody", "value": words, "format": "text/plain", "language": "en", "purpose": purpose}


def build_annotation_targets(corpus: Corpus, source: Source, cite: Cite, text: str) -> Iterator[_JsonObject]:
    """Targets of a citation.

    One sentence with its quotation; for a quotation over several sentences, the whole text; without a quotation, the
    statements themselves.
    """
    loci, exact = corpus.loci(cite), get_quotable_words(source, cite)
    before, after = find_quotation_context(source, cite) if exact else ("", "")
    words = {"type": "TextQuoteSelector", "conformsTo": f"{VIEWS_FILE}#{cite.view}", "exact": exact}
    quote = drop_empty_entries({**words, "prefix": before, "suffix": after})
    if len(loci) > 1 and exact:
        yield {"type": "SpecificResource", "source": text, "selector": quote}
        return
    for locus in loci:
        fragment = {"type": "FragmentSelector", "conformsTo": XML_FRAGMENTS, "value": locus}
        within = {"refinedBy": quote} if exact else {}
        yield {"type": "SpecificResource", "source": text, "selector": {**fragment, **within}}
