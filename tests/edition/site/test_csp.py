"""The letters and the policy of the pages, without a page."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from edition.nodes.builders import TEXT_VARIATION_SELECTOR, suit_symbol
from edition.site.csp import add_csp, format_csp, render_csp_meta
from edition.site.fonts import (
    FACES,
    FONT_FEATURES,
    FONT_FOLDER,
    FONT_SOURCES,
    SUIT_OUTLINES,
    Face,
    build_suit_font,
    list_font_codepoints,
    subset_font,
)

# --- letters --------------------------------------------------------------------------------------------------------


def tables(path: Path) -> dict[str, Any]:
    from fontTools.ttLib import TTFont

    font = TTFont(path)
    features = {one.FeatureTag for one in font["GSUB"].table.FeatureList.FeatureRecord} if "GSUB" in font else set()
    return {"letters": set(font.getBestCmap()), "glyphs": font.getGlyphOrder(), "features": features}


@pytest.mark.parametrize("face", FACES, ids=lambda one: one.name)
def test_the_typeface_is_the_one_that_was_found(face: Face) -> None:
    text = (FONT_SOURCES / "README.md").read_text(encoding="utf-8")
    assert f"`{hashlib.sha256((FONT_SOURCES / face.found).read_bytes()).hexdigest()}` | `{face.found}`" in text


@pytest.mark.parametrize("face", FACES, ids=lambda one: one.name)
def test_what_is_kept_has_every_letter_and_can_do_what_the_pages_ask(face: Face) -> None:
    kept = tables(FONT_FOLDER / f"{face.name}.woff2")
    assert list_font_codepoints() <= kept["letters"]
    assert (
        {"smcp", "c2sc", "onum", "lnum", "tnum", "pnum", "liga"} <= kept["features"] <= {*FONT_FEATURES, "kern", "mark"}
    )


@pytest.mark.slow
def test_what_is_kept_is_what_the_command_cuts(tmp_path: Path) -> None:
    """Letter by letter; the packing is left to the tool."""
    for made in (subset_font(FACES[0], tmp_path), build_suit_font(tmp_path)):
        assert tables(made) == tables(FONT_FOLDER / made.name)


def test_the_licence_of_the_typeface_travels_with_it() -> None:
    assert (FONT_FOLDER / "OFL.txt").read_bytes() == (FONT_SOURCES / "LICENSE").read_bytes()
    assert "with no Reserved Font Name" in (FONT_FOLDER / "OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("suit", "SHDC")
def test_a_suit_asks_to_be_a_letter_and_not_a_picture(suit: str) -> None:
    shown = suit_symbol(suit).astext()
    assert shown[0] in SUIT_OUTLINES and shown[1:] == TEXT_VARIATION_SELECTOR


# --- the policy -----------------------------------------------------------------------------------------------------


def test_a_page_may_fetch_only_what_is_the_editions_own() -> None:
    said = format_csp()
    assert said.startswith("default-src 'none'; ")
    assert "unsafe" not in said and "http" not in said and "*" not in said


def test_the_policy_comes_before_all_else_that_a_page_says_of_itself() -> None:
    app: Any = SimpleNamespace()
    context: dict[str, Any] = {"metatags": '<meta name="viewport" content="x">\n<meta name="robots" content="noindex">'}
    add_csp(app, "deals/a", "page.html", context, None)
    assert context["metatags"] == render_csp_meta() + '\n<meta name="robots" content="noindex">'
