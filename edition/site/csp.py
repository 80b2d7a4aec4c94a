"""What a page may do in a reader's browser: fetch from its own folder, and nothing else.

Every page bears its policy in its head, so that it holds on any server, and on none: a browser runs no script and takes
no style but from files of the edition, sends nothing anywhere, and says to no other place where a reader came from. A
page that needs more asks for it here, by the views that it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The folder itself: some browsers know a folder on a disk only as `file:`.
OWN = ("'self'", "file:")

#: What every page may fetch, by kind.
POLICY: Mapping[str, tuple[str, ...]] = {
    "default-src": ("'none'",),
    "script-src": OWN,
    "style-src": OWN,
    "img-src": (*OWN, "data:"),  # the theme's small signs stand in its style sheet
    "font-src": OWN,
    "connect-src": OWN,
    "worker-src": OWN,
    "manifest-src": OWN,
    "form-action": OWN,
    "base-uri": ("'none'",),
}

#: What a page may do beyond that, by the name of a view that it shows: its kinds, and for each the places added.
MORE: Mapping[str, Mapping[str, tuple[str, ...]]] = {}


def policy(views: Iterable[str] = ()) -> str:
    """The policy of a page that shows these views."""
    asked = [MORE[view] for view in sorted(set(views)) if view in MORE]
    return "; ".join(f"{kind} {' '.join(sources(kind, own, asked))}" for kind, own in POLICY.items())


def sources(kind: str, own: tuple[str, ...], asked: Iterable[Mapping[str, tuple[str, ...]]]) -> Iterable[str]:
    """Where a page may fetch one kind of thing from, each place once."""
    return dict.fromkeys([*own, *(place for more in asked for place in more.get(kind, ()))])


def head(views: Iterable[str] = ()) -> str:
    """What stands in the head of a page, before anything that is fetched."""
    said = escape(policy(views), quote=False)
    return (
        f'\n<meta http-equiv="Content-Security-Policy" content="{said}">\n<meta name="referrer" content="same-origin">'
    )


def add_policy(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Every page is told its policy."""
    shown = app.env.get_domain("reversis").data["shown"].get(page, {})
    found = (context.get("metatags") or "").splitlines()
    others = [tag for tag in found if 'name="viewport"' not in tag]  # the theme has one of its own
    context["metatags"] = "\n".join([head(view for view, _ in shown), *others])
