"""Pages in a library's own folders `pages` and `book`: Markdown, held to what can read no file but its own.

A library may come from a stranger. Sphinx and MyST would include other files into a page, or copy files beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote

from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.sources.paths import find_files
from rulebook.strings import quote_value

BOOK_FOLDER = "book"  #: with essays for the book
PAGE_PATTERNS = ("pages/*.md", "pages/*/*.md", f"{BOOK_FOLDER}/*.md")
_DIRECTIVES = frozenset({"toctree", "table", "list-table", "code-block", "note", "bibliography"})
_HEAD_KEYS = frozenset({"asked", "hide-toc", "orphan", "summary"})
_OWN_NAME = re.compile(r"[a-z]+:[a-z-]+$|\.")  #: of a directive or role of the edition; of a class for a paragraph
_OPTION = re.compile(r"^[\s>]*:(?!hidden:|glob:|caption:|maxdepth:|titlesonly:|class:|header-rows:|widths:|all:)\w+:")
_HEAD = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
_HEAD_LINE = re.compile(r"^([\w-]+):")
_BRACES = re.compile(r"(?:`{3,}|~{3,}|:{3,})\s*\{([^}]*)\}|\{([^}`\s]+)\}`")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$|<((?:path|project|inv):[^>]*)>")
_ADDRESS = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def read_library_pages(root: Path, library: Library) -> tuple[Mapping[str, str], Iterator[Problem]]:
    """Read the pages of a library, by their names below the edition; and what is wrong with them."""
    files = {path.relative_to(root).as_posix(): path for path in find_files(root, PAGE_PATTERNS)}
    texts = {name: path.read_text("utf-8", "replace") for name, path in files.items()}
    faults = (fault for name, page in texts.items() for fault in find_page_faults(f"{root.name}/{name}", page))
    pages = {name.removeprefix("pages/"): page for name, page in texts.items() if name.startswith("pages/")}
    return pages, faults


def find_page_faults(file: str, page: str) -> Iterator[Problem]:
    """Find what could read a file, or is no part of pages of a library."""
    head = _HEAD.match(page)
    if head and not {match[1] for line in head[1].splitlines() if (match := _HEAD_LINE.match(line))} <= _HEAD_KEYS:
        known = ", ".join(sorted(_HEAD_KEYS))
        yield Where(file).problem("the head of the page has an entry that no page has", f"known are {known}")
    name = file.split("/", 2)[-1]
    for number, line in enumerate(page.splitlines(), 1):
        where = Where(file, number)
        for fault in _find_line_faults(line, name):
            yield where.problem(fault, "pages of a library take no other files: write the words, or link to a page")


def _find_line_faults(line: str, name: str) -> Iterator[str]:
    for directive, role in _BRACES.findall(line):
        if not (_OWN_NAME.match(directive or role) or directive in _DIRECTIVES):
            yield f"{quote_value(directive or role)} is not among the directives and roles of a page"
    if "![" in line:
        yield "a picture"
    if _OPTION.match(line):
        yield f"the option {quote_value(line.strip())}"
    for link in (next(filter(None, groups)) for groups in _LINK.findall(line)):
        if not _ADDRESS.match(link) and _leads_out(unquote(link), name):
            yield f"a link that leads out of the pages: {quote_value(link)}"


def _leads_out(link: str, name: str) -> bool:
    place = normpath(f"{dirname(name)}/./{link}".lstrip("/"))
    return ":" in link.partition("#")[0] or "\\" in link or link.startswith("/") or place.startswith("..")
