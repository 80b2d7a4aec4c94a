"""Declarations on the coding in a TEI header: its vocabulary, its policy, how a place is cited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.rights import get_layer_rights
from edition.export.tei_elements import TeiElement, find_child, make_element, make_paragraph
from edition.text.passes import describe_passes
from rulebook.model import Source
from rulebook.quotations import list_loci
from rulebook.tei.document import TEI_PREFIX
from rulebook.witnesses.model import WITNESS_VARIANT_KINDS


@dataclass(frozen=True, slots=True)
class CodingVocabulary:
    """A closed list of the coding: where its words stand, and what each means."""

    where: str
    meanings: Mapping[str, str]


#: The lists by the names of their taxonomies.
CODING_VOCABULARIES: Mapping[str, CodingVocabulary] = {
    "group": CodingVocabulary(
        "interpGrp/@type: whose answers these are.",
        {
            "clause": "What the source says or does not say, as we read it.",
            "interpretation": "A rival: another way to understand the words of the clause that corresp points to.",
            "option": "Another way to play that the source itself offers beside that clause.",
        },
    ),
    "status": CodingVocabulary(
        "interp/@type: how an answer stands in the source. A rival or an option has the status of its clause; but an "
        "option for which the source names no figure is silent, and the figure is supplied.",
        {
            "stated": "Said outright.",
            "implied": "Not said outright, but it follows; desc of the type because says how.",
            "denied": "The source says that it is not so.",
            "ambiguous": "The words can be read in more ways than one: the clause has the reading preferred, its "
            "rivals have the others.",
            "contradictory": "The source says both, in different places.",
            "silent": "As far as it was consulted it says nothing; desc of the type searched says where we looked.",
            "inapplicable": "Another answer of the source rules the question out; desc of the type because says which.",
            "not-collated": "Nobody has looked yet.",
        },
    ),
    "addition": CodingVocabulary(
        "interp/@subtype: an answer that is not the source's.",
        {"supplied": "Ours, since the source is silent and play needs an answer; it is no testimony of the source."},
    ),
    "role": CodingVocabulary(
        "span/@type: what the words do for the clause that ana points to.",
        {
            "grounds": "They decide.",
            "supports": "They agree with it.",
            "against": "They speak against it.",
            "example": "They apply the rule to a case.",
        },
    ),
    "view": CodingVocabulary(
        "span/@subtype: which text is quoted, where choice has two.",
        {
            "diplomatic": "As transcribed: sic.",
            "emended": "As corrected: corr.",
            "reading": "As corrected, with regular spelling.",
        },
    ),
    "remark": CodingVocabulary(
        "desc/@type: remarks on a clause, a rival or an option.",
        {
            "label": "Its name.",
            "because": "The reason.",
            "searched": "The range read through, where the source is silent.",
            "note": "What else there is to say.",
        },
    ),
    "note": CodingVocabulary(
        "note/@type in standOff: what an editor's remark is about.",
        {
            "emendation": "Why the text was corrected there.",
            "commentary": "What we have to say on the words or the matter.",
            "transcription": "How the place was transcribed.",
        },
    ),
    "variant": CodingVocabulary(
        "listApp/app/@type: the kind of a variant. corresp points to the sentence, and to the emendation that the "
        "witness bears out; loc adds the place of the first word in it. note of the type moves has in n the questions "
        "whose answer would change, or none. In rdg, sic is what the transcription of the witness has, corr what we "
        "read.",
        {kind: f"{meaning[:1].upper()}{meaning[1:]}." for kind, meaning in WITNESS_VARIANT_KINDS.items()},
    ),
    "link": CodingVocabulary(
        "linkGrp/@type: what the pointers in link/@target are, in their order.",
        {
            "translation": "The sentence, then its translation, as targFunc says.",
            "evidence": "First the sentence, or our statement; then all that rests on it: clauses, each followed by "
            "its rivals and options, and notes. Their number varies; therefore there is no targFunc.",
        },
    ),
}

_CODING_POLICY = (
    "standOff holds what the edition reads out of the source. An interpGrp is a clause, a rival of it or an option; "
    "each interp in it answers one question: ana points to the question and, where the question has a closed list, to "
    "the reading; the words of interp are the answer as data. inst points to what the clause rests on. resp names who "
    "coded a clause and, after that, who read it again; a clause with one name was not read again.",
    "cert says how sure we are of our answer, not how clear the source is. Where the source is silent and an answer is "
    "supplied, it says how sure we are that this answer, and no other, is to be supplied; where none is, how sure we "
    "are that the source says nothing. Of a source that is not consulted whole nobody can be sure of that, and cert is "
    "left out.",
    "ed1, ed2 and so on, here with the siglum before them, are editorial passes: each is a working through the "
    "material, for the purpose that its resp names, and is named for what it was. The records of the edition give a "
    "pass no date.",
)


def declare_coding(header: TeiElement, source: Source) -> None:
    """Add to a header how the coding is to be understood, and how a place in the file is cited."""
    encoding = next(header.iter(f"{TEI_PREFIX}encodingDesc"))
    if (own := find_child(encoding, "editorialDecl")) is not None:
        own.set("default", "true")
    encoding.append(_build_coding_policy(source))
    encoding.append(_build_reference_system(source))
    encoding.append(make_element("classDecl", _build_taxonomies(source.siglum), lang="en"))


def make_policy_id(siglum: str) -> str:
    """Id of the policy that the coding follows."""
    return f"{siglum}.coding"


def _build_coding_policy(source: Source) -> TeiElement:
    says = [
        *_CODING_POLICY,
        *filter(None, [describe_passes([source])]),
        *([] if source.text else [_explain_missing_quotations(source)]),
    ]
    interpretation = make_element("interpretation", [*map(make_paragraph, says)])
    return make_element("editorialDecl", [interpretation], id=make_policy_id(source.siglum), lang="en", default="false")


def _explain_missing_quotations(source: Source) -> str:
    return (
        f"The words of the source ({get_layer_rights(source, 'text')}) are not printed in this file, and so there are "
        "no spans with quotations: inst of a clause points to our statements in their place. Where a note speaks of "
        "words quoted, it means the short quotations in the tables (CSV) and in JSON; the role of each stands in the "
        "Web Annotations."
    )


def _build_reference_system(source: Source) -> TeiElement:
    siglum, example = source.siglum, next(iter(list_loci(source)), source.siglum)
    translation = "; in the siglum of a translation its language follows" if source.translation else ""
    says = (
        f"A place is cited by its xml:id, such as {example}: the siglum of the source{translation}; a full stop; a "
        "letter or word for what it is; a running number. s is a sentence, n a statement of ours, c a clause, i a "
        "rival, o an option, e an emendation, note an editor's note. All other ids begin with the siglum too, so that "
        "files can be put together in a teiCorpus; without it, Q001 and ed1 are the same question and pass in each."
    )
    pattern = make_element(
        "cRefPattern",
        [make_paragraph(says)],
        matchPattern=rf"({siglum}(-[a-z]+)?\.[a-z]+[0-9]+)",
        replacementPattern="#$1",
    )
    return make_element("refsDecl", [pattern], lang="en")


def _build_taxonomies(siglum: str) -> Iterator[TeiElement]:
    for name, vocabulary in CODING_VOCABULARIES.items():
        rows = [
            make_element("category", [make_element("catDesc", says)], id=f"{siglum}.{name}.{word}", n=word)
            for word, says in vocabulary.meanings.items()
        ]
        yield make_element("taxonomy", [make_element("desc", vocabulary.where), *rows], id=f"{siglum}.{name}")
