"""The book as a PDF: set by Typst, which comes as a Python package and needs nothing else on the machine.

Typst writes each of the hundred thousand small objects of a tagged PDF (a cell of a table, a link, a paragraph) by
itself and uncompressed, three quarters of the file; pikepdf packs them into object streams.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from edition.book.nodes import BookContent, book_time
from edition.book.typst import render_typst
from rulebook.installing import format_install_command

_BOOK_FOLDER = Path(__file__).resolve().parent
_TYPST_STYLE = "book.typ"

#: tagged, so that it can be read aloud; a letter without a glyph, or a picture without words, is then an error
STANDARD: Final = "ua-1"

PDF_PACKAGES = ("typst", "pikepdf")
PDF_EXTRA_HINT = f"A PDF needs the typesetter, which is an extra: {format_install_command('pdf')}"


class Unbound(Exception):
    """The book could not be set; says why."""


def find_fonts() -> Path:
    """The folder of the fonts: in a clone, or in an installed copy."""
    clone = _BOOK_FOLDER.parents[1] / "vendor" / "fonts"
    return clone if clone.is_dir() else _BOOK_FOLDER.parent / "_fonts"


def render_pdf(book: BookContent) -> bytes:
    """Typeset the book as a PDF. Raises Unbound."""
    with tempfile.TemporaryDirectory() as folder:
        main = Path(folder) / "main.typ"
        main.write_text(render_typst(book), encoding="utf-8", newline="\n")
        shutil.copyfile(_BOOK_FOLDER / _TYPST_STYLE, Path(folder) / _TYPST_STYLE)
        moment = book_time(book.day)
        pdf, warnings = _compile_typst(main, moment, room="fitting")
        if any("converge" in words for words in warnings):
            pdf, warnings = _compile_typst(main, moment, room="fixed")
    refuse_wrong_pages(warnings)
    return compress_pdf(pdf)


def _compile_typst(main: Path, moment: datetime, room: str) -> tuple[bytes, list[str]]:
    """Compile with so much room for the number of a page; return the PDF and the warnings. Raises Unbound."""
    import typst  # an extra: `explain_missing_extra` has told whoever does not have it

    compiler = typst.Compiler(
        str(main),
        root=str(main.parent),
        font_paths=[str(find_fonts())],
        ignore_system_fonts=True,
        sys_inputs={"room": room},
    )
    try:
        pdf, warnings = compiler.compile_with_warnings(
            format="pdf", pdf_standards=STANDARD, timestamp=int(moment.timestamp())
        )
    except typst.TypstError as fault:
        raise Unbound(f"The typesetter says: {fault.message}") from fault
    assert isinstance(pdf, bytes)
    return pdf, [warning.message for warning in warnings]


def refuse_wrong_pages(warnings: Iterable[str]) -> None:
    """A layout that never settles would print numbers of pages that are not so."""
    if unsettled := [words for words in warnings if "converge" in words]:
        raise Unbound(f"The typesetter says: {unsettled[0]}")


def compress_pdf(data: bytes) -> bytes:
    """Pack the objects of a PDF into compressed streams; equal files stay equal."""
    import pikepdf  # the same extra

    packed = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as document:
        document.save(packed, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return packed.getvalue()
