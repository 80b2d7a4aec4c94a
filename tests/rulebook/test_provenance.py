"""Every text says from which address or copy it was read, by whom that was digitised, and when it was consulted."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.model import Library
from rulebook.sources.paths import find_sources

SIGLA = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")


def header(path: Path) -> str:
    """What a TEI header says of its source."""
    return " ".join(path.read_text("utf-8").partition("<sourceDesc>")[2].partition("</sourceDesc>")[0].split())


@pytest.mark.parametrize("siglum", SIGLA)
def test_a_source_says_where_when_and_by_whom_it_was_digitised(library: Library, siglum: str) -> None:
    record = library.sources[siglum].record
    assert record["exemplar"] and record["digitised"]
    for key in ("address", "accessed"):
        assert record[key] or "Not recorded" in str(record[f"{key}_note"])
        assert record[f"{key}_note"], "what is not known is said"


@pytest.mark.parametrize("siglum", [one for one in SIGLA if one != "PAR"])
def test_the_header_of_a_transcription_has_the_address_or_that_none_is_recorded(library: Library, siglum: str) -> None:
    said, record = header(find_sources() / siglum / "text.xml"), library.sources[siglum].record
    assert str(record["address"] or "is not recorded") in said
    assert len(said) > 200, "no bare title"


@pytest.mark.parametrize("name", ["ACA/witnesses/ENC.xml", "PAM/witnesses/HAG.xml"])
def test_a_witness_gives_its_address_and_the_day(name: str) -> None:
    said = header(find_sources() / name)
    assert "https://" in said and "28 November 2026" in said and "not recorded" in said


def test_the_literature_on_hoyles_says_how_much_of_it_was_seen() -> None:
    entries = (find_sources() / "bibliography.bib").read_text("utf-8").split("\n@")[1:]
    assert all("note = {Seen by us: " in entry for entry in entries)
    listed = [entry for entry in entries if "Levy's bibliography" in entry]
    assert len(listed) == 3 and all("Seen by us: no." in one and "booksongaming.com" in one for one in listed)
