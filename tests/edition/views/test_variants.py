"""The page of the variants, the text with its variants among the words, and the witnesses of corrected misprints."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils import nodes

from edition.corpus.collations import list_supporters, read_collations
from edition.corpus.corpus import Corpus
from edition.views.sources.collated import collate_sentence
from edition.views.sources.emendations import emendations_view, render_emendations
from edition.views.sources.source import source_view
from edition.views.sources.source_text import render_source
from edition.views.sources.variants import render_variants, variants_view
from rulebook.model import Library
from tests.support.library import changed, opened, write_library
from tests.support.pages import build_corpus
from tests.support.witnesses import RAW, WITNESS, add_witness


@pytest.fixture(scope="module")
def real(library: Library) -> Corpus:
    return build_corpus(library)


@pytest.fixture
def tiny(tmp_path: Path) -> Corpus:
    return build_corpus(opened(add_witness(write_library(tmp_path, deals=False))))


def words_of(made: list[nodes.Node]) -> str:
    return " ".join(" ".join(one.astext() for one in made).split())


# ---- the page
def test_every_variant_stands_on_the_page(real: Corpus) -> None:
    view = variants_view(real)
    shown = [
        (witness.siglum, kind, each.variant.ours, each.variant.theirs)
        for _, witnesses in view.sources
        for witness in witnesses
        for kind, found in witness.kinds
        for each in found
    ]
    wanted = [
        (one.witness.siglum, each.kind, each.ours, each.theirs)
        for found in read_collations(real).values()
        for one in found
        for each in one.variants
    ]
    assert sorted(shown) == sorted(wanted)
    rows = [row for made in render_variants(view) for row in made.findall(nodes.row)]
    tables = [one for made in render_variants(view) for one in made.findall(nodes.table)]
    assert len(rows) == len(wanted) + len(tables)  # with a head each


def test_no_column_calls_a_machine_reading_a_print(real: Corpus) -> None:
    """HAG was read by a machine and corrected by us, ENC proof-read by others: of neither a page was seen."""
    tables = [one for made in render_variants(variants_view(real)) for one in made.findall(nodes.table)]
    heads = {head.astext() for table in tables for head in next(iter(table.findall(nodes.row))).findall(nodes.entry)}
    assert {"HAG, a machine reading corrected by us", "ENC, as transcribed"} <= heads


def test_a_variant_that_would_change_an_answer_is_counted(tiny: Corpus) -> None:
    said = words_of(render_variants(variants_view(tiny)))
    assert (
        "In 1 place it has another word (deux/trois); in 0 one of the two has extra words. 1 of them would change"
        in said
    )
    assert "It would change Q002: Three, not two." in said


def test_without_witnesses_the_page_says_so(tmp_path: Path) -> None:
    bare = build_corpus(opened(write_library(tmp_path, deals=False)))
    assert words_of(render_variants(variants_view(bare))) == (
        "No text has been compared with another print or copy of it yet."
    )


# ---- the text
def test_the_words_of_our_copy_stand_whole_between_the_variants(real: Corpus) -> None:
    marked = 0
    for siglum, source in real.library.sources.items():
        for sentence in source.text.sentences.values() if source.text else ():
            runs = collate_sentence(real, siglum, sentence)
            assert not runs or "".join(one.words for one in runs) == sentence.diplomatic
            marked += sum(bool(one.readings) for one in runs)
    assert marked > 80


def collated_words(corpus: Corpus, id: str) -> str:
    """A sentence with its variants, as the page of its source shows it."""
    page = nodes.container("", *render_source(source_view(corpus, id.partition(".")[0])))
    (sentence,) = [node for node in page.findall(nodes.container) if id in node["ids"]]
    (words,) = [node for node in sentence.findall(nodes.Element) if "rv-collated" in node.get("classes", [])]
    return words.astext()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("PAM.s0014", "trouver à la droit de [HAG: droite] de celui qui donne."),
        ("PAM.s0015", "‸ [HAG: V] Il y a 40 points au jeu,"),
        ("ACA.s0009", "Celui qui prend la [ENC: le] levée où [ENC: ou] le quinola se trouve"),
    ],
)
def test_another_word_and_a_misprint_stand_beside_ours(real: Corpus, id: str, said: str) -> None:
    assert said in collated_words(real, id)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "begin", "end"),
    [
        ("PAM.s0002", " [HAG begins here] ", "JEU."),
        (
            "PAM.s0020",
            "Aux points",
            "n'eût ainsi rien pour sa peine.",
        ),
        ("ACA.s0004", "Mais il est obligé d'y mettre", "jouer."),
        ("ACA.s0016", "Le premier", " a ; mais personne n'en peut écarter."),  # without a variant
    ],
)
def test_where_a_witness_begins_and_ends_stands_in_the_text(real: Corpus, id: str, begin: str, end: str) -> None:
    said = collated_words(real, id)
    assert said.startswith(begin) and said.endswith(end)


@pytest.mark.slow
def test_the_text_with_its_apparatus_can_be_taken_away(real: Corpus) -> None:
    """From the page of the variants, from the switch on the page of the text, and from the list of its files."""
    variants = [one for made in render_variants(variants_view(real)) for one in made.findall(nodes.reference)]
    collated = [siglum for siglum, found in read_collations(real).items() if found]
    offered = [variant["refuri"] for variant in variants if variant.astext().endswith(".xml")]
    assert offered == [f"downloads/tei/{siglum}.xml" for siglum in collated] and len(offered) == 2
    for siglum, source in real.library.sources.items():
        (page,) = render_source(source_view(real, siglum))
        found = [one for one in page.findall(nodes.reference) if one.get("refuri") == f"../downloads/tei/{siglum}.xml"]
        collated = bool(read_collations(real).get(siglum))
        offered = ["The text with all that rests on it", "with apparatus, the variants of", "(TEI)"]
        assert [one.astext() for one in found[:-1]] == (["TEI with apparatus"] if collated else [])
        assert [part in found[-1].astext() for part in offered] == [True, collated, True]
        listed = next(one for one in page.findall(nodes.section) if "files" in one["ids"]).astext()
        assert ("with apparatus" in listed, "transcription" in listed) == (collated, source.text is not None)


def test_a_witness_that_breaks_off_in_a_sentence_ends_behind_its_last_word(real: Corpus) -> None:
    found = {}
    for id in ("PAM.s0020", "ACA.s0004", "ACA.s0016"):
        sentence = real.sentence(id)
        assert sentence is not None
        runs = collate_sentence(real, id.partition(".")[0], sentence)
        at = next(place for place, one in enumerate(runs) if one.limit)
        before, after = ("".join(one.words for one in some) for some in (runs[:at], runs[at + 1 :]))
        assert before + after == sentence.diplomatic
        found[id] = before.split()[-1], runs[at].limit, after.split()[0]
    assert found == {
        "PAM.s0020": ("fussent", "HAG ends here", "toutes"),
        "ACA.s0004": ("ce", "ENC begins here", "qui"),
        "ACA.s0016": ("en", "ENC ends here", "a"),
    }


def test_a_word_that_is_cut_is_the_same_only_as_far_as_it_was_consulted(real: Corpus) -> None:
    (hague,) = read_collations(real)["PAM"]
    (cut,) = [variant for variant in hague.variants if variant.ours == "fussent"]
    assert cut.why == "the same, as far as the word was consulted"


def test_the_text_says_with_what_it_is_compared_and_how_far(real: Corpus) -> None:
    said = words_of(render_source(source_view(real, "ACA")))
    title = "Encyclopédie, tome quatorzieme, article REVERSIS"
    assert f"compared with ENC ({title}, 1765), consulted from s0004 to s0016: all variants" in said
    assert "the absence of marks does not mean agreement" in said
    assert "compared with" not in words_of(render_source(source_view(real, "GER")))


def test_words_that_stand_only_there_at_the_end_come_after_ours(tmp_path: Path) -> None:
    root = add_witness(write_library(tmp_path, deals=False))
    for name in (WITNESS, RAW):
        changed(root, name, "DU PEAGE.", "DU PEAGE DOUBLE.")
    judged = '<app type="substantive" corresp="text.xml#AAA.s0001"><lem/><rdg>DOUBLE</rdg>'
    notes = (
        '<note type="reason" resp="#col1">More.</note><note type="moves" n="none" resp="#col1">A title.</note></app>'
    )
    changed(root, WITNESS, "<listApp>", f"<listApp>{judged}{notes}")
    corpus = build_corpus(opened(root))
    sentence = corpus.sentence("AAA.s0001")
    assert sentence is not None
    runs = collate_sentence(corpus, "AAA", sentence)
    assert (runs[-1].words, runs[-1].readings[0].theirs) == ("", "DOUBLE")


# ---- corrected misprints
def test_a_corrected_misprint_names_the_witness_that_has_what_we_read(real: Corpus) -> None:
    borne_out = {
        one.emendation.id: one.borne_out for each in emendations_view(real) for one in each.found if one.borne_out
    }
    assert borne_out == {"PAM.e01": ("HAG",), "PAM.e18": ("HAG",), "ACA.e01": ("ENC",), "ACA.e02": ("ENC",)}
    assert list_supporters(real, "ACA.e03") == ()  # it stands after what was consulted of 1765
    assert (
        words_of(render_emendations(emendations_view(real))).count("another print of this text shows it; ENC has it")
        == 2
    )
