"""The TEI files as an editor of TEI reads them: what is declared, what is ours, which words are taken."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from edition.export.tei_declarations import CODING_VOCABULARIES
from edition.export.tei_elements import POINTER_ATTRIBUTES, TeiElement
from rulebook.model import CITATION_ROLES, NOTE_KINDS, STATUSES, VIEWS, Library
from rulebook.tei.document import TEI_PREFIX, XML_ID

NAMES = {"t": TEI_PREFIX.strip("{}"), "d1": TEI_PREFIX.strip("{}")}  # d1 is what R's xml2 calls it
CODED = {  #: taxonomy -> the attributes in standOff whose words it declares
    "group": "t:interpGrp/@type",
    "status": "t:interpGrp/t:interp/@type",
    "addition": "t:interpGrp/t:interp/@subtype",
    "role": "t:spanGrp/t:span/@type",
    "view": "t:spanGrp/t:span/@subtype",
    "remark": "t:interpGrp/t:desc/@type",
    "note": "t:listAnnotation/t:note/@type",
    "link": "t:linkGrp/@type",
    "variant": "t:listApp/t:app/@type",
}


def matches(root: TeiElement, path: str) -> Any:
    """Everything an XPath finds."""
    return root.xpath(path, namespaces=NAMES)


@pytest.fixture(scope="module")
def files(exported: Path) -> dict[str, TeiElement]:
    return {path.stem: etree.parse(str(path)).getroot() for path in sorted((exported / "tei").glob("*.xml"))}


# ---- whose an answer is
def test_a_figure_that_the_source_does_not_name_is_supplied(files: dict[str, TeiElement]) -> None:
    ours = {}
    for root in files.values():
        for group in matches(root, "//t:interpGrp[t:desc[@type='label'][contains(., 'is ours')]]"):
            for one in matches(group, "t:interp[not(contains(@ana, ' '))]"):
                ours[one.get(XML_ID)] = (one.get("type"), one.get("subtype"))
    assert {"ACA.o01.Q062", "ACA.o02.Q099"} <= {*ours}
    assert {*ours.values()} == {("silent", "supplied")}


def test_an_option_that_the_source_names_stays_stated(files: dict[str, TeiElement]) -> None:
    stated = {
        id
        for root in files.values()
        for id in matches(root, "//t:interpGrp[@type='option']/t:interp[@type='stated']/@xml:id")
    }
    assert {"ACA.o01.Q061", "GER.o03.Q035", "GER.o04.Q020", "PAR.o01.Q065"} <= stated


# ---- quotations
def test_no_span_is_empty_and_a_clause_without_one_points_to_statements(
    files: dict[str, TeiElement], library: Library
) -> None:
    for siglum, root in files.items():
        assert all(words.strip() for words in matches(root, "//t:span/text()"))
        assert not matches(root, "//t:span[not(text())]"), siglum
        says = "there are no spans with quotations" in " ".join(matches(root, "string(t:teiHeader)").split())
        assert says == (not matches(root, "//t:span")) == (library.sources[siglum].text is None)
        cited = {clause.id for clause in library.sources[siglum].clauses if clause.cites}
        assert {*matches(root, "//t:interpGrp[@inst]/@xml:id")} == cited
    assert all(one.startswith("#PAR.n") for one in matches(files["PAR"], "//t:interpGrp/@inst"))


# ---- ids
def test_no_id_stands_in_two_files_and_every_pointer_leads_to_one_of_its_own(files: dict[str, TeiElement]) -> None:
    ids = {siglum: {*matches(root, "//@xml:id")} for siglum, root in files.items()}
    assert len({*chain(*ids.values())}) == sum(map(len, ids.values()))
    for siglum, root in files.items():
        assert all(re.match(rf"{siglum}([.-]|$)", one) for one in ids[siglum])
        values = [value for name in POINTER_ATTRIBUTES for value in matches(root, f"//@{name}")]
        pointed = {word for value in values for word in value.split()}
        inner = {word[1:] for word in pointed if word.startswith("#")}
        assert inner <= ids[siglum] and {f"{siglum}.ed1", f"{siglum}.Q031"} <= inner


def test_words_that_the_machine_did_not_read_are_supplied_by_a_hand_of_the_header(files: dict[str, TeiElement]) -> None:
    (word,) = matches(files["PAM"], "id('PAM.s0001')/t:supplied")
    assert (word.text, word.get("cert"), word.get("evidence")) == ("Reversis", "medium", "external")
    assert matches(files["PAM"], f"id('{word.get('resp')[1:]}')/t:name") and not matches(files["PAM"], "//t:unclear")


# ---- what is declared
def test_every_word_of_the_coding_is_declared(files: dict[str, TeiElement]) -> None:
    assert {*CODED} == {*CODING_VOCABULARIES}
    for siglum, root in files.items():
        for name, path in CODED.items():
            declared = {*matches(root, f"//t:taxonomy[@xml:id='{siglum}.{name}']/t:category/@n")}
            assert {*matches(root, f"t:standOff/{path}")} <= declared, (siglum, name)


def test_the_lists_declared_are_those_of_the_rulebook() -> None:
    lists = {"status": STATUSES, "role": CITATION_ROLES, "view": VIEWS, "note": NOTE_KINDS}
    for name, words in lists.items():
        assert {*CODING_VOCABULARIES[name].meanings} == {*words}, name


def test_a_translation_points_to_the_text_that_it_translates(files: dict[str, TeiElement]) -> None:
    types = {}
    for siglum, root in files.items():
        first, *others = matches(root, "t:text")
        types[siglum] = first.get("type")
        for other in others:
            (pointed,) = matches(root, f"id('{other.get('corresp')[1:]}')")
            assert pointed is first
    texts = dict.fromkeys(("ACA", "GER", "HOY", "MEY", "PAM", "PIE"), "transcription")
    assert types == {**texts, "PAR": "statements"}


def test_a_reference_is_resolved_as_the_header_says(files: dict[str, TeiElement]) -> None:
    for root in files.values():
        (pattern,) = matches(root, "//t:refsDecl/t:cRefPattern")
        into = pattern.get("replacementPattern").replace("$1", r"\1")
        ids = {*matches(root, "//@xml:id")}
        cited = matches(
            root, "//t:s/@xml:id | //t:interpGrp/@xml:id | //t:corr/@xml:id | //t:listAnnotation/t:note/@xml:id"
        )
        for reference in cited:
            found = re.fullmatch(pattern.get("matchPattern"), reference)
            assert found and found.expand(into).removeprefix("#") in ids, reference
        assert not re.fullmatch(pattern.get("matchPattern"), "XYZ.s0031")
        (example,) = re.findall(r"such as (\S+):", "".join(pattern.itertext()))
        assert example in ids


# ---- witnesses


def test_a_reading_names_its_witness_and_what_the_machine_had(files: dict[str, TeiElement]) -> None:
    (entry,) = matches(files["PAM"], "//t:app[t:lem='droit de']")
    assert entry.get("corresp") == "#PAM.s0014 #PAM.e01" and entry.get("type") == "misprint"
    (reading,) = matches(entry, "t:rdg")
    assert (reading.text, reading.get("wit")) == ("droite", "#PAM.HAG")
    (misread,) = matches(files["PAM"], "//t:app[t:rdg/t:choice/t:sic='füffen']")
    assert misread.get("type") == "ocr" and matches(misread, "t:rdg/t:choice/t:corr/text()") == ["fussen"]


def test_a_print_of_unknown_year_is_not_dated_by_its_title(files: dict[str, TeiElement]) -> None:
    """The rules were adopted in 1785; when they were printed is not known."""
    (hague,) = matches(files["PAM"], "//t:witness/t:date")
    assert (hague.get("when"), hague.get("notBefore")) == (None, "1785")
    (encyclopedie,) = matches(files["ACA"], "//t:witness/t:date")
    assert (encyclopedie.get("when"), encyclopedie.get("notBefore")) == ("1765", None)


def test_a_judgement_is_signed_by_a_hand_of_the_header(files: dict[str, TeiElement]) -> None:
    for siglum in ("PAM", "ACA"):
        hands = {*matches(files[siglum], "//t:app/t:note/@resp")}
        assert hands and all(matches(files[siglum], f"id('{hand[1:]}')/t:name") for hand in hands)
