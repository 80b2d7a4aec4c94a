"""The form in the browser: its page, and the requests by which its script reads and writes.

Only for this machine: every request but that for the page bears a token of this server, which stands in the page; one
that writes names the server itself as its origin. Pages of others can neither read nor send it.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Template
from pydantic import BaseModel, ConfigDict, ValidationError

from edition.coding import CODE_ADDRESS
from edition.coding.desk import ClausesChanged, ClausesHeld, CodingDesk, NotShown, NotWritten
from edition.coding.form_rows import FIELD_LABELS, FormAnswer, SilentAnswers
from edition.corpus.settings import read_edition_words
from edition.settings import SPHINX_SETTINGS
from edition.site.csp import render_csp_meta
from rulebook.program_name import name_command, name_program

TOKEN_HEADER = "X-Edition-Token"
#: What a page of another site could not be sent with, and what keeps it from framing ours.
HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_OWN_SITES = frozenset({"", "none", "same-origin"})  #: who may ask, as far as a browser says it
_STATUS: Mapping[type[NotWritten], HTTPStatus] = {
    NotShown: HTTPStatus.NOT_FOUND,
    ClausesChanged: HTTPStatus.CONFLICT,
    ClausesHeld: HTTPStatus.LOCKED,
    NotWritten: HTTPStatus.UNPROCESSABLE_ENTITY,
}


@dataclass(frozen=True)
class FormRequest:
    """A request as the server has read it: the path behind `CODE_ADDRESS`, its headers, and what was sent."""

    method: str
    path: str
    headers: Mapping[str, str]  #: names in small letters
    body: bytes = b""


@dataclass(frozen=True)
class FormReply:
    """A reply: its status, the kind of its content, and that."""

    status: HTTPStatus
    kind: str
    body: bytes


class _UndoRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seen: str


@dataclass(frozen=True)
class CodingForm:
    """The forms of one server, with its token."""

    desk: CodingDesk
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    def find_form(self, page: str) -> str:
        """Return the address of the form of the source that a page of the edition shows; empty if it shows none."""
        siglum = page.removeprefix("/sources/").removesuffix(".html")
        return f"{CODE_ADDRESS}{siglum}" if page == f"/sources/{siglum}.html" and self.desk.has_source(siglum) else ""

    def reply(self, asked: FormRequest) -> FormReply:
        """Answer a request; whatever is not allowed changes nothing."""
        siglum, _, action = asked.path.partition("/")
        if asked.headers.get("sec-fetch-site", "") not in _OWN_SITES:
            return _refuse(HTTPStatus.FORBIDDEN, "another site has asked for this", "open the form from the edition")
        if asked.method != "POST" and not action:
            return self._send_page(siglum)
        act = _ACTIONS.get((asked.method, action))
        if act is None:
            return _refuse(HTTPStatus.NOT_FOUND, "the form asks for nothing here", "load the page again")
        return self._refuse_stranger(asked) or self._act(act, siglum, asked.body)

    def _send_page(self, siglum: str) -> FormReply:
        there = self.desk.has_source(siglum)
        library = read_library_title(self.desk.root)
        body = _render_form(siglum, self.token, library) if there else _render_list(self.desk.list_sources(), library)
        status = HTTPStatus.OK if there or not siglum else HTTPStatus.NOT_FOUND
        return FormReply(status, "text/html; charset=utf-8", body.encode("utf-8"))

    def _refuse_stranger(self, asked: FormRequest) -> FormReply | None:
        """Refuse who does not bear the token, or comes from elsewhere."""
        origin, own = asked.headers.get("origin", ""), f"http://{asked.headers.get('host', '')}".lower()
        if origin.lower() != own and (origin or asked.method == "POST"):
            return _refuse(HTTPStatus.FORBIDDEN, "another page has asked for this", "open the form from the edition")
        if asked.method == "POST" and asked.headers.get("content-type", "").split(";")[0] != "application/json":
            return _refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "no answer was sent", "load the page again")
        token = asked.headers.get(TOKEN_HEADER.lower(), "")
        if not hmac.compare_digest(token.encode("utf-8"), self.token.encode("utf-8")):
            what = "the server was started again since this page was opened, and nothing was written"
            return _refuse(HTTPStatus.FORBIDDEN, what, "load the page again: what you have typed is kept")
        return None

    def _act(self, act: Callable[[CodingDesk, str, bytes], Any], siglum: str, body: bytes) -> FormReply:
        try:
            return _send_json(HTTPStatus.OK, act(self.desk, siglum, body))
        except ValidationError as fault:
            if long := next((error for error in fault.errors() if error["type"] == "string_too_long"), None):
                field, most = str(long["loc"][-1]), long["ctx"]["max_length"]
                what = f"{FIELD_LABELS.get(field, field)}: more than {most} letters, and nothing was written"
                return _refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, what, "shorten it, and save again")
            what = f"the form has sent something else than an answer ({fault.errors()[0]['msg']})"
            return _refuse(HTTPStatus.BAD_REQUEST, what, "load the page again")
        except NotWritten as fault:
            return _send_json(_STATUS[type(fault)], {"what": fault.what, "out": fault.way_out, **fault.more})


_ACTIONS: Mapping[tuple[str, str], Callable[[CodingDesk, str, bytes], Any]] = {
    ("GET", "state"): lambda desk, siglum, body: desk.describe(siglum),
    ("GET", "problems"): lambda desk, siglum, body: {"problems": desk.find_problems(siglum, deals=False)},
    ("GET", "all-problems"): lambda desk, siglum, body: {"problems": desk.find_problems(siglum)},
    ("GET", "unquoted"): lambda desk, siglum, body: desk.count_unquoted(siglum),
    ("POST", "answer"): lambda desk, siglum, body: desk.write_answer(siglum, FormAnswer.model_validate_json(body)),
    ("POST", "silence"): lambda desk, siglum, body: desk.mark_silent(siglum, SilentAnswers.model_validate_json(body)),
    ("POST", "undo"): lambda desk, siglum, body: desk.undo(siglum, _UndoRecord.model_validate_json(body).seen),
}


def _send_json(status: HTTPStatus, data: Mapping[str, Any]) -> FormReply:
    return FormReply(status, "application/json", json.dumps(data, ensure_ascii=False).encode("utf-8"))


def _refuse(status: HTTPStatus, what: str, way_out: str) -> FormReply:
    return _send_json(status, {"what": what, "out": way_out})


# ---- pages: their looks are those of the program, and there before the edition is built
_STATIC = Path(__file__).parents[1] / "static"
_STATIC_NAMES = frozenset({"frame.css", "first.js", "mark.svg"})


def read_static_file(name: str) -> bytes | None:
    """Return a file by which the pages of the form look as those of the edition; None if they use no such file."""
    if name == "colours.css":
        options = SPHINX_SETTINGS["html_theme_options"]
        template = Template((_STATIC / f"{name}.jinja").read_text(encoding="utf-8"))
        letters: str = template.render({f"theme_{key}": option for key, option in options.items()})
        return letters.encode("utf-8")
    folder, _, font = name.partition("/")
    known = name in _STATIC_NAMES or (folder == "fonts" and re.fullmatch(r"[a-z-]+\.woff2", font))
    path = _STATIC / name
    return path.read_bytes() if known and path.is_file() else None


def render_missing_page(library: str, sigla: list[str], seconds: int, working: bool) -> bytes:
    """Render what stands in place of a page that there is not, or not yet; the sources can be coded meanwhile."""
    entries = "".join(f'<li><a href="{CODE_ADDRESS}{siglum}">{CODE_ADDRESS}{siglum}</a></li>' for siglum in sigla)
    notice = (
        "<p>This takes a minute or two, and this page opens by itself when it is there. "
        f'<span class="rv-live-progress">At work for {seconds} seconds.</span></p>'
        if working
        else '<p>There is no such page. <a href="/">Go to the first one</a>.</p>'
    )
    listed = f"<p>The form for coding a source is there already:</p>\n<ul>{entries}</ul>" if entries else ""
    title = "The edition is being built" if working else "No such page"
    page = _FRAME.format(
        policy=render_csp_meta(), head="", title=title, ways="", content=f"{notice}\n{listed}", library=escape(library)
    )
    return page.encode("utf-8")


def read_library_title(root: Path) -> str:
    """Read the title of a library, under which its pages stand."""
    return read_edition_words(root).title


_FRAME = """<!doctype html>
<html lang="en" data-content_root="/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">{policy}{head}
<link rel="icon" type="image/svg+xml" href="/-live/mark.svg">
<link rel="stylesheet" href="/-live/colours.css">
<link rel="stylesheet" href="/-live/frame.css">
<link rel="stylesheet" href="/-live/coding.css">
<script src="/-live/first.js"></script>
<title>{title} – {library}</title>
</head>
<body>
<a class="rv-skip" href="#content">Skip to content</a>
<header class="rv-bar"><div>
<a class="rv-word" href="/">{library}</a>
<nav class="rv-coding-ways" aria-label="Pages of the edition">{ways}</nav>
</div></header>
<main class="rv-main" id="content" tabindex="-1">
<article>
<h1>{title}</h1>
{content}
</article>
</main>
</body>
</html>
"""
_SCRIPTS = "".join(
    f'\n<script src="/-live/{name}" defer></script>' for name in ("coding-marks.js", "coding-fields.js", "coding.js")
)


def _render_frame(library: str, title: str, content: str, head: str = "", ways: str = "") -> str:
    words = {"library": escape(library), "title": title, "content": content, "head": head, "ways": ways}
    return _FRAME.format(policy=render_csp_meta(), **words)


def _render_form(siglum: str, token: str, library: str) -> str:
    return _render_frame(
        library,
        f"Code this source: {siglum}",
        f'<div class="rv-coding" data-siglum="{siglum}" data-program="{name_program()}">'
        '<p class="rv-notice" role="status">Reading …</p></div>'
        f"\n<noscript><p>The form needs scripts; without them <code>{name_command('sheet')}</code> does the same.</p>"
        "</noscript>",
        head=f'\n<meta name="edition-token" content="{escape(token)}">{_SCRIPTS}',
        ways=f'<a href="/sources/{siglum}.html">The source</a> <a href="/manual.html">Coding manual</a>',
    )


def _render_list(sigla: list[str], library: str) -> str:
    entries = "".join(f'<li><a href="{CODE_ADDRESS}{siglum}">{siglum}</a></li>' for siglum in sigla)
    content = f"<p>Each source that can be coded here:</p>\n<ul>{entries}</ul>"
    return _FRAME.format(
        policy=render_csp_meta(), head="", title="Code a source", ways="", content=content, library=escape(library)
    )
