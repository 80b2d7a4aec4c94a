"""The built edition on this machine, for its own browser: a page that is served may start the engine."""

from __future__ import annotations

import errno
import io
import json
import re
import threading
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from urllib.parse import parse_qs, unquote, urlsplit

from rulebook.io.files import is_device

if TYPE_CHECKING:
    from edition.site.preview import Preview

HOST = "127.0.0.1"  #: this machine alone
NAMES = (HOST, "localhost")  #: by which a browser of this machine may call it; a name from outside may lead here too
PATIENCE = 30  #: seconds for which the next letter of a request is awaited
HTTP_PORT = 80
LONGEST_NAME, LONGEST_PATH = 255, 1000  #: bytes of a file's name, and of the way to it; no system takes much more
KINDS: Mapping[str, str] = {  # what a browser must be told of a file, whatever the machine believes of it
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}


def names_a_file(path: str) -> bool:
    """Whether the path of an address can be one of a file: letters that can be seen, in UTF-8, and not too many."""
    way = unquote(path)
    if not (way.startswith("/") and way.isprintable() and "\ufffd" not in way and len(way.encode()) <= LONGEST_PATH):
        return False
    return not any(len(one.encode()) > LONGEST_NAME or is_device(one) for one in way.split("/"))


class PortTaken(OSError):
    """Another program listens at the port that was asked for."""


class Pages(SimpleHTTPRequestHandler):
    """Hands out the files of one folder, quietly."""

    extensions_map: dict[str, str] = {**SimpleHTTPRequestHandler.extensions_map, **KINDS}  # noqa: RUF012

    timeout = PATIENCE

    def parse_request(self) -> bool:
        """Read the head of a request; refuse one that was meant for another host, or that can name no file."""
        if not super().parse_request():
            return False
        if not self.is_for_us():
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "This server answers to its own names only")
        elif not names_a_file(re.split("[?#]", self.path)[0]):
            self.send_error(HTTPStatus.BAD_REQUEST, "No file can have this path")
        else:
            return True
        return False

    def is_for_us(self) -> bool:
        """Whether the browser believes that it speaks to this server: a foreign page may have led it here."""
        asked = self.headers.get_all("Host", [])
        port = cast("House", self.server).server_port
        known = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == HTTP_PORT else set())  # it goes unsaid
        return len(asked) == 1 and asked[0].strip().lower() in known

    def end_headers(self) -> None:
        """A page that was built anew is asked for anew, and every file is only what it is said to be."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path: Any) -> None:
        """A folder without a page of its own is not listed."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads along."""


LIVE = "/-live/"  #: where a page of the live preview finds what is not of the edition
OURS = Path(__file__).parents[1] / "served"
HEAD = f'<link rel="stylesheet" href="{LIVE}live.css"><script src="{LIVE}live.js" defer></script></head>'.encode()
NOT_YET = (
    b'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Reversis</title></head>'
    b"<body><p>There is no such page, or not yet. If it is being made, it will stand here.</p></body></html>"
)


class LivePages(Pages):
    """The same, and a script with every page, by which it follows its sources."""

    def __init__(self, *given: Any, preview: Preview, **more: Any) -> None:
        self.preview = preview
        super().__init__(*given, **more)

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """What is asked for, read whole before it is sent: meanwhile the folder may be exchanged."""
        asked = urlsplit(self.path)
        if asked.path.startswith(LIVE):
            return self.live(asked.path.removeprefix(LIVE), asked.query)
        with self.preview.gate:
            if not Path(self.translate_path(asked.path)).exists() and asked.path.endswith(("/", ".html")):
                return self.sent(NOT_YET, ".html", HTTPStatus.NOT_FOUND)
            path = Path(self.translate_path(asked.path))
            path = path / "index.html" if path.is_dir() and asked.path.endswith("/") else path
            if path.suffix != ".html" or not path.is_file():
                return self.other()
            letters = path.read_bytes()
        return self.sent(letters, ".html")

    def other(self) -> io.BytesIO | BinaryIO | None:
        """A file that is no page, as it is."""
        opened = super().send_head()
        if opened is None:
            return None
        with opened:
            return io.BytesIO(opened.read())

    def live(self, name: str, query: str) -> io.BytesIO | None:
        """Our script and its style, and what it asks for."""
        from edition.site.preview import told

        if name in ("live.js", "live.css"):
            return self.sent((OURS / name).read_bytes(), Path(name).suffix)
        if name != "state":
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        page = parse_qs(query).get("page", ["/"])[0]
        if not names_a_file(page):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None
        with self.preview.gate:
            way = Path(self.translate_path(page))
            found = told(self.preview, way / "index.html" if page.endswith("/") else way)
        return self.sent(json.dumps(found, ensure_ascii=False).encode(), ".json")

    def sent(self, letters: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> io.BytesIO:
        """Say what comes, and hand it over; a page is given our script."""
        body = letters.replace(b"</head>", HEAD, 1) if kind == ".html" else letters
        self.send_response(status)
        self.send_header("Content-Type", KINDS[kind])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


class House(ThreadingHTTPServer):
    """A server for one folder; readers are served side by side."""

    daemon_threads = True
    allow_reuse_address = False  # where it is allowed, two servers may share a port, and neither knows

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of a file is no fault."""

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{HOST}:{self.server_port}/"


def house(folder: Path, port: int, preview: Preview | None = None) -> House:
    """A server for a folder, at a port or, for 0, at any that is free; with a preview it is live. Raises PortTaken."""
    pages = partial(LivePages, preview=preview) if preview else Pages
    try:
        return House((HOST, port), partial(pages, directory=str(folder)))
    except OSError as fault:
        if fault.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTaken(fault.errno, str(fault)) from fault
        raise


def keep_live(open_house: House, preview: Preview, told: Callable[[str], None]) -> None:
    """Serve, and follow the sources, until the reader ends it with Ctrl-C."""
    with open_house:
        threading.Thread(target=open_house.serve_forever, daemon=True).start()
        told(open_house.address)
        try:
            preview.begin()
            preview.follow(threading.Event())
        except KeyboardInterrupt:
            return
        finally:
            open_house.shutdown()


def keep(open_house: House, told: Callable[[str], None]) -> None:
    """Serve until the reader ends it with Ctrl-C."""
    with open_house:
        told(open_house.address)
        try:
            open_house.serve_forever()
        except KeyboardInterrupt:
            return
