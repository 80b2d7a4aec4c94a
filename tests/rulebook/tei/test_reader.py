"""The TEI side: hostile files, views, checks, and the small schema."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from lxml import etree

from rulebook.problems import Problem
from rulebook.spelling import Spelling
from rulebook.tei.checks import TEXT_CHECKS, TRANSLATION_CHECKS
from rulebook.tei.document import DEEPEST_NESTING, LARGEST_FILE, TEI_PREFIX
from rulebook.tei.reader import read_text, read_translation
from rulebook.tei.validation import TEI_SCHEMA_PATH, read_profile
from rulebook.text import Sentence, Text, Translation

SOURCES = TEI_SCHEMA_PATH.parent.parent
RNG = "{http://relaxng.org/ns/structure/1.0}"
SPELLING = Spelling.of("1", {"ſ": "s"}, {"fr": {"jetton": "jeton", "&": "et"}, "de": {"bey": "bei"}})

HEADER = """<teiHeader xml:lang="en">
<fileDesc>
<titleStmt><title>A text</title>
<respStmt xml:id="ed1"><resp>all</resp><name>editorial pass 1</name></respStmt></titleStmt>
<publicationStmt><publisher>us</publisher>
<availability><licence target="https://example.org/">CC BY 4.0</licence></availability></publicationStmt>
<sourceDesc><p>made up</p></sourceDesc>
</fileDesc>
<encodingDesc><editorialDecl>
<correction><p>nothing was mended</p></correction>
<hyphenation><p>no line ends</p></hyphenation>
</editorialDecl></encodingDesc>
<profileDesc><langUsage>
<language ident="fr">French</language>
<language ident="de">German</language>
<language ident="en">English</language>
</langUsage></profileDesc>
</teiHeader>"""

EMENDED = (
    '<choice><sic>leves</sic><corr xml:id="XXX.e01" resp="#ed1" cert="high" evidence="internal">levées</corr></choice>'
)

GOOD = f"""<TEI xmlns="{TEI_PREFIX[1:-1]}" xml:id="XXX" xml:lang="fr">
{HEADER}
<text>
<front><pb n="1"/><p><s xml:id="XXX.s0001">Le jeu.</s></p></front>
<body>
<div type="chapter">
<head><s xml:id="XXX.s0002">De la partie.</s></head>
<p><s xml:id="XXX.s0003">Un Jetton, &amp; les
  {EMENDED} du <hi rend="italic">roi</hi>.</s>
