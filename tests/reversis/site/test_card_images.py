"""The playing cards: cut from a sheet that stays as it was found, light enough, and drawn as before."""

from __future__ import annotations

import gzip
import hashlib
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reversis.site import card_images as playing_cards
from reversis.site.card_images import (
    SHEET,
    cut_card_sheet,
    find_sheet,
    parse_path_steps,
    round_svg_path,
    write_card_images,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pictures() -> dict[str, str]:
    return dict(cut_card_sheet((find_sheet() / SHEET).read_bytes()))


def test_the_sheet_is_the_one_that_was_found() -> None:
    told = (find_sheet() / "README.md").read_text(encoding="utf-8")
    for name in (SHEET, "copyright"):
        assert hashlib.sha256((find_sheet() / name).read_bytes()).hexdigest() in told


@pytest.mark.slow
def test_there_are_fifty_two_cards_and_a_back(pictures: dict[str, str]) -> None:
    assert set(pictures) == {f"{rank}{suit}" for rank in "AKQJT98765432" for suit in "SHDC"} | {"back"}
    assert len(set(pictures.values())) == 53


def test_all_of_them_weigh_less_than_a_quarter_of_a_megabyte(pictures: dict[str, str]) -> None:
    assert sum(len(gzip.compress(one.encode())) for one in pictures.values()) < 250_000


def test_each_picture_holds_all_that_it_needs_and_asks_nobody(pictures: dict[str, str]) -> None:
    for name, picture in pictures.items():
        root = ET.fromstring(picture)
        ids = {one.get("id") for one in root.iter()}
        asked = {one.get("href", "") for one in root.iter(f"{SVG}use")}
        assert all(one.startswith("#") and one[1:] in ids for one in asked), name
        assert not re.search(r"(xlink|https?:(?!//www\.w3\.org/2000/svg)|<script|url\()", picture), name


def test_no_card_bears_a_printed_corner(pictures: dict[str, str]) -> None:
    seven = ET.fromstring(pictures["7C"])
    assert [one.get("href") for one in seven.iter(f"{SVG}use")].count("#cl") == 7
    assert not [one for one in seven.iter(f"{SVG}use") if playing_cards.CORNERS.search(one.get("href", ""))]


def ends(path: str) -> list[tuple[float, float]]:
    """Where the pen stands after each step."""
    found, at, start = [], (0.0, 0.0), (0.0, 0.0)
    for letter, numbers in parse_path_steps(path):
        kind, base = letter.lower(), (0.0, 0.0) if letter.isupper() else at
        if kind == "z":
            at = start
        elif kind in "hv":
            at = (base[0] + numbers[0], at[1]) if kind == "h" else (at[0], base[1] + numbers[0])
        else:
            at = (base[0] + numbers[-2], base[1] + numbers[-1])
        start = at if kind == "m" else start
        found.append(at)
    return found


PATHS = (
    "M10.4 20.6c1.2 3.4-.82 1.466 5.475 1.653s2.3 4.1 3.3 9.9zm3.49-1.49l40.4 4.4h-3.3v7.7z",
    "m1.4 1.4a8.7 8.7 0 002.563-6.188h-4.25A4.49 4.49 0 01 9.4 9.6zM2.6 2.6l.3.3 50 50",
    "M0 0 10.6 10.6 20.4 0l5.5.5-5.5 9.1",
)


@pytest.mark.parametrize("path", PATHS)
def test_no_point_is_moved_by_more_than_half_a_step_however_long_the_path(path: str) -> None:
    before, after = ends(path), ends(round_svg_path(path))
    assert not re.search(r"\d\.\d", round_svg_path(path))
    for x, y in after:
        assert min(max(abs(x - a), abs(y - b)) for a, b in before) <= 0.5
    for x, y in before:
        assert min(max(abs(x - a), abs(y - b)) for a, b in after) <= 0.5


def test_the_sheet_itself_is_drawn_within_half_a_step() -> None:
    sheet = ET.fromstring(gzip.decompress((find_sheet() / SHEET).read_bytes()))
    knave = next(one for one in sheet.iter() if one.get("id") == "heart_jack")
    for path in list(knave.iter(f"{SVG}path"))[:40]:
        before, after = ends(path.get("d", "")), ends(round_svg_path(path.get("d", "")))
        assert len(after) <= len(before)
        known = {(round(a), round(b)) for a, b in before}
        assert {(round(a), round(b)) for a, b in after} <= known


@pytest.mark.slow
def test_licence_and_source_lie_beside_the_cards(tmp_path: Path) -> None:
    write_card_images(tmp_path)
    assert (tmp_path / SHEET).read_bytes() == (find_sheet() / SHEET).read_bytes()
    assert "GNU GENERAL PUBLIC LICENSE" in (tmp_path / "LICENSE.txt").read_text(encoding="utf-8")
    assert {"README.txt", "copyright.txt", "QH.svg", "back.svg"} <= {one.name for one in tmp_path.iterdir()}


@pytest.mark.slow
def test_the_command_cuts_the_cards_and_says_what_they_weigh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("sys.argv", ["playing_cards", str(tmp_path)])
    playing_cards.main(said.append)
    assert re.fullmatch(r"53 cards, \d+ kB when compressed", said[0])
    monkeypatch.setattr("sys.argv", ["playing_cards"])
    with pytest.raises(SystemExit, match="usage"):
        playing_cards.main(said.append)
