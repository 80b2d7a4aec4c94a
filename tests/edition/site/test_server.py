"""`reversis serve`: the folder, the kinds of its files, and what is said when it cannot be."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from edition.cli.build import BUILD_MARKER
from edition.site.preview import Preview
from edition.site.server import (
    HOST,
    EditionServer,
    PageHandler,
    PortTaken,
    open_server,
    serve_live,
    serve_until_interrupt,
)
from reversis.cli.main import cli

FILES = {
    "index.html": "text/html; charset=utf-8",
    "a.mjs": "text/javascript",
    "b.wasm": "application/wasm",
    "c.json": "application/json",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*FILES, BUILD_MARKER):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


@pytest.fixture
def opened(folder: Path) -> Iterator[EditionServer]:
    with open_server(folder, 0) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield made
        made.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_served_as_what_it_is(opened: EditionServer, name: str) -> None:
    with urllib.request.urlopen(opened.address + name) as answer:
        assert (answer.headers["content-type"], answer.read().decode()) == (FILES[name], name)
        assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.slow
def test_readers_are_served_side_by_side(opened: EditionServer) -> None:
    with socket.create_connection((HOST, opened.server_port)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")  # and no more
        with urllib.request.urlopen(opened.address, timeout=10) as answer:
            assert answer.read() == b"index.html"


@pytest.mark.slow
def test_nothing_outside_the_folder_is_served(opened: EditionServer, folder: Path) -> None:
    (folder.parent / "secret").write_text("no", encoding="utf-8")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(opened.address + "%2e%2e/secret")
    refused.value.close()
    assert refused.value.code == 404


def said(opened: EditionServer, path: str, *heads: str, end: str = "\r\n\r\n", verb: str = "GET") -> bytes:
    """What the server says to a request as it stands."""
    with socket.create_connection((HOST, opened.server_port), timeout=10) as line:
        line.sendall("\r\n".join((f"{verb} {path} HTTP/1.1", *heads)).encode() + end.encode())
        pieces = []
        while piece := line.recv(65536):
            pieces.append(piece)
    return b"".join(pieces)


@pytest.fixture(params=["still", "live"])
def either(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Iterator[EditionServer]:
    (folder / "images").mkdir()
    preview = Preview(folder, tmp_path / "sources") if request.param == "live" else None
    with open_server(folder, 0, preview) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield made
        made.shutdown()


FOREIGN = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "localhost.evil.example:{port}",
    "",
    "[::1]",
)


@pytest.mark.slow
@pytest.mark.parametrize("host", FOREIGN)
def test_a_page_that_believes_to_speak_to_another_host_is_told_nothing(either: EditionServer, host: str) -> None:
    for path in ("/", "/c.json", "/-live/state?page=/"):
        answer = said(either, path, "Host: " + host.format(port=either.server_port))
        assert answer.startswith(b"HTTP/1.0 421 ") and b"index.html" not in answer and b"problems" not in answer


@pytest.mark.slow
def test_a_request_without_a_host_or_with_two_is_refused(either: EditionServer) -> None:
    assert said(either, "/").startswith(b"HTTP/1.0 421 ")
    twice = (f"Host: {HOST}:{either.server_port}", "Host: evil.example")
    assert said(either, "/", *twice).startswith(b"HTTP/1.0 421 ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost"])
def test_it_answers_to_its_own_names(either: EditionServer, name: str) -> None:
    assert said(either, "/", f"Host: {name}:{either.server_port}").startswith(b"HTTP/1.0 200 ")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/c.json", "/nowhere.html", "/%00"])
def test_no_answer_is_taken_for_another_kind_of_file(either: EditionServer, path: str) -> None:
    answer = said(either, path, f"Host: {HOST}:{either.server_port}")
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in answer


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/images/", "/images/?x", "/%69mages/"])
def test_a_folder_is_not_listed(either: EditionServer, path: str) -> None:
    answer = said(either, path, f"Host: {HOST}:{either.server_port}")
    assert answer.startswith(b"HTTP/1.0 404 ") and b"Directory listing" not in answer


@pytest.mark.slow
def test_no_script_that_keeps_pages_is_served_where_pages_change(either: EditionServer, folder: Path) -> None:
    (folder / "sw.js").write_text("self;", encoding="utf-8")
    host = f"Host: {HOST}:{either.server_port}"
    assert said(either, "/sw.js?v=1", host).startswith(b"HTTP/1.0 404 ")
    assert said(either, "/sw.js", host, verb="HEAD").startswith(b"HTTP/1.0 204 "), "a browser prints no error"


NO_PATHS = (
    "/%00", "/a%00.html", "/%0a", "/" + "a" * 300, "/" + "a/" * 600, "/%ff", "/%ED%A0%80", "http://[", "x",
    "/con.html",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("path", NO_PATHS)
def test_a_path_that_no_file_can_have_is_a_bad_request(either: EditionServer, path: str) -> None:
    assert said(either, path, f"Host: {HOST}:{either.server_port}").startswith(b"HTTP/1.0 400 ")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["/%2500", "/" + "a" * 300, "x", "/%25ff"])
@pytest.mark.parametrize("either", ["live"], indirect=True)
def test_the_state_of_a_page_that_no_file_can_be_is_a_bad_request(either: EditionServer, page: str) -> None:
    answer = said(either, f"/-live/state?page={page}", f"Host: {HOST}:{either.server_port}")
    assert answer.startswith(b"HTTP/1.0 400 ")


@pytest.mark.slow
def test_half_a_request_is_not_awaited_for_ever(either: EditionServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PageHandler, "timeout", 0.2)
    assert said(either, "/", f"Host: {HOST}:{either.server_port}", end="\r\n") == b""


@pytest.mark.slow
def test_only_this_machine_can_reach_it(opened: EditionServer) -> None:
    assert opened.server_address[0] == "127.0.0.1"


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_politely(opened: EditionServer, folder: Path) -> None:
    with pytest.raises(PortTaken):
        open_server(folder, opened.server_port)
    done = CliRunner().invoke(cli, ["serve", "-d", str(folder), "-p", str(opened.server_port)])
    assert (done.exit_code, f"Port {opened.server_port} cannot be had" in done.output) == (2, True)
    assert "Traceback" not in done.output


@pytest.mark.skipif(sys.platform == "win32", reason="there such a port might be shared by two servers")
def test_a_port_is_free_again_as_soon_as_its_server_ends(folder: Path) -> None:
    first = open_server(folder, 0)
    threading.Thread(target=first.serve_forever, args=(0.02,), daemon=True).start()
    with urllib.request.urlopen(first.address) as answer:
        assert answer.read() == b"index.html"  # a connection of its own keeps the port busy for a minute
    port = first.server_port
    first.shutdown()
    first.server_close()
    again = open_server(folder, port)
    assert again.server_port == port
    again.server_close()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(cli, ["serve", "-d", str(tmp_path), "-p", "0"])
    assert (done.exit_code, "holds something else than an edition" in done.output) == (2, True)


def test_it_ends_quietly_when_the_reader_ends_it(folder: Path) -> None:
    class Ended(EditionServer):
        def serve_forever(self, poll_interval: float = 0.5) -> None:
            raise KeyboardInterrupt

    told: list[str] = []
    made = Ended((HOST, 0), PageHandler)
    serve_until_interrupt(made, told.append)
    assert told == [made.address] and made.socket.fileno() == -1


def test_ctrl_c_as_soon_as_the_address_is_told_ends_it_quietly_too(folder: Path) -> None:
    def interrupt(address: str) -> None:
        raise KeyboardInterrupt

    still, live = (open_server(folder, 0) for _ in range(2))
    serve_until_interrupt(still, interrupt)
    serve_live(live, Preview(folder, folder), interrupt)
    assert (still.socket.fileno(), live.socket.fileno()) == (-1, -1)


def test_ctrl_c_is_answered_at_once_and_so_is_the_end_of_the_build(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(preview: Preview, ended: threading.Event) -> None:
        raise KeyboardInterrupt

    said: list[str] = []
    monkeypatch.setattr(Preview, "begin", lambda preview: True)
    monkeypatch.setattr(Preview, "follow", interrupt)
    serve_live(open_server(folder, 0), Preview(folder, folder), said.append, said.append)
    assert said[1:] == ["The edition is built.", "Stopping …"]
    (folder / "index.html").unlink()
    serve_live(open_server(folder, 0), Preview(folder, folder), said.append, said.append)
    assert "could not be built: `reversis check` says why" in said[-2]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process of Windows is not interrupted by a signal")
def test_the_command_tells_its_address_serves_and_ends_at_ctrl_c(folder: Path) -> None:
    command = [sys.executable, "-m", "reversis.cli", "serve", "-q", "-d", str(folder), "-p", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == b"index.html"
        running.send_signal(signal.SIGINT)
        try:
            assert (running.wait(20), running.stderr.read() if running.stderr else "") == (0, "")
        finally:
            running.kill()  # or the test would wait for it for ever
