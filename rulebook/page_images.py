"""Page images on the web that the record of a source names: of the copy that was read, another copy, or a witness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.model import Source
from rulebook.strings import single_spaced


@dataclass(frozen=True, slots=True)
class PageImages:
    """Images of some pages, at one address."""

    address: str
    shows: str
    found: str
    holder: str = ""
    seen: bool = False

    @property
    def description(self) -> str:
        """Description in a line: the holder of the copy, whether we saw the images, how they were found."""
        seen = "seen by us" if self.seen else "not seen by us"
        return "; ".join(part for part in (self.holder, seen, self.found) if part)


def list_page_images(source: Source) -> tuple[PageImages, ...]:
    """List the page images of a source, in the order of its record."""
    given = source.record.get("images")
    rows = [row for row in given if isinstance(row, Mapping)] if isinstance(given, (list, tuple)) else []
    return tuple(map(_read_images, rows))


def _read_images(row: Mapping[str, object]) -> PageImages:
    address, shows, found, holder = (
        single_spaced(str(row.get(key, ""))) for key in ("address", "shows", "found", "holder")
    )
    return PageImages(address, shows, found, holder, row.get("seen") is True)


def get_iiif_manifest(source: Source) -> str:
    """Return the address of the IIIF manifest of a source; empty where it has none."""
    return str(source.record.get("iiif_manifest") or "")
