"""Components of the readers' pages: with the sources of the edition, and with nine, two of them nearly silent."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes import components
from edition.nodes.components import (
    agreement_strip,
)
from edition.palette import SHAPES
from edition.text.answers import find_answer_status
from edition.views import plain_answers as voices
from edition.views.plain_answers import (
    describe_answer_plainly,
    find_answer_marks,
    group_voices,
)
from rulebook.model import Library
from tests.support.library import NEARLY_SILENT, NINE, changed, corpus_of, write_nine_sources

PROGRAM = Path(components.__file__).parents[1]
STYLE = PROGRAM / "static" / "components.css"
HOSTILE = "<b>Tolls</b> & *FFF*"  #: a name is words, whatever letters it has


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    root = write_nine_sources(tmp_path_factory.mktemp("nine"))
    changed(root, "FFF/source.yaml", "short_name: Tolls FFF", f'short_name: "{HOSTILE}"')
    return corpus_of(root)


def all_nodes(found: Iterable[nodes.Node], cls: str) -> list[nodes.Element]:
    return [
        one
        for each in found
        for one in each.findall(nodes.Element)
        if cls in one.get("classes", ()) or cls in " ".join(one.get("classes", ())).split()
    ]


def classes(node: nodes.Element) -> set[str]:
    return {*" ".join(node["classes"]).split()}


# --- every source has its own place ---------------------------------------------------------------------------------


def test_no_component_knows_a_source_by_its_siglum_or_name(library: Library) -> None:
    modules = (PROGRAM / "palette.py", Path(components.__file__), Path(voices.__file__), STYLE)
    names = {siglum for siglum in library.sources} | {source.short_name for source in library.sources.values()}
    assert len(names) == 2 * len(library.sources)
    known = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))
    assert {path.name: known.findall(path.read_text("utf-8")) for path in modules} == {
        path.name: [] for path in modules
    }


# --- who says the same ----------------------------------------------------------------------------------------------


def test_sources_that_say_the_same_stand_together_and_the_silent_ones_are_pale(nine: Corpus) -> None:
    question = nine.library.question("Q003")
    groups = group_voices(nine, question)
    assert [[one.source.siglum for one in group] for group in groups] == [["AAA", *NEARLY_SILENT], [*NINE[1:7]]]
    strip = agreement_strip(groups)
    pale = {one.source.siglum for group in groups for one in group if one.assumed}
    assert pale == {*NINE} - {"AAA"} >= {*NEARLY_SILENT}
    shapes = all_nodes([strip], "rv-sign")
    assert ["rv-pale" in classes(shape) for shape in shapes] == [False, *[True] * 8]
    assert len(all_nodes([strip], "rv-parting")) == len(groups) - 1
    assert strip["html"]["aria-label"] == (
        "the same answer: Tolls AAA, Tolls HHH (our assumption), Tolls III (our assumption); the same answer: "
        + ", ".join(f"{HOSTILE if siglum == 'FFF' else f'Tolls {siglum}'} (our assumption)" for siglum in NINE[1:7])
    )


def test_a_source_without_an_answer_is_in_no_group(nine: Corpus) -> None:
    groups = group_voices(nine, nine.library.question("Q002"))
    assert [[one.source.siglum for one in group] for group in groups] == [["AAA", *NEARLY_SILENT]]


def test_an_answer_is_told_in_words_and_marked_by_its_status(nine: Corpus) -> None:
    first, amount, tricks = nine.library.questions.values()
    cells = {(siglum, one.id): nine.cell(siglum, one.slug) for siglum in NINE for one in (first, amount, tricks)}
    assert describe_answer_plainly(nine, first, "AAA") == "whoever led"
    assert describe_answer_plainly(nine, amount, "AAA") == "2 jetons"
    assert describe_answer_plainly(nine, amount, "BBB") == ""
    told = {key: find_answer_status(cell) for key, cell in cells.items() if cell and cell.value is not None}
    assert (told["AAA", "Q001"], told["AAA", "Q003"]) == ("", "doubtful")
    assert (told["BBB", "Q001"], told["BBB", "Q003"], told["III", "Q002"]) == ("follows", "ours", "ours")


#: Answers of the edition that a source leaves to the players by its own words, or beside which it offers another.
LEFT_TO_THE_PLAYERS = {
    "ACA": {"Q014", "Q020", "Q031", "Q032", "Q035", "Q061", "Q063", "Q099"},
    "GER": {"Q014", "Q020", "Q034", "Q035"},
    "PAM": set[str](),
    "PAR": {"Q008", "Q065", "Q132", "Q145"},
}


def test_two_marques_or_more_and_whatever_else_is_left_to_the_players_is_marked(corpus: Corpus) -> None:
    """ACA s0009 "paye deux marques ou plus", GER s0034 "2. oder 4. Marquen", s0033 "einige Assemblées"."""
    found: dict[str, set[str]] = {siglum: set() for siglum in corpus.library.sources}
    for (siglum, slug), cell in corpus.cells.items():
        if cell and "agreed" in find_answer_marks(corpus, cell).split():
            found[siglum].add(corpus.library.questions[slug].id)
    assert {siglum: found[siglum] for siglum in LEFT_TO_THE_PLAYERS} == LEFT_TO_THE_PLAYERS


# --- each component by itself ----------------------------------------------------------------------------------------


def test_the_style_sheet_has_every_class_of_the_palette() -> None:
    style = STYLE.read_text("utf-8")
    for slot in range(1, len(SHAPES) + 1):
        assert f".rv-s{slot} {{ --rv-hue: var(--rv-s{slot}); --rv-shape: var(--rv-m{slot}); }}" in style
        assert f".rv-sign.rv-m{slot} {{ --rv-shape: var(--rv-m{slot}); }}" in style
    assert ".rv-hatch" in style and not re.search(r"\bfont-size:\s*[\d.]", style)
