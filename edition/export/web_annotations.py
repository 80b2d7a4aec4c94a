"""Every citation as a Web Annotation: these words of this sentence, and what a clause takes from them.

What is annotated is the TEI file of the source, which lies in the folder `tei` beside; there the sentence is found by
its id, and in it the words with what stands before and after. Addresses are relative, so that both folders can be
laid anywhere together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from edition.corpus.corpus import Corpus
from edition.data.citation_cff import TERMS
from edition.export.file import ANNOTATIONS, Made, around, without_nothing, words_of
from edition.export.tables import as_json
from edition.export.tei import name
from rulebook.answers.values import canonical
from rulebook.model import Cite, Clause, Source

Node = dict[str, Any]
XML_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3023"  #: a fragment is the id of an element


def made(corpus: Corpus) -> Iterator[Made]:
    """A file for every source."""
    for siglum, source in corpus.library.sources.items():
        letters = as_json(collection(corpus, source)).encode()
        yield Made(f"{siglum}.jsonld", letters, f"{siglum}: every citation, with the clause that rests on it", siglum)


def collection(corpus: Corpus, source: Source) -> Node:
    """All citations of a source, in the order of its clauses."""
    items = [one for clause in source.clauses for one in annotated(corpus, source, clause)]
    here = f"{source.siglum}.jsonld"
    return {
        "@context": ANNOTATIONS,
        "id": here,
        "type": "AnnotationCollection",
        "label": f"The citations of {source.siglum}: {source.title}",
        "rights": TERMS["CC-BY-4.0"],
        "total": len(items),
        "first": {"id": f"{here}#first", "type": "AnnotationPage", "startIndex": 0, "items": items},
    }


def annotated(corpus: Corpus, source: Source, clause: Clause) -> Iterator[Node]:
    """A clause's citations, each by itself."""
    text = f"../tei/{source.siglum}.xml"
    for at, cite in enumerate(clause.cites, 1):
        targets = [*places(corpus, source, cite, text)]
        yield without_nothing(
            {
                "id": f"{source.siglum}.jsonld#{clause.id}.{at}",
                "type": "Annotation",
                "motivation": "classifying",
                "creator": f"{text}#{name(clause.coder)}" if clause.coder else "",
                "body": [*bodies(corpus, clause, cite, text)],
                "target": targets[0] if len(targets) == 1 else targets,
            }
        )


def bodies(corpus: Corpus, clause: Clause, cite: Cite, text: str) -> Iterator[Node]:
    """The clause; what it answers to which question; and whether the words are its ground, or speak against it."""
    yield {"type": "SpecificResource", "source": f"{text}#{clause.id}", "purpose": "linking"}
    for slug in clause.questions:
        asked = corpus.library.questions[slug]
        said = canonical(clause.answers[slug]) if slug in clause.answers else clause.status
        yield {"type": "SpecificResource", "source": f"{text}#{asked.id}", "purpose": "identifying"}
        yield plain(f"{asked.id}: {said}", "classifying")
    yield plain(cite.role, "tagging")


def plain(words: str, purpose: str) -> Node:
    """Some words of ours."""
    return {"type": "TextualBody", "value": words, "format": "text/plain", "language": "en", "purpose": purpose}


def places(corpus: Corpus, source: Source, cite: Cite, text: str) -> Iterator[Node]:
    """Where the words stand: in a sentence; over several, in the text; or, without words, the statements themselves."""
    loci = corpus.loci(cite)
    if len(loci) > 1 and words_of(source, cite):
        yield {"type": "SpecificResource", "source": text, "selector": quote(source, cite)}
        return
    for locus in loci:
        fragment = {"type": "FragmentSelector", "conformsTo": XML_FRAGMENTS, "value": locus}
        within = {"refinedBy": quote(source, cite)} if words_of(source, cite) else {}
        yield {"type": "SpecificResource", "source": text, "selector": {**fragment, **within}}


def quote(source: Source, cite: Cite) -> Node:
    """The words, with what stands around them."""
    before, after = around(source, cite)
    words = {"exact": words_of(source, cite), "prefix": before, "suffix": after}
    return {"type": "TextQuoteSelector", **{key: one for key, one in words.items() if one}}
