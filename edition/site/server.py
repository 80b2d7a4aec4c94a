"""Local HTTP server for the built edition.

A page that is served can run the engine.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from urllib.parse import parse_qs, unquote, urlsplit

from edition.coding import CODE_ADDRESS
from rulebook.io.files import is_device
from rulebook.program_name import name_command

if TYPE_CHECKING:
    from edition.site.coding_form import CodingForm, FormReply
    from edition.site.preview import Preview

HOST = "127.0.0.1"  #: this machine alone
#: By which a browser of this machine may call it; a name from outside may lead here too.
_HOST_NAMES = (HOST, "localhost")
_SERVICE_WORKER = "/sw.js"  #: never served here, where pages change: it would go on showing the earlier ones
REQUEST_TIMEOUT = 30  #: seconds for which the next letter of a request is awaited
HTTP_PORT = 80
_MAX_NAME_BYTES, _MAX_PATH_BYTES = 255, 1000  #: bytes of a file's name, and of the way to it; no system takes much more
_CONTENT_TYPES: Mapping[str, str] = {  # what a browser must be told of a file, whatever the machine believes of it
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


def _is_file_path(path: str) -> bool:
    """Return True if the path of an address can name a file.

    It must be printable UTF-8 and not too long, and no part of it may be a device.
    """
    way = unquote(path)
    if not (way.startswith("/") and way.isprintable() and "\ufffd" not in way and len(way.encode()) <= _MAX_PATH_BYTES):
        return False
    return not any(len(part.encode()) > _MAX_NAME_BYTES or is_device(part) for part in way.split("/"))


class PortTaken(OSError):
    """Another program listens at the port that was asked for."""


class PageHandler(SimpleHTTPRequestHandler):
    """Request handler that serves the files of one folder and logs nothing."""

    extensions_map: dict[str, str] = {**SimpleHTTPRequestHandler.extensions_map, **_CONTENT_TYPES}  # noqa: RUF012

    timeout = REQUEST_TIMEOUT

    def parse_request(self) -> bool:
        """Read the head of a request; refuse one that was meant for another host, or that can name no file."""
        if not super().parse_request():
            return False
        if not self.is_for_us():
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "This server answers to its own names only")
        elif not _is_file_path(re.split("[?#]", self.path)[0]):
            self.send_error(HTTPStatus.BAD_REQUEST, "No file can have this path")
        elif re.split("[?#]", self.path)[0] == _SERVICE_WORKER:
            self.refuse_service_worker()
        else:
            return True
        return False

    def refuse_service_worker(self) -> None:
        """Refuse the script; who only asks for its head is told so without an error, which a browser would print."""
        if self.command == "HEAD":
            self.send_response(HTTPStatus.NO_CONTENT)
            self.end_headers()
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def is_for_us(self) -> bool:
        """Return True if the Host header names this server.

        A foreign page may have led the browser here.
        """
        asked = self.headers.get_all("Host", [])
        port = cast("EditionServer", self.server).server_port
        known = {f"{name}:{port}" for name in _HOST_NAMES}
        if port == HTTP_PORT:  # it goes unsaid
            known.update(_HOST_NAMES)
        return len(asked) == 1 and asked[0].strip().lower() in known

    def end_headers(self) -> None:
        """Send headers that forbid caching without revalidation and content sniffing."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path: Any) -> None:
        """Refuse to list a folder without an index page."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


MAX_REQUEST_BYTES = 500_000  #: bytes of what the form sends; the longest answer of the edition has 3,000
LIVE = "/-live/"  #: where a page of the live preview finds what is not of the edition
_LIVE_FILES = Path(__file__).parents[1] / "served"
_LIVE_NAMES = ("live.js", "live.css", "coding.js", "coding-fields.js", "coding-marks.js", "coding.css")
_LIVE_HEAD = f'<link rel="stylesheet" href="{LIVE}live.css"><script src="{LIVE}live.js" defer></script></head>'.encode()


class LivePageHandler(PageHandler):
    """Request handler of the live preview: adds a script to every page, and has the form for coding a source."""

    def __init__(self, *given: Any, preview: Preview, form: CodingForm | None = None, **more: Any) -> None:
        self.preview, self.form = preview, form
        super().__init__(*given, **more)

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Send the headers and return the body, read whole.

        The folder may be replaced while the body is being sent.
        """
        asked = urlsplit(self.path)
        if asked.path.startswith(LIVE):
            return self.live(asked.path.removeprefix(LIVE), asked.query)
        if self.form and asked.path.startswith(CODE_ADDRESS):
            return self.reply(self.ask_form(self.form))
        with self.preview.gate:
            path = Path(self.translate_path(asked.path))
            path = path / "index.html" if path.is_dir() and asked.path.endswith("/") else path
            if not path.exists() and asked.path.endswith(("/", ".html")):
                return self.sent(self.missing(), ".html", HTTPStatus.NOT_FOUND)
            if path.suffix != ".html" or not path.is_file():
                return self.other()
            letters = path.read_bytes()
        self.preview.release()
        return self.sent(letters, ".html")

    def do_POST(self) -> None:
        """Write what the form sends; nothing else can be written."""
        if not (self.form and urlsplit(self.path).path.startswith(CODE_ADDRESS)):
            self.send_error(HTTPStatus.NOT_IMPLEMENTED, "Nothing can be written here")
            return
        size = self.headers.get("Content-Length", "")
        if not (size.isascii() and size.isdecimal() and len(size) < 10 and int(size) <= MAX_REQUEST_BYTES):
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "An answer is shorter, and says how long it is")
            return
        self.preview.hold()
        self.wfile.write(self.reply(self.ask_form(self.form, self.rfile.read(int(size)))).read())

    def ask_form(self, form: CodingForm, body: bytes = b"") -> FormReply:
        """Have a request answered by the form."""
        from edition.site.coding_form import FormRequest

        path = urlsplit(self.path).path.removeprefix(CODE_ADDRESS)
        headers = {name.lower(): text for name, text in self.headers.items()}
        return form.reply(FormRequest(self.command, path, headers, body))

    def reply(self, answer: FormReply) -> io.BytesIO:
        """Send the headers of a reply of the form, and return its body."""
        from edition.site.coding_form import HEADERS

        self.send_response(answer.status)
        for name, text in {**HEADERS, "Content-Type": answer.kind, "Content-Length": str(len(answer.body))}.items():
            self.send_header(name, text)
        self.end_headers()
        return io.BytesIO(answer.body)

    def missing(self) -> bytes:
        """Return what stands in place of a page that there is not, or not yet."""
        from edition.site.coding_form import read_library_title, render_missing_page

        sigla = self.form.desk.list_sources() if self.form else []
        return render_missing_page(
            read_library_title(self.preview.sources), sigla, self.preview.seconds, self.preview.at_work
        )

    def other(self) -> io.BytesIO | BinaryIO | None:
        """Send a file that is not a page."""
        opened = super().send_head()
        if opened is None:
            return None
        with opened:
            return io.BytesIO(opened.read())

    def live(self, name: str, query: str) -> io.BytesIO | None:
        """Send the script and style of the preview, or the state that the script polls."""
        from edition.site.coding_form import read_static_file
        from edition.site.preview import describe_preview

        if name in _LIVE_NAMES:
            return self.sent((_LIVE_FILES / name).read_bytes(), Path(name).suffix)
        if (static := read_static_file(name)) is not None:
            return self.sent(static, Path(name).suffix)
        if name != "state":
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        page = parse_qs(query).get("page", ["/"])[0]
        if not _is_file_path(page):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None
        with self.preview.gate:
            way = Path(self.translate_path(page))
            state = describe_preview(self.preview, way / "index.html" if page.endswith("/") else way)
        state["code"] = self.form.find_form(page) if self.form else ""
        return self.sent(json.dumps(state, ensure_ascii=False).encode(), ".json")

    def sent(self, letters: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> io.BytesIO:
        """Send the headers and return the body; a page gets the script of the preview."""
        body = letters.replace(b"</head>", _LIVE_HEAD, 1) if kind == ".html" else letters
        self.send_response(status)
        self.send_header("Content-Type", _CONTENT_TYPES[kind])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


class EditionServer(ThreadingHTTPServer):
    """HTTP server of one folder, one thread per request."""

    daemon_threads = True
    #: On Windows two servers might share a port, and neither knows; elsewhere a port is free once its server ends.
    allow_reuse_address = os.name != "nt"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a browser that closes the connection early."""

    @property
    def address(self) -> str:
        """URL of the server."""
        return f"http://{HOST}:{self.server_port}/"


def open_server(
    folder: Path, port: int, preview: Preview | None = None, form: CodingForm | None = None
) -> EditionServer:
    """Open a server for a folder; with a preview it is live, and may have the form for coding a source.

    *port* 0 means any free port. Raises PortTaken.
    """
    pages = partial(LivePageHandler, preview=preview, form=form) if preview else PageHandler
    try:
        return EditionServer((HOST, port), partial(pages, directory=str(folder)))
    except OSError as fault:
        if fault.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTaken(fault.errno, str(fault)) from fault
        raise


def _pass_over(words: str) -> None:
    """Say nothing."""


def serve_live(
    open_house: EditionServer,
    preview: Preview,
    announce: Callable[[str], None],
    said: Callable[[str], None] = _pass_over,
) -> None:
    """Serve and watch the sources until Ctrl-C; *announce* is given the address, *said* what becomes of the pages."""
    with open_house:
        threading.Thread(target=open_house.serve_forever, daemon=True).start()
        try:  # whoever has read the address may end it at once
            announce(open_house.address)
            if preview.begin():
                said(_describe_build(preview))
            preview.follow(threading.Event())
        except KeyboardInterrupt:
            said("Stopping …")
            return
        finally:
            open_house.shutdown()


def _describe_build(preview: Preview) -> str:
    """Say whether the edition was built, and if not, where that is told."""
    if (preview.out / "index.html").is_file():
        return "The edition is built."
    return f"The edition could not be built: `{name_command('check')}` says why. The form is there all the same."


def serve_until_interrupt(open_house: EditionServer, announce: Callable[[str], None]) -> None:
    """Serve until Ctrl-C."""
    with open_house:
        try:  # whoever has read the address may end it at once
            announce(open_house.address)
            open_house.serve_forever()
        except KeyboardInterrupt:
            return
