"""The built edition as its tests see it: files, kinds of page, and a server that has it under a longer path."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lxml import html

UNDER = "/a/b/"  #: where the server has it


@cache
def parsed(path: Path) -> html.HtmlElement:
    """A page, read once."""
    return html.fromstring(path.read_bytes().decode("utf-8"))


@cache
def find_pages(site: Path) -> tuple[Path, ...]:
    """The files of all pages, without those that only lead from an old address to a new one."""
    return tuple(path for path in sorted(site.rglob("*.html")) if b'class="rv-moved"' not in path.read_bytes())


def pages(site: Path) -> Iterator[tuple[str, html.HtmlElement]]:
    """Every page with its name."""
    for path in find_pages(site):
        yield path.relative_to(site).as_posix(), parsed(path)


def kinds(site: Path) -> dict[str, list[str]]:
    """Pages by kind: those of one folder are of one kind, and each page beside them is a kind of its own."""
    found: dict[str, list[str]] = {}
    for path in find_pages(site):
        name = path.relative_to(site).as_posix()
        found.setdefault(name.rpartition("/")[0] or name, []).append(name)
    return found


def samples(site: Path) -> list[str]:
    """One page of each kind: the one on which most stands."""
    return [max(names, key=lambda name: ((site / name).stat().st_size, name)) for names in kinds(site).values()]


class Below(SimpleHTTPRequestHandler):
    """Serves a folder under a longer path, and says nothing."""

    def translate_path(self, path: str) -> str:
        """A file of the folder; whatever is asked for beside it is not there."""
        return super().translate_path("/" + path.removeprefix(UNDER) if path.startswith(UNDER) else "/none/such")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of the edition on a server of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Below, directory=str(site)))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{UNDER}"
    finally:
        server.shutdown()
        server.server_close()
