"""The edition: Sphinx extension and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the edition with Sphinx, which is imported only here: the command line need not wait for it."""
    from edition.site.extension import register_extension

    return register_extension(app)
