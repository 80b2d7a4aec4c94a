"""Addresses of things: within the edition, and on the net if the base address is known.

Without a base address nothing in the edition pretends to have one: no canonical link, no list of pages for search
engines, and citations that give the address within the edition and say so.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape

from rulebook.strings import quote_value

BASE_VARIABLE = "REVERSIS_BASE_URL"
CORRECTIONS_VARIABLE = "REVERSIS_CORRECTIONS_URL"
HOME_PAGE = "index.html"
SITEMAP = "sitemap.xml"
MAX_HOST = 253  #: letters of the name of a host, by the rules of the net


class BadAddress(ValueError):
    """An address that cannot be used, with the reason."""


def base_of(words: str) -> str:
    """A base address as it is needed, ending in a stroke; empty if none is given. Raises BadAddress."""
    words = words.strip()
    if not words:
        return ""
    try:
        parts = urlsplit(words)
        possible = len(parts.hostname or "") <= MAX_HOST and parts.port != 0
    except ValueError:  # a port above 65535, or brackets that do not close
        possible = False
    if not possible or parts.scheme not in ("http", "https") or not parts.netloc:
        quoted = quote_value(words)
        raise BadAddress(f"{quoted} is no base address: write one such as https://example.org/reversis/")
    if parts.query or parts.fragment:
        raise BadAddress(f"{words} is no base address: leave out what follows the ? or #")
    return words if words.endswith("/") else f"{words}/"


def template_of(words: str) -> str:
    """A pattern for the address to which corrections go; empty if none is given. Raises BadAddress."""
    words = words.strip()
    if not words:
        return ""
    if not words.startswith(("https://", "http://", "mailto:")):
        raise BadAddress(f"{words} is no address for corrections: let it begin with https:// or mailto:")
    if "{id}" not in words:
        raise BadAddress(f"{words} does not say where the id goes: write {{id}} there, and {{title}} for its title")
    return words


@dataclass(frozen=True)
class Addresses:
    """The places of all things, and the base address if there is one."""

    places: Mapping[tuple[str, str], tuple[str, str, str]]  #: (kind, id) -> (page, anchor, title)
    base: str = ""
    corrections: str = ""  #: a pattern with {id} and {title}

    def within(self, kind: str, id: str) -> str:
        """The address within the edition; empty for what has no place."""
        if kind == "edition":
            return HOME_PAGE
        place = self.places.get((kind, id))
        if place is None:
            return ""
        page, at, _ = place
        whole = not at or (kind == "question" and at == id)  # the page is the thing
        return f"{page}.html" if whole else f"{page}.html#{quote(at, safe='@.-_=&,')}"

    def cited(self, path: str) -> str:
        """An address as a citation gives it: the full one, where there is a base."""
        return f"{self.base}{'' if path == HOME_PAGE else path}" if self.base else path

    def correction(self, id: str, title: str) -> str:
        """Address for corrections to something; empty without an address for them."""
        filled = self.corrections.replace("{id}", quote(id, safe=""))
        return filled.replace("{title}", quote(title, safe=""))


def seen_from(page: str, path: str) -> str:
    """The way from one page to a path, both counted from the first folder: up, and down again."""
    target, sharp, at = path.partition("#")
    here = posixpath.dirname(page)
    return posixpath.relpath(target, here or ".") + sharp + at


def render_sitemap(base: str, pages: Iterable[str]) -> str:
    """List of all pages for search engines; without dates, for none is known that means anything."""
    rows = "".join(f"<url><loc>{escape(base + page)}</loc></url>\n" for page in sorted(pages))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )
