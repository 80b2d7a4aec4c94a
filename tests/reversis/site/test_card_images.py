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
    write_card_images,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pictures() -> dict[str, str]:
    return dict(cut_card_sheet((find_sheet() / SHEET).read_bytes()))


def test_the_sheet_is_the_one_that_was_found() -> None:
    text = (find_sheet() / "README.md").read_text(encoding="utf-8")
    for name in (SHEET, "copyright"):
        assert hashlib.sha256((find_sheet() / name).read_bytes()).hexdigest() in text


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
