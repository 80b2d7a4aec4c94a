"""The built edition on this machine, for its own browser: a page that is served may start the engine."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "127.0.0.1"  #: this machine alone
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


class PortTaken(OSError):
    """Another program listens at the port that was asked for."""


class Pages(SimpleHTTPRequestHandler):
    """Hands out the files of one folder, quietly."""

    extensions_map: dict[str, str] = {**SimpleHTTPRequestHandler.extensions_map, **KINDS}  # noqa: RUF012

    def end_headers(self) -> None:
        """A page that was built anew is asked for anew."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads along."""


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


def house(folder: Path, port: int) -> House:
    """A server for a folder, at a port or, for 0, at any that is free. Raises PortTaken."""
    try:
        return House((HOST, port), partial(Pages, directory=str(folder)))
    except OSError as fault:
        if fault.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTaken(fault.errno, str(fault)) from fault
        raise


def keep(open_house: House, told: Callable[[str], None]) -> None:
    """Serve until the reader ends it with Ctrl-C."""
    with open_house:
        told(open_house.address)
        try:
            open_house.serve_forever()
        except KeyboardInterrupt:
            return
