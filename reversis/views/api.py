"""API page: the public names of the package `reversis`, with signatures and summaries.

Scripts may rely on them. The package stands above this layer and is looked at by its name, as any documentation of a
package is; nothing else of the edition may know it.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

from edition.corpus.corpus import Corpus
from reversis.views.page_template import page_renderer

API_PACKAGE = "reversis"  #: the address that scripts use

#: A default that is shown by its address in memory, which is another one in every process.
_MEMORY_ADDRESS = re.compile(r"<[^=]*? at 0x[0-9A-Fa-f]+>+")


def api_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, str, str], ...]:
    """Public names with signatures and summaries, functions first."""
    package = import_module(API_PACKAGE)
    members = [(name, getattr(package, name)) for name in package.__all__]
    ordered = sorted(members, key=lambda member: (inspect.isclass(member[1]), member[0].lower()))
    return tuple(
        (name, format_api_signature(member), (inspect.getdoc(member) or "").partition("\n")[0])
        for name, member in ordered
    )


def format_api_signature(member: Any) -> str:
    """Signature of a function; empty for a class."""
    if inspect.isclass(member):
        return ""
    return _MEMORY_ADDRESS.sub("...", str(inspect.signature(member)).replace("'", ""))


render_api = page_renderer("api")