<s xml:id="XXX.s0004">Il re<pb n="2" break="no"/>nonce <foreign xml:lang="de">bey</foreign>
<gap reason="illegible"/>.</s></p>
<pb n="3"/>
<list>
<item><s xml:id="XXX.s0005">Une <unclear reason="blot" cert="low">carte</unclear>;
<choice><orig>oy</orig><reg>oui</reg></choice>.</s></item>
</list>
</div>
</body>
</text>
</TEI>
"""

ENGLISH = f"""<TEI xmlns="{TEI_PREFIX[1:-1]}" xml:id="XXX-en" xml:lang="en">
{HEADER}
<text><body><div>
<p><s corresp="text.xml#XXX.s0001">The game.</s></p>
<p><s corresp="text.xml#XXX.s0002">On the <foreign xml:lang="fr">partie</foreign>.</s></p>
<p><s corresp="text.xml#XXX.s0003">A counter, and the tricks of the king.</s>
<s corresp="text.xml#XXX.s0004">He does not follow.</s></p>
<p><s corresp="text.xml#XXX.s0005">A card; yes.</s></p>
</div></body></text>
</TEI>
"""

HOSTILE: Mapping[str, str] = {
    "billion laughs": "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>",
    "external entity": "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/hostname'>]><a>&b;</a>",
    "external DTD": '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>',
    "an entity nobody declared": "<a>&b;</a>",
    "deep nesting": "<a>" * (DEEPEST_NESTING + 1) + "</a>" * (DEEPEST_NESTING + 1),
    "nesting without end": "<a>" * 100_000,
    "huge file": "<a>" + "x" * LARGEST_FILE + "</a>",
    "no XML at all": "Le Reversis se joue à quatre.",
    "nothing": "",
    "another vocabulary": "<html><body><p>hello</p></body></html>",
    "TEI without its namespace": "<TEI xml:id='XXX' xml:lang='fr'><text><body/></text></TEI>",
}


def written(folder: Path, letters: str, name: str = "text.xml") -> Path:
    path = folder / name
    path.write_bytes(letters.encode("utf-8"))
    return path


def problems_of(folder: Path, letters: str) -> list[Problem]:
    return read_text(written(folder, letters), SPELLING)[1]


def read_good(folder: Path, letters: str) -> Text:
    found, problems = read_text(written(folder, letters), SPELLING)
    assert found is not None and problems == []
    return found


@pytest.fixture
def text(tmp_path: Path) -> Text:
    return read_good(tmp_path, GOOD)


def sentence(text: Text, number: int) -> Sentence:
    return text.sentences[f"XXX.s{number:04}"]


# ---- hostile files
@pytest.mark.parametrize("letters", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_an_error_not_an_event(tmp_path: Path, letters: str) -> None:
    began = time.perf_counter()
    found, problems = read_text(written(tmp_path, letters), SPELLING)
    assert found is None
    assert problems and all(problem.line >= 1 and problem.column >= 1 and problem.way_out for problem in problems)
    assert time.perf_counter() - began < 2


def test_octets_that_are_no_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "text.xml"
    path.write_bytes(b"<a>\n\xe9</a>")
    found, (problem,) = read_text(path, SPELLING)
    assert found is None and (problem.line, problem.what) == (2, "is not UTF-8")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-7"])
def test_a_declared_encoding_hides_no_document_type(tmp_path: Path, encoding: str) -> None:
    """The letters are read as UTF-8 whatever the file says of itself."""
    path = tmp_path / "text.xml"
    path.write_bytes(
        f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode(encoding)
    )
    found, problems = read_text(path, SPELLING)
    assert found is None and len(problems) == 1


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    for path in (tmp_path / "none.xml", tmp_path):
        found, problems = read_text(path, SPELLING)
        assert found is None and "is not there" in problems[0].what


# ---- views
def test_the_diplomatic_view_is_the_page_as_printed(text: Text) -> None:
    assert sentence(text, 3).diplomatic == "Un Jetton, & les leves du roi."
    assert sentence(text, 4).diplomatic == "Il renonce bey […]."


def test_the_emended_view_keeps_the_old_spelling(text: Text) -> None:
    assert sentence(text, 3).emended == "Un Jetton, & les levées du roi."
    assert sentence(text, 5).emended == "Une carte; oy."


def test_the_reading_view_is_mended_and_in_todays_spelling(text: Text) -> None:
    assert sentence(text, 3).reading == "Un Jeton, et les levées du roi."
    assert sentence(text, 4).reading == "Il renonce bei […]."
    assert sentence(text, 5).reading == "Une carte; oui."


def test_a_sentence_knows_its_pages(text: Text) -> None:
    """Where it begins and wherever it has words; a break between blocks goes to the sentence after it."""
    pages = [*[("1", ("1",))] * 3, ("1", ("1", "2")), ("3", ("3",))]
    assert [(one.page, one.pages) for one in text.sentences.values()] == pages
    assert sentence(text, 5).parts[0].kind == "pb"


def test_every_emendation_says_who_how_sure_and_why(text: Text) -> None:
    (one,) = text.emendations.values()
    assert (one.id, one.sentence, one.sic, one.corr) == ("XXX.e01", "XXX.s0003", "leves", "levées")
    assert (one.resp, one.cert, one.evidence) == ("#ed1", "high", "internal")
    assert sentence(text, 3).emendations == ("XXX.e01",)


def test_an_emendation_may_supply_or_delete(tmp_path: Path) -> None:
    supplied = EMENDED.replace("<sic>leves</sic>", "<sic/>")
    supplying = sentence(read_good(tmp_path, GOOD.replace(EMENDED, supplied)), 3)
    deleting = sentence(read_good(tmp_path, GOOD.replace("levées", "")), 3)
    assert supplying.diplomatic == deleting.emended == "Un Jetton, & les du roi."


def test_a_misprint_across_two_pages_keeps_its_page_break(tmp_path: Path) -> None:
    parted = GOOD.replace("<sic>leves</sic>", '<sic>le<pb n="2" break="no"/> ves</sic>')
    one = sentence(read_good(tmp_path, parted.replace('re<pb n="2" break="no"/>nonce', "renonce")), 3)
    assert (one.diplomatic, one.pages) == ("Un Jetton, & les leves du roi.", ("1", "2"))


def test_marks_within_marks_lose_nothing(tmp_path: Path) -> None:
    nested = read_good(tmp_path, GOOD.replace(EMENDED, f'<hi rend="italic">grandes {EMENDED}</hi>'))
    marked = [(part.kind, part.text, part.rend) for part in sentence(nested, 3).parts][1:3]
    assert marked == [("hi", "grandes ", "italic"), ("choice", "leves", "italic")]


def test_the_header_tells_what_was_mended_and_by_whom(text: Text) -> None:
    header = text.header
    assert (header.title, header.mended, header.source) == ("A text", "nothing was mended", "made up")
    assert header.responsible == {"ed1": "editorial pass 1"}
    assert header.licences == ("CC BY 4.0",)
    assert header.practice == {"hyphenation": "no line ends"}
    assert header.languages["de"] == "German"


# ---- checks
FAULTS: Mapping[str, tuple[str, str, str]] = {  # check -> what is broken, how, what is said
    "every_element_is_in_its_place": ("Le jeu.", "Le <b>jeu</b>.", "cannot stand in <s>"),
    "every_attribute_is_known": ('<pb n="3"/>', '<pb n="3" facs="x"/>', "<pb> bears no facs"),
    "what_is_needed_is_there": (' resp="#ed1"', "", "<corr> has no resp"),
    "closed_lists_are_kept": ('cert="high"', 'cert="0.9"', 'cert="0.9" is not one of the agreed words'),
    "every_word_stands_in_a_sentence": ("</head>", "</head>loose", "words outside <s>: 'loose'"),
    "every_sentence_says_something": (">Le jeu.<", "> <", "an empty sentence"),
    "text_ids_are_given_once": ("XXX.s0005", "XXX.s0004", "the id XXX.s0004 stands 2 times"),
    "text_ids_are_well_formed": ("XXX.s0005", "XXX.s05", "<s> has the id 'XXX.s05'"),
    "ids_follow_the_text": ("XXX.s0005", "XXX.s0000", "XXX.s0000 comes after XXX.s0004"),
    "pages_follow_each_other": ('<pb n="3"/>', '<pb n="4"/>', "page 4 follows page 2"),
    "a_choice_has_two_sides": ("<sic>leves</sic>", "", "a choice between corr"),
    "pointers_resolve": ('resp="#ed1"', 'resp="#ed2"', "#ed2 points to nothing"),
    "languages_are_declared": ('xml:lang="de"', 'xml:lang="es"', 'xml:lang="es" is not declared'),
    "the_header_tells_what_was_mended": ("nothing was mended", "", "the header does not tell what was mended"),
    "text_letters_are_fit": ("levées", "leve\u0301es", "not NFC"),
    "apostrophes_are_straight": ("Le jeu", "L\u2019as", "a typographic apostrophe"),
}


@pytest.mark.parametrize("check", FAULTS)
def test_the_check_speaks_with_place_and_way_out(tmp_path: Path, check: str) -> None:
    before, after, said = FAULTS[check]
    broken = GOOD.replace(before, after, 1)
    (problem,) = (one for one in problems_of(tmp_path, broken) if said in one.what)
    assert problem.way_out and problem.file.endswith("text.xml")
    pairs = enumerate(zip(GOOD.split("\n"), broken.split("\n"), strict=True), 1)
    changed = next(at for at, (one, other) in pairs if one != other)
    whole_file = check == "the_header_tells_what_was_mended"
    assert abs(problem.line - (1 if whole_file else changed)) <= 1


def test_every_check_is_tested() -> None:
    assert {check.__name__ for check in TEXT_CHECKS} == set(FAULTS)
    assert {check.__name__ for check in TRANSLATION_CHECKS} == set(BESIDE)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('n="3"', 'n="III"', "page 'III' is no number"),
        ("<corr xml", "<sic>x</sic><corr xml", "a choice between sic, sic, corr"),
        ("<sic>leves</sic>", "<sic>levées</sic>", "a choice between equals"),
        (' xml:id="XXX.s0005"', "", "<s> has the id ''"),
        (' xml:id="XXX.e01"', "", "<corr> has no xml:id"),
        ('xml:id="XXX.e01"', 'xml:id="XXX.k01"', "<corr> has the id 'XXX.k01'"),
        (' n="3"', "", "<pb> has no n"),
        (' reason="blot"', "", "<unclear> has no reason"),
        (' xml:lang="de"', "", "<foreign> has no xml:lang"),
        ("<p><s", "<p><s><s>x</s></s><s", "<s> cannot stand in <s>"),
        ("\n<text>", "\r<text>", "carriage return"),
        ('rend="italic"', 'rend=""', "is not valid"),
    ],
)
def test_further_faults_are_told(tmp_path: Path, before: str, after: str, said: str) -> None:
    assert any(said in problem.what for problem in problems_of(tmp_path, GOOD.replace(before, after, 1)))


def test_supplied_words_say_whose_they_are(tmp_path: Path) -> None:
    supplied = '<supplied reason="blot" resp="#ed1" cert="low" evidence="external">carte</supplied>'
    good = GOOD.replace('<unclear reason="blot" cert="low">carte</unclear>', supplied)
    sentence = read_good(tmp_path, good).sentences["XXX.s0005"]
    (part,) = [one for one in sentence.parts if one.kind == "supplied"]
    assert (part.text, part.reason, part.resp, part.evidence) == ("carte", "blot", "#ed1", "external")
    assert sentence.diplomatic == "Une carte; oy."
    for attribute in ("reason", "resp", "cert", "evidence"):
        broken = re.sub(rf'(<supplied.*?) {attribute}="[^"]*"', r"\1", good)
        assert any(f"<supplied> has no {attribute}" in one.what for one in problems_of(tmp_path, broken)), attribute


def test_all_problems_come_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    broken = GOOD.replace('resp="#ed1"', "").replace('n="3"', 'n="7"').replace("Le jeu.", "Le <b>jeu</b>.")
    problems = problems_of(tmp_path, broken)
    told = ["<b> cannot stand in <s>", "<corr> has no resp", "page 7 follows page 2"]
    assert [problem.what for problem in problems] == told and problems == sorted(problems)


def test_a_text_with_faults_is_read_as_far_as_it_can_be(tmp_path: Path) -> None:
    found, problems = read_text(written(tmp_path, GOOD.replace("XXX.s0005", "XXX.s0004")), SPELLING)
    assert problems and found is not None
    assert found.sentences["XXX.s0004"].diplomatic.startswith("Il renonce")


# ---- translations
LINE_2 = '<p><s corresp="text.xml#XXX.s0002">On the <foreign xml:lang="fr">partie</foreign>.</s></p>\n'

BESIDE: Mapping[str, tuple[str, str, str]] = {
    "every_sentence_is_translated_once": (LINE_2, "", "XXX.s0002 is not translated"),
    "every_translation_points_home": ("XXX.s0002", "XXX.s0077", "corresp='text.xml#XXX.s0077' is no sentence of XXX"),
    "translations_follow_the_text": (LINE_2, "", "XXX.s0002 is translated after XXX.s0005"),
}


def english(folder: Path, text: Text, letters: str) -> tuple[Translation | None, list[Problem]]:
    return read_translation(written(folder, letters, "en.xml"), text)


def test_a_translation_stands_under_the_ids_of_the_text(tmp_path: Path, text: Text) -> None:
    found, problems = english(tmp_path, text, ENGLISH)
    assert found is not None and problems == []
    assert list(found.sentences) == list(text.sentences)
    assert found.sentences["XXX.s0002"].text == "On the partie."
    assert [(part.kind, part.lang) for part in found.sentences["XXX.s0002"].parts][1] == ("foreign", "fr")
    assert (found.siglum, found.lang) == ("XXX", "en")


@pytest.mark.parametrize("check", BESIDE)
def test_every_sentence_is_translated_once_and_in_order(tmp_path: Path, text: Text, check: str) -> None:
    before, after, said = BESIDE[check]
    broken = ENGLISH.replace(before, after, 1)
    if check == "translations_follow_the_text":
        broken = broken.replace("</div>", LINE_2 + "</div>")
    _, problems = english(tmp_path, text, broken)
    assert [problem.what for problem in problems if said in problem.what] and all(
        problem.way_out for problem in problems
    )


def test_nothing_is_translated_twice(tmp_path: Path, text: Text) -> None:
    _, problems = english(tmp_path, text, ENGLISH.replace(LINE_2, LINE_2 * 2))
    assert [problem.what for problem in problems] == ["XXX.s0002 is translated 2 times"] * 2


def test_a_hostile_translation_is_an_error_not_an_event(tmp_path: Path, text: Text) -> None:
    found, problems = english(tmp_path, text, HOSTILE["billion laughs"])
    assert found is None and "<!DOCTYPE" in problems[0].what


# ---- the small schema
def test_every_definition_of_the_profile_can_be_reached() -> None:
    profile = read_profile(TEI_SCHEMA_PATH)
    assert {name for allowed in profile.values() for name in allowed.children.values()} | {"TEI"} == set(profile)


def test_texts_are_read_where_the_schema_has_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = written(tmp_path, "<grammar/>", "spoilt.rng")
    monkeypatch.setattr("rulebook.tei.checks.TEI_SCHEMA_PATH", spoilt)
    monkeypatch.setattr("rulebook.tei.reader.TEI_SCHEMA_PATH", spoilt)
    (problem,) = problems_of(tmp_path, GOOD.replace("Le jeu.", "Le <b>jeu</b>."))
    assert "is no RELAX NG schema" in problem.what


def texts() -> list[Path]:
    return sorted(SOURCES.glob("*/*.xml"))


@pytest.mark.parametrize("path", texts(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_file_of_the_sources_is_valid(path: Path) -> None:
    schema = etree.RelaxNG(etree.parse(str(TEI_SCHEMA_PATH)))
    assert schema.validate(etree.parse(str(path))), schema.error_log


@pytest.mark.release
def test_what_the_small_schema_accepts_the_whole_one_accepts(whole_tei: etree.RelaxNG) -> None:
    """Our files, the examples here, and three hundred files drawn at random from the small schema."""
    small, whole = etree.RelaxNG(etree.parse(str(TEI_SCHEMA_PATH))), whole_tei
    drawn = [*map(etree.fromstring, (GOOD, ENGLISH)), *(etree.parse(str(path)) for path in texts())]
    drawn += [Draw(seed).document() for seed in range(300)]
    for one in drawn:
        assert small.validate(one), (etree.tostring(one), small.error_log)
        assert whole.validate(one), (etree.tostring(one), whole.error_log)


class Draw:
    """A file drawn at random from the small schema."""

    VALUES: Mapping[str, str] = {"anyURI": "#a", "language": "fr", "double": "1", "decimal": "1", "string": "a b"}

    def __init__(self, seed: int) -> None:
        self.dice, self.ids = random.Random(seed), count()
        definitions = etree.parse(str(TEI_SCHEMA_PATH)).getroot().iterchildren(f"{RNG}define")
        self.grammar = {str(definition.get("name")): definition for definition in definitions}

    def document(self) -> etree._Element:
        holder = etree.Element("holder")
        self.put(self.grammar["TEI"], holder, 0)
        return holder[0]

    def put(self, pattern: etree._Element, into: etree._Element, depth: int) -> None:
        """Fill an element as the pattern says."""
        kind, name = str(pattern.tag).removeprefix(RNG), str(pattern.get("name"))
        if kind in ("ref", "define", "group"):
            for part in (self.grammar[name],) if kind == "ref" else pattern:
                self.put(part, into, depth)
        elif kind == "element":
            inner = etree.SubElement(into, f"{TEI_PREFIX}{name}")
            for part in pattern:
                self.put(part, inner, depth + 1)
        elif kind == "attribute":
            into.set(name.replace("xml:", "{http://www.w3.org/XML/1998/namespace}"), self.value(pattern[0]))
        elif kind == "choice":
            self.put(self.dice.choice(pattern), into, depth)
        elif kind in ("optional", "zeroOrMore", "oneOrMore"):
            for _ in range(self.times(kind, depth)):
                for part in pattern:
                    self.put(part, into, depth)
        elif kind == "text":
            self.say(into)

    def times(self, kind: str, depth: int) -> int:
        """How often something is repeated: less, the deeper it stands."""
        least, most = {"optional": (0, 1), "zeroOrMore": (0, 3), "oneOrMore": (1, 3)}[kind]
        return least if depth > 11 else self.dice.randint(least, most)

    def say(self, into: etree._Element) -> None:
        if len(into):
            into[-1].tail = (into[-1].tail or "") + " mot"
        else:
            into.text = (into.text or "") + " mot"

    def value(self, pattern: etree._Element) -> str:
        kind = str(pattern.tag).removeprefix(RNG)
        if kind == "data":
            token = "1/2" if "/" in "".join(map(str, pattern.itertext())) else "mot"
            type = str(pattern.get("type"))
            return f"id{next(self.ids)}" if type == "ID" else self.VALUES.get(type, token)
        if kind == "value":
            return (pattern.text or "").strip()
        return self.value(self.dice.choice(pattern) if kind == "choice" else pattern[0])
