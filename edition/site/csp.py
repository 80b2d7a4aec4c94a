"""Content Security Policy of every page: fetch from the edition's own folder only.

Every page has its policy in its head, so that it holds on any server, and on none: a browser runs no script and takes
no style but from files of the edition, sends nothing anywhere, and sends no referrer to other sites.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The folder itself: some browsers know a folder on a disk only as `file:`.
_OWN_ORIGIN = ("'self'", "file:")

#: What every page may fetch, by kind.
POLICY: Mapping[str, tuple[str, ...]] = {
    "default-src": ("'none'",),
    "script-src": _OWN_ORIGIN,
    "style-src": _OWN_ORIGIN,
    "img-src": (*_OWN_ORIGIN, "data:"),  # the theme's small signs stand in its style sheet
    "font-src": _OWN_ORIGIN,
    "connect-src": _OWN_ORIGIN,
    "worker-src": _OWN_ORIGIN,
    "manifest-src": _OWN_ORIGIN,
    "form-action": _OWN_ORIGIN,
    "base-uri": ("'none'",),
}


def format_csp() -> str:
    """Content Security Policy of a page."""
    return "; ".join(f"{kind} {' '.join(places)}" for kind, places in POLICY.items())


def render_csp_meta() -> str:
    """Meta tags of the head of a page that must precede anything that is fetched.

    They hold the Content Security Policy and the referrer policy.
    """
    csp = escape(format_csp(), quote=False)
    return (
        f'\n<meta http-equiv="Content-Security-Policy" content="{csp}">\n<meta name="referrer" content="same-origin">'
    )


def add_csp(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Add its Content Security Policy to every page."""
    tags = (context.get("metatags") or "").splitlines()
    others = [tag for tag in tags if 'name="viewport"' not in tag]  # the theme has one of its own
    context["metatags"] = "\n".join([render_csp_meta(), *others])
