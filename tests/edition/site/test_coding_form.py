"""The form as the server has it: only this machine, only its own page, and a write that is old or new."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edition.coding.desk import CodingDesk
from edition.site.coding_form import CodingForm
from edition.site.preview import PAUSE, Preview
from edition.site.server import EditionServer, open_server
from tests.support.coding import BOTH, FIRST, FIRST_ALONE, LAST, fill_form, read_clauses_file
from tests.support.library import CLAUSES, write_library

pytestmark = pytest.mark.slow

NEW = FIRST_ALONE
ANSWERS = {one["answer"]: one for one in (FIRST, LAST, BOTH)}  #: with the sum that each needs
Reply = tuple[int, dict[str, str], bytes]


class Client:
    """What a browser, or somebody else, sends to a server."""

    def __init__(self, port: int, desk: CodingDesk, token: str = "", preview: Preview | None = None) -> None:
        self.port, self.desk, self.token, self.preview = port, desk, token, preview

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Reply:
        """Send a request; a header that is None is left out."""
        own = f"127.0.0.1:{self.port}"
        sent = {"Host": own, "X_Edition_Token": self.token}
        if method == "POST":
            sent |= {"Origin": f"http://{own}", "Content_Type": "application/json", "Content_Length": str(len(body))}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, text in {**sent, **headers}.items():
            if text is not None:
                connection.putheader(name.replace("_", "-"), text)
        connection.endheaders(body)
        answer = connection.getresponse()
        heads = dict[str, str]()
        for name, text in answer.getheaders():
            heads[name.lower()] = f"{heads[name.lower()]}, {text}" if name.lower() in heads else text
        found = answer.status, heads, answer.read()
        connection.close()
        return found

    def state(self) -> dict[str, Any]:
        """What the form shows of a source."""
        status, _, body = self.ask("GET", "/code/AAA/state")
        assert status == 200
        found: dict[str, Any] = json.loads(body)
        return found

    def answer(self, state: dict[str, Any], said: str = "[1]", **headers: str | None) -> Reply:
        """Send an answer to the third question."""
        given = fill_form(state, "Q003", **ANSWERS.get(said, {"answer": said}))
        return self.ask("POST", "/code/AAA/answer", given.model_dump_json().encode(), **headers)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    root, pages = write_library(tmp_path, deals=False), tmp_path / "html"
    (pages / "sources").mkdir(parents=True)
    (pages / "sources" / "AAA.html").write_text(
        "<html><head></head><body><h1>Tolls</h1></body></html>", encoding="utf-8"
    )
    form = CodingForm(CodingDesk(root))
    preview = Preview(pages, root)
    with open_server(pages, 0, preview, form) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield Client(made.server_port, form.desk, form.token, preview)
        made.shutdown()


# ---- as it should be
def test_the_page_bears_the_token_and_forbids_to_be_framed(client: Client) -> None:
    status, headers, body = client.ask("GET", "/code/AAA", X_Edition_Token=None)
    assert status == 200 and f'content="{client.token}"'.encode() in body and len(client.token) >= 40
    assert b"script-src 'self' file:;" in body and not re.search(rb"<script>|\sstyle=|\son\w+=", body)
    assert (headers["x-frame-options"], headers["content-security-policy"]) == ("DENY", "frame-ancestors 'none'")
    assert "no-store" in headers["cache-control"] and "access-control-allow-origin" not in headers


def test_every_server_has_a_token_of_its_own(tmp_path: Path) -> None:
    assert len({CodingForm(CodingDesk(tmp_path)).token for _ in range(3)}) == 3


def test_an_answer_is_written_checked_and_undone(client: Client) -> None:
    status, _, body = client.answer(client.state())
    told = json.loads(body)
    assert (status, told["written"]) == (200, True) and read_clauses_file(client.desk) == NEW
    status, _, body = client.ask("GET", "/code/AAA/problems")
    assert status == 200 and "problems" in json.loads(body)
    status, _, _ = client.ask("POST", "/code/AAA/undo", json.dumps({"seen": told["seen"]}).encode())
    assert status == 200 and read_clauses_file(client.desk) == CLAUSES


def test_pages_wait_until_the_coder_pauses_or_asks_for_one(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(Preview, "make", lambda preview, jobs="1": made.append(jobs))
    preview = client.preview
    assert preview and client.answer(client.state())[0] == 200
    assert not preview.look() and not made, "an answer has just come in"
    preview.held_until -= PAUSE
    assert preview.look() and len(made) == 1, "the coder has paused"
    assert client.answer(client.state(), "[-1]")[0] == 200
    assert not preview.look()
    assert client.ask("GET", "/sources/AAA.html")[0] == 200
    assert preview.look() and len(made) == 2, "somebody wants to see a page"


def test_two_answers_at_the_same_time_are_not_mixed(client: Client) -> None:
    state, found = client.state(), list[int]()
    every = [
        threading.Thread(target=lambda said=said: found.append(client.answer(state, said)[0]))  # type: ignore[misc]
        for said in ("[1]", "[-1]", "[1]", "[-1]")
    ]
    for one in every:
        one.start()
    for one in every:
        one.join()
    assert sorted(found) == [200, 409, 409, 409]


def test_until_the_edition_is_built_a_page_says_so_and_leads_to_the_forms(client: Client) -> None:
    assert client.preview
    client.preview.at_work, client.preview.began = True, time.monotonic() - 40
    status, _, body = client.ask("GET", "/")
    assert status == 404 and b"The edition is being built" in body and b"At work for 40 seconds" in body
    assert b'href="/code/AAA"' in body and b"/-live/frame.css" in body
    assert json.loads(client.ask("GET", "/-live/state?page=/")[2])["seconds"] == 40
    client.preview.at_work = False
    body = client.ask("GET", "/nowhere.html")[2]
    assert b"There is no such page" in body and b"being built" not in body


# ---- who may not
FOREIGN = {
    "no token": {"X_Edition_Token": None},
    "another token": {"X_Edition_Token": "x" * 43},
    "a token of other letters": {"X_Edition_Token": "ÿ"},
    "another origin": {"Origin": "http://evil.example"},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "no origin": {"Origin": None},
    "a sandboxed page": {"Origin": "null"},
    "another site": {"Sec_Fetch_Site": "cross-site"},
    "another port of this machine": {"Sec_Fetch_Site": "same-site"},
    "a form of HTML": {"Content_Type": "text/plain"},
    "another host": {"Host": "evil.example"},
    "a host that leads here": {"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"},
}


@pytest.mark.parametrize("who", FOREIGN)
@pytest.mark.parametrize("action", ["answer", "undo"])
def test_a_foreign_page_cannot_write(client: Client, who: str, action: str) -> None:
    state = client.state()
    told = json.loads(client.answer(state)[2])
    headers = {name: text and text.format(port=client.port) for name, text in FOREIGN[who].items()}
    if action == "answer":
        status, answered, _ = client.answer(state | told, "[-1]", **headers)
    else:
        status, answered, _ = client.ask(
            "POST", "/code/AAA/undo", json.dumps({"seen": told["seen"]}).encode(), **headers
        )
    assert status in (403, 415, 421) and "access-control-allow-origin" not in answered
    assert read_clauses_file(client.desk) == NEW


@pytest.mark.parametrize("who", [one for one in FOREIGN if one not in ("no origin", "a form of HTML")])
@pytest.mark.parametrize("action", ["state", "problems"])
def test_nor_can_it_read(client: Client, who: str, action: str) -> None:
    headers = {name: text and text.format(port=client.port) for name, text in FOREIGN[who].items()}
    status, _, body = client.ask("GET", f"/code/AAA/{action}", **headers)
    assert status in (403, 421) and b"Celui" not in body


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_nor_is_the_page_given_to_it(client: Client, site: str) -> None:
    status, _, body = client.ask("GET", "/code/AAA", Sec_Fetch_Site=site)
    assert status == 403 and client.token.encode() not in body


def test_the_servers_other_name_is_its_own(client: Client) -> None:
    own = f"localhost:{client.port}"
    assert client.answer(client.state(), Host=own, Origin=f"http://{own}")[0] == 200


# ---- requests of another kind
def test_a_text_that_is_too_long_is_told_as_such_and_with_its_field(client: Client) -> None:
    given = {"seen": "", "question": "Q003", "cells": {"because": "x" * 20_001}}
    status, _, told = client.ask("POST", "/code/AAA/answer", json.dumps(given).encode())
    said = json.loads(told)
    assert status == 413 and "more than 20000 letters, and nothing was written" in said["what"]
    assert said["out"] == "shorten it, and save again" and read_clauses_file(client.desk) == CLAUSES


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"seen": 1}', b'{"seen": "", "question": "Q003", "cells": {"clause": "x"}}', b"\xff"],
)
def test_what_is_no_answer_is_a_bad_request(client: Client, body: bytes) -> None:
    status, _, told = client.ask("POST", "/code/AAA/answer", body)
    assert status == 400 and json.loads(told)["out"] == "load the page again"
    assert read_clauses_file(client.desk) == CLAUSES


@pytest.mark.parametrize("size", ["600000", "x", "-1", "9" * 30, None, "١٢"])
def test_a_request_without_its_size_or_too_long_is_not_read(client: Client, size: str | None) -> None:
    status, _, _ = client.ask("POST", "/code/AAA/answer", Content_Length=size and size.encode().decode("latin-1"))
    assert status == 413


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/index.html", 501),
        ("POST", "/code/AAA", 404),
        ("POST", "/code/AAA/state", 404),
        ("GET", "/code/AAA/answer", 404),
        ("GET", "/code/CCC/state", 404),
        ("GET", "/code/..%2f..%2fetc/state", 404),
        ("OPTIONS", "/code/AAA/answer", 501),
        ("PUT", "/code/AAA/answer", 501),
        ("HEAD", "/code/AAA", 200),
    ],
)
def test_nothing_else_is_answered(client: Client, method: str, path: str, status: int) -> None:
    assert client.ask(method, path)[0] == status


def test_a_still_server_has_no_form(tmp_path: Path) -> None:
    made: EditionServer
    with open_server(tmp_path, 0) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        client = Client(made.server_port, CodingDesk(tmp_path))
        assert client.ask("GET", "/code/AAA")[0] == 404 and client.ask("POST", "/code/AAA/answer")[0] == 501
        made.shutdown()
