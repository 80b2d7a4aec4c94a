"""The addresses of an edition that was published: pages and the places on them, which must lead somewhere for good.

    python -m tests.support.addresses SITE LIST

writes those of a site into a list that is kept for good in `tests/data/addresses/`. The site is built as README says,
without extras, which add places.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from lxml import html

LISTS = Path(__file__).parents[1] / "data" / "addresses"


def read_addresses(path: Path) -> Mapping[str, frozenset[str]]:
    """Page -> the places on it that have a name."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return {page: frozenset(places) for page, *places in (line.split(" ") for line in lines)}


def find_addresses(site: Path) -> Iterator[tuple[str, list[str]]]:
    """Every page of a site, and the places on it; those of an id with a blank in it cannot be in an address."""
    for path in sorted(site.rglob("*.html")):
        places = {str(one) for one in html.fromstring(path.read_bytes()).xpath("//@id") if " " not in one}
        yield path.relative_to(site).as_posix(), sorted(places)


def main(site: str, into: str) -> None:
    """Write the list."""
    lines = "".join(" ".join((page, *places)) + "\n" for page, places in find_addresses(Path(site)))
    Path(into).write_bytes(gzip.compress(lines.encode("utf-8"), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
